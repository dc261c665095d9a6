/* What a branch follows, as the repository's configuration says it.
 *
 * libgit2 1.5 looks remotes up with expressions over all of the configuration, and loses 20 KB for
 * every entry that does not match; here the entries are read plainly. */
#ifndef PLUGINS_GIT_UPSTREAM_H
#define PLUGINS_GIT_UPSTREAM_H

#include "plugins/git/history.h"

/* The full name of what the branch (a full name) follows, in the arena; NULL: nothing that can be
 * named. False: the call failed. */
bool mgi_git_upstream(struct git *g, const char *branch, const char **upstream);

/* Without refs/remotes/ or refs/heads/. */
const char *mgi_git_short_name(const char *refname);

/* Member upstream of the answer, if the branch follows something. False: the call failed. */
bool mgi_git_put_upstream(struct history *h, const char *branch, const git_oid *tip);

/* How the configuration says that a branch (a short name) follows `refname`. Nothing is written,
 * and nothing is allocated when it is. False: the call failed: no remote brings it. */
struct followed {
    const char *remote_key, *remote, *merge_key, *merge; /* in the arena */
};
bool mgi_git_find_followed(struct git *g, const char *branch, const char *refname,
                           struct followed *out);
int mgi_git_set_followed(struct git *g, const struct followed *f); /* what libgit2 returned */

/* What the configuration says of a branch (a short name), to be taken out. */
#define BRANCH_KEYS_MOST 100
struct branch_keys {
    const char *items[BRANCH_KEYS_MOST];
    size_t count;
};
bool mgi_git_find_branch_keys(struct git *g, const char *branch, struct branch_keys *out);
void mgi_git_forget_branch(struct git *g, const struct branch_keys *keys);

#endif
