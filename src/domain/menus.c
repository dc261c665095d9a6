/* `menu:` of a step: which actions there are to pick from, who picks, and how long.
 *
 *     menu:
 *       actions: [AID.FS.READ.v1, "AID.GIT.*", {action: AID.FS.WRITE.v1, compensate: {...}}]
 *       tags: [tag.fs]
 *       select: policy
 *       policy: pick
 */
#include "base/near.h"
#include "domain/domain_int.h"

#define MOST_LISTED 1000 /* of one list */

static const char *const menu_keys[] = { "actions",  "tags",        "except",   "select", "policy",
                                         "fallback", "mode",        "goal",     "steps",  "invalid",
                                         "patch",    "go_on_after", "question", NULL };
static const char *const goal_keys[] = { "id", "calls", "slots", "any", NULL };
static const char *const entry_keys[] = { "action", "compensate", NULL };

struct reading {
    struct loading *l;
    const struct source_scope *scope;
    const struct yaml_node *n;
    const struct step *step;
    struct step_menu *menu;
};

static const struct yaml_context *context_of(const struct reading *r)
{
    return &r->l->yaml;
}

/* ---- lists --------------------------------------------------------------------------------- */

/* The list of `key`; NULL: it is not there, or no list (told). */
static const struct yaml_node *menu_list_of(const struct reading *r, const struct yaml_node *n,
                                            const char *key)
{
    const struct yaml_node *list = mgi_yaml_get(n, key);
    if (!list || (list->kind == YAML_LIST && list->count <= MOST_LISTED))
        return list;
    mgi_yaml_error(context_of(r), list, "BAD_VALUE", "Write it as [a, b].",
                   "%s must be a list of at most %d", key, MOST_LISTED);
    return NULL;
}

/* Its texts; others are told. False: memory. */
static bool read_menu_texts(const struct reading *r, const char *key, const struct str **out,
                            size_t *count)
{
    const struct yaml_node *list = menu_list_of(r, r->n, key);
    *count = 0;
    if (!list)
        return true;
    struct str *texts = mgi_arena_calloc(context_of(r)->arena, list->count + 1, sizeof *texts);
    for (size_t i = 0; texts && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind == YAML_SCALAR && n->text.len > 0)
            texts[(*count)++] = n->text;
        else
            mgi_yaml_error(context_of(r), n, "BAD_VALUE", NULL, "%s is a list of texts, not of %s",
                           key, mgi_yaml_kind_name(n));
    }
    *out = texts;
    return texts != NULL;
}

/* ---- which actions -------------------------------------------------------------------------- */

static bool matches(struct str aid, struct str pattern)
{
    bool prefix = pattern.len > 0 && pattern.ptr[pattern.len - 1] == '*';
    return prefix ? mgi_str_starts(aid, (struct str){ pattern.ptr, pattern.len - 1 })
                  : str_eq(aid, pattern);
}

/* Nothing of the domain is called so. */
static void tell_unknown(const struct reading *r, const struct yaml_node *n, struct str pattern)
{
    struct near near = mgi_near(pattern);
    for (size_t i = 0; i < r->l->s->action_count; i++)
        mgi_near_try(&near, r->l->s->actions[i].aid);
    mgi_yaml_error(context_of(r), n, "UNKNOWN_ACTION",
                   near.best.len ? mgi_arena_printf(context_of(r)->arena, "Did you mean %.*s?",
                                                    STR_ARG(near.best))
                                 : "Name the plugin that has it in actions.plugins of domain.yaml.",
                   "no plugin has the action \"%.*s\"", STR_ARG(pattern));
}

static struct str pattern_of(const struct reading *r, const struct yaml_node *n)
{
    if (n->kind == YAML_SCALAR && n->text.len > 0)
        return n->text;
    if (n->kind == YAML_MAP) {
        mgi_yaml_known_keys(context_of(r), n, "an action of a menu", entry_keys);
        return mgi_yaml_text(context_of(r), n, "action", true);
    }
    mgi_yaml_error(context_of(r), n, "BAD_VALUE",
                   "Write AID.NAME.v1, a beginning such as \"AID.FS.*\", or {action: AID, "
                   "compensate: {...}}.",
                   "an action of a menu is a text or a map, not %s", mgi_yaml_kind_name(n));
    return (struct str){ "", 0 };
}

