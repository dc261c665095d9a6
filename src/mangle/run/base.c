/* A base: facts of the owner, then, once closed, everything that follows from them whatever a
 * request adds. Closing is the main line of this file. */
#include "mangle/run/base.h"

#include <stdio.h>

#include "base/alloc.h"
#include "mangle/program/diag.h"
#include "mangle/check/target.h"

static void base_free(mangle_base *base)
{
    for (size_t i = 0; base->rels && i < base->program->pred_count; i++)
        mgi_rel_fini(&base->rels[i]);
    mgi_free(base->rels);
    mgi_eval_fini(&base->eval);
    mgi_free(base->fired);
    mgi_asked_free(base->program, base->asked);
    mgi_values_free(base->values);
    mgi_arena_fini(&base->arena);
    mangle_program_unref(base->program);
    mgi_free(base);
}

static bool base_init(mangle_base *base)
{
    const mangle_program *p = base->program;
    base->values = mgi_values_clone(p->values);
    base->rels = mgi_calloc(p->pred_count + 1, sizeof *base->rels);
    base->asked = mgi_asked_new(p);
    if (!base->values || !base->rels || !base->asked)
        return false;
    for (size_t i = 0; i < p->pred_count; i++) {
        const struct pred_plan *plan = &p->plan->preds[i];
        if (!mgi_rel_init(&base->rels[i], p->preds[i].arity, p->preds[i].temporal, plan->searches,
                          (uint32_t)plan->search_count, NULL))
            return false;
        const struct lattice_decl *l = p->preds[i].lattice;
        if (l && !mgi_rel_make_lattice(&base->rels[i], l->source, l->source_count))
            return false;
    }
    bool ok = mgi_eval_init(&base->eval, p, p->plan, base->rels, base->values, false);
    base->eval.asked = base->asked;
    return ok;
}

enum mangle_status mangle_base_new(mangle_program *program, mangle_base **out)
{
    *out = NULL;
    mangle_base *base = mgi_calloc(1, sizeof *base);
    if (!base)
        return MANGLE_ERR_NOMEM;
    atomic_init(&base->refs, 1);
    base->program = mangle_program_ref(program);
    base->plan = program->plan;
    mgi_arena_init(&base->arena, 0);
    if (!base_init(base)) {
        base_free(base);
        return MANGLE_ERR_NOMEM;
    }
    struct mangle_limits given = { .max_intervals = -1, .max_facts = -1, .max_bytes = -1 };
    mgi_eval_begin(&base->eval, 0, &given, NULL);
    *out = base;
    return MANGLE_OK;
}

mangle_base *mangle_base_ref(mangle_base *base)
{
    atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
    return base;
}

void mangle_base_unref(mangle_base *base)
{
    if (base && atomic_fetch_sub_explicit(&base->refs, 1, memory_order_acq_rel) == 1)
        base_free(base);
}

mangle_values *mangle_base_values(mangle_base *base)
{
    return base->values;
}

const mangle_program *mangle_base_program(const mangle_base *base)
{
    return base->program;
}

/* ---- facts ----------------------------------------------------------------------------------- */

enum mangle_status mgi_base_give(mangle_base *base, mangle_pred pred, const mangle_value *args,
                                 struct mangle_interval t)
{
    mangle_pred copy = base->program->preds[pred].vouched;
    enum mangle_status st = mgi_eval_give(&base->eval, pred, args, t);
    return st || copy == MANGLE_NO_PRED ? st : mgi_eval_give(&base->eval, copy, args, t);
}

enum mangle_status mangle_base_add(mangle_base *base, mangle_pred pred, const mangle_value *args,
                                   uint32_t count, const struct mangle_interval *t,
                                   struct mangle_error *err)
{
    if (base->closed || base->failed) {
        if (err)
            snprintf(err->message, sizeof err->message, "the base is closed");
        return MANGLE_ERR_INPUT;
    }
    enum mangle_status st = mgi_fact_check(base->program, pred, args, count, t, err);
    if (st)
        return st;
    base->eval.err = err;
    st = mgi_base_give(base, pred, args, t ? *t : MANGLE_ALWAYS);
    base->eval.err = NULL;
    base->failed = st != MANGLE_OK; /* half added */
    return st;
}

/* Annotations of facts that do not read `now` are fixed or open. */
static struct mangle_interval fact_interval(const struct fact *f)
{
    struct mangle_interval t = MANGLE_ALWAYS;
    if (f->annotation.present && f->annotation.start.kind != BOUND_OPEN)
        t.start_ns = f->annotation.start.ns;
    if (f->annotation.present && f->annotation.end.kind != BOUND_OPEN)
        t.end_ns = f->annotation.end.ns;
    return t;
}

static enum mangle_status add_facts(mangle_base *base, const struct fact *facts, size_t count)
{
    enum mangle_status st = MANGLE_OK;
    for (size_t i = 0; i < count && !st; i++)
        if (!facts[i].reads_now)
            st = mgi_base_give(base, facts[i].pred, facts[i].args, fact_interval(&facts[i]));
    return st;
}

static enum mangle_status add_parsed(mangle_base *base, const struct fact_rows *rows,
                                     const struct fact *facts, size_t count)
{
    enum mangle_status st = add_facts(base, facts, count);
    for (size_t i = 0; i < base->program->pred_count && !st; i++)
        if (rows[i].count)
            st = mgi_base_give_rows(base, (mangle_pred)i, rows[i].words,
                                    rows[i].count / base->rels[i].arity);
    base->failed = st != MANGLE_OK;
    return st;
}

