/* UTF-8 by the table of RFC 3629 section 4: the first byte decides the length and the range of the
 * second byte, which is where overlong forms, surrogates and values above U+10FFFF are refused. */
#include "base/utf8.h"

#include <string.h>

/* The length of the well-formed sequence at p, 0 if there is none; *code gets its value. */
static size_t decode(const unsigned char *p, size_t left, uint32_t *code)
{
    unsigned char c = p[0];
    if (c < 0x80) {
        *code = c;
        return 1;
    }
    size_t len = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (c < 0xc2 || c > 0xf4 || left < len)
        return 0;
    unsigned char low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    unsigned char high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high)
        return 0;
    uint32_t value = c & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3fu);
    }
    *code = value;
    return len;
}

uint32_t mgi_utf8_next(struct str s, size_t *at)
{
    uint32_t code = UINT32_MAX;
    size_t len = decode((const unsigned char *)s.ptr + *at, s.len - *at, &code);
    *at += len ? len : 1;
    return code;
}

size_t mgi_utf8_put(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        if (code >= 0xd800 && code <= 0xdfff)
            return 0;
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    if (code > 0x10ffff)
        return 0;
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* How many bytes from `at` on are ASCII, eight at a time. */
static size_t ascii_run(struct str s, size_t at)
{
    size_t start = at;
    while (s.len - at >= 8) {
        uint64_t word;
        memcpy(&word, s.ptr + at, 8);
        if (word & UINT64_C(0x8080808080808080))
            break;
        at += 8;
    }
    while (at < s.len && (unsigned char)s.ptr[at] < 0x80)
        at++;
    return at - start;
}

bool mgi_utf8_valid(struct str s, size_t *bad)
{
    size_t at = 0;
    while (at < s.len) {
        at += ascii_run(s, at);
        if (at == s.len)
            break;
        size_t start = at;
        if (mgi_utf8_next(s, &at) == UINT32_MAX) {
            if (bad)
                *bad = start;
            return false;
        }
    }
    return true;
}

static bool begin_character(struct utf8_stream *u, unsigned char c)
{
    if (c < 0xc2 || c > 0xf4)
        return false;
    u->missing = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    u->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    u->high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    return true;
}

bool mgi_utf8_feed(struct utf8_stream *u, struct str piece)
{
    for (size_t at = 0; at < piece.len; at++) {
        if (u->missing == 0) {
            at += ascii_run(piece, at);
            if (at == piece.len)
                return true;
            if (!begin_character(u, (unsigned char)piece.ptr[at]))
                return false;
            continue;
        }
        unsigned char c = (unsigned char)piece.ptr[at];
        if (c < u->low || c > u->high)
            return false;
        u->missing--;
        u->low = 0x80;
        u->high = 0xbf;
    }
    return true;
}

size_t mgi_utf8_count(struct str s)
{
    size_t count = 0;
    for (size_t at = 0; at < s.len; count++)
        (void)mgi_utf8_next(s, &at);
    return count;
}

struct str mgi_utf8_prefix(struct str s, size_t max_bytes)
{
    if (s.len <= max_bytes)
        return s;
    /* A character that straddles the cut began at most three bytes before it. */
    for (size_t back = 1; back <= 3 && back <= max_bytes; back++) {
        size_t at = max_bytes - back;
        if (((unsigned char)s.ptr[at] & 0xc0) == 0x80)
            continue;
        size_t end = at;
        (void)mgi_utf8_next(s, &end);
        return (struct str){ s.ptr, end > max_bytes ? at : max_bytes };
    }
    return (struct str){ s.ptr, max_bytes };
}

/* What a reader would not see, or what would change the order in which he reads. */
static bool is_invisible(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        { 0x00, 0x1f },       { 0x7f, 0x9f },       { 0xad, 0xad },       { 0x34f, 0x34f },
        { 0x61c, 0x61c },     { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
        { 0x200b, 0x200f },   { 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0x3164, 0x3164 },
        { 0xe000, 0xf8ff },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
        { 0xfff0, 0xfffb },   { 0xfffe, 0xffff },   { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
        { 0x1d159, 0x1d159 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff }, { 0xf0000, 0x10ffff },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && c >= ranges[i][0]; i++)
        if (c <= ranges[i][1])
            return true;
    return false;
}

/* How many bytes from `at` on are ASCII that is shown as it is: nearly all of what there is. */
static size_t plain_run(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && s.ptr[end] >= ' ' && s.ptr[end] <= '~')
        end++;
    return end - at;
}

void mgi_utf8_show(struct buf *out, struct str s)
{
    for (size_t at = 0; at < s.len;) {
        size_t plain = plain_run(s, at);
        if (plain > 0)
            mgi_buf_append(out, s.ptr + at, plain);
        at += plain;
        if (at == s.len)
            return;
        size_t start = at;
        uint32_t code = mgi_utf8_next(s, &at);
        if (code == UINT32_MAX)
            mgi_buf_printf(out, "\\x%02x", (unsigned)(unsigned char)s.ptr[start]);
        else if (code == '\n')
            mgi_buf_puts(out, "\\n");
        else if (code == '\r')
            mgi_buf_puts(out, "\\r");
        else if (code == '\t')
            mgi_buf_puts(out, "\\t");
        else if (is_invisible(code))
            mgi_buf_printf(out, "\\u{%x}", (unsigned)code);
        else
            mgi_buf_append(out, s.ptr + start, at - start);
    }
}
