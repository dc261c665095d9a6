/* tools/: YAML -> struct tool: text, compiled schemas, the chain of steps. */
#include <stdlib.h>

#include "base/time.h"
#include "base/utf8.h"
#include "domain/domain_int.h"

static const char *const tool_keys[] = {
    "tool",         "summary",       "description", "tags",     "steps",
    "input_schema", "output_schema", "result",      "estimate", NULL
};
static const char *const estimate_keys[] = { "time", "tokens", NULL };
static const char *const step_keys[] = { "id",       "action",     "inputs",
                                         "when",     "on_failure", "failure_text",
                                         "optional", "timeout",    NULL };

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

/* ---- steps ------------------------------------------------------------------------------- */

static void read_failure_rule(const struct yaml_context *c, const struct yaml_node *n,
                              struct step *step)
{
    static const char *const words[] = { "stop", "skip", "continue" };
    if (!n)
        return;
    for (int i = 0; i < 3; i++)
        if (n->kind == YAML_SCALAR && str_is(n->text, words[i])) {
            step->on_failure = (enum failure_rule)i;
            return;
        }
    mgi_yaml_error(c, n, "BAD_VALUE", NULL, "on_failure is stop, skip or continue");
}

static void read_failure_text(const struct yaml_context *c, const struct yaml_node *n,
                              struct step *step)
{
    const struct yaml_node *from = n && n->kind == YAML_MAP ? mgi_yaml_get(n, "from") : NULL;
    if (!n)
        return;
    if (n->kind == YAML_SCALAR && n->text.len > 0)
        step->failure_text = n->text;
    else if (from && n->count == 1 && from->kind == YAML_SCALAR && str_is(from->text, "action"))
        step->tells_failure = true;
    else
        mgi_yaml_error(c, n, "BAD_VALUE", NULL,
                       "failure_text is a text, or {from: action} for what the action says");
}

static void read_timeout(const struct yaml_context *c, const struct yaml_node *n, struct step *step)
{
    int64_t ns;
    if (!n)
        return;
    if (n->kind != YAML_SCALAR || !mgi_duration_parse(n->text, true, &ns) || ns < NS_PER_MS ||
        ns / NS_PER_MS > INT32_MAX)
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "timeout must be a duration such as 30s");
    else
        step->timeout_ms = (uint32_t)(ns / NS_PER_MS);
}

static void find_action(struct loading *l, const struct yaml_node *n, struct step *step)
{
    struct str aid = mgi_yaml_text(&l->yaml, n, "action", true);
    if (aid.len == 0)
        return;
    step->action = mgi_snapshot_action(l->s, aid);
    if (step->action || l->actions_unknown)
        return;
    const char *near = NULL;
    const char **names = mgi_arena_calloc(l->yaml.arena, l->s->action_count + 1, sizeof *names);
    if (names) {
        for (size_t i = 0; i < l->s->action_count; i++)
            names[i] = l->s->actions[i].aid.ptr;
        near = mgi_nearest_name(aid, names);
    }
    mgi_yaml_error(&l->yaml, mgi_yaml_get(n, "action"), "UNKNOWN_ACTION",
                   near ? mgi_arena_printf(l->yaml.arena, "Did you mean %s?", near)
                        : "Name the plugin that has it in actions.plugins of domain.yaml.",
                   "no plugin has the action \"%.*s\"", STR_ARG(aid));
}

static bool read_step(struct loading *l, const struct source_scope *scope,
                      const struct yaml_node *n, struct step *step)
{
    const struct yaml_context *c = &l->yaml;
    mgi_yaml_known_keys(c, n, "a step", step_keys);
    find_action(l, n, step);
    read_failure_rule(c, mgi_yaml_get(n, "on_failure"), step);
    read_failure_text(c, mgi_yaml_get(n, "failure_text"), step);
    read_timeout(c, mgi_yaml_get(n, "timeout"), step);
    const struct yaml_node *optional = mgi_yaml_get(n, "optional");
    if (optional && !mgi_yaml_bool(optional, &step->optional))
        mgi_yaml_error(c, optional, "BAD_VALUE", NULL, "optional must be true or false");

    static const struct yaml_node nothing = { .kind = YAML_MAP, .origin = "" };
    const struct yaml_node *inputs = mgi_yaml_get(n, "inputs");
    if (inputs && mgi_yaml_get(inputs, "from")) {
        mgi_source_reserved(c, inputs);
        inputs = NULL;
    } else if (inputs && inputs->kind != YAML_MAP) {
        mgi_yaml_error(c, inputs, "BAD_VALUE", "Name each input: inputs: {x: {from: args.x}}.",
                       "inputs must be a map of names to sources");
        inputs = NULL;
    }
    if (!mgi_source_read(scope, inputs ? inputs : &nothing, &step->inputs))
        return false;
    const struct yaml_node *when = mgi_yaml_get(n, "when");
    step->has_condition = when != NULL;
    return !when || mgi_source_read(scope, when, &step->condition);
}

/* Ids first, so that a reference to a later step is told from one to no step. */
static bool read_steps(struct loading *l, struct source_scope *scope, const struct yaml_node *list,
                       struct tool *tool)
{
    const struct yaml_context *c = &l->yaml;
    if (!list)
        return true;
    if (list->kind != YAML_LIST) {
        mgi_yaml_error(c, list, "BAD_VALUE", NULL, "steps must be a list");
        return true;
    }
    tool->steps = mgi_arena_calloc(c->arena, list->count + 1, sizeof *tool->steps);
    if (!tool->steps)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind != YAML_MAP) {
            mgi_yaml_error(c, n, "BAD_VALUE", NULL, "a step must be a map with id and action");
            continue;
        }
        struct str id = mgi_yaml_text(c, n, "id", true);
        if (id.len > 0 && !mgi_is_identifier(id, 64))
            mgi_yaml_error(c, mgi_yaml_get(n, "id"), "BAD_NAME", NULL,
                           "a step is named [a-z][a-z0-9_]*");
        for (size_t k = 0; k < i; k++)
            if (id.len > 0 && str_eq(tool->steps[k].id, id))
                mgi_yaml_error(c, mgi_yaml_get(n, "id"), "DUPLICATE", NULL,
                               "step \"%.*s\" exists already", STR_ARG(id));
        tool->steps[i].id = id;
    }
    tool->step_count = list->count;
    for (size_t i = 0; i < list->count; i++) {
        scope->earlier = (uint32_t)i;
        if (list->entries[i].value->kind == YAML_MAP &&
            !read_step(l, scope, list->entries[i].value, &tool->steps[i]))
            return false;
    }
    return true;
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
    tool->has_output_schema = output != NULL;
    tool->input_text = tool->input_schema.text;
    tool->output_text = output ? tool->output_schema.text : (struct str){ "", 0 };

    struct source_scope scope = { c, &l->s->settings, tool, 0, input };
    if (!read_steps(l, &scope, mgi_yaml_get(n, "steps"), tool))
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
