/* manglecp doctor: the MCP servers that clients on this machine start, and what is wrong with them.
 *
 * It reads what the table of clients says, starts what the user's own files name, and what files of
 * the folder name only if told to: a repository that somebody else wrote must not run programs
 * because it was looked at. No file is written, no value of a variable is told. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "actions/enforcement.h"
#include "base/utf8.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_doctor.h"
#include "cli/manglecp_host.h"
#include "confine/confine.h"
#include "service/service.h"

enum { TIMEOUT_MS = 60000, SLOW_MS = 3000 };

const struct cli_command mgi_command_doctor = {
    .name = "manglecp doctor",
    .usage = "[FILE...] [OPTIONS]",
    .help = "Look at the MCP servers that clients here start: what is wrong, and what to do.",
    .run = mgi_run_doctor,
    .more =
        "Without FILE it looks where Claude Code, Claude Desktop, Cursor, VS Code, Gemini CLI and\n"
        "Codex keep their servers: the user's files, and those of this folder. What the user's "
        "files\n"
        "(or FILE) name is started, confined, and asked for its tools; what the files of this "
        "folder\n"
        "name only with --yes, or if you agree. Nothing is written, and no secret is printed.\n"
        "\n"
        "Exit status: 0 no error was found (there may be warnings), 1 at least one was, 2 usage,\n"
        "memory that ran out.\n",
};

void mgi_doctor_machine(struct examination *e)
{
    struct confine_features features;
    mgi_confine_probe(&features);
    if (!features.seccomp)
        mgi_doctor_add(e, &e->machine, CHECK_NO_FILTER, "this kernel has no seccomp filters");
    if (features.landlock <= 0)
        mgi_doctor_add(e, &e->machine, CHECK_NO_LANDLOCK, "this kernel has no Landlock");
    if (!e->toolhost)
        mgi_doctor_add(e, &e->machine, CHECK_NO_TOOLHOST, "the program toolhost is not there");
    if (!e->plugin)
        mgi_doctor_add(e, &e->machine, CHECK_NO_TOOLHOST, "the plugin mcp.so is not there");
}

static void find_programs(struct examination *e, const char *toolhost)
{
    const char *programs = mgi_host_programs(&e->arena);
    const struct config_list none = { NULL, 0 };
    char found[PATH_MAX];
    size_t count = 0;
    const char *path = mgi_service_toolhost(&e->arena, toolhost, programs);
    const char **folders = mgi_service_plugin_paths(&e->arena, &none, programs, &count);
    if (path && mgi_cli_find_program(path, found))
        e->toolhost = mgi_arena_strdup(&e->arena, found);
    for (size_t i = 0; folders && !e->plugin && i < count; i++) {
        const char *plugin = mgi_arena_printf(&e->arena, "%s/mcp.so", folders[i]);
        if (plugin && access(plugin, R_OK) == 0)
            e->plugin = plugin;
    }
}

static void read_clients(struct examination *e)
{
    for (const struct client_file *row = mgi_client_files; row->client; row++) {
        const char *path = mgi_client_path(&e->arena, row, e->folder);
        bool again = false;
        for (size_t i = 0; path && i < e->file_count; i++)
            again |= strcmp(e->files[i]->path, path) == 0; /* the folder is the home folder */
        if (path && !again)
            mgi_doctor_read(e, path, row);
    }
}

/* ---- what this folder's files name ----------------------------------------------------------- */

static bool is_left_alone(const struct doctor_server *s)
{
    bool trusted = s->state != SERVER_LEFT || s->document.len == 0;
    for (size_t i = 0; i < s->file_count; i++)
        trusted |= s->files[i]->trusted;
    return !trusted;
}

/* Its command as it is written: variables are not replaced. Values that look secret are left out.
 */
static void show_command(struct examination *e, const struct doctor_server *s)
{
    const struct yaml_node *url, *args = mgi_yaml_get(s->entry, "args");
    struct buf line = { 0 }, shown = { 0 };
    (void)mgi_client_config_kind(s->entry, &url);
    const struct yaml_node *first = url ? url : mgi_yaml_get(s->entry, "command");
    mgi_buf_printf(&line, "  %.*s: %.*s", STR_ARG(s->name), STR_ARG(first->text));
    for (size_t i = 0; args && i < args->count; i++)
        mgi_buf_printf(&line, " %.*s", STR_ARG(args->entries[i].value->text));
    mgi_utf8_show(&shown, str_of(mgi_doctor_without_secrets(e, s, mgi_buf_view(&line))));
    fprintf(stderr, "%s\n", shown.ptr ? shown.ptr : "");
    mgi_buf_wipe(&line);
    mgi_buf_fini(&shown);
}

