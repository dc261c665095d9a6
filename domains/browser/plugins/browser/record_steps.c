/* What is done to a live page before it is kept as a recording: the steps of a person who records.
 * Each is followed by waiting until the page has settled, for a few seconds at most. */
#include "act.h"
#include "record.h"

#define SETTLE_MS 4000
#define QUIET_MS  400
#define WAIT_MS   15000

static struct str selector_target(struct job *job, struct str selector)
{
    struct act_json j;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_str(&j.w, "selector", selector);
    mgi_jw_end_object(&j.w);
    return mgi_act_json_end(&j, job);
}

static bool settle(struct job *job)
{
    bool met = false;
    return mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), QUIET_MS, SETTLE_MS, &met);
}

static bool click(struct job *job, const struct json *what)
{
    return mgi_act_press(job, selector_target(job, what->string), STR_LIT("null"), PRESS_ONCE,
                         "left") &&
           settle(job);
}

static bool fill(struct job *job, const struct json *what)
{
    return mgi_act_fill(job, selector_target(job, what->items[0].string), STR_LIT("null"),
                        what->items[1].string) &&
           settle(job);
}

static bool press(struct job *job, const struct json *what)
{
    return mgi_act_key(job, what->string) && settle(job);
}

static bool wait_text(struct job *job, const struct json *what)
{
    bool met = false;
    if (!mgi_live_wait(job, WAIT_TEXT, what->string, QUIET_MS, WAIT_MS, &met))
        return false;
    return met || mgi_job_fail(job, "the page did not show \"%.*s\" within %d seconds",
                               STR_ARG(mgi_utf8_prefix(what->string, 80)), WAIT_MS / 1000);
}

static bool open_address(struct job *job, const struct json *what)
{
    const char *reason = NULL; /* no page is something to record, too */
    return mgi_live_navigate(job, what->string, &reason);
}

/* What grows, and what comes again and again, is seen by looking more than once. */
static bool watch(struct job *job, const struct json *what)
{
    for (int64_t second = 0; second < what->integer; second++) {
        bool met = false;
        if (!mgi_live_wait(job, WAIT_FUNCTION, STR_LIT("() => false"), QUIET_MS, 1000, &met) ||
            !mgi_live_observe(job))
            return false;
    }
    return true;
}

static const struct {
    const char *name;
    enum json_type type;
    bool (*run)(struct job *job, const struct json *what);
} kinds[] = {
    { "click", JSON_STRING, click },       { "fill", JSON_ARRAY, fill },
    { "press", JSON_STRING, press },       { "wait", JSON_STRING, wait_text },
    { "open", JSON_STRING, open_address }, { "watch_s", JSON_INT, watch },
};

static bool is_sound(const struct json *what, enum json_type type)
{
    if (what->type != type)
        return false;
    for (uint32_t i = 0; type == JSON_ARRAY && i < what->count; i++)
        if (what->items[i].type != JSON_STRING)
            return false;
    return type != JSON_ARRAY || what->count == 2;
}

static bool run_step(struct job *job, const struct json *step, size_t number)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct json *what = mgi_json_get(step, kinds[i].name);
        if (!what)
            continue;
        if (!is_sound(what, kinds[i].type))
            break;
        if (kinds[i].run(job, what))
            return true;
        struct str why = mgi_arena_str(job->arena, mgi_buf_view(job->error));
        mgi_buf_clear(job->error);
        return mgi_job_fail(job, "step %zu (%s): %.*s", number, kinds[i].name, STR_ARG(why));
    }
    return mgi_job_fail(job, "step %zu is none: click, fill, press, wait, open or watch_s", number);
}

bool mgi_record_steps(struct job *job)
{
    const struct json *steps = mgi_json_get(job->input, "steps");
    if (steps && steps->type != JSON_NULL && steps->type != JSON_ARRAY)
        return mgi_job_fail(job, "steps is a list");
    if (!mgi_live_open(job))
        return false;
    for (uint32_t i = 0; steps && steps->type == JSON_ARRAY && i < steps->count; i++)
        if (!run_step(job, &steps->items[i], i + 1))
            return false;
    return mgi_live_observe(job);
}
