/* The run loop and its log, without I/O (T-BUD-1 to T-BUD-6, T-SEL-7, T-SEL-8). A toy working state
 * stands in for the caller's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/encode.h"
#include "select/run.h"
#include "select/run_log.h"
#include "sys/digest.h"

static const char noop_digest[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

struct world {
    struct arena arena;
    struct menu menu;
    struct select_run_options options;
    struct select_run run;
    struct select_state state;
    struct buf events; /* names, parted by blanks */
    struct buf last;   /* payload of the last */
    struct buf all;    /* "name payload\n" */
};

static void note(void *context, const struct select_event *e)
{
    struct world *w = context;
    mgi_buf_printf(&w->events, "%s%s", w->events.len ? " " : "", e->name);
    mgi_buf_clear(&w->last);
    mgi_buf_str(&w->last, e->payload);
    mgi_buf_printf(&w->all, "%u %s %.*s\n", e->step, e->name, STR_ARG(e->payload));
}

static void begin(struct world *w, const char *inputs)
{
    const struct str tags[] = { STR_LIT("tag.fs") };
    const struct menu_action actions[] = {
        { STR_LIT("AID.FILE.READ.v1"), STR_LIT("file_read"), tags, 1 },
        { STR_LIT("AID.FILE.WRITE.v1"), STR_LIT("file_write"), tags, 1 },
        { STR_LIT("AID.NOOP.v1"), STR_LIT("noop"), NULL, 0 },
    };
    struct json v;
    mgi_arena_init(&w->arena, 0);
    assert_int_equal(mgi_menu_build(&w->arena, actions, 3, NULL, &w->menu), MENU_OK);
    assert_int_equal(mgi_json_parse(&w->arena, str_of(inputs), NULL, &v, NULL), JSON_OK);
    w->options.event = note;
    w->options.context = w;
    if (!w->options.goal.id.ptr)
        w->options.goal.id = STR_LIT("goal.DEMO.v1");
    w->state.digest = str_of(noop_digest);
    assert_true(mgi_select_run_init(&w->run, &w->options, &v));
}

static void end(struct world *w)
{
    mgi_select_run_fini(&w->run);
    mgi_buf_fini(&w->events);
    mgi_buf_fini(&w->last);
    mgi_buf_fini(&w->all);
    mgi_arena_fini(&w->arena);
}

static enum select_next step(struct world *w)
{
    return mgi_select_run_step(&w->run, &w->menu, &w->state);
}

static enum select_next choose(struct world *w, const char *text)
{
    struct selection s;
    assert_true(mgi_selection_parse(&w->arena, str_of(text), &s));
    return mgi_select_run_choose(&w->run, &s);
}

static enum select_next answer(struct world *w, enum select_status status)
{
    const struct select_outcome o = { .status = status,
                                      .output = STR_LIT("{\"ok\":1}"),
                                      .error = STR_LIT("boom"),
                                      .duration_ms = 5,
                                      .state_digest = w->state.digest };
    return mgi_select_run_outcome(&w->run, &o);
}

static void new_state(struct world *w, unsigned n)
{
    w->state.digest = str_of(mgi_arena_printf(&w->arena, "state %u", n));
}

static void assert_end(struct world *w, const char *reason, int exit, const char *status)
{
    assert_string_equal(mgi_select_end_name(w->run.end), reason);
    assert_int_equal(mgi_select_end_exit(w->run.end), exit);
    assert_string_equal(mgi_select_status_name(w->run.status), status);
}

static void assert_inputs(struct world *w, const char *expected)
{
    const struct json *v = mgi_select_run_inputs(&w->run);
    assert_string_equal(mgi_arena_printf(&w->arena, "%.*s", STR_ARG(v->text)), expected);
}

/* ---- budgets -------------------------------------------------------------------------------- */

