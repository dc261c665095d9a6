/* Rows that the next atom lets through (look.meet): a scan of `e(Y, Z)` before a probe of `e(X,
 * Z)`. If X has fewer rows than Y, it is they that are walked, and the scan then has only the rows
 * that both agree on, in the order that it would have found them in: nobody sees how. On skewed
 * graphs that is what makes triangles cost the smaller degree, not the product with a hub. What is
 * left out the next atom would have refused; what is left it looks at again, with its own limits.
 */
#include "base/alloc.h"
#include "mangle/run/eval.h"

#define FEW  16   /* rows of the scan that are walked anyway */
#define MANY 4096 /* rows of the other that are not: their sorting would not look at the clock */

static const uint32_t *key_of(struct eval *x, const uint32_t *regs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        x->key[i] = x->regs[regs[i]];
    return x->key;
}

static bool has_index(const struct rel *rel, uint32_t index)
{
    return rel->first == 0 || rel->below->count == 0 || rel->below->indexes[index].has_groups;
}

/* Is it worth while? */
static bool is_shorter(struct eval *x, const struct look *look)
{
    const struct meet *m = look->meet;
    const struct rel *rel = &x->rels[look->pred], *other = &x->rels[m->pred];
    uint32_t here = mgi_index_count(rel, look->index, key_of(x, look->key, look->key_count));
    if ((here < FEW && !x->meet_always) || !has_index(other, m->index))
        return false;
    uint32_t there = mgi_index_count(other, m->index, key_of(x, m->key, m->key_count));
    return there <= MANY && (x->meet_always || there + there / 4 + 4 < here);
}

struct meeting {
    struct eval *x;
    const struct look *look;
    const struct rel *rel;
    struct frame *f;
};

/* A value of the variable: if the scan would find its row, it is kept. */
static enum mangle_status consider(struct meeting *g, uint32_t value)
{
    struct eval *x = g->x;
    size_t before = x->met_cap;
    x->words[g->look->binds[0].column] = value;
    uint32_t row = mgi_rel_find(g->rel, x->words);
    if (row != REL_NONE && (row < g->rel->first || (row >= g->f->lo && row < g->f->hi))) {
        if (!mgi_grow(&x->met, &x->met_cap, (size_t)g->f->end + 1, sizeof *x->met))
            return mgi_eval_nomem(x);
        x->bytes += (x->met_cap - before) * sizeof *x->met;
        x->met[g->f->end++] = mgi_met_row(g->rel, g->f, row);
    }
    return mgi_eval_step(x);
}

static enum mangle_status walk_other(struct meeting *g)
{
    struct eval *x = g->x;
    const struct meet *m = g->look->meet;
    const struct rel *other = &x->rels[m->pred];
    const uint32_t *key = key_of(x, m->key, m->key_count);
    struct group group = { 0 };
    if (other->first)
        group = mgi_index_group(other->below, m->index, key);
    uint32_t row = mgi_index_head(other, m->index, key);
    enum mangle_status st = MANGLE_OK;
    for (uint32_t at = group.start; at < group.end && !st; at++) {
        const struct index *ix = &other->below->indexes[m->index];
        st = consider(g, mgi_index_words(other->below, ix, at)[m->column]);
    }
    for (; row != REL_NONE && !st; row = other->indexes[m->index].next[row - other->first])
        st = consider(g, mgi_rel_row(other, row)[m->column]);
    return st;
}

static void sort(uint32_t *words, uint32_t count)
{
    for (uint32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t w = words[i], at = i;
            for (; at >= gap && words[at - gap] > w; at -= gap)
                words[at] = words[at - gap];
            words[at] = w;
        }
}

bool mgi_eval_meet(struct eval *x, const struct look *look, struct frame *f, enum mangle_status *st)
{
    const struct meet *m = look->meet;
    struct meeting g = { x, look, &x->rels[look->pred], f };
    f->at = f->end = f->met_end = m->before == NO_OP ? 0 : x->frames[m->before].met_end;
    if (!is_shorter(x, look))
        return false;
    const struct search *s = g.rel->indexes[look->index].search;
    for (uint32_t i = 0; i < s->count; i++)
        x->words[s->columns[i]] = x->regs[look->key[i]];
    *st = walk_other(&g);
    f->met_end = f->end;
    if (!*st)
        sort(x->met + f->at, f->end - f->at);
    return true;
}
