/* WWW-Authenticate: a list of challenges, each a scheme and either one word or a list of
 * parameters.
 *
 * Commas part both, so what follows a word tells what it is: '=' makes it the name of a parameter,
 * anything else a scheme. */
#include "client/oauth.h"

#include "base/str.h"

struct cursor {
    struct str text;
    size_t at;
};

static bool is_token_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

static char here(const struct cursor *c)
{
    return c->at < c->text.len ? c->text.ptr[c->at] : '\0';
}

static void skip(struct cursor *c, const char *set)
{
    while (here(c) && strchr(set, here(c)))
        c->at++;
}

static struct str take_token(struct cursor *c)
{
    size_t from = c->at;
    while (is_token_char(here(c)))
        c->at++;
    return (struct str){ c->text.ptr + from, c->at - from };
}

/* "…", of which the first quote is here; without its escapes, in the arena. False: it does not end.
 */
static bool take_quoted(struct arena *a, struct cursor *c, struct str *out)
{
    char *copy = mgi_arena_alloc(a, c->text.len - c->at + 1);
    size_t len = 0;
    for (c->at++; copy && c->at < c->text.len && here(c) != '"'; c->at++) {
        if (here(c) == '\\')
            c->at++;
        copy[len++] = here(c);
    }
    if (!copy || here(c) != '"')
        return false;
    c->at++;
    copy[len] = '\0';
    *out = (struct str){ copy, len };
    return true;
}

/* A value behind '='. */
static bool take_value(struct arena *a, struct cursor *c, struct str *out)
{
    skip(c, " \t");
    if (here(c) == '"')
        return take_quoted(a, c, out);
    *out = mgi_arena_str(a, take_token(c));
    return out->ptr && out->len > 0;
}

/* The one word that some schemes have instead of parameters: passed over if it is there. */
static void skip_token68(struct cursor *c)
{
    size_t from = c->at;
    skip(c, " \t");
    size_t first = c->at;
    while (is_token_char(here(c)) || here(c) == '/')
        c->at++;
    bool any = c->at > first;
    skip(c, "=");
    skip(c, " \t");
    if (!any || (c->at < c->text.len && here(c) != ','))
        c->at = from;
}

/* A comma comes, or the end. */
static bool is_over(struct cursor *c)
{
    skip(c, " \t");
    return c->at >= c->text.len || here(c) == ',';
}

/* False: it was said before. */
static bool keep_parameter(struct oauth_challenge *out, struct str name, struct str value)
{
    const char **place = mgi_str_same(name, STR_LIT("resource_metadata")) ? &out->metadata
                         : mgi_str_same(name, STR_LIT("scope"))           ? &out->scope
                                                                          : NULL;
    if (place && *place)
        return false;
    if (place)
        *place = value.ptr;
    return true;
}

/* One scheme, or one parameter of the scheme before it. `ours`: that is the one. */
static bool take_item(struct arena *a, struct cursor *c, struct oauth_challenge *out, bool *scheme,
                      bool *ours)
{
    struct str name = take_token(c), value;
    size_t behind = c->at;
    skip(c, " \t");
    if (name.len == 0)
        return false;
    if (*scheme && here(c) == '=') {
        c->at++;
        return take_value(a, c, &value) && (!*ours || keep_parameter(out, name, value)) &&
               is_over(c);
    }
    c->at = behind;
    *scheme = true;
    *ours = mgi_str_same(name, STR_LIT("Bearer")) && !out->bearer;
    out->bearer = out->bearer || *ours;
    if (here(c) != ' ')
        return is_over(c);
    skip_token68(c);
    return true;
}

bool mgi_oauth_challenge_read(struct arena *a, struct str header, struct oauth_challenge *out,
                              struct buf *why)
{
    struct cursor c = { header, 0 };
    bool scheme = false, ours = false, good = header.len <= OAUTH_DOCUMENT_BYTES;
    *out = (struct oauth_challenge){ 0 };
    for (skip(&c, ", \t"); good && c.at < header.len; skip(&c, ", \t"))
        good = take_item(a, &c, out, &scheme, &ours);
    if (!good && !a->oom)
        mgi_buf_puts(why, "its WWW-Authenticate cannot be read");
    return good;
}