static void the_ninth_invalid_pick_ends_it(void **state) /* C-176, T-BUD-1 */
{
    (void)state;
    struct world w = { 0 };
    begin(&w, "{\"a\":1}");
    for (int i = 1; i <= 8; i++) {
        assert_int_equal(step(&w), SELECT_CHOOSE);
        /* INVALID, and a SID that is not in the menu, are the same */
        assert_int_equal(choose(&w, i % 2 ? "what?" : "<PICK><SID0099><INP>{\"a\":2}</INP><END>"),
                         SELECT_STEP);
        assert_string_equal(mgi_select_status_name(w.run.status), "INVALID_PICK");
        assert_int_equal(w.run.steps, i); /* it uses up a step */
        assert_inputs(&w, "{\"a\":1}");   /* and changes nothing */
    }
    assert_int_equal(step(&w), SELECT_CHOOSE);
    assert_int_equal(choose(&w, "what?"), SELECT_OVER);
    assert_end(&w, "max_invalid_picks", 1, "BREAKER_TRIP");
    assert_int_equal(w.run.invalid_picks, 9);
    assert_string_equal(w.last.ptr,
                        "{\"invalid_picks\":9,\"reason\":\"max_invalid_picks\",\"steps\":9}");
    end(&w);
}

static void no_invalid_pick_may_be_tolerated(void **state)
{
    (void)state;
    struct world w = { .options.max_invalid = -1 };
    begin(&w, "{}");
    step(&w);
    assert_int_equal(choose(&w, "?"), SELECT_OVER);
    assert_end(&w, "max_invalid_picks", 1, "BREAKER_TRIP");
    end(&w);
}

static void sixty_four_steps_are_all(void **state) /* T-BUD-1, T-BUD-5 */
{
    (void)state;
    struct world w = { 0 };
    begin(&w, "{}");
    for (unsigned i = 1; i <= 64; i++) {
        new_state(&w, i);
        assert_int_equal(step(&w), SELECT_CHOOSE);
        assert_int_equal(choose(&w, "<PICK><SID0001><END>"), SELECT_CALL);
        assert_int_equal(answer(&w, SELECT_STATUS_OK), SELECT_STEP);
    }
    new_state(&w, 65);
    assert_int_equal(step(&w), SELECT_OVER);
    assert_end(&w, "max_steps", 1, "BREAKER_TRIP");
    assert_int_equal(w.run.steps, 64);
    end(&w);
}

static void the_fourth_meeting_ends_it(void **state) /* C-177, T-BUD-2 */
{
    (void)state;
    struct world w = { 0 };
    begin(&w, "{}");
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(step(&w), SELECT_CHOOSE);
        assert_int_equal(choose(&w, "<PICK><SID0001><END>"), SELECT_CALL);
        assert_int_equal(answer(&w, SELECT_STATUS_OK), SELECT_STEP);
    }
    assert_int_equal(step(&w), SELECT_OVER);
    assert_end(&w, "loop_guard", 1, "BREAKER_TRIP");
    mgi_buf_putc(&w.events, '\0');
    assert_non_null(strstr(w.events.ptr, "loop_guard_triggered"));
    assert_null(strstr(w.events.ptr, "breaker")); /* it was not the step budget */
    end(&w);
}

static void a_loop_of_two_states_is_met_too(void **state) /* T-BUD-2 */
{
    (void)state;
    struct world w = { 0 };
    begin(&w, "{}");
    for (unsigned i = 0; i < 6; i++) {
        new_state(&w, i % 2);
        assert_int_equal(step(&w), SELECT_CHOOSE);
        assert_int_equal(choose(&w, "<PICK><SID0001><END>"), SELECT_CALL);
        assert_int_equal(answer(&w, SELECT_STATUS_OK), SELECT_STEP);
    }
    new_state(&w, 0);
    assert_int_equal(step(&w), SELECT_OVER);
    assert_end(&w, "loop_guard", 1, "BREAKER_TRIP");
    end(&w);
}

/* ---- ends ----------------------------------------------------------------------------------- */

static void noop_ends_it_in_order(void **state) /* T-BUD-3, T-BUD-5 */
{
    (void)state;
    static const char *const texts[] = { "<NOOP><END>", "<PICK><SID0003><END>" };
    for (int i = 0; i < 2; i++) {
        struct world w = { 0 };
        begin(&w, "{}");
        step(&w);
        assert_int_equal(choose(&w, texts[i]), SELECT_OVER);
        assert_end(&w, "noop", 0, "OK");
        end(&w);
    }
}

