/* MangleCP over HTTP: the manifest, and the two endpoints (P-HTTP-1, -2, -3), as rows of a
 * listener. */
#ifndef MGI_TRANSPORT_HTTP_API_H
#define MGI_TRANSPORT_HTTP_API_H

#include "server/server.h"
#include "transport/http.h"

struct http_api;

struct http_api_options {
    struct server *server;       /* borrowed; outlives the API */
    const struct issuer *issuer; /* borrowed; whose tokens are taken, too; NULL: nobody's */
    bool open_demo;              /* who brings no credential is anonymous (D-53, D-54) */
    size_t max_message_bytes;
};

/* NULL when memory is short. */
struct http_api *mgi_http_api_new(const struct http_api_options *options);
void mgi_http_api_free(struct http_api *api); /* after its listeners are closed; NULL is fine */

/* Take messages of at most this many bytes from now on: what is served may have changed. */
void mgi_http_api_limit(struct http_api *api, size_t max_message_bytes);

/* Fill in how a listener that serves this API tells who asks: identify, release, context. Done
 * before listening. */
void mgi_http_api_identify(struct http_api *api, struct http_options *options);

/* Add the rows. One API may serve several listeners. False: the listener has no room. */
bool mgi_http_api_add(struct http_api *api, struct http_listener *l);

#endif
