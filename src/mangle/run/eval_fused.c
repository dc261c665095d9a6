/* The last scan of a code, the tests behind it and its head, as one loop: rows are gathered, those
 * that pass are kept, and each becomes a head in the queue without a look at frames, operations or
 * registers in between. Nearly all derivations of a closure are made here.
 *
 * Heads go to the queue in the order of the rows, as they would one by one. While a batch is
 * gathered and put, nothing is inserted, so rows stay where they are. */
#include "mangle/run/eval.h"

#define BATCH 64

/* Lists (rel_lists.c) in place of chains: where they are long, and each row is read so often. */
#define LISTED_ROWS  64
#define LISTED_LONG  8
#define LISTED_TIMES 8

struct fused {
    struct eval *x;
    const struct rel *rel;
    const struct look *look;
    struct frame *f;
    bool listed; /* of rows there is only the one column that is no key, as the first word */
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

static uint32_t gather_list(struct fused *u, uint32_t most)
{
    struct frame *f = u->f;
    const struct listed *rows = u->rel->indexes[u->look->index].lists.rows;
    uint32_t n = 0;
    for (; n < most && f->at < f->end && rows[f->at].row >= f->lo; f->at++)
        if (rows[f->at].row < f->hi)
            u->rows[n++] = &rows[f->at].value;
    return n;
}

static uint32_t gather_met(struct fused *u, uint32_t most)
{
    struct frame *f = u->f;
    uint32_t n = 0;
    for (; n < most && f->at < f->end; n++, f->at++)
        u->rows[n] = mgi_rel_row(u->rel, mgi_met_row(u->rel, f, u->x->met[f->at]));
    return n;
}

static uint32_t gather(struct fused *u, uint32_t most)
{
    if (u->f->phase == PHASE_LIST)
        return gather_list(u, most);
    if (u->f->phase == PHASE_MET)
        return gather_met(u, most);
    if (u->f->phase == PHASE_SIFT)
        return mgi_eval_sift(u->x, u->look, u->f, u->rows, most);
    return mgi_gather_rows(u->rel, u->look, u->f, u->rows, most);
}

/* ---- tests ----------------------------------------------------------------------------------- */

struct operand { /* of a row, or the same for all */
    uint32_t column, word;
};

static struct operand operand_of(const struct fused *u, const struct fuse_value *v)
{
    if (v->column == NO_REG)
        return (struct operand){ NO_REG, u->x->regs[v->reg] };
    return (struct operand){ u->listed ? 0 : v->column, 0 };
}

static inline uint32_t word_of(const struct operand *o, const uint32_t *row)
{
    return o->column == NO_REG ? o->word : row[o->column];
}

/* Each filter keeps some of the rows, in their order, and returns how many. */
static uint32_t keep_compared(struct fused *u, const struct fuse_test *test, uint32_t count)
{
    struct operand a = operand_of(u, &test->values[0]), b = operand_of(u, &test->values[1]);
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
static uint32_t keep_by_bit(struct fused *u, const struct bits *bits, const struct operand *of,
                            bool present, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *row = u->rows[n];
        const uint32_t words[2] = { word_of(&of[0], row), word_of(&of[1], row) };
        u->rows[kept] = row;
        kept += mgi_bits_has(bits, words) == present;
    }
    return kept;
}

/* Is there such a row among those that count, or is there none, as the test wants it? */
static uint32_t keep_looked_up(struct fused *u, const struct fuse_test *test, uint32_t count)
{
    const struct rel *rel = &u->x->rels[test->look->pred];
    const bool present = test->kind == OP_SCAN, below = test->look->reach != REACH_NEW;
    struct operand of[FUSE_MAX];
    struct frame f;
    uint32_t words[BATCH][FUSE_MAX], kept = 0;
    mgi_eval_limit_rows(u->x, rel, test->look, &f);
    for (uint32_t i = 0; i < test->count; i++)
        of[i] = operand_of(u, &test->values[i]);
    if (rel->bits.whole && f.lo == rel->first && f.hi == mgi_rel_end(rel))
        return keep_by_bit(u, &rel->bits, of, present, count);
    for (uint32_t n = 0; n < count; n++) {
        for (uint32_t i = 0; i < test->count; i++)
            words[n][i] = word_of(&of[i], u->rows[n]);
        mgi_rel_prefetch(rel, mgi_words_hash(words[n], test->count));
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t row = mgi_rel_find(rel, words[n]);
        bool counts = row < rel->first ? below : row >= f.lo && row < f.hi;
        u->rows[kept] = u->rows[n];
        kept += (row != REL_NONE && counts) == present;
    }
    return kept;
}

static uint32_t keep(struct fused *u, const struct fuse *fuse, uint32_t count)
{
    for (uint32_t i = 0; i < fuse->test_count && count; i++)
        count = fuse->tests[i].look ? keep_looked_up(u, &fuse->tests[i], count)
                                    : keep_compared(u, &fuse->tests[i], count);
    return count;
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* A head for each row. */
static void put_heads(struct fused *u, const struct fuse *fuse, uint32_t count)
{
    struct queue *q = &u->x->queue;
    const uint32_t arity = fuse->arity;
    uint32_t *words = q->words + (size_t)q->count * arity;
    struct operand of[FUSE_MAX];
    for (uint32_t i = 0; i < arity; i++)
        of[i] = operand_of(u, &fuse->head[i]);
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = 0; i < arity; i++)
            *words++ = word_of(&of[i], u->rows[n]);
    q->count += count;
}

/* The same for pairs: one that is known already need not go. */
static void put_pairs(struct fused *u, const struct fuse *fuse, const struct bits *known,
                      uint32_t count)
{
    struct queue *q = &u->x->queue;
    const struct operand a = operand_of(u, &fuse->head[0]), b = operand_of(u, &fuse->head[1]);
    uint32_t *words = q->words + (size_t)q->count * 2, put = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t *pair = words + (size_t)put * 2;
        pair[0] = word_of(&a, u->rows[n]);
        pair[1] = word_of(&b, u->rows[n]);
        if (!mgi_bits_has(known, pair))
            put++;
    }
    q->count += put;
}

