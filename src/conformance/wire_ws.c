/* The wire of a WebSocket (wire.h): libcurl connects, with TLS if need be, and hands over; frames
 * are read here piece by piece, since what is wrong with one is what is looked for. */
#include <poll.h>

#include "base/alloc.h"
#include "base/time.h"
#include "client/sigpipe.h"
#include "client/upgrade_head.h"
#include "conformance/wire_int.h"
#include "net/ws.h"
#include "sys/clock.h"
#include "sys/random.h"

struct ws_wire {
    struct curl_late api;
    CURL *curl;
    int fd;
    bool ended;
    struct buf parts; /* of a message in several frames */
};

static void wait_some(struct ws_wire *s, short events)
{
    struct pollfd p = { .fd = s->fd, .events = events };
    (void)poll(&p, 1, 20); /* TLS may hold bytes that poll does not see */
}

/* False: the connection is over. */
static bool take_some(struct wire *w)
{
    struct sigpipe_hold hold;
    size_t got = 0;
    if (w->ws->ended || !mgi_buf_reserve(&w->kept, 65536))
        return false;
    mgi_sigpipe_hold(&hold);
    CURLcode rc = w->ws->api.easy_recv(w->ws->curl, w->kept.ptr + w->kept.len, 65536, &got);
    mgi_sigpipe_release(&hold);
    if (rc == CURLE_AGAIN) {
        wait_some(w->ws, POLLIN);
        return true;
    }
    w->ws->ended = rc != CURLE_OK || got == 0;
    w->kept.len += got;
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
            wait_some(w->ws, POLLIN | POLLOUT);
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

struct frame {
    bool fin;
    uint8_t opcode;
    size_t head, size;
};

/* False: not all of it is there yet. */
static bool frame_head(const struct wire *w, struct frame *f)
{
    const uint8_t *b = (const uint8_t *)w->kept.ptr;
    if (w->kept.len < 2)
        return false;
    size_t more = (b[1] & 0x7f) == 126 ? 2 : (b[1] & 0x7f) == 127 ? 8 : 0;
    *f = (struct frame){ .fin = b[0] & 0x80, .opcode = b[0] & 0x0f, .head = 2 + more };
    if (w->kept.len < f->head)
        return false;
    f->size = more ? 0 : b[1] & 0x7f;
    for (size_t i = 0; i < more; i++)
        f->size = f->size << 8 | b[2 + i];
    return true;
}

static void answer_control(struct wire *w, const struct frame *f, struct str payload)
{
    struct buf frame = { 0 };
    if (f->opcode == WS_OP_PONG) {
        w->pongs++;
        mgi_buf_clear(&w->pong);
        mgi_buf_str(&w->pong, payload);
        return;
    }
    w->pings += f->opcode == WS_OP_PING;
    if (f->opcode == WS_OP_CLOSE) {
        const uint8_t *code = (const uint8_t *)payload.ptr;
        w->close_code = (uint16_t)(payload.len >= 2 ? code[0] << 8 | code[1] : WS_NO_CODE);
        payload.len = payload.len < 2 ? 0 : 2;
    }
    uint8_t answer = f->opcode == WS_OP_PING ? WS_OP_PONG : WS_OP_CLOSE;
    mgi_wire_put_frame(&frame, payload, &(struct frame_shape){ .opcode = answer });
    if (!frame.oom)
        (void)mgi_wire_ws_put(w, mgi_buf_view(&frame), mgi_clock_mono_ns() + NS_PER_MS * 1000);
    mgi_buf_fini(&frame);
}

/* One whole frame that is there. True: a message is complete. */
static bool take_frame(struct wire *w, const struct frame *f, struct buf *message)
{
    struct str payload = { w->kept.ptr + f->head, f->size };
    bool whole = false;
    if (f->opcode >= 8) {
        answer_control(w, f, payload);
    } else {
        w->pieces += !f->fin || f->opcode == WS_OP_CONTINUATION;
        w->binaries += f->opcode == WS_OP_BINARY;
        mgi_buf_str(&w->ws->parts, payload);
        whole = f->fin;
    }
    if (whole) {
        mgi_buf_clear(message);
        mgi_buf_str(message, mgi_buf_view(&w->ws->parts));
        mgi_buf_clear(&w->ws->parts);
    }
    w->kept.len -= f->head + f->size;
    memmove(w->kept.ptr, w->kept.ptr + f->head + f->size, w->kept.len);
    return whole;
}

enum heard mgi_wire_ws_hear(struct wire *w, int64_t until_ns, struct buf *message)
{
    for (bool alive = true;; alive = take_some(w)) {
        struct frame f;
        while (frame_head(w, &f) && w->kept.len - f.head >= f.size)
            if (take_frame(w, &f, message))
                return HEARD_MESSAGE;
        if (!alive || w->kept.len > HEARD_BYTES)
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
    while ((end = mgi_str_find(mgi_buf_view(&w->kept), STR_LIT("\r\n\r\n"))) == SIZE_MAX)
        if (!take_some(w) || mgi_clock_mono_ns() >= until_ns) {
            mgi_buf_puts(why, "no answer to the upgrade");
            return false;
        }
    mgi_arena_init(&arena, 0);
    const char *wrong = "it is no HTTP/1.1";
    if (mgi_upgrade_head_read(&arena, (struct str){ w->kept.ptr, end }, &answer))
        wrong = mgi_ws_judge_acceptance(&answer, key, "manglecp");
    if (wrong)
        mgi_buf_printf(why, "the upgrade is refused: %s: %.*s", wrong, (int)(end < 60 ? end : 60),
                       w->kept.ptr);
    mgi_arena_fini(&arena);
    w->kept.len -= end + 4;
    memmove(w->kept.ptr, w->kept.ptr + end + 4, w->kept.len);
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
    mgi_buf_fini(&w->kept);
    mgi_buf_fini(&w->pong);
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
    mgi_buf_fini(&w->ws->parts);
    mgi_free(w->ws);
    w->ws = NULL;
}
