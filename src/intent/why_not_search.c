/* Sets of changes to the facts, the small ones first: each is tried by evaluating it, as the
 * request itself was. What did not bring the tool is asked what may help further.
 *
 * Within a size the sets go by how promising their changes were when they were proposed. A set that
 * brought the tool is tried without each of its changes, so that none is told that is not needed;
 * larger ones than the smallest are not looked for. */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "intent/why_not.h"

#define MAX_WAITING 192 /* sets of one size that wait to be tried */

/* So many trials may go into sets of one change, of two, of three: the others are wanted, too. */
static const size_t share[WHY_NOT_CHANGES + 1] = { 0, 24, 44, WHY_NOT_EVALUATIONS };

struct waiting {
    struct why_set set;
    unsigned rank; /* sum over its changes: lower is more promising */
};

struct round {
    struct waiting *items;
    size_t count;
};

/* ---- sets ------------------------------------------------------------------------------------ */

static bool has_change(const struct why_set *set, uint8_t change)
{
    for (uint8_t i = 0; i < set->count; i++)
        if (set->at[i] == change)
            return true;
    return false;
}

static struct why_set with(const struct why_set *set, uint8_t change)
{
    struct why_set more = *set;
    uint8_t at = more.count++;
    for (; at > 0 && more.at[at - 1] > change; at--)
        more.at[at] = more.at[at - 1];
    more.at[at] = change;
    return more;
}

static struct why_set without(const struct why_set *set, uint8_t place)
{
    struct why_set less = { .count = 0 };
    for (uint8_t i = 0; i < set->count; i++)
        if (i != place)
            less.at[less.count++] = set->at[i];
    return less;
}

static bool is_same_set(const struct why_set *a, const struct why_set *b)
{
    return a->count == b->count && memcmp(a->at, b->at, a->count) == 0;
}

/* ---- a trial --------------------------------------------------------------------------------- */

/* The facts of the request, changed. In the scratch arena. */
static const struct json *changed_facts(struct why_search *s, const struct why_set *set)
{
    const struct json *sent = s->ev->request.facts;
    struct json *facts = mgi_arena_calloc(&s->scratch, 1, sizeof *facts);
    struct json *items =
        mgi_arena_calloc(&s->scratch, sent->count + WHY_NOT_CHANGES, sizeof *items);
    if (!facts || !items)
        return NULL;
    *facts = (struct json){ .type = JSON_ARRAY, .items = items };
    for (uint32_t i = 0; i < sent->count; i++)
        if (!mgi_why_removes(s, set, i))
            items[facts->count++] = sent->items[i];
    for (uint8_t i = 0; i < set->count; i++)
        if (s->pool[set->at[i]].add)
            items[facts->count++] = s->pool[set->at[i]].value;
    return facts;
}

/* May there be one more? Else s->limit says why not. */
static bool may_try(struct why_search *s)
{
    int64_t now_ns = s->call.mono ? s->call.mono(s->call.mono_context) : INT64_MIN;
    if (s->evaluations >= WHY_NOT_EVALUATIONS)
        s->limit = "evaluations";
    else if (now_ns >= s->deadline_ns)
        s->limit = "time";
    else if (s->facts_left <= 0)
        s->limit = "facts";
    else
        return true;
    return false;
}

/* Evaluate the request with these changes. False: it cannot be, or not any more. */
static bool try_set(struct why_search *s, const struct why_set *set, struct evaluation *node,
                    bool *came)
{
    mgi_arena_reset(&s->scratch);
    mangle_overlay_reset(s->overlay);
    s->evaluations++;
    s->fault = (struct wire_error){ .retry_after_ms = -1 };
    *node = (struct evaluation){ .call = &s->call,
                                 .s = s->ev->s,
                                 .arena = &s->scratch,
                                 .request = s->ev->request,
                                 .overlay = s->overlay,
                                 .values = mangle_overlay_values(s->overlay),
                                 .e = &s->fault };
    node->request.facts = changed_facts(s, set);
    if (s->facts_left < node->request.max_facts)
        node->request.max_facts = s->facts_left;
    if (s->call.mono) {
        node->started_ns = s->call.mono(s->call.mono_context);
        node->request.max_ms = (s->deadline_ns - node->started_ns) / NS_PER_MS + 1;
    }
    bool ok = node->request.facts && mgi_intent_derive(node) && mgi_choose_tools(node);
    s->facts_left -= node->stats.facts_derived;
    s->ev->nomem |= node->nomem || s->scratch.oom;
    *came = ok && mgi_why_is_chosen(node, s->tool);
    return ok && !s->ev->nomem;
}

