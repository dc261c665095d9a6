/* What is decided at once when the browser asks or tells, by what the operator has allowed:
 * dialogs, windows, downloads, and where the page in front may go. On the reader's thread. */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act.h"
#include "live_int.h"

#define DIALOGS_PATIENT 25 /* of a document; beyond it what opens them is ended, every time */
#define NOBODY          STR_LIT("")

static struct str said_text(const struct json *v, const char *name)
{
    return mgi_member_string(v, name);
}

static void order(struct live *l, struct str session, const char *method, const char *params)
{
    mgi_talk_tell(l->talk, session, method, str_of(params));
}

/* ---- dialogs -------------------------------------------------------------------------------- */

/* No dialog waits for us: everything else in the page would wait for it. One that asks whether to
 * leave a page is about something that was decided already. */
static void answer_dialog(struct live *l, struct str session, const struct json *params)
{
    char answer[640];
    pthread_mutex_lock(&l->lock);
    bool accept = l->accept_dialogs || str_is(said_text(params, "type"), "beforeunload");
    bool flood = ++l->dialogs > DIALOGS_PATIENT;
    if (accept && l->dialog_text[0])
        snprintf(answer, sizeof answer, "{\"accept\":true,\"promptText\":%s}", l->dialog_text);
    else
        snprintf(answer, sizeof answer, "{\"accept\":%s}", accept ? "true" : "false");
    pthread_mutex_unlock(&l->lock);
    order(l, session, "Page.handleJavaScriptDialog", answer);
    if (flood)
        order(l, session, "Runtime.terminateExecution", "");
}

bool mgi_live_dialogs(bool accept, struct str text)
{
    struct live *l = &mgi_live;
    struct buf quoted;
    struct json_writer w;
    mgi_buf_init(&quoted);
    mgi_json_writer_init(&w, &quoted, 0);
    mgi_jw_string(&w, text);
    bool fits = !quoted.oom && quoted.len < sizeof l->dialog_text;
    if (fits) {
        pthread_mutex_lock(&l->lock);
        l->accept_dialogs = accept;
        snprintf(l->dialog_text, sizeof l->dialog_text, "%.*s", text.len > 0 ? (int)quoted.len : 0,
                 quoted.ptr);
        pthread_mutex_unlock(&l->lock);
    }
    mgi_buf_fini(&quoted);
    return fits;
}

/* ---- windows -------------------------------------------------------------------------------- */

static void close_window(struct live *l, const struct json *params)
{
    const struct json *about = mgi_json_get(params, "targetInfo");
    char text[LIVE_ID_MAX + 32];
    struct str id = said_text(about, "targetId");
    if (!str_is(said_text(about, "type"), "page") || said_text(about, "openerId").len == 0 ||
        id.len >= LIVE_ID_MAX)
        return;
    snprintf(text, sizeof text, "{\"targetId\":\"%.*s\"}", STR_ARG(id));
    pthread_mutex_lock(&l->lock);
    l->popups++;
    pthread_mutex_unlock(&l->lock);
    order(l, NOBODY, "Target.closeTarget", text);
}

size_t mgi_live_popups(void)
{
    pthread_mutex_lock(&mgi_live.lock);
    size_t popups = mgi_live.popups;
    pthread_mutex_unlock(&mgi_live.lock);
    return popups;
}

/* ---- where it may go ------------------------------------------------------------------------ */

static bool same_host(const char *kept, struct str host)
{
    return host.len > 0 && mgi_str_same(str_of(kept), host);
}

/* With the lock held. What was asked for may be redirected, but to no internal address: those that
 * are written so are refused here, and what a name leads to by the proxy. */
static bool may_go(const struct live *l, struct str address)
{
    struct guard_url url;
    if (mgi_guard_refuses(l->settings.allow, address))
        return false;
    if (l->asked || !mgi_guard_parse(address, &url) || url.host.len == 0)
        return true;
    if (mgi_guard_allows(l->settings.allow, &url) || same_host(l->host, url.host))
        return true;
    for (size_t i = 0; i < LIVE_PERMITTED; i++)
        if (same_host(l->permitted[i], url.host))
            return true;
    return false;
}

