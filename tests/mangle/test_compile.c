/* mangle_compile(): what a program tells about itself, the order of premises, strata, facts, what
 * the host adds, and that every program of the acceptance set that needs nothing missing compiles.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "mangle/program/diag.h"

static enum mangle_status compile_with(const char *text,
                                       const struct mangle_compile_options *options,
                                       mangle_program **out, mangle_diags *diags)
{
    struct mangle_source source = { "test.mg", text, strlen(text) };
    return mangle_compile(&source, 1, options, out, diags);
}

static mangle_program *compiled(const char *text)
{
    mangle_program *p;
    mangle_diags *diags = mangle_diags_new();
    if (compile_with(text, NULL, &p, diags)) {
        char *first = mangle_diag_print(mangle_diags_get(diags, 0));
        print_error("%s\n%s", text, first);
        mangle_free(first);
    }
    mangle_diags_free(diags);
    assert_non_null(p);
    return p;
}

/* ---- order of premises (8.2) ------------------------------------------------------------- */

static const struct {
    const char *id, *text, *want;
} orders[] = {
    { "M-ANA-12", "num(1). high(9). low(X) :- !high(X), num(X).", "low(X) :- num(X), !high(X)." },
    { "M-ANA-11", "a(1). b(1). c(1). x(1,2). y(1). r(X) :- !x(X,Y), !y(X), a(X), b(Y).",
      "r(X) :- a(X), !y(X), b(Y), !x(X,Y)." },
    { "M-ANA-12", "q(1). r(1,3). p(X) :- q(X), !r(X, _).", "p(X) :- q(X), !r(X,_)." },
    { "M-ANA-13", "s(1). t(1). r(X) :- s(X), X != Y, t(Y).", "r(X) :- s(X), t(Y), X != Y." },
    { "M-ANA-24", "t(1). r(X) :- X = Y, t(Y).", "r(X) :- t(Y), X = Y." },
    { "M-ANA-24", "t(1). u(2). r(X) :- !u(Z), X = Y, Z = X, t(Y).",
      "r(X) :- t(Y), X = Y, Z = X, !u(Z)." },
    { "M-ANA-10", "on(/a)@[2024-01-01]. off(/a). live(X) :- !off(X), on(X)@[_, F].",
      "live(X) :- on(X)@[_, F], !off(X)." },
    { "M-TEMP-40", "on(/a)@[2024-01-01]. s(1). r(T) :- !on(/a)@[T], on(/a)@[T, _], s(_).",
      "r(T) :- on(/a)@[T, _], !on(/a)@[T], s(_)." },
    { "M-TEMP-40", "on(/a)@[2024-01-01]. s(1). r(X) :- !on(_)@[T], s(X).",
      "r(X) :- !on(_)@[T], s(X)." },
    { "M-ANA-22", "r(X) :- X = 3, X < 4.", "r(X) :- X = 3, :lt(X,4)." },
    { "M-DECL-17", "Decl v(X) descr [reflects(/v)]. s(/v/a). r(X) :- s(X), v(X).",
      "r(X) :- s(X), :match_prefix(X,/v)." },
};

static void test_premises_wait_for_what_binds_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        mangle_program *p = compiled(orders[i].text);
        struct buf got = { 0 };
        mgi_clause_print(&got, p, p->rules[0]);
        assert_string_equal(got.ptr, orders[i].want);
        mgi_buf_fini(&got);
        mangle_program_unref(p);
    }
}

/* ---- strata ------------------------------------------------------------------------------ */

static uint32_t stratum_of(const mangle_program *p, const char *name, uint32_t arity)
{
    return p->preds[mangle_pred_find(p, name, arity)].stratum;
}

static void test_what_a_rule_reads_is_in_an_earlier_stratum_or_its_own(void **state)
{
    (void)state;
    mangle_program *p =
        compiled("edge(1,2). node(1). "
                 "cut(X, Y) :- node(X), node(Y), !path(X, Y). "
                 "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z). "
                 "far(X) :- <-[5m] seen(X). seen(X)@[now] :- path(X, _). "
                 "even(0). even(Y) :- odd(X), Y = fn:plus(X, 1). odd(Y) :- even(Y).");
    assert_true(stratum_of(p, "path", 2) < stratum_of(p, "cut", 2));
    assert_true(stratum_of(p, "seen", 1) < stratum_of(p, "far", 1));     /* M-STR-2 */
    assert_int_equal(stratum_of(p, "even", 1), stratum_of(p, "odd", 1)); /* M-STR-4 */
    assert_int_equal(stratum_of(p, "edge", 2), UINT32_MAX);              /* M-STR-5 */
    const struct stratum *path = &p->strata[stratum_of(p, "path", 2)];
    assert_true(path->recursive);
    assert_int_equal(path->rule_count, 2);
    assert_true(path->rules[0] < path->rules[1]);
    assert_false(p->strata[stratum_of(p, "cut", 2)].recursive);
    mangle_program_unref(p);
}

