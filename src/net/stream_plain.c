/* A stream over a TCP socket or a pipe of the loop.
 *
 * Writing tries the kernel first; the rest becomes one block in libuv's queue, counted in the
 * budget until it is written or the stream is closed. While something is queued the WRITE deadline
 * is set. When it passes, the peer must have taken PROGRESS_BYTES (or all) since it was set: so a
 * reader may be slow, but neither stop nor pretend to read, a byte at a time.
 *
 * It passes early if another stream needs the bytes, within a call of whoever writes there. Then
 * the account is settled at once (`given_up`), and the owner hears of it in the next turn. */
#include <assert.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "base/alloc.h"
#include "net/net.h"
#include "net/stream_int.h"

#define PROGRESS_BYTES ((uint64_t)16 * 1024)
#define PARTS_MAX      8

struct plain {
    struct stream base;
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } uv;
    struct deadline write;
    struct net_later later;             /* say that it was given up */
    uint64_t enqueued;                  /* bytes that were ever queued */
    uint64_t taken;                     /* of those, bytes gone when the WRITE deadline was set */
    size_t held;                        /* of the budget: for all blocks, or 0: given back */
    bool given_up;                      /* nothing is written any more */
    const struct stream_origin *origin; /* or NULL */
    void *context;
};

struct plain_block {
    uv_write_t request;
    struct plain *plain;
    size_t len;
    char bytes[];
};

static struct plain *plain_of(struct stream *s)
{
    return (struct plain *)s; /* its first member */
}

/* ---- reading ----------------------------------------------------------------------------- */

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct plain *p = handle->data;
    *buf = uv_buf_init(p->base.net->chunk, NET_CHUNK_BYTES);
}

static void plain_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct plain *p = stream->data;
    if (n > 0) {
        mgi_stream_deliver(&p->base, (struct str){ buf->base, (size_t)n });
    } else if (n < 0) {
        uv_read_stop(stream);
        if (n == UV_EOF)
            mgi_stream_deliver_end(&p->base);
        else
            mgi_stream_deliver_failure(&p->base, STREAM_LOST);
    }
}

static void plain_pause(struct stream *s)
{
    uv_read_stop(&plain_of(s)->uv.stream);
}

static void plain_resume(struct stream *s)
{
    /* It fails only for a stream that is not connected, whose end has been delivered. */
    (void)uv_read_start(&plain_of(s)->uv.stream, give_chunk, plain_read);
}

static bool plain_peer_gone(const struct stream *s)
{
    uv_os_fd_t fd;
    if (uv_fileno(&((const struct plain *)s)->uv.handle, &fd) != 0)
        return true;
    struct pollfd asked = { .fd = fd, .events = POLLRDHUP };
    return poll(&asked, 1, 0) > 0 && (asked.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static bool plain_has_bytes(const struct stream *s)
{
    uv_os_fd_t fd;
    int waiting = 0;
    return uv_fileno(&((const struct plain *)s)->uv.handle, &fd) == 0 &&
           ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

static void print_place(const struct sockaddr_storage *from, char out[STREAM_PLACE_BYTES])
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)from;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)from)->sin6_addr;
    const uint8_t *b = from->ss_family == AF_INET  ? (const uint8_t *)&four->sin_addr
                       : IN6_IS_ADDR_V4MAPPED(six) ? &six->s6_addr[12]
                                                   : NULL;
    if (b)
        snprintf(out, STREAM_PLACE_BYTES, "%u.%u.%u.%u", b[0], b[1], b[2], b[3]);
    else
        snprintf(out, STREAM_PLACE_BYTES, "%x:%x:%x:%x", six->s6_addr[0] << 8 | six->s6_addr[1],
                 six->s6_addr[2] << 8 | six->s6_addr[3], six->s6_addr[4] << 8 | six->s6_addr[5],
                 six->s6_addr[6] << 8 | six->s6_addr[7]);
}

