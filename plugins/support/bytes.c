/* Bytes as text: digests, base64, and what fits into a JSON string. */
#include "plugins/support/action.h"

#include "base/content_hash.h"
#include "base/encode.h"
#include "base/time.h"
#include "base/utf8.h"

void mgi_sha256_text(struct str bytes, char out[SHA256_TEXT_BYTES])
{
    uint8_t digest[CONTENT_HASH_BYTES];
    mgi_content_hash(bytes.ptr, bytes.len, digest);
    mgi_hex(digest, sizeof digest, out);
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void mgi_base64_put(struct buf *out, struct str bytes)
{
    const uint8_t *p = (const uint8_t *)bytes.ptr;
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        uint32_t bits = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                        (left > 2 ? p[i + 2] : 0);
        char four[4] = { alphabet[bits >> 18], alphabet[bits >> 12 & 63],
                         left > 1 ? alphabet[bits >> 6 & 63] : '=',
                         left > 2 ? alphabet[bits & 63] : '=' };
        mgi_buf_append(out, four, 4);
    }
}

bool mgi_base64_read(struct arena *arena, struct str text, struct str *bytes)
{
    uint8_t *out = mgi_arena_alloc(arena, text.len / 4 * 3 + 1);
    size_t len = 0, pad = 0;
    if (!out || text.len % 4 != 0)
        return false;
    while (pad < 2 && pad < text.len && text.ptr[text.len - 1 - pad] == '=')
        pad++;
    uint32_t bits = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *found = i >= text.len - pad ? alphabet
                            : text.ptr[i]       ? strchr(alphabet, text.ptr[i])
                                                : NULL;
        if (!found)
            return false;
        bits = bits << 6 | (uint32_t)(found - alphabet);
        if (i % 4 == 3) {
            out[len++] = (uint8_t)(bits >> 16);
            out[len++] = (uint8_t)(bits >> 8);
            out[len++] = (uint8_t)bits;
            bits = 0;
        }
    }
    for (size_t i = 1; i <= pad; i++) /* bits that no byte has must be zero */
        if (out[len - i] != 0)
            return false;
    *bytes = (struct str){ (char *)out, len - pad };
    return true;
}

/* A character inside a JSON string, as the writer of base/json.h spells it, inside another one: the
 * response's. */
static size_t spelled(struct str text, size_t *at)
{
    unsigned char c = (unsigned char)text.ptr[*at];
    if (c >= 0x80) {
        size_t begin = *at;
        return mgi_utf8_next(text, at) == UINT32_MAX ? 3 : *at - begin;
    }
    ++*at;
    if (c == '"' || c == '\\')
        return 4;
    if (c == '\n' || c == '\t' || c == '\r' || c == '\b' || c == '\f')
        return 3;
    return c < 0x20 ? 7 : 1;
}

size_t mgi_json_fit(struct str text, size_t room)
{
    size_t at = 0, used = 0;
    while (at < text.len) {
        size_t behind = at;
        used += spelled(text, &behind);
        if (used > room)
            break;
        at = behind;
    }
    return at;
}

void mgi_put_time(struct action *a, const char *name, int64_t ns)
{
    char text[TIME_TEXT_BYTES];
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_string(&a->out, (struct str){ text, mgi_time_format(text, ns) });
}

void mgi_put_base64(struct action *a, const char *name, struct str bytes)
{
    mgi_jw_key_str(&a->out, str_of(name));
    mgi_jw_raw(&a->out, STR_LIT("\""));
    mgi_base64_put(a->out.out, bytes);
    mgi_buf_putc(a->out.out, '"');
}
