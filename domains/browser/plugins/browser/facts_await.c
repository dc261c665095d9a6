/* Which request had the code that failed awaited?
 *
 * The stack of an error goes on with its asynchronous callers; the stack of a request is who asked
 * for it. A function in both asked for the request and was still at work, directly or after an
 * await, when the error came. The innermost such function says most; of several requests, the one
 * with more callers in common, then the one that ended last before the error. */
#include "facts.h"

#define AWAIT_NS    (30 * NS_PER_SEC)
#define AWAIT_DEPTH 14
/* Times of two processes are compared. */
#define SLACK_NS    (20 * NS_PER_MS)
#define SOON_NS     NS_PER_SEC
#define AWAITS_TOLD 2

struct tie {
    const struct request *request;
    size_t depth;  /* of the innermost common function, in the error's stack */
    size_t common; /* callers that both have, in order */
};

static struct str plain_name(struct str function)
{
    size_t from = function.len;
    while (from > 0 && function.ptr[from - 1] != '.' && function.ptr[from - 1] != ' ')
        from--;
    return (struct str){ function.ptr + from, function.len - from };
}

/* In code that was put into few long lines names are short and used again and again, and every line
 * is the same: there a function is a stretch of columns. */
#define BUNDLED_ANONYMOUS 600
#define BUNDLED_NAMED     3000

static bool near_in_line(const struct frame *a, const struct frame *b)
{
    int64_t apart = a->column > b->column ? a->column - b->column : b->column - a->column;
    bool named = a->function.len > 0;
    return a->line == b->line && apart <= (named ? BUNDLED_NAMED : BUNDLED_ANONYMOUS);
}

/* Functions without a name are the same if they are at the same place. */
static bool same_function(const struct frame *a, const struct frame *b)
{
    if (a->url.len == 0 || !str_eq(a->url, b->url))
        return false;
    if (mgi_frame_is_bundled(a) && mgi_frame_is_bundled(b) && !near_in_line(a, b))
        return false;
    if (a->function.len == 0 && b->function.len == 0)
        return a->line == b->line;
    if (a->function.len == 0 || b->function.len == 0)
        return false;
    /* "UserList.load" in a text is "load" in a protocol. */
    return str_eq(plain_name(a->function), plain_name(b->function));
}

static bool tie_of(const struct message *m, const struct request *r, struct tie *tie)
{
    size_t next = 0;
    *tie = (struct tie){ .request = r, .depth = SIZE_MAX };
    for (size_t i = 0; i < m->frame_count && i < AWAIT_DEPTH; i++)
        for (size_t j = next; j < r->frame_count; j++)
            if (same_function(&m->frames[i], &r->frames[j])) {
                tie->depth = tie->depth == SIZE_MAX ? i : tie->depth;
                tie->common++;
                next = j + 1;
                break;
            }
    return tie->depth != SIZE_MAX;
}

static bool is_better(const struct tie *a, const struct tie *b)
{
    if (!b->request)
        return true;
    if (a->depth != b->depth)
        return a->depth < b->depth;
    if (a->common != b->common)
        return a->common > b->common;
    return a->request->end_ns > b->request->end_ns;
}

static bool was_there(const struct message *m, const struct request *r)
{
    struct str kind = mgi_request_kind(r);
    bool data = str_is(kind, "data"); /* a socket is not awaited */
    /* One whose body nobody read has no end, but it was answered. */
    return data && (!r->open || r->status > 0) && r->end_ns <= m->at_ns + SLACK_NS &&
           r->end_ns >= m->at_ns - AWAIT_NS;
}

/* Without a function in common: the script's own last request, if it ended just before. Only where
 * asynchronous callers are not known: a trace has them, and what they do not tell is chance. A
 * bundle is all of the page's code, so of one that tells nothing. */
static const struct request *last_of_script(const struct capture *c, const struct message *m)
{
    const struct request *found = NULL;
    struct str url = m->frame_count > 0 ? m->frames[0].url : m->url;
    bool traced = c->more.last_ns > 0;
    if (traced || (m->frame_count > 0 && mgi_frame_is_bundled(&m->frames[0])))
        return NULL;
    for (size_t i = 0; url.len > 0 && i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        bool asked = false;
        for (size_t j = 0; j < r->frame_count && !asked; j++)
            asked = str_eq(r->frames[j].url, url);
        if (asked && was_there(m, r) && r->end_ns >= m->at_ns - SOON_NS &&
            (!found || r->end_ns > found->end_ns))
            found = r;
    }
    return found;
}

