/* External predicates (section 15.2): what the host is asked, when, and what becomes of its
 * answers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "support/mangle_run.h"

/* ---- a host: a table of pairs, and a log of what it was asked ----------------------------------
 */

struct host {
    const char *(*answers)[2]; /* key, value: numbers and strings in file form */
    size_t count;
    struct buf log; /* "(1)" for free outputs, "(1;"x")" with a filter; '|' between calls */
    const char *error;
    bool refuses; /* should_query says no */
};

static mangle_value read_value(mangle_values *t, const char *text)
{
    if (text[0] == '/')
        return mangle_name(t, text, strlen(text));
    if (text[0] == '"')
        return mangle_string(t, text + 1, strlen(text) - 2);
    int64_t n = 0;
    for (const char *at = text; *at; at++)
        n = n * 10 + (*at - '0');
    return mangle_number(t, n);
}

static void put(struct buf *out, const mangle_values *t, mangle_value v)
{
    char *text = v ? mangle_value_print(t, v, MANGLE_CANONICAL, NULL) : NULL;
    mgi_buf_puts(out, text ? text : "_");
    mangle_free(text);
}

static void put_request(struct buf *out, const mangle_values *t, const struct mangle_request *r)
{
    mgi_buf_putc(out, '(');
    for (size_t i = 0; i < r->input_count; i++) {
        mgi_buf_puts(out, i ? "," : "");
        put(out, t, r->inputs[i]);
    }
    for (size_t i = 0; i < r->filter_count; i++) {
        if (!r->filters[i])
            continue;
        mgi_buf_putc(out, ';');
        put(out, t, r->filters[i]);
    }
    for (size_t n = 0; n < r->pushed_count; n++) {
        mgi_buf_printf(out, " with");
        for (size_t i = 0; i < r->pushed[n].count; i++) {
            mgi_buf_putc(out, ' ');
            put(out, t, r->pushed[n].args[i]);
            if (r->pushed[n].columns[i] != MANGLE_NO_COLUMN)
                mgi_buf_printf(out, "=%u", r->pushed[n].columns[i]);
        }
    }
    mgi_buf_putc(out, ')');
}

static bool answer(struct mangle_query *q)
{
    struct host *h = q->context;
    mgi_buf_puts(&h->log, h->log.len ? "|" : "");
    for (size_t i = 0; i < q->count; i++)
        put_request(&h->log, q->values, &q->requests[i]);
    if (h->error) {
        snprintf(q->error, sizeof q->error, "%s", h->error);
        return false;
    }
    for (size_t i = 0; i < q->count; i++)
        for (size_t n = 0; n < h->count; n++) {
            mangle_value v = read_value(q->values, h->answers[n][1]);
            if (read_value(q->values, h->answers[n][0]) == q->requests[i].inputs[0] &&
                !mangle_query_emit(q, i, &v))
                return true;
        }
    return true;
}

static bool says_no(void *context, const mangle_values *values, const struct mangle_request *r)
{
    (void)values, (void)r;
    return !((struct host *)context)->refuses;
}

static const char *two[][2] = { { "1", "\"x\"" }, { "2", "\"y\"" } };

static struct host make_host(void)
{
    return (struct host){ .answers = two, .count = 2 };
}

#define DB "Decl db(K, V) descr [external(), mode('+', '-')]. key(1). key(2).\n"

struct setup {
    bool deterministic, pushdown;
    bool (*changeable)(void *, const mangle_program *, mangle_pred);
    enum mangle_trust (*trust)(void *, const mangle_program *, mangle_pred);
    struct mangle_limits limits;
};

static enum mangle_status compile(const char *text, struct host *host, const struct setup *s,
                                  mangle_program **out, mangle_diags *diags)
{
    struct mangle_source source = { "test.mg", text, strlen(text) };
    struct mangle_external db = { .name = "db",
                                  .arity = 2,
                                  .deterministic = s->deterministic,
                                  .wants_pushdown = s->pushdown,
                                  .should_query = says_no,
                                  .query = answer,
                                  .context = host };
    struct mangle_compile_options options = { .externals = &db, .external_count = 1 };
    options.changeable = s->changeable ? s->changeable : run_changes_nothing;
    options.trust = s->trust;
    return mangle_compile(&source, 1, &options, out, diags);
}

