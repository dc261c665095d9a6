/* From an error to what caused it: the four actions of diagnose_causal_chain.
 *
 * The chain is told in three steps: the request that failed, what the code got instead of data, the
 * error itself. Where nothing connects, the answer says so: an empty chain, no root cause, and the
 * reason. cause.c decides; this file tells. */
#include "browser.h"

#include <math.h>
#include <stdio.h>

#define CANDIDATES_SHOWN 5

static double rounded(double chance)
{
    double cut = round(chance * 100) / 100;
    return cut > 0.99 ? 0.99 : cut; /* a capture proves nothing beyond doubt */
}

/* ---- words for what happened
 * ---------------------------------------------------------------------- */

static const char *request_name(struct job *job, const struct request *r)
{
    return mgi_arena_printf(job->arena, "%.*s %.*s", STR_ARG(r->method),
                            STR_ARG(mgi_utf8_prefix(mgi_url_shown(&job->capture, r->url), 200)));
}

static const char *request_event(struct job *job, const struct request *r)
{
    const char *name = request_name(job, r);
    switch (r->fault) {
    case FAULT_LOST:
        return r->error.len > 0 ? mgi_arena_printf(job->arena, "%s got no answer (%.*s)", name,
                                                   STR_ARG(mgi_utf8_prefix(r->error, 100)))
                                : mgi_arena_printf(job->arena, "%s got no answer", name);
    case FAULT_EMPTY:
        return mgi_arena_printf(job->arena, "%s returned %lld without data", name,
                                (long long)r->status);
    case FAULT_NOT_JSON:
        return mgi_arena_printf(job->arena, "%s returned %lld with a page instead of data", name,
                                (long long)r->status);
    case FAULT_ERROR_BODY:
        return mgi_arena_printf(job->arena, "%s returned %lld with an error in its body", name,
                                (long long)r->status);
    default:
        return mgi_arena_printf(job->arena, "%s returned %lld", name, (long long)r->status);
    }
}

/* Who threw, for a sentence: "UserList component", "code in user-list.js", "the page". */
static const char *actor(struct job *job, const struct message *error)
{
    bool script;
    struct str name = mgi_error_component(error, &script);
    if (name.len == 0)
        return "the page";
    return script ? mgi_arena_printf(job->arena, "code in %.*s", STR_ARG(name))
                  : mgi_arena_printf(job->arena, "%.*s component", STR_ARG(name));
}

static const char *got_instead(const struct message *error, const struct request *r)
{
    switch (mgi_symptom(error)) {
    case SYMPTOM_NULL:
        return mgi_contains(error->text, "undefined") && !mgi_contains(error->text, "null")
                   ? "received undefined data"
                   : "received null data";
    case SYMPTOM_SHAPE:
        return "received data of another shape";
    case SYMPTOM_PARSE:
        return "received an answer that is no JSON";
    case SYMPTOM_FETCH:
        return "received no answer";
    case SYMPTOM_NOT_DEFINED:
        return r->resource == RES_SCRIPT ? "missed what the script defines" : NULL;
    case SYMPTOM_SAYS_FAILED:
        return "went on without the data";
    case SYMPTOM_REPORT:
    case SYMPTOM_OTHER:
        break;
    }
    return NULL;
}

/* Without what every uncaught error begins with, and without a stack. */
static struct str error_event(const struct message *error)
{
    struct str text = error->text;
    static const char *const starts[] = { "Uncaught ", "(in promise) ",
                                          "Unhandled Promise Rejection: " };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (mgi_str_starts(text, str_of(starts[i])))
            text = (struct str){ text.ptr + strlen(starts[i]), text.len - strlen(starts[i]) };
    size_t line = mgi_str_find(text, STR_LIT("\n"));
    return line == SIZE_MAX ? text : (struct str){ text.ptr, line };
}

static const char *why_failed(struct job *job, const struct request *r)
{
    struct str path = mgi_utf8_prefix(mgi_url_shown(&job->capture, r->url), 200);
    switch (r->fault) {
    case FAULT_LOST:
        return "it was blocked, aborted, or the server could not be reached";
    case FAULT_EMPTY:
        return "the server had nothing to say where the page expects data";
    case FAULT_NOT_JSON:
        return "a page of HTML came where the page expects data, as from a login or a fallback "
               "route";
    case FAULT_ERROR_BODY:
        return "the answer says success, but its body reports an error";
    default:
        break;
    }
    if (r->status == 404 || r->status == 410)
        return mgi_arena_printf(job->arena, "nothing is served at %.*s", STR_ARG(path));
    if (r->status == 401 || r->status == 403)
        return "the server does not let this user have it";
    if (r->status == 429)
        return "the server refuses so many requests";
    if (r->status == 408 || r->status == 504)
        return "the server took too long";
    return r->status >= 500 ? "the server failed" : "the server refused the request";
}

