/* The inner doll from end to end: gates, confirmation, a chain in real toolhost processes, what
 * changed and what comes next, on a snapshot made by hand. Skipped where toolhost is not built. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "invoke/invoke.h"
#include "protocol/wire_time.h"

#define TOOLHOST MGI_BUILD_DIR "/bin/toolhost"
#define PLUGIN   MGI_BUILD_DIR "/test-plugins/ok.so"
#define KEY      "0123456789abcdef0123456789abcdef"
#define NOW      (INT64_C(1783144800) * NS_PER_SEC)

/* ---- a domain by hand ------------------------------------------------------------------------ */

static const char rules[] =
    "Decl invoked(T). Decl invoke_arg(N, V). Decl step_status(S, V). Decl step_output(S, V).\n"
    "Decl result(V). Decl vent(Z, P). Decl event(Z, K) temporal.\n"
    "delta_assert(\"vent\", [Z, P], \"server\") :- invoked(\"echo\"), invoke_arg(\"zone\", Z),\n"
    "    result(R), :match_entry(R, \"pct\", P).\n"
    "delta_retract(\"vent\", [Z, /any]) :- invoked(\"echo\"), invoke_arg(\"zone\", Z).\n"
    "delta_assert_during(\"event\", [Z, \"vented\"], \"derived\", S, /open) :- invoked(\"echo\"),\n"
    "    invoke_arg(\"zone\", Z), S = fn:time:now().\n"
    "delta_assert(\"secret\", [Z], \"server\") :- invoked(\"echo\"), invoke_arg(\"zone\", Z).\n"
    "suggest_intent(\"inspect\", \"Look again.\") :- step_status(\"a\", \"success\").\n"
    "suggest_param(\"inspect\", \"zone\", Z) :- invoke_arg(\"zone\", Z).\n"
    "continuation_fact(\"vent\", [Z, 1]) :- invoke_arg(\"zone\", Z).\n"
    "continuation_fact(\"secret\", [Z]) :- invoke_arg(\"zone\", Z).\n"
    "execution_summary(\"Vented.\") :- invoked(\"echo\").\n";

static struct action actions[] = {
    { .aid = { "AID.TEST.ECHO.v1", 16 }, .name = { "echo_it", 7 } },
    { .aid = { "AID.TEST.PUT.v1", 15 }, .name = { "put_it", 6 } },
    { .aid = { "AID.TEST.FAIL.v1", 16 }, .name = { "fail_it", 7 } },
    { .aid = { "AID.TEST.SLEEP.v1", 17 }, .name = { "sleep_it", 8 } },
    { .aid = { "AID.TEST.SPAWN.v1", 17 }, .name = { "spawn_it", 8 }, .tier = 2 },
};
enum { ACT_ECHO, ACT_PUT, ACT_FAIL, ACT_SLEEP, ACT_SPAWN };

struct plan { /* a step as a test writes it */
    const char *id;
    int action;
    const char *inputs; /* JSON, or NULL: {"zone": args.zone, "pct": args.pct} */
    enum failure_rule on_failure;
};

struct fixture {
    struct arena arena;
    uv_loop_t loop;
    struct toolpool *pool;
    struct macro_store *store;
    struct snapshot *snapshot;
    struct confirmation_keys keys;
    struct principal who;
    struct invocation *running;
    int64_t clock_ns;
    bool done, closed, approve, has_key;
    unsigned progress, serial;
    double percent;
    char progress_words[200];
    char *payload; /* of the answer, or the details of the error */
    char message[300];
    enum wire_code code;
    struct json answer;
};

static struct json parse(struct fixture *f, const char *text)
{
    struct json v;
    struct str kept = mgi_arena_str(&f->arena, str_of(text));
    if (mgi_json_parse(&f->arena, kept, NULL, &v, NULL) != JSON_OK)
        fail_msg("not JSON: %s", text);
    return v;
}

static struct str principal_key(void *context, const struct principal *who)
{
    struct fixture *f = context;
    (void)who;
    return f->has_key ? STR_LIT(KEY) : (struct str){ 0 };
}

static bool approved(void *context, struct str challenge)
{
    struct fixture *f = context;
    return f->approve && challenge.len > 0;
}

