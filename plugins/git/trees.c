/* The files of a commit or of the index; see trees.h. Trees are walked with a stack of our own:
 * how deep they are is whoever made them's choice. */
#include "plugins/git/trees.h"

#include "base/alloc.h"

#define TREE_DEPTH_MOST 256
#define PATH_BYTES_MOST 16384 /* of a tree's path; git itself takes 4096 */

const char *mgi_git_type_word(unsigned mode)
{
    switch (mode & 0170000) {
    case 0040000:
        return "folder";
    case 0120000:
        return "symlink";
    case 0160000:
        return "submodule";
    default:
        return "file";
    }
}

int64_t mgi_git_size(struct git *g, const git_oid *id)
{
    git_odb *odb = NULL;
    git_object_t type;
    size_t size = 0;
    bool found =
        git_repository_odb(&odb, g->repo) == 0 && git_odb_read_header(&size, &type, odb, id) == 0;
    git_odb_free(odb);
    return found ? (int64_t)size : -1;
}

static void release_blob(void *blob)
{
    git_blob_free(blob);
}

bool mgi_git_blob(struct git *g, const git_oid *id, const char *path, struct str *content)
{
    git_blob *blob = NULL;
    int64_t size = mgi_git_size(g, id);
    if (size > mgi_git_settings(g->a)->max_bytes)
        return mgi_action_fail(g->a, "%s: has %lld bytes, more than the %lld that are read at once",
                               path, (long long)size, (long long)mgi_git_settings(g->a)->max_bytes);
    int error = git_blob_lookup(&blob, g->repo, id);
    if (error)
        return mgi_git_fail(g, error, "%s", path);
    *content = (struct str){ git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob) };
    if (!content->ptr)
        *content = (struct str){ "", 0 };
    return mgi_git_keep(g, release_blob, blob);
}

static bool is_wanted(const struct git_files *f, const char *path)
{
    return mgi_git_is_below(path, f->path) && (f->glob.len == 0 || mgi_glob(f->glob, str_of(path)));
}

/* ---- the index ------------------------------------------------------------------------------ */

static bool each_in_index(struct git *g, const struct git_files *f)
{
    git_index *index;
    if (!mgi_git_index(g, &index))
        return false;
    const char *before = "";
    for (size_t i = 0; i < git_index_entrycount(index); i++) {
        const git_index_entry *e = git_index_get_byindex(index, i);
        bool conflicted = GIT_INDEX_ENTRY_STAGE(e) != 0;
        bool again = conflicted && strcmp(before, e->path) == 0;
        before = e->path;
        if (again || !is_wanted(f, e->path))
            continue;
        struct git_file file = { e->path, e->mode, &e->id, conflicted };
        if (mgi_action_stops(g->a) || !f->each(f->user, &file))
            return false;
    }
    return true;
}

/* ---- a tree --------------------------------------------------------------------------------- */

struct tree_walk {
    struct git *g;
    const struct git_files *files;
    struct level {
        git_tree *tree; /* owned, but for the first */
        size_t next, path_len;
    } levels[TREE_DEPTH_MOST];
    size_t depth;
    struct buf path;
};

/* Could something at or below the wanted path be in this folder? */
static bool may_enter(const struct git_files *f, const char *folder)
{
    return mgi_git_is_below(folder, f->path) || mgi_git_is_below(f->path, folder);
}

static bool enter(struct tree_walk *w, const git_oid *id)
{
    struct git *g = w->g;
    git_tree *tree = NULL;
    if (w->depth == TREE_DEPTH_MOST || w->path.len > PATH_BYTES_MOST)
        return mgi_action_fail(g->a, "%.200s...: is deeper than %d folders", w->path.ptr,
                               TREE_DEPTH_MOST);
    int error = git_tree_lookup(&tree, g->repo, id);
    if (error)
        return mgi_git_fail(g, error, "%s", w->path.ptr);
    mgi_buf_putc(&w->path, '/');
    w->levels[w->depth++] = (struct level){ tree, 0, w->path.len };
    return true;
}

static bool look_at_entry(struct tree_walk *w, const git_tree_entry *e)
{
    unsigned mode = (unsigned)git_tree_entry_filemode_raw(e);
    mgi_buf_puts(&w->path, git_tree_entry_name(e));
    if (w->path.oom)
        return mgi_action_nomem(w->g->a);
    if ((mode & 0170000) == 0040000)
        return !may_enter(w->files, w->path.ptr) || enter(w, git_tree_entry_id(e));
    struct git_file file = { w->path.ptr, mode, git_tree_entry_id(e), false };
    return !is_wanted(w->files, file.path) || w->files->each(w->files->user, &file);
}

static bool walk_tree(struct tree_walk *w)
{
    while (w->depth > 0) {
        struct level *level = &w->levels[w->depth - 1];
        if (mgi_action_stops(w->g->a))
            return false;
        w->path.len = level->path_len;
        if (level->next < git_tree_entrycount(level->tree)) {
            if (!look_at_entry(w, git_tree_entry_byindex(level->tree, level->next++)))
                return false;
            continue;
        }
        if (--w->depth > 0)
            git_tree_free(level->tree);
    }
    return true;
}

static bool each_in_tree(struct git *g, const struct git_files *f)
{
    struct tree_walk *w = mgi_calloc(1, sizeof *w);
    if (!w)
        return mgi_action_nomem(g->a);
    w->g = g;
    w->files = f;
    w->levels[w->depth++] = (struct level){ .tree = f->tree };
    bool ok = walk_tree(w);
    while (w->depth > 1)
        git_tree_free(w->levels[--w->depth].tree);
    mgi_buf_fini(&w->path);
    mgi_free(w);
    return ok;
}

bool mgi_git_each_file(struct git *g, const struct git_files *files)
{
    return files->tree ? each_in_tree(g, files) : each_in_index(g, files);
}
