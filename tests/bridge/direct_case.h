/* Answers of a server, as the tests of a direct bridge want them. */
#ifndef MGI_TESTS_BRIDGE_DIRECT_CASE_H
#define MGI_TESTS_BRIDGE_DIRECT_CASE_H

#include "bridge/direct.h"
#include "client/client_int.h"

#define DIRECT_ANSWER(tools)                                                                       \
    "{\"type\":\"intent_response\",\"id\":\"c-1\",\"manglecp\":\"2026-02-draft\",\"payload\":{"    \
    "\"macro_tools\":[" tools "]}}"

/* `safety`: members of it, or of what follows. */
#define DIRECT_TOOL(id, name, more)                                                                \
    "{\"macro_id\":\"" id "\",\"name\":\"" name "\",\"disclosure_level\":\"full\","                \
    "\"description\":\"About it.\",\"input_schema\":{\"type\":\"object\"}" more "}"

/* NULL: memory. */
static inline manglecp_tools *direct_tools(const char *answer)
{
    manglecp_tools *tools;
    (void)mgi_tools_read(NULL, str_of(answer), &tools);
    return tools;
}

static inline void direct_ignore(void *context, struct mcp_call *call)
{
    (void)context;
    (void)call;
}

static inline struct mcp_description direct_face(void)
{
    return (struct mcp_description){ .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                     .handlers = { .tool = direct_ignore } };
}

#endif
