/* What the client's parts share. A link carries envelopes; client.c knows what they mean. */
#ifndef MGI_CLIENT_CLIENT_INT_H
#define MGI_CLIENT_CLIENT_INT_H

#include "base/arena.h"
#include "base/buf.h"
#include "manglecp.h"
#include "protocol/envelope.h"

struct link {
    const struct link_table *table;
};

struct link_table {
    /* Send one message and wait for the next one from the server into `answer` (cleared first).
     * `type` tells HTTP which endpoint. After MANGLECP_OK more messages may follow for the same
     * request: `receive` waits for one. */
    enum manglecp_status (*send)(struct link *l, const char *type, struct str message,
                                 struct buf *answer, int64_t timeout_ms, struct buf *why);
    enum manglecp_status (*receive)(struct link *l, struct buf *answer, int64_t timeout_ms,
                                    struct buf *why);
    void (*close)(struct link *l);
};

/* Both read the manifest message into `manifest`. NULL: *status and `why` tell. */
struct link *mgi_link_http(const char *url, const struct manglecp_options *options,
                           struct buf *manifest, enum manglecp_status *status, struct buf *why);
struct link *mgi_link_stdio(const char *const *argv, int64_t timeout_ms, struct buf *manifest,
                            enum manglecp_status *status, struct buf *why);

#endif
