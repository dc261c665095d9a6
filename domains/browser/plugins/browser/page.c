/* Reading events.jsonl: lines to events, events to the capture.
 *
 * Two passes over the events: requests are announced first, because what belongs to them (headers
 * as sent, cookies, bodies) may come before the announcement, and in any order. A browser's times
 * are those of a monotonic clock; the first request that tells both clocks gives the difference. */
#include "browser.h"

#include <math.h>

#include "base/strmap.h"
#include "trace.h"

/* Nothing was recorded before 1970 or after 2200. */
#define LAST_EVENT_MS 7.2e12
#define EVENT_DEPTH   200

int64_t mgi_page_ns(double ms)
{
    if (!(ms > 0) || ms > LAST_EVENT_MS)
        return 0;
    return (int64_t)(ms * 1000) * NS_PER_US; /* a double knows no more than that */
}

double mgi_json_number(const struct json *v, double otherwise)
{
    if (v && v->type == JSON_INT)
        return (double)v->integer;
    return v && v->type == JSON_FLOAT && isfinite(v->number) ? v->number : otherwise;
}

double mgi_member_number(const struct json *object, const char *name, double otherwise)
{
    return mgi_json_number(mgi_json_get(object, name), otherwise);
}

int64_t mgi_member_whole(const struct json *object, const char *name, int64_t otherwise)
{
    double n = mgi_member_number(object, name, 1e16);
    return n > -1e15 && n < 1e15 ? (int64_t)n : otherwise;
}

