/* The host's side of confinement: see confinement.h. */
#include "toolhost/confinement.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "toolhost.h"

/* ---- what may be ------------------------------------------------------------------------------
 */

static bool is_confined(const struct confinement_of_workers *c)
{
    return c->level == CONFINE_ON || c->level == CONFINE_REQUIRED;
}

/* A list takes the place of "everywhere"; an empty one grants nothing. */
static unsigned may_of(const struct confinement_of_workers *c, const struct provider *provider)
{
    uint32_t caps = c->known ? c->asked & provider->caps : 0;
    unsigned may = 0;
    if (caps & TH_CAP_FILE_READ && !provider->has_read)
        may |= CONFINE_READ;
    if (caps & TH_CAP_FILE_WRITE && !provider->has_write)
        may |= CONFINE_WRITE;
    if (caps & TH_CAP_SHELL)
        may |= CONFINE_SPAWN;
    if (caps & TH_CAP_NETWORK && c->network)
        may |= CONFINE_NETWORK;
    if (caps & TH_CAP_GENESIS)
        may |= CONFINE_MAKE_CODE;
    if (caps == TH_CAP_ALL)
        may |= CONFINE_LOCAL_SOCKETS;
    return may;
}

/* ---- the level ------------------------------------------------------------------------------- */

static enum confine_level level_of(const struct provider *provider, const struct settings *settings)
{
    if (settings->seccomp)
        return CONFINE_REQUIRED; /* T-ISO-9: asked for by the operator */
    return provider->confine == CONFINE_UNSAID ? CONFINE_OFF : provider->confine;
}

/* All that is lacking, in one text. NULL: memory is short. */
static const char *lacks_text(struct arena *arena, unsigned lacks)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "cannot restrict worker: ");
    for (unsigned lack = 1, first = 1; lack <= CONFINE_LACK_LAST; lack <<= 1)
        if (lacks & lack) {
            mgi_buf_printf(&text, "%s%s", first ? "" : "; ",
                           mgi_confine_lack_text((enum confine_lack)lack));
            first = 0;
        }
    const char *kept = text.oom ? NULL : mgi_arena_str(arena, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    return kept ? kept : "out of memory";
}

static void warn_of_lacks(const struct logger *log, unsigned lacks)
{
    for (unsigned lack = 1; lack <= CONFINE_LACK_LAST; lack <<= 1)
        if (lacks & lack)
            mgi_log(log, LOG_WARN, "not enforced: %s",
                    mgi_confine_lack_text((enum confine_lack)lack));
}

const char *mgi_confinement_init(struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider, const struct settings *settings,
                                 const struct logger *log)
{
    *c = (struct confinement_of_workers){ .level = level_of(provider, settings) };
    c->folder.fd = c->plan.ruleset = -1;
    if (mgi_confine_group_make(&c->group))
        mgi_confine_group_limit(&c->group, settings->nproc, settings->as_mb << 20);
    if (getuid() == 0)
        mgi_log(log, LOG_WARN, "running as user id 0: the process limit is not enforced%s",
                is_confined(c) ? "" : ", and plugins can read this process");
    if (!is_confined(c))
        return NULL;
    /* Without a document the profile is all there is; beside one it counts if it was said. */
    c->network = settings->seccomp_net ||
                 (provider->confine != CONFINE_UNSAID && !settings->seccomp_profile_said);
    mgi_confine_probe(&c->features);
    unsigned lacks = mgi_confine_lacks(&c->features, 0);
    if (lacks && c->level == CONFINE_REQUIRED)
        return lacks_text(arena, lacks);
    warn_of_lacks(log, lacks);
    const char *under = getenv("TMPDIR");
    return mgi_confine_folder_make(&c->folder, under)
               ? NULL
               : "cannot restrict worker: no private folder could be made below TMPDIR or /tmp";
}

void mgi_confinement_fini(struct confinement_of_workers *c)
{
    if (c->planned)
        mgi_confine_plan_fini(&c->plan);
    c->planned = false;
    mgi_confine_group_remove(&c->group);
    mgi_confine_folder_remove(&c->folder);
}

/* ---- the environment ------------------------------------------------------------------------- */

static bool is_named(const char *variable, const char *name)
{
    size_t len = strlen(name);
    return strncmp(variable, name, len) == 0 && variable[len] == '=';
}

bool mgi_confinement_environment(const struct confinement_of_workers *c, struct arena *arena,
                                 char ***env)
{
    size_t count = 0, kept = 0;
    if (c->folder.path[0] == '\0')
        return true;
    while ((*env)[count])
        count++;
    char **out = mgi_arena_calloc(arena, count + 2, sizeof *out);
    char *temporary = mgi_arena_printf(arena, "TMPDIR=%s", c->folder.path);
    if (!out || !temporary)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_named((*env)[i], "TMPDIR"))
            out[kept++] = (*env)[i];
    out[kept++] = temporary;
    *env = out;
    return true;
}

/* ---- the plan -------------------------------------------------------------------------------- */

const char *mgi_confinement_plan(struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider)
{
    if (c->planned)
        return NULL;
    if (!is_confined(c)) {
        c->plan = (struct confine_plan){ .limits_only = true, .ruleset = -1 };
        c->planned = true;
        return NULL;
    }
    const bool granted = c->known; /* who is asked gets nothing, whatever the document says */
    const struct confinement wanted = {
        .may = may_of(c, provider),
        .read = granted ? provider->read : NULL,
        .read_count = granted ? provider->read_count : 0,
        .write = granted ? provider->write : NULL,
        .write_count = granted ? provider->write_count : 0,
        .private_folder = c->folder.path,
    };
    unsigned lacks = mgi_confine_lacks(&c->features, wanted.may);
    if (lacks && c->level == CONFINE_REQUIRED)
        return lacks_text(arena, lacks);
    const char *why = mgi_confine_plan_init(&c->plan, &wanted, &c->features, arena);
    c->planned = !why;
    if (!why)
        return NULL;
    mgi_confine_plan_fini(&c->plan);
    const char *text = mgi_arena_printf(arena, "cannot restrict worker: %s", why);
    return text ? text : "out of memory";
}

bool mgi_confinement_asked(struct confinement_of_workers *c, uint32_t caps)
{
    if (c->known || !is_confined(c))
        return false;
    c->asked = caps;
    c->known = true;
    if (c->planned)
        mgi_confine_plan_fini(&c->plan);
    c->planned = false;
    return true;
}
