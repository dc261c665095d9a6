/* What a server behind an address answers, and what follows: see web.h. */
#include "web.h"

#include <stdio.h>
#include <string.h>

#include "web_int.h"

bool web_init(struct mcp_web *web, struct buf *why)
{
    if (!mgi_curl_late_open(&web->api, why))
        return false;
    web->speaks_old = web->is_old;
    web->multi = web->api.multi_init();
    if (!web->multi)
        mgi_buf_puts(why, "out of memory");
    return web->multi != NULL;
}

static void drop(struct mcp_web *web)
{
    for (size_t i = 0; i < WEB_MOST; i++)
        web_exchange_end(&web->exchanges[i]);
}

/* ---- sending --------------------------------------------------------------------------------- */

static struct web_exchange *free_place(struct mcp_web *web)
{
    for (size_t i = 0; i < WEB_MOST; i++)
        if (!web->exchanges[i].web)
            return &web->exchanges[i];
    return NULL;
}

/* In r5 the close of the stream is the cancellation, and no notification is sent. */
static bool is_cancellation(struct str line)
{
    return mgi_str_find(line, STR_LIT("\"method\":\"notifications/cancelled\"")) != SIZE_MAX;
}

static bool send_next(struct mcp_web *web)
{
    struct buf *out = &web->client->out;
    const char *end = out->len ? memchr(out->ptr, '\n', out->len) : NULL;
    struct web_exchange *x = end ? free_place(web) : NULL;
    if (!x || (web->speaks_old && !web->endpoint[0]))
        return false;
    size_t len = (size_t)(end - out->ptr);
    struct str line = { out->ptr, len };
    if (is_cancellation(line))
        drop(web);
    if (!is_cancellation(line) || web->client->era != MCP_ERA_MODERN) {
        bool good = web_exchange_post(x, web, line);
        web->reached |= good && x->is_request;
        if (!good) {
            web_exchange_end(x);
            mgi_mcp_client_lost(web->client, "out of memory");
        }
    }
    out->len -= len + 1;
    memmove(out->ptr, end + 1, out->len);
    return true;
}

/* ---- streams that are gone on with, and the one that listens --------------------------------- */

/* It goes back in a header. */
static bool is_usable_id(struct str id)
{
    for (size_t i = 0; i < id.len; i++)
        if (id.ptr[i] < ' ' || id.ptr[i] >= 0x7f)
            return false;
    return id.len > 0 && id.len <= WEB_SESSION_BYTES;
}

static void get(struct web_exchange *x, struct mcp_web *web)
{
    struct buf id = { 0 };
    if (x->web && is_usable_id(mgi_sse_last_id(&x->events)))
        mgi_buf_str(&id, mgi_sse_last_id(&x->events));
    bool good = !id.oom && web_exchange_get(x, web, mgi_buf_view(&id));
    mgi_buf_fini(&id);
    if (!good) {
        web_exchange_end(x);
        mgi_mcp_client_lost(web->client, "out of memory");
    }
}

static void again_later(struct web_exchange *x, int64_t now_ms)
{
    int64_t pause = x->events.retry_ms >= 0 ? x->events.retry_ms : WEB_RETRY_MS;
    pause = pause < WEB_LEAST_RETRY_MS ? WEB_LEAST_RETRY_MS : pause;
    x->again_at_ms = now_ms + (pause > WEB_MOST_RETRY_MS ? WEB_MOST_RETRY_MS : pause);
}

/* r1 always has it; others once they are ready, and if they tell of changes (X-ACT-10). */
static bool wants_to_listen(const struct mcp_web *web)
{
    const struct mcp_client *c = web->client;
    bool ready = c->state == MCP_READY || c->state == MCP_BUSY;
    if (web->listener.web || web->no_listener)
        return false;
    return web->speaks_old ? c->state != MCP_CLOSED
                           : ready && c->era == MCP_ERA_LEGACY && c->tells_changes;
}

