/* Which addresses a live page may have. The rules judge meaning; this is what holds whatever they
 * say:
 *
 *   - Only http and https (and about:blank) are opened.
 *   - An internal address (this machine by whatever address it has, private and link-local
 *     networks, carriers' shared ones, multicast, reserved ones; also inside IPv6 forms of IPv4) is
 *     not spoken to, unless the operator allowed that address. A name is judged by what it resolves
 *     to, at the moment of connecting: see guard_proxy.h. */
#ifndef BROWSER_GUARD_H
#define BROWSER_GUARD_H

#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "base/str.h"

#define GUARD_HOST_MAX 255

/* An address as browsers read it. Parts of the text; `host` without brackets, "" if there is none.
 */
struct guard_url {
    struct str scheme, host;
    int port; /* that of the scheme if none is written; 0: neither */
};

/* False: it is no address with a scheme. */
bool mgi_guard_parse(struct str url, struct guard_url *out);

/* Is the host in `allow`, a list of hosts and origins between blanks ("shop.test",
 * "shop.test:8080", "http://127.0.0.1:8000")? A host without a port means every port. Letter case
 * does not matter. */
bool mgi_guard_allows(struct str allow, const struct guard_url *url);

/* Why this address may not be opened in front, as far as it says itself (static); NULL: it may. */
const char *mgi_guard_refuses(struct str allow, struct str url);

/* Is this very address in `allow`, for that port? "localhost" stands for those that it has. */
bool mgi_guard_allows_address(struct str allow, const struct sockaddr *address, int port);

bool mgi_guard_is_internal(const struct sockaddr *address);

/* Is it one of this machine's own, as they are now? Then it leads to what listens here, even if the
 * address is a public one. Where they cannot be read, it is. */
bool mgi_guard_is_own(const struct sockaddr *address);
/* Likewise, of a list of addresses. */
bool mgi_guard_is_among(const struct ifaddrs *list, const struct sockaddr *address);

/* Does the host say by itself where it leads? An address, or "localhost" and names below it. */
bool mgi_guard_says_address(struct str host);
/* Letter case does not matter; an empty one is none. */
bool mgi_guard_same_host(struct str a, struct str b);

/* Is it an address in any of the forms that resolvers take (also 0x7f.1, 2130706433)? *out is it
 * then. */
bool mgi_guard_literal(struct str host, struct sockaddr_storage *out);

#endif
