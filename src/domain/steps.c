/* steps: of a tool's YAML -> struct step: what each one does, on what, and what it needs.
 *
 * The list is in an order in which the steps could run one after the other: a step needs, and
 * reads, earlier ones alone. So there is no circle, and the place in the list settles whatever
 * would else depend on what happened to end first. */
#include <inttypes.h>

#include "base/near.h"
#include "domain/domain_int.h"

#define RETRY_TIMES       5
#define RETRY_WAIT_MS     100
#define RETRY_MAX_WAIT_MS 2000

static const char *const step_keys[] = { "id",           "action",     "inputs",   "when",
                                         "needs",        "foreach",    "max",      "parallel",
                                         "retry",        "on_failure", "optional", "timeout",
                                         "failure_text", "compensate", "menu",     NULL };
static const char *const retry_keys[] = { "times", "wait", "max_wait", NULL };

/* A row is that of the steps it needs, put together: they stand earlier, so theirs are complete. */
void mgi_needs_close(const struct tool *t, uint64_t *rows)
{
    size_t words = mgi_needs_words(t);
    for (uint32_t i = 0; i < t->step_count; i++) {
        const struct step *step = &t->steps[i];
        uint32_t before = i - 1;
        const uint32_t *needs = step->has_needs ? step->needs : &before;
        size_t count = step->has_needs ? step->need_count : i > 0;
        for (size_t k = 0; k < count; k++) {
            rows[i * words + needs[k] / 64] |= UINT64_C(1) << (needs[k] % 64);
            for (size_t w = 0; w < words; w++)
                rows[i * words + w] |= rows[needs[k] * words + w];
        }
    }
}

static void read_failure_rule(const struct yaml_context *c, const struct yaml_node *n,
                              struct step *step)
{
    static const char *const words[] = { "stop", "skip", "continue", "compensate" };
    if (!n)
        return;
    for (int i = 0; i < 4; i++)
        if (n->kind == YAML_SCALAR && str_is(n->text, words[i])) {
            step->on_failure = (enum failure_rule)i;
            return;
        }
    mgi_yaml_error(c, n, "BAD_VALUE", NULL, "on_failure is stop, skip, continue or compensate");
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

/* A whole number from 1 to `most`, or 0 after an error or if there is none. */
static uint32_t read_count(const struct yaml_context *c, const struct yaml_node *n,
                           const char *what, uint32_t most)
{
    int64_t v;
    if (!n)
        return 0;
    if (mgi_yaml_int(n, &v) && v >= 1 && v <= most)
        return (uint32_t)v;
    mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s must be a whole number, 1 to %" PRIu32, what, most);
    return 0;
}

static void read_retry(const struct yaml_context *c, const struct yaml_node *n, struct step *step)
{
    const struct yaml_node *retry = mgi_yaml_get(n, "retry");
    if (!retry)
        return;
    if (retry->kind != YAML_MAP) {
        mgi_yaml_error(c, retry, "BAD_VALUE", "Write it as {times: 2, wait: 100ms}.",
                       "retry must be a map");
        return;
    }
    mgi_yaml_known_keys(c, retry, "retry", retry_keys);
    step->retry.wait_ms = RETRY_WAIT_MS;
    step->retry.max_wait_ms = RETRY_MAX_WAIT_MS;
    step->retry.times = 1;
    if (mgi_yaml_get(retry, "times"))
        step->retry.times = read_count(c, mgi_yaml_get(retry, "times"), "times", RETRY_TIMES);
    mgi_yaml_duration_ms(c, mgi_yaml_get(retry, "wait"), "wait", &step->retry.wait_ms);
    mgi_yaml_duration_ms(c, mgi_yaml_get(retry, "max_wait"), "max_wait", &step->retry.max_wait_ms);
    if (step->action && !step->action->idempotent)
        mgi_yaml_error(c, retry, "RETRY_UNSAFE",
                       "Drop retry; or declare the action idempotent, if it is.",
                       "%.*s may have had its effect when it fails, and is not idempotent: it "
                       "cannot be tried again",
                       STR_ARG(step->action->aid));
}

/* The step before `index` that `n` names. False: there is none, and the finding says so. */
static bool find_needed(const struct source_scope *scope, const struct yaml_node *n, uint32_t index,
                        uint32_t *at)
{
    const struct yaml_context *c = scope->yaml;
    const struct tool *tool = scope->tool;
    struct near near = mgi_near(n->text);
    if (n->kind != YAML_SCALAR) {
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "needs is a list of ids, not of %s",
                       mgi_yaml_kind_name(n));
        return false;
    }
    for (*at = 0; *at < tool->step_count && !str_eq(tool->steps[*at].id, n->text); ++*at)
        mgi_near_try(&near, tool->steps[*at].id);
    if (*at < index)
        return true;
    const char *hint = "Put each step behind those that it needs: so there is no circle.";
    if (*at == index)
        mgi_yaml_error(c, n, "BAD_REFERENCE", NULL, "a step cannot need itself");
    else if (*at < tool->step_count)
        mgi_yaml_error(c, n, "BAD_REFERENCE", hint, "\"%.*s\": that step stands later in the list",
                       STR_ARG(n->text));
    else
        mgi_yaml_error(c, n, "BAD_REFERENCE",
                       near.best.len
                           ? mgi_arena_printf(c->arena, "Did you mean %.*s?", STR_ARG(near.best))
                           : NULL,
                       "\"%.*s\": there is no such step", STR_ARG(n->text));
    return false;
}

