/* See sockets.h. */
#include "sockets.h"

#include <poll.h>
#include <sys/socket.h>

bool mgi_sockets_add(struct http_sockets *s, int fd)
{
    if (s->count == HTTP_SOCKETS)
        return false;
    s->fds[s->count++] = fd;
    return true;
}

void mgi_sockets_remove(struct http_sockets *s, int fd)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->fds[i] == fd) {
            s->fds[i] = s->fds[--s->count];
            return;
        }
}

void mgi_sockets_end_spoken(const struct http_sockets *s)
{
    struct pollfd all[HTTP_SOCKETS];
    for (size_t i = 0; i < s->count; i++)
        all[i] = (struct pollfd){ .fd = s->fds[i], .events = POLLIN };
    if (s->count == 0 || poll(all, s->count, 0) <= 0)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (all[i].revents)
            shutdown(s->fds[i], SHUT_RDWR);
}
