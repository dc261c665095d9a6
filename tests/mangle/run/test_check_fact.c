/* Facts held against their declarations when a host asks: types at run time (M-TYPE-73) and
 * inclusion constraints (M-DECL-34). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/mangle_run.h"

/* What mangle_overlay_check_fact() says of the only fact of t/1 in `program`: "ok" or the reason.
 */
static const char *verdict_of(const char *program, const char *name, uint32_t arity)
{
    static struct mangle_error error;
    const struct mangle_fact *facts;
    size_t count;
    struct mangle_run run = mangle_run(program, NULL);
    assert_int_equal(run.status, MANGLE_OK);
    mangle_pred pred = mangle_pred_find(run.program, name, arity);
    assert_int_not_equal(pred, MANGLE_NO_PRED);
    assert_int_equal(mangle_overlay_facts(run.overlay, pred, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    enum mangle_status st = mangle_overlay_check_fact(run.overlay, &facts[0], &error);
    assert_int_equal(mangle_overlay_check_fact(run.overlay, &facts[0], NULL), st);
    assert_true(st == MANGLE_OK || st == MANGLE_ERR_INPUT);
    mangle_run_end(&run);
    return st ? error.message : "ok";
}

static void expect_verdict(const char *program, const char *verdict)
{
    const char *got = verdict_of(program, "t", 1);
    if (strcmp(got, verdict) != 0)
        print_error("%s\n", program);
    assert_string_equal(got, verdict);
}

static void test_every_argument_is_a_member_of_its_type_in_one_row(void **state)
{
    (void)state; /* M-TYPE-73 */
    expect_verdict("Decl t(X) bound [/number]. t(1).", "ok");
    expect_verdict("Decl t(X) bound [/number]. t(\"a\").",
                   "t: argument 1 has to be /number, but is \"a\"");
    expect_verdict("Decl t(X) bound [/string] bound [/number]. t(1).", "ok");
    expect_verdict("Decl t(X). t(1).", "ok");
    expect_verdict("Decl t(X) bound [Y]. t(1).", "ok"); /* a type variable is /any: M-TYPE-72 */
    expect_verdict("Decl t(X) bound [.List<Y>]. t([1, \"a\"]).", "ok");
    assert_string_equal(
        verdict_of("Decl t(X, Y) bound [/number, /string] bound [/string, /number]. t(1, 2).", "t",
                   2),
        "t: argument 2 has to be /string, but is 2");
}

static void test_structs_have_no_other_labels_at_run_time(void **state)
{
    (void)state;
    expect_verdict("Decl t(X) bound [.Struct</a : /number>]. t({/a : 1}).", "ok");
    /* M-TYPE-10, M-TYPE-88: the static check lets this pass */
    expect_verdict("Decl t(X) bound [.Struct</a : /number>]. t({/a : 1, /b : 2}).",
                   "t: argument 1 has to be fn:Struct(/a,/number), but is {/b : 2, /a : 1}");
    /* M-TYPE-10: optional labels need not be there, and have their type */
    expect_verdict("Decl t(X) bound [.Struct</a : /number, opt /b : /string>]. t({/a : 1}).", "ok");
    expect_verdict("Decl t(X) bound [.Struct</a : /number, opt /b : /string>]. "
                   "t({/a : 1, /b : \"x\"}).",
                   "ok");
    expect_verdict("Decl t(X) bound [.Struct<opt /b : /string>]. t({/b : 1}).",
                   "t: argument 1 has to be fn:Struct(fn:opt(/b,/string)), but is {/b : 1}");
    expect_verdict("Decl t(X) bound [.List<.Struct</a : /any>>]. t([{/b : 1}]).",
                   "t: argument 1 has to be fn:List(fn:Struct(/a,/any)), but is [{/b : 1}]");
}

static void test_inclusion_atoms_must_hold(void **state)
{
    (void)state; /* M-DECL-33, M-DECL-34 */
    expect_verdict("Decl t(X) inclusion [q(X)]. t(1). q(1).", "ok");
    expect_verdict("Decl t(X) inclusion [q(X)]. t(1). q(2).",
                   "t: q(1) has to hold too, but does not");
    /* derived facts count: the store is what was evaluated */
    expect_verdict("Decl t(X) inclusion [q(X)]. t(1). s(1). q(X) :- s(X).", "ok");
    assert_string_equal(
        verdict_of("Decl t(X, Y) inclusion [r(Y, X), r(X, /c)]. t(1, 2). r(2, 1). r(1, /c).", "t",
                   2),
        "ok");
    assert_string_equal(
        verdict_of("Decl t(X, Y) inclusion [r(Y, X), r(X, /c)]. t(1, 2). r(2, 1).", "t", 2),
        "t: r(1,/c) has to hold too, but does not");
}

static void test_each_row_has_the_inclusion_atoms_of_the_declaration(void **state)
{
    (void)state; /* M-DECL-32 */
    expect_verdict("Decl t(X) bound [/string] bound [/number] inclusion [q(X)]. t(1). q(1).", "ok");
    expect_verdict("Decl t(X) bound [/string] bound [/number] inclusion [q(X)]. t(1). q(\"a\").",
                   "t: q(1) has to hold too, but does not");
    /* without `bound`: one row of /any */
    expect_verdict("Decl t(X) inclusion [q(X)]. t([1]). q([1]).", "ok");
    assert_string_equal(verdict_of("Decl t() inclusion [q()]. t(). q() :- t().", "t", 0), "ok");
}

static void test_a_string_bound_is_a_type_and_an_inclusion(void **state)
{
    (void)state; /* M-DECL-30, M-DECL-31 */
    static const char rest[] = " Decl q(X) bound [/name] bound [/number]. q(/a). q(2).";
    char text[256];
    snprintf(text, sizeof text, "Decl t(X) bound [\"q\"]. t(/a).%s", rest);
    expect_verdict(text, "ok");
    snprintf(text, sizeof text, "Decl t(X) bound [\"q\"]. t(/b).%s", rest);
    expect_verdict(text, "t: q(/b) has to hold too, but does not");
    snprintf(text, sizeof text, "Decl t(X) bound [\"q\"]. t(\"s\").%s", rest);
    expect_verdict(text, "t: argument 1 has to be fn:Union(/name,/number), but is \"s\"");
    /* followed through another reference */
    expect_verdict("Decl t(X) bound [\"q\"]. Decl q(X) bound [\"r\"]. Decl r(X) bound [/name]. "
                   "t(1). q(1). r(1).",
                   "t: argument 1 has to be /name, but is 1");
    /* the row that comes furthest is the one that is told */
    expect_verdict("Decl t(X) bound [/string] bound [\"q\"]. Decl q(X) bound [/name]. t(/a).",
                   "t: q(/a) has to hold too, but does not");
}

static void test_what_cannot_be_checked_is_an_error(void **state)
{
    (void)state; /* M-DECL-34 */
    expect_verdict("Decl t(X) inclusion [q(Z)]. t(1). q(1).",
                   "t: argument 1 of its inclusion constraint \"q\" is neither an argument of the "
                   "declaration nor a value");
    expect_verdict("Decl t(X) inclusion [q(_)]. t(1). q(1).",
                   "t: argument 1 of its inclusion constraint \"q\" is neither an argument of the "
                   "declaration nor a value");
    expect_verdict("Decl t(X) inclusion [nowhere(X)]. t(1).",
                   "t: its inclusion constraint reads \"nowhere\", which is not defined");
    expect_verdict("t(1).", "t: it has no Decl");
}

static void test_evaluation_does_not_ask(void **state)
{
    (void)state; /* M-DECL-33: neither types nor constraints hinder a fact */
    char *text =
        run_text("Decl t(X) bound [/number] inclusion [q(X)]. t(\"a\"). r(X) :- t(X).", NULL);
    assert_string_equal(text, "r(\"a\").\n");
    mangle_free(text);
}

static void test_a_fact_that_does_not_hold_can_be_asked_about(void **state)
{
    (void)state;
    struct mangle_error error;
    struct mangle_run run = mangle_run("Decl t(X) bound [/number]. t(1). r(X) :- t(X).", NULL);
    mangle_value v = mangle_number(mangle_overlay_values(run.overlay), 77);
    struct mangle_fact fact = { .pred = mangle_pred_find(run.program, "t", 1),
                                .count = 1,
                                .args = &v };
    assert_int_equal(mangle_overlay_check_fact(run.overlay, &fact, &error), MANGLE_OK);
    fact.count = 2;
    assert_int_equal(mangle_overlay_check_fact(run.overlay, &fact, &error), MANGLE_ERR_INPUT);
    assert_string_equal(error.message, "t has 1 arguments, not 2");
    mangle_run_end(&run);
}

static uint32_t argument_at_fault(const char *program)
{
    struct mangle_error error = { .argument = 77 };
    const struct mangle_fact *facts;
    size_t count;
    struct mangle_run run = mangle_run(program, NULL);
    mangle_pred pred = mangle_pred_find(run.program, "t", 2);
    assert_int_equal(mangle_overlay_facts(run.overlay, pred, &facts, &count), MANGLE_OK);
    assert_int_equal(mangle_overlay_check_fact(run.overlay, &facts[0], &error), MANGLE_ERR_INPUT);
    mangle_run_end(&run);
    return error.argument;
}

static void test_the_argument_of_another_type_is_told_by_number(void **state)
{
    (void)state;
    assert_int_equal(argument_at_fault("Decl t(X, Y) bound [/number, /number]. t(1, \"a\")."), 2);
    assert_int_equal(argument_at_fault("Decl t(X, Y) bound [/number, /number]. t(\"a\", 1)."), 1);
    /* what is no matter of types */
    assert_int_equal(argument_at_fault("Decl q(X). Decl t(X, Y) inclusion [q(X)]. t(1, 2)."), 0);
    assert_int_equal(argument_at_fault("Decl q(X). Decl t(X, Y) bound [\"q\", /any]. t(1, 2)."), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_argument_is_a_member_of_its_type_in_one_row),
        cmocka_unit_test(test_structs_have_no_other_labels_at_run_time),
        cmocka_unit_test(test_inclusion_atoms_must_hold),
        cmocka_unit_test(test_each_row_has_the_inclusion_atoms_of_the_declaration),
        cmocka_unit_test(test_a_string_bound_is_a_type_and_an_inclusion),
        cmocka_unit_test(test_what_cannot_be_checked_is_an_error),
        cmocka_unit_test(test_evaluation_does_not_ask),
        cmocka_unit_test(test_a_fact_that_does_not_hold_can_be_asked_about),
        cmocka_unit_test(test_the_argument_of_another_type_is_told_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
