/* The signed form (RFC 7515, compact): header, claims and signature, each in base64url. */
#include "security/jwt.h"

#include <strings.h>

#include "base/encode.h"
#include "security/jwt_int.h"

struct parts {
    struct str header, claims, signature; /* in base64url */
    struct str text;                      /* what is signed: header, '.', claims */
};

static bool split(struct str token, struct parts *out)
{
    const char *first = token.len ? memchr(token.ptr, '.', token.len) : NULL;
    const char *end = token.ptr + token.len;
    const char *second = first ? memchr(first + 1, '.', (size_t)(end - first - 1)) : NULL;
    if (!second || memchr(second + 1, '.', (size_t)(end - second - 1)))
        return false;
    out->header = (struct str){ token.ptr, (size_t)(first - token.ptr) };
    out->claims = (struct str){ first + 1, (size_t)(second - first - 1) };
    out->signature = (struct str){ second + 1, (size_t)(end - second - 1) };
    out->text = (struct str){ token.ptr, (size_t)(second - token.ptr) };
    return out->header.len > 0 && out->claims.len > 0 && out->signature.len > 0;
}

bool mgi_jwt_looks_like_one(struct str token)
{
    struct parts p;
    return token.len <= JWT_MAX_BYTES && split(token, &p);
}

static enum jwt_verdict decode(struct arena *a, struct str text, struct str *out)
{
    uint8_t *bytes = mgi_arena_alloc(a, text.len + 1);
    if (!bytes)
        return JWT_NOMEM;
    size_t len = mgi_base64url_decode(text, bytes, text.len + 1);
    *out = (struct str){ (const char *)bytes, len };
    return len == SIZE_MAX ? JWT_MALFORMED : JWT_GOOD;
}

static enum jwt_verdict decode_object(struct arena *a, struct str text, struct json *out)
{
    struct str bytes;
    enum jwt_verdict verdict = decode(a, text, &bytes);
    if (verdict)
        return verdict;
    enum json_fault fault =
        mgi_json_parse(a, bytes, &(struct json_options){ JWT_DEPTH }, out, NULL);
    if (fault == JSON_NOMEM)
        return JWT_NOMEM;
    return fault || out->type != JSON_OBJECT ? JWT_MALFORMED : JWT_GOOD;
}

static bool type_is_known(const struct json *type)
{
    static const char *const known[] = { "JWT", "at+jwt", "application/at+jwt" };
    if (!type)
        return true;
    for (size_t i = 0; type->type == JSON_STRING && i < sizeof known / sizeof *known; i++)
        if (type->string.len == strlen(known[i]) &&
            strncasecmp(type->string.ptr, known[i], type->string.len) == 0)
            return true;
    return false;
}

static enum jwt_verdict judge_header(const struct json *header, enum jwt_algorithm *algorithm)
{
    static const char *const refused[] = {
        "crit", "jwk", "jku", "x5c", "x5u", "b64", "zip", "enc"
    };
    const struct json *name = mgi_json_get(header, "alg"), *id = mgi_json_get(header, "kid");
    if (!name || name->type != JSON_STRING || (id && id->type != JSON_STRING))
        return JWT_MALFORMED;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (mgi_json_get(header, refused[i]))
            return JWT_REFUSED;
    *algorithm = mgi_jwt_algorithm(name->string);
    return *algorithm == JWT_NO_ALGORITHM || !type_is_known(mgi_json_get(header, "typ"))
               ? JWT_REFUSED
               : JWT_GOOD;
}

/* The key that it names or, where it names none, any of its algorithm. */
static enum jwt_verdict judge_signature(const struct jwks *keys, const struct json *header,
                                        enum jwt_algorithm algorithm, struct str text,
                                        struct str signature)
{
    const struct json *id = mgi_json_get(header, "kid");
    enum jwt_verdict verdict = JWT_NO_KEY;
    int tried = 0;
    for (size_t i = 0; i < mgi_jwks_count(keys) && tried < JWT_KEYS_TRIED; i++) {
        const struct jwk *one = mgi_jwks_get(keys, i);
        if (id && !(one->id.ptr && str_eq(one->id, id->string)))
            continue;
        if (one->algorithm != algorithm) {
            verdict = id && verdict == JWT_NO_KEY ? JWT_REFUSED : verdict;
            continue;
        }
        if (mgi_public_key_verifies(one->key, text, signature))
            return JWT_GOOD;
        verdict = id ? JWT_FORGED : JWT_NO_KEY; /* without a name it may be a newer key's */
        tried++;
    }
    return verdict;
}

static enum jwt_verdict judge_token(const struct jwt_rules *rules, const struct jwks *keys,
                                    struct str token, int64_t now_ns, struct arena *scratch,
                                    struct principal **out)
{
    struct parts p;
    struct json header, claims;
    struct str signature;
    enum jwt_algorithm algorithm;
    if (token.len > JWT_MAX_BYTES || !split(token, &p))
        return JWT_MALFORMED;
    enum jwt_verdict v = decode_object(scratch, p.header, &header);
    if (!v)
        v = judge_header(&header, &algorithm);
    if (!v)
        v = decode(scratch, p.signature, &signature);
    if (!v)
        v = judge_signature(keys, &header, algorithm, p.text, signature);
    if (!v)
        v = decode_object(scratch, p.claims, &claims);
    return v ? v : mgi_claims_judge(rules, &claims, true, now_ns, scratch, out);
}

enum jwt_verdict mgi_jwt_judge(const struct jwt_rules *rules, const struct jwks *keys,
                               struct str token, int64_t now_ns, struct principal **out)
{
    struct arena scratch;
    *out = NULL;
    mgi_arena_init(&scratch, 0);
    enum jwt_verdict verdict = judge_token(rules, keys, token, now_ns, &scratch, out);
    mgi_arena_fini(&scratch);
    return verdict;
}

enum jwt_verdict mgi_introspection_judge(const struct jwt_rules *rules, struct str answer,
                                         int64_t now_ns, struct principal **out)
{
    struct arena scratch;
    struct json claims;
    enum jwt_verdict verdict = JWT_MALFORMED;
    *out = NULL;
    mgi_arena_init(&scratch, 0);
    enum json_fault fault =
        answer.len > INTROSPECTION_MAX_BYTES
            ? JSON_BAD_SYNTAX
            : mgi_json_parse(&scratch, answer, &(struct json_options){ JWT_DEPTH }, &claims, NULL);
    const struct json *active = fault ? NULL : mgi_json_get(&claims, "active");
    if (fault == JSON_NOMEM)
        verdict = JWT_NOMEM;
    else if (active && active->type == JSON_BOOL)
        verdict = active->boolean ? mgi_claims_judge(rules, &claims, false, now_ns, &scratch, out)
                                  : JWT_INACTIVE;
    mgi_arena_fini(&scratch);
    return verdict;
}
