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
    assert_string_equal(p->id, "/proof/c81bf8ab6f207b41c4883446b94a89f5");
    assert_string_equal(p->rule_id, "/rule/c55a6c57f1d77f5e9ea7657f7daf6a28");
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
    assert_int_equal(p->premise_count, 1); /* M-PROV-27 */
    assert_int_equal(p->binding_count, 3);
    assert_string_equal(p->bindings[0].name, "X");
    assert_string_equal(p->bindings[2].name, "Z"); /* M-PROV-5: sorted */
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
