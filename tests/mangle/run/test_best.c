/* Merged relations that keep the least or the greatest value without asking the rules for each fact
 * (mangle/run/best.c): on graphs that are large enough for many facts to wait, with lengths below
 * zero, above a base; what is derived, who looks at the clock, and when the rules are asked all the
 * same. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"

#define NODES 300
#define ROADS 1200
#define FAR   INT64_C(1000000000)

static uint64_t state_of_dice;

static uint32_t roll(uint32_t sides)
{
    state_of_dice ^= state_of_dice << 13;
    state_of_dice ^= state_of_dice >> 7;
    state_of_dice ^= state_of_dice << 17;
    return (uint32_t)((state_of_dice * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

/* ---- a graph ----------------------------------------------------------------------------------
 */

struct roads {
    uint32_t from[ROADS], to[ROADS];
    int64_t length[ROADS];
    int64_t far[NODES]; /* from node 0 */
};

/* Lengths below zero where one goes downhill, but never around a circle. */
static void draw_roads(struct roads *g, uint64_t seed, int64_t unit, bool hills)
{
    int64_t height[NODES];
    state_of_dice = seed * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < NODES; i++) {
        height[i] = hills ? roll(60) : 0;
        g->far[i] = FAR * unit;
    }
    for (uint32_t i = 0; i < ROADS; i++) {
        g->from[i] = roll(NODES);
        g->to[i] = roll(NODES);
        g->length[i] = (1 + roll(40) + height[g->to[i]] - height[g->from[i]]) * unit;
    }
    g->far[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < ROADS; i++) {
            int64_t far = g->far[g->from[i]] + g->length[i];
            if (g->far[g->from[i]] == FAR * unit || far >= g->far[g->to[i]])
                continue;
            g->far[g->to[i]] = far;
            changed = true;
        }
    }
}

static const char upwards[] = "most(A, B, A) :- A >= B. most(A, B, B) :- B > A.\n"
                              "Decl most(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
                              "Decl way(X, C) descr [fundep([X], [C]), merge([C], \"most\")].\n"
                              "Decl road(X, Y, C). way(0, 0).\n"
                              "way(Y, D) :- way(X, C), road(X, Y, L), D = fn:minus(C, L).\n";
static const char downwards[] = "least(A, B, A) :- A <= B. least(A, B, B) :- B < A.\n"
                                "Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
                                "Decl way(X, C) descr [fundep([X], [C]), merge([C], \"least\")].\n"
                                "Decl road(X, Y, C). way(0, 0).\n"
                                "way(Y, D) :- way(X, C), road(X, Y, L), D = fn:plus(C, L).\n";

static bool changes_roads(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "road") == 0;
}

static void put_road(struct mangle_run *run, const struct roads *g, uint32_t i, bool base)
{
    mangle_values *v = base ? mangle_base_values(run->base) : mangle_overlay_values(run->overlay);
    mangle_pred pred = mangle_pred_find(run->program, "road", 3);
    mangle_value args[3] = { mangle_number(v, g->from[i]), mangle_number(v, g->to[i]),
                             mangle_number(v, g->length[i]) };
    enum mangle_status st = base ? mangle_base_add(run->base, pred, args, 3, NULL, NULL)
                                 : mangle_overlay_add(run->overlay, pred, args, 3, NULL, NULL);
    assert_int_equal(st, MANGLE_OK);
}

static void compile_roads(struct mangle_run *run, const char *text)
{
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct mangle_compile_options options = { .changeable = changes_roads };
    *run = (struct mangle_run){ 0 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run->program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run->program, &run->base), MANGLE_OK);
}

