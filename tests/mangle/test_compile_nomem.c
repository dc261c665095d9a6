/* Compilation and the parsing of facts survive the failure of any one allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/check/target.h"
#include "support/nomem.h"

static const char good[] =
    "Package a!\nDecl p(X, Y) temporal descr [doc(\"d\"), arg(X, \"x\"), arg(Y, \"y\"), "
    "mode('?', '-'), fundep([X], [Y])]\n  bound [/number, .List<.Union</number, /string>>] "
    "inclusion [q(X)].\nDecl w(X) bound [\"q\"]. Decl q(X).\n"
    "p(1, [fn:float:plus(1, -2.5), \"\\u{00e9}\", b\"\\xff\", {/k : [1 : 2]}])@[2024-01-15, now].\n"
    "r(X, N) :- !q(Z), p(X, Y)@[S, _], X < 3, Z = X, Y != [], <-[5m] p(X, _) "
    "|> do fn:group_by(X), let N = fn:count().\n"
    "l(X, Y) :- r(X, _), !c(X) |> let Y = fn:max([1, 2, X]).\n"
    "c(V1) :- s(V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15, V16, V17).\n"
    "s(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17).\n"
    "n(/p). n(/pq). m(X) :- n(X), :match_prefix(X, /p).\n"
    "t([{/a : 1}, {/a : 1, /b : {/c : 2}}]). t([{/a : 1, /b : {/c : 2, /d : [3]}}]).\n"
    "u(X) :- t(Y), :list:member(X, Y).\n";

static const char bad[] = "p(X).\nq(1.\nr(X) :- nowere(X), X < Z, Y = fn:nope(X).\nnowhere(1).\n"
                          "a(X) :- nowhere(X), !b(X). b(X) :- a(X).\ns(fn:div(1, 0)).";

/* No predicate is privileged where none says so. */
static enum mangle_trust trust(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    bool privileged = mangle_pred_descriptor(program, pred, "privileged", NULL, 0) != SIZE_MAX;
    return privileged ? MANGLE_PRIVILEGED : MANGLE_HEARSAY;
}

static bool is_output(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return mangle_program_pred(program, pred).name[0] == 'o';
}

static void compile_failing_everywhere(const char *text, bool check_bounds, enum mangle_status want)
{
    struct mangle_compile_options options = { .check_bounds = check_bounds,
                                              .trust = trust,
                                              .outputs = is_output };
    struct mangle_source source = { "test.mg", text, strlen(text) };
    for (size_t n = 1;; n++) {
        mangle_program *p = NULL;
        mangle_diags *diags = mangle_diags_new();
        assert_non_null(diags);
        nomem_fail_at(n);
        enum mangle_status st = mangle_compile(&source, 1, &options, &p, diags);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_diags_free(diags);
        if (!failed) {
            assert_int_equal(st, want);
            assert_int_equal(p != NULL, want == MANGLE_OK);
            mangle_program_unref(p);
            return;
        }
        assert_int_equal(st, MANGLE_ERR_NOMEM);
        assert_null(p);
    }
}

static void test_compiling_survives_any_failed_allocation(void **state)
{
    (void)state;
    compile_failing_everywhere(good, false, MANGLE_OK);
}

static void test_separating_trust_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char text[] = "Decl ok(X) descr [privileged()]. Decl a(X). Decl b(X) temporal.\n"
                               "b(/x)@[now]. c(X) :- a(X). c(X) :- b(X)@[now]. ok(X) :- c(X).\n";
    compile_failing_everywhere(text, false, MANGLE_OK);
}

static void test_planning_demand_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char text[] = "Decl seen(X). Decl e(X, Y). p(X, Y) :- e(X, Y).\n"
                               "p(X, Z) :- e(X, Y), p(Y, Z). o(Y) :- seen(X), p(X, Y).\n"
                               "o(X) :- seen(X), e(X, Y), !p(Y, _).\n";
    compile_failing_everywhere(text, false, MANGLE_OK);
}

static void test_keeping_the_least_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char text[] =
        "Decl e(X, Y, L). p(0, 0). p(Y, fn:plus(C, L)) :- p(X, C), e(X, Y, L), C < 9.\n"
        "p(Y, D) :- p(X, C), e(X, Y, L), fn:minus(C, L) < 2 |> let D = fn:minus(C, L).\n"
        "q(Y, D) :- p(X, _), e(X, Y, D). q(Y, D) :- q(X, C), e(X, Y, L), D = fn:plus(C, L), D > "
        "2.\n"
        "o(Y, M) :- q(Y, D), p(Y, _) |> do fn:group_by(Y), let M = fn:max(D).\n"
        "o(Y, M) :- p(Y, D) |> do fn:group_by(Y), let M = fn:min(D).\n";
    compile_failing_everywhere(text, false, MANGLE_OK);
}

static void test_reporting_survives_any_failed_allocation(void **state)
{
    (void)state;
    compile_failing_everywhere(bad, false, MANGLE_ERR_PROGRAM);
}

