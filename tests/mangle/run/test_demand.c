/* What overlays derive on demand (mangle/plan/demand.h): what outputs need, and no more; what is
 * looked at otherwise is all there. Random programs of a kind that demand is for are evaluated with
 * it, without it, and together with their base from nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"
#include "support/rounds.h"

#define CASES test_rounds(3000)

/* ---- one program, one request ---------------------------------------------------------------- */

static bool starts_with(const mangle_program *p, mangle_pred pred, char letter)
{
    return mangle_program_pred(p, pred).name[0] == letter;
}

static bool is_request(void *context, const mangle_program *p, mangle_pred pred)
{
    (void)context;
    return starts_with(p, pred, 'r') || starts_with(p, pred, 'b');
}

static bool is_output(void *context, const mangle_program *p, mangle_pred pred)
{
    (void)context;
    return starts_with(p, pred, 'o');
}

struct texts {
    const char *program, *base, *request;
    bool plan_always; /* orders by size, families of one */
};

/* Predicates r… and b… are open to requests; o… are outputs. */
static struct mangle_run evaluate(const struct texts *t, enum demand_use demand)
{
    struct mangle_run run = { 0 };
    struct mangle_source source = { "p.mg", t->program, strlen(t->program) };
    struct mangle_source facts = { "f.mg", t->base, strlen(t->base) };
    struct mangle_compile_options options = { .changeable = is_request, .outputs = is_output };
    run.status = mangle_compile(&source, 1, &options, &run.program, NULL);
    if (run.status)
        return run;
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.base->plan_always = t->plan_always;
    assert_int_equal(mangle_base_add_text(run.base, &facts, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, &run.error), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    assert_int_equal(mangle_run_give(&run, run.overlay, t->request), MANGLE_OK);
    run.overlay->eval.demand = demand;
    run.status = mangle_overlay_eval(run.overlay, RUN_NOW, NULL, &run.stats, &run.error);
    return run;
}

static size_t count_rows(const struct mangle_run *run, const char *name, uint32_t arity)
{
    mangle_pred pred = mangle_pred_find(run->program, name, arity);
    assert_true(pred != MANGLE_NO_PRED);
    return mgi_rel_end(&run->overlay->rels[pred]);
}

static const char closure[] = "Decl edge(X, Y). Decl b_edge(X, Y). Decl r_seen(X). Decl goal(X).\n"
                              "link(X, Y) :- edge(X, Y). link(X, Y) :- b_edge(X, Y).\n"
                              "path(X, Y) :- link(X, Y).\n"
                              "path(X, Z) :- link(X, Y), path(Y, Z).\n"
                              "o_hit(X, Y) :- r_seen(X), path(X, Y), goal(Y).\n";
static const struct texts closing = {
    .program = closure,
    .base = "edge(/a, /b). edge(/b, /c). edge(/d, /e). edge(/e, /f). edge(/f, /d). goal(/e). "
            "goal(/c).",
    .request = "b_edge(/c, /d). r_seen(/b).",
};

static void test_only_what_is_asked_for_is_derived(void **state)
{
    (void)state;
    struct mangle_run eager = evaluate(&closing, DEMAND_NEVER);
    struct mangle_run asked = evaluate(&closing, DEMAND_AUTO);
    assert_true(asked.overlay->eval.demanding);
    assert_true(count_rows(&asked, "path", 2) < count_rows(&eager, "path", 2));
    assert_int_equal(count_rows(&asked, "o_hit", 2), count_rows(&eager, "o_hit", 2));
    assert_true(asked.overlay->eval.demanding); /* nothing else was looked at */
    mangle_run_end(&eager);
    mangle_run_end(&asked);
}

/* A base with facts of what asking begins with asks for as much as it has. */
static void test_nothing_is_asked_for_where_it_does_not_pay(void **state)
{
    (void)state;
    struct texts t = closing;
    t.base = "edge(/a, /b). r_seen(/a).";
    struct mangle_run run = evaluate(&t, DEMAND_AUTO);
    assert_int_equal(run.status, MANGLE_OK);
    assert_false(run.overlay->eval.demanding);
    mangle_run_end(&run);
}

static void test_whoever_looks_at_the_rest_finds_all_of_it(void **state)
{
    (void)state;
    static const struct mangle_explain_options everything;
    struct mangle_run eager = evaluate(&closing, DEMAND_NEVER);
    for (int how = 0; how < 8; how++) {
        struct mangle_run run = evaluate(&closing, DEMAND_AUTO);
        mangle_overlay *o = run.overlay;
        mangle_pred path = mangle_pred_find(run.program, "path", 2);
        const struct mangle_fact *facts;
        const struct mangle_proof *const *proofs;
        const struct mangle_why_not *why;
        struct mangle_cursor cursor;
        size_t count;
        int64_t until;
        mangle_value pattern[2] = { MANGLE_NONE, MANGLE_NONE };
        enum mangle_status st = MANGLE_OK;
        switch (how) {
        case 0:
            st = mangle_overlay_facts(o, path, &facts, &count);
            break;
        case 1:
            st = mangle_overlay_match(o, path, pattern, &facts, &count);
            break;
        case 2:
            st = mangle_overlay_count(o, path, &count);
            break;
        case 3:
            st = mangle_overlay_cursor(o, path, &cursor);
            break;
        case 4:
            st = mangle_overlay_query(o, "path(X, Y)", 10, &facts, &count, NULL);
            break;
        case 5:
            st = mangle_overlay_prove(o, "o_hit(/b, /c)", 13, &everything, &proofs, &count, NULL);
            break;
        case 6:
            st = mangle_overlay_why_not(o, "o_hit(/a, /c)", 13, &why, NULL);
            break;
        default:
            st = mangle_overlay_absent_until(o, path, pattern, NULL, &until);
            break;
        }
        assert_int_equal(st, MANGLE_OK);
        assert_false(o->eval.demanding);
        assert_int_equal(count_rows(&run, "path", 2), count_rows(&eager, "path", 2));
        mangle_overlay_reset(o);
        assert_int_equal(count_rows(&run, "path", 2), mgi_rel_end(&run.base->rels[path]));
        mangle_run_end(&run);
    }
    mangle_run_end(&eager);
}

static void test_what_is_derived_later_is_held_to_the_limits(void **state)
{
    (void)state;
    struct mangle_run run = evaluate(&closing, DEMAND_AUTO);
    mangle_pred path = mangle_pred_find(run.program, "path", 2);
    const struct mangle_fact *facts;
    size_t count;
    run.overlay->max_facts = 2;
    assert_int_equal(mangle_overlay_facts(run.overlay, path, &facts, &count), MANGLE_ERR_LIMIT);
    assert_int_equal(mangle_overlay_facts(run.overlay, path, &facts, &count), MANGLE_ERR_INPUT);
    mangle_overlay_reset(run.overlay);
    mangle_run_end(&run);
}

/* Also while values are asked for: who asks is told by the rule for which it does. */
static void test_asking_has_limits(void **state)
{
    (void)state;
    struct mangle_run run = evaluate(&closing, DEMAND_AUTO);
    struct mangle_limits limits = { .max_facts = 1 };
    struct mangle_error err = { 0 };
    mangle_overlay_reset(run.overlay);
    assert_int_equal(mangle_run_give(&run, run.overlay, "r_seen(/a). r_seen(/b)."), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, &limits, NULL, &err),
                     MANGLE_ERR_LIMIT);
    assert_int_equal(err.limit.kind, MANGLE_LIMIT_FACTS);
    assert_string_equal(mangle_program_rule(run.program, err.limit.rule).text,
                        "o_hit(X,Y) :- r_seen(X), path(X,Y), goal(Y).");
    mangle_run_end(&run);
}

