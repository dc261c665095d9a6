/* A menu as a step, with each selector, and the policy of a server below it (T-MODE-1, T-POL-4 to
 * T-POL-7, T-BUD-1 to T-BUD-4). The chain is played: an action is a function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "select/menu_step.h"
#include "scripts.h"

static struct scratch scratch;

/* What the chain would keep. */
struct chain {
    struct menu_step_options options;
    struct menu_step *step;
    struct policy *policy;
    unsigned state; /* counts successful calls, and is all of the working state */
    bool stuck;     /* actions change nothing */
    const char *fails;
    struct buf calls;  /* "AID inputs;" */
    struct buf events; /* "name payload\n" */
    int readies;
    bool over;
    const char *const *picks; /* of the rules, one after the other: an AID or "" */
    bool thinks;
    int agrees;       /* how often a person agrees to what is asked */
    struct buf asked; /* "question: AID inputs;" */
    struct str meta;
    const char *must_ask; /* rules ask before this one */
    struct buf chosen;    /* "by KIND;" */
};

static void note(void *context, const struct select_event *e)
{
    struct chain *c = context;
    mgi_buf_printf(&c->events, "%s %.*s\n", e->name, STR_ARG(e->payload));
}

static void go(struct chain *c)
{
    while (!c->over) {
        char digest[32];
        snprintf(digest, sizeof digest, "state %u", c->state);
        const struct select_state now = { .digest =
                                              str_of(mgi_arena_strdup(&scratch.arena, digest)),
                                          .meta = c->meta };
        enum menu_step_next next = mgi_menu_step_next(c->step, &now, 0);
        if (next == MENU_STEP_WAIT)
            return;
        if (next == MENU_STEP_ASK) {
            const struct menu_step_ask *ask = mgi_menu_step_ask(c->step);
            mgi_buf_printf(&c->asked, "%.*s: %.*s %.*s;", STR_ARG(ask->question), STR_ARG(ask->aid),
                           STR_ARG(ask->inputs->text));
            if (c->agrees-- <= 0)
                return;
            mgi_menu_step_agreed(c->step);
            continue;
        }
        c->over = next != MENU_STEP_CALL;
        if (c->over)
            return;
        const struct select_call *call = mgi_menu_step_call(c->step);
        mgi_buf_printf(&c->calls, "%.*s %.*s;", STR_ARG(call->aid), STR_ARG(call->inputs->text));
        bool fails = c->fails && str_is(call->aid, c->fails);
        const struct select_outcome outcome = {
            .status = fails ? SELECT_STATUS_TOOL_ERROR : SELECT_STATUS_OK,
            .output = fails ? STR_LIT("") : STR_LIT("{\"did\":true}"),
            .error = STR_LIT("boom"),
        };
        c->state += !fails && !c->stuck;
        assert_true(mgi_menu_step_outcome(c->step, &outcome));
    }
}

static void on_ready(void *context)
{
    struct chain *c = context;
    c->readies++;
    go(c);
}

static enum menu_picking pick_by_rules(void *context, const struct menu_question *q,
                                       struct menu_said *out)
{
    struct chain *c = context;
    if (c->thinks)
        return MENU_PICKING;
    const struct menu_entry *e = **c->picks ? mgi_menu_find_aid(q->menu, str_of(*c->picks)) : NULL;
    c->picks++;
    assert_true(mgi_selection_make(q->arena, e, (struct str){ 0 }, &out->selection));
    if (c->must_ask) {
        struct menu_must_ask *asks = mgi_arena_calloc(q->arena, 1, sizeof *asks);
        asks->sid = mgi_menu_find_aid(q->menu, str_of(c->must_ask))->sid;
        asks->question = STR_LIT("Sure?");
        out->asks = asks;
        out->ask_count = 1;
    }
    return MENU_PICKED;
}

static void note_chosen(void *context, const struct menu_chosen *chosen)
{
    static const char *const names[] = { "rules", "heuristic", "policy", "fallback" };
    struct chain *c = context;
    mgi_buf_printf(&c->chosen, "%u %s %s;", chosen->turn, names[chosen->by],
                   mgi_selection_kind_name(chosen->selection->kind));
}

