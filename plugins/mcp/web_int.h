/* Inside of web. From below: web_address, web_exchange <- web. */
#ifndef MCP_WEB_INT_H
#define MCP_WEB_INT_H

#include "web.h"

/* `text` as it counts at `base`, if that is of the same origin (X-HTTP-8, X-HTTP-43). False: it is
 * not, or no address, or longer than WEB_ADDRESS_BYTES, or memory is short. */
bool web_address(const struct curl_late *api, const char *base, struct str text,
                 char out[WEB_ADDRESS_BYTES]);

/* Begin to send a line of the client. False: memory is short; end it. */
bool web_exchange_post(struct web_exchange *x, struct mcp_web *web, struct str line);
/* Begin to get a stream; after `last_id`, unless it is empty. An exchange that was at work before
 * keeps what its request and its events are. */
bool web_exchange_get(struct web_exchange *x, struct mcp_web *web, struct str last_id);
/* The same once more, elsewhere. */
bool web_exchange_redirect(struct web_exchange *x, const char *address);
void web_exchange_end(struct web_exchange *x);
/* The end of the session, waited for so long; whatever it answers. */
void web_exchange_delete(struct mcp_web *web, int grace_ms);

#endif
