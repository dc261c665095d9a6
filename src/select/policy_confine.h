/* What a policy process may do, as a plan of src/confine, made anew for each call: the folder of
 * its payload is in it, so that no call can read what another one is given. */
#ifndef MGI_SELECT_POLICY_CONFINE_H
#define MGI_SELECT_POLICY_CONFINE_H

#include "confine/confine.h"
#include "select/policy_command.h"

/*
 * Make the plan of `settings->confinement`, which is on.
 *
 *   arena    scratch, and the text of a failure
 *   program  what is going to run; `payload` the folder that its argument lies in
 *   plan     ends with mgi_confine_plan_fini(), also after a failure
 *
 * NULL; or what could not be done, and errno says why. Some system calls for each path: well under
 * a millisecond.
 */
const char *mgi_policy_plan(struct arena *arena, const struct policy_settings *settings,
                            const struct policy_program *program, const char *payload,
                            struct confine_plan *plan);

#endif
