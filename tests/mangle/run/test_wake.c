/* A request pays for the strata that its facts reach, and for no others: the rest sleeps, and
 * nothing shows it. That results are those of evaluating all of it, test_overlay_equals_scratch.c
 * says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"

static const char rules[] = "Decl one(X). Decl two(X). Decl no(X). Decl given(X). given(1).\n"
                            "near(X) :- one(X).\n"
                            "far(X) :- near(X).\n"
                            "alone(X) :- two(X), !no(X).\n"
                            "stays(X) :- given(X), !no(X).\n"
                            "most(N) :- two(X) |> do fn:group_by(), let N = fn:count().\n";

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    const char *name = mangle_program_pred(program, pred).name;
    return strcmp(name, "one") == 0 || strcmp(name, "two") == 0 || strcmp(name, "no") == 0;
}

static void begin(struct mangle_run *run)
{
    struct mangle_compile_options options = { .changeable = is_open };
    struct mangle_source source = { "p.mg", rules, strlen(rules) };
    *run = (struct mangle_run){ 0 };
    assert_int_equal(mangle_compile(&source, 1, &options, &run->program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run->program, &run->base), MANGLE_OK);
    assert_int_equal(mangle_base_close(run->base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run->base, &run->overlay), MANGLE_OK);
}

static void eval(struct mangle_run *run, const char *facts)
{
    mangle_overlay_reset(run->overlay);
    assert_int_equal(mangle_run_give(run, run->overlay, facts), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(run->overlay, RUN_NOW, NULL, &run->stats, &run->error),
                     MANGLE_OK);
}

/* How many facts of the predicate there are; its stratum slept, or not. */
static void expect(const struct mangle_run *run, const char *name, size_t count, bool sleeps)
{
    const struct mangle_fact *facts;
    size_t found;
    mangle_pred pred = mangle_pred_find(run->program, name, 1);
    assert_int_equal(mangle_overlay_facts(run->overlay, pred, &facts, &found), MANGLE_OK);
    assert_int_equal(found, count);
    if (mgi_is_awake(&run->overlay->eval, run->program->preds[pred].stratum) == sleeps)
        fail_msg("%s %s", name, sleeps ? "is awake" : "sleeps");
}

static void test_what_no_fact_reaches_sleeps(void **state)
{
    (void)state;
    struct mangle_run run;
    begin(&run);
    eval(&run, "one(1).");
    expect(&run, "far", 1, false); /* through what was derived */
    expect(&run, "alone", 0, true);
    expect(&run, "stays", 1, false); /* the base has what it begins with */
    expect(&run, "most", 0, false);  /* what is counted may be nothing */
    int64_t rounds = run.stats.rounds;
    eval(&run, "two(1). two(2). no(2).");
    expect(&run, "near", 0, true);
    expect(&run, "far", 0, true);
    expect(&run, "alone", 1, false);
    expect(&run, "most", 1, false);
    assert_int_equal(run.stats.rounds, rounds - 1); /* one stratum fewer had news */
    mangle_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_no_fact_reaches_sleeps),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
