/* The client's working state: facts without duplicates, deltas applied to them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "base/buf.h"
#include "manglecp.h"

static void assert_facts(const manglecp_facts *facts, const char *expected)
{
    char *json = manglecp_facts_json(facts, NULL);
    assert_string_equal(json, expected);
    manglecp_free(json);
}

static void test_equal_facts_are_kept_once(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_add(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"args\":[1],"
                              "\"category\":\"server\"},{\"pred\":\"p\",\"args\":[1.0]}]"));
    /* P-PROV-10: the category is not sent again. D-48: 1 is not 1.0 */
    assert_facts(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"args\":[1.0]}]");
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_add(
            f, "{\"pred\":\"p\",\"args\":[1],\"t\":{\"at\":\"2026-01-01T00:00:00Z\"}}"));
    assert_int_equal(manglecp_facts_count(f), 3); /* another annotation is another fact */
    manglecp_facts_free(f);
}

#define SIGNED(tag)                                                                                \
    "{\"pred\":\"p\",\"args\":[1],\"source\":{\"source_type\":\"server\",\"signature\":\"" tag     \
    "\"}}"

static void test_a_signed_fact_takes_the_place_of_an_equal_one(void **state)
{
    (void)state;
    size_t out, in;
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"q\",\"args\":[]}]");
    manglecp_facts_apply(f, "{\"assert\":[" SIGNED("v1.a") "]}", &out, &in);
    assert_int_equal(in, 0); /* P-DELTA-6: it was there */
    assert_facts(f, "[" SIGNED("v1.a") ",{\"pred\":\"q\",\"args\":[]}]");
    manglecp_facts_add(f, "{\"pred\":\"p\",\"args\":[1]}"); /* what is unsigned takes no place */
    assert_facts(f, "[" SIGNED("v1.a") ",{\"pred\":\"q\",\"args\":[]}]");
    manglecp_facts_apply(f,
                         "{\"retract\":[{\"pred\":\"q\",\"args\":[]}],\"assert\":[" SIGNED(
                             "v1.b") "," SIGNED("v1.c") "]}",
                         &out, &in);
    assert_facts(f, "[" SIGNED("v1.c") "]"); /* the newest counts longest */
    assert_int_equal(MANGLECP_ERR_INVALID, manglecp_facts_add(f, "[" SIGNED("v1.d") ",1]"));
    assert_facts(f, "[" SIGNED("v1.c") "]");
    manglecp_facts_free(f);
}

static void test_what_is_no_fact_adds_nothing(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    assert_int_equal(MANGLECP_ERR_INVALID,
                     manglecp_facts_add(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"q\"}]"));
    assert_int_equal(MANGLECP_ERR_INVALID, manglecp_facts_add(f, "[1]"));
    assert_int_equal(MANGLECP_ERR_INVALID, manglecp_facts_add(f, "nonsense"));
    assert_int_equal(manglecp_facts_count(f), 0);
    manglecp_facts_free(f);
}

static void test_an_exact_retraction_removes_just_that_fact(void **state)
{
    (void)state;
    size_t out, in;
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f,
                       "[{\"pred\":\"p\",\"args\":[\"a\",2]},{\"pred\":\"p\",\"args\":[\"a\",3]},"
                       "{\"pred\":\"p\",\"args\":[\"a\"]},{\"pred\":\"q\",\"args\":[\"a\",2]}]");
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_apply(f, "{\"retract\":[{\"pred\":\"p\",\"args\":[\"a\",2]}]}", &out, &in));
    assert_int_equal(out, 1); /* P-DELTA-4 */
    assert_facts(f, "[{\"pred\":\"p\",\"args\":[\"a\",3]},{\"pred\":\"p\",\"args\":[\"a\"]},"
                    "{\"pred\":\"q\",\"args\":[\"a\",2]}]");
    manglecp_facts_free(f);
}

static void test_null_leaves_a_position_open_at_the_top_level_only(void **state)
{
    (void)state;
    size_t out;
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f,
                       "[{\"pred\":\"p\",\"args\":[\"a\",2]},{\"pred\":\"p\",\"args\":[\"b\",2]},"
                       "{\"pred\":\"p\",\"args\":[\"a\",[1]]}]");
    assert_int_equal(MANGLECP_OK, manglecp_facts_apply(
                                      f, "{\"retract\":[{\"pred\":\"p\",\"args\":[\"a\",[null]]}]}",
                                      &out, NULL));
    assert_int_equal(out, 0); /* D-48 */
    assert_int_equal(MANGLECP_OK,
                     manglecp_facts_apply(
                         f, "{\"retract\":[{\"pred\":\"p\",\"args\":[\"a\",null]}]}", &out, NULL));
    assert_int_equal(out, 2); /* P-DELTA-5 */
    manglecp_facts_free(f);
}