/* A chain of 20,000 predicates: the search for strata does not use the C stack. */
static void test_long_chains_of_predicates_are_stratified(void **state)
{
    (void)state;
    struct buf text = { 0 };
    mgi_buf_puts(&text, "p0(1).\n");
    for (int i = 1; i <= 20000; i++)
        mgi_buf_printf(&text, "p%d(X) :- p%d(X).\n", i, i - 1);
    mangle_program *p = compiled(text.ptr);
    assert_int_equal(p->stratum_count, 20000);
    assert_int_equal(stratum_of(p, "p20000", 1), 19999);
    mangle_program_unref(p);
    mgi_buf_fini(&text);
}

/* ---- views ------------------------------------------------------------------------------- */

static void test_a_program_tells_its_predicates(void **state)
{
    (void)state;
    mangle_program *p =
        compiled("# schema\n"
                 "Decl age(Who, Years) descr [doc(\"How old.\"), direction(\"input\"), "
                 "fundep([Who], [Years])]\n"
                 "  bound [/name, /number] bound [/string, .List<.Union</number, /string>>].\n"
                 "Decl seen(X) temporal.\n"
                 "old(X) :- age(X, Y), Y > 70, !seen(X)@[now].\n");
    mangle_pred age = mangle_pred_find(p, "age", 2);
    struct mangle_pred_view view = mangle_program_pred(p, age);
    assert_true(view.declared && !view.derived && !view.temporal);
    assert_string_equal(view.arg_names[0], "Who");
    assert_string_equal(view.arg_names[1], "Years");
    assert_string_equal(view.doc, "How old.");
    assert_string_equal(view.file, "test.mg");
    assert_int_equal(view.line, 2);
    assert_string_equal(mangle_pred_bound(p, age, 0), "/name | /string");
    assert_string_equal(mangle_pred_bound(p, age, 1),
                        "/number | fn:List(fn:Union(/number,/string))");
    mangle_value args[4];
    assert_int_equal(mangle_pred_descriptor(p, age, "direction", args, 4), 1);
    size_t len;
    assert_string_equal(mangle_text_of(mangle_program_values(p), args[0], &len), "input");
    assert_int_equal(mangle_pred_descriptor(p, age, "fundep", args, 4), 2);
    assert_int_equal(mangle_kind_of(mangle_program_values(p), args[0]), MANGLE_LIST);
    assert_int_equal(mangle_pred_descriptor(p, age, "nothing", args, 4), SIZE_MAX);

    mangle_pred seen = mangle_pred_find(p, "seen", 1), old = mangle_pred_find(p, "old", 1);
    assert_true(mangle_program_pred(p, seen).temporal);
    assert_true(mangle_program_pred(p, old).derived && !mangle_program_pred(p, old).declared);
    assert_null(mangle_program_pred(p, old).arg_names);
    assert_int_equal(mangle_pred_find(p, "age", 3), MANGLE_NO_PRED);

    assert_int_equal(mangle_program_rule_count(p), 1);
    struct mangle_rule_view rule = mangle_program_rule(p, 0);
    assert_string_equal(rule.text, "old(X) :- age(X,Y), :gt(Y,70), !seen(X)@[now].");
    assert_int_equal(rule.line, 5);
    assert_int_equal(rule.head, old);
    assert_int_equal(rule.body_count, 2);
    assert_int_equal(rule.body[0], age);
    assert_int_equal(rule.body[1], seen);
    mangle_program_unref(p);
}

/* What tools that check domains read: every clause with its place, the arguments of its head, and
 * the sources themselves. */
static void test_a_program_shows_its_clauses_as_written(void **state)
{
    (void)state;
    static const char first[] =
        "Decl edge(From, To).\nedge(\"\xc3\xa4\", /b). edge(X, X) :- node(X).";
    static const char second[] = "# \xff\n  node(fn:plus(1, 2)).";
    struct mangle_source sources[] = { { "one.mg", first, strlen(first) },
                                       { "two.mg", second, strlen(second) } };
    mangle_program *p;
    assert_int_equal(mangle_compile(sources, 2, NULL, &p, NULL), MANGLE_OK);

    assert_int_equal(mangle_program_source_count(p), 2);
    struct mangle_source source = mangle_program_source(p, 1);
    assert_string_equal(source.name, "two.mg");
    assert_string_equal(source.text, "# \xef\xbf\xbd\n  node(fn:plus(1, 2)).");
    assert_int_equal(source.len, strlen(source.text));

    mangle_pred edge = mangle_pred_find(p, "edge", 2), node = mangle_pred_find(p, "node", 1);
    struct mangle_clause_view want[] = { { true, SIZE_MAX, edge, 0, 1, 6 },
                                         { false, SIZE_MAX, edge, 0, 2, 1 },
                                         { false, 0, edge, 0, 2, 16 },
                                         { false, SIZE_MAX, node, 1, 2, 3 } };
    assert_int_equal(mangle_program_clause_count(p), 4);
    for (size_t i = 0; i < 4; i++) {
        struct mangle_clause_view got = mangle_program_clause(p, i);
        assert_int_equal(got.declaration, want[i].declaration);
        assert_int_equal(got.rule, want[i].rule);
        assert_int_equal(got.head, want[i].head);
        assert_int_equal(got.source, want[i].source);
        assert_int_equal(got.line, want[i].line);
        assert_int_equal(got.column, want[i].column);
    }

    struct mangle_argument_view constant = mangle_program_argument(p, 1, 1);
    size_t len;
    assert_string_equal(mangle_text_of(mangle_program_values(p), constant.value, &len), "/b");
    assert_int_equal(constant.line, 2);
    assert_int_equal(constant.column, 11);
    assert_int_equal(mangle_program_argument(p, 0, 0).value, MANGLE_NONE); /* of a Decl */
    assert_int_equal(mangle_program_argument(p, 2, 1).value, MANGLE_NONE); /* a variable */
    assert_int_equal(mangle_program_argument(p, 3, 0).value, MANGLE_NONE); /* a call */
    mangle_program_unref(p);
}

