/* Rows of a large base are fetched before a code reads them. It reads depth first, so what it reads
 * next it knows only when the row before it has come from memory; here the same keys are followed
 * breadth first, all of one atom before those of the next, and a processor fetches many at once.
 *
 * Nothing is found, bound or refused here: whatever is fetched, the code does what it did. */
#include "mangle/run/eval.h"

#define ROWS_AT_ONCE  32   /* of the first scan */
#define ROWS_FOLLOWED 128  /* of each atom behind it: what is farther is fetched when it is read */
#define ROWS_OF_A_KEY 16   /* of these */
#define LARGE         8192 /* rows: less is in a cache anyway */

struct found { /* by one atom: rows whose words are on their way */
    const uint32_t *words[ROWS_FOLLOWED];
    uint32_t count;
};

static void begin_fetch(const struct index *ix, uint32_t key)
{
    if (ix->starts && key - ix->low < ix->range)
        __builtin_prefetch(ix->starts + (key - ix->low));
    else if (ix->group_cap)
        __builtin_prefetch(ix->groups +
                           ((uint32_t)(mgi_words_hash(&key, 1) >> 32) & (ix->group_cap - 1)));
}

static void fetch_group(const struct index *ix, struct group g)
{
    if (ix->copies)
        __builtin_prefetch(ix->copies + (size_t)g.start * ix->width);
    else
        __builtin_prefetch(ix->perm + g.start);
}

static void note_rows(const struct index *ix, struct group g, struct found *to)
{
    uint32_t end = g.end - g.start > ROWS_OF_A_KEY ? g.start + ROWS_OF_A_KEY : g.end;
    for (uint32_t at = g.start; at < end && to->count < ROWS_FOLLOWED; at++)
        to->words[to->count++] = ix->copies + (size_t)at * ix->width;
}

static uint32_t fetch_atom(const struct eval *x, const struct fetch *f, const struct found *from,
                           struct found *to)
{
    const struct rel *below = x->rels[f->look->pred].below;
    to->count = 0;
    if (below->count < (x->fetch_always ? 1 : LARGE))
        return 0;
    const struct index *ix = &below->indexes[f->look->index];
    for (uint32_t i = 0; i < from->count; i++)
        begin_fetch(ix, from->words[i][f->column]);
    for (uint32_t i = 0; i < from->count; i++) {
        struct group g = mgi_index_group(below, f->look->index, from->words[i] + f->column);
        if (g.start == g.end)
            continue;
        fetch_group(ix, g);
        if (f->followed && ix->copies)
            note_rows(ix, g, to);
    }
    return from->count;
}

void mgi_eval_fetch(struct eval *x, const struct code *code, struct frame *f)
{
    const struct rel *rel = &x->rels[code->ops[0].look->pred];
    struct found found[FETCH_MAX + 1];
    uint32_t looked_up = 0, row = f->row;
    if (row < f->fetched || row < rel->first || rel->temporal || !rel->below)
        return;
    found[0].count = 0;
    for (; row < f->hi && row - f->row < ROWS_AT_ONCE; row++)
        found[0].words[found[0].count++] = mgi_rel_row(rel, row);
    f->fetched = row;
    for (uint32_t i = 0; i < code->fetch_count; i++)
        looked_up += fetch_atom(x, &code->fetches[i], &found[code->fetches[i].from], &found[i + 1]);
    x->steps -= (int32_t)looked_up;
}
