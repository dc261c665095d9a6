/* One request on the wire, and what comes back: see web_int.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "plugins/http/address.h"
#include "web_int.h"

/* ---- what libcurl asks and tells ------------------------------------------------------------- */

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

/* r1: the first event of its stream says where messages go. */
static bool take_endpoint(struct web_exchange *x, struct str address)
{
    if (web_address(&x->web->api, x->web->url, address, x->web->endpoint))
        return true;
    x->web->endpoint[0] = '\0';
    x->broken_off = "it wants messages to be sent to another origin, or to no address at all";
    return false;
}

static bool take_event(struct web_exchange *x, const struct sse_event *event)
{
    bool is_message = event->type.len == 0 || str_is(event->type, "message");
    if (x == &x->web->listener && x->web->speaks_old && str_is(event->type, "endpoint"))
        return take_endpoint(x, event->data);
    if (event->data.len > 0 && is_message)
        mgi_mcp_client_take(x->web->client, event->data, 1);
    return true;
}

static bool take_events(struct web_exchange *x, struct str bytes)
{
    struct sse_event event;
    for (;;) {
        switch (mgi_sse_next(&x->events, &bytes, &event)) {
        case SSE_MORE:
            return true;
        case SSE_EVENT:
            if (!take_event(x, &event))
                return false;
            break;
        case SSE_TOO_LONG:
            x->broken_off = "it answered with more than 10 MiB";
            return false;
        case SSE_NOMEM:
            x->broken_off = "out of memory";
            return false;
        }
    }
}

static size_t take_body(char *bytes, size_t one, size_t count, void *context)
{
    struct web_exchange *x = context;
    size_t len = one * count;
    x->moved = true;
    if (x->is_stream)
        return take_events(x, (struct str){ bytes, len }) ? len : 0;
    if (len > MCP_MESSAGE_BYTES - x->answer.len) {
        x->broken_off = "it answered with more than 10 MiB";
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

static bool is_type(struct str value, const char *type)
{
    size_t len = strlen(type);
    return value.len >= len && strncasecmp(value.ptr, type, len) == 0 &&
           (value.len == len || strchr("; \t", value.ptr[len]));
}

/* For people (X-AUTH-2, X-AUTH-4): realm, scope, resource_metadata. */
static void keep_challenge(struct web_exchange *x, struct str value)
{
    size_t len = value.len < sizeof x->challenge ? value.len : sizeof x->challenge - 1;
    for (size_t i = 0; i < len; i++)
        x->challenge[i] = (char)(value.ptr[i] >= ' ' && value.ptr[i] < 0x7f ? value.ptr[i] : '?');
    x->challenge[len] = '\0';
}

static void take_known_header(struct web_exchange *x, struct str line)
{
    struct str value;
    if (is_header(line, "content-type", &value)) {
        x->is_stream = is_type(value, "text/event-stream");
        x->is_other = !x->is_stream && !is_type(value, "application/json");
    } else if (is_header(line, "content-encoding", &value)) {
        if (!str_is(value, "identity"))
            x->broken_off = "its answer is compressed, which nobody asked for";
    } else if (is_header(line, "www-authenticate", &value)) {
        keep_challenge(x, value);
    } else if (is_header(line, "location", &value)) {
        x->location.len = 0;
        mgi_buf_str(&x->location, value);
    } else if (is_header(line, "mcp-session-id", &value) && str_is(x->method, "initialize")) {
        keep_session(x->web, value);
    }
}

static size_t take_header(char *bytes, size_t one, size_t count, void *context)
{
    struct web_exchange *x = context;
    struct str line = { bytes, one * count };
    x->moved = true;
    x->header_bytes += line.len;
    if (x->header_bytes > WEB_HEADER_BYTES)
        x->broken_off = "the headers of its answer are longer than 64 KiB";
    else
        take_known_header(x, line);
    return x->broken_off ? 0 : line.len;
}

/* ---- headers --------------------------------------------------------------------------------- */

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

/* Those of every request; `name` is that of the tool that is called. */
static bool add_headers(struct web_exchange *x, struct str name)
{
    struct mcp_web *web = x->web;
    const char *version = version_of(web->client);
    bool modern = is_modern(web->client);
    bool good = add_header(x, "Expect:") &&
                (x->is_get ? add_header(x, "Accept: text/event-stream")
                           : add_header(x, "Content-Type: application/json") &&
                                 add_header(x, "Accept: application/json, text/event-stream"));
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

/* ---- beginning and ending -------------------------------------------------------------------- */

static void set_options(struct web_exchange *x, const char *address)
{
    const struct curl_late *api = &x->web->api;
    CURL *c = x->easy;
    api->easy_setopt(c, CURLOPT_URL, address);
    mgi_curl_bind(api, c);
    /* A kept connection that breaks would make libcurl send a call twice (X-ACT-5). */
    api->easy_setopt(c, CURLOPT_FRESH_CONNECT, 1L);
    api->easy_setopt(c, CURLOPT_FORBID_REUSE, 1L);
    api->easy_setopt(c, CURLOPT_HTTPHEADER, x->headers);
    if (!x->is_get) {
        api->easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)x->body.len);
        api->easy_setopt(c, CURLOPT_POSTFIELDS, x->body.ptr ? x->body.ptr : "");
    }
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

static bool start(struct web_exchange *x, const char *address)
{
    set_options(x, address);
    x->is_stream = x->is_other = false;
    x->header_bytes = 0;
    x->again_at_ms = 0;
    return x->web->api.multi_add_handle(x->web->multi, x->easy) == CURLM_OK;
}

/* The method stays a part of the body: our own messages have no escapes in it. */
bool web_exchange_post(struct web_exchange *x, struct mcp_web *web, struct str line)
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
        const struct json *id = mgi_json_get(&v, "id");
        x->method = text_of(&v, "method");
        bool calls = str_is(x->method, "tools/call");
        x->is_request = x->method.len > 0 && id && id->type == JSON_INT;
        x->id = x->is_request ? id->integer : 0;
        good = add_headers(x, calls ? text_of(params, "name") : STR_LIT(""));
        if (calls && is_modern(web->client))
            good = good && add_params(x, mgi_json_get(params, "arguments"));
    }
    mgi_arena_fini(&a);
    return good && start(x, web->speaks_old ? web->endpoint : web->url);
}

