/* Steps that are menus: each selector, each end, budgets, patches, the working state, consent,
 * compensation. Actions are played; policies are programs, or played, too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define FIXTURE_PLAYED
#define FIXTURE_RULES                                                                              \
    "Decl choosing(T, S). Decl menu_turn(N). Decl menu_input(N, V). Decl menu_slot(N).\n"          \
    "Decl menu_called(N, A, S). Decl menu_output(N, V).\n"                                         \
    "menu_pick(\"rules\", \"next\", \"AID.B.v1\", 1) :- choosing(\"rules\", \"next\").\n"          \
    "menu_pick(\"rules\", \"next\", \"AID.A.v1\", 5) :- menu_turn(2), invoke_arg(\"zone\", "       \
    "\"b\").\n"                                                                                    \
    "menu_set(\"rules\", \"next\", \"AID.A.v1\", \"n\", V) :- menu_output(1, M), "                 \
    ":match_entry(M, \"id\", V).\n"                                                                \
    "menu_pick(\"rules\", \"next\", \"AID.C.v1\", 9) :- menu_called(2, \"AID.A.v1\", \"OK\"), "    \
    "menu_input(\"n\", 7), step_status(\"a\", \"success\"), menu_slot(3).\n"                       \
    "done() :- menu_called(3, _, _).\n"                                                            \
    "menu_pick(\"stops\", \"next\", \"AID.A.v1\", 1) :- choosing(\"stops\", \"next\"), !done().\n" \
    "menu_ask(\"stops\", \"next\", \"AID.A.v1\", \"Sure?\") :- menu_turn(2).\n"                    \
    "menu_pick(\"torn\", \"next\", \"AID.A.v1\", 1) :- choosing(\"torn\", _).\n"                   \
    "menu_pick(\"torn\", \"next\", \"AID.B.v1\", 1) :- choosing(\"torn\", _).\n"                   \
    "menu_pick(\"sets\", \"next\", \"AID.A.v1\", 1) :- choosing(\"sets\", _).\n"                   \
    "menu_set(\"sets\", \"next\", \"AID.A.v1\", \"n\", 1) :- choosing(\"sets\", _).\n"             \
    "menu_set(\"sets\", \"next\", \"AID.A.v1\", \"n\", 2) :- choosing(\"sets\", _).\n"             \
    "menu_pick(\"else\", \"next\", \"AID.NONE.v1\", 1) :- choosing(\"else\", _).\n"                \
    "menu_pick(\"fails\", \"next\", \"AID.A.v1\", P) :- choosing(\"fails\", _), menu_turn(N), "    \
    "P = fn:div(N, 0).\n"
#include "invoke/chain_int.h"
#include "invoke/invoke_fixture.h"
#include "invoke/scripted_pool.h"
#include "select/policy.h"
#include "select/scripts.h"

/* ---- a domain with a menu ------------------------------------------------------------------- */

static const struct str tags[] = { { "tag.fs", 6 }, { "tag.shell", 9 } };
static struct action things[] = {
    { .aid = { "AID.A.v1", 8 }, .name = { "a_it", 4 }, .tags = tags, .tag_count = 1 },
    { .aid = { "AID.B.v1", 8 },
      .name = { "b_it", 4 },
      .tags = tags + 1,
      .tag_count = 1,
      .tier = 1 },
    { .aid = { "AID.C.v1", 8 }, .name = { "c_it", 4 }, .tier = 2 },
    { .aid = { "AID.UNDO.v1", 11 }, .name = { "undo_it", 7 }, .tier = 1 },
};
enum { A, B, C, UNDO };

struct said { /* of the policy, one after the other */
    const char *text;
    enum policy_exit exit;
};

struct world {
    struct fixture f;
    struct step_menu menu;
    struct menu_option options[3];
    struct menu_pickers pickers;
    const struct said *said;
    size_t turn;
    struct buf calls;   /* "AID inputs;" */
    struct buf written; /* what the journal is told of picks */
    const char *fails;  /* an AID */
    enum tool_outcome outcome;
    bool unsure;         /* then it is not known what it did */
    const char *slot_of; /* an AID that changes slot 3 */
    const char *out;     /* what actions return; NULL: {} */
    struct run_journal journal;
    bool tells_state;  /* calls say what they find in slot 3, and in slot 1 */
    const char *holds; /* an AID whose call is not answered until it is cancelled */
};

static bool play(void *context, struct str step, uint32_t turn, struct arena *arena,
                 struct policy_answer *out)
{
    struct world *w = context;
    (void)arena;
    assert_true(str_is(step, "next"));
    assert_int_equal(turn, w->turn + 1);
    *out = (struct policy_answer){ .exit = w->said[w->turn].exit, .status = 1 };
    if (out->exit == POLICY_EXITED)
        out->status = 0;
    out->out = str_of(w->said[w->turn].text);
    w->turn++;
    return true;
}

static void called(void *context, struct toolsession *s)
{
    struct world *w = context;
    mgi_buf_printf(&w->calls, "%.*s%.*s %.*s;", STR_ARG(s->request.aid), STR_ARG(s->request.part),
                   STR_ARG(s->request.inputs->value.text));
    for (int slot = 1; w->tells_state && slot <= 3; slot += 2)
        if (s->state.artifact[slot].len > 0)
            mgi_buf_printf(&w->calls, "%d=%.*s;", slot, STR_ARG(s->state.artifact[slot]));
    if (w->holds && str_is(s->request.aid, w->holds))
        s->due = INT64_MAX;
}

static void answer(void *context, struct toolsession *s, struct tool_result *result)
{
    struct world *w = context;
    struct arena *a = s->request.arena;
    if (w->fails && str_is(s->request.aid, w->fails)) {
        result->outcome = w->outcome;
        result->error = STR_LIT("boom /secret");
        result->indeterminate = w->unsure;
        return;
    }
    if (w->out)
        assert_int_equal(mgi_json_parse(a, str_of(w->out), NULL, &result->output, NULL), JSON_OK);
    if (w->slot_of && str_is(s->request.aid, w->slot_of))
        result->changes.artifact[3] =
            str_of(mgi_arena_printf(a, "{\"saw\":%zu}", s->state.artifact[3].len));
}