static void begin_with(struct chain *c, const char *inputs)
{
    static struct str tags[2];
    static struct menu_action actions[3];
    static struct menu menu;
    struct json v;
    tags[0] = STR_LIT("tag.fs");
    tags[1] = STR_LIT("tag.shell");
    actions[0] = (struct menu_action){ STR_LIT("AID.A.v1"), STR_LIT("a"), tags, 1 };
    actions[1] = (struct menu_action){ STR_LIT("AID.B.v1"), STR_LIT("b"), tags + 1, 1 };
    actions[2] = (struct menu_action){ STR_LIT("AID.NOOP.v1"), STR_LIT("noop"), NULL, 0 };
    assert_int_equal(mgi_menu_build(&scratch.arena, actions, 3, NULL, &menu), MENU_OK);
    c->options.menu = &menu;
    c->options.chosen = note_chosen;
    c->options.run.event = note;
    c->options.run.context = c;
    c->options.run.goal.id = STR_LIT("goal.DEMO.v1");
    c->options.ready = on_ready;
    c->options.context = c;
    mgi_json_parse(&scratch.arena, str_of(inputs), NULL, &v, NULL);
    c->step = mgi_menu_step_new(&scratch.arena, &c->options, &v);
    assert_non_null(c->step);
}

static void begin(struct chain *c)
{
    begin_with(c, "{\"n\":1}");
}

/* A policy of that script, with up to two more settings. */
static void use_policy(struct chain *c, enum control_mode mode, const char *text,
                       const char *setting, const char *another)
{
    const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/policy",
                                setting ? setting : "MACHINA_X=", another, NULL };
    script(&scratch, "policy", text);
    settings(&scratch, env);
    c->policy = mgi_policy_new(&scratch.loop, &scratch.settings, NULL);
    assert_non_null(c->policy);
    c->options.policy = c->policy;
    c->options.mode = mode;
}

static void run_all(struct chain *c)
{
    begin(c);
    go(c);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_true(c->over);
    mgi_buf_putc(&c->events, '\0');
    mgi_buf_putc(&c->calls, '\0');
    mgi_buf_putc(&c->chosen, '\0');
}

static void assert_result(struct chain *c, const char *expected)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_menu_step_write_result(c->step, &w, true);
    assert_string_equal(out.ptr, expected);
    mgi_buf_fini(&out);
}

static void assert_end(struct chain *c, const char *reason)
{
    assert_string_equal(mgi_select_end_name(mgi_menu_step_end(c->step)), reason);
}

static void end(struct chain *c)
{
    mgi_menu_step_free(c->step);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    mgi_policy_free(c->policy);
    mgi_buf_fini(&c->calls);
    mgi_buf_fini(&c->events);
    mgi_buf_fini(&c->asked);
    mgi_buf_fini(&c->chosen);
}

/* How many lines a file of the scratch root has: a policy that counts its starts. */
static size_t starts(void)
{
    char line[64], path[128];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/starts", scratch.root);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        n++;
    if (f)
        fclose(f);
    return n;
}

/* ---- selectors ------------------------------------------------------------------------------ */

static void rules_pick_until_they_derive_nothing(void **state)
{
    (void)state;
    static const char *const picks[] = { "AID.B.v1", "AID.A.v1", "" };
    struct chain c = { .picks = picks };
    c.options.pick = pick_by_rules;
    run_all(&c);
    assert_string_equal(c.calls.ptr, "AID.B.v1 {\"n\":1};AID.A.v1 {\"n\":1};");
    assert_result(&c,
                  "{\"reason\":\"noop\",\"status\":\"OK\",\"steps\":3,\"invalid_picks\":0,"
                  "\"calls\":[{\"aid\":\"AID.B.v1\",\"status\":\"OK\",\"output\":{\"did\":true}},"
                  "{\"aid\":\"AID.A.v1\",\"status\":\"OK\",\"output\":{\"did\":true}}],"
                  "\"output\":{\"did\":true}}");
    assert_string_equal(c.chosen.ptr, "1 rules PICK;2 rules PICK;3 rules NOOP;");
    assert_int_equal(c.readies, 0);
    end(&c);
}

