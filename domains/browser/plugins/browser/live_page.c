/* Doing things with the page in front: running a function in it, opening an address, waiting. */
#include <stdio.h>
#include <time.h>

#include "live_int.h"

#define NAVIGATE_MS   9000
#define RUN_MS        60000
#define SETTLE_MS     6000
#define TRIES         3 /* to leave a page that asks for another document at that moment */
#define QUIET_MS      500
#define LOOK_AGAIN_MS 100  /* what no event tells (a style, a variable) is looked at so often */
#define PATIENCE_MS   5000 /* a request for data that takes longer is a stream, or will not end */

/* ---- a function in the page ----------------------------------------------------------------- */

/* The context of our own world in the main frame; made where there is none yet. 0: the job failed.
 */
static int64_t find_world(struct job *job, struct live *l, int64_t most_ms)
{
    struct json made;
    pthread_mutex_lock(&l->lock);
    int64_t world = l->world;
    pthread_mutex_unlock(&l->lock);
    if (world)
        return world;
    struct str params = mgi_live_params(
        job, "{\"frameId\":\"%s\",\"worldName\":\"" LIVE_WORLD "\",\"grantUniveralAccess\":false}",
        l->frame);
    if (!mgi_live_ask(job, LIVE_SESSION(l), "Page.createIsolatedWorld", params, most_ms, &made))
        return 0;
    const struct json *id = mgi_json_get(&made, "executionContextId");
    if (!id || id->type != JSON_INT) {
        mgi_job_fail(job, "the browser gives no place to look at the page from");
        return 0;
    }
    pthread_mutex_lock(&l->lock);
    l->world = id->integer;
    pthread_mutex_unlock(&l->lock);
    return id->integer;
}

/* [1,"a"] as [{"value":1},{"value":"a"}]. */
static bool put_arguments(struct json_writer *w, struct job *job, struct str args)
{
    struct json list;
    if (args.len == 0)
        return true;
    if (mgi_json_parse(job->arena, args, NULL, &list, NULL) != JSON_OK || list.type != JSON_ARRAY)
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_key(w, "value");
        mgi_jw_raw(w, list.items[i].text);
        mgi_jw_end_object(w);
    }
    return true;
}

static struct str function_call(struct job *job, const char *function, struct str args,
                                int64_t world)
{
    struct buf text;
    struct json_writer w;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "functionDeclaration", function);
    mgi_jw_member_int(&w, "executionContextId", world);
    mgi_jw_key(&w, "arguments");
    mgi_jw_begin_array(&w);
    bool good = put_arguments(&w, job, args);
    mgi_jw_end_array(&w);
    mgi_jw_member_bool(&w, "returnByValue", true);
    mgi_jw_member_bool(&w, "awaitPromise", true);
    mgi_jw_end_object(&w);
    struct str kept = good ? mgi_arena_str(job->arena, mgi_buf_view(&text)) : STR_LIT("");
    job->arena->oom |= text.oom;
    mgi_buf_fini(&text);
    return kept;
}

static bool take_value(struct job *job, const struct json *reply, struct json *result)
{
    const struct json *thrown = mgi_json_get(reply, "exceptionDetails");
    const struct json *value = mgi_json_get(mgi_json_get(reply, "result"), "value");
    if (thrown) {
        struct str text = mgi_member_string(mgi_json_get(thrown, "exception"), "description");
        if (text.len == 0)
            text = mgi_member_string(thrown, "text");
        return mgi_job_fail(job, "the page says: %.*s", STR_ARG(mgi_utf8_prefix(text, 400)));
    }
    *result = value ? *value : (struct json){ .type = JSON_NULL };
    return true;
}

/* The page went elsewhere meanwhile, and its world with it: there is another one. */
static bool has_moved(struct job *job, struct live *l, int64_t world)
{
    bool gone = mgi_str_find(mgi_buf_view(job->error), STR_LIT("context")) != SIZE_MAX;
    pthread_mutex_lock(&l->lock);
    bool moved = l->world != world;
    if (gone && !moved)
        l->world = 0;
    pthread_mutex_unlock(&l->lock);
    return moved || gone;
}