static bool follow_streams(struct mcp_web *web, int64_t now_ms)
{
    bool moved = false;
    if (wants_to_listen(web)) {
        get(&web->listener, web);
        moved = true;
    }
    for (size_t i = 0; i <= WEB_MOST && web->client->state != MCP_BROKEN; i++) {
        struct web_exchange *x = i < WEB_MOST ? &web->exchanges[i] : &web->listener;
        if (x->web && x->again_at_ms && now_ms >= x->again_at_ms) {
            get(x, web);
            moved = true;
        }
    }
    return moved;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* For what this exchange was begun for; the client may have gone on meanwhile. */
static bool is_waiting(const struct web_exchange *x)
{
    const struct mcp_client *c = x->web->client;
    if (!x->is_request || x->id != c->last_id)
        return false;
    return c->state == MCP_PROBING || c->state == MCP_OPENING ||
           (c->state == MCP_BUSY && c->operation != MCP_OP_NONE);
}

static const char *describe(const struct web_exchange *x, CURLcode rc)
{
    if (x->web->was_private)
        return "it is at an address of a private network or of this machine, which is refused "
               "unless its entry says private: true";
    if (x->broken_off)
        return x->broken_off;
    switch (rc) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return "its name could not be resolved";
    case CURLE_COULDNT_CONNECT:
        return "it could not be connected to";
    case CURLE_PEER_FAILED_VERIFICATION:
        return "its certificate cannot be trusted";
    case CURLE_GOT_NOTHING:
        return "it closed the connection without an answer";
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
        return "it closed the connection in the middle of its answer";
    default:
        return x->web->api.easy_strerror(rc);
    }
}

/* What a status means that is no message. */
static void refuse(struct web_exchange *x, long status)
{
    struct mcp_web *web = x->web;
    char text[200 + WEB_CHALLENGE_BYTES];
    if (status == 401 || status == 403)
        snprintf(text, sizeof text,
                 "it answered %ld: the credentials in its headers are missing, or not enough%s%s",
                 status, x->challenge[0] ? ": " : "", x->challenge);
    else if (status == 404 && web->session[0])
        snprintf(text, sizeof text, "it answered 404: the session has ended");
    else if (status >= 300 && status < 400)
        snprintf(text, sizeof text,
                 "it answered %ld: redirects are followed within its origin, three times at most",
                 status);
    else
        snprintf(text, sizeof text, "it answered %ld", status);
    web->reached &= status < 400 || status >= 500;
    mgi_mcp_client_lost(web->client, text);
}

/* X-COMPAT-10: no server of today, but maybe one of r1, whose first address gives a stream. What
 * was refused is sent again, once there is somewhere to send it to. */
static bool try_old(struct web_exchange *x, long status)
{
    struct mcp_web *web = x->web;
    bool may = web->client->state == MCP_OPENING && !web->speaks_old &&
               (status == 400 || status == 404 || status == 405);
    if (!may || !mgi_buf_reserve(&web->client->out, x->body.len + 1))
        return false;
    struct buf rest = web->client->out;
    memmove(rest.ptr + x->body.len + 1, rest.ptr, rest.len);
    memcpy(rest.ptr, x->body.ptr, x->body.len);
    rest.ptr[x->body.len] = '\n';
    web->client->out.len += x->body.len + 1;
    web->speaks_old = true;
    return true;
}

/* The exchange of a request is over, and the client may wait still. */
static void answered(struct web_exchange *x, long status)
{
    struct mcp_web *web = x->web;
    struct mcp_client *c = web->client;
    bool denied = status == 401 || status == 403 || status >= 500;
    bool is_message = x->answer.len > 0 && (status >= 400 || !x->is_other);
    if (web->speaks_old && status < 300)
        return; /* its answer comes on the other stream */
    if (is_message && !denied && !x->is_get)
        mgi_mcp_client_take(c, mgi_buf_view(&x->answer), 1);
    if (!is_waiting(x) || try_old(x, status))
        return;
    if (c->state == MCP_PROBING && !denied && status >= 400)
        mgi_mcp_client_is_legacy(c);
    else if (status >= 300)
        refuse(x, status);
    else if (x->is_other && x->answer.len > 0)
        mgi_mcp_client_lost(c, "it answered with what is neither JSON nor a stream of events");
    else
        mgi_mcp_client_lost(c, "it ended its answer without the message that was waited for");
}