static void stop(struct web_exchange *x)
{
    if (!x->easy)
        return;
    x->web->api.multi_remove_handle(x->web->multi, x->easy);
    x->web->api.easy_cleanup(x->easy);
    x->web->api.slist_free_all(x->headers);
    x->easy = NULL;
    x->headers = NULL;
}

bool web_exchange_get(struct web_exchange *x, struct mcp_web *web, struct str last_id)
{
    if (!x->web)
        mgi_sse_init(&x->events, MCP_MESSAGE_BYTES);
    x->web = web;
    stop(x);
    x->answer.len = 0;
    mgi_sse_restart(&x->events);
    x->is_get = true;
    x->easy = web->api.easy_init();
    return x->easy && add_headers(x, STR_LIT("")) &&
           (last_id.len == 0 || add_pair(x, "Last-Event-ID", last_id)) && start(x, web->url);
}

bool web_exchange_redirect(struct web_exchange *x, const char *address)
{
    x->redirects++;
    x->answer.len = x->location.len = 0;
    x->web->api.multi_remove_handle(x->web->multi, x->easy);
    return start(x, address);
}

void web_exchange_end(struct web_exchange *x)
{
    if (!x->web)
        return;
    stop(x);
    mgi_buf_fini(&x->body);
    mgi_buf_fini(&x->answer);
    mgi_buf_fini(&x->location);
    mgi_sse_fini(&x->events);
    *x = (struct web_exchange){ 0 };
}

void web_exchange_delete(struct mcp_web *web, int grace_ms)
{
    struct web_exchange x = { .web = web };
    x.easy = web->api.easy_init();
    mgi_sse_init(&x.events, MCP_MESSAGE_BYTES);
    if (x.easy && add_headers(&x, STR_LIT(""))) {
        set_options(&x, web->url);
        web->api.easy_setopt(x.easy, CURLOPT_CUSTOMREQUEST, "DELETE");
        web->api.easy_setopt(x.easy, CURLOPT_TIMEOUT_MS, (long)grace_ms);
        web->api.easy_perform(x.easy);
    }
    if (x.easy)
        web->api.easy_cleanup(x.easy);
    x.easy = NULL;
    web->api.slist_free_all(x.headers);
    x.headers = NULL;
    web_exchange_end(&x);
}
