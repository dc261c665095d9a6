/* Two atoms that bind one variable between them: `e(Y, Z), e(X, Z)` under X and Y. The first is a
 * scan that binds Z alone, the second then a probe; but it may as well be the second whose rows are
 * walked. Which list is shorter is known when the scan begins (run/eval_meet.c); here it is found
 * out where that can be asked, which costs no index: those that evaluation has anyway must do. */
#include "mangle/plan/plan_int.h"

static bool is_plain(const mangle_program *p, const struct op *op)
{
    return op->kind == OP_SCAN && !p->preds[op->look->pred].temporal && !op->look->lattice &&
           op->look->reach != REACH_NEW && !op->look->row_used;
}

/* Its key and the one variable that it binds are all its columns. */
static bool binds_one(const mangle_program *p, const struct op *op)
{
    const struct look *look = op->look;
    return is_plain(p, op) && !op->once && look->index != NO_INDEX && look->bind_count == 1 &&
           look->test_count == 0 && look->repeat_count == 0 &&
           look->key_count + 1 == p->preds[look->pred].arity;
}

/* What is known of `other` before the variable is, if it stands there once. NULL: not so. */
static struct meet *find_meet(struct plan *plan, const struct look *other, uint32_t var, bool *oom)
{
    uint32_t columns[SEARCH_MAX_COLUMNS], count = 0, at = NO_REG;
    if (other->key_count < 2 || other->key_count > SEARCH_MAX_COLUMNS)
        return NULL;
    for (uint32_t c = 0; c < other->key_count; c++) {
        if (other->key[c] != var)
            columns[count++] = c;
        else if (at == NO_REG)
            at = c;
    }
    if (count + 1 != other->key_count)
        return NULL;
    uint32_t index = mgi_plan_find_search(&plan->preds[other->pred], columns, count);
    if (index == NO_INDEX)
        return NULL;
    struct meet *m = mgi_arena_calloc(plan->arena, 1, sizeof *m);
    uint32_t *key = mgi_arena_calloc(plan->arena, count, sizeof *key);
    *oom |= !m || !key;
    if (!m || !key)
        return NULL;
    for (uint32_t c = 0; c < count; c++)
        key[c] = other->key[columns[c]];
    *m = (struct meet){ .pred = other->pred, .index = index, .key = key, .key_count = count };
    m->column = at;
    m->before = NO_OP;
    return m;
}

bool mgi_plan_meets(const mangle_program *p, struct plan *plan, struct code *code)
{
    uint32_t before = NO_OP;
    bool oom = false;
    for (uint32_t i = 0; i + 1 < code->op_count && !oom; i++) {
        const struct op *next = &code->ops[i + 1];
        struct look *look = code->ops[i].look;
        if (!binds_one(p, &code->ops[i]) || !is_plain(p, next) || !next->look->whole)
            continue;
        look->meet = find_meet(plan, next->look, look->binds[0].reg, &oom);
        if (look->meet) {
            look->meet->before = before;
            before = i;
            code->broad = code->broad < i ? code->broad : i;
        }
    }
    return !oom;
}
