/* How messages travel between a client and a server. A link carries bytes and knows where they go;
 * what they mean, and when they may be sent, is the session's business (session.c).
 *
 * There are two kinds. A *session* is a connection over which messages come unasked, too: standard
 * streams, a WebSocket, a server inside this process. The other kind gives one answer to one
 * request: HTTP. To add a link: a file with a table, and the function that makes it.
 *
 * Deadlines are instants of mgi_clock_mono_ns(). Every function that waits keeps to its own; `why`
 * gets a sentence on every failure. A link belongs to one thread at a time. */
#ifndef MGI_CLIENT_LINK_H
#define MGI_CLIENT_LINK_H

#include "base/buf.h"
#include "manglecp.h"

#define LINK_ANSWER_BYTES ((size_t)64 * 1024 * 1024) /* of one message of a server, at most */

struct link {
    const struct link_table *table;
};

/* A message that came. */
struct incoming {
    struct buf text;
    int http_status;        /* 0: a session's */
    int64_t retry_after_ms; /* of the transport (Retry-After); -1: not said */
};

enum link_message { LINK_INTENT, LINK_INVOKE, LINK_CONTROL /* authenticate, cancel */ };

/* Where a manifest leads (P-DISC-2); a relative address is resolved against the manifest's own. */
struct link_addresses {
    struct str intent, invoke; /* empty: not said */
};

struct link_table {
    bool session;
    bool renews; /* a session that is lost or draining can be opened again */

    /* Open, or open again: connect and take the first message, which is to be the manifest (over
     * HTTP: read it). Closes what was open. */
    enum manglecp_status (*open)(struct link *l, struct incoming *first, int64_t deadline_ns,
                                 struct buf *why);

    /* Take in the addresses of the newest manifest. NULL: they mean nothing here. */
    enum manglecp_status (*adopt)(struct link *l, const struct link_addresses *addresses,
                                  struct buf *why);

    /* Send one message. *left, where it fails: the server may have all of it. A link never sends a
     * LINK_INVOKE twice, whatever happens. */
    enum manglecp_status (*send)(struct link *l, enum link_message what, struct str message,
                                 int64_t deadline_ns, bool *left, struct buf *why);

    /* Wait for the next message. MANGLECP_ERR_TIMEOUT: none came, and the link is as before. A
     * deadline that has passed asks for what is there already. Over HTTP the answer is there after
     * send(). */
    enum manglecp_status (*receive)(struct link *l, struct incoming *in, int64_t deadline_ns,
                                    struct buf *why);

    /* Did the last message go without the credentials that there are, because of where it went?
     * NULL: that cannot be. */
    bool (*withheld)(const struct link *l);

    /* From now on messages go with this token. NULL: the session says who it is. */
    enum manglecp_status (*use_token)(struct link *l, const char *token);

    /* Does the connection itself say who the client is, by a certificate? NULL: it cannot. */
    bool (*shows_certificate)(const struct link *l);

    void (*close)(struct link *l); /* and free */
};

/* A client over any link, which it takes over (also when it fails). As manglecp_connect(). */
enum manglecp_status mgi_client_open(struct link *link, const struct manglecp_options *options,
                                     manglecp_client **out, struct buf *why);

#endif