static void test_a_program_tells_the_arguments_of_premises(void **state)
{
    (void)state;
    struct mangle_source source = { "p.mg",
                                    "p(X, [X, 1]) :- q(X, /a), X < 3,\n"
                                    "  !r(\"s\", X). p(1, [1, 2, 3]). q(1, /a). r(\"s\", 2).",
                                    0 };
    mangle_program *p;
    source.len = strlen(source.text);
    assert_int_equal(mangle_compile(&source, 1, NULL, &p, NULL), MANGLE_OK);
    struct mangle_rule_view rule = mangle_program_rule(p, 0);
    const mangle_values *values = mangle_program_values(p);
    size_t len;
    assert_int_equal(rule.body_count, 2); /* the comparison is none of them */
    struct mangle_argument_view a = mangle_program_premise_argument(p, 0, 0, 1);
    assert_string_equal(mangle_text_of(values, a.value, &len), "/a");
    a = mangle_program_premise_argument(p, 0, 1, 0);
    assert_string_equal(mangle_text_of(values, a.value, &len), "s");
    assert_int_equal(a.line, 2);
    assert_int_equal(a.column, 6);
    assert_int_equal(mangle_program_premise_argument(p, 0, 1, 1).value, MANGLE_NONE);

    assert_int_equal(mangle_program_argument(p, 0, 1).items, 2); /* a list with variables */
    assert_int_equal(mangle_program_argument(p, 1, 1).items, 3);
    assert_int_equal(mangle_program_argument(p, 1, 0).items, UINT32_MAX);
    mangle_program_unref(p);
}

static void test_facts_are_evaluated(void **state)
{
    (void)state;
    mangle_program *p = compiled("p(fn:plus(1, 2), [1, \"a\"], {/k : fn:max([3, 9])}). "
                                 "t(fn:time:now()). e(1)@[now, _]. q(1)@[_, _].");
    assert_int_equal(p->fact_count, 4);
    size_t len;
    char *text = mangle_value_print(p->values, p->facts[0].args[2], MANGLE_CANONICAL, &len);
    assert_string_equal(text, "{/k : 9}"); /* M-ANA-4 */
    mangle_free(text);
    assert_true(p->facts[1].reads_now && !p->facts[1].args);
    assert_true(p->facts[2].reads_now && p->facts[2].args && p->facts[2].temporal);
    assert_false(p->facts[3].temporal || p->facts[3].annotation.present); /* M-TEMP-97 */
    mangle_program_unref(p);
}

/* ---- the host ---------------------------------------------------------------------------- */

static const char *first_code(const char *text, const struct mangle_compile_options *options)
{
    static char code[32];
    mangle_program *p;
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = compile_with(text, options, &p, diags);
    strcpy(code, "ok");
    if (st)
        strcpy(code, mangle_diags_get(diags, 0)->code);
    assert_int_equal(st == MANGLE_OK, p != NULL);
    mangle_program_unref(p);
    mangle_diags_free(diags);
    return code;
}

static void test_host_predicates_are_read_but_not_defined(void **state)
{
    (void)state;
    static const struct mangle_host_pred host[] = { { "h", 1, false }, { "ev", 1, true } };
    struct mangle_compile_options options = { .host_preds = host, .host_pred_count = 2 };
    assert_string_equal(first_code("r(X) :- h(X).", &options), "ok"); /* M-EXT-1, M-EXT-2 */
    assert_string_equal(first_code("r(X) :- h(X).", NULL), "PRED_UNKNOWN");
    assert_string_equal(first_code("h(1).", &options), "PRED_REDEFINED"); /* M-ANA-2 */
    assert_string_equal(first_code("h(1, 2).", &options), "PRED_REDEFINED");
    assert_string_equal(first_code("Decl h(X). h(1).", &options), "ok"); /* M-DECL-2 */
    assert_string_equal(first_code("Decl h(X, Y).", &options), "DECL_ARITY_CONFLICT");
    assert_string_equal(first_code("r(X) :- h(X, X).", &options), "PRED_ARITY");
    assert_string_equal(first_code("r(X) :- ev(X), <-[5m] ev(X), h(X)@[now].", &options),
                        "ok"); /* M-TEMP-96 */
}