/* 307 and 308 keep method and body. True: it goes on elsewhere. */
static bool redirected(struct web_exchange *x, long status)
{
    char address[WEB_ADDRESS_BYTES];
    return (status == 307 || status == 308) && x->redirects < WEB_MOST_REDIRECTS &&
           web_address(&x->web->api, x->web->url, mgi_buf_view(&x->location), address) &&
           web_exchange_redirect(x, address);
}

/* X-HTTP-21: a stream that had an event id and ended before the answer. */
static bool can_go_on(const struct web_exchange *x, long status)
{
    return is_waiting(x) && !x->broken_off && x->is_stream && status == 200 &&
           x->web->client->era == MCP_ERA_LEGACY && is_usable_id(mgi_sse_last_id(&x->events));
}

/* Without it a server of r1 is not there; any other tells nothing unasked, until it is opened
 * again: then its tools are looked at, too, for what was missed. */
static void listener_ended(struct mcp_web *web, CURLcode rc, long status, int64_t now_ms)
{
    struct web_exchange *x = &web->listener;
    struct mcp_client *c = web->client;
    bool streamed = x->is_stream && status == 200 && !x->broken_off;
    if (!web->speaks_old && streamed) {
        if (c->events.changed)
            c->events.changed(c->events.context);
        again_later(x, now_ms);
        return;
    }
    web->no_listener = true;
    if (web->speaks_old && rc != CURLE_OK)
        mgi_mcp_client_lost(c, describe(x, rc));
    else if (web->speaks_old && streamed)
        mgi_mcp_client_lost(c, "it ended the stream that its answers come on");
    else if (web->speaks_old && status >= 300)
        refuse(x, status);
    else if (web->speaks_old)
        mgi_mcp_client_lost(c, "its address gives no stream of events");
    web_exchange_end(x);
}

static void finish(struct web_exchange *x, CURLcode rc, int64_t now_ms)
{
    struct mcp_web *web = x->web;
    long status = 0, sent = 0;
    web->api.easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    web->api.easy_getinfo(x->easy, CURLINFO_REQUEST_SIZE, &sent);
    if (rc == CURLE_OK && redirected(x, status))
        return;
    if (x == &web->listener) {
        listener_ended(web, rc, status, now_ms);
        return;
    }
    if (can_go_on(x, status)) {
        again_later(x, now_ms);
        return;
    }
    if (rc == CURLE_OK) {
        answered(x, status);
    } else if (is_waiting(x)) {
        web->reached &= sent > 0;
        mgi_mcp_client_lost(web->client, describe(x, rc));
    }
    web_exchange_end(x);
}

static bool take_moved(struct mcp_web *web)
{
    bool moved = web->listener.moved;
    web->listener.moved = false;
    for (size_t i = 0; i < WEB_MOST; i++) {
        moved |= web->exchanges[i].moved;
        web->exchanges[i].moved = false;
    }
    return moved;
}

bool web_pump(struct mcp_web *web, int64_t now_ms)
{
    int running, left;
    bool moved = follow_streams(web, now_ms);
    while (web->client->state != MCP_BROKEN && send_next(web))
        moved = true;
    web->api.multi_perform(web->multi, &running);
    moved |= take_moved(web);
    for (CURLMsg *m; (m = web->api.multi_info_read(web->multi, &left)) != NULL;) {
        char *mine = NULL;
        if (m->msg != CURLMSG_DONE)
            continue;
        CURLcode rc = m->data.result;
        web->api.easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &mine);
        finish((struct web_exchange *)(void *)mine, rc, now_ms);
        moved = true;
    }
    return moved;
}

void web_wait(struct mcp_web *web, int timeout_ms)
{
    web->api.multi_poll(web->multi, NULL, 0, timeout_ms, NULL);
}

void web_end(struct mcp_web *web, int grace_ms)
{
    drop(web);
    web_exchange_end(&web->listener);
    if (web->session[0] && grace_ms > 0) /* X-HTTP-16 */
        web_exchange_delete(web, grace_ms);
    web->session[0] = web->endpoint[0] = '\0';
    web->speaks_old = web->is_old;
    web->no_listener = false;
}

void web_fini(struct mcp_web *web)
{
    if (web->multi)
        web->api.multi_cleanup(web->multi);
    web->multi = NULL;
}
