/* Requests and their answers as facts. */
#include "facts.h"

/* Of one request. */
#define TAKEN_AWAY_NS (400 * NS_PER_SEC / 1000)
#define QUERY_MOST    12
#define HOPS_TOLD     8
#define HEADERS_TOLD  24

/* A foreign recording that does not say what was asked for, at an address without a file's name. */
static bool may_be_data(const struct request *r, struct str type)
{
    return r->resource == RES_OTHER && r->entry && type.len == 0 &&
           mgi_str_find(mgi_url_file(r->url), STR_LIT(".")) == SIZE_MAX;
}

struct str mgi_request_kind(const struct request *r)
{
    static const char *const by_resource[] = { "data", "script", "image", "document", "other" };
    if (r->kind.len > 0)
        return r->kind;
    struct str type = mgi_member_string(r->entry, "_resourceType");
    static const struct {
        const char *type, *kind;
    } known[] = {
        { "stylesheet", "style" },    { "font", "font" },   { "media", "media" },
        { "websocket", "socket" },    { "ping", "beacon" }, { "eventsource", "stream" },
        { "preflight", "preflight" }, { "image", "image" }, { "prefetch", "prefetch" },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(type, known[i].type))
            return str_of(known[i].kind);
    if (may_be_data(r, type))
        return STR_LIT("data");
    if (r->resource == RES_ASSET && mgi_contains(r->mime, "css"))
        return STR_LIT("style");
    if (r->resource == RES_ASSET && mgi_contains(r->mime, "font"))
        return STR_LIT("font");
    return str_of(by_resource[r->resource]);
}

static bool went_wrong(const struct request *r)
{
    return r->status >= 400 || r->error.len > 0 || r->blocked.len > 0 || r->cors.len > 0 ||
           r->open || r->cancelled || (r->status == 0 && !r->open);
}

enum rank mgi_request_rank(const struct request *r)
{
    static const char *const matter[] = { "document", "data", "socket", "stream", "frame" };
    struct str kind = mgi_request_kind(r);
    if (went_wrong(r))
        return RANK_CORE;
    for (size_t i = 0; i < sizeof matter / sizeof matter[0]; i++)
        if (str_is(kind, matter[i]))
            return RANK_USUAL;
    return str_is(kind, "script") ? RANK_LOW : RANK_LEAST;
}

/* Detail is worth less than what it belongs to. */
static enum rank below(enum rank rank)
{
    return rank + 1 < RANK_COUNT ? rank + 1 : rank;
}

/* ---- addresses ----------------------------------------------------------------------------- */

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* "part-1", "week_49" */
static bool is_numbered(struct str segment)
{
    size_t end = segment.len;
    while (end > 0 && segment.ptr[end - 1] >= '0' && segment.ptr[end - 1] <= '9')
        end--;
    return end < segment.len && end >= 3 &&
           (segment.ptr[end - 1] == '-' || segment.ptr[end - 1] == '_');
}

/* Numbers, UUIDs, long hexadecimal, words with a number behind them, and such with many digits in
 * them: "ord_8f3K2". */
static bool looks_like_id(struct str segment)
{
    size_t digits = 0, hex = 0, dashes = 0, dots = 0;
    for (size_t i = 0; i < segment.len; i++) {
        digits += segment.ptr[i] >= '0' && segment.ptr[i] <= '9';
        hex += is_hex(segment.ptr[i]);
        dashes += segment.ptr[i] == '-' || segment.ptr[i] == '_';
        dots += segment.ptr[i] == '.';
    }
    if (segment.len == 0 || digits == 0 || dots > 0)
        return false;
    if (digits == segment.len || (hex + dashes == segment.len && segment.len >= 8) ||
        is_numbered(segment))
        return true;
    return digits * 3 >= segment.len && segment.ptr[0] != 'v' && segment.len >= 4;
}

/* Words that stand where an id should be are told apart by rules: "undefined", "null", "NaN". */
static bool stands_for_id(struct str segment)
{
    return str_is(segment, "undefined") || str_is(segment, "null") || str_is(segment, "NaN") ||
           looks_like_id(segment);
}

