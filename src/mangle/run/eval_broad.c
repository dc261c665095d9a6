/* The first scans of a code, breadth first (plan/plan_broad.c says which): all rows of one atom,
 * up to as many as a tier has room for, before those of the next. Depth first, what is read next
 * is known only when the row before it has come from memory; here all keys of a tier are known, so
 * the rows of a large base come together, and the innermost loop is one over an array.
 *
 * A tier holds what its atom bound, and for which row of the tier before; its rows are in the order
 * of that, so solutions come in the order in which depth first finds them. Nothing that they lead
 * to is seen by the code itself. Recursion is as deep as the code has scans, BROAD_MAX at most. */
#include "mangle/run/eval.h"

#define LARGE 8192 /* rows of the base: fewer are in a cache anyway */

struct tier {
    const struct look *look;
    uint32_t words[BROAD_ROWS][BROAD_BINDS]; /* what it binds */
    uint32_t above[BROAD_ROWS];              /* in the tier before */
    uint32_t count, loaded; /* which of them stands in the registers, or REL_NONE */
};

struct broad {
    struct eval *x;
    const struct code *code;
    struct tier tiers[BROAD_MAX];
};

static void empty_tier(struct tier *t)
{
    t->count = 0;
    t->loaded = REL_NONE;
}

/* What this row and those above it bound goes to the registers. */
static void load(struct broad *b, uint32_t tier, uint32_t at)
{
    for (struct tier *t = &b->tiers[tier];; t--) {
        if (t->loaded != at) {
            for (uint32_t i = 0; i < t->look->bind_count; i++)
                b->x->regs[t->look->binds[i].reg] = t->words[at][i];
            t->loaded = at;
        }
        if (t == b->tiers)
            return;
        at = t->above[at];
    }
}

/* ---- fetching -------------------------------------------------------------------------------- */

/* The key that `look` has for a row of the tier. `column`: which word of it, or NO_REG. */
static const uint32_t *key_of(struct broad *b, const struct look *look, uint32_t tier, uint32_t at,
                              uint32_t column)
{
    if (column != NO_REG)
        return b->tiers[tier].words[at] + column;
    load(b, tier, at);
    for (uint32_t i = 0; i < look->key_count; i++)
        b->x->key[i] = b->x->regs[look->key[i]];
    return b->x->key;
}

static uint32_t word_of_key(const struct tier *t, const struct look *look)
{
    for (uint32_t i = 0; look->key_count == 1 && i < t->look->bind_count; i++)
        if (t->look->binds[i].reg == look->key[0])
            return i;
    return NO_REG;
}

static void fetch_whole(struct broad *b, const struct look *look, uint32_t tier)
{
    const struct rel *rel = &b->x->rels[look->pred];
    for (uint32_t i = 0; i < b->tiers[tier].count; i++)
        mgi_rel_prefetch(rel, mgi_words_hash(key_of(b, look, tier, i, NO_REG), look->key_count));
}

/* Where the base has what `look` will look for behind each row of the tier. */
static void fetch(struct broad *b, const struct look *look, uint32_t tier)
{
    const struct rel *below = look ? b->x->rels[look->pred].below : NULL;
    const struct tier *t = &b->tiers[tier];
    if (!below || below->count < (b->x->fetch_always ? 1 : LARGE) || look->reach == REACH_NEW)
        return;
    if (look->whole) {
        fetch_whole(b, look, tier);
        return;
    }
    if (look->index == NO_INDEX)
        return;
    uint32_t column = word_of_key(t, look);
    for (uint32_t i = 0; i < t->count; i++)
        mgi_index_prefetch(below, look->index, key_of(b, look, tier, i, column));
    for (uint32_t i = 0; i < t->count; i++) {
        struct group g = mgi_index_group(below, look->index, key_of(b, look, tier, i, column));
        if (g.start < g.end)
            mgi_index_prefetch_at(below, look->index, g.start);
    }
}

/* ---- one operation after the other ----------------------------------------------------------- */

static bool passes(const struct eval *x, const struct look *look, const uint32_t *row)
{
    for (uint32_t i = 0; i < look->test_count; i++)
        if (row[look->tests[i].column] != x->regs[look->tests[i].reg])
            return false;
    return true;
}

/* A row behind row `above` of the tier before, if the atom means it. */
static inline void take_row(const struct eval *x, struct tier *t, const uint32_t *row,
                            uint32_t above)
{
    const struct look *look = t->look;
    if (look->test_count && !passes(x, look, row))
        return;
    for (uint32_t i = 0; i < look->bind_count; i++)
        t->words[t->count][i] = row[look->binds[i].column];
    t->above[t->count++] = above;
}

static enum mangle_status go_on(struct broad *b, uint32_t pc, uint32_t tiers);

/* So many rows were looked at behind row `above`; a full tier goes on before there are more. */
static enum mangle_status took(struct broad *b, uint32_t pc, uint32_t tiers, uint32_t above,
                               uint32_t count)
{
    struct eval *x = b->x;
    struct tier *t = &b->tiers[tiers];
    x->steps -= (int32_t)count;
    enum mangle_status st = x->steps <= 0 ? mgi_eval_check(x) : MANGLE_OK;
    if (st || t->count < x->broad_rows)
        return st;
    st = go_on(b, pc + 1, tiers + 1);
    empty_tier(t);
    if (tiers)
        load(b, tiers - 1, above);
    return st;
}

