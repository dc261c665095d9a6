/* Source text to clauses: what is accepted, and what it means, shown as canonical text (M-VAL-65,
 * M-VAL-66). What is refused is in cases/errors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "mangle/text/parse.h"
#include "mangle/check/target.h"

/* All clauses of `text` (of `len` bytes) in canonical form, one a line, or the first error. */
static void parse_to_text(const char *text, size_t len, struct buf *out)
{
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p = mgi_program_new();
    struct mangle_source source = { "test.mg", text, len };
    mgi_diags_begin(diags);
    assert_int_equal(mgi_parse(p, &source, 1, diags), MANGLE_OK);
    if (mangle_diags_count(diags))
        mgi_buf_printf(out, "%s: %s\n", mangle_diags_get(diags, 0)->code,
                       mangle_diags_get(diags, 0)->message);
    for (size_t i = 0; i < p->clause_count; i++) {
        mgi_clause_print(out, p, &p->clauses[i]);
        mgi_buf_putc(out, '\n');
    }
    mgi_buf_puts(out, "");
    mgi_program_free(p);
    mangle_diags_free(diags);
}

static void assert_parses(const char *text, const char *want)
{
    struct buf got = { 0 };
    parse_to_text(text, strlen(text), &got);
    if (strcmp(got.ptr ? got.ptr : "", want) != 0) {
        print_error("input    %s\nexpected %sgot      %s", text, want, got.ptr ? got.ptr : "");
        fail();
    }
    mgi_buf_fini(&got);
}

