/* tools/: YAML -> struct tool: text, compiled schemas; steps.c reads the chain. */
#include <stdlib.h>

#include "base/time.h"
#include "base/utf8.h"
#include "domain/domain_int.h"
#include "render/call.h"

static const char *const tool_keys[] = { "tool",          "summary",     "description",
                                         "tags",          "steps",       "parallel",
                                         "estimate",      "transaction", "input_schema",
                                         "output_schema", "result",      NULL };
static const char *const estimate_keys[] = { "time", "tokens", NULL };

/* ---- schemas ----------------------------------------------------------------------------- */

static void free_schema(void *schema)
{
    mgi_schema_free(schema);
}

/* As written, and compiled. A fault of the schema is shown where it stands in the YAML. */
static bool read_schema(const struct yaml_context *c, const struct yaml_node *n, const char *what,
                        struct json *as_written, const struct schema **out)
{
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(c, n, "SCHEMA", NULL, "%s must be a map, not %s", what,
                       mgi_yaml_kind_name(n));
        return true;
    }
    if (!mgi_yaml_to_json(c->arena, n, as_written))
        return false;
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, c->arena, 0);
    struct schema *schema = mgi_schema_compile(as_written, 0, &issues);
    for (size_t i = 0; i < issues.count; i++)
        mgi_yaml_error(c, mgi_yaml_at(n, issues.items[i].path), "SCHEMA", NULL, "%s%s: %s", what,
                       issues.items[i].path, issues.items[i].message);
    if (!schema)
        return issues.count > 0;
    *out = schema;
    return mgi_arena_defer(c->arena, free_schema, schema);
}

/* ---- a tool ------------------------------------------------------------------------------ */

static bool read_tags(const struct yaml_context *c, const struct yaml_node *n, struct tool *tool)
{
    if (!n)
        return true;
    if (n->kind != YAML_LIST) {
        mgi_yaml_error(c, n, "BAD_VALUE", "Write it as [a, b].", "tags must be a list");
        return true;
    }
    struct str *tags = mgi_arena_calloc(c->arena, n->count + 1, sizeof *tags);
    if (!tags)
        return false;
    for (size_t i = 0; i < n->count; i++) {
        const struct yaml_node *tag = n->entries[i].value;
        if (tag->kind == YAML_SCALAR && tag->text.len > 0)
            tags[tool->tag_count++] = tag->text;
        else
            mgi_yaml_error(c, tag, "BAD_VALUE", NULL, "a tag must be text");
    }
    tool->tags = tags;
    return true;
}

static void read_texts(const struct yaml_context *c, const struct yaml_node *n, struct tool *tool)
{
    tool->name = mgi_yaml_text(c, n, "tool", true);
    if (tool->name.len > 0 && !mgi_is_identifier(tool->name, 64))
        mgi_yaml_error(c, mgi_yaml_get(n, "tool"), "BAD_NAME", NULL,
                       "a tool is named [a-z][a-z0-9_]*, at most 64 characters");
    tool->summary = mgi_yaml_text(c, n, "summary", true);
    if (memchr(tool->summary.ptr, '\n', tool->summary.len) || mgi_utf8_count(tool->summary) > 120)
        mgi_yaml_error(c, mgi_yaml_get(n, "summary"), "BAD_VALUE", "Put the rest into description.",
                       "summary must be one line of at most 120 characters");
    tool->description = mgi_yaml_text(c, n, "description", true);
    while (tool->description.len > 0 && tool->description.ptr[tool->description.len - 1] == '\n')
        tool->description.len--;
}

/* What the author expects, for who asks before a run. */
static void read_estimate(const struct yaml_context *c, const struct yaml_node *n,
                          struct tool *tool)
{
    int64_t ns;
    if (!n)
        return;
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(c, n, "BAD_VALUE", "Write it as {time: 2s, tokens: 300}.",
                       "estimate must be a map");
        return;
    }
    mgi_yaml_known_keys(c, n, "an estimate", estimate_keys);
    const struct yaml_node *time = mgi_yaml_get(n, "time"), *tokens = mgi_yaml_get(n, "tokens");
    if (time &&
        (time->kind != YAML_SCALAR || !mgi_duration_parse(time->text, true, &ns) || ns < NS_PER_MS))
        mgi_yaml_error(c, time, "BAD_VALUE", NULL, "time must be a duration such as 2s");
    else if (time)
        tool->estimate_ms = ns / NS_PER_MS;
    if (tokens && (!mgi_yaml_int(tokens, &tool->estimate_tokens) || tool->estimate_tokens < 1 ||
                   tool->estimate_tokens > INT32_MAX))
        mgi_yaml_error(c, tokens, "BAD_VALUE", NULL, "tokens must be a whole number, 1 or more");
}

