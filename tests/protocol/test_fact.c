/* The invalid facts and times of protocol.md part 6, the values that pass, and the way back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/error.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"
#include "protocol/fact_fixture.h"

struct fact_case {
    const char *what;  /* row numbers of protocol.md part 6, ids */
    const char *facts; /* JSON array */
    const char *code;  /* "": good */
    const char *issue; /* of the first violation */
};

static const struct fact_case fact_cases[] = {
    { "row 61", "[\"x\"]", "invalid_facts", "invalid_fact_shape" },
    { "row 70, P-FACT-5", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"named_args\":{}}]",
      "invalid_facts", "args_and_named_args" },
    { "row 71, P-FACT-5", "[{\"pred\":\"event\"}]", "invalid_facts", "args_missing" },
    { "row 72", "[{\"pred\":\"event\",\"args\":{}}]", "invalid_facts", "invalid_fact_shape" },
    { "row 72", "[{\"pred\":\"basic\",\"named_args\":[]}]", "invalid_facts", "invalid_fact_shape" },
    { "row 73, P-FACT-14",
      "[{\"pred\":\"basic\",\"named_args\":{\"tag\":\"a\",\"n\":1,\"on\":true,\"x\":1,\"bogus\":2}}"
      "]",
      "invalid_facts", "unknown_named_arg" },
    { "row 74, P-FACT-15",
      "[{\"pred\":\"basic\",\"named_args\":{\"tag\":\"a\",\"n\":1,\"on\":true}}]", "invalid_facts",
      "missing_named_arg" },
    { "row 75, P-FACT-13", "[{\"pred\":\"noname\",\"named_args\":{\"a\":1}}]", "invalid_facts",
      "named_args_unsupported" },
    { "row 76", "[{\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 76", "[{\"pred\":null,\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 76", "[{\"pred\":7,\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 77, P-FACT-1", "[{\"pred\":\"Alarm\",\"args\":[]}]", "invalid_facts",
      "invalid_predicate_name" },
    { "row 77", "[{\"pred\":\"1st\",\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 77", "[{\"pred\":\"a.b\",\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 77", "[{\"pred\":\"a-b\",\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 77", "[{\"pred\":\"a b\",\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 77", "[{\"pred\":\"\",\"args\":[]}]", "invalid_facts", "invalid_predicate_name" },
    { "row 79", "[{\"pred\":\"_private\",\"args\":[]}]", "invalid_facts",
      "invalid_predicate_name" },
    { "row 80, P-FACT-4", "[{\"pred\":\"_manglecp_intent\",\"args\":[]}]", "reserved_predicate",
      "reserved_predicate" },
    { "row 81, P-FACT-9", "[{\"pred\":\"zz_not_declared\",\"args\":[]}]", "unknown_predicate",
      "unknown_predicate" },
    { "row 82, D-16", "[{\"pred\":\"prohibited\",\"args\":[\"t\",\"r\"]}]", "unknown_predicate",
      "unknown_predicate" },
    { "row 83, D-15", "[{\"pred\":\"outcome\",\"args\":[1]}]", "invalid_facts",
      "direction_violation" },
    { "row 84, P-FACT-7", "[{\"pred\":\"event\",\"args\":[\"a\"]}]", "arity_mismatch",
      "arity_mismatch" },
    { "row 84", "[{\"pred\":\"event\",\"args\":[\"a\",1,2]}]", "arity_mismatch", "arity_mismatch" },
    { "row 85, P-FACT-8", "[{\"pred\":\"basic\",\"args\":[\"a\",\"1\",true,0]}]", "type_mismatch",
      "type_mismatch" },
    { "row 85", "[{\"pred\":\"basic\",\"args\":[true,1,true,0]}]", "type_mismatch",
      "type_mismatch" },
    { "2.7: a map is no number", "[{\"pred\":\"basic\",\"args\":[\"a\",{\"k\":1},true,0]}]",
      "type_mismatch", "type_mismatch" },
    { "row 86, D-18",
      "[{\"pred\":\"event\",\"args\":[\"a\"]},{\"pred\":\"_manglecp_x\",\"args\":[]}]",
      "invalid_facts", "arity_mismatch" },
    { "row 87, P-FACT-19", "[{\"pred\":\"noname\",\"args\":[9007199254740992]}]", "invalid_facts",
      "integer_out_of_range" },
    { "row 88", "[{\"pred\":\"noname\",\"args\":[99999999999999999999]}]", "invalid_facts",
      "integer_out_of_range" },
    { "row 89", "[{\"pred\":\"noname\",\"args\":[1e400]}]", "invalid_facts",
      "number_out_of_range" },
    { "row 90, P-FACT-17", "[{\"pred\":\"noname\",\"args\":[1e3]}]", "", NULL },
    { "P-FACT-8: an integer", "[{\"pred\":\"tally\",\"args\":[1000]}]", "", NULL },
    { "D-11: an integer", "[{\"pred\":\"tally\",\"args\":[{\"_type\":\"int64\",\"value\":\"7\"}]}]",
      "", NULL },
    { "P-FACT-8, P-FACT-17: no float is one", "[{\"pred\":\"tally\",\"args\":[1e3]}]",
      "type_mismatch", "type_mismatch" },
    { "P-FACT-8, P-FACT-17", "[{\"pred\":\"tally\",\"args\":[0.5]}]", "type_mismatch",
      "type_mismatch" },
    { "row 91", "[{\"pred\":\"noname\",\"args\":[{\"_type\":\"int64\",\"value\":\"12x\"}]}]",
      "invalid_facts", "bad_typed_value" },
    { "row 91",
      "[{\"pred\":\"noname\",\"args\":[{\"_type\":\"int64\",\"value\":\"9223372036854775808\"}]}]",
      "invalid_facts", "bad_typed_value" },
    { "D-11: canonical",
      "[{\"pred\":\"noname\",\"args\":[{\"_type\":\"int64\",\"value\":\"007\"}]}]", "invalid_facts",
      "bad_typed_value" },
    { "D-11: exactly two members",
      "[{\"pred\":\"noname\",\"args\":[{\"_type\":\"int64\",\"value\":\"7\",\"x\":1}]}]",
      "invalid_facts", "bad_typed_value" },
    { "row 92", "[{\"pred\":\"noname\",\"args\":[{\"_type\":\"decimal\",\"value\":\"1.5\"}]}]",
      "invalid_facts", "bad_typed_value" },
    { "row 93, P-FACT-22", "[{\"pred\":\"noname\",\"args\":[null]}]", "invalid_facts",
      "non_ground_argument" },
    { "row 93, P-FACT-23", "[{\"pred\":\"noname\",\"args\":[{\"_var\":\"X\"}]}]", "invalid_facts",
      "non_ground_argument" },
    { "D-14: at any depth", "[{\"pred\":\"noname\",\"args\":[[{\"a\":[null]}]]}]", "invalid_facts",
      "non_ground_argument" },
    { "row 94", "[{\"pred\":\"noname\",\"args\":[1],\"category\":\"permanent\"}]", "invalid_facts",
      "invalid_category" },
    { "row 95, D-12", "[{\"pred\":\"noname\",\"args\":[1],\"category\":\"server\"}]", "", NULL },
    { "row 96, P-PROV-1", "[{\"pred\":\"noname\",\"args\":[1],\"source\":{}}]", "invalid_facts",
      "invalid_source" },
    { "row 96, P-PROV-2",
      "[{\"pred\":\"noname\",\"args\":[1],\"source\":{\"source_type\":\"robot\"}}]",
      "invalid_facts", "invalid_source" },
    { "P-PROV-2", "[{\"pred\":\"noname\",\"args\":[1],\"source\":{\"source_type\":\"x-robot\"}}]",
      "", NULL },
    { "2.5: asserted_at is never open",
      "[{\"pred\":\"noname\",\"args\":[1],\"source\":{\"source_type\":\"scan\",\"asserted_at\":\"_"
      "\"}}]",
      "invalid_facts", "invalid_source" },
    { "row 97", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{}}]", "invalid_facts",
      "invalid_temporal_annotation" },
    { "row 97", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":[]}]", "invalid_facts",
      "invalid_temporal_annotation" },
    { "row 97", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":\"now\"}]", "invalid_facts",
      "invalid_temporal_annotation" },
    { "row 98, D-22",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"now\",\"start\":\"_\"}}]",
      "invalid_facts", "invalid_temporal_annotation" },
    { "row 99", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"start\":\"_\"}}]",
      "invalid_facts", "invalid_temporal_annotation" },
    { "row 100", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"_\"}}]", "invalid_facts",
      "invalid_temporal_annotation" },
    { "row 101",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"start\":\"2026-01-02T00:00:00Z\","
      "\"end\":\"2026-01-01T00:00:00Z\"}}]",
      "invalid_facts", "inverted_interval" },
    { "row 102",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"2026-02-30T00:00:00Z\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 102",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"2026-01-01T25:00:00Z\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 102", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"2026-01-01\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 102", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"2026-01-01T00:00:00\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 103",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"2026-01-01 00:00:00Z\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 103: second 60 but at 23:59:60 UTC",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"2026-01-01T10:00:60Z\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 104",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"start\":\"_\",\"end\":\"9999-01-01T00:00:"
      "00Z\"}}]",
      "invalid_facts", "invalid_time" },
    { "row 105, P-TIME-3", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":1767225600000}}]",
      "invalid_facts", "unsupported_time_format" },
    { "row 106, P-TIME-4", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":{\"nanos\":1}}}]",
      "invalid_facts", "unsupported_time_format" },
    { "row 107, P-SCHEMA-5", "[{\"pred\":\"noname\",\"args\":[1],\"t\":{\"at\":\"now\"}}]",
      "invalid_facts", "temporal_not_accepted" },
    { "row 108, P-TIME-16",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"op\":\"<-\",\"window\":\"5m\"}}]",
      "invalid_facts", "invalid_temporal_annotation" },
    { "P-TIME-1", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":\"yesterday\"}}]",
      "invalid_facts", "invalid_time" },
    { "P-TIME-1", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":{\"at\":true}}]", "invalid_facts",
      "invalid_time" },
    { "P-FACT-6", "[{\"pred\":\"flag\",\"args\":[]}]", "", NULL },
    { "D-19", "[{\"pred\":\"flag\",\"named_args\":{}}]", "", NULL },
    { "D-16: always allowed", "[{\"pred\":\"disclosure_upgrade\",\"args\":[\"x-1\"]}]", "", NULL },
    { "D-36: arity 1", "[{\"pred\":\"disclosure_upgrade\",\"args\":[]}]", "arity_mismatch",
      "arity_mismatch" },
    { "D-16: required without a schema",
      "[{\"pred\":\"undeclared_but_required\",\"args\":[1,2,3]}]", "", NULL },
    { "D-16: and without annotation",
      "[{\"pred\":\"undeclared_but_required\",\"args\":[1],\"t\":{\"at\":\"now\"}}]",
      "invalid_facts", "temporal_not_accepted" },
    { "P-TIME-8", "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":null}]", "", NULL },
    { "null is absence",
      "[{\"pred\":\"event\",\"args\":[\"a\",1],\"named_args\":null,\"source\":null,"
      "\"category\":null}]",
      "", NULL },
    { "D-10: a name", "[{\"pred\":\"state\",\"args\":[\"/idle\"]}]", "", NULL },
    { "D-10: not a name", "[{\"pred\":\"state\",\"args\":[\"idle\"]}]", "type_mismatch",
      "type_mismatch" },
};

