/* A link to a domain folder that is served inside this process, through the same peer table that
 * the transports fill in: every path of the server is the real one. */
#ifndef MGI_CLI_MANGLECP_LOCAL_H
#define MGI_CLI_MANGLECP_LOCAL_H

#include "cli/manglecp_host.h"
#include "client/link.h"

struct local_link;

/* Bring the folder to life. NULL: messages were printed, and *status is what to exit with. */
struct local_link *mgi_local_new(const struct host_options *options, int *status);

/* The link of it, for mgi_client_open(), which takes it over. The host lives as long as the link.
 */
struct link *mgi_local_link(struct local_link *l);
struct host *mgi_local_host(struct local_link *l);

/* The person at this terminal approved it: a challenge is taken as it is from then on. */
bool mgi_local_approve(struct local_link *l, const char *challenge);

#endif
