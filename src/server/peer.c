/* One connection: who it is, what it still waits for, how it ends.
 *
 *     new ──message──> requests open ──answers──> … ──end──> ending ──last answer──>
 * transport.close └──────────────── gone (connection lost) ──last request over──> freed
 *
 * A peer is freed when it is gone and no request refers to it any more. */
#include "server/peer.h"

#include "base/alloc.h"
#include "server/server_int.h"

struct peer *mgi_peer_new(struct server *server, const struct peer_options *options)
{
    struct peer *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->server = server;
    p->transport = options->transport;
    p->connection = options->connection;
    p->auth_required = options->auth_required;
    p->who = options->who;
    mgi_arena_init(&p->arena, 0);
    if (options->refusal) {
        p->refusal = *options->refusal;
        p->refusal.message = mgi_arena_strdup(&p->arena, options->refusal->message);
        p->refusal.details = mgi_arena_str(&p->arena, options->refusal->details);
        if (!p->refusal.message)
            p->refusal.message = "The credentials were not accepted.";
    }
    p->next = server->peers;
    if (p->next)
        p->next->prev = p;
    server->peers = p;
    return p;
}

static void peer_free(struct peer *p)
{
    if (p->prev)
        p->prev->next = p->next;
    else
        p->server->peers = p->next;
    if (p->next)
        p->next->prev = p->prev;
    mgi_arena_fini(&p->arena);
    mgi_free(p);
}

void mgi_peer_gone(struct peer *p)
{
    p->gone = true;
    if (!p->open) {
        peer_free(p);
        return;
    }
    /* Cancelling may finish a request at once, and the last one frees the peer: remember the next
     * before, and do not touch the peer after. */
    for (struct request *r = p->open, *next; r; r = next) {
        next = r->next;
        mgi_request_cancel(r, true);
    }
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
    mgi_server_manifest(p->server, p->transport->session, p->auth_required, &text);
    if (!text.oom)
        p->transport->send(p->connection, mgi_buf_view(&text), 200, false, -1);
    mgi_buf_fini(&text);
}

void mgi_peer_message(struct peer *p, struct str text, enum endpoint endpoint)
{
    mgi_request_begin(p, text, endpoint);
}

void mgi_peer_fault(struct peer *p, enum wire_code code, const char *reason, const char *message)
{
    struct buf details = { 0 }, text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &details, 0);
    mgi_jw_begin_object(&w);
    if (code == WIRE_MESSAGE_TOO_LARGE)
        mgi_jw_member_int(&w, "max_message_bytes",
                          p->server->snapshot->settings.limits.max_message_bytes);
    else
        mgi_jw_member_cstr(&w, "reason", reason);
    mgi_jw_end_object(&w);
    struct wire_error e = { code, message, mgi_buf_view(&details), -1 };
    mgi_envelope_error(&text, (struct str){ NULL, 0 }, &e);
    if (!text.oom && !p->gone)
        p->transport->send(p->connection, mgi_buf_view(&text), mgi_wire_code(code)->http_status,
                           true, -1);
    mgi_buf_fini(&text);
    mgi_buf_fini(&details);
}

void mgi_peer_request_done(struct peer *p, struct request *r)
{
    if (r->prev)
        r->prev->next = r->next;
    else
        p->open = r->next;
    if (r->next)
        r->next->prev = r->prev;
    r->next = r->prev = NULL;
    p->open_count--;
    if (p->open)
        return;
    if (p->gone)
        peer_free(p);
    else if (p->ending)
        p->transport->close(p->connection, "end of input");
}

size_t mgi_peer_open_requests(const struct peer *p)
{
    return p->open_count;
}