static void check_case(const struct fact_case *c)
{
    struct fixture f;
    fixture_init(&f);
    struct fact_list list;
    decode(&f, c->facts, &list);
    const char *code = "";
    if (list.fault_count > 0)
        code = mgi_wire_code((enum wire_code)mgi_violations_code(
                                 list.violations, list.violation_count, list.fault_count))
                   ->name;
    if (strcmp(code, c->code) != 0)
        fail_msg("%s: %s\n got \"%s\" (%s), expected \"%s\"", c->what, c->facts, code,
                 list.fault_count ? list.violations[0].message : "", c->code);
    if (c->issue && strcmp(list.violations[0].issue, c->issue) != 0)
        fail_msg("%s: %s\n got %s, expected %s", c->what, c->facts, list.violations[0].issue,
                 c->issue);
    fixture_fini(&f);
}

static void test_every_bad_fact_draws_its_issue_and_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fact_cases / sizeof *fact_cases; i++)
        check_case(&fact_cases[i]);
}

/* One after the other in one request, with good ones between: each is told of as it is alone. */
static void test_a_fact_is_told_of_as_if_it_were_alone(void **state) /* P-FACT-24 */
{
    struct fixture f;
    struct fact_list alone, all;
    struct buf text = { 0 }, apart = { 0 }, together = { 0 };
    struct json_writer w;
    uint32_t facts = 0;
    (void)state;
    fixture_init(&f);
    f.profile.max_violations = 1000;
    mgi_buf_putc(&text, '[');
    for (size_t i = 0; i < sizeof fact_cases / sizeof *fact_cases; i++) {
        decode(&f, fact_cases[i].facts, &alone);
        for (size_t k = 0; k < alone.violation_count; k++)
            alone.violations[k].fact_index += facts + 1;
        facts += 1 + (uint32_t)(alone.count + alone.fault_count);
        for (size_t k = 0; k < alone.violation_count; k++) {
            mgi_json_writer_init(&w, &apart, 0);
            mgi_violations_write(&w, &alone.violations[k], 1);
        }
        if (i > 0)
            mgi_buf_putc(&text, ',');
        mgi_buf_puts(&text, "{\"pred\":\"flag\",\"args\":[]},");
        mgi_buf_append(&text, fact_cases[i].facts + 1, strlen(fact_cases[i].facts) - 2);
    }
    mgi_buf_putc(&text, ']');
    decode(&f, text.ptr, &all);
    assert_int_equal(all.count + all.fault_count, facts);
    for (size_t k = 0; k < all.violation_count; k++) {
        mgi_json_writer_init(&w, &together, 0);
        mgi_violations_write(&w, &all.violations[k], 1);
    }
    assert_string_equal(together.ptr, apart.ptr);
    mgi_buf_fini(&text);
    mgi_buf_fini(&apart);
    mgi_buf_fini(&together);
    fixture_fini(&f);
}

