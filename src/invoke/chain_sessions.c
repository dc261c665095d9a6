/* The sessions of a chain.
 *
 * A session is this invocation's alone while it has it (T-MCP-1). One of each provider stays from
 * its first step to its last, so that a sequence of steps finds its working state there; further
 * ones, for steps that run beside each other, go back as soon as they are idle, and between two
 * calls if somebody else waits. A chain that waits for a session while nothing of it runs has none:
 * or two chains could each hold what the other waits for. What a session no longer has, the next
 * request brings along. */
#include <inttypes.h>

#include "base/time.h"
#include "invoke/chain_int.h"

#define BUSY_RETRY_MS 1000

/* ---- refusing ------------------------------------------------------------------------------ */

void mgi_chain_refuse(struct invocation *inv, enum wire_code code, const char *details,
                      const char *message, int64_t retry_ms)
{
    struct wire_error e = {
        .code = code, .message = message, .details = str_of(details), .retry_after_ms = retry_ms
    };
    inv->chain->reserving = false;
    inv->reserved(inv->call.context, &e);
}

/* Too many invocations are open for the hosts there are, and nothing has happened yet: of the codes
 * of protocol.md part 4 that is rate_limited ("too many open ones"; wait and ask again).
 * server_not_ready speaks of a server that boots or drains, execution_failed of a tool that ran. */
static void refuse_session(struct invocation *inv, enum toolsession_refusal refusal,
                           const char *why)
{
    char details[48];
    if (refusal == SESSION_NEVER) {
        mgi_log(inv->call.log, LOG_WARN, "invocation %.*s: %s", STR_ARG(inv->call.invocation_id),
                why);
        mgi_chain_refuse(inv, WIRE_SERVER_NOT_READY, "{\"status\":\"draining\"}",
                         "The tool cannot be started any more.", BUSY_RETRY_MS);
        return;
    }
    snprintf(details, sizeof details, "{\"limit\":%" PRIu32 "}", inv->snapshot->settings.hosts);
    mgi_chain_refuse(inv, WIRE_RATE_LIMITED, details, "Everything that can run this tool is busy.",
                     BUSY_RETRY_MS);
}

/* ---- asking for them ------------------------------------------------------------------------ */

struct census {
    const struct action_provider *provider;
    size_t unseated;
    struct step_call *first; /* of them */
};

static void count_unseated(struct step_call *call, void *context)
{
    struct census *c = context;
    if (call->state != CALL_READY || call->session ||
        mgi_call_action(call)->provider != c->provider)
        return;
    if (c->unseated++ == 0)
        c->first = call;
}

static struct census take_census(struct invocation *inv, const struct action_provider *provider)
{
    struct census c = { .provider = provider };
    mgi_calls_each(inv, count_unseated, &c);
    return c;
}

static size_t count_wishes(const struct chain *c, const struct action_provider *provider)
{
    size_t count = 0;
    for (size_t i = 0; i < c->limit; i++)
        count += c->wishes[i].ticket && c->wishes[i].provider == provider;
    return count;
}

static bool has_session(const struct chain *c, const struct action_provider *provider)
{
    for (size_t i = 0; i < c->session_cap; i++)
        if (c->sessions[i].session && c->sessions[i].provider == provider)
            return true;
    return false;
}

static void fail_unseated(struct step_call *call, const char *why)
{
    call->result = (struct tool_result){ .outcome = TOOL_UNAVAILABLE, .error = str_of(why) };
    mgi_call_digested(call);
}

static void session_ready(void *context, struct toolsession *session,
                          enum toolsession_refusal refusal, const char *why)
{
    struct session_wish *wish = context;
    struct invocation *inv = wish->inv;
    struct chain *c = inv->chain;
    wish->ticket = NULL;
    if (!session && c->reserving) {
        refuse_session(inv, refusal, why);
        return;
    }
    size_t place = 0;
    while (place < c->session_cap && c->sessions[place].session)
        place++;
    struct step_call *waits = take_census(inv, wish->provider).first;
    if (session && place < c->session_cap)
        c->sessions[place] =
            (struct held_session){ .provider = wish->provider, .session = session };
    else if (session)
        mgi_toolsession_release(session);
    else if (waits && (refusal != SESSION_BUSY || !has_session(c, wish->provider)))
        fail_unseated(waits, why); /* else it has the next that is free of its own */
    inv->chain->ways->advance(inv);
}

/* False: memory. */
static bool wish_for(struct step_call *call)
{
    struct invocation *inv = call->inv;
    struct session_wish *wish = inv->chain->wishes;
    int64_t wait_ms = inv->snapshot->settings.host_wait_ms, left_ms = mgi_chain_left_ms(call);
    while (wish->ticket) /* there are as many places as calls */
        wish++;
    *wish = (struct session_wish){ .inv = inv, .provider = mgi_call_action(call)->provider };
    struct toolwish asked = { .provider = wish->provider,
                              .owner = inv->call.owner,
                              .wait_ms = left_ms < 0         ? 0
                                         : left_ms < wait_ms ? left_ms
                                                             : wait_ms,
                              .ready = session_ready,
                              .context = wish };
    wish->ticket = mgi_toolsession_take(inv->call.pool, &asked);
    return wish->ticket != NULL;
}

