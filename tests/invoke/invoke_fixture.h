/* A domain made by hand, real toolhost processes, and one invocation at a time. */
#ifndef TEST_INVOKE_INVOKE_FIXTURE_H
#define TEST_INVOKE_INVOKE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "domain/provider.h"
#include "invoke/invoke_int.h"
#include "protocol/wire_time.h"

#define TOOLHOST MGI_BUILD_DIR "/bin/toolhost"
#define PLUGIN   MGI_BUILD_DIR "/test-plugins/ok.so"
static const struct action_provider ok_provider = { .kind = "plugins",
                                                    .name = { "ok", 2 },
                                                    .plugin = { PLUGIN, sizeof PLUGIN - 1 } };

#define KEY "0123456789abcdef0123456789abcdef"
#define NOW (INT64_C(1783144800) * NS_PER_SEC)
#define CALL                                                                                       \
    "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"}}" /* as most tests run what is offered */

/* ---- a domain by hand ------------------------------------------------------------------------ */

#ifndef FIXTURE_RULES /* of the test's own, behind these */
#define FIXTURE_RULES ""
#endif

static const char rules[] =
    "Decl invoked(T). Decl invoke_arg(N, V). Decl step_status(S, V). Decl step_output(S, V).\n"
    "Decl result(V). Decl vent(Z, P). Decl event(Z, K) temporal. Decl saw(Id, N) temporal.\n"
    "delta_assert(\"vent\", [Z, P], \"server\") :- invoked(\"echo\"), invoke_arg(\"zone\", Z),\n"
    "    result(R), :match_entry(R, \"pct\", P).\n"
    "delta_retract(\"vent\", [Z, /any]) :- invoked(\"echo\"), invoke_arg(\"zone\", Z).\n"
    "delta_assert_during(\"event\", [Z, \"vented\"], \"derived\", S, /open) :- invoked(\"echo\"),\n"
    "    invoke_arg(\"zone\", Z), S = fn:time:now().\n"
    "delta_assert(\"secret\", [Z], \"server\") :- invoked(\"echo\"), invoke_arg(\"zone\", Z).\n"
    "delta_assert(\"vent\", [V, 1], \"server\") :- step_output(\"each\", M), :match_entry(M, "
    "\"id\", V).\n"
    "suggest_intent(\"inspect\", \"Look again.\") :- step_status(\"a\", \"success\").\n"
    "suggest_param(\"inspect\", \"zone\", Z) :- invoke_arg(\"zone\", Z).\n"
    "continuation_fact(\"vent\", [Z, 1]) :- invoke_arg(\"zone\", Z).\n"
    "continuation_fact(\"secret\", [Z]) :- invoke_arg(\"zone\", Z).\n"
    "execution_summary(\"Vented.\") :- invoked(\"echo\").\n" FIXTURE_RULES;

static struct action actions[] = {
    { .aid = { "AID.TEST.ECHO.v1", 16 }, .name = { "echo_it", 7 } },
    { .aid = { "AID.TEST.PUT.v1", 15 }, .name = { "put_it", 6 } },
    { .aid = { "AID.TEST.FAIL.v1", 16 }, .name = { "fail_it", 7 } },
    { .aid = { "AID.TEST.SLEEP.v1", 17 }, .name = { "sleep_it", 8 } },
    { .aid = { "AID.TEST.SPAWN.v1", 17 }, .name = { "spawn_it", 8 }, .tier = 2 },
};
enum { ACT_ECHO, ACT_PUT, ACT_FAIL, ACT_SLEEP, ACT_SPAWN };

/* Set by *_nomem.c, which links the wrapped allocator. */
#ifdef NOMEM_H_WANTED
#include "support/nomem.h"
#define FIXTURE_FAIL_AT(f)      nomem_fail_at((f)->fail_at)
#define FIXTURE_FAIL_NO_MORE(f) ((f)->failed = nomem_failed(), nomem_fail_at(0))
#else
#define FIXTURE_FAIL_AT(f)      ((void)(f))
#define FIXTURE_FAIL_NO_MORE(f) ((void)(f))
#endif

