/* See web.h. */
#include "web.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "plugins/http/address.h"

bool web_init(struct mcp_web *web, struct buf *why)
{
    if (!mgi_curl_late_open(&web->api, why))
        return false;
    web->multi = web->api.multi_init();
    if (!web->multi)
        mgi_buf_puts(why, "out of memory");
    return web->multi != NULL;
}

static void end_exchange(struct web_exchange *x)
{
    struct mcp_web *web = x->web;
    if (!web)
        return;
    web->api.multi_remove_handle(web->multi, x->easy);
    web->api.easy_cleanup(x->easy);
    web->api.slist_free_all(x->headers);
    mgi_buf_fini(&x->body);
    mgi_buf_fini(&x->answer);
    mgi_sse_fini(&x->events);
    *x = (struct web_exchange){ 0 };
}

void web_drop(struct mcp_web *web)
{
    for (size_t i = 0; i < WEB_MOST; i++)
        end_exchange(&web->exchanges[i]);
}

void web_forget_session(struct mcp_web *web)
{
    web->session[0] = '\0';
}

/* ---- what libcurl asks ----------------------------------------------------------------------- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct mcp_web *web = context;
    (void)purpose;
    if (!web->may_be_private && !mgi_address_is_public(&a->addr, a->addrlen)) {
        web->was_private = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static bool take_events(struct web_exchange *x, struct str bytes)
{
    struct sse_event event;
    for (;;) {
        switch (mgi_sse_next(&x->events, &bytes, &event)) {
        case SSE_MORE:
            return true;
        case SSE_EVENT:
            if (event.data.len > 0 && (event.type.len == 0 || str_is(event.type, "message")))
                mgi_mcp_client_take(x->web->client, event.data, 1);
            break;
        case SSE_TOO_LONG:
            x->too_large = true;
            return false;
        case SSE_NOMEM:
            return false;
        }
    }
}

static size_t take_body(char *bytes, size_t one, size_t count, void *context)
{
    struct web_exchange *x = context;
    size_t len = one * count;
    if (x->is_stream)
        return take_events(x, (struct str){ bytes, len }) ? len : 0;
    if (len > MCP_MESSAGE_BYTES - x->answer.len) {
        x->too_large = true;
        return 0;
    }
    mgi_buf_append(&x->answer, bytes, len);
    return x->answer.oom ? 0 : len;
}

static bool is_header(struct str line, const char *name, struct str *value)
{
    size_t len = strlen(name);
    if (line.len <= len || line.ptr[len] != ':' || strncasecmp(line.ptr, name, len) != 0)
        return false;
    *value = mgi_str_trim((struct str){ line.ptr + len + 1, line.len - len - 1 }, " \t\r\n");
    return true;
}

/* Visible ASCII alone, or it is none (X-HTTP-14). */
static void keep_session(struct mcp_web *web, struct str id)
{
    bool good = id.len > 0 && id.len < sizeof web->session;
    for (size_t i = 0; good && i < id.len; i++)
        good = id.ptr[i] > 0x20 && id.ptr[i] < 0x7f;
    if (good)
        snprintf(web->session, sizeof web->session, "%.*s", STR_ARG(id));
}

static size_t take_header(char *bytes, size_t one, size_t count, void *context)
{
    struct web_exchange *x = context;
    struct str line = { bytes, one * count }, value;
    x->header_bytes += line.len;
    if (x->header_bytes > WEB_HEADER_BYTES) {
        x->too_large = true;
        return 0;
    }
    if (is_header(line, "content-type", &value))
        x->is_stream = value.len >= 17 && strncasecmp(value.ptr, "text/event-stream", 17) == 0;
    else if (is_header(line, "mcp-session-id", &value) && str_is(x->method, "initialize"))
        keep_session(x->web, value);
    return line.len;
}

/* ---- sending --------------------------------------------------------------------------------- */

static bool add_header(struct web_exchange *x, const char *line)
{
    struct curl_slist *longer = x->web->api.slist_append(x->headers, line);
    if (longer)
        x->headers = longer;
    return longer != NULL;
}

static bool add_pair(struct web_exchange *x, const char *name, struct str value)
{
    struct buf line = { 0 };
    if (value.len > 0)
        mgi_buf_printf(&line, "%s: %.*s", name, STR_ARG(value));
    else
        mgi_buf_printf(&line, "%s;", name); /* libcurl: an empty one is sent, too */
    bool good = !line.oom && add_header(x, line.ptr);
    mgi_buf_fini(&line);
    return good;
}