static void plain_place(const struct stream *s, char out[STREAM_PLACE_BYTES])
{
    const struct plain *p = (const struct plain *)s;
    struct sockaddr_storage from;
    int len = sizeof from;
    if (p->uv.handle.type == UV_TCP &&
        uv_tcp_getpeername(&p->uv.tcp, (struct sockaddr *)&from, &len) == 0 &&
        (from.ss_family == AF_INET || from.ss_family == AF_INET6))
        print_place(&from, out);
}

/* ---- writing ----------------------------------------------------------------------------- */

static size_t plain_queued(const struct stream *s)
{
    return uv_stream_get_write_queue_size(&((const struct plain *)s)->uv.stream);
}

static uint64_t taken_so_far(const struct plain *p)
{
    return p->enqueued - plain_queued(&p->base);
}

static void watch_writing(struct plain *p)
{
    p->taken = taken_so_far(p);
    mgi_net_deadline_set(p->base.group, &p->write, DEADLINE_WRITE);
}

static void give_back(struct plain *p, size_t size)
{
    mgi_budget_give(&p->base.net->budget, size);
    p->held -= size;
}

static void tell_given_up(struct net_later *later)
{
    struct plain *p = (struct plain *)((char *)later - offsetof(struct plain, later));
    mgi_stream_deliver_failure(&p->base, STREAM_STALLED);
}

static void write_deadline_passed(struct deadline *d)
{
    struct plain *p = (struct plain *)((char *)d - offsetof(struct plain, write));
    if (taken_so_far(p) - p->taken >= PROGRESS_BYTES) {
        watch_writing(p);
        return;
    }
    p->given_up = true;
    give_back(p, p->held);
    if (p->base.net->relieving)
        mgi_net_later(p->base.net, &p->later);
    else
        mgi_stream_deliver_failure(&p->base, STREAM_STALLED);
}

static void block_written(uv_write_t *request, int status)
{
    struct plain_block *b = (struct plain_block *)request;
    struct plain *p = b->plain;
    if (p->held > 0)
        give_back(p, sizeof *b + b->len);
    mgi_free(b);
    size_t queued = plain_queued(&p->base);
    if (queued == 0)
        mgi_deadline_clear(&p->write);
    if (status < 0) {
        mgi_stream_deliver_failure(&p->base, STREAM_LOST);
    } else if (queued <= STREAM_LOW_WATER && !p->given_up) {
        mgi_stream_deliver_drained(&p->base);
    }
}

/* Copy what is left of `parts` behind their first `skip` bytes, and queue it. */
static bool queue_rest(struct plain *p, const struct str *parts, size_t count, size_t skip,
                       size_t len)
{
    struct net *n = p->base.net;
    struct plain_block *b;
    size_t size = sizeof *b + len; /* many small writes are not small */
    enum budget_share share = mgi_budget_share(p->held + size);
    if (!mgi_net_relieve(n, size, share) || p->given_up) /* it may have been this one */
        return false;
    b = mgi_alloc(size);
    if (!b)
        return false;
    b->plain = p;
    b->len = len;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t drop = skip < parts[i].len ? skip : parts[i].len;
        skip -= drop;
        if (parts[i].len > drop)
            memcpy(b->bytes + used, parts[i].ptr + drop, parts[i].len - drop);
        used += parts[i].len - drop;
    }
    uv_buf_t buf = uv_buf_init(b->bytes, (unsigned)len);
    if (uv_write(&b->request, &p->uv.stream, &buf, 1, block_written) != 0) {
        mgi_free(b);
        return false;
    }
    mgi_budget_take(&n->budget, size, share);
    p->held += size;
    p->enqueued += len;
    if (!mgi_deadline_is_set(&p->write))
        watch_writing(p);
    return true;
}

static bool plain_write(struct stream *s, const struct str *parts, size_t count)
{
    struct plain *p = plain_of(s);
    uv_buf_t bufs[PARTS_MAX];
    size_t total = 0, gone = 0;
    assert(count <= PARTS_MAX);
    for (size_t i = 0; i < count; i++) {
        bufs[i] = uv_buf_init((char *)parts[i].ptr, (unsigned)parts[i].len);
        total += parts[i].len;
    }
    if (total == 0 || p->given_up)
        return !p->given_up;
    if (plain_queued(s) == 0) {
        int n = uv_try_write(&p->uv.stream, bufs, (unsigned)count);
        gone = n > 0 ? (size_t)n : 0; /* an error comes again, from the queue */
    }
    return gone == total || queue_rest(p, parts, count, gone, total - gone);
}

