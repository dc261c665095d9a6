/* Questions about the page as it stood at the end: its elements, what it stored, how fast it was,
 * how it looked. All of it is in files that a capture may lack. */
#include "act.h"

/* A picture larger than this is described, not handed over. */
#define PICTURE_MOST_BYTES (512u * 1024)

/* True for an item to show. */
typedef bool (*item_test)(const struct json *item, const void *wanted);

/* Writes those items of an array that pass the test (NULL: all), up to the job's limit. */
static bool put_items(struct job *job, const struct json *file, const char *name, item_test test,
                      const void *wanted)
{
    const struct json *items = mgi_json_get(file, name);
    size_t count = items && items->type == JSON_ARRAY ? items->count : 0;
    int64_t limit, total = 0;
    if (!mgi_job_limit(job, &limit))
        return false;
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count; i++)
        if ((!test || test(&items->items[i], wanted)) && total++ < limit)
            mgi_jw_value(&job->out, &items->items[i]);
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", total);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%lld %s", (long long)total, name));
    return true;
}

/* ---- the page
 * ---------------------------------------------------------------------------------------- */

/* As it was recorded, or as it is now: then with the refs that acting goes by. */
static bool page_dom(struct job *job, struct json *dom)
{
    return mgi_is_live(job) ? mgi_act_live(job) && mgi_act_script(job, "dom", STR_LIT("[]"), dom)
                            : mgi_capture_json(job, "dom.json", dom);
}

/* The elements as facts, if the argument `facts` says so. */
static bool tell_if_wanted(struct job *job, const struct json *dom)
{
    bool facts = false;
    if (!mgi_job_boolean(job, "facts", &facts))
        return false;
    if (facts)
        mgi_act_tell_elements(job, STR_LIT(""), mgi_json_get(dom, "elements"),
                              mgi_json_get(dom, "forms"));
    return true;
}

struct element_wanted {
    struct str role;
    const char *text; /* NULL: any */
    bool visible_only;
};

static bool is_wanted(const struct json *item, const void *context)
{
    const struct element_wanted *w = context;
    const struct json *visible = mgi_json_get(item, "visible");
    return (w->role.len == 0 || str_eq(w->role, mgi_member_string(item, "role")) ||
            str_eq(w->role, mgi_member_string(item, "tag"))) &&
           (!w->text || mgi_contains(mgi_member_string(item, "name"), w->text) ||
            mgi_contains(mgi_member_string(item, "selector"), w->text)) &&
           (!w->visible_only || !visible || visible->type != JSON_BOOL || visible->boolean);
}

static bool query_dom(struct job *job)
{
    struct json dom;
    struct element_wanted wanted = { 0 };
    struct str text = { 0 };
    if (!mgi_job_string(job, "role", &wanted.role) || !mgi_job_string(job, "contains", &text) ||
        !page_dom(job, &dom))
        return false;
    if (text.len > 0)
        wanted.text = mgi_arena_printf(job->arena, "%.*s", STR_ARG(text));
    return tell_if_wanted(job, &dom) && put_items(job, &dom, "elements", is_wanted, &wanted);
}

static bool interactive_elements(struct job *job)
{
    struct json dom;
    const struct element_wanted wanted = { .visible_only = true };
    return page_dom(job, &dom) && tell_if_wanted(job, &dom) &&
           put_items(job, &dom, "elements", is_wanted, &wanted);
}

static bool read_forms(struct job *job)
{
    struct json dom;
    return page_dom(job, &dom) && put_items(job, &dom, "forms", NULL, NULL);
}

static bool read_links(struct job *job)
{
    struct json dom;
    return page_dom(job, &dom) && put_items(job, &dom, "links", NULL, NULL);
}

static bool read_components(struct job *job)
{
    struct json dom;
    return page_dom(job, &dom) && put_items(job, &dom, "components", NULL, NULL);
}

#define PAGE_TEXT_BYTES 8000

static bool read_text(struct job *job)
{
    struct json dom;
    if (!page_dom(job, &dom))
        return false;
    struct str text = mgi_member_string(&dom, "text");
    struct str shown = mgi_utf8_prefix(text, PAGE_TEXT_BYTES);
    mgi_put_text(job, "title", mgi_member_string(&dom, "title"));
    mgi_jw_member_str(&job->out, "text", shown);
    mgi_jw_member_bool(&job->out, "cut", shown.len < text.len);
    return put_items(job, &dom, "headings", NULL, NULL);
}

