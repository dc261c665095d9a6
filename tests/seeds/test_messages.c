/* The JSON that the founding documents print as examples is accepted, and means what they say. The
 * examples stand in text/ as printed (see seed_text.h). What is schematic there ("<string>", a
 * comment in place of members) is no example and not here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>

#include "base/time.h"
#include "mangle/value/value.h"
#include "protocol/envelope.h"
#include "protocol/fact.h"
#include "protocol/schema.h"
#include "protocol/wire_time.h"
#include "seed_text.h"
#include "support/mangle_run.h"

#define HALF_PAST_TWO (INT64_C(1771511400) * NS_PER_SEC) /* 2026-02-19T14:30:00Z */
#define ALL_TIMES     (WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS)

/* ---- a profile that fits ------------------------------------------------------------------- */

static enum arg_type console_types[] = { ARG_STRING, ARG_STRING, ARG_STRING, ARG_NUMBER };
static struct str console_names[] = {
    { "session_id", 10 }, { "level", 5 }, { "message", 7 }, { "timestamp", 9 }
};
static const struct pred_schema schemas[] = {
    { .predicate = { "completed_phase", 15 }, .arity = 2 },
    { .predicate = { "console_event", 13 },
      .arity = 4,
      .arg_types = console_types,
      .arg_names = console_names,
      .temporal = true },
    { .predicate = { "diagnosed_error", 15 }, .arity = 2 },
    { .predicate = { "files_modified", 14 }, .arity = 1 },
    { .predicate = { "fix_candidate", 13 }, .arity = 2 },
    { .predicate = { "phase_status", 12 }, .arity = 3 },
    { .predicate = { "sample", 6 }, .arity = 1, .temporal = true },
    { .predicate = { "undiagnosed_error", 17 }, .arity = 1 },
};
static const struct pred_schema short_console = { .predicate = { "console_event", 13 },
                                                  .arity = 2,
                                                  .temporal = true };

struct fixture {
    struct arena arena;
    mangle_values *values;
    struct fact_profile profile;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    mgi_arena_init(&f->arena, 0);
    f->values = mgi_values_new(NULL, 0);
    f->profile = (struct fact_profile){ .schemas = schemas,
                                        .count = sizeof schemas / sizeof *schemas,
                                        .closed = true,
                                        .time_formats = ALL_TIMES,
                                        .named_args = true };
    *state = f;
    return f->values ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    mgi_values_free(f->values);
    mgi_arena_fini(&f->arena);
    free(f);
    return 0;
}

/* ---- reading the examples ------------------------------------------------------------------ */

static struct json parse(struct fixture *f, const char *text)
{
    struct json v;
    struct json_error error;
    const char *kept = mgi_arena_strdup(&f->arena, text);
    if (mgi_json_parse(&f->arena, str_of(kept), NULL, &v, &error) != JSON_OK)
        fail_msg("%s in\n%s", error.message, text);
    return v;
}

static struct json parse_file(struct fixture *f, const char *name)
{
    char *text = seed_file("text", name, strlen(name));
    assert_non_null(text);
    struct json v = parse(f, text);
    free(text);
    return v;
}

/* Line `n` of a list of forms with `from` replaced; NULL past the end. The caller's. */
static char *form(const char *name, int n, const char *from, const char *to)
{
    char *text = seed_file("text", name, strlen(name));
    char *line = seed_line(text, n);
    free(text);
    return line && from ? seed_replace(line, from, to) : line;
}

static struct json object_in_array(struct fixture *f, struct json v)
{
    struct json *item = mgi_arena_alloc(&f->arena, sizeof *item);
    *item = v;
    return (struct json){ .type = JSON_ARRAY, .count = 1, .items = item };
}

static struct fact_list decode(struct fixture *f, const struct fact_rules *rules,
                               const struct json *facts)
{
    static const struct fact_rules none;
    struct fact_list list;
    assert_non_null(facts);
    assert_true(mgi_facts_decode(&f->arena, f->values, &f->profile, rules ? rules : &none, facts,
                                 HALF_PAST_TWO, &list));
    return list;
}

