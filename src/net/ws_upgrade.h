/* The handshake that turns an HTTP/1.1 connection into a WebSocket (RFC 6455 section 4), both
 * roles: pure functions over header values. Who may connect (Host, Origin, credentials) is judged
 * elsewhere.
 *
 * Header values are as they were received: a `ptr` of NULL says that the header is absent, and
 * fields that were repeated are joined by ", ". */
#ifndef MGI_NET_WS_UPGRADE_H
#define MGI_NET_WS_UPGRADE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

#define WS_KEY_TEXT    24 /* characters of Sec-WebSocket-Key */
#define WS_ACCEPT_TEXT 28 /* characters of Sec-WebSocket-Accept */

struct ws_offer { /* what a client asks */
    bool is_get;
    int http_major, http_minor;
    struct str upgrade, connection;
    struct str version, key, protocols; /* Sec-WebSocket-… */
};

/* 101 if the offer can be answered with mgi_ws_put_acceptance(). Else the status to refuse it with,
 * and *why, a sentence: 426 for an ordinary request and for another version than 13 (the answer
 * then carries WS_REFUSAL_HEADERS), 405 for another method than GET, 400 for the rest. */
int mgi_ws_judge_offer(const struct ws_offer *offer, const char **why);

/* What an answer with status 426 carries, beside "Connection: Upgrade" (HTTP's own field, which may
 * have more to say), so that a client can know what to ask for. */
#define WS_REFUSAL_HEADERS "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"

/* Is `name` one of the subprotocols offered? Case counts. */
bool mgi_ws_offers(struct str protocols, const char *name);

/* Append the lines of the answer 101 that are WebSocket's own: what stands before them ("101",
 * "Connection: Upgrade") and the end of the head are HTTP's, as for any upgrade. `protocol`: the
 * one that was chosen, or NULL. */
void mgi_ws_put_acceptance(struct buf *out, struct str key, const char *protocol);

/* Sec-WebSocket-Accept for a key, with a NUL. False only if the digest fails (memory). */
bool mgi_ws_accept(struct str key, char out[WS_ACCEPT_TEXT + 1]);

/* ---- the client's side */

/* The key of 16 random bytes, with a NUL. */
void mgi_ws_key(const uint8_t random[16], char out[WS_KEY_TEXT + 1]);

/* Append the whole head of the request. `target` and `host` are as HTTP wants them, free of control
 * characters; `protocol` may be NULL; `more`: further header lines, each ended by CR LF, or "". */
void mgi_ws_put_offer(struct buf *out, const char *target, const char *host, const char *key,
                      const char *protocol, const char *more);

struct ws_acceptance { /* what a server answers */
    int status;
    struct str upgrade, connection;
    struct str accept, protocol, extensions; /* Sec-WebSocket-… */
};

/* NULL if `answer` accepts what was asked with `key` and `protocol` (which the server need not
 * take up); else what is wrong with it, a sentence. */
const char *mgi_ws_judge_acceptance(const struct ws_acceptance *answer, const char *key,
                                    const char *protocol);

#endif
