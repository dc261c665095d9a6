/* The door through which a browser reaches every host that the operator has not allowed by name: a
 * SOCKS5 proxy on this machine, of threads of the plugin. It resolves the name, judges each address
 * (guard.h) at the moment of connecting, and connects to that address and no other, so that neither
 * a redirect, a sub-resource or a WebSocket, nor a name that changes its address leads to an
 * internal one. Allowed hosts pass by it, and keep the browser's own words for what fails; for the
 * others the proxy remembers them. */
#ifndef BROWSER_GUARD_PROXY_H
#define BROWSER_GUARD_PROXY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct guard_proxy;

/* `allow` as in mgi_guard_allows(), copied. NULL: *why (static). */
struct guard_proxy *mgi_guard_proxy_new(struct str allow, const char **why);

/* Ends all connections; does not wait for a resolver that hangs. NULL is fine. */
void mgi_guard_proxy_free(struct guard_proxy *proxy);

int mgi_guard_proxy_port(const struct guard_proxy *proxy);

/* What became of the last attempt at this host and port, as a browser would have said it
 * ("net::ERR_NAME_NOT_RESOLVED"); NULL: it did not fail lately. Static. Any thread. */
const char *mgi_guard_proxy_words(struct guard_proxy *proxy, struct str host, int port);

/* Attempts at internal addresses that were refused. Any thread. */
uint64_t mgi_guard_proxy_refused(struct guard_proxy *proxy);

/* The hosts of `allow` as a browser's list of those that need no proxy. */
void mgi_guard_bypass(struct str allow, struct buf *out);

#endif
