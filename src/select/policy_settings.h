/* What a policy process is and may do: the variables MACHINA_POLICY_* (toolhost.md 10.6), read once
 * from an environment that is passed in, and the command, taken apart without a shell.
 *
 * Settings are immutable and live in the arena that they were read into. */
#ifndef MGI_SELECT_POLICY_SETTINGS_H
#define MGI_SELECT_POLICY_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define POLICY_TIMEOUT_MS      2500
#define POLICY_TIMEOUT_DEV_MS  60000 /* MACHINA_PROFILE=dev */
#define POLICY_TIMEOUT_PROD_MS 30000 /* MACHINA_PROFILE=prod */
#define POLICY_STDOUT_MAX      65536
#define POLICY_STDERR_MAX      65536
#define POLICY_FAIL_THRESHOLD  5
#define POLICY_COOLDOWN_MS     30000

struct policy_limits { /* 0: as inherited */
    uint64_t cpu_sec, as_mb, fsize_mb, nofile, nproc;
};

/* What confines a policy beyond its limits (src/confine): it computes, reads what a program needs
 * to begin, its script folder and its payload, and starts programs that can do no more. All-zero:
 * nothing more than limits. */
struct policy_confinement {
    bool on;
    unsigned may;            /* enum confine_may that it may besides */
    const char *const *read; /* absolute paths that it may read (write) besides */
    size_t read_count;
    const char *const *write;
    size_t write_count;
};

struct policy_settings {
    char *const *words; /* of MACHINA_POLICY_CMD, ended by NULL; NULL: there is no policy */
    size_t word_count;
    const char *root;              /* absolute: the working folder of a policy */
    const char *script_root;       /* absolute or below `root`: where scripts may lie */
    const char *temp_dir;          /* where private folders are made */
    const struct str *allowed_exe; /* base names */
    size_t allowed_exe_count;
    bool allow_unsafe;  /* neither program nor script is checked */
    const char *path;   /* where an unsafe command is looked for: folders and ':' */
    char *const *env;   /* all of a policy's environment, ended by NULL */
    int64_t timeout_ms; /* from the start of the process */
    size_t stdout_max;  /* bytes */
    struct policy_limits limits;
    struct policy_confinement confinement; /* not read from the environment: off */
    uint32_t fail_threshold;               /* at least 1 */
    int64_t cooldown_ms;
};

/*
 * Read the settings (T-POL-3, T-POL-4, T-POL-7, T-ENV-1).
 *
 *   into      everything lives there
 *   env       "NAME=value", ended by NULL; what of it a policy gets (PATH, HOME, LANG, LC_*, TZ,
 *             TMPDIR, MACHINA_ROOT) is copied
 *   root      absolute path that counts if MACHINA_ROOT is not set
 *   problems  a line per fault is added: which variable, what is wrong with it, what it may be
 *
 * False: something is wrong (`problems` says what, all of it), or memory is short (it is empty).
 */
bool mgi_policy_settings_read(struct arena *into, char *const env[], const char *root,
                              struct policy_settings *out, struct buf *problems);

/*
 * Split a command into words: blanks part them; '…' is taken as it is; in "…" a backslash makes the
 * quote and the backslash plain; elsewhere it is a character like others. No variable, no pattern,
 * no shell.
 *
 *   words, count  *words ends with NULL
 *   why           static: what is wrong with the text
 *
 * False: *why says what is wrong; NULL: memory.
 */
bool mgi_policy_words(struct arena *into, struct str command, char *const **words, size_t *count,
                      const char **why);

#endif
