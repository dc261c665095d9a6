/* Questions about the network. */
#include "browser.h"

#include <stdlib.h>

#define SLOW_MS_DEFAULT  1000
#define HEADERS_SHOWN    60
#define BODY_SHOWN_BYTES 8192

static bool address_holds(struct job *job, struct str text, struct str part)
{
    struct arena_mark mark = mgi_arena_mark(job->arena);
    const char *wanted = mgi_arena_printf(job->arena, "%.*s", STR_ARG(part));
    bool found = part.len == 0 || (wanted && mgi_contains(text, wanted));
    mgi_arena_rewind(job->arena, mark);
    return found;
}

static bool query_network(struct job *job)
{
    const struct capture *c = &job->capture;
    struct str url = { 0 }, method = { 0 }, kind = { 0 };
    int64_t limit, status = 0, total = 0;
    if (!mgi_job_string(job, "url_contains", &url) || !mgi_job_string(job, "method", &method) ||
        !mgi_job_string(job, "kind", &kind) || !mgi_job_integer(job, "status", 0, 999, &status) ||
        !mgi_job_limit(job, &limit))
        return false;
    mgi_jw_key(&job->out, "requests");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        if (!address_holds(job, r->url, url) || (method.len > 0 && !str_eq(method, r->method)) ||
            (kind.len > 0 && !str_is(kind, mgi_resource_name(r->resource))) ||
            (status > 0 && status != r->status))
            continue;
        if (total++ < limit)
            mgi_put_request(job, r);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", total);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "found %lld requests", (long long)total));
    return true;
}

static bool failed_requests(struct job *job)
{
    const struct capture *c = &job->capture;
    int64_t limit, total = 0;
    bool suspicious = false;
    if (!mgi_job_limit(job, &limit) || !mgi_job_boolean(job, "include_suspicious", &suspicious))
        return false;
    mgi_jw_key(&job->out, "failed");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        bool failed = r->fault == FAULT_STATUS || r->fault == FAULT_LOST;
        if ((failed || (suspicious && r->fault != FAULT_NONE)) && total++ < limit)
            mgi_put_request(job, r);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", total);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%lld of %zu requests failed", (long long)total,
                                        c->request_count));
    return true;
}

static int by_duration(const void *a, const void *b)
{
    const struct request *x = *(const struct request *const *)a;
    const struct request *y = *(const struct request *const *)b;
    int64_t dx = x->end_ns - x->start_ns, dy = y->end_ns - y->start_ns;
    if (dx != dy)
        return dx > dy ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool slow_requests(struct job *job)
{
    const struct capture *c = &job->capture;
    int64_t limit, least_ms = SLOW_MS_DEFAULT;
    size_t count = 0;
    if (!mgi_job_limit(job, &limit) || !mgi_job_integer(job, "threshold_ms", 0, 3600000, &least_ms))
        return false;
    const struct request **slow = mgi_arena_calloc(job->arena, c->request_count + 1, sizeof *slow);
    if (!slow)
        return false;
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].end_ns - c->requests[i].start_ns >= least_ms * NS_PER_MS)
            slow[count++] = &c->requests[i];
    if (count > 1)
        qsort(slow, count, sizeof *slow, by_duration);
    mgi_jw_key(&job->out, "slow");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count && i < (size_t)limit; i++)
        mgi_put_request(job, slow[i]);
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "threshold_ms", least_ms);
    mgi_jw_member_int(&job->out, "total", (int64_t)count);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%zu requests took %lld ms or more", count,
                                        (long long)least_ms));
    return true;
}

