/* What a conversation puts into a model's context, and what a static list of the same tools would.
 */
#ifndef MGI_CLI_MANGLECP_COSTS_H
#define MGI_CLI_MANGLECP_COSTS_H

#include "base/json.h"
#include "cli/cli_options.h"

struct snapshot;

struct cost {
    const char *of;                             /* borrowed */
    size_t shown, tools, result, state, proofs; /* tokens */
};

struct costs { /* all-zero is empty */
    struct cost *items;
    size_t count, cap;
};

/* Count a message, of which `answer` is the payload, and the text that a model is shown of it
 * (manglecp_free'd; NULL: nothing). `what` is borrowed until the end. */
void mgi_costs_add(struct costs *costs, const char *what, struct str message,
                   const struct json *answer, char *shown);
void mgi_costs_fini(struct costs *costs);

/* `snapshot`: the domain, for the comparison with a static list; or NULL. */
void mgi_costs_print(const struct costs *costs, const struct cli_style *style,
                     const struct snapshot *snapshot);

#endif
