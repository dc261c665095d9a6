/* A growing byte buffer on the heap. Running out of memory is sticky: appends become no-ops, `oom`
 * is set, and the caller checks once at the end. A NUL always follows the content. */
#ifndef MGI_BASE_BUF_H
#define MGI_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct buf {
    char *ptr;
    size_t len;
    size_t cap;
    size_t limit; /* content beyond this many bytes counts as out of memory; 0 means no limit */
    bool oom;
    bool full; /* oom because of the limit */
};

void mgi_buf_init(struct buf *b); /* empty, no allocation; a zeroed struct is the same */
void mgi_buf_fini(struct buf *b);
void mgi_buf_wipe(struct buf *b);  /* as fini, and nothing of the content stays in memory */
void mgi_buf_clear(struct buf *b); /* keeps the memory, clears oom */
void mgi_buf_append(struct buf *b, const void *bytes, size_t len);
void mgi_buf_str(struct buf *b, struct str s);
void mgi_buf_puts(struct buf *b, const char *z);
void mgi_buf_putc(struct buf *b, char c);
void mgi_buf_int(struct buf *b, int64_t n); /* in decimal: a tenth of what printing it takes */
void mgi_buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mgi_buf_vprintf(struct buf *b, const char *format, va_list args);
bool mgi_buf_reserve(struct buf *b, size_t more); /* room for `more` bytes behind len */

/* Borrowed until the next change. */
static inline struct str mgi_buf_view(const struct buf *b)
{
    return (struct str){ b->ptr ? b->ptr : "", b->len };
}

/* The content is the caller's (mgi_free); the buffer is empty afterwards. NULL if oom. */
char *mgi_buf_take(struct buf *b, size_t *len);

#endif
