/* Lattice relations (section 10.5) on random graphs: shortest ways must be those of a plain
 * computation, whatever the order of rules and facts, together and above a base; every one of them
 * has a proof. The rules of the merge predicate are written so that what they come to is known
 * (mangle/plan/plan_merge.c), as the least or, of lengths below zero, the greatest; and so that
 * they have to be asked. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mangle_run.h"

#define CASES 400
#define NODES 6
#define FAR   1000

static uint64_t seed;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

struct graph {
    uint32_t legs[24][3]; /* from, to, length */
    uint32_t count;
    uint32_t far[NODES][NODES];
    uint32_t wording;
    const char *sign; /* of lengths */
};

/* How to choose: the least, or the greatest of lengths below zero. */
static const char *const wordings[][2] = {
    { "least(A, B, A) :- A <= B.\n", "least(A, B, B) :- B < A.\n" },
    { "least(A, B, C) :- A < B, C = A.\n", "least(A, B, C) :- B <= A, C = B.\n" },
    { "least(A, B, B) :- A > B.\n", "least(A, B, A) :- B >= A.\n" },
    { "least(A, B, C) :- C = fn:min([A, B]).\n", "least(A, B, A) :- A < B, B <= A.\n" },
    { "least(A, B, A) :- A >= B.\n", "least(A, B, B) :- A < B.\n" },
    { "least(A, B, C) :- B > A, C = B.\n", "least(A, B, C) :- B <= A, A = C.\n" },
    { "least(A, B, C) :- C = fn:max([A, B]).\n", "least(A, B, A) :- A < B, B <= A.\n" },
};
#define WORDINGS (sizeof wordings / sizeof *wordings)
#define UPWARDS  4 /* from here on the greatest */

static void make_graph(struct graph *g)
{
    g->count = 4 + roll(20);
    for (uint32_t i = 0; i < NODES * NODES; i++)
        g->far[i / NODES][i % NODES] = FAR;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t *leg = g->legs[i];
        leg[0] = roll(NODES);
        leg[1] = roll(NODES);
        leg[2] = 1 + roll(9);
        if (g->far[leg[0]][leg[1]] > leg[2])
            g->far[leg[0]][leg[1]] = leg[2];
    }
    for (uint32_t k = 0; k < NODES; k++)
        for (uint32_t i = 0; i < NODES; i++)
            for (uint32_t j = 0; j < NODES; j++)
                if (g->far[i][k] + g->far[k][j] < g->far[i][j])
                    g->far[i][j] = g->far[i][k] + g->far[k][j];
    g->wording = roll(WORDINGS);
    g->sign = g->wording < UPWARDS ? "" : "-";
}

/* What the program below derives. */
static void expect_graph(const struct graph *g, struct buf *out)
{
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 0; j < NODES; j++)
            if (g->far[i][j] < FAR)
                mgi_buf_printf(out, "cost(%u,%u,%s%u).\n", i, j, g->sign, g->far[i][j]);
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 0; j < NODES; j++)
            if (g->far[i][j] < FAR && g->far[i][j] > 5)
                mgi_buf_printf(out, "dear(%u,%u).\n", i, j);
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t sum = 0, some = 0;
        for (uint32_t j = 0; j < NODES; j++) {
            some += g->far[i][j] < FAR;
            sum += g->far[i][j] < FAR ? g->far[i][j] : 0;
        }
        if (some)
            mgi_buf_printf(out, "total(%u,%s%u).\n", i, sum ? g->sign : "", sum);
    }
}

static void put_legs(const struct graph *g, const char *pred, uint32_t from, uint32_t to,
                     struct buf *out)
{
    for (uint32_t i = from; i < to; i++)
        mgi_buf_printf(out, "%s(%u, %u, %s%u).\n", pred, g->legs[i][0], g->legs[i][1], g->sign,
                       g->legs[i][2]);
}

