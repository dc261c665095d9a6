/* --help, --version and new: see cli.h. */
#include "toolhost/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "sys/write.h"
#include "toolhost.h"
#include "toolhost/start_files.h"

#ifndef TOOLHOST_VERSION
#define TOOLHOST_VERSION "unknown"
#endif

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_MISUSED = 2 };

static const char usage_text[] =
    "usage: toolhost --list  PLUGIN [--config FILE]\n"
    "       toolhost --run   PLUGIN AID [--config FILE]      request on standard input\n"
    "       toolhost --serve PLUGIN [--config FILE] [--control-fd N]\n"
    "                                                        a request per line\n"
    "       toolhost new FOLDER                              the beginning of a plugin of your "
    "own\n"
    "       toolhost --help | --version\n";

static const char help_text[] =
    "\n"
    "Loads one plugin, a shared object of actions, into a process of its own and runs its actions "
    "on\n"
    "request: a crash or an endless loop costs one call.\n"
    "\n"
    "  toolhost --list hello.so\n"
    "  echo '{\"inputs\":{\"name\":\"Ann\"}}' | toolhost --run hello.so AID.HELLO.GREET.v1\n"
    "\n"
    "Exit codes: 0 done; 1 no output possible; 2 wrong arguments or environment; 3 the plugin "
    "cannot\n"
    "be loaded; 4 no such action, or it needs a lease; 5 the request is unusable; 6 the action\n"
    "crashed; 7 it was stopped. docs/reference/toolhost.md has requests, answers and the "
    "environment.\n";

static void write_text(int fd, const char *text)
{
    (void)mgi_write_all(fd, str_of(text)); /* nobody is left to tell */
}

void mgi_cli_usage(int fd)
{
    write_text(fd, usage_text);
}

/* ---- new ---------------------------------------------------------------------------------- */

static int cannot(const char *what, const char *path)
{
    fprintf(stderr, "toolhost: error: cannot %s %s: %s\n", what, path, strerror(errno));
    return EXIT_FAILED;
}

/* Where this program is, and where toolhost.h is as seen from there: beside it in an installation,
 * above the build folder in a source tree. */
static void find_places(char program[PATH_MAX], char include[PATH_MAX])
{
    static const char *const ways[] = { "/../include", "/../../include" };
    char path[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", program, PATH_MAX - 1);
    snprintf(include, PATH_MAX, "/usr/local/include");
    if (n <= 0) {
        snprintf(program, PATH_MAX, "toolhost");
        return;
    }
    program[n] = '\0';
    size_t folder = (size_t)(strrchr(program, '/') - program);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char *real;
        snprintf(path, sizeof path, "%.*s%s/toolhost_json.h", (int)folder, program, ways[i]);
        if (access(path, R_OK) != 0)
            continue;
        path[strlen(path) - strlen("/toolhost_json.h")] = '\0';
        real = realpath(path, NULL);
        if (real)
            snprintf(include, PATH_MAX, "%s", real);
        free(real);
        return;
    }
}

/* The Makefile, with the two places in the lines that name them. */
static void fill(struct buf *out, const char *text, const char *program, const char *include)
{
    const struct {
        const char *line, *value;
    } places[] = { { "INCLUDE ?= ", include }, { "TOOLHOST ?= ", program } };
    while (*text) {
        size_t len = strcspn(text, "\n");
        struct str line = { text, len };
        for (size_t i = 0; i < 2; i++) {
            if (!mgi_str_starts(line, str_of(places[i].line)))
                continue;
            mgi_buf_puts(out, places[i].line);
            mgi_buf_puts(out, places[i].value);
            line.len = 0;
        }
        mgi_buf_str(out, line);
        text += len;
        if (*text)
            mgi_buf_putc(out, *text++);
    }
}

static bool make_file(const char *folder, const struct start_file *file, const char *program,
                      const char *include)
{
    struct buf path = { 0 }, text = { 0 };
    mgi_buf_printf(&path, "%s/%s", folder, file->path);
    if (strcmp(file->path, "Makefile") == 0)
        fill(&text, file->text, program, include);
    else
        mgi_buf_append(&text, file->text, file->len);
    errno = ENOMEM;
    int fd =
        path.oom || text.oom ? -1 : open(path.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool good = fd >= 0 && mgi_write_all(fd, mgi_buf_view(&text));
    if (fd >= 0)
        good = close(fd) == 0 && good;
    if (!good)
        cannot("write", path.oom ? folder : path.ptr);
    mgi_buf_fini(&path);
    mgi_buf_fini(&text);
    return good;
}

int mgi_cli_new(const char *folder)
{
    char program[PATH_MAX], include[PATH_MAX];
    if (mkdir(folder, 0777) != 0)
        return cannot("make", folder);
    find_places(program, include);
    for (size_t i = 0; i < mgi_start_files_count; i++)
        if (!make_file(folder, &mgi_start_files[i], program, include))
            return EXIT_FAILED;
    printf("%s has the beginning of a plugin: plugin.c, its Makefile and a README.md.\n"
           "  make -C %s try\n",
           folder, folder);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* ---- all ---------------------------------------------------------------------------------- */

int mgi_cli_run(int argc, char **argv)
{
    const char *what = argc >= 2 ? argv[1] : "";
    if (strcmp(what, "new") == 0) {
        if (argc == 3 && argv[2][0] && argv[2][0] != '-')
            return mgi_cli_new(argv[2]);
        mgi_cli_usage(STDERR_FILENO);
        return EXIT_MISUSED;
    }
    if (argc != 2)
        return -1;
    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0) {
        write_text(STDOUT_FILENO, usage_text);
        write_text(STDOUT_FILENO, help_text);
        return EXIT_DONE;
    }
    if (strcmp(what, "--version") == 0) {
        printf("toolhost %s (plugin interface %u.%u)\n", TOOLHOST_VERSION, TH_ABI_MAJOR,
               TH_ABI_MINOR);
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
    }
    return -1;
}