static void ask_sup_puts_a_question_into_slot_1(void **state) /* C-230, T-BUD-3 */
{
    (void)state;
    struct world w = { .options.question = STR_LIT("May \"it\" go?") };
    begin(&w, "{\"a\":1}");
    step(&w);
    assert_int_equal(choose(&w, "<ASK_SUP><END>"), SELECT_CALL);
    assert_true(w.run.call.asks);
    assert_string_equal(w.run.call.aid.ptr, "AID.ASK_SUP.v1");
    struct buf delta = { 0 };
    struct json_writer out;
    mgi_json_writer_init(&out, &delta, 0);
    mgi_select_run_write_question(&w.run, &out);
    assert_string_equal(delta.ptr,
                        "{\"delta\":true,\"slots\":{\"1\":{\"type\":\"question\",\"provenance\":"
                        "\"AID.ASK_SUP.v1\",\"content_json\":\"{\\\"question\\\":\\\"May "
                        "\\\\\\\"it\\\\\\\" go?\\\"}\"}},\"removed_slots\":[]}");
    mgi_buf_fini(&delta);
    assert_int_equal(answer(&w, SELECT_STATUS_OK), SELECT_OVER);
    assert_end(&w, "ask_sup", 0, "OK");
    assert_inputs(&w, "{\"a\":1}");
    end(&w);
    struct world plain = { 0 }; /* without a question of its own */
    begin(&plain, "{}");
    step(&plain);
    choose(&plain, "<ASK_SUP><END>");
    struct str question = mgi_select_run_question(&plain.run);
    assert_string_equal(mgi_arena_printf(&plain.arena, "%.*s", STR_ARG(question)),
                        "What should be done for the goal goal.DEMO.v1?");
    end(&plain);
}

static void a_goal_is_reached_by_its_slots(void **state) /* T-BUD-3 */
{
    (void)state;
    struct world all = { .options.goal = { .id = STR_LIT("g"), .slots = 1 | 1 << 2 } };
    begin(&all, "{}");
    all.state.slots_used = 1;
    assert_int_equal(step(&all), SELECT_CHOOSE);
    choose(&all, "<PICK><SID0001><END>");
    answer(&all, SELECT_STATUS_OK);
    all.state.slots_used = 1 | 1 << 2 | 1 << 5;
    assert_int_equal(step(&all), SELECT_OVER);
    assert_end(&all, "goal_done", 0, "OK");
    assert_string_equal(all.last.ptr, "{\"goal\":\"g\",\"slots\":[0,2]}");
    end(&all);
    struct world any = { .options.goal = { .id = STR_LIT("g"), .slots = 1 | 1 << 2, .any = true } };
    begin(&any, "{}");
    any.state.slots_used = 1 << 2;
    assert_int_equal(step(&any), SELECT_OVER);
    assert_end(&any, "goal_done", 0, "");
    end(&any);
}

static void a_tool_error_rolls_back_and_ends(void **state) /* T-BUD-4 */
{
    (void)state;
    struct world w = { 0 };
    begin(&w, "{\"a\":1}");
    step(&w);
    choose(&w, "<PICK><SID0001><INP>{\"a\":2}</INP><END>");
    assert_inputs(&w, "{\"a\":2}");
    assert_int_equal(answer(&w, SELECT_STATUS_TOOL_ERROR), SELECT_OVER);
    assert_inputs(&w, "{\"a\":1}");
    assert_end(&w, "tool_error", 1, "TOOL_ERROR");
    end(&w);
}

