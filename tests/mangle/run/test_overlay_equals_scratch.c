/* What an overlay derives above a base must equal what evaluating everything together derives, to
 * the byte. Random small programs (recursion, negation, aggregation, windows, interval variables)
 * and random facts, split between base and request in random ways. Heads wait in queues of one, two
 * and more: what is derived together must not show. And once more where some predicates alone are
 * outputs: what the others have is then derived on demand (plan/demand.h). What is evaluated
 * together takes no aggregate in one pass and runs each operation of the innermost loop by itself,
 * so that what is fused is judged by the long way. What is a base below a request is closed in
 * parts (run/eval_parts.c), of which the last are run first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/run/base.h"
#include "support/base_dump.h"
#include "support/mangle_gen.h"
#include "support/mangle_run.h"
#include "support/rounds.h"

#define CASES test_rounds(2500)

/* How many heads wait, by the number of the case; what is evaluated together has them all wait. */
static uint32_t queue_of(const struct gen *g, bool split)
{
    static const uint32_t sizes[] = { 1, 2, 3, 17, QUEUE_HEADS };
    return split ? sizes[mgi_buf_view(&g->program).len % 5] : QUEUE_HEADS;
}

/* Where there are lists, nothing is walked. */
static enum lists_use lists_of(const struct gen *g, bool split)
{
    if (!split)
        return LISTS_AUTO;
    return mgi_buf_view(&g->program).len % 2 ? LISTS_ALWAYS : LISTS_NEVER;
}

/* Of frozen indexes every other program has hashed ones alone. */
static void force_base_forms(mangle_base *base, const struct gen *g, bool split)
{
    base->eval.divide_from = 1;
    base->eval.part_heads = queue_of(g, split);
    base->eval.later_always = split;
    for (size_t i = 0; split && i < mangle_program_pred_count(base->program); i++) {
        base->rels[i].bits_always = true;
        base->rels[i].hashed_always = mgi_buf_view(&g->program).len % 2;
    }
}

/* How many rows a tier has, or none: depth first. */
static uint32_t broad_of(const struct gen *g)
{
    static const uint32_t sizes[] = { BROAD_ROWS, 1, 2, 0, 3, 17 };
    return sizes[mgi_buf_view(&g->program).len % 6];
}

static void force_forms(mangle_overlay *overlay, const struct gen *g, bool split)
{
    overlay->eval.queue.most = queue_of(g, split);
    overlay->eval.meet_always = split;
    overlay->eval.fetch_always = split;
    overlay->eval.broad_rows = broad_of(g);
    overlay->eval.lists = lists_of(g, split);
    overlay->eval.zones_always = split;
    overlay->eval.demand = DEMAND_ALWAYS;
    overlay->eval.fold_never = overlay->eval.fuse_never = !split;
}

/* About a third of the predicates, others in each program. */
static bool is_output(void *context, const mangle_program *program, mangle_pred pred)
{
    const struct gen *g = context;
    (void)program;
    return (pred * 7 + mgi_buf_view(&g->program).len) % 3 == 0;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static struct mangle_run prepare(const struct gen *g, bool split, bool demand, bool *bad)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    if (split) {
        options.changeable = mangle_gen_assertable;
        options.changeable_context = (void *)(uintptr_t)g;
    }
    if (demand) {
        options.outputs = is_output;
        options.outputs_context = (void *)(uintptr_t)g;
    }
    struct str text = mgi_buf_view(&g->program);
    struct mangle_source source = { "p.mg", text.ptr, text.len };
    *bad = mangle_compile(&source, 1, &options, &run.program, NULL) != MANGLE_OK;
    if (*bad)
        return run;
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.base->eval.queue.most = queue_of(g, split);
    run.base->eval.meet_always = split;
    run.base->eval.lists = lists_of(g, split);
    force_base_forms(run.base, g, split);
    run.base->plan_always = split;
    run.base->eval.zones_always = split;
    run.base->eval.fold_never = run.base->eval.fuse_never = !split;
    for (int i = 0; i < (split ? 1 : 2); i++) {
        struct str facts = mgi_buf_view(&g->facts[i]);
        struct mangle_source fs = { "f.mg", facts.ptr, facts.len };
        assert_int_equal(mangle_base_add_text(run.base, &fs, NULL), MANGLE_OK);
    }
    static const struct mangle_workers workers = { 3, run_backwards, NULL };
    struct mangle_limits limits = { .workers = split ? &workers : NULL };
    run.status = mangle_base_close(run.base, &limits, NULL, &run.error);
    if (!run.status)
        run.status = mangle_overlay_new(run.base, &run.overlay);
    return run;
}

