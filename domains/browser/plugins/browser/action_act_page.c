/* Deeds on the page as a whole: where it goes, what it waits for, how it looks to others. */
#include "act.h"

static bool need_text(struct job *job, const char *name, struct str *text)
{
    if (!mgi_job_string(job, name, text))
        return false;
    return text->len > 0 || mgi_job_fail(job, "%s is missing", name);
}

/* ---- going somewhere ------------------------------------------------------------------------- */

bool mgi_act_navigate(struct job *job)
{
    struct act_before before;
    struct str url = { 0 };
    const char *reason = NULL;
    if (!need_text(job, "url", &url) || !mgi_act_begin(job, &before) ||
        !mgi_live_navigate(job, url, &reason))
        return false;
    before.failed = reason != NULL;
    if (reason)
        mgi_jw_member_cstr(&job->out, "failed", reason);
    mgi_act_came(false); /* it was waited for already, as long as one waits for a page */
    mgi_act_note(job, "navigate", STR_LIT("null"), url, false);
    return mgi_act_done(
        job, &before,
        mgi_arena_printf(job->arena, "opened %.*s%s%s", STR_ARG(mgi_utf8_prefix(url, 200)),
                         reason ? ", and there is no page: " : "", reason ? reason : ""));
}

/* Loading the answer to a form anew would send the form again, and nobody was asked about that. */
static bool was_posted(struct job *job, struct str address)
{
    const struct capture *c = &job->capture;
    const struct request *last = NULL;
    /* As requests are told: without what no server is sent, and without credentials. */
    struct str url = mgi_act_shown_url(job, address);
    const char *fragment = memchr(url.ptr, '#', url.len);
    url.len = fragment ? (size_t)(fragment - url.ptr) : url.len;
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].resource == RES_DOCUMENT && str_eq(c->requests[i].url, url))
            last = &c->requests[i];
    return last && str_is(last->method, "POST");
}

static bool reload(struct job *job)
{
    struct act_before before;
    struct json ignored;
    bool fresh = false;
    if (!mgi_job_boolean(job, "fresh", &fresh) || !mgi_act_begin(job, &before) ||
        !mgi_live_observe(job))
        return false;
    if (was_posted(job, mgi_member_string(&before.state, "url")))
        return mgi_job_fail(job, "this page answered a form: loading it anew would send the form "
                                 "again; open its address instead");
    if (fresh)
        mgi_live_forget_cache(job);
    if (!mgi_live_call(job, "Page.reload", STR_LIT("{}"), &ignored))
        return false;
    mgi_act_note(job, "reload", STR_LIT("null"), STR_LIT(""), false);
    return mgi_act_done(job, &before, "loaded the page anew");
}

/* One entry of the history on or back. */
static bool history(struct job *job)
{
    struct act_before before;
    struct json all, ignored;
    struct str way = STR_LIT("back");
    if (!mgi_job_string(job, "way", &way) || !mgi_act_begin(job, &before) ||
        !mgi_live_call(job, "Page.getNavigationHistory", STR_LIT("{}"), &all))
        return false;
    bool back = str_is(way, "back");
    if (!back && !str_is(way, "forward"))
        return mgi_job_fail(job, "way is back or forward");
    const struct json *entries = mgi_json_get(&all, "entries");
    const struct json *at = mgi_json_get(&all, "currentIndex");
    int64_t to = (at && at->type == JSON_INT ? at->integer : 0) + (back ? -1 : 1);
    if (!entries || entries->type != JSON_ARRAY || to < 0 || to >= (int64_t)entries->count ||
        str_is(mgi_member_string(&entries->items[to], "url"), "about:blank"))
        return mgi_job_fail(job, "there is no page to go %s to", back ? "back" : "forward");
    const struct json *id = mgi_json_get(&entries->items[to], "id");
    char *params =
        mgi_arena_printf(job->arena, "{\"entryId\":%.*s}", STR_ARG(id ? id->text : STR_LIT("0")));
    if (!params || !mgi_live_call(job, "Page.navigateToHistoryEntry", str_of(params), &ignored))
        return false;
    mgi_act_note(job, back ? "back" : "forward", STR_LIT("null"), STR_LIT(""), false);
    return mgi_act_done(job, &before, back ? "went back" : "went forward");
}