struct str mgi_route_of(struct job *job, struct str path)
{
    struct buf route = { .limit = 0 };
    for (size_t at = 0; at < path.len;) {
        size_t end = at;
        while (end < path.len && path.ptr[end] != '/')
            end++;
        struct str segment = { path.ptr + at, end - at };
        if (stands_for_id(segment))
            mgi_buf_puts(&route, "{id}");
        else
            mgi_buf_str(&route, segment);
        if (end < path.len)
            mgi_buf_putc(&route, '/');
        at = end + 1;
    }
    struct str kept = mgi_arena_str(job->arena, mgi_buf_view(&route));
    job->arena->oom |= route.oom;
    mgi_buf_fini(&route);
    return kept.ptr ? kept : STR_LIT("");
}

bool mgi_same_endpoint(const struct fact_list *list, size_t a, size_t b)
{
    return list->endpoints[a] != 0 && list->endpoints[a] == list->endpoints[b];
}

static struct str host_of(struct str url)
{
    struct str origin = mgi_url_origin(url);
    size_t from = mgi_str_find(origin, STR_LIT("://"));
    from = from == SIZE_MAX ? 0 : from + 3;
    size_t to = from;
    while (to < origin.len && origin.ptr[to] != ':')
        to++;
    return (struct str){ origin.ptr + from, to - from };
}

/* The last two labels; all of an address in numbers. What a public suffix is, nobody knows here. */
static struct str site_of(struct str host)
{
    size_t dots = 0;
    if (host.len > 0 && host.ptr[host.len - 1] >= '0' && host.ptr[host.len - 1] <= '9')
        return host;
    for (size_t i = host.len; i-- > 0;)
        if (host.ptr[i] == '.' && ++dots == 2)
            return (struct str){ host.ptr + i + 1, host.len - i - 1 };
    return host;
}

static void facts_of_query(struct fact_list *list, struct str id, const struct request *r)
{
    size_t at = mgi_str_find(r->url, STR_LIT("?")), count = 0;
    if (at == SIZE_MAX)
        return;
    struct str rest = { r->url.ptr + at + 1, r->url.len - at - 1 }, all = rest;
    while (rest.len > 0 && count++ < QUERY_MOST) {
        size_t end = 0, eq;
        while (end < rest.len && rest.ptr[end] != '&' && rest.ptr[end] != '#')
            end++;
        struct str pair = { rest.ptr, end };
        bool last = end == rest.len || rest.ptr[end] == '#';
        rest = last ? STR_LIT("") : (struct str){ rest.ptr + end + 1, rest.len - end - 1 };
        eq = mgi_str_find(pair, STR_LIT("="));
        struct str name = { pair.ptr, eq == SIZE_MAX ? pair.len : eq };
        struct str value =
            eq == SIZE_MAX ? STR_LIT("") : (struct str){ pair.ptr + eq + 1, pair.len - eq - 1 };
        if (name.len > 0)
            mgi_fact(list, below(mgi_request_rank(r)), "request_query", NO_TIME, 0, "sss", id, name,
                     mgi_is_secret_pair(name, value, all) ? STR_LIT("(secret)") : value);
    }
}

static void facts_of_address(struct fact_list *list, size_t index, struct str id,
                             const struct request *r, enum rank rank)
{
    struct str path = mgi_url_path(r->url);
    mgi_fact(list, rank, "request_path", NO_TIME, 0, "sss", id, mgi_url_origin(r->url), path);
    mgi_fact(list, rank, "request_route", NO_TIME, 0, "ss", id, list->routes[index]);
    facts_of_query(list, id, r);
    struct str site = site_of(host_of(r->url)), own = site_of(host_of(list->capture->url));
    if (site.len > 0 && own.len > 0 && !str_eq(site, own))
        mgi_fact(list, rank, "third_party", NO_TIME, 0, "s", id);
}

/* ---- answers ------------------------------------------------------------------------------- */

