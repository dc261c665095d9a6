/* Files that `actions:` names: see kinds.h. */
#include <fnmatch.h>

#include "actions/kinds.h"
#include "domain/files.h"

static bool read_kind_file(struct provider_reader *r, const struct file *file,
                           struct kind_files *all)
{
    struct arena *a = r->yaml->arena;
    const char *path = mgi_provider_path(r, str_of(file->path));
    if (!path || !mgi_arena_grow(a, &all->paths, &all->cap, all->count + 2, sizeof *all->paths))
        return false;
    all->paths[all->count++] = path;
    all->paths[all->count] = NULL;
    struct yaml_node *root = mgi_yaml_parse(r->yaml, file->path, file->text, 0);
    return root ? all->take(all->context, root) : !a->oom;
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
    static const char *const suffixes[] = { ".yaml", ".yml", NULL };
    struct file_list found = { 0 };
    size_t taken = 0;
    *slash = '\0';
    bool good = mgi_files_read(r->yaml, r->folder, pattern, suffixes, &found);
    *slash = '/';
    for (size_t i = 0; good && i < found.count; i++) {
        if (fnmatch(pattern, found.items[i].path, FNM_PATHNAME | FNM_PERIOD) != 0)
            continue;
        taken++;
        good = read_kind_file(r, &found.items[i], all);
    }
    if (good && taken == 0)
        mgi_yaml_error(r->yaml, n, "NO_FILE", "Files end in .yaml or .yml.", "no file is called %s",
                       pattern);
    return good;
}

static bool take_pattern(struct provider_reader *r, const struct yaml_node *n,
                         struct kind_files *all)
{
    const struct yaml_context *c = r->yaml;
    if (n->kind != YAML_SCALAR || n->text.len == 0) {
        mgi_yaml_error(c, n, "BAD_VALUE",
                       mgi_arena_printf(c->arena, "Write it as %s: actions/*.yaml.", all->key),
                       "\"%s\" must name files, not %s", all->key, mgi_yaml_kind_name(n));
        return true;
    }
    char *pattern = mgi_arena_printf(c->arena, "%.*s", STR_ARG(n->text));
    if (!pattern)
        return false;
    char *wild = strpbrk(pattern, "*?["), *slash = strrchr(pattern, '/');
    if (leaves_folder(pattern)) {
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s are files of the domain's folder", all->key);
        return true;
    }
    if (wild && (!slash || wild < slash)) {
        mgi_yaml_error(c, n, "BAD_VALUE", "Write it as actions/*.yaml.",
                       "* stands in the name of a file, in a folder that is named");
        return true;
    }
    if (wild)
        return take_matching(r, n, all, pattern, slash);
    struct file file;
    bool found;
    if (!mgi_file_read(c, r->folder, pattern, &file, &found))
        return false;
    if (!found)
        mgi_yaml_error(c, n, "NO_FILE", NULL, "there is no file %s", pattern);
    return !found || read_kind_file(r, &file, all);
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