static void test_retractions_come_before_assertions(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f, "{\"pred\":\"status\",\"args\":[\"x\",\"old\"]}");
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_apply(
            f,
            "{\"assert\":[{\"pred\":\"status\",\"args\":[\"x\",\"new\"],\"category\":\"server\"}],"
            "\"retract\":[{\"pred\":\"status\",\"args\":[\"x\",null]}]}",
            NULL, NULL));
    assert_facts(f, "[{\"pred\":\"status\",\"args\":[\"x\",\"new\"]}]"); /* P-DELTA-6 */
    manglecp_facts_free(f);
}

static void test_a_request_carries_only_the_predicates_asked_for(void **state)
{
    (void)state;
    const char *const wanted[] = { "q", NULL };
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f, "[{\"pred\":\"p\",\"args\":[]},{\"pred\":\"q\",\"args\":[]}]");
    char *json = manglecp_facts_json(f, wanted);
    assert_string_equal(json, "[{\"pred\":\"q\",\"args\":[]}]");
    manglecp_free(json);
    manglecp_facts_free(f);
}

static void test_an_instant_is_the_same_in_any_time_zone(void **state)
{
    (void)state;
    size_t out;
    manglecp_facts *f = manglecp_facts_new();
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_add(
            f, "[{\"pred\":\"e\",\"args\":[1],\"t\":{\"at\":\"2026-01-01T00:00:00Z\"}},"
               "{\"pred\":\"e\",\"args\":[1],\"t\":{\"at\":\"2026-01-01T01:00:00+01:00\"}},"
               "{\"pred\":\"e\",\"args\":[1],\"t\":{\"start\":\"2026-01-01T00:00:00Z\","
               "\"end\":\"2026-01-01T00:00:00.000Z\"}},"
               "{\"pred\":\"e\",\"args\":[1],\"t\":null},{\"pred\":\"e\",\"args\":[1]},"
               "{\"pred\":\"e\",\"args\":[1],\"t\":{\"start\":\"_\",\"end\":\"_\"}},"
               "{\"pred\":\"e\",\"args\":[1],\"t\":{\"at\":\"now\"}}]"));
    assert_int_equal(manglecp_facts_count(f), 3); /* at that instant, always, and whenever now is */
    assert_int_equal(MANGLECP_OK,
                     manglecp_facts_apply(f,
                                          "{\"retract\":[{\"pred\":\"e\",\"args\":[null],"
                                          "\"t\":{\"at\":1767225600000}}]}",
                                          &out, NULL));
    assert_int_equal(out, 1); /* D-48: with t an equal interval alone */
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_apply(f, "{\"retract\":[{\"pred\":\"e\",\"args\":[1]}]}", &out, NULL));
    assert_int_equal(out, 2); /* without t whatever the annotation */
    manglecp_facts_free(f);
}

static void test_values_compare_as_on_the_wire(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    assert_int_equal(
        MANGLECP_OK,
        manglecp_facts_add(
            f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"args\":[{\"_type\":\"int64\","
               "\"value\":\"1\"}]},{\"pred\":\"p\",\"args\":[1.0]},{\"pred\":\"p\",\"args\":[1e0]},"
               "{\"pred\":\"p\",\"args\":[\"1\"]},{\"pred\":\"p\",\"args\":[true]},"
               "{\"pred\":\"p\",\"args\":[{\"a\":1,\"b\":2}]},"
               "{\"pred\":\"p\",\"args\":[{\"b\":2,\"a\":1}]},"
               "{\"pred\":\"p\",\"args\":[[1,2]]},{\"pred\":\"p\",\"args\":[[2,1]]},"
               "{\"pred\":\"p\",\"args\":[\"\\u00e9\"]},{\"pred\":\"p\",\"args\":[\"é\"]}]"));
    assert_int_equal(manglecp_facts_count(f), 8); /* D-11, D-48 */
    manglecp_facts_free(f);
}

static void test_a_delta_that_is_none_changes_nothing(void **state)
{
    static const char *const deltas[] = {
        "7",
        "{\"retract\":{}}",
        "{\"retract\":[{\"pred\":\"p\"}]}",
        "{\"retract\":[{\"args\":[]}]}",
        "{\"assert\":[{\"pred\":\"p\"}],\"retract\":[{\"pred\":\"p\",\"args\":[null]}]}",
        "{\"assert\":7}",
        "{",
    };
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f, "{\"pred\":\"p\",\"args\":[1]}");
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        size_t out = 9, in = 9;
        assert_int_equal(manglecp_facts_apply(f, deltas[i], &out, &in), MANGLECP_ERR_INVALID);
        assert_int_equal(out + in, 0);
        assert_facts(f, "[{\"pred\":\"p\",\"args\":[1]}]");
    }
    assert_int_equal(manglecp_facts_apply(f, "{}", NULL, NULL), MANGLECP_OK);
    assert_int_equal(manglecp_facts_apply(f, "[{\"pred\":\"q\",\"args\":[]}]", NULL, NULL),
                     MANGLECP_OK); /* D-47: a bare array asserts */
    assert_int_equal(manglecp_facts_count(f), 2);
    manglecp_facts_free(f);
}

