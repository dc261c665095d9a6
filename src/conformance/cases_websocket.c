/* What a WebSocket adds: frames, and how a connection ends. */
#include "conformance/conformance_int.h"
#include "net/ws.h"

#include <stdio.h>

#define CLOSE_MS 5000

/* A wire of the case's own, past the login. */
static struct wire *own_wire(struct probe *p)
{
    return mgi_probe_fresh(p, p->options->token);
}

static void expect_end(struct probe *p, struct wire *w, uint16_t code)
{
    enum heard end = HEARD_MESSAGE;
    for (int i = 0; w && end == HEARD_MESSAGE && i < 20; i++)
        (void)mgi_probe_hear(p, w, CLOSE_MS, &end);
    mgi_probe_expect(p, w && w->frames.close_code == code, "closed with %u, not %u",
                     w ? (unsigned)w->frames.close_code : 0, (unsigned)code);
}

static void play_manifest_first(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, NULL); /* judges the first message */
    mgi_wire_close(w);
}

static void put(struct probe *p, struct wire *w, struct str payload, struct frame_shape shape)
{
    struct buf frame = { 0 };
    mgi_wire_put_frame(&frame, payload, &shape);
    bool good =
        w && !frame.oom && mgi_wire_send_raw(w, mgi_buf_view(&frame), p->options->timeout_ms);
    mgi_probe_expect(p, good, "the server does not take a frame");
    mgi_buf_fini(&frame);
}

static void play_ping(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    unsigned before = w ? w->frames.pongs : 0;
    put(p, w, STR_LIT("\1\2\3\4"), (struct frame_shape){ .opcode = WS_OP_PING });
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
    mgi_probe_expect(
        p, w && w->frames.pongs == before + 1 && str_is(mgi_buf_view(&w->pong), "\1\2\3\4"),
        "no pong with the same bytes");
}

static void play_close(struct probe *p)
{
    struct wire *w = own_wire(p);
    put(p, w, STR_LIT("\x03\xe8"), (struct frame_shape){ .opcode = WS_OP_CLOSE });
    expect_end(p, w, WS_NORMAL);
    mgi_wire_close(w);
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_whole_frames(struct probe *p)
{
    struct wire *w = mgi_probe_wire(p);
    for (int i = 0; i < 50 && w; i++)
        (void)mgi_probe_say(p, w, GOOD);
    for (int i = 0; i < 50 && w && !p->failed; i++)
        mgi_probe_is(p, mgi_probe_answer(p, w), "intent_response");
    mgi_probe_expect(p, w && w->frames.pieces == 0 && w->frames.binaries == 0,
                     "a message came in several frames, or as no text");
}

static void play_large_frame(struct probe *p)
{
    const size_t size = 1100000;
    char *facts = mgi_arena_alloc(&p->memory, size + 100);
    if (!facts)
        return;
    int head = snprintf(facts, 80, "{'pred':'fx_basic','args':['tag',1,true,'");
    memset(facts + head, 'x', size);
    snprintf(facts + head + size, 20, "']}");
    const struct json *tool = mgi_probe_tool(p, "fx.reflect", facts, "fx_reflect");
    const struct json *answer = mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}", "");
    mgi_probe_expect(p, mgi_text_at(answer, "/payload/result/x").len == size, "not all came back");
    mgi_probe_expect(p, p->wire && p->wire->frames.pieces == 0, "it came in several frames");
}

static void play_pieces(struct probe *p)
{
    size_t len;
    struct wire *w = mgi_probe_wire(p);
    const char *text = mgi_probe_expand(p, GOOD, &len);
    put(p, w, (struct str){ text, 20 },
        (struct frame_shape){ .opcode = WS_OP_TEXT, .unfinished = true });
    put(p, w, (struct str){ text + 20, len - 20 }, (struct frame_shape){ .opcode = 0 });
    mgi_probe_is(p, mgi_probe_answer(p, w), "intent_response");
}

