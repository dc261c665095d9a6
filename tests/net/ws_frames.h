/* For tests of WebSocket frames: frames written out, also such as no sender may write, and what a
 * codec makes of them as one line of text. */
#ifndef TEST_NET_WS_FRAMES_H
#define TEST_NET_WS_FRAMES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/ws.h"

/* One frame as a client sends it, appended to `out`. `first`: FIN, reserved bits and opcode. */
static inline void put_frame(struct buf *out, unsigned first, struct str payload, bool masked)
{
    static const uint8_t mask[4] = { 0x37, 0xfa, 0x21, 0x3d };
    uint8_t head[WS_HEAD_MAX];
    size_t len = mgi_ws_head(head, WS_OP_TEXT, payload.len, masked ? mask : NULL);
    head[0] = (uint8_t)first;
    mgi_buf_append(out, head, len);
    for (size_t i = 0; i < payload.len; i++)
        mgi_buf_putc(out, (char)(payload.ptr[i] ^ (masked ? mask[i % 4] : 0)));
}

static inline void describe_event(const struct ws_event *event, struct buf *out)
{
    static const char *const names[] = {
        [WS_NONE] = "none",           [WS_TEXT] = "text",   [WS_BINARY] = "binary",
        [WS_TOO_LARGE] = "too-large", [WS_NOMEM] = "nomem", [WS_PING] = "ping",
        [WS_PONG] = "pong",           [WS_CLOSE] = "close", [WS_FAULT] = "fault",
    };
    mgi_buf_printf(out, "%s%s", out->len ? " " : "", names[event->kind]);
    if (event->code)
        mgi_buf_printf(out, ":%u", event->code);
    if (event->bytes.len > 40)
        mgi_buf_printf(out, "(%zu bytes of %c)", event->bytes.len, event->bytes.ptr[0]);
    else if (event->bytes.len > 0)
        mgi_buf_printf(out, "(%.*s)", STR_ARG(event->bytes));
}

/* Feed `bytes` in pieces of `step`, each in a block of its own so that reading beyond it is seen.
 */
static inline void feed_pieces(struct ws *ws, struct str bytes, size_t step, struct buf *out)
{
    for (size_t at = 0; at < bytes.len; at += step) {
        size_t len = bytes.len - at < step ? bytes.len - at : step;
        char *copy = malloc(len);
        if (!copy)
            abort();
        memcpy(copy, bytes.ptr + at, len);
        struct str piece = { copy, len };
        struct ws_event event;
        for (mgi_ws_next(ws, &piece, &event); event.kind; mgi_ws_next(ws, &piece, &event))
            describe_event(&event, out);
        free(copy);
    }
}

#endif
