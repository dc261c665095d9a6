/* The machine that runs codes. Read mgi_eval_code() as an interpreter: each operation is entered
 * once (begin) and then resumed for further solutions; without one, control goes to op->fail.
 * Before it: what each operation means. Facts are added by eval_fact.c, limits are eval_limit.c's.
 */
#include "mangle/run/rule_costs.h"

#include <stdio.h>

/* ---- rows of an atom ------------------------------------------------------------------------- */

static const uint32_t *gather(struct eval *x, const uint32_t *regs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        x->key[i] = x->regs[regs[i]];
    return x->key;
}

/* Which own rows count. Rows of a temporal relation always do: their entries are what is new. */
static void limit_rows(const struct eval *x, const struct rel *rel, const struct look *look,
                       struct frame *f)
{
    f->lo = rel->first;
    f->hi = rel->temporal ? mgi_rel_end(rel) : rel->hi;
    if (rel->temporal)
        return;
    if (look->reach == REACH_NEW)
        f->lo = rel->lo;
    else if (look->reach == REACH_OLD && (x->iteration == 0 || look->component))
        f->hi = rel->lo; /* after the first round the news of lower strata are old */
}

bool mgi_eval_idle(const struct eval *x, const struct code *code)
{
    for (uint32_t i = 0; i < code->sure; i++) {
        const struct look *look = code->ops[i].look;
        if (code->ops[i].kind != OP_SCAN || x->rels[look->pred].temporal)
            continue;
        struct frame f;
        const struct rel *rel = &x->rels[look->pred];
        limit_rows(x, rel, look, &f);
        if (f.lo >= f.hi && (look->reach == REACH_NEW || rel->first == 0))
            return true;
    }
    return false;
}

static bool has_news(const struct rel *rel, uint32_t row)
{
    struct span_walk w = mgi_times_walk(rel, row);
    if (!w.own)
        return false;
    while (w.entry != REL_NONE && w.entry >= rel->hi)
        mgi_times_older(&w);
    return w.entry != REL_NONE && w.entry >= rel->lo;
}

static void begin_own(struct eval *x, const struct rel *rel, const struct look *look,
                      struct frame *f)
{
    f->zones = NULL;
    if (look->index != NO_INDEX) {
        f->phase = PHASE_CHAIN;
        f->link = mgi_index_head(rel, look->index, gather(x, look->key, look->key_count));
    } else {
        f->phase = PHASE_RANGE;
        f->at = f->lo;
        f->zones = rel->settled && mgi_zones_hold(rel) ? &rel->zones : NULL;
    }
}

/* Hulls of the base know nothing of intervals that overlays add. */
static const struct zones *zones_below(const struct rel *rel, const struct look *look)
{
    const struct rel *b = rel->below;
    const struct zones *z = look->index == NO_INDEX ? &b->zones : &b->indexes[look->index].zones;
    return z->count && rel->times.shadow_count == 0 ? z : NULL;
}

static void begin_below(struct eval *x, const struct rel *rel, const struct look *look,
                        struct frame *f)
{
    f->phase = PHASE_BELOW;
    f->at = f->end = 0;
    f->perm = f->copies = NULL;
    f->zones = zones_below(rel, look);
    if (look->index == NO_INDEX) {
        f->end = rel->first;
        return;
    }
    const struct index *ix = &rel->below->indexes[look->index];
    struct group g =
        mgi_index_group(rel->below, look->index, gather(x, look->key, look->key_count));
    f->perm = ix->perm;
    f->copies = ix->copies;
    f->width = ix->width;
    f->at = g.start;
    f->end = g.end;
}

static void begin_scan(struct eval *x, const struct rel *rel, const struct look *look,
                       struct frame *f)
{
    limit_rows(x, rel, look, f);
    bool news = look->reach == REACH_NEW;
    f->zones = NULL;
    if (news && rel->temporal && look->index == NO_INDEX) {
        f->phase = PHASE_NEWS;
        f->at = rel->lo;
    } else if (rel->first && (!news || rel->temporal)) {
        begin_below(x, rel, look, f);
    } else {
        begin_own(x, rel, look, f);
    }
}

