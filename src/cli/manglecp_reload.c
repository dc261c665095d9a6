/* manglecp reload: a running server loads its domain, credentials and certificates again. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_credentials.h"
#include "cli/manglecp_http.h"

#define LOAD_MS 120000 /* plugins may take 15 s each to list what they can do */

const struct cli_command mgi_command_reload = {
    .name = "manglecp reload",
    .usage = "TARGET | --pid PID",
    .help = "Make a running server load its domain, credentials and certificates again.",
    .run = mgi_run_reload,
    .more =
        "TARGET is the address of a server or of its operations listener; the token's\n"
        "permissions include operator. With --pid the process gets SIGHUP, and its log says\n"
        "what came of it.\n"
        "\n"
        "Exit status: 0 what is new is served, 1 it is wrong and the old goes on being served,\n"
        "2 the server could not be asked.\n",
};

/* ---- by its number --------------------------------------------------------------------------- */

/* SIGHUP ends a process that does not expect it. */
static bool takes_sighup(int64_t pid)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
    FILE *f = fopen(path, "re");
    unsigned long long caught = 0;
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "SigCgt:", 7) == 0)
            caught = strtoull(line + 7, NULL, 16);
    if (f)
        (void)fclose(f);
    return caught >> (SIGHUP - 1) & 1;
}

/* Does it run a program of our name? A server that was replaced on disk still does. */
static bool is_our_program(int64_t pid)
{
    char path[64], program[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%lld/exe", (long long)pid);
    ssize_t len = readlink(path, program, sizeof program - 1);
    program[len > 0 ? len : 0] = '\0';
    const char *slash = strrchr(program, '/');
    return slash && (strcmp(slash, "/manglecp") == 0 || strcmp(slash, "/manglecp (deleted)") == 0);
}

/* Is its first argument "serve"? */
static bool was_told_to_serve(int64_t pid)
{
    char path[64], words[PATH_MAX + 16];
    snprintf(path, sizeof path, "/proc/%lld/cmdline", (long long)pid);
    FILE *f = fopen(path, "re");
    size_t len = f ? fread(words, 1, sizeof words - 1, f) : 0;
    if (f)
        (void)fclose(f);
    words[len] = '\0';
    size_t first = strlen(words) + 1;
    return first < len && strcmp(words + first, "serve") == 0;
}

/* The descriptor (-1: this kernel gives none) is of the process that is looked at, whatever becomes
 * of its number meanwhile. */
static int signal_server(int64_t pid, int process)
{
    if (!is_our_program(pid) || !was_told_to_serve(pid) || !takes_sighup(pid)) {
        mgi_cli_error("process %lld is no server", (long long)pid);
        mgi_cli_hint("It is the process of manglecp serve that is told, or give its address.");
        return EXIT_USAGE;
    }
    int rc = process >= 0 ? pidfd_send_signal(process, SIGHUP, NULL, 0) : kill((pid_t)pid, SIGHUP);
    if (rc != 0) {
        mgi_cli_error("could not signal process %lld: %s", (long long)pid, strerror(errno));
        return EXIT_USAGE;
    }
    printf("process %lld was told to load again; its log says what came of it\n", (long long)pid);
    return EXIT_ANSWERED;
}

static int signal_process(int64_t pid)
{
    if (pid <= 0 || pid > INT32_MAX) {
        mgi_cli_error("--pid needs the number of a process");
        return EXIT_USAGE;
    }
    int process = pidfd_open((pid_t)pid, 0);
    int status = signal_server(pid, process);
    if (process >= 0)
        (void)close(process);
    return status;
}

/* ---- by its address -------------------------------------------------------------------------- */

/* The server's text, line by line: nothing of it may reach a terminal as a command. */
static void show_text(FILE *to, struct str text)
{
    struct buf shown = { 0 };
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        mgi_utf8_show(&shown, (struct str){ text.ptr, len });
        mgi_buf_putc(&shown, '\n');
        len += end != NULL;
        text = (struct str){ text.ptr + len, text.len - len };
    }
    fputs(shown.ptr ? shown.ptr : "", to);
    mgi_buf_fini(&shown);
}

/* What the server answered: {"reloaded":…,"text":…}. */
static int show_answer(const char *target, long http_status, struct str body)
{
    struct arena arena;
    struct json answer;
    int status = EXIT_USAGE;
    mgi_arena_init(&arena, 0);
    bool json = mgi_json_parse(&arena, body, NULL, &answer, NULL) == JSON_OK;
    const struct json *done = json ? mgi_json_get(&answer, "reloaded") : NULL;
    const struct json *text = json ? mgi_json_get(&answer, "text") : NULL;
    if (done && done->type == JSON_BOOL && text && text->type == JSON_STRING) {
        status = done->boolean ? EXIT_ANSWERED : EXIT_WRONG;
        show_text(done->boolean ? stdout : stderr, text->string);
    } else {
        mgi_cli_error("%s answers /reload with status %ld", target, http_status);
        if (http_status == 401 || http_status == 403)
            mgi_cli_hint("It wants a token whose permissions include operator.");
        else if (http_status == 404)
            mgi_cli_hint("Is this the operations listener? It may be another address.");
    }
    mgi_arena_fini(&arena);
    return status;
}

static int ask_server(const char *target, const struct cli_http *http)
{
    struct buf body = { 0 }, why = { 0 };
    long http_status = 0;
    int status = EXIT_USAGE;
    if (mgi_cli_http(http, target, "/reload", &body, &http_status, &why))
        status = show_answer(target, http_status, mgi_buf_view(&body));
    else
        mgi_cli_unreached(why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&body);
    mgi_buf_fini(&why);
    return status;
}

int mgi_run_reload(int argc, char **argv)
{
    struct cli_http http = { .post = true, .timeout_ms = LOAD_MS };
    int64_t pid = 0;
    bool by_pid = false, helped;
    const struct cli_option options[] = {
        { "--pid", OPTION_NUMBER, &pid, &by_pid, "PID", "a process of this machine" },
        { "--token", OPTION_TEXT, &http.token, NULL, "TOKEN",
          "bearer token (else MANGLECP_TOKEN)" },
        CREDENTIALS_OPTION_ROW(&http.credentials),
        INSECURE_OPTION_ROW(&http.insecure),
        MGI_CLI_TLS_OPTIONS(&http),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_reload, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (by_pid && (http.token || http.credentials || http.ca_file || http.certificate ||
                   http.certificate_key || http.insecure)) {
        mgi_cli_error("--pid speaks to no address: what is for one has no place beside it");
        return EXIT_USAGE;
    }
    if (words.count + by_pid != 1) {
        mgi_cli_error("reload needs one TARGET or --pid PID");
        return EXIT_USAGE;
    }
    if (!http.token)
        http.token = getenv("MANGLECP_TOKEN");
    http.credentials = mgi_credentials_path(http.credentials);
    return by_pid ? signal_process(pid) : ask_server(words.items[0], &http);
}
