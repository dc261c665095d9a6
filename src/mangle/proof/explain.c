/* One well-founded derivation of a fact (mangle.md section 17).
 *
 * Rules are tried in program order, and the solutions of a rule in theirs (explain_solve.c). What
 * is found may be kept, for there are no cycles; for temporal predicates of the same stratum birth
 * is not kept (intervals are merged): there a fact on its own way is cut off as partial.
 *
 * A merged interval that no single rule makes is explained by one that makes a part of it, and says
 * that it is partial (M-PROV-28).
 *
 * In simple mode rules with a transform prove nothing: a solution with a premise that has no proof
 * is passed over for the next one. */
#include "mangle/proof/explain_solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define DEPTH_DEFAULT 64
#define DEPTH_MAX     1000 /* proofs are walked by recursion */

/* ---- nodes ----------------------------------------------------------------------------------- */

static enum mangle_status prove(struct explainer *e, const struct place *place, uint32_t depth,
                                struct proof **out);

static struct proof *new_node(struct explainer *e, enum mangle_proof_kind kind,
                              const struct mangle_fact *fact)
{
    struct proof *node = mgi_explain_take(e, 1, sizeof *node);
    if (!node)
        return NULL;
    node->seen.kind = kind;
    node->seen.fact = *fact;
    if (e->o->base->program->preds[fact->pred].deferred) { /* the list of answers may move */
        mangle_value *args = mgi_explain_take(e, fact->count, sizeof *args);
        if (!args)
            return NULL;
        if (fact->count)
            memcpy(args, fact->args, fact->count * sizeof *args);
        node->seen.fact.args = args;
    }
    node->seen.fact.pred = mgi_pred_shown(e->o->base->program, fact->pred);
    node->seen.rule = SIZE_MAX;
    node->seen.partial = kind == MANGLE_PROOF_PARTIAL;
    return node;
}

static struct proof *new_leaf(struct explainer *e, enum mangle_proof_kind kind,
                              const struct mangle_fact *fact)
{
    struct proof *node = new_node(e, kind, fact);
    return node && mgi_proof_id(e->o, node) ? node : NULL;
}

/* The ground instance of a negated premise; `_` and what is existential stay MANGLE_NONE. */
static struct proof *absent_leaf(struct explainer *e, const struct premise *m,
                                 const struct solution *s)
{
    mangle_value *args = mgi_explain_take(e, m->atom.count, sizeof *args);
    struct mangle_fact fact = { .pred = m->atom.pred, .count = m->atom.count, .args = args };
    fact.t = MANGLE_ALWAYS;
    for (uint32_t i = 0; args && i < m->atom.count; i++) {
        const struct term *t = &m->atom.args[i];
        if (t->kind == TERM_CONST)
            args[i] = t->value;
        else if (t->kind == TERM_VAR)
            args[i] = s->regs[t->var];
    }
    return args ? new_leaf(e, MANGLE_PROOF_ABSENT, &fact) : NULL;
}

static bool add_bindings(struct explainer *e, const struct clause *c, const struct solution *s,
                         struct proof *node)
{
    struct mangle_binding *list = mgi_explain_take(e, c->var_count, sizeof *list);
    size_t n = 0;
    for (uint32_t v = 0; list && v < c->var_count; v++) {
        if (c->vars[v].wildcard || s->regs[v] == MANGLE_NONE)
            continue;
        struct str name = mgi_arena_str(e->arena, c->vars[v].name);
        if (!name.ptr)
            return false;
        size_t at = n++;
        for (; at > 0 && strcmp(list[at - 1].name, name.ptr) > 0; at--)
            list[at] = list[at - 1];
        list[at] = (struct mangle_binding){ name.ptr, s->regs[v] };
    }
    node->seen.bindings = list;
    node->seen.binding_count = n;
    return list != NULL;
}

static void add_premise(struct proof *node, const struct mangle_proof **premises,
                        struct proof *premise)
{
    premises[node->seen.premise_count++] = &premise->seen;
    node->seen.partial |= premise->seen.partial;
}

