/* Attaching to a browser that runs: where it is, what it answers, its WebSocket, its end. The
 * browser is a process of this program: fake_devtools.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/fake_devtools.h"
#include "browser/live_fixture.h"
#include "../../domains/browser/plugins/browser/attach.h"

/* ---- decoders ------------------------------------------------------------------------------- */

static void test_where_a_browser_is_is_read_and_nothing_guessed(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *authority, *path, *wrong;
    } rows[] = {
        { "http://127.0.0.1:9222", "127.0.0.1:9222", "", NULL },
        { "http://127.0.0.1:9222/", "127.0.0.1:9222", "", NULL },
        { "ws://localhost:1", "localhost:1", "", NULL },
        { "http://[::1]:9222", "[::1]:9222", "", NULL },
        { "http://10.1.2.3:80", "10.1.2.3:80", "", NULL }, /* exactly that one */
        { "ws://127.0.0.1:9/devtools/browser/a-b?token=1", "127.0.0.1:9",
          "/devtools/browser/a-b?token=1", NULL },
        { "", NULL, NULL, "no address" },
        { "9222", NULL, NULL, "no address" },
        { "127.0.0.1:9222", NULL, NULL, "no address" },
        { "http://me@127.0.0.1:9222", NULL, NULL, "no address" },
        { "http://127.0.0.1:99999", NULL, NULL, "no address" },
        { "ws://127.0.0.1:9/a b", NULL, NULL, "no address" },
        { "ws://127.0.0.1:9/a\r\nX: y", NULL, NULL, "no address" },
        { "ws://127.0.0.1:9/a#b", NULL, NULL, "no address" },
        { "https://127.0.0.1:9222", NULL, NULL, "http:// or ws://" },
        { "wss://127.0.0.1:9222/x", NULL, NULL, "http:// or ws://" },
        { "http://browser.test:9222", NULL, NULL, "neither an address" },
        { "http://0x7f.1:9222", NULL, NULL, "neither an address" },
        { "http://:9222", NULL, NULL, "neither an address" },
        { "http://127.0.0.1:0", NULL, NULL, "neither an address" },
        { "http://127.0.0.1:9222/json", NULL, NULL, "no path" },
        { "ws://127.0.0.1:9222/devtools/page/P", NULL, NULL, "address of a page" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct attach_place place;
        const char *wrong = mgi_attach_parse(str_of(rows[i].setting), &place);
        if (rows[i].wrong ? !wrong || !strstr(wrong, rows[i].wrong) : wrong != NULL)
            fail_msg("%s: %s", rows[i].setting, wrong ? wrong : "taken");
        if (wrong)
            continue;
        assert_string_equal(place.authority, rows[i].authority);
        assert_string_equal(place.path, rows[i].path);
        assert_int_equal(place.count, strstr(rows[i].setting, "localhost") ? 2 : 1);
    }
}

static enum attach_answer answer_of(const char *text, size_t len, bool over, struct buf *why)
{
    struct str body;
    char *exact = malloc(len + 1); /* so that a sanitizer sees a step too far */
    memcpy(exact, text, len);
    enum attach_answer state = mgi_attach_answer((struct str){ exact, len }, over, &body, why);
    free(exact);
    return state;
}

#define FINE "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

static void test_an_answer_is_whole_at_its_last_byte(void **state)
{
    (void)state;
    struct buf why = { 0 };
    for (size_t len = 0; len < sizeof FINE - 1; len++)
        assert_int_equal(answer_of(FINE, len, false, &why), ATTACH_MORE);
    assert_int_equal(answer_of(FINE, sizeof FINE - 1, false, &why), ATTACH_WHOLE);
    assert_int_equal(answer_of("HTTP/1.1 200 OK\r\n\r\n{}", 21, false, &why), ATTACH_MORE);
    assert_int_equal(answer_of("HTTP/1.1 200 OK\r\n\r\n{}", 21, true, &why), ATTACH_WHOLE);
    assert_int_equal(why.len, 0);
}

