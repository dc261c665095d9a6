/* Rows that the next atom lets through (look.meet): a scan of `e(Y, Z)` before a probe of `e(X,
 * Z)`. The scan then has only the rows that both may agree on, in the order that it would have
 * found them in: nobody sees how. On skewed graphs that is what makes triangles cost the smaller
 * degree, not the product with a hub. What is left out the next atom would have refused; what is
 * left it looks at again, with its own limits.
 *
 * If X has fewer rows than Y, it is they that are walked, and looked up in `e`. Once walking, or
 * the scan itself, was work enough to pay for lists with filters (rel_lists.c), the shorter list is
 * held against the filter of the longer one, and nearly nothing is looked up. Lists are of own
 * rows; in an overlay above rows of a base the first way is the only one. */
#include "base/alloc.h"
#include "mangle/run/eval.h"

#define FEW         16   /* rows of the scan that are walked anyway */
#define MANY        4096 /* rows of the other that are not: they would be looked up at random */
#define ROWS_A_LOOK 256  /* rows between two looks at the clock */

static const uint32_t *key_of(struct eval *x, const uint32_t *regs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        x->key[i] = x->regs[regs[i]];
    return x->key;
}

struct meeting {
    struct eval *x;
    const struct look *look;
    const struct meet *meet;
    struct rel *rel, *other;
    struct frame *f;
};

/* A row of the scan is kept, if it counts there. */
static enum mangle_status keep(struct meeting *g, uint32_t row)
{
    struct eval *x = g->x;
    size_t before = x->met_cap;
    if (row >= g->rel->first && (row < g->f->lo || row >= g->f->hi))
        return MANGLE_OK;
    if (g->f->end >= before &&
        !mgi_grow(&x->met, &x->met_cap, (size_t)g->f->end + 1, sizeof *x->met))
        return mgi_eval_nomem(x);
    x->bytes += (x->met_cap - before) * sizeof *x->met;
    x->met[g->f->end++] = mgi_met_row(g->rel, g->f, row);
    return MANGLE_OK;
}

static enum mangle_status sort(struct eval *x, uint32_t *words, uint32_t count)
{
    enum mangle_status st = MANGLE_OK;
    for (uint32_t gap = count / 2; gap > 0 && !st; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint32_t i = gap; i < count && !st; i++) {
            uint32_t w = words[i], at = i;
            for (; at >= gap && words[at - gap] > w; at -= gap)
                words[at] = words[at - gap];
            words[at] = w;
            st = mgi_eval_step(x);
        }
    return st;
}

/* ---- the shorter list is walked -------------------------------------------------------------- */

static bool has_index(const struct rel *rel, uint32_t index)
{
    return rel->first == 0 || rel->below->count == 0 || rel->below->indexes[index].has_groups;
}

/* Is it worth while? Then *rows is how many they are. */
static bool is_shorter(const struct meeting *g, uint32_t *rows)
{
    struct eval *x = g->x;
    const struct meet *m = g->meet;
    if ((*rows < FEW && !x->meet_always) || !has_index(g->other, m->index))
        return false;
    uint32_t there = mgi_index_count(g->other, m->index, key_of(x, m->key, m->key_count));
    if (there > MANY || (!x->meet_always && there + there / 4 + 4 >= *rows))
        return false;
    *rows = there;
    return true;
}

/* A value of the variable: if the scan would find its row, it is kept. */
static enum mangle_status consider(struct meeting *g, uint32_t value)
{
    struct eval *x = g->x;
    x->words[g->look->binds[0].column] = value;
    uint32_t row = mgi_rel_find(g->rel, x->words);
    enum mangle_status st = row != REL_NONE ? keep(g, row) : MANGLE_OK;
    return st ? st : mgi_eval_step(x);
}

static void set_key(struct meeting *g)
{
    const struct search *s = g->rel->indexes[g->look->index].search;
    for (uint32_t i = 0; i < s->count; i++)
        g->x->words[s->columns[i]] = g->x->regs[g->look->key[i]];
}

static enum mangle_status walk_other(struct meeting *g)
{
    struct eval *x = g->x;
    const struct meet *m = g->meet;
    const struct rel *other = g->other;
    set_key(g);
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
    return st ? st : sort(x, x->met + g->f->at, g->f->end - g->f->at);
}

/* ---- lists are gone through -------------------------------------------------------------------
 */

static size_t bytes_of(const struct lists *l)
{
    return l->rows_cap * sizeof *l->rows + l->of_cap * sizeof *l->of +
           l->filters_cap * sizeof *l->filters;
}

