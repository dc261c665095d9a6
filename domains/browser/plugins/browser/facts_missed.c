/* Messages that count up (seq 7, 8, 9), and where the count goes on over the next connection to the
 * same address: behind a gap, or from what had come before. */
#include "facts.h"
#include "source_int.h"

#define FRAMES_READ 600
#define GAPS_TOLD   8

/* What came over one connection, of one counting member. */
struct count {
    int64_t first, last;
    size_t steps; /* that went one up */
    bool broken;  /* some did not */
};

static const char *const counters[] = { "seq",     "sequence", "offset",    "eventId",  "event_id",
                                        "version", "rev",      "messageId", "cursor",   "index",
                                        "id",      "no",       "n",         "revision", "msgId" };

static bool number_in(const struct json *object, const char *name, int64_t *out)
{
    const struct json *v = object->type == JSON_OBJECT ? mgi_json_get(object, name) : NULL;
    if (!v || v->type != JSON_INT || v->integer < 0)
        return false;
    *out = v->integer;
    return true;
}

static void count_on(struct count *c, int64_t n)
{
    if (c->first < 0)
        c->first = n;
    else if (n == c->last + 1)
        c->steps++;
    else
        c->broken = c->broken || n != c->last;
    c->last = n;
}

static struct count count_of_socket(struct fact_list *list, struct str request_id, const char *name)
{
    const struct page_more *more = &list->capture->more;
    struct count c = { .first = -1, .last = -1 };
    for (size_t i = 0; i < more->frames.count && i < FRAMES_READ; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        struct json value;
        int64_t n;
        if (f->what != FRAME_RECEIVED || !str_eq(f->request_id, request_id) || f->text.len == 0 ||
            f->text.ptr[0] != '{')
            continue;
        struct arena_mark mark = mgi_arena_mark(list->job->arena);
        if (mgi_json_parse(list->job->arena, f->text, NULL, &value, NULL) == JSON_OK &&
            number_in(&value, name, &n))
            count_on(&c, n);
        mgi_arena_rewind(list->job->arena, mark);
    }
    return c;
}

static bool counts_up(const struct count *c, size_t steps)
{
    return c->steps >= steps && !c->broken;
}

/* The next one to the same address. */
static const struct request *next_of(struct fact_list *list, size_t index)
{
    const struct capture *c = list->capture;
    const struct request *r = &c->requests[index];
    for (size_t i = index + 1; i < c->request_count; i++)
        if (list->looked_at[i] && str_eq(mgi_request_kind(&c->requests[i]), mgi_request_kind(r)) &&
            str_eq(mgi_url_origin(c->requests[i].url), mgi_url_origin(r->url)) &&
            str_eq(mgi_url_path(c->requests[i].url), mgi_url_path(r->url)))
            return &c->requests[i];
    return NULL;
}

static bool fact_of_gap(struct fact_list *list, const struct request *r, const struct request *next)
{
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        struct count a = count_of_socket(list, r->id, counters[i]);
        if (!counts_up(&a, 2))
            continue;
        struct count b = count_of_socket(list, next->id, counters[i]);
        if (!counts_up(&b, 1) || b.first == a.last + 1)
            continue;
        mgi_fact(list, RANK_HIGH, "frames_missed", NO_TIME, 0, "sssnn",
                 mgi_fact_id(list, "r", next->number), mgi_fact_id(list, "r", r->number),
                 str_of(counters[i]), a.last, b.first);
        return true;
    }
    return false;
}

/* ---- a room that was not left ------------------------------------------------------------------
 */

#define VALUE_BYTES 60

/* Two messages of the page that differ in one text alone: {"join": "a"}, {"join": "b"}. */
static bool differ_in_one(const struct json *a, const struct json *b, struct str *was,
                          struct str *is)
{
    size_t differences = 0;
    if (a->type != JSON_OBJECT || b->type != JSON_OBJECT || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct json *x = &a->members[i].value, *y = &b->members[i].value;
        if (!str_eq(a->members[i].name, b->members[i].name) || x->type != y->type)
            return false;
        if (str_eq(x->text, y->text))
            continue;
        differences++;
        if (x->type != JSON_STRING || x->string.len < 2 || x->string.len > VALUE_BYTES)
            return false;
        *was = x->string;
        *is = y->string;
    }
    return differences == 1;
}

static struct str in_quotes(struct fact_list *list, struct str value)
{
    char *quoted = mgi_arena_printf(list->job->arena, "\"%.*s\"", STR_ARG(value));
    return quoted ? str_of(quoted) : value;
}

