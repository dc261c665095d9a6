/* Accepting, and how many there may be: what was asked for, and what the process has descriptors
 * for beside the reserve. The latter is shared by all listeners of a net, but for a few that each
 * has for itself. The kernel gives out the lowest descriptor that is free, so the number of a new
 * one tells how many are in use. */
#include "net/listener.h"

#include <assert.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "net/net.h"
#include "net/stream_int.h"

#define MAX_CONNECTIONS 10000
#define BACKLOG         511

struct listener {
    struct listener_options options;
    uv_tcp_t socket;
    struct net_group group; /* counts the streams that are not closed */
    uint32_t alive;         /* streams, and the socket, of which something is left */
    uv_tcp_t spare;         /* takes a connection for which there is no memory, and drops it */
    bool dropping;          /* the spare is closing */
    bool more_to_drop;      /* another one waits for the spare */
    bool closing;
    void (*closed)(void *context);
    void *context;
};

/* ---- the end ----------------------------------------------------------------------------- */

static void one_is_gone(void *context)
{
    struct listener *l = context;
    if (--l->alive > 0)
        return;
    assert(l->closing);
    if (l->closed)
        l->closed(l->context);
    mgi_free(l);
}

/* The net may be freed before the loop has closed the last handle of ours. */
static void leave_net(struct listener *l)
{
    if (l->closing && l->group.connections + l->group.refused == 0)
        mgi_net_group_remove(&l->group);
}

static void one_is_released(void *context)
{
    struct listener *l = context;
    l->group.connections--;
    leave_net(l);
}

static void refused_one_is_released(void *context)
{
    struct listener *l = context;
    l->group.refused--;
    leave_net(l);
}

static const struct stream_origin taken_here = { .released = one_is_released, .gone = one_is_gone };
static const struct stream_origin refused_here = { .released = refused_one_is_released,
                                                   .gone = one_is_gone };

static void socket_closed(uv_handle_t *handle)
{
    one_is_gone(handle->data);
}

void mgi_listener_close(struct listener *l, void (*closed)(void *context), void *context)
{
    l->closing = true;
    l->closed = closed;
    l->context = context;
    leave_net(l);
    uv_close((uv_handle_t *)&l->socket, socket_closed);
}

/* ---- accepting --------------------------------------------------------------------------- */

static void connection_waits(uv_stream_t *server, int status);

static void dropped(uv_handle_t *spare)
{
    struct listener *l = spare->data;
    bool again = l->more_to_drop && !l->closing;
    l->dropping = l->more_to_drop = false;
    if (again)
        connection_waits((uv_stream_t *)&l->socket, 0);
    one_is_gone(l);
}

/* There is no memory for the connection that waits. The loop tells of no other one until this one
 * was taken, so it is taken, and dropped. */
static void drop_connection(struct listener *l)
{
    if (l->dropping) {
        l->more_to_drop = true;
        return;
    }
    (void)uv_tcp_init(l->options.net->loop, &l->spare);
    l->spare.data = l;
    l->dropping = true;
    l->alive++;
    (void)uv_accept((uv_stream_t *)&l->socket, (uv_stream_t *)&l->spare);
    uv_close((uv_handle_t *)&l->spare, dropped);
}

/* Is there room for one more, perhaps because another one gives way? */
static bool make_room(struct listener *l)
{
    bool good = true;
    while (good && l->group.connections >= l->options.max_connections)
        good = mgi_net_give_way(l->group.net, &l->group);
    while (good && !mgi_net_has_room(&l->group))
        good = mgi_net_give_way(l->group.net, NULL);
    return good;
}

/* One that is refused needs a descriptor, too, until it has heard so. */
static void make_room_for_refusal(struct listener *l)
{
    bool good = true;
    while (good && l->group.refused >= l->group.net->max_refusals)
        good = mgi_net_end_linger(&l->group);
}