/* All of `facts` are fine; `count` of them. */
static const struct wire_fact *accept(struct fixture *f, const struct fact_rules *rules,
                                      const struct json *facts, size_t count)
{
    struct fact_list list = decode(f, rules, facts);
    if (list.fault_count)
        fail_msg("%s: %s", list.violations[0].issue, list.violations[0].message);
    assert_int_equal(list.count, count);
    return list.facts;
}

static void check_text(struct fixture *f, mangle_value v, const char *want)
{
    char *got = mangle_value_print(f->values, v, MANGLE_CANONICAL, NULL);
    assert_string_equal(got, want);
    mangle_free(got);
}

/* ---- data model ---------------------------------------------------------------------------- */

static void test_named_arguments_are_the_positional_ones(void **state) /* 2.4, P-FACT-12 */
{
    struct fixture *f = *state;
    struct json named = object_in_array(f, parse_file(f, "data-model-2.4-named.json"));
    struct json positional = object_in_array(f, parse_file(f, "data-model-2.4-positional.json"));
    const struct wire_fact *a = accept(f, NULL, &named, 1), *b = accept(f, NULL, &positional, 1);
    assert_int_equal(a->count, 4);
    assert_memory_equal(a->args, b->args, 4 * sizeof *a->args);
    assert_memory_equal(&a->t, &b->t, sizeof a->t);
    assert_int_equal(a->t.start_ns, HALF_PAST_TWO);
    assert_int_equal(a->t.end_ns, HALF_PAST_TWO);
    check_text(f, a->args[0], "\"s1\"");
    check_text(f, a->args[2], "\"TypeError: Cannot read properties of null\"");
    check_text(f, a->args[3], "1771510200000");
}

/* What the engine makes of a Mangle expression, as canonical text; the caller's (mangle_free). */
static char *mangle_text(const char *expression)
{
    char program[256];
    snprintf(program, sizeof program, "given(%s). value(V) :- given(V).", expression);
    return run_text(program, NULL);
}

static void test_json_values_are_the_mangle_values_beside_them(void **state) /* 3.1, D-10 */
{
    struct fixture *f = *state;
    const char *issue, *why;
    for (int n = 1; n <= 6; n++) {
        char *text = form("data-model-3.1-json.txt", n, NULL, NULL), line[256];
        char *beside = form("data-model-3.1-mangle.txt", n, NULL, NULL);
        struct json v = parse(f, text);
        mangle_value value =
            mgi_value_from_json(f->values, &v, false, false, &f->arena, &issue, &why);
        char *got = mangle_value_print(f->values, value, MANGLE_CANONICAL, NULL);
        char *want = mangle_text(beside);
        snprintf(line, sizeof line, "value(%s).\n", got);
        assert_string_equal(line, want);
        mangle_free(got);
        mangle_free(want);
        free(text);
        free(beside);
    }
    char *text = form("data-model-3.1-json.txt", 7, NULL, NULL); /* null, the wildcard: P-FACT-22 */
    struct json v = parse(f, text);
    assert_int_equal(mgi_value_from_json(f->values, &v, false, true, &f->arena, &issue, &why),
                     MANGLE_NONE);
    assert_null(issue);
    mgi_value_from_json(f->values, &v, false, false, &f->arena, &issue, &why);
    assert_string_equal(issue, "non_ground_argument"); /* D-14 */
    free(text);
}

static void test_integers_beyond_doubles_are_wrapped(void **state) /* 3.2, P-FACT-19 */
{
    struct fixture *f = *state;
    const char *issue, *why;
    char *text = form("data-model-3.2.txt", 1, NULL, NULL);
    struct json v = parse(f, text);
    mangle_value value = mgi_value_from_json(f->values, &v, false, false, &f->arena, &issue, &why);
    check_text(f, value, "9007199254740993");
    free(text);
}