/* Stacks and data flow may tell the same request. */
void mgi_tell_await(struct fact_list *list, const struct message *m, const struct request *r)
{
    struct str id = mgi_message_id(list, m), request = mgi_fact_id(list, "r", r->number);
    for (size_t i = list->items.count; i-- > 0 && list->items.count - i < 100;) {
        const struct fact *f = &list->items.items[i];
        if (strcmp(f->pred, "error_awaits") == 0 && str_eq(f->args[0].text, id) &&
            str_eq(f->args[1].text, request))
            return;
    }
    mgi_fact(list, RANK_CORE, "error_awaits", NO_TIME, 0, "ss", id, request);
}

/* JSON that could not be read is the last body that is none. */
static const struct request *unreadable(const struct fact_list *list, const struct message *m)
{
    const struct capture *c = list->capture;
    const struct request *found = NULL;
    if (!mgi_contains(m->text, "JSON") || !mgi_contains(m->text, "SyntaxError"))
        return NULL;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        bool bad = list->shapes[i].kind != BODY_JSON && list->shapes[i].kind != BODY_NONE;
        if (bad && list->looked_at[i] && was_there(m, r) && r->end_ns >= m->at_ns - 2 * SOON_NS &&
            (!found || r->end_ns > found->end_ns))
            found = r;
    }
    return found;
}

/* ---- words in common ------------------------------------------------------------------------ */

#define WORD_FRAMES 4
#define WORDS_TOLD  3

static struct str word_of(const struct message *m, const struct request *r)
{
    struct str path = mgi_url_path(r->url), word = mgi_shared_word(path, m->text);
    for (size_t i = 0; word.len == 0 && i < m->frame_count && i < WORD_FRAMES; i++) {
        word = mgi_shared_word(path, m->frames[i].function);
        if (word.len == 0 && !mgi_frame_is_bundled(&m->frames[i]))
            word = mgi_shared_word(path, mgi_url_file(m->frames[i].url));
    }
    return word;
}

/* The nearest before the error come first. */
static void tell_words(struct fact_list *list, const struct message *m)
{
    const struct capture *c = list->capture;
    size_t told = 0;
    for (size_t i = c->request_count; i-- > 0 && told < WORDS_TOLD;) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || !was_there(m, r))
            continue;
        struct str word = word_of(m, r);
        if (word.len == 0)
            continue;
        mgi_fact(list, RANK_HIGH, "shares_word", NO_TIME, 0, "sss", mgi_message_id(list, m),
                 mgi_fact_id(list, "r", r->number), word);
        told++;
    }
}

void mgi_facts_await(struct fact_list *list, const struct message *m)
{
    tell_words(list, m);
    const struct capture *c = list->capture;
    struct tie best[AWAITS_TOLD] = { 0 }, tie;
    const struct request *body = unreadable(list, m);
    if (body) {
        mgi_tell_await(list, m, body);
        return;
    }
    for (size_t i = 0; i < c->request_count; i++) {
        if (!list->looked_at[i] || !was_there(m, &c->requests[i]) ||
            !tie_of(m, &c->requests[i], &tie))
            continue;
        if (is_better(&tie, &best[0])) {
            best[1] = best[0];
            best[0] = tie;
        } else if (is_better(&tie, &best[1])) {
            best[1] = tie;
        }
    }
    const struct request *last = best[0].request ? NULL : last_of_script(c, m);
    if (last)
        mgi_tell_await(list, m, last);
    if (best[0].request)
        mgi_tell_await(list, m, best[0].request);
    /* A second one only if nothing but time tells them apart: two requests that one function sent.
     */
    if (best[1].request && best[1].depth == best[0].depth && best[1].common == best[0].common &&
        best[0].request->start_ns - best[1].request->start_ns < SLACK_NS)
        mgi_tell_await(list, m, best[1].request);
}
