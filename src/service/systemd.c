/* The service manager's protocol: see the header. Messages that wait are kept whole, each behind
 * two bytes that say how long it is, because a datagram is one message. */
#include "service/systemd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "service/environment.h"

/* A decimal number of an environment variable; -1: it is not there, -2: it is no such number. */
static int64_t environment_number(const char *const *environment, const char *name)
{
    const char *text = mgi_environment_get(environment, name);
    char *end;
    if (!text)
        return -1;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    return errno || end == text || *end || n < 0 ? -2 : n;
}

/* ---- telling the manager ------------------------------------------------------------------- */

static bool connect_to(int fd, const char *path, struct buf *why)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t len = strlen(path);
    if ((path[0] != '/' && path[0] != '@') || len < 2 || len >= sizeof address.sun_path) {
        mgi_buf_printf(why, "NOTIFY_SOCKET is neither a path nor @name: \"%s\"", path);
        return false;
    }
    memcpy(address.sun_path, path, len);
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    /* An abstract name ends where the address does, a path with its NUL. */
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + (path[0] == '/'));
    if (connect(fd, (struct sockaddr *)&address, size) == 0)
        return true;
    mgi_buf_printf(why, "NOTIFY_SOCKET \"%s\": %s", path, strerror(errno));
    return false;
}

bool mgi_notify_open(struct notifier *n, const char *const *environment, pid_t pid, struct buf *why)
{
    *n = (struct notifier){ .fd = -1 };
    const char *path = mgi_environment_get(environment, "NOTIFY_SOCKET");
    if (!path || !path[0])
        return true;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        mgi_buf_printf(why, "no socket to speak to the service manager: %s", strerror(errno));
        return false;
    }
    if (!connect_to(fd, path, why)) {
        (void)close(fd);
        return false;
    }
    n->fd = fd;
    int64_t every = environment_number(environment, "WATCHDOG_USEC");
    int64_t whom = environment_number(environment, "WATCHDOG_PID");
    if (every > 0 && (whom == -1 || whom == pid))
        n->watchdog_us = every;
    return true;
}

void mgi_notify_close(struct notifier *n)
{
    if (n->fd >= 0)
        (void)close(n->fd);
    n->fd = -1;
    n->waiting_len = 0;
}

/* False: not now. What the manager will never take counts as sent: there is nobody to tell. */
static bool send_one(const struct notifier *n, const char *text, size_t len)
{
    ssize_t sent;
    do
        sent = send(n->fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS);
}

bool mgi_notify_flush(struct notifier *n)
{
    size_t at = 0;
    while (n->fd >= 0 && at < n->waiting_len) {
        size_t len = (size_t)(unsigned char)n->waiting[at] << 8 | (unsigned char)n->waiting[at + 1];
        if (!send_one(n, n->waiting + at + 2, len))
            break;
        at += 2 + len;
    }
    memmove(n->waiting, n->waiting + at, n->waiting_len - at);
    n->waiting_len -= at;
    return n->waiting_len == 0;
}

void mgi_notify(struct notifier *n, const char *format, ...)
{
    if (n->fd < 0)
        return;
    char text[NOTIFY_MAX_BYTES - 1];
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (wanted <= 0)
        return;
    size_t len = (size_t)wanted;
    if (len >= sizeof text) { /* half a line would say something else */
        char *cut = strrchr(text, '\n');
        len = cut ? (size_t)(cut - text) : 0;
    }
    if (len == 0 || (mgi_notify_flush(n) && send_one(n, text, len)))
        return;
    if (n->waiting_len + 2 + len > sizeof n->waiting)
        return; /* the manager has not read for long: the newest word is lost, not the order */
    n->waiting[n->waiting_len++] = (char)(len >> 8);
    n->waiting[n->waiting_len++] = (char)(len & 0xff);
    memcpy(n->waiting + n->waiting_len, text, len);
    n->waiting_len += len;
}

/* ---- sockets that the manager opened for us -------------------------------------------------- */

/* The next name of a list that colons separate; "" when there is none. */
static struct str next_name(const char **list)
{
    if (!*list)
        return (struct str){ "", 0 };
    struct str name = { *list, strcspn(*list, ":") };
    *list = (*list)[name.len] ? *list + name.len + 1 : NULL;
    return name;
}

static const char *unfit(int fd)
{
    int value = 0;
    socklen_t len = sizeof value;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &len) != 0)
        return errno == EBADF ? "it is not open" : "it is not a socket";
    if (value != SOCK_STREAM)
        return "it is not a stream socket";
    len = sizeof value;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &len) != 0 || !value)
        return "it does not listen (Accept=no is needed in the socket unit)";
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? NULL : "its flags cannot be set";
}

bool mgi_activation_read(struct activation *a, const char *const *environment, pid_t pid,
                         int first_fd, struct buf *why)
{
    *a = (struct activation){ .count = 0 };
    int64_t whom = environment_number(environment, "LISTEN_PID");
    int64_t count = environment_number(environment, "LISTEN_FDS");
    const char *names = mgi_environment_get(environment, "LISTEN_FDNAMES");
    if (whom == -1 || count == -1)
        return true;
    if (whom == -2 || count == -2) {
        mgi_buf_puts(why, whom == -2 ? "LISTEN_PID is not a number" : "LISTEN_FDS is not a number");
        return false;
    }
    if (whom != pid)
        return true; /* meant for a process that started us */
    if (count > ACTIVATION_MAX) {
        mgi_buf_printf(why, "LISTEN_FDS is %lld, and at most %d are taken", (long long)count,
                       ACTIVATION_MAX);
        return false;
    }
    for (int fd = first_fd; fd < first_fd + (int)count; fd++) {
        const char *fault = unfit(fd);
        if (fault) {
            mgi_buf_printf(why, "descriptor %d of LISTEN_FDS cannot be used: %s", fd, fault);
            return false;
        }
        a->sockets[a->count++] = (struct activation_socket){ fd, next_name(&names), false };
    }
    return true;
}

int mgi_activation_take(struct activation *a, struct str name)
{
    for (size_t i = 0; i < a->count; i++) {
        struct activation_socket *s = &a->sockets[i];
        if (s->taken || (name.len > 0 && !str_eq(s->name, name)))
            continue;
        s->taken = true;
        return s->fd;
    }
    return -1;
}
