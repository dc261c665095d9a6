/* Which messages are kept, and what of them: the members that page*.c read. */
#include "trace_int.h"

#define SCALAR_BYTES    2000
#define TEXT_BYTES_KEPT 8000
#define BODY_BYTES      (256u * 1024)
#define JSON_BYTES      (64u * 1024)
#define STACK_FRAMES    40
#define HEADERS_KEPT    80
#define ITEMS_KEPT      200

#define RESPONSE                                                                                   \
    "url:u status statusText headers:h mimeType fromDiskCache fromServiceWorker "                  \
    "fromPrefetchCache protocol timing{requestTime dnsStart dnsEnd connectStart connectEnd "       \
    "sslStart sslEnd sendStart sendEnd receiveHeadersStart receiveHeadersEnd}"
#define INITIATOR "initiator{type url:u lineNumber columnNumber requestId stack:s}"

static const struct trace_method methods[] = {
    { "Network.requestWillBeSent", WORTH_REQUESTS,
      "requestId loaderId documentURL:u request{url:u method headers:h postData:b hasPostData "
      "mixedContentType} timestamp wallTime " INITIATOR " redirectResponse{" RESPONSE
      "} type frameId hasUserGesture" },
    { "Network.requestWillBeSentExtraInfo", WORTH_REQUESTS,
      "requestId headers:h associatedCookies{blockedReasons:j cookie{name domain path secure "
      "httpOnly sameSite}}" },
    { "Network.responseReceived", WORTH_REQUESTS,
      "requestId loaderId timestamp type frameId response{" RESPONSE "}" },
    { "Network.responseReceivedExtraInfo", WORTH_REQUESTS,
      "requestId headers:h statusCode blockedCookies{blockedReasons:j cookieLine:c}" },
    { "Network.loadingFinished", WORTH_REQUESTS, "requestId timestamp encodedDataLength" },
    { "Network.loadingFailed", WORTH_REQUESTS,
      "requestId timestamp type errorText canceled blockedReason corsErrorStatus{corsError "
      "failedParameter}" },
    { "Network.requestServedFromCache", WORTH_REQUESTS, "requestId" },
    { "Network.webSocketCreated", WORTH_REQUESTS, "requestId url:u " INITIATOR },
    { "Network.webSocketWillSendHandshakeRequest", WORTH_REQUESTS,
      "requestId timestamp wallTime request{headers:h}" },
    { "Network.webSocketHandshakeResponseReceived", WORTH_REQUESTS,
      "requestId timestamp response{status statusText headers:h}" },
    { "Network.webSocketFrameReceived", WORTH_FRAMES,
      "requestId timestamp response{opcode payloadData:b}" },
    { "Network.webSocketFrameSent", WORTH_FRAMES,
      "requestId timestamp response{opcode payloadData:b}" },
    { "Network.webSocketFrameError", WORTH_REQUESTS, "requestId timestamp errorMessage:t" },
    { "Network.webSocketClosed", WORTH_REQUESTS, "requestId timestamp" },
    { "Network.eventSourceMessageReceived", WORTH_FRAMES,
      "requestId timestamp eventName eventId data:b" },
    { "Runtime.consoleAPICalled", WORTH_CHATTER,
      "type args{type subtype className value:v unserializableValue description:t "
      "preview{subtype properties{name value:v}}} timestamp stackTrace:s" },
    { "Runtime.exceptionThrown", WORTH_ERRORS,
      "timestamp exceptionDetails{exceptionId text:t lineNumber columnNumber scriptId url:u "
      "stackTrace:s exception{type subtype className description:t value:t "
      "unserializableValue preview{subtype properties{name value:v}}}}" },
    { "Runtime.exceptionRevoked", WORTH_ERRORS, "reason exceptionId" },
    { "Log.entryAdded", WORTH_ERRORS,
      "entry{source level text:t timestamp url:u lineNumber networkRequestId stackTrace:s}" },
    { "Audits.issueAdded", WORTH_ERRORS,
      "issue{code details{*{errorType "
      "contentSecurityPolicyViolationType reason resolutionStatus violationType type code "
      "message:t "
      "violatedDirective blockedURL:u isReportOnly sourceCodeLocation{url:u lineNumber} "
      "request{requestId url:u} corsErrorStatus{corsError failedParameter} cookie{name} "
      "cookieExclusionReasons:j}}}" },
    { "Page.frameNavigated", WORTH_PAGE,
      "frame{id parentId loaderId url:u unreachableUrl:u} type" },
    { "Page.frameDetached", WORTH_PAGE, "frameId reason" },
    { "Page.frameRequestedNavigation", WORTH_PAGE, "frameId reason url:u" },
    { "Page.frameStartedNavigating", WORTH_PAGE, "frameId url:u loaderId navigationType" },
    { "Page.navigatedWithinDocument", WORTH_PAGE, "frameId url:u navigationType" },
    { "Page.loadEventFired", WORTH_PAGE, "timestamp" },
    { "Page.javascriptDialogOpening", WORTH_PAGE, "url:u message:t type" },
    { "Page.javascriptDialogClosed", WORTH_PAGE, "result" },
    { "Debugger.scriptParsed", WORTH_ERRORS,
      "scriptId url:u startLine isModule stackTrace:s length" },
    { "Inspector.targetCrashed", WORTH_PAGE, "" },
    { "Target.targetCrashed", WORTH_PAGE, "status errorCode" },
    { "Machina.navigated", WORTH_PAGE, "url:u frameId loaderId errorText" },
    { "Machina.body", WORTH_BODIES, "requestId text:b base64 length cut" },
    { "Machina.state", WORTH_PAGE,
      "url:u title:t ready state visibility text:t shown{kind text:t} "
      "elements names:j undefined:j invalid{target message visible}" },
    { "Machina.room", WORTH_PAGE,
      "flat{target parent why:t count side} unstyled{target count flat} places{target word}" },
    { "Machina.veil", WORTH_PAGE, "veiled{target how by:t text:t count}" },
    { "Machina.counters", WORTH_PAGE,
      "collected documents nodes jsEventListeners heap timers sockets "
      "layouts mutations" },
    { "Machina.quota", WORTH_PAGE,
      "usage quota local_storage session_storage usageBreakdown{storageType usage}" },
    { "Machina.metrics", WORTH_CHANGES, "Nodes JSEventListeners LayoutCount JSHeapUsedSize" },
    { "Machina.source", WORTH_ERRORS, "scriptId url:u line column first column_from lines:l" },
    { "Machina.lost", WORTH_PAGE, "" },
    { "Machina.repeated", WORTH_PAGE, "key count last per_second" },
    { "Runtime.bindingCalled", WORTH_CHANGES, "name payload" },
    /* What the helper in the page tells; the kinds of page_told.c. */
    { "Machina.input", WORTH_PAGE,
      "k t type target text:t message:t trusted shown heard within row:t stack:t" },
    { "Machina.submitted", WORTH_PAGE, "k t target prevented method action:u" },
    { "Machina.visibility", WORTH_PAGE, "k t state" },
    { "Machina.longtask", WORTH_ERRORS, "k t ms start script:u" },
    { "Machina.frame", WORTH_PAGE,
      "k t ms start laid scripts{url:u name:t at by:t type start ms layout paused}" },
    { "Machina.busy", WORTH_PAGE, "k frames{script name:t line column}" },
    { "Machina.spent", WORTH_PAGE, "k at layout layouts" },
    { "Machina.held", WORTH_PAGE, "k bytes stackTrace:s" },
    { "Machina.shift", WORTH_CHANGES, "k t value" },
    { "Machina.mutations", WORTH_CHANGES, "k t target per_second turns same" },
    { "Machina.changes", WORTH_CHANGES, "k t count content built turns gone came ms nodes" },
    { "Machina.abort", WORTH_PAGE, "k t stack:t reason:t" },
    { "Machina.caught", WORTH_ERRORS, "k name description:t uncaught stackTrace:s" },
    { "Machina.again", WORTH_PAGE, "k t type target count stack:t" },
    { "Machina.missing", WORTH_PAGE, "k t selector:t stack:t" },
    { "Machina.unheard", WORTH_PAGE, "k t type heard:t stack:t" },
    { "Machina.drawn", WORTH_PAGE, "k t target stack:t" },
    { "Machina.piles", WORTH_PAGE, "k t target count stack:t" },
    { "Machina.defined", WORTH_PAGE, "k t type stack:t" },
    { "Machina.deed", WORTH_PAGE, "k t what target name:t text:t count stack:t" },
    { "Machina.streams", WORTH_PAGE, "k t url:u type stack:t" },
};