static void forget_wish(struct session_wish *wish)
{
    mgi_toolsession_forget(wish->ticket);
    wish->ticket = NULL;
}

void mgi_sessions_forget_wishes(struct invocation *inv)
{
    for (size_t i = 0; inv->chain && i < inv->chain->limit; i++)
        if (inv->chain->wishes[i].ticket)
            forget_wish(&inv->chain->wishes[i]);
}

/* ---- seating -------------------------------------------------------------------------------- */

/* An idle one; best one whose state is what the step begins with. */
static struct held_session *find_idle(const struct invocation *inv, const struct step_call *call)
{
    struct held_session *best = NULL;
    for (size_t i = 0; i < inv->chain->session_cap; i++) {
        struct held_session *s = &inv->chain->sessions[i];
        if (!s->session || s->user || s->provider != mgi_call_action(call)->provider)
            continue;
        if (mgi_session_is_current(s) && !call->undo &&
            mgi_graph_follows(inv, call->run, s->provider, s->last))
            return s;
        best = best ? best : s;
    }
    return best;
}

static void seat(struct step_call *call, void *context)
{
    struct invocation *inv = context;
    if (call->state != CALL_READY || inv->chain->pausing)
        return;
    if (!call->undo && (inv->chain_ended || atomic_load(&inv->cancelled))) {
        if (call->session)
            call->session->user = NULL;
        call->session = NULL;
        mgi_call_dropped(call);
        return;
    }
    if (!inv->chain->reserving && mgi_call_is_too_late(call))
        return;
    struct held_session *s = call->session ? call->session : find_idle(inv, call);
    if (s) {
        s->user = call;
        call->session = s;
        if (!inv->chain->reserving)
            mgi_call_send(call);
        return;
    }
    const struct action_provider *provider = mgi_call_action(call)->provider;
    if (count_wishes(inv->chain, provider) < take_census(inv, provider).unseated && !wish_for(call))
        mgi_call_failed(call, STR_LIT("the server ran out of memory"), (struct str){ 0 },
                        "tool_error", false);
}

/* ---- giving them back ----------------------------------------------------------------------- */

static void release(struct held_session *s)
{
    mgi_toolsession_release(s->session);
    *s = (struct held_session){ 0 };
}

static bool is_extra(const struct chain *c, const struct held_session *s)
{
    for (size_t i = 0; i < c->session_cap; i++)
        if (&c->sessions[i] != s && c->sessions[i].session &&
            c->sessions[i].provider == s->provider)
            return true;
    return false;
}

static bool others_wait(const struct invocation *inv)
{
    struct toolpool_stats stats;
    size_t own = 0;
    for (size_t i = 0; i < inv->chain->limit; i++)
        own += inv->chain->wishes[i].ticket != NULL;
    mgi_toolpool_stats(inv->call.pool, &stats);
    return stats.waiting > own;
}

void mgi_sessions_seat(struct invocation *inv)
{
    struct chain *c = inv->chain;
    for (size_t i = 0; i < c->session_cap; i++) {
        struct held_session *s = &c->sessions[i];
        if (s->session && !s->user && is_extra(c, s) && others_wait(inv))
            release(s);
    }
    mgi_calls_each(inv, seat, inv);
}

static bool is_needed_later(const struct invocation *inv, const struct action_provider *provider)
{
    bool needed = inv->chain->undoing;
    for (size_t i = 0; i < inv->run_count; i++)
        needed |= inv->runs[i].state == STEP_PENDING && mgi_step_uses(inv->runs[i].step, provider);
    return needed;
}

void mgi_sessions_let_go(struct invocation *inv)
{
    struct chain *c = inv->chain;
    bool waits = false, runs = false;
    for (size_t i = 0; i < c->limit; i++) {
        struct session_wish *wish = &c->wishes[i];
        if (wish->ticket &&
            count_wishes(c, wish->provider) > take_census(inv, wish->provider).unseated)
            forget_wish(wish);
        waits |= wish->ticket != NULL;
    }
    for (size_t i = 0; i < c->session_cap; i++)
        runs |= c->sessions[i].user != NULL;
    for (size_t i = 0; i < c->session_cap; i++) {
        struct held_session *s = &c->sessions[i];
        if (s->session && !s->user &&
            ((waits && !runs) || is_extra(c, s) || !is_needed_later(inv, s->provider)))
            release(s);
    }
}

void mgi_sessions_release_all(struct invocation *inv)
{
    for (size_t i = 0; inv->chain && inv->chain->sessions && i < inv->chain->session_cap; i++)
        if (inv->chain->sessions[i].session)
            release(&inv->chain->sessions[i]);
}