static void test_a_host_that_yields_leaves_names_to_the_sources(void **state)
{
    (void)state;
    static const struct mangle_host_pred host[] = { { "h", 1, false }, { "p", 1, false } };
    struct mangle_compile_options options = { .host_preds = host,
                                              .host_pred_count = 2,
                                              .host_yields = true };
    assert_string_equal(first_code("p(1). r(X) :- h(X), p(X).", &options), "ok");
    assert_string_equal(first_code("p(1, 2). r(X) :- h(X), p(X, _).", &options), "ok");
    assert_string_equal(first_code("p(1, 2). r(X) :- p(X).", &options), "PRED_ARITY");
}

static void test_the_predicates_of_a_facts_file_are_listed(void **state)
{
    (void)state;
    static const char text[] = "b(1). a(1, \"x\")@[_, _]. b(\"y\"). broken(. b(1, 2). on.\n"
                               "a(1, 2)@[2024-01-01].";
    struct mangle_source source = { "facts.mg", text, sizeof text - 1 };
    struct mangle_host_pred *preds;
    size_t count;
    assert_int_equal(mangle_facts_preds(&source, &preds, &count), MANGLE_OK);
    static const struct mangle_host_pred want[] = {
        { "b", 1, false }, { "a", 2, true }, { "b", 2, false }, { "on", 0, false }
    };
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(preds[i].name, want[i].name);
        assert_int_equal(preds[i].arity, want[i].arity);
        assert_int_equal(preds[i].temporal, want[i].temporal);
    }
    mangle_free(preds);
}

static bool only_s(void *context, const mangle_program *program, mangle_pred pred)
{
    struct mangle_pred_view view = mangle_program_pred(program, pred);
    (*(int *)context)++;
    return strcmp(view.name, "s") == 0 && view.arity == 1;
}

static void test_the_host_says_what_overlays_may_add(void **state)
{
    (void)state;
    int asked = 0;
    struct mangle_compile_options options = { .changeable = only_s, .changeable_context = &asked };
    mangle_program *p;
    assert_int_equal(compile_with("s(1). t(1). r(X) :- s(X), t(X).", &options, &p, NULL),
                     MANGLE_OK);
    assert_int_equal(asked, 3); /* once each */
    assert_true(p->preds[mangle_pred_find(p, "s", 1)].assertable);
    assert_false(p->preds[mangle_pred_find(p, "t", 1)].assertable);
    assert_false(p->preds[mangle_pred_find(p, "r", 1)].assertable);
    mangle_program_unref(p);
}

static void test_dangerous_recursion_can_be_allowed(void **state)
{
    (void)state;
    const char *text = "Decl a(X) temporal. a(X)@[now] :- <+[0s, 1d] a(X).";
    struct mangle_compile_options options = { .allow_dangerous = true };
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p;
    assert_string_equal(first_code(text, NULL), "TEMP_FUTURE_REC");
    assert_int_equal(compile_with(text, &options, &p, diags), MANGLE_OK);
    assert_int_equal(mangle_diags_errors(diags), 0);
    assert_string_equal(mangle_diags_get(diags, 0)->code, "TEMP_FUTURE_REC");
    assert_int_equal(mangle_diags_get(diags, 0)->severity, MANGLE_WARNING); /* M-ANA-75 */
    mangle_program_unref(p);
    mangle_diags_free(diags);
}

static void test_warnings_can_be_errors(void **state)
{
    (void)state;
    const char *text = "Decl p(X) temporal. p(1)@[2024-01-01]. p(X)@[T] :- p(X)@[T].";
    struct mangle_compile_options options = { .warnings_are_errors = true };
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p;
    assert_int_equal(compile_with(text, NULL, &p, diags), MANGLE_OK); /* M-ANA-70 */
    assert_int_equal(mangle_diags_errors(diags), 0);
    mangle_program_unref(p);
    assert_int_equal(compile_with(text, &options, &p, diags), MANGLE_ERR_PROGRAM); /* M-ANA-75 */
    assert_int_equal(mangle_diags_count(diags), 2);
    assert_int_equal(mangle_diags_get(diags, 0)->severity, MANGLE_WARNING);
    assert_int_equal(mangle_diags_get(diags, 1)->severity, MANGLE_ERROR);
    assert_string_equal(mangle_diags_get(diags, 1)->code, "TEMP_SELF_REC");
    assert_int_equal(compile_with("a(1).", &options, &p, NULL), MANGLE_OK);
    mangle_program_unref(p);
    assert_int_equal(compile_with(text, &options, &p, NULL), MANGLE_ERR_PROGRAM);
    mangle_diags_free(diags);
}

/* ---- bounds (5.6 and what follows from 5.3 to 5.5) ---------------------------------------- */

