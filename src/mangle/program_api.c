/* What a compiled program tells about itself: the accessors of mangle.h. */
#include "base/alloc.h"
#include "mangle/plan/plan.h"

size_t mangle_program_pred_count(const mangle_program *p)
{
    return p->pred_count - p->copied_preds;
}

size_t mangle_program_stratum_count(const mangle_program *p)
{
    return p->stratum_count;
}

struct mangle_pred_view mangle_program_pred(const mangle_program *p, mangle_pred index)
{
    const struct pred *pred = &p->preds[index];
    struct mangle_pred_view view = { .name = pred->name.ptr,
                                     .arity = pred->arity,
                                     .temporal = pred->temporal,
                                     .declared = pred->decl != NULL,
                                     .derived = pred->derived,
                                     .changeable = pred->changeable,
                                     .reads_now = p->plan && p->plan->preds[index].depends_on_now,
                                     .arg_names = pred->arg_names,
                                     .doc = pred->doc,
                                     .file = "",
                                     .stratum = pred->derived ? pred->stratum : UINT32_MAX };
    if (!pred->host) {
        view.file = p->sources[pred->first.source].name;
        view.line = mgi_line_at(p, pred->first);
    }
    return view;
}

mangle_pred mangle_pred_find(const mangle_program *p, const char *name, uint32_t arity)
{
    return mgi_pred_find(p, str_of(name), arity);
}

size_t mangle_pred_descriptor(const mangle_program *p, mangle_pred index, const char *name,
                              mangle_value *out, size_t cap)
{
    const struct pred *pred = &p->preds[index];
    for (uint32_t i = 0; i < pred->descriptor_count; i++) {
        const struct descriptor *d = &pred->descriptors[i];
        if (!str_is(d->name, name))
            continue;
        for (size_t j = 0; j < d->count && j < cap; j++)
            out[j] = d->args[j];
        return d->count;
    }
    return SIZE_MAX;
}

const char *mangle_pred_bound(const mangle_program *p, mangle_pred index, uint32_t column)
{
    const struct pred *pred = &p->preds[index];
    return pred->bounds && column < pred->arity ? pred->bounds[column] : "/any";
}

const mangle_values *mangle_program_values(const mangle_program *p)
{
    return p->values;
}

size_t mangle_program_rule_count(const mangle_program *p)
{
    return p->rule_count - p->copied_rules;
}

struct mangle_rule_view mangle_program_rule(const mangle_program *p, size_t index)
{
    const struct clause *c = p->rules[index];
    return (struct mangle_rule_view){ .text = p->rule_texts[index],
                                      .file = p->sources[c->span.source].name,
                                      .line = mgi_line_at(p, c->span),
                                      .head = c->head.pred,
                                      .body = p->rule_bodies[index],
                                      .body_count = p->rule_body_counts[index],
                                      .per_request = mgi_plan_per_request(p, index) };
}

/* ---- as it was written ------------------------------------------------------------------------
 */

size_t mangle_program_source_count(const mangle_program *p)
{
    return p->source_count;
}

struct mangle_source mangle_program_source(const mangle_program *p, size_t index)
{
    const struct source *s = &p->sources[index];
    return (struct mangle_source){ s->name, s->text.ptr, s->text.len };
}

static void place_of(const mangle_program *p, struct span span, uint32_t *line, uint32_t *column)
{
    const struct source *source = &p->sources[span.source];
    *line = mgi_line_at(p, span);
    *column = 1;
    for (uint32_t i = source->lines[*line - 1]; i < span.start && i < source->text.len; i++)
        *column += (source->text.ptr[i] & 0xc0) != 0x80;
}

size_t mangle_program_clause_count(const mangle_program *p)
{
    return p->decl_count + p->clause_count;
}

static const struct atom *head_at(const mangle_program *p, size_t index)
{
    return index < p->decl_count ? &p->decls[index].atom : &p->clauses[index - p->decl_count].head;
}

/* Rules stand in the order of their clauses. */
static size_t rule_of(const mangle_program *p, const struct clause *c)
{
    size_t low = 0, count = mangle_program_rule_count(p), high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->rules[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && p->rules[low] == c ? low : SIZE_MAX;
}

struct mangle_clause_view mangle_program_clause(const mangle_program *p, size_t index)
{
    const struct atom *head = head_at(p, index);
    struct mangle_clause_view view = { .declaration = index < p->decl_count, .rule = SIZE_MAX };
    if (!view.declaration)
        view.rule = rule_of(p, &p->clauses[index - p->decl_count]);
    view.head = mgi_pred_find(p, head->name, head->count);
    view.source = head->span.source;
    place_of(p, head->span, &view.line, &view.column);
    return view;
}

static struct mangle_argument_view argument_view(const mangle_program *p, const struct term *t)
{
    struct mangle_argument_view view = { .value = MANGLE_NONE, .items = UINT32_MAX };
    if (t->kind == TERM_CONST)
        view.value = t->value;
    if (view.value != MANGLE_NONE && mangle_kind_of(p->values, view.value) == MANGLE_LIST)
        view.items = (uint32_t)mangle_count_of(p->values, view.value);
    if (t->kind == TERM_APPLY && str_is(t->apply.name, "fn:list"))
        view.items = t->apply.count;
    place_of(p, t->span, &view.line, &view.column);
    return view;
}

struct mangle_argument_view mangle_program_argument(const mangle_program *p, size_t index,
                                                    uint32_t column)
{
    return argument_view(p, &head_at(p, index)->args[column]);
}

static bool reads_facts(const struct premise *premise)
{
    return premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL;
}

struct mangle_argument_view mangle_program_premise_argument(const mangle_program *p, size_t rule,
                                                            size_t premise, uint32_t column)
{
    const struct premise *at = p->rules[rule]->premises;
    while (!reads_facts(at) || premise > 0) /* only those are counted */
        premise -= reads_facts(at++);
    return argument_view(p, &at->atom.args[column]);
}

/* ---- trust ------------------------------------------------------------------------------------
 */

bool mangle_pred_is_tainted(const mangle_program *p, mangle_pred pred)
{
    return p->preds[pred].tainted;
}

bool mangle_pred_is_vouched(const mangle_program *p, mangle_pred pred)
{
    return p->preds[pred].privileged || p->preds[pred].vouched != MANGLE_NO_PRED;
}

mangle_pred mangle_pred_claimed(const mangle_program *p, mangle_pred pred)
{
    return p->preds[pred].claimed;
}

bool mangle_rule_may_vouch(const mangle_program *p, size_t rule)
{
    return !p->rule_barred || !p->rule_barred[rule];
}