static void take_picks(void *run, const struct step_picked *p)
{
    struct world *w = run;
    mgi_buf_printf(&w->written, "%u.%u %s %s %s %.*s %.*s %.*s;", p->step, p->turn, p->by, p->mode,
                   p->kind, STR_ARG(p->sid), STR_ARG(p->action), STR_ARG(p->raw));
}

static void *begin_run(void *self, const struct run_begun *b)
{
    (void)b;
    return self;
}

static void *begin_step(void *run, const struct step_begun *b, run_told *told, void *context)
{
    static int step;
    (void)run, (void)told, (void)context;
    assert_int_equal(b->tier, 0); /* these tests journal steps without effects alone */
    return &step;
}

static void end_step(void *step, const struct step_ended *e)
{
    (void)step, (void)e;
}

static void end_run_of(void *run, enum run_outcome outcome)
{
    struct world *w = run;
    mgi_buf_printf(&w->written, "over %d;", (int)outcome);
}

static void open_world(struct world *w)
{
    memset(w, 0, sizeof *w);
    open_fixture(&w->f);
    w->f.pool->hosts = 4;
    w->f.pool->called = called;
    w->f.pool->answer = answer;
    w->f.pool->context = w;
    w->pickers = (struct menu_pickers){ .context = w };
    w->f.pickers = &w->pickers;
    for (int i = 0; i < 4; i++)
        things[i].provider = i == C ? &two_provider : &one_provider;
    struct menu_action listed[3];
    for (int i = 0; i < 3; i++) {
        listed[i] = (struct menu_action){ things[i].aid, things[i].name, things[i].tags,
                                          things[i].tag_count };
        w->options[i].action = &things[i];
    }
    assert_int_equal(mgi_menu_build(&w->f.snapshot->arena, listed, 3, NULL, &w->menu.menu),
                     MENU_OK);
    w->menu.options = w->options;
    w->menu.run.goal.id = STR_LIT("goal.T.next");
    w->menu.run.max_steps = 8;
}

static void close_world(struct world *w)
{
    forget_asking(&w->f);
    close_fixture(&w->f);
    mgi_buf_fini(&w->calls);
    mgi_buf_fini(&w->written);
}

/* A tool of that name whose step "next" is the menu, behind a step "a", with further steps behind
 * it. */
static struct tool *make_menu_tool(struct world *w, const char *name, const char *inputs)
{
    const struct plan plan[] = { { "a", ACT_ECHO, "{}", ON_FAILURE_STOP },
                                 { "next", ACT_ECHO, inputs, ON_FAILURE_STOP },
                                 { "z", ACT_PUT, "{}", ON_FAILURE_STOP } };
    for (int i = 0; i < 5; i++)
        actions[i].provider = &one_provider;
    struct tool *t = make_tool(&w->f, name, plan, 3);
    t->steps[1].action = NULL;
    t->steps[1].menu = &w->menu;
    t->result = (struct value_source){ .kind = SOURCE_STEP, .step = 1 };
    offer_always(&w->f, t, false);
    return t;
}

static void use_said(struct world *w, const struct said *said)
{
    static struct domain_policy policy;
    w->f.snapshot->policies = &policy;
    w->f.snapshot->policy_count = 1;
    w->menu.policy = &policy;
    w->menu.mode = CONTROL_POLICY_ONLY;
    w->pickers.say = play;
    w->said = said;
    w->turn = 0;
}

static void drive(struct world *w)
{
    while (!w->f.done)
        if (!scripted_pool_step(w->f.pool, 0, 0))
            uv_run(&w->f.loop, UV_RUN_ONCE);
}

static void invoke(struct world *w, const char *payload)
{
    mgi_buf_clear(&w->calls);
    mgi_buf_clear(&w->written);
    if (start(&w->f, payload))
        drive(w);
    mgi_buf_putc(&w->calls, '\0');
}

static void assert_good(struct world *w)
{
    if (w->f.code)
        fail_msg("%s: %s\n%s", w->f.message, w->f.payload, w->f.logged);
}

static void assert_failed(struct world *w, const char *reason)
{
    assert_int_equal(w->f.code, WIRE_EXECUTION_FAILED);
    assert_true(str_is(at(&w->f, "/reason")->string, reason));
}

/* ---- selectors ------------------------------------------------------------------------------ */

static void rules_pick_by_priority_and_see_what_has_happened(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    w.menu.by_rules = true;
    w.out = "{\"id\":7}";
    w.slot_of = "AID.A.v1";
    make_menu_tool(&w, "rules", "{\"n\":1,\"m\":2}");
    w.menu.run.max_steps = 3;
    w.menu.run.goal.calls = 3;
    invoke(&w, CALL);
    assert_good(&w);
    /* B in the first turn; then A, which stands above it, with an input out of what B returned;
     * then C, for which that input, the slot and the earlier step speak. */
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.B.v1-0 {\"n\":1,\"m\":2};"
                                     "AID.A.v1-1 {\"n\":7,\"m\":2};AID.C.v1-2 {\"n\":7,\"m\":2};"
                                     "AID.TEST.PUT.v1 {};");
    assert_text(&w.f, "/result/reason", "\"goal_done\"");
    assert_text(&w.f, "/result/calls/2",
                "{\"aid\":\"AID.C.v1\",\"output\":{\"id\":7},"
                "\"status\":\"OK\"}");
    assert_text(&w.f, "/observability/events/1/action", "\"next\"");
    assert_text(&w.f, "/observability/events/1/detail",
                "\"goal_done after 3 calls: b_it, a_it, c_it\"");
    close_world(&w);
}

static void rules_that_derive_nothing_are_noop(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    w.menu.by_rules = true;
    make_menu_tool(&w, "nothing", "{}");
    invoke(&w, CALL);
    assert_good(&w);
    assert_text(&w.f, "/result",
                "{\"calls\":[],\"invalid_picks\":0,\"reason\":\"noop\",\"status\":\"OK\","
                "\"steps\":1}");
    close_world(&w);
}