struct plan { /* a step as a test writes it */
    const char *id;
    int action;
    const char *inputs; /* JSON, or NULL: {"zone": args.zone, "pct": args.pct} */
    enum failure_rule on_failure;
};

struct fixture {
    struct arena arena;
    uv_loop_t loop;
    struct toolpool *pool;
    const struct run_journal *journal;
    struct task_runner tasks; /* hand NULL: everything is done where it stands */
    struct store store;
    struct snapshot *snapshot;
    struct confirmation_keys keys;
    struct principal who;
    struct invocation *running;
    struct invocation
        *asking;       /* one that asks a person: it is kept, and the next call answers it */
    struct arena kept; /* its */
    char kept_id[33];
    struct invoke_call call; /* of the running one */
    const struct menu_pickers *pickers;
    struct invoke_notes notes;
    struct arena request; /* of the running invocation */
    struct json sent;
    char id[33];
    bool cancel;                 /* asked for by the effects rules' cancel test */
    int64_t clock_ns, waited_ns; /* so long it takes until there is a host */
    bool done, closed, approve;
    bool hurried;      /* nobody waits between attempts */
    struct str digest; /* of what is offered */
    bool dry_run;      /* what would be is the answer */
    size_t fail_at;    /* *_nomem.c: which allocation fails while the invocation runs */
    bool failed;       /* it did */
    bool acted;        /* the last invocation asked something of an action */
    unsigned progress, serial;
    double percent;
    char progress_words[200], progress_told[400]; /* "started:0 running:50:half " */
    const uint32_t *chosen;                       /* steps that are in the chain; NULL: all */
    size_t chosen_count;
    const struct macro_param *bound; /* of what is offered; NULL: nothing is filled in by rules */
    char shown[1000];                /* what a person who approves out of band is shown */
    int64_t shown_until_ns;
    char logged[20000]; /* lines since the last invocation began */
    struct logger log;
    char *payload; /* of the answer, or the details of the error */
    char message[300];
    enum wire_code code;
    struct json answer;
};

static inline struct json parse(struct fixture *f, const char *text)
{
    struct json v;
    struct str kept = mgi_arena_str(&f->arena, str_of(text));
    if (mgi_json_parse(&f->arena, kept, NULL, &v, NULL) != JSON_OK)
        fail_msg("not JSON: %s", text);
    return v;
}

static inline void asked(void *context, const struct principal *who, struct str challenge,
                         struct str shown, int64_t now_ns, int64_t until_ns)
{
    struct fixture *f = context;
    assert_ptr_equal(who, &f->who);
    assert_true(challenge.len > 0 && now_ns == f->clock_ns);
    snprintf(f->shown, sizeof f->shown, "%.*s", STR_ARG(shown));
    f->shown_until_ns = until_ns;
}

static inline bool approved(void *context, struct str challenge, struct buf *by)
{
    (void)by;
    struct fixture *f = context;
    return f->approve && challenge.len > 0;
}

static inline void keep_line(void *context, enum log_level level, const char *line, size_t len)
{
    struct fixture *f = context;
    size_t used = strlen(f->logged);
    (void)level;
    snprintf(f->logged + used, sizeof f->logged - used, "%.*s\n", (int)len, line);
}

