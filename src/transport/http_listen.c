/* The address, its routes, and the end: first a drain, in which connections stay; then nothing is
 * accepted, what is idle is closed, and what is not over in time is closed as well. */
#include <stdio.h>

#include "base/alloc.h"
#include "transport/http_head.h"
#include "transport/http_int.h"

#define HEAD_BYTES 1024 /* of an answer; longer ones are possible */

/* ---- the end ----------------------------------------------------------------------------- */

void mgi_http_listener_free(struct http_listener *l)
{
    mgi_buf_fini(&l->head);
    mgi_buf_fini(&l->packed);
    mgi_free(l);
}

static void part_closed(struct http_listener *l)
{
    if (--l->parts > 0)
        return;
    void (*closed)(void *) = l->closed;
    void *context = l->context;
    mgi_http_listener_free(l);
    if (closed)
        closed(context);
}

static void grace_closed(uv_handle_t *timer)
{
    part_closed(timer->data);
}

/* The socket and all streams are closed. */
static void net_listener_closed(void *context)
{
    struct http_listener *l = context;
    uv_close((uv_handle_t *)&l->grace, grace_closed);
    part_closed(l);
}

void mgi_http_drain(struct http_listener *l)
{
    l->draining = true;
}

static void grace_is_over(uv_timer_t *timer)
{
    struct http_listener *l = timer->data;
    for (struct http_connection *c = l->connections; c; c = c->next)
        mgi_http_connection_close(c); /* freed from the loop: the list stays as it is */
}

void mgi_http_close(struct http_listener *l, int64_t grace_ms, void (*closed)(void *context),
                    void *context)
{
    l->draining = l->closing = true;
    l->closed = closed;
    l->context = context;
    for (struct http_connection *c = l->connections; c; c = c->next)
        c->life->settle(c); /* which ends those that stand between requests; freed from the loop */
    uv_timer_start(&l->grace, grace_is_over, grace_ms > 0 ? (uint64_t)grace_ms : 0, 0);
    mgi_listener_close(l->listener, net_listener_closed, l);
}

/* ---- beginning --------------------------------------------------------------------------- */

static const char *judge_options(const struct http_options *o)
{
    for (size_t i = 0; i < o->host_count; i++)
        if (!mgi_http_is_host(o->hosts[i]))
            return o->hosts[i];
    for (size_t i = 0; i < o->origin_count; i++)
        if (mgi_http_origin_fault(o->origins[i]))
            return o->origins[i];
    return NULL;
}

struct http_listener *mgi_http_listener_new(const struct http_options *options, const char **why)
{
    *why = judge_options(options);
    if (*why)
        return NULL;
    *why = "out of memory";
    struct http_listener *l = mgi_calloc(1, sizeof *l);
    if (!l || !mgi_buf_reserve(&l->head, HEAD_BYTES)) { /* so a fault can be told without memory */
        mgi_free(l);
        return NULL;
    }
    *why = NULL;
    l->parts = 1; /* who has made it */
    l->part_closed = part_closed;
    l->options = *options;
    l->loopback = !options->host || mgi_http_address_is_loopback(options->host);
    if (options->host && strcmp(options->host, "0.0.0.0") != 0 && strcmp(options->host, "::") != 0)
        snprintf(l->own_host, sizeof l->own_host, strchr(options->host, ':') ? "[%s]" : "%s",
                 options->host);
    return l;
}

static void connection_accepted(void *context, struct stream *s, bool too_many)
{
    struct http_listener *l = context;
    if (l->options.dress)
        s = l->options.dress(l->options.dress_context, s);
    if (s)
        mgi_http_adopt(l, s, too_many);
}

struct http_listener *mgi_http_listen(const struct http_options *options, int *port_out,
                                      const char **why)
{
    struct http_listener *l = mgi_http_listener_new(options, why);
    if (!l)
        return NULL;
    struct listener_options listener = { .net = options->net,
                                         .host = options->host,
                                         .port = options->port,
                                         .descriptor = options->descriptor,
                                         .max_connections = options->max_connections,
                                         .accepted = connection_accepted,
                                         .context = l };
    l->listener = mgi_listener_new(&listener, port_out, why);
    if (!l->listener) {
        mgi_http_listener_free(l);
        return NULL;
    }
    (void)uv_timer_init(options->net->loop, &l->grace); /* cannot fail */
    l->grace.data = l;
    uv_unref((uv_handle_t *)&l->grace);
    l->parts = 2;
    return l;
}

bool mgi_http_add(struct http_listener *l, const struct http_route *rows, size_t count,
                  void *context)
{
    if (l->table_count == HTTP_TABLES)
        return false;
    l->tables[l->table_count++] = (struct http_routes){ rows, count, context };
    for (size_t i = 0; i < count; i++)
        if (rows[i].max_body > l->max_body)
            l->max_body = rows[i].max_body;
    return true;
}

uint32_t mgi_http_connections(const struct http_listener *l)
{
    return mgi_listener_count(l->listener);
}
