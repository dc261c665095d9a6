/* `policies:` of domain.yaml: programs that pick from menus.
 *
 *     policies:
 *       pick: {run: [python3, policies/pick.py], may: [network], timeout: 2s}
 *
 * What holds for all of them stands in the server's environment (MACHINA_POLICY_*, toolhost.md
 * 10.6): it is the operator's. What one of them may do beside computing stands here. */
#include <unistd.h>

#include "confine/confine.h"
#include "domain/domain_int.h"
#include "domain/provider.h"
#include "select/policy_command.h"
#include "sys/secrets.h"

#define MOST_WORDS     64
#define MOST_PATHS     64
#define MOST_VARIABLES 320
#define MOST_FAILURES  1000000
#define DAY_MS         (INT64_C(24) * 60 * 60 * 1000)

/* Of the server's own environment: what a policy is told, and what is said of policies. */
static const char *const variables[] = {
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "MACHINA_PROFILE",
    "MACHINA_POLICY_ALLOWED_EXE",
    "MACHINA_POLICY_ALLOWED_SCRIPT_ROOT",
    "MACHINA_POLICY_ALLOW_UNSAFE",
    "MACHINA_POLICY_TIMEOUT_MS",
    "MACHINA_POLICY_STDOUT_MAX",
    "MACHINA_POLICY_RLIMIT_CPU_SEC",
    "MACHINA_POLICY_RLIMIT_AS_MB",
    "MACHINA_POLICY_RLIMIT_FSIZE_MB",
    "MACHINA_POLICY_RLIMIT_NOFILE",
    "MACHINA_POLICY_RLIMIT_NPROC",
    "MACHINA_POLICY_FAIL_THRESHOLD",
    "MACHINA_POLICY_COOLDOWN_MS",
};
#define VARIABLE_COUNT (sizeof variables / sizeof *variables)

const struct domain_policy *mgi_snapshot_policy(const struct snapshot *s, struct str name)
{
    for (size_t i = 0; i < s->policy_count; i++)
        if (str_eq(s->policies[i].name, name))
            return &s->policies[i];
    return NULL;
}

/* ---- what holds for all of them ------------------------------------------------------------ */

/* The settings of the environment, at home in the folder. *good: there are some; else it is told.
 * False: memory. */
static bool read_common(struct loading *l, const struct yaml_node *at, struct policy_settings *out,
                        bool *good)
{
    struct arena *a = l->yaml.arena;
    struct buf problems = { 0 };
    char **env = mgi_arena_calloc(a, VARIABLE_COUNT + 2, sizeof *env);
    size_t count = 0;
    if (!env)
        return false;
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        const char *value = mgi_secret(variables[i]);
        env[count] = value ? mgi_arena_printf(a, "%s=%s", variables[i], value) : NULL;
        count += env[count] != NULL;
    }
    env[count] = mgi_arena_printf(a, "MACHINA_ROOT=%s", l->folder);
    *good = env[count] && mgi_policy_settings_read(a, env, l->folder, out, &problems);
    bool memory = *good || problems.len > 0;
    if (problems.len > 0)
        mgi_yaml_error(&l->yaml, at, "POLICY", "The variables are in docs/selectors.md.",
                       "the server's environment: %.*s", (int)problems.len - 1, problems.ptr);
    mgi_buf_fini(&problems);
    return memory;
}

/* ---- one of them --------------------------------------------------------------------------- */

struct reading {
    struct loading *l;
    const struct yaml_node *n;
    struct domain_policy *p;
    char **env;
    size_t env_count;
};

static bool is_variable_word(const struct yaml_node *n)
{
    return n->kind == YAML_SCALAR && !memchr(n->text.ptr, '\0', n->text.len);
}

static const struct yaml_node *read_list(const struct reading *r, const char *key, size_t most)
{
    const struct yaml_node *list = mgi_yaml_get(r->n, key);
    bool good = !list || (list->kind == YAML_LIST && list->count <= most);
    for (size_t i = 0; list && good && i < list->count; i++)
        good = is_variable_word(list->entries[i].value);
    if (good)
        return list;
    mgi_yaml_error(&r->l->yaml, list, "BAD_VALUE", NULL, "%s must be a list of at most %zu texts",
                   key, most);
    return NULL;
}

