/* The page, the user, dialogs, sockets, issues, storage and growth as facts. */
#include "facts.h"

#define LONG_WORK_MS   1000
#define STARTS_WITH_NS (100 * NS_PER_SEC / 1000)
#define FRAMES_TOLD    40
#define SHOWN_TOLD     24
#define SPANS_TOLD     40
#define SAMPLES_TOLD   12

static void facts_of_navigations(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->navigations.count; i++) {
        const struct navigation *n = &more->navigations.items[i];
        struct str id = mgi_fact_id(list, "n", i + 1);
        list->past = mgi_is_past(list, n->begin_ns);
        mgi_fact(list, RANK_CORE, "navigation", n->begin_ns, n->end_ns, "sss", id, n->url, n->why);
        if (n->failed.len > 0)
            mgi_fact(list, RANK_CORE, "navigation_failed", n->begin_ns, n->begin_ns, "ss", id,
                     n->failed);
    }
    list->past = false;
}

/* From a HAR, the document tells whether the page came. */
static struct str page_state_of(const struct capture *c)
{
    if (c->more.state.len > 0)
        return c->more.state;
    for (size_t i = 0; i < c->request_count; i++)
        if (str_eq(c->requests[i].url, c->url))
            return c->requests[i].fault == FAULT_STATUS || c->requests[i].fault == FAULT_LOST
                       ? STR_LIT("failed")
                       : STR_LIT("loaded");
    return STR_LIT("empty");
}

static void span_of_all(const struct capture *c, int64_t *first, int64_t *last)
{
    *first = c->more.first_ns > 0 ? c->more.first_ns : INT64_MAX;
    *last = c->more.last_ns;
    for (size_t i = 0; i < c->request_count; i++) {
        *first = c->requests[i].start_ns < *first ? c->requests[i].start_ns : *first;
        *last = c->requests[i].end_ns > *last ? c->requests[i].end_ns : *last;
    }
    for (size_t i = 0; i < c->message_count; i++) {
        *first = c->messages[i].at_ns < *first ? c->messages[i].at_ns : *first;
        *last = c->messages[i].at_ns > *last ? c->messages[i].at_ns : *last;
    }
}

/* "Looking up your order...": what is being done still. */
static bool says_doing(struct str line)
{
    size_t word = 0;
    while (word < line.len && (line.ptr[word] | 0x20) >= 'a' && (line.ptr[word] | 0x20) <= 'z')
        word++;
    bool dots = mgi_str_ends(line, STR_LIT("...")) || mgi_str_ends(line, STR_LIT("\xe2\x80\xa6"));
    return dots && line.len <= 80 && word > 4 &&
           mgi_str_ends((struct str){ line.ptr, word }, STR_LIT("ing"));
}

/* A line that says so by itself: "Loading", "Please wait". */
static bool says_wait(struct str line)
{
    static const char *const words[] = { "loading", "please wait", "one moment", "just a moment" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i]);
        if (line.len >= n && line.len <= n + 12 &&
            mgi_contains((struct str){ line.ptr, n }, words[i]))
            return true;
    }
    return line.len <= 80 && mgi_contains(line, "please wait");
}

/* Where only the text of the page is known, a line that says so by itself is a spinner. */
static void facts_of_waiting_lines(struct fact_list *list, struct str text)
{
    size_t told = 0;
    while (text.len > 0 && told < 4) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        struct str line = mgi_str_trim((struct str){ text.ptr, len }, " \t\r");
        text = end ? (struct str){ end + 1, text.len - len - 1 } : STR_LIT("");
        bool waits = says_wait(line);
        if (!waits && !says_doing(line))
            continue;
        told++;
        mgi_fact(list, RANK_CORE, "shown", NO_TIME, 0, "zs", waits ? "spinner" : "waiting", line);
    }
}

static void facts_of_what_is_shown(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->shown.count && i < SHOWN_TOLD; i++) {
        const struct shown_text *s = &more->shown.items[i];
        bool speaks = str_is(s->kind, "alert") || str_is(s->kind, "error") ||
                      str_is(s->kind, "dialog") || str_is(s->kind, "spinner") ||
                      str_is(s->kind, "empty");
        mgi_fact(list, speaks ? RANK_CORE : RANK_LOW, "shown", NO_TIME, 0, "st", s->kind, s->text);
        if (str_is(s->kind, "text"))
            facts_of_waiting_lines(list, s->text);
    }
    for (size_t i = 0; i < more->spans.count && i < SPANS_TOLD; i++) {
        const struct span *s = &more->spans.items[i];
        list->past = mgi_is_past(list, s->begin_ns);
        mgi_fact(list, RANK_LOW, s->focus ? "focused" : "visible", s->begin_ns, s->end_ns, "s",
                 s->what);
    }
    list->past = false;
}