static const char *root_cause(struct job *job, const struct message *error, const struct request *r)
{
    const char *instead = got_instead(error, r);
    const char *event = request_event(job, r);
    const char *why = why_failed(job, r);
    struct str words = mgi_utf8_prefix(r->status_text, 60);
    const char *said = r->fault == FAULT_STATUS && words.len > 0
                           ? mgi_arena_printf(job->arena, " (%.*s)", STR_ARG(words))
                           : "";
    if (!instead)
        return mgi_arena_printf(job->arena, "%s%s: %s", event, said, why);
    return mgi_arena_printf(job->arena, "%s%s: %s, so %s %s", event, said, why, actor(job, error),
                            instead);
}

static bool wants_fallback(const struct message *error)
{
    enum symptom s = mgi_symptom(error);
    return s == SYMPTOM_NULL || s == SYMPTOM_SHAPE || s == SYMPTOM_PARSE;
}

static const char *suggested_fix(struct job *job, const struct message *error,
                                 const struct request *r)
{
    struct str path = mgi_utf8_prefix(mgi_url_shown(&job->capture, r->url), 200);
    const char *first = mgi_arena_printf(job->arena, "Find out why %.*s fails", STR_ARG(path));
    if (r->resource == RES_SCRIPT || r->resource == RES_ASSET)
        first = mgi_arena_printf(job->arena, "Serve %.*s, or take the reference to it out",
                                 STR_ARG(path));
    else if (r->status == 404 || r->status == 410)
        first = mgi_arena_printf(job->arena, "Serve %.*s, or correct the address asked for",
                                 STR_ARG(path));
    else if (r->status == 401 || r->status == 403)
        first = "Sign in first, or show that access is missing";
    else if (r->fault == FAULT_LOST)
        first = mgi_arena_printf(job->arena, "Find out what keeps %.*s from being reached",
                                 STR_ARG(path));
    if (!wants_fallback(error))
        return mgi_arena_printf(job->arena, "%s.", first);
    struct str file = error->frame_count > 0 ? error->frames[0].url : error->url;
    int64_t line = error->frame_count > 0 ? error->frames[0].line : error->line;
    return file.len == 0
               ? mgi_arena_printf(job->arena, "%s; and let the page cope with missing data.", first)
               : mgi_arena_printf(job->arena, "%s; and let %.*s:%lld cope with missing data.",
                                  first,
                                  STR_ARG(mgi_utf8_prefix(mgi_url_shown(&job->capture, file), 200)),
                                  (long long)line);
}

/* ---- writing
 * --------------------------------------------------------------------------------------- */

static void put_evidence(struct job *job, const struct link *link)
{
    struct json_writer *w = &job->out;
    mgi_jw_key(w, "evidence");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < link->evidence_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "kind", link->evidence[i].kind);
        mgi_put_text(job, "detail", str_of(link->evidence[i].detail));
        mgi_jw_key(w, "weight");
        mgi_jw_float(w, rounded(link->evidence[i].weight));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void put_candidate(struct job *job, const struct link *link)
{
    struct json_writer *w = &job->out;
    const struct request *r = link->request;
    mgi_jw_begin_object(w);
    mgi_put_request_id(job, "request_id", r);
    mgi_put_text(job, "request", str_of(request_event(job, r)));
    mgi_put_time(job, "answered", r->answer_ns);
    mgi_jw_key(w, "confidence");
    mgi_jw_float(w, rounded(link->confidence));
    mgi_jw_member_bool(w, "specific", link->specific);
    put_evidence(job, link);
    mgi_jw_end_object(w);
}

static void put_step(struct job *job, int64_t *step, struct str event, int64_t at_ns)
{
    struct json_writer *w = &job->out;
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "step", ++*step);
    mgi_put_text(job, "event", event);
    mgi_put_time(job, "timestamp", at_ns);
    mgi_jw_end_object(w);
}

