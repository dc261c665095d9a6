/* One exchange over HTTP with a server or an issuer, by libcurl: bounded in time and size, without
 * redirections, over a connection of its own, so that nothing leaves twice. */
#ifndef MGI_CLIENT_OAUTH_HTTP_H
#define MGI_CLIENT_OAUTH_HTTP_H

#include "base/buf.h"
#include "manglecp.h"
#include "net/curl_late.h"

struct oauth_ask {
    const char *url;
    struct str body;                                     /* posted; ptr NULL: a GET */
    const char *type;                                    /* of the body */
    const char *ca_file, *certificate, *certificate_key; /* PEM, or NULL */
    size_t max_bytes;                                    /* of the answer */
    int64_t deadline_ns;                                 /* of the monotonic clock */
};

struct oauth_reply {
    int status;
    struct buf body;
    struct buf challenge; /* the values of WWW-Authenticate, with commas between */
};

/* MANGLECP_OK: there is a reply, whatever its status. Else nothing is in *out, and `why` says why:
 * MANGLECP_ERR_TRANSPORT, _TIMEOUT, _PROTOCOL (it is too large), _NOMEM. */
enum manglecp_status mgi_oauth_ask(const struct curl_late *api, const struct oauth_ask *ask,
                                   struct oauth_reply *out, struct buf *why);

/* It may hold tokens, and is wiped. */
void mgi_oauth_reply_fini(struct oauth_reply *r);

#endif
