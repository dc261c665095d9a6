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
#include "mangle/proof/explain.h"

struct support {           /* one derivation of a place */
    bool whole;            /* makes all of the place's interval */
    int64_t fixed;         /* what its own windows and absences allow */
    uint32_t first, count; /* edges: the places it rests on */
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
    /* of the place being expanded */
    const struct rule *rule;
    uint32_t of;
    const mangle_value *keys; /* of a do-rule's group */
    struct support group_support;
};

static int64_t min_time(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- when something below a predicate changes ------------------------------------------------ */

struct change { /* the next instants at which there may be more, or less; MANGLE_MAX_TIME: never */
    int64_t gain, loss;
};

struct changes {
    struct change *preds, *rules; /* of a rule: the solutions of its body */
};

static int64_t next_instant(const struct eval *x)
{
    return x->now_ns == MANGLE_MAX_TIME ? x->now_ns : x->now_ns + 1;
}

static void add_change(struct change *to, int64_t gain, int64_t loss)
{
    to->gain = min_time(to->gain, gain);
    to->loss = min_time(to->loss, loss);
}

static void span_change(struct eval *x, const struct spans *s, struct mangle_interval t,
                        struct change *out)
{
    struct frame f;
    if (mgi_spans_prepare(x, s, &f)) {
        add_change(out, next_instant(x), next_instant(x));
    } else if (t.start_ns > f.max_start) {
        add_change(out, mgi_spans_enter_at(x, s, t), MANGLE_MAX_TIME);
        /* and may leave again, but not before it entered */
        add_change(out, MANGLE_MAX_TIME, out->gain);
    } else if (t.end_ns >= f.min_end) {
        int64_t until = mgi_spans_stand_until(x, s, t);
        add_change(out, MANGLE_MAX_TIME, until == MANGLE_MAX_TIME ? until : until + 1);
    }
}

static bool bound_is_var(const struct bound *b)
{
    return b->kind == BOUND_VAR && !b->free;
}

/* Whatever the rows: when an interval enters or leaves this temporal literal. */
static struct change literal_change(mangle_overlay *o, const struct spans *s, mangle_pred pred)
{
    struct eval *x = &o->eval;
    struct change out = { MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    if ((s->window != WINDOW_NONE && (bound_is_var(&s->near) || bound_is_var(&s->far))) ||
        o->base->program->plan->preds[pred].moves) {
        add_change(&out, next_instant(x), next_instant(x));
        return out;
    }
    struct spans fixed = *s; /* variables in annotations hold instants, which do not move */
    if (fixed.annotated && bound_is_var(&fixed.start))
        fixed.start.free = true;
    if (fixed.annotated && bound_is_var(&fixed.end))
        fixed.end.free = true;
    const struct rel *rel = &o->rels[pred];
    for (uint32_t e = 0; e < rel->times.count; e++)
        span_change(x, &fixed, rel->times.spans[e], &out);
    for (uint32_t e = 0; rel->below && e < rel->below->times.count; e++)
        span_change(x, &fixed, rel->below->times.spans[e], &out);
    return out;
}

/* What the rule's own temporal literals do. */
static struct change rule_change(mangle_overlay *o, const struct rule *rule)
{
    struct change out = { MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    if (rule->calls_now)
        add_change(&out, next_instant(&o->eval), next_instant(&o->eval));
    const struct code *code = rule->full;
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (!op->spans)
            continue;
        const struct look *look = op->look ? op->look : code->ops[op->spans->scan].look;
        struct change c = literal_change(o, op->spans, look->pred);
        if (op->kind == OP_ABSENT)
            add_change(&out, c.loss, c.gain);
        else
            add_change(&out, c.gain, c.loss);
    }
    return out;
}

/* What changes in a premise's predicate does to the body. An interval that grows replaces the one
 * before, so variables bound to it change both ways. */
static struct change premise_change(const mangle_overlay *o, const struct changes *all,
                                    const struct premise *m)
{
    struct change c = all->preds[m->atom.pred];
    bool binds = m->kind == PREMISE_TEMPORAL && m->annotation.present &&
                 (m->annotation.start.kind == BOUND_VAR || m->annotation.end.kind == BOUND_VAR);
    if (binds || o->base->program->preds[m->atom.pred].lattice)
        c.gain = c.loss = min_time(c.gain, c.loss);
    return m->negated ? (struct change){ c.loss, c.gain } : c;
}

static bool spread_rule(const mangle_overlay *o, struct changes *all, const struct rule *rule)
{
    struct change *body = &all->rules[rule->number], *head = &all->preds[rule->head];
    struct change before = *head, from;
    for (uint32_t i = 0; i < rule->clause->premise_count; i++) {
        const struct premise *m = &rule->clause->premises[i];
        if (!mgi_premise_is_atom(m))
            continue;
        struct change c = premise_change(o, all, m);
        add_change(body, c.gain, c.loss);
    }
    from = *body;
    if (rule->is_do) /* one row more: the old sum is gone, and there is a new one */
        from.gain = from.loss = min_time(from.gain, from.loss);
    add_change(head, from.gain, from.loss);
    return head->gain != before.gain || head->loss != before.loss;
}

static bool make_changes(mangle_overlay *o)
{
    const mangle_program *p = o->base->program;
    const struct plan *plan = p->plan;
    struct changes *all = mgi_arena_alloc(&o->arena, sizeof *all);
    if (!all)
        return false;
    all->preds = mgi_arena_alloc(&o->arena, (p->pred_count + 1) * sizeof *all->preds);
    all->rules = mgi_arena_alloc(&o->arena, (plan->rule_count + 1) * sizeof *all->rules);
    if (!all->preds || !all->rules)
        return false;
    for (size_t i = 0; i < p->pred_count; i++)
        all->preds[i] = (struct change){ MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    for (uint32_t r = 0; r < plan->rule_count; r++)
        all->rules[r] = rule_change(o, &plan->rules[r]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < plan->rule_count; r++)
            changed |= spread_rule(o, all, &plan->rules[r]);
    }
    o->changes = all;
    return true;
}

static int64_t before(int64_t instant)
{
    return instant == MANGLE_MAX_TIME ? instant : instant - 1;
}

/* ---- one solution ---------------------------------------------------------------------------- */

static int64_t absent_until(struct graph *g, const struct op *op, enum mangle_status *st)
{
    struct eval *x = &g->o->eval;
    int64_t until = before(g->o->changes->preds[op->look->pred].gain);
    if (!op->spans)
        return until;
    const struct rel *rel = &x->rels[op->look->pred];
    struct frame f;
    for (bool resume = false; mgi_eval_scan(x, op->look, &f, resume, st); resume = true) {
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
static int64_t call_until(const mangle_overlay *o, mangle_pred pred)
{
    const struct change *c = &o->changes->preds[pred];
    return before(min_time(c->gain, c->loss));
}

static bool add_edge(struct graph *g, const struct place *place)
{
    size_t to = mgi_places_add(&g->places, place);
    if (to == SIZE_MAX || !mgi_grow(&g->edges, &g->edge_cap, g->edge_count + 1, sizeof(uint32_t)))
        return false;
    g->edges[g->edge_count++] = (uint32_t)to;
    return true;
}

/* What the premises of the solution at hand allow goes to `s`. */
static enum mangle_status read_premises(struct graph *g, const struct code *code, struct support *s)
{
    struct eval *x = &g->o->eval;
    const struct pred_plan *preds = g->o->base->program->plan->preds;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < code->op_count && !st; i++) {
        const struct op *op = &code->ops[i];
        if (op->kind == OP_SPAN && preds[code->ops[op->spans->scan].look->pred].moves)
            s->fixed = min_time(s->fixed, x->now_ns);
        else if (op->kind == OP_SPAN)
            s->fixed = min_time(s->fixed, mgi_spans_stand_until(x, op->spans, x->frames[i].span));
        else if (op->kind == OP_ABSENT)
            s->fixed = min_time(s->fixed, absent_until(g, op, &st));
        else if (op->kind == OP_DEFERRED)
            s->fixed = min_time(s->fixed, call_until(g->o, op->look->pred));
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
    if (g->rule->calls_now)
        s.fixed = x->now_ns;
    enum mangle_status st = read_premises(g, code, &s);
    return st ? st : add_support(g, &s);
}

/* ---- the graph ------------------------------------------------------------------------------- */

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
    g->group_support.fixed = before(g->o->changes->rules[g->rule->number].gain);
    g->group_support.first = (uint32_t)g->edge_count;
    if (g->rule->calls_now)
        g->group_support.fixed = g->o->eval.now_ns;
    st = mgi_goal_run(g->o, g->rule, head, take_support, g);
    return st ? st : add_support(g, &g->group_support);
}

static enum mangle_status expand(struct graph *g, uint32_t of)
{
    const struct plan *plan = g->o->base->program->plan;
    struct place head = g->places.items[of];
    const struct pred_plan *pred = &plan->preds[head.pred];
    enum mangle_status st = MANGLE_OK;
    g->of = of;
    if (g->o->base->program->preds[head.pred].lattice && pred->depends_on_now) /* may be replaced */
        return add_support(
            g, &(struct support){ true, call_until(g->o, head.pred), (uint32_t)g->edge_count, 0 });
    if (!pred->depends_on_now || mgi_place_given(g->o, &head) != GIVEN_NOT)
        return add_support(g, &(struct support){ true, MANGLE_MAX_TIME, 0, 0 });
    for (uint32_t i = 0; i < pred->rule_count && !st; i++) {
        g->rule = &plan->rules[pred->rules[i]];
        if (g->rule->is_do)
            st = expand_group(g, &head);
        else
            st = mgi_goal_run(g->o, g->rule, &head, take_support, g);
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
static bool settle_graph(struct graph *g)
{
    g->values = mgi_alloc(g->places.count * sizeof *g->values);
    if (!g->values)
        return false;
    for (size_t i = 0; i < g->places.count; i++)
        g->values[i] = MANGLE_MIN_TIME;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = g->places.count; i-- > 0;) {
            int64_t value = place_value(g, i);
            changed |= value != g->values[i];
            g->values[i] = value;
        }
    }
    return true;
}

enum mangle_status mangle_overlay_valid_until(mangle_overlay *o, const struct mangle_fact *fact,
                                              int64_t *until_ns)
{
    struct place place;
    if (!o->evaluated || o->failed)
        return MANGLE_ERR_INPUT;
    enum mangle_status st = mgi_place_find(o, fact, &place);
    if (st)
        return st;
    *until_ns = MANGLE_MAX_TIME;
    if (!o->base->program->plan->preds[place.pred].depends_on_now)
        return MANGLE_OK;
    struct graph g = { .o = o };
    if ((!o->changes && !make_changes(o)) || mgi_places_add(&g.places, &place) == SIZE_MAX)
        st = MANGLE_ERR_NOMEM;
    for (uint32_t i = 0; i < g.places.count && !st; i++) {
        st = expand(&g, i);
        if (!st && !mgi_grow(&g.ends, &g.ends_cap, i + 1, sizeof *g.ends))
            st = MANGLE_ERR_NOMEM;
        if (!st)
            g.ends[i] = (uint32_t)g.support_count;
    }
    if (!st && !settle_graph(&g))
        st = MANGLE_ERR_NOMEM;
    if (!st) /* a temporal fact whose parts cannot be told apart: it holds now */
        *until_ns = g.values[0] == MANGLE_MIN_TIME ? o->eval.now_ns : g.values[0];
    mgi_places_fini(&g.places);
    mgi_free(g.supports);
    mgi_free(g.ends);
    mgi_free(g.edges);
    mgi_free(g.values);
    return st;
}
