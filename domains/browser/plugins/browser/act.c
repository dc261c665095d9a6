/* Scripts in the page, arguments, and what an action has changed: the ground under action_act*.c.
 *
 * The scripts are put into the page's isolated world once for each document; a call of one of them
 * is one message to the browser. A script throws a text where the caller is wrong (no such element,
 * covered, disabled): that is the error of the action. */
#include "act.h"

#include "trace_int.h"

#include <math.h>
#include <time.h>

#define SETTLE_QUIET_MS    250
#define SETTLE_MOST_MS     4000
#define SETTLE_RESTLESS_MS 700
#define NEWS_SHOWN         8
#define REF_FIRST          1

/* Numbers of refs go on from page to page, so that a ref of the last page is none of this one. */
static int64_t next_ref = REF_FIRST;

static const char caller[] =
    "async (name, args) => { const machina = globalThis.__machina_act; if (!machina) return "
    "{install: true}; const say = error => typeof error === 'string' ? error : 'the page could not "
    "be asked: ' + String(error && error.message || error).slice(0, 200); try { const value = "
    "await "
    "machina[name](...args); return {value: value === undefined ? null : value, next: "
    "machina.reached()}; } catch (error) { return {error: say(error), next: machina.reached()}; } "
    "}";

/* ---- JSON ------------------------------------------------------------------------------------ */

void mgi_act_json_begin(struct act_json *j)
{
    mgi_buf_init(&j->text);
    mgi_json_writer_init(&j->w, &j->text, 0);
}

struct str mgi_act_json_end(struct act_json *j, struct job *job)
{
    struct str kept = mgi_arena_str(job->arena, mgi_buf_view(&j->text));
    job->arena->oom |= j->text.oom || !kept.ptr;
    mgi_buf_fini(&j->text);
    return kept.ptr ? kept : STR_LIT("null");
}

const struct json *mgi_act_argument(const struct job *job, const char *name)
{
    const struct json *value = mgi_json_get(job->input, name);
    return value && value->type != JSON_NULL ? value : NULL;
}

struct str mgi_act_raw(const struct job *job, const char *name)
{
    const struct json *value = mgi_act_argument(job, name);
    return value ? value->text : STR_LIT("null");
}

/* ---- scripts --------------------------------------------------------------------------------- */

static bool install(struct job *job)
{
    struct json done;
    struct buf source;
    mgi_buf_init(&source);
    mgi_buf_puts(&source, "from => { const machina = {};");
    for (size_t i = 0; i < mgi_browser_scripts_count; i++) {
        mgi_buf_puts(&source, "\n(");
        mgi_buf_append(&source, mgi_browser_scripts[i].text, mgi_browser_scripts[i].len);
        /* Each is an expression with comments before it: no ';' may follow within the brackets. */
        mgi_buf_puts(&source, ")(machina);");
    }
    mgi_buf_puts(&source, "\nglobalThis.__machina_act = machina; return machina.begin(from); }");
    char *args = mgi_arena_printf(job->arena, "[%lld]", (long long)next_ref);
    struct str text = mgi_arena_str(job->arena, mgi_buf_view(&source));
    bool oom = source.oom || !args || !text.ptr;
    mgi_buf_fini(&source);
    return oom ? mgi_job_no_memory(job) : mgi_live_run(job, text.ptr, str_of(args), &done);
}

bool mgi_act_script(struct job *job, const char *name, struct str args, struct json *out)
{
    char *call = mgi_arena_printf(job->arena, "[\"%s\",%.*s]", name, STR_ARG(args));
    if (!call)
        return mgi_job_no_memory(job);
    struct json answer = { 0 };
    for (int attempt = 0; attempt < 2; attempt++) {
        if (!mgi_live_run(job, caller, str_of(call), &answer))
            return false;
        if (!mgi_json_get(&answer, "install"))
            break;
        if (attempt == 1 || !install(job))
            return mgi_job_fail(job, "the page is being left: wait until it has settled");
    }
    const struct json *next = mgi_json_get(&answer, "next");
    if (next && next->type == JSON_INT && next->integer > next_ref)
        next_ref = next->integer;
    struct str error = mgi_member_string(&answer, "error");
    if (error.len > 0)
        return mgi_job_fail(job, "%.*s", STR_ARG(mgi_utf8_prefix(error, 600)));
    const struct json *value = mgi_json_get(&answer, "value");
    *out = value ? *value : (struct json){ .type = JSON_NULL };
    return true;
}

