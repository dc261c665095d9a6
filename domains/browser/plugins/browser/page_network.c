/* Network events: what was asked for, how it was answered or why not. */
#include "browser.h"

#include "base/strmap.h"

struct pending *mgi_page_pending(struct page *p, struct str id, bool make)
{
    uint32_t index;
    if (id.len == 0)
        return NULL;
    if (mgi_strmap_get(p->ids, id, &index))
        return p->pendings.items[index];
    if (!make || p->pendings.count > UINT32_MAX / 2)
        return NULL;
    struct pending *one = mgi_arena_calloc(p->job->arena, 1, sizeof *one);
    struct pending **slot = one ? mgi_list_add(p->job->arena, &p->pendings) : NULL;
    if (!slot)
        return NULL;
    one->id = id;
    *slot = one;
    if (!mgi_strmap_put(p->ids, id, (uint32_t)(p->pendings.count - 1))) {
        p->job->arena->oom = true;
        p->pendings.count--;
        return NULL;
    }
    return one;
}

static struct str kind_of_type(const struct page *p, struct str type, struct str frame)
{
    static const struct {
        const char *type, *kind;
    } known[] = {
        { "Stylesheet", "style" },   { "Image", "image" },
        { "Media", "media" },        { "TextTrack", "media" },
        { "Font", "font" },          { "Script", "script" },
        { "XHR", "data" },           { "Fetch", "data" },
        { "EventSource", "stream" }, { "WebSocket", "socket" },
        { "Ping", "beacon" },        { "CSPViolationReport", "beacon" },
        { "Prefetch", "prefetch" },  { "Preflight", "preflight" },
    };
    if (str_is(type, "Document"))
        return p->main_frame.len == 0 || frame.len == 0 || str_eq(frame, p->main_frame)
                   ? STR_LIT("document")
                   : STR_LIT("frame");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(type, known[i].type))
            return str_of(known[i].kind);
    return STR_LIT("other");
}

/* A worker's own script is its document, and of no other: it is told as a script. */
static bool is_worker(const struct event *e, struct str url)
{
    return str_is(mgi_member_string(e->params, "type"), "Script") &&
           mgi_member_string(e->params, "loaderId").len == 0 &&
           str_eq(mgi_member_string(e->params, "documentURL"), url);
}

static struct str asked_of(const struct json *initiator, bool gesture)
{
    static const struct {
        const char *type, *asked;
    } known[] = {
        { "parser", "parser" },       { "script", "script" }, { "preload", "preload" },
        { "preflight", "preflight" }, { "FedCM", "script" },  { "SignedExchange", "redirect" },
    };
    struct str type = mgi_member_string(initiator, "type");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(type, known[i].type))
            return str_of(known[i].asked);
    return gesture ? STR_LIT("user") : STR_LIT("other");
}

static int64_t status_of(const struct json *answer)
{
    int64_t status = mgi_member_whole(answer, "status", 0);
    return status >= 0 && status <= 999 ? status : 0;
}

/* ---- announced ----------------------------------------------------------------------------- */

static bool add_hop(struct page *p, struct request *r, const struct event *e)
{
    const struct json *answer = mgi_json_get(e->params, "redirectResponse");
    struct hop *hops = mgi_arena_calloc(p->job->arena, r->hop_count + 1, sizeof *hops);
    if (!hops)
        return false;
    if (r->hop_count > 0)
        memcpy(hops, r->hops, r->hop_count * sizeof *hops);
    hops[r->hop_count] = (struct hop){
        .status = status_of(answer),
        .from = mgi_member_string(answer, "url"),
        .to = mgi_member_string(mgi_json_get(e->params, "request"), "url"),
    };
    r->hops = hops;
    r->hop_count++;
    return true;
}

