/* What the browser says without being asked: on the reader's thread, in order. Everything goes into
 * the trace; some of it is the page's state, which waiters look at; a few things are answered at
 * once, because nobody may be there to: new frames and workers here, the rest in live_policy.c. */
#include <stdio.h>
#include <time.h>

#include "live_int.h"

static struct str member(const struct json *v, const char *name)
{
    return mgi_member_string(v, name);
}

static double wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static void tell(struct live *l, struct str session, const char *method, const char *params)
{
    mgi_talk_tell(l->talk, session, method, str_of(params));
}

/* ---- targets -------------------------------------------------------------------------------- */

static const struct live_target *target_of(const struct live *l, struct str session)
{
    for (size_t i = 0; i < l->target_count; i++)
        if (str_is(session, l->targets[i].session))
            return &l->targets[i];
    return NULL;
}

static bool add_target(struct live *l, struct str session, struct str target, char kind)
{
    if (l->target_count >= LIVE_TARGETS || session.len >= LIVE_ID_MAX || target.len >= LIVE_ID_MAX)
        return false;
    struct live_target *t = &l->targets[l->target_count++];
    snprintf(t->session, sizeof t->session, "%.*s", STR_ARG(session));
    snprintf(t->target, sizeof t->target, "%.*s", STR_ARG(target));
    snprintf(t->name, sizeof t->name, "%c%zu", kind, ++l->targets_seen % 100000);
    return true;
}

static void take_attached(struct live *l, const struct json *params)
{
    const struct json *about = mgi_json_get(params, "targetInfo");
    struct str session = member(params, "sessionId"), type = member(about, "type");
    bool frame = str_is(type, "iframe"), page = str_is(type, "page");
    pthread_mutex_lock(&l->lock);
    bool known = target_of(l, session) != NULL;
    bool added =
        !known && !page && add_target(l, session, member(about, "targetId"), frame ? 'f' : 'w');
    pthread_mutex_unlock(&l->lock);
    if (added)
        mgi_live_listen(l, session, frame);
    if (!known && !added) {
        mgi_live_guard(l, session);
        tell(l, session, "Runtime.runIfWaitingForDebugger", "");
    }
}

