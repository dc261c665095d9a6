/* A server in this process, as a link; see manglecp_local.h. The server runs while the client
 * waits: receive() is what drives the loop. */
#include "cli/manglecp_local.h"

#include "base/alloc.h"
#include "base/time.h"
#include "sys/clock.h"

#define MAX_WAITING 10000 /* messages that nobody has received */

struct local_link {
    struct link link;
    struct host host;
    struct peer *peer;
    struct buf *waiting; /* messages in order; from `first` on they were not received */
    size_t first, count, cap;
    uv_timer_t timer;
    bool timer_open, expired, failed;
};

/* ---- the server's side ------------------------------------------------------------------------
 */

static bool take_message(void *connection, struct str message, int http_status, bool last,
                         int64_t retry_after_ms)
{
    (void)http_status, (void)last, (void)retry_after_ms;
    struct local_link *l = connection;
    struct buf text = { 0 };
    mgi_buf_str(&text, message);
    if (text.oom || l->count - l->first > MAX_WAITING ||
        !mgi_grow(&l->waiting, &l->cap, l->count + 1, sizeof *l->waiting)) {
        mgi_buf_fini(&text);
        l->failed = true;
    } else {
        l->waiting[l->count++] = text;
    }
    uv_stop(&l->host.loop);
    return !l->failed;
}

static void say_nothing(void *connection, const char *why)
{
    (void)connection, (void)why;
}

static const struct peer_transport local_transport = {
    .name = "local",
    .session = true,
    .send = take_message,
    .close = say_nothing,
};

/* ---- the client's side ------------------------------------------------------------------------
 */

static void on_deadline(uv_timer_t *timer)
{
    struct local_link *l = timer->data;
    l->expired = true;
    uv_stop(&l->host.loop);
}

static enum manglecp_status local_receive(struct link *link, struct incoming *in,
                                          int64_t deadline_ns, struct buf *why)
{
    struct local_link *l = (struct local_link *)link;
    int64_t left_ms = (deadline_ns - mgi_clock_mono_ns()) / NS_PER_MS;
    l->expired = left_ms <= 0;
    if (left_ms > 0)
        uv_timer_start(&l->timer, on_deadline, (uint64_t)left_ms, 0);
    else if (l->first == l->count)
        uv_run(&l->host.loop, UV_RUN_NOWAIT);
    while (l->first == l->count && !l->expired && !l->failed &&
           uv_run(&l->host.loop, UV_RUN_DEFAULT))
        ;
    uv_timer_stop(&l->timer);
    if (l->failed)
        return MANGLECP_ERR_NOMEM;
    if (l->first == l->count) {
        mgi_buf_puts(why, "the server did not answer in time");
        return MANGLECP_ERR_TIMEOUT;
    }
    mgi_buf_fini(&in->text);
    *in = (struct incoming){ .text = l->waiting[l->first++], .retry_after_ms = -1 };
    if (l->first == l->count)
        l->first = l->count = 0;
    return MANGLECP_OK;
}

static enum manglecp_status local_open(struct link *link, struct incoming *first,
                                       int64_t deadline_ns, struct buf *why)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL,
                                            .identity = { "local", 5 },
                                            .expires_ns = INT64_MAX };
    struct local_link *l = (struct local_link *)link;
    struct peer_options peer = { .transport = &local_transport, .connection = l, .who = &local };
    l->peer = mgi_peer_new(l->host.server, &peer);
    if (!l->peer)
        return MANGLECP_ERR_NOMEM;
    mgi_peer_greet(l->peer);
    return local_receive(link, first, deadline_ns, why);
}

static enum manglecp_status local_send(struct link *link, enum link_message what,
                                       struct str message, int64_t deadline_ns, bool *left,
                                       struct buf *why)
{
    (void)what, (void)deadline_ns, (void)why;
    struct local_link *l = (struct local_link *)link;
    *left = true;
    mgi_peer_message(l->peer, message, ENDPOINT_SESSION);
    return MANGLECP_OK;
}

static void local_close(struct link *link)
{
    struct local_link *l = (struct local_link *)link;
    if (l->peer)
        mgi_peer_gone(l->peer);
    if (l->timer_open)
        uv_close((uv_handle_t *)&l->timer, NULL);
    mgi_host_stop(&l->host);
    for (size_t i = l->first; i < l->count; i++)
        mgi_buf_fini(&l->waiting[i]);
    mgi_free(l->waiting);
    mgi_free(l);
}

static const struct link_table local_table = { .session = true,
                                               .open = local_open,
                                               .send = local_send,
                                               .receive = local_receive,
                                               .close = local_close };

struct local_link *mgi_local_new(const struct host_options *options, int *status)
{
    struct local_link *l = mgi_calloc(1, sizeof *l);
    *status = EXIT_USAGE;
    if (!l) {
        mgi_cli_error("out of memory");
        return NULL;
    }
    l->link.table = &local_table;
    *status = mgi_host_start(&l->host, options);
    if (*status) { /* the host has put itself away */
        mgi_free(l);
        return NULL;
    }
    l->timer.data = l;
    l->timer_open = uv_timer_init(&l->host.loop, &l->timer) == 0;
    return l;
}

struct link *mgi_local_link(struct local_link *l)
{
    return &l->link;
}

struct host *mgi_local_host(struct local_link *l)
{
    return &l->host;
}

bool mgi_local_approve(struct local_link *l, const char *challenge)
{
    l->host.approved = mgi_arena_str(&l->host.arena, str_of(challenge));
    return l->host.approved.ptr != NULL;
}
