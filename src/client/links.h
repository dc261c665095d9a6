/* The links there are (link.h). */
#ifndef MGI_CLIENT_LINKS_H
#define MGI_CLIENT_LINKS_H

#include "base/arena.h"
#include "client/link.h"

/* Each is made and not opened yet; nothing was sent or started. `options` has its defaults filled
 * in (mgi_client_defaults) and its callbacks are kept; text is copied. NULL: *status and `why`
 * tell. */
struct link *mgi_link_http(const char *url, const struct manglecp_options *options,
                           enum manglecp_status *status, struct buf *why);
struct link *mgi_link_stdio(const char *const *argv, const struct manglecp_options *options,
                            enum manglecp_status *status, struct buf *why);

struct link *mgi_link_ws(const char *url, const struct manglecp_options *options,
                         enum manglecp_status *status, struct buf *why);

/* The WebSocket that the manifest at an http(s) address announces; the manifest is read for that.
 * Not of the manifest's origin: credentials are withheld. */
struct link *mgi_link_announced(const char *url, const struct manglecp_options *options,
                                enum manglecp_status *status, struct buf *why);

struct manglecp_options mgi_client_defaults(const struct manglecp_options *options);

/* The names of the files of TLS become the arena's. False: memory. */
bool mgi_client_keep_files(struct manglecp_options *options, struct arena *arena);

#endif
