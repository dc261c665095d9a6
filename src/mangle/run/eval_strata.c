/* From given facts to the perfect model: strata in order, each to its least fixpoint.
 *
 * A base runs the rules that no request can change, all solutions first, then those with news. An
 * overlay runs request rules that way and the others only with news, which at first is everything
 * that the overlay has of lower strata or was given of this one. do-rules come before the fixpoint
 * of their stratum (M-EVAL-22). News of a relation are a range: rel->lo, rel->hi. */
#include "mangle/run/rule_costs.h"

#include <string.h>

static uint32_t past_of(const struct rel *rel)
{
    return rel->temporal ? rel->times.count : mgi_rel_end(rel);
}

static uint32_t first_of(const struct rel *rel)
{
    return rel->temporal ? 0 : rel->first;
}

/* What the relation has of its own is news to whatever reads it later. */
static void publish(struct rel *rel)
{
    rel->lo = first_of(rel);
    rel->hi = past_of(rel);
}

static enum mangle_status check_worst(struct eval *x, mangle_pred pred, const struct coalesced *c)
{
    if (x->limits.max_intervals < 0 || c->worst <= x->limits.max_intervals)
        return MANGLE_OK;
    return mgi_eval_limit(x, MANGLE_LIMIT_INTERVALS, x->limits.max_intervals, c->worst, pred);
}

/* The intervals of every atom merged; *c: what came of it. */
static enum mangle_status coalesce(struct eval *x, mangle_pred pred, uint32_t old,
                                   struct coalesced *c)
{
    struct pace pace = mgi_eval_pace(x);
    if (!mgi_times_coalesce(&x->rels[pred], old, &pace, c))
        return mgi_eval_nomem(x);
    return c->stopped ? x->stopped : check_worst(x, pred, c);
}

enum mangle_status mgi_eval_settle_given(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    enum mangle_status st = MANGLE_OK;
    struct coalesced c;
    if (rel->temporal)
        st = coalesce(x, pred, 0, &c);
    rel->given = rel->count;
    publish(rel);
    if (!mgi_rel_mark(rel, x->birth))
        return mgi_eval_nomem(x);
    return st;
}

/* ---- one stratum ---------------------------------------------------------------------------- */

static bool concerns(const struct eval *x, const struct stratum *s)
{
    if (mgi_is_put_off(x->program, s->preds[0]))
        return false;
    if (x->overlay) {
        for (uint32_t i = 0; i < s->pred_count; i++)
            if (x->program->preds[s->preds[i]].changeable && mgi_eval_is_wanted(x, s->preds[i]))
                return true;
        return false;
    }
    for (uint32_t i = 0; i < s->rule_count; i++)
        if (!x->plan->rules[s->rules[i]].per_request)
            return true;
    for (uint32_t i = 0; i < s->pred_count; i++)
        if (x->program->preds[s->preds[i]].lattice)
            return true; /* its given facts are merged */
    return false;
}

/* A rule into a relation without rows: if it has no head twice, nobody need look whether they are
 * known. Not for requests, whose relations are small and stand on others. */
static void begin_fresh(struct eval *x, const struct rule *rule)
{
    bool fresh = rule->distinct && !x->overlay && !x->fresh_never && x->rels[rule->head].count == 0;
    x->fresh = fresh ? rule : NULL;
}

static enum mangle_status run_do_rules(struct eval *x, const struct stratum *s)
{
    for (uint32_t i = 0; i < s->rule_count; i++) {
        const struct rule *rule = &x->plan->rules[s->rules[i]];
        if (!rule->is_do || rule->deferred || rule->per_request != x->overlay ||
            !mgi_eval_is_wanted(x, rule->head))
            continue;
        begin_fresh(x, rule);
        enum mangle_status st = mgi_eval_aggregate(x, rule);
        x->fresh = NULL;
        if (st)
            return st;
    }
    return MANGLE_OK;
}

static bool is_guarded(const struct eval *x, const struct rule *rule)
{
    return x->demanding && rule->guarded;
}

