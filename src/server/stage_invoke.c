/* An invocation: the steps of invoke/invoke.h, and what its idempotency key asks for. */
#include "base/encode.h"
#include "server/server_int.h"
#include "sys/random.h"

/* ---- join ---------------------------------------------------------------------------------- */

bool mgi_has_no_key(const struct request *r)
{
    return r->once.key.ptr == NULL;
}

enum stage_result mgi_stage_join(struct request *r)
{
    return mgi_once_join(r);
}

void mgi_cancel_join(struct request *r)
{
    mgi_once_leave(r);
    mgi_request_resume(r, STAGE_NEXT); /* which sees that it was cancelled */
}

/* ---- check --------------------------------------------------------------------------------- */

static bool make_invocation(struct request *r)
{
    struct server *s = r->server;
    uint8_t random[16];
    if (!mgi_random(random, sizeof random)) {
        mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server has no randomness.");
        return false;
    }
    mgi_hex(random, sizeof random, r->invocation_id);
    r->header = mgi_run_header((struct str){ r->invocation_id, 32 }, mgi_request_shown_id(r),
                               s->options.deterministic_run_id);
    r->judged_ns = mgi_server_clock_ns(s);
    const struct invoke_call call = mgi_request_call(r);
    struct invoke_fault faults[4] = { 0 };
    size_t count = 0;
    if (r->envelope.key_fault)
        faults[count++] =
            (struct invoke_fault){ "/extensions/x-idempotency-key", r->envelope.key_fault };
    if (r->envelope.dry_run_fault)
        faults[count++] =
            (struct invoke_fault){ "/extensions/x-dry-run", r->envelope.dry_run_fault };
    if (r->envelope.key_only_fault)
        faults[count++] =
            (struct invoke_fault){ "/extensions/x-idempotency-only", r->envelope.key_only_fault };
    r->invocation = mgi_invocation_new(&r->arena, &call, faults, &r->error);
    return r->invocation != NULL;
}

/* A dry run ends here: it is told what would come next. */
static enum stage_result rehearse(struct request *r)
{
    mgi_answer_open(r);
    mgi_buf_puts(&r->extensions, "{\"x-dry-run\":");
    if (mgi_invocation_rehearse(r->invocation, &r->answer, &r->extensions, &r->error)) {
        mgi_buf_putc(&r->extensions, '}');
        mgi_answer_close(r);
    }
    return STAGE_ANSWER;
}

static enum stage_result check(struct request *r)
{
    if (!make_invocation(r))
        return STAGE_ANSWER;
    bool begun = r->parked && str_eq(r->parked->key, r->once.key); /* by what waits */
    if (r->once.key.ptr && !begun && mgi_once_begin(r) == STAGE_ANSWER)
        return STAGE_ANSWER;
    struct intent_worker *judge = mgi_worker_of(r);
    if (!judge)
        return mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    if (!mgi_invocation_check(r->invocation, judge, &r->error))
        return STAGE_ANSWER;
    return r->envelope.dry_run ? rehearse(r) : STAGE_NEXT;
}

enum stage_result mgi_stage_check(struct request *r)
{
    enum stage_result result = check(r);
    mgi_decide_invocation(r, result == STAGE_ANSWER);
    return result;
}

/* ---- reserve, spend, chain ------------------------------------------------------------------ */

/* Twice: before a consent is spent, which may have to wait for a worker, and before it begins. */
static bool is_timely(struct request *r)
{
    return mgi_invocation_is_timely(r->invocation, mgi_server_clock_ns(r->server), &r->error);
}

static void reserved(void *context, const struct wire_error *e)
{
    struct request *r = context;
    if (!e) {
        mgi_request_resume(r, is_timely(r) ? STAGE_NEXT : STAGE_ANSWER);
        return;
    }
    r->error = *e; /* its message is a constant */
    r->error.details = mgi_arena_str(&r->arena, e->details);
    mgi_request_resume(r, STAGE_ANSWER);
}

