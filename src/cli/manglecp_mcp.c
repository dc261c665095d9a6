/* manglecp mcp: any domain folder or server as an MCP server, on standard input and output or
 * behind an address.
 *
 * A folder is served in this process (bridge/home.h), loading beside the handshake; an address or a
 * command is reached when the first call needs it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/time.h"
#include "bridge/home.h"
#include "bridge/stdio.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_confirm.h"
#include "cli/manglecp_install.h"
#include "cli/manglecp_mcp_direct.h"
#include "cli/manglecp_mcp_listen.h"
#include "cli/manglecp_mcp_skills.h"
#include "cli/manglecp_target.h"
#include "sys/clock.h"

#define READY_MS  30000
#define LOOK_MS   5    /* between two looks whether a folder has loaded */
#define END_MS    2000 /* for a server that fails to load, to end */
#define LAST_MS   3000 /* for what still runs when the conversation is over */
#define MAX_FLAGS 200

const struct cli_command mgi_command_mcp = {
    .name = "manglecp mcp",
    .usage = "TARGET [OPTIONS] | [OPTIONS] -- COMMAND...",
    .help = "Be an MCP server for a domain folder or a MangleCP server.",
    .run = mgi_run_mcp,
    .more =
        "Speaks the Model Context Protocol on standard input and output, or over HTTP with\n"
        "--listen, in the revisions 2024-11-05 to 2026-07-28, with three tools: intent, run and\n"
        "state. A client starts it:\n"
        "  {\"mcpServers\": {\"NAME\": {\"command\": \"manglecp\", \"args\": [\"mcp\", "
        "\"DOMAIN\"]}}}\n"
        "What needs a person's consent is asked through the client (elicitation), or not run.\n"
        "\n"
        "--install CLIENT TARGET writes that entry: for claude-code, claude-desktop, cursor, "
        "vscode,\n"
        "gemini or codex. The difference is shown, and you are asked; what was there before is "
        "kept\n"
        "beside the file, and everything but the entry stays as it is. Exit status then: 0 it is\n"
        "done, or there was nothing to do; 1 it cannot be done, and nothing was, or you declined;\n"
        "2 usage, a file that cannot be written.\n",
};

struct mcp {
    struct target target;
    struct home *home; /* of a folder; else NULL */
    struct served_domain served;
    uv_loop_t loop;
    struct bridge *bridge;
    struct mcp_listen listen;
    struct bridge_direct direct; /* without an intent: the three tools */
    struct bridge_stdio *stdio;  /* or */
    struct bridge_web *web;
    uv_signal_t terminate, interrupt, reload;
    uv_async_t served_again; /* of a direct one with a folder: open() */
    const char *why;         /* it ended in disorder */
    bool failed;             /* and that was said */
    bool text_alone;
};

/* ---- a client for a worker: on its thread ------------------------------------------------------
 */

static void sleep_ms(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * NS_PER_MS };
    (void)nanosleep(&t, NULL);
}

/* A client saw the server go: it ends in a moment, and tells why. */
static bool has_ended(struct home *home, struct buf *why)
{
    for (int i = 0; i < END_MS / LOOK_MS; i++) {
        if (mgi_home_has_failed(home, why))
            return true;
        sleep_ms(LOOK_MS);
    }
    return false;
}

/* The server in this process tells why it does not load, and its clients only that it is gone. */
static bool wait_until_loaded(struct home *home, manglecp_client *c, int64_t ready_ms,
                              struct buf *why)
{
    int64_t until_ns = mgi_clock_mono_ns() + (ready_ms ? ready_ms : READY_MS) * NS_PER_MS;
    while (manglecp_server_state(c) == MANGLECP_BOOTING && mgi_clock_mono_ns() < until_ns) {
        sleep_ms(LOOK_MS);
        if (mgi_home_has_failed(home, why))
            return false;
        (void)manglecp_refresh(c);
    }
    return manglecp_server_state(c) != MANGLECP_DRAINING || !has_ended(home, why);
}

