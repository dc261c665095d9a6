/* The end of reading a trace: requests in order, each with the HAR entry by which the tools read
 * it. A recording and a HAR are judged by the same code in this way (har.c). */
#include "browser.h"

#include <stdlib.h>

static void put_header_list(struct json_writer *w, const struct json *headers)
{
    mgi_jw_key(w, "headers");
    mgi_jw_begin_array(w);
    for (size_t i = 0; headers && headers->type == JSON_OBJECT && i < headers->count; i++) {
        if (headers->members[i].value.type != JSON_STRING)
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", headers->members[i].name);
        mgi_jw_member_str(w, "value", headers->members[i].value.string);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static const struct json *member_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_OBJECT ? v : NULL;
}

static void put_sent(struct json_writer *w, const struct pending *one)
{
    const struct request *r = one->request;
    const struct json *post = mgi_json_get(one->sent, "postData");
    const struct json *headers = one->sent_extra && one->sent_extra->type == JSON_OBJECT
                                     ? one->sent_extra
                                     : member_of(one->sent, "headers");
    mgi_jw_key(w, "request");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "method", r->method);
    mgi_jw_member_str(w, "url", r->url);
    put_header_list(w, headers);
    if (post && post->type == JSON_STRING) {
        mgi_jw_key(w, "postData");
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "text", post->string);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

static void put_received(struct json_writer *w, const struct pending *one)
{
    const struct request *r = one->request;
    const struct json *headers = one->received_extra && one->received_extra->type == JSON_OBJECT
                                     ? one->received_extra
                                     : member_of(one->answer, "headers");
    mgi_jw_key(w, "response");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "status", r->status >= 0 && r->status <= 999 ? r->status : 0);
    mgi_jw_member_str(w, "statusText", mgi_member_string(one->answer, "statusText"));
    put_header_list(w, headers);
    mgi_jw_key(w, "content");
    mgi_jw_begin_object(w);
    int64_t size = one->body_bytes > 0 ? one->body_bytes : (int64_t)one->body.len;
    mgi_jw_member_int(w, "size", one->body_known ? size : r->received_bytes);
    mgi_jw_member_str(w, "mimeType", r->mime);
    if (one->body_known)
        mgi_jw_member_str(w, "text", one->body);
    if (one->body_base64)
        mgi_jw_member_cstr(w, "encoding", "base64");
    mgi_jw_end_object(w);
    mgi_jw_member_str(w, "redirectURL", STR_LIT(""));
    mgi_jw_end_object(w);
}

static void put_phase(struct json_writer *w, const char *name, double from, double to)
{
    mgi_jw_key(w, name);
    mgi_jw_float(w, from >= 0 && to >= from ? to - from : -1);
}

static void put_phases_of(struct json_writer *w, const struct pending *one)
{
    const struct request *r = one->request;
    const struct json *t = one->timing;
    int64_t end = r->end_ns > 0 ? r->end_ns : r->start_ns;
    double receive = r->answer_ns > 0 ? (double)(end - r->answer_ns) / (double)NS_PER_MS : 0;
    mgi_jw_key(w, "timings");
    mgi_jw_begin_object(w);
    put_phase(w, "dns", mgi_member_number(t, "dnsStart", -1), mgi_member_number(t, "dnsEnd", -1));
    put_phase(w, "connect", mgi_member_number(t, "connectStart", -1),
              mgi_member_number(t, "connectEnd", -1));
    put_phase(w, "ssl", mgi_member_number(t, "sslStart", -1), mgi_member_number(t, "sslEnd", -1));
    put_phase(w, "send", mgi_member_number(t, "sendStart", -1),
              mgi_member_number(t, "sendEnd", -1));
    put_phase(w, "wait", mgi_member_number(t, "sendEnd", -1),
              mgi_member_number(t, "receiveHeadersEnd", -1));
    mgi_jw_key(w, "receive");
    mgi_jw_float(w, receive > 0 ? receive : 0);
    mgi_jw_end_object(w);
}

static const char *type_name_of(struct str kind)
{
    static const struct {
        const char *kind, *type;
    } known[] = {
        { "data", "fetch" },     { "script", "script" },     { "image", "image" },
        { "font", "font" },      { "media", "media" },       { "style", "stylesheet" },
        { "frame", "document" }, { "document", "document" },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(kind, known[i].kind))
            return known[i].type;
    return "other";
}