/* A text of the message that stands on the page; what tells the room, and words, do not count. */
static bool is_on_page(struct fact_list *list, struct str text, struct str room)
{
    struct json value;
    if (text.len == 0 || text.ptr[0] != '{' ||
        mgi_json_parse(list->job->arena, text, NULL, &value, NULL) != JSON_OK)
        return false;
    for (uint32_t i = 0; i < value.count; i++) {
        const struct json *v = &value.members[i].value;
        if (v->type != JSON_STRING || v->string.len < 6 || str_eq(v->string, room))
            continue;
        for (size_t j = 0; j < list->capture->more.shown.count; j++)
            if (mgi_str_find(list->capture->more.shown.items[j].text, v->string) != SIZE_MAX)
                return true;
    }
    return false;
}

/* How many messages of the room came between two frames, and how many of them are shown. */
static void count_room(struct fact_list *list, struct str request_id, struct str room, size_t from,
                       size_t to, size_t *came, size_t *shown)
{
    const struct page_more *more = &list->capture->more;
    struct str quoted = in_quotes(list, room);
    *came = *shown = 0;
    for (size_t i = from; i < to && i < FRAMES_READ; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        if (f->what != FRAME_RECEIVED || !str_eq(f->request_id, request_id) ||
            mgi_str_find(f->text, quoted) == SIZE_MAX)
            continue;
        ++*came;
        struct arena_mark mark = mgi_arena_mark(list->job->arena);
        *shown += is_on_page(list, f->text, room);
        mgi_arena_rewind(list->job->arena, mark);
    }
}

/* The page says something else of the room by then: that it leaves it. */
static bool is_left(const struct fact_list *list, struct str request_id, struct str quoted,
                    size_t joined)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = joined + 1; i < more->frames.count && i < FRAMES_READ; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        if (f->what == FRAME_SENT && str_eq(f->request_id, request_id) &&
            mgi_str_find(f->text, quoted) != SIZE_MAX)
            return true;
    }
    return false;
}

static bool fact_of_room(struct fact_list *list, size_t first, size_t second)
{
    const struct page_more *more = &list->capture->more;
    const struct socket_frame *a = &more->frames.items[first], *b = &more->frames.items[second];
    struct json x, y;
    struct str was, is;
    size_t before, shown_before, after, shown_after;
    const struct request *r =
        mgi_told_request(list, mgi_request_by_id(list->capture, a->request_id));
    if (!r || mgi_json_parse(list->job->arena, a->text, NULL, &x, NULL) != JSON_OK ||
        mgi_json_parse(list->job->arena, b->text, NULL, &y, NULL) != JSON_OK ||
        !differ_in_one(&x, &y, &was, &is) ||
        is_left(list, a->request_id, in_quotes(list, was), first))
        return false;
    count_room(list, a->request_id, was, first, second, &before, &shown_before);
    count_room(list, a->request_id, was, second, more->frames.count, &after, &shown_after);
    if (before == 0 || shown_before > 0 || shown_after < 2)
        return false;
    mgi_fact(list, RANK_HIGH, "room_not_left", NO_TIME, 0, "sssnn",
             mgi_fact_id(list, "r", r->number), was, is, (int64_t)second + 1, (int64_t)shown_after);
    return true;
}

/* What had been shown of it before is gone, so that another room is in front; what came since is
 * there. */
static void facts_of_rooms(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t looked = 0;
    for (size_t i = 0; i < more->frames.count && i < FRAMES_READ; i++) {
        const struct socket_frame *a = &more->frames.items[i];
        if (a->what != FRAME_SENT || a->text.len == 0 || a->text.ptr[0] != '{' ||
            mgi_is_past(list, a->at_ns))
            continue;
        for (size_t j = i + 1; j < more->frames.count && j < FRAMES_READ; j++) {
            const struct socket_frame *b = &more->frames.items[j];
            if (b->what != FRAME_SENT || !str_eq(a->request_id, b->request_id))
                continue;
            if (++looked > 60 || fact_of_room(list, i, j))
                return;
        }
    }
}

void mgi_facts_missed(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t told = 0;
    if (c->more.frames.count < 4)
        return;
    facts_of_rooms(list);
    for (size_t i = 0; i < c->request_count && told < GAPS_TOLD; i++) {
        struct str kind = mgi_request_kind(&c->requests[i]);
        if (!list->looked_at[i] || (!str_is(kind, "socket") && !str_is(kind, "stream")))
            continue;
        const struct request *next = next_of(list, i);
        if (next && fact_of_gap(list, &c->requests[i], next))
            told++;
    }
}
