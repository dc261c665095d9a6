/* Which failed request is behind an error, and how sure one can be.
 *
 * Every failed or empty answer that came before the error is a candidate. What connects the two is
 * collected as evidence, each piece with the weight that it would have alone, and the weights are
 * combined as independent chances: confidence = 1 - product(1 - weight).
 *
 * Evidence is *specific* when it would not hold for any other request as well: the message names
 * the address or the status, the script that asked is the script that threw, or both speak of the
 * same thing ("/api/users" and "UserList"). Coming shortly after, and expecting data, is not
 * specific: it counts on top, and carries a connection alone only where the capture has nothing
 * better to offer and nothing speaks against it (mgi_link_holds). That keeps an unrelated error,
 * which also happens to come after a failed request, unconnected. */
#include "browser.h"

#include <stdio.h>
#include <stdlib.h>

/* The browser's clock for the console and for the network are not one. */
#define CLOCK_SLACK_NS (100 * NS_PER_MS)
/* What was answered longer ago has been dealt with by now. */
#define WINDOW_NS (30 * NS_PER_SEC)
/* Without anything specific, only an error right after the answer may belong to it. */
#define NEAR_NS (5 * NS_PER_SEC)

/* Another answer is far from the error if it lies this many times as far back, and this much more.
 */
#define FAR_TIMES 5
#define FAR_NS    (200 * NS_PER_MS)
/* What is looked at for one error, nearest in time first. More would cost much and tell nothing: a
 * page with hundreds of failed requests in half a minute has one trouble, not hundreds. */
#define CANDIDATES_MOST 200
#define MESSAGES_MOST   200

/* ---- symptoms
 * --------------------------------------------------------------------------------------- */

static bool contains_any(struct str text, const char *const *parts)
{
    for (; *parts; parts++)
        if (mgi_contains(text, *parts))
            return true;
    return false;
}

enum symptom mgi_symptom(const struct message *error)
{
    static const char *const null[] = { "of null",
                                        "of undefined",
                                        "null is not an object",
                                        "undefined is not an object",
                                        "is null",
                                        "is undefined",
                                        "null or undefined",
                                        "nullpointer",
                                        "null (evaluating",
                                        "undefined (evaluating",
                                        "null to object",
                                        "undefined to object",
                                        NULL };
    /* An element that is not there is a matter of the page's own markup, not of an answer. */
    static const char *const element[] = { "(setting '",
                                           "reading 'addeventlistener'",
                                           "reading 'classlist'",
                                           "reading 'style'",
                                           "reading 'appendchild'",
                                           "reading 'innerhtml'",
                                           "reading 'dataset'",
                                           "reading 'queryselector",
                                           "reading 'getcontext'",
                                           "reading 'focus'",
                                           "reading 'parentnode'",
                                           "reading 'setattribute'",
                                           "reading 'textcontent'",
                                           "reading 'getboundingclientrect'",
                                           NULL };
    static const char *const shape[] = { "is not iterable",
                                         ".map is not a function",
                                         ".foreach is not a function",
                                         ".filter is not a function",
                                         ".reduce is not a function",
                                         ".length is not",
                                         NULL };
    static const char *const parse[] = { "unexpected token",
                                         "unexpected end of json",
                                         "unexpected end of input",
                                         "is not valid json",
                                         "json.parse",
                                         "json parse error",
                                         "invalid json",
                                         NULL };
    static const char *const fetch[] = {
        "failed to fetch", "networkerror", "network error", "load failed", "network request failed",
        "net::err_",       "err_network",  "aborterror",    "timeout of",  NULL
    };
    static const char *const failed[] = { "fail",          "could not",
                                          "couldn't",      "unable to",
                                          "error loading", "error fetching",
                                          "http error",    "status code",
                                          "not available", "unavailable",
                                          "did not",       "cannot load",
                                          "rejected",      NULL };

    if (str_is(error->source, "network") || mgi_contains(error->text, "failed to load resource"))
        return SYMPTOM_REPORT;
    if (contains_any(error->text, parse))
        return SYMPTOM_PARSE;
    if (contains_any(error->text, null))
        return contains_any(error->text, element) ? SYMPTOM_OTHER : SYMPTOM_NULL;
    if (contains_any(error->text, shape))
        return SYMPTOM_SHAPE;
    if (contains_any(error->text, fetch))
        return SYMPTOM_FETCH;
    if (mgi_contains(error->text, "is not defined") ||
        mgi_contains(error->text, "can't find variable"))
        return SYMPTOM_NOT_DEFINED;
    return contains_any(error->text, failed) ? SYMPTOM_SAYS_FAILED : SYMPTOM_OTHER;
}

