/* Until when a fact keeps holding if nothing but time passes.
 *
 * A derivation stands as long as all its premises do; a fact as long as the longest of its
 * derivations. From the fact downwards, through predicates that depend on `now`, all derivations
 * are collected as a graph; then values rise from "not at all" to their least fixpoint, so a circle
 * supports nothing by itself.
 *
 * A negated premise stands until what it denies may come to hold, a group until a row may join it.
 * For temporal literals that is when the next interval enters; for predicates that depend on `now`
 * it is the next instant at which anything below them changes in the direction that matters: never
 * too late, sometimes too early. The same caution holds for rules that call fn:time:now, and for
 * premises on temporal predicates whose intervals themselves end at `now`: they are good for this
 * instant only.
 *
 * A merged interval may come from several derivations. It stands as long as one that covers all of
 * it, or as long as all of them. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/proof/foresee.h"
#include "mangle/proof/moving.h"

struct support {           /* one derivation of a place */
    bool whole;            /* makes all of the place's interval */
    int64_t fixed;         /* what its own windows and absences allow */
    uint32_t first, count; /* edges: the places it rests on */
};

struct absence { /* what a derivation rests on as well: that nothing matches */
    uint32_t support;
    mangle_pred pred;
    mangle_value *pattern;
};

struct graph {
    mangle_overlay *o;
    struct places places;
    struct support *supports; /* place by place */
    size_t support_count, support_cap;
    uint32_t *ends; /* per place: where its supports end */
    size_t ends_cap;
    uint32_t *edges;
    size_t edge_count, edge_cap;
    int64_t *values;
    struct absence *absences; /* of the place being expanded: a code runs while they are found, and
                                 must not while they are judged */
    size_t absence_count, absence_cap;
    struct foresight *foresight;
    /* of the place being expanded */
    const struct rule *rule;
    uint32_t of;
    const mangle_value *keys; /* of a do-rule's group */
    struct support group_support;
    int64_t sure; /* it stands as long by one derivation, whatever the others; or MANGLE_MIN_TIME */
    struct choice choice;
};

static int64_t min_time(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t before(int64_t instant)
{
    return instant == MANGLE_MAX_TIME ? instant : instant - 1;
}

/* ---- one solution ---------------------------------------------------------------------------- */

/* The atom as it was looked for: variables have their values, `_` has none. */
static mangle_value *absent_pattern(struct graph *g, const struct op *op)
{
    const struct clause *c = g->rule->clause;
    const struct atom *a = &c->premises[op->premise].atom;
    mangle_value *out = mgi_arena_calloc(&g->o->arena, a->count + 1, sizeof *out);
    for (uint32_t i = 0; out && i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (t->kind == TERM_CONST)
            out[i] = t->value;
        else if (t->kind == TERM_VAR && !c->vars[t->var].wildcard)
            out[i] = g->o->eval.regs[t->var];
    }
    return out;
}

/* When an interval that there is enters is told at once; when there is another, later. */
static int64_t absent_until(struct graph *g, const struct op *op, enum mangle_status *st)
{
    struct eval *x = &g->o->eval;
    int64_t until = MANGLE_MAX_TIME;
    struct absence absence = { (uint32_t)g->support_count, op->look->pred, NULL };
    if (mgi_changes_pred(g->o, op->look->pred, st).gain != MANGLE_MAX_TIME) {
        absence.pattern = absent_pattern(g, op);
        if (!absence.pattern ||
            !mgi_grow(&g->absences, &g->absence_cap, g->absence_count + 1, sizeof *g->absences)) {
            *st = MANGLE_ERR_NOMEM;
            return until;
        }
        g->absences[g->absence_count++] = absence;
    }
    if (!op->spans)
        return until;
    const struct rel *rel = &x->rels[op->look->pred];
    struct frame f;
    for (bool resume = false; mgi_eval_scan(x, op->look, NULL, &f, resume, st); resume = true) {
        uint32_t count;
        const struct mangle_interval *run =
            rel->temporal ? mgi_times_run(rel, f.row, &count) : NULL;
        for (uint32_t i = 0; run && i < count; i++) {
            until = min_time(until, before(mgi_spans_enter_at(x, op->spans, run[i])));
        }
    }
    return until;
}

/* A call may answer otherwise as soon as anything changes below it. */
static int64_t call_until(mangle_overlay *o, mangle_pred pred, enum mangle_status *st)
{
    struct change c = mgi_changes_pred(o, pred, st);
    return before(min_time(c.gain, c.loss));
}

static bool add_edge(struct graph *g, const struct place *place)
{
    size_t to = mgi_places_add(&g->places, place);
    if (to == SIZE_MAX || !mgi_grow(&g->edges, &g->edge_cap, g->edge_count + 1, sizeof(uint32_t)))
        return false;
    g->edges[g->edge_count++] = (uint32_t)to;
    return true;
}

/* How long the interval stands that this operation has found. */
static int64_t span_until(const struct graph *g, const struct code *code, uint32_t at)
{
    struct eval *x = &g->o->eval;
    const struct spans *s = code->ops[at].spans;
    if (g->o->base->program->plan->preds[code->ops[s->scan].look->pred].moves)
        return x->now_ns;
    return mgi_spans_stand_until(x, s, x->frames[at].span);
}

/* What the premises of the solution at hand allow goes to `s`. */
static enum mangle_status read_premises(struct graph *g, const struct code *code, struct support *s)
{
    struct eval *x = &g->o->eval;
    const struct pred_plan *preds = g->o->base->program->plan->preds;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < code->op_count && !st; i++) {
        const struct op *op = &code->ops[i];
        if (op->kind == OP_SPAN)
            s->fixed = min_time(s->fixed, span_until(g, code, i));
        else if (op->kind == OP_ABSENT)
            s->fixed = min_time(s->fixed, absent_until(g, op, &st));
        else if (op->kind == OP_DEFERRED)
            s->fixed = min_time(s->fixed, call_until(g->o, op->look->pred, &st));
        else if (op->kind == OP_SCAN && preds[op->look->pred].depends_on_now) {
            struct place place;
            bool found;
            st = mgi_goal_premise(x, code, op->premise, &place, &found);
            if (!st && !add_edge(g, &place))
                st = MANGLE_ERR_NOMEM;
        }
    }
    s->count = (uint32_t)g->edge_count - s->first;
    return st;
}