static manglecp_client *connect_home(struct mcp *m, const struct principal *who,
                                     struct manglecp_options *o, struct buf *why)
{
    struct home_place place;
    char token[HOME_TOKEN_CHARS + 1];
    char message[512] = "";
    manglecp_client *client;
    mgi_buf_puts(why, "the domain does not load:\n");
    if (!mgi_home_place(m->home, &place, why))
        return NULL;
    if (who && !mgi_home_token(m->home, who, token)) {
        mgi_buf_clear(why);
        return NULL;
    }
    o->token = who ? token : place.token;
    o->confirm_key = place.confirm_key;
    o->websocket = true; /* progress and cancellation need a session */
    if (manglecp_connect(place.address, o, &client, message, sizeof message)) {
        if (!has_ended(m->home, why)) {
            mgi_buf_clear(why);
            mgi_buf_puts(why, message);
        }
        return NULL;
    }
    if (!wait_until_loaded(m->home, client, m->target.options.ready_timeout_ms, why)) {
        manglecp_close(client);
        return NULL;
    }
    return client;
}

static bool approve_child(void *context, const char *challenge)
{
    (void)context;
    return mgi_confirm_here(challenge);
}

static manglecp_client *connect_elsewhere(const struct mcp *m, struct manglecp_options *o,
                                          struct buf *why)
{
    const struct target *t = &m->target;
    char message[1024] = "";
    manglecp_client *client;
    o->token = t->options.token ? t->options.token : getenv("MANGLECP_TOKEN");
    o->credentials = t->remembers ? mgi_credentials_path(t->options.credentials) : NULL;
    o->confirm_key = t->options.confirm_key;
    o->ca_file = t->options.ca_file;
    o->certificate = t->options.certificate;
    o->certificate_key = t->options.certificate_key;
    o->insecure = t->options.insecure;
    o->websocket = t->options.websocket;
    if (!t->word)
        o->approve = approve_child;
    enum manglecp_status status =
        t->word ? manglecp_connect(t->word, o, &client, message, sizeof message)
                : manglecp_spawn(t->command.items, o, &client, message, sizeof message);
    if (status)
        mgi_buf_puts(why, message[0] ? message : "out of memory");
    return client;
}

/* Elsewhere everybody is who this program is: mgi_mcp_listen_open() has seen to it that they may
 * be.
 */
static manglecp_client *connect_client(void *context, const struct principal *who,
                                       struct manglecp_options *o, struct buf *why)
{
    struct mcp *m = context;
    o->timeout_ms = m->target.options.timeout_ms;
    o->connect_timeout_ms = m->target.options.connect_timeout_ms;
    o->manifest_timeout_ms = m->target.options.manifest_timeout_ms;
    o->ready_timeout_ms = m->target.options.ready_timeout_ms;
    return m->home ? connect_home(m, who, o, why) : connect_elsewhere(m, o, why);
}

/* ---- beginning ---------------------------------------------------------------------------------
 */

/* On the server's thread. */
static void on_served(void *context, struct snapshot *snapshot)
{
    struct mcp *m = context;
    mgi_served_take(&m->served, snapshot);
    if (m->direct.intent && mgi_served_loads(&m->served) > 1)
        (void)uv_async_send(&m->served_again);
}

