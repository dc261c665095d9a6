/* What a user typed and code put into an address as it is, unencoded: from # on an address is not
 * sent, & begins the next of its parameters, + is a space there, and % begins what is encoded.
 * Told is what the server got in place of what was typed. */
#include "facts.h"
#include "source_int.h"

#define TYPED_MOST     40
#define TYPED_BYTES    120
#define UNENCODED_TOLD 10
#define SENT_WITHIN_NS (10 * NS_PER_SEC)
#define SOON_NS        (50 * NS_PER_MS)
#define GIVEN_BYTES    100

struct typed {
    struct fact_list *list;
    const struct page_deed *deed;
    struct str text;
    bool alone; /* the user had filled in nothing else */
    size_t told;
};

/* ---- addresses ----------------------------------------------------------------------------------
 */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent-decoded; + stays, and what only looks encoded. *broken: there was some of that. */
static struct str decoded(struct fact_list *list, struct str s, bool *broken)
{
    struct buf out;
    mgi_buf_init(&out);
    for (size_t i = 0; i < s.len; i++) {
        bool mark = s.ptr[i] == '%';
        int high = mark && i + 2 < s.len ? digit_of(s.ptr[i + 1]) : -1;
        int low = high >= 0 ? digit_of(s.ptr[i + 2]) : -1;
        *broken = *broken || (mark && low < 0);
        mgi_buf_putc(&out, low >= 0 ? (char)(high * 16 + low) : s.ptr[i]);
        i += low >= 0 ? 2 : 0;
    }
    list->job->arena->oom |= out.oom;
    struct str text = out.oom ? STR_LIT("") : mgi_arena_str(list->job->arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return text;
}

struct parameter {
    struct str name, value; /* as they are sent */
    struct str behind;      /* what is sent behind it, without the & */
    bool last;
};

static bool next_parameter(struct str *query, struct parameter *p)
{
    if (query->len == 0)
        return false;
    const char *end = memchr(query->ptr, '&', query->len);
    struct str pair = { query->ptr, end ? (size_t)(end - query->ptr) : query->len };
    *query = end ? (struct str){ end + 1, query->len - pair.len - 1 } : STR_LIT("");
    const char *eq = memchr(pair.ptr, '=', pair.len);
    size_t name = eq ? (size_t)(eq - pair.ptr) : pair.len;
    p->name = (struct str){ pair.ptr, name };
    p->value = eq ? (struct str){ eq + 1, pair.len - name - 1 } : STR_LIT("");
    p->behind = *query;
    p->last = !end;
    return name > 0;
}

/* ---- where code does it
 * --------------------------------------------------------------------------- */

/* What is put in there: up to the end of ${...}, or of what is added. */
static bool is_encoded(struct str s, size_t at)
{
    struct str given = mgi_utf8_prefix((struct str){ s.ptr + at, s.len - at }, GIVEN_BYTES);
    size_t end = 0;
    int depth = 0;
    for (; end < given.len && !strchr(";\n}`", given.ptr[end]); end++) {
        depth += (given.ptr[end] == '(') - (given.ptr[end] == ')');
        if (depth < 0 || (depth == 0 && strchr("+,", given.ptr[end])))
            break;
    }
    given.len = end;
    return mgi_contains(given, "ncode") || mgi_contains(given, "scape");
}

/* `q=${` or 'q=' + , of which nothing is encoded. */
static bool puts_in(struct str s, size_t at, size_t *value)
{
    if (at + 2 >= s.len)
        return false;
    if (s.ptr[at] == '$' && s.ptr[at + 1] == '{') {
        *value = at + 2;
        return true;
    }
    size_t plus = strchr("'\"`", s.ptr[at]) && s.ptr[at] ? past_blank(s, at + 1) : s.len;
    *value = plus < s.len ? past_blank(s, plus + 1) : s.len;
    return plus < s.len && s.ptr[plus] == '+' && *value < s.len;
}

static bool find_unencoded(struct fact_list *list, struct str name, struct place *out)
{
    for (size_t i = 0; i < list->code_count; i++) {
        struct str s = list->code[i].text;
        if (!list->code[i].own || !mgi_may_scan(list, s))
            continue;
        for (size_t at = 1; at + name.len + 2 < s.len; at++) {
            size_t value;
            if (s.ptr[at] != name.ptr[0] || !strchr("?&'\"`", s.ptr[at - 1]) ||
                !mgi_str_starts((struct str){ s.ptr + at, s.len - at }, name) ||
                s.ptr[at + name.len] != '=' || !puts_in(s, at + name.len + 1, &value) ||
                is_encoded(s, value))
                continue;
            *out = (struct place){ s, at };
            return true;
        }
    }
    return false;
}

/* ---- what was typed, and what was sent
 * ------------------------------------------------------------- */

/* In a parameter, in a path, in what it was sent with. */
static bool has_whole(const struct typed *t, const struct request *r, struct str text)
{
    struct parameter p;
    struct str query = mgi_url_query(r->url);
    bool broken = false,
         found = mgi_str_find(mgi_sent_text(r), text) != SIZE_MAX ||
                 mgi_str_find(decoded(t->list, mgi_url_path(r->url), &broken), text) != SIZE_MAX;
    while (!found && next_parameter(&query, &p))
        found = mgi_str_find(decoded(t->list, p.value, &broken), text) != SIZE_MAX;
    return found;
}

static bool is_sent_whole(const struct typed *t, struct str text)
{
    const struct capture *c = t->list->capture;
    for (size_t i = 0; i < c->request_count && i < REQUESTS_LOOKED_AT; i++)
        if (t->list->looked_at[i] && c->requests[i].start_ns + SOON_NS >= t->deed->at_ns &&
            has_whole(t, &c->requests[i], text))
            return true;
    return false;
}

static void tell_unencoded(struct typed *t, const struct request *r, struct str name,
                           struct str got, const char *sign, const struct place *at)
{
    t->told++;
    mgi_fact(t->list, RANK_HIGH, "sent_unencoded", NO_TIME, 0, "ssssz",
             mgi_fact_id(t->list, "r", r->number), name, t->text, got, sign);
    if (at)
        mgi_fact(t->list, RANK_HIGH, "puts_unencoded", NO_TIME, 0, "ssn",
                 mgi_fact_id(t->list, "r", r->number), mgi_code_url(t->list, at->text),
                 mgi_place_line(at));
}

/* A parameter that has what was typed up to its first sign, and nothing has the rest. */
static bool is_cut(struct typed *t, const struct parameter *p, char sign, bool coded)
{
    const char *at = memchr(t->text.ptr, sign, t->text.len);
    bool broken = false;
    if (!at)
        return false;
    size_t len = (size_t)(at - t->text.ptr);
    struct str before = mgi_str_trim((struct str){ t->text.ptr, len }, " ");
    struct str rest = mgi_str_trim((struct str){ at + 1, t->text.len - len - 1 }, " ");
    struct str value = mgi_str_trim(decoded(t->list, p->value, &broken), " ");
    if (rest.len == 0 || !str_eq(value, before))
        return false;
    if (sign == '#') /* nothing is sent behind it */
        return p->last && (before.len > 0 || (t->alone && coded)) && !is_sent_whole(t, rest);
    const char *end = memchr(rest.ptr, '&', rest.len);
    rest.len = end ? (size_t)(end - rest.ptr) : rest.len;
    struct str behind = decoded(t->list, p->behind, &broken);
    behind = mgi_str_trim(behind, " ");
    return mgi_str_starts(behind, rest) && !is_sent_whole(t, t->text);
}

static struct str with_spaces(struct fact_list *list, struct str text)
{
    char *copy = mgi_arena_alloc(list->job->arena, text.len + 1);
    for (size_t i = 0; copy && i < text.len; i++)
        copy[i] = text.ptr[i] == '+' ? ' ' : text.ptr[i];
    return copy ? (struct str){ copy, text.len } : STR_LIT("");
}

static void look_at_parameter(struct typed *t, const struct request *r, const struct parameter *p)
{
    struct place at;
    bool broken = false, coded = find_unencoded(t->list, p->name, &at);
    const struct place *where = coded ? &at : NULL;
    struct str value = decoded(t->list, p->value, &broken);
    if (is_cut(t, p, '#', coded))
        tell_unencoded(t, r, p->name, value, "#", where);
    else if (is_cut(t, p, '&', coded))
        tell_unencoded(t, r, p->name, value, "&", where);
    else if (str_eq(value, t->text) && memchr(p->value.ptr, '+', p->value.len))
        tell_unencoded(t, r, p->name, with_spaces(t->list, value), "+", where);
    else if (str_eq(value, t->text) && broken)
        tell_unencoded(t, r, p->name, value, "%", where);
}

/* /tags/C of C#: the path ends where the address does. */
static void look_at_path(struct typed *t, const struct request *r)
{
    const char *at = memchr(t->text.ptr, '#', t->text.len);
    size_t len = at ? (size_t)(at - t->text.ptr) : 0;
    bool broken = false;
    struct str path = mgi_url_path(r->url);
    if (len == 0 || mgi_url_query(r->url).len > 0)
        return;
    size_t from = path.len;
    while (from > 0 && path.ptr[from - 1] != '/')
        from--;
    struct str last = decoded(t->list, (struct str){ path.ptr + from, path.len - from }, &broken);
    if (str_eq(last, (struct str){ t->text.ptr, len }) && !is_sent_whole(t, t->text))
        tell_unencoded(t, r, STR_LIT("the end of its path"), last, "#", NULL);
}

static void look_at_typed(struct typed *t)
{
    const struct capture *c = t->list->capture;
    for (size_t i = 0; i < c->request_count && t->told < UNENCODED_TOLD; i++) {
        const struct request *r = &c->requests[i];
        if (!t->list->looked_at[i] || r->resource != RES_DATA ||
            r->start_ns + SOON_NS < t->deed->at_ns || r->start_ns > t->deed->at_ns + SENT_WITHIN_NS)
            continue;
        struct parameter p;
        struct str query = mgi_url_query(r->url);
        look_at_path(t, r);
        while (next_parameter(&query, &p))
            look_at_parameter(t, r, &p);
    }
}

static bool has_sign(struct str text)
{
    return memchr(text.ptr, '#', text.len) || memchr(text.ptr, '&', text.len) ||
           memchr(text.ptr, '+', text.len) || memchr(text.ptr, '%', text.len);
}

static bool is_filled(const struct fact_list *list, const struct page_deed *d)
{
    return str_is(d->what, "field") && d->text.len > 0 && !mgi_is_past(list, d->at_ns);
}

static bool is_alone(const struct fact_list *list, const struct page_deed *d)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->deeds.count; i++) {
        const struct page_deed *other = &more->deeds.items[i];
        if (other != d && is_filled(list, other) && !str_eq(other->target, d->target) &&
            other->at_ns <= d->at_ns + SOON_NS && d->at_ns <= other->at_ns + SOON_NS)
            return false;
    }
    return true;
}

void mgi_facts_unencoded(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    struct typed t = { .list = list };
    for (size_t i = 0, typed = 0; i < more->deeds.count && typed < TYPED_MOST; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        struct str text = mgi_str_trim(d->text, " \t\r\n");
        if (!is_filled(list, d) || text.len < 2 || text.len > TYPED_BYTES || !has_sign(text))
            continue;
        typed++;
        t.deed = d;
        t.text = text;
        t.alone = is_alone(list, d);
        look_at_typed(&t);
    }
}
