/* An overlay: one request's facts above a closed base, and what follows from them.
 *
 * Everything it takes (rows, values, lists) is kept at reset and used again; what has to be cleared
 * follows what was touched. */
#include "mangle/run/base.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static bool overlay_init(mangle_overlay *o)
{
    const mangle_program *p = o->base->program;
    o->values = mgi_values_new(o->base->values, 0);
    o->rels = mgi_calloc(p->pred_count + 1, sizeof *o->rels);
    o->lists = mgi_calloc(p->pred_count + 1, sizeof *o->lists);
    o->listed = mgi_calloc(p->pred_count + 1, sizeof *o->listed);
    o->asked = mgi_asked_new(p);
    o->matched = mgi_match_rows_new((uint32_t)p->pred_count);
    if (!o->values || !o->rels || !o->lists || !o->listed || !o->asked || !o->matched)
        return false;
    for (size_t i = 0; i < p->pred_count; i++) {
        const struct pred_plan *plan = &o->base->plan->preds[i];
        if (!mgi_rel_init(&o->rels[i], p->preds[i].arity, p->preds[i].temporal, plan->searches,
                          (uint32_t)plan->search_count, &o->base->rels[i]))
            return false;
        const struct lattice_decl *l = p->preds[i].lattice;
        if (l && !mgi_rel_make_lattice(&o->rels[i], l->source, l->source_count))
            return false;
    }
    bool ok = mgi_eval_init(&o->eval, p, o->base->plan, o->rels, o->values, true);
    o->eval.asked = o->asked;
    o->eval.asked_below = o->base->asked;
    return ok && mgi_wakes_init(&o->eval);
}

/* Until the limits are known, adding has none. */
static void open_overlay(mangle_overlay *o)
{
    struct mangle_limits given = { .max_intervals = -1, .max_facts = -1, .max_bytes = -1 };
    mgi_eval_begin(&o->eval, 0, &given, NULL);
    o->eval.birth = o->base->birth + 1;
}

enum mangle_status mangle_overlay_new(mangle_base *base, mangle_overlay **out)
{
    *out = NULL;
    if (!base->closed)
        return MANGLE_ERR_INPUT;
    mangle_overlay *o = mgi_calloc(1, sizeof *o);
    if (!o)
        return MANGLE_ERR_NOMEM;
    mgi_arena_init(&o->arena, 0);
    mgi_arena_init(&o->lasting, 0);
    o->base = mangle_base_ref(base);
    if (!overlay_init(o)) {
        mangle_overlay_free(o);
        return MANGLE_ERR_NOMEM;
    }
    open_overlay(o);
    *out = o;
    return MANGLE_OK;
}

void mangle_overlay_free(mangle_overlay *o)
{
    if (!o)
        return;
    for (size_t i = 0; o->rels && i < o->base->program->pred_count; i++)
        mgi_rel_fini(&o->rels[i]);
    mgi_free(o->rels);
    mgi_free(o->lists);
    mgi_free(o->listed);
    mgi_asked_free(o->base->program, o->asked);
    mgi_match_rows_free(o->matched);
    if (o->eval.program)
        mgi_called_forget(&o->eval);
    mgi_eval_fini(&o->eval);
    mgi_arena_fini(&o->arena);
    mgi_arena_fini(&o->lasting);
    mgi_values_free(o->values);
    mangle_base_unref(o->base);
    mgi_free(o);
}

void mangle_overlay_reset(mangle_overlay *o)
{
    struct eval *x = &o->eval;
    for (uint32_t i = 0; i < x->touched_count; i++)
        mgi_rel_reset(&o->rels[x->touched[i]]);
    for (uint32_t i = 0; i < o->listed_count; i++)
        o->lists[o->listed[i]] = (struct fact_list){ 0 };
    mgi_called_forget(x);
    mgi_asked_reset(o->base->program, o->asked);
    x->touched_count = 0;
    mgi_wakes_reset(x);
    o->listed_count = 0;
    o->changes = NULL;
    x->wanted = NULL;
    x->demanding = x->put_off = false;
    x->bytes = x->peak_bytes = 0;
    mgi_values_reset(o->values);
    mgi_arena_reset(&o->arena);
    mgi_arena_reset(&o->lasting);
    mgi_arena_reset(&x->scratch);
    o->evaluated = o->failed = false;
    open_overlay(o);
}

mangle_values *mangle_overlay_values(mangle_overlay *o)
{
    return o->values;
}

void mangle_overlay_set_host(mangle_overlay *o, void *host)
{
    o->eval.host = host;
}

void mangle_overlay_focus(mangle_overlay *o, const bool *preds)
{
    o->eval.wanted = preds;
}

static enum mangle_status refuse(struct mangle_error *err, const char *text, struct str name)
{
    if (err)
        snprintf(err->message, sizeof err->message, "%.*s%s", name.len > 130 ? 130 : (int)name.len,
                 name.len ? name.ptr : "", text);
    return MANGLE_ERR_INPUT;
}

static enum mangle_status give(mangle_overlay *o, mangle_pred pred, const mangle_value *args,
                               const struct mangle_interval *t, struct mangle_error *err)
{
    o->eval.err = err;
    enum mangle_status st = mgi_eval_give(&o->eval, pred, args, t ? *t : MANGLE_ALWAYS);
    o->failed = st != MANGLE_OK;
    o->eval.err = NULL;
    return st;
}

