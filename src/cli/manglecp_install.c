/* See manglecp_install.h.
 *
 *   read --> what is to stand there --> difference --> asked --> unchanged? --> backup --> written
 *
 * The file is a regular one, parses, can be written by its mode, and is not reached by a link that
 * leads out of the home (or project) folder; else nothing is done, and it is said why. */
#include "cli/manglecp_install.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/cli_diff.h"
#include "cli/cli_files.h"
#include "cli/manglecp_clients.h"

#define BACKUP ".before-manglecp"
#define ABSENT ".before-manglecp-absent" /* there was no file */

struct change {
    struct arena arena;
    const struct install_options *options;
    const struct client_file *row;
    const char *path; /* of the client */
    const char *real; /* where that leads; the same where it is no link */
    const char *backup, *absent;
    bool there; /* there is a file */
    mode_t mode;
    struct buf before, after;
    struct json root; /* of `before` */
};

bool mgi_install_wanted(const struct install_options *o)
{
    return o->install || o->uninstall || o->undo;
}

/* ---- the file -------------------------------------------------------------------------------- */

static const char *shown_path(struct change *c, const char *path)
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
        mgi_cli_error("%s: %s", shown_path(c, c->path), strerror(errno));
        return false;
    }
    if (is_below(real, home))
        return true;
    if (c->options->force) {
        fprintf(stderr, "%s leads to %s, out of %s (--force)\n", shown_path(c, c->path),
                shown_path(c, real), shown_path(c, home));
        return true;
    }
    mgi_cli_error("%s leads to %s, out of %s", shown_path(c, c->path), shown_path(c, real),
                  shown_path(c, home));
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
        mgi_cli_error("%s:%u:%u: %s", shown_path(c, path), fault.line, fault.column, fault.message);
    else if (st)
        mgi_cli_error("%s: %s", shown_path(c, path), fault.message);
    if (st == SPLICE_REFUSED)
        mgi_cli_hint("Nothing was changed: %s cannot read it like this, either. Repair it first.",
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
        mgi_cli_error("%s: %s", shown_path(c, c->path),
                      errno == ENOENT ? "a link that leads nowhere" : strerror(errno));
        return false;
    }
    c->there = true;
    c->mode = s.st_mode & 07777;
    if (!S_ISREG(s.st_mode) || !realpath(c->path, real)) {
        mgi_cli_error("%s is no file", shown_path(c, c->path));
        return false;
    }
    c->real = mgi_arena_strdup(&c->arena, real);
    if (!mgi_cli_read_file(real, SPLICE_BYTES, &c->before, &why)) {
        mgi_cli_error("%s: %s", shown_path(c, c->path), why);
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
static bool open_change(struct change *c, const struct install_options *o, const char *client)
{
    char here[PATH_MAX];
    *c = (struct change){ .options = o };
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
    if (!folder || !stays_home(c, folder) || !read_file(c))
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
static int not_opened(const struct change *c)
{
    return c->row ? EXIT_WRONG : EXIT_USAGE;
}

static void close_change(struct change *c)
{
    mgi_buf_wipe(&c->before);
    mgi_buf_wipe(&c->after);
    mgi_arena_fini(&c->arena);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool show_difference(struct change *c)
{
    struct buf out = { 0 };
    bool good = mgi_cli_diff(&out, mgi_cli_style(stdout), c->path, mgi_buf_view(&c->before),
                             mgi_buf_view(&c->after));
    if (good && out.len > 0)
        fwrite(out.ptr, 1, out.len, stdout);
    fflush(stdout);
    mgi_buf_wipe(&out);
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
                      shown_path(c, c->path));
    return same;
}

static bool make_folders(struct change *c)
{
    char path[PATH_MAX];
    if (strlen(c->path) >= sizeof path)
        return false;
    strcpy(path, c->path);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, c->row->scope == CLIENT_USER ? 0700 : 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

/* A file of our own, with a mode; never through a link. */
static bool write_beside(const char *path, struct str text, mode_t mode)
{
    struct stat s;
    if (lstat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
        errno = EEXIST;
        return false;
    }
    mode_t mask = umask(0077);
    bool good = mgi_cli_write_file(path, text) && chmod(path, mode) == 0;
    (void)umask(mask);
    return good;
}

static bool keep_backup(struct change *c)
{
    bool good = c->there ? write_beside(c->backup, mgi_buf_view(&c->before), c->mode)
                         : write_beside(c->absent, STR_LIT(""), 0600);
    if (good)
        (void)unlink(c->there ? c->absent : c->backup);
    return good;
}

static bool write_file(struct change *c)
{
    mode_t mask = umask(0);
    (void)umask(c->row->scope == CLIENT_USER ? 0077 : mask); /* it may get secrets one day */
    bool good = mgi_cli_write_file(c->path, mgi_buf_view(&c->after));
    (void)umask(mask);
    return good;
}

static int cannot_write(struct change *c, const char *what)
{
    mgi_cli_error("%s cannot be written: %s", shown_path(c, what), strerror(errno));
    return EXIT_USAGE;
}

/* Where it may be written at all: a file that nobody may write was made so on purpose. */
static bool may_write(struct change *c)
{
    if (!c->there || (c->mode & 0222))
        return true;
    mgi_cli_error("%s is read-only", shown_path(c, c->path));
    mgi_cli_hint("chmod u+w %s, if that is what you want.", shown_path(c, c->path));
    return false;
}

/* The rest of each way: shows, asks, and writes `after`. */
static int carry_out(struct change *c)
{
    if (!may_write(c))
        return EXIT_WRONG;
    if (!show_difference(c)) {
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
    if (!is_unchanged(c))
        return EXIT_WRONG;
    if (!make_folders(c) || !keep_backup(c))
        return cannot_write(c, c->there ? c->backup : c->absent);
    if (!write_file(c))
        return cannot_write(c, c->path);
    printf("%s was written.", shown_path(c, c->path));
    if (c->there)
        printf(" As it was: %s.", shown_path(c, c->backup));
    printf(" Undo: manglecp mcp --undo %s%s\n", c->row->client,
           c->row->scope == CLIENT_PROJECT ? " --scope project" : "");
    return EXIT_ANSWERED;
}

/* ---- the entry ------------------------------------------------------------------------------- */

/* Options of `mcp` that are not of the entry: those above, and secrets. */
static bool is_ours_alone(const char *word, bool *with_value)
{
    static const char *const valued[] = { "--install", "--scope", "--name", "--env", NULL };
    static const char *const flags[] = { "--yes", "--dry-run", "--force", NULL };
    for (size_t i = 0; valued[i]; i++) {
        size_t len = strlen(valued[i]);
        if (strncmp(word, valued[i], len) == 0 && (word[len] == '\0' || word[len] == '=')) {
            *with_value = word[len] == '\0';
            return true;
        }
    }
    *with_value = false;
    for (size_t i = 0; flags[i]; i++)
        if (strcmp(word, flags[i]) == 0)
            return true;
    return false;
}

/* A path that is there, absolute; anything else as it is. */
static const char *absolute(struct change *c, const char *word)
{
    char real[PATH_MAX];
    return realpath(word, real) ? mgi_arena_strdup(&c->arena, real) : word;
}

/* The client starts it in a folder of its own: whatever is a path here is none there. */
static const char *absolute_option(struct change *c, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals[1] == '/' || equals[1] == '\0')
        return equals ? word : absolute(c, word);
    const char *path = absolute(c, equals + 1);
    return path && path != equals + 1
               ? mgi_arena_printf(&c->arena, "%.*s%s", (int)(equals - word) + 1, word, path)
               : word;
}

static const char *program_path(struct change *c, const char *word)
{
    char found[PATH_MAX];
    return mgi_cli_find_program(word, found) ? mgi_arena_strdup(&c->arena, found) : word;
}

static void write_args(struct change *c, struct json_writer *w, const struct target *t, int argc,
                       char **argv)
{
    bool dashes = false, command = false;
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, "mcp");
    for (int i = 1; i < argc; i++) {
        bool with_value;
        if (!dashes && is_ours_alone(argv[i], &with_value)) {
            i += with_value;
            continue;
        }
        if (dashes && !command) {
            mgi_jw_cstring(w, program_path(c, argv[i]));
            command = true;
            continue;
        }
        if (!dashes && strcmp(argv[i], "--") == 0) {
            dashes = true;
            mgi_jw_cstring(w, argv[i]);
            continue;
        }
        mgi_jw_cstring(w, dashes || (argv[i] == t->word && t->remembers)
                              ? argv[i]
                              : absolute_option(c, argv[i]));
    }
    mgi_jw_end_array(w);
}

static void write_variables(struct change *c, struct json_writer *w)
{
    const struct cli_list *names = &c->options->variables;
    if (names->count == 0)
        return;
    mgi_jw_key(w, c->row->variables == CLIENT_VAR_NAMES ? "env_vars" : "env");
    if (c->row->variables == CLIENT_VAR_NAMES)
        mgi_jw_begin_array(w);
    else
        mgi_jw_begin_object(w);
    for (size_t i = 0; i < names->count; i++) {
        if (c->row->variables == CLIENT_VAR_NAMES) {
            mgi_jw_cstring(w, names->items[i]);
            continue;
        }
        mgi_jw_key_str(w, str_of(names->items[i]));
        mgi_jw_cstring(w,
                       mgi_arena_printf(&c->arena,
                                        c->row->variables == CLIENT_VAR_ENV ? "${env:%s}" : "${%s}",
                                        names->items[i]));
    }
    if (c->row->variables == CLIENT_VAR_NAMES)
        mgi_jw_end_array(w);
    else
        mgi_jw_end_object(w);
}

static bool make_entry(struct change *c, const struct target *t, int argc, char **argv,
                       struct json *out)
{
    char self[PATH_MAX];
    struct buf text = { 0 };
    struct json_writer w;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        mgi_cli_error("where this program is cannot be told: %s", strerror(errno));
        return false;
    }
    self[n] = '\0';
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    if (c->row->typed)
        mgi_jw_member_cstr(&w, "type", "stdio");
    mgi_jw_member_cstr(&w, "command", self);
    mgi_jw_key(&w, "args");
    write_args(c, &w, t, argc, argv);
    write_variables(c, &w);
    mgi_jw_end_object(&w);
    bool good = !c->arena.oom && mgi_json_take(&c->arena, &text, out);
    if (!good)
        mgi_cli_error("out of memory");
    return good;
}

/* Nothing secret may get into a file that others read, and be copied from machine to machine. */
static bool options_are_open(struct change *c, const struct target *t)
{
    bool good = true;
    const struct {
        const char *option, *variable;
        bool given;
    } rows[] = { { "--token", "MANGLECP_TOKEN", t->options.token != NULL },
                 { "--confirm-key", "MANGLECP_CONFIRM_KEY", t->options.confirm_key != NULL } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given && !(i == 1 && getenv("MANGLECP_CONFIRM_KEY"))) {
            mgi_cli_error("%s is a secret, and is not written into a configuration",
                          rows[i].option);
            mgi_cli_hint("Set %s where the client is started, and give --env %s.", rows[i].variable,
                         rows[i].variable);
            good = false;
        }
    for (size_t i = 0; i < c->options->variables.count; i++) {
        const char *name = c->options->variables.items[i];
        if (name[0] == '\0' || strpbrk(name, "=${} \t\"'")) {
            mgi_cli_error("--env takes the name of a variable, not \"%s\"", name);
            good = false;
        }
    }
    if (good && c->options->variables.count > 0 && c->row->variables == CLIENT_VAR_NOT) {
        mgi_cli_error("%s has no variables in its configuration", c->row->title);
        mgi_cli_hint("For a server elsewhere: manglecp login keeps a token where manglecp finds "
                     "it.");
        good = false;
    }
    return good;
}

/* "hello" of /path/to/hello: letters, digits, - and _. */
static const char *entry_name(struct change *c, const struct target *t)
{
    char real[PATH_MAX];
    if (c->options->name)
        return c->options->name;
    if (!t->word || t->remembers || !realpath(t->word, real))
        return "manglecp";
    char *name = mgi_arena_strdup(&c->arena, basename(real));
    for (char *p = name; p && *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
              *p == '-' || *p == '_'))
            *p = '-';
    return name && name[0] ? name : "manglecp";
}

