/* Which intervals satisfy a temporal premise, and the interval of a head (mangle.md section 14).
 *
 * Containment, binding and all four windows come down to two numbers: an interval [s, e] counts iff
 * s <= max_start and e >= min_end.
 *
 *     @[a, b] all fixed     s <= a    e >= b     of the union
 *     <-[..] <+[..] some    s <= hi   e >= lo
 *     [-[..] [+[..] all     s <= lo   e >= hi    of the union */
#include "base/alloc.h"
#include "mangle/run/eval.h"

/* An instant from a time or a number; windows also take durations (M-TEMP-50). */
static enum mangle_status instant_of(struct eval *x, mangle_value v, bool window, bool past,
                                     int64_t *out)
{
    switch (mangle_kind_of(x->values, v)) {
    case MANGLE_TIME:
    case MANGLE_NUMBER:
        *out = mangle_int_of(x->values, v);
        return MANGLE_OK;
    case MANGLE_DURATION:
        if (!window)
            break;
        *out = past ? mgi_instant_back(x->now_ns, mangle_int_of(x->values, v))
                    : mgi_instant_forth(x->now_ns, mangle_int_of(x->values, v));
        return MANGLE_OK;
    default:
        break;
    }
    return mgi_eval_fail(x, window ? "a window's bound is neither a time, a number nor a duration"
                                   : "an interval's bound is neither a time nor a number");
}

enum mangle_status mgi_check_instant(struct eval *x, mangle_value v, bool window)
{
    int64_t ns;
    return instant_of(x, v, window, false, &ns);
}

static enum mangle_status window_instant(struct eval *x, const struct bound *b, bool past,
                                         int64_t *out)
{
    switch (b->kind) {
    case BOUND_TIME:
        *out = b->ns;
        return MANGLE_OK;
    case BOUND_DURATION:
        *out = past ? mgi_instant_back(x->now_ns, b->ns) : mgi_instant_forth(x->now_ns, b->ns);
        return MANGLE_OK;
    case BOUND_NOW:
        *out = x->now_ns;
        return MANGLE_OK;
    case BOUND_OPEN:
        *out = past ? MANGLE_MIN_TIME : MANGLE_MAX_TIME;
        return MANGLE_OK;
    case BOUND_VAR:
        break;
    }
    return instant_of(x, x->regs[b->reg], true, past, out);
}

static enum mangle_status fixed_instant(struct eval *x, const struct bound *b, int64_t *out)
{
    switch (b->kind) {
    case BOUND_NOW:
        *out = x->now_ns;
        return MANGLE_OK;
    case BOUND_VAR:
        return instant_of(x, x->regs[b->reg], false, false, out);
    default:
        *out = b->ns;
        return MANGLE_OK;
    }
}

static enum mangle_status prepare_window(struct eval *x, const struct spans *s, struct frame *f)
{
    bool past = s->window == WINDOW_SOME_PAST || s->window == WINDOW_ALL_PAST;
    int64_t a = 0, b = 0;
    enum mangle_status st = window_instant(x, &s->near, past, &a);
    if (!st)
        st = window_instant(x, &s->far, past, &b);
    if (st)
        return st;
    int64_t lo = a < b ? a : b, hi = a < b ? b : a;
    bool some = s->window == WINDOW_SOME_PAST || s->window == WINDOW_SOME_FUTURE;
    f->max_start = some ? hi : lo;
    f->min_end = some ? lo : hi;
    return MANGLE_OK;
}

enum mangle_status mgi_spans_prepare(struct eval *x, const struct spans *s, struct frame *f)
{
    enum mangle_status st = MANGLE_OK;
    f->max_start = MANGLE_MAX_TIME;
    f->min_end = MANGLE_MIN_TIME;
    if (s->window != WINDOW_NONE)
        st = prepare_window(x, s, f);
    if (st || !s->annotated)
        return st;
    bool binds = s->start.free || s->end.free;
    int64_t a = MANGLE_MAX_TIME, b = MANGLE_MIN_TIME; /* no constraint */
    if (s->start.kind == BOUND_OPEN)
        a = binds ? a : MANGLE_MIN_TIME;
    else if (!s->start.free)
        st = fixed_instant(x, &s->start, &a);
    if (s->end.kind == BOUND_OPEN)
        b = binds ? b : MANGLE_MAX_TIME;
    else if (!st && !s->end.free)
        st = fixed_instant(x, &s->end, &b);
    if (a < f->max_start)
        f->max_start = a;
    if (b > f->min_end)
        f->min_end = b;
    return st;
}