static void rules_may_take_their_time(void **state)
{
    (void)state;
    struct chain c = { .thinks = true };
    struct menu_said s = { 0 };
    c.options.pick = pick_by_rules;
    begin(&c);
    go(&c);
    assert_false(c.over);
    assert_true(mgi_selection_parse(&scratch.arena, STR_LIT("<PICK><SID0002><END>"), &s.selection));
    mgi_menu_step_picked(c.step, &s);
    go(&c);
    assert_true(mgi_selection_parse(&scratch.arena, STR_LIT("<NOOP><END>"), &s.selection));
    mgi_menu_step_picked(c.step, &s);
    go(&c);
    assert_true(c.over);
    assert_end(&c, "noop");
    mgi_menu_step_picked(c.step, &s); /* too late: nothing */
    end(&c);
}

static void the_heuristic_goes_round_until_the_guard(void **state) /* C-177 in a step */
{
    (void)state;
    struct chain c = { .stuck = true };
    run_all(&c);
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1};AID.A.v1 {\"n\":1};AID.A.v1 {\"n\":1};");
    assert_end(&c, "loop_guard");
    end(&c);
}

static void a_failing_action_ends_the_step(void **state) /* T-BUD-4 */
{
    (void)state;
    struct chain c = { .fails = "AID.A.v1" };
    run_all(&c);
    assert_result(&c, "{\"reason\":\"tool_error\",\"status\":\"TOOL_ERROR\",\"steps\":1,"
                      "\"invalid_picks\":0,\"calls\":[{\"aid\":\"AID.A.v1\",\"status\":"
                      "\"TOOL_ERROR\",\"error\":\"boom\"}]}");
    end(&c);
}

static void a_policy_picks_and_patches(void **state) /* T-POL-2, T-SEL-8 */
{
    (void)state;
    struct chain c = { 0 };
    use_policy(&c, CONTROL_POLICY_ONLY,
               "if grep -q '\"state 0\"' $1; then\n"
               "  echo '<PICK><SID0002><INP>{\"n\":2,\"_meta\":1}</INP><END>'\n"
               "elif grep -q '\"inputs\":{\"n\":2}' $1; then echo '<PICK><SID0001><END>'; fi\n"
               "grep -q '\"state 2\"' $1 && echo '<NOOP><END>' || true",
               NULL, NULL);
    c.options.run.max_steps = 2;
    run_all(&c);
    assert_string_equal(c.calls.ptr, "AID.B.v1 {\"n\":2};AID.A.v1 {\"n\":2};");
    assert_end(&c, "max_steps");
    assert_non_null(strstr(c.events.ptr, "\"dropped\":[\"_meta\"]"));
    assert_int_equal(c.readies, 2);
    end(&c);
}

/* ---- modes ---------------------------------------------------------------------------------- */

static const char counting[] = "echo x >> starts\n";

static void fallback_only_starts_nothing(void **state) /* C-175, T-MODE-1 */
{
    (void)state;
    struct chain c = { .stuck = true };
    use_policy(&c, CONTROL_FALLBACK_ONLY, counting, NULL, NULL);
    run_all(&c);
    assert_int_equal(starts(), 0);
    assert_null(strstr(c.events.ptr, "selector_policy_raw"));
    end(&c);
}

static void a_shadow_is_called_and_only_logged(void **state) /* T-MODE-1 */
{
    (void)state;
    struct chain c = { 0 };
    c.options.run.max_steps = 1;
    use_policy(&c, CONTROL_SHADOW_POLICY, "echo x >> starts; echo '<PICK><SID0002><END>'", NULL,
               NULL);
    run_all(&c);
    assert_int_equal(starts(), 1);
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1};");
    assert_non_null(strstr(c.events.ptr, "selector_fallback_raw {\"kind\":\"PICK\",\"raw\":"
                                         "\"<PICK><SID0001><END>\"}"));
    assert_non_null(strstr(c.events.ptr, "selector_policy_raw {\"kind\":\"PICK\",\"raw\":"
                                         "\"<PICK><SID0002><END>\\n\"}"));
    end(&c);
}

