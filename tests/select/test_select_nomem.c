/* Every allocation of selection fails once: the right status, no half result, nothing left behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "select/menu_step.h"
#include "select/policy_command.h"
#include "select/run_log.h"
#include "scripts.h"
#include "support/nomem.h"

static struct scratch scratch;
static struct arena kept; /* made without failures */

/* Call `attempt` until an attempt has no failure. It says whether it was told that memory is short,
 * and must say so if, and only if, the failure mattered. */
static void each_failure(bool (*attempt)(struct arena *arena))
{
    size_t failed = 0;
    for (size_t n = 1;; n++) {
        struct arena arena;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool done = attempt(&arena);
        bool had = nomem_failed();
        nomem_fail_at(0);
        mgi_arena_fini(&arena);
        if (!had) {
            assert_true(done);
            break;
        }
        failed += !done;
        assert_true(n < 10000);
    }
    assert_true(failed > 0);
}

static const struct menu_action *some_actions(void)
{
    static struct str tags[2];
    static struct menu_action actions[2];
    tags[0] = STR_LIT("tag.meta");
    tags[1] = STR_LIT("tag.fs");
    actions[0] = (struct menu_action){ STR_LIT("AID.B.v1"), STR_LIT("b"), tags, 2 };
    actions[1] = (struct menu_action){ STR_LIT("AID.A.v1"), STR_LIT("a"), tags, 1 };
    return actions;
}

static bool builds_a_menu(struct arena *arena)
{
    struct menu menu;
    enum menu_status status = mgi_menu_build(arena, some_actions(), 2, NULL, &menu);
    assert_true(status == MENU_OK || status == MENU_NOMEM);
    return status == MENU_OK;
}

static bool parses(struct arena *arena, const char *text, enum selection_kind kind)
{
    struct selection s = { .sid = 4711 };
    bool done = mgi_selection_parse(arena, str_of(text), &s);
    if (done)
        assert_int_equal(s.kind, kind);
    else
        assert_int_equal(s.sid, 4711); /* untouched */
    return done;
}

static bool parses_selections(struct arena *arena)
{
    return parses(arena, "<PICK><SID0001><INP>{\"a\":\"b\\n\"}</INP><END>", SELECTION_PICK) &&
           parses(arena, "<PICK><SID0001><INP64>eyJhIjoiYlxuIn0=</INP64><END>", SELECTION_PICK);
}

static bool parses_faults(struct arena *arena)
{
    return parses(arena, "hello", SELECTION_INVALID) &&
           parses(arena, "<PICK><SID1><END>", SELECTION_INVALID) &&
           parses(arena, "<PICK><SID0001><INP>{</INP><END>", SELECTION_INVALID) &&
           parses(arena, "<PICK><SID0001><INP>{}<END>", SELECTION_INVALID) &&
           parses(arena, "<PICK><SID0001><INP64>!</INP64><END>", SELECTION_INVALID);
}

static bool makes_selections(struct arena *arena)
{
    const struct menu_entry e = { .sid = 3 };
    struct selection s;
    return mgi_selection_make(arena, &e, STR_LIT("{\"a\":\"</INP>\"}"), &s) &&
           mgi_selection_make(arena, NULL, (struct str){ 0 }, &s);
}

static bool patches(struct arena *arena)
{
    struct json inputs, patch;
    struct patched p;
    const struct patch_rules all = { 0 };
    nomem_fail_at(0);
    mgi_json_parse(&kept, STR_LIT("{\"a\":1,\"b\":{\"c\":\"\\n\"}}"), NULL, &inputs, NULL);
    mgi_json_parse(&kept, STR_LIT("{\"a\":2,\"_meta\":1,\"d\":[]}"), NULL, &patch, NULL);
    static size_t n; /* the preparation must not be what fails */
    nomem_fail_at(++n);
    enum patch_status status = mgi_inputs_patch(arena, &inputs, &patch, &all, &p);
    assert_true(status == PATCH_OK || status == PATCH_NOMEM);
    return status == PATCH_OK;
}