static struct mangle_run start(const char *text, struct host *host, const struct setup *s)
{
    struct mangle_run run = { 0 };
    assert_int_equal(compile(text, host, s, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    run.status = mangle_base_close(run.base, &s->limits, NULL, &run.error);
    if (!run.status)
        run.status = mangle_overlay_new(run.base, &run.overlay);
    if (!run.status)
        run.status = mangle_overlay_eval(run.overlay, RUN_NOW, &s->limits, &run.stats, &run.error);
    return run;
}

static void expect_log(struct host *host, const char *expected)
{
    assert_string_equal(host->log.len ? mgi_buf_view(&host->log).ptr : "", expected);
    mgi_buf_clear(&host->log);
}

/* Both ways: asked by the base, and by each overlay. */
static void expect(const char *text, const char *derived, const char *log)
{
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        struct host host = make_host();
        struct setup s = { .deterministic = deterministic };
        struct mangle_run run = start(text, &host, &s);
        char *got = mangle_run_text(&run);
        assert_string_equal(got, derived);
        mangle_free(got);
        expect_log(&host, log);
        mangle_run_end(&run);
        mgi_buf_fini(&host.log);
    }
}

/* ---- what is asked ----------------------------------------------------------------------------
 */

/* M-EXT-30, M-EXT-6, M-DECL-15: a round's requests come in one call; what `row` asked answers `hit`
 */
static void test_inputs_and_filters_are_passed_in_batches(void **state)
{
    (void)state;
    expect(DB "row(K, V) :- key(K), db(K, V). hit(K) :- key(K), db(K, \"x\").\n",
           "hit(1).\nrow(1,\"x\").\nrow(2,\"y\").\n", "(1)(2)");
    expect(DB "hit(K) :- key(K), db(K, \"x\").\n", "hit(1).\n", "(1;\"x\")(2;\"x\")");
}

/* M-EXT-7: a narrower answer does not stand for a wider one */
static void test_a_wider_request_is_asked_after_a_narrower_one(void **state)
{
    (void)state;
    expect(DB "a(K) :- key(K), db(K, \"x\"). b(K, V) :- a(_), key(K), db(K, V).\n",
           "a(1).\nb(1,\"x\").\nb(2,\"y\").\n", "(1;\"x\")(2;\"x\")|(1)(2)");
    expect(DB
           "a(K, V) :- key(K), db(K, V). b(K) :- a(K, _), db(K, \"y\"). c(V) :- b(_), db(1, V).\n",
           "a(1,\"x\").\na(2,\"y\").\nb(2).\nc(\"x\").\n", "(1)(2)");
}

/* M-EXT-6: facts that the store has do not keep the host from being asked */
static void test_given_facts_stand_beside_answers(void **state)
{
    (void)state;
    expect(DB "db(1, \"z\"). row(V) :- db(1, V).\n", "row(\"x\").\nrow(\"z\").\n", "(1)");
}

/* M-EXT-12, M-AGG-6 */
static void test_negation_and_groups_ask_too(void **state)
{
    (void)state;
    expect(DB "no(K) :- key(K), !db(K, \"x\").\n", "no(2).\n", "(1;\"x\")(2;\"x\")");
    expect(DB "key(3). none(K) :- key(K), !db(K, _).\n", "none(3).\n", "(1)(2)(3)");
    expect(DB "n(N) :- db(2, _) |> do fn:group_by(), let N = fn:count().\n", "n(1).\n", "(2)");
}

static void test_recursion_asks_round_by_round(void **state)
{
    (void)state;
    static const char *chain[][2] = { { "1", "2" }, { "2", "3" }, { "3", "1" } };
    struct host host = { .answers = chain, .count = 3 };
    struct setup s = { .deterministic = true };
    struct mangle_run run = start("Decl db(K, V) descr [external(), mode('+', '-')]. start(1).\n"
                                  "at(X) :- start(X). at(Y) :- at(X), db(X, Y).\n",
                                  &host, &s);
    char *got = mangle_run_text(&run);
    assert_string_equal(got, "at(1).\nat(2).\nat(3).\n");
    mangle_free(got);
    expect_log(&host, "(1)|(2)|(3)");
    mangle_run_end(&run);
    mgi_buf_fini(&host.log);
}

static void test_a_deferred_rule_asks(void **state)
{
    (void)state;
    expect(DB "Decl get(K, V) descr [mode('+', '-'), deferred()]. get(K, V) :- db(K, V).\n"
              "row(K, V) :- key(K), get(K, V), !get(K, \"y\").\n",
           "row(1,\"x\").\n", "(1)|(2)");
}

/* M-EXT-10 */
static void test_other_atoms_of_the_rule_are_pushed(void **state)
{
    (void)state;
    struct host host = make_host();
    struct setup s = { .pushdown = true };
    struct mangle_run run = start(DB "want(\"x\", 7). other(8).\n"
                                     "row(K, V) :- key(K), db(K, V), want(V, 7), other(_).\n",
                                  &host, &s);
    char *got = mangle_run_text(&run);
    assert_string_equal(got, "row(1,\"x\").\n");
    mangle_free(got);
    expect_log(&host, "(1 with _=1 7)(2 with _=1 7)");
    mangle_run_end(&run);
    mgi_buf_fini(&host.log);
}

static void test_should_query_may_say_no(void **state)
{
    (void)state;
    struct host host = make_host();
    struct setup s = { .deterministic = true };
    host.refuses = true;
    struct mangle_run run = start(DB "db(1, \"z\"). row(V) :- key(K), db(K, V).\n", &host, &s);
    char *got = mangle_run_text(&run);
    assert_string_equal(got, "row(\"z\").\n");
    mangle_free(got);
    expect_log(&host, "");
    mangle_run_end(&run);
}

/* ---- what becomes of answers ------------------------------------------------------------------
 */

/* M-EXT-11 */
static void test_answers_stay_as_facts(void **state)
{
    (void)state;
    struct host host = make_host();
    struct setup s = { 0 };
    struct mangle_run run = start(DB "row(V) :- db(2, V).\n", &host, &s);
    char *got = mangle_run_query(&run, "db(K, V)");
    assert_string_equal(got, "db(2,\"y\").\n");
    mangle_free(got);
    const struct mangle_fact *facts;
    const struct mangle_proof *proof;
    size_t count;
    assert_int_equal(mangle_overlay_query(run.overlay, "row(X)", 6, &facts, &count, NULL),
                     MANGLE_OK);
    assert_int_equal(mangle_overlay_explain(run.overlay, facts, 0, &proof, NULL), MANGLE_OK);
    assert_int_equal(proof->premise_count, 1);
    assert_int_equal(proof->premises[0]->kind, MANGLE_PROOF_SESSION);
    expect_log(&host, "(2)"); /* a proof asks nothing */
    mangle_run_end(&run);
    mgi_buf_fini(&host.log);
}

static void ask_again(struct mangle_run *run)
{
    mangle_overlay_reset(run->overlay);
    assert_int_equal(mangle_overlay_eval(run->overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
}

static void test_a_base_remembers_what_is_deterministic(void **state)
{
    (void)state;
    static const char text[] = DB "Decl more(K). row(K, V) :- key(K), db(K, V).\n"
                                  "row(K, V) :- more(K), db(K, V).\n";
    struct host host = make_host();
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        struct setup s = { .deterministic = deterministic, .changeable = run_changes_all };
        struct mangle_run run = start(text, &host, &s);
        expect_log(&host, "(1)(2)");
        ask_again(&run);
        expect_log(&host, deterministic ? "" : "(1)(2)");
        mangle_overlay_reset(run.overlay);
        assert_int_equal(mangle_run_give(&run, run.overlay, "more(2). more(3)."), MANGLE_OK);
        assert_int_equal(mangle_overlay_eval(run.overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
        expect_log(&host, deterministic ? "(3)" : "(1)(2)|(3)");
        mangle_run_end(&run);
    }
    mgi_buf_fini(&host.log);
}

/* M-LIM-12, M-ANA-99 */
static void test_answers_count_as_derived(void **state)
{
    (void)state;
    struct host host = make_host();
    for (int64_t limit = 3; limit <= 4; limit++) {
        struct setup s = { .limits = { .max_facts = limit } };
        struct mangle_run run = start(DB "row(K, V) :- key(K), db(K, V).\n", &host, &s);
        assert_int_equal(run.status, limit == 4 ? MANGLE_OK : MANGLE_ERR_LIMIT);
        mangle_run_end(&run);
        s.limits.max_facts = limit - 2; /* already while the host answers */
        run = start(DB "row() :- key(K), db(K, V), key(V).\n", &host, &s);
        assert_int_equal(run.status, limit == 4 ? MANGLE_OK : MANGLE_ERR_LIMIT);
        mangle_run_end(&run);
    }
    mgi_buf_fini(&host.log);
}

/* ---- what goes wrong --------------------------------------------------------------------------
 */

static void expect_code(const char *text, const char *code)
{
    struct host host = make_host();
    struct setup s = { 0 };
    mangle_program *p;
    mangle_diags *diags = mangle_diags_new();
    assert_int_equal(compile(text, &host, &s, &p, diags), MANGLE_ERR_PROGRAM);
    assert_string_equal(mangle_diags_get(diags, 0)->code, code);
    char *printed = mangle_diag_print(mangle_diags_get(diags, 0));
    assert_non_null(strstr(printed, "db"));
    mangle_free(printed);
    mangle_diags_free(diags);
}

/* M-EXT-5, M-ANA-97, M-EXT-2 */
static void test_callbacks_need_a_declaration(void **state)
{
    (void)state;
    expect_code("key(1).", "EXT_UNDECLARED");
    expect_code("db(1, 2).", "EXT_UNDECLARED");
    expect_code("", "EXT_UNDECLARED");
    expect_code("Decl db(K, V) descr [mode('+', '-')].", "EXT_NOT_EXTERNAL");
    expect_code(DB "db(K, V) :- key(K), V = 1.", "PRED_REDEFINED");
    expect_code("Decl db(K, V) temporal descr [external(), mode('+', '-')].", "NOT_SUPPORTED");
    /* without a callback there are only facts */
    char *text = run_text(DB "db(1, \"z\"). row(V) :- key(K), db(K, V).", NULL);
    assert_string_equal(text, "row(\"z\").\n");
    mangle_free(text);
}

/* M-EXT-8, M-ANA-97 */
static void test_an_unbound_input_is_an_error(void **state)
{
    (void)state;
    struct host host = make_host();
    struct setup s = { 0 };
    struct mangle_run run = start(DB "row(K, V) :- db(K, V), key(K).\n", &host, &s);
    assert_int_equal(run.status, MANGLE_ERR_EVAL);
    assert_string_equal(
        run.error.message,
        "test.mg:2: EXT_INPUT_UNBOUND: variable K has no value where the host is asked");
    expect_log(&host, "");
    mangle_run_end(&run);
}

static int64_t clock_ns(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A request that follows a recursive call is made once for each level, and so is the call: forty
 * levels would never end if looking ahead went through the call each time. */
static void test_looking_ahead_does_not_repeat_calls(void **state)
{
    (void)state;
    struct host host = make_host();
    struct setup s = { .limits = { .timeout_ns = INT64_C(20000000000), .clock = clock_ns } };
    struct mangle_run run = start(DB "Decl up(N, V) descr [mode('+', '-'), deferred()].\n"
                                     "up(0, \"x\"). up(N, V) :- N > 0, M = fn:minus(N, 1),"
                                     " up(M, _), db(1, V).\n"
                                     "row(V) :- up(40, V).\n",
                                  &host, &s);
    assert_int_equal(run.status, MANGLE_OK);
    assert_string_equal(mgi_buf_view(&host.log).ptr, "(1)");
    mangle_run_end(&run);
    mgi_buf_fini(&host.log);
}

/* M-LIM-11: what is remembered of requests counts, also where nothing is answered. */
static void test_requests_count_as_memory(void **state)
{
    (void)state;
    struct host host = { .count = 0 };
    struct setup s = { 0 };
    struct mangle_run run = start(DB "n(0). n(M) :- n(N), N < 50000, M = fn:plus(N, 1).\n"
                                     "row(V) :- n(N), db(N, V).\n",
                                  &host, &s);
    assert_int_equal(run.status, MANGLE_OK);
    assert_true(run.stats.bytes > 50000 * 2 * sizeof(mangle_value));
    mangle_run_end(&run);
    mgi_buf_fini(&host.log);
}

/* M-TYPE-73: rules were checked by what the Decl says. */
static void test_an_answer_of_another_type_ends_the_evaluation(void **state)
{
    (void)state;
    static const struct {
        const char *bounds, *error; /* of answers "x" and "y" */
    } rows[] = {
        { "bound [/number, /string]", NULL },
        { "bound [/number, /number] bound [/number, /string]", NULL },
        { "bound [/number, fn:Union(/number, /string)]", NULL },
        { "bound [/number, /number]",
          "test.mg:2: the host cannot answer db: argument 2 has to be /number, but is \"x\"" },
        { "bound [/number, fn:List(/string)]",
          "test.mg:2: the host cannot answer db: argument 2 has to be fn:List(/string), but is "
          "\"x\"" },
    };
    struct host host = make_host();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int deterministic = 0; deterministic < 2; deterministic++) {
            struct setup s = { .deterministic = deterministic };
            char text[300];
            snprintf(text, sizeof text,
                     "Decl db(K, V) descr [external(), mode('+', '-')] %s. key(1). key(2).\n"
                     "row(K) :- key(K), db(K, V).\n",
                     rows[i].bounds);
            struct mangle_run run = start(text, &host, &s);
            assert_int_equal(run.status, rows[i].error ? MANGLE_ERR_EVAL : MANGLE_OK);
            if (rows[i].error)
                assert_string_equal(run.error.message, rows[i].error);
            mangle_run_end(&run);
        }
    mgi_buf_fini(&host.log);
}

/* M-EXT-9, M-ANA-98 */
static void test_an_error_of_the_host_ends_the_evaluation(void **state)
{
    (void)state;
    struct host host = make_host();
    host.error = "the disk is on fire";
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        struct setup s = { .deterministic = deterministic };
        struct mangle_run run = start(DB "row(V) :- db(1, V).\n", &host, &s);
        assert_int_equal(run.status, MANGLE_ERR_EVAL);
        assert_string_equal(run.error.message,
                            "test.mg:2: the host cannot answer db: the disk is on fire");
        mangle_run_end(&run);
    }
    mgi_buf_fini(&host.log);
}

/* ---- privileged predicates ------------------------------------------------------------------- */

static enum mangle_trust db_is_hearsay(void *context, const mangle_program *program,
                                       mangle_pred pred)
{
    (void)context;
    if (mangle_pred_descriptor(program, pred, "privileged", NULL, 0) != SIZE_MAX)
        return MANGLE_PRIVILEGED;
    return strcmp(mangle_program_pred(program, pred).name, "db") ? MANGLE_VOUCHED : MANGLE_HEARSAY;
}

#define OK "Decl ok(K) descr [privileged()].\n"

static void expect_ok(const char *rules, bool deterministic, const char *answers)
{
    struct host host = make_host();
    const struct setup s = { .deterministic = deterministic, .trust = db_is_hearsay };
    struct buf text = { 0 };
    mgi_buf_printf(&text, DB OK "%s", rules);
    struct mangle_run run = start(text.ptr, &host, &s);
    assert_int_equal(run.status, MANGLE_OK);
    char *found = mangle_run_query(&run, "ok(K)");
    assert_string_equal(found, answers);
    mangle_free(found);
    mangle_run_end(&run);
    mgi_buf_fini(&text);
    mgi_buf_fini(&host.log);
}

static void test_an_answer_that_is_hearsay_grants_nothing(void **state)
{
    (void)state;
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        expect_ok("ok(K) :- key(K), db(K, _).\n", deterministic, "");
        expect_ok("said(K) :- key(K), db(K, _).\nok(K) :- said(K).\n", deterministic, "");
        expect_ok("ok(K) :- key(K), db(K, _).\nok(K) :- key(K), K = 2.\n", deterministic,
                  "ok(2).\n");
    }
}

/* Also before it is known who answers. */
/* ---- waiting ----------------------------------------------------------------------------------
 */

struct waiting { /* a host that waits for somebody, a millisecond between two looks */
    int64_t now_ns, first_left_ns, waited_ms;
    int64_t cancelled_at_ns; /* INT64_MAX: never */
};

static int64_t waiting_clock(void *context)
{
    return ((struct waiting *)context)->now_ns;
}

static bool waiting_is_cancelled(void *context)
{
    const struct waiting *w = context;
    return w->now_ns >= w->cancelled_at_ns;
}

/* A minute, or until nobody waits any more. */
static bool wait_in_vain(struct mangle_query *q)
{
    struct waiting *w = q->context;
    int64_t left_ns;
    for (; w->waited_ms < 60000 && mangle_query_goes_on(q, &left_ns); w->waited_ms++) {
        if (w->waited_ms == 0)
            w->first_left_ns = left_ns;
        w->now_ns += 1000000;
    }
    snprintf(q->error, sizeof q->error, "nobody came");
    return false;
}

static struct mangle_run start_waiting(struct waiting *w, const struct mangle_limits *limits)
{
    static const char text[] = DB "p(V) :- key(K), db(K, V).";
    struct mangle_source source = { "test.mg", text, strlen(text) };
    struct mangle_external db = { .name = "db", .arity = 2, .query = wait_in_vain, .context = w };
    struct mangle_compile_options options = { .externals = &db, .external_count = 1 };
    struct mangle_run run = { 0 };
    options.changeable = run_changes_nothing;
    assert_int_equal(mangle_compile(&source, 1, &options, &run.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(run.program, &run.base), MANGLE_OK);
    assert_int_equal(mangle_base_close(run.base, NULL, NULL, &run.error), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(run.base, &run.overlay), MANGLE_OK);
    run.status = mangle_overlay_eval(run.overlay, RUN_NOW, limits, NULL, &run.error);
    return run;
}

static void test_a_host_that_waits_is_told_when_time_is_over(void **state)
{
    (void)state;
    struct waiting w = { .cancelled_at_ns = INT64_MAX };
    struct mangle_limits limits = { .timeout_ns = 300 * 1000000LL,
                                    .clock = waiting_clock,
                                    .clock_context = &w };
    struct mangle_run run = start_waiting(&w, &limits);
    assert_int_equal(w.first_left_ns, limits.timeout_ns);
    assert_int_equal(w.waited_ms, 301);
    assert_int_equal(run.status, MANGLE_ERR_LIMIT); /* not that nobody came  [M-LIM-11] */
    assert_int_equal(run.error.limit.kind, MANGLE_LIMIT_TIME);
    mangle_run_end(&run);
}

static void test_a_host_that_waits_is_told_of_cancelling(void **state)
{
    (void)state;
    struct waiting w = { .cancelled_at_ns = 5 * 1000000LL };
    struct mangle_limits limits = { .cancelled = waiting_is_cancelled, .cancel_context = &w };
    struct mangle_run run = start_waiting(&w, &limits);
    assert_int_equal(w.first_left_ns, INT64_MAX);
    assert_int_equal(w.waited_ms, 5);
    assert_int_equal(run.status, MANGLE_ERR_CANCELLED);
    mangle_run_end(&run);
}

static void test_silence_of_the_host_is_an_error(void **state)
{
    static const char *const rules[] = {
        DB OK "ok(K) :- key(K), !db(K, \"x\").\n",
        DB OK "ok(K) :- key(K), db(K, V) |> do fn:group_by(K), let N = fn:count().\n",
    };
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof rules / sizeof *rules); i++) {
        struct host host = make_host();
        struct mangle_source source = { "test.mg", rules[i / 2], strlen(rules[i / 2]) };
        struct mangle_external db = { .name = "db", .arity = 2, .query = answer, .context = &host };
        struct mangle_compile_options options = { .changeable = run_changes_nothing,
                                                  .trust = db_is_hearsay,
                                                  .externals = &db,
                                                  .external_count = i % 2 };
        mangle_diags *diags = mangle_diags_new();
        mangle_program *p = NULL;
        assert_int_equal(mangle_compile(&source, 1, &options, &p, diags), MANGLE_ERR_PROGRAM);
        assert_string_equal(mangle_diags_get(diags, 0)->code, "PRIVILEGED");
        mangle_diags_free(diags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_and_filters_are_passed_in_batches),
        cmocka_unit_test(test_a_wider_request_is_asked_after_a_narrower_one),
        cmocka_unit_test(test_given_facts_stand_beside_answers),
        cmocka_unit_test(test_negation_and_groups_ask_too),
        cmocka_unit_test(test_recursion_asks_round_by_round),
        cmocka_unit_test(test_a_deferred_rule_asks),
        cmocka_unit_test(test_other_atoms_of_the_rule_are_pushed),
        cmocka_unit_test(test_should_query_may_say_no),
        cmocka_unit_test(test_answers_stay_as_facts),
        cmocka_unit_test(test_a_base_remembers_what_is_deterministic),
        cmocka_unit_test(test_answers_count_as_derived),
        cmocka_unit_test(test_callbacks_need_a_declaration),
        cmocka_unit_test(test_an_unbound_input_is_an_error),
        cmocka_unit_test(test_looking_ahead_does_not_repeat_calls),
        cmocka_unit_test(test_requests_count_as_memory),
        cmocka_unit_test(test_an_answer_of_another_type_ends_the_evaluation),
        cmocka_unit_test(test_an_error_of_the_host_ends_the_evaluation),
        cmocka_unit_test(test_an_answer_that_is_hearsay_grants_nothing),
        cmocka_unit_test(test_a_host_that_waits_is_told_when_time_is_over),
        cmocka_unit_test(test_a_host_that_waits_is_told_of_cancelling),
        cmocka_unit_test(test_silence_of_the_host_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