static void make_profile(struct fixture *f)
{
    struct pred_schema *s = mgi_arena_calloc(&f->snapshot->arena, 3, sizeof *s);
    s[0] = (struct pred_schema){ .predicate = STR_LIT("bulk_change"), .arity = 2 };
    s[1] = (struct pred_schema){ .predicate = STR_LIT("event"), .arity = 2, .temporal = true };
    s[2] = (struct pred_schema){ .predicate = STR_LIT("vent"), .arity = 2 };
    for (int i = 0; i < 3; i++)
        s[i].pred = mangle_pred_find(f->snapshot->program, s[i].predicate.ptr, 2);
    f->snapshot->profile = (struct fact_profile){
        .schemas = s, .count = 3, .closed = true, .time_formats = WIRE_TIME_RFC3339
    };
}

static void make_snapshot(struct fixture *f)
{
    struct snapshot *s = mgi_calloc(1, sizeof *s);
    mgi_arena_init(&s->arena, 0);
    atomic_init(&s->refs, 1);
    f->snapshot = s;
    struct mangle_source source = { "effects.mg", rules, sizeof rules - 1 };
    mangle_diags *diags = mangle_diags_new();
    if (mangle_compile(&source, 1, NULL, &s->program, diags) != MANGLE_OK) {
        char *text = mangle_diag_print(mangle_diags_get(diags, 0));
        fail_msg("%s", text);
    }
    mangle_diags_free(diags);
    assert_int_equal(mangle_base_new(s->program, &s->base), MANGLE_OK);
    assert_int_equal(mangle_base_close(s->base, NULL, NULL, NULL), MANGLE_OK);
#define FIND(name, arity) s->pred.name = mangle_pred_find(s->program, #name, arity);
    INTERFACE_PREDS(FIND)
#undef FIND
    s->rules_version = STR_LIT("v1");
    s->settings.max_events = 20;
    s->settings.max_asserts = 100;
    s->settings.action_timeout_ms = 3000;
    s->settings.invocation_timeout_ms = 10000;
    s->settings.confirmation_ttl_ms = 300000;
    make_profile(f);
}

static void open_fixture(struct fixture *f)
{
    if (access(TOOLHOST, X_OK) != 0 || access(PLUGIN, R_OK) != 0)
        skip();
    memset(f, 0, sizeof *f);
    mgi_arena_init(&f->arena, 0);
    uv_loop_init(&f->loop);
    struct toolpool_options options = { .toolhost = TOOLHOST, .hosts = 1, .enforce_leases = true };
    f->pool = mgi_toolpool_new(&f->loop, &options);
    f->store = mgi_macro_store_memory(0);
    f->clock_ns = NOW;
    f->who = (struct principal){ .kind = PRINCIPAL_KNOWN, .identity = STR_LIT("ann") };
    f->keys = (struct confirmation_keys){ .server_key = STR_LIT("server key of the test"),
                                          .principal_key = principal_key,
                                          .approved = approved,
                                          .context = f };
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        actions[i].plugin = STR_LIT(PLUGIN);
    make_snapshot(f);
}

static void on_closed(void *context)
{
    ((struct fixture *)context)->closed = true;
}

static void close_fixture(struct fixture *f)
{
    mgi_toolpool_close(f->pool, on_closed, f);
    while (!f->closed)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    mgi_macro_store_free(f->store);
    assert_int_equal(atomic_load(&f->snapshot->refs), 1); /* no invocation kept one */
    mgi_snapshot_unref(f->snapshot);
    free(f->payload);
    mgi_arena_fini(&f->arena);
}

/* ---- tools ------------------------------------------------------------------------------------
 */

static struct value_source from_args(struct fixture *f)
{
    struct source_member *m = mgi_arena_calloc(&f->arena, 2, sizeof *m);
    m[0] =
        (struct source_member){ STR_LIT("zone"), { .kind = SOURCE_ARG, .name = STR_LIT("zone") } };
    m[1] = (struct source_member){ STR_LIT("pct"), { .kind = SOURCE_ARG, .name = STR_LIT("pct") } };
    return (struct value_source){ .kind = SOURCE_OBJECT, .members = m, .member_count = 2 };
}

