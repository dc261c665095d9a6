/* --list and --run: one answer and the end (toolhost.md 2.2, 2.3). */
#include "toolhost/events.h"

#include <string.h>

/* Write the answer; the exit code is 1 if that fails. */
static int finish(struct host *h, const struct buf *out, int exit_code)
{
    return !out->oom && mgi_host_write(h, mgi_buf_view(out)) ? exit_code : 1;
}

int mgi_list(struct host *h)
{
    struct buf out = { 0 };
    mgi_tools_write(&out, &h->tools);
    int exit_code = finish(h, &out, 0);
    mgi_buf_fini(&out);
    return exit_code;
}

/* ---- --run -------------------------------------------------------------------------------- */

struct run {
    struct host *host;
    struct str aid;
    size_t tool;
    int64_t started_ms;
    struct request request;
    struct refusal refusal;
    struct ds_state before, after;
    struct outcome outcome;
    size_t given_bytes; /* of the state in the request, serialised (T-RSP-7) */
    struct buf out;
};

static struct answer_extras run_extras(struct run *r, const struct ds_state *state, char digest[65])
{
    struct answer_extras e = { .request_id = r->request.request_id, .ds_digest = digest };
    e.duration_ms = mgi_now_ms() - r->started_ms;
    if (e.request_id.len && !mgi_ds_digest(state, digest))
        r->out.oom = true;
    return e;
}

static int refusal_exit(struct run *r)
{
    char digest[65];
    struct answer_extras e = run_extras(r, &r->before, digest);
    mgi_answer_refusal(&r->out, &r->refusal, &e);
    mgi_event_refused(r->host, r->aid, r->refusal.code);
    return mgi_refusal_exit(r->refusal.code);
}

static void write_full_outcome(struct run *r)
{
    char digest[65];
    struct answer_extras e = run_extras(r, &r->after, digest);
    mgi_buf_clear(&r->out);
    mgi_answer_result(&r->out, &r->outcome, false, &(struct answer_state){ &r->after, true, 0 },
                      &e);
}

static int outcome_exit(struct run *r)
{
    size_t cap = MAX_RESPONSE_BYTES + r->given_bytes;
    write_full_outcome(r);
    if (r->out.len > cap) {
        r->outcome =
            mgi_outcome_failed(&r->host->request, OUTCOME_TOO_LARGE,
                               "response too large: %zu bytes (limit %zu)", r->out.len, cap);
        mgi_ds_copy(&r->after, &r->before);
        write_full_outcome(r);
    }
    const struct call_event e = { .tool = &r->host->tools.items[r->tool],
                                  .input_sha = r->request.input_sha,
                                  .duration_ms = mgi_now_ms() - r->started_ms,
                                  .outcome = &r->outcome,
                                  .before = &r->before,
                                  .after = &r->after };
    mgi_event_call(r->host, &e);
    return mgi_outcome_exit(r->outcome.code);
}

static int fail_run(struct run *r, enum outcome_code code, const char *text)
{
    r->outcome = mgi_outcome_failed(&r->host->request, code, "%s", text);
    mgi_ds_copy(&r->after, &r->before);
    return outcome_exit(r);
}

/* An AID that is not there is told without waiting for the request (T-CLI-32). */
static bool find_named_tool(struct run *r)
{
    r->tool = mgi_tools_find(&r->host->tools, r->aid);
    if (r->tool != SIZE_MAX)
        return true;
    mgi_refuse(&r->host->request, &r->refusal, REFUSED_NOT_FOUND, "tool not found: %.*s",
               STR_ARG(r->aid));
    return false;
}

/* All of standard input, up to one byte more than allowed, in `input.bytes`. False: a signal came
 * first. */
static bool read_all(struct host *h)
{
    const struct buf *bytes = &h->input.bytes;
    while (!h->input.ended && bytes->len <= MAX_REQUEST_BYTES && !bytes->oom) {
        if (h->stop || h->reader_lost)
            return false;
        mgi_host_pump(h, PUMP_INPUT, -1);
    }
    return true;
}