/* ---- what it stored
 * ------------------------------------------------------------------------------------- */

static const char *hidden(struct job *job, size_t len)
{
    return mgi_arena_printf(job->arena, "(hidden, %zu bytes)", len);
}

static bool read_storage(struct job *job, const char *which)
{
    struct json file;
    int64_t limit;
    if (!mgi_job_limit(job, &limit) || !mgi_capture_json(job, "storage.json", &file))
        return false;
    const struct json *items = mgi_json_get(&file, which);
    size_t count = items && items->type == JSON_OBJECT ? items->count : 0;
    mgi_put_text(job, "origin", mgi_member_string(&file, "origin"));
    mgi_jw_key(&job->out, "items");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count && i < (size_t)limit; i++) {
        const struct json_member *item = &items->members[i];
        struct str value = item->value.type == JSON_STRING ? item->value.string : item->value.text;
        mgi_jw_begin_object(&job->out);
        mgi_put_text(job, "key", item->name);
        if (mgi_is_secret(item->name))
            mgi_jw_member_cstr(&job->out, "value", hidden(job, value.len));
        else
            mgi_put_text(job, "value", value);
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", (int64_t)count);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "%zu keys in %s storage", count, which));
    return true;
}

static bool read_local(struct job *job)
{
    return read_storage(job, "local");
}

static bool read_session(struct job *job)
{
    return read_storage(job, "session");
}

/* Names and attributes; a cookie's value is nearly always somebody's way in. */
static bool read_cookies(struct job *job)
{
    struct json file;
    int64_t limit;
    if (!mgi_job_limit(job, &limit) || !mgi_capture_json(job, "storage.json", &file))
        return false;
    const struct json *cookies = mgi_json_get(&file, "cookies");
    size_t count = cookies && cookies->type == JSON_ARRAY ? cookies->count : 0;
    mgi_jw_key(&job->out, "cookies");
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; i < count && i < (size_t)limit; i++) {
        const struct json *cookie = &cookies->items[i];
        mgi_jw_begin_object(&job->out);
        for (uint32_t m = 0; cookie->type == JSON_OBJECT && m < cookie->count; m++) {
            if (str_is(cookie->members[m].name, "value"))
                continue;
            mgi_jw_key_str(&job->out, cookie->members[m].name);
            mgi_jw_value(&job->out, &cookie->members[m].value);
        }
        mgi_jw_member_cstr(&job->out, "value", hidden(job, mgi_member_string(cookie, "value").len));
        mgi_jw_end_object(&job->out);
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "total", (int64_t)count);
    return true;
}

/* ---- how fast it was
 * -------------------------------------------------------------------------------------- */

static void put_value(struct job *job, const char *name, const struct json *v)
{
    mgi_jw_key(&job->out, name);
    if (v)
        mgi_jw_value(&job->out, v);
    else
        mgi_jw_null(&job->out);
}

static bool performance_timing(struct job *job)
{
    struct json file;
    if (!mgi_capture_json(job, "performance.json", &file))
        return false;
    put_value(job, "navigation", mgi_json_get(&file, "navigation"));
    put_value(job, "paint", mgi_json_get(&file, "paint"));
    return true;
}

static bool long_tasks(struct job *job)
{
    struct json file;
    return mgi_capture_json(job, "performance.json", &file) &&
           put_items(job, &file, "long_tasks", NULL, NULL);
}

static bool performance_marks(struct job *job)
{
    struct json file;
    if (!mgi_capture_json(job, "performance.json", &file))
        return false;
    put_value(job, "measures", mgi_json_get(&file, "measures"));
    return put_items(job, &file, "marks", NULL, NULL);
}

/* ---- how it looked
 * ------------------------------------------------------------------------------------------ */

static uint32_t big_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

const char *mgi_act_base64(struct job *job, struct str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = mgi_arena_alloc(job->arena, (bytes.len + 2) / 3 * 4 + 1), *at = out;
    if (!out)
        return NULL;
    const unsigned char *p = (const unsigned char *)bytes.ptr;
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        uint32_t three = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                         (left > 2 ? p[i + 2] : 0u);
        *at++ = digits[three >> 18];
        *at++ = digits[three >> 12 & 63];
        *at++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *at++ = left > 2 ? digits[three & 63] : '=';
    }
    *at = '\0';
    return out;
}

