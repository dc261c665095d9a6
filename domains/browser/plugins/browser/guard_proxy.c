/* A SOCKS5 proxy that judges addresses: see guard_proxy.h. RFC 1928, without authentication,
 * CONNECT alone. A thread listens; each connection has a thread, because resolving a name blocks.
 * Who has ended is joined when the next one comes, or at the end. They share the proxy, which is
 * freed by the last of them: a thread whose resolver hangs may outlive everybody. */
#include "guard_proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "guard.h"

#define CONNECTIONS_MOST 96 /* at once; a browser has 32 to one proxy */
#define HANDSHAKE_MS     5000
#define CONNECT_MS       15000
#define RELAY_BYTES      32768
#define FAILURES_KEPT    64
#define THREAD_STACK     (512 * 1024)
#define JOIN_MS          3000 /* for all threads together; only a resolver needs any of it */

enum reason { REASON_NONE, REASON_INTERNAL, REASON_NAME, REASON_REFUSED, REASON_LATE, REASON_AWAY };

struct failure {
    char host[GUARD_HOST_MAX + 1];
    int port;
    enum reason reason;
};

/* Where the name of the operator's page led to when it was asked for first. */
enum page_place { PLACE_UNKNOWN, PLACE_INTERNAL, PLACE_PUBLIC };

struct guard_proxy {
    char *allow, *page; /* the page's host */
    int (*resolve)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    int listener, port;
    int stop[2]; /* closing [1] ends everybody */
    pthread_t thread;
    pthread_mutex_t lock;           /* of what follows */
    int users;                      /* the owner, and a thread each */
    struct connection *connections; /* whose threads are to be joined */
    enum page_place place;
    uint64_t refused;
    struct failure failures[FAILURES_KEPT];
    size_t failure_next;
};

struct connection {
    struct guard_proxy *proxy;
    pthread_t thread;
    struct connection *next;
    bool done, alone; /* under the proxy's lock; alone: nobody will join it */
    int client, host;
    char name[GUARD_HOST_MAX + 1];
    int port;
};

static const char *words_of(enum reason reason)
{
    static const char *const words[] = {
        [REASON_INTERNAL] = "net::ERR_BLOCKED_BY_ADMINISTRATOR",
        [REASON_NAME] = "net::ERR_NAME_NOT_RESOLVED",
        [REASON_REFUSED] = "net::ERR_CONNECTION_REFUSED",
        [REASON_LATE] = "net::ERR_CONNECTION_TIMED_OUT",
        [REASON_AWAY] = "net::ERR_ADDRESS_UNREACHABLE",
    };
    return words[reason];
}

/* ---- what is shared ------------------------------------------------------------------------- */

static void leave_proxy(struct guard_proxy *p)
{
    pthread_mutex_lock(&p->lock);
    bool last = --p->users == 0;
    pthread_mutex_unlock(&p->lock);
    if (!last)
        return;
    close(p->stop[0]);
    pthread_mutex_destroy(&p->lock);
    mgi_free(p->allow);
    mgi_free(p->page);
    mgi_free(p);
}

static bool enter_proxy(struct guard_proxy *p)
{
    pthread_mutex_lock(&p->lock);
    bool room = p->users < CONNECTIONS_MOST;
    p->users += room;
    pthread_mutex_unlock(&p->lock);
    return room;
}

/* A host stands here once, with what happened last; a success takes it out. */
static void remember(struct connection *c, enum reason reason)
{
    struct guard_proxy *p = c->proxy;
    struct failure *place = NULL;
    pthread_mutex_lock(&p->lock);
    p->refused += reason == REASON_INTERNAL;
    for (size_t i = 0; i < FAILURES_KEPT && !place; i++)
        if (p->failures[i].port == c->port && strcasecmp(p->failures[i].host, c->name) == 0)
            place = &p->failures[i];
    if (!place && reason != REASON_NONE)
        place = &p->failures[p->failure_next++ % FAILURES_KEPT];
    if (place) {
        memcpy(place->host, c->name, sizeof place->host);
        place->port = c->port;
        place->reason = reason;
    }
    pthread_mutex_unlock(&p->lock);
}

