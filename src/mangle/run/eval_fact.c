/* Facts going into relations: what they cost, and what counts as derived. */
#include "mangle/run/eval.h"

#include <string.h>

#include "base/alloc.h"

#define ENTRY_BYTES (sizeof(struct mangle_interval) + 3 * sizeof(uint32_t) + 16)

void mgi_eval_touch(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    if (!rel->touched) {
        rel->touched = true;
        x->touched[x->touched_count++] = pred;
        mgi_wake(x, pred);
    }
}

/* A row, and its place in the set of rows. */
static size_t row_bytes(const struct rel *rel)
{
    return (size_t)rel->arity * 4 + 8 + (size_t)rel->index_count * 16;
}

static size_t known_bytes(const struct rel *rel)
{
    return (size_t)rel->known.stride * 8;
}

enum mangle_status mgi_eval_known(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    uint32_t before = rel->known_count;
    if (before == rel->count)
        return MANGLE_OK;
    struct pace pace = mgi_eval_pace(x);
    if (!mgi_rel_sync_known(rel, &pace))
        return mgi_eval_nomem(x);
    x->bytes += (rel->known_count - before) * known_bytes(rel);
    return rel->known_count < rel->count ? x->stopped : mgi_eval_memory(x);
}

enum mangle_status mgi_eval_dense(struct eval *x, mangle_pred pred, const uint32_t *words,
                                  uint32_t count)
{
    struct rel *rel = &x->rels[pred];
    if (!mgi_bits_due(rel))
        return MANGLE_OK;
    size_t before = mgi_bits_bytes(&rel->bits);
    struct pace pace = mgi_eval_pace(x);
    bool made = mgi_bits_make(rel, words, count, &pace);
    x->bytes += mgi_bits_bytes(&rel->bits) - before;
    return made ? mgi_eval_memory(x) : x->stopped;
}

static enum mangle_status count_derived(struct eval *x, mangle_pred pred, uint32_t count)
{
    int64_t most = x->limits.max_facts;
    x->derived += count;
    x->rels[pred].made += count;
    if (most < 0 || x->derived <= most)
        return MANGLE_OK;
    x->derived = most + 1; /* of many the first that is too much */
    return mgi_eval_limit(x, MANGLE_LIMIT_FACTS, most, x->derived, MANGLE_NO_PRED);
}

static enum mangle_status add_entry(struct eval *x, mangle_pred pred, uint32_t row,
                                    struct mangle_interval t, bool *added)
{
    struct rel *rel = &x->rels[pred];
    if (!mgi_times_add(rel, row, t, added))
        return mgi_eval_nomem(x);
    if (!*added)
        return MANGLE_OK;
    mgi_eval_touch(x, pred);
    x->bytes += ENTRY_BYTES;
    return MANGLE_OK;
}

static enum mangle_status add_fact(struct eval *x, mangle_pred pred, const uint32_t *words,
                                   struct mangle_interval t, uint32_t *row, bool *added)
{
    struct rel *rel = &x->rels[pred];
    if (!mgi_rel_insert(rel, words, row, added))
        return mgi_eval_nomem(x);
    if (*added) {
        mgi_eval_touch(x, pred);
        x->bytes += row_bytes(rel) + known_bytes(rel);
    }
    return rel->temporal ? add_entry(x, pred, *row, t, added) : MANGLE_OK;
}

enum mangle_status mgi_eval_derive_hashed(struct eval *x, const struct rule *rule,
                                          const uint32_t *words, uint64_t hash)
{
    struct rel *rel = &x->rels[rule->head];
    uint32_t row;
    bool added;
    if (!mgi_rel_insert_hashed(rel, words, hash, &row, &added))
        return mgi_eval_nomem(x);
    return added ? mgi_eval_count(x, rule->head) : MANGLE_OK;
}

enum mangle_status mgi_eval_give(struct eval *x, mangle_pred pred, const uint32_t *words,
                                 struct mangle_interval t)
{
    uint32_t row;
    bool added;
    return add_fact(x, pred, words, t, &row, &added);
}

#define FACTS_AHEAD 16   /* about as many fetches as a core has under way */
#define FACTS_TRIED 4096 /* then it is known how many of many are new */

/* Many facts, most of which were new so far: room for the others. */
static bool expect_rest(struct rel *rel, uint32_t before, size_t rest)
{
    return rel->count - before < FACTS_TRIED / 4 * 3 || mgi_rel_expect(rel, rest);
}

/* Whether a fact is known already is one probe of a table that is far larger than any cache; so the
 * slots of the facts to come are fetched meanwhile. */
static bool put_rows(struct rel *rel, const uint32_t *rows, size_t count)
{
    uint64_t hashes[FACTS_AHEAD];
    uint32_t before = rel->count, row;
    bool added, many = rel->arity && count > FACTS_TRIED && count >= before;
    for (size_t i = 0; i < count + FACTS_AHEAD; i++) {
        uint64_t *hash = &hashes[i % FACTS_AHEAD];
        if (i >= FACTS_AHEAD &&
            !mgi_rel_insert_hashed(rel, rows + (i - FACTS_AHEAD) * rel->arity, *hash, &row, &added))
            return false;
        if (many && i == FACTS_TRIED + FACTS_AHEAD && !expect_rest(rel, before, count - i))
            return false;
        if (i >= count)
            continue;
        *hash = mgi_words_hash(rows + i * rel->arity, rel->arity);
        mgi_rel_prefetch(rel, *hash);
    }
    return true;
}

