/* The request that becomes a session. HTTP has judged Host and Origin before it comes here. */
#include <string.h>

#include "base/alloc.h"
#include "net/ws_upgrade.h"
#include "transport/http_head.h"
#include "transport/http_int.h"
#include "transport/ws_int.h"

/* ---- the head ---------------------------------------------------------------------------- */

/* A header's lines, joined by ", " as if they were one. */
struct joined {
    const char *name;
    struct str value; /* in `text`; ptr NULL: absent, or too long to be true */
    bool is_too_long;
    char text[512];
};

enum { UPGRADE, CONNECTION, VERSION, KEY, PROTOCOLS, HEADERS };

static void join(struct joined *j, struct str value)
{
    size_t used = j->value.len, comma = j->value.ptr ? 2 : 0;
    j->is_too_long |= value.len + comma > sizeof j->text - used;
    if (j->is_too_long) {
        j->value = (struct str){ NULL, 0 };
        return;
    }
    if (comma)
        memcpy(j->text + used, ", ", comma);
    if (value.len > 0)
        memcpy(j->text + used + comma, value.ptr, value.len);
    j->value = (struct str){ j->text, used + comma + value.len };
}

static void read_headers(const struct http1_request *r, struct joined *all)
{
    struct str rest = { NULL, 0 }, name, value;
    while (mgi_http1_field(r, &rest, &name, &value))
        for (size_t i = 0; i < HEADERS; i++)
            if (mgi_http1_same(name, all[i].name))
                join(&all[i], value);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void refuse(struct http_connection *c, int status, const char *why)
{
    struct wire_error e = { WIRE_MALFORMED_MESSAGE, why, STR_LIT("{\"reason\":\"http\"}"), -1 };
    if (status != 400) {
        e.code = status == 426 ? WIRE_X_UPGRADE_REQUIRED : WIRE_X_METHOD_NOT_ALLOWED;
        e.details = (struct str){ NULL, 0 };
    }
    mgi_http_refuse(c, &e, status == 405 ? "GET" : NULL);
}

/* ---- the request ------------------------------------------------------------------------- */

/* What is to be judged again while the session lasts: the head is gone then. */
static void keep_token(const struct http1_request *r, const struct principal *who, struct buf *out)
{
    struct str token;
    if (who && who->issuer.len > 0 &&
        mgi_http_bearer(mgi_http1_find(r, "authorization"), &token) == CREDENTIAL_BEARER)
        mgi_buf_str(out, token);
}

/* Take the stream over and begin. */
static void accept_offer(struct ws_api *api, struct http_connection *c,
                         const struct joined *headers, const struct principal *who)
{
    struct buf fields = { 0 }, rest = { 0 }, token = { 0 };
    bool ours = mgi_ws_offers(headers[PROTOCOLS].value, WS_SUBPROTOCOL);
    mgi_ws_put_acceptance(&fields, headers[KEY].value, ours ? WS_SUBPROTOCOL : NULL);
    keep_token(mgi_http_request(c), who, &token);
    if (fields.oom || token.oom) {
        mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    } else {
        struct stream *stream = mgi_http_take_over(c, mgi_buf_view(&fields), &rest);
        if (stream)
            mgi_ws_session_begin(api, stream, who, mgi_buf_view(&token), &rest);
    }
    mgi_buf_fini(&fields);
    mgi_buf_fini(&rest);
    if (token.ptr)
        explicit_bzero(token.ptr, token.len);
    mgi_buf_fini(&token);
}

static void run_upgrade(void *context, struct http_connection *c)
{
    struct ws_api *api = context;
    const struct http1_request *r = mgi_http_request(c);
    struct joined headers[HEADERS] = {
        [UPGRADE] = { .name = "upgrade" },
        [CONNECTION] = { .name = "connection" },
        [VERSION] = { .name = "sec-websocket-version" },
        [KEY] = { .name = "sec-websocket-key" },
        [PROTOCOLS] = { .name = "sec-websocket-protocol" },
    };
    read_headers(r, headers);
    struct ws_offer offer = {
        .is_get = str_is(r->method, "GET"),
        .http_major = 1,
        .http_minor = r->minor_zero ? 0 : 1,
        .upgrade = headers[UPGRADE].value,
        .connection = headers[CONNECTION].value,
        .version = headers[VERSION].value,
        .key = headers[KEY].value,
        .protocols = headers[PROTOCOLS].value,
    };
    const char *why;
    int status = mgi_ws_judge_offer(&offer, &why);
    if (status != 101) {
        refuse(c, status, why);
    } else if (api->stopping) {
        const struct wire_error e = { WIRE_SERVER_NOT_READY, "The server is stopping.",
                                      STR_LIT("{\"status\":\"draining\"}"), 1000 };
        mgi_http_refuse(c, &e, NULL);
    } else {
        const struct principal *who = mgi_principal_ref(mgi_http_who(c));
        accept_offer(api, c, headers, who);
        mgi_principal_unref(who);
    }
}

/* ---- the API ----------------------------------------------------------------------------- */

struct ws_api *mgi_ws_api_new(const struct ws_options *options)
{
    struct ws_api *api = mgi_calloc(1, sizeof *api);
    if (!api)
        return NULL;
    api->options = *options;
    api->row = (struct http_route){ .path = options->path ? options->path : WS_PATH,
                                    .hears_credential = true, /* `authenticate` may follow */
                                    .run = run_upgrade };
    return api;
}

bool mgi_ws_api_add(struct ws_api *api, struct http_listener *l)
{
    return mgi_http_add(l, &api->row, 1, api);
}

void mgi_ws_api_limit(struct ws_api *api, size_t max_message_bytes)
{
    api->options.max_message_bytes = max_message_bytes;
    for (struct ws_session *s = api->sessions; s; s = mgi_ws_session_next(s))
        mgi_ws_session_limit(s, max_message_bytes);
}

uint32_t mgi_ws_sessions(const struct ws_api *api)
{
    return api->count;
}

void mgi_ws_api_stop(struct ws_api *api)
{
    api->stopping = true;
    for (struct ws_session *s = api->sessions, *next; s; s = next) {
        next = mgi_ws_session_next(s);
        mgi_ws_session_stop(s); /* freed from the loop */
    }
}

void mgi_ws_api_cut(struct ws_api *api)
{
    api->stopping = true;
    for (struct ws_session *s = api->sessions; s; s = mgi_ws_session_next(s))
        mgi_ws_session_cut(s);
}

void mgi_ws_api_free(struct ws_api *api)
{
    mgi_free(api);
}
