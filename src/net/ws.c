/* Frames to messages.
 *
 *     head (2 to 14 bytes) ──judged──> payload ──unmasked, judged──> event ──> head …
 *                                                    └─ close, fault ──> over
 *
 * Every fault is found at the earliest byte that shows it: reserved bits, opcode, mask and the
 * rules of control frames at the second byte of the head, lengths at its end, and text at the first
 * byte that cannot be UTF-8. A control frame may stand between the frames of a message, so it has a
 * place of its own.
 *
 * The payload is unmasked on its way into the message, which is the only copy. Room is made for
 * what has arrived: a head that announces 16 MiB costs nothing.
 *
 * Not wslay: docs/dependencies.md says what was measured; a test holds the two against each other.
 */
#include "net/ws.h"

#include <assert.h>

/* A message's first room, where its size is known: most fit, and a lie costs no more than this. */
#define FIRST_ROOM ((uint64_t)4096)

void mgi_ws_init(struct ws *ws, const struct ws_codec_options *options)
{
    *ws = (struct ws){ .options = *options };
}

void mgi_ws_fini(struct ws *ws)
{
    mgi_buf_fini(&ws->message);
    ws->phase = WS_OVER;
}

void mgi_ws_set_max(struct ws *ws, size_t max_message)
{
    ws->options.max_message = max_message;
}

void mgi_ws_set_max_skipped(struct ws *ws, size_t max_skipped)
{
    ws->options.max_skipped = max_skipped;
}

void mgi_ws_drop(struct ws *ws)
{
    if (ws->message_opcode == 0 || ws->skipping || ws->used)
        return;
    mgi_buf_fini(&ws->message);
    ws->skipping = WS_NOMEM;
}

bool mgi_ws_in_message(const struct ws *ws)
{
    return ws->phase != WS_OVER &&
           (ws->phase == WS_AT_PAYLOAD || ws->head_len > 0 || ws->message_opcode != 0);
}

size_t mgi_ws_held(const struct ws *ws)
{
    return ws->message.cap;
}

/* ---- masks ------------------------------------------------------------------------------- */

/* out[i] = in[i] with the mask, whose byte for in[0] is mask[at % 4]. May be in place. */
static void masked_copy(uint8_t *out, const uint8_t *in, size_t len, const uint8_t mask[4],
                        uint64_t at)
{
    uint8_t turned[8];
    uint64_t wide, word;
    size_t i = 0;
    for (size_t k = 0; k < sizeof turned; k++)
        turned[k] = mask[(at + k) % 4];
    memcpy(&wide, turned, sizeof wide);
    for (; len - i >= sizeof word; i += sizeof word) {
        memcpy(&word, in + i, sizeof word);
        word ^= wide;
        memcpy(out + i, &word, sizeof word);
    }
    for (; i < len; i++)
        out[i] = in[i] ^ turned[i % sizeof turned];
}

/* ---- the head ---------------------------------------------------------------------------- */

static bool is_control(uint8_t opcode)
{
    return (opcode & 8) != 0;
}

static void fault(struct ws *ws, struct ws_event *event, enum ws_code code, const char *why)
{
    mgi_buf_fini(&ws->message);
    ws->phase = WS_OVER;
    *event = (struct ws_event){ .kind = WS_FAULT, .code = (uint16_t)code, .why = why };
}

/* What the first two bytes say that must not be. NULL: nothing. */
static const char *opening_fault(const struct ws *ws)
{
    uint8_t opcode = ws->head[0] & 0x0f;
    bool fin = ws->head[0] & 0x80, masked = ws->head[1] & 0x80;
    if (ws->head[0] & 0x70)
        return "a reserved bit is set, but no extension was agreed on";
    if (opcode > (is_control(opcode) ? WS_OP_PONG : WS_OP_BINARY))
        return "the opcode is reserved";
    if (masked != (ws->options.role == WS_SERVER))
        return masked ? "a server's frame is masked" : "a client's frame is not masked";
    if (is_control(opcode)) {
        if (!fin)
            return "a control frame is fragmented";
        return (ws->head[1] & 0x7f) > WS_CONTROL_MAX ? "a control frame is longer than 125 bytes"
                                                     : NULL;
    }
    if (opcode == WS_OP_CONTINUATION && ws->message_opcode == 0)
        return "a continuation without a message before it";
    if (opcode != WS_OP_CONTINUATION && ws->message_opcode != 0)
        return "a message begins before the one before it is complete";
    return NULL;
}

static size_t length_bytes(const struct ws *ws)
{
    uint8_t length = ws->head[1] & 0x7f;
    return length == 127 ? 8 : length == 126 ? 2 : 0;
}

static size_t head_size(const struct ws *ws)
{
    return ws->head_len < 2 ? 2 : 2 + length_bytes(ws) + (ws->head[1] & 0x80 ? 4 : 0);
}