static enum mangle_status give_rows(struct eval *x, mangle_pred pred, const uint32_t *rows,
                                    size_t count)
{
    struct rel *rel = &x->rels[pred];
    uint32_t before = rel->count;
    if (!put_rows(rel, rows, count))
        return mgi_eval_nomem(x);
    if (rel->count > before)
        mgi_eval_touch(x, pred);
    x->bytes += (size_t)(rel->count - before) * (row_bytes(rel) + known_bytes(rel));
    return MANGLE_OK;
}

enum mangle_status mgi_eval_give_rows(struct eval *x, mangle_pred pred, const uint32_t *rows,
                                      size_t count)
{
    const struct rel *rel = &x->rels[pred];
    enum mangle_status st = MANGLE_OK;
    if (!rel->temporal)
        return give_rows(x, pred, rows, count);
    for (size_t i = 0; i < count && !st; i++)
        st = mgi_eval_give(x, pred, rows + i * rel->arity, MANGLE_ALWAYS);
    return st;
}

enum mangle_status mgi_eval_found(struct eval *x, mangle_pred pred, const uint32_t *words)
{
    struct rel *rel = &x->rels[pred];
    uint32_t row;
    bool added;
    enum mangle_status st = add_fact(x, pred, words, MANGLE_ALWAYS, &row, &added);
    rel->hi = mgi_rel_end(rel);
    return !st && added ? count_derived(x, pred, 1) : st;
}

enum mangle_status mgi_eval_count(struct eval *x, mangle_pred pred)
{
    mgi_eval_touch(x, pred);
    x->bytes += row_bytes(&x->rels[pred]) + known_bytes(&x->rels[pred]);
    return count_derived(x, pred, 1);
}

static enum mangle_status count_rows(struct eval *x, mangle_pred pred, uint32_t count, size_t bytes)
{
    if (count == 0)
        return MANGLE_OK;
    mgi_eval_touch(x, pred);
    x->bytes += count * bytes;
    return count_derived(x, pred, count);
}

enum mangle_status mgi_eval_count_many(struct eval *x, mangle_pred pred, uint32_t count)
{
    const struct rel *rel = &x->rels[pred];
    return count_rows(x, pred, count, row_bytes(rel) + known_bytes(rel));
}

static enum mangle_status derive_fresh(struct eval *x, mangle_pred pred, const uint32_t *words,
                                       uint32_t count)
{
    struct rel *rel = &x->rels[pred];
    uint32_t *to = mgi_rel_extend(rel, count);
    if (!to)
        return mgi_eval_nomem(x);
    memcpy(to, words, (size_t)count * rel->arity * sizeof *words);
    mgi_rel_took(rel, count);
    return count_rows(x, pred, count, row_bytes(rel));
}

static enum mangle_status derive_dense(struct eval *x, mangle_pred pred, const uint32_t *words,
                                       uint32_t *count)
{
    struct rel *rel = &x->rels[pred];
    uint32_t before = rel->count, done = mgi_bits_add(rel, words, *count);
    if (done == UINT32_MAX)
        return mgi_eval_nomem(x);
    *count = done;
    return count_rows(x, pred, rel->count - before, row_bytes(rel));
}

enum mangle_status mgi_eval_derive_plain(struct eval *x, const struct rule *rule,
                                         const uint32_t *words, uint32_t *count)
{
    const struct rel *rel = &x->rels[rule->head];
    enum mangle_status st = MANGLE_OK;
    uint32_t at = 0;
    if (rule == x->fresh)
        return derive_fresh(x, rule->head, words, *count);
    while (!st && at < *count) {
        const uint32_t *from = words + (size_t)at * rel->arity;
        uint32_t done = *count - at;
        st = mgi_eval_dense(x, rule->head, from, done);
        if (st || !rel->bits.whole)
            break;
        st = derive_dense(x, rule->head, from, &done);
        at += done;
    }
    *count = at;
    return st;
}

/* Inside a fixpoint, which could go on without end, the union is computed whenever the number of
 * entries passes a power of two: thousands of touching intervals are one (M-TEMP-23). Everything
 * else is counted when it is complete, whatever the order. */
static enum mangle_status check_intervals(struct eval *x, mangle_pred pred, uint32_t row)
{
    const struct rel *rel = &x->rels[pred];
    uint32_t count = mgi_times_count(rel, row), n = 0;
    if (x->limits.max_intervals < 0 || count <= x->limits.max_intervals || (count & (count - 1)))
        return MANGLE_OK;
    if (!mgi_grow(&x->merge, &x->merge_cap, count, sizeof *x->merge))
        return mgi_eval_nomem(x);
    for (struct span_walk w = mgi_times_walk(rel, row); w.entry != REL_NONE; mgi_times_older(&w))
        x->merge[n++] = mgi_times_at(&w);
    enum mangle_status st = mgi_eval_merge(x, &n);
    if (st || n <= x->limits.max_intervals)
        return st;
    return mgi_eval_limit(x, MANGLE_LIMIT_INTERVALS, x->limits.max_intervals, n, pred);
}

enum mangle_status mgi_eval_derive(struct eval *x, const struct rule *rule, const uint32_t *words,
                                   struct mangle_interval t)
{
    uint32_t row;
    bool added;
    enum mangle_status st = add_fact(x, rule->head, words, t, &row, &added);
    if (!st && added && rule->annotated && x->program->strata[rule->stratum].recursive)
        st = check_intervals(x, rule->head, row);
    return !st && added ? count_derived(x, rule->head, 1) : st;
}
