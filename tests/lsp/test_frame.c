/* Messages behind Content-Length come out whole, however the bytes are cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "lsp/frame.h"

static void note(struct buf *out, enum frame_event event, struct str message)
{
    if (event == FRAME_MESSAGE)
        mgi_buf_printf(out, "<%.*s>", STR_ARG(message));
    else
        mgi_buf_putc(out, event == FRAME_TOO_LONG ? 'L' : 'B');
}

/* `text` in pieces of `step` bytes. */
static void assert_frames(const char *text, const char *expected)
{
    for (size_t step = 1; step <= strlen(text); step++) {
        struct frame_reader f;
        struct buf got = { 0 };
        struct str left = str_of(text), message;
        mgi_frame_init(&f);
        while (left.len) {
            struct str piece = { left.ptr, left.len < step ? left.len : step };
            enum frame_event event;
            left = (struct str){ left.ptr + piece.len, left.len - piece.len };
            while ((event = mgi_frame_next(&f, &piece, &message)) != FRAME_NONE)
                note(&got, event, message);
        }
        assert_string_equal(got.ptr ? got.ptr : "", expected);
        mgi_buf_fini(&got);
        mgi_frame_fini(&f);
    }
}

static void test_frames_are_cut_by_their_length(void **state)
{
    (void)state;
    assert_frames("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\nabcrest", "<{}><abc>");
    assert_frames("Content-Length: 0\r\n\r\nContent-Length:1\n\nx", "<><x>");
    assert_frames("Content-Type: a\r\nCONTENT-LENGTH:\t4 \r\n\r\n\r\n\r\n", "<\r\n\r\n>");
    assert_frames("\r\n\r\nContent-Length: 1\r\n\r\nx\r\n", "<x>");
    assert_frames("Content-Length: 5\r\n\r\nabc", "");
}

static void test_bad_headers_are_told_and_passed_over(void **state)
{
    (void)state;
    assert_frames("X: 1\r\n\r\nContent-Length: 1\r\n\r\nx", "B<x>");
    assert_frames("Content-Length: 1x\r\n\r\nContent-Length: 1\r\n\r\nx", "B<x>");
    assert_frames("Content-Length: -1\r\n\r\n", "B");
    assert_frames("Content-Length:\r\n\r\n", "B");
    assert_frames("Content-Length: 9999999999999999999999\r\n\r\n", "B");
    assert_frames("noise\r\n\r\nnoise", "B");
}

static void test_messages_that_are_too_long_are_skipped(void **state)
{
    (void)state;
    struct frame_reader f;
    char zeros[4096] = { 0 };
    char head[64];
    size_t length = FRAME_MAX_BYTES + 1;
    int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", length);
    struct str bytes = { head, (size_t)n }, message;
    mgi_frame_init(&f);
    assert_int_equal(mgi_frame_next(&f, &bytes, &message), FRAME_TOO_LONG);
    while (length) {
        bytes = (struct str){ zeros, length < sizeof zeros ? length : sizeof zeros };
        length -= bytes.len;
        assert_int_equal(mgi_frame_next(&f, &bytes, &message), FRAME_NONE);
    }
    bytes = STR_LIT("Content-Length: 1\r\n\r\nx");
    assert_int_equal(mgi_frame_next(&f, &bytes, &message), FRAME_MESSAGE);
    mgi_frame_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_cut_by_their_length),
        cmocka_unit_test(test_bad_headers_are_told_and_passed_over),
        cmocka_unit_test(test_messages_that_are_too_long_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
