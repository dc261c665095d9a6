/* What a command's program needs beside its own file, told while the domain is loaded: an
 * interpreter and an installation that do not lie where every action may read
 * (docs/confinement.md). Without them it ends with words of its own, or of its loader, that name
 * none of it. Guessed by how installations look, so it warns. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actions/command_int.h"

/* Where nothing has to be granted. */
static bool is_systems(const char *path)
{
    static const char *const places[] = { "/usr/", "/lib", "/bin/", "/sbin/" };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0)
            return true;
    return false;
}

static bool has_folder(const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat st;
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    return len > 0 && (size_t)len < sizeof path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* `path` is P/bin/NAME, and beside bin there is what programs of an installation read. *folder is
 * P. */
static bool has_installation(const char *path, char folder[PATH_MAX])
{
    static const char *const homes[] = { "/bin", "/sbin", "/shims", "/libexec" };
    static const char *const parts[] = { "lib", "lib64", "libexec", "versions" };
    bool home = false;
    snprintf(folder, PATH_MAX, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash || is_systems(path))
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        home |= mgi_str_ends(str_of(folder), str_of(homes[i]));
    slash = strrchr(folder, '/');
    if (!home || !slash || slash == folder)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (has_folder(folder, parts[i]))
            return true;
    return false;
}

/* The program of its first line, "#!/path [word]"; false: it has none. What env finds is looked for
 * where commands look, in the system's folders. */
static bool read_interpreter(const char *path, char interpreter[PATH_MAX])
{
    char line[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n < 3 || line[0] != '#' || line[1] != '!')
        return false;
    line[n] = '\0';
    char *word = line + 2 + strspn(line + 2, " \t");
    word[strcspn(word, " \t\r\n")] = '\0';
    return word[0] == '/' && realpath(word, interpreter) != NULL;
}

/* ---- what is granted ------------------------------------------------------------------------ */

static bool lies_in(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strcmp(folder, "/") == 0 ||
           (strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0'));
}

static bool is_granted(struct provider_reader *r, const struct yaml_node *command, const char *path)
{
    const struct yaml_node *list = mgi_yaml_get(command, "read"),
                           *may = mgi_yaml_get(command, "may");
    char real[PATH_MAX];
    for (size_t i = 0; !list && may && may->kind == YAML_LIST && i < may->count; i++)
        if (str_is(may->entries[i].value->text, "file_read"))
            return true;
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        const char *granted = mgi_provider_granted(r, list->entries[i].value, false);
        if (granted && (lies_in(path, granted) || (realpath(granted, real) && lies_in(path, real))))
            return true;
    }
    return false;
}

static void need(struct provider_reader *r, const struct yaml_node *command,
                 const struct yaml_node *at, const char *path, const char *what)
{
    if (is_granted(r, command, path))
        return;
    mgi_findings_add(r->yaml->findings, MANGLE_WARNING, "UNREADABLE_PROGRAM", at->origin, at->line,
                     at->column,
                     mgi_arena_printf(r->yaml->arena, "Add %s to \"read\" of this command.", path),
                     "%.*s may not find what it needs: %s %s, which it may not read",
                     STR_ARG(at->text), what, path);
}

void mgi_program_needs(struct provider_reader *r, const struct yaml_node *command,
                       const struct yaml_node *at, const char *program)
{
    char real[PATH_MAX], interpreter[PATH_MAX], folder[PATH_MAX], other[PATH_MAX];
    if (r->settings->confine == CONFINE_OFF || !realpath(program, real))
        return;
    bool named = has_installation(program, folder);
    if (named)
        need(r, command, at, folder, "it is part of");
    if (has_installation(real, other)) {
        if (!named || strcmp(folder, other) != 0)
            need(r, command, at, other, "it is part of");
    } else if (is_systems(program) && !is_systems(real)) {
        need(r, command, at, real, "it is a link to"); /* its own file is granted elsewhere alone */
    }
    if (!read_interpreter(real, interpreter) || is_systems(interpreter))
        return;
    if (has_installation(interpreter, folder))
        need(r, command, at, folder, "its first line names a program of");
    else
        need(r, command, at, interpreter, "its first line names");
}