/* The first `split` roads are the base's. *derived: facts by rules, of both. */
static struct mangle_run evaluate_roads(const struct roads *g, const char *text, uint32_t split,
                                        bool by_rules, int64_t *derived)
{
    struct mangle_run run;
    struct mangle_stats stats;
    compile_roads(&run, text);
    run.base->eval.merge_by_rules = by_rules;
    for (uint32_t i = 0; i < split; i++)
        put_road(&run, g, i, true);
    assert_int_equal(mangle_base_close(run.base, NULL, &stats, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    for (uint32_t i = split; i < ROADS; i++)
        put_road(&run, g, i, false);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, &run.stats, NULL), MANGLE_OK);
    *derived = stats.facts_derived + run.stats.facts_derived;
    return run;
}

static uint32_t judge(struct mangle_run *run, const struct roads *g, int64_t sign, int64_t unit)
{
    const struct mangle_fact *facts;
    size_t count;
    uint32_t reached = 0;
    mangle_pred pred = mangle_pred_find(run->program, "way", 2);
    for (uint32_t i = 0; i < NODES; i++)
        reached += g->far[i] < FAR * unit;
    assert_int_equal(mangle_overlay_facts(run->overlay, pred, &facts, &count), MANGLE_OK);
    assert_int_equal(count, reached);
    for (size_t i = 0; i < count; i++) {
        const mangle_values *v = mangle_overlay_values(run->overlay);
        int64_t node = mangle_int_of(v, facts[i].args[0]);
        assert_int_equal(mangle_int_of(v, facts[i].args[1]), sign * g->far[node]);
    }
    return reached;
}

/* M-EVAL-41, M-EVAL-42, M-EVAL-43 */
static void test_the_best_of_many_that_wait_is_found(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 24; seed++) {
        static struct roads g;
        int64_t derived, unit = seed % 6 == 5 ? INT64_C(1) << 29 : 1; /* beyond small integers */
        bool up = seed % 2, by_rules = seed % 8 == 7;
        draw_roads(&g, seed, unit, seed % 3 == 0);
        uint32_t split = seed % 4 == 0 ? ROADS : roll(ROADS + 1);
        struct mangle_run run =
            evaluate_roads(&g, up ? upwards : downwards, split, by_rules, &derived);
        assert_int_equal(run.overlay->rels[mangle_pred_find(run.program, "way", 2)].lattice->best ==
                             NULL,
                         by_rules);
        judge(&run, &g, up ? -1 : 1, unit);
        mangle_overlay_reset(run.overlay);
        for (uint32_t i = split; i < ROADS; i++)
            put_road(&run, &g, i, false);
        assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
        judge(&run, &g, up ? -1 : 1, unit);
        mangle_run_end(&run);
    }
}

static void test_what_is_released_is_rarely_improved_on(void **state)
{
    (void)state;
    static struct roads g;
    int64_t derived, by_rules;
    draw_roads(&g, 5, 1, false);
    struct mangle_run run = evaluate_roads(&g, downwards, ROADS, false, &derived);
    uint32_t reached = judge(&run, &g, 1, 1);
    mangle_run_end(&run);
    run = evaluate_roads(&g, downwards, ROADS, true, &by_rules);
    mangle_run_end(&run);
    print_message("# %u reached, %d derived, by rules %d\n", reached, (int)derived, (int)by_rules);
    assert_true(derived < reached + reached / 4);
    assert_true(by_rules > derived + derived / 4);
}

/* ---- when rules are asked all the same --------------------------------------------------------
 */

static void test_values_that_are_no_numbers_are_the_error_of_the_rules(void **state)
{
    (void)state;
    static const char *const more[] = { "road(0, 1, 5). way(1, \"far\").\n", /* given */
                                        "way(X, \"far\") :- road(X, _, _). road(0, 1, 5).\n" };
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", downwards, more[i]);
        struct mangle_run run = mangle_run(text, NULL);
        assert_int_equal(run.status, MANGLE_ERR_EVAL);
        assert_non_null(strstr(run.error.message, ":le: "));
        mangle_run_end(&run);
    }
}

