/* What a resource and an issuer say of themselves, and how a client becomes known to an issuer. */
#include "base/url.h"
#include "client/oauth.h"
#include "client/oauth_reading.h"

bool mgi_oauth_resource_read(struct arena *a, struct str text, const char *address,
                             struct oauth_resource *out, struct buf *why)
{
    struct oauth_reading r;
    *out = (struct oauth_resource){ 0 };
    if (!mgi_oauth_reading(&r, a, "the metadata of the resource", text, why))
        return false;
    const char *resource = mgi_oauth_address(&r, "resource", OAUTH_NEEDED);
    const struct json *issuers = mgi_json_get(&r.object, "authorization_servers");
    if (!r.bad && !mgi_url_covers(resource, address)) {
        struct buf shown = { 0 };
        mgi_oauth_quote(&shown, str_of(resource));
        mgi_oauth_reading_fault(&r, "is that of %s, and not of %s", mgi_buf_view(&shown).ptr,
                                address);
        mgi_buf_fini(&shown);
    }
    if (!issuers || issuers->type != JSON_ARRAY || issuers->count == 0 ||
        issuers->count > OAUTH_ISSUERS_MAX || issuers->items[0].type != JSON_STRING)
        return mgi_oauth_reading_fault(&r, "names no authorization_servers");
    struct str issuer = mgi_arena_str(a, issuers->items[0].string);
    const char *fault = issuer.ptr ? mgi_url_fault(issuer.ptr) : NULL;
    if (issuer.ptr && !fault && (issuer.len > OAUTH_TEXT_MAX || strpbrk(issuer.ptr, "?#")))
        fault = "it is too long, or has a query or a fragment";
    if (fault)
        return mgi_oauth_reading_fault(&r, "names an authorization server that is not taken: %s",
                                       fault);
    if (!issuer.ptr || r.bad)
        return false;
    *out = (struct oauth_resource){ resource, issuer.ptr };
    return true;
}

bool mgi_oauth_put_well_known(struct buf *out, const char *issuer, unsigned n)
{
    static const char oauth[] = "/.well-known/oauth-authorization-server",
                      oidc[] = "/.well-known/openid-configuration";
    struct str origin = mgi_url_origin(issuer);
    struct str path = { issuer + origin.len, strlen(issuer) - origin.len };
    while (path.len > 0 && path.ptr[path.len - 1] == '/')
        path.len--;
    if (n >= OAUTH_WELL_KNOWN || (n == 2 && path.len == 0))
        return false;
    mgi_buf_str(out, origin);
    if (n == 2)
        mgi_buf_str(out, path);
    mgi_buf_puts(out, n == 0 ? oauth : oidc);
    if (n < 2)
        mgi_buf_str(out, path);
    return true;
}

bool mgi_oauth_issuer_read(struct arena *a, struct str text, const char *issuer,
                           struct oauth_issuer *out, struct buf *why)
{
    struct oauth_reading r;
    *out = (struct oauth_issuer){ 0 };
    if (!mgi_oauth_reading(&r, a, "the metadata of the issuer", text, why))
        return false;
    struct oauth_issuer said = { .issuer =
                                     mgi_oauth_word(&r, "issuer", OAUTH_TEXT_MAX, OAUTH_NEEDED) };
    if (said.issuer && strcmp(said.issuer, issuer) != 0) {
        struct buf shown = { 0 };
        mgi_oauth_quote(&shown, str_of(said.issuer));
        mgi_oauth_reading_fault(&r, "names another one: %s, and not %s", mgi_buf_view(&shown).ptr,
                                issuer);
        mgi_buf_fini(&shown);
    }
    said.authorize = mgi_oauth_address(&r, "authorization_endpoint", OAUTH_NEEDED);
    said.token = mgi_oauth_address(&r, "token_endpoint", OAUTH_NEEDED);
    said.registration = mgi_oauth_address(&r, "registration_endpoint", OAUTH_OPTIONAL);
    const struct json *names =
        mgi_json_get(&r.object, "authorization_response_iss_parameter_supported");
    said.names_itself = names && names->type == JSON_BOOL && names->boolean;
    if (!r.bad && !mgi_oauth_lists(&r, "code_challenge_methods_supported", "S256"))
        mgi_oauth_reading_fault(&r, "does not list S256 in code_challenge_methods_supported: a "
                                    "stolen code could be used");
    if (r.bad)
        return false;
    *out = said;
    return true;
}

void mgi_oauth_put_registration(struct buf *out, const char *redirect, const char *scope)
{
    const struct str grants[] = { STR_LIT("authorization_code"), STR_LIT("refresh_token") };
    const struct str code = STR_LIT("code"), redirects = str_of(redirect);
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "client_name", "manglecp");
    mgi_jw_member_cstr(&w, "application_type", "native");
    mgi_jw_member_strs(&w, "redirect_uris", &redirects, 1);
    mgi_jw_member_strs(&w, "grant_types", grants, sizeof grants / sizeof *grants);
    mgi_jw_member_strs(&w, "response_types", &code, 1);
    mgi_jw_member_cstr(&w, "token_endpoint_auth_method", "none");
    if (scope)
        mgi_jw_member_cstr(&w, "scope", scope);
    mgi_jw_end_object(&w);
}

const char *mgi_oauth_registration_read(struct arena *a, int status, struct str text,
                                        struct buf *why)
{
    struct oauth_reading r;
    if (status != 200 && status != 201) {
        mgi_buf_printf(why, "the issuer answered the registration with status %d", status);
        return NULL;
    }
    if (!mgi_oauth_reading(&r, a, "the answer to the registration", text, why))
        return NULL;
    const char *id = mgi_oauth_word(&r, "client_id", OAUTH_TEXT_MAX, OAUTH_NEEDED);
    const char *method =
        mgi_oauth_word(&r, "token_endpoint_auth_method", OAUTH_TEXT_MAX, OAUTH_OPTIONAL);
    if (method && strcmp(method, "none") != 0)
        mgi_oauth_reading_fault(&r, "wants a client that keeps a secret, which this one cannot");
    return r.bad ? NULL : id;
}