/* `first` legs are facts of the relation itself, up to `base` they are legs of the base. */
static struct buf make_program(const struct graph *g, uint32_t first, uint32_t base)
{
    const char *const rules[] = {
        "cost(X, Y, C) :- leg(X, Y, C).\n",
        "cost(X, Z, S) :- cost(X, Y, C), leg(Y, Z, D) |> let S = fn:plus(C, D).\n",
        "cost(X, Z, S) :- cost(X, Y, C), cost(Y, Z, D), S = fn:plus(C, D).\n",
        *g->sign ? "dear(X, Y) :- cost(X, Y, C), C < -5.\n"
                 : "dear(X, Y) :- cost(X, Y, C), C > 5.\n",
        "total(X, S) :- cost(X, _, C) |> do fn:group_by(X), let S = fn:sum(C).\n",
        wordings[g->wording][0],
        wordings[g->wording][1],
    };
    uint32_t count = sizeof rules / sizeof *rules, at = roll(count), step = 1 + roll(count - 1);
    struct buf out = { 0 };
    mgi_buf_puts(&out, "Decl cost(X, Y, C) descr [fundep([X, Y], [C]), merge([C], \"least\")].\n"
                       "Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
                       "Decl leg(X, Y, C).\n");
    for (uint32_t i = 0; i < count; i++, at += step) /* seven is prime: each rule once */
        mgi_buf_puts(&out, rules[at % count]);
    put_legs(g, "cost", 0, first, &out);
    put_legs(g, "leg", 0, base, &out);
    return out;
}

static bool changes_legs(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    return strcmp(name, "leg") == 0 || (context && strcmp(name, "cost") == 0);
}

static void prove_all(struct mangle_run *run)
{
    const struct mangle_fact *facts;
    const struct mangle_proof *proof;
    size_t count;
    assert_int_equal(mangle_overlay_query(run->overlay, "cost", 4, &facts, &count, NULL),
                     MANGLE_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(mangle_overlay_explain(run->overlay, &facts[i], 0, &proof, NULL),
                         MANGLE_OK);
        assert_int_not_equal(proof->kind, MANGLE_PROOF_PARTIAL);
    }
}

static void check_run(const struct graph *g, const char *program, const struct run_options *o)
{
    struct buf expected = { 0 };
    expect_graph(g, &expected);
    struct mangle_run run = mangle_run(program, o);
    char *got = mangle_run_text(&run);
    if (strcmp(got, mgi_buf_view(&expected).ptr) != 0)
        print_error("%s--- request\n%s---\n", program, o && o->request ? o->request : "");
    assert_string_equal(got, mgi_buf_view(&expected).ptr);
    mangle_free(got);
    prove_all(&run);
    if (o) { /* and again, after a reset */
        mangle_overlay_reset(run.overlay);
        if (o->request)
            assert_int_equal(mangle_run_give(&run, run.overlay, o->request), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
        got = mangle_run_text(&run);
        assert_string_equal(got, mgi_buf_view(&expected).ptr);
        mangle_free(got);
    }
    mangle_run_end(&run);
    mgi_buf_fini(&expected);
}

/* M-EVAL-40, M-EVAL-41, M-EVAL-42, M-EVAL-43, M-EVAL-44 */
static void test_shortest_ways_are_found_whatever_the_order(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        struct graph g;
        seed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        make_graph(&g);
        struct buf whole = make_program(&g, roll(4), g.count);
        check_run(&g, mgi_buf_view(&whole).ptr, NULL);
        mgi_buf_fini(&whole);
    }
}

static void test_a_request_improves_on_the_base(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CASES; i++) {
        struct graph g;
        seed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        make_graph(&g);
        bool facts = roll(3) == 0;
        uint32_t base = roll(g.count + 1);
        struct buf part = make_program(&g, roll(base < 4 ? base + 1 : 4), base), request = { 0 };
        put_legs(&g, facts ? "cost" : "leg", base, g.count, &request);
        struct run_options o = { .changeable = changes_legs };
        o.context = facts ? &g : NULL;
        o.request = request.len ? mgi_buf_view(&request).ptr : NULL;
        check_run(&g, mgi_buf_view(&part).ptr, &o);
        mgi_buf_fini(&part);
        mgi_buf_fini(&request);
    }
}

