/* One request, with the redirects that follow, over libcurl.
 *
 * 1. http and https alone; certificates are verified; no proxy, cookie, .netrc, or credential of
 *    libcurl's own.
 * 2. Every address that is connected to has been looked at (address.h), however it was found.
 * 3. Redirects are followed here, TRANSFER_REDIRECTS at most, each to an allowed origin; what is
 *    the operation's own (its headers, its credentials) goes to its own origin, and no more once
 *    that was left. 303, and 301 and 302 after POST, become GET (RFC 9110 section 15.4).
 * 4. What is received has limits: headers by number and size, the body decoded and as it comes.
 * 5. The wait is never longer than LOOK_MS without a question whether to stop. Connecting ends a
 * while before the call's time does, so that what never left is told from what nobody answered.
 * 6. A request that may have an effect, was sent and has no answer that can be read is lost: nobody
 *    knows what it did. 4xx and 5xx are answers, however they go on. What became of a POST that led
 *    to a GET is told by that answer alone.
 *
 * Connections are kept and used again: those to public addresses by operations that may reach
 * nothing else, apart from the others; none on which a server has spoken unasked (sockets.h). A
 * request that may not be repeated gets one of its own. */
#ifndef HTTP_TRANSFER_H
#define HTTP_TRANSFER_H

#include "expand.h"
#include "net/curl_late.h"
#include "sockets.h"

#define TRANSFER_REDIRECTS    5
#define TRANSFER_HEADERS      200
#define TRANSFER_HEADER_BYTES (64u << 10)

/* Of a worker; zeroed at first. */
struct transfer_pool {
    struct curl_late api;
    CURLM *open, *closed; /* connections of those that may be private, and of the others */
    const struct http_table *table;
    struct http_sockets sockets;
};

struct transfer_header {
    struct str name, value; /* the name in small letters */
};

struct transfer_result {
    const char *why; /* NULL: there is an answer; else in the call's arena, without secrets */
    uint32_t lost;   /* TH_LOST_..., with `why`: so nobody knows what it did; 0: it did nothing */
    bool turned;     /* a request with effects led to one that asks what came of it */
    int status;
    struct transfer_header *headers; /* in the call's arena */
    size_t header_count;
    struct buf body; /* decoded, max_bytes at most */
    struct str host; /* that answered, for people */
};

/* False: libcurl is not there, and `why` says so. Loads it: before the process is sealed. */
bool mgi_transfer_pool_open(struct transfer_pool *pool, const struct http_table *table,
                            struct buf *why);

/* Blocks until it is over, or until left_ms() says that no time is left. `out` ends with
 * mgi_transfer_result_fini(). */
void mgi_transfer(struct transfer_pool *pool, struct arena *arena,
                  const struct http_request *request, const struct http_expansion *what,
                  int64_t (*left_ms)(void *context), void *context, struct transfer_result *out);
void mgi_transfer_result_fini(struct transfer_result *out);

/* The value of a header by its name in small letters; "": there is none. */
struct str mgi_transfer_header(const struct transfer_result *result, const char *name);

#endif
