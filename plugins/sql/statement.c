/* What a statement begins with. Not how reading is told from writing, which is the database's
 * business: it keeps statements out that no transaction can take back, and gives plain errors. */
#include "plugins/sql/sql_plugin.h"

#include <strings.h>

/* Behind a comment that begins at `at`; `at` itself if none does. Block comments nest, as in
 * PostgreSQL; in SQLite that makes the first word come later, never earlier. */
static size_t behind_comment(struct str s, size_t at)
{
    if (s.len - at < 2)
        return at;
    if (s.ptr[at] == '-' && s.ptr[at + 1] == '-') {
        const char *lf = memchr(s.ptr + at, '\n', s.len - at);
        return lf ? (size_t)(lf - s.ptr) + 1 : s.len;
    }
    if (s.ptr[at] != '/' || s.ptr[at + 1] != '*')
        return at;
    size_t depth = 1;
    for (at += 2; at + 1 < s.len && depth > 0; at++) {
        bool opens = s.ptr[at] == '/' && s.ptr[at + 1] == '*';
        bool closes = s.ptr[at] == '*' && s.ptr[at + 1] == '/';
        depth += opens;
        depth -= closes;
        at += opens || closes;
    }
    return depth ? s.len : at;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct str mgi_sql_first_word(struct str sql)
{
    size_t at = 0, before;
    do {
        before = at;
        while (at < sql.len && sql.ptr[at] && strchr(" \t\r\n\f\v(", sql.ptr[at]))
            at++;
        if (at < sql.len)
            at = behind_comment(sql, at);
    } while (at != before && at < sql.len);
    size_t end = at;
    while (end < sql.len && is_letter(sql.ptr[end]))
        end++;
    return (struct str){ sql.ptr + at, end - at };
}

bool mgi_sql_is_word(struct str word, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == word.len && strncasecmp(*words, word.ptr, word.len) == 0)
            return true;
    return false;
}
