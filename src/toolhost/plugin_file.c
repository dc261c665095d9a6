/* The sealed copy of the plugin: see plugin_file.h. */
#include "toolhost/plugin_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/digest.h"
#include "sys/write.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

int mgi_fd_out_of_the_way(int fd)
{
    if (fd < 0)
        return -1;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    close(fd);
    return high;
}

/* Newer kernels want to be told that the file will be executed, older ones do not know the flag. */
static int executable_memory_file(void)
{
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create("plugin", flags | MFD_EXEC);
    if (fd < 0 && errno == EINVAL)
        fd = memfd_create("plugin", flags);
    return mgi_fd_out_of_the_way(fd);
}

/* The digest is taken from the bytes that go into the copy, in the same pass. */
static bool copy(int from, int to, struct sha256 *sum)
{
    char chunk[65536];
    for (;;) {
        ssize_t n = read(from, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        mgi_sha256_add(sum, chunk, (size_t)n);
        if (!mgi_write_all(to, (struct str){ chunk, (size_t)n }))
            return false;
    }
}

static bool copy_and_seal(int from, struct plugin_file *out)
{
    const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    out->fd = executable_memory_file();
    struct sha256 *sum = out->fd < 0 ? NULL : mgi_sha256_new();
    if (!sum)
        return false;
    bool ok = copy(from, out->fd, sum);
    int copy_errno = errno;
    ok = mgi_sha256_end(sum, out->sha) && ok;
    errno = copy_errno;
    return ok && fcntl(out->fd, F_ADD_SEALS, seals) == 0;
}

static const char *open_failed(struct arena *arena)
{
    char *text = mgi_arena_printf(arena, "plugin open failed: %s", strerror(errno));
    return text ? text : "plugin open failed";
}

const char *mgi_plugin_file_open(struct arena *arena, const char *path,
                                 const struct settings *settings, struct plugin_file *out)
{
    out->fd = -1;
    struct stat about;
    if (stat(path, &about) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return open_failed(arena);
        char *text = mgi_arena_printf(arena, "plugin not found: %s", path);
        return text ? text : "plugin not found";
    }
    if (!S_ISREG(about.st_mode)) /* before opening: a device may act on being opened */
        return "plugin is not a regular file";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return open_failed(arena);

    const char *why = NULL;
    if (fstat(fd, &about) != 0)
        why = open_failed(arena);
    else if (!S_ISREG(about.st_mode))
        why = "plugin is not a regular file";
    else if (!copy_and_seal(fd, out))
        why = open_failed(arena);
    else if (settings->has_plugin_sha && memcmp(out->sha, settings->plugin_sha, SHA256_BYTES) != 0)
        why = "plugin hash mismatch";
    close(fd);
    if (why)
        mgi_plugin_file_close(out);
    return why;
}

void mgi_plugin_file_close(struct plugin_file *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}
