/* The host's environment variables as values (toolhost.md appendix B). They are read once, at
 * start, from an array that is passed in. A value that does not parse ends the start: a mistyped
 * limit must not become "no limit" (T-ENV-1). */
#ifndef TOOLHOST_SETTINGS_H
#define TOOLHOST_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/log.h"
#include "sys/digest.h"

enum lease_issuing { ISSUE_CONTROL, ISSUE_INBAND, ISSUE_OFF };

struct settings {
    int64_t timeout_ms; /* of a call, unless the tool or the request says less */
    int64_t grace_ms;   /* between the cancel flag and the kill */

    /* Limits of the worker; 0 leaves what it inherits. */
    uint64_t as_mb, fsize_mb, nofile, nproc, cpu_sec;
    bool cpu_by_call; /* cpu_sec is the default: a longer call gets more */
    /* nobody said them: a provider document may */
    bool as_default, nofile_default, nproc_default, fsize_default;

    bool lease_enforce;
    enum lease_issuing issuing;

    /* The system-call filter is asked for (T-ISO-8); it may have sockets; that was said. */
    bool seccomp, seccomp_net, seccomp_profile_said;

    uint32_t plugin_caps; /* that a plugin may ask for */
    bool has_plugin_sha;
    uint8_t plugin_sha[SHA256_BYTES];

    /* The breaker of a tool (7.6); a threshold of 0: there is none. */
    uint64_t breaker_threshold, breaker_window_ms, breaker_cooldown_ms;
    uint64_t validate; /* 1: inputs are held against the tools' schemas (T-INP-7) */

    const char *audit_path; /* NULL: no audit log. Borrowed from the environment */
    bool audit_required, audit_flush;
    bool fixed_run_id; /* every run has the same (T-RUN-2) */
};

/* False: at least one variable is wrong; all that are have been logged by name, never by value
 * (T-CLI-27). */
bool mgi_settings_read(char *const env[], const struct logger *log, struct settings *out);

/* The TH_CAP_* bits of a name as in MACHINA_PLUGIN_CAPS; false: there is no such name. */
bool mgi_cap_named(struct str name, uint32_t *cap);

/* The environment that a worker gets: what 7.2 lists and MACHINA_TOOLHOST_PASS_ENV names, never
 * LD_*. The array ends with NULL and lives in `arena`, the strings where they were. NULL: no
 * memory. */
char **mgi_worker_env(struct arena *arena, char *const env[]);

#endif
