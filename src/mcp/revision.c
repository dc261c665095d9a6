/* What each revision has. The schemas say; mcp.md lists where they were read. */
#include "mcp/revision.h"

#include "mcp/rpc.h"

/* What each has added for good. */
#define SINCE_R2 .annotations = true, .audio = true, .completions = true, .progress_message = true
#define SINCE_R3 SINCE_R2, .titles = true, .structured = true, .links = true, .elicitation = true
#define SINCE_R4 SINCE_R3, .elicitation_urls = true, .form_defaults = true, .icons = true
#define SINCE_R5 SINCE_R4, .any_structured = true
/* Of those with a handshake. */
#define LEGACY .session_requests = true, .not_found = RPC_RESOURCE_NOT_FOUND
#define MODERN .modern = true, .not_found = RPC_INVALID_PARAMS

static const struct mcp_features table[] = {
    [MCP_R1] = { .date = "2024-11-05", LEGACY },
    [MCP_R2] = { .date = "2025-03-26", LEGACY, SINCE_R2, .batches = true },
    [MCP_R3] = { .date = "2025-06-18", LEGACY, SINCE_R3 },
    [MCP_R4] = { .date = "2025-11-25", LEGACY, SINCE_R4 },
    [MCP_R5] = { .date = "2026-07-28", MODERN, SINCE_R5 },
};

const struct mcp_features *mgi_mcp_features(enum mcp_revision r)
{
    return &table[r];
}

enum mcp_revision mgi_mcp_revision(struct str date)
{
    for (int r = MCP_R1; r <= MCP_R5; r++)
        if (str_is(date, table[r].date))
            return (enum mcp_revision)r;
    return MCP_NONE;
}

bool mgi_mcp_is_modern(struct str version)
{
    return mgi_str_compare(version, str_of(table[MCP_MODERN].date)) >= 0;
}

enum mcp_revision mgi_mcp_offer(struct str asked)
{
    enum mcp_revision r = mgi_mcp_revision(asked);
    return r == MCP_NONE || table[r].modern ? MCP_NEWEST_LEGACY : r;
}

void mgi_mcp_write_supported(struct json_writer *w)
{
    mgi_jw_begin_array(w);
    for (int r = MCP_R5; r >= MCP_R1; r--)
        mgi_jw_cstring(w, table[r].date);
    mgi_jw_end_array(w);
}

void mgi_mcp_write_unsupported(struct json_writer *w, struct str requested)
{
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "supported");
    mgi_mcp_write_supported(w);
    mgi_jw_member_str(w, "requested", requested);
    mgi_jw_end_object(w);
}
