/* do-rules whose rows are those of one relation, and whose reducers count, add up or compare small
 * integers: one pass over the relation, a probe of the groups' table per row. Nothing is gathered,
 * sorted or copied. Whether all values are small is looked at first, so there is no way back. */
#include "base/alloc.h"
#include "mangle/run/eval.h"
#include "mangle/run/rel_key.h"

struct fold_of { /* one OP_REDUCE */
    enum fold fold;
    uint32_t column;
};

#define FOLDS_MAX 8 /* more reducers than that take the long way */

struct folding {
    const struct rule *rule;
    const struct rel *rel;
    struct fold_of folds[FOLDS_MAX];
    uint32_t keys[KEY_MAX]; /* columns */
    struct folded *out;
};

static uint32_t column_of(const struct rule *rule, uint32_t reg)
{
    uint32_t column = 0;
    while (rule->row_regs[column] != reg)
        column++;
    return column;
}

static void prepare(struct folding *g)
{
    const struct code *tail = g->rule->tail;
    for (size_t i = 0; i < tail->op_count; i++) {
        const struct op *op = &tail->ops[i];
        if (op->kind == OP_REDUCE)
            g->folds[op->fold] =
                (struct fold_of){ op->function->fold,
                                  op->arg_count ? column_of(g->rule, op->args[0]) : 0 };
    }
    for (uint32_t i = 0; i < g->rule->key_count; i++)
        g->keys[i] = column_of(g->rule, g->rule->key_regs[i]);
}

static enum mangle_status all_small(struct eval *x, const struct folding *g, uint32_t count,
                                    bool *small)
{
    *small = true;
    for (uint32_t f = 0; f < g->rule->fold_count; f++) {
        if (g->folds[f].fold == FOLD_COUNT)
            continue;
        for (uint32_t row = 0; row < count && *small; row++) {
            enum mangle_status st = mgi_eval_step(x);
            if (st)
                return st;
            *small = mgi_value_is_small(mgi_rel_row(g->rel, row)[g->folds[f].column]);
        }
    }
    return MANGLE_OK;
}

static bool begin_group(struct eval *x, const struct folding *g, uint32_t group, uint32_t row)
{
    struct folded *f = g->out;
    uint32_t folds = g->rule->fold_count;
    if (!mgi_grow(&f->first, &f->first_cap, (size_t)group + 1, sizeof *f->first) ||
        !mgi_grow(&f->so_far, &f->so_far_cap, ((size_t)group + 1) * folds + 1, sizeof *f->so_far))
        return false;
    f->first[group] = row;
    for (uint32_t i = 0; i < folds; i++)
        f->so_far[(size_t)group * folds + i] = g->folds[i].fold == FOLD_MIN   ? INT64_MAX
                                               : g->folds[i].fold == FOLD_MAX ? INT64_MIN
                                                                              : 0;
    x->bytes += (size_t)g->rule->key_count * 4 + 40 + (size_t)folds * 8;
    return true;
}

static void fold_row(const struct folding *g, uint32_t group, const uint32_t *words)
{
    int64_t *so_far = g->out->so_far + (size_t)group * g->rule->fold_count;
    for (uint32_t i = 0; i < g->rule->fold_count; i++, so_far++) {
        int64_t n = mgi_value_small(words[g->folds[i].column]);
        switch (g->folds[i].fold) {
        case FOLD_COUNT:
            ++*so_far;
            break;
        case FOLD_SUM:
            *so_far += n;
            break;
        case FOLD_MIN:
            *so_far = n < *so_far ? n : *so_far;
            break;
        case FOLD_MAX:
            *so_far = n > *so_far ? n : *so_far;
            break;
        case FOLD_NONE:
            break;
        }
    }
}

static enum mangle_status fold_some(struct eval *x, const struct folding *g, uint32_t from,
                                    uint32_t to)
{
    uint64_t hashes[ROWS_AHEAD];
    uint32_t keys[ROWS_AHEAD][KEY_MAX], key_count = g->rule->key_count;
    uint32_t rows[ROWS_AHEAD], count = 0;
    for (uint32_t row = from; row < to; row++) {
        rows[count] = row;
        count += mgi_rel_live(g->rel, row);
    }
    g->out->rows += count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *words = mgi_rel_row(g->rel, rows[i]);
        for (uint32_t k = 0; k < key_count; k++)
            keys[i][k] = words[g->keys[k]];
        hashes[i] = mgi_words_hash(keys[i], key_count);
        mgi_rel_prefetch(&g->out->keys, hashes[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t group;
        bool added;
        enum mangle_status st = mgi_eval_step(x);
        if (st)
            return st;
        if (!mgi_rel_insert_hashed(&g->out->keys, keys[i], hashes[i], &group, &added) ||
            (added && !begin_group(x, g, group, rows[i])))
            return mgi_eval_nomem(x);
        fold_row(g, group, mgi_rel_row(g->rel, rows[i]));
    }
    return MANGLE_OK;
}

enum mangle_status mgi_fold_rows(struct eval *x, const struct rule *rule, const struct rel *rel,
                                 uint32_t count, struct folded *f, bool *done)
{
    struct folding g = { .rule = rule, .rel = rel, .out = f };
    *f = (struct folded){ 0 };
    *done = false;
    if (rule->fold_count > FOLDS_MAX || rule->key_count > KEY_MAX)
        return MANGLE_OK;
    prepare(&g);
    enum mangle_status st = all_small(x, &g, count, done);
    if (st || !*done)
        return st;
    if (!mgi_rel_init(&f->keys, rule->key_count, false, NULL, 0, NULL))
        return mgi_eval_nomem(x);
    for (uint32_t row = 0; row < count && !st; row += ROWS_AHEAD)
        st = fold_some(x, &g, row, count - row < ROWS_AHEAD ? count : row + ROWS_AHEAD);
    return st;
}

void mgi_folded_fini(struct folded *f)
{
    mgi_rel_fini(&f->keys);
    mgi_free(f->first);
    mgi_free(f->so_far);
}
