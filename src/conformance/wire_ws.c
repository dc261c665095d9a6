/* The wire of a WebSocket (wire.h): libcurl connects, with TLS if need be, and hands over; frames
 * are read here piece by piece, since what is wrong with one is what is looked for. */
#include <poll.h>

#include "base/alloc.h"
#include "base/time.h"
#include "client/sigpipe.h"
#include "net/answer_head.h"
#include "conformance/wire_int.h"
#include "net/ws.h"
#include "sys/clock.h"
#include "sys/random.h"

struct ws_wire {
    struct curl_late api;
    CURL *curl;
    int fd;
    bool ended;
};

#define CHUNK      65536
#define HEAD_BYTES ((size_t)65536)
#define ANSWER_NS  (NS_PER_MS * 1000) /* for a pong or a close */

static void wait_some(struct ws_wire *s, short events, int64_t until_ns)
{
    struct pollfd p = { .fd = s->fd, .events = events };
    int64_t left_ms = (until_ns - mgi_clock_mono_ns() + NS_PER_MS - 1) / NS_PER_MS;
    if (left_ms > 0) /* TLS may hold bytes that poll does not see */
        (void)poll(&p, 1, left_ms < 20 ? (int)left_ms : 20);
}

/* False: the connection is over. */
static bool take_some(struct wire *w, int64_t until_ns)
{
    struct sigpipe_hold hold;
    size_t got = 0;
    char *room = w->ws->ended ? NULL : mgi_frames_room(&w->frames, CHUNK);
    if (!room)
        return false;
    mgi_sigpipe_hold(&hold);
    CURLcode rc = w->ws->api.easy_recv(w->ws->curl, room, CHUNK, &got);
    mgi_sigpipe_release(&hold);
    if (rc == CURLE_AGAIN) {
        wait_some(w->ws, POLLIN, until_ns);
        return true;
    }
    w->ws->ended = rc != CURLE_OK || got == 0;
    mgi_frames_given(&w->frames, got);
    return !w->ws->ended;
}

bool mgi_wire_ws_put(struct wire *w, struct str bytes, int64_t until_ns)
{
    struct sigpipe_hold hold;
    while (bytes.len > 0) {
        size_t sent = 0;
        mgi_sigpipe_hold(&hold);
        CURLcode rc = w->ws->api.easy_send(w->ws->curl, bytes.ptr, bytes.len, &sent);
        mgi_sigpipe_release(&hold);
        if ((rc != CURLE_OK && rc != CURLE_AGAIN) || mgi_clock_mono_ns() >= until_ns)
            return false;
        bytes.ptr += sent;
        bytes.len -= sent;
        if (sent == 0)
            wait_some(w->ws, POLLIN | POLLOUT, until_ns);
    }
    return true;
}

void mgi_wire_put_frame(struct buf *out, struct str payload, const struct frame_shape *shape)
{
    uint8_t head[WS_HEAD_MAX];
    static const uint8_t mask[4] = { 0x13, 0x37, 0xc0, 0xde };
    uint64_t size = shape->announced ? shape->announced : payload.len;
    size_t len =
        mgi_ws_head(head, (enum ws_opcode)shape->opcode, size, shape->unmasked ? NULL : mask);
    head[0] = (uint8_t)((head[0] & 0x0f) | (shape->unfinished ? 0 : 0x80) | (shape->reserved << 4));
    mgi_buf_append(out, head, len);
    size_t from = out->len;
    mgi_buf_str(out, payload);
    for (size_t i = 0; !shape->unmasked && !out->oom && i < payload.len; i++)
        out->ptr[from + i] = (char)(out->ptr[from + i] ^ mask[i % 4]);
}

/* ---- frames in ------------------------------------------------------------------------------- */

static void send_control(struct wire *w, uint8_t opcode, struct str payload, int64_t until_ns)
{
    struct buf frame = { 0 };
    int64_t soon_ns = mgi_clock_mono_ns() + ANSWER_NS;
    mgi_wire_put_frame(&frame, payload, &(struct frame_shape){ .opcode = opcode });
    if (!frame.oom)
        (void)mgi_wire_ws_put(w, mgi_buf_view(&frame), soon_ns < until_ns ? soon_ns : until_ns);
    mgi_buf_fini(&frame);
}

static void note_pong(struct wire *w, struct str payload)
{
    mgi_buf_clear(&w->pong);
    mgi_buf_str(&w->pong, payload);
}

/* What is there already. True: a message, or the end. */
static bool read_frames(struct wire *w, int64_t until_ns, struct buf *message, enum heard *heard)
{
    for (;;) {
        struct str bytes;
        switch (mgi_frames_next(&w->frames)) {
        case FRAMES_MORE:
            return false;
        case FRAMES_MESSAGE:
            mgi_buf_clear(message);
            mgi_buf_str(message, mgi_buf_view(&w->frames.message));
            *heard = HEARD_MESSAGE;
            return true;
        case FRAMES_PING:
            send_control(w, WS_OP_PONG, w->frames.control, until_ns);
            break;
        case FRAMES_PONG:
            note_pong(w, w->frames.control);
            break;
        case FRAMES_CLOSE:
            bytes = w->frames.control;
            bytes.len = bytes.len < 2 ? 0 : 2;
            send_control(w, WS_OP_CLOSE, bytes, until_ns);
            break;
        case FRAMES_BROKEN:
            *heard = HEARD_END;
            return true;
        }
        if (mgi_clock_mono_ns() >= until_ns) { /* pings without end, say */
            *heard = HEARD_NOTHING;
            return true;
        }
    }
}

