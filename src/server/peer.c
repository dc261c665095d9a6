/* One connection: who it is, what it still waits for, how it ends.
 *
 *     new ──message──> requests open ──answers──> … ──end──> ending ──last answer──>
 * transport.close └──────────────── gone (connection lost) ──last request over──> freed
 *
 * A peer is freed when it is gone and no request refers to it any more. */
#include "server/peer.h"

#include <stdio.h>

#include "base/alloc.h"
#include "server/server_int.h"

static void peer_free(struct peer *p)
{
    if (p->prev)
        p->prev->next = p->next;
    else
        p->server->peers = p->next;
    if (p->next)
        p->next->prev = p->prev;
    mgi_vouch_drop(p);
    mgi_principal_unref(p->who);
    mgi_arena_fini(&p->arena);
    mgi_free(p);
}

static void free_if_over(struct peer *p)
{
    if (p->gone && !p->open && p->held == 0)
        peer_free(p);
}

static void peer_quiet(struct peer *p)
{
    if (p->gone)
        free_if_over(p);
    else if (p->ending)
        p->transport->close(p->connection, "end of input");
}

static void keep_refusal(struct peer *p, const struct wire_error *refusal)
{
    p->refusal = *refusal;
    p->refusal.message = mgi_arena_strdup(&p->arena, refusal->message);
    p->refusal.details = mgi_arena_str(&p->arena, refusal->details);
    if (!p->refusal.message)
        p->refusal.message = "The credentials were not accepted.";
}

struct peer *mgi_peer_new(struct server *server, const struct peer_options *options)
{
    struct peer *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->server = server;
    p->transport = options->transport;
    p->connection = options->connection;
    p->auth_required = options->auth_required;
    p->who = mgi_principal_ref(options->who);
    p->who_until_ns = options->who_until_ns;
    p->on_quiet = peer_quiet;
    mgi_arena_init(&p->arena, 0);
    if (options->place)
        snprintf(p->place, sizeof p->place, "%s", options->place);
    if (p->who && p->who->issuer.len > 0 && !mgi_vouch_keep(p, options->token)) {
        mgi_principal_unref(p->who);
        mgi_free(p);
        return NULL;
    }
    if (options->refusal)
        keep_refusal(p, options->refusal);
    if (mgi_traceparent_is_valid(options->traceparent))
        p->traceparent = mgi_arena_str(&p->arena, options->traceparent);
    p->next = server->peers;
    if (p->next)
        p->next->prev = p;
    server->peers = p;
    return p;
}

/* Each is cancelled at most once. Cancelling may end a request at once; who waits for another one
 * goes first, so that nothing else ends with it. */
static void cancel_open(struct peer *p, bool followers)
{
    for (struct request *r = p->open, *next; r; r = next) {
        next = r->next;
        if ((r->once.leader != NULL) == followers)
            mgi_request_cancel(r, true);
    }
}

void mgi_peer_gone(struct peer *p)
{
    p->gone = true;
    p->held++; /* while the list is walked */
    cancel_open(p, true);
    cancel_open(p, false);
    p->held--;
    free_if_over(p);
}

void mgi_peer_end(struct peer *p)
{
    p->ending = true;
    if (!p->open && !p->gone)
        p->transport->close(p->connection, "end of input");
}

void mgi_peer_greet(struct peer *p)
{
    struct buf text = { 0 };
    p->greeted = true;
    mgi_server_manifest(p->server, p->transport->session, p->auth_required, &text);
    if (!text.oom)
        p->transport->send(p->connection, mgi_buf_view(&text), 200, false, -1);
    else /* silence would look like a server that hangs */
        mgi_peer_fault(p, WIRE_INTERNAL_ERROR, "memory", "The server ran out of memory.");
    mgi_buf_fini(&text);
}

void mgi_peer_message(struct peer *p, struct str text, enum endpoint endpoint)
{
    mgi_request_begin(p, text, endpoint, p->server->lists[LIST_SESSION]);
}

void mgi_peer_fault(struct peer *p, enum wire_code code, const char *reason, const char *message)
{
    char details[96];
    if (code == WIRE_MESSAGE_TOO_LARGE)
        snprintf(details, sizeof details, "{\"max_message_bytes\":%zu}",
                 (size_t)p->server->served->snapshot->settings.limits.max_message_bytes);
    else if (reason)
        snprintf(details, sizeof details, "{\"reason\":\"%s\"}", reason);
    else
        details[0] = '\0';
    struct wire_error e = { code, message, str_of(details), -1 };
    p->server->metrics.requests[MSG_UNKNOWN]++;
    p->server->metrics.outcomes[code]++;
    mgi_answer_fault(p, &e);
}

bool mgi_peer_is_known(const struct peer *p)
{
    return p->who != NULL || !p->auth_required;
}

bool mgi_peer_is_anonymous(const struct peer *p)
{
    return p->who ? p->who->kind == PRINCIPAL_ANONYMOUS : !p->auth_required;
}

enum wire_code mgi_peer_said(const struct peer *p)
{
    return p->said;
}

bool mgi_peer_waits(const struct peer *p)
{
    return p->open != NULL;
}