static void rules_that_contradict_themselves_are_invalid(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *why;
    } cases[] = { { "torn", "rules pick both AID.A.v1 and AID.B.v1" },
                  { "sets", "rules set the input \\\"n\\\" twice" },
                  { "else", "rules pick AID.NONE.v1, which is not in the menu" } };
    for (size_t i = 0; i < 3; i++) {
        struct world w;
        open_world(&w);
        w.menu.by_rules = true;
        w.menu.run.max_invalid = -1;
        make_menu_tool(&w, cases[i].tool, "{}");
        invoke(&w, CALL);
        assert_failed(&w, "unavailable");
        assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};");
        if (!strstr(w.f.logged, cases[i].why))
            fail_msg("%s is not in %s", cases[i].why, w.f.logged);
        assert_non_null(strstr(w.f.message, "max_invalid_picks after 0 calls"));
        close_world(&w);
    }
}

static void rules_that_fail_end_the_step(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    w.menu.by_rules = true;
    make_menu_tool(&w, "fails", "{}");
    invoke(&w, CALL);
    assert_failed(&w, "tool_error");
    assert_non_null(strstr(w.f.logged, "the rules could not be evaluated"));
    assert_null(strstr(w.f.payload, "rules")); /* no text of rules goes out */
    close_world(&w);
}

static void the_heuristic_picks_until_it_goes_round(void **state) /* T-BUD-2, C-177 */
{
    (void)state;
    struct world w;
    open_world(&w);
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_failed(&w, "unavailable");
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-0 {};AID.A.v1-1 {};"
                                     "AID.A.v1-2 {};AID.A.v1-3 {};");
    assert_non_null(strstr(w.f.message, "loop_guard after 4 calls"));
    close_world(&w);
}

static void who_gets_on_is_not_taken_for_going_round(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    w.slot_of = "AID.A.v1"; /* each call finds another state */
    w.menu.run.goal.calls = 6;
    make_menu_tool(&w, "t", "{}");
    static const struct said said[] = { { "<PICK><SID0001><INP>{\"n\":1}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"n\":2}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"n\":3}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"n\":4}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"n\":5}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"n\":6}</INP><END>", 0 } };
    use_said(&w, said);
    invoke(&w, CALL);
    assert_good(&w);
    assert_text(&w.f, "/result/steps", "6");
    close_world(&w);
}

static void a_policy_picks_patches_and_ends(void **state) /* T-SEL-3, T-SEL-4, T-SEL-7, T-SEL-8 */
{
    (void)state;
    struct world w;
    static const struct said said[] = {
        { "<PICK><SID0002><INP>{\"n\":2,\"_meta\":1,\"_system_x\":5}</INP><END>", 0 },
        { "<PICK><SID0001><INP64>eyJtIjozfQ==</INP64><END>", 0 }, /* {"m":3} */
        { "<PICK><SID0003><END>", 0 },
        { "<NOOP><END>", 0 }
    };
    open_world(&w);
    use_said(&w, said);
    make_menu_tool(&w, "t", "{\"n\":1,\"_system_x\":\"kept\"}");
    w.out = "{\"id\":7}";
    invoke(&w, CALL);
    assert_good(&w);
    assert_string_equal(w.calls.ptr,
                        "AID.TEST.ECHO.v1 {};"
                        "AID.B.v1-0 {\"n\":2,\"_system_x\":\"kept\"};"
                        "AID.A.v1-1 {\"n\":2,\"_system_x\":\"kept\",\"m\":3};"
                        "AID.C.v1-2 {\"n\":2,\"_system_x\":\"kept\",\"m\":3};AID.TEST.PUT.v1 {};");
    assert_text(&w.f, "/result/output", "{\"id\":7}");
    assert_text(&w.f, "/result/reason", "\"noop\"");
    close_world(&w);
}

