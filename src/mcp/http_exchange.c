/* Exchanges: how what the core sends becomes an answer, or a stream of events. */
#include "base/alloc.h"
#include "mcp/http_int.h"
#include "mcp/sse.h"

int64_t mgi_mcp_http_now(const struct mcp_http *h)
{
    return h->o.out.now_ms(h->o.out.context);
}

/* ---- answers without an exchange ------------------------------------------------------------ */

void mgi_mcp_answer_plain(struct mcp_http *h, void *tag, int status, struct str body,
                          const char *allow)
{
    struct mcp_header headers[2];
    size_t count = 0;
    if (body.len > 0)
        headers[count++] =
            (struct mcp_header){ STR_LIT("Content-Type"), STR_LIT("application/json") };
    if (allow)
        headers[count++] = (struct mcp_header){ STR_LIT("Allow"), str_of(allow) };
    struct mcp_response r = { status, headers, count, body };
    h->o.out.answer(h->o.out.context, tag, &r);
}

void mgi_mcp_answer_error(struct mcp_http *h, void *tag, int status, const struct rpc_id *id,
                          enum rpc_code code, const char *message)
{
    struct buf out = { 0 };
    mgi_rpc_error(&out, id, code, str_of(message), (struct str){ 0 });
    mgi_mcp_answer_plain(h, tag, out.oom ? 500 : status,
                         out.oom ? (struct str){ 0 } : mgi_buf_view(&out), NULL);
    mgi_buf_fini(&out);
}

/* ---- exchanges ------------------------------------------------------------------------------ */

struct exchange *mgi_mcp_add_exchange(struct mcp_http *h, const struct mcp_request *r,
                                      struct session *session)
{
    struct exchange *x = mgi_calloc(1, sizeof *x);
    if (x && !session)
        mgi_buf_str(&x->principal, r->principal);
    if (!x || x->principal.oom) {
        mgi_free(x);
        mgi_mcp_answer_plain(h, r->tag, 500, (struct str){ 0 }, NULL);
        return NULL;
    }
    x->h = h;
    x->tag = r->tag;
    x->session = session;
    x->can_stream = mgi_mcp_accepts(r).stream;
    x->until_ms = r->until_ms;
    x->due_ms = mgi_mcp_http_now(h) + MCP_HTTP_LATE_MS;
    x->next = h->exchanges;
    if (h->exchanges)
        h->exchanges->before = x;
    h->exchanges = x;
    h->exchange_count++;
    if (session)
        session->exchanges++;
    else
        h->modern_count++;
    return x;
}

size_t mgi_mcp_exchanges_of(const struct mcp_http *h, struct str principal)
{
    size_t count = 0;
    for (const struct exchange *x = h->exchanges; x; x = x->next)
        count += !x->session && str_eq(mgi_buf_view(&x->principal), principal);
    return count;
}

/* Without a word to its client. The r5 peer goes with it. */
void mgi_mcp_drop_exchange(struct exchange *x)
{
    struct mcp_http *h = x->h;
    if (x->before)
        x->before->next = x->next;
    else
        h->exchanges = x->next;
    if (x->next)
        x->next->before = x->before;
    if (h->next_up == x)
        h->next_up = x->next;
    h->exchange_count--;
    if (x->session) {
        x->session->exchanges--;
        x->session->used_ms = mgi_mcp_http_now(h); /* until now */
        if (x->session->get == x)
            x->session->get = NULL;
    } else {
        h->modern_count--;
    }
    mgi_mcp_peer_free(x->peer);
    mgi_buf_fini(&x->principal);
    mgi_free(x);
}

