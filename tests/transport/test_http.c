/* The HTTP transport on routes of the test: what a head decides, bodies, bursts, answers that come
 * later, streams that are taken over, the end. */
#include "transport/http_rig.h"

static int count_of(const struct buf *text, const char *what)
{
    int n = 0;
    for (const char *at = text->ptr; at && (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void assert_has(const struct buf *text, const char *what)
{
    if (!text->ptr || !strstr(text->ptr, what))
        fail_msg("no \"%s\" in: %s", what, text->ptr ? text->ptr : "nothing");
}

static void assert_has_not(const struct buf *text, const char *what)
{
    if (text->ptr && strstr(text->ptr, what))
        fail_msg("\"%s\" is in: %s", what, text->ptr);
}

/* ---- answers ----------------------------------------------------------------------------- */

static void test_an_answer_has_date_and_length(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    struct buf a = rig_ask(&rig, GET("/hello"), "\"hello\"");
    assert_has(&a, "HTTP/1.1 200 OK\r\n");
    assert_has(&a, "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    assert_has(&a, "Content-Length: 7\r\n");
    assert_has(&a, "Cache-Control: no-store\r\n");
    assert_has_not(&a, "Connection:");
    mgi_buf_fini(&a);
    rig_end(&rig);
}

static void test_what_one_request_was_does_not_shape_the_next_answer(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd =
        rig_connect(&rig); /* the answer to what is no request has a body, although HEAD has none */
    rig_send(&rig, fd,
             "HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
             "GET /\r\n\r\n");
    assert_true(rig_read_until(&rig, fd, &out, "x-http_version"));
    assert_has_not(&out, "\"hello\"");
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_an_old_client_that_wants_more_is_told_that_it_may(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    struct buf a =
        rig_ask(&rig, "GET /hello HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
                "\"hello\"");
    assert_has(&a, "Connection: keep-alive\r\n");
    mgi_buf_fini(&a);
    a = rig_ask(&rig, "GET /hello HTTP/1.0\r\nHost: localhost\r\n\r\n", "\"hello\"");
    assert_has(&a, "Connection: close\r\n");
    mgi_buf_fini(&a);
    rig_end(&rig);
}

/* An entry of the table: a request, and what must be in the answer. */
static void check_rows(struct rig *rig, const char *const rows[][2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct buf a = rig_ask(rig, rows[i][0], rows[i][1]);
        assert_has(&a, "\"type\":\"error\""); /* P-HTTP-9 */
        assert_has(&a, "Content-Type: application/json\r\n");
        mgi_buf_fini(&a);
    }
}

static void test_faults_of_the_head_have_their_status(void **state)
{
    static const char *const rows[][2] = {
        { GET("/nowhere"), "HTTP/1.1 404 " },
        { "DELETE /hello HTTP/1.1\r\nHost: localhost\r\n\r\n", "Allow: GET, HEAD\r\n" },
        { "PUT /later HTTP/1.1\r\nHost: localhost\r\n\r\n", "Allow: GET, HEAD, POST\r\n" },
        { "BREW /hello HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 405 " },
        { "BREW /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 404 " },
        { "GET /hello HTTP/1.1\r\nHost: localhost\r\nExpect: banana\r\n\r\n", "HTTP/1.1 417 " },
        { "GET /hello HTTP/2.0\r\nHost: localhost\r\n\r\n", "HTTP/1.1 505 " },
        { "GET /hello HTTP/0.9\r\nHost: localhost\r\n\r\n", "HTTP/1.1 505 " },
        { "GET /hello\r\n\r\n", "HTTP/1.1 505 " },
        { "GET /hello HTTP/1.1\r\n\r\n", "HTTP/1.1 400 " },
        { "GET /hello HTTP/1.0\r\n\r\n", "HTTP/1.1 400 " }, /* which host is meant is not known */
        { "GET /hello HTTP/1.1\r\nHost: localhost:x@evil\r\n\r\n", "HTTP/1.1 400 " },
        { "GET /hello HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 " },
        { "GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n", "does not name this machine" },
        { "GET http://evil.example/hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "does not name this machine" },
        { "POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length : 2\r\n\r\nxx",
          "HTTP/1.1 400 " },
        { "POST /post HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
          "HTTP/1.1 400 " },
        { "GET /hello HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n",
          "HTTP/1.1 403 " },
        { "GET /hello HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n", "HTTP/1.1 403 " },
    };
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    check_rows(&rig, rows, sizeof rows / sizeof *rows);
    assert_int_equal(rig.runs, 0);
    rig_end(&rig);
}

static void test_a_head_that_is_too_large_is_431(void **state)
{
    struct rig rig;
    struct buf head = { 0 }, out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    mgi_buf_puts(&head, "GET /hello HTTP/1.1\r\nHost: localhost\r\nX: ");
    while (head.len < 40000)
        mgi_buf_puts(&head, "xxxxxxxxxxxxxxxx");
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, head.ptr);
    assert_true(rig_read_until(&rig, fd, &out, "x-head_too_large"));
    assert_has(&out, "HTTP/1.1 431 ");
    assert_true(rig_ended(&rig, fd, 2000));
    close(fd);
    mgi_buf_fini(&head);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_the_target_may_be_a_whole_uri(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    struct buf a =
        rig_ask(&rig, "GET http://localhost:1/hello HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                "\"hello\""); /* RFC 9112 section 3.2.2: its host is the one that counts */
    mgi_buf_fini(&a);
    rig_end(&rig);
}

static void test_a_path_with_nothing_to_protect_takes_any_host(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    static const char *const requests[] = {
        "GET /open HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n",
        "GET /open HTTP/1.0\r\n\r\n",
        "GET /open HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct buf a = rig_ask(&rig, requests[i], "\"hello\"");
        mgi_buf_fini(&a);
    }
    rig_end(&rig);
}

static void test_hosts_and_origins_are_taken_from_lists(void **state)
{
    static const char *const hosts[] = { "api.example", "two.example:8443" };
    static const char *const origins[] = { "https://app.example", "https://other.example:444" };
    const struct http_options options = {
        .hosts = hosts, .host_count = 2, .origins = origins, .origin_count = 2
    };
    static const struct {
        const char *host, *origin;
        const char *wanted;
    } rows[] = {
        { "api.example", NULL, "200 OK" },
        { "API.example:99", NULL, "200 OK" },
        { "two.example:8443", NULL, "200 OK" },
        { "two.example", NULL, "400 Bad" },
        { "api.example.evil.example", NULL, "400 Bad" },
        { "localhost", NULL, "200 OK" },
        { "api.example", "https://app.example",
          "Access-Control-Allow-Origin: https://app.example\r\n" },
        { "localhost", "https://other.example:444",
          "Access-Control-Allow-Origin: https://other.example:444\r\n" },
        { "api.example", "https://api.example", "200 OK" }, /* our own page */
        { "localhost:8080", "http://localhost:8080", "200 OK" },
        { "localhost:8080", "http://localhost:3000", "403 Forbidden" },
        { "api.example", "https://app.example.evil.example", "403 Forbidden" },
        { "api.example", "null", "403 Forbidden" },
        { "api.example", "", "403 Forbidden" },
    };
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, &options);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char request[256];
        snprintf(request, sizeof request, "GET /hello HTTP/1.1\r\nHost: %s\r\n%s%s%s\r\n",
                 rows[i].host, rows[i].origin ? "Origin: " : "",
                 rows[i].origin ? rows[i].origin : "", rows[i].origin ? "\r\n" : "");
        struct buf a = rig_ask(&rig, request, "\r\n\r\n");
        assert_has(&a, rows[i].wanted);
        assert_has(&a, "Vary: Origin");
        assert_has_not(&a, "Access-Control-Allow-Origin: *"); /* P-HTTP-20 */
        mgi_buf_fini(&a);
    }
    rig_end(&rig);
}

static void test_names_that_are_none_are_refused_at_once(void **state)
{
    static const char *const wrong_hosts[] = { "a b" };
    static const char *const wrong_origins[] = { "https://a\r\nX: y" };
    uv_loop_t loop;
    int port;
    const char *why;
    bool closed = false;
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct net *net = mgi_net_new(&loop, NULL);
    struct http_options options = {
        .net = net, .host = "127.0.0.1", .hosts = wrong_hosts, .host_count = 1
    };
    assert_null(mgi_http_listen(&options, &port, &why));
    assert_string_equal(why, "a b");
    options = (struct http_options){
        .net = net, .host = "127.0.0.1", .origins = wrong_origins, .origin_count = 1
    };
    assert_null(mgi_http_listen(&options, &port, &why));
    assert_ptr_equal(why, wrong_origins[0]);
    mgi_net_close(net, rig_is_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void test_options_tell_what_a_path_takes(void **state)
{
    static const char *const origins[] = { "https://app.example" };
    const struct http_options options = { .origins = origins, .origin_count = 1 };
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, &options);
    struct buf a = rig_ask(&rig, "OPTIONS /later HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\r\n");
    assert_has(&a, "HTTP/1.1 204 ");
    assert_has(&a, "Allow: GET, HEAD, POST, OPTIONS\r\n");
    assert_has_not(&a, "Access-Control");
    mgi_buf_fini(&a);
    a = rig_ask(&rig, "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 204 ");
    mgi_buf_fini(&a);
    a = rig_ask(&rig,
                "OPTIONS /post HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\n"
                "Access-Control-Request-Method: POST\r\n\r\n",
                "\r\n\r\n"); /* P-HTTP-19 */
    assert_has(&a, "Access-Control-Allow-Origin: https://app.example\r\n");
    assert_has(&a, "Access-Control-Allow-Methods: POST, OPTIONS\r\n");
    mgi_buf_fini(&a);
    a = rig_ask(&rig,
                "OPTIONS /post HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n",
                "HTTP/1.1 403 ");
    mgi_buf_fini(&a);
    rig_end(&rig);
}

/* ---- bodies, and when they are read ------------------------------------------------------ */

#define POST(path, more, body) "POST " path " HTTP/1.1\r\nHost: localhost\r\n" more "\r\n" body

static void test_a_body_reaches_its_route(void **state)
{
    static const char *const requests[] = {
        POST("/post", "Content-Length: 5\r\n", "hello"),
        POST("/post", "Transfer-Encoding: chunked\r\n",
             "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nX: y\r\n\r\n"),
    };
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        struct buf a = rig_ask(&rig, requests[i], "hello");
        assert_string_equal(rig.body, "hello");
        mgi_buf_fini(&a);
        struct buf out = { 0 }; /* byte by byte */
        int fd = rig_connect(&rig);
        for (const char *at = requests[i]; *at; at++)
            assert_true(rig_try_send(&rig, fd, at, 1));
        assert_true(rig_read_until(&rig, fd, &out, "\r\n\r\nhello"));
        close(fd);
        mgi_buf_fini(&out);
    }
    assert_int_equal(rig.runs, 4);
    rig_end(&rig);
}

static void test_a_credential_is_judged_before_the_body(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig); /* not a byte of the body is sent */
    rig_send(&rig, fd, POST("/secret", "Content-Length: 1000000\r\n", ""));
    assert_true(rig_read_until(&rig, fd, &out, "auth_required"));
    assert_has(&out, "HTTP/1.1 401 ");
    assert_has(&out, "Connection: close\r\n");
    assert_int_equal(rig.net->budget.used, 0);
    close(fd);
    mgi_buf_clear(&out);
    fd = rig_connect(&rig); /* nor is one asked for */
    rig_send(&rig, fd, POST("/secret", "Content-Length: 5\r\nExpect: 100-continue\r\n", ""));
    assert_true(rig_read_until(&rig, fd, &out, "auth_required"));
    assert_has_not(&out, "100 Continue");
    close(fd);
    mgi_buf_clear(&out);
    fd = rig_connect(&rig);
    rig_send(&rig, fd,
             POST("/secret",
                  "Authorization: " RIG_TOKEN "\r\nContent-Length: 5\r\nExpect: 100-continue\r\n",
                  ""));
    assert_true(rig_read_until(&rig, fd, &out, "HTTP/1.1 100 Continue\r\n\r\n"));
    rig_send(&rig, fd, "hello");
    assert_true(rig_read_until(&rig, fd, &out, "\r\n\r\nhello"));
    close(fd);
    mgi_buf_fini(&out);
    assert_int_equal(rig.runs, 1);
    rig_end(&rig);
}

static void test_a_path_that_is_not_there_gets_no_body_read(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, POST("/nowhere", "Content-Length: 900000\r\n", ""));
    assert_true(rig_read_until(&rig, fd, &out, "x-not_found"));
    assert_has(&out, "Connection: close\r\n");
    close(fd);
    mgi_buf_clear(&out);
    fd = rig_connect(&rig); /* a small one is read over, and the connection goes on */
    rig_send(&rig, fd, POST("/nowhere", "Content-Length: 5\r\n", "hello") GET("/hello"));
    assert_true(rig_read_until(&rig, fd, &out, "\"hello\""));
    assert_has(&out, "HTTP/1.1 404 ");
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_a_refusal_may_be_heard_with_a_small_body(void **state)
{
    struct rig rig;
    (void)state; /* D-58: on 401 the id is echoed if the body is a readable envelope */
    rig_begin(&rig, NULL, NULL);
    struct buf a =
        rig_ask(&rig, POST("/heard", "Content-Length: 5\r\n", "hello"), "refused, and heard");
    assert_string_equal(rig.body, "hello");
    assert_has_not(&a, "Connection: close");
    mgi_buf_fini(&a);
    a = rig_ask(&rig, POST("/heard", "Content-Length: 16385\r\n", ""), "auth_required");
    assert_has_not(&a, "and heard");
    mgi_buf_fini(&a);
    struct buf out = { 0 }, chunks = { 0 };
    mgi_buf_puts(&chunks, POST("/heard", "Transfer-Encoding: chunked\r\n", ""));
    for (int i = 0; i < 2000; i++)
        mgi_buf_puts(&chunks, "10\r\n0123456789abcdef\r\n");
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, chunks.ptr);
    assert_true(rig_read_until(&rig, fd, &out, "auth_required"));
    assert_has_not(&out, "and heard");
    close(fd);
    mgi_buf_fini(&out);
    mgi_buf_fini(&chunks);
    rig_end(&rig);
}

static void test_a_body_is_bounded_however_it_comes(void **state)
{
    struct rig rig;
    struct buf out = { 0 }, chunks = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    struct buf a =
        rig_ask(&rig, POST("/post", "Content-Length: 1048577\r\n", ""), "message_too_large");
    assert_has(&a, "HTTP/1.1 413 ");
    assert_has(&a, "\"max_message_bytes\":1048576");
    mgi_buf_fini(&a);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, POST("/post", "Transfer-Encoding: chunked\r\n", ""));
    while (chunks.len < 65536)
        mgi_buf_puts(&chunks, "10\r\n0123456789abcdef\r\n");
    for (int i = 0; i < 22; i++)
        if (!rig_try_send(&rig, fd, chunks.ptr, chunks.len / 22 * 22))
            break;
    assert_true(rig_read_until(&rig, fd, &out, "message_too_large"));
    assert_true(rig_ended(&rig, fd, 2000));
    close(fd);
    mgi_buf_fini(&chunks);
    mgi_buf_fini(&out);
    assert_int_equal(rig.runs, 0);
    rig_end(&rig);
}