static void a_patch_may_be_kept_to_some_names(void **state) /* T-SEL-7 */
{
    (void)state;
    static const struct str allowed[] = { { "m", 1 } };
    static const struct said said[] = { { "<PICK><SID0001><INP>{\"n\":2,\"m\":3}</INP><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.menu.run.patch = (struct patch_rules){ allowed, 1, true };
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    assert_good(&w);
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-0 {\"n\":1,\"m\":3};"
                                     "AID.TEST.PUT.v1 {};");
    assert_non_null(strstr(w.f.logged, "\"dropped\":[\"n\"]"));
    close_world(&w);
}

static void control_modes_say_whose_choice_counts(void **state) /* T-MODE-1 */
{
    (void)state;
    static const struct {
        enum control_mode mode;
        const char *says, *picked;
        size_t asked;
    } cases[] = { { CONTROL_FALLBACK_ONLY, "<PICK><SID0002><END>", "AID.A.v1", 0 },
                  { CONTROL_SHADOW_POLICY, "<PICK><SID0002><END>", "AID.A.v1", 1 },
                  { CONTROL_BLENDED, "<PICK><SID0002><END>", "AID.B.v1", 1 },
                  { CONTROL_POLICY_ONLY, "<PICK><SID0002><END>", "AID.B.v1", 1 },
                  { CONTROL_POLICY_ONLY, "rubbish", "AID.A.v1", 1 } };
    for (size_t i = 0; i < 5; i++) {
        struct world w;
        struct said said[] = { { cases[i].says, POLICY_EXITED } };
        open_world(&w);
        use_said(&w, said);
        w.menu.mode = cases[i].mode;
        w.menu.run.goal.calls = 1;
        make_menu_tool(&w, "t", "{}");
        invoke(&w, CALL);
        assert_good(&w);
        assert_true(str_is(at(&w.f, "/result/calls/0/aid")->string, cases[i].picked));
        assert_int_equal(w.turn, cases[i].asked);
        close_world(&w);
    }
}

/* ---- budgets and failures ---------------------------------------------------------------------
 */

static void too_many_steps_end_it(void **state) /* T-BUD-1, T-BUD-5 */
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><INP>{\"n\":1}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"n\":2}</INP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.menu.run.max_steps = 2;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_failed(&w, "unavailable");
    assert_non_null(strstr(w.f.message, "max_steps after 2 calls: a_it, a_it"));
    assert_text(&w.f, "/completed_steps", "[\"a\"]");
    close_world(&w);
}

static void inputs_that_do_not_fit_are_an_invalid_pick(void **state)
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><INP>{\"n\":\"x\"}</INP><END>", 0 },
                                        { "<PICK><SID0001><INP>{\"m\":5}</INP><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    struct world w;
    struct schema_issues issues;
    open_world(&w);
    use_said(&w, said);
    struct json text = parse(&w.f, "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":"
                                   "\"integer\"}}}");
    mgi_schema_issues_init(&issues, &w.f.arena, 1);
    struct schema *schema = mgi_schema_compile(&text, 0, &issues);
    things[A].input_schema = schema;
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    assert_good(&w);
    /* What the misfit had set is taken back; the next pick starts from what was before. */
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-1 {\"n\":1,\"m\":5};"
                                     "AID.TEST.PUT.v1 {};");
    assert_text(&w.f, "/result/invalid_picks", "1");
    assert_text(&w.f, "/result/calls/0", "{\"aid\":\"AID.A.v1\",\"status\":\"INVALID_PICK\"}");
    things[A].input_schema = NULL;
    mgi_schema_free(schema);
    close_world(&w);
}

/* Undoing needs them, so they stay: also those of picks that were refused. */
static void inputs_of_all_picks_have_a_limit(void **state)
{
    (void)state;
    static const struct str go_on[] = { { "AID.A.v1", 8 } };
    for (int misfit = 0; misfit < 2; misfit++) {
        struct world w;
        struct said said[40];
        char words[40][64];
        struct buf inputs = { 0 };
        struct schema_issues issues;
        open_world(&w);
        for (int i = 0; i < 40; i++) {
            snprintf(words[i], sizeof words[i], "<PICK><SID0001><INP>{\"n\":%d}</INP><END>", i);
            said[i] = (struct said){ words[i], POLICY_EXITED };
        }
        use_said(&w, said);
        w.menu.run.max_steps = 40;
        w.menu.run.max_invalid = 40;
        w.menu.run.go_on_after = go_on;
        w.menu.run.go_on_count = 1;
        mgi_buf_puts(&inputs, "{\"list\":[0");
        for (int i = 0; i < 100000; i++)
            mgi_buf_puts(&inputs, ",0"); /* a small text, and many values */
        mgi_buf_puts(&inputs, "]}");
        mgi_buf_putc(&inputs, '\0');
        make_menu_tool(&w, "t", inputs.ptr);
        struct json text = parse(&w.f, "{\"required\":[\"none\"]}");
        mgi_schema_issues_init(&issues, &w.f.arena, 1);
        struct schema *schema = mgi_schema_compile(&text, 0, &issues);
        things[A].input_schema = misfit ? schema : NULL;
        invoke(&w, CALL);
        assert_failed(&w, "tool_error");
        assert_non_null(strstr(w.f.logged, "inputs of what was picked are too large together"));
        assert_in_range(w.turn, 2, 39);
        things[A].input_schema = NULL;
        mgi_schema_free(schema);
        mgi_buf_fini(&inputs);
        close_world(&w);
    }
}

static void an_action_that_fails_ends_it(void **state) /* T-BUD-4 */
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><END>", 0 },
                                        { "<PICK><SID0002><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.fails = "AID.B.v1";
    w.outcome = TOOL_ERROR;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_failed(&w, "tool_error");
    assert_null(strstr(w.f.payload, "/secret")); /* what an action says of itself is logged */
    assert_non_null(strstr(w.f.logged, "/secret"));
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-0 {};AID.B.v1-1 {};");
    close_world(&w);
}

static void it_may_go_on_after_some_failures(void **state) /* T-BUD-4 */
{
    (void)state;
    static const struct str after[] = { { "AID.B.v1", 8 } };
    static const struct said said[] = { { "<PICK><SID0002><INP>{\"n\":2}</INP><END>", 0 },
                                        { "<PICK><SID0001><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.fails = "AID.B.v1";
    w.outcome = TOOL_TIMEOUT;
    w.unsure = true;
    w.menu.run.go_on_after = after;
    w.menu.run.go_on_count = 1;
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    assert_good(&w);
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.B.v1-0 {\"n\":2};"
                                     "AID.A.v1-1 {\"n\":1};AID.TEST.PUT.v1 {};");
    assert_text(&w.f, "/result/calls/0", "{\"aid\":\"AID.B.v1\",\"status\":\"TOOL_ERROR\"}");
    close_world(&w);
}

static void on_failure_counts_for_a_menu(void **state)
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><END>", 0 } };
    for (int i = 0; i < 2; i++) {
        struct world w;
        open_world(&w);
        use_said(&w, said);
        w.fails = "AID.A.v1";
        w.outcome = TOOL_CRASH;
        struct tool *t = make_menu_tool(&w, "t", "{}");
        t->steps[1].on_failure = i == 0 ? ON_FAILURE_CONTINUE : ON_FAILURE_SKIP;
        t->result.optional = true;
        t->result = (struct value_source){ .kind = SOURCE_OBJECT };
        invoke(&w, CALL);
        assert_good(&w);
        assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-0 {};AID.TEST.PUT.v1 {};");
        assert_text(&w.f, "/observability/events/1/status", "\"failure\"");
        close_world(&w);
    }
}

static void an_action_that_refuses_its_pick_may_be_picked_again(void **state) /* T-RSP-8 */
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><END>", 0 },
                                        { "<PICK><SID0002><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.fails = "AID.A.v1";
    w.outcome = TOOL_INVALID_PICK;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_good(&w);
    assert_text(&w.f, "/result/invalid_picks", "1");
    close_world(&w);
}

static void a_policy_that_fails_is_replaced(void **state) /* T-POL-6 */
{
    (void)state;
    static const struct said said[] = { { "", POLICY_TIMED_OUT },
                                        { "<PICK><SID0099><END>", POLICY_EXITED },
                                        { "<NOOP><END>", POLICY_EXITED } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.journal = (struct run_journal){ .self = &w,
                                      .run_begins = begin_run,
                                      .step_begins = begin_step,
                                      .picks = take_picks,
                                      .step_ends = end_step,
                                      .run_ends = end_run_of };
    w.f.journal = &w.journal;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_good(&w);
    mgi_buf_putc(&w.written, '\0');
    assert_string_equal(
        w.written.ptr,
        "1.1 fallback POLICY_ONLY PICK SID0001 AID.A.v1 [policy_failure] no answer within 1 ms "
        "<PICK><SID0001><END>;"
        "1.2 fallback POLICY_ONLY PICK SID0001 AID.A.v1 [policy_failure] SID0099 is not in the "
        "menu "
        "<PICK><SID0001><END>;"
        "1.3 policy POLICY_ONLY NOOP   <NOOP><END>;1.3   END   noop;over 0;");
    close_world(&w);
}

static void inputs_are_in_no_journal(void **state) /* T-AUD-6 */
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><INP>{\"key\":\"hush\"}</INP><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.journal = (struct run_journal){ .self = &w,
                                      .run_begins = begin_run,
                                      .step_begins = begin_step,
                                      .picks = take_picks,
                                      .step_ends = end_step,
                                      .run_ends = end_run_of };
    w.f.journal = &w.journal;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_good(&w);
    mgi_buf_putc(&w.written, '\0');
    assert_null(strstr(w.written.ptr, "hush"));
    assert_non_null(strstr(w.written.ptr, "<PICK><SID0001><INP>...</INP><END>"));
    close_world(&w);
}

/* ---- the working state ------------------------------------------------------------------------
 */

static void calls_see_what_calls_before_have_changed(void **state)
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><END>", 0 },
                                        { "<PICK><SID0003><END>", 0 }, /* of another provider */
                                        { "<PICK><SID0001><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    for (uint32_t hosts = 1; hosts <= 4;
         hosts += 3) { /* a session is kept, or has to be given up */
        struct world w;
        open_world(&w);
        w.f.pool->hosts = hosts;
        use_said(&w, said);
        w.slot_of = "AID.A.v1";
        w.tells_state = true;
        make_menu_tool(&w, "t", "{}");
        invoke(&w, CALL);
        assert_good(&w);
        /* The second A finds what the first one has left there, C nothing of it; a step behind the
         * menu finds what the last one has left. */
        assert_string_equal(w.calls.ptr,
                            "AID.TEST.ECHO.v1 {};AID.A.v1-0 {};AID.C.v1-1 {};"
                            "AID.A.v1-2 {};3={\"saw\":0};AID.TEST.PUT.v1 {};3={\"saw\":9};");
        close_world(&w);
    }
}

/* ---- consent -------------------------------------------------------------------------------- */

static struct str token_for(struct world *w)
{
    return at(&w->f, "/challenge")->string;
}

/* The call again, with a token. */
static void invoke_with(struct world *w, struct str token)
{
    char *payload = mgi_arena_printf(&w->f.arena,
                                     "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},"
                                     "\"confirmation_token\":\"%.*s\"}",
                                     STR_ARG(token));
    invoke(w, payload);
}

static const struct said asks_twice[] = { { "<PICK><SID0001><END>", 0 },
                                          { "<ASK_SUP><END>", 0 },
                                          { "<ASK_SUP><END>", 0 },
                                          { "<NOOP><END>", 0 } };

static void ask_sup_becomes_consent(void **state) /* T-BUD-3, T-MCP-6 */
{
    (void)state;
    struct world w;
    open_world(&w);
    use_said(&w, asks_twice);
    w.menu.run.question = STR_LIT("Again?");
    w.f.approve = true;
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-0 {\"n\":1};");
    assert_int_equal(w.f.pool->out, 0); /* no host is kept meanwhile */
    assert_text(&w.f, "/show/question", "\"Again?\"");
    assert_text(&w.f, "/show/action", "\"a_it\"");
    assert_text(&w.f, "/show/inputs", "{\"n\":1}");
    assert_text(&w.f, "/show/step", "\"next\"");
    assert_text(&w.f, "/completed_steps", "[\"a\"]");
    assert_non_null(strstr(w.f.shown, "\"question\":\"Again?\""));
    struct str first = mgi_arena_str(&w.f.arena, token_for(&w));

    invoke_with(&w, first); /* what has run is not run again */
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
    assert_string_equal(w.calls.ptr, "AID.A.v1-1 {\"n\":1};");
    struct str second = mgi_arena_str(&w.f.arena, token_for(&w));
    assert_false(str_eq(first, second));

    invoke_with(&w, first); /* it answers one question */
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&w.f, "/reason", "\"mismatch\"");
    assert_int_equal(w.calls.len, 1);

    invoke_with(&w, second);
    assert_good(&w);
    assert_string_equal(w.calls.ptr, "AID.A.v1-2 {\"n\":1};AID.TEST.PUT.v1 {};");
    assert_text(&w.f, "/result/calls/2/aid", "\"AID.A.v1\"");
    assert_text(&w.f, "/observability/summary", "\"Ran 3 of 3 actions of t.\"");
    close_world(&w);
}

static void consent_is_for_this_call(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    use_said(&w, asks_twice);
    w.f.approve = true;
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
    const char *token = mgi_arena_printf(&w.f.arena, "%.*s", STR_ARG(token_for(&w)));
    invoke(&w, mgi_arena_printf(&w.f.arena,
                                "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"c\"},"
                                "\"confirmation_token\":\"%s\"}",
                                token));
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_INVALID); /* other arguments */
    w.f.approve = false;
    invoke_with(&w, str_of(token));
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_INVALID); /* nobody approved */
    invoke_with(&w, STR_LIT("v1.1.x.y"));
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_INVALID);
    assert_int_equal(w.calls.len, 1);
    /* Signed with the caller's key it is as good. */
    w.f.who.confirm_key = STR_LIT(KEY);
    invoke_with(&w, mgi_confirmation_sign(&w.f.arena, str_of(token), w.f.who.confirm_key));
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
    assert_string_equal(w.calls.ptr, "AID.A.v1-1 {\"n\":1};");
    close_world(&w);
}

