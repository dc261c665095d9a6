/* Forms for a token endpoint, and what it answers. */
#include <strings.h>

#include "base/url.h"
#include "client/oauth.h"
#include "client/oauth_reading.h"

#define LASTS_MOST_S ((int64_t)400 * 24 * 3600) /* no arithmetic with it overflows */

static void put_field(struct buf *out, const char *name, const char *value)
{
    if (!value)
        return;
    if (out->len > 0)
        mgi_buf_putc(out, '&');
    mgi_buf_printf(out, "%s=", name);
    mgi_url_escape(out, str_of(value));
}

void mgi_oauth_put_exchange(struct buf *out, const struct oauth_attempt *t, const char *code)
{
    put_field(out, "grant_type", "authorization_code");
    put_field(out, "code", code);
    put_field(out, "code_verifier", t->verifier);
    put_field(out, "redirect_uri", t->redirect);
    put_field(out, "client_id", t->client_id);
    put_field(out, "resource", t->resource);
}

void mgi_oauth_put_refresh(struct buf *out, const char *client_id, const char *resource,
                           const char *refresh)
{
    put_field(out, "grant_type", "refresh_token");
    put_field(out, "refresh_token", refresh);
    put_field(out, "client_id", client_id);
    put_field(out, "resource", resource);
}

static struct str word_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ NULL, 0 };
}

/* What an answer without a token says, if it can be read. */
static void put_refusal(struct buf *why, struct arena *a, int status, struct str text)
{
    struct json v;
    mgi_buf_printf(why, "the issuer gave no token, and answered with status %d", status);
    if (status >= 300 && status < 400)
        mgi_buf_puts(why, ", a redirection, which is not followed");
    if (mgi_json_parse(a, text, NULL, &v, NULL) == JSON_OK)
        mgi_oauth_put_error(why, word_of(&v, "error"), word_of(&v, "error_description"));
}

bool mgi_oauth_token_read(struct arena *a, int status, struct str text, struct oauth_token *out,
                          struct buf *why)
{
    struct oauth_reading r;
    *out = (struct oauth_token){ .lasts_s = -1 };
    if (status != 200) {
        put_refusal(why, a, status, text);
        return false;
    }
    if (!mgi_oauth_reading(&r, a, "the answer with the token", text, why))
        return false;
    struct oauth_token said = { .lasts_s = -1 };
    said.access = mgi_oauth_word(&r, "access_token", OAUTH_TOKEN_MAX, OAUTH_NEEDED);
    said.refresh = mgi_oauth_word(&r, "refresh_token", OAUTH_TOKEN_MAX, OAUTH_OPTIONAL);
    const char *type = mgi_oauth_word(&r, "token_type", OAUTH_TEXT_MAX, OAUTH_NEEDED);
    if (type && strcasecmp(type, "Bearer") != 0)
        mgi_oauth_reading_fault(&r, "has one that is no bearer token (token_type)");
    const struct json *lasts = mgi_json_get(&r.object, "expires_in");
    if (lasts && lasts->type == JSON_INT && lasts->integer >= 0)
        said.lasts_s = lasts->integer < LASTS_MOST_S ? lasts->integer : LASTS_MOST_S;
    if (r.bad)
        return false;
    *out = said;
    return true;
}

int64_t mgi_oauth_ends_s(const struct oauth_token *token, int64_t now_s)
{
    return token->lasts_s < 0 ? 0 : now_s + token->lasts_s;
}

bool mgi_oauth_grant_is_over(int status, struct str text)
{
    static const char *const over[] = { "invalid_grant", "invalid_client", "unauthorized_client" };
    struct arena a;
    struct json v;
    bool is = false;
    if (status != 400 && status != 401)
        return false;
    mgi_arena_init(&a, 0);
    if (mgi_json_parse(&a, text, NULL, &v, NULL) == JSON_OK)
        for (size_t i = 0; i < sizeof over / sizeof *over; i++)
            is = is || str_is(word_of(&v, "error"), over[i]);
    mgi_arena_fini(&a);
    return is;
}