static bool header_matters(struct str name)
{
    static const char *const names[] = { "content-type",
                                         "location",
                                         "retry-after",
                                         "allow",
                                         "cache-control",
                                         "content-security-policy",
                                         "content-disposition",
                                         "x-content-type-options",
                                         "cross-origin-resource-policy" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (name.len == strlen(names[i]) && mgi_contains(name, names[i]))
            return true;
    return name.len > 15 && mgi_contains((struct str){ name.ptr, 15 }, "access-control-");
}

/* By what versions of one answer are told apart. */
static bool tells_versions(const struct request *r, struct str name)
{
    return r->resource == RES_DATA && ((name.len == 4 && mgi_contains(name, "etag")) ||
                                       (name.len == 4 && mgi_contains(name, "vary")) ||
                                       (name.len == 13 && mgi_contains(name, "last-modified")));
}

static struct str lower_case(struct fact_list *list, struct str s)
{
    struct str kept = mgi_arena_str(list->job->arena, s);
    for (size_t i = 0; kept.ptr && i < kept.len; i++)
        if (kept.ptr[i] >= 'A' && kept.ptr[i] <= 'Z')
            ((char *)(uintptr_t)kept.ptr)[i] = (char)(kept.ptr[i] | 0x20);
    return kept.ptr ? kept : STR_LIT("");
}

static struct str first_word(struct str s)
{
    size_t end = 0;
    while (end < s.len && s.ptr[end] != ' ' && s.ptr[end] != ',')
        end++;
    return (struct str){ s.ptr, end };
}

static void facts_of_headers(struct fact_list *list, struct str id, const struct request *r)
{
    const struct json *headers = mgi_json_get(mgi_json_get(r->entry, "response"), "headers");
    size_t told = 0, count = headers && headers->type == JSON_ARRAY ? headers->count : 0;
    for (size_t i = 0; i < count && told < HEADERS_TOLD; i++) {
        struct str name = mgi_member_string(&headers->items[i], "name");
        struct str value = mgi_member_string(&headers->items[i], "value");
        if (name.len == 16 && mgi_contains(name, "www-authenticate"))
            value = first_word(value);
        else if (!header_matters(name) && !tells_versions(r, name))
            continue;
        told++;
        mgi_fact(list, below(mgi_request_rank(r)), "answer_header", NO_TIME, 0, "sss", id,
                 lower_case(list, name), value);
    }
}

static void facts_of_answer(struct fact_list *list, struct str id, const struct request *r,
                            enum rank rank)
{
    int64_t waited = (r->answer_ns - r->start_ns) / NS_PER_MS;
    int64_t received = (r->end_ns - r->answer_ns) / NS_PER_MS;
    if (r->status <= 0)
        return;
    mgi_fact(list, rank, "answer", r->answer_ns, r->answer_ns, "sns", id, r->status, r->mime);
    if (r->from.len > 0)
        mgi_fact(list, str_is(r->from, "network") ? RANK_LEAST : below(rank), "answer_from",
                 NO_TIME, 0, "ss", id, r->from);
    facts_of_headers(list, id, r);
    mgi_fact(list, below(rank), "request_timing", NO_TIME, 0, "snn", id, waited, received);
    mgi_fact(list, RANK_LEAST, "request_size", NO_TIME, 0, "snn", id, r->sent_bytes,
             r->received_bytes);
}

/* ---- failures ------------------------------------------------------------------------------ */

/* An abort by code is seen at most this long before the request ends (a busy machine takes its
 * time), and no later than a moment after it: events of two processes are compared. The nearest
 * counts. */
#define ABORT_BEFORE_NS    (2 * NS_PER_SEC)
#define ABORT_AFTER_NS     (50 * NS_PER_MS)
#define NAVIGATE_BEFORE_NS (300 * NS_PER_MS)

static struct str who_cancelled(struct fact_list *list, const struct request *r)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = more->aborts.count; i-- > 0;) {
        const struct abort_call *a = &more->aborts.items[i];
        if (a->at_ns < r->end_ns - ABORT_BEFORE_NS || a->at_ns > r->end_ns + ABORT_AFTER_NS)
            continue;
        char *who = a->url.len > 0 ? mgi_arena_printf(list->job->arena, "script:%.*s:%lld",
                                                      STR_ARG(mgi_url_shown(list->capture, a->url)),
                                                      (long long)a->line)
                                   : NULL;
        return who ? str_of(who) : STR_LIT("script");
    }
    for (size_t i = 0; i < more->navigations.count; i++) {
        int64_t at = more->navigations.items[i].begin_ns;
        if (at > r->start_ns && at <= r->end_ns + NAVIGATE_BEFORE_NS &&
            r->end_ns - at < 3 * NS_PER_SEC)
            return STR_LIT("navigation");
    }
    return r->earlier ? STR_LIT("navigation") : STR_LIT("unknown");
}

