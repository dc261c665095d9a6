/* One HTTP request to a server's operations pages, for `top`, `reload` and `confirm`. */
#ifndef MGI_CLI_MANGLECP_HTTP_H
#define MGI_CLI_MANGLECP_HTTP_H

#include "base/buf.h"
#include "base/str.h"

struct cli_http {
    const char *token;       /* bearer token, or NULL */
    const char *credentials; /* the file of logins: where there is no token, that of the login for
                              * the target; or NULL */
    const char *ca_file;     /* whom to trust besides nobody else; NULL: whom the system trusts */
    const char *certificate, *certificate_key; /* PEM: who we are, if the server asks; or NULL */
    bool insecure;    /* the token goes unencrypted to other machines, too */
    bool post;        /* else GET */
    const char *body; /* of a POST: JSON; NULL: it is empty */
    long timeout_ms;
};

/*
 * Fetch `path` of `target`, an http:// or https:// address (or ws://, wss:// beside it, or unix:
 * and the path of a socket) of which only scheme, host and port count. The body goes to `out` (at
 * most 4 MiB), the status to *status. False: no answer came; `why` says so in one line.
 */
bool mgi_cli_http(const struct cli_http *request, const char *target, const char *path,
                  struct buf *out, long *status, struct buf *why);

/* The rows of an option table for what TLS needs. */
/* clang-format off */
#define MGI_CLI_TLS_OPTIONS(http)                                                                   \
    { "--ca", OPTION_TEXT, &(http)->ca_file, NULL, "FILE",                                          \
      "PEM: who vouches for an https server" },                                                     \
    { "--certificate", OPTION_TEXT, &(http)->certificate, NULL, "FILE",                             \
      "PEM: who you are, for TLS" },                                                                \
    { "--certificate-key", OPTION_TEXT, &(http)->certificate_key, NULL, "FILE", "PEM: its key" }
/* clang-format on */

/* Say that a server could not be reached, and what to do if its words tell. */
void mgi_cli_unreached(const char *why);

/* The hint alone, if there is one for these words of libcurl's or of the client's. */
void mgi_cli_unreached_hint(const char *why);

#endif