static void test_names_of_128_characters_pass(void **state)
{
    (void)state;
    char name[130];
    memset(name, 'a', sizeof name);
    assert_true(mgi_pred_name_ok((struct str){ name, 128 }));  /* P-FACT-2 */
    assert_false(mgi_pred_name_ok((struct str){ name, 129 })); /* row 78 */
}

static void test_all_faulty_facts_are_reported_in_order(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_list list;
    decode(&f,
           "[{\"pred\":\"flag\",\"args\":[]},{\"pred\":\"event\",\"args\":[]},7,"
           "{\"pred\":\"evnt\",\"args\":[]}]",
           &list);
    assert_int_equal(list.count, 1); /* P-FACT-24 */
    assert_int_equal(list.fault_count, 3);
    assert_int_equal(list.violations[0].fact_index, 1);
    assert_int_equal(list.violations[0].expected_arity, 2);
    assert_int_equal(list.violations[0].actual_arity, 0);
    assert_int_equal(list.violations[1].fact_index, 2);
    assert_true(str_is(list.violations[1].predicate, "")); /* 2.18 */
    assert_string_equal(list.violations[2].suggestion, "event");

    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_violations_write(&w, list.violations, 1);
    assert_string_equal(out.ptr,
                        "[{\"fact_index\":1,\"predicate\":\"event\",\"issue\":\"arity_mismatch\","
                        "\"message\":\"has 0 arguments where 2 are declared\","
                        "\"expected_arity\":2,\"actual_arity\":0}]");
    mgi_buf_fini(&out);
    fixture_fini(&f);
}

