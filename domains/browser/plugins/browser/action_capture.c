/* The capture as a whole: what it holds, and the observation that starts a conversation.
 *
 * observe_page emits the page's facts as a state delta. A capture may hold thousands of messages
 * and requests, and a client pays for every fact: what matters most comes first, the rest is left
 * out and counted in one fact, capture_rollup. */
#include "browser.h"

#include <stdio.h>

#define FACTS_DEFAULT   90
#define FACTS_MOST      500
#define SHORT_URL_BYTES 100
#define TEXT_BYTES      500 /* of a message or an address in a fact */

/* ---- what there is
 * ------------------------------------------------------------------------------------ */

static void put_optional_files(struct job *job)
{
    static const char *const names[] = { "dom.json", "storage.json", "performance.json",
                                         "screenshot.png" };
    mgi_jw_key(&job->out, "optional_files");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct buf reason;
        mgi_buf_init(&reason);
        struct problems problems = { .text = &reason };
        struct arena_mark mark = mgi_arena_mark(job->arena);
        struct str text;
        bool missing;
        if (mgi_capture_file(job, &problems, names[i], &text, &missing))
            mgi_jw_cstring(&job->out, names[i]);
        mgi_arena_rewind(job->arena, mark);
        job->arena->oom |= reason.oom;
        mgi_buf_fini(&reason);
    }
    mgi_jw_end_array(&job->out);
}

static bool capture_open(struct job *job)
{
    const struct capture *c = &job->capture;
    mgi_put_text(job, "session_id", c->session);
    mgi_put_text(job, "url", c->url);
    mgi_put_text(job, "recorded_by", c->creator);
    mgi_put_text(job, "browser", c->browser);
    mgi_jw_member_int(&job->out, "requests", (int64_t)c->request_count);
    mgi_jw_member_int(&job->out, "messages", (int64_t)c->message_count);
    put_optional_files(job);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%zu requests and %zu console messages",
                                        c->request_count, c->message_count));
    return true;
}

static size_t count_level(const struct capture *c, enum level level)
{
    size_t count = 0;
    for (size_t i = 0; i < c->message_count; i++)
        count += c->messages[i].level == level;
    return count;
}

static bool has_failed(const struct request *r)
{
    return !r->cancelled && (r->fault == FAULT_STATUS || r->fault == FAULT_LOST);
}

static size_t count_failed(const struct capture *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->request_count; i++)
        count += has_failed(&c->requests[i]);
    return count;
}

static void put_counts(struct job *job)
{
    const struct capture *c = &job->capture;
    mgi_jw_member_int(&job->out, "console_errors", (int64_t)c->error_count);
    mgi_jw_member_int(&job->out, "console_warnings", (int64_t)count_level(c, LEVEL_WARNING));
    mgi_jw_member_int(&job->out, "requests", (int64_t)c->request_count);
    mgi_jw_member_int(&job->out, "failed_requests", (int64_t)count_failed(c));
}

/* The time between the first and the last thing recorded. */
static void put_span(struct job *job)
{
    const struct capture *c = &job->capture;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < c->request_count; i++) {
        first = c->requests[i].start_ns < first ? c->requests[i].start_ns : first;
        last = c->requests[i].end_ns > last ? c->requests[i].end_ns : last;
    }
    for (size_t i = 0; i < c->message_count; i++) {
        first = c->messages[i].at_ns < first ? c->messages[i].at_ns : first;
        last = c->messages[i].at_ns > last ? c->messages[i].at_ns : last;
    }
    if (first > last)
        return;
    mgi_put_time(job, "first_event", first);
    mgi_put_time(job, "last_event", last);
}

static bool summarize_capture(struct job *job)
{
    mgi_put_text(job, "session_id", job->capture.session);
    mgi_put_text(job, "url", job->capture.url);
    mgi_put_text(job, "title", job->capture.title);
    put_counts(job);
    put_span(job);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%zu console errors, %zu failed requests",
                                        job->capture.error_count, count_failed(&job->capture)));
    return true;
}

/* ---- facts
 * ---------------------------------------------------------------------------------------------- */

