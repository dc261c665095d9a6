/* Facts one after another where they stand: nothing is sorted, copied or allocated. */
#include "mangle/run/base.h"

/* The relation of `pred` in an evaluated overlay, or NULL. */
static const struct rel *evaluated_rel(const mangle_overlay *o, mangle_pred pred)
{
    bool good = o->evaluated && !o->failed && pred < o->base->program->pred_count;
    return good ? &o->rels[pred] : NULL;
}

enum mangle_status mangle_overlay_count(mangle_overlay *o, mangle_pred pred, size_t *count)
{
    const struct rel *rel = evaluated_rel(o, pred);
    *count = 0;
    enum mangle_status st = rel ? mgi_overlay_complete(o, pred) : MANGLE_ERR_INPUT;
    if (st)
        return st;
    if (!rel->temporal && !rel->lattice) {
        *count = mgi_rel_end(rel);
        return MANGLE_OK;
    }
    for (uint32_t row = 0; row < mgi_rel_end(rel); row++)
        if (mgi_rel_live(rel, row))
            *count += rel->temporal ? mgi_times_count(rel, row) : 1;
    return MANGLE_OK;
}

enum mangle_status mangle_overlay_cursor(mangle_overlay *o, mangle_pred pred,
                                         struct mangle_cursor *out)
{
    const struct rel *rel = evaluated_rel(o, pred);
    enum mangle_status st = rel ? mgi_overlay_complete(o, pred) : MANGLE_ERR_INPUT;
    *out = (struct mangle_cursor){ .overlay = st ? NULL : o, .pred = pred };
    return st;
}

bool mangle_cursor_next(struct mangle_cursor *c, struct mangle_fact *fact)
{
    const struct rel *rel = c->overlay ? evaluated_rel(c->overlay, c->pred) : NULL;
    for (; rel && c->row < mgi_rel_end(rel); c->row++, c->span = 0) {
        uint32_t spans = 1;
        if (!mgi_rel_live(rel, c->row))
            continue;
        const struct mangle_interval *run =
            rel->temporal ? mgi_times_run(rel, c->row, &spans) : NULL;
        if (c->span >= spans)
            continue;
        *fact = (struct mangle_fact){ .pred = c->pred,
                                      .count = rel->arity,
                                      .args = mgi_rel_row(rel, c->row),
                                      .temporal = rel->temporal,
                                      .t = run ? run[c->span] : MANGLE_ALWAYS };
        c->span++;
        return true;
    }
    return false;
}