/* What `manglecp serve` would be told. False: too much of it, or memory; it was said. */
static bool start_home(struct mcp *m, struct arena *arena)
{
    const struct host_options *h = &m->target.options.host;
    struct config_flag *flags = mgi_arena_calloc(arena, MAX_FLAGS, sizeof *flags);
    size_t count = 0;
    struct buf clock = { 0 };
    if (!flags || h->set.count + h->plugin_paths.count > MAX_FLAGS - 5) {
        mgi_cli_error(flags ? "too many options" : "out of memory");
        return false;
    }
    flags[count++] = (struct config_flag){ "DOMAIN", m->target.word };
    for (size_t i = 0; i < h->set.count; i++)
        flags[count++] = (struct config_flag){ "--set", h->set.items[i] };
    for (size_t i = 0; i < h->plugin_paths.count; i++)
        flags[count++] = (struct config_flag){ "--plugins", h->plugin_paths.items[i] };
    if (h->toolhost)
        flags[count++] = (struct config_flag){ "--toolhost", h->toolhost };
    flags[count++] = (struct config_flag){ "--log", h->log_level ? h->log_level : "warn" };
    if (h->fixed_clock) {
        mgi_time_print(&clock, h->clock_ns);
        flags[count++] =
            (struct config_flag){ "--clock", mgi_arena_str(arena, mgi_buf_view(&clock)).ptr };
    }
    mgi_buf_fini(&clock);
    struct home_options options = { .flags = flags,
                                    .flag_count = count,
                                    .auth = m->listen.auth,
                                    .tells_author =
                                        !m->listen.config, /* one user, who has the folder */
                                    .programs = mgi_host_programs(arena),
                                    .served = on_served,
                                    .served_context = m };
    m->home = arena->oom ? NULL : mgi_home_new(&options);
    if (!m->home)
        mgi_cli_error("the server could not be started: out of memory or of threads");
    return m->home != NULL;
}

static void on_stop(uv_signal_t *handle, int number)
{
    (void)number;
    struct mcp *m = handle->data;
    if (m->web)
        mgi_bridge_web_stop(m->web);
    else if (m->stdio)
        mgi_bridge_stdio_stop(m->stdio);
    else
        uv_stop(&m->loop); /* before there was anything to offer */
}

/* A direct bridge: ask for its tools, at the start and when they may be others. */
static void declare(struct mcp *m)
{
    if (m->direct.intent && !mgi_bridge_declare(m->bridge))
        mgi_cli_error("%s: too much is under way to ask for its tools again", m->direct.intent);
}

static void on_reload(uv_signal_t *handle, int number)
{
    (void)number;
    struct mcp *m = handle->data;
    if (m->web)
        mgi_mcp_listen_again(&m->listen, m->web, m->home != NULL);
    if (m->home && !mgi_home_reload(m->home, m->listen.auth))
        mgi_cli_error("out of memory: nothing was loaded again");
    if (!m->home)
        declare(m);
}

static void on_served_again(uv_async_t *async)
{
    declare(async->data);
}

static void watch(struct mcp *m, uv_signal_t *handle, uv_signal_cb callback, int number)
{
    handle->data = m;
    (void)uv_signal_init(&m->loop, handle);
    (void)uv_signal_start(handle, callback, number);
    uv_unref((uv_handle_t *)handle);
}

static void on_end(void *context, const char *why)
{
    struct mcp *m = context;
    m->why = why;
    uv_stop(&m->loop);
}

static void on_web_end(void *context)
{
    on_end(context, NULL);
}

static bool start_web(struct mcp *m)
{
    struct buf why = { 0 };
    int port;
    struct bridge_web_options web = { .bridge = m->bridge,
                                      .loop = &m->loop,
                                      .config = m->listen.config,
                                      .address = &m->listen.address,
                                      .auth = m->listen.auth,
                                      .log = &m->listen.log,
                                      .ended = on_web_end,
                                      .context = m };
    m->web = mgi_bridge_web_new(&web, &port, &why);
    if (m->web)
        mgi_mcp_listen_announce(&m->listen, port);
    else
        fputs(why.ptr ? why.ptr : "error: out of memory\n", stderr);
    mgi_buf_fini(&why);
    return m->web != NULL;
}

