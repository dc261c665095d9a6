/* WebSocket frames: the classes of cases that the public conformance suite has (framing, pings,
 * reserved bits, opcodes, fragments, UTF-8, closing, limits), each fed whole, cut at every byte and
 * byte by byte, with the same outcome. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "net/ws_frames.h"

#define MAX_MESSAGE 1000

static const struct ws_codec_options as_server = { WS_SERVER, false, MAX_MESSAGE, 0 };
static const struct ws_codec_options as_client = { WS_CLIENT, false, MAX_MESSAGE, 0 };

/* What `ws` says of `bytes`, fed in pieces of `step`, the first of them `first` bytes long. */
static void say(const struct ws_codec_options *options, struct str bytes, size_t first, size_t step,
                struct buf *out)
{
    struct ws ws;
    mgi_ws_init(&ws, options);
    mgi_buf_clear(out);
    feed_pieces(&ws, (struct str){ bytes.ptr, first }, first ? first : 1, out);
    feed_pieces(&ws, (struct str){ bytes.ptr + first, bytes.len - first }, step, out);
    mgi_ws_fini(&ws);
}

static void assert_says(const struct ws_codec_options *options, const struct buf *bytes,
                        const char *expected)
{
    struct buf out = { 0 };
    struct str all = mgi_buf_view(bytes);
    assert_false(bytes->oom);
    mgi_buf_reserve(&out, 1);
    say(options, all, 0, all.len, &out);
    assert_string_equal(out.ptr, expected);
    say(options, all, 0, 1, &out);
    assert_string_equal(out.ptr, expected);
    for (size_t cut = 1; cut < all.len && all.len < 600; cut++) {
        say(options, all, cut, all.len, &out);
        assert_string_equal(out.ptr, expected);
    }
    mgi_buf_fini(&out);
}

struct frame {
    unsigned first; /* FIN, reserved bits, opcode */
    const char *payload;
    size_t len; /* 0: as long as the string; else the string's first byte, so often */
};

struct exchange {
    const char *name;
    struct frame frames[8]; /* up to one with `first` 0 and no payload */
    const char *says;
};

#define TEXT   0x81
#define BINARY 0x82
#define CLOSE  0x88
#define PING   0x89
#define PONG   0x8a
#define BEGIN  0x01 /* a text message whose end is to come */
#define MORE   0x00
#define LAST   0x80

static void put_exchange(struct buf *out, const struct exchange *x, bool masked)
{
    for (size_t i = 0; i < 8 && x->frames[i].payload; i++) {
        const struct frame *f = &x->frames[i];
        struct buf payload = { 0 };
        for (size_t k = 0; k < f->len; k++)
            mgi_buf_putc(&payload, f->payload[0]);
        put_frame(out, f->first, f->len ? mgi_buf_view(&payload) : str_of(f->payload), masked);
        mgi_buf_fini(&payload);
    }
}

static void assert_exchanges(const struct exchange *exchanges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (int masked = 0; masked < 2; masked++) {
            struct buf bytes = { 0 };
            put_exchange(&bytes, &exchanges[i], masked);
            print_message("# %s, as a %s reads it\n", exchanges[i].name,
                          masked ? "server" : "client");
            assert_says(masked ? &as_server : &as_client, &bytes, exchanges[i].says);
            mgi_buf_fini(&bytes);
        }
    }
}

#define ASSERT_EXCHANGES(table) assert_exchanges(table, sizeof(table) / sizeof *(table))

static void test_messages_of_every_length_form_arrive(void **state)
{
    (void)state;
    static const struct exchange table[] = {
        { "an empty text", { { TEXT, "", 0 } }, "text" },
        { "a text", { { TEXT, "hello", 0 } }, "text(hello)" },
        { "125 bytes", { { TEXT, "*", 125 } }, "text(125 bytes of *)" },
        { "126 bytes", { { TEXT, "*", 126 } }, "text(126 bytes of *)" },
        { "an empty binary", { { BINARY, "", 0 } }, "binary" },
        { "a binary that is no text", { { BINARY, "\xfe", 127 } }, "binary(127 bytes of \xfe)" },
        { "two messages", { { TEXT, "a", 0 }, { TEXT, "b", 0 } }, "text(a) text(b)" },
    };
    ASSERT_EXCHANGES(table); /* P-WS-3, P-WS-5 */
}

