/* How a transport and the server meet. The transport owns bytes and framing; the server owns what
 * they mean. A *peer* is one connection (or one HTTP exchange); the transport fills in the table.
 * Everything happens on the event loop thread.
 *
 * A peer lives until mgi_peer_gone(), which every peer gets exactly once, from its transport; after
 * that the transport must not name it any more. The server keeps it as long as requests of it run,
 * and tells it nothing. */
#ifndef MGI_SERVER_PEER_H
#define MGI_SERVER_PEER_H

#include "protocol/envelope.h"
#include "security/principal.h"

struct server;
struct peer;

enum endpoint {
    ENDPOINT_SESSION,
    ENDPOINT_INTENT,
    ENDPOINT_INVOKE
}; /* HTTP posts name theirs (D-9) */

struct peer_transport { /* a constant */
    const char *name;   /* "stdio", "http" */
    bool session;       /* progress, cancel and authenticate exist */
    bool remote;        /* strangers can connect: three failed logins in a row end it (D-55) */
    /* Send one complete message. `message` is borrowed during the call. `request` is what the
     * answer belongs to (NULL: unasked), `http_status` of it. Returns false if the peer is gone.
     * No peer ends in it: a caller up the stack is still at work with them. That a connection has
     * turned out to be broken is told later (mgi_peer_gone). */
    bool (*send)(void *connection, struct str message, int http_status, bool last,
                 int64_t retry_after_ms);
    /* Close after what was sent. May call mgi_peer_gone() for this peer. */
    void (*close)(void *connection, const char *why);
};

struct peer_options {
    const struct peer_transport *transport;
    void *connection;
    bool auth_required; /* on this transport */
    /* Who it is before authenticate: local, anonymous, or from a credential header. NULL: nobody
     * yet. The peer takes its own reference. */
    const struct principal *who;
    int64_t who_until_ns; /* what says so ends then, whatever `who` says; 0: it does not */
    /* Of a session: the bearer token that says so; copied, where another issuer made it. */
    struct str token;
    const char *place; /* where it comes from: mgi_server_judge(); NULL: that is not counted */
    /* The credential header was judged and found wanting (HTTP): every request is answered with
     * this error, whatever its body says (D-58). Borrowed during mgi_peer_new. NULL: nothing wrong.
     */
    const struct wire_error *refusal;
    /* W3C traceparent of the exchange, from a header; copied. Ignored where it is malformed. */
    struct str traceparent;
};

/* The server copies what it keeps. NULL when memory is short. */
struct peer *mgi_peer_new(struct server *server, const struct peer_options *options);

/* The connection is gone: running requests are cancelled (T-MCP-29), nothing is sent any more. */
void mgi_peer_gone(struct peer *peer);

/* No more input will come; answers still owed are sent, then `close` is called (P-STDIO-5, -6). */
void mgi_peer_end(struct peer *peer);

/* Greet: session transports send the manifest first. */
void mgi_peer_greet(struct peer *peer);

/* One message's bytes (copied). Answers come through `send`, now or later, exactly one terminal
 * message per request (P-CONC-10). */
void mgi_peer_message(struct peer *peer, struct str text, enum endpoint endpoint);

/* A message that was too large to be kept, or a framing fault: answered with id null. `reason`: of
 * the details; may be NULL. */
void mgi_peer_fault(struct peer *peer, enum wire_code code, const char *reason,
                    const char *message);

/* Has it sent something that was not answered yet? */
bool mgi_peer_waits(const struct peer *peer);

/* The code of the answer that is being sent (WIRE_OK: no error), for a transport that says more of
 * it; within `send`. */
enum wire_code mgi_peer_said(const struct peer *peer);

/* Has nobody logged in, because nobody has to? */
bool mgi_peer_is_anonymous(const struct peer *peer);

/* Is it known who this is (or does nobody have to be)? False: a login is still to come. */
bool mgi_peer_is_known(const struct peer *peer);

#endif
