/* The file of audit records: see audit_file.h.
 *
 * Append: open and lock (again, if somebody has rotated meanwhile), look at what others have added,
 * rotate if it is time, write one line, unlock. */
#include "toolhost/audit_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/encode.h"
#include "base/time.h"
#include "sys/digest.h"

enum { LOOK_BYTES = 65536 }; /* more than any record is long */

static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
static const char record_head[] = "{\"chain_hash\":\"";
static const char record_prev[] = "\",\"chain_prev\":\"";

const struct audit_limits mgi_audit_limits = { AUDIT_FILE_BYTES, AUDIT_FILE_MS, AUDIT_TOTAL_BYTES,
                                               AUDIT_FILES };

void mgi_audit_file_init(struct audit_file *f, const char *path, bool flush)
{
    *f = (struct audit_file){ .path = path, .flush = flush, .limits = mgi_audit_limits, .fd = -1 };
    memcpy(f->prev, zeros, sizeof f->prev);
}

static void close_file(struct audit_file *f)
{
    int kept = errno;
    if (f->fd >= 0)
        close(f->fd); /* gives up the lock, too */
    f->fd = -1;
    errno = kept;
}

void mgi_audit_file_fini(struct audit_file *f)
{
    close_file(f);
}

/* ---- names -------------------------------------------------------------------------------- */

/* The folder of a path, with its slash, or "". */
static struct str folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (struct str){ path, slash ? (size_t)(slash + 1 - path) : 0 };
}

/* The file's name without its extension. */
static struct str stem_of(const char *path)
{
    struct str name = str_of(path + folder_of(path).len);
    const char *dot = strrchr(name.ptr, '.');
    if (dot && dot != name.ptr)
        name.len = (size_t)(dot - name.ptr);
    return name;
}

int64_t mgi_audit_rotated_epoch(struct str stem, struct str name)
{
    const struct str tail = STR_LIT(".jsonl");
    int64_t epoch = 0;
    if (!mgi_str_starts(name, stem) || name.len < stem.len + 2 + tail.len ||
        name.ptr[stem.len] != '.' ||
        memcmp(name.ptr + name.len - tail.len, tail.ptr, tail.len) != 0)
        return -1;
    for (size_t i = stem.len + 1; i < name.len - tail.len; i++) {
        if (name.ptr[i] < '0' || name.ptr[i] > '9' || epoch > (INT64_MAX - 9) / 10)
            return -1;
        epoch = epoch * 10 + (name.ptr[i] - '0');
    }
    return epoch;
}

static bool rotated_path(const struct audit_file *f, int64_t epoch, char out[PATH_MAX])
{
    struct str folder = folder_of(f->path), stem = stem_of(f->path);
    int n = snprintf(out, PATH_MAX, "%.*s%.*s.%lld.jsonl", STR_ARG(folder), STR_ARG(stem),
                     (long long)epoch);
    return n > 0 && n < PATH_MAX;
}

/* The rotated files, as far as they matter: how many and how large, the oldest and the newest. */
struct rotated {
    size_t count;
    int64_t bytes, oldest, newest; /* epochs; -1: there is none */
};

static void add_rotated(const struct audit_file *f, int64_t epoch, struct rotated *r)
{
    char path[PATH_MAX];
    struct stat about;
    if (epoch < 0 || !rotated_path(f, epoch, path) || lstat(path, &about) != 0 ||
        !S_ISREG(about.st_mode))
        return;
    r->count++;
    r->bytes += about.st_size;
    if (r->oldest < 0 || epoch < r->oldest)
        r->oldest = epoch;
    if (epoch > r->newest)
        r->newest = epoch;
}

static struct rotated find_rotated(const struct audit_file *f)
{
    struct rotated r = { .oldest = -1, .newest = -1 };
    struct str folder = folder_of(f->path), stem = stem_of(f->path);
    char path[PATH_MAX] = ".";
    if (folder.len >= sizeof path)
        return r;
    if (folder.len) {
        memcpy(path, folder.ptr, folder.len);
        path[folder.len] = '\0';
    }
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        add_rotated(f, mgi_audit_rotated_epoch(stem, str_of(e->d_name)), &r);
    if (dir)
        closedir(dir);
    return r;
}

/* ---- what is in a file -------------------------------------------------------------------- */

static bool is_hash(const char *p)
{
    return strspn(p, "0123456789abcdef") >= AUDIT_HASH_TEXT;
}

