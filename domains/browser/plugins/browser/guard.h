/* Which addresses a live page may have. The rules judge meaning; this is what holds whatever they
 * say:
 *
 *   - Only http and https (and about:blank) are opened.
 *   - An internal address (this machine, private and link-local networks, carriers' shared ones,
 *     multicast, reserved ones; also inside IPv6 forms of IPv4) is not spoken to, unless the
 *     operator allowed the host, by name or address. A name is judged by what it resolves to, at
 *     the moment of connecting: see proxy.h. */
#ifndef BROWSER_GUARD_H
#define BROWSER_GUARD_H

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

bool mgi_guard_is_internal(const struct sockaddr *address);

/* Is it an address in any of the forms that resolvers take (also 0x7f.1, 2130706433)? *out is it
 * then. */
bool mgi_guard_literal(struct str host, struct sockaddr_storage *out);

#endif
