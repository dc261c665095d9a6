/* WebSocket sessions at their bounds: bytes, deadlines, connections. What they say is tested from
 * outside (tests/server/sockets.py). */
#include "transport/ws_rig.h"

static char many[80000]; /* bytes of a message */

/* The code of a close frame as it stands in the stream. */
#define CLOSE_1008 "\x03\xf0"
#define CLOSE_1013 "\x03\xf5"
#define CLOSE_1001 "\x03\xe9"

static void test_a_message_beyond_the_budget_is_given_up_and_the_session_goes_on(void **state)
{
    const struct net_limits limits = { .budget_bytes = 64 * 1024 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, false);
    int fd = ws_open(&r, "");
    ws_send(&r, fd, 0x01, (struct str){ many, sizeof many });
    rig_pass(&r.http, 20);
    assert_true(r.http.net->budget.used < 1000);
    ws_send(&r, fd, 0x80, (struct str){ many, 10 });
    ws_expect(&r, fd, "\"internal_error\"");
    ws_send(&r, fd, 0x89, STR_LIT("still there"));
    ws_expect(&r, fd, "still there");
    close(fd);
    ws_rig_end(&r);
}

static void test_what_is_kept_is_counted_and_given_back(void **state)
{
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, NULL, NULL, false);
    int fd = ws_open(&r, "");
    assert_int_equal(r.http.net->budget.used, 0); /* idle: nothing */
    ws_send(&r, fd, 0x01, (struct str){ many, 50000 });
    rig_pass(&r.http, 20);
    assert_in_range(r.http.net->budget.used, 50000, 120000);
    close(fd);
    for (int i = 0; i < 1000 && mgi_ws_sessions(r.api) > 0; i++)
        rig_turn(&r.http);
    assert_int_equal(r.http.net->budget.used, 0);
    ws_rig_end(&r);
}

static void test_a_message_that_does_not_end_closes_the_session(void **state)
{
    const struct net_limits limits = { .body_ms = 60 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, false);
    int fd = ws_open(&r, "");
    ws_send(&r, fd, 0x01, STR_LIT("{"));
    ws_expect(&r, fd, CLOSE_1008);
    close(fd);
    ws_rig_end(&r);
}

static void test_a_dead_client_is_noticed_by_its_silence_after_a_ping(void **state)
{
    const struct net_limits limits = { .ping_ms = 60 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, false);
    int fd = ws_open(&r, "");
    int64_t begun = rig_now_ms();
    ws_expect(&r, fd, "\x89"); /* P-WS-10 */
    assert_true(rig_ended(&r.http, fd, 2000));
    assert_in_range(rig_now_ms() - begun, 100, 1000);
    close(fd);
    ws_rig_end(&r);
}

static void test_a_stranger_makes_way_and_somebody_known_does_not(void **state)
{
    const struct http_options options = { .max_connections = 2 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, NULL, &options, true);
    int known = ws_open(&r, "Authorization: " RIG_TOKEN "\r\n");
    int stranger = ws_open(&r, "");
    rig_pass(&r.http, 300); /* in which it could have logged in */
    int third = rig_connect(&r.http);
    ws_expect(&r, stranger, "\x03\xf5"); /* 1013 */
    assert_true(rig_ended(&r.http, stranger, 2000));
    rig_send(&r.http, third, GET("/hello"));
    struct buf out = { 0 };
    assert_true(rig_read_until(&r.http, third, &out, "\"hello\""));
    ws_send(&r, known, 0x89, STR_LIT("still there"));
    ws_expect(&r, known, "still there");
    mgi_buf_fini(&out);
    close(known);
    close(stranger);
    close(third);
    ws_rig_end(&r);
}

static void test_a_stranger_that_does_not_log_in_is_closed(void **state)
{
    const struct net_limits limits = { .idle_ms = 80 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, true);
    int known = ws_open(&r, "Authorization: " RIG_TOKEN "\r\n");
    int stranger = ws_open(&r, "");
    ws_expect(&r, stranger, CLOSE_1008);
    rig_pass(&r.http, 150);
    ws_send(&r, known, 0x89, STR_LIT("still there"));
    ws_expect(&r, known, "still there");
    close(known);
    close(stranger);
    ws_rig_end(&r);
}

static void test_a_closing_session_is_not_waited_for(void **state)
{
    const struct net_limits limits = { .linger_ms = 80 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, false);
    int fd = ws_open(&r, "");
    ws_send(&r, fd, 0x83, STR_LIT("")); /* a reserved opcode */
    ws_expect(&r, fd, "\x03\xea");
    for (int i = 0; i < 400 && mgi_ws_sessions(r.api) > 0; i++)
        rig_pass(&r.http, 1); /* we keep our end open */
    assert_int_equal(mgi_ws_sessions(r.api), 0);
    close(fd);
    ws_rig_end(&r);
}

/* Pings of which no pong is read, until the kernel holds no more of them. */
static void fill_the_line(struct ws_rig *r, int fd)
{
    size_t before = r->http.net->budget.used;
    for (int k = 0; k < 50000 && r->http.net->budget.used < before + 10000; k++)
        ws_send(r, fd, 0x89, (struct str){ many, 125 });
    assert_true(r->http.net->budget.used >= before + 10000);
}

