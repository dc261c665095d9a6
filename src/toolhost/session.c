/* --serve: one request line in, one answer line out (toolhost.md 1.3). The steps of answer_call()
 * are in the order of the reference, because the order decides what has already happened when a
 * request is refused: up to the lease, nothing has (T-FLOW-1). */
#include "toolhost/events.h"
#include "sys/digest.h"

#include <stdio.h>
#include <string.h>

/* One request on its way to its answer. */
struct exchange {
    struct host *host;
    struct arena *arena;
    int64_t started_ms;
    struct request request;
    struct refusal refusal;
    size_t tool; /* SIZE_MAX: not known yet */
    int64_t limit_ms;
    struct buf *out;
    bool no_memory; /* what could not be done for lack of memory was not done */

    struct idem_entry *entry; /* room for the outcome; NULL: no key */
    struct outcome outcome;
    struct ds_state before, after;
};

enum step { GO_ON, ANSWERED, REFUSED };

/* ---- answers ------------------------------------------------------------------------------ */

static struct answer_extras extras_of(struct exchange *x, const struct ds_state *state,
                                      char digest[65])
{
    struct answer_extras e = { .request_id = x->request.request_id, .ds_digest = digest };
    if (e.request_id.len == 0)
        return e;
    e.duration_ms = mgi_now_ms() - x->started_ms;
    if (!mgi_ds_digest(state, digest))
        x->out->oom = true;
    return e;
}

static void write_refusal(struct exchange *x)
{
    char digest[65];
    struct answer_extras e = extras_of(x, &x->host->state, digest);
    mgi_answer_refusal(x->out, &x->refusal, &e);
    mgi_event_refused(x->host, x->request.aid, x->refusal.code);
}

static void write_outcome(struct exchange *x, const struct outcome *o, bool hit,
                          const struct ds_state *state, uint8_t changed)
{
    char digest[65];
    struct answer_extras e = extras_of(x, state, digest);
    mgi_buf_clear(x->out);
    mgi_answer_result(x->out, o, hit, &(struct answer_state){ state, false, changed }, &e);
}

static bool fits(const struct buf *out)
{
    return out->oom || out->len <= MAX_RESPONSE_BYTES;
}

static struct outcome response_too_large(struct exchange *x)
{
    return mgi_outcome_failed(x->arena, OUTCOME_TOO_LARGE,
                              "response too large: %zu bytes (limit %d)", x->out->len,
                              MAX_RESPONSE_BYTES);
}

static void record(struct exchange *x, const struct outcome *o, const struct ds_state *before,
                   const struct ds_state *after)
{
    if (x->tool == SIZE_MAX)
        return;
    const struct call_event e = { .tool = &x->host->tools.items[x->tool],
                                  .input_sha = x->request.input_sha,
                                  .duration_ms = mgi_now_ms() - x->started_ms,
                                  .outcome = o,
                                  .before = before,
                                  .after = after };
    mgi_event_call(x->host, &e);
}

/* A result although nothing ran; the request's state is not applied (T-RSP-10). */
static enum step answer_without_call(struct exchange *x, const struct outcome *o)
{
    const struct ds_state *now = &x->host->state;
    write_outcome(x, o, false, now, 0);
    record(x, o, now, now);
    return ANSWERED;
}

static enum step unavailable(struct exchange *x, const char *why)
{
    struct outcome o =
        mgi_outcome_failed(x->arena, OUTCOME_UNAVAILABLE, "worker unavailable: %s", why);
    return answer_without_call(x, &o);
}

static enum step tripped(struct exchange *x, const char *why, struct str what, int64_t wait_ms)
{
    struct outcome o =
        mgi_outcome_failed(x->arena, OUTCOME_BREAKER_OPEN, "%s%.*s: retry in %lld ms", why,
                           STR_ARG(what), (long long)wait_ms);
    return answer_without_call(x, &o);
}

static enum step step_of(struct exchange *x, enum request_result rc)
{
    x->no_memory = rc == REQUEST_NOMEM;
    return rc == REQUEST_OK ? GO_ON : REFUSED;
}

static enum step refuse_with(struct exchange *x, enum refusal_code code, struct str text)
{
    x->refusal = (struct refusal){ .code = code, .error = text };
    return REFUSED;
}

/* ---- leases ------------------------------------------------------------------------------- */

static bool needs_lease(const struct exchange *x)
{
    return x->host->settings.lease_enforce && x->host->tools.items[x->tool].tier > 0;
}

