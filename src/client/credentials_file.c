/* The file of logins: read, locked, replaced; see credentials.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"
#include "client/credentials.h"
#include "sys/clock.h"
#include "sys/write.h"

#define LOOK_MS 20 /* between looks at a lock that somebody holds */

static enum manglecp_status cannot(struct buf *why, const char *path, const char *what)
{
    mgi_utf8_show(why, str_of(path));
    mgi_buf_printf(why, ": %s", what);
    return why->oom ? MANGLECP_ERR_NOMEM : MANGLECP_ERR_CREDENTIALS;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* What is wrong with it as a place for secrets; NULL: nothing. */
static const char *fault_of(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return "it is no regular file";
    if (st.st_uid != geteuid())
        return "it belongs to somebody else";
    if (st.st_mode & (S_IRWXG | S_IRWXO))
        return "others may read or write it: chmod 600 it, and log in again if they have";
    if ((size_t)st.st_size > CREDENTIALS_BYTES)
        return "it is too large";
    return NULL;
}

/* False: errno says why, or it grew (EFBIG), or memory is short. */
static bool read_all(int fd, struct buf *text)
{
    text->limit = CREDENTIALS_BYTES;
    for (;;) {
        if (!mgi_buf_reserve(text, 4096))
            return false;
        ssize_t got = read(fd, text->ptr + text->len, 4096);
        if (got > 0)
            text->len += (size_t)got;
        else if (got == 0 || errno != EINTR)
            return got == 0;
    }
}

enum manglecp_status mgi_credentials_load(const char *path, struct arena *a,
                                          struct credentials *out, struct buf *why)
{
    struct buf text = { 0 }, fault = { 0 };
    enum manglecp_status status = MANGLECP_OK;
    out->count = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? MANGLECP_OK
                   : cannot(why, path, errno == ELOOP ? "it is a link" : strerror(errno));
    const char *wrong = fault_of(fd);
    if (wrong)
        status = cannot(why, path, wrong);
    else if (!read_all(fd, &text))
        status =
            text.oom && !text.full ? MANGLECP_ERR_NOMEM : cannot(why, path, "it cannot be read");
    else if (!mgi_credentials_read(a, mgi_arena_str(a, mgi_buf_view(&text)), out, &fault))
        status =
            a->oom || fault.oom ? MANGLECP_ERR_NOMEM : cannot(why, path, mgi_buf_view(&fault).ptr);
    close(fd);
    mgi_buf_wipe(&text);
    mgi_buf_fini(&fault);
    return status;
}

/* ---- the lock ---------------------------------------------------------------------------------
 */

/* The folder of `path` and the one above it, for this user alone. Who cannot make them will be told
 * by what they open next. */
static void make_folders(const char *path, struct buf *scratch)
{
    mgi_buf_puts(scratch, path);
    if (scratch->oom)
        return;
    char *last = strrchr(scratch->ptr, '/');
    if (!last || last == scratch->ptr)
        return;
    *last = '\0';
    if (mkdir(scratch->ptr, S_IRWXU) != 0 && errno == ENOENT) {
        char *above = strrchr(scratch->ptr, '/');
        if (!above || above == scratch->ptr)
            return;
        *above = '\0';
        (void)mkdir(scratch->ptr, S_IRWXU);
        *above = '/';
        (void)mkdir(scratch->ptr, S_IRWXU);
    }
}

static enum manglecp_status take_lock(int fd, int64_t deadline_ns, const char *name,
                                      struct buf *why)
{
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return cannot(why, name, strerror(errno));
        if (mgi_clock_mono_ns() >= deadline_ns) {
            (void)cannot(why, name, "another program holds it, and does not let go");
            return MANGLECP_ERR_TIMEOUT;
        }
        (void)nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * NS_PER_MS }, NULL);
    }
    return MANGLECP_OK;
}

enum manglecp_status mgi_credentials_lock(const char *path, int64_t deadline_ns, int *lock,
                                          struct buf *why)
{
    struct buf name = { 0 }, scratch = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    *lock = -1;
    make_folders(path, &scratch);
    mgi_buf_printf(&name, "%s.lock", path);
    if (!name.oom && !scratch.oom) {
        int fd = open(name.ptr, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
        status = fd < 0 ? cannot(why, name.ptr, strerror(errno))
                        : take_lock(fd, deadline_ns, name.ptr, why);
        if (fd >= 0 && status)
            close(fd);
        else
            *lock = fd;
    }
    mgi_buf_fini(&name);
    mgi_buf_fini(&scratch);
    return status;
}

void mgi_credentials_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

/* ---- replacing --------------------------------------------------------------------------------
 */

/* So that a name in it lasts. */
static void sync_folder(const char *path)
{
    const char *last = strrchr(path, '/');
    char folder[4096] = ".";
    if (last && (size_t)(last - path) < sizeof folder - 1)
        snprintf(folder, sizeof folder, "%.*s", last == path ? 1 : (int)(last - path), path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

static bool write_beside(const char *name, struct str text)
{
    (void)unlink(name); /* of who died before the name was changed; we hold the lock */
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return false;
    bool good = fchmod(fd, S_IRUSR | S_IWUSR) == 0 && mgi_write_all(fd, text) && fsync(fd) == 0;
    int fault = errno;
    close(fd);
    errno = fault;
    return good;
}

enum manglecp_status mgi_credentials_store(const char *path, const struct credentials *c,
                                           struct buf *why)
{
    struct buf text = { 0 }, name = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    mgi_buf_printf(&name, "%s.new", path);
    mgi_credentials_write(&text, c);
    if (!text.oom && !name.oom) {
        status = MANGLECP_OK;
        if (!write_beside(name.ptr, mgi_buf_view(&text)) || rename(name.ptr, path) != 0) {
            status = cannot(why, path, strerror(errno));
            (void)unlink(name.ptr);
        }
    }
    if (!status)
        sync_folder(path);
    mgi_buf_wipe(&text);
    mgi_buf_fini(&name);
    return status;
}