static void test_hints_survive_any_failed_allocation(void **state)
{
    (void)state;
    compile_failing_everywhere(
        "Use lib! Decl edge(From, To) descr [dco(\"x\")]. Decl a(X) bound [\"b\"]. "
        "Decl b(X) bound [\"a\"]. Decl c(X) bound [.Lst</a>] bound [\"edg\"] bound [fn:Pair(/a)].\n"
        "Decl edge(X, Y). edge(1). p(X) :- egde(X, Y), edge(Z), lbi.q(Nmae), :lst:member(Name, "
        "X).\n"
        "q(Nmae) :- edge(Name, _), X = fn:pluss(1).\nr(X) :- s(X) and t.\nd(count(X)).\n"
        "decl x(Y).\nDecl u(X) bounds [/a].\nv(\"\n\"a).\nw([1.\nx(1",
        false, MANGLE_ERR_PROGRAM);
    compile_failing_everywhere(
        "Decl a(X) bound [/int]. Decl n(X) bound [/number]. Decl s(X) bound [/string].\n"
        "a(1). n(1.5). r(X) :- n(X), s(X). s(X) :- n(X). t(X) :- n(X), X != \"a\".\n"
        "Decl st(X) bound [.Struct</a : /number>]. u(V) :- st(X), :match_field(X, /b, V).\n"
        "Decl two(X, Y) bound [/number, /string] bound [/string, /number]. two(X, X) :- n(X).\n"
        "two(1, 2). Decl ev(X) temporal. v(X) :- s(S), ev(X)@[S, _]. w(X) :- two(X, X).\n"
        "Decl in(X) descr [mode('+')] bound [/number]. in(X) :- ev(X)@[_, _].",
        true, MANGLE_ERR_PROGRAM);
}

static void test_checking_bounds_survives_any_failed_allocation(void **state)
{
    (void)state;
    compile_failing_everywhere(
        "Decl e(X) bound [.TaggedUnion</k, /on : .Struct</n : /number>, /off : .Struct<>>].\n"
        "e({/k : /on, /n : 1}). n(N) :- e(M), :match_field(M, /n, N), !:match_prefix(N, /a).\n"
        "Decl l(X) bound [.List<.Union</number, /string>>] bound [.Tuple</a, /b, X>]. l([1]).\n"
        "u([1 : \"a\"], fn:pair(1, /a/b)). v(X, Z) :- u(X, _), l(Y), Y != [2], N = "
        "fn:list:get([1], "
        "0) "
        "|> do fn:group_by(X, N), let Z = fn:collect(N, {/k : Y}).\n"
        "Decl q(X) bound [\"e\"]. r(X) :- q(X), e(X), X = Y, Y = {/k : /off}.",
        true, MANGLE_OK);
    compile_failing_everywhere("Decl s(X) bound [/string]. n(1). s(X) :- n(X). s(2). "
                               "t(Y) :- n(X), Y = fn:plus(X, \"a\").",
                               true, MANGLE_ERR_PROGRAM);
}

static void test_reading_facts_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char rules[] = "Decl p(X, Y). Decl e(X) temporal.";
    static const char text[] = "p(1, [\"a\", fn:plus(1, 2)]). e(/x)@[now, _]. e(fn:time:now()). "
                               "p({/k : 1.5}, fn:list(fn:max([1, 2]))).";
    struct mangle_source program_source = { "r.mg", rules, sizeof rules - 1 };
    struct mangle_source source = { "f.mg", text, sizeof text - 1 };
    mangle_program *p;
    assert_int_equal(mangle_compile(&program_source, 1, NULL, &p, NULL), MANGLE_OK);
    for (size_t n = 1;; n++) {
        struct arena arena;
        struct fact *facts;
        size_t count;
        mangle_values *values = mgi_values_new(p->values, 0);
        mangle_diags *diags = mangle_diags_new();
        mgi_arena_init(&arena, 0);
        struct parse_target target = { p, &arena, values, diags };
        nomem_fail_at(n);
        enum mangle_status st = mgi_parse_facts(&target, &source, &facts, &count);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        assert_int_equal(count, failed ? 0 : 4);
        mgi_arena_fini(&arena);
        mgi_values_free(values);
        mangle_diags_free(diags);
        if (!failed)
            break;
    }
    mangle_program_unref(p);
}

/* One whose every finding and type has been worked out, or nothing. */
static void outline_failing_everywhere(const char *text)
{
    struct mangle_source source = { "test.mg", text, strlen(text) };
    for (size_t n = 1;; n++) {
        mangle_outline *o = NULL;
        mangle_diags *diags = mangle_diags_new();
        assert_non_null(diags);
        nomem_fail_at(n);
        enum mangle_status st = mangle_outline_new(&source, 1, NULL, &o, diags);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_diags_free(diags);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        assert_int_equal(o != NULL, !failed);
        mangle_outline_free(o);
        if (!failed)
            return;
    }
}

static void test_outlines_survive_any_failed_allocation(void **state)
{
    (void)state;
    outline_failing_everywhere(good);
    outline_failing_everywhere(bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlines_survive_any_failed_allocation),
        cmocka_unit_test(test_compiling_survives_any_failed_allocation),
        cmocka_unit_test(test_separating_trust_survives_any_failed_allocation),
        cmocka_unit_test(test_planning_demand_survives_any_failed_allocation),
        cmocka_unit_test(test_keeping_the_least_survives_any_failed_allocation),
        cmocka_unit_test(test_reporting_survives_any_failed_allocation),
        cmocka_unit_test(test_hints_survive_any_failed_allocation),
        cmocka_unit_test(test_checking_bounds_survives_any_failed_allocation),
        cmocka_unit_test(test_reading_facts_survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
