/* One name that a rule or a fact gives: does it lead somewhere? And what may be meant, if it does
 * not. */
#include "domain/lint_int.h"

const struct step *mgi_lint_step(const struct tool *tool, struct str id)
{
    for (size_t i = 0; i < tool->step_count; i++)
        if (str_eq(tool->steps[i].id, id))
            return &tool->steps[i];
    return NULL;
}

static bool has_param(const struct tool *tool, struct str name)
{
    const struct json *properties = mgi_json_get(&tool->input_schema, "properties");
    return properties && mgi_json_get_str(properties, name);
}

struct named { /* a name that is looked at */
    struct str name;
    const struct tool *tool; /* beside it, or NULL */
    bool read;
    struct place at;
};

static void unknown(struct lint *l, const struct named *n, const char *code,
                    const struct near *near, const char *hint, const char *message)
{
    mgi_lint_at(l, n->read ? MANGLE_WARNING : MANGLE_ERROR, code, n->at,
                mgi_lint_near(l, near, hint), message);
}

static void check_tool(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    if (mgi_snapshot_tool(l->s, n->name))
        return;
    for (size_t i = 0; i < l->s->tool_count; i++)
        mgi_near_try(&near, l->s->tools[i].name);
    unknown(l, n, "UNKNOWN_TOOL", &near, "Add a template in tools/, or correct the name.",
            mgi_arena_printf(&l->arena, "there is no tool \"%.*s\"", STR_ARG(n->name)));
}

/* Of the tool beside it; of any tool, where none is. */
static void check_step(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    for (size_t i = 0; i < l->s->tool_count; i++) {
        const struct tool *tool = &l->s->tools[i];
        if (n->tool && n->tool != tool)
            continue;
        if (mgi_lint_step(tool, n->name))
            return;
        for (size_t k = 0; k < tool->step_count; k++)
            mgi_near_try(&near, tool->steps[k].id);
    }
    unknown(l, n, "UNKNOWN_STEP", &near, NULL,
            n->tool ? mgi_arena_printf(&l->arena, "tool %.*s has no step \"%.*s\"",
                                       STR_ARG(n->tool->name), STR_ARG(n->name))
                    : mgi_arena_printf(&l->arena, "no tool has a step \"%.*s\"", STR_ARG(n->name)));
}

static void check_skill(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    if (mgi_snapshot_skill(l->s, n->name))
        return;
    for (size_t i = 0; i < l->s->skill_count; i++)
        mgi_near_try(&near, l->s->skills[i].id);
    unknown(l, n, "UNKNOWN_SKILL", &near, "Add skills/<id>/SKILL.md, or correct the name.",
            mgi_arena_printf(&l->arena, "there is no skill \"%.*s\"", STR_ARG(n->name)));
}

static void check_action(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    if (mgi_snapshot_action(l->s, n->name))
        return;
    for (size_t i = 0; i < l->s->action_count; i++)
        mgi_near_try(&near, l->s->actions[i].aid);
    unknown(l, n, "UNKNOWN_ACTION", &near, NULL,
            mgi_arena_printf(&l->arena, "there is no action \"%.*s\"", STR_ARG(n->name)));
}

static void check_param(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    if (!n->tool || has_param(n->tool, n->name))
        return;
    const struct json *properties = mgi_json_get(&n->tool->input_schema, "properties");
    for (uint32_t i = 0; properties && i < properties->count; i++)
        mgi_near_try(&near, properties->members[i].name);
    unknown(l, n, "UNKNOWN_PARAM", &near, NULL,
            mgi_arena_printf(&l->arena, "the input schema of %.*s has no \"%.*s\"",
                             STR_ARG(n->tool->name), STR_ARG(n->name)));
}

/* A value for the client's parameter, or for steps alone. */
static void check_bound_name(struct lint *l, const struct named *n)
{
    if (n->tool && !mgi_lint_reads_bound(n->tool, n->name))
        check_param(l, n);
}

static void check_setting(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    for (size_t i = 0; i < l->s->settings.setting_count; i++) {
        if (str_eq(l->s->settings.settings[i].key, n->name))
            return;
        mgi_near_try(&near, l->s->settings.settings[i].key);
    }
    unknown(l, n, "UNKNOWN_SETTING", &near, "Add it to settings in domain.yaml.",
            mgi_arena_printf(&l->arena, "there is no setting \"%.*s\"", STR_ARG(n->name)));
}

static bool is_listed(const struct lint *l, struct str name, struct near *near)
{
    for (size_t i = 0; i < l->s->settings.intent_count; i++) {
        if (str_eq(l->s->settings.intents[i].name, name))
            return true;
        mgi_near_try(near, l->s->settings.intents[i].name);
    }
    return false;
}

/* An intent need not be listed (P-MAN-18); one that is nearly one of those that are is a slip. */
static void check_intent(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    if (!is_listed(l, n->name, &near) && near.best.len)
        mgi_lint_at(
            l, MANGLE_WARNING, "UNLISTED_INTENT", n->at, mgi_lint_near(l, &near, NULL),
            mgi_arena_printf(&l->arena, "domain.yaml lists no intent \"%.*s\"", STR_ARG(n->name)));
}

/* A suggestion leads somewhere only if somebody serves it. */
static void check_suggested(struct lint *l, const struct named *n)
{
    struct near near = mgi_near(n->name);
    bool computed = false;
    if (is_listed(l, n->name, &near) || mgi_lint_asks_for(l, n->name) ||
        mgi_lint_serves(l, n->name, &computed) || (computed && !near.best.len))
        return;
    unknown(
        l, n, "UNKNOWN_INTENT", &near, "List it in domain.yaml, and serve it by a rule.",
        mgi_arena_printf(&l->arena, "nobody lists or serves an intent \"%.*s\"", STR_ARG(n->name)));
}

void mgi_lint_name(struct lint *l, enum refers to, struct str name, const struct tool *tool,
                   bool read, struct place at)
{
    static void (*const checks[])(struct lint *, const struct named *) = {
        [TO_TOOL] = check_tool,     [TO_STEP] = check_step,       [TO_SKILL] = check_skill,
        [TO_PARAM] = check_param,   [TO_INTENT] = check_intent,   [TO_SUGGESTED] = check_suggested,
        [TO_ACTION] = check_action, [TO_SETTING] = check_setting, [TO_BOUND] = check_bound_name
    };
    const struct named named = { name, tool, read, at };
    if (to != TO_NOTHING)
        checks[to](l, &named);
}