static void test_a_message_of_65536_bytes_and_one_of_16_mib_arrive(void **state)
{
    (void)state;
    static const size_t sizes[] = { 65535, 65536, 16777216 };
    for (size_t i = 0; i < 3; i++) {
        struct ws ws;
        struct ws_event event;
        struct ws_codec_options options = { WS_SERVER, false, 16777216, 0 };
        struct buf bytes = { 0 };
        char *payload = malloc(sizes[i]);
        assert_non_null(payload);
        memset(payload, 'x', sizes[i]);
        mgi_ws_init(&ws, &options);
        put_frame(&bytes, TEXT, (struct str){ payload, sizes[i] }, true);
        free(payload);
        struct str rest = mgi_buf_view(&bytes);
        while (rest.len > 0) { /* as a socket gives them */
            struct str piece = { rest.ptr, rest.len < 65536 ? rest.len : 65536 };
            rest = (struct str){ rest.ptr + piece.len, rest.len - piece.len };
            mgi_ws_next(&ws, &piece, &event);
        }
        assert_int_equal(event.kind, WS_TEXT); /* D-8: exactly the limit passes */
        assert_int_equal(event.bytes.len, sizes[i]);
        for (size_t k = 0; k < event.bytes.len; k++)
            if (event.bytes.ptr[k] != 'x')
                fail_msg("byte %zu is wrong", k);
        mgi_ws_fini(&ws);
        mgi_buf_fini(&bytes);
    }
}

static void test_pings_and_pongs_are_told_with_their_bytes(void **state)
{
    (void)state;
    static const struct exchange table[] = {
        { "a ping", { { PING, "", 0 } }, "ping" },
        { "a ping with four bytes", { { PING, "abcd", 0 } }, "ping(abcd)" }, /* P-WS-9 */
        { "a ping of 125 bytes", { { PING, "p", 125 } }, "ping(125 bytes of p)" },
        { "a ping of bytes that are no text", { { PING, "\xff\xfe", 0 } }, "ping(\xff\xfe)" },
        { "a ping of 126 bytes", { { PING, "p", 126 }, { TEXT, "a", 0 } }, "fault:1002" },
        { "pongs that nobody asked for",
          { { PONG, "", 0 }, { PONG, "x", 0 }, { PING, "y", 0 } },
          "pong pong(x) ping(y)" },
        { "a ping in the middle of a message",
          { { BEGIN, "he", 0 },
            { PING, "p", 0 },
            { MORE, "l", 0 },
            { PONG, "q", 0 },
            { LAST, "lo", 0 } },
          "ping(p) pong(q) text(hello)" },
    };
    ASSERT_EXCHANGES(table);
}

static void test_reserved_bits_and_opcodes_are_refused(void **state)
{
    (void)state;
    for (unsigned bits = 0x10; bits <= 0x70; bits += 0x10) {
        const struct exchange text = {
            "a reserved bit",
            { { TEXT, "a", 0 }, { TEXT | bits, "b", 0 }, { PING, "", 0 } },
            "text(a) fault:1002"
        };
        const struct exchange control = { "a reserved bit of a control frame",
                                          { { CLOSE | bits, "", 0 } },
                                          "fault:1002" };
        assert_exchanges(&text, 1);
        assert_exchanges(&control, 1);
    }
    static const unsigned reserved[] = { 3, 4, 5, 6, 7, 11, 12, 13, 14, 15 };
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) { /* bad input 42 */
        const struct exchange x = { "a reserved opcode",
                                    { { 0x80 | reserved[i], "", 0 }, { TEXT, "b", 0 } },
                                    "fault:1002" };
        assert_exchanges(&x, 1);
    }
}

static void test_the_mask_belongs_to_the_role(void **state)
{
    (void)state;
    struct buf bytes = { 0 };
    put_frame(&bytes, TEXT, STR_LIT("hello"), false);
    assert_says(&as_server, &bytes, "fault:1002"); /* bad input 42 */
    mgi_buf_clear(&bytes);
    put_frame(&bytes, TEXT, STR_LIT("hello"), true);
    assert_says(&as_client, &bytes, "fault:1002");
    mgi_buf_fini(&bytes);
}