static void put_chain(struct job *job, const struct message *error, const struct link *link)
{
    const struct request *r = link->request;
    const char *instead = got_instead(error, r);
    int64_t step = 0;
    /* Two clocks: a cause is never told to have come after its effect. */
    int64_t answered = r->answer_ns < error->at_ns ? r->answer_ns : error->at_ns;
    mgi_jw_key(&job->out, "causal_chain");
    mgi_jw_begin_array(&job->out);
    put_step(job, &step, str_of(request_event(job, r)), answered);
    if (instead) {
        const char *text = mgi_arena_printf(job->arena, "%s %s", actor(job, error), instead);
        put_step(job, &step, str_of(text), error->at_ns);
    }
    put_step(job, &step, error_event(error), error->at_ns);
    mgi_jw_end_array(&job->out);
}

static void put_nothing_connects(struct job *job, const struct message *error, size_t candidates)
{
    struct json_writer *w = &job->out;
    const char *note =
        !error ? "there is no error in this capture"
        : candidates == 0
            ? "no failed or empty answer came in the half minute before this error"
            : mgi_arena_printf(job->arena,
                               "%zu failed or empty answers came before this error, but nothing "
                               "connects one of them with it",
                               candidates);
    mgi_jw_key(w, "causal_chain");
    mgi_jw_begin_array(w);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "root_cause");
    mgi_jw_null(w);
    mgi_jw_key(w, "confidence");
    mgi_jw_float(w, 0);
    mgi_jw_member_cstr(w, "note", note);
}

/* ---- the delta
 * -------------------------------------------------------------------------------------- */

/* `source`: read off the capture ("scan"), or worked out from that ("derived"). NULL for what is
 * retracted. */
static void put_fact(struct json_writer *w, const char *pred, const char *const *args, size_t count,
                     const char *category, const char *source)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "pred", pred);
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++)
        mgi_jw_cstring(w, args[i]);
    mgi_jw_end_array(w);
    if (category) {
        mgi_jw_member_cstr(w, "category", category);
        mgi_jw_key(w, "source");
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "source_type", source);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

static const char *text_of(struct job *job, struct str s)
{
    return mgi_arena_printf(job->arena, "%.*s", STR_ARG(mgi_utf8_prefix(s, 300)));
}

/* What could be changed about a cause: where, and of which kind. */
struct fix {
    const char *target, *kind;
};
#define FIXES_MOST 2

static size_t find_fixes(struct job *job, const struct message *error, const struct link *link,
                         struct fix fixes[FIXES_MOST])
{
    size_t count = 0;
    if (!link)
        return 0;
    fixes[count++] = (struct fix){ text_of(job, mgi_url_shown(&job->capture, link->request->url)),
                                   mgi_cause_name(link->request) };
    struct str file = error->frame_count > 0 ? error->frames[0].url : error->url;
    if (wants_fallback(error) && file.len > 0)
        fixes[count++] =
            (struct fix){ text_of(job, mgi_url_shown(&job->capture, file)), "guard_missing_data" };
    return count;
}

static void put_fixes(struct job *job, const struct fix *fixes, size_t count)
{
    mgi_jw_key(&job->out, "fix_candidates");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(&job->out);
        mgi_jw_member_cstr(&job->out, "target", fixes[i].target);
        mgi_jw_member_cstr(&job->out, "kind", fixes[i].kind);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
}

/* This error is diagnosed now, whatever came out; what could be done about it are candidates. */
static void write_diagnosis(struct job *job, const struct message *error, const struct link *link,
                            const struct fix *fixes, size_t count)
{
    struct json_writer w;
    const char *id = mgi_arena_printf(job->arena, "console-error-%zu", error->error_number);
    const char *cause = link ? mgi_cause_name(link->request) : "unconnected";
    mgi_json_writer_init(&w, &job->delta, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "retract");
    mgi_jw_begin_array(&w);
    put_fact(&w, "undiagnosed_error", &id, 1, NULL, NULL);
    mgi_jw_end_array(&w);
    mgi_jw_key(&w, "assert");
    mgi_jw_begin_array(&w);
    put_fact(&w, "diagnosed_error", (const char *[]){ id, cause }, 2, "server", "scan");
    for (size_t i = 0; i < count; i++)
        put_fact(&w, "fix_candidate", (const char *[]){ id, fixes[i].target, fixes[i].kind }, 3,
                 "derived", "derived");
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
}

/* ---- actions
 * ----------------------------------------------------------------------------------------- */

/* Which link is the cause, if one is. */
static const struct link *best_link(struct job *job, const struct message *error,
                                    const struct link *links, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mgi_link_holds(job, error, &links[i]))
            return &links[i];
    return NULL;
}

/* Nobody said which: the first error that code threw and that has a cause, among as many as one may
 * look at without being asked. */
#define ERRORS_TRIED 20

