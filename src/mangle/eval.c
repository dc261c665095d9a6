/* The machine that runs codes. Read mgi_eval_code() as an interpreter: each operation is entered
 * once (begin) and then resumed for further solutions; without one, control goes to op->fail.
 * Around it: what each operation means, how facts are added, and the limits. */
#include "mangle/eval.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define DEFAULT_MAX_FACTS     INT64_C(1000000)
#define DEFAULT_MAX_INTERVALS INT64_C(1000)
#define DEFAULT_MAX_BYTES     (INT64_C(1) << 30)
#define DEPTH_DEFAULT         1000                /* M-EXT-24 */
#define DEPTH_MAX             4000                /* calls nest on the stack of the thread */
#define SCRATCH_KEEP          ((size_t)64 * 1024) /* bytes of scratch before it is given back */

/* ---- life ----------------------------------------------------------------------------------- */

bool mgi_eval_init(struct eval *x, const mangle_program *program, struct rel *rels,
                   mangle_values *values, bool overlay)
{
    const struct plan *plan = program->plan;
    *x = (struct eval){ .program = program, .plan = plan, .rels = rels, .values = values };
    x->overlay = overlay;
    mgi_arena_init(&x->scratch, 0);
    x->call.values = values;
    x->call.scratch = &x->scratch;
    x->call.zones = program->zones.find ? &program->zones : NULL;
    x->regs = mgi_calloc((size_t)plan->reg_max + 1, sizeof *x->regs);
    x->words = mgi_calloc((size_t)plan->words_max + 1, sizeof *x->words);
    x->key = mgi_calloc((size_t)plan->words_max + 1, sizeof *x->key);
    x->frames = mgi_calloc((size_t)plan->op_max + 1, sizeof *x->frames);
    x->merged = mgi_calloc((size_t)plan->words_max + 1, sizeof *x->merged);
    x->touched = mgi_calloc(program->pred_count + 1, sizeof *x->touched);
    x->fired = mgi_calloc(program->rule_count + 1, sizeof *x->fired);
    return x->regs && x->words && x->key && x->frames && x->merged && x->touched && x->fired;
}

void mgi_eval_fini(struct eval *x)
{
    mgi_free(x->regs);
    mgi_free(x->words);
    mgi_free(x->key);
    mgi_free(x->frames);
    mgi_free(x->merge);
    mgi_free(x->touched);
    mgi_free(x->fired);
    mgi_free(x->merged);
    mgi_levels_fini(x);
    mgi_arena_fini(&x->scratch);
}

void mgi_eval_begin(struct eval *x, int64_t now_ns, const struct mangle_limits *limits,
                    struct mangle_error *err)
{
    x->limits = limits ? *limits : (struct mangle_limits){ 0 };
    if (x->limits.max_facts == 0)
        x->limits.max_facts = DEFAULT_MAX_FACTS;
    if (x->limits.max_intervals == 0)
        x->limits.max_intervals = DEFAULT_MAX_INTERVALS;
    if (x->limits.max_bytes == 0)
        x->limits.max_bytes = DEFAULT_MAX_BYTES;
    if (!x->limits.clock)
        x->limits.timeout_ns = 0;
    if (x->limits.timeout_ns)
        x->started_ns = x->limits.clock(x->limits.clock_context);
    x->err = err;
    x->now_ns = x->call.now_ns = now_ns;
    x->steps = STEPS_PER_CHECK;
    x->derived = x->firings = x->rounds = 0;
    x->charged = NULL;
    x->charged_at = 0;
    x->sink = NULL;
    x->rule = NULL;
    x->depth = x->floor = 0;
    x->max_depth = DEPTH_DEFAULT;
    if (x->limits.max_depth > 0)
        x->max_depth = x->limits.max_depth < DEPTH_MAX ? x->limits.max_depth : DEPTH_MAX;
}

/* ---- errors and limits ----------------------------------------------------------------------- */

enum mangle_status mgi_eval_nomem(struct eval *x)
{
    if (x->err)
        snprintf(x->err->message, sizeof x->err->message, "out of memory");
    return MANGLE_ERR_NOMEM;
}

