/* What a code will read of the base, so that it can be fetched before it runs (run/eval_fetch.c): a
 * scan whose key is one column of a row that an earlier scan has found, beginning with the first
 * one, whose rows are there from the start. A request's time above a large base is the time that
 * it waits for such rows, one behind the other, and they need not be waited for one by one. */
#include "mangle/plan/plan_int.h"

/* Which scan before it binds `reg`, as a number of a fetch + 1, or 0 for the first scan. */
static bool find_source(const struct code *code, uint32_t reg, struct fetch *f)
{
    for (uint32_t n = 0; n <= code->fetch_count; n++) {
        const struct look *look = n ? code->fetches[n - 1].look : code->ops[0].look;
        for (uint32_t i = 0; i < look->bind_count; i++) {
            if (look->binds[i].reg != reg)
                continue;
            f->from = n;
            f->column = look->binds[i].column;
            return true;
        }
    }
    return false;
}

void mgi_code_fetches(struct planner *pl)
{
    struct code *code = pl->code;
    const struct op *first = code->ops;
    if (!mgi_planner_above(pl) || code->op_count < 2 || first->kind != OP_SCAN ||
        first->look->whole || first->look->index != NO_INDEX || first->look->test_count)
        return;
    code->fetches = mgi_planner_take(pl, FETCH_MAX, sizeof *code->fetches);
    for (size_t i = 1; !pl->oom && i < code->op_count && code->fetch_count < FETCH_MAX; i++) {
        const struct op *op = &code->ops[i];
        struct fetch f = { .look = op->look };
        if (op->kind != OP_SCAN || op->look->index == NO_INDEX || op->look->key_count != 1 ||
            op->look->reach == REACH_NEW || !find_source(code, op->look->key[0], &f))
            continue;
        if (f.from)
            code->fetches[f.from - 1].followed = true;
        code->fetches[code->fetch_count++] = f;
    }
}
