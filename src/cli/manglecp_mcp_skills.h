/* The skills of a folder that this process serves, for its bridge: the server's thread brings what
 * it serves, and the bridge's threads read. */
#ifndef MGI_CLI_MANGLECP_MCP_SKILLS_H
#define MGI_CLI_MANGLECP_MCP_SKILLS_H

#include <pthread.h>

#include "base/buf.h"
#include "domain/domain.h"

struct served_domain { /* all zero but for the lock */
    pthread_mutex_t lock;
    struct snapshot *snapshot; /* a reference; NULL: nothing is served yet */
    uint64_t loads;
};

void mgi_served_init(struct served_domain *d);
void mgi_served_fini(struct served_domain *d);

/* `context` is a served_domain. For struct home_options; for struct bridge_options. */
void mgi_served_take(void *context, struct snapshot *snapshot);
uint64_t mgi_served_loads(void *context);
void mgi_served_skills(void *context, struct buf *out);

#endif
