/* do-rules: the rows of the body, grouped by their keys, and per group the statements and the head.
 *
 * Rows are a set (M-AGG-5). They are sorted by their values (M-EVAL-31) where the order decides
 * what lists, floating sums and "first wins" come to; groups follow in the order of their first
 * row. The rule's tail is run once per group: OP_REDUCE reads the rows of the group, everything
 * else the registers, where the keys stand. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rule_costs.h"

#define FEW_ROWS 16

struct aggregate {
    const struct rule *rule;
    struct rel rows;        /* what the body made, unless it is stored as it is: */
    const struct rel *from; /* where the rows are */
    uint32_t count;
    struct folded folded;
    bool is_folded;   /* instead of what follows */
    uint32_t *order;  /* row numbers, sorted; then regrouped; with the next three in one piece */
    uint32_t *sorted; /* scratch of the same length */
    uint32_t *group;  /* per position of the sorted rows: its group */
    uint32_t *start;  /* group -> first position in order; one more at the end */
    uint32_t group_count;
    uint32_t current;    /* group being run */
    mangle_value *table; /* arguments of a reducer */
    size_t table_cap;
    eval_sink *on_head; /* NULL: heads become facts */
    void *context;
};

static enum mangle_status take_row(struct eval *x, const struct code *code, const struct op *op)
{
    struct aggregate *agg = x->sink_context;
    uint32_t row;
    bool added;
    (void)code;
    x->firings++;
    for (uint32_t i = 0; i < op->arg_count; i++)
        x->words[i] = x->regs[op->args[i]];
    if (!mgi_rel_insert(&agg->rows, x->words, &row, &added))
        return mgi_eval_nomem(x);
    if (added)
        x->bytes += (size_t)op->arg_count * 4 + 32;
    return MANGLE_OK;
}

static uint32_t key_column(const struct rule *rule, uint32_t reg)
{
    uint32_t column = 0;
    while (rule->row_regs[column] != reg)
        column++;
    return column;
}

/* Which rows belong together: few are held against the first row of each group. */
static void find_few_groups(struct aggregate *agg)
{
    const struct rule *rule = agg->rule;
    uint32_t first[FEW_ROWS];
    for (uint32_t i = 0; i < agg->count; i++) {
        const uint32_t *row = mgi_rel_row(agg->from, agg->order[i]);
        uint32_t g = 0, k = 0;
        for (; g < agg->group_count; g++) {
            const uint32_t *other = mgi_rel_row(agg->from, first[g]);
            for (k = 0; k < rule->key_count; k++) {
                uint32_t column = key_column(rule, rule->key_regs[k]);
                if (row[column] != other[column])
                    break;
            }
            if (k == rule->key_count)
                break;
        }
        agg->group[i] = g;
        if (g == agg->group_count)
            first[agg->group_count++] = agg->order[i];
    }
}

/* The same for many, by a table over their keys. */
static enum mangle_status find_groups(struct eval *x, struct aggregate *agg)
{
    const struct rule *rule = agg->rule;
    struct rel keys;
    enum mangle_status st = MANGLE_OK;
    if (!mgi_rel_init(&keys, rule->key_count, false, NULL, 0, NULL))
        return mgi_eval_nomem(x);
    for (uint32_t i = 0; !st && i < agg->count; i++) {
        const uint32_t *row = mgi_rel_row(agg->from, agg->order[i]);
        bool added;
        for (uint32_t k = 0; k < rule->key_count; k++)
            x->words[k] = row[key_column(rule, rule->key_regs[k])];
        st = mgi_rel_insert(&keys, x->words, &agg->group[i], &added) ? mgi_eval_step(x)
                                                                     : mgi_eval_nomem(x);
    }
    agg->group_count = keys.count;
    mgi_rel_fini(&keys);
    return st;
}

