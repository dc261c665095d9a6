/* Environment variables as values: see settings.h. */
#include "toolhost/settings.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "toolhost.h"
#include "toolhost/breaker.h"
#include "toolhost/sizes.h"

/* The value of `name`, or NULL. */
static const char *env_get(char *const env[], const char *name)
{
    size_t len = strlen(name);
    for (; *env; env++)
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
            return *env + len + 1;
    return NULL;
}

/* ---- numbers ------------------------------------------------------------------------------ */

struct number_rule {
    const char *name;
    uint64_t min, max;
    size_t offset; /* in struct settings, of a 64-bit member */
};

static const struct number_rule number_rules[] = {
    { "MACHINA_TOOLHOST_TIMEOUT_MS", 1, MAX_CALL_MS, offsetof(struct settings, timeout_ms) },
    { "MACHINA_TOOLHOST_GRACE_MS", 0, 60000, offsetof(struct settings, grace_ms) },
    { "MACHINA_TOOLHOST_RLIMIT_AS_MB", 0, 1u << 24, offsetof(struct settings, as_mb) },
    { "MACHINA_TOOLHOST_RLIMIT_FSIZE_MB", 0, 1u << 24, offsetof(struct settings, fsize_mb) },
    { "MACHINA_TOOLHOST_RLIMIT_NOFILE", 0, 1u << 20, offsetof(struct settings, nofile) },
    { "MACHINA_TOOLHOST_RLIMIT_NPROC", 0, 1u << 20, offsetof(struct settings, nproc) },
    { "MACHINA_TOOLHOST_RLIMIT_CPU_SEC", 0, MAX_CALL_MS, offsetof(struct settings, cpu_sec) },
    { "MACHINA_TOOLHOST_BREAKER_THRESHOLD", 0, BREAKER_MAX_THRESHOLD,
      offsetof(struct settings, breaker_threshold) },
    { "MACHINA_TOOLHOST_BREAKER_WINDOW_MS", 0, MAX_CALL_MS,
      offsetof(struct settings, breaker_window_ms) },
    { "MACHINA_TOOLHOST_BREAKER_COOLDOWN_MS", 0, MAX_CALL_MS,
      offsetof(struct settings, breaker_cooldown_ms) },
    { "MACHINA_TOOLHOST_VALIDATE", 0, 1, offsetof(struct settings, validate) },
};

