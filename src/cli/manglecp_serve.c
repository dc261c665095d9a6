/* manglecp serve: options in, a service out. What can be said is service/config_rows.c; what it
 * does is src/service. */
#include <fcntl.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "service/environment.h"
#include "service/service.h"

#define CONFIG_FILE_BYTES ((size_t)1 << 20)
#define LARGE_BLOCK_BYTES (1 << 20)
#define KEPT_FREE_BYTES   (16 << 20) /* of each thread's heap */

const struct cli_command mgi_command_serve = {
    .name = "manglecp serve",
    .usage = "[DOMAIN] [--config FILE] --stdio | --listen HOST:PORT [OPTIONS]",
    .help = "Serve a domain folder.",
    .run = mgi_run_serve,
    .more = "Each option is a variable of the environment, too: --log is MANGLECP_SERVE_LOG. An\n"
            "option wins over the environment, that over the file (docs/serving.md).\n"
            "\n"
            "SIGTERM finishes what runs and ends, a second one ends at once; SIGHUP loads again.\n"
            "\n"
            "Exit status: 0 it was told to end, or its only session has ended; 1 the domain does\n"
            "not load; 2 usage, an address or a store that cannot be opened, output that was\n"
            "lost, memory that ran out.\n",
};

/* ---- options ----------------------------------------------------------------------------------
 */

/* What the table of options is filled from: one place for each row. */
struct said {
    bool flag;
    struct cli_list values;
};

struct serve_options {
    const char *config;
    bool print_config;
    struct said *said; /* one per row */
    struct cli_option *options;
    struct config_flag *flags;
    size_t flag_count;
};

static bool is_option(const struct config_row *row)
{
    return row->flag && row->flag[0] == '-';
}

/* The rows as options; each takes values as often as it is given, and the service says which count.
 */
static bool make_options(struct serve_options *o, struct arena *arena)
{
    const struct cli_option first[] = {
        { "--config", OPTION_TEXT, &o->config, NULL, "FILE", "read the configuration from FILE" },
        { "--print-config", OPTION_FLAG, &o->print_config, NULL, NULL,
          "print what would be in effect, and end" },
    };
    size_t count = sizeof first / sizeof *first;
    o->said = mgi_arena_calloc(arena, mgi_config_row_count, sizeof *o->said);
    o->options = mgi_arena_calloc(arena, mgi_config_row_count + count + 1, sizeof *o->options);
    if (!o->said || !o->options)
        return false;
    memcpy(o->options, first, sizeof first);
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        bool flag = row->kind == CONFIG_BOOL;
        void *target = flag ? (void *)&o->said[i].flag : (void *)&o->said[i].values;
        if (is_option(row))
            o->options[count++] =
                (struct cli_option){ row->flag,       flag ? OPTION_FLAG : OPTION_LIST,
                                     target,          NULL,
                                     row->value_name, row->help };
    }
    return true;
}

static bool collect_flags(struct serve_options *o, struct arena *arena,
                          const struct cli_list *words)
{
    size_t room = words->count;
    for (size_t i = 0; i < mgi_config_row_count; i++)
        room += o->said[i].flag + o->said[i].values.count;
    o->flags = mgi_arena_calloc(arena, room + 1, sizeof *o->flags);
    if (!o->flags)
        return false;
    for (size_t i = 0; i < words->count; i++)
        o->flags[o->flag_count++] = (struct config_flag){ "DOMAIN", words->items[i] };
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct said *said = &o->said[i];
        if (said->flag)
            o->flags[o->flag_count++] = (struct config_flag){ mgi_config_rows[i].flag, NULL };
        for (size_t k = 0; k < said->values.count; k++)
            o->flags[o->flag_count++] =
                (struct config_flag){ mgi_config_rows[i].flag, said->values.items[k] };
    }
    return true;
}

/* ---- the configuration's sources ----------------------------------------------------------------
 */

static const char *folder_of(struct arena *arena, const char *path)
{
    char whole[PATH_MAX];
    if (strcmp(path, "-") == 0 || !realpath(path, whole))
        return NULL;
    char *slash = strrchr(whole, '/');
    slash[slash == whole] = '\0';
    return mgi_arena_strdup(arena, whole);
}

static bool read_config_file(struct serve_options *o, struct arena *arena, struct buf *text,
                             struct config_sources *sources)
{
    const char *why;
    if (!o->config)
        o->config = mgi_environment_get(sources->environment, "MANGLECP_SERVE_CONFIG");
    if (!o->config || !o->config[0])
        return true;
    if (!mgi_cli_read_file(o->config, CONFIG_FILE_BYTES, text, &why)) {
        mgi_cli_error("%s: %s", o->config, why);
        return false;
    }
    sources->file = o->config;
    sources->text = mgi_buf_view(text);
    sources->file_folder = folder_of(arena, o->config);
    if (!sources->file_folder)
        sources->file_folder = sources->folder;
    return true;
}

