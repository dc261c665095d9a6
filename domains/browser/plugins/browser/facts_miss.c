/* What code looked for and did not find, announced to nobody, or added once more: elements, events,
 * listeners. Where something nearly of that name is there, it is told. */
#include "facts.h"

#include "base/near.h"

#define MISSES_TOLD 60
#define PILES_TOLD  6
/* Of what is added once more: the innermost lines may be a library's. */
#define CALLERS_TOLD 8

static void facts_of_place(struct fact_list *list, struct str id, const struct page_miss *m)
{
    mgi_fact_stack(list, RANK_HIGH, id, m->frames, m->frame_count);
}

static void facts_of_callers(struct fact_list *list, struct str id, const struct page_miss *m)
{
    for (size_t i = 0; i < m->frame_count && i < CALLERS_TOLD; i++)
        mgi_fact(list, RANK_HIGH, "stack", NO_TIME, 0, "snssn", id, (int64_t)i,
                 mgi_frame_function(list, &m->frames[i]), m->frames[i].url, m->frames[i].line);
}

static bool in_name(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

/* The id or class that a selector ends with, with its mark: "#list .row" -> ".row". Empty: it ends
 * with something else. */
static struct str last_name(struct str selector)
{
    size_t at = selector.len;
    while (at > 0 && in_name(selector.ptr[at - 1]))
        at--;
    if (at == 0 || at == selector.len || !strchr("#.", selector.ptr[at - 1]))
        return STR_LIT("");
    return (struct str){ selector.ptr + at - 1, selector.len - at + 1 };
}

static bool is_there(const struct fact_list *list, struct str name)
{
    for (size_t i = 0; i < list->capture->more.names.count; i++)
        if (str_eq(list->capture->more.names.items[i], name))
            return true;
    return false;
}

static void fact_of_nearest(struct fact_list *list, struct str id, const struct near *near)
{
    if (near->best.len > 0)
        mgi_fact(list, RANK_USUAL, "nearly", NO_TIME, 0, "ss", id, near->best);
}

/* "save-btn" for "save-button": what is left of a name when letters are left out. */
static bool is_short_for(struct str a, struct str b)
{
    size_t at = 0;
    for (size_t i = 0; i < b.len && at < a.len; i++)
        at += a.ptr[at] == b.ptr[i];
    return a.len >= 5 && b.len - a.len <= 5 && a.ptr[0] == b.ptr[0] && at == a.len;
}

static bool is_shortened(struct str a, struct str b)
{
    return a.len < b.len ? is_short_for(a, b) : is_short_for(b, a);
}

/* An id is not mistaken for a class: what is near has the same mark. */
static void facts_of_element(struct fact_list *list, struct str id, const struct page_miss *m)
{
    struct str name = last_name(m->name);
    mgi_fact(list, RANK_USUAL, "element_missing", m->at_ns, m->at_ns, "ss", id, m->name);
    if (name.len > 0 && is_there(list, name)) {
        mgi_fact(list, RANK_USUAL, "element_came", NO_TIME, 0, "s", id);
        return;
    }
    if (name.len < 2)
        return;
    struct near near = mgi_near((struct str){ name.ptr + 1, name.len - 1 });
    struct str shortened = { 0 };
    for (size_t i = 0; i < list->capture->more.names.count; i++) {
        struct str other = list->capture->more.names.items[i];
        struct str bare = { other.ptr + 1, other.len - 1 };
        if (other.len < 2 || other.ptr[0] != name.ptr[0])
            continue;
        mgi_near_try(&near, bare);
        if (near.best.len == 0 && is_shortened(near.wanted, bare))
            shortened = bare;
    }
    near.best = near.best.len > 0 ? near.best : shortened;
    fact_of_nearest(list, id, &near);
}

/* Words with blanks between them. */
static void near_of_words(struct near *near, struct str words)
{
    while (words.len > 0) {
        const char *end = memchr(words.ptr, ' ', words.len);
        size_t len = end ? (size_t)(end - words.ptr) : words.len;
        if (len > 0)
            mgi_near_try(near, (struct str){ words.ptr, len });
        words = end ? (struct str){ end + 1, words.len - len - 1 } : STR_LIT("");
    }
}

static void facts_of_event(struct fact_list *list, struct str id, const struct page_miss *m)
{
    struct near near = mgi_near(m->name);
    mgi_fact(list, RANK_USUAL, "event_unheard", m->at_ns, m->at_ns, "ss", id, m->name);
    near_of_words(&near, m->others);
    fact_of_nearest(list, id, &near);
}

/* ---- streams ------------------------------------------------------------------------------- */

/* Does the page listen on this stream, and to such events? */
static bool listens(const struct capture *c, struct str url, struct str event, bool *at_all,
                    struct near *near)
{
    bool found = false;
    for (size_t i = 0; i < c->more.misses.count; i++) {
        const struct page_miss *m = &c->more.misses.items[i];
        if (m->what != MISS_STREAM || !str_eq(m->name, url))
            continue;
        *at_all = true;
        found = found || str_eq(m->target, event);
        if (!str_is(m->target, "open") && !str_is(m->target, "error"))
            mgi_near_try(near, m->target);
    }
    return found;
}

/* Where the page listens on this stream, or else where it opens it: the browser does not tell who
 * asked for a stream. */
static const struct page_miss *listener_of(const struct capture *c, struct str url)
{
    const struct page_miss *found = NULL;
    for (size_t i = 0; i < c->more.misses.count; i++) {
        const struct page_miss *m = &c->more.misses.items[i];
        bool listens =
            m->target.len > 0 && !str_is(m->target, "open") && !str_is(m->target, "error");
        if (m->what == MISS_STREAM && str_eq(m->name, url) && m->frame_count > 0 &&
            (!found || (listens && found->target.len == 0)))
            found = m;
    }
    return found;
}

/* Of so many kinds, each an event of one stream, something is told; a page may have any number. */
#define STREAM_KINDS_MOST 100

/* True: it is the first of its kind. */
static bool is_first_of_kind(const struct capture *c, size_t index, size_t *kinds, size_t *count)
{
    const struct socket_frame *f = &c->more.frames.items[index];
    for (size_t i = 0; i < *count; i++)
        if (str_eq(c->more.frames.items[kinds[i]].request_id, f->request_id) &&
            str_eq(c->more.frames.items[kinds[i]].event, f->event))
            return false;
    kinds[(*count)++] = index;
    return true;
}

/* Events of a name that the page listens to nowhere. Those without one go to onmessage, of which
 * nobody knows. */
static void facts_of_streams(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t kinds[STREAM_KINDS_MOST], count = 0;
    for (size_t i = 0; i < c->more.frames.count && count < STREAM_KINDS_MOST; i++) {
        const struct socket_frame *f = &c->more.frames.items[i];
        if (!is_first_of_kind(c, i, kinds, &count))
            continue;
        const struct request *r = mgi_told_request(list, mgi_request_by_id(c, f->request_id));
        struct near near = mgi_near(f->event);
        bool at_all = false;
        if (!r || !str_is(mgi_request_kind(r), "stream"))
            continue;
        bool heard = listens(c, r->url, f->event, &at_all, &near) || str_is(f->event, "message") ||
                     f->event.len == 0;
        if (!at_all)
            continue;
        struct str id = mgi_fact_id(list, "r", r->number);
        mgi_fact(list, RANK_HIGH, heard ? "stream_heard" : "stream_unheard", NO_TIME, 0, "ss", id,
                 f->event);
        const struct page_miss *at = listener_of(c, r->url);
        if (!heard)
            fact_of_nearest(list, id, &near);
        if (at && r->frame_count == 0)
            facts_of_place(list, id, at);
    }
}

/* Elements of the page's own kind that nobody defined; and where one of nearly that name is. */
static void facts_of_undefined(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->undefined.count; i++) {
        struct near near = mgi_near(more->undefined.items[i]);
        const struct page_miss *meant = NULL;
        size_t number = 0;
        for (size_t j = 0; j < more->misses.count; j++)
            if (more->misses.items[j].what == MISS_DEFINED &&
                mgi_near_try(&near, more->misses.items[j].name)) {
                meant = &more->misses.items[j];
                number = j + 1;
            }
        struct str id = meant ? mgi_fact_id(list, "q", number) : STR_LIT("");
        mgi_fact(list, RANK_HIGH, "element_undefined", NO_TIME, 0, "sss", near.wanted, near.best,
                 id);
        if (meant)
            facts_of_place(list, id, meant);
    }
    for (size_t j = 0; j < more->misses.count; j++)
        if (more->misses.items[j].what == MISS_DEFINED) {
            mgi_fact(list, RANK_USUAL, "defines_elements", NO_TIME, 0, "");
            return;
        }
}