enum mangle_status mgi_eval_make_lists(struct eval *x, mangle_pred pred, uint32_t index)
{
    struct rel *rel = &x->rels[pred];
    const struct lists *l = &rel->indexes[index].lists;
    size_t before = bytes_of(l);
    if (mgi_lists_hold(&rel->indexes[index]))
        return MANGLE_OK;
    mgi_eval_touch(x, pred);
    struct pace pace = mgi_eval_pace(x);
    if (!mgi_lists_make(rel, index, &pace))
        return mgi_eval_nomem(x);
    x->bytes += bytes_of(l) - before;
    return l->upto ? mgi_eval_memory(x) : x->stopped;
}

/* Rows are about to be looked at one by one, so many: has that become too much? */
static bool want_lists(struct meeting *g, uint32_t rows, enum mangle_status *st)
{
    struct eval *x = g->x;
    struct lists *l = &g->rel->indexes[g->look->index].lists;
    if (g->rel->first || g->other->first || g->rel->count == 0 || g->other->count == 0 ||
        x->lists == LISTS_NEVER)
        return false;
    l->asked = rows < UINT32_MAX - l->asked ? l->asked + rows : UINT32_MAX;
    if (l->asked < g->rel->count / 4 + g->other->count / 4 && x->lists != LISTS_ALWAYS)
        return false;
    *st = mgi_eval_make_lists(x, g->look->pred, g->look->index);
    if (!*st)
        *st = mgi_eval_make_lists(x, g->meet->pred, g->meet->index);
    return !*st;
}

static bool has_lists(const struct meeting *g)
{
    return g->rel->first == 0 && g->other->first == 0 &&
           mgi_lists_hold(&g->rel->indexes[g->look->index]) &&
           mgi_lists_hold(&g->other->indexes[g->meet->index]);
}

/* Rows of the scan that the other list may have. */
static enum mangle_status filter_here(struct meeting *g, const struct list *here,
                                      const struct list *there)
{
    enum mangle_status st = MANGLE_OK;
    for (uint32_t from = 0; from < here->count && !st;) {
        uint32_t stop = here->count - from < ROWS_A_LOOK ? here->count : from + ROWS_A_LOOK;
        g->x->steps -= (int32_t)(stop - from);
        for (; from < stop && !st; from++)
            if (mgi_list_may_have(there, here->rows[from].value))
                st = keep(g, here->rows[from].row);
        if (!st && g->x->steps <= 0)
            st = mgi_eval_check(g->x);
    }
    return st;
}

/* Rows of the other list that the scan may have are looked up. */
static enum mangle_status filter_there(struct meeting *g, const struct list *here,
                                       const struct list *there)
{
    enum mangle_status st = MANGLE_OK;
    for (uint32_t from = 0; from < there->count && !st;) {
        uint32_t stop = there->count - from < ROWS_A_LOOK ? there->count : from + ROWS_A_LOOK;
        g->x->steps -= (int32_t)(stop - from);
        for (; from < stop && !st; from++)
            if (mgi_list_may_have(here, there->rows[from].value))
                st = consider(g, there->rows[from].value);
        if (!st && g->x->steps <= 0)
            st = mgi_eval_check(g->x);
    }
    return st;
}

static enum mangle_status go_through(struct meeting *g)
{
    struct eval *x = g->x;
    const struct meet *m = g->meet;
    struct list here =
        mgi_list_of(g->rel, g->look->index, key_of(x, g->look->key, g->look->key_count));
    if (here.count == 0)
        return MANGLE_OK;
    struct list there = mgi_list_of(g->other, m->index, key_of(x, m->key, m->key_count));
    if (there.count == 0)
        return MANGLE_OK;
    if (here.count / 2 <= there.count)
        return filter_here(g, &here, &there);
    set_key(g);
    enum mangle_status st = filter_there(g, &here, &there);
    return st ? st : sort(x, x->met + g->f->at, g->f->end - g->f->at);
}

/* ---- both ways --------------------------------------------------------------------------------
 */

bool mgi_eval_meet(struct eval *x, const struct look *look, struct frame *f, enum mangle_status *st)
{
    const struct meet *m = look->meet;
    struct meeting g = { x, look, m, &x->rels[look->pred], &x->rels[m->pred], f };
    f->at = f->end = f->met_end = m->before == NO_OP ? 0 : x->frames[m->before].met_end;
    bool lists = has_lists(&g);
    if (!lists) {
        uint32_t rows = mgi_index_count(g.rel, look->index, key_of(x, look->key, look->key_count));
        bool shorter = is_shorter(&g, &rows);
        lists = want_lists(&g, rows, st);
        if (*st || (!lists && !shorter))
            return false;
    }
    *st = lists ? go_through(&g) : walk_other(&g);
    f->met_end = f->end;
    return true;
}