static uint32_t row_below(struct eval *x, const struct rel *rel, const struct look *look,
                          const struct frame *f)
{
    if (look->index == NO_INDEX)
        return f->at;
    return f->perm ? f->perm[f->at]
                   : mgi_index_row(rel->below, look->index, f->at,
                                   gather(x, look->key, look->key_count));
}

void mgi_scan_limit(const struct eval *x, const struct look *look, struct frame *f)
{
    limit_rows(x, &x->rels[look->pred], look, f);
}

void mgi_scan_begin(struct eval *x, const struct look *look, struct frame *f)
{
    begin_scan(x, &x->rels[look->pred], look, f);
}

bool mgi_scan_own(struct eval *x, const struct look *look, struct frame *f)
{
    if (f->phase != PHASE_BELOW || f->lo >= f->hi)
        return false;
    begin_own(x, &x->rels[look->pred], look, f);
    return true;
}

/* The next row of the range or key, whatever its other columns. False: no more. */
static bool next_row(struct eval *x, const struct rel *rel, const struct look *look,
                     struct frame *f)
{
    for (;;) {
        switch (f->phase) {
        case PHASE_BELOW:
            if (f->at < f->end) {
                if (!f->copies || look->row_used)
                    f->row = row_below(x, rel, look, f);
                f->at++;
                return true;
            }
            begin_own(x, rel, look, f);
            break;
        case PHASE_CHAIN:
            f->row = f->link;
            if (f->row == REL_NONE || f->row < f->lo)
                return false;
            f->link = rel->indexes[look->index].next[f->row - rel->first];
            if (f->row < f->hi)
                return true;
            break;
        case PHASE_RANGE:
            if (f->at >= f->hi)
                return false;
            f->row = f->at++;
            return true;
        case PHASE_NEWS: { /* each row once, at its first new entry */
            if (f->at >= rel->hi)
                return false;
            uint32_t e = f->at++, older = rel->times.older[e];
            if (older != REL_NONE && older >= rel->lo)
                break;
            f->row = rel->times.rows[e];
            return true;
        }
        case PHASE_MET:
            if (f->at >= f->end)
                return false;
            f->row = mgi_met_row(rel, f, x->met[f->at++]);
            return true;
        default:
            return false;
        }
    }
}

/* The row at hand; next_row() has moved on by one. */
static const uint32_t *words_at(const struct rel *rel, const struct frame *f)
{
    if (f->phase == PHASE_BELOW && f->copies)
        return f->copies + (size_t)(f->at - 1) * f->width;
    return mgi_rel_row(rel, f->row);
}

static bool find_whole(struct eval *x, const struct rel *rel, const struct look *look,
                       struct frame *f)
{
    limit_rows(x, rel, look, f);
    f->phase = PHASE_DONE;
    f->row = mgi_rel_find(rel, gather(x, look->key, look->key_count));
    if (f->row == REL_NONE)
        return false;
    if (look->reach == REACH_NEW)
        return rel->temporal ? has_news(rel, f->row) : f->row >= f->lo && f->row < f->hi;
    return f->row < rel->first || f->row < f->hi;
}

/* The rows that the next atom agrees on, if they are found faster. */
static bool begin_met(struct eval *x, const struct rel *rel, const struct look *look,
                      struct frame *f, enum mangle_status *st)
{
    limit_rows(x, rel, look, f);
    if (!mgi_eval_meet(x, look, f, st))
        return false;
    f->phase = PHASE_MET;
    f->zones = NULL;
    return true;
}

/* To the next row of which an interval may count; false if that is not known of it. */
static bool pass_over(struct eval *x, const struct rel *rel, struct frame *f,
                      enum mangle_status *st)
{
    if (f->phase == PHASE_BELOW)
        return mgi_eval_pass_over(x, f, 0, f->end, st);
    return mgi_eval_pass_over(x, f, rel->first, f->hi, st);
}

