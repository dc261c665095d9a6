/* The tools of a plugin: what it registered, checked, and the list that --list prints.
 *
 * The check runs twice: in the worker when the plugin registers, so that the plugin learns of it,
 * and in the host on what the worker sends, because the worker is not believed (T-ISO-3). */
#ifndef TOOLHOST_TOOLS_H
#define TOOLHOST_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "toolhost/frame.h"

struct str_list {
    struct str *items;
    size_t count;
};

struct tool {
    struct str aid, name, description;
    struct str_list tags, side_effects, replay_inputs;
    struct str input_schema, output_schema; /* ptr NULL: none */
    uint32_t flags;                         /* TH_TOOL_* */
    uint32_t timeout_ms;                    /* 0: none of its own */
    int32_t min_tier;
    int tier; /* set by the host */
};

struct tools {
    struct tool *items; /* in a host: sorted by aid; `call_index` is the worker's number */
    uint32_t *call_index;
    size_t count;
    uint32_t abi, caps; /* of the plugin, as it says */
};

/* What is wrong with the tool (T-ABI-11), as a static text; NULL if nothing. `scratch` is used to
 * parse the schemas and comes back as it was. */
const char *mgi_tool_fault(const struct tool *tool, struct arena *scratch);

void mgi_tool_encode(struct buf *out, const struct tool *tool);

/* Read the rest of a FRAME_READY into `arena`, copying all, sort by AID, find the tiers. False if
 * it is malformed or a tool is faulty: then *why is a text in `arena`, or NULL when memory is
 * short. */
bool mgi_tools_decode(struct arena *arena, struct frame *f, struct tools *tools, const char **why);

/* Index of the tool, or SIZE_MAX. */
size_t mgi_tools_find(const struct tools *tools, struct str aid);

/* The answer of --list (T-CLI-29 to T-CLI-31). */
void mgi_tools_write(struct buf *out, const struct tools *tools);

#endif
