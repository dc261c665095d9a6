/* What steps read of what rules bind: `bound.NAME` needs a param_bound(Tool, NAME, Value). */
#include "domain/lint_int.h"

/* ---- the sources of a tool ------------------------------------------------------------------ */

typedef bool bound_visitor(void *context, const struct value_source *bound);

/* True: the visitor wants no more. Nesting is bounded by the YAML reader. */
static bool visit_source(const struct value_source *src, bound_visitor *visit, void *context)
{
    bool enough = src->kind == SOURCE_BOUND && visit(context, src);
    for (size_t i = 0; i < src->member_count && !enough; i++)
        enough = visit_source(&src->members[i].source, visit, context);
    return enough;
}

static bool visit_undo(const struct step *step, bound_visitor *visit, void *context)
{
    bool enough = false;
    for (size_t i = 0; i < mgi_step_actions(step) && !enough; i++) {
        const struct compensation *undo = mgi_step_undo(step, i);
        enough = undo->action && visit_source(&undo->inputs, visit, context);
    }
    return enough;
}

static bool visit_tool(const struct tool *tool, bound_visitor *visit, void *context)
{
    bool enough = visit_source(&tool->result, visit, context);
    for (size_t i = 0; i < tool->step_count && !enough; i++) {
        const struct step *step = &tool->steps[i];
        enough = visit_source(&step->inputs, visit, context) ||
                 (step->has_foreach && visit_source(&step->items, visit, context)) ||
                 visit_undo(step, visit, context) ||
                 (step->has_condition && visit_source(&step->condition, visit, context));
    }
    return enough;
}

static bool is_called(void *context, const struct value_source *bound)
{
    const struct str *name = context;
    return str_eq(bound->name, *name);
}

bool mgi_lint_reads_bound(const struct tool *tool, struct str name)
{
    return visit_tool(tool, is_called, &name);
}

/* ---- who binds it --------------------------------------------------------------------------- */

struct binding {
    struct lint *l;
    const struct tool *tool;
};

/* May the clause bind something of this tool? */
static bool is_about(const struct lint *l, const struct head *head, const struct tool *tool)
{
    if (!head->reference || head->reference->to[1] != TO_BOUND)
        return false;
    struct str of = mgi_lint_constant(l, head, 0);
    return !of.ptr || str_eq(of, tool->name);
}

static bool is_bound(struct lint *l, const struct tool *tool, struct str name, struct near *near)
{
    for (size_t i = 0; i < l->head_count; i++) {
        if (!is_about(l, &l->heads[i], tool))
            continue;
        struct str bound = mgi_lint_constant(l, &l->heads[i], 1);
        if (!bound.ptr || str_eq(bound, name))
            return true;
        mgi_near_try(near, bound);
    }
    return mgi_lint_in_base(l, name, TO_BOUND, false);
}

static bool check_bound(void *context, const struct value_source *bound)
{
    const struct binding *b = context;
    struct lint *l = b->l;
    struct near near = mgi_near(bound->name);
    if (bound->name.len == 0 || is_bound(l, b->tool, bound->name, &near))
        return false;
    const char *hint = mgi_arena_printf(&l->arena, "Derive param_bound(\"%.*s\", \"%.*s\", Value).",
                                        STR_ARG(b->tool->name), STR_ARG(bound->name));
    mgi_findings_add(l->findings, MANGLE_WARNING, "NEVER_BOUND", b->tool->file, bound->line,
                     bound->column, mgi_lint_near(l, &near, hint),
                     "\"bound.%.*s\": no rule binds it for %.*s", STR_ARG(bound->name),
                     STR_ARG(b->tool->name));
    return false;
}

void mgi_lint_bound(struct lint *l)
{
    for (size_t i = 0; i < l->s->tool_count; i++) {
        struct binding b = { l, &l->s->tools[i] };
        visit_tool(b.tool, check_bound, &b);
    }
}