/* ---- waiting --------------------------------------------------------------------------------- */

#define WAIT_MS_DEFAULT 10000
#define WAIT_MS_MOST    60000

static const struct {
    const char *name;
    enum wait_kind kind;
    bool text;
} conditions[] = {
    { "settled", WAIT_SETTLED, false }, { "selector", WAIT_SELECTOR, true },
    { "gone", WAIT_GONE, true },        { "text", WAIT_TEXT, true },
    { "url", WAIT_URL, true },          { "response", WAIT_RESPONSE, true },
    { "console", WAIT_CONSOLE, true },
};

static bool wait_for(struct job *job)
{
    struct act_before before;
    struct str until = STR_LIT("settled"), text = { "", 0 };
    int64_t most_ms = WAIT_MS_DEFAULT;
    bool met = false;
    size_t i = 0;
    if (!mgi_job_string(job, "until", &until) || !mgi_job_string(job, "text", &text) ||
        !mgi_job_integer(job, "most_ms", 1, WAIT_MS_MOST, &most_ms))
        return false;
    while (i < sizeof conditions / sizeof *conditions && !str_is(until, conditions[i].name))
        i++;
    if (i == sizeof conditions / sizeof *conditions)
        return mgi_job_fail(job,
                            "until is settled, selector, gone, text, url, response or console");
    if (conditions[i].text && text.len == 0)
        return mgi_job_fail(job, "text is missing: what to wait for");
    if (!mgi_act_begin(job, &before) ||
        !mgi_live_wait(job, conditions[i].kind, text, 500, most_ms, &met))
        return false;
    mgi_jw_member_bool(&job->out, "met", met);
    return mgi_act_done(job, &before,
                        mgi_arena_printf(job->arena, "waited until %.*s%s%.*s: %s", STR_ARG(until),
                                         text.len ? " " : "", STR_ARG(mgi_utf8_prefix(text, 100)),
                                         met ? "it came" : "it did not come in time"));
}

/* ---- how it seems to the page ---------------------------------------------------------------- */

struct device {
    const char *name;
    int width, height;
    double scale;
    bool mobile;
};

static const struct device devices[] = {
    { "phone", 390, 844, 3, true },      { "small_phone", 360, 640, 2, true },
    { "tablet", 820, 1180, 2, true },    { "laptop", 1366, 768, 1, false },
    { "desktop", 1920, 1080, 1, false },
};

static const struct {
    const char *name;
    int latency_ms, down, up; /* bytes a second; -1: as it is */
    bool offline;
} networks[] = {
    { "online", 0, -1, -1, false },
    { "offline", 0, 0, 0, true },
    { "slow_3g", 2000, 50000, 50000, false },
    { "fast_3g", 560, 180000, 84000, false },
    { "slow_4g", 170, 1100000, 180000, false },
};

static bool emulate_size(struct job *job, struct str name)
{
    struct json ignored;
    int64_t width = 0, height = 0;
    const struct device *d = NULL;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (str_is(name, devices[i].name))
            d = &devices[i];
    if (!mgi_job_integer(job, "width", 100, 5000, &width) ||
        !mgi_job_integer(job, "height", 100, 5000, &height))
        return false;
    if (name.len > 0 && !d)
        return mgi_job_fail(job, "device is phone, small_phone, tablet, laptop or desktop");
    if (!d && width == 0 && height == 0)
        return true;
    if (!d && (width == 0 || height == 0))
        return mgi_job_fail(job, "a view has a width and a height");
    char *params = mgi_arena_printf(
        job->arena, "{\"width\":%lld,\"height\":%lld,\"deviceScaleFactor\":%.1f,\"mobile\":%s}",
        (long long)(width ? width : d->width), (long long)(height ? height : d->height),
        d ? d->scale : 1, d && d->mobile ? "true" : "false");
    char *touch =
        mgi_arena_printf(job->arena, "{\"enabled\":%s}", d && d->mobile ? "true" : "false");
    return params && touch &&
           mgi_live_call(job, "Emulation.setDeviceMetricsOverride", str_of(params), &ignored) &&
           mgi_live_call(job, "Emulation.setTouchEmulationEnabled", str_of(touch), &ignored);
}

