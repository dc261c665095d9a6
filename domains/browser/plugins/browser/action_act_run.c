/* Several deeds as one: the steps of a plan; and what was done as a plan that does it again.
 *
 * A plan is a list of steps, {"do", "target", "value", "check", "undo"}. One call runs one step, so
 * that rules look at each before it runs and a person can be asked in between; the whole is a menu
 * (tools/live.yaml). What was done by hand is noted in the same form. */
#include "act.h"

#define STEPS_MOST       40
#define NOTES_BYTES_MOST 65536

/* ---- notes ----------------------------------------------------------------------------------- */

/* A worker runs one call at a time; what it did stays with it until it ends. */
static struct buf notes; /* of JSON objects, with commas between them */

void mgi_act_forget(void)
{
    mgi_buf_fini(&notes);
    notes = (struct buf){ 0 };
}

struct str mgi_act_noted(void)
{
    return mgi_buf_view(&notes);
}

/* A value is given as JSON where the deed takes a list or an object, else as the text that it is:
 * what is typed may look like either. */
static bool is_json(struct job *job, const char *deed, struct str value)
{
    static const char *const with[] = { "select", "upload", "drag", "block" };
    struct json parsed;
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (strcmp(deed, with[i]) == 0)
            return value.len > 0 && (value.ptr[0] == '[' || value.ptr[0] == '{') &&
                   mgi_json_parse(job->arena, value, NULL, &parsed, NULL) == JSON_OK;
    return false;
}

void mgi_act_note(struct job *job, const char *deed, struct str target, struct str value,
                  bool secret)
{
    struct act_json j;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_cstr(&j.w, "do", deed);
    if (!str_is(target, "null")) {
        mgi_jw_key(&j.w, "target");
        mgi_jw_raw(&j.w, target);
    }
    if (secret) {
        mgi_jw_member_cstr(&j.w, "value", "(hidden)");
    } else if (is_json(job, deed, value)) {
        mgi_jw_key(&j.w, "value");
        mgi_jw_raw(&j.w, value);
    } else if (value.len > 0) {
        mgi_jw_member_str(&j.w, "value", value);
    }
    mgi_jw_end_object(&j.w);
    struct str step = mgi_act_json_end(&j, job);
    if (notes.len + step.len + 1 > NOTES_BYTES_MOST)
        return;
    if (notes.len > 0)
        mgi_buf_putc(&notes, ',');
    mgi_buf_str(&notes, step);
}

/* ---- a step of a plan ------------------------------------------------------------------------ */

static const struct {
    const char *deed, *aid, *value; /* the argument that takes the step's value */
} deeds[] = {
    { "click", "AID.BROWSER.CLICK.v1", "button" },
    { "double_click", "AID.BROWSER.DOUBLE_CLICK.v1", NULL },
    { "hover", "AID.BROWSER.HOVER.v1", NULL },
    { "type", "AID.BROWSER.TYPE.v1", "text" },
    { "fill", "AID.BROWSER.FILL.v1", "text" },
    { "clear", "AID.BROWSER.CLEAR.v1", NULL },
    { "select", "AID.BROWSER.SELECT.v1", "options" },
    { "check", "AID.BROWSER.CHECK.v1", "checked" },
    { "press", "AID.BROWSER.PRESS.v1", "key" },
    { "focus", "AID.BROWSER.FOCUS.v1", NULL },
    { "scroll", "AID.BROWSER.SCROLL.v1", "y" },
    { "drag", "AID.BROWSER.DRAG.v1", "to" },
    { "upload", "AID.BROWSER.UPLOAD.v1", "files" },
    { "navigate", "AID.BROWSER.NAVIGATE.v1", "url" },
    { "reload", "AID.BROWSER.RELOAD.v1", NULL },
    { "back", "AID.BROWSER.HISTORY.v1", NULL },
    { "forward", "AID.BROWSER.HISTORY.v1", NULL },
    { "block", "AID.BROWSER.INTERCEPT.v1", "patterns" },
    { "accept_dialogs", "AID.BROWSER.DIALOGS.v1", "text" },
    { "dismiss_dialogs", "AID.BROWSER.DIALOGS.v1", NULL },
    { "wait", "AID.BROWSER.WAIT.v1", "text" },
};

static const struct browser_action *action_of(const char *aid)
{
    static const struct browser_actions *const lists[] = { &mgi_act_actions, &mgi_act_page_actions,
                                                           &mgi_act_state_actions,
                                                           &mgi_plan_actions };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->count; k++)
            if (str_is(str_of(lists[i]->actions[k].aid), aid))
                return &lists[i]->actions[k];
    return NULL;
}

static void put_value(struct json_writer *w, const char *name, struct str deed,
                      const struct json *value)
{
    if (str_is(deed, "check") && value->type == JSON_STRING) {
        mgi_jw_member_bool(w, name, str_is(value->string, "true"));
        return;
    }
    if (str_is(deed, "select") && value->type == JSON_STRING) {
        mgi_jw_key(w, name);
        mgi_jw_begin_array(w);
        mgi_jw_value(w, value);
        mgi_jw_end_array(w);
        return;
    }
    mgi_jw_key(w, name);
    mgi_jw_value(w, value);
}

