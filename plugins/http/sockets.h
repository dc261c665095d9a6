/* The sockets of connections that may be used again. What arrives on one while nobody has asked
 * would be taken for the answer to the next request, of whoever makes it, and every answer after
 * that for the one of the request before: libcurl does not look, before its version 8.0. So before
 * each request those on which something waits are shut down, and libcurl makes a new connection. */
#ifndef HTTP_SOCKETS_H
#define HTTP_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_SOCKETS = 32 }; /* two pools of 8, and what is being connected */

struct http_sockets {
    int fds[HTTP_SOCKETS];
    size_t count;
};

/* Remember an open one. False: there are too many, and it is not remembered. */
bool mgi_sockets_add(struct http_sockets *s, int fd);

/* It is about to be closed. */
void mgi_sockets_remove(struct http_sockets *s, int fd);

/* No request is under way: end those that are not silent. */
void mgi_sockets_end_spoken(const struct http_sockets *s);

#endif
