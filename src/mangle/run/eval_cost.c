/* What a code would cost now: between the rounds of a recursion the news are many or few, and with
 * many it may be cheaper to begin elsewhere and to look the news up (code.later). */
#include <math.h>

#include "mangle/run/eval.h"

static double rows_in_reach(const struct rel *rel, const struct look *look)
{
    return look->reach == REACH_NEW ? rel->hi - rel->lo : rel->hi - rel->first;
}

/* Rows of a key, on average; the index counts its keys while it grows. */
static double rows_found(const struct rel *rel, const struct look *look)
{
    if (look->index == NO_INDEX)
        return rows_in_reach(rel, look);
    uint32_t keys = rel->indexes[look->index].heads.used;
    return keys ? rows_in_reach(rel, look) / keys : INFINITY;
}

double mgi_eval_cost(const struct eval *x, const struct code *code)
{
    double rows = 1.0, cost = 0.0;
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (op->kind != OP_SCAN)
            continue;
        const struct rel *rel = &x->rels[op->look->pred];
        double found = op->look->whole ? 1.0 : rows_found(rel, op->look);
        cost += rows * (1.0 + found);
        rows *= found;
    }
    return cost;
}

double mgi_eval_rows_found(const struct eval *x, const struct code *code)
{
    double rows = 1.0;
    for (size_t i = 0; i < code->op_count; i++)
        if (code->ops[i].kind == OP_SCAN && !code->ops[i].look->whole)
            rows *= rows_found(&x->rels[code->ops[i].look->pred], code->ops[i].look);
    return rows;
}