/* Whether this kind of error can come from data that did not arrive. */
static bool wants_data(enum symptom symptom)
{
    return symptom == SYMPTOM_NULL || symptom == SYMPTOM_SHAPE || symptom == SYMPTOM_PARSE ||
           symptom == SYMPTOM_FETCH;
}

/* ---- evidence
 * ---------------------------------------------------------------------------------------- */

static void add(struct link *link, const char *kind, const char *detail, double weight)
{
    if (link->evidence_count < EVIDENCE_MAX && detail)
        link->evidence[link->evidence_count++] = (struct evidence){ kind, detail, weight };
}

static void add_specific(struct link *link, const char *kind, const char *detail, double weight)
{
    add(link, kind, detail, weight);
    link->specific = true;
}

static bool has_text(struct str text, struct str part)
{
    return part.len > 0 && mgi_str_find(text, part) != SIZE_MAX;
}

/* `path` in `text`, and not just as the beginning of a longer one. */
static bool names_path(struct str text, struct str path)
{
    if (path.len < 4)
        return false;
    for (size_t from = 0; from < text.len;) {
        struct str rest = { text.ptr + from, text.len - from };
        size_t at = mgi_str_find(rest, path);
        if (at == SIZE_MAX)
            return false;
        size_t end = at + path.len;
        char next = end < rest.len ? rest.ptr[end] : ' ';
        bool longer = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                      (next >= '0' && next <= '9') || next == '-' || next == '_' || next == '/';
        if (!longer)
            return true;
        from += end;
    }
    return false;
}

static void evidence_of_address(struct job *job, struct link *link, const struct message *error)
{
    const struct request *r = link->request;
    struct str path = mgi_url_path(r->url);
    if (mgi_symptom(error) == SYMPTOM_REPORT && str_eq(error->url, r->url))
        add_specific(link, "report", "the browser reports this very request", 0.9);
    else if (has_text(error->text, r->url) || names_path(error->text, path))
        add_specific(link, "address",
                     mgi_arena_printf(job->arena, "the message names %.*s", STR_ARG(path)), 0.6);
}

static void evidence_of_status(struct job *job, struct link *link, const struct message *error)
{
    const struct request *r = link->request;
    if (r->status < 400 || mgi_symptom(error) == SYMPTOM_REPORT)
        return;
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)r->status);
    bool number = mgi_has_word(error->text, (struct str){ digits, (size_t)n });
    bool words = r->status_text.len >= 8 && mgi_has_word(error->text, r->status_text);
    if (number || words)
        add_specific(link, "status",
                     mgi_arena_printf(job->arena, "the message speaks of status %s", digits), 0.5);
}

/* "UserList.render" and "render" are one function. */
static struct str bare_name(struct str function)
{
    for (size_t i = function.len; i-- > 0;)
        if (function.ptr[i] == '.')
            return (struct str){ function.ptr + i + 1, function.len - i - 1 };
    return function;
}

static bool asked_from(const struct request *r, const struct frame *where, bool same_function)
{
    for (size_t i = 0; i < r->frame_count; i++) {
        const struct frame *f = &r->frames[i];
        if (str_eq(f->url, where->url) &&
            (!same_function || (where->function.len > 0 &&
                                str_eq(bare_name(f->function), bare_name(where->function)))))
            return true;
    }
    return false;
}

/* For each frame of one error: the share of scripted requests that were asked for from its script
 * [0] or its function [1]. 1: everything goes through this place; near 0: hardly anything else. It
 * costs a walk over all requests, so it is kept from one candidate to the next. */
struct shares {
    bool known[STACK_FRAMES_MOST][2];
    double value[STACK_FRAMES_MOST][2];
};

static double share(const struct capture *c, struct shares *shares, size_t index,
                    const struct frame *where, bool same_function)
{
    if (shares->known[index][same_function])
        return shares->value[index][same_function];
    size_t all = 0, here = 0;
    for (size_t i = 0; i < c->request_count; i++) {
        all += c->requests[i].frame_count > 0;
        here += asked_from(&c->requests[i], where, same_function);
    }
    double value = all > 1 && here > 0 ? (double)(here - 1) / (double)(all - 1) : 1;
    shares->known[index][same_function] = true;
    return shares->value[index][same_function] = value;
}

