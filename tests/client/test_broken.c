/* Servers that end in the middle: every answer cut at every byte, over each link. Each cut is an
 * error at once, what may have run is said to be not known, and nothing is sent twice.
 *
 * The server is a thread of this program. It counts the bytes that it says to a client, over all
 * its connections, and closes behind the last one that it may say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/buf.h"
#include "fake_link.h"
#include "net/ws.h"
#include "net/ws_upgrade.h"

#define ENVELOPE(type, id, payload)                                                                \
    "{\"type\":\"" type "\",\"id\":" id ",\"manglecp\":\"2026-02-draft\",\"payload\":" payload "}"
#define TOOLS                                                                                      \
    ENVELOPE("intent_response", "\"c-1\"",                                                         \
             "{\"eval_time_used\":\"2026-01-01T00:00:00Z\",\"macro_tools\":[{\"macro_id\":"        \
             "\"mark-1\",\"name\":\"mark\",\"disclosure_level\":\"full\",\"description\":\"M.\","  \
             "\"input_schema\":{\"type\":\"object\"},\"safety\":{\"requires_user_confirmation\":"  \
             "false,\"side_effects\":[\"none\"]}}]}")
#define RESULT                                                                                     \
    ENVELOPE("invoke_response", "\"c-2\"",                                                         \
             "{\"result\":{\"done\":true},\"observability\":{\"summary\":\"Done.\"}}")

enum stage { UPGRADE, MANIFEST, INTENT, INVOCATION, STAGES };

#define TIMEOUT_MS    20000
#define REQUEST_BYTES 65536

static const char *const says[STAGES] = { NULL, FAKE_MANIFEST, TOOLS, RESULT };

struct server {
    int fd;
    pthread_t thread;
    bool websocket;
    enum stage stage; /* whose answer is cut; STAGES: none */
    size_t cut;
    size_t len[STAGES]; /* of the answers, whole */
    atomic_int invocations;
};

/* ---- the server -------------------------------------------------------------------------------
 */