bool mgi_eval_scan(struct eval *x, const struct look *look, const struct spans *early,
                   struct frame *f, bool resume, enum mangle_status *st)
{
    const struct rel *rel = &x->rels[look->pred];
    if (look->whole)
        return !resume && find_whole(x, rel, look, f);
    if (early && !resume) {
        *st = mgi_spans_early(x, early, f);
        if (!*st)
            *st = mgi_eval_want_zones(x, look);
    }
    if (*st)
        return false;
    if (!resume && !(look->meet && begin_met(x, rel, look, f, st)))
        begin_scan(x, rel, look, f);
    if (*st)
        return false;
    bool news_only = look->reach == REACH_NEW && rel->temporal && look->index != NO_INDEX;
    bool choosy = news_only || look->lattice;
    for (;;) {
        bool counts = early && f->zones && pass_over(x, rel, f, st);
        if (*st || !next_row(x, rel, look, f))
            return false;
        *st = mgi_eval_step(x);
        if (*st)
            return false;
        if (early && !counts && !mgi_times_may_count(rel, f->row, f->max_start, f->min_end))
            continue;
        if (choosy && !(look->lattice ? mgi_rel_live(rel, f->row) : has_news(rel, f->row)))
            continue;
        if (mgi_eval_fits(x, look, words_at(rel, f)))
            return true;
    }
}

/* The last scan with all its heads. */
enum mangle_status mgi_scan_fused(struct eval *x, const struct op *op, struct frame *f)
{
    const struct rel *rel = &x->rels[op->look->pred];
    begin_scan(x, rel, op->look, f);
    enum mangle_status st = mgi_eval_fused(x, op->look, op->fuse, f);
    if (st || f->phase != PHASE_BELOW || f->lo >= f->hi)
        return st;
    begin_own(x, rel, op->look, f);
    return mgi_eval_fused(x, op->look, op->fuse, f);
}

/* ---- other operations ------------------------------------------------------------------------ */

static bool absent(struct eval *x, const struct op *op, struct frame *f, enum mangle_status *st)
{
    for (bool resume = false; mgi_eval_scan(x, op->look, op->early, f, resume, st); resume = true) {
        if (!op->spans || mgi_spans_first(x, op->spans, op->look, f->row, f, st) || *st)
            return false;
    }
    return *st == MANGLE_OK;
}

static bool bind_span(struct eval *x, const struct spans *s, const struct frame *f,
                      enum mangle_status *st)
{
    if (s->start_reg != NO_REG) {
        x->regs[s->start_reg] = mangle_time(x->values, f->span.start_ns);
        if (!x->regs[s->start_reg])
            *st = mgi_eval_nomem(x);
    }
    if (s->end_reg != NO_REG) {
        x->regs[s->end_reg] = mangle_time(x->values, f->span.end_ns);
        if (!x->regs[s->end_reg])
            *st = mgi_eval_nomem(x);
    }
    return *st == MANGLE_OK;
}

static bool span(struct eval *x, const struct code *code, const struct op *op, struct frame *f,
                 bool resume, enum mangle_status *st)
{
    const struct spans *s = op->spans;
    const struct look *look = code->ops[s->scan].look;
    bool found = resume ? mgi_spans_next(x, s, look, f)
                        : mgi_spans_first(x, s, look, x->frames[s->scan].row, f, st);
    return found && bind_span(x, s, f, st);
}