/* A document is about to be asked for, and waits for our word. Aborted: the page stays as it is;
 * what was asked for and led elsewhere fails. */
static void decide_document(struct live *l, struct str session, const struct json *params)
{
    char answer[LIVE_ID_MAX + 64];
    struct str id = said_text(params, "requestId");
    struct str url = said_text(mgi_json_get(params, "request"), "url");
    if (id.len >= LIVE_ID_MAX)
        return;
    pthread_mutex_lock(&l->lock);
    bool top = str_is(said_text(params, "frameId"), l->frame);
    bool go = !top || may_go(l, url), asked = l->asked;
    if (!go)
        snprintf(l->refused, sizeof l->refused, "%.*s",
                 STR_ARG(mgi_utf8_prefix(url, sizeof l->refused - 1)));
    pthread_mutex_unlock(&l->lock);
    snprintf(answer, sizeof answer, "{\"requestId\":\"%.*s\"%s}", STR_ARG(id),
             go      ? ""
             : asked ? ",\"errorReason\":\"AccessDenied\""
                     : ",\"errorReason\":\"Aborted\"");
    order(l, session, go ? "Fetch.continueRequest" : "Fetch.failRequest", answer);
}

/* A request that may be mocked waits likewise. */
static void answer_mocked(struct live *l, struct str session, const struct json *params)
{
    struct buf answer;
    struct str id = said_text(params, "requestId");
    if (id.len >= LIVE_ID_MAX)
        return;
    mgi_buf_init(&answer);
    bool mocked = mgi_act_mocked(said_text(mgi_json_get(params, "request"), "url"), id, &answer);
    if (!mocked)
        mgi_buf_printf(&answer, "{\"requestId\":\"%.*s\"}", STR_ARG(id));
    if (!answer.oom)
        mgi_talk_tell(l->talk, session, mocked ? "Fetch.fulfillRequest" : "Fetch.continueRequest",
                      mgi_buf_view(&answer));
    mgi_buf_fini(&answer);
}

void mgi_live_permit(struct str address)
{
    struct live *l = &mgi_live;
    struct guard_url url;
    if (!mgi_guard_parse(address, &url) || url.host.len == 0 || url.host.len > GUARD_HOST_MAX)
        return;
    pthread_mutex_lock(&l->lock);
    char *place = l->permitted[l->permitted_next++ % LIVE_PERMITTED];
    snprintf(place, GUARD_HOST_MAX + 1, "%.*s", STR_ARG(url.host));
    pthread_mutex_unlock(&l->lock);
}

bool mgi_live_refused(struct job *job, struct str *url)
{
    struct live *l = &mgi_live;
    pthread_mutex_lock(&l->lock);
    *url = mgi_arena_str(job->arena, str_of(l->refused));
    l->refused[0] = '\0';
    pthread_mutex_unlock(&l->lock);
    return url->len > 0;
}

/* ---- downloads ------------------------------------------------------------------------------ */

/* Whatever the page begins, LIVE_DOWNLOAD_BYTES are kept. In the order in which they began, a file
 * for which there is no room is refused: the browser is told to cancel it, and what it has written
 * goes. What is announced counts at once. Of what is not announced the browser tells each half
 * second, in which a fast server sends a hundred megabytes: so their files are looked at, while any
 * is on its way, each LOOK_MS. After LIVE_DOWNLOADS files the browser lets no more begin. */
#define LOOK_MS 40

static struct str downloads_under(const struct live *l)
{
    return l->settings.folder.len > 0 ? l->settings.folder : str_of(l->folder.path);
}

const char *mgi_live_download_folder(const struct live *l, struct arena *arena)
{
    return mgi_arena_printf(arena, "%.*s/downloads", STR_ARG(downloads_under(l)));
}

