/* Every step from an open base to a proof survives the failure of any one allocation: the right
 * status, nothing handed out, nothing left alive (the sanitizer looks), and the next try works. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/run/base.h"
#include "support/mangle_run.h"
#include "support/nomem.h"

static const char program_text[] =
    "Decl edge(X, Y). Decl seen(X). Decl log(X) temporal. Decl up(X) temporal.\n"
    "edge(/a, /b). edge(/b, /c). up(/a)@[2024-01-01, now].\n"
    "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n"
    "Decl far(X, N) descr [mode('+', '-'), deferred()].\n"
    "far(X, N) :- path(X, Y) |> do fn:group_by(X), let N = fn:count().\n"
    "far(X, N) :- edge(X, Y), far(Y, M), N = fn:plus(M, 100).\n"
    "Decl db(K, V) descr [external(), mode('+', '-')]. key(/b). key(/c).\n"
    "got(K, V) :- key(K), db(K, V), seen(K).\n"
    "got(K, V) :- seen(K), db(K, V), path(V, _).\n"
    "Decl first(X, Y) descr [fundep([X], [Y]), merge([Y], \"low\")].\n"
    "Decl low(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
    "low(A, B, A) :- A <= B. low(A, B, B) :- B < A.\n"
    "Decl last(X, Y) descr [fundep([X], [Y]), merge([Y], \"high\")].\n"
    "Decl high(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
    "high(A, B, C) :- C = fn:max([A, B]). last(X, R) :- path(X, Y), rank(Y, R).\n"
    "rank(/a, 3). rank(/b, 2). rank(/c, 1). rank(/d, 4). first(/c, 9).\n"
    "first(X, R) :- path(X, Y), rank(Y, R). first(X, R) :- seen(X), path(Y, X), rank(Y, R).\n"
    "firsts(N) :- first(_, Y) |> do fn:group_by(), let N = fn:collect(Y).\n"
    "hop(X, 0) :- seen(X). hop(Y, D) :- hop(X, C), edge(X, Y), D = fn:plus(C, 1), D < 9.\n"
    "near(Y, M) :- hop(Y, D) |> do fn:group_by(Y), let M = fn:min(D).\n"
    "leap(X, 4611686018427387) :- seen(X).\n" /* too large: the least is given up */
    "leap(Y, D) :- leap(X, C), edge(X, Y), D = fn:plus(C, 1), D < 4611686018427390.\n"
    "top(Y, M) :- leap(Y, D) |> do fn:group_by(Y), let M = fn:min(D).\n"
    "left(X) :- path(_, X), !seen(X).\n"
    "mark(X, Z) :- seen(X), path(X, Y), edge(Y, Z), path(X, Z).\n"
    "short(X, Z) :- path(X, Y), edge(Y, Z), path(X, Z).\n"
    "joined(X, Z) :- path(X, Y), mark(Y, Z). joined(X, Z) :- edge(X, Y), joined(Y, Z).\n"
    "after(X, Z) :- seen(X), joined(X, Z). apart(X) :- seen(X), !joined(X, _).\n"
    "n(X, N, L) :- path(X, Y) |> do fn:group_by(X), let N = fn:count(), let L = fn:collect([Y]).\n"
    "m(N, L) :- seen(X), path(X, Y) |> do fn:group_by(), let N = fn:count(), let L = "
    "fn:collect(fn:pair(X, Y)).\n"
    "during(X)@[S, F] :- log(X)@[S, F], [-[0s, 1h] up(/a).\n"
    "hot(X, fn:list(X)) :- <-[5m] during(X)@[S, _], far(/a, 102), !far(/b, 7).\n"
    "old(X) :- log(X)@[S, _], D = fn:time:sub(fn:time:now(), S),\n"
    "  L = fn:duration:parse(\"1h\"), :duration:lt(L, D), !cold(X).\n"
    "cold(X) :- seen(X), <+[5m] log(_). cold(X) :- path(X, Y), cold(Y).\n"
    "day(X, T) :- seen(X), T = fn:time:trunc(fn:time:now(), /hour).\n";

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return strcmp(name, "seen") == 0 || strcmp(name, "log") == 0;
}

/* Those that can be derived on demand, or of which the least can be kept, are not. */
static bool is_read(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    const char *name = mangle_program_pred(program, pred).name;
    return strcmp(name, "joined") != 0 && strcmp(name, "hop") != 0 && strcmp(name, "leap") != 0;
}

static bool echo(struct mangle_query *q)
{
    for (size_t i = 0; i < q->count; i++) {
        mangle_value v = mangle_string(q->values, "long enough to be stored", 24);
        if (!mangle_query_emit(q, i, &v) || !mangle_query_emit(q, i, q->requests[i].inputs))
            break;
    }
    return true;
}

static mangle_program *compile(void)
{
    struct mangle_source source = { "p.mg", program_text, sizeof program_text - 1 };
    struct mangle_external db = { .name = "db", .arity = 2, .wants_pushdown = true, .query = echo };
    struct mangle_compile_options options = { .changeable = is_open, .outputs = is_read };
    options.externals = &db;
    options.external_count = 1;
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    return p;
}