static bool emulate_network(struct job *job, struct str name)
{
    struct json ignored;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        if (!str_is(name, networks[i].name))
            continue;
        char *params = mgi_arena_printf(
            job->arena,
            "{\"offline\":%s,\"latency\":%d,\"downloadThroughput\":%d,\"uploadThroughput\":%d}",
            networks[i].offline ? "true" : "false", networks[i].latency_ms, networks[i].down,
            networks[i].up);
        return params &&
               mgi_live_call(job, "Network.emulateNetworkConditions", str_of(params), &ignored);
    }
    return name.len == 0 ||
           mgi_job_fail(job, "network is online, offline, slow_3g, fast_3g or slow_4g");
}

/* One member in, one command out. */
static bool emulate_text(struct job *job, const char *argument, const char *method,
                         const char *member)
{
    struct json ignored;
    struct str value = { 0 };
    struct act_json j;
    if (!mgi_job_string(job, argument, &value))
        return false;
    if (!mgi_act_argument(job, argument))
        return true;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_str(&j.w, member, value);
    mgi_jw_end_object(&j.w);
    return mgi_live_call(job, method, mgi_act_json_end(&j, job), &ignored);
}

static bool emulate_colours(struct job *job)
{
    struct json ignored;
    struct str scheme = { 0 };
    if (!mgi_job_string(job, "colours", &scheme))
        return false;
    if (scheme.len == 0)
        return true;
    if (!str_is(scheme, "dark") && !str_is(scheme, "light"))
        return mgi_job_fail(job, "colours are dark or light");
    char *params = mgi_arena_printf(
        job->arena, "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%.*s\"}]}",
        STR_ARG(scheme));
    return params && mgi_live_call(job, "Emulation.setEmulatedMedia", str_of(params), &ignored);
}

static bool emulate(struct job *job)
{
    struct act_before before;
    struct str device = { 0 }, network = { 0 };
    return mgi_job_string(job, "device", &device) && mgi_job_string(job, "network", &network) &&
           mgi_act_begin(job, &before) && emulate_size(job, device) &&
           emulate_network(job, network) &&
           emulate_text(job, "timezone", "Emulation.setTimezoneOverride", "timezoneId") &&
           emulate_text(job, "locale", "Emulation.setLocaleOverride", "locale") &&
           emulate_colours(job) && mgi_act_done(job, &before, "set what the page is shown on");
}

/* ---- dialogs, other pages, downloads --------------------------------------------------------- */

static bool tabs(struct job *job)
{
    struct json all;
    int64_t count = 0;
    if (!mgi_act_live(job) || !mgi_live_call(job, "Target.getTargets", STR_LIT("{}"), &all))
        return false;
    const struct json *targets = mgi_json_get(&all, "targetInfos");
    mgi_jw_key(&job->out, "pages");
    mgi_jw_begin_array(&job->out);
    for (uint32_t i = 0; targets && targets->type == JSON_ARRAY && i < targets->count; i++) {
        const struct json *t = &targets->items[i];
        if (!mgi_live_is_ours(t) || !str_is(mgi_member_string(t, "type"), "page") ||
            str_is(mgi_member_string(t, "url"), "about:blank") || count++ >= 20)
            continue;
        mgi_jw_begin_object(&job->out);
        mgi_put_text(job, "url",
                     mgi_utf8_prefix(mgi_act_shown_url(job, mgi_member_string(t, "url")), 300));
        mgi_put_text(job, "title", mgi_utf8_prefix(mgi_member_string(t, "title"), 120));
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", count);
    return true;
}

static bool downloads(struct job *job)
{
    const struct live_download *list;
    size_t refused = 0;
    if (!mgi_act_live(job))
        return false;
    size_t count = mgi_live_downloads(job, &list, &refused);
    mgi_jw_key(&job->out, "downloads");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(&job->out);
        mgi_put_text(job, "name", mgi_utf8_prefix(list[i].name, 120));
        mgi_put_text(job, "url", mgi_utf8_prefix(mgi_act_shown_url(job, list[i].url), 300));
        mgi_jw_member_cstr(&job->out, "state", list[i].state);
        mgi_jw_member_cstr(&job->out, "path", list[i].path);
        mgi_jw_member_int(&job->out, "bytes", list[i].bytes);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "refused", (int64_t)refused);
    mgi_jw_member_int(&job->out, "windows_closed", (int64_t)mgi_live_popups());
    return true;
}