static const struct {
    const char *id, *text, *want;
} accepted[] = {
    { "M-LEX-3", "p(1). # comment ) \" '\nq(2). # last", "p(1).\nq(2).\n" },
    { "M-LEX-2", "p\t(\f1\r\n,2) .", "p(1,2).\n" },
    { "M-LEX-6", "nowish(1). opt_x(2). dominates(Usefoo) :- p(Usefoo).",
      "nowish(1).\nopt_x(2).\ndominates(Usefoo) :- p(Usefoo).\n" },
    { "M-LEX-7", "p(X) \xE2\x9F\xB8 q(X).", "p(X) :- q(X).\n" },
    { "M-LEX-9", "a.b(1). p.q_r(2). b(3). x:y(4).", "a.b(1).\np.q_r(2).\nb(3).\nx:y(4).\n" },
    { "M-LEX-12", "p(007, -5, -9223372036854775808).", "p(7,-5,-9223372036854775808).\n" },
    { "M-LEX-13", "p(1.5, .5, -.25, 2.5e-7, 1.0E2).", "p(1.5,0.5,-0.25,0.00000025,100).\n" },
    { "M-LEX-20", "p([-1, 2]). q([ -1]). r([-.5]).",
      "p(fn:list(-1,2)).\nq(fn:list(-1)).\nr(fn:list(-0.5)).\n" },
    { "M-LEX-20", "r(X) :- [- [1h] p(X), <+ # blanks\n [1h] p(X).",
      "r(X) :- [-[0s, 1h0m0s] p(X), <+[0s, 1h0m0s] p(X).\n" },
    { "M-LEX-21", "r(X) :- s(X), X<-5.", "r(X) :- s(X), :lt(X,-5).\n" },
    { "M-LEX-22", "r(X) :- s(X), X = /a.", "r(X) :- s(X), X = /a.\n" },
    { "M-LEX-22", "q(/a.b). t(/a.).", "q(/a.b).\nt(/a.).\n" },
    { "M-LEX-23", "p([A : B], {/k:V}, {/k : fn:list()}) :- q(A, B, V).",
      "p(fn:map(A,B),fn:struct(/k,V),fn:struct(/k,fn:list())) :- q(A,B,V).\n" },
    { "M-LEX-24", "foo:-bar(X).", "foo() :- bar(X).\n" },
    { "M-LEX-30", "p('a\"b', \"a'b\", `a'\"b`).", "p(\"a\\\"b\",\"a\\'b\",\"a\\'\\\"b\").\n" },
    { "M-LEX-31", "p(\"\\n\\t\\\\\\'\\\"\\x41\\u{00e9}\\u{10ffff}\").",
      "p(\"\\n\\t\\\\\\'\\\"A\\u{0000e9}\\u{10ffff}\").\n" },
    { "M-LEX-31", "p(\"a\\\nb\").", "p(\"a\\nb\").\n" },
    { "M-LEX-31", "p(\"\\u{d800}\").", "p(\"\\u{00fffd}\").\n" },
    { "M-LEX-33", "p(\"a\r\nb\rc\").", "p(\"a\\nb\\nc\").\n" },
    { "M-LEX-34", "p(b\"\\x80\\xffA\", b'\xC3\xA9').", "p(b\"\\x80\\xffA\",b\"\\xc3\\xa9\").\n" },
    { "M-LEX-35", "p(\"\\x4A\", b\"\\xFF\").", "p(\"J\",b\"\\xff\").\n" },
    { "Q-8", "p(/a) .Decl q(X).", "p(/a).\n" },
    { "M-SYN-2", "p([1,2,],{/a:1,},[1:2,],3,) :- q(X,), r(X),.",
      "p(fn:list(1,2),fn:struct(/a,1),fn:map(1,2),3) :- q(X), r(X).\n" },
    { "M-SYN-2", "p([], {}, fn:map()).", "p(fn:list(),fn:struct(),fn:map()).\n" },
    { "M-SYN-5", "r(X) :- s(X), X <= 1, X >= 2, X > 3, X != 4, X = 5.",
      "r(X) :- s(X), :le(X,1), :ge(X,2), :gt(X,3), X != 4, X = 5.\n" },
    { "M-SYN-7", "r(X) :- s(X), !:match_prefix(X, /a), !t(X).",
      "r(X) :- s(X), !:match_prefix(X,/a), !t(X).\n" },
    { "M-SYN-10",
      "r(Y) :- s(X) |> let Y = fn:plus(X, 1).\n"
      "n(N) :- s(X) |> do fn:group_by(), let N = fn:count().",
      "r(Y) :- s(X) |> let Y = fn:plus(X,1).\n"
      "n(N) :- s(X) |> do fn:group_by(), let N = fn:count().\n" },
    { "M-SYN-15", "p(1)@[_]. p(2)@[_, now]. p(X)@[T] :- q(X)@[T], r(X)@[T, _], s(X)@[_].",
      "p(1).\np(2)@[_, now].\np(X)@[T] :- q(X)@[T], r(X)@[T, _], s(X)@[_, _].\n" },
    { "M-LEX-14", "p(1)@[2024-01-15]. p(2)@[2024-01-15T10:30:00, 2024-01-15T10:30:00.25Z].",
      "p(1)@[2024-01-15T00:00:00Z].\np(2)@[2024-01-15T10:30:00Z, 2024-01-15T10:30:00.25Z].\n" },
    /* the protocol's dialect */
    { "M-SYN-40", "r(X) :- <-[5m] p(X), [-[1h] p(X), <+[2s] p(X), [+[1d] p(X).",
      "r(X) :- <-[0s, 5m0s] p(X), [-[0s, 1h0m0s] p(X), <+[0s, 2s] p(X), [+[0s, 24h0m0s] p(X).\n" },
    { "M-SYN-41", "t :- has_a, !has_b, <-[5m] has_c, has_d @[now].",
      "t() :- has_a(), !has_b(), <-[0s, 5m0s] has_c(), has_d()@[now].\n" },
    { "M-SYN-42",
      "p(1) @[\"2026-02-19T14:30:00Z\", \"2026-02-19T16:30:00.5+02:00\"]. "
      "p(2)@[\"2026-02-19\", \"_\"]. p(3)@[\"now\"].",
      "p(1)@[2026-02-19T14:30:00Z, 2026-02-19T14:30:00.5Z].\n"
      "p(2)@[2026-02-19T00:00:00Z, _].\np(3)@[now].\n" },
    { "M-SYN-43", "r(X) :- <-[300000] p(X), <-[0, 1500] q(X).",
      "r(X) :- <-[0s, 5m0s] p(X), <-[0s, 1.5s] q(X).\n" },
    { "M-SYN-44", "p(1)@[1771510200000]. p(2)@[-1].",
      "p(1)@[2026-02-19T14:10:00Z].\np(2)@[1969-12-31T23:59:59.999Z].\n" },
    { "M-SYN-45", "r(X) :- s(X), ![-[30d, 31d] p(X), !<-[5m] p(X), !p(X)@[T].",
      "r(X) :- s(X), ![-[720h0m0s, 744h0m0s] p(X), !<-[0s, 5m0s] p(X), !p(X)@[T].\n" },
    { "M-SYN-46", "p(fn:true, fn:false, fn:true()).", "p(/true,/false,/true).\n" },
    { "M-SYN-47", "p(fn:list(\"a\", \"b\"), fn:map(\"k\", \"v\")).",
      "p(fn:list(\"a\",\"b\"),fn:map(\"k\",\"v\")).\n" },
    { "M-SYN-49", "p(1). # only include it\nq(2).# glued\n", "p(1).\nq(2).\n" },
    { "M-SYN-52", "p(fn:time:now).", "p(fn:time:now()).\n" },
    { "M-SYN-53", "r(X) :- <-[1h30m] p(X), <-[10us, 5ns] p(X), <-[1.5h] p(X), <-[2d12h] p(X).",
      "r(X) :- <-[0s, 1h30m0s] p(X), <-[10\xC2\xB5s, 5ns] p(X), <-[0s, 1h30m0s] p(X), "
      "<-[0s, 60h0m0s] p(X).\n" },
    { "M-SYN-54", "p(1)@[2024-01-15T10:30:00+02:00].", "p(1)@[2024-01-15T08:30:00Z].\n" },
    { "M-SYN-57", "now(1). opt(2). let(3). do(4). bound (5). descr(6). inclusion(7). temporal(8).",
      "now(1).\nopt(2).\nlet(3).\ndo(4).\nbound(5).\ndescr(6).\ninclusion(7).\ntemporal(8).\n" },
    { "M-TEMP-90", "r(T) :- __now(T).", "r(T) :- __now(T).\n" },
    { "M-LEX-1",
      "p(\"a\xFF"
      "b\").",
      "p(\"a\\u{00fffd}b\").\n" },
};