/* `needs`: each names a step before this one. */
static bool read_needs(const struct source_scope *scope, const struct yaml_node *n, uint32_t index,
                       struct step *step)
{
    const struct yaml_context *c = scope->yaml;
    uint32_t *needs = NULL, at;
    step->has_needs = n != NULL;
    if (n && n->kind != YAML_LIST)
        mgi_yaml_error(c, n, "BAD_VALUE", "Write it as [a, b]; [] needs nothing.",
                       "needs must be a list of steps");
    if (!n || n->kind != YAML_LIST)
        return true;
    needs = mgi_arena_calloc(c->arena, n->count + 1, sizeof *needs);
    step->needs = needs;
    for (size_t i = 0; needs && i < n->count; i++) {
        bool known = find_needed(scope, n->entries[i].value, index, &at);
        for (size_t k = 0; known && k < step->need_count; k++)
            known = needs[k] != at; /* twice is once */
        if (known)
            needs[step->need_count++] = at;
    }
    return needs != NULL;
}

static bool read_foreach(struct source_scope *scope, const struct yaml_node *n, struct step *step)
{
    const struct yaml_context *c = scope->yaml;
    const struct yaml_node *items = mgi_yaml_get(n, "foreach");
    static const char *const only[] = { "max", "parallel" };
    step->has_foreach = items != NULL;
    for (size_t i = 0; i < 2 && !items; i++)
        if (mgi_yaml_get(n, only[i]))
            mgi_yaml_error(c, mgi_yaml_get(n, only[i]), "BAD_VALUE",
                           "Add foreach, or drop it. The tool as a whole has a parallel, too.",
                           "%s of a step says how its foreach goes, and it has none", only[i]);
    if (!items)
        return true;
    step->max_items = read_count(c, mgi_yaml_get(n, "max"), "max", FOREACH_MAX_ITEMS);
    step->parallel = read_count(c, mgi_yaml_get(n, "parallel"), "parallel", TOOL_MAX_PARALLEL);
    if (!mgi_source_read(scope, items, &step->items))
        return false;
    if (step->items.kind == SOURCE_OBJECT ||
        (step->items.kind == SOURCE_CONST && step->items.constant.type != JSON_ARRAY &&
         step->items.constant.type != JSON_NULL))
        mgi_yaml_error(c, items, "BAD_VALUE", "Write foreach: {from: steps.ID.output.list}.",
                       "foreach takes an array");
    return true;
}

/* A menu has calls, outputs and compensations of its own. */
static void check_menu_alone(const struct yaml_context *c, const struct yaml_node *n)
{
    static const struct {
        const char *key, *hint;
    } others[] = { { "action", "Put it into the menu's actions, or drop menu." },
                   { "foreach", "What goes over a list is a step of its own." },
                   { "retry", "A selector may pick the same action again." },
                   { "compensate", "Say it of the action: actions: [{action: AID, compensate: "
                                   "{...}}]." } };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (mgi_yaml_get(n, others[i].key))
            mgi_yaml_error(c, mgi_yaml_get(n, others[i].key), "BAD_VALUE", others[i].hint,
                           "a step that is a menu has no %s", others[i].key);
}

/* The chain tells selectors under that name how far it is. */
static void check_menu_inputs(const struct yaml_context *c, const struct yaml_node *n)
{
    const struct yaml_node *inputs = mgi_yaml_get(n, "inputs");
    const struct yaml_node *meta = inputs ? mgi_yaml_get(inputs, "_meta") : NULL;
    if (meta)
        mgi_yaml_error(c, meta, "RESERVED_NAME", "Give it another name.",
                       "\"_meta\" is reserved: it tells selectors what a menu has done so far");
}

