/* manglecp top: what a server is doing, from its metrics; once as text, or live on a terminal. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/manglecp_commands.h"
#include "cli/manglecp_credentials.h"
#include "cli/manglecp_http.h"
#include "cli/manglecp_top_view.h"
#include "sys/clock.h"

#define FETCH_MS 5000

const struct cli_command mgi_command_top = {
    .name = "manglecp top",
    .usage = "TARGET [OPTIONS]",
    .help = "Show what a server is doing: requests, latencies, workers, hosts.",
    .run = mgi_run_top,
    .more = "TARGET is the address of a server or of its operations listener. On a terminal the\n"
            "page is live (q ends it); else, and with --once, it is printed once.\n",
};

struct top {
    const char *target;
    struct cli_http http;
    struct buf texts[2];
    struct top_reading readings[2];
    int current; /* index of the newest reading; -1: none */
};

/* Read once more. False: a message was put into `why`. */
static bool read_metrics(struct top *t, struct buf *why)
{
    int next = t->current == 0;
    long status = 0;
    struct buf *text = &t->texts[next];
    mgi_buf_clear(text);
    if (!mgi_cli_http(&t->http, t->target, "/metrics", text, &status, why))
        return false;
    if (status != 200) {
        mgi_buf_printf(why, "%s answers /metrics with status %ld%s", t->target, status,
                       status == 401 || status == 403
                           ? ": it wants a token whose permissions include operator"
                       : status == 404 ? ": is this the operations listener?"
                                       : "");
        return false;
    }
    t->readings[next] =
        (struct top_reading){ mgi_buf_view(text), mgi_clock_mono_ns(), mgi_clock_real_ns() };
    t->current = next;
    return true;
}

static void print_page(struct top *t, bool first, const struct cli_style *style)
{
    struct buf page = { 0 };
    const struct top_reading *now = &t->readings[t->current];
    mgi_top_view(&page, t->target, now, first ? NULL : &t->readings[!t->current], style);
    fputs(page.ptr ? page.ptr : "", stdout);
    mgi_buf_fini(&page);
}

static int once(struct top *t)
{
    struct buf why = { 0 };
    bool ok = read_metrics(t, &why);
    if (ok)
        print_page(t, true, mgi_cli_style(stdout));
    else
        mgi_cli_unreached(why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return ok ? EXIT_ANSWERED : EXIT_USAGE;
}

/* ---- a terminal ------------------------------------------------------------------------------ */

static volatile sig_atomic_t told_to_end; /* the terminal is put right first */

static void on_end(int signal_number)
{
    (void)signal_number;
    told_to_end = 1;
}

static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = on_end };
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
}

/* Wait for the next page, or for what ends it: q, Ctrl-C, end of input, a signal. */
static bool wait_for_key(int64_t ms)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    char key;
    int n = poll(&input, 1, (int)ms);
    return told_to_end || (n < 0 && errno != EINTR) ||
           (n > 0 && (read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q' || key == 3));
}

static void live(struct top *t, int64_t interval_ms)
{
    bool first = true, ended = false;
    while (!ended) {
        struct buf why = { 0 };
        bool ok = read_metrics(t, &why);
        fputs("\033[H\033[J", stdout);
        if (ok) {
            print_page(t, first, mgi_cli_style(stdout));
            first = false;
        } else { /* it may come back */
            printf("%s\n", why.ptr ? why.ptr : "out of memory");
        }
        fflush(stdout);
        mgi_buf_fini(&why);
        ended = wait_for_key(interval_ms);
    }
}

static int on_terminal(struct top *t, int64_t interval_ms)
{
    struct termios before, raw;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return once(t);
    catch_signals();
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG); /* Ctrl-C comes as a key: we tidy up */
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    fputs("\033[?1049h\033[?25l", stdout); /* another screen, no cursor */
    live(t, interval_ms);
    fputs("\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return EXIT_ANSWERED;
}

int mgi_run_top(int argc, char **argv)
{
    struct top t = { .current = -1, .http = { .timeout_ms = FETCH_MS } };
    int64_t interval = 2;
    bool just_once = false, helped;
    const struct cli_option options[] = {
        { "--once", OPTION_FLAG, &just_once, NULL, NULL, "print it once" },
        { "--interval", OPTION_NUMBER, &interval, NULL, "SECONDS", "between two pages (2)" },
        { "--token", OPTION_TEXT, &t.http.token, NULL, "TOKEN",
          "bearer token (else MANGLECP_TOKEN)" },
        CREDENTIALS_OPTION_ROW(&t.http.credentials),
        INSECURE_OPTION_ROW(&t.http.insecure),
        MGI_CLI_TLS_OPTIONS(&t.http),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_top, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1) {
        mgi_cli_error("top needs one TARGET");
        mgi_cli_hint("Give the address of a server, such as http://127.0.0.1:8765.");
        return EXIT_USAGE;
    }
    if (interval < 1 || interval > 3600) {
        mgi_cli_error("--interval is from 1 to 3600 seconds");
        return EXIT_USAGE;
    }
    t.target = words.items[0];
    if (!t.http.token)
        t.http.token = getenv("MANGLECP_TOKEN");
    t.http.credentials = mgi_credentials_path(t.http.credentials);
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int status = just_once || !terminal ? once(&t) : on_terminal(&t, interval * 1000);
    mgi_buf_fini(&t.texts[0]);
    mgi_buf_fini(&t.texts[1]);
    return status;
}