static bool reads_settings(struct arena *arena)
{
    static const char *const env[] = { "MACHINA_POLICY_CMD=sh 'policies/x' y", "PATH=/bin",
                                       "MACHINA_POLICY_ALLOWED_EXE=a,b", NULL };
    struct policy_settings s;
    struct buf problems = { 0 };
    bool done = mgi_policy_settings_read(arena, (char *const *)(uintptr_t)env, "/", &s, &problems);
    assert_int_equal(problems.len, 0); /* memory is nobody's fault */
    mgi_buf_fini(&problems);
    return done;
}

static bool checks_a_command(struct arena *arena)
{
    struct policy_program program;
    const char *why;
    enum policy_verdict verdict = mgi_policy_check(arena, &scratch.settings, &program, &why);
    assert_true(verdict == POLICY_MAY_RUN || verdict == POLICY_CHECK_NOMEM);
    return verdict == POLICY_MAY_RUN;
}

static bool judges_answers(struct arena *arena)
{
    const struct policy_answer rows[] = {
        { POLICY_EXITED, 0, STR_LIT("<NOOP><END>"), { 0 } },
        { POLICY_EXITED, 2, STR_LIT("x"), STR_LIT("oh \x01 dear") },
        { POLICY_EXITED, 0, STR_LIT("x"), STR_LIT("oh dear") },
        { POLICY_EXITED, 0, STR_LIT("<PICK><SID0001><END>"), { 0 } },
        { POLICY_TIMED_OUT, 2, STR_LIT(""), { 0 } },
    };
    const struct menu empty = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct selection s, out;
        const char *failure = NULL;
        if (!mgi_policy_judge(arena, &empty, &rows[i], &s, &failure))
            return false;
        assert_int_equal(failure != NULL, i > 0);
        if (failure && !mgi_policy_replace(arena, failure, &s, &out))
            return false;
    }
    return true;
}

static bool logs_a_line(struct arena *arena)
{
    struct run_log log;
    struct buf out = { 0 };
    const struct select_event e = { 1, "noop", STR_LIT("{}") };
    (void)arena;
    mgi_run_log_init(&log, STR_LIT("r"), STR_LIT("q"), NULL);
    bool done = mgi_run_log_line(&log, &out, &e, 0);
    assert_int_equal(log.prev[0] == '0' && log.prev[63] == '0' && log.prev[7] == '0', !done);
    mgi_buf_fini(&out);
    return done;
}

/* ---- a whole step --------------------------------------------------------------------------- */

static void hear(void *context, const struct select_event *e)
{
    (void)context;
    assert_true(e->payload.len >= 2 && e->payload.ptr[e->payload.len - 1] == '}');
}

static void on_ready(void *context)
{
    (void)context;
}

static bool walk(struct arena *arena, struct menu_step_options *options)
{
    struct json inputs = { .type = JSON_OBJECT };
    struct menu menu;
    if (mgi_menu_build(arena, some_actions(), 2, NULL, &menu) != MENU_OK)
        return false;
    options->menu = &menu;
    options->run.goal.id = STR_LIT("g");
    options->run.event = hear;
    options->ready = on_ready;
    struct menu_step *step = mgi_menu_step_new(arena, options, &inputs);
    if (!step)
        return false;
    const struct select_state state = { .digest = STR_LIT("d"), .meta = STR_LIT("{}") };
    const struct select_outcome good = { .status = SELECT_STATUS_OK, .output = STR_LIT("{}") };
    enum menu_step_next next;
    while ((next = mgi_menu_step_next(step, &state, 0)) != MENU_STEP_OVER) {
        if (next == MENU_STEP_NOMEM)
            break;
        if (next == MENU_STEP_WAIT)
            uv_run(&scratch.loop, UV_RUN_DEFAULT);
        else if (next == MENU_STEP_ASK)
            mgi_menu_step_agreed(step);
        else if (!mgi_menu_step_outcome(step, &good))
            break;
    }
    if (next == MENU_STEP_OVER) {
        struct buf out = { 0 };
        struct json_writer w;
        mgi_json_writer_init(&w, &out, 0);
        mgi_menu_step_write_result(step, &w, true);
        mgi_buf_fini(&out);
    }
    mgi_menu_step_free(step);
    return next == MENU_STEP_OVER;
}

