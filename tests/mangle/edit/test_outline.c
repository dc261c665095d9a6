/* What editors are told of sources: where names stand, to what they belong, and their types. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "mangle.h"

static mangle_outline *outline_of(const char *const *texts, size_t count, mangle_diags *diags)
{
    struct mangle_source sources[4];
    char names[4][8];
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%c.mg", (char)('a' + i));
        sources[i] = (struct mangle_source){ names[i], texts[i], strlen(texts[i]) };
    }
    mangle_outline *o;
    assert_int_equal(mangle_outline_new(sources, count, NULL, &o, diags), MANGLE_OK);
    return o;
}

/* "p/2 D1:6 U2:3 ...": the predicates of a text, by name, with role and place. */
static void assert_predicates(const char *text, const char *expected)
{
    mangle_outline *o = outline_of(&text, 1, NULL);
    struct buf got = { 0 };
    for (size_t i = 0; i < mangle_outline_count(o); i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        if (at.kind == MANGLE_AT_PREDICATE)
            mgi_buf_printf(&got, "%s%s/%u %c%u:%u", got.len ? ", " : "", at.name, at.arity,
                           "UDH"[at.role], at.line, at.column);
    }
    assert_string_equal(got.ptr ? got.ptr : "", expected);
    mgi_buf_fini(&got);
    mangle_outline_free(o);
}

/* M-SYN-41: atoms without parentheses. */
static void test_outline_tells_heads_declarations_and_uses(void **state)
{
    (void)state;
    assert_predicates("Decl p(X, Y) descr [doc(\"d\")] inclusion [q(X)].\n"
                      "p(X, Y) :- q(X), !r(X, fn:plus(Y, 1)), ready, X < Y |> let Z = fn:list(X).\n"
                      "q(1). ready.",
                      "p/2 D1:6, q/1 U1:42, p/2 H2:1, q/1 U2:12, r/2 U2:19, ready/0 U2:40, "
                      "q/1 H3:1, ready/0 H3:7");
}

static void test_outline_reads_windows_and_annotations(void **state)
{
    (void)state;
    assert_predicates("p(X)@[S, T] :- <-[0s, 5m]\nq(X)@[S, T], [+[1h] r.",
                      "p/1 H1:1, q/1 U2:1, r/0 U2:21");
}

/* M-DECL-30, M-DECL-19: strings that name predicates. */
static void test_outline_finds_predicates_named_by_strings(void **state)
{
    (void)state;
    assert_predicates("Decl p(X, Y) descr [fundep([X], [Y]), merge([Y], \"least\")]\n"
                      "  bound [\"q\", .List<\"r\">] bound [/name, /number].",
                      "p/2 D1:6, least/3 U1:51, q/1 U2:11, r/1 U2:22");
}

static void test_outline_survives_what_is_half_written(void **state)
{
    (void)state;
    assert_predicates("p(X) :- q(X, \nr(Y) :- s(Y).\n", "p/1 H1:1, q/1 U1:9, r/1 H2:1, s/1 U2:9");
    assert_predicates("p(X) :- q(X)\nr(Y) :- s(Y).\n", "p/1 H1:1, q/1 U1:9, r/1 H2:1, s/1 U2:9");
    assert_predicates("p(X) :- q(X),\n  r(Y) :- s(Y).", "p/1 H1:1, q/1 U1:9, r/1 H2:3, s/1 U2:11");
    assert_predicates("p(X) :- q(\"open, X).\nr(Y) :- s(Y).",
                      "p/1 H1:1, q/1 U1:9, r/1 H2:1, s/1 U2:9");
    assert_predicates("p(", "p/0 H1:1");
    assert_predicates("p(a, (b, [c", "p/2 H1:1");
    assert_predicates(":- q(X). ) ] } , |> . Decl . Decl", "q/1 U1:4");
    assert_predicates("", "");
}

/* M-PKG: names within a package, and through Use. */
static void test_outline_resolves_packages(void **state)
{
    (void)state;
    const char *texts[] = { "Package lib!\nq(1).\np(X) :- q(X), other(X).",
                            "Use lib!\np(X) :- lib.q(X), lib.p(X)." };
    mangle_outline *o = outline_of(texts, 2, NULL);
    struct buf got = { 0 };
    for (size_t i = 0; i < mangle_outline_count(o); i++) {
        struct mangle_occurrence at = mangle_outline_get(o, i);
        if (at.kind == MANGLE_AT_PREDICATE)
            mgi_buf_printf(&got, "%s%s+%u", got.len ? " " : "", at.name, at.prefix);
        if (at.kind == MANGLE_AT_PACKAGE)
            mgi_buf_printf(&got, "%s%s%c", got.len ? " " : "", at.name, "UD"[at.role]);
    }
    assert_string_equal(got.ptr, "libD lib.q+0 lib.p+0 lib.q+0 other+0 libU p+0 lib.q+4 lib.p+4");
    mgi_buf_fini(&got);
    mangle_outline_free(o);
}

static size_t find(const mangle_outline *o, const char *text, const char *mark)
{
    return mangle_outline_find(o, 0, (uint32_t)(strstr(text, mark) - text));
}

