/* Deferred predicates (section 15.3) where a case file cannot show it: a program in which one
 * predicate is deferred derives what the plain program derives, above a base and together; limits
 * stop a call; proofs and validity go through calls. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mangle_gen.h"
#include "support/mangle_run.h"
#include "support/rounds.h"

#define CASES test_rounds(1500)

/* ---- a deferred predicate means what the plain one means --------------------------------------
 */

static struct mangle_run run_gen(const struct gen *g, struct str text, bool split)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    if (split) {
        options.changeable = mangle_gen_assertable;
        options.changeable_context = (void *)(uintptr_t)g;
    }
    struct mangle_source source = { "p.mg", text.ptr, text.len };
    run.status = mangle_compile(&source, 1, &options, &run.program, NULL);
    if (!run.status)
        run.status = mangle_base_new(run.program, &run.base);
    for (int i = 0; i < (split ? 1 : 2) && !run.status; i++) {
        struct str facts = mgi_buf_view(&g->facts[i]);
        struct mangle_source fs = { "f.mg", facts.ptr, facts.len };
        run.status = mangle_base_add_text(run.base, &fs, NULL);
    }
    if (!run.status)
        run.status = mangle_base_close(run.base, NULL, NULL, &run.error);
    if (!run.status)
        run.status = mangle_overlay_new(run.base, &run.overlay);
    if (!run.status && split && g->facts[1].len)
        run.status = mangle_run_give(&run, run.overlay, mgi_buf_view(&g->facts[1]).ptr);
    if (!run.status)
        run.status = mangle_overlay_eval(run.overlay, RUN_NOW, NULL, &run.stats, &run.error);
    snprintf(run.code, sizeof run.code, "%s", mangle_status_text(run.status));
    return run;
}

/* A plain derived predicate that no rule of its own reads, the `number`-th of them, or NULL. */
static const struct gen_pred *choose(const struct gen *g, const mangle_program *p, uint32_t number)
{
    const struct gen_pred *found[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        mangle_pred pred = mangle_pred_find(p, g->preds[i].name, g->preds[i].arity);
        bool direct = false;
        for (size_t r = 0; r < mangle_program_rule_count(p); r++) {
            struct mangle_rule_view rule = mangle_program_rule(p, r);
            for (size_t b = 0; rule.head == pred && b < rule.body_count; b++)
                direct |= rule.body[b] == pred;
        }
        if (g->preds[i].derived && !g->preds[i].temporal && !direct)
            found[count++] = &g->preds[i];
    }
    return count ? found[number % count] : NULL;
}

static struct buf defer(const struct gen *g, const struct gen_pred *pred)
{
    struct buf out = { 0 };
    char decl[40];
    snprintf(decl, sizeof decl, "Decl %s(A0%s).\n", pred->name, pred->arity == 2 ? ", A1" : "");
    const char *text = mgi_buf_view(&g->program).ptr, *at = strstr(text, decl);
    assert_non_null(at);
    mgi_buf_append(&out, text, (size_t)(at - text) + strlen(decl) - 2);
    mgi_buf_printf(&out, " descr [mode('-'%s), deferred()].\n", pred->arity == 2 ? ", '-'" : "");
    mgi_buf_puts(&out, at + strlen(decl));
    return out;
}

static void drop(char *text, const char *name)
{
    char *to = text;
    for (char *line = text; *line;) {
        size_t len = strcspn(line, "\n") + 1;
        if (strncmp(line, name, strlen(name)) != 0 || line[strlen(name)] != '(') {
            memmove(to, line, len);
            to += len;
        }
        line += len;
    }
    *to = 0;
}

static bool same_without(struct mangle_run *a, struct mangle_run *b, const char *name,
                         uint32_t number, const char *program)
{
    char *x = mangle_run_text(a), *y = mangle_run_text(b);
    drop(x, name);
    drop(y, name);
    bool same = strcmp(x, y) == 0;
    if (!same)
        print_error("case %u: %s deferred\n%s--- plain\n%s--- deferred\n%s%s\n", number, name,
                    program, x, y, b->error.message);
    mangle_free(x);
    mangle_free(y);
    return same;
}