static void an_answer_to_what_is_gone_begins_nothing(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    use_said(&w, asks_twice);
    w.f.approve = true;
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    const char *token = mgi_arena_printf(&w.f.arena, "%.*s", STR_ARG(token_for(&w)));
    forget_asking(&w.f); /* as a server that was started anew */
    invoke_with(&w, str_of(token));
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&w.f, "/reason", "\"expired\"");
    assert_int_equal(w.calls.len, 1);
    close_world(&w);
}

static void nobody_agreeing_fails_the_step(void **state)
{
    (void)state;
    for (int transaction = 0; transaction < 2; transaction++) {
        struct world w;
        open_world(&w);
        use_said(&w, asks_twice);
        struct tool *t = make_menu_tool(&w, "t", "{\"n\":1}");
        things[A].tier = 1;
        t->transaction = transaction;
        invoke(&w, CALL);
        assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
        w.f.running = w.f.asking;
        w.f.asking = NULL;
        w.f.done = false;
        mgi_buf_clear(&w.calls);
        if (mgi_invocation_go_on(w.f.running, "timeout", on_ran))
            on_ran(&w.f);
        drive(&w);
        assert_failed(&w, "timeout");
        assert_int_equal(w.calls.len, 0);
        assert_non_null(strstr(w.f.message, "nobody agreed to what it asks"));
        assert_non_null(strstr(w.f.logged, "nobody agreed to what it asks"));
        if (transaction)
            assert_text(&w.f, "/not_compensated",
                        "[{\"action\":\"a_it\",\"item\":0,\"reason\":\"no_compensation\","
                        "\"step\":\"next\"}]");
        things[A].tier = 0;
        close_world(&w);
    }
}