const struct trace_method *mgi_trace_method(struct str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (str_is(name, methods[i].name))
            return &methods[i];
    return NULL;
}

/* ---- values -------------------------------------------------------------------------------- */

static void put_with(struct json_writer *w, struct str text, size_t most,
                     void (*mask)(struct buf *out, struct str text))
{
    struct buf masked;
    mgi_buf_init(&masked);
    mask(&masked, mgi_utf8_prefix(text, most));
    mgi_jw_string(w, mgi_buf_view(&masked));
    w->out->oom |= masked.oom;
    mgi_buf_fini(&masked);
}

static void put_header_object(struct json_writer *w, const struct json *headers)
{
    mgi_jw_begin_object(w);
    for (size_t i = 0; headers->type == JSON_OBJECT && i < headers->count && i < HEADERS_KEPT;
         i++) {
        const struct json *value = &headers->members[i].value;
        struct buf masked;
        if (value->type != JSON_STRING)
            continue;
        mgi_buf_init(&masked);
        mgi_mask_header(&masked, headers->members[i].name,
                        mgi_utf8_prefix(value->string, SCALAR_BYTES));
        mgi_jw_key_str(w, headers->members[i].name);
        mgi_jw_string(w, mgi_buf_view(&masked));
        w->out->oom |= masked.oom;
        mgi_buf_fini(&masked);
    }
    mgi_jw_end_object(w);
}

