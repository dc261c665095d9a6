/* How the workers of a host are confined: which capabilities are in force, and the plan for them.
 *
 * What a plugin asks for is told by its own code, and the filter has to be in force before the
 * first byte of that runs (T-ISO-18). So the first worker starts with nothing granted. If the
 * plugin asks for no more than that, it goes on and serves; else it says what it asks for and is
 * replaced by one with the right plan, which the host keeps for all later ones:
 *
 *     unknown --start with nothing--> asked: nothing --> serves
 *                                     asked: more    --> ended; start with what it may have
 *
 * In force is what the plugin asks for, of that what the provider document grants (`caps`), and of
 * sockets what MACHINA_SECCOMP_PROFILE leaves. Paths of the document are granted besides. */
#ifndef TOOLHOST_CONFINEMENT_H
#define TOOLHOST_CONFINEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/log.h"
#include "confine/confine.h"
#include "confine/group.h"
#include "toolhost/provider.h"
#include "toolhost/settings.h"

struct confinement_of_workers {
    enum confine_level level;
    struct confine_features features;
    struct confine_folder folder; /* of all workers, one after the other */
    struct confine_group group;   /* likewise, whatever the level; perhaps there is none */
    uint32_t asked;               /* TH_CAP_*, by the plugin */
    bool known, again;            /* `asked` is; and the worker at hand has too little for it */
    bool network;                 /* MACHINA_SECCOMP_PROFILE allows sockets */
    bool planned;
    struct confine_plan plan;
};

/* The level (the stricter of the document's and the environment's), what this kernel has, the
 * private folder, a control group where one may be made. What it lacks is logged once. Returns
 * NULL, or why nothing may start, in `arena` (exit 3: T-ISO-9). Ends with mgi_confinement_fini().
 */
const char *mgi_confinement_init(struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider, const struct settings *settings,
                                 const struct logger *log);
void mgi_confinement_fini(struct confinement_of_workers *c);

/* TMPDIR is the private folder, and so is HOME unless the plugin may read everywhere. `env` is a
 * worker's, and replaced by one in `arena`. False: memory is short. */
bool mgi_confinement_environment(const struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider, char ***env);

/* Make the plan for what is known, if there is none yet; its limits are told with each start. NULL,
 * or why not. */
const char *mgi_confinement_plan(struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider);

/* The TH_CAP_* that a worker of this plan has (0 while nothing is known), and may have at most. */
uint32_t mgi_confinement_in_force(const struct confinement_of_workers *c,
                                  const struct provider *provider);

/* The plan at hand grants less than the document does to whatever plugin: paths. */
bool mgi_confinement_is_provisional(const struct confinement_of_workers *c,
                                    const struct provider *provider);

/* The plugin is loaded, and asked for nothing that its worker has not. */
void mgi_confinement_settled(struct confinement_of_workers *c);

/* The plugin asks for `caps`, and its worker had less. False: it asked for other ones before. */
bool mgi_confinement_asked(struct confinement_of_workers *c, uint32_t caps);

#endif