/* ---- the user ------------------------------------------------------------------------------ */

#define WITHOUT_EFFECT_NS (2 * NS_PER_SEC)

bool mgi_is_of_others(const struct capture *c, const struct request *r)
{
    struct str own = mgi_url_origin(c->url);
    bool others = r->frame_count > 0 && !str_eq(mgi_url_origin(r->url), own);
    for (size_t i = 0; i < r->frame_count && others; i++)
        others = !str_eq(mgi_url_origin(r->frames[i].url), own);
    return others;
}

static bool is_about_others(const struct capture *c, const struct message *m)
{
    const struct request *r = m->request_id.len > 0 ? mgi_request_by_id(c, m->request_id) : NULL;
    return r && mgi_is_of_others(c, r);
}

/* What runs for long puts off whatever comes of it. */
static int64_t until_effect(const struct page_more *more, const struct user_input *in)
{
    int64_t to = in->at_ns + WITHOUT_EFFECT_NS;
    for (size_t i = 0; i < more->tasks.count; i++) {
        const struct sample *task = &more->tasks.items[i];
        int64_t end = task->at_ns + task->count * NS_PER_MS + NS_PER_SEC;
        if (task->at_ns <= to && end > to)
            to = end;
    }
    return to;
}

/* Did anything come of it? The recording has to go on for long enough to say no. */
static bool had_effect(const struct capture *c, const struct user_input *in, int64_t last)
{
    const struct page_more *more = &c->more;
    int64_t from = in->at_ns, to = until_effect(more, in);
    if (last < to)
        return true;
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].start_ns >= from && c->requests[i].start_ns <= to &&
            !mgi_is_of_others(c, &c->requests[i]))
            return true;
    for (size_t i = 0; i < c->message_count; i++)
        if (c->messages[i].last_ns >= from && c->messages[i].at_ns <= to &&
            !is_about_others(c, &c->messages[i]))
            return true;
    for (size_t i = 0; i < more->tasks.count; i++)
        if (more->tasks.items[i].at_ns >= from - STARTS_WITH_NS &&
            more->tasks.items[i].at_ns <= to && more->tasks.items[i].count >= LONG_WORK_MS)
            return true;
    for (size_t i = 0; i < more->navigations.count; i++)
        if (more->navigations.items[i].begin_ns >= from &&
            more->navigations.items[i].begin_ns <= to)
            return true;
    for (size_t i = 0; i < more->dialogs.count; i++)
        if (more->dialogs.items[i].begin_ns >= from && more->dialogs.items[i].begin_ns <= to)
            return true;
    for (size_t i = 0; i < more->frames.count; i++)
        if (more->frames.items[i].at_ns >= from && more->frames.items[i].at_ns <= to &&
            more->frames.items[i].what == FRAME_SENT)
            return true;
    for (size_t i = 0; i < more->changes.count; i++)
        if (more->changes.items[i].at_ns >= from && more->changes.items[i].at_ns <= to)
            return true;
    return false;
}

/* Who hears a click, if anybody does. */
static void facts_of_hearing(struct fact_list *list, struct str id, const struct user_input *in)
{
    if (in->heard.len > 0)
        mgi_fact(list, RANK_HIGH, "heard", NO_TIME, 0, "ss", id, in->heard);
    if (in->within.len > 0)
        mgi_fact(list, RANK_HIGH, "pressed_in", NO_TIME, 0, "ss", id, in->within);
    mgi_fact_stack(list, RANK_USUAL, id, in->frames, in->frame_count);
}

static void fact_of_drawing(struct fact_list *list, struct str target)
{
    static const char *const words[] = { "createElement('canvas')", "createElement(\"canvas\")",
                                         ".getContext(", NULL };
    for (size_t i = 0; words[i]; i++) {
        int64_t line = 0;
        struct str url = mgi_script_with(list, str_of(words[i]), &line);
        if (url.len == 0)
            continue;
        mgi_fact(list, RANK_HIGH, "drawn_by", NO_TIME, 0, "ssn", target, url, line);
        return;
    }
}

