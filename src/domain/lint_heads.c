/* What a domain's clauses name: the heads of rules, and facts, of predicates that the server reads.
 * And how findings about them are told. */
#include "domain/lint_int.h"

/* What the arguments of interface predicates name. */
static const struct reference references[] = {
    { "mandatory_for_intent", 2, { TO_INTENT, TO_TOOL }, true },
    { "serves_intent", 2, { TO_TOOL, TO_INTENT }, true },
    { "tool_relevant_to_intent", 3, { TO_TOOL, TO_INTENT }, true },
    { "vector_similarity", 3, { TO_TOOL }, true },
    { "macro_tool", 2, { TO_TOOL }, true },
    { "tool_requires", 2, { TO_TOOL, TO_TOOL }, true },
    { "tool_constraint", 3, { TO_TOOL }, false },
    { "blocked_by_context", 1, { TO_TOOL }, false },
    { "prohibited", 2, { TO_TOOL }, false },
    { "requires_capability", 2, { TO_TOOL }, false },
    { "tool_category", 2, { TO_TOOL }, false },
    { "permitted_intent", 2, { TO_NOTHING, TO_INTENT }, false },
    { "conflicts_with", 2, { TO_TOOL, TO_TOOL }, false },
    { "incompatible", 2, { TO_TOOL, TO_TOOL }, false },
    { "includes_step", 2, { TO_TOOL, TO_STEP }, false },
    { "omits_step", 2, { TO_TOOL, TO_STEP }, false },
    { "param_value", 3, { TO_TOOL, TO_PARAM }, false },
    { "param_bound", 3, { TO_TOOL, TO_BOUND }, false },
    { "macro_has_side_effect", 2, { TO_TOOL }, false },
    { "requires_confirmation", 1, { TO_TOOL }, false },
    { "trusted_action", 1, { TO_ACTION }, false },
    { "needs_skill", 2, { TO_TOOL, TO_SKILL }, false },
    { "needs_file", 4, { TO_TOOL }, false },
    { "instruction", 2, { TO_TOOL }, false },
    { "valid_for", 2, { TO_TOOL }, false },
    { "valid_until", 2, { TO_TOOL }, false },
    { "menu_pick", 4, { TO_TOOL, TO_STEP, TO_ACTION }, false },
    { "menu_set", 5, { TO_TOOL, TO_STEP, TO_ACTION }, false },
    { "menu_ask", 4, { TO_TOOL, TO_STEP, TO_ACTION }, false },
    { "suggest_intent", 2, { TO_SUGGESTED }, false },
    { "suggest_param", 3, { TO_SUGGESTED }, false },
};
#define REFERENCE_COUNT (sizeof references / sizeof *references)

static const struct reference *reference_of(struct str name, uint32_t arity)
{
    for (size_t i = 0; i < REFERENCE_COUNT; i++)
        if (references[i].arity == arity && str_is(name, references[i].name))
            return &references[i];
    return NULL;
}

/* ---- saying it ---------------------------------------------------------------------------- */

void mgi_lint_at(struct lint *l, enum mangle_severity severity, const char *code,
                 struct place place, const char *hint, const char *message)
{
    mgi_findings_add(l->findings, severity, code, mangle_program_source(l->p, place.source).name,
                     place.line, place.column, hint, "%s", message ? message : "out of memory");
}

const char *mgi_lint_near(struct lint *l, const struct near *near, const char *otherwise)
{
    return near->best.len ? mgi_arena_printf(&l->arena, "Did you mean %.*s?", STR_ARG(near->best))
                          : otherwise;
}

static bool is_standard(const struct lint *l, uint32_t source)
{
    return mangle_program_source(l->p, source).name[0] == '<';
}

/* ---- names in heads ----------------------------------------------------------------------- */

/* Clauses of the domain's own sources, in their order: rules, and facts that the server reads. */
bool mgi_lint_heads(struct lint *l)
{
    size_t cap = 0;
    for (size_t i = 0; i < mangle_program_clause_count(l->p); i++) {
        struct mangle_clause_view c = mangle_program_clause(l->p, i);
        if (c.declaration || c.head == MANGLE_NO_PRED || is_standard(l, c.source))
            continue;
        if (c.rule == SIZE_MAX && l->s->pred_layers[c.head] != LAYER_PIPELINE)
            continue;
        struct mangle_pred_view pred = mangle_program_pred(l->p, c.head);
        if (l->head_count == cap &&
            !mgi_arena_grow(&l->arena, &l->heads, &cap, cap + 1, sizeof *l->heads))
            return false;
        l->heads[l->head_count++] =
            (struct head){ .clause = i,
                           .rule = c.rule,
                           .pred = c.head,
                           .place = { c.source, c.line, c.column },
                           .reference = reference_of(str_of(pred.name), pred.arity) };
    }
    return true;
}

struct place mgi_lint_place(const struct head *head, struct mangle_argument_view a)
{
    return (struct place){ head->place.source, a.line, a.column };
}