/* The file of a download, `part` being what the browser adds to its name while it comes. */
static bool download_path(const struct live *l, const char *guid, const char *part,
                          char path[PATH_MAX])
{
    int n =
        snprintf(path, PATH_MAX, "%.*s/downloads/%s%s", STR_ARG(downloads_under(l)), guid, part);
    return n > 0 && n < PATH_MAX;
}

static int64_t bytes_on_disk(const struct live *l, const char *guid)
{
    char path[PATH_MAX];
    struct stat about;
    if (download_path(l, guid, ".crdownload", path) && stat(path, &about) == 0)
        return about.st_size;
    return 0;
}

/* `text` is its members, which in a browser that was attached to are about our context. */
static void order_in_context(struct live *l, const char *method, const char *text)
{
    char params[2 * LIVE_ID_MAX + 128];
    pthread_mutex_lock(&l->lock);
    if (l->context[0])
        snprintf(params, sizeof params, "{%s,\"browserContextId\":\"%s\"}", text, l->context);
    else
        snprintf(params, sizeof params, "{%s}", text);
    pthread_mutex_unlock(&l->lock);
    order(l, NOBODY, method, params);
}

/* It becomes the name of a file. */
static bool is_plain_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '-' && !(s.ptr[i] >= '0' && s.ptr[i] <= '9') &&
            !((s.ptr[i] | 0x20) >= 'a' && (s.ptr[i] | 0x20) <= 'z'))
            return false;
    return s.len > 0 && s.len < LIVE_ID_MAX;
}

static void cancel_download(struct live *l, struct str guid)
{
    char text[LIVE_ID_MAX + 16], path[PATH_MAX];
    snprintf(text, sizeof text, "\"guid\":\"%.*s\"", STR_ARG(guid));
    order_in_context(l, "Browser.cancelDownload", text);
    snprintf(text, sizeof text, "%.*s", STR_ARG(guid));
    if (download_path(l, text, "", path))
        unlink(path); /* it has come already, and to cancel is too late */
}

static bool is_coming(const struct live_file_coming *d)
{
    return strcmp(d->state, "inProgress") == 0;
}

static void look_at_files(void *context);

/* With the lock held: what there is room for beside the files that have come. */
static int64_t room_left(const struct live *l)
{
    int64_t room = LIVE_DOWNLOAD_BYTES;
    for (size_t i = 0; i < l->download_count; i++)
        if (strcmp(l->downloads[i].state, "completed") == 0)
            room -= l->downloads[i].bytes;
    return room;
}

/* Refuse those on their way for which there is no room. */
static void make_room(struct live *l)
{
    char over[LIVE_DOWNLOADS][LIVE_ID_MAX];
    size_t count = 0;
    bool coming = false;
    pthread_mutex_lock(&l->lock);
    int64_t room = room_left(l);
    for (size_t i = 0; i < l->download_count; i++) {
        struct live_file_coming *d = &l->downloads[i];
        int64_t bytes = d->announced > d->bytes ? d->announced : d->bytes;
        if (!is_coming(d))
            continue;
        if (bytes <= room) {
            room -= bytes;
            coming = true;
        } else {
            d->state = "refused";
            memcpy(over[count++], d->guid, sizeof d->guid);
        }
    }
    pthread_mutex_unlock(&l->lock);
    for (size_t i = 0; i < count; i++)
        cancel_download(l, str_of(over[i]));
    mgi_talk_remind(l->talk, coming ? look_at_files : NULL, LOOK_MS);
}

static void look_at_files(void *context)
{
    struct live *l = context;
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->download_count; i++) {
        struct live_file_coming *d = &l->downloads[i];
        int64_t bytes = is_coming(d) ? bytes_on_disk(l, d->guid) : 0;
        if (bytes > d->bytes)
            d->bytes = bytes;
    }
    pthread_mutex_unlock(&l->lock);
    make_room(l);
}

