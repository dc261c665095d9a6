/* Who decides: the fallback selector or the policy (toolhost.md 10.7). Pure functions. */
#ifndef MGI_SELECT_MODE_H
#define MGI_SELECT_MODE_H

#include "select/selection.h"

enum control_mode {
    CONTROL_FALLBACK_ONLY, /* the policy is not called */
    CONTROL_SHADOW_POLICY, /* it is called, and only logged */
    CONTROL_BLENDED,       /* the policy, unless it is INVALID */
    CONTROL_POLICY_ONLY
};

/* An unknown or empty name is FALLBACK_ONLY (T-MODE-1). */
enum control_mode mgi_control_mode(struct str name);
const char *mgi_control_mode_name(enum control_mode mode);

bool mgi_control_calls_policy(enum control_mode mode);
/* Which of the two counts. `policy` is not read if the mode calls none. */
const struct selection *mgi_control_choose(enum control_mode mode, const struct selection *fallback,
                                           const struct selection *policy);

#endif