static bool announce(struct page *p, const struct event *e, struct pending *one)
{
    const struct json *sent = mgi_json_get(e->params, "request");
    if (one->request) {
        one->sent = sent;
        return mgi_json_get(e->params, "redirectResponse") ? add_hop(p, one->request, e) : true;
    }
    struct request *r = mgi_arena_calloc(p->job->arena, 1, sizeof *r);
    if (!r)
        return false;
    double wall = mgi_member_number(e->params, "wallTime", 0);
    one->request = r;
    one->sent = sent;
    one->initiator = mgi_json_get(e->params, "initiator");
    r->id = one->id;
    r->url = mgi_member_string(sent, "url");
    r->method = mgi_member_string(sent, "method");
    r->start_ns = wall > 0 ? mgi_page_ns(wall * 1000) : mgi_event_ns(p, e);
    r->gesture = mgi_member_true(e->params, "hasUserGesture");
    r->loader = mgi_member_string(e->params, "loaderId");
    r->frame_id = mgi_member_string(e->params, "frameId");
    r->asked = asked_of(one->initiator, r->gesture);
    r->kind = is_worker(e, r->url) ? STR_LIT("worker")
                                   : kind_of_type(p, mgi_member_string(e->params, "type"),
                                                  mgi_member_string(e->params, "frameId"));
    r->sent_bytes =
        mgi_member_whole(e->params, "sent_bytes", (int64_t)mgi_member_string(sent, "postData").len);
    r->open = true;
    return mgi_stack_read(p->job, mgi_json_get(one->initiator, "stack"), &r->frames,
                          &r->frame_count);
}

/* A socket is announced without a request: it gets the one that it stands for. */
static bool announce_socket(struct page *p, const struct event *e, struct pending *one)
{
    struct request *r = one->request ? one->request : mgi_arena_calloc(p->job->arena, 1, sizeof *r);
    if (!r)
        return false;
    one->request = r;
    one->initiator = mgi_json_get(e->params, "initiator");
    r->id = one->id;
    r->url = mgi_member_string(e->params, "url");
    r->method = STR_LIT("GET");
    r->kind = STR_LIT("socket");
    r->start_ns = mgi_event_ns(p, e);
    r->asked = asked_of(one->initiator, false);
    r->open = true;
    return mgi_stack_read(p->job, mgi_json_get(one->initiator, "stack"), &r->frames,
                          &r->frame_count);
}

bool mgi_page_announced(struct page *p, const struct event *e)
{
    bool socket = str_is(e->method, "Network.webSocketCreated");
    if (!socket && !str_is(e->method, "Network.requestWillBeSent"))
        return true;
    struct str id = mgi_member_string(e->params, "requestId");
    struct str url = socket ? mgi_member_string(e->params, "url")
                            : mgi_member_string(mgi_json_get(e->params, "request"), "url");
    if (id.len == 0 || url.len == 0 || mgi_str_starts(url, STR_LIT("data:")) ||
        mgi_str_starts(url, STR_LIT("chrome-extension:")))
        return true;
    struct pending *one = mgi_page_pending(p, id, true);
    if (!one)
        return false;
    return socket ? announce_socket(p, e, one) : announce(p, e, one);
}

/* ---- answered ------------------------------------------------------------------------------ */

static struct str source_of(const struct json *answer, struct str before)
{
    if (mgi_member_true(answer, "fromServiceWorker"))
        return STR_LIT("service_worker");
    if (mgi_member_true(answer, "fromPrefetchCache"))
        return STR_LIT("prefetch");
    if (mgi_member_true(answer, "fromDiskCache"))
        return STR_LIT("disk_cache");
    return before.len > 0 ? before : STR_LIT("network");
}

/* The head came when the network says so; the event itself waits for the page's own thread. */
static int64_t head_ns(const struct page *p, const struct event *e, const struct json *timing)
{
    double asked = mgi_member_number(timing, "requestTime", 0);
    double after_ms = mgi_member_number(timing, "receiveHeadersEnd", -1);
    if (asked > 0 && asked < 1e9 && after_ms >= 0 && p->offset_known)
        return mgi_page_ns(asked * 1000 + after_ms + p->offset_ms);
    return mgi_event_ns(p, e);
}