static void it_goes_on_after_tools_that_may_fail(void **state) /* T-BUD-4 */
{
    (void)state;
    const struct str may_fail[] = { STR_LIT("AID.FILE.READ.v1") };
    struct world w = { .options.go_on_after = may_fail, .options.go_on_count = 1 };
    begin(&w, "{\"a\":1}");
    step(&w);
    choose(&w, "<PICK><SID0001><INP>{\"a\":2}</INP><END>");
    assert_int_equal(answer(&w, SELECT_STATUS_TOOL_ERROR), SELECT_STEP);
    assert_inputs(&w, "{\"a\":1}");
    assert_int_equal(step(&w), SELECT_CHOOSE);
    choose(&w, "<PICK><SID0002><END>");
    assert_int_equal(answer(&w, SELECT_STATUS_BREAKER_TRIP), SELECT_OVER); /* another one */
    assert_end(&w, "tool_error", 1, "BREAKER_TRIP");
    end(&w);
}

static void it_can_be_stopped_from_outside(void **state) /* T-BUD-5 */
{
    (void)state;
    static const enum select_end why[] = { SELECT_END_CANCELLED, SELECT_END_DEADLINE };
    static const char *const names[] = { "cancelled", "deadline" };
    for (int i = 0; i < 2; i++) {
        struct world w = { 0 };
        begin(&w, "{}");
        step(&w);
        mgi_select_run_stop(&w.run, why[i]);
        assert_end(&w, names[i], 1, "");
        mgi_select_run_stop(&w.run, SELECT_END_NOOP); /* the first reason stays */
        assert_end(&w, names[i], 1, "");
        end(&w);
    }
}

/* ---- inputs --------------------------------------------------------------------------------- */

static void patched_inputs_stay_in_force(void **state) /* T-SEL-8, T-SEL-7 */
{
    (void)state;
    struct world w = { 0 };
    begin(&w, "{\"path\":\"q\",\"n\":1}");
    step(&w);
    choose(&w, "<PICK><SID0001><INP>{\"_system_x\":1,\"path\":\"p\"}</INP><END>");
    assert_string_equal(w.last.ptr,
                        "{\"applied\":[\"path\"],\"dropped\":[\"_system_x\"],\"dropped_count\":1}");
    assert_ptr_equal(w.run.call.inputs, mgi_select_run_inputs(&w.run));
    answer(&w, SELECT_STATUS_OK);
    new_state(&w, 1);
    step(&w);
    choose(&w, "<PICK><SID0002><END>");
    assert_inputs(&w, "{\"path\":\"p\",\"n\":1}");
    answer(&w, SELECT_STATUS_OK);
    new_state(&w, 2);
    step(&w);
    choose(&w, "<PICK><SID0002><INP>{\"n\":2}</INP><END>");
    assert_inputs(&w, "{\"path\":\"p\",\"n\":2}");
    end(&w);
}

static void a_patch_beyond_the_limit_is_an_invalid_pick(void **state)
{
    (void)state;
    struct world w = { 0 };
    struct buf inputs = { 0 }, pick = { 0 };
    mgi_buf_puts(&inputs, "{\"a\":\"");
    while (inputs.len < INPUTS_MAX_BYTES - 100)
        mgi_buf_putc(&inputs, 'x');
    mgi_buf_puts(&inputs, "\"}");
    mgi_buf_putc(&inputs, '\0');
    mgi_buf_puts(&pick, "<PICK><SID0001><INP>{\"b\":\"");
    for (int i = 0; i < 200; i++)
        mgi_buf_putc(&pick, 'y');
    mgi_buf_puts(&pick, "\"}</INP><END>");
    begin(&w, inputs.ptr);
    step(&w);
    assert_int_equal(choose(&w, pick.ptr), SELECT_STEP);
    assert_int_equal(w.run.invalid_picks, 1);
    mgi_buf_fini(&inputs);
    mgi_buf_fini(&pick);
    end(&w);
}

/* ---- records -------------------------------------------------------------------------------- */

