/* The fs plugin's door: its settings and its actions. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_BYTES_DEFAULT (16 * 1024 * 1024)
#define MAX_BYTES_MOST    (256 * 1024 * 1024)

static struct fs_settings fs; /* written by init alone */

static void read_root(struct action *settings)
{
    struct str root;
    if (!mgi_arg_need(settings, "root") ||
        !mgi_arg_text(settings, "root", sizeof fs.root - 1, &root))
        return;
    if (root.len == 0 || root.ptr[0] != '/' || memchr(root.ptr, '\0', root.len)) {
        mgi_action_fail(settings, "root: \"%.*s\" is no absolute path", STR_ARG(root));
        return;
    }
    memcpy(fs.root, root.ptr, root.len);
    fs.root[root.len] = '\0';
    struct stat st;
    if (stat(fs.root, &st) != 0)
        mgi_action_fail(settings, "root: %s: %s", fs.root, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        mgi_action_fail(settings, "root: %s is no folder", fs.root);
}

static bool configure(struct action *settings, bool *may_write)
{
    static const char *const known[] = { "root", "write", "max_bytes", NULL };
    fs = (struct fs_settings){ .max_bytes = MAX_BYTES_DEFAULT };
    mgi_arg_known(settings, known);
    read_root(settings);
    mgi_arg_bool(settings, "write", &fs.may_write);
    mgi_arg_int(settings, "max_bytes", 1, MAX_BYTES_MOST, &fs.max_bytes);
    *may_write = fs.may_write;
    return settings->faults == 0;
}

static const struct action_row rows[] = {
    { "read", mgi_fs_read, false },  { "stat", mgi_fs_stat, false },
    { "list", mgi_fs_list, false },  { "search", mgi_fs_search, false },
    { "write", mgi_fs_write, true }, { "patch", mgi_fs_patch, true },
    { "mkdir", mgi_fs_mkdir, true }, { "move", mgi_fs_move, true },
    { "copy", mgi_fs_copy, true },   { "delete", mgi_fs_delete, true },
};

static const struct action_plugin plugin = {
    .rows = rows, .count = sizeof rows / sizeof *rows, .configure = configure, .settings = &fs
};

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* Asked before the settings are known, so it speaks for the plugin with `write`. */
uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_FILE_READ | TH_CAP_FILE_WRITE;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    return mgi_plugin_init(host, reg, &plugin);
}