static struct tool *make_tool(struct fixture *f, const char *name, const struct plan *plan,
                              size_t count)
{
    struct tool *t = mgi_arena_calloc(&f->snapshot->arena, 1, sizeof *t);
    t->name = str_of(name);
    t->description = STR_LIT("What the user is shown.");
    t->steps = mgi_arena_calloc(&f->snapshot->arena, count, sizeof *t->steps);
    t->step_count = count;
    for (size_t i = 0; i < count; i++) {
        struct value_source inputs = from_args(f);
        if (plan[i].inputs)
            inputs =
                (struct value_source){ .kind = SOURCE_CONST, .constant = parse(f, plan[i].inputs) };
        t->steps[i] = (struct step){ .id = str_of(plan[i].id),
                                     .action = &actions[plan[i].action],
                                     .inputs = inputs,
                                     .on_failure = plan[i].on_failure };
    }
    t->result = (struct value_source){ .kind = SOURCE_STEP, .step = 0 };
    f->snapshot->tools = t;
    f->snapshot->tool_count = 1;
    return t;
}

static void offer(struct fixture *f, const struct tool *t, bool confirm, int64_t not_before_ns,
                  int64_t expires_ns)
{
    static const struct str effects[] = { { "process", 7 } };
    uint32_t *steps = mgi_arena_calloc(&f->arena, t->step_count, sizeof *steps);
    for (uint32_t i = 0; i < t->step_count; i++)
        steps[i] = i;
    struct macro m = {
        .macro_id = STR_LIT("t-1"),
        .tool = t->name,
        .intent = STR_LIT("i"),
        .rules_version = STR_LIT("v1"),
        .input_schema = parse(f, "{\"type\":\"object\",\"additionalProperties\":false,"
                                 "\"required\":[\"zone\"],\"properties\":{\"zone\":{\"type\":"
                                 "\"string\"},\"pct\":{\"type\":\"integer\",\"maximum\":80,"
                                 "\"default\":40}}}"),
        .steps = steps,
        .step_count = t->step_count,
        .requires_confirmation = confirm,
        .effects = effects,
        .effect_count = 1,
        .not_before_ns = not_before_ns,
        .expires_ns = expires_ns,
    };
    struct buf text = { 0 };
    mgi_macro_write(&text, &m);
    struct macro_entry entry = { mgi_buf_view(&text), not_before_ns, expires_ns };
    assert_true(mgi_macro_store_put(f->store, mgi_principal_key(&f->who), m.macro_id, &entry,
                                    f->clock_ns, f->clock_ns + 600 * NS_PER_SEC));
    mgi_buf_fini(&text);
}

/* ---- invoking ---------------------------------------------------------------------------------
 */

static void keep(struct fixture *f, struct str text)
{
    free(f->payload);
    f->payload = malloc(text.len + 1);
    memcpy(f->payload, text.len ? text.ptr : "", text.len);
    f->payload[text.len] = 0;
    if (text.len > 0)
        f->answer = parse(f, f->payload);
}

static void keep_error(struct fixture *f, const struct wire_error *e)
{
    f->code = e->code;
    snprintf(f->message, sizeof f->message, "%s", e->message);
    keep(f, e->details);
}

static void on_done(void *context, struct str payload, const struct wire_error *e)
{
    struct fixture *f = context;
    f->done = true;
    f->running = NULL;
    if (e && e->code)
        keep_error(f, e);
    else
        keep(f, payload);
}

static void on_progress(void *context, const char *status, struct str detail, double percent)
{
    struct fixture *f = context;
    (void)detail;
    assert_true(percent >= f->percent && percent < 100); /* D-51 */
    f->percent = percent;
    f->progress++;
    strncat(f->progress_words, status, sizeof f->progress_words - strlen(f->progress_words) - 1);
    strncat(f->progress_words, " ", sizeof f->progress_words - strlen(f->progress_words) - 1);
}

static bool start(struct fixture *f, const char *payload)
{
    char id[33];
    struct wire_error e = { 0 };
    struct json v = parse(f, payload);
    snprintf(id, sizeof id, "%032x", ++f->serial);
    struct invoke_call call = { .loop = &f->loop,
                                .snapshot = f->snapshot,
                                .who = &f->who,
                                .payload = &v,
                                .request_id = STR_LIT("r"),
                                .clock_ns = f->clock_ns,
                                .store = f->store,
                                .keys = &f->keys,
                                .pool = f->pool,
                                .invocation_id = str_of(id),
                                .wants_progress = true,
                                .progress = on_progress,
                                .done = on_done,
                                .context = f };
    f->done = false;
    f->code = WIRE_OK;
    f->percent = 0;
    f->progress_words[0] = 0;
    f->running = mgi_invoke_start(&call, &f->arena, &e);
    assert_false(f->done);
    if (!f->running)
        keep_error(f, &e);
    return f->running != NULL;
}

