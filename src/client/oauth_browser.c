/* The way through a browser: the address that it is sent to, and the redirect that comes back. */
#include "base/encode.h"
#include "base/url.h"
#include "client/oauth.h"
#include "client/oauth_reading.h"
#include "sys/digest.h"

static void put_parameter(struct buf *out, char *before, const char *name, const char *value)
{
    if (!value)
        return;
    mgi_buf_putc(out, *before);
    mgi_buf_printf(out, "%s=", name);
    mgi_url_escape(out, str_of(value));
    *before = '&';
}

void mgi_oauth_put_authorization(struct buf *out, const struct oauth_attempt *t)
{
    uint8_t digest[SHA256_BYTES];
    char challenge[OAUTH_SECRET_CHARS + 1] = "";
    char before = strchr(t->issuer->authorize, '?') ? '&' : '?';
    if (!mgi_sha256(t->verifier, strlen(t->verifier), digest)) {
        out->oom = true;
        return;
    }
    mgi_base64url_encode(digest, sizeof digest, challenge);
    mgi_buf_puts(out, t->issuer->authorize);
    put_parameter(out, &before, "response_type", "code");
    put_parameter(out, &before, "client_id", t->client_id);
    put_parameter(out, &before, "redirect_uri", t->redirect);
    put_parameter(out, &before, "scope", t->scope);
    put_parameter(out, &before, "state", t->state);
    put_parameter(out, &before, "resource", t->resource);
    put_parameter(out, &before, "code_challenge", challenge);
    put_parameter(out, &before, "code_challenge_method", "S256");
}

/* ---- the redirect ---------------------------------------------------------------------------- */

enum { STATE, CODE, ISSUER, FAILURE, DESCRIPTION, PARAMETERS };

struct redirect {
    struct str said[PARAMETERS]; /* decoded; ptr NULL: not there */
    bool twice;                  /* one of them is there twice */
};

static bool decode(struct arena *a, struct str text, struct str *out)
{
    struct buf plain = { 0 };
    bool good = mgi_url_unescape(&plain, text);
    *out = mgi_arena_str(a, mgi_buf_view(&plain));
    a->oom = a->oom || plain.oom;
    mgi_buf_wipe(&plain);
    return good;
}

/* "name=value". What is not asked for is passed over. */
static bool read_pair(struct arena *a, struct str pair, struct redirect *r)
{
    static const char *const names[] = { "state", "code", "iss", "error", "error_description" };
    size_t equals = mgi_str_find(pair, STR_LIT("="));
    struct str name = { pair.ptr, equals < pair.len ? equals : pair.len };
    struct str value = { pair.ptr + name.len, 0 };
    if (equals < pair.len)
        value = (struct str){ pair.ptr + equals + 1, pair.len - equals - 1 };
    for (size_t i = 0; i < PARAMETERS; i++) {
        if (!str_is(name, names[i]))
            continue;
        r->twice = r->twice || r->said[i].ptr;
        return decode(a, value, &r->said[i]);
    }
    return true;
}

static bool read_query(struct arena *a, struct str query, struct redirect *r)
{
    bool good = true;
    while (query.len > 0) {
        size_t end = mgi_str_find(query, STR_LIT("&"));
        struct str pair = { query.ptr, end < query.len ? end : query.len };
        good = read_pair(a, pair, r) && good;
        size_t past = pair.len + (pair.len < query.len);
        query = (struct str){ query.ptr + past, query.len - past };
    }
    return good;
}

static bool knows_state(const struct redirect *r, const struct oauth_attempt *t)
{
    return r->said[STATE].len == OAUTH_SECRET_CHARS &&
           mgi_equal_constant_time(r->said[STATE].ptr, t->state, OAUTH_SECRET_CHARS);
}

/* Of somebody who knows the state. */
static enum oauth_redirect judge_answer(const struct redirect *r, const struct oauth_attempt *t,
                                        const char **code, struct buf *why)
{
    const struct str *iss = &r->said[ISSUER];
    if (iss->ptr ? !str_is(*iss, t->issuer->issuer) : t->issuer->names_itself) {
        mgi_buf_puts(why, "the redirect is of another issuer, or does not say of which: ");
        mgi_oauth_quote(why, *iss);
    } else if (r->said[FAILURE].ptr) {
        mgi_buf_puts(why, "the issuer refused");
        mgi_oauth_put_error(why, r->said[FAILURE], r->said[DESCRIPTION]);
    } else if (r->said[CODE].len == 0 || r->said[CODE].len > OAUTH_TEXT_MAX ||
               memchr(r->said[CODE].ptr, '\0', r->said[CODE].len)) {
        mgi_buf_puts(why, "the redirect brings no code");
    } else {
        *code = r->said[CODE].ptr;
        return OAUTH_CODE;
    }
    return OAUTH_REFUSED;
}

enum oauth_redirect mgi_oauth_redirect_read(struct arena *a, const struct oauth_attempt *t,
                                            struct str target, const char **code, struct buf *why)
{
    struct redirect r = { 0 };
    const char *path = t->redirect + mgi_url_origin(t->redirect).len;
    size_t mark = mgi_str_find(target, STR_LIT("?"));
    struct str asked = { target.ptr, mark < target.len ? mark : target.len };
    *code = NULL;
    if (!str_is(asked, path))
        return OAUTH_ELSEWHERE;
    struct str query = { target.ptr + asked.len, 0 };
    if (mark < target.len)
        query = (struct str){ target.ptr + mark + 1, target.len - mark - 1 };
    bool good = read_query(a, query, &r);
    if (a->oom)
        return OAUTH_NOMEM;
    if (!knows_state(&r, t))
        return OAUTH_STRANGER;
    if (good && !r.twice)
        return judge_answer(&r, t, code, why);
    mgi_buf_puts(why, "the redirect cannot be read");
    return OAUTH_REFUSED;
}