static bool name_is_good(const char *name)
{
    size_t len = strlen(name);
    bool good = len > 0 && len <= 64;
    for (size_t i = 0; good && i < len; i++)
        good = name[i] > ' ' && name[i] < 0x7f && name[i] != '"' && name[i] != '\\';
    if (!good)
        mgi_cli_error("--name takes at most 64 plain characters");
    return good;
}

static bool may_replace(struct change *c, struct str name)
{
    const struct json *old = mgi_json_get_str(mgi_json_get(&c->root, c->row->section), name);
    if (!old || c->options->force || mgi_client_entry_is_ours(old))
        return true;
    mgi_cli_error("%s has a server \"%.*s\" already, which is not of manglecp",
                  shown_path(c, c->path), STR_ARG(name));
    mgi_cli_hint("--name gives it another name; --force replaces it.");
    return false;
}

/* What a change of the text came to; EXIT_ANSWERED: c->after is what is to be written. */
static int splice_status(struct change *c, enum splice_status st, const struct splice_fault *fault)
{
    if (st == SPLICE_DONE)
        return EXIT_ANSWERED;
    if (st == SPLICE_NOMEM) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    if (fault->line)
        mgi_cli_error("%s:%u:%u: %s", shown_path(c, c->path), fault->line, fault->column,
                      fault->message);
    else
        mgi_cli_error("%s: %s", shown_path(c, c->path), fault->message);
    return EXIT_WRONG;
}

