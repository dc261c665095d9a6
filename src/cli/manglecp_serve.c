/* manglecp serve: a domain folder on stdio or on an address. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "transport/http_head.h"
#include "transport/transport.h"

const struct cli_command mgi_command_serve = {
    .name = "manglecp serve",
    .usage = "DOMAIN --stdio | --listen HOST:PORT [OPTIONS]",
    .help = "Serve a domain folder.",
    .run = mgi_run_serve,
};

struct serving {
    struct host host;
    struct http_listener *listener;
    struct stdio_transport *session;
    uv_signal_t term, interrupt;
    bool over;
};

static void end(struct serving *s)
{
    s->over = true;
    uv_stop(&s->host.loop);
}

static void session_over(void *context)
{
    struct serving *s = context;
    s->session = NULL;
    end(s);
}

static void on_signal(uv_signal_t *handle, int signal_number)
{
    (void)signal_number;
    end(handle->data);
}

static bool watch_signals(struct serving *s)
{
    s->term.data = s->interrupt.data = s;
    signal(SIGPIPE, SIG_IGN);
    return uv_signal_init(&s->host.loop, &s->term) == 0 &&
           uv_signal_init(&s->host.loop, &s->interrupt) == 0 &&
           uv_signal_start(&s->term, on_signal, SIGTERM) == 0 &&
           uv_signal_start(&s->interrupt, on_signal, SIGINT) == 0;
}

/* "HOST:PORT", "[::1]:PORT" or ":PORT" (loopback). */
static bool split_address(const char *text, char host[128], int *port)
{
    const char *colon = strrchr(text, ':');
    char *end;
    if (!colon || (size_t)(colon - text) >= 128)
        return false;
    long n = strtol(colon + 1, &end, 10);
    if (*end || end == colon + 1 || n < 0 || n > 65535)
        return false;
    size_t len = (size_t)(colon - text);
    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
    }
    memcpy(host, text, len);
    host[len] = '\0';
    if (len == 0)
        memcpy(host, "127.0.0.1", sizeof "127.0.0.1");
    *port = (int)n;
    return true;
}

struct serve_options {
    struct host_options host;
    bool stdio, open_demo, proxy;
    const char *listen, *cors_origin;
};

/* Secure by default: a network listener needs credentials, and TLS in front of anything but
 * loopback (D-53). */
static bool may_listen(const struct serve_options *o, const struct serving *s, const char *host)
{
    if (!mgi_auth_has_tokens(s->host.auth) && !o->open_demo) {
        mgi_cli_error("a network listener needs credentials");
        mgi_cli_hint("Set MANGLECP_TOKEN, give --auth FILE, or start a demo with --open-demo.");
        return false;
    }
    if (!mgi_http_address_is_loopback(host) && !o->proxy) {
        mgi_cli_error("%s is not a loopback address, and this server does not speak TLS yet", host);
        mgi_cli_hint("Put a TLS proxy in front and say so with --behind-tls-proxy.");
        return false;
    }
    return true;
}

static int listen_http(struct serving *s, const struct serve_options *o)
{
    char host[128];
    int port;
    const char *why;
    if (!split_address(o->listen, host, &port)) {
        mgi_cli_error("--listen needs HOST:PORT, not \"%s\"", o->listen);
        return EXIT_USAGE;
    }
    if (!may_listen(o, s, host))
        return EXIT_USAGE;
    if (o->open_demo)
        mgi_log(&s->host.log, LOG_WARN,
                "open demo mode: anyone who can connect may use tools without effects");
    struct http_options http = {
        .server = s->host.server,
        .loop = &s->host.loop,
        .auth = s->host.auth,
        .open_demo = o->open_demo,
        .host = host,
        .port = port,
        .max_message_bytes = (size_t)s->host.snapshot->settings.limits.max_message_bytes,
        .cors_origin = o->cors_origin,
        .log = &s->host.log,
    };
    s->listener = mgi_http_listen(&http, &port, &why);
    if (!s->listener) {
        mgi_cli_error("could not listen on %s: %s", o->listen, why);
        return EXIT_USAGE;
    }
    fprintf(stderr, "listening on http://%s%s%s:%d\n", strchr(host, ':') ? "[" : "", host,
            strchr(host, ':') ? "]" : "", port);
    return EXIT_ANSWERED;
}