/* What has no room, what nobody sees, and what of the document's own styles is not applied. */
static void facts_of_room(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->flat.count && i < 8; i++) {
        const struct flat_element *e = &more->flat.items[i];
        mgi_fact(list, RANK_HIGH, "no_room", NO_TIME, 0, "ssssn", e->target, e->parent, e->side,
                 e->why, e->count);
        if (str_is(e->side, "size"))
            fact_of_drawing(list, e->target);
    }
    for (size_t i = 0; i < more->veiled.count && i < 8; i++) {
        const struct flat_element *e = &more->veiled.items[i];
        mgi_fact(list, RANK_HIGH, "veiled", NO_TIME, 0, "sssn", e->target, e->why, e->parent,
                 e->count);
        if (e->side.len > 0)
            mgi_fact(list, RANK_HIGH, "veiled_by", NO_TIME, 0, "ss", e->target, e->side);
    }
    for (size_t i = 0; i < more->refused.count && i < 8; i++)
        mgi_fact(list, RANK_USUAL, "still_invalid", NO_TIME, 0, "ssz",
                 more->refused.items[i].target, more->refused.items[i].why,
                 more->refused.items[i].count ? "true" : "false");
    if (more->unstyled_count > 0)
        mgi_fact(list, RANK_HIGH, "style_ignored", NO_TIME, 0, "snn", more->unstyled,
                 more->unstyled_count, more->unstyled_flat);
}

static void facts_of_inputs(struct fact_list *list, int64_t last)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->inputs.count; i++) {
        const struct user_input *in = &more->inputs.items[i];
        struct str id = mgi_fact_id(list, "i", i + 1);
        list->past = mgi_is_past(list, in->at_ns);
        bool acts = str_is(in->type, "click") || str_is(in->type, "submit");
        mgi_fact(list, acts ? RANK_CORE : RANK_USUAL, "input", in->at_ns, in->at_ns, "ssss", id,
                 in->type, in->target, in->text);
        if (in->submitted)
            mgi_fact(list, RANK_CORE, "submitted", NO_TIME, 0, "ssssz", id, in->target,
                     in->form_method, in->form_action, in->prevented ? "true" : "false");
        if (in->invalid)
            mgi_fact(list, RANK_CORE, "invalid", NO_TIME, 0, "sssz", id, in->target, in->message,
                     in->shown ? "true" : "false");
        facts_of_hearing(list, id, in);
        /* Whether the document changed is known only when somebody watched for it. */
        if (acts && more->watches_changes && !had_effect(list->capture, in, last))
            mgi_fact(list, RANK_CORE, "input_without_effect", NO_TIME, 0, "s", id);
    }
    for (size_t i = 0; i < more->dialogs.count; i++) {
        const struct dialog *d = &more->dialogs.items[i];
        list->past = mgi_is_past(list, d->begin_ns);
        mgi_fact(list, RANK_HIGH, "dialog", d->begin_ns, d->end_ns, "sss",
                 mgi_fact_id(list, "d", i + 1), d->kind, d->text);
    }
    list->past = false;
}

/* ---- sockets ------------------------------------------------------------------------------- */

static void facts_of_frames(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->frames.count; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        const struct request *r =
            mgi_told_request(list, mgi_request_by_id(list->capture, f->request_id));
        if (!r)
            continue;
        struct str id = mgi_fact_id(list, "r", r->number);
        if (f->what == FRAME_CLOSED)
            mgi_fact(list, RANK_HIGH, "socket_closed", f->at_ns, f->at_ns, "sns", id, f->code,
                     f->text);
        else if (f->what == FRAME_FAILED)
            mgi_fact(list, RANK_CORE, "socket_failed", f->at_ns, f->at_ns, "ss", id, f->text);
        else
            mgi_fact(list,
                     i < FRAMES_TOLD || i + FRAMES_TOLD > more->frames.count ? RANK_LOW
                                                                             : RANK_LEAST,
                     "socket_frame", f->at_ns, f->at_ns, "snzs", id, (int64_t)i + 1,
                     f->what == FRAME_SENT ? "sent" : "received", f->text);
    }
}

/* ---- issues, storage ----------------------------------------------------------------------- */

