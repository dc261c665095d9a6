/* Merged relations that keep the least or the greatest value, without asking a rule per fact: what
 * lattice.c does for all others. A fact that is no better than the one of its key is gone at once;
 * the others wait, one per key, until a round ends (rel_best.c).
 *
 * Nothing sees the difference but the number of derived facts, which is less: the least value of a
 * key does not depend on the order in which values come, and every order of release ends only when
 * nothing waits. Values that are no numbers are an error of the merge predicate's rules, which are
 * asked then so that they tell it. */
#include "mangle/run/eval.h"

static size_t entry_bytes(const struct rel *rel)
{
    return (size_t)rel->arity * sizeof(uint32_t) + (2 + 2 * (size_t)3) * sizeof(uint32_t);
}

/* Is `new` better than `old`? */
static enum mangle_status compare(struct eval *x, mangle_pred pred, mangle_value old,
                                  mangle_value new, bool *better)
{
    const struct best *b = x->rels[pred].lattice->best;
    *better = false;
    if (mgi_value_is_small(old) && mgi_value_is_small(new)) {
        int32_t a = mgi_value_small(new), o = mgi_value_small(old);
        *better = b->greatest ? a > o : a < o;
        return MANGLE_OK;
    }
    if (old == new)
        return MANGLE_OK;
    if (mangle_kind_of(x->values, old) == MANGLE_NUMBER &&
        mangle_kind_of(x->values, new) == MANGLE_NUMBER) {
        int64_t a = mangle_int_of(x->values, new), o = mangle_int_of(x->values, old);
        *better = b->greatest ? a > o : a < o;
        return MANGLE_OK;
    }
    mangle_value merged;
    if (x->program->preds[pred].lattice->merge == MANGLE_NO_PRED)
        return MANGLE_ERR_EVAL; /* a keeper gives up */
    enum mangle_status st =
        mgi_eval_merged(x, x->program->preds[pred].lattice->merge, old, new, &merged);
    *better = merged == new;
    return st;
}

/* A key that has no own entry: better than the base's, or new? */
static enum mangle_status improve_below(struct eval *x, mangle_pred pred, const uint32_t *words,
                                        bool *better)
{
    struct rel *rel = &x->rels[pred];
    uint32_t below = rel->below ? mgi_best_find(rel->below, words) : REL_NONE;
    *better = true;
    if (below == REL_NONE)
        return MANGLE_OK;
    uint32_t target = rel->lattice->best->target;
    enum mangle_status st =
        compare(x, pred, mgi_best_fact(rel->below, below)[target], words[target], better);
    if (st || !*better)
        return st;
    return mgi_lattice_kill(rel, rel->below->lattice->best->rows[below]) ? MANGLE_OK
                                                                         : mgi_eval_nomem(x);
}

/* *better: the fact is the best one of its key now, which is entry *entry and has no row. */
static enum mangle_status improve(struct eval *x, mangle_pred pred, const uint32_t *words,
                                  uint32_t *entry, bool *better)
{
    struct rel *rel = &x->rels[pred];
    struct best *b = rel->lattice->best;
    enum mangle_status st;
    *entry = mgi_best_find(rel, words);
    if (*entry == REL_NONE) {
        st = improve_below(x, pred, words, better);
        if (st || !*better)
            return st;
        if (!mgi_best_open(rel, words, entry))
            return mgi_eval_nomem(x);
        x->bytes += entry_bytes(rel);
        return MANGLE_OK;
    }
    uint32_t *fact = mgi_best_fact(rel, *entry);
    st = compare(x, pred, fact[b->target], words[b->target], better);
    if (st || !*better)
        return st;
    fact[b->target] = words[b->target];
    if (b->rows[*entry] != REL_NONE && !mgi_lattice_kill(rel, b->rows[*entry]))
        return mgi_eval_nomem(x);
    return MANGLE_OK;
}

enum mangle_status mgi_best_derive(struct eval *x, mangle_pred pred, const uint32_t *words)
{
    struct rel *rel = &x->rels[pred];
    const struct best *b = rel->lattice->best;
    uint32_t entry, count = b->count;
    bool better, keeper = x->program->preds[pred].lattice->merge == MANGLE_NO_PRED;
    if (keeper && !mgi_value_is_small(words[b->target]))
        return MANGLE_ERR_EVAL; /* it gives up */
    enum mangle_status st = improve(x, pred, words, &entry, &better);
    if (st || !better)
        return st;
    mgi_eval_touch(x, pred);
    if (entry < count && b->rows[entry] == REL_NONE)
        return MANGLE_OK; /* it waits already */
    return mgi_best_wait(rel, entry) ? MANGLE_OK : mgi_eval_nomem(x);
}

/* What was given of the predicate that it keeps the best of, and of nothing else it has rows. */
static enum mangle_status take_originals(struct eval *x, mangle_pred pred)
{
    const struct rel *from = &x->rels[x->program->preds[pred].original];
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < from->given && !st; i++) {
        st = mgi_best_derive(x, pred, mgi_rel_row(from, from->first + i));
        if (!st)
            st = mgi_eval_step(x);
    }
    return st;
}

enum mangle_status mgi_best_settle_given(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    enum mangle_status st = MANGLE_OK;
    uint32_t end = rel->first + rel->given;
    x->rule = NULL;
    if (x->program->preds[pred].lattice->merge == MANGLE_NO_PRED)
        return take_originals(x, pred);
    for (uint32_t row = rel->first; row < end && !st; row++) {
        uint32_t entry;
        bool better;
        st = improve(x, pred, mgi_rel_row(rel, row), &entry, &better);
        if (!st && better)
            rel->lattice->best->rows[entry] = row;
        else if (!st && !mgi_lattice_kill(rel, row))
            st = mgi_eval_nomem(x);
        if (!st)
            st = mgi_eval_step(x);
    }
    return st;
}

enum mangle_status mgi_best_release(struct eval *x, mangle_pred pred, bool all)
{
    struct rel *rel = &x->rels[pred];
    struct best *b = rel->lattice ? rel->lattice->best : NULL;
    if (!b || b->waiting_count == 0)
        return MANGLE_OK;
    struct pace pace = mgi_eval_pace(x);
    uint32_t chosen = b->waiting_count;
    if (!all && !mgi_best_choose(rel, x->values, &pace, &chosen))
        return x->stopped;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < chosen && !st; i++) {
        uint32_t entry = b->waiting[i];
        if (!mgi_rel_append(rel, mgi_best_fact(rel, entry), &b->rows[entry]))
            return mgi_eval_nomem(x);
        st = mgi_eval_count(x, pred);
        if (!st)
            st = mgi_eval_step(x);
    }
    mgi_best_released(rel, chosen);
    return st;
}

/* An overlay goes on as its base began. */
enum mangle_status mgi_best_begin(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    const struct lattice_decl *decl = x->program->preds[pred].lattice;
    bool wanted = decl->merging != MERGE_BY_RULES && !x->merge_by_rules;
    if (rel->below)
        wanted = rel->below->lattice->best != NULL;
    else if (wanted && decl->merge != MANGLE_NO_PRED) /* given answers count, too */
        wanted = mgi_rel_end(&x->rels[decl->merge]) == 0;
    if (!wanted || rel->lattice->best)
        return MANGLE_OK;
    return mgi_rel_make_best(rel, decl->target, decl->merging == MERGE_GREATEST)
               ? MANGLE_OK
               : mgi_eval_nomem(x);
}
