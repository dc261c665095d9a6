/* What `manglecp actions` and `manglecp action` share. */
#ifndef MGI_CLI_MANGLECP_ACTIONS_H
#define MGI_CLI_MANGLECP_ACTIONS_H

#include "cli/manglecp_host.h"
#include "domain/provider.h"

/* Where an action is said, and what runs for it: a program, or a shared object; NULL if that is not
 * one file. Lives as long as the snapshot. */
struct action_origin {
    const char *file;
    uint32_t line;
    const char *runs;
};
struct action_origin mgi_action_origin(const struct action *action);

#endif
