/* Server-sent events: the same events whole, byte by byte and cut at every byte; bounded. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mcp/sse.h"

/* Every event on a line: type|data|last id, and [long] for one that was skipped. */
static void feed(struct sse *s, struct str input, struct buf *told)
{
    struct sse_event e;
    for (;;) {
        enum sse_result r = mgi_sse_next(s, &input, &e);
        if (r == SSE_MORE)
            return;
        if (r == SSE_TOO_LONG) {
            mgi_buf_puts(told, "[long]\n");
            continue;
        }
        assert_int_equal(r, SSE_EVENT);
        struct str id = mgi_sse_last_id(s);
        mgi_buf_printf(told, "%.*s|%.*s|%.*s\n", STR_ARG(e.type), STR_ARG(e.data), STR_ARG(id));
    }
}

static void tells(const char *stream, size_t max, const char *expected)
{
    struct str all = str_of(stream);
    for (size_t cut = 0; cut <= all.len + 1; cut++) {
        struct sse s;
        struct buf told = { 0 };
        mgi_sse_init(&s, max);
        if (cut <= all.len) {
            feed(&s, (struct str){ all.ptr, cut }, &told);
            feed(&s, (struct str){ all.ptr + cut, all.len - cut }, &told);
        }
        for (size_t i = 0; cut > all.len && i < all.len; i++)
            feed(&s, (struct str){ all.ptr + i, 1 }, &told);
        mgi_buf_puts(&told, "");
        if (strcmp(told.ptr ? told.ptr : "", expected) != 0)
            print_error("cut at %zu\n", cut);
        assert_string_equal(told.ptr ? told.ptr : "", expected);
        mgi_buf_fini(&told);
        mgi_sse_fini(&s);
    }
}

/* X-HTTP-9, X-HTTP-10 */
static void test_events_are_the_same_wherever_they_are_cut(void **state)
{
    (void)state;
    tells("data: a\n\n", 100, "|a|\n");
    tells("data: a\r\n\r\ndata:b\r\rdata:  c\n\r\n", 100, "|a|\n|b|\n| c|\n");
    tells("\xef\xbb\xbf"
          "data: a\n\n",
          100, "|a|\n");
    tells("\xef\xbb"
          "data: a\n\ndata: b\n\n",
          100, "|b|\n");
    tells(": hello\n\nevent: endpoint\ndata: /m?x=1\n\n", 100, "endpoint|/m?x=1|\n");
    tells("data: a\ndata: b\ndata\n\n", 100, "|a\nb\n|\n");
    tells("event: x\n\ndata: a\n\n", 100, "|a|\n");
    tells("other: 1\ndata: \xc3\xa9\n\n", 100, "|\xc3\xa9|\n");
    tells("data: cut off", 100, "");
    tells("data: cut off\n", 100, "");
    tells("\n\n\r\r\n\n", 100, "");
}

/* X-HTTP-11, X-HTTP-20: ids stay, one with nothing opens a stream */
static void test_the_last_id_stays(void **state)
{
    (void)state;
    tells("id: 1\ndata\n\ndata: a\n\nid\ndata: b\n\n", 100, "||1\n|a|1\n|b|\n");
    tells("id: 7\n\ndata: a\n\n", 100, "|a|7\n");
    tells("id: 7\ndata: a\n\nid: 8\ndata: b\n", 100, "|a|7\n");
    struct sse s;
    struct buf told = { 0 };
    mgi_sse_init(&s, 100);
    static const char nul[] = "id: a\ndata: x\n\nid: b\0c\ndata: y\n\n";
    feed(&s, (struct str){ nul, sizeof nul - 1 }, &told);
    assert_string_equal(told.ptr, "|x|a\n|y|a\n");
    mgi_sse_restart(&s);
    assert_true(str_is(mgi_sse_last_id(&s), "a"));
    mgi_buf_fini(&told);
    mgi_sse_fini(&s);
}

/* X-HTTP-11 */
static void test_retry_counts_only_if_all_are_digits(void **state)
{
    (void)state;
    struct sse s;
    struct buf told = { 0 };
    mgi_sse_init(&s, 100);
    assert_int_equal(s.retry_ms, -1);
    feed(&s, STR_LIT("retry: 500\n"), &told);
    assert_int_equal(s.retry_ms, 500);
    feed(&s, STR_LIT("retry: 5x\nretry: -1\nretry:\nretry: 99999999999999999999\n"), &told);
    assert_int_equal(s.retry_ms, 500);
    mgi_buf_fini(&told);
    mgi_sse_fini(&s);
}

/* X-HTTP-13 */
static void test_what_is_too_long_is_skipped_and_told_once(void **state)
{
    (void)state;
    tells("data: 0123456789\n\ndata: b\n\n", 12, "[long]\n|b|\n");
    tells("data: 012\ndata: 345\ndata: 6789\nid: 4\n\ndata: b\r\n\r\n", 15, "[long]\n|b|\n");
    tells(":0123456789012345678901234567890\n\ndata: b\n\n", 12, "[long]\n|b|\n");
    tells("data: 01234567890123456789", 12, "[long]\n");
}

/* What is written is read, and a message is one line. */
static void test_what_is_written_is_read(void **state)
{
    (void)state;
    struct buf out = { 0 };
    mgi_sse_write(&out, NULL, (struct str){ 0 }, STR_LIT("{\"a\":1}"));
    mgi_sse_comment(&out);
    mgi_sse_write(&out, "message", STR_LIT("9"), STR_LIT("{}"));
    assert_string_equal(out.ptr, "data: {\"a\":1}\n\n:\n\nevent: message\nid: 9\ndata: {}\n\n");
    tells(out.ptr, 100, "|{\"a\":1}|\nmessage|{}|9\n");
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_are_the_same_wherever_they_are_cut),
        cmocka_unit_test(test_the_last_id_stays),
        cmocka_unit_test(test_retry_counts_only_if_all_are_digits),
        cmocka_unit_test(test_what_is_too_long_is_skipped_and_told_once),
        cmocka_unit_test(test_what_is_written_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