/* What follows |> in the rule's text, without its full stop. */
static bool add_transform(struct explainer *e, const struct rule *rule, struct proof *node)
{
    const char *text = e->o->base->program->rule_texts[rule->number];
    const char *at = rule->clause->transform ? strstr(text, " |> ") : NULL;
    for (const char *later = at; later; later = strstr(later + 1, " |> "))
        at = later; /* strings of the body may hold it, too */
    if (!at)
        return true;
    struct str transform = { at + 4, strlen(at + 4) };
    transform.len -= transform.len && transform.ptr[transform.len - 1] == '.';
    node->seen.transform = mgi_arena_str(e->arena, transform).ptr;
    return node->seen.transform != NULL;
}

/* *out NULL: a premise has no proof (in simple mode). */
static enum mangle_status derived_node(struct explainer *e, const struct rule *rule,
                                       const struct place *place, const struct solution *s,
                                       uint32_t depth, struct proof **out)
{
    const struct clause *c = rule->clause;
    struct mangle_fact fact = mgi_place_fact(e->o, place);
    struct proof *node = new_node(e, c->transform ? MANGLE_PROOF_LET : MANGLE_PROOF_DERIVED, &fact);
    const struct mangle_proof **premises = mgi_explain_take(e, c->premise_count, sizeof *premises);
    if (!node || !premises || !add_transform(e, rule, node))
        return MANGLE_ERR_NOMEM;
    if (!c->transform && !add_bindings(e, c, s, node)) /* M-PROV-5 */
        return MANGLE_ERR_NOMEM;
    node->seen.rule = mgi_rule_shown(e->o->base->program, rule->number);
    node->seen.premises = premises;
    node->seen.partial = !s->whole;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        struct proof *premise = NULL;
        const struct premise *m = &c->premises[i];
        enum mangle_status st = MANGLE_OK;
        if (!mgi_premise_is_atom(m))
            continue;
        uint32_t limit = e->limit;
        e->limit = s->born;
        if (s->positive[i])
            st = prove(e, &s->places[i], depth - 1, &premise);
        else
            premise = absent_leaf(e, m, s);
        e->limit = limit;
        if (st || !premise)
            return st ? st : MANGLE_ERR_NOMEM;
        if (premise->none)
            return MANGLE_OK;
        add_premise(node, premises, premise);
    }
    if (!mgi_rule_id(e->o->base->program, rule->number, node->seen.rule_id,
                     sizeof node->seen.rule_id) ||
        !mgi_proof_id(e->o, node))
        return MANGLE_ERR_NOMEM;
    *out = node;
    return MANGLE_OK;
}

/* ---- do-rules -------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const struct mangle_proof *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

static enum mangle_status aggregate_node(struct explainer *e, const struct rule *rule,
                                         const struct place *place, const mangle_value *keys,
                                         uint32_t depth, struct proof **out)
{
    struct mangle_fact fact = mgi_place_fact(e->o, place);
    struct proof *node = new_node(e, MANGLE_PROOF_AGGREGATE, &fact);
    struct group_facts g = { 0 };
    enum mangle_status st = mgi_explain_group(e, rule, place, keys, &g);
    const struct mangle_proof **premises = mgi_explain_take(e, g.count, sizeof *premises);
    if (!st && (!node || !premises))
        st = MANGLE_ERR_NOMEM;
    if (st)
        return st;
    node->seen.rule = mgi_rule_shown(e->o->base->program, rule->number);
    node->seen.premises = premises;
    node->seen.group_key = keys;
    node->seen.group_key_count = rule->key_count;
    if (!add_transform(e, rule, node))
        return MANGLE_ERR_NOMEM;
    for (size_t i = 0; i < g.count; i++) {
        struct proof *premise;
        st = prove(e, &g.places[i], depth - 1, &premise);
        if (st)
            return st;
        add_premise(node, premises, premise);
    }
    if (g.count)
        qsort(premises, g.count, sizeof *premises, by_id);
    if (!mgi_rule_id(e->o->base->program, rule->number, node->seen.rule_id,
                     sizeof node->seen.rule_id) ||
        !mgi_proof_id(e->o, node))
        return MANGLE_ERR_NOMEM;
    *out = node;
    return MANGLE_OK;
}

/* ---- one fact -------------------------------------------------------------------------------- */