/* The rows of the atom behind one row of the tier before: from where its scan is. */
static enum mangle_status take_rest(struct broad *b, uint32_t pc, uint32_t tiers, uint32_t above)
{
    struct eval *x = b->x;
    struct tier *t = &b->tiers[tiers];
    const uint32_t *rows[BROAD_ROWS];
    struct frame *f = &x->frames[pc];
    for (;;) {
        uint32_t most = x->broad_rows - t->count;
        uint32_t n = mgi_gather_rows(&x->rels[t->look->pred], t->look, f, rows, most);
        for (uint32_t i = 0; i < n; i++)
            take_row(x, t, rows[i], above);
        enum mangle_status st = took(b, pc, tiers, above, n);
        if (st || (n < most && !mgi_scan_own(x, t->look, f)))
            return st;
    }
}

/* The same where all are rows of the base that an index finds: nothing is begun. */
static enum mangle_status take_group(struct broad *b, uint32_t pc, uint32_t tiers, uint32_t above,
                                     const uint32_t *key)
{
    struct eval *x = b->x;
    struct tier *t = &b->tiers[tiers];
    const struct rel *below = x->rels[t->look->pred].below;
    const struct index *ix = &below->indexes[t->look->index];
    struct group g = mgi_index_group(below, t->look->index, key);
    enum mangle_status st = MANGLE_OK;
    while (g.start < g.end && !st) {
        uint32_t room = x->broad_rows - t->count, left = g.end - g.start;
        uint32_t end = g.start + (left < room ? left : room), count = end - g.start;
        for (; g.start < end; g.start++)
            take_row(x, t, mgi_index_words(below, ix, g.start), above);
        st = took(b, pc, tiers, above, count);
    }
    return st;
}

/* All of the atom's rows stand in the base, and an index finds them. */
static bool is_of_base(struct broad *b, const struct look *look, struct frame *f)
{
    const struct rel *rel = &b->x->rels[look->pred];
    mgi_scan_limit(b->x, look, f);
    return look->index != NO_INDEX && look->reach != REACH_NEW && rel->first && f->lo >= f->hi;
}

static enum mangle_status expand(struct broad *b, uint32_t pc, uint32_t tiers)
{
    struct tier *t = &b->tiers[tiers];
    const struct look *look = t->look = b->code->ops[pc].look;
    struct frame *f = &b->x->frames[pc];
    uint32_t count = tiers ? b->tiers[tiers - 1].count : 1;
    bool of_base = tiers && is_of_base(b, look, f);
    uint32_t column = tiers && !look->test_count ? word_of_key(&b->tiers[tiers - 1], look) : NO_REG;
    enum mangle_status st = MANGLE_OK;
    empty_tier(t);
    if (tiers)
        fetch(b, look, tiers - 1);
    for (uint32_t i = 0; i < count && !st; i++) {
        if (of_base) {
            st = take_group(b, pc, tiers, i, key_of(b, look, tiers - 1, i, column));
            continue;
        }
        if (tiers)
            load(b, tiers - 1, i);
        mgi_scan_begin(b->x, look, f);
        st = take_rest(b, pc, tiers, i);
    }
    return st || t->count == 0 ? st : go_on(b, pc + 1, tiers + 1);
}

/* Of the last tier stays what passes the test. */
static enum mangle_status sift(struct broad *b, uint32_t pc, uint32_t tier)
{
    struct tier *t = &b->tiers[tier];
    uint32_t kept = 0;
    enum mangle_status st = MANGLE_OK;
    fetch(b, b->code->ops[pc].look, tier);
    for (uint32_t i = 0; i < t->count && !st; i++) {
        load(b, tier, i);
        bool passed = mgi_eval_test(b->x, b->code, pc, &st);
        if (!st)
            st = mgi_eval_step(b->x);
        if (!passed)
            continue;
        for (uint32_t w = 0; w < t->look->bind_count; w++)
            t->words[kept][w] = t->words[i][w];
        t->above[kept++] = t->above[i];
    }
    t->count = kept;
    t->loaded = REL_NONE;
    return st;
}

/* The rest of the code, depth first, for each row of the last tier. */
static enum mangle_status finish(struct broad *b, uint32_t tier)
{
    const struct code *code = b->code;
    const struct op *op = &code->ops[code->broad];
    bool fused = op->fuse && !b->x->sink;
    enum mangle_status st = MANGLE_OK;
    fetch(b, op->look, tier);
    for (uint32_t i = 0; i < b->tiers[tier].count && !st; i++) {
        load(b, tier, i);
        st = fused ? mgi_scan_fused(b->x, op, &b->x->frames[code->broad])
                   : mgi_eval_rest(b->x, code, code->broad);
    }
    return st;
}

static enum mangle_status go_on(struct broad *b, uint32_t pc, uint32_t tiers)
{
    for (; pc < b->code->broad && b->tiers[tiers - 1].count; pc++) {
        const struct op *op = &b->code->ops[pc];
        if (op->kind == OP_SCAN && !op->look->whole)
            return expand(b, pc, tiers);
        enum mangle_status st = sift(b, pc, tiers - 1);
        if (st)
            return st;
    }
    return finish(b, tiers - 1);
}

enum mangle_status mgi_eval_broad(struct eval *x, const struct code *code)
{
    struct broad b;
    b.x = x;
    b.code = code;
    return expand(&b, 0, 0);
}
