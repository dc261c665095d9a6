/* Which strata of an overlay may have anything to do.
 *
 * A request brings facts of a few predicates to a program of perhaps a thousand rules, and most of
 * these can find nothing: an atom of theirs has no rows, in the base or of the request. So each
 * stratum has predicates that wake it, and sleeps until one of them gets its first row. These are
 * the stratum's own; of a rule that looks for what is new, all that may have news; of one that
 * looks for everything, the first atom whose relation is empty in the base (what mgi_eval_idle()
 * would see of each rule). A stratum that has a rule of another kind is always awake. */
#include "mangle/run/eval.h"

#include <string.h>

#include "base/alloc.h"

/* A pass over what wakes strata: first it is counted, then put down. */
struct waking {
    const struct eval *x;
    struct wakes *wakes;
    uint32_t stratum;
    bool put;
};

static void wake_by(const struct waking *w, mangle_pred pred)
{
    struct wakes *all = w->wakes;
    if (w->put)
        all->strata[all->begin[pred + 1]++] = w->stratum;
    else
        all->begin[pred + 2]++;
}

/* An atom that has to have a row, and has none but the request's. */
static mangle_pred gate_of(const struct eval *x, const struct code *code)
{
    for (uint32_t i = 0; i < code->sure; i++) {
        const struct look *look = code->ops[i].look;
        if (code->ops[i].kind == OP_SCAN && !x->rels[look->pred].temporal &&
            x->rels[look->pred].first == 0)
            return look->pred;
    }
    return MANGLE_NO_PRED;
}

static bool wake_by_news(const struct waking *w, const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->delta_count; i++) {
        if (rule->deltas[i]->delta == MANGLE_NO_PRED)
            return false;
        wake_by(w, rule->deltas[i]->delta);
    }
    return true;
}

/* False: it may have something to do whatever the request brings. */
static bool wake_by_rule(const struct waking *w, const struct rule *rule)
{
    if (rule->deferred || (rule->is_do && !rule->per_request))
        return true; /* no overlay runs it */
    if (rule->is_do || rule->recalls)
        return false;
    if (!rule->per_request)
        return wake_by_news(w, rule) && (!rule->family || wake_by_news(w, &rule->family->shared));
    mangle_pred gate = gate_of(w->x, rule->full);
    if (gate != MANGLE_NO_PRED)
        wake_by(w, gate);
    return gate != MANGLE_NO_PRED;
}

static bool wake_by_something(const struct waking *w)
{
    const mangle_program *p = w->x->program;
    const struct stratum *s = &p->strata[w->stratum];
    for (uint32_t i = 0; i < s->pred_count; i++) {
        if (p->preds[s->preds[i]].lattice)
            return false;
        wake_by(w, s->preds[i]);
    }
    for (uint32_t i = 0; i < s->rule_count; i++)
        if (!wake_by_rule(w, &w->x->plan->rules[s->rules[i]]))
            return false;
    return true;
}

static void pass(struct eval *x, struct wakes *all, bool put)
{
    struct waking w = { .x = x, .wakes = all, .put = put };
    for (size_t i = 0; i < x->program->stratum_count; i++) {
        w.stratum = (uint32_t)i;
        all->always[i] = !wake_by_something(&w);
    }
}

bool mgi_wakes_init(struct eval *x)
{
    const mangle_program *p = x->program;
    struct wakes *all = &x->wakes;
    all->begin = mgi_calloc(p->pred_count + 3, sizeof *all->begin);
    all->always = mgi_calloc(p->stratum_count + 1, sizeof *all->always);
    all->awake = mgi_calloc(p->stratum_count + 1, sizeof *all->awake);
    if (!all->begin || !all->always || !all->awake)
        return false;
    pass(x, all, false);
    for (size_t i = 2; i < p->pred_count + 3; i++) /* counts become places */
        all->begin[i] += all->begin[i - 1];
    all->strata = mgi_calloc((size_t)all->begin[p->pred_count + 2] + 1, sizeof *all->strata);
    if (!all->strata)
        return false;
    pass(x, all, true);
    mgi_wakes_reset(x);
    return true;
}

void mgi_wakes_fini(struct eval *x)
{
    mgi_free(x->wakes.begin);
    mgi_free(x->wakes.strata);
    mgi_free(x->wakes.always);
    mgi_free(x->wakes.awake);
    x->wakes = (struct wakes){ 0 };
}

void mgi_wakes_reset(struct eval *x)
{
    memcpy(x->wakes.awake, x->wakes.always, x->program->stratum_count * sizeof *x->wakes.awake);
}

void mgi_wake(struct eval *x, mangle_pred pred)
{
    const struct wakes *all = &x->wakes;
    for (uint32_t i = all->strata ? all->begin[pred] : 0; all->strata && i < all->begin[pred + 1];
         i++)
        all->awake[all->strata[i]] = true;
}

bool mgi_is_awake(const struct eval *x, size_t stratum)
{
    return !x->wakes.strata || x->demanding || x->profile || x->wakes.awake[stratum];
}
