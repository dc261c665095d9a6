/* The way of a login, one question after the other; see oauth_login.h. */
#include "client/oauth_login.h"

#include <stdio.h>

#include "base/encode.h"
#include "base/time.h"
#include "base/url.h"
#include "client/manifest.h"
#include "client/oauth.h"
#include "client/oauth_http.h"
#include "client/oauth_loopback.h"
#include "client/origin.h"
#include "protocol/envelope.h"
#include "sys/clock.h"
#include "sys/random.h"

#define WELL_KNOWN     "/.well-known/manglecp/manifest.json"
#define MANIFEST_BYTES ((size_t)16 * 1024 * 1024)
#define SECRET_BYTES   32

struct walk {
    const struct oauth_login *order;
    struct curl_late api;
    struct arena *arena;
    struct buf *why;
    const char *target;
    const char *asked; /* of the server: what answered 401 */
    struct oauth_challenge challenge;
    struct oauth_resource resource;
    struct oauth_issuer issuer;
    struct oauth_attempt attempt;
    int listener; /* -1: none */
};

static enum manglecp_status give_up(const struct walk *w, const char *what)
{
    mgi_buf_puts(w->why, what);
    return MANGLECP_ERR_CREDENTIALS;
}

/* What a reader says: it did not take it, or memory is short. */
static enum manglecp_status taken(const struct walk *w, bool good)
{
    if (w->arena->oom || w->why->oom)
        return MANGLECP_ERR_NOMEM;
    return good ? MANGLECP_OK : MANGLECP_ERR_CREDENTIALS;
}

static int64_t deadline_of(const struct walk *w)
{
    return mgi_clock_mono_ns() + w->order->answer_ms * NS_PER_MS;
}

static enum manglecp_status ask_server(const struct walk *w, const char *url, struct str body,
                                       size_t max_bytes, struct oauth_reply *out)
{
    const struct oauth_ask ask = { .url = url,
                                   .body = body,
                                   .type = "application/json",
                                   .ca_file = w->order->ca_file,
                                   .certificate = w->order->certificate,
                                   .certificate_key = w->order->certificate_key,
                                   .max_bytes = max_bytes,
                                   .deadline_ns = deadline_of(w) };
    return mgi_oauth_ask(&w->api, &ask, out, w->why);
}

static enum manglecp_status ask_issuer(const struct walk *w, const char *url, const char *type,
                                       struct str body, struct oauth_reply *out)
{
    const struct oauth_ask ask = { .url = url,
                                   .body = body,
                                   .type = type,
                                   .ca_file = w->order->ca_file,
                                   .max_bytes = OAUTH_DOCUMENT_BYTES,
                                   .deadline_ns = deadline_of(w) };
    return mgi_oauth_ask(&w->api, &ask, out, w->why);
}

/* ---- where: the addresses of the server -------------------------------------------------------
 */

