/* The certificate for trying as a file: see trial.h. */
#include "service/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/environment.h"
#include "sys/write.h"

#define FOLDER       "/tmp"
#define NAME         "manglecp-XXXXXX"
#define SUFFIX       ".pem"
#define FOR_EVERYONE 0644 /* a certificate is no secret, and nobody else may change it */

/* 0, or an errno. */
static int write_new(struct buf *path, struct str text)
{
    int fd = mkostemps(path->ptr, (int)strlen(SUFFIX), O_CLOEXEC);
    if (fd < 0)
        return errno;
    int fault = mgi_write_all(fd, text) && fchmod(fd, FOR_EVERYONE) == 0 ? 0 : errno;
    if (close(fd) != 0 && !fault)
        fault = errno;
    if (fault)
        (void)unlink(path->ptr);
    return fault;
}

/* The file `fresh` takes the place, or the name, of that before. 0, or an errno. */
static int put_in_place(struct buf *fresh, struct buf *path)
{
    if (path->len == 0) {
        *path = *fresh;
        *fresh = (struct buf){ 0 };
        return 0;
    }
    if (rename(fresh->ptr, path->ptr) == 0)
        return 0;
    int fault = errno;
    (void)unlink(fresh->ptr);
    return fault;
}

bool mgi_trial_publish(const struct tls_context *context, const char *const *environment,
                       struct buf *path, struct buf *why)
{
    struct buf pem = { 0 }, fresh = { 0 };
    const char *folder = mgi_environment_get(environment, "TMPDIR");
    folder = folder && folder[0] == '/' ? folder : FOLDER;
    mgi_buf_printf(&fresh, "%s/" NAME SUFFIX, folder);
    int fault = mgi_tls_certificate_pem(context, &pem) && !fresh.oom
                    ? write_new(&fresh, mgi_buf_view(&pem))
                    : ENOMEM;
    if (!fault)
        fault = put_in_place(&fresh, path);
    mgi_buf_fini(&pem);
    mgi_buf_fini(&fresh);
    if (fault)
        mgi_buf_printf(why, "a file in %s could not be written: %s", folder, strerror(fault));
    return !fault;
}

void mgi_trial_withdraw(struct buf *path)
{
    if (path->len > 0)
        (void)unlink(path->ptr);
    mgi_buf_fini(path);
}