enum heard mgi_wire_ws_hear(struct wire *w, int64_t until_ns, struct buf *message)
{
    for (bool alive = true;; alive = take_some(w, until_ns)) {
        enum heard heard;
        if (read_frames(w, until_ns, message, &heard))
            return heard;
        if (!alive)
            return HEARD_END;
        if (mgi_clock_mono_ns() >= until_ns)
            return HEARD_NOTHING;
    }
}

/* ---- the handshake --------------------------------------------------------------------------- */

static bool connect_socket(struct ws_wire *s, const char *url, const char *ca_file, int64_t wait_ms)
{
    struct sigpipe_hold hold;
    curl_socket_t fd = CURL_SOCKET_BAD;
    s->curl = s->api.easy_init();
    if (!s->curl)
        return false;
    s->api.easy_setopt(s->curl, CURLOPT_URL, url);
    s->api.easy_setopt(s->curl, CURLOPT_CONNECT_ONLY, 1L);
    s->api.easy_setopt(s->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    s->api.easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    s->api.easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
    s->api.easy_setopt(s->curl, CURLOPT_TIMEOUT_MS, (long)wait_ms);
    if (ca_file)
        s->api.easy_setopt(s->curl, CURLOPT_CAINFO, ca_file);
    mgi_sigpipe_hold(&hold);
    CURLcode rc = s->api.easy_perform(s->curl);
    mgi_sigpipe_release(&hold);
    if (rc == CURLE_OK)
        rc = s->api.easy_getinfo(s->curl, CURLINFO_ACTIVESOCKET, &fd);
    s->fd = fd;
    return rc == CURLE_OK;
}

static bool offer(struct wire *w, const char *url, const char *token, const char *key,
                  int64_t until_ns)
{
    struct buf head = { 0 }, more = { 0 };
    char *target = NULL, *host = NULL;
    if (token)
        mgi_buf_printf(&more, "Authorization: Bearer %s\r\n", token);
    bool good = mgi_address_parts(&w->ws->api, url, &target, &host) && !more.oom;
    if (good)
        mgi_ws_put_offer(&head, target, host, key, "manglecp", token ? more.ptr : "");
    good = good && !head.oom && mgi_wire_ws_put(w, mgi_buf_view(&head), until_ns);
    mgi_buf_fini(&head);
    mgi_buf_fini(&more);
    mgi_free(target);
    mgi_free(host);
    return good;
}

static bool accepted(struct wire *w, const char *key, int64_t until_ns, struct buf *why)
{
    struct arena arena;
    struct ws_acceptance answer;
    size_t end;
    while ((end = mgi_str_find(mgi_buf_view(&w->frames.kept), STR_LIT("\r\n\r\n"))) == SIZE_MAX)
        if (w->frames.kept.len > HEAD_BYTES || !take_some(w, until_ns) ||
            mgi_clock_mono_ns() >= until_ns) {
            mgi_buf_puts(why, "no answer to the upgrade");
            return false;
        }
    mgi_arena_init(&arena, 0);
    const char *wrong = "it is no HTTP/1.1";
    if (mgi_answer_head_upgrade(&arena, (struct str){ w->frames.kept.ptr, end }, &answer))
        wrong = mgi_ws_judge_acceptance(&answer, key, "manglecp");
    if (wrong)
        mgi_buf_printf(why, "the upgrade is refused: %s: %.*s", wrong, (int)(end < 60 ? end : 60),
                       w->frames.kept.ptr);
    mgi_arena_fini(&arena);
    w->frames.at = end + 4;
    return !wrong;
}

struct wire *mgi_wire_upgrade(const char *url, const char *ca_file, const char *token,
                              int64_t wait_ms, struct buf *why)
{
    static const uint8_t random[16] = "conformance key"; /* one key is as good as another */
    char key[WS_KEY_TEXT + 1];
    int64_t until_ns = mgi_clock_mono_ns() + wait_ms * NS_PER_MS;
    struct wire *w = mgi_calloc(1, sizeof *w);
    if (!w || !(w->ws = mgi_calloc(1, sizeof *w->ws))) {
        mgi_free(w);
        return NULL;
    }
    w->carrier = OVER_WS;
    w->in = w->out = -1;
    mgi_ws_key(random, key);
    bool good = mgi_curl_late_open(&w->ws->api, why);
    if (good && !connect_socket(w->ws, url, ca_file, wait_ms)) {
        mgi_buf_printf(why, "%s: no connection", url);
        good = false;
    }
    good = good && offer(w, url, token, key, until_ns) && accepted(w, key, until_ns, why);
    if (good)
        return w;
    mgi_wire_ws_close(w);
    mgi_frames_fini(&w->frames);
    mgi_free(w);
    return NULL;
}

void mgi_wire_ws_close(struct wire *w)
{
    struct sigpipe_hold hold;
    mgi_sigpipe_hold(&hold);
    if (w->ws->curl)
        w->ws->api.easy_cleanup(w->ws->curl);
    mgi_sigpipe_release(&hold);
    mgi_free(w->ws);
    w->ws = NULL;
}