static void ask_for_folder(struct examination *e, bool yes)
{
    size_t left = 0;
    char answer[16] = "";
    for (size_t i = 0; i < e->server_count; i++)
        left += is_left_alone(e->servers[i]);
    if (left == 0)
        return;
    if (!yes && isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
        fprintf(stderr, "Files of this folder name servers that you may not know:\n");
        for (size_t i = 0; i < e->server_count; i++)
            if (is_left_alone(e->servers[i]))
                show_command(e, e->servers[i]);
        fprintf(stderr, "Start them, confined? [y/N] ");
        yes = fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
    }
    for (size_t i = 0; yes && i < e->file_count; i++)
        e->files[i]->trusted = true;
}

/* ---- the command ----------------------------------------------------------------------------- */

struct doctor_options {
    bool no_start, yes;
    int64_t timeout_ms, slow_ms;
    const char *format, *toolhost;
};

static int examine(struct examination *e, const struct doctor_options *o,
                   const struct cli_list *files, bool json)
{
    char here[PATH_MAX];
    e->slow_ms = o->slow_ms ? o->slow_ms : SLOW_MS;
    e->folder = getcwd(here, sizeof here) ? mgi_arena_strdup(&e->arena, here) : "/";
    find_programs(e, o->toolhost);
    if (files->count == 0)
        read_clients(e);
    for (size_t i = 0; i < files->count; i++)
        mgi_doctor_read(e, files->items[i], NULL);
    if (!o->no_start)
        ask_for_folder(e, o->yes);
    bool good = true;
    if (!o->no_start && e->toolhost && e->plugin)
        good = mgi_doctor_start(e, o->timeout_ms ? o->timeout_ms : TIMEOUT_MS);
    for (size_t i = 0; i < e->server_count; i++)
        mgi_doctor_judge(e, e->servers[i]);
    mgi_doctor_compare(e);
    mgi_doctor_machine(e);
    if (!good || e->arena.oom || (json && !mgi_doctor_print_json(e))) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    if (!json)
        mgi_doctor_print(e);
    return mgi_doctor_count(e, CHECK_ERROR) ? EXIT_WRONG : EXIT_ANSWERED;
}

int mgi_run_doctor(int argc, char **argv)
{
    struct doctor_options o = { 0 };
    struct cli_list files = { 0 };
    struct examination e = { 0 };
    bool helped;
    const struct cli_option options[] = {
        { "--no-start", OPTION_FLAG, &o.no_start, NULL, NULL, "only read: start nothing" },
        { "--yes", OPTION_FLAG, &o.yes, NULL, NULL,
          "start what the files of this folder name, too" },
        { "--timeout-ms", OPTION_NUMBER, &o.timeout_ms, NULL, "N",
          "wait so long for a server (60000)" },
        { "--slow-ms", OPTION_NUMBER, &o.slow_ms, NULL, "N",
          "say of a start that it is slow from here on (3000)" },
        { "--format", OPTION_TEXT, &o.format, NULL, "FORMAT", "text (the default) or json" },
        { "--toolhost", OPTION_TEXT, &o.toolhost, NULL, "PROGRAM", "the plugin host to run" },
        { 0 },
    };
    if (!mgi_cli_parse(&mgi_command_doctor, options, argc, argv, &files, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    bool json = o.format && strcmp(o.format, "json") == 0;
    if (o.format && !json && strcmp(o.format, "text") != 0) {
        mgi_cli_error("--format is text or json, not \"%s\"", o.format);
        return EXIT_USAGE;
    }
    if (o.timeout_ms < 0 || o.slow_ms < 0 || files.count > DOCTOR_FILES) {
        mgi_cli_error(files.count > DOCTOR_FILES ? "too many files" : "a time is not negative");
        return EXIT_USAGE;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    mgi_arena_init(&e.arena, 0);
    e.yaml = (struct yaml_context){ .arena = &e.arena, .findings = mgi_findings_new() };
    int status = e.yaml.findings ? examine(&e, &o, &files, json) : EXIT_USAGE;
    for (size_t i = 0; i < e.server_count; i++)
        mgi_arena_fini(&e.servers[i]->answer);
    mgi_findings_free(e.yaml.findings);
    mgi_arena_fini(&e.arena);
    return status;
}