/* The chain_hash of a line that is a record; `line` ends with a NUL somewhere behind. */
static bool hash_of_line(const char *line, size_t len, char hash[AUDIT_HASH_TEXT + 1])
{
    const size_t head = sizeof record_head - 1;
    if (len < head + AUDIT_HASH_TEXT + sizeof record_prev || memcmp(line, record_head, head) != 0 ||
        !is_hash(line + head) ||
        memcmp(line + head + AUDIT_HASH_TEXT, record_prev, sizeof record_prev - 1) != 0)
        return false;
    memcpy(hash, line + head, AUDIT_HASH_TEXT);
    hash[AUDIT_HASH_TEXT] = '\0';
    return true;
}

/* The hash of the last whole record in the file; a line that was torn, or is no record, is passed
 * over. *torn: the file does not end with a line end. */
static bool last_hash(int fd, int64_t size, char hash[AUDIT_HASH_TEXT + 1], bool *torn)
{
    static const int64_t most = LOOK_BYTES;
    char text[LOOK_BYTES + 1];
    int64_t from = size > most ? size - most : 0;
    ssize_t n = pread(fd, text, (size_t)(size - from), (off_t)from);
    *torn = n > 0 && text[n - 1] != '\n';
    if (n <= 0)
        return false;
    text[n] = '\0';
    size_t end = (size_t)n;
    while (end > 0) {
        if (text[end - 1] != '\n') { /* the torn end */
            end--;
            continue;
        }
        size_t begin = --end;
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        if (hash_of_line(text + begin, end - begin, hash))
            return true;
        end = begin;
    }
    return false;
}

/* When its first record was written; 0: it does not say. `ts` is the last member of a record. */
static int64_t first_record_ms(int fd)
{
    static const char name[] = "\"ts\":\"";
    char text[LOOK_BYTES + 1];
    int64_t ns;
    ssize_t n = pread(fd, text, LOOK_BYTES, 0);
    const char *lf = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;
    const size_t tail = sizeof name - 1 + strlen("2000-01-01T00:00:00Z\"}");
    if (!lf || (size_t)(lf - text) < tail || memcmp(lf - tail, name, sizeof name - 1) != 0)
        return 0;
    struct str ts = { lf - tail + sizeof name - 1, strlen("2000-01-01T00:00:00Z") };
    return mgi_time_parse(ts, 0, &ns) == TIME_OK ? ns / NS_PER_MS : 0;
}

/* An empty file goes on where the newest rotated one ended. */
static void take_up_rotated(struct audit_file *f)
{
    char path[PATH_MAX];
    struct rotated r = find_rotated(f);
    struct stat about;
    bool torn;
    memcpy(f->prev, zeros, sizeof f->prev);
    if (r.newest < 0 || !rotated_path(f, r.newest, path))
        return;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && !last_hash(fd, about.st_size, f->prev, &torn))
        memcpy(f->prev, zeros, sizeof f->prev);
    close(fd);
}

/* ---- the current file --------------------------------------------------------------------- */

