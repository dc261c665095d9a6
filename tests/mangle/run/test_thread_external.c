/* Overlays above one base on several threads, each with a host of its own: callbacks, calls of
 * deferred predicates, merged values, proofs. Every one of them gets what it would get alone. */
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
#define REQUESTS 60

static const char program_text[] =
    "Decl db(K, V) descr [external(), mode('+', '-')].\n"
    "Decl fixed(K, V) descr [external(), mode('+', '-')].\n"
    "Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
    "least(A, B, A) :- A <= B. least(A, B, B) :- B < A.\n"
    "Decl down(N, M) descr [mode('+', '-'), deferred()].\n"
    "down(0, 0). down(N, M) :- N > 0, P = fn:minus(N, 1), down(P, M).\n"
    "Decl best(K, V) descr [fundep([K], [V]), merge([V], \"least\")].\n"
    "key(1). key(2). best(1, 500). best(1, 700). best(2, 5000).\n"
    "best(K, V) :- key(K), db(K, V).\n"
    "row(K, V) :- key(K), db(K, V).\n"
    "twice(K, V) :- key(K), fixed(K, W), V = fn:mult(W, 2).\n"
    "end(M) :- db(1, V), N = fn:minus(V, 1000), down(N, M).\n"
    "never(K) :- key(K), db(K, V), V > 100000, down(3, _), !fixed(K, _).\n";

/* The key's number, and what the request brings, if there is one. */
static bool answer(struct mangle_query *q)
{
    for (size_t i = 0; i < q->count; i++) {
        mangle_value v = q->host ? *(mangle_value *)q->host : q->requests[i].inputs[0];
        if (!mangle_query_emit(q, i, &v))
            break;
    }
    return true;
}

static char *facts_of(mangle_overlay *o, const mangle_program *p)
{
    static const char *const names[] = { "best", "row", "twice", "end" };
    struct buf out = { 0 };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct mangle_fact *facts;
        size_t count, len;
        mangle_pred pred = mangle_pred_find(p, names[n], n == 3 ? 1 : 2);
        if (mangle_overlay_facts(o, pred, &facts, &count))
            break;
        for (size_t i = 0; i < count; i++) {
            const struct mangle_proof *proof;
            int64_t until;
            if (mangle_overlay_explain(o, &facts[i], 0, &proof, NULL) ||
                mangle_overlay_valid_until(o, &facts[i], NULL, &until))
                break;
            char *text = mangle_proof_print(o, proof, &len);
            mgi_buf_puts(&out, text ? text : "no memory");
            mangle_free(text);
        }
    }
    return mgi_buf_take(&out, NULL);
}

/* What one request comes to; NULL if anything fails. */
static char *request(mangle_base *base, mangle_overlay *o, int i)
{
    const mangle_program *p = mangle_base_program(base);
    const struct mangle_why_not *why;
    mangle_value host = mangle_number(mangle_overlay_values(o), 1000 + i);
    mangle_overlay_set_host(o, &host);
    if (mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL) ||
        mangle_overlay_why_not(o, "never(1)", 8, &why, NULL) || why->rule_count != 1)
        return NULL;
    char *text = facts_of(o, p);
    mangle_overlay_reset(o);
    return text;
}

struct job {
    mangle_base *base;
    char *const *expected;
    bool failed;
};

static void *work(void *context)
{
    struct job *job = context;
    mangle_overlay *o;
    job->failed = mangle_overlay_new(job->base, &o) != MANGLE_OK;
    for (int i = 0; i < REQUESTS && !job->failed; i++) {
        char *text = request(job->base, o, i);
        job->failed = !text || strcmp(text, job->expected[i]) != 0;
        mangle_free(text);
    }
    mangle_overlay_free(o);
    return NULL;
}

static mangle_base *make_base(void)
{
    struct mangle_source source = { "test.mg", program_text, sizeof program_text - 1 };
    struct mangle_external externals[] = {
        { .name = "db", .arity = 2, .query = answer },
        { .name = "fixed", .arity = 2, .deterministic = true, .query = answer },
    };
    struct mangle_compile_options options = { .externals = externals, .external_count = 2 };
    mangle_program *program;
    mangle_base *base;
    assert_int_equal(mangle_compile(&source, 1, &options, &program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    mangle_program_unref(program);
    return base;
}

static void test_overlays_ask_at_the_same_time(void **state)
{
    (void)state;
    mangle_base *base = make_base();
    char *expected[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) { /* each alone, in an overlay of its own */
        mangle_overlay *o;
        assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
        expected[i] = request(base, o, i);
        assert_non_null(expected[i]);
        mangle_overlay_free(o);
    }
    assert_non_null(strstr(expected[7], "best(1,500)"));
    assert_non_null(strstr(expected[7], "best(2,1007)"));
    assert_non_null(strstr(expected[7], "twice(2,4)"));
    assert_non_null(strstr(expected[7], "down(7,0)"));
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){ base, expected, false };
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(jobs[i].failed);
    }
    for (int i = 0; i < REQUESTS; i++)
        mangle_free(expected[i]);
    mangle_base_unref(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlays_ask_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