static void test_output_predicates_are_never_suggested(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_list list;
    decode(&f, "[{\"pred\":\"outcom\",\"args\":[]}]", &list);
    assert_null(list.violations[0].suggestion); /* D-35 */
    fixture_fini(&f);
}

static void test_beyond_the_cap_the_kinds_still_decide_the_code(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.profile.max_violations = 2;
    struct fact_list list;
    decode(
        &f,
        "[{\"pred\":\"a\",\"args\":[]},{\"pred\":\"b\",\"args\":[]},{\"pred\":\"c\",\"args\":[]}]",
        &list);
    assert_int_equal(list.violation_count, 2);
    assert_int_equal(list.fault_count, 3);
    assert_int_equal(mgi_violations_code(list.violations, list.violation_count, list.fault_count),
                     WIRE_UNKNOWN_PREDICATE);
    decode(
        &f,
        "[{\"pred\":\"a\",\"args\":[]},{\"pred\":\"b\",\"args\":[]},{\"pred\":\"A\",\"args\":[]}]",
        &list);
    assert_int_equal(mgi_violations_code(list.violations, list.violation_count, list.fault_count),
                     WIRE_INVALID_FACTS); /* D-18 */
    fixture_fini(&f);
}

static void test_kinds_of_values_never_merge(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_list list; /* P-FACT-20 */
    decode(&f,
           "[{\"pred\":\"noname\",\"args\":[1]},{\"pred\":\"noname\",\"args\":[1.0]},"
           "{\"pred\":\"noname\",\"args\":[\"1\"]},{\"pred\":\"noname\",\"args\":[true]},"
           "{\"pred\":\"noname\",\"args\":[[1]]},{\"pred\":\"noname\",\"args\":[{\"k\":1}]},"
           "{\"pred\":\"noname\",\"args\":[\"/true\"]}]",
           &list);
    assert_int_equal(list.count, 7);
    for (size_t i = 0; i < list.count; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(list.facts[i].args[0], list.facts[j].args[0]);
    fixture_fini(&f);
}

static void test_what_means_the_same_is_the_same_value(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_list list;
    decode(&f,
           "[{\"pred\":\"noname\",\"args\":[{\"a\":1,\"b\":[2,3]}]}," /* P-FACT-21 */
           "{\"pred\":\"noname\",\"args\":[{\"b\":[2,3],\"a\":1}]},"
           "{\"pred\":\"noname\",\"args\":[7]}," /* D-11 */
           "{\"pred\":\"noname\",\"args\":[{\"_type\":\"int64\",\"value\":\"7\"}]},"
           "{\"pred\":\"basic\",\"args\":[\"t\",1,true,null]}]",
           &list);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.facts[0].args[0], list.facts[1].args[0]);
    assert_int_equal(list.facts[2].args[0], list.facts[3].args[0]);
    decode(&f,
           "[{\"pred\":\"basic\",\"args\":[\"t\",1,true,0]}," /* P-FACT-11, P-FACT-12 */
           "{\"pred\":\"basic\",\"named_args\":{\"x\":0,\"on\":true,\"n\":1,\"tag\":\"t\"}}]",
           &list);
    assert_int_equal(list.count, 2);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(list.facts[0].args[i], list.facts[1].args[i]);
    assert_true(str_is(list.facts[0].source_type, "client")); /* P-PROV-4 */
    fixture_fini(&f);
}

