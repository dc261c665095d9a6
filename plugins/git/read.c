/* A file, a link or a folder as it is in a commit or in the index. */
#include "plugins/git/trees.h"
#include "plugins/support/content.h"

#define NAMES_MOST 20000

struct reading {
    struct git g;
    const char *revision;
    struct content content;
    git_oid id;
    unsigned mode;
    git_commit *commit; /* NULL: the index */
};

static bool find_in_commit(struct reading *r)
{
    git_tree *tree;
    git_tree_entry *entry = NULL;
    struct git *g = &r->g;
    if (!mgi_git_commit(g, "revision", r->revision, &r->commit) ||
        !mgi_git_tree(g, r->commit, &tree))
        return false;
    if (strcmp(r->content.path, ".") == 0) {
        git_oid_cpy(&r->id, git_tree_id(tree));
        r->mode = GIT_FILEMODE_TREE;
        return true;
    }
    int error = git_tree_entry_bypath(&entry, tree, r->content.path);
    if (error == GIT_ENOTFOUND)
        return mgi_action_fail(g->a, "%s: is not in %s", r->content.path, r->revision);
    if (error)
        return mgi_git_fail(g, error, "%s", r->content.path);
    git_oid_cpy(&r->id, git_tree_entry_id(entry));
    r->mode = (unsigned)git_tree_entry_filemode_raw(entry);
    git_tree_entry_free(entry);
    return true;
}

static bool find_in_index(struct reading *r)
{
    git_index *index;
    struct git *g = &r->g;
    if (!mgi_git_index(g, &index))
        return false;
    const git_index_entry *e = git_index_get_bypath(index, r->content.path, 0);
    if (!e && git_index_get_bypath(index, r->content.path, 2))
        return mgi_action_fail(g->a, "%s: is in conflict in the index", r->content.path);
    if (!e)
        return mgi_action_fail(g->a, "%s: is not in the index", r->content.path);
    git_oid_cpy(&r->id, &e->id);
    r->mode = e->mode;
    return true;
}

static bool put_folder(struct reading *r)
{
    git_tree *tree = NULL;
    struct action *a = r->g.a;
    int error = git_tree_lookup(&tree, r->g.repo, &r->id);
    bool truncated = false;
    if (error)
        return mgi_git_fail(&r->g, error, "%s", r->content.path);
    if (!mgi_git_keep(&r->g, mgi_git_release_tree, tree))
        return false;
    mgi_jw_key(&a->out, "entries");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < git_tree_entrycount(tree) && !truncated; i++) {
        const git_tree_entry *e = git_tree_entry_byindex(tree, i);
        struct action_mark mark = mgi_action_mark(a);
        mgi_jw_begin_object(&a->out);
        mgi_jw_member_cstr(&a->out, "name", git_tree_entry_name(e));
        mgi_jw_member_cstr(&a->out, "type",
                           mgi_git_type_word((unsigned)git_tree_entry_filemode_raw(e)));
        mgi_jw_end_object(&a->out);
        truncated = !mgi_action_fits(a, mark) || i + 1 == NAMES_MOST;
    }
    mgi_jw_end_array(&a->out);
    mgi_jw_member_bool(&a->out, "truncated", truncated);
    return true;
}

static bool put_file(struct reading *r)
{
    struct str all;
    struct action *a = r->g.a;
    size_t taken;
    bool truncated;
    if (!mgi_git_blob(&r->g, &r->id, r->content.path, &all))
        return false;
    mgi_jw_member_int(&a->out, "size", (int64_t)all.len);
    if (r->content.first_line)
        return mgi_content_put_lines(a, &r->content, all, &taken, &truncated);
    if (!mgi_content_put(a, &r->content, all, true, &taken))
        return false;
    mgi_jw_member_bool(&a->out, "truncated", taken < all.len);
    return true;
}

static bool read_arguments(struct action *a, struct reading *r)
{
    static const char *const known[] = { "path",     "revision",  "first_line", "last_line",
                                         "encoding", "max_bytes", NULL };
    *r = (struct reading){ .revision = "HEAD" };
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_git_arg_path(a, "path", true, &r->content.path);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &r->revision);
    mgi_content_arguments(a, &r->content);
    return a->faults == 0;
}

bool mgi_git_read(struct action *a)
{
    struct reading r;
    if (!read_arguments(a, &r) || !mgi_git_open(a, &r.g))
        return false;
    if (!(strcmp(r.revision, "index") == 0 ? find_in_index(&r) : find_in_commit(&r)))
        return false;
    mgi_jw_member_cstr(&a->out, "path", r.content.path);
    if (r.commit)
        mgi_git_put_id(a, "commit", git_commit_id(r.commit));
    mgi_git_put_id(a, "id", &r.id);
    mgi_jw_member_cstr(&a->out, "type", mgi_git_type_word(r.mode));
    mgi_git_put_mode(a, "mode", r.mode);
    if ((r.mode & 0170000) == 0040000)
        return put_folder(&r);
    if (!mgi_git_is_submodule(r.mode))
        return put_file(&r);
    mgi_jw_member_bool(&a->out, "truncated", false);
    return true;
}