static void run(struct fixture *f, const char *payload)
{
    if (start(f, payload))
        while (!f->done)
            uv_run(&f->loop, UV_RUN_ONCE);
}

static const struct json *at(struct fixture *f, const char *pointer)
{
    const struct json *v = mgi_json_pointer_get(&f->answer, str_of(pointer));
    if (!v)
        fail_msg("there is no %s in %s", pointer, f->payload);
    return v;
}

static void assert_text(struct fixture *f, const char *pointer, const char *expected)
{
    struct buf text = { 0 };
    mgi_json_canonical(&text, at(f, pointer));
    assert_string_equal(text.ptr, expected);
    mgi_buf_fini(&text);
}

static const struct plan echo_plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP } };

/* ---- gates ------------------------------------------------------------------------------------
 */

static void test_gates_answer_in_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *what, *payload;
        enum wire_code code;
    } rows[] = {
        { "row 113, P-INV-1", "{}", WIRE_MALFORMED_MESSAGE },
        { "row 113", "{\"macro_id\":7,\"args\":{}}", WIRE_MALFORMED_MESSAGE },
        { "row 113", "{\"macro_id\":\"t-1\",\"args\":[]}", WIRE_MALFORMED_MESSAGE },
        { "row 121", "{\"macro_id\":\"t-1\",\"args\":{},\"confirmation_token\":7}",
          WIRE_MALFORMED_MESSAGE },
        { "D-23", "{\"macro_id\":\"t-1\",\"args\":{},\"eval_time\":\"_\"}",
          WIRE_MALFORMED_MESSAGE },
        { "row 114, P-INV-2", "{\"macro_id\":\"t-9\",\"args\":{}}", WIRE_MACRO_NOT_FOUND },
        { "row 118, P-INV-4", "{\"macro_id\":\"t-1\",\"args\":{}}", WIRE_SCHEMA_VALIDATION_FAILED },
        { "row 119: before confirmation", "{\"macro_id\":\"t-1\",\"args\":{\"zone\":1}}",
          WIRE_SCHEMA_VALIDATION_FAILED },
        { "row 120, P-INV-5", "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}",
          WIRE_CONFIRMATION_REQUIRED },
        { "row 120", "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},\"confirmation_token\":\"\"}",
          WIRE_CONFIRMATION_REQUIRED },
        { "row 122, P-CONF-1",
          "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},\"confirmation_token\":\"v1.x\"}",
          WIRE_CONFIRMATION_INVALID },
    };
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), true, INT64_MIN, INT64_MAX);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&f, rows[i].payload);
        if (f.code != rows[i].code)
            fail_msg("%s: %s, not %s", rows[i].what, mgi_wire_code(f.code)->name,
                     mgi_wire_code(rows[i].code)->name);
    }
    f.who.identity = STR_LIT("bob"); /* row 115, D-57 */
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{}}");
    assert_int_equal(f.code, WIRE_MACRO_NOT_FOUND);
    close_fixture(&f);
}

static void test_all_faults_of_the_arguments_are_reported(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"pct\":90,\"more\":1}}");
    assert_int_equal(f.code, WIRE_SCHEMA_VALIDATION_FAILED);
    assert_int_equal(at(&f, "/schema_errors")->count, 3); /* P-ERR-8 */
    close_fixture(&f);
}

static void test_the_window_is_judged_by_the_servers_clock(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), false, NOW + NS_PER_SEC, NOW + 2 * NS_PER_SEC);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_MACRO_EXPIRED); /* row 117 */
    assert_text(&f, "/reason", "\"not_yet_valid\"");
    f.clock_ns = NOW + 2 * NS_PER_SEC;
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},"
            "\"eval_time\":\"2026-07-04T06:00:01Z\"}");
    assert_int_equal(f.code, WIRE_MACRO_EXPIRED); /* row 116, D-41: equality counts as expired */
    assert_text(&f, "/reason", "\"expired\"");
    f.clock_ns = NOW + NS_PER_SEC;
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_OK);
    f.snapshot->rules_version = STR_LIT("v2");
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_text(&f, "/reason", "\"superseded\""); /* D-44 */
    close_fixture(&f);
}

