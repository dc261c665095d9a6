/* When a fact may appear: rules are followed from a head that is known in part, premise by premise,
 * over the facts that there are now.
 *
 * A body that has no solution for these values now can have one only when some premise gains, and
 * not before each of its premises can hold. Of every way through the body, both are kept: `ready`,
 * the latest of the instants before which some premise cannot hold, and `gain`, the earliest at
 * which one may begin to. The later of the two is when this way may be open first; the earliest
 * over all ways, all rules, is the answer. A premise over facts that time does not change cuts off
 * the ways for which there is no row, which is most of them.
 *
 * A fact whose arguments move with the clock is another one each nanosecond. So a premise over a
 * predicate of such facts is not looked up: its rules stand in its place.
 *
 * Work is bounded by steps (rows looked at); beyond, answers are those of whole predicates. */
#include "mangle/proof/foresee_atom.h"

#include <string.h>

#include "base/alloc.h"

#define DEPTH_MAX    16 /* questions within questions */
#define PREMISES_MAX 48
#define UNFOLD_MAX   6 /* rules within rules */
#define ROWS_MAX     8 /* so many facts in the way are looked at one by one */

static int64_t foresee(struct sight *s, mangle_pred pred, const mangle_value *pattern);
static void follow(struct way *w, uint32_t premise, int64_t ready, int64_t gain);

static void close_way(struct way *w, int64_t ready, int64_t gain)
{
    w->best = mgi_earlier(w->best, mgi_later(ready, gain));
}

/* ---- atoms ----------------------------------------------------------------------------------- */

/* The intervals of a row: those that count now, and those that will. */
static void follow_row(struct way *w, uint32_t premise, const struct atom_sight *a, uint32_t row,
                       int64_t ready, int64_t gain)
{
    struct eval *x = &w->s->o->eval;
    const struct rel *rel = &w->s->o->rels[a->m->atom.pred];
    const uint32_t *words = mgi_rel_row(rel, row);
    struct frame f;
    if (!mgi_way_repeats_fit(w, premise, &a->m->atom, words))
        return;
    if (!a->spans) {
        mgi_way_bind_row(w, premise, &a->m->atom, words);
        follow(w, premise + 1, ready, gain);
        return;
    }
    uint32_t count = 0;
    static const struct mangle_interval always = { MANGLE_MIN_TIME, MANGLE_MAX_TIME };
    const struct mangle_interval *run =
        rel->temporal ? mgi_times_run(rel, row, &count) : (count = 1, &always);
    if (mgi_spans_prepare(x, a->spans, &f)) {
        close_way(w, ready, mgi_behind(x->now_ns));
        return;
    }
    for (uint32_t i = 0; run && i < count && !w->s->st; i++) {
        if (run[i].end_ns < f.min_end)
            continue;
        int64_t enters = MANGLE_MIN_TIME;
        if (run[i].start_ns > f.max_start)
            enters = mgi_spans_enter_at(x, a->spans, run[i]);
        if (enters == MANGLE_MAX_TIME)
            continue;
        mgi_way_bind_row(w, premise, &a->m->atom, words);
        mgi_way_bind_span(w, premise, a->m, run[i]);
        follow(w, premise + 1, mgi_later(ready, enters),
               enters == MANGLE_MIN_TIME ? gain : mgi_earlier(gain, enters));
    }
}

/* A row that is not there yet, with whatever values. */
static void follow_unknown(struct way *w, uint32_t premise, int64_t ready, int64_t gain)
{
    if (ready == MANGLE_MAX_TIME)
        return;
    mgi_way_pass_on(w, premise);
    follow(w, premise + 1, ready, gain);
}

static void follow_present(struct way *w, uint32_t premise, const struct atom_sight *a,
                           int64_t ready, int64_t gain)
{
    for (size_t i = 0; i < a->count && !w->s->st; i++)
        follow_row(w, premise, a, a->rows[i], ready, gain);
    if (a->plan->depends_on_now) {
        int64_t g = foresee(w->s, a->m->atom.pred, a->pattern);
        follow_unknown(w, premise, mgi_later(ready, g), mgi_earlier(gain, g));
    }
}

/* Until when does one of these facts stand? All have to go. */
static int64_t present_until(struct way *w, const struct atom_sight *a)
{
    struct sight *s = w->s;
    int64_t until = MANGLE_MIN_TIME;
    if (a->count > ROWS_MAX || s->f->depth >= DEPTH_MAX || s->o->rels[a->m->atom.pred].temporal)
        return MANGLE_MIN_TIME;
    s->f->depth++;
    for (size_t i = 0; i < a->count && !s->st; i++) {
        struct place place = { a->m->atom.pred, a->rows[i], MANGLE_ALWAYS };
        int64_t one = MANGLE_MIN_TIME;
        s->st = s->f->place_until(s->o, &place, s->f, &one);
        until = mgi_later(until, one);
    }
    s->f->depth--;
    return until;
}