/* ---- what is not demanded -------------------------------------------------------------------- */

static bool is_demanded(const char *program, const char *name, uint32_t arity)
{
    struct texts t = { .program = program, .base = "", .request = "" };
    struct mangle_run run = evaluate(&t, DEMAND_ALWAYS);
    assert_int_equal(run.status, MANGLE_OK);
    mangle_pred pred = mangle_pred_find(run.program, name, arity);
    bool demanded = run.program->plan->preds[pred].demanded;
    mangle_run_end(&run);
    return demanded;
}

#define DECLS "Decl r(X). Decl b(X, Y). Decl e(X, Y). "
#define JOIN  "p(X, Z) :- e(X, Y), b(Y, Z). "

static void test_what_is_demanded_and_what_is_not(void **state)
{
    (void)state;
    assert_true(is_demanded(DECLS JOIN "o(Z) :- r(X), p(X, Z).", "p", 2));
    assert_true(is_demanded(DECLS JOIN "o(X) :- r(X), !p(X, _).", "p", 2));
    assert_true(is_demanded(DECLS JOIN "o(X, N) :- r(X), p(X, Z) |> do fn:group_by(X), "
                                       "let N = fn:sum(Z).",
                            "p", 2));
    /* nothing says what for; one of two readers does not; the host reads it */
    assert_false(is_demanded(DECLS JOIN "o(Z) :- p(X, Z).", "p", 2));
    assert_false(is_demanded(DECLS JOIN "o(Z) :- e(X, _), p(X, Z).", "p", 2));
    assert_false(is_demanded(DECLS JOIN "o(Z) :- r(X), p(X, Z). o(Z) :- p(Z, _).", "p", 2));
    assert_false(
        is_demanded(DECLS "op(X, Z) :- e(X, Y), b(Y, Z). o(Z) :- r(X), op(X, Z).", "op", 2));
    /* the columns differ */
    assert_false(is_demanded(DECLS JOIN "o(Z) :- r(X), p(X, Z). o(Z) :- r(X), p(Z, X).", "p", 2));
    /* a reader, or a rule of its own, can fail */
    assert_false(is_demanded(DECLS JOIN "o(Z) :- r(X), p(X, Z), Z < 3.", "p", 2));
    assert_false(is_demanded(DECLS "p(X, Z) :- e(X, Y), b(Y, W), Z = fn:plus(W, 1). "
                                   "o(Z) :- r(X), p(X, Z).",
                             "p", 2));
    /* it is not monotone, or derives no more than it reads */
    assert_false(is_demanded(DECLS "p(X, Z) :- e(X, Z), !b(X, Z). o(Z) :- r(X), p(X, Z).", "p", 2));
    assert_false(is_demanded(DECLS "p(X, Z) :- b(X, Z). o(Z) :- r(X), p(X, Z).", "p", 2));
    /* intervals, calls */
    assert_false(is_demanded(
        DECLS "Decl t(X) temporal. " JOIN "o(Z) :- r(X), p(X, Z), t(Z)@[_, _].", "p", 2));
}

