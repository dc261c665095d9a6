/* What source.c and source_trail.c share: looking at a script's text. */
#ifndef BROWSER_SOURCE_INT_H
#define BROWSER_SOURCE_INT_H

#include "source.h"

/* Longer than this is no expression that tells anything. */
#define EXPRESSION_BYTES 120

static inline bool is_name_char(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c == '$';
}

/* Does `word` stand there, and end there? */
static inline bool stands_at(struct str text, size_t at, struct str word)
{
    return at <= text.len && word.len <= text.len - at &&
           memcmp(text.ptr + at, word.ptr, word.len) == 0 &&
           (at + word.len == text.len || !is_name_char(text.ptr[at + word.len]));
}

/* The name that begins there; empty if none does. */
static inline struct str name_at(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && is_name_char(s.ptr[end]))
        end++;
    return (struct str){ s.ptr + at, end - at };
}

/* The next position that is no blank, and the end of the last thing before. */
static inline size_t past_blank(struct str s, size_t at)
{
    while (at < s.len && strchr(" \t\r\n", s.ptr[at]) && s.ptr[at])
        at++;
    return at;
}

static inline size_t back_blank(struct str s, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", s.ptr[at - 1]) && s.ptr[at - 1])
        at--;
    return at;
}

/* Where the chain a.b[0].c() that ends before `end` begins. */
size_t mgi_chain_start(struct str text, size_t end);

#endif
