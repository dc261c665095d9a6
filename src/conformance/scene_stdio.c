/* A scene on standard input and output, in a process of its own that the client under test starts
 * (conformance.h). The notes are one word, "pass" or "fail", and a sentence. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/time.h"
#include "conformance/scene.h"
#include "sys/clock.h"

#define LINE_BYTES ((size_t)1 << 24)

struct stdio_way {
    struct scene_way way; /* first: they are one */
    struct lines lines;
    char chunk[4096];
    struct str input;
};

static bool say_line(struct scene_way *way, struct str message)
{
    struct buf line = { 0 };
    (void)way;
    mgi_buf_str(&line, message);
    mgi_buf_putc(&line, '\n');
    bool good = !line.oom && write(STDOUT_FILENO, line.ptr, line.len) == (ssize_t)line.len;
    mgi_buf_fini(&line);
    return good;
}

static enum heard take_bytes(struct stdio_way *s, int64_t until_ns)
{
    int64_t left_ms = (until_ns - mgi_clock_mono_ns() + NS_PER_MS - 1) / NS_PER_MS;
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
    if (left_ms <= 0 || poll(&p, 1, (int)left_ms) <= 0)
        return HEARD_NOTHING;
    ssize_t n = read(STDIN_FILENO, s->chunk, sizeof s->chunk);
    s->input = (struct str){ s->chunk, n > 0 ? (size_t)n : 0 };
    return n == 0 || (n < 0 && errno != EINTR) ? HEARD_END : HEARD_MESSAGE;
}

static enum heard hear_line(struct scene_way *way, int64_t wait_ms, struct str *message)
{
    struct stdio_way *s = (struct stdio_way *)way;
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    while (mgi_lines_next(&s->lines, &s->input, message) != LINE_TEXT) {
        enum heard heard = take_bytes(s, until_ns);
        if (heard != HEARD_MESSAGE)
            return heard;
    }
    return HEARD_MESSAGE;
}

bool mgi_conformance_scene(const char *name, const char *notes)
{
    struct stdio_way s = { .way = { .over = OVER_STDIO, .say = say_line, .hear = hear_line } };
    const struct scene *scene = mgi_scene(name);
    struct buf fault = { 0 };
    FILE *file = scene ? fopen(notes, "w") : NULL;
    if (!file)
        return false;
    mgi_lines_init(&s.lines, LINE_BYTES);
    bool passed = mgi_scene_play(scene, &s.way, &fault);
    fprintf(file, "%s %s", passed ? "pass" : "fail", fault.ptr ? fault.ptr : "");
    mgi_lines_fini(&s.lines);
    mgi_buf_fini(&fault);
    return fclose(file) == 0;
}
