/* Legacy sessions: found by their id, and only by who opened them. */
#include "base/alloc.h"
#include "base/encode.h"
#include "mcp/http_int.h"

static void send_legacy(void *context, const struct mcp_outgoing *m)
{
    struct session *s = context;
    struct exchange *x = m->what == MCP_SENT_ALONE ? s->get : m->tag;
    if (x && m->what == MCP_SENT_ALONE)
        mgi_mcp_write_event(x, m->text);
    else if (x)
        mgi_mcp_deliver(x, m);
}

static int64_t now_legacy(void *context)
{
    return mgi_mcp_http_now(((struct session *)context)->h);
}

/* ---- sessions ------------------------------------------------------------------------------- */

void mgi_mcp_drop_session(struct session *s)
{
    struct mcp_http *h = s->h;
    struct session **at = &h->sessions;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    h->session_count--;
    mgi_mcp_peer_free(s->peer);
    mgi_buf_fini(&s->principal);
    mgi_free(s);
}

/* Its streams end, and what waits is told that there is no such session any more. */
void mgi_mcp_end_session(struct session *s)
{
    struct mcp_http *h = s->h;
    mgi_mcp_peer_free(s->peer);
    s->peer = NULL;
    for (struct exchange *x = h->exchanges, *next; x; x = next) {
        next = x->next;
        if (x->session != s)
            continue;
        if (x->is_open) {
            mgi_mcp_end_stream(x);
        } else {
            mgi_mcp_answer_error(h, x->tag, 404, NULL, RPC_INVALID_REQUEST,
                                 "the session has ended");
            mgi_mcp_drop_exchange(x);
        }
    }
    mgi_mcp_drop_session(s);
}

/* Only for who opened it: to others it is unknown (X-HTTP-23). */
struct session *mgi_mcp_find_session(struct mcp_http *h, struct str id, struct str principal)
{
    for (struct session *s = h->sessions; s; s = s->next)
        if (str_is(id, s->id) && str_eq(mgi_buf_view(&s->principal), principal))
            return s;
    return NULL;
}

size_t mgi_mcp_sessions_of(const struct mcp_http *h, struct str principal)
{
    size_t count = 0;
    for (const struct session *s = h->sessions; s; s = s->next)
        count += str_eq(mgi_buf_view(&s->principal), principal);
    return count;
}

struct session *mgi_mcp_add_session(struct mcp_http *h, const struct mcp_request *r)
{
    uint8_t random[ID_BYTES];
    struct session *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    struct mcp_peer_options o = { .context = s, .send = send_legacy, .now_ms = now_legacy };
    s->h = h;
    s->used_ms = mgi_mcp_http_now(h);
    mgi_buf_str(&s->principal, r->principal);
    if (!s->principal.oom && h->o.out.random(h->o.out.context, random, sizeof random))
        s->peer = mgi_mcp_peer_new(h->server, &o);
    if (!s->peer) {
        mgi_buf_fini(&s->principal);
        mgi_free(s);
        return NULL;
    }
    mgi_hex(random, sizeof random, s->id);
    s->next = h->sessions;
    h->sessions = s;
    h->session_count++;
    return s;
}