static void read_running(const struct yaml_context *c, const struct yaml_node *n, struct tool *tool)
{
    const struct yaml_node *parallel = mgi_yaml_get(n, "parallel");
    const struct yaml_node *transaction = mgi_yaml_get(n, "transaction");
    int64_t most = 0;
    if (parallel && (!mgi_yaml_int(parallel, &most) || most < 1 || most > TOOL_MAX_PARALLEL))
        mgi_yaml_error(c, parallel, "BAD_VALUE", NULL, "parallel must be a whole number, 1 to %d",
                       TOOL_MAX_PARALLEL);
    else
        tool->parallel = (uint32_t)most;
    if (transaction && !mgi_yaml_bool(transaction, &tool->transaction))
        mgi_yaml_error(c, transaction, "BAD_VALUE", NULL, "transaction must be true or false");
}

/* What a model reads of it where it is one line among many. */
static bool write_call(const struct yaml_context *c, struct tool *tool)
{
    struct buf call = { 0 };
    mgi_call_put(&call, tool->name, &tool->input_schema);
    bool ok = !call.oom;
    tool->call = ok ? mgi_arena_str(c->arena, mgi_buf_view(&call)) : (struct str){ 0 };
    mgi_buf_fini(&call);
    tool->line_tokens = ok ? mgi_call_tokens(tool->call, tool->summary) : 0;
    return tool->call.ptr && tool->line_tokens > 0;
}

static bool read_tool(struct loading *l, const struct yaml_node *n, struct tool *tool)
{
    const struct yaml_context *c = &l->yaml;
    mgi_yaml_known_keys(c, n, "a tool", tool_keys);
    tool->file = n->origin;
    tool->line = n->line;
    read_texts(c, n, tool);
    const struct yaml_node *input = mgi_yaml_get(n, "input_schema");
    const struct yaml_node *output = mgi_yaml_get(n, "output_schema");
    if (!input)
        mgi_yaml_error(c, n, "MISSING_KEY", "A tool without arguments has {type: object}.",
                       "\"input_schema\" is missing");
    if (!read_tags(c, mgi_yaml_get(n, "tags"), tool) ||
        (input && !read_schema(c, input, "input_schema", &tool->input_schema, &tool->input)) ||
        (output && !read_schema(c, output, "output_schema", &tool->output_schema, &tool->output)))
        return false;
    read_estimate(c, mgi_yaml_get(n, "estimate"), tool);
    read_running(c, n, tool);
    tool->has_output_schema = output != NULL;
    if (!write_call(c, tool))
        return false;
    tool->input_text = tool->input_schema.text;
    tool->output_text = output ? tool->output_schema.text : (struct str){ "", 0 };

    struct source_scope scope = {
        .yaml = c, .settings = &l->s->settings, .tool = tool, .schema = input
    };
    if (!mgi_load_steps(l, &scope, mgi_yaml_get(n, "steps"), tool))
        return false;
    scope.earlier = (uint32_t)tool->step_count;
    static const struct yaml_node nothing = { .kind = YAML_MAP, .origin = "" };
    const struct yaml_node *result = mgi_yaml_get(n, "result");
    if (!mgi_source_read(&scope, result ? result : &nothing, &tool->result))
        return false;
    if (tool->result.kind != SOURCE_OBJECT && tool->result.kind != SOURCE_STEP)
        mgi_yaml_error(c, result, "BAD_VALUE", NULL,
                       "result must be a map of sources, or from one step's output");
    return true;
}

struct ordered_tool {
    struct tool tool;
    struct yaml_node *node;
};

static int compare_tools(const void *a, const void *b)
{
    return mgi_str_compare(((const struct ordered_tool *)a)->tool.name,
                           ((const struct ordered_tool *)b)->tool.name);
}

/* Sorted by name, so that tool_rank is the index and looking one up is a binary search. */
static bool keep_tools(struct loading *l, struct ordered_tool *tools, size_t count)
{
    struct snapshot *s = l->s;
    if (count > 1)
        qsort(tools, count, sizeof *tools, compare_tools);
    s->tools = mgi_arena_calloc(&s->arena, count + 1, sizeof *s->tools);
    l->template_nodes = mgi_arena_calloc(&s->arena, count + 1, sizeof(struct yaml_node *));
    if (!s->tools || !l->template_nodes)
        return false;
    for (size_t i = 0; i < count; i++) {
        s->tools[i] = tools[i].tool;
        s->tools[i].rank = (uint32_t)i;
        l->template_nodes[i] = tools[i].node;
        if (i > 0 && str_eq(s->tools[i].name, s->tools[i - 1].name))
            mgi_yaml_error(&l->yaml, tools[i].node, "DUPLICATE", NULL,
                           "tool \"%.*s\" exists already in %s:%u", STR_ARG(s->tools[i].name),
                           s->tools[i - 1].file, s->tools[i - 1].line);
    }
    s->tool_count = count;
    return true;
}

bool mgi_load_tools(struct loading *l)
{
    size_t count = l->written_tool_count;
    struct ordered_tool *tools = mgi_arena_calloc(l->yaml.arena, count + 1, sizeof *tools);
    if (!tools)
        return false;
    for (size_t i = 0; i < count; i++) {
        tools[i].node = l->written_tools[i];
        if (!read_tool(l, tools[i].node, &tools[i].tool))
            return false;
    }
    return keep_tools(l, tools, count);
}