bool mgi_act_live(struct job *job)
{
    if (!mgi_is_live(job))
        return mgi_job_fail(job, "this is a recording: only a live page can be acted upon (set "
                                 "`page` to its address)");
    return mgi_live_open_doubted(job);
}

/* ---- arguments ------------------------------------------------------------------------------- */

bool mgi_act_target(struct job *job, struct str *target)
{
    struct str ref = { 0 };
    const struct json *given = mgi_act_argument(job, "target");
    if (!mgi_job_string(job, "ref", &ref))
        return false;
    if (ref.len > 0) {
        struct act_json j;
        mgi_act_json_begin(&j);
        mgi_jw_begin_object(&j.w);
        mgi_jw_member_str(&j.w, "ref", ref);
        mgi_jw_end_object(&j.w);
        *target = mgi_act_json_end(&j, job);
        return true;
    }
    if (!given)
        return mgi_job_fail(job, "which element? give its ref, or a target: its role and name");
    if (given->type != JSON_OBJECT || given->count == 0)
        return mgi_job_fail(job, "target is an object with ref, role, name, text, label or "
                                 "selector");
    *target = given->text;
    return true;
}

bool mgi_act_args(struct job *job, const char *more, struct str *args)
{
    struct str target, mark = mgi_act_raw(job, "mark");
    if (!mgi_act_target(job, &target))
        return false;
    char *text = mgi_arena_printf(job->arena, "[%.*s,%.*s%s%s]", STR_ARG(target), STR_ARG(mark),
                                  more[0] ? "," : "", more);
    *args = str_of(text ? text : "[]");
    return text || mgi_job_no_memory(job);
}

/* ---- what changed ---------------------------------------------------------------------------- */

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

bool mgi_act_begin(struct job *job, struct act_before *before)
{
    struct str leaves = { 0 };
    *before = (struct act_before){ .at_ns = now_ns() };
    if (!mgi_act_live(job) || !mgi_job_string(job, "leaves", &leaves) ||
        !mgi_act_script(job, "whereabouts", STR_LIT("[]"), &before->state))
        return false;
    before->popups = mgi_live_popups();
    /* Where it was seen to lead, and was not objected to by rules and user. */
    if (leaves.len > 0)
        mgi_live_permit(leaves);
    return true;
}

/* It did not go well, or may have changed something. The rest is only counted: whoever wants to
 * know can ask for it, and a model pays for each line. */
static bool is_news(const struct request *r)
{
    bool reads = str_is(r->method, "GET") || str_is(r->method, "HEAD");
    return !reads || r->status == 0 || r->status >= 400 || r->error.len > 0;
}

static void put_requests(struct job *job, int64_t since_ns)
{
    const struct capture *c = &job->capture;
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        if (r->start_ns < since_ns || r->resource == RES_ASSET || r->resource == RES_SCRIPT)
            continue;
        count++;
        if (!is_news(r) || shown == NEWS_SHOWN)
            continue;
        if (shown++ == 0) {
            mgi_jw_key(&job->out, "requests");
            mgi_jw_begin_array(&job->out);
        }
        struct str url = mgi_utf8_prefix(mgi_url_shown(c, r->url), 120);
        const char *status =
            r->status > 0 ? mgi_arena_printf(job->arena, "%lld", (long long)r->status)
            : r->error.len > 0
                ? mgi_arena_printf(job->arena, "%.*s", STR_ARG(mgi_utf8_prefix(r->error, 60)))
                : "no answer yet";
        mgi_jw_cstring(&job->out, mgi_arena_printf(job->arena, "r%zu %.*s %.*s: %s", r->number,
                                                   STR_ARG(mgi_utf8_prefix(r->method, 10)),
                                                   STR_ARG(url), status));
    }
    if (shown > 0)
        mgi_jw_end_array(&job->out);
    if (count > shown)
        mgi_jw_member_int(&job->out, "requests_in_all", (int64_t)count);
}

/* The browser's own reports of failed requests say nothing that the requests do not. */
static void put_errors(struct job *job, int64_t since_ns)
{
    const struct capture *c = &job->capture;
    size_t count = 0;
    for (size_t i = 0; i < c->message_count; i++) {
        const struct message *m = &c->messages[i];
        if (m->at_ns < since_ns || m->error_number == 0 || str_is(m->source, "network"))
            continue;
        if (count++ == 0) {
            mgi_jw_key(&job->out, "errors");
            mgi_jw_begin_array(&job->out);
        }
        if (count <= NEWS_SHOWN)
            mgi_jw_cstring(&job->out,
                           mgi_arena_printf(job->arena, "console-error-%zu: %.*s", m->error_number,
                                            STR_ARG(mgi_utf8_prefix(m->text, 160))));
    }
    if (count > 0)
        mgi_jw_end_array(&job->out);
}

