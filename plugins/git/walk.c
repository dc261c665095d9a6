/* The commits of a range, newest first; with a path those that changed it, as git log simplifies:
 * of a merge that has the path as one parent has it, only that parent is followed.
 *
 * What is excluded (A of A..B) is painted first, down to where nothing else is left, and a little
 * farther for clocks that were wrong; then what was not painted is walked. */
#include "plugins/git/history.h"

#include "plugins/git/changes.h"

/* So many commits that are too old, one after the other, end a walk: an older commit has a newer
 * ancestor only where clocks were wrong. */
#define OLD_MOST 100

/* Commits that are looked at beyond the last one that might be excluded, for clocks that were
 * wrong. git has 5. */
#define SLOP 100

/* ---- the range ------------------------------------------------------------------------------ */

struct tips {
    struct commit_node **items;
    size_t count, cap;
};

static bool add_tip(struct walk *w, struct tips *tips, const git_oid *id)
{
    struct action *a = w->h->g->a;
    struct commit_node *node = mgi_history_node(w->h, id);
    if (!node)
        return false;
    if (!mgi_arena_grow(&a->arena, &tips->items, &tips->cap, tips->count + 1,
                        sizeof(struct commit_node *)))
        return mgi_action_nomem(a);
    tips->items[tips->count++] = node;
    return true;
}

/* The commit of one side of a range; empty is HEAD. */
static bool add_revision(struct walk *w, struct tips *tips, struct str text)
{
    git_commit *commit;
    struct git *g = w->h->g;
    struct str copy = mgi_arena_str(&g->a->arena, text.len ? text : STR_LIT("HEAD"));
    if (!copy.ptr)
        return mgi_action_nomem(g->a);
    return mgi_git_commit(g, "range", copy.ptr, &commit) && add_tip(w, tips, git_commit_id(commit));
}

/* Every branch and tag, and HEAD. What leads to no commit is passed over. */
static bool add_all(struct walk *w, struct tips *tips)
{
    struct git *g = w->h->g;
    git_reference_iterator *it = NULL;
    git_reference *reference = NULL;
    git_commit *head;
    bool ok = mgi_git_head(g, &head) && (!head || add_tip(w, tips, git_commit_id(head)));
    int error = ok ? git_reference_iterator_new(&it, g->repo) : 0;
    while (ok && !error && git_reference_next(&reference, it) == 0) {
        git_object *object = NULL;
        const char *name = git_reference_name(reference);
        bool wanted = git_reference_is_branch(reference) || git_reference_is_remote(reference) ||
                      strncmp(name, "refs/tags/", 10) == 0;
        if (wanted && git_reference_peel(&object, reference, GIT_OBJECT_COMMIT) == 0)
            ok = add_tip(w, tips, git_object_id(object));
        git_object_free(object);
        git_reference_free(reference);
        ok = ok && !mgi_action_stops(g->a);
    }
    git_reference_iterator_free(it);
    return ok && (!error || mgi_git_fail(g, error, "the references"));
}

/* What both sides of A...B have. */
static bool exclude_common(struct walk *w, struct tips *in, struct tips *out)
{
    struct compared both;
    bool there;
    for (size_t i = 0; i < 2; i++)
        if (!mgi_history_load(w->h, in->items[i], &there))
            return false;
    if (!mgi_history_compare(w->h, in->items[0], &in->items[1], 1, &both))
        return false;
    for (size_t i = 0; i < both.base_count; i++)
        if (!add_tip(w, out, &both.bases[i]->id))
            return false;
    return true;
}

static bool read_range(struct walk *w, struct str range, struct tips *in, struct tips *out)
{
    size_t dots = mgi_str_find(range, STR_LIT(".."));
    if (dots == SIZE_MAX)
        return add_revision(w, in, range);
    struct str left = { range.ptr, dots };
    bool three = dots + 2 < range.len && range.ptr[dots + 2] == '.';
    struct str right = { range.ptr + dots + 2 + three, range.len - dots - 2 - three };
    if (!three)
        return add_revision(w, out, left) && add_revision(w, in, right);
    return add_revision(w, in, left) && add_revision(w, in, right) && exclude_common(w, in, out);
}