static void a_forbidden_command_is_invalid_and_no_failure(void **state) /* C-174, T-POL-4 */
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=python3 -c 'print(1)'",
                                       "MACHINA_POLICY_FAIL_THRESHOLD=1", NULL };
    static const enum control_mode modes[] = { CONTROL_POLICY_ONLY, CONTROL_BLENDED };
    for (int i = 0; i < 2; i++) {
        struct chain c = { 0 };
        struct policy_stats stats;
        settings(&scratch, env);
        c.policy = c.options.policy = mgi_policy_new(&scratch.loop, &scratch.settings, NULL);
        c.options.mode = modes[i];
        c.options.run.max_steps = 20;
        run_all(&c);
        mgi_policy_stats(c.policy, &stats);
        assert_int_equal(stats.asked, 0);
        assert_false(stats.open);
        assert_end(&c, i == 0 ? "max_invalid_picks" : "max_steps");
        if (i == 0) { /* BLENDED goes on with the fallback */
            assert_non_null(strstr(c.events.ptr,
                                   "invalid_pick {\"invalid_picks\":1,\"reason\":\"the "
                                   "first argument of an interpreter has to be a "
                                   "script"));
            assert_int_equal(c.calls.len, 1);
        }
        end(&c);
    }
}

/* ---- failures ------------------------------------------------------------------------------- */

static void a_failing_policy_is_replaced_and_switched_off(
    void **state) /* C-172, T-POL-6, T-POL-7 */
{
    (void)state;
    struct chain c = { 0 };
    struct policy_stats stats;
    c.options.run.max_steps = 6;
    use_policy(&c, CONTROL_POLICY_ONLY,
               "echo x >> starts; [ -e well ] && echo '<NOOP><END>' || { echo why >&2; exit 1; }",
               "MACHINA_POLICY_COOLDOWN_MS=400", NULL);
    run_all(&c);
    assert_int_equal(starts(), 5); /* the sixth step did not start it */
    assert_end(&c, "max_steps");   /* the fallback went on each time */
    int failures = 0;
    for (const char *at = c.events.ptr; (at = strstr(at, "\"failure\":\"exit code 1: why\"")); at++)
        failures++;
    assert_int_equal(failures, 5);
    assert_non_null(strstr(c.events.ptr, "\"failure\":\"switched off for now\""));
    mgi_policy_stats(c.policy, &stats);
    assert_true(stats.open);
    assert_int_equal(stats.refused, 1);
    mgi_menu_step_free(c.step);
    usleep(450000);
    char path[128];
    snprintf(path, sizeof path, "%s/well", scratch.root);
    fclose(fopen(path, "w"));
    mgi_buf_clear(&c.calls);
    mgi_buf_clear(&c.events);
    c.over = false;
    run_all(&c); /* one call is tried; it succeeds */
    assert_int_equal(starts(), 6);
    assert_end(&c, "noop");
    mgi_policy_stats(c.policy, &stats);
    assert_false(stats.open);
    end(&c);
}

static void what_is_not_in_the_menu_is_a_failure(void **state) /* C-173 */
{
    (void)state;
    struct chain c = { 0 };
    struct policy_stats stats;
    c.options.run.max_steps = 1;
    use_policy(&c, CONTROL_POLICY_ONLY, "echo '<PICK><SID0099><END>'", NULL, NULL);
    run_all(&c);
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1};");
    assert_non_null(strstr(c.events.ptr, "\"failure\":\"SID0099 is not in the menu\""));
    mgi_policy_stats(c.policy, &stats);
    assert_int_equal(stats.failed, 1);
    end(&c);
}

static void a_policy_that_cannot_start_is_replaced(void **state) /* T-POL-6 */
{
    (void)state;
    struct chain c = { 0 };
    c.options.run.max_steps = 1;
    use_policy(&c, CONTROL_POLICY_ONLY, "true", NULL, NULL);
    scratch.settings.temp_dir = "/nowhere";
    run_all(&c);
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1};");
    assert_non_null(strstr(c.events.ptr, "not started: No such file or directory"));
    end(&c);
}

/* ---- consent -------------------------------------------------------------------------------- */