/* What draws there is told as the stack of what is drawn without end, and what adds there as that
 * of what piles up. */
static struct str drawn_id(struct fact_list *list, const struct page_miss *m)
{
    const char *id = mgi_arena_printf(list->job->arena, "%s:%.*s",
                                      m->what == MISS_PILE ? "pile" : "loop", STR_ARG(m->target));
    for (size_t i = 0; id && i < list->items.count; i++)
        if (strcmp(list->items.items[i].pred, "stack") == 0 &&
            str_is(list->items.items[i].args[0].text, id))
            return STR_LIT(""); /* told once */
    return id ? str_of(id) : STR_LIT("");
}

/* Told second by second, now and then with who adds. */
static void facts_of_piles(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t told = 0;
    for (size_t i = 0; i < more->misses.count && told < PILES_TOLD; i++) {
        const struct page_miss *first = &more->misses.items[i], *last = first, *by = NULL;
        bool later = first->what != MISS_PILE || mgi_is_past(list, first->at_ns);
        for (size_t j = 0; j < more->misses.count && !later; j++) {
            const struct page_miss *m = &more->misses.items[j];
            if (m->what != MISS_PILE || !str_eq(m->target, first->target))
                continue;
            later = j < i && !mgi_is_past(list, m->at_ns);
            last = m;
            by = m->frame_count > 0 ? m : by;
        }
        if (later)
            continue;
        told++;
        mgi_fact(list, RANK_HIGH, "piles_up", first->at_ns, last->at_ns, "snn", first->target,
                 first->count, last->count);
        if (by)
            facts_of_place(list, drawn_id(list, by), by);
    }
}