/* ---- results ----------------------------------------------------------------------------------
 */

static void test_a_chain_answers_with_result_delta_and_next(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},"
            "\"eval_time\":\"2026-07-04T05:00:00Z\"}");
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    assert_text(&f, "/result", "{\"pct\":40,\"zone\":\"b\"}"); /* D-43: the default */
    assert_text(&f, "/state_delta/retract", "[{\"args\":[\"b\",null],\"pred\":\"vent\"}]");
    assert_text(&f, "/state_delta/assert/0/args", "[\"b\",40]"); /* P-DELTA-2, P-PROV-5 */
    assert_text(&f, "/state_delta/assert/0/category", "\"server\"");
    assert_text(&f, "/state_delta/assert/0/source", "{\"source_type\":\"server\"}");
    assert_text(&f, "/state_delta/assert/1/t", /* P-INV-7 */
                "{\"end\":\"_\",\"start\":\"2026-07-04T05:00:00Z\"}");
    assert_int_equal(at(&f, "/state_delta/assert")->count, 2); /* P-DELTA-10: not `secret` */
    assert_text(&f, "/observability/summary", "\"Vented.\"");
    assert_text(&f, "/observability/events/0/action", "\"echo_it\""); /* T-MCP-10 */
    assert_text(&f, "/observability/events/0/status", "\"success\"");
    assert_text(&f, "/next/suggested_intents",
                "[{\"description\":\"Look again.\",\"name\":\"inspect\","
                "\"params\":{\"zone\":\"b\"}}]");
    assert_text(&f, "/next/continuation_facts",
                "[{\"args\":[\"b\",1],\"pred\":\"vent\"}]");              /* D-49 */
    assert_string_equal(f.progress_words, "started running finalizing "); /* T-MCP-30 */
    close_fixture(&f);
}

