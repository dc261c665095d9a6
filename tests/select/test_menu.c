/* Menus, the heuristic, control modes (T-SID-2 to T-SID-4, T-HEUR-1 to T-HEUR-3, T-MODE-1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "select/heuristic.h"
#include "select/mode.h"

static struct arena arena;

static void assert_text(struct str s, const char *expected)
{
    char *z = mgi_arena_printf(&arena, "%.*s", STR_ARG(s));
    assert_string_equal(z, expected);
}

/* "AID tag tag", a line each. */
static size_t actions_of(const char *const *lines, struct menu_action *out)
{
    size_t n = 0;
    for (; lines[n]; n++) {
        struct str *tags = mgi_arena_calloc(&arena, 8, sizeof *tags);
        char *copy = mgi_arena_strdup(&arena, lines[n]), *save;
        char *aid = strtok_r(copy, " ", &save);
        out[n] = (struct menu_action){ .aid = str_of(aid), .name = str_of(aid), .tags = tags };
        for (char *tag; (tag = strtok_r(NULL, " ", &save));)
            tags[out[n].tag_count++] = str_of(tag);
    }
    return n;
}

static struct menu menu_of(const char *const *lines, const struct menu_wish *wish)
{
    struct menu_action actions[16];
    struct menu menu;
    size_t count = actions_of(lines, actions);
    assert_int_equal(mgi_menu_build(&arena, actions, count, wish, &menu), MENU_OK);
    return menu;
}

/* "SID AID" of all entries, parted by blanks. */
static void assert_menu(const struct menu *menu, const char *expected)
{
    struct buf out = { 0 };
    for (size_t i = 0; i < menu->count; i++) {
        char sid[SID_CHARS + 1];
        mgi_sid_print(menu->entries[i].sid, sid);
        mgi_buf_printf(&out, "%s%s=%.*s", i ? " " : "", sid, STR_ARG(menu->entries[i].aid));
        assert_ptr_equal(mgi_menu_find(menu, menu->entries[i].sid), &menu->entries[i]);
    }
    assert_string_equal(out.ptr ? out.ptr : "", expected);
    mgi_buf_fini(&out);
}

/* ---- menus ---------------------------------------------------------------------------------- */

static void a_menu_lists_wanted_tags_in_order_of_aid(void **state) /* C-225, T-SID-2 */
{
    (void)state;
    static const char *const lines[] = { "AID.Z.v1 b",    "AID.NOOP.v1 b",
                                         "AID.B.v1 a b",  "AID.A.v1 a",
                                         "AID.B.v1 b",    "AID.C.v1",
                                         "AID.NOOP.v1 b", NULL };
    const struct str b[] = { STR_LIT("b") };
    const struct menu_wish wish = { .tags = b, .tag_count = 1 };
    struct menu menu = menu_of(lines, &wish);
    assert_menu(&menu, "SID0001=AID.B.v1 SID0002=AID.Z.v1 SID0003=AID.NOOP.v1");
    menu = menu_of(lines, NULL);
    assert_menu(&menu, "SID0001=AID.A.v1 SID0002=AID.B.v1 SID0003=AID.C.v1 SID0004=AID.Z.v1 "
                       "SID0005=AID.NOOP.v1");
    assert_null(mgi_menu_find(&menu, 0));
    assert_null(mgi_menu_find(&menu, 6));
    assert_null(mgi_menu_find(&menu, 9999));
    const struct str nothing[] = { STR_LIT("nobody has it") };
    const struct menu_wish none = { .tags = nothing, .tag_count = 1 };
    menu = menu_of(lines, &none); /* known, so it is listed whatever its tags */
    assert_menu(&menu, "SID0001=AID.NOOP.v1");
}

static void more_than_9999_entries_are_refused(void **state) /* T-SID-2 */
{
    (void)state;
    size_t count = MENU_MAX_ENTRIES + 1;
    struct menu_action *actions = mgi_arena_calloc(&arena, count, sizeof *actions);
    struct menu menu;
    for (size_t i = 0; i < count; i++)
        actions[i].aid = str_of(mgi_arena_printf(&arena, "AID.%05zu.v1", i));
    assert_int_equal(mgi_menu_build(&arena, actions, count, NULL, &menu), MENU_TOO_LONG);
    assert_int_equal(mgi_menu_build(&arena, actions, count - 1, NULL, &menu), MENU_OK);
    assert_int_equal(menu.entries[menu.count - 1].sid, 9999);
}