static void test_variables_are_no_values_of_facts(void **state) /* 3.3, D-14 */
{
    struct fixture *f = *state;
    const char *issue, *why;
    struct json v = parse_file(f, "data-model-3.3.json");
    assert_int_equal(mgi_value_from_json(f->values, &v, false, false, &f->arena, &issue, &why),
                     MANGLE_NONE);
    assert_string_equal(issue, "non_ground_argument");
}

static struct mangle_interval interval(struct fixture *f, const char *text)
{
    struct mangle_interval t = { 1, 0 };
    const char *issue, *why;
    struct json v = parse(f, text);
    if (!mgi_wire_interval(&v, ALL_TIMES, HALF_PAST_TWO + 7, &t, &issue, &why))
        fail_msg("%s: %s: %s", text, issue, why);
    return t;
}

/* 4.1 and 4.2: every form with every kind of time. */
static void test_annotations_have_the_printed_forms(
    void **state) /* P-TIME-1 P-TIME-2 P-TIME-3 P-TIME-7 */
{
    struct fixture *f = *state;
    const int64_t instants[] = { HALF_PAST_TWO, INT64_C(1771510200000) * NS_PER_MS, 0,
                                 HALF_PAST_TWO + 7 };
    const struct {
        bool starts, ends;
    } kinds[] = { { true, true }, { true, true }, { true, false }, { false, true } };
    for (int time = 1; time <= 4; time++) {
        char *instant = form("data-model-4.2.txt", time, NULL, NULL);
        for (int n = 1; n <= 4 && time != 3; n++) {
            char *text = form("data-model-4.1-json.txt", n, "<Time>", instant);
            struct mangle_interval t = interval(f, text);
            assert_int_equal(t.start_ns,
                             kinds[n - 1].starts ? instants[time - 1] : MANGLE_MIN_TIME);
            assert_int_equal(t.end_ns, kinds[n - 1].ends ? instants[time - 1] : MANGLE_MAX_TIME);
            free(text);
        }
        free(instant);
    }
    char *open = form("data-model-4.2.txt", 3, NULL, NULL);
    char *text = form("data-model-4.1-json.txt", 1, "<Time>", open);
    struct mangle_interval t = interval(f, text);
    assert_int_equal(t.start_ns, MANGLE_MIN_TIME);
    assert_int_equal(t.end_ns, MANGLE_MAX_TIME);
    free(text);
    free(open);
}

static void test_the_white_papers_annotations_too(void **state) /* "Time"; P-TIME-4 D-21 */
{
    struct fixture *f = *state;
    char *nanos = form("white-paper-facts.txt", 3, "<int64>", "1771511400000000001");
    char *both = form("white-paper-facts.txt", 1, "<Time \\| \"_\">", "\"_\"");
    char *text = seed_replace(both, "<Time>", nanos);
    char *at = form("white-paper-facts.txt", 2, "<Time>", nanos);
    assert_int_equal(interval(f, text).start_ns, HALF_PAST_TWO + 1);
    assert_int_equal(interval(f, text).end_ns, MANGLE_MAX_TIME);
    assert_int_equal(interval(f, at).end_ns, HALF_PAST_TWO + 1);
    free(nanos);
    free(text);
    free(at);
}