static enum mangle_status run_deltas(struct eval *x, const struct rule *rule, bool lower)
{
    struct code *const *codes = is_guarded(x, rule) ? rule->guarded : rule->deltas;
    for (uint32_t i = 0; i < rule->delta_count; i++) {
        const struct code *code = codes[i];
        const struct rel *rel = &x->rels[code->delta];
        if ((!lower && !code->delta_component) || rel->lo == rel->hi || mgi_eval_idle(x, code))
            continue;
        bool later = code->later &&
                     (x->later_always || mgi_eval_cost(x, code->later) < mgi_eval_cost(x, code));
        enum mangle_status st = mgi_eval_code(x, later ? code->later : code);
        if (st)
            return st;
    }
    return MANGLE_OK;
}

static enum mangle_status run_news(struct eval *x, const struct rule *rule)
{
    return run_deltas(x, rule, true);
}

/* Are all solutions of the rule looked for, or only those with something new? */
static bool runs_in_full(const struct eval *x, const struct rule *rule)
{
    return rule->per_request == x->overlay || (x->overlay && x->catching_up);
}

static enum mangle_status run_first_round(struct eval *x, const struct stratum *s)
{
    for (uint32_t i = 0; i < s->rule_count; i++) {
        const struct rule *rule = &x->plan->rules[s->rules[i]];
        enum mangle_status st = MANGLE_OK;
        if (rule->is_do || rule->deferred || !mgi_eval_is_wanted(x, rule->head))
            continue;
        begin_fresh(x, rule);
        if (runs_in_full(x, rule))
            st = mgi_eval_idle(x, rule->full) ? MANGLE_OK : mgi_eval_code(x, rule->full);
        else if (x->overlay)
            st = rule->family && !is_guarded(x, rule) ? mgi_eval_family(x, rule->family, run_news)
                                                      : run_deltas(x, rule, true);
        x->fresh = NULL;
        if (st)
            return st;
    }
    return MANGLE_OK;
}

static enum mangle_status run_next_round(struct eval *x, const struct stratum *s)
{
    for (uint32_t i = 0; i < s->rule_count; i++) {
        const struct rule *rule = &x->plan->rules[s->rules[i]];
        if (!x->overlay && rule->per_request)
            continue;
        if (rule->deferred || rule->is_do || !mgi_eval_is_wanted(x, rule->head))
            continue;
        enum mangle_status st =
            rule->recalls ? mgi_eval_code(x, rule->full) : run_deltas(x, rule, false);
        if (st)
            return st;
    }
    return MANGLE_OK;
}

/* What was added since becomes the news of the next round. *any: there is some. */
static enum mangle_status advance(struct eval *x, const struct stratum *s, bool *any)
{
    *any = false;
    x->rounds++;
    x->birth++;
    for (uint32_t i = 0; i < s->pred_count; i++) {
        struct rel *rel = &x->rels[s->preds[i]];
        enum mangle_status st = mgi_best_release(x, s->preds[i], !s->recursive);
        if (st)
            return st;
        rel->lo = rel->hi;
        rel->hi = past_of(rel);
        *any |= rel->lo != rel->hi;
        if (!mgi_rel_mark(rel, x->birth))
            return mgi_eval_nomem(x);
    }
    return MANGLE_OK;
}

static enum mangle_status finish(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    enum mangle_status st = MANGLE_OK;
    if (rel->temporal && rel->times.count != rel->before) {
        struct coalesced c;
        st = coalesce(x, pred, rel->before, &c);
        x->derived += (int64_t)c.fresh - rel->made; /* M-LIM-12 */
    }
    rel->settled = true;
    publish(rel);
    return st;
}

static enum mangle_status run_rounds(struct eval *x, const struct stratum *s)
{
    x->iteration = 0;
    enum mangle_status st = run_first_round(x, s);
    for (bool any = true; !st;) {
        st = advance(x, s, &any);
        if (st || !any)
            break;
        x->iteration++;
        if (s->recursive)
            st = run_next_round(x, s);
    }
    return st;
}

/* What was given, what do-rules added, and what families did: it is older than what rounds find. */
static enum mangle_status publish_before(struct eval *x, mangle_pred pred)
{
    enum mangle_status st = mgi_best_release(x, pred, true);
    if (st)
        return st;
    publish(&x->rels[pred]);
    return mgi_rel_mark(&x->rels[pred], x->birth) ? MANGLE_OK : mgi_eval_nomem(x);
}