/* Rows of one group next to each other, in their order. */
static void gather_groups(struct aggregate *agg)
{
    uint32_t count = agg->count;
    memset(agg->start, 0, ((size_t)agg->group_count + 1) * sizeof *agg->start);
    for (uint32_t i = 0; i < count; i++)
        agg->start[agg->group[i] + 1]++;
    for (uint32_t g = 0; g < agg->group_count; g++)
        agg->start[g + 1] += agg->start[g];
    memcpy(agg->sorted, agg->order, count * sizeof *agg->order);
    for (uint32_t i = 0; i < count; i++) /* start[g] is moved on, and put back below */
        agg->order[agg->start[agg->group[i]]++] = agg->sorted[i];
    for (uint32_t g = agg->group_count; g > 0; g--)
        agg->start[g] = agg->start[g - 1];
    agg->start[0] = 0;
}

static enum mangle_status arrange(struct eval *x, struct aggregate *agg)
{
    size_t count = agg->count;
    enum mangle_status st = MANGLE_OK;
    agg->order = mgi_alloc((count * 4 + 1) * sizeof *agg->order);
    if (!agg->order)
        return mgi_eval_nomem(x);
    agg->sorted = agg->order + count;
    agg->group = agg->sorted + count;
    agg->start = agg->group + count;
    for (uint32_t i = 0; i < count; i++)
        agg->order[i] = i;
    if (agg->rule->row_order)
        st = mgi_sort_rows(x, agg->from, agg->order, agg->sorted, count);
    if (!st && count <= FEW_ROWS)
        find_few_groups(agg);
    else if (!st)
        st = find_groups(x, agg);
    if (!st)
        gather_groups(agg);
    return st;
}

static void load_row(struct eval *x, const struct aggregate *agg, uint32_t number)
{
    const uint32_t *row = mgi_rel_row(agg->from, number);
    for (uint32_t i = 0; i < agg->rule->row_count; i++)
        x->regs[agg->rule->row_regs[i]] = row[i];
}

static enum mangle_status take_fold(struct eval *x, const struct aggregate *agg,
                                    const struct op *op)
{
    size_t at = (size_t)agg->current * agg->rule->fold_count + op->fold;
    x->regs[op->a] = mangle_number(x->values, agg->folded.so_far[at]);
    return x->regs[op->a] ? MANGLE_OK : mgi_eval_nomem(x);
}

static enum mangle_status reduce(struct eval *x, const struct op *op)
{
    struct aggregate *agg = x->sink_context;
    if (agg->is_folded)
        return take_fold(x, agg, op);
    uint32_t from = agg->start[agg->current], to = agg->start[agg->current + 1];
    size_t rows = 0, width = op->arg_count;
    if (!mgi_grow(&agg->table, &agg->table_cap, (to - from) * width + 1, sizeof *agg->table))
        return mgi_eval_nomem(x);
    if (op->each)
        mgi_eval_constants(x, op->each);
    for (uint32_t at = from; at < to; at++) {
        load_row(x, agg, agg->order[at]);
        enum mangle_status st = mgi_eval_step(x);
        if (!st && op->each)
            st = mgi_eval_straight(x, op->each, op->function->skips_bad_rows);
        if (st == MANGLE_ERR_EVAL && op->function->skips_bad_rows)
            continue; /* M-AGG-20 */
        if (st)
            return st;
        for (size_t a = 0; a < width; a++)
            agg->table[rows * width + a] = x->regs[op->args[a]];
        rows++;
    }
    enum call_status cs =
        op->function->reduce(&x->call, agg->table, rows, (uint32_t)width, &x->regs[op->a]);
    if (cs == CALL_NOMEM)
        return mgi_eval_nomem(x);
    return cs == CALL_OK ? MANGLE_OK : mgi_eval_fail(x, x->call.error);
}

static enum mangle_status run_tail(struct eval *x, const struct code *code, const struct op *op)
{
    struct aggregate *agg = x->sink_context;
    if (op->kind == OP_REDUCE)
        return reduce(x, op);
    if (!agg->on_head)
        return mgi_eval_emit(x, op);
    x->sink_context = agg->context;
    enum mangle_status st = agg->on_head(x, code, op);
    x->sink_context = agg;
    return st;
}

