/* An HTTP server on 127.0.0.1 for tests and benchmarks: one thread that answers every request,
 * whatever it asks for, with the same small JSON document, on connections that stay. It costs as
 * little as a server can, so that what is measured is who asks. */
#ifndef TEST_SUPPORT_LOOPBACK_HTTP_H
#define TEST_SUPPORT_LOOPBACK_HTTP_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPBACK_CONNECTIONS = 16 };

struct loopback_http {
    int listener, stop;
    unsigned port;
    pthread_t thread;
};

/* Requests have no body here: each ends with an empty line. False: the connection is over. */
static inline bool loopback_answer(int fd)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                 "Content-Length: 11\r\n\r\n{\"ok\":true}";
    char asked[4096];
    ssize_t n = recv(fd, asked, sizeof asked, 0);
    if (n < 4 || memcmp(asked + n - 4, "\r\n\r\n", 4) != 0)
        return false;
    return send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) == (ssize_t)sizeof answer - 1;
}

static inline void *loopback_serve(void *context)
{
    const struct loopback_http *s = context;
    struct pollfd p[2 + LOOPBACK_CONNECTIONS];
    p[0] = (struct pollfd){ .fd = s->stop, .events = POLLIN };
    p[1] = (struct pollfd){ .fd = s->listener, .events = POLLIN };
    for (int i = 2; i < 2 + LOOPBACK_CONNECTIONS; i++)
        p[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
    while (!p[0].revents) {
        if (poll(p, 2 + LOOPBACK_CONNECTIONS, -1) < 0 && errno != EINTR)
            break;
        for (int i = 2; i < 2 + LOOPBACK_CONNECTIONS; i++)
            if (p[i].fd >= 0 && p[i].revents && !loopback_answer(p[i].fd)) {
                close(p[i].fd);
                p[i].fd = -1;
            }
        int fd = p[1].revents ? accept4(s->listener, NULL, NULL, SOCK_CLOEXEC) : -1, i = 2;
        while (fd >= 0 && i < 2 + LOOPBACK_CONNECTIONS && p[i].fd >= 0)
            i++;
        if (fd >= 0 && i == 2 + LOOPBACK_CONNECTIONS) {
            close(fd);
        } else if (fd >= 0) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
            p[i].fd = fd;
            p[i].revents = 0;
        }
    }
    for (int i = 2; i < 2 + LOOPBACK_CONNECTIONS; i++)
        if (p[i].fd >= 0)
            close(p[i].fd);
    return NULL;
}

/* False: this machine has no loopback, or no thread. */
static inline bool loopback_http_start(struct loopback_http *s)
{
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t len = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->stop = eventfd(0, EFD_CLOEXEC);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->stop < 0 || s->listener < 0 ||
        bind(s->listener, (const struct sockaddr *)&at, sizeof at) != 0 ||
        listen(s->listener, LOOPBACK_CONNECTIONS) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&at, &len) != 0)
        return false;
    s->port = ntohs(at.sin_port);
    return pthread_create(&s->thread, NULL, loopback_serve, s) == 0;
}

static inline void loopback_http_stop(struct loopback_http *s)
{
    if (eventfd_write(s->stop, 1) == 0)
        pthread_join(s->thread, NULL);
    close(s->listener);
    close(s->stop);
}

#endif