/* Those that `actions` names, each once, as entries could be; all, if there is no such list. */
static bool list_actions(const struct reading *r, struct menu_action **out, size_t *count)
{
    const struct snapshot *s = r->l->s;
    const struct yaml_node *list = menu_list_of(r, r->n, "actions");
    *out = mgi_arena_calloc(context_of(r)->arena, s->action_count + 1, sizeof **out);
    bool *listed = mgi_arena_calloc(context_of(r)->arena, s->action_count + 1, sizeof *listed);
    if (!*out || !listed)
        return false;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        struct str pattern = pattern_of(r, n);
        bool any = pattern.len == 0;
        for (size_t k = 0; k < s->action_count; k++) {
            bool fits = pattern.len > 0 && matches(s->actions[k].aid, pattern);
            listed[k] |= fits;
            any |= fits;
        }
        if (!any && !r->l->actions_unknown)
            tell_unknown(r, n->kind == YAML_MAP ? mgi_yaml_get(n, "action") : n, pattern);
    }
    for (size_t k = 0; k < s->action_count; k++)
        if (!list || listed[k])
            (*out)[(*count)++] =
                (struct menu_action){ s->actions[k].aid, s->actions[k].name, s->actions[k].tags,
                                      s->actions[k].tag_count };
    return true;
}

/* The last entry of `actions` that names it and says how it is undone. NULL: none. */
static const struct yaml_node *undo_of(const struct reading *r, struct str aid)
{
    const struct yaml_node *list = mgi_yaml_get(r->n, "actions"), *found = NULL;
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        const struct yaml_node *action = n->kind == YAML_MAP ? mgi_yaml_get(n, "action") : NULL;
        if (action && mgi_yaml_get(n, "compensate") && matches(aid, action->text))
            found = n;
    }
    return found;
}

static bool fill_options(const struct reading *r)
{
    struct step_menu *m = r->menu;
    struct menu_option *options =
        mgi_arena_calloc(context_of(r)->arena, m->menu.count + 1, sizeof *options);
    if (!options)
        return false;
    m->options = options;
    for (size_t i = 0; i < m->menu.count; i++) {
        const struct yaml_node *undo = undo_of(r, m->menu.entries[i].aid);
        options[i].action = mgi_snapshot_action(r->l->s, m->menu.entries[i].aid);
        if (undo && !mgi_read_undo(r->l, r->scope, undo, &options[i].undo))
            return false;
    }
    return true;
}

static void check_menu(const struct reading *r)
{
    const struct menu *m = &r->menu->menu;
    bool noop_alone = m->count == 1 && str_is(m->entries[0].aid, AID_NOOP);
    if ((m->count == 0 || noop_alone) && !r->l->actions_unknown)
        mgi_yaml_error(context_of(r), r->n, "MENU_EMPTY",
                       "`manglecp actions` lists the actions with their tags.",
                       "nothing of what the plugins have fits this menu");
}

static bool build_menu(const struct reading *r, const struct menu_wish *wish)
{
    struct menu_action *actions;
    size_t count = 0;
    if (!list_actions(r, &actions, &count))
        return false;
    switch (mgi_menu_build(context_of(r)->arena, actions, count, wish, &r->menu->menu)) {
    case MENU_OK:
        check_menu(r);
        return fill_options(r);
    case MENU_TOO_LONG:
        mgi_yaml_error(context_of(r), r->n, "BAD_VALUE", "Say which: actions, tags, except.",
                       "a menu has at most %d entries", MENU_MAX_ENTRIES);
        return true;
    case MENU_NOMEM:
        break;
    }
    return false;
}

/* `except` may name what is not there for other reasons, but not what nobody has. */
static void check_except(const struct reading *r, const struct menu_wish *wish)
{
    const struct yaml_node *list = mgi_yaml_get(r->n, "except");
    for (size_t i = 0; i < wish->blocked_count && !r->l->actions_unknown; i++) {
        bool any = false;
        for (size_t k = 0; k < r->l->s->action_count && !any; k++)
            any = matches(r->l->s->actions[k].aid, wish->blocked[i]);
        if (!any)
            tell_unknown(r, list, wish->blocked[i]);
    }
}