/* ---- lists ------------------------------------------------------------------------------------
 */

static bool wants_lists(const struct eval *x, const struct code *code, const struct look *look)
{
    const struct rel *rel = &x->rels[look->pred];
    const struct index *ix = &rel->indexes[look->index];
    if (x->lists != LISTS_AUTO || rel->count < LISTED_ROWS)
        return x->lists == LISTS_ALWAYS && rel->count > 0;
    return rel->count / LISTED_LONG >= ix->heads.used &&
           mgi_eval_rows_found(x, code) >= LISTED_TIMES * (double)rel->count;
}

enum mangle_status mgi_eval_list_last(struct eval *x, const struct code *code)
{
    for (size_t i = code->op_count; i > 0; i--) {
        const struct look *look = code->ops[i - 1].look;
        if (!code->ops[i - 1].fuse)
            continue;
        if (look->index == NO_INDEX || !wants_lists(x, code, look) ||
            x->rels[look->pred].indexes[look->index].search->count + 1 != x->rels[look->pred].arity)
            return MANGLE_OK;
        return mgi_eval_make_lists(x, look->pred, look->index);
    }
    return MANGLE_OK;
}

static void begin_list(struct fused *u)
{
    struct eval *x = u->x;
    const struct look *look = u->look;
    const struct index *ix = &u->rel->indexes[look->index];
    for (uint32_t i = 0; i < look->key_count; i++)
        x->key[i] = x->regs[look->key[i]];
    struct list list = mgi_list_of(u->rel, look->index, x->key);
    u->f->phase = PHASE_LIST;
    u->f->at = list.count ? (uint32_t)(list.rows - ix->lists.rows) : 0;
    u->f->end = u->f->at + list.count;
}

enum mangle_status mgi_eval_fused(struct eval *x, const struct look *look, const struct fuse *fuse,
                                  struct frame *f)
{
    struct fused u; /* of which rows are not to be cleared: most scans are short */
    u.x = x;
    u.rel = &x->rels[look->pred];
    u.look = look;
    u.f = f;
    u.listed = f->phase == PHASE_CHAIN && mgi_lists_hold(&u.rel->indexes[look->index]);
    if (u.listed)
        begin_list(&u);
    for (;;) {
        uint32_t room;
        enum mangle_status st = mgi_queue_room(x, x->rule, &room);
        if (st)
            return st;
        uint32_t most = room < BATCH ? room : BATCH;
        uint32_t n = gather(&u, most);
        if (n == 0 && (f->phase != PHASE_SIFT || f->at <= f->lo))
            return MANGLE_OK;
        uint32_t kept = keep(&u, fuse, n);
        const struct bits *known = &x->rels[x->rule->head].bits;
        if (known->map)
            put_pairs(&u, fuse, known, kept);
        else
            put_heads(&u, fuse, kept);
        x->firings += kept;
        x->steps -= (int32_t)n;
        if (x->steps <= 0 && (st = mgi_eval_check(x)))
            return st;
        if (n < most && f->phase != PHASE_SIFT) /* that was all of the phase */
            return MANGLE_OK;
    }
}
