/* A web site on 127.0.0.1 for tests of live pages: one thread that answers paths from a table, and
 * counts them. Every answer closes its connection. A page with body NULL is never answered. */
#ifndef TESTS_BROWSER_SITE_H
#define TESTS_BROWSER_SITE_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SITE_CONNECTIONS = 64, SITE_PAGES = 64 };

struct site_page {
    const char *path; /* without query */
    int status;
    const char *headers; /* whole lines with their ends, "" for none */
    const char *body;    /* "$P" stands for the port, "$Q" for the other one */
};

struct site {
    const struct site_page *pages; /* ends with path NULL */
    int listener, stop;
    unsigned port, other_port;
    atomic_uint hits[SITE_PAGES], all;
    pthread_t thread;
};

static inline size_t site_expand(const struct site *s, const char *from, char *to, size_t room)
{
    size_t len = 0;
    for (; *from && len + 8 < room; from++)
        if (from[0] == '$' && (from[1] == 'P' || from[1] == 'Q'))
            len += (size_t)snprintf(to + len, 8, "%u", *++from == 'P' ? s->port : s->other_port);
        else
            to[len++] = *from;
    to[len] = '\0';
    return len;
}

/* False: the connection stays, unanswered. */
static inline bool site_answer(struct site *s, int fd)
{
    static char asked[65536], headers[4096], answer[1 << 17], body[1 << 16];
    ssize_t n = recv(fd, asked, sizeof asked - 1, 0);
    if (n <= 0)
        return true;
    asked[n] = '\0';
    char *path = strchr(asked, ' ');
    path = path ? path + 1 : asked;
    path[strcspn(path, " ?\r\n")] = '\0';
    atomic_fetch_add(&s->all, 1);
    for (size_t i = 0; s->pages && s->pages[i].path; i++) {
        const struct site_page *p = &s->pages[i];
        if (strcmp(path, p->path) != 0)
            continue;
        atomic_fetch_add(&s->hits[i], 1);
        if (!p->body)
            return false;
        size_t len = site_expand(s, p->body, body, sizeof body);
        site_expand(s, p->headers, headers, sizeof headers);
        int all = snprintf(answer, sizeof answer,
                           "HTTP/1.1 %d Said\r\n%s%sContent-Length: %zu\r\nConnection: "
                           "close\r\n\r\n%s",
                           p->status,
                           strstr(headers, "Content-Type") ? "" : "Content-Type: text/html\r\n",
                           headers, len, body);
        return send(fd, answer, (size_t)all, MSG_NOSIGNAL) >= -1;
    }
    static const char none[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: "
                               "close\r\n\r\n";
    return send(fd, none, sizeof none - 1, MSG_NOSIGNAL) >= -1;
}

static inline void *site_serve(void *context)
{
    struct site *s = context;
    struct pollfd p[2 + SITE_CONNECTIONS];
    p[0] = (struct pollfd){ .fd = s->stop, .events = POLLIN };
    p[1] = (struct pollfd){ .fd = s->listener, .events = POLLIN };
    for (int i = 2; i < 2 + SITE_CONNECTIONS; i++)
        p[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
    while (!p[0].revents) {
        if (poll(p, 2 + SITE_CONNECTIONS, -1) < 0 && errno != EINTR)
            break;
        for (int i = 2; i < 2 + SITE_CONNECTIONS; i++)
            if (p[i].fd >= 0 && p[i].revents) {
                if (site_answer(s, p[i].fd)) {
                    close(p[i].fd);
                    p[i].fd = -1;
                } else {
                    p[i].events = 0;
                }
            }
        int fd = p[1].revents ? accept4(s->listener, NULL, NULL, SOCK_CLOEXEC) : -1, i = 2;
        while (fd >= 0 && i < 2 + SITE_CONNECTIONS && p[i].fd >= 0)
            i++;
        if (fd >= 0 && i == 2 + SITE_CONNECTIONS)
            close(fd);
        else if (fd >= 0)
            p[i] = (struct pollfd){ .fd = fd, .events = POLLIN };
    }
    for (int i = 2; i < 2 + SITE_CONNECTIONS; i++)
        if (p[i].fd >= 0)
            close(p[i].fd);
    return NULL;
}

static inline bool site_start_at(struct site *s, const struct site_page *pages, in_addr_t where)
{
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t len = sizeof at;
    memset(s, 0, sizeof *s);
    s->pages = pages;
    at.sin_addr.s_addr = htonl(where);
    s->stop = eventfd(0, EFD_CLOEXEC);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->stop < 0 || s->listener < 0 || bind(s->listener, (struct sockaddr *)&at, len) != 0 ||
        listen(s->listener, 64) != 0 || getsockname(s->listener, (struct sockaddr *)&at, &len) != 0)
        return false;
    s->port = ntohs(at.sin_port);
    return pthread_create(&s->thread, NULL, site_serve, s) == 0;
}

static inline bool site_start(struct site *s, const struct site_page *pages)
{
    return site_start_at(s, pages, INADDR_LOOPBACK);
}

static inline void site_stop(struct site *s)
{
    const uint64_t one = 1;
    (void)!write(s->stop, &one, sizeof one);
    pthread_join(s->thread, NULL);
    close(s->stop);
    close(s->listener);
}

#endif
