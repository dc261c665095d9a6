/* The certificate for trying as a file: see trial.h. */
#include "service/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/environment.h"

#define FOLDER       "/tmp"
#define NAME         "manglecp-XXXXXX"
#define SUFFIX       ".pem"
#define FOR_EVERYONE 0644 /* a certificate is no secret, and nobody else may change it */

static bool write_whole(int fd, struct str text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.ptr, text.len);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            text = (struct str){ text.ptr + n, text.len - (size_t)n };
    }
    return true;
}

/* 0, or an errno. */
static int write_new(struct buf *path, struct str text)
{
    int fd = mkostemps(path->ptr, (int)strlen(SUFFIX), O_CLOEXEC);
    if (fd < 0)
        return errno;
    int fault = write_whole(fd, text) && fchmod(fd, FOR_EVERYONE) == 0 ? 0 : errno;
    if (close(fd) != 0 && !fault)
        fault = errno;
    if (fault)
        (void)unlink(path->ptr);
    return fault;
}

bool mgi_trial_publish(const struct tls_context *context, const char *const *environment,
                       struct buf *path)
{
    struct buf pem = { 0 };
    const char *folder = mgi_environment_get(environment, "TMPDIR");
    folder = folder && folder[0] == '/' ? folder : FOLDER;
    mgi_buf_printf(path, "%s/" NAME SUFFIX, folder);
    int fault = mgi_tls_certificate_pem(context, &pem) && !path->oom
                    ? write_new(path, mgi_buf_view(&pem))
                    : ENOMEM;
    mgi_buf_fini(&pem);
    if (!fault)
        return true;
    mgi_buf_clear(path);
    mgi_buf_printf(path, "a file in %s could not be written: %s", folder, strerror(fault));
    return false;
}

void mgi_trial_withdraw(struct buf *path)
{
    if (path->len > 0)
        (void)unlink(path->ptr);
    mgi_buf_fini(path);
}
