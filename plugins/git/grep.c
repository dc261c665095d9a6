/* Text or an expression in the lines of tracked files (support/lines.h), in a commit or in the
 * worktree. In the worktree files are opened below its root, following no link. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "plugins/git/trees.h"
#include "plugins/git/worktree_file.h"
#include "plugins/support/lines.h"

struct grep {
    struct git g;
    const char *revision, *path;
    struct str glob;
    struct line_search lines;
    git_commit *commit; /* NULL: the worktree */
    int root;
};

/* What is to be searched, in the arena; ptr NULL: it is counted alone. False: the call failed. */
static bool content_of(struct grep *s, const struct git_file *file, struct str *all)
{
    int64_t size;
    *all = (struct str){ NULL, 0 };
    if (!s->commit) {
        enum worktree_file got = mgi_worktree_file(&s->g, s->root, file->path, all);
        s->lines.unreadable += got == WORKTREE_FILE_ABSENT;
        s->lines.too_large += got == WORKTREE_FILE_LARGE;
        return got != WORKTREE_FILE_FAILED;
    }
    size = mgi_git_size(&s->g, file->id);
    s->lines.unreadable += size < 0;
    s->lines.too_large += size > mgi_git_settings(s->g.a)->max_bytes;
    return size < 0 || size > mgi_git_settings(s->g.a)->max_bytes ||
           mgi_git_blob(&s->g, file->id, file->path, all);
}

static bool search_one(void *user, const struct git_file *file)
{
    struct grep *s = user;
    struct str all, path = str_of(file->path);
    struct arena *arena = &s->g.a->arena;
    if ((file->mode & 0170000) != 0100000)
        return true;
    struct arena_mark mark = mgi_arena_mark(arena);
    bool exact = !mgi_utf8_valid(path, NULL);
    if (!content_of(s, file, &all))
        return false;
    if (all.ptr && !mgi_line_search_file(s->g.a, &s->lines, file->path,
                                         exact ? path : (struct str){ NULL, 0 }, all))
        return false;
    mgi_arena_rewind(arena, mark);
    return !s->lines.truncated;
}

static bool search_files(struct grep *s)
{
    struct action *a = s->g.a;
    struct git_files files = { .path = s->path, .glob = s->glob, .each = search_one, .user = s };
    if (s->revision && (!mgi_git_commit(&s->g, "revision", s->revision, &s->commit) ||
                        !mgi_git_tree(&s->g, s->commit, &files.tree)))
        return false;
    if (s->commit)
        mgi_git_put_id(a, "commit", git_commit_id(s->commit));
    else if (!mgi_worktree_root(&s->g, &s->root))
        return false;
    mgi_jw_key(&a->out, "matches");
    mgi_jw_begin_array(&a->out);
    if (!mgi_git_each_file(&s->g, &files) && !s->lines.truncated)
        return false;
    mgi_jw_end_array(&a->out);
    return a->faults == 0;
}

bool mgi_git_grep(struct action *a)
{
    static const char *const known[] = { "pattern", "regex",   "ignore_case", "revision", "path",
                                         "glob",    "context", "limit",       NULL };
    struct grep s = { .path = "." };
    mgi_arg_known(a, known);
    mgi_line_search_arguments(a, &s.lines);
    mgi_git_arg_cstr(a, "revision", REVISION_MOST, &s.revision);
    mgi_git_arg_path(a, "path", true, &s.path);
    mgi_arg_glob(a, "glob", &s.glob);
    if (a->faults > 0 || !mgi_line_search_begin(a, &s.lines))
        return false;
    if (!(s.revision ? mgi_git_open(a, &s.g) : mgi_git_open_worktree(a, &s.g)) || !search_files(&s))
        return false;
    mgi_line_search_counts(a, &s.lines);
    return true;
}