/* The answer to what is too large arrives although the client goes on sending all of it. */
static void test_an_early_answer_survives_what_is_still_sent(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    char *body = calloc(1, 1200000);
    (void)state;
    assert_non_null(body);
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, POST("/post", "Content-Length: 1200000\r\n", ""));
    assert_true(rig_try_send(&rig, fd, body, 1200000));
    rig_pass(&rig, 20);
    assert_true(rig_read_until(&rig, fd, &out, "message_too_large"));
    free(body);
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

/* ---- many requests ----------------------------------------------------------------------- */

static void test_a_burst_is_answered_in_order_without_quadratic_work(void **state)
{
    enum { COUNT = 10000 };
    struct rig rig;
    struct buf burst = { 0 }, out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    for (int i = 0; i < COUNT; i++)
        mgi_buf_printf(&burst, POST("/post", "Content-Length: 5\r\n", "%05d"), i);
    mgi_buf_puts(&burst, GET("/hello"));
    int fd = rig_connect(&rig);
    int64_t begun = rig_now_ms();
    size_t sent = 0;
    static char chunk[65536];
    while (mgi_str_find(mgi_buf_view(&out), STR_LIT("\"hello\"")) == SIZE_MAX) {
        ssize_t n =
            sent < burst.len ? send(fd, burst.ptr + sent, burst.len - sent, MSG_NOSIGNAL) : 0;
        sent += n > 0 ? (size_t)n : 0;
        rig_turn(&rig);
        n = read(fd, chunk, sizeof chunk);
        if (n > 0)
            mgi_buf_append(&out, chunk, (size_t)n);
        if (out.len > 4096 && rig.runs < COUNT) { /* keep the search cheap */
            memmove(out.ptr, out.ptr + out.len - 4096, 4096);
            out.len = 4096;
        }
        assert_true(rig_now_ms() - begun < 20000);
        assert_true(rig.net->budget.used < 512 * 1024);
    }
    assert_int_equal(rig.runs, COUNT + 1);
    close(fd);
    mgi_buf_fini(&burst);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_others_have_their_turn_during_a_burst(void **state)
{
    struct rig rig;
    struct buf burst = { 0 }, out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    for (int i = 0; i < 800; i++)
        mgi_buf_puts(&burst, GET("/hello"));
    int busy = rig_connect(&rig), other = rig_connect(&rig);
    assert_true(send(busy, burst.ptr, burst.len, MSG_NOSIGNAL) == (ssize_t)burst.len);
    assert_true(send(other, GET("/open"), strlen(GET("/open")), MSG_NOSIGNAL) > 0);
    for (int turns = 0; turns < 3; turns++)
        rig_turn(&rig);
    assert_in_range(rig.runs, 2, 100); /* not all 800 at a stretch */
    assert_true(rig_read_until(&rig, other, &out, "\"hello\""));
    assert_in_range(rig.runs, 2, 400);
    close(busy);
    close(other);
    mgi_buf_fini(&burst);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

/* A client that pipelines behind a request that takes long is held back by the kernel; what it has
 * sent until then does not hide that it leaves. */
static void test_reading_stops_behind_a_request_that_takes_long(void **state)
{
    enum { LEN = 100 * 1024 };
    struct rig rig;
    char filler[1024];
    size_t sent = 0;
    (void)state;
    memset(filler, 'x', sizeof filler);
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/later"));
    while (sent < LEN) {
        ssize_t n = send(fd, filler, sizeof filler, MSG_NOSIGNAL);
        sent += n > 0 ? (size_t)n : 0;
        rig_turn(&rig);
    }
    rig_pass(&rig, 10);
    assert_non_null(rig.waiting);
    assert_in_range(rig.net->budget.used, 1, 32 * 1024); /* the low-water mark, and a piece more */
    close(fd);
    rig_pass(&rig, 1300); /* nothing is read any more, so the kernel is asked: P-CONC-9 */
    assert_int_equal(rig.goners, 1);
    rig_end(&rig);
}

/* ---- later ------------------------------------------------------------------------------- */

static void test_an_answer_may_come_later(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, POST("/later", "Content-Length: 2\r\n", "hi") GET("/hello"));
    rig_pass(&rig, 20);
    assert_int_equal(rig.runs, 1);
    assert_string_equal(rig.body, "hi");
    rig_say(rig.waiting, 200, STR_LIT("\"later\""));
    assert_true(rig_read_until(&rig, fd, &out, "\"hello\""));
    assert_true(strstr(out.ptr, "\"later\"") < strstr(out.ptr, "\"hello\""));
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_a_client_that_leaves_is_told_to_who_works(void **state)
{
    struct rig rig;
    (void)state; /* P-CONC-9 */
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/later") GET("/hello"));
    rig_pass(&rig, 20);
    assert_non_null(rig.waiting);
    close(fd);
    rig_pass(&rig, 50);
    assert_int_equal(rig.goners, 1);
    assert_int_equal(rig.runs, 1); /* what it sent behind is not begun */
    rig_end(&rig);
}

static void test_work_may_end_without_an_answer(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/later"));
    rig_pass(&rig, 20);
    mgi_http_abandon(rig.waiting);
    assert_int_equal(rig.goners, 0); /* who abandons is not told */
    assert_true(rig_ended(&rig, fd, 1000));
    close(fd);
    rig_end(&rig);
}

/* Who takes nothing pays, also if it is the one that wants more. */
static void test_a_stalled_client_does_not_keep_its_bytes_from_others(void **state)
{
    const struct net_limits limits = { .budget_bytes = 8 * 1024 * 1024 };
    struct rig rig;
    char *large = malloc(16 * 1024 * 1024);
    int stalled[2];
    (void)state;
    assert_non_null(large);
    memset(large, 'x', 16 * 1024 * 1024);
    rig_begin(&rig, &limits, NULL);
    rig.large = (struct str){ large, 8 * 1024 * 1024 };
    for (int i = 0; i < 2; i++) {
        stalled[i] = rig_connect(&rig);
        rig_send(&rig, stalled[i], GET("/large"));
        rig_pass(&rig, 20);
    }
    assert_in_range(rig.net->budget.used, 1, limits.budget_bytes);
    rig_pass(&rig, 1100);
    struct buf out = { 0 };
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/large"));
    assert_true(rig_read_until(&rig, fd, &out, "\r\n\r\n"));
    assert_has(&out, "Content-Length: 8388608\r\n");
    rig_send(&rig, stalled[0], GET("/hello") GET("/hello"));
    rig_pass(&rig, 20);
    close(stalled[0]);
    close(stalled[1]);
    close(fd);
    free(large);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_a_client_that_only_ends_its_side_gets_what_is_ready(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    for (int i = 0; i < 40; i++)
        assert_true(send(fd, GET("/hello"), strlen(GET("/hello")), MSG_NOSIGNAL) > 0);
    shutdown(fd, SHUT_WR);
    while (rig_read_until(&rig, fd, &out, "nothing that is there"))
        ;
    assert_int_equal(count_of(&out, "\"hello\""), 40);
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_a_body_that_is_cut_short_ends_the_connection(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, POST("/post", "Content-Length: 5\r\n", "hel"));
    shutdown(fd, SHUT_WR);
    assert_true(rig_ended(&rig, fd, 2000));
    assert_int_equal(rig.runs, 0);
    close(fd);
    rig_end(&rig);
}

/* ---- deadlines --------------------------------------------------------------------------- */

static void test_a_slow_request_is_told_so(void **state)
{
    const struct net_limits limits = { .head_ms = 80, .body_ms = 80 };
    static const char *const beginnings[] = { "GET /hello HT",
                                              POST("/post", "Content-Length: 5\r\n", "h") };
    struct rig rig;
    (void)state;
    rig_begin(&rig, &limits, NULL);
    for (size_t i = 0; i < 2; i++) {
        struct buf out = { 0 };
        int fd = rig_connect(&rig);
        rig_send(&rig, fd, beginnings[i]);
        assert_true(rig_read_until(&rig, fd, &out, "x-request_timeout"));
        assert_has(&out, "HTTP/1.1 408 ");
        assert_true(rig_ended(&rig, fd, 2000));
        close(fd);
        mgi_buf_fini(&out);
    }
    rig_end(&rig);
}

static void test_a_byte_now_and_then_does_not_help(void **state)
{
    const struct net_limits limits = { .head_ms = 150 };
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, &limits, NULL);
    int fd = rig_connect(&rig);
    int64_t begun = rig_now_ms();
    for (int i = 0; i < 200 && rig_now_ms() - begun < 3000; i++) {
        if (send(fd, "G", 1, MSG_NOSIGNAL) < 0)
            break;
        rig_pass(&rig, 20);
        char more;
        if (recv(fd, &more, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
            break;
    }
    assert_in_range(rig_now_ms() - begun, 100, 2500);
    assert_true(rig_read_until(&rig, fd, &out, "408 "));
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_an_idle_connection_is_closed(void **state)
{
    const struct net_limits limits = { .idle_ms = 60 };
    struct rig rig;
    (void)state;
    rig_begin(&rig, &limits, NULL);
    int fresh = rig_connect(&rig), used = rig_connect(&rig);
    rig_send(&rig, used, GET("/hello"));
    assert_true(rig_ended(&rig, fresh, 2000));
    assert_true(rig_ended(&rig, used, 2000));
    close(fresh);
    close(used);
    rig_end(&rig);
}

static void test_a_client_that_never_reads_is_dropped(void **state)
{
    const struct net_limits limits = { .write_ms = 150 };
    struct rig rig;
    char *large = malloc(16 * 1024 * 1024);
    (void)state;
    assert_non_null(large);
    memset(large, 'x', 16 * 1024 * 1024);
    rig_begin(&rig, &limits, NULL);
    rig.large = (struct str){ large, 16 * 1024 * 1024 };
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/large"));
    rig_pass(&rig, 20);
    assert_true(rig.net->budget.used > 0);
    rig_pass(&rig, 600);
    assert_int_equal(rig.net->budget.used, 0);
    assert_int_equal(mgi_http_connections(rig.listener), 0);
    free(large);
    close(fd);
    rig_end(&rig);
}

/* Read slowly, but steadily, until the server ends. How much came? */
static size_t sip(struct rig *rig, int fd)
{
    static char chunk[64 * 1024];
    size_t total = 0;
    for (int64_t end = rig_now_ms() + 20000; rig_now_ms() < end;) {
        rig_pass(rig, 4);
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0 || (n < 0 && errno != EAGAIN))
            break;
        total += n > 0 ? (size_t)n : 0;
    }
    return total;
}

static void test_an_answer_on_its_way_is_not_cut_because_it_is_the_last(void **state)
{
    const struct net_limits limits = { .linger_ms = 50 };
    struct rig rig;
    char *large = calloc(1, 12 * 1024 * 1024);
    (void)state;
    assert_non_null(large);
    rig_begin(&rig, &limits, NULL);
    rig.large = (struct str){ large, 12 * 1024 * 1024 };
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, "GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_true(sip(&rig, fd) > rig.large.len);
    close(fd);
    free(large);
    rig_end(&rig);
}

#define LAST '~' /* of an answer of fill_the_line() */

/* Ask for small answers, and take none, until the kernel holds no more of them. How many? */
static int fill_the_line(struct rig *rig, int fd)
{
    static char text[15 * 1024];
    int asked = 0;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = LAST;
    rig->large = (struct str){ text, sizeof text };
    for (; rig->net->budget.used == 0 && asked < 4000; asked++) {
        rig_send(rig, fd, GET("/large"));
        for (int64_t end = rig_now_ms() + 5000; rig_now_ms() < end && rig->runs == asked;)
            rig_turn(rig);
        assert_int_equal(rig->runs, asked + 1);
    }
    assert_true(rig->net->budget.used > 0);
    return asked;
}

/* Between requests, and not idle. */
static void test_an_answer_on_its_way_is_not_cut_because_nothing_is_asked(void **state)
{
    const struct net_limits limits = { .idle_ms = 400 };
    static char chunk[64 * 1024];
    struct rig rig;
    int came = 0;
    (void)state;
    rig_begin(&rig, &limits, NULL);
    rig.client_room = 64 * 1024;
    int fd = rig_connect(&rig);
    int asked = fill_the_line(&rig, fd);
    rig_pass(&rig, 1000);
    for (int64_t end = rig_now_ms() + 10000; rig_now_ms() < end && came < asked;) {
        rig_turn(&rig);
        ssize_t n = read(fd, chunk, sizeof chunk);
        for (ssize_t i = 0; i < n; i++)
            came += chunk[i] == LAST;
        if (n == 0 || (n < 0 && errno != EAGAIN))
            break;
    }
    assert_int_equal(came, asked);
    assert_true(rig_ended(&rig, fd, 3000)); /* now it is idle */
    close(fd);
    rig_end(&rig);
}

/* A connection has a request that waits, and takes nothing of what it was sent. Another one's
 * answer needs its bytes: whoever works for it hears that it is gone, but not within that answer.
 */
static void test_nobody_is_called_within_another_ones_answer(void **state)
{
    struct rig rig;
    char *large = calloc(1, 12 * 1024 * 1024);
    (void)state;
    assert_non_null(large);
    rig_begin(&rig, NULL, NULL);
    rig.client_room = 64 * 1024;
    int stalled = rig_connect(&rig);
    fill_the_line(&rig, stalled);
    rig_send(&rig, stalled, GET("/later"));
    for (int64_t end = rig_now_ms() + 5000; rig_now_ms() < end && !rig.waiting;)
        rig_turn(&rig);
    assert_non_null(rig.waiting);
    rig_pass(&rig, 1200); /* now it has taken nothing for a second */
    rig.large = (struct str){ large, 12 * 1024 * 1024 };
    rig.net->budget.limit = rig.net->budget.used + 100;
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/large"));
    rig_pass(&rig, 30);
    assert_int_equal(rig.goners, 1);
    assert_int_equal(rig.goners_within, 0);
    close(stalled);
    close(fd);
    free(large);
    rig_end(&rig);
}

static void test_who_lingers_is_closed(void **state)
{
    const struct net_limits limits = { .linger_ms = 80 };
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, &limits, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, POST("/nowhere", "Content-Length: 1000000\r\n", "x"));
    assert_true(rig_read_until(&rig, fd, &out, "x-not_found"));
    rig_pass(&rig, 300);
    assert_int_equal(mgi_http_connections(rig.listener), 0);
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

/* ---- limits ------------------------------------------------------------------------------ */

static void test_the_one_idle_longest_gives_way(void **state)
{
    const struct http_options options = { .max_connections = 3 };
    struct rig rig;
    int fds[4];
    (void)state;
    rig_begin(&rig, NULL, &options);
    for (int i = 0; i < 4; i++) {
        struct buf first = { 0 };
        fds[i % 3] = i < 3 ? rig_connect(&rig) : fds[0]; /* so the second is the one */
        rig_send(&rig, fds[i % 3], GET("/hello"));
        assert_true(rig_read_until(&rig, fds[i % 3], &first, "\"hello\""));
        mgi_buf_fini(&first);
        rig_pass(&rig, 5);
    }
    rig_pass(&rig, 20);
    fds[3] = rig_connect(&rig);
    assert_true(rig_ended(&rig, fds[1], 2000));
    assert_int_equal(mgi_http_connections(rig.listener), 3);
    struct buf out = { 0 };
    rig_send(&rig, fds[3], GET("/hello"));
    assert_true(rig_read_until(&rig, fds[3], &out, "\"hello\""));
    for (int i = 0; i < 4; i++)
        close(fds[i]);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_when_all_are_busy_a_new_one_is_told(void **state)
{
    const struct http_options options = { .max_connections = 1 };
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, &options);
    int busy = rig_connect(&rig);
    rig_send(&rig, busy, GET("/later"));
    rig_pass(&rig, 20);
    int fd = rig_connect(&rig);
    assert_true(rig_read_until(&rig, fd, &out, "server_not_ready"));
    assert_has(&out, "HTTP/1.1 503 ");
    assert_has(&out, "Retry-After: 1\r\n");
    assert_true(rig_ended(&rig, fd, 2000));
    close(fd);
    close(busy);
    rig_pass(&rig, 50);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

/* A body that dribbles holds its place only against others if somebody known sends it. */
static void test_a_strangers_body_gives_way_and_that_of_somebody_known_does_not(void **state)
{
    static const struct {
        const char *begun;
        bool stays;
    } rows[] = {
        { POST("/post", "Content-Length: 100\r\n", "x"), false },
        { POST("/nowhere", "Content-Length: 100\r\n", "x"), false }, /* refused, and read over */
        { POST("/secret", "Content-Length: 100\r\nAuthorization: " RIG_TOKEN "\r\n", "x"), true },
    };
    const struct http_options options = { .max_connections = 1 };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        rig_begin(&rig, NULL, &options);
        int slow = rig_connect(&rig);
        rig_send(&rig, slow, rows[i].begun);
        for (int k = 0; k < 12; k++) {
            rig_pass(&rig, 100);
            rig_send(&rig, slow, "y");
        }
        struct buf out =
            rig_ask(&rig, GET("/hello"), rows[i].stays ? "server_not_ready" : "\"hello\"");
        assert_int_equal(rig_ended(&rig, slow, 100), !rows[i].stays);
        mgi_buf_fini(&out);
        close(slow);
        rig_pass(&rig, 20);
        rig_end(&rig);
    }
}

static void test_bodies_are_bounded_by_one_budget(void **state)
{
    enum { COUNT = 12, LEN = 400 * 1024 };
    const struct net_limits limits = { .budget_bytes = 2 * 1024 * 1024 };
    struct rig rig;
    int fds[COUNT], refused = 0;
    char *part = calloc(1, LEN);
    (void)state;
    assert_non_null(part);
    rig_begin(&rig, &limits, NULL);
    for (int i = 0; i < COUNT; i++) {
        char head[200];
        fds[i] = rig_connect(&rig);
        snprintf(head, sizeof head,
                 POST("/secret", "Authorization: " RIG_TOKEN "\r\nContent-Length: %d\r\n", ""),
                 LEN + 1);
        rig_send(&rig, fds[i], head);
        rig_try_send(&rig, fds[i], part, LEN);
        assert_true(rig.net->budget.used <= 2 * 1024 * 1024);
    }
    for (int i = 0; i < COUNT; i++) {
        struct buf out = { 0 };
        char byte;
        rig_turn(&rig);
        if (recv(fds[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0) {
            assert_true(rig_read_until(&rig, fds[i], &out, "server_not_ready"));
            refused++;
        }
        mgi_buf_fini(&out);
    }
    assert_in_range(refused, COUNT - 4, COUNT - 1);
    struct buf a = rig_ask(
        &rig, POST("/secret", "Authorization: " RIG_TOKEN "\r\nContent-Length: 5\r\n", "small"),
        "\r\n\r\nsmall"); /* there is always room for what is small */
    mgi_buf_fini(&a);
    for (int i = 0; i < COUNT; i++)
        close(fds[i]);
    free(part);
    rig_pass(&rig, 50);
    rig_end(&rig);
}

/* ---- compression ------------------------------------------------------------------------- */

static void test_a_large_answer_is_compressed_for_who_can_read_that(void **state)
{
    static const struct {
        const char *fields;
        size_t len;
        bool packed;
    } rows[] = {
        { "Accept-Encoding: gzip\r\n", 12 * 1024, true },  /* on the loop */
        { "Accept-Encoding: gzip\r\n", 400 * 1024, true }, /* by a worker */
        { "Accept-Encoding: br, *;q=0.1\r\n", 12 * 1024, true },
        { "Accept-Encoding: gzip\r\n", 2 * 1024, false },
        { "Accept-Encoding: gzip;q=0\r\n", 400 * 1024, false },
        { "Accept-Encoding: identity, gzip;q=0.5\r\n", 400 * 1024, false },
        { "", 400 * 1024, false },
        { "Accept-Encoding: gzip\r\nOrigin: http://localhost\r\n", 400 * 1024, false },
    };
    struct rig rig;
    char *text = malloc(400 * 1024);
    (void)state;
    assert_non_null(text);
    memset(text, 'x', 400 * 1024);
    rig_begin(&rig, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char request[256];
        rig.large = (struct str){ text, rows[i].len };
        snprintf(request, sizeof request, "GET /large HTTP/1.1\r\nHost: localhost\r\n%s\r\n",
                 rows[i].fields);
        struct buf a = rig_ask(&rig, request, "\r\n\r\n");
        if (rows[i].packed) {
            assert_has(&a, "Content-Encoding: gzip\r\n");
            assert_has(&a, "Vary: Accept-Encoding\r\n");
        } else {
            assert_has_not(&a, "Content-Encoding");
        }
        mgi_buf_fini(&a);
    }
    int fd = rig_connect(&rig); /* one that leaves while it is being done */
    rig.large = (struct str){ text, 400 * 1024 };
    rig_send(&rig, fd, "GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    close(fd);
    rig_pass(&rig, 50);
    free(text);
    rig_end(&rig);
}

/* A runner that begins nothing by itself. */
struct shelf {
    struct task *task;
    bool full;
    int handed, taken_back;
};

static bool shelve(void *self, struct task *t)
{
    struct shelf *shelf = self;
    if (shelf->full)
        return false;
    shelf->task = t;
    shelf->handed++;
    return true;
}

static bool take_off(void *self, struct task *t)
{
    struct shelf *shelf = self;
    bool waits = shelf->task == t;
    shelf->taken_back += waits;
    shelf->task = waits ? NULL : shelf->task;
    return waits;
}

#define GET_PACKED "GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"

static void test_compressing_for_who_has_left_is_not_begun(void **state)
{
    static char text[100 * 1024];
    struct shelf shelf = { 0 };
    const struct http_options options = { .tasks = { shelve, take_off, &shelf } };
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, &options);
    rig.large = (struct str){ text, sizeof text };
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET_PACKED);
    for (int i = 0; i < 1000 && shelf.handed == 0; i++)
        rig_turn(&rig);
    assert_int_equal(shelf.handed, 1);
    close(fd);
    rig_pass(&rig, 30);
    assert_int_equal(shelf.taken_back, 1);
    shelf.full = true; /* no room: it is sent as it is */
    struct buf out = rig_ask(&rig, GET_PACKED, "\r\n\r\n");
    assert_has(&out, "Content-Length: 102400\r\n");
    assert_has_not(&out, "Content-Encoding");
    mgi_buf_fini(&out);
    rig_end(&rig);
}

/* What a worker has begun is waited for at the end, whoever has left. */
static void test_the_listener_outlives_what_is_being_compressed(void **state)
{
    static char text[100 * 1024];
    struct shelf shelf = { 0 };
    const struct http_options options = { .tasks = { shelve, take_off, &shelf } };
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, &options);
    rig.large = (struct str){ text, sizeof text };
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET_PACKED);
    for (int i = 0; i < 1000 && shelf.handed == 0; i++)
        rig_turn(&rig);
    struct task *begun = shelf.task;
    assert_non_null(begun);
    shelf.task = NULL;
    begun->run(begun);
    close(fd);
    rig_pass(&rig, 30);
    mgi_http_close(rig.listener, 10, rig_is_closed, &rig.closed);
    rig_pass(&rig, 50);
    assert_false(rig.closed);
    begun->done(begun);
    rig_pass(&rig, 10);
    assert_true(rig.closed);
    rig.listener = NULL;
    rig_end(&rig);
}

/* ---- taking over ------------------------------------------------------------------------- */

#define UPGRADE                                                                                    \
    "GET /raw HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n"

static void test_a_route_may_take_the_stream(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, UPGRADE "first"); /* what is behind the head goes along */
    assert_true(rig_read_until(&rig, fd, &out, "\r\n\r\n"));
    assert_string_equal(
        out.ptr, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n");
    rig_send(&rig, fd, " and more");
    rig_pass(&rig, 20);
    assert_true(str_is(mgi_buf_view(&rig.raw), "first and more"));
    assert_int_equal(mgi_http_connections(rig.listener), 1);
    assert_true(mgi_stream_write(rig.taken, &STR_LIT("pong"), 1));
    assert_true(rig_read_until(&rig, fd, &out, "pong"));
    close(fd);
    rig_pass(&rig, 50);
    assert_int_equal(rig.raw_closes, 1);
    assert_int_equal(mgi_http_connections(rig.listener), 0);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_the_stream_may_be_taken_behind_other_requests(void **state)
{
    struct rig rig;
    struct buf out = { 0 }, burst = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    for (int i = 0; i < 100; i++) /* more than one turn: it is taken out of what was kept */
        mgi_buf_puts(&burst, GET("/hello"));
    mgi_buf_puts(&burst, UPGRADE "frame");
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, burst.ptr);
    assert_true(rig_read_until(&rig, fd, &out, "101 Switching"));
    assert_int_equal(count_of(&out, "\"hello\""), 100);
    assert_true(str_is(mgi_buf_view(&rig.raw), "frame"));
    close(fd);
    mgi_buf_fini(&out);
    mgi_buf_fini(&burst);
    rig_pass(&rig, 50);
    rig_end(&rig);
}

static void test_an_upgrade_that_nobody_wants_is_overlooked(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    struct buf a =
        rig_ask(&rig,
                "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                "Upgrade: h2c\r\n\r\n" GET("/hello"),
                "\"hello\"");
    mgi_buf_fini(&a);
    rig_end(&rig);
}

static void test_a_stream_that_was_taken_outlives_the_listeners_close(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, UPGRADE);
    assert_true(rig_read_until(&rig, fd, &out, "\r\n\r\n"));
    mgi_http_close(rig.listener, 10, rig_is_closed, &rig.closed);
    rig_pass(&rig, 60);
    assert_false(rig.closed); /* it waits for its owner */
    assert_true(mgi_stream_write(rig.taken, &STR_LIT("bye"), 1));
    mgi_stream_close(rig.taken);
    rig_pass(&rig, 60);
    assert_true(rig.closed);
    rig.listener = NULL;
    close(fd);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

/* ---- the end ----------------------------------------------------------------------------- */

static void test_while_draining_connections_stay_until_they_ask(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int idle = rig_connect(&rig);
    rig_send(&rig, idle, GET("/hello"));
    assert_true(rig_read_until(&rig, idle, &out, "\"hello\""));
    mgi_http_drain(rig.listener);
    assert_false(rig_ended(&rig, idle, 50));
    mgi_buf_clear(&out);
    rig_send(&rig, idle, GET("/hello"));
    assert_true(rig_read_until(&rig, idle, &out, "\"hello\""));
    assert_has(&out, "Connection: close\r\n");
    assert_true(rig_ended(&rig, idle, 2000));
    struct buf a = rig_ask(&rig, GET("/hello"), "\"hello\""); /* new ones are served, too */
    assert_has(&a, "Connection: close\r\n");
    mgi_buf_fini(&a);
    close(idle);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_closing_waits_for_answers_but_not_for_ever(void **state)
{
    struct rig rig;
    struct buf out = { 0 };
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int idle = rig_connect(&rig), busy = rig_connect(&rig);
    rig_send(&rig, busy, GET("/later"));
    rig_pass(&rig, 20);
    mgi_http_close(rig.listener, 300, rig_is_closed, &rig.closed);
    assert_true(rig_ended(&rig, idle, 200));
    assert_false(rig.closed);
    rig_say(rig.waiting, 200, STR_LIT("\"late\""));
    assert_true(rig_read_until(&rig, busy, &out, "\"late\""));
    assert_has(&out, "Connection: close\r\n");
    rig_pass(&rig, 30);
    assert_true(rig.closed);
    rig.listener = NULL;
    close(idle);
    close(busy);
    mgi_buf_fini(&out);
    rig_end(&rig);
}

static void test_closing_waits_for_an_answer_on_its_way_and_ends_behind_it(void **state)
{
    struct rig rig;
    char *large = calloc(1, 12 * 1024 * 1024);
    (void)state;
    assert_non_null(large);
    rig_begin(&rig, NULL, NULL);
    rig.large = (struct str){ large, 12 * 1024 * 1024 };
    int fd = rig_connect(&rig);
    rig_send(&rig, fd, GET("/large"));
    for (int i = 0; i < 1000 && rig.runs == 0; i++)
        rig_turn(&rig);
    assert_true(rig.net->budget.used > 0);
    int64_t begun = rig_now_ms();
    mgi_http_close(rig.listener, 60000, rig_is_closed, &rig.closed);
    assert_true(sip(&rig, fd) > rig.large.len);
    rig_pass(&rig, 30);
    assert_true(rig.closed);
    assert_true(rig_now_ms() - begun < 19000); /* sip() did not give up */
    rig.listener = NULL;
    close(fd);
    free(large);
    rig_end(&rig);
}

static void test_closing_ends_what_is_never_answered(void **state)
{
    struct rig rig;
    (void)state;
    rig_begin(&rig, NULL, NULL);
    int busy = rig_connect(&rig);
    rig_send(&rig, busy, GET("/later"));
    rig_pass(&rig, 20);
    mgi_http_close(rig.listener, 50, rig_is_closed, &rig.closed);
    rig_pass(&rig, 150);
    assert_true(rig.closed);
    assert_int_equal(rig.goners, 1);
    rig.listener = NULL;
    close(busy);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_has_date_and_length),
        cmocka_unit_test(test_what_one_request_was_does_not_shape_the_next_answer),
        cmocka_unit_test(test_an_old_client_that_wants_more_is_told_that_it_may),
        cmocka_unit_test(test_faults_of_the_head_have_their_status),
        cmocka_unit_test(test_a_head_that_is_too_large_is_431),
        cmocka_unit_test(test_the_target_may_be_a_whole_uri),
        cmocka_unit_test(test_a_path_with_nothing_to_protect_takes_any_host),
        cmocka_unit_test(test_hosts_and_origins_are_taken_from_lists),
        cmocka_unit_test(test_names_that_are_none_are_refused_at_once),
        cmocka_unit_test(test_options_tell_what_a_path_takes),
        cmocka_unit_test(test_a_body_reaches_its_route),
        cmocka_unit_test(test_a_credential_is_judged_before_the_body),
        cmocka_unit_test(test_a_path_that_is_not_there_gets_no_body_read),
        cmocka_unit_test(test_a_refusal_may_be_heard_with_a_small_body),
        cmocka_unit_test(test_a_body_is_bounded_however_it_comes),
        cmocka_unit_test(test_an_early_answer_survives_what_is_still_sent),
        cmocka_unit_test(test_a_burst_is_answered_in_order_without_quadratic_work),
        cmocka_unit_test(test_others_have_their_turn_during_a_burst),
        cmocka_unit_test(test_reading_stops_behind_a_request_that_takes_long),
        cmocka_unit_test(test_an_answer_may_come_later),
        cmocka_unit_test(test_a_client_that_leaves_is_told_to_who_works),
        cmocka_unit_test(test_work_may_end_without_an_answer),
        cmocka_unit_test(test_a_stalled_client_does_not_keep_its_bytes_from_others),
        cmocka_unit_test(test_a_client_that_only_ends_its_side_gets_what_is_ready),
        cmocka_unit_test(test_a_body_that_is_cut_short_ends_the_connection),
        cmocka_unit_test(test_a_slow_request_is_told_so),
        cmocka_unit_test(test_a_byte_now_and_then_does_not_help),
        cmocka_unit_test(test_an_idle_connection_is_closed),
        cmocka_unit_test(test_a_client_that_never_reads_is_dropped),
        cmocka_unit_test(test_an_answer_on_its_way_is_not_cut_because_it_is_the_last),
        cmocka_unit_test(test_an_answer_on_its_way_is_not_cut_because_nothing_is_asked),
        cmocka_unit_test(test_nobody_is_called_within_another_ones_answer),
        cmocka_unit_test(test_who_lingers_is_closed),
        cmocka_unit_test(test_the_one_idle_longest_gives_way),
        cmocka_unit_test(test_when_all_are_busy_a_new_one_is_told),
        cmocka_unit_test(test_a_strangers_body_gives_way_and_that_of_somebody_known_does_not),
        cmocka_unit_test(test_bodies_are_bounded_by_one_budget),
        cmocka_unit_test(test_a_large_answer_is_compressed_for_who_can_read_that),
        cmocka_unit_test(test_compressing_for_who_has_left_is_not_begun),
        cmocka_unit_test(test_the_listener_outlives_what_is_being_compressed),
        cmocka_unit_test(test_a_route_may_take_the_stream),
        cmocka_unit_test(test_the_stream_may_be_taken_behind_other_requests),
        cmocka_unit_test(test_an_upgrade_that_nobody_wants_is_overlooked),
        cmocka_unit_test(test_a_stream_that_was_taken_outlives_the_listeners_close),
        cmocka_unit_test(test_while_draining_connections_stay_until_they_ask),
        cmocka_unit_test(test_closing_waits_for_answers_but_not_for_ever),
        cmocka_unit_test(test_closing_waits_for_an_answer_on_its_way_and_ends_behind_it),
        cmocka_unit_test(test_closing_ends_what_is_never_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
