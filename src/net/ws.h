/* WebSocket frames (RFC 6455 section 5), both roles: bytes in, messages out, and frames to send. A
 * codec: it owns no socket, no clock and no randomness, and what it is given may be cut anywhere.
 * The handshake that comes before is ws_upgrade.h.
 *
 * Strings are borrowed during a call. One thread at a time. Reading holds at most the bytes of one
 * message that have arrived (not those announced) and a control frame; between messages it holds
 * nothing. A message over the limit is skipped, and reported, where skipping is reasonable. */
#ifndef MGI_NET_WS_H
#define MGI_NET_WS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"

#define WS_HEAD_MAX    14  /* bytes before a frame's payload */
#define WS_CONTROL_MAX 125 /* bytes in a control frame */

enum ws_role { WS_SERVER, WS_CLIENT };

enum ws_opcode {
    WS_OP_CONTINUATION = 0,
    WS_OP_TEXT = 1,
    WS_OP_BINARY = 2,
    WS_OP_CLOSE = 8,
    WS_OP_PING = 9,
    WS_OP_PONG = 10
};

enum ws_code { /* why a connection ends (section 7.4) */
               WS_NORMAL = 1000,
               WS_GOING_AWAY = 1001,
               WS_PROTOCOL_ERROR = 1002,
               WS_NO_CODE = 1005, /* never on the wire: a close frame without a code */
               WS_BAD_TEXT = 1007,
               WS_POLICY = 1008,
               WS_TOO_BIG = 1009,
               WS_INTERNAL = 1011,
               WS_TRY_LATER = 1013
};

enum ws_event_kind {
    WS_NONE,      /* the input is used up: give more */
    WS_TEXT,      /* a whole message, well-formed UTF-8 */
    WS_BINARY,    /* a whole message; no bytes if these are skipped */
    WS_TOO_LARGE, /* a message over the limit went by; the connection is still good */
    WS_NOMEM,     /* a message that could not be kept went by; the connection is still good */
    WS_PING,      /* answer with a pong of the same bytes */
    WS_PONG,
    WS_CLOSE, /* the other side closes: answer with a close. `code`, and the reason as bytes */
    WS_FAULT  /* the other side broke the protocol: close with `code`; `why` is for people */
};

struct ws_event {
    enum ws_event_kind kind;
    struct str bytes; /* until the next call with this codec */
    uint16_t code;
    const char *why; /* static */
};

struct ws_codec_options {
    enum ws_role role;
    bool skip_binary;   /* binary messages are reported without their bytes */
    size_t max_message; /* bytes of a message that is kept; a larger one is skipped */
    size_t max_skipped; /* beyond this it is a fault with WS_TOO_BIG. 0: twice max_message (D-8) */
};

/* The fields are the codec's own. */
struct ws {
    struct ws_codec_options options;
    enum ws_phase { WS_AT_HEAD, WS_AT_PAYLOAD, WS_OVER } phase;
    uint8_t head[WS_HEAD_MAX];
    uint8_t head_len;
    uint8_t control_len;
    uint8_t control[WS_CONTROL_MAX];
    uint8_t message_opcode;      /* of the message that is under way; 0: none is */
    bool fin;                    /* of the frame */
    uint8_t opcode;              /* of the frame */
    uint8_t mask[4];             /* zeros if the frame has none */
    uint64_t at, size;           /* of the frame's payload: behind us, all */
    uint64_t message_size;       /* announced by the frames of the message so far */
    enum ws_event_kind skipping; /* the message's bytes are dropped; what is said at its end */
    bool used;                   /* the message was handed out; the next call gives it back */
    struct utf8_stream utf8;
    struct buf message;
};

void mgi_ws_init(struct ws *ws, const struct ws_codec_options *options);
void mgi_ws_fini(struct ws *ws);

/* Take from *input (advancing it) up to the next event. After WS_CLOSE and WS_FAULT all further
 * input is dropped. Call until WS_NONE. [P-WS-3, P-WS-9, D-8, D-59] */
void mgi_ws_next(struct ws *ws, struct str *input, struct ws_event *event);

/* From the next frame on, messages of up to so many bytes are kept. */
void mgi_ws_set_max(struct ws *ws, size_t max_message);
void mgi_ws_set_max_skipped(struct ws *ws, size_t max_skipped);

/* Give up the message that is under way, if its bytes are kept: they are given back, and WS_NOMEM
 * is told when its end has come. For who has no room for it. */
void mgi_ws_drop(struct ws *ws);

/* Is a message or frame under way? An answer to "has it stopped in the middle?" */
bool mgi_ws_in_message(const struct ws *ws);

/* Bytes of heap that reading holds now, for the account of all connections. */
size_t mgi_ws_held(const struct ws *ws);

/* The head of a frame that is the whole of its message: FIN set, shortest length. `mask`: 4 random
 * bytes in the client's role, NULL in the server's. Returns its length. [P-WS-3, P-WS-4, P-WS-5] */
size_t mgi_ws_head(uint8_t out[WS_HEAD_MAX], enum ws_opcode opcode, uint64_t size,
                   const uint8_t *mask);

/* Append one whole frame. */
void mgi_ws_put(struct buf *out, enum ws_opcode opcode, struct str payload, const uint8_t *mask);

/* Append a close frame; WS_NO_CODE gives one without a code. `reason` (UTF-8, NULL: none) is cut
 * to what fits. */
void mgi_ws_put_close(struct buf *out, uint16_t code, const char *reason, const uint8_t *mask);

#endif