static enum mangle_status run_overlay(struct mangle_run *run, const struct gen *g, bool split)
{
    if (!run->status && split)
        assert_int_equal(mangle_run_give(run, run->overlay, mgi_buf_view(&g->facts[1]).ptr),
                         MANGLE_OK);
    if (!run->status)
        force_forms(run->overlay, g, split);
    if (!run->status)
        run->status = mangle_overlay_eval(run->overlay, RUN_NOW, NULL, &run->stats, &run->error);
    if (run->status)
        snprintf(run->code, sizeof run->code, "%s", mangle_status_text(run->status));
    return run->status;
}

static char *finish(struct mangle_run *run, const struct gen *g, bool split)
{
    run_overlay(run, g, split);
    return mangle_run_text(run);
}

/* Outputs first, which must not have the rest derived. */
static char *finish_outputs(struct mangle_run *run, const struct gen *g, bool split)
{
    struct buf text;
    mgi_buf_init(&text);
    if (run_overlay(run, g, split))
        return mangle_run_text(run);
    bool demanding = run->overlay->eval.demanding;
    for (mangle_pred p = 0; p < mangle_program_pred_count(run->program); p++) {
        const struct mangle_fact *facts;
        size_t count;
        if (!is_output((void *)(uintptr_t)g, run->program, p))
            continue;
        assert_int_equal(mangle_overlay_facts(run->overlay, p, &facts, &count), MANGLE_OK);
        for (size_t i = 0; i < count; i++) {
            char *line = mangle_fact_print(run->program, mangle_overlay_values(run->overlay),
                                           &facts[i], MANGLE_FILE, NULL);
            mgi_buf_printf(&text, "%s\n", line);
            mangle_free(line);
        }
    }
    assert_int_equal(run->overlay->eval.demanding, demanding);
    char *rest = mangle_run_text(run);
    mgi_buf_puts(&text, rest);
    mangle_free(rest);
    return mgi_buf_take(&text, NULL);
}

static bool differs(const struct gen *g, uint32_t number, const char *what, const char *a,
                    const char *b)
{
    if (strcmp(a, b) == 0)
        return false;
    print_error("case %u: %s\n%s--- base\n%s--- request\n%s--- together\n%s--- above a base\n%s\n",
                number, what, mgi_buf_view(&g->program).ptr, mgi_buf_view(&g->facts[0]).ptr,
                mgi_buf_view(&g->facts[1]).ptr, a, b);
    return true;
}

static bool check(const struct gen *g, uint32_t number, bool *refused)
{
    bool bad, failed = false;
    struct mangle_run together = prepare(g, false, false, refused);
    if (*refused) {
        mangle_run_end(&together);
        return true;
    }
    struct mangle_run split = prepare(g, true, false, &bad);
    assert_false(bad);
    char *a = finish(&together, g, false), *b = finish(&split, g, true);
    failed = differs(g, number, "an overlay differs", a, b);
    if (!failed && !split.status) { /* and once more, after a reset */
        mangle_overlay_reset(split.overlay);
        char *c = finish(&split, g, true);
        failed = differs(g, number, "a second request differs", a, c);
        mangle_free(c);
    }
    mangle_free(a);
    mangle_free(b);
    mangle_run_end(&together);
    mangle_run_end(&split);
    return !failed;
}

/* Twice, so that nothing is left of the first time. */
static bool check_demand(const struct gen *g, uint32_t number, uint32_t *demanding)
{
    bool bad, failed;
    struct mangle_run together = prepare(g, false, false, &bad);
    struct mangle_run split = prepare(g, true, true, &bad);
    if (bad) {
        mangle_run_end(&together);
        mangle_run_end(&split);
        return true;
    }
    *demanding += split.program->plan->demand != NULL;
    char *a = finish_outputs(&together, g, false), *b = finish_outputs(&split, g, true);
    failed = differs(g, number, "an overlay on demand differs", a, b);
    if (!failed && !split.status) {
        mangle_overlay_reset(split.overlay);
        char *c = finish_outputs(&split, g, true);
        failed = differs(g, number, "a second request on demand differs", a, c);
        mangle_free(c);
    }
    mangle_free(a);
    mangle_free(b);
    mangle_run_end(&together);
    mangle_run_end(&split);
    return !failed;
}

static void test_overlay_equals_evaluating_everything_together(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    uint32_t failures = 0, refused = 0, demanding = 0;
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES && failures < 3; i++) {
        struct gen g;
        bool was_refused;
        mangle_gen(&g, i);
        failures += !check(&g, i, &was_refused);
        refused += was_refused;
        if (!was_refused)
            failures += !check_demand(&g, i, &demanding);
        mangle_gen_end(&g);
        if (only)
            break;
    }
    print_message("# %u programs on demand\n", demanding);
    assert_int_equal(failures, 0);
    assert_true(refused < CASES / 4); /* or the test tests little */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlay_equals_evaluating_everything_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