static enum mangle_status run_stratum(struct eval *x, const struct stratum *s)
{
    for (uint32_t i = 0; i < s->pred_count; i++) {
        struct rel *rel = &x->rels[s->preds[i]];
        rel->before = rel->times.count;
        rel->made = 0;
        rel->settled = !rel->temporal;
    }
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < s->pred_count && !st; i++)
        if (x->program->preds[s->preds[i]].lattice)
            st = mgi_lattice_settle_given(x, s->preds[i]);
    if (!st)
        st = run_do_rules(x, s);
    for (uint32_t i = 0; i < s->pred_count && !st; i++)
        st = publish_before(x, s->preds[i]);
    if (!st)
        st = run_rounds(x, s);
    for (uint32_t i = 0; i < s->pred_count && !st; i++)
        st = finish(x, s->preds[i]);
    return st;
}

static enum mangle_status run_put_off(struct eval *x, mangle_pred pred)
{
    x->catching_up = true;
    enum mangle_status st = run_stratum(x, &x->program->strata[x->program->preds[pred].stratum]);
    x->catching_up = false;
    return st;
}

/* The keeper `pred` has all of what it keeps the best of (check/least.h). */
static enum mangle_status give_up(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    mangle_pred original = x->program->preds[pred].original;
    bool touched = rel->touched;
    if (x->err)
        *x->err = (struct mangle_error){ 0 };
    x->queue.count = 0;
    mgi_rel_reset(rel);
    rel->touched = touched; /* it stands among those to reset */
    mgi_eval_touch(x, pred);
    rel->lattice->given_up = true;
    enum mangle_status st = run_put_off(x, original);
    for (uint32_t row = 0; !st && row < mgi_rel_end(&x->rels[original]); row++) {
        st = mgi_eval_give(x, pred, mgi_rel_row(&x->rels[original], row), MANGLE_ALWAYS);
        if (!st)
            st = mgi_eval_step(x);
    }
    return st ? st : finish(x, pred);
}

/* A keeper's fixpoint. Its errors are those of the original, if that has them, too. */
static enum mangle_status run_keeper(struct eval *x, const struct stratum *s)
{
    struct rel *rel = &x->rels[s->preds[0]];
    int64_t derived = x->derived;
    bool without = x->least_never || (rel->below && rel->below->lattice->given_up);
    enum mangle_status st = without ? MANGLE_ERR_EVAL : run_stratum(x, s);
    if (st != MANGLE_ERR_EVAL)
        return st;
    x->derived = derived;
    return give_up(x, s->preds[0]);
}

static bool is_keeper(const struct eval *x, const struct stratum *s)
{
    const struct lattice_decl *l = x->program->preds[s->preds[0]].lattice;
    return l && l->merge == MANGLE_NO_PRED;
}

static enum mangle_status run_whole(struct eval *x, const struct stratum *s)
{
    return is_keeper(x, s) ? run_keeper(x, s) : run_stratum(x, s);
}

static enum mangle_status run_measured(struct eval *x, size_t stratum)
{
    const struct mangle_limits *limits = &x->limits;
    int64_t began = limits->clock(limits->clock_context);
    enum mangle_status st = run_whole(x, &x->program->strata[stratum]);
    limits->stratum_ns[stratum] += limits->clock(limits->clock_context) - began;
    return st;
}

/* One that sleeps is as if it had run: it would have had one round, without news. */
static enum mangle_status run_if_awake(struct eval *x, size_t stratum, bool measured)
{
    if (!mgi_is_awake(x, stratum)) {
        x->rounds++;
        x->birth++;
        return MANGLE_OK;
    }
    return measured ? run_measured(x, stratum) : run_whole(x, &x->program->strata[stratum]);
}

/* All of them, or those that wait for demand, or those that do not. */
static enum mangle_status run_strata(struct eval *x, bool all, bool waiting)
{
    bool measured = x->limits.stratum_ns && x->limits.clock;
    enum mangle_status st = MANGLE_OK;
    for (size_t i = 0; i < x->program->stratum_count && !st; i++)
        if ((all || x->plan->demand->waits[i] == waiting) && concerns(x, &x->program->strata[i]))
            st = run_if_awake(x, i, measured);
    return st;
}