static void evidence_of_stack(struct job *job, struct link *link, const struct message *error,
                              struct shares *shares)
{
    const struct request *r = link->request;
    struct frame place = { .url = error->url }; /* when there is no stack */
    const struct frame *frames = error->frame_count > 0 ? error->frames : &place;
    size_t count = error->frame_count > 0 ? error->frame_count : 1;
    double best = 0;
    const char *detail = NULL;
    bool specific = false;
    for (size_t i = 0; i < count; i++) {
        if (frames[i].url.len == 0 || !asked_from(r, &frames[i], false))
            continue;
        bool function = asked_from(r, &frames[i], true);
        double common = share(&job->capture, shares, i, &frames[i], function);
        double weight = function ? 0.6 - 0.4 * common : 0.45 - 0.35 * common;
        /* A function that asks and then throws is specific however few requests there are. */
        bool telling = common <= 0.5 || (function && i == 0);
        if (weight <= best && !(telling && !specific))
            continue;
        best = weight;
        specific = specific || telling;
        detail = function
                     ? mgi_arena_printf(job->arena, "%.*s asked for it and is in the error's stack",
                                        STR_ARG(frames[i].function))
                     : mgi_arena_printf(job->arena, "asked for from %.*s, which threw",
                                        STR_ARG(mgi_url_file(frames[i].url)));
    }
    if (specific)
        add_specific(link, "stack", detail, best);
    else if (best > 0)
        add(link, "stack", detail, best);
}

static void evidence_of_words(struct job *job, struct link *link, const struct message *error)
{
    struct str path = mgi_url_path(link->request->url);
    struct str word = mgi_shared_word(path, error->text);
    for (size_t i = 0; word.len == 0 && i < error->frame_count && i < 4; i++) {
        word = mgi_shared_word(path, error->frames[i].function);
        if (word.len == 0)
            word = mgi_shared_word(path, mgi_url_file(error->frames[i].url));
    }
    if (word.len == 0 && error->url.len > 0)
        word = mgi_shared_word(path, mgi_url_file(error->url));
    if (word.len > 0)
        add_specific(link, "words",
                     mgi_arena_printf(job->arena, "both speak of \"%.*s\"", STR_ARG(word)), 0.35);
}

/* What the code itself said about this request before it threw. */
static void evidence_of_mention(struct job *job, struct link *link, const struct message *error)
{
    const struct capture *c = &job->capture;
    const struct request *r = link->request;
    size_t last = (size_t)(error - c->messages), looked = 0;
    for (size_t i = last; i-- > 0 && looked++ < MESSAGES_MOST;) {
        const struct message *m = &c->messages[i];
        if (m->at_ns > error->at_ns || m->at_ns + CLOCK_SLACK_NS < r->answer_ns ||
            mgi_symptom(m) == SYMPTOM_REPORT)
            continue;
        if (names_path(m->text, mgi_url_path(r->url))) {
            struct str said = mgi_utf8_prefix(m->text, 120);
            add(link, "mention",
                mgi_arena_printf(job->arena, "the page said before: %.*s", STR_ARG(said)), 0.1);
            return;
        }
    }
}

static void evidence_of_symptom(struct link *link, enum symptom symptom)
{
    const struct request *r = link->request;
    if (symptom == SYMPTOM_NULL && r->resource != RES_ASSET)
        add(link, "symptom", "the error is about data that is not there", 0.3);
    else if (symptom == SYMPTOM_SHAPE)
        add(link, "symptom", "the error is about data of another shape", 0.25);
    else if (symptom == SYMPTOM_PARSE && r->fault != FAULT_LOST)
        add(link, "symptom", "the error is about an answer that is no JSON", 0.35);
    else if (symptom == SYMPTOM_FETCH)
        add(link, "symptom", "the error is about a request that failed",
            r->fault == FAULT_LOST ? 0.5 : 0.2);
    else if (symptom == SYMPTOM_NOT_DEFINED && r->resource == RES_SCRIPT)
        add(link, "symptom", "a script that was not loaded defines nothing", 0.5);
}

static void evidence_of_time(struct job *job, struct link *link, const struct message *error)
{
    int64_t after = error->at_ns - link->request->answer_ns;
    double weight = after <= NS_PER_SEC / 10 ? 0.25
                    : after <= NS_PER_SEC    ? 0.2
                    : after <= NEAR_NS       ? 0.1
                                             : 0.03;
    long long ms = after > 0 ? (long long)(after / NS_PER_MS) : 0;
    add(link, "time", mgi_arena_printf(job->arena, "the error came %lld ms after the answer", ms),
        weight);
}

