/* manglecp login: a person gets a token for a server, from whoever gives tokens for it. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_credentials.h"
#include "cli/manglecp_http.h"
#include "client/oauth_login.h"
#include "sys/clock.h"

#define BROWSER_S      300
#define BROWSER_MOST_S 3600
#define ANSWER_MS      10000
#define LOCK_MS        10000
#define WORD_MAX       2048

const struct cli_command mgi_command_login = {
    .name = "manglecp login",
    .usage = "TARGET [OPTIONS]",
    .help = "Log in to a server, in a browser.",
    .run = mgi_run_login,
    .more =
        "TARGET is the address of a server that takes tokens of an issuer (OAuth 2.1). The\n"
        "address to open in a browser is printed; the issuer sends the browser back to a port\n"
        "of this machine. What it gave is kept for the other commands, which renew it, until\n"
        "manglecp logout TARGET.\n"
        "\n"
        "Exit status: 0 logged in, 1 the server or its issuer refused, or what they say is not\n"
        "to be trusted, 2 somebody could not be asked, or nobody came back from the browser.\n",
};

extern char **environ;

/* A browser that says something says it to nobody: the terminal is ours. */
static void open_browser(const char *url)
{
    char program[] = "xdg-open";
    char *argv[] = { program, (char *)url, NULL };
    posix_spawn_file_actions_t files;
    pid_t pid;
    if (posix_spawn_file_actions_init(&files) != 0)
        return;
    int rc = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    for (int fd = 1; rc == 0 && fd <= 2; fd++)
        rc = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    if (rc == 0)
        rc = posix_spawnp(&pid, program, &files, NULL, argv, environ);
    if (rc != 0)
        mgi_cli_error("could not start xdg-open: %s", strerror(rc));
    posix_spawn_file_actions_destroy(&files);
}

struct login_view {
    bool browser;
};

/* What is asked for goes to standard error: what comes of it is the output. */
static void show_address(void *context, const char *url)
{
    const struct login_view *view = context;
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, str_of(url));
    fprintf(stderr, "Open this address in a browser of this machine, and log in:\n\n  %s\n\n",
            shown.ptr ? shown.ptr : "");
    fflush(stderr);
    mgi_buf_fini(&shown);
    if (view->browser)
        open_browser(url);
}

static enum manglecp_status keep(const char *path, const struct credential *entry, struct arena *a,
                                 struct buf *why)
{
    struct credentials all;
    int lock;
    enum manglecp_status status =
        mgi_credentials_lock(path, mgi_clock_mono_ns() + LOCK_MS * NS_PER_MS, &lock, why);
    if (status)
        return status;
    status = mgi_credentials_load(path, a, &all, why);
    if (!status) {
        mgi_credentials_put(&all, entry);
        status = mgi_credentials_store(path, &all, why);
    }
    mgi_credentials_unlock(lock);
    return status;
}

static void say_done(const struct credential *c)
{
    struct buf shown = { 0 };
    mgi_buf_puts(&shown, "logged in to ");
    mgi_utf8_show(&shown, str_of(c->resource));
    mgi_buf_puts(&shown, " by ");
    mgi_utf8_show(&shown, str_of(c->issuer));
    printf("%s\n", shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
}

static int say_failed(enum manglecp_status status, const char *why)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, str_of(why[0] ? why : "out of memory"));
    mgi_cli_unreached(mgi_buf_view(&shown).ptr);
    mgi_buf_fini(&shown);
    return status == MANGLECP_ERR_CREDENTIALS || status == MANGLECP_ERR_PROTOCOL ? EXIT_WRONG
                                                                                 : EXIT_USAGE;
}

/* The file is looked at first: nobody logs in for nothing. */
static int log_in(const struct oauth_login *order, const char *path)
{
    struct arena arena;
    struct credentials all;
    struct credential got;
    struct buf why = { 0 };
    mgi_arena_init(&arena, 0);
    enum manglecp_status status = mgi_credentials_load(path, &arena, &all, &why);
    if (!status)
        status = mgi_oauth_login(order, &arena, &got, &why);
    if (!status)
        status = keep(path, &got, &arena, &why);
    int exit_status = status ? say_failed(status, mgi_buf_view(&why).ptr) : EXIT_ANSWERED;
    if (!status)
        say_done(&got);
    mgi_buf_fini(&why);
    mgi_arena_fini(&arena);
    return exit_status;
}

/* What is stored has to read back. */
static bool is_word(const char *text)
{
    const char *c = text;
    while (*c > ' ' && *c < 0x7f)
        c++;
    return c > text && !*c && c - text <= WORD_MAX;
}

int mgi_run_login(int argc, char **argv)
{
    struct login_view view = { false };
    struct oauth_login order = { .answer_ms = ANSWER_MS, .show = show_address, .context = &view };
    const char *credentials = NULL;
    int64_t seconds = BROWSER_S;
    bool helped;
    const struct cli_option options[] = {
        { "--browser", OPTION_FLAG, &view.browser, NULL, NULL, "open it, too, with xdg-open" },
        { "--client-id", OPTION_TEXT, &order.client_id, NULL, "ID",
          "how the issuer knows this program (else it registers)" },
        { "--scope", OPTION_TEXT, &order.scope, NULL, "LIST",
          "what to ask for, with blanks between (else what the server says)" },
        { "--timeout-s", OPTION_NUMBER, &seconds, NULL, "N",
          "wait so long for the browser to come back (300)" },
        CREDENTIALS_OPTION_ROW(&credentials),
        MGI_CLI_TLS_OPTIONS(&order),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_login, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1) {
        mgi_cli_error("login needs one TARGET: the address of a server");
        return EXIT_USAGE;
    }
    if (order.client_id && !is_word(order.client_id)) {
        mgi_cli_error("--client-id is one word of printable ASCII");
        return EXIT_USAGE;
    }
    if (seconds < 1 || seconds > BROWSER_MOST_S) {
        mgi_cli_error("--timeout-s is from 1 to %d", BROWSER_MOST_S);
        return EXIT_USAGE;
    }
    const char *path = mgi_credentials_path(credentials);
    if (!path) {
        mgi_cli_error("there is no folder to keep the login in");
        mgi_cli_hint("Set HOME, or give --credentials FILE.");
        return EXIT_USAGE;
    }
    order.target = words.items[0];
    order.browser_ms = seconds * 1000;
    return log_in(&order, path);
}
