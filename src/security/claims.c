/* What a token says: whose it is, for whom, from when until when, and what may be done with it. */
#include <math.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/time.h"
#include "security/jwt_int.h"
#include "sys/digest.h"

#define IDENTITY_MAX    256
#define PERMISSIONS_MAX 64
#define PERMISSION_MAX  128
#define KIND_ISSUED     'j' /* as in auth.c: a credential of another kind is never taken for it */
#define LATEST_S        ((double)(INT64_MAX / NS_PER_SEC - 1))

static const struct json *claim(const struct json *claims, const char *name, const char *usual)
{
    return mgi_json_get(claims, name ? name : usual);
}

static bool is_text(const struct json *v, const char *text)
{
    return v && v->type == JSON_STRING && str_is(v->string, text);
}

static bool has_text(const struct json *v, const char *text)
{
    if (v && v->type == JSON_ARRAY)
        for (uint32_t i = 0; i < v->count; i++)
            if (is_text(&v->items[i], text))
                return true;
    return is_text(v, text);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* NumericDate (RFC 7519): seconds, perhaps with a fraction. False: it is none. */
static bool read_time(const struct json *v, int64_t *ns)
{
    double seconds = v->type == JSON_INT     ? (double)v->integer
                     : v->type == JSON_FLOAT ? floor(v->number)
                                             : -1;
    if (seconds < 0)
        return false;
    *ns = seconds > LATEST_S ? INT64_MAX : (int64_t)seconds * NS_PER_SEC;
    return true;
}

static int64_t later(int64_t ns, int64_t by)
{
    return ns > INT64_MAX - by ? INT64_MAX : ns + by;
}

static enum jwt_verdict judge_times(const struct jwt_rules *rules, const struct json *claims,
                                    bool demanded, int64_t now_ns, struct principal *fields)
{
    const struct json *end = mgi_json_get(claims, "exp"), *begin = mgi_json_get(claims, "nbf");
    int64_t from_ns;
    fields->expires_ns = INT64_MAX;
    if ((end && !read_time(end, &fields->expires_ns)) || (!end && demanded))
        return JWT_MALFORMED;
    fields->expires_ns = later(fields->expires_ns, rules->skew_ns);
    if (now_ns >= fields->expires_ns)
        return JWT_EXPIRED;
    if (begin && !read_time(begin, &from_ns))
        return JWT_MALFORMED;
    return begin && later(now_ns, rules->skew_ns) < from_ns ? JWT_EARLY : JWT_GOOD;
}

/* ---- whose, and for whom --------------------------------------------------------------------- */

static enum jwt_verdict judge_parties(const struct jwt_rules *rules, const struct json *claims,
                                      bool demanded)
{
    const struct json *issuer = mgi_json_get(claims, "iss"), *to = mgi_json_get(claims, "aud");
    if ((issuer || demanded) && !is_text(issuer, rules->issuer))
        return JWT_FOREIGN;
    return has_text(to, rules->audience) ? JWT_GOOD
                                         : JWT_FOREIGN; /* never one for another server */
}

/* A token that its issuer bound to a key or a certificate (RFC 7800, 9449, 8705) is worth something
 * with a proof of that, which nobody here asks for: alone it is what a thief has. */
static bool is_bearer(const struct json *claims)
{
    const struct json *bound = mgi_json_get(claims, "cnf");
    return !bound || bound->type == JSON_NULL;
}

static bool is_word_text(struct str s, size_t max)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
            return false;
    return s.len > 0 && s.len <= max;
}

