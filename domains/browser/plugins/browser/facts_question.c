/* How a question and its answer fit together, beyond their bodies: the id that was asked for, the
 * conditions under which something was to be changed, headers by which answers of one address
 * differ, and headers that code reads and the browser does not show it. */
#include "facts.h"

#define HEADERS_LOOKED_AT 60
#define BEFORE_LOOKED_AT  60
#define QUESTIONS_MOST    300
#define READS_TOLD        20
#define CLOCKS_DIFFER_NS  (50 * NS_PER_MS) /* the page's and the browser's */

static const struct json *headers_of(const struct request *r, const char *side)
{
    const struct json *headers = mgi_json_get(mgi_json_get(r->entry, side), "headers");
    return headers && headers->type == JSON_ARRAY ? headers : NULL;
}

static size_t header_count(const struct json *headers)
{
    size_t count = headers ? headers->count : 0;
    return count < HEADERS_LOOKED_AT ? count : HEADERS_LOOKED_AT;
}

/* ptr NULL: it is not there. */
static struct str header_value(const struct json *headers, struct str name)
{
    for (size_t i = 0; i < header_count(headers); i++)
        if (mgi_str_same(mgi_member_string(&headers->items[i], "name"), name))
            return mgi_member_string(&headers->items[i], "value");
    return (struct str){ NULL, 0 };
}

/* "Origin, X-Depot" names X-Depot. */
static bool list_names(struct str list, struct str name)
{
    while (list.len > 0) {
        const char *end = memchr(list.ptr, ',', list.len);
        struct str one = { list.ptr, end ? (size_t)(end - list.ptr) : list.len };
        list = end ? (struct str){ end + 1, list.len - one.len - 1 } : STR_LIT("");
        one = mgi_str_trim(one, " \t");
        if (str_is(one, "*") || mgi_str_same(one, name))
            return true;
    }
    return false;
}

/* ---- the id that was asked for --------------------------------------------------------------- */