static enum mangle_status make_base(mangle_program *p, mangle_base **out)
{
    static const char text[] = "edge(/c, /d). log(/old)@[2024-06-01].";
    struct mangle_source facts = { "f.mg", text, sizeof text - 1 };
    mangle_base *base;
    *out = NULL;
    enum mangle_status st = mangle_base_new(p, &base);
    if (st) {
        assert_null(base);
        return st;
    }
    base->eval.meet_always = true;
    base->eval.lists = LISTS_ALWAYS;
    base->plan_always = true;
    base->eval.zones_always = true;
    st = mangle_base_add_text(base, &facts, NULL);
    if (!st)
        st = mangle_base_close(base, NULL, NULL, NULL);
    if (st)
        mangle_base_unref(base);
    else
        *out = base;
    return st;
}

static void test_a_base_survives_any_failure(void **state)
{
    (void)state;
    mangle_program *p = compile();
    size_t n = 1;
    for (;; n++) {
        mangle_base *base;
        nomem_fail_at(n);
        enum mangle_status st = make_base(p, &base);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_int_equal(st, MANGLE_OK);
            mangle_base_unref(base);
            break;
        }
        /* a failure that only costs speed may still be a success */
        if (st == MANGLE_OK)
            mangle_base_unref(base);
        else
            assert_int_equal(st, MANGLE_ERR_NOMEM);
    }
    assert_true(n > 50);
    mangle_program_unref(p);
}

static enum mangle_status add(mangle_overlay *o, const mangle_program *p, const char *pred,
                              const char *arg, const struct mangle_interval *t)
{
    mangle_value v = mangle_name(mangle_overlay_values(o), arg, strlen(arg));
    if (!v)
        return MANGLE_ERR_NOMEM;
    return mangle_overlay_add(o, mangle_pred_find(p, pred, 1), &v, 1, t, NULL);
}

static enum mangle_status ask(mangle_overlay *o, const mangle_program *p)
{
    struct mangle_interval t = { RUN_NOW - 60000000000, RUN_NOW };
    const struct mangle_fact *facts;
    const struct mangle_proof *proof;
    size_t count;
    int64_t until;
    enum mangle_status st = add(o, p, "seen", "/b", NULL);
    if (!st)
        st = add(o, p, "log", "/fresh", &t);
    if (!st)
        st = mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL);
    if (!st)
        assert_true(o->eval.demanding);
    if (!st)
        st = mangle_overlay_query(o, "hot(X, [/fresh])", 16, &facts, &count, NULL);
    if (!st)
        st = mangle_overlay_facts(o, mangle_pred_find(p, "hot", 2), &facts, &count);
    if (!st) {
        assert_int_equal(count, 1);
        st = mangle_overlay_explain(o, facts, 0, &proof, NULL);
    }
    if (!st) {
        char *text = mangle_proof_print(o, proof, NULL);
        st = text ? MANGLE_OK : MANGLE_ERR_NOMEM;
        mangle_free(text);
    }
    if (!st)
        st = mangle_overlay_valid_until(o, facts, NULL, &until);
    if (!st)
        st = mangle_overlay_facts(o, mangle_pred_find(p, "m", 2), &facts, &count);
    if (!st) {
        assert_int_equal(count, 1);
        st = mangle_overlay_explain(o, facts, 0, &proof, NULL);
    }
    if (!st)
        st = mangle_overlay_facts(o, mangle_pred_find(p, "day", 2), &facts, &count);
    if (!st) {
        assert_int_equal(count, 1);
        st = mangle_overlay_valid_until(o, facts, NULL, &until);
    }
    mangle_value any[1] = { MANGLE_NONE };
    if (!st)
        st = mangle_overlay_absent_until(o, mangle_pred_find(p, "old", 1), any, NULL, &until);
    return st;
}

static void test_a_request_survives_any_failure(void **state)
{
    (void)state;
    mangle_program *p = compile();
    mangle_base *base;
    assert_int_equal(make_base(p, &base), MANGLE_OK);
    size_t n = 1;
    for (;; n++) {
        mangle_overlay *o;
        nomem_fail_at(n);
        enum mangle_status st = mangle_overlay_new(base, &o);
        if (st)
            assert_null(o);
        if (!st) {
            o->eval.meet_always = true;
            o->eval.lists = LISTS_ALWAYS;
            o->eval.zones_always = true;
            st = ask(o, p);
        }
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed)
            assert_int_equal(st, MANGLE_OK);
        else if (st)
            assert_int_equal(st, MANGLE_ERR_NOMEM);
        if (o) { /* and the next request works */
            mangle_overlay_reset(o);
            assert_int_equal(ask(o, p), MANGLE_OK);
        }
        mangle_overlay_free(o);
        if (!failed)
            break;
    }
    assert_true(n > 100);
    mangle_base_unref(base);
    mangle_program_unref(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_base_survives_any_failure),
        cmocka_unit_test(test_a_request_survives_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