static void follow_absent(struct way *w, uint32_t premise, const struct atom_sight *a,
                          int64_t ready, int64_t gain)
{
    struct change c = mgi_changes_pred(w->s->o, a->m->atom.pred, &w->s->st);
    int64_t until = MANGLE_MIN_TIME;
    for (size_t i = 0; i < a->count; i++)
        until = mgi_later(until, mgi_sight_blocked_until(w, a, a->rows[i]));
    if (until == MANGLE_MIN_TIME) {
        follow_unknown(w, premise, ready, gain); /* nothing is in the way now */
        return;
    }
    int64_t gone =
        mgi_earlier(mgi_behind(until), mgi_later(c.loss, mgi_behind(present_until(w, a))));
    if (a->vague) /* perhaps nothing is */
        follow_unknown(w, premise, ready, mgi_earlier(gain, gone));
    else
        follow_unknown(w, premise, mgi_later(ready, gone), mgi_earlier(gain, gone));
}

/* Not stored, or not to be told apart: whenever anything changes below it. */
static void follow_vague(struct way *w, uint32_t premise, const struct premise *m, int64_t ready,
                         int64_t gain)
{
    mangle_overlay *o = w->s->o;
    struct change c = mgi_changes_pred(o, m->atom.pred, &w->s->st);
    int64_t any = mgi_earlier(c.gain, c.loss);
    if (m->kind == PREMISE_TEMPORAL) {
        const struct spans *s = mgi_sight_find_spans(w->rule, premise);
        struct change l = { mgi_behind(o->eval.now_ns), mgi_behind(o->eval.now_ns) };
        const struct rel *rel = &o->rels[m->atom.pred];
        w->s->f->steps -= rel->times.count + (rel->below ? rel->below->times.count : 0);
        if (s)
            l = mgi_changes_literal(w->s->o, s, m->atom.pred);
        any = mgi_earlier(any, mgi_earlier(l.gain, l.loss));
    }
    follow_unknown(w, premise, ready, mgi_earlier(gain, any));
}

/* ---- rules in place of premises ---------------------------------------------------------------
 */

/* The values of the atom's arguments go to the rule's head. False: this head can never be it. */
static bool enter_rule(struct way *in, const struct atom *atom)
{
    struct eval *x = &in->s->o->eval;
    const struct atom *head = &in->rule->clause->head;
    struct moving *env = mgi_way_env(in, 0);
    for (uint32_t i = 0; i < head->count; i++) {
        const struct term *t = &head->args[i];
        struct moving v;
        if (!mgi_moving_term(x, &atom->args[i], mgi_way_env(in->outer, in->at), &v)) {
            in->s->st = MANGLE_ERR_NOMEM;
            return false;
        }
        if (!v.known || t->kind == TERM_APPLY)
            continue;
        if (t->kind == TERM_CONST && mgi_moving_still(&v) && v.value != t->value)
            return false;
        if (t->kind == TERM_VAR && !env[t->var].known)
            env[t->var] = v;
    }
    return true;
}

/* Its body is through: the values of its head go to the atom that it stands for. */
static void leave_rule(struct way *in, int64_t ready, int64_t gain)
{
    struct eval *x = &in->s->o->eval;
    struct way *w = in->outer;
    const struct clause *c = in->rule->clause;
    const struct atom *atom = &w->rule->clause->premises[in->at].atom;
    struct moving *env = mgi_way_pass_on(w, in->at);
    for (uint32_t i = 0; i < atom->count; i++) {
        const struct term *t = &atom->args[i];
        struct moving made, wanted;
        if (!mgi_moving_term(x, &c->head.args[i], mgi_way_env(in, c->premise_count), &made) ||
            !mgi_moving_term(x, t, env, &wanted)) {
            in->s->st = MANGLE_ERR_NOMEM;
            return;
        }
        if (t->kind == TERM_VAR && !wanted.known)
            env[t->var] = made;
        else if (!mgi_moving_still(&made) || !mgi_moving_still(&wanted))
            gain = mgi_earlier(gain, mgi_behind(x->now_ns)); /* who knows when they meet */
        else if (made.known && wanted.known && made.value != wanted.value)
            return;
    }
    follow(w, in->at + 1, ready, gain);
    in->best = w->best;
}

static void unfold_rule(struct way *w, uint32_t premise, const struct rule *rule, int64_t ready,
                        int64_t gain)
{
    const struct clause *c = rule->clause;
    struct way in = { .s = w->s, .rule = rule, .best = w->best, .outer = w, .at = premise };
    in.envs = mgi_alloc(((size_t)(c->premise_count + 1) * c->var_count + 1) * sizeof *in.envs);
    if (!in.envs) {
        w->s->st = MANGLE_ERR_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < c->var_count; i++)
        in.envs[i] = MOVING_NOTHING;
    if (enter_rule(&in, &w->rule->clause->premises[premise].atom))
        follow(&in, 0, ready, gain);
    w->best = mgi_earlier(w->best, in.best);
    mgi_free(in.envs);
}

