/* An MCP server behind an address: streamable HTTP (r2 to r5). Each line of the client is a POST of
 * its own, at most WEB_MOST under way; what comes back, one JSON message or a stream of events,
 * goes to the client as it comes.
 *
 * As for requests of the plugin "http": http and https alone, certificates verified, no proxy,
 * cookie or .netrc; private addresses only where the entry says so, looked at when connecting; no
 * redirect is followed. Header values are in no text of ours. X-HTTP-1, -2, -14 to -18, -26, -35,
 * X-AUTH-1, -4, X-COMPAT-8, X-CANCEL-3. */
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
};

struct mcp_web;

struct web_exchange {
    struct mcp_web *web; /* NULL: this place is free */
    CURL *easy;
    struct curl_slist *headers;
    struct buf body, answer; /* sent; and received, unless it is a stream */
    struct sse events;
    struct str method; /* in `body`; empty: a response */
    int64_t id;        /* of the request */
    bool is_request, is_stream, too_large;
    size_t header_bytes;
};

struct mcp_web {
    struct curl_late api;
    CURLM *multi;
    const char *url;
    const char **headers; /* "Name: value"; secrets */
    size_t header_count;
    bool may_be_private;
    const struct header_rules *params; /* of the tool that is called next; NULL: none */
    struct mcp_client *client;
    char session[WEB_SESSION_BYTES]; /* "": none */
    struct web_exchange exchanges[WEB_MOST];
    bool was_private;
    bool reached; /* the last request has left, and no answer says that nothing was done */
};

/* Loads libcurl: before the process is sealed. False: `why` says. */
bool web_init(struct mcp_web *web, struct buf *why);
/* Ends the session, if there is one, within `grace_ms`. */
void web_fini(struct mcp_web *web, int grace_ms);

/* Send what the client has to send, take what has come. True: something moved. */
bool web_pump(struct mcp_web *web, int64_t now_ms);
void web_wait(struct mcp_web *web, int timeout_ms);

/* What is under way is not wanted any more; its connections are closed. */
void web_drop(struct mcp_web *web);
void web_forget_session(struct mcp_web *web);

#endif
