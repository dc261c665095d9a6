/* Files, by Landlock: what is opened, created, removed, executed. A ruleset is a list of grants,
 * each for everything below a path; what lies below none is denied.
 *
 * "Everywhere" is therefore every folder at the root but three: /proc, where other processes can be
 * read, and /sys and /dev, where machines can be changed. Paths are opened here, once, by whoever
 * makes the plan; entering it opens nothing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine/confine_int.h"
#include "confine/landlock_calls.h"

#define LL_OF_FILES (LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV)
#define LL_READING  (LL_READ_FILE | LL_READ_DIR)
#define LL_WRITING                                                                                 \
    (LL_WRITE_FILE | LL_REMOVE_DIR | LL_REMOVE_FILE | LL_MAKE_DIR | LL_MAKE_REG | LL_MAKE_SOCK |   \
     LL_MAKE_FIFO | LL_MAKE_SYM | LL_REFER | LL_TRUNCATE)
#define LL_ALL (LL_OF_FILES | LL_READING | LL_WRITING | LL_MAKE_CHAR | LL_MAKE_BLOCK)

struct grants {
    int ruleset;
    uint64_t handled, read; /* of this kernel; what reading means here: execution, too? */
    struct arena *arena;
    const char *why;
};

static const char *text_or(const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

/* What the loader, the C library and its locales need. A path that is not there is skipped. */
static const char *const always[] = {
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/ssl/openssl.cnf",
    "/sys/devices/system/cpu",
    "/proc/sys/vm/overcommit_memory",
};

/* Programs ask who they are and how they are set up. */
static const char *const for_programs[] = {
    "/etc/passwd",     "/etc/group",      "/etc/nsswitch.conf",  "/etc/alternatives",
    "/etc/gitconfig",  "/etc/os-release", "/etc/mime.types",     "/etc/magic",
    "/etc/python3",    "/etc/python3.9",  "/etc/python3.10",     "/etc/python3.11",
    "/etc/python3.12", "/etc/python3.13", "/etc/java",           "/etc/perl",
    "/etc/inputrc",    "/etc/terminfo",   "/proc/meminfo",       "/proc/cpuinfo",
    "/proc/stat",      "/proc/version",   "/proc/filesystems",   "/proc/sys/kernel/osrelease",
    "/proc/loadavg",   "/proc/uptime",    "/etc/debian_version",
};

/* Names to addresses, and whom to trust; not the private keys beside the certificates. */
static const char *const for_network[] = {
    "/etc/hosts",           "/etc/host.conf",
    "/etc/resolv.conf",     "/etc/nsswitch.conf",
    "/etc/gai.conf",        "/etc/services",
    "/etc/protocols",       "/etc/ssl/certs",
    "/etc/ca-certificates", "/etc/pki/tls/certs",
    "/etc/ssl/cert.pem",    "/etc/ca-certificates.conf",
    "/etc/crypto-policies", "/run/systemd/resolve/stub-resolv.conf",
};

static const char *const harmless_devices[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
};

/* ---- one grant ---------------------------------------------------------------------------- */

/* 0, or errno. */
static int grant_fd(struct grants *g, int fd, uint64_t rights)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return errno;
    if (!S_ISDIR(about.st_mode))
        rights &= LL_OF_FILES;
    const struct ll_path rule = { rights & g->handled, fd };
    return rule.allowed == 0 || ll_add_path(g->ruleset, &rule) == 0 ? 0 : errno;
}

static int grant(struct grants *g, const char *path, uint64_t rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int rc = grant_fd(g, fd, rights);
    close(fd);
    return rc;
}

static void grant_present(struct grants *g, const char *const *paths, size_t count, uint64_t rights)
{
    for (size_t i = 0; i < count && !g->why; i++) {
        int rc = grant(g, paths[i], rights);
        if (rc != 0 && rc != ENOENT && rc != ENOTDIR && rc != EACCES)
            g->why = text_or(
                mgi_arena_printf(g->arena, "cannot grant \"%s\": %s", paths[i], strerror(rc)),
                "out of memory");
    }
}
#define GRANT_PRESENT(g, paths, rights)                                                            \
    grant_present((g), (paths), sizeof(paths) / sizeof *(paths), (rights))

