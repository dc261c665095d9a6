/* The protocol's own encoding of values and times, form by form. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "mangle/value/value.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"

struct decoded {
    char text[200]; /* file form, or "issue: …" */
    bool wildcard;
};

static struct decoded decode_value(const char *json, bool pattern)
{
    struct decoded d = { .wildcard = false };
    struct arena arena;
    struct json root;
    mangle_values *t = mgi_values_new(NULL, 0);
    const char *issue, *why;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(json), NULL, &root, NULL), JSON_OK);
    mangle_value v = mgi_value_from_json(t, &root, false, pattern, &arena, &issue, &why);
    if (issue) {
        snprintf(d.text, sizeof d.text, "issue: %s", issue);
    } else if (v == MANGLE_NONE) {
        d.wildcard = true;
    } else {
        char *text = mangle_value_print(t, v, MANGLE_FILE, NULL);
        snprintf(d.text, sizeof d.text, "%s", text);
        mangle_free(text);
    }
    mgi_arena_fini(&arena);
    mgi_values_free(t);
    return d;
}

static void test_values(void **state) /* M-IO-70 */
{
    (void)state;
    static const char *const rows[][2] = {
        { "\"x\"", "\"x\"" },
        { "\"/x\"", "\"/x\"" },
        { "7", "7" },
        { "-9007199254740991", "-9007199254740991" },
        { "7.0", "7.0" },
        { "7e0", "7.0" },
        { "0.5", "0.5" },
        { "true", "/true" },
        { "false", "/false" },
        { "[1, [\"a\"]]", "[1, [\"a\"]]" },
        { "[]", "[]" },
        { "{\"k\": 1}", "[\"k\" : 1]" },
        { "{\"/k\": {}}", "[\"/k\" : fn:map()]" },
        { "{}", "fn:map()" },
        { "{\"_type\": \"int64\", \"value\": \"9223372036854775807\"}", "9223372036854775807" },
        { "{\"_type\": \"int64\", \"value\": \"-1\"}", "-1" },
        { "{\"_type\": \"float\", \"value\": \"1\"}", "issue: bad_typed_value" },
        { "null", "issue: non_ground_argument" },
        { "[null]", "issue: non_ground_argument" },
        { "{\"_var\": \"X\"}", "issue: non_ground_argument" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(decode_value(rows[i][0], false).text, rows[i][1]);
    assert_true(decode_value("null", true).wildcard);
    assert_false(decode_value("[null]", true).wildcard);
    assert_string_equal(decode_value("[null]", true).text, "issue: non_ground_argument");
}

#define NOW 42

static bool decode_interval(const char *json, struct mangle_interval *out)
{
    struct arena arena;
    struct json root;
    const char *issue, *why;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(json), NULL, &root, NULL), JSON_OK);
    bool good = mgi_wire_interval(
        &root, WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS, NOW, out, &issue, &why);
    assert_int_equal(good, issue == NULL);
    mgi_arena_fini(&arena);
    return good;
}

static void test_times(void **state) /* M-IO-71 */
{
    (void)state;
    static const struct {
        const char *t;
        int64_t start, end;
    } rows[] = {
        { "{\"at\": \"1970-01-01T00:00:02Z\"}", 2000000000, 2000000000 },
        { "{\"at\": 1500}", 1500000000, 1500000000 },
        { "{\"at\": -1}", -1000000, -1000000 },
        { "{\"at\": {\"nanos\": 7}}", 7, 7 },
        { "{\"at\": \"now\"}", NOW, NOW },
        { "{\"start\": \"_\", \"end\": 1}", MANGLE_MIN_TIME, 1000000 },
        { "{\"start\": {\"nanos\": 1}, \"end\": \"_\"}", 1, MANGLE_MAX_TIME },
        { "{\"start\": \"_\", \"end\": \"_\"}", MANGLE_MIN_TIME, MANGLE_MAX_TIME },
        { "{\"start\": {\"nanos\": -3}, \"end\": \"now\"}", -3, NOW },
    };
    struct mangle_interval got;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(decode_interval(rows[i].t, &got));
        assert_int_equal(got.start_ns, rows[i].start);
        assert_int_equal(got.end_ns, rows[i].end);
    }
    assert_false(decode_interval("{\"at\": 1.5}", &got));
    assert_false(decode_interval("{\"at\": \"tomorrow\"}", &got));
    assert_false(decode_interval("{\"start\": 2, \"end\": 1}", &got));
}

/* M-IO-71: a missing annotation on a temporal predicate is @[_, _] */
static void test_no_time_is_always(void **state)
{
    (void)state;
    enum arg_type any = ARG_ANY;
    struct str names[] = { STR_LIT("x") };
    struct pred_schema schema = { .predicate = STR_LIT("e"),
                                  .arity = 1,
                                  .arg_types = &any,
                                  .arg_is_name = (bool[]){ false },
                                  .arg_names = names,
                                  .temporal = true };
    struct fact_profile profile = {
        .schemas = &schema, .count = 1, .time_formats = WIRE_TIME_RFC3339, .max_violations = 9
    };
    struct arena arena;
    struct json root;
    struct fact_list list;
    mangle_values *t = mgi_values_new(NULL, 0);
    mgi_arena_init(&arena, 0);
    assert_int_equal(
        mgi_json_parse(&arena, STR_LIT("[{\"pred\":\"e\",\"args\":[1]}]"), NULL, &root, NULL),
        JSON_OK);
    assert_true(mgi_facts_decode(&arena, t, &profile, NULL, &root, NOW, &list));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.facts[0].t.start_ns, MANGLE_MIN_TIME);
    assert_int_equal(list.facts[0].t.end_ns, MANGLE_MAX_TIME);
    mgi_arena_fini(&arena);
    mgi_values_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_no_time_is_always),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
