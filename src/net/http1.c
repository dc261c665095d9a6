/* The states of a request's bytes. A head is found by a scan that refuses what must not be guessed
 * at, and then judged as a whole (http1_head.c); a body is counted, or is chunks.
 *
 * A head that comes in one piece is judged where it lies; only one that comes in several is copied.
 */
#include <string.h>

#include "net/http1_int.h"

enum state {
    READING_HEAD,
    HEAD_IS_DUE, /* between HTTP1_HEAD and the body */
    READING_LENGTH,
    CHUNK_SIZE,
    CHUNK_BLANK,     /* behind the size: only an extension may follow */
    CHUNK_EXTENSION, /* up to its CR */
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    TRAILER_BEGIN, /* of a line */
    TRAILER_LINE,
    TRAILER_LF,
    LAST_LF,
    OVER,  /* END is due */
    ENDED, /* the request is still there */
    BROKEN
};

#define CHUNK_DIGITS_MAX 13 /* 52 bits: no sum of sizes overflows */

void mgi_http1_init(struct http1 *h)
{
    *h = (struct http1){ 0 };
}

void mgi_http1_fini(struct http1 *h)
{
    mgi_buf_fini(&h->kept);
}

static enum http1_event fail(struct http1 *h, enum http1_fault fault, const char *why)
{
    h->state = BROKEN;
    h->fault = fault;
    h->why = why;
    return HTTP1_FAULT;
}

/* ---- the scan ---------------------------------------------------------------------------- */

enum scan { SCAN_MORE, SCAN_WHOLE, SCAN_FAULT };

/* Look at head[h->scanned..]. SCAN_WHOLE: the head ends at h->scanned. */
static enum scan scan_head(struct http1 *h, struct str head)
{
    const char *why = NULL;
    size_t i = h->scanned;
    while (i < head.len && !why) {
        unsigned char c = (unsigned char)head.ptr[i];
        bool after_cr = i > 0 && head.ptr[i - 1] == '\r';
        if (after_cr != (c == '\n')) {
            why = "Lines of a head must end in CR LF.";
        } else if (c == '\n') {
            bool empty = i - h->line == 1;
            i++;
            h->line = i;
            if (empty) {
                h->scanned = i;
                return SCAN_WHOLE;
            }
            continue;
        } else if (i == h->line && i > 0 && (c == ' ' || c == '\t')) {
            why = "A header field must not be folded over lines.";
        } else if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) {
            why = "The head holds a control character.";
        }
        i++;
    }
    h->scanned = i;
    if (!why)
        return SCAN_MORE;
    fail(h, HTTP1_MALFORMED, why);
    return SCAN_FAULT;
}

/* The head is whole. */
static enum http1_event head_whole(struct http1 *h, struct str head)
{
    const char *why;
    switch (mgi_http1_judge(head, &h->request, &why)) {
    case VERDICT_MALFORMED:
        return fail(h, HTTP1_MALFORMED, why);
    case VERDICT_VERSION:
        return fail(h, HTTP1_VERSION, why);
    case VERDICT_TOO_LARGE:
        return fail(h, HTTP1_HEAD_TOO_LARGE, why);
    case VERDICT_METHOD:
        fail(h, HTTP1_MALFORMED, "Behind a method that is not known nothing can be read.");
        return HTTP1_HEAD;
    case VERDICT_GOOD:
        break;
    }
    h->state = HEAD_IS_DUE;
    return HTTP1_HEAD;
}

static void begin_head(struct http1 *h)
{
    mgi_buf_fini(&h->kept);
    h->scanned = h->line = 0;
    h->state = READING_HEAD;
}

/* ---- reading a head ---------------------------------------------------------------------- */

static enum http1_event not_whole_yet(struct http1 *h, struct str *input, struct str piece,
                                      bool apart)
{
    if (!apart)
        mgi_buf_str(&h->kept, piece);
    if (h->kept.oom)
        return fail(h, HTTP1_NO_MEMORY, "The server ran out of memory.");
    if (h->kept.len == HTTP1_HEAD_MAX)
        return fail(h, HTTP1_HEAD_TOO_LARGE, "The head of the request is too large.");
    input->ptr += piece.len;
    input->len -= piece.len;
    return HTTP1_MORE;
}

static enum http1_event read_head(struct http1 *h, struct str *input)
{
    while (input->len > 0) {
        size_t before = h->kept.len; /* its beginning may have come before */
        size_t room = HTTP1_HEAD_MAX - before;
        struct str piece = { input->ptr, input->len < room ? input->len : room };
        if (before > 0)
            mgi_buf_str(&h->kept, piece);
        if (h->kept.oom)
            return fail(h, HTTP1_NO_MEMORY, "The server ran out of memory.");
        struct str head = before > 0 ? mgi_buf_view(&h->kept) : piece;
        enum scan scan = scan_head(h, head);
        if (scan == SCAN_FAULT)
            return HTTP1_FAULT;
        if (scan == SCAN_MORE)
            return not_whole_yet(h, input, piece, before > 0);
        input->ptr += h->scanned - before;
        input->len -= h->scanned - before;
        if (before > 0)
            h->kept.len = h->scanned; /* what follows is in the input */
        if (h->scanned > 2)
            return head_whole(h, (struct str){ head.ptr, h->scanned });
        begin_head(h); /* an empty line before a request is overlooked: RFC 9112 section 2.2 */
    }
    return HTTP1_MORE;
}

