/* The file of a change: see manglecp_change.h. */
#include "cli/manglecp_change.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/cli_diff.h"
#include "cli/cli_files.h"
#include "import/secret.h"

#define BACKUP ".before-manglecp"
#define ABSENT ".before-manglecp-absent" /* there was no file */

enum { LOCK_TRIES = 250 }; /* of 20 ms */

/* ---- the file -------------------------------------------------------------------------------- */

const char *mgi_change_shown(struct change *c, const char *path)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, str_of(path));
    const char *kept = mgi_arena_str(&c->arena, mgi_buf_view(&out)).ptr;
    mgi_buf_fini(&out);
    return kept ? kept : "";
}

/* The longest beginning of a path that is there, with its links followed. */
static bool real_beginning(const char *path, char out[PATH_MAX])
{
    char copy[PATH_MAX];
    if (strlen(path) >= sizeof copy)
        return false;
    strcpy(copy, path);
    while (!realpath(copy, out)) {
        char *slash = strrchr(copy, '/');
        if (errno != ENOENT || !slash || slash == copy)
            return false;
        *slash = '\0';
    }
    return true;
}

static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0' || len == 1);
}

/* Its links lead nowhere but below the folder that it is said to be in. */
static bool stays_home(struct change *c, const char *folder)
{
    char real[PATH_MAX], home[PATH_MAX];
    if (!real_beginning(c->path, real) || !realpath(folder, home)) {
        mgi_cli_error("%s: %s", mgi_change_shown(c, c->path), strerror(errno));
        return false;
    }
    if (is_below(real, home))
        return true;
    if (c->options->force) {
        fprintf(stderr, "%s leads to %s, out of %s (--force)\n", mgi_change_shown(c, c->path),
                mgi_change_shown(c, real), mgi_change_shown(c, home));
        return true;
    }
    mgi_cli_error("%s leads to %s, out of %s", mgi_change_shown(c, c->path),
                  mgi_change_shown(c, real), mgi_change_shown(c, home));
    mgi_cli_hint("--force writes there all the same.");
    return false;
}

static bool parses(struct change *c, const char *path, struct str text, struct json *root)
{
    struct splice_fault fault;
    enum splice_status st = mgi_splice_read(c->row->form, text, &c->arena, root, &fault);
    if (st == SPLICE_NOMEM)
        mgi_cli_error("out of memory");
    else if (st && fault.line)
        mgi_cli_error("%s:%u:%u: %s", mgi_change_shown(c, path), fault.line, fault.column,
                      fault.message);
    else if (st)
        mgi_cli_error("%s: %s", mgi_change_shown(c, path), fault.message);
    if (st == SPLICE_REFUSED)
        mgi_cli_hint(
            "Nothing was changed. Repair it first: %s may read it in a way that nobody means, "
            "or not at all.",
            c->row->title);
    return !st;
}

static bool read_file(struct change *c)
{
    struct stat s;
    const char *why = NULL;
    char real[PATH_MAX];
    c->real = c->path;
    if (stat(c->path, &s) != 0) {
        if (errno == ENOENT && lstat(c->path, &s) != 0)
            return parses(c, c->path, STR_LIT(""), &c->root);
        mgi_cli_error("%s: %s", mgi_change_shown(c, c->path),
                      errno == ENOENT ? "a link that leads nowhere" : strerror(errno));
        return false;
    }
    c->there = true;
    c->mode = s.st_mode & 07777;
    c->owner = s.st_uid;
    c->group = s.st_gid;
    if (!S_ISREG(s.st_mode) || !realpath(c->path, real)) {
        mgi_cli_error("%s is no file", mgi_change_shown(c, c->path));
        return false;
    }
    c->real = mgi_arena_strdup(&c->arena, real);
    if (!mgi_cli_read_file(real, SPLICE_BYTES, &c->before, &why)) {
        mgi_cli_error("%s: %s", mgi_change_shown(c, c->path), why);
        return false;
    }
    return c->real && parses(c, c->path, mgi_buf_view(&c->before), &c->root);
}

