/* Answers compared as texts: the same as before, all of another one, without what was sent a moment
 * ago. */
#include "facts.h"

#define COMPARED_MOST 200
#define BEFORE_MOST   8
#define SAME_LEAST    80
#define SENT_NS       (15 * NS_PER_SEC)

static struct str data_text(const struct fact_list *list, size_t index)
{
    bool known, binary;
    const struct request *r = &list->capture->requests[index];
    struct str text = mgi_answer_text(r, &known, &binary);
    bool data = list->looked_at[index] && r->resource == RES_DATA && !binary && !r->body_cut;
    return data && list->shapes[index].kind == BODY_JSON && r->status < 400 ? text : STR_LIT("");
}

/* Every short text that is kept of the one stands in the other, too. */
static bool holds_all(const struct shape *part, struct str whole)
{
    size_t found = 0;
    for (size_t i = 0; i < part->count; i++)
        for (size_t n = 0; n < 3 && part->paths[i].values[n].ptr; n++) {
            struct str value = part->paths[i].values[n];
            if (value.len < 3)
                continue;
            if (mgi_str_find(whole, value) == SIZE_MAX)
                return false;
            found++;
        }
    return found > 0;
}

static void compare(struct fact_list *list, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    struct str text = data_text(list, index), id = mgi_fact_id(list, "r", r->number);
    bool same_told = false, other_told = false;
    for (size_t i = index, seen = 0; text.len > 0 && i-- > 0 && seen < BEFORE_MOST;) {
        struct str before = data_text(list, i);
        if (before.len == 0 || !mgi_same_endpoint(list, i, index))
            continue;
        seen++;
        struct str other = mgi_fact_id(list, "r", list->capture->requests[i].number);
        bool question = str_eq(list->capture->requests[i].url, r->url);
        if (question && !same_told && str_eq(before, text))
            mgi_fact(list, RANK_USUAL, "same_answer", NO_TIME, 0, "ss", id, other);
        same_told = same_told || question;
        if (!question && !other_told && text.len > SAME_LEAST && str_eq(before, text)) {
            mgi_fact(list, RANK_HIGH, "same_for_other", NO_TIME, 0, "ss", id, other);
            other_told = true;
        }
        if (!question && holds_all(&list->shapes[index], before))
            mgi_fact(list, RANK_USUAL, "holds_all_of", NO_TIME, 0, "ss", other, id);
    }
}

/* The texts of a change that the next answer of its own address does not have. */
static void look_for_sent(struct fact_list *list, size_t change, const struct shape *sent)
{
    const struct capture *c = list->capture;
    const struct request *r = &c->requests[change];
    for (size_t i = change + 1; i < c->request_count && i - change < COMPARED_MOST; i++) {
        const struct request *get = &c->requests[i];
        struct str text = data_text(list, i);
        bool same = text.len > 0 && str_is(get->method, "GET") &&
                    str_eq(mgi_url_path(get->url), mgi_url_path(r->url)) &&
                    get->start_ns >= r->end_ns && get->start_ns - r->end_ns < SENT_NS;
        for (size_t n = 0; same && n < sent->count; n++) {
            struct str value = sent->paths[n].values[0];
            bool word =
                (sent->paths[n].types & (1u << JSON_STRING)) != 0 && value.ptr && value.len > 2;
            if (word && mgi_str_find(text, value) == SIZE_MAX)
                mgi_fact(list, RANK_HIGH, "lacks_sent", NO_TIME, 0, "ssss",
                         mgi_fact_id(list, "r", get->number), mgi_fact_id(list, "r", r->number),
                         sent->paths[n].path, value);
        }
        if (same)
            return;
    }
}

static void facts_of_change_sent(struct fact_list *list, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    struct shape sent = { 0 };
    struct str text = mgi_sent_text(r);
    if (text.len > 0 && text.ptr[0] == '{' && mgi_shape_read(list->job, text, false, &sent))
        look_for_sent(list, index, &sent);
}

static bool went_wrong(const struct request *r)
{
    return r->status >= 400 || (r->status == 0 && r->end_ns > 0);
}

/* The same line of code asked for the same file of another place, and had it. */
static void look_elsewhere(struct fact_list *list, size_t index)
{
    const struct capture *c = list->capture;
    const struct request *r = &c->requests[index];
    struct str file = mgi_url_file(r->url);
    for (size_t i = index + 1; file.len > 0 && i < c->request_count && i - index < COMPARED_MOST;
         i++) {
        const struct request *o = &c->requests[i];
        if (!list->looked_at[i] || o->start_ns < r->end_ns || o->status < 200 || o->status >= 300 ||
            !str_eq(mgi_url_file(o->url), file) || str_eq(o->url, r->url) || r->frame_count == 0 ||
            o->frame_count == 0 || !str_eq(o->frames[0].url, r->frames[0].url) ||
            o->frames[0].line != r->frames[0].line)
            continue;
        mgi_fact(list, RANK_HIGH, "answered_elsewhere", NO_TIME, 0, "ss",
                 mgi_fact_id(list, "r", r->number), mgi_fact_id(list, "r", o->number));
        return;
    }
}

/* The page is of what was asked for: its address or a heading has the last word of the route. */
static void look_at_page(struct fact_list *list, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    const struct page_more *more = &list->capture->more;
    struct str asked = mgi_url_file(r->url), page = mgi_url_file(list->capture->url);
    struct str word = mgi_shared_word(asked, page);
    for (size_t i = 0; word.len == 0 && i < more->shown.count; i++)
        if (str_is(more->shown.items[i].kind, "heading"))
            word = mgi_shared_word(asked, more->shown.items[i].text);
    if (word.len > 0)
        mgi_fact(list, RANK_HIGH, "page_is_of", NO_TIME, 0, "ss", mgi_fact_id(list, "r", r->number),
                 word);
}

void mgi_facts_same(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count && i < COMPARED_MOST; i++) {
        if (!list->looked_at[i] || c->requests[i].resource != RES_DATA ||
            !went_wrong(&c->requests[i]) || !str_is(c->requests[i].method, "GET"))
            continue;
        look_elsewhere(list, i);
        look_at_page(list, i);
    }
    for (size_t i = 0; i < c->request_count && i < COMPARED_MOST; i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->resource != RES_DATA || r->status == 0 || r->status >= 400)
            continue;
        if (str_is(r->method, "GET"))
            compare(list, i);
        else
            facts_of_change_sent(list, i);
    }
}