static void test_fragments_are_put_together(void **state)
{
    (void)state;
    static const struct exchange table[] = {
        { "two fragments", { { BEGIN, "he", 0 }, { LAST, "llo", 0 } }, "text(hello)" },
        { "empty fragments", { { BEGIN, "", 0 }, { MORE, "", 0 }, { LAST, "", 0 } }, "text" },
        { "a binary in fragments",
          { { 0x02, "\xff", 0 }, { LAST, "\xfe", 0 } },
          "binary(\xff\xfe)" },
        { "a continuation of nothing", { { LAST, "x", 0 }, { TEXT, "y", 0 } }, "fault:1002" },
        { "a continuation of nothing, not the last", { { MORE, "x", 0 } }, "fault:1002" },
        { "a continuation after a message",
          { { BEGIN, "a", 0 }, { LAST, "b", 0 }, { LAST, "c", 0 } },
          "text(ab) fault:1002" },
        { "a message within a message",
          { { BEGIN, "a", 0 }, { TEXT, "b", 0 }, { LAST, "c", 0 } },
          "fault:1002" },
        { "a fragmented ping", { { 0x09, "a", 0 }, { LAST, "b", 0 } }, "fault:1002" },
        { "a fragmented close", { { 0x08, "", 0 } }, "fault:1002" },
    };
    ASSERT_EXCHANGES(table); /* D-59 */
}

static void test_text_is_judged_at_the_first_byte_that_cannot_be_utf_8(void **state)
{
    (void)state;
    static const struct exchange table[] = {
        { "characters of 2, 3 and 4 bytes",
          { { TEXT, "\xce\xba\xe1\xbd\xb9\xf0\x9f\x98\x80", 0 } },
          "text(\xce\xba\xe1\xbd\xb9\xf0\x9f\x98\x80)" },
        { "a character cut by fragments",
          { { BEGIN, "\xf0", 0 },
            { MORE, "\x9f", 0 },
            { MORE, "", 0 },
            { MORE, "\x98", 0 },
            { PING, "\xff", 0 },
            { LAST, "\x80", 0 } },
          "ping(\xff) text(\xf0\x9f\x98\x80)" },
        { "the last code point", { { TEXT, "\xf4\x8f\xbf\xbf", 0 } }, "text(\xf4\x8f\xbf\xbf)" },
        { "beyond the last code point", { { TEXT, "\xf4\x90\x80\x80", 0 } }, "fault:1007" },
        { "a surrogate", { { TEXT, "\xed\xa0\x80", 0 } }, "fault:1007" },
        { "an overlong slash", { { TEXT, "\"\xc0\xaf\"", 0 } }, "fault:1007" }, /* bad input 6 */
        { "an overlong form of 3 bytes", { { TEXT, "\xe0\x80\xaf", 0 } }, "fault:1007" },
        { "a byte alone", { { TEXT, "\x80", 0 } }, "fault:1007" },
        { "FE", { { TEXT, "a\xfe", 0 } }, "fault:1007" },
        { "UTF-16", { { TEXT, "\xff\xfe{", 0 } }, "fault:1007" }, /* bad input 9 */
        { "a character that the message cuts", { { TEXT, "a\xe1\xbd", 0 } }, "fault:1007" },
        { "a character that the last fragment cuts",
          { { BEGIN, "\xe1\xbd", 0 }, { LAST, "", 0 } },
          "fault:1007" },
        { "after a good message",
          { { TEXT, "good", 0 }, { TEXT, "\xff", 0 }, { TEXT, "never", 0 } },
          "text(good) fault:1007" }, /* bad input 5 */
    };
    ASSERT_EXCHANGES(table);
    struct buf half = { 0 }, out = { 0 };
    put_frame(&half, TEXT, STR_LIT("ab\xed\xa0zzzzzz"), true);
    say(&as_server, (struct str){ half.ptr, 6 + 4 }, 0, 1, &out);
    assert_string_equal(out.ptr, "fault:1007"); /* although most of the frame is to come */
    mgi_buf_fini(&half);
    mgi_buf_fini(&out);
}

static void put_close_code(struct buf *out, unsigned code, const char *reason)
{
    struct buf payload = { 0 };
    mgi_buf_putc(&payload, (char)(code >> 8));
    mgi_buf_putc(&payload, (char)(code & 0xff));
    mgi_buf_puts(&payload, reason);
    put_frame(out, CLOSE, mgi_buf_view(&payload), true);
    mgi_buf_fini(&payload);
}