/* Nobody waits for the answer any more, or there is no memory for it. */
static bool is_over(struct why_search *s)
{
    if (s->fault.code == WIRE_CANCELLED && !s->ev->e->code)
        mgi_wire_error(s->ev->e, s->ev->arena, WIRE_CANCELLED, "The request was cancelled.");
    return s->ev->nomem || s->ev->e->code;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void wait_for(struct why_search *s, struct round *next, const struct why_set *set,
                     unsigned rank)
{
    for (size_t i = 0; i < next->count; i++)
        if (is_same_set(&next->items[i].set, set))
            return;
    if (next->count == MAX_WAITING) {
        s->pool_full = true;
        return;
    }
    size_t at = next->count++;
    for (; at > 0 && next->items[at - 1].rank > rank; at--)
        next->items[at] = next->items[at - 1];
    next->items[at] = (struct waiting){ *set, rank };
}

static void extend(struct why_search *s, struct evaluation *node, const struct why_set *set,
                   unsigned rank, struct round *next)
{
    struct why_proposals proposals;
    mgi_why_propose(s, node, set, &proposals);
    for (size_t i = 0; i < proposals.count; i++) {
        if (has_change(set, proposals.items[i]))
            continue;
        struct why_set more = with(set, proposals.items[i]);
        wait_for(s, next, &more, rank + (unsigned)i);
    }
}

static void add_found(struct why_search *s, const struct why_set *set)
{
    for (size_t i = 0; i < s->found_count; i++)
        if (is_same_set(&s->found[i], set))
            return;
    if (s->found_count < WHY_NOT_SETS)
        s->found[s->found_count++] = *set;
}

/* A change that is not needed goes. */
static void keep_smallest(struct why_search *s, struct why_set set)
{
    struct evaluation node;
    bool came = false;
    for (uint8_t i = 0; i < set.count && set.count > 1 && may_try(s);) {
        struct why_set less = without(&set, i);
        (void)try_set(s, &less, &node, &came);
        if (is_over(s))
            return;
        if (came) {
            set = less;
            i = 0;
        } else {
            i++;
        }
    }
    add_found(s, &set);
}

/* All sets of one size. */
static bool try_round(struct why_search *s, const struct round *now, struct round *next,
                      size_t most)
{
    for (size_t i = 0; i < now->count; i++) {
        struct evaluation node;
        const struct why_set *set = &now->items[i].set;
        bool came = false;
        if (s->evaluations >= most || s->found_count == WHY_NOT_SETS) {
            s->limit = s->found_count == WHY_NOT_SETS ? "sets" : "evaluations";
            return true;
        }
        if (!may_try(s))
            return true;
        bool ok = try_set(s, set, &node, &came);
        if (is_over(s))
            return false;
        if (came)
            keep_smallest(s, *set);
        else if (ok && set->count < WHY_NOT_CHANGES)
            extend(s, &node, set, now->items[i].rank, next);
        else if (ok)
            s->limit = "size";
        if (is_over(s))
            return false;
    }
    return true;
}

static bool is_out_of_bounds(const struct why_search *s)
{
    return s->limit && strcmp(s->limit, "evaluations") != 0 && strcmp(s->limit, "size") != 0;
}

bool mgi_why_search(struct why_search *s)
{
    static const struct why_set nothing = { .count = 0 };
    struct round now = { 0 }, next = { 0 };
    now.items = mgi_arena_calloc(s->ev->arena, MAX_WAITING, sizeof *now.items);
    next.items = mgi_arena_calloc(s->ev->arena, MAX_WAITING, sizeof *next.items);
    s->pool = mgi_arena_calloc(s->ev->arena, WHY_NOT_POOL, sizeof *s->pool);
    if (!now.items || !next.items || !s->pool)
        s->ev->nomem = true;
    if (is_over(s))
        return false;
    extend(s, s->ev, &nothing, 0, &now);
    for (uint8_t size = 1; size <= WHY_NOT_CHANGES && now.count > 0; size++) {
        if (!try_round(s, &now, &next, share[size]))
            return false;
        if (s->found_count > 0 || is_out_of_bounds(s))
            break;
        struct round empty = { now.items, 0 };
        now = next;
        next = empty;
    }
    if (s->pool_full && !s->limit)
        s->limit = "proposals";
    return !is_over(s);
}

bool mgi_why_search_in_vain(struct why_search *s)
{
    static const struct why_set nothing = { .count = 0 };
    const struct tool *own = s->tool;
    struct evaluation node;
    struct why_proposals proposals;
    bool came;
    for (size_t i = own->rank; may_try(s); i++) {
        s->tool = &s->ev->s->tools[i % s->ev->s->tool_count];
        if (try_set(s, &nothing, &node, &came))
            mgi_why_propose(s, &node, &nothing, &proposals);
        if (is_over(s))
            return false;
    }
    s->tool = own;
    return true;
}
