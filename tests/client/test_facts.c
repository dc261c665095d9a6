/* The client's working state: facts without duplicates, deltas applied to them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

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
    assert_true(manglecp_facts_add(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"args\":[1],"
                                      "\"category\":\"server\"},{\"pred\":\"p\",\"args\":[1.0]}]"));
    /* P-PROV-10: the category is not sent again. D-48: 1 is not 1.0 */
    assert_facts(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"p\",\"args\":[1.0]}]");
    assert_true(manglecp_facts_add(
        f, "{\"pred\":\"p\",\"args\":[1],\"t\":{\"at\":\"2026-01-01T00:00:00Z\"}}"));
    assert_int_equal(manglecp_facts_count(f), 3); /* another annotation is another fact */
    manglecp_facts_free(f);
}

static void test_what_is_no_fact_adds_nothing(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    assert_false(manglecp_facts_add(f, "[{\"pred\":\"p\",\"args\":[1]},{\"pred\":\"q\"}]"));
    assert_false(manglecp_facts_add(f, "[1]"));
    assert_false(manglecp_facts_add(f, "nonsense"));
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
    assert_true(
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
    assert_true(manglecp_facts_apply(f, "{\"retract\":[{\"pred\":\"p\",\"args\":[\"a\",[null]]}]}",
                                     &out, NULL));
    assert_int_equal(out, 0); /* D-48 */
    assert_true(manglecp_facts_apply(f, "{\"retract\":[{\"pred\":\"p\",\"args\":[\"a\",null]}]}",
                                     &out, NULL));
    assert_int_equal(out, 2); /* P-DELTA-5 */
    manglecp_facts_free(f);
}

static void test_retractions_come_before_assertions(void **state)
{
    (void)state;
    manglecp_facts *f = manglecp_facts_new();
    manglecp_facts_add(f, "{\"pred\":\"status\",\"args\":[\"x\",\"old\"]}");
    assert_true(manglecp_facts_apply(
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
    assert_string_equal(json, "[{\"pred\":\"q\",\"args\":[]}]"); /* P-MIN-1 */
    manglecp_free(json);
    manglecp_facts_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_facts_are_kept_once),
        cmocka_unit_test(test_what_is_no_fact_adds_nothing),
        cmocka_unit_test(test_an_exact_retraction_removes_just_that_fact),
        cmocka_unit_test(test_null_leaves_a_position_open_at_the_top_level_only),
        cmocka_unit_test(test_retractions_come_before_assertions),
        cmocka_unit_test(test_a_request_carries_only_the_predicates_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