/* False: that was not all of it, or the client is gone. */
static bool say(struct server *s, int fd, enum stage stage, struct str text)
{
    s->len[stage] = text.len;
    size_t len = stage == s->stage && s->cut < text.len ? s->cut : text.len;
    for (size_t at = 0; at < len;) {
        ssize_t n = send(fd, text.ptr + at, len - at, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return len == text.len;
}

/* A request with its body. */
static bool read_request(int fd, char *request)
{
    for (size_t len = 0;;) {
        ssize_t n = recv(fd, request + len, REQUEST_BYTES - 1 - len, 0);
        if (n <= 0)
            return false;
        len += (size_t)n;
        request[len] = '\0';
        const char *end = strstr(request, "\r\n\r\n"), *said = strstr(request, "Content-Length: ");
        size_t body = said ? strtoul(said + 16, NULL, 10) : 0;
        if (end && len >= (size_t)(end + 4 - request) + body)
            return true;
    }
}

static void serve_http(struct server *s, int fd, char *bytes)
{
    struct buf out = { 0 };
    if (!read_request(fd, bytes))
        return;
    enum stage stage = strncmp(bytes, "GET", 3) == 0   ? MANIFEST
                       : strstr(bytes, "\"macro_id\"") ? INVOCATION
                                                       : INTENT;
    s->invocations += stage == INVOCATION;
    mgi_buf_printf(&out,
                   "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                   "Content-Length: %zu\r\n\r\n%s",
                   strlen(says[stage]), says[stage]);
    (void)say(s, fd, stage, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

static bool upgrade(struct server *s, int fd, char *bytes)
{
    struct buf out = { 0 };
    if (!read_request(fd, bytes))
        return false;
    const char *key = strstr(bytes, "Sec-WebSocket-Key: ");
    mgi_buf_puts(&out, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n");
    mgi_ws_put_acceptance(&out, (struct str){ key ? key + 19 : "", WS_KEY_TEXT }, "manglecp");
    mgi_buf_puts(&out, "\r\n");
    bool whole = say(s, fd, UPGRADE, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return whole;
}

/* Wait for the next message of the client. */
static bool hear(int fd, struct ws *codec, char *bytes)
{
    for (;;) {
        ssize_t n = recv(fd, bytes, REQUEST_BYTES, 0);
        struct str rest = { bytes, n > 0 ? (size_t)n : 0 };
        struct ws_event e;
        if (n <= 0)
            return false;
        do {
            mgi_ws_next(codec, &rest, &e);
            if (e.kind == WS_TEXT || e.kind == WS_CLOSE)
                return e.kind == WS_TEXT;
        } while (e.kind != WS_NONE);
    }
}

static void serve_websocket(struct server *s, int fd, char *bytes)
{
    struct ws codec;
    struct buf out = { 0 };
    mgi_ws_init(&codec, &(struct ws_codec_options){ .role = WS_SERVER, .max_message = 1000000 });
    bool going = upgrade(s, fd, bytes);
    for (enum stage stage = MANIFEST; going && stage < STAGES; stage++) {
        if (stage > MANIFEST && !hear(fd, &codec, bytes))
            break;
        s->invocations += stage == INVOCATION;
        mgi_buf_clear(&out);
        mgi_ws_put(&out, WS_OP_TEXT, str_of(says[stage]), NULL);
        going = say(s, fd, stage, mgi_buf_view(&out));
    }
    if (going) /* until it closes */
        (void)hear(fd, &codec, bytes);
    mgi_buf_fini(&out);
    mgi_ws_fini(&codec);
}

static void *serve(void *context)
{
    struct server *s = context;
    struct timeval patience = { .tv_sec = TIMEOUT_MS / 1000 };
    char *bytes = malloc(REQUEST_BYTES);
    for (int fd; (fd = accept(s->fd, NULL, NULL)) >= 0;) {
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (s->websocket)
            serve_websocket(s, fd, bytes);
        else
            serve_http(s, fd, bytes);
        close(fd);
    }
    free(bytes);
    return NULL;
}

static void start(struct server *s, bool websocket, char url[64])
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof to;
    *s = (struct server){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                          .websocket = websocket };
    assert_int_equal(bind(s->fd, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(listen(s->fd, 16), 0);
    assert_int_equal(getsockname(s->fd, (struct sockaddr *)&to, &len), 0);
    snprintf(url, 64, "%s://127.0.0.1:%d", websocket ? "ws" : "http", ntohs(to.sin_port));
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void stop(struct server *s)
{
    shutdown(s->fd, SHUT_RDWR);
    pthread_join(s->thread, NULL);
    close(s->fd);
}

/* ---- the client ---------------------------------------------------------------------------------
 */

struct outcome {
    enum manglecp_status status;
    enum stage stage; /* that it came to */
    char why[300];
};

static const struct manglecp_options options = { .timeout_ms = TIMEOUT_MS,
                                                 .connect_timeout_ms = TIMEOUT_MS,
                                                 .manifest_timeout_ms = TIMEOUT_MS,
                                                 .ready_timeout_ms = -1 };

static struct outcome converse(enum manglecp_status opened, manglecp_client *client,
                               struct outcome o)
{
    manglecp_tools *tools = NULL;
    manglecp_result *result = NULL;
    o.status = opened;
    o.stage = MANIFEST;
    if (!opened) {
        o.stage = INTENT;
        o.status =
            manglecp_evaluate(client, &(struct manglecp_intent){ .name = "work" }, NULL, &tools);
        assert_true((o.status == MANGLECP_OK) == (tools != NULL));
    }
    if (!o.status) {
        o.stage = INVOCATION;
        struct manglecp_invocation call = { .tools = tools, .tool = "mark" };
        o.status = manglecp_invoke(client, &call, &result);
        assert_true((o.status == MANGLECP_OK) == (result != NULL));
    }
    if (client)
        snprintf(o.why, sizeof o.why, "%s", manglecp_message(client));
    manglecp_result_free(result);
    manglecp_tools_free(tools);
    manglecp_close(client);
    return o;
}

static struct outcome connect_and_converse(const char *url)
{
    struct outcome o = { 0 };
    manglecp_client *client;
    enum manglecp_status opened = manglecp_connect(url, &options, &client, o.why, sizeof o.why);
    return converse(opened, client, o);
}

/* What a cut in the answer of `stage` is to the caller. */
static void judge(const struct outcome *o, enum stage stage, size_t cut, int invocations)
{
    bool ran = stage == INVOCATION;
    bool expected = ran ? o->status == MANGLECP_ERR_INDETERMINATE
                        : o->status == MANGLECP_ERR_TRANSPORT || o->status == MANGLECP_ERR_PROTOCOL;
    enum stage reached = stage == UPGRADE ? MANIFEST : stage;
    if (!expected || o->stage != reached || !o->why[0] || invocations != ran)
        fail_msg("stage %d cut at byte %zu: status %d in stage %d, %d invocations: %s", (int)stage,
                 cut, (int)o->status, (int)o->stage, invocations, o->why);
}

static void cut_everywhere(bool websocket)
{
    struct server s;
    char url[64];
    start(&s, websocket, url);
    s.stage = STAGES;
    struct outcome o = connect_and_converse(url);
    if (o.status)
        fail_msg("uncut: status %d: %s", (int)o.status, o.why);
    for (s.stage = websocket ? UPGRADE : MANIFEST; s.stage < STAGES; s.stage++) {
        assert_true(s.len[s.stage] > 100);
        for (s.cut = 0; s.cut < s.len[s.stage]; s.cut++) {
            s.invocations = 0;
            o = connect_and_converse(url);
            judge(&o, s.stage, s.cut, s.invocations);
        }
    }
    stop(&s);
}

static void test_an_http_answer_cut_at_any_byte_is_an_error(void **state)
{
    (void)state;
    cut_everywhere(false);
}

static void test_a_websocket_cut_at_any_byte_is_an_error(void **state)
{
    (void)state;
    cut_everywhere(true);
}

/* A cut before the newline alone is none (D-60). */
static void test_a_line_cut_at_any_byte_is_an_error(void **state)
{
    (void)state;
    static const char script[] =
        "say() { if [ $stage = $1 ]; then head -c $cut; exit; else cat; fi; }\n"
        "stage=$1 cut=$2\n"
        "say 1 <<'E'\n" FAKE_MANIFEST "\nE\nread x\n"
        "say 2 <<'E'\n" TOOLS "\nE\nread x\n"
        "say 3 <<'E'\n" RESULT "\nE\nread x\n";
    for (enum stage stage = MANIFEST; stage < STAGES; stage++)
        for (size_t cut = 0; cut < strlen(says[stage]); cut += stage == INVOCATION ? 1 : 7) {
            char words[2][24];
            struct outcome o = { 0 };
            manglecp_client *client;
            snprintf(words[0], sizeof words[0], "%d", (int)stage);
            snprintf(words[1], sizeof words[1], "%zu", cut);
            const char *const argv[] = { "sh", "-c", script, "sh", words[0], words[1], NULL };
            enum manglecp_status opened =
                manglecp_spawn(argv, &options, &client, o.why, sizeof o.why);
            o = converse(opened, client, o);
            judge(&o, stage, cut, stage == INVOCATION);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_http_answer_cut_at_any_byte_is_an_error),
        cmocka_unit_test(test_a_websocket_cut_at_any_byte_is_an_error),
        cmocka_unit_test(test_a_line_cut_at_any_byte_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