/* 4.6: from the client's message to the tool. */
static void test_an_event_of_the_last_five_minutes_opens_the_tool(void **state) /* M-TEMP-100 */
{
    struct fixture *f = *state;
    const struct {
        int64_t after_s, nanos;
        bool holds;
    } rows[] = {
        { 240, 0, true }, { 300, 0, true }, { 300, 1, false }, { 360, 0, false }, { -60, 0, false }
    };
    char *rule = seed_file("text", "data-model-4.6-rule.mg", 22), program[512];
    snprintf(program, sizeof program, "Decl console_event(S, L) temporal.\n%s", rule);
    struct json facts = object_in_array(f, parse_file(f, "data-model-4.6-fact.json"));
    f->profile.schemas = &short_console;
    f->profile.count = 1;
    struct run_options options = { .changeable = run_changes_all };
    struct mangle_run run = mangle_run(program, &options);
    assert_int_equal(run.status, MANGLE_OK);
    mangle_pred event = mangle_pred_find(run.program, "console_event", 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fact_list list;
        mangle_overlay_reset(run.overlay);
        assert_true(mgi_facts_decode(&f->arena, mangle_overlay_values(run.overlay), &f->profile,
                                     &(struct fact_rules){ 0 }, &facts, 0, &list));
        assert_int_equal(list.fault_count, 0);
        assert_int_equal(
            mangle_overlay_add(run.overlay, event, list.facts[0].args, 2, &list.facts[0].t, NULL),
            MANGLE_OK);
        int64_t now = HALF_PAST_TWO + rows[i].after_s * NS_PER_SEC + rows[i].nanos;
        assert_int_equal(mangle_overlay_eval(run.overlay, now, NULL, NULL, NULL), MANGLE_OK);
        char *got = mangle_run_text(&run);
        assert_string_equal(got, rows[i].holds ? "macro_tool(\"diagnose_error\",\"full\").\n" : "");
        mangle_free(got);
    }
    mangle_run_end(&run);
    free(rule);
}

static void test_every_kind_of_source_is_accepted(void **state) /* 5.1, 5.2; P-PROV-1 P-PROV-2 */
{
    struct fixture *f = *state;
    for (int n = 1; n <= 6; n++) {
        char text[256], *type = form("data-model-5.2.txt", n, NULL, NULL);
        snprintf(text, sizeof text,
                 "[{\"pred\":\"sample\",\"args\":[1],\"source\":{\"source_type\":%s,"
                 "\"source_id\":null,\"asserted_at\":\"2026-02-19T14:30:05Z\"}}]",
                 type);
        struct json facts = parse(f, text);
        const struct wire_fact *fact = accept(f, NULL, &facts, 1);
        assert_int_equal(fact->source_type.len, strlen(type) - 2);
        assert_memory_equal(fact->source_type.ptr, type + 1, strlen(type) - 2);
        free(type);
    }
}

/* ---- macro-tools --------------------------------------------------------------------------- */

static bool fits(struct fixture *f, const struct schema *schema, const char *text)
{
    struct json v = parse(f, text);
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &f->arena, 0);
    return mgi_schema_validate(schema, &v, &issues);
}

static struct schema *compile(struct fixture *f, const struct json *json)
{
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &f->arena, 0);
    assert_non_null(json);
    struct schema *schema = mgi_schema_compile(json, 0, &issues);
    if (!schema)
        fail_msg("%s: %s", issues.items[0].path, issues.items[0].message);
    return schema;
}

static void test_the_macro_tools_schemas_are_enforced(void **state) /* 6; D-43 */
{
    struct fixture *f = *state;
    struct json tool = parse_file(f, "tools-6.json"), args = parse(f, "{\"phase_id\": 2}"), whole;
    const struct json *input = mgi_json_get(&tool, "input_schema");
    struct schema *in = compile(f, input), *out = compile(f, mgi_json_get(&tool, "output_schema"));
    assert_true(fits(f, in, "{\"phase_id\": 2, \"dry_run\": true}"));
    assert_false(fits(f, in, "{\"dry_run\": true}"));
    assert_false(fits(f, in, "{\"phase_id\": \"2\"}"));
    assert_false(fits(f, in, "{\"phase_id\": 2, \"dry_run\": \"yes\"}"));
    assert_true(mgi_schema_defaults(&f->arena, input, &args, &whole));
    const struct json *dry = mgi_json_get(&whole, "dry_run");
    assert_true(dry && dry->type == JSON_BOOL && !dry->boolean);
    assert_true(fits(f, out, "{\"files_created\": [\"a.go\"], \"status\": \"done\"}"));
    assert_false(fits(f, out, "{\"files_created\": [1]}"));
    mgi_schema_free(in);
    mgi_schema_free(out);
}

