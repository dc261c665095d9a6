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

void mgi_facts_missed(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t told = 0;
    if (c->more.frames.count < 4)
        return;
    for (size_t i = 0; i < c->request_count && told < GAPS_TOLD; i++) {
        struct str kind = mgi_request_kind(&c->requests[i]);
        if (!list->looked_at[i] || (!str_is(kind, "socket") && !str_is(kind, "stream")))
            continue;
        const struct request *next = next_of(list, i);
        if (next && fact_of_gap(list, &c->requests[i], next))
            told++;
    }
}
