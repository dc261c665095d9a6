/* See manglecp_install_needs.h. The texts are looked through for ${NAME}, as an import writes it:
 * to load the domain would take its servers, and is what the client does anyway. */
#include "cli/manglecp_install_needs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)1024 * 1024)
#define NAME_BYTES 128
#define NAMES_MOST 32

struct needs {
    char names[NAMES_MOST][NAME_BYTES];
    size_t count;
};

static bool is_handed_on(const struct change *c, const struct needs *n, const char *name)
{
    for (size_t i = 0; i < c->options->variables.count; i++)
        if (strcmp(c->options->variables.items[i], name) == 0)
            return true;
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->names[i], name) == 0)
            return true;
    return strcmp(name, "workspaceFolder") == 0 || strcmp(name, "userHome") == 0;
}

/* `at` is behind "${". What has another value where it is not set, or is asked for, needs nothing.
 */
static void note_variable(const struct change *c, struct needs *n, const char *at)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    char name[NAME_BYTES];
    if (strncmp(at, "env:", 4) == 0)
        at += 4;
    size_t len = strspn(at, letters);
    if (len == 0 || len >= sizeof name || at[len] != '}' || n->count == NAMES_MOST)
        return;
    memcpy(name, at, len);
    name[len] = '\0';
    if (!is_handed_on(c, n, name))
        memcpy(n->names[n->count++], name, len + 1);
}

static void look_through(const struct change *c, struct needs *n, const char *folder,
                         const char *file)
{
    char path[PATH_MAX];
    const char *why;
    struct buf text = { 0 };
    int len = snprintf(path, sizeof path, "%s/%s", folder, file);
    bool read = len > 0 && (size_t)len < sizeof path && /* a domain needs no mcp.json */
                mgi_cli_read_file(path, FILE_BYTES, &text, &why);
    for (const char *at = read ? text.ptr : NULL; at && (at = strstr(at, "${")); at += 2)
        note_variable(c, n, at + 2);
    mgi_buf_fini(&text);
}

void mgi_install_tell_needs(const struct change *c, const char *folder)
{
    struct needs n = { 0 };
    look_through(c, &n, folder, "domain.yaml");
    look_through(c, &n, folder, "mcp.json");
    if (n.count == 0)
        return;
    printf("It takes from its environment what this entry does not hand on:");
    for (size_t i = 0; i < n.count; i++)
        printf(" %s", n.names[i]);
    if (c->row->variables == CLIENT_VAR_NOT) {
        printf(". %s hands nothing on: set it for all that you start.\n", c->row->title);
        return;
    }
    printf(".\nGive");
    for (size_t i = 0; i < n.count; i++)
        printf(" --env %s", n.names[i]);
    puts(", too.");
}