/* M-EXT-20, M-EXT-22, M-EXT-23, M-EXT-25, M-STR-6 */
static void test_a_deferred_predicate_means_what_the_plain_one_means(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    uint32_t failures = 0, tried = 0, above = 0;
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES && failures < 3; i++) {
        struct gen g;
        mangle_gen(&g, i);
        struct mangle_run plain = run_gen(&g, mgi_buf_view(&g.program), false);
        const struct gen_pred *pred = plain.program ? choose(&g, plain.program, i) : NULL;
        if (pred) {
            struct buf text = defer(&g, pred);
            struct mangle_run together = run_gen(&g, mgi_buf_view(&text), false);
            struct mangle_run split = run_gen(&g, mgi_buf_view(&text), true);
            failures += !same_without(&plain, &together, pred->name, i, text.ptr);
            failures += !same_without(&plain, &split, pred->name, i, text.ptr);
            tried++;
            above += g.facts[1].len > 0;
            mangle_run_end(&together);
            mangle_run_end(&split);
            mgi_buf_fini(&text);
        }
        mangle_run_end(&plain);
        mangle_gen_end(&g);
        if (only)
            break;
    }
    assert_int_equal(failures, 0);
    assert_true(only || (tried > CASES / 4 && above > CASES / 8));
}

/* ---- limits -----------------------------------------------------------------------------------
 */

/* Two calls in each: without a limit it would take 2^60 of them. */
#define BUSY                                                                                       \
    "Decl busy(X, Y) descr [mode('+', '-'), deferred()].\n"                                        \
    "busy(0, 0) :- n(_).\n"                                                                        \
    "busy(X, Y) :- X > 0, Z = fn:minus(X, 1), busy(Z, A), busy(Z, B), Y = fn:plus(A, B).\n"        \
    "n(60). r(Y) :- n(X), busy(X, Y).\n"

static int64_t ticking(void *context)
{
    return *(int64_t *)context += 1000;
}