static int64_t earlier_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t later_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What the comparisons leave. No instant is earlier than the first, or later than the last. */
static void narrow(const struct eval *x, const struct spans *s, struct frame *f)
{
    f->min_start = MANGLE_MIN_TIME;
    f->max_end = MANGLE_MAX_TIME;
    for (uint32_t i = 0; i < s->narrow_count; i++) {
        const struct narrow *n = &s->narrows[i];
        int64_t ns = mangle_int_of(x->values, x->regs[n->reg]);
        if (n->strict && ns == (n->least ? MANGLE_MAX_TIME : MANGLE_MIN_TIME)) {
            f->min_start = MANGLE_MAX_TIME;
            f->max_start = MANGLE_MIN_TIME;
            return;
        }
        ns += n->strict ? (n->least ? 1 : -1) : 0;
        int64_t *least = n->end ? &f->min_end : &f->min_start;
        int64_t *most = n->end ? &f->max_end : &f->max_start;
        if (n->least)
            *least = later_of(*least, ns);
        else
            *most = earlier_of(*most, ns);
    }
}

/* No interval ends before it starts, so what bounds one end bounds the other. */
enum mangle_status mgi_spans_early(struct eval *x, const struct spans *s, struct frame *f)
{
    enum mangle_status st = mgi_spans_prepare(x, s, f);
    if (st)
        return st;
    narrow(x, s, f);
    f->max_start = earlier_of(f->max_start, f->max_end);
    f->min_end = later_of(f->min_end, f->min_start);
    return MANGLE_OK;
}

static bool counts(const struct frame *f, struct mangle_interval t)
{
    return t.start_ns <= f->max_start && t.end_ns >= f->min_end && t.start_ns >= f->min_start &&
           t.end_ns <= f->max_end;
}

/* The first interval that neither ends nor starts too early: ends ascend like starts. */
static bool run_first(struct frame *f, const struct mangle_interval *run, uint32_t count)
{
    uint32_t lo = 0, hi = count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (run[mid].end_ns >= f->min_end && run[mid].start_ns >= f->min_start)
            hi = mid;
        else
            lo = mid + 1;
    }
    f->run = run;
    f->run_at = lo;
    f->run_end = count;
    if (lo == count || !counts(f, run[lo]))
        return false;
    f->span = run[lo];
    return true;
}

/* Within a fixpoint, the union of what is derived so far; a box or containment has one answer. */
static bool merged_first(struct eval *x, const struct rel *rel, uint32_t row, struct frame *f,
                         enum mangle_status *st)
{
    uint32_t most = mgi_times_count(rel, row), n = 0;
    if (!mgi_grow(&x->merge, &x->merge_cap, (size_t)most + 1, sizeof *x->merge)) {
        *st = mgi_eval_nomem(x);
        return false;
    }
    for (struct span_walk w = mgi_times_walk(rel, row); w.entry != REL_NONE; mgi_times_older(&w))
        if (!w.own || w.entry < rel->hi)
            x->merge[n++] = mgi_times_at(&w);
    *st = mgi_eval_merge(x, &n);
    if (*st)
        return false;
    bool found = run_first(f, x->merge, n);
    f->run_end = f->run_at; /* the scratch is not kept */
    return found;
}

static bool walk_on(const struct rel *rel, const struct look *look, struct frame *f)
{
    for (; f->walk.entry != REL_NONE; mgi_times_older(&f->walk)) {
        if (f->walk.own && f->walk.entry >= rel->hi)
            continue;
        if (look->reach == REACH_NEW && (!f->walk.own || f->walk.entry < rel->lo))
            return false;
        if (!counts(f, mgi_times_at(&f->walk)))
            continue;
        f->span = mgi_times_at(&f->walk);
        return true;
    }
    return false;
}

bool mgi_spans_first(struct eval *x, const struct spans *s, const struct look *look, uint32_t row,
                     struct frame *f, enum mangle_status *st)
{
    const struct rel *rel = &x->rels[look->pred];
    *st = mgi_spans_prepare(x, s, f);
    f->run = NULL;
    f->walk.entry = REL_NONE;
    if (*st)
        return false;
    narrow(x, s, f);
    if (!rel->temporal) {
        f->span = MANGLE_ALWAYS;
        return counts(f, f->span);
    }
    if (rel->settled) {
        uint32_t count;
        const struct mangle_interval *run = mgi_times_run(rel, row, &count);
        return run_first(f, run, count);
    }
    if (s->merged)
        return merged_first(x, rel, row, f, st);
    f->walk = mgi_times_walk(rel, row);
    return walk_on(rel, look, f);
}