static int print_config(const struct config_sources *sources, struct arena *arena)
{
    struct service_config config;
    struct findings *findings = mgi_findings_new();
    struct buf text = { 0 };
    bool ok = findings && mgi_config_read(sources, arena, findings, &config);
    if (findings)
        mgi_findings_print(&text, findings);
    fputs(text.ptr ? text.ptr : "", stderr);
    mgi_buf_clear(&text);
    if (ok)
        mgi_config_print(&text, &config);
    if (text.oom || !findings) {
        mgi_cli_error("out of memory");
        ok = false;
    }
    if (ok)
        fputs(text.ptr ? text.ptr : "", stdout);
    mgi_buf_fini(&text);
    mgi_findings_free(findings);
    return ok ? EXIT_ANSWERED : EXIT_USAGE;
}

/* ---- running ------------------------------------------------------------------------------------
 */

/* A signal handler has no other way to know whom it is about. */
static manglecp_service *running;
static volatile sig_atomic_t stops;

static void on_stop(int signal_number)
{
    (void)signal_number;
    if (++stops > 2)
        _exit(EXIT_USAGE); /* told three times: whatever holds it up is not waited for */
    manglecp_service_stop(running);
}

static void on_reload(int signal_number)
{
    (void)signal_number;
    manglecp_service_reload(running);
}

static void catch_signals(manglecp_service *s)
{
    struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
    struct sigaction reload = { .sa_handler = on_reload, .sa_flags = SA_RESTART };
    running = s;
    (void)sigaction(SIGTERM, &stop, NULL);
    (void)sigaction(SIGINT, &stop, NULL);
    (void)sigaction(SIGHUP, &reload, NULL);
}

static void ignore_signals(void)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    (void)sigaction(SIGTERM, &ignore, NULL);
    (void)sigaction(SIGINT, &ignore, NULL);
    (void)sigaction(SIGHUP, &ignore, NULL);
    running = NULL; /* not before: a handler may have to tell it */
}

static int exit_status(enum service_fault fault, const char *domain, const struct buf *text)
{
    fputs(text->oom ? "error: out of memory\n" : text->ptr ? text->ptr : "", stderr);
    if (fault == SERVICE_DOMAIN_WRONG)
        mgi_cli_error("%s does not load", domain ? domain : "the domain");
    return fault == SERVICE_FINE           ? EXIT_ANSWERED
           : fault == SERVICE_DOMAIN_WRONG ? EXIT_WRONG
                                           : EXIT_USAGE;
}

static const char *domain_of(const struct config_sources *sources)
{
    for (size_t i = 0; i < sources->flag_count; i++)
        if (strcmp(sources->flags[i].name, "DOMAIN") == 0)
            return sources->flags[i].value;
    return NULL;
}

/* On standard input and output there must be some: NULL, or what is missing. */
static const char *no_stdio(void)
{
    return mgi_cli_was_closed(STDIN_FILENO)    ? "standard input is closed"
           : mgi_cli_was_closed(STDOUT_FILENO) ? "standard output is closed"
                                               : NULL;
}

static void trim_heap(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

static int serve(const struct config_sources *sources, const char *token, const char *programs)
{
    struct service_options options = { .config = *sources,
                                       .token = token,
                                       .programs = programs,
                                       .no_stdio = no_stdio(),
                                       .raise_descriptors = true,
                                       .trim = trim_heap };
    struct buf text = { 0 };
    manglecp_service *s;
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGHUP);
    /* A client may know of us, and a signal come, before there is somebody to tell. */
    sigprocmask(SIG_BLOCK, &ours, &before);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write, not the end */
    enum service_fault fault = mgi_service_new(&options, &s, &text);
    if (!fault) {
        catch_signals(s);
        sigprocmask(SIG_SETMASK, &before, NULL);
        fault = mgi_service_run(s, &text);
        ignore_signals();
    }
    int status = exit_status(fault, domain_of(sources), &text);
    if (s && mgi_service_is_loading(s))
        _exit(status); /* its thread still uses what an orderly exit would free */
    manglecp_service_free(s);
    mgi_buf_fini(&text);
    return status;
}

static int run(struct arena *arena, int argc, char **argv)
{
    struct serve_options o = { .config = NULL };
    struct cli_list words = { 0 };
    struct buf text = { 0 };
    char folder[PATH_MAX];
    const char *token = getenv("MANGLECP_TOKEN");
    bool helped;
    if (!make_options(&o, arena))
        return EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_command_serve, o.options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count > 1) {
        mgi_cli_error("serve needs one DOMAIN, not %zu", words.count);
        return EXIT_USAGE;
    }
    struct config_sources sources = { .folder = getcwd(folder, sizeof folder) ? folder : NULL,
                                      .environment = (const char *const *)environ,
                                      .token = token && token[0] };
    if (!collect_flags(&o, arena, &words) || !read_config_file(&o, arena, &text, &sources))
        return EXIT_USAGE;
    sources.flags = o.flags;
    sources.flag_count = o.flag_count;
    int status = o.print_config ? print_config(&sources, arena)
                                : serve(&sources, token, mgi_host_programs(arena));
    mgi_buf_fini(&text);
    return status;
}

/* Large blocks go back to the system when they are freed. Left alone, glibc raises its bounds with
 * the first one, and keeps what one large message took for as long as the server lives. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE_BYTES);
#endif
}

int mgi_run_serve(int argc, char **argv)
{
    struct arena arena;
    give_memory_back();
    mgi_arena_init(&arena, 0);
    int status = run(&arena, argc, argv);
    mgi_arena_fini(&arena);
    return status;
}
