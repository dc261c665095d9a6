/* Reaching a server, wherever it is. A folder is served in this process through the same peer table
 * that the transports fill in, so every path of the server is the real one. */
#include "cli/manglecp_target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a folder ---------------------------------------------------------------------------- */

static bool is_progress(struct str message)
{
    return mgi_str_starts(message, STR_LIT("{\"type\":\"progress\""));
}

static bool local_send(void *connection, struct str message, int http_status, bool last,
                       int64_t retry_after_ms)
{
    (void)http_status, (void)retry_after_ms;
    struct target *t = connection;
    if (t->manifest.len == 0) {
        mgi_buf_str(&t->manifest, message);
    } else if (!is_progress(message)) {
        mgi_buf_clear(&t->answer);
        mgi_buf_str(&t->answer, message);
        t->answered = last;
        uv_stop(&t->host.loop);
    }
    return true;
}

static void local_close(void *connection, const char *why)
{
    (void)connection, (void)why;
}

static const struct peer_transport local_table = {
    .name = "local",
    .session = true,
    .send = local_send,
    .close = local_close,
};

static int open_folder(struct target *t, const struct host_options *options)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL,
                                            .identity = { "local", 5 },
                                            .expires_ns = INT64_MAX };
    int status = mgi_host_start(&t->host, options);
    if (status)
        return status;
    t->local = true;
    struct peer_options peer = { .transport = &local_table, .connection = t, .who = &local };
    t->peer = mgi_peer_new(t->host.server, &peer);
    if (!t->peer) {
        mgi_cli_error("out of memory");
        mgi_target_close(t);
        return EXIT_USAGE;
    }
    mgi_peer_greet(t->peer);
    return EXIT_ANSWERED;
}

static int local_request(struct target *t, enum message_type type, struct str payload)
{
    struct buf text = { 0 };
    struct json_writer w;
    char id[32];
    snprintf(id, sizeof id, "c-%" PRIu64, ++t->next_id);
    mgi_json_writer_init(&w, &text, 0);
    mgi_envelope_begin(&w, type, str_of(id));
    mgi_jw_raw(&w, payload);
    mgi_envelope_end(&w);
    t->answered = false;
    mgi_peer_message(t->peer, mgi_buf_view(&text), ENDPOINT_SESSION);
    mgi_buf_fini(&text);
    while (!t->answered && uv_run(&t->host.loop, UV_RUN_DEFAULT)) /* stopped by the answer */
        ;
    if (!t->answered) {
        mgi_cli_error("the server did not answer");
        return EXIT_USAGE;
    }
    return mgi_str_starts(mgi_buf_view(&t->answer), STR_LIT("{\"type\":\"error\"")) ? EXIT_WRONG
                                                                                    : EXIT_ANSWERED;
}

/* ---- an address or a command ------------------------------------------------------------- */

static void show_progress(void *context, const char *status, const char *detail, double percent)
{
    const struct target *t = context;
    const struct cli_style *s = mgi_cli_style(stderr);
    if (t->quiet || !isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K%s%s %s", s->dim, status, detail);
    if (percent >= 0)
        fprintf(stderr, " %.0f%%", percent);
    fprintf(stderr, "%s", s->reset);
}

static int client_opened(struct target *t, enum manglecp_status status, const char *message)
{
    if (status) {
        mgi_cli_error("%s", message[0] ? message : "out of memory");
        return EXIT_USAGE;
    }
    size_t len;
    const char *manifest = manglecp_manifest(t->client, &len);
    mgi_buf_append(&t->manifest, manifest, len);
    return EXIT_ANSWERED;
}

static bool is_address(const char *target)
{
    return strncmp(target, "http://", 7) == 0 || strncmp(target, "https://", 8) == 0;
}

static int open_client(struct target *t, const char *url, const char *const *argv)
{
    char message[512] = "";
    struct manglecp_options o = { .token = t->token, .progress = show_progress, .context = t };
    enum manglecp_status status =
        url ? manglecp_connect(url, &o, &t->client, message, sizeof message)
            : manglecp_spawn(argv, &o, &t->client, message, sizeof message);
    return client_opened(t, status, message);
}

static int authenticate(struct target *t)
{
    struct buf payload = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &payload, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "scheme", "bearer");
    mgi_jw_member_cstr(&w, "token", t->token);
    mgi_jw_end_object(&w);
    int status = mgi_target_request(t, "authenticate", mgi_buf_view(&payload));
    mgi_buf_fini(&payload);
    if (status == EXIT_WRONG)
        mgi_cli_error("the server did not accept the token");
    return status;
}

/* ---- both -------------------------------------------------------------------------------- */

int mgi_target_open(struct target *t, const struct target_options *options,
                    const struct cli_list *words, size_t after_dashes, struct cli_list *rest)
{
    *t = (struct target){ .token = options->token, .quiet = options->quiet };
    if (!t->token)
        t->token = getenv("MANGLECP_TOKEN");
    bool command = after_dashes != SIZE_MAX && after_dashes < words->count;
    size_t first = command ? 0 : 1, end = command ? after_dashes : words->count;
    if (!command && words->count == 0) {
        mgi_cli_error("a TARGET is needed");
        mgi_cli_hint(
            "Give a domain folder, an http:// address, or -- and the command of a server.");
        return EXIT_USAGE;
    }
    for (size_t i = first; i < end; i++)
        if (!mgi_cli_list_add(rest, words->items[i]))
            return EXIT_USAGE;
    if (!command && !is_address(words->items[0])) {
        struct host_options host = options->host;
        host.domain = words->items[0];
        return open_folder(t, &host);
    }
    struct cli_list argv = { 0 };
    for (size_t i = after_dashes; command && i < words->count; i++)
        (void)mgi_cli_list_add(&argv, words->items[i]);
    (void)mgi_cli_list_add(&argv, NULL);
    t->remembers = !command;
    int status = open_client(t, command ? NULL : words->items[0], argv.items);
    if (!status && command && t->token && t->token[0])
        status = authenticate(t);
    if (status)
        mgi_target_close(t);
    return status;
}

void mgi_target_close(struct target *t)
{
    manglecp_close(t->client);
    t->client = NULL;
    if (t->local) {
        if (t->peer)
            mgi_peer_gone(t->peer);
        mgi_host_stop(&t->host);
        t->local = false;
    }
    mgi_buf_fini(&t->manifest);
    mgi_buf_fini(&t->answer);
}

bool mgi_target_remembers(const struct target *t)
{
    return t->remembers;
}

int mgi_target_request(struct target *t, const char *type, struct str payload)
{
    if (t->local)
        return local_request(t, mgi_message_type(str_of(type)), payload);
    struct buf copy = { 0 };
    mgi_buf_str(&copy, payload);
    struct manglecp_answer answer;
    enum manglecp_status status =
        copy.oom ? MANGLECP_ERR_NOMEM : manglecp_request(t->client, type, copy.ptr, &answer);
    mgi_buf_fini(&copy);
    if (!t->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (status != MANGLECP_OK && status != MANGLECP_ERR_ANSWER) {
        mgi_cli_error("%s",
                      status == MANGLECP_ERR_NOMEM ? "out of memory" : manglecp_message(t->client));
        return EXIT_USAGE;
    }
    mgi_buf_clear(&t->answer);
    mgi_buf_append(&t->answer, answer.json, answer.len);
    return status == MANGLECP_OK ? EXIT_ANSWERED : EXIT_WRONG;
}