static int64_t place_number(const struct json *frame, const char *name)
{
    double n = mgi_member_number(frame, name, -1);
    return n >= 0 && n < 1e9 ? (int64_t)n : -1;
}

static void put_call_frames(struct json_writer *w, const struct json *frames, size_t *room)
{
    mgi_jw_key(w, "callFrames");
    mgi_jw_begin_array(w);
    for (size_t i = 0; frames && frames->type == JSON_ARRAY && i<frames->count && * room> 0; i++) {
        const struct json *f = &frames->items[i];
        (*room)--;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "functionName",
                          mgi_utf8_prefix(mgi_member_string(f, "functionName"), 200));
        mgi_jw_key(w, "url");
        put_with(w, mgi_member_string(f, "url"), SCALAR_BYTES, mgi_mask_url);
        mgi_jw_key(w, "lineNumber");
        mgi_jw_int(w, place_number(f, "lineNumber"));
        mgi_jw_key(w, "columnNumber");
        mgi_jw_int(w, place_number(f, "columnNumber"));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* A stack and its asynchronous parents, nested as they are. */
static void put_stack(struct json_writer *w, const struct json *stack)
{
    size_t room = STACK_FRAMES, depth = 0;
    for (; stack && stack->type == JSON_OBJECT && room > 0; depth++) {
        if (depth > 0)
            mgi_jw_key(w, "parent");
        mgi_jw_begin_object(w);
        struct str how = mgi_member_string(stack, "description");
        if (how.len > 0)
            mgi_jw_member_str(w, "description", mgi_utf8_prefix(how, 80));
        put_call_frames(w, mgi_json_get(stack, "callFrames"), &room);
        stack = mgi_json_get(stack, "parent");
    }
    if (depth == 0)
        mgi_jw_null(w);
    for (; depth > 0; depth--)
        mgi_jw_end_object(w);
}

static void put_json(struct json_writer *w, const struct json *v)
{
    if (v->text.len > JSON_BYTES)
        mgi_jw_null(w);
    else
        mgi_jw_value(w, v);
}

static void put_scalar(struct json_writer *w, const struct json *v)
{
    if (v->type == JSON_STRING)
        mgi_jw_string(w, mgi_utf8_prefix(v->string, SCALAR_BYTES));
    else if (v->type < JSON_STRING)
        mgi_jw_value(w, v);
    else
        mgi_jw_null(w);
}

/* Text that something names: {"name":"password","value":...}, or "token:" and what follows it. */
static void put_named(struct json_writer *w, const struct json *object, const struct json *before,
                      struct str text)
{
    struct str name = mgi_member_string(object, "name"), lead = mgi_member_string(before, "value");
    struct buf masked;
    mgi_buf_init(&masked);
    text = mgi_utf8_prefix(text, TEXT_BYTES_KEPT);
    if (mgi_is_secret(name))
        mgi_mask_value(&masked, text);
    else
        mgi_mask_after(&masked, lead, text);
    mgi_jw_string(w, mgi_buf_view(&masked));
    w->out->oom |= masked.oom;
    mgi_buf_fini(&masked);
}

/* Lines of code, of which only what is given to a secret name is one. */
static void put_code_lines(struct json_writer *w, const struct json *lines)
{
    mgi_jw_begin_array(w);
    for (size_t i = 0; lines->type == JSON_ARRAY && i < lines->count && i < ITEMS_KEPT; i++)
        if (lines->items[i].type == JSON_STRING)
            put_with(w, lines->items[i].string, TEXT_BYTES_KEPT, mgi_mask_code);
    mgi_jw_end_array(w);
}

static void put_handled(struct json_writer *w, const struct json *v, char how)
{
    bool text = v->type == JSON_STRING;
    if (how == 'h')
        put_header_object(w, v);
    else if (how == 's')
        put_stack(w, v);
    else if (how == 'l')
        put_code_lines(w, v);
    else if (how == 'j')
        put_json(w, v);
    else if (!text)
        put_scalar(w, v);
    else if (how == 'u')
        put_with(w, v->string, SCALAR_BYTES * 2, mgi_mask_url);
    else if (how == 'b')
        put_with(w, v->string, BODY_BYTES, mgi_mask_body);
    else if (how == 'c')
        put_with(w, v->string, SCALAR_BYTES, mgi_mask_set_cookie);
    else
        put_with(w, v->string, TEXT_BYTES_KEPT, mgi_mask_text);
}

/* ---- members ------------------------------------------------------------------------------- */

/* Behind the "}" that closes the list at `spec`. */
static const char *behind_list(const char *spec)
{
    int depth = 1;
    for (; *spec && depth > 0; spec++)
        depth += (*spec == '{') - (*spec == '}');
    return spec;
}

/* Recursion here follows the lists above, which are few deep, never the input. */
static void put_members(struct json_writer *w, const struct json *object, const struct json *before,
                        const char *spec);

static void put_list(struct json_writer *w, const struct json *v, const char *spec)
{
    if (v->type != JSON_ARRAY) {
        put_members(w, v, NULL, spec);
        return;
    }
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < v->count && i < ITEMS_KEPT; i++)
        put_members(w, &v->items[i], i > 0 ? &v->items[i - 1] : NULL, spec);
    mgi_jw_end_array(w);
}

