/* Plans of policies: see policy_confine.h. */
#include "select/policy_confine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define OWN_PATHS 3 /* that every policy may read: program, script folder, payload */

/* Where scripts may lie, if there is such a folder. */
static const char *script_folder(const struct policy_settings *s, char out[PATH_MAX])
{
    char path[PATH_MAX];
    const char *root = s->script_root;
    int len = snprintf(path, sizeof path, "%s%s%s", root[0] == '/' ? "" : s->root,
                       root[0] == '/' ? "" : "/", root);
    return len > 0 && (size_t)len < sizeof path && realpath(path, out) ? out : NULL;
}

const char *mgi_policy_plan(struct arena *arena, const struct policy_settings *settings,
                            const struct policy_program *program, const char *payload,
                            struct confine_plan *plan)
{
    const struct policy_confinement *c = &settings->confinement;
    struct confine_features features;
    char folder[PATH_MAX];
    *plan = (struct confine_plan){ .ruleset = -1 };
    const char **read = mgi_arena_calloc(arena, c->read_count + OWN_PATHS, sizeof *read);
    const char *scripts = script_folder(settings, folder);
    size_t count = 0;
    if (!read)
        return "memory";
    for (; count < c->read_count; count++)
        read[count] = c->read[count];
    if (!(c->may & CONFINE_READ) || count > 0) { /* without a list it is everywhere */
        read[count++] = program->path;
        read[count++] = payload;
        if (scripts)
            read[count++] = scripts;
    }
    /* Its program has to be begun; what that begins in turn can do no more. */
    const struct confinement wanted = { .may = c->may | CONFINE_SPAWN,
                                        .read = read,
                                        .read_count = count,
                                        .write = c->write,
                                        .write_count = c->write_count };
    mgi_confine_probe(&features);
    return mgi_confine_plan_init(plan, &wanted, &features, arena);
}