void mgi_mcp_open_stream(struct exchange *x)
{
    struct mcp_header headers[4] = {
        { STR_LIT("Content-Type"), STR_LIT("text/event-stream") },
        { STR_LIT("Cache-Control"), STR_LIT("no-cache, no-transform") },
        { STR_LIT("X-Accel-Buffering"), STR_LIT("no") },
    };
    struct mcp_response r = { .status = 200, .headers = headers, .header_count = 3 };
    struct mcp_http *h = x->h;
    if (x->is_open)
        return;
    if (x->session)
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Session-Id"), str_of(x->session->id) };
    x->is_open = true;
    x->due_ms = mgi_mcp_http_now(h) + MCP_HTTP_ALIVE_MS;
    h->o.out.open(h->o.out.context, x->tag, &r);
}

void mgi_mcp_write_event(struct exchange *x, struct str message)
{
    struct buf out = { 0 };
    struct mcp_http *h = x->h;
    mgi_sse_write(&out, NULL, (struct str){ 0 }, message);
    x->due_ms = mgi_mcp_http_now(h) + MCP_HTTP_ALIVE_MS;
    if (!out.oom)
        h->o.out.write(h->o.out.context, x->tag, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

/* What keeps it alive. */
void mgi_mcp_write_comment(struct exchange *x)
{
    struct buf comment = { 0 };
    struct mcp_http *h = x->h;
    mgi_sse_comment(&comment);
    if (!comment.oom)
        h->o.out.write(h->o.out.context, x->tag, mgi_buf_view(&comment));
    mgi_buf_fini(&comment);
}

void mgi_mcp_end_stream(struct exchange *x)
{
    struct mcp_http *h = x->h;
    h->o.out.end(h->o.out.context, x->tag);
    mgi_mcp_drop_exchange(x);
}

/* Its credential counts no more: what it waits for is cancelled first. */
void mgi_mcp_refuse_exchange(struct exchange *x)
{
    struct mcp_http *h = x->h;
    if (x->session)
        mgi_mcp_withdraw(x->session->peer, x);
    mgi_mcp_peer_free(x->peer);
    x->peer = NULL;
    if (x->is_open) {
        mgi_mcp_end_stream(x);
        return;
    }
    mgi_mcp_answer_error(h, x->tag, 401, NULL, RPC_INVALID_REQUEST,
                         "the credential of this request counts no more");
    mgi_mcp_drop_exchange(x);
}

/* X-HTTP-32, and the table of chapter 15. */
static int status_of(const struct mcp_outgoing *m, bool modern)
{
    switch (m->code) {
    case RPC_PARSE:
    case RPC_INVALID_REQUEST:
        return m->is_call_failure ? 200 : 400;
    case RPC_METHOD_NOT_FOUND:
        return modern && !m->is_call_failure ? 404 : 200;
    case RPC_HEADER_MISMATCH:
    case RPC_MISSING_CAPABILITY:
    case RPC_UNSUPPORTED_VERSION:
        return 400;
    default:
        return 200;
    }
}

/* All of an answer as JSON; the exchange is over. */
static void answer_exchange(struct exchange *x, const struct mcp_outgoing *m)
{
    struct mcp_http *h = x->h;
    struct mcp_header headers[2] = { { STR_LIT("Content-Type"), STR_LIT("application/json") } };
    struct mcp_response r = { status_of(m, !x->session), headers, 1, m->text };
    if (x->session && mgi_mcp_peer_revision(x->session->peer) != MCP_NONE)
        headers[r.header_count++] =
            (struct mcp_header){ STR_LIT("Mcp-Session-Id"), str_of(x->session->id) };
    if (m->text.len == 0) { /* cancelled, or no memory for more */
        r.status = 202;
        r.header_count = 0;
    }
    h->o.out.answer(h->o.out.context, x->tag, &r);
    mgi_mcp_drop_exchange(x);
}

void mgi_mcp_deliver(struct exchange *x, const struct mcp_outgoing *m)
{
    if (m->what == MCP_SENT_RELATED) {
        mgi_mcp_open_stream(x);
        mgi_mcp_write_event(x, m->text);
    } else if (!x->is_open) {
        answer_exchange(x, m);
    } else {
        if (m->text.len > 0)
            mgi_mcp_write_event(x, m->text);
        mgi_mcp_end_stream(x);
    }
}