/* The length that the complete head announces; false if it is not written as it has to be. */
static bool read_length(struct ws *ws)
{
    size_t bytes = length_bytes(ws);
    ws->size = bytes ? 0 : ws->head[1] & 0x7f;
    for (size_t i = 0; i < bytes; i++)
        ws->size = ws->size << 8 | ws->head[2 + i];
    if (bytes == 0)
        return true;
    return bytes == 2 ? ws->size > 125 : ws->size > UINT16_MAX && ws->size >> 63 == 0;
}

/* Larger messages are not even skipped. */
static uint64_t largest(const struct ws *ws)
{
    const struct ws_codec_options *o = &ws->options;
    return o->max_skipped ? o->max_skipped : 2 * (uint64_t)o->max_message;
}

/* A frame of a message begins. False: the message is so large that skipping it is no use. */
static bool begin_data(struct ws *ws)
{
    if (ws->opcode != WS_OP_CONTINUATION) {
        ws->message_opcode = ws->opcode;
        ws->message_size = 0;
        ws->skipping = WS_NONE;
        ws->utf8 = (struct utf8_stream){ 0 };
        if (ws->opcode == WS_OP_BINARY && ws->options.skip_binary)
            ws->skipping = WS_BINARY;
    }
    if (ws->message_size > largest(ws) || ws->size > largest(ws) - ws->message_size)
        return false;
    ws->message_size += ws->size;
    if (ws->message_size > ws->options.max_message) {
        ws->skipping = WS_TOO_LARGE;
        mgi_buf_fini(&ws->message);
    }
    return true;
}

/* The head is complete. False: there is a fault in *event. */
static bool begin_frame(struct ws *ws, struct ws_event *event)
{
    size_t key = 2 + length_bytes(ws);
    ws->fin = ws->head[0] & 0x80;
    ws->opcode = ws->head[0] & 0x0f;
    ws->at = 0;
    memset(ws->mask, 0, sizeof ws->mask);
    if (ws->head[1] & 0x80)
        memcpy(ws->mask, ws->head + key, sizeof ws->mask);
    if (!read_length(ws)) {
        fault(ws, event, WS_PROTOCOL_ERROR,
              "the length of a frame is not written in its shortest form");
        return false;
    }
    if (is_control(ws->opcode)) {
        ws->control_len = 0;
    } else if (!begin_data(ws)) {
        fault(ws, event, WS_TOO_BIG, "the message is too large to be skipped");
        return false;
    }
    ws->head_len = 0;
    ws->phase = WS_AT_PAYLOAD;
    return true;
}

/* Take the head's bytes. False: more are needed, or there is a fault in *event. */
static bool take_head(struct ws *ws, struct str *input, struct ws_event *event)
{
    while (input->len > 0) {
        ws->head[ws->head_len++] = (uint8_t)*input->ptr++;
        input->len--;
        const char *why = ws->head_len == 2 ? opening_fault(ws) : NULL;
        if (why) {
            fault(ws, event, WS_PROTOCOL_ERROR, why);
            return false;
        }
        if (ws->head_len == head_size(ws) && ws->head_len >= 2)
            return begin_frame(ws, event);
    }
    return false;
}

/* ---- the payload ------------------------------------------------------------------------- */

/* Unmask `piece` behind what the message holds. */
static void keep(struct ws *ws, struct str piece)
{
    uint64_t left = ws->size - ws->at;
    size_t room = (size_t)(left < FIRST_ROOM ? left : FIRST_ROOM);
    if (room < piece.len)
        room = piece.len;
    if (!mgi_buf_reserve(&ws->message, room)) {
        mgi_buf_fini(&ws->message);
        ws->skipping = WS_NOMEM;
        return;
    }
    uint8_t *end = (uint8_t *)ws->message.ptr + ws->message.len;
    masked_copy(end, (const uint8_t *)piece.ptr, piece.len, ws->mask, ws->at);
    ws->message.len += piece.len;
    ws->message.ptr[ws->message.len] = '\0';
}

/* Take payload from *input. False: the text is not UTF-8, and there is a fault in *event. */
static bool take_payload(struct ws *ws, struct str *input, struct ws_event *event)
{
    uint64_t left = ws->size - ws->at;
    struct str piece = { input->ptr, input->len < left ? input->len : (size_t)left };
    if (piece.len == 0)
        return true;
    input->ptr += piece.len;
    input->len -= piece.len;
    if (is_control(ws->opcode)) {
        masked_copy(ws->control + ws->control_len, (const uint8_t *)piece.ptr, piece.len, ws->mask,
                    ws->at);
        ws->control_len = (uint8_t)(ws->control_len + piece.len);
    } else if (!ws->skipping) {
        size_t before = ws->message.len;
        keep(ws, piece);
        if (!ws->skipping && ws->message_opcode == WS_OP_TEXT &&
            !mgi_utf8_feed(&ws->utf8, (struct str){ ws->message.ptr + before, piece.len })) {
            fault(ws, event, WS_BAD_TEXT, "a text message is not UTF-8");
            return false;
        }
    }
    ws->at += piece.len;
    return true;
}