static inline void make_profile(struct fixture *f)
{
    struct pred_schema *s = mgi_arena_calloc(&f->snapshot->arena, 3, sizeof *s);
    s[0] = (struct pred_schema){ .predicate = STR_LIT("bulk_change"), .arity = 2 };
    s[1] = (struct pred_schema){ .predicate = STR_LIT("event"), .arity = 2, .temporal = true };
    s[2] = (struct pred_schema){ .predicate = STR_LIT("vent"), .arity = 2 };
    for (int i = 0; i < 3; i++)
        s[i].pred = mangle_pred_find(f->snapshot->program, s[i].predicate.ptr, 2);
    f->snapshot->profile = (struct fact_profile){
        .schemas = s, .count = 3, .closed = true, .time_formats = WIRE_TIME_RFC3339
    };
    static enum arg_type types[] = { ARG_STRING, ARG_NUMBER };
    static bool whole[] = { false, true }, texts[] = { false, false };
    struct pred_schema *saw = mgi_arena_calloc(&f->snapshot->arena, 1, sizeof *saw);
    *saw = (struct pred_schema){ .predicate = STR_LIT("saw"),
                                 .arity = 2,
                                 .temporal = true,
                                 .arg_types = types,
                                 .arg_is_integer = whole,
                                 .arg_is_name = texts,
                                 .pred = mangle_pred_find(f->snapshot->program, "saw", 2) };
    f->snapshot->evidence =
        (struct fact_profile){ .schemas = saw,
                               .count = 1,
                               .closed = true,
                               .time_formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS };
}

static inline void make_snapshot(struct fixture *f)
{
    struct snapshot *s = mgi_calloc(1, sizeof *s);
    mgi_arena_init(&s->arena, 0);
    atomic_init(&s->refs, 1);
    f->snapshot = s;
    struct mangle_source source = { "effects.mg", rules, sizeof rules - 1 };
    mangle_diags *diags = mangle_diags_new();
    if (mangle_compile(&source, 1, NULL, &s->program, diags) != MANGLE_OK) {
        char *text = mangle_diag_print(mangle_diags_get(diags, 0));
        fail_msg("%s", text);
    }
    mangle_diags_free(diags);
    assert_int_equal(mangle_base_new(s->program, &s->base), MANGLE_OK);
    assert_int_equal(mangle_base_close(s->base, NULL, NULL, NULL), MANGLE_OK);
    s->speaks_of_outcomes = true; /* as the load finds out */
#define FIND(name, arity) s->pred.name = mangle_pred_find(s->program, #name, arity);
    INTERFACE_PREDS(FIND)
#undef FIND
    s->rules_version = STR_LIT("v1");
    s->settings.max_events = 20;
    s->settings.max_asserts = 100;
    s->settings.action_timeout_ms = 3000;
    s->settings.invocation_timeout_ms = 10000;
    s->settings.hosts = 1;
    s->settings.host_wait_ms = 5000;
    s->settings.limits.max_compute_ms = 20000;
    s->settings.confirmation_ttl_ms = 300000;
    make_profile(f);
}

static inline void open_fixture(struct fixture *f)
{
#ifndef FIXTURE_PLAYED /* by a pool of the test's own */
    if (access(TOOLHOST, X_OK) != 0 || access(PLUGIN, R_OK) != 0)
        skip();
#endif
    memset(f, 0, sizeof *f);
    mgi_arena_init(&f->arena, 0);
    mgi_arena_init(&f->request, 0);
    mgi_arena_init(&f->kept, 0);
    uv_loop_init(&f->loop);
    struct toolpool_options options = { .toolhost = TOOLHOST, .hosts = 1, .enforce_leases = true };
    f->pool = mgi_toolpool_new(&f->loop, &options);
    assert_true(mgi_store_memory(0, &f->store));
    f->clock_ns = NOW;
    f->log = (struct logger){ LOG_DEBUG, keep_line, f };
    f->who = (struct principal){ .kind = PRINCIPAL_KNOWN,
                                 .identity = STR_LIT("ann"),
                                 .expires_ns = INT64_MAX };
    f->keys = (struct confirmation_keys){ .server_key = STR_LIT("server key of the test"),
                                          .asked = asked,
                                          .approved = approved,
                                          .context = f };
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        actions[i].provider = &ok_provider;
    make_snapshot(f);
}