static void test_a_fact_can_be_put_without_json(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    struct manglecp_value args[] = { manglecp_text("a\"b"), manglecp_int(INT64_C(9007199254740993)),
                                     manglecp_float(2), manglecp_bool(false),
                                     manglecp_json("{\"k\":[1]}") };
    struct manglecp_window always = { MANGLECP_OPEN, MANGLECP_OPEN };
    struct manglecp_window since = { INT64_C(1767225600000000000), MANGLECP_OPEN };
    struct manglecp_window upside_down = { 2, 1 };
    assert_int_equal(manglecp_facts_put(f, "p", args, 5, &always), MANGLECP_OK);
    assert_int_equal(manglecp_facts_put(f, "p", args, 5, NULL), MANGLECP_OK); /* the same one */
    assert_int_equal(manglecp_facts_put(f, "q", NULL, 0, &since), MANGLECP_OK);
    assert_facts(f, "[{\"pred\":\"p\",\"args\":[\"a\\\"b\",{\"_type\":\"int64\",\"value\":"
                    "\"9007199254740993\"},2.0,false,{\"k\":[1]}]},"
                    "{\"pred\":\"q\",\"args\":[],\"t\":{\"start\":\"2026-01-01T00:00:00Z\","
                    "\"end\":\"_\"}}]");
    assert_int_equal(manglecp_facts_put(f, "Not a name", NULL, 0, NULL), MANGLECP_ERR_INVALID);
    assert_int_equal(manglecp_facts_put(f, "p", NULL, 0, &upside_down), MANGLECP_ERR_INVALID);
    struct manglecp_value broken = manglecp_json("{");
    assert_int_equal(manglecp_facts_put(f, "p", &broken, 1, NULL), MANGLECP_ERR_INVALID);
    assert_int_equal(manglecp_facts_count(f), 2);
    manglecp_facts_free(f);
}

/* Seconds of CPU for adding `count` facts one by one and changing all of them by one delta with as
 * many patterns of three shapes. */
static double seconds_for(int count)
{
    manglecp_facts *f = manglecp_facts_new();
    struct buf delta = { 0 };
    size_t out, in;
    clock_t begin = clock();
    for (int i = 0; i < count; i++) {
        struct manglecp_value args[] = { manglecp_int(i), manglecp_int(i % 7), manglecp_text("x") };
        assert_int_equal(manglecp_facts_put(f, "p", args, 3, NULL), MANGLECP_OK);
    }
    mgi_buf_puts(&delta, "{\"retract\":[");
    for (int i = 0; i < count; i++)
        mgi_buf_printf(&delta, "%s{\"pred\":\"p\",\"args\":[%d,%s,%s]}", i ? "," : "", i,
                       i % 3        ? "null"
                       : i % 7 == 0 ? "0"
                                    : "99",
                       i % 3 == 1 ? "\"x\"" : "null");
    mgi_buf_puts(&delta, "],\"assert\":[");
    for (int i = 0; i < count; i++)
        mgi_buf_printf(&delta, "%s{\"pred\":\"q\",\"args\":[%d]}", i ? "," : "", i);
    mgi_buf_puts(&delta, "]}");
    assert_int_equal(manglecp_facts_apply(f, delta.ptr, &out, &in), MANGLECP_OK);
    assert_int_equal(in, count);
    assert_int_equal(manglecp_facts_count(f), (size_t)count - out + in);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    mgi_buf_fini(&delta);
    manglecp_facts_free(f);
    return seconds;
}

static void test_fifty_thousand_facts_take_five_times_as_long_as_ten_thousand(void **state)
{
    (void)state;
    double few = seconds_for(10000), many = seconds_for(50000);
    print_message("10,000 facts: %.3f s, 50,000: %.3f s\n", few, many);
    assert_true(many < 15 * few + 0.2); /* pair by pair it would be 25 times */
    assert_true(few < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_facts_are_kept_once),
        cmocka_unit_test(test_a_signed_fact_takes_the_place_of_an_equal_one),
        cmocka_unit_test(test_what_is_no_fact_adds_nothing),
        cmocka_unit_test(test_an_exact_retraction_removes_just_that_fact),
        cmocka_unit_test(test_null_leaves_a_position_open_at_the_top_level_only),
        cmocka_unit_test(test_retractions_come_before_assertions),
        cmocka_unit_test(test_a_request_carries_only_the_predicates_asked_for),
        cmocka_unit_test(test_an_instant_is_the_same_in_any_time_zone),
        cmocka_unit_test(test_values_compare_as_on_the_wire),
        cmocka_unit_test(test_a_delta_that_is_none_changes_nothing),
        cmocka_unit_test(test_a_fact_can_be_put_without_json),
        cmocka_unit_test(test_fifty_thousand_facts_take_five_times_as_long_as_ten_thousand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