void mgi_facts_misses(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0, told = 0; i < more->misses.count && told < MISSES_TOLD; i++) {
        const struct page_miss *m = &more->misses.items[i];
        struct str id = mgi_fact_id(list, "q", i + 1);
        if (m->frame_count == 0 || m->what == MISS_STREAM || m->what == MISS_DEFINED ||
            m->what == MISS_PILE || mgi_is_past(list, m->at_ns))
            continue;
        told++;
        if (m->what == MISS_ELEMENT)
            facts_of_element(list, id, m);
        else if (m->what == MISS_EVENT)
            facts_of_event(list, id, m);
        else if (m->what == MISS_DRAWN)
            id = drawn_id(list, m);
        else if (str_is(m->name, "interval"))
            mgi_fact(list, RANK_CORE, "timer_again", m->at_ns, m->at_ns, "sn", id, m->count);
        else
            mgi_fact(list, RANK_CORE, "listener_again", m->at_ns, m->at_ns, "sssn", id, m->name,
                     m->target, m->count);
        if (id.len > 0 && m->what == MISS_AGAIN)
            facts_of_callers(list, id, m);
        else if (id.len > 0)
            facts_of_place(list, id, m);
    }
    facts_of_piles(list);
    facts_of_streams(list);
    facts_of_undefined(list);
}