/* ---- paths ---------------------------------------------------------------------------------- */

bool mgi_walk_entry(struct git *g, const git_oid *tree_id, const char *path, struct tree_entry *e)
{
    git_tree *tree = NULL;
    git_tree_entry *entry = NULL;
    *e = (struct tree_entry){ .found = strcmp(path, ".") == 0, .mode = GIT_FILEMODE_TREE };
    git_oid_cpy(&e->id, tree_id);
    if (e->found)
        return true;
    int error = git_tree_lookup(&tree, g->repo, tree_id);
    if (!error)
        error = git_tree_entry_bypath(&entry, tree, path);
    e->found = !error;
    if (!error) {
        git_oid_cpy(&e->id, git_tree_entry_id(entry));
        e->mode = (unsigned)git_tree_entry_filemode_raw(entry);
    }
    git_tree_entry_free(entry);
    bool read = tree != NULL;
    git_tree_free(tree);
    return !error || (read && error == GIT_ENOTFOUND) || mgi_git_fail(g, error, "%s", path);
}

bool mgi_walk_same(const struct tree_entry *a, const struct tree_entry *b)
{
    return a->found == b->found &&
           (!a->found || (a->mode == b->mode && git_oid_equal(&a->id, &b->id)));
}

bool mgi_walk_older_name(struct history *h, const struct commit_node *node,
                         const struct commit_node *parent, const char *path, const char **older)
{
    static const struct changes c = { .renames = true, .no_counts = true };
    struct git *g = h->g;
    struct buf name;
    git_diff *diff = NULL;
    struct arena_mark mark = mgi_arena_mark(&g->a->arena);
    *older = NULL;
    mgi_buf_init(&name);
    bool ok = mgi_git_diff_ids(g, &c, &parent->tree, &node->tree, &diff);
    for (size_t i = 0; ok && i < git_diff_num_deltas(diff); i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        if (d->status == GIT_DELTA_RENAMED && strcmp(d->new_file.path, path) == 0)
            mgi_buf_puts(&name, d->old_file.path);
    }
    mgi_arena_rewind(&g->a->arena, mark); /* the comparison */
    if (name.len > 0)
        *older = mgi_arena_strdup(&g->a->arena, name.ptr);
    ok = ok && ((!name.oom && (name.len == 0 || *older)) || mgi_action_nomem(g->a));
    mgi_buf_fini(&name);
    return ok;
}

static unsigned followed_count(const struct walk *w, const struct commit_node *node)
{
    return w->first_parent && node->parent_count > 1 ? 1 : node->parent_count;
}

/* One commit of a walk with a path. */
struct looked_at {
    struct tree_entry here;
    struct commit_node *same; /* a parent that has the path as it is here: follow it alone */
    unsigned known, followed; /* parents that are there; that are not excluded */
    bool changed, changed_out;
};

static bool look_at_parent(struct walk *w, struct commit_node *node, struct commit_node *parent,
                           struct looked_at *l)
{
    struct tree_entry there;
    bool loaded;
    if (!mgi_history_load(w->h, parent, &loaded))
        return false;
    if (!loaded)
        return true;
    bool out = (parent->flags & HISTORY_OUT) && !(parent->flags & HISTORY_BOTTOM);
    if (!mgi_walk_entry(w->h->g, &parent->tree, node->path, &there))
        return false;
    l->known++;
    l->followed += !out;
    if (!mgi_walk_same(&l->here, &there)) {
        l->changed |= !out;
        l->changed_out |= out;
    } else if (!out) {
        l->same = parent;
    }
    return true;
}

/* Whether a commit is shown, and whether one parent alone is followed: once, with what is known of
 * the exclusion then, as git does. */
