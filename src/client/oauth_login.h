/* A person logs in, in a browser: from the address of a server to an entry of the file of logins.
 *
 * The server says who gives tokens for it, and the issuer says where; each is asked where the one
 * before it said, and nobody is believed beyond what oauth.h checks. Nothing is sent anywhere that
 * is neither TLS nor this machine. */
#ifndef MGI_CLIENT_OAUTH_LOGIN_H
#define MGI_CLIENT_OAUTH_LOGIN_H

#include "client/credentials.h"

struct oauth_login {
    const char *target;    /* http(s) or ws(s) address */
    const char *client_id; /* NULL: register */
    const char *scope;     /* NULL: what the server asks for, or none */
    const char *ca_file, *certificate, *certificate_key; /* certificate: for the server alone */
    int64_t answer_ms;                                   /* for each of the servers asked */
    int64_t browser_ms;                                  /* for the person */
    /* The address to open in a browser. */
    void (*show)(void *context, const char *url);
    void *context;
};

/* *out has its text in `a`, but for the time at which the token ends: it is counted from now_s().
 * MANGLECP_ERR_USAGE: TARGET is no address. MANGLECP_ERR_CREDENTIALS: nothing comes of it, and
 * `why` says why. MANGLECP_ERR_TIMEOUT, _TRANSPORT, _PROTOCOL, _NOMEM. */
enum manglecp_status mgi_oauth_login(const struct oauth_login *order, struct arena *a,
                                     struct credential *out, struct buf *why);

#endif
