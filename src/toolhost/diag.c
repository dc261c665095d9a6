/* The host's standard error: see diag.h. */
#include "toolhost/diag.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "toolhost/sizes.h"

/* One write of at most PIPE_BUF bytes after poll() has said that there is room: it cannot block on
 * a pipe, and no other writer's bytes get in between. */
static void write_line(const char *bytes, size_t len)
{
    struct pollfd room = { .fd = STDERR_FILENO, .events = POLLOUT };
    if (len > PIPE_BUF)
        len = PIPE_BUF;
    if (poll(&room, 1, 0) != 1 || !(room.revents & POLLOUT))
        return;
    ssize_t written = write(STDERR_FILENO, bytes, len);
    (void)written; /* there is nobody left to tell */
}

void mgi_diag_write(void *context, enum log_level level, const char *line, size_t len)
{
    (void)context;
    char text[PIPE_BUF];
    int head = snprintf(text, sizeof text, "toolhost: %s: ", mgi_log_level_name(level));
    size_t room = sizeof text - (size_t)head - 1;
    if (len > room)
        len = room;
    memcpy(text + head, line, len);
    text[(size_t)head + len] = '\n';
    write_line(text, (size_t)head + len + 1);
}

static void flush(struct forward *f, struct forward_line *l)
{
    char text[sizeof f->prefix + FORWARD_LINE_BYTES + 1];
    size_t head = strlen(f->prefix);
    memcpy(text, f->prefix, head);
    memcpy(text + head, l->text, l->len);
    text[head + l->len] = '\n';
    write_line(text, head + l->len + 1);
    l->len = 0;
    l->after_c2 = false;
}

/* Control characters are U+0000 to U+001F, U+007F, and U+0080 to U+009F, which UTF-8 writes as C2
 * and one more byte; a terminal obeys them all. */
static void put(struct forward *f, struct forward_line *l, char c)
{
    unsigned char byte = (unsigned char)c;
    bool c1 = l->after_c2 && byte >= 0x80 && byte <= 0x9f;
    l->after_c2 = byte == 0xc2;
    if (c == '\n') {
        flush(f, l);
        return;
    }
    if (l->len == sizeof l->text)
        flush(f, l);
    if (c1 && l->len > 0)
        l->text[l->len - 1] = '?';
    else
        l->text[l->len++] = c1 || (byte < 0x20 && c != '\t') || byte == 0x7f ? '?' : c;
}

void mgi_forward_begin(struct forward *f, struct str aid)
{
    mgi_forward_end(f);
    if (aid.ptr)
        snprintf(f->prefix, sizeof f->prefix, "[tool %.*s] ", STR_ARG(aid));
    else
        snprintf(f->prefix, sizeof f->prefix, "[plugin] ");
    f->budget = MAX_FORWARDED_BYTES;
}

void mgi_forward_bytes(struct forward *f, int stream, const char *bytes, size_t len)
{
    size_t take = len < f->budget ? len : f->budget;
    for (size_t i = 0; i < take; i++)
        put(f, &f->line[stream], bytes[i]);
    f->budget -= take;
    f->dropped += len - take;
}

void mgi_forward_end(struct forward *f)
{
    for (int i = 0; i < 2; i++)
        if (f->line[i].len)
            flush(f, &f->line[i]);
    if (f->dropped) {
        char text[256];
        int len =
            snprintf(text, sizeof text, "%s%zu bytes of output dropped\n", f->prefix, f->dropped);
        write_line(text, (size_t)len);
    }
    f->dropped = 0;
}