static bool is_candidate(const struct request *r, const struct message *error)
{
    return r->fault != FAULT_NONE && r->answer_ns <= error->at_ns + CLOCK_SLACK_NS &&
           r->answer_ns >= error->at_ns - WINDOW_NS;
}

/* The only failed request for data shortly before the error, or by far the nearest. */
static bool is_alone(const struct capture *c, const struct message *error, const struct request *r)
{
    int64_t gap = error->at_ns - r->answer_ns;
    gap = gap < 0 ? 0 : gap;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *q = &c->requests[i];
        int64_t other = error->at_ns - q->answer_ns;
        if (q != r && is_candidate(q, error) && other <= NEAR_NS &&
            other < FAR_TIMES * gap + FAR_NS &&
            (q->resource == RES_DATA || q->resource == RES_OTHER))
            return false;
    }
    return true;
}

static void evaluate(struct job *job, const struct message *error, struct link *link,
                     struct shares *shares)
{
    enum symptom symptom = mgi_symptom(error);
    evidence_of_address(job, link, error);
    if (symptom != SYMPTOM_REPORT) {
        evidence_of_status(job, link, error);
        evidence_of_stack(job, link, error, shares);
        /* A missing name has nothing to do with an API whose address happens to hold the word. */
        if (symptom != SYMPTOM_NOT_DEFINED || link->request->resource == RES_SCRIPT)
            evidence_of_words(job, link, error);
        evidence_of_symptom(link, symptom);
        evidence_of_mention(job, link, error);
        evidence_of_time(job, link, error);
        if (wants_data(symptom) && is_alone(&job->capture, error, link->request))
            add(link, "alone", "no other request for data failed shortly before", 0.15);
    }
    double doubt = 1;
    for (size_t i = 0; i < link->evidence_count; i++)
        doubt *= 1 - link->evidence[i].weight;
    link->confidence = 1 - doubt;
}

/* ---- candidates
 * -------------------------------------------------------------------------------------- */

static bool in_har(const struct capture *c, struct str url)
{
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].fault != FAULT_NONE && str_eq(c->requests[i].url, url))
            return true;
    return false;
}

static int by_confidence(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    if (x->specific != y->specific)
        return x->specific ? -1 : 1;
    if (x->confidence > y->confidence || x->confidence < y->confidence)
        return x->confidence > y->confidence ? -1 : 1;
    if (x->request->answer_ns != y->request->answer_ns)
        return x->request->answer_ns > y->request->answer_ns ? -1 : 1;
    return x->request < y->request ? -1 : x->request > y->request;
}

bool mgi_links_find(struct job *job, const struct message *error, bool with_har,
                    struct link **links, size_t *count)
{
    const struct capture *c = &job->capture;
    struct shares shares = { 0 };
    size_t found = 0;
    *count = 0;
    *links = mgi_arena_calloc(job->arena, CANDIDATES_MOST, sizeof **links);
    if (!*links)
        return false;
    for (size_t i = c->request_count; with_har && i-- > 0 && found < CANDIDATES_MOST;)
        if (is_candidate(&c->requests[i], error))
            (*links)[found++].request = &c->requests[i];
    for (size_t i = c->reported_count; i-- > 0 && found < CANDIDATES_MOST;)
        if (is_candidate(&c->reported[i], error) && !(with_har && in_har(c, c->reported[i].url)))
            (*links)[found++].request = &c->reported[i];
    for (size_t i = 0; i < found; i++) {
        struct link link = (*links)[i];
        evaluate(job, error, &link, &shares);
        if (link.evidence_count > 0)
            (*links)[(*count)++] = link;
    }
    if (*count > 1)
        qsort(*links, *count, sizeof **links, by_confidence);
    return !job->arena->oom;
}

/* ---- is it the cause?
 * --------------------------------------------------------------------------------- */

static bool has_kind(const struct link *link, const char *kind)
{
    for (size_t i = 0; i < link->evidence_count; i++)
        if (strcmp(link->evidence[i].kind, kind) == 0)
            return true;
    return false;
}

/* Both sides say which scripts they come from, and have none in common. */
static bool scripts_differ(const struct message *error, const struct request *r)
{
    if (error->frame_count == 0 || r->frame_count == 0)
        return false;
    for (size_t i = 0; i < error->frame_count; i++)
        if (asked_from(r, &error->frames[i], false))
            return false;
    return true;
}

