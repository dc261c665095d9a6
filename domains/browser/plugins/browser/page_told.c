/* What the helper in the page tells: input, forms, focus, visibility, long tasks, shifts, abort(),
 * listeners, and what code looks for and does not find.
 *
 * The page can call the helper's door itself, so nothing here is more than a claim of the page: a
 * lie about an input misleads about this page only. */
#include "browser.h"

static struct str told_text(const struct json *told, const char *name)
{
    return mgi_utf8_prefix(mgi_member_string(told, name), 400);
}

static struct page_more *told_of(struct page *p)
{
    return &p->capture->more;
}

static bool end_span(struct page *p, int64_t at_ns, bool focus)
{
    struct page_more *more = told_of(p);
    for (size_t i = more->spans.count; i-- > 0;)
        if (more->spans.items[i].focus == focus) {
            if (more->spans.items[i].end_ns == 0)
                more->spans.items[i].end_ns = at_ns;
            break;
        }
    return true;
}

static bool begin_span(struct page *p, int64_t at_ns, struct str what, bool focus)
{
    end_span(p, at_ns, focus);
    struct span *s = mgi_list_add(p->job->arena, &told_of(p)->spans);
    if (s)
        *s = (struct span){ .begin_ns = at_ns, .what = what, .focus = focus };
    return s != NULL;
}

static bool stack_told(struct page *p, const struct json *told, const struct frame **frames,
                       size_t *count)
{
    struct str stack = mgi_member_string(told, "stack");
    struct frame *kept = NULL;
    *count = 0;
    if (stack.len > 0) {
        kept = mgi_arena_calloc(p->job->arena, STACK_FRAMES_MOST, sizeof *kept);
        if (!kept || !mgi_stack_of_text(p->job, stack, kept, count))
            return false;
    }
    *frames = kept;
    return true;
}

static bool add_input(struct page *p, int64_t at_ns, const struct json *told)
{
    struct user_input *i = mgi_list_add(p->job->arena, &told_of(p)->inputs);
    if (!i)
        return false;
    *i = (struct user_input){
        .at_ns = at_ns,
        .type = told_text(told, "type"),
        .target = told_text(told, "target"),
        .text = told_text(told, "text"),
        .message = told_text(told, "message"),
        .trusted = mgi_member_true(told, "trusted"),
        .shown = mgi_member_true(told, "shown"),
    };
    i->invalid = str_is(i->type, "invalid");
    i->heard = told_text(told, "heard");
    i->within = told_text(told, "within");
    i->row = told_text(told, "row");
    return stack_told(p, told, &i->frames, &i->frame_count);
}

/* The form's own event came just before; this says what became of it. */
static bool submission(struct page *p, int64_t at_ns, const struct json *told)
{
    struct page_more *more = told_of(p);
    struct str target = told_text(told, "target");
    struct user_input *found = NULL;
    for (size_t i = more->inputs.count; i-- > 0 && !found;)
        if (str_is(more->inputs.items[i].type, "submit") && !more->inputs.items[i].submitted &&
            str_eq(more->inputs.items[i].target, target))
            found = &more->inputs.items[i];
    if (!found) {
        found = mgi_list_add(p->job->arena, &more->inputs);
        if (!found)
            return false;
        *found = (struct user_input){ .at_ns = at_ns, .type = STR_LIT("submit"), .target = target };
    }
    found->submitted = true;
    found->prevented = mgi_member_true(told, "prevented");
    found->form_method = told_text(told, "method");
    found->form_action = told_text(told, "action");
    return true;
}

/* Clocks and animations change texts and styles with each picture, sixty times a second: what
 * counts are elements that are made, and texts only where more turns change them than there are
 * pictures. */
#define TURNS_OF_PICTURES 75
static const char *what_counts(const struct json *told)
{
    double turns = mgi_member_number(told, "turns", 0), ms = mgi_member_number(told, "ms", 0);
    if (!mgi_json_get(told, "built"))
        return "count";
    return turns * 1000 > TURNS_OF_PICTURES * ms ? "content" : "built";
}

/* So many changes of the document since it last said so. */
static bool add_changes(struct page *p, int64_t at_ns, const struct json *told)
{
    double count = mgi_member_number(told, what_counts(told), 0);
    struct sample *s = mgi_list_add(p->job->arena, &told_of(p)->changes);
    if (!s)
        return false;
    *s = (struct sample){ .at_ns = at_ns,
                          .count = count > 0 && count < 1e12 ? (int64_t)count : 0,
                          .frames = told_of(p)->frames.count,
                          .content = mgi_member_whole(told, "content", -1),
                          .gone = mgi_member_whole(told, "gone", 0),
                          .came = mgi_member_whole(told, "came", -1) };
    told_of(p)->watches_changes = true;
    return true;
}

