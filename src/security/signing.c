/* Rings of keys, and what they sign. */
#include "security/signing.h"

#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "sys/digest.h"

#define KEY_ID_CHARS 8
#define KEY_ID_BYTES 6
#define TAG_CHARS    43

struct signing_key {
    char id[KEY_ID_CHARS + 1];
    uint8_t bytes[SIGNING_KEY_BYTES_MOST];
    size_t len;
};

struct signing_keys {
    struct signing_key items[SIGNING_KEYS_MOST];
    size_t count;
};

static struct str key_text(const struct signing_key *k)
{
    return (struct str){ (const char *)k->bytes, k->len };
}

/* What a key is called tells nothing of it. False: memory. */
static bool name_key(struct signing_key *k)
{
    static const char what[] = "manglecp: the name of a signing key";
    uint8_t digest[SHA256_BYTES];
    if (!mgi_hmac_sha256(key_text(k), what, sizeof what - 1, digest))
        return false;
    mgi_base64url_encode(digest, KEY_ID_BYTES, k->id);
    return true;
}

static bool add_key(struct signing_keys *keys, const uint8_t *bytes, size_t len)
{
    struct signing_key *k = &keys->items[keys->count];
    memcpy(k->bytes, bytes, len);
    k->len = len;
    keys->count++;
    return name_key(k);
}

struct signing_keys *mgi_signing_keys_new(const uint8_t *key, size_t len)
{
    struct signing_keys *keys = mgi_calloc(1, sizeof *keys);
    if (keys && add_key(keys, key, len))
        return keys;
    mgi_signing_keys_free(keys);
    return NULL;
}

/* NULL, or what is wrong with the line. "" stands for memory. */
static const char *read_line(struct signing_keys *keys, struct str line)
{
    uint8_t bytes[SIGNING_KEY_BYTES_MOST];
    if (line.len == 0 || line.ptr[0] == '#')
        return NULL;
    size_t len = mgi_base64url_decode(line, bytes, sizeof bytes);
    const char *why = NULL;
    if (len == SIZE_MAX || len < SIGNING_KEY_BYTES_LEAST)
        why = "a key is 16 to 64 bytes in base64url, alone on its line";
    else if (keys->count == SIGNING_KEYS_MOST)
        why = "there are more than 16 keys";
    else if (!add_key(keys, bytes, len))
        why = "";
    memset(bytes, 0, sizeof bytes);
    return why;
}

struct signing_keys *mgi_signing_keys_read(struct str text, struct signing_fault *fault)
{
    struct signing_keys *keys = mgi_calloc(1, sizeof *keys);
    *fault = (struct signing_fault){ 0, "out of memory" };
    if (!keys)
        return NULL;
    const char *why = NULL;
    uint32_t number = 0;
    for (size_t at = 0; at < text.len && !why;) {
        const char *lf = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = lf ? (size_t)(lf - text.ptr) - at : text.len - at;
        struct str line = { text.ptr + at, len };
        line.len -= line.len > 0 && line.ptr[line.len - 1] == '\r';
        at += len + 1;
        number++;
        why = read_line(keys, line);
    }
    if (!why && keys->count == 0) {
        why = "it holds no key";
        number = 1;
    }
    if (!why)
        return keys;
    if (*why)
        *fault = (struct signing_fault){ number, why };
    mgi_signing_keys_free(keys);
    return NULL;
}

void mgi_signing_keys_free(struct signing_keys *keys)
{
    if (!keys)
        return;
    explicit_bzero(keys, sizeof *keys);
    mgi_free(keys);
}

static bool write_signature(const struct signing_key *k, struct str text,
                            char out[SIGNATURE_CHARS + 1])
{
    static const char version[] = { 'v', '1', '.' };
    uint8_t tag[SHA256_BYTES];
    if (!mgi_hmac_sha256(key_text(k), text.ptr, text.len, tag))
        return false;
    memcpy(out, version, sizeof version);
    memcpy(out + 3, k->id, KEY_ID_CHARS);
    out[3 + KEY_ID_CHARS] = '.';
    mgi_base64url_encode(tag, sizeof tag, out + 4 + KEY_ID_CHARS);
    return true;
}

bool mgi_sign(const struct signing_keys *keys, struct str text, char out[SIGNATURE_CHARS + 1])
{
    return keys && write_signature(&keys->items[0], text, out);
}

enum signature mgi_signature_check(const struct signing_keys *keys, struct str text,
                                   struct str signature)
{
    char expected[SIGNATURE_CHARS + 1];
    if (!keys || signature.len != SIGNATURE_CHARS)
        return SIGNATURE_FOREIGN;
    for (size_t i = 0; i < keys->count; i++) {
        if (memcmp(signature.ptr + 3, keys->items[i].id, KEY_ID_CHARS) != 0)
            continue; /* names are no secret */
        if (!write_signature(&keys->items[i], text, expected))
            return SIGNATURE_NOMEM;
        if (mgi_equal_constant_time(signature.ptr, expected, SIGNATURE_CHARS))
            return SIGNATURE_HOLDS;
    }
    return SIGNATURE_FOREIGN;
}
