/* Facts that come near to a pattern: those that differ in the fewest values. */
#include "base/near.h"
#include "mangle/proof/why_not.h"

#define NEAR_MAX 3

struct near_rows {
    const mangle_values *values;
    const mangle_value *pattern;
    uint32_t arity, known; /* columns; those with a value */
    uint32_t rows[NEAR_MAX];
    uint32_t differs[NEAR_MAX];
    size_t count;
};

static bool spelled_almost(const struct near_rows *n, mangle_value a, mangle_value b)
{
    enum mangle_kind kind = mangle_kind_of(n->values, a);
    if (kind != mangle_kind_of(n->values, b) || (kind != MANGLE_NAME && kind != MANGLE_STRING))
        return false;
    struct str x, y;
    x.ptr = mangle_text_of(n->values, a, &x.len);
    y.ptr = mangle_text_of(n->values, b, &y.len);
    size_t most = mgi_edit_tolerance(x.len);
    return mgi_edit_distance(x, y, most) <= most;
}

/* In how many values a row differs; arity + 1 if it is not near at all. */
static uint32_t differences(const struct near_rows *n, const uint32_t *words)
{
    uint32_t differs = 0;
    for (uint32_t i = 0; i < n->arity; i++) {
        if (n->pattern[i] == MANGLE_NONE || n->pattern[i] == words[i])
            continue;
        differs++;
        if (n->known == 1 && !spelled_almost(n, n->pattern[i], words[i]))
            return n->arity + 1;
    }
    return n->known > 1 && differs == n->known ? n->arity + 1 : differs;
}

static void take_near(struct near_rows *n, uint32_t row, uint32_t differs)
{
    if (n->count == NEAR_MAX && differs >= n->differs[NEAR_MAX - 1])
        return;
    size_t at = n->count < NEAR_MAX ? n->count++ : NEAR_MAX - 1;
    for (; at > 0 && n->differs[at - 1] > differs; at--) {
        n->rows[at] = n->rows[at - 1];
        n->differs[at] = n->differs[at - 1];
    }
    n->rows[at] = row;
    n->differs[at] = differs;
}

static struct mangle_fact fact_of_row(const mangle_program *p, const struct rel *rel,
                                      mangle_pred pred, uint32_t row)
{
    struct mangle_fact fact = { mgi_pred_shown(p, pred), rel->arity, mgi_rel_row(rel, row),
                                rel->temporal, MANGLE_ALWAYS };
    uint32_t count;
    const struct mangle_interval *run = rel->temporal ? mgi_times_run(rel, row, &count) : NULL;
    if (run && count)
        fact.t = run[0];
    return fact;
}

enum mangle_status mgi_near_facts(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                                  const struct mangle_fact **facts, size_t *count)
{
    const struct rel *rel = &o->rels[pred];
    struct near_rows n = { .values = o->values, .pattern = pattern, .arity = rel->arity };
    *facts = NULL;
    *count = 0;
    for (uint32_t i = 0; i < rel->arity; i++)
        n.known += pattern[i] != MANGLE_NONE;
    for (uint32_t row = 0; n.known && row < mgi_rel_end(rel); row++) {
        uint32_t differs = differences(&n, mgi_rel_row(rel, row));
        if (differs && differs <= n.arity && mgi_rel_live(rel, row))
            take_near(&n, row, differs);
    }
    if (!n.count)
        return MANGLE_OK;
    struct mangle_fact *out = mgi_arena_calloc(&o->arena, n.count, sizeof *out);
    if (!out)
        return MANGLE_ERR_NOMEM;
    while (*count < n.count && n.differs[*count] == n.differs[0]) {
        out[*count] = fact_of_row(o->base->program, rel, pred, n.rows[*count]);
        ++*count;
    }
    *facts = out;
    return MANGLE_OK;
}
