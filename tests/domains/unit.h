/* The unit domain, loaded for a test: its actions come from a table here, so no plugin host runs.
 */
#ifndef TESTS_DOMAINS_UNIT_H
#define TESTS_DOMAINS_UNIT_H

#include <stdio.h>

#include "domain/domain.h"

static inline bool unit_list(void *context, void *begun, struct arena *arena,
                             const struct action_provider *provider, struct action **actions,
                             size_t *count, const char **why)
{
    static const struct str none[] = { { "none", 4 } }, files[] = { { "filesystem", 10 } },
                            wipes[] = { { "destructive", 11 } };
    static const struct action table[] = {
        { .aid = { "AID.FX.ECHO.v1", 14 },
          .name = { "echo", 4 },
          .tier = 0,
          .deterministic = true,
          .idempotent = true,
          .reversible = true,
          .effects = none,
          .effect_count = 1 },
        { .aid = { "AID.FX.WAIT.v1", 14 },
          .name = { "wait", 4 },
          .tier = 0,
          .idempotent = true,
          .reversible = true,
          .effects = none,
          .effect_count = 1 },
        { .aid = { "AID.FX.TOUCH.v1", 15 },
          .name = { "touch", 5 },
          .tier = 1,
          .idempotent = true,
          .reversible = true,
          .effects = files,
          .effect_count = 1 },
        { .aid = { "AID.FX.WIPE.v1", 14 },
          .name = { "wipe", 4 },
          .tier = 3,
          .idempotent = true,
          .effects = wipes,
          .effect_count = 1 },
        { .aid = { "AID.FX.STORE.v1", 15 },
          .name = { "store", 5 },
          .tier = 1,
          .effects = files,
          .effect_count = 1 },
        { .aid = { "AID.FX.FAIL.v1", 14 },
          .name = { "fail", 4 },
          .tier = 0,
          .idempotent = true,
          .effects = none,
          .effect_count = 1 },
    };
    size_t n = sizeof table / sizeof *table;
    struct action *all = mgi_arena_calloc(arena, *count + n, sizeof *all);
    (void)context, (void)begun;
    *why = "out of memory";
    if (!all)
        return false;
    if (*count > 0)
        memcpy(all, *actions, *count * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        all[*count + i] = table[i];
        all[*count + i].provider = provider;
    }
    *actions = all;
    *count += n;
    return true;
}

static const struct action_source unit_actions = { .list = unit_list };

/* NULL after printing what is wrong. `set` ends with NULL; may be NULL. */
static inline struct snapshot *unit_load(const char *folder, const char *const *set)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct domain_options options = {
        .actions = &unit_actions, .plugin_paths = plugin_paths, .plugin_path_count = 1, .set = set
    };
    while (set && set[options.set_count])
        options.set_count++;
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = mgi_domain_load(folder, &options, findings);
    for (size_t i = 0; !s && i < mgi_findings_count(findings); i++) {
        struct buf text = { 0 };
        mgi_finding_print(&text, mgi_findings_get(findings, i));
        fputs(text.ptr, stderr);
        mgi_buf_fini(&text);
    }
    mgi_findings_free(findings);
    return s;
}

#define UNIT_FOLDER MGI_SOURCE_DIR "/tests/domains/unit"

#endif
