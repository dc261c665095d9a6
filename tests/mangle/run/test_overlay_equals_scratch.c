/* What an overlay derives above a base must equal what evaluating everything together derives, to
 * the byte. Random small programs (recursion, negation, aggregation, windows, interval variables)
 * and random facts, split between base and request in random ways. Heads wait in queues of one, two
 * and more: what is derived together must not show. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/run/base.h"
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

static void force_base_forms(mangle_base *base, bool split)
{
    base->eval.later_always = split;
    for (size_t i = 0; split && i < mangle_program_pred_count(base->program); i++)
        base->rels[i].bits_always = true;
}

static void force_forms(mangle_overlay *overlay, const struct gen *g, bool split)
{
    overlay->eval.queue.most = queue_of(g, split);
    overlay->eval.meet_always = split;
    overlay->eval.zones_always = split;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static struct mangle_run prepare(const struct gen *g, bool split, bool *bad)
{
    struct mangle_run run = { 0 };
    struct mangle_compile_options options = { .changeable = run_changes_nothing };
    if (split) {
        options.changeable = mangle_gen_assertable;
        options.changeable_context = (void *)(uintptr_t)g;
    }
    struct str text = mgi_buf_view(&g->program);
    struct mangle_source source = { "p.mg", text.ptr, text.len };
    *bad = mangle_compile(&source, 1, &options, &run.program, NULL) != MANGLE_OK;
    if (*bad)
        return run;
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.base->eval.queue.most = queue_of(g, split);
    run.base->eval.meet_always = split;
    force_base_forms(run.base, split);
    run.base->plan_always = split;
    run.base->eval.zones_always = split;
    for (int i = 0; i < (split ? 1 : 2); i++) {
        struct str facts = mgi_buf_view(&g->facts[i]);
        struct mangle_source fs = { "f.mg", facts.ptr, facts.len };
        assert_int_equal(mangle_base_add_text(run.base, &fs, NULL), MANGLE_OK);
    }
    run.status = mangle_base_close(run.base, NULL, NULL, &run.error);
    if (!run.status)
        run.status = mangle_overlay_new(run.base, &run.overlay);
    return run;
}

static char *finish(struct mangle_run *run, const struct gen *g, bool split)
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
    return mangle_run_text(run);
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
    struct mangle_run together = prepare(g, false, refused);
    if (*refused) {
        mangle_run_end(&together);
        return true;
    }
    struct mangle_run split = prepare(g, true, &bad);
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

static void test_overlay_equals_evaluating_everything_together(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    uint32_t failures = 0, refused = 0;
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES && failures < 3; i++) {
        struct gen g;
        bool was_refused;
        mangle_gen(&g, i);
        failures += !check(&g, i, &was_refused);
        refused += was_refused;
        mangle_gen_end(&g);
        if (only)
            break;
    }
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
