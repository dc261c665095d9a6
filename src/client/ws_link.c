/* A link over a WebSocket (RFC 6455): one message a text frame, the manifest first (P-WS-1 to -9).
 *
 * libcurl makes the connection, with every rule for proxies and certificates that it knows, and
 * hands it over; from there on frames are read and written by net/ws.h. A connection that is lost
 * can be made anew, and nothing of the old one is kept (P-WS-7, P-WS-8). What the other side sends
 * while nobody waits is looked at when somebody does. */
#include <errno.h>
#include <poll.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/time.h"
#include "base/utf8.h"
#include "net/curl_late.h"
#include "client/intake.h"
#include "client/links.h"
#include "client/manifest.h"
#include "client/origin.h"
#include "client/sigpipe.h"
#include "net/answer_head.h"
#include "net/ws.h"
#include "sys/clock.h"
#include "sys/random.h"

#define HEAD_BYTES  ((size_t)16 * 1024) /* of the answer to the upgrade */
#define LOOK_MS     250                 /* TLS may hold bytes that poll does not see */
#define GOODBYE_MS  1000
#define LATE_STEPS  1000 /* behind the deadline: what is there already, and no flood */
#define SUBPROTOCOL "manglecp"

struct ws_link {
    struct link link;
    struct manglecp_options options;
    struct curl_late api;
    struct arena life;
    struct address address;
    CURL *curl; /* NULL: not connected */
    int fd;
    struct ws codec;
    bool codec_open;
    struct intake kept; /* what came and was not given to the codec yet */
    struct buf frame;
    bool closing; /* a close frame went either way */
    char fault[CURL_ERROR_SIZE];
};

/* ---- bytes --------------------------------------------------------------------------------------
 */

static enum manglecp_status curl_failed(struct ws_link *l, CURLcode rc, struct buf *why)
{
    if (rc == CURLE_OUT_OF_MEMORY)
        return MANGLECP_ERR_NOMEM;
    mgi_buf_printf(why, "%s: ", l->address.url);
    mgi_utf8_show(why, str_of(l->fault[0] ? l->fault : l->api.easy_strerror(rc)));
    return rc == CURLE_OPERATION_TIMEDOUT ? MANGLECP_ERR_TIMEOUT : MANGLECP_ERR_TRANSPORT;
}

/* Wait until something may have come (or, with `write`, may go), or the deadline has passed. */
static enum manglecp_status wait_for_socket(const struct ws_link *l, bool write,
                                            int64_t deadline_ns, struct buf *why)
{
    int64_t left_ms = (deadline_ns - mgi_clock_mono_ns() + NS_PER_MS - 1) / NS_PER_MS;
    if (left_ms <= 0) {
        mgi_buf_puts(why, write ? "the server does not read" : "the server did not answer in time");
        return MANGLECP_ERR_TIMEOUT;
    }
    struct pollfd p = { .fd = l->fd, .events = (short)(POLLIN | (write ? POLLOUT : 0)) };
    if (poll(&p, 1, left_ms < LOOK_MS ? (int)left_ms : LOOK_MS) < 0 && errno != EINTR) {
        mgi_buf_printf(why, "poll: %s", strerror(errno));
        return MANGLECP_ERR_TRANSPORT;
    }
    return MANGLECP_OK;
}

/* Take in what is there. *got is 0 if nothing is. */
static enum manglecp_status take_bytes(struct ws_link *l, size_t *got, struct buf *why)
{
    struct sigpipe_hold hold;
    char *room;
    *got = 0;
    enum manglecp_status status = mgi_intake_room(&l->kept, &room, why);
    if (status)
        return status;
    mgi_sigpipe_hold(&hold);
    CURLcode rc = l->api.easy_recv(l->curl, room, INTAKE_CHUNK_BYTES, got);
    mgi_sigpipe_release(&hold);
    if (rc == CURLE_AGAIN)
        return MANGLECP_OK;
    if (rc != CURLE_OK)
        return curl_failed(l, rc, why);
    if (*got == 0) {
        mgi_buf_puts(why, "the server closed the connection");
        return MANGLECP_ERR_TRANSPORT;
    }
    l->kept.bytes.len += *got;
    return MANGLECP_OK;
}

