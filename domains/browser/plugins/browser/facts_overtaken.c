/* Of two questions to one endpoint, the older of which was answered last: whether the page shows
 * the older answer as it came. What only the older was answered stands there, in its order and
 * once, and nothing does of what only the newer was. And whether the newer asks for more of the
 * same word, as a word does that is being typed. */
#include "facts.h"

#define PAIRS_MOST  40
#define LOOKED_BACK 12
#define ITEMS_MOST  200
#define ITEM_LEAST  3
#define ITEM_MOST   80
#define ANSWER_MOST (128u * 1024)
/* The page's text is cut there (live_scripts.c): of what is behind it nothing is known. */
#define TEXT_KNOWN 3900

struct answered_texts {
    struct str items[ITEMS_MOST];
    size_t count;
};

struct overtaking {
    struct fact_list *list;
    struct str page;
    struct answered_texts older, newer;
};

/* ---- queries ------------------------------------------------------------------------------------
 */

static struct str next_pair(struct str *query)
{
    const char *end = query->len > 0 ? memchr(query->ptr, '&', query->len) : NULL;
    struct str pair = { query->ptr, end ? (size_t)(end - query->ptr) : query->len };
    *query = end ? (struct str){ end + 1, query->len - pair.len - 1 } : STR_LIT("");
    return pair;
}

/* ---- the texts of an answer, in their order ---------------------------------------------------
 */

static bool has_item(const struct answered_texts *t, struct str item)
{
    for (size_t i = 0; i < t->count; i++)
        if (str_eq(t->items[i], item))
            return true;
    return false;
}

static void take_item(struct answered_texts *t, struct str item)
{
    item = mgi_str_trim(item, " \t\r\n");
    if (item.len >= ITEM_LEAST && item.len <= ITEM_MOST && t->count < ITEMS_MOST)
        t->items[t->count++] = item;
}

static void take_json(struct fact_list *list, struct answered_texts *t, struct str text)
{
    struct json_reader reader;
    mgi_json_reader_init(&reader, text, 0);
    while (!list->job->arena->oom) {
        enum json_event event = mgi_json_reader_next(&reader);
        if (event == JSON_EV_END || event == JSON_EV_ERROR)
            return;
        if (event == JSON_EV_STRING)
            take_item(t, mgi_json_reader_string(&reader, list->job->arena));
    }
}

static void take_html(struct answered_texts *t, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '<')
            end++;
        take_item(t, (struct str){ text.ptr + at, end - at });
        while (end < text.len && text.ptr[end] != '>')
            end++;
        at = end + 1;
    }
}

/* The question is often said again in its answer. */
static void drop_question(struct answered_texts *t, struct str url)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct str query = mgi_url_query(url);
        bool asked = false;
        while (!asked && query.len > 0) {
            struct str pair = next_pair(&query);
            const char *eq = memchr(pair.ptr, '=', pair.len);
            asked = eq && str_eq(t->items[i],
                                 (struct str){ eq + 1, (size_t)(pair.ptr + pair.len - eq) - 1 });
        }
        if (!asked)
            t->items[kept++] = t->items[i];
    }
    t->count = kept;
}

static bool take_answer(struct fact_list *list, struct answered_texts *t, size_t index)
{
    bool known, binary;
    const struct request *r = &list->capture->requests[index];
    struct str text = mgi_answer_text(r, &known, &binary);
    t->count = 0;
    if (!known || binary || r->body_cut || text.len > ANSWER_MOST)
        return false;
    if (list->shapes[index].kind == BODY_JSON)
        take_json(list, t, text);
    else if (list->shapes[index].kind == BODY_HTML || list->shapes[index].kind == BODY_TEXT)
        take_html(t, text);
    drop_question(t, r->url);
    return t->count > 0;
}

/* ---- what of it stands on the page ------------------------------------------------------------
 */

/* How often; `at`: where first. */
static size_t times_shown(struct str page, struct str item, size_t *at)
{
    size_t times = 0, from = 0;
    while (times < 3) {
        size_t next = mgi_str_find((struct str){ page.ptr + from, page.len - from }, item);
        if (next == SIZE_MAX)
            return times;
        *at = times++ == 0 ? from + next : *at;
        from += next + item.len;
    }
    return times;
}

