/* An intent: evaluated on a worker, which keeps an overlay from request to request. */
#include "server/server_int.h"

static int64_t monotonic_ns(void *context)
{
    (void)context;
    return mgi_mono_ns();
}

struct intent_worker *mgi_worker_of(const struct request *r)
{
    void **local = r->task.local;
    if (!*local)
        *local = mgi_intent_worker_new();
    return *local;
}

/* Who is local may, and everybody else by permission: what is absent is no news for strangers. */
static bool may_ask_why_not(const struct request *r)
{
    return !r->envelope.why_not || mgi_principal_may_ask_why(r->who);
}

enum stage_result mgi_stage_evaluate(struct request *r)
{
    struct server *s = r->server;
    struct why_not_question why_not = { .tools = r->envelope.why_not,
                                        .in_full = s->options.tells_author,
                                        .answer = &r->extensions };
    struct intent_worker *worker = mgi_worker_of(r);
    struct intent_record record;
    r->judged_ns = mgi_server_clock_ns(s);
    struct intent_call call = {
        .snapshot = r->served->snapshot,
        .who = r->who,
        .payload = r->envelope.payload,
        .clock_ns = r->judged_ns,
        .mono = monotonic_ns,
        .cancelled = mgi_request_is_cancelled,
        .cancel_context = r,
        .signing = s->options.signing,
        .store = s->options.store,
        .log = &s->log,
        .notes = &r->intent_notes,
        .why_not = r->envelope.why_not ? &why_not : NULL,
        .why_not_fault = r->envelope.why_not_fault,
    };
    if (s->options.slow_rule_ns > 0 || s->options.costs) {
        call.costs = mgi_request_costs;
        call.costs_context = r;
    }
    if (!may_ask_why_not(r))
        return mgi_request_fail(r, WIRE_AUTH_INSUFFICIENT,
                                "{\"required_permissions\":[\"why_not\"]}",
                                "To ask why a tool is absent takes the permission why_not.");
    r->evaluated = true;
    if (!worker)
        return mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    if (mgi_decide_asked(r, &record))
        call.record = &record;
    mgi_answer_open(r);
    if (call.why_not)
        mgi_buf_puts(&r->extensions, "{\"x-why-not\":");
    if (mgi_intent_evaluate(worker, &call, &r->arena, &r->answer, &r->error)) {
        if (call.why_not)
            mgi_buf_putc(&r->extensions, '}');
        mgi_answer_close(r);
    }
    mgi_decide_evaluated(r);
    return STAGE_ANSWER;
}
