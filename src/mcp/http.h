/* The rules of MCP's one HTTP endpoint, r2 to r5, above requests that somebody else has read
 * (X-HTTP-*). It knows no socket, no TLS and no credentials.
 *
 *     head ──mgi_mcp_http_judge──> refused, or its body is read
 *     head, body ──mgi_mcp_http_request──> answered, a stream is opened, or it waits
 *
 * A request with a claim is an exchange of its own, with a peer that dies with it; one without
 * belongs to a legacy session, a peer that is found by its id. Whether an answer is JSON or a
 * stream is decided by what comes first (X-HTTP-31).
 *
 * One thread, as server.h. Everything that is sent goes through `out`, keyed by the listener's own
 * pointer of the request; after `answer` or `end` that pointer is not used again. Nothing here may
 * be called from within `out`: a connection that breaks there is told later. */
#ifndef MGI_MCP_HTTP_H
#define MGI_MCP_HTTP_H

#include "mcp/server.h"

#define MCP_HTTP_HEAD_BYTES          ((size_t)16 * 1024) /* 431 beyond */
#define MCP_HTTP_SESSIONS            1024                /* 503 beyond */
#define MCP_HTTP_PRINCIPAL_SESSIONS  64                  /* 429 beyond */
#define MCP_HTTP_SESSION_STREAMS     32                  /* 429 beyond */
#define MCP_HTTP_EXCHANGES           1024                /* open r5 requests; 503 beyond */
#define MCP_HTTP_PRINCIPAL_EXCHANGES 256                 /* 429 beyond */
#define MCP_HTTP_HELD_BYTES                                                                        \
    ((size_t)256 * 1024 * 1024)                 /* of memory of all that wait; 503 beyond          \
                                                 */
#define MCP_HTTP_SMALL_BYTES ((size_t)4 * 1024) /* a body that is taken all the same: an answer */
#define MCP_HTTP_IDLE_MS     (30 * 60 * 1000)   /* of a session */
#define MCP_HTTP_ALIVE_MS    15000              /* between comments on a stream */
#define MCP_HTTP_LATE_MS     3000 /* a request without an answer becomes a stream then */

struct mcp_http;

struct mcp_header {
    struct str name, value; /* value without blanks around it */
};

struct mcp_request {
    struct str method; /* "POST" */
    const struct mcp_header *headers;
    size_t header_count;
    struct str body;
    struct str principal; /* who asks, as a text that tells principals apart; empty: anybody */
    void *caller;         /* for mgi_mcp_caller() */
    void *tag;            /* the listener's: of this request */
    int64_t until_ms;     /* its credential counts so long, by now_ms; 0: it does not run out */
};

/* Headers of an answer: without Content-Length and Date, which are the listener's. */
struct mcp_response {
    int status;
    const struct mcp_header *headers;
    size_t header_count;
    struct str body; /* empty: none */
};

struct mcp_http_out {
    void *context;
    void (*answer)(void *context, void *tag, const struct mcp_response *r); /* whole, the end */
    void (*open)(void *context, void *tag, const struct mcp_response *r);   /* head of a stream */
    void (*write)(void *context, void *tag, struct str bytes);              /* of that stream */
    void (*end)(void *context, void *tag);                                  /* of that stream */
    int64_t (*now_ms)(void *context);                                       /* monotonic */
    bool (*random)(void *context, void *bytes, size_t len); /* secure; false: there is none */
};

struct mcp_http_options {
    struct mcp_http_out out;
    /* Host names beside localhost, 127.0.0.1 and [::1], without a port; origins likewise, by their
     * host name. Borrowed for its life. */
    const char *const *hosts;
    size_t host_count;
    const char *const *origins; /* whole: "https://app.example" */
    size_t origin_count;
};

/* NULL: memory. Holds a reference of `s`. */
struct mcp_http *mgi_mcp_http_new(struct mcp_server *s, const struct mcp_http_options *options);
/* Every exchange ends without an answer: the listener has closed or will close its connections. */
void mgi_mcp_http_free(struct mcp_http *h);

/* The head alone, before a byte of the body is read: size, Host, Origin, method, type, length. 0:
 * fine. Else a status, and *why a JSON-RPC error as body (static text); *allow (may be set) is for
 * the header Allow. Rows 1, 2 and 4 of X-HTTP-28. */
int mgi_mcp_http_judge(const struct mcp_http *h, const struct mcp_request *r, uint64_t length,
                       const char **why, const char **allow);

/* The whole request; the head is judged again. It is answered through `out`, now or later. */
void mgi_mcp_http_request(struct mcp_http *h, const struct mcp_request *r);

/* The client closed before the end; `tag` is not used again. */
void mgi_mcp_http_gone(struct mcp_http *h, void *tag);

/* Credentials were withdrawn: requests that do not stay are cancelled, in every revision, and
 * answered with 401 or, as streams, ended; a session whose principal nobody is any more ends. */
struct mcp_sieve {
    void *context;
    bool (*stays)(void *context, void *tag); /* the request of this tag */
    bool (*is_known)(void *context, struct str principal);
};
void mgi_mcp_http_sift(struct mcp_http *h, const struct mcp_sieve *sieve);

void mgi_mcp_http_tick(struct mcp_http *h);
int64_t mgi_mcp_http_next_tick(const struct mcp_http *h); /* INT64_MAX: nothing is due */

void mgi_mcp_http_serve(struct mcp_http *h, struct mcp_server *s); /* mgi_mcp_serve() for all */
/* mgi_mcp_changed() for what this principal has open. */
void mgi_mcp_http_changed(struct mcp_http *h, struct str principal, const struct mcp_server *was,
                          const struct mcp_server *is);
void mgi_mcp_http_updated(struct mcp_http *h, struct str uri);
void mgi_mcp_http_drain(struct mcp_http *h);

size_t mgi_mcp_http_sessions(const struct mcp_http *h);
size_t mgi_mcp_http_open(const struct mcp_http *h); /* requests that wait, and streams */

#endif