static const char *const within_bounds[] = {
    "Decl p(X) bound [/number] bound [/string]. p(1). p(\"a\").", /* M-TYPE-81 */
    "Decl v(X) bound [/v]. v(/v/1).",                             /* M-TYPE-82 */
    "p(\"a\"). Decl q(X) bound [/string]. q(X) :- p(X).",         /* M-TYPE-84 */
    "Decl m(X) bound [.Map</string, /number>]. m([\"a\" : 1]).",  /* M-TYPE-86 */
    "Decl l(X) bound [.List<.Union</number, /string>>]. l([1]). l([1, \"a\"]). l([]).",
    "Decl s(X) bound [.Struct</a : /number>]. s({/a : 1, /b : 2}).", /* M-TYPE-88 */
    "Decl s(X) bound [.Struct</a : /number, opt /b : /string>]. s({/a : 1}).",
    "Decl e(X) bound [.TaggedUnion</k, /on : .Struct</n : /number>, /off : .Struct<>>]. "
    "e({/k : /on, /n : 1}). e({/k : /off}). n(N) :- e(M), :match_field(M, /n, N).",
    "Decl w(W) bound [.Union<.Singleton</calm>, .Singleton</storm>>]. w(/calm).", /* M-TYPE-71 */
    "Decl a(X) bound [\"b\"]. Decl b(X) bound [/number]. a(1). b(1).",            /* M-DECL-31 */
    "Decl p(X) bound [fn:List(/number)]. Decl q(X) bound [.List</number>]. p([1]). q(X) :- p(X).",
    "Decl p(X, Y) bound [/number, /any]. p(1, 2). r(Z) :- p(X, Y), Z = fn:plus(X, 1), Z < 3.",
    "Decl n(X) bound [/number]. n(1). Decl s(N) bound [/number]. "
    "s(S) :- n(X) |> do fn:group_by(), let S = fn:sum(X).",
    "Decl n(X) bound [/number]. n(1). Decl l(L) bound [.List</number>]. "
    "l(L) :- n(X) |> do fn:group_by(), let L = fn:collect(X).",
    "Decl l(L) bound [.List</number>]. l([1]). Decl n(X) bound [/number]. "
    "n(X) :- l(L), :list:member(X, L). n(X) :- l(L), X = fn:list:get(L, 0). "
    "n(X) :- l(L), :match_cons(L, X, _). n(M) :- l(L) |> let M = fn:max(L).",
    "Decl m(M) bound [.Map</string, /number>]. m([\"a\" : 1]). Decl n(X) bound [/number]. "
    "n(X) :- m(M), :match_entry(M, \"a\", X). d(X) :- n(X), n(Y), :within_distance(X, Y, 3).",
    "Decl x(X) bound [/a] bound [/b]. x(/a/1). x(/b/1). Decl y(X) bound [/a]. "
    "y(X) :- x(X), :match_prefix(X, /a).",
    "Decl t(X) temporal bound [/name]. t(/x)@[2024-01-01]. u(X)@[S, E] :- t(X)@[S, E].",
    "edge(/a, /b). path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).",
    "Decl p(X). r(X) :- p(X), !q(X). q(1).",
    "Decl p(X). Decl q(S) bound [/string]. q(S) :- p(X), S = fn:string:concat(\"a\", X).",
    "Decl f(X, Y) bound [X, fn:List(X)]. f(1, [\"a\"]).", /* M-TYPE-72 */
    "Decl p(X) bound [.Pair</number, .Pair</string, /name>>]. p(fn:tuple(1, \"a\", /b)).",
    "Decl p(X) bound [.Tuple</number, /string, /name>]. p(fn:tuple(1, \"a\", /b)).",
};

static void test_programs_within_their_bounds_compile(void **state)
{
    (void)state;
    struct mangle_compile_options options = { .check_bounds = true };
    for (size_t i = 0; i < sizeof within_bounds / sizeof *within_bounds; i++)
        if (strcmp(first_code(within_bounds[i], &options), "ok") != 0) {
            print_error("%s\n%s\n", within_bounds[i], first_code(within_bounds[i], &options));
            fail();
        }
}

/* With doubt_warns only what cannot fit is an error. */
static void test_a_head_that_may_fit_is_a_warning_where_doubt_warns(void **state)
{
    static const struct {
        const char *text;
        enum mangle_status status;
        enum mangle_severity severity;
    } cases[] = {
        { "Decl p(X). Decl q(X) bound [/string]. q(X) :- p(X).", MANGLE_OK, MANGLE_WARNING },
        { "Decl p(X) bound [.Union</string, /number>]. Decl q(X) bound [/string]. q(X) :- p(X).",
          MANGLE_OK, MANGLE_WARNING },
        { "Decl p(X) bound [/number]. Decl q(X) bound [/string]. q(X) :- p(X).", MANGLE_ERR_PROGRAM,
          MANGLE_ERROR },
        { "Decl p(X) bound [/string] bound [/number]. Decl q(X) bound [/string]. q(X) :- p(X).",
          MANGLE_ERR_PROGRAM, MANGLE_ERROR },
        { "Decl p(X). Decl q(X, Y) bound [/string, /number]. q(X, \"a\") :- p(X).",
          MANGLE_ERR_PROGRAM, MANGLE_ERROR },
        { "Decl p(X). Decl q(X) bound [/string]. q(Y) :- p(X), Y = fn:plus(X, 1).",
          MANGLE_ERR_PROGRAM, MANGLE_ERROR },
    };
    (void)state;
    struct mangle_compile_options options = { .check_bounds = true, .doubt_warns = true };
    assert_string_equal(first_code("Decl p(X). r(Y) :- p(X), Y = fn:plus(X, 1).", &options), "ok");
    assert_string_equal(
        first_code("Decl p(X) bound [/string]. r(Y) :- p(X), Y = fn:plus(X, 1).", &options),
        "BOUNDS_PREMISE");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mangle_source source = { "p.mg", cases[i].text, strlen(cases[i].text) };
        mangle_diags *diags = mangle_diags_new();
        mangle_program *p;
        assert_int_equal(mangle_compile(&source, 1, &options, &p, diags), cases[i].status);
        assert_int_equal(mangle_diags_count(diags), 1);
        assert_string_equal(mangle_diags_get(diags, 0)->code, "BOUNDS_RULE");
        assert_int_equal(mangle_diags_get(diags, 0)->severity, cases[i].severity);
        mangle_program_unref(p);
        mangle_diags_free(diags);
    }
}

