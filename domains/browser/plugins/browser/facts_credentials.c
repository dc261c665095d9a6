/* Credentials as facts: their kinds and names, never their values. */
#include "facts.h"

#define COOKIES_TOLD 12

static bool is_name(struct str s, const char *name)
{
    return s.len == strlen(name) && mgi_contains(s, name);
}

/* What code makes of a value that it does not have. */
static bool says_no_value(struct str s)
{
    return s.len == 0 || str_is(s, "undefined") || str_is(s, "null") || str_is(s, "NaN") ||
           str_is(s, "[object Object]");
}

static struct str after_blank(struct str s)
{
    size_t at = 0;
    while (at < s.len && s.ptr[at] != ' ')
        at++;
    return mgi_str_trim((struct str){ s.ptr + at, s.len - at }, " ");
}

/* The kind that a header carries; NULL: none. */
static const char *kind_of_header(struct str name, struct str value)
{
    if (is_name(name, "authorization"))
        return mgi_contains(mgi_utf8_prefix(value, 7), "bearer")  ? "bearer"
               : mgi_contains(mgi_utf8_prefix(value, 6), "basic") ? "basic"
                                                                  : "other";
    if (mgi_contains(name, "csrf") || mgi_contains(name, "xsrf"))
        return "csrf";
    bool key = mgi_contains(name, "api-key") || mgi_contains(name, "apikey") ||
               mgi_contains(name, "auth-token") || mgi_contains(name, "access-token") ||
               is_name(name, "x-token");
    return key ? "api-key" : NULL;
}

static size_t facts_of_cookies(struct fact_list *list, struct str id, struct str value)
{
    size_t told = 0;
    while (value.len > 0 && told < COOKIES_TOLD) {
        const char *end = memchr(value.ptr, ';', value.len);
        struct str one = { value.ptr, end ? (size_t)(end - value.ptr) : value.len };
        value = end ? (struct str){ end + 1, value.len - one.len - 1 } : STR_LIT("");
        size_t eq = mgi_str_find(one, STR_LIT("="));
        one = mgi_str_trim((struct str){ one.ptr, eq == SIZE_MAX ? one.len : eq }, " ");
        char *kind =
            mgi_arena_printf(list->job->arena, "cookie:%.*s", STR_ARG(mgi_utf8_prefix(one, 80)));
        if (one.len == 0 || !kind)
            continue;
        told++;
        mgi_fact(list, RANK_USUAL, "credential_sent", NO_TIME, 0, "sz", id, kind);
    }
    return told;
}

static void facts_of_sent_credentials(struct fact_list *list, struct str id,
                                      const struct request *r)
{
    const struct json *headers = mgi_json_get(mgi_json_get(r->entry, "request"), "headers");
    size_t told = 0, count = headers && headers->type == JSON_ARRAY ? headers->count : 0;
    for (size_t i = 0; i < count; i++) {
        struct str name = mgi_member_string(&headers->items[i], "name");
        struct str value = mgi_member_string(&headers->items[i], "value");
        const char *kind = kind_of_header(name, value);
        if (is_name(name, "cookie"))
            told += facts_of_cookies(list, id, value);
        if (!kind)
            continue;
        told++;
        mgi_fact(list, RANK_HIGH, "credential_sent", NO_TIME, 0, "sz", id, kind);
        bool scheme = strcmp(kind, "bearer") == 0 || strcmp(kind, "basic") == 0;
        if (says_no_value(scheme ? after_blank(value) : value))
            mgi_fact(list, RANK_CORE, "credential_empty", NO_TIME, 0, "sz", id, kind);
    }
    if (told == 0 && count > 0)
        mgi_fact(list, RANK_USUAL, "credential_sent", NO_TIME, 0, "sz", id, "none");
}

/* That a cookie is for another path is how cookies work, unless it was missed. */
static bool is_usual(const struct cookie_event *c, const struct request *r)
{
    bool turned_away = r->status == 401 || r->status == 403 || r->status == 419 || r->hop_count > 0;
    return str_is(c->reason, "NotOnPath") && !turned_away;
}

/* Without a Path it is for what lies beside the request. */
static struct str path_of_cookie(const struct cookie_event *c, const struct request *r)
{
    struct str path = mgi_url_path(r->url);
    if (c->path.len > 0 && c->path.ptr[0] == '/')
        return c->path;
    while (path.len > 1 && path.ptr[path.len - 1] != '/')
        path.len--;
    path.len -= path.len > 1;
    return path;
}

/* Code of a page elsewhere does not see it. */
static bool is_elsewhere(const struct fact_list *list, struct str path)
{
    struct str page = mgi_url_path(list->capture->url);
    if (page.len == 0 || path.len == 0 || !mgi_str_starts(page, path))
        return page.len > 0 && path.len > 0;
    return page.len > path.len && path.ptr[path.len - 1] != '/' && page.ptr[path.len] != '/';
}

static void facts_of_cookie_events(struct fact_list *list, struct str id, const struct request *r)
{
    for (size_t i = 0; i < r->cookies.count; i++) {
        const struct cookie_event *c = &r->cookies.items[i];
        if (is_usual(c, r))
            continue;
        if (c->reason.len > 0)
            mgi_fact(list, RANK_CORE, "cookie_refused", NO_TIME, 0, "sssz", id, c->name, c->reason,
                     c->sent ? "sent" : "set");
        else
            mgi_fact(list, RANK_HIGH, "cookie_set", NO_TIME, 0, "ss", id, c->name);
        struct str path = path_of_cookie(c, r);
        if (c->reason.len == 0 && !c->sent && !c->hidden && is_elsewhere(list, path))
            mgi_fact(list, RANK_HIGH, "cookie_elsewhere", NO_TIME, 0, "sss", id, c->name, path);
        if (c->over)
            mgi_fact(list, RANK_USUAL, "cookie_over", NO_TIME, 0, "ss", id, c->name);
        if (c->reason.len == 0 && !c->sent && path.len > 1)
            mgi_fact(list, RANK_USUAL, "cookie_path", NO_TIME, 0, "sss", id, c->name, path);
        if (c->hidden)
            mgi_fact(list, RANK_USUAL, "cookie_hidden", NO_TIME, 0, "ss", id, c->name);
    }
}

/* A HAR has the header, and does not know whether the browser took it. */
static void facts_of_set_cookies(struct fact_list *list, struct str id, const struct request *r)
{
    const struct json *headers = mgi_json_get(mgi_json_get(r->entry, "response"), "headers");
    size_t count = headers && headers->type == JSON_ARRAY ? headers->count : 0;
    for (size_t i = 0; r->id.len == 0 && i < count; i++) {
        struct str value = mgi_member_string(&headers->items[i], "value");
        size_t eq = mgi_str_find(value, STR_LIT("="));
        if (is_name(mgi_member_string(&headers->items[i], "name"), "set-cookie") && eq != SIZE_MAX)
            mgi_fact(list, RANK_HIGH, "cookie_set", NO_TIME, 0, "ss", id,
                     (struct str){ value.ptr, eq });
    }
}

void mgi_facts_credentials(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i])
            continue;
        struct str id = mgi_fact_id(list, "r", r->number);
        if (mgi_request_rank(r) <= RANK_USUAL)
            facts_of_sent_credentials(list, id, r);
        facts_of_cookie_events(list, id, r);
        facts_of_set_cookies(list, id, r);
    }
}
