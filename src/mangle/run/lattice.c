/* Lattice relations (mangle.md section 10.5): a new fact is merged with the stored ones that agree
 * on the source columns, by asking the merge predicate. What it replaces is dead from then on; only
 * what is stored is news. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/eval.h"

/* The fact being put in: x->merged, and its row if it has one already. */
struct putting {
    struct rel *rel;
    const struct lattice_decl *decl;
    uint32_t key;
    uint32_t row; /* or REL_NONE */
};

static bool equals(const struct eval *x, const struct rel *rel, uint32_t row)
{
    return memcmp(mgi_rel_row(rel, row), x->merged, rel->arity * sizeof *x->merged) == 0;
}

/* Is there a live row that says the same? */
static bool is_known(const struct eval *x, const struct putting *p)
{
    const struct lattice *l = p->rel->lattice;
    uint32_t n = p->key == REL_NONE ? REL_NONE : l->keys[p->key].head;
    for (; n != REL_NONE; n = l->nodes[n].next)
        if (l->nodes[n].row != REL_NONE && equals(x, p->rel, l->nodes[n].row))
            return true;
    return false;
}

enum outcome { APART, ABSORBED, REPLACED };

static enum mangle_status merge_with(struct eval *x, struct putting *p, uint32_t node,
                                     enum outcome *out)
{
    uint32_t target = p->decl->target, old_row = p->rel->lattice->nodes[node].row;
    mangle_value merged, old = mgi_rel_row(p->rel, old_row)[target];
    enum mangle_status st = mgi_eval_merged(x, p->decl->merge, old, x->merged[target], &merged);
    *out = APART;
    if (st || merged == MANGLE_NONE)
        return st;
    *out = merged == old ? ABSORBED : REPLACED;
    if (merged == old)
        return MANGLE_OK;
    if (!mgi_lattice_kill(p->rel, old_row))
        return mgi_eval_nomem(x);
    p->rel->lattice->nodes[node].row = REL_NONE;
    if (merged != x->merged[target] && p->row != REL_NONE) { /* given, but not what comes of it */
        if (!mgi_lattice_kill(p->rel, p->row))
            return mgi_eval_nomem(x);
        p->row = REL_NONE;
    }
    x->merged[target] = merged;
    return MANGLE_OK;
}

/* Merge with one stored row after the other; whenever something changes, with all of them again. */
static enum mangle_status merge_all(struct eval *x, struct putting *p, bool *keep)
{
    *keep = !is_known(x, p);
    uint32_t node = p->key == REL_NONE ? REL_NONE : p->rel->lattice->keys[p->key].head;
    while (*keep && node != REL_NONE) {
        enum outcome outcome = APART;
        enum mangle_status st = mgi_eval_step(x);
        if (!st && p->rel->lattice->nodes[node].row != REL_NONE)
            st = merge_with(x, p, node, &outcome);
        if (st)
            return st;
        *keep = outcome != ABSORBED && (outcome == APART || !is_known(x, p));
        node = outcome == REPLACED ? p->rel->lattice->keys[p->key].head
                                   : p->rel->lattice->nodes[node].next;
    }
    return MANGLE_OK;
}

static enum mangle_status put(struct eval *x, struct putting *p, uint32_t *row, bool *added)
{
    bool keep = false;
    *added = false;
    if (!mgi_lattice_open(p->rel, x->merged, &p->key))
        return mgi_eval_nomem(x);
    enum mangle_status st = merge_all(x, p, &keep);
    if (st)
        return st;
    if (!keep)
        return p->row == REL_NONE || mgi_lattice_kill(p->rel, p->row) ? MANGLE_OK
                                                                      : mgi_eval_nomem(x);
    if (p->row == REL_NONE) {
        if (!mgi_rel_append(p->rel, x->merged, &p->row))
            return mgi_eval_nomem(x);
        *added = true;
    }
    *row = p->row;
    return mgi_lattice_put(p->rel, p->key, p->row) ? MANGLE_OK : mgi_eval_nomem(x);
}

enum mangle_status mgi_lattice_derive(struct eval *x, mangle_pred pred, const uint32_t *words,
                                      uint32_t *row, bool *added)
{
    struct putting p = { &x->rels[pred], x->program->preds[pred].lattice, REL_NONE, REL_NONE };
    memcpy(x->merged, words, p.rel->arity * sizeof *words);
    return put(x, &p, row, added);
}

enum mangle_status mgi_lattice_settle_given(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    enum mangle_status st = mgi_best_begin(x, pred);
    uint32_t end = rel->first + rel->given;
    x->rule = NULL;
    if (!st && rel->lattice->best)
        return mgi_best_settle_given(x, pred);
    for (uint32_t given = rel->first; given < end && !st; given++) {
        struct putting p = { rel, x->program->preds[pred].lattice, REL_NONE, given };
        uint32_t row;
        bool added;
        memcpy(x->merged, mgi_rel_row(rel, given), rel->arity * sizeof *x->merged);
        st = put(x, &p, &row, &added);
        if (!st && added)
            st = mgi_eval_count(x, pred);
    }
    return st;
}