/* Whoever only asks what is wrong gets the same findings and no program. */
static void test_a_check_alone_finds_the_same_and_makes_nothing(void **state)
{
    static const char *const texts[] = { "p(1). q(X) :- p(X).", "q(X) :- p(Y).",
                                         "Decl p(X) bound [/number]. p(1.5)." };
    static const enum mangle_status wanted[] = { MANGLE_OK, MANGLE_ERR_PROGRAM,
                                                 MANGLE_ERR_PROGRAM };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mangle_compile_options options = { .check_bounds = true };
        mangle_diags *whole = mangle_diags_new(), *check = mangle_diags_new();
        mangle_program *p, *none;
        assert_int_equal(compile_with(texts[i], &options, &p, whole), wanted[i]);
        options.check_only = true;
        assert_int_equal(compile_with(texts[i], &options, &none, check), wanted[i]);
        assert_null(none);
        assert_int_equal(mangle_diags_count(check), mangle_diags_count(whole));
        for (size_t k = 0; k < mangle_diags_count(whole); k++)
            assert_string_equal(mangle_diags_get(check, k)->message,
                                mangle_diags_get(whole, k)->message);
        mangle_program_unref(p);
        mangle_diags_free(whole);
        mangle_diags_free(check);
    }
}

static const struct {
    const char *code, *text;
} out_of_bounds[] = {
    { "BOUNDS_FACT", "Decl p(X) bound [/number]. p(1.5)." }, /* M-TYPE-80 */
    { "BOUNDS_FACT", "Decl v(X) bound [/v]. v(/v)." },
    { "BOUNDS_FACT", "Decl v(X) bound [/v]. v(/vv/1)." },
    { "BOUNDS_FACT",
      "Decl s(X) bound [.Struct</a : /number, opt /b : /string>]. s({/a : 1, /b : 2})." },
    { "BOUNDS_FACT",
      "Decl e(X) bound [.TaggedUnion</k, /on : .Struct</n : /number>>]. e({/k : /dim, /n : 1})." },
    { "BOUNDS_FACT", "Decl p(X) bound [/bytes]. p(\"a\")." },
    { "BOUNDS_FACT", "Decl p(X) bound [.List</number>]. p([1, \"a\"])." },
    { "BOUNDS_FACT", "Decl a(X) bound [\"b\"]. Decl b(X) bound [/number]. a(\"x\")." },
    { "BOUNDS_RULE", "Decl p(X). Decl q(X) bound [/string]. q(X) :- p(X)." }, /* M-TYPE-83 */
    { "BOUNDS_RULE", "Decl s(X) bound [/string]. Decl n(X) bound [/number]. n(1). s(X) :- n(X)." },
    { "BOUNDS_RULE", "Decl s(X) bound [/string]. q(1). s(3) :- q(_)." },
    { "BOUNDS_RULE",
      "Decl s(X) bound [/string]. n(1). s(S) :- n(X) |> do fn:group_by(), let S = fn:sum(X)." },
    { "BOUNDS_RULE",
      "Decl p(X) bound [/number] bound [/string]. p(1). Decl q(X) bound [/number]. q(X) :- p(X)." },
    { "BOUNDS_PREMISE", "Decl a(X) bound [/string]. Decl b(X) bound [/number]. a(\"x\"). b(1). "
                        "r(X) :- a(X), b(X)." }, /* M-TYPE-85 */
    { "BOUNDS_PREMISE", "Decl n(X) bound [/number]. n(1). r(Y) :- n(X), Y = fn:plus(X, \"a\")." },
    { "BOUNDS_PREMISE",
      "Decl f(X) bound [/float64]. f(1.5). r(X) :- f(X), X < 2." },            /* M-TYPE-92 */
    { "BOUNDS_PREMISE", "Decl n(X) bound [/number]. n(1). r() :- n(\"a\")." }, /* M-TYPE-65 */
    { "BOUNDS_PREMISE",
      "Decl s(X) bound [.Struct</a : /number>]. r(X) :- s(S), :match_field(S, /z, X)." },
    { "BOUNDS_PREMISE", "Decl n(X) bound [/number]. n(1). r(X) :- n(X), X = \"a\"." },
    { "BOUNDS_PREMISE", "Decl n(X) bound [/number]. n(1). r(X) :- n(X), X != \"a\"." },
    { "HEADTIME_TYPE", "Decl t(X) temporal bound [/name]. Decl s(X) bound [/string]. s(\"x\"). "
                       "t(/a)@[S, _] :- s(S)." }, /* M-TYPE-93 */
};