static void test_a_schema_of_a_name_makes_names_of_strings(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_list list;
    decode(&f,
           "[{\"pred\":\"state\",\"args\":[\"/idle\"]},{\"pred\":\"noname\",\"args\":[\"/idle\"]}]",
           &list);
    assert_int_equal(mangle_kind_of(f.values, list.facts[0].args[0]), MANGLE_NAME);
    assert_int_equal(mangle_kind_of(f.values, list.facts[1].args[0]), MANGLE_STRING); /* D-10 */
    decode(&f, "[{\"pred\":\"state\",\"args\":[\"idle\"]}]", &list);
    assert_string_equal(list.violations[0].suggestion, "/idle");
    fixture_fini(&f);
}

static void test_annotations_become_intervals(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.profile.time_formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS;
    static const struct {
        const char *t;
        struct mangle_interval expected;
    } rows[] = {
        /* P-TIME-7, P-TIME-10, P-TIME-11 */
        { "{\"at\":\"1970-01-01T00:00:01Z\"}", { 1000000000, 1000000000 } },
        { "{\"start\":\"1970-01-01T00:00:01Z\",\"end\":\"1970-01-01T00:00:01Z\"}",
          { 1000000000, 1000000000 } },
        { "{\"at\":1000}", { 1000000000, 1000000000 } }, /* D-21 */
        { "{\"at\":{\"nanos\":5}}", { 5, 5 } },          /* P-TIME-4 */
        { "{\"at\":{\"nanos\":{\"_type\":\"int64\",\"value\":\"5\"}}}", { 5, 5 } },
        { "{\"start\":\"_\",\"end\":\"now\"}", { MANGLE_MIN_TIME, 42 } },
        { "{\"start\":\"now\",\"end\":\"_\"}", { 42, MANGLE_MAX_TIME } },
        { "{\"start\":\"_\",\"end\":\"_\"}", { MANGLE_MIN_TIME, MANGLE_MAX_TIME } }, /* D-22 */
        { "{\"at\":\"1970-01-01t05:30:00.123456789999+05:30\"}", { 123456789, 123456789 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fact_list list;
        char text[300];
        snprintf(text, sizeof text, "[{\"pred\":\"event\",\"args\":[\"a\",1],\"t\":%s}]",
                 rows[i].t);
        decode(&f, text, &list);
        if (list.count != 1 || list.facts[0].t.start_ns != rows[i].expected.start_ns ||
            list.facts[0].t.end_ns != rows[i].expected.end_ns)
            fail_msg("%s: got another interval", rows[i].t);
    }
    fixture_fini(&f);
}

static void test_patterns_take_null_and_ignore_remarks(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_rules rules = { .patterns = true, .accept_output = true };
    struct fact_list list;
    decode_with(&f, &rules,
                "[{\"pred\":\"event\",\"args\":[\"a\",null],\"category\":\"nonsense\"},"
                "{\"pred\":\"outcome\",\"args\":[null]}]",
                &list); /* P-DELTA-5, 2.14 */
    assert_int_equal(list.fault_count, 0);
    assert_int_equal(list.facts[0].args[1], MANGLE_NONE);
    decode_with(&f, &rules, "[{\"pred\":\"event\",\"args\":[\"a\",[null]]}]", &list);
    assert_string_equal(list.violations[0].issue, "non_ground_argument"); /* D-48 */
    rules = (struct fact_rules){ .need_category = true };
    decode_with(&f, &rules, "[{\"pred\":\"flag\",\"args\":[]}]", &list); /* P-DELTA-2 */
    assert_string_equal(list.violations[0].issue, "invalid_category");
    fixture_fini(&f);
}

static void test_values_go_out_as_they_came_in(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    const char *values[] = { "4200",
                             "9007199254740991", /* P-FACT-18, P-ENV-15 */
                             "{\"_type\":\"int64\",\"value\":\"9007199254740992\"}", /* P-FACT-19 */
                             "{\"_type\":\"int64\",\"value\":\"-9223372036854775808\"}",
                             "1.5",
                             "true",
                             "\"a\\u0000b\\\"\"", /* P-ENV-13 */
                             "\"\xE2\x80\x8F\xEF\xBF\xBF\xF4\x8F\xBF\xBF\"",
                             "[]",
                             "{}",
                             "[1,[2,{\"a\":[]}],\"x\"]",
                             "{\"a\":{\"b\":[true,false]},\"c\":-1}" };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[200];
        snprintf(text, sizeof text, "[{\"pred\":\"noname\",\"args\":[%s]}]", values[i]);
        struct fact_list list;
        decode(&f, text, &list);
        assert_int_equal(list.count, 1);
        struct buf out = { 0 };
        struct json_writer w;
        mgi_json_writer_init(&w, &out, 0);
        mgi_value_to_json(&w, f.values, list.facts[0].args[0]);
        assert_string_equal(out.ptr, values[i]);
        mgi_buf_fini(&out);
    }
    fixture_fini(&f);
}

static void test_engine_kinds_have_a_form_on_the_wire(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    mangle_values *t = f.values;
    mangle_value label = mangle_name(t, "/pct", 4);
    mangle_value one = mangle_number(t, 1);
    mangle_value items[] = {
        mangle_name(t, "/a/b", 4),         mangle_time(t, 1000000000),
        mangle_duration(t, 90000000000),   mangle_pair(t, one, mangle_string(t, "x", 1)),
        mangle_struct(t, &label, &one, 1), mangle_map(t, &one, &label, 1),
        mangle_bytes(t, "\x00\xff", 2),
    };
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_value_to_json(&w, t, mangle_list(t, items, 7));
    assert_string_equal(out.ptr, "[\"/a/b\",\"1970-01-01T00:00:01Z\",\"1m30s\",[1,\"x\"],"
                                 "{\"pct\":1},{\"1\":\"/pct\"},\"AP8\"]");
    mgi_buf_fini(&out);
    fixture_fini(&f);
}

static void test_values_nested_deeper_than_the_wire_are_written(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    mangle_value v = mangle_number(f.values, 1);
    mangle_value deeper;
    size_t depth = 0;
    for (; depth < 100000 && (deeper = mangle_list(f.values, &v, 1)) != MANGLE_NONE; depth++)
        v = deeper;
    assert_true(depth > 64);
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_value_to_json(&w, f.values, v);
    assert_int_equal(out.len, 2 * depth + 1);
    mgi_buf_fini(&out);
    fixture_fini(&f);
}

static void test_a_written_fact_is_accepted_again(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct fact_list list;
    decode(&f,
           "[{\"pred\":\"event\",\"args\":[\"a\",1],"
           "\"t\":{\"start\":\"2026-07-04T05:40:00Z\",\"end\":\"_\"}}]",
           &list);
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_array(&w);
    const struct wire_fact *fact = &list.facts[0];
    mgi_fact_write(&w, f.values, fact->pred, fact->args, fact->count, &fact->t, "server", "server");
    mgi_jw_end_array(&w);
    assert_string_equal(out.ptr,
                        "[{\"pred\":\"event\",\"args\":[\"a\",1],"
                        "\"t\":{\"start\":\"2026-07-04T05:40:00Z\",\"end\":\"_\"},"
                        "\"category\":\"server\",\"source\":{\"source_type\":\"server\"}}]");
    struct fact_list again; /* P-DELTA-10, P-TIME-17 */
    decode(&f, out.ptr, &again);
    assert_int_equal(again.count, 1);
    assert_int_equal(again.facts[0].t.start_ns, fact->t.start_ns);
    mgi_buf_fini(&out);
    fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_fact_draws_its_issue_and_code),
        cmocka_unit_test(test_a_fact_is_told_of_as_if_it_were_alone),
        cmocka_unit_test(test_names_of_128_characters_pass),
        cmocka_unit_test(test_all_faulty_facts_are_reported_in_order),
        cmocka_unit_test(test_output_predicates_are_never_suggested),
        cmocka_unit_test(test_beyond_the_cap_the_kinds_still_decide_the_code),
        cmocka_unit_test(test_kinds_of_values_never_merge),
        cmocka_unit_test(test_what_means_the_same_is_the_same_value),
        cmocka_unit_test(test_a_schema_of_a_name_makes_names_of_strings),
        cmocka_unit_test(test_annotations_become_intervals),
        cmocka_unit_test(test_patterns_take_null_and_ignore_remarks),
        cmocka_unit_test(test_values_go_out_as_they_came_in),
        cmocka_unit_test(test_engine_kinds_have_a_form_on_the_wire),
        cmocka_unit_test(test_values_nested_deeper_than_the_wire_are_written),
        cmocka_unit_test(test_a_written_fact_is_accepted_again),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
