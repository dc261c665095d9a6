/* HTTP/1.1 requests out of bytes, however they are cut. Every text here goes through the codec
 * whole, byte by byte, and cut in two at every place; what comes out must be the same. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "net/http1.h"

/* What comes out, as one line: "GET /x host=h [body] ; POST /y … ! fault". */
static void describe_head(struct buf *out, const struct http1_request *r)
{
    mgi_buf_printf(out, "%.*s %.*s", STR_ARG(r->method), STR_ARG(r->path));
    if (r->host.ptr)
        mgi_buf_printf(out, " host=%.*s", STR_ARG(r->host));
    mgi_buf_puts(out, r->minor_zero ? " 1.0" : "");
    mgi_buf_puts(out, r->keep_alive ? "" : " close");
    mgi_buf_puts(out, r->upgrade ? " upgrade" : "");
    mgi_buf_puts(out, r->expect == EXPECT_CONTINUE ? " continue?" : "");
    mgi_buf_puts(out, r->expect == EXPECT_OTHER ? " expects" : "");
    mgi_buf_puts(out, r->chunked ? " chunked" : "");
}

static void describe_fields(struct buf *out, const struct http1_request *r)
{
    struct str rest = { NULL, 0 }, name, value;
    while (mgi_http1_field(r, &rest, &name, &value))
        if (name.ptr[0] == 'X')
            mgi_buf_printf(out, " %.*s=<%.*s>", STR_ARG(name), STR_ARG(value));
}

static bool take(struct http1 *h, struct str input, struct buf *out, struct buf *body)
{
    struct str piece;
    for (;;) {
        switch (mgi_http1_next(h, &input, &piece)) {
        case HTTP1_MORE:
            assert_int_equal(input.len, 0);
            return true;
        case HTTP1_HEAD:
            describe_head(out, &h->request);
            describe_fields(out, &h->request);
            assert_true(mgi_http1_keep(h));
            break;
        case HTTP1_BODY:
            assert_true(piece.len > 0);
            mgi_buf_str(body, piece);
            break;
        case HTTP1_END:
            assert_true(h->request.head.ptr[h->request.head.len - 1] == '\n'); /* still there */
            assert_true(h->request.path.len == 0 || h->request.path.ptr[0] != '\0');
            if (body->len > 0)
                mgi_buf_printf(out, " [%.*s]", STR_ARG(mgi_buf_view(body)));
            mgi_buf_puts(out, " ; ");
            mgi_buf_clear(body);
            break;
        case HTTP1_FAULT:
            mgi_buf_printf(out, "! %d", (int)h->fault);
            assert_non_null(h->why);
            assert_int_equal(mgi_http1_next(h, &input, &piece), HTTP1_FAULT);
            return false;
        }
    }
}

/* The pieces are copies, so that AddressSanitizer sees who looks at one too long. */
static char *run(struct str text, size_t first, size_t step)
{
    struct http1 h;
    struct buf out = { 0 }, body = { 0 };
    bool more = true;
    mgi_http1_init(&h);
    for (size_t at = 0; at < text.len && more;) {
        size_t len = at == 0 ? first : step;
        if (len > text.len - at)
            len = text.len - at;
        char *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, text.ptr + at, len);
        more = take(&h, (struct str){ copy, len }, &out, &body);
        free(copy);
        at += len;
    }
    if (more && mgi_http1_within(&h))
        mgi_buf_puts(&out, "...");
    mgi_http1_fini(&h);
    mgi_buf_fini(&body);
    mgi_buf_puts(&out, "");
    size_t len;
    char *text_out = mgi_buf_take(&out, &len);
    return text_out ? text_out : calloc(1, 1);
}

static void check_text(struct str text, const char *expected)
{
    char *whole = run(text, text.len, text.len);
    assert_string_equal(whole, expected);
    for (size_t cut = 1; cut < text.len; cut++) {
        char *got = run(text, cut, text.len);
        assert_string_equal(got, whole);
        free(got);
    }
    char *bytes = run(text, 1, 1);
    assert_string_equal(bytes, whole);
    free(bytes);
    free(whole);
}

static void check(const char *text, const char *expected)
{
    check_text(str_of(text), expected);
}

#define H         "Host: h\r\n"
#define MALFORMED "! 1"
#define TOO_LARGE "! 2"
#define VERSION   "! 3"

/* ---- what is taken ----------------------------------------------------------------------- */

