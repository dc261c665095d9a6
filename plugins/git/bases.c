/* Two histories beside each other: what each has alone, and the best common ancestors.
 *
 * Commits are painted from both ends, newest first, until everything that is left has both colours.
 * Where clocks were wrong, a commit may have been passed before its second colour came; colours are
 * then carried on through all that was seen. */
#include "plugins/git/history.h"

#define BOTH (HISTORY_ONE | HISTORY_OTHER)
#define MINE (BOTH | HISTORY_STALE | HISTORY_RESULT | HISTORY_TOUCHED | HISTORY_QUEUED)

struct paint {
    struct history *h;
    struct commit_queue queue;
    struct commit_node **touched, **results;
    size_t touched_count, touched_cap, result_count, result_cap;
    size_t fresh; /* in the queue, and not stale */
};

static bool add_node(struct paint *p, struct commit_node ***items, size_t *count, size_t *cap,
                     struct commit_node *node)
{
    struct action *a = p->h->g->a;
    if (!mgi_arena_grow(&a->arena, items, cap, *count + 1, sizeof **items))
        return mgi_action_nomem(a);
    (*items)[(*count)++] = node;
    return true;
}

/* Give it colours, and a place in the queue. */
static bool colour(struct paint *p, struct commit_node *node, unsigned flags)
{
    bool there;
    if ((node->flags & flags) == flags)
        return true;
    if (!mgi_history_load(p->h, node, &there))
        return false;
    if (!there)
        return true;
    if (!(node->flags & HISTORY_TOUCHED) &&
        !add_node(p, &p->touched, &p->touched_count, &p->touched_cap, node))
        return false;
    bool was_fresh = (node->flags & HISTORY_QUEUED) && !(node->flags & HISTORY_STALE);
    bool queued = (node->flags & HISTORY_QUEUED) != 0;
    node->flags |= flags | HISTORY_TOUCHED | HISTORY_QUEUED;
    bool is_fresh = !(node->flags & HISTORY_STALE);
    p->fresh = p->fresh + is_fresh - was_fresh;
    return queued || mgi_queue_push(p->h, &p->queue, node);
}

static bool step(struct paint *p, struct commit_node *node)
{
    unsigned flags = node->flags & (BOTH | HISTORY_STALE);
    if ((flags & BOTH) == BOTH) {
        if (!(node->flags & HISTORY_RESULT)) {
            node->flags |= HISTORY_RESULT;
            if (!add_node(p, &p->results, &p->result_count, &p->result_cap, node))
                return false;
        }
        flags |= HISTORY_STALE;
    }
    for (unsigned i = 0; i < node->parent_count; i++)
        if (!colour(p, node->parents[i], flags))
            return false;
    return true;
}

/* Both colours for whatever was seen and is reached from what has both. */
static bool carry_on(struct paint *p)
{
    struct commit_node **stack = NULL;
    size_t count = 0, cap = 0;
    for (struct commit_node *node; (node = mgi_queue_pop(&p->queue));)
        if (!add_node(p, &stack, &count, &cap, node))
            return false;
    while (count > 0) {
        struct commit_node *node = stack[--count];
        for (unsigned i = 0; i < node->parent_count; i++) {
            struct commit_node *parent = node->parents[i];
            unsigned flags = BOTH | HISTORY_STALE;
            if (!(parent->flags & HISTORY_TOUCHED) || (parent->flags & flags) == flags)
                continue;
            parent->flags |= flags;
            if (!add_node(p, &stack, &count, &cap, parent))
                return false;
        }
    }
    return true;
}

static bool run(struct paint *p)
{
    while (p->fresh > 0) {
        struct commit_node *node = mgi_queue_pop(&p->queue);
        node->flags &= ~(unsigned)HISTORY_QUEUED;
        p->fresh -= !(node->flags & HISTORY_STALE);
        if (!step(p, node))
            return false;
        if (p->touched_count % 256 == 0 && mgi_action_stops(p->h->g->a))
            return false;
    }
    return carry_on(p);
}

static void count_alone(const struct paint *p, struct compared *out)
{
    for (size_t i = 0; i < p->touched_count; i++) {
        struct commit_node *node = p->touched[i];
        unsigned colours = node->flags & BOTH;
        out->ahead += colours == HISTORY_ONE;
        out->behind += colours == HISTORY_OTHER;
        if (colours == HISTORY_ONE && (!out->oldest_ahead || node->time < out->oldest_ahead->time))
            out->oldest_ahead = node;
    }
}

static bool keep_bases(struct paint *p, struct compared *out)
{
    size_t cap = 0;
    for (size_t i = 0; i < p->result_count; i++)
        if (!(p->results[i]->flags & HISTORY_STALE) &&
            !add_node(p, &out->bases, &out->base_count, &cap, p->results[i]))
            return false;
    return true;
}

/* One painting, and the marks taken off again. */
static bool paint_once(struct history *h, struct commit_node *one, struct commit_node **others,
                       size_t count, struct compared *out)
{
    struct paint p = { .h = h };
    *out = (struct compared){ 0 };
    bool ok = colour(&p, one, HISTORY_ONE);
    for (size_t i = 0; ok && i < count; i++)
        ok = colour(&p, others[i], HISTORY_OTHER);
    ok = ok && run(&p);
    if (ok) {
        count_alone(&p, out);
        ok = keep_bases(&p, out);
    }
    for (size_t i = 0; i < p.touched_count; i++)
        p.touched[i]->flags &= ~(unsigned)MINE;
    return ok;
}

/* Take out bases that another one reaches; there can be some where clocks were wrong. */
static bool drop_reached(struct history *h, struct compared *out)
{
    for (size_t i = 0; i < out->base_count;) {
        bool reached = false;
        for (size_t k = 0; k < out->base_count && !reached; k++) {
            struct compared pair;
            if (k == i)
                continue;
            if (!paint_once(h, out->bases[i], &out->bases[k], 1, &pair))
                return false;
            reached = pair.ahead == 0;
        }
        if (reached)
            memmove(&out->bases[i], &out->bases[i + 1],
                    (--out->base_count - i) * sizeof(struct commit_node *));
        else
            i++;
    }
    return true;
}

bool mgi_history_compare(struct history *h, struct commit_node *one, struct commit_node **others,
                         size_t count, struct compared *out)
{
    return paint_once(h, one, others, count, out) && (out->base_count < 2 || drop_reached(h, out));
}