/* The rows of the body, in groups. */
static enum mangle_status make_groups(struct eval *x, struct aggregate *agg,
                                      const struct code *body)
{
    agg->from = &agg->rows;
    if (!mgi_rel_init(&agg->rows, agg->rule->row_count, false, NULL, 0, NULL))
        return mgi_eval_nomem(x);
    x->sink = take_row;
    enum mangle_status st = mgi_eval_code(x, body);
    agg->count = agg->rows.count;
    return !st && agg->count ? arrange(x, agg) : st;
}

/* The same where the rows are there: what the body reads is complete. */
static enum mangle_status make_stored_groups(struct eval *x, struct aggregate *agg)
{
    const struct rule *rule = agg->rule;
    enum mangle_status st = MANGLE_OK;
    agg->from = &x->rels[rule->full->ops[0].look->pred];
    agg->count = agg->from->hi;
    x->rule = rule;
    mgi_eval_fired(x, rule, agg->count);
    if (rule->folds && !x->fold_never) {
        st = mgi_fold_rows(x, rule, agg->from, agg->count, &agg->folded, &agg->is_folded);
        agg->group_count = agg->folded.keys.count;
    }
    if (st || agg->is_folded || agg->count == 0)
        return st;
    x->bytes += (size_t)agg->count * 16;
    return arrange(x, agg);
}

static enum mangle_status run_groups(struct eval *x, struct aggregate *agg, const struct code *body,
                                     bool stored)
{
    eval_sink *outer = x->sink;
    void *outer_context = x->sink_context;
    x->sink_context = agg;
    x->iteration = 0;
    enum mangle_status st = stored ? make_stored_groups(x, agg) : make_groups(x, agg, body);
    x->sink = run_tail;
    if (x->profile)
        mgi_costs_rows(x, agg->rule, stored ? agg->count : 0);
    for (agg->current = 0; !st && agg->current < agg->group_count; agg->current++) {
        uint32_t g = agg->current;
        load_row(x, agg, agg->is_folded ? agg->folded.first[g] : agg->order[agg->start[g]]);
        st = mgi_eval_code(x, agg->rule->tail);
    }
    enum mangle_status put = agg->on_head ? MANGLE_OK : mgi_queue_drain(x);
    st = put ? put : st;
    x->sink = outer;
    x->sink_context = outer_context;
    mgi_rel_fini(&agg->rows);
    mgi_folded_fini(&agg->folded);
    mgi_free(agg->order);
    mgi_free(agg->table);
    return st;
}

static enum mangle_status run(struct eval *x, struct aggregate *agg, const struct code *body)
{
    struct spot outer;
    bool stored = agg->rule->rows_are_stored && body == agg->rule->full;
    if (!x->profile)
        return run_groups(x, agg, body, stored);
    if (!mgi_costs_enter(x, body, stored, &outer))
        return mgi_eval_nomem(x);
    enum mangle_status st = run_groups(x, agg, body, stored);
    mgi_costs_leave(x, outer);
    return st;
}

enum mangle_status mgi_eval_aggregate(struct eval *x, const struct rule *rule)
{
    struct aggregate agg = { .rule = rule };
    return run(x, &agg, rule->full);
}

enum mangle_status mgi_eval_aggregate_goal(struct eval *x, const struct rule *rule,
                                           eval_sink *on_head, void *context)
{
    struct aggregate agg = { .rule = rule, .on_head = on_head, .context = context };
    return run(x, &agg, rule->goal);
}

enum mangle_status mgi_eval_aggregate_call(struct eval *x, const struct code *body,
                                           eval_sink *on_head, void *context)
{
    struct aggregate agg = { .rule = body->rule, .on_head = on_head, .context = context };
    return run(x, &agg, body);
}
