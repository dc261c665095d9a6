/* Frames of a server, one after the other (frames.h). */
#include "conformance/frames.h"

#include <string.h>

#include "net/ws.h"

struct frame {
    bool fin, masked;
    uint8_t opcode, reserved;
    size_t head;
    uint64_t size;
};

void mgi_frames_fini(struct frames *f)
{
    mgi_buf_fini(&f->kept);
    mgi_buf_fini(&f->message);
}

/* What was read is let go first, so `kept` is at most one frame and what came behind it. */
char *mgi_frames_room(struct frames *f, size_t more)
{
    if (f->at > 0) {
        f->kept.len -= f->at;
        memmove(f->kept.ptr, f->kept.ptr + f->at, f->kept.len);
        f->at = 0;
    }
    return mgi_buf_reserve(&f->kept, more) ? f->kept.ptr + f->kept.len : NULL;
}

void mgi_frames_given(struct frames *f, size_t count)
{
    f->kept.len += count;
}

/* False: not all of it is there yet. */
static bool read_head(const struct frames *f, struct frame *out)
{
    size_t there = f->kept.len - f->at;
    if (there < 2)
        return false;
    const uint8_t *b = (const uint8_t *)f->kept.ptr + f->at;
    size_t more = (b[1] & 0x7f) == 126 ? 2 : (b[1] & 0x7f) == 127 ? 8 : 0;
    *out = (struct frame){ .fin = b[0] & 0x80,
                           .masked = b[1] & 0x80,
                           .opcode = b[0] & 0x0f,
                           .reserved = b[0] & 0x70,
                           .head = 2 + more };
    if (there < out->head)
        return false;
    out->size = more ? 0 : b[1] & 0x7f;
    for (size_t i = 0; i < more; i++)
        out->size = out->size << 8 | b[2 + i];
    return true;
}

/* What a head alone shows. NULL: nothing. */
static const char *fault_of(const struct frames *f, const struct frame *one)
{
    bool control = one->opcode >= WS_OP_CLOSE;
    if (one->masked)
        return "a server's frame is masked";
    if (one->reserved)
        return "a reserved bit is set that nobody agreed on";
    if (one->opcode > WS_OP_PONG || (one->opcode > WS_OP_BINARY && !control))
        return "an opcode that there is not";
    if (control && (!one->fin || one->size > WS_CONTROL_MAX))
        return "a control frame in pieces, or of more than 125 bytes";
    if (!control && (one->opcode == WS_OP_CONTINUATION) != f->open)
        return f->open ? "a message begins within another" : "a piece of no message";
    if (!control && one->size > FRAMES_BYTES - f->message.len)
        return "a message of more than 16 MiB";
    return NULL;
}

static enum frames_event take_control(struct frames *f, const struct frame *one, struct str bytes)
{
    f->control = bytes;
    if (one->opcode == WS_OP_PONG) {
        f->pongs++;
        return FRAMES_PONG;
    }
    if (one->opcode == WS_OP_PING) {
        f->pings++;
        return FRAMES_PING;
    }
    const uint8_t *code = (const uint8_t *)bytes.ptr;
    f->close_code = (uint16_t)(bytes.len >= 2 ? code[0] << 8 | code[1] : WS_NO_CODE);
    return FRAMES_CLOSE;
}

/* True: it is whole. */
static bool take_piece(struct frames *f, const struct frame *one, struct str bytes)
{
    f->pieces += !one->fin || one->opcode == WS_OP_CONTINUATION;
    f->binaries += one->opcode == WS_OP_BINARY;
    mgi_buf_str(&f->message, bytes);
    f->open = !one->fin;
    f->handed = one->fin;
    if (f->message.oom)
        f->wrong = "no memory for a message";
    return one->fin;
}

enum frames_event mgi_frames_next(struct frames *f)
{
    struct frame one;
    if (f->handed) {
        mgi_buf_clear(&f->message);
        f->handed = false;
    }
    while (!f->wrong && read_head(f, &one)) {
        f->wrong = fault_of(f, &one);
        if (f->wrong || f->kept.len - f->at - one.head < one.size)
            break;
        struct str bytes = { f->kept.ptr + f->at + one.head, (size_t)one.size };
        f->at += one.head + bytes.len;
        if (one.opcode >= WS_OP_CLOSE)
            return take_control(f, &one, bytes);
        if (take_piece(f, &one, bytes) && !f->wrong)
            return FRAMES_MESSAGE;
    }
    return f->wrong ? FRAMES_BROKEN : FRAMES_MORE;
}