static bool read_words(struct reading *r)
{
    struct arena *a = r->l->yaml.arena;
    const struct yaml_node *run = read_list(r, "run", MOST_WORDS);
    if (!mgi_yaml_get(r->n, "run") || (run && run->count == 0))
        mgi_yaml_error(&r->l->yaml, r->n, "MISSING_KEY", "Write run: [python3, policies/pick.py].",
                       "\"run\" is missing");
    if (!run || run->count == 0)
        return true;
    char **words = mgi_arena_calloc(a, run->count + 1, sizeof *words);
    for (size_t i = 0; words && i < run->count; i++) {
        words[i] = mgi_arena_printf(a, "%.*s", STR_ARG(run->entries[i].value->text));
        if (!words[i])
            return false;
    }
    r->p->settings.words = words;
    r->p->settings.word_count = run->count;
    return words != NULL;
}

/* Absolute, below the folder if they are not; each has to be there. */
static bool read_paths(struct reading *r, const char *key, const char *const **out, size_t *count)
{
    struct arena *a = r->l->yaml.arena;
    const struct yaml_node *list = read_list(r, key, MOST_PATHS);
    if (!list)
        return true;
    const char **paths = mgi_arena_calloc(a, list->count + 1, sizeof *paths);
    for (size_t i = 0; paths && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        bool absolute = n->text.len > 0 && n->text.ptr[0] == '/';
        paths[i] = mgi_arena_printf(a, "%s%s%.*s", absolute ? "" : r->l->folder,
                                    absolute ? "" : "/", STR_ARG(n->text));
        if (!paths[i])
            return false;
        if (access(paths[i], F_OK) != 0)
            mgi_yaml_error(&r->l->yaml, n, "NO_FILE", "Paths count from the domain folder.",
                           "there is no file \"%.*s\"", STR_ARG(n->text));
    }
    *out = paths;
    *count = list->count;
    return paths != NULL;
}

static unsigned read_may(const struct reading *r)
{
    static const struct {
        const char *word;
        unsigned may;
    } words[] = { { "file_read", CONFINE_READ },
                  { "file_write", CONFINE_WRITE },
                  { "network", CONFINE_NETWORK } };
    const struct yaml_node *list = read_list(r, "may", MOST_PATHS);
    unsigned may = 0;
    for (size_t i = 0; list && i < list->count; i++) {
        unsigned found = 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_is(list->entries[i].value->text, words[k].word))
                found = words[k].may;
        if (!found)
            mgi_yaml_error(&r->l->yaml, list->entries[i].value, "BAD_VALUE",
                           "They are file_read, file_write and network.",
                           "there is no capability \"%.*s\"",
                           STR_ARG(list->entries[i].value->text));
        may |= found;
    }
    return may;
}

static bool read_confinement(struct reading *r)
{
    struct policy_confinement *c = &r->p->settings.confinement;
    c->on = r->l->s->settings.confine != CONFINE_OFF;
    c->may = read_may(r);
    return read_paths(r, "read", &c->read, &c->read_count) &&
           read_paths(r, "write", &c->write, &c->write_count);
}

static void take_variable(void *context, struct str name, struct str value)
{
    struct reading *r = context;
    if (r->env_count < MOST_VARIABLES)
        r->env[r->env_count++] =
            mgi_arena_printf(r->l->yaml.arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(value));
}

/* What every policy is told, and its own. */
static bool read_env(struct reading *r)
{
    r->env = mgi_arena_calloc(r->l->yaml.arena, MOST_VARIABLES + 1, sizeof *r->env);
    if (!r->env)
        return false;
    for (char *const *e = r->p->settings.env; *e && r->env_count < VARIABLE_COUNT + 2; e++)
        r->env[r->env_count++] = *e;
    mgi_read_environment(&r->l->yaml, mgi_yaml_get(r->n, "env"), take_variable, r);
    r->p->settings.env = r->env;
    return true;
}

