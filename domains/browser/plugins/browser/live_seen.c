/* What went wrong on the live page at any time: the little of it that outlives the trace, which is
 * emptied when a page is opened anew. Without it nobody could tell an error that is gone from one
 * that never was.
 *
 * Each is a sentence, and since when it is gone. Errors, and requests that failed, of the document
 * in front; those of a document before it count as gone. Of another page nothing is gone: it is
 * only not in front. */
#include <stdio.h>
#include <time.h>

#include "live_int.h"

#define KEPT_MOST  96
#define TEXT_BYTES 320
#define URL_BYTES  240
#define TOLD_MOST  12

struct seen {
    char text[TEXT_BYTES], url[URL_BYTES];
    char page[URL_BYTES]; /* of which it was seen, without query */
    int64_t at_ns;        /* when it was seen last; 0: this place is free */
    int64_t gone_ns;      /* when the page was first looked at without it; 0: it was there */
};

static struct seen kept[KEPT_MOST];

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

/* The address of the page in front, without query. */
static struct str page_of(const struct capture *c)
{
    size_t len = 0;
    while (len < c->url.len && len < URL_BYTES - 1 && !strchr("?#", c->url.ptr[len]))
        len++;
    return (struct str){ c->url.ptr, len };
}

static void keep(struct str text, struct str url, struct str page, int64_t at_ns)
{
    struct seen one = { .at_ns = at_ns }, *place = &kept[0];
    snprintf(one.text, sizeof one.text, "%.*s", STR_ARG(mgi_utf8_prefix(text, TEXT_BYTES - 1)));
    snprintf(one.url, sizeof one.url, "%.*s", STR_ARG(mgi_utf8_prefix(url, URL_BYTES - 1)));
    snprintf(one.page, sizeof one.page, "%.*s", STR_ARG(page));
    for (size_t i = 0; i < KEPT_MOST; i++) {
        if (kept[i].at_ns && strcmp(kept[i].text, one.text) == 0 &&
            strcmp(kept[i].page, one.page) == 0) {
            place = &kept[i];
            break;
        }
        if (kept[i].at_ns < place->at_ns)
            place = &kept[i]; /* the one that was there longest ago */
    }
    *place = one;
}

static const char *how_it_went(struct job *job, const struct request *r)
{
    struct str url = mgi_url_shown(&job->capture, r->url);
    if (r->status > 0)
        return mgi_arena_printf(job->arena, "%.*s %.*s answered %lld", STR_ARG(r->method),
                                STR_ARG(url), (long long)r->status);
    return mgi_arena_printf(job->arena, "%.*s %.*s failed%s%.*s", STR_ARG(r->method), STR_ARG(url),
                            r->error.len > 0 ? ": " : "", STR_ARG(r->error));
}

static size_t visits_of(const struct capture *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->more.navigations.count; i++)
        count += mgi_begins_visit(&c->more.navigations.items[i]);
    return count;
}

void mgi_seen_keep(struct job *job)
{
    const struct capture *c = &job->capture;
    int64_t at_ns = now_ns();
    size_t visit = visits_of(c);
    for (size_t i = 0; i < KEPT_MOST; i++)
        kept[i].gone_ns = kept[i].gone_ns ? kept[i].gone_ns : at_ns;
    for (size_t i = 0; i < c->message_count; i++)
        if (c->messages[i].error_number > 0 && !str_is(c->messages[i].source, "network") &&
            c->messages[i].visit == visit)
            keep(c->messages[i].text, c->messages[i].url, page_of(c), at_ns);
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        const char *text =
            r->fault == FAULT_NONE || r->open || r->earlier ? NULL : how_it_went(job, r);
        if (text)
            keep(str_of(text), r->url, page_of(c), at_ns);
    }
}

bool mgi_seen_ever(const char *part)
{
    for (size_t i = 0; i < KEPT_MOST; i++)
        if (kept[i].at_ns &&
            (mgi_contains(str_of(kept[i].text), part) || mgi_contains(str_of(kept[i].url), part)))
            return true;
    return false;
}

void mgi_seen_put_gone(struct job *job, const char *name)
{
    size_t told = 0;
    for (size_t i = 0; i < KEPT_MOST && told < TOLD_MOST; i++) {
        if (!kept[i].at_ns || !kept[i].gone_ns || !str_is(page_of(&job->capture), kept[i].page))
            continue;
        if (told++ == 0) {
            mgi_jw_key(&job->out, name);
            mgi_jw_begin_array(&job->out);
        }
        mgi_jw_begin_object(&job->out);
        mgi_jw_member_cstr(&job->out, "text", kept[i].text);
        mgi_put_time(job, "gone", kept[i].gone_ns);
        mgi_jw_end_object(&job->out);
    }
    if (told > 0)
        mgi_jw_end_array(&job->out);
}

void mgi_seen_forget(void)
{
    memset(kept, 0, sizeof kept);
}
