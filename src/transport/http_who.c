/* A credential in the head counts before a certificate, and one that is refused is not made up for.
 */
#include "transport/http_who.h"

#include "net/stream_tls.h"
#include "server/server.h"
#include "transport/http_head.h"

/* Whose certificate did TLS see? A connection may be older than it: AUTH_EXPIRED, too, if it has
 * run out since. */
static enum auth_result certified(const struct http_credentials *from, const struct stream *s,
                                  const struct principal **who)
{
    const struct stream_tls *tls = mgi_stream_tls(s);
    if (!tls || !tls->client)
        return AUTH_REJECTED;
    enum auth_result result =
        from->certificate(from->context, str_of(tls->client->fingerprint), who);
    if (result != AUTH_GOOD || from->now_ns(from->context) < tls->client->expires_ns)
        return result;
    mgi_principal_unref(*who);
    *who = NULL;
    return AUTH_EXPIRED;
}

/* In an open demo: one who has shown nothing is told apart by where he is. */
static const struct principal *meet_stranger(const struct stream *s, struct wire_error *refusal)
{
    char place[STREAM_PLACE_BYTES];
    mgi_stream_place(s, place);
    const struct principal *who = mgi_principal_stranger(str_of(place), (struct str){ 0 });
    if (!who)
        *refusal = (struct wire_error){
            WIRE_INTERNAL_ERROR, "The server ran out of memory.", { NULL, 0 }, -1
        };
    return who;
}

/* Nothing was shown in the head: a certificate may have been, before. */
static const struct principal *meet(const struct http_credentials *from, const struct stream *s,
                                    struct wire_error *refusal)
{
    const struct principal *who = NULL;
    enum auth_result result = certified(from, s, &who);
    if (who)
        return who;
    if (from->open_demo)
        return meet_stranger(s, refusal);
    *refusal = mgi_server_refusal(result);
    if (result == AUTH_EXPIRED)
        return NULL;
    refusal->code = WIRE_AUTH_REQUIRED;
    refusal->details = STR_LIT("{\"schemes\":[\"bearer\"]}");
    refusal->message = mgi_stream_tls(s) && mgi_stream_tls(s)->client
                           ? "This server requires a bearer token in the Authorization header, or "
                             "a certificate that is listed."
                           : "This server requires a bearer token in the Authorization header.";
    return NULL;
}

const struct principal *mgi_http_identify(const struct http_credentials *from,
                                          const struct http1_request *r, const struct stream *s,
                                          struct wire_error *refusal)
{
    const struct principal *who = NULL;
    enum auth_result result = AUTH_REJECTED;
    struct str key = { NULL, 0 }, token;
    enum http_credential kind = mgi_http_bearer(mgi_http1_find(r, "authorization"), &token);
    if (from->takes_keys)
        key = mgi_http1_find(r, HTTP_KEY_FIELD);
    if (kind == CREDENTIAL_NONE && !key.ptr)
        return meet(from, s, refusal);
    if (kind == CREDENTIAL_BEARER)
        result = from->token(from->context, token, &who);
    else if (kind == CREDENTIAL_NONE)
        result = from->key(from->context, key, &who);
    *refusal = mgi_server_refusal(result);
    if (result == AUTH_UNSURE)
        refusal->code = WIRE_OK;
    if (kind == CREDENTIAL_OTHER)
        refusal->details = STR_LIT("{\"reason\":\"scheme\",\"schemes\":[\"bearer\"]}");
    return who;
}
