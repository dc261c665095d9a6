/* Facts by their place, and rules run backwards from a head. */
#include "mangle/proof/explain.h"

#include <string.h>

#include "base/alloc.h"

/* ---- places ---------------------------------------------------------------------------------- */

static bool find_interval(const struct rel *rel, uint32_t row, struct mangle_interval t,
                          struct mangle_interval *out)
{
    uint32_t count;
    const struct mangle_interval *run = mgi_times_run(rel, row, &count);
    size_t i = run ? mgi_interval_covering(run, count, t.start_ns, t.end_ns) : SIZE_MAX;
    if (i == SIZE_MAX)
        return false;
    *out = run[i];
    return true;
}

static bool is_called(const struct eval *x, const struct place *place)
{
    return x->program->preds[place->pred].deferred;
}

/* What a call answers has no place of its own: it gets one. False: memory. */
static bool keep_called(struct eval *x, mangle_pred pred, const uint32_t *words, uint32_t *row)
{
    const mangle_program *p = x->program;
    bool added;
    if (!x->called) {
        x->called = mgi_calloc(p->pred_count + 1, sizeof *x->called);
        for (size_t i = 0; x->called && i < p->pred_count; i++) /* takes no memory yet */
            mgi_rel_init(&x->called[i], p->preds[i].arity, false, NULL, 0, NULL);
    }
    return x->called && mgi_rel_insert(&x->called[pred], words, row, &added);
}

enum mangle_status mgi_place_find(mangle_overlay *o, const struct mangle_fact *fact,
                                  struct place *out)
{
    const mangle_program *p = o->base->program;
    if (fact->pred >= p->pred_count || fact->count != p->preds[fact->pred].arity)
        return MANGLE_ERR_INPUT;
    const struct rel *rel = &o->rels[fact->pred];
    *out = (struct place){ .pred = fact->pred, .row = mgi_rel_find(rel, fact->args) };
    out->t = MANGLE_ALWAYS;
    if (out->row == REL_NONE)
        return MANGLE_ERR_INPUT;
    if (is_called(&o->eval, out))
        return keep_called(&o->eval, fact->pred, fact->args, &out->row) ? MANGLE_OK
                                                                        : MANGLE_ERR_NOMEM;
    if (rel->temporal && !find_interval(rel, out->row, fact->t, &out->t))
        return MANGLE_ERR_INPUT;
    return MANGLE_OK;
}

struct mangle_fact mgi_place_fact(const mangle_overlay *o, const struct place *place)
{
    const struct rel *rel = &o->rels[place->pred];
    return (struct mangle_fact){ .pred = place->pred,
                                 .count = rel->arity,
                                 .args = mgi_place_words(&o->eval, place),
                                 .temporal = rel->temporal,
                                 .t = place->t };
}

const uint32_t *mgi_place_words(const struct eval *x, const struct place *place)
{
    const struct rel *rels = is_called(x, place) ? x->called : x->rels;
    return mgi_rel_row(&rels[place->pred], place->row);
}

enum given mgi_place_given(const mangle_overlay *o, const struct place *at)
{
    const struct rel *rel = &o->rels[at->pred];
    const struct rel *below = rel->below;
    struct place stored = *at, *place = &stored;
    if (is_called(&o->eval, at)) {
        stored.row = mgi_rel_find(rel, mgi_place_words(&o->eval, at));
        if (stored.row == REL_NONE)
            return GIVEN_NOT;
    }
    if (o->base->program->plan->preds[place->pred].rule_count == 0) {
        if (place->row >= rel->first)
            return GIVEN_REQUEST;
        struct mangle_interval t;
        bool same =
            !rel->temporal || (find_interval(below, place->row, place->t, &t) &&
                               t.start_ns == place->t.start_ns && t.end_ns == place->t.end_ns);
        return same ? GIVEN_BASE : GIVEN_REQUEST;
    }
    if (rel->temporal) /* which part of a merged interval was given is not kept */
        return GIVEN_NOT;
    if (place->row >= rel->first)
        return place->row - rel->first < rel->given ? GIVEN_REQUEST : GIVEN_NOT;
    return place->row < below->given ? GIVEN_BASE : GIVEN_NOT;
}

