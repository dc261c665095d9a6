/* Events beside network and console: where the page went, scripts, dialogs, issues, and what the
 * helper in the page tells (page_told.c). */
#include "browser.h"

#include "base/strmap.h"

static struct page_more *more_of(struct page *p)
{
    return &p->capture->more;
}

/* ---- navigation ---------------------------------------------------------------------------- */

static struct navigation *navigation_of(struct page *p, struct str loader)
{
    for (size_t i = more_of(p)->navigations.count; loader.len > 0 && i-- > 0;)
        if (str_eq(more_of(p)->navigations.items[i].loader, loader))
            return &more_of(p)->navigations.items[i];
    return NULL;
}

static struct str why_of(struct str type)
{
    static const struct {
        const char *part, *why;
    } known[] = {
        { "reload", "reload" },          { "formSubmission", "form" }, { "anchorClick", "link" },
        { "scriptInitiated", "script" }, { "Refresh", "redirect" },    { "restore", "history" },
        { "history", "history" },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (mgi_contains(type, known[i].part))
            return str_of(known[i].why);
    return STR_LIT("other");
}

static bool main_frame(const struct page *p, struct str frame)
{
    return frame.len == 0 || p->main_frame.len == 0 || str_eq(frame, p->main_frame);
}

static struct navigation *begin_navigation(struct page *p, const struct event *e, struct str url,
                                           struct str loader)
{
    struct navigation *n = navigation_of(p, loader);
    if (n)
        return n;
    n = mgi_list_add(p->job->arena, &more_of(p)->navigations);
    if (!n)
        return NULL;
    *n = (struct navigation){ .begin_ns = mgi_page_ns(e->t_ms),
                              .url = url,
                              .loader = loader,
                              .why = p->why.len > 0 ? p->why : STR_LIT("other") };
    p->why = STR_LIT("");
    return n;
}

/* A link or form says so before the navigation begins. */
static bool navigation_event(struct page *p, const struct event *e)
{
    struct str frame = mgi_member_string(e->params, "frameId");
    struct str url = mgi_member_string(e->params, "url");
    struct str loader = mgi_member_string(e->params, "loaderId");
    if (!main_frame(p, frame))
        return true;
    if (str_is(e->method, "Page.frameRequestedNavigation")) {
        p->why = why_of(mgi_member_string(e->params, "reason"));
        if (str_is(p->why, "reload") || str_is(p->why, "history"))
            p->why = STR_LIT("script"); /* the page does it: nobody has begun a visit */
        return true;
    }
    if (str_is(e->method, "Page.frameStartedNavigating")) {
        struct str type = mgi_member_string(e->params, "navigationType");
        if (mgi_contains(type, "sameDocument"))
            return true;
        if (p->why.len == 0 && !str_is(type, "differentDocument"))
            p->why = why_of(type);
        return begin_navigation(p, e, url, loader) != NULL;
    }
    if (str_is(e->method, "Page.navigatedWithinDocument")) {
        p->why = STR_LIT("script"); /* the document stays */
        struct navigation *n = begin_navigation(p, e, url, STR_LIT(""));
        if (n)
            n->end_ns = n->begin_ns;
        p->capture->url = url;
        return n != NULL;
    }
    return true;
}

/* Machina.navigated: it was asked for from outside, and this came of it. */
static bool navigated(struct page *p, const struct event *e)
{
    struct str loader = mgi_member_string(e->params, "loaderId");
    struct str reason = mgi_member_string(e->params, "errorText");
    struct navigation *n = begin_navigation(p, e, mgi_member_string(e->params, "url"), loader);
    if (!n)
        return false;
    if (str_is(n->why, "other"))
        n->why = STR_LIT("address");
    n->failed = reason;
    return true;
}

static bool committed(struct page *p, const struct event *e)
{
    const struct json *frame = mgi_json_get(e->params, "frame");
    struct str url = mgi_member_string(frame, "url");
    if (mgi_json_get(frame, "parentId"))
        return true;
    struct navigation *n = navigation_of(p, mgi_member_string(frame, "loaderId"));
    struct str unreachable = mgi_member_string(frame, "unreachableUrl");
    p->capture->url = unreachable.len > 0 ? unreachable : url;
    more_of(p)->state = unreachable.len > 0 ? STR_LIT("failed") : STR_LIT("loading");
    if (n && unreachable.len > 0 && n->failed.len == 0)
        n->failed = STR_LIT("the page could not be opened");
    return true;
}

static bool page_loaded(struct page *p, const struct event *e)
{
    struct page_more *more = more_of(p);
    for (size_t i = more->navigations.count; i-- > 0;) {
        struct navigation *n = &more->navigations.items[i];
        if (n->end_ns == 0 && n->failed.len == 0) {
            n->end_ns = mgi_event_ns(p, e);
            if (n->end_ns < n->begin_ns)
                n->end_ns = n->begin_ns;
            break;
        }
    }
    if (!str_is(more->state, "failed"))
        more->state = STR_LIT("loaded");
    return true;
}

/* ---- scripts ------------------------------------------------------------------------------- */

static bool script_parsed(struct page *p, const struct event *e)
{
    struct str url = mgi_member_string(e->params, "url");
    const struct json *stack = mgi_json_get(e->params, "stackTrace");
    if (url.len == 0 && !stack)
        return true; /* ours, or DevTools' */
    struct script *s = mgi_list_add(p->job->arena, &more_of(p)->scripts);
    if (!s)
        return false;
    *s = (struct script){
        .run_ns = mgi_page_ns(e->t_ms),
        .url = url,
        .id = mgi_member_string(e->params, "scriptId"),
        .first_line = mgi_member_whole(e->params, "startLine", 0) + 1,
        .how = mgi_member_true(e->params, "isModule") ? STR_LIT("module") : STR_LIT(""),
    };
    s->begin_ns = s->run_ns;
    return mgi_stack_read(p->job, stack, &s->frames, &s->frame_count);
}

/* ---- dialogs, issues ----------------------------------------------------------------------- */

static bool dialog_event(struct page *p, const struct event *e, bool opens)
{
    struct page_more *more = more_of(p);
    if (!opens) {
        if (more->dialogs.count > 0)
            more->dialogs.items[more->dialogs.count - 1].end_ns = mgi_page_ns(e->t_ms);
        return true;
    }
    struct dialog *d = mgi_list_add(p->job->arena, &more->dialogs);
    if (d)
        *d = (struct dialog){ .begin_ns = mgi_page_ns(e->t_ms),
                              .kind = mgi_member_string(e->params, "type"),
                              .text = mgi_member_string(e->params, "message") };
    return d != NULL;
}

/* The one member of `details` that is an object says what it is about. */
static const struct json *details_of(const struct json *issue)
{
    const struct json *details = mgi_json_get(issue, "details");
    for (size_t i = 0; details && details->type == JSON_OBJECT && i < details->count; i++)
        if (details->members[i].value.type == JSON_OBJECT)
            return &details->members[i].value;
    return NULL;
}

static bool issue_told(struct page *p, const struct event *e)
{
    static const char *const sayings[] = { "errorType", "contentSecurityPolicyViolationType",
                                           "reason",    "resolutionStatus",
                                           "code",      "violationType",
                                           "type",      "message" };
    const struct json *issue = mgi_json_get(e->params, "issue");
    const struct json *details = details_of(issue);
    const struct json *cors = mgi_json_get(mgi_json_get(details, "corsErrorStatus"), "corsError");
    const struct json *reasons = mgi_json_get(details, "cookieExclusionReasons");
    struct issue *x = mgi_list_add(p->job->arena, &more_of(p)->issues);
    if (!x)
        return false;
    *x = (struct issue){
        .at_ns = mgi_page_ns(e->t_ms),
        .code = mgi_member_string(issue, "code"),
        .request_id = mgi_member_string(mgi_json_get(details, "request"), "requestId"),
        .directive = mgi_member_string(details, "violatedDirective"),
        .blocked = mgi_member_string(details, "blockedURL"),
        .report_only = mgi_member_true(details, "isReportOnly"),
        .url = mgi_member_string(mgi_json_get(details, "sourceCodeLocation"), "url"),
    };
    double line = mgi_member_number(mgi_json_get(details, "sourceCodeLocation"), "lineNumber", -1);
    x->line = line >= 0 && line < 1e9 ? (int64_t)line + 1 : 0;
    if (cors && cors->type == JSON_STRING)
        x->detail = cors->string;
    if (reasons && reasons->type == JSON_ARRAY && reasons->count > 0 &&
        reasons->items[0].type == JSON_STRING)
        x->detail = reasons->items[0].string;
    for (size_t i = 0; x->detail.len == 0 && i < sizeof sayings / sizeof sayings[0]; i++)
        x->detail = mgi_member_string(details, sayings[i]);
    if (x->directive.len > 0 && x->blocked.len == 0) {
        struct str type = mgi_member_string(details, "contentSecurityPolicyViolationType");
        x->blocked = mgi_contains(type, "eval")     ? STR_LIT("eval")
                     : mgi_contains(type, "inline") ? STR_LIT("inline")
                                                    : type;
    }
    return true;
}

/* ---- what was asked for -------------------------------------------------------------------- */

static bool add_sample(struct page *p, const struct event *e, const char *what, double count)
{
    if (count < 0 || count > 9e15)
        return true;
    struct sample *s = mgi_list_add(p->job->arena, &more_of(p)->samples);
    if (s)
        *s = (struct sample){ .at_ns = mgi_page_ns(e->t_ms),
                              .what = str_of(what),
                              .collected = mgi_member_true(e->params, "collected"),
                              .count = (int64_t)count };
    return s != NULL;
}

static bool counted(struct page *p, const struct event *e)
{
    static const char *const names[][2] = {
        { "nodes", "nodes" },     { "jsEventListeners", "listeners" },
        { "heap", "heap" },       { "documents", "documents" },
        { "timers", "timers" },   { "sockets", "sockets" },
        { "layouts", "layouts" }, { "mutations", "mutations" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!add_sample(p, e, names[i][1], mgi_member_number(e->params, names[i][0], -1)))
            return false;
    return true;
}

/* Of the page's own numbers, the one that no counter has. */
static bool metrics_told(struct page *p, const struct event *e)
{
    return add_sample(p, e, "layouts", mgi_member_number(e->params, "LayoutCount", -1));
}

static bool body_came(struct page *p, const struct event *e)
{
    struct pending *one = mgi_page_pending(p, mgi_member_string(e->params, "requestId"), false);
    const struct json *bytes = mgi_json_get(e->params, "base64");
    const struct json *text = mgi_json_get(e->params, "text");
    const struct json *body = bytes ? bytes : text;
    if (!one || !body || body->type != JSON_STRING)
        return true;
    one->body = body->string;
    one->body_known = true;
    one->body_base64 = bytes != NULL;
    one->body_cut = mgi_member_true(e->params, "cut") || mgi_member_true(e->params, "cut_here");
    double length = mgi_member_number(e->params, "length", 0);
    one->body_bytes = length > 0 && length < 1e15 ? (int64_t)length : 0;
    return true;
}

static bool add_storage(struct page *p, struct str area, double used, double most)
{
    struct named_count *s = mgi_list_add(p->job->arena, &more_of(p)->storage);
    if (s)
        *s = (struct named_count){ .what = area,
                                   .used = used >= 0 && used < 9e15 ? (int64_t)used : 0,
                                   .most = most >= 0 && most < 9e15 ? (int64_t)most : 0 };
    return s != NULL;
}

static bool quota_told(struct page *p, const struct event *e)
{
    static const char *const areas[][2] = { { "indexeddb", "indexeddb" },
                                            { "cache_storage", "cache" },
                                            { "local_storage", "local" },
                                            { "session_storage", "session" } };
    const struct json *parts = mgi_json_get(e->params, "usageBreakdown");
    more_of(p)->storage.count = 0; /* the last time counts */
    if (!add_storage(p, STR_LIT("all"), mgi_member_number(e->params, "usage", 0),
                     mgi_member_number(e->params, "quota", 0)))
        return false;
    for (size_t i = 0; parts && parts->type == JSON_ARRAY && i < parts->count; i++)
        for (size_t j = 0; j < sizeof areas / sizeof areas[0]; j++)
            if (str_is(mgi_member_string(&parts->items[i], "storageType"), areas[j][0]) &&
                !add_storage(p, str_of(areas[j][1]),
                             mgi_member_number(&parts->items[i], "usage", 0), 0))
                return false;
    for (size_t j = 2; j < 4; j++) { /* which the browser does not count, but the recorder may */
        double used = mgi_member_number(e->params, areas[j][1], -1);
        if (used >= 0 && !add_storage(p, str_of(areas[j][1]), used, 5.0 * 1024 * 1024))
            return false;
    }
    return true;
}

/* Only changes are told by the helper: before the first there was what there is now. */
static bool visibility_told(struct page *p, struct str state)
{
    struct page_more *more = more_of(p);
    for (size_t i = 0; i < more->spans.count; i++)
        if (!more->spans.items[i].focus)
            return true;
    struct span *s = state.len > 0 ? mgi_list_add(p->job->arena, &more->spans) : NULL;
    if (s)
        *s = (struct span){ .begin_ns = more->first_ns, .what = state };
    return s || state.len == 0;
}

/* Ids and classes of the elements that there are now, and what nobody defined. */
static bool names_told(struct page *p, const struct json *names, bool undefined)
{
    struct page_more *more = more_of(p);
    *(undefined ? &more->undefined.count : &more->names.count) = 0;
    for (size_t i = 0; names && names->type == JSON_ARRAY && i < names->count; i++) {
        struct str *s = undefined ? mgi_list_add(p->job->arena, &more->undefined)
                                  : mgi_list_add(p->job->arena, &more->names);
        if (!s)
            return false;
        *s = names->items[i].type == JSON_STRING ? names->items[i].string : STR_LIT("");
    }
    return true;
}

enum flat_sort { FLAT_ROOM, FLAT_BLANK, FLAT_VEILED, FLAT_SORTS };

static bool flat_told(struct page *p, const struct json *all, enum flat_sort sort)
{
    static const char *const why[FLAT_SORTS] = { "why", "word", "how" };
    struct page_more *more = more_of(p);
    *(sort == FLAT_ROOM    ? &more->flat.count
      : sort == FLAT_BLANK ? &more->blank.count
                           : &more->veiled.count) = 0;
    for (size_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++) {
        struct flat_element *e = sort == FLAT_ROOM    ? mgi_list_add(p->job->arena, &more->flat)
                                 : sort == FLAT_BLANK ? mgi_list_add(p->job->arena, &more->blank)
                                                      : mgi_list_add(p->job->arena, &more->veiled);
        if (!e)
            return false;
        *e = (struct flat_element){
            .target = mgi_member_string(&all->items[i], "target"),
            .parent = mgi_member_string(&all->items[i], sort == FLAT_VEILED ? "text" : "parent"),
            .why = mgi_member_string(&all->items[i], why[sort]),
            .side = mgi_member_string(&all->items[i], sort == FLAT_VEILED ? "by" : "side"),
            .count = mgi_member_whole(&all->items[i], "count", 0),
        };
    }
    return true;
}

static bool room_told(struct page *p, const struct event *e)
{
    struct page_more *more = more_of(p);
    const struct json *told = mgi_json_get(e->params, "unstyled");
    more->unstyled = mgi_member_string(told, "target");
    more->unstyled_count = mgi_member_whole(told, "count", 0);
    more->unstyled_flat = mgi_member_whole(told, "flat", 0);
    return flat_told(p, mgi_json_get(e->params, "flat"), FLAT_ROOM) &&
           flat_told(p, mgi_json_get(e->params, "places"), FLAT_BLANK);
}

static bool veil_told(struct page *p, const struct event *e)
{
    return flat_told(p, mgi_json_get(e->params, "veiled"), FLAT_VEILED);
}

/* Fields that are not valid at the end. */
static bool refused_told(struct page *p, const struct json *all)
{
    struct page_more *more = more_of(p);
    more->refused.count = 0;
    for (size_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++) {
        struct flat_element *e = mgi_list_add(p->job->arena, &more->refused);
        if (!e)
            return false;
        *e = (struct flat_element){ .target = mgi_member_string(&all->items[i], "target"),
                                    .why = mgi_member_string(&all->items[i], "message"),
                                    .count = mgi_member_true(&all->items[i], "visible") };
    }
    return true;
}

/* "shown": [{"kind": "alert", "text": "..."}]; without it the text's lines tell what there is. */
static bool state_told(struct page *p, const struct event *e)
{
    const struct json *shown = mgi_json_get(e->params, "shown");
    struct capture *c = p->capture;
    struct str url = mgi_member_string(e->params, "url");
    struct str state = mgi_member_string(e->params, "state");
    c->title = mgi_member_string(e->params, "title");
    if (url.len > 0 && !mgi_str_starts(url, STR_LIT("chrome-error:")))
        c->url = url;
    if (state.len > 0)
        c->more.state = state;
    c->more.shown.count = 0;
    if (!visibility_told(p, mgi_member_string(e->params, "visibility")))
        return false;
    for (size_t i = 0; shown && shown->type == JSON_ARRAY && i < shown->count; i++) {
        struct shown_text *s = mgi_list_add(p->job->arena, &c->more.shown);
        if (!s)
            return false;
        s->kind = mgi_member_string(&shown->items[i], "kind");
        s->text = mgi_member_string(&shown->items[i], "text");
    }
    if (!names_told(p, mgi_json_get(e->params, "names"), false) ||
        !names_told(p, mgi_json_get(e->params, "undefined"), true) ||
        !refused_told(p, mgi_json_get(e->params, "invalid")))
        return false;
    struct str text = mgi_member_string(e->params, "text");
    if (text.len > 0) {
        struct shown_text *s = mgi_list_add(p->job->arena, &c->more.shown);
        if (!s)
            return false;
        *s = (struct shown_text){ STR_LIT("text"), text };
    }
    return true;
}

/* Lines of a script around the place of an error, of which the one with the place may be cut at its
 * beginning. Places are counted from 0 there. */
static bool source_told(struct page *p, const struct event *e)
{
    const struct json *lines = mgi_json_get(e->params, "lines");
    struct script *s = mgi_list_add(p->job->arena, &more_of(p)->sources);
    struct buf text = { .limit = 0 };
    if (!s)
        return false;
    for (size_t i = 0; lines && lines->type == JSON_ARRAY && i < lines->count; i++) {
        if (i > 0)
            mgi_buf_putc(&text, '\n');
        if (lines->items[i].type == JSON_STRING)
            mgi_buf_str(&text, lines->items[i].string);
    }
    *s = (struct script){
        .url = mgi_member_string(e->params, "url"),
        .id = mgi_member_string(e->params, "scriptId"),
        .first_line = mgi_member_whole(e->params, "first", 0) + 1,
        .cut_line = mgi_member_whole(e->params, "line", -1) + 1,
        .cut_columns = mgi_member_whole(e->params, "column_from", 0),
        .text = mgi_arena_str(p->job->arena, mgi_buf_view(&text)),
    };
    p->job->arena->oom |= text.oom;
    mgi_buf_fini(&text);
    return !p->job->arena->oom;
}

static bool loss_told(struct page *p, const struct event *e)
{
    for (size_t i = 0; e->params && e->params->type == JSON_OBJECT && i < e->params->count; i++) {
        double count = mgi_json_number(&e->params->members[i].value, 0);
        if (count < 1 || count > 9e15)
            continue;
        struct named_count *l = mgi_list_add(p->job->arena, &more_of(p)->lost);
        if (!l)
            return false;
        l->what = e->params->members[i].name;
        l->used = (int64_t)count;
    }
    return true;
}

static bool crashed(struct page *p)
{
    more_of(p)->state = STR_LIT("crashed");
    return true;
}

/* The helper's binding; the text is JSON. */
static bool binding_called(struct page *p, const struct event *e)
{
    struct json *told = mgi_arena_alloc(p->job->arena, sizeof *told);
    struct str payload = mgi_member_string(e->params, "payload");
    if (!told)
        return false;
    if (!mgi_str_starts(mgi_member_string(e->params, "name"), STR_LIT("__machina")) ||
        mgi_json_parse(p->job->arena, payload, NULL, told, NULL))
        return !p->job->arena->oom;
    return mgi_page_told(p, mgi_page_ns(e->t_ms), told);
}

static bool frame_detached(struct page *p, const struct event *e)
{
    struct str frame = mgi_member_string(e->params, "frameId");
    bool removed = frame.len > 0 && str_is(mgi_member_string(e->params, "reason"), "remove");
    for (size_t i = 0; removed && i < p->pendings.count; i++) {
        struct request *r = p->pendings.items[i]->request;
        if (r && str_eq(r->frame_id, frame))
            r->frame_gone = true;
    }
    return true;
}

bool mgi_page_other(struct page *p, const struct event *e)
{
    if (str_is(e->method, "Page.frameDetached"))
        return frame_detached(p, e);
    if (str_is(e->method, "Page.frameNavigated"))
        return committed(p, e);
    if (str_is(e->method, "Page.loadEventFired"))
        return page_loaded(p, e);
    if (str_is(e->method, "Page.javascriptDialogOpening"))
        return dialog_event(p, e, true);
    if (str_is(e->method, "Page.javascriptDialogClosed"))
        return dialog_event(p, e, false);
    if (mgi_str_starts(e->method, STR_LIT("Page.")))
        return navigation_event(p, e);
    if (str_is(e->method, "Debugger.scriptParsed"))
        return script_parsed(p, e);
    if (str_is(e->method, "Audits.issueAdded"))
        return issue_told(p, e);
    if (str_is(e->method, "Inspector.targetCrashed") || str_is(e->method, "Target.targetCrashed"))
        return crashed(p);
    if (str_is(e->method, "Runtime.bindingCalled"))
        return binding_called(p, e);
    static const struct {
        const char *method;
        bool (*take)(struct page *p, const struct event *e);
    } asked[] = {
        { "Machina.navigated", navigated },
        { "Machina.body", body_came },
        { "Machina.counters", counted },
        { "Machina.metrics", metrics_told },
        { "Machina.quota", quota_told },
        { "Machina.state", state_told },
        { "Machina.room", room_told },
        { "Machina.veil", veil_told },
        { "Machina.source", source_told },
        { "Machina.lost", loss_told },
        { "Machina.repeated", mgi_page_repeated },
    };
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (str_is(e->method, asked[i].method))
            return asked[i].take(p, e);
    bool ours = mgi_str_starts(e->method, STR_LIT("Machina."));
    return ours ? mgi_page_told(p, mgi_page_ns(e->t_ms), e->params) : true;
}