/* While the other side waits for us to read, it may not read: take in what it says. */
static enum manglecp_status put_bytes(struct ws_link *l, struct str bytes, int64_t deadline_ns,
                                      struct buf *why)
{
    while (bytes.len > 0) {
        size_t sent = 0, got;
        struct sigpipe_hold hold;
        mgi_sigpipe_hold(&hold);
        CURLcode rc = l->api.easy_send(l->curl, bytes.ptr, bytes.len, &sent);
        mgi_sigpipe_release(&hold);
        if (rc != CURLE_OK && rc != CURLE_AGAIN)
            return curl_failed(l, rc, why);
        bytes.ptr += sent;
        bytes.len -= sent;
        if (bytes.len == 0 || sent > 0)
            continue;
        enum manglecp_status status = wait_for_socket(l, true, deadline_ns, why);
        if (!status)
            status = take_bytes(l, &got, why);
        if (status)
            return status;
    }
    return MANGLECP_OK;
}

static enum manglecp_status put_frame(struct ws_link *l, enum ws_opcode opcode, struct str payload,
                                      int64_t deadline_ns, struct buf *why)
{
    uint8_t mask[4];
    if (!mgi_random(mask, sizeof mask)) {
        mgi_buf_puts(why, "the system has no randomness");
        return MANGLECP_ERR_TRANSPORT;
    }
    mgi_buf_clear(&l->frame);
    mgi_ws_put(&l->frame, opcode, payload, mask);
    if (l->frame.oom)
        return MANGLECP_ERR_NOMEM;
    return put_bytes(l, mgi_buf_view(&l->frame), deadline_ns, why);
}

static void put_close(struct ws_link *l, uint16_t code)
{
    uint8_t mask[4];
    struct buf why = { 0 };
    if (l->closing || !mgi_random(mask, sizeof mask))
        return;
    l->closing = true;
    mgi_buf_clear(&l->frame);
    mgi_ws_put_close(&l->frame, code, NULL, mask);
    if (!l->frame.oom)
        (void)put_bytes(l, mgi_buf_view(&l->frame), mgi_clock_mono_ns() + GOODBYE_MS * NS_PER_MS,
                        &why);
    mgi_buf_fini(&why);
}

/* ---- the upgrade ----------------------------------------------------------------------------- */

static enum manglecp_status judge_head(const struct ws_link *l, struct str head, const char *key,
                                       struct buf *why)
{
    struct arena arena;
    struct ws_acceptance answer;
    enum manglecp_status status = MANGLECP_ERR_TRANSPORT;
    mgi_arena_init(&arena, HEAD_BYTES * 64); /* each repetition is copied; so many are nobody's */
    if (mgi_answer_head_upgrade(&arena, head, &answer)) {
        const char *wrong = mgi_ws_judge_acceptance(&answer, key, SUBPROTOCOL);
        if (wrong)
            mgi_buf_printf(why, "%s is no WebSocket: %s (status %d)", l->address.url, wrong,
                           answer.status);
        else
            status = MANGLECP_OK;
    } else {
        mgi_buf_printf(why, "%s does not speak HTTP/1.1", l->address.url);
    }
    mgi_arena_fini(&arena);
    return status;
}

/* Read up to the empty line; what follows belongs to the codec. */
static enum manglecp_status await_head(struct ws_link *l, const char *key, int64_t deadline_ns,
                                       struct buf *why)
{
    for (;;) {
        struct str rest = mgi_intake_rest(&l->kept);
        size_t got, end = mgi_str_find(rest, STR_LIT("\r\n\r\n"));
        if (end != SIZE_MAX) {
            mgi_intake_leave(&l->kept, (struct str){ rest.ptr + end + 4, rest.len - end - 4 });
            return judge_head(l, (struct str){ rest.ptr, end }, key, why);
        }
        if (rest.len > HEAD_BYTES) {
            mgi_buf_printf(why, "%s answers with a head without end", l->address.url);
            return MANGLECP_ERR_TRANSPORT;
        }
        enum manglecp_status status = take_bytes(l, &got, why);
        if (!status && got == 0)
            status = wait_for_socket(l, false, deadline_ns, why);
        if (status)
            return status;
    }
}

/* Target and Host of the address. False: memory. */
static bool offer_of(const struct ws_link *l, const char *key, struct buf *out)
{
    char *target = NULL, *host = NULL;
    bool ok = mgi_address_parts(&l->api, l->address.url, &target, &host);
    if (ok)
        mgi_ws_put_offer(out, target, host, key, SUBPROTOCOL, "");
    mgi_free(target);
    mgi_free(host);
    return ok && !out->oom;
}