/* A path that somebody named is there, or this is no plan of what they wanted. */
static void grant_listed(struct grants *g, const char *path, uint64_t rights, const char *what)
{
    int rc = g->why ? 0 : path[0] == '/' ? grant(g, path, rights) : EINVAL;
    if (rc != 0)
        g->why =
            text_or(mgi_arena_printf(g->arena, "cannot open \"%s\", which is to be %s: %s", path,
                                     what, path[0] == '/' ? strerror(rc) : "not an absolute path"),
                    "out of memory");
}

/* ---- everywhere --------------------------------------------------------------------------- */

static bool is_machine(const char *name)
{
    return strcmp(name, "proc") == 0 || strcmp(name, "sys") == 0 || strcmp(name, "dev") == 0 ||
           strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* What is a link at the root leads to something that stands there, too. */
static void grant_everywhere(struct grants *g, uint64_t rights)
{
    DIR *root = opendir("/");
    if (!root) {
        g->why = "cannot read the root folder";
        return;
    }
    for (struct dirent *e; !g->why && (e = readdir(root));) {
        if (is_machine(e->d_name))
            continue;
        int fd = openat(dirfd(root), e->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct stat about;
        if (fd < 0)
            continue;
        if (fstat(fd, &about) == 0 && !S_ISLNK(about.st_mode) && grant_fd(g, fd, rights) != 0)
            g->why = "cannot grant a folder of the root";
        close(fd);
    }
    closedir(root);
}

/* ---- the ruleset -------------------------------------------------------------------------- */

static void grant_all(struct grants *g, const struct confinement *c)
{
    GRANT_PRESENT(g, always, g->read);
    GRANT_PRESENT(g, harmless_devices, LL_READ_FILE | LL_WRITE_FILE | LL_IOCTL_DEV);
    if (c->may & CONFINE_SPAWN)
        GRANT_PRESENT(g, for_programs, g->read);
    if (c->may & CONFINE_NETWORK)
        GRANT_PRESENT(g, for_network, g->read);
    if (c->private_folder)
        grant_listed(g, c->private_folder, g->read | LL_WRITING, "private");
    for (size_t i = 0; i < c->read_count; i++)
        grant_listed(g, c->read[i], g->read, "readable");
    for (size_t i = 0; i < c->write_count; i++)
        grant_listed(g, c->write[i], g->read | LL_WRITING, "writable");
    if (!g->why && c->may & CONFINE_READ && c->read_count == 0)
        grant_everywhere(g, g->read);
    if (!g->why && c->may & CONFINE_WRITE && c->write_count == 0)
        grant_everywhere(g, LL_WRITING);
}

static struct ll_ruleset rules_for(const struct confinement *c, int abi)
{
    struct ll_ruleset r = { .files = LL_ALL };
    if (abi < LL_ABI_REFER)
        r.files &= ~LL_REFER;
    if (abi < LL_ABI_TRUNCATE)
        r.files &= ~LL_TRUNCATE;
    if (abi < LL_ABI_IOCTL)
        r.files &= ~LL_IOCTL_DEV;
    if (abi >= LL_ABI_NET && !(c->may & CONFINE_NETWORK))
        r.net = LL_BIND_TCP | LL_CONNECT_TCP;
    if (abi >= LL_ABI_SCOPE)
        r.scoped = LL_SCOPE_ABSTRACT | LL_SCOPE_SIGNAL;
    return r;
}

/* A kernel refuses a structure that is longer than its own, unless the rest is zero. */
static size_t size_for(int abi)
{
    return abi >= LL_ABI_SCOPE ? sizeof(struct ll_ruleset)
           : abi >= LL_ABI_NET ? offsetof(struct ll_ruleset, scoped)
                               : offsetof(struct ll_ruleset, net);
}

/* Low numbers are places where a child's descriptors are put. */
static int out_of_the_way(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    if (fd >= 0)
        close(fd);
    return high;
}

int mgi_confine_ruleset(const struct confinement *wanted, int abi, struct arena *arena,
                        const char **why)
{
    const struct ll_ruleset rules = rules_for(wanted, abi);
    struct grants g = { .ruleset = out_of_the_way(ll_create(&rules, size_for(abi))),
                        .handled = rules.files,
                        .read = wanted->may & CONFINE_SPAWN ? LL_READING | LL_EXECUTE : LL_READING,
                        .arena = arena };
    if (g.ruleset < 0) {
        *why = "cannot make a Landlock ruleset";
        return -1;
    }
    grant_all(&g, wanted);
    *why = g.why;
    if (!g.why)
        return g.ruleset;
    close(g.ruleset);
    return -1;
}