/* M-LIM-11, M-ANA-99 */
static void test_time_runs_out_inside_a_call(void **state)
{
    (void)state;
    int64_t clock = 0;
    for (int all = 0; all < 2; all++) {
        struct run_options options = { .limits = { .timeout_ns = 100000 } };
        options.limits.clock = ticking;
        options.limits.clock_context = &clock;
        options.changeable = all ? run_changes_all : NULL;
        char *text = run_text(BUSY, &options);
        assert_string_equal(text, "error: TIME_LIMIT\n");
        mangle_free(text);
    }
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void test_a_call_can_be_cancelled(void **state)
{
    (void)state;
    struct run_options options = { .limits = { .cancelled = always } };
    struct mangle_run run = mangle_run(BUSY, &options);
    assert_int_equal(run.status, MANGLE_ERR_CANCELLED);
    mangle_run_end(&run);
}

/* M-EXT-24 */
static void test_the_depth_of_calls_is_an_option(void **state)
{
    (void)state;
    static const char down[] = "Decl down(X, Y) descr [mode('+', '-'), deferred()].\n"
                               "down(0, 0) :- n(_).\n"
                               "down(X, Y) :- X > 0, Z = fn:minus(X, 1), down(Z, Y).\n"
                               "n(9). r(Y) :- n(X), down(X, Y).\n";
    struct run_options options = { .limits = { .max_depth = 10 } };
    char *text = run_text(down, &options);
    assert_string_equal(text, "r(0).\n");
    mangle_free(text);
    options.limits.max_depth = 9;
    struct mangle_run run = mangle_run(down, &options);
    assert_int_equal(run.status, MANGLE_ERR_EVAL);
    assert_string_equal(run.error.message,
                        "test.mg:3: calls of deferred predicates nest deeper than 9: down");
    mangle_run_end(&run);
    /* what a host allows at most does not break the stack of the thread */
    options.limits.max_depth = UINT32_MAX;
    run = mangle_run("Decl d(X, Y) descr [mode('+', '-'), deferred()].\n"
                     "d(X, Y) :- Z = fn:plus(X, 1), d(Z, Y). n(1). r(Y) :- n(X), d(X, Y).\n",
                     &options);
    assert_int_equal(run.status, MANGLE_ERR_EVAL);
    mangle_run_end(&run);
}

/* ---- proofs and validity ----------------------------------------------------------------------
 */

static const struct mangle_fact *only(struct mangle_run *run, const char *query)
{
    const struct mangle_fact *facts;
    size_t count;
    assert_int_equal(run->status, MANGLE_OK);
    assert_int_equal(mangle_overlay_query(run->overlay, query, strlen(query), &facts, &count, NULL),
                     MANGLE_OK);
    assert_int_equal(count, 1);
    return facts;
}

static void test_a_proof_goes_through_a_call(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("Decl up(X, Y) descr [mode('+', '-'), deferred()].\n"
                   "up(X, Y) :- leg(X, Y).\n"
                   "up(X, Z) :- leg(X, Y), up(Y, Z).\n"
                   "Decl big(X) descr [mode('+'), deferred()]. big(X) :- X > 100.\n"
                   "leg(1, 2). leg(2, 3). at(1).\n"
                   "top(Y) :- at(X), up(X, Y), !leg(Y, _), !big(Y).\n",
                   NULL);
    const struct mangle_proof *p;
    assert_int_equal(mangle_overlay_explain(run.overlay, only(&run, "top(X)"), 0, &p, NULL),
                     MANGLE_OK);
    assert_int_equal(p->kind, MANGLE_PROOF_DERIVED);
    assert_int_equal(p->premise_count, 4);
    assert_int_equal(p->premises[0]->kind, MANGLE_PROOF_GIVEN);
    assert_int_equal(p->premises[1]->kind, MANGLE_PROOF_DERIVED);
    char *text = mangle_fact_print(run.program, mangle_overlay_values(run.overlay),
                                   &p->premises[1]->fact, MANGLE_CANONICAL, NULL);
    assert_string_equal(text, "up(1,3)");
    mangle_free(text);
    assert_int_equal(p->premises[1]->premise_count, 2);
    assert_int_equal(p->premises[1]->premises[1]->kind, MANGLE_PROOF_DERIVED);
    assert_int_equal(p->premises[1]->premises[1]->premises[0]->kind, MANGLE_PROOF_GIVEN);
    assert_int_equal(p->premises[2]->kind, MANGLE_PROOF_ABSENT);
    assert_int_equal(p->premises[3]->kind, MANGLE_PROOF_ABSENT);
    text = mangle_proof_print(run.overlay, p, NULL);
    assert_non_null(strstr(text, "up(2,3)"));
    mangle_free(text);
    mangle_run_end(&run);
}

static void test_a_proof_through_a_recursive_call_is_grounded(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("Decl step(X, Y) descr [mode('+', '-'), deferred()].\n"
                                       "step(X, Y) :- edge(X, Y), reach(X).\n"
                                       "edge(1, 2). edge(2, 3). edge(3, 1). start(1).\n"
                                       "reach(X) :- start(X). reach(Y) :- reach(X), step(X, Y).\n",
                                       NULL);
    const struct mangle_proof *p;
    assert_int_equal(mangle_overlay_explain(run.overlay, only(&run, "reach(3)"), 0, &p, NULL),
                     MANGLE_OK);
    char *text = mangle_proof_print(run.overlay, p, NULL);
    assert_non_null(strstr(text, "step(2,3)"));
    assert_non_null(strstr(text, "start(1)"));
    assert_null(strstr(text, "PARTIAL"));
    mangle_free(text);
    for (; p->premise_count; p = p->premises[0])
        assert_int_not_equal(p->kind, MANGLE_PROOF_PARTIAL);
    mangle_run_end(&run);
}

/* M-PROV-27: given facts are leaves, also those of a predicate that is evaluated on demand. */
static void test_a_given_fact_of_a_deferred_predicate_is_explained(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("Decl name(X, N) descr [mode('+', '-'), deferred()].\n"
                                       "name(1, \"one\"). name(X, \"many\") :- X > 1.\n",
                                       NULL);
    const struct mangle_proof *p;
    int64_t ns = 0;
    assert_int_equal(mangle_overlay_explain(run.overlay, only(&run, "name(X, Y)"), 0, &p, NULL),
                     MANGLE_OK);
    assert_int_equal(p->kind, MANGLE_PROOF_GIVEN);
    assert_int_equal(mangle_overlay_valid_until(run.overlay, only(&run, "name(X, Y)"), NULL, &ns),
                     MANGLE_OK);
    assert_true(ns == MANGLE_MAX_TIME);
    mangle_run_end(&run);
}

/* M-PROV-2: every fact of a proof stays readable, however many calls it goes through. */
static void test_a_proof_of_many_calls_keeps_their_facts(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("Decl up(N, M) descr [mode('+', '-'), deferred()].\n"
                                       "up(0, 0).\n"
                                       "up(N, M) :- N > 0, P = fn:minus(N, 1), up(P, K),"
                                       " M = fn:plus(K, 1).\n"
                                       "r(M) :- n(N), up(N, M). n(200).\n",
                                       NULL);
    const struct mangle_proof *p;
    assert_int_equal(mangle_overlay_explain(run.overlay, only(&run, "r(X)"), 300, &p, NULL),
                     MANGLE_OK);
    char *text = mangle_proof_print(run.overlay, p, NULL);
    for (int i = 0; i <= 200; i++) {
        char fact[40];
        snprintf(fact, sizeof fact, "up(%d,%d)", i, i);
        assert_non_null(strstr(text, fact));
    }
    mangle_free(text);
    mangle_run_end(&run);
}

static int64_t until(const char *program, const char *query)
{
    struct mangle_run run = mangle_run(program, NULL);
    int64_t ns = 0;
    assert_int_equal(mangle_overlay_valid_until(run.overlay, only(&run, query), NULL, &ns),
                     MANGLE_OK);
    mangle_run_end(&run);
    return ns;
}

static void test_a_call_limits_how_long_a_fact_holds(void **state)
{
    (void)state;
#define EVENTS "Decl ev(X) temporal. ev(/a)@[2024-06-10T11:58:00]. n(/a).\n"
    assert_int_equal(until(EVENTS "Decl hot(X) descr [mode('+'), deferred()].\n"
                                  "hot(X) :- <-[5m] ev(X). r(X) :- n(X), hot(X).\n",
                           "r(X)"),
                     RUN_NOW + INT64_C(180000000000));
    assert_true(until(EVENTS "Decl same(X, Y) descr [mode('+', '-'), deferred()].\n"
                             "same(X, Y) :- Y = X. r(X) :- n(Y), same(Y, X).\n",
                      "r(X)") == MANGLE_MAX_TIME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_deferred_predicate_means_what_the_plain_one_means),
        cmocka_unit_test(test_time_runs_out_inside_a_call),
        cmocka_unit_test(test_a_call_can_be_cancelled),
        cmocka_unit_test(test_the_depth_of_calls_is_an_option),
        cmocka_unit_test(test_a_proof_goes_through_a_call),
        cmocka_unit_test(test_a_proof_through_a_recursive_call_is_grounded),
        cmocka_unit_test(test_a_given_fact_of_a_deferred_predicate_is_explained),
        cmocka_unit_test(test_a_proof_of_many_calls_keeps_their_facts),
        cmocka_unit_test(test_a_call_limits_how_long_a_fact_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