/* The next proof by this rule; *out NULL: no more. */
static enum mangle_status by_rule(struct explainer *e, const struct rule *rule,
                                  const struct place *place, uint32_t depth, struct series *series,
                                  struct proof **out)
{
    *out = NULL;
    if (e->simple && rule->clause->transform)
        return MANGLE_OK;
    if (rule->is_do) {
        if (series->last.found)
            return MANGLE_OK;
        series->last.found = true;
        bool found, whole;
        mangle_value *keys = mgi_explain_take(e, rule->key_count, sizeof *keys);
        if (!keys)
            return MANGLE_ERR_NOMEM;
        enum mangle_status st = mgi_goal_group(e->o, rule, place, keys, &found, &whole);
        if (!st && found)
            st = aggregate_node(e, rule, place, keys, depth, out);
        if (!st && found)
            (*out)->seen.partial |= !whole;
        return st;
    }
    enum mangle_status st = MANGLE_OK;
    while (!st && !*out) {
        struct solution s;
        st = mgi_explain_solution(e, rule, place, series, &s);
        if (st || !s.found)
            return st;
        series->last = s;
        st = derived_node(e, rule, place, &s, depth, out);
    }
    return st;
}

static enum mangle_status prove_fresh(struct explainer *e, const struct place *place,
                                      uint32_t depth, struct proof **out)
{
    const struct plan *plan = e->o->base->program->plan;
    const struct pred_plan *pred = &plan->preds[place->pred];
    struct mangle_fact fact = mgi_place_fact(e->o, place);
    enum given given = mgi_place_given(e->o, place);
    *out = NULL;
    if (given != GIVEN_NOT) {
        *out = new_leaf(e, given == GIVEN_BASE ? MANGLE_PROOF_GIVEN : MANGLE_PROOF_SESSION, &fact);
        return *out ? MANGLE_OK : MANGLE_ERR_NOMEM;
    }
    for (uint32_t i = 0; depth > 0 && i < pred->rule_count && !*out; i++) {
        struct series series = { 0 };
        enum mangle_status st =
            by_rule(e, &plan->rules[pred->rules[i]], place, depth, &series, out);
        if (st)
            return st;
    }
    if (*out)
        return MANGLE_OK;
    /* No rule, though it is derived: a temporal fact that was given, and merged since. */
    bool merged = depth > 0 && e->o->rels[place->pred].temporal;
    *out = new_leaf(e, merged ? MANGLE_PROOF_GIVEN : MANGLE_PROOF_PARTIAL, &fact);
    if (*out && !merged && depth > 0 && e->simple)
        (*out)->none = true;
    return *out ? MANGLE_OK : MANGLE_ERR_NOMEM;
}

static enum mangle_status prove(struct explainer *e, const struct place *place, uint32_t depth,
                                struct proof **out)
{
    size_t known = e->places.count;
    size_t number = mgi_places_add(&e->places, place);
    if (number == SIZE_MAX ||
        !mgi_grow(&e->proofs, &e->proofs_cap, number + 1, sizeof(struct proof *)))
        return MANGLE_ERR_NOMEM;
    struct proof *before = number < known ? e->proofs[number] : NULL;
    if (!before && number < known) { /* on its own way: cut off */
        struct mangle_fact fact = mgi_place_fact(e->o, place);
        *out = new_leaf(e, MANGLE_PROOF_PARTIAL, &fact);
        return *out ? MANGLE_OK : MANGLE_ERR_NOMEM;
    }
    if (before && (before->none || !before->seen.partial || before->depth_left >= depth)) {
        *out = before;
        return MANGLE_OK;
    }
    e->proofs[number] = NULL;
    enum mangle_status st = prove_fresh(e, place, depth, out);
    if (st)
        return st;
    (*out)->depth_left = depth;
    e->proofs[number] = *out;
    return MANGLE_OK;
}

/* ---- alternatives of the goal ---------------------------------------------------------------- */

struct proof_list {
    const struct mangle_proof **items;
    size_t count, cap, most;
};

static enum mangle_status add_proof(struct explainer *e, struct proof_list *list,
                                    const struct proof *proof)
{
    for (size_t i = 0; i < list->count; i++) /* other values of variables that nothing shows */
        if (strcmp(list->items[i]->id, proof->seen.id) == 0)
            return MANGLE_OK;
    if (!mgi_arena_grow(e->arena, &list->items, &list->cap, list->count + 1,
                        sizeof(struct mangle_proof *)))
        return MANGLE_ERR_NOMEM;
    list->items[list->count++] = &proof->seen;
    return MANGLE_OK;
}

