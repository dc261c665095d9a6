/* Finding, checking and opening the repository.
 *
 * A checkout that a stranger made can name other places in many files: .git itself, commondir,
 * alternates, core.worktree, an include in its configuration. Each is looked at before libgit2
 * reads it, and one that leads out of the repository fails the call, unless
 *
 *   1. the settings list the folder (`outside`), or
 *   2. it is the git directory of a linked worktree or of a submodule, and names this worktree
 *      back: nobody but its owner can have written that.
 *
 * What these checks do not look at (links below .git) is held by the kernel, where `read` is
 * granted to the repository alone. */
#include "plugins/git/open_int.h"

#include <errno.h>
#include <fcntl.h>
#include <git2/sys/repository.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS_MOST     64 /* from the configured one upwards */
#define ALTERNATES_DEPTH 5  /* as libgit2 follows them */
#define ALTERNATES_MOST  64
#define FILE_MOST        (1024 * 1024)

/* What is known before libgit2 is asked. Paths are real ones (realpath). */
struct place {
    struct action *a;
    char root[PATH_MAX];   /* the folder that has .git, or the bare repository */
    char dir[PATH_MAX];    /* the git directory */
    char common[PATH_MAX]; /* what linked worktrees share; else dir */
    bool bare;             /* root is the git directory */
    bool linked;           /* .git is a file, and leads out of root */
    bool vouched;          /* what it leads to names this folder back, or is listed */
};

static bool is_within(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

static bool is_listed(const struct action *a, const char *path)
{
    const struct git_settings *s = mgi_git_settings(a);
    char real[PATH_MAX];
    for (size_t i = 0; i < s->outside_count; i++)
        if (realpath(s->outside[i], real) && is_within(path, real))
            return true;
    return false;
}

static bool may_lead_to(const struct place *p, const char *path)
{
    return is_within(path, p->root) || is_listed(p->a, path) ||
           (p->vouched && (is_within(path, p->dir) || is_within(path, p->common)));
}

static bool leads_out(struct action *a, const char *what, const char *path)
{
    return mgi_action_fail(
        a,
        "repository: %s leads to %s, which is outside of it; if it belongs to it, list it in "
        "the setting \"outside\"",
        what, path);
}

/* "folder/name" as a real path; false: it is not there. */
static bool real_below(const char *folder, const char *name, char out[PATH_MAX])
{
    char path[PATH_MAX];
    int len = name[0] == '/' ? snprintf(path, sizeof path, "%s", name)
                             : snprintf(path, sizeof path, "%s/%s", folder, name);
    return len > 0 && len < PATH_MAX && realpath(path, out);
}

/* ---- small files ---------------------------------------------------------------------------- */

/* A regular file, whole, in the arena. Absent: true, and ptr NULL. */
static bool read_small(struct action *a, const char *folder, const char *name, struct str *text)
{
    char path[PATH_MAX];
    struct stat st;
    *text = (struct str){ NULL, 0 };
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (len < 0 || len >= PATH_MAX || stat(path, &st) != 0)
        return true;
    if (!S_ISREG(st.st_mode) || st.st_size > FILE_MOST)
        return mgi_action_fail(a, "repository: %s/%s: %s", folder, name,
                               S_ISREG(st.st_mode) ? "is larger than 1 MiB" : "is no file");
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return mgi_action_fail(a, "repository: %s/%s: %s%s", folder, name, strerror(errno),
                               errno == EACCES ? "; a confined plugin needs the folder in \"read\""
                                               : "");
    char *out = mgi_arena_alloc(&a->arena, (size_t)st.st_size + 1);
    ssize_t n = out ? read(fd, out, (size_t)st.st_size) : 0;
    close(fd);
    if (!out)
        return mgi_action_nomem(a);
    out[n > 0 ? n : 0] = '\0';
    *text = (struct str){ out, n > 0 ? (size_t)n : 0 };
    return true;
}

/* The path in a file of one line, with what stands before it. NULL: none. */
static const char *one_line(struct str text, const char *prefix)
{
    struct str rest = text;
    if (!mgi_str_starts(rest, str_of(prefix)))
        return NULL;
    rest.ptr += strlen(prefix);
    rest.len -= strlen(prefix);
    while (rest.len && strchr(" \t", rest.ptr[0]))
        rest = (struct str){ rest.ptr + 1, rest.len - 1 };
    while (rest.len && strchr("\r\n", rest.ptr[rest.len - 1]))
        rest.len--;
    ((char *)(uintptr_t)rest.ptr)[rest.len] = '\0'; /* the arena's */
    return rest.len && !memchr(rest.ptr, '\0', rest.len) ? rest.ptr : NULL;
}

/* ---- where it is ---------------------------------------------------------------------------- */

static bool is_there_below(const char *folder, const char *name, struct stat *st)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    return len > 0 && len < PATH_MAX && stat(path, st) == 0;
}

