/* A live page: settings, its beginning and end, and commands to it. See live.h. */
#include <stdarg.h>
#include <stdio.h>

#include "live_int.h"

#define CALL_MOST_MS 60000
#define ANSWER_MS    15000 /* commands that a sound browser answers at once */
#define CACHE_MS     3000  /* one that a page is better off with, and can do without */
#define SPARE_MS     300   /* of a call's time, left for telling what happened */
#define FAREWELL_MS  600

struct live mgi_live = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- settings ------------------------------------------------------------------------------- */

static struct str setting(struct live *l, const struct json *all, const char *name)
{
    struct str kept = mgi_arena_str(&l->life, mgi_member_string(all, name));
    return kept.ptr ? kept : STR_LIT("");
}

static bool is_loopback(struct str host)
{
    struct sockaddr_storage at;
    const struct sockaddr_in *four = (const struct sockaddr_in *)&at;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&at;
    if (!mgi_guard_literal(host, &at))
        return str_is(host, "localhost");
    return at.ss_family == AF_INET ? ntohl(four->sin_addr.s_addr) >> 24 == 127
                                   : IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* The host of `page` is allowed as if it had been said. Applications that are developed here are
 * often of several servers: unless the operator has drawn the line himself, a page of this machine
 * may ask other ports of it for what it needs, though they are not opened in front. */
static void allow_page(struct live *l)
{
    struct guard_url url;
    struct live_settings *s = &l->settings;
    l->reach = s->allow;
    if (s->page.len == 0 || !mgi_guard_parse(s->page, &url) || url.host.len == 0)
        return;
    bool six = memchr(url.host.ptr, ':', url.host.len) != NULL;
    bool alone = s->allow.len > 0 || !is_loopback(url.host);
    char *all = mgi_arena_printf(&l->life, "%.*s %s%.*s%s:%d", STR_ARG(s->allow), six ? "[" : "",
                                 STR_ARG(url.host), six ? "]" : "", url.port);
    char *reach = mgi_arena_printf(&l->life, "%s%s", all ? all : "",
                                   alone ? "" : " localhost 127.0.0.1 [::1]");
    if (all && reach) {
        s->allow = str_of(all);
        l->reach = str_of(reach);
    }
}

bool mgi_live_configure(const th_host *host)
{
    struct live *l = &mgi_live;
    struct json all;
    if (l->configured)
        return true;
    mgi_arena_init(&l->life, 0);
    mgi_talk_cond_init(&l->changed);
    l->configured = true;
    const th_config_v1 *config = host->extension ? host->extension(host, "config.v1") : NULL;
    l->processes = host->extension ? host->extension(host, "processes.v1") : NULL;
    th_str said = config ? config->settings() : (th_str){ "{}", 2 };
    if (mgi_json_parse(&l->life, (struct str){ said.ptr, said.len }, NULL, &all, NULL) != JSON_OK)
        return false;
    const struct json *headed = mgi_json_get(&all, "headed");
    l->settings = (struct live_settings){
        .page = setting(l, &all, "page"),
        .allow = setting(l, &all, "allow"),
        .program = setting(l, &all, "browser"),
        .attach = setting(l, &all, "attach"),
        .folder = setting(l, &all, "recordings"),
        .headed = headed && headed->type == JSON_BOOL && headed->boolean,
    };
    allow_page(l);
    return !l->life.oom;
}

const struct live_settings *mgi_live_settings(void)
{
    return &mgi_live.settings;
}

bool mgi_is_live(const struct job *job)
{
    (void)job;
    return mgi_live.settings.page.len > 0 || mgi_live.settings.attach.len > 0;
}

struct trace *mgi_live_trace(void)
{
    return mgi_live.trace;
}

/* ---- commands ------------------------------------------------------------------------------- */

bool mgi_live_is_cancelled(const void *context)
{
    const struct job *job = context;
    return job->host->cancelled && job->host->cancelled(job->call);
}

struct talk_patience mgi_live_patience(const struct job *job, int64_t most_ms)
{
    int64_t left =
        job->host->remaining_ms ? job->host->remaining_ms(job->call) - SPARE_MS : CALL_MOST_MS;
    if (left > most_ms)
        left = most_ms;
    return (struct talk_patience){ .until_ms = mgi_talk_now_ms() + (left > 0 ? left : 0),
                                   .cancelled = mgi_live_is_cancelled,
                                   .context = job };
}

struct str mgi_live_params(struct job *job, const char *format, ...)
{
    struct buf text;
    va_list args;
    mgi_buf_init(&text);
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    struct str kept = mgi_arena_str(job->arena, mgi_buf_view(&text));
    job->arena->oom |= text.oom;
    mgi_buf_fini(&text);
    return kept.ptr ? kept : STR_LIT("{}");
}

struct str mgi_live_quoted(struct job *job, struct str text)
{
    struct buf out;
    struct json_writer w;
    mgi_buf_init(&out);
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_string(&w, text);
    struct str kept = mgi_arena_str(job->arena, mgi_buf_view(&out));
    job->arena->oom |= out.oom;
    mgi_buf_fini(&out);
    return kept.ptr ? kept : STR_LIT("\"\"");
}

/* The reply's `result`; an `error` fails the job with the browser's words. */
static bool read_reply(struct job *job, const char *method, struct str text, struct json *result)
{
    static const struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    struct json reply;
    struct str kept = mgi_arena_str(job->arena, text);
    if (!kept.ptr)
        return mgi_job_no_memory(job);
    if (mgi_json_parse(job->arena, kept, &options, &reply, NULL) != JSON_OK)
        return mgi_job_fail(job, "the browser's answer to %s cannot be read", method);
    const struct json *error = mgi_json_get(&reply, "error"),
                      *value = mgi_json_get(&reply, "result");
    if (error)
        return mgi_job_fail(job, "the browser refuses %s: %.*s", method,
                            STR_ARG(mgi_utf8_prefix(mgi_member_string(error, "message"), 300)));
    *result = value ? *value : (struct json){ .type = JSON_OBJECT };
    return true;
}

bool mgi_live_say_ended(struct job *job, struct live *l)
{
    if (l->settings.attach.len == 0)
        return mgi_job_fail(job, "the browser has ended; the next call starts another one");
    return mgi_job_fail(
        job, "the connection to the browser at %.*s has ended (%s); the next call attaches anew",
        STR_ARG(l->settings.attach), mgi_talk_why_ended(l->talk));
}

static bool say_why(struct job *job, struct live *l, const char *method, enum talk_answer answer)
{
    pthread_mutex_lock(&l->lock);
    bool crashed = l->state == PAGE_CRASHED;
    pthread_mutex_unlock(&l->lock);
    switch (answer) {
    case TALK_LATE:
        return mgi_job_fail(job,
                            crashed ? "the page has crashed; the next call opens it anew"
                                    : "the page did not answer %s in time: it is busy, or hangs",
                            method);
    case TALK_CANCELLED:
        return mgi_job_fail(job, "cancelled");
    case TALK_ENDED:
        return mgi_live_say_ended(job, l);
    case TALK_TOO_LONG:
        return mgi_job_fail(job, "the browser's answer to %s is longer than %zu bytes", method,
                            TALK_MESSAGE_MOST);
    default:
        return mgi_job_no_memory(job);
    }
}

static bool open_instead(struct job *job, struct live *l, struct str url); /* below, of a page */

/* What is run in the page stands behind the sign of life that is waited for. */
static bool may_stand_behind(const char *method)
{
    return strcmp(method, "Runtime.callFunctionOn") == 0;
}

/* False: the job failed, for what it was to be run in has gone with the page. */
static bool ask_behind(struct job *job, struct live *l, const char *method, struct str params,
                       int64_t most_ms, struct buf *reply, enum talk_answer *answer)
{
    bool lives;
    l->doubted = false;
    *answer = mgi_live_ask_behind(l, job, method, params, most_ms, reply, &lives);
    return lives || (open_instead(job, l, l->settings.page) &&
                     mgi_job_fail(job, "the page was opened anew, in another context"));
}

/* It is answered when the page has done what it sets off. */
static bool is_deed(const char *method)
{
    return strncmp(method, "Input.", 6) == 0;
}

static enum talk_answer ask_page(struct live *l, const char *method, struct str params,
                                 const struct talk_patience *patience, struct buf *reply)
{
    struct talk_question q;
    mgi_talk_send(l->talk, LIVE_SESSION(l), method, params, reply, &q);
    enum talk_answer answer = mgi_live_await(l, &q, patience);
    mgi_talk_forget(l->talk, &q);
    return answer;
}

/* The page's own thread has answered, and not the browser for it. */
static bool is_of_its_thread(const char *method)
{
    return strncmp(method, "Runtime.", 8) == 0;
}

bool mgi_live_ask(struct job *job, struct str session, const char *method, struct str params,
                  int64_t most_ms, struct json *result)
{
    struct live *l = &mgi_live;
    struct buf reply;
    bool good = true, front = str_eq(session, LIVE_SESSION(l));
    enum talk_answer answer;
    if (!l->talk)
        return mgi_job_fail(job, "there is no live page");
    if (front && !may_stand_behind(method) && !mgi_live_be_sure(job))
        return false;
    mgi_buf_init(&reply);
    if (front && l->doubted) {
        good = ask_behind(job, l, method, params, most_ms, &reply, &answer);
    } else {
        struct talk_patience patience = mgi_live_patience(job, most_ms);
        answer = front && is_deed(method)
                     ? ask_page(l, method, params, &patience, &reply)
                     : mgi_talk_ask(l->talk, session, method, params, &patience, &reply);
    }
    if (good)
        good = answer == TALK_ANSWERED ? read_reply(job, method, mgi_buf_view(&reply), result)
                                       : say_why(job, l, method, answer);
    if (front && answer == TALK_ANSWERED && is_of_its_thread(method))
        mgi_live_heard(l);
    mgi_buf_fini(&reply);
    return good;
}

bool mgi_live_call(struct job *job, const char *method, struct str params, struct json *result)
{
    return mgi_live_ask(job, LIVE_SESSION(&mgi_live), method, params, CALL_MOST_MS, result);
}

/* ---- a page --------------------------------------------------------------------------------- */

static bool copy_id(char out[LIVE_ID_MAX], struct str id)
{
    if (id.len == 0 || id.len >= LIVE_ID_MAX)
        return false;
    memcpy(out, id.ptr, id.len);
    out[id.len] = '\0';
    return true;
}

/* A member that says whose a page or setting is, in a browser that is not ours alone. */
static const char *in_context(struct job *job, const struct live *l)
{
    char *member = l->context[0]
                       ? mgi_arena_printf(job->arena, ",\"browserContextId\":\"%s\"", l->context)
                       : NULL;
    return member ? member : "";
}

/* A new page in front; what was known of the one before is forgotten. */
static bool make_page(struct job *job, struct live *l)
{
    struct json made, attached, ready;
    struct live_target page = { .name = "p" };
    const struct str nobody = STR_LIT("");
    struct str where = mgi_live_params(job, "{\"url\":\"about:blank\"%s}", in_context(job, l));
    if (!mgi_live_ask(job, nobody, "Target.createTarget", where, ANSWER_MS, &made))
        return false;
    struct str id = mgi_member_string(&made, "targetId");
    if (!copy_id(page.target, id))
        return mgi_job_fail(job, "the browser has made no page");
    struct str params =
        mgi_live_params(job, "{\"targetId\":\"%.*s\",\"flatten\":true}", STR_ARG(id));
    if (!mgi_live_ask(job, nobody, "Target.attachToTarget", params, ANSWER_MS, &attached))
        return false;
    if (!copy_id(page.session, mgi_member_string(&attached, "sessionId")))
        return mgi_job_fail(job, "the browser has not attached us to the page");
    pthread_mutex_lock(&l->lock);
    l->targets[0] = page;
    l->target_count = l->targets_seen = 1;
    l->state = PAGE_LIVE;
    l->loading = false;
    l->request_count = l->answered_count = l->place_count = 0;
    l->world = 0;
    l->dialogs = 0;
    l->timers = l->sockets = l->mutations = 0;
    l->counted = l->sampling = false;
    l->rising = 0;
    l->host[0] = l->refused[0] = '\0';
    copy_id(l->frame, id); /* a page's main frame has its target's id */
    pthread_mutex_unlock(&l->lock);
    mgi_live_listen(l, LIVE_SESSION(l), true);
    return mgi_live_ask(job, LIVE_SESSION(l), "Page.enable", STR_LIT(""), ANSWER_MS, &ready);
}

static void drop_page(struct live *l)
{
    char params[LIVE_ID_MAX + 32];
    int n = snprintf(params, sizeof params, "{\"targetId\":\"%s\"}", l->targets[0].target);
    mgi_talk_tell(l->talk, STR_LIT(""), "Target.closeTarget", (struct str){ params, (size_t)n });
    pthread_mutex_lock(&l->lock);
    l->state = PAGE_NONE;
    l->target_count = 0;
    pthread_mutex_unlock(&l->lock);
}

static enum page_state state_of(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    enum page_state state = l->state;
    pthread_mutex_unlock(&l->lock);
    return state;
}

/* What the browser is told once. */
static bool set_up(struct job *job, struct live *l)
{
    struct json done;
    const char *folder = mgi_live_download_folder(l, job->arena);
    struct str params = mgi_live_params(
        job, "{\"behavior\":\"allowAndName\",\"downloadPath\":%.*s,\"eventsEnabled\":true%s}",
        STR_ARG(mgi_live_quoted(job, str_of(folder ? folder : ""))), in_context(job, l));
    return mgi_live_ask(job, STR_LIT(""), "Browser.setDownloadBehavior", params, ANSWER_MS,
                        &done) &&
           mgi_live_ask(job, STR_LIT(""), "Target.setDiscoverTargets",
                        STR_LIT("{\"discover\":true,\"filter\":[{\"type\":\"page\"}]}"), ANSWER_MS,
                        &done);
}

/* Told to the session in front; what becomes of it is nobody's concern here. */
static void ask_in_vain(struct job *job, struct live *l, const char *method, struct str params)
{
    struct json ignored;
    struct buf none, *said = job->error;
    mgi_buf_init(&none);
    job->error = &none;
    mgi_live_ask(job, LIVE_SESSION(l), method, params, CACHE_MS, &ignored);
    job->error = said;
    mgi_buf_fini(&none);
}

/* To switch it off lets go of what the page's process holds in memory, too. It is on again at once:
 * within one visit a page shall have what browsers give it, and its requests no headers of ours. */
void mgi_live_forget_cache(struct job *job)
{
    struct live *l = &mgi_live;
    ask_in_vain(job, l, "Network.setCacheDisabled", STR_LIT("{\"cacheDisabled\":true}"));
    ask_in_vain(job, l, "Network.clearBrowserCache", STR_LIT("{}"));
    ask_in_vain(job, l, "Network.setCacheDisabled", STR_LIT("{\"cacheDisabled\":false}"));
}

static bool open_first(struct job *job, struct live *l, struct str url)
{
    const char *reason;
    /* An empty page that the first was not opened in would be taken for it by the next call. */
    if (make_page(job, l) && mgi_live_navigate(job, url, &reason))
        return true;
    drop_page(l);
    return false;
}

static bool has_trace(struct job *job, struct live *l)
{
    if (!l->trace)
        l->trace = mgi_trace_new(TRACE_BYTES_MOST);
    return l->trace ? true : mgi_job_no_memory(job);
}

static bool begin(struct job *job, struct live *l)
{
    return l->settings.attach.len > 0 ? mgi_live_attach(job, l) : mgi_live_start(job, l);
}

/* In place of a page that is of no use any more. */
static bool open_instead(struct job *job, struct live *l, struct str url)
{
    drop_page(l);
    return open_first(job, l, url);
}

/* The page in front answers; else another one, of `url`, and *made becomes true. */
static bool be_sure(struct job *job, struct live *l, struct str url, bool *made)
{
    bool doubted = l->doubted;
    l->doubted = false;
    if (!doubted || mgi_live_shows_life(l, job))
        return true;
    *made = true;
    return open_instead(job, l, url);
}

bool mgi_live_be_sure(struct job *job)
{
    bool made;
    return be_sure(job, &mgi_live, mgi_live.settings.page, &made);
}

/* A page is in front, though perhaps it does not answer. Where one has to be made, it is of `url`,
 * and *made is true. */
static bool bring_page(struct job *job, struct live *l, struct str url, bool *made)
{
    *made = false;
    if (l->settings.page.len == 0)
        return mgi_job_fail(job, "no live page is set: the setting `page` is empty");
    const char *why = mgi_guard_refuses(l->settings.allow, l->settings.page);
    if (why)
        return mgi_job_fail(job, "the setting `page` (%.*s) cannot be opened: %s",
                            STR_ARG(mgi_utf8_prefix(l->settings.page, 200)), why);
    if (!has_trace(job, l))
        return false;
    if (l->talk && mgi_talk_has_ended(l->talk)) /* which its own thread knows first */
        mgi_live_close();
    if (!l->talk && !(begin(job, l) && set_up(job, l))) {
        mgi_live_close();
        return false;
    }
    enum page_state state = state_of(l);
    l->doubted = state == PAGE_LIVE && mgi_live_is_silent(l);
    if (state == PAGE_LIVE)
        return true;
    if (state != PAGE_NONE)
        drop_page(l);
    *made = true;
    return open_first(job, l, url);
}

bool mgi_live_open_doubted(struct job *job)
{
    bool made;
    return bring_page(job, &mgi_live, mgi_live.settings.page, &made);
}

bool mgi_live_open(struct job *job)
{
    return mgi_live_open_doubted(job) && mgi_live_be_sure(job);
}

bool mgi_live_open_anew(struct job *job, struct str url)
{
    struct live *l = &mgi_live;
    const char *reason;
    bool made;
    if (l->trace)
        mgi_trace_clear(l->trace);
    if (!bring_page(job, l, url, &made) || !be_sure(job, l, url, &made))
        return false;
    if (made)
        return true;
    mgi_live_forget_cache(job);
    return mgi_live_navigate(job, url, &reason);
}

/* ---- the end -------------------------------------------------------------------------------- */

void mgi_live_close(void)
{
    struct live *l = &mgi_live;
    if (l->talk && l->socket.wire.kind)
        mgi_live_leave(l);
    else if (l->talk && !mgi_talk_has_ended(l->talk))
        mgi_talk_tell(l->talk, STR_LIT(""), "Browser.close", STR_LIT(""));
    mgi_talk_free(l->talk);
    l->talk = NULL;
    mgi_socket_end(&l->socket);
    mgi_pipe_program_end(&l->program, FAREWELL_MS);
    mgi_guard_proxy_free(l->proxy);
    l->proxy = NULL;
    mgi_confine_folder_remove(&l->folder);
    pthread_mutex_lock(&l->lock);
    l->state = PAGE_NONE;
    l->target_count = 0;
    l->ended = false;
    l->context[0] = '\0';
    l->download_count = l->downloads_refused = l->popups = 0;
    memset(l->permitted, 0, sizeof l->permitted);
    pthread_mutex_unlock(&l->lock);
}

void mgi_live_fini(void)
{
    mgi_live_close();
    mgi_trace_free(mgi_live.trace);
    mgi_live.trace = NULL;
    mgi_seen_forget();
    if (mgi_live.configured)
        mgi_arena_fini(&mgi_live.life);
    mgi_live.configured = false;
    mgi_live.settings = (struct live_settings){ 0 };
}