static void test_closing_ends_it_with_the_code_and_the_reason(void **state)
{
    (void)state;
    static const struct exchange table[] = {
        { "no code", { { CLOSE, "", 0 } }, "close:1005" }, /* P-WS-6 */
        { "one byte", { { CLOSE, "\x03", 0 } }, "fault:1002" },
        { "a code", { { CLOSE, "\x03\xe8", 0 } }, "close:1000" },
        { "a reason",
          { { CLOSE,
              "\x03\xe9"
              "bye",
              0 } },
          "close:1001(bye)" },
        { "a reason that is not UTF-8", { { CLOSE, "\x03\xe8\xce", 0 } }, "fault:1007" },
        { "after a close nothing is heard",
          { { CLOSE, "\x03\xe8", 0 }, { TEXT, "a", 0 }, { PING, "", 0 }, { CLOSE, "\x03\xe8", 0 } },
          "close:1000" },
        { "in the middle of a message",
          { { BEGIN, "a", 0 }, { CLOSE, "\x03\xe8", 0 } },
          "close:1000" },
    };
    ASSERT_EXCHANGES(table);
    char reason[124] = { 0 };
    memset(reason, 'r', 123);
    struct buf bytes = { 0 };
    put_close_code(&bytes, 1000, reason);
    assert_says(&as_server, &bytes, "close:1000(123 bytes of r)");
    mgi_buf_fini(&bytes);
}

static void test_close_codes_are_those_that_may_be_sent(void **state)
{
    (void)state;
    struct buf bytes = { 0 }, out = { 0 };
    char expected[32];
    for (unsigned code = 0; code <= 0xffff; code++) {
        bool good = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                    (code >= 3000 && code <= 4999);
        mgi_buf_clear(&bytes);
        put_close_code(&bytes, code, "");
        say(&as_server, mgi_buf_view(&bytes), 0, 99, &out);
        snprintf(expected, sizeof expected, good ? "close:%u" : "fault:1002", code);
        assert_string_equal(out.ptr, expected);
    }
    mgi_buf_fini(&bytes);
    mgi_buf_fini(&out);
}

static void test_a_length_is_written_in_its_shortest_form(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } heads[] = {
        { "\x81\xfe\x00\x7d", 8 }, /* 125 in 16 bits */
        { "\x81\xff\x00\x00\x00\x00\x00\x00\xff\xff", 14 },
        { "\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00", 14 },
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct buf bytes = { 0 };
        mgi_buf_append(&bytes, heads[i].bytes, heads[i].len - 4);
        mgi_buf_append(&bytes, "mask", 4);
        assert_says(&as_server, &bytes, "fault:1002");
        mgi_buf_fini(&bytes);
    }
}

static void test_a_large_message_is_skipped_and_a_huge_one_ends_it(void **state)
{
    (void)state;
    static const struct exchange table[] = {
        { "exactly the limit", { { TEXT, "a", MAX_MESSAGE } }, "text(1000 bytes of a)" },
        { "one byte more",
          { { TEXT, "a", MAX_MESSAGE + 1 }, { TEXT, "b", 0 } },
          "too-large text(b)" }, /* D-8, bad input 17 */
        { "twice the limit",
          { { BINARY, "a", 2 * MAX_MESSAGE }, { TEXT, "b", 0 } },
          "too-large text(b)" },
        { "more than twice",
          { { TEXT, "a", 2 * MAX_MESSAGE + 1 }, { TEXT, "b", 0 } },
          "fault:1009" },
        { "fragments that grow too large",
          { { BEGIN, "a", 600 },
            { MORE, "b", 600 },
            { PING, "", 0 },
            { LAST, "c", 1 },
            { TEXT, "d", 0 } },
          "ping too-large text(d)" },
        { "fragments that grow much too large",
          { { BEGIN, "a", 900 }, { MORE, "b", 900 }, { MORE, "c", 201 }, { LAST, "d", 1 } },
          "fault:1009" },
        { "the next message begins at nothing",
          { { TEXT, "a", 1500 }, { TEXT, "b", 900 } },
          "too-large text(900 bytes of b)" },
    };
    ASSERT_EXCHANGES(table);
}

static void test_a_huge_frame_is_refused_when_its_head_is_complete(void **state)
{
    (void)state;
    static const char huge[] = "\x81\xff\x00\x00\x00\x00\x02\x00\x00\x01mask"; /* bad input 18 */
    static const char endless[] = "\x02\xff\x7f\xff\xff\xff\xff\xff\xff\xffmask";
    struct ws_codec_options options = { WS_SERVER, true, 16777216, 0 };
    struct buf bytes = { 0 };
    mgi_buf_append(&bytes, huge, sizeof huge - 1);
    assert_says(&options, &bytes, "fault:1009");
    mgi_buf_clear(&bytes);
    mgi_buf_append(&bytes, endless, sizeof endless - 1);
    assert_says(&options, &bytes, "fault:1009");
    mgi_buf_fini(&bytes);
}

