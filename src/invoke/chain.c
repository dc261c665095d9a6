/* The chain: steps run one after the other, each in a toolhost process (toolhost.md chapter 11).
 *
 *     prepare ──none left──────────────────────────────────────────> over
 *      │  └─inputs─> session ─> call ─> outcome ─> digest ─> prepare …
 *      └─condition false, no time, cancelled: skipped, the next one
 *
 * Preparing (conditions, inputs, their schema) and digesting (output, its schema, the delta) take
 * time that grows with what tools return: both are done where they stand if they are surely brief,
 * else on a worker. Everything else is on the loop.
 *
 * A session belongs to this invocation from its first step to its last (T-MCP-1); a chain whose
 * actions come from several plugins holds one of each. The first is reserved before anything has
 * happened, so that "all hosts are busy" can be said without consequences. */
#include "base/time.h"
#include "invoke/chain_int.h"

#define PROGRESS_GAP_NS (100 * NS_PER_MS) /* at most ten a second (T-MCP-30) */

/* ---- progress ---------------------------------------------------------------------------- */

static void report(struct invocation *inv, const char *status, struct str detail)
{
    int64_t now = (int64_t)uv_hrtime();
    bool running = strcmp(status, "running") == 0;
    if (!inv->call.progress || !inv->call.wants_progress ||
        (running && now - inv->last_progress_ns < PROGRESS_GAP_NS))
        return;
    double percent = inv->run_count ? 100.0 * (double)inv->current / (double)inv->run_count : 0;
    if (percent > 99)
        percent = 99; /* below 100 until the response */
    if (percent < inv->last_percent)
        percent = inv->last_percent;
    inv->last_percent = percent;
    if (running) /* "started" must not swallow the first step's */
        inv->last_progress_ns = now;
    inv->call.progress(inv->call.context, status, detail, percent);
}

/* ---- sending a step ---------------------------------------------------------------------- */

static int64_t step_timeout_ms(const struct invocation *inv, const struct step *step)
{
    int64_t ms = mgi_chain_left_ms(inv) - STEP_RESERVE_MS;
    int64_t own = step->timeout_ms ? step->timeout_ms : step->action->timeout_ms;
    int64_t usual = inv->snapshot->settings.action_timeout_ms;
    if (own > 0 && own < ms)
        ms = own;
    if (own <= 0 && usual > 0 && usual < ms)
        ms = usual;
    return ms;
}

static void send_step(struct invocation *inv, struct plugin_session *session)
{
    const struct step *step = inv->runs[inv->current].step;
    struct tool_request request = {
        .arena = inv->arena,
        .aid = step->action->aid,
        .inputs = &inv->inputs,
        .invocation_id = inv->call.invocation_id,
        .step = (uint32_t)inv->current,
        .timeout_ms = step_timeout_ms(inv, step),
        .tier = step->action->tier,
        .issuer = inv->macro.requires_confirmation ? "confirmation" : "policy",
        .first = session->fresh,
    };
    session->fresh = false;
    inv->prepared = false;
    inv->acted = true;
    inv->state = CHAIN_CALLING;
    report(inv, "running", step->action->name);
    mgi_toolsession_call(session->session, &request, mgi_chain_step_done, inv);
}

/* ---- the loop ---------------------------------------------------------------------------- */

static void over(struct invocation *inv)
{
    inv->state = CHAIN_OVER;
    mgi_chain_release(inv); /* others may have them while the answer is made */
    report(inv, "finalizing", (struct str){ NULL, 0 });
    if (!inv->inside)
        inv->ran(inv->call.context);
}

static void tell_reserved(struct invocation *inv)
{
    inv->reserving = false;
    if (!inv->inside)
        inv->reserved(inv->call.context, NULL);
}

static void prepared_task(struct task *t)
{
    struct invocation *inv = mgi_chain_of_task(t);
    inv->state = CHAIN_IDLE;
    if (inv->cancelled && inv->reserving) {
        mgi_chain_refuse(inv, WIRE_CANCELLED, "", "The request was cancelled.", -1);
        return;
    }
    if (inv->cancelled && inv->current < inv->run_count)
        inv->prepared = false; /* too late for the worker to see: look again, and skip the rest */
    mgi_chain_advance(inv);
}

/* Go on until something has to be waited for. */
void mgi_chain_advance(struct invocation *inv)
{
    for (;;) {
        if (!inv->prepared && !mgi_chain_is_brief(inv) &&
            mgi_chain_hand_over(inv, CHAIN_COMPOSING, mgi_chain_prepare_task, prepared_task))
            return;
        if (!inv->prepared)
            mgi_chain_prepare(inv);
        bool left = inv->current < inv->run_count;
        struct plugin_session *session = NULL;
        if (left && !inv->fault) {
            const struct action_provider *provider = inv->runs[inv->current].step->action->provider;
            session = mgi_chain_session(inv, provider);
            if (!session && mgi_chain_take(inv, provider))
                return;
            if (!session)
                inv->fault = "the server ran out of memory";
        }
        if (session && !inv->reserving) {
            send_step(inv, session);
            return;
        }
        if (session || (!left && inv->reserving)) {
            tell_reserved(inv);
            return;
        }
        if (!left) {
            over(inv);
            return;
        }
        mgi_chain_failed(inv, str_of(inv->fault), (struct str){ 0 }, "tool_error", false);
        inv->prepared = false;
    }
}

bool mgi_invocation_reserve(struct invocation *inv,
                            void (*reserved)(void *context, const struct wire_error *e))
{
    inv->reserved = reserved;
    inv->reserving = inv->inside = true;
    mgi_chain_advance(inv);
    inv->inside = false;
    return !inv->reserving;
}

bool mgi_invocation_run(struct invocation *inv, void (*ran)(void *context))
{
    inv->ran = ran;
    report(inv, "started", inv->tool->name);
    inv->inside = true;
    mgi_chain_advance(inv);
    inv->inside = false;
    return inv->state == CHAIN_OVER;
}

bool mgi_invocation_acted(const struct invocation *inv)
{
    return inv->acted;
}

void mgi_invocation_cancel(struct invocation *inv)
{
    if (inv->cancelled)
        return;
    inv->cancelled = true;
    switch (inv->state) {
    case CHAIN_TAKING:
        mgi_toolsession_forget(inv->ticket);
        inv->ticket = NULL;
        inv->state = CHAIN_IDLE;
        inv->prepared = false;
        if (inv->reserving)
            mgi_chain_refuse(inv, WIRE_CANCELLED, "", "The request was cancelled.", -1);
        else
            mgi_chain_advance(inv);
        return;
    case CHAIN_CALLING:
        mgi_toolsession_cancel(
            mgi_chain_session(inv, inv->runs[inv->current].step->action->provider)->session);
        return;
    case CHAIN_IDLE:
    case CHAIN_COMPOSING: /* it is looked at again when the worker is through */
    case CHAIN_DIGESTING:
    case CHAIN_OVER:
        return;
    }
}

bool mgi_invocation_is_harmless(const struct invocation *inv)
{
    size_t first = inv->state == CHAIN_COMPOSING ? inv->settled : inv->current;
    for (size_t i = first; i < inv->run_count; i++)
        if (inv->runs[i].step->action->tier > 0)
            return false;
    return true;
}

void mgi_invocation_free(struct invocation *inv)
{
    if (!inv)
        return;
    mgi_chain_release(inv);
    mangle_overlay_free(inv->overlay);
    inv->overlay = NULL;
}
