/* The BIO of engines: OpenSSL reads and writes two buffers of ours, and never a socket. */
#include <string.h>

#include "net/tls_int.h"

static int bio_read(BIO *bio, char *into, int cap)
{
    struct tls_wire *w = BIO_get_data(bio);
    size_t len = w->in.len - w->in_at;
    BIO_clear_retry_flags(bio);
    if (len == 0 || cap <= 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    if (len > (size_t)cap)
        len = (size_t)cap;
    memcpy(into, w->in.ptr + w->in_at, len);
    w->in_at += len;
    if (w->in_at == w->in.len) {
        mgi_buf_fini(&w->in);
        w->in_at = 0;
    }
    return (int)len;
}

static int bio_write(BIO *bio, const char *bytes, int len)
{
    struct tls_wire *w = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    mgi_buf_append(&w->out, bytes, len > 0 ? (size_t)len : 0);
    return w->out.oom ? -1 : len;
}

static long bio_control(BIO *bio, int command, long number, void *pointer)
{
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH; /* nothing else is ours */
}

static int bio_create(BIO *bio)
{
    BIO_set_init(bio, 1);
    return 1;
}

BIO_METHOD *mgi_tls_bio_method(void)
{
    BIO_METHOD *m = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "engine buffers");
    if (m && BIO_meth_set_read(m, bio_read) == 1 && BIO_meth_set_write(m, bio_write) == 1 &&
        BIO_meth_set_ctrl(m, bio_control) == 1 && BIO_meth_set_create(m, bio_create) == 1)
        return m;
    BIO_meth_free(m);
    return NULL;
}
