/* What routes see of a request, and handing its stream to another owner. */
#include <assert.h>

#include "transport/http_int.h"

const struct http1_request *mgi_http_request(const struct http_connection *c)
{
    return &c->codec.request;
}

struct str mgi_http_body(const struct http_connection *c)
{
    return c->whole.ptr ? c->whole : mgi_buf_view(&c->body);
}

const struct principal *mgi_http_who(const struct http_connection *c)
{
    return c->who;
}

const struct wire_error *mgi_http_refusal(const struct http_connection *c)
{
    return c->refusal.code != WIRE_OK ? &c->refusal : NULL;
}

struct http_listener *mgi_http_listener_of(const struct http_connection *c)
{
    return c->listener;
}

void mgi_http_wait(struct http_connection *c, void (*gone)(void *context), void *context)
{
    assert(c->state == HTTP_BUSY);
    c->gone = gone;
    c->gone_context = context;
}

void mgi_http_abandon(struct http_connection *c)
{
    c->gone = NULL; /* whoever waits says so itself */
    mgi_http_connection_close(c);
}

/* The rest of the input, which is this request's no more. */
static void take_rest(struct http_connection *c, struct buf *rest)
{
    *rest = (struct buf){ 0 };
    mgi_buf_str(rest, *c->input);
    c->input->ptr += c->input->len;
    c->input->len = 0;
}

struct stream *mgi_http_take_over(struct http_connection *c, struct str fields, struct buf *rest)
{
    struct stream *s = c->stream;
    struct str parts[] = { STR_LIT("HTTP/1.1 101 Switching Protocols\r\n"), fields,
                           STR_LIT("\r\n") };
    assert(c->state == HTTP_BUSY && c->input);
    c->gone = NULL;
    take_rest(c, rest);
    if (c->eof || rest->oom || !mgi_stream_write(s, parts, 3)) { /* who has left is told nothing */
        mgi_buf_fini(rest);
        mgi_http_connection_close(c);
        return NULL;
    }
    mgi_http_let_go(c);
    c->taken = true;
    mgi_stream_pause(s);
    return s;
}
