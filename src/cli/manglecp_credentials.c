/* The user's file of logins. */
#include "cli/manglecp_credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/cli_options.h"

#define NAME "/manglecp/credentials.json"

/* The XDG base directory specification: a relative one is to be ignored. */
static const char *folder_of(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

const char *mgi_credentials_path(const char *given)
{
    const char *config = folder_of("XDG_CONFIG_HOME"), *home = folder_of("HOME");
    const char *folder = config ? config : home, *below = config ? NAME : "/.config" NAME;
    if (given || !folder)
        return given;
    size_t size = strlen(folder) + strlen(below) + 1;
    char *path = mgi_cli_keep(size);
    if (path)
        snprintf(path, size, "%s%s", folder, below);
    return path;
}

void mgi_credentials_hint(const char *target)
{
    struct buf shown = { 0 };
    if (target)
        mgi_utf8_show(&shown, str_of(target));
    if (target && !shown.oom)
        mgi_cli_hint("Log in with: manglecp login %s", shown.ptr);
    mgi_buf_fini(&shown);
}