static void test_programs_out_of_bounds_are_refused_when_asked(void **state)
{
    (void)state;
    struct mangle_compile_options options = { .check_bounds = true };
    for (size_t i = 0; i < sizeof out_of_bounds / sizeof *out_of_bounds; i++) {
        const char *code = first_code(out_of_bounds[i].text, &options);
        if (strcmp(code, out_of_bounds[i].code) != 0) {
            print_error("%s\ngot %s\n", out_of_bounds[i].text, code);
            fail();
        }
        assert_string_equal(first_code(out_of_bounds[i].text, NULL), "ok"); /* M-TYPE-60: off */
    }
}

/* Every built-in says what it takes (M-TYPE-74), in a form that the check can read: a call with
 * what nobody takes is not /any. */
static void test_every_builtin_has_a_signature(void **state)
{
    (void)state;
    const struct builtin_pred *row;
    for (size_t i = 0; (row = mgi_builtin_pred_at(i)) != NULL; i++) {
        assert_non_null(row->type);
        uint32_t commas = 0, depth = 0;
        for (const char *c = row->type; *c; c++) {
            depth += *c == '(';
            depth -= *c == ')';
            commas += *c == ',' && depth == 0;
        }
        if (commas + 1 != row->arity)
            print_error("%s: %s\n", row->name, row->type);
        assert_int_equal(commas + 1, row->arity);
    }
    const struct function *f;
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++)
        assert_non_null(f->type);
}

/* Rows multiply: what is known is joined instead of growing without end. */
static void test_many_bound_rows_stay_finite(void **state)
{
    (void)state;
    struct mangle_compile_options options = { .check_bounds = true };
    struct buf text = { 0 };
    mgi_buf_puts(&text, "Decl p(X, Y)");
    for (int i = 0; i < 30; i++)
        mgi_buf_printf(&text, " bound [/a%d, /b%d]", i, i);
    mgi_buf_puts(&text, ".\nr(A, B, C, D, E, F) :- p(A, B), p(C, D), p(E, F), p(B, _).\n"
                        "s(A, B, C, D) :- p(A, B), p(C, D), p(E, F), p(G, H).\n");
    for (int i = 0; i < 100; i++)
        mgi_buf_printf(&text, "u(/z%d/1, [%d, \"x\"]).\n", i, i);
    mgi_buf_puts(&text, "v(X) :- u(X, _).\n");
    assert_string_equal(first_code(text.ptr, &options), "BOUNDS_PREMISE"); /* p(B, _) */
    mgi_buf_fini(&text);
}

/* ---- packages ---------------------------------------------------------------------------- */

static void test_packages_rename_what_they_define(void **state)
{
    (void)state;
    static const char geo[] = "Package geo!\nDecl near(A, B) temporal. near(/a, /b)@[now].\n"
                              "Decl hid(X) descr [private()]. hid(1).\n"
                              "hop(A, B) :- <-[5m] near(A, B), !gone(A), hid(1). gone(/z).";
    static const char app[] = "Package app! Use geo!\ngo(B) :- geo.hop(/a, B).";
    struct mangle_source sources[] = { { "geo.mg", geo, sizeof geo - 1 },
                                       { "app.mg", app, sizeof app - 1 } };
    mangle_program *p;
    assert_int_equal(mangle_compile(sources, 2, NULL, &p, NULL), MANGLE_OK);
    assert_string_equal(mangle_program_rule(p, 0).text, /* M-PKG-2, M-PKG-8 */
                        "geo.hop(A,B) :- <-[0s, 5m0s] geo.near(A,B), !geo.gone(A), geo.hid(1).");
    assert_string_equal(mangle_program_rule(p, 1).text, "app.go(B) :- geo.hop(/a,B).");
    assert_string_equal(mangle_program_rule(p, 1).file, "app.mg");
    mangle_program_unref(p);

    static const char spy[] = "Package spy! Use geo! r(X) :- geo.hid(X).";
    mangle_diags *diags = mangle_diags_new();
    sources[1] = (struct mangle_source){ "spy.mg", spy, sizeof spy - 1 };
    assert_int_equal(mangle_compile(sources, 2, NULL, &p, diags), MANGLE_ERR_PROGRAM);
    assert_string_equal(mangle_diags_get(diags, 0)->code, "PRED_PRIVATE"); /* M-PKG-12 */
    mangle_diags_free(diags);
}

/* ---- programs that must be accepted ------------------------------------------------------ */

