/* The door through which a browser reaches every host that does not say its own address: a SOCKS5
 * proxy on this machine, of threads of the plugin. It resolves the name, judges each address
 * (guard.h) at the moment of connecting, and connects to that address and no other, so that neither
 * a redirect, a sub-resource or a WebSocket, nor a name that changes its address leads to an
 * internal one. Being allowed makes a name no exception, for whoever owns a name says where it
 * leads: it comes to an internal address only if
 *
 *   - that address is allowed, too, or
 *   - it is the host of the operator's page, and led to an internal one from the start.
 *
 * Allowed addresses and "localhost" pass by it, and keep the browser's own words for what fails;
 * for the others the proxy remembers them. */
#ifndef BROWSER_GUARD_PROXY_H
#define BROWSER_GUARD_PROXY_H

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct guard_proxy;

/* Where it leads; copied. */
struct guard_reach {
    struct str allow; /* as in mgi_guard_allows() */
    struct str page;  /* the address of the operator's page; may be empty */
    /* As getaddrinfo(), whose results it gives. Any thread. NULL: getaddrinfo itself. */
    int (*resolve)(const char *name, const char *service, const struct addrinfo *wanted,
                   struct addrinfo **found);
};

/* NULL: *why (static). */
struct guard_proxy *mgi_guard_proxy_new(const struct guard_reach *reach, const char **why);

/* Ends all connections and their threads, and waits for them; for a resolver that hangs, at most a
 * few seconds: that thread ends by itself, and touches nothing but its own. NULL is fine. */
void mgi_guard_proxy_free(struct guard_proxy *proxy);

int mgi_guard_proxy_port(const struct guard_proxy *proxy);

/* What became of the last attempt at this host and port, as a browser would have said it
 * ("net::ERR_NAME_NOT_RESOLVED"); NULL: it did not fail lately. Static. Any thread. */
const char *mgi_guard_proxy_words(struct guard_proxy *proxy, struct str host, int port);

/* Attempts at internal addresses that were refused. Any thread. */
uint64_t mgi_guard_proxy_refused(struct guard_proxy *proxy);

/* The hosts of `allow` that say their address, as a browser's list of those that need no proxy. */
void mgi_guard_bypass(struct str allow, struct buf *out);
/* The same hosts as exceptions from a browser's rules for looking up names: ", EXCLUDE HOST" each.
 */
void mgi_guard_excludes(struct str allow, struct buf *out);

#endif
