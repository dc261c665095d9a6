/* Where a manifest leads, and whether credentials may go there (P-DISC-2, P-HTTP-4).
 *
 * An origin is scheme, host and port. Credentials belong to the origin that the manifest came from,
 * and to no other. What was read over TLS never leads away from it. */
#ifndef MGI_CLIENT_ORIGIN_H
#define MGI_CLIENT_ORIGIN_H

#include "base/arena.h"
#include "net/curl_late.h"
#include "client/link.h"

struct address {
    char *url;    /* mgi_free; NULL: none */
    bool trusted; /* of the same origin as the base */
};

/* The address of a manifest for what a user gave: itself if it names a path, else the well-known
 * path of its host (P-DISC-1). MANGLECP_ERR_USAGE: it is no http(s) address, or has credentials in
 * it. */
enum manglecp_status mgi_address_of_manifest(const struct curl_late *api, const char *given,
                                             struct address *out, struct buf *why);

/* The same for ws:// and wss:// addresses; a host alone means its path /manglecp/ws. What is kept
 * is the http(s) address of the same place: an upgrade begins as HTTP. */
enum manglecp_status mgi_address_of_websocket(const struct curl_late *api, const char *given,
                                              struct address *out, struct buf *why);

/* Of either kind, by its scheme, as text in `a`. */
enum manglecp_status mgi_address_of_target(const struct curl_late *api, const char *given,
                                           struct arena *a, const char **out, struct buf *why);

/* Path with query, and host with port, of an address: what a request's head says. Both mgi_free.
 * False: memory, and both are NULL. */
bool mgi_address_parts(const struct curl_late *api, const char *url, char **target, char **host);

/* Resolve `reference` against `base`, which is such an address. MANGLECP_ERR_PROTOCOL: it leads to
 * something else than HTTP, or from TLS to none. ws and wss count as http and https. */
enum manglecp_status mgi_address_resolve(const struct curl_late *api, const char *base,
                                         struct str reference, struct address *out,
                                         struct buf *why);

/* Is what a user gave a ws:// or wss:// address? */
bool mgi_address_is_websocket(const char *given);

/* May a token be sent to this http(s) address: is it TLS, or this machine? MANGLECP_OK, or
 * MANGLECP_ERR_USAGE and `why` not. */
enum manglecp_status mgi_address_may_have_token(const char *url, struct buf *why);

bool mgi_address_is_tls(const struct address *a);

void mgi_address_fini(struct address *a);

#endif
