/* Built-in predicates: solutions, failures and errors; and what every row of the tables owes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>

#include "mangle/builtin/support_call.h"

static enum call_status ask(const char *name, const mangle_value *given, mangle_value *args)
{
    const struct builtin_pred *p = mgi_builtin_pred_find(str_of(name));
    if (!p)
        fail_msg("there is no predicate %s", name);
    uint64_t cursor = 0;
    for (uint32_t i = 0; i < p->arity; i++)
        args[i] = p->modes[i] == MODE_IN ? given[i] : MANGLE_NONE;
    enum call_status st = p->next(&call_context, args, &cursor);
    if (st == CALL_OK && p->single) /* M-PRED: a test holds once */
        assert_int_equal(p->next(&call_context, args, &cursor), CALL_FAIL);
    return st;
}

static void assert_asked(enum call_status expected, const char *name, const mangle_value *given)
{
    mangle_value args[BUILTIN_MAX_PRED_ARGS];
    enum call_status st = ask(name, given, args);
    if (st != expected)
        fail_msg("%s: got status %d, expected %d", name, st, expected);
    if (st == CALL_ERROR && !strstr(call_context.error, name))
        fail_msg("%s: the error does not name it: %s", name, call_context.error);
}

#define HOLDS(name, ...) assert_asked(CALL_OK, name, (mangle_value[]){ __VA_ARGS__ })
#define FAILS(name, ...) assert_asked(CALL_FAIL, name, (mangle_value[]){ __VA_ARGS__ })
#define ERRS(name, ...)  assert_asked(CALL_ERROR, name, (mangle_value[]){ __VA_ARGS__ })

static void test_comparisons_are_of_one_kind(void **state)
{
    (void)state; /* M-PRED-1, M-PRED-2, M-PRED-3 */
    HOLDS(":lt", N(1), N(2));
    FAILS(":lt", N(2), N(2));
    HOLDS(":le", N(2), N(2));
    FAILS(":le", N(3), N(2));
    HOLDS(":gt", N(INT64_MAX), N(INT64_MIN));
    FAILS(":gt", N(2), N(2));
    HOLDS(":ge", N(2), N(2));
    FAILS(":ge", N(1), N(2));
    ERRS(":lt", F(1), F(2));
    ERRS(":ge", N(1), S("a"));
    HOLDS(":time:lt", T(1), T(2));
    HOLDS(":time:le", T(2), T(2));
    HOLDS(":time:gt", T(3), T(2));
    HOLDS(":time:ge", T(2), T(2));
    FAILS(":time:lt", T(2), T(2));
    ERRS(":time:lt", N(1), N(2));
    HOLDS(":duration:lt", D(1), D(2));
    HOLDS(":duration:le", D(2), D(2));
    HOLDS(":duration:gt", D(3), D(2));
    HOLDS(":duration:ge", D(2), D(2));
    ERRS(":duration:lt", T(1), T(2));
}

static void test_strings_and_names_compare_byte_by_byte(void **state)
{
    (void)state; /* M-VAL-68; docs/mangle-dialect.md */
    HOLDS(":string:lt", S("fig"), S("figs"));
    FAILS(":string:lt", S("fig"), S("fig"));
    HOLDS(":string:lt", S("Z"), S("a"));
    HOLDS(":string:lt", S("z"), S("\xc3\xa4"));
    HOLDS(":string:le", S(""), S(""));
    HOLDS(":string:gt", S("b"), S("a"));
    FAILS(":string:ge", S("a"), S("b"));
    ERRS(":string:lt", S("a"), NM("/a"));
    ERRS(":string:ge", N(1), S("a"));
    HOLDS(":name:lt", NM("/a"), NM("/a/b"));
    HOLDS(":name:le", NM("/a"), NM("/a"));
    HOLDS(":name:gt", NM("/b"), NM("/a/b"));
    FAILS(":name:ge", NM("/a"), NM("/a/b"));
    ERRS(":name:lt", NM("/a"), S("/b"));
}

