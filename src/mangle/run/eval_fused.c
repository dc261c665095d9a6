/* The last two operations of a code, a scan and its head, as one loop: rows are gathered, and each
 * becomes a head in the queue without a look at frames, operations or registers in between. Nearly
 * all derivations of a closure are made here.
 *
 * Heads go to the queue in the order of the rows, as they would one by one. While a batch is
 * gathered and put, nothing is inserted, so rows stay where they are. */
#include "mangle/run/eval.h"

#define BATCH 64

struct fused {
    struct eval *x;
    const struct rel *rel;
    const struct look *look;
    struct frame *f;
    const uint32_t *rows[BATCH];
};

/* The next rows of the range or chain, up to `most`; 0: no more in this phase. */
static uint32_t gather_below(struct fused *u, uint32_t most)
{
    struct frame *f = u->f;
    const struct rel *b = u->rel->below;
    uint32_t n = 0;
    for (; n < most && f->at < f->end; n++, f->at++)
        u->rows[n] = f->copies ? f->copies + (size_t)f->at * f->width
                               : b->rows + (size_t)(f->perm ? f->perm[f->at] : f->at) * b->arity;
    return n;
}

static uint32_t gather_range(struct fused *u, uint32_t most)
{
    struct frame *f = u->f;
    uint32_t n = 0;
    for (; n < most && f->at < f->hi; n++, f->at++)
        u->rows[n] = mgi_rel_row(u->rel, f->at);
    return n;
}

static uint32_t gather_chain(struct fused *u, uint32_t most)
{
    struct frame *f = u->f;
    const struct rel *rel = u->rel;
    const uint32_t *next = rel->indexes[u->look->index].next;
    uint32_t n = 0, row = f->link;
    while (n < most && row != REL_NONE && row >= f->lo) {
        if (row < f->hi)
            u->rows[n++] = rel->rows + (size_t)(row - rel->first) * rel->arity;
        row = next[row - rel->first];
    }
    f->link = row;
    return n;
}

/* The head's words for each row: a column of it, or what a register holds. A pair that is known
 * already need not go. */
static void put_heads(struct fused *u, const struct fuse *fuse, const struct bits *known,
                      uint32_t count)
{
    struct queue *q = &u->x->queue;
    const uint32_t arity = fuse->arity;
    uint32_t fixed[FUSE_MAX];
    for (uint32_t i = 0; i < arity; i++)
        fixed[i] = fuse->column[i] == NO_REG ? u->x->regs[fuse->args[i]] : 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t *words = q->words + (size_t)q->count * arity;
        for (uint32_t i = 0; i < arity; i++)
            words[i] = fuse->column[i] == NO_REG ? fixed[i] : u->rows[n][fuse->column[i]];
        if (mgi_bits_has(known, words))
            continue;
        q->hashes[q->count++] = mgi_words_hash(words, arity);
    }
}

enum mangle_status mgi_eval_fused(struct eval *x, const struct look *look, const struct fuse *fuse,
                                  struct frame *f)
{
    struct fused u = { .x = x, .rel = &x->rels[look->pred], .look = look, .f = f };
    for (;;) {
        uint32_t room;
        enum mangle_status st = mgi_queue_room(x, x->rule, &room);
        if (st)
            return st;
        uint32_t most = room < BATCH ? room : BATCH;
        uint32_t n = f->phase == PHASE_BELOW   ? gather_below(&u, most)
                     : f->phase == PHASE_CHAIN ? gather_chain(&u, most)
                                               : gather_range(&u, most);
        if (n == 0)
            return MANGLE_OK;
        put_heads(&u, fuse, &x->rels[x->rule->head].bits, n);
        x->firings += n;
        x->steps -= (int32_t)n;
        if (x->steps <= 0 && (st = mgi_eval_check(x)))
            return st;
    }
}
