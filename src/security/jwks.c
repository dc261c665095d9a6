/* Key sets; see jwks.h. */
#include "security/jwks.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/encode.h"
#include "base/json.h"

#define NUMBER_MAX 1024 /* bytes of a number in a key */
#define JWKS_DEPTH 8

struct jwks {
    atomic_uint refs;
    struct arena arena;
    struct jwk keys[JWKS_MAX_KEYS];
    size_t count;
};

enum jwt_algorithm mgi_jwt_algorithm(struct str name)
{
    return str_is(name, "RS256")   ? JWT_RS256
           : str_is(name, "ES256") ? JWT_ES256
           : str_is(name, "EdDSA") ? JWT_EDDSA
                                   : JWT_NO_ALGORITHM;
}

static struct str text_of(const struct json *key, const char *name)
{
    const struct json *v = mgi_json_get(key, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ NULL, 0 };
}

/* What its numbers are for; `alg`, where there is one, has to say the same. */
static enum jwt_algorithm algorithm_of(const struct json *key)
{
    struct str type = text_of(key, "kty"), curve = text_of(key, "crv");
    enum jwt_algorithm fits = str_is(type, "RSA")                               ? JWT_RS256
                              : str_is(type, "EC") && str_is(curve, "P-256")    ? JWT_ES256
                              : str_is(type, "OKP") && str_is(curve, "Ed25519") ? JWT_EDDSA
                                                                                : JWT_NO_ALGORITHM;
    bool named = mgi_json_get(key, "alg") != NULL;
    return !named || mgi_jwt_algorithm(text_of(key, "alg")) == fits ? fits : JWT_NO_ALGORITHM;
}

static bool is_for_signatures(const struct json *key)
{
    const struct json *use = mgi_json_get(key, "use"), *operations = mgi_json_get(key, "key_ops");
    if (use && !(use->type == JSON_STRING && str_is(use->string, "sig")))
        return false;
    if (!operations)
        return true;
    bool verifies = false;
    for (uint32_t i = 0; operations->type == JSON_ARRAY && i < operations->count; i++)
        verifies |= operations->items[i].type == JSON_STRING &&
                    str_is(operations->items[i].string, "verify");
    return verifies;
}

/* A member that is a number in base64url. Empty: it is none. */
static struct str number_of(const struct json *key, const char *name, uint8_t room[NUMBER_MAX])
{
    struct str text = text_of(key, name);
    size_t len = text.len > 0 ? mgi_base64url_decode(text, room, NUMBER_MAX) : SIZE_MAX;
    return len == SIZE_MAX ? (struct str){ NULL, 0 } : (struct str){ (const char *)room, len };
}

static struct public_key *make_key(const struct json *key, enum jwt_algorithm algorithm)
{
    uint8_t one[NUMBER_MAX], two[NUMBER_MAX];
    switch (algorithm) {
    case JWT_RS256:
        return mgi_public_key_rsa(number_of(key, "n", one), number_of(key, "e", two));
    case JWT_ES256:
        return mgi_public_key_p256(number_of(key, "x", one), number_of(key, "y", two));
    case JWT_EDDSA:
        return mgi_public_key_ed25519(number_of(key, "x", one));
    case JWT_NO_ALGORITHM:
        break;
    }
    return NULL;
}

/* Of its id, if it has one, and of the members that make it. */
static bool digest_key(const struct json *key, struct jwk *one)
{
    static const char *const members[] = { "kid", "n", "e", "x", "y" };
    struct buf text = { 0 };
    mgi_buf_printf(&text, "%d", (int)one->algorithm);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct str member = text_of(key, members[i]);
        mgi_buf_printf(&text, "%c%zu:", member.ptr ? ';' : '-', member.len);
        mgi_buf_str(&text, member);
    }
    bool ok = !text.oom && mgi_sha256(text.ptr, text.len, one->digest);
    mgi_buf_fini(&text);
    return ok;
}

/* What is no key of ours is passed over. False: memory is short. */
static bool take_key(struct jwks *keys, const struct json *key)
{
    enum jwt_algorithm algorithm = algorithm_of(key);
    struct str id = text_of(key, "kid");
    if (algorithm == JWT_NO_ALGORITHM || !is_for_signatures(key) || keys->count == JWKS_MAX_KEYS)
        return true;
    struct jwk one = { .algorithm = algorithm, .key = make_key(key, algorithm) };
    if (!one.key)
        return true;
    if ((id.ptr && !(one.id = mgi_arena_str(&keys->arena, id)).ptr) || !digest_key(key, &one)) {
        mgi_public_key_free(one.key);
        return false;
    }
    keys->keys[keys->count++] = one;
    return true;
}

static const char *read_set(struct jwks *keys, struct str text, struct arena *scratch)
{
    struct json set;
    if (text.len > JWKS_MAX_BYTES)
        return "it is larger than 64 KiB";
    enum json_fault fault =
        mgi_json_parse(scratch, text, &(struct json_options){ JWKS_DEPTH }, &set, NULL);
    if (fault == JSON_NOMEM)
        return "out of memory";
    const struct json *list = fault ? NULL : mgi_json_get(&set, "keys");
    if (!list || list->type != JSON_ARRAY)
        return "it is no JSON object with an array \"keys\"";
    for (uint32_t i = 0; i < list->count; i++) {
        if (mgi_json_get(&list->items[i], "d"))
            return "there is a private key in it: publish the public ones alone";
        if (!take_key(keys, &list->items[i]))
            return "out of memory";
    }
    return keys->count > 0 ? NULL : "no key in it is for RS256, ES256 or EdDSA";
}

struct jwks *mgi_jwks_new(struct str text, const char **why)
{
    struct arena scratch;
    struct jwks *keys = mgi_calloc(1, sizeof *keys);
    *why = "out of memory";
    if (!keys)
        return NULL;
    atomic_init(&keys->refs, 1);
    mgi_arena_init(&keys->arena, 0);
    mgi_arena_init(&scratch, 0);
    *why = read_set(keys, text, &scratch);
    mgi_arena_fini(&scratch);
    if (*why) {
        mgi_jwks_unref(keys);
        return NULL;
    }
    return keys;
}

struct jwks *mgi_jwks_ref(struct jwks *keys)
{
    if (keys)
        atomic_fetch_add_explicit(&keys->refs, 1, memory_order_relaxed);
    return keys;
}

void mgi_jwks_unref(struct jwks *keys)
{
    if (!keys || atomic_fetch_sub_explicit(&keys->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; i < keys->count; i++)
        mgi_public_key_free(keys->keys[i].key);
    mgi_arena_fini(&keys->arena);
    mgi_free(keys);
}

size_t mgi_jwks_count(const struct jwks *keys)
{
    return keys ? keys->count : 0;
}

const struct jwk *mgi_jwks_get(const struct jwks *keys, size_t index)
{
    return &keys->keys[index];
}

static bool has(const struct jwks *keys, const struct jwk *one)
{
    for (size_t i = 0; i < mgi_jwks_count(keys); i++)
        if (memcmp(keys->keys[i].digest, one->digest, sizeof one->digest) == 0)
            return true;
    return false;
}

bool mgi_jwks_cover(const struct jwks *keys, const struct jwks *older)
{
    for (size_t i = 0; i < mgi_jwks_count(older); i++)
        if (!has(keys, &older->keys[i]))
            return false;
    return true;
}
