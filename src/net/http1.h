/* HTTP/1.1 requests: bytes in, events out; and the heads of responses. No socket.
 *
 *     HEAD ──> BODY* ──> END ──> HEAD …        any ──> FAULT: the connection cannot go on
 *
 * What another program on the way may read differently is refused, not guessed at (RFC 9112 section
 * 11.2): lines end in CRLF and never fold, a name touches its colon, a body is framed by exactly
 * one Content-Length or exactly one `Transfer-Encoding: chunked`, HTTP/1.1 has exactly one Host. A
 * value is its own line's and no other's. Chunk extensions and trailers are read over, and bounded.
 *
 * The head parser is http-parser's, which is no longer developed; only http1.c knows it. */
#ifndef MGI_NET_HTTP1_H
#define MGI_NET_HTTP1_H

#include <stdint.h>

#include "base/buf.h"

#define HTTP1_HEAD_MAX   ((size_t)32 * 1024) /* bytes, request line and all fields */
#define HTTP1_FIELDS_MAX 100
#define HTTP1_BLANKS     " \t" /* optional white space (RFC 9110 section 5.6.3), for mgi_str_trim */

enum http1_event {
    HTTP1_MORE, /* all input was taken: give it more */
    HTTP1_HEAD, /* h->request is there */
    HTTP1_BODY, /* a piece of the body, decoded */
    HTTP1_END,  /* the request is over; what is left of the input is the next one */
    HTTP1_FAULT /* h->fault and h->why; every further call says the same */
};

enum http1_fault {
    HTTP1_FINE,
    HTTP1_MALFORMED,      /* 400 */
    HTTP1_HEAD_TOO_LARGE, /* 431 */
    HTTP1_VERSION,        /* 505: a version that is not 1.x */
    HTTP1_NO_MEMORY       /* 500 */
};

enum http1_expect { EXPECT_NOTHING, EXPECT_CONTINUE, EXPECT_OTHER };

/* Views into the head: valid until the input that held it goes away, or longer: mgi_http1_keep. */
struct http1_request {
    struct str head; /* request line, fields, empty line */
    struct str
        method; /* any token; of a method that is not in use (closing) only the head is read */
    struct str target; /* as sent */
    struct str path;   /* of the target, without query; the whole target if it has no path */
    struct str host; /* "name", "name:port": the target's authority, else Host; ptr NULL: neither */
    bool minor_zero; /* HTTP/1.0 */
    bool keep_alive; /* the client wants to go on */
    bool upgrade;    /* Connection: upgrade, and Upgrade */
    bool chunked;
    uint64_t length; /* of the body; 0 if chunked */
    enum http1_expect expect;
};

struct http1 {
    struct http1_request request;
    enum http1_fault fault;
    const char *why;        /* a sentence about the fault */
    struct buf kept;        /* a head, or its beginning; no memory between requests */
    size_t scanned;         /* bytes of it that were looked at */
    size_t line;            /* where its current line begins */
    uint64_t left;          /* of the body or chunk */
    uint64_t framing, body; /* bytes of chunk framing, and of chunks */
    uint8_t state, digits;
};

void mgi_http1_init(struct http1 *h); /* a zeroed struct is the same */
void mgi_http1_fini(struct http1 *h);

/* Take from *input (advancing it) up to the next event. *body is set for HTTP1_BODY, and is a view
 * into the input. */
enum http1_event mgi_http1_next(struct http1 *h, struct str *input, struct str *body);

/* Copy the head, so that h->request outlives the input, to the end of this request. False: memory
 * is short. Between HTTP1_HEAD and HTTP1_END. */
bool mgi_http1_keep(struct http1 *h);

/* HTTP1_END has come, and the request was dealt with: give back what was kept. The next call of
 * mgi_http1_next does so by itself. */
void mgi_http1_forget(struct http1 *h);

/* Bytes of memory that it holds now. */
size_t mgi_http1_held(const struct http1 *h);

/* Is it in the middle of a request? */
bool mgi_http1_within(const struct http1 *h);

/* The fields of a head, one after the other: begin with *rest empty. False at the end. The value is
 * without blanks at either end, and may be empty (ptr is never NULL). */
bool mgi_http1_field(const struct http1_request *r, struct str *rest, struct str *name,
                     struct str *value);

/* The first field of this name (letter case does not count); ptr NULL: there is none. */
struct str mgi_http1_find(const struct http1_request *r, const char *name);

bool mgi_http1_same(struct str text, const char *word); /* letter case does not count */

/* Is this "host" or "host:port" as RFC 3986 writes them (no user, no path)? *name and *port (may be
 * empty) are views; of "[::1]" the name keeps its brackets. */
bool mgi_http1_authority(struct str text, struct str *name, struct str *port);

/* "HTTP/1.1 200 OK\r\n", then fields, then mgi_http1_done. Values must not hold CR or LF. */
void mgi_http1_begin(struct buf *out, int status);
void mgi_http1_put(struct buf *out, const char *name, struct str value);
void mgi_http1_done(struct buf *out);

#endif
