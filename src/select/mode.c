/* Control modes: see mode.h. */
#include "select/mode.h"

static const char *const mode_names[] = {
    [CONTROL_FALLBACK_ONLY] = "FALLBACK_ONLY",
    [CONTROL_SHADOW_POLICY] = "SHADOW_POLICY",
    [CONTROL_BLENDED] = "BLENDED",
    [CONTROL_POLICY_ONLY] = "POLICY_ONLY",
};

enum control_mode mgi_control_mode(struct str name)
{
    for (size_t i = 0; i < sizeof mode_names / sizeof *mode_names; i++)
        if (str_is(name, mode_names[i]))
            return (enum control_mode)i;
    return CONTROL_FALLBACK_ONLY;
}

const char *mgi_control_mode_name(enum control_mode mode)
{
    return mode_names[mode];
}

bool mgi_control_calls_policy(enum control_mode mode)
{
    return mode != CONTROL_FALLBACK_ONLY;
}

const struct selection *mgi_control_choose(enum control_mode mode, const struct selection *fallback,
                                           const struct selection *policy)
{
    switch (mode) {
    case CONTROL_POLICY_ONLY:
        return policy;
    case CONTROL_BLENDED:
        return policy->kind == SELECTION_INVALID ? fallback : policy;
    case CONTROL_FALLBACK_ONLY:
    case CONTROL_SHADOW_POLICY:
        break;
    }
    return fallback;
}