static enum request_result read_request(struct run *r)
{
    struct host *h = r->host;
    struct str text = mgi_buf_view(&h->input.bytes);
    struct json_error error;
    if (h->input.bytes.oom)
        return REQUEST_NOMEM;
    if (text.len > MAX_REQUEST_BYTES)
        return mgi_refuse(&h->request, &r->refusal, REFUSED_TOO_LARGE, "stdin exceeds 10MB limit");
    enum request_result rc =
        mgi_request_open(&h->request, text, REQUEST_RUN, &r->request, &r->refusal, &error);
    if (rc == REQUEST_REFUSED && r->refusal.code == REFUSED_BAD_JSON)
        mgi_log(&h->log, LOG_INFO, "request: %s at byte %zu", error.message, error.offset);
    if (rc == REQUEST_OK)
        rc = mgi_request_read(&h->request, REQUEST_RUN, r->aid, &r->request, &r->refusal);
    mgi_audit_about(h, &r->request);
    return rc;
}

static enum request_result check_run_input(struct run *r)
{
    struct host *h = r->host;
    const char *fault = mgi_input_fault(&h->inputs, r->tool, &r->request.input_value, &h->request);
    if (!fault)
        return REQUEST_OK;
    return mgi_refuse(&h->request, &r->refusal, REFUSED_BAD_INPUT, "invalid input: %s", fault);
}

/* A delta is applied to an empty state (T-STATE-13), so `base` has to be the empty state's. */
static enum request_result check_state(struct run *r)
{
    const struct ds_patch *patch = &r->request.state;
    char digest[65];
    if (patch->has_base) {
        if (!mgi_ds_digest(&r->before, digest))
            return REQUEST_NOMEM;
        if (!str_is(patch->base, digest))
            return mgi_refuse(&r->host->request, &r->refusal, REFUSED_STATE_BASE,
                              "ds_state base mismatch");
    }
    return REQUEST_OK;
}

/* There is no lease in a process that ends after one call (T-LEASE-19). */
static enum request_result check_tier(struct run *r)
{
    const struct tool *t = &r->host->tools.items[r->tool];
    if (!r->host->settings.lease_enforce || t->tier == 0)
        return REQUEST_OK;
    r->refusal = (struct refusal){ .code = REFUSED_LEASE_REQUIRED,
                                   .error = STR_LIT("lease_required"),
                                   .tier = t->tier,
                                   .aid = t->aid };
    return REQUEST_REFUSED;
}

static size_t serialised_size(const struct ds_state *state)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_ds_write_full(&w, state);
    size_t size = text.len;
    mgi_buf_fini(&text);
    return size;
}

static int call_tool(struct run *r)
{
    struct host *h = r->host;
    const struct request *q = &r->request;
    if (q->has_state) {
        mgi_ds_patch_apply(&r->before, &q->state);
        r->given_bytes = serialised_size(&r->before);
    }
    const struct tool *tool = &h->tools.items[r->tool];
    int64_t limit_ms = mgi_call_limit(&h->settings, tool, q->timeout_ms);
    int64_t wait_ms;
    const char *why = mgi_audit_forbids(&h->audit, tool->tier)
                          ? "audit log"
                          : mgi_host_ready(h, &h->request, limit_ms, &wait_ms);
    if (why) {
        char *text = mgi_arena_printf(&h->request, "worker unavailable: %s", why);
        return fail_run(r, OUTCOME_UNAVAILABLE, text ? text : "worker unavailable");
    }
    const struct call call = {
        .tool = tool,
        .request_id = q->request_id,
        .input = q->input,
        .limit_ms = limit_ms,
        .before = &r->before,
    };
    r->outcome = mgi_host_call(h, &h->request, &call, &r->after);
    mgi_host_count(h, r->tool, &r->outcome);
    return outcome_exit(r);
}

static int run_once(struct run *r)
{
    if (!find_named_tool(r))
        return refusal_exit(r);
    if (!read_all(r->host))
        return fail_run(r, OUTCOME_CANCELLED, "tool cancelled");
    enum request_result rc = read_request(r);
    if (rc == REQUEST_OK)
        rc = check_run_input(r);
    if (rc == REQUEST_OK)
        rc = check_state(r);
    if (rc == REQUEST_OK)
        rc = check_tier(r);
    if (rc == REQUEST_NOMEM)
        return fail_run(r, OUTCOME_UNAVAILABLE, "worker unavailable: out of memory");
    return rc == REQUEST_OK ? call_tool(r) : refusal_exit(r);
}

int mgi_run(struct host *h, const char *aid)
{
    struct run r = { .host = h, .aid = str_of(aid), .started_ms = mgi_now_ms() };
    int exit_code = finish(h, &r.out, run_once(&r));
    mgi_audit_about(h, NULL);
    mgi_request_fini(&r.request);
    mgi_ds_fini(&r.before);
    mgi_ds_fini(&r.after);
    mgi_buf_fini(&r.out);
    return exit_code;
}