/* A derivation that does not stand longer than what is sure adds nothing. */
static bool may_stand_longer(struct eval *x, const struct code *code, uint32_t pc)
{
    const struct graph *g = x->sink_context;
    return g->sure == MANGLE_MIN_TIME || span_until(g, code, pc) > g->sure;
}

/* Of what the derivations at hand have in common the first part that ends by then is where others
 * begin. Its own end is final if it rests on nothing that is still to be judged. */
static enum mangle_status be_sure(struct graph *g, const struct code *code, const struct support *s)
{
    bool waits = g->absence_count > 0 &&
                 g->absences[g->absence_count - 1].support == (uint32_t)(g->support_count - 1);
    if (!s->whole || s->count > 0 || waits || s->fixed <= g->sure)
        return MANGLE_OK;
    g->sure = s->fixed;
    for (uint32_t i = 0; i < code->op_count && g->choice.back == NO_OP; i++)
        if (code->ops[i].kind == OP_SPAN && span_until(g, code, i) <= g->sure)
            g->choice.back = i;
    return g->sure == MANGLE_MAX_TIME ? MANGLE_ERR_INPUT : MANGLE_OK; /* the best there is */
}

static enum mangle_status add_support(struct graph *g, const struct support *s)
{
    if (!mgi_grow(&g->supports, &g->support_cap, g->support_count + 1, sizeof *g->supports))
        return MANGLE_ERR_NOMEM;
    g->supports[g->support_count++] = *s;
    return MANGLE_OK;
}

