/* A list that came in parts, and of which a page takes the first part for all: the answer says that
 * there is more, nothing more was asked for, and no script knows the member that says so. What came
 * of it is looked for on the page: a sum over the part, or the number of all beside it; or a script
 * asks by another name whether there is more. */
#include <inttypes.h>
#include <stdio.h>

#include "facts.h"
#include "source_int.h"

#define ITEMS_LEAST  3
#define ITEMS_MOST   200
#define MEMBERS_MOST 24
#define DEPTH_MOST   3
#define ANSWERS_MOST 20
#define BODY_MOST    (128u * 1024)
#define NAME_BYTES   24
#define TOTAL_MOST   1000000
#define TOLD_MOST    4
#define FRAMES_MOST  8
#define CURSOR_LEAST 5
#define ITSELF_BYTES 80

struct part {
    struct fact_list *list;
    size_t index; /* of the request */
    const struct json *body, *items;
    struct str items_name;
    struct str more, more_path, more_value; /* the member that says that there is more */
    int64_t total, pages, room;
};

/* Small letters and figures alone. */
static struct str plain_name(struct str name, char room[NAME_BYTES])
{
    size_t len = 0;
    for (size_t i = 0; i < name.len && len < NAME_BYTES; i++)
        if (is_name_char(name.ptr[i]) && name.ptr[i] != '_' && name.ptr[i] != '$')
            room[len++] =
                (char)(name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? name.ptr[i] | 0x20 : name.ptr[i]);
    return (struct str){ room, len };
}

/* Names that mean nothing else. */
static bool says_more_surely(struct str plain)
{
    static const char *const names[] = { "nextcursor",  "nextpage",      "nextpagetoken",
                                         "nexttoken",   "nextlink",      "nexturl",
                                         "nextpageurl", "nexthref",      "nextoffset",
                                         "endcursor",   "hasmore",       "hasnext",
                                         "hasnextpage", "odatanextlink", "continuationtoken",
                                         "nextmarker",  "morepages",     "lastevaluatedkey",
                                         NULL };
    return mgi_str_is_any(plain, names);
}

static bool says_more(struct str plain)
{
    static const char *const names[] = { "next",         "more",   "cursor",      "pagetoken",
                                         "continuation", "marker", "nextmaxid",   "moreresults",
                                         "moreitems",    "after",  "resumetoken", NULL };
    return says_more_surely(plain) || mgi_str_is_any(plain, names);
}

static bool is_something(const struct json *v)
{
    return (v->type == JSON_STRING && v->string.len > 0) || (v->type == JSON_BOOL && v->boolean) ||
           (v->type == JSON_INT && v->integer > 0) || (v->type == JSON_OBJECT && v->count > 0);
}

static void take_number(struct part *p, struct str plain, int64_t number)
{
    static const char *const totals[] = { "total",        "totalcount",   "count",
                                          "totalitems",   "totalresults", "totalrows",
                                          "totalrecords", "hits",         "totalelements",
                                          "totalhits",    "odatacount",   NULL };
    static const char *const pages[] = { "pages", "totalpages", "pagecount", "lastpage", NULL };
    static const char *const rooms[] = { "perpage", "pagesize", "limit", "itemsperpage", NULL };
    if (mgi_str_is_any(plain, totals) && number < TOTAL_MOST)
        p->total = number;
    else if (mgi_str_is_any(plain, pages))
        p->pages = number;
    else if (mgi_str_is_any(plain, rooms))
        p->room = number;
}

/* Looks through the objects around the list, not through lists. */
static void look_at_object(struct part *p, const struct json *object, struct str path, size_t depth)
{
    char room[NAME_BYTES];
    for (uint32_t i = 0; i < object->count && i < MEMBERS_MOST; i++) {
        const struct json *v = &object->members[i].value;
        struct str name = object->members[i].name, plain = plain_name(name, room);
        char *below =
            mgi_arena_printf(p->list->job->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(name));
        if (!below)
            return;
        if (v->type == JSON_INT)
            take_number(p, plain, v->integer);
        if (v->type == JSON_ARRAY && !p->items && v->count >= ITEMS_LEAST &&
            v->items[0].type == JSON_OBJECT) {
            p->items = v;
            p->items_name = name;
        } else if (says_more(plain) && is_something(v) && p->more.len == 0) {
            p->more = name;
            p->more_path = str_of(below);
            p->more_value = v->type == JSON_STRING ? v->string : STR_LIT("");
        } else if (v->type == JSON_OBJECT && depth < DEPTH_MOST) {
            look_at_object(p, v, str_of(below), depth + 1);
        }
    }
}

