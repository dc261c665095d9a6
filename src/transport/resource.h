/* What a client without a token is told of who issues them (RFC 9728): a document at the address
 * that belongs to the server's own, and where it is, in WWW-Authenticate (RFC 6750, 9728). */
#ifndef MGI_TRANSPORT_RESOURCE_H
#define MGI_TRANSPORT_RESOURCE_H

#include "base/buf.h"
#include "security/jwt.h"

/* The path of the document for the resource "https://tools.example/manglecp":
 * "/.well-known/oauth-protected-resource/manglecp". */
void mgi_resource_put_path(struct buf *out, const char *resource);

/* `Bearer resource_metadata="https://tools.example/.well-known/…"`. */
void mgi_resource_put_challenge(struct buf *out, const char *resource);

/* The document. */
void mgi_resource_put_metadata(struct buf *out, const struct issuer *issuer);

#endif