static bool group_by_status(struct job *job)
{
    int64_t counts[1000] = { 0 };
    for (size_t i = 0; i < job->capture.request_count; i++)
        counts[job->capture.requests[i].status]++; /* 0 to 999: har.c refuses others */
    mgi_jw_key(&job->out, "by_status");
    mgi_jw_begin_array(&job->out);
    for (int i = 0; i < 1000; i++) {
        if (counts[i] == 0)
            continue;
        mgi_jw_begin_object(&job->out);
        mgi_jw_member_int(&job->out, "status", i);
        mgi_jw_member_int(&job->out, "count", counts[i]);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", (int64_t)job->capture.request_count);
    return true;
}

/* "text/html; charset=utf-8" -> "text/html" */
static struct str bare_type(struct str mime)
{
    size_t end = 0;
    while (end < mime.len && mime.ptr[end] != ';' && mime.ptr[end] != ' ')
        end++;
    return (struct str){ mime.ptr, end };
}

#define TYPES_KEPT 48

static bool group_by_type(struct job *job)
{
    struct {
        struct str type;
        int64_t count, failed;
    } types[TYPES_KEPT];
    size_t count = 0;
    int64_t left_out = 0;
    for (size_t i = 0; i < job->capture.request_count; i++) {
        const struct request *r = &job->capture.requests[i];
        struct str type = bare_type(r->mime);
        size_t t = 0;
        while (t < count && !str_eq(types[t].type, type))
            t++;
        if (t == TYPES_KEPT) {
            left_out++;
            continue;
        }
        if (t == count) {
            types[t].type = type;
            types[t].count = types[t].failed = 0;
            count++;
        }
        types[t].count++;
        types[t].failed += r->fault == FAULT_STATUS || r->fault == FAULT_LOST;
    }
    mgi_jw_key(&job->out, "by_type");
    mgi_jw_begin_array(&job->out);
    for (size_t t = 0; t < count; t++) {
        mgi_jw_begin_object(&job->out);
        mgi_put_text(job, "content_type", types[t].type);
        mgi_jw_member_int(&job->out, "count", types[t].count);
        mgi_jw_member_int(&job->out, "failed", types[t].failed);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "left_out", left_out);
    return true;
}

static bool summarize_network(struct job *job)
{
    const struct capture *c = &job->capture;
    int64_t failed = 0, odd = 0, slow = 0, first = 0, last = 0;
    const struct request *slowest = NULL;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        int64_t took = r->end_ns - r->start_ns;
        failed += r->fault == FAULT_STATUS || r->fault == FAULT_LOST;
        odd += r->fault > FAULT_LOST;
        slow += took >= SLOW_MS_DEFAULT * NS_PER_MS;
        if (!slowest || took > slowest->end_ns - slowest->start_ns)
            slowest = r;
        first = i == 0 || r->start_ns < first ? r->start_ns : first;
        last = r->end_ns > last ? r->end_ns : last;
    }
    mgi_jw_member_int(&job->out, "requests", (int64_t)c->request_count);
    mgi_jw_member_int(&job->out, "failed", failed);
    mgi_jw_member_int(&job->out, "suspicious", odd);
    mgi_jw_member_int(&job->out, "slow", slow);
    mgi_put_ms(job, "span_ms", c->request_count > 0 ? last - first : 0);
    mgi_jw_key(&job->out, "slowest");
    if (slowest)
        mgi_put_request(job, slowest);
    else
        mgi_jw_null(&job->out);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%zu requests, %lld failed, %lld slow",
                                        c->request_count, (long long)failed, (long long)slow));
    return true;
}

/* ---- one request
 * ------------------------------------------------------------------------------------ */

/* "r12", or NULL with the job failed. */
static const struct request *chosen_request(struct job *job)
{
    struct str id = { 0 };
    if (!mgi_job_string(job, "request_id", &id))
        return NULL;
    size_t number = 0;
    for (size_t i = 1; i < id.len && i < 10 && id.ptr[0] == 'r'; i++) {
        if (id.ptr[i] < '0' || id.ptr[i] > '9') {
            number = 0;
            break;
        }
        number = number * 10 + (size_t)(id.ptr[i] - '0');
    }
    if (number >= 1 && number <= job->capture.request_count)
        return &job->capture.requests[number - 1];
    if (id.len == 0)
        mgi_job_fail(job, "request_id is missing: give one of r1 to r%zu",
                     job->capture.request_count);
    else
        mgi_job_fail(job, "there is no request \"%.*s\" in this capture; it has r1 to r%zu",
                     STR_ARG(mgi_utf8_prefix(id, 40)), job->capture.request_count);
    return NULL;
}

static void put_headers(struct job *job, const char *name, const struct json *headers)
{
    size_t count = headers && headers->type == JSON_ARRAY ? headers->count : 0;
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count && i < HEADERS_SHOWN; i++) {
        struct str header = mgi_member_string(&headers->items[i], "name");
        struct str value = mgi_member_string(&headers->items[i], "value");
        mgi_jw_begin_object(&job->out);
        mgi_put_text(job, "name", header);
        if (mgi_is_secret(header))
            mgi_jw_member_cstr(&job->out, "value",
                               mgi_arena_printf(job->arena, "(hidden, %zu bytes)", value.len));
        else
            mgi_put_text(job, "value", mgi_mask_kept_header(job->arena, header, value));
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
}

static bool request_headers(struct job *job)
{
    const struct request *r = chosen_request(job);
    if (!r)
        return false;
    mgi_jw_key(&job->out, "request");
    mgi_put_request(job, r);
    put_headers(job, "sent", mgi_json_get(mgi_json_get(r->entry, "request"), "headers"));
    put_headers(job, "received", mgi_json_get(mgi_json_get(r->entry, "response"), "headers"));
    mgi_put_frames(job, "initiator", r->frames, r->frame_count);
    return true;
}