static enum step refuse_lease(struct exchange *x, enum lease_verdict verdict)
{
    const struct tool *t = &x->host->tools.items[x->tool];
    mgi_event_lease_rejected(x->host, t->aid, t->tier, x->request.token, verdict);
    x->refusal = (struct refusal){ .code = REFUSED_LEASE_REJECTED,
                                   .error = STR_LIT("lease_rejected"),
                                   .reason = str_of(mgi_lease_verdict_text(verdict)) };
    return REFUSED;
}

static enum step require_lease(struct exchange *x)
{
    const struct tool *t = &x->host->tools.items[x->tool];
    x->refusal = (struct refusal){ .code = REFUSED_LEASE_REQUIRED,
                                   .error = STR_LIT("lease_required"),
                                   .tier = t->tier,
                                   .aid = t->aid };
    return REFUSED;
}

/* Is the request's token good for this call now? It is not consumed yet. */
static enum step check_lease(struct exchange *x, struct lease **lease)
{
    const struct request *q = &x->request;
    struct host *h = x->host;
    *lease = NULL;
    if (!needs_lease(x))
        return GO_ON; /* T-LEASE-13: the token is not looked at */
    if (q->token.len == 0)
        return require_lease(x);
    enum lease_verdict v =
        mgi_lease_check(&h->leases, q->token, (int)x->tool, h->tools.items[x->tool].tier,
                        q->input_sha, mgi_now_ms(), lease);
    return v == LEASE_GOOD ? GO_ON : refuse_lease(x, v);
}

/* ---- steps -------------------------------------------------------------------------------- */

static enum step find_tool(struct exchange *x)
{
    x->tool = mgi_tools_find(&x->host->tools, x->request.aid);
    if (x->tool != SIZE_MAX)
        return GO_ON;
    return step_of(x, mgi_refuse(x->arena, &x->refusal, REFUSED_NOT_FOUND, "tool not found: %.*s",
                                 STR_ARG(x->request.aid)));
}

static enum step read_members(struct exchange *x)
{
    struct request *q = &x->request;
    enum step step = step_of(x, mgi_request_read(x->arena, REQUEST_SERVE, q->aid, q, &x->refusal));
    mgi_audit_about(x->host, q);
    return step;
}

static enum step check_input(struct exchange *x)
{
    const char *fault =
        mgi_input_fault(&x->host->inputs, x->tool, &x->request.input_value, x->arena);
    if (!fault)
        return GO_ON;
    return step_of(
        x, mgi_refuse(x->arena, &x->refusal, REFUSED_BAD_INPUT, "invalid input: %s", fault));
}

/* T-IDEMP-14: the very token that paid, even though it is used up, or one that is good now. */
static enum step check_hit_lease(struct exchange *x, const struct idem_entry *e)
{
    uint8_t sha[SHA256_BYTES];
    struct lease *unused;
    if (needs_lease(x) && x->request.token.len && e->paid &&
        mgi_sha256(x->request.token.ptr, x->request.token.len, sha) &&
        mgi_equal_constant_time(sha, e->token, sizeof sha))
        return GO_ON;
    return check_lease(x, &unused);
}

/* The delta gives what the slots hold now, which can never set the client back (T-IDEMP-13). */
static enum step answer_hit(struct exchange *x, const struct idem_entry *e)
{
    const struct ds_state *now = &x->host->state;
    x->host->totals.hits++;
    mgi_event_hit(x->host, e);
    write_outcome(x, &e->outcome, true, now, e->changed);
    if (!fits(x->out)) {
        struct outcome o = response_too_large(x);
        write_outcome(x, &o, true, now, 0);
    }
    return ANSWERED;
}

static enum step look_up_key(struct exchange *x)
{
    const struct request *q = &x->request;
    uint8_t key[SHA256_BYTES];
    if (q->key.len == 0)
        return GO_ON;
    if (!mgi_sha256(q->key.ptr, q->key.len, key))
        return step_of(x, REQUEST_NOMEM);
    const struct idem_entry *e = mgi_idem_find(&x->host->cache, x->tool, key, mgi_now_ms());
    if (e) {
        if (memcmp(e->input, q->input_sha, SHA256_BYTES) != 0)
            return refuse_with(x, REFUSED_KEY_CONFLICT,
                               STR_LIT("idempotency_key reused with different input"));
        enum step step = check_hit_lease(x, e);
        return step == GO_ON ? answer_hit(x, e) : step;
    }
    x->entry = mgi_idem_entry_new(x->tool, key, q->input_sha);
    return x->entry ? GO_ON : step_of(x, REQUEST_NOMEM);
}