static struct str last_segment(struct str path)
{
    size_t from = path.len;
    while (from > 0 && path.ptr[from - 1] != '/')
        from--;
    return (struct str){ path.ptr + from, path.len - from };
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* One is the end of the other, and it is not just the last figures of a longer number: BK-4417 and
 * 4417, 0042 and 42. */
static bool is_same_id(struct str a, struct str b)
{
    struct str whole = a.len > b.len ? a : b, end = a.len > b.len ? b : a;
    size_t before = whole.len - end.len;
    if (end.len == 0 || !mgi_str_same((struct str){ whole.ptr + before, end.len }, end))
        return false;
    while (before > 0 && whole.ptr[before - 1] == '0')
        before--;
    return before == 0 || !is_digit(whole.ptr[before - 1]) || !is_digit(end.ptr[0]);
}

static void facts_of_asked_id(struct fact_list *list, struct str id, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    const struct shape *shape = &list->shapes[index];
    struct str asked = last_segment(mgi_url_path(r->url));
    if (!mgi_str_ends(list->routes[index], STR_LIT("/{id}")) || shape->kind != BODY_JSON)
        return;
    for (size_t i = 0; i < shape->count; i++)
        for (size_t n = 0; n < 3 && shape->paths[i].values[n].ptr; n++)
            if (is_same_id(shape->paths[i].values[n], asked)) {
                mgi_fact(list, RANK_USUAL, "answers_asked", NO_TIME, 0, "ss", id,
                         shape->paths[i].path);
                return;
            }
}

/* ---- headers that were sent ------------------------------------------------------------------ */

static void facts_of_conditions(struct fact_list *list, struct str id, const struct request *r)
{
    static const char *const names[] = { "if-match", "if-unmodified-since" };
    for (size_t i = 0; i < 2; i++) {
        struct str value = header_value(headers_of(r, "request"), str_of(names[i]));
        if (value.ptr)
            mgi_fact(list, RANK_HIGH, "sent_header", NO_TIME, 0, "szs", id, names[i], value);
    }
}

/* What browsers and networks put in, or what is another with each request. */
static bool is_of_no_account(struct str name)
{
    static const char *const names[] = { "accept-encoding",
                                         "cache-control",
                                         "connection",
                                         "content-length",
                                         "content-type",
                                         "cookie",
                                         "date",
                                         "host",
                                         "if-match",
                                         "if-none-match",
                                         "origin",
                                         "if-modified-since",
                                         "pragma",
                                         "priority",
                                         "range",
                                         "referer",
                                         "user-agent",
                                         "authorization",
                                         "traceparent",
                                         "tracestate",
                                         "baggage",
                                         NULL };
    return mgi_str_same_as_any(name, names) || mgi_str_starts(name, STR_LIT("sec-")) ||
           mgi_str_starts(name, STR_LIT("Sec-"));
}

static bool is_of_code(struct str name)
{
    return name.len > 2 && (name.ptr[0] | 0x20) == 'x' && name.ptr[1] == '-';
}

/* A long run of figures, or what only one request was sent with and looks like an id: a time, or
 * the mark of a request. */
static bool marks_one_request(const struct fact_list *list, const struct request *r,
                              struct str name, struct str value)
{
    size_t digits = 0;
    for (size_t i = 0; i < value.len; i++)
        digits += is_digit(value.ptr[i]);
    if (digits >= 10 && digits == value.len)
        return true;
    if (value.len < 16 || digits < 4)
        return false;
    for (size_t i = 0; i < list->capture->request_count && i < QUESTIONS_MOST; i++) {
        const struct request *other = &list->capture->requests[i];
        struct str there = header_value(headers_of(other, "request"), name);
        if (other != r && there.ptr && str_eq(there, value))
            return false;
    }
    return true;
}

static void compare_headers(struct fact_list *list, const struct request *r,
                            const struct request *before)
{
    const struct json *now = headers_of(r, "request"), *was = headers_of(before, "request");
    struct str vary = header_value(headers_of(before, "response"), STR_LIT("vary"));
    for (size_t i = 0; i < header_count(now); i++) {
        struct str name = mgi_member_string(&now->items[i], "name");
        struct str value = mgi_member_string(&now->items[i], "value");
        struct str old = header_value(was, name);
        bool differs = old.ptr ? !str_eq(old, value) : is_of_code(name);
        if (!differs || is_of_no_account(name) || marks_one_request(list, r, name, value) ||
            (vary.ptr && list_names(vary, name)))
            continue;
        mgi_fact(list, RANK_HIGH, "cached_for_other", NO_TIME, 0, "ssss",
                 mgi_fact_id(list, "r", r->number), mgi_fact_id(list, "r", before->number), name,
                 old.ptr ? old : STR_LIT(""));
    }
}

/* Of a question that a cache answered: the last of its address that the server did. */
static void facts_of_cache(struct fact_list *list, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    bool cached = str_is(r->from, "disk_cache") || str_is(r->from, "memory_cache") ||
                  str_is(r->from, "service_worker");
    for (size_t i = index, seen = 0; cached && i-- > 0 && seen < BEFORE_LOOKED_AT; seen++) {
        const struct request *before = &list->capture->requests[i];
        if (!list->looked_at[i] || before->status != 200 || !str_is(before->from, "network") ||
            !str_eq(before->url, r->url) || !str_eq(before->method, r->method))
            continue;
        compare_headers(list, r, before);
        return;
    }
}

/* ---- a mark that says that a change is the same ---------------------------------------------- */

/* Idempotency-Key and the like, with the value of an earlier change that had another body. */
static void facts_of_marks(struct fact_list *list, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    const struct json *headers = headers_of(r, "request");
    for (size_t i = 0; i < header_count(headers); i++) {
        struct str name = mgi_member_string(&headers->items[i], "name");
        struct str value = mgi_member_string(&headers->items[i], "value");
        if (!mgi_contains(name, "idempot") || value.len == 0)
            continue;
        for (size_t j = index, seen = 0; j-- > 0 && seen < BEFORE_LOOKED_AT; seen++) {
            const struct request *before = &list->capture->requests[j];
            struct str there = header_value(headers_of(before, "request"), name);
            if (!list->looked_at[j] || !there.ptr || !str_eq(there, value) ||
                !mgi_same_endpoint(list, j, index))
                continue;
            if (!str_eq(mgi_sent_text(r), mgi_sent_text(before)))
                mgi_fact(list, RANK_HIGH, "same_mark", NO_TIME, 0, "sss",
                         mgi_fact_id(list, "r", r->number), mgi_fact_id(list, "r", before->number),
                         name);
            return;
        }
    }
}

/* ---- letters that were encoded twice --------------------------------------------------------- */

#define LETTERS_AROUND 12

/* UTF-8 that was taken for Latin-1 and encoded once more, as "\xC3\xBC" becomes four bytes; or the
 * sign that stands for what could not be read. 0: neither is there. */
static size_t garbled_at(struct str s, size_t at)
{
    const unsigned char *c = (const unsigned char *)s.ptr + at;
    size_t left = s.len - at;
    if (left >= 3 && c[0] == 0xEF && c[1] == 0xBF && c[2] == 0xBD)
        return 3;
    if (left >= 4 && c[0] == 0xC3 && (c[1] == 0x83 || c[1] == 0x82) && c[2] == 0xC2 && c[3] >= 0x80)
        return 4;
    if (left >= 5 && c[0] == 0xC3 && c[1] == 0xA2 && c[2] == 0xE2 && c[3] == 0x82 && c[4] == 0xAC)
        return 5; /* what quotes and dashes become */
    return 0;
}

/* The letters of the word around it. */
static struct str word_around(struct str s, size_t at, size_t len)
{
    size_t from = at, to = at + len;
    while (from > 0 && at - from < LETTERS_AROUND &&
           ((s.ptr[from - 1] | 0x20) >= 'a' && (s.ptr[from - 1] | 0x20) <= 'z'))
        from--;
    while (to < s.len && to - at < LETTERS_AROUND &&
           ((s.ptr[to] | 0x20) >= 'a' && (s.ptr[to] | 0x20) <= 'z'))
        to++;
    return (struct str){ s.ptr + from, to - from };
}

static void fact_of_letters(struct fact_list *list, struct str id, const struct request *r)
{
    bool known, binary;
    struct str text = mgi_answer_text(r, &known, &binary);
    for (size_t at = 0; !binary && at < text.len; at++) {
        if ((unsigned char)text.ptr[at] < 0xC3)
            continue;
        size_t len = garbled_at(text, at);
        if (len == 0)
            continue;
        mgi_fact(list, RANK_HIGH, "garbled", NO_TIME, 0, "ss", id, word_around(text, at, len));
        return;
    }
}

/* ---- headers that code does not see ---------------------------------------------------------- */

static bool is_shown_to_all(struct str name)
{
    static const char *const names[] = { "cache-control",  "content-language",
                                         "content-length", "content-type",
                                         "expires",        "last-modified",
                                         "pragma",         NULL };
    return mgi_str_same_as_any(name, names);
}

static bool is_kept_from_code(const struct fact_list *list, const struct request *r,
                              struct str name)
{
    const struct json *headers = headers_of(r, "response");
    struct str shown = header_value(headers, STR_LIT("access-control-expose-headers"));
    return !str_eq(mgi_url_origin(r->url), mgi_url_origin(list->capture->url)) &&
           header_value(headers, name).ptr && !is_shown_to_all(name) &&
           !(shown.ptr && list_names(shown, name));
}

/* But for its query. */
static bool is_address(struct str url, struct str address)
{
    return mgi_str_starts(url, address) &&
           (url.len == address.len || url.ptr[address.len] == '?' || url.ptr[address.len] == '#');
}

/* Code asked for a header of the answer of this address, and was told that there is none. */
static void facts_of_header_read(struct fact_list *list, struct str id, const struct page_deed *d)
{
    const struct capture *c = list->capture;
    for (size_t i = c->request_count; i-- > 0;) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->answer_ns > d->at_ns + CLOCKS_DIFFER_NS || r->status == 0 ||
            !is_address(r->url, d->target))
            continue;
        bool kept = is_kept_from_code(list, r, d->name);
        mgi_fact(list, RANK_HIGH, kept ? "header_kept_from" : "header_read_in_vain", NO_TIME, 0,
                 "sss", id, mgi_fact_id(list, "r", r->number), mgi_fact_small(list, d->name));
        mgi_fact_stack(list, RANK_HIGH, id, d->frames, d->frame_count);
        return;
    }
}

static void facts_of_header_reads(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0, told = 0; i < more->deeds.count && told < READS_TOLD; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        if (!str_is(d->what, "header") || d->frame_count == 0 || d->target.len == 0 ||
            mgi_is_past(list, d->at_ns))
            continue;
        told++;
        facts_of_header_read(list, mgi_fact_id(list, "k", i + 1), d);
    }
}

void mgi_facts_questions(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count && i < QUESTIONS_MOST; i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->resource != RES_DATA)
            continue;
        struct str id = mgi_fact_id(list, "r", r->number);
        if (str_is(r->method, "GET"))
            facts_of_cache(list, i);
        else
            facts_of_conditions(list, id, r);
        facts_of_marks(list, i);
        fact_of_letters(list, id, r);
        if (str_is(r->method, "GET"))
            facts_of_asked_id(list, id, i);
    }
    facts_of_header_reads(list);
}