const char *mgi_guard_proxy_words(struct guard_proxy *p, struct str host, int port)
{
    const char *words = NULL;
    if (!p)
        return NULL;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < FAILURES_KEPT; i++) {
        const struct failure *f = &p->failures[i];
        if (f->port == port && mgi_str_same(str_of(f->host), host))
            words = words_of(f->reason);
    }
    pthread_mutex_unlock(&p->lock);
    return words;
}

uint64_t mgi_guard_proxy_refused(struct guard_proxy *p)
{
    if (!p)
        return 0;
    pthread_mutex_lock(&p->lock);
    uint64_t refused = p->refused;
    pthread_mutex_unlock(&p->lock);
    return refused;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Wait until `fd` is ready. False: the time is over, or everybody is to end. */
static bool await_socket(const struct connection *c, int fd, short events, int ms)
{
    struct pollfd all[2] = { { .fd = fd, .events = events }, { .fd = c->proxy->stop[0] } };
    int n;
    while ((n = poll(all, 2, ms)) < 0 && errno == EINTR)
        ;
    return n > 0 && all[1].revents == 0;
}

static bool read_exactly(const struct connection *c, uint8_t *to, size_t len)
{
    while (len > 0) {
        if (!await_socket(c, c->client, POLLIN, HANDSHAKE_MS))
            return false;
        ssize_t n = recv(c->client, to, len, 0);
        if (n <= 0)
            return false;
        to += n;
        len -= (size_t)n;
    }
    return true;
}

static bool write_all(const struct connection *c, int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            if (!await_socket(c, fd, POLLOUT, -1))
                return false;
            continue;
        }
        if (n < 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* ---- the handshake -------------------------------------------------------------------------- */

static bool read_name(struct connection *c, uint8_t kind)
{
    uint8_t bytes[256], len = 0;
    if (kind == 1 && read_exactly(c, bytes, 4))
        snprintf(c->name, sizeof c->name, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
    else if (kind == 3 && read_exactly(c, &len, 1) && len > 0 && read_exactly(c, bytes, len))
        memcpy(c->name, bytes, len);
    else if (kind != 4 || !read_exactly(c, bytes, 16))
        return false;
    if (kind == 4) {
        char *at = c->name;
        for (int i = 0; i < 16; i += 2)
            at += snprintf(at, 8, "%s%x", i ? ":" : "", bytes[i] << 8 | bytes[i + 1]);
    }
    return kind != 3 || strlen(c->name) == len; /* a zero byte is in no name */
}

/* Greeting without authentication, then CONNECT to a host. */
static bool read_wish(struct connection *c)
{
    uint8_t head[4], methods[256], port[2];
    if (!read_exactly(c, head, 2) || head[0] != 5 || !read_exactly(c, methods, head[1]) ||
        !write_all(c, c->client, "\5\0", 2))
        return false;
    if (!read_exactly(c, head, 4) || head[0] != 5 || head[1] != 1 || !read_name(c, head[3]) ||
        !read_exactly(c, port, 2))
        return false;
    c->port = port[0] << 8 | port[1];
    return true;
}

static bool write_reply(const struct connection *c, enum reason reason)
{
    static const char codes[] = { [REASON_NONE] = 0,    [REASON_INTERNAL] = 2, [REASON_NAME] = 4,
                                  [REASON_REFUSED] = 5, [REASON_LATE] = 6,     [REASON_AWAY] = 3 };
    const char reply[10] = { 5, codes[reason], 0, 1 };
    return write_all(c, c->client, reply, sizeof reply);
}

/* ---- connecting ----------------------------------------------------------------------------- */

static enum reason reason_of(int error)
{
    return error == ECONNREFUSED ? REASON_REFUSED : error == ETIMEDOUT ? REASON_LATE : REASON_AWAY;
}

static enum reason connect_to(struct connection *c, const struct addrinfo *a)
{
    int error = 0;
    socklen_t len = sizeof error;
    c->host = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (c->host < 0)
        return REASON_AWAY;
    if (connect(c->host, a->ai_addr, a->ai_addrlen) == 0)
        return REASON_NONE;
    if (errno != EINPROGRESS)
        error = errno;
    else if (!await_socket(c, c->host, POLLOUT, CONNECT_MS))
        error = ETIMEDOUT;
    else
        getsockopt(c->host, SOL_SOCKET, SO_ERROR, &error, &len);
    if (error == 0)
        return REASON_NONE;
    close(c->host);
    c->host = -1;
    return reason_of(error);
}

static bool is_internal(const struct sockaddr *address)
{
    return mgi_guard_is_internal(address) || mgi_guard_is_own(address);
}

/* The name of the operator's page may lead to an internal address if it did so from the start. */
static bool page_is_internal(struct guard_proxy *p, const struct sockaddr *first)
{
    bool internal = is_internal(first);
    pthread_mutex_lock(&p->lock);
    if (p->place == PLACE_UNKNOWN)
        p->place = internal ? PLACE_INTERNAL : PLACE_PUBLIC;
    internal = p->place == PLACE_INTERNAL;
    pthread_mutex_unlock(&p->lock);
    return internal;
}

/* May the host that is asked for lead to this address? */
static bool may_lead_to(const struct connection *c, const struct sockaddr *address,
                        const struct sockaddr *first)
{
    struct guard_url url = { .scheme = STR_LIT("http"), .host = str_of(c->name), .port = c->port };
    struct str allow = str_of(c->proxy->allow);
    if (!is_internal(address))
        return true;
    bool allowed = mgi_guard_allows(allow, &url);
    url.scheme = STR_LIT("https");
    if (!allowed && !mgi_guard_allows(allow, &url))
        return false;
    if (mgi_guard_says_address(url.host) || mgi_guard_allows_address(allow, address, c->port))
        return true;
    return mgi_guard_same_host(url.host, str_of(c->proxy->page)) &&
           page_is_internal(c->proxy, first);
}

static enum reason connect_host(struct connection *c)
{
    const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM };
    struct addrinfo *found = NULL;
    char service[8];
    snprintf(service, sizeof service, "%d", c->port);
    if (c->proxy->resolve(c->name, service, &wanted, &found) != 0 || !found)
        return REASON_NAME;
    if (mgi_guard_same_host(str_of(c->name), str_of(c->proxy->page)))
        (void)page_is_internal(c->proxy, found->ai_addr); /* a public one counts from now on */
    enum reason reason = REASON_NAME;
    for (const struct addrinfo *a = found; a; a = a->ai_next) {
        bool open = may_lead_to(c, a->ai_addr, found->ai_addr);
        reason = open ? connect_to(c, a) : REASON_INTERNAL;
        if (reason == REASON_NONE)
            break;
    }
    freeaddrinfo(found);
    return reason;
}

/* ---- passing on ----------------------------------------------------------------------------- */

/* What comes from one side waits here until the other takes it. */
struct way {
    int from, to;
    bool open; /* more may come */
    char *bytes;
    size_t at, len; /* that wait */
};

/* The end of what comes is passed on, too. False: it is over. */
static bool take_in(struct way *w)
{
    ssize_t n = recv(w->from, w->bytes, RELAY_BYTES, MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    w->at = 0;
    w->len = (size_t)n;
    w->open = n > 0;
    if (!w->open)
        shutdown(w->to, SHUT_WR);
    return true;
}

static bool give_out(struct way *w)
{
    ssize_t n = send(w->to, w->bytes + w->at, w->len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    w->at += (size_t)n;
    w->len -= (size_t)n;
    return true;
}

/* What the way waits for, at its two ends. */
static void add_events(const struct way *w, struct pollfd *from, struct pollfd *to)
{
    if (w->len > 0)
        to->events |= POLLOUT;
    else if (w->open)
        from->events |= POLLIN;
}

static bool move_on(struct way *w, const struct pollfd *from, const struct pollfd *to)
{
    if (w->len == 0 && w->open && from->revents && !take_in(w))
        return false;
    return w->len == 0 || !(to->revents || from->revents) || give_out(w);
}

/* Neither way waits for the other: who sends may stop reading until it is read itself. */
static void relay(struct connection *c)
{
    char *bytes = mgi_alloc((size_t)RELAY_BYTES * 2);
    struct way up = { c->client, c->host, true, bytes, 0, 0 };
    struct way down = { c->host, c->client, true, bytes ? bytes + RELAY_BYTES : NULL, 0, 0 };
    bool good = bytes != NULL;
    while (good && (up.open || up.len > 0 || down.open || down.len > 0)) {
        struct pollfd all[3] = { { .fd = c->client },
                                 { .fd = c->host },
                                 { .fd = c->proxy->stop[0] } };
        add_events(&up, &all[0], &all[1]);
        add_events(&down, &all[1], &all[0]);
        for (int i = 0; i < 2; i++)
            if (!all[i].events)
                all[i].fd = -1; /* what it has to say waits */
        int n = poll(all, 3, -1);
        if ((n < 0 && errno != EINTR) || all[2].revents)
            break;
        if (n > 0)
            good = move_on(&up, &all[0], &all[1]) && move_on(&down, &all[1], &all[0]);
    }
    mgi_free(bytes);
}

static void *run_connection(void *context)
{
    struct connection *c = context;
    if (read_wish(c)) {
        enum reason reason = connect_host(c);
        remember(c, reason);
        if (write_reply(c, reason) && reason == REASON_NONE)
            relay(c);
    }
    close(c->client);
    if (c->host >= 0)
        close(c->host);
    struct guard_proxy *proxy = c->proxy;
    pthread_mutex_lock(&proxy->lock);
    c->done = true;
    bool alone = c->alone;
    pthread_mutex_unlock(&proxy->lock);
    if (alone) /* else c is who joins this thread's */
        mgi_free(c);
    leave_proxy(proxy);
    return NULL;
}

/* ---- joining -------------------------------------------------------------------------------- */

/* Out of the list: those that are done, or all. */
static struct connection *take_out(struct guard_proxy *p, bool all)
{
    struct connection *out = NULL;
    pthread_mutex_lock(&p->lock);
    for (struct connection **at = &p->connections; *at;) {
        struct connection *c = *at;
        if (!all && !c->done) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        c->next = out;
        out = c;
    }
    pthread_mutex_unlock(&p->lock);
    return out;
}

static void join_done(struct guard_proxy *p)
{
    struct connection *c = take_out(p, false), *next;
    for (; c; c = next) {
        next = c->next;
        pthread_join(c->thread, NULL);
        mgi_free(c);
    }
}

/* Whose resolver hangs is left to itself. */
static void join_all(struct guard_proxy *p)
{
    struct timespec until;
    struct connection *c = take_out(p, true), *next;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += JOIN_MS / 1000;
    for (; c; c = next) {
        next = c->next;
        bool joined = pthread_timedjoin_np(c->thread, NULL, &until) == 0;
        if (!joined) {
            pthread_mutex_lock(&p->lock);
            c->alone = !c->done;
            bool alone = c->alone;
            if (alone)
                pthread_detach(c->thread);
            pthread_mutex_unlock(&p->lock);
            if (alone)
                continue;
            pthread_join(c->thread, NULL); /* it is about to end */
        }
        mgi_free(c);
    }
}

/* ---- listening ------------------------------------------------------------------------------ */

static bool start_thread(void *(*run)(void *), void *context, pthread_t *thread)
{
    pthread_attr_t about;
    sigset_t all, before;
    pthread_attr_init(&about);
    pthread_attr_setstacksize(&about, THREAD_STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, &about, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&about);
    return started;
}

/* Only the listener puts connections into the list, and takes those out that are done. */
static void take_connection(struct guard_proxy *p, int client)
{
    join_done(p);
    bool entered = enter_proxy(p), started = false;
    struct connection *c = entered ? mgi_calloc(1, sizeof *c) : NULL;
    if (c) {
        *c = (struct connection){ .proxy = p, .client = client, .host = -1 };
        fcntl(client, F_SETFL, O_NONBLOCK);
        started = start_thread(run_connection, c, &c->thread);
    }
    if (started) {
        pthread_mutex_lock(&p->lock);
        c->next = p->connections;
        p->connections = c;
        pthread_mutex_unlock(&p->lock);
        return;
    }
    if (entered)
        leave_proxy(p);
    mgi_free(c);
    close(client);
}

static void *run_listener(void *context)
{
    struct guard_proxy *p = context;
    for (;;) {
        struct pollfd all[2] = { { .fd = p->listener, .events = POLLIN }, { .fd = p->stop[0] } };
        int n = poll(all, 2, -1);
        if ((n < 0 && errno != EINTR) || (n > 0 && all[1].revents))
            break;
        int client = n > 0 ? accept4(p->listener, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (client >= 0)
            take_connection(p, client);
        else if (n > 0)
            poll(&all[1], 1, 50); /* out of descriptors: not to spin until some are back */
    }
    close(p->listener);
    leave_proxy(p);
    return NULL;
}

static bool listen_here(struct guard_proxy *p)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof here;
    p->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (p->listener < 0 || bind(p->listener, (struct sockaddr *)&here, len) != 0 ||
        listen(p->listener, 64) != 0 ||
        getsockname(p->listener, (struct sockaddr *)&here, &len) != 0)
        return false;
    p->port = ntohs(here.sin_port);
    return true;
}

static void undo_new(struct guard_proxy *p)
{
    if (p->listener >= 0)
        close(p->listener);
    for (int i = 0; i < 2; i++)
        if (p->stop[i] >= 0)
            close(p->stop[i]);
    pthread_mutex_destroy(&p->lock);
    mgi_free(p->allow);
    mgi_free(p->page);
    mgi_free(p);
}

static char *copy_of(struct str s)
{
    char *copy = mgi_calloc(1, s.len + 1);
    if (copy && s.len > 0)
        memcpy(copy, s.ptr, s.len);
    return copy;
}

struct guard_proxy *mgi_guard_proxy_new(const struct guard_reach *reach, const char **why)
{
    struct guard_proxy *p = mgi_calloc(1, sizeof *p);
    struct guard_url page;
    *why = "out of memory";
    if (!p)
        return NULL;
    p->listener = p->stop[0] = p->stop[1] = -1;
    p->users = 2; /* the owner and the listener */
    pthread_mutex_init(&p->lock, NULL);
    p->resolve = reach->resolve ? reach->resolve : getaddrinfo;
    p->allow = copy_of(reach->allow);
    p->page = copy_of(mgi_guard_parse(reach->page, &page) ? page.host : STR_LIT(""));
    if (p->allow && p->page) {
        *why = "no port of this machine can be listened on";
        if (pipe2(p->stop, O_CLOEXEC) == 0 && listen_here(p) &&
            start_thread(run_listener, p, &p->thread))
            return p;
    }
    undo_new(p);
    return NULL;
}

void mgi_guard_proxy_free(struct guard_proxy *p)
{
    if (!p)
        return;
    close(p->stop[1]);
    pthread_join(p->thread, NULL);
    join_all(p);
    leave_proxy(p);
}

int mgi_guard_proxy_port(const struct guard_proxy *p)
{
    return p->port;
}