/* ---- what was asked for ---------------------------------------------------------------------- */

/* Another part was asked for, or only so many were. */
static bool asks_for_parts(const struct part *p)
{
    static const char *const some[] = {
        "limit=", "per_page=", "perPage=", "pageSize=", "page_size=", "size=", "first=",
        "top=",   "take=",     "count=",   "max=",      "rows=",      NULL
    };
    const struct capture *c = p->list->capture;
    struct str query = c->requests[p->index].url;
    for (size_t i = 0; some[i]; i++)
        if (mgi_str_find(query, str_of(some[i])) != SIZE_MAX)
            return true;
    return false;
}

static bool asked_for_more(const struct part *p)
{
    const struct capture *c = p->list->capture;
    const struct request *first = &c->requests[p->index];
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        bool other = mgi_same_endpoint(p->list, i, p->index) && !str_eq(r->url, first->url);
        bool by_value = r->start_ns > first->start_ns && p->more_value.len >= CURSOR_LEAST &&
                        mgi_str_find(r->url, p->more_value) != SIZE_MAX;
        if (p->list->looked_at[i] && (other || by_value))
            return true;
    }
    return false;
}

/* Code that goes through parts in its own way: by their number, or by what it has already. */
static bool code_knows_parts(const struct part *p)
{
    static const char *const words[] = { "page=",  "page:",    "offset", "skip",  "cursor",
                                         "[rel=",  "nextPage", "Link\"", "pager", "paginat",
                                         "'link'", "\"link\"", NULL };
    for (size_t i = 0; i < p->list->code_count; i++)
        for (size_t w = 0; p->list->code[i].own && words[w]; w++)
            if (!mgi_may_scan(p->list, p->list->code[i].text) ||
                mgi_contains(p->list->code[i].text, words[w]))
                return true;
    return false;
}

/* ---- what is shown ------------------------------------------------------------------------- */

static bool is_item_shown_somehow(const struct part *p, const struct json *item)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count && i < MEMBERS_MOST; i++) {
        const struct json *v = &item->members[i].value;
        if (v->type == JSON_STRING && v->string.len > 2 && mgi_is_shown(p->list, v->string))
            return true;
    }
    return false;
}

static bool all_are_shown(const struct part *p)
{
    for (uint32_t i = 0; i < p->items->count; i++)
        if (!is_item_shown_somehow(p, &p->items->items[i]))
            return false;
    return true;
}

/* Is the number there in the line, not as a part of another? */
static bool has_number(struct str line, struct str number)
{
    for (size_t at = 0; at + number.len <= line.len; at++) {
        size_t end = at + number.len;
        bool before = at > 0 && strchr("0123456789", line.ptr[at - 1]);
        bool joined =
            at > 1 && strchr(".,'", line.ptr[at - 1]) && strchr("0123456789", line.ptr[at - 2]);
        bool after = end < line.len && strchr("0123456789", line.ptr[end]);
        bool goes_on = end + 1 < line.len && strchr(".,'", line.ptr[end]) &&
                       strchr("0123456789", line.ptr[end + 1]);
        if (!before && !joined && !after && !goes_on &&
            memcmp(line.ptr + at, number.ptr, number.len) == 0)
            return true;
    }
    return false;
}

static bool has_any_of(struct str text, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (mgi_has_word(text, str_of(words[i])))
            return true;
    return false;
}