/* Writes facts until there is no room; counts what is left out. */
struct facts {
    struct job *job;
    struct json_writer w;
    int64_t room, written, left_out;
};

static bool fact_begin(struct facts *f, const char *pred)
{
    if (f->written >= f->room) {
        f->left_out++;
        return false;
    }
    f->written++;
    mgi_delta_begin(&f->w, pred);
    return true;
}

static void fact_end(struct facts *f, bool temporal, int64_t at_ns)
{
    mgi_delta_end(&f->w, temporal ? mgi_time_text(f->job, at_ns) : NULL);
}

static void fact_text(struct facts *f, struct str text)
{
    mgi_jw_string(&f->w, mgi_utf8_prefix(text, TEXT_BYTES));
}

static void fact_request_id(struct facts *f, const struct request *r)
{
    mgi_jw_cstring(&f->w, mgi_arena_printf(f->job->arena, "r%zu", r->number));
}

static const char *error_id(struct facts *f, const struct message *m)
{
    return mgi_arena_printf(f->job->arena, "console-error-%zu", m->error_number);
}

static void fact_console(struct facts *f, const struct message *m)
{
    if (!fact_begin(f, "console_event"))
        return;
    fact_text(f, f->job->capture.session);
    mgi_jw_cstring(&f->w, mgi_level_name(m->level));
    fact_text(f, m->text);
    mgi_jw_int(&f->w, m->at_ns / NS_PER_MS);
    fact_end(f, true, m->at_ns);
}

/* What belongs to an error beside the event: its id, that nobody looked at it yet, and the
 * component if one threw it. */
static void facts_of_error(struct facts *f, const struct message *m)
{
    bool script;
    struct str component = mgi_error_component(m, &script);
    fact_console(f, m);
    if (fact_begin(f, "console_error")) {
        fact_text(f, f->job->capture.session);
        mgi_jw_cstring(&f->w, error_id(f, m));
        fact_text(f, m->text);
        mgi_jw_int(&f->w, m->at_ns / NS_PER_MS);
        fact_end(f, true, m->at_ns);
    }
    if (fact_begin(f, "undiagnosed_error")) {
        mgi_jw_cstring(&f->w, error_id(f, m));
        fact_end(f, false, 0);
    }
    if (component.len > 0 && !script && fact_begin(f, "dom_error")) {
        fact_text(f, f->job->capture.session);
        fact_text(f, component);
        fact_text(f, m->text);
        fact_end(f, true, m->at_ns);
    }
}

static void facts_of_request(struct facts *f, const struct request *r)
{
    if (fact_begin(f, "net_request")) {
        fact_text(f, f->job->capture.session);
        fact_request_id(f, r);
        fact_text(f, r->method);
        fact_text(f, r->url);
        mgi_jw_int(&f->w, r->start_ns / NS_PER_MS);
        fact_end(f, true, r->start_ns);
    }
    if (r->open && r->status == 0)
        return; /* it is not answered yet */
    if (fact_begin(f, "net_response")) {
        fact_text(f, f->job->capture.session);
        fact_request_id(f, r);
        mgi_jw_int(&f->w, r->status);
        mgi_jw_int(&f->w, r->answer_ns / NS_PER_MS);
        fact_end(f, true, r->answer_ns);
    }
}

static void fact_of_page(struct facts *f)
{
    if (f->job->capture.url.len > 0 && fact_begin(f, "current_url")) {
        fact_text(f, f->job->capture.url);
        fact_end(f, false, 0);
    }
}

/* The rest in one fact, whatever room there is: a client must know that this is not all. */
static void fact_of_rest(struct facts *f)
{
    if (f->left_out == 0)
        return;
    f->room = f->written + 1;
    int64_t left_out = f->left_out;
    if (fact_begin(f, "capture_rollup")) {
        fact_text(f, f->job->capture.session);
        mgi_jw_int(&f->w, left_out);
        fact_end(f, false, 0);
    }
}

/* Facts of errors, and of requests that went wrong, from *next on, while there is room for a whole
 * one below `until`. */
#define FACTS_OF_AN_ERROR  4
#define FACTS_OF_A_REQUEST 2

