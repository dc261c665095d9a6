/* Which addresses of the network are everybody's.
 *
 * What is not public is refused unless an operation says `private: true`: this machine, its
 * networks, and every form in which such an address can be wrapped. The address is judged that a
 * socket is about to be connected to, so no answer of a resolver that changes its mind matters. */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* IPv4: all but the special-purpose blocks of RFC 6890 and what is above 223.255.255.255. IPv6:
 * 2000::/3 without 2001::/23, documentation and 6to4: so no loopback, link-local, unique-local,
 * multicast, and neither IPv4-mapped nor NAT64 addresses, whatever they hold. Other families: not
 * public. `len` is the size of *address. */
bool mgi_address_is_public(const struct sockaddr *address, socklen_t len);

#endif
