/* Patterns of paths. The pattern becomes a list of tokens, and the path is read once with the set
 * of places in that list where one may be: no pattern is slow. Both are UTF-8. */
#include "plugins/support/paths.h"

#include "base/utf8.h"

enum token_kind { TOKEN_CHARACTER, TOKEN_ANY, TOKEN_STAR, TOKEN_DEEP, TOKEN_SET };

struct token {
    enum token_kind kind;
    uint32_t character;
    struct str set; /* between the brackets */
};

/* What stands between brackets; a bracket that stands first is meant: "[]a]". */
static bool read_set(struct str p, size_t *at, struct token *t)
{
    size_t begin = *at, first = begin + (begin < p.len && p.ptr[begin] == '!') + 1;
    const char *close = first < p.len ? memchr(p.ptr + first, ']', p.len - first) : NULL;
    if (!close)
        return false;
    *at = (size_t)(close - p.ptr) + 1;
    *t = (struct token){ .kind = TOKEN_SET, .set = { p.ptr + begin, *at - 1 - begin } };
    return true;
}

/* The token at *at; false: a bracket is not closed, or empty. */
static bool next_token(struct str p, size_t *at, struct token *t)
{
    *t = (struct token){ .kind = TOKEN_CHARACTER, .character = mgi_utf8_next(p, at) };
    if (t->character == '?')
        t->kind = TOKEN_ANY;
    if (t->character == '[')
        return read_set(p, at, t);
    if (t->character == '*') {
        t->kind = TOKEN_STAR;
        for (; *at < p.len && p.ptr[*at] == '*'; ++*at)
            t->kind = TOKEN_DEEP;
    }
    return true;
}

static size_t tokens_of(struct str pattern, struct token out[GLOB_MOST])
{
    size_t count = 0;
    for (size_t at = 0; at < pattern.len && count < GLOB_MOST; count++)
        if (!next_token(pattern, &at, &out[count]))
            return SIZE_MAX;
    return count;
}

const char *mgi_glob_fault(struct str pattern)
{
    struct token tokens[GLOB_MOST];
    if (pattern.len == 0)
        return "is empty";
    if (pattern.len > GLOB_MOST)
        return "is longer than 256 bytes";
    return tokens_of(pattern, tokens) == SIZE_MAX ? "has a [ without its ]" : NULL;
}

static bool in_set(struct str set, uint32_t c)
{
    bool negated = set.len && set.ptr[0] == '!', found = false;
    for (size_t at = negated; at < set.len;) {
        uint32_t low = mgi_utf8_next(set, &at), high = low;
        if (at + 1 < set.len && set.ptr[at] == '-') {
            at++;
            high = mgi_utf8_next(set, &at);
        }
        found = found || (c >= low && c <= high);
    }
    return found != negated && c != '/';
}

static bool takes(const struct token *t, uint32_t c)
{
    switch (t->kind) {
    case TOKEN_CHARACTER:
        return t->character == c;
    case TOKEN_SET:
        return in_set(t->set, c);
    case TOKEN_DEEP:
        return true;
    default:
        return c != '/';
    }
}

static bool is_slash(const struct token *t)
{
    return t->kind == TOKEN_CHARACTER && t->character == '/';
}

/* Stars may stand for nothing; a deep one between slashes takes the one behind it along, so that
 * "a" and "b" with it between are a/b, too. All such steps lead forward: one pass finds them. */
static void skip_stars(bool *places, const struct token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!places[i] || (tokens[i].kind != TOKEN_STAR && tokens[i].kind != TOKEN_DEEP))
            continue;
        places[i + 1] = true;
        if (tokens[i].kind == TOKEN_DEEP && i + 1 < count && is_slash(&tokens[i + 1]) &&
            (i == 0 || is_slash(&tokens[i - 1])))
            places[i + 2] = true;
    }
}

bool mgi_glob(struct str pattern, struct str path)
{
    struct token tokens[GLOB_MOST];
    bool now[GLOB_MOST + 1] = { true }, then[GLOB_MOST + 1];
    size_t count = tokens_of(pattern, tokens);
    if (count == SIZE_MAX)
        return false;
    const char *slash = memrchr(path.ptr, '/', path.len);
    if (slash && !memchr(pattern.ptr, '/', pattern.len))
        path = (struct str){ slash + 1, path.len - (size_t)(slash + 1 - path.ptr) };
    skip_stars(now, tokens, count);
    for (size_t at = 0; at < path.len;) {
        uint32_t c = mgi_utf8_next(path, &at);
        memset(then, 0, count + 1);
        for (size_t i = 0; i < count; i++)
            if (now[i] && takes(&tokens[i], c))
                then[tokens[i].kind == TOKEN_STAR || tokens[i].kind == TOKEN_DEEP ? i : i + 1] =
                    true;
        skip_stars(then, tokens, count);
        memcpy(now, then, count + 1);
    }
    return now[count];
}

bool mgi_arg_glob(struct action *a, const char *name, struct str *pattern)
{
    struct str text;
    if (!mgi_arg_text(a, name, SIZE_MAX, &text))
        return false;
    if (mgi_glob_fault(text))
        return mgi_action_fail(a, "%s: %s", name, mgi_glob_fault(text));
    *pattern = text;
    return true;
}