/* ---- random programs ------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

struct random_program {
    struct buf text, base, request;
};

static const char *const vars[] = { "X", "Y", "Z", "W" };

/* Bodies are chains, so that most have something to say of most: r(X), e(X, Y), p(Y, Z)… */
static void put_chain(struct random_program *g, uint32_t count, uint32_t level, uint32_t own)
{
    char name[16];
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            mgi_buf_puts(&g->text, ", ");
        uint32_t kind = roll(8);
        if (kind < 3)
            snprintf(name, sizeof name, "e%u", roll(2));
        else if (kind < 4)
            snprintf(name, sizeof name, "b%u", roll(2));
        else if (kind < 5 && own != UINT32_MAX)
            snprintf(name, sizeof name, "p%u", own);
        else if (level)
            snprintf(name, sizeof name, "p%u", roll(level));
        else
            snprintf(name, sizeof name, "b%u", roll(2));
        mgi_buf_printf(&g->text, "%s(%s, %s)", name, i && roll(8) == 0 ? vars[roll(4)] : vars[i],
                       i + 1 < count && roll(8) == 0 ? vars[roll(4)] : vars[i + 1]);
    }
}

static void put_inner_rules(struct random_program *g, uint32_t preds)
{
    for (uint32_t p = 0; p < preds; p++)
        for (uint32_t r = 0, rules = 1 + roll(3); r < rules; r++) {
            uint32_t count = 1 + roll(3);
            mgi_buf_printf(&g->text, "p%u(X, %s) :- ", p, vars[count]);
            if (roll(8) == 0)
                mgi_buf_printf(&g->text, "r%u(X), ", roll(2));
            put_chain(g, count, roll(6) ? p : preds, r ? p : UINT32_MAX);
            mgi_buf_puts(&g->text, ".\n");
        }
}

