/* A growing byte buffer. Invariant: ptr is NULL, or len < cap and ptr[len] is NUL. */
#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

void mgi_buf_init(struct buf *b)
{
    *b = (struct buf){ 0 };
}

void mgi_buf_fini(struct buf *b)
{
    mgi_free(b->ptr);
    mgi_buf_init(b);
}

void mgi_buf_wipe(struct buf *b)
{
    if (b->ptr)
        explicit_bzero(b->ptr, b->len);
    mgi_buf_fini(b);
}

void mgi_buf_clear(struct buf *b)
{
    b->len = 0;
    b->oom = b->full = false;
    if (b->ptr)
        b->ptr[0] = '\0';
}

bool mgi_buf_reserve(struct buf *b, size_t more)
{
    if (b->oom)
        return false;
    if (b->cap - b->len > more && (b->limit == 0 || more <= b->limit - b->len))
        return true;
    bool fits = more < SIZE_MAX - b->len && (b->limit == 0 || b->len + more <= b->limit);
    bool fresh = b->ptr == NULL;
    if (!fits || !mgi_grow(&b->ptr, &b->cap, b->len + more + 1, 1)) {
        b->oom = true;
        b->full = !fits;
        return false;
    }
    if (fresh)
        b->ptr[0] = '\0';
    return true;
}

void mgi_buf_append(struct buf *b, const void *bytes, size_t len)
{
    if (len == 0 || !mgi_buf_reserve(b, len))
        return;
    memcpy(b->ptr + b->len, bytes, len);
    b->len += len;
    b->ptr[b->len] = '\0';
}

void mgi_buf_str(struct buf *b, struct str s)
{
    mgi_buf_append(b, s.ptr, s.len);
}

void mgi_buf_puts(struct buf *b, const char *z)
{
    mgi_buf_append(b, z, strlen(z));
}

void mgi_buf_putc(struct buf *b, char c)
{
    if (!mgi_buf_reserve(b, 1))
        return;
    b->ptr[b->len++] = c;
    b->ptr[b->len] = '\0';
}

void mgi_buf_int(struct buf *b, int64_t n)
{
    char text[20];
    char *p = text + sizeof text;
    uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    for (; left >= 100; left /= 100) { /* a division for two digits */
        unsigned two = (unsigned)(left % 100);
        *--p = (char)('0' + two % 10);
        *--p = (char)('0' + two / 10);
    }
    if (left >= 10) {
        *--p = (char)('0' + left % 10);
        left /= 10;
    }
    *--p = (char)('0' + left);
    if (n < 0)
        *--p = '-';
    mgi_buf_append(b, p, (size_t)(text + sizeof text - p));
}

void mgi_buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(b, format, args);
    va_end(args);
}

void mgi_buf_vprintf(struct buf *b, const char *format, va_list args)
{
    if (b->oom)
        return;
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    assert(len >= 0 && "a format that cannot be printed");
    if (len < 0)
        b->oom = true;
    else if (len > 0 && mgi_buf_reserve(b, (size_t)len)) {
        (void)vsnprintf(b->ptr + b->len, (size_t)len + 1, format, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

char *mgi_buf_take(struct buf *b, size_t *len)
{
    if (b->oom || !mgi_buf_reserve(b, 0)) {
        mgi_buf_fini(b);
        if (len)
            *len = 0;
        return NULL;
    }
    char *content = b->ptr;
    if (len)
        *len = b->len;
    mgi_buf_init(b);
    return content;
}
