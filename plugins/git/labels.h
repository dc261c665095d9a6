/* Which commit of a branch's first-parent line brought each of its commits: of a merge, all that
 * came with it; of the line itself, each its own. */
#ifndef PLUGINS_GIT_LABELS_H
#define PLUGINS_GIT_LABELS_H

#include "plugins/git/history.h"

/* Set the label of everything that `tip` reaches. What is beyond `look` has none. False: the call
 * failed. */
bool mgi_history_label(struct history *h, struct commit_node *tip);

/* The oldest commit that came with `tip` and that `tip` reaches. NULL in *oldest: it stands on the
 * line itself. */
bool mgi_history_oldest_own(struct history *h, struct commit_node *tip,
                            struct commit_node **oldest);

#endif