static void facts_of_errors(struct facts *f, size_t *next, int64_t until)
{
    const struct capture *c = &f->job->capture;
    for (; *next < c->message_count && f->written + FACTS_OF_AN_ERROR <= until; (*next)++)
        if (c->messages[*next].level == LEVEL_ERROR)
            facts_of_error(f, &c->messages[*next]);
}

static void facts_of_faults(struct facts *f, size_t *next, int64_t until)
{
    const struct capture *c = &f->job->capture;
    for (; *next < c->request_count && f->written + FACTS_OF_A_REQUEST <= until; (*next)++)
        if (c->requests[*next].fault != FAULT_NONE)
            facts_of_request(f, &c->requests[*next]);
}

/* Errors and failed requests share the room, half and a quarter, before either takes the rest: a
 * thousand errors do not hide the request that they come from. */
static void facts_of_what_went_wrong(struct facts *f, bool console, bool network)
{
    const struct capture *c = &f->job->capture;
    size_t error = console ? 0 : c->message_count, fault = network ? 0 : c->request_count;
    facts_of_errors(f, &error, f->room / 2);
    facts_of_faults(f, &fault, f->written + f->room / 4);
    for (; error < c->message_count; error++)
        if (c->messages[error].level == LEVEL_ERROR)
            facts_of_error(f, &c->messages[error]);
    for (; fault < c->request_count; fault++)
        if (c->requests[fault].fault != FAULT_NONE)
            facts_of_request(f, &c->requests[fault]);
}

static void facts_by_importance(struct facts *f, bool console, bool network)
{
    const struct capture *c = &f->job->capture;
    fact_of_page(f);
    facts_of_what_went_wrong(f, console, network);
    for (size_t i = 0; console && i < c->message_count; i++)
        if (c->messages[i].level == LEVEL_WARNING)
            fact_console(f, &c->messages[i]);
    for (size_t i = 0; network && i < c->request_count; i++)
        if (c->requests[i].fault == FAULT_NONE && c->requests[i].resource == RES_DATA)
            facts_of_request(f, &c->requests[i]);
    for (size_t i = 0; network && i < c->request_count; i++)
        if (c->requests[i].fault == FAULT_NONE && c->requests[i].resource != RES_DATA)
            facts_of_request(f, &c->requests[i]);
    for (size_t i = 0; console && i < c->message_count; i++)
        if (c->messages[i].level > LEVEL_WARNING)
            fact_console(f, &c->messages[i]);
}

static void write_observation(struct job *job, int64_t room, bool console, bool network,
                              struct facts *f)
{
    struct str session = job->capture.session, any = { 0 };
    *f = (struct facts){ .job = job, .room = room };
    mgi_json_writer_init(&f->w, &job->delta, 0);
    mgi_jw_begin_object(&f->w);
    mgi_jw_key(&f->w, "retract");
    mgi_jw_begin_array(&f->w);
    mgi_delta_retract(&f->w, "current_url", any, 1);
    mgi_delta_retract(&f->w, "capture_rollup", session, 2);
    if (console) {
        mgi_delta_retract(&f->w, "console_event", session, 4);
        mgi_delta_retract(&f->w, "console_error", session, 4);
        mgi_delta_retract(&f->w, "dom_error", session, 3);
        mgi_delta_retract(&f->w, "undiagnosed_error", any, 1);
    }
    if (network) {
        mgi_delta_retract(&f->w, "net_request", session, 5);
        mgi_delta_retract(&f->w, "net_response", session, 4);
    }
    mgi_jw_end_array(&f->w);
    mgi_jw_key(&f->w, "assert");
    mgi_jw_begin_array(&f->w);
    facts_by_importance(f, console, network);
    fact_of_rest(f);
    mgi_jw_end_array(&f->w);
    mgi_jw_end_object(&f->w);
}

/* ---- observe_page
 * ------------------------------------------------------------------------------------------ */

static void put_seen_errors(struct job *job, int64_t limit)
{
    const struct capture *c = &job->capture;
    int64_t shown = 0;
    mgi_jw_key(&job->out, "errors");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < c->message_count; i++)
        if (c->messages[i].level == LEVEL_ERROR && shown++ < limit)
            mgi_put_message(job, &c->messages[i]);
    mgi_jw_end_array(&job->out);
}