/* ---- invocation ---------------------------------------------------------------------------- */

static const struct fact_rules asserted = { .accept_output = true, .need_category = true };
static const struct fact_rules retracted = { .accept_output = true, .patterns = true };

static void test_a_state_delta_asserts_and_retracts(void **state) /* 4.2; P-DELTA-1 P-DELTA-2 */
{
    struct fixture *f = *state;
    struct json delta = parse_file(f, "invocation-4.2.json");
    const struct wire_fact *a = accept(f, &asserted, mgi_json_get(&delta, "assert"), 1);
    const struct wire_fact *r = accept(f, &retracted, mgi_json_get(&delta, "retract"), 1);
    check_text(f, a->args[2], "\"done\"");
    assert_true(a->category.len == 6 && memcmp(a->category.ptr, "server", 6) == 0);
    assert_true(a->source_type.len == 6 && memcmp(a->source_type.ptr, "server", 6) == 0);
    check_text(f, r->args[2], "\"in_progress\"");
    assert_int_equal(a->args[0], r->args[0]);
    assert_int_equal(a->args[1], r->args[1]);
}

/* The parts of a text in which comments stand between values. */
static size_t split_values(struct fixture *f, const char *name, struct json *out, size_t cap)
{
    char *text = seed_file("text", name, strlen(name)), *rest = text;
    size_t count = 0;
    struct buf part;
    assert_non_null(text);
    mgi_buf_init(&part);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        bool comment = strncmp(line, "//", 2) == 0;
        if (!comment)
            mgi_buf_printf(&part, "%s\n", line);
        if ((comment || !rest) && part.len > 1) {
            assert_true(count < cap);
            out[count++] = parse(f, part.ptr);
            mgi_buf_clear(&part);
        }
    }
    mgi_buf_fini(&part);
    free(text);
    return count;
}

static void test_null_retracts_any_value(void **state) /* 4.4; P-FACT-22 P-DELTA-4 */
{
    struct fixture *f = *state;
    struct json patterns[4];
    assert_int_equal(split_values(f, "invocation-4.4.json", patterns, 4), 3);
    for (size_t i = 0; i < 3; i++) {
        struct json array = object_in_array(f, patterns[i]);
        const struct wire_fact *r = accept(f, &retracted, &array, 1);
        check_text(f, r->args[0], "\"spec-001\"");
        assert_int_equal(r->args[1] == MANGLE_NONE, i == 2);
        assert_int_equal(r->args[2] == MANGLE_NONE, i >= 1);
    }
}

static void test_continuation_facts_are_facts_of_the_next_intent(void **state) /* 6.3 */
{
    struct fixture *f = *state;
    struct json next = parse_file(f, "invocation-6.3.json");
    const struct wire_fact *facts = accept(f, NULL, mgi_json_get(&next, "continuation_facts"), 2);
    check_text(f, facts[0].args[1], "2");
    check_text(f, facts[1].args[0], "\"src/routes/router.go\"");
}

static struct envelope open_envelope(struct fixture *f, const char *text, enum envelope_side side)
{
    struct envelope e;
    struct wire_error error = { 0 };
    const char *kept = mgi_arena_strdup(&f->arena, text);
    if (!mgi_envelope_parse(&f->arena, str_of(kept), 0, 0, side, &e, &error))
        fail_msg("refused: %s", text);
    return e;
}

static void test_progress_messages_are_read(void **state) /* 7.4, P-PROG-1 */
{
    struct fixture *f = *state;
    const int percents[] = { 40, 75, 95 };
    for (int n = 1; n <= 3; n++) {
        char *text = form("invocation-7.4.json", n, NULL, NULL);
        struct envelope e = open_envelope(f, text, FROM_SERVER);
        assert_int_equal(e.type, MSG_PROGRESS);
        assert_memory_equal(e.id.ptr, "inv-001", e.id.len);
        assert_int_equal(mgi_json_get(e.payload, "percent")->integer, percents[n - 1]);
        free(text);
    }
}