static inline void on_closed(void *context)
{
    ((struct fixture *)context)->closed = true;
}

static inline void close_fixture(struct fixture *f)
{
    mgi_toolpool_close(f->pool, on_closed, f);
    while (!f->closed)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    mgi_store_close(&f->store);
    assert_int_equal(atomic_load(&f->snapshot->refs), 1); /* no invocation kept one */
    mgi_snapshot_unref(f->snapshot);
    free(f->payload);
    mgi_arena_fini(&f->request);
    mgi_arena_fini(&f->kept);
    mgi_arena_fini(&f->arena);
}

/* ---- tools --------------------------------------------------------------------------------- */

static inline struct value_source from_args(struct fixture *f)
{
    struct source_member *m = mgi_arena_calloc(&f->arena, 2, sizeof *m);
    m[0] =
        (struct source_member){ STR_LIT("zone"), { .kind = SOURCE_ARG, .name = STR_LIT("zone") } };
    m[1] = (struct source_member){ STR_LIT("pct"), { .kind = SOURCE_ARG, .name = STR_LIT("pct") } };
    return (struct value_source){ .kind = SOURCE_OBJECT, .members = m, .member_count = 2 };
}

static inline struct tool *make_tool(struct fixture *f, const char *name, const struct plan *plan,
                                     size_t count)
{
    struct tool *t = mgi_arena_calloc(&f->snapshot->arena, 1, sizeof *t);
    t->name = str_of(name);
    t->description = STR_LIT("What the user is shown.");
    t->steps = mgi_arena_calloc(&f->snapshot->arena, count, sizeof *t->steps);
    t->step_count = count;
    for (size_t i = 0; i < count; i++) {
        struct value_source inputs = from_args(f);
        if (plan[i].inputs)
            inputs =
                (struct value_source){ .kind = SOURCE_CONST, .constant = parse(f, plan[i].inputs) };
        t->steps[i] = (struct step){ .id = str_of(plan[i].id),
                                     .action = &actions[plan[i].action],
                                     .inputs = inputs,
                                     .on_failure = plan[i].on_failure };
    }
    t->result = (struct value_source){ .kind = SOURCE_STEP, .step = 0 };
    f->snapshot->tools = t;
    f->snapshot->tool_count = 1;
    return t;
}

static inline void offer(struct fixture *f, const struct tool *t, bool confirm,
                         int64_t not_before_ns, int64_t expires_ns)
{
    static const struct str effects[] = { { "process", 7 } };
    uint32_t *steps = mgi_arena_calloc(&f->arena, t->step_count, sizeof *steps);
    for (uint32_t i = 0; i < t->step_count; i++)
        steps[i] = i;
    const struct evidence evidence = { .told = STR_LIT("told:1"),
                                       .not_before_ns = not_before_ns,
                                       .expires_ns = expires_ns,
                                       .live = true };
    struct macro m = {
        .macro_id = STR_LIT("t-1"),
        .digest = f->digest,
        .tool = t->name,
        .intent = STR_LIT("i"),
        .rules_version = STR_LIT("v1"),
        .input_schema = parse(f, "{\"type\":\"object\",\"additionalProperties\":false,"
                                 "\"required\":[\"zone\"],\"properties\":{\"zone\":{\"type\":"
                                 "\"string\"},\"pct\":{\"type\":\"integer\",\"maximum\":80,"
                                 "\"default\":40}}}"),
        .steps = f->chosen ? f->chosen : steps,
        .step_count = f->chosen ? f->chosen_count : t->step_count,
        .bound = f->bound,
        .bound_count = f->bound ? 1 : 0,
        .requires_confirmation = confirm,
        .effects = effects,
        .effect_count = 1,
        .not_before_ns = not_before_ns,
        .expires_ns = expires_ns,
        .evidence = &evidence,
        .evidence_count = 1,
    };
    struct buf text = { 0 };
    mgi_macro_write(&text, &m);
    struct macro_entry entry = { mgi_buf_view(&text), not_before_ns, expires_ns, NULL };
    assert_int_equal(mgi_store_macro_put(&f->store, mgi_principal_key(&f->who), m.macro_id, &entry,
                                         f->clock_ns, f->clock_ns + 600 * NS_PER_SEC),
                     STORE_OK);
    mgi_buf_fini(&text);
}

