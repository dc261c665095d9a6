/* The heuristic selector (toolhost.md 10.5): no model, no program, always the same answer to the
 * same question. It is what answers when nothing better is there. Pure functions. */
#ifndef MGI_SELECT_HEURISTIC_H
#define MGI_SELECT_HEURISTIC_H

#include "select/menu.h"
#include "select/selection.h"

/* What a selector may look at beside menu and inputs. */
struct select_view {
    struct str goal; /* its id */
    const struct str *goal_tags;
    size_t goal_tag_count;
    uint8_t slots_used; /* bit n: slot n of the working state */
    struct str stage;   /* how far the build of a plugin is: "", "WROTE", "COMPILED", "LOADED" */
    struct str state_digest; /* the same text if, and only if, the state is the same */
};

/* The entry of `menu` that the table of T-HEUR-1 chooses, or NULL: NOOP. */
const struct menu_entry *mgi_heuristic_choose(const struct select_view *view,
                                              const struct menu *menu);

/* The goal as a policy is told it (T-HEUR-3): "<goal>|FLAGS:DS0=0;…;DS6_STAGE=<stage>;|<tag>…". */
void mgi_goal_context(struct buf *out, const struct select_view *view);

#endif