static enum step check_base(struct exchange *x)
{
    const struct ds_patch *patch = &x->request.state;
    char digest[65];
    if (!patch->has_base)
        return GO_ON;
    if (!mgi_ds_digest(&x->host->state, digest))
        return step_of(x, REQUEST_NOMEM);
    if (!str_is(patch->base, digest))
        return refuse_with(x, REFUSED_STATE_BASE, STR_LIT("ds_state base mismatch"));
    return GO_ON;
}

/* T-BRK-2. While it is open nothing runs, and no lease is consumed. */
static enum step check_breaker(struct exchange *x)
{
    struct host *h = x->host;
    int64_t wait_ms = mgi_breaker_wait(&h->breakers, x->tool, mgi_now_ms());
    return wait_ms ? tripped(x, "circuit open for ", h->tools.items[x->tool].aid, wait_ms) : GO_ON;
}

static enum step ready_worker(struct exchange *x)
{
    struct host *h = x->host;
    const struct tool *tool = &h->tools.items[x->tool];
    int64_t wait_ms;
    if (mgi_audit_forbids(&h->audit, tool->tier))
        return unavailable(x, "audit log"); /* recording that is the next try */
    x->limit_ms = mgi_call_limit(&h->settings, tool, x->request.timeout_ms);
    const char *why = mgi_host_ready(h, x->arena, x->limit_ms, &wait_ms);
    if (wait_ms)
        return tripped(x, why, STR_LIT(""), wait_ms);
    return why ? unavailable(x, why) : GO_ON;
}

/* The last thing that can refuse: from here on the tool function is called (T-FLOW-2). */
static enum step pay(struct exchange *x)
{
    struct lease *lease;
    enum step step = check_lease(x, &lease);
    if (step != GO_ON || !lease)
        return step;
    if (x->entry) {
        x->entry->paid = mgi_sha256(x->request.token.ptr, x->request.token.len, x->entry->token);
    }
    mgi_lease_consume(&x->host->leases, lease);
    const struct tool *t = &x->host->tools.items[x->tool];
    mgi_event_lease_consumed(x->host, t->aid, t->tier, x->request.token);
    return GO_ON;
}

static enum step run_tool(struct exchange *x)
{
    struct host *h = x->host;
    const struct request *q = &x->request;
    mgi_ds_copy(&x->before, &h->state);
    if (q->has_state)
        mgi_ds_patch_apply(&x->before, &q->state);
    const struct call call = {
        .tool = &h->tools.items[x->tool],
        .request_id = q->request_id,
        .key = q->key,
        .input = q->input,
        .limit_ms = x->limit_ms,
        .progress = q->progress,
        .before = &x->before,
    };
    x->outcome = mgi_host_call(h, x->arena, &call, &x->after);
    mgi_host_count(h, x->tool, &x->outcome);
    if (x->outcome.code == OUTCOME_UNAVAILABLE) { /* T-RSP-10: then the patch was not applied */
        mgi_ds_copy(&x->before, &h->state);
        mgi_ds_copy(&x->after, &h->state);
    }
    return GO_ON;
}

/* An answer that is too large takes the tool's changes with it (T-RSP-7). */
static enum step write_result(struct exchange *x)
{
    uint8_t changed = mgi_ds_changed(&x->before, &x->after);
    write_outcome(x, &x->outcome, false, &x->after, changed);
    if (!fits(x->out)) {
        x->outcome = response_too_large(x);
        mgi_ds_copy(&x->after, &x->before);
        write_outcome(x, &x->outcome, false, &x->after, 0);
    }
    return GO_ON;
}

static enum step commit(struct exchange *x)
{
    struct host *h = x->host;
    mgi_ds_copy(&h->state, &x->after);
    record(x, &x->outcome, &x->before, &x->after);
    if (x->entry && x->outcome.code != OUTCOME_UNAVAILABLE) { /* T-IDEMP-10 */
        uint8_t changed = mgi_ds_changed(&x->before, &x->after);
        if (!mgi_idem_store_take(&h->cache, x->entry, &x->outcome, changed, mgi_now_ms()))
            mgi_log(&h->log, LOG_WARN, "an outcome could not be remembered: out of memory");
        x->entry = NULL;
    }
    return ANSWERED;
}