static bool response_body(struct job *job)
{
    const struct request *r = chosen_request(job);
    if (!r)
        return false;
    const struct json *content = mgi_json_get(mgi_json_get(r->entry, "response"), "content");
    const struct json *text = mgi_json_get(content, "text");
    mgi_jw_key(&job->out, "request");
    mgi_put_request(job, r);
    mgi_put_text(job, "content_type", r->mime);
    mgi_jw_key(&job->out, "body");
    if (!text || text->type != JSON_STRING) {
        mgi_jw_null(&job->out);
        mgi_jw_member_cstr(&job->out, "note", "the capture does not hold this body");
        return true;
    }
    bool base64 = mgi_json_get(content, "encoding") != NULL;
    struct str plain = base64 ? text->string : mgi_mask_kept_body(job->arena, text->string);
    struct str shown = mgi_utf8_prefix(plain, BODY_SHOWN_BYTES);
    mgi_jw_string(&job->out, shown);
    mgi_jw_member_int(&job->out, "bytes", (int64_t)text->string.len);
    mgi_jw_member_bool(&job->out, "cut", shown.len < plain.len);
    mgi_jw_member_bool(&job->out, "base64", base64);
    return true;
}

static void put_phases(struct job *job, const struct json *timings)
{
    static const char *const phases[] = { "blocked", "dns",  "connect", "ssl",
                                          "send",    "wait", "receive" };
    mgi_jw_key(&job->out, "phases_ms");
    mgi_jw_begin_object(&job->out);
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        const struct json *v = mgi_json_get(timings, phases[i]);
        double ms = v && v->type == JSON_INT     ? (double)v->integer
                    : v && v->type == JSON_FLOAT ? v->number
                                                 : 0;
        if (ms > 0) {
            mgi_jw_key(&job->out, phases[i]);
            mgi_jw_float(&job->out, ms);
        }
    }
    mgi_jw_end_object(&job->out);
}

static bool timing_waterfall(struct job *job)
{
    const struct capture *c = &job->capture;
    int64_t limit;
    if (!mgi_job_limit(job, &limit))
        return false;
    mgi_jw_key(&job->out, "waterfall");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < c->request_count && i < (size_t)limit; i++) {
        const struct request *r = &c->requests[i];
        mgi_jw_begin_object(&job->out);
        mgi_put_request_id(job, "request_id", r);
        mgi_put_text(job, "url", mgi_url_shown(c, r->url));
        mgi_put_ms(job, "start_ms", r->start_ns - c->requests[0].start_ns);
        mgi_put_ms(job, "duration_ms", r->end_ns - r->start_ns);
        put_phases(job, mgi_json_get(r->entry, "timings"));
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", (int64_t)c->request_count);
    return true;
}

#define REQUEST_ID "\"request_id\":{\"type\":\"string\",\"pattern\":\"^r[0-9]+$\"}"

static const struct browser_action network_actions[] = {
    { "AID.BROWSER.NETWORK_QUERY.v1", "query_network",
      "Requests by address, method, kind and status.", "browser.network", "none",
      "\"url_contains\":{\"type\":\"string\"},\"method\":{\"type\":\"string\"},"
      "\"kind\":{\"type\":\"string\",\"enum\":[\"data\",\"script\",\"asset\",\"document\","
      "\"other\"]},"
      "\"status\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":999}," INPUT_LIMIT,
      query_network },
    { "AID.BROWSER.NETWORK_SUMMARY.v1", "summarize_network",
      "How many requests there were, how many failed or were slow, and the slowest.",
      "browser.network", "none", "", summarize_network },
    { "AID.BROWSER.NETWORK_FAILED.v1", "failed_requests",
      "Requests with a status of 400 and above, or without an answer.", "browser.network", "none",
      INPUT_LIMIT
      ",\"include_suspicious\":{\"type\":\"boolean\",\"default\":false,\"description\":\"also "
      "successes without data, with a page of HTML, or with an error in the body\"}",
      failed_requests },
    { "AID.BROWSER.NETWORK_SLOW.v1", "slow_requests", "Requests that took long, the slowest first.",
      "browser.network", "none",
      INPUT_LIMIT
      ",\"threshold_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":3600000,\"default\":1000}",
      slow_requests },
    { "AID.BROWSER.NETWORK_BY_STATUS.v1", "group_requests_by_status", "Requests counted by status.",
      "browser.network", "none", "", group_by_status },
    { "AID.BROWSER.NETWORK_BY_TYPE.v1", "group_requests_by_type",
      "Requests counted by content type.", "browser.network", "none", "", group_by_type },
    { "AID.BROWSER.NETWORK_HEADERS.v1", "request_headers",
      "One request's headers and who asked for it; credentials are hidden.", "browser.network",
      "none", REQUEST_ID, request_headers },
    { "AID.BROWSER.NETWORK_BODY.v1", "response_body", "The body of one answer, if it was recorded.",
      "browser.network", "none", REQUEST_ID, response_body },
    { "AID.BROWSER.NETWORK_WATERFALL.v1", "timing_waterfall",
      "When each request began, how long it took, and in which phases.", "browser.network", "none",
      INPUT_LIMIT, timing_waterfall },
};
const struct browser_actions mgi_network_actions = {
    network_actions, sizeof network_actions / sizeof network_actions[0]
};
