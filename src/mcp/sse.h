/* Server-sent events: bytes in, events out, and back (X-HTTP-9 to -13). No I/O.
 *
 * Line ends are LF, CRLF or CR, mixed; input may be cut anywhere, within a line end or a character,
 * too. One limit bounds an event as a whole, its data and its names; what a longer one would have
 * said is skipped up to its end, and told once. */
#ifndef MGI_MCP_SSE_H
#define MGI_MCP_SSE_H

#include "base/buf.h"

enum sse_result {
    SSE_MORE,     /* all input was taken */
    SSE_EVENT,    /* *out, valid until the next call */
    SSE_TOO_LONG, /* one was skipped */
    SSE_NOMEM     /* one was skipped */
};

struct sse_event {
    struct str type; /* empty: "message" */
    struct str data; /* lines joined by LF; may be empty: such events open a stream (X-HTTP-20) */
    bool has_id;     /* this event brought one; it is the last id now */
};

struct sse {
    struct buf line, type, data, id, last_id;
    size_t max;
    int64_t retry_ms; /* the last that was said; -1: never */
    bool has_data, has_id, after_cr, skipping, in_line, used, begun;
    uint8_t bom; /* bytes of a byte order mark seen at the start */
};

void mgi_sse_init(struct sse *s, size_t max_bytes);
void mgi_sse_fini(struct sse *s);

/* Take from *input (advancing it) up to the next event. What the end of a stream cuts off is no
 * event: free it then, or mgi_sse_restart(). */
enum sse_result mgi_sse_next(struct sse *s, struct str *input, struct sse_event *out);

/* Another stream begins, after a reconnection: the last id and retry stay. */
void mgi_sse_restart(struct sse *s);

struct str mgi_sse_last_id(const struct sse *s); /* empty: none; borrowed until the next call */

/* An event of one message: no line break is in JSON text. `type` NULL: "message", not written. */
void mgi_sse_write(struct buf *out, const char *type, struct str id, struct str message);
void mgi_sse_comment(struct buf *out); /* ":\n\n", which keeps a stream alive */

#endif
