/*
 * toolhost_json.h - for plugins in C: reading what an action was given, and writing what it
 * answers.
 *
 *     static th_status greet(th_call *call, th_str input, void *user)
 *     {
 *         th_str value;
 *         char name[100];
 *         if (!th_json_member(input, "name", &value) || !th_json_text(value, name, sizeof name))
 *             return th_json_fail(host, call, "name is missing, no text, or longer than 99 bytes");
 *         th_json_writer w = th_json_writer_of(host, call);
 *         th_json_open(&w, '{');
 *         th_json_key(&w, "greeting");
 *         th_json_put_text(&w, name);
 *         th_json_close(&w, '}');
 *         return th_json_answer(&w);
 *     }
 *
 * Reading. The host has checked the input before an action sees it: it is one JSON object, valid
 * UTF-8, without two members of one name, and it keeps to the input_schema if there is one. So
 * these functions look only for what is asked. On any other text they answer false, and read
 * nothing outside of it. Nothing is allocated and nothing recurses: each costs one walk over the
 * text. A value is the slice of the text that it stands in ("\"/tmp\"", "7", "{...}"), valid as
 * long as that text.
 *
 * Writing. The text grows in memory of the call (th_host.alloc), which the host releases; commas
 * are the writer's business, and what is written is valid JSON as long as keys stand in objects and
 * everything that is opened is closed. Running out of memory shows at the end, in th_json_answer().
 *
 * No function here keeps a pointer or a state of its own: any thread may read. A writer belongs to
 * the thread of its call.
 */
#ifndef TOOLHOST_JSON_H
#define TOOLHOST_JSON_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolhost.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- inner workings: what follows up to "reading" is not for use ------------------------------
 */

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

/* ---- reading ----------------------------------------------------------------------------------
 */

typedef enum th_json_type {
    TH_JSON_NONE, /* no JSON value */
    TH_JSON_NULL,
    TH_JSON_BOOL,
    TH_JSON_NUMBER,
    TH_JSON_STRING,
    TH_JSON_ARRAY,
    TH_JSON_OBJECT
} th_json_type;