static void facts_of_issues(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->issues.count; i++) {
        const struct issue *x = &more->issues.items[i];
        const struct request *r =
            mgi_told_request(list, mgi_request_by_id(list->capture, x->request_id));
        struct str id = mgi_fact_id(list, "x", i + 1);
        list->past = mgi_is_past(list, x->at_ns);
        mgi_fact(list, RANK_HIGH, "issue", x->at_ns, x->at_ns, "ssss", id, x->code, x->detail,
                 r ? mgi_fact_id(list, "r", r->number) : STR_LIT(""));
        if (x->url.len > 0)
            mgi_fact(list, RANK_HIGH, "stack", NO_TIME, 0, "snssn", id, (int64_t)0, STR_LIT(""),
                     x->url, x->line);
        if (x->directive.len > 0 && !x->report_only)
            mgi_fact(list, RANK_CORE, "csp_violation", NO_TIME, 0, "sss", id, x->directive,
                     x->blocked);
    }
    list->past = false;
    for (size_t i = 0; i < more->storage.count; i++)
        mgi_fact(list, RANK_LOW, "storage_use", NO_TIME, 0, "snn", more->storage.items[i].what,
                 more->storage.items[i].used, more->storage.items[i].most);
    for (size_t i = 0; i < more->lost.count; i++)
        mgi_fact(list, RANK_CORE, "lost", NO_TIME, 0, "sn", more->lost.items[i].what,
                 more->lost.items[i].used);
}

/* ---- growth, work -------------------------------------------------------------------------- */

/* After this, what a user did has had its effect: what rises then rises by itself. */
static int64_t quiet_from(const struct page_more *more)
{
    int64_t last = 0;
    for (size_t i = 0; i < more->inputs.count; i++)
        last = more->inputs.items[i].at_ns > last ? more->inputs.items[i].at_ns : last;
    return last > 0 ? last + NS_PER_SEC : 0;
}

/* A browser counts what is garbage until it is collected. */
static bool holds_garbage(const struct sample *s)
{
    return !s->collected && (str_is(s->what, "nodes") || str_is(s->what, "listeners") ||
                             str_is(s->what, "heap") || str_is(s->what, "documents"));
}

/* Two looks in a row are one; the heap is never quite the same. */
#define AT_ONCE_NS (400 * NS_PER_MS)
#define HEAP_NOISE 20000
/* What comes now and then leaves so many samples as they were. */
#define LEVEL_MOST 2

static bool is_below(const struct sample *s, const struct sample *last)
{
    return s->count < last->count - (str_is(s->what, "heap") ? HEAP_NOISE : 0);
}

/* The samples of one kind. It grows if none is below the one before, at least three times one is
 * above it (twice, where all are), and it is never level for long. */
static void facts_of_samples(struct fact_list *list, struct str what)
{
    const struct page_more *more = &list->capture->more;
    const struct sample *first = NULL, *last = NULL;
    size_t told = 0, count = 0, rises = 0, level = 0;
    int64_t from = quiet_from(more);
    bool falls = false;
    for (size_t i = 0; i < more->samples.count; i++) {
        const struct sample *s = &more->samples.items[i];
        if (!str_eq(s->what, what) || mgi_is_past(list, s->at_ns))
            continue;
        if (told++ < SAMPLES_TOLD)
            mgi_fact(list, RANK_LOW, "sample", s->at_ns, s->at_ns, "sn", what, s->count);
        if (s->at_ns < from || holds_garbage(s))
            continue;
        if (last && s->count == last->count && s->at_ns - last->at_ns < AT_ONCE_NS)
            continue;
        bool above = last && s->count > last->count;
        count++;
        falls = falls || level > LEVEL_MOST || (last && is_below(s, last));
        rises += above;
        level = above || !last ? 0 : level + 1;
        first = first ? first : s;
        last = s;
    }
    bool all = rises + 1 == count;
    if (count < 3 || falls || level > LEVEL_MOST || rises < (all ? 2 : 3) ||
        last->at_ns <= first->at_ns)
        return;
    double seconds = (double)(last->at_ns - first->at_ns) / (double)NS_PER_SEC;
    mgi_fact(list, RANK_CORE, "grows", NO_TIME, 0, "snnn", what, first->count, last->count,
             (int64_t)((double)(last->count - first->count) / seconds));
}

/* Changes come in at most ten times a second. A document that is still changed at the end, in
 * nearly every second of the last three or more, changes without end. */
