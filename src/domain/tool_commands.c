/* tools/ as written, and tools that are their own command: what has `run` in place of `steps` is a
 * tool and its action in one. Before anything else sees it, it is taken apart into both, as nodes
 * at the places where they were written:
 *
 *   tool: sizes                        tool: sizes                     name: sizes
 *   summary: …                 --->    summary: …               and    description: …
 *   run: [du, "{folder}"]              input_schema: (derived)         run: [du, "{folder}"]
 *   output: lines                      steps: [{id: run, …}]           output: lines
 *                                      result: {from: steps.run.output}
 */
#include "domain/command_form.h"
#include "domain/domain_int.h"

/* {from: WHERE} */
static struct yaml_node *from_node(struct arena *a, const struct yaml_node *at, const char *where,
                                   bool optional)
{
    struct yaml_node *n = mgi_yaml_made(a, at, YAML_MAP, STR_LIT(""));
    struct yaml_node *yes = optional ? mgi_yaml_made(a, at, YAML_SCALAR, STR_LIT("true")) : NULL;
    if (yes)
        yes->plain = true;
    return n && where &&
                   mgi_yaml_set(a, n, "from", mgi_yaml_made(a, at, YAML_SCALAR, str_of(where))) &&
                   (!optional || mgi_yaml_set(a, n, "optional", yes))
               ? n
               : NULL;
}

/* [{id: run, action: AID, inputs: {x: {from: args.x, optional: true}}}] */
static struct yaml_node *steps_node(struct arena *a, const struct yaml_node *at, struct str aid,
                                    const struct yaml_node *schema)
{
    const struct yaml_node *properties = mgi_yaml_get(schema, "properties");
    struct yaml_node *list = mgi_yaml_made(a, at, YAML_LIST, STR_LIT(""));
    struct yaml_node *step = mgi_yaml_made(a, at, YAML_MAP, STR_LIT(""));
    struct yaml_node *inputs = mgi_yaml_made(a, at, YAML_MAP, STR_LIT(""));
    if (!list || !step || !inputs || !aid.ptr)
        return NULL;
    for (size_t i = 0; i < properties->count; i++) {
        struct str name = properties->entries[i].key;
        const char *where = mgi_arena_printf(a, "args.%.*s", STR_ARG(name));
        struct yaml_node *from = from_node(a, at, where, true);
        if (!from || !mgi_yaml_put(a, inputs, name, from))
            return NULL;
    }
    list->entries = mgi_arena_calloc(a, 1, sizeof *list->entries);
    if (!list->entries ||
        !mgi_yaml_set(a, step, "id", mgi_yaml_made(a, at, YAML_SCALAR, STR_LIT("run"))) ||
        !mgi_yaml_set(a, step, "action", mgi_yaml_made(a, at, YAML_SCALAR, aid)) ||
        !mgi_yaml_set(a, step, "inputs", inputs))
        return NULL;
    list->entries[0] = (struct yaml_entry){ { "", 0 }, at->line, at->column, step };
    list->count = list->cap = 1;
    return list;
}

/* Keys that say how the action is chained have nothing to say here. */
static void refuse_chain(const struct loading *l, const struct yaml_node *tool)
{
    static const char *const chained[] = { "steps", "input_schema", "result", "aid", "name" };
    for (size_t i = 0; i < sizeof chained / sizeof *chained; i++) {
        const struct yaml_node *n = mgi_yaml_get(tool, chained[i]);
        if (n)
            mgi_yaml_error(&l->yaml, n, "BAD_VALUE",
                           "Write the command into a file of its own (actions: {commands: …}), and "
                           "a tool with steps.",
                           "a tool with \"run\" has no \"%s\"", chained[i]);
    }
}

/* False: memory. */
static bool take_apart(struct loading *l, struct yaml_node *tool)
{
    struct arena *a = l->yaml.arena;
    struct command_uses uses;
    struct yaml_node *command = mgi_yaml_made(a, tool, YAML_MAP, STR_LIT(""));
    struct yaml_node *rest = mgi_yaml_made(a, tool, YAML_MAP, STR_LIT(""));
    struct yaml_node *name = mgi_yaml_get(tool, "tool"), *summary = mgi_yaml_get(tool, "summary");
    if (!command || !rest)
        return false;
    refuse_chain(l, tool);
    if (name && !mgi_yaml_set(a, command, "name", name))
        return false;
    if (summary && !mgi_yaml_set(a, command, "description", summary))
        return false;
    for (size_t i = 0; i < tool->count; i++) {
        const struct yaml_entry *e = &tool->entries[i];
        bool of_tool = str_is(e->key, "description") || str_is(e->key, "tags") ||
                       str_is(e->key, "output_schema");
        bool of_command = mgi_str_is_any(e->key, mgi_command_keys);
        if ((of_command && !mgi_yaml_put(a, command, e->key, e->value)) ||
            ((of_tool || !of_command) && !mgi_yaml_put(a, rest, e->key, e->value)))
            return false;
    }
    const struct yaml_node *run = mgi_yaml_get(tool, "run");
    if (!mgi_command_uses(&l->yaml, &l->s->settings, command, &uses))
        return false;
    struct yaml_node *schema = mgi_command_schema(&l->yaml, command, &uses);
    struct str aid = mgi_command_aid(a, l->s->settings.id, name ? name->text : STR_LIT("X"));
    if (!schema || (summary && !mgi_yaml_get(rest, "description") &&
                    !mgi_yaml_set(a, rest, "description", summary)))
        return false;
    struct yaml_node *steps = steps_node(a, run, aid, schema);
    if (!mgi_yaml_set(a, rest, "input_schema", schema) ||
        !mgi_yaml_set(a, command, "input_schema", schema) ||
        !mgi_yaml_set(a, rest, "steps", steps) ||
        !mgi_yaml_set(a, rest, "result", from_node(a, run, "steps.run.output", false)))
        return false;
    *tool = *rest;
    l->tool_commands[l->tool_command_count++] = command;
    return true;
}

static bool take_tool(struct loading *l, struct yaml_node *n, size_t *cap)
{
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(&l->yaml, n, "BAD_VALUE", NULL, "a tool must be a map, not %s",
                       mgi_yaml_kind_name(n));
        return true;
    }
    if (!mgi_arena_grow(l->yaml.arena, &l->written_tools, cap, l->written_tool_count + 1,
                        sizeof *l->written_tools))
        return false;
    l->written_tools[l->written_tool_count++] = n;
    return true;
}

bool mgi_read_templates(struct loading *l)
{
    static const char *const suffixes[] = { ".yaml", ".yml", NULL };
    const struct yaml_context *c = &l->yaml;
    size_t cap = 0;
    if (!mgi_files_read(c, l->folder, "tools", suffixes, &l->templates))
        return false;
    for (size_t i = 0; i < l->templates.count; i++) {
        struct yaml_node *root =
            mgi_yaml_parse(c, l->templates.items[i].path, l->templates.items[i].text, 0);
        if (!root && c->arena->oom)
            return false;
        size_t many = !root ? 0 : root->kind == YAML_LIST ? root->count : 1;
        for (size_t k = 0; k < many; k++)
            if (!take_tool(l, root->kind == YAML_LIST ? root->entries[k].value : root, &cap))
                return false;
    }
    l->tool_commands =
        mgi_arena_calloc(c->arena, l->written_tool_count + 1, sizeof *l->tool_commands);
    if (!l->tool_commands)
        return false;
    for (size_t i = 0; i < l->written_tool_count; i++)
        if (mgi_yaml_get(l->written_tools[i], "run") && !take_apart(l, l->written_tools[i]))
            return false;
    return true;
}