static bool start_stdio(struct mcp *m)
{
    struct bridge_stdio_options stdio = { .bridge = m->bridge,
                                          .loop = &m->loop,
                                          .in = STDIN_FILENO,
                                          .out = STDOUT_FILENO,
                                          .ended = on_end,
                                          .context = m };
    m->stdio = mgi_bridge_stdio_new(&stdio);
    if (!m->stdio)
        mgi_cli_error("standard input or output cannot be used, or memory is short");
    return m->stdio != NULL;
}

static bool start_transport(struct mcp *m)
{
    return m->listen.config ? start_web(m) : start_stdio(m);
}

/* The tools of a direct bridge are known, for the first time or again. */
static void on_declared(void *context, size_t count, const char *why)
{
    struct mcp *m = context;
    struct mcp_server *server = mgi_bridge_server(m->bridge);
    mgi_mcp_direct_tell(&m->direct, count, why);
    if (!why && m->web)
        mgi_bridge_web_serve(m->web, server);
    else if (!why && m->stdio)
        mgi_bridge_stdio_serve(m->stdio, server);
    else if (!m->web && !m->stdio && (why || !start_transport(m))) {
        m->failed = true;
        uv_stop(&m->loop);
    }
}

static bool start_bridge(struct mcp *m)
{
    struct bridge_options bridge = { .loop = &m->loop,
                                     .connect = connect_client,
                                     .context = m,
                                     .threads = m->target.word ? 0 : 1, /* a command: one child */
                                     .one_user = !m->listen.config,
                                     .text_alone = m->text_alone };
    if (m->home) {
        bridge.loads = mgi_served_loads;
        bridge.skills = mgi_served_skills;
        bridge.domain = &m->served;
    }
    m->direct.declared = on_declared;
    bridge.direct = m->direct.intent ? &m->direct : NULL;
    m->bridge = mgi_bridge_new(&bridge);
    m->direct.facts = NULL;
    if (!m->bridge) {
        mgi_cli_error("out of memory or of threads");
        return false;
    }
    declare(m);
    return m->direct.intent || start_transport(m);
}

/* ---- the end -----------------------------------------------------------------------------------
 */

static void on_last_look(uv_timer_t *timer)
{
    struct mcp *m = timer->data;
    if (mgi_bridge_busy(m->bridge) == 0)
        uv_stop(&m->loop);
}

/* What still runs was told to end. False: it does not, for now. */
static bool wait_for_calls(struct mcp *m)
{
    uv_timer_t look;
    int64_t until_ns = mgi_clock_mono_ns() + LAST_MS * NS_PER_MS;
    mgi_bridge_cancel(m->bridge);
    look.data = m;
    (void)uv_timer_init(&m->loop, &look);
    (void)uv_timer_start(&look, on_last_look, 0, LOOK_MS);
    while (mgi_bridge_busy(m->bridge) > 0 && mgi_clock_mono_ns() < until_ns)
        (void)uv_run(&m->loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&look, NULL);
    (void)uv_run(&m->loop, UV_RUN_NOWAIT);
    return mgi_bridge_busy(m->bridge) == 0;
}

static int finish(struct mcp *m)
{
    int status = m->why ? EXIT_USAGE : m->failed ? EXIT_WRONG : EXIT_ANSWERED;
    if (m->why)
        mgi_cli_error("%s", m->why);
    mgi_bridge_stdio_free(m->stdio);
    mgi_bridge_web_free(m->web);
    if (m->bridge && !wait_for_calls(m))
        _exit(status); /* a thread waits for an answer that nobody wants any more */
    mgi_bridge_free(m->bridge);
    if (!mgi_home_free(m->home))
        _exit(status);
    uv_close((uv_handle_t *)&m->terminate, NULL);
    uv_close((uv_handle_t *)&m->interrupt, NULL);
    uv_close((uv_handle_t *)&m->reload, NULL);
    uv_close((uv_handle_t *)&m->served_again, NULL);
    (void)uv_run(&m->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&m->loop);
    return status;
}

