/* The end of a login in a browser: it is sent to a port of this machine (RFC 8252, 7.3).
 *
 * Anything on this machine, and any page in its browser, may knock there. Who does not know the
 * attempt's state is sent away and changes nothing; LOOPBACK_CONNECTIONS may stand open at a time,
 * each for a few seconds, and beyond that the oldest is closed. The first answer that is the
 * issuer's ends it: the port is closed, and whoever comes second finds nobody. */
#ifndef MGI_CLIENT_OAUTH_LOOPBACK_H
#define MGI_CLIENT_OAUTH_LOOPBACK_H

#include "client/oauth.h"
#include "manglecp.h"

#define LOOPBACK_CONNECTIONS 8
#define LOOPBACK_PATH        "/callback"

/* A port of 127.0.0.1 that listens; -1: `why`. */
int mgi_loopback_open(unsigned *port, struct buf *why);

void mgi_loopback_close(int listener); /* -1 is fine */

/* Wait for the redirect, and close `listener`. MANGLECP_OK: *code is in the arena.
 * MANGLECP_ERR_TIMEOUT: nobody came; MANGLECP_ERR_CREDENTIALS: the issuer's answer is no code;
 * MANGLECP_ERR_TRANSPORT, MANGLECP_ERR_NOMEM. */
enum manglecp_status mgi_loopback_await(int listener, const struct oauth_attempt *attempt,
                                        int64_t deadline_ns, struct arena *a, const char **code,
                                        struct buf *why);

#endif
