/* What the values of header fields say, judged without I/O (protocol.md D-58, P-HTTP-*). */
#ifndef MGI_TRANSPORT_HTTP_HEAD_H
#define MGI_TRANSPORT_HTTP_HEAD_H

#include <stdbool.h>

#include "base/str.h"

#define HTTP_MANIFEST_PATH "/.well-known/manglecp/manifest.json"
#define HTTP_INTENT_PATH   "/manglecp/evaluate"
#define HTTP_INVOKE_PATH   "/manglecp/invoke"

/* NULL if a body so labelled is ours; else what is wrong with it, a sentence. `ptr` NULL: absent.
 */
const char *mgi_http_content_type_fault(struct str value);

/* What an Accept says of JSON: of each range that holds it 1 + its weight in thousandths; 0: the
 * range is not named. All zero to begin with. */
struct http_accept {
    int json, manglecp, application, any;
    unsigned ranges; /* of whatever type */
};

/* The value of one Accept line: several are one list. */
void mgi_http_accept_read(struct http_accept *a, struct str accept);

/* Is an answer in JSON acceptable? Of the ranges that hold it the most specific one counts; who
 * names none takes all.  [RFC 9110 12.5.1] */
bool mgi_http_accepts_json(const struct http_accept *a);

/* Does an Accept-Encoding want gzip, and not rather the plain form? Absent: no.  [RFC 9110 12.5.3]
 */
bool mgi_http_accepts_gzip(struct str accept_encoding);

#define HTTP_KEY_FIELD "x-manglecp-api-key"

/* The token of "Bearer <token>". */
enum http_credential { CREDENTIAL_NONE, CREDENTIAL_BEARER, CREDENTIAL_OTHER };
enum http_credential mgi_http_bearer(struct str authorization, struct str *token);

/* Does the Host header name this machine's loopback? Guards a loopback listener against pages that
 * rebind a name to it. */
bool mgi_http_host_is_loopback(struct str host);
bool mgi_http_address_is_loopback(const char *host);

/* Does `host` ("name" or "name:port") fit `allowed`, which has a port only if that port is meant?
 */
bool mgi_http_host_fits(struct str host, const char *allowed);

/* Can this be such an `allowed`? */
bool mgi_http_is_host(const char *text);

/* NULL if `origin` is a web origin ("https://app.example:8443"); else what is wrong with it. */
const char *mgi_http_origin_fault(const char *origin);

/* Is the page of `origin` one that was read from `host`? */
bool mgi_http_origin_is_host(struct str origin, struct str host);

/* Does an If-None-Match list hold this entity tag (quoted)? Weak comparison. */
bool mgi_http_etag_matches(struct str if_none_match, struct str etag);

#endif
