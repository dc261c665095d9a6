/* Where a control group may be made: see group.h. What the kernel shows of its mounts and of this
 * process's groups is text, one thing a line:
 *
 *     /proc/self/mountinfo   41 31 0:38 ROOT MOUNT rw - cgroup2 cgroup2 rw
 *     /proc/self/cgroup      0::OWN
 *
 * MOUNT shows the tree from ROOT on, so the group's folder is MOUNT and what OWN has below ROOT. */
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "confine/confine_int.h"
#include "confine/group.h"

/* "\040" is a blank, and so on. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        unsigned code;
        if (*at == '\\' && sscanf(at + 1, "%3o", &code) == 1 && code < 256) {
            *to++ = (char)code;
            at += 3;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

/* What `path` has below `root`; NULL: it is not below it. */
static const char *below(const char *path, const char *root)
{
    size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(path, root, len) != 0 || (path[len] != '/' && path[len] != '\0'))
        return NULL;
    return strcmp(path + len, "/") == 0 ? "" : path + len;
}

bool mgi_confine_group_folder(const char *mount_line, const char *own, char *out, size_t cap)
{
    char root[CONFINE_GROUP_MAX], mount[CONFINE_GROUP_MAX];
    const char *kind = strstr(mount_line, " - ");
    if (!kind || strncmp(kind + 3, "cgroup2 ", 8) != 0 ||
        sscanf(mount_line, "%*s %*s %*s %511s %511s", root, mount) != 2)
        return false;
    unescape(root);
    unescape(mount);
    const char *rest = below(own, root);
    return rest && (size_t)snprintf(out, cap, "%s%s", mount, rest) < cap;
}

/* The group of this process in the version 2 tree, as it is called there. */
static bool own_group(char *out, size_t cap)
{
    char line[CONFINE_GROUP_MAX + 4];
    FILE *f = fopen("/proc/self/cgroup", "re");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        size_t end = strcspn(line, "\n");
        bool whole = line[end] == '\n';
        line[end] = '\0';
        found = whole && strncmp(line, "0::/", 4) == 0 &&
                (size_t)snprintf(out, cap, "%s", line + 3) < cap;
    }
    if (f)
        fclose(f);
    return found;
}

static bool is_group(const char *folder)
{
    struct statfs about;
    return statfs(folder, &about) == 0 && about.f_type == CGROUP2_SUPER_MAGIC;
}

/* Ours to make groups in, and to start processes from here into them. */
static bool is_open_to_us(const char *folder)
{
    char path[CONFINE_GROUP_MAX + 16];
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0 &&
           faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/* Where the tree is mounted nearly everywhere; asking for all mounts takes longer than the rest. */
static bool usual_folder(const char *own, char *out)
{
    static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
    const char *rest = below(own, "/");
    for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++)
        if ((size_t)snprintf(out, CONFINE_GROUP_MAX, "%s%s", mounts[i], rest) < CONFINE_GROUP_MAX &&
            is_group(out))
            return true;
    return false;
}

/* Where the first mount that shows it has it. */
static bool mounted_folder(const char *own, char *out)
{
    char line[4096];
    FILE *f = fopen("/proc/self/mountinfo", "re");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) /* the rest of a longer line is no mount */
        found = mgi_confine_group_folder(line, own, out, CONFINE_GROUP_MAX);
    if (f)
        fclose(f);
    return found && is_group(out);
}

/* As systemd marks what it gave away. */
static bool is_delegated(const char *folder)
{
    char value[2];
    return getxattr(folder, "user.delegate", value, sizeof value) == 1 && value[0] == '1';
}

/* Controllers can be had for groups beside ours only if the one above has no processes of its own,
 * which is how a delegated one with a subgroup for the service is made. */
bool mgi_confine_group_place(char folder[CONFINE_GROUP_MAX], bool *delegated)
{
    char own[CONFINE_GROUP_MAX], above[CONFINE_GROUP_MAX];
    *delegated = false;
    if (!own_group(own, sizeof own) || strstr(own, "/..") || /* outside of our view */
        (!usual_folder(own, folder) && !mounted_folder(own, folder)))
        return false;
    snprintf(above, sizeof above, "%s", folder);
    char *end = strrchr(above, '/');
    if (end && end != above)
        *end = '\0';
    *delegated = is_delegated(above) && is_group(above) && is_open_to_us(above);
    if (*delegated)
        snprintf(folder, CONFINE_GROUP_MAX, "%s", above);
    return *delegated || is_open_to_us(folder);
}