static void connection_waits(uv_stream_t *server, int status)
{
    struct listener *l = server->data;
    struct net *net = l->options.net;
    int error;
    if (status != 0) { /* out of descriptors: libuv has dropped it; make room for the next */
        mgi_net_give_way(net, NULL);
        return;
    }
    bool room = make_room(l);
    if (!room)
        make_room_for_refusal(l);
    struct stream *s =
        mgi_stream_accept(&l->group, server, room ? &taken_here : &refused_here, l, &error);
    if (!s) {
        drop_connection(l);
        return;
    }
    l->alive++;
    if (room)
        l->group.connections++;
    else
        l->group.refused++;
    if (l->group.refused > net->max_refusals)
        mgi_stream_close(s); /* as many are being told as can be */
    else
        l->options.accepted(l->options.context, s, !room);
}

/* ---- listening --------------------------------------------------------------------------- */

/* The socket is open: what is left behind it and the reserve (at most a quarter of all) is for
 * connections, and an eighth of that at most for those that are told that there is no room. */
static void share_out_descriptors(struct listener *l)
{
    struct net *net = l->options.net;
    struct rlimit files;
    uv_os_fd_t fd;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > INT32_MAX ||
        uv_fileno((uv_handle_t *)&l->socket, &fd) != 0)
        return;
    uint32_t all = (uint32_t)files.rlim_cur, reserve = net->limits.descriptors_reserved;
    if (reserve > all / 4)
        reserve = all / 4;
    uint32_t used = (uint32_t)fd + 1 + reserve;
    uint32_t left = all > used ? all - used : 1, refusals = left / 8;
    if (net->max_refusals > refusals)
        net->max_refusals = refusals;
    uint32_t room = left - net->max_refusals;
    if (room < net->max_connections)
        net->max_connections = room;
}

static const char *bind_to_address(struct listener *l)
{
    struct sockaddr_storage address;
    const char *host = l->options.host;
    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    if (uv_ip4_addr(host, l->options.port, (struct sockaddr_in *)&address) != 0 &&
        uv_ip6_addr(host, l->options.port, (struct sockaddr_in6 *)&address) != 0)
        return "the host must be an IPv4 or IPv6 address, or localhost";
    int rc = uv_tcp_bind(&l->socket, (struct sockaddr *)&address, 0);
    return rc ? uv_strerror(rc) : NULL;
}

static const char *adopt(struct listener *l)
{
    int rc = uv_tcp_open(&l->socket, l->options.descriptor);
    return rc ? uv_strerror(rc) : NULL;
}

static const char *start_listening(struct listener *l, int *port_out)
{
    struct sockaddr_storage address;
    int len = sizeof address;
    const char *why = l->options.descriptor > 0 ? adopt(l) : bind_to_address(l);
    if (why)
        return why;
    int rc = uv_listen((uv_stream_t *)&l->socket, BACKLOG, connection_waits);
    if (rc == 0)
        rc = uv_tcp_getsockname(&l->socket, (struct sockaddr *)&address, &len);
    if (rc != 0)
        return uv_strerror(rc);
    *port_out = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                    : ((struct sockaddr_in *)&address)->sin_port);
    return NULL;
}

struct listener *mgi_listener_new(const struct listener_options *options, int *port_out,
                                  const char **why)
{
    struct listener *l = mgi_calloc(1, sizeof *l);
    *why = "out of memory";
    if (!l)
        return NULL;
    l->options = *options;
    if (l->options.max_connections == 0)
        l->options.max_connections = MAX_CONNECTIONS;
    (void)uv_tcp_init(options->net->loop, &l->socket); /* opens nothing yet: cannot fail */
    l->socket.data = l;
    l->alive = 1;
    mgi_net_group_add(options->net, &l->group);
    *why = start_listening(l, port_out);
    if (!*why) {
        share_out_descriptors(l);
        return l;
    }
    mgi_listener_close(l, NULL, NULL);
    return NULL;
}

uint32_t mgi_listener_count(const struct listener *l)
{
    return l->group.connections + l->group.refused;
}