static void test_answers_that_were_given_count(void **state)
{
    (void)state;
    struct mangle_run run;
    compile_roads(&run, downwards);
    static const char text[] = "way(1, 7). way(1, 5). least(7, 5, 3). least(5, 7, 3).\n";
    struct mangle_source facts = { "f.mg", text, sizeof text - 1 };
    assert_int_equal(mangle_base_add_text(run.base, &facts, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    char *got = mangle_run_query(&run, "way(1, C)");
    assert_string_equal(got, "way(1,3).\n");
    mangle_free(got);
    mangle_run_end(&run);
}

/* ---- limits -----------------------------------------------------------------------------------
 */

struct looking {
    int count, cancel_at;
};

static int64_t look(void *context)
{
    struct looking *l = context;
    l->count++;
    return 0;
}

static bool is_over(void *context)
{
    const struct looking *l = context;
    return l->count >= l->cancel_at;
}

/* A node with many roads, whose ends all wait in the first round. */
static enum mangle_status close_star(uint32_t spokes, struct looking *looking)
{
    struct mangle_run run;
    compile_roads(&run, downwards);
    mangle_values *v = mangle_base_values(run.base);
    mangle_pred pred = mangle_pred_find(run.program, "road", 3);
    for (uint32_t i = 0; i < spokes; i++) {
        mangle_value args[3] = { mangle_number(v, 0), mangle_number(v, 1 + i),
                                 mangle_number(v, 1 + i) };
        assert_int_equal(mangle_base_add(run.base, pred, args, 3, NULL, NULL), MANGLE_OK);
    }
    struct mangle_limits limits = { .max_facts = -1, .timeout_ns = INT64_MAX };
    limits.clock = look;
    limits.cancelled = is_over;
    limits.clock_context = limits.cancel_context = looking;
    enum mangle_status st = mangle_base_close(run.base, &limits, NULL, NULL);
    mangle_run_end(&run);
    return st;
}

/* M-LIM-11 */
static void test_choosing_and_releasing_look_at_clock_and_flag(void **state)
{
    (void)state;
    enum { SPOKES = 100000 };
    struct looking all = { .cancel_at = INT32_MAX };
    assert_int_equal(close_star(SPOKES, &all), MANGLE_OK);
    /* a scan and a call a road, and release; choosing twice, of fewer and fewer */
    assert_true(all.count >= SPOKES / STEPS_PER_CHECK * 8);
    for (int at = 1; at < all.count; at = at * 2 + 1) {
        struct looking some = { .cancel_at = at };
        assert_int_equal(close_star(SPOKES, &some), MANGLE_ERR_CANCELLED);
        assert_int_equal(some.count, at);
    }
}

/* M-LIM-12 */
static void test_what_waits_is_memory(void **state)
{
    (void)state;
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = 100000 };
    struct mangle_run run;
    compile_roads(&run, downwards);
    mangle_values *v = mangle_base_values(run.base);
    mangle_pred pred = mangle_pred_find(run.program, "road", 3);
    for (uint32_t i = 0; i < 4000; i++) {
        mangle_value args[3] = { mangle_number(v, 0), mangle_number(v, i), mangle_number(v, i) };
        assert_int_equal(mangle_base_add(run.base, pred, args, 3, NULL, NULL), MANGLE_OK);
    }
    limits.max_bytes += (int64_t)run.base->eval.bytes + (int64_t)mgi_values_bytes(v);
    struct mangle_error err = { 0 };
    assert_int_equal(mangle_base_close(run.base, &limits, NULL, &err), MANGLE_ERR_LIMIT);
    assert_int_equal(err.limit.kind, MANGLE_LIMIT_MEMORY);
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_best_of_many_that_wait_is_found),
        cmocka_unit_test(test_what_is_released_is_rarely_improved_on),
        cmocka_unit_test(test_values_that_are_no_numbers_are_the_error_of_the_rules),
        cmocka_unit_test(test_answers_that_were_given_count),
        cmocka_unit_test(test_choosing_and_releasing_look_at_clock_and_flag),
        cmocka_unit_test(test_what_waits_is_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