/* The version that this message is of: that of the probe is modern, that of initialize not told. */
static const char *version_of(const struct mcp_client *c)
{
    if (c->state == MCP_PROBING || c->era == MCP_ERA_MODERN)
        return mgi_mcp_features(MCP_MODERN)->date;
    return c->revision != MCP_NONE && c->state != MCP_OPENING ? mgi_mcp_features(c->revision)->date
                                                              : NULL;
}

/* X-HTTP-36, X-HTTP-38: what is not there, or null, is no header. */
static bool add_params(struct web_exchange *x, const struct json *arguments)
{
    const struct header_rules *rules = x->web->params;
    bool good = true;
    for (size_t i = 0; good && rules && i < rules->count; i++) {
        const struct json *v = mgi_mcp_header_argument(arguments, &rules->items[i]);
        struct buf name = { 0 }, value = { 0 };
        if (v && mgi_mcp_header_value(&value, v)) {
            mgi_buf_printf(&name, "Mcp-Param-%.*s", STR_ARG(rules->items[i].name));
            good = !name.oom && !value.oom && add_pair(x, name.ptr, mgi_buf_view(&value));
        }
        mgi_buf_fini(&value);
        mgi_buf_fini(&name);
    }
    return good;
}

static bool is_modern(const struct mcp_client *c)
{
    const char *version = version_of(c);
    return version && mgi_mcp_is_modern(str_of(version));
}

static bool add_headers(struct web_exchange *x, struct str name)
{
    struct mcp_web *web = x->web;
    const char *version = version_of(web->client);
    bool modern = is_modern(web->client);
    bool good = add_header(x, "Expect:") && add_header(x, "Content-Type: application/json") &&
                add_header(x, "Accept: application/json, text/event-stream");
    for (size_t i = 0; good && i < web->header_count; i++)
        good = add_header(x, web->headers[i]);
    if (good && version)
        good = add_pair(x, "MCP-Protocol-Version", str_of(version));
    if (good && modern && x->method.len > 0)
        good = add_pair(x, "Mcp-Method", x->method);
    if (good && modern && name.len > 0)
        good = add_pair(x, "Mcp-Name", name);
    if (good && !modern && web->session[0])
        good = add_pair(x, "Mcp-Session-Id", str_of(web->session));
    return good;
}

static void set_options(struct web_exchange *x, CURL *c)
{
    const struct curl_late *api = &x->web->api;
    api->easy_setopt(c, CURLOPT_URL, x->web->url);
    api->easy_setopt(c, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    api->easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    api->easy_setopt(c, CURLOPT_PROXY, "");
    api->easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    api->easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    api->easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    api->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    api->easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);
    /* A kept connection that breaks would make libcurl send a call twice (X-ACT-5). */
    api->easy_setopt(c, CURLOPT_FRESH_CONNECT, 1L);
    api->easy_setopt(c, CURLOPT_FORBID_REUSE, 1L);
    api->easy_setopt(c, CURLOPT_HTTPHEADER, x->headers);
    api->easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)x->body.len);
    api->easy_setopt(c, CURLOPT_POSTFIELDS, x->body.ptr);
    api->easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    api->easy_setopt(c, CURLOPT_OPENSOCKETDATA, x->web);
    api->easy_setopt(c, CURLOPT_WRITEFUNCTION, take_body);
    api->easy_setopt(c, CURLOPT_WRITEDATA, x);
    api->easy_setopt(c, CURLOPT_HEADERFUNCTION, take_header);
    api->easy_setopt(c, CURLOPT_HEADERDATA, x);
    api->easy_setopt(c, CURLOPT_PRIVATE, x);
}