/* Another error that has more to do with this request. */
static bool claimed_by_another(struct job *job, const struct message *error,
                               const struct request *r)
{
    const struct capture *c = &job->capture;
    struct arena_mark mark = mgi_arena_mark(job->arena);
    bool claimed = false;
    size_t looked = 0;
    for (size_t i = 0; i < c->message_count && !claimed && looked < MESSAGES_MOST; i++) {
        const struct message *other = &c->messages[i];
        if (other == error || other->error_number == 0 || !is_candidate(r, other) ||
            !wants_data(mgi_symptom(other)))
            continue;
        struct link link = { .request = r };
        struct shares shares = { 0 };
        looked++;
        evaluate(job, other, &link, &shares);
        claimed = link.specific;
        mgi_arena_rewind(job->arena, mark);
    }
    return claimed;
}

bool mgi_link_holds(struct job *job, const struct message *error, const struct link *link)
{
    const struct request *r = link->request;
    enum symptom symptom = mgi_symptom(error);
    bool named = has_kind(link, "address") || has_kind(link, "status") || has_kind(link, "report");
    if (symptom == SYMPTOM_REPORT || named)
        return named;
    if (symptom == SYMPTOM_NOT_DEFINED)
        return r->resource == RES_SCRIPT &&
               (has_kind(link, "words") ||
                (r->fault == FAULT_STATUS && is_alone(&job->capture, error, r)));
    if (symptom == SYMPTOM_SAYS_FAILED)
        return link->specific;
    if (symptom == SYMPTOM_OTHER)
        return link->specific && has_kind(link, "stack") && has_kind(link, "words");
    if (r->resource == RES_ASSET)
        return false;
    if (link->specific)
        return true;
    return r->resource != RES_DOCUMENT && r->resource != RES_SCRIPT &&
           error->at_ns - r->answer_ns <= NEAR_NS && !scripts_differ(error, r) &&
           is_alone(&job->capture, error, r) && !claimed_by_another(job, error, r);
}

/* ---- names
 * -------------------------------------------------------------------------------------------- */

static bool is_capital(struct str s)
{
    return s.len > 1 && s.ptr[0] >= 'A' && s.ptr[0] <= 'Z' && s.ptr[1] >= 'a' && s.ptr[1] <= 'z';
}

/* "UserList.render" -> "UserList"; "render" has no class. */
static struct str class_of(struct str function)
{
    size_t dot = mgi_str_find(function, STR_LIT("."));
    struct str head = { function.ptr, dot == SIZE_MAX ? function.len : dot };
    static const char *const not_ours[] = { "Object", "Array", "Promise", "Function",
                                            "Module", "JSON",  "Window",  "Response",
                                            "Map",    "Set",   "String",  NULL };
    for (size_t i = 0; not_ours[i]; i++)
        if (str_is(head, not_ours[i]))
            return (struct str){ 0 };
    return is_capital(head) ? head : (struct str){ 0 };
}

struct str mgi_error_component(const struct message *error, bool *is_script)
{
    *is_script = false;
    size_t at = mgi_str_find(error->text, STR_LIT("in the <")); /* as React says it */
    if (at != SIZE_MAX) {
        struct str rest = { error->text.ptr + at + 8, error->text.len - at - 8 };
        size_t end = mgi_str_find(rest, STR_LIT(">"));
        if (end != SIZE_MAX && end > 0 && end <= 80)
            return (struct str){ rest.ptr, end };
    }
    for (size_t i = 0; i < error->frame_count && i < 4; i++) {
        struct str class = class_of(error->frames[i].function);
        if (class.len > 0)
            return class;
    }
    *is_script = true;
    struct str url = error->frame_count > 0 ? error->frames[0].url : error->url;
    return url.len > 0 ? mgi_url_file(url) : (struct str){ 0 };
}

const char *mgi_cause_name(const struct request *r)
{
    if (r->resource == RES_SCRIPT)
        return "script_not_loaded";
    switch (r->fault) {
    case FAULT_LOST:
        return "no_answer";
    case FAULT_EMPTY:
        return "empty_response";
    case FAULT_NOT_JSON:
        return "wrong_content_type";
    case FAULT_ERROR_BODY:
        return "error_in_body";
    case FAULT_NONE:
    case FAULT_COUNT:
        return "none";
    case FAULT_STATUS:
        break;
    }
    switch (r->status) {
    case 401:
    case 403:
    case 407:
        return "not_authorized";
    case 404:
    case 410:
        return r->resource == RES_ASSET ? "missing_file" : "missing_route";
    case 405:
        return "method_not_allowed";
    case 408:
    case 504:
        return "timeout";
    case 429:
        return "rate_limited";
    default:
        return r->status >= 500 ? "server_error" : "bad_request";
    }
}
