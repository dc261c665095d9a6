/* What policies say in a scenario: no program is started, `selections` says it, turn by turn, for
 * each step that is a menu with a policy. What is done with it is what a server does.
 *
 *     selections:
 *       next: [{pick: AID.FS.READ.v1, with: {path: a}}, ask_sup, {said: "<PICK><SID1>"}, noop]
 *       then: {fails: No such file}              # no list: in every turn
 */
#include "scenario/scenario_int.h"
#include "select/policy_answer.h"

#define HOW "Write {pick: AID, with: {...}}, noop, ask_sup, {said: TEXT} or {fails: TEXT}."

static const char *const turn_keys[] = { "pick", "with", "said", "fails", NULL };

/* ---- what is said -------------------------------------------------------------------------- */

static const struct step_menu *menu_of(const struct tool *tool, struct str step)
{
    for (size_t i = 0; i < tool->step_count; i++)
        if (str_eq(tool->steps[i].id, step))
            return tool->steps[i].menu;
    return NULL;
}

static void check_pick(struct run *r, const struct step_menu *menu, const struct yaml_node *pick)
{
    struct near near = mgi_near(pick->text);
    if (pick->kind == YAML_SCALAR && mgi_menu_find_aid(&menu->menu, pick->text))
        return;
    for (size_t i = 0; i < menu->menu.count; i++)
        mgi_near_try(&near, menu->menu.entries[i].aid);
    mgi_yaml_error(&r->yaml, pick, "UNKNOWN_ACTION", mgi_scenario_hint(r, &near),
                   "the menu has no action \"%.*s\"", STR_ARG(pick->text));
}

static void check_turn(struct run *r, const struct step_menu *menu, const struct yaml_node *n)
{
    static const char *const ways[] = { "pick", "said", "fails" };
    const struct yaml_node *with = mgi_yaml_get(n, "with");
    size_t count = 0;
    if (n->kind == YAML_SCALAR && (str_is(n->text, "noop") || str_is(n->text, "ask_sup")))
        return;
    if (n->kind == YAML_MAP)
        mgi_yaml_known_keys(&r->yaml, n, "a selection", turn_keys);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct yaml_node *way = mgi_yaml_get(n, ways[i]);
        count += way && way->kind == YAML_SCALAR;
    }
    if (count != 1 || (with && (with->kind != YAML_MAP || !mgi_yaml_get(n, "pick"))))
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", HOW, "this is not what a policy can say");
    else if (mgi_yaml_get(n, "pick"))
        check_pick(r, menu, mgi_yaml_get(n, "pick"));
}

static void check_selections(struct run *r, const struct tool *tool, const struct yaml_entry *e)
{
    const struct step_menu *menu = menu_of(tool, e->key);
    struct near near = mgi_near(e->key);
    for (size_t i = 0; i < tool->step_count; i++)
        if (tool->steps[i].menu && tool->steps[i].menu->policy)
            mgi_near_try(&near, tool->steps[i].id);
    if (!menu || !menu->policy) {
        mgi_findings_add(r->yaml.findings, MANGLE_ERROR, "UNKNOWN_STEP", e->value->origin, e->line,
                         e->column, mgi_scenario_hint(r, &near),
                         "%.*s has no menu \"%.*s\" that a policy picks from", STR_ARG(tool->name),
                         STR_ARG(e->key));
        return;
    }
    for (size_t k = 0; e->value->kind == YAML_LIST && k < e->value->count; k++)
        check_turn(r, menu, e->value->entries[k].value);
    if (e->value->kind != YAML_LIST)
        check_turn(r, menu, e->value);
}

void mgi_selected_begin(struct run *r, const struct yaml_node *selections, const struct tool *tool)
{
    r->selections = NULL;
    r->selecting = tool;
    if (selections && selections->kind != YAML_MAP)
        mgi_yaml_error(&r->yaml, selections, "BAD_VALUE", NULL,
                       "selections is a map from step to what its policy says");
    else
        r->selections = selections;
    for (size_t i = 0; tool && r->selections && i < selections->count; i++)
        check_selections(r, tool, &selections->entries[i]);
}

/* ---- saying it ----------------------------------------------------------------------------- */

/* What is said in this turn; NULL: the scenario does not tell, and does not hold. */
static const struct yaml_node *turn_of(struct run *r, struct str step, uint32_t turn)
{
    const struct yaml_node *n = NULL;
    for (size_t i = 0; r->selections && i < r->selections->count; i++)
        if (str_eq(r->selections->entries[i].key, step))
            n = r->selections->entries[i].value;
    if (n && n->kind == YAML_LIST)
        n = turn <= n->count ? n->entries[turn - 1].value : NULL;
    if (!n)
        mgi_scenario_fail(r,
                          "the policy of %.*s was asked in turn %u, and selections do not say what "
                          "it answers",
                          STR_ARG(step), turn);
    return n;
}

static bool write_pick(struct run *r, const struct menu *menu, const struct yaml_node *n,
                       struct buf *out)
{
    const struct yaml_node *with = mgi_yaml_get(n, "with");
    struct json patch = { .text = { NULL, 0 } };
    if (with && !mgi_yaml_to_json(r->yaml.arena, with, &patch))
        return false;
    mgi_selection_write_pick(out, mgi_menu_find_aid(menu, mgi_yaml_get(n, "pick")->text)->sid,
                             patch.text);
    return true;
}

/* The pickers' `say`. */
static bool say(void *context, struct str step, uint32_t turn, struct arena *arena,
                struct policy_answer *out)
{
    struct run *r = context;
    const struct yaml_node *n = turn_of(r, step, turn);
    const struct yaml_node *said = n ? mgi_yaml_get(n, "said") : NULL;
    const struct yaml_node *fails = n ? mgi_yaml_get(n, "fails") : NULL;
    struct buf text = { 0 };
    bool good = true;
    *out = (struct policy_answer){ .exit = POLICY_EXITED, .status = fails ? 1 : 0 };
    if (fails)
        out->err = fails->text;
    else if (said)
        mgi_buf_str(&text, said->text);
    else if (n && mgi_yaml_get(n, "pick"))
        good = write_pick(r, &menu_of(r->selecting, step)->menu, n, &text);
    else
        mgi_buf_puts(&text, n && str_is(n->text, "ask_sup") ? "<ASK_SUP><END>" : "<NOOP><END>");
    out->out = mgi_arena_str(arena, mgi_buf_view(&text));
    good = good && !text.oom && out->out.ptr;
    mgi_buf_fini(&text);
    return good;
}

struct menu_pickers mgi_selected_pickers(struct run *r)
{
    return (struct menu_pickers){ .say = say, .context = r, .external = &r->external };
}