static void test_outline_variables_belong_to_their_clause(void **state)
{
    (void)state;
    const char *text = "p(X) :- q(X, _).\nr(X) :- s(X).";
    mangle_outline *o = outline_of(&text, 1, NULL);
    size_t first = find(o, text, "X) :- q"), second = find(o, text, "X) :- s");
    assert_int_equal(mangle_outline_get(o, first).clause, mangle_outline_get(o, first + 2).clause);
    assert_int_not_equal(mangle_outline_get(o, first).clause, mangle_outline_get(o, second).clause);
    assert_int_equal(mangle_outline_clause_count(o), 2);
    struct mangle_outline_clause c = mangle_outline_clause(o, 1);
    assert_int_equal(c.start, 17);
    assert_int_equal(c.end, strlen(text));
    assert_true(c.rule && !c.declaration);
    assert_int_equal(c.count, 4); /* r X s X */
    assert_string_equal(mangle_outline_get(o, c.head).name, "r");
    mangle_outline_free(o);
}

static void test_outline_finds_by_offset(void **state)
{
    (void)state;
    const char *text = "\"\U0001F600\" = X, p(ab) # note\n.";
    mangle_outline *o = outline_of(&text, 1, NULL);
    size_t p = find(o, text, "p(");
    assert_string_equal(mangle_outline_get(o, p).text, "p");
    assert_int_equal(mangle_outline_get(o, p).column, 10); /* in code points */
    assert_int_equal(mangle_outline_find(o, 0, mangle_outline_get(o, p).end), p); /* at its end */
    assert_int_equal(mangle_outline_find(o, 0, (uint32_t)(strstr(text, "ab") - text)), SIZE_MAX);
    assert_int_equal(mangle_outline_get(o, find(o, text, "note")).kind, MANGLE_AT_COMMENT);
    mangle_outline_free(o);
}

static const char *var_type(const mangle_outline *o, const char *text, const char *mark)
{
    const char *type = mangle_outline_var_type(o, find(o, text, mark));
    return type ? type : "-";
}

static const char *column_type(const mangle_outline *o, const char *pred, uint32_t arity,
                               uint32_t column)
{
    mangle_pred p = mangle_pred_find(mangle_outline_program(o), pred, arity);
    const char *type = p == MANGLE_NO_PRED ? NULL : mangle_outline_column_type(o, p, column);
    return type ? type : "-";
}

/* M-TYPE-40 to 47, M-TYPE-61 */
static void test_outline_infers_types(void **state)
{
    (void)state;
    const char *text = "Decl in(A, B) bound [/number, fn:List(/string)].\n"
                       "fact(1, \"x\"). fact(2, \"y\").\n"
                       "out(N, E) :- in(N, L), :list:member(E, L).\n"
                       "sum(S) :- fact(V, _) |> do fn:group_by(), let S = fn:sum(V).\n";
    mangle_outline *o = outline_of(&text, 1, NULL);
    assert_string_equal(column_type(o, "in", 2, 1), "fn:List(/string)");
    assert_string_equal(column_type(o, "fact", 2, 0), "/number");
    assert_string_equal(column_type(o, "fact", 2, 1), "/string");
    assert_string_equal(column_type(o, "out", 2, 1), "/string");
    assert_string_equal(column_type(o, "sum", 1, 0), "/number");
    assert_string_equal(var_type(o, text, "L),"), "fn:List(/string)");
    assert_string_equal(var_type(o, text, "E) :-"), "/string");
    assert_string_equal(var_type(o, text, "S) :-"), "/number");
    assert_string_equal(var_type(o, text, "B) bound"), "fn:List(/string)");
    mangle_outline_free(o);
}

static void test_outline_infers_types_beside_errors(void **state)
{
    (void)state;
    const char *text = "n(1).\n"
                       "bad(X) :- missing(X), :lt(Y).\n"
                       "good(X) :- n(X), bad(Z).\n"
                       "broken(X :- n(X).\n";
    mangle_diags *diags = mangle_diags_new();
    mangle_outline *o = outline_of(&text, 1, diags);
    assert_true(mangle_diags_errors(diags) >= 2);
    assert_string_equal(column_type(o, "good", 1, 0), "/number");
    assert_string_equal(column_type(o, "bad", 1, 0), "/any");
    assert_string_equal(var_type(o, text, "X), bad"), "/number");
    assert_string_equal(var_type(o, text, "Y)"), "-");
    mangle_outline_free(o);
    mangle_diags_free(diags);
}

/* M-DECL-10, M-DECL-11 */
static void test_outline_knows_documentation(void **state)
{
    (void)state;
    const char *text = "Decl p(X, Y) descr [doc(\"what\"), arg(X, \"an x\"), arg(Y, \"a y\")].\n"
                       "p(1, Z) :- nothing.";
    mangle_outline *o = outline_of(&text, 1, NULL);
    mangle_pred p = mangle_pred_find(mangle_outline_program(o), "p", 2);
    assert_string_equal(mangle_program_pred(mangle_outline_program(o), p).doc, "what");
    assert_string_equal(mangle_outline_arg_doc(o, p, 1), "a y");
    assert_null(mangle_outline_arg_doc(o, p, 2));
    mangle_outline_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outline_tells_heads_declarations_and_uses),
        cmocka_unit_test(test_outline_reads_windows_and_annotations),
        cmocka_unit_test(test_outline_finds_predicates_named_by_strings),
        cmocka_unit_test(test_outline_survives_what_is_half_written),
        cmocka_unit_test(test_outline_resolves_packages),
        cmocka_unit_test(test_outline_variables_belong_to_their_clause),
        cmocka_unit_test(test_outline_finds_by_offset),
        cmocka_unit_test(test_outline_infers_types),
        cmocka_unit_test(test_outline_infers_types_beside_errors),
        cmocka_unit_test(test_outline_knows_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