static void test_an_answer_that_cannot_be_taken_says_why(void **state)
{
    (void)state;
    static char endless[20000];
    memset(endless, 'x', sizeof endless - 1);
    const struct {
        const char *text, *why;
    } rows[] = {
        { "", "no head" },
        { endless, "no head" },
        { "SSH-2.0-x\r\n\r\n", "does not speak" },
        { "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "status 404" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n", "too long" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "too long" },
        { "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "too long" },
        { "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{}", "cut off" },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
          "in pieces" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf why = { 0 };
        assert_int_equal(answer_of(rows[i].text, strlen(rows[i].text), true, &why), ATTACH_BAD);
        if (!strstr(why.ptr, rows[i].why))
            fail_msg("%s: %s", rows[i].text, why.ptr);
        mgi_buf_fini(&why);
    }
}

static void test_of_what_a_browser_says_about_itself_the_path_counts(void **state)
{
    (void)state;
    static const struct {
        const char *body, *path;
    } rows[] = {
        { "{\"webSocketDebuggerUrl\":\"ws://10.0.0.1:1/devtools/browser/B\"}",
          "/devtools/browser/B" },
        { "{\"webSocketDebuggerUrl\":\"ws://x/\"}", NULL },
        { "{\"webSocketDebuggerUrl\":\"ws://x/a b\"}", NULL },
        { "{\"webSocketDebuggerUrl\":\"ws://x/a\\r\\nHost: y\"}", NULL },
        { "{\"webSocketDebuggerUrl\":5}", NULL },
        { "{}", NULL },
        { "[]", NULL },
        { "{", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena;
        char path[ATTACH_PATH_MOST + 1];
        mgi_arena_init(&arena, 0);
        const char *why = mgi_attach_path(&arena, str_of(rows[i].body), path);
        if (rows[i].path ? why != NULL : why == NULL)
            fail_msg("%s: %s", rows[i].body, why ? why : "taken");
        if (!why)
            assert_string_equal(path, rows[i].path);
        mgi_arena_fini(&arena);
    }
}

/* ---- connecting ----------------------------------------------------------------------------- */

static bool never(const void *context)
{
    (void)context;
    return true;
}

/* What is said of a browser that does not let us in. */
static void refused(struct fake_devtools *d, int64_t ms, bool cancelled, const char *why)
{
    char setting[64];
    struct attach_place place;
    struct socket_wire socket = { .wire = { .to = -1 } };
    struct buf said = { 0 };
    const struct talk_patience patience = { .until_ms = mgi_talk_now_ms() + ms,
                                            .cancelled = cancelled ? never : NULL };
    snprintf(setting, sizeof setting, "http://127.0.0.1:%u", d->port);
    assert_null(mgi_attach_parse(str_of(setting), &place));
    assert_false(mgi_attach_open(&place, &patience, &socket, &said));
    if (!strstr(said.ptr, why))
        fail_msg("%s is not in: %s", why, said.ptr);
    mgi_buf_fini(&said);
}

static void test_who_lets_nobody_in_is_told_of(void **state)
{
    (void)state;
    static const struct {
        const char *version, *upgrade, *why;
    } rows[] = {
        { "HTTP/1.1 500 Oh\r\n\r\n", NULL, "with status 500" },
        { "hello", NULL, "no head" },
        { "HTTP/1.1 200 OK\r\n\r\n{}", NULL, "names no WebSocket" },
        { NULL, "HTTP/1.1 403 Forbidden\r\n\r\n", "(status 403)" },
        { NULL,
          "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
          "does not belong to our key" },
        { NULL, "HTTP/1.1 101", "closed the connection" },
        { NULL, "what?\r\n\r\n", "does not speak HTTP/1.1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fake_devtools d = { .version = rows[i].version, .upgrade = rows[i].upgrade };
        fake_devtools_start(&d);
        refused(&d, 20000, false, rows[i].why);
        fake_devtools_stop(&d);
    }
}

static void test_connecting_ends_in_time_or_when_nobody_wants_it(void **state)
{
    (void)state;
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(silent, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(silent, 8), 0); /* and nobody accepts */
    getsockname(silent, (struct sockaddr *)&at, &len);
    struct fake_devtools d = { .port = ntohs(at.sin_port) };
    refused(&d, 80, false, "did not answer in time");
    refused(&d, 60000, true, "cancelled");
    close(silent);
    refused(&d, 20000, false, "nobody listens there");
}

/* ---- the wire ------------------------------------------------------------------------------- */

struct ear {
    char all[512];
    size_t lost;
};

static void hear_message(void *context, struct str text)
{
    struct ear *h = context;
    size_t at = strlen(h->all);
    snprintf(h->all + at, sizeof h->all - at, "<%.*s>", STR_ARG(text));
}

static void hear_lost(void *context, struct str beginning)
{
    (void)beginning;
    ((struct ear *)context)->lost++;
}

static void test_frames_are_the_same_in_whatever_pieces(void **state)
{
    (void)state;
    static const char bytes[] = "\x81\x03one"
                                "\x01\x02tw\x89\x02hm\x80\x01o"
                                "\x82\x03\x00\x01\x02"
                                "\x8a\x00"
                                "\x81\x00"
                                "\x81\x05three"
                                "\x88\x02\x03\xe8"
                                "\x81\x05never";
    for (size_t piece = 1; piece < sizeof bytes; piece++) {
        struct socket_wire s;
        struct ear h = { .lost = 0 };
        struct buf answer = { 0 };
        const struct wire_ear ear = { hear_message, hear_lost, &h };
        const char *why = NULL;
        mgi_socket_begin(&s, dup(0));
        for (size_t at = 0; at < sizeof bytes - 1 && !why; at += piece) {
            size_t len = sizeof bytes - 1 - at < piece ? sizeof bytes - 1 - at : piece;
            why = s.wire.kind->take(&s.wire, (struct str){ bytes + at, len }, &ear, &answer);
        }
        assert_string_equal(h.all, "<one><two><three>");
        assert_string_equal(why, "the browser closed it");
        assert_int_equal(answer.len, 2 + 4 + 2); /* a masked pong of two bytes */
        mgi_buf_fini(&answer);
        mgi_socket_end(&s);
    }
}

static void test_what_breaks_the_protocol_ends_it(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } rows[] = { { "\x81\x81\x00\x00\x00\x00x", 7 },
                 { "\xc1\x01x", 3 },
                 { "\x80\x01x", 3 },
                 { "\x81\x02\xff\xfe", 4 },
                 { "\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", 10 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct socket_wire s;
        struct ear h = { .lost = 0 };
        struct buf answer = { 0 };
        const struct wire_ear ear = { hear_message, hear_lost, &h };
        mgi_socket_begin(&s, dup(0));
        assert_non_null(
            s.wire.kind->take(&s.wire, (struct str){ rows[i].bytes, rows[i].len }, &ear, &answer));
        assert_string_equal(h.all, "");
        mgi_socket_end(&s);
    }
}

static void test_a_message_that_is_too_long_goes_by(void **state)
{
    (void)state;
    static char zeros[1 << 16];
    struct socket_wire s;
    struct ear h = { .lost = 0 };
    struct buf answer = { 0 };
    const struct wire_ear ear = { hear_message, hear_lost, &h };
    const uint64_t size = TALK_MESSAGE_MOST + sizeof zeros;
    uint8_t head[WS_HEAD_MAX];
    mgi_socket_begin(&s, dup(0));
    size_t len = mgi_ws_head(head, WS_OP_TEXT, size, NULL);
    assert_null(s.wire.kind->take(&s.wire, (struct str){ (char *)head, len }, &ear, &answer));
    for (uint64_t at = 0; at < size; at += sizeof zeros)
        assert_null(s.wire.kind->take(&s.wire, (struct str){ zeros, sizeof zeros }, &ear, &answer));
    assert_null(s.wire.kind->take(&s.wire, STR_LIT("\x81\x02ok"), &ear, &answer));
    assert_int_equal(h.lost, 1);
    assert_string_equal(h.all, "<ok>");
    mgi_socket_end(&s);
}

/* A reply that was lost may be anybody's: whoever waits is told, and does not wait in vain. */
static void test_who_waits_for_a_lost_reply_is_told(void **state)
{
    (void)state;
    static char after[14 + 4];
    struct fake_devtools d = { .after = after };
    struct attach_place place;
    struct socket_wire socket;
    struct buf said = { 0 }, reply = { 0 };
    char setting[64];
    const uint64_t size =
        2 * (uint64_t)TALK_MESSAGE_MOST + 1; /* so long that it does not even go by */
    d.after_len = mgi_ws_head((uint8_t *)after, WS_OP_TEXT, size, NULL);
    fake_devtools_start(&d);
    snprintf(setting, sizeof setting, "ws://127.0.0.1:%u/any", d.port);
    const struct talk_patience patience = { .until_ms = mgi_talk_now_ms() + 20000 };
    assert_null(mgi_attach_parse(str_of(setting), &place));
    assert_true(mgi_attach_open(&place, &patience, &socket, &said));
    struct browser_talk *talk =
        mgi_talk_new(&socket.wire, mgi_live_hear, mgi_live_ended, &mgi_live);
    assert_int_equal(mgi_talk_ask(talk, STR_LIT(""), "A.b", STR_LIT(""), &patience, &reply),
                     TALK_ENDED);
    assert_string_equal(mgi_talk_why_ended(talk), "the message is too large to be skipped");
    mgi_talk_free(talk);
    mgi_socket_end(&socket);
    mgi_buf_fini(&reply);
    fake_devtools_stop(&d);
    mgi_live.ended = false;
}

/* ---- a page --------------------------------------------------------------------------------- */

static void open_at(struct fake_devtools *d, const char *mode)
{
    char settings[128];
    d->mode = mode;
    fake_devtools_start(d);
    snprintf(settings, sizeof settings, ",\"attach\":\"http://127.0.0.1:%u\"", d->port);
    live_begin("http://127.0.0.1:9/", settings);
}

static void close_all(struct fake_devtools *d)
{
    mgi_live_fini();
    fake_devtools_stop(d);
    assert_int_equal(mgi_live.program.pid, 0);
    assert_int_equal(mgi_live.folder.path[0], '\0');
    assert_null(mgi_live.socket.wire.kind);
    assert_string_equal(mgi_live.context, "");
}

static void test_a_page_is_observed_as_in_a_browser_of_our_own(void **state)
{
    (void)state;
    static const char *const modes[] = { "plain", "flood" };
    for (size_t i = 0; i < 2; i++) {
        struct fake_devtools d = { .port = 0 };
        struct live_job j;
        struct buf trace = { 0 };
        open_at(&d, modes[i]);
        struct job *job = live_job_begin(&j);
        if (!mgi_live_open(job) || !mgi_live_observe(job))
            fail_msg("%s: %s", modes[i], live_error(&j));
        assert_string_equal(mgi_live.context, "C1");
        assert_true(mgi_trace_write(mgi_live_trace(), &trace));
        mgi_buf_append(&trace, "", 1);
        assert_non_null(strstr(trace.ptr, "Machina.state"));
        mgi_buf_fini(&trace);
        live_job_end(&j);
        close_all(&d);
    }
}

static void test_other_tabs_are_neither_told_of_nor_closed(void **state)
{
    (void)state;
    struct fake_devtools d = { .port = 0 };
    struct live_job j;
    struct buf trace = { 0 };
    open_at(&d, "windows");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j));
    assert_true(mgi_trace_write(mgi_live_trace(), &trace));
    mgi_buf_append(&trace, "", 1);
    assert_non_null(strstr(trace.ptr, "Machina.navigated"));
    assert_null(strstr(trace.ptr, "private"));
    assert_int_equal(mgi_live_popups(), 1);
    mgi_buf_fini(&trace);
    live_job_end(&j);
    close_all(&d);
}

static void test_a_download_is_given_up_in_our_context(void **state)
{
    (void)state;
    struct fake_devtools d = { .port = 0 };
    struct live_job j;
    struct buf trace = { 0 };
    struct json value;
    open_at(&d, "downloads");
    struct job *job = live_job_begin(&j);
    /* What was asked for before has been answered, too. */
    if (!mgi_live_open(job) || !mgi_live_run(job, "()=>1", STR_LIT(""), &value))
        fail_msg("%s", live_error(&j));
    assert_true(mgi_trace_write(mgi_live_trace(), &trace));
    mgi_buf_append(&trace, "", 1);
    assert_non_null(strstr(trace.ptr, "given up in C1"));
    assert_null(strstr(trace.ptr, "given up elsewhere"));
    assert_non_null(strstr(trace.ptr, "denied in C1"));
    assert_null(strstr(trace.ptr, "denied elsewhere"));
    mgi_buf_fini(&trace);
    live_job_end(&j);
    close_all(&d);
}

static void test_a_connection_that_breaks_is_said_and_made_anew(void **state)
{
    (void)state;
    struct fake_devtools d = { .port = 0 };
    struct live_job j;
    struct json value;
    open_at(&d, "plain");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j));
    fake_devtools_stop(&d);
    assert_false(mgi_live_run(job, "()=>1", STR_LIT(""), &value));
    assert_non_null(strstr(live_error(&j), "the connection to the browser at http://127.0.0.1:"));
    assert_non_null(strstr(live_error(&j), "the next call attaches anew"));
    mgi_buf_clear(job->error);
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j), "cannot be attached to: nobody listens there"));
    mgi_buf_clear(job->error);
    fake_devtools_start(&d); /* at the same port */
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j));
    live_job_end(&j);
    close_all(&d);
}