static void put_outputs(struct random_program *g, uint32_t preds)
{
    for (uint32_t o = 0; o < 3; o++) {
        mgi_buf_printf(&g->text, "o%u(X%s) :- r%u(X), p%u(%s, Y)", o, o == 2 ? ", N" : "", roll(2),
                       roll(preds), roll(5) ? "X" : "Z");
        if (roll(2))
            mgi_buf_printf(&g->text, ", p%u(%s, W)", roll(preds), roll(3) ? "Y" : "X");
        if (roll(3) == 0)
            mgi_buf_printf(&g->text, ", !p%u(%s, %s)", roll(preds), roll(2) ? "X" : "Y",
                           roll(2) ? "Y" : "_");
        if (roll(4) == 0)
            mgi_buf_puts(&g->text, ", X != Y");
        if (o == 2)
            mgi_buf_puts(&g->text, " |> do fn:group_by(X), let N = fn:count()");
        mgi_buf_puts(&g->text, ".\n");
    }
    if (roll(3) == 0)
        mgi_buf_printf(&g->text, "o3(X, Y) :- o1(X), p%u(Y, X).\n", roll(preds));
}

static void put_facts(struct buf *out, const char *name, uint32_t arity, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mgi_buf_printf(out, "%s(%u", name, roll(10));
        if (arity == 2)
            mgi_buf_printf(out, ", %u", roll(10));
        mgi_buf_puts(out, ").\n");
    }
}

static void generate(struct random_program *g, uint64_t number)
{
    *g = (struct random_program){ 0 };
    seed = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mgi_buf_init(&g->text);
    mgi_buf_init(&g->base);
    mgi_buf_init(&g->request);
    mgi_buf_puts(&g->text, "Decl e0(X, Y). Decl e1(X, Y). Decl b0(X, Y). Decl b1(X, Y).\n"
                           "Decl r0(X). Decl r1(X).\n");
    uint32_t preds = 1 + roll(4);
    put_inner_rules(g, preds);
    put_outputs(g, preds);
    put_facts(&g->base, "e0", 2, 3 + roll(12));
    put_facts(&g->base, "e1", 2, 3 + roll(12));
    put_facts(&g->base, "b0", 2, roll(4));
    if (roll(8) == 0)
        put_facts(&g->base, "r0", 1, 2);
    put_facts(&g->request, "b0", 2, roll(4));
    put_facts(&g->request, "b1", 2, roll(4));
    put_facts(&g->request, "r0", 1, roll(3));
    put_facts(&g->request, "r1", 1, roll(2));
    mgi_buf_puts(&g->base, " ");
    mgi_buf_puts(&g->request, " ");
}

static void generate_end(struct random_program *g)
{
    mgi_buf_fini(&g->text);
    mgi_buf_fini(&g->base);
    mgi_buf_fini(&g->request);
}

static void put_fact_lines(struct buf *out, struct mangle_run *run, bool outputs)
{
    for (mangle_pred p = 0; p < mangle_program_pred_count(run->program); p++) {
        const struct mangle_fact *facts;
        size_t count;
        if (is_output(NULL, run->program, p) != outputs)
            continue;
        assert_int_equal(mangle_overlay_facts(run->overlay, p, &facts, &count), MANGLE_OK);
        for (size_t i = 0; i < count; i++) {
            char *line = mangle_fact_print(run->program, mangle_overlay_values(run->overlay),
                                           &facts[i], MANGLE_FILE, NULL);
            mgi_buf_printf(out, "%s\n", line);
            mangle_free(line);
        }
    }
}

static void put_proofs(struct buf *out, struct mangle_run *run)
{
    for (mangle_pred p = 0; p < mangle_program_pred_count(run->program); p++) {
        const struct mangle_fact *facts;
        size_t count;
        assert_int_equal(mangle_overlay_facts(run->overlay, p, &facts, &count), MANGLE_OK);
        for (size_t i = 0; i < count && i < 3; i++) {
            const struct mangle_proof *proof;
            int64_t until;
            assert_int_equal(mangle_overlay_explain(run->overlay, &facts[i], 0, &proof, NULL),
                             MANGLE_OK);
            char *text = mangle_proof_print(run->overlay, proof, NULL);
            assert_null(strstr(text, "[partial]"));
            mgi_buf_printf(out, "%s\n", text);
            mangle_free(text);
            assert_int_equal(mangle_overlay_valid_until(run->overlay, &facts[i], NULL, &until),
                             MANGLE_OK);
            mgi_buf_printf(out, "%lld\n", (long long)until);
        }
    }
}