static bool walks_by_heuristic(struct arena *arena)
{
    struct menu_step_options options = { 0 };
    return walk(arena, &options);
}

static enum menu_picking pick_and_ask(void *context, const struct menu_question *q,
                                      struct menu_said *out)
{
    static const struct menu_must_ask first = { .sid = 1 };
    (void)context;
    out->asks = &first;
    out->ask_count = 1;
    return mgi_selection_make(q->arena, mgi_menu_find(q->menu, 1), STR_LIT("{\"a\":1}"),
                              &out->selection)
               ? MENU_PICKED
               : MENU_PICKING_NOMEM;
}

static bool walks_by_rules_that_ask(struct arena *arena)
{
    struct menu_step_options options = { .pick = pick_and_ask };
    return walk(arena, &options);
}

static bool says_noop(void *context, const struct menu_question *q, struct policy_answer *out)
{
    (void)context;
    out->out = mgi_arena_str(q->arena, STR_LIT("<NOOP><END>"));
    return out->out.ptr != NULL;
}

static bool walks_by_what_is_played(struct arena *arena)
{
    struct menu_step_options options = { .say = says_noop, .mode = CONTROL_POLICY_ONLY };
    return walk(arena, &options);
}

static bool walks_by_policy(struct arena *arena)
{
    struct policy *policy = mgi_policy_new(&scratch.loop, &scratch.settings, NULL);
    struct menu_step_options options = { .policy = policy, .mode = CONTROL_POLICY_ONLY };
    bool done = policy && walk(arena, &options);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    mgi_policy_free(policy);
    return done;
}

/* ---- the tests ------------------------------------------------------------------------------ */

static void pure_parts_survive(void **state)
{
    (void)state;
    each_failure(builds_a_menu);
    each_failure(parses_selections);
    each_failure(parses_faults);
    each_failure(makes_selections);
    each_failure(patches);
    each_failure(reads_settings);
    each_failure(judges_answers);
    each_failure(logs_a_line);
}

static void a_step_by_heuristic_survives(void **state)
{
    (void)state;
    each_failure(walks_by_heuristic);
    each_failure(walks_by_rules_that_ask);
    each_failure(walks_by_what_is_played);
}

static void use_script(const char *text)
{
    static const char *const env[] = { "MACHINA_POLICY_CMD=sh policies/policy", NULL };
    script(&scratch, "policy", text);
    settings(&scratch, env);
}

static void a_step_by_policy_survives(void **state)
{
    (void)state;
    use_script("grep -q SID0002 $1 && echo '<PICK><SID0002><INP>{\"a\":1}</INP><END>'");
    each_failure(checks_a_command);
    each_failure(walks_by_policy);
}

static void a_question_survives(void **state)
{
    (void)state;
    use_script("echo '<ASK_SUP><END>'");
    each_failure(walks_by_policy);
}

static void a_failing_policy_survives(void **state)
{
    (void)state;
    use_script("echo oh >&2; exit 1");
    each_failure(walks_by_policy);
}

static int setup(void **state)
{
    (void)state;
    scratch_begin(&scratch);
    mgi_arena_init(&kept, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mgi_arena_fini(&kept);
    assert_nothing_left(&scratch);
    scratch_end(&scratch);
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(pure_parts_survive),  T(a_step_by_heuristic_survives), T(a_step_by_policy_survives),
        T(a_question_survives), T(a_failing_policy_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