static enum step answer_call(struct exchange *x)
{
    static enum step (*const steps[])(struct exchange *) = {
        find_tool,                  /* 3 */
        read_members,               /* 4 */
        check_input,   look_up_key, /* 5 */
        check_base,                 /* 6 */
        check_breaker,              /* 7 */
        ready_worker,               /* 7: the budget of starts; 8 */
        pay,                        /* 9 */
        run_tool,                   /* 10, 11 */
        write_result,               /* 14: it decides whether 12 happens */
        commit,                     /* 12, 13 */
    };
    enum step step = GO_ON;
    for (size_t i = 0; step == GO_ON; i++)
        step = steps[i](x);
    return step;
}

/* ---- lines -------------------------------------------------------------------------------- */

static enum step answer_command(struct exchange *x)
{
    char digest[65];
    struct answer_extras e = extras_of(x, &x->host->state, digest);
    if (!mgi_command(x->host, CHANNEL_DATA, x->arena, &x->request, &e, x->out))
        return step_of(x, REQUEST_NOMEM);
    return ANSWERED;
}

static enum step open_request(struct exchange *x, struct str line)
{
    struct json_error error;
    enum request_result rc =
        mgi_request_open(x->arena, line, REQUEST_SERVE, &x->request, &x->refusal, &error);
    if (rc == REQUEST_REFUSED && x->refusal.code == REFUSED_BAD_JSON) /* T-JSON-4 */
        mgi_log(&x->host->log, LOG_INFO, "request: %s at byte %zu", error.message, error.offset);
    mgi_audit_about(x->host, &x->request);
    return step_of(x, rc);
}

static enum step answer_line(struct exchange *x, struct str line, bool too_long)
{
    if (too_long)
        return refuse_with(x, REFUSED_TOO_LARGE, STR_LIT("request exceeds 10MB limit"));
    enum step step = open_request(x, line);
    if (step != GO_ON)
        return step;
    return x->request.aid.ptr[0] == '_' ? answer_command(x) : answer_call(x);
}

/* One line into its answer. False: memory ran out when the tool had run already, and no honest
 * answer is left but the end of the session (T-RSP-10). */
static bool answer(struct host *h, struct str line, bool too_long, struct buf *out)
{
    struct exchange x = {
        .host = h, .arena = &h->request, .started_ms = mgi_now_ms(), .tool = SIZE_MAX, .out = out
    };
    mgi_arena_reset(&h->request);
    mgi_buf_clear(out);
    enum step step = answer_line(&x, line, too_long);
    if (x.no_memory)
        unavailable(&x, "out of memory");
    else if (step == REFUSED)
        write_refusal(&x);
    mgi_audit_about(h, NULL);
    mgi_idem_entry_free(x.entry);
    mgi_request_fini(&x.request);
    mgi_ds_fini(&x.before);
    mgi_ds_fini(&x.after);
    return !out->oom;
}

/* The next line to answer; waits for it. LINE_NONE: there is none, or nobody to be answered. */
static enum line_event await_line(struct host *h, struct str *line)
{
    for (;;) {
        if (h->stop)
            return LINE_NONE;
        enum line_event event = mgi_line_queue_next(&h->input, line);
        if (event != LINE_NONE || h->input.ended || h->reader_lost)
            return event;
        mgi_host_pump(h, PUMP_INPUT, -1);
    }
}

int mgi_serve(struct host *h, const char **why)
{
    struct buf out = { 0 };
    int exit_code = 0;
    *why = "end of input";
    for (;;) {
        struct str line = { 0 };
        enum line_event event = await_line(h, &line);
        bool too_long = event == LINE_TOO_LONG;
        if ((event == LINE_NONE && !h->reader_lost) || (event == LINE_TEXT && line.len == 0))
            break; /* T-CLI-14, T-CLI-21 */
        if (event == LINE_NOMEM || event == LINE_NONE || !answer(h, line, too_long, &out) ||
            !mgi_host_write(h, mgi_buf_view(&out))) {
            *why = h->reader_lost ? "nobody reads the answers" : "out of memory";
            mgi_log(&h->log, LOG_ERROR, "%s", *why);
            exit_code = 1;
            break;
        }
    }
    if (h->stop && exit_code == 0)
        *why = "signal";
    mgi_buf_fini(&out);
    return exit_code;
}
