/* See direct.h. Texts come from whoever wrote the domain, or from a server elsewhere: they are
 * cleaned like those of MCP servers (X-ACT-7). */
#include "bridge/direct.h"

#include <stdlib.h>
#include <string.h>

#include "mcp/clean.h"

const char mgi_direct_instructions[] =
    "Each tool runs a chain of actions on the server and answers with its result. What a tool "
    "changes is known to the others.";

static bool has_effects(const struct manglecp_tool *t)
{
    return t->side_effect_count > 1 ||
           (t->side_effect_count == 1 && strcmp(t->side_effects[0], "none") != 0);
}

static void put_safety(struct buf *out, const struct manglecp_tool *t)
{
    if (t->level != MANGLECP_FULL)
        return;
    if (t->requires_confirmation)
        mgi_buf_puts(out, "\nThe user is asked first.");
    if (has_effects(t) && !t->reversible)
        mgi_buf_puts(out, "\nIt cannot be undone.");
}

static struct str describe_tool(const struct manglecp_tool *t, struct arena *arena)
{
    struct buf whole = { 0 }, clean = { 0 };
    struct str kept = { 0 };
    mgi_buf_puts(&whole, t->description);
    if (t->instructions[0])
        mgi_buf_printf(&whole, "%s%s", whole.len ? "\n" : "", t->instructions);
    mgi_clean(&clean, mgi_buf_view(&whole), DIRECT_TEXT_BYTES, NULL);
    put_safety(&clean, t);
    if (!whole.oom && !clean.oom)
        kept = mgi_arena_str(arena, mgi_buf_view(&clean));
    else
        arena->oom = true;
    mgi_buf_fini(&whole);
    mgi_buf_fini(&clean);
    return kept;
}

/* Has it an effect of that name? A tool that is not shown in full may have any. */
static bool may_have(const struct manglecp_tool *t, const char *effect)
{
    if (t->level != MANGLECP_FULL)
        return true;
    for (size_t i = 0; i < t->side_effect_count; i++)
        if (strcmp(t->side_effects[i], effect) == 0)
            return true;
    return false;
}

static struct mcp_tool make_tool(const struct manglecp_tool *t, struct arena *arena)
{
    static const char any[] = "{\"type\":\"object\"}";
    bool known = t->level == MANGLECP_FULL, acts = !known || has_effects(t);
    return (struct mcp_tool){ .name = str_of(t->name),
                              .description = describe_tool(t, arena),
                              .input_schema = str_of(t->input_schema ? t->input_schema : any),
                              .has_annotations = true,
                              .read_only = !acts,
                              .destructive = acts && !(known && t->reversible),
                              .idempotent = !acts || (known && t->idempotent),
                              .open_world = may_have(t, "network") };
}

static int by_name(const void *a, const void *b)
{
    const struct mcp_tool *left = a, *right = b;
    return mgi_str_compare(left->name, right->name);
}

bool mgi_direct_tools(const manglecp_tools *tools, struct arena *arena, struct mcp_description *d)
{
    size_t count = manglecp_tools_count(tools);
    struct mcp_tool *list = mgi_arena_calloc(arena, count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = make_tool(manglecp_tools_get(tools, i), arena);
    if (!list || arena->oom)
        return false;
    qsort(list, count, sizeof *list, by_name);
    d->tools = list;
    d->tool_count = count;
    return true;
}