/* The name, as an issuer's: it may call anybody what it likes. */
static struct str qualify(const struct jwt_rules *rules, struct str name, struct arena *scratch)
{
    const char *prefix = rules->identity_prefix ? rules->identity_prefix : rules->issuer;
    struct buf text = { 0 };
    mgi_buf_puts(&text, prefix);
    if (!rules->identity_prefix)
        mgi_buf_putc(&text, '#');
    mgi_buf_str(&text, name);
    struct str whole =
        text.oom ? (struct str){ NULL, 0 } : mgi_arena_str(scratch, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return whole;
}

/* Who it stands for, and through which client: what no two of them share. */
static enum jwt_verdict name_caller(const struct jwt_rules *rules, const struct json *claims,
                                    struct arena *scratch, struct principal *fields)
{
    const struct json *name = claim(claims, rules->identity, "sub");
    const struct json *client = mgi_json_get(claims, "client_id");
    struct buf text = { 0 };
    char *credential = mgi_arena_alloc(scratch, 1 + SHA256_BYTES);
    if (!name || name->type != JSON_STRING || !is_word_text(name->string, IDENTITY_MAX))
        return JWT_NAMELESS;
    if (!client)
        client = mgi_json_get(claims, "azp");
    mgi_buf_printf(&text, "%s\n", rules->issuer);
    mgi_buf_str(&text, name->string);
    mgi_buf_putc(&text, '\n');
    if (client && client->type == JSON_STRING)
        mgi_buf_str(&text, client->string);
    bool ok = credential && !text.oom && mgi_sha256(text.ptr, text.len, (uint8_t *)credential + 1);
    mgi_buf_fini(&text);
    if (ok)
        fields->identity = qualify(rules, name->string, scratch);
    if (!ok || !fields->identity.ptr)
        return JWT_NOMEM;
    credential[0] = KIND_ISSUED;
    fields->issuer = str_of(rules->issuer);
    fields->credential = (struct str){ credential, 1 + SHA256_BYTES };
    return JWT_GOOD;
}

/* ---- what may be done ------------------------------------------------------------------------ */

static void take_permission(const struct jwt_rules *rules, struct str word, struct str *list,
                            size_t *count)
{
    struct str prefix = str_of(rules->prefix);
    if (!mgi_str_starts(word, prefix))
        return;
    struct str rest = { word.ptr + prefix.len, word.len - prefix.len };
    if (is_word_text(rest, PERMISSION_MAX) && *count < PERMISSIONS_MAX)
        list[(*count)++] = rest;
}

static void take_words(const struct jwt_rules *rules, struct str text, struct str *list,
                       size_t *count)
{
    for (size_t start = 0, i = 0; i <= text.len; i++)
        if (i == text.len || text.ptr[i] == ' ') {
            take_permission(rules, (struct str){ text.ptr + start, i - start }, list, count);
            start = i + 1;
        }
}

/* What is no list of permissions grants nothing. */
static enum jwt_verdict take_permissions(const struct jwt_rules *rules, const struct json *claims,
                                         struct arena *scratch, struct principal *fields)
{
    const struct json *said = claim(claims, rules->permissions, "scope");
    struct str *list = mgi_arena_calloc(scratch, PERMISSIONS_MAX, sizeof *list);
    if (!list)
        return JWT_NOMEM;
    fields->permissions = list;
    if (said && said->type == JSON_STRING)
        take_words(rules, said->string, list, &fields->permission_count);
    for (uint32_t i = 0; said && said->type == JSON_ARRAY && i < said->count; i++)
        if (said->items[i].type == JSON_STRING)
            take_permission(rules, said->items[i].string, list, &fields->permission_count);
    fields->automated = rules->trust && is_text(mgi_json_get(claims, rules->trust), "automated");
    return JWT_GOOD;
}

enum jwt_verdict mgi_claims_judge(const struct jwt_rules *rules, const struct json *claims,
                                  bool signed_here, int64_t now_ns, struct arena *scratch,
                                  struct principal **out)
{
    struct principal fields = { .kind = PRINCIPAL_KNOWN, .not_before_ns = INT64_MIN };
    enum jwt_verdict v = judge_parties(rules, claims, signed_here);
    if (!v && !is_bearer(claims))
        v = JWT_BOUND;
    if (!v)
        v = judge_times(rules, claims, signed_here, now_ns, &fields);
    if (!v)
        v = name_caller(rules, claims, scratch, &fields);
    if (!v)
        v = take_permissions(rules, claims, scratch, &fields);
    if (v)
        return v;
    *out = mgi_principal_new(&fields);
    return *out ? JWT_GOOD : JWT_NOMEM;
}
