/* Files that `actions:` names: see kinds.h. */
#include <fnmatch.h>

#include "actions/kinds.h"
#include "domain/files.h"

/* A file's text is needed while it is read: it lives that long. */
static bool read_kind_file(struct provider_reader *r, const struct yaml_node *at, const char *name,
                           struct kind_files *all,
                           bool (*take)(void *context, const char *path, struct str text),
                           void *context)
{
    struct arena *a = r->yaml->arena, text;
    struct yaml_context reading = { .arena = &text, .findings = r->yaml->findings };
    struct file file;
    bool found;
    const char *path = mgi_provider_path(r, str_of(name));
    if (!path || !mgi_arena_grow(a, &all->paths, &all->cap, all->count + 2, sizeof *all->paths))
        return false;
    all->paths[all->count++] = path;
    all->paths[all->count] = NULL;
    mgi_arena_init(&text, 0);
    bool good = mgi_file_read(&reading, r->folder, name, &file, &found);
    if (good && !found)
        mgi_yaml_error(r->yaml, at, "NO_FILE", NULL, "there is no file %s", name);
    good = good && (!found || take(context, name, file.text));
    mgi_findings_source_ends(r->yaml->findings, name);
    mgi_arena_fini(&text);
    return good;
}

static bool leaves_folder(const char *path)
{
    for (const char *at = path; at; at = strchr(at, '/'), at += at != NULL)
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return true;
    return path[0] == '/' || path[0] == '\0';
}

static bool take_matching(struct provider_reader *r, const struct yaml_node *n,
                          struct kind_files *all, char *pattern, char *slash)
{
    struct file_list found = { 0 };
    size_t taken = 0;
    *slash = '\0';
    bool good = mgi_files_list(r->yaml, r->folder, pattern, all->suffixes, &found);
    *slash = '/';
    for (size_t i = 0; good && i < found.count; i++) {
        if (fnmatch(pattern, found.items[i].path, FNM_PATHNAME | FNM_PERIOD) != 0)
            continue;
        taken++;
        good = read_kind_file(r, n, found.items[i].path, all, all->take, all->context);
    }
    if (!good || taken > 0)
        return good;
    struct buf ends = { 0 };
    for (size_t i = 0; all->suffixes[i]; i++)
        mgi_buf_printf(&ends, "%s%s",
                       i == 0                 ? ""
                       : all->suffixes[i + 1] ? ", "
                                              : " or ",
                       all->suffixes[i]);
    mgi_yaml_error(r->yaml, n, "NO_FILE",
                   mgi_arena_printf(r->yaml->arena, "Files end in %s.", ends.ptr ? ends.ptr : ""),
                   "no file is called %s", pattern);
    mgi_buf_fini(&ends);
    return true;
}

/* A copy of the path that `n` names; NULL: it is none (told), or memory. */
static char *path_of(struct provider_reader *r, const struct yaml_node *n, const char *key)
{
    const struct yaml_context *c = r->yaml;
    if (n->kind != YAML_SCALAR || n->text.len == 0) {
        mgi_yaml_error(c, n, "BAD_VALUE",
                       mgi_arena_printf(c->arena, "Write it as %s: actions/*.yaml.", key),
                       "\"%s\" must name files, not %s", key, mgi_yaml_kind_name(n));
        return NULL;
    }
    char *path = mgi_arena_printf(c->arena, "%.*s", STR_ARG(n->text));
    if (!path || !leaves_folder(path))
        return path;
    mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s are files of the domain's folder", key);
    return NULL;
}

static bool take_pattern(struct provider_reader *r, const struct yaml_node *n,
                         struct kind_files *all)
{
    if (n->kind == YAML_MAP && all->take_entry)
        return all->take_entry(all->context, n);
    char *pattern = path_of(r, n, all->key);
    if (!pattern)
        return !r->yaml->arena->oom;
    char *wild = strpbrk(pattern, "*?["), *slash = strrchr(pattern, '/');
    if (!wild)
        return read_kind_file(r, n, pattern, all, all->take, all->context);
    if (slash && wild > slash)
        return take_matching(r, n, all, pattern, slash);
    mgi_yaml_error(r->yaml, n, "BAD_VALUE", "Write it as actions/*.yaml.",
                   "* stands in the name of a file, in a folder that is named");
    return true;
}

bool mgi_kind_file(struct provider_reader *r, const struct yaml_node *at, struct kind_files *files,
                   bool (*take)(void *context, const char *path, struct str text), void *context)
{
    char *path = path_of(r, at, files->key);
    return path ? read_kind_file(r, at, path, files, take, context) : !r->yaml->arena->oom;
}

bool mgi_kind_files(struct provider_reader *r, const struct yaml_node *node, struct kind_files *all)
{
    if (node->kind != YAML_LIST)
        return take_pattern(r, node, all);
    for (size_t i = 0; i < node->count; i++)
        if (!take_pattern(r, node->entries[i].value, all))
            return false;
    return true;
}