static int add(struct change *c, const struct target *t, int argc, char **argv)
{
    struct json value;
    struct splice_fault fault;
    const char *name = entry_name(c, t);
    const struct splice_place place = { str_of(c->row->section), str_of(name) };
    if (!options_are_open(c, t) || !name_is_good(name))
        return EXIT_USAGE;
    if (!make_entry(c, t, argc, argv, &value))
        return EXIT_USAGE;
    if (!may_replace(c, place.name))
        return EXIT_WRONG;
    int status = splice_status(c,
                               mgi_splice_put(c->row->form, mgi_buf_view(&c->before), &place,
                                              &value, &c->after, NULL, &fault),
                               &fault);
    if (status)
        return status;
    if (str_eq(mgi_buf_view(&c->before), mgi_buf_view(&c->after))) {
        printf("%s has it already.\n", shown_path(c, c->path));
        return EXIT_ANSWERED;
    }
    status = carry_out(c);
    if (!status && !c->options->dry_run)
        printf("%s sees it as \"%s\" when it is started next.\n", c->row->title, name);
    return status;
}

int mgi_install_add(const struct install_options *o, const struct target *t, int argc, char **argv)
{
    struct change c;
    char manifest[PATH_MAX];
    if (t->word && !t->remembers) {
        snprintf(manifest, sizeof manifest, "%s/domain.yaml", t->word);
        if (access(manifest, F_OK) != 0) {
            mgi_cli_error("%s is no domain folder: it has no domain.yaml", t->word);
            return EXIT_USAGE;
        }
    }
    int status = open_change(&c, o, o->install) ? add(&c, t, argc, argv) : not_opened(&c);
    close_change(&c);
    return status;
}