static void free_rows(struct fact_rows *rows, size_t count)
{
    for (size_t i = 0; rows && i < count; i++)
        mgi_free(rows[i].words);
    mgi_free(rows);
}

/* Overlays evaluate what reads `now`; a base cannot keep it. */
static enum mangle_status refuse_now(const struct fact *facts, size_t count,
                                     const struct mangle_source *source, mangle_diags *diags)
{
    struct source at = { .name = source->name, .text = { source->text, source->len } };
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (!facts[i].reads_now)
            continue;
        any = true;
        mgi_diag_at(diags, &at, MANGLE_ERROR, "FACT_EVAL", facts[i].clause->span,
                    "Write it into the program.",
                    "a fact of a base cannot read the evaluation time");
    }
    return any ? MANGLE_ERR_PROGRAM : MANGLE_OK;
}

enum mangle_status mangle_base_add_text(mangle_base *base, const struct mangle_source *source,
                                        mangle_diags *diags)
{
    if (base->closed || base->failed)
        return MANGLE_ERR_INPUT;
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct parse_target target = { base->program, &arena, base->values, diags };
    struct fact_rows *rows = mgi_calloc(base->program->pred_count + 1, sizeof *rows);
    struct fact *facts = NULL;
    size_t count = 0;
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (rows)
        st = mgi_parse_fact_rows(&target, source, rows, &facts, &count);
    if (!st)
        st = refuse_now(facts, count, source, diags);
    if (!st)
        st = add_parsed(base, rows, facts, count);
    free_rows(rows, base->program->pred_count);
    mgi_arena_fini(&arena);
    return st;
}

/* ---- closing --------------------------------------------------------------------------------- */

int64_t mgi_rel_facts(const struct rel *rel)
{
    return rel->temporal ? rel->times.count : rel->count;
}

static enum mangle_status settle_given(mangle_base *base)
{
    base->facts_given = 0;
    for (size_t i = 0; i < base->program->pred_count; i++) {
        enum mangle_status st = mgi_eval_settle_given(&base->eval, (mangle_pred)i);
        if (st)
            return st;
        if (!mgi_is_vouched_copy(base->program, (mangle_pred)i))
            base->facts_given += mgi_rel_facts(&base->rels[i]);
    }
    return MANGLE_OK;
}

/* Will there be requests? Otherwise nobody asks a base anything that pays for packing it. */
static bool takes_requests(const mangle_program *p)
{
    for (size_t i = 0; i < p->pred_count; i++)
        if (p->preds[i].changeable)
            return true;
    return false;
}

static enum mangle_status freeze(mangle_base *base)
{
    struct eval *x = &base->eval;
    struct pace pace = mgi_eval_pace(x);
    bool keeps = takes_requests(base->program);
    x->stopped = MANGLE_OK;
    for (size_t i = 0; i < base->program->pred_count; i++) {
        base->rels[i].keeps = keeps;
        base->rels[i].timed = base->plan->preds[i].timed;
        bool frozen = mgi_rel_freeze(&base->rels[i], &pace);
        if (x->stopped || !frozen)
            return x->stopped ? x->stopped : mgi_eval_nomem(x);
    }
    mgi_values_freeze(base->values);
    return MANGLE_OK;
}

static enum mangle_status close_base(mangle_base *base)
{
    struct eval *x = &base->eval;
    if (x->plan->refused)
        return mgi_eval_fail(x, x->plan->refused);
    enum mangle_status st = add_facts(base, base->program->facts, base->program->fact_count);
    if (!st)
        st = settle_given(base);
    return st ? st : mgi_eval_strata(x);
}

static struct mangle_stats stats_of(const struct eval *x, int64_t given)
{
    return (struct mangle_stats){ .facts_given = given,
                                  .facts_derived = x->derived,
                                  .rule_firings = x->firings,
                                  .rounds = x->rounds,
                                  .bytes = x->peak_bytes };
}

enum mangle_status mgi_base_finish(mangle_base *base)
{
    enum mangle_status st = mgi_base_plan(base);
    if (!st)
        st = freeze(base);
    base->stats.bytes = base->eval.peak_bytes;
    base->failed = st != MANGLE_OK;
    base->closed = !base->failed;
    base->birth = base->eval.birth;
    base->fired = base->eval.fired;
    base->eval.fired = NULL;
    mgi_eval_fini(&base->eval);
    base->eval = (struct eval){ 0 };
    return st;
}

enum mangle_status mangle_base_close(mangle_base *base, const struct mangle_limits *limits,
                                     struct mangle_stats *stats, struct mangle_error *err)
{
    if (base->closed || base->failed) {
        if (err)
            snprintf(err->message, sizeof err->message, "the base is closed already");
        return MANGLE_ERR_INPUT;
    }
    mgi_eval_begin(&base->eval, 0, limits, err);
    mgi_crew_hire(&base->eval, base->eval.limits.workers);
    enum mangle_status st = close_base(base);
    mgi_crew_dismiss(&base->eval);
    base->failed = st != MANGLE_OK;
    base->stats = stats_of(&base->eval, base->facts_given);
    if (!st)
        st = mgi_base_finish(base);
    if (!st && stats)
        *stats = base->stats;
    return st;
}