static int run(struct mcp *m, struct arena *arena)
{
    bool folder = m->target.word && !m->target.remembers;
    if (folder && access(m->target.word, F_OK) != 0) {
        mgi_cli_error("%s: there is no such domain folder", m->target.word);
        return EXIT_USAGE;
    }
    if (uv_loop_init(&m->loop) != 0) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    watch(m, &m->terminate, on_stop, SIGTERM);
    watch(m, &m->interrupt, on_stop, SIGINT);
    watch(m, &m->reload, on_reload, SIGHUP);
    m->served_again.data = m;
    (void)uv_async_init(&m->loop, &m->served_again, on_served_again);
    uv_unref((uv_handle_t *)&m->served_again);
    if ((folder && !start_home(m, arena)) || !start_bridge(m)) {
        (void)finish(m);
        return EXIT_USAGE;
    }
    (void)uv_run(&m->loop, UV_RUN_DEFAULT);
    return finish(m);
}

static bool install_makes_sense(const struct install_options *o)
{
    int asked = (o->install != NULL) + (o->uninstall != NULL) + (o->undo != NULL);
    bool more = o->scope || o->name || o->variables.count || o->dry_run || o->yes || o->force;
    if (asked > 1)
        mgi_cli_error("--install, --uninstall and --undo exclude each other");
    else if (asked == 0 && more)
        mgi_cli_error("--scope, --name, --env, --dry-run, --yes and --force belong to --install");
    return asked == 1 || (asked == 0 && !more);
}

int mgi_run_mcp(int argc, char **argv)
{
    struct mcp m = { 0 };
    struct target_options target = { .may_ask = true };
    struct install_options install = { 0 };
    struct intent_options direct = { 0 };
    struct cli_list words = { 0 }, rest = { 0 };
    struct arena arena;
    size_t dashes;
    bool helped;
    const struct cli_option options[] = {
        { "--text-alone", OPTION_FLAG, &m.text_alone, NULL, NULL,
          "no structuredContent beside the text, for clients that show both" },
        { "--confirm-key", OPTION_TEXT, &target.confirm_key, NULL, "KEY",
          "signs what the user consents to (else MANGLECP_CONFIRM_KEY)" },
        MCP_DIRECT_OPTION_ROWS(direct),
        MCP_LISTEN_OPTION_ROWS(m.listen.options),
        INSTALL_OPTION_ROWS(install),
        TARGET_OPTION_ROWS(target),
        { 0 },
    };
    if (!mgi_cli_parse(&mgi_command_mcp, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (!install_makes_sense(&install))
        return EXIT_USAGE;
    if ((install.uninstall || install.undo) && words.count > 0) {
        mgi_cli_error("--uninstall and --undo take no TARGET");
        return EXIT_USAGE;
    }
    if (install.uninstall || install.undo)
        return install.undo ? mgi_install_undo(&install) : mgi_install_remove(&install);
    int status = mgi_target_read(&m.target, &target, &words, dashes, &rest);
    if (status)
        return status;
    if (rest.count > 0) {
        mgi_cli_error("\"%s\" stands where nothing is expected", rest.items[0]);
        return EXIT_USAGE;
    }
    if (install.install)
        return mgi_install_add(&install, &m.target, argc, argv);
    mgi_arena_init(&arena, 0);
    mgi_served_init(&m.served);
    bool folder = m.target.word && !m.target.remembers;
    status = mgi_mcp_listen_read(&m.listen, &arena, target.host.log_level, folder) &&
                     mgi_mcp_direct_read(&direct, m.listen.auth != NULL, &m.direct)
                 ? run(&m, &arena)
                 : EXIT_USAGE;
    manglecp_facts_free(m.direct.facts); /* where no bridge has taken them */
    mgi_served_fini(&m.served);
    mgi_auth_unref(m.listen.auth);
    mgi_arena_fini(&arena);
    return status;
}