static void test_accepted_forms_mean_their_canonical_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        assert_parses(accepted[i].text, accepted[i].want);
}

/* The forms printed in the protocol's documents (section 21.1), verbatim. */
static const char *const printed[] = {
    "console_event(\"s1\", \"error\") @[\"2026-02-19T14:30:00Z\", \"2026-02-19T14:30:00Z\"].",
    "# \"If there was a console error in the last 5 minutes, expose the diagnose tool\"\n"
    "macro_tool(\"diagnose_error\", \"full\") :-\n    <-[5m] console_event(_, \"error\").",
    "macro_tool(\"observe_console\", \"full\") :-\n    intent_type(_, \"diagnose_error\"),\n"
    "    has_console_errors.",
    "macro_tool(\"full_stack_diagnosis\", \"full\") :-\n    intent_type(_, \"diagnose_error\"),\n"
    "    has_console_errors,\n    has_failed_request,\n"
    "    has_docker_logs.  # Only include backend diagnosis if docker logs are available\n\n"
    "macro_tool(\"frontend_diagnosis\", \"full\") :-\n    intent_type(_, \"diagnose_error\"),\n"
    "    has_console_errors,\n    !has_docker_logs.  # Fallback to frontend-only diagnosis",
    "# Skill injection rule\nneeds_skill(Intent, \"react-best-practices\") :-\n"
    "    selected_tool(_, Tool),\n    tool_touches_frontend(Tool),\n    project_uses_react.\n\n"
    "needs_skill(Intent, \"api-contract-validation\") :-\n    selected_tool(_, Tool),\n"
    "    tool_modifies_endpoint(Tool).",
    "safe_action(\"read\", Target, _) :- file_exists(Target).", /* refused later: M-SYN-50 */
};

static void test_forms_printed_in_the_documents_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        struct buf got = { 0 };
        parse_to_text(printed[i], strlen(printed[i]), &got);
        assert_null(strstr(got.ptr, "SYNTAX"));
        assert_true(got.len > 10);
        mgi_buf_fini(&got);
    }
}

static void test_a_string_may_hold_zero_bytes(void **state)
{
    (void)state;
    struct buf got = { 0 };
    static const char text[] = "p(\"a\0b\", \"\\x00\", b\"\\x00\").";
    parse_to_text(text, sizeof text - 1, &got);
    static const char want[] = "p(\"a\0b\",\"\0\",b\"\0\").\n"; /* M-LEX-36 */
    assert_int_equal(got.len, sizeof want - 1);
    assert_memory_equal(got.ptr, want, got.len);
    mgi_buf_fini(&got);
}