static void begin_download(struct live *l, const struct json *params)
{
    struct str guid = said_text(params, "guid");
    if (!is_plain_name(guid))
        return;
    pthread_mutex_lock(&l->lock);
    bool room = l->download_count < LIVE_DOWNLOADS;
    bool first_refused = !room && l->downloads_refused == 0;
    if (room) {
        struct live_file_coming *d = &l->downloads[l->download_count++];
        *d = (struct live_file_coming){ .state = "inProgress" };
        snprintf(d->guid, sizeof d->guid, "%.*s", STR_ARG(guid));
        snprintf(d->name, sizeof d->name, "%.*s",
                 STR_ARG(mgi_utf8_prefix(said_text(params, "suggestedFilename"), 127)));
        snprintf(d->url, sizeof d->url, "%.*s",
                 STR_ARG(mgi_utf8_prefix(said_text(params, "url"), 511)));
    } else {
        l->downloads_refused++;
    }
    pthread_mutex_unlock(&l->lock);
    if (!room)
        cancel_download(l, guid);
    if (first_refused)
        order_in_context(l, "Browser.setDownloadBehavior",
                         "\"behavior\":\"deny\",\"eventsEnabled\":true");
    make_room(l);
}

static int64_t bytes_of(const struct json *params, const char *name)
{
    double n = mgi_member_number(params, name, 0);
    return n <= 0 ? 0 : n < 1e15 ? (int64_t)n : INT64_C(1000000000000000);
}

static void follow_download(struct live *l, const struct json *params)
{
    struct str guid = said_text(params, "guid"), state = said_text(params, "state");
    bool too_large = false;
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->download_count; i++) {
        struct live_file_coming *d = &l->downloads[i];
        if (!str_is(guid, d->guid) || !is_coming(d))
            continue;
        d->bytes = bytes_of(params, "receivedBytes");
        d->announced = bytes_of(params, "totalBytes");
        if (str_is(state, "completed"))
            too_large = d->bytes > room_left(l);
        d->state = too_large                    ? "refused"
                   : str_is(state, "completed") ? "completed"
                   : str_is(state, "canceled")  ? "canceled"
                                                : "inProgress";
    }
    pthread_mutex_unlock(&l->lock);
    if (too_large)
        cancel_download(l, guid);
    make_room(l);
}

size_t mgi_live_downloads(struct job *job, const struct live_download **list, size_t *more)
{
    struct live *l = &mgi_live;
    const char *folder = mgi_live_download_folder(l, job->arena);
    struct live_download *out = mgi_arena_calloc(job->arena, LIVE_DOWNLOADS, sizeof *out);
    size_t count = 0;
    pthread_mutex_lock(&l->lock);
    for (; folder && out && count < l->download_count; count++) {
        const struct live_file_coming *d = &l->downloads[count];
        out[count] = (struct live_download){
            .name = mgi_arena_str(job->arena, str_of(d->name)),
            .url = mgi_arena_str(job->arena, str_of(d->url)),
            .path = mgi_arena_printf(job->arena, "%s/%s", folder, d->guid),
            .bytes = d->bytes,
            .state = d->state,
        };
    }
    if (more)
        *more = l->downloads_refused;
    pthread_mutex_unlock(&l->lock);
    *list = out;
    return count;
}

/* ---- the door ------------------------------------------------------------------------------- */

void mgi_live_decide(struct live *l, struct str session, struct str method,
                     const struct json *params, bool *keep)
{
    if (str_is(method, "Page.javascriptDialogOpening")) {
        answer_dialog(l, session, params);
    } else if (str_is(method, "Target.targetCreated")) {
        close_window(l, params);
    } else if (str_is(method, "Fetch.requestPaused")) {
        if (str_is(said_text(params, "resourceType"), "Document"))
            decide_document(l, session, params);
        else
            answer_mocked(l, session, params);
        *keep = false;
    } else if (str_is(method, "Browser.downloadWillBegin")) {
        begin_download(l, params);
    } else if (str_is(method, "Browser.downloadProgress")) {
        follow_download(l, params);
        *keep = false;
    }
}
