/* Settings of a policy: see policy_settings.h. Numbers are rows of a table. */
#include "select/policy_settings.h"

#include <inttypes.h>

struct reading {
    struct arena *into;
    char *const *env;
    struct buf *problems;
    bool bad, nomem;
};

static const char *variable(const struct reading *r, const char *name)
{
    size_t len = strlen(name);
    for (char *const *e = r->env; *e; e++)
        if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
            return *e + len + 1;
    return NULL;
}

static const char *text_or(const struct reading *r, const char *name, const char *otherwise)
{
    const char *value = variable(r, name);
    return value && *value ? value : otherwise;
}

static char *keep(struct reading *r, const char *text)
{
    char *kept = mgi_arena_strdup(r->into, text);
    r->nomem |= !kept;
    return kept;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint64_t *value)
{
    uint64_t n = 0;
    size_t len = strlen(text);
    if (len == 0 || len > 12)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        n = n * 10 + (uint64_t)(text[i] - '0');
    }
    *value = n;
    return true;
}

static uint64_t number(struct reading *r, const char *name, uint64_t otherwise, uint64_t min,
                       uint64_t max)
{
    const char *text = variable(r, name);
    uint64_t value;
    if (!text)
        return otherwise;
    if (parse_number(text, &value) && value >= min && value <= max)
        return value;
    mgi_buf_printf(r->problems, "%s: expected a number from %" PRIu64 " to %" PRIu64 "\n", name,
                   min, max);
    r->bad = true;
    return otherwise;
}

static int64_t default_timeout(const struct reading *r)
{
    struct str profile = str_of(text_or(r, "MACHINA_PROFILE", ""));
    return str_is(profile, "dev")    ? POLICY_TIMEOUT_DEV_MS
           : str_is(profile, "prod") ? POLICY_TIMEOUT_PROD_MS
                                     : POLICY_TIMEOUT_MS;
}