/* A line that has something of an item. */
static bool is_of_item(const struct part *p, struct str line)
{
    for (uint32_t i = 0; i < p->items->count; i++) {
        const struct json *item = &p->items->items[i];
        for (uint32_t m = 0; item->type == JSON_OBJECT && m < item->count && m < MEMBERS_MOST;
             m++) {
            const struct json *v = &item->members[m].value;
            if (v->type == JSON_STRING && v->string.len > 2 &&
                mgi_str_find(line, v->string) != SIZE_MAX)
                return true;
        }
    }
    return false;
}

/* The line that has the number, of no item. */
static struct str line_with(const struct part *p, struct str number)
{
    struct str rest = mgi_page_text(p->list);
    while (rest.len > 0) {
        struct str line = mgi_next_line(&rest);
        if (line.len < 200 && has_number(line, number) && !is_of_item(p, line))
            return line;
    }
    return STR_LIT("");
}

/* There is a way to the rest, or the page says that this is not all. `said` has the number. */
static bool is_told_as_part(const struct part *p, struct str said)
{
    static const char *const words[] = { "more",     "next",    "older",      "page",
                                         "pages",    "latest",  "recent",     "recently",
                                         "newest",   "top",     "first",      "last",
                                         "preview",  "popular", "featured",   "showing",
                                         "upcoming", "results", "highlights", NULL };
    static const char *const parts[] = { "of", "from", "out", "von", "de", "sur", NULL };
    struct str rest = mgi_page_text(p->list);
    while (rest.len > 0) {
        struct str line = mgi_next_line(&rest);
        bool itself = line.ptr == said.ptr;
        if (str_is(line, "2") || mgi_str_find(line, STR_LIT("1 2 3")) != SIZE_MAX ||
            mgi_str_find(line, STR_LIT("\u203a")) != SIZE_MAX ||
            mgi_str_find(line, STR_LIT("\u00bb")) != SIZE_MAX ||
            mgi_str_find(line, STR_LIT("\u2192")) != SIZE_MAX)
            return true; /* numbers of pages, arrows */
        if (line.len < ITSELF_BYTES && !is_of_item(p, line) &&
            (has_any_of(line, words) || (!itself && mgi_has_word(line, STR_LIT("all")))))
            return true;
    }
    return has_any_of(said, parts);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool number_of(const struct json *v, double *out)
{
    if (v && v->type == JSON_INT)
        *out = (double)v->integer;
    else if (v && v->type == JSON_FLOAT)
        *out = v->number;
    return v && (v->type == JSON_INT || v->type == JSON_FLOAT);
}

static bool sum_of(const struct part *p, struct str name, double *out, bool *whole)
{
    double first = 0;
    bool differ = false;
    *out = 0;
    *whole = true;
    for (uint32_t i = 0; i < p->items->count; i++) {
        double n = 0;
        const struct json *v = p->items->items[i].type == JSON_OBJECT
                                   ? mgi_json_get_str(&p->items->items[i], name)
                                   : NULL;
        if (!number_of(v, &n))
            return false;
        first = i == 0 ? n : first;
        differ = differ || n != first;
        *whole = *whole && v->type == JSON_INT;
        *out += n;
    }
    return differ && *out >= 10 && *out < 1e12;
}

/* 1629.5 as 1629.50, 1,629.50, 1.629,50: with `mark` before each three figures. */
static struct str written_sum(const struct part *p, double sum, bool cents, char mark, char point)
{
    char plain[40], out[60];
    snprintf(plain, sizeof plain, cents ? "%.2f" : "%.0f", sum);
    size_t len = 0, figures = strlen(plain) - (cents ? 3 : 0);
    for (size_t i = 0; plain[i]; i++) {
        if (mark && i > 0 && i < figures && (figures - i) % 3 == 0)
            out[len++] = mark;
        out[len++] = plain[i] == '.' ? point : plain[i];
    }
    char *text = mgi_arena_printf(p->list->job->arena, "%.*s", (int)len, out);
    return text ? str_of(text) : STR_LIT("");
}

static bool is_answered_so(const struct part *p, struct str number)
{
    const struct capture *c = p->list->capture;
    for (size_t i = 0; i < c->request_count; i++) {
        bool known, binary;
        struct str text = c->requests[i].resource == RES_DATA
                              ? mgi_answer_text(&c->requests[i], &known, &binary)
                              : STR_LIT("");
        if (text.len > 0 && text.len < BODY_MOST && has_number(text, number))
            return true;
    }
    return false;
}

/* The line of the page that has the sum of this member over the part. */
static struct str line_of_sum(const struct part *p, struct str name, struct str *written)
{
    static const char marks[] = { '\0', ',', '.', '\'' };
    static const char *const parts[] = { "page",    "shown",    "listed", "visible", "subtotal",
                                         "showing", "selected", "latest", "recent",  NULL };
    double sum;
    bool whole;
    if (!sum_of(p, name, &sum, &whole))
        return STR_LIT("");
    for (size_t way = 0; way < 3 * sizeof marks; way++) {
        char mark = marks[way % sizeof marks], point = mark == '.' ? ',' : '.';
        size_t how = way / sizeof marks; /* as it is, as whole, as hundredths */
        if ((how == 1 && !whole) || (how == 2 && !whole) || (how == 1 && sum < 100))
            continue;
        struct str number = written_sum(p, how == 2 ? sum / 100 : sum, how != 1, mark, point);
        struct str line = number.len > 0 ? line_with(p, number) : STR_LIT("");
        if (line.len == 0 || is_answered_so(p, number) || has_any_of(line, parts))
            continue;
        *written = number;
        return line;
    }
    return STR_LIT("");
}

/* ---- by another name ----------------------------------------------------------------------- */

static bool is_answered_name(const struct part *p, struct str name)
{
    if (mgi_str_ends(p->more, name) && name.len < p->more.len) /* nextLink of @odata.nextLink */
        return false;
    for (size_t i = 0; i < p->list->capture->request_count; i++)
        for (size_t k = 0; p->list->looked_at[i] && k < p->list->shapes[i].count; k++)
            if (str_eq(mgi_path_name(p->list->shapes[i].paths[k].path), name))
                return true;
    return false;
}

/* ".name" of something else than the code's own state, or the name in "{ items, name } =". */
static bool is_read_there(struct str s, size_t at, size_t len)
{
    static const char *const own[] = { "this",  "state", "store", "props", "self",
                                       "query", "list",  "refs",  NULL };
    size_t after = past_blank(s, at + len);
    bool given = after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '=';
    if (at == 0 || after >= s.len || given || s.ptr[after] == '(')
        return false;
    if (s.ptr[at - 1] == '.') {
        size_t from = mgi_chain_start(s, at + len);
        return !mgi_str_is_any(name_at(s, from), own);
    }
    size_t before = back_blank(s, at);
    bool within = before > 0 && strchr("{,", s.ptr[before - 1]) && strchr(",}:", s.ptr[after]);
    size_t close = after;
    while (within && close < s.len && close - after < 120 && s.ptr[close] != '}' &&
           !strchr("{;", s.ptr[close]))
        close++;
    if (!within || close >= s.len || s.ptr[close] != '}')
        return false;
    size_t next = past_blank(s, close + 1);
    return next + 1 < s.len &&
           ((s.ptr[next] == '=' && s.ptr[next + 1] != '=') || s.ptr[next] == ')');
}

/* "hasMore = page.hasMore": what is made of that name is no other thing. */
static bool is_taken_over(struct str s, size_t at, struct str name)
{
    size_t from = s.ptr[at - 1] == '.' ? mgi_chain_start(s, at + name.len) : at;
    size_t before = back_blank(s, from);
    if (before == 0 || !strchr("=:", s.ptr[before - 1]))
        return false;
    before = back_blank(s, before - 1);
    return before >= name.len && memcmp(s.ptr + before - name.len, name.ptr, name.len) == 0;
}

/* The script asked for the list, or knows its member. */
static bool is_of_list(const struct part *p, const struct code_text *code)
{
    const struct request *r = &p->list->capture->requests[p->index];
    for (size_t i = 0; i < r->frame_count && i < FRAMES_MOST; i++)
        if (str_eq(r->frames[i].url, code->url))
            return true;
    return p->items_name.len > 3 && mgi_has_word(code->text, p->items_name);
}

static bool tell_other_name(struct part *p)
{
    char room[NAME_BYTES];
    struct fact_list *list = p->list;
    for (size_t t = 0; t < list->code_count; t++) {
        struct str s = list->code[t].text;
        if (!list->code[t].own || !mgi_may_scan(list, s) || !is_of_list(p, &list->code[t]))
            continue;
        for (size_t at = 1; at < s.len; at++) {
            if (is_name_char(s.ptr[at - 1]) || !strchr("nehclmNEHCLM", s.ptr[at]))
                continue;
            struct str name = name_at(s, at);
            if (name.len < 6 || name.len > NAME_BYTES ||
                !says_more_surely(plain_name(name, room)) || !is_read_there(s, at, name.len) ||
                is_answered_name(p, name) ||
                (mgi_code_makes(list, name) && !is_taken_over(s, at, name)))
                continue;
            struct place place = { s, at };
            mgi_fact(list, RANK_HIGH, "part_read_as", NO_TIME, 0, "ssssn",
                     mgi_fact_id(list, "r", list->capture->requests[p->index].number), p->more_path,
                     name, list->code[t].url, mgi_place_line(&place));
            return true;
        }
    }
    return false;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool tell_part(struct part *p, const char *how, struct str line)
{
    mgi_fact(p->list, RANK_HIGH, "part_for_all", NO_TIME, 0, "sszsnn",
             mgi_fact_id(p->list, "r", p->list->capture->requests[p->index].number), p->more_path,
             how, line, (int64_t)p->items->count, p->total);
    return true;
}

static bool tell_sum(struct part *p)
{
    const struct json *first = &p->items->items[0];
    for (uint32_t i = 0; i < first->count && i < MEMBERS_MOST; i++) {
        struct str written, line = line_of_sum(p, first->members[i].name, &written);
        if (line.len > 0)
            return tell_part(p, "sum", line);
    }
    return false;
}

static bool tell_total(struct part *p)
{
    char *number = p->total > (int64_t)p->items->count
                       ? mgi_arena_printf(p->list->job->arena, "%" PRId64, p->total)
                       : NULL;
    struct str line = number ? line_with(p, str_of(number)) : STR_LIT("");
    return line.len > 0 && !is_told_as_part(p, line) && tell_part(p, "total", line);
}

static bool look_at_part(struct part *p)
{
    if (!p->items || p->items->count > ITEMS_MOST || asks_for_parts(p) || asked_for_more(p))
        return false;
    int64_t count = p->items->count;
    if (p->more.len == 0) {
        bool more = p->total > count && (p->pages > 1 || p->room == count);
        p->more_path = STR_LIT("$");
        return more && !code_knows_parts(p) && all_are_shown(p) && (tell_sum(p) || tell_total(p));
    }
    if (mgi_code_says(p->list, p->more, false))
        return false;
    if (tell_other_name(p))
        return true;
    return !code_knows_parts(p) && all_are_shown(p) && (tell_sum(p) || tell_total(p));
}

static bool look_at_answer_in_parts(struct fact_list *list, size_t index)
{
    bool known, binary;
    struct json body;
    struct arena_mark mark = mgi_arena_mark(list->job->arena);
    struct str text = mgi_answer_text(&list->capture->requests[index], &known, &binary);
    if (binary || text.len < 20 || text.len > BODY_MOST || text.ptr[0] != '{' ||
        mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK) {
        mgi_arena_rewind(list->job->arena, mark);
        return false;
    }
    struct part p = { .list = list, .index = index, .body = &body };
    look_at_object(&p, &body, STR_LIT("$"), 0);
    return look_at_part(&p);
}

void mgi_facts_parts(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t looked = 0, told = 0;
    for (size_t i = 0;
         list->code_count > 0 && i < c->request_count && looked < ANSWERS_MOST && told < TOLD_MOST;
         i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->resource != RES_DATA || r->status >= 400 ||
            !str_is(r->method, "GET"))
            continue;
        looked++;
        told += look_at_answer_in_parts(list, i);
    }
}