static void facts_of_changes(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    int64_t total = 0, seconds = 0, second = 0;
    size_t count = more->changes.count, i = count;
    if (count == 0 || more->last_ns - more->changes.items[count - 1].at_ns > 2 * NS_PER_SEC)
        return;
    for (; i-- > 0;) {
        const struct sample *s = &more->changes.items[i];
        if (mgi_is_past(list, s->at_ns))
            break;
        if (i + 1 < count && more->changes.items[i + 1].at_ns - s->at_ns > NS_PER_SEC)
            break;
        seconds += s->at_ns / NS_PER_SEC != second;
        second = s->at_ns / NS_PER_SEC;
        total += s->count;
    }
    if (seconds >= 3)
        mgi_fact(list, RANK_HIGH, "mutates", NO_TIME, 0, "zn", "document", total / seconds);
}

static int64_t loaded_at(const struct page_more *more)
{
    int64_t at = 0;
    for (size_t i = 0; i < more->navigations.count; i++)
        at = more->navigations.items[i].end_ns > at ? more->navigations.items[i].end_ns : at;
    return at;
}

#define SECONDS_WITHOUT_END 3
#define SECONDS_APART_NS    (5 * NS_PER_SEC / 2)

static bool told_before(const struct page_more *more, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (str_eq(more->mutations.items[i].where, more->mutations.items[index].where))
            return true;
    return false;
}

/* The helper tells of each busy second where most of it was changed. Where that goes on second
 * after second, at the lowest rate of these, after the page has loaded: a page that loads changes.
 */
static void facts_of_places(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    int64_t loaded = loaded_at(more);
    for (size_t i = 0; i < more->mutations.count; i++) {
        int64_t last = 0, run = 0, lowest = 0, told = 0, same = 0, turns = 0, redrawn = 0;
        if (told_before(more, i))
            continue;
        for (size_t j = i; j < more->mutations.count; j++) {
            const struct sample *s = &more->mutations.items[j];
            if (!str_eq(s->where, more->mutations.items[i].where) ||
                s->at_ns <= loaded + NS_PER_SEC || mgi_is_past(list, s->at_ns))
                continue;
            bool follows = run > 0 && s->at_ns - last <= SECONDS_APART_NS;
            lowest = follows && lowest < s->count ? lowest : s->count;
            run = follows ? run + 1 : 1;
            last = s->at_ns;
            told = run >= SECONDS_WITHOUT_END ? lowest : told;
            turns = s->same && same > 0 && turns < s->turns ? turns : s->turns;
            same = s->same && (follows || same == 0) ? same + 1 : s->same;
            redrawn = same >= SECONDS_WITHOUT_END ? turns : 0;
        }
        if (redrawn > 0)
            mgi_fact(list, RANK_HIGH, "redraws", NO_TIME, 0, "sn", more->mutations.items[i].where,
                     redrawn);
        if (told > 0)
            mgi_fact(list, RANK_HIGH, "mutates", NO_TIME, 0, "sn", more->mutations.items[i].where,
                     told);
    }
}

static void facts_of_growth(struct fact_list *list)
{
    static const char *const kinds[] = { "nodes",  "listeners", "heap",    "documents",
                                         "timers", "sockets",   "layouts", "mutations" };
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        facts_of_samples(list, str_of(kinds[i]));
    for (size_t i = 0; i < more->tasks.count; i++) {
        const struct sample *s = &more->tasks.items[i];
        list->past = mgi_is_past(list, s->at_ns);
        mgi_fact(list, s->count >= 200 ? RANK_HIGH : RANK_LOW, "busy", s->at_ns,
                 s->at_ns + s->count * NS_PER_MS, "sn", s->where, s->count);
    }
    for (size_t i = 0; i < more->shifts.count; i++) {
        const struct sample *s = &more->shifts.items[i];
        list->past = mgi_is_past(list, s->at_ns);
        mgi_fact(list, s->count >= 50 ? RANK_USUAL : RANK_LEAST, "shifted", s->at_ns, s->at_ns, "n",
                 s->count);
    }
    list->past = false;
    facts_of_changes(list);
    facts_of_places(list);
}

void mgi_facts_page(struct fact_list *list)
{
    const struct capture *c = list->capture;
    int64_t first, last;
    mgi_fact(list, RANK_CORE, "page", NO_TIME, 0, "sss", c->url, c->title, page_state_of(c));
    span_of_all(c, &first, &last);
    first = list->visit_ns > first ? list->visit_ns : first;
    if (first <= last)
        mgi_fact(list, RANK_CORE, "watched", first, last, "s", c->url);
    facts_of_navigations(list);
    facts_of_what_is_shown(list);
    facts_of_room(list);
    facts_of_inputs(list, last);
    facts_of_frames(list);
    facts_of_issues(list);
    facts_of_growth(list);
}