static void test_what_is_announced_is_not_held(void **state)
{
    (void)state;
    struct ws ws;
    struct ws_event event;
    struct ws_codec_options options = { WS_SERVER, false, 16777216, 0 };
    struct str bytes = { "\x81\xff\x00\x00\x00\x00\x01\x00\x00\x00mask!", 15 };
    mgi_ws_init(&ws, &options);
    assert_false(mgi_ws_in_message(&ws));
    mgi_ws_next(&ws, &bytes, &event);
    assert_int_equal(event.kind, WS_NONE);
    assert_true(mgi_ws_in_message(&ws));
    assert_in_range(mgi_ws_held(&ws), 1, 8192);
    mgi_ws_fini(&ws);
}

static void test_nothing_is_held_between_messages(void **state)
{
    (void)state;
    struct ws ws;
    struct ws_event event;
    struct buf bytes = { 0 };
    mgi_ws_init(&ws, &as_server);
    put_frame(&bytes, TEXT, STR_LIT("hello"), true);
    struct str input = mgi_buf_view(&bytes);
    mgi_ws_next(&ws, &input, &event);
    assert_int_equal(event.kind, WS_TEXT);
    mgi_ws_next(&ws, &input, &event);
    assert_int_equal(event.kind, WS_NONE);
    assert_int_equal(mgi_ws_held(&ws), 0);
    assert_false(mgi_ws_in_message(&ws));
    mgi_ws_fini(&ws);
    mgi_buf_fini(&bytes);
}

static void test_a_low_limit_may_skip_what_a_higher_one_would_keep(void **state)
{
    (void)state;
    struct ws_codec_options options = { WS_SERVER, false, 10, MAX_MESSAGE };
    struct buf bytes = { 0 }, out = { 0 };
    struct ws ws;
    put_frame(&bytes, TEXT, STR_LIT("eleven more"), true);
    put_frame(&bytes, TEXT, STR_LIT("ten bytes."), true);
    assert_says(&options, &bytes, "too-large text(ten bytes.)"); /* D-55 */
    mgi_ws_init(&ws, &options);
    mgi_ws_set_max(&ws, 11);
    feed_pieces(&ws, mgi_buf_view(&bytes), 1, &out);
    assert_string_equal(out.ptr, "text(eleven more) text(ten bytes.)");
    mgi_ws_fini(&ws);
    mgi_buf_fini(&bytes);
    mgi_buf_fini(&out);
}

static void test_a_message_can_be_given_up_half_way(void **state)
{
    (void)state;
    struct buf bytes = { 0 }, out = { 0 };
    struct ws ws;
    put_frame(&bytes, BEGIN, STR_LIT("much"), true);
    size_t half = bytes.len;
    put_frame(&bytes, LAST, STR_LIT("more"), true);
    put_frame(&bytes, TEXT, STR_LIT("next"), true);
    mgi_ws_init(&ws, &as_server);
    mgi_ws_drop(&ws); /* nothing to give up */
    feed_pieces(&ws, (struct str){ bytes.ptr, half }, half, &out);
    assert_true(mgi_ws_held(&ws) > 0);
    mgi_ws_drop(&ws);
    assert_int_equal(mgi_ws_held(&ws), 0);
    feed_pieces(&ws, (struct str){ bytes.ptr + half, bytes.len - half }, 3, &out);
    assert_string_equal(out.ptr, "nomem text(next)");
    mgi_ws_fini(&ws);
    mgi_buf_fini(&bytes);
    mgi_buf_fini(&out);
}

static void test_binary_messages_can_be_skipped(void **state)
{
    (void)state;
    struct ws_codec_options options = { WS_SERVER, true, MAX_MESSAGE, 0 };
    struct buf bytes = { 0 };
    put_frame(&bytes, BINARY, STR_LIT("{}"), true);
    put_frame(&bytes, 0x02, STR_LIT("\xff"), true);
    put_frame(&bytes, LAST, STR_LIT("\xff"), true);
    put_frame(&bytes, TEXT, STR_LIT("{}"), true);
    assert_says(&options, &bytes, "binary binary text({})"); /* bad input 41 */
    mgi_buf_fini(&bytes);
}

