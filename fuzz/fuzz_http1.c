/* HTTP/1.1 out of bytes: whatever comes, cut anywhere, the events are those of the whole. The first
 * byte chooses where it is cut. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "net/http1.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void note_head(struct buf *out, const struct http1_request *r)
{
    struct str rest = { NULL, 0 }, name, value;
    mgi_buf_str(out, r->method);
    mgi_buf_str(out, r->path);
    mgi_buf_str(out, r->host);
    mgi_buf_printf(out, "|%d%d%d%d%d", r->minor_zero, r->keep_alive, r->upgrade, r->chunked,
                   (int)r->expect);
    while (mgi_http1_field(r, &rest, &name, &value)) {
        mgi_buf_str(out, name);
        mgi_buf_str(out, value);
    }
}

/* False: the codec takes no more. */
static bool feed(struct http1 *h, struct str input, struct buf *out)
{
    struct str body;
    for (;;) {
        switch (mgi_http1_next(h, &input, &body)) {
        case HTTP1_MORE:
            if (input.len > 0)
                abort();
            return true;
        case HTTP1_HEAD:
            note_head(out, &h->request);
            if (!mgi_http1_keep(h))
                abort();
            break;
        case HTTP1_BODY:
            if (body.len == 0)
                abort();
            mgi_buf_str(out, body);
            break;
        case HTTP1_END:
            mgi_buf_puts(out, ";");
            break;
        case HTTP1_FAULT:
            mgi_buf_printf(out, "!%d", (int)h->fault);
            return false;
        }
    }
}

/* Pieces of `step` bytes, each a copy of its own. */
static struct buf run(const uint8_t *bytes, size_t size, size_t step)
{
    struct http1 h;
    struct buf out = { 0 };
    bool more = true;
    mgi_http1_init(&h);
    for (size_t at = 0; at < size && more; at += step) {
        size_t len = size - at < step ? size - at : step;
        char *copy = malloc(len);
        if (!copy)
            abort();
        memcpy(copy, bytes + at, len);
        more = feed(&h, (struct str){ copy, len }, &out);
        free(copy);
    }
    mgi_http1_fini(&h);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    struct buf whole = run(bytes + 1, size - 1, size);
    struct buf pieces = run(bytes + 1, size - 1, 1 + bytes[0] % 64);
    if (!str_eq(mgi_buf_view(&whole), mgi_buf_view(&pieces)))
        abort();
    mgi_buf_fini(&whole);
    mgi_buf_fini(&pieces);
    return 0;
}