static bool answered(struct page *p, const struct event *e, struct pending *one)
{
    struct request *r = one->request;
    one->answer = mgi_json_get(e->params, "response");
    one->timing = mgi_json_get(one->answer, "timing");
    r->status = status_of(one->answer);
    r->mime = mgi_member_string(one->answer, "mimeType");
    r->answer_ns = head_ns(p, e, one->timing);
    r->from = source_of(one->answer, r->from);
    struct str kind = kind_of_type(p, mgi_member_string(e->params, "type"),
                                   mgi_member_string(e->params, "frameId"));
    if (str_is(r->kind, "other"))
        r->kind = kind;
    return true;
}

static bool finished(struct page *p, const struct event *e, struct pending *one)
{
    one->request->end_ns = mgi_event_ns(p, e);
    one->request->open = false;
    one->request->received_bytes = mgi_member_whole(e->params, "encodedDataLength", 0);
    return true;
}

/* The header that a CORS error is about; the browser names only the error. */
static struct str cors_header_of(struct str reason)
{
    static const struct {
        const char *part, *header;
    } known[] = {
        { "AllowOrigin", "access-control-allow-origin" },
        { "MultipleAllowOriginValues", "access-control-allow-origin" },
        { "WildcardOriginNotAllowed", "access-control-allow-origin" },
        { "AllowCredentials", "access-control-allow-credentials" },
        { "MethodDisallowed", "access-control-allow-methods" },
        { "AllowMethods", "access-control-allow-methods" },
        { "HeaderDisallowed", "access-control-allow-headers" },
        { "AllowHeaders", "access-control-allow-headers" },
        { "AllowPrivateNetwork", "access-control-allow-private-network" },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (mgi_contains(reason, known[i].part))
            return str_of(known[i].header);
    return STR_LIT("");
}

static bool failed(struct page *p, const struct event *e, struct pending *one)
{
    struct request *r = one->request;
    const struct json *cors = mgi_json_get(e->params, "corsErrorStatus");
    r->end_ns = mgi_event_ns(p, e);
    r->open = false;
    r->error = mgi_member_string(e->params, "errorText");
    r->blocked = mgi_member_string(e->params, "blockedReason");
    r->cancelled = mgi_member_true(e->params, "canceled");
    if (cors) {
        r->cors = mgi_member_string(cors, "corsError");
        struct str named = mgi_member_string(cors, "failedParameter");
        r->cors_header = cors_header_of(r->cors);
        if (mgi_contains(r->cors, "HeaderDisallowed") && named.len > 0)
            r->cors_header = named; /* which of those that were sent */
    }
    /* Chromium ends a refused script so, though nobody cancelled it: the answer says it all. */
    if (r->status >= 400 && mgi_contains(r->error, "ERR_ABORTED")) {
        r->error = STR_LIT("");
        r->cancelled = false;
        return true;
    }
    if (r->error.len == 0)
        r->error = r->cancelled ? STR_LIT("canceled") : STR_LIT("failed");
    return true;
}

/* ---- cookies ------------------------------------------------------------------------------- */

static bool add_cookie(struct page *p, struct request *r, struct cookie_event event)
{
    struct cookie_event *slot = mgi_list_add(p->job->arena, &r->cookies);
    if (!slot)
        return false;
    *slot = event;
    return true;
}

static struct str first_reason(const struct json *item)
{
    const struct json *reasons = mgi_json_get(item, "blockedReasons");
    return reasons && reasons->type == JSON_ARRAY && reasons->count > 0 &&
                   reasons->items[0].type == JSON_STRING
               ? reasons->items[0].string
               : STR_LIT("");
}

/* "name=value; Path=/" -> "name" */
static struct str cookie_name(struct str line)
{
    size_t end = 0;
    while (end < line.len && line.ptr[end] != '=' && line.ptr[end] != ';')
        end++;
    return mgi_str_trim((struct str){ line.ptr, end }, " \t");
}

static bool cookies_not_sent(struct page *p, struct request *r, const struct json *all)
{
    for (size_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++) {
        struct str reason = first_reason(&all->items[i]);
        struct str name = mgi_member_string(mgi_json_get(&all->items[i], "cookie"), "name");
        /* That a cookie is for another host is how cookies work. */
        if (reason.len == 0 || name.len == 0 || str_is(reason, "DomainMismatch"))
            continue;
        if (!add_cookie(p, r,
                        (struct cookie_event){ .name = name, .reason = reason, .sent = true }))
            return false;
    }
    return true;
}

static struct str refusal_of(const struct json *blocked, struct str name)
{
    for (size_t i = 0; blocked && blocked->type == JSON_ARRAY && i < blocked->count; i++)
        if (str_eq(cookie_name(mgi_member_string(&blocked->items[i], "cookieLine")), name))
            return first_reason(&blocked->items[i]);
    return STR_LIT("");
}

static const struct json *header_named(const struct json *headers, const char *name)
{
    for (size_t i = 0; headers && headers->type == JSON_OBJECT && i < headers->count; i++)
        if (headers->members[i].name.len == strlen(name) &&
            mgi_contains(headers->members[i].name, name))
            return &headers->members[i].value;
    return NULL;
}

/* "/api" of "name=***; Path=/api; Secure". */
static struct str cookie_path(struct str line)
{
    for (size_t at = 0; at + 6 < line.len; at++) {
        struct str part = mgi_str_trim((struct str){ line.ptr + at + 1, line.len - at - 1 }, " ");
        if (line.ptr[at] != ';' || part.len < 5 ||
            !mgi_contains((struct str){ part.ptr, 5 }, "path="))
            continue;
        const char *end = memchr(part.ptr, ';', part.len);
        size_t len = end ? (size_t)(end - part.ptr) : part.len;
        return (struct str){ part.ptr + 5, len - 5 };
    }
    return STR_LIT("");
}

/* DevTools puts each Set-Cookie on a line of one value. */
static bool cookies_set(struct page *p, struct request *r, const struct json *headers,
                        const struct json *blocked)
{
    const struct json *lines = header_named(headers, "set-cookie");
    struct str rest = lines && lines->type == JSON_STRING ? lines->string : STR_LIT("");
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        struct str line = { rest.ptr, len }, name = cookie_name(line);
        rest = end ? (struct str){ end + 1, rest.len - len - 1 } : STR_LIT("");
        if (name.len > 0 &&
            !add_cookie(p, r,
                        (struct cookie_event){ .name = name,
                                               .reason = refusal_of(blocked, name),
                                               .hidden = mgi_contains(line, "httponly"),
                                               .over = mgi_contains(line, "max-age=0") ||
                                                       mgi_contains(line, "max-age=-") ||
                                                       mgi_contains(line, "jan 1970"),
                                               .path = cookie_path(line) }))
            return false;
    }
    return true;
}

