/* From what the rules say to the tools that come out (protocol.md 5.2, "After selection").
 *
 * Which roots there are, what they bring along and who beats whom is derived; here the greedy
 * choice is finished where the rounds of rules/pipeline/60_conflicts.mg ran out, and the numeric
 * cut-offs of the protocol are applied. Every step that drops something drops whole roots: what
 * another root needs stays.
 *
 * Invariant: ev->roots is in rank order (class, score from high to low, tool_rank), so "lowest"
 * means last. */
#include <stdlib.h>

#include "intent/intent_int.h"

const char *mgi_level_name(enum level level)
{
    static const char *const names[] = { "none", "minimal", "condensed", "full" };
    return names[level];
}

static enum level level_of_word(struct str word)
{
    return str_is(word, "full")        ? LEVEL_FULL
           : str_is(word, "condensed") ? LEVEL_CONDENSED
           : str_is(word, "minimal")   ? LEVEL_MINIMAL
                                       : LEVEL_NONE;
}

/* ---- roots -------------------------------------------------------------------------------- */

static struct root *root_of(struct evaluation *ev, mangle_value v)
{
    for (size_t i = 0; i < ev->root_count; i++)
        if (ev->roots[i].tool->value == v)
            return &ev->roots[i];
    return NULL;
}

static int64_t number(const struct evaluation *ev, mangle_value v)
{
    return mangle_kind_of(ev->values, v) == MANGLE_NUMBER ? mangle_int_of(ev->values, v) : 0;
}

static bool read_contenders(struct evaluation *ev)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.contender, &count);
    ev->roots = mgi_arena_calloc(ev->arena, count + 1, sizeof *ev->roots);
    if (!ev->roots)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct tool *tool = mgi_snapshot_tool_of(ev->s, f[i].args[0]);
        if (tool)
            ev->roots[ev->root_count++] = (struct root){ .tool = tool };
    }
    return true;
}

static bool read_bundles(struct evaluation *ev)
{
    for (size_t i = 0; i < ev->root_count; i++) {
        struct root *r = &ev->roots[i];
        size_t count;
        const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.lends, r->tool->value, &count);
        r->bundle = mgi_arena_calloc(ev->arena, count + 1, sizeof *r->bundle);
        if (!r->bundle)
            return false;
        for (size_t k = 0; k < count; k++) {
            const struct tool *tool = mgi_snapshot_tool_of(ev->s, f[k].args[1]);
            int64_t score = number(ev, f[k].args[2]);
            struct loan *last = r->bundle_count ? &r->bundle[r->bundle_count - 1] : NULL;
            if (last &&
                last->tool == tool) { /* facts are sorted: the same member stands together */
                if (score > last->score)
                    last->score = score;
            } else if (tool) {
                r->bundle[r->bundle_count++] = (struct loan){ tool, score };
            }
        }
    }
    return true;
}

static void read_attributes(struct evaluation *ev)
{
    const struct interface *p = &ev->s->pred;
    for (size_t i = 0; i < ev->root_count; i++) {
        struct root *r = &ev->roots[i];
        size_t count;
        const struct mangle_fact *f = mgi_ev_match(ev, p->root_class, r->tool->value, &count);
        r->class_ = count ? number(ev, f[0].args[1]) : 3;
        f = mgi_ev_match(ev, p->root_score, r->tool->value, &count);
        r->score = count ? number(ev, f[0].args[1]) : 0;
        f = mgi_ev_match(ev, p->root_phase, r->tool->value, &count);
        r->phase = count ? mgi_ev_text(ev, f[0].args[1]) : STR_LIT("flesh");
        f = mgi_ev_match(ev, p->macro_tool, r->tool->value, &count);
        for (size_t k = 0; k < count; k++) {
            enum level wanted = level_of_word(mgi_ev_text(ev, f[k].args[1]));
            if (wanted > r->floor)
                r->floor = wanted;
        }
    }
}

static int compare_roots(const void *x, const void *y)
{
    const struct root *a = x, *b = y;
    if (a->class_ != b->class_)
        return a->class_ < b->class_ ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->tool->rank < b->tool->rank ? -1 : 1;
}

static bool has_kept_rival(struct evaluation *ev, const struct root *r)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.rivals, r->tool->value, &count);
    for (size_t i = 0; i < count; i++) {
        const struct root *rival = root_of(ev, f[i].args[1]);
        if (rival && rival->kept)
            return true;
    }
    return false;
}

/* The loop that the rounds unrolled, over what they left: best first, keep whom no kept one
 * opposes. */
static void finish_greedy_choice(struct evaluation *ev)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.kept, &count);
    for (size_t i = 0; i < ev->root_count; i++)
        ev->roots[i].decided = true;
    for (size_t i = 0; i < count; i++) {
        struct root *r = root_of(ev, f[i].args[0]);
        if (r)
            r->kept = true;
    }
    f = mgi_ev_facts(ev, ev->s->pred.undecided, &count);
    for (size_t i = 0; i < count; i++) {
        struct root *r = root_of(ev, f[i].args[0]);
        if (r)
            r->decided = false;
    }
    for (size_t i = 0; i < ev->root_count && count > 0; i++)
        if (!ev->roots[i].decided) {
            ev->roots[i].kept = !has_kept_rival(ev, &ev->roots[i]);
            ev->roots[i].decided = true;
        }
    for (size_t i = 0; i < ev->root_count; i++)
        if (!ev->roots[i].kept)
            ev->roots[i].lost = LOST_CONFLICT;
}

