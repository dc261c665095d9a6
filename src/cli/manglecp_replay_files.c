/* Reading a log that was rotated. zlib gives plain files as they are. */
#include "cli/manglecp_replay_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/lines.h"
#include "cli/cli_options.h"

/* What was asked and what came of it are a MiB each at most, and may be written with escapes. */
#define LINE_BYTES    ((size_t)16 << 20)
#define ROTATIONS_MAX 1000
/* A log packs to a tenth or a twentieth; zeros to a thousandth. */
#define UNPACKS_TO  200
#define UNPACKS_MIN ((int64_t)64 << 20) /* whatever it is packed to */

/* ---- one file ------------------------------------------------------------------------------ */

struct line_source {
    const char *name;
    const struct replay_visitor *v;
    struct lines lines;
    uint64_t number;
    bool enough;
};

static void give_line(struct line_source *s, enum line_event event, struct str text)
{
    s->number++;
    if (event == LINE_TOO_LONG)
        s->v->damaged(s->v->context, s->name, s->number, "it is longer than any record");
    else if (event == LINE_NOMEM)
        s->v->damaged(s->v->context, s->name, s->number, "memory ran out");
    else if (text.len > 0)
        s->enough = !s->v->line(s->v->context, s->name, s->number, text);
}

static void give_lines(struct line_source *s, struct str input)
{
    struct str line;
    enum line_event event;
    while (!s->enough && (event = mgi_lines_next(&s->lines, &input, &line)) != LINE_NONE)
        give_line(s, event, line);
}

/* No log, but something small that would keep a machine busy for long. */
static bool is_bomb(gzFile file, int64_t unpacked)
{
    int64_t read = gzoffset(file); /* a pipe does not know */
    return read >= 0 && unpacked > UNPACKS_MIN && unpacked / UNPACKS_TO > read;
}

/* False: a message was printed. */
static bool read_chunks(struct line_source *s, gzFile file)
{
    static char chunk[1 << 16];
    int n, fault;
    struct str line;
    int64_t unpacked = 0;
    while (!s->enough && (n = gzread(file, chunk, sizeof chunk)) > 0) {
        unpacked += n;
        if (is_bomb(file, unpacked)) {
            s->v->damaged(s->v->context, s->name, s->number + 1,
                          "it is packed more tightly than any log, and not read on");
            return true;
        }
        give_lines(s, (struct str){ chunk, (size_t)n });
    }
    const char *why = gzerror(file, &fault);
    enum line_event event = s->enough ? LINE_NONE : mgi_lines_end(&s->lines, &line);
    if (event != LINE_NONE)
        give_line(s, event, line);
    if (fault == Z_ERRNO)
        mgi_cli_error("%s: %s", s->name, strerror(errno));
    else if (fault != Z_OK && fault != Z_STREAM_END) /* what came before it was good */
        s->v->damaged(s->v->context, s->name, s->number + 1, why);
    return fault != Z_ERRNO;
}

/* *enough: nobody wants more. */
static bool read_one_file(const char *name, const struct replay_visitor *v, bool *enough)
{
    bool is_input = strcmp(name, "-") == 0;
    struct line_source s = { .name = is_input ? "standard input" : name, .v = v };
    gzFile file = is_input ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(name, "rb");
    if (!file) {
        mgi_cli_error("%s: %s", s.name, errno ? strerror(errno) : "out of memory");
        return false;
    }
    mgi_lines_init(&s.lines, LINE_BYTES);
    s.lines.keep_blank = true; /* so that numbers are those of an editor */
    bool ok = read_chunks(&s, file);
    mgi_lines_fini(&s.lines);
    gzclose(file);
    *enough = s.enough;
    return ok;
}

/* ---- rotation ------------------------------------------------------------------------------ */

/* PATH.n or PATH.n.gz into *name, whichever is there. */
static bool find_rotation(const char *path, int n, struct buf *name)
{
    mgi_buf_clear(name);
    mgi_buf_printf(name, "%s.%d", path, n);
    if (!name->oom && access(name->ptr, F_OK) == 0)
        return true;
    mgi_buf_puts(name, ".gz");
    return !name->oom && access(name->ptr, F_OK) == 0;
}

bool mgi_replay_read(const char *path, const struct replay_visitor *v)
{
    struct buf name = { 0 };
    bool ok = true, enough = false;
    int oldest = 0;
    while (oldest < ROTATIONS_MAX && strcmp(path, "-") != 0 &&
           find_rotation(path, oldest + 1, &name))
        oldest++;
    for (int n = oldest; ok && !enough && n > 0; n--)
        ok = find_rotation(path, n, &name) && read_one_file(name.ptr, v, &enough);
    mgi_buf_fini(&name);
    return ok && (enough || read_one_file(path, v, &enough));
}