static struct envelope open_file(struct fixture *f, const char *name, enum envelope_side side)
{
    char *text = seed_file("text", name, strlen(name));
    assert_non_null(text);
    struct envelope e = open_envelope(f, text, side);
    free(text);
    return e;
}

static void test_the_invocation_cycle_is_read(void **state) /* 9 */
{
    struct fixture *f = *state;
    struct envelope request = open_file(f, "invocation-9-request.json", FROM_CLIENT);
    assert_int_equal(request.type, MSG_INVOKE_REQUEST);
    int64_t ns = 0;
    assert_int_equal(
        mgi_wire_time(mgi_json_get(request.payload, "eval_time"), WIRE_TIME_RFC3339, &ns, NULL),
        WIRE_TIME_INSTANT);
    assert_int_equal(ns, HALF_PAST_TWO + 10 * NS_PER_SEC);

    struct envelope answer = open_file(f, "invocation-9-response.json", FROM_SERVER);
    assert_int_equal(answer.type, MSG_INVOKE_RESPONSE);
    assert_int_equal(answer.id.len, request.id.len);
    assert_memory_equal(answer.id.ptr, request.id.ptr, request.id.len);
    const struct json *delta = mgi_json_get(answer.payload, "state_delta");
    const struct json *next = mgi_json_get(answer.payload, "next");
    const struct wire_fact *a = accept(f, &asserted, mgi_json_get(delta, "assert"), 2);
    accept(f, &retracted, mgi_json_get(delta, "retract"), 1);
    const struct wire_fact *c = accept(f, NULL, mgi_json_get(next, "continuation_facts"), 2);
    for (size_t i = 0; i < 2; i++) /* the client sends on what it was told */
        assert_memory_equal(a[i].args, c[i].args, 2 * sizeof *a[i].args);
    assert_true(mgi_json_get(mgi_json_get(answer.payload, "result"), "confidence")->number == 0.92);
}

/* ---- all of them --------------------------------------------------------------------------- */

static void test_every_example_reads_back_as_it_was_written(void **state)
{
    struct fixture *f = *state;
    size_t seen = 0;
    glob_t found;
    assert_int_equal(glob(SEED_FOLDER "text/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        struct json values[8], again;
        if (strncmp(name, "toolhost-", 9) == 0 || strcmp(name, "invocation-7.4.json") == 0)
            continue; /* with "..." or many on a page; read elsewhere */
        size_t count = split_values(f, name, values, 8);
        for (size_t n = 0; n < count; n++, seen++) {
            struct buf text = { 0 };
            struct json_writer w;
            mgi_json_writer_init(&w, &text, 0);
            mgi_jw_value(&w, &values[n]);
            again = parse(f, text.ptr);
            assert_true(mgi_json_equal(&values[n], &again, true));
            mgi_buf_fini(&text);
        }
    }
    globfree(&found);
    assert_true(seen >= 16);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_named_arguments_are_the_positional_ones),
        TEST(test_json_values_are_the_mangle_values_beside_them),
        TEST(test_integers_beyond_doubles_are_wrapped),
        TEST(test_variables_are_no_values_of_facts),
        TEST(test_annotations_have_the_printed_forms),
        TEST(test_the_white_papers_annotations_too),
        TEST(test_an_event_of_the_last_five_minutes_opens_the_tool),
        TEST(test_every_kind_of_source_is_accepted),
        TEST(test_the_macro_tools_schemas_are_enforced),
        TEST(test_a_state_delta_asserts_and_retracts),
        TEST(test_null_retracts_any_value),
        TEST(test_continuation_facts_are_facts_of_the_next_intent),
        TEST(test_progress_messages_are_read),
        TEST(test_the_invocation_cycle_is_read),
        TEST(test_every_example_reads_back_as_it_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