/* Facts of this predicate move with the clock, and its rules can stand for them. */
static bool can_unfold(const struct way *w, const struct atom_sight *a)
{
    const struct plan *plan = w->s->o->base->program->plan;
    const struct rel *rel = &w->s->o->rels[a->m->atom.pred];
    bool calls = false;
    unsigned depth = 0;
    if (a->m->kind != PREMISE_ATOM || a->m->negated || a->pred->temporal || rel->given > 0 ||
        (rel->below && rel->below->given > 0))
        return false;
    for (const struct way *in = w; in; in = in->outer, depth++)
        if (in->rule->head == a->m->atom.pred)
            return false;
    for (uint32_t i = 0; i < a->plan->rule_count; i++) {
        const struct rule *rule = &plan->rules[a->plan->rules[i]];
        if (rule->clause->transform || rule->clause->premise_count > PREMISES_MAX)
            return false;
        calls |= rule->calls_now;
    }
    return calls && depth < UNFOLD_MAX;
}

static void unfold(struct way *w, uint32_t premise, const struct atom_sight *a, int64_t ready,
                   int64_t gain)
{
    const struct plan *plan = w->s->o->base->program->plan;
    for (uint32_t i = 0; i < a->plan->rule_count && !w->s->st; i++)
        unfold_rule(w, premise, &plan->rules[a->plan->rules[i]], ready, gain);
}

