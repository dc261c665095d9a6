/* Privileged predicates: what they hold on, what does not count, and what is said of it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mangle_run.h"

/* h_*: hearsay. told: the host's own. */
static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    struct mangle_pred_view v = mangle_program_pred(program, pred);
    (void)context;
    return strncmp(v.name, "h_", 2) == 0 || strcmp(v.name, "told") == 0 ||
           mangle_pred_descriptor(program, pred, "claimable", NULL, 0) != SIZE_MAX;
}

static enum mangle_trust trust(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    if (mangle_pred_descriptor(program, pred, "privileged", NULL, 0) != SIZE_MAX)
        return MANGLE_PRIVILEGED;
    return mangle_program_pred(program, pred).name[0] == 'h' ? MANGLE_HEARSAY : MANGLE_VOUCHED;
}

static struct mangle_run run_of(const char *program, const char *hearsay, const char *vouched)
{
    struct run_options options = {
        .changeable = is_open, .trust = trust, .request = hearsay, .vouched = vouched
    };
    struct mangle_run run = mangle_run(program, &options);
    if (run.status)
        fail_msg("%s %s", run.code, run.error.message);
    return run;
}

static void expect(struct mangle_run *run, const char *query, const char *answers)
{
    char *text = mangle_run_query(run, query);
    assert_string_equal(text, answers);
    mangle_free(text);
}

static void expect_claims(struct mangle_run *run, const char *pred, size_t count)
{
    mangle_pred claimed =
        mangle_pred_claimed(run->program, mangle_pred_find(run->program, pred, 1));
    const struct mangle_fact *facts;
    size_t found;
    assert_int_not_equal(claimed, MANGLE_NO_PRED);
    assert_int_equal(mangle_overlay_facts(run->overlay, claimed, &facts, &found), MANGLE_OK);
    assert_int_equal(found, count);
}

#define REVIEW                                                                                     \
    "Decl ok(X) descr [privileged()]. Decl h_signed(X, Y). Decl known(X). Decl told(X).\n"         \
    "known(/a). known(/b). told(/none).\n"                                                         \
    "reviewed(X) :- h_signed(X, _).\n"                                                             \
    "ok(X) :- reviewed(X), known(X).\n"                                                            \
    "use(X) :- ok(X), h_signed(X, _).\n"                                                           \
    "open(X) :- known(X), !ok(X).\n"

static void test_hearsay_grants_nothing(void **state)
{
    (void)state;
    struct mangle_run run = run_of(REVIEW, "h_signed(/a, /me).", "h_signed(/b, /me).");
    expect(&run, "ok(X)", "ok(/b).\n");
    expect(&run, "reviewed(X)", "reviewed(/a).\nreviewed(/b).\n"); /* for others it counts */
    expect(&run, "use(X)", "use(/b).\n");
    expect(&run, "open(X)", "open(/a).\n");
    expect_claims(&run, "ok", 2);
    assert_int_equal(run.stats.facts_given, 5); /* what is vouched for stands in two places */
    mangle_run_end(&run);
}

static void test_base_and_host_are_vouched_for(void **state)
{
    (void)state;
    struct mangle_run run = run_of("Decl ok(X) descr [privileged()]. Decl h_a(X). Decl told(X).\n"
                                   "h_a(/base).\n"
                                   "ok(X) :- h_a(X). ok(X) :- told(X).\n",
                                   "told(/host). h_a(/me).", NULL);
    expect(&run, "ok(X)", "ok(/base).\nok(/host).\n");
    mangle_run_end(&run);
}

/* Every derivation is looked at, not one that happens to be found first. */
static void test_one_good_derivation_is_enough(void **state)
{
    (void)state;
    static const char program[] =
        "Decl ok(X, Y) descr [privileged()]. Decl h_edge(X, Y).\n"
        "path(X, Y) :- h_edge(X, Y). path(X, Z) :- path(X, Y), h_edge(Y, Z).\n"
        "ok(X, Y) :- path(X, Y).\n";
    struct mangle_run run =
        run_of(program, "h_edge(/a, /c). h_edge(/c, /d). h_edge(/z, /b). h_edge(/b, /z).",
               "h_edge(/a, /b). h_edge(/b, /c).");
    expect(&run, "ok(/a, X)", "ok(/a,/b).\nok(/a,/c).\n");
    expect(&run, "ok(/z, X)", "");
    mangle_run_end(&run);
}

