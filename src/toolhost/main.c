/* toolhost: loads one plugin into a worker process of its own and runs its tools on request.
 * docs/reference/toolhost.md says what it does; host.h how it is put together. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "toolhost/cli.h"
#include "toolhost/host.h"
#include "toolhost/worker.h"

enum mode { MODE_LIST, MODE_RUN, MODE_SERVE, MODE_UNKNOWN };

struct arguments {
    enum mode mode;
    const char *plugin;
    const char *aid;
    int control_fd;     /* -1: none */
    const char *config; /* NULL: none */
};

enum { EXIT_SYSTEM = 1, EXIT_USAGE = 2, EXIT_PLUGIN = 3, EXIT_STOPPED = 7 };

static int usage(void)
{
    mgi_cli_usage(STDERR_FILENO);
    return EXIT_USAGE;
}

/* {"ok":false,"error":...} before there is a host that could write it. */
static int fail(const char *error, const char *more, int exit_code)
{
    struct arena arena;
    struct buf text = { 0 }, out = { 0 };
    mgi_arena_init(&arena, 0);
    mgi_buf_puts(&text, error);
    mgi_buf_puts(&text, more);
    const struct refusal refusal = { .error = mgi_error_text(&arena, mgi_buf_view(&text)) };
    mgi_answer_refusal(&out, &refusal, &(struct answer_extras){ 0 });
    bool ok = !out.oom && write(STDOUT_FILENO, out.ptr, out.len) == (ssize_t)out.len;
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
    return ok ? exit_code : EXIT_SYSTEM;
}

/* A program with a standard descriptor missing would hand the number to the next file it opens. */
static void fill_standard_descriptors(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static enum mode mode_of(const char *word)
{
    static const char *const words[] = { "--list", "--run", "--serve" };
    for (int i = MODE_LIST; i <= MODE_SERVE; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum mode)i;
    return MODE_UNKNOWN;
}

static bool control_fd_parse(const char *z, int *fd)
{
    char *end;
    long n = strtol(z, &end, 10);
    *fd = (int)n;
    return *z >= '0' && *z <= '9' && *end == '\0' && n >= 3 && n < 1 << 20 &&
           fcntl(*fd, F_GETFD) >= 0;
}

/* Each once. */
static bool read_option(struct arguments *a, const char *name, const char *value)
{
    if (a->mode == MODE_SERVE && a->control_fd < 0 && strcmp(name, "--control-fd") == 0)
        return control_fd_parse(value, &a->control_fd);
    if (a->config || strcmp(name, "--config") != 0)
        return false;
    a->config = value;
    return true;
}

/* The exit code of wrong arguments, which have been told; 0 if they are right. */
static int read_arguments(int argc, char **argv, struct arguments *a)
{
    *a = (struct arguments){ .control_fd = -1 };
    if (argc < 3)
        return usage();
    a->mode = mode_of(argv[1]);
    a->plugin = argv[2];
    if (a->mode == MODE_UNKNOWN)
        return fail("unknown mode: ", argv[1], EXIT_USAGE);
    if (a->mode == MODE_RUN && argc == 3)
        return fail("missing aid", "", EXIT_USAGE);
    int i = 3;
    if (a->mode == MODE_RUN && (a->aid = argv[i++])[0] == '-')
        return usage();
    for (; i + 1 < argc; i += 2)
        if (!read_option(a, argv[i], argv[i + 1]))
            return usage();
    return i == argc ? 0 : usage();
}

static int run_mode(struct host *h, const struct arguments *a, const char **why)
{
    switch (a->mode) {
    case MODE_LIST:
        return mgi_list(h);
    case MODE_RUN:
        return mgi_run(h, a->aid);
    default:
        return mgi_serve(h, why);
    }
}

int main(int argc, char **argv)
{
    static struct host host; /* large, and there is one */
    struct arguments a;
    int exit_code;
    if (argc == 2 && strcmp(argv[1], WORKER_MODE) == 0)
        return mgi_worker_main();
    bool has_output = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
    fill_standard_descriptors();
    exit_code = mgi_cli_run(argc, argv);
    if (exit_code >= 0)
        return exit_code;
    exit_code = read_arguments(argc, argv, &a);
    if (exit_code)
        return exit_code;
    const struct host_plan plan = { a.plugin, a.config, a.control_fd, argv[1] + 2 };
    const char *why = mgi_host_start(&host, &plan, environ, &exit_code);
    const char *end = why ? "plugin rejected" : "done";
    if (why && host.stop) /* told to end while the plugin was loading: nothing wrong with it */
        exit_code = a.mode == MODE_SERVE ? 0 : EXIT_STOPPED;
    else if (why)
        exit_code = fail(why, "", EXIT_PLUGIN);
    else if (exit_code == 0)
        exit_code = run_mode(&host, &a, &end);
    mgi_host_end(&host, end);
    return has_output ? exit_code : EXIT_SYSTEM;
}