static const struct message *telling_error(struct job *job)
{
    const struct capture *c = &job->capture;
    size_t tried = 0;
    for (size_t i = 0; i < c->message_count && tried < ERRORS_TRIED; i++) {
        const struct message *m = &c->messages[i];
        if (m->error_number == 0 || mgi_symptom(m) == SYMPTOM_REPORT)
            continue;
        struct arena_mark mark = mgi_arena_mark(job->arena);
        struct link *links;
        size_t count;
        tried++;
        bool has_cause =
            mgi_links_find(job, m, true, &links, &count) && best_link(job, m, links, count) != NULL;
        mgi_arena_rewind(job->arena, mark);
        if (has_cause)
            return m;
    }
    return NULL;
}

/* The error that is asked about. False: the job failed. *error NULL: none was named, and there is
 * none in the capture, which is an answer too. */
static bool asked_error(struct job *job, const struct message **error)
{
    struct str id = { 0 };
    *error = NULL;
    if (!mgi_job_string(job, "error_id", &id))
        return false;
    if (id.len == 0 && job->capture.error_count == 0)
        return true;
    if (id.len == 0)
        *error = telling_error(job);
    if (!*error)
        *error = mgi_job_error(job);
    return *error != NULL;
}

static bool asked_links(struct job *job, const struct message *error, struct link **links,
                        size_t *count)
{
    bool with_har = true;
    *links = NULL;
    *count = 0;
    if (!mgi_job_boolean(job, "include_network", &with_har))
        return false;
    return !error || mgi_links_find(job, error, with_har, links, count);
}

static void put_asked_error(struct job *job, const struct message *error)
{
    mgi_jw_key(&job->out, "error");
    if (error)
        mgi_put_message(job, error);
    else
        mgi_jw_null(&job->out);
}

static bool correlate_network(struct job *job)
{
    const struct message *error;
    struct link *links;
    size_t count;
    if (!asked_error(job, &error) || !asked_links(job, error, &links, &count))
        return false;
    put_asked_error(job, error);
    mgi_jw_member_int(&job->out, "candidates_total", (int64_t)count);
    mgi_jw_key(&job->out, "candidates");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count && i < CANDIDATES_SHOWN; i++)
        put_candidate(job, &links[i]);
    mgi_jw_end_array(&job->out);
    const char *said = count == 0 ? "no failed request came before the error"
                                  : mgi_arena_printf(job->arena,
                                                     "%zu failed requests came before "
                                                     "the error",
                                                     count);
    mgi_jw_member_cstr(&job->out, "summary", said);
    return true;
}

static bool derive_root_cause(struct job *job)
{
    const struct message *error;
    struct link *links;
    size_t count;
    if (!asked_error(job, &error) || !asked_links(job, error, &links, &count))
        return false;
    const struct link *link = error ? best_link(job, error, links, count) : NULL;
    if (link) {
        put_chain(job, error, link);
        mgi_put_text(job, "root_cause", str_of(root_cause(job, error, link->request)));
        mgi_jw_key(&job->out, "confidence");
        mgi_jw_float(&job->out, rounded(link->confidence));
        mgi_jw_member_cstr(&job->out, "cause", mgi_cause_name(link->request));
        put_evidence(job, link);
        mgi_put_text(job, "suggested_fix", str_of(suggested_fix(job, error, link->request)));
    } else {
        put_nothing_connects(job, error, count);
    }
    struct fix fixes[FIXES_MOST];
    size_t fix_count = find_fixes(job, error, link, fixes);
    put_fixes(job, fixes, fix_count);
    put_asked_error(job, error);
    mgi_jw_member_cstr(&job->out, "summary",
                       link ? request_event(job, link->request) : "nothing connects");
    if (error)
        write_diagnosis(job, error, link, fixes, fix_count);
    return true;
}

/* ---- what it did to the page
 * -------------------------------------------------------------------------- */

/* <user-list> and UserList are one. */
static bool same_name(struct str tag, struct str component)
{
    size_t j = 0;
    for (size_t i = 0; i < tag.len; i++) {
        if (tag.ptr[i] == '-')
            continue;
        if (j >= component.len || (tag.ptr[i] | 0x20) != (component.ptr[j] | 0x20))
            return false;
        j++;
    }
    return j == component.len && j > 0;
}

static const struct json *find_component(const struct json *dom, struct str name)
{
    const struct json *all = mgi_json_get(dom, "components");
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++)
        if (str_eq(mgi_member_string(&all->items[i], "name"), name) ||
            same_name(mgi_member_string(&all->items[i], "tag"), name))
            return &all->items[i];
    return NULL;
}