static struct str moved(struct str view, const char *from, size_t len, const char *to)
{
    if (view.ptr && view.ptr >= from && view.ptr < from + len)
        view.ptr = to + (view.ptr - from);
    return view;
}

bool mgi_http1_keep(struct http1 *h)
{
    struct http1_request *r = &h->request;
    const char *from = r->head.ptr;
    size_t len = r->head.len;
    if (h->kept.len > 0)
        return true;
    mgi_buf_str(&h->kept, r->head);
    if (h->kept.oom)
        return false;
    r->head.ptr = h->kept.ptr;
    r->method = moved(r->method, from, len, r->head.ptr);
    r->target = moved(r->target, from, len, r->head.ptr);
    r->path = moved(r->path, from, len, r->head.ptr);
    r->host = moved(r->host, from, len, r->head.ptr);
    return true;
}

void mgi_http1_forget(struct http1 *h)
{
    if (h->state == ENDED)
        begin_head(h);
}

size_t mgi_http1_held(const struct http1 *h)
{
    return h->kept.cap;
}

bool mgi_http1_within(const struct http1 *h)
{
    return h->state != ENDED && (h->state != READING_HEAD || h->kept.len > 0);
}

/* ---- bodies ------------------------------------------------------------------------------ */

static enum http1_event take_data(struct http1 *h, struct str *input, struct str *body)
{
    size_t len = input->len < h->left ? input->len : (size_t)h->left;
    *body = (struct str){ input->ptr, len };
    input->ptr += len;
    input->len -= len;
    h->left -= len;
    return HTTP1_BODY;
}

/* One byte of a chunk's framing. False: it is not what has to stand there. */
static bool take_framing(struct http1 *h, unsigned char c)
{
    int digit;
    bool control = (c < 0x20 && c != '\t') || c == 0x7f;
    switch ((enum state)h->state) {
    case CHUNK_SIZE:
        digit = mgi_http1_hex_digit(c);
        if (digit >= 0 && h->digits < CHUNK_DIGITS_MAX) {
            h->left = h->left * 16 + (uint64_t)digit;
            h->digits++;
            return true;
        }
        if (h->digits == 0 || digit >= 0)
            return false;
        h->state = c == '\r' ? CHUNK_SIZE_LF : c == ';' ? CHUNK_EXTENSION : CHUNK_BLANK;
        return c == '\r' || c == ';' || c == ' ' || c == '\t';
    case CHUNK_BLANK:
        if (c == ';')
            h->state = CHUNK_EXTENSION;
        return c == ';' || c == ' ' || c == '\t';
    case CHUNK_EXTENSION:
        if (c == '\r')
            h->state = CHUNK_SIZE_LF;
        return c == '\r' || !control;
    case CHUNK_SIZE_LF:
        h->state = h->left > 0 ? CHUNK_DATA : TRAILER_BEGIN;
        h->body += h->left;
        return c == '\n';
    case CHUNK_DATA_CR:
        h->state = CHUNK_DATA_LF;
        return c == '\r';
    case CHUNK_DATA_LF:
        h->state = CHUNK_SIZE;
        h->digits = 0;
        return c == '\n';
    case TRAILER_BEGIN:
        h->state = c == '\r' ? LAST_LF : TRAILER_LINE;
        return c == '\r' || mgi_http1_is_token_char(c);
    case TRAILER_LINE:
        if (c == '\r')
            h->state = TRAILER_LF;
        return c == '\r' || !control;
    case TRAILER_LF:
        h->state = TRAILER_BEGIN;
        return c == '\n';
    case LAST_LF:
        h->state = OVER;
        return c == '\n';
    default:
        return false;
    }
}

/* Framing may be a few times the body (chunks of one byte are legal), and no more. */
static bool framing_is_bounded(const struct http1 *h)
{
    return h->framing <= HTTP1_HEAD_MAX + 8 * h->body;
}

static enum http1_event read_chunks(struct http1 *h, struct str *input, struct str *body)
{
    while (h->state != OVER && input->len > 0) {
        if (h->state == CHUNK_DATA) {
            take_data(h, input, body);
            if (h->left == 0)
                h->state = CHUNK_DATA_CR;
            return HTTP1_BODY;
        }
        h->framing++;
        if (!take_framing(h, (unsigned char)*input->ptr) || !framing_is_bounded(h))
            return fail(h, HTTP1_MALFORMED, "The chunks of the body are not well formed.");
        input->ptr++;
        input->len--;
    }
    return HTTP1_MORE;
}

static void begin_body(struct http1 *h)
{
    const struct http1_request *r = &h->request;
    h->left = r->length;
    h->framing = h->body = 0;
    h->digits = 0;
    if (r->chunked)
        h->state = CHUNK_SIZE;
    else
        h->state = r->length > 0 ? READING_LENGTH : OVER;
}

enum http1_event mgi_http1_next(struct http1 *h, struct str *input, struct str *body)
{
    mgi_http1_forget(h);
    if (h->state == READING_HEAD)
        return read_head(h, input);
    if (h->state == BROKEN)
        return HTTP1_FAULT;
    if (h->state == HEAD_IS_DUE)
        begin_body(h);
    if (h->state == READING_LENGTH) {
        if (input->len == 0)
            return HTTP1_MORE;
        take_data(h, input, body);
        if (h->left == 0)
            h->state = OVER;
        return HTTP1_BODY;
    }
    if (h->state != OVER) {
        enum http1_event event = read_chunks(h, input, body);
        if (event != HTTP1_MORE || h->state != OVER)
            return event;
    }
    h->state = ENDED;
    return HTTP1_END;
}