struct str mgi_lint_text(const struct lint *l, struct mangle_argument_view a)
{
    size_t len;
    if (a.value == MANGLE_NONE ||
        mangle_kind_of(mangle_program_values(l->p), a.value) != MANGLE_STRING)
        return (struct str){ 0 };
    const char *text = mangle_text_of(mangle_program_values(l->p), a.value, &len);
    return (struct str){ text, len };
}

/* The text of a string constant in the head, or ptr NULL. */
struct str mgi_lint_constant(const struct lint *l, const struct head *head, uint32_t column)
{
    return mgi_lint_text(l, mangle_program_argument(l->p, head->clause, column));
}

/* ---- who is named --------------------------------------------------------------------------- */

enum { BY_CLAUSE = 1, BY_SELECTING_CLAUSE = 2, BY_BASE = 4, BY_SELECTING_BASE = 8 };

/* A name as something else of the same name is another key. */
static struct str key_of(struct buf *key, enum refers to, struct str name)
{
    mgi_buf_clear(key);
    mgi_buf_putc(key, (char)('0' + to));
    mgi_buf_str(key, name);
    return mgi_buf_view(key);
}

static bool note(struct lint *l, enum refers to, struct str name, uint32_t how)
{
    uint32_t known = 0;
    struct str key = key_of(&l->key, to, name);
    if (l->key.oom)
        return false;
    mgi_strmap_get(&l->named, key, &known);
    return (known | how) == known || mgi_strmap_put(&l->named, key, known | how);
}

static bool note_head(struct lint *l, const struct head *head)
{
    const struct reference *r = head->reference;
    for (uint32_t k = 0; r && k < r->arity && k < 4; k++) {
        struct mangle_argument_view a = mangle_program_argument(l->p, head->clause, k);
        struct str name = mgi_lint_text(l, a);
        l->computes[r->to[k]] |= a.value == MANGLE_NONE ? BY_CLAUSE : 0;
        l->computes[r->to[k]] |= a.value == MANGLE_NONE && r->selects ? BY_SELECTING_CLAUSE : 0;
        if (name.ptr &&
            !note(l, r->to[k], name, BY_CLAUSE | (r->selects ? BY_SELECTING_CLAUSE : 0)))
            return false;
    }
    return true;
}

/* Facts of the base that did not come from .mg files. */
static bool note_base(struct lint *l, const struct reference *r)
{
    const mangle_values *t = mangle_overlay_values(l->overlay);
    mangle_pred pred = mangle_pred_find(l->p, r->name, r->arity);
    const struct mangle_fact *facts;
    size_t count;
    if (pred == MANGLE_NO_PRED || mangle_overlay_facts(l->overlay, pred, &facts, &count))
        return true;
    for (size_t f = 0; f < count; f++)
        for (uint32_t k = 0; k < r->arity && k < 4; k++) {
            size_t len;
            if (r->to[k] == TO_NOTHING || mangle_kind_of(t, facts[f].args[k]) != MANGLE_STRING)
                continue;
            const char *text = mangle_text_of(t, facts[f].args[k], &len);
            if (!note(l, r->to[k], (struct str){ text, len },
                      BY_BASE | (r->selects ? BY_SELECTING_BASE : 0)))
                return false;
        }
    return true;
}

bool mgi_lint_named(struct lint *l)
{
    bool good = true;
    for (size_t i = 0; i < l->head_count && good; i++)
        good = note_head(l, &l->heads[i]);
    for (size_t i = 0; i < REFERENCE_COUNT && good; i++)
        good = note_base(l, &references[i]);
    return good;
}

static bool is_noted(struct lint *l, enum refers to, struct str name, uint32_t how)
{
    uint32_t known = 0;
    struct str key = key_of(&l->key, to, name);
    if (l->key.oom)
        return true; /* nothing is said against what could not be looked up */
    return mgi_strmap_get(&l->named, key, &known) && (known & how);
}

bool mgi_lint_is_named(struct lint *l, struct str name, enum refers to, bool selecting,
                       bool *computed)
{
    uint32_t how = selecting ? BY_SELECTING_CLAUSE : BY_CLAUSE;
    *computed |= (l->computes[to] & how) != 0;
    return is_noted(l, to, name, how);
}

bool mgi_lint_in_base(struct lint *l, struct str name, enum refers to, bool selecting)
{
    return is_noted(l, to, name, selecting ? BY_SELECTING_BASE : BY_BASE);
}

bool mgi_lint_serves(struct lint *l, struct str intent, bool *computed)
{
    return mgi_lint_is_named(l, intent, TO_INTENT, false, computed) ||
           mgi_lint_in_base(l, intent, TO_INTENT, false);
}

bool mgi_lint_asks_for(const struct lint *l, struct str intent)
{
    for (size_t i = 0; i < l->head_count; i++) {
        size_t rule = l->heads[i].rule;
        if (rule == SIZE_MAX)
            continue;
        struct mangle_rule_view v = mangle_program_rule(l->p, rule);
        for (size_t k = 0; k < v.body_count; k++)
            if (v.body[k] == l->s->pred.intent_type &&
                str_eq(intent, mgi_lint_text(l, mangle_program_premise_argument(l->p, rule, k, 1))))
                return true;
    }
    return false;
}