static void test_what_cannot_be_used_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *page, *settings, *why;
    } rows[] = {
        { "http://127.0.0.1:9/", ",\"attach\":\"127.0.0.1:9222\"",
          "the setting `attach` (127.0.0.1:9222) cannot be used: it is no address" },
        { "http://127.0.0.1:9/", ",\"attach\":\"http://127.0.0.1:1\",\"browser\":\"/bin/true\"",
          "the setting `browser` names one" },
        { "", ",\"attach\":\"http://127.0.0.1:1\"", "the setting `page` is empty" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct live_job j;
        live_begin(rows[i].page, rows[i].settings);
        struct job *job = live_job_begin(&j);
        assert_true(mgi_is_live(job));
        assert_false(mgi_live_open(job));
        if (!strstr(live_error(&j), rows[i].why))
            fail_msg("%s", live_error(&j));
        live_job_end(&j);
        mgi_live_fini();
    }
}

static void test_a_browser_that_gives_no_context_is_left(void **state)
{
    (void)state;
    struct fake_devtools d = { .port = 0 };
    struct live_job j;
    open_at(&d, "contextless");
    struct job *job = live_job_begin(&j);
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j), "refuses Target.createBrowserContext: not today"));
    assert_null(mgi_live.talk);
    live_job_end(&j);
    close_all(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_a_browser_is_is_read_and_nothing_guessed),
        cmocka_unit_test(test_an_answer_is_whole_at_its_last_byte),
        cmocka_unit_test(test_an_answer_that_cannot_be_taken_says_why),
        cmocka_unit_test(test_of_what_a_browser_says_about_itself_the_path_counts),
        cmocka_unit_test(test_who_lets_nobody_in_is_told_of),
        cmocka_unit_test(test_connecting_ends_in_time_or_when_nobody_wants_it),
        cmocka_unit_test(test_frames_are_the_same_in_whatever_pieces),
        cmocka_unit_test(test_what_breaks_the_protocol_ends_it),
        cmocka_unit_test(test_a_message_that_is_too_long_goes_by),
        cmocka_unit_test(test_who_waits_for_a_lost_reply_is_told),
        cmocka_unit_test(test_a_page_is_observed_as_in_a_browser_of_our_own),
        cmocka_unit_test(test_other_tabs_are_neither_told_of_nor_closed),
        cmocka_unit_test(test_a_download_is_given_up_in_our_context),
        cmocka_unit_test(test_a_connection_that_breaks_is_said_and_made_anew),
        cmocka_unit_test(test_what_cannot_be_used_is_said),
        cmocka_unit_test(test_a_browser_that_gives_no_context_is_left),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
