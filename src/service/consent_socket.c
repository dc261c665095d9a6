/* The socket of the person who runs the server; see consent_socket.h. */
#include "service/consent_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "service/environment.h"

#define BACKLOG 16

void mgi_consent_folder(const char *const *environment, struct buf *out)
{
    const char *runtime = mgi_environment_get(environment, "XDG_RUNTIME_DIR");
    if (runtime && runtime[0] == '/')
        mgi_buf_printf(out, "%s/manglecp", runtime);
    else
        mgi_buf_printf(out, "/tmp/manglecp-%u", (unsigned)geteuid());
}

/* NULL, or what is wrong. A folder that somebody else has made in /tmp is none of ours: what it
 * holds could be exchanged. */
static const char *folder_fault(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return strerror(errno);
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return "it is not a folder of this user";
    return st.st_mode & 077 ? "others may enter it" : NULL;
}

bool mgi_consent_folder_is_ours(const char *path)
{
    return folder_fault(path) == NULL;
}

static const char *make_folder(const char *path)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return strerror(errno);
    return folder_fault(path);
}

static const char *listen_at(int fd, const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t len = strlen(path);
    if (len >= sizeof address.sun_path)
        return "the path is too long for a socket";
    memcpy(address.sun_path, path, len + 1);
    if (unlink(path) != 0 && errno != ENOENT) /* of an earlier process of this number */
        return strerror(errno);
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        chmod(path, 0600) != 0 || listen(fd, BACKLOG) != 0)
        return strerror(errno);
    return NULL;
}

int mgi_consent_socket_open(const char *const *environment, struct buf *path, struct buf *why)
{
    mgi_consent_folder(environment, path);
    const char *fault = path->oom ? "out of memory" : make_folder(path->ptr);
    mgi_buf_printf(path, "/%ld" CONSENT_SOCKET_SUFFIX, (long)getpid());
    int fd = fault ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (!fault && fd < 0)
        fault = strerror(errno);
    if (!fault)
        fault = path->oom ? "out of memory" : listen_at(fd, path->ptr);
    if (!fault)
        return fd;
    mgi_buf_printf(why, "%s: %s", path->ptr ? path->ptr : "", fault);
    if (fd >= 0)
        (void)close(fd);
    mgi_buf_fini(path);
    return -1;
}

void mgi_consent_socket_remove(struct buf *path)
{
    if (path->len > 0)
        (void)unlink(path->ptr);
    mgi_buf_fini(path);
}