/* ---- validity, proofs, limits -----------------------------------------------------------------
 */

#define LEAST                                                                                      \
    "Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"                               \
    "least(A, B, A) :- A <= B. least(A, B, B) :- B < A.\n"                                         \
    "Decl best(X, C) descr [fundep([X], [C]), merge([C], \"least\")].\n"

static void test_a_value_stands_until_a_better_one_may_come(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run(LEAST "Decl offer(X, C) temporal.\n"
                         "offer(/a, 5)@[2024-06-10T11:00:00, 2024-06-10T14:00:00].\n"
                         "offer(/a, 3)@[2024-06-10T13:00:00, 2024-06-10T14:00:00].\n"
                         "best(X, C) :- offer(X, C)@[now]. cheap(X) :- best(X, C), C > 4.\n",
                   NULL);
    const struct mangle_fact *facts;
    size_t count;
    int64_t until;
    static const char *const queries[] = { "best(X, C)", "cheap(X)" };
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            mangle_overlay_query(run.overlay, queries[i], strlen(queries[i]), &facts, &count, NULL),
            MANGLE_OK);
        assert_int_equal(count, 1);
        assert_int_equal(mangle_overlay_valid_until(run.overlay, facts, NULL, &until), MANGLE_OK);
        assert_true(until >= RUN_NOW && until < RUN_NOW + INT64_C(3600000000000));
    }
    mangle_run_end(&run);
}

static void test_a_merged_value_is_no_proof_of_its_own(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("Decl sum(A, B, C) descr [mode('+', '+', '-'), deferred()]. sum(A, B, C) :- C = "
                   "fn:plus(A, B).\n"
                   "Decl all(X, C) descr [fundep([X], [C]), merge([C], \"sum\")].\n"
                   "offer(/a, 5). offer(/a, 3). all(X, C) :- offer(X, C).\n",
                   NULL);
    const struct mangle_fact *facts;
    const struct mangle_proof *proof;
    size_t count;
    assert_int_equal(mangle_overlay_query(run.overlay, "all(/a, 8)", 10, &facts, &count, NULL),
                     MANGLE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(mangle_overlay_explain(run.overlay, facts, 0, &proof, NULL), MANGLE_OK);
    assert_int_equal(proof->kind, MANGLE_PROOF_PARTIAL);
    /* what was replaced does not hold */
    mangle_value old[2] = { facts->args[0], mangle_number(mangle_overlay_values(run.overlay), 5) };
    assert_false(mangle_overlay_holds(run.overlay, facts->pred, old));
    assert_true(mangle_overlay_holds(run.overlay, facts->pred, facts->args));
    mangle_run_end(&run);
}

/* M-LIM-12 */
static void test_a_replacement_is_a_fact_created(void **state)
{
    (void)state;
    static const char text[] = LEAST "offer(1, 5). best(X, C) :- offer(X, C).\n"
                                     "best(X, C) :- best(X, D), C = fn:minus(D, 1), C > 0.\n";
    for (int64_t limit = 4; limit <= 5; limit++) {
        struct run_options options = { .limits = { .max_facts = limit } };
        char *got = run_text(text, &options);
        assert_string_equal(got, limit == 5 ? "best(1,1).\n" : "error: FACT_LIMIT\n");
        mangle_free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shortest_ways_are_found_whatever_the_order),
        cmocka_unit_test(test_a_request_improves_on_the_base),
        cmocka_unit_test(test_a_value_stands_until_a_better_one_may_come),
        cmocka_unit_test(test_a_merged_value_is_no_proof_of_its_own),
        cmocka_unit_test(test_a_replacement_is_a_fact_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