static enum manglecp_status shake_hands(struct ws_link *l, int64_t deadline_ns, struct buf *why)
{
    uint8_t random[16];
    char key[WS_KEY_TEXT + 1];
    struct buf offer = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    if (!mgi_random(random, sizeof random)) {
        mgi_buf_puts(why, "the system has no randomness");
        return MANGLECP_ERR_TRANSPORT;
    }
    mgi_ws_key(random, key);
    if (offer_of(l, key, &offer))
        status = put_bytes(l, mgi_buf_view(&offer), deadline_ns, why);
    mgi_buf_fini(&offer);
    return status ? status : await_head(l, key, deadline_ns, why);
}

/* ---- connecting ------------------------------------------------------------------------------ */

static void disconnect(struct ws_link *l)
{
    struct sigpipe_hold hold;
    if (l->curl) {
        put_close(l, WS_NORMAL);
        mgi_sigpipe_hold(&hold);
        l->api.easy_cleanup(l->curl);
        mgi_sigpipe_release(&hold);
    }
    if (l->codec_open)
        mgi_ws_fini(&l->codec);
    l->curl = NULL;
    l->codec_open = l->closing = false;
    mgi_intake_clear(&l->kept);
}

static enum manglecp_status connect_to(struct ws_link *l, int64_t deadline_ns, struct buf *why)
{
    struct sigpipe_hold hold;
    curl_socket_t fd = CURL_SOCKET_BAD;
    int64_t left_ms = (deadline_ns - mgi_clock_mono_ns()) / NS_PER_MS;
    int64_t connect_ms = l->options.connect_timeout_ms;
    l->curl = l->api.easy_init();
    if (!l->curl)
        return MANGLECP_ERR_NOMEM;
    l->fault[0] = '\0';
    left_ms = left_ms < 1 ? 1 : left_ms;
    mgi_curl_set_url(&l->api, l->curl, l->address.url);
    l->api.easy_setopt(l->curl, CURLOPT_CONNECT_ONLY, 1L);
    l->api.easy_setopt(l->curl, CURLOPT_HTTPPROXYTUNNEL, 1L);
    l->api.easy_setopt(l->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    l->api.easy_setopt(l->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    l->api.easy_setopt(l->curl, CURLOPT_ERRORBUFFER, l->fault);
    l->api.easy_setopt(l->curl, CURLOPT_NOSIGNAL, 1L);
    l->api.easy_setopt(l->curl, CURLOPT_TIMEOUT_MS, (long)left_ms);
    l->api.easy_setopt(l->curl, CURLOPT_CONNECTTIMEOUT_MS,
                       (long)(connect_ms < left_ms ? connect_ms : left_ms));
    if (l->options.ca_file)
        l->api.easy_setopt(l->curl, CURLOPT_CAINFO, l->options.ca_file);
    if (l->address.trusted && l->options.certificate)
        l->api.easy_setopt(l->curl, CURLOPT_SSLCERT, l->options.certificate);
    if (l->address.trusted && l->options.certificate_key)
        l->api.easy_setopt(l->curl, CURLOPT_SSLKEY, l->options.certificate_key);
    mgi_sigpipe_hold(&hold);
    CURLcode rc = l->api.easy_perform(l->curl);
    mgi_sigpipe_release(&hold);
    if (rc == CURLE_OK)
        rc = l->api.easy_getinfo(l->curl, CURLINFO_ACTIVESOCKET, &fd);
    if (rc != CURLE_OK)
        return curl_failed(l, rc, why);
    l->fd = fd;
    return MANGLECP_OK;
}

static enum manglecp_status ws_receive(struct link *link, struct incoming *in, int64_t deadline_ns,
                                       struct buf *why);

static enum manglecp_status ws_open(struct link *link, struct incoming *first, int64_t deadline_ns,
                                    struct buf *why)
{
    struct ws_link *l = (struct ws_link *)link;
    struct ws_codec_options codec = { .role = WS_CLIENT,
                                      .skip_binary = true,
                                      .max_message = LINK_ANSWER_BYTES };
    disconnect(l);
    enum manglecp_status status = connect_to(l, deadline_ns, why);
    l->closing = status != MANGLECP_OK; /* nobody is there to be told goodbye */
    if (!status) {
        l->closing = true; /* nor is it a WebSocket yet */
        status = shake_hands(l, deadline_ns, why);
    }
    if (!status) {
        l->closing = false;
        mgi_ws_init(&l->codec, &codec);
        l->codec_open = true;
        status = ws_receive(link, first, deadline_ns, why);
    }
    if (status)
        disconnect(l);
    return status;
}

/* ---- messages -------------------------------------------------------------------------------- */

static enum manglecp_status closed_by_server(struct ws_link *l, const struct ws_event *e,
                                             struct buf *why)
{
    put_close(l, e->code == WS_NO_CODE ? WS_NORMAL : e->code); /* P-WS-6 */
    mgi_buf_puts(why, "the server closed the connection");
    if (e->code != WS_NO_CODE)
        mgi_buf_printf(why, " with code %u", (unsigned)e->code);
    if (e->bytes.len > 0) {
        mgi_buf_puts(why, ": ");
        mgi_utf8_show(why, e->bytes);
    }
    return MANGLECP_ERR_TRANSPORT;
}

static enum manglecp_status broken(struct ws_link *l, uint16_t code, const char *what,
                                   struct buf *why)
{
    put_close(l, code);
    mgi_buf_puts(why, what);
    return MANGLECP_ERR_PROTOCOL;
}

/* One event of the codec. MANGLECP_OK with *taken: a message came. */
static enum manglecp_status take_event(struct ws_link *l, const struct ws_event *e,
                                       struct incoming *in, int64_t deadline_ns, bool *taken,
                                       struct buf *why)
{
    switch (e->kind) {
    case WS_TEXT:
        mgi_buf_clear(&in->text);
        mgi_buf_str(&in->text, e->bytes);
        in->http_status = 0;
        in->retry_after_ms = -1;
        *taken = true;
        return in->text.oom ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
    case WS_PING: { /* P-WS-9. Who only asks for what is there does not wait to answer, either */
        int64_t least_ns = mgi_clock_mono_ns() + GOODBYE_MS * NS_PER_MS;
        return put_frame(l, WS_OP_PONG, e->bytes, deadline_ns > least_ns ? deadline_ns : least_ns,
                         why);
    }
    case WS_CLOSE:
        return closed_by_server(l, e, why);
    case WS_FAULT:
        return broken(l, e->code, e->why, why);
    case WS_BINARY:
        return broken(l, WS_PROTOCOL_ERROR, "the server sent a message that is no text", why);
    case WS_TOO_LARGE:
        return broken(l, WS_TOO_BIG, "the server sent a message of more than 64 MiB", why);
    case WS_NOMEM:
        return MANGLECP_ERR_NOMEM;
    case WS_NONE:
    case WS_PONG:
        break;
    }
    return MANGLECP_OK;
}

static enum manglecp_status ws_receive(struct link *link, struct incoming *in, int64_t deadline_ns,
                                       struct buf *why)
{
    struct ws_link *l = (struct ws_link *)link;
    if (!l->codec_open) {
        mgi_buf_puts(why, "the connection to the server is gone");
        return MANGLECP_ERR_TRANSPORT;
    }
    for (int late = 0; late < LATE_STEPS; late += mgi_clock_mono_ns() >= deadline_ns) {
        struct str rest = mgi_intake_rest(&l->kept);
        struct ws_event e;
        bool taken = false;
        size_t got = 1;
        mgi_ws_next(&l->codec, &rest, &e);
        mgi_intake_leave(&l->kept, rest); /* first: an answer to a ping may take in more */
        enum manglecp_status status = take_event(l, &e, in, deadline_ns, &taken, why);
        if (status || taken)
            return status;
        if (e.kind == WS_NONE)
            status = take_bytes(l, &got, why);
        if (!status && got == 0)
            status = wait_for_socket(l, false, deadline_ns, why);
        if (status)
            return status;
    }
    /* Who sends pings and pieces without end keeps us from every wait, and so from the deadline. */
    mgi_buf_puts(why, "the server did not answer in time, and talks without end");
    return MANGLECP_ERR_TIMEOUT;
}

static enum manglecp_status ws_send(struct link *link, enum link_message what, struct str message,
                                    int64_t deadline_ns, bool *left, struct buf *why)
{
    (void)what;
    struct ws_link *l = (struct ws_link *)link;
    *left = false;
    if (!l->codec_open) {
        mgi_buf_puts(why, "the connection to the server is gone");
        return MANGLECP_ERR_TRANSPORT;
    }
    enum manglecp_status status = put_frame(l, WS_OP_TEXT, message, deadline_ns, why);
    *left = !status;
    return status;
}

static void ws_close(struct link *link)
{
    struct ws_link *l = (struct ws_link *)link;
    disconnect(l);
    mgi_address_fini(&l->address);
    mgi_intake_fini(&l->kept);
    mgi_buf_fini(&l->frame);
    mgi_arena_fini(&l->life);
    mgi_free(l);
}

static bool ws_withheld(const struct link *link)
{
    return !((const struct ws_link *)link)->address.trusted;
}

static bool ws_shows_certificate(const struct link *link)
{
    const struct ws_link *l = (const struct ws_link *)link;
    return l->options.certificate && l->address.trusted && mgi_address_is_tls(&l->address);
}

static const struct link_table ws_table = { .session = true,
                                            .renews = true,
                                            .open = ws_open,
                                            .send = ws_send,
                                            .receive = ws_receive,
                                            .withheld = ws_withheld,
                                            .shows_certificate = ws_shows_certificate,
                                            .close = ws_close };

/* ---- making one ------------------------------------------------------------------------------ */

/* Not connected yet, and without an address. */
static struct ws_link *make_ws(const struct manglecp_options *options, enum manglecp_status *status,
                               struct buf *why)
{
    struct ws_link *l = mgi_calloc(1, sizeof *l);
    *status = MANGLECP_ERR_NOMEM;
    if (!l)
        return NULL;
    l->link.table = &ws_table;
    l->options = *options;
    l->options.token = l->options.confirm_key = NULL; /* the session's business */
    mgi_arena_init(&l->life, 0);
    if (!mgi_curl_late_open(&l->api, why))
        *status = MANGLECP_ERR_TRANSPORT;
    else if (mgi_client_keep_files(&l->options, &l->life))
        return l;
    ws_close(&l->link);
    return NULL;
}

struct link *mgi_link_ws(const char *url, const struct manglecp_options *options,
                         enum manglecp_status *status, struct buf *why)
{
    struct ws_link *l = make_ws(options, status, why);
    if (!l)
        return NULL;
    *status = mgi_address_of_websocket(&l->api, url, &l->address, why);
    if (!*status && options->token && !options->insecure)
        *status = mgi_address_may_have_token(l->address.url, why);
    if (!*status)
        return &l->link;
    ws_close(&l->link);
    return NULL;
}

/* Where the manifest at `url` says that the WebSocket is. */
static enum manglecp_status find_announced(struct ws_link *l, const char *url, struct str text,
                                           struct buf *why)
{
    bool nomem;
    struct address base = { 0 };
    struct manifest *m = mgi_manifest_read(text, why, &nomem);
    enum manglecp_status status = nomem ? MANGLECP_ERR_NOMEM : MANGLECP_ERR_PROTOCOL;
    if (m && m->websocket.len == 0) {
        mgi_buf_printf(why, "%s announces no WebSocket", url);
        status = MANGLECP_ERR_TRANSPORT;
    } else if (m) {
        status = mgi_address_of_manifest(&l->api, url, &base, why);
    }
    if (!status)
        status = mgi_address_resolve(&l->api, base.url, m->websocket, &l->address, why);
    mgi_address_fini(&base);
    mgi_manifest_free(m);
    return status;
}

struct link *mgi_link_announced(const char *url, const struct manglecp_options *options,
                                enum manglecp_status *status, struct buf *why)
{
    struct incoming first = { 0 };
    struct link *http = mgi_link_http(url, options, status, why);
    if (!http)
        return NULL;
    int64_t deadline_ns = mgi_clock_mono_ns() + options->manifest_timeout_ms * NS_PER_MS;
    struct ws_link *l = NULL;
    *status = http->table->open(http, &first, deadline_ns, why);
    http->table->close(http);
    if (!*status)
        l = make_ws(options, status, why);
    if (l)
        *status = find_announced(l, url, mgi_buf_view(&first.text), why);
    mgi_buf_fini(&first.text);
    if (l && *status) {
        ws_close(&l->link);
        l = NULL;
    }
    return l ? &l->link : NULL;
}
