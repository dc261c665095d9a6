/* What a run's calls came to, summed up once when it is read, so that whoever asks step by step, or
 * item by item, does not go through all of them each time: a foreach has many. Sorting is what it
 * costs: n log n of calls and picks. */
#include <stdlib.h>

#include "journal/journal_int.h"

/* Of the chain's step `step`. */
struct journal_sum {
    uint32_t step;
    enum journal_came_to calls; /* by their last attempts; a menu's end may say otherwise */
    bool is_menu, has_end, in_order;
    bool anything_done, anything_left; /* that is not undone */
};

static int compare_steps(const void *a, const void *b)
{
    uint32_t x = ((const struct journal_sum *)a)->step, y = ((const struct journal_sum *)b)->step;
    return (x > y) - (x < y);
}

/* The calls of an item together, what was done before what undid it, in their order. */
static int compare_calls(const void *a, const void *b)
{
    const struct journal_step_record *x = *(struct journal_step_record *const *)a;
    const struct journal_step_record *y = *(struct journal_step_record *const *)b;
    if (x->step != y->step)
        return x->step > y->step ? 1 : -1;
    if (x->item != y->item)
        return x->item > y->item ? 1 : -1;
    if (x->compensation != y->compensation)
        return x->compensation ? 1 : -1;
    return (x > y) - (x < y);
}

static struct journal_sum *sum_of(const struct journal_record *r, size_t step)
{
    const struct journal_sum key = { .step = (uint32_t)step };
    if (r->sum_count == 0 || step > UINT32_MAX)
        return NULL;
    return bsearch(&key, r->sums, r->sum_count, sizeof key, compare_steps);
}

static bool is_done(const struct journal_step_record *s)
{
    return s && s->outcome == JOURNAL_OK && !s->indeterminate;
}

/* Of one item of a step: its calls, from first to last. */
static void sum_up_item(struct journal_record *r, struct journal_step_record **calls, size_t count)
{
    struct journal_step_record *last = NULL;
    const struct journal_step_record *undo = NULL;
    struct journal_sum *sum = sum_of(r, calls[0]->step);
    for (size_t i = 0; i < count; i++)
        if (calls[i]->outcome != JOURNAL_NOT_SENT && calls[i]->compensation)
            undo = calls[i];
        else if (calls[i]->outcome != JOURNAL_NOT_SENT)
            last = calls[i];
    for (size_t i = 0; i < count && !calls[i]->compensation; i++) {
        const struct journal_step_record *s = calls[i];
        calls[i]->is_last = calls[i] == last;
        calls[i]->undo = undo;
        if (s->outcome == JOURNAL_NOT_SENT)
            continue;
        sum->anything_done |= s->outcome == JOURNAL_OK;
        sum->anything_left |= s->indeterminate || (s->outcome == JOURNAL_OK && !is_done(undo));
    }
    if (!last)
        return;
    enum journal_came_to came_to = last->indeterminate || last->outcome == JOURNAL_OPEN
                                       ? JOURNAL_MAY_HAVE_RUN
                                   : last->outcome == JOURNAL_OK ? JOURNAL_RAN
                                                                 : JOURNAL_RAN_AND_FAILED;
    sum->calls = came_to > sum->calls ? came_to : sum->calls;
}

static void sum_up_picks(struct journal_record *r)
{
    for (size_t i = 0; i < r->pick_count; i++) {
        const struct journal_pick_record *p = &r->picks[i];
        struct journal_sum *sum = sum_of(r, p->step);
        sum->is_menu = true;
        if (!sum->has_end && str_is(p->kind, "END")) {
            sum->has_end = true;
            sum->in_order = p->in_order;
        }
    }
}

/* One for each step that has a call or a pick, in ascending order. */
static void name_steps(struct journal_record *r, struct journal_sum *sums)
{
    size_t count = 0;
    for (size_t i = 0; i < r->step_count; i++)
        sums[count++] = (struct journal_sum){ .step = r->steps[i].step };
    for (size_t i = 0; i < r->pick_count; i++)
        sums[count++] = (struct journal_sum){ .step = r->picks[i].step };
    qsort(sums, count, sizeof *sums, compare_steps);
    r->sums = sums;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sums[i].step != sums[r->sum_count - 1].step)
            sums[r->sum_count++] = sums[i];
}

bool mgi_journal_sum_up(struct arena *arena, struct journal_step_record *steps,
                        struct journal_record *r)
{
    size_t rows = r->step_count + r->pick_count;
    r->sums = NULL;
    r->sum_count = 0;
    r->steps = steps;
    struct journal_sum *sums = mgi_arena_calloc(arena, rows + 1, sizeof *sums);
    struct journal_step_record **calls =
        mgi_arena_calloc(arena, r->step_count + 1, sizeof(struct journal_step_record *));
    if (!sums || !calls)
        return false;
    if (rows == 0)
        return true;
    name_steps(r, sums);
    for (size_t i = 0; i < r->step_count; i++)
        calls[i] = &steps[i];
    qsort(calls, r->step_count, sizeof(struct journal_step_record *), compare_calls);
    for (size_t from = 0, i = 1; i <= r->step_count; i++)
        if (i == r->step_count || calls[i]->step != calls[from]->step ||
            calls[i]->item != calls[from]->item) {
            sum_up_item(r, calls + from, i - from);
            from = i;
        }
    sum_up_picks(r);
    return true;
}

/* ---- what it says --------------------------------------------------------------------------- */

bool mgi_journal_record_is_menu(const struct journal_record *r, size_t step)
{
    const struct journal_sum *sum = sum_of(r, step);
    return sum && sum->is_menu;
}

bool mgi_journal_record_is_undone(const struct journal_record *r, size_t step)
{
    const struct journal_sum *sum = sum_of(r, step);
    return sum && sum->anything_done && !sum->anything_left;
}

/* A menu's end says how it went: calls that failed are no failure if it went on in order. A run
 * that was interrupted may lack it. */
enum journal_came_to mgi_journal_record_came_to(const struct journal_record *r, size_t step)
{
    const struct journal_sum *sum = sum_of(r, step);
    bool interrupted =
        r->outcome == JOURNAL_INTERRUPTED || (r->outcome == JOURNAL_OPEN && !r->live);
    if (!sum)
        return JOURNAL_DID_NOT_RUN;
    if (!sum->is_menu || sum->calls == JOURNAL_MAY_HAVE_RUN)
        return sum->calls;
    if (sum->has_end)
        return sum->in_order ? JOURNAL_RAN : JOURNAL_RAN_AND_FAILED;
    return interrupted ? JOURNAL_UNFINISHED : sum->calls;
}
