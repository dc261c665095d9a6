/* Actions of the contract that are still to be written. */
#include "plugins/git/git_plugin.h"

#define PENDING(name)                                                                              \
    bool name(struct action *a)                                                                    \
    {                                                                                              \
        return mgi_action_fail(a, "is not there yet");                                             \
    }
PENDING(mgi_git_stage)
PENDING(mgi_git_unstage)
PENDING(mgi_git_commit_staged)
PENDING(mgi_git_create_branch)
PENDING(mgi_git_delete_branch)
PENDING(mgi_git_switch)
PENDING(mgi_git_restore)
PENDING(mgi_git_stash)
PENDING(mgi_git_stash_pop)
PENDING(mgi_git_revert)
PENDING(mgi_git_tag)
PENDING(mgi_git_worktree_add)
PENDING(mgi_git_worktree_remove)
PENDING(mgi_git_apply)
PENDING(mgi_git_clean)