static bool read_screenshot(struct job *job)
{
    struct problems problems = { .text = job->error };
    struct str png;
    bool missing, with_data = false;
    if (mgi_is_live(job))
        return mgi_act_screenshot(job);
    if (!mgi_job_boolean(job, "include_data", &with_data))
        return false;
    if (!mgi_capture_file(job, &problems, "screenshot.png", &png, &missing))
        return missing ? mgi_job_fail(job, "this capture has no screenshot.png, which is optional")
                       : false;
    if (png.len < 33 || memcmp(png.ptr, "\x89PNG\r\n\x1a\n", 8) != 0 ||
        memcmp(png.ptr + 12, "IHDR", 4) != 0)
        return mgi_job_fail(job, "screenshot.png is no PNG picture");
    if (with_data && png.len > PICTURE_MOST_BYTES)
        return mgi_job_fail(job, "screenshot.png has %zu bytes, at most %u can be handed over",
                            png.len, PICTURE_MOST_BYTES);
    uint32_t width = big_endian(png.ptr + 16), height = big_endian(png.ptr + 20);
    mgi_jw_member_cstr(&job->out, "media_type", "image/png");
    mgi_jw_member_int(&job->out, "width", width);
    mgi_jw_member_int(&job->out, "height", height);
    mgi_jw_member_int(&job->out, "bytes", (int64_t)png.len);
    if (with_data)
        mgi_jw_member_cstr(&job->out, "data", mgi_act_base64(job, png));
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "a picture of %u by %u", width, height));
    return true;
}

#define INPUT_FACTS                                                                                \
    "\"facts\":{\"type\":\"boolean\",\"description\":\"bring the elements as facts, too\"}"

static const struct browser_action page_actions[] = {
    { "AID.BROWSER.DOM_QUERY.v1", "query_dom", "Elements of the page by role or tag, and by text.",
      "browser.dom", "none",
      "\"role\":{\"type\":\"string\"},\"contains\":{\"type\":\"string\"}," INPUT_FACTS
      "," INPUT_LIMIT,
      query_dom },
    { "AID.BROWSER.DOM_INTERACTIVE.v1", "interactive_elements",
      "Elements one can act upon, each with its ref.", "browser.dom", "none",
      INPUT_FACTS "," INPUT_LIMIT, interactive_elements },
    { "AID.BROWSER.DOM_FORMS.v1", "read_forms", "Forms and their fields.", "browser.dom", "none",
      INPUT_LIMIT, read_forms },
    { "AID.BROWSER.DOM_LINKS.v1", "read_links", "Links and where they lead.", "browser.dom", "none",
      INPUT_LIMIT, read_links },
    { "AID.BROWSER.DOM_COMPONENTS.v1", "read_components",
      "Custom elements, and how much is in each.", "browser.dom", "none", INPUT_LIMIT,
      read_components },
    { "AID.BROWSER.DOM_TEXT.v1", "read_text", "The page's visible text and its headings.",
      "browser.dom", "none", INPUT_LIMIT, read_text },
    { "AID.BROWSER.STORAGE_LOCAL.v1", "read_local_storage",
      "Local storage; values under secret-looking keys are hidden.", "browser.storage", "none",
      INPUT_LIMIT, read_local },
    { "AID.BROWSER.STORAGE_SESSION.v1", "read_session_storage",
      "Session storage; values under secret-looking keys are hidden.", "browser.storage", "none",
      INPUT_LIMIT, read_session },
    { "AID.BROWSER.STORAGE_COOKIES.v1", "read_cookies",
      "Cookies and their attributes, without values.", "browser.storage", "none", INPUT_LIMIT,
      read_cookies },
    { "AID.BROWSER.PERF_TIMING.v1", "performance_timing", "How the page was loaded and painted.",
      "browser.performance", "none", "", performance_timing },
    { "AID.BROWSER.PERF_LONG_TASKS.v1", "long_tasks",
      "When the page's thread was busy for 50 ms or more.", "browser.performance", "none",
      INPUT_LIMIT, long_tasks },
    { "AID.BROWSER.PERF_MARKS.v1", "performance_marks", "Marks and measures that the page set.",
      "browser.performance", "none", INPUT_LIMIT, performance_marks },
    { "AID.BROWSER.SCREENSHOT_READ.v1", "read_screenshot",
      "The picture of the page: its size, or itself.", "browser.screenshot", "none",
      "\"include_data\":{\"type\":\"boolean\",\"default\":false,\"description\":\"also the "
      "picture, in "
      "base64\"}",
      read_screenshot },
};
const struct browser_actions mgi_page_actions = { page_actions,
                                                  sizeof page_actions / sizeof page_actions[0] };