static void test_what_is_sent_is_read_by_the_other_role(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 7, 8, 9, 125, 126, 127, 999, 1000 };
    static const uint8_t mask[4] = { 0, 0xff, 0x80, 1 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char payload[MAX_MESSAGE], expected[64];
        struct buf bytes = { 0 };
        memset(payload, 'm', sizeof payload);
        if (sizes[i] > 40)
            snprintf(expected, sizeof expected, "text(%zu bytes of m) close:1001(bye)", sizes[i]);
        else
            snprintf(expected, sizeof expected, "text%s%.*s%s close:1001(bye)", sizes[i] ? "(" : "",
                     (int)sizes[i], payload, sizes[i] ? ")" : "");
        for (int masked = 0; masked < 2; masked++) {
            mgi_buf_clear(&bytes);
            mgi_ws_put(&bytes, WS_OP_TEXT, (struct str){ payload, sizes[i] }, masked ? mask : NULL);
            mgi_ws_put_close(&bytes, WS_GOING_AWAY, "bye", masked ? mask : NULL);
            assert_says(masked ? &as_server : &as_client, &bytes, expected); /* P-WS-4 */
        }
        mgi_buf_fini(&bytes);
    }
}

static void test_a_long_reason_is_cut_between_characters(void **state)
{
    (void)state;
    struct buf reason = { 0 }, bytes = { 0 }, out = { 0 };
    mgi_buf_putc(&reason, 'a');
    for (int i = 0; i < 100; i++)
        mgi_buf_puts(&reason, "\xc3\xa4");
    mgi_ws_put_close(&bytes, WS_POLICY, reason.ptr, NULL);
    assert_int_equal(bytes.len, 2 + 125); /* a, 61 characters of two bytes, the code */
    say(&as_client, mgi_buf_view(&bytes), 0, 999, &out);
    assert_string_equal(out.ptr, "close:1008(123 bytes of a)");
    mgi_buf_clear(&bytes);
    mgi_ws_put_close(&bytes, WS_NO_CODE, NULL, NULL);
    say(&as_client, mgi_buf_view(&bytes), 0, 999, &out);
    assert_string_equal(out.ptr, "close:1005");
    mgi_buf_fini(&reason);
    mgi_buf_fini(&bytes);
    mgi_buf_fini(&out);
}

static void test_no_input_is_no_event(void **state)
{
    (void)state;
    struct ws ws;
    struct ws_event event;
    struct str nothing = { NULL, 0 };
    mgi_ws_init(&ws, &as_server);
    mgi_ws_next(&ws, &nothing, &event);
    assert_int_equal(event.kind, WS_NONE);
    struct str head = { "\x81\x81mask", 6 };
    mgi_ws_next(&ws, &head, &event);
    mgi_ws_next(&ws, &nothing, &event);
    assert_int_equal(event.kind, WS_NONE);
    assert_true(mgi_ws_in_message(&ws));
    mgi_ws_fini(&ws);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_of_every_length_form_arrive),
        cmocka_unit_test(test_a_message_of_65536_bytes_and_one_of_16_mib_arrive),
        cmocka_unit_test(test_pings_and_pongs_are_told_with_their_bytes),
        cmocka_unit_test(test_reserved_bits_and_opcodes_are_refused),
        cmocka_unit_test(test_the_mask_belongs_to_the_role),
        cmocka_unit_test(test_fragments_are_put_together),
        cmocka_unit_test(test_text_is_judged_at_the_first_byte_that_cannot_be_utf_8),
        cmocka_unit_test(test_closing_ends_it_with_the_code_and_the_reason),
        cmocka_unit_test(test_close_codes_are_those_that_may_be_sent),
        cmocka_unit_test(test_a_length_is_written_in_its_shortest_form),
        cmocka_unit_test(test_a_large_message_is_skipped_and_a_huge_one_ends_it),
        cmocka_unit_test(test_a_huge_frame_is_refused_when_its_head_is_complete),
        cmocka_unit_test(test_what_is_announced_is_not_held),
        cmocka_unit_test(test_nothing_is_held_between_messages),
        cmocka_unit_test(test_a_low_limit_may_skip_what_a_higher_one_would_keep),
        cmocka_unit_test(test_a_message_can_be_given_up_half_way),
        cmocka_unit_test(test_binary_messages_can_be_skipped),
        cmocka_unit_test(test_what_is_sent_is_read_by_the_other_role),
        cmocka_unit_test(test_a_long_reason_is_cut_between_characters),
        cmocka_unit_test(test_no_input_is_no_event),
    };
    return cmocka_run_group_tests_name("net/test_ws", tests, NULL, NULL);
}