static void a_question_without_a_proposal_ends_it_in_order(void **state) /* T-BUD-3, C-230 */
{
    (void)state;
    static const struct said said[] = { { "<ASK_SUP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.menu.by_rules = true; /* which derive nothing for this tool */
    w.menu.run.question = STR_LIT("Which one?");
    struct tool *t = make_menu_tool(&w, "t", "{}");
    t->steps[2].action = &things[A];
    w.tells_state = true;
    invoke(&w, CALL);
    assert_good(&w);
    assert_text(&w.f, "/result/reason", "\"ask_sup\"");
    assert_text(&w.f, "/result/question", "\"Which one?\"");
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1 {};"
                                     "1={\"type\":\"question\",\"provenance\":\"AID.ASK_SUP.v1\","
                                     "\"content_json\":\"{\\\"question\\\":\\\"Which one?\\\"}\","
                                     "\"size_bytes\":25};");
    close_world(&w);
}

static void rules_ask_before_they_pick(void **state)
{
    (void)state;
    struct world w;
    open_world(&w);
    w.menu.by_rules = true;
    w.f.approve = true;
    make_menu_tool(&w, "stops", "{}");
    invoke(&w, CALL);
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
    assert_text(&w.f, "/show/question", "\"Sure?\"");
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};AID.A.v1-0 {};");
    invoke_with(&w, token_for(&w));
    assert_good(&w);
    assert_text(&w.f, "/result/steps", "4");
    close_world(&w);
}

