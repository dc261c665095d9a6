/* When an interval enters or leaves a temporal literal, whatever the rows.
 *
 * Of all intervals two decide: the one that starts first of those that start too late, and of those
 * that count the one that ends first; for the later an interval starts, the later it enters, and
 * the later it ends, the longer it stands. Many rules have the same window over the same predicate
 * and share one answer. A predicate that is asked about again and again, always with other bounds,
 * has its intervals sorted. */
#include <stdlib.h>
#include <string.h>

#include "mangle/proof/foresee.h"

#define SORT_AFTER                                                                                 \
    32 /* questions about one predicate; until then all its intervals are looked at */

struct literal {
    mangle_pred pred;
    struct spans spans;
    struct change answer;
};

struct timeline { /* the intervals of a predicate */
    uint32_t asked, count;
    int64_t *starts;                /* ascending; NULL: not sorted yet */
    struct mangle_interval *by_end; /* ascending */
};

struct literals {
    struct literal *items;
    uint32_t count;
    uint32_t *slots, mask; /* item + 1; there is room for all of the program */
    struct timeline *timelines;
};

static bool bound_is_var(const struct bound *b)
{
    return b->kind == BOUND_VAR && !b->free;
}

/* ---- intervals ------------------------------------------------------------------------------- */

struct nearest {
    bool enters, leaves; /* is there one? */
    struct mangle_interval enter, leave;
};

