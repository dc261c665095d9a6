/* How the workers of a host are confined: which capabilities are in force, and the plan for them.
 *
 * What a plugin asks for is told by its own code, and the filter has to be in force before the
 * first byte of that runs (T-ISO-18). So the host's first worker does not load the plugin before it
 * knows: it forks a process that is confined to nothing at all, loads the plugin there, and asks.
 * The worker itself, in which no byte of the plugin has run, hears from the host what that means
 * for it, confines itself, and loads the plugin; it and all later ones are refused if the plugin
 * then asks for something else.
 *
 *     host              worker              asked
 *     SETUP (ask) ----> fork -------------> confined to nothing; loads the plugin, asks it
 *                       CAPS <------------- says it, and is killed
 *     plan <----------- (nothing was loaded here)
 *     PLAN (ruleset) -> confined; loads
 *
 * Who is asked can harm nobody but itself. It has no descriptor of the host's and shares no memory
 * that anybody writes; the filter lets it signal itself alone and kills it for tracing; the worker
 * is not dumpable, so that its memory is closed where Landlock is missing, too; and it can lie, but
 * what it says is what it asks for. It is gone before its worker goes on, and goes with it.
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
    bool known;                   /* `asked` is; never, where nothing is confined */
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

/* TMPDIR is the private folder. `env` is a worker's, and replaced by one in `arena`. False: memory
 * is short. */
bool mgi_confinement_environment(const struct confinement_of_workers *c, struct arena *arena,
                                 char ***env);

/* Make the plan for what is known, if there is none yet; its limits are told with each start. NULL,
 * or why not. */
const char *mgi_confinement_plan(struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider);

/* What the plugin asks for. The plan at hand, which was for asking, is given up. False: it was
 * known already, or nobody asked. */
bool mgi_confinement_asked(struct confinement_of_workers *c, uint32_t caps);

#endif