enum stage_result mgi_stage_reserve(struct request *r)
{
    if (mgi_journal_gate(r) == STAGE_ANSWER)
        return STAGE_ANSWER;
    if (r->parked) /* which session it needs, it knows itself */
        return is_timely(r) ? STAGE_NEXT : STAGE_ANSWER;
    if (!mgi_invocation_reserve(r->invocation, reserved))
        return STAGE_WAIT;
    return is_timely(r) ? STAGE_NEXT : STAGE_ANSWER;
}

void mgi_cancel_invocation(struct request *r)
{
    mgi_invocation_cancel(r->invocation);
}

bool mgi_is_not_consented(const struct request *r)
{
    return !mgi_invocation_is_consented(r->invocation);
}

enum stage_result mgi_stage_spend(struct request *r)
{
    bool spent = mgi_invocation_spend(r->invocation, &r->error);
    mgi_decide_invocation(r, false);
    return spent ? STAGE_NEXT : STAGE_ANSWER;
}

static void ran(void *context);

/* The chain is over, or asks a person. Where there is no room for it to wait, nobody is asked. */
static enum stage_result at_rest(struct request *r)
{
    const char *why = r->lapse_why ? r->lapse_why : "unavailable";
    while (mgi_invocation_asks(r->invocation) && (r->lapse_why || !mgi_parked_take_place(r)))
        if (!mgi_invocation_go_on(r->invocation, why, ran))
            return STAGE_WAIT;
    return STAGE_NEXT;
}

static void ran(void *context)
{
    struct request *r = context;
    if (at_rest(r) == STAGE_NEXT)
        mgi_request_resume(r, STAGE_NEXT);
}

enum stage_result mgi_stage_chain(struct request *r)
{
    struct invocation *by = r->invocation;
    if (!is_timely(r))
        return STAGE_ANSWER;
    r->chained = true;
    if (!r->parked)
        return mgi_invocation_run(r->invocation, ran) ? at_rest(r) : STAGE_WAIT;
    mgi_parked_adopt(r, by);
    mgi_invocation_free(by);
    return mgi_invocation_go_on(r->invocation, NULL, ran) ? at_rest(r) : STAGE_WAIT;
}

enum stage_result mgi_stage_lapse(struct request *r)
{
    mgi_parked_adopt(r, NULL);
    return mgi_invocation_go_on(r->invocation, r->lapse_why, ran) ? at_rest(r) : STAGE_WAIT;
}

#define BRIEF_BYTES 4096 /* of a request whose invocation the loop may conclude */

/* ---- conclude, keep ------------------------------------------------------------------------- */

/* A result may repeat what came with the request, and a decision log wants it once more. */
bool mgi_conclude_is_brief(const struct request *r)
{
    return r->text.len <= BRIEF_BYTES && !r->server->options.decisions &&
           mgi_invocation_is_plain(r->invocation);
}

enum stage_result mgi_stage_conclude(struct request *r)
{
    struct intent_worker *worker = mgi_conclude_is_brief(r) ? NULL : mgi_worker_of(r);
    mangle_overlay *spare = worker ? mgi_intent_worker_overlay(worker, r->served->snapshot) : NULL;
    mgi_answer_open(r);
    mgi_invocation_conclude(r->invocation, spare, &r->answer, &r->error);
    if (r->error.code == WIRE_OK)
        mgi_answer_close(r);
    mgi_decide_invocation(r, true);
    return STAGE_ANSWER;
}

static bool is_to_wait(const struct request *r)
{
    return r->invocation && mgi_invocation_asks(r->invocation);
}

/* What waits for a person stays begun, under the key that it began with. */
bool mgi_has_nothing_to_keep(const struct request *r)
{
    return !r->once.begun || (is_to_wait(r) && !r->once.also.ptr);
}

/* A refusal leaves the key free; so does a failure before anything was asked of an action. */
enum stage_result mgi_stage_keep(struct request *r)
{
    bool good = r->error.code == WIRE_OK && !r->answer.oom;
    if (is_to_wait(r))
        mgi_once_end(r, false);
    else
        mgi_once_end(r, good || (r->invocation && mgi_invocation_acted(r->invocation)));
    return STAGE_NEXT;
}

bool mgi_is_settled(const struct request *r)
{
    return !r->unsettled || is_to_wait(r);
}

enum stage_result mgi_stage_settle(struct request *r)
{
    r->settling = true;
    return STAGE_WAIT;
}
