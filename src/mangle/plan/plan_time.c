/* Times that are compared where they are found: `e(X)@[S, E], :time:le(T, E)` asks for intervals
 * that end at T or later, so an interval that does not is never bound, and a row without one that
 * does is never handed on. That is allowed where nobody can tell: both sides are ends of
 * intervals, so they are times, and nothing that could fail or ask stands between.
 *
 * A row is judged by its intervals before anything else of it is looked at (op.early) where what
 * counts is known when the scan begins. */
#include "mangle/plan/plan_int.h"

#define NOWHERE UINT32_MAX

struct finder {
    struct planner *pl;
    uint32_t *found_at; /* per register: the OP_SPAN that puts a time there, or NOWHERE */
};

static bool bound_is_sure(const struct finder *fd, const struct bound *b)
{
    return b->kind != BOUND_VAR || b->free || fd->found_at[b->reg] != NOWHERE;
}

/* A free bound of a window has no value at all, which is an error of its own (OP_UNBOUND). */
static bool spans_are_sure(const struct finder *fd, const struct spans *s)
{
    if (s->window != WINDOW_NONE && !(bound_is_sure(fd, &s->near) && bound_is_sure(fd, &s->far)))
        return false;
    return !s->annotated || (bound_is_sure(fd, &s->start) && bound_is_sure(fd, &s->end));
}

static bool is_time(const struct finder *fd, uint32_t reg)
{
    return reg != NO_REG && fd->found_at[reg] != NOWHERE;
}

static bool builtin_is_sure(const struct finder *fd, const struct op *op)
{
    const struct builtin_pred *b = op->builtin;
    if (b->time_order)
        return is_time(fd, op->args[0]) && is_time(fd, op->args[1]);
    return b->cannot_fail_on_kind && !(op->negated && b->negation_fails_on_kind);
}

/* Can neither fail nor ask. */
static bool never_fails(const struct finder *fd, const struct op *op)
{
    switch (op->kind) {
    case OP_INSTANT:
        return is_time(fd, op->a);
    case OP_SPAN:
        return spans_are_sure(fd, op->spans);
    case OP_ABSENT:
        return !op->spans || spans_are_sure(fd, op->spans);
    case OP_BUILTIN:
        return builtin_is_sure(fd, op);
    case OP_SCAN:
    case OP_COPY:
    case OP_EQ:
    case OP_NE:
    case OP_NEVER:
        return true;
    default:
        return false;
    }
}

/* The interval whose end is compared, with what was known before it; or NULL. */
static struct spans *narrowed(const struct finder *fd, uint32_t reg, uint32_t other)
{
    const struct code *code = fd->pl->code;
    return fd->found_at[other] < fd->found_at[reg] ? code->ops[fd->found_at[reg]].spans : NULL;
}

static bool add_narrow(struct planner *pl, struct spans *s, const struct narrow *n)
{
    struct narrow *all = mgi_planner_take(pl, s->narrow_count + 1, sizeof *all);
    if (!all)
        return false;
    for (uint32_t i = 0; i < s->narrow_count; i++)
        all[i] = s->narrows[i];
    all[s->narrow_count++] = *n;
    s->narrows = all;
    return true;
}

/* Does the comparison join the interval that it speaks of? From `from` on nothing could fail. */
static bool join(const struct finder *fd, const struct op *op, uint32_t from)
{
    if (op->kind != OP_BUILTIN || op->negated || !op->builtin->time_order || !op->cannot_fail)
        return false;
    bool first_later = fd->found_at[op->args[0]] > fd->found_at[op->args[1]];
    uint32_t reg = op->args[first_later ? 0 : 1], other = op->args[first_later ? 1 : 0];
    struct spans *s = narrowed(fd, reg, other);
    if (!s || fd->found_at[reg] + 1 < from || (s->start_reg == reg) == (s->end_reg == reg))
        return false;
    enum time_order o = op->builtin->time_order;
    bool greater = o == TIME_GT || o == TIME_GE;
    struct narrow n = { .reg = other,
                        .end = s->end_reg == reg,
                        .least = first_later == greater,
                        .strict = o == TIME_LT || o == TIME_GT };
    return add_narrow(fd->pl, s, &n);
}

