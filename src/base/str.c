/* Comparing, searching and hashing runs of bytes. */
#include "base/str.h"

int mgi_str_compare(struct str a, struct str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;
    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool mgi_str_same(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (small(a.ptr[i]) != small(b.ptr[i]))
            return false;
    return true;
}

bool mgi_str_is_any(struct str s, const char *const *words)
{
    for (; *words; words++)
        if (str_is(s, *words))
            return true;
    return false;
}

bool mgi_str_same_as_any(struct str s, const char *const *words)
{
    for (; *words; words++)
        if (mgi_str_same(s, str_of(*words)))
            return true;
    return false;
}

bool mgi_str_starts(struct str s, struct str prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

bool mgi_str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || memcmp(s.ptr + (s.len - suffix.len), suffix.ptr, suffix.len) == 0);
}

/* strchr() alone would find the NUL that ends the set. */
static bool is_in(const char *set, char c)
{
    return c != '\0' && strchr(set, c) != NULL;
}

struct str mgi_str_trim(struct str s, const char *set)
{
    while (s.len > 0 && is_in(set, s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_in(set, s.ptr[s.len - 1]))
        s.len--;
    return s;
}

size_t mgi_str_find(struct str s, struct str needle)
{
    if (needle.len == 0)
        return 0;
    if (needle.len > s.len)
        return SIZE_MAX;
    const char *hit = memmem(s.ptr, s.len, needle.ptr, needle.len);
    return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

bool mgi_str_fits(struct str s, struct str pattern)
{
    size_t p = 0, t = 0, star = SIZE_MAX, from = 0;
    while (t < s.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.len && pattern.ptr[p] == s.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

/* The hash folds 128-bit products: eight bytes in, one multiplication, every input bit reaches
 * every output bit after two. The odd constants are bits of the fractions of sqrt(2), sqrt(3) and
 * sqrt(5). */
#define HASH_A UINT64_C(0x6a09e667f3bcc909)
#define HASH_B UINT64_C(0xbb67ae8584caa73b)
#define HASH_C UINT64_C(0x3c6ef372fe94f82b)

__extension__ typedef unsigned __int128 wide;

static uint64_t fold(uint64_t x, uint64_t y)
{
    wide product = (wide)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load(const unsigned char *p, size_t len)
{
    uint64_t word = 0;
    memcpy(&word, p, len);
    return word;
}

uint64_t mgi_hash_bytes(const void *ptr, size_t len, uint64_t seed)
{
    const unsigned char *p = ptr;
    size_t left = len;
    uint64_t h = seed ^ HASH_A;
    while (left > 16) {
        h = fold(load(p, 8) ^ HASH_B, load(p + 8, 8) ^ h);
        p += 16;
        left -= 16;
    }
    uint64_t first = 0, second = 0;
    if (left > 8) {
        first = load(p, 8);
        second = load(p + 8, left - 8);
    } else if (left) {
        first = load(p, left);
    }
    h = fold(first ^ HASH_B, second ^ h);
    return fold(h ^ HASH_C, (uint64_t)len ^ HASH_B);
}
