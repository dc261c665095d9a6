/* Whether a command may run as a policy: see policy_command.h. */
#include "select/policy_command.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAFE_PATH "/usr/local/bin:/usr/bin:/bin"

/* Programs that run what their first argument names, or what an option says. */
static const char *const interpreters[] = { "bash", "sh",   "dash", "ksh", "zsh",     "node",
                                            "perl", "ruby", "lua",  "php", "busybox", "env" };

struct judging {
    struct arena *into;
    const struct policy_settings *settings;
    const char *why; /* NULL so far */
    bool nomem;
};

static void violate(struct judging *j, const char *format, const char *what, const char *more)
{
    if (!j->why)
        j->why = mgi_arena_printf(j->into, format, what, more);
    j->nomem |= !j->why;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_interpreter(const char *name)
{
    if (strncmp(name, "python", 6) == 0 || strncmp(name, "pypy", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
        if (strcmp(name, interpreters[i]) == 0)
            return true;
    return false;
}

/* ---- the program ---------------------------------------------------------------------------- */

static bool may_be_run(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* `name` in one of the folders of `path`. NULL: it is in none, or memory. */
static const char *look_for(struct judging *j, const char *path, const char *name)
{
    while (*path) {
        size_t len = strcspn(path, ":");
        char *full = mgi_arena_printf(j->into, "%.*s/%s", (int)len, path, name);
        if (!full) {
            j->nomem = true;
            return NULL;
        }
        if (full[0] == '/' && may_be_run(full)) /* a relative folder is nobody's */
            return full;
        path += len + (path[len] == ':');
    }
    return NULL;
}

static bool lies_in(const char *folder, const char *place)
{
    char resolved[PATH_MAX];
    return realpath(place, resolved) && strcmp(folder, resolved) == 0;
}

static bool lies_in_safe_place(const char *path)
{
    char folder[PATH_MAX], resolved[PATH_MAX];
    size_t len = (size_t)(base_name(path) - path);
    if (len >= sizeof folder)
        return false;
    memcpy(folder, path, len);
    folder[len] = '\0';
    return realpath(folder, resolved) &&
           (lies_in(resolved, "/usr/bin") || lies_in(resolved, "/bin") ||
            lies_in(resolved, "/usr/local/bin"));
}

static bool name_is_allowed(const struct policy_settings *s, const char *name)
{
    for (size_t i = 0; i < s->allowed_exe_count; i++)
        if (str_is(s->allowed_exe[i], name))
            return true;
    return false;
}

/* Its absolute path. NULL: j->why or j->nomem. */
static const char *find_program(struct judging *j, const char *word)
{
    const struct policy_settings *s = j->settings;
    if (!s->allow_unsafe && !name_is_allowed(s, base_name(word)))
        violate(j, "the program \"%s\" is not one of MACHINA_POLICY_ALLOWED_EXE%s", word, "");
    else if (!strchr(word, '/'))
        word = look_for(j, s->allow_unsafe ? s->path : SAFE_PATH, word);
    else if (!s->allow_unsafe && !lies_in_safe_place(word))
        violate(j, "the program \"%s\" does not lie in /usr/bin, /bin or /usr/local/bin%s", word,
                "");
    else if (word[0] != '/')
        word = mgi_arena_printf(j->into, "%s/%s", s->root, word);
    if (j->why || j->nomem)
        return NULL;
    if (word && may_be_run(word))
        return word;
    violate(j, "there is no program \"%s\" that may be run%s", s->words[0],
            s->allow_unsafe ? "" : " in /usr/local/bin, /usr/bin or /bin");
    return NULL;
}

/* ---- the script ----------------------------------------------------------------------------- */

static bool lies_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && (path[len] == '/' || strcmp(folder, "/") == 0);
}

/* `path`, below `root` if it is not absolute, with all symbolic links resolved into `out`. */
static bool resolve(struct judging *j, const char *path, char out[PATH_MAX])
{
    const char *full =
        path[0] == '/' ? path : mgi_arena_printf(j->into, "%s/%s", j->settings->root, path);
    j->nomem |= !full;
    return full && realpath(full, out);
}

static char *find_script(struct judging *j, const char *word)
{
    char script[PATH_MAX], root[PATH_MAX];
    struct stat about;
    const char *roots = j->settings->script_root;
    if (word[0] == '-') {
        violate(j,
                "the first argument of an interpreter has to be a script, not the option \"%s\"%s",
                word, "");
    } else if (!resolve(j, word, script) || stat(script, &about) != 0 || !S_ISREG(about.st_mode)) {
        violate(j, "there is no script \"%s\"%s", word, "");
    } else if (!resolve(j, roots, root)) {
        violate(j, "there is no folder \"%s\" (MACHINA_POLICY_ALLOWED_SCRIPT_ROOT)%s", roots, "");
    } else if (!lies_below(script, root)) {
        violate(j, "the script \"%s\" does not lie below %s (MACHINA_POLICY_ALLOWED_SCRIPT_ROOT)",
                script, root);
    }
    if (j->why || j->nomem)
        return NULL;
    char *kept = mgi_arena_strdup(j->into, script);
    j->nomem |= !kept;
    return kept;
}

enum policy_verdict mgi_policy_check(struct arena *into, const struct policy_settings *settings,
                                     struct policy_program *out, const char **why)
{
    struct judging j = { .into = into, .settings = settings };
    size_t count = settings->word_count;
    char **argv = mgi_arena_calloc(into, count + 1, sizeof *argv);
    if (!argv)
        return POLICY_CHECK_NOMEM;
    memcpy(argv, settings->words, count * sizeof *argv);
    const char *path = find_program(&j, argv[0]);
    if (path && !settings->allow_unsafe && is_interpreter(base_name(argv[0]))) {
        if (count < 2)
            violate(&j, "the interpreter \"%s\" needs a script as its first argument%s", argv[0],
                    "");
        else
            argv[1] = find_script(&j, argv[1]);
    }
    /* By a bare name Python would look for itself in PATH, and may take another one's library. */
    if (path)
        argv[0] = mgi_arena_strdup(into, path);
    if (j.nomem || (path && !argv[0]))
        return POLICY_CHECK_NOMEM;
    *why = j.why;
    if (j.why)
        return POLICY_VIOLATION;
    *out = (struct policy_program){ path, argv, count };
    return POLICY_MAY_RUN;
}
