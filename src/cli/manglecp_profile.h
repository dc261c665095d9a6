/* What an intent took that was evaluated in this process: manglecp intent --profile. */
#ifndef MGI_CLI_MANGLECP_PROFILE_H
#define MGI_CLI_MANGLECP_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/server.h"

struct intent_profile {
    bool json;  /* as it is asked for */
    char *text; /* what is to be said, once the worker has told; of the C library's heap */
    size_t len;
};

/* server_options.costs: on a worker, before the answer leaves it. `context` is the profile. */
void mgi_intent_profile_take(void *context, const struct intent_costs *costs);

/* On standard error; afterwards it is empty. False: nobody has told anything. */
bool mgi_intent_profile_print(struct intent_profile *p);

#endif