/* ---- evaluating ------------------------------------------------------------------------------ */

#define EXPRESSION_MOST 20000
#define VALUE_MOST      8000

/* The page's own world, with all that it has: nothing else here runs in it. The rules let nobody do
 * so unless the operator allows it; so does this, whoever asks. */
static bool evaluate_expression(struct job *job)
{
    struct act_before before;
    struct act_json j;
    struct json answer;
    struct str expression = { 0 };
    if (!mgi_act_setting_is_true(job, "evaluate"))
        return mgi_job_fail(job, "no code is run in pages unless the setting `evaluate` is true");
    if (!need_text(job, "expression", &expression) || !mgi_act_begin(job, &before))
        return false;
    if (expression.len > EXPRESSION_MOST)
        return mgi_job_fail(job, "the expression has more than %d bytes", EXPRESSION_MOST);
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_str(&j.w, "expression", expression);
    mgi_jw_member_bool(&j.w, "returnByValue", true);
    mgi_jw_member_bool(&j.w, "awaitPromise", true);
    mgi_jw_member_int(&j.w, "timeout", 5000);
    mgi_jw_end_object(&j.w);
    if (!mgi_live_call(job, "Runtime.evaluate", mgi_act_json_end(&j, job), &answer))
        return false;
    const struct json *thrown = mgi_json_get(&answer, "exceptionDetails");
    const struct json *result = mgi_json_get(&answer, "result");
    const struct json *value = mgi_json_get(result, "value");
    if (thrown) {
        const struct json *exception = mgi_json_get(thrown, "exception");
        struct str text = mgi_member_string(exception, "description");
        mgi_put_text(job, "threw", text.len ? text : mgi_member_string(thrown, "text"));
    } else if (value && value->text.len <= VALUE_MOST) {
        mgi_jw_key(&job->out, "value");
        mgi_jw_value(&job->out, value);
    } else if (value) {
        mgi_jw_member_int(&job->out, "value_bytes", (int64_t)value->text.len);
    } else {
        mgi_put_text(job, "value_type", mgi_member_string(result, "type"));
    }
    return mgi_act_done(job, &before, "ran an expression in the page");
}

static const struct browser_action act_page_actions[] = {
    { "AID.BROWSER.RELOAD.v1", "reload", "Loads the page anew.", "browser.act", "browser",
      "\"fresh\":{\"type\":\"boolean\",\"description\":\"the cache is emptied before\"}", reload },
    { "AID.BROWSER.HISTORY.v1", "history", "Goes back or forward by one page.", "browser.act",
      "browser", "\"way\":{\"type\":\"string\"}", history },
    { "AID.BROWSER.WAIT.v1", "wait",
      "Waits until a condition holds: settled, selector, gone, text, url, response, console.",
      "browser.observe", "none",
      "\"until\":{\"type\":\"string\"},\"text\":{\"type\":\"string\"},\"most_ms\":{\"type\":"
      "\"integer\"}",
      wait_for },
    { "AID.BROWSER.EMULATE.v1", "emulate",
      "Sets device, view, network, time zone, language and colours that the page sees.",
      "browser.act", "browser",
      "\"device\":{\"type\":\"string\"},\"network\":{\"type\":\"string\"},\"width\":{\"type\":"
      "\"integer\"},\"height\":{\"type\":\"integer\"},\"timezone\":{\"type\":\"string\"},"
      "\"locale\":{\"type\":\"string\"},\"colours\":{\"type\":\"string\"}",
      emulate },
    { "AID.BROWSER.TABS.v1", "tabs", "The pages that are open.", "browser.observe", "none", "",
      tabs },
    { "AID.BROWSER.DOWNLOADS.v1", "downloads", "The files that the page has brought.",
      "browser.observe", "none", "", downloads },
    { "AID.BROWSER.EVALUATE.v1", "evaluate", "Runs an expression in the page.", "browser.evaluate",
      "browser", "\"expression\":{\"type\":\"string\"}", evaluate_expression },
};
const struct browser_actions mgi_act_page_actions = {
    act_page_actions, sizeof act_page_actions / sizeof act_page_actions[0]
};