/* `reference`, as `base` means it, of the same origin. */
static enum manglecp_status resolve(const struct walk *w, const char *base, struct str reference,
                                    const char *what, const char **out)
{
    struct address address = { 0 };
    enum manglecp_status status = mgi_address_resolve(&w->api, base, reference, &address, w->why);
    if (!status && !address.trusted) {
        mgi_buf_printf(w->why, "%s is elsewhere: %s", what, address.url);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    if (!status && !(*out = mgi_arena_strdup(w->arena, address.url)))
        status = MANGLECP_ERR_NOMEM;
    mgi_address_fini(&address);
    return status;
}

/* ---- the server: its manifest, and its 401 ----------------------------------------------------
 */

static enum manglecp_status take_challenge(struct walk *w, const char *url,
                                           const struct oauth_reply *r)
{
    w->asked = url;
    bool good =
        mgi_oauth_challenge_read(w->arena, mgi_buf_view(&r->challenge), &w->challenge, w->why);
    enum manglecp_status status = taken(w, good);
    if (!status && !w->challenge.metadata)
        return give_up(w, "the server does not say who gives tokens for it (no resource_metadata "
                          "in its WWW-Authenticate)");
    return status;
}

/* Where intents go, as the manifest says. */
static enum manglecp_status find_endpoint(const struct walk *w, const char *url, struct str text,
                                          const char **out)
{
    bool nomem;
    struct manifest *m = mgi_manifest_read(text, w->why, &nomem);
    enum manglecp_status status = nomem ? MANGLECP_ERR_NOMEM : MANGLECP_ERR_PROTOCOL;
    if (m && !m->auth_required)
        status = give_up(w, "the server asks nobody who they are: there is nothing to log in to");
    else if (m && m->addresses.intent.ptr)
        status = resolve(w, url, m->addresses.intent, "where the manifest leads", out);
    else if (m)
        mgi_buf_puts(w->why, "the manifest says not where intents go");
    mgi_manifest_free(m);
    return status;
}

static enum manglecp_status read_manifest(struct walk *w, const char **endpoint)
{
    struct oauth_reply r;
    const char *url = w->target;
    enum manglecp_status status = MANGLECP_OK;
    *endpoint = NULL;
    if (mgi_address_is_websocket(w->order->target))
        status = resolve(w, w->target, STR_LIT(WELL_KNOWN), "the manifest", &url);
    if (!status)
        status = ask_server(w, url, (struct str){ NULL, 0 }, MANIFEST_BYTES, &r);
    if (status)
        return status;
    if (r.status == 200) {
        status = find_endpoint(w, url, mgi_buf_view(&r.body), endpoint);
    } else if (r.status == 401) {
        status = take_challenge(w, url, &r);
    } else {
        mgi_buf_printf(w->why, "%s answered with status %d, and is no manifest", url, r.status);
        status = MANGLECP_ERR_TRANSPORT;
    }
    mgi_oauth_reply_fini(&r);
    return status;
}

/* An intent without a token: it changes nothing, and its 401 says where tokens are. */
static enum manglecp_status draw_challenge(struct walk *w, const char *endpoint)
{
    struct buf intent = { 0 };
    struct oauth_reply r;
    struct json_writer j;
    mgi_json_writer_init(&j, &intent, 0);
    mgi_envelope_begin(&j, MSG_INTENT_REQUEST, STR_LIT("login"));
    mgi_jw_raw(&j, STR_LIT("{\"intent\":{\"name\":\"login\"},\"facts\":[]}"));
    mgi_envelope_end(&j);
    enum manglecp_status status =
        intent.oom ? MANGLECP_ERR_NOMEM
                   : ask_server(w, endpoint, mgi_buf_view(&intent), MANIFEST_BYTES, &r);
    mgi_buf_fini(&intent);
    if (status)
        return status;
    if (r.status == 401) {
        status = take_challenge(w, endpoint, &r);
    } else {
        mgi_buf_printf(w->why,
                       "%s answered with status %d to a request without a token, and not "
                       "with 401",
                       endpoint, r.status);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    mgi_oauth_reply_fini(&r);
    return status;
}

static enum manglecp_status ask_without_token(struct walk *w)
{
    const char *endpoint = NULL;
    enum manglecp_status status =
        mgi_address_of_target(&w->api, w->order->target, w->arena, &w->target, w->why);
    if (!status && strlen(w->target) > OAUTH_TEXT_MAX)
        return give_up(w, "the address is too long");
    if (!status && mgi_url_fault(w->target)) {
        mgi_buf_printf(w->why, "%s: a token would go there without TLS", w->target);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    if (!status)
        status = read_manifest(w, &endpoint);
    return status || !endpoint ? status : draw_challenge(w, endpoint);
}

/* ---- metadata ---------------------------------------------------------------------------------
 */

static enum manglecp_status read_resource(struct walk *w)
{
    struct oauth_reply r;
    const char *url;
    enum manglecp_status status =
        resolve(w, w->asked, str_of(w->challenge.metadata), "the metadata of the resource", &url);
    if (!status)
        status = ask_server(w, url, (struct str){ NULL, 0 }, OAUTH_DOCUMENT_BYTES, &r);
    if (status)
        return status;
    if (r.status == 200) {
        status = taken(w, mgi_oauth_resource_read(w->arena, mgi_buf_view(&r.body), w->asked,
                                                  &w->resource, w->why));
    } else {
        mgi_buf_printf(w->why, "%s answered with status %d, and is no metadata", url, r.status);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    mgi_oauth_reply_fini(&r);
    return status;
}

/* Of the places where it may be the first that has it. */
static enum manglecp_status read_issuer(struct walk *w)
{
    enum manglecp_status status = MANGLECP_OK;
    struct buf url = { 0 };
    int said = 0;
    bool found = false;
    for (unsigned n = 0; !status && !found && n < OAUTH_WELL_KNOWN; n++) {
        struct oauth_reply r;
        mgi_buf_clear(&url);
        if (!mgi_oauth_put_well_known(&url, w->resource.issuer, n))
            continue;
        status = url.oom ? MANGLECP_ERR_NOMEM
                         : ask_issuer(w, url.ptr, NULL, (struct str){ NULL, 0 }, &r);
        if (status)
            break;
        said = r.status;
        found = said == 200;
        if (found)
            status = taken(w, mgi_oauth_issuer_read(w->arena, mgi_buf_view(&r.body),
                                                    w->resource.issuer, &w->issuer, w->why));
        mgi_oauth_reply_fini(&r);
    }
    if (!status && !found) {
        mgi_buf_printf(w->why,
                       "%s does not say how one logs in there: its metadata is nowhere "
                       "(status %d)",
                       w->resource.issuer, said);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    mgi_buf_fini(&url);
    return status;
}

/* ---- who: the client ---------------------------------------------------------------------------
 */

static enum manglecp_status register_client(struct walk *w)
{
    struct buf body = { 0 };
    struct oauth_reply r;
    if (!w->issuer.registration) {
        mgi_buf_printf(w->why, "%s registers no clients: --client-id names one that it knows",
                       w->issuer.issuer);
        return MANGLECP_ERR_CREDENTIALS;
    }
    mgi_oauth_put_registration(&body, w->attempt.redirect, w->attempt.scope);
    enum manglecp_status status =
        body.oom
            ? MANGLECP_ERR_NOMEM
            : ask_issuer(w, w->issuer.registration, "application/json", mgi_buf_view(&body), &r);
    mgi_buf_fini(&body);
    if (status)
        return status;
    w->attempt.client_id =
        mgi_oauth_registration_read(w->arena, r.status, mgi_buf_view(&r.body), w->why);
    mgi_oauth_reply_fini(&r);
    return taken(w, w->attempt.client_id != NULL);
}

static bool make_secret(char out[OAUTH_SECRET_CHARS + 1])
{
    uint8_t random[SECRET_BYTES];
    if (!mgi_random(random, sizeof random))
        return false;
    mgi_base64url_encode(random, sizeof random, out);
    return true;
}

static enum manglecp_status begin_attempt(struct walk *w)
{
    struct oauth_attempt *t = &w->attempt;
    unsigned port = 0;
    *t = (struct oauth_attempt){ .issuer = &w->issuer,
                                 .client_id = w->order->client_id,
                                 .resource = w->resource.resource,
                                 .scope = w->order->scope ? w->order->scope : w->challenge.scope };
    if (!make_secret(t->verifier) || !make_secret(t->state)) {
        mgi_buf_puts(w->why, "the system has no randomness");
        return MANGLECP_ERR_TRANSPORT;
    }
    w->listener = mgi_loopback_open(&port, w->why);
    if (w->listener < 0)
        return MANGLECP_ERR_TRANSPORT;
    t->redirect = mgi_arena_printf(w->arena, "http://127.0.0.1:%u" LOOPBACK_PATH, port);
    if (!t->redirect)
        return MANGLECP_ERR_NOMEM;
    return t->client_id ? MANGLECP_OK : register_client(w);
}

/* ---- the browser, and the token ----------------------------------------------------------------
 */

static enum manglecp_status ask_person(struct walk *w, const char **code)
{
    struct buf url = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    int listener = w->listener;
    mgi_oauth_put_authorization(&url, &w->attempt);
    if (!url.oom) {
        w->order->show(w->order->context, url.ptr);
        w->listener = -1;
        status = mgi_loopback_await(listener, &w->attempt,
                                    mgi_clock_mono_ns() + w->order->browser_ms * NS_PER_MS,
                                    w->arena, code, w->why);
    }
    mgi_buf_fini(&url);
    return status;
}

static enum manglecp_status exchange_code(struct walk *w, const char *code, struct credential *out)
{
    struct buf form = { 0 };
    struct oauth_reply r;
    struct oauth_token token;
    mgi_oauth_put_exchange(&form, &w->attempt, code);
    enum manglecp_status status =
        form.oom ? MANGLECP_ERR_NOMEM
                 : ask_issuer(w, w->issuer.token, "application/x-www-form-urlencoded",
                              mgi_buf_view(&form), &r);
    mgi_buf_wipe(&form);
    if (status)
        return status;
    status =
        taken(w, mgi_oauth_token_read(w->arena, r.status, mgi_buf_view(&r.body), &token, w->why));
    mgi_oauth_reply_fini(&r);
    if (!status)
        *out = (struct credential){ .target = w->target,
                                    .resource = w->resource.resource,
                                    .issuer = w->issuer.issuer,
                                    .token_endpoint = w->issuer.token,
                                    .client_id = w->attempt.client_id,
                                    .access = token.access,
                                    .refresh = token.refresh,
                                    .ends_s = mgi_oauth_ends_s(&token,
                                                               mgi_clock_real_ns() / NS_PER_SEC) };
    return status;
}

enum manglecp_status mgi_oauth_login(const struct oauth_login *order, struct arena *a,
                                     struct credential *out, struct buf *why)
{
    struct walk w = { .order = order, .arena = a, .why = why, .listener = -1 };
    const char *code = NULL;
    *out = (struct credential){ 0 };
    if (!mgi_curl_late_open(&w.api, why))
        return MANGLECP_ERR_TRANSPORT;
    enum manglecp_status status = ask_without_token(&w);
    if (!status)
        status = read_resource(&w);
    if (!status)
        status = read_issuer(&w);
    if (!status)
        status = begin_attempt(&w);
    if (!status)
        status = ask_person(&w, &code);
    if (!status)
        status = exchange_code(&w, code, out);
    mgi_loopback_close(w.listener);
    explicit_bzero(&w.attempt, sizeof w.attempt);
    return status;
}