/* Of what the page did not ask for with code, Chromium says "canceled" for reasons of its own. */
static bool can_be_cancelled(const struct request *r)
{
    struct str kind = mgi_request_kind(r);
    return !str_is(kind, "script") && !str_is(kind, "worker") && !str_is(kind, "style") &&
           !str_is(kind, "stream");
}

/* The document was changed within a second after the answer came. */
static void fact_of_change_after(struct fact_list *list, struct str id, const struct request *r)
{
    const struct page_more *more = &list->capture->more;
    int64_t from = r->open ? r->answer_ns : r->end_ns;
    for (size_t i = 0; r->status > 0 && i < more->changes.count; i++)
        if (more->changes.items[i].at_ns >= from &&
            more->changes.items[i].at_ns - from <= NS_PER_SEC) {
            mgi_fact(list, mgi_request_rank(r), "changed_after", NO_TIME, 0, "s", id);
            return;
        }
    if (r->status > 0 && more->watches_changes && from + NS_PER_SEC <= more->last_ns)
        mgi_fact(list, mgi_request_rank(r), "unchanged_after", NO_TIME, 0, "s", id);
}

/* Right after it failed, elements of the page were taken away or hidden and nothing was put there.
 */
static void fact_of_going_without(struct fact_list *list, struct str id, const struct request *r)
{
    const struct page_more *more = &list->capture->more;
    int64_t from = r->status > 0 && r->answer_ns > 0 ? r->answer_ns : r->end_ns, gone = 0;
    for (size_t i = 0; i < more->changes.count; i++) {
        const struct sample *s = &more->changes.items[i];
        if (s->at_ns < from || s->at_ns - from > TAKEN_AWAY_NS)
            continue;
        if (s->came != 0)
            return;
        gone += s->gone;
    }
    if (gone > 0)
        mgi_fact(list, RANK_HIGH, "goes_without", NO_TIME, 0, "s", id);
}

static void facts_of_failure(struct fact_list *list, struct str id, const struct request *r)
{
    if (r->resource == RES_DATA && (r->status >= 400 || r->error.len > 0))
        fact_of_going_without(list, id, r);
    bool lost = r->status <= 0 && !r->open && r->fault == FAULT_LOST;
    if (r->error.len > 0 || lost)
        mgi_fact(list, RANK_CORE, "request_failed", r->end_ns, r->end_ns, "ss", id,
                 r->error.len > 0 ? r->error : STR_LIT("no answer"));
    if (r->frame_gone && str_is(mgi_request_kind(r), "frame"))
        mgi_fact(list, RANK_HIGH, "goes_without", NO_TIME, 0, "s", id);
    if (r->blocked.len > 0)
        mgi_fact(list, RANK_CORE, "request_blocked", NO_TIME, 0, "ss", id, r->blocked);
    if (can_be_cancelled(r) && (r->cancelled || mgi_contains(r->error, "ERR_ABORTED")))
        mgi_fact(list, RANK_CORE, "request_cancelled", NO_TIME, 0, "ss", id,
                 who_cancelled(list, r));
    if (r->cors.len > 0)
        mgi_fact(list, RANK_CORE, "cors_error", NO_TIME, 0, "sss", id, r->cors, r->cors_header);
    for (size_t i = 0; i < r->hop_count && i < HOPS_TOLD; i++)
        mgi_fact(list, RANK_HIGH, "redirected", NO_TIME, 0, "snnss", id, (int64_t)i + 1,
                 r->hops[i].status, r->hops[i].from, r->hops[i].to);
    struct str to = mgi_member_string(mgi_json_get(r->entry, "response"), "redirectURL");
    if (r->hop_count == 0 && r->status >= 300 && r->status < 400 && to.len > 0)
        mgi_fact(list, RANK_HIGH, "redirected", NO_TIME, 0, "snnss", id, (int64_t)1, r->status,
                 r->url, to);
}

