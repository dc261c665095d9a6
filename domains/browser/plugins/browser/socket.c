/* Messages as frames of a WebSocket: see socket.h. */
#include "socket.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "talk.h"

/* A client's frames are masked, so that nobody between can take them for something else. */
static void put_frame(struct buf *out, enum ws_opcode opcode, struct str payload)
{
    uint8_t mask[4];
    if (getrandom(mask, sizeof mask, 0) == (ssize_t)sizeof mask)
        mgi_ws_put(out, opcode, payload, mask);
    else
        out->oom = true;
}

static void put_text(struct wire *wire, struct buf *out, struct str text)
{
    (void)wire;
    put_frame(out, WS_OP_TEXT, text);
}

static const char *take_event(const struct ws_event *event, const struct wire_ear *ear,
                              struct buf *out)
{
    switch (event->kind) {
    case WS_TEXT:
        if (event->bytes.len > 0)
            ear->message(ear->context, event->bytes);
        return NULL;
    case WS_TOO_LARGE:
    case WS_NOMEM:
        if (ear->lost)
            ear->lost(ear->context, STR_LIT("")); /* the codec keeps nothing of it */
        return NULL;
    case WS_PING:
        put_frame(out, WS_OP_PONG, event->bytes);
        return NULL;
    case WS_CLOSE:
        return "the browser closed it";
    case WS_FAULT:
        return event->why;
    default:
        return NULL;
    }
}

static const char *take_frames_of_socket(struct wire *wire, struct str bytes,
                                         const struct wire_ear *ear, struct buf *out)
{
    struct socket_wire *s = (struct socket_wire *)wire;
    struct ws_event event;
    do {
        mgi_ws_next(&s->codec, &bytes, &event);
        const char *why = take_event(&event, ear, out);
        if (why)
            return why;
    } while (event.kind != WS_NONE);
    return NULL;
}

void mgi_socket_begin(struct socket_wire *s, int fd)
{
    static const struct wire_kind kind = { put_text, take_frames_of_socket };
    const struct ws_codec_options options = { .role = WS_CLIENT,
                                              .skip_binary = true,
                                              .max_message = TALK_MESSAGE_MOST };
    s->wire = (struct wire){ &kind, fd, fd };
    mgi_ws_init(&s->codec, &options);
}

void mgi_socket_end(struct socket_wire *s)
{
    static const char normal[] = { '\x03', '\xe8' }; /* WS_NORMAL */
    struct buf goodbye;
    if (!s->wire.kind)
        return;
    mgi_buf_init(&goodbye);
    put_frame(&goodbye, WS_OP_CLOSE, (struct str){ normal, sizeof normal });
    (void)!send(s->wire.to, goodbye.ptr, goodbye.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    mgi_buf_fini(&goodbye);
    mgi_ws_fini(&s->codec);
    close(s->wire.to);
    *s = (struct socket_wire){ .wire = { .to = -1, .from = -1 } };
}
