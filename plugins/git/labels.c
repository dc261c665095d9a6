/* Which commit of a first-parent line brought each commit; see labels.h. */
#include "plugins/git/labels.h"

struct stack {
    struct commit_node **items;
    size_t count, cap;
};

static bool push_node(struct history *h, struct stack *s, struct commit_node *node)
{
    struct action *a = h->g->a;
    if (!mgi_arena_grow(&a->arena, &s->items, &s->cap, s->count + 1, sizeof *s->items))
        return mgi_action_nomem(a);
    s->items[s->count++] = node;
    return true;
}

/* The line from the tip to where it begins. */
static bool collect_line(struct history *h, struct commit_node *tip, struct stack *line)
{
    for (struct commit_node *node = tip; node;) {
        bool there;
        if (!mgi_history_load(h, node, &there))
            return false;
        if (!there)
            return true;
        if (!push_node(h, line, node))
            return false;
        node = node->parent_count > 0 ? node->parents[0] : NULL;
    }
    return true;
}

/* Everything below `node` that has no label gets its. */
static bool flood(struct history *h, struct stack *s, struct commit_node *node)
{
    s->count = 0;
    node->label = node;
    if (!push_node(h, s, node))
        return false;
    while (s->count > 0) {
        const struct commit_node *at = s->items[--s->count];
        for (unsigned i = 0; i < at->parent_count; i++) {
            bool there;
            struct commit_node *parent = at->parents[i];
            if (parent->label)
                continue;
            if (!mgi_history_load(h, parent, &there))
                return false;
            parent->label = node;
            if (there && !push_node(h, s, parent))
                return false;
        }
    }
    return true;
}

bool mgi_history_label(struct history *h, struct commit_node *tip)
{
    struct stack line = { 0 }, scratch = { 0 };
    if (!collect_line(h, tip, &line))
        return false;
    while (line.count > 0) /* the oldest first */
        if (!flood(h, &scratch, line.items[--line.count]))
            return false;
    return true;
}

bool mgi_history_oldest_own(struct history *h, struct commit_node *tip, struct commit_node **oldest)
{
    struct stack s = { 0 }, seen = { 0 };
    *oldest = NULL;
    if (!tip->label || tip->label == tip)
        return true;
    bool ok = push_node(h, &s, tip);
    while (ok && s.count > 0) {
        struct commit_node *node = s.items[--s.count];
        if ((node->flags & HISTORY_OWN) || node->label != tip->label || node == tip->label)
            continue;
        node->flags |= HISTORY_OWN;
        ok = push_node(h, &seen, node);
        if (!*oldest || node->time < (*oldest)->time)
            *oldest = node;
        for (unsigned i = 0; ok && i < node->parent_count; i++)
            ok = push_node(h, &s, node->parents[i]);
    }
    while (seen.count > 0)
        seen.items[--seen.count]->flags &= ~(unsigned)HISTORY_OWN;
    return ok;
}
