/* The entry that a change puts in: see manglecp_change.h. The client starts it in a folder of its
 * own and with an environment of its own, so paths are absolute and variables are named. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/manglecp_change.h"

/* One of these options, which take a value; *with_value: that is the next word. */
static bool is_one_of(const char *word, const char *const *options, bool *with_value)
{
    *with_value = false;
    for (size_t i = 0; options[i]; i++) {
        size_t len = strlen(options[i]);
        if (strncmp(word, options[i], len) != 0 || (word[len] != '\0' && word[len] != '='))
            continue;
        *with_value = word[len] == '\0';
        return true;
    }
    return false;
}

/* Its value is no path, even where there is a file of that name. */
static bool is_of_words(const char *word, bool *with_value)
{
    static const char *const options[] = { "--direct", "--param", "--fact", NULL };
    return is_one_of(word, options, with_value);
}

/* Options of `mcp` that are not of the entry: those above, and secrets. */
static bool is_ours_alone(const char *word, bool *with_value)
{
    static const char *const valued[] = { "--install", "--scope", "--name", "--env", NULL };
    static const char *const flags[] = { "--yes", "--dry-run", "--force", NULL };
    if (is_one_of(word, valued, with_value))
        return true;
    for (size_t i = 0; flags[i]; i++)
        if (strcmp(word, flags[i]) == 0)
            return true;
    return false;
}

/* A path that is there, absolute; anything else as it is. */
static const char *absolute(struct change *c, const char *word)
{
    char real[PATH_MAX];
    return realpath(word, real) ? mgi_arena_strdup(&c->arena, real) : word;
}

/* The client starts it in a folder of its own: whatever is a path here is none there. */
static const char *absolute_option(struct change *c, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals[1] == '/' || equals[1] == '\0')
        return equals ? word : absolute(c, word);
    const char *path = absolute(c, equals + 1);
    return path && path != equals + 1
               ? mgi_arena_printf(&c->arena, "%.*s%s", (int)(equals - word) + 1, word, path)
               : word;
}

static const char *program_path(struct change *c, const char *word)
{
    char found[PATH_MAX];
    return mgi_cli_find_program(word, found) ? mgi_arena_strdup(&c->arena, found) : word;
}

static void write_args(struct change *c, struct json_writer *w, const struct target *t, int argc,
                       char **argv)
{
    bool dashes = false, command = false;
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, "mcp");
    for (int i = 1; i < argc; i++) {
        bool with_value;
        if (!dashes && is_ours_alone(argv[i], &with_value)) {
            i += with_value;
            continue;
        }
        if (!dashes && is_of_words(argv[i], &with_value)) {
            mgi_jw_cstring(w, argv[i]);
            if (with_value && i + 1 < argc)
                mgi_jw_cstring(w, argv[++i]);
            continue;
        }
        if (dashes && !command) {
            mgi_jw_cstring(w, program_path(c, argv[i]));
            command = true;
            continue;
        }
        if (!dashes && strcmp(argv[i], "--") == 0) {
            dashes = true;
            mgi_jw_cstring(w, argv[i]);
            continue;
        }
        mgi_jw_cstring(w, dashes || (argv[i] == t->word && t->remembers)
                              ? argv[i]
                              : absolute_option(c, argv[i]));
    }
    mgi_jw_end_array(w);
}

static void write_variables(struct change *c, struct json_writer *w)
{
    const struct cli_list *names = &c->options->variables;
    if (names->count == 0)
        return;
    mgi_jw_key(w, c->row->variables == CLIENT_VAR_NAMES ? "env_vars" : "env");
    if (c->row->variables == CLIENT_VAR_NAMES)
        mgi_jw_begin_array(w);
    else
        mgi_jw_begin_object(w);
    for (size_t i = 0; i < names->count; i++) {
        if (c->row->variables == CLIENT_VAR_NAMES) {
            mgi_jw_cstring(w, names->items[i]);
            continue;
        }
        mgi_jw_key_str(w, str_of(names->items[i]));
        mgi_jw_cstring(w,
                       mgi_arena_printf(&c->arena,
                                        c->row->variables == CLIENT_VAR_ENV ? "${env:%s}" : "${%s}",
                                        names->items[i]));
    }
    if (c->row->variables == CLIENT_VAR_NAMES)
        mgi_jw_end_array(w);
    else
        mgi_jw_end_object(w);
}

bool mgi_change_entry(struct change *c, const struct target *t, int argc, char **argv,
                      struct json *out)
{
    char self[PATH_MAX];
    struct buf text = { 0 };
    struct json_writer w;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        mgi_cli_error("where this program is cannot be told: %s", strerror(errno));
        return false;
    }
    self[n] = '\0';
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    if (c->row->typed)
        mgi_jw_member_cstr(&w, "type", "stdio");
    mgi_jw_member_cstr(&w, "command", self);
    mgi_jw_key(&w, "args");
    write_args(c, &w, t, argc, argv);
    write_variables(c, &w);
    mgi_jw_end_object(&w);
    bool good = !c->arena.oom && mgi_json_take(&c->arena, &text, out);
    if (!good)
        mgi_cli_error("out of memory");
    return good;
}

/* Nothing secret may get into a file that others read, and be copied from machine to machine. */
bool mgi_change_is_open(struct change *c, const struct target *t)
{
    bool good = true;
    const struct {
        const char *option, *variable;
        bool given;
    } rows[] = { { "--token", "MANGLECP_TOKEN", t->options.token != NULL },
                 { "--confirm-key", "MANGLECP_CONFIRM_KEY", t->options.confirm_key != NULL } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given && !(i == 1 && getenv("MANGLECP_CONFIRM_KEY"))) {
            mgi_cli_error("%s is a secret, and is not written into a configuration",
                          rows[i].option);
            mgi_cli_hint("Set %s where the client is started, and give --env %s.", rows[i].variable,
                         rows[i].variable);
            good = false;
        }
    for (size_t i = 0; i < c->options->variables.count; i++) {
        const char *name = c->options->variables.items[i];
        if (name[0] == '\0' || strpbrk(name, "=${} \t\"'")) {
            mgi_cli_error("--env takes the name of a variable, not \"%s\"", name);
            good = false;
        }
    }
    if (good && c->options->variables.count > 0 && c->row->variables == CLIENT_VAR_NOT) {
        mgi_cli_error("%s has no variables in its configuration", c->row->title);
        mgi_cli_hint("For a server elsewhere: manglecp login keeps a token where manglecp finds "
                     "it.");
        good = false;
    }
    return good;
}

/* "hello" of /path/to/hello: letters, digits, - and _. */
const char *mgi_change_name(struct change *c, const struct target *t)
{
    char real[PATH_MAX];
    if (c->options->name)
        return c->options->name;
    if (!t->word || t->remembers || !realpath(t->word, real))
        return "manglecp";
    char *name = mgi_arena_strdup(&c->arena, basename(real));
    for (char *p = name; p && *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
              *p == '-' || *p == '_'))
            *p = '-';
    return name && name[0] ? name : "manglecp";
}

bool mgi_change_name_is_good(const char *name)
{
    size_t len = strlen(name);
    bool good = len > 0 && len <= 64;
    for (size_t i = 0; good && i < len; i++)
        good = name[i] > ' ' && name[i] < 0x7f && name[i] != '"' && name[i] != '\\';
    if (!good)
        mgi_cli_error("--name takes at most 64 plain characters");
    return good;
}
