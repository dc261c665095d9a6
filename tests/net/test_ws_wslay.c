/* Our reading of frames against libwslay's, a reader that shares no code with ours: thousands of
 * random conversations, good and broken, cut at random. Both must see the same messages and find
 * the same fault. Left out is where the two are meant to differ: the limit (we skip a message,
 * wslay closes) and the close codes 1012 to 1014 (registered after wslay was written). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <wslay/wslay.h>

#include "net/ws_frames.h"

#define CONVERSATIONS 20000

/* ---- random conversations ---------------------------------------------------------------- */

static uint32_t random_below(uint64_t *seed, uint32_t limit)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % limit;
}

static void put_random_text(uint64_t *seed, struct buf *out)
{
    static const char *const pieces[] = {
        "a",    "{}",           "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
        "\xff", "\xed\xa0\x80", "\xe2\x82", "\xc0\xaf"
    };
    uint32_t count = random_below(seed, 6);
    uint32_t kinds = random_below(seed, 8) ? 5 : sizeof pieces / sizeof *pieces; /* mostly good */
    for (uint32_t i = 0; i < count; i++)
        mgi_buf_puts(out, pieces[random_below(seed, kinds)]);
    if (random_below(seed, 20) == 0)
        for (uint32_t i = random_below(seed, 300); i > 0; i--)
            mgi_buf_putc(out, 'l');
}

static void put_random_frame(uint64_t *seed, bool *in_message, struct buf *out)
{
    struct buf payload = { 0 };
    put_random_text(seed, &payload);
    unsigned first;
    uint32_t kind = random_below(seed, 12);
    if (kind < 2 && payload.len <= 125) {
        first = kind ? 0x89 : 0x8a;
    } else if (kind == 2 && random_below(seed, 4) == 0) {
        static const unsigned codes[] = { 1000, 1001, 1004, 1005, 999, 3000, 5000, 1011, 0, 1015 };
        unsigned code = codes[random_below(seed, 10)];
        struct buf text = { 0 };
        mgi_buf_putc(&text, (char)(code >> 8));
        mgi_buf_putc(&text, (char)(code & 0xff));
        if (code == 1000 || code == 1001 || code == 3000 || code == 1011) /* one fault at most */
            mgi_buf_str(&text, mgi_buf_view(&payload));
        mgi_buf_fini(&payload);
        payload = text;
        first = 0x88;
    } else {
        bool last = random_below(seed, 3) > 0;
        first = (last ? 0x80u : 0u) | (*in_message ? 0u : 1 + random_below(seed, 2));
        *in_message = !last;
    }
    if (random_below(seed, 60) == 0)
        first = random_below(seed, 256) | 1; /* no close: its text would be two faults */
    put_frame(out, first, mgi_buf_view(&payload), random_below(seed, 80) > 0);
    mgi_buf_fini(&payload);
}

/* ---- the other reader -------------------------------------------------------------------- */

struct judge {
    struct str input;
    struct buf *out;
};

static ssize_t judge_reads(wslay_event_context_ptr context, uint8_t *into, size_t len, int flags,
                           void *user)
{
    (void)flags;
    struct judge *j = user;
    size_t n = j->input.len < len ? j->input.len : len;
    if (n == 0) {
        wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    memcpy(into, j->input.ptr, n);
    j->input.ptr += n;
    j->input.len -= n;
    return (ssize_t)n;
}

static ssize_t judge_sends(wslay_event_context_ptr context, const uint8_t *bytes, size_t len,
                           int flags, void *user)
{
    (void)context, (void)bytes, (void)flags, (void)user;
    return (ssize_t)len;
}

static void judge_hears(wslay_event_context_ptr context,
                        const struct wslay_event_on_msg_recv_arg *arg, void *user)
{
    (void)context;
    struct judge *j = user;
    struct ws_event event = { .bytes = { (const char *)arg->msg, arg->msg_length } };
    switch (arg->opcode) {
    case WSLAY_TEXT_FRAME:
        event.kind = WS_TEXT;
        break;
    case WSLAY_BINARY_FRAME:
        event.kind = WS_BINARY;
        break;
    case WSLAY_PING:
        event.kind = WS_PING;
        break;
    case WSLAY_PONG:
        event.kind = WS_PONG;
        break;
    default:
        event.kind = WS_CLOSE;
        event.code = arg->status_code ? arg->status_code : WS_NO_CODE;
        if (arg->msg_length >= 2)
            event.bytes = (struct str){ (const char *)arg->msg + 2, arg->msg_length - 2 };
    }
    describe_event(&event, j->out);
}

static void judge_says(struct str bytes, struct buf *out)
{
    static const struct wslay_event_callbacks callbacks = {
        .recv_callback = judge_reads,
        .send_callback = judge_sends,
        .on_msg_recv_callback = judge_hears,
    };
    struct judge j = { bytes, out };
    wslay_event_context_ptr context;
    assert_int_equal(wslay_event_context_server_init(&context, &callbacks, &j), 0);
    while (j.input.len > 0 && wslay_event_want_read(context))
        if (wslay_event_recv(context) != 0)
            break;
    while (wslay_event_want_write(context))
        if (wslay_event_send(context) != 0)
            break;
    uint16_t code = wslay_event_get_status_code_sent(context);
    if (!wslay_event_get_close_received(context) && code != WSLAY_CODE_ABNORMAL_CLOSURE) {
        struct ws_event fault = { .kind = WS_FAULT, .code = code };
        if (code == WSLAY_CODE_NO_STATUS_RCVD)
            fault.code = WS_PROTOCOL_ERROR;
        describe_event(&fault, out);
    }
    wslay_event_context_free(context);
}

/* ---- both -------------------------------------------------------------------------------- */

static void test_both_readers_say_the_same_of_random_conversations(void **state)
{
    (void)state;
    static const struct ws_codec_options options = { WS_SERVER, false, 1 << 20, 0 };
    unsigned faults = 0, closes = 0, messages = 0;
    for (uint64_t n = 1; n <= CONVERSATIONS; n++) {
        uint64_t seed = n;
        bool in_message = false;
        struct buf bytes = { 0 }, ours = { 0 }, theirs = { 0 };
        for (uint32_t i = 1 + random_below(&seed, 6); i > 0; i--)
            put_random_frame(&seed, &in_message, &bytes);
        struct ws ws;
        mgi_buf_reserve(&ours, 1);
        mgi_buf_reserve(&theirs, 1);
        mgi_ws_init(&ws, &options);
        feed_pieces(&ws, mgi_buf_view(&bytes), 1 + random_below(&seed, 40), &ours);
        mgi_ws_fini(&ws);
        judge_says(mgi_buf_view(&bytes), &theirs);
        if (!str_eq(mgi_buf_view(&ours), mgi_buf_view(&theirs)))
            fail_msg("conversation %u: we say \"%s\", wslay says \"%s\"", (unsigned)n, ours.ptr,
                     theirs.ptr);
        faults += strstr(ours.ptr, "fault") != NULL;
        closes += strstr(ours.ptr, "close") != NULL;
        messages += strstr(ours.ptr, "text") != NULL;
        mgi_buf_fini(&bytes);
        mgi_buf_fini(&ours);
        mgi_buf_fini(&theirs);
    }
    print_message("# %u with a fault, %u with a close, %u with a text\n", faults, closes, messages);
    assert_true(faults > CONVERSATIONS / 20 && closes > CONVERSATIONS / 100 &&
                messages > CONVERSATIONS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_readers_say_the_same_of_random_conversations),
    };
    return cmocka_run_group_tests_name("net/test_ws_wslay", tests, NULL, NULL);
}