enum mangle_status mgi_eval_fail(struct eval *x, const char *text)
{
    if (!x->err)
        return MANGLE_ERR_EVAL;
    if (!x->rule) {
        snprintf(x->err->message, sizeof x->err->message, "%s", text);
        return MANGLE_ERR_EVAL;
    }
    const struct source *source = &x->program->sources[x->rule->clause->span.source];
    snprintf(x->err->message, sizeof x->err->message, "%s:%" PRIu32 ": %s", source->name,
             mgi_line_at(x->program, x->rule->clause->span), text);
    return MANGLE_ERR_EVAL;
}

enum mangle_status mgi_eval_limit(struct eval *x, enum mangle_limit_kind kind, int64_t limit,
                                  int64_t consumed, mangle_pred pred)
{
    static const char *const texts[] = { "", "too many facts are derived",
                                         "one fact has too many separate intervals",
                                         "evaluation takes too long",
                                         "evaluation needs too much memory" };
    static const char *const units[] = { "", "facts", "intervals", "ns", "bytes" };
    if (!x->err)
        return MANGLE_ERR_LIMIT;
    struct mangle_error *e = x->err;
    e->limit.kind = kind;
    e->limit.limit = limit;
    e->limit.consumed = consumed;
    e->limit.pred[0] = '\0';
    if (pred != MANGLE_NO_PRED)
        snprintf(e->limit.pred, sizeof e->limit.pred, "%.*s",
                 STR_ARG(x->program->preds[pred].name));
    snprintf(e->message, sizeof e->message, "%s (limit %" PRId64 " %s)%s%s", texts[kind], limit,
             units[kind], e->limit.pred[0] ? ": " : "", e->limit.pred);
    return MANGLE_ERR_LIMIT;
}

static enum mangle_status check_memory(struct eval *x)
{
    size_t bytes = x->bytes + mgi_values_bytes(x->values);
    if (bytes > x->peak_bytes)
        x->peak_bytes = bytes;
    if (x->limits.max_bytes >= 0 && bytes > (uint64_t)x->limits.max_bytes)
        return mgi_eval_limit(x, MANGLE_LIMIT_MEMORY, x->limits.max_bytes, (int64_t)bytes,
                              MANGLE_NO_PRED);
    return MANGLE_OK;
}

enum mangle_status mgi_eval_check(struct eval *x)
{
    x->steps = STEPS_PER_CHECK;
    if (x->limits.cancel && __atomic_load_n(x->limits.cancel, __ATOMIC_RELAXED)) {
        if (x->err)
            snprintf(x->err->message, sizeof x->err->message, "cancelled");
        return MANGLE_ERR_CANCELLED;
    }
    if (x->limits.timeout_ns) {
        int64_t spent = x->limits.clock(x->limits.clock_context) - x->started_ns;
        if (spent > x->limits.timeout_ns)
            return mgi_eval_limit(x, MANGLE_LIMIT_TIME, x->limits.timeout_ns, spent,
                                  MANGLE_NO_PRED);
    }
    return check_memory(x);
}

static bool go_on(void *context)
{
    struct eval *x = context;
    x->stopped = mgi_eval_check(x);
    return x->stopped == MANGLE_OK;
}

struct pace mgi_eval_pace(struct eval *x)
{
    return (struct pace){ .steps = &x->steps, .go_on = go_on, .context = x };
}

enum mangle_status mgi_eval_merge(struct eval *x, uint32_t *count)
{
    struct pace pace = mgi_eval_pace(x);
    size_t merged = mgi_interval_coalesce(x->merge, *count, &pace);
    if (merged == SIZE_MAX)
        return x->stopped;
    *count = (uint32_t)merged;
    return MANGLE_OK;
}

/* ---- rows of an atom ------------------------------------------------------------------------- */

