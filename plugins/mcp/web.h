/* An MCP server behind an address: streamable HTTP (r2 to r5), and the older HTTP with a stream of
 * its own (r1), which deployed servers still speak.
 *
 * Each line of the client is a POST of its own, at most WEB_MOST under way; what comes back, one
 * JSON message or a stream of events, goes to the client as it comes. A stream that ends before its
 * answer is gone on with where it has event ids; what belongs to no request comes on a stream of
 * its own, if the server says that it tells changes. In r1 all answers come on that one, and its
 * first event says where messages go. Which of both it is shows when initialize is refused.
 *
 * As for requests of the plugin "http": http and https alone, certificates verified, no proxy,
 * cookie or .netrc; private addresses only where the entry says so, looked at when connecting;
 * nothing is followed to another origin. Header values are in no text of ours. X-HTTP-1, -2, -8,
 * -14 to -21, -26, -35, -36, -41 to -44, X-AUTH-1, -4, X-COMPAT-8, -10, X-CANCEL-3. */
#ifndef MCP_WEB_H
#define MCP_WEB_H

#include "mcp/client.h"
#include "mcp/param_headers.h"
#include "mcp/sse.h"
#include "net/curl_late.h"

enum {
    WEB_MOST = 4,
    WEB_HEADERS = 64,
    WEB_HEADER_BYTES = 64 << 10, /* of an answer */
    WEB_SESSION_BYTES = 1024,
    WEB_ADDRESS_BYTES = 2048,
    WEB_CHALLENGE_BYTES = 512, /* of WWW-Authenticate, as it is told */
    WEB_MOST_REDIRECTS = 3,
    WEB_RETRY_MS = 1000, /* before a stream is gone on with, unless the server says, */
    WEB_LEAST_RETRY_MS = 100,
    WEB_MOST_RETRY_MS = 60000, /* and it may say so much */
};

struct mcp_web;

struct web_exchange {
    struct mcp_web *web; /* NULL: this place is free */
    CURL *easy;
    struct curl_slist *headers;
    struct buf body, answer; /* sent; and received, unless it is a stream */
    struct sse events;
    struct str method; /* in `body`; empty: a response, or a GET */
    int64_t id;        /* of the request */
    bool is_request, is_stream, is_get, moved;
    bool is_other;                       /* neither JSON nor a stream */
    const char *broken_off;              /* we have enough, and why */
    struct buf location;                 /* where a redirect leads */
    char challenge[WEB_CHALLENGE_BYTES]; /* what credentials it wants, plain; "": not said */
    unsigned redirects;
    size_t header_bytes;
    int64_t again_at_ms; /* a stream broke off, and is gone on with then; 0: it is under way */
};

struct mcp_web {
    struct curl_late api;
    CURLM *multi;
    const char *url;
    const char **headers; /* "Name: value"; secrets */
    size_t header_count;
    bool may_be_private;
    bool is_old;                       /* the entry says that it is of r1 */
    const struct header_rules *params; /* of the tool that is called next; NULL: none */
    struct mcp_client *client;
    char session[WEB_SESSION_BYTES]; /* "": none */
    struct web_exchange exchanges[WEB_MOST];
    struct web_exchange listener;     /* for what belongs to no request; in r1 for all */
    bool speaks_old;                  /* r1, said or found out */
    bool no_listener;                 /* it offers none */
    char endpoint[WEB_ADDRESS_BYTES]; /* r1: where messages go; "": not told yet */
    bool was_private;
    bool reached; /* the last request has left, and no answer says that nothing was done */
};

/* Loads libcurl: before the process is sealed. False: `why` says. */
bool web_init(struct mcp_web *web, struct buf *why);
/* Ends the session, if there is one, within `grace_ms`; another may begin. */
void web_end(struct mcp_web *web, int grace_ms);
void web_fini(struct mcp_web *web); /* after that */

/* Send what the client has to send, take what has come. True: something moved. */
bool web_pump(struct mcp_web *web, int64_t now_ms);
void web_wait(struct mcp_web *web, int timeout_ms);

#endif
