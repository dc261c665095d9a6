/* Which paths differ between two trees; see tree_changes.h.
 *
 * libgit2 compares trees by going through all of both, which makes every commit of a large
 * repository cost what its whole tree does. Here two trees are read side by side, and a folder
 * whose id is the same on both sides is passed over. */
#include "plugins/git/tree_changes.h"

#include "base/alloc.h"

#define DEPTH_MOST 256

/* The same folder on both sides; a side that does not have it is NULL. */
struct pair {
    git_tree *old_tree, *new_tree;
    size_t old_at, new_at, path_len;
};

struct comparison {
    struct git *g;
    struct tree_changes *out;
    size_t most, depth;
    struct buf path;
    struct pair pairs[DEPTH_MOST];
};

static bool is_folder(const git_tree_entry *e)
{
    return e && ((unsigned)git_tree_entry_filemode_raw(e) & 0170000) == 0040000;
}

static const git_tree_entry *entry_at(const git_tree *tree, size_t at)
{
    return tree ? git_tree_entry_byindex(tree, at) : NULL;
}

/* As trees are sorted: a folder's name has a slash behind it. */
static int compare_entries(const git_tree_entry *a, const git_tree_entry *b)
{
    if (!a || !b)
        return a ? -1 : 1;
    const char *x = git_tree_entry_name(a), *y = git_tree_entry_name(b);
    size_t x_len = strlen(x), y_len = strlen(y), len = x_len < y_len ? x_len : y_len;
    int order = memcmp(x, y, len);
    if (order)
        return order;
    unsigned char p = x_len > len ? (unsigned char)x[len] : is_folder(a) ? '/' : 0;
    unsigned char q = y_len > len ? (unsigned char)y[len] : is_folder(b) ? '/' : 0;
    return p < q ? -1 : p > q;
}

static bool open_tree(struct comparison *c, const git_oid *id, git_tree **tree)
{
    int error = id ? git_tree_lookup(tree, c->g->repo, id) : 0;
    return !error || mgi_git_fail(c->g, error, "the tree of a commit");
}

static bool enter(struct comparison *c, const git_oid *old_id, const git_oid *new_id)
{
    struct pair *p = &c->pairs[c->depth];
    if (c->depth == DEPTH_MOST)
        return mgi_action_fail(c->g->a, "%.200s...: is deeper than %d folders", c->path.ptr,
                               DEPTH_MOST);
    *p = (struct pair){ .path_len = c->path.len };
    c->depth++;
    return open_tree(c, old_id, &p->old_tree) && open_tree(c, new_id, &p->new_tree);
}

static bool add_path(struct comparison *c, bool in_old, bool in_new)
{
    struct tree_changes *out = c->out;
    struct arena *arena = &c->g->a->arena;
    if (out->count == c->most) {
        out->many = true;
        return true;
    }
    char *path = mgi_arena_strdup(arena, c->path.ptr);
    if (!path || !mgi_arena_grow(arena, &out->paths, &out->cap, out->count + 1, sizeof *out->paths))
        return mgi_action_nomem(c->g->a);
    out->paths[out->count++] = path;
    out->added += !in_old;
    out->deleted += !in_new;
    return true;
}

/* One name that differs, or is on one side alone (the other is NULL). */
static bool take_entry(struct comparison *c, const git_tree_entry *old_entry,
                       const git_tree_entry *new_entry)
{
    const git_tree_entry *any = old_entry ? old_entry : new_entry;
    mgi_buf_puts(&c->path, git_tree_entry_name(any));
    if (is_folder(any))
        mgi_buf_putc(&c->path, '/');
    if (c->path.oom)
        return mgi_action_nomem(c->g->a);
    if (!is_folder(any))
        return add_path(c, old_entry != NULL, new_entry != NULL);
    return enter(c, old_entry ? git_tree_entry_id(old_entry) : NULL,
                 new_entry ? git_tree_entry_id(new_entry) : NULL);
}

static bool step(struct comparison *c)
{
    struct pair *p = &c->pairs[c->depth - 1];
    const git_tree_entry *old_entry = entry_at(p->old_tree, p->old_at);
    const git_tree_entry *new_entry = entry_at(p->new_tree, p->new_at);
    c->path.len = p->path_len;
    if (!old_entry && !new_entry) {
        git_tree_free(p->old_tree);
        git_tree_free(p->new_tree);
        c->depth--;
        return true;
    }
    int order = compare_entries(old_entry, new_entry);
    p->old_at += order <= 0;
    p->new_at += order >= 0;
    if (order == 0 && git_oid_equal(git_tree_entry_id(old_entry), git_tree_entry_id(new_entry)) &&
        git_tree_entry_filemode_raw(old_entry) == git_tree_entry_filemode_raw(new_entry))
        return true;
    return take_entry(c, order <= 0 ? old_entry : NULL, order >= 0 ? new_entry : NULL);
}

bool mgi_git_tree_changes(struct git *g, const git_oid *old_id, const git_oid *new_id, size_t most,
                          struct tree_changes *out)
{
    *out = (struct tree_changes){ 0 };
    if (old_id && new_id && git_oid_equal(old_id, new_id))
        return true;
    struct comparison *c = mgi_calloc(1, sizeof *c);
    if (!c)
        return mgi_action_nomem(g->a);
    c->g = g;
    c->out = out;
    c->most = most;
    bool ok = enter(c, old_id, new_id);
    while (ok && c->depth > 0 && !out->many)
        ok = step(c) && !mgi_action_stops(g->a);
    for (; c->depth > 0; c->depth--) {
        git_tree_free(c->pairs[c->depth - 1].old_tree);
        git_tree_free(c->pairs[c->depth - 1].new_tree);
    }
    mgi_buf_fini(&c->path);
    mgi_free(c);
    return ok;
}