static enum mangle_status check_given(const mangle_overlay *o, mangle_pred pred,
                                      const mangle_value *args, uint32_t count,
                                      const struct mangle_interval *t, struct mangle_error *err)
{
    const mangle_program *p = o->base->program;
    if (o->evaluated || o->failed)
        return refuse(err, "the overlay is evaluated already", (struct str){ 0 });
    enum mangle_status st = mgi_fact_check(p, pred, args, count, t, err);
    if (st)
        return st;
    if (!p->preds[pred].assertable)
        return refuse(err, " is not open to facts of a request", p->preds[pred].name);
    return MANGLE_OK;
}

enum mangle_status mangle_overlay_add(mangle_overlay *o, mangle_pred pred, const mangle_value *args,
                                      uint32_t count, const struct mangle_interval *t,
                                      struct mangle_error *err)
{
    enum mangle_status st = check_given(o, pred, args, count, t, err);
    if (st)
        return st;
    const struct pred *known = &o->base->program->preds[pred];
    if (known->privileged && known->claimed == MANGLE_NO_PRED)
        return MANGLE_OK; /* called on demand: nobody could look at the claim */
    return give(o, known->privileged ? known->claimed : pred, args, t, err);
}

enum mangle_status mangle_overlay_vouch(mangle_overlay *o, mangle_pred pred,
                                        const mangle_value *args, uint32_t count,
                                        const struct mangle_interval *t, struct mangle_error *err)
{
    enum mangle_status st = check_given(o, pred, args, count, t, err);
    if (!st)
        st = give(o, pred, args, t, err);
    mangle_pred copy = st ? MANGLE_NO_PRED : o->base->program->preds[pred].vouched;
    return copy == MANGLE_NO_PRED ? st : give(o, copy, args, t, err);
}

/* After everything else, so that no rule sees it (M-TEMP-90). */
static enum mangle_status mark_now(mangle_overlay *o)
{
    struct eval *x = &o->eval;
    mangle_pred pred = o->base->program->now_marker;
    if (pred == MANGLE_NO_PRED)
        return MANGLE_OK;
    mangle_value now = mangle_time(o->values, x->now_ns);
    struct mangle_interval t = { x->now_ns, x->now_ns };
    enum mangle_status st = now ? mgi_eval_give(x, pred, &now, t) : mgi_eval_nomem(x);
    return st ? st : mgi_eval_settle_given(x, pred);
}

static enum mangle_status evaluate(mangle_overlay *o, int64_t *given)
{
    struct eval *x = &o->eval;
    *given = o->base->facts_given;
    enum mangle_status st = mgi_eval_now_facts(x);
    for (uint32_t i = 0; i < x->touched_count && !st; i++) {
        st = mgi_eval_settle_given(x, x->touched[i]);
        if (!mgi_is_vouched_copy(x->program, x->touched[i]))
            *given += mgi_rel_facts(&o->rels[x->touched[i]]);
    }
    if (!st)
        st = mgi_eval_strata(x);
    return st ? st : mark_now(o);
}

enum mangle_status mgi_overlay_complete(mangle_overlay *o, mangle_pred pred)
{
    struct eval *x = &o->eval;
    struct mangle_limits limits = x->limits;
    if (!o->evaluated || !(x->demanding || x->put_off) ||
        (pred != MANGLE_NO_PRED && !x->plan->preds[pred].demanded &&
         !mgi_is_put_off(x->program, pred)))
        return MANGLE_OK;
    x->limits.max_facts = o->max_facts;
    x->limits.max_bytes = o->max_bytes;
    x->derived = 0;
    enum mangle_status st = mgi_eval_complete(x);
    x->limits = limits;
    o->failed = st != MANGLE_OK;
    return st;
}

int64_t mangle_overlay_firings(const mangle_overlay *o, size_t rule)
{
    if (rule >= mangle_program_rule_count(o->base->program))
        return 0;
    return o->base->fired[rule] + (o->evaluated ? o->eval.fired[rule] : 0);
}

enum mangle_status mangle_overlay_eval(mangle_overlay *o, int64_t now_ns,
                                       const struct mangle_limits *limits,
                                       struct mangle_stats *stats, struct mangle_error *err)
{
    int64_t given;
    if (o->evaluated || o->failed)
        return refuse(err, "the overlay is evaluated already", (struct str){ 0 });
    struct eval *x = &o->eval;
    mgi_eval_begin(x, now_ns, limits, err);
    o->max_facts = x->limits.max_facts;
    o->max_bytes = x->limits.max_bytes;
    enum mangle_status st = evaluate(o, &given);
    x->err = NULL;
    x->limits = (struct mangle_limits){ .max_facts = -1, .max_intervals = -1, .max_bytes = -1 };
    o->failed = st != MANGLE_OK;
    o->evaluated = !o->failed;
    if (!st && stats)
        *stats = (struct mangle_stats){ .facts_given = given,
                                        .facts_derived = x->derived,
                                        .rule_firings = x->firings,
                                        .rounds = x->rounds,
                                        .bytes = x->peak_bytes };
    return st;
}