static void test_requests_follow_each_other(void **state)
{
    (void)state;
    check("GET /a HTTP/1.1\r\n" H "\r\nGET /b?x=1 HTTP/1.1\r\n" H "\r\n",
          "GET /a host=h ; GET /b host=h ; ");
    check("\r\n\r\nGET /a HTTP/1.1\r\n" H "\r\n\r\nGET /b HTTP/1.1\r\n" H "\r\n",
          "GET /a host=h ; GET /b host=h ; ");
    check("GET /a HTTP/1.1\r\n" H, "...");
}

static void test_a_body_has_its_length(void **state)
{
    (void)state;
    check("POST /a HTTP/1.1\r\n" H "Content-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\n" H "\r\n",
          "POST /a host=h [hello] ; GET /b host=h ; ");
    check("POST /a HTTP/1.1\r\n" H "Content-Length: 0\r\n\r\nGET /b HTTP/1.1\r\n" H "\r\n",
          "POST /a host=h ; GET /b host=h ; ");
    check("POST /a HTTP/1.1\r\n" H "Content-Length: 5\r\n\r\nhell", "POST /a host=h...");
}

#define CHUNKED "POST /a HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n"

static void test_a_body_may_come_in_chunks(void **state)
{
    (void)state;
    check(CHUNKED "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\nGET /b HTTP/1.1\r\n" H "\r\n",
          "POST /a host=h chunked [hello!] ; GET /b host=h ; ");
    check(CHUNKED "0\r\n\r\n", "POST /a host=h chunked ; ");
    check(CHUNKED "005;a=b;c=\"d e\"\r\nhello\r\n00\r\n\r\n", "POST /a host=h chunked [hello] ; ");
    check(CHUNKED "5 ;a\r\nhello\r\n0\r\n\r\n", "POST /a host=h chunked [hello] ; ");
    check("POST /a HTTP/1.1\r\n" H "transfer-encoding:CHUNKED\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
          "POST /a host=h chunked [0123456789] ; ");
}

static void test_trailers_are_no_fields(void **state)
{
    (void)state;
    check(CHUNKED
          "1\r\nx\r\n0\r\nAuthorization: Bearer t\r\nHost: other\r\n\r\nGET /b HTTP/1.1\r\n" H
          "\r\n",
          "POST /a host=h chunked [x] ; GET /b host=h ; ");
}

static void test_a_value_belongs_to_its_own_field(void **state)
{
    (void)state; /* once an empty value took the name behind it */
    check("GET / HTTP/1.1\r\n" H "X-Empty:\r\nX-Full: v\r\n\r\n",
          "GET / host=h X-Empty=<> X-Full=<v> ; ");
    check("GET / HTTP/1.1\r\n" H "X-Authori:\r\nzation: Bearer t\r\nX: \t a\tb \r\n\r\n",
          "GET / host=h X-Authori=<> X=<a\tb> ; ");
}

static void test_the_target_may_name_the_host(void **state)
{
    (void)state;
    check("GET http://other:8080/p?q HTTP/1.1\r\n" H "\r\n", "GET /p host=other:8080 ; ");
    check("GET HTTPS://[::1] HTTP/1.1\r\n" H "\r\n", "GET / host=[::1] ; ");
    check("GET http://o?x HTTP/1.1\r\n" H "\r\n", "GET / host=o ; ");
    check("OPTIONS * HTTP/1.1\r\n" H "\r\n", "OPTIONS * host=h ; ");
    check("GET /a?u=http://x/ HTTP/1.1\r\n" H "\r\n", "GET /a host=h ; ");
}

static void test_a_connection_is_kept_as_the_version_says(void **state)
{
    (void)state;
    check("GET / HTTP/1.1\r\n" H "Connection: close\r\n\r\n", "GET / host=h close ; ");
    check("GET / HTTP/1.1\r\n" H "Connection: x, Close\r\n\r\n", "GET / host=h close ; ");
    check("GET / HTTP/1.0\r\n" H "\r\n", "GET / host=h 1.0 close ; ");
    check("GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close ; ");
    check("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / 1.0 ; ");
    check("GET / HTTP/1.7\r\n" H "\r\n", "GET / host=h ; ");
}