static bool number_parse(const char *z, uint64_t min, uint64_t max, uint64_t *out)
{
    uint64_t n = 0;
    if (*z == '\0')
        return false;
    for (; *z; z++) {
        if (*z < '0' || *z > '9' || n > (UINT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (uint64_t)(*z - '0');
    }
    *out = n;
    return n >= min && n <= max;
}

static bool read_numbers(char *const env[], const struct logger *log, struct settings *out)
{
    bool good = true;
    for (size_t i = 0; i < sizeof number_rules / sizeof *number_rules; i++) {
        const struct number_rule *rule = &number_rules[i];
        const char *z = env_get(env, rule->name);
        uint64_t n;
        if (!z)
            continue;
        if (!number_parse(z, rule->min, rule->max, &n)) {
            mgi_log(log, LOG_ERROR, "%s is not a number from %llu to %llu", rule->name,
                    (unsigned long long)rule->min, (unsigned long long)rule->max);
            good = false;
        } else {
            memcpy((char *)out + rule->offset, &n, sizeof n);
        }
    }
    return good;
}

/* MACHINA_TOOLHOST_TIMEOUT, in seconds, is shared with the callers, who fall back to the default
 * when it is wrong; so does the host (T-DISP-25). */
static void read_timeout(char *const env[], const struct logger *log, struct settings *out)
{
    const char *z = env_get(env, "MACHINA_TOOLHOST_TIMEOUT");
    if (!z)
        return;
    char *end;
    double seconds = strtod(z, &end);
    if (end == z || *end != '\0' || !(seconds > 0) || isinf(seconds)) {
        mgi_log(log, LOG_WARN, "MACHINA_TOOLHOST_TIMEOUT is not a positive number: 30 s it is");
        return;
    }
    double ms = ceil(seconds * 1000);
    out->timeout_ms = ms > MAX_CALL_MS ? MAX_CALL_MS : (int64_t)ms;
}

/* ---- words -------------------------------------------------------------------------------- */

static bool read_enforce(char *const env[], const struct logger *log, struct settings *out)
{
    const char *z = env_get(env, "MACHINA_LEASE_ENFORCE");
    if (!z || !*z || strcmp(z, "0") == 0 || strcmp(z, "false") == 0)
        return true;
    out->lease_enforce = true;
    if (strcmp(z, "1") == 0 || strcmp(z, "true") == 0)
        return true;
    mgi_log(log, LOG_ERROR, "MACHINA_LEASE_ENFORCE is not 1, true, 0, false or empty");
    return false;
}

static bool read_issuing(char *const env[], const struct logger *log, struct settings *out)
{
    static const char *const words[] = {
        [ISSUE_CONTROL] = "control",
        [ISSUE_INBAND] = "inband",
        [ISSUE_OFF] = "off",
    };
    out->issuing = out->lease_enforce ? ISSUE_CONTROL : ISSUE_INBAND;
    const char *z = env_get(env, "MACHINA_LEASE_ISSUE");
    if (!z || !*z)
        return true;
    for (int i = ISSUE_CONTROL; i <= ISSUE_OFF; i++) {
        if (strcmp(z, words[i]) == 0) {
            out->issuing = (enum lease_issuing)i;
            return true;
        }
    }
    mgi_log(log, LOG_ERROR, "MACHINA_LEASE_ISSUE is not control, inband or off");
    return false;
}

static bool hex_parse(const char *z, uint8_t *out, size_t len)
{
    if (strlen(z) != 2 * len)
        return false;
    for (size_t i = 0; i < len; i++) {
        const char pair[3] = { z[2 * i], z[2 * i + 1], '\0' };
        if (strspn(pair, "0123456789abcdefABCDEF") != 2)
            return false;
        out[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

static bool read_plugin_sha(char *const env[], const struct logger *log, struct settings *out)
{
    const char *z = env_get(env, "MACHINA_PLUGIN_SHA256");
    if (!z || !*z)
        return true;
    out->has_plugin_sha = hex_parse(z, out->plugin_sha, sizeof out->plugin_sha);
    if (!out->has_plugin_sha)
        mgi_log(log, LOG_ERROR, "MACHINA_PLUGIN_SHA256 is not 64 hexadecimal digits");
    return out->has_plugin_sha;
}

bool mgi_cap_named(struct str name, uint32_t *cap)
{
    static const struct {
        const char *name;
        uint32_t cap;
    } caps[] = {
        { "file_read", TH_CAP_FILE_READ },
        { "file_write", TH_CAP_FILE_WRITE },
        { "shell", TH_CAP_SHELL },
        { "network", TH_CAP_NETWORK },
        { "memory", TH_CAP_MEMORY },
        { "genesis", TH_CAP_GENESIS },
        { "gpu", TH_CAP_GPU },
        { "all", TH_CAP_ALL },
        { "none", 0 },
    };
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        if (str_is(name, caps[i].name)) {
            *cap = caps[i].cap;
            return true;
        }
    }
    return false;
}

static bool caps_parse(const char *z, uint32_t *out)
{
    if (strncmp(z, "0x", 2) == 0) {
        size_t digits = strspn(z + 2, "0123456789abcdefABCDEF");
        *out = (uint32_t)strtoul(z, NULL, 16);
        return digits >= 1 && digits <= 8 && z[2 + digits] == '\0';
    }
    *out = 0;
    for (;;) {
        size_t len = strcspn(z, ",");
        uint32_t cap;
        if (!mgi_cap_named((struct str){ z, len }, &cap))
            return false;
        *out |= cap;
        if (z[len] == '\0')
            return true;
        z += len + 1;
    }
}

static bool read_caps(char *const env[], const struct logger *log, struct settings *out)
{
    const char *z = env_get(env, "MACHINA_PLUGIN_CAPS");
    if (!z || caps_parse(z, &out->plugin_caps))
        return true;
    mgi_log(log, LOG_ERROR, "MACHINA_PLUGIN_CAPS is neither a 0x mask nor a list of capabilities");
    return false;
}

/* ---- the audit log ------------------------------------------------------------------------- */

/* On with 1 or true; off with 0, false, empty or unset. */
static bool read_switch(char *const env[], const struct logger *log, const char *name, bool *out)
{
    const char *z = env_get(env, name);
    if (!z || !*z)
        return true;
    *out = strcmp(z, "1") == 0 || strcmp(z, "true") == 0;
    if (*out || strcmp(z, "0") == 0 || strcmp(z, "false") == 0)
        return true;
    mgi_log(log, LOG_ERROR, "%s is not 1, true, 0, false or empty", name);
    return false;
}

static bool read_audit(char *const env[], const struct logger *log, struct settings *out)
{
    const char *path = env_get(env, "MACHINA_TOOLHOST_AUDIT");
    const char *profile = env_get(env, "MACHINA_PROFILE");
    out->audit_path = path && *path ? path : NULL;
    out->audit_flush = profile && strcmp(profile, "prod") == 0;
    bool good = read_switch(env, log, "MACHINA_TOOLHOST_AUDIT_REQUIRED", &out->audit_required);
    good &= read_switch(env, log, "MACHINA_WAL_FSYNC", &out->audit_flush);
    good &= read_switch(env, log, "MACHINA_DETERMINISTIC_RUN_ID", &out->fixed_run_id);
    if (!out->audit_required || out->audit_path)
        return good;
    mgi_log(log, LOG_ERROR,
            "MACHINA_TOOLHOST_AUDIT_REQUIRED asks for an audit log, and "
            "MACHINA_TOOLHOST_AUDIT names no file");
    return false;
}

/* ---- the system-call filter ---------------------------------------------------------------- */

/* T-ISO-8: MACHINA_PROFILE=prod turns it on unless it was said to be off. */
static bool read_seccomp(char *const env[], const struct logger *log, struct settings *out)
{
    const char *deployment = env_get(env, "MACHINA_PROFILE");
    const char *profile = env_get(env, "MACHINA_SECCOMP_PROFILE");
    out->seccomp = deployment && strcmp(deployment, "prod") == 0;
    out->seccomp_profile_said = profile && *profile;
    out->seccomp_net = out->seccomp_profile_said && strcmp(profile, "net") == 0;
    bool good = read_switch(env, log, "MACHINA_SECCOMP_ENABLE", &out->seccomp);
    good &= read_switch(env, log, "MACHINA_SECCOMP_ALLOW_NET", &out->seccomp_net);
    if (!out->seccomp_profile_said || strcmp(profile, "net") == 0 || strcmp(profile, "strict") == 0)
        return good;
    mgi_log(log, LOG_ERROR, "MACHINA_SECCOMP_PROFILE is not strict or net");
    return false;
}

/* ---- all of it ------------------------------------------------------------------------------ */

bool mgi_settings_read(char *const env[], const struct logger *log, struct settings *out)
{
    *out = (struct settings){
        .timeout_ms = 30000,
        .grace_ms = 250,
        .as_mb = 1024,
        .fsize_mb = 10,
        .nofile = 64,
        .nproc = 32,
        .cpu_sec = 30,
        .cpu_by_call = env_get(env, "MACHINA_TOOLHOST_RLIMIT_CPU_SEC") == NULL,
        .as_default = env_get(env, "MACHINA_TOOLHOST_RLIMIT_AS_MB") == NULL,
        .nofile_default = env_get(env, "MACHINA_TOOLHOST_RLIMIT_NOFILE") == NULL,
        .nproc_default = env_get(env, "MACHINA_TOOLHOST_RLIMIT_NPROC") == NULL,
        .fsize_default = env_get(env, "MACHINA_TOOLHOST_RLIMIT_FSIZE_MB") == NULL,
        .plugin_caps = TH_CAP_ALL,
        .breaker_threshold = 3,
        .breaker_window_ms = 300000,
        .breaker_cooldown_ms = 30000,
        .validate = 1,
    };
    read_timeout(env, log, out);
    bool good = read_numbers(env, log, out); /* the milliseconds win over the seconds */
    good &= read_enforce(env, log, out);
    good &= read_issuing(env, log, out);
    good &= read_plugin_sha(env, log, out);
    good &= read_caps(env, log, out);
    good &= read_audit(env, log, out);
    good &= read_seccomp(env, log, out);
    return good;
}

/* ---- the worker's environment ------------------------------------------------------------- */

/* A name that ends in '*' is a prefix. */
static const char *const passed_names[] = {
    "PATH",
    "HOME",
    "LANG",
    "LC_*",
    "TZ",
    "TMPDIR",
    "MACHINA_ROOT",
    "MACHINA_TOOL_*",
    "MACHINA_FS_WRITE_ROOT",
    "MACHINA_HTTP_ALLOWED_HOSTS",
    "MACHINA_HTTP_DEFAULT_DENY",
    "MACHINA_SHELL_ALLOWED_EXE",
};

static bool name_is_listed(struct str name)
{
    for (size_t i = 0; i < sizeof passed_names / sizeof *passed_names; i++) {
        struct str listed = str_of(passed_names[i]);
        if (listed.ptr[listed.len - 1] == '*') {
            listed.len--;
            if (mgi_str_starts(name, listed))
                return true;
        } else if (str_eq(name, listed)) {
            return true;
        }
    }
    return false;
}

static bool name_is_passed(struct str name, const char *more)
{
    if (mgi_str_starts(name, STR_LIT("LD_")))
        return false;
    if (name_is_listed(name))
        return true;
    while (more && *more) {
        size_t len = strcspn(more, ",");
        if (str_eq(name, (struct str){ more, len }))
            return true;
        more += len + (more[len] == ',');
    }
    return false;
}

char **mgi_worker_env(struct arena *arena, char *const env[])
{
    const char *more = env_get(env, "MACHINA_TOOLHOST_PASS_ENV");
    size_t count = 0;
    while (env[count])
        count++;
    char **out = mgi_arena_calloc(arena, count + 1, sizeof *out);
    if (!out)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (name_is_passed((struct str){ env[i], strcspn(env[i], "=") }, more))
            out[kept++] = env[i];
    return out;
}
