/* Which commit brought each line of a file; libgit2's own search takes thirty times as long as
 * git's, and cannot be stopped (docs/dependencies.md).
 *
 * A version is a file in a commit, with the ranges of lines that are still looked for in it or
 * below. Newest first, a version hands to the parents of its commit, in their order, what they
 * have: all of it if the content is the same, else the lines that a comparison finds unchanged.
 * What no parent has is its own. A parent without the file has it under the name that it was
 * renamed from.
 *
 * Ranges are on the heap, because they are made anew for every version; versions and nodes are the
 * arena's. */
#include "plugins/git/lineage.h"

#include "base/alloc.h"
#include "plugins/git/trees.h"

struct range {
    size_t first, count; /* in the file that was asked for */
    size_t there;        /* in this version */
};

struct version {
    struct version *next; /* of the same commit */
    struct commit_node *node;
    const char *path;
    git_oid blob;
    struct range *ranges;
    size_t count, cap;
};

/* Lines that a comparison found changed: of the new side, and by how much what follows has moved.
 */
struct hunk {
    size_t old_at, old_count, new_at, new_count; /* from 0 */
};

struct search {
    struct history *h;
    struct commit_queue queue;
    struct lineage *out;
    bool ignore_space;

    struct hunk *hunks; /* of the last comparison */
    size_t hunk_count, hunk_cap;
    bool oom;
};

/* ---- versions ------------------------------------------------------------------------------- */

static bool add_range(struct search *s, struct version *v, struct range r)
{
    if (!mgi_grow(&v->ranges, &v->cap, v->count + 1, sizeof *v->ranges))
        return mgi_action_nomem(s->h->g->a);
    v->ranges[v->count++] = r;
    return true;
}

/* The file in the commit, made if it is not waiting yet; NULL: the call failed. */
static struct version *version_of(struct search *s, struct commit_node *node, const char *path,
                                  const git_oid *blob)
{
    struct version *first = node->work;
    for (struct version *v = first; v; v = v->next)
        if (strcmp(v->path, path) == 0)
            return v;
    struct version *made = mgi_arena_calloc(&s->h->g->a->arena, 1, sizeof *made);
    if (!made) {
        mgi_action_nomem(s->h->g->a);
        return NULL;
    }
    if (!first && !mgi_queue_push(s->h, &s->queue, node))
        return NULL;
    *made = (struct version){ .next = first, .node = node, .path = path };
    git_oid_cpy(&made->blob, blob);
    node->work = made;
    return made;
}

static void forget(struct commit_node *node)
{
    for (struct version *v = node->work; v; v = v->next)
        mgi_free(v->ranges);
    node->work = NULL;
}

/* ---- what is found -------------------------------------------------------------------------- */

static bool found(struct search *s, const struct range *r, struct commit_node *node,
                  const char *path, bool boundary)
{
    struct lineage *out = s->out;
    struct action *a = s->h->g->a;
    if (!mgi_arena_grow(&a->arena, &out->items, &out->cap, out->count + 1, sizeof *out->items))
        return mgi_action_nomem(a);
    out->items[out->count++] =
        (struct lineage_range){ r->first, r->count, r->there, node, path, boundary };
    return true;
}