static void test_a_claim_is_no_fact(void **state)
{
    (void)state;
    static const char program[] = "Decl ok(X) descr [privileged(), claimable()]. Decl h_x(X).\n"
                                  "then(X) :- ok(X).\n";
    struct mangle_run run = run_of(program, "ok(/mine).", "ok(/signed).");
    expect(&run, "ok(X)", "ok(/signed).\n");
    expect(&run, "then(X)", "then(/signed).\n");
    expect_claims(&run, "ok", 1);
    mangle_run_end(&run);
}

static void test_privilege_rests_on_privilege(void **state)
{
    (void)state;
    static const char program[] =
        "Decl staff(X) descr [privileged()]. Decl ok(X) descr [privileged()]. Decl h_says(X).\n"
        "Decl told(X). Decl gone(X) descr [privileged()].\n"
        "staff(X) :- told(X). gone(/eve) :- told(_).\n"
        "ok(X) :- staff(X), !gone(X).\n" /* what is privileged says nothing by silence */
        "staff(X) :- h_says(X).\n";
    struct mangle_run run = run_of(program, "told(/ann). told(/eve). h_says(/bob).", NULL);
    expect(&run, "ok(X)", "ok(/ann).\n");
    expect_claims(&run, "staff", 3);
    mangle_run_end(&run);
}

/* ---- silence --------------------------------------------------------------------------------- */

static void expect_error(const char *rules, const char *place, const char *message)
{
    struct buf text = { 0 };
    mgi_buf_printf(
        &text,
        "Decl ok(X) descr [privileged()]. Decl h_no(X). Decl h_t(X) temporal. Decl h_n(X, N).\n"
        "Decl base(X). base(/a).\n%s",
        rules);
    struct mangle_source source = { "p.mg", text.ptr, text.len };
    struct mangle_compile_options options = { .changeable = is_open, .trust = trust };
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p = NULL;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, diags), MANGLE_ERR_PROGRAM);
    const struct mangle_diag *d = mangle_diags_get(diags, 0);
    char at[20];
    snprintf(at, sizeof at, "%u:%u", d->line, d->column);
    assert_string_equal(d->code, "PRIVILEGED");
    assert_string_equal(at, place);
    if (!strstr(d->message, message))
        fail_msg("%s", d->message);
    mangle_diags_free(diags);
    mgi_buf_fini(&text);
}

static void test_silence_in_a_privileged_rule_is_an_error(void **state)
{
    (void)state;
    expect_error("ok(X) :- base(X), !h_no(X).", "3:19", "rest on the absence of \"h_no\"");
    expect_error("q(X) :- h_n(X, _).\nok(X) :- base(X), !q(X).", "4:19", "the absence of \"q\"");
    expect_error("ok(M) :- h_n(_, N) |> do fn:group_by(), let M = fn:sum(N).", "3:10",
                 "a group of \"h_n\"");
    expect_error("ok(X) :- h_t(X)@[S, E], :time:lt(S, E).", "3:10", "the bounds of \"h_t\"");
}

/* Further away it is no error: others may use such a rule. It counts for nothing. */
static void test_silence_further_away_grants_nothing(void **state)
{
    (void)state;
    static const char program[] = "Decl ok(X) descr [privileged()]. Decl h_no(X). Decl h_yes(X).\n"
                                  "Decl base(X). base(/a). base(/b).\n"
                                  "free(X) :- base(X), !h_no(X).\n"
                                  "free(X) :- h_yes(X).\n"
                                  "ok(X) :- free(X).\n";
    struct mangle_run run = run_of(program, NULL, "h_yes(/b).");
    expect(&run, "free(X)", "free(/a).\nfree(/b).\n");
    expect(&run, "ok(X)", "ok(/b).\n");
    expect_claims(&run, "ok", 2);
    assert_false(mangle_rule_may_vouch(run.program, 0));
    assert_true(mangle_rule_may_vouch(run.program, 1));
    mangle_run_end(&run);
}

