/* The rows of the API. The manifest is written, tagged and compressed once for each of the server's
 * epochs, not for each request. A post becomes a peer of the server with one message. */
#include "transport/http_api.h"

#include <assert.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "net/gzip.h"
#include "server/peer.h"
#include "sys/digest.h"
#include "transport/http_head.h"
#include "transport/http_who.h"
#include "transport/resource.h"

#define ETAG_HEX 32
#define PACK_MAX ((size_t)64 * 1024) /* a millisecond's work: larger ones are sent as they are */

struct http_api {
    struct http_api_options options;
    struct http_route rows[4];
    size_t row_count;
    struct buf resource_path, resource; /* who issues tokens; empty: nobody else */
    uint64_t epoch;                     /* of the manifest below */
    bool written;
    struct buf manifest, packed;
    char etag[ETAG_HEX + 3];
};

/* ---- the manifest ------------------------------------------------------------------------ */

static bool write_manifest(struct http_api *api)
{
    const struct http_api_options *o = &api->options;
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    uint64_t epoch = mgi_server_epoch(o->server);
    if (api->written && api->epoch == epoch)
        return true;
    api->written = false;
    mgi_buf_fini(&api->manifest);
    mgi_buf_fini(&api->packed);
    mgi_server_manifest(o->server, false, !o->open_demo, &api->manifest);
    if (api->manifest.oom || !mgi_sha256(api->manifest.ptr, api->manifest.len, digest))
        return false;
    mgi_hex(digest, sizeof digest, hex);
    snprintf(api->etag, sizeof api->etag, "\"%.*s\"", ETAG_HEX, hex);
    if (api->manifest.len <= PACK_MAX)
        mgi_gzip(mgi_buf_view(&api->manifest), &api->packed);
    if (api->packed.oom || api->packed.len >= api->manifest.len)
        mgi_buf_fini(&api->packed); /* only the plain form, then */
    api->epoch = epoch;
    api->written = true;
    return true;
}

static void run_manifest(void *context, struct http_connection *c)
{
    struct http_api *api = context;
    if (!write_manifest(api)) {
        mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        return;
    }
    bool ready = mgi_server_status(api->options.server) == SERVER_READY;
    struct http_answer a = {
        .status = 200,
        .body = mgi_buf_view(&api->manifest),
        .packed = mgi_buf_view(&api->packed),
        .etag = api->etag,
        .cache_control = ready ? "public, max-age=300" : "no-cache", /* P-HTTP-21 */
    };
    mgi_http_answer(c, &a);
}

/* ---- who issues tokens ------------------------------------------------------------------- */

static void run_resource(void *context, struct http_connection *c)
{
    struct http_api *api = context;
    struct http_answer a = { .status = 200,
                             .body = mgi_buf_view(&api->resource),
                             .cache_control = "public, max-age=300" };
    mgi_http_answer(c, &a);
}

static bool write_resource(struct http_api *api)
{
    const struct issuer *issuer = api->options.issuer;
    if (!issuer)
        return true;
    mgi_resource_put_path(&api->resource_path, issuer->resource);
    mgi_resource_put_metadata(&api->resource, issuer);
    api->rows[api->row_count++] =
        (struct http_route){ .path = api->resource_path.ptr, .run = run_resource };
    return !api->resource_path.oom && !api->resource.oom;
}

/* ---- one post: a peer with one message --------------------------------------------------- */

struct call {
    struct http_connection *c; /* NULL: answered, or gone */
    struct peer *peer;
};

static bool call_send(void *connection, struct str message, int http_status, bool last,
                      int64_t retry_after_ms)
{
    (void)last;
    struct call *call = connection;
    struct http_connection *c = call->c;
    if (!c)
        return false;
    call->c = NULL;
    struct http_answer a = { .status = http_status,
                             .body = message,
                             .retry_after_ms = retry_after_ms > 0 ? retry_after_ms : 0,
                             .may_pack = http_status == 200,
                             .is_insufficient =
                                 mgi_peer_said(call->peer) == WIRE_AUTH_INSUFFICIENT };
    mgi_http_answer(c, &a);
    return true;
}

/* The peer is over, answered or not. */
static void call_close(void *connection, const char *why)
{
    (void)why;
    struct call *call = connection;
    struct http_connection *c = call->c;
    mgi_peer_gone(call->peer);
    mgi_free(call);
    if (c) /* it ended without an answer: nothing more can be said */
        mgi_http_abandon(c);
}

/* The client has left: P-CONC-9. */
static void call_gone(void *context)
{
    struct call *call = context;
    struct peer *peer = call->peer;
    mgi_free(call);
    mgi_peer_gone(peer);
}

static const struct peer_transport http_table = {
    .name = "http",
    .session = false,
    .send = call_send,
    .close = call_close,
};

