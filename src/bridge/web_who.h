/* Who may call the address of a bridge: the credentials, and what ends when they change. */
#ifndef MGI_BRIDGE_WEB_WHO_H
#define MGI_BRIDGE_WEB_WHO_H

#include "mcp/http.h"
#include "net/http1.h"
#include "net/stream.h"
#include "security/auth.h"

struct wire_error;

/* As `identify` of http_options. */
const struct principal *mgi_bridge_web_identify(const struct auth *auth,
                                                const struct http1_request *r,
                                                const struct stream *s, struct wire_error *refusal);

/* When a request of `who` (NULL: anybody) has to end: as mcp_request.until_ms. */
int64_t mgi_bridge_web_until(const struct principal *who, int64_t now_ms);

/* `auth` says who may call from now on: what runs for others ends. `who_of` gives the principal of
 * a request by its tag. */
void mgi_bridge_web_sift(struct mcp_http *http, const struct auth *auth,
                         const struct principal *(*who_of)(void *tag));

#endif