static void read_numbers(struct reading *r, struct policy_settings *s)
{
    const uint64_t day_ms = 86400000, mb = 1048576, some = 1000000;
    uint64_t timeout = (uint64_t)default_timeout(r);
    s->timeout_ms = (int64_t)number(r, "MACHINA_POLICY_TIMEOUT_MS", timeout, 1, day_ms);
    s->stdout_max = number(r, "MACHINA_POLICY_STDOUT_MAX", POLICY_STDOUT_MAX, 1, 16 * mb);
    s->fail_threshold =
        (uint32_t)number(r, "MACHINA_POLICY_FAIL_THRESHOLD", POLICY_FAIL_THRESHOLD, 1, some);
    s->cooldown_ms =
        (int64_t)number(r, "MACHINA_POLICY_COOLDOWN_MS", POLICY_COOLDOWN_MS, 0, day_ms);
    s->limits = (struct policy_limits){
        .cpu_sec = number(r, "MACHINA_POLICY_RLIMIT_CPU_SEC", 2, 0, some),
        .as_mb = number(r, "MACHINA_POLICY_RLIMIT_AS_MB", 768, 0, mb),
        .fsize_mb = number(r, "MACHINA_POLICY_RLIMIT_FSIZE_MB", 10, 0, mb),
        .nofile = number(r, "MACHINA_POLICY_RLIMIT_NOFILE", 64, 0, some),
        .nproc = number(r, "MACHINA_POLICY_RLIMIT_NPROC", 32, 0, some),
    };
    s->allow_unsafe = number(r, "MACHINA_POLICY_ALLOW_UNSAFE", 0, 0, 1) == 1;
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* One word at *at of `s`, its characters to `out`; what is wrong, or NULL. */
static const char *split_word(struct str s, size_t *at, char *out, size_t *len)
{
    char quote = 0;
    size_t i = *at, n = 0;
    for (; i < s.len && (quote || !is_space(s.ptr[i])); i++) {
        char c = s.ptr[i];
        if (c == '\0')
            return "a NUL byte";
        if (quote == '"' && c == '\\' && i + 1 < s.len &&
            (s.ptr[i + 1] == '"' || s.ptr[i + 1] == '\\'))
            out[n++] = s.ptr[++i];
        else if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else
            out[n++] = c;
    }
    *at = i;
    *len = n;
    return quote == '"' ? "a double quote is not closed"
           : quote      ? "a single quote is not closed"
                        : NULL;
}

bool mgi_policy_words(struct arena *into, struct str command, char *const **words, size_t *count,
                      const char **why)
{
    char **list = mgi_arena_calloc(into, command.len / 2 + 2, sizeof *list);
    char *room = mgi_arena_alloc(into, 2 * command.len + 2);
    size_t n = 0;
    *why = NULL;
    if (!list || !room)
        return false;
    for (size_t at = 0, len; at < command.len;) {
        if (is_space(command.ptr[at])) {
            at++;
            continue;
        }
        *why = split_word(command, &at, room, &len);
        if (*why)
            return false;
        list[n++] = room;
        room[len] = '\0';
        room += len + 1;
    }
    *words = list;
    *count = n;
    return true;
}

static void read_command(struct reading *r, struct policy_settings *s)
{
    const char *why = NULL, *command = text_or(r, "MACHINA_POLICY_CMD", "");
    if (!mgi_policy_words(r->into, str_of(command), &s->words, &s->word_count, &why)) {
        r->nomem |= !why;
        r->bad = true;
        mgi_buf_printf(r->problems, "MACHINA_POLICY_CMD: %s\n", why ? why : "");
    } else if (s->word_count == 0) {
        s->words = NULL;
    }
}

/* ---- lists ---------------------------------------------------------------------------------- */

static void read_allowed(struct reading *r, struct policy_settings *s)
{
    struct str list =
        str_of(keep(r, text_or(r, "MACHINA_POLICY_ALLOWED_EXE", "python3,python,bash,sh,node")));
    struct str *names = mgi_arena_calloc(r->into, list.len + 1, sizeof *names);
    r->nomem |= !names;
    while (names && list.len > 0) {
        size_t end = mgi_str_find(list, STR_LIT(","));
        struct str one = { list.ptr, end == SIZE_MAX ? list.len : end };
        list.ptr += end == SIZE_MAX ? list.len : end + 1;
        list.len -= end == SIZE_MAX ? list.len : end + 1;
        one = mgi_str_trim(one, " \t");
        if (one.len > 0)
            names[s->allowed_exe_count++] = one;
    }
    s->allowed_exe = names;
}

/* What a policy may know of the environment: nothing that is a secret by its kind. */
static bool is_passed_on(const char *entry)
{
    static const char *const names[] = { "PATH=", "HOME=",   "LANG=",        "LC_",
                                         "TZ=",   "TMPDIR=", "MACHINA_ROOT=" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void read_env(struct reading *r, struct policy_settings *s)
{
    size_t count = 0, kept = 0;
    while (r->env[count])
        count++;
    char **env = mgi_arena_calloc(r->into, count + 1, sizeof *env);
    r->nomem |= !env;
    for (size_t i = 0; env && i < count; i++)
        if (is_passed_on(r->env[i]))
            env[kept++] = keep(r, r->env[i]);
    s->env = env;
}

static void read_places(struct reading *r, const char *root, struct policy_settings *s)
{
    s->root = keep(r, text_or(r, "MACHINA_ROOT", root));
    s->script_root = keep(r, text_or(r, "MACHINA_POLICY_ALLOWED_SCRIPT_ROOT", "policies"));
    s->temp_dir = keep(r, text_or(r, "TMPDIR", "/tmp"));
    s->path = keep(r, text_or(r, "PATH", "/usr/local/bin:/usr/bin:/bin"));
    if (s->root && s->root[0] != '/') {
        mgi_buf_puts(r->problems, "MACHINA_ROOT: expected an absolute path\n");
        r->bad = true;
    }
}

bool mgi_policy_settings_read(struct arena *into, char *const env[], const char *root,
                              struct policy_settings *out, struct buf *problems)
{
    struct policy_settings s = { 0 };
    struct reading r = { .into = into, .env = env, .problems = problems };
    read_numbers(&r, &s);
    read_command(&r, &s);
    read_allowed(&r, &s);
    read_env(&r, &s);
    read_places(&r, root, &s);
    if (r.nomem || problems->oom) {
        mgi_buf_clear(problems);
        return false;
    }
    if (r.bad)
        return false;
    *out = s;
    return true;
}