static bool same_fact(const struct mangle_fact *a, const struct mangle_fact *b)
{
    return a->pred == b->pred && a->t.start_ns == b->t.start_ns &&
           (a->count == 0 || memcmp(a->args, b->args, a->count * sizeof *a->args) == 0);
}

/* Is the fact of `goal` anywhere below? Such a proof goes in a circle. */
static bool rests_on(struct explainer *e, struct proof *proof, const struct mangle_fact *goal)
{
    if (proof->walk == e->walks)
        return false;
    proof->walk = e->walks;
    for (size_t i = 0; i < proof->seen.premise_count; i++) {
        struct proof *below = (struct proof *)proof->seen.premises[i];
        if (below->seen.kind != MANGLE_PROOF_ABSENT && same_fact(&below->seen.fact, goal))
            return true;
        if (rests_on(e, below, goal))
            return true;
    }
    return false;
}

/* The first proof is there already; every other way to derive the goal follows. Its premises may be
 * younger than the goal here, as long as they do not rest on it. */
static enum mangle_status find_others(struct explainer *e, const struct place *place,
                                      uint32_t depth, struct proof_list *list)
{
    const struct plan *plan = e->o->base->program->plan;
    const struct pred_plan *pred = &plan->preds[place->pred];
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < pred->rule_count; i++) {
        struct series series = { .loose = true };
        while (list->count < list->most) {
            struct proof *proof;
            st = by_rule(e, &plan->rules[pred->rules[i]], place, depth, &series, &proof);
            e->walks++;
            if (!st && proof && !rests_on(e, proof, &proof->seen.fact))
                st = add_proof(e, list, proof);
            if (st)
                return st;
            if (!proof)
                break;
        }
    }
    return MANGLE_OK;
}

static enum mangle_status find_proofs(struct explainer *e, const struct place *place,
                                      uint32_t depth, struct proof_list *list)
{
    struct proof *first = NULL;
    enum mangle_status st = prove(e, place, depth, &first);
    if (st || first->none)
        return st;
    st = add_proof(e, list, first);
    bool leaf = first->seen.rule == SIZE_MAX;
    return st || leaf ? st : find_others(e, place, depth, list);
}

enum mangle_status mangle_overlay_proofs(mangle_overlay *o, const struct mangle_fact *fact,
                                         const struct mangle_explain_options *options,
                                         const struct mangle_proof *const **out, size_t *count,
                                         struct mangle_error *err)
{
    static const struct mangle_explain_options defaults;
    struct place place;
    *out = NULL;
    *count = 0;
    if (!options)
        options = &defaults;
    enum mangle_status st = mgi_question_begin(o, options->limits);
    if (!st)
        st = mgi_place_find(o, fact, &place);
    if (st) {
        mgi_question_end(o);
        if (err)
            snprintf(err->message, sizeof err->message, "%s",
                     st == MANGLE_ERR_NOMEM ? "out of memory" : "the fact does not hold");
        return st;
    }
    uint32_t depth = options->max_depth ? options->max_depth : DEPTH_DEFAULT;
    struct proof_list list = { .most = options->max_proofs ? options->max_proofs : 1 };
    struct explainer e = { .o = o, .arena = &o->arena, .limit = UINT32_MAX };
    e.simple = options->mode == MANGLE_EXPLAIN_SIMPLE;
    o->eval.err = err;
    st = find_proofs(&e, &place, depth > DEPTH_MAX ? DEPTH_MAX : depth, &list);
    o->eval.err = NULL;
    mgi_question_end(o);
    mgi_free(e.proofs);
    mgi_places_fini(&e.places);
    if (st)
        return st;
    *out = list.items;
    *count = list.count;
    return MANGLE_OK;
}

enum mangle_status mangle_overlay_explain(mangle_overlay *o, const struct mangle_fact *fact,
                                          uint32_t max_depth, const struct mangle_proof **out,
                                          struct mangle_error *err)
{
    struct mangle_explain_options options = { .max_depth = max_depth };
    const struct mangle_proof *const *proofs;
    size_t count;
    enum mangle_status st = mangle_overlay_proofs(o, fact, &options, &proofs, &count, err);
    *out = st ? NULL : proofs[0]; /* in full mode there is one */
    return st;
}