enum { PHASE_BELOW, PHASE_CHAIN, PHASE_RANGE, PHASE_NEWS, PHASE_DONE };

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
    if (look->index != REL_NONE) {
        f->phase = PHASE_CHAIN;
        f->link = mgi_index_head(rel, look->index, gather(x, look->key, look->key_count));
    } else {
        f->phase = PHASE_RANGE;
        f->at = f->lo;
    }
}

static void begin_below(struct eval *x, const struct rel *rel, const struct look *look,
                        struct frame *f)
{
    f->phase = PHASE_BELOW;
    f->at = f->end = 0;
    f->perm = f->copies = NULL;
    if (look->index == REL_NONE) {
        f->end = rel->first;
        return;
    }
    const struct group *g =
        mgi_index_group(rel->below, look->index, gather(x, look->key, look->key_count));
    if (g) {
        f->perm = rel->below->indexes[look->index].perm;
        f->copies = rel->below->indexes[look->index].copies;
        f->at = g->start;
        f->end = g->end;
    }
}

static void begin_scan(struct eval *x, const struct rel *rel, const struct look *look,
                       struct frame *f)
{
    limit_rows(x, rel, look, f);
    bool news = look->reach == REACH_NEW;
    if (news && rel->temporal && look->index == REL_NONE) {
        f->phase = PHASE_NEWS;
        f->at = rel->lo;
    } else if (rel->first && (!news || rel->temporal)) {
        begin_below(x, rel, look, f);
    } else {
        begin_own(x, rel, look, f);
    }
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
                    f->row = f->perm ? f->perm[f->at] : f->at;
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
        default:
            return false;
        }
    }
}

bool mgi_eval_fits(struct eval *x, const struct look *look, const uint32_t *words)
{
    for (uint32_t i = 0; i < look->test_count; i++)
        if (words[look->tests[i].column] != x->regs[look->tests[i].reg])
            return false;
    for (uint32_t i = 0; i < look->bind_count; i++)
        x->regs[look->binds[i].reg] = words[look->binds[i].column];
    for (uint32_t i = 0; i < look->repeat_count; i++)
        if (words[look->repeats[i].column] != x->regs[look->repeats[i].reg])
            return false;
    return true;
}

