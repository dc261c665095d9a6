/* The last commit that changed each of many paths.
 *
 * Every commit that is waiting has a set of paths whose answer is still looked for below it. Newest
 * first, each hands to its parents, in their order, what they have as it has; what no parent has so
 * is its own. So every commit is compared with its parents once, however many paths there are, and
 * of merges that side is followed which has the path unchanged, as git log does. */
#include "plugins/git/last_commits.h"

#include "base/alloc.h"
#include "plugins/git/tree_changes.h"

#define FEW 8 /* paths that are looked up one by one, rather than comparing whole trees */

struct search {
    struct history *h;
    struct last_commit *items;
    size_t count, words, left;
    struct commit_queue queue;
};

/* Of a node that waits: its set, on the heap. */
static uint64_t *set_of(const struct commit_node *node)
{
    return (uint64_t *)node->work;
}

static bool has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static size_t count_set(const struct search *s, const uint64_t *set)
{
    size_t count = 0;
    for (size_t i = 0; i < s->words; i++)
        count += (size_t)__builtin_popcountll(set[i]);
    return count;
}

static bool wait_for(struct search *s, struct commit_node *node)
{
    if (node->work)
        return true;
    node->work = mgi_calloc(s->words, sizeof(uint64_t));
    return node->work ? mgi_queue_push(s->h, &s->queue, node) : mgi_action_nomem(s->h->g->a);
}

static int compare_path(const void *key, const void *item)
{
    return strcmp(key, ((const struct last_commit *)item)->path);
}

static void take_out(struct search *s, uint64_t *set, const char *path)
{
    struct last_commit *found = bsearch(path, s->items, s->count, sizeof *s->items, compare_path);
    if (found)
        set[(size_t)(found - s->items) / 64] &= ~(UINT64_C(1) << (size_t)(found - s->items) % 64);
}

/* In `same`: what of `wanted` is equal in both trees. One by one. */
static bool compare_few(struct search *s, const struct commit_node *node,
                        const struct commit_node *parent, const uint64_t *wanted, uint64_t *same)
{
    struct tree_entry here, there;
    for (size_t i = 0; i < s->count; i++) {
        if (!has(wanted, i))
            continue;
        if (!mgi_walk_entry(s->h->g, &node->tree, s->items[i].path, &here) ||
            !mgi_walk_entry(s->h->g, &parent->tree, s->items[i].path, &there))
            return false;
        if (!mgi_walk_same(&here, &there))
            take_out(s, same, s->items[i].path);
    }
    return true;
}

static bool compare_trees(struct search *s, const struct commit_node *node,
                          const struct commit_node *parent, uint64_t *same)
{
    struct tree_changes changes;
    struct arena *arena = &s->h->g->a->arena;
    struct arena_mark mark = mgi_arena_mark(arena);
    bool ok = mgi_git_tree_changes(s->h->g, &parent->tree, &node->tree, SIZE_MAX, &changes);
    for (size_t i = 0; ok && i < changes.count; i++)
        take_out(s, same, changes.paths[i]);
    mgi_arena_rewind(arena, mark);
    return ok;
}

static bool hand_on(struct search *s, const struct commit_node *node, struct commit_node *parent,
                    uint64_t *wanted, uint64_t *same)
{
    memcpy(same, wanted, s->words * sizeof *same);
    bool ok = count_set(s, wanted) <= FEW ? compare_few(s, node, parent, wanted, same)
                                          : compare_trees(s, node, parent, same);
    if (!ok || count_set(s, same) == 0)
        return ok;
    if (!wait_for(s, parent))
        return false;
    for (size_t i = 0; i < s->words; i++) {
        set_of(parent)[i] |= same[i];
        wanted[i] &= ~same[i];
    }
    return true;
}

/* The commit changed the path; a beginning only what it has. */
static bool take_answer(struct search *s, struct commit_node *node, struct last_commit *item)
{
    struct tree_entry e = { .found = true };
    bool beginning = true;
    for (unsigned i = 0; i < node->parent_count; i++)
        beginning = beginning && !(node->parents[i]->flags & HISTORY_LOADED);
    if (beginning && !mgi_walk_entry(s->h->g, &node->tree, item->path, &e))
        return false;
    item->node = e.found ? node : NULL;
    s->left -= e.found;
    return true;
}

static bool look_at(struct search *s, struct commit_node *node, uint64_t *same)
{
    uint64_t *wanted = set_of(node);
    bool cut = false;
    for (unsigned i = 0; i < node->parent_count && count_set(s, wanted) > 0; i++) {
        bool there;
        if (!mgi_history_load(s->h, node->parents[i], &there))
            return false;
        cut |= !there && s->h->incomplete;
        if (there && !hand_on(s, node, node->parents[i], wanted, same))
            return false;
    }
    for (size_t i = 0; i < s->count && !cut; i++)
        if (has(wanted, i) && !s->items[i].node && !take_answer(s, node, &s->items[i]))
            return false;
    return true;
}

static bool search_all(struct search *s, struct commit_node *start, uint64_t *same)
{
    bool there, ok = mgi_history_load(s->h, start, &there) && (!there || wait_for(s, start));
    for (size_t i = 0; ok && there && i < s->count; i++)
        set_of(start)[i / 64] |= UINT64_C(1) << i % 64;
    while (ok && s->left > 0) {
        struct commit_node *node = mgi_queue_pop(&s->queue);
        if (!node)
            break;
        ok = look_at(s, node, same) && !mgi_action_stops(s->h->g->a);
        mgi_free(node->work);
        node->work = NULL;
    }
    for (struct commit_node *node; (node = mgi_queue_pop(&s->queue)); node->work = NULL)
        mgi_free(node->work);
    return ok;
}

bool mgi_git_last_commits(struct history *h, struct commit_node *start, struct last_commit *items,
                          size_t count)
{
    struct search s = { .h = h, .items = items, .count = count, .left = count };
    s.words = count / 64 + 1;
    uint64_t *same = mgi_arena_calloc(&h->g->a->arena, s.words, sizeof *same);
    return same ? search_all(&s, start, same) : mgi_action_nomem(h->g->a);
}