static void ask_sup_becomes_consent_to_one_call(void **state) /* T-BUD-3, C-230 in a step */
{
    (void)state;
    for (int agrees = 0; agrees < 3; agrees++) {
        struct chain c = { .agrees = agrees };
        char digest[65];
        c.options.run.question = STR_LIT("May A run?");
        use_policy(&c, CONTROL_POLICY_ONLY, "echo '<ASK_SUP><END>'", NULL, NULL);
        begin(&c);
        go(&c);
        uv_run(&scratch.loop, UV_RUN_DEFAULT);
        assert_false(c.over); /* it waits for a person */
        const struct menu_step_ask *ask = mgi_menu_step_ask(c.step);
        assert_true(str_is(ask->question, "May A run?"));
        assert_true(str_is(ask->aid, "AID.A.v1"));
        assert_true(str_is(ask->inputs->text, "{\"n\":1}"));
        assert_int_equal(c.calls.len, (size_t)agrees * strlen("AID.A.v1 {\"n\":1};"));
        assert_end(&c, "");
        memcpy(digest, ask->digest, sizeof digest);
        assert_int_equal(strlen(digest), 64);
        mgi_menu_step_agreed(c.step);
        c.agrees = 0;
        go(&c);
        uv_run(&scratch.loop, UV_RUN_DEFAULT);
        /* The same question about another state is another one. */
        assert_string_not_equal(mgi_menu_step_ask(c.step)->digest, digest);
        mgi_menu_step_stop(c.step, SELECT_END_CANCELLED);
        mgi_menu_step_agreed(c.step); /* too late: nothing */
        assert_int_equal(mgi_menu_step_next(c.step, NULL, 0), MENU_STEP_OVER);
        assert_end(&c, "cancelled");
        end(&c);
    }
}

static void a_digest_says_what_was_agreed_to(void **state)
{
    (void)state;
    static const char *const inputs[] = { "{\"n\":1}", "{\"n\":2}", "{\"n\":1}", "{\"n\":1}" };
    static const char *const questions[] = { "?", "?", "Another?", "?" };
    char digests[4][65];
    for (int i = 0; i < 4; i++) {
        struct chain c = { 0 };
        c.options.run.question = str_of(questions[i]);
        use_policy(&c, CONTROL_POLICY_ONLY, "echo '<ASK_SUP><END>'", NULL, NULL);
        begin_with(&c, inputs[i]);
        go(&c);
        uv_run(&scratch.loop, UV_RUN_DEFAULT);
        memcpy(digests[i], mgi_menu_step_ask(c.step)->digest, sizeof digests[i]);
        end(&c);
    }
    assert_string_not_equal(digests[0], digests[1]);
    assert_string_not_equal(digests[0], digests[2]);
    assert_string_equal(digests[0], digests[3]);
}

static void rules_ask_before_what_anybody_picks(void **state)
{
    (void)state;
    static const char *const picks[] = { "AID.A.v1", "AID.A.v1", "" };
    struct chain c = { .picks = picks, .must_ask = "AID.B.v1", .agrees = 1 };
    c.options.pick = pick_by_rules;
    use_policy(
        &c, CONTROL_POLICY_ONLY,
        "if grep -q '\"state 0\"' $1; then echo '<PICK><SID0001><END>'\n"
        "elif grep -q '\"state 1\"' $1; then echo '<PICK><SID0002><INP>{\"n\":9}</INP><END>'\n"
        "else echo '<NOOP><END>'; fi",
        NULL, NULL);
    run_all(&c);
    mgi_buf_putc(&c.asked, '\0');
    assert_string_equal(c.asked.ptr, "Sure?: AID.B.v1 {\"n\":9};");
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1};AID.B.v1 {\"n\":9};");
    assert_string_equal(c.chosen.ptr, "1 policy PICK;2 policy PICK;3 policy NOOP;");
    end(&c);
}

static void what_ask_sup_proposes_is_asked_in_the_words_of_its_rule(void **state)
{
    (void)state;
    static const char *const picks[] = { "AID.B.v1" };
    struct chain c = { .picks = picks, .must_ask = "AID.B.v1" };
    c.options.run.question = STR_LIT("What now?");
    c.options.pick = pick_by_rules;
    use_policy(&c, CONTROL_POLICY_ONLY, "echo '<ASK_SUP><END>'", NULL, NULL);
    begin(&c);
    go(&c);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_true(str_is(mgi_menu_step_ask(c.step)->question, "Sure?"));
    assert_true(str_is(mgi_menu_step_ask(c.step)->aid, "AID.B.v1"));
    end(&c);
}

