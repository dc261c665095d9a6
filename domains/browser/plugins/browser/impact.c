/* What an error did to the page: which component threw, and what is left of it. Nothing is judged
 * here; what led to the error is found by rules (domains/browser/rules/effects). */
#include "live.h"

bool mgi_is_report(const struct message *error)
{
    return str_is(error->source, "network") || mgi_contains(error->text, "failed to load resource");
}

/* ---- names
 * -------------------------------------------------------------------------------------------- */

static bool is_capital(struct str s)
{
    return s.len > 1 && s.ptr[0] >= 'A' && s.ptr[0] <= 'Z' && s.ptr[1] >= 'a' && s.ptr[1] <= 'z';
}

/* "UserList.render" -> "UserList"; "render" has no class. */
static struct str class_of(struct str function)
{
    size_t dot = mgi_str_find(function, STR_LIT("."));
    struct str head = { function.ptr, dot == SIZE_MAX ? function.len : dot };
    static const char *const not_ours[] = { "Object", "Array", "Promise", "Function",
                                            "Module", "JSON",  "Window",  "Response",
                                            "Map",    "Set",   "String",  NULL };
    for (size_t i = 0; not_ours[i]; i++)
        if (str_is(head, not_ours[i]))
            return (struct str){ 0 };
    return is_capital(head) ? head : (struct str){ 0 };
}

struct str mgi_error_component(const struct message *error, bool *is_script)
{
    *is_script = false;
    size_t at = mgi_str_find(error->text, STR_LIT("in the <")); /* as React says it */
    if (at != SIZE_MAX) {
        struct str rest = { error->text.ptr + at + 8, error->text.len - at - 8 };
        size_t end = mgi_str_find(rest, STR_LIT(">"));
        if (end != SIZE_MAX && end > 0 && end <= 80)
            return (struct str){ rest.ptr, end };
    }
    for (size_t i = 0; i < error->frame_count && i < 4; i++) {
        struct str class = class_of(error->frames[i].function);
        if (class.len > 0)
            return class;
    }
    *is_script = true;
    struct str url = error->frame_count > 0 ? error->frames[0].url : error->url;
    return url.len > 0 ? mgi_url_file(url) : (struct str){ 0 };
}

/* ---- the error that is asked about
 * -------------------------------------------------------------------- */

/* False: the job failed. *error NULL: none was named, and there is none in the capture, which is an
 * answer too. */
static bool asked_error(struct job *job, const struct message **error)
{
    struct str id = { 0 };
    *error = NULL;
    if (!mgi_job_string(job, "error_id", &id))
        return false;
    if (id.len == 0 && job->capture.error_count == 0)
        return true;
    *error = mgi_job_error(job);
    return *error != NULL;
}

static void put_asked_error(struct job *job, const struct message *error)
{
    mgi_jw_key(&job->out, "error");
    if (error)
        mgi_put_message(job, error);
    else
        mgi_jw_null(&job->out);
}

/* ---- what it did to the page
 * -------------------------------------------------------------------------- */

/* <user-list> and UserList are one. */
static bool same_name(struct str tag, struct str component)
{
    size_t j = 0;
    for (size_t i = 0; i < tag.len; i++) {
        if (tag.ptr[i] == '-')
            continue;
        if (j >= component.len || (tag.ptr[i] | 0x20) != (component.ptr[j] | 0x20))
            return false;
        j++;
    }
    return j == component.len && j > 0;
}

static const struct json *find_component(const struct json *dom, struct str name)
{
    const struct json *all = mgi_json_get(dom, "components");
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++)
        if (str_eq(mgi_member_string(&all->items[i], "name"), name) ||
            same_name(mgi_member_string(&all->items[i], "tag"), name))
            return &all->items[i];
    return NULL;
}

static bool is_zero(const struct json *v)
{
    return v && v->type == JSON_INT && v->integer == 0;
}

static bool read_dom(struct job *job, struct json *dom, bool *missing)
{
    struct problems problems = { .text = job->error };
    struct str text;
    if (mgi_is_live(job)) {
        if (!mgi_live_file(job, "dom.json", &text))
            return false;
    } else if (!mgi_capture_file(job, &problems, "dom.json", &text, missing)) {
        return *missing;
    }
    struct json_error fault;
    if (mgi_json_parse(job->arena, text, NULL, dom, &fault))
        return mgi_job_fail(job, "dom.json:%u:%u: %s", fault.line, fault.column, fault.message);
    return true;
}

static bool trace_dom_impact(struct job *job)
{
    const struct message *error;
    struct json dom = { .type = JSON_NULL };
    bool missing = false, script = true;
    struct json_writer *w = &job->out;
    if (!asked_error(job, &error) || !read_dom(job, &dom, &missing))
        return false;
    struct str name = error ? mgi_error_component(error, &script) : (struct str){ 0 };
    const struct json *component = script ? NULL : find_component(&dom, name);
    bool empty = component && is_zero(mgi_json_get(component, "children")) &&
                 is_zero(mgi_json_get(component, "text_length"));

    put_asked_error(job, error);
    mgi_jw_key(w, "component");
    if (name.len > 0 && !script)
        mgi_jw_string(w, name);
    else
        mgi_jw_null(w);
    mgi_put_frames(job, "stack", error ? error->frames : NULL, error ? error->frame_count : 0);
    mgi_jw_key(w, "element");
    if (component)
        mgi_jw_value(w, component);
    else
        mgi_jw_null(w);
    struct str tag = mgi_member_string(component, "tag");
    mgi_jw_member_cstr(w, "summary",
                       missing ? "the capture has no picture of the page (dom.json)"
                       : empty ? mgi_arena_printf(job->arena, "<%.*s> is empty", STR_ARG(tag))
                       : component
                           ? mgi_arena_printf(job->arena, "<%.*s> shows something", STR_ARG(tag))
                           : "no element of the page could be tied to the error");
    return true;
}

static const struct browser_action impact_actions[] = {
    { "AID.BROWSER.TRACE_DOM_IMPACT.v1", "trace_dom_impact",
      "Which component threw, and what is left of it on the page.", "browser.diagnose", "none",
      INPUT_ERROR_ID, trace_dom_impact },
};
const struct browser_actions mgi_impact_actions = { impact_actions, sizeof impact_actions /
                                                                        sizeof impact_actions[0] };
