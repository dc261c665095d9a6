/* TLS in front of a listener. */
#include "net/tls_front.h"

/* To whoever speaks HTTP where TLS is spoken: the one thing that a person can read there. */
#define PLAIN_BODY "This address speaks TLS: use https:// instead of http://.\n"
static const char plain_answer[] = "HTTP/1.1 400 Bad Request\r\n"
                                   "Content-Type: text/plain\r\n"
                                   "Content-Length: 58\r\n"
                                   "Connection: close\r\n"
                                   "\r\n" PLAIN_BODY;
_Static_assert(sizeof PLAIN_BODY - 1 == 58, "the length in the head");

void mgi_tls_front_set(struct tls_front *front, struct tls_context *context)
{
    struct tls_context *before = front->context;
    front->context = context ? mgi_tls_context_ref(context) : NULL;
    mgi_tls_context_unref(before);
}

/* Until somebody owns it. */
static void front_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void front_end(void *owner)
{
    (void)owner;
}

static void front_failure(void *owner, enum stream_fault why)
{
    (void)owner, (void)why;
}

static void front_close(void *owner)
{
    (void)owner;
}

static const struct stream_events not_owned = {
    .bytes = front_bytes, .ended = front_end, .failed = front_failure, .closed = front_close
};

struct stream *mgi_tls_front_dress(void *context, struct stream *under)
{
    struct tls_front *front = context;
    int64_t now_ns = front->clock_ns();
    if (front->renew_at_ns > 0 && now_ns >= front->renew_at_ns)
        front->renew(front, now_ns);
    struct stream_tls_options options = {
        .context = front->context,
        .now_ns = now_ns,
        .if_plain_http = { plain_answer, sizeof plain_answer - 1 },
    };
    struct stream *s = mgi_stream_tls_new(under, &options, &not_owned, NULL);
    if (!s)
        mgi_stream_close(under);
    return s;
}
