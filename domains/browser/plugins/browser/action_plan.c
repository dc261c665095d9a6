/* Acting on the page. A recorded capture cannot be acted upon, and nothing here claims otherwise:
 * the actions check what is asked for against the recorded page and answer with a plan, `performed`
 * false, that whoever drives a live browser can carry out. They declare the side effect that
 * carrying it out has, so that consent is asked for the plan as it would be for the deed. */
#include "act.h"

#define NOTE "this is a recorded capture: nothing was done, the plan is for a live browser"

static bool member_true(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

static const struct json *find_item(const struct json *file, const char *list, const char *key,
                                    struct str wanted)
{
    const struct json *items = mgi_json_get(file, list);
    for (uint32_t i = 0; items && items->type == JSON_ARRAY && i < items->count; i++)
        if (str_eq(mgi_member_string(&items->items[i], key), wanted))
            return &items->items[i];
    return NULL;
}

static void plan_begin(struct job *job)
{
    mgi_jw_member_bool(&job->out, "performed", false);
    mgi_jw_member_cstr(&job->out, "note", NOTE);
    mgi_jw_key(&job->out, "plan");
    mgi_jw_begin_array(&job->out);
}

static void plan_end(struct job *job, size_t steps)
{
    mgi_jw_end_array(&job->out);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "planned %zu steps, performed none", steps));
}

static void plan_step(struct job *job, const char *action, struct str ref, const char *name,
                      struct str value)
{
    mgi_jw_begin_object(&job->out);
    mgi_jw_member_cstr(&job->out, "action", action);
    if (ref.len > 0)
        mgi_put_text(job, "ref", ref);
    if (name)
        mgi_put_text(job, name, value);
    mgi_jw_end_object(&job->out);
}

/* ---- a form
 * -------------------------------------------------------------------------------------------- */

/* The form by its id; without one, the page's only form. */
static const struct json *chosen_form(struct job *job, const struct json *dom)
{
    struct str id = { 0 };
    if (!mgi_job_string(job, "form", &id))
        return NULL;
    const struct json *forms = mgi_json_get(dom, "forms");
    size_t count = forms && forms->type == JSON_ARRAY ? forms->count : 0;
    if (id.len == 0 && count == 1)
        return &forms->items[0];
    const struct json *form = id.len > 0 ? find_item(dom, "forms", "id", id) : NULL;
    if (!form && id.len == 0)
        mgi_job_fail(job, "the page has %zu forms: say which by its id, as `form`", count);
    else if (!form)
        mgi_job_fail(job, "the page has no form \"%.*s\"", STR_ARG(mgi_utf8_prefix(id, 60)));
    return form;
}

static struct str value_text(const struct json *value)
{
    return value->type == JSON_STRING ? value->string : value->text;
}

static bool is_one_of(struct str text, const char *const *words)
{
    for (; *words; words++)
        if (str_is(text, *words))
            return true;
    return false;
}

/* Why a field does not take this; NULL: it does. As the page's own script judges it. */
static const char *not_taken(const struct json *field, const struct json *value)
{
    static const char *const words[] = { "true", "on", "yes", "1", "false",
                                         "off",  "no", "0",   "",  NULL };
    bool number = value->type == JSON_INT || value->type == JSON_FLOAT;
    if (str_is(mgi_member_string(field, "type"), "checkbox"))
        return (value->type == JSON_BOOL || value->type == JSON_STRING || number) &&
                       is_one_of(value_text(value), words)
                   ? NULL
                   : "a box that takes true or false (yes or no)";
    return value->type == JSON_STRING || number ? NULL : "a field that takes a text";
}

/* Every value has a field of its name, and every required field a value. All faults are told. */
static bool check_values(struct job *job, const struct json *form, const struct json *values)
{
    struct problems problems = { .text = job->error };
    for (uint32_t i = 0; i < values->count; i++) {
        struct str name = values->members[i].name;
        const struct json *field = find_item(form, "fields", "name", name);
        const char *why = field ? not_taken(field, &values->members[i].value) : NULL;
        if (!field)
            mgi_problem(&problems, "the form has no field \"%.*s\"",
                        STR_ARG(mgi_utf8_prefix(name, 60)));
        else if (why)
            mgi_problem(&problems, "\"%.*s\" is %s", STR_ARG(mgi_utf8_prefix(name, 60)), why);
    }
    const struct json *fields = mgi_json_get(form, "fields");
    for (uint32_t i = 0; fields && fields->type == JSON_ARRAY && i < fields->count; i++) {
        struct str name = mgi_member_string(&fields->items[i], "name");
        if (member_true(&fields->items[i], "required") && !mgi_json_get_str(values, name) &&
            mgi_member_string(&fields->items[i], "value").len == 0)
            mgi_problem(&problems, "the field \"%.*s\" is required",
                        STR_ARG(mgi_utf8_prefix(name, 60)));
    }
    return problems.count == 0;
}

