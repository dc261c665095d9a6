/* How far a code may be run breadth first (run/eval_broad.c): its first scans and the tests between
 * them, as long as none can fail, ask, or have intervals, and each goes back no farther than to the
 * scan before it. What comes behind must not go back farther than to the last of these scans. Then
 * the order of solutions is that of depth first. */
#include "mangle/plan/plan_int.h"

static bool is_plain(const struct op *op)
{
    const struct look *look = op->look;
    return look && !look->row_used && !look->lattice && !op->early && !op->spans;
}

static bool is_scan(const struct op *op)
{
    return op->kind == OP_SCAN && is_plain(op) && !op->look->whole && !op->once && !op->fuse &&
           op->look->repeat_count == 0 && op->look->bind_count <= BROAD_BINDS;
}

static bool is_test(const struct op *op)
{
    switch (op->kind) {
    case OP_EQ:
    case OP_NE:
    case OP_AMONG:
        return true;
    case OP_ABSENT:
        return is_plain(op);
    case OP_SCAN:
        return is_plain(op) && op->look->whole;
    default:
        return false;
    }
}

static bool goes_back_to(const struct op *op, size_t scan)
{
    return op->fail != NO_OP && op->fail >= scan;
}

/* Everything from operation `from` on. */
static bool all_go_back_to(const struct code *code, size_t from, size_t scan)
{
    bool all = true;
    for (size_t i = from; i < code->op_count; i++)
        all &= goes_back_to(&code->ops[i], scan);
    return all;
}

void mgi_code_broad(struct planner *pl)
{
    struct code *code = pl->code;
    size_t last = 0;
    uint32_t scans = 0;
    bool joins = false; /* the rest looks for something, too */
    if (!mgi_planner_above(pl) || pl->rule->deferred || code->asks || !code->op_count ||
        !is_scan(&code->ops[0]) || code->ops[0].look->index != NO_INDEX)
        return;
    for (size_t i = 0; i + 1 < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        bool scan = is_scan(op);
        if ((!scan && !is_test(op)) || (i > 0 && !goes_back_to(op, last)) ||
            (scan && ++scans > BROAD_MAX))
            break;
        last = scan ? i : last;
        if (all_go_back_to(code, i + 1, last))
            code->broad = (uint32_t)i + 1;
    }
    for (size_t i = 1; i < code->op_count; i++)
        joins |= code->ops[i].look != NULL;
    code->broad = joins ? code->broad : 0;
}