static void look_at(const struct times *times, const struct frame *f, struct nearest *n)
{
    for (uint32_t e = 0; e < times->count; e++) {
        struct mangle_interval t = times->spans[e];
        if (t.start_ns > f->max_start) {
            if (!n->enters || t.start_ns < n->enter.start_ns)
                n->enter = t;
            n->enters = true;
        } else if (t.end_ns >= f->min_end) {
            if (!n->leaves || t.end_ns < n->leave.end_ns)
                n->leave = t;
            n->leaves = true;
        }
    }
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int by_end(const void *a, const void *b)
{
    const struct mangle_interval *x = a, *y = b;
    return by_time(&x->end_ns, &y->end_ns);
}

static void copy_times(const struct times *times, struct timeline *to)
{
    if (times->count > 0)
        memcpy(to->by_end + to->count, times->spans, times->count * sizeof *to->by_end);
    to->count += times->count;
}

static bool sort_timeline(mangle_overlay *o, const struct rel *rel, struct timeline *to)
{
    size_t room = (size_t)rel->times.count + (rel->below ? rel->below->times.count : 0) + 1;
    int64_t *starts = mgi_arena_alloc(&o->lasting, room * sizeof *starts);
    to->by_end = mgi_arena_alloc(&o->lasting, room * sizeof *to->by_end);
    if (!starts || !to->by_end)
        return false;
    copy_times(&rel->times, to);
    if (rel->below)
        copy_times(&rel->below->times, to);
    for (uint32_t i = 0; i < to->count; i++)
        starts[i] = to->by_end[i].start_ns;
    qsort(starts, to->count, sizeof *starts, by_time);
    qsort(to->by_end, to->count, sizeof *to->by_end, by_end);
    to->starts = starts;
    return true;
}

static uint32_t first_start_after(const struct timeline *line, int64_t instant)
{
    uint32_t lo = 0, hi = line->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (line->starts[mid] > instant)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static uint32_t first_end_from(const struct timeline *line, int64_t instant)
{
    uint32_t lo = 0, hi = line->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (line->by_end[mid].end_ns >= instant)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static void look_up(const struct timeline *line, const struct frame *f, struct nearest *n)
{
    uint32_t at = first_start_after(line, f->max_start);
    n->enters = at < line->count;
    if (n->enters)
        n->enter = (struct mangle_interval){ line->starts[at], line->starts[at] };
    for (at = first_end_from(line, f->min_end); at < line->count && !n->leaves; at++) {
        n->leaves = line->by_end[at].start_ns <= f->max_start;
        n->leave = line->by_end[at];
    }
}

/* ---- one question ---------------------------------------------------------------------------- */

/* Variables in annotations hold instants, which do not move. */
static struct spans fix(const struct spans *s)
{
    struct spans fixed = *s;
    if (fixed.annotated && bound_is_var(&fixed.start))
        fixed.start.free = true;
    if (fixed.annotated && bound_is_var(&fixed.end))
        fixed.end.free = true;
    return fixed;
}

static bool is_vague(const mangle_overlay *o, const struct spans *s, mangle_pred pred)
{
    return (s->window != WINDOW_NONE && (bound_is_var(&s->near) || bound_is_var(&s->far))) ||
           o->base->program->plan->preds[pred].moves;
}

/* `s` is fixed. `line` may be NULL. */
static struct change answer(mangle_overlay *o, const struct spans *s, mangle_pred pred,
                            const struct timeline *line)
{
    struct eval *x = &o->eval;
    const struct rel *rel = &o->rels[pred];
    struct change out = { MANGLE_MAX_TIME, MANGLE_MAX_TIME };
    struct nearest n = { 0 };
    struct frame f;
    if (rel->times.count == 0 && !(rel->below && rel->below->times.count > 0))
        return out;
    if (mgi_spans_prepare(x, s, &f))
        return (struct change){ mgi_next_instant(x), mgi_next_instant(x) };
    if (line && line->starts) {
        look_up(line, &f, &n);
    } else {
        look_at(&rel->times, &f, &n);
        if (rel->below)
            look_at(&rel->below->times, &f, &n);
    }
    if (n.enters)
        out.gain = mgi_spans_enter_at(x, s, n.enter);
    if (n.leaves)
        out.loss = mgi_spans_stand_until(x, s, n.leave);
    if (out.loss != MANGLE_MAX_TIME)
        out.loss++;
    if (out.gain < out.loss) /* what enters may leave again, but not before it entered */
        out.loss = out.gain;
    return out;
}

struct change mgi_changes_literal(mangle_overlay *o, const struct spans *s, mangle_pred pred)
{
    int64_t next = mgi_next_instant(&o->eval);
    if (is_vague(o, s, pred))
        return (struct change){ next, next };
    struct spans fixed = fix(s);
    return answer(o, &fixed, pred, o->changes ? &o->changes->literals->timelines[pred] : NULL);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static uint64_t bound_hash(uint64_t hash, const struct bound *b)
{
    return mgi_mix(hash ^ (uint64_t)b->ns) + (uint64_t)b->kind * 2 + b->free;
}

static bool bound_same(const struct bound *a, const struct bound *b)
{
    return a->kind == b->kind && a->ns == b->ns && a->free == b->free;
}

static uint64_t literal_hash(const struct spans *s, mangle_pred pred)
{
    uint64_t hash = (uint64_t)pred << 8 | (uint64_t)s->window << 1 | s->annotated;
    if (s->window != WINDOW_NONE)
        hash = bound_hash(bound_hash(hash, &s->near), &s->far);
    if (s->annotated)
        hash = bound_hash(bound_hash(hash, &s->start), &s->end);
    return mgi_mix(hash);
}

static bool literal_same(const struct literal *a, const struct spans *s, mangle_pred pred)
{
    const struct spans *t = &a->spans;
    if (a->pred != pred || t->window != s->window || t->annotated != s->annotated)
        return false;
    if (s->window != WINDOW_NONE &&
        (!bound_same(&t->near, &s->near) || !bound_same(&t->far, &s->far)))
        return false;
    return !s->annotated || (bound_same(&t->start, &s->start) && bound_same(&t->end, &s->end));
}

struct literals *mgi_literals_new(mangle_overlay *o)
{
    const mangle_program *p = o->base->program;
    uint32_t most = p->plan->literal_count, slots = 2;
    while (slots < 2 * most)
        slots *= 2;
    struct literals *all = mgi_arena_calloc(&o->lasting, 1, sizeof *all);
    if (!all)
        return NULL;
    all->mask = slots - 1;
    all->items = mgi_arena_alloc(&o->lasting, (most + 1) * sizeof *all->items);
    all->slots = mgi_arena_calloc(&o->lasting, slots, sizeof *all->slots);
    all->timelines = mgi_arena_calloc(&o->lasting, p->pred_count + 1, sizeof *all->timelines);
    return all->items && all->slots && all->timelines ? all : NULL;
}

bool mgi_literals_take(mangle_overlay *o, struct literals *all, const struct spans *s,
                       mangle_pred pred, struct change *out)
{
    struct timeline *line = &all->timelines[pred];
    int64_t next = mgi_next_instant(&o->eval);
    *out = (struct change){ next, next };
    if (is_vague(o, s, pred))
        return true;
    struct literal asked = { .pred = pred, .spans = fix(s) };
    uint32_t at = (uint32_t)literal_hash(&asked.spans, pred) & all->mask;
    for (; all->slots[at]; at = (at + 1) & all->mask) {
        const struct literal *known = &all->items[all->slots[at] - 1];
        if (literal_same(known, &asked.spans, pred)) {
            *out = known->answer;
            return true;
        }
    }
    if (++line->asked == SORT_AFTER && !sort_timeline(o, &o->rels[pred], line))
        return false;
    *out = asked.answer = answer(o, &asked.spans, pred, line);
    all->items[all->count] = asked;
    all->slots[at] = ++all->count;
    return true;
}