static void read_limits(const struct reading *r)
{
    const struct yaml_context *c = &r->l->yaml;
    const struct yaml_node *failures = mgi_yaml_get(r->n, "failures");
    struct policy_settings *s = &r->p->settings;
    uint32_t timeout_ms = (uint32_t)s->timeout_ms, cooldown_ms = (uint32_t)s->cooldown_ms;
    int64_t count = s->fail_threshold;
    mgi_yaml_duration_ms(c, mgi_yaml_get(r->n, "timeout"), "timeout", &timeout_ms);
    mgi_yaml_duration_ms(c, mgi_yaml_get(r->n, "cooldown"), "cooldown", &cooldown_ms);
    if (failures && (!mgi_yaml_int(failures, &count) || count < 1 || count > MOST_FAILURES))
        mgi_yaml_error(c, failures, "BAD_VALUE", NULL, "failures must be a whole number, 1 to %d",
                       MOST_FAILURES);
    else
        s->fail_threshold = (uint32_t)count;
    if (timeout_ms > DAY_MS || cooldown_ms > DAY_MS)
        mgi_yaml_error(c, r->n, "OUT_OF_RANGE", NULL,
                       "timeout and cooldown of a policy are at most a day");
    s->timeout_ms = timeout_ms;
    s->cooldown_ms = cooldown_ms;
}

/* Is it there, and may it run (T-POL-4, T-POL-5)? */
static bool check_command(const struct reading *r)
{
    struct policy_program program;
    const char *why = NULL;
    if (!r->p->settings.words)
        return true;
    switch (mgi_policy_check(r->l->yaml.arena, &r->p->settings, &program, &why)) {
    case POLICY_MAY_RUN:
        return true;
    case POLICY_VIOLATION:
        mgi_yaml_error(&r->l->yaml, mgi_yaml_get(r->n, "run"), "POLICY",
                       "Scripts lie in the folder policies/; which programs may run them, "
                       "MACHINA_POLICY_ALLOWED_EXE says.",
                       "the policy may not run: %s", why);
        return true;
    case POLICY_CHECK_NOMEM:
        break;
    }
    return false;
}

static bool read_policy(struct loading *l, const struct yaml_entry *e,
                        const struct policy_settings *common, struct domain_policy *p)
{
    static const char *const keys[] = { "run",     "may",      "read",     "write", "env",
                                        "timeout", "failures", "cooldown", NULL };
    struct reading r = { .l = l, .n = e->value, .p = p };
    p->name = e->key;
    p->settings = *common;
    p->settings.words = NULL;
    p->settings.word_count = 0;
    p->origin = e->value->origin;
    p->line = e->line;
    if (!mgi_is_identifier(e->key, 64))
        mgi_yaml_error(&l->yaml, e->value, "BAD_NAME", NULL, "a policy is named [a-z][a-z0-9_]*");
    if (e->value->kind != YAML_MAP) {
        mgi_yaml_error(&l->yaml, e->value, "BAD_VALUE",
                       "Write it as {run: [python3, policies/pick.py]}.",
                       "a policy is a map, not %s", mgi_yaml_kind_name(e->value));
        return true;
    }
    mgi_yaml_known_keys(&l->yaml, e->value, "a policy", keys);
    read_limits(&r);
    return read_words(&r) && read_confinement(&r) && read_env(&r) && check_command(&r);
}

bool mgi_load_policies(struct loading *l)
{
    struct snapshot *s = l->s;
    const struct yaml_node *map = l->domain_yaml ? mgi_yaml_get(l->domain_yaml, "policies") : NULL;
    struct policy_settings common;
    bool good = false;
    if (map && map->kind != YAML_MAP)
        mgi_yaml_error(&l->yaml, map, "BAD_VALUE", "Write policies: {pick: {run: [...]}}.",
                       "policies must be a map from names to programs");
    if (!map || map->kind != YAML_MAP || map->count == 0)
        return true;
    if (!read_common(l, map, &common, &good))
        return false;
    s->policies = mgi_arena_calloc(&s->arena, map->count + 1, sizeof *s->policies);
    if (!s->policies)
        return false;
    for (size_t i = 0; good && i < map->count; i++)
        if (!read_policy(l, &map->entries[i], &common, &s->policies[s->policy_count++]))
            return false;
    return true;
}