static void run_call(struct http_api *api, struct http_connection *c, enum endpoint endpoint)
{
    struct call *call = mgi_calloc(1, sizeof *call);
    struct peer_options options = {
        .transport = &http_table,
        .connection = call,
        .auth_required = true,
        .who = mgi_http_who(c),
        .refusal = mgi_http_refusal(c),
        .traceparent = mgi_http1_find(mgi_http_request(c), "traceparent"),
    };
    struct peer *peer = call ? mgi_peer_new(api->options.server, &options) : NULL;
    if (!peer) {
        mgi_free(call);
        mgi_http_error(c, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        return;
    }
    *call = (struct call){ .c = c, .peer = peer };
    mgi_http_wait(c, call_gone, call);
    mgi_peer_message(peer, mgi_http_body(c), endpoint);
    mgi_peer_end(peer);
}

static void run_intent(void *context, struct http_connection *c)
{
    run_call(context, c, ENDPOINT_INTENT);
}

static void run_invoke(void *context, struct http_connection *c)
{
    run_call(context, c, ENDPOINT_INVOKE);
}

/* ---- who asks ---------------------------------------------------------------------------- */

static enum auth_result check_token(void *context, struct str token, const struct principal **who)
{
    return mgi_server_identify(context, token, who);
}

static enum auth_result check_key(void *context, struct str key, const struct principal **who)
{
    return mgi_server_identify_key(context, key, who);
}

static enum auth_result check_certificate(void *context, struct str fingerprint,
                                          const struct principal **who)
{
    return mgi_server_identify_certificate(context, fingerprint, who);
}

static int64_t server_now_ns(void *context)
{
    return mgi_server_now_ns(context);
}

static const struct principal *identify(void *context, const struct http1_request *r,
                                        const struct stream *s, struct wire_error *refusal)
{
    const struct http_api_options *o = &((struct http_api *)context)->options;
    const struct http_credentials from = { .token = check_token,
                                           .key = check_key,
                                           .certificate = check_certificate,
                                           .now_ns = server_now_ns,
                                           .context = o->server,
                                           .takes_keys = mgi_server_takes_keys(o->server),
                                           .open_demo = o->open_demo };
    return mgi_http_identify(&from, r, s, refusal);
}

static void token_judged(void *context, enum auth_result result, const struct principal *who)
{
    const struct wire_error refusal = mgi_server_refusal(result);
    mgi_http_judged(context, who, &refusal);
}

/* The token that identify() was not sure of. */
static void *judge_token(void *context, const struct http1_request *r, const struct stream *s,
                         struct http_connection *c, struct wire_error *refusal)
{
    const struct http_api_options *o = &((struct http_api *)context)->options;
    struct str token;
    (void)mgi_http_bearer(mgi_http1_find(r, "authorization"), &token);
    char place[STREAM_PLACE_BYTES];
    mgi_stream_place(s, place);
    struct login *login = mgi_server_judge(o->server, token, place, token_judged, c);
    if (!login)
        *refusal = mgi_server_refusal(AUTH_UNREACHABLE);
    return login;
}

static void unjudge_token(void *context, void *judging)
{
    (void)context;
    mgi_login_forget(judging);
}

static void release_who(void *context, const struct principal *who)
{
    (void)context;
    mgi_principal_unref(who);
}

void mgi_http_api_identify(struct http_api *api, struct http_options *options)
{
    options->identify = identify;
    options->judge = judge_token;
    options->unjudge = unjudge_token;
    options->release = release_who;
    options->context = api;
}

/* ---- beginning and end ------------------------------------------------------------------- */

struct http_api *mgi_http_api_new(const struct http_api_options *options)
{
    struct http_api *api = mgi_calloc(1, sizeof *api);
    if (!api)
        return NULL;
    api->options = *options;
    api->rows[0] = (struct http_route){ .path = HTTP_MANIFEST_PATH, .run = run_manifest };
    api->rows[1] = (struct http_route){
        .path = HTTP_INTENT_PATH,
        .method = "POST",
        .content_type = "application/json",
        .needs_credential = true,
        .hears_refusals = true,
        .run = run_intent,
    };
    api->rows[2] = api->rows[1];
    api->rows[2].path = HTTP_INVOKE_PATH;
    api->rows[2].run = run_invoke;
    api->row_count = 3;
    if (!write_resource(api)) {
        mgi_http_api_free(api);
        return NULL;
    }
    mgi_http_api_limit(api, options->max_message_bytes);
    return api;
}

void mgi_http_api_limit(struct http_api *api, size_t max_message_bytes)
{
    api->rows[1].max_body = api->rows[2].max_body = max_message_bytes;
}

void mgi_http_api_free(struct http_api *api)
{
    if (!api)
        return;
    mgi_buf_fini(&api->manifest);
    mgi_buf_fini(&api->packed);
    mgi_buf_fini(&api->resource_path);
    mgi_buf_fini(&api->resource);
    mgi_free(api);
}

bool mgi_http_api_add(struct http_api *api, struct http_listener *l)
{
    return mgi_http_add(l, api->rows, api->row_count, api);
}