static bool is_zero(const struct json *v)
{
    return v && v->type == JSON_INT && v->integer == 0;
}

static bool read_dom(struct job *job, struct json *dom, bool *missing)
{
    struct problems problems = { .text = job->error };
    struct str text;
    if (!mgi_capture_file(job, &problems, "dom.json", &text, missing))
        return *missing;
    struct json_error fault;
    if (mgi_json_parse(job->arena, text, NULL, dom, &fault))
        return mgi_job_fail(job, "dom.json:%u:%u: %s", fault.line, fault.column, fault.message);
    return true;
}

static bool trace_dom_impact(struct job *job)
{
    const struct message *error;
    struct json dom = { .type = JSON_NULL };
    bool missing = false, script = true;
    struct json_writer *w = &job->out;
    if (!asked_error(job, &error) || !read_dom(job, &dom, &missing))
        return false;
    struct str name = error ? mgi_error_component(error, &script) : (struct str){ 0 };
    const struct json *component = script ? NULL : find_component(&dom, name);
    bool empty = component && is_zero(mgi_json_get(component, "children")) &&
                 is_zero(mgi_json_get(component, "text_length"));

    put_asked_error(job, error);
    mgi_jw_key(w, "component");
    if (name.len > 0 && !script)
        mgi_jw_string(w, name);
    else
        mgi_jw_null(w);
    mgi_put_frames(job, "stack", error ? error->frames : NULL, error ? error->frame_count : 0);
    mgi_jw_key(w, "element");
    if (component)
        mgi_jw_value(w, component);
    else
        mgi_jw_null(w);
    struct str tag = mgi_member_string(component, "tag");
    mgi_jw_member_cstr(w, "summary",
                       missing ? "the capture has no picture of the page (dom.json)"
                       : empty ? mgi_arena_printf(job->arena, "<%.*s> is empty", STR_ARG(tag))
                       : component
                           ? mgi_arena_printf(job->arena, "<%.*s> shows something", STR_ARG(tag))
                           : "no element of the page could be tied to the error");
    return true;
}

static bool propose_fix(struct job *job)
{
    const struct message *error;
    struct link *links;
    size_t count;
    if (!asked_error(job, &error) || !asked_links(job, error, &links, &count))
        return false;
    const struct link *link = error ? best_link(job, error, links, count) : NULL;
    put_asked_error(job, error);
    mgi_jw_key(&job->out, "proposal");
    if (link)
        mgi_jw_cstring(&job->out, suggested_fix(job, error, link->request));
    else
        mgi_jw_null(&job->out);
    mgi_put_frames(job, "where", error ? error->frames : NULL, error ? error->frame_count : 0);
    mgi_put_text(job, "because",
                 link ? str_of(root_cause(job, error, link->request))
                      : STR_LIT("nothing in the capture connects this error with a request"));
    mgi_jw_member_cstr(&job->out, "summary", link ? "a fix is proposed" : "no cause is known");
    return true;
}

#define INCLUDE_NETWORK                                                                            \
    "\"include_network\":{\"type\":\"boolean\",\"default\":true,\"description\":\"false: only "    \
    "what "                                                                                        \
    "the console tells of failed requests\"}"

static const struct browser_action diagnose_actions[] = {
    { "AID.BROWSER.CORRELATE_NETWORK.v1", "correlate_network",
      "Failed requests that came before an error, and what connects each with it.",
      "browser.diagnose", "none", INPUT_ERROR_ID "," INCLUDE_NETWORK, correlate_network },
    { "AID.BROWSER.TRACE_DOM_IMPACT.v1", "trace_dom_impact",
      "Which component threw, and what is left of it on the page.", "browser.diagnose", "none",
      INPUT_ERROR_ID, trace_dom_impact },
    { "AID.BROWSER.DERIVE_ROOT_CAUSE.v1", "derive_root_cause",
      "The chain from a failed request to an error, the root cause and a confidence.",
      "browser.diagnose", "none", INPUT_ERROR_ID "," INCLUDE_NETWORK, derive_root_cause },
    { "AID.BROWSER.PROPOSE_FIX.v1", "propose_fix",
      "What to change, and where, so that an error goes away.", "browser.diagnose", "none",
      INPUT_ERROR_ID "," INCLUDE_NETWORK, propose_fix },
};
const struct browser_actions mgi_diagnose_actions = {
    diagnose_actions, sizeof diagnose_actions / sizeof diagnose_actions[0]
};
