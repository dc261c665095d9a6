/* A borrowed run of bytes with its length: never found by a terminator, may hold zero bytes. */
#ifndef MGI_BASE_STR_H
#define MGI_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *ptr; /* may be NULL when len is 0 */
    size_t len;      /* bytes */
};

/* For printf("%.*s", STR_ARG(s)). */
#define STR_ARG(s)   (int)((s).len), ((s).ptr ? (s).ptr : "")
#define STR_LIT(lit) ((struct str){ (lit), sizeof(lit) - 1 })

static inline struct str str_of(const char *z)
{
    return (struct str){ z, z ? strlen(z) : 0 };
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool str_is(struct str a, const char *z)
{
    return str_eq(a, str_of(z));
}

/* The same but for capital and small letters of ASCII, as names of headers and hosts are. */
bool mgi_str_same(struct str a, struct str b);

/* Is it one of the words, which end with NULL; and without regard to capital letters? */
bool mgi_str_is_any(struct str s, const char *const *words);
bool mgi_str_same_as_any(struct str s, const char *const *words);

/* Bytewise, unsigned, a proper prefix first: <0, 0, >0. */
int mgi_str_compare(struct str a, struct str b);

bool mgi_str_starts(struct str s, struct str prefix);
bool mgi_str_ends(struct str s, struct str suffix);

/* Without the bytes of `set` at either end. A part of `s`; empty if nothing else is there. */
struct str mgi_str_trim(struct str s, const char *set);

/* Position of the first `needle` in `s`, or SIZE_MAX. An empty needle is found at 0. */
size_t mgi_str_find(struct str s, struct str needle);

/* Does `s` fit `pattern`, in which * stands for any run of bytes and all else for itself? Looks
 * back to the last * alone, so its time is at most the product of the lengths. */
bool mgi_str_fits(struct str s, struct str pattern);

/* 64-bit hash for tables in memory: fast, not stable across versions, not for output. */
uint64_t mgi_hash_bytes(const void *ptr, size_t len, uint64_t seed);

#endif