static void test_expectations_and_upgrades_are_told(void **state)
{
    (void)state;
    check("POST / HTTP/1.1\r\n" H "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
          "POST / host=h continue? [x] ; ");
    check("GET / HTTP/1.1\r\n" H "Expect: banana\r\n\r\n", "GET / host=h expects ; ");
    check("GET / HTTP/1.1\r\n" H "Expect: banana\r\nExpect: 100-continue\r\n\r\n",
          "GET / host=h expects ; ");
    check("GET / HTTP/1.1\r\n" H
          "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\nrest",
          "GET / host=h upgrade ; ...");
    check("GET / HTTP/1.1\r\n" H "Upgrade: websocket\r\n\r\n", "GET / host=h ; ");
    check("POST / HTTP/1.1\r\n" H
          "Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nxyGET / HTTP/1.1\r\n" H
          "\r\n",
          "POST / host=h upgrade [xy] ; GET / host=h ; ");
}

static void test_a_method_that_nobody_knows_ends_the_connection(void **state)
{
    (void)state;
    check("BREW /pot HTTP/1.1\r\n" H "\r\nGET / HTTP/1.1\r\n", "BREW /pot close! 1");
    check("get / HTTP/1.1\r\n" H "\r\n", "get / close! 1");
}

/* ---- what is not ------------------------------------------------------------------------- */

static void test_what_is_no_http_is_refused(void **state)
{
    (void)state;
    check("hello\r\n\r\n", MALFORMED);
    check("GET /\r\n\r\n", VERSION); /* HTTP/0.9 */
    check("GET  / HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET /  HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET / HTTP/1.1 \r\n" H "\r\n", MALFORMED);
    check("GET /a b HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET a HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET * HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET /a#b HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET /\xc3\xa4 HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET / HTTP/x.y\r\n" H "\r\n", MALFORMED);
    check_text(STR_LIT("\x16\x03\x01\x02\x00\x01"), MALFORMED); /* a TLS client */
    check_text((struct str){ "\0\0\0\0", 4 }, MALFORMED);
}

static void test_other_versions_are_refused_as_such(void **state)
{
    (void)state;
    check("GET / HTTP/0.9\r\n" H "\r\n", VERSION);
    check("GET / HTTP/2.0\r\n" H "\r\n", VERSION);
    check("GET / HTTP/9.9\r\n" H "\r\n", VERSION);
    check("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", VERSION);
}

static void test_lines_end_in_cr_lf_and_do_not_fold(void **state)
{
    (void)state;
    check("GET / HTTP/1.1\n" H "\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost: h\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n" H "X: a\r\n b\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n" H "X: a\r\n\tb: c\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n X: y\r\n" H "\r\n", MALFORMED);
    check_text(STR_LIT("GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n"), MALFORMED);
    check("GET / HTTP/1.1\r\n" H "X: a\x7f\r\n\r\n", MALFORMED);
}

static void test_names_are_tokens_that_touch_their_colon(void **state)
{
    (void)state;
    check("POST / HTTP/1.1\r\n" H "Content-Length : 5\r\n\r\nhello", MALFORMED);
    check("GET / HTTP/1.1\r\n" H "X Y: z\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n" H ": z\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n" H "no colon\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n" H "X(: z\r\n\r\n", MALFORMED);
}

static void test_there_is_one_host(void **state)
{
    (void)state;
    check("GET / HTTP/1.1\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\n" H H "\r\n", MALFORMED);
    check("GET / HTTP/1.0\r\n" H "Host: other\r\n\r\n", MALFORMED);
    check("GET http://a/ HTTP/1.1\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost: localhost:x@evil\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", MALFORMED);
    check("GET http://u@a/ HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET http:///p HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET ftp://a/p HTTP/1.1\r\n" H "\r\n", MALFORMED);
    check("GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / host= ; ");
}

static void test_a_body_is_framed_once(void **state)
{
    static const char *const framings[] = {
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length:\r\n",
        "Content-Length: 5 5\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding:\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof framings / sizeof *framings; i++) {
        char text[256];
        snprintf(text, sizeof text, "POST / HTTP/1.1\r\n" H "%s\r\n5\r\nhello\r\n0\r\n\r\n",
                 framings[i]);
        check(text, MALFORMED);
    }
    check("POST / HTTP/1.0\r\n" H "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", MALFORMED);
}

static void test_chunks_are_exact(void **state)
{
    static const char *const chunks[] = {
        "5\r\nhelloXX0\r\n\r\n", /* no CR LF behind the data */
        "5\nhello\r\n0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n",
        "5;a\nhello\r\n0\r\n\r\n",
        "5;a\x01\r\nhello\r\n0\r\n\r\n",
        "5 x\r\nhello\r\n0\r\n\r\n",
        "5 \r\nhello\r\n0\r\n\r\n",
        ";a\r\nhello\r\n0\r\n\r\n",
        "\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "ffffffffffffffff\r\nhello\r\n0\r\n\r\n",
        "0\r\n X: folded\r\n\r\n",
        "0\r\nX: y\n\r\n",
        "0\r\nX: y\x01\r\n\r\n",
        "0\r\n\rX",
    };
    (void)state;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        char *got = NULL, text[256];
        snprintf(text, sizeof text, CHUNKED "%s", chunks[i]);
        got = run(str_of(text), strlen(text), 1);
        assert_non_null(strstr(got, "! 1"));
        free(got);
        got = run(str_of(text), 1, 1);
        assert_non_null(strstr(got, "! 1"));
        free(got);
    }
}