bool mgi_member_true(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

int64_t mgi_event_ns(const struct page *p, const struct event *e)
{
    double own = mgi_member_number(e->params, "timestamp", 0);
    if (own > 0 && p->offset_known && own < 1e9) /* seconds of uptime; a wall clock is larger */
        return mgi_page_ns(own * 1000 + p->offset_ms);
    return mgi_page_ns(e->t_ms);
}

bool mgi_begins_visit(const struct navigation *n)
{
    return str_is(n->why, "address") || str_is(n->why, "reload") || str_is(n->why, "history");
}

/* ---- stacks -------------------------------------------------------------------------------- */

static size_t stack_size(const struct json *stack)
{
    size_t count = 0;
    for (; stack && count < STACK_FRAMES_MOST; stack = mgi_json_get(stack, "parent")) {
        const struct json *frames = mgi_json_get(stack, "callFrames");
        if (frames && frames->type == JSON_ARRAY)
            count += frames->count;
    }
    return count < STACK_FRAMES_MOST ? count : STACK_FRAMES_MOST;
}

/* A place in a script, counted from 0 there and from 1 here. */
static int64_t place_of(const struct json *frame, const char *name)
{
    double n = mgi_member_number(frame, name, -1);
    return n >= 0 && n < 1e9 ? (int64_t)n + 1 : 0;
}

bool mgi_stack_read(struct job *job, const struct json *stack, const struct frame **frames,
                    size_t *count)
{
    size_t most = stack_size(stack);
    *frames = NULL;
    *count = 0;
    if (most == 0)
        return true;
    struct frame *out = mgi_arena_calloc(job->arena, most, sizeof *out);
    if (!out)
        return false;
    *frames = out;
    for (; stack && *count < most; stack = mgi_json_get(stack, "parent")) {
        const struct json *given = mgi_json_get(stack, "callFrames");
        size_t more = given && given->type == JSON_ARRAY ? given->count : 0;
        for (size_t i = 0; i < more && *count < most; i++)
            out[(*count)++] = (struct frame){
                .function = mgi_member_string(&given->items[i], "functionName"),
                .url = mgi_member_string(&given->items[i], "url"),
                .line = place_of(&given->items[i], "lineNumber"),
                .column = place_of(&given->items[i], "columnNumber"),
            };
    }
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* A line that was cut off at the end of the file is what a recorder leaves that was killed. */
static bool parse_event(struct page *p, size_t line, struct str text, bool last, struct event *e)
{
    const struct json_options options = { .max_depth = EVENT_DEPTH };
    struct json_error fault;
    struct json *v = mgi_arena_alloc(p->job->arena, sizeof *v);
    if (!v)
        return false;
    enum json_fault bad = mgi_json_parse(p->job->arena, text, &options, v, &fault);
    if (bad == JSON_BAD_UTF8) {
        mgi_mend_surrogates((char *)(uintptr_t)text.ptr, text.len);
        bad = mgi_json_parse(p->job->arena, text, &options, v, &fault);
    }
    if (bad && !last)
        mgi_problem(p->problems, "events.jsonl:%zu:%u: %s", line, fault.column, fault.message);
    if (bad)
        return false;
    *e = (struct event){
        .t_ms = mgi_member_number(v, "t", 0),
        .method = mgi_member_string(v, "m"),
        .target = mgi_member_string(v, "s"),
        .params = mgi_json_get(v, "p"),
    };
    if (e->method.len > 0 && mgi_page_ns(e->t_ms) > 0)
        return true;
    mgi_problem(p->problems, "events.jsonl:%zu: %s", line,
                e->method.len > 0 ? "t is no time in milliseconds since 1970"
                                  : "m, the method, is missing or no string");
    return false;
}

static bool read_events(struct page *p, struct str text)
{
    struct event *events = NULL;
    size_t cap = 0, line = 0;
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = end ? (size_t)(end - (text.ptr + at)) : text.len - at;
        struct str one = mgi_str_trim((struct str){ text.ptr + at, len }, " \t\r");
        at += len + 1;
        line++;
        if (one.len == 0)
            continue;
        if (!mgi_arena_grow(p->job->arena, &events, &cap, p->event_count + 1, sizeof *events))
            return false;
        if (parse_event(p, line, one, !end, &events[p->event_count]))
            p->event_count++;
    }
    p->events = events;
    return !p->job->arena->oom;
}

/* What a first look tells: the difference of the clocks, and which frame is the page. */
static void look_ahead(struct page *p)
{
    for (size_t i = 0; i < p->event_count; i++) {
        const struct event *e = &p->events[i];
        double wall = mgi_member_number(e->params, "wallTime", 0);
        double own = mgi_member_number(e->params, "timestamp", 0);
        if (!p->offset_known && wall > 0 && own > 0) {
            p->offset_ms = (wall - own) * 1000;
            p->offset_known = true;
        }
        const struct json *frame = mgi_json_get(e->params, "frame");
        if (str_is(e->method, "Page.frameNavigated") && !mgi_json_get(frame, "parentId"))
            p->main_frame = mgi_member_string(frame, "id");
        if (str_is(e->method, "Machina.navigated") && p->main_frame.len == 0)
            p->main_frame = mgi_member_string(e->params, "frameId");
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void release_ids(void *ids)
{
    mgi_strmap_fini(ids);
}

static bool has_method(const struct event *e, const char *domain)
{
    return mgi_str_starts(e->method, str_of(domain));
}

static bool take_event(struct page *p, const struct event *e)
{
    struct page_more *more = &p->capture->more;
    int64_t at_ns = mgi_page_ns(e->t_ms);
    more->first_ns = more->first_ns == 0 || at_ns < more->first_ns ? at_ns : more->first_ns;
    more->last_ns = at_ns > more->last_ns ? at_ns : more->last_ns;
    if (has_method(e, "Network."))
        return mgi_page_network(p, e);
    if (has_method(e, "Runtime.") || has_method(e, "Log."))
        return mgi_page_console(p, e);
    return mgi_page_other(p, e);
}

bool mgi_page_read(struct job *job, struct problems *problems, struct str text)
{
    struct page p = { .job = job, .capture = &job->capture, .problems = problems };
    size_t before = problems->count;
    struct strmap *ids = mgi_arena_calloc(job->arena, 1, sizeof *ids);
    if (!ids)
        return false;
    mgi_strmap_init(ids);
    if (!mgi_arena_defer(job->arena, release_ids, ids))
        return false;
    p.ids = ids;
    if (!read_events(&p, text))
        return false;
    look_ahead(&p);
    bool ok = true;
    for (size_t i = 0; ok && i < p.event_count; i++)
        ok = mgi_page_announced(&p, &p.events[i]);
    for (size_t i = 0; ok && i < p.event_count; i++)
        ok = take_event(&p, &p.events[i]);
    ok = ok && mgi_page_entries(&p) && mgi_page_messages(&p);
    return ok && !job->arena->oom && problems->count == before;
}

bool mgi_page_of_trace(struct job *job, struct trace *trace)
{
    struct problems problems = { .text = job->error };
    struct buf text;
    mgi_buf_init(&text);
    bool ok = mgi_trace_write(trace, &text);
    struct str kept = ok ? mgi_arena_str(job->arena, mgi_buf_view(&text)) : (struct str){ 0 };
    mgi_buf_fini(&text);
    if (!kept.ptr)
        return mgi_job_no_memory(job);
    return mgi_page_read(job, &problems, kept);
}
