/* JSON with comments, as people write it and editors read it, without them: see json.h. */
#include "base/json.h"

/* Past the string that begins at `i`. */
static size_t string_end(struct str text, size_t i)
{
    for (i++; i < text.len && text.ptr[i] != '"'; i++)
        if (text.ptr[i] == '\\')
            i++;
    return i < text.len ? i + 1 : text.len;
}

/* Past the comment that begins at `i`, or `i`. */
static size_t comment_end(struct str text, size_t i)
{
    struct str rest = { text.ptr + i, text.len - i };
    if (mgi_str_starts(rest, STR_LIT("//"))) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        return end ? (size_t)(end - text.ptr) : text.len;
    }
    if (!mgi_str_starts(rest, STR_LIT("/*")))
        return i;
    size_t end = mgi_str_find((struct str){ rest.ptr + 2, rest.len - 2 }, STR_LIT("*/"));
    return end == SIZE_MAX ? text.len : i + 2 + end + 2;
}

struct str mgi_json_plain(struct arena *arena, struct str text)
{
    char *out = mgi_arena_alloc(arena, text.len + 1);
    if (!out)
        return (struct str){ NULL, 0 };
    for (size_t i = 0; i < text.len;) {
        size_t end = text.ptr[i] == '"' ? string_end(text, i) : comment_end(text, i);
        bool comment = end > i && text.ptr[i] == '/';
        if (end == i)
            end = i + 1;
        for (; i < end; i++) {
            bool blank = (comment && text.ptr[i] != '\n') || text.ptr[i] == '\t';
            out[i] = blank ? ' ' : text.ptr[i];
        }
    }
    out[text.len] = '\0';
    return (struct str){ out, text.len };
}