/* What a value is, by its first byte. */
static inline th_json_type th_json_type_of(th_str value)
{
    switch (value.len > 0 ? value.ptr[0] : '\0') {
    case 'n':
        return TH_JSON_NULL;
    case 't':
    case 'f':
        return TH_JSON_BOOL;
    case '"':
        return TH_JSON_STRING;
    case '[':
        return TH_JSON_ARRAY;
    case '{':
        return TH_JSON_OBJECT;
    default:
        return value.len > 0 &&
                       (value.ptr[0] == '-' || (value.ptr[0] >= '0' && value.ptr[0] <= '9'))
                   ? TH_JSON_NUMBER
                   : TH_JSON_NONE;
    }
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

/* true or false. */
static inline bool th_json_bool(th_str value, bool *out)
{
    bool yes = value.len == 4 && memcmp(value.ptr, "true", 4) == 0;
    if (!yes && !(value.len == 5 && memcmp(value.ptr, "false", 5) == 0))
        return false;
    *out = yes;
    return true;
}

/* Any number, as the nearest double; one of more than 127 characters, or beyond what a double
 * holds, is none. The locale is that of the process: a plugin that calls setlocale() gets what it
 * asks for. */
static inline bool th_json_double(th_str value, double *out)
{
    char text[128], *end;
    if (th_json_type_of(value) != TH_JSON_NUMBER || value.len >= sizeof text)
        return false;
    memcpy(text, value.ptr, value.len);
    text[value.len] = '\0';
    if (strspn(text, "0123456789+-.eE") != value.len)
        return false;
    double n = strtod(text, &end);
    if (*end != '\0' || !isfinite(n))
        return false;
    *out = n;
    return true;
}

/* The members of an object, or the items of an array, one after the other:
 *
 *     th_str rest = list, item;
 *     while (th_json_next_item(&rest, &item))
 *         ...
 *
 * `rest` begins as the array or object and is used up; `key` is a JSON string (th_json_text).
 * False: there are no more, or the text is malformed from here on. */
static inline bool th_json_next(th_str *rest, char open, th_str *key, th_str *value)
{
    const char *p = rest->ptr, *end = p + rest->len;
    const char *begin;
    p = th_json_space(p, end);
    if (p >= end || (*p != open && *p != ','))
        return false;
    p = th_json_space(p + 1, end);
    if (key) {
        key->ptr = p;
        if (p >= end || *p != '"' || !(p = th_json_string_end(p, end)))
            return false;
        key->len = (size_t)(p - key->ptr);
        p = th_json_space(p, end);
        if (p >= end || *p != ':')
            return false;
        p = th_json_space(p + 1, end);
    }
    begin = p;
    if (!(p = th_json_value_end(begin, end)) || p == begin)
        return false;
    value->ptr = begin;
    value->len = (size_t)(p - begin);
    rest->ptr = p;
    rest->len = (size_t)(end - p);
    return true;
}

static inline bool th_json_next_item(th_str *rest, th_str *value)
{
    return th_json_next(rest, '[', NULL, value);
}

static inline bool th_json_next_member(th_str *rest, th_str *key, th_str *value)
{
    return th_json_next(rest, '{', key, value);
}

/* The member `key` of a JSON object. False: it has none. Members of members: ask again, with the
 * value. Keys of 256 bytes and more are not found; walk over them with th_json_next_member. */
static inline bool th_json_member(th_str object, const char *key, th_str *value)
{
    char name[256];
    th_str rest = object, written, found;
    while (th_json_next_member(&rest, &written, &found)) {
        if (th_json_text(written, name, sizeof name) && strcmp(name, key) == 0) {
            *value = found;
            return true;
        }
    }
    return false;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

typedef struct th_json_writer {
    const th_host *host;
    th_call *call;
    char *text; /* `len` bytes of JSON so far, and a NUL */
    size_t len, cap;
    bool failed; /* memory was short: nothing more is written */
} th_json_writer;

/* An empty text in memory of the call. */
static inline th_json_writer th_json_writer_of(const th_host *host, th_call *call)
{
    th_json_writer w;
    memset(&w, 0, sizeof w);
    w.host = host;
    w.call = call;
    return w;
}

/* Bytes as they are. */
static inline void th_json_bytes(th_json_writer *w, const char *bytes, size_t len)
{
    if (!w->failed && w->cap - w->len <= len) {
        size_t cap = 2 * (w->len + len) + 256;
        char *text = (char *)w->host->alloc(w->call, cap);
        if (!text) {
            w->failed = true;
            return;
        }
        if (w->len > 0)
            memcpy(text, w->text, w->len);
        w->text = text;
        w->cap = cap;
    }
    if (w->failed)
        return;
    if (len > 0)
        memcpy(w->text + w->len, bytes, len);
    w->len += len;
    w->text[w->len] = '\0';
}

/* A comma, unless something was just opened or named. */
static inline void th_json_comma(th_json_writer *w)
{
    char last = w->len > 0 ? w->text[w->len - 1] : '[';
    if (last != '{' && last != '[' && last != ':')
        th_json_bytes(w, ",", 1);
}

/* The bytes of one well-formed character of UTF-8 at p; 0: there is none. */
static inline size_t th_json_character(const unsigned char *p, size_t len)
{
    size_t more = p[0] < 0x80 ? 0 : p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : 1;
    if ((p[0] >= 0x80 && p[0] < 0xC2) || p[0] > 0xF4 || more >= len)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
        (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return more + 1;
}

static inline void th_json_quoted(th_json_writer *w, const char *text, size_t len)
{
    th_json_bytes(w, "\"", 1);
    for (size_t i = 0; i < len;) {
        unsigned char c = (unsigned char)text[i];
        size_t size = th_json_character((const unsigned char *)text + i, len - i);
        char escape[8];
        if (size == 0) {
            th_json_bytes(w, "\xEF\xBF\xBD", 3);
            size = 1;
        } else if (c == '"' || c == '\\' || c < 0x20) {
            int n = c < 0x20 ? snprintf(escape, sizeof escape, "\\u%04x", c)
                             : snprintf(escape, sizeof escape, "\\%c", c);
            th_json_bytes(w, escape, (size_t)n);
        } else {
            th_json_bytes(w, text + i, size);
        }
        i += size;
    }
    th_json_bytes(w, "\"", 1);
}

/* '{' or '[', and the '}' or ']' that belongs to it. */
static inline void th_json_open(th_json_writer *w, char bracket)
{
    th_json_comma(w);
    th_json_bytes(w, &bracket, 1);
}

static inline void th_json_close(th_json_writer *w, char bracket)
{
    th_json_bytes(w, &bracket, 1);
}

/* The name of the member whose value is written next. */
static inline void th_json_key(th_json_writer *w, const char *name)
{
    th_json_comma(w);
    th_json_quoted(w, name, strlen(name));
    th_json_bytes(w, ":", 1);
}

/* A string. Bytes that are no UTF-8 become U+FFFD, so that the answer is good JSON whatever a file
 * or a program had in it. NULL writes null. */
static inline void th_json_put_text(th_json_writer *w, const char *text)
{
    th_json_comma(w);
    if (text)
        th_json_quoted(w, text, strlen(text));
    else
        th_json_bytes(w, "null", 4);
}

static inline void th_json_put_bytes(th_json_writer *w, const char *text, size_t len)
{
    th_json_comma(w);
    th_json_quoted(w, text, len);
}

static inline void th_json_put_int(th_json_writer *w, int64_t n)
{
    char text[24];
    th_json_comma(w);
    th_json_bytes(w, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)n));
}

/* The nearest that 17 digits can say; null for what is no number. */
static inline void th_json_put_double(th_json_writer *w, double n)
{
    char text[32] = "null";
    size_t len = 4;
    th_json_comma(w);
    if (isfinite(n))
        len = (size_t)snprintf(text, sizeof text, "%.17g", n);
    for (size_t i = 0; i < len; i++)
        if (text[i] == ',') /* of a locale that the plugin has chosen */
            text[i] = '.';
    th_json_bytes(w, text, len);
}

static inline void th_json_put_bool(th_json_writer *w, bool yes)
{
    th_json_comma(w);
    th_json_bytes(w, yes ? "true" : "false", yes ? 4 : 5);
}

/* A value that is JSON already, such as one out of the input; {NULL, 0} writes null. */
static inline void th_json_put_value(th_json_writer *w, th_str value)
{
    th_json_comma(w);
    th_json_bytes(w, value.len > 0 ? value.ptr : "null", value.len > 0 ? value.len : 4);
}

/* ---- answering --------------------------------------------------------------------------------
 */

/* What was written so far, for th_host.state_put and the like; valid until the call ends, but not
 * beyond the next writing. */
static inline th_str th_json_written(const th_json_writer *w)
{
    th_str all;
    all.ptr = w->text ? w->text : "";
    all.len = w->len;
    return all;
}

/* The action fails: `why` is told to whoever called it. For `return`. */
static inline th_status th_json_fail(const th_host *host, th_call *call, const char *why)
{
    host->set_error(call, why, strlen(why));
    return TH_TOOL_ERROR;
}

/* What was written is the answer. For `return`: TH_TOOL_ERROR, and says so, when memory was short
 * or it is longer than 1 048 576 bytes. */
static inline th_status th_json_answer(th_json_writer *w)
{
    if (w->failed ||
        w->host->set_output(w->call, w->len ? w->text : "{}", w->len ? w->len : 2) != TH_RC_OK)
        return th_json_fail(w->host, w->call, "the answer does not fit into memory");
    return TH_OK;
}

#ifdef __cplusplus
}
#endif
#endif
