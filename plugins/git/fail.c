/* What libgit2 says, as an error of the call; and what is released with it. */
#include "plugins/git/git_plugin.h"

#include <stdarg.h>

/* Extensions of a repository's format that libgit2 1.5 does not know, for people. */
static const struct {
    const char *name, *text;
} extensions[] = {
    { "extensions.objectformat", "its object ids are not SHA-1" },
    { "extensions.refstorage", "its references are in another form than files (reftable)" },
    { "extensions.partialclone", "it is a partial clone, of which objects may be missing" },
    { "extensions.worktreeconfig", "its worktrees have configurations of their own" },
    { "extensions.relativeworktrees", "its worktrees are named by relative paths" },
    { "extensions.preciousobjects", "its objects must not be removed" },
    { "extensions.compatobjectformat", "its objects have two kinds of id" },
};

static const char *meaning(const char *message)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strstr(message, extensions[i].name))
            return extensions[i].text;
    return NULL;
}

bool mgi_git_fail(struct git *g, int error, const char *format, ...)
{
    struct action *a = g->a;
    const git_error *last = git_error_last();
    const char *message = last && last->message ? last->message : "failed without a reason";
    va_list args;
    if (a->stopped || (error == GIT_EUSER && a->faults > 0))
        return false;
    if (last && last->klass == GIT_ERROR_NOMEMORY)
        return mgi_action_nomem(a);
    struct buf what;
    mgi_buf_init(&what);
    va_start(args, format);
    mgi_buf_vprintf(&what, format, args);
    va_end(args);
    if (what.oom)
        mgi_action_nomem(a);
    else if (error == GIT_ELOCKED)
        mgi_action_fail(a,
                        "%s: %.*s: another process holds it; if none does, remove the .lock file "
                        "below the git directory",
                        what.ptr, STR_ARG(mgi_str_trim(str_of(message), ": ")));
    else if (meaning(message))
        mgi_action_fail(a, "%s: %s: %s, which is not supported here", what.ptr, message,
                        meaning(message));
    else
        mgi_action_fail(a, "%s: %s", what.ptr, message);
    mgi_buf_fini(&what);
    return false;
}

int mgi_git_stop(struct git *g)
{
    return mgi_action_stops(g->a) ? GIT_EUSER : 0;
}

bool mgi_git_keep(struct git *g, void (*release)(void *thing), void *thing)
{
    return mgi_arena_defer(&g->a->arena, release, thing) || mgi_action_nomem(g->a);
}

void mgi_git_release_commit(void *commit)
{
    git_commit_free(commit);
}

void mgi_git_release_tree(void *tree)
{
    git_tree_free(tree);
}

void mgi_git_release_index(void *index)
{
    git_index_free(index);
}

void mgi_git_release_diff(void *diff)
{
    git_diff_free(diff);
}

void mgi_git_release_reference(void *reference)
{
    git_reference_free(reference);
}

void mgi_git_release_object(void *object)
{
    git_object_free(object);
}

void mgi_git_release_signature(void *signature)
{
    git_signature_free(signature);
}