static void steps_beside_it_wait_while_it_asks(void **state)
{
    (void)state;
    static const struct said said[] = { { "<ASK_SUP><END>", 0 }, { "<NOOP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.f.approve = true;
    w.f.snapshot->settings.hosts = 4;
    struct tool *t = make_menu_tool(&w, "t", "{}");
    for (int i = 0; i < 3; i++)
        t->steps[i].has_needs = true; /* nobody needs anybody */
    static const uint32_t first[] = { 0 };
    t->steps[2].needs = first;
    t->steps[2].need_count = 1;
    invoke(&w, CALL);
    assert_int_equal(w.f.code, WIRE_CONFIRMATION_REQUIRED);
    assert_null(strstr(w.calls.ptr, "AID.TEST.PUT.v1")); /* it would have been ready */
    invoke_with(&w, token_for(&w));
    assert_good(&w);
    assert_non_null(strstr(w.calls.ptr, "AID.TEST.PUT.v1"));
    assert_non_null(strstr(w.calls.ptr, "AID.A.v1-0"));
    close_world(&w);
}

/* ---- compensation -----------------------------------------------------------------------------
 */

static void what_it_ran_is_undone_in_reverse(void **state)
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0002><INP>{\"n\":2}</INP><END>", 0 },
                                        { "<PICK><SID0003><END>", 0 },
                                        { "<PICK><SID0002><INP>{\"n\":3}</INP><END>", 0 },
                                        { "<NOOP><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.out = "{\"id\":7}";
    w.fails = "AID.TEST.PUT.v1";
    w.outcome = TOOL_ERROR;
    struct source_member *m = mgi_arena_calloc(&w.f.arena, 3, sizeof *m);
    m[0] =
        (struct source_member){ STR_LIT("n"), { .kind = SOURCE_ITEM, .pointer = STR_LIT("/n") } };
    m[1] = (struct source_member){ STR_LIT("id"),
                                   { .kind = SOURCE_STEP, .step = 1, .pointer = STR_LIT("/id") } };
    m[2] = (struct source_member){ STR_LIT("at"), { .kind = SOURCE_INDEX } };
    w.options[B].undo.action = &things[UNDO];
    w.options[B].undo.inputs =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = m, .member_count = 3 };
    struct tool *t = make_menu_tool(&w, "t", "{\"n\":1}");
    t->transaction = true;
    invoke(&w, CALL);
    assert_failed(&w, "tool_error");
    assert_string_equal(w.calls.ptr,
                        "AID.TEST.ECHO.v1 {};AID.B.v1-0 {\"n\":2};AID.C.v1-1 {\"n\":2};"
                        "AID.B.v1-2 {\"n\":3};AID.TEST.PUT.v1 {};"
                        "AID.UNDO.v1-2-undo {\"n\":3,\"id\":7,\"at\":2};"
                        "AID.UNDO.v1-0-undo {\"n\":2,\"id\":7,\"at\":0};");
    assert_text(&w.f, "/not_compensated",
                "[{\"action\":\"c_it\",\"item\":1,\"reason\":\"no_compensation\","
                "\"step\":\"next\"}]");
    assert_text(&w.f, "/compensated", "[]");
    close_world(&w);
}

/* ---- ends from outside ------------------------------------------------------------------------
 */

static void cancelling_ends_the_call(void **state)
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><END>", 0 } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.holds = "AID.A.v1";
    make_menu_tool(&w, "t", "{}");
    assert_true(start(&w.f, CALL));
    while (scripted_pool_step(w.f.pool, 0, 0))
        ;
    assert_false(w.f.done);
    mgi_invocation_cancel(w.f.running);
    drive(&w);
    assert_int_equal(w.f.code, WIRE_CANCELLED);
    assert_text(&w.f, "/completed_steps", "[\"a\"]");
    assert_text(&w.f, "/observability/events/1/status", "\"failure\"");
    assert_text(&w.f, "/observability/events/2/status", "\"skipped\"");
    close_world(&w);
}

static void a_menu_that_comes_first_begins_when_all_gates_are_passed(void **state)
{
    (void)state;
    static const struct said said[] = { { "<PICK><SID0001><END>", 0 }, { "<NOOP><END>", 0 } };
    static const uint32_t chosen[] = { 1, 2 };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    w.f.chosen = chosen;
    w.f.chosen_count = 2;
    make_menu_tool(&w, "t", "{}");
    w.f.waited_ns = INT64_MAX / 4; /* judged again, it is too late */
    w.f.who.expires_ns = NOW + 1;
    invoke(&w, CALL);
    assert_int_equal(w.f.code, WIRE_AUTH_INVALID);
    assert_int_equal(w.turn, 0); /* nobody was asked for a pick */
    w.f.waited_ns = 0;
    invoke(&w, CALL);
    assert_good(&w);
    assert_string_equal(w.calls.ptr, "AID.A.v1-0 {};AID.TEST.PUT.v1 {};");
    close_world(&w);
}

static void a_dry_run_tells_what_there_is_to_pick(void **state)
{
    (void)state;
    static const struct said said[] = { { "<NOOP><END>", 0 } };
    static const struct str effects[2][1] = { { { "filesystem", 10 } }, { { "none", 4 } } };
    struct world w;
    open_world(&w);
    use_said(&w, said);
    for (int i = 0; i < 3; i++) {
        things[i].effects = effects[i == A];
        things[i].effect_count = 1;
    }
    w.options[B].undo.action = &things[UNDO];
    w.f.dry_run = true;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_int_equal(w.f.code, WIRE_OK);
    assert_int_equal(w.turn, 0);
    assert_text(&w.f, "/steps/1/action", "\"next\"");
    assert_text(&w.f, "/steps/1/side_effects", "[\"filesystem\"]");
    assert_text(&w.f, "/steps/1/menu/select", "\"policy\"");
    assert_text(&w.f, "/steps/1/menu/mode", "\"POLICY_ONLY\"");
    assert_text(&w.f, "/steps/1/menu/steps", "8");
    assert_text(&w.f, "/steps/1/menu/actions/0",
                "{\"action\":\"a_it\",\"side_effects\":[\"none\"]}");
    assert_text(&w.f, "/steps/1/menu/actions/1/compensation/action", "\"undo_it\"");
    for (int i = 0; i < 3; i++)
        things[i].effect_count = 0;
    close_world(&w);
}

/* ---- policies that are programs -----------------------------------------------------------------
 */

struct programs {
    struct scratch scratch; /* its loop is not used */
    struct domain_policy policy;
    struct policy *policies[1];
};

static void use_program(struct world *w, struct programs *p, const char *text, const char *setting)
{
    const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/pick", setting, NULL };
    memset(p, 0, sizeof *p);
    scratch_begin(&p->scratch);
    script(&p->scratch, "pick", text);
    settings(&p->scratch, env);
    p->policy.settings = p->scratch.settings;
    p->policies[0] = mgi_policy_new(&w->f.loop, &p->policy.settings, &w->f.log);
    assert_non_null(p->policies[0]);
    w->f.snapshot->policies = &p->policy;
    w->f.snapshot->policy_count = 1;
    w->menu.policy = &p->policy;
    w->menu.mode = CONTROL_POLICY_ONLY;
    w->pickers.policies = p->policies;
}

static void end_programs(struct world *w, struct programs *p)
{
    uv_run(&w->f.loop, UV_RUN_DEFAULT);
    mgi_policy_free(p->policies[0]);
    w->f.snapshot->policies = NULL;
    assert_nothing_left(&p->scratch);
    scratch_end(&p->scratch);
}

static void a_program_sees_what_was_returned(void **state) /* T-POL-1 */
{
    (void)state;
    struct world w;
    struct programs p;
    open_world(&w);
    use_program(&w, &p,
                "cat \"$1\" >> seen; echo >> seen\n"
                "if grep -q '\"calls\":\\[\\]' \"$1\"; then\n"
                "  echo '<PICK><SID0001><INP>{\"n\":2}</INP><END>'\n"
                "elif grep -q '\"n\":2,\"_meta\":{\"turn\":2,\"calls\":\\[{\"aid\":\"AID.A.v1\","
                "\"status\":\"OK\",\"output\":{\"id\":7}}\\]}' \"$1\"; then echo '<NOOP><END>'\n"
                "else echo '<ASK_SUP><END>'; fi\n",
                NULL);
    w.out = "{\"id\":7}";
    make_menu_tool(&w, "t", "{\"n\":1}");
    invoke(&w, CALL);
    assert_good(&w);
    assert_string_equal(w.calls.ptr,
                        "AID.TEST.ECHO.v1 {};AID.A.v1-0 {\"n\":2};AID.TEST.PUT.v1 {};");
    end_programs(&w, &p);
    close_world(&w);
}

static void a_hanging_program_has_its_time_and_no_more(void **state) /* T-POL-3, C-229 */
{
    (void)state;
    struct world w;
    struct programs p;
    open_world(&w);
    use_program(&w, &p, "sleep 30 & sleep 30\n", "MACHINA_POLICY_TIMEOUT_MS=100");
    w.menu.run.goal.calls = 1;
    make_menu_tool(&w, "t", "{}");
    invoke(&w, CALL);
    assert_good(&w);
    assert_non_null(strstr(w.f.logged, "no answer within 100 ms"));
    assert_text(&w.f, "/result/calls/0/aid", "\"AID.A.v1\"");
    end_programs(&w, &p);
    close_world(&w);
}

static void a_program_has_no_more_time_than_the_invocation(void **state) /* T-MCP-28 */
{
    (void)state;
    struct world w;
    struct programs p;
    open_world(&w);
    w.f.snapshot->settings.invocation_timeout_ms = 600;
    use_program(&w, &p, "sleep 30\n", "MACHINA_POLICY_TIMEOUT_MS=60000");
    make_menu_tool(&w, "t", "{}");
    int64_t begun = (int64_t)uv_hrtime();
    invoke(&w, CALL);
    assert_failed(&w, "timeout");
    assert_true(((int64_t)uv_hrtime() - begun) / NS_PER_MS < 20000);
    assert_string_equal(w.calls.ptr, "AID.TEST.ECHO.v1 {};");
    end_programs(&w, &p);
    close_world(&w);
}

static void cancelling_ends_a_program(void **state)
{
    (void)state;
    struct world w;
    struct programs p;
    open_world(&w);
    use_program(&w, &p, "sleep 30\n", "MACHINA_POLICY_TIMEOUT_MS=60000");
    make_menu_tool(&w, "t", "{}");
    assert_true(start(&w.f, CALL));
    while (scripted_pool_step(w.f.pool, 0, 0))
        ;
    uv_run(&w.f.loop, UV_RUN_NOWAIT);
    assert_false(w.f.done);
    mgi_invocation_cancel(w.f.running);
    drive(&w);
    assert_int_equal(w.f.code, WIRE_CANCELLED);
    assert_text(&w.f, "/observability/events/1/status", "\"skipped\"");
    struct policy_stats stats;
    mgi_policy_stats(p.policies[0], &stats);
    assert_int_equal(stats.failed, 0);
    end_programs(&w, &p);
    close_world(&w);
}

static void hostile_programs_are_replaced_and_switched_off(void **state) /* T-POL-6, T-POL-7 */
{
    (void)state;
    static const char *const texts[] = { "kill -9 $$\n", "yes | head -c 200000\n",
                                         "echo '<PICK><SID0001><END> gladly'\n", "exit 3\n" };
    for (size_t i = 0; i < 4; i++) {
        struct world w;
        struct programs p;
        struct policy_stats stats;
        open_world(&w);
        use_program(&w, &p, texts[i], "MACHINA_POLICY_FAIL_THRESHOLD=2");
        w.out = "{}";
        w.slot_of = "AID.A.v1";
        w.menu.run.goal.calls = 3;
        make_menu_tool(&w, "t", "{}");
        invoke(&w, CALL);
        assert_good(&w);
        assert_text(&w.f, "/result/steps", "3");
        mgi_policy_stats(p.policies[0], &stats);
        assert_int_equal(stats.failed, 2);
        assert_int_equal(stats.refused, 1); /* the third time it was not started */
        assert_true(stats.open);
        end_programs(&w, &p);
        close_world(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_pick_by_priority_and_see_what_has_happened),
        cmocka_unit_test(rules_that_derive_nothing_are_noop),
        cmocka_unit_test(rules_that_contradict_themselves_are_invalid),
        cmocka_unit_test(rules_that_fail_end_the_step),
        cmocka_unit_test(the_heuristic_picks_until_it_goes_round),
        cmocka_unit_test(who_gets_on_is_not_taken_for_going_round),
        cmocka_unit_test(a_policy_picks_patches_and_ends),
        cmocka_unit_test(a_patch_may_be_kept_to_some_names),
        cmocka_unit_test(control_modes_say_whose_choice_counts),
        cmocka_unit_test(too_many_steps_end_it),
        cmocka_unit_test(inputs_that_do_not_fit_are_an_invalid_pick),
        cmocka_unit_test(inputs_of_all_picks_have_a_limit),
        cmocka_unit_test(an_action_that_fails_ends_it),
        cmocka_unit_test(it_may_go_on_after_some_failures),
        cmocka_unit_test(on_failure_counts_for_a_menu),
        cmocka_unit_test(an_action_that_refuses_its_pick_may_be_picked_again),
        cmocka_unit_test(a_policy_that_fails_is_replaced),
        cmocka_unit_test(inputs_are_in_no_journal),
        cmocka_unit_test(calls_see_what_calls_before_have_changed),
        cmocka_unit_test(ask_sup_becomes_consent),
        cmocka_unit_test(consent_is_for_this_call),
        cmocka_unit_test(an_answer_to_what_is_gone_begins_nothing),
        cmocka_unit_test(nobody_agreeing_fails_the_step),
        cmocka_unit_test(a_question_without_a_proposal_ends_it_in_order),
        cmocka_unit_test(rules_ask_before_they_pick),
        cmocka_unit_test(steps_beside_it_wait_while_it_asks),
        cmocka_unit_test(what_it_ran_is_undone_in_reverse),
        cmocka_unit_test(cancelling_ends_the_call),
        cmocka_unit_test(a_menu_that_comes_first_begins_when_all_gates_are_passed),
        cmocka_unit_test(a_dry_run_tells_what_there_is_to_pick),
        cmocka_unit_test(a_program_sees_what_was_returned),
        cmocka_unit_test(a_hanging_program_has_its_time_and_no_more),
        cmocka_unit_test(a_program_has_no_more_time_than_the_invocation),
        cmocka_unit_test(cancelling_ends_a_program),
        cmocka_unit_test(hostile_programs_are_replaced_and_switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