static void put_entry(struct json_writer *w, const struct pending *one)
{
    const struct request *r = one->request;
    char time[TIME_TEXT_BYTES];
    size_t len = mgi_time_format(time, r->start_ns);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "startedDateTime", (struct str){ time, len });
    mgi_jw_key(w, "time");
    mgi_jw_float(w, r->end_ns > r->start_ns ? (double)(r->end_ns - r->start_ns) / (double)NS_PER_MS
                                            : 0);
    put_sent(w, one);
    put_received(w, one);
    put_phases_of(w, one);
    if (one->initiator) {
        mgi_jw_key(w, "_initiator");
        mgi_jw_value(w, one->initiator);
    }
    mgi_jw_member_cstr(w, "_resourceType", type_name_of(r->kind));
    if (r->error.len > 0)
        mgi_jw_member_str(w, "_error", r->error);
    mgi_jw_end_object(w);
}

static bool make_entry(struct page *p, struct pending *one)
{
    struct request *r = one->request, judged;
    struct json_writer w;
    struct buf text;
    struct json *entry = mgi_arena_alloc(p->job->arena, sizeof *entry);
    if (!entry)
        return false;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    put_entry(&w, one);
    if (!mgi_json_take(p->job->arena, &text, entry)) {
        p->job->arena->oom = true;
        return false;
    }
    struct buf ignored;
    mgi_buf_init(&ignored);
    struct problems unseen = { .text = &ignored };
    bool ok = mgi_har_entry(p->job, &unseen, 0, entry, &judged);
    mgi_buf_fini(&ignored);
    r->entry = entry;
    r->status_text = mgi_member_string(one->answer, "statusText");
    if (ok) {
        r->resource = judged.resource;
        r->fault = judged.fault;
    }
    if (r->open && r->status == 0)
        r->fault = FAULT_NONE; /* it is under way: rules say when that is too long */
    r->body_cut = one->body_cut;
    return true;
}

/* What tools read as times has to be ordered, whatever the events said. */
static void order_times(struct request *r)
{
    int64_t end = r->end_ns;
    if (r->answer_ns > 0 && r->answer_ns < r->start_ns)
        r->answer_ns = r->start_ns;
    if (end > 0 && end < r->start_ns)
        end = r->start_ns;
    if (end > 0 && r->answer_ns > end)
        r->answer_ns = end;
    if (end == 0)
        end = r->answer_ns > 0 ? r->answer_ns : r->start_ns;
    r->end_ns = end;
    if (r->answer_ns == 0)
        r->answer_ns = end;
}

static int by_sending(const void *a, const void *b)
{
    const struct pending *x = *(const struct pending *const *)a;
    const struct pending *y = *(const struct pending *const *)b;
    if (x->request->start_ns != y->request->start_ns)
        return x->request->start_ns < y->request->start_ns ? -1 : 1;
    return x->request->number < y->request->number ? -1 : 1; /* as they were announced */
}

static struct str url_of_page(const struct page *p)
{
    const struct capture *c = p->capture;
    if (c->url.len > 0)
        return c->url;
    for (size_t i = c->request_count; i-- > 0;)
        if (str_is(c->requests[i].kind, "document"))
            return c->requests[i].hop_count > 0
                       ? c->requests[i].hops[c->requests[i].hop_count - 1].to
                       : c->requests[i].url;
    return c->request_count > 0 ? c->requests[0].url : STR_LIT("");
}

/* Requests of documents that are gone are kept, and known as such. */
static void mark_earlier(struct page *p)
{
    struct capture *c = p->capture;
    struct str last = { 0 };
    for (size_t i = 0; i < c->request_count; i++)
        if (str_is(c->requests[i].kind, "document") && c->requests[i].status > 0 &&
            c->requests[i].loader.len > 0)
            last = c->requests[i].loader;
    for (size_t i = 0; last.len > 0 && i < c->request_count; i++) {
        struct request *r = &c->requests[i];
        if (str_eq(r->loader, last))
            break;
        r->earlier = r->loader.len > 0 && !str_is(r->kind, "frame");
    }
}

bool mgi_page_entries(struct page *p)
{
    struct capture *c = p->capture;
    size_t count = 0;
    struct pending **all = mgi_arena_calloc(p->job->arena, p->pendings.count + 1, sizeof *all);
    c->requests = mgi_arena_calloc(p->job->arena, p->pendings.count + 1, sizeof *c->requests);
    if (!all || !c->requests)
        return false;
    for (size_t i = 0; i < p->pendings.count; i++) {
        struct pending *one = p->pendings.items[i];
        if (!one->request || one->request->start_ns == 0)
            continue;
        one->request->number = count; /* until they are sorted */
        all[count++] = one;
    }
    if (count > 1)
        qsort(all, count, sizeof(struct pending *), by_sending);
    for (size_t i = 0; i < count; i++) {
        order_times(all[i]->request);
        if (!make_entry(p, all[i]))
            return false;
        all[i]->request->number = i + 1;
        c->requests[i] = *all[i]->request;
    }
    c->request_count = count;
    c->url = url_of_page(p);
    mark_earlier(p);
    c->session = STR_LIT("page_1");
    return true;
}