/* ---- who picks ------------------------------------------------------------------------------ */

/* The place of what stands under `key` in `words`; `otherwise` if it is not there, or told. */
static int read_word(const struct reading *r, const char *key, const char *const *words,
                     int otherwise)
{
    const struct yaml_node *n = mgi_yaml_get(r->n, key);
    struct buf all = { 0 };
    for (int i = 0; n && words[i]; i++)
        if (n->kind == YAML_SCALAR && str_is(n->text, words[i]))
            return i;
    for (int i = 0; n && words[i]; i++)
        mgi_buf_printf(&all, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    if (n)
        mgi_yaml_error(context_of(r), n, "BAD_VALUE", NULL, "%s is %s", key,
                       all.ptr ? all.ptr : "another word");
    mgi_buf_fini(&all);
    return otherwise;
}

static void find_policy(const struct reading *r)
{
    const struct snapshot *s = r->l->s;
    struct str name = mgi_yaml_text(context_of(r), r->n, "policy", true);
    struct near near = mgi_near(name);
    if (name.len == 0)
        return;
    r->menu->policy = mgi_snapshot_policy(s, name);
    for (size_t i = 0; i < s->policy_count; i++)
        mgi_near_try(&near, s->policies[i].name);
    if (!r->menu->policy)
        mgi_yaml_error(context_of(r), mgi_yaml_get(r->n, "policy"), "UNKNOWN_POLICY",
                       near.best.len ? mgi_arena_printf(context_of(r)->arena, "Did you mean %.*s?",
                                                        STR_ARG(near.best))
                                     : "Add it to policies in domain.yaml.",
                       "there is no policy \"%.*s\"", STR_ARG(name));
}

static void read_selector(const struct reading *r)
{
    static const char *const selectors[] = { "rules", "heuristic", "policy", NULL };
    static const char *const fallbacks[] = { "rules", "heuristic", NULL };
    static const char *const modes[] = { "FALLBACK_ONLY", "SHADOW_POLICY", "BLENDED", "POLICY_ONLY",
                                         NULL };
    static const char *const of_policies[] = { "policy", "fallback", "mode" };
    int selector = read_word(r, "select", selectors, 0);
    r->menu->by_rules = selector == 0;
    r->menu->mode = CONTROL_FALLBACK_ONLY;
    if (selector == 2) {
        find_policy(r);
        r->menu->by_rules = read_word(r, "fallback", fallbacks, 1) == 0;
        r->menu->mode = (enum control_mode)read_word(r, "mode", modes, (int)CONTROL_POLICY_ONLY);
        return;
    }
    for (size_t i = 0; i < sizeof of_policies / sizeof *of_policies; i++)
        if (mgi_yaml_get(r->n, of_policies[i]))
            mgi_yaml_error(context_of(r), mgi_yaml_get(r->n, of_policies[i]), "BAD_VALUE",
                           "Write select: policy, or drop it.",
                           "%s is for a menu that a policy picks from", of_policies[i]);
}

/* ---- how long ------------------------------------------------------------------------------- */

static int64_t read_number(const struct reading *r, const struct yaml_node *n, const char *key,
                           int64_t least, int64_t most, int64_t otherwise)
{
    const struct yaml_node *v = mgi_yaml_get(n, key);
    int64_t number;
    if (!v)
        return otherwise;
    if (mgi_yaml_int(v, &number) && number >= least && number <= most)
        return number;
    mgi_yaml_error(context_of(r), v, "BAD_VALUE", NULL, "%s must be a whole number, %d to %d", key,
                   (int)least, (int)most);
    return otherwise;
}

static void read_slots(const struct reading *r, const struct yaml_node *goal)
{
    const struct yaml_node *list = menu_list_of(r, goal, "slots");
    int64_t slot;
    for (size_t i = 0; list && i < list->count; i++)
        if (mgi_yaml_int(list->entries[i].value, &slot) && slot >= 0 && slot <= 7)
            r->menu->run.goal.slots |= (uint8_t)(1u << slot);
        else
            mgi_yaml_error(context_of(r), list->entries[i].value, "BAD_VALUE", NULL,
                           "a slot of the working state is a number, 0 to 7");
}

static bool read_goal(const struct reading *r, const struct menu_wish *wish)
{
    const struct yaml_context *c = context_of(r);
    const struct yaml_node *n = mgi_yaml_get(r->n, "goal");
    struct select_goal *goal = &r->menu->run.goal;
    if (n && n->kind != YAML_MAP) {
        mgi_yaml_error(c, n, "BAD_VALUE", "Write it as {calls: 1} or {slots: [0]}.",
                       "goal must be a map, not %s", mgi_yaml_kind_name(n));
        n = NULL;
    }
    if (n)
        mgi_yaml_known_keys(c, n, "a goal", goal_keys);
    goal->id = mgi_yaml_text(c, n, "id", false);
    goal->tags = wish->tags;
    goal->tag_count = wish->tag_count;
    goal->calls = (uint32_t)read_number(r, n, "calls", 1, MENU_MOST_STEPS, 0);
    read_slots(r, n);
    const struct yaml_node *any = mgi_yaml_get(n, "any");
    if (any && !mgi_yaml_bool(any, &goal->any))
        mgi_yaml_error(c, any, "BAD_VALUE", NULL, "any must be true or false");
    if (goal->id.len == 0) {
        const char *id = mgi_arena_printf(c->arena, "goal.%.*s.%.*s", STR_ARG(r->scope->tool->name),
                                          STR_ARG(r->step->id));
        goal->id = id ? str_of(id) : (struct str){ NULL, 0 };
    }
    return goal->id.ptr != NULL;
}

static bool read_budgets(const struct reading *r, const struct menu_wish *wish)
{
    struct select_run_options *run = &r->menu->run;
    run->max_steps = (uint32_t)read_number(r, r->n, "steps", 1, MENU_MOST_STEPS, RUN_STEPS);
    int32_t invalid =
        (int32_t)read_number(r, r->n, "invalid", 0, MENU_MOST_STEPS, RUN_INVALID_PICKS);
    run->max_invalid = invalid == 0 ? -1 : invalid;
    run->question = mgi_yaml_text(context_of(r), r->n, "question", false);
    run->patch.restricted = mgi_yaml_get(r->n, "patch") != NULL;
    return read_goal(r, wish) &&
           read_menu_texts(r, "patch", &run->patch.allowed, &run->patch.allowed_count) &&
           read_menu_texts(r, "go_on_after", &run->go_on_after, &run->go_on_count);
}

/* What it goes on after has to be in the menu. */
static void check_go_on(const struct reading *r)
{
    const struct select_run_options *run = &r->menu->run;
    for (size_t i = 0; i < run->go_on_count && !r->l->actions_unknown; i++)
        if (!mgi_menu_find_aid(&r->menu->menu, run->go_on_after[i]))
            mgi_yaml_error(context_of(r), mgi_yaml_get(r->n, "go_on_after"), "UNKNOWN_ACTION", NULL,
                           "the menu has no action \"%.*s\"", STR_ARG(run->go_on_after[i]));
}

bool mgi_read_menu(struct loading *l, const struct source_scope *scope, const struct yaml_node *n,
                   struct step *step)
{
    struct step_menu *menu = mgi_arena_calloc(l->yaml.arena, 1, sizeof *menu);
    struct reading r = { l, scope, n, step, menu };
    struct menu_wish wish = { 0 };
    if (!menu)
        return false;
    step->menu = menu;
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(&l->yaml, n, "BAD_VALUE", "Write it as {actions: [AID.A.v1, AID.B.v1]}.",
                       "menu must be a map, not %s", mgi_yaml_kind_name(n));
        return true;
    }
    mgi_yaml_known_keys(&l->yaml, n, "a menu", menu_keys);
    read_selector(&r);
    if (!read_menu_texts(&r, "tags", &wish.tags, &wish.tag_count) ||
        !read_menu_texts(&r, "except", &wish.blocked, &wish.blocked_count) ||
        !read_budgets(&r, &wish) || !build_menu(&r, &wish))
        return false;
    check_except(&r, &wish);
    check_go_on(&r);
    return true;
}