/* The row at hand; next_row() has moved on by one. */
static const uint32_t *words_at(const struct rel *rel, const struct frame *f)
{
    if (f->phase == PHASE_BELOW && f->copies)
        return f->copies + (size_t)(f->at - 1) * rel->arity;
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

bool mgi_eval_scan(struct eval *x, const struct look *look, struct frame *f, bool resume,
                   enum mangle_status *st)
{
    const struct rel *rel = &x->rels[look->pred];
    if (look->whole)
        return !resume && find_whole(x, rel, look, f);
    if (!resume)
        begin_scan(x, rel, look, f);
    bool news_only = look->reach == REACH_NEW && rel->temporal && look->index != REL_NONE;
    bool choosy = news_only || look->lattice;
    while (next_row(x, rel, look, f)) {
        *st = mgi_eval_step(x);
        if (*st)
            return false;
        if (choosy && !(look->lattice ? mgi_rel_live(rel, f->row) : has_news(rel, f->row)))
            continue;
        if (mgi_eval_fits(x, look, words_at(rel, f)))
            return true;
    }
    return false;
}

/* ---- other operations ------------------------------------------------------------------------ */

static bool absent(struct eval *x, const struct op *op, struct frame *f, enum mangle_status *st)
{
    for (bool resume = false; mgi_eval_scan(x, op->look, f, resume, st); resume = true) {
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

static enum mangle_status call_failed(struct eval *x, enum call_status cs, bool soft)
{
    if (cs == CALL_NOMEM)
        return mgi_eval_nomem(x);
    return soft ? MANGLE_ERR_EVAL : mgi_eval_fail(x, x->call.error);
}

enum mangle_status mgi_eval_call(struct eval *x, const struct function *fn,
                                 const mangle_value *args, uint32_t count, bool soft,
                                 mangle_value *out)
{
    assert(fn->apply); /* a reducer of rows alone stands after group_by only (M-ANA-60) */
    enum call_status cs = fn->apply(&x->call, args, count, out);
    if (x->scratch.used > SCRATCH_KEEP)
        mgi_arena_reset(&x->scratch);
    return cs == CALL_OK ? check_memory(x) : call_failed(x, cs, soft);
}

static enum mangle_status run_call(struct eval *x, const struct op *op, bool soft)
{
    for (uint32_t i = 0; i < op->arg_count; i++)
        x->words[i] = x->regs[op->args[i]];
    return mgi_eval_call(x, op->function, x->words, op->arg_count, soft, &x->regs[op->a]);
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
                *st = call_failed(x, cs, false);
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

static void touch(struct eval *x, mangle_pred pred)
{
    struct rel *rel = &x->rels[pred];
    if (!rel->touched) {
        rel->touched = true;
        x->touched[x->touched_count++] = pred;
    }
}

static size_t row_bytes(const struct rel *rel)
{
    return (size_t)rel->arity * 4 + 8 + (size_t)rel->known.stride * 8 +
           (size_t)rel->index_count * 16;
}

#define ENTRY_BYTES (sizeof(struct mangle_interval) + 3 * sizeof(uint32_t) + 16)

static enum mangle_status count_derived(struct eval *x, mangle_pred pred)
{
    x->derived++;
    x->rels[pred].made++;
    if (x->limits.max_facts >= 0 && x->derived > x->limits.max_facts)
        return mgi_eval_limit(x, MANGLE_LIMIT_FACTS, x->limits.max_facts, x->derived,
                              MANGLE_NO_PRED);
    return MANGLE_OK;
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

static enum mangle_status add_entry(struct eval *x, mangle_pred pred, uint32_t row,
                                    struct mangle_interval t, bool *added)
{
    struct rel *rel = &x->rels[pred];
    if (!mgi_times_add(rel, row, t, added))
        return mgi_eval_nomem(x);
    if (!*added)
        return MANGLE_OK;
    touch(x, pred);
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
        touch(x, pred);
        x->bytes += row_bytes(rel);
    }
    return rel->temporal ? add_entry(x, pred, *row, t, added) : MANGLE_OK;
}

enum mangle_status mgi_eval_give(struct eval *x, mangle_pred pred, const uint32_t *words,
                                 struct mangle_interval t)
{
    uint32_t row;
    bool added;
    return add_fact(x, pred, words, t, &row, &added);
}

enum mangle_status mgi_eval_found(struct eval *x, mangle_pred pred, const uint32_t *words)
{
    struct rel *rel = &x->rels[pred];
    uint32_t row;
    bool added;
    enum mangle_status st = add_fact(x, pred, words, MANGLE_ALWAYS, &row, &added);
    rel->hi = mgi_rel_end(rel);
    return !st && added ? count_derived(x, pred) : st;
}

enum mangle_status mgi_eval_count(struct eval *x, mangle_pred pred)
{
    touch(x, pred);
    x->bytes += row_bytes(&x->rels[pred]);
    return count_derived(x, pred);
}

/* The merge predicate is called while the premises of the rule are still being read. */
static enum mangle_status derive_merged(struct eval *x, const struct op *op)
{
    mangle_pred pred = x->rule->head;
    uint32_t row, floor = x->floor;
    bool added;
    if (op->before != NO_OP)
        x->floor = x->frames[op->before].hi;
    touch(x, pred); /* rows of the base may die */
    enum mangle_status st = mgi_lattice_derive(x, pred, x->words, &row, &added);
    x->floor = floor;
    return !st && added ? mgi_eval_count(x, pred) : st;
}

enum mangle_status mgi_eval_emit(struct eval *x, const struct op *op)
{
    const struct rule *rule = x->rule;
    struct mangle_interval t = MANGLE_ALWAYS;
    bool added = false, none = false;
    uint32_t row;
    x->firings++;
    for (uint32_t i = 0; i < op->arg_count; i++)
        x->words[i] = x->regs[op->args[i]];
    enum mangle_status st = rule->annotated ? mgi_head_interval(x, rule, &t, &none) : MANGLE_OK;
    if (!st && !none && x->program->preds[rule->head].lattice)
        return derive_merged(x, op);
    if (!st && !none)
        st = add_fact(x, rule->head, x->words, t, &row, &added);
    if (!st && added && rule->annotated && x->program->strata[rule->stratum].recursive)
        st = check_intervals(x, rule->head, row);
    return !st && added ? count_derived(x, rule->head) : st;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static enum mangle_status sync_indexes(struct eval *x, const struct code *code)
{
    for (size_t i = 0; i < code->op_count; i++) {
        const struct look *look = code->ops[i].look;
        if (!look || look->index == REL_NONE)
            continue;
        if (!mgi_rel_sync(&x->rels[look->pred], look->index))
            return mgi_eval_nomem(x);
    }
    return MANGLE_OK;
}

void mgi_eval_constants(struct eval *x, const struct code *code)
{
    for (size_t i = 0; i < code->constant_count; i++)
        x->regs[code->constants[i].reg] = code->constants[i].value;
}

static inline __attribute__((always_inline)) bool run_op(struct eval *x, const struct code *code,
                                                         uint32_t pc, bool resume,
                                                         enum mangle_status *st)
{
    const struct op *op = &code->ops[pc];
    struct frame *f = &x->frames[pc];
    switch (op->kind) {
    case OP_SCAN:
        return mgi_eval_scan(x, op->look, f, resume, st);
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
        *st = run_call(x, op, false);
        return true;
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
        x->fired[before - x->plan->rules] += x->firings - x->charged_at;
    x->charged = next;
    x->charged_at = x->firings;
    return before;
}

static inline __attribute__((always_inline)) enum mangle_status run_ops(struct eval *x,
                                                                        const struct code *code,
                                                                        eval_watch *stuck)
{
    enum mangle_status st = MANGLE_OK;
    uint32_t pc = 0;
    bool resume = false;
    for (;;) {
        bool found = run_op(x, code, pc, resume, &st);
        if (!st)
            st = mgi_eval_step(x);
        if (stuck && (st || (!found && !resume)))
            stuck(x, code, pc, st);
        if (st)
            return st;
        resume = !found;
        pc = found ? pc + 1 : code->ops[pc].fail;
        if (pc == NO_OP)
            return MANGLE_OK;
    }
}

enum mangle_status mgi_eval_run(struct eval *x, const struct code *code)
{
    return run_ops(x, code, NULL);
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

enum mangle_status mgi_eval_code(struct eval *x, const struct code *code)
{
    const struct rule *outer = charge(x, code->rule);
    enum mangle_status st = make_ready(x, code);
    if (!st)
        st = code->asks && x->asking ? run_asking(x, code) : mgi_eval_run(x, code);
    charge(x, outer);
    return st;
}

/* Charged to nobody: nothing is derived. */
enum mangle_status mgi_eval_watched(struct eval *x, const struct code *code, eval_watch *stuck)
{
    enum mangle_status st = make_ready(x, code);
    return st ? st : run_ops(x, code, stuck);
}

enum mangle_status mgi_eval_straight(struct eval *x, const struct code *code, bool soft)
{
    for (size_t i = 0; i < code->op_count; i++) {
        enum mangle_status st = run_call(x, &code->ops[i], soft);
        if (st)
            return st;
    }
    return MANGLE_OK;
}

/* Terms nest at most 200 deep (M-LIM-13), so recursion is fine. */
enum mangle_status mgi_eval_term(struct eval *x, const struct term *t, mangle_value *out)
{
    if (t->kind == TERM_CONST) {
        *out = t->value;
        return MANGLE_OK;
    }
    if (t->kind == TERM_VAR)
        return mgi_eval_fail(x, "a variable has no value here");
    mangle_value *args = mgi_alloc((t->apply.count + 1) * sizeof *args);
    if (!args)
        return mgi_eval_nomem(x);
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < t->apply.count && !st; i++)
        st = mgi_eval_term(x, &t->apply.args[i], &args[i]);
    if (!st)
        st = mgi_eval_call(x, t->apply.row, args, t->apply.count, false, out);
    mgi_free(args);
    return st;
}
