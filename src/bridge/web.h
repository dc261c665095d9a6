/* A bridge behind an address: streamable HTTP (X-HTTP-1 to -40).
 *
 *     connections (transport/http) ──one request──> the endpoint's rules (mcp/http) ──> the bridge
 *
 * One path, /mcp. Everything happens on the loop's thread; limits and deadlines are those of the
 * transport and of mcp/http.h. */
#ifndef MGI_BRIDGE_WEB_H
#define MGI_BRIDGE_WEB_H

#include "bridge/bridge.h"
#include "security/auth.h"
#include "service/config.h"

#define WEB_PATH "/mcp"
/* At the end: requests that run may finish for so long, are cancelled then, and have to be answered
 * before the connections are closed. */
#define WEB_FINISH_MS 1500
#define WEB_GRACE_MS  3000

struct bridge_web;

struct bridge_web_options { /* borrowed until mgi_bridge_web_free(), but for `auth` */
    struct bridge *bridge;
    uv_loop_t *loop;
    const struct listener_config *config;
    const struct listen_address *address; /* of the config, parsed */
    struct auth *auth;                    /* it takes a reference; NULL: anybody may call */
    const struct logger *log;             /* or NULL */
    void (*ended)(void *context);         /* after mgi_bridge_web_stop(), from the loop */
    void *context;
};

/* Why strangers could reach this without a credential, as a sentence; NULL: they cannot. */
const char *mgi_bridge_web_fault(const struct listener_config *config,
                                 const struct listen_address *address, const struct auth *auth);

/* *port: that is listened on. NULL: `why` has a line per fault. */
struct bridge_web *mgi_bridge_web_new(const struct bridge_web_options *options, int *port,
                                      struct buf *why);

/* Other credentials from now on: a request whose own is withdrawn ends, and so does a session whose
 * principal has none left. Takes a reference. */
void mgi_bridge_web_trust(struct bridge_web *w, struct auth *auth);

/* The certificate's files again, for the connections to come. False: `why`; all is as it was. */
bool mgi_bridge_web_renew(struct bridge_web *w, struct buf *why);

/* The bridge has another server. */
void mgi_bridge_web_serve(struct bridge_web *w, struct mcp_server *server);

/* Accept nothing more, end what only waits, let what runs be answered for a while. Idempotent. */
void mgi_bridge_web_stop(struct bridge_web *w);

/* After `ended`, or where it never will come: its handles are closed by the loop, which runs once
 * more then. NULL is fine. */
void mgi_bridge_web_free(struct bridge_web *w);

#endif