static bool lock_file(int fd)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    for (int i = 0; i < AUDIT_LOCK_MS; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        nanosleep(&moment, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

static bool open_file(struct audit_file *f)
{
    struct stat about;
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    f->fd = open(f->path, flags, 0600);
    if (f->fd < 0 || fstat(f->fd, &about) != 0) {
        close_file(f);
        return false;
    }
    f->regular = S_ISREG(about.st_mode);
    f->size = -1; /* nothing is known of it */
    f->first_ms = 0;
    return true;
}

/* Is the file that we hold still the one at the path? */
static bool is_current(const struct audit_file *f, const struct stat *held)
{
    struct stat named;
    return stat(f->path, &named) == 0 && named.st_ino == held->st_ino &&
           named.st_dev == held->st_dev;
}

/* What others have written since we looked, or before we came. False: it could not be read. */
static bool catch_up(struct audit_file *f, const struct stat *about)
{
    bool torn = false;
    if (about->st_size == f->size)
        return true;
    if (about->st_size == 0)
        take_up_rotated(f);
    else if (!last_hash(f->fd, about->st_size, f->prev, &torn))
        memcpy(f->prev, zeros, sizeof f->prev);
    if (torn && write(f->fd, "\n", 1) != 1) /* what was cut off stays, on a line of its own */
        return false;
    f->first_ms = about->st_size ? first_record_ms(f->fd) : 0;
    f->size = about->st_size + torn;
    return true;
}

/* The current file, open, locked and known. */
static bool hold(struct audit_file *f)
{
    for (int i = 0; i < 8; i++) { /* others may rotate meanwhile, but not for ever */
        struct stat about;
        if (f->fd < 0 && !open_file(f))
            return false;
        if (!f->regular)
            return true;
        if (!lock_file(f->fd))
            return false;
        if (fstat(f->fd, &about) == 0 && is_current(f, &about))
            return catch_up(f, &about);
        close_file(f);
    }
    errno = EBUSY;
    return false;
}

/* ---- rotation ----------------------------------------------------------------------------- */

/* Make room for one more file and what it may hold. */
static void drop_old(const struct audit_file *f)
{
    char path[PATH_MAX];
    for (int i = 0; i < 1000; i++) {
        struct rotated r = find_rotated(f);
        bool many = r.count + 1 > f->limits.files;
        bool large = r.bytes + f->limits.file_bytes > f->limits.total_bytes;
        if (r.oldest < 0 || (!many && !large) || !rotated_path(f, r.oldest, path) ||
            unlink(path) != 0)
            return;
    }
}

static bool is_due(const struct audit_file *f, size_t more, int64_t now_ms)
{
    if (!f->regular || f->size <= 0)
        return false;
    return f->size + (int64_t)more > f->limits.file_bytes ||
           (f->first_ms > 0 && now_ms - f->first_ms >= f->limits.file_ms);
}

/* The file gets its other name; the next hold() makes a new one. A name that is taken is never
 * overwritten. */
static bool rotate(struct audit_file *f, int64_t now_ms)
{
    char path[PATH_MAX];
    for (int i = 0; i < 100; i++) {
        if (!rotated_path(f, now_ms + i, path)) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (renameat2(AT_FDCWD, f->path, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
            close_file(f);
            drop_old(f);
            return true;
        }
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* ---- append ------------------------------------------------------------------------------- */

static bool make_line(const struct audit_file *f, struct str text, struct buf *line,
                      char hash[AUDIT_HASH_TEXT + 1])
{
    uint8_t sum[SHA256_BYTES];
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return false;
    mgi_sha256_add(h, f->prev, AUDIT_HASH_TEXT);
    mgi_sha256_add(h, text.ptr, text.len);
    if (!mgi_sha256_end(h, sum))
        return false;
    mgi_hex(sum, sizeof sum, hash);
    mgi_buf_puts(line, record_head);
    mgi_buf_puts(line, hash);
    mgi_buf_puts(line, record_prev);
    mgi_buf_puts(line, f->prev);
    mgi_buf_puts(line, "\",");
    mgi_buf_append(line, text.ptr + 1, text.len - 1);
    mgi_buf_putc(line, '\n');
    return !line->oom;
}

static bool write_record(struct audit_file *f, struct str line)
{
    ssize_t n = write(f->fd, line.ptr, line.len);
    if (n == (ssize_t)line.len)
        return !f->flush || !f->regular || fdatasync(f->fd) == 0;
    if (n >= 0) {
        /* Half a record is none. If it cannot be taken back, the next one begins a line anyway. */
        if (f->regular && ftruncate(f->fd, (off_t)f->size) != 0)
            f->size = -1;
        errno = ENOSPC;
    }
    return false;
}

static bool append(struct audit_file *f, struct str text, int64_t now_ms)
{
    struct buf line = { 0 };
    char hash[AUDIT_HASH_TEXT + 1];
    /* With the two members and the line end in, and the brace that text brings along out. */
    const size_t chain = sizeof record_head - 1 + sizeof record_prev - 1 + 2 * AUDIT_HASH_TEXT + 2;
    if (!hold(f) || (is_due(f, text.len + chain, now_ms) && (!rotate(f, now_ms) || !hold(f))))
        return false;
    bool good = make_line(f, text, &line, hash);
    if (!good)
        errno = ENOMEM;
    good = good && write_record(f, mgi_buf_view(&line));
    if (good) {
        memcpy(f->prev, hash, sizeof f->prev);
        f->size += (int64_t)line.len;
        if (f->first_ms == 0)
            f->first_ms = now_ms;
    }
    mgi_buf_fini(&line);
    return good;
}

bool mgi_audit_file_append(struct audit_file *f, struct str text, int64_t now_ms)
{
    bool good = append(f, text, now_ms);
    if (!good)
        close_file(f);
    else if (f->regular)
        flock(f->fd, LOCK_UN);
    return good;
}
