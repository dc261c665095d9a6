/* Dates in January 1970 that code showed, and the answer that has their number: seconds. */
#include "facts.h"

#define DATES_TOLD 8

/* A short value of an answer that is just this number. */
static const struct shape_path *path_with(const struct shape *shape, struct str number)
{
    for (size_t i = 0; shape->kind == BODY_JSON && i < shape->count; i++)
        for (size_t n = 0; n < 3 && shape->paths[i].values[n].ptr; n++)
            if (str_eq(shape->paths[i].values[n], number))
                return &shape->paths[i];
    return NULL;
}

static void fact_of_origin(struct fact_list *list, struct str id, const struct page_deed *d)
{
    const struct capture *c = list->capture;
    const char *number = mgi_arena_printf(list->job->arena, "%lld", (long long)d->count);
    for (size_t i = c->request_count; number && i-- > 0;) {
        const struct request *r = &c->requests[i];
        const struct shape_path *at = list->looked_at[i] && r->answer_ns <= d->at_ns
                                          ? path_with(&list->shapes[i], str_of(number))
                                          : NULL;
        if (!at)
            continue;
        mgi_fact(list, RANK_HIGH, "date_from", NO_TIME, 0, "sss", id,
                 mgi_fact_id(list, "r", r->number), at->path);
        return;
    }
}

void mgi_facts_dates(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0, told = 0; i < more->deeds.count && told < DATES_TOLD; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        if (!str_is(d->what, "odd date") || mgi_is_past(list, d->at_ns))
            continue;
        struct str id = mgi_fact_id(list, "k", i + 1);
        told++;
        mgi_fact(list, RANK_HIGH, "odd_date", NO_TIME, 0, "sn", id, d->count);
        mgi_fact_stack(list, RANK_HIGH, id, d->frames, d->frame_count);
        fact_of_origin(list, id, d);
    }
}