static int by_line(const void *a, const void *b)
{
    const struct lineage_range *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Neighbours that came together are one. */
static void join(struct lineage *out)
{
    size_t kept = 0;
    qsort(out->items, out->count, sizeof *out->items, by_line);
    for (size_t i = 0; i < out->count; i++) {
        struct lineage_range *last = kept ? &out->items[kept - 1] : NULL;
        const struct lineage_range *r = &out->items[i];
        if (last && last->node == r->node && last->there + last->count == r->there &&
            (last->path == r->path || (last->path && r->path && !strcmp(last->path, r->path))))
            last->count += r->count;
        else
            out->items[kept++] = *r;
    }
    out->count = kept;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
    struct search *s = payload;
    (void)delta;
    if (!mgi_grow(&s->hunks, &s->hunk_cap, s->hunk_count + 1, sizeof *s->hunks)) {
        s->oom = true;
        return GIT_EUSER;
    }
    /* Of an empty side the line before it is named. */
    s->hunks[s->hunk_count++] =
        (struct hunk){ (size_t)hunk->old_start - (hunk->old_lines > 0), (size_t)hunk->old_lines,
                       (size_t)hunk->new_start - (hunk->new_lines > 0), (size_t)hunk->new_lines };
    return mgi_git_stop(s->h->g);
}

static git_diff_options comparison(const struct search *s)
{
    git_diff_options o;
    git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
    o.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC |
              (s->ignore_space ? GIT_DIFF_IGNORE_WHITESPACE : 0);
    o.context_lines = 0;
    o.max_size = -1; /* sizes were looked at before */
    return o;
}

static bool compared(struct search *s, int error, const char *path)
{
    if (s->oom)
        return mgi_action_nomem(s->h->g->a);
    return !error || mgi_git_fail(s->h->g, error, "%s", path);
}

static bool compare_blobs(struct search *s, const char *path, const git_oid *old_id,
                          const git_oid *new_id)
{
    struct git *g = s->h->g;
    struct arena_mark mark = mgi_arena_mark(&g->a->arena);
    git_diff_options o = comparison(s);
    struct str before, after;
    s->hunk_count = 0;
    bool ok = mgi_git_blob(g, old_id, path, &before) && mgi_git_blob(g, new_id, path, &after) &&
              compared(s,
                       git_diff_buffers(before.ptr, before.len, path, after.ptr, after.len, path,
                                        &o, NULL, NULL, take_hunk, NULL, s),
                       path);
    mgi_arena_rewind(&g->a->arena, mark);
    return ok;
}

/* Split the ranges: what stands between hunks goes to `to`, what is in one stays in `from`. */
static bool split(struct search *s, struct version *from, struct version *to)
{
    struct version kept = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < from->count; i++) {
        struct range r = from->ranges[i];
        size_t low = 0, high = s->hunk_count;
        while (low < high) { /* the first hunk that ends behind the range's beginning */
            size_t middle = (low + high) / 2;
            const struct hunk *k = &s->hunks[middle];
            if (k->new_at + k->new_count <= r.there)
                low = middle + 1;
            else
                high = middle;
        }
        for (size_t k = low; ok && r.count > 0; k++) {
            const struct hunk *next = k < s->hunk_count ? &s->hunks[k] : NULL;
            const struct hunk *before = k > 0 ? &s->hunks[k - 1] : NULL;
            size_t until = next ? next->new_at : SIZE_MAX;
            size_t same = until <= r.there            ? 0
                          : until - r.there < r.count ? until - r.there
                                                      : r.count;
            size_t old = before ? r.there - (before->new_at + before->new_count) + before->old_at +
                                      before->old_count
                                : r.there;
            if (same > 0)
                ok = add_range(s, to, (struct range){ r.first, same, old });
            r = (struct range){ r.first + same, r.count - same, r.there + same };
            if (!ok || r.count == 0 || !next)
                continue;
            size_t end = next->new_at + next->new_count;
            size_t changed = end - r.there < r.count ? end - r.there : r.count;
            if (changed > 0)
                ok = add_range(s, &kept, (struct range){ r.first, changed, r.there });
            r = (struct range){ r.first + changed, r.count - changed, r.there + changed };
        }
    }
    mgi_free(from->ranges);
    from->ranges = kept.ranges;
    from->count = kept.count;
    from->cap = kept.cap;
    return ok;
}

/* ---- one version ---------------------------------------------------------------------------- */

/* The file in a parent. */
struct source {
    struct commit_node *parent;
    const char *path; /* NULL: it is not there */
    git_oid blob;
};

static bool is_plain(const struct tree_entry *e)
{
    return e->found && ((e->mode & 0170000) == 0100000 || (e->mode & 0170000) == 0120000);
}

static bool find_source(struct search *s, const struct version *v, struct source *from,
                        bool renamed)
{
    struct tree_entry e;
    const char *path = v->path;
    if (renamed && !mgi_walk_older_name(s->h, v->node, from->parent, v->path, &path))
        return false;
    if (!path)
        return true;
    if (!mgi_walk_entry(s->h->g, &from->parent->tree, path, &e))
        return false;
    if (is_plain(&e)) {
        from->path = path;
        git_oid_cpy(&from->blob, &e.id);
    }
    return true;
}

static bool give_all(struct search *s, struct version *v, const struct source *from)
{
    struct version *to = version_of(s, from->parent, from->path, &from->blob);
    if (!to)
        return false;
    for (size_t i = 0; i < v->count; i++)
        if (!add_range(s, to, v->ranges[i]))
            return false;
    v->count = 0;
    return true;
}