static void every_event_is_told_in_order(void **state) /* T-BUD-6 */
{
    (void)state;
    struct world w = { 0 };
    struct selection s;
    begin(&w, "{\"secret\":\"needle\"}");
    assert_int_equal(step(&w), SELECT_CHOOSE);
    assert_true(mgi_selection_parse(&w.arena, STR_LIT("<NOOP><END>"), &s));
    assert_true(mgi_select_run_told(&w.run, false, &s, NULL));
    s = mgi_selection_invalid("x");
    assert_true(mgi_select_run_told(&w.run, true, &s, "exit code 1"));
    choose(&w, "<PICK><SID0001><INP>{\"n\":1}</INP><END>");
    answer(&w, SELECT_STATUS_OK);
    new_state(&w, 1);
    step(&w);
    choose(&w, "?");
    step(&w);
    choose(&w, "<PICK><SID0002><END>");
    answer(&w, SELECT_STATUS_TOOL_ERROR);
    mgi_buf_putc(&w.all, '\0');
    char *expected = mgi_arena_printf(
        &w.arena,
        "1 menu_built {\"entries\":3,\"menu_digest\":\"%s\",\"state_digest\":\"%s\"}\n"
        "1 selector_fallback_raw {\"kind\":\"NOOP\",\"raw\":\"<NOOP><END>\"}\n"
        "1 selector_policy_raw {\"failure\":\"exit code 1\",\"kind\":\"INVALID\",\"raw\":\"x\"}\n"
        "1 selector_chosen {\"aid\":\"AID.FILE.READ.v1\",\"kind\":\"PICK\",\"sid\":\"SID0001\"}\n"
        "1 inputs_patched {\"applied\":[\"n\"],\"dropped\":[],\"dropped_count\":0}\n"
        "1 tool_ok {\"aid\":\"AID.FILE.READ.v1\",\"ds_digest\":\"%s\",\"duration_ms\":5,"
        "\"input_sha256\":\"%s\",\"output_bytes\":8,\"output_sha256\":\"%s\",\"status\":\"OK\"}\n"
        "2 menu_built {\"entries\":3,\"menu_digest\":\"%s\",\"state_digest\":\"state 1\"}\n"
        "2 selector_chosen {\"fault\":\"byte 1: expected <PICK>, <ASK_SUP> or <NOOP>, found "
        "\\\"?\\\"\","
        "\"kind\":\"INVALID\"}\n"
        "2 invalid_pick {\"invalid_picks\":1,\"reason\":\"byte 1: expected <PICK>, <ASK_SUP> or "
        "<NOOP>, found \\\"?\\\"\"}\n"
        "3 menu_built {\"entries\":3,\"menu_digest\":\"%s\",\"state_digest\":\"state 1\"}\n"
        "3 selector_chosen {\"aid\":\"AID.FILE.WRITE.v1\",\"kind\":\"PICK\",\"sid\":\"SID0002\"}\n"
        "3 tool_error {\"aid\":\"AID.FILE.WRITE.v1\",\"duration_ms\":5,\"err\":\"boom\","
        "\"input_sha256\":\"%s\",\"status\":\"TOOL_ERROR\"}\n",
        w.menu.digest, noop_digest, noop_digest,
        "6cfbd3e13ab78a2b7e7aba79e0bf1ac3adb4a9c0fd52b4d6a4a05ff5d5b5d6f0",
        "5b3ff9fa5ee6bd42fe98ccbc5d2e42af6d5efcf2d98c3ad8e8bba5e4a3a3a2c1", w.menu.digest,
        w.menu.digest, "6cfbd3e13ab78a2b7e7aba79e0bf1ac3adb4a9c0fd52b4d6a4a05ff5d5b5d6f0");
    /* The digests of the inputs and the output, computed here in the plain way. */
    uint8_t sum[32];
    char in[65], out[65];
    mgi_sha256("{\"n\":1,\"secret\":\"needle\"}", 25, sum);
    mgi_hex(sum, 32, in);
    mgi_sha256("{\"ok\":1}", 8, sum);
    mgi_hex(sum, 32, out);
    for (char *at = expected; (at = strstr(at, "6cfbd3e1"));)
        memcpy(at, in, 64);
    memcpy(strstr(expected, "5b3ff9fa"), out, 64);
    assert_string_equal(w.all.ptr, expected);
    assert_null(strstr(w.all.ptr, "needle")); /* T-AUD-6 */
    end(&w);
}