/* ---- sockets and streams ------------------------------------------------------------------- */

static bool add_frame_event(struct page *p, const struct event *e, struct socket_frame frame)
{
    struct socket_frame *slot = mgi_list_add(p->job->arena, &p->capture->more.frames);
    if (!slot)
        return false;
    *slot = frame;
    slot->at_ns = mgi_event_ns(p, e);
    slot->request_id = mgi_member_string(e->params, "requestId");
    return true;
}

static bool socket_said(struct page *p, const struct event *e, bool sent)
{
    const struct json *frame = mgi_json_get(e->params, "response");
    double opcode = mgi_member_number(frame, "opcode", 1);
    struct str text = mgi_member_string(frame, "payloadData");
    if (opcode == 8)
        return add_frame_event(p, e, (struct socket_frame){ .what = FRAME_CLOSED, .text = text });
    if (opcode != 1)
        text = STR_LIT("(binary)");
    return add_frame_event(
        p, e, (struct socket_frame){ .what = sent ? FRAME_SENT : FRAME_RECEIVED, .text = text });
}

static bool socket_event(struct page *p, const struct event *e, struct pending *one)
{
    struct request *r = one->request;
    if (str_is(e->method, "Network.webSocketFrameReceived"))
        return socket_said(p, e, false);
    if (str_is(e->method, "Network.webSocketFrameSent"))
        return socket_said(p, e, true);
    if (str_is(e->method, "Network.webSocketHandshakeResponseReceived")) {
        one->answer = one->handshake = mgi_json_get(e->params, "response");
        r->status = status_of(one->answer);
        r->answer_ns = mgi_event_ns(p, e);
        return true;
    }
    if (str_is(e->method, "Network.webSocketWillSendHandshakeRequest")) {
        double wall = mgi_member_number(e->params, "wallTime", 0);
        one->sent = mgi_json_get(e->params, "request");
        r->start_ns = wall > 0 ? mgi_page_ns(wall * 1000) : r->start_ns;
        return true;
    }
    if (str_is(e->method, "Network.webSocketFrameError")) {
        r->error = mgi_member_string(e->params, "errorMessage");
        return add_frame_event(p, e,
                               (struct socket_frame){ .what = FRAME_FAILED, .text = r->error });
    }
    if (str_is(e->method, "Network.webSocketClosed")) {
        r->end_ns = mgi_event_ns(p, e);
        r->open = false;
        return add_frame_event(p, e, (struct socket_frame){ .what = FRAME_CLOSED });
    }
    return true;
}