bool mgi_live_run_within(struct job *job, const char *function, struct str args, int64_t most_ms,
                         struct json *result)
{
    struct live *l = &mgi_live;
    struct json reply;
    for (int attempt = 0;; attempt++) {
        int64_t world = find_world(job, l, most_ms);
        if (!world)
            return false;
        struct str params = function_call(job, function, args, world);
        if (params.len == 0)
            return mgi_job_fail(job, "the arguments of a function in the page are no array");
        if (mgi_live_ask(job, LIVE_SESSION(l), "Runtime.callFunctionOn", params, most_ms, &reply))
            return take_value(job, &reply, result);
        if (!has_moved(job, l, world) || attempt > 1)
            return false;
        mgi_buf_clear(job->error);
    }
}

bool mgi_live_run(struct job *job, const char *function, struct str args, struct json *result)
{
    return mgi_live_run_within(job, function, args, RUN_MS, result);
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* How long it still has to be quiet; 0: it has been long enough. With the lock held. */
static int64_t unsettled_ms(const struct live *l, int64_t since_ms, int64_t quiet_ms)
{
    int64_t now = mgi_talk_now_ms(), next = PATIENCE_MS;
    bool waits = l->loading;
    for (size_t i = 0; i < l->request_count; i++) {
        int64_t left = l->requests[i].since_ms + PATIENCE_MS - now;
        if (!l->requests[i].data || left <= 0)
            continue;
        waits = true;
        next = left < next ? left : next;
    }
    if (waits)
        return next;
    int64_t active = l->active_ms > since_ms ? l->active_ms : since_ms;
    return active + quiet_ms > now ? active + quiet_ms - now : 0;
}

/* Does the condition hold in the page now? */
static bool holds(struct job *job, enum wait_kind kind, struct str text, bool *met)
{
    static const char *const functions[] = {
        [WAIT_SELECTOR] =
            "s=>[...document.querySelectorAll(s)].some(e=>e.getClientRects().length>0&&"
            "getComputedStyle(e).visibility!='hidden')",
        [WAIT_GONE] = "s=>![...document.querySelectorAll(s)].some(e=>e.getClientRects().length>0&&"
                      "getComputedStyle(e).visibility!='hidden')",
        [WAIT_TEXT] = "s=>{const has=r=>[...r.querySelectorAll('*')].some(e=>e.shadowRoot&&("
                      "[...e.shadowRoot.childNodes].some(n=>n.nodeType==3?n.data.includes(s):"
                      "n.tagName!='STYLE'&&(n.innerText||'').includes(s))||has(e.shadowRoot)));"
                      "return!!document.body&&(document.body.innerText.includes(s)||"
                      "has(document.body))}",
        [WAIT_URL] = "s=>location.href.includes(s)",
        [WAIT_FUNCTION] = NULL,
    };
    struct json value;
    struct str args = mgi_live_params(job, "[%.*s]", STR_ARG(mgi_live_quoted(job, text)));
    const char *function = functions[kind];
    if (!function)
        function = mgi_arena_printf(job->arena, "async()=>!!(await (%.*s)())", STR_ARG(text));
    if (!function || !mgi_live_run(job, function, args, &value))
        return false;
    *met = value.type == JSON_BOOL && value.boolean;
    return true;
}

static bool is_over(const struct talk_patience *patience)
{
    return mgi_talk_now_ms() >= patience->until_ms || patience->cancelled(patience->context);
}

/* Wait until something has happened since `turns`, or `ms` have passed. */
static void await_turn(struct live *l, const struct talk_patience *patience, uint64_t turns,
                       int64_t ms)
{
    int64_t until = mgi_talk_now_ms() + ms;
    until = until < patience->until_ms ? until : patience->until_ms;
    pthread_mutex_lock(&l->lock);
    while (l->turns == turns && !l->ended && mgi_talk_now_ms() < until)
        mgi_talk_cond_wait(&l->changed, &l->lock, until);
    pthread_mutex_unlock(&l->lock);
}

static bool is_gone(struct job *job, struct live *l)
{
    pthread_mutex_lock(&l->lock);
    bool ended = l->ended, crashed = l->state == PAGE_CRASHED;
    pthread_mutex_unlock(&l->lock);
    if (ended)
        mgi_live_say_ended(job, l);
    else if (crashed)
        mgi_job_fail(job, "the page has crashed; the next call opens it anew");
    return ended || crashed;
}

/* Bounded by cancellation, too, which no event tells. */
#define STEP_MS 100

#define TURN_MS 1000 /* a page that is busy for longer is looked at again */

/* Lets the page's own thread do what stands in its queue: two turns of it, and a rest if it has
 * one. Where the machine has no time, a page is quiet because it did not come to do anything.
 * False: it did not come to answer. A page that refuses to is taken as it is. */
static bool take_turn(struct job *job)
{
    struct json value;
    struct buf none, *said = job->error;
    int64_t until_ms = mgi_talk_now_ms() + TURN_MS;
    mgi_buf_init(&none);
    job->error = &none;
    bool good = mgi_live_ask(
        job, LIVE_SESSION(&mgi_live), "Runtime.evaluate",
        STR_LIT("{\"expression\":\"new Promise(f=>setTimeout(()=>self.requestIdleCallback?"
                "requestIdleCallback(()=>f(1),{timeout:300}):setTimeout(f,0,1),0))\","
                "\"awaitPromise\":true}"),
        TURN_MS, &value);
    job->error = said;
    mgi_buf_fini(&none);
    return good || mgi_talk_now_ms() < until_ms;
}

static bool wait_settled(struct job *job, struct live *l, int64_t quiet_ms,
                         const struct talk_patience *patience, bool *met)
{
    int64_t since = mgi_talk_now_ms();
    while (!is_gone(job, l)) {
        pthread_mutex_lock(&l->lock);
        int64_t left = unsettled_ms(l, since, quiet_ms), active = l->active_ms;
        if (left > 0 && !is_over(patience)) {
            int64_t until = mgi_talk_now_ms() + (left < STEP_MS ? left : STEP_MS);
            mgi_talk_cond_wait(&l->changed, &l->lock,
                               until < patience->until_ms ? until : patience->until_ms);
        }
        pthread_mutex_unlock(&l->lock);
        *met = left == 0;
        if (is_over(patience))
            return true;
        if (!*met)
            continue;
        bool in_time = take_turn(job);
        pthread_mutex_lock(&l->lock);
        *met = in_time && !l->loading && l->active_ms == active;
        pthread_mutex_unlock(&l->lock);
        if (*met || is_over(patience))
            return !is_gone(job, l);
    }
    return false;
}

static bool wait_event(struct job *job, struct live *l, enum wait_kind kind, struct str text,
                       const struct talk_patience *patience, bool *met)
{
    pthread_mutex_lock(&l->lock);
    l->watch = (struct live_watch){ .kind = kind, .text = text, .active = true };
    pthread_mutex_unlock(&l->lock);
    bool gone = false;
    while (!*met && !is_over(patience) && !(gone = is_gone(job, l))) {
        pthread_mutex_lock(&l->lock);
        uint64_t turns = l->turns;
        *met = l->watch.met;
        pthread_mutex_unlock(&l->lock);
        if (!*met)
            await_turn(l, patience, turns, STEP_MS);
    }
    pthread_mutex_lock(&l->lock);
    l->watch.active = false;
    pthread_mutex_unlock(&l->lock);
    return !gone;
}

/* A while, whatever happens meanwhile: our own question makes events, too, and a page that is asked
 * as fast as it answers does nothing else. */
static void pause_looking(struct live *l, const struct talk_patience *patience)
{
    int64_t until = mgi_talk_now_ms() + LOOK_AGAIN_MS;
    until = until < patience->until_ms ? until : patience->until_ms;
    pthread_mutex_lock(&l->lock);
    while (!l->ended && mgi_talk_now_ms() < until)
        mgi_talk_cond_wait(&l->changed, &l->lock, until);
    pthread_mutex_unlock(&l->lock);
}

static bool wait_holds(struct job *job, struct live *l, enum wait_kind kind, struct str text,
                       const struct talk_patience *patience, bool *met)
{
    for (;;) {
        if (is_gone(job, l) || !holds(job, kind, text, met))
            return false;
        if (*met || is_over(patience))
            return true;
        pause_looking(l, patience);
        if (is_over(patience))
            return true;
    }
}

bool mgi_live_wait(struct job *job, enum wait_kind kind, struct str text, int64_t quiet_ms,
                   int64_t most_ms, bool *met)
{
    struct live *l = &mgi_live;
    *met = false;
    if (!l->talk)
        return mgi_job_fail(job, "there is no live page");
    if (!mgi_live_be_sure(job))
        return false;
    struct talk_patience patience = mgi_live_patience(job, most_ms);
    if (kind == WAIT_SETTLED)
        return wait_settled(job, l, quiet_ms > 0 ? quiet_ms : QUIET_MS, &patience, met);
    if (text.len == 0)
        return mgi_job_fail(job, "what to wait for is not said");
    if (kind == WAIT_RESPONSE || kind == WAIT_CONSOLE)
        return wait_event(job, l, kind, text, &patience, met);
    return wait_holds(job, l, kind, text, &patience, met);
}

void mgi_live_pause(struct job *job, int64_t ms)
{
    struct live *l = &mgi_live;
    struct talk_patience patience = mgi_live_patience(job, ms);
    while (!is_over(&patience)) {
        int64_t until = mgi_talk_now_ms() + STEP_MS;
        pthread_mutex_lock(&l->lock);
        bool gone = l->ended || l->state == PAGE_CRASHED;
        if (!gone)
            mgi_talk_cond_wait(&l->changed, &l->lock,
                               until < patience.until_ms ? until : patience.until_ms);
        pthread_mutex_unlock(&l->lock);
        if (gone)
            return;
    }
}

/* ---- opening an address --------------------------------------------------------------------- */

static double wall_time_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

/* What Page.navigate said, beside where to, as Machina.navigated. */
static void note_navigated(struct job *job, struct live *l, struct str url, const struct json *said,
                           const char *otherwise)
{
    struct json about;
    struct str error = mgi_member_string(said, "errorText");
    struct str text =
        mgi_live_params(job, "{\"url\":%.*s,\"frameId\":%.*s,\"loaderId\":%.*s,\"errorText\":%.*s}",
                        STR_ARG(mgi_live_quoted(job, url)),
                        STR_ARG(mgi_live_quoted(job, mgi_member_string(said, "frameId"))),
                        STR_ARG(mgi_live_quoted(job, mgi_member_string(said, "loaderId"))),
                        STR_ARG(mgi_live_quoted(job, otherwise ? str_of(otherwise) : error)));
    if (mgi_json_parse(job->arena, text, NULL, &about, NULL) == JSON_OK)
        mgi_trace_add(l->trace, wall_time_ms(), STR_LIT("p"), STR_LIT("Machina.navigated"), &about);
}

/* Why the proxy did not connect, if it was that: perhaps to where it was redirected. */
static const char *words_of_failure(struct job *job, struct live *l, struct str error)
{
    const char *words = NULL;
    if (mgi_str_starts(error, STR_LIT("net::ERR_SOCKS"))) {
        pthread_mutex_lock(&l->lock);
        words = mgi_guard_proxy_words(l->proxy, str_of(l->document_host), l->document_port);
        pthread_mutex_unlock(&l->lock);
    }
    return words ? words : mgi_arena_printf(job->arena, "%.*s", STR_ARG(error));
}

void mgi_live_stop_loading(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    bool waits = l->loading || l->asked;
    l->stopped |= waits;
    pthread_mutex_unlock(&l->lock);
    if (waits)
        mgi_talk_tell(l->talk, LIVE_SESSION(l), "Page.stopLoading", STR_LIT(""));
}

/* A page that asks for more than the browser keeps up with cannot even be left: it is of no use any
 * more, and the next call opens another one. One whose next document is slow stays as it is. */
static bool gives_up(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    bool floods = l->request_count >= LIVE_REQUESTS;
    if (floods)
        l->state = PAGE_CRASHED;
    pthread_mutex_unlock(&l->lock);
    return floods;
}

/* Ask for it. False: the job failed, because there is no browser or page any more. */
static bool ask_for_page(struct job *job, struct live *l, struct str url, struct json *said,
                         const char **reason)
{
    struct str params = mgi_live_params(job, "{\"url\":%.*s}", STR_ARG(mgi_live_quoted(job, url)));
    if (mgi_live_ask(job, LIVE_SESSION(l), "Page.navigate", params, NAVIGATE_MS, said)) {
        struct str error = mgi_member_string(said, "errorText");
        if (error.len > 0)
            *reason = words_of_failure(job, l, error);
        return true;
    }
    if (is_gone(job, l) || job->arena->oom)
        return false;
    *reason = mgi_live_is_cancelled(job) ? "cancelled"
              : gives_up(l) ? "no answer in time: the page before it asks for more than the "
                              "browser keeps up with, and was closed"
                            : "no answer in time";
    mgi_live_stop_loading(l);
    mgi_buf_clear(job->error);
    return !mgi_live_is_cancelled(job) || mgi_job_fail(job, "cancelled");
}

/* Another document than the one that we asked for is in front, and that one did not ask for it. */
static bool is_overtaken(struct live *l, struct str loader)
{
    pthread_mutex_lock(&l->lock);
    bool overtaken = l->overtaken && loader.len > 0 && !str_is(loader, l->loader);
    pthread_mutex_unlock(&l->lock);
    return overtaken;
}

/* Ask for it, and wait until it has settled. False: the job failed. */
static bool go_to(struct job *job, struct live *l, struct str url, const char **reason,
                  bool *overtaken)
{
    struct json said = { .type = JSON_OBJECT };
    bool met;
    pthread_mutex_lock(&l->lock);
    l->active_ms = mgi_talk_now_ms();
    l->asked = true;
    l->stopped = l->overtaken = false;
    pthread_mutex_unlock(&l->lock);
    bool there = ask_for_page(job, l, url, &said, reason);
    pthread_mutex_lock(&l->lock);
    /* Until it is there, which Page.frameNavigated tells; within a document nobody does. */
    l->asked = l->asked && !*reason && mgi_member_string(&said, "loaderId").len > 0;
    pthread_mutex_unlock(&l->lock);
    if (!there)
        return false;
    note_navigated(job, l, url, &said, *reason);
    snprintf(l->unreached, sizeof l->unreached, "%.*s",
             *reason ? (int)mgi_utf8_prefix(url, sizeof l->unreached - 1).len : 0, url.ptr);
    if (!*reason && !mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), QUIET_MS, SETTLE_MS, &met))
        return false;
    *overtaken = !*reason && is_overtaken(l, mgi_member_string(&said, "loaderId"));
    return true;
}

/* The page before may have asked for a document just before it was left, which then comes in the
 * place of ours. It is no more, and cannot do so again: unless that document does the same. */
bool mgi_live_navigate(struct job *job, struct str url, const char **reason)
{
    struct live *l = &mgi_live;
    *reason = mgi_guard_refuses(l->settings.allow, url);
    if (*reason)
        return true;
    if (!l->talk)
        return mgi_job_fail(job, "there is no live page");
    if (!mgi_live_be_sure(job))
        return false;
    mgi_live_permit(url);
    bool overtaken = true;
    for (int tries = 0; overtaken && tries < TRIES; tries++)
        if (!go_to(job, l, url, reason, &overtaken))
            return false;
    if (overtaken)
        *reason = "the page before it goes elsewhere again and again, and could not be left";
    if (*reason)
        return true;
    mgi_live_sample(job); /* what a later sample is compared with */
    return true;
}