/* One more solution of a built-in predicate that agrees with what is known. */
static bool next_builtin(struct eval *x, const struct op *op, struct frame *f,
                         enum mangle_status *st)
{
    const struct builtin_pred *b = op->builtin;
    x->call.negated = op->negated;
    mangle_value args[BUILTIN_MAX_PRED_ARGS] = { MANGLE_NONE };
    for (;;) {
        for (uint32_t i = 0; i < op->arg_count; i++)
            args[i] = op->args[i] == NO_REG ? MANGLE_NONE : x->regs[op->args[i]];
        enum call_status cs = b->next(&x->call, args, &f->cursor);
        if (cs != CALL_OK) {
            if (cs != CALL_FAIL)
                *st = mgi_eval_call_failed(x, cs, false);
            return false;
        }
        for (uint32_t i = 0; i < op->arg_count; i++)
            if (op->outs[i] != NO_REG)
                x->regs[op->outs[i]] = args[i];
        bool agrees = true;
        for (uint32_t i = 0; i < op->arg_count; i++)
            agrees &= op->tests[i] == NO_REG || x->regs[op->tests[i]] == args[i];
        if (agrees)
            return true;
        if (b->single || (*st = mgi_eval_step(x)))
            return false;
    }
}

static bool builtin(struct eval *x, const struct op *op, struct frame *f, bool resume,
                    enum mangle_status *st)
{
    if (!resume)
        f->cursor = 0;
    bool found = next_builtin(x, op, f, st);
    if (*st)
        return false;
    return op->negated ? !found : found;
}