static bool find_row(struct change *c, const char *client)
{
    const char *scope = c->options->scope ? c->options->scope : "user";
    bool project = strcmp(scope, "project") == 0;
    if (!project && strcmp(scope, "user") != 0) {
        mgi_cli_error("--scope is user or project, not \"%s\"", scope);
        return false;
    }
    c->row = mgi_client_file(client, project ? CLIENT_PROJECT : CLIENT_USER);
    if (c->row)
        return true;
    if (project && mgi_client_file(client, CLIENT_USER)) {
        mgi_cli_error("%s has no configuration of a project",
                      mgi_client_file(client, CLIENT_USER)->title);
        return false;
    }
    mgi_cli_error("there is no client \"%s\"", client);
    mgi_cli_hint("They are %s.", mgi_client_names(&c->arena));
    return false;
}

/* False: told. */
bool mgi_change_open(struct change *c, const struct install_options *o, const char *client)
{
    char here[PATH_MAX];
    *c = (struct change){ .options = o, .lock = -1 };
    mgi_arena_init(&c->arena, 0);
    if (!find_row(c, client))
        return false;
    const char *folder = c->row->scope == CLIENT_PROJECT ? getcwd(here, sizeof here) : NULL;
    c->path = mgi_client_path(&c->arena, c->row, folder);
    if (!c->path) {
        mgi_cli_error("HOME is not set, so nobody knows where %s keeps its configuration",
                      c->row->title);
        return false;
    }
    if (c->row->scope == CLIENT_USER) {
        const char *below = c->row->variable ? getenv(c->row->variable) : NULL;
        folder = below && below[0] == '/' ? below : getenv("HOME");
    }
    c->folder = folder ? mgi_arena_strdup(&c->arena, folder) : NULL;
    if (!c->folder || !stays_home(c, folder) || !read_file(c))
        return false;
    c->backup = mgi_arena_printf(&c->arena, "%s" BACKUP, c->real);
    c->absent = mgi_arena_printf(&c->arena, "%s" ABSENT, c->real);
    if (!c->backup || !c->absent) {
        mgi_cli_error("out of memory");
        return false;
    }
    return true;
}

/* The exit status when it was not opened. */
int mgi_change_not_opened(const struct change *c)
{
    return c->row ? EXIT_WRONG : EXIT_USAGE;
}