static int serve_stdio(struct serving *s)
{
    struct stdio_options options = {
        .server = s->host.server,
        .loop = &s->host.loop,
        .token_required = mgi_auth_has_tokens(s->host.auth),
        .max_message_bytes = (size_t)s->host.snapshot->settings.limits.max_message_bytes,
        .closed = session_over,
        .context = s,
    };
    s->session = mgi_stdio_start(&options);
    if (s->session)
        return EXIT_ANSWERED;
    mgi_cli_error("standard input and output cannot be used");
    return EXIT_USAGE;
}

static int start(struct serving *s, const struct serve_options *o)
{
    int status = mgi_host_start(&s->host, &o->host);
    if (status)
        return status;
    if (!watch_signals(s)) {
        mgi_cli_error("could not watch signals");
        status = EXIT_USAGE;
    }
    if (!status)
        status = o->stdio ? serve_stdio(s) : listen_http(s, o);
    return status;
}

static void stop(struct serving *s)
{
    struct awaited closed = { &s->host.loop, s->listener == NULL };
    struct awaited drained = { &s->host.loop, false };
    if (s->listener)
        mgi_http_close(s->listener, mgi_host_done, &closed);
    uv_close((uv_handle_t *)&s->term, NULL);
    uv_close((uv_handle_t *)&s->interrupt, NULL);
    mgi_server_drain(s->host.server, mgi_host_done, &drained);
    mgi_host_await(&closed);
    mgi_host_await(&drained);
    if (s->session)
        mgi_stdio_stop(s->session);
    while (s->session && uv_run(&s->host.loop, UV_RUN_DEFAULT)) /* session_over() stops the loop */
        ;
    mgi_host_stop(&s->host);
}

int mgi_run_serve(int argc, char **argv)
{
    struct serve_options o = { 0 };
    const struct cli_option options[] = {
        { "--stdio", OPTION_FLAG, &o.stdio, NULL, NULL, "speak on standard input and output" },
        { "--listen", OPTION_TEXT, &o.listen, NULL, "HOST:PORT", "speak HTTP/1.1" },
        { "--auth", OPTION_TEXT, &o.host.auth_file, NULL, "FILE", "file of hashed bearer tokens" },
        { "--open-demo", OPTION_FLAG, &o.open_demo, NULL, NULL,
          "let anonymous callers use tools without effects" },
        { "--behind-tls-proxy", OPTION_FLAG, &o.proxy, NULL, NULL,
          "a proxy terminates TLS: allow other addresses than loopback" },
        { "--cors-origin", OPTION_TEXT, &o.cors_origin, NULL, "ORIGIN", "allow this web origin" },
        HOST_OPTION_ROWS(o.host),
        { 0 },
    };
    struct cli_list words = { 0 };
    bool helped;
    if (!mgi_cli_parse(&mgi_command_serve, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1 || o.stdio == (o.listen != NULL)) {
        mgi_cli_error("serve needs one DOMAIN and either --stdio or --listen HOST:PORT");
        return EXIT_USAGE;
    }
    static struct serving s;
    o.host.domain = words.items[0];
    o.host.intent_eval = HTTP_INTENT_PATH;
    o.host.macro_invoke = HTTP_INVOKE_PATH;
    int status = start(&s, &o);
    if (status) {
        if (s.host.server_open)
            stop(&s);
        return status;
    }
    while (!s.over && uv_run(&s.host.loop, UV_RUN_DEFAULT))
        ;
    stop(&s);
    return EXIT_ANSWERED;
}