/* Operation `at` goes: what is behind it moves up by one. */
static void take_out(struct planner *pl, uint32_t at)
{
    struct code *code = pl->code;
    for (size_t i = at; i + 1 < code->op_count; i++)
        code->ops[i] = code->ops[i + 1];
    code->op_count--;
    for (size_t i = at; i < code->op_count; i++) {
        struct op *op = &code->ops[i];
        if (op->kind == OP_SPAN && op->spans->scan > at)
            op->spans->scan--;
        if ((op->kind == OP_DEFERRED || op->kind == OP_EMIT) && op->before != NO_OP &&
            op->before > at)
            op->before--;
    }
}

static void found(struct finder *fd, uint32_t reg, uint32_t at)
{
    if (reg != NO_REG && fd->found_at[reg] == NOWHERE)
        fd->found_at[reg] = at;
}

static void join_all(struct finder *fd)
{
    struct code *code = fd->pl->code;
    uint32_t from = 0;
    for (uint32_t i = 0; i < code->op_count && !fd->pl->oom; i++) {
        struct op *op = &code->ops[i];
        op->cannot_fail = never_fails(fd, op);
        if (join(fd, op, from)) {
            take_out(fd->pl, i--);
            continue;
        }
        if (!op->cannot_fail)
            from = i + 1;
        if (op->kind == OP_SPAN) {
            found(fd, op->spans->start_reg, i);
            found(fd, op->spans->end_reg, i);
        }
    }
}

static bool reads_bind(const struct look *look, const struct bound *b)
{
    for (uint32_t i = 0; b->kind == BOUND_VAR && !b->free && i < look->bind_count; i++)
        if (look->binds[i].reg == b->reg)
            return true;
    return false;
}

static bool reads_row(const struct look *look, const struct spans *s)
{
    return (s->window != WINDOW_NONE &&
            (reads_bind(look, &s->near) || reads_bind(look, &s->far))) ||
           (s->annotated && (reads_bind(look, &s->start) || reads_bind(look, &s->end)));
}

/* The base keeps hulls for it. */
static void want_hulls(struct planner *pl, const struct look *look)
{
    struct pred_plan *pred = &pl->plan->preds[look->pred];
    if (look->whole || !mgi_planner_above(pl))
        return;
    if (look->index != NO_INDEX)
        pred->searches[look->index].timed = true;
    else if (look->reach != REACH_NEW)
        pred->timed = true;
}

/* The scan right before it may ask the same, and so may what has to be absent. */
static void judge_early(struct planner *pl)
{
    struct code *code = pl->code;
    for (uint32_t i = 0; i < code->op_count; i++) {
        struct op *op = &code->ops[i];
        if (!op->spans || !op->cannot_fail)
            continue;
        struct op *scan = op->kind == OP_ABSENT ? op : &code->ops[op->spans->scan];
        bool adjacent = scan == op || scan + 1 == op;
        const struct pred *pred = &pl->p->preds[scan->look->pred];
        if (!adjacent || !pred->temporal || pred->external || reads_row(scan->look, op->spans))
            continue;
        scan->early = op->spans;
        want_hulls(pl, scan->look);
    }
}

void mgi_code_times(struct planner *pl)
{
    struct finder fd = { .pl = pl };
    bool any = false;
    for (size_t i = 0; i < pl->code->op_count; i++)
        any |= pl->code->ops[i].spans != NULL;
    fd.found_at = any ? mgi_planner_take(pl, pl->code->reg_count, sizeof *fd.found_at) : NULL;
    if (!fd.found_at)
        return;
    for (uint32_t i = 0; i < pl->code->reg_count; i++)
        fd.found_at[i] = NOWHERE;
    join_all(&fd);
    judge_early(pl);
}