void mgi_change_close(struct change *c)
{
    if (c->lock >= 0)
        (void)close(c->lock);
    mgi_buf_wipe(&c->before);
    mgi_buf_wipe(&c->after);
    mgi_arena_fini(&c->arena);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* What a terminal may get of a file that others have written, and that may be copied from there:
 * without secrets, and nothing that is not seen. Lines are those of the text. */
static void put_for_people(struct buf *out, struct str text)
{
    struct buf masked = { 0 };
    mgi_import_mask(&masked, text);
    struct str rest = mgi_buf_view(&masked);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        mgi_utf8_show(out, mgi_str_trim((struct str){ rest.ptr, len }, "\r"));
        mgi_buf_puts(out, end ? "\n" : "");
        len += end != NULL;
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
    out->oom |= masked.oom;
    mgi_buf_fini(&masked);
}

static bool show(struct change *c)
{
    struct buf out = { 0 }, before = { 0 }, after = { 0 };
    put_for_people(&before, mgi_buf_view(&c->before));
    put_for_people(&after, mgi_buf_view(&c->after));
    bool good = !before.oom && !after.oom &&
                mgi_cli_diff(&out, mgi_cli_style(stdout), mgi_change_shown(c, c->path),
                             mgi_buf_view(&before), mgi_buf_view(&after));
    if (good && out.len > 0)
        fwrite(out.ptr, 1, out.len, stdout);
    fflush(stdout);
    mgi_buf_fini(&before);
    mgi_buf_fini(&after);
    mgi_buf_fini(&out);
    return good;
}

/* EXIT_ANSWERED: write. */
static int agreed(const struct change *c)
{
    char answer[16] = "";
    if (c->options->yes)
        return EXIT_ANSWERED;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        mgi_cli_error("nobody is at a terminal to agree, and nothing was written");
        mgi_cli_hint("--yes writes it without asking.");
        return EXIT_USAGE;
    }
    fprintf(stderr, "Write it? [y/N] ");
    if (fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
        return EXIT_ANSWERED;
    fprintf(stderr, "Nothing was written.\n");
    return EXIT_WRONG;
}

/* Nobody wrote the file while the difference was looked at. */
static bool is_unchanged(struct change *c)
{
    struct buf now = { 0 };
    struct stat s;
    const char *why;
    bool same = c->there ? mgi_cli_read_file(c->real, SPLICE_BYTES, &now, &why) &&
                               str_eq(mgi_buf_view(&now), mgi_buf_view(&c->before))
                         : lstat(c->path, &s) != 0 && errno == ENOENT;
    mgi_buf_wipe(&now);
    if (!same)
        mgi_cli_error("%s was changed by somebody else in the meantime; nothing was written",
                      mgi_change_shown(c, c->path));
    return same;
}

static bool make_folders(struct change *c)
{
    char path[PATH_MAX];
    if (strlen(c->path) >= sizeof path)
        return false;
    strcpy(path, c->path);
    return mgi_cli_make_parents(path, c->row->scope == CLIENT_USER ? 0700 : 0777);
}

/* A file of our own, with the mode and the owner of what it is beside; never through a link. */
static bool write_beside(const struct change *c, const char *path, struct str text, mode_t mode)
{
    struct stat s;
    if (lstat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
        errno = EEXIST;
        return false;
    }
    mode_t mask = umask(0077);
    bool good = mgi_cli_write_file(path, text) && chmod(path, mode) == 0;
    if (good && c->there && geteuid() == 0)
        good = lchown(path, c->owner, c->group) == 0;
    (void)umask(mask);
    return good;
}

static bool keep_backup(struct change *c)
{
    bool good = c->there ? write_beside(c, c->backup, mgi_buf_view(&c->before), c->mode)
                         : write_beside(c, c->absent, STR_LIT(""), 0600);
    if (good)
        (void)unlink(c->there ? c->absent : c->backup);
    return good;
}

bool mgi_change_write(struct change *c)
{
    mode_t mask = umask(0);
    (void)umask(c->row->scope == CLIENT_USER ? 0077 : mask); /* it may get secrets one day */
    bool good = mgi_cli_write_file(c->path, mgi_buf_view(&c->after));
    (void)umask(mask);
    return good;
}

int mgi_change_cannot_write(struct change *c, const char *what)
{
    mgi_cli_error("%s cannot be written: %s", mgi_change_shown(c, what), strerror(errno));
    return EXIT_USAGE;
}

/* Where it may be written at all: a file that nobody may write was made so on purpose. */
static bool may_write(struct change *c)
{
    if (!c->there || (c->mode & 0222))
        return true;
    mgi_cli_error("%s is read-only", mgi_change_shown(c, c->path));
    mgi_cli_hint("chmod u+w %s, if that is what you want.", mgi_change_shown(c, c->path));
    return false;
}

/* Of two at once, one waits, and then sees that the other one has written. Held until the change is
 * closed, and never while a person is asked. */
static bool lock(struct change *c)
{
    const struct timespec pause = { 0, 20 * 1000 * 1000 };
    c->lock = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; c->lock >= 0 && i < LOCK_TRIES; i++) {
        if (flock(c->lock, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        (void)nanosleep(&pause, NULL);
    }
    mgi_cli_error("%s cannot be locked: %s", mgi_change_shown(c, c->folder), strerror(errno));
    return false;
}

int mgi_change_prepare(struct change *c)
{
    if (!may_write(c))
        return EXIT_WRONG;
    if (!show(c)) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    if (c->options->dry_run) {
        printf("Nothing was written (--dry-run).\n");
        return EXIT_ANSWERED;
    }
    int status = agreed(c);
    if (status)
        return status;
    return lock(c) && is_unchanged(c) ? EXIT_ANSWERED : EXIT_WRONG;
}

int mgi_change_carry_out(struct change *c)
{
    int status = mgi_change_prepare(c);
    if (status || c->options->dry_run)
        return status;
    if (!make_folders(c) || !keep_backup(c))
        return mgi_change_cannot_write(c, c->there ? c->backup : c->absent);
    if (!mgi_change_write(c))
        return mgi_change_cannot_write(c, c->path);
    printf("%s was written.", mgi_change_shown(c, c->path));
    if (c->there)
        printf(" As it was: %s.", mgi_change_shown(c, c->backup));
    printf(" Undo: manglecp mcp --undo %s%s\n", c->row->client,
           c->row->scope == CLIENT_PROJECT ? " --scope project" : "");
    return EXIT_ANSWERED;
}
