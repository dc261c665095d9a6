/* Guards and words that the actions share which change something; see change.h. */
#include "plugins/git/change.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMED_MOST 10 /* paths in an error */

bool mgi_git_expect_head(struct git *g, const char *name)
{
    git_oid wanted;
    git_commit *head;
    char text[GIT_ID_TEXT_BYTES];
    if (!mgi_git_arg_id(g->a, name, &wanted))
        return g->a->faults == 0;
    if (!mgi_git_head(g, &head))
        return false;
    if (head && git_oid_equal(git_commit_id(head), &wanted))
        return true;
    return mgi_action_fail(g->a, "%s: HEAD is at %s now; nothing was changed", name,
                           head ? git_oid_tostr(text, sizeof text, git_commit_id(head))
                                : "no commit");
}

bool mgi_git_expect_quiet(struct git *g, git_index *index)
{
    if (git_repository_state(g->repo) != GIT_REPOSITORY_STATE_NONE)
        return mgi_action_fail(g->a, "a merge, a rebase or the like is in progress "
                                     "(AID.GIT.STATUS.v1 says which): end it with git first");
    if (git_index_has_conflicts(index))
        return mgi_action_fail(g->a, "the index has conflicts: resolve them first");
    return true;
}

bool mgi_git_expect_whole(struct git *g, git_index *index)
{
    for (size_t i = 0; i < git_index_entrycount(index); i++) {
        const git_index_entry *e = git_index_get_byindex(index, i);
        if (e->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD)
            return mgi_action_fail(g->a,
                                   "%s: is only announced (git add -N): stage it, or unstage "
                                   "it, first",
                                   e->path);
    }
    return true;
}

bool mgi_git_may_change(struct action *a, const char *branch)
{
    const struct git_settings *s = mgi_git_settings(a);
    for (size_t i = 0; i < s->branches_count; i++)
        if (mgi_glob(str_of(s->branches[i]), str_of(branch)))
            return true;
    return s->branches_count == 0 ||
           mgi_action_fail(a, "the branch %s may not be changed here (setting \"branches\")",
                           branch);
}

bool mgi_git_committer(struct git *g, git_signature **who)
{
    const struct git_settings *s = mgi_git_settings(g->a);
    int error = s->author_name[0] ? git_signature_now(who, s->author_name, s->author_email)
                                  : git_signature_default(who, g->repo);
    if (error == GIT_ENOTFOUND)
        return mgi_action_fail(g->a, "who commits is not known: set \"author\" in the settings, or "
                                     "user.name and user.email in the repository's configuration");
    if (error)
        return mgi_git_fail(g, error, "who commits");
    return mgi_git_keep(g, mgi_git_release_signature, *who);
}

bool mgi_git_current_branch(struct git *g, const char **branch)
{
    git_reference *head = NULL;
    int error = git_reference_lookup(&head, g->repo, "HEAD");
    if (error)
        return mgi_git_fail(g, error, "HEAD");
    const char *target = git_reference_symbolic_target(head);
    *branch = target && strncmp(target, "refs/heads/", 11) == 0
                  ? mgi_arena_strdup(&g->a->arena, target + 11)
                  : NULL;
    git_reference_free(head);
    return !g->a->arena.oom || mgi_action_nomem(g->a);
}

void mgi_git_name_path(struct path_list *list, const char *path)
{
    list->count++;
    if (list->count <= NAMED_MOST)
        mgi_buf_printf(&list->text, "%s%s", list->count > 1 ? ", " : "", path);
    else if (list->count == NAMED_MOST + 1)
        mgi_buf_puts(&list->text, " and more");
}

void mgi_git_name_conflicts(struct path_list *list, git_index *index)
{
    const git_index_entry *ancestor, *ours, *theirs;
    git_index_conflict_iterator *it = NULL;
    if (git_index_conflict_iterator_new(&it, index) != 0)
        return;
    while (git_index_conflict_next(&ancestor, &ours, &theirs, it) == 0)
        mgi_git_name_path(list, (ours ? ours : theirs ? theirs : ancestor)->path);
    git_index_conflict_iterator_free(it);
}

/* Its last bytes are the digest of all before them. */
static bool is_as_it_was_read(git_index *index)
{
    git_oid last = { { 0 } };
    struct stat st;
    int fd = open(git_index_path(index), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        bool read = fstat(fd, &st) == 0 && st.st_size >= GIT_OID_RAWSZ &&
                    pread(fd, last.id, GIT_OID_RAWSZ, st.st_size - GIT_OID_RAWSZ) == GIT_OID_RAWSZ;
        close(fd);
        if (!read)
            return false;
    }
    return git_oid_equal(&last, git_index_checksum(index)) != 0;
}

bool mgi_git_write_index(struct git *g, git_index *index)
{
    if (!is_as_it_was_read(index))
        return mgi_action_fail(g->a, "the index: another process has changed it meanwhile; nothing "
                                     "was changed: do it again");
    int error = git_index_write(index);
    return !error || mgi_git_fail(g, error, "the index");
}
