/* Certificates and keys from files. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/tls_int.h"

#define FILE_MAX_BYTES ((off_t)1 << 20) /* all the authorities of a system are 220 KiB */

static bool read_whole(int fd, size_t size, struct buf *out)
{
    if (!mgi_buf_reserve(out, size))
        return false;
    size_t end = out->len + size;
    while (out->len < end) {
        ssize_t n = read(fd, out->ptr + out->len, end - out->len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0; /* it became shorter meanwhile */
        out->len += (size_t)n;
        out->ptr[out->len] = '\0';
    }
    return true;
}

/* What is wrong with the file; NULL: nothing. */
static const char *file_fault(const struct stat *st)
{
    if (!S_ISREG(st->st_mode))
        return S_ISDIR(st->st_mode) ? "is a folder: name the file in it" : "is not a regular file";
    return st->st_size > FILE_MAX_BYTES ? "is larger than 1 MiB: that is no certificate or key"
                                        : NULL;
}

bool mgi_tls_load_file(const char *path, bool is_secret, struct buf *out, struct tls_report *report)
{
    struct tls_pem name = { .name = path };
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hold us */
    if (fd < 0 || fstat(fd, &st) < 0) {
        mgi_tls_fault(report, &name, "could not be opened: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    const char *fault = file_fault(&st);
    bool ok = !fault && read_whole(fd, (size_t)st.st_size, out);
    if (fault)
        mgi_tls_fault(report, &name, "%s", fault);
    else if (!ok && !out->oom)
        mgi_tls_fault(report, &name, "could not be read: %s", strerror(errno));
    if (ok && is_secret && (st.st_mode & S_IROTH))
        mgi_tls_warn(report, &name,
                     "everybody on this machine can read the private key: chmod 600");
    close(fd);
    return ok;
}

/* As a PEM text; one without a name, so that nobody looks at it, if it could not be read. */
static struct tls_pem load(const char *path, bool is_secret, struct buf *text,
                           struct tls_report *report)
{
    if (!path || !mgi_tls_load_file(path, is_secret, text, report))
        return (struct tls_pem){ NULL, { NULL, 0 } };
    return (struct tls_pem){ path, mgi_buf_view(text) };
}

struct tls_context *mgi_tls_server_load(const struct tls_server_files *files, int64_t now_ns,
                                        struct tls_report *report)
{
    struct buf certificate = { 0 }, key = { 0 }, ca = { 0 };
    struct tls_server_options options = {
        .certificate = load(files->certificate, false, &certificate, report),
        .key = load(files->key, true, &key, report),
        .client_ca = load(files->client_ca, false, &ca, report),
        .client_optional = files->client_optional,
        .now_ns = now_ns,
    };
    /* also when a file is missing: what is wrong with the others belongs in the same answer */
    struct tls_context *context = mgi_tls_server_new(&options, report);
    if (context && files->client_ca && !options.client_ca.name) {
        mgi_tls_context_unref(context); /* never serve without the check that was asked for */
        context = NULL;
    }
    mgi_buf_fini(&certificate);
    mgi_tls_wipe(&key);
    mgi_buf_fini(&ca);
    return context;
}