/* What the action of the step is given. */
static struct str step_input(struct job *job, const struct json *step, size_t deed, struct str mark)
{
    struct act_json j;
    const struct json *target = mgi_json_get(step, "target"), *value = mgi_json_get(step, "value");
    const struct json *until = mgi_json_get(step, "until");
    struct str name = str_of(deeds[deed].deed);
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_key(&j.w, "target");
    if (target && target->type == JSON_OBJECT)
        mgi_jw_value(&j.w, target);
    else if (str_is(name, "press")) /* what has the focus was looked at: its mark holds */
        mgi_jw_raw(&j.w, STR_LIT("{\"focused\":true}"));
    else
        mgi_jw_null(&j.w);
    if (deeds[deed].value && value)
        put_value(&j.w, deeds[deed].value, name, value);
    if (str_is(name, "wait"))
        mgi_jw_member_str(&j.w, "until",
                          until && until->type == JSON_STRING ? until->string
                          : value                             ? STR_LIT("text")
                                                              : STR_LIT("settled"));
    if (str_is(name, "back") || str_is(name, "forward"))
        mgi_jw_member_str(&j.w, "way", name);
    if (str_is(name, "accept_dialogs"))
        mgi_jw_member_bool(&j.w, "accept", true);
    if (mark.len > 0)
        mgi_jw_member_str(&j.w, "mark", mark);
    if (mgi_act_argument(job, "leaves"))
        mgi_jw_member_str(&j.w, "leaves", mgi_member_string(job->input, "leaves"));
    mgi_jw_end_object(&j.w);
    return mgi_act_json_end(&j, job);
}

static bool run_step(struct job *job, const struct json *step, struct str mark)
{
    struct json *input = mgi_arena_calloc(job->arena, 1, sizeof *input);
    const struct json *outer = job->input;
    struct str deed = mgi_member_string(step, "do");
    size_t i = 0;
    while (i < sizeof deeds / sizeof *deeds && !str_is(deed, deeds[i].deed))
        i++;
    if (i == sizeof deeds / sizeof *deeds)
        return mgi_job_fail(job,
                            "there is no step \"%.*s\": click, fill, select, check, press, "
                            "navigate, wait and the like",
                            STR_ARG(mgi_utf8_prefix(deed, 40)));
    const struct browser_action *action = action_of(deeds[i].aid);
    struct str text = step_input(job, step, i, mark);
    if (!input || !action || mgi_json_parse(job->arena, text, NULL, input, NULL))
        return mgi_job_no_memory(job);
    job->input = input;
    bool done = action->run(job);
    job->input = outer;
    return done;
}

static bool check_step(struct job *job, const struct json *step)
{
    struct json results;
    bool all = false;
    const struct json *checks = mgi_json_get(step, "check");
    if (!checks)
        return true;
    if (!mgi_act_holds(job, checks, &results, &all))
        return false;
    for (uint32_t i = 0; !all && i < results.count; i++) {
        struct str why = mgi_member_string(&results.items[i], "why");
        if (why.len > 0)
            return mgi_job_fail(job, "after it %.*s", STR_ARG(mgi_utf8_prefix(why, 300)));
    }
    return true;
}

static const struct json *nth_step(struct job *job, int64_t *index)
{
    const struct json *steps = mgi_act_argument(job, "steps");
    if (!mgi_job_integer(job, "index", 0, STEPS_MOST, index))
        return NULL;
    if (!steps || steps->type != JSON_ARRAY || *index >= (int64_t)steps->count) {
        mgi_job_fail(job, "steps is a list of at most %d steps", STEPS_MOST);
        return NULL;
    }
    return &steps->items[*index];
}

/* The first words of an error say which step it was. */
static bool blame_step(struct job *job, int64_t index)
{
    char *why = mgi_arena_printf(job->arena, "step %lld: %.*s", (long long)index + 1,
                                 STR_ARG(mgi_buf_view(job->error)));
    mgi_buf_clear(job->error);
    mgi_buf_puts(job->error, why ? why : "out of memory");
    return false;
}

static bool step(struct job *job)
{
    int64_t index = 0;
    struct str mark = { 0 };
    const struct json *s = nth_step(job, &index);
    if (!s || !mgi_job_string(job, "mark", &mark) || !mgi_act_live(job))
        return false;
    return (run_step(job, s, mark) && check_step(job, s)) || blame_step(job, index);
}

static bool undo_step(struct job *job)
{
    int64_t index = 0;
    const struct json *s = nth_step(job, &index);
    const struct json *undo = s ? mgi_json_get(s, "undo") : NULL;
    if (!s || !mgi_act_live(job))
        return false;
    if (undo)
        return run_step(job, undo, (struct str){ 0 }) || blame_step(job, index);
    mgi_jw_member_bool(&job->out, "performed", false);
    return true;
}

/* ---- what was done, again -------------------------------------------------------------------- */