static enum mangle_status unbound(struct eval *x, const struct op *op)
{
    char text[160];
    struct str name = x->rule->clause->vars[op->a].name;
    int len = name.len > 80 ? 80 : (int)name.len;
    if (op->input)
        snprintf(text, sizeof text,
                 "EXT_INPUT_UNBOUND: variable %.*s has no value where the host is asked", len,
                 name.ptr);
    else
        snprintf(text, sizeof text, "variable %.*s has no value where it is used", len, name.ptr);
    return mgi_eval_fail(x, text);
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* The merge predicate is called while the premises of the rule are still being read. */
static enum mangle_status derive_merged(struct eval *x, const struct op *op)
{
    mangle_pred pred = x->rule->head;
    uint32_t row, floor = x->floor;
    bool added;
    if (op->before != NO_OP)
        x->floor = x->frames[op->before].hi;
    if (x->rels[pred].lattice->best) {
        enum mangle_status best = mgi_best_derive(x, pred, x->words);
        x->floor = floor;
        return best;
    }
    mgi_eval_touch(x, pred); /* rows of the base may die */
    enum mangle_status st = mgi_lattice_derive(x, pred, x->words, &row, &added);
    x->floor = floor;
    return !st && added ? mgi_eval_count(x, pred) : st;
}

enum mangle_status mgi_eval_emit(struct eval *x, const struct op *op)
{
    const struct rule *rule = x->rule;
    struct mangle_interval t = MANGLE_ALWAYS;
    bool none = false;
    x->firings++;
    if (x->queue.rule == rule || mgi_queue_takes(x, rule))
        return mgi_queue_put(x, rule, op);
    for (uint32_t i = 0; i < op->arg_count; i++)
        x->words[i] = x->regs[op->args[i]];
    enum mangle_status st = rule->annotated ? mgi_head_interval(x, rule, &t, &none) : MANGLE_OK;
    if (st || none)
        return st;
    if (x->program->preds[rule->head].lattice)
        return derive_merged(x, op);
    return mgi_eval_derive(x, rule, x->words, t);
}

/* ---- the machine ----------------------------------------------------------------------------- */

static enum mangle_status sync_indexes(struct eval *x, const struct code *code)
{
    for (size_t i = 0; i < code->op_count; i++) {
        const struct look *look = code->ops[i].look;
        if (!look || look->index == NO_INDEX)
            continue;
        if (!mgi_rel_sync(&x->rels[look->pred], look->index) ||
            (look->meet && !mgi_rel_sync(&x->rels[look->meet->pred], look->meet->index)))
            return mgi_eval_nomem(x);
    }
    return MANGLE_OK;
}

static inline __attribute__((always_inline)) bool run_op(struct eval *x, const struct code *code,
                                                         uint32_t pc, bool resume,
                                                         enum mangle_status *st)
{
    const struct op *op = &code->ops[pc];
    struct frame *f = &x->frames[pc];
    switch (op->kind) {
    case OP_SCAN:
        if (op->fuse && !x->sink && !x->fuse_never) {
            *st = mgi_scan_fused(x, op, f);
            return false;
        }
        return mgi_eval_scan(x, op->look, op->early, f, resume, st);
    case OP_INSTANT:
        *st = mgi_check_instant(x, x->regs[op->a], op->window);
        return true;
    case OP_SPAN:
        return span(x, code, op, f, resume, st);
    case OP_ABSENT:
        return absent(x, op, f, st);
    case OP_DEFERRED:
        return mgi_eval_deferred(x, op, f, resume, st);
    case OP_ASK:
        if (x->batch && x->ask_at == pc)
            return mgi_eval_gather(x, op, st);
        *st = mgi_eval_ask(x, op);
        return true;
    case OP_CALL:
        *st = mgi_eval_call_op(x, op, false);
        return true;
    case OP_AMONG:
        return mgi_family_find(code->rule->family, x->regs, op->args) != NULL;
    case OP_COPY:
        x->regs[op->b] = x->regs[op->a];
        return true;
    case OP_EQ:
        return x->regs[op->a] == x->regs[op->b];
    case OP_NE:
        return x->regs[op->a] != x->regs[op->b];
    case OP_BUILTIN:
        return builtin(x, op, f, resume, st);
    case OP_NEVER:
        return false;
    case OP_UNBOUND:
        *st = unbound(x, op);
        return false;
    case OP_REDUCE: /* only by aggregate.c, through the sink */
    case OP_EMIT:
    case OP_ROW:
        *st = x->sink ? x->sink(x, code, op) : mgi_eval_emit(x, op);
        return op->kind == OP_REDUCE;
    }
    return false;
}

/* What was fired until now goes to the rule that ran, what follows to `next`. Returns the former:
 * codes may run within codes. Once a code, so that nothing is paid per firing. */
static const struct rule *charge(struct eval *x, const struct rule *next)
{
    const struct rule *before = x->charged;
    if (before && x->counting)
        x->fired[before->number] += x->firings - x->charged_at;
    x->charged = next;
    x->charged_at = x->firings;
    return before;
}

void mgi_eval_fired(struct eval *x, const struct rule *rule, int64_t count)
{
    x->firings += count;
    x->charged_at += count; /* not the share of whoever runs */
    if (x->counting)
        x->fired[rule->number] += count;
}

static inline __attribute__((always_inline)) enum mangle_status run_ops(
    struct eval *x, const struct code *code, uint32_t from, eval_watch *stuck,
    struct choice *choice, bool resume, bool profiled)
{
    enum mangle_status st = MANGLE_OK;
    uint32_t pc = from;
    for (;;) {
        int64_t before = profiled ? mgi_eval_work(x) : 0;
        bool found = run_op(x, code, pc, resume, &st);
        if (profiled)
            mgi_costs_op(x, code, pc, resume, found, before);
        if (!st)
            st = mgi_eval_step(x);
        if (stuck && (st || (!found && !resume)))
            stuck(x, code, pc, st);
        if (st)
            return st;
        uint32_t fail = code->ops[pc].fail;
        if (choice)
            found = mgi_choice_keeps(x, code, choice, pc, found, resume, &fail);
        resume = !found;
        pc = found ? pc + 1 : fail;
        if (pc == NO_OP || pc < from)
            return MANGLE_OK;
    }
}

static __attribute__((noinline)) enum mangle_status run_profiled(struct eval *x,
                                                                 const struct code *code)
{
    return run_ops(x, code, 0, NULL, NULL, false, true);
}

enum mangle_status mgi_eval_run(struct eval *x, const struct code *code)
{
    if (x->profile)
        return run_profiled(x, code);
    if (code->broad && x->overlay && !x->batch && x->broad_rows)
        return x->machine->broad(x, code);
    return run_ops(x, code, 0, NULL, NULL, false, false);
}

enum mangle_status mgi_eval_rest(struct eval *x, const struct code *code, uint32_t from)
{
    return run_ops(x, code, from, NULL, NULL, false, false);
}

bool mgi_eval_test(struct eval *x, const struct code *code, uint32_t pc, enum mangle_status *st)
{
    return run_op(x, code, pc, false, st);
}

bool mgi_eval_range(const struct eval *x, const struct code *code, uint32_t *lo, uint32_t *hi)
{
    const struct op *op = &code->ops[0];
    const struct look *look = op->look;
    if (op->kind != OP_SCAN || look->whole || look->index != NO_INDEX || op->early)
        return false;
    const struct rel *rel = &x->rels[look->pred];
    struct frame f;
    if (rel->temporal || (rel->first && look->reach != REACH_NEW))
        return false;
    limit_rows(x, rel, look, &f);
    *lo = f.lo;
    *hi = f.hi;
    return true;
}

/* As if the first scan had been entered, and had come to row `lo`. */
enum mangle_status mgi_eval_part(struct eval *x, const struct code *code, uint32_t lo, uint32_t hi)
{
    const struct op *op = &code->ops[0];
    struct frame *f = &x->frames[0];
    *f = (struct frame){ .phase = PHASE_RANGE, .lo = lo, .hi = hi, .at = lo };
    if (op->fuse && !x->sink)
        return mgi_eval_fused(x, op->look, op->fuse, f);
    return run_ops(x, code, 0, NULL, NULL, true, false);
}

static enum mangle_status make_ready(struct eval *x, const struct code *code)
{
    x->rule = code->rule;
    enum mangle_status st = sync_indexes(x, code);
    if (!st)
        mgi_eval_constants(x, code);
    return st;
}

static enum mangle_status run_asking(struct eval *x, const struct code *code)
{
    struct batch *outer = x->batch;
    enum mangle_status st = mgi_eval_ask_ahead(x, code);
    x->batch = NULL;
    if (!st)
        st = mgi_eval_run(x, code);
    x->batch = outer;
    return st;
}

static enum mangle_status run_code(struct eval *x, const struct code *code)
{
    const struct rule *outer = charge(x, code->rule);
    enum mangle_status st = make_ready(x, code);
    if (!st && code->asks && x->asking)
        st = run_asking(x, code);
    else if (!st)
        st = x->divide && !x->profile ? x->divide(x, code) : mgi_eval_run(x, code);
    charge(x, outer);
    enum mangle_status put = x->sink ? MANGLE_OK : mgi_queue_drain(x); /* what came first is told */
    return put ? put : st;
}

/* The end of a do-rule runs once a group, and the rule pays already. */
static enum mangle_status pay_for(struct eval *x, const struct code *code)
{
    struct spot outer;
    if (code == code->rule->tail)
        return run_code(x, code);
    if (!mgi_costs_enter(x, code, true, &outer))
        return mgi_eval_nomem(x);
    enum mangle_status st = run_code(x, code);
    mgi_costs_leave(x, outer);
    return st;
}

enum mangle_status mgi_eval_code(struct eval *x, const struct code *code)
{
    return x->profile ? pay_for(x, code) : run_code(x, code);
}

/* Charged to nobody: nothing is derived. */
enum mangle_status mgi_eval_watched(struct eval *x, const struct code *code, eval_watch *stuck)
{
    enum mangle_status st = make_ready(x, code);
    return st ? st : run_ops(x, code, 0, stuck, NULL, false, false);
}

enum mangle_status mgi_eval_chosen(struct eval *x, const struct code *code, struct choice *choice)
{
    choice->back = NO_OP;
    enum mangle_status st = make_ready(x, code);
    return st ? st : run_ops(x, code, 0, NULL, choice, false, false);
}