static void put_failed(struct job *job, int64_t limit)
{
    const struct capture *c = &job->capture;
    int64_t shown = 0;
    mgi_jw_key(&job->out, "failed");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < c->request_count; i++)
        if (has_failed(&c->requests[i]) && shown++ < limit)
            mgi_put_request(job, &c->requests[i]);
    mgi_jw_end_array(&job->out);
}

/* "loaded", "failed" (the document itself did not come) or "empty" (nothing was recorded). */
static const char *page_state(struct job *job)
{
    const struct capture *c = &job->capture;
    if (c->more.state.len > 0)
        return mgi_arena_str(job->arena, c->more.state).ptr;
    for (size_t i = 0; i < c->request_count; i++)
        if (str_eq(c->requests[i].url, c->url))
            return has_failed(&c->requests[i]) ? "failed" : "loaded";
    return "empty";
}

/* A long address is for machines: where one is shown, this stands for it. */
static void put_short_url(struct job *job)
{
    struct str url = job->capture.url, begin = mgi_utf8_prefix(url, SHORT_URL_BYTES - 3);
    if (url.len <= SHORT_URL_BYTES)
        return;
    const char *text = mgi_arena_printf(job->arena, "%.*s...", STR_ARG(begin));
    mgi_jw_member_cstr(&job->out, "short_url", text ? text : "");
}

static bool observe_page(struct job *job)
{
    struct str focus = STR_LIT("all");
    int64_t room = FACTS_DEFAULT, limit;
    struct facts facts;
    if (!mgi_job_string(job, "focus", &focus) || !mgi_job_limit(job, &limit) ||
        !mgi_job_integer(job, "max_facts", 1, FACTS_MOST, &room))
        return false;
    bool all = str_is(focus, "all");
    bool console = all || str_is(focus, "console"), network = all || str_is(focus, "network");
    if (!console && !network)
        return mgi_job_fail(job, "focus is \"%.*s\", it may be all, console or network",
                            STR_ARG(mgi_utf8_prefix(focus, 40)));
    write_observation(job, room, console, network, &facts);
    mgi_jw_member_cstr(&job->out, "page_state", page_state(job));
    mgi_put_text(job, "url", job->capture.url);
    put_short_url(job);
    mgi_put_text(job, "title", job->capture.title);
    mgi_put_text(job, "session_id", job->capture.session);
    put_counts(job);
    put_span(job);
    if (console)
        put_seen_errors(job, limit);
    if (network)
        put_failed(job, limit);
    mgi_jw_member_int(&job->out, "facts", facts.written);
    mgi_jw_member_int(&job->out, "facts_left_out", facts.left_out);
    mgi_jw_member_cstr(
        &job->out, "summary",
        mgi_arena_printf(job->arena, "%zu console errors and %zu failed requests on %.*s",
                         job->capture.error_count, count_failed(&job->capture),
                         STR_ARG(mgi_utf8_prefix(job->capture.url, SHORT_URL_BYTES))));
    return true;
}

static const struct browser_action capture_actions[] = {
    { "AID.BROWSER.CAPTURE_OPEN.v1", "open_capture", "What a capture holds, and who recorded it.",
      "browser.capture", "none", "", capture_open },
    { "AID.BROWSER.CAPTURE_SUMMARY.v1", "summarize_capture",
      "The page, how many errors and failed requests there are, and from when to when.",
      "browser.capture", "none", "", summarize_capture },
    { "AID.BROWSER.PAGE_OBSERVE.v1", "observe_page",
      "The state of the page, and its console and network as facts.", "browser.capture", "none",
      "\"focus\":{\"type\":\"string\",\"enum\":[\"all\",\"console\",\"network\"],\"default\":"
      "\"all\"},"
      "\"max_facts\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":500,\"default\":90},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200,\"default\":25}",
      observe_page },
};
const struct browser_actions mgi_capture_actions = {
    capture_actions, sizeof capture_actions / sizeof capture_actions[0]
};