/* They are answered at once, and somebody has to know with what. */
static void put_dialogs(struct job *job, int64_t since_ns)
{
    const struct page_more *more = &job->capture.more;
    size_t count = 0;
    for (size_t i = 0; i < more->dialogs.count; i++) {
        const struct dialog *d = &more->dialogs.items[i];
        if (d->begin_ns < since_ns || count++ >= NEWS_SHOWN)
            continue;
        if (count == 1) {
            mgi_jw_key(&job->out, "dialogs");
            mgi_jw_begin_array(&job->out);
        }
        mgi_jw_cstring(&job->out, mgi_arena_printf(job->arena, "%.*s: %.*s", STR_ARG(d->kind),
                                                   STR_ARG(mgi_utf8_prefix(d->text, 160))));
    }
    if (count > 0)
        mgi_jw_end_array(&job->out);
}

struct str mgi_act_shown_url(struct job *job, struct str url)
{
    struct buf out;
    mgi_buf_init(&out);
    mgi_mask_url(&out, url);
    struct str shown = mgi_arena_str(job->arena, mgi_buf_view(&out));
    job->arena->oom |= out.oom;
    mgi_buf_fini(&out);
    return shown.ptr ? shown : STR_LIT("");
}

static void put_changed(struct job *job, const char *name, const struct json *before,
                        const struct json *after)
{
    struct str was = mgi_member_string(before, name), is = mgi_member_string(after, name);
    if (!str_eq(was, is))
        mgi_put_text(job, name, str_is(str_of(name), "url") ? mgi_act_shown_url(job, is) : is);
}

/* A page that never comes to rest is not waited for as long again at every deed. */
static bool restless;

static bool settle_after(struct job *job, bool *settled)
{
    int64_t most_ms = restless ? SETTLE_RESTLESS_MS : SETTLE_MOST_MS;
    if (!mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), SETTLE_QUIET_MS, most_ms, settled))
        return false;
    restless = !*settled;
    return true;
}

void mgi_act_came(bool settled)
{
    restless = !settled;
}

bool mgi_act_done(struct job *job, const struct act_before *before, const char *what)
{
    struct json state;
    bool settled = false;
    if (!settle_after(job, &settled) ||
        !mgi_act_script(job, "whereabouts", STR_LIT("[]"), &state) || !mgi_live_observe(job))
        return false;
    mgi_jw_member_bool(&job->out, "performed", !before->failed);
    mgi_jw_member_cstr(&job->out, "did", what);
    mgi_jw_key(&job->out, "changed");
    mgi_jw_begin_object(&job->out);
    put_changed(job, "url", &before->state, &state);
    put_changed(job, "title", &before->state, &state);
    put_requests(job, before->at_ns);
    put_errors(job, before->at_ns);
    put_dialogs(job, before->at_ns);
    if (!settled)
        mgi_jw_member_bool(&job->out, "still_busy", true);
    struct str refused;
    if (mgi_live_refused(job, &refused))
        mgi_put_text(job, "not_let_go_to", mgi_utf8_prefix(mgi_act_shown_url(job, refused), 300));
    if (mgi_live_popups() > before->popups)
        mgi_jw_member_int(&job->out, "windows_closed",
                          (int64_t)(mgi_live_popups() - before->popups));
    struct str url = mgi_member_string(&state, "url");
    if (!str_eq(url, mgi_member_string(&before->state, "url")))
        mgi_act_tell_url(job, mgi_act_shown_url(job, url));
    mgi_jw_end_object(&job->out);
    mgi_jw_member_cstr(&job->out, "summary", what);
    return true;
}

/* ---- settings -------------------------------------------------------------------------------- */

static const struct json *plugin_setting(struct job *job, const char *name, struct json *root)
{
    const th_config_v1 *config =
        job->host->extension ? job->host->extension(job->host, "config.v1") : NULL;
    if (!config)
        return NULL;
    th_str text = config->settings();
    if (mgi_json_parse(job->arena, (struct str){ text.ptr, text.len }, NULL, root, NULL))
        return NULL;
    return mgi_json_get(root, name);
}

struct str mgi_act_setting(struct job *job, const char *name)
{
    struct json root;
    const struct json *v = plugin_setting(job, name, &root);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

bool mgi_act_setting_is_true(struct job *job, const char *name)
{
    struct json root;
    const struct json *v = plugin_setting(job, name, &root);
    return v && v->type == JSON_BOOL && v->boolean;
}