static void play_binary(struct probe *p)
{
    size_t len;
    struct wire *w = mgi_probe_wire(p);
    const char *text = mgi_probe_expand(p, GOOD, &len);
    put(p, w, (struct str){ text, len }, (struct frame_shape){ .opcode = WS_OP_BINARY });
    const struct json *answer = mgi_probe_answer(p, w);
    mgi_probe_refused(p, answer, "malformed_message");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "framing"), "reason");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_bad_text(struct probe *p)
{
    struct wire *w = own_wire(p);
    put(p, w, STR_LIT("{\"x\":\"\xff\"}"), (struct frame_shape){ .opcode = WS_OP_TEXT });
    mgi_probe_refused(p, mgi_probe_answer(p, w), "malformed_message");
    expect_end(p, w, WS_BAD_TEXT);
    mgi_wire_close(w);
}

static void breaks(struct probe *p, struct frame_shape shape)
{
    size_t len;
    struct wire *w = own_wire(p);
    const char *text = mgi_probe_expand(p, GOOD, &len);
    put(p, w, (struct str){ text, shape.opcode >= 8 ? 0 : len }, shape);
    expect_end(p, w, WS_PROTOCOL_ERROR);
    mgi_wire_close(w);
}

static void play_broken_frames(struct probe *p)
{
    breaks(p, (struct frame_shape){ .opcode = WS_OP_TEXT, .unmasked = true });
    breaks(p, (struct frame_shape){ .opcode = 3 });
    breaks(p, (struct frame_shape){ .opcode = 11 });
    breaks(p, (struct frame_shape){ .opcode = WS_OP_TEXT, .reserved = 4 });
}

static void play_announced(struct probe *p)
{
    int64_t max = mgi_int_at(&p->manifest, "/limits/max_message_bytes");
    struct wire *w = own_wire(p);
    put(p, w, STR_LIT("{"),
        (struct frame_shape){ .opcode = WS_OP_TEXT, .announced = 2 * (uint64_t)max + 1 });
    mgi_probe_refused(p, mgi_probe_answer(p, w), "message_too_large");
    expect_end(p, w, WS_TOO_BIG);
    mgi_wire_close(w);
}

static void play_thrice_wrong(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, NULL);
    for (int i = 0; i < 3 && w; i++)
        if (mgi_probe_say(p, w, REQUEST("authenticate", "{'scheme':'bearer','token':'wrong'}")))
            mgi_probe_refused(p, mgi_probe_answer(p, w), "auth_invalid");
    expect_end(p, w, WS_POLICY);
    mgi_wire_close(w);
}

const struct test_case mgi_cases_websocket[] = {
    { "P-WS-1 P-MAN-3", "the manifest comes first", OVER_WS, 0, play_manifest_first },
    { "P-WS-11", "sessions can be had", OVER_WS, 0, play_manifest_first },
    { "P-WS-9", "a ping is answered with its bytes", OVER_WS, 0, play_ping },
    { "P-WS-6", "a close is answered, and the others are served", OVER_WS, 0, play_close },
    { "P-WS-3 P-WS-5", "each answer is one text frame", OVER_WS, 0, play_whole_frames },
    { "P-WS-4 P-WS-3", "an answer of more than a MiB is one frame", OVER_WS, 0, play_large_frame },
    { "P-WS-4", "a message in two frames is put together", OVER_WS, 0, play_pieces },
    { "P-WS-3", "a binary frame is refused", OVER_WS, 0, play_binary },
    { "P-ENV-14", "bad UTF-8 ends the connection with 1007", OVER_WS, 0, play_bad_text },
    { "P-WS-3", "frames that break WebSocket end it with 1002", OVER_WS, 0, play_broken_frames },
    { "P-ENV-17", "a frame of more than twice the limit ends it with 1009", OVER_WS, 0,
      play_announced },
    { "P-AUTH-10", "the third wrong token ends it with 1008", OVER_WS, NEEDS_AUTH,
      play_thrice_wrong },
    { 0 },
};