static void a_question_without_a_proposal_is_only_told(void **state)
{
    (void)state;
    static const char *const picks[] = { "" };
    struct chain c = { .picks = picks };
    c.options.pick = pick_by_rules;
    use_policy(&c, CONTROL_POLICY_ONLY, "echo '<ASK_SUP><END>'", NULL, NULL);
    run_all(&c);
    assert_int_equal(c.asked.len, 0);
    assert_result(&c, "{\"reason\":\"ask_sup\",\"status\":\"OK\",\"steps\":1,\"invalid_picks\":0,"
                      "\"calls\":[],\"question\":\"What should be done for the goal "
                      "goal.DEMO.v1?\"}");
    assert_true(
        str_is(mgi_menu_step_question(c.step), "What should be done for the goal goal.DEMO.v1?"));
    end(&c);
}

/* ---- what selectors see ---------------------------------------------------------------------- */

static void the_chain_tells_selectors_what_actions_never_get(void **state) /* T-SEL-7 */
{
    (void)state;
    struct chain c = { .meta = STR_LIT("{\"turn\":1}") };
    use_policy(
        &c, CONTROL_POLICY_ONLY,
        "grep -q '\"inputs\":{\"n\":1,\"_meta\":{\"turn\":1}}' $1 && grep -q 'state 0' $1 && "
        "echo '<PICK><SID0001><INP>{\"_meta\":5}</INP><END>' || echo '<NOOP><END>'",
        NULL, NULL);
    begin_with(&c, "{\"n\":1,\"_meta\":\"of the domain\"}");
    go(&c);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    mgi_buf_putc(&c.calls, '\0');
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1,\"_meta\":\"of the domain\"};");
    end(&c);
}

static void long_outputs_are_told_by_their_length(void **state)
{
    (void)state;
    static const char *const picks[] = { "AID.A.v1", "AID.B.v1", "" };
    struct chain c = { .picks = picks };
    struct buf out = { 0 };
    struct json_writer w;
    c.options.pick = pick_by_rules;
    run_all(&c);
    mgi_json_writer_init(&w, &out, 0);
    mgi_menu_step_write_calls(c.step, &w, strlen("{\"did\":true}"));
    mgi_buf_putc(&out, '\0');
    assert_string_equal(out.ptr, "[{\"aid\":\"AID.A.v1\",\"status\":\"OK\",\"output_bytes\":12},"
                                 "{\"aid\":\"AID.B.v1\",\"status\":\"OK\",\"output\":"
                                 "{\"did\":true}}]");
    mgi_buf_fini(&out);
    end(&c);
}

static void so_many_calls_are_enough(void **state)
{
    (void)state;
    struct chain c = { 0 };
    c.options.run.goal.calls = 2;
    run_all(&c);
    assert_end(&c, "goal_done");
    assert_string_equal(c.calls.ptr, "AID.A.v1 {\"n\":1};AID.A.v1 {\"n\":1};");
    end(&c);
}

/* ---- ends from outside ---------------------------------------------------------------------- */

static void stopping_while_a_policy_thinks_kills_it(void **state) /* T-BUD-5 */
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct chain c = { 0 };
        struct policy_stats stats;
        use_policy(&c, CONTROL_POLICY_ONLY, "sleep 10", NULL, NULL);
        begin(&c);
        go(&c);
        assert_false(c.over);
        uv_run(&scratch.loop, UV_RUN_NOWAIT);
        if (i == 0) {
            mgi_menu_step_stop(c.step, SELECT_END_DEADLINE);
            assert_end(&c, "deadline");
            assert_int_equal(mgi_menu_step_next(c.step, NULL, 0), MENU_STEP_OVER);
        }
        mgi_menu_step_free(c.step);
        uv_run(&scratch.loop, UV_RUN_DEFAULT);
        assert_int_equal(c.readies, 0);
        mgi_policy_stats(c.policy, &stats);
        assert_int_equal(stats.running, 0);
        assert_int_equal(stats.failed, 0);
        c.step = NULL;
        end(&c);
    }
}