/* Asking begins where a request brings something. If the base has some of it, what is asked for
 * would be as large as the base. */
static bool demand_pays(const struct eval *x)
{
    const struct demand *d = x->plan->demand;
    if (!d || !x->overlay || x->wanted || x->demand == DEMAND_NEVER)
        return false;
    for (uint32_t i = 0; i < d->seed_count && x->demand != DEMAND_ALWAYS; i++)
        if (x->rels[d->seeds[i]].first > 0)
            return false;
    return true;
}

static bool is_demanded(const struct eval *x, const struct stratum *s)
{
    return x->plan->preds[s->preds[0]].demanded;
}

/* What was derived of it goes, and comes again with everything: as if nobody had asked. */
static void forget_demanded(struct eval *x)
{
    for (size_t i = 0; i < x->program->pred_count; i++) {
        struct rel *rel = &x->rels[i];
        bool touched = rel->touched;
        if (!x->plan->preds[i].demanded)
            continue;
        mgi_rel_reset(rel);
        rel->touched = touched; /* it stands among those to reset */
    }
    memset(x->families_ran, 0, x->plan->family_count * sizeof *x->families_ran);
}

enum mangle_status mgi_eval_complete(struct eval *x)
{
    const mangle_program *p = x->program;
    enum mangle_status st = MANGLE_OK;
    bool demanded = x->demanding, put_off = x->put_off;
    x->demanding = x->put_off = false;
    if (demanded)
        forget_demanded(x);
    for (size_t i = 0; i < p->stratum_count && !st; i++) {
        if (demanded && is_demanded(x, &p->strata[i]))
            st = run_stratum(x, &p->strata[i]);
        else if (put_off && mgi_is_put_off(p, p->strata[i].preds[0]))
            st = run_put_off(x, p->strata[i].preds[0]);
    }
    return st || (!demanded && !put_off) ? st : mgi_eval_check(x);
}

enum mangle_status mgi_eval_strata(struct eval *x)
{
    enum mangle_status st = MANGLE_OK;
    memset(x->families_ran, 0, x->plan->family_count * sizeof *x->families_ran);
    memset(x->fired, 0, (x->plan->rule_count + x->plan->asking_count) * sizeof *x->fired);
    x->counting = x->asking = true;
    mgi_costs_begin(x);
    x->demanding = demand_pays(x);
    x->put_off = x->overlay && x->program->puts_off;
    if (x->demanding) {
        st = run_strata(x, false, false);
        st = st ? st : run_stratum(x, &x->plan->demand->stratum);
        st = st ? st : run_strata(x, false, true);
    } else {
        st = run_strata(x, true, true);
    }
    x->counting = x->asking = false;
    mgi_costs_end(x);
    return st ? st : mgi_eval_check(x);
}

/* ---- facts that read now --------------------------------------------------------------------- */

static int64_t fact_instant(const struct eval *x, const struct time_bound *b, int64_t open)
{
    if (b->kind == BOUND_NOW)
        return x->now_ns;
    return b->kind == BOUND_OPEN ? open : b->ns;
}

enum mangle_status mgi_eval_now_facts(struct eval *x)
{
    for (size_t i = 0; x->plan->has_now_facts && i < x->program->fact_count; i++) {
        const struct fact *f = &x->program->facts[i];
        if (!f->reads_now)
            continue;
        struct mangle_interval t = MANGLE_ALWAYS;
        if (f->annotation.present) {
            t.start_ns = fact_instant(x, &f->annotation.start, MANGLE_MIN_TIME);
            t.end_ns = fact_instant(x, &f->annotation.end, MANGLE_MAX_TIME);
        }
        if (t.start_ns > t.end_ns) /* M-TEMP-14 */
            continue;
        const struct atom *head = &f->clause->head;
        enum mangle_status st = MANGLE_OK;
        for (uint32_t a = 0; a < head->count && !st; a++)
            st = mgi_eval_term(x, &head->args[a], &x->key[a]);
        if (!st)
            st = mgi_eval_give(x, f->pred, x->key, t);
        if (st)
            return st;
    }
    return MANGLE_OK;
}
