/* Names in the bodies of rules: a premise that names a tool, a step or a setting that nobody has
 * never holds. */
#include "domain/lint_int.h"

static const struct read_reference {
    const char *name;
    uint32_t arity;
    enum refers to[3];
} reads[] = {
    { "intent_type", 2, { TO_NOTHING, TO_INTENT } },
    { "permission_for", 1, { TO_INTENT } },
    { "listed_intent", 1, { TO_INTENT } },
    { "open_intent", 1, { TO_INTENT } },
    { "tool", 1, { TO_TOOL } },
    { "tool_rank", 2, { TO_TOOL } },
    { "line_tokens", 2, { TO_TOOL } },
    { "tool_tag", 2, { TO_TOOL } },
    { "tool_step", 3, { TO_TOOL, TO_STEP, TO_ACTION } },
    { "menu_step", 2, { TO_TOOL, TO_STEP } },
    { "optional_step", 2, { TO_TOOL, TO_STEP } },
    { "chain_step", 2, { TO_TOOL, TO_STEP } },
    { "selected_tool", 2, { TO_NOTHING, TO_TOOL } },
    { "action_side_effect", 2, { TO_ACTION } },
    { "action_tier", 2, { TO_ACTION } },
    { "action_tag", 2, { TO_ACTION } },
    { "action_reversible", 1, { TO_ACTION } },
    { "action_idempotent", 1, { TO_ACTION } },
    { "skill", 1, { TO_SKILL } },
    { "setting", 2, { TO_SETTING } },
    { "invoked", 1, { TO_TOOL } },
    { "step_status", 2, { TO_STEP } },
    { "step_output", 2, { TO_STEP } },
    { "choosing", 2, { TO_TOOL, TO_STEP } },
    { "menu_called", 3, { TO_NOTHING, TO_ACTION } },
};
#define READ_COUNT (sizeof reads / sizeof *reads)

static const struct read_reference *reference_to(const struct lint *l, mangle_pred pred)
{
    struct mangle_pred_view v = mangle_program_pred(l->p, pred);
    for (size_t i = 0; i < READ_COUNT; i++)
        if (reads[i].arity == v.arity && strcmp(reads[i].name, v.name) == 0)
            return &reads[i];
    return NULL;
}

static void check_premise(struct lint *l, const struct head *head, size_t premise,
                          const struct read_reference *r)
{
    const struct tool *tool = NULL;
    for (uint32_t i = 0; i < r->arity; i++) {
        struct mangle_argument_view a =
            mangle_program_premise_argument(l->p, head->rule, premise, i);
        struct str name = mgi_lint_text(l, a);
        if (!name.ptr || r->to[i] == TO_NOTHING)
            continue;
        if (r->to[i] == TO_TOOL)
            tool = mgi_snapshot_tool(l->s, name);
        mgi_lint_name(l, r->to[i], name, tool, true, mgi_lint_place(head, a));
    }
}

void mgi_lint_reads(struct lint *l)
{
    for (size_t i = 0; i < l->head_count; i++) {
        if (l->heads[i].rule == SIZE_MAX)
            continue;
        struct mangle_rule_view rule = mangle_program_rule(l->p, l->heads[i].rule);
        for (size_t k = 0; k < rule.body_count; k++) {
            const struct read_reference *r = reference_to(l, rule.body[k]);
            if (r)
                check_premise(l, &l->heads[i], k, r);
        }
    }
}
