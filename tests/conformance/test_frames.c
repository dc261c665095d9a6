/* Frames of a server under test: what is allowed is counted, what is not ends the reading. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "conformance/frames_told.h"

#define GREETING "\x81\x02hi"

static void expect(struct str input, const char *told)
{
    for (size_t step = 1; step <= input.len; step++) { /* cut at every byte */
        struct frames f = { 0 };
        struct buf out = { 0 };
        tell_frames(&f, input, step, &out);
        assert_string_equal(out.ptr ? out.ptr : "", told);
        mgi_frames_fini(&f);
        mgi_buf_fini(&out);
    }
}

static void test_messages_and_control_frames_come_in_order(void **state)
{
    (void)state;
    expect(STR_LIT(GREETING "\x89\x01p\x81\x7e\x00\x03"
                            "abc\x8a\x01q\x88\x02\x03\xe8"),
           "message hi\nping p\nmessage abc\npong q\nclose 1000\n");
    expect(STR_LIT("\x01\x01"
                   "a\x89\x00\x80\x01"
                   "b" GREETING),
           "ping \nmessage ab\nmessage hi\n");
    expect(STR_LIT("\x88\x00"), "close 1005\n");
    expect(STR_LIT("\x81\x05"
                   "cut"),
           "");
}

static void test_what_is_odd_is_counted(void **state)
{
    (void)state;
    struct frames f = { 0 };
    struct buf out = { 0 };
    tell_frames(&f,
                STR_LIT("\x01\x01"
                        "a\x80\x00\x82\x00\x89\x00\x8a\x00\x8a\x00"),
                100, &out);
    assert_int_equal(f.pieces, 2);
    assert_int_equal(f.binaries, 1);
    assert_int_equal(f.pings, 1);
    assert_int_equal(f.pongs, 2);
    mgi_frames_fini(&f);
    mgi_buf_fini(&out);
}

static void test_what_breaks_the_protocol_ends_the_reading(void **state)
{
    (void)state;
    expect(STR_LIT(GREETING "\x81\x80\x01\x02\x03\x04"),
           "message hi\nbroken: a server's frame is masked\n");
    expect(STR_LIT("\xc1\x00"), "broken: a reserved bit is set that nobody agreed on\n");
    expect(STR_LIT("\x83\x00"), "broken: an opcode that there is not\n");
    expect(STR_LIT("\x8b\x00"), "broken: an opcode that there is not\n");
    expect(STR_LIT("\x09\x00"), "broken: a control frame in pieces, or of more than 125 bytes\n");
    expect(STR_LIT("\x89\x7e\x00\x7e"),
           "broken: a control frame in pieces, or of more than 125 bytes\n");
    expect(STR_LIT("\x80\x00"), "broken: a piece of no message\n");
    expect(STR_LIT("\x01\x00\x81\x00"), "broken: a message begins within another\n");
}

/* The head alone is enough: nothing of it is waited for or kept. */
static void test_a_message_beyond_the_limit_is_not_read(void **state)
{
    (void)state;
    expect(STR_LIT("\x81\x7f\x00\x00\x00\x00\x01\x00\x00\x01"),
           "broken: a message of more than 16 MiB\n");
    expect(STR_LIT("\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff"),
           "broken: a message of more than 16 MiB\n");
    expect(STR_LIT("\x01\x01"
                   "a\x80\x7f\x00\x00\x00\x00\x01\x00\x00\x00"),
           "broken: a message of more than 16 MiB\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_and_control_frames_come_in_order),
        cmocka_unit_test(test_what_is_odd_is_counted),
        cmocka_unit_test(test_what_breaks_the_protocol_ends_the_reading),
        cmocka_unit_test(test_a_message_beyond_the_limit_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
