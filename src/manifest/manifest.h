/* The outer doll: what the server says of itself (protocol.md §2.8). Never a tool name (P-MAN-1).
 */
#ifndef MGI_MANIFEST_MANIFEST_H
#define MGI_MANIFEST_MANIFEST_H

#include "base/json.h"
#include "domain/domain.h"

enum server_status { SERVER_BOOTING, SERVER_READY, SERVER_DEGRADED, SERVER_DRAINING };
const char *mgi_server_status_name(enum server_status status);

struct manifest_flaw { /* what is amiss with a degraded server (P-READY-7) */
    const char *what, *why;
};

struct manifest_view { /* what depends on the transport it is read on */
    enum server_status status;
    const char *intent_eval, *macro_invoke; /* URIs; NULL: left out (session transports) */
    const char *websocket;                  /* URI; NULL: left out */
    bool auth_required;
    const char *const *auth_schemes; /* NULL-terminated; NULL: none */
    const char *token_url;           /* of the issuer of OAuth tokens (P-AUTH-4); NULL: none */
    int conformance_level;
    const struct manifest_flaw *flaws; /* extensions["x-degraded"]; shown in any status */
    size_t flaw_count;
};

/* The payload object. Of a booting server the snapshot may hold no more than settings.
 * Deterministic. */
void mgi_manifest_write(struct json_writer *w, const struct snapshot *s,
                        const struct manifest_view *view);

#endif