/* ---- bounds ------------------------------------------------------------------------------ */

static struct http1 h;

static enum http1_event feed(const char *text, size_t len)
{
    struct str input = { text, len }, body;
    enum http1_event event;
    while ((event = mgi_http1_next(&h, &input, &body)) == HTTP1_BODY || event == HTTP1_HEAD)
        ;
    return event;
}

static void test_a_head_is_bounded(void **state)
{
    struct buf head = { 0 };
    (void)state;
    mgi_buf_puts(&head, "GET / HTTP/1.1\r\n" H "X: ");
    while (head.len < HTTP1_HEAD_MAX - 4)
        mgi_buf_putc(&head, 'x');
    mgi_buf_puts(&head, "\r\n\r\n");
    assert_int_equal(head.len, HTTP1_HEAD_MAX);
    mgi_http1_init(&h);
    assert_int_equal(feed(head.ptr, head.len), HTTP1_END);
    mgi_http1_fini(&h);
    head.ptr[head.len - 4] = 'x';
    head.ptr[head.len - 3] = '\r';
    head.ptr[head.len - 2] = '\n';
    head.ptr[head.len - 1] = '\r';
    for (size_t step = 1; step <= head.len; step += 8191) {
        enum http1_event event = HTTP1_MORE;
        mgi_http1_init(&h);
        for (size_t at = 0; at < head.len && event == HTTP1_MORE; at += step)
            event = feed(head.ptr + at, head.len - at < step ? head.len - at : step);
        assert_int_equal(event, HTTP1_FAULT);
        assert_int_equal(h.fault, HTTP1_HEAD_TOO_LARGE);
        mgi_http1_fini(&h);
    }
    mgi_buf_fini(&head);
}

static void test_fields_are_counted(void **state)
{
    struct buf head = { 0 };
    (void)state;
    mgi_buf_puts(&head, "GET / HTTP/1.1\r\n" H);
    for (int i = 1; i < HTTP1_FIELDS_MAX; i++)
        mgi_buf_puts(&head, "A: b\r\n");
    size_t good = head.len;
    mgi_buf_puts(&head, "\r\n");
    mgi_http1_init(&h);
    assert_int_equal(feed(head.ptr, head.len), HTTP1_END);
    mgi_http1_fini(&h);
    head.len = good;
    mgi_buf_puts(&head, "A: b\r\n\r\n");
    mgi_http1_init(&h);
    assert_int_equal(feed(head.ptr, head.len), HTTP1_FAULT);
    assert_int_equal(h.fault, HTTP1_HEAD_TOO_LARGE);
    mgi_http1_fini(&h);
    mgi_buf_fini(&head);
}

static void test_chunk_extensions_and_trailers_are_bounded(void **state)
{
    static const char *const endless[] = { "1;", "0\r\nX: ", "1\r\nx\r\n0\r\n" };
    char filler[1024];
    (void)state;
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        enum http1_event event = HTTP1_MORE;
        int turns = 0;
        memset(filler, 'x', sizeof filler);
        mgi_http1_init(&h);
        assert_int_equal(feed(CHUNKED, strlen(CHUNKED)), HTTP1_MORE);
        feed(endless[i], strlen(endless[i]));
        if (i == 2)
            for (size_t k = 0; k + 4 <= sizeof filler; k += 4)
                memcpy(filler + k, "a:\r\n", 4);
        while (event == HTTP1_MORE && turns++ < 100)
            event = feed(filler, sizeof filler);
        assert_int_equal(event, HTTP1_FAULT);
        assert_in_range(turns, 30, 35);
        mgi_http1_fini(&h);
    }
}

static void test_chunks_of_one_byte_are_fine(void **state)
{
    (void)state;
    mgi_http1_init(&h);
    assert_int_equal(feed(CHUNKED, strlen(CHUNKED)), HTTP1_MORE);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(feed("1\r\nx\r\n", 6), HTTP1_MORE);
    assert_int_equal(feed("0\r\n\r\n", 5), HTTP1_END);
    mgi_http1_fini(&h);
}

