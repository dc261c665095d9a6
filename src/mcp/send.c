/* What goes out, and the end of calls. */
#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "mcp/server_int.h"

void mgi_mcp_enter(struct mcp_peer *p)
{
    p->inside++;
}

void mgi_mcp_leave(struct mcp_peer *p)
{
    if (--p->inside > 0 || !p->freed)
        return;
    for (size_t i = 0; i < p->watched_count; i++)
        mgi_buf_fini(&p->watched[i]);
    mgi_free(p->watched);
    mgi_arena_fini(&p->arena);
    mgi_mcp_server_unref(p->server);
    mgi_free(p);
}

static void send_out(struct mcp_peer *p, const struct mcp_outgoing *m)
{
    if (!p->freed)
        p->o.send(p->o.context, m);
}

void mgi_mcp_send_related(struct mcp_call *c, struct str text)
{
    struct mcp_outgoing m = { .what = MCP_SENT_RELATED, .tag = c->route.tag, .text = text };
    if (c->peer && !c->cancelled && !c->gone && !c->route.quiet)
        send_out(c->peer, &m);
}

void mgi_mcp_send_alone(struct mcp_peer *p, struct str text)
{
    struct mcp_outgoing m = { .what = MCP_SENT_ALONE, .text = text };
    send_out(p, &m);
}

/* ---- batches -------------------------------------------------------------------------------- */

void mgi_mcp_batch_done(struct mcp_peer *p, struct batch *b)
{
    if (--b->left > 0)
        return;
    struct mcp_outgoing m = { .what = MCP_SENT_ANSWER, .tag = b->route.tag };
    if (!b->none)
        mgi_buf_putc(&b->text, ']');
    if (!b->none && !b->text.oom)
        m.text = mgi_buf_view(&b->text);
    if (p && !b->gone && (m.text.len > 0 || m.tag))
        send_out(p, &m);
    mgi_buf_fini(&b->text);
    mgi_free(b);
}

static void put_in_batch(struct batch *b, struct str text)
{
    if (text.len == 0)
        return;
    mgi_buf_putc(&b->text, b->none ? '[' : ',');
    mgi_buf_str(&b->text, text);
    b->none = false;
}

void mgi_mcp_send_answer(struct mcp_peer *p, const struct mcp_route *route, struct batch *b,
                         struct str text, enum rpc_code code, bool by_handler)
{
    struct mcp_outgoing m = { .what = MCP_SENT_ANSWER,
                              .tag = route->tag,
                              .text = text,
                              .code = code,
                              .is_call_failure = by_handler && code != RPC_FINE };
    if (b) {
        put_in_batch(b, text);
        mgi_mcp_batch_done(p, b);
    } else if (text.len > 0 || route->tag) {
        send_out(p, &m);
    }
}

/* ---- the end of a call ---------------------------------------------------------------------- */

static void unlink_call(struct mcp_call *c)
{
    struct mcp_peer *p = c->peer;
    if (!p)
        return;
    if (c->before)
        c->before->next = c->next;
    else
        p->calls = c->next;
    if (c->next)
        c->next->before = c->before;
    if (c->listening)
        p->listen_count--;
    else
        p->call_count--;
    p->uri_count -= c->uri_count;
    p->held -= c->held;
    for (size_t i = 0; i < c->asked_count; i++)
        p->asked_count -= !c->asked[i].done;
    c->peer = NULL;
}

void mgi_mcp_call_free(struct mcp_call *c)
{
    unlink_call(c);
    if (c->release)
        c->release(c->mine);
    mgi_mcp_server_unref(c->server);
    mgi_buf_fini(&c->pending);
    mgi_arena_fini(&c->arena);
    mgi_free(c);
}

void mgi_mcp_finish(struct mcp_call *c, struct buf *text, enum rpc_code code)
{
    struct mcp_peer *p = c->peer;
    struct buf spare = { 0 };
    bool by_handler = c->with_handler;
    if ((text->oom || text->len > MCP_WRITE_BYTES) && p && !c->cancelled) {
        const char *why =
            text->full || !text->oom ? "the answer is larger than 4 MiB" : "memory is short";
        code = RPC_INTERNAL;
        mgi_rpc_error(&spare, &c->id, code, str_of(why), (struct str){ 0 });
        mgi_buf_fini(text);
        *text = spare;
    }
    struct str said = c->cancelled || text->oom ? (struct str){ 0 } : mgi_buf_view(text);
    struct mcp_route route = c->route;
    struct batch *b = c->batch;
    bool gone = c->gone;
    if (p)
        mgi_mcp_enter(p);
    if (c->pending.len > 0)
        mgi_mcp_send_related(c, mgi_buf_view(&c->pending)); /* the last one is never held back */
    unlink_call(c);
    if (b)
        mgi_mcp_send_answer(p, &route, b, said, code, by_handler);
    else if (p && !gone)
        mgi_mcp_send_answer(p, &route, NULL, said, code, by_handler);
    mgi_buf_fini(text);
    mgi_mcp_call_free(c);
    if (p)
        mgi_mcp_leave(p);
}

void mgi_mcp_finish_error(struct mcp_call *c, enum rpc_code code, struct str message,
                          struct str data)
{
    struct buf out = { 0 };
    mgi_rpc_error(&out, &c->id, code, message, data);
    mgi_mcp_finish(c, &out, code);
}

void mgi_mcp_fail_with(struct mcp_call *c, enum rpc_code code, const char *format, ...)
{
    struct buf message = { 0 };
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&message, format, args);
    va_end(args);
    mgi_mcp_finish_error(c, code, mgi_buf_view(&message), (struct str){ 0 });
    mgi_buf_fini(&message);
}

struct mcp_server *mgi_mcp_serving(const struct mcp_call *c)
{
    return c->server ? c->server : c->peer->server;
}

void mgi_mcp_run(struct mcp_call *c)
{
    /* The peer may be served by another one before this call ends. */
    if (!c->server)
        c->server = mgi_mcp_server_ref(c->peer->server);
    c->with_handler = true;
    c->handler(c->server->d.context, c);
}

void mgi_mcp_put_json(struct json_writer *w, struct str json)
{
    if (!memchr(json.ptr, '\n', json.len) && !memchr(json.ptr, '\r', json.len)) {
        mgi_jw_raw(w, json);
        return;
    }
    /* Within JSON a line break is white space, and a message is one line. */
    struct buf line = { 0 };
    mgi_buf_str(&line, json);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\n' || line.ptr[i] == '\r')
            line.ptr[i] = ' ';
    if (line.oom)
        w->out->oom = true;
    mgi_jw_raw(w, line.oom ? STR_LIT("null") : mgi_buf_view(&line));
    mgi_buf_fini(&line);
}