bool mgi_place_same(const struct place *a, const struct place *b)
{
    return a->pred == b->pred && a->row == b->row && a->t.start_ns == b->t.start_ns &&
           a->t.end_ns == b->t.end_ns;
}

static uint32_t *places_slot(const struct places *set, const struct place *place)
{
    uint64_t hash = mgi_mix((uint64_t)place->pred << 32 | place->row);
    uint32_t mask = set->index.cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = set->index.slots + at;
        if (*s == 0 || mgi_place_same(&set->items[*s - 1], place))
            return s;
    }
}

size_t mgi_places_add(struct places *set, const struct place *place)
{
    set->index.stride = 1;
    if (mgi_table_full(&set->index)) {
        if (!mgi_table_grow(&set->index, (uint32_t)set->count + 1))
            return SIZE_MAX;
        for (size_t i = 0; i < set->count; i++)
            *places_slot(set, &set->items[i]) = (uint32_t)i + 1;
        set->index.used = (uint32_t)set->count;
    }
    uint32_t *slot = places_slot(set, place);
    if (*slot)
        return *slot - 1;
    if (!mgi_grow(&set->items, &set->cap, set->count + 1, sizeof *set->items))
        return SIZE_MAX;
    set->items[set->count++] = *place;
    *slot = (uint32_t)set->count;
    set->index.used++;
    return set->count - 1;
}

void mgi_places_fini(struct places *set)
{
    mgi_free(set->items);
    mgi_free(set->index.slots);
}

/* ---- limits ---------------------------------------------------------------------------------- */

enum mangle_status mgi_question_begin(mangle_overlay *o, const struct mangle_limits *limits)
{
    struct eval *x = &o->eval;
    if (!o->evaluated || o->failed)
        return MANGLE_ERR_INPUT;
    if (!limits)
        return mgi_overlay_complete(o, MANGLE_NO_PRED);
    x->limits.cancelled = limits->cancelled;
    x->limits.cancel_context = limits->cancel_context;
    x->limits.clock = limits->clock;
    x->limits.clock_context = limits->clock_context;
    x->limits.timeout_ns = limits->clock ? limits->timeout_ns : 0;
    if (x->limits.timeout_ns)
        x->started_ns = limits->clock(limits->clock_context);
    enum mangle_status st = mgi_overlay_complete(o, MANGLE_NO_PRED);
    return st ? st : mgi_eval_check(x);
}

void mgi_question_end(mangle_overlay *o)
{
    o->eval.limits =
        (struct mangle_limits){ .max_facts = -1, .max_intervals = -1, .max_bytes = -1 };
}

/* ---- goals ----------------------------------------------------------------------------------- */

bool mgi_premise_is_atom(const struct premise *m)
{
    return m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL;
}

static void give(struct eval *x, const struct code *code, const uint32_t *words)
{
    memset(x->regs, 0, code->reg_count * sizeof *x->regs); /* MANGLE_NONE: not bound */
    for (uint32_t i = 0; i < code->given_count; i++)
        x->regs[code->given[i].reg] = words[code->given[i].column];
}

enum mangle_status mgi_goal_choose(mangle_overlay *o, const struct rule *rule,
                                   const struct place *head, eval_sink *sink, void *context,
                                   struct choice *choice)
{
    struct eval *x = &o->eval;
    give(x, rule->goal, mgi_place_words(x, head));
    x->sink = sink;
    x->sink_context = context;
    x->iteration = 0;
    enum mangle_status st =
        choice ? mgi_eval_chosen(x, rule->goal, choice) : mgi_eval_code(x, rule->goal);
    x->sink = NULL;
    return st;
}

