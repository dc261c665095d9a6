/* Where a value is, and which rule is about it. A path is a JSON pointer from where the walk began;
 * a pattern is one in which the token * is any. */
#include <string.h>

#include "decision/mask_int.h"

static struct str next_token(struct str *path)
{
    const char *slash = path->len > 1 ? memchr(path->ptr + 1, '/', path->len - 1) : NULL;
    struct str token = { path->ptr + 1, slash ? (size_t)(slash - path->ptr - 1) : path->len - 1 };
    path->ptr += token.len + 1;
    path->len -= token.len + 1;
    return token;
}

enum path_match { PATH_ELSEWHERE, PATH_HERE, PATH_BELOW };

/* Where the pattern is, as seen from the path; *next is the token behind it, if it is below. */
static enum path_match match_path(struct str pattern, struct str path, struct str *next)
{
    while (pattern.len > 0 && path.len > 0) {
        struct str wanted = next_token(&pattern), got = next_token(&path);
        if (!str_is(wanted, "*") && !str_eq(wanted, got))
            return PATH_ELSEWHERE;
    }
    if (path.len > 0)
        return PATH_ELSEWHERE;
    if (pattern.len == 0)
        return PATH_HERE;
    *next = next_token(&pattern);
    return PATH_BELOW;
}

const struct mask_rule *mgi_mask_rule_here(const struct walk *k)
{
    struct str next;
    for (size_t i = 0; i < k->rule_count; i++)
        if (match_path(k->rules[i].path, mgi_buf_view(&k->m->path), &next) == PATH_HERE)
            return &k->rules[i];
    return NULL;
}

static bool is_index(struct str token)
{
    bool digits = token.len > 0;
    for (size_t i = 0; i < token.len; i++)
        digits &= token.ptr[i] >= '0' && token.ptr[i] <= '9';
    return digits;
}

/* A rule is about what `token` leads to in such a value: can there be such a thing? */
static bool leads_on(const struct json *v, struct str token)
{
    if (v->type == JSON_ARRAY)
        return str_is(token, "*") || is_index(token);
    if (v->type == JSON_OBJECT)
        return str_is(token, "*") || !is_index(token) || mgi_json_get_str(v, token);
    return v->type == JSON_NULL;
}

bool mgi_mask_stands_for_another(const struct walk *k, const struct json *v)
{
    struct str next;
    for (size_t i = 0; i < k->rule_count; i++)
        if (match_path(k->rules[i].path, mgi_buf_view(&k->m->path), &next) == PATH_BELOW &&
            !leads_on(v, next))
            return true;
    return false;
}