static void filters_change_no_number(void **state) /* C-226, T-SID-3 */
{
    (void)state;
    static const char *const lines[] = { "AID.GENESIS.LOAD_PLUGIN.v1",
                                         "AID.GENESIS.WRITE_FILE.v1",
                                         "AID.FILE.READ.v1",
                                         "AID.A.v1",
                                         "AID.NOOP.v1",
                                         NULL };
    const struct str blocked[] = { STR_LIT("AID.GENESIS.*") };
    const struct str allowed[] = { STR_LIT("AID.GENESIS.*"), STR_LIT("AID.FILE.READ.v1") };
    struct menu_wish wish = { .allowed = allowed, .allowed_count = 2 };
    struct menu menu = menu_of(lines, &wish);
    assert_menu(&menu, "SID0002=AID.FILE.READ.v1 SID0003=AID.GENESIS.LOAD_PLUGIN.v1 "
                       "SID0004=AID.GENESIS.WRITE_FILE.v1");
    wish.blocked = blocked;
    wish.blocked_count = 1;
    menu = menu_of(lines, &wish);
    assert_menu(&menu, "SID0002=AID.FILE.READ.v1");
    assert_null(mgi_menu_find(&menu, 1));
    assert_null(mgi_menu_find(&menu, 3));
    const struct str star[] = { STR_LIT("*") };
    const struct menu_wish nothing = { .blocked = star, .blocked_count = 1 };
    menu = menu_of(lines, &nothing);
    assert_menu(&menu, "");
}