static inline void offer_always(struct fixture *f, const struct tool *t, bool confirm)
{
    offer(f, t, confirm, INT64_MIN, INT64_MAX);
}

/* ---- invoking ------------------------------------------------------------------------------ */

static inline void keep(struct fixture *f, struct str text)
{
    free(f->payload);
    f->payload = malloc(text.len + 1);
    memcpy(f->payload, text.len ? text.ptr : "", text.len);
    f->payload[text.len] = 0;
    if (text.len > 0)
        f->answer = parse(f, f->payload);
}

static inline void keep_error(struct fixture *f, const struct wire_error *e)
{
    f->code = e->code;
    snprintf(f->message, sizeof f->message, "%s", e->message);
    keep(f, e->details);
}

/* It asks: it stays, in an arena of its own. */
static inline void keep_asking(struct fixture *f)
{
    if (f->running->arena == &f->request) {
        mgi_arena_fini(&f->kept);
        f->kept = f->request;
        mgi_arena_init(&f->request, 0);
    }
    memmove(f->kept_id, f->running->call.invocation_id.ptr, 32);
    f->call.invocation_id = str_of(f->kept_id);
    mgi_invocation_rehost(f->running, &f->kept, &f->call, NULL);
    f->asking = f->running;
    f->running = NULL;
}

static inline void forget_asking(struct fixture *f)
{
    mgi_invocation_free(f->asking);
    f->asking = NULL;
}

static inline void over(struct fixture *f, const struct wire_error *e, struct str payload)
{
    FIXTURE_FAIL_NO_MORE(f);
    f->done = true;
    f->acted = f->running && mgi_invocation_acted(f->running);
    if (e && e->code)
        keep_error(f, e);
    else
        keep(f, payload);
    if (f->running && mgi_invocation_asks(f->running)) {
        keep_asking(f);
        return;
    }
    mgi_invocation_free(f->running);
    f->running = NULL;
}