/* ---- out again ------------------------------------------------------------------------------- */

/* The entry that is meant; NULL: told. */
static const char *which_entry(struct change *c)
{
    const struct json *section = mgi_json_get(&c->root, c->row->section);
    const char *found = NULL;
    struct buf names = { 0 };
    size_t count = 0;
    if (c->options->name) {
        const struct json *e = mgi_json_get(section, c->options->name);
        if (!e)
            mgi_cli_error("%s has no server \"%s\"", shown_path(c, c->path), c->options->name);
        else if (!c->options->force && !mgi_client_entry_is_ours(e)) {
            mgi_cli_error("the server \"%s\" is not of manglecp", c->options->name);
            mgi_cli_hint("--force takes it out all the same.");
            e = NULL;
        }
        return e ? c->options->name : NULL;
    }
    for (uint32_t i = 0; section && section->type == JSON_OBJECT && i < section->count; i++) {
        if (!mgi_client_entry_is_ours(&section->members[i].value))
            continue;
        found = mgi_arena_printf(&c->arena, "%.*s", STR_ARG(section->members[i].name));
        mgi_buf_puts(&names, count++ ? ", " : "");
        mgi_utf8_show(&names, section->members[i].name);
    }
    if (count != 1) {
        mgi_cli_error("%s has %s", shown_path(c, c->path),
                      count ? "several servers of manglecp" : "no server of manglecp");
        if (count)
            mgi_cli_hint("Say which with --name: %s.", names.ptr ? names.ptr : "");
        found = NULL;
    }
    mgi_buf_fini(&names);
    return found;
}

/* Did the file have a section before we came? Told by the backup, if there is one. */
static bool had_section(struct change *c)
{
    struct buf text = { 0 };
    struct json root;
    struct splice_fault fault;
    const char *why;
    bool had = true;
    if (access(c->absent, F_OK) == 0)
        return false;
    if (access(c->backup, F_OK) == 0 && mgi_cli_read_file(c->backup, SPLICE_BYTES, &text, &why) &&
        !mgi_splice_read(c->row->form, mgi_buf_view(&text), &c->arena, &root, &fault))
        had = mgi_json_get(&root, c->row->section) != NULL;
    mgi_buf_wipe(&text);
    return had;
}

static int remove_entry(struct change *c)
{
    struct splice_fault fault;
    const char *name = which_entry(c);
    if (!name)
        return EXIT_WRONG;
    const struct splice_place place = { str_of(c->row->section), str_of(name) };
    int status = splice_status(c,
                               mgi_splice_take(c->row->form, mgi_buf_view(&c->before), &place,
                                               !had_section(c), &c->after, &fault),
                               &fault);
    return status ? status : carry_out(c);
}

int mgi_install_remove(const struct install_options *o)
{
    struct change c;
    int status = open_change(&c, o, o->uninstall) ? remove_entry(&c) : not_opened(&c);
    close_change(&c);
    return status;
}

