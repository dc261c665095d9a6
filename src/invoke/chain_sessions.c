/* The sessions of a chain: one per provider, from its first step on (T-MCP-1). */
#include <inttypes.h>

#include "base/time.h"
#include "invoke/chain_int.h"

#define BUSY_RETRY_MS 1000

/* ---- sessions ------------------------------------------------------------------------------ */

struct plugin_session *mgi_chain_session(struct invocation *inv,
                                         const struct action_provider *provider)
{
    for (size_t i = 0; i < inv->session_count; i++)
        if (inv->sessions[i].provider == provider)
            return &inv->sessions[i];
    return NULL;
}

void mgi_chain_refuse(struct invocation *inv, enum wire_code code, const char *details,
                      const char *message, int64_t retry_ms)
{
    struct wire_error e = {
        .code = code, .message = message, .details = str_of(details), .retry_after_ms = retry_ms
    };
    inv->reserving = false;
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

static void session_ready(void *context, struct toolsession *session,
                          enum toolsession_refusal refusal, const char *why)
{
    struct invocation *inv = context;
    inv->ticket = NULL;
    inv->state = CHAIN_IDLE;
    if (session) {
        inv->sessions[inv->session_count++] =
            (struct plugin_session){ inv->runs[inv->current].step->action->provider, session,
                                     true };
    } else if (inv->reserving) {
        refuse_session(inv, refusal, why);
        return;
    } else {
        mgi_chain_failed(inv, str_of(why), (struct str){ 0 }, "unavailable", false);
        inv->prepared = false;
    }
    mgi_chain_advance(inv);
}

bool mgi_chain_take(struct invocation *inv, const struct action_provider *provider)
{
    int64_t wait_ms = inv->snapshot->settings.host_wait_ms, left_ms = mgi_chain_left_ms(inv);
    struct toolwish wish = { .provider = provider,
                             .owner = inv->call.owner,
                             .wait_ms = left_ms < wait_ms ? left_ms : wait_ms,
                             .ready = session_ready,
                             .context = inv };
    inv->ticket = mgi_toolsession_take(inv->call.pool, &wish);
    if (inv->ticket)
        inv->state = CHAIN_TAKING;
    return inv->ticket != NULL;
}

void mgi_chain_release(struct invocation *inv)
{
    for (size_t i = 0; i < inv->session_count; i++)
        mgi_toolsession_release(inv->sessions[i].session);
    inv->session_count = 0;
}