bool mgi_spans_next(struct eval *x, const struct spans *s, const struct look *look, struct frame *f)
{
    const struct rel *rel = &x->rels[look->pred];
    (void)s;
    if (f->walk.entry != REL_NONE) {
        mgi_times_older(&f->walk);
        return walk_on(rel, look, f);
    }
    if (f->run_at + 1 >= f->run_end || !f->run)
        return false;
    f->run_at++;
    f->span = f->run[f->run_at];
    return counts(f, f->span);
}

/* ---- what the passing of time changes -------------------------------------------------------- */

/* a - b, or INT64_MAX: both may be infinite. */
static int64_t distance(int64_t a, int64_t b)
{
    int64_t d;
    if (a == MANGLE_MAX_TIME || b == MANGLE_MIN_TIME || __builtin_sub_overflow(a, b, &d))
        return MANGLE_MAX_TIME;
    return d;
}

static int64_t later(const struct eval *x, int64_t by)
{
    return by == MANGLE_MAX_TIME ? MANGLE_MAX_TIME : mgi_instant_forth(x->now_ns, by);
}

static bool moves(const struct eval *x, const struct bound *b)
{
    return b->kind == BOUND_DURATION || b->kind == BOUND_NOW ||
           (b->kind == BOUND_VAR && mangle_kind_of(x->values, x->regs[b->reg]) == MANGLE_DURATION);
}

/* Only the lower bound of the end can stop an interval from counting: the other one grows. */
int64_t mgi_spans_stand_until(struct eval *x, const struct spans *s, struct mangle_interval t)
{
    int64_t until = MANGLE_MAX_TIME;
    if (s->annotated && !s->end.free && s->end.kind == BOUND_NOW)
        until = t.end_ns;
    if (s->window == WINDOW_NONE)
        return until;
    bool past = s->window == WINDOW_SOME_PAST || s->window == WINDOW_ALL_PAST;
    bool some = s->window == WINDOW_SOME_PAST || s->window == WINDOW_SOME_FUTURE;
    bool near_moves = moves(x, &s->near), far_moves = moves(x, &s->far);
    int64_t near = 0, far = 0;
    if (window_instant(x, &s->near, past, &near) || window_instant(x, &s->far, past, &far))
        return until;
    if (near_moves && far_moves) {
        int64_t min_end = (near < far) == some ? near : far;
        return earlier_of(until, later(x, distance(t.end_ns, min_end)));
    }
    if (!near_moves && !far_moves)
        return until;
    int64_t fixed = near_moves ? far : near, moving = near_moves ? near : far;
    if (some && fixed <= t.end_ns) /* the window's lower end never passes the fixed one */
        return until;
    return earlier_of(until, later(x, distance(t.end_ns, moving)));
}

/* Never too late: the upper bound of the start grows by at most a nanosecond per nanosecond. */
int64_t mgi_spans_enter_at(struct eval *x, const struct spans *s, struct mangle_interval t)
{
    struct frame f;
    bool window = s->window != WINDOW_NONE && (moves(x, &s->near) || moves(x, &s->far));
    bool annotation = s->annotated && !s->start.free && moves(x, &s->start);
    if ((!window && !annotation) || mgi_spans_prepare(x, s, &f) || t.start_ns <= f.max_start)
        return MANGLE_MAX_TIME;
    return later(x, distance(t.start_ns, f.max_start));
}

static enum mangle_status head_instant(struct eval *x, const struct bound *b, int64_t open,
                                       int64_t *out)
{
    if (b->kind == BOUND_OPEN) {
        *out = open;
        return MANGLE_OK;
    }
    return fixed_instant(x, b, out);
}

enum mangle_status mgi_head_interval(struct eval *x, const struct rule *rule,
                                     struct mangle_interval *out, bool *none)
{
    enum mangle_status st = head_instant(x, &rule->start, MANGLE_MIN_TIME, &out->start_ns);
    if (!st)
        st = head_instant(x, &rule->end, MANGLE_MAX_TIME, &out->end_ns);
    if (st)
        return st;
    if (out->start_ns == MANGLE_MAX_TIME) /* M-TEMP-3 */
        out->start_ns = MANGLE_MIN_TIME;
    if (out->end_ns == MANGLE_MIN_TIME)
        out->end_ns = MANGLE_MAX_TIME;
    *none = out->start_ns > out->end_ns;
    return MANGLE_OK;
}
