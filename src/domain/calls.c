/* What is called, and with what: by a step, and to undo a step or what was picked from a menu.
 *
 * steps.c reads the steps of a tool, and for one that is a menu calls menus.c; both call this. */
#include "domain/domain_int.h"

static const char *const undo_keys[] = { "action", "with", NULL };

void mgi_read_action(struct loading *l, const struct yaml_node *n, const struct action **action)
{
    struct str aid = mgi_yaml_text(&l->yaml, n, "action", true);
    if (aid.len == 0)
        return;
    *action = mgi_snapshot_action(l->s, aid);
    if (*action || l->actions_unknown)
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

bool mgi_read_inputs(const struct source_scope *scope, const struct yaml_node *inputs,
                     const char *what, struct value_source *out)
{
    static const struct yaml_node nothing = { .kind = YAML_MAP, .origin = "" };
    const struct yaml_context *c = scope->yaml;
    const struct yaml_node *from = inputs ? mgi_yaml_get(inputs, "from") : NULL;
    if (from && from->kind == YAML_MAP) /* where the input of that name comes from */
        return mgi_source_members(scope, inputs, out);
    if (from) {
        mgi_source_reserved(c, inputs);
        inputs = NULL;
    } else if (inputs && inputs->kind != YAML_MAP) {
        const char *hint =
            mgi_arena_printf(c->arena, "Name each input: %s: {x: {from: args.x}}.", what);
        mgi_yaml_error(c, inputs, "BAD_VALUE", hint, "%s must be a map of names to sources", what);
        inputs = NULL;
    }
    return mgi_source_read(scope, inputs ? inputs : &nothing, out);
}

/* What undoes it sees what it saw, and its output. */
bool mgi_read_undo(struct loading *l, const struct source_scope *scope, const struct yaml_node *n,
                   struct compensation *into)
{
    const struct yaml_node *undo = mgi_yaml_get(n, "compensate");
    if (!undo)
        return true;
    if (undo->kind != YAML_MAP) {
        mgi_yaml_error(scope->yaml, undo, "BAD_VALUE",
                       "Write it as {action: AID, with: {id: {from: steps.ID.output.id}}}.",
                       "compensate must be a map");
        return true;
    }
    mgi_yaml_known_keys(scope->yaml, undo, "compensate", undo_keys);
    mgi_read_action(l, undo, &into->action);
    return mgi_read_inputs(scope, mgi_yaml_get(undo, "with"), "with", &into->inputs);
}