static bool decide(struct walk *w, struct commit_node *node)
{
    struct looked_at l = { 0 };
    unsigned count = followed_count(w, node);
    if (node->flags & HISTORY_DECIDED)
        return true;
    if (!mgi_walk_entry(w->h->g, &node->tree, node->path, &l.here))
        return false;
    for (unsigned i = 0; i < count && !l.same; i++)
        if (!look_at_parent(w, node, node->parents[i], &l))
            return false;
    bool shown = l.followed ? l.changed : l.changed_out;
    if (l.known == 0) /* a beginning, or where a shallow clone has one */
        shown = l.here.found && (count == 0 || w->h->cut);
    node->only = l.same;
    node->flags |= HISTORY_DECIDED | (shown && !l.same ? HISTORY_SHOWN : 0u);
    return true;
}

/* ---- exclusion ------------------------------------------------------------------------------ */

struct exclusion {
    struct walk *w;
    struct commit_queue queue;
    struct commit_node **stack;
    size_t stack_count, stack_cap;
    size_t wanted; /* in the queue, and not excluded */
};

static bool enqueue(struct exclusion *e, struct commit_node *node)
{
    bool there;
    if (node->flags & HISTORY_PAINTED)
        return true;
    if (!mgi_history_load(e->w->h, node, &there))
        return false;
    if (!there)
        return true;
    node->flags |= HISTORY_PAINTED | HISTORY_QUEUED;
    e->wanted += !(node->flags & HISTORY_OUT);
    return mgi_queue_push(e->w->h, &e->queue, node);
}

/* It, and whatever of its ancestors is known already. */
static bool mark_out(struct exclusion *e, struct commit_node *node)
{
    struct arena *arena = &e->w->h->g->a->arena;
    for (bool more = true; more;) {
        if (!(node->flags & HISTORY_OUT)) {
            node->flags |= HISTORY_OUT;
            e->wanted -= (node->flags & HISTORY_QUEUED) != 0;
            for (unsigned i = 0; i < node->parent_count; i++) {
                if (!mgi_arena_grow(arena, &e->stack, &e->stack_cap, e->stack_count + 1,
                                    sizeof(struct commit_node *)))
                    return mgi_action_nomem(e->w->h->g->a);
                e->stack[e->stack_count++] = node->parents[i];
            }
        }
        more = e->stack_count > 0;
        if (more)
            node = e->stack[--e->stack_count];
    }
    return true;
}

/* Excluded, and its parents with it, if it is there. */
static bool paint(struct exclusion *e, struct commit_node *node)
{
    if (!mark_out(e, node) || !enqueue(e, node))
        return false;
    for (unsigned i = 0; i < node->parent_count; i++)
        if (!mark_out(e, node->parents[i]))
            return false;
    return true;
}

static bool paint_parents(struct exclusion *e, const struct commit_node *node)
{
    for (unsigned i = 0; i < node->parent_count; i++)
        if (!paint(e, node->parents[i]))
            return false;
    return true;
}

/* With a path only those that will be followed; not if its name may change on the way. */
static bool want_parents(struct exclusion *e, struct commit_node *node)
{
    struct walk *w = e->w;
    if (w->path && !w->follow) {
        node->path = w->path;
        if (!decide(w, node))
            return false;
        if (node->only)
            return enqueue(e, node->only);
    }
    for (unsigned i = 0; i < followed_count(w, node); i++)
        if (!enqueue(e, node->parents[i]))
            return false;
    return true;
}