static bool read_step(struct loading *l, struct source_scope *scope, const struct yaml_node *n,
                      uint32_t index, struct step *step)
{
    const struct yaml_context *c = &l->yaml;
    const struct yaml_node *menu = mgi_yaml_get(n, "menu");
    mgi_yaml_known_keys(c, n, "a step", step_keys);
    if (menu)
        check_menu_alone(c, n);
    else
        mgi_read_action(l, n, &step->action);
    read_failure_rule(c, mgi_yaml_get(n, "on_failure"), step);
    read_failure_text(c, mgi_yaml_get(n, "failure_text"), step);
    mgi_yaml_duration_ms(c, mgi_yaml_get(n, "timeout"), "timeout", &step->timeout_ms);
    read_retry(c, n, step);
    const struct yaml_node *optional = mgi_yaml_get(n, "optional");
    if (optional && !mgi_yaml_bool(optional, &step->optional))
        mgi_yaml_error(c, optional, "BAD_VALUE", NULL, "optional must be true or false");

    if (!read_foreach(scope, n, step))
        return false;
    scope->items = step->has_foreach;
    if (!mgi_read_inputs(scope, mgi_yaml_get(n, "inputs"), "inputs", &step->inputs))
        return false;
    uint64_t *needed = scope->rows + index * mgi_needs_words(scope->tool);
    needed[index / 64] |= UINT64_C(1) << (index % 64);
    scope->earlier = index + 1;
    if (menu) { /* to what undoes a pick, item is what it was given */
        check_menu_inputs(c, n);
        scope->items = true;
        if (!mgi_read_menu(l, scope, menu, step))
            return false;
    } else if (!mgi_read_undo(l, scope, n, &step->undo)) {
        return false;
    }
    needed[index / 64] &= ~(UINT64_C(1) << (index % 64));
    scope->earlier = index;
    scope->items = false;
    const struct yaml_node *when = mgi_yaml_get(n, "when");
    step->has_condition = when != NULL;
    return !when || mgi_source_read(scope, when, &step->condition);
}

/* Ids first, so that a reference to a later step is told from one to no step. */
static void read_ids(const struct yaml_context *c, const struct yaml_node *list, struct tool *tool)
{
    for (size_t i = 0; i < tool->step_count; i++) {
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
}

/* Of all steps, before any source is read: what is read has to be needed. */
static bool read_graph(struct source_scope *scope, const struct yaml_node *list, struct tool *tool)
{
    for (uint32_t i = 0; i < tool->step_count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind == YAML_MAP && !read_needs(scope, mgi_yaml_get(n, "needs"), i, &tool->steps[i]))
            return false;
    }
    mgi_needs_close(tool, scope->rows);
    return true;
}

static bool has_undo(const struct step *step)
{
    bool any = false;
    for (size_t i = 0; i < mgi_step_actions(step) && !any; i++)
        any = mgi_step_undo(step, i)->action != NULL;
    return any;
}

/* Undoing asks for something that can undo. Where actions are not known, what undoes is not either.
 */
static void check_undo(const struct loading *l, const struct yaml_node *list,
                       const struct tool *tool)
{
    const struct yaml_context *c = &l->yaml;
    bool any = l->actions_unknown;
    for (size_t i = 0; i < tool->step_count; i++)
        any |= has_undo(&tool->steps[i]) || mgi_yaml_get(list->entries[i].value, "compensate");
    for (size_t i = 0; i < tool->step_count && !any; i++)
        if (tool->steps[i].on_failure == ON_FAILURE_COMPENSATE)
            mgi_yaml_error(c, mgi_yaml_get(list->entries[i].value, "on_failure"), "UNDO_NOTHING",
                           "Add compensate: {action: AID, with: {...}} to the steps that change "
                           "something, or write stop.",
                           "no step of this tool says how it is undone");
}

bool mgi_load_steps(struct loading *l, struct source_scope *scope, const struct yaml_node *list,
                    struct tool *tool)
{
    const struct yaml_context *c = &l->yaml;
    if (!list)
        return true;
    if (list->kind != YAML_LIST) {
        mgi_yaml_error(c, list, "BAD_VALUE", NULL, "steps must be a list");
        return true;
    }
    if (list->count > TOOL_MAX_STEPS) {
        mgi_yaml_error(c, list, "BAD_VALUE", "Split the tool, or use foreach.",
                       "a tool has at most %d steps, and this one %zu", TOOL_MAX_STEPS,
                       list->count);
        return true;
    }
    tool->steps = mgi_arena_calloc(c->arena, list->count + 1, sizeof *tool->steps);
    tool->step_count = list->count;
    uint64_t *rows =
        mgi_arena_calloc(c->arena, list->count + 1, mgi_needs_words(tool) * sizeof *rows);
    if (!tool->steps || !rows) {
        tool->step_count = 0;
        return false;
    }
    scope->rows = rows;
    read_ids(c, list, tool);
    if (!read_graph(scope, list, tool))
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        scope->earlier = i;
        scope->needed = rows + i * mgi_needs_words(tool);
        if (list->entries[i].value->kind == YAML_MAP &&
            !read_step(l, scope, list->entries[i].value, i, &tool->steps[i]))
            return false;
    }
    scope->needed = NULL;
    check_undo(l, list, tool);
    return true;
}