static bool fill_form(struct job *job)
{
    struct json dom;
    bool submit = false;
    if (mgi_is_live(job))
        return mgi_act_form(job);
    const struct json *values = mgi_json_get(job->input, "values");
    if (!mgi_job_boolean(job, "submit", &submit) || !mgi_capture_json(job, "dom.json", &dom))
        return false;
    const struct json *form = chosen_form(job, &dom);
    if (!form)
        return false;
    if (!values || values->type != JSON_OBJECT)
        return mgi_job_fail(job,
                            "values is missing: an object from field names to texts is needed");
    if (!check_values(job, form, values))
        return false;
    plan_begin(job);
    for (uint32_t i = 0; i < values->count; i++) {
        const struct json *field = find_item(form, "fields", "name", values->members[i].name);
        plan_step(job, "fill", mgi_member_string(field, "ref"), "value",
                  value_text(&values->members[i].value));
    }
    if (submit)
        plan_step(job, "submit", (struct str){ 0 }, "form", mgi_member_string(form, "id"));
    plan_end(job, values->count + submit);
    return true;
}

/* ---- an element, an address
 * ------------------------------------------------------------------------------ */

static bool plan_click(struct job *job)
{
    struct json dom;
    struct str ref = { 0 };
    if (mgi_is_live(job))
        return mgi_act_click(job);
    if (!mgi_job_string(job, "ref", &ref) || !mgi_capture_json(job, "dom.json", &dom))
        return false;
    const struct json *element = find_item(&dom, "elements", "ref", ref);
    if (!element)
        return mgi_job_fail(job,
                            "the page has no element \"%.*s\"; interactive_elements lists them",
                            STR_ARG(mgi_utf8_prefix(ref, 40)));
    if (!member_true(element, "visible") || !member_true(element, "enabled"))
        return mgi_job_fail(job, "the element \"%.*s\" is hidden or disabled",
                            STR_ARG(mgi_utf8_prefix(ref, 40)));
    plan_begin(job);
    plan_step(job, "click", ref, "name", mgi_member_string(element, "name"));
    plan_end(job, 1);
    return true;
}

static bool navigate(struct job *job)
{
    struct str url = { 0 };
    if (mgi_is_live(job))
        return mgi_act_navigate(job);
    if (!mgi_job_string(job, "url", &url))
        return false;
    if (!mgi_str_starts(url, STR_LIT("http://")) && !mgi_str_starts(url, STR_LIT("https://")))
        return mgi_job_fail(job, "url is no http or https address");
    plan_begin(job);
    plan_step(job, "navigate", (struct str){ 0 }, "url", url);
    plan_end(job, 1);
    return true;
}

static const struct browser_action plan_actions[] = {
    { "AID.BROWSER.FORM_FILL.v1", "fill_form",
      "Plans to fill in a form; cannot act on a recording.", "browser.act", "browser",
      "\"form\":{\"type\":\"string\",\"description\":\"the form's id; may be left out if there is "
      "but "
      "one\"},\"values\":{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"string\","
      "\"boolean\",\"number\"]}},"
      "\"submit\":{\"type\":\"boolean\",\"default\":false},\"mark\":{\"type\":\"string\"},"
      "\"agreed\":{\"type\":\"string\"},\"leaves\":{\"type\":\"string\"}",
      fill_form },
    { "AID.BROWSER.CLICK.v1", "click", "Plans to click an element; cannot act on a recording.",
      "browser.act", "browser", INPUT_ACT, plan_click },
    { "AID.BROWSER.NAVIGATE.v1", "navigate", "Plans to open an address; cannot act on a recording.",
      "browser.act", "browser", "\"url\":{\"type\":\"string\"}", navigate },
};
const struct browser_actions mgi_plan_actions = { plan_actions,
                                                  sizeof plan_actions / sizeof plan_actions[0] };