enum mangle_status mgi_goal_run(mangle_overlay *o, const struct rule *rule,
                                const struct place *head, eval_sink *sink, void *context)
{
    return mgi_goal_choose(o, rule, head, sink, context, NULL);
}

bool mgi_goal_is_head(struct eval *x, const struct op *op, const struct place *head)
{
    const uint32_t *words = mgi_place_words(x, head);
    for (uint32_t i = 0; i < op->arg_count; i++)
        if (x->regs[op->args[i]] != words[i])
            return false;
    if (!x->rule->annotated)
        return true;
    struct mangle_interval t;
    bool none;
    if (mgi_head_interval(x, x->rule, &t, &none) || none)
        return false;
    return t.start_ns >= head->t.start_ns && t.end_ns <= head->t.end_ns;
}

bool mgi_goal_makes_whole(struct eval *x, const struct place *head)
{
    struct mangle_interval t;
    bool none;
    if (!x->rule->annotated)
        return true;
    return !mgi_head_interval(x, x->rule, &t, &none) && t.start_ns == head->t.start_ns &&
           t.end_ns == head->t.end_ns;
}

/* The answer that the frame of a call has read last gets a place. */
static enum mangle_status keep_answer(struct eval *x, const struct op *op, const struct frame *f,
                                      struct place *out)
{
    uint32_t arity = x->program->preds[op->look->pred].arity;
    *out = (struct place){ op->look->pred, 0, MANGLE_ALWAYS };
    bool kept = keep_called(x, op->look->pred, x->answers + f->at - (arity ? arity : 1), &out->row);
    return kept ? MANGLE_OK : mgi_eval_nomem(x);
}

enum mangle_status mgi_goal_premise(struct eval *x, const struct code *code, uint32_t premise,
                                    struct place *out, bool *found)
{
    enum mangle_status st = MANGLE_OK;
    *found = false;
    for (uint32_t i = 0; i < code->op_count && !st; i++) {
        const struct op *op = &code->ops[i];
        if (op->premise != premise)
            continue;
        if (op->kind == OP_SCAN) {
            *out = (struct place){ op->look->pred, x->frames[i].row, MANGLE_ALWAYS };
            *found = true;
        } else if (op->kind == OP_SPAN) {
            out->t = x->frames[i].span;
        } else if (op->kind == OP_DEFERRED && !op->negated) {
            st = keep_answer(x, op, &x->frames[i], out);
            *found = true;
        }
    }
    return st;
}

/* ---- groups of do-rules ---------------------------------------------------------------------- */

struct group_goal {
    const struct rule *rule;
    const struct place *head;
    mangle_value *keys;
    bool found, whole;
};

static enum mangle_status compare_head(struct eval *x, const struct code *code, const struct op *op)
{
    struct group_goal *g = x->sink_context;
    (void)code;
    if (!mgi_goal_is_head(x, op, g->head))
        return MANGLE_OK;
    for (uint32_t k = 0; k < g->rule->key_count; k++)
        g->keys[k] = x->regs[g->rule->key_regs[k]];
    g->found = true;
    g->whole = mgi_goal_makes_whole(x, g->head);
    return MANGLE_ERR_INPUT; /* stop: this group it is */
}

enum mangle_status mgi_goal_group(mangle_overlay *o, const struct rule *rule,
                                  const struct place *head, mangle_value *keys, bool *found,
                                  bool *whole)
{
    struct group_goal g = { rule, head, keys, false, false };
    give(&o->eval, rule->goal, mgi_place_words(&o->eval, head));
    enum mangle_status st = mgi_eval_aggregate_goal(&o->eval, rule, compare_head, &g);
    *found = g.found;
    *whole = g.whole;
    return g.found ? MANGLE_OK : st;
}

bool mgi_goal_in_group(const struct eval *x, const struct rule *rule, const mangle_value *keys)
{
    for (uint32_t k = 0; k < rule->key_count; k++)
        if (x->regs[rule->key_regs[k]] != keys[k])
            return false;
    return true;
}