static struct str script_text(struct job *job, const char *plan, struct str page)
{
    const char *name = strrchr(plan, '/');
    for (size_t i = 0; i < page.len; i++) /* no address that a browser opens has them unescaped */
        if (page.ptr[i] == '\'' || page.ptr[i] == '"' || page.ptr[i] == '\\')
            return STR_LIT("");
    char *text = mgi_arena_printf(
        job->arena,
        "#!/bin/sh\n# Does again what was done on a page: %s FOLDER-OF-THE-BROWSER-DOMAIN [--yes]\n"
        "folder=${1:?the folder of the browser domain}\nshift\n"
        "exec \"${MANGLECP:-manglecp}\" invoke \"$folder\" run_plan --intent automate --param "
        "action=plan \\\n    --set page='%.*s' --fact "
        "'{\"pred\":\"current_url\",\"args\":[\"%.*s\"]}' \\\n    --arg \"steps=$(cat \"$(dirname "
        "\"$0\")%s\")\" \"$@\"\n",
        "sh FILE", STR_ARG(page), STR_ARG(page), name ? name : "");
    return str_of(text ? text : "");
}

static bool reproduce(struct job *job)
{
    const char *plan, *script;
    bool afresh = false;
    struct str page = mgi_live_settings()->page, steps = mgi_act_noted();
    if (!mgi_job_boolean(job, "forget", &afresh) || !mgi_act_live(job))
        return false;
    if (steps.len == 0)
        return mgi_job_fail(job, "nothing has been done on this page yet");
    char *text = mgi_arena_printf(job->arena, "[%.*s]\n", STR_ARG(steps));
    if (!text || !mgi_act_file(job, "reproduction", ".json", str_of(text), &plan))
        return text ? false : mgi_job_no_memory(job);
    struct str source = script_text(job, plan, page);
    if (source.len == 0 || !mgi_act_file(job, "reproduction", ".sh", source, &script))
        return mgi_job_fail(job, "the page's address fits no script");
    mgi_jw_member_cstr(&job->out, "plan", plan);
    mgi_jw_member_cstr(&job->out, "script", script);
    mgi_act_say_kept(job);
    mgi_jw_key(&job->out, "steps");
    mgi_jw_raw(&job->out, str_of(text));
    if (afresh)
        mgi_act_forget();
    return true;
}

#define INPUT_STEPS                                                                                \
    "\"steps\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},\"index\":{\"type\":"          \
    "\"integer\"},\"mark\":{\"type\":\"string\"},\"leaves\":{\"type\":\"string\"}"

static bool look_step(struct job *job)
{
    int64_t index = 0;
    const struct json *s = nth_step(job, &index), *outer = job->input;
    struct json *input = mgi_arena_calloc(job->arena, 1, sizeof *input);
    if (!s || !input)
        return false;
    struct str deed = mgi_member_string(s, "do");
    const struct json *target = mgi_json_get(s, "target"), *value = mgi_json_get(s, "value");
    bool address = str_is(deed, "navigate");
    struct str url = value && value->type == JSON_STRING ? value->string : STR_LIT("");
    const struct browser_action *look = mgi_act_looks(address);
    struct act_json j;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    if (address)
        mgi_jw_member_str(&j.w, "url", url);
    else if (target && target->type == JSON_OBJECT) {
        mgi_jw_key(&j.w, "target");
        mgi_jw_value(&j.w, target);
    }
    if (str_is(deed, "drag") && value && value->type == JSON_OBJECT) {
        mgi_jw_key(&j.w, "to");
        mgi_jw_value(&j.w, value);
    }
    mgi_jw_end_object(&j.w);
    if (mgi_json_parse(job->arena, mgi_act_json_end(&j, job), NULL, input, NULL))
        return mgi_job_no_memory(job);
    mgi_jw_member_str(&job->out, "deed", deed);
    if (str_is(deed, "press"))
        mgi_jw_member_str(&job->out, "key", url);
    bool needs = address || target || str_is(deed, "press");
    job->input = input;
    bool done = !needs || look->run(job);
    job->input = outer;
    return done || blame_step(job, index);
}

static const struct browser_action act_run_actions[] = {
    { "AID.BROWSER.STEP_LOOK.v1", "step_look", "What a step of a plan would act upon.",
      "browser.dom", "none", INPUT_STEPS, look_step },
    { "AID.BROWSER.STEP.v1", "step", "Runs a step of a plan, and checks what it says.",
      "browser.act", "browser", INPUT_STEPS, step },
    { "AID.BROWSER.STEP_UNDO.v1", "step_undo", "Undoes a step of a plan as it says itself.",
      "browser.act", "browser", INPUT_STEPS, undo_step },
    { "AID.BROWSER.REPRODUCE.v1", "reproduce", "What was done, as a plan and a script.",
      "browser.observe", "none", "\"forget\":{\"type\":\"boolean\"}", reproduce },
};
const struct browser_actions mgi_act_run_actions = {
    act_run_actions, sizeof act_run_actions / sizeof act_run_actions[0]
};