static void shut(uv_shutdown_t *request, int status)
{
    (void)status; /* a failure comes as the end of what was queued */
    mgi_free(request);
}

static void plain_shutdown(struct stream *s)
{
    uv_shutdown_t *request = mgi_alloc(sizeof *request);
    if (request && uv_shutdown(request, &plain_of(s)->uv.stream, shut) != 0)
        mgi_free(request); /* not connected any more */
}

/* ---- beginning and end ------------------------------------------------------------------- */

static void plain_closed(uv_handle_t *handle)
{
    struct plain *p = handle->data;
    mgi_stream_deliver_closed(&p->base);
    if (p->origin)
        p->origin->gone(p->context);
    mgi_free(p);
}

static void plain_close(struct stream *s)
{
    struct plain *p = plain_of(s);
    mgi_deadline_clear(&p->write);
    mgi_net_later_cancel(&p->later);
    give_back(p, p->held);
    uv_close(&p->uv.handle, plain_closed);
    if (p->origin)
        p->origin->released(p->context);
}

static const struct stream_ops plain_ops = {
    .pause = plain_pause,
    .resume = plain_resume,
    .write = plain_write,
    .queued = plain_queued,
    .shutdown = plain_shutdown,
    .close = plain_close,
    .peer_gone = plain_peer_gone,
    .has_bytes = plain_has_bytes,
    .place = plain_place,
};

/* Until there is an owner: nobody hears a stream that could not be opened. */
static void no_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void no_end(void *owner)
{
    (void)owner;
}

static void no_failure(void *owner, enum stream_fault why)
{
    (void)owner, (void)why;
}

static void no_close(void *owner)
{
    (void)owner;
}

static const struct stream_events nobody = {
    .bytes = no_bytes, .ended = no_end, .failed = no_failure, .closed = no_close
};

static struct plain *plain_new(struct net_group *group, bool tcp)
{
    struct net *net = group->net;
    struct plain *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->base = (struct stream){
        .ops = &plain_ops, .events = &nobody, .net = net, .group = group, .paused = true
    };
    p->write.passed = write_deadline_passed;
    p->later.run = tell_given_up;
    int rc = tcp ? uv_tcp_init(net->loop, &p->uv.tcp) : uv_pipe_init(net->loop, &p->uv.pipe, 0);
    p->uv.handle.data = p;
    if (rc == 0)
        return p;
    mgi_free(p);
    return NULL;
}

struct stream *mgi_stream_open(struct net *net, uv_os_sock_t fd, const struct stream_events *events,
                               void *owner)
{
    uv_handle_type type = uv_guess_handle(fd);
    if (type != UV_TCP && type != UV_NAMED_PIPE)
        return NULL;
    struct plain *p = plain_new(&net->own, type == UV_TCP);
    if (!p)
        return NULL;
    if ((type == UV_TCP ? uv_tcp_open(&p->uv.tcp, fd) : uv_pipe_open(&p->uv.pipe, fd)) != 0) {
        mgi_stream_close(&p->base);
        return NULL;
    }
    mgi_stream_own(&p->base, events, owner);
    return &p->base;
}

struct stream *mgi_stream_accept(struct net_group *group, uv_stream_t *server,
                                 const struct stream_origin *origin, void *context, int *error)
{
    struct plain *p = plain_new(group, server->type == UV_TCP);
    *error = UV_ENOMEM;
    if (!p)
        return NULL;
    *error = uv_accept(server, &p->uv.stream);
    if (*error) {
        mgi_stream_close(&p->base);
        return NULL;
    }
    if (server->type == UV_TCP)
        uv_tcp_nodelay(&p->uv.tcp, 1); /* an answer is written at once, and waits for nothing */
    p->origin = origin;
    p->context = context;
    return &p->base;
}