static void test_distance_wraps(void **state)
{
    (void)state; /* M-PRED-14 */
    HOLDS(":within_distance", N(10), N(12), N(3));
    FAILS(":within_distance", N(10), N(13), N(3));
    FAILS(":within_distance", N(INT64_MIN), N(0), N(INT64_MAX));
    HOLDS(":within_distance", N(INT64_MIN), N(INT64_MAX), N(2));
    ERRS(":within_distance", N(1), N(1), F(1));
}

static void test_prefixes_end_at_parts(void **state)
{
    (void)state; /* M-PRED-4, Q-72 */
    HOLDS(":match_prefix", NM("/p/q"), NM("/p"));
    FAILS(":match_prefix", NM("/pq"), NM("/p"));
    FAILS(":match_prefix", NM("/p"), NM("/p"));
    FAILS(":match_prefix", S("/p/q"), NM("/p"));
    ERRS(":match_prefix", NM("/p/q"), S("/p"));
}

static void test_string_tests(void **state)
{
    (void)state; /* M-PRED-5 */
    HOLDS(":string:starts_with", S("mango"), S("ma"));
    FAILS(":string:starts_with", S("mango"), S("an"));
    HOLDS(":string:ends_with", S("mango"), S("go"));
    FAILS(":string:ends_with", S("go"), S("mango"));
    HOLDS(":string:contains", S("mango"), S("ang"));
    FAILS(":string:contains", S("mango"), S("xyz"));
    HOLDS(":string:contains", S(""), S(""));
    FAILS(":string:contains", NM("/mango"), S(""));
    ERRS(":string:contains", S("mango"), NM("/a"));
}

static void test_matching_takes_apart(void **state)
{
    (void)state; /* M-PRED-6, M-PRED-7, M-PRED-8, M-PRED-9, M-PRED-10, M-PRED-11 */
    mangle_value args[3];
    HOLDS(":filter", VALUE_TRUE);
    FAILS(":filter", VALUE_FALSE);
    FAILS(":filter", N(1));
    assert_int_equal(ask(":match_pair", ARGS(P(N(1), S("a"))), args), CALL_OK);
    assert_int_equal(args[1], N(1));
    assert_int_equal(args[2], S("a"));
    FAILS(":match_pair", N(1));
    assert_int_equal(ask(":match_cons", ARGS(L(N(1), N(2))), args), CALL_OK);
    assert_int_equal(args[1], N(1));
    assert_int_equal(args[2], L(N(2)));
    FAILS(":match_cons", VALUE_NIL);
    FAILS(":match_cons", S("ab"));
    HOLDS(":match_nil", VALUE_NIL);
    FAILS(":match_nil", VALUE_EMPTY_MAP);
    mangle_value map = mangle_map(call_context.values, ARGS(S("k")), ARGS(N(2)), 1);
    assert_int_equal(ask(":match_entry", ARGS(map, S("k")), args), CALL_OK);
    assert_int_equal(args[2], N(2));
    FAILS(":match_entry", map, S("j"));
    FAILS(":match_entry", VALUE_EMPTY_MAP, S("j"));
    FAILS(":match_field", map, S("k"));
    mangle_value st = mangle_struct(call_context.values, ARGS(NM("/k")), ARGS(N(3)), 1);
    assert_int_equal(ask(":match_field", ARGS(st, NM("/k")), args), CALL_OK);
    assert_int_equal(args[2], N(3));
    FAILS(":match_entry", st, NM("/k"));
}

static void test_members_come_in_list_order(void **state)
{
    (void)state; /* M-PRED-12, M-PRED-13 */
    const struct builtin_pred *member = mgi_builtin_pred_find(STR_LIT(":list:member"));
    mangle_value args[] = { MANGLE_NONE, L(N(2), N(1), N(2)) };
    uint64_t cursor = 0;
    const int64_t expected[] = { 2, 1, 2 };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(member->next(&call_context, args, &cursor), CALL_OK);
        assert_int_equal(args[0], N(expected[i]));
    }
    assert_int_equal(member->next(&call_context, args, &cursor), CALL_FAIL);
    FAILS(":list:member", MANGLE_NONE, N(1));
    call_context.negated = true;
    ERRS(":list:member", MANGLE_NONE, N(1));
}