static void test_what_was_said_before_the_close_is_not_cut_by_it(void **state)
{
    const struct net_limits limits = { .linger_ms = 60 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, false);
    r.http.client_room = 64 * 1024;
    int fd = ws_open(&r, "");
    fill_the_line(&r, fd);
    ws_send(&r, fd, 0x88, STR_LIT("\x03\xe8"));
    rig_pass(&r.http, 400);
    ws_expect(&r, fd, "\x88\x02\x03\xe8"); /* P-WS-6 */
    for (int i = 0; i < 1000 && mgi_ws_sessions(r.api) > 0; i++)
        rig_pass(&r.http, 1); /* we keep our end open */
    assert_int_equal(mgi_ws_sessions(r.api), 0);
    close(fd);
    ws_rig_end(&r);
}

static void test_stopping_closes_all_and_takes_no_more(void **state)
{
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, NULL, NULL, false);
    int one = ws_open(&r, ""), two = ws_open(&r, "");
    mgi_ws_api_stop(r.api);
    ws_expect(&r, one, CLOSE_1001);
    ws_expect(&r, two, CLOSE_1001);
    struct buf out = rig_ask(&r.http, UPGRADE "\r\n", "server_not_ready");
    mgi_buf_fini(&out);
    close(one);
    close(two);
    ws_rig_end(&r);
}

static size_t count_of(const struct buf *text, const char *what)
{
    size_t count = 0;
    for (const char *at = text->ptr; at && (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* An answer has one Connection field, whatever it has to say. */
static void test_a_refused_upgrade_has_one_connection_field(void **state)
{
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, NULL, NULL, false);
    struct buf out = rig_ask(&r.http, GET(WS_PATH), "\r\n\r\n");
    assert_non_null(strstr(out.ptr, "HTTP/1.1 426 "));
    assert_non_null(strstr(out.ptr, "Connection: Upgrade\r\n"));
    assert_non_null(strstr(out.ptr, "Upgrade: websocket\r\n"));
    assert_non_null(strstr(out.ptr, "Sec-WebSocket-Version: 13\r\n"));
    assert_int_equal(count_of(&out, "Connection:"), 1);
    mgi_buf_fini(&out);
    mgi_http_drain(r.http.listener);
    out = rig_ask(&r.http, GET(WS_PATH), "\r\n\r\n");
    assert_non_null(strstr(out.ptr, "Connection: Upgrade, close\r\n"));
    assert_int_equal(count_of(&out, "Connection:"), 1);
    mgi_buf_fini(&out);
    ws_rig_end(&r);
}

/* A header that is said again is not overlooked because there is so much of it. */
static void test_a_second_key_is_refused_however_long_it_is(void **state)
{
    static const size_t lengths[] = { 24, 300, 600, 2000 };
    struct ws_rig r;
    (void)state;
    ws_rig_begin(&r, NULL, NULL, false);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char request[4096];
        char second[2001] = { 0 };
        memset(second, 'A', lengths[i]);
        snprintf(request, sizeof request, UPGRADE "Sec-WebSocket-Key: %s\r\n\r\n", second);
        struct buf out = rig_ask(&r.http, request, "\r\n\r\n");
        assert_non_null(strstr(out.ptr, "HTTP/1.1 400 "));
        mgi_buf_fini(&out);
    }
    ws_rig_end(&r);
}

/* Sessions that take nothing end when a message for all needs their bytes: while the server writes
 * to the others, and to themselves. */
static void test_a_message_for_all_may_end_those_that_take_nothing(void **state)
{
    enum { SESSIONS = 4 };
    struct ws_rig r;
    int fds[SESSIONS];
    (void)state;
    ws_rig_begin(&r, NULL, NULL, false);
    r.http.client_room = 64 * 1024;
    for (int i = 0; i < SESSIONS; i++)
        fds[i] = ws_open(&r, "");
    for (int i = 0; i < SESSIONS; i++)
        fill_the_line(&r, fds[i]);
    rig_pass(&r.http, 1200); /* now they have taken nothing for a second */
    r.http.net->budget.limit = r.http.net->budget.used + 100;
    mgi_server_announce(r.server);
    for (int i = 0; i < 3000 && mgi_ws_sessions(r.api) == SESSIONS; i++)
        rig_pass(&r.http, 1);
    assert_in_range(mgi_ws_sessions(r.api), 0, SESSIONS - 1);
    for (int i = 0; i < SESSIONS; i++)
        close(fds[i]);
    ws_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_message_beyond_the_budget_is_given_up_and_the_session_goes_on),
        cmocka_unit_test(test_what_is_kept_is_counted_and_given_back),
        cmocka_unit_test(test_a_message_that_does_not_end_closes_the_session),
        cmocka_unit_test(test_a_dead_client_is_noticed_by_its_silence_after_a_ping),
        cmocka_unit_test(test_a_stranger_makes_way_and_somebody_known_does_not),
        cmocka_unit_test(test_a_stranger_that_does_not_log_in_is_closed),
        cmocka_unit_test(test_a_closing_session_is_not_waited_for),
        cmocka_unit_test(test_what_was_said_before_the_close_is_not_cut_by_it),
        cmocka_unit_test(test_stopping_closes_all_and_takes_no_more),
        cmocka_unit_test(test_a_refused_upgrade_has_one_connection_field),
        cmocka_unit_test(test_a_second_key_is_refused_however_long_it_is),
        cmocka_unit_test(test_a_message_for_all_may_end_those_that_take_nothing),
    };
    memset(many, ' ', sizeof many);
    return cmocka_run_group_tests_name("transport/test_ws", tests, NULL, NULL);
}