static void a_menu_has_its_digest(void **state) /* C-227, T-SID-4 */
{
    (void)state;
    static const char *const lines[] = { "AID.NOOP.v1 tag.meta", "AID.FILE.READ.v1 tag.meta tag.fs",
                                         NULL };
    struct menu menu = menu_of(lines, NULL);
    assert_string_equal(menu.digest,
                        "baeab7928400210cf1ee9f96eda46a60380474edfa2960d75087b121880e5ded");
    static const char *const none[] = { NULL };
    menu = menu_of(none, NULL);
    assert_string_equal(menu.digest,
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void a_menu_is_written_for_policies(void **state) /* T-POL-1 */
{
    (void)state;
    static const char *const lines[] = { "AID.FILE.READ.v1 tag.meta tag.fs", NULL };
    struct menu menu = menu_of(lines, NULL);
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_menu_write(&w, &menu);
    assert_string_equal(out.ptr,
                        "[{\"sid\":\"SID0001\",\"aid\":\"AID.FILE.READ.v1\","
                        "\"name\":\"AID.FILE.READ.v1\",\"tags\":[\"tag.fs\",\"tag.meta\"]}]");
    mgi_buf_fini(&out);
}

/* ---- the heuristic -------------------------------------------------------------------------- */

static void assert_choice(const char *const *lines, const struct select_view *view, const char *aid)
{
    struct menu menu = menu_of(lines, NULL);
    for (int times = 0; times < 2; times++) { /* the same answer to the same question */
        const struct menu_entry *e = mgi_heuristic_choose(view, &menu);
        struct selection s;
        assert_true(mgi_selection_make(&arena, e, (struct str){ 0 }, &s));
        if (!aid) {
            assert_null(e);
            assert_int_equal(s.kind, SELECTION_NOOP);
            assert_text(s.raw, "<NOOP><END>"); /* T-HEUR-2 */
            continue;
        }
        assert_non_null(e);
        assert_text(e->aid, aid);
        assert_int_equal(s.kind, SELECTION_PICK);
        assert_int_equal(s.sid, e->sid);
        char sid[SID_CHARS + 1];
        mgi_sid_print(e->sid, sid);
        assert_text(s.raw, mgi_arena_printf(&arena, "<PICK><%s><END>", sid)); /* T-HEUR-2 */
    }
}

static void errors_come_first_then_the_other_tags(void **state) /* C-168, T-HEUR-1 rows 4, 5 */
{
    (void)state;
    static const char *const lines[] = {
        "AID.A.v1 tag.fs",    "AID.B.v1 tag.shell",    "AID.C.v1 tag.error",
        "AID.D.v1 tag.error", "AID.E.v1 tag.gpu",      "AID.F.v1 tag.net",
        "AID.G.v1 tag.meta",  "AID.NOOP.v1 tag.error", NULL
    };
    struct select_view view = { .goal = STR_LIT("goal.DEMO.v1") };
    static const char *const order[] = { "AID.C.v1", "AID.D.v1", "AID.E.v1", "AID.A.v1",
                                         "AID.B.v1", "AID.F.v1", "AID.G.v1", NULL };
    const char *left[9];
    size_t count = 8;
    memcpy(left, lines, sizeof lines);
    for (size_t i = 0; order[i]; i++) { /* take the chosen one away: the next of the order */
        assert_choice(left, &view, order[i]);
        for (size_t j = 0; j < count; j++) {
            if (strncmp(left[j], order[i], 8) == 0) {
                memmove(left + j, left + j + 1, (count - j) * sizeof *left);
                count--;
                break;
            }
        }
    }
    assert_choice(left, &view, NULL); /* AID.NOOP.v1 is never chosen by a tag */
}

static void a_product_without_a_report_is_reported(void **state) /* C-169, T-HEUR-1 row 3 */
{
    (void)state;
    static const char *const lines[] = { "AID.ERR.v1 tag.error", "AID.REPORT.v1 tag.report", NULL };
    struct select_view view = { .goal = STR_LIT("goal.DEMO.v1"), .slots_used = 1 };
    assert_choice(lines, &view, "AID.REPORT.v1");
    view.slots_used = 1 | 1 << 2;
    assert_choice(lines, &view, "AID.ERR.v1");
    view.slots_used = 0;
    assert_choice(lines, &view, "AID.ERR.v1");
}

static void nothing_but_noop_is_noop(void **state) /* C-170 */
{
    (void)state;
    static const char *const lines[] = { "AID.NOOP.v1 tag.meta tag.error", NULL };
    struct select_view view = { .goal = STR_LIT("goal.DEMO.v1") };
    assert_choice(lines, &view, NULL);
}

static void genesis_goes_through_its_stages(void **state) /* T-HEUR-1 rows 1, 2 */
{
    (void)state;
    static const char *const lines[] = {
        "AID.GENESIS.WRITE_FILE.v1",  "AID.GENESIS.COMPILE_SHARED.v1",
        "AID.GENESIS.LOAD_PLUGIN.v1", "AID.RUN.v1 tag.runtime",
        "AID.X.v1 tag.error",         NULL
    };
    struct select_view view = { .goal = STR_LIT("my.goal.GENESIS.v1"), .slots_used = 1 };
    assert_choice(lines, &view, "AID.GENESIS.WRITE_FILE.v1");
    view.stage = STR_LIT("WROTE");
    assert_choice(lines, &view, "AID.GENESIS.COMPILE_SHARED.v1");
    view.stage = STR_LIT("COMPILED");
    assert_choice(lines, &view, "AID.GENESIS.LOAD_PLUGIN.v1");
    view.stage = STR_LIT("LOADED");
    assert_choice(lines, &view, NULL); /* slot 0 is used: done */
    view.slots_used = 0;
    assert_choice(lines, &view, "AID.RUN.v1");
    view.stage = STR_LIT("COMPILED");
    assert_choice(lines + 3, &view, "AID.X.v1"); /* not listed: the next row that fits */
    view.goal = STR_LIT("goal.DEMO.v1");
    assert_choice(lines, &view, "AID.X.v1");
}

static void flags_are_values_not_words_of_the_goal(void **state) /* T-HEUR-3 */
{
    (void)state;
    static const char *const lines[] = { "AID.REPORT.v1 tag.report", NULL };
    struct select_view view = { .goal = STR_LIT("goal|FLAGS:DS0=1;DS2=0;") };
    assert_choice(lines, &view, NULL);
    const struct str tags[] = { STR_LIT("tag.meta"), STR_LIT("tag.fs") };
    struct buf out = { 0 };
    view = (struct select_view){ .goal = STR_LIT("goal.DEMO.v1"),
                                 .goal_tags = tags,
                                 .goal_tag_count = 1 };
    mgi_goal_context(&out, &view);
    assert_string_equal(out.ptr, "goal.DEMO.v1|FLAGS:DS0=0;DS2=0;DS6=0;DS7=0;DS6_STAGE=;|tag.meta");
    mgi_buf_clear(&out);
    view.goal_tag_count = 2;
    view.slots_used = 1 | 1 << 6;
    view.stage = STR_LIT("WROTE");
    mgi_goal_context(&out, &view);
    assert_string_equal(out.ptr, "goal.DEMO.v1|FLAGS:DS0=1;DS2=0;DS6=1;DS7=0;DS6_STAGE=WROTE;"
                                 "|tag.meta|tag.fs");
    mgi_buf_fini(&out);
}

/* ---- modes ---------------------------------------------------------------------------------- */

static void modes_say_whose_choice_counts(void **state) /* T-MODE-1 */
{
    (void)state;
    const struct selection fallback = { .kind = SELECTION_NOOP };
    const struct selection policy = { .kind = SELECTION_PICK, .sid = 1 };
    const struct selection invalid = { .kind = SELECTION_INVALID };
    static const struct {
        const char *name;
        bool calls, follows, follows_invalid;
    } rows[] = {
        { "FALLBACK_ONLY", false, false, false },  { "SHADOW_POLICY", true, false, false },
        { "BLENDED", true, true, false },          { "POLICY_ONLY", true, true, true },
        { "policy_only", false, false, false },    { "", false, false, false },
        { "SOMETHING_ELSE", false, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum control_mode mode = mgi_control_mode(str_of(rows[i].name));
        assert_int_equal(mgi_control_calls_policy(mode), rows[i].calls);
        assert_ptr_equal(mgi_control_choose(mode, &fallback, &policy),
                         rows[i].follows ? &policy : &fallback);
        assert_ptr_equal(mgi_control_choose(mode, &fallback, &invalid),
                         rows[i].follows_invalid ? &invalid : &fallback);
        if (i < 4)
            assert_string_equal(mgi_control_mode_name(mode), rows[i].name);
    }
}

static int setup(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_menu_lists_wanted_tags_in_order_of_aid),
        T(more_than_9999_entries_are_refused),
        T(filters_change_no_number),
        T(a_menu_has_its_digest),
        T(a_menu_is_written_for_policies),
        T(errors_come_first_then_the_other_tags),
        T(a_product_without_a_report_is_reported),
        T(nothing_but_noop_is_noop),
        T(genesis_goes_through_its_stages),
        T(flags_are_values_not_words_of_the_goal),
        T(modes_say_whose_choice_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
