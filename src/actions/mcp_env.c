/* The environment of an MCP server: `env` of its entry, and the file that `envFile` names. See
 * mcp_int.h. */
#include <string.h>

#include "actions/mcp_int.h"
#include "domain/files.h"

enum { MOST_VARIABLES = 256, MOST_ENV_BYTES = 64 << 10 };

/* A line of such a file. */
struct env_line {
    struct str name, value;
    uint32_t line;
};

struct env_file {
    const char *path;
    struct env_line lines[MOST_VARIABLES];
    size_t count;
};

static bool is_variable_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return s.len > 0;
}

/* 'as it is', "as it is", or up to a blank and '#'. False: a quote is not closed. */
static bool read_value(struct str text, struct str *out)
{
    text = mgi_str_trim(text, " \t\r");
    char quote = text.len > 0 ? text.ptr[0] : '\0';
    if (quote == '"' || quote == '\'') {
        const char *close = memchr(text.ptr + 1, quote, text.len - 1);
        *out = (struct str){ text.ptr + 1, close ? (size_t)(close - text.ptr) - 1 : 0 };
        return close != NULL;
    }
    size_t end = mgi_str_find(text, STR_LIT(" #"));
    *out = end == SIZE_MAX ? text : mgi_str_trim((struct str){ text.ptr, end }, " \t");
    return true;
}

/* NULL; or what is wrong with the line. A name that comes again counts the last time. */
static const char *read_line(struct env_file *f, struct str line, uint32_t number)
{
    const struct str export = STR_LIT("export ");
    struct env_line v = { .line = number };
    line = mgi_str_trim(line, " \t\r");
    if (line.len == 0 || line.ptr[0] == '#')
        return NULL;
    if (mgi_str_starts(line, export))
        line = (struct str){ line.ptr + export.len, line.len - export.len };
    const char *equals = memchr(line.ptr, '=', line.len);
    if (!equals)
        return "it is no NAME=value";
    v.name = mgi_str_trim((struct str){ line.ptr, (size_t)(equals - line.ptr) }, " \t");
    if (!is_variable_name(v.name))
        return "what stands before = is no name of a variable";
    if (!read_value((struct str){ equals + 1, (size_t)(line.ptr + line.len - equals) - 1 },
                    &v.value))
        return "a quote is not closed";
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->lines[i].name, v.name)) {
            f->lines[i] = v;
            return NULL;
        }
    if (f->count == MOST_VARIABLES)
        return "there are more than 256 variables";
    f->lines[f->count++] = v;
    return NULL;
}

static bool read_lines(struct provider_reader *r, const struct yaml_node *at, struct str server,
                       struct env_file *f, struct str text)
{
    bool good = true;
    for (uint32_t number = 1; text.len > 0; number++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        const char *why = read_line(f, (struct str){ text.ptr, len }, number);
        if (why) /* told at the entry: a finding in the file would show its line, a secret */
            mgi_yaml_error(r->yaml, at, "BAD_VALUE", "Write it as NAME=value, one a line.",
                           "server %.*s: line %u of %s: %s", STR_ARG(server), number, f->path, why);
        good &= why == NULL;
        len += end != NULL;
        text = (struct str){ text.ptr + len, text.len - len };
    }
    return good;
}

/* The path within the domain's folder, where such files are read; NULL: told, or memory. */
static const char *env_file_path(struct provider_reader *r, const struct yaml_node *n,
                                 struct str server)
{
    struct str text = n->kind == YAML_SCALAR ? mgi_mcp_expand(r, n, server) : (struct str){ "", 0 };
    struct str folder = str_of(r->folder);
    if (!text.ptr)
        return NULL;
    if (mgi_str_starts(text, folder) && text.len > folder.len && text.ptr[folder.len] == '/')
        text = (struct str){ text.ptr + folder.len + 1, text.len - folder.len - 1 };
    bool leaves =
        text.len == 0 || text.ptr[0] == '/' || mgi_str_find(text, STR_LIT("..")) != SIZE_MAX;
    if (!leaves)
        return mgi_arena_printf(r->yaml->arena, "%.*s", STR_ARG(text));
    mgi_yaml_error(r->yaml, n, "BAD_VALUE", "Copy it there, or write its variables into env.",
                   "server %.*s: \"envFile\" is a file of the domain's folder", STR_ARG(server));
    return NULL;
}

static bool read_env_file(struct provider_reader *r, const struct yaml_node *n, struct str server,
                          struct env_file *f)
{
    struct file file;
    bool found;
    f->path = env_file_path(r, n, server);
    if (!f->path || !mgi_file_read(r->yaml, r->folder, f->path, &file, &found))
        return false;
    if (!found || file.text.len > MOST_ENV_BYTES || memchr(file.text.ptr, '\0', file.text.len)) {
        mgi_yaml_error(r->yaml, n, found ? "BAD_VALUE" : "NO_FILE", NULL,
                       "server %.*s: the file \"%s\" of \"envFile\" %s", STR_ARG(server), f->path,
                       found ? "is no text of at most 64 KiB" : "is not there");
        return false;
    }
    return read_lines(r, n, server, f, file.text);
}

bool mgi_mcp_write_env(struct provider_reader *r, const struct yaml_node *entry, struct str server,
                       struct json_writer *w)
{
    const struct yaml_node *env = mgi_yaml_get(entry, "env");
    const struct yaml_node *from = mgi_yaml_get(entry, "envFile");
    struct env_file *f = mgi_arena_calloc(r->yaml->arena, 1, sizeof *f);
    if (!f)
        return false;
    bool good = !from || read_env_file(r, from, server, f);
    mgi_jw_key(w, "env");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < f->count; i++) {
        const char *name = mgi_arena_printf(r->yaml->arena, "%.*s", STR_ARG(f->lines[i].name));
        if (!name || (env && env->kind == YAML_MAP && mgi_yaml_get(env, name)))
            continue; /* env counts */
        mgi_jw_member_str(w, name, f->lines[i].value);
    }
    good &= mgi_mcp_write_texts(r, env, server, "env", w);
    mgi_jw_end_object(w);
    return good;
}
