/* A closed base is shared by overlays on several threads without locks, and every one of them gets
 * what it would get alone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support/mangle_run.h"

#define THREADS  4
#define REQUESTS 300

static const char program_text[] =
    "Decl edge(X, Y). Decl seen(X). Decl log(X) temporal.\n"
    "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n"
    "reach(Y) :- seen(X), path(X, Y). left(X) :- path(_, X), !reach(X).\n"
    "n(N) :- left(X) |> do fn:group_by(), let N = fn:count().\n"
    "hot(X) :- <-[5m] log(X).\n";

struct job {
    mangle_base *base;
    int64_t sum; /* of all answers */
    bool failed;
};

static int64_t answer(mangle_overlay *o, const mangle_program *p)
{
    const struct mangle_fact *facts;
    size_t count;
    if (mangle_overlay_facts(o, mangle_pred_find(p, "n", 1), &facts, &count) || count > 1)
        return -1;
    if (count == 0) /* M-AGG-8 */
        return 0;
    return mangle_int_of(mangle_overlay_values(o), facts[0].args[0]);
}

static bool one_request(struct job *job, mangle_overlay *o, uint32_t i)
{
    const mangle_program *p = mangle_base_program(job->base);
    char text[32];
    int len = snprintf(text, sizeof text, "/c%u", i % 40);
    mangle_value v = mangle_name(mangle_overlay_values(o), text, (size_t)len);
    struct mangle_interval t = { RUN_NOW - (int64_t)i, RUN_NOW };
    if (mangle_overlay_add(o, mangle_pred_find(p, "seen", 1), &v, 1, NULL, NULL) ||
        mangle_overlay_add(o, mangle_pred_find(p, "log", 1), &v, 1, &t, NULL) ||
        mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL))
        return false;
    int64_t n = answer(o, p);
    job->sum += n * (int64_t)(i + 1);
    mangle_overlay_reset(o);
    return n == (int64_t)(i % 40); /* all but those behind /c<i> */
}

static void *work(void *context)
{
    struct job *job = context;
    mangle_overlay *o;
    job->failed = mangle_overlay_new(job->base, &o) != MANGLE_OK;
    for (uint32_t i = 0; i < REQUESTS && !job->failed; i++)
        job->failed = !one_request(job, o, i);
    mangle_overlay_free(o);
    return NULL;
}

static void test_overlays_share_a_base_between_threads(void **state)
{
    (void)state;
    struct mangle_source source = { "p.mg", program_text, sizeof program_text - 1 };
    mangle_program *p;
    mangle_base *base;
    assert_int_equal(mangle_compile(&source, 1, NULL, &p, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(p, &base), MANGLE_OK);
    mangle_program_unref(p);
    for (int i = 0; i < 40; i++) { /* a chain /c0 … /c40 */
        char a[16], b[16];
        mangle_values *v = mangle_base_values(base);
        int la = snprintf(a, sizeof a, "/c%d", i), lb = snprintf(b, sizeof b, "/c%d", i + 1);
        mangle_value args[2] = { mangle_name(v, a, (size_t)la), mangle_name(v, b, (size_t)lb) };
        assert_int_equal(mangle_base_add(base, mangle_pred_find(p, "edge", 2), args, 2, NULL, NULL),
                         MANGLE_OK);
    }
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){ base, 0, false };
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(jobs[i].failed);
        assert_int_equal(jobs[i].sum, jobs[0].sum);
    }
    mangle_base_unref(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlays_share_a_base_between_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