/* All parents under the same name, then, of those without it, under the older one: as git does. */
static bool find_sources(struct search *s, struct version *v, struct source *sources,
                         unsigned count)
{
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < count; i++) {
            struct source *from = &sources[i];
            if (from->path || !from->parent)
                continue;
            if (!find_source(s, v, from, pass == 1))
                return false;
            if (from->path && git_oid_equal(&from->blob, &v->blob))
                return give_all(s, v, from);
        }
    return true;
}

static bool give_unchanged(struct search *s, struct version *v, const struct source *from)
{
    struct version *to = version_of(s, from->parent, from->path, &from->blob);
    return to && compare_blobs(s, v->path, &from->blob, &v->blob) && split(s, v, to);
}

static bool keep_rest(struct search *s, struct version *v, bool boundary)
{
    for (size_t i = 0; i < v->count; i++)
        if (!found(s, &v->ranges[i], v->node, v->path, boundary))
            return false;
    v->count = 0;
    return true;
}

static bool look_at(struct search *s, struct version *v)
{
    struct commit_node *node = v->node;
    bool boundary = false;
    struct source *sources =
        mgi_arena_calloc(&s->h->g->a->arena, node->parent_count + 1, sizeof *sources);
    if (!sources)
        return mgi_action_nomem(s->h->g->a);
    for (unsigned i = 0; i < node->parent_count; i++) {
        bool there;
        if (!mgi_history_load(s->h, node->parents[i], &there))
            return false;
        sources[i].parent = there ? node->parents[i] : NULL;
        boundary |= !there;
    }
    if (!find_sources(s, v, sources, node->parent_count))
        return false;
    for (unsigned i = 0; i < node->parent_count && v->count > 0; i++)
        if (sources[i].path && !give_unchanged(s, v, &sources[i]))
            return false;
    return keep_rest(s, v, boundary);
}

static bool run(struct search *s)
{
    bool ok = true;
    for (struct commit_node *node; ok && (node = mgi_queue_pop(&s->queue));) {
        for (struct version *v = node->work; ok && v; v = v->next)
            ok = (v->count == 0 || look_at(s, v)) && !mgi_action_stops(s->h->g->a);
        forget(node);
    }
    for (struct commit_node *node; (node = mgi_queue_pop(&s->queue));)
        forget(node);
    return ok;
}

/* ---- the beginning -------------------------------------------------------------------------- */

/* The text's lines that the commit has go to its version; the others are nobody's yet. */
static bool begin_with_text(struct search *s, struct version *v, const struct str *content,
                            struct range all)
{
    struct git *g = s->h->g;
    struct str before;
    git_diff_options o = comparison(s);
    struct version text = { .path = v->path };
    struct arena_mark mark = mgi_arena_mark(&g->a->arena);
    bool ok = mgi_git_blob(g, &v->blob, v->path, &before) &&
              compared(s,
                       git_diff_buffers(before.ptr, before.len, v->path, content->ptr, content->len,
                                        v->path, &o, NULL, NULL, take_hunk, NULL, s),
                       v->path);
    mgi_arena_rewind(&g->a->arena, mark);
    ok = ok && add_range(s, &text, all) && split(s, &text, v);
    for (size_t i = 0; ok && i < text.count; i++)
        ok = found(s, &text.ranges[i], NULL, NULL, false);
    mgi_free(text.ranges);
    return ok;
}

static bool begin(struct search *s, struct commit_node *start, const char *path,
                  const struct str *content, struct range all)
{
    struct tree_entry e = { .found = false };
    bool there = false;
    if (start && (!mgi_history_load(s->h, start, &there) ||
                  (there && !mgi_walk_entry(s->h->g, &start->tree, path, &e))))
        return false;
    if (!is_plain(&e))
        return found(s, &all, NULL, NULL, false);
    struct version *v = version_of(s, start, path, &e.id);
    if (!v)
        return false;
    return content ? begin_with_text(s, v, content, all) : add_range(s, v, all);
}

bool mgi_git_lineage(struct history *h, struct commit_node *start, const char *path,
                     const struct str *content, size_t first, size_t count, bool ignore_space,
                     struct lineage *out)
{
    struct search s = { .h = h, .out = out, .ignore_space = ignore_space };
    *out = (struct lineage){ 0 };
    bool ok = count == 0 || begin(&s, start, path, content, (struct range){ first, count, first });
    if (!ok) /* what waits is given back, not looked at */
        for (struct commit_node *node; (node = mgi_queue_pop(&s.queue));)
            forget(node);
    ok = ok && run(&s);
    mgi_free(s.hunks);
    if (ok && out->count > 0)
        join(out);
    return ok;
}