/* *{...}: each member that is an object. */
static const char *put_each(struct json_writer *w, const struct json *object, const char *spec)
{
    for (size_t i = 0; object->type == JSON_OBJECT && i < object->count && i < ITEMS_KEPT; i++) {
        if (object->members[i].value.type != JSON_OBJECT)
            continue;
        mgi_jw_key_str(w, object->members[i].name);
        put_members(w, &object->members[i].value, NULL, spec);
    }
    return behind_list(spec);
}

static const char *put_member(struct json_writer *w, const struct json *object,
                              const struct json *before, const char *spec)
{
    size_t len = strcspn(spec, " {:}");
    if (spec[0] == '*')
        return put_each(w, object, spec + 2);
    struct str name = { spec, len };
    const struct json *v = mgi_json_get_str(object, name);
    char what = spec[len];
    const char *next =
        what == '{' ? behind_list(spec + len + 1) : spec + len + (what == ':' ? 2 : 0);
    if (!v || v->type == JSON_NULL)
        return next;
    mgi_jw_key_str(w, name);
    if (what == '{')
        put_list(w, v, spec + len + 1);
    else if (what == ':' && spec[len + 1] == 'v' && v->type == JSON_STRING)
        put_named(w, object, before, v->string);
    else if (what == ':')
        put_handled(w, v, spec[len + 1]);
    else
        put_scalar(w, v);
    return next;
}

static void put_members(struct json_writer *w, const struct json *object, const struct json *before,
                        const char *spec)
{
    mgi_jw_begin_object(w);
    while (*spec && *spec != '}')
        spec = *spec == ' ' ? spec + 1 : put_member(w, object, before, spec);
    mgi_jw_end_object(w);
}

/* Bytes that are no text are not worth their room: only how many there were. */
static bool is_binary_body(const struct trace_method *method, const struct json *params)
{
    return strcmp(method->name, "Machina.body") == 0 && mgi_json_get(params, "base64");
}

void mgi_trace_trim(struct buf *out, const struct trace_method *method, const struct json *params,
                    struct str key)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    if (is_binary_body(method, params)) {
        double length = mgi_member_number(params, "length", -1);
        struct str bytes = mgi_member_string(params, "base64");
        mgi_jw_member_str(&w, "requestId", mgi_member_string(params, "requestId"));
        mgi_jw_member_str(&w, "base64", STR_LIT(""));
        mgi_jw_member_int(&w, "length",
                          length >= 0 && length < 1e15 ? (int64_t)length
                                                       : (int64_t)(bytes.len / 4 * 3));
    } else {
        const char *spec = method->members;
        while (*spec)
            spec = *spec == ' ' ? spec + 1 : put_member(&w, params, NULL, spec);
        struct str post = mgi_member_string(mgi_json_get(params, "request"), "postData");
        if (post.len > 0) /* a mask is of another length */
            mgi_jw_member_int(&w, "sent_bytes", (int64_t)post.len);
        if (mgi_member_string(params, "text").len > BODY_BYTES)
            mgi_jw_member_bool(&w, "cut_here", true);
    }
    if (key.len > 0)
        mgi_jw_member_str(&w, "key", key);
    mgi_jw_end_object(&w);
}