static const char *const accepted[] = {
    "Decl s(X). Decl s(X, Y). s(1). s(1, 2). r(X) :- s(X, _), s(X).", /* M-ANA-3 */
    "s(3). r(Y, fn:plus(Z, 1)) :- s(X) |> let Y = fn:mult(X, X), let Z = fn:plus(Y, X).",
    "t(/a, 1). r(K, S) :- t(K, V) |> do fn:group_by(K), let S = fn:sum(V).",
    "f(1). l(M) :- f(_) |> let M = fn:max([3, 9, 4]).", /* M-ANA-38 */
    "e(1). c(N) :- e(X) |> do fn:group_by(), let N = fn:count_distinct(), let P = fn:pick_any(X).",
    "e(1). r(X) :- e(X) |> let _ = fn:plus(X, 1).", /* M-ANA-58 */
    "l([1, 2]). has2(L) :- l(L), :list:member(2, L). no3(L) :- l(L), !:list:member(3, L).",
    "s({/k : 3}). r(R) :- s(R), :match_field(R, /k, 3).",      /* M-PRED-21 */
    "e([\"k\" : 1]). u(B) :- e(M), B = fn:map:get(M, \"k\").", /* */
    "q(1). e(X) :- !r(X, 3), q(X). r(1, 3). last(X) :- q(X), !q(fn:plus(X, 1)).",
    "f(M) :- n(I), g(fn:minus(I, 1), M). n(1). g(0, 1).", /* M-EVAL-7 */
    "Decl p(X) temporal. p(/x)@[2024-01-01, 2024-01-31]. "
    "from(X, S) :- p(X)@[S, 2024-01-31], :time:lt(fn:time:from_unix_nanos(0), S).",
    "Decl job(J) temporal. Decl busy(J) temporal. job(/z)@[2025-01-01, now]. "
    "busy(J)@[S, now] :- job(J)@[S, _].",
    "Decl cert(P) temporal. Decl ran(P) temporal. "
    "bad(P) :- ran(P)@[_, F], ![-[0s, 1d] cert(P).",
    "Decl has_logs. Decl has_errors. tool(\"front\", \"full\") :- has_errors, !has_logs.",
    "Decl wind(W) bound [.Union<.Singleton</calm>, .Singleton</storm>>]. wind(/calm). "
    "Decl msg(M) bound [.TaggedUnion</k, /on : .Struct</n : /number, opt /x : /string>, "
    "/off : .Struct<>>]. Decl f(X, Y) bound [fn:Fun(A, A), fn:Pair(/any, X)]. "
    "Decl b(X) bound [\"wind\"].",
    "c(N) :- e(X) |> do fn:group_by(), let N = fn:count(). e(1). "
    "c(M) :- c(N), N < 5 |> let M = fn:plus(N, 1).",       /* not through the group */
    "r(X) :- s(X), s(X). s(1). s(1). r(X) :- s(X), s(X).", /* M-ANA-57 */
};

static void test_correct_programs_compile(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        mangle_program_unref(compiled(accepted[i]));
}

static void test_a_program_lives_until_its_last_reference(void **state)
{
    (void)state;
    mangle_program *p = compiled("p(1).");
    assert_ptr_equal(mangle_program_ref(p), p);
    mangle_program_unref(p);
    assert_int_equal(mangle_program_pred_count(p), 1);
    mangle_program_unref(p);
    mangle_program_unref(NULL);
}

static void test_no_more_than_a_hundred_errors_are_kept(void **state)
{
    (void)state;
    struct buf text = { 0 };
    mangle_program *p;
    mangle_diags *diags = mangle_diags_new();
    for (int i = 0; i < 300; i++)
        mgi_buf_puts(&text, "p(X).\n");
    assert_int_equal(compile_with(text.ptr, NULL, &p, diags), MANGLE_ERR_PROGRAM);
    assert_int_equal(mangle_diags_count(diags), DIAG_MAX_ERRORS);
    assert_int_equal(mangle_diags_errors(diags), 300);
    mangle_diags_free(diags);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_premises_wait_for_what_binds_them),
        cmocka_unit_test(test_what_a_rule_reads_is_in_an_earlier_stratum_or_its_own),
        cmocka_unit_test(test_long_chains_of_predicates_are_stratified),
        cmocka_unit_test(test_a_program_tells_its_predicates),
        cmocka_unit_test(test_a_program_shows_its_clauses_as_written),
        cmocka_unit_test(test_a_program_tells_the_arguments_of_premises),
        cmocka_unit_test(test_facts_are_evaluated),
        cmocka_unit_test(test_host_predicates_are_read_but_not_defined),
        cmocka_unit_test(test_a_host_that_yields_leaves_names_to_the_sources),
        cmocka_unit_test(test_the_predicates_of_a_facts_file_are_listed),
        cmocka_unit_test(test_the_host_says_what_overlays_may_add),
        cmocka_unit_test(test_dangerous_recursion_can_be_allowed),
        cmocka_unit_test(test_warnings_can_be_errors),
        cmocka_unit_test(test_programs_within_their_bounds_compile),
        cmocka_unit_test(test_programs_out_of_bounds_are_refused_when_asked),
        cmocka_unit_test(test_a_head_that_may_fit_is_a_warning_where_doubt_warns),
        cmocka_unit_test(test_a_check_alone_finds_the_same_and_makes_nothing),
        cmocka_unit_test(test_every_builtin_has_a_signature),
        cmocka_unit_test(test_many_bound_rows_stay_finite),
        cmocka_unit_test(test_packages_rename_what_they_define),
        cmocka_unit_test(test_correct_programs_compile),
        cmocka_unit_test(test_a_program_lives_until_its_last_reference),
        cmocka_unit_test(test_no_more_than_a_hundred_errors_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