static bool looks_bare(const char *folder)
{
    struct stat head, objects, refs;
    return is_there_below(folder, "HEAD", &head) && S_ISREG(head.st_mode) &&
           is_there_below(folder, "objects", &objects) && S_ISDIR(objects.st_mode) &&
           is_there_below(folder, "refs", &refs) && S_ISDIR(refs.st_mode);
}

/* The folder that has .git, from the configured one upwards. */
static bool find_root(struct place *p)
{
    const char *start = mgi_git_settings(p->a)->repository;
    struct stat st;
    if (!realpath(start, p->root))
        return mgi_action_fail(p->a, "repository: %s: %s", start, strerror(errno));
    for (int i = 0; i < FOLDERS_MOST; i++) {
        if (is_there_below(p->root, ".git", &st))
            return true;
        if (looks_bare(p->root))
            return p->bare = true;
        char *slash = strrchr(p->root, '/');
        if (!slash || p->root[1] == '\0')
            break;
        slash[slash == p->root] = '\0';
    }
    return mgi_action_fail(p->a, "repository: %s: is in no git repository", start);
}

/* A git directory that is elsewhere: does it name this folder's .git? */
static bool names_back(struct place *p, const char *dot_git)
{
    struct str text;
    char back[PATH_MAX];
    if (!read_small(p->a, p->dir, "gitdir", &text))
        return false;
    const char *line = text.ptr ? one_line(text, "") : NULL;
    return line && real_below(p->dir, line, back) && strcmp(back, dot_git) == 0;
}

static bool find_dir(struct place *p)
{
    char dot_git[PATH_MAX];
    struct stat st;
    struct str text;
    if (p->bare) {
        strcpy(p->dir, p->root);
        return true;
    }
    if (!real_below(p->root, ".git", dot_git) || stat(dot_git, &st) != 0)
        return mgi_action_fail(p->a, "repository: %s/.git: %s", p->root, strerror(errno));
    if (!is_within(dot_git, p->root) && !is_listed(p->a, dot_git))
        return leads_out(p->a, ".git", dot_git);
    strcpy(p->dir, dot_git);
    if (S_ISDIR(st.st_mode))
        return true;
    if (!read_small(p->a, p->root, ".git", &text))
        return false;
    const char *line = text.ptr ? one_line(text, "gitdir:") : NULL;
    if (!line)
        return mgi_action_fail(p->a,
                               "repository: %s/.git: is neither a folder nor a file that "
                               "says gitdir:",
                               p->root);
    if (!real_below(p->root, line, p->dir))
        return mgi_action_fail(p->a,
                               "repository: its .git leads to %s, which is not there, or not "
                               "to be seen from here",
                               line);
    p->linked = !is_within(p->dir, p->root);
    p->vouched = p->linked && (names_back(p, dot_git) || is_listed(p->a, p->dir));
    return p->a->faults == 0;
}

/* A linked worktree shares the directory above "worktrees/NAME". */
static bool find_common(struct place *p)
{
    struct str text;
    strcpy(p->common, p->dir);
    if (!read_small(p->a, p->dir, "commondir", &text))
        return false;
    const char *line = text.ptr ? one_line(text, "") : NULL;
    if (!line)
        return true;
    if (!real_below(p->dir, line, p->common))
        return mgi_action_fail(p->a,
                               "repository: its commondir leads to %s, which is not there, "
                               "or not to be seen from here",
                               line);
    bool above = is_within(p->dir, p->common) &&
                 strncmp(p->dir + strlen(p->common), "/worktrees/", sizeof "/worktrees/" - 1) == 0;
    bool trusted =
        is_within(p->common, p->root) || is_listed(p->a, p->common) || (p->vouched && above);
    return trusted || leads_out(p->a, "commondir", p->common);
}