static void nest(struct buf *out, int depth)
{
    mgi_buf_puts(out, "p(");
    for (int i = 1; i < depth; i++)
        mgi_buf_putc(out, '[');
    for (int i = 1; i < depth; i++)
        mgi_buf_putc(out, ']');
    mgi_buf_puts(out, ").");
}

static void test_nesting_is_limited_to_200(void **state)
{
    (void)state;
    struct buf text = { 0 }, got = { 0 };
    nest(&text, 200);
    parse_to_text(text.ptr, text.len, &got);
    assert_null(strstr(got.ptr, "SYNTAX")); /* M-LIM-13 */
    mgi_buf_clear(&text);
    mgi_buf_clear(&got);
    nest(&text, 201);
    parse_to_text(text.ptr, text.len, &got);
    assert_non_null(strstr(got.ptr, "nested deeper"));
    mgi_buf_clear(&text);
    mgi_buf_clear(&got);
    nest(&text, 100000); /* and nothing crashes */
    parse_to_text(text.ptr, text.len, &got);
    assert_non_null(strstr(got.ptr, "nested deeper"));
    mgi_buf_fini(&text);
    mgi_buf_fini(&got);
}

/* Cut at every byte, the parser reports and goes on; nothing is read past the end. */
static void test_text_cut_anywhere_is_an_error_and_no_crash(void **state)
{
    (void)state;
    static const char text[] =
        "Package a! Use b!\nDecl p(X) temporal descr [doc(\"d\"), mode('+')] bound "
        "[.Struct</a : /number, opt /b : /string>] inclusion [q(X)].\n"
        "p(fn:plus(1, -2.5e3))@[2024-01-15T10:30:00.25+02:00, _].\n"
        "r(X, [Y : 1], {/k : b'\\x41'}) :- ![-[1h30m, now] p(X), X <= \"\\u{00e9}\" "
        "|> do fn:group_by(X), let Y = fn:count().\n";
    for (size_t len = 0; len < sizeof text; len++) {
        struct buf got = { 0 };
        char *copy = malloc(len + 1); /* the sanitiser watches its end */
        memcpy(copy, text, len);
        parse_to_text(copy, len, &got);
        free(copy);
        mgi_buf_fini(&got);
    }
}

static void test_many_variables_are_told_apart(void **state)
{
    (void)state;
    struct buf text = { 0 }, got = { 0 };
    mgi_buf_puts(&text, "r(V0) :- s(");
    for (int i = 0; i < 50; i++)
        mgi_buf_printf(&text, "%sV%d", i ? "," : "", i);
    mgi_buf_puts(&text, "), t(V49,V15,V16,V17).\n");
    parse_to_text(text.ptr, text.len, &got);
    assert_string_equal(got.ptr, text.ptr);
    mgi_buf_fini(&text);
    mgi_buf_fini(&got);
}

static void test_a_byte_order_mark_is_no_text(void **state)
{
    (void)state;
    assert_parses("\xEF\xBB\xBFp(1).", "p(1).\n");
}

/* ---- text against a program -------------------------------------------------------------- */

struct target {
    mangle_program *program;
    struct arena arena;
    mangle_values *values;
    mangle_diags *diags;
    struct parse_target parse;
};

static void target_init(struct target *t, const char *rules)
{
    struct mangle_source source = { "rules.mg", rules, strlen(rules) };
    t->diags = mangle_diags_new();
    assert_int_equal(mangle_compile(&source, 1, NULL, &t->program, t->diags), MANGLE_OK);
    t->values = mgi_values_new(t->program->values, 0);
    mgi_arena_init(&t->arena, 0);
    t->parse = (struct parse_target){ t->program, &t->arena, t->values, t->diags };
}

static void target_fini(struct target *t)
{
    mgi_arena_fini(&t->arena);
    mgi_values_free(t->values);
    mangle_diags_free(t->diags);
    mangle_program_unref(t->program);
}

