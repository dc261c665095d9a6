/*
 * toolhost_json.h - for plugins in C: what an action was given, member by member.
 *
 * The host has checked the input before an action sees it: it is one JSON object, valid UTF-8,
 * without two members of one name. So these functions look only for what is asked. On any other
 * text they answer false, and read nothing outside of it. Nothing is allocated and nothing
 * recurses: each costs one walk over the text.
 *
 *     th_str value;
 *     char path[4096];
 *     if (!th_json_member(input, "path", &value) || !th_json_text(value, path, sizeof path))
 *         ...
 */
#ifndef TOOLHOST_JSON_H
#define TOOLHOST_JSON_H

#include <stdbool.h>
#include <string.h>

#include "toolhost.h"

static inline const char *th_json_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* Behind the string that begins at p; NULL: it does not end. */
static inline const char *th_json_string_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\' && ++p == end)
            return NULL;
    return p < end ? p + 1 : NULL;
}

/* Behind the value that begins at p; NULL: it does not end. */
static inline const char *th_json_value_end(const char *p, const char *end)
{
    size_t depth = 0;
    while (p && p < end) {
        if (*p == '"') {
            p = th_json_string_end(p, end);
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            if (depth == 0)
                return NULL;
            depth--;
            p++;
        } else if (depth > 0) {
            p++;
            continue;
        } else {
            while (p < end && !strchr(" \t\r\n,]}\"", *p) && *p != '\0')
                p++;
        }
        if (depth == 0)
            return p;
    }
    return NULL;
}

/* Four hexadecimal digits as a number; -1: they are none. */
static inline long th_json_hex(const char *p, const char *end)
{
    long code = 0;
    for (int i = 0; i < 4; i++, p++) {
        if (p >= end)
            return -1;
        const char *digits = "0123456789abcdefABCDEF", *at = *p ? strchr(digits, *p) : NULL;
        if (!at)
            return -1;
        code = code * 16 + (at - digits < 16 ? at - digits : at - digits - 6);
    }
    return code;
}

/* UTF-8 of a code point, 1 to 4 bytes. */
static inline size_t th_json_utf8(unsigned long code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char marks[] = { 0, 0xC0, 0xE0, 0xF0 };
    out[0] = (char)(marks[more] | (code >> (6 * more)));
    for (size_t i = 1; i <= more; i++)
        out[i] = (char)(0x80 | ((code >> (6 * (more - i))) & 0x3F));
    return more + 1;
}

/* What an escape stands for, into `out`; *p is behind the backslash, and moved behind the escape.
 * 0: it is none, or stands for a NUL. */
static inline size_t th_json_escape(const char **p, const char *end, char out[4])
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (*p >= end || **p == '\0')
        return 0;
    const char *name = strchr(names, **p);
    if (name) {
        out[0] = values[name - names];
        ++*p;
        return 1;
    }
    long code = **p == 'u' ? th_json_hex(*p + 1, end) : -1;
    if (code <= 0)
        return 0;
    *p += 5;
    if (code >= 0xD800 && code < 0xDC00) { /* the first half of a pair */
        long low =
            end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' ? th_json_hex(*p + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return 0;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        *p += 6;
    } else if (code >= 0xDC00 && code < 0xE000) {
        return 0;
    }
    return th_json_utf8((unsigned long)code, out);
}

/* The text of a JSON string, with a NUL behind it. False: `value` is no string, its text has a NUL
 * in it, or does not fit into `size` bytes; `out` is "" then (if size > 0). */
static inline bool th_json_text(th_str value, char *out, size_t size)
{
    const char *p = value.ptr, *end = p + value.len;
    size_t len = 0;
    if (size > 0)
        out[0] = '\0';
    if (value.len < 2 || *p != '"' || th_json_string_end(p, end) != end)
        return false;
    for (p++, end--; p < end;) {
        char bytes[4];
        size_t count = 1;
        bytes[0] = *p++;
        if (bytes[0] == '\\')
            count = th_json_escape(&p, end, bytes);
        if (count == 0 || bytes[0] == '\0' || len + count >= size) {
            if (size > 0)
                out[0] = '\0';
            return false;
        }
        memcpy(out + len, bytes, count);
        len += count;
    }
    if (len >= size)
        return false;
    out[len] = '\0';
    return true;
}

/* A whole number from -(2^63) to 2^63 - 1, written without fraction and exponent. */
static inline bool th_json_int(th_str value, int64_t *out)
{
    bool negative = value.len > 0 && value.ptr[0] == '-';
    const char *p = value.ptr + negative, *end = value.ptr + value.len;
    uint64_t most = negative ? (uint64_t)1 << 63 : INT64_MAX, n = 0;
    if (p >= end || (*p == '0' && end - p > 1))
        return false;
    for (; p < end; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (*p < '0' || *p > '9' || n > (most - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = !negative ? (int64_t)n : n == most ? INT64_MIN : -(int64_t)n;
    return true;
}

/* The text of the member `key` of a JSON object: "\"/tmp\"", "7", "{...}". False: it has none.
 * Members of members: ask again, with the value. */
static inline bool th_json_member(th_str object, const char *key, th_str *value)
{
    const char *p = object.ptr, *end = p + object.len;
    char name[256];
    p = th_json_space(p, end);
    if (p >= end || *p++ != '{')
        return false;
    while ((p = th_json_space(p, end)) < end && *p == '"') {
        th_str written = { p, 0 };
        if (!(p = th_json_string_end(p, end)))
            return false;
        written.len = (size_t)(p - written.ptr);
        p = th_json_space(p, end);
        if (p >= end || *p++ != ':')
            return false;
        const char *begin = th_json_space(p, end);
        if (!(p = th_json_value_end(begin, end)) || p == begin)
            return false;
        if (th_json_text(written, name, sizeof name) && strcmp(name, key) == 0) {
            value->ptr = begin;
            value->len = (size_t)(p - begin);
            return true;
        }
        p = th_json_space(p, end);
        if (p >= end || *p++ != ',')
            return false;
    }
    return false;
}

#endif