static void test_windows_are_those_of_what_counts(void **state)
{
    (void)state;
    static const char program[] = "Decl ok(X) descr [privileged()]. Decl h_duty(X) temporal.\n"
                                  "ok(X) :- h_duty(X)@[now].\n";
    struct mangle_run run =
        run_of(program, "h_duty(/a)@[2024-06-10T11:00:00, 2024-06-10T20:00:00].",
               "h_duty(/a)@[2024-06-10T11:30:00, 2024-06-10T12:30:00].");
    mangle_pred ok = mangle_pred_find(run.program, "ok", 1);
    const struct mangle_fact *facts;
    size_t count;
    int64_t until;
    assert_int_equal(mangle_overlay_facts(run.overlay, ok, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(mangle_overlay_valid_until(run.overlay, &facts[0], NULL, &until), MANGLE_OK);
    assert_int_equal(until - RUN_NOW, INT64_C(1800) * 1000000000);
    mangle_run_end(&run);
}

/* ---- what is said of it ---------------------------------------------------------------------- */

static void expect_originals(const mangle_program *p, const struct mangle_proof *proof)
{
    assert_true(proof->fact.pred < mangle_program_pred_count(p));
    assert_true(proof->rule == SIZE_MAX || proof->rule < mangle_program_rule_count(p));
    for (size_t i = 0; i < proof->premise_count; i++)
        expect_originals(p, proof->premises[i]);
}

static void test_proofs_know_no_copies(void **state)
{
    (void)state;
    struct mangle_run run = run_of(REVIEW, "h_signed(/a, /me).", "h_signed(/b, /me).");
    mangle_pred ok = mangle_pred_find(run.program, "ok", 1);
    mangle_pred preds[] = { ok, mangle_pred_claimed(run.program, ok) };
    assert_int_equal(mangle_program_rule_count(run.program), 4);
    for (int i = 0; i < 2; i++) {
        const struct mangle_fact *facts;
        const struct mangle_proof *proof;
        size_t count;
        assert_int_equal(mangle_overlay_facts(run.overlay, preds[i], &facts, &count), MANGLE_OK);
        assert_int_equal(mangle_overlay_explain(run.overlay, &facts[0], 0, &proof, NULL),
                         MANGLE_OK);
        expect_originals(run.program, proof);
        assert_int_equal(proof->fact.pred, ok);
        char *text = mangle_proof_print(run.overlay, proof, NULL);
        assert_non_null(strstr(text, "by rule"));
        assert_non_null(strstr(text, "h_signed("));
        mangle_free(text);
    }
    const struct mangle_why_not *why;
    static const char goal[] = "ok(/a)";
    assert_int_equal(mangle_overlay_why_not(run.overlay, goal, sizeof goal - 1, &why, NULL),
                     MANGLE_OK);
    assert_int_equal(why->rule_count, 1);
    assert_int_equal(why->rules[0].rule, 1);
    for (size_t i = 0; i < why->rules[0].fact_count; i++)
        assert_true(why->rules[0].facts[i].pred < mangle_program_pred_count(run.program));
    assert_true(why->rules[0].wanted_count > 0);
    for (size_t i = 0; i < why->rules[0].wanted_count; i++)
        assert_true(why->rules[0].wanted[i].pred < mangle_program_pred_count(run.program));
    mangle_run_end(&run);
}

/* Callers know no copies: those go by their originals. */
static void test_a_focus_is_on_originals(void **state)
{
    (void)state;
    struct mangle_run run = run_of(REVIEW, NULL, NULL);
    size_t count = mangle_program_pred_count(run.program);
    bool *preds = calloc(count, sizeof *preds);
    assert_non_null(preds);
    for (int wanted = 0; wanted < 2; wanted++) {
        memset(preds, wanted, count * sizeof *preds);
        mangle_overlay_reset(run.overlay);
        mangle_overlay_focus(run.overlay, preds);
        assert_int_equal(mangle_run_vouch(&run, run.overlay, "h_signed(/b, /me)."), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
        expect(&run, "ok(X)", wanted ? "ok(/b).\n" : "");
    }
    free(preds);
    mangle_run_end(&run);
}

static void test_without_privileged_predicates_nothing_is_copied(void **state)
{
    (void)state;
    struct mangle_run run =
        run_of("Decl h_a(X). r(X) :- h_a(X). s(X) :- h_a(X), !r(X).", "h_a(/me).", NULL);
    expect(&run, "r(X)", "r(/me).\n");
    assert_false(mangle_pred_is_vouched(run.program, mangle_pred_find(run.program, "h_a", 1)));
    assert_int_equal(mangle_pred_claimed(run.program, mangle_pred_find(run.program, "r", 1)),
                     MANGLE_NO_PRED);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hearsay_grants_nothing),
        cmocka_unit_test(test_base_and_host_are_vouched_for),
        cmocka_unit_test(test_one_good_derivation_is_enough),
        cmocka_unit_test(test_a_claim_is_no_fact),
        cmocka_unit_test(test_privilege_rests_on_privilege),
        cmocka_unit_test(test_silence_in_a_privileged_rule_is_an_error),
        cmocka_unit_test(test_silence_further_away_grants_nothing),
        cmocka_unit_test(test_windows_are_those_of_what_counts),
        cmocka_unit_test(test_proofs_know_no_copies),
        cmocka_unit_test(test_a_focus_is_on_originals),
        cmocka_unit_test(test_without_privileged_predicates_nothing_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