/* ---- what it may not have ------------------------------------------------------------------- */

/* True if the text has a section [include] or [includeIf]; lines that are comments do not count. It
 * may be wrong about a value that looks like one, and then says more than is true. */
bool mgi_git_config_includes(struct str text)
{
    for (size_t at = 0; at < text.len;) {
        const char *lf = memchr(text.ptr + at, '\n', text.len - at);
        size_t end = lf ? (size_t)(lf - text.ptr) : text.len;
        struct str line = mgi_str_trim((struct str){ text.ptr + at, end - at }, " \t\r\v\f");
        at = end + 1;
        if (line.len == 0 || line.ptr[0] == '#' || line.ptr[0] == ';')
            continue;
        for (size_t i = 0; i + 8 <= line.len; i++)
            if (line.ptr[i] == '[' && strncasecmp(line.ptr + i + 1, "include", 7) == 0)
                return true;
    }
    return false;
}

static bool check_config(struct place *p, const char *folder, const char *name)
{
    struct str text;
    if (!read_small(p->a, folder, name, &text))
        return false;
    if (text.ptr && mgi_git_config_includes(text))
        return mgi_action_fail(p->a,
                               "repository: %s/%s: has an include, which is not followed "
                               "here: take it out, or write what it includes into it",
                               folder, name);
    return true;
}

/* Parts of the git directory that are links, or that nobody should open. */
static bool check_parts(struct place *p)
{
    static const char *const names[] = { "HEAD",
                                         "config",
                                         "index",
                                         "objects",
                                         "refs",
                                         "packed-refs",
                                         "logs",
                                         "info",
                                         "shallow",
                                         "info/exclude",
                                         "info/attributes",
                                         "ORIG_HEAD",
                                         "MERGE_HEAD",
                                         "logs/HEAD" };
    char path[PATH_MAX], real[PATH_MAX];
    struct stat st;
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const char *folder = i % 2 ? p->common : p->dir;
        int len = snprintf(path, sizeof path, "%s/%s", folder, names[i / 2]);
        if (len < 0 || len >= PATH_MAX || lstat(path, &st) != 0)
            continue;
        if (S_ISLNK(st.st_mode) && realpath(path, real) && !may_lead_to(p, real))
            return leads_out(p->a, names[i / 2], real);
        if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
            return mgi_action_fail(p->a, "repository: %s: is neither a file nor a folder", path);
    }
    return true;
}

/* What libgit2 reads at the top of the worktree: a pipe without a writer would hold it until the
 * call's time is up. (One below is not looked for: that is what then happens.) */
