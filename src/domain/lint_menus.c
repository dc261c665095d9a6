/* Menus and the rules that pick from them: what rules say of a step that is no menu, or of an
 * action that is not in it, nobody asks for; and a menu whose rules are asked and never answer does
 * nothing. */
#include "domain/lint_int.h"

static bool is_about_menus(const struct lint *l, const struct head *head)
{
    const struct interface *p = &l->s->pred;
    return head->pred == p->menu_pick || head->pred == p->menu_set || head->pred == p->menu_ask;
}

static struct place column_of(const struct lint *l, const struct head *head, uint32_t column)
{
    return mgi_lint_place(head, mangle_program_argument(l->p, head->clause, column));
}

/* The step that the head names; NULL: it works it out, or there is none (told elsewhere). */
static const struct step *named_step(const struct lint *l, const struct head *head,
                                     const struct tool **tool)
{
    struct str name = mgi_lint_constant(l, head, 0), id = mgi_lint_constant(l, head, 1);
    *tool = name.ptr ? mgi_snapshot_tool(l->s, name) : NULL;
    return *tool && id.ptr ? mgi_lint_step(*tool, id) : NULL;
}

static void check_menu_head(struct lint *l, const struct head *head)
{
    const struct tool *tool;
    const struct step *step = named_step(l, head, &tool);
    struct str aid = mgi_lint_constant(l, head, 2);
    if (!step)
        return;
    if (!step->menu) {
        mgi_lint_at(l, MANGLE_ERROR, "MENU_RULES", column_of(l, head, 1),
                    "Say menu: in the template, or drop the rule.",
                    mgi_arena_printf(&l->arena, "step %.*s of %.*s is no menu", STR_ARG(step->id),
                                     STR_ARG(tool->name)));
        return;
    }
    if (aid.ptr && mgi_snapshot_action(l->s, aid) && !mgi_menu_find_aid(&step->menu->menu, aid))
        mgi_lint_at(l, MANGLE_ERROR, "MENU_RULES", column_of(l, head, 2),
                    "Add it to the menu, or drop the rule.",
                    mgi_arena_printf(&l->arena, "%.*s is not in the menu of step %.*s of %.*s",
                                     STR_ARG(aid), STR_ARG(step->id), STR_ARG(tool->name)));
    if (!step->menu->by_rules)
        mgi_lint_at(l, MANGLE_WARNING, "MENU_RULES", head->place,
                    "Write select: rules, or fallback: rules beside the policy.",
                    mgi_arena_printf(&l->arena, "the menu of step %.*s of %.*s does not ask rules",
                                     STR_ARG(step->id), STR_ARG(tool->name)));
}

/* Could a rule or a fact be about this menu? */
static bool is_picked_from(const struct lint *l, const struct tool *tool, const struct step *step)
{
    const struct mangle_fact *facts;
    size_t count = 0;
    for (size_t i = 0; i < l->head_count; i++) {
        const struct head *head = &l->heads[i];
        if (head->pred != l->s->pred.menu_pick) /* it may have no arguments to look at */
            continue;
        struct str name = mgi_lint_constant(l, head, 0), id = mgi_lint_constant(l, head, 1);
        if ((!name.ptr || str_eq(name, tool->name)) && (!id.ptr || str_eq(id, step->id)))
            return true;
    }
    return l->s->pred.menu_pick != MANGLE_NO_PRED && /* a table in facts/ */
           mangle_overlay_facts(l->overlay, l->s->pred.menu_pick, &facts, &count) == MANGLE_OK &&
           count > 0;
}

void mgi_lint_menus(struct lint *l)
{
    for (size_t i = 0; i < l->head_count; i++)
        if (is_about_menus(l, &l->heads[i]))
            check_menu_head(l, &l->heads[i]);
    for (size_t i = 0; i < l->s->tool_count; i++) {
        const struct tool *tool = &l->s->tools[i];
        for (size_t k = 0; k < tool->step_count; k++)
            if (tool->steps[k].menu && tool->steps[k].menu->by_rules &&
                tool->steps[k].menu->mode != CONTROL_POLICY_ONLY &&
                !is_picked_from(l, tool, &tool->steps[k]))
                mgi_findings_add(l->findings, MANGLE_WARNING, "MENU_RULES", tool->file, tool->line,
                                 1, "Derive menu_pick for it (rules/README.md).",
                                 "no rule picks from the menu of step %.*s of %.*s",
                                 STR_ARG(tool->steps[k].id), STR_ARG(tool->name));
    }
}