static bool add_measure(struct page *p, int64_t at_ns, const struct json *told, struct str kind)
{
    struct page_more *more = told_of(p);
    bool task = str_is(kind, "longtask"), shift = str_is(kind, "shift");
    double value = task    ? mgi_member_number(told, "ms", 0)
                   : shift ? mgi_member_number(told, "value", 0) * 1000
                           : mgi_member_number(told, "per_second", 0);
    double start = mgi_member_number(told, "start", 0);
    struct sample *s = task    ? mgi_list_add(p->job->arena, &more->tasks)
                       : shift ? mgi_list_add(p->job->arena, &more->shifts)
                               : mgi_list_add(p->job->arena, &more->mutations);
    if (!s)
        return false;
    *s = (struct sample){ .at_ns = task && mgi_page_ns(start) > 0 ? mgi_page_ns(start) : at_ns,
                          .what = kind,
                          .where = told_text(told, task ? "script" : "target"),
                          .count = value > 0 && value < 1e12 ? (int64_t)value : 0,
                          .turns = mgi_member_whole(told, "turns", 0),
                          .same = mgi_member_true(told, "same") };
    return true;
}

/* The caller's place is the first line of the stack that is not the helper's own. */
static bool add_abort(struct page *p, int64_t at_ns, const struct json *told)
{
    const struct frame *frames;
    size_t count;
    struct abort_call *a = mgi_list_add(p->job->arena, &told_of(p)->aborts);
    if (!a || !stack_told(p, told, &frames, &count))
        return false;
    *a = (struct abort_call){ .at_ns = at_ns };
    if (count > 0) {
        a->url = frames[0].url;
        a->line = frames[0].line;
    }
    return true;
}

#define MISSES_MOST 200

static bool add_miss(struct page *p, int64_t at_ns, const struct json *told, struct str kind)
{
    struct page_more *more = told_of(p);
    struct page_miss *m =
        more->misses.count < MISSES_MOST ? mgi_list_add(p->job->arena, &more->misses) : NULL;
    if (!m)
        return !p->job->arena->oom;
    *m = (struct page_miss){ .at_ns = at_ns,
                             .count = mgi_member_whole(told, "count", 1),
                             .what = str_is(kind, "again")     ? MISS_AGAIN
                                     : str_is(kind, "missing") ? MISS_ELEMENT
                                     : str_is(kind, "streams") ? MISS_STREAM
                                     : str_is(kind, "drawn")   ? MISS_DRAWN
                                     : str_is(kind, "piles")   ? MISS_PILE
                                     : str_is(kind, "defined") ? MISS_DEFINED
                                                               : MISS_EVENT };
    m->name = told_text(told, m->what == MISS_ELEMENT  ? "selector"
                              : m->what == MISS_STREAM ? "url"
                                                       : "type");
    m->target = told_text(told, m->what == MISS_STREAM ? "type" : "target");
    m->others = mgi_member_string(told, "heard");
    return stack_told(p, told, &m->frames, &m->frame_count);
}

#define DEEDS_MOST 400

static bool add_deed(struct page *p, int64_t at_ns, const struct json *told)
{
    struct page_more *more = told_of(p);
    struct page_deed *d =
        more->deeds.count < DEEDS_MOST ? mgi_list_add(p->job->arena, &more->deeds) : NULL;
    if (!d)
        return !p->job->arena->oom;
    *d = (struct page_deed){ .at_ns = at_ns,
                             .what = told_text(told, "what"),
                             .name = told_text(told, "name"),
                             .target = told_text(told, "target"),
                             .text = told_text(told, "text"),
                             .count = mgi_member_whole(told, "count", 0) };
    return stack_told(p, told, &d->frames, &d->frame_count);
}

static bool is_miss(struct str kind)
{
    return str_is(kind, "again") || str_is(kind, "missing") || str_is(kind, "unheard") ||
           str_is(kind, "streams") || str_is(kind, "drawn") || str_is(kind, "defined") ||
           str_is(kind, "piles");
}

bool mgi_page_told(struct page *p, int64_t at_ns, const struct json *told)
{
    struct str kind = mgi_member_string(told, "k");
    int64_t own_ns = mgi_page_ns(mgi_member_number(told, "t", 0));
    /* The page's clock, unless it is far off. */
    if (own_ns > 0 && own_ns <= at_ns && at_ns - own_ns < 60 * NS_PER_SEC)
        at_ns = own_ns;
    struct str type = mgi_member_string(told, "type");
    if (str_is(kind, "input") && str_is(type, "focusin"))
        return begin_span(p, at_ns, told_text(told, "target"), true);
    if (str_is(kind, "input") && str_is(type, "focusout"))
        return end_span(p, at_ns, true);
    if (str_is(kind, "input"))
        return add_input(p, at_ns, told);
    if (str_is(kind, "submitted"))
        return submission(p, at_ns, told);
    if (str_is(kind, "visibility"))
        return begin_span(p, at_ns, told_text(told, "state"), false);
    if (str_is(kind, "longtask") || str_is(kind, "shift") || str_is(kind, "mutations"))
        return add_measure(p, at_ns, told, kind);
    if (str_is(kind, "changes"))
        return add_changes(p, at_ns, told);
    if (str_is(kind, "frame") || str_is(kind, "busy") || str_is(kind, "spent") ||
        str_is(kind, "held"))
        return mgi_page_work(p, at_ns, told, kind);
    if (str_is(kind, "abort"))
        return add_abort(p, at_ns, told);
    if (str_is(kind, "caught"))
        return mgi_page_caught(p, at_ns, told);
    if (str_is(kind, "deed"))
        return add_deed(p, at_ns, told);
    if (is_miss(kind))
        return add_miss(p, at_ns, told, kind);
    return true;
}
