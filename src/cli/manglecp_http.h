/* One HTTP request to a server's operations pages, for `top` and `reload`. */
#ifndef MGI_CLI_MANGLECP_HTTP_H
#define MGI_CLI_MANGLECP_HTTP_H

#include "base/buf.h"
#include "base/str.h"

struct cli_http {
    const char *token;   /* bearer token, or NULL */
    const char *ca_file; /* whom to trust besides nobody else; NULL: whom the system trusts */
    bool post;           /* with an empty body; else GET */
    long timeout_ms;
};

/*
 * Fetch `path` of `target`, an http:// or https:// address of which only scheme, host and port
 * count. The body goes to `out` (at most 4 MiB), the status to *status. False: no answer came;
 * `why` says so in one line.
 */
bool mgi_cli_http(const struct cli_http *request, const char *target, const char *path,
                  struct buf *out, long *status, struct buf *why);

#endif