static bool is_close_code(unsigned code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

static void close_event(struct ws *ws, struct ws_event *event)
{
    if (ws->control_len == 0) {
        *event = (struct ws_event){ .kind = WS_CLOSE, .code = WS_NO_CODE };
    } else {
        unsigned code = ws->control_len < 2 ? 0 : (unsigned)ws->control[0] << 8 | ws->control[1];
        struct str reason = { (const char *)ws->control + 2, ws->control_len - (size_t)2 };
        if (!is_close_code(code)) {
            fault(ws, event, WS_PROTOCOL_ERROR, "a close frame has no valid code");
            return;
        }
        if (!mgi_utf8_valid(reason, NULL)) {
            fault(ws, event, WS_BAD_TEXT, "the reason of a close frame is not UTF-8");
            return;
        }
        *event = (struct ws_event){ .kind = WS_CLOSE, .code = (uint16_t)code, .bytes = reason };
    }
    mgi_buf_fini(&ws->message);
    ws->phase = WS_OVER;
}

static void control_event(struct ws *ws, struct ws_event *event)
{
    if (ws->opcode == WS_OP_CLOSE) {
        close_event(ws, event);
        return;
    }
    event->kind = ws->opcode == WS_OP_PING ? WS_PING : WS_PONG;
    event->bytes = (struct str){ (const char *)ws->control, ws->control_len };
}

static void message_event(struct ws *ws, struct ws_event *event)
{
    if (ws->skipping) {
        event->kind = ws->skipping;
    } else if (ws->message_opcode == WS_OP_TEXT && ws->utf8.missing > 0) {
        fault(ws, event, WS_BAD_TEXT, "a text message ends inside of a character");
        return;
    } else {
        event->kind = ws->message_opcode == WS_OP_TEXT ? WS_TEXT : WS_BINARY;
        event->bytes = mgi_buf_view(&ws->message);
        ws->used = true;
    }
    ws->message_opcode = 0;
    ws->skipping = WS_NONE;
}

/* The frame is complete. True if that is an event. */
static bool end_frame(struct ws *ws, struct ws_event *event)
{
    ws->phase = WS_AT_HEAD;
    if (is_control(ws->opcode)) {
        control_event(ws, event);
        return true;
    }
    if (ws->fin)
        message_event(ws, event);
    return ws->fin;
}

void mgi_ws_next(struct ws *ws, struct str *input, struct ws_event *event)
{
    *event = (struct ws_event){ .kind = WS_NONE };
    if (ws->used) {
        mgi_buf_fini(&ws->message);
        ws->used = false;
    }
    while (ws->phase != WS_OVER) {
        if (ws->phase == WS_AT_HEAD && !take_head(ws, input, event))
            return;
        if (!take_payload(ws, input, event))
            return;
        if (ws->at < ws->size) /* the input is used up */
            return;
        if (end_frame(ws, event))
            return;
    }
    *input = (struct str){ NULL, 0 };
}

/* ---- sending ----------------------------------------------------------------------------- */

size_t mgi_ws_head(uint8_t out[WS_HEAD_MAX], enum ws_opcode opcode, uint64_t size,
                   const uint8_t *mask)
{
    size_t bytes = size > UINT16_MAX ? 8 : size > 125 ? 2 : 0, len = 2;
    out[0] = (uint8_t)(0x80 | (unsigned)opcode);
    out[1] = (uint8_t)((mask ? 0x80 : 0) | (bytes == 8 ? 127 : bytes == 2 ? 126 : size));
    for (size_t i = bytes; i-- > 0;)
        out[len++] = (uint8_t)(size >> (8 * i));
    if (mask) {
        memcpy(out + len, mask, 4);
        len += 4;
    }
    return len;
}

void mgi_ws_put(struct buf *out, enum ws_opcode opcode, struct str payload, const uint8_t *mask)
{
    static const uint8_t none[4];
    uint8_t head[WS_HEAD_MAX];
    size_t len = mgi_ws_head(head, opcode, payload.len, mask);
    if (payload.len > SIZE_MAX - len || !mgi_buf_reserve(out, len + payload.len))
        return; /* the whole frame or nothing of it */
    mgi_buf_append(out, head, len);
    masked_copy((uint8_t *)out->ptr + out->len, (const uint8_t *)payload.ptr, payload.len,
                mask ? mask : none, 0);
    out->len += payload.len;
    out->ptr[out->len] = '\0';
}

void mgi_ws_put_close(struct buf *out, uint16_t code, const char *reason, const uint8_t *mask)
{
    char payload[WS_CONTROL_MAX];
    size_t len = 0;
    assert(code == WS_NO_CODE || is_close_code(code));
    if (code != WS_NO_CODE) {
        struct str text = mgi_utf8_prefix(str_of(reason), sizeof payload - 2);
        payload[0] = (char)(code >> 8);
        payload[1] = (char)(code & 0xff);
        len = 2;
        if (text.len > 0)
            memcpy(payload + len, text.ptr, text.len);
        len += text.len;
    }
    mgi_ws_put(out, WS_OP_CLOSE, (struct str){ payload, len }, mask);
}