bool mgi_select_roots(struct evaluation *ev)
{
    if (!read_contenders(ev))
        return false;
    read_attributes(ev);
    if (!read_bundles(ev))
        return false;
    if (ev->root_count > 1)
        qsort(ev->roots, ev->root_count, sizeof *ev->roots, compare_roots);
    finish_greedy_choice(ev);
    return !ev->nomem;
}

/* ---- cutting ------------------------------------------------------------------------------ */

static enum level level_of_score(const struct disclosure *d, int64_t score)
{
    return score >= d->full        ? LEVEL_FULL
           : score >= d->condensed ? LEVEL_CONDENSED
           : score >= d->minimal   ? LEVEL_MINIMAL
                                   : LEVEL_NONE;
}

bool mgi_select_is_shown(const struct evaluation *ev, int64_t score)
{
    return ev->request.preference != PREFER_ADAPTIVE ||
           level_of_score(&ev->s->settings.disclosure, score) != LEVEL_NONE;
}

static void drop(struct root *r, enum lost why)
{
    r->kept = false;
    r->lost = why;
}

/* How many tools `taken` marks and root `r` has come to together. */
static int64_t count_with(const struct evaluation *ev, const bool *taken, const struct root *r)
{
    int64_t count = 0;
    for (size_t i = 0; i < ev->s->tool_count; i++)
        count += taken[i];
    for (size_t k = 0; k < r->bundle_count; k++)
        count += !taken[r->bundle[k].tool->rank];
    return count;
}

static void apply_cap(struct evaluation *ev)
{
    bool *taken = mgi_arena_calloc(ev->arena, ev->s->tool_count + 1, sizeof *taken);
    if (!taken) {
        ev->nomem = true;
        return;
    }
    for (size_t i = 0; i < ev->root_count; i++) {
        struct root *r = &ev->roots[i];
        if (!r->kept)
            continue;
        if (count_with(ev, taken, r) > ev->request.max_tools) {
            drop(r, LOST_CAP);
            continue;
        }
        for (size_t k = 0; k < r->bundle_count; k++)
            taken[r->bundle[k].tool->rank] = true;
    }
}

void mgi_select_cut(struct evaluation *ev)
{
    for (size_t i = 0; i < ev->root_count; i++) {
        struct root *r = &ev->roots[i];
        if (r->kept && r->floor == LEVEL_NONE && !mgi_select_is_shown(ev, r->score) &&
            !mgi_is_upgraded(ev, r->tool))
            drop(r, LOST_CUTOFF);
    }
    if (ev->request.max_tools != NO_LIMIT)
        apply_cap(ev);
}

const struct root *mgi_select_drop_lowest(struct evaluation *ev, enum lost why)
{
    for (size_t i = ev->root_count; i > 0; i--)
        if (ev->roots[i - 1].kept) {
            drop(&ev->roots[i - 1], why);
            return &ev->roots[i - 1];
        }
    return NULL;
}

/* ---- choices ------------------------------------------------------------------------------ */

static enum level level_of(const struct evaluation *ev, const struct choice *c, enum level floor)
{
    static const enum level fixed[] = { LEVEL_NONE, LEVEL_FULL, LEVEL_CONDENSED, LEVEL_MINIMAL };
    if (c->upgraded)
        return LEVEL_FULL;
    if (ev->request.preference != PREFER_ADAPTIVE)
        return fixed[ev->request.preference];
    enum level level = level_of_score(&ev->s->settings.disclosure, c->score);
    if (level < floor)
        level = floor;
    /* A dependency is never dropped for its own score. */
    return level == LEVEL_NONE ? LEVEL_MINIMAL : level;
}

/* by_rank: those that were made already, by the rank of their tool. */
static struct choice *choice_of(struct evaluation *ev, struct choice **by_rank,
                                const struct tool *tool)
{
    struct choice *c = by_rank[tool->rank];
    if (c)
        return c;
    c = by_rank[tool->rank] = &ev->choices[ev->choice_count++];
    *c = (struct choice){ .tool = tool, .score = INT64_MIN, .phase = STR_LIT("dependency") };
    return c;
}

bool mgi_select_choices(struct evaluation *ev)
{
    size_t most = 0;
    for (size_t i = 0; i < ev->root_count; i++)
        most += ev->roots[i].kept ? ev->roots[i].bundle_count : 0;
    if (most > ev->s->tool_count)
        most = ev->s->tool_count;
    struct choice **by_rank =
        mgi_arena_calloc(ev->arena, ev->s->tool_count + 1, sizeof(struct choice *));
    ev->choices = mgi_arena_calloc(ev->arena, most + 1, sizeof *ev->choices);
    ev->choice_count = 0;
    if (!ev->choices || !by_rank)
        return false;
    for (size_t i = 0; i < ev->root_count; i++) {
        const struct root *r = &ev->roots[i];
        for (size_t k = 0; r->kept && k < r->bundle_count; k++) {
            struct choice *c = choice_of(ev, by_rank, r->bundle[k].tool);
            if (r->bundle[k].score > c->score)
                c->score = r->bundle[k].score;
            if (r->tool == c->tool || !c->behind)
                c->behind = r;
            if (r->tool == c->tool)
                c->phase = r->phase;
        }
    }
    for (size_t i = 0; i < ev->choice_count; i++) {
        struct choice *c = &ev->choices[i];
        const struct root *own = root_of(ev, c->tool->value);
        c->upgraded = mgi_is_upgraded(ev, c->tool);
        c->level = level_of(ev, c, own && own->kept ? own->floor : LEVEL_NONE);
    }
    return true;
}