/* It may stand there by another answer, or by the page itself. */
static bool comes_from_elsewhere(struct fact_list *list, size_t older, struct str item)
{
    bool known, binary;
    for (size_t i = 0; i < list->code_count; i++)
        if (!mgi_may_scan(list, list->code[i].text) ||
            mgi_str_find(list->code[i].text, item) != SIZE_MAX)
            return true;
    for (size_t i = 0; i < list->capture->request_count && i < REQUESTS_LOOKED_AT; i++)
        if (i != older && list->looked_at[i] && list->capture->requests[i].resource == RES_DATA &&
            mgi_str_find(mgi_answer_text(&list->capture->requests[i], &known, &binary), item) !=
                SIZE_MAX)
            return true;
    return false;
}

static size_t times_answered(const struct answered_texts *t, struct str item)
{
    size_t times = 0;
    for (size_t i = 0; i < t->count; i++)
        times += str_eq(t->items[i], item);
    return times;
}

/* Does the page have the older answer, as it came, and by itself? */
static bool shows_older(struct overtaking *o, size_t older)
{
    size_t before = 0, own = 0, shared = 0;
    bool own_first = false;
    for (size_t i = 0; i < o->older.count; i++) {
        struct str item = o->older.items[i];
        size_t at = 0, times = times_shown(o->page, item, &at);
        bool both = has_item(&o->newer, item);
        if (both && times > times_answered(&o->older, item))
            return false; /* it stands for both */
        if (times != 1 || times_answered(&o->older, item) != 1)
            continue;
        if (at < before)
            return false;
        before = at;
        own += !both && !comes_from_elsewhere(o->list, older, item);
        shared += both;
        own_first = own_first || (own > 0 && shared == 0);
    }
    return own > 0 && (shared == 0 || own_first);
}

static bool shows_newer(const struct overtaking *o)
{
    size_t at;
    for (size_t i = 0; i < o->newer.count; i++)
        if (!has_item(&o->older, o->newer.items[i]) &&
            times_shown(o->page, o->newer.items[i], &at) > 0)
            return true;
    return false;
}

/* ---- the questions ------------------------------------------------------------------------------
 */

static bool has_letter(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((s.ptr[i] | 0x20) >= 'a' && (s.ptr[i] | 0x20) <= 'z')
            return true;
    return false;
}

/* q=am, and q=amoxi; all else is the same. */
static bool asks_further(struct str older, struct str newer)
{
    struct str a = mgi_url_query(older), b = mgi_url_query(newer);
    bool further = false;
    while (a.len > 0 && b.len > 0) {
        struct str was = next_pair(&a), is = next_pair(&b);
        const char *eq = memchr(was.ptr, '=', was.len);
        if (str_eq(was, is))
            continue;
        size_t value = eq ? (size_t)(eq - was.ptr) + 1 : was.len;
        if (further || value >= was.len || !mgi_str_starts(is, was) ||
            !has_letter((struct str){ was.ptr + value, was.len - value }))
            return false;
        further = true;
    }
    return further && a.len == 0 && b.len == 0;
}

static bool is_overtaken(const struct fact_list *list, size_t older, size_t newer)
{
    const struct request *a = &list->capture->requests[older], *b = &list->capture->requests[newer];
    return list->looked_at[older] && a->resource == RES_DATA && a->status >= 200 &&
           a->status < 300 && a->start_ns <= b->start_ns && b->end_ns > 0 &&
           b->end_ns < a->end_ns && b->start_ns < a->end_ns &&
           mgi_same_endpoint(list, older, newer);
}

void mgi_facts_overtaken(struct fact_list *list)
{
    const struct capture *c = list->capture;
    struct overtaking *o = mgi_arena_calloc(list->job->arena, 1, sizeof *o);
    if (!o)
        return;
    o->list = list;
    o->page = mgi_page_text(list);
    for (size_t i = 1, told = 0; i < c->request_count && i < REQUESTS_LOOKED_AT; i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->resource != RES_DATA || r->status < 200 || r->status >= 300)
            continue;
        for (size_t j = i, seen = 0; j-- > 0 && seen < LOOKED_BACK && told < PAIRS_MOST; seen++) {
            if (!is_overtaken(list, j, i))
                continue;
            told++;
            struct str older = mgi_fact_id(list, "r", c->requests[j].number);
            struct str newer = mgi_fact_id(list, "r", r->number);
            if (asks_further(c->requests[j].url, r->url))
                mgi_fact(list, RANK_HIGH, "asks_further", NO_TIME, 0, "ss", older, newer);
            if (o->page.len > 0 && o->page.len < TEXT_KNOWN && take_answer(list, &o->older, j) &&
                take_answer(list, &o->newer, i) && !shows_newer(o) && shows_older(o, j))
                mgi_fact(list, RANK_HIGH, "shows_older", NO_TIME, 0, "ss", older, newer);
        }
    }
}
