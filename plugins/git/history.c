/* The commits of a repository as a graph; see history.h. */
#include "plugins/git/history.h"

#define FIRST_ROOM       1024
#define COMMITS_PER_LOOK 64

void mgi_history_init(struct history *h, struct git *g, int64_t look)
{
    *h = (struct history){ .g = g, .look = look };
}

void mgi_history_arg_look(struct action *a, int64_t *look)
{
    *look = LOOK_DEFAULT;
    mgi_arg_int(a, "look", 1, LOOK_MOST, look);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Ids are digests: their bytes are as good as a hash. */
static size_t place_of(const struct history *h, const git_oid *id)
{
    uint64_t hash;
    memcpy(&hash, id->id, sizeof hash);
    size_t at = (size_t)hash & (h->room - 1);
    while (h->table[at] && !git_oid_equal(&h->table[at]->id, id))
        at = (at + 1) & (h->room - 1);
    return at;
}

static bool grow_table(struct history *h)
{
    struct history bigger = *h;
    bigger.room = h->room ? 2 * h->room : FIRST_ROOM;
    bigger.table = mgi_arena_calloc(&h->g->a->arena, bigger.room, sizeof *bigger.table);
    if (!bigger.table)
        return mgi_action_nomem(h->g->a);
    for (size_t i = 0; i < h->room; i++)
        if (h->table[i])
            bigger.table[place_of(&bigger, &h->table[i]->id)] = h->table[i];
    *h = bigger;
    return true;
}

struct commit_node *mgi_history_node(struct history *h, const git_oid *id)
{
    if (2 * (h->count + 1) > h->room && !grow_table(h))
        return NULL;
    size_t at = place_of(h, id);
    if (h->table[at])
        return h->table[at];
    struct commit_node *node = mgi_arena_calloc(&h->g->a->arena, 1, sizeof *node);
    if (!node) {
        mgi_action_nomem(h->g->a);
        return NULL;
    }
    git_oid_cpy(&node->id, id);
    h->table[at] = node;
    h->count++;
    return node;
}

static bool take_parents(struct history *h, struct commit_node *node, const git_commit *commit)
{
    unsigned count = git_commit_parentcount(commit);
    node->parents = mgi_arena_calloc(&h->g->a->arena, count + 1, sizeof(struct commit_node *));
    if (!node->parents)
        return mgi_action_nomem(h->g->a);
    for (unsigned i = 0; i < count; i++) {
        struct commit_node *parent = mgi_history_node(h, git_commit_parent_id(commit, i));
        if (!parent)
            return false;
        node->parents[node->parent_count++] = parent;
    }
    return true;
}

bool mgi_history_load(struct history *h, struct commit_node *node, bool *there)
{
    git_commit *commit = NULL;
    *there = (node->flags & HISTORY_LOADED) != 0;
    if (*there)
        return true;
    if (h->looked == h->look) {
        h->incomplete = true;
        return true;
    }
    if (h->looked++ % COMMITS_PER_LOOK == 0 && mgi_action_stops(h->g->a))
        return false;
    int error = git_commit_lookup(&commit, h->g->repo, &node->id);
    if (error == GIT_ENOTFOUND && h->g->shallow) {
        h->cut = true;
        return true;
    }
    if (error)
        return mgi_git_fail(h->g, error, "the history has a commit that cannot be read");
    node->time = git_commit_time(commit);
    git_oid_cpy(&node->tree, git_commit_tree_id(commit));
    bool ok = take_parents(h, node, commit);
    git_commit_free(commit);
    node->flags |= HISTORY_LOADED;
    return *there = ok;
}

void mgi_history_put_bounds(struct action *a, const struct history *h)
{
    mgi_jw_member_bool(&a->out, "shallow", h->cut);
    mgi_jw_member_bool(&a->out, "incomplete", h->incomplete);
}

/* ---- commits by time ------------------------------------------------------------------------ */

static bool is_before(const struct queued *a, const struct queued *b)
{
    return a->node->time != b->node->time ? a->node->time > b->node->time : a->order < b->order;
}

static void exchange(struct queued *a, struct queued *b)
{
    struct queued kept = *a;
    *a = *b;
    *b = kept;
}

bool mgi_queue_push(struct history *h, struct commit_queue *q, struct commit_node *node)
{
    if (!mgi_arena_grow(&h->g->a->arena, &q->items, &q->cap, q->count + 1, sizeof *q->items))
        return mgi_action_nomem(h->g->a);
    size_t at = q->count++;
    q->items[at] = (struct queued){ node, q->next++ };
    for (; at > 0 && is_before(&q->items[at], &q->items[(at - 1) / 2]); at = (at - 1) / 2)
        exchange(&q->items[at], &q->items[(at - 1) / 2]);
    return true;
}

struct commit_node *mgi_queue_pop(struct commit_queue *q)
{
    if (q->count == 0)
        return NULL;
    struct commit_node *top = q->items[0].node;
    q->items[0] = q->items[--q->count];
    for (size_t at = 0;;) {
        size_t best = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < q->count; child++)
            if (is_before(&q->items[child], &q->items[best]))
                best = child;
        if (best == at)
            return top;
        exchange(&q->items[at], &q->items[best]);
        at = best;
    }
}