static void follow_atom(struct way *w, uint32_t premise, int64_t ready, int64_t gain)
{
    mangle_overlay *o = w->s->o;
    const struct premise *m = &w->rule->clause->premises[premise];
    const mangle_program *p = o->base->program;
    struct atom_sight a = { .m = m,
                            .pred = &p->preds[m->atom.pred],
                            .plan = &p->plan->preds[m->atom.pred] };
    int64_t until;
    bool temporal = m->kind == PREMISE_TEMPORAL;
    if (a.pred->deferred || a.pred->external || a.pred->lattice ||
        (temporal && !mgi_sight_spans(w, premise, &a))) {
        follow_vague(w, premise, m, ready, gain);
        return;
    }
    if (can_unfold(w, &a)) {
        unfold(w, premise, &a, ready, gain);
        return;
    }
    if (!mgi_sight_pattern(w, premise, &a, &until)) {
        w->s->st = MANGLE_ERR_NOMEM;
        return;
    }
    if (until != MANGLE_MAX_TIME)
        close_way(w, ready, mgi_behind(until)); /* then it asks for other rows */
    a.rows = mgi_overlay_matching(o, m->atom.pred, a.pattern, &a.count, &w->s->f->steps);
    if (!a.rows)
        w->s->st = MANGLE_ERR_NOMEM;
    else if (m->negated)
        follow_absent(w, premise, &a, ready, gain);
    else
        follow_present(w, premise, &a, ready, gain);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void follow_test(struct way *w, uint32_t premise, int64_t ready, int64_t gain)
{
    const struct premise *m = &w->rule->clause->premises[premise];
    enum moving_outcome outcome;
    int64_t until;
    if (!mgi_moving_test(&w->s->o->eval, m, mgi_way_pass_on(w, premise), &outcome, &until)) {
        w->s->st = MANGLE_ERR_NOMEM;
        return;
    }
    if (outcome == MOVING_FAILS && until == MANGLE_MAX_TIME)
        return;
    if (outcome == MOVING_FAILS)
        ready = mgi_later(ready, mgi_behind(until));
    if (outcome != MOVING_HOLDS || until != MANGLE_MAX_TIME)
        gain = mgi_earlier(gain, mgi_behind(until));
    follow(w, premise + 1, ready, gain);
}

static void follow(struct way *w, uint32_t premise, int64_t ready, int64_t gain)
{
    const struct clause *c = w->rule->clause;
    if (w->s->st || mgi_later(ready, MANGLE_MIN_TIME) >= w->best)
        return;
    if (--w->s->f->steps < 0) { /* nobody knows: the caller falls back */
        w->best = MANGLE_MIN_TIME;
        return;
    }
    if (premise == c->premise_count) {
        if (w->outer)
            leave_rule(w, ready, gain);
        else
            close_way(w, ready, gain);
        return;
    }
    if (mgi_premise_is_atom(&c->premises[premise]))
        follow_atom(w, premise, ready, gain);
    else
        follow_test(w, premise, ready, gain);
}

/* What the head's values say of the variables. False: this head can never be it. */
static bool take_head(const struct way *w, const mangle_value *pattern)
{
    const struct atom *head = &w->rule->clause->head;
    struct moving *env = mgi_way_env(w, 0);
    for (uint32_t i = 0; i < head->count; i++) {
        const struct term *t = &head->args[i];
        if (pattern[i] == MANGLE_NONE || t->kind == TERM_APPLY)
            continue;
        if (t->kind == TERM_CONST && t->value != pattern[i])
            return false;
        if (t->kind == TERM_VAR && env[t->var].known && env[t->var].value != pattern[i])
            return false;
        if (t->kind == TERM_VAR)
            env[t->var] = MOVING_STILL(pattern[i]);
    }
    return true;
}

/* Variables that a transform sets have no value in the body. */
static bool is_made(const struct clause *c, uint32_t var)
{
    for (uint32_t i = 0; c->transform && i < c->transform->let_count; i++)
        if (c->transform->lets[i].var == var)
            return true;
    return false;
}

/* What mgi_changes_rule() says of the whole body, or better; MANGLE_MIN_TIME of `best` means that
 * steps ran out.
 */
static int64_t body_appears(struct sight *s, const struct rule *rule, const mangle_value *pattern,
                            const mangle_value *vars)
{
    const struct clause *c = rule->clause;
    if (pattern && !mgi_rule_may_make(rule, pattern))
        return MANGLE_MAX_TIME;
    int64_t coarse = mgi_changes_rule(s->o, rule, &s->st).gain;
    if (c->premise_count > PREMISES_MAX || rule->deferred || coarse == MANGLE_MAX_TIME || s->st)
        return coarse;
    struct way w = { .s = s, .rule = rule, .best = MANGLE_MAX_TIME };
    w.envs = mgi_calloc((size_t)(c->premise_count + 1) * c->var_count + 1, sizeof *w.envs);
    if (!w.envs) {
        s->st = MANGLE_ERR_NOMEM;
        return coarse;
    }
    for (uint32_t i = 0; i < c->var_count; i++) {
        bool known = vars && vars[i] != MANGLE_NONE;
        w.envs[i] = known ? MOVING_STILL(vars[i]) : MOVING_NOTHING;
    }
    if (!pattern || take_head(&w, pattern)) {
        for (uint32_t i = 0; i < c->var_count; i++)
            if (is_made(c, i))
                w.envs[i] = MOVING_NOTHING;
        follow(&w, 0, MANGLE_MIN_TIME, MANGLE_MAX_TIME);
    }
    mgi_free(w.envs);
    return mgi_later(coarse, w.best);
}

static bool is_asked(const struct sight *s, mangle_pred pred, const mangle_value *pattern,
                     uint32_t arity)
{
    for (const struct question *q = s->inner; q; q = q->outer)
        if (q->pred == pred && memcmp(q->pattern, pattern, arity * sizeof *pattern) == 0)
            return true;
    return false;
}

static int64_t foresee(struct sight *s, mangle_pred pred, const mangle_value *pattern)
{
    const mangle_program *p = s->o->base->program;
    const struct pred_plan *plan = &p->plan->preds[pred];
    int64_t coarse = mgi_changes_pred(s->o, pred, &s->st).gain, appears = MANGLE_MAX_TIME;
    if (!plan->depends_on_now || coarse == MANGLE_MAX_TIME)
        return MANGLE_MAX_TIME;
    if (plan->moves || p->preds[pred].lattice || p->preds[pred].external ||
        p->preds[pred].deferred || s->f->depth >= DEPTH_MAX ||
        is_asked(s, pred, pattern, p->preds[pred].arity))
        return coarse;
    struct question here = { s->inner, pred, pattern };
    s->inner = &here;
    s->f->depth++;
    for (uint32_t i = 0; i < plan->rule_count && !s->st && appears > coarse; i++) {
        const struct rule *rule = &p->plan->rules[plan->rules[i]];
        int64_t body = rule->is_do ? coarse : body_appears(s, rule, pattern, NULL);
        appears = mgi_earlier(appears, body);
    }
    s->f->depth--;
    s->inner = here.outer;
    return mgi_later(coarse, appears);
}

enum mangle_status mgi_foresee(mangle_overlay *o, struct foresight *f, mangle_pred pred,
                               const mangle_value *pattern, int64_t *appears)
{
    struct sight s = { .o = o, .f = f, .st = mgi_changes_make(o) };
    if (!s.st)
        *appears = foresee(&s, pred, pattern);
    return s.st;
}

enum mangle_status mgi_foresee_body(mangle_overlay *o, struct foresight *f, const struct rule *rule,
                                    const mangle_value *vars, int64_t *appears)
{
    struct sight s = { .o = o, .f = f, .st = mgi_changes_make(o) };
    if (!s.st)
        *appears = body_appears(&s, rule, NULL, vars);
    return s.st;
}
