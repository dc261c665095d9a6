/* Hexadecimal and base64url by hand: a few lines each, and no library that is linked anyway has
 * both. */
#include "base/encode.h"

void mgi_hex(const uint8_t *bytes, size_t len, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

size_t mgi_base64url_encode(const uint8_t *bytes, size_t len, char *out)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char *to = out;
    uint32_t bits = 0;
    int count = 0; /* of bits not written yet */
    for (size_t i = 0; i < len; i++) {
        bits = bits << 8 | bytes[i];
        count += 8;
        for (; count >= 6; count -= 6)
            *to++ = alphabet[bits >> (count - 6) & 63];
    }
    if (count)
        *to++ = alphabet[bits << (6 - count) & 63];
    *to = '\0';
    return (size_t)(to - out);
}

static int base64url_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

size_t mgi_base64url_decode(struct str text, uint8_t *out, size_t cap)
{
    uint32_t bits = 0;
    int count = 0;
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        int value = base64url_value(text.ptr[i]);
        if (value < 0)
            return SIZE_MAX;
        bits = (bits << 6 | (uint32_t)value) & 0xffffff;
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        if (len == cap)
            return SIZE_MAX;
        out[len++] = (uint8_t)(bits >> count);
    }
    /* Canonical: no half byte too many, and the bits behind the last byte are zero. */
    if (count == 6 || (bits & ((1u << count) - 1)))
        return SIZE_MAX;
    return len;
}
