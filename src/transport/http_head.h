/* What the head of an HTTP request asks for, judged without I/O (protocol.md D-58, P-HTTP-*). */
#ifndef MGI_TRANSPORT_HTTP_HEAD_H
#define MGI_TRANSPORT_HTTP_HEAD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

#define HTTP_MANIFEST_PATH "/.well-known/manglecp/manifest.json"
#define HTTP_INTENT_PATH   "/manglecp/evaluate"
#define HTTP_INVOKE_PATH   "/manglecp/invoke"

enum http_route { ROUTE_UNKNOWN, ROUTE_MANIFEST, ROUTE_INTENT, ROUTE_INVOKE };

/* `target` is the request target; a query is ignored. */
enum http_route mgi_http_route(struct str target);

/* "GET, HEAD" or "POST": for Allow. */
const char *mgi_http_allow(enum http_route route);

/* NULL if a body so labelled is ours; else what is wrong with it, a sentence. `ptr` NULL: absent.
 */
const char *mgi_http_content_type_fault(struct str value);

/* True if an answer in JSON is acceptable; an absent header is. */
bool mgi_http_accepts_json(struct str accept);

/* The token of "Bearer <token>". */
enum http_credential { CREDENTIAL_NONE, CREDENTIAL_BEARER, CREDENTIAL_OTHER };
enum http_credential mgi_http_bearer(struct str authorization, struct str *token);

/* Does the Host header name this machine's loopback? Guards a loopback listener against pages that
 * rebind a name to it. */
bool mgi_http_host_is_loopback(struct str host);
bool mgi_http_address_is_loopback(const char *host);

/* Does an If-None-Match list hold this entity tag (quoted)? Weak comparison. */
bool mgi_http_etag_matches(struct str if_none_match, struct str etag);

const char *mgi_http_reason(int status);

#endif
