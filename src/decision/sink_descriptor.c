/* Standard output as a place for decisions. A pipe that has room for PIPE_BUF bytes takes them
 * without waiting, so lines go in pieces of that size, and between two of them nobody is held
 * up. A piece that is out counts as taken, also in the middle of a line: the rest follows. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "decision/sink.h"

#define ROOM_MS 50 /* that a piece waits for room before somebody may change their mind */

struct descriptor_sink {
    int fd;
};

static bool room_comes(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    return poll(&p, 1, ROOM_MS) == 1 && (p.revents & (POLLOUT | POLLERR | POLLHUP | POLLNVAL));
}

static enum sink_result write_pieces(void *self, struct str lines, size_t *taken,
                                     char why[SINK_WHY_BYTES])
{
    const struct descriptor_sink *s = self;
    why[0] = '\0';
    for (*taken = 0; *taken < lines.len;) {
        size_t left = lines.len - *taken;
        if (!room_comes(s->fd))
            return SINK_WAITS;
        ssize_t n = write(s->fd, lines.ptr + *taken, left < PIPE_BUF ? left : PIPE_BUF);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0) {
            char text[64];
            snprintf(why, SINK_WHY_BYTES, "could not write: %s",
                     strerror_r(errno, text, sizeof text));
            return SINK_FAILED;
        }
        *taken += (size_t)n;
    }
    return SINK_WRITTEN;
}

static bool nothing_to_reopen(void *self, char why[SINK_WHY_BYTES])
{
    (void)self;
    why[0] = '\0';
    return true;
}

static void forget_descriptor(void *self)
{
    mgi_free(self);
}

bool mgi_decision_sink_descriptor(int fd, struct decision_sink *out)
{
    static const struct decision_sink_operations operations = { write_pieces, nothing_to_reopen,
                                                                forget_descriptor };
    struct descriptor_sink *s = mgi_calloc(1, sizeof *s);
    *out = (struct decision_sink){ 0 };
    if (!s)
        return false;
    s->fd = fd;
    *out = (struct decision_sink){ &operations, s };
    return true;
}