/* An answer whose announcement nobody heard: the recorder came late. */
static struct pending *unannounced(struct page *p, const struct event *e)
{
    const struct json *answer = mgi_json_get(e->params, "response");
    struct str id = mgi_member_string(e->params, "requestId");
    struct str url = mgi_member_string(answer, "url");
    if (!str_is(e->method, "Network.responseReceived") || id.len == 0 || url.len == 0 ||
        mgi_str_starts(url, STR_LIT("data:")))
        return NULL;
    struct pending *one = mgi_page_pending(p, id, true);
    struct request *r = one ? mgi_arena_calloc(p->job->arena, 1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    double asked = mgi_member_number(mgi_json_get(answer, "timing"), "requestTime", 0);
    bool known = asked > 0 && asked < 1e9 && p->offset_known;
    *r = (struct request){
        .id = id,
        .url = url,
        .method = STR_LIT("GET"),
        .start_ns = known ? mgi_page_ns(asked * 1000 + p->offset_ms) : mgi_event_ns(p, e),
        .loader = mgi_member_string(e->params, "loaderId"),
        .asked = STR_LIT("other"),
        .kind = kind_of_type(p, mgi_member_string(e->params, "type"),
                             mgi_member_string(e->params, "frameId")),
        .open = true,
    };
    one->request = r;
    return one;
}

bool mgi_page_network(struct page *p, const struct event *e)
{
    struct pending *one = mgi_page_pending(p, mgi_member_string(e->params, "requestId"), false);
    if (!one || !one->request)
        one = unannounced(p, e);
    if (!one || !one->request)
        return true;
    struct request *r = one->request;
    if (str_is(e->method, "Network.responseReceived"))
        return answered(p, e, one);
    if (str_is(e->method, "Network.loadingFinished"))
        return finished(p, e, one);
    if (str_is(e->method, "Network.loadingFailed"))
        return failed(p, e, one);
    if (str_is(e->method, "Network.requestServedFromCache")) {
        r->from = STR_LIT("memory_cache");
        return true;
    }
    if (str_is(e->method, "Network.requestWillBeSentExtraInfo")) {
        one->sent_extra = mgi_json_get(e->params, "headers");
        return cookies_not_sent(p, r, mgi_json_get(e->params, "associatedCookies"));
    }
    if (str_is(e->method, "Network.responseReceivedExtraInfo")) {
        one->received_extra = mgi_json_get(e->params, "headers");
        return cookies_set(p, r, one->received_extra, mgi_json_get(e->params, "blockedCookies"));
    }
    if (str_is(e->method, "Network.eventSourceMessageReceived"))
        return add_frame_event(
            p, e,
            (struct socket_frame){ .what = FRAME_RECEIVED,
                                   .event = mgi_member_string(e->params, "eventName"),
                                   .text = mgi_member_string(e->params, "data") });
    return mgi_str_starts(e->method, STR_LIT("Network.webSocket")) ? socket_event(p, e, one) : true;
}