static void test_nothing_is_held_between_requests(void **state)
{
    (void)state;
    mgi_http1_init(&h);
    feed("GET / HTTP/1.1\r\nHo", 18);
    assert_true(mgi_http1_held(&h) > 0);
    assert_true(mgi_http1_within(&h));
    assert_int_equal(feed("st: h\r\n\r\n", 9), HTTP1_END);
    mgi_http1_forget(&h);
    assert_int_equal(mgi_http1_held(&h), 0);
    assert_false(mgi_http1_within(&h));
    mgi_http1_fini(&h);
}

/* ---- pieces ------------------------------------------------------------------------------ */

static void test_authorities_are_taken_apart(void **state)
{
    struct str name, port;
    (void)state;
    assert_true(mgi_http1_authority(STR_LIT("localhost:80"), &name, &port));
    assert_true(str_is(name, "localhost") && str_is(port, "80"));
    assert_true(mgi_http1_authority(STR_LIT("[::ffff:1.2.3.4]:8080"), &name, &port));
    assert_true(str_is(name, "[::ffff:1.2.3.4]") && str_is(port, "8080"));
    assert_true(mgi_http1_authority(STR_LIT("a_b.c-d"), &name, &port));
    assert_int_equal(port.len, 0);
    assert_true(mgi_http1_authority(STR_LIT("a:"), &name, &port));
    static const char *const wrong[] = { "",    ":80",  "a:b", "a:123456", "[]",  "[::1", "[::1]x",
                                         "[x]", "a%41", "a@b", "a:1@b",    "a b", "a/b",  "::1" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(mgi_http1_authority(str_of(wrong[i]), &name, &port));
}

static void test_fields_are_found_by_name(void **state)
{
    struct str input = STR_LIT("GET / HTTP/1.1\r\n" H "X-A: 1\r\nx-a: 2\r\nX-Empty:\r\n\r\n"), body;
    (void)state;
    mgi_http1_init(&h);
    assert_int_equal(mgi_http1_next(&h, &input, &body), HTTP1_HEAD);
    assert_true(str_is(mgi_http1_find(&h.request, "X-A"), "1"));
    assert_null(mgi_http1_find(&h.request, "X-B").ptr);
    assert_non_null(mgi_http1_find(&h.request, "x-empty").ptr);
    assert_int_equal(mgi_http1_find(&h.request, "x-empty").len, 0);
    mgi_http1_fini(&h);
}

static void test_heads_of_responses_are_written(void **state)
{
    struct buf out = { 0 };
    (void)state;
    mgi_http1_begin(&out, 404);
    mgi_http1_put(&out, "ETag", STR_LIT("\"x\""));
    mgi_http1_done(&out);
    assert_string_equal(out.ptr, "HTTP/1.1 404 Not Found\r\nETag: \"x\"\r\n\r\n");
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_follow_each_other),
        cmocka_unit_test(test_a_body_has_its_length),
        cmocka_unit_test(test_a_body_may_come_in_chunks),
        cmocka_unit_test(test_trailers_are_no_fields),
        cmocka_unit_test(test_a_value_belongs_to_its_own_field),
        cmocka_unit_test(test_the_target_may_name_the_host),
        cmocka_unit_test(test_a_connection_is_kept_as_the_version_says),
        cmocka_unit_test(test_expectations_and_upgrades_are_told),
        cmocka_unit_test(test_a_method_that_nobody_knows_ends_the_connection),
        cmocka_unit_test(test_what_is_no_http_is_refused),
        cmocka_unit_test(test_other_versions_are_refused_as_such),
        cmocka_unit_test(test_lines_end_in_cr_lf_and_do_not_fold),
        cmocka_unit_test(test_names_are_tokens_that_touch_their_colon),
        cmocka_unit_test(test_there_is_one_host),
        cmocka_unit_test(test_a_body_is_framed_once),
        cmocka_unit_test(test_chunks_are_exact),
        cmocka_unit_test(test_a_head_is_bounded),
        cmocka_unit_test(test_fields_are_counted),
        cmocka_unit_test(test_chunk_extensions_and_trailers_are_bounded),
        cmocka_unit_test(test_chunks_of_one_byte_are_fine),
        cmocka_unit_test(test_nothing_is_held_between_requests),
        cmocka_unit_test(test_authorities_are_taken_apart),
        cmocka_unit_test(test_fields_are_found_by_name),
        cmocka_unit_test(test_heads_of_responses_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
