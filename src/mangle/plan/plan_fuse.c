/* The innermost loop of a code: a scan behind which nothing has a choice. Comparisons and atoms of
 * which every column is known may stand between it and the head. */
#include "mangle/plan/plan_int.h"

static bool is_plain_scan(const struct planner *pl, const struct op *op)
{
    const struct look *look = op->look;
    return op->kind == OP_SCAN && !op->once && !op->early && !look->whole && !look->lattice &&
           !look->row_used && look->test_count == 0 && look->repeat_count == 0 &&
           !pl->p->preds[look->pred].temporal;
}

static bool is_test(const struct planner *pl, const struct op *op, uint32_t scan)
{
    if (op->fail != scan)
        return false;
    if (op->kind == OP_EQ || op->kind == OP_NE)
        return true;
    if ((op->kind != OP_ABSENT && op->kind != OP_SCAN) || op->spans || op->early)
        return false;
    const struct look *look = op->look;
    if (op->kind == OP_ABSENT && (look->reach != REACH_ALL || look->component))
        return false;
    return look->whole && !look->lattice && !look->row_used && look->key_count > 0 &&
           look->key_count <= FUSE_MAX && !pl->p->preds[look->pred].temporal;
}

static struct fuse_value value_of(const struct look *look, uint32_t reg)
{
    for (uint32_t i = 0; i < look->bind_count; i++)
        if (look->binds[i].reg == reg)
            return (struct fuse_value){ look->binds[i].column, reg };
    return (struct fuse_value){ NO_REG, reg };
}

static void fill_test(struct fuse_test *test, const struct look *scan, const struct op *op)
{
    test->kind = op->kind;
    if (op->look) {
        test->look = op->look;
        test->count = op->look->key_count;
        for (uint32_t i = 0; i < test->count; i++)
            test->values[i] = value_of(scan, op->look->key[i]);
    } else {
        test->count = 2;
        test->values[0] = value_of(scan, op->a);
        test->values[1] = value_of(scan, op->b);
    }
}

/* The scan that only tests follow, or NO_OP. */
static uint32_t last_scan(const struct planner *pl, const struct code *code)
{
    uint32_t end = (uint32_t)code->op_count - 1, scan = code->ops[end].fail;
    if (code->ops[end].kind != OP_EMIT || scan == NO_OP || scan >= end ||
        end - scan - 1 > FUSE_TESTS || !is_plain_scan(pl, &code->ops[scan]))
        return NO_OP;
    for (uint32_t i = scan + 1; i < end; i++)
        if (!is_test(pl, &code->ops[i], scan))
            return NO_OP;
    return scan;
}

void mgi_code_fuse(struct planner *pl)
{
    struct code *code = pl->code;
    const struct rule *rule = pl->rule;
    if (code->op_count < 2 || rule->annotated || rule->is_do || pl->p->preds[rule->head].lattice)
        return;
    const struct op *end = &code->ops[code->op_count - 1];
    uint32_t at = last_scan(pl, code);
    if (at == NO_OP || end->arg_count == 0 || end->arg_count > FUSE_MAX)
        return;
    struct op *scan = &code->ops[at];
    struct fuse *fuse = mgi_planner_take(pl, 1, sizeof *fuse);
    if (!fuse)
        return;
    fuse->arity = end->arg_count;
    for (uint32_t i = 0; i < end->arg_count; i++)
        fuse->head[i] = value_of(scan->look, end->args[i]);
    while (&scan[fuse->test_count + 1] < end) {
        fill_test(&fuse->tests[fuse->test_count], scan->look, &scan[fuse->test_count + 1]);
        fuse->test_count++;
    }
    scan->fuse = fuse;
}
