/* Proofs: one well-founded derivation per fact, content addresses, the tree form (section 17). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mangle_run.h"

/* The proof of the only answer of `query`. */
static const struct mangle_proof *explain(struct mangle_run *run, const char *query, uint32_t depth)
{
    const struct mangle_fact *facts;
    size_t count;
    const struct mangle_proof *proof;
    assert_int_equal(run->status, MANGLE_OK);
    assert_int_equal(mangle_overlay_query(run->overlay, query, strlen(query), &facts, &count, NULL),
                     MANGLE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(mangle_overlay_explain(run->overlay, facts, depth, &proof, &run->error),
                     MANGLE_OK);
    return proof;
}

static void expect_tree(struct mangle_run *run, const char *query, const char *expected)
{
    size_t len;
    char *text = mangle_proof_print(run->overlay, explain(run, query, 0), &len);
    assert_string_equal(text, expected);
    assert_int_equal(len, strlen(text));
    mangle_free(text);
}

static void expect_tree_holds(struct mangle_run *run, const char *query, const char *part)
{
    char *text = mangle_proof_print(run->overlay, explain(run, query, 0), NULL);
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in\n%s", part, text);
    mangle_free(text);
}

static const char road[] = "road(/ulm, /bonn). road(/bonn, /kiel).\n"
                           "trip(A, B) :- road(A, B).\n"
                           "trip(A, C) :- road(A, B), trip(B, C).\n"
                           "Decl shut(X). free(X) :- road(X, _), !shut(X).\n";

static void test_ids_are_those_of_the_reference(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(road, NULL);
    /* M-PROV-11 */
    const struct mangle_proof *p = explain(&run, "trip(/ulm, /kiel)", 0);
    assert_string_equal(p->id, "/proof/c81bf8ab6f207b41c4883446b94a89f5"); /* M-PROV-1, M-PROV-10 */
    assert_string_equal(p->rule_id, "/rule/c55a6c57f1d77f5e9ea7657f7daf6a28"); /* M-PROV-4 */
    assert_int_equal(p->kind, MANGLE_PROOF_DERIVED);
    assert_int_equal(p->premise_count, 2);
    assert_string_equal(p->premises[0]->id, "/proof/ee132b4c4f1424235e6904cfaa666ba9");
    assert_int_equal(p->premises[0]->kind, MANGLE_PROOF_GIVEN);
    assert_string_equal(p->premises[1]->id, "/proof/c039ffdfc006c73bae89e69848067afe");
    assert_string_equal(p->premises[1]->rule_id, "/rule/a1c105b8f12e7beffad90deede56b9a6");
    assert_string_equal(p->premises[1]->premises[0]->id, "/proof/4caa04f8ac00a8bec621c9834e591937");
    p = explain(&run, "free(/ulm)", 0);
    assert_int_equal(p->premise_count, 2); /* M-PROV-6: the absence stands at its place */
    assert_int_equal(p->premises[1]->kind, MANGLE_PROOF_ABSENT);
    assert_string_equal(p->premises[1]->id, "/proof/9b22188bc19c57ab3502e23f3f6b0246");
    mangle_run_end(&run);
}

static void test_tree_is_that_of_the_acceptance_set(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("flow(1, 2). flow(2, 3). to(X, Y) :- flow(X, Y).\n"
                                       "to(X, Z) :- flow(X, Y), to(Y, Z).\n",
                                       NULL);
    /* */
    expect_tree(&run, "to(1, 3)",
                "proof 1 of 1:\n"
                "  to(1,3)  (/proof/bb08e97e175d3de32cb2db9e464bad8e)\n"
                "    by rule /rule/33c7172bd1ac3591667e443fe91e1aa7:  to(X,Z) :- flow(X,Y), "
                "to(Y,Z).\n"
                "    with X=1, Y=2, Z=3\n"
                "    premises:\n"
                "      flow(1,2)  (/proof/ea81f864d13517a9863c8901a93feec6)\n"
                "        [EDB]\n"
                "      to(2,3)  (/proof/230f7508bde9c97ac3ef5fb9dcfbefe7)\n"
                "        by rule /rule/4f0a1885728746c2cf0aee241732e867:  to(X,Y) :- flow(X,Y).\n"
                "        with X=2, Y=3\n"
                "        premises:\n"
                "          flow(2,3)  (/proof/b37106b747b83f10906be7451d2d11ef)\n"
                "            [EDB]\n");
    mangle_run_end(&run);
}

static void test_request_facts_are_told_from_base_facts(void **state)
{
    (void)state;
    struct run_options options = { .changeable = run_changes_all, .request = "road(/kiel, /rom)." };
    struct mangle_run run = mangle_run(road, &options);
    const struct mangle_proof *p = explain(&run, "trip(/ulm, /rom)", 0);
    assert_int_equal(p->premises[0]->kind, MANGLE_PROOF_GIVEN);
    p = p->premises[1]->premises[1];
    assert_int_equal(p->premises[0]->kind, MANGLE_PROOF_SESSION);
    mangle_run_end(&run);
}

static void test_cycles_are_explained_from_the_ground(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("e(1, 2). e(2, 1). p(X, Z) :- p(X, Y), p(Y, Z). p(X, Y) :- e(X, Y).\n", NULL);
    const struct mangle_proof *p = explain(&run, "p(1, 1)", 0);
    assert_int_equal(p->premise_count, 2); /* M-PROV-24 */
    assert_int_equal(p->premises[0]->premise_count, 1);
    assert_int_equal(p->premises[0]->premises[0]->kind, MANGLE_PROOF_GIVEN);
    assert_int_equal(p->premises[1]->premises[0]->kind, MANGLE_PROOF_GIVEN);
    mangle_run_end(&run);
}

static void test_aggregates_rest_on_the_facts_of_their_group(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("t(/a, 3). t(/a, 4). t(/b, 5).\n"
                   "s(K, S) :- t(K, V) |> do fn:group_by(K), let S = fn:sum(V).\n",
                   NULL);
    const struct mangle_proof *p = explain(&run, "s(/a, 7)", 0);
    assert_int_equal(p->kind, MANGLE_PROOF_AGGREGATE);
    assert_int_equal(p->premise_count, 2);
    assert_int_equal(p->binding_count, 0);
    assert_int_equal(p->group_key_count, 1); /* M-PROV-7 */
    assert_string_equal(p->transform, "do fn:group_by(K), let S = fn:sum(V)");
    assert_true(strcmp(p->premises[0]->id, p->premises[1]->id) < 0); /* M-PROV-26 */
    char *text = mangle_proof_print(run.overlay, p, NULL);
    assert_non_null(strstr(text, "    group key: (/a)\n    input facts:\n")); /* M-PROV-41 */
    assert_non_null(
        strstr(text, "    transform: do fn:group_by(K), let S = fn:sum(V)\n    group key"));
    mangle_free(text);
    mangle_run_end(&run);
}

static void test_a_node_is_printed_once(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("a(1). b(X) :- a(X), a(X).\n", NULL);
    char *text = mangle_proof_print(run.overlay, explain(&run, "b(1)", 0), NULL);
    assert_non_null(strstr(text, "... see /proof/")); /* M-PROV-42 */
    mangle_free(text);
    mangle_run_end(&run);
}

/* M-LIM-5 */
static void test_depth_limit_makes_a_partial_proof(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("s(0, 1). s(1, 2). s(2, 3). s(3, 4). n(0). n(Y) :- n(X), s(X, Y).\n", NULL);
    const struct mangle_proof *p = explain(&run, "n(4)", 2);
    char *text = mangle_proof_print(run.overlay, p, NULL);
    assert_non_null(strstr(text, "n(4)  (/proof/"));
    assert_non_null(strstr(text, "[partial]")); /* M-PROV-8 */
    assert_int_equal(p->premises[0]->premises[0]->kind, MANGLE_PROOF_PARTIAL);
    assert_int_equal(strncmp(p->premises[0]->premises[0]->id, "/proof/partial/", 15), 0);
    mangle_free(text);
    p = explain(&run, "n(4)", 0);
    text = mangle_proof_print(run.overlay, p, NULL);
    assert_null(strstr(text, "[partial]"));
    mangle_free(text);
    mangle_run_end(&run);
}

static void test_temporal_premises_carry_their_interval(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("Decl up(X) temporal. up(/a)@[2024-06-10T11:00:00, _].\n"
                                       "ok(X) :- <-[0s, 2h] up(X).\n",
                                       NULL);
    const struct mangle_proof *p = explain(&run, "ok(/a)", 0);
    assert_true(p->premises[0]->fact.temporal); /* M-PROV-28 */
    assert_true(p->premises[0]->fact.t.start_ns == RUN_NOW - INT64_C(3600000000000));
    assert_true(p->premises[0]->fact.t.end_ns == MANGLE_MAX_TIME);
    mangle_run_end(&run);
}

static void test_recursion_through_time_is_explained_with_its_intervals(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("Decl hop(X, Y) temporal. Decl far(X, Y) temporal.\n"
                   "hop(/a, /b)@[2024-01-01, 2024-01-09]. hop(/b, /c)@[2024-01-03, 2024-01-05].\n"
                   "far(A, B)@[S, F] :- hop(A, B)@[S, F].\n"
                   "far(A, C)@[S, F] :- hop(A, B)@[S1, F1], far(B, C)@[S, F], :time:le(S1, S),\n"
                   "    :time:le(F, F1).\n",
                   NULL);
    const struct mangle_proof *p = explain(&run, "far(/a, /c)", 0);
    char *text = mangle_proof_print(run.overlay, p, NULL);
    assert_non_null(strstr(text, "  far(/a,/c)@[2024-01-03T00:00:00Z, 2024-01-05T00:00:00Z]  ("));
    assert_non_null(strstr(text, "hop(/a,/b)@[2024-01-01T00:00:00Z, 2024-01-09T00:00:00Z]  ("));
    assert_non_null(strstr(text, "far(/b,/c)@[2024-01-03T00:00:00Z, 2024-01-05T00:00:00Z]  ("));
    assert_null(strstr(text, "[partial]")); /* M-PROV-28 */
    mangle_free(text);
    mangle_run_end(&run);
}

static void test_built_ins_and_lets_have_no_part_in_premises(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("n(3). r(Y) :- n(X), X < 5, Z = fn:plus(X, 1), Z != 9 "
                                       "|> let Y = fn:mult(Z, 2).\n",
                                       NULL);
    const struct mangle_proof *p = explain(&run, "r(8)", 0);
    assert_int_equal(p->kind, MANGLE_PROOF_LET); /* M-PROV-3 */
    assert_int_equal(p->premise_count, 1);       /* M-PROV-27, M-PROV-26 */
    assert_string_equal(p->premises[0]->id, explain(&run, "n(3)", 0)->id);
    assert_string_equal(p->transform, "let Y = fn:mult(Z,2)"); /* M-PROV-7 */
    assert_int_equal(p->binding_count, 0);                     /* M-PROV-5: only for derived */
    expect_tree_holds(&run, "r(8)", "    transform: let Y = fn:mult(Z,2)\n    premises:\n");
    mangle_run_end(&run);
}

static void test_a_fact_that_does_not_hold_has_no_proof(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(road, NULL);
    mangle_pred pred = mangle_pred_find(run.program, "trip", 2);
    mangle_value args[2] = { mangle_name(mangle_overlay_values(run.overlay), "/kiel", 5),
                             mangle_name(mangle_overlay_values(run.overlay), "/ulm", 4) };
    struct mangle_fact fact = { .pred = pred, .count = 2, .args = args, .t = MANGLE_ALWAYS };
    const struct mangle_proof *p;
    assert_int_equal(mangle_overlay_explain(run.overlay, &fact, 0, &p, &run.error),
                     MANGLE_ERR_INPUT); /* M-PROV-23 */
    assert_null(p);
    mangle_run_end(&run);
}

/* ---- goals, alternatives, modes ---------------------------------------------------------------
 */

static size_t prove(struct mangle_run *run, const char *goal, struct mangle_explain_options options,
                    const struct mangle_proof *const **proofs, const char *code)
{
    size_t count;
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        mangle_overlay_prove(run->overlay, goal, strlen(goal), &options, proofs, &count, diags);
    assert_int_equal(st, code ? MANGLE_ERR_PROGRAM : MANGLE_OK);
    assert_int_equal(mangle_diags_count(diags), code ? 1 : 0);
    if (code) {
        assert_string_equal(mangle_diags_get(diags, 0)->code, code);
        assert_null(*proofs);
        assert_int_equal(count, 0);
    }
    mangle_diags_free(diags);
    return count;
}

static void test_only_ground_goals_that_hold_have_proofs(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run(road, NULL);
    const struct mangle_proof *const *proofs;
    struct mangle_explain_options plain = { 0 };
    /* M-PROV-23, M-ANA-100 */
    prove(&run, "trip(/ulm, X)", plain, &proofs, "GOAL_NOT_GROUND");
    prove(&run, "trip(/ulm, _)", plain, &proofs, "GOAL_NOT_GROUND");
    prove(&run, "trip(/kiel, /ulm)", plain, &proofs, "NO_PROOF");
    prove(&run, "unknown(1)", plain, &proofs, "NO_PROOF");
    assert_int_equal(prove(&run, "trip(/ulm, /kiel).", plain, &proofs, NULL), 1);
    assert_string_equal(proofs[0]->id, "/proof/c81bf8ab6f207b41c4883446b94a89f5");
    mangle_run_end(&run);
}

static void test_alternatives_differ_and_have_a_limit(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("e(1, 2). e(2, 3). e(1, 3). e(1, 4). e(4, 3).\n"
                                       "p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), p(Y, Z).\n"
                                       "big(X) :- e(X, Y), Y > 2.\n",
                                       NULL);
    const struct mangle_proof *const *proofs;
    /* M-PROV-22: one is the default, and 0 means it. */
    assert_int_equal(prove(&run, "p(1, 3)", (struct mangle_explain_options){ 0 }, &proofs, NULL),
                     1);
    struct mangle_explain_options many = { .max_proofs = 9 };
    assert_int_equal(prove(&run, "p(1, 3)", many, &proofs, NULL), 3);
    assert_int_equal(proofs[0]->premise_count, 1); /* the edge, then by 2, then by 4 */
    assert_int_equal(
        mangle_int_of(mangle_overlay_values(run.overlay), proofs[1]->premises[0]->fact.args[1]), 2);
    assert_int_equal(
        mangle_int_of(mangle_overlay_values(run.overlay), proofs[2]->premises[0]->fact.args[1]), 4);
    char *text = mangle_proofs_print(run.overlay, proofs, 3, NULL); /* M-PROV-41 */
    assert_int_equal(strncmp(text, "proof 1 of 3:\n  p(1,3)  (", 24), 0);
    assert_non_null(strstr(text, "\n\nproof 2 of 3:\n  p(1,3)  ("));
    mangle_free(text);
    many.max_proofs = 2;
    assert_int_equal(prove(&run, "p(1, 3)", many, &proofs, NULL), 2);
    many.max_proofs = 9;
    assert_int_equal(prove(&run, "big(1)", many, &proofs, NULL), 2); /* Y is 3, or 4 */
    mangle_run_end(&run);
}

/* M-PROV-24: p(2, 2) also follows from p(2, 1) and p(1, 2), but so does either of them. */
static void test_no_alternative_rests_on_the_goal(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("e(1, 2). p(X, Y) :- e(X, Y). p(X, Y) :- p(Y, X).\n", NULL);
    const struct mangle_proof *const *proofs;
    struct mangle_explain_options many = { .max_proofs = 9 };
    assert_int_equal(prove(&run, "p(1, 2)", many, &proofs, NULL), 1);
    assert_int_equal(prove(&run, "p(2, 1)", many, &proofs, NULL), 1);
    mangle_run_end(&run);
}

/* M-PROV-20, M-PROV-21 */
static void test_simple_mode_skips_transforms(void **state)
{
    (void)state;
    struct mangle_run run =
        mangle_run("n(3). m(3). n(4). d(X, Y) :- n(X) |> let Y = fn:mult(X, 2).\n"
                   "c(N) :- n(_) |> do fn:group_by(), let N = fn:count().\n"
                   "u(X) :- d(X, _). u(X) :- m(X). v(X) :- d(X, _).\n",
                   NULL);
    const struct mangle_proof *const *proofs;
    struct mangle_explain_options simple = { .mode = MANGLE_EXPLAIN_SIMPLE }, full = { 0 };
    prove(&run, "d(3, 6)", simple, &proofs, "NO_PROOF");
    prove(&run, "c(2)", simple, &proofs, "NO_PROOF");
    prove(&run, "v(3)", simple, &proofs, "NO_PROOF");
    prove(&run, "u(4)", simple, &proofs, "NO_PROOF");
    assert_int_equal(prove(&run, "d(3, 6)", full, &proofs, NULL), 1);
    assert_int_equal(prove(&run, "v(3)", full, &proofs, NULL), 1);
    assert_int_equal(prove(&run, "u(3)", full, &proofs, NULL), 1);
    size_t by_let = proofs[0]->rule;
    assert_int_equal(prove(&run, "u(3)", simple, &proofs, NULL), 1);
    assert_true(proofs[0]->rule > by_let); /* the next rule */
    assert_int_equal(prove(&run, "n(3)", simple, &proofs, NULL), 1);
    assert_int_equal(proofs[0]->kind, MANGLE_PROOF_GIVEN); /* no record: a stored leaf */
    mangle_run_end(&run);
}

static void test_bindings_are_sorted_and_leave_out_wildcards(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("t(1, 2, 3). r(Z, A) :- t(A, _, Z), Q = fn:plus(A, Z), "
                                       "Q = 4, A != Z.\n",
                                       NULL);
    const struct mangle_proof *p = explain(&run, "r(3, 1)", 0);
    assert_int_equal(p->kind, MANGLE_PROOF_DERIVED);
    assert_int_equal(p->binding_count, 3); /* M-PROV-5 */
    assert_string_equal(p->bindings[0].name, "A");
    assert_string_equal(p->bindings[1].name, "Q");
    assert_string_equal(p->bindings[2].name, "Z");
    assert_int_equal(p->premise_count, 1); /* M-PROV-6 */
    expect_tree_holds(&run, "r(3, 1)", "    with A=1, Q=4, Z=3\n");
    assert_string_equal(p->id, explain(&run, "r(3, 1)", 0)->id); /* M-PROV-12 */
    mangle_run_end(&run);
}

/* M-PROV-27: a program fact of a predicate that also has rules is a leaf, in both modes. */
static void test_facts_of_derived_predicates_are_leaves(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("a(1). b(1). b(2). b(X) :- a(X).\n", NULL);
    const struct mangle_proof *const *proofs;
    struct mangle_explain_options simple = { .mode = MANGLE_EXPLAIN_SIMPLE };
    assert_int_equal(explain(&run, "b(1)", 0)->kind, MANGLE_PROOF_GIVEN);
    prove(&run, "b(2)", simple, &proofs, NULL);
    assert_int_equal(proofs[0]->kind, MANGLE_PROOF_GIVEN);
    mangle_run_end(&run);
}

static void test_absence_is_that_of_the_final_store(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("n(1). n(2). m(2). odd(X) :- m(X). f(X) :- n(X), "
                                       "!odd(X).\n",
                                       NULL);
    const struct mangle_proof *p = explain(&run, "f(1)", 0);
    assert_int_equal(p->premises[1]->kind, MANGLE_PROOF_ABSENT); /* M-PROV-25 */
    mangle_pred odd = mangle_pred_find(run.program, "odd", 1);
    assert_int_equal(p->premises[1]->fact.pred, odd); /* M-PROV-2 */
    assert_false(mangle_overlay_holds(run.overlay, odd, p->premises[1]->fact.args));
    expect_tree_holds(&run, "f(1)", "[absent: !odd(1)]\n");
    mangle_run_end(&run);
}

/* M-PROV-28: one rule makes a part of a merged interval only, and the proof says so */
static void test_a_part_of_a_merged_interval_is_partial(void **state)
{
    (void)state;
    static const char text[] = "Decl up(X) temporal. Decl a(X) temporal. Decl b(X) temporal.\n"
                               "a(/x)@[2024-01-01, 2024-01-05]. b(/x)@[2024-01-04, 2024-01-09].\n"
                               "a(/y)@[2024-01-01, 2024-01-05].\n"
                               "up(X)@[S, E] :- a(X)@[S, E]. up(X)@[S, E] :- b(X)@[S, E].\n";
    struct mangle_run run = mangle_run(text, NULL);
    const struct mangle_fact *facts;
    size_t count;
    assert_int_equal(run.status, MANGLE_OK);
    assert_int_equal(
        mangle_overlay_facts(run.overlay, mangle_pred_find(run.program, "up", 1), &facts, &count),
        MANGLE_OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        const struct mangle_proof *p;
        assert_int_equal(mangle_overlay_explain(run.overlay, &facts[i], 0, &p, NULL), MANGLE_OK);
        assert_int_equal(p->kind, MANGLE_PROOF_DERIVED);
        assert_int_equal(p->partial, i == 0);
    }
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_those_of_the_reference),
        cmocka_unit_test(test_tree_is_that_of_the_acceptance_set),
        cmocka_unit_test(test_request_facts_are_told_from_base_facts),
        cmocka_unit_test(test_cycles_are_explained_from_the_ground),
        cmocka_unit_test(test_aggregates_rest_on_the_facts_of_their_group),
        cmocka_unit_test(test_a_node_is_printed_once),
        cmocka_unit_test(test_depth_limit_makes_a_partial_proof),
        cmocka_unit_test(test_temporal_premises_carry_their_interval),
        cmocka_unit_test(test_recursion_through_time_is_explained_with_its_intervals),
        cmocka_unit_test(test_built_ins_and_lets_have_no_part_in_premises),
        cmocka_unit_test(test_a_fact_that_does_not_hold_has_no_proof),
        cmocka_unit_test(test_only_ground_goals_that_hold_have_proofs),
        cmocka_unit_test(test_alternatives_differ_and_have_a_limit),
        cmocka_unit_test(test_no_alternative_rests_on_the_goal),
        cmocka_unit_test(test_simple_mode_skips_transforms),
        cmocka_unit_test(test_bindings_are_sorted_and_leave_out_wildcards),
        cmocka_unit_test(test_facts_of_derived_predicates_are_leaves),
        cmocka_unit_test(test_absence_is_that_of_the_final_store),
        cmocka_unit_test(test_a_part_of_a_merged_interval_is_partial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
