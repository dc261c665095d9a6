/* Intervals beside the rows of a temporal relation. See rel.h for the idea.
 *
 * While a component is evaluated entries are kept exactly as derived, without duplicates (the
 * `exact` table), because merging there would make what rules bind depend on the order of
 * derivation (M-TEMP-72). mgi_times_coalesce() rewrites all of them, row by row. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel.h"

void mgi_times_reset(struct times *times)
{
    times->count = 0;
    times->shadow_count = 0;
    times->shadow_index.cap = times->shadow_index.used = 0;
    times->exact.cap = times->exact.used = 0;
}

void mgi_times_fini(struct times *times)
{
    mgi_free(times->spans);
    mgi_free(times->older);
    mgi_free(times->rows);
    mgi_free(times->own);
    mgi_free(times->shadows);
    mgi_free(times->shadow_index.slots);
    mgi_free(times->exact.slots);
}

/* ---- rows of the base with entries of their own ------------------------------------------- */

static uint32_t *shadow_slot(const struct times *t, uint32_t row)
{
    uint32_t mask = t->shadow_index.cap - 1;
    for (uint32_t at = (uint32_t)(mgi_mix(row) >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = t->shadow_index.slots + (size_t)at * 2;
        if (s[0] == 0 || s[1] == row)
            return s;
    }
}

static struct span_list *shadow_find(const struct times *t, uint32_t row)
{
    if (t->shadow_count == 0)
        return NULL;
    const uint32_t *s = shadow_slot(t, row);
    return s[0] ? &t->shadows[s[0] - 1].list : NULL;
}

static bool shadow_add(struct times *t, uint32_t row)
{
    if (mgi_table_full(&t->shadow_index)) {
        if (!mgi_table_grow(&t->shadow_index, t->shadow_count + 1))
            return false;
        for (uint32_t i = 0; i < t->shadow_count; i++) {
            uint32_t *s = shadow_slot(t, t->shadows[i].row);
            s[0] = i + 1;
            s[1] = t->shadows[i].row;
        }
        t->shadow_index.used = t->shadow_count;
    }
    if (!mgi_grow(&t->shadows, &t->shadow_cap, (size_t)t->shadow_count + 1, sizeof *t->shadows))
        return false;
    t->shadows[t->shadow_count] = (struct shadow){ row, { REL_NONE, 0 } };
    uint32_t *s = shadow_slot(t, row);
    s[0] = ++t->shadow_count;
    s[1] = row;
    t->shadow_index.used++;
    return true;
}

/* The own entries of a row, or NULL: a row of the base that nothing was added to. */
static struct span_list *own_list(const struct rel *rel, uint32_t row)
{
    if (row >= rel->first)
        return &rel->times.own[row - rel->first];
    return shadow_find(&rel->times, row);
}

/* ---- reading ------------------------------------------------------------------------------ */

struct span_walk mgi_times_walk(const struct rel *rel, uint32_t row)
{
    const struct span_list *list = own_list(rel, row);
    if (list)
        return (struct span_walk){ &rel->times, list->head, true };
    const struct rel *b = rel->below;
    return (struct span_walk){ &b->times, b->times.own[row].head, false };
}

const struct mangle_interval *mgi_times_run(const struct rel *rel, uint32_t row, uint32_t *count)
{
    const struct times *t = &rel->times;
    const struct span_list *list = own_list(rel, row);
    if (!list) {
        t = &rel->below->times;
        list = &t->own[row];
    }
    *count = list->count;
    return list->count ? t->spans + (list->head + 1 - list->count) : NULL;
}

uint32_t mgi_times_count(const struct rel *rel, uint32_t row)
{
    const struct span_list *list = own_list(rel, row);
    return list ? list->count : rel->below->times.own[row].count;
}

/* A row has one interval, as a rule; while there are several, and they are not sorted, who knows.
 */
bool mgi_times_may_count(const struct rel *rel, uint32_t row, int64_t max_start, int64_t min_end)
{
    const struct times *t = &rel->times;
    const struct span_list *list = own_list(rel, row);
    bool sorted = rel->settled || !list;
    if (!list) {
        t = &rel->below->times;
        list = &t->own[row];
    }
    if (list->count == 0 || (list->count > 1 && !sorted))
        return true;
    return t->spans[list->head + 1 - list->count].start_ns <= max_start &&
           t->spans[list->head].end_ns >= min_end;
}

/* ---- adding ------------------------------------------------------------------------------- */

static uint64_t exact_hash(uint32_t row, struct mangle_interval t)
{
    return mgi_mix(mgi_mix((uint64_t)t.start_ns ^ row) + (uint64_t)t.end_ns);
}

static uint32_t *exact_slot(const struct times *t, uint32_t row, struct mangle_interval span)
{
    uint64_t hash = exact_hash(row, span);
    uint32_t mask = t->exact.cap - 1;
    for (uint32_t at = (uint32_t)(hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *s = t->exact.slots + (size_t)at * 2;
        if (s[0] == 0)
            return s;
        uint32_t e = s[0] - 1;
        if (s[1] == (uint32_t)hash && t->rows[e] == row && t->spans[e].start_ns == span.start_ns &&
            t->spans[e].end_ns == span.end_ns)
            return s;
    }
}

static void exact_put(struct times *t, uint32_t entry)
{
    uint32_t *s = exact_slot(t, t->rows[entry], t->spans[entry]);
    s[0] = entry + 1;
    s[1] = (uint32_t)exact_hash(t->rows[entry], t->spans[entry]);
    t->exact.used++;
}

static bool exact_reserve(struct times *t)
{
    if (!mgi_table_full(&t->exact))
        return true;
    if (!mgi_table_grow(&t->exact, t->count + 1))
        return false;
    for (uint32_t e = 0; e < t->count; e++)
        exact_put(t, e);
    return true;
}

static bool reserve_entries(struct times *t, size_t need)
{
    return need < REL_NONE && mgi_grow(&t->spans, &t->spans_cap, need, sizeof *t->spans) &&
           mgi_grow(&t->older, &t->older_cap, need, sizeof *t->older) &&
           mgi_grow(&t->rows, &t->rows_cap, need, sizeof *t->rows);
}

static bool append_entry(struct rel *rel, uint32_t row, struct mangle_interval span)
{
    struct times *t = &rel->times;
    if (!reserve_entries(t, (size_t)t->count + 1) || !exact_reserve(t))
        return false;
    struct span_list *list = own_list(rel, row);
    uint32_t e = t->count++;
    t->spans[e] = span;
    t->rows[e] = row;
    t->older[e] = list->head;
    list->head = e;
    list->count++;
    exact_put(t, e);
    return true;
}

static bool copy_from_below(struct rel *rel, uint32_t row)
{
    uint32_t count;
    const struct mangle_interval *run = mgi_times_run(rel->below, row, &count);
    if (!shadow_add(&rel->times, row))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!append_entry(rel, row, run[i]))
            return false;
    return true;
}

static bool run_has(const struct rel *rel, uint32_t row, struct mangle_interval t)
{
    uint32_t count;
    const struct mangle_interval *run = mgi_times_run(rel, row, &count);
    size_t i = run ? mgi_interval_covering(run, count, t.start_ns, t.end_ns) : SIZE_MAX;
    return i != SIZE_MAX && run[i].start_ns == t.start_ns && run[i].end_ns == t.end_ns;
}

bool mgi_times_add(struct rel *rel, uint32_t row, struct mangle_interval t, bool *added)
{
    assert(rel->temporal && !rel->frozen && t.start_ns <= t.end_ns);
    *added = false;
    if (!own_list(rel, row)) {
        if (run_has(rel->below, row, t))
            return true;
        if (!copy_from_below(rel, row))
            return false;
    } else if (rel->times.exact.cap && exact_slot(&rel->times, row, t)[0]) {
        return true;
    }
    *added = true;
    return append_entry(rel, row, t);
}

/* ---- coalescing --------------------------------------------------------------------------- */

/* Everything is written anew behind the old entries, then moved to the front: a row's run must be
 * contiguous, and rows come in the order of their numbers (shadows first). */
struct rewrite {
    struct rel *rel;
    struct mangle_interval *spans;
    uint32_t *rows;
    uint32_t count;
    uint32_t old; /* entries below this were there before */
    const struct pace *pace;
    struct coalesced *out;
};

static bool below_has(const struct rel *rel, uint32_t row, struct mangle_interval t)
{
    return row < rel->first && run_has(rel->below, row, t);
}

static void rewrite_row(struct rewrite *w, uint32_t row, struct span_list *list)
{
    const struct times *t = &w->rel->times;
    uint32_t start = w->count, at = start + list->count;
    for (uint32_t e = list->head; e != REL_NONE; e = t->older[e]) /* oldest first */
        w->spans[--at] = t->spans[e];
    size_t merged = mgi_interval_coalesce(w->spans + start, list->count, w->pace);
    if (merged == SIZE_MAX || !mgi_pace(w->pace, list->count)) {
        w->out->stopped = true;
        return;
    }
    uint32_t n = (uint32_t)merged;
    w->count = start + n;
    for (uint32_t i = start; i < w->count; i++) {
        uint32_t known = t->exact.cap ? exact_slot(t, row, w->spans[i])[0] : 0;
        if (!(known && known - 1 < w->old) && !below_has(w->rel, row, w->spans[i]))
            w->out->fresh++;
        w->rows[i] = row;
    }
    if (n > w->out->worst) {
        w->out->worst = n;
        w->out->worst_row = row;
    }
    list->head = n ? w->count - 1 : REL_NONE;
    list->count = n;
}

static void rewrite_rows(struct rewrite *w)
{
    struct times *t = &w->rel->times;
    for (uint32_t i = 0; i < t->shadow_count && !w->out->stopped; i++)
        rewrite_row(w, t->shadows[i].row, &t->shadows[i].list);
    for (uint32_t i = 0; i < w->rel->count && !w->out->stopped; i++)
        rewrite_row(w, w->rel->first + i, &t->own[i]);
}

/* False: memory. */
static bool put_back(struct rewrite *w)
{
    struct times *t = &w->rel->times;
    memcpy(t->spans, w->spans, w->count * sizeof *w->spans);
    memcpy(t->rows, w->rows, w->count * sizeof *w->rows);
    t->count = w->count;
    t->exact.cap = t->exact.used = 0;
    for (uint32_t e = 0; e < t->count; e++) {
        t->older[e] = e > 0 && t->rows[e - 1] == t->rows[e] ? e - 1 : REL_NONE;
        if (!mgi_pace(w->pace, 2)) {
            w->out->stopped = true;
            return true;
        }
    }
    return exact_reserve(t);
}

bool mgi_times_coalesce(struct rel *rel, uint32_t old, const struct pace *pace,
                        struct coalesced *out)
{
    struct times *t = &rel->times;
    *out = (struct coalesced){ 0 };
    if (t->count == 0)
        return true;
    struct rewrite w = { .rel = rel, .old = old, .pace = pace, .out = out };
    w.spans = mgi_alloc(t->count * sizeof *w.spans);
    w.rows = mgi_alloc(t->count * sizeof *w.rows);
    bool ok = w.spans && w.rows;
    if (ok) {
        rewrite_rows(&w);
        ok = out->stopped || put_back(&w);
    }
    mgi_free(w.spans);
    mgi_free(w.rows);
    return ok;
}