static bool paint_excluded(struct walk *w, const struct tips *in, const struct tips *out)
{
    struct exclusion e = { .w = w };
    int64_t last_wanted = INT64_MAX;
    for (size_t i = 0; i < out->count; i++) {
        if (!paint(&e, out->items[i]))
            return false;
        out->items[i]->flags |= HISTORY_BOTTOM;
    }
    for (size_t i = 0; i < in->count; i++)
        if (!enqueue(&e, in->items[i]))
            return false;
    for (int slop = SLOP; slop > 0;) {
        struct commit_node *node = mgi_queue_pop(&e.queue);
        if (!node)
            break;
        bool is_out = (node->flags & HISTORY_OUT) != 0;
        node->flags &= ~(unsigned)HISTORY_QUEUED;
        e.wanted -= !is_out;
        if (!is_out)
            last_wanted = node->time;
        if (!(is_out ? paint_parents(&e, node) : want_parents(&e, node)))
            return false;
        bool may_matter =
            e.wanted > 0 || (e.queue.count > 0 && e.queue.items[0].node->time >= last_wanted);
        slop = may_matter ? SLOP : slop - 1;
    }
    for (struct commit_node *node; (node = mgi_queue_pop(&e.queue));)
        node->flags &= ~(unsigned)HISTORY_QUEUED;
    return true;
}

/* ---- the walk ------------------------------------------------------------------------------- */

static bool list_node(struct walk *w, struct commit_node *node, const char *path)
{
    bool there;
    if (node->flags & (HISTORY_LISTED | HISTORY_OUT))
        return true;
    if (!mgi_history_load(w->h, node, &there))
        return false;
    if (!there)
        return true;
    node->flags |= HISTORY_LISTED;
    node->path = path;
    return mgi_queue_push(w->h, &w->queue, node);
}

bool mgi_walk_begin(struct walk *w, struct history *h, const char *range, bool all)
{
    struct tips in = { 0 }, out = { 0 };
    git_commit *head;
    w->h = h;
    if (all ? !add_all(w, &in) : !mgi_git_head(h->g, &head))
        return false;
    bool empty = !all && !head && strcmp(range, "HEAD") == 0;
    if (!all && !empty && !read_range(w, str_of(range), &in, &out))
        return false;
    if (in.count > 0 && !all) {
        git_oid_cpy(&w->end, &in.items[in.count - 1]->id);
        w->has_end = true;
    }
    w->excludes = out.count > 0;
    if (w->excludes && !paint_excluded(w, &in, &out))
        return false;
    for (size_t i = 0; i < in.count; i++)
        if (!list_node(w, in.items[i], w->path))
            return false;
    return true;
}

/* What the file is called in the parent of a commit that changed it. */
static bool follow_parent(struct walk *w, struct commit_node *node, struct commit_node *parent)
{
    struct tree_entry there;
    const char *path = node->path, *older = NULL;
    bool loaded;
    if (!mgi_history_load(w->h, parent, &loaded))
        return false;
    if (loaded && w->follow && !(parent->flags & (HISTORY_OUT | HISTORY_LISTED))) {
        if (!mgi_walk_entry(w->h->g, &parent->tree, path, &there) ||
            (!there.found && !mgi_walk_older_name(w->h, node, parent, path, &older)))
            return false;
    }
    return list_node(w, parent, older ? older : path);
}

static bool look_at_path(struct walk *w, struct commit_node *node, bool *shown)
{
    if (!decide(w, node))
        return false;
    *shown = (node->flags & HISTORY_SHOWN) != 0;
    if (node->only)
        return list_node(w, node->only, node->path);
    for (unsigned i = 0; i < followed_count(w, node); i++)
        if (!follow_parent(w, node, node->parents[i]))
            return false;
    return true;
}

static bool look_at_all(struct walk *w, struct commit_node *node)
{
    for (unsigned i = 0; i < followed_count(w, node); i++)
        if (!list_node(w, node->parents[i], NULL))
            return false;
    return true;
}

bool mgi_walk_next(struct walk *w, struct commit_node **node, const char **path)
{
    for (bool shown = false; !shown;) {
        *node = mgi_queue_pop(&w->queue);
        if (!*node)
            return true;
        if (mgi_action_stops(w->h->g->a))
            return false;
        w->old_in_a_row = (*node)->time < w->since ? w->old_in_a_row + 1 : 0;
        if (w->old_in_a_row > OLD_MOST)
            w->queue.count = 0;
        shown = !w->path;
        if (w->path ? !look_at_path(w, *node, &shown) : !look_at_all(w, *node))
            return false;
        *path = (*node)->path;
    }
    return true;
}