/* ---- as it was ------------------------------------------------------------------------------- */

/* The text without any server of manglecp. */
static bool bare_text(struct change *c, struct str text, bool with_section, struct buf *out)
{
    struct json root;
    struct splice_fault fault;
    if (mgi_splice_read(c->row->form, text, &c->arena, &root, &fault))
        return false;
    const struct json *section = mgi_json_get(&root, c->row->section);
    mgi_buf_str(out, text);
    for (uint32_t i = 0; section && section->type == JSON_OBJECT && i < section->count; i++) {
        const struct splice_place place = { str_of(c->row->section), section->members[i].name };
        struct buf next = { 0 };
        if (!mgi_client_entry_is_ours(&section->members[i].value))
            continue;
        bool good =
            !mgi_splice_take(c->row->form, mgi_buf_view(out), &place, with_section, &next, &fault);
        mgi_buf_wipe(out);
        *out = next;
        if (!good)
            return false;
    }
    return !out->oom;
}

/* Beside our own servers, nothing has changed since. */
static bool only_ours_changed(struct change *c)
{
    struct buf now = { 0 }, then = { 0 };
    struct json root;
    struct splice_fault fault;
    bool made = mgi_splice_read(c->row->form, mgi_buf_view(&c->after), &c->arena, &root, &fault) ==
                    SPLICE_DONE &&
                !mgi_json_get(&root, c->row->section);
    bool same = bare_text(c, mgi_buf_view(&c->before), made, &now) &&
                bare_text(c, mgi_buf_view(&c->after), made, &then) &&
                str_eq(mgi_buf_view(&now), mgi_buf_view(&then));
    mgi_buf_wipe(&now);
    mgi_buf_wipe(&then);
    return same;
}

/* There was no file: it goes, if nobody else has put something into it. */
static bool only_ours_is_there(struct change *c)
{
    struct buf now = { 0 };
    struct json root = { .type = JSON_NULL };
    struct splice_fault fault;
    bool empty = bare_text(c, mgi_buf_view(&c->before), true, &now) &&
                 !mgi_splice_read(c->row->form, mgi_buf_view(&now), &c->arena, &root, &fault) &&
                 root.count == 0;
    mgi_buf_wipe(&now);
    return empty;
}

static int remove_file(struct change *c)
{
    int status = may_write(c) && show_difference(c) ? EXIT_ANSWERED : EXIT_WRONG;
    if (status || c->options->dry_run)
        return status;
    status = agreed(c);
    if (!status && !is_unchanged(c))
        status = EXIT_WRONG;
    if (status)
        return status;
    if (unlink(c->real) != 0)
        return cannot_write(c, c->path);
    (void)unlink(c->absent);
    printf("%s was removed: it was not there before.\n", shown_path(c, c->path));
    return EXIT_ANSWERED;
}

static int put_back(struct change *c)
{
    int status = may_write(c) && show_difference(c) ? EXIT_ANSWERED : EXIT_WRONG;
    if (status || c->options->dry_run)
        return status;
    status = agreed(c);
    if (!status && !is_unchanged(c))
        status = EXIT_WRONG;
    if (status)
        return status;
    if (!write_file(c))
        return cannot_write(c, c->path);
    (void)unlink(c->backup);
    printf("%s is as it was.\n", shown_path(c, c->path));
    return EXIT_ANSWERED;
}

static int undo(struct change *c)
{
    const char *why = NULL;
    struct stat s;
    bool absent = lstat(c->absent, &s) == 0;
    if (!absent && (lstat(c->backup, &s) != 0 || !S_ISREG(s.st_mode))) {
        mgi_cli_error("there is nothing to undo: %s is not there", shown_path(c, c->backup));
        return EXIT_WRONG;
    }
    if (!absent && !mgi_cli_read_file(c->backup, SPLICE_BYTES, &c->after, &why)) {
        mgi_cli_error("%s: %s", shown_path(c, c->backup), why);
        return EXIT_USAGE;
    }
    bool safe = c->options->force || (absent ? only_ours_is_there(c) : only_ours_changed(c));
    if (!safe) {
        mgi_cli_error("%s was changed since, beside the server of manglecp",
                      shown_path(c, c->path));
        mgi_cli_hint("--uninstall takes out the server alone; --force puts the old file back.");
        return EXIT_WRONG;
    }
    return absent ? remove_file(c) : put_back(c);
}

int mgi_install_undo(const struct install_options *o)
{
    struct change c;
    int status = open_change(&c, o, o->undo) ? undo(&c) : not_opened(&c);
    close_change(&c);
    return status;
}
