/* What the JSON files share: the scanner of tokens. Each function looks at bytes of [p, end) only
 * and returns the first byte behind the token, or NULL with *fail filled in. */
#ifndef MGI_BASE_JSON_INT_H
#define MGI_BASE_JSON_INT_H

#include "base/json.h"

#define JSON_DEFAULT_DEPTH 64

struct json_fail {
    enum json_fault fault;
    const char *at;
    const char *message; /* static text */
};

/* A string; p is behind the opening quote, the result is the closing one. */
const char *mgi_json_scan_string(const char *p, const char *end, bool *escaped,
                                 struct json_fail *fail);

/* The first byte of a string that needs thought (a quote, a backslash, a control character, what is
 * not ASCII), or `end`. */
const char *mgi_json_skip_plain(const char *p, const char *end);

#define JSON_ONES UINT64_C(0x0101010101010101)
#define JSON_HIGH UINT64_C(0x8080808080808080)

/* The high bit of every byte that equals the byte repeated in `pattern`. Bytes above the lowest hit
 * may be hits in error, because the subtraction borrows; the lowest is exact. */
static inline uint64_t mgi_json_bytes_equal(uint64_t word, uint64_t pattern)
{
    uint64_t x = word ^ pattern;
    return (x - JSON_ONES) & ~x & JSON_HIGH;
}

/* The high bit of every byte that needs thought: control characters, '"', '\\', not ASCII. */
static inline uint64_t mgi_json_special_bytes(uint64_t word)
{
    uint64_t control = (word - JSON_ONES * 0x20) & ~word & JSON_HIGH;
    return (word & JSON_HIGH) | control | mgi_json_bytes_equal(word, JSON_ONES * '"') |
           mgi_json_bytes_equal(word, JSON_ONES * '\\');
}

/* The closing quote of a string of plain bytes, as nearly all are, or NULL: mgi_json_scan_string()
 * says more. */
static inline const char *mgi_json_plain_end(const char *p, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        uint64_t special = mgi_json_special_bytes(word);
        if (special) {
            p += __builtin_ctzll(special) / 8;
            return *p == '"' ? p : NULL;
        }
    }
#else
    (void)p, (void)end;
#endif
    return NULL;
}

/* What stands between the quotes, already scanned; `out` has room for raw.len bytes. */
size_t mgi_json_unescape(struct str raw, char *out);

/* A number: sets type and value of *v, not its text. */
const char *mgi_json_scan_number(const char *p, const char *end, struct json *v,
                                 struct json_fail *fail);

/* true, false or null: sets type and value of *v. */
const char *mgi_json_scan_word(const char *p, const char *end, struct json *v,
                               struct json_fail *fail);

/* Some other byte where `message` says what was expected. */
const char *mgi_json_unexpected(const char *p, const char *end, const char *message,
                                struct json_fail *fail);

/* Turns a fail into an error with offset, line and column in `text`. */
void mgi_json_error_at(struct json_error *error, struct str text, const struct json_fail *fail);

uint32_t mgi_json_depth(uint32_t max_depth); /* 0 is the default; never above JSON_MAX_DEPTH */

bool mgi_json_has_bom(struct str text);

static inline const char *mgi_json_skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

static inline struct str mgi_str_between(const char *from, const char *to)
{
    return (struct str){ from, (size_t)(to - from) };
}

#endif