static void test_facts_of_tools_are_merged_in_step_order(void **state)
{
    (void)state;
    static const struct plan plan[] = {
        { "a", ACT_PUT,
          "{\"slot\":0,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":[{"
          "\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[\\\"x\\\",1],\\\"category\\\":\\\"server\\\"},{\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[\\\"y\\\",1],\\\"category\\\":\\\"server\\\"}]}\"}",
          ON_FAILURE_STOP },
        { "b", ACT_PUT,
          "{\"slot\":1,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"retract\\\":[{"
          "\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[\\\"x\\\",null]}],\\\"assert\\\":[{\\\"pred\\\":\\\"vent\\\","
          "\\\"args\\\":[\\\"y\\\",1],\\\"category\\\":\\\"server\\\"}]}\"}",
          ON_FAILURE_STOP },
        { "c", ACT_PUT,
          "{\"slot\":1,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":[{"
          "\\\"pred\\\":"
          "\\\"vent\\\",\\\"args\\\":[1]}]}\"}",
          ON_FAILURE_CONTINUE },
        { "d", ACT_PUT, "{\"slot\":1,\"type\":\"manglecp.state_delta\",\"content\":\"[]\"}",
          ON_FAILURE_CONTINUE },
    };
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "put", plan, 4), false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    assert_int_equal(at(&f, "/state_delta/assert")->count, 1); /* T-MCP-24, T-MCP-25 */
    assert_text(&f, "/state_delta/assert/0/args", "[\"y\",1]");
    assert_text(&f, "/state_delta/retract/0/args", "[\"x\",null]");
    assert_text(&f, "/observability/events/1/status", "\"success\"");
    assert_text(&f, "/observability/events/2/status", "\"failure\""); /* invalid facts */
    assert_text(&f, "/observability/events/3/status", "\"failure\"");
    close_fixture(&f);
}

static void test_many_facts_are_rolled_up(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.snapshot->settings.max_asserts = 5;
    struct buf content = { 0 }, inputs = { 0 };
    mgi_buf_puts(&content, "{\"assert\":[");
    for (int i = 0; i < 40; i++)
        mgi_buf_printf(&content,
                       "%s{\"pred\":\"vent\",\"args\":[\"z%d\",1],\"category\":\"server\"}",
                       i ? "," : "", i);
    mgi_buf_puts(&content, "]}");
    struct json_writer w;
    mgi_json_writer_init(&w, &inputs, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "slot", 0);
    mgi_jw_member_cstr(&w, "type", "manglecp.state_delta");
    mgi_jw_member_str(&w, "content", mgi_buf_view(&content));
    mgi_jw_end_object(&w);
    struct plan plan = { "a", ACT_PUT, inputs.ptr, ON_FAILURE_STOP };
    offer(&f, make_tool(&f, "put", &plan, 1), false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    assert_int_equal(at(&f, "/state_delta/assert")->count, 1); /* P-OBS-3, P-OBS-4 */
    assert_text(&f, "/state_delta/assert/0/pred", "\"bulk_change\"");
    assert_text(&f, "/state_delta/assert/0/args", "[\"vent\",40]");
    mgi_buf_fini(&content);
    mgi_buf_fini(&inputs);
    close_fixture(&f);
}

/* ---- failures ---------------------------------------------------------------------------------
 */

static void test_a_failed_step_is_told_by_its_rule(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                           { "b", ACT_FAIL, "{}", ON_FAILURE_CONTINUE },
                           { "c", ACT_ECHO, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    struct tool *t = make_tool(&f, "echo", plan, 3);
    offer(&f, t, false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_OK);                                /* T-MCP-9 */
    assert_text(&f, "/observability/events/1/status", "\"failure\""); /* P-OBS-11 */
    assert_text(&f, "/observability/events/1/detail", "\"boom\"");
    assert_text(&f, "/observability/events/2/status", "\"success\"");

    t->steps[1].on_failure = ON_FAILURE_STOP;
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED); /* row 124, T-MCP-8 */
    assert_text(&f, "/reason", "\"tool_error\"");
    assert_text(&f, "/failed_step", "1");
    assert_text(&f, "/completed_steps", "[\"a\"]");
    assert_text(&f, "/observability/events/2/status", "\"skipped\"");
    close_fixture(&f);
}

static void test_a_result_that_breaks_its_schema_is_a_failure(void **state)
{
    (void)state;
    struct fixture f;
    struct schema_issues issues;
    open_fixture(&f);
    mgi_schema_issues_init(&issues, &f.arena, 0);
    struct json text = parse(&f, "{\"required\":[\"final\"]}");
    struct schema *schema = mgi_schema_compile(&text, 0, &issues);
    struct tool *t = make_tool(&f, "echo", echo_plan, 1);
    t->output = schema;
    offer(&f, t, false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED); /* P-INV-9, D-50 */
    assert_text(&f, "/reason", "\"bad_output\"");
    t->output = NULL;

    struct action strict = actions[ACT_ECHO]; /* T-INP-7: the server checks for the host */
    strict.input_schema = schema;
    t->steps[0].action = &strict;
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
    assert_text(&f, "/reason", "\"tool_error\"");
    strict.input_schema = NULL;
    strict.output_schema = schema;
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_text(&f, "/reason", "\"bad_output\"");
    mgi_schema_free(schema);
    close_fixture(&f);
}

static void test_time_runs_out(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_SLEEP, "{\"ms\":20000,\"poll\":1}", ON_FAILURE_CONTINUE },
                           { "b", ACT_ECHO, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    f.snapshot->settings.invocation_timeout_ms = 700;
    offer(&f, make_tool(&f, "sleep", plan, 2), false, INT64_MIN, INT64_MAX);
    run(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f.code, WIRE_EXECUTION_FAILED); /* T-MCP-28 */
    assert_text(&f, "/reason", "\"timeout\"");
    assert_text(&f, "/observability/events/1/status", "\"skipped\"");
    close_fixture(&f);
}

static void test_a_cancelled_invocation_says_what_it_did(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                           { "b", ACT_SLEEP, "{\"ms\":20000,\"poll\":1}", ON_FAILURE_STOP },
                           { "c", ACT_ECHO, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", plan, 3), false, INT64_MIN, INT64_MAX);
    assert_true(start(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}"));
    assert_true(mgi_invoke_harmless(f.running)); /* T-MCP-29 */
    for (int i = 0; i < 100 && f.percent < 30; i++) {
        uv_run(&f.loop, UV_RUN_NOWAIT);
        usleep(10000);
    }
    mgi_invoke_cancel(f.running);
    while (!f.done)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(f.code, WIRE_CANCELLED); /* P-CONC-7, D-24 */
    assert_text(&f, "/completed_steps", "[\"a\"]");

    assert_true(start(&f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}"));
    mgi_invoke_cancel(f.running); /* before it began */
    while (!f.done)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(f.code, WIRE_CANCELLED);
    assert_text(&f, "/completed_steps", "[]");
    close_fixture(&f);
}

/* ---- confirmation -----------------------------------------------------------------------------
 */

static struct str challenge(struct fixture *f)
{
    run(f, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}");
    assert_int_equal(f->code, WIRE_CONFIRMATION_REQUIRED);
    assert_text(f, "/side_effects", "[\"process\"]");
    assert_text(f, "/reversible", "false");
    assert_text(f, "/show/args", "{\"zone\":\"b\"}"); /* P-CONF-3 */
    assert_text(f, "/show/description", "\"What the user is shown.\"");
    return at(f, "/challenge")->string;
}

static void run_with(struct fixture *f, const char *zone, struct str token)
{
    char payload[900];
    snprintf(payload, sizeof payload,
             "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"%s\"},\"confirmation_token\":\"%.*s\"}",
             zone, STR_ARG(token));
    run(f, payload);
}

static void test_a_signed_challenge_confirms_once(void **state)
{
    (void)state;
    struct plan plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
                           { "b", ACT_SPAWN, "{}", ON_FAILURE_STOP } };
    struct fixture f;
    open_fixture(&f);
    f.has_key = true;
    offer(&f, make_tool(&f, "echo", plan, 2), true, INT64_MIN, INT64_MAX);
    struct str c = challenge(&f);
    run_with(&f, "b", c); /* the challenge alone proves nothing */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    struct str token = mgi_confirmation_sign(&f.arena, c, STR_LIT(KEY));
    run_with(&f, "c", token); /* row 122: other arguments */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"mismatch\"");
    f.who.identity = STR_LIT("bob"); /* somebody else's tool of the same id */
    offer(&f, f.snapshot->tools, true, INT64_MIN, INT64_MAX);
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    f.who.identity = STR_LIT("ann");
    run_with(&f, "b", mgi_confirmation_sign(&f.arena, c, STR_LIT("another key of this length")));
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    run_with(&f, "b", token); /* P-CONF-2; rejections did not spend it (D-46) */
    if (f.code)
        fail_msg("%s %s", f.message, f.payload);
    run_with(&f, "b", token); /* row 123, P-CONF-4 */
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"used\"");

    token = mgi_confirmation_sign(&f.arena, challenge(&f), STR_LIT(KEY));
    f.clock_ns += 301 * NS_PER_SEC;
    run_with(&f, "b", token);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    assert_text(&f, "/reason", "\"expired\"");
    close_fixture(&f);
}

static void test_an_approved_challenge_confirms_once(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    offer(&f, make_tool(&f, "echo", echo_plan, 1), true, INT64_MIN, INT64_MAX);
    struct str c = challenge(&f);
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID); /* nobody approved it */
    f.approve = true;
    char *forged = mgi_arena_printf(&f.arena, "%.*s", STR_ARG(c));
    forged[c.len - 1] = forged[c.len - 1] == 'A' ? 'E' : 'A';
    run_with(&f, "b", str_of(forged));
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_OK);
    run_with(&f, "b", c);
    assert_int_equal(f.code, WIRE_CONFIRMATION_INVALID);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gates_answer_in_their_order),
        cmocka_unit_test(test_all_faults_of_the_arguments_are_reported),
        cmocka_unit_test(test_the_window_is_judged_by_the_servers_clock),
        cmocka_unit_test(test_a_chain_answers_with_result_delta_and_next),
        cmocka_unit_test(test_facts_of_tools_are_merged_in_step_order),
        cmocka_unit_test(test_many_facts_are_rolled_up),
        cmocka_unit_test(test_a_failed_step_is_told_by_its_rule),
        cmocka_unit_test(test_a_result_that_breaks_its_schema_is_a_failure),
        cmocka_unit_test(test_time_runs_out),
        cmocka_unit_test(test_a_cancelled_invocation_says_what_it_did),
        cmocka_unit_test(test_a_signed_challenge_confirms_once),
        cmocka_unit_test(test_an_approved_challenge_confirms_once),
    };
    signal(SIGPIPE, SIG_IGN);
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 0); /* sanitizers reserve address space */
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
