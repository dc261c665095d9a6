/* See mangle_programs.h. */
#include "cli/mangle_programs.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/cli_files.h"
#include "domain/standard_rules.h"

static const char standard[] = "<standard>/";

struct expansion {
    const char *argument; /* as given: a file, or a folder */
    struct cli_list *files;
    bool oom;
};

static bool keep(struct cli_list *list, const char *before, const char *path)
{
    size_t size = strlen(before) + strlen(path) + 1;
    char *copy = mgi_cli_keep(size);
    if (copy)
        snprintf(copy, size, "%s%s", before, path);
    return copy && mgi_cli_list_add(list, copy);
}

static void add_program_file(void *context, const char *path)
{
    struct expansion *e = context;
    if (path == e->argument || !mgi_str_ends(str_of(path), STR_LIT("_test.mg")))
        e->oom |= !keep(e->files, "", path);
}

/* Every file below `folder` that ends in `suffix`; a folder that is not there has none. */
static bool add_below(struct expansion *e, const char *folder, const char *part, const char *suffix)
{
    struct buf path = { 0 };
    struct stat st;
    mgi_buf_printf(&path, "%s%s%s", folder, mgi_str_ends(str_of(folder), STR_LIT("/")) ? "" : "/",
                   part);
    bool good = !path.oom;
    e->oom |= path.oom;
    if (good && stat(path.ptr, &st) == 0)
        good = mgi_cli_each_file(path.ptr, suffix, add_program_file, e);
    mgi_buf_fini(&path);
    return good;
}

static bool is_domain(const char *path)
{
    struct buf file = { 0 };
    struct stat st;
    mgi_buf_printf(&file, "%s/domain.yaml", path);
    bool found = !file.oom && stat(file.ptr, &st) == 0;
    mgi_buf_fini(&file);
    return found;
}

static bool add_domain(const char *folder, struct cli_list *files, struct cli_list *tables,
                       bool *oom)
{
    struct expansion e = { .files = files }, t = { .files = tables };
    bool good = add_below(&e, folder, "rules", ".mg") && add_below(&e, folder, "facts", ".mg");
    if (tables)
        good = good && add_below(&t, folder, "facts", ".csv") &&
               add_below(&t, folder, "facts", ".tsv") && add_below(&t, folder, "facts", ".jsonl");
    *oom = e.oom || t.oom;
    return good;
}

static bool add_argument(const char *argument, struct cli_list *files, struct cli_list *tables)
{
    struct expansion e = { .argument = argument, .files = files };
    size_t before = files->count;
    bool domain = is_domain(argument);
    bool good = domain ? add_domain(argument, files, tables, &e.oom)
                       : mgi_cli_each_file(argument, ".mg", add_program_file, &e);
    if (e.oom)
        mgi_cli_error("out of memory");
    else if (good && !domain && files->count == before)
        mgi_cli_error("there is no .mg file below %s", argument);
    return good && !e.oom && (domain || files->count > before);
}

static bool add_standard(const struct cli_list *arguments, struct cli_list *files)
{
    bool wanted = false, good = true;
    for (size_t i = 0; i < arguments->count; i++)
        wanted |= is_domain(arguments->items[i]);
    for (size_t i = 0; good && wanted && i < mgi_standard_rules_count; i++)
        good = keep(files, standard, mgi_standard_rules[i].path);
    if (!good)
        mgi_cli_error("out of memory");
    return good;
}

int mgi_program_files(const struct cli_list *arguments, struct cli_list *files,
                      struct cli_list *tables)
{
    int result = add_standard(arguments, files) ? EXIT_ANSWERED : EXIT_USAGE;
    for (size_t i = 0; i < arguments->count; i++)
        if (!add_argument(arguments->items[i], files, tables))
            result = EXIT_USAGE;
    return result;
}

bool mgi_is_standard_file(const char *path)
{
    return strncmp(path, standard, strlen(standard)) == 0;
}

size_t mgi_program_standard_count(const struct cli_list *files)
{
    size_t count = 0;
    while (count < files->count && mgi_is_standard_file(files->items[count]))
        count++;
    return count;
}

bool mgi_program_read(const char *path, size_t max_bytes, struct buf *out, const char **why)
{
    if (!mgi_is_standard_file(path))
        return mgi_cli_read_file(path, max_bytes, out, why);
    for (size_t i = 0; i < mgi_standard_rules_count; i++) {
        const struct standard_rule *rule = &mgi_standard_rules[i];
        if (strcmp(path + strlen(standard), rule->path) != 0)
            continue;
        mgi_buf_append(out, rule->text, rule->len);
        *why = out->oom ? "out of memory" : NULL;
        return !out->oom;
    }
    *why = "there is no such standard rule";
    return false;
}