static inline void on_ran(void *context)
{
    struct fixture *f = context;
    struct buf out = { 0 };
    struct wire_error e = { .retry_after_ms = -1 };
    mgi_invocation_conclude(f->running, NULL, &out, &e);
    over(f, &e, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

static inline void on_reserved(void *context, const struct wire_error *e)
{
    struct fixture *f = context;
    struct wire_error refused = { .retry_after_ms = -1 };
    if (!e && !mgi_invocation_is_timely(f->running, f->clock_ns + f->waited_ns, &refused))
        e = &refused;
    if (!e && mgi_invocation_is_consented(f->running) &&
        !mgi_invocation_spend(f->running, &refused))
        e = &refused;
    if (e)
        over(f, e, (struct str){ 0 });
    else if (mgi_invocation_run(f->running, on_ran))
        on_ran(f);
}

/* What the one that asks was asked for is consented to: it goes on in place of this one. */
static inline void answer_asking(struct fixture *f)
{
    struct invocation *by = f->running;
    struct wire_error e = { .retry_after_ms = -1 };
    if (!mgi_invocation_spend(by, &e)) {
        over(f, &e, (struct str){ 0 });
        return;
    }
    f->call.invocation_id = str_of(f->kept_id);
    mgi_invocation_rehost(f->asking, &f->kept, &f->call, by);
    f->running = f->asking;
    f->asking = NULL;
    mgi_invocation_free(by);
    if (mgi_invocation_go_on(f->running, NULL, on_ran))
        on_ran(f);
}

static inline bool is_cancelled(void *context)
{
    return ((struct fixture *)context)->cancel;
}

static inline void on_progress(void *context, const char *status, struct str detail, double percent)
{
    struct fixture *f = context;
    assert_true(percent >= f->percent && percent < 100); /* D-51 */
    f->percent = percent;
    f->progress++;
    strncat(f->progress_words, status, sizeof f->progress_words - strlen(f->progress_words) - 1);
    strncat(f->progress_words, " ", sizeof f->progress_words - strlen(f->progress_words) - 1);
    size_t told = strlen(f->progress_told);
    snprintf(f->progress_told + told, sizeof f->progress_told - told, "%s:%g:%.*s|", status,
             percent, STR_ARG(detail));
}

static inline void rehearse(struct fixture *f)
{
    struct buf out = { 0 }, plan = { 0 };
    struct wire_error e = { .retry_after_ms = -1 };
    bool told = mgi_invocation_rehearse(f->running, &out, &plan, &e);
    over(f, told ? NULL : &e, mgi_buf_view(&plan));
    mgi_buf_fini(&out);
    mgi_buf_fini(&plan);
}

/* False: it was refused before it could be reserved, or was a dry run. */
static inline bool start(struct fixture *f, const char *payload)
{
    struct wire_error e = { .retry_after_ms = -1 };
    f->sent = parse(f, payload);
    snprintf(f->id, sizeof f->id, "%032x", ++f->serial);
    struct invoke_call call = { .snapshot = f->snapshot,
                                .who = &f->who,
                                .payload = &f->sent,
                                .request_id = STR_LIT("r"),
                                .clock_ns = f->clock_ns,
                                .store = &f->store,
                                .keys = &f->keys,
                                .pool = f->pool,
                                .loop = f->hurried ? NULL : &f->loop,
                                .journal = f->journal,
                                .tasks = f->tasks,
                                .invocation_id = str_of(f->id),
                                .log = &f->log,
                                .wants_progress = true,
                                .pickers = f->pickers,
                                .answers = f->asking,
                                .dry_run = f->dry_run,
                                .cancelled = is_cancelled,
                                .progress = on_progress,
                                .context = f,
                                .notes = &f->notes };
    f->call = call;
    f->done = false;
    f->logged[0] = 0;
    f->code = WIRE_OK;
    f->percent = 0;
    f->progress_words[0] = f->progress_told[0] = 0;
    mgi_arena_reset(&f->request);
    FIXTURE_FAIL_AT(f);
    f->running = mgi_invocation_new(&f->request, &call, NULL, &e);
    if (!f->running || !mgi_invocation_check(f->running, NULL, &e)) {
        over(f, &e, (struct str){ 0 });
        return false;
    }
    if (f->dry_run) {
        rehearse(f);
        return false;
    }
    if (f->asking)
        answer_asking(f);
    else if (mgi_invocation_reserve(f->running, on_reserved))
        on_reserved(f, NULL);
    return true;
}

static inline void run(struct fixture *f, const char *payload)
{
    if (start(f, payload))
        while (!f->done)
            uv_run(&f->loop, UV_RUN_ONCE);
}

static const struct json *at(struct fixture *f, const char *pointer)
{
    const struct json *v = mgi_json_pointer_get(&f->answer, str_of(pointer));
    if (!v)
        fail_msg("there is no %s in %s", pointer, f->payload);
    return v;
}

static inline void assert_text(struct fixture *f, const char *pointer, const char *expected)
{
    struct buf text = { 0 };
    mgi_json_canonical(&text, at(f, pointer));
    assert_string_equal(text.ptr, expected);
    mgi_buf_fini(&text);
}

static const struct plan echo_plan[] = { { "a", ACT_ECHO, NULL, ON_FAILURE_STOP } };

static inline void open_with_echo(struct fixture *f, bool confirm)
{
    open_fixture(f);
    offer_always(f, make_tool(f, "echo", echo_plan, 1), confirm);
}

#endif