static void take_detached(struct live *l, const struct json *params)
{
    struct str session = member(params, "sessionId");
    pthread_mutex_lock(&l->lock);
    for (size_t i = 1; i < l->target_count; i++)
        if (str_is(session, l->targets[i].session)) {
            l->targets[i] = l->targets[--l->target_count];
            break;
        }
    if (l->target_count > 0 && str_is(session, l->targets[0].session))
        l->state = PAGE_CRASHED; /* it closed itself, or was taken from us */
    l->turns++;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* ---- the page's state ----------------------------------------------------------------------- */

static struct live_request *request_of(struct live *l, struct str id)
{
    for (size_t i = 0; i < l->request_count; i++)
        if (str_is(id, l->requests[i].id))
            return &l->requests[i];
    return NULL;
}

/* What a page asks for and then does something with. Pictures, beacons and streams it does not wait
 * for, and neither do we. */
static bool is_data(struct str type)
{
    return str_is(type, "XHR") || str_is(type, "Fetch") || str_is(type, "Document") ||
           str_is(type, "Script") || str_is(type, "Other");
}

static bool has_body(struct str type)
{
    return str_is(type, "XHR") || str_is(type, "Fetch") || str_is(type, "Document") ||
           str_is(type, "Script") || str_is(type, "Other");
}

/* Again with each redirect of a request, which keeps its id. */
static void take_host(struct live *l, struct live_request *r, const struct json *params)
{
    struct guard_url url;
    r->host[0] = '\0';
    if (mgi_guard_parse(member(mgi_json_get(params, "request"), "url"), &url) &&
        url.host.len < sizeof r->host) {
        memcpy(r->host, url.host.ptr, url.host.len);
        r->host[url.host.len] = '\0';
        r->port = url.port;
    }
    if (str_is(member(params, "frameId"), l->frame) && str_is(member(params, "type"), "Document")) {
        memcpy(l->document_host, r->host, sizeof l->document_host);
        l->document_port = r->port;
    }
}

static struct live_request *add_request(struct live *l, const struct json *params)
{
    struct str id = member(params, "requestId"), type = member(params, "type");
    if (l->request_count >= LIVE_REQUESTS || id.len >= LIVE_ID_MAX)
        return NULL;
    struct live_request *r = &l->requests[l->request_count++];
    *r = (struct live_request){ .since_ms = mgi_talk_now_ms(),
                                .data = is_data(type),
                                .body = has_body(type) };
    memcpy(r->id, id.ptr, id.len);
    if (r->data)
        l->active_ms = r->since_ms;
    return r;
}

static void begin_request(struct live *l, const struct json *params)
{
    struct live_request *r = request_of(l, member(params, "requestId"));
    if (!r)
        r = add_request(l, params);
    if (r)
        take_host(l, r, params);
}

/* The oldest bodies are not asked for any more when too many wait. */
static void add_answered(struct live *l, const struct live_target *target, struct str id)
{
    if (l->answered_count == LIVE_ANSWERED) {
        memmove(l->answered, l->answered + 1, (LIVE_ANSWERED - 1) * sizeof l->answered[0]);
        l->answered_count--;
        l->bodies_lost++;
    }
    struct live_answered *a = &l->answered[l->answered_count++];
    *a = (struct live_answered){ 0 };
    snprintf(a->id, sizeof a->id, "%.*s", STR_ARG(id));
    memcpy(a->session, target->session, sizeof a->session);
    memcpy(a->name, target->name, sizeof a->name);
}

static void end_request(struct live *l, const struct live_target *target, const struct json *params,
                        bool finished)
{
    struct live_request *r = request_of(l, member(params, "requestId"));
    if (!r)
        return;
    if (r->data)
        l->active_ms = mgi_talk_now_ms();
    if (r->body && finished && target)
        add_answered(l, target, member(params, "requestId"));
    *r = l->requests[--l->request_count];
}

/* ---- places of errors ----------------------------------------------------------------------- */

/* -1: it is none, or more than there is of anything. */
static int64_t whole(const struct json *v, const char *name)
{
    const struct json *n = mgi_json_get(v, name);
    return n && n->type == JSON_INT && n->integer < 1000000000 ? n->integer : -1;
}

static void add_place(struct live *l, const struct live_target *target, const struct json *frame)
{
    struct live_place p = { .line = whole(frame, "lineNumber"),
                            .column = whole(frame, "columnNumber") };
    snprintf(p.script, sizeof p.script, "%.*s", STR_ARG(member(frame, "scriptId")));
    snprintf(p.url, sizeof p.url, "%.*s", STR_ARG(mgi_utf8_prefix(member(frame, "url"), 255)));
    if (!p.script[0] || p.line < 0 || l->place_count >= LIVE_PLACES)
        return;
    for (size_t i = 0; i < l->place_count; i++)
        if (strcmp(l->places[i].script, p.script) == 0 && l->places[i].line == p.line &&
            strcmp(l->places[i].session, target->session) == 0)
            return;
    memcpy(p.session, target->session, sizeof p.session);
    memcpy(p.name, target->name, sizeof p.name);
    l->places[l->place_count++] = p;
}

/* The innermost lines of a stack tell what was read or called. */
static void add_places(struct live *l, const struct live_target *target, const struct json *stack)
{
    const struct json *frames = mgi_json_get(stack, "callFrames");
    for (uint32_t i = 0; frames && frames->type == JSON_ARRAY && i < frames->count && i < 3; i++)
        add_place(l, target, &frames->items[i]);
}

static void watch_text(struct live *l, enum wait_kind kind, struct str text)
{
    if (l->watch.active && l->watch.kind == kind && mgi_str_find(text, l->watch.text) != SIZE_MAX)
        l->watch.met = true;
}

static void watch_console(struct live *l, const struct json *params)
{
    const struct json *args = mgi_json_get(params, "args");
    for (uint32_t i = 0; args && args->type == JSON_ARRAY && i < args->count; i++) {
        const struct json *value = mgi_json_get(&args->items[i], "value");
        watch_text(l, WAIT_CONSOLE,
                   value && value->type == JSON_STRING ? value->string
                                                       : member(&args->items[i], "description"));
    }
}

static void watch_exception(struct live *l, const struct json *params)
{
    const struct json *about = mgi_json_get(params, "exceptionDetails");
    watch_text(l, WAIT_CONSOLE, member(mgi_json_get(about, "exception"), "description"));
    watch_text(l, WAIT_CONSOLE, member(about, "text"));
}

static void take_context(struct live *l, const struct json *params)
{
    const struct json *context = mgi_json_get(params, "context"), *id = mgi_json_get(context, "id"),
                      *about = mgi_json_get(context, "auxData");
    if (id && id->type == JSON_INT && str_is(member(context, "name"), LIVE_WORLD) &&
        str_is(member(about, "frameId"), l->frame))
        l->world = id->integer;
}

static void forget_context(struct live *l, const struct json *params)
{
    const struct json *id = mgi_json_get(params, "executionContextId");
    if (id && id->type == JSON_INT && id->integer == l->world)
        l->world = 0;
}

static void take_loading(struct live *l, const struct json *params, bool loading)
{
    if (!str_is(member(params, "frameId"), l->frame))
        return;
    l->loading = loading;
    l->active_ms = mgi_talk_now_ms();
}

static void take_navigated(struct live *l, const struct json *params)
{
    const struct json *frame = mgi_json_get(params, "frame");
    if (mgi_json_get(frame, "parentId") || member(frame, "id").len >= LIVE_ID_MAX)
        return;
    struct guard_url url;
    snprintf(l->frame, sizeof l->frame, "%.*s", STR_ARG(member(frame, "id")));
    snprintf(l->loader, sizeof l->loader, "%.*s",
             STR_ARG(mgi_utf8_prefix(member(frame, "loaderId"), sizeof l->loader - 1)));
    if (mgi_guard_parse(member(frame, "url"), &url) && url.host.len <= GUARD_HOST_MAX)
        snprintf(l->host, sizeof l->host, "%.*s", STR_ARG(url.host));
    l->overtaken |= !l->asked && !l->leaving;
    l->leaving = false;
    if (member(frame, "unreachableUrl").len == 0) /* else perhaps of what was asked for before */
        l->asked = false;
    l->dialogs = 0;
    l->stops = 0;
    l->timers = l->sockets = l->mutations = 0;
    l->active_ms = mgi_talk_now_ms();
}

static void take_leaving(struct live *l, const struct json *params)
{
    l->leaving |= str_is(member(params, "frameId"), l->frame);
}

static void crash(struct live *l)
{
    l->state = PAGE_CRASHED;
    l->loading = false;
}

/* Of the page in front itself; with the lock held. */
static void take_page_event(struct live *l, struct str method, const struct json *params)
{
    if (str_is(method, "Page.frameStartedLoading"))
        take_loading(l, params, true);
    else if (str_is(method, "Page.frameStoppedLoading"))
        take_loading(l, params, false);
    else if (str_is(method, "Page.frameNavigated"))
        take_navigated(l, params);
    else if (str_is(method, "Page.frameRequestedNavigation"))
        take_leaving(l, params);
    else if (str_is(method, "Runtime.executionContextCreated"))
        take_context(l, params);
    else if (str_is(method, "Runtime.executionContextDestroyed"))
        forget_context(l, params);
    else if (str_is(method, "Runtime.executionContextsCleared"))
        l->world = 0;
    else if (str_is(method, "Inspector.targetCrashed"))
        crash(l);
}

static void take_exception(struct live *l, const struct live_target *target,
                           const struct json *params)
{
    const struct json *about = mgi_json_get(params, "exceptionDetails"),
                      *stack = mgi_json_get(about, "stackTrace");
    watch_exception(l, params);
    if (target && stack)
        add_places(l, target, stack);
    else if (target)
        add_place(l, target, about);
}

static void take_console(struct live *l, const struct live_target *target,
                         const struct json *params)
{
    watch_console(l, params);
    if (target &&
        (str_is(member(params, "type"), "error") || str_is(member(params, "type"), "assert")))
        add_places(l, target, mgi_json_get(params, "stackTrace"));
}

static void take_any_event(struct live *l, const struct live_target *target, struct str method,
                           const struct json *params)
{
    if (str_is(method, "Network.requestWillBeSent"))
        begin_request(l, params);
    else if (str_is(method, "Network.responseReceived"))
        watch_text(l, WAIT_RESPONSE, member(mgi_json_get(params, "response"), "url"));
    else if (str_is(method, "Network.loadingFinished") || str_is(method, "Network.loadingFailed"))
        end_request(l, target, params, str_is(method, "Network.loadingFinished"));
    else if (str_is(method, "Network.webSocketCreated"))
        l->sockets++;
    else if (str_is(method, "Network.webSocketClosed"))
        l->sockets -= l->sockets > 0;
    else if (str_is(method, "Runtime.consoleAPICalled"))
        take_console(l, target, params);
    else if (str_is(method, "Runtime.exceptionThrown"))
        take_exception(l, target, params);
    else if (str_is(method, "Target.targetCrashed") && l->target_count > 0 &&
             str_is(member(params, "targetId"), l->targets[0].target))
        crash(l);
}

/* ---- the helper ----------------------------------------------------------------------------- */

static void count_report(struct live *l, struct str kind, const struct json *report)
{
    int64_t count = whole(report, "count");
    pthread_mutex_lock(&l->lock);
    if (str_is(kind, "timers") && count >= 0)
        l->timers = count;
    else if (str_is(kind, "input") || whole(report, "content") > 0) /* a style may move for ever */
        l->active_ms = mgi_talk_now_ms();
    if (str_is(kind, "changes") && count > 0 && count < 1000000000)
        l->mutations += count;
    pthread_mutex_unlock(&l->lock);
}

/* What the helper in the page says: {"k":kind,"t":ms,...}. Kept as Machina.<kind> of the trace. */
static void take_report(struct live *l, struct str name, const struct json *params, double t)
{
    static const char *const kinds[] = { "input",  "submitted", "visibility", "longtask",
                                         "shift",  "abort",     "changes",    "mutations",
                                         "again",  "missing",   "unheard",    "streams",
                                         "stored", "drawn",     "defined",    "deed",
                                         "piles",  "frame",     NULL };
    struct json report;
    struct arena arena;
    char method[32];
    struct str text = member(params, "payload");
    if (!str_is(member(params, "name"), "__machina") || text.len > 16384)
        return;
    mgi_arena_init(&arena, 1u << 20);
    if (mgi_json_parse(&arena, text, NULL, &report, NULL) == JSON_OK) {
        struct str kind = member(&report, "k");
        for (size_t i = 0; kinds[i]; i++) {
            if (!str_is(kind, kinds[i]))
                continue;
            int n = snprintf(method, sizeof method, "Machina.%s", kinds[i]);
            mgi_trace_add(l->trace, t, name, (struct str){ method, (size_t)n }, &report);
        }
        count_report(l, kind, &report);
    }
    mgi_arena_fini(&arena);
}

/* ---- the proxy's words ---------------------------------------------------------------------- */

/* With the lock held: the failure of a request as the browser would have told it without the proxy.
 * NULL: as it stands. */
static const char *own_words_of(struct live *l, struct str method, const struct json *params)
{
    const struct live_request *r =
        str_is(method, "Network.loadingFailed") ? request_of(l, member(params, "requestId")) : NULL;
    if (!r || !mgi_str_starts(member(params, "errorText"), STR_LIT("net::ERR_SOCKS")))
        return NULL;
    return mgi_guard_proxy_words(l->proxy, str_of(r->host), r->port);
}

/* The end of a document that we gave up waiting for: it was not the page that gave up. */
static bool is_our_stop(struct live *l, struct str method, const struct json *params)
{
    bool ours = l->stopped && str_is(method, "Network.loadingFailed") &&
                str_is(member(params, "type"), "Document");
    l->stopped = l->stopped && !ours;
    return ours;
}

/* `object` with another text in member `name`, for as long as `members` lives. */
static struct json with_text(const struct json *object, const char *name, const char *text,
                             struct json_member *members, size_t room)
{
    struct json out = *object;
    if (object->count > room)
        return out;
    memcpy(members, object->members, object->count * sizeof *members);
    out.members = members;
    for (uint32_t i = 0; i < out.count; i++)
        if (str_is(members[i].name, name))
            members[i].value = (struct json){ .type = JSON_STRING, .string = str_of(text) };
    return out;
}

static void keep_event(struct live *l, double t, struct str name, struct str method,
                       const struct json *params, const char *words)
{
    struct json_member members[16];
    struct json told = words ? with_text(params, "errorText", words, members, 16) : *params;
    mgi_trace_add(l->trace, t, name, method, &told);
}

/* ---- the door ------------------------------------------------------------------------------- */

void mgi_live_hear(void *context, struct str session, struct str method, const struct json *params)
{
    struct live *l = context;
    double t = wall_ms();
    char name[8] = "";
    pthread_mutex_lock(&l->lock);
    if (mgi_live_is_foreign(l, session, params)) {
        pthread_mutex_unlock(&l->lock);
        return;
    }
    const struct live_target *target = target_of(l, session);
    if (target)
        memcpy(name, target->name, sizeof name);
    const char *words = own_words_of(l, method, params);
    bool ours = is_our_stop(l, method, params);
    if (target && target == &l->targets[0])
        take_page_event(l, method, params);
    take_any_event(l, target, method, params);
    l->turns++;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);

    if (str_is(method, "Runtime.bindingCalled")) {
        take_report(l, str_of(name), params, t);
        return;
    }
    if (str_is(method, "Page.frameNavigated"))
        mgi_live_stop_again(l);
    if (str_is(method, "Debugger.paused")) {
        mgi_live_stopped_at(l, session, str_of(name), params, t);
        return;
    }
    bool keep = (target || session.len == 0) && !ours;
    mgi_live_decide(l, session, method, params, &keep);
    if (keep)
        keep_event(l, t, str_of(name), method, params, words);
    if (str_is(method, "Target.attachedToTarget"))
        take_attached(l, params);
    else if (str_is(method, "Target.detachedFromTarget"))
        take_detached(l, params);
}

void mgi_live_ended(void *context)
{
    struct live *l = context;
    pthread_mutex_lock(&l->lock);
    l->ended = true;
    l->turns++;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}