static void stopping_before_a_failed_start_is_told(void **state)
{
    (void)state;
    struct chain c = { 0 };
    struct policy_stats stats;
    use_policy(&c, CONTROL_POLICY_ONLY, "true", NULL, NULL);
    scratch.settings.temp_dir = "/nowhere";
    begin(&c);
    go(&c);
    mgi_policy_stats(c.policy, &stats);
    assert_int_equal(stats.running, 1);
    mgi_menu_step_free(c.step);
    c.step = NULL;
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    mgi_policy_stats(c.policy, &stats);
    assert_int_equal(stats.running, 0);
    assert_int_equal(c.readies, 0);
    end(&c);
}

static void more_calls_than_places_wait_for_their_turn(void **state)
{
    (void)state;
    enum { MANY = 20 };
    struct chain chains[MANY] = { 0 };
    struct policy_stats stats;
    use_policy(&chains[0], CONTROL_POLICY_ONLY, "sleep 0.05; echo '<NOOP><END>'", NULL, NULL);
    for (int i = 0; i < MANY; i++) {
        chains[i].options.policy = chains[0].policy;
        chains[i].options.mode = CONTROL_POLICY_ONLY;
        begin(&chains[i]);
        go(&chains[i]);
    }
    mgi_policy_stats(chains[0].policy, &stats);
    assert_int_equal(stats.running, POLICY_PROCESSES);
    assert_int_equal(stats.waiting, MANY - POLICY_PROCESSES);
    mgi_menu_step_free(chains[MANY - 1].step); /* the last of the queue, one in its middle, */
    mgi_menu_step_free(chains[POLICY_PROCESSES + 1].step);
    mgi_menu_step_free(chains[0].step); /* and one that runs, whose place is taken at once */
    mgi_policy_stats(chains[0].policy, &stats);
    assert_int_equal(stats.running, POLICY_PROCESSES);
    assert_int_equal(stats.waiting, MANY - POLICY_PROCESSES - 3);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    for (int i = 0; i < MANY; i++) {
        bool freed = i == 0 || i == POLICY_PROCESSES + 1 || i == MANY - 1;
        assert_int_equal(chains[i].over, !freed);
        if (!freed)
            assert_end(&chains[i], "noop");
    }
    mgi_policy_stats(chains[0].policy, &stats);
    assert_int_equal(stats.running + stats.waiting, 0);
    for (int i = MANY - 1; i >= 0; i--) {
        if (i == 0 || i == POLICY_PROCESSES + 1 || i == MANY - 1)
            chains[i].step = NULL;
        end(&chains[i]);
    }
}

static int setup(void **state)
{
    (void)state;
    scratch_begin(&scratch);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_nothing_left(&scratch);
    scratch_end(&scratch);
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(rules_pick_until_they_derive_nothing),
        T(rules_may_take_their_time),
        T(the_heuristic_goes_round_until_the_guard),
        T(a_failing_action_ends_the_step),
        T(a_policy_picks_and_patches),
        T(fallback_only_starts_nothing),
        T(a_shadow_is_called_and_only_logged),
        T(a_forbidden_command_is_invalid_and_no_failure),
        T(a_failing_policy_is_replaced_and_switched_off),
        T(what_is_not_in_the_menu_is_a_failure),
        T(a_policy_that_cannot_start_is_replaced),
        T(ask_sup_becomes_consent_to_one_call),
        T(what_ask_sup_proposes_is_asked_in_the_words_of_its_rule),
        T(a_digest_says_what_was_agreed_to),
        T(rules_ask_before_what_anybody_picks),
        T(a_question_without_a_proposal_is_only_told),
        T(the_chain_tells_selectors_what_actions_never_get),
        T(long_outputs_are_told_by_their_length),
        T(so_many_calls_are_enough),
        T(stopping_while_a_policy_thinks_kills_it),
        T(stopping_before_a_failed_start_is_told),
        T(more_calls_than_places_wait_for_their_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