/* ---- who asked ----------------------------------------------------------------------------- */

static struct str asked_by(const struct request *r)
{
    static const char *const known[] = { "parser", "script", "preload", "redirect", "preflight" };
    if (r->asked.len > 0)
        return r->asked;
    struct str type = mgi_member_string(mgi_json_get(r->entry, "_initiator"), "type");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(type, known[i]))
            return str_of(known[i]);
    return r->frame_count > 0 ? STR_LIT("script") : STR_LIT("other");
}

static void facts_of_input_before(struct fact_list *list, struct str id, const struct request *r)
{
    const struct page_more *more = &list->capture->more;
    struct str asked = asked_by(r);
    if (str_is(asked, "parser") || str_is(asked, "preload"))
        return;
    for (size_t i = more->inputs.count; i-- > 0;) {
        const struct user_input *in = &more->inputs.items[i];
        if (in->at_ns > r->start_ns || in->invalid)
            continue;
        if (r->start_ns - in->at_ns <= NS_PER_SEC)
            mgi_fact(list, RANK_HIGH, "asked_after_input", NO_TIME, 0, "ss", id,
                     mgi_fact_id(list, "i", i + 1));
        return; /* the nearest before it */
    }
}

#define STACK_TOLD 8

static void facts_of_asking(struct fact_list *list, struct str id, const struct request *r,
                            enum rank rank)
{
    mgi_fact(list, below(rank), "asked_by", NO_TIME, 0, "ss", id, asked_by(r));
    for (size_t i = 0; i < r->frame_count && i < STACK_TOLD; i++)
        mgi_fact(list, i < 4 ? below(rank) : RANK_LOW, "stack", NO_TIME, 0, "snssn", id, (int64_t)i,
                 mgi_frame_function(list, &r->frames[i]), r->frames[i].url, r->frames[i].line);
    facts_of_input_before(list, id, r);
}

/* ---- how often ----------------------------------------------------------------------------- */

/* Requests are in order of time: the densest second is found with a window over them. */
static void facts_of_repetition(struct fact_list *list, size_t first)
{
    const struct capture *c = list->capture;
    int64_t count = 0, densest = 0;
    size_t tail = first;
    int64_t inside = 0;
    for (size_t i = first; i < c->request_count; i++) {
        if (!mgi_same_endpoint(list, first, i))
            continue;
        count++;
        inside++;
        while (c->requests[tail].start_ns <= c->requests[i].start_ns - NS_PER_SEC) {
            inside -= mgi_same_endpoint(list, first, tail);
            tail++;
        }
        densest = inside > densest ? inside : densest;
    }
    if (count >= 3)
        mgi_fact(list, RANK_HIGH, "repeated", NO_TIME, 0, "snn",
                 mgi_fact_id(list, "r", c->requests[first].number), count, densest);
}

static bool is_first_of_endpoint(const struct fact_list *list, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (mgi_same_endpoint(list, i, index))
            return false;
    return true;
}

void mgi_facts_network(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        enum rank rank = mgi_request_rank(r);
        if (!list->looked_at[i])
            continue;
        struct str id = mgi_fact_id(list, "r", r->number);
        mgi_fact(list, rank, "request", r->start_ns, r->open ? 0 : r->end_ns, "ssss", id, r->method,
                 r->url, mgi_request_kind(r));
        facts_of_address(list, i, id, r, rank);
        facts_of_asking(list, id, r, rank);
        facts_of_answer(list, id, r, rank);
        facts_of_failure(list, id, r);
        if (rank <= RANK_USUAL)
            fact_of_change_after(list, id, r);
        if (r->earlier)
            mgi_fact(list, rank, "earlier_document", NO_TIME, 0, "s", id);
    }
    for (size_t i = 0; i < c->request_count; i++)
        if (list->looked_at[i] && mgi_request_rank(&c->requests[i]) <= RANK_LOW &&
            is_first_of_endpoint(list, i))
            facts_of_repetition(list, i);
}