static void test_a_query_is_one_atom_and_a_final_dot(void **state)
{
    (void)state;
    struct target t;
    struct clause query;
    target_init(&t, "p(1, 2).");
    assert_int_equal(mgi_parse_atom(&t.parse, STR_LIT("p(X, X). # all"), &query), MANGLE_OK);
    assert_int_equal(query.head.pred, mangle_pred_find(t.program, "p", 2)); /* M-SYN-16 */
    assert_int_equal(query.var_count, 1);
    assert_int_equal(mgi_parse_atom(&t.parse, STR_LIT("p(fn:plus(1, 1), _)"), &query), MANGLE_OK);
    assert_non_null(query.head.args[0].apply.row); /* M-IO-2 */
    assert_int_equal(mgi_parse_atom(&t.parse, STR_LIT("nowhere(1)"), &query), MANGLE_OK);
    assert_int_equal(query.head.pred, MANGLE_NO_PRED); /* M-IO-5: no result, no error */
    assert_int_equal(mangle_diags_count(t.diags), 0);
    static const char *const wrong[] = { "p(1, 2). q(3)", "p(1,", "X", "", "p(fn:nope(1), 2)" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(mgi_parse_atom(&t.parse, str_of(wrong[i]), &query), MANGLE_ERR_PROGRAM);
        assert_int_equal(mangle_diags_count(t.diags), i + 1);
    }
    target_fini(&t);
}

static enum mangle_status read_facts(struct target *t, const char *text, struct fact **facts,
                                     size_t *count)
{
    struct mangle_source source = { "facts.mg", text, strlen(text) };
    return mgi_parse_facts(&t->parse, &source, facts, count);
}

static void test_facts_are_values_of_known_predicates(void **state)
{
    (void)state;
    struct target t;
    struct fact *facts;
    size_t count;
    target_init(&t, "Decl p(X). Decl e(X) temporal. r(X) :- p(X), e(X)@[now].");
    assert_int_equal(read_facts(&t,
                                "p([1, \"a\"]). p(fn:plus(1, 2)). e(1). e(2)@[2024-01-01, _]. "
                                "e(3)@[now]. p(fn:time:now()). p(/x)@[_, _].",
                                &facts, &count),
                     MANGLE_OK);
    assert_int_equal(count, 7);
    assert_int_equal(facts[1].args[0], mangle_number(t.values, 3));
    assert_true(facts[2].temporal && facts[2].annotation.start.kind == BOUND_OPEN); /* M-SYN-56 */
    assert_false(facts[3].reads_now);
    assert_true(facts[4].reads_now && facts[4].args); /* M-TEMP-10 */
    assert_true(facts[5].reads_now && !facts[5].args && facts[5].clause);
    assert_non_null(facts[5].clause->head.args[0].apply.row);
    assert_false(facts[6].annotation.present); /* M-EVAL-2 */
    target_fini(&t);
}

static void test_every_wrong_fact_is_reported(void **state)
{
    (void)state;
    static const char *const codes[] = { "PRED_UNKNOWN", "PRED_ARITY",
                                         "VAR_UNBOUND",  "TEMP_NOT_DECLARED",
                                         "FACT_EVAL",    "SYNTAX",
                                         "SYNTAX",       "TEMP_BOUND" };
    struct target t;
    struct fact *facts;
    size_t count;
    target_init(&t, "Decl p(X). Decl e(X) temporal.");
    assert_int_equal(read_facts(&t,
                                "q(1).\np(1, 2).\np(X).\np(1)@[now].\np(fn:div(1, 0)).\n"
                                "p(1) :- e(1).\np(1\np(2).\ne(1)@[2024-01-02, 2024-01-01].",
                                &facts, &count),
                     MANGLE_ERR_PROGRAM);
    assert_null(facts);
    assert_int_equal(mangle_diags_count(t.diags), sizeof codes / sizeof *codes);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_string_equal(mangle_diags_get(t.diags, i)->code, codes[i]);
    target_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted_forms_mean_their_canonical_text),
        cmocka_unit_test(test_forms_printed_in_the_documents_parse),
        cmocka_unit_test(test_a_string_may_hold_zero_bytes),
        cmocka_unit_test(test_nesting_is_limited_to_200),
        cmocka_unit_test(test_text_cut_anywhere_is_an_error_and_no_crash),
        cmocka_unit_test(test_many_variables_are_told_apart),
        cmocka_unit_test(test_a_byte_order_mark_is_no_text),
        cmocka_unit_test(test_a_query_is_one_atom_and_a_final_dot),
        cmocka_unit_test(test_facts_are_values_of_known_predicates),
        cmocka_unit_test(test_every_wrong_fact_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
