/* A file of decisions: see the header.
 *
 * Invariant: `size` is the length of the file up to its last whole line; if `torn`, more may follow
 * that could not be taken back, and the next line begins with a newline.
 *
 * The file is locked: two that rotate one file would write into each other's. What somebody without
 * a lock appends (a shell) is left alone: nothing is taken back but our own. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "decision/sink.h"

struct file_sink {
    char *path;
    int fd;
    int64_t rotate_bytes, keep;
    int64_t size;
    int64_t rotate_above; /* the size from which a line begins a new file */
    bool regular, torn;
};

static void explain(char why[SINK_WHY_BYTES], const char *what, int error)
{
    char text[64];
    snprintf(why, SINK_WHY_BYTES, "%s: %s", what, strerror_r(error, text, sizeof text));
}

/* Its last byte is no newline: somebody was killed in the middle of a line. */
static bool ends_torn(int fd, off_t size)
{
    char last = '\n';
    return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* Who reads and writes a pipe is its own reader, and never told that there is no other. */
static int open_plain(const char *path)
{
    const int flags = O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
        return open(path, O_WRONLY | flags);
    int fd = open(path, O_RDWR | O_CREAT | flags, 0600);
    if (fd < 0 && (errno == EACCES || errno == EPERM)) /* a device */
        fd = open(path, O_WRONLY | flags);
    return fd;
}

/* What it was made for before, others may not read what it gets now. */
static bool make_private(int fd, const struct stat *st)
{
    bool open_to_others = S_ISREG(st->st_mode) && (st->st_mode & 077) != 0;
    return !open_to_others || fchmod(fd, S_IRUSR | S_IWUSR) == 0;
}

/* Without waiting for anybody: a pipe without a reader is a fault. */
static int open_file(const char *path, struct stat *st, char why[SINK_WHY_BYTES])
{
    int fd = open_plain(path);
    bool opened = fd >= 0 && fstat(fd, st) == 0;
    if (opened && make_private(fd, st))
        return fd;
    explain(why, opened ? "could not make it readable for its owner alone" : "could not open it",
            errno);
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* Of a file system without locks nothing is asked. */
static bool lock_file(int fd, const struct stat *st, char why[SINK_WHY_BYTES])
{
    if (!S_ISREG(st->st_mode) || flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return true;
    snprintf(why, SINK_WHY_BYTES, "another server writes to it: give each a file of its own");
    return false;
}

static bool is_same_file(int fd, const struct stat *st)
{
    struct stat own;
    return fd >= 0 && fstat(fd, &own) == 0 && own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

static bool take_file(struct file_sink *s, char why[SINK_WHY_BYTES])
{
    struct stat st;
    int fd = open_file(s->path, &st, why);
    bool same = fd >= 0 && is_same_file(s->fd, &st), ours = fd >= 0 && !same;
    if (ours && !lock_file(fd, &st, why))
        ours = false;
    if (!ours) {
        if (fd >= 0)
            (void)close(fd);
        return same;
    }
    if (s->fd >= 0)
        (void)close(s->fd);
    s->fd = fd;
    s->regular = S_ISREG(st.st_mode);
    s->size = s->regular ? st.st_size : 0;
    s->rotate_above = s->rotate_bytes;
    s->torn = s->regular && ends_torn(fd, st.st_size);
    return true;
}

/* ---- rotation ------------------------------------------------------------------------------ */

static bool rename_numbered(const struct file_sink *s, int64_t from, int64_t to, struct buf names)
{
    mgi_buf_clear(&names);
    if (from > 0)
        mgi_buf_printf(&names, "%s.%lld", s->path, (long long)from);
    else
        mgi_buf_puts(&names, s->path);
    size_t second = names.len + 1;
    mgi_buf_putc(&names, '\0');
    mgi_buf_printf(&names, "%s.%lld", s->path, (long long)to);
    return !names.oom && (rename(names.ptr, names.ptr + second) == 0 || errno == ENOENT);
}

/* PATH.1 to PATH.keep move up, the last one is overwritten; then a new PATH. */
static bool rotate(struct file_sink *s, char why[SINK_WHY_BYTES])
{
    struct buf names = { 0 };
    bool ok = mgi_buf_reserve(&names, 2 * (strlen(s->path) + 24));
    for (int64_t n = s->keep; ok && n > 0; n--)
        ok = rename_numbered(s, n - 1, n, names);
    if (!ok)
        explain(why, "could not rotate it", errno);
    mgi_buf_fini(&names);
    return ok && take_file(s, why);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* How many of the first n bytes are whole lines. */
static size_t whole_lines(struct str lines, size_t n)
{
    const char *end = n > 0 ? memrchr(lines.ptr, '\n', n) : NULL;
    return end ? (size_t)(end - lines.ptr) + 1 : 0;
}

/* What is there of a line goes again: who reads finds whole lines. */
static void take_back(struct file_sink *s, size_t part)
{
    struct stat st;
    bool last = fstat(s->fd, &st) == 0 && st.st_size == s->size + (off_t)part;
    s->torn = part > 0 && !(last && ftruncate(s->fd, (off_t)s->size) == 0);
}

/* How many bytes need not be written again, in a file those of whole lines; fewer than all: *error
 * says why. What a pipe took of a line is gone on with. */
static size_t write_once(struct file_sink *s, struct str lines, int *error)
{
    ssize_t n;
    do
        n = write(s->fd, lines.ptr, lines.len);
    while (n < 0 && errno == EINTR);
    *error = n < 0 ? errno : s->regular ? ENOSPC : EAGAIN;
    if (n <= 0 || !s->regular)
        return n > 0 ? (size_t)n : 0;
    size_t whole = whole_lines(lines, (size_t)n);
    s->size += (int64_t)whole;
    if (whole < lines.len)
        take_back(s, (size_t)n - whole);
    return whole;
}

static bool mend(struct file_sink *s, int *error)
{
    if (!s->torn)
        return true;
    struct stat st;
    s->torn = write_once(s, STR_LIT("\n"), error) == 0;
    if (!s->torn && fstat(s->fd, &st) == 0)
        s->size = st.st_size;
    return !s->torn;
}

/* As many lines as the file still takes; at least one. */
static struct str lines_that_fit(struct file_sink *s, struct str lines, char why[SINK_WHY_BYTES])
{
    const char *end = memchr(lines.ptr, '\n', lines.len);
    size_t first = end ? (size_t)(end - lines.ptr) + 1 : lines.len;
    if (!s->regular || s->rotate_bytes == 0)
        return lines;
    if (s->size > 0 && s->size + (int64_t)first > s->rotate_above && !rotate(s, why))
        s->rotate_above = s->size + s->rotate_bytes; /* too large is better than lost */
    int64_t room = s->rotate_above - s->size;
    size_t fit =
        room < (int64_t)lines.len ? whole_lines(lines, room > 0 ? (size_t)room : 0) : lines.len;
    return (struct str){ lines.ptr, fit > first ? fit : first };
}

static enum sink_result write_to_file(void *self, struct str lines, size_t *taken,
                                      char why[SINK_WHY_BYTES])
{
    struct file_sink *s = self;
    int error = 0;
    why[0] = '\0';
    for (*taken = 0; *taken < lines.len;) {
        struct str rest = { lines.ptr + *taken, lines.len - *taken };
        struct str some = lines_that_fit(s, rest, why);
        size_t there = mend(s, &error) ? write_once(s, some, &error) : 0;
        *taken += there;
        if (there == some.len)
            continue;
        if (error == EAGAIN && !s->torn)
            return SINK_WAITS;
        explain(why, "could not write", error);
        return SINK_FAILED;
    }
    return SINK_WRITTEN;
}

static bool reopen_file(void *self, char why[SINK_WHY_BYTES])
{
    why[0] = '\0';
    return take_file(self, why);
}

static void close_file(void *self)
{
    struct file_sink *s = self;
    if (s->fd >= 0)
        (void)close(s->fd);
    mgi_free(s->path);
    mgi_free(s);
}

bool mgi_decision_sink_file(const char *path, int64_t rotate_bytes, int64_t keep,
                            struct decision_sink *out, char why[SINK_WHY_BYTES])
{
    static const struct decision_sink_operations operations = { write_to_file, reopen_file,
                                                                close_file };
    size_t len = strlen(path) + 1;
    struct file_sink *s = mgi_calloc(1, sizeof *s);
    *out = (struct decision_sink){ 0 };
    snprintf(why, SINK_WHY_BYTES, "out of memory");
    if (!s)
        return false;
    s->fd = -1;
    s->rotate_bytes = rotate_bytes;
    s->keep = keep > 0 ? keep : 1;
    s->path = mgi_alloc(len);
    if (s->path)
        memcpy(s->path, path, len);
    if (!s->path || !take_file(s, why)) {
        close_file(s);
        return false;
    }
    why[0] = '\0';
    *out = (struct decision_sink){ &operations, s };
    return true;
}