static struct str text_of(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

/* The method stays a part of the body: our own messages have no escapes in it. */
static bool begin_exchange(struct mcp_web *web, struct web_exchange *x, struct str line)
{
    struct arena a;
    struct json v;
    *x = (struct web_exchange){ .web = web };
    mgi_sse_init(&x->events, MCP_MESSAGE_BYTES);
    x->easy = web->api.easy_init();
    mgi_buf_str(&x->body, line);
    mgi_arena_init(&a, 0);
    bool good = x->easy && !x->body.oom &&
                mgi_json_parse(&a, mgi_buf_view(&x->body), NULL, &v, NULL) == JSON_OK;
    if (good) {
        const struct json *params = mgi_json_get(&v, "params");
        bool calls = str_is(text_of(&v, "method"), "tools/call");
        x->method = text_of(&v, "method");
        const struct json *id = mgi_json_get(&v, "id");
        x->is_request = x->method.len > 0 && id && id->type == JSON_INT;
        x->id = x->is_request ? id->integer : 0;
        good = add_headers(x, calls ? text_of(params, "name") : STR_LIT(""));
        if (calls && is_modern(web->client))
            good = good && add_params(x, mgi_json_get(params, "arguments"));
    }
    mgi_arena_fini(&a);
    if (good)
        set_options(x, x->easy);
    return good && web->api.multi_add_handle(web->multi, x->easy) == CURLM_OK;
}

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
    if (!x)
        return false;
    size_t len = (size_t)(end - out->ptr);
    struct str line = { out->ptr, len };
    if (is_cancellation(line))
        web_drop(web);
    if (!is_cancellation(line) || web->client->era != MCP_ERA_MODERN) {
        bool good = begin_exchange(web, x, line);
        web->reached |= good && x->is_request;
        if (!good) {
            end_exchange(x);
            mgi_mcp_client_lost(web->client, "out of memory");
        }
    }
    out->len -= len + 1;
    memmove(out->ptr, end + 1, out->len);
    return true;
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
    if (x->too_large)
        return "it answered with more than 10 MiB";
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
static void refuse(struct mcp_web *web, long status)
{
    char text[200];
    if (status == 401 || status == 403)
        snprintf(text, sizeof text,
                 "it answered %ld: the credentials in its headers are missing, or not enough",
                 status);
    else if (status == 404 && web->session[0])
        snprintf(text, sizeof text, "it answered 404: the session has ended");
    else if (status >= 300 && status < 400)
        snprintf(text, sizeof text, "it answered %ld: redirects are not followed", status);
    else
        snprintf(text, sizeof text, "it answered %ld", status);
    web->reached &= status < 400 || status >= 500;
    mgi_mcp_client_lost(web->client, text);
}

/* The exchange of a request is over, and the client may wait still. */
static void answered(struct web_exchange *x, long status)
{
    struct mcp_web *web = x->web;
    struct mcp_client *c = web->client;
    bool denied = status == 401 || status == 403 || status >= 500;
    if (x->answer.len > 0 && !denied)
        mgi_mcp_client_take(c, mgi_buf_view(&x->answer), 1);
    if (!is_waiting(x))
        return;
    if (c->state == MCP_PROBING && !denied && status >= 400)
        mgi_mcp_client_is_legacy(c);
    else if (status >= 300)
        refuse(web, status);
    else
        mgi_mcp_client_lost(c, "it ended its answer without the message that was waited for");
}

static void finish(struct web_exchange *x, CURLcode rc)
{
    struct mcp_web *web = x->web;
    long status = 0, sent = 0;
    web->api.easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    web->api.easy_getinfo(x->easy, CURLINFO_REQUEST_SIZE, &sent);
    if (rc == CURLE_OK) {
        answered(x, status);
    } else if (is_waiting(x)) {
        web->reached &= sent > 0;
        mgi_mcp_client_lost(web->client, describe(x, rc));
    }
    end_exchange(x);
}

bool web_pump(struct mcp_web *web, int64_t now_ms)
{
    int running, left;
    bool moved = false;
    (void)now_ms;
    while (web->client->state != MCP_BROKEN && send_next(web))
        moved = true;
    web->api.multi_perform(web->multi, &running);
    for (CURLMsg *m; (m = web->api.multi_info_read(web->multi, &left)) != NULL;) {
        char *mine = NULL;
        if (m->msg != CURLMSG_DONE)
            continue;
        web->api.easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &mine);
        finish((struct web_exchange *)(void *)mine, m->data.result);
        moved = true;
    }
    return moved;
}

void web_wait(struct mcp_web *web, int timeout_ms)
{
    web->api.multi_poll(web->multi, NULL, 0, timeout_ms, NULL);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* X-HTTP-16; whatever it answers. */
static void end_session(struct mcp_web *web, int grace_ms)
{
    struct web_exchange x = { .web = web };
    x.easy = web->api.easy_init();
    mgi_sse_init(&x.events, MCP_MESSAGE_BYTES);
    if (!x.easy)
        return;
    if (add_headers(&x, STR_LIT(""))) {
        set_options(&x, x.easy);
        web->api.easy_setopt(x.easy, CURLOPT_CUSTOMREQUEST, "DELETE");
        web->api.easy_setopt(x.easy, CURLOPT_POSTFIELDS, "");
        web->api.easy_setopt(x.easy, CURLOPT_TIMEOUT_MS, (long)grace_ms);
        web->api.easy_perform(x.easy);
    }
    web->api.easy_cleanup(x.easy);
    web->api.slist_free_all(x.headers);
    mgi_buf_fini(&x.answer);
    mgi_sse_fini(&x.events);
}

void web_fini(struct mcp_web *web, int grace_ms)
{
    web_drop(web);
    if (web->session[0] && grace_ms > 0)
        end_session(web, grace_ms);
    web_forget_session(web);
}
