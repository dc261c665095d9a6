/* The last scan of a code, the tests behind it and its head, as one loop: rows are gathered, those
 * that pass are kept, and each becomes a head in the queue without a look at frames, operations or
 * registers in between. Nearly all derivations of a closure are made here.
 *
 * Heads go to the queue in the order of the rows, as they would one by one. While a batch is
 * gathered and put, nothing is inserted, so rows stay where they are. */
#include "mangle/run/eval.h"

#define BATCH 64

struct fused {
    struct eval *x;
    const uint32_t *rows[BATCH];
};

static uint32_t gather_below(const struct rel *b, struct frame *f, const uint32_t **rows,
                             uint32_t most)
{
    uint32_t n = 0;
    for (; n < most && f->at < f->end; n++, f->at++)
        rows[n] = f->copies ? f->copies + (size_t)f->at * f->width
                            : b->rows + (size_t)(f->perm ? f->perm[f->at] : f->at) * b->arity;
    return n;
}

static uint32_t gather_range(const struct rel *rel, struct frame *f, const uint32_t **rows,
                             uint32_t most)
{
    uint32_t n = 0;
    for (; n < most && f->at < f->hi; n++, f->at++)
        rows[n] = mgi_rel_row(rel, f->at);
    return n;
}

static uint32_t gather_chain(const struct rel *rel, const struct look *look, struct frame *f,
                             const uint32_t **rows, uint32_t most)
{
    const uint32_t *next = rel->indexes[look->index].next;
    uint32_t n = 0, row = f->link;
    while (n < most && row != REL_NONE && row >= f->lo) {
        if (row < f->hi)
            rows[n++] = rel->rows + (size_t)(row - rel->first) * rel->arity;
        row = next[row - rel->first];
    }
    f->link = row;
    return n;
}

uint32_t mgi_gather_rows(const struct rel *rel, const struct look *look, struct frame *f,
                         const uint32_t **rows, uint32_t most)
{
    if (f->phase == PHASE_BELOW)
        return gather_below(rel->below, f, rows, most);
    if (f->phase == PHASE_CHAIN)
        return gather_chain(rel, look, f, rows, most);
    return gather_range(rel, f, rows, most);
}

/* ---- tests ----------------------------------------------------------------------------------- */

struct operand { /* of a row, or the same for all */
    uint32_t column, word;
};

static struct operand operand_of(const struct eval *x, const struct fuse_value *v)
{
    return (struct operand){ v->column, v->column == NO_REG ? x->regs[v->reg] : 0 };
}

static inline uint32_t word_of(const struct operand *o, const uint32_t *row)
{
    return o->column == NO_REG ? o->word : row[o->column];
}

/* Each filter keeps some of the rows, in their order, and returns how many. */
static uint32_t keep_compared(struct fused *u, const struct fuse_test *test, uint32_t count)
{
    struct operand a = operand_of(u->x, &test->values[0]), b = operand_of(u->x, &test->values[1]);
    bool equal = test->kind == OP_EQ;
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *row = u->rows[n];
        u->rows[kept] = row;
        kept += (word_of(&a, row) == word_of(&b, row)) == equal;
    }
    return kept;
}

/* Of a relation of which all that counts has a bit. */
static uint32_t keep_clear(struct fused *u, const struct bits *bits, const struct operand *of,
                           uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *row = u->rows[n];
        const uint32_t words[2] = { word_of(&of[0], row), word_of(&of[1], row) };
        u->rows[kept] = row;
        kept += !mgi_bits_has(bits, words);
    }
    return kept;
}

static uint32_t keep_absent(struct fused *u, const struct fuse_test *test, uint32_t count)
{
    const struct rel *rel = &u->x->rels[test->pred];
    struct operand of[FUSE_MAX];
    uint32_t words[BATCH][FUSE_MAX], kept = 0;
    for (uint32_t i = 0; i < test->count; i++)
        of[i] = operand_of(u->x, &test->values[i]);
    if (rel->bits.whole && rel->hi == mgi_rel_end(rel))
        return keep_clear(u, &rel->bits, of, count);
    for (uint32_t n = 0; n < count; n++) {
        for (uint32_t i = 0; i < test->count; i++)
            words[n][i] = word_of(&of[i], u->rows[n]);
        mgi_rel_prefetch(rel, mgi_words_hash(words[n], test->count));
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t row = mgi_rel_find(rel, words[n]);
        u->rows[kept] = u->rows[n];
        kept += row == REL_NONE || (row >= rel->first && row >= rel->hi);
    }
    return kept;
}

static uint32_t keep(struct fused *u, const struct fuse *fuse, uint32_t count)
{
    for (uint32_t i = 0; i < fuse->test_count && count; i++)
        count = fuse->tests[i].kind == OP_ABSENT ? keep_absent(u, &fuse->tests[i], count)
                                                 : keep_compared(u, &fuse->tests[i], count);
    return count;
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* A head for each row. A pair that is known already need not go. */
static void put_heads(struct fused *u, const struct fuse *fuse, const struct bits *known,
                      uint32_t count)
{
    struct queue *q = &u->x->queue;
    const uint32_t arity = fuse->arity;
    struct operand of[FUSE_MAX];
    for (uint32_t i = 0; i < arity; i++)
        of[i] = operand_of(u->x, &fuse->head[i]);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t *words = q->words + (size_t)q->count * arity;
        for (uint32_t i = 0; i < arity; i++)
            words[i] = word_of(&of[i], u->rows[n]);
        if (mgi_bits_has(known, words))
            continue;
        q->hashes[q->count++] = mgi_words_hash(words, arity);
    }
}

enum mangle_status mgi_eval_fused(struct eval *x, const struct look *look, const struct fuse *fuse,
                                  struct frame *f)
{
    struct fused u;
    u.x = x;
    for (;;) {
        uint32_t room;
        enum mangle_status st = mgi_queue_room(x, x->rule, &room);
        if (st)
            return st;
        uint32_t most = room < BATCH ? room : BATCH;
        uint32_t n = mgi_gather_rows(&x->rels[look->pred], look, f, u.rows, most);
        if (n == 0)
            return MANGLE_OK;
        uint32_t kept = keep(&u, fuse, n);
        put_heads(&u, fuse, &x->rels[x->rule->head].bits, kept);
        x->firings += kept;
        x->steps -= (int32_t)n;
        if (x->steps <= 0 && (st = mgi_eval_check(x)))
            return st;
        if (n < most) /* that was all of the phase */
            return MANGLE_OK;
    }
}