static bool is_same(uint32_t number, const struct random_program *g, const char *what,
                    const struct buf *a, const struct buf *b)
{
    if (str_eq(mgi_buf_view(a), mgi_buf_view(b)))
        return true;
    size_t at = 0; /* from a little before the first difference: messages have an end */
    while (at < a->len && at < b->len && a->ptr[at] == b->ptr[at])
        at++;
    at = at > 300 ? at - 300 : 0;
    print_error("case %u: %s\n%s--- base\n%s--- request\n%s", number, what, g->text.ptr,
                g->base.ptr, g->request.ptr);
    print_error("--- eager\n%.700s\n", a->ptr + at);
    print_error("--- on demand\n%.700s\n", b->ptr + at);
    return false;
}

static size_t count_demanded(const struct mangle_run *run)
{
    size_t count = 0;
    for (mangle_pred p = 0; p < mangle_program_pred_count(run->program); p++)
        if (run->program->plan->preds[p].demanded)
            count += mgi_rel_end(&run->overlay->rels[p]);
    return count;
}

struct tally {
    uint32_t refused, demanding, fewer;
};

static bool compare(uint32_t number, struct random_program *g, struct tally *tally)
{
    struct texts t = { g->text.ptr, g->base.ptr, g->request.ptr, number % 3 == 1 };
    struct mangle_run eager = evaluate(&t, DEMAND_NEVER);
    struct mangle_run asked = evaluate(&t, number % 2 ? DEMAND_ALWAYS : DEMAND_AUTO);
    assert_int_equal(eager.status, asked.status);
    bool good = true;
    if (eager.status) {
        tally->refused++;
    } else {
        tally->demanding += asked.overlay->eval.demanding;
        tally->fewer += count_demanded(&asked) < count_demanded(&eager);
        struct buf a, b;
        mgi_buf_init(&a);
        mgi_buf_init(&b);
        bool demanding = asked.overlay->eval.demanding;
        put_fact_lines(&a, &eager, true);
        put_fact_lines(&b, &asked, true);
        assert_true(asked.overlay->eval.demanding == demanding);
        good = is_same(number, g, "outputs differ", &a, &b);
        put_fact_lines(&a, &eager, false);
        put_fact_lines(&b, &asked, false);
        good = good && is_same(number, g, "the rest differs", &a, &b);
        if (number % 4 == 0) {
            put_proofs(&a, &eager);
            put_proofs(&b, &asked);
            /* with families another proof may be the first: they derive ahead of their strata */
            good =
                good && (t.plan_always || is_same(number, g, "proofs or windows differ", &a, &b));
        }
        mgi_buf_fini(&a);
        mgi_buf_fini(&b);
    }
    mangle_run_end(&eager);
    mangle_run_end(&asked);
    return good;
}

static void test_demand_changes_no_answer(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    uint32_t failures = 0;
    struct tally tally = { 0 };
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES && failures < 3; i++) {
        struct random_program g;
        generate(&g, i);
        failures += !compare(i, &g, &tally);
        generate_end(&g);
        if (only)
            break;
    }
    print_message("# %u refused, %u on demand, %u with fewer facts\n", tally.refused,
                  tally.demanding, tally.fewer);
    assert_int_equal(failures, 0);
    if (!only)
        assert_true(tally.demanding > CASES / 8 &&
                    tally.fewer > CASES / 20); /* or it tests little */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_is_asked_for_is_derived),
        cmocka_unit_test(test_nothing_is_asked_for_where_it_does_not_pay),
        cmocka_unit_test(test_whoever_looks_at_the_rest_finds_all_of_it),
        cmocka_unit_test(test_what_is_derived_later_is_held_to_the_limits),
        cmocka_unit_test(test_asking_has_limits),
        cmocka_unit_test(test_what_is_demanded_and_what_is_not),
        cmocka_unit_test(test_demand_changes_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