static void a_long_error_is_cut(void **state) /* T-AUD-6 */
{
    (void)state;
    struct world w = { 0 };
    char error[1001];
    begin(&w, "{}");
    step(&w);
    choose(&w, "<PICK><SID0001><END>");
    memset(error, 'e', 1000);
    memcpy(error + 255, "\xc3\xa9", 2); /* a character across the 256th byte */
    error[1000] = '\0';
    const struct select_outcome o = { .status = SELECT_STATUS_TOOL_ERROR, .error = str_of(error) };
    assert_int_equal(mgi_select_run_outcome(&w.run, &o), SELECT_OVER);
    struct json v;
    assert_int_equal(mgi_json_parse(&w.arena, mgi_buf_view(&w.last), NULL, &v, NULL), JSON_OK);
    assert_int_equal(mgi_json_get(&v, "err")->string.len, 255);
    end(&w);
}

static void records_form_a_chain(void **state) /* T-BUD-6 with T-AUD-2, T-AUD-3 */
{
    (void)state;
    struct run_log log;
    struct buf out = { 0 };
    const struct select_event one = { 1, "noop", STR_LIT("{}") };
    const int64_t now = INT64_C(1700000000123456789);
    char expected_prev[65];
    memset(expected_prev, '0', 64);
    expected_prev[64] = '\0';
    mgi_run_log_init(&log, STR_LIT("00000000000000000000000000000001"), STR_LIT("inv-1"), NULL);
    for (int i = 0; i < 3; i++) {
        mgi_buf_clear(&out);
        assert_true(mgi_run_log_line(&log, &out, &one, now));
        const char *rest = "\"event\":\"noop\",\"payload\":{},\"profile_id\":\"A\",\"request_id\":"
                           "\"inv-1\",\"run_id\":\"00000000000000000000000000000001\","
                           "\"spec_version\":\"1.4.2\",\"step\":1,\"ts\":\"2023-11-14T22:13:20Z\"}";
        struct buf hashed = { 0 }, line = { 0 };
        uint8_t sum[32];
        char hash[65];
        mgi_buf_printf(&hashed, "%s{%s", expected_prev, rest);
        mgi_sha256(hashed.ptr, hashed.len, sum);
        mgi_hex(sum, 32, hash);
        mgi_buf_printf(&line, "{\"chain_hash\":\"%s\",\"chain_prev\":\"%s\",%s\n", hash,
                       expected_prev, rest);
        assert_string_equal(out.ptr, line.ptr);
        memcpy(expected_prev, hash, 65);
        mgi_buf_fini(&hashed);
        mgi_buf_fini(&line);
    }
    mgi_run_log_init(&log, STR_LIT("r"), STR_LIT(""), expected_prev); /* goes on */
    mgi_buf_clear(&out);
    assert_true(mgi_run_log_line(&log, &out, &one, now));
    assert_non_null(strstr(out.ptr, expected_prev));
    assert_null(strstr(out.ptr, "request_id")); /* left out when empty */
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ninth_invalid_pick_ends_it),
        cmocka_unit_test(no_invalid_pick_may_be_tolerated),
        cmocka_unit_test(sixty_four_steps_are_all),
        cmocka_unit_test(the_fourth_meeting_ends_it),
        cmocka_unit_test(a_loop_of_two_states_is_met_too),
        cmocka_unit_test(noop_ends_it_in_order),
        cmocka_unit_test(ask_sup_puts_a_question_into_slot_1),
        cmocka_unit_test(a_goal_is_reached_by_its_slots),
        cmocka_unit_test(a_tool_error_rolls_back_and_ends),
        cmocka_unit_test(it_goes_on_after_tools_that_may_fail),
        cmocka_unit_test(it_can_be_stopped_from_outside),
        cmocka_unit_test(patched_inputs_stay_in_force),
        cmocka_unit_test(a_patch_beyond_the_limit_is_an_invalid_pick),
        cmocka_unit_test(every_event_is_told_in_order),
        cmocka_unit_test(a_long_error_is_cut),
        cmocka_unit_test(records_form_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
