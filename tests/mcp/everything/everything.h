/* A server of the tests alone: the tools, prompts and resources of fixed names that the official
 * conformance suite of MCP calls (docs/reference/mcp.md 18.2), over the server core that the bridge
 * stands on. */
#ifndef TEST_MCP_EVERYTHING_H
#define TEST_MCP_EVERYTHING_H

#include "mcp/server.h"

#define STEPS_MOST 64

struct step {              /* a tool that goes on later */
    struct mcp_call *call; /* NULL: free */
    int64_t due_ms;
    int number;
};

struct things {
    struct step steps[STEPS_MOST];
    int64_t now_ms;
    bool tools_changed, prompts_changed; /* a tool wants the list to be another one */
};

/* NULL: memory. `more`: with a tool and a prompt that the other one has not. */
struct mcp_server *everything_server(struct things *t, bool more_tools, bool more_prompts);

void everything_step(struct things *t);          /* what is due by t->now_ms */
int64_t everything_next(const struct things *t); /* INT64_MAX: nothing */

#endif