static enum mangle_status take_support(struct eval *x, const struct code *code, const struct op *op)
{
    struct graph *g = x->sink_context;
    if (op->kind == OP_ROW)
        return mgi_goal_in_group(x, g->rule, g->keys) ? read_premises(g, code, &g->group_support)
                                                      : MANGLE_OK;
    struct place head = g->places.items[g->of];
    if (!mgi_goal_is_head(x, op, &head))
        return MANGLE_OK;
    struct support s = { .whole = mgi_goal_makes_whole(x, &head), .fixed = MANGLE_MAX_TIME };
    s.first = (uint32_t)g->edge_count;
    if (g->rule->calls_now && !mgi_moving_solution(x, g->rule, &s.fixed))
        return MANGLE_ERR_NOMEM;
    enum mangle_status st = read_premises(g, code, &s);
    if (!st)
        st = add_support(g, &s);
    return st ? st : be_sure(g, code, &s);
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Until when no further row joins the group. */
static enum mangle_status group_closed(struct graph *g, const mangle_value *keys, int64_t *until)
{
    const struct clause *c = g->rule->clause;
    int64_t appears;
    mangle_value *vars = mgi_arena_calloc(&g->o->arena, c->var_count + 1, sizeof *vars);
    if (!vars)
        return MANGLE_ERR_NOMEM;
    for (uint32_t k = 0; k < c->transform->key_count; k++)
        vars[c->transform->keys[k]] = keys[k];
    enum mangle_status st = mgi_foresee_body(g->o, g->foresight, g->rule, vars, &appears);
    if (!st)
        *until = before(appears);
    return st;
}

/* A group stands as long as all its rows do, and none may join. */
static enum mangle_status expand_group(struct graph *g, const struct place *head)
{
    bool found, whole;
    mangle_value *keys = mgi_arena_alloc(&g->o->arena, (g->rule->key_count + 1) * sizeof *keys);
    if (!keys)
        return MANGLE_ERR_NOMEM;
    enum mangle_status st = mgi_goal_group(g->o, g->rule, head, keys, &found, &whole);
    if (st || !found)
        return st;
    g->keys = keys;
    g->group_support = (struct support){ .whole = !g->rule->annotated };
    st = group_closed(g, keys, &g->group_support.fixed);
    g->group_support.first = (uint32_t)g->edge_count;
    if (g->rule->calls_now)
        g->group_support.fixed = g->o->eval.now_ns;
    if (!st)
        st = mgi_goal_run(g->o, g->rule, head, take_support, g);
    return st ? st : add_support(g, &g->group_support);
}

/* What has to stay absent for the derivations that were found. */
static enum mangle_status judge_absences(struct graph *g)
{
    for (size_t i = 0; i < g->absence_count; i++) {
        const struct absence *a = &g->absences[i];
        int64_t appears;
        if (a->support >= g->support_count)
            continue;
        enum mangle_status st = mgi_foresee(g->o, g->foresight, a->pred, a->pattern, &appears);
        if (st)
            return st;
        struct support *s = &g->supports[a->support];
        s->fixed = min_time(s->fixed, before(appears));
    }
    g->absence_count = 0;
    return MANGLE_OK;
}

static enum mangle_status add_lattice(struct graph *g, mangle_pred pred)
{
    enum mangle_status st = MANGLE_OK;
    struct support s = { .whole = true, .first = (uint32_t)g->edge_count };
    s.fixed = call_until(g->o, pred, &st);
    return st ? st : add_support(g, &s);
}

static enum mangle_status expand(struct graph *g, uint32_t of)
{
    const struct plan *plan = g->o->base->program->plan;
    struct place head = g->places.items[of];
    const struct pred_plan *pred = &plan->preds[head.pred];
    enum mangle_status st = MANGLE_OK;
    g->of = of;
    g->sure = MANGLE_MIN_TIME;
    g->choice.worth = may_stand_longer;
    if (g->o->base->program->preds[head.pred].lattice && pred->depends_on_now) /* may be replaced */
        return add_lattice(g, head.pred);
    if (!pred->depends_on_now || mgi_place_given(g->o, &head) != GIVEN_NOT)
        return add_support(g, &(struct support){ true, MANGLE_MAX_TIME, 0, 0 });
    for (uint32_t i = 0; i < pred->rule_count && !st && g->sure < MANGLE_MAX_TIME; i++) {
        g->rule = &plan->rules[pred->rules[i]];
        if (!mgi_rule_may_make(g->rule, mgi_place_words(&g->o->eval, &head)))
            continue;
        if (g->rule->is_do)
            st = expand_group(g, &head);
        else
            st = mgi_goal_choose(g->o, g->rule, &head, take_support, g, &g->choice);
        if (st == MANGLE_ERR_INPUT && g->sure == MANGLE_MAX_TIME)
            st = MANGLE_OK;
        if (!st)
            st = judge_absences(g);
    }
    return st;
}

static int64_t support_value(const struct graph *g, const struct support *s)
{
    int64_t value = s->fixed;
    for (uint32_t e = 0; e < s->count; e++)
        value = min_time(value, g->values[g->edges[s->first + e]]);
    return value;
}

static int64_t place_value(const struct graph *g, size_t i)
{
    int64_t best = MANGLE_MIN_TIME, least = MANGLE_MAX_TIME;
    uint32_t from = i ? g->ends[i - 1] : 0;
    for (uint32_t s = from; s < g->ends[i]; s++) {
        int64_t value = support_value(g, &g->supports[s]);
        least = min_time(least, value);
        if (g->supports[s].whole && value > best)
            best = value;
    }
    return from == g->ends[i] ? MANGLE_MAX_TIME /* given, and merged since */
                              : (least > best ? least : best);
}

/* Later places tend to support earlier ones, so sweeping backwards needs few rounds. */
static enum mangle_status settle_graph(struct graph *g)
{
    enum mangle_status st = MANGLE_OK;
    g->values = mgi_alloc(g->places.count * sizeof *g->values);
    if (!g->values)
        return MANGLE_ERR_NOMEM;
    for (size_t i = 0; i < g->places.count; i++)
        g->values[i] = MANGLE_MIN_TIME;
    for (bool changed = true; changed && !st;) {
        changed = false;
        for (size_t i = g->places.count; i-- > 0 && !st;) {
            int64_t value = place_value(g, i);
            changed |= value != g->values[i];
            g->values[i] = value;
            st = mgi_eval_step(&g->o->eval);
        }
    }
    return st;
}

static enum mangle_status place_until(mangle_overlay *o, const struct place *place,
                                      struct foresight *foresight, int64_t *until_ns)
{
    struct graph g = { .o = o, .foresight = foresight };
    *until_ns = MANGLE_MAX_TIME;
    if (!o->base->program->plan->preds[place->pred].depends_on_now)
        return MANGLE_OK;
    enum mangle_status st = mgi_changes_make(o);
    if (!st && mgi_places_add(&g.places, place) == SIZE_MAX)
        st = MANGLE_ERR_NOMEM;
    for (uint32_t i = 0; i < g.places.count && !st; i++) {
        st = expand(&g, i);
        if (!st && !mgi_grow(&g.ends, &g.ends_cap, i + 1, sizeof *g.ends))
            st = MANGLE_ERR_NOMEM;
        if (!st)
            g.ends[i] = (uint32_t)g.support_count;
        if (!st)
            st = mgi_eval_step(&o->eval);
    }
    if (!st)
        st = settle_graph(&g);
    if (!st) /* a temporal fact whose parts cannot be told apart: it holds now */
        *until_ns = g.values[0] == MANGLE_MIN_TIME ? o->eval.now_ns : g.values[0];
    mgi_places_fini(&g.places);
    mgi_free(g.supports);
    mgi_free(g.ends);
    mgi_free(g.edges);
    mgi_free(g.values);
    mgi_free(g.absences);
    return st;
}

/* ---- questions ------------------------------------------------------------------------------- */

static enum mangle_status begin(mangle_overlay *o, const struct mangle_limits *limits)
{
    enum mangle_status st = mgi_question_begin(o, limits);
    return st ? st : mgi_changes_make(o);
}

/* What a question took of the arena is given back: there may be thousands. Only what all of them
 * share (o->changes) stays. */
static void end(mangle_overlay *o, struct arena_mark mark)
{
    mgi_arena_rewind(&o->arena, mark);
    mgi_question_end(o);
}

enum mangle_status mangle_overlay_valid_until(mangle_overlay *o, const struct mangle_fact *fact,
                                              const struct mangle_limits *limits, int64_t *until_ns)
{
    struct foresight foresight = { .place_until = place_until, .steps = FORESIGHT_STEPS };
    struct place place;
    enum mangle_status st = begin(o, limits);
    struct arena_mark mark = mgi_arena_mark(&o->arena);
    if (!st)
        st = mgi_place_find(o, fact, &place);
    if (!st)
        st = place_until(o, &place, &foresight, until_ns);
    end(o, mark);
    return st;
}

enum mangle_status mangle_overlay_absent_until(mangle_overlay *o, mangle_pred pred,
                                               const mangle_value *pattern,
                                               const struct mangle_limits *limits,
                                               int64_t *until_ns)
{
    struct foresight foresight = { .place_until = place_until, .steps = FORESIGHT_STEPS };
    int64_t appears;
    enum mangle_status st =
        pred < o->base->program->pred_count ? begin(o, limits) : MANGLE_ERR_INPUT;
    struct arena_mark mark = mgi_arena_mark(&o->arena);
    if (!st)
        st = mgi_foresee(o, &foresight, pred, pattern, &appears);
    if (!st)
        *until_ns = before(appears);
    end(o, mark);
    return st;
}