static void test_interval_relations_are_the_weak_ones(void **state)
{
    (void)state; /* M-PRED-15, M-TEMP-80, M-TEMP-81, M-TEMP-82, M-TEMP-83, M-TEMP-84, M-TEMP-85,
                    M-TEMP-86, M-TEMP-87, M-TEMP-88, M-TEMP-89 */
    mangle_value a = P(T(1), T(5)), b = P(T(5), T(9)), in = P(N(6), N(9));
    HOLDS(":interval:before", a, in); /* times and numbers alike: Q-71 */
    FAILS(":interval:before", a, b);
    HOLDS(":interval:after", in, a);
    FAILS(":interval:after", b, a);
    HOLDS(":interval:meets", a, b);
    FAILS(":interval:meets", b, a);
    HOLDS(":interval:overlaps", a, b);
    HOLDS(":interval:overlaps", b, a);
    FAILS(":interval:overlaps", a, in);
    HOLDS(":interval:during", in, b);
    HOLDS(":interval:during", b, b);
    FAILS(":interval:during", b, in);
    HOLDS(":interval:contains", b, in);
    FAILS(":interval:contains", in, b);
    HOLDS(":interval:starts", b, P(T(5), T(6)));
    FAILS(":interval:starts", a, b);
    HOLDS(":interval:finishes", b, in);
    FAILS(":interval:finishes", a, b);
    HOLDS(":interval:equals", b, P(N(5), N(9)));
    FAILS(":interval:equals", b, in);
    ERRS(":interval:before", N(1), a);
    ERRS(":interval:before", a, P(T(1), D(2)));
}

/* ---- every row ----------------------------------------------------------------------------- */

static void assert_documented(const char *name, const char *type, const char *doc,
                              const char *const example[3])
{
    size_t len = doc ? strlen(doc) : 0;
    if (len < 10 || !(isupper((unsigned char)doc[0]) || doc[0] == '/') || doc[len - 1] != '.')
        fail_msg("%s: the doc is not a sentence", name);
    if (!type || !*type)
        fail_msg("%s has no signature", name);
    for (int i = 0; i < 3; i++)
        if (!example[i] || example[i][strlen(example[i]) - 1] != '.')
            fail_msg("%s: part %d of the example is not made of clauses", name, i);
    if (!strstr(example[0], name))
        fail_msg("%s: the example does not use it", name);
}

static void test_every_function_is_documented_with_an_example(void **state)
{
    (void)state;
    const struct function *f;
    size_t count = 0;
    for (; (f = mgi_function_at(count)) != NULL; count++) {
        assert_documented(f->name, f->type, f->doc, f->example);
        assert_ptr_equal(mgi_function_find(str_of(f->name)), f); /* so no name stands twice */
        assert_true(f->min_args <= f->max_args);
        assert_true(f->apply || f->reduce);
        assert_int_equal(f->reduces_list, f->apply && f->reduce);
        assert_non_null(strstr(f->type, "-> "));
    }
    assert_true(count > 70);
}

static void test_every_predicate_is_documented_with_an_example(void **state)
{
    (void)state;
    const struct builtin_pred *p;
    size_t count = 0;
    for (; (p = mgi_builtin_pred_at(count)) != NULL; count++) {
        assert_documented(p->name, p->type, p->doc, p->example);
        assert_ptr_equal(mgi_builtin_pred_find(str_of(p->name)), p);
        assert_in_range(p->arity, 1, BUILTIN_MAX_PRED_ARGS);
        assert_non_null(p->next);
    }
    assert_true(count > 30);
}

int main(void)
{
#define CALL_TEST(f) cmocka_unit_test_setup_teardown(f, call_setup, call_teardown)
    const struct CMUnitTest tests[] = {
        CALL_TEST(test_comparisons_are_of_one_kind),
        CALL_TEST(test_strings_and_names_compare_byte_by_byte),
        CALL_TEST(test_distance_wraps),
        CALL_TEST(test_prefixes_end_at_parts),
        CALL_TEST(test_string_tests),
        CALL_TEST(test_matching_takes_apart),
        CALL_TEST(test_members_come_in_list_order),
        CALL_TEST(test_interval_relations_are_the_weak_ones),
        CALL_TEST(test_every_function_is_documented_with_an_example),
        CALL_TEST(test_every_predicate_is_documented_with_an_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