static bool check_top(struct place *p)
{
    static const char *const names[] = { ".gitignore", ".gitattributes", ".gitmodules",
                                         ".mailmap" };
    struct stat st;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_there_below(p->root, names[i], &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
            return mgi_action_fail(p->a, "repository: %s/%s: is neither a file nor a folder",
                                   p->root, names[i]);
    return true;
}

/* The folders of objects that it borrows from, and those that they do. */
static bool check_alternates(struct place *p)
{
    char(*queue)[PATH_MAX] = mgi_arena_alloc(&p->a->arena, ALTERNATES_MOST * sizeof *queue);
    unsigned depth[ALTERNATES_MOST];
    size_t count = 1;
    if (!queue)
        return mgi_action_nomem(p->a);
    snprintf(queue[0], PATH_MAX, "%.*s/objects", (int)(PATH_MAX - 10), p->common);
    depth[0] = 0;
    for (size_t i = 0; i < count; i++) {
        struct str text;
        if (!read_small(p->a, queue[i], "info/alternates", &text))
            return false;
        char *rest = (char *)(uintptr_t)text.ptr, *line;
        while (rest && (line = strsep(&rest, "\r\n"))) {
            char real[PATH_MAX];
            if (line[0] == '\0' || line[0] == '#' || !real_below(queue[i], line, real))
                continue;
            if (!may_lead_to(p, real))
                return leads_out(p->a, "objects/info/alternates", real);
            if (depth[i] == ALTERNATES_DEPTH || count == ALTERNATES_MOST)
                return mgi_action_fail(p->a, "repository: objects/info/alternates: leads over "
                                             "too many repositories");
            depth[count] = depth[i] + 1;
            strcpy(queue[count++], real);
        }
    }
    return true;
}

/* ---- opening -------------------------------------------------------------------------------- */

static void release_repository(void *repository)
{
    git_repository_free(repository);
}

/* libgit2 looks up which files of the user have patterns (core.excludesfile, core.attributesfile)
 * when patterns are first needed, and never again. Let it look where there is none. */
static int forget_outer_patterns(git_repository *repo)
{
    git_config *real = NULL, *none = NULL;
    int error = git_repository_config(&real, repo);
    if (!error)
        error = git_config_new(&none);
    if (!error)
        error = git_repository_set_config(repo, none);
    if (!error)
        error = git_attr_add_macro(repo, "manglecp-none", "-manglecp-none");
    if (!error)
        error = git_repository_set_config(repo, real);
    git_config_free(none);
    git_config_free(real);
    return error;
}

/* The worktree is the folder that has .git; another one would be core.worktree's. */
static bool check_workdir(struct place *p, struct git *g)
{
    char real[PATH_MAX];
    const char *workdir = git_repository_workdir(g->repo);
    if (!workdir && !git_repository_is_bare(g->repo))
        return mgi_action_fail(p->a, "repository: %s: has no worktree", p->root);
    if (!workdir)
        return true;
    if (!realpath(workdir, real))
        return mgi_action_fail(p->a, "repository: its worktree %s: %s", workdir, strerror(errno));
    if (strcmp(real, p->root) != 0)
        return mgi_action_fail(p->a, "repository: %s: its worktree is %s: configure that", p->root,
                               real);
    if (p->linked && !p->vouched) { /* a submodule's directory says so in its configuration */
        git_config *config = NULL;
        git_buf value = GIT_BUF_INIT;
        p->vouched = git_repository_config_snapshot(&config, g->repo) == 0 &&
                     git_config_get_string_buf(&value, config, "core.worktree") == 0;
        git_buf_dispose(&value);
        git_config_free(config);
    }
    if (p->linked && !p->vouched)
        return leads_out(p->a, ".git", p->dir);
    g->workdir = mgi_arena_strdup(&p->a->arena, real);
    return g->workdir || mgi_action_nomem(p->a);
}

static bool open_checked(struct place *p, struct git *g)
{
    int error = git_repository_open_ext(
        &g->repo, p->root, GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_CROSS_FS, NULL);
    if (error)
        return mgi_git_fail(g, error, "repository");
    if (!mgi_git_keep(g, release_repository, g->repo) || !check_workdir(p, g))
        return false;
    error = forget_outer_patterns(g->repo);
    if (error)
        return mgi_git_fail(g, error, "repository");
    g->shallow = git_repository_is_shallow(g->repo) == 1;
    return true;
}

bool mgi_git_open(struct action *a, struct git *g)
{
    struct place *p = mgi_arena_calloc(&a->arena, 1, sizeof *p);
    *g = (struct git){ .a = a };
    if (!p)
        return mgi_action_nomem(a);
    p->a = a;
    bool ok = find_root(p) && find_dir(p) && find_common(p) && check_parts(p) && check_top(p);
    if (ok && p->linked && !p->vouched) /* its configuration decides: nothing else is read before */
        ok = check_config(p, p->common, "config") && open_checked(p, g) && check_alternates(p);
    else if (ok)
        ok = check_config(p, p->common, "config") && check_alternates(p) && open_checked(p, g);
    return ok;
}

bool mgi_git_open_worktree(struct action *a, struct git *g)
{
    if (!mgi_git_open(a, g))
        return false;
    return g->workdir || mgi_action_fail(a, "repository: is bare: it has no worktree");
}
