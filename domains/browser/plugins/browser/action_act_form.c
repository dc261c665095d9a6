/* Forms: filled in as a person would, submitted, and what the page does not accept; signing in with
 * the operator's credentials. */
#include "act.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CREDENTIALS_MOST 4096

/* ---- a form ---------------------------------------------------------------------------------- */

static bool press_ref(struct job *job, struct str ref, struct str mark)
{
    char *target = mgi_arena_printf(job->arena, "{\"ref\":\"%.*s\"}", STR_ARG(ref));
    char *quoted = mark.len ? mgi_arena_printf(job->arena, "\"%.*s\"", STR_ARG(mark)) : NULL;
    return target && mgi_act_press(job, str_of(target), quoted ? str_of(quoted) : STR_LIT("null"),
                                   PRESS_ONCE, "left");
}

static bool choose(struct job *job, struct str target, struct str value)
{
    struct act_json j;
    struct json done;
    mgi_act_json_begin(&j);
    mgi_jw_begin_array(&j.w);
    mgi_jw_raw(&j.w, target);
    mgi_jw_null(&j.w);
    mgi_jw_begin_array(&j.w);
    mgi_jw_string(&j.w, value);
    mgi_jw_end_array(&j.w);
    mgi_jw_end_array(&j.w);
    return mgi_act_script(job, "select", mgi_act_json_end(&j, job), &done);
}

/* "true" or "false", as the script has judged what was said. */
static bool set_box(struct job *job, struct str ref, struct str target, struct str value)
{
    struct json is;
    char *args = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(target));
    if (!args || !mgi_act_script(job, "checked", str_of(args), &is))
        return false;
    bool wanted = str_is(value, "true");
    bool checked = is.type == JSON_BOOL && is.boolean;
    return checked == wanted || press_ref(job, ref, STR_LIT(""));
}

/* A field, as scripts/30_acting.js planned it. */
static bool fill_field(struct job *job, const struct json *step)
{
    struct json again;
    struct str how = mgi_member_string(step, "how"), value = mgi_member_string(step, "value");
    struct str ref = mgi_member_string(step, "ref");
    const struct json *secret = mgi_json_get(step, "secret");
    char *target = mgi_arena_printf(job->arena, "{\"ref\":\"%.*s\"}", STR_ARG(ref));
    char *args = mgi_arena_printf(job->arena, "[{\"ref\":\"%.*s\"}]", STR_ARG(ref));
    if (!target || !args || !mgi_act_script(job, "again", str_of(args), &again))
        return false;
    struct str t = str_of(target);
    bool done = str_is(how, "select")  ? choose(job, t, value)
                : str_is(how, "check") ? set_box(job, ref, t, value)
                                       : mgi_act_fill(job, t, STR_LIT("null"), value);
    const struct json *words = mgi_json_get(&again, "target");
    if (done)
        mgi_act_note(job,
                     str_is(how, "select")  ? "select"
                     : str_is(how, "check") ? "check"
                                            : "fill",
                     words ? words->text : t, value,
                     secret && secret->type == JSON_BOOL && secret->boolean);
    return done;
}

/* The button is pressed with the mark that it had when the form was last found to be what it was.
 */
static bool submit_form(struct job *job, const struct json *plan, struct str form, struct str mark)
{
    struct json done, again;
    struct str button = mgi_member_string(plan, "submit");
    if (button.len > 0) {
        char *args = mgi_arena_printf(job->arena, "[{\"ref\":\"%.*s\"}]", STR_ARG(button));
        if (!args || !mgi_act_script(job, "again", str_of(args), &again) ||
            !press_ref(job, button, mgi_member_string(plan, "submit_mark")))
            return false;
        const struct json *words = mgi_json_get(&again, "target");
        mgi_act_note(job, "click", words ? words->text : STR_LIT("null"), STR_LIT(""), false);
        return true;
    }
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(form), STR_ARG(mark));
    return args && mgi_act_script(job, "submit", str_of(args), &done);
}

/* The fields that the page itself does not accept, where the form is still there. */
static void put_invalid(struct job *job, struct str form)
{
    struct json invalid;
    size_t had = job->error->len;
    char *args = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(form));
    if (args && mgi_act_script(job, "invalid", str_of(args), &invalid)) {
        if (invalid.type == JSON_ARRAY && invalid.count > 0) {
            mgi_jw_key(&job->out, "invalid");
            mgi_jw_value(&job->out, &invalid);
        }
    } else if (had == 0) {
        mgi_buf_clear(job->error); /* the form is gone: it was taken */
    }
}

static bool fill_and_submit(struct job *job, struct str form, struct str values, struct str mark,
                            bool submit)
{
    struct json plan;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s,%.*s]", STR_ARG(form), STR_ARG(values),
                                  STR_ARG(mark));
    if (!args || !mgi_act_script(job, "planForm", str_of(args), &plan))
        return args ? false : mgi_job_no_memory(job);
    const struct json *steps = mgi_json_get(&plan, "steps");
    for (uint32_t i = 0; steps && steps->type == JSON_ARRAY && i < steps->count; i++)
        if (!fill_field(job, &steps->items[i]))
            return false;
    if (!submit)
        return true;
    /* Filling it in may have changed what it is: a page that turns into one for paying. */
    char *again = mgi_arena_printf(job->arena, "[%.*s,{},%.*s]", STR_ARG(form), STR_ARG(mark));
    return again && mgi_act_script(job, "formStill", str_of(again), &plan) &&
           submit_form(job, &plan, form, mark);
}

bool mgi_act_form(struct job *job)
{
    struct act_before before;
    bool submit = false;
    struct str form = mgi_act_raw(job, "form");
    const struct json *values = mgi_act_argument(job, "values");
    if (!values || values->type != JSON_OBJECT)
        return mgi_job_fail(job,
                            "values is missing: an object from field names to texts is needed");
    if (!mgi_job_boolean(job, "submit", &submit) || !mgi_act_begin(job, &before) ||
        !fill_and_submit(job, form, values->text, mgi_act_raw(job, "mark"), submit) ||
        !mgi_act_done(job, &before,
                      mgi_arena_printf(job->arena, "filled %u fields%s", values->count,
                                       submit ? " and submitted the form" : "")))
        return false;
    put_invalid(job, form);
    return true;
}

/* ---- signing in ------------------------------------------------------------------------------ */

/* {"origin": …, "user": …, "password": …} in a file of the operator's, for nobody else to read. */
static bool read_credentials(struct job *job, struct json *out)
{
    struct str name = mgi_act_setting(job, "credentials");
    char *path = mgi_arena_printf(job->arena, "%.*s", STR_ARG(name));
    char *text = mgi_arena_alloc(job->arena, CREDENTIALS_MOST);
    if (name.len == 0)
        return mgi_job_fail(job,
                            "nobody to sign in as: the setting `credentials` names a file with "
                            "origin, user and password");
    int fd = path && text ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    struct stat st;
    bool safe = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & 077);
    ssize_t n = safe ? read(fd, text, CREDENTIALS_MOST) : -1;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && !safe)
        return mgi_job_fail(job, "the file of credentials may be read by others: chmod 600");
    if (n < 0 || mgi_json_parse(job->arena, (struct str){ text, (size_t)n }, NULL, out, NULL) ||
        mgi_member_string(out, "password").len == 0 || mgi_member_string(out, "origin").len == 0)
        return mgi_job_fail(job, "the file of credentials has no origin and password to read");
    return true;
}

/* Credentials go to the origin that they are for, and nowhere else. */
static bool check_origin(struct job *job, const struct json *credentials, const struct json *form)
{
    struct str origin = mgi_member_string(credentials, "origin");
    struct str page = mgi_member_string(form, "page"), to = mgi_member_string(form, "origin");
    if (!str_eq(origin, page))
        return mgi_job_fail(job, "the credentials are for %.*s, this page is of %.*s",
                            STR_ARG(mgi_utf8_prefix(origin, 100)),
                            STR_ARG(mgi_utf8_prefix(page, 100)));
    return str_eq(to, page) ||
           mgi_job_fail(job, "the form would send them to %.*s", STR_ARG(mgi_utf8_prefix(to, 100)));
}

static struct str sign_in_values(struct job *job, const struct json *credentials,
                                 const struct json *form)
{
    struct act_json j;
    struct str user = mgi_member_string(form, "user");
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    if (user.len > 0) {
        mgi_jw_key_str(&j.w, user);
        mgi_jw_string(&j.w, mgi_member_string(credentials, "user"));
    }
    mgi_jw_key_str(&j.w, mgi_member_string(form, "password"));
    mgi_jw_string(&j.w, mgi_member_string(credentials, "password"));
    mgi_jw_end_object(&j.w);
    return mgi_act_json_end(&j, job);
}

static bool sign_in(struct job *job)
{
    struct act_before before;
    struct json credentials, form, after;
    if (!mgi_act_begin(job, &before) || !read_credentials(job, &credentials) ||
        !mgi_act_script(job, "signInForm", STR_LIT("[]"), &form) ||
        !check_origin(job, &credentials, &form))
        return false;
    const struct json *id = mgi_json_get(&form, "form");
    struct str values = sign_in_values(job, &credentials, &form);
    if (!fill_and_submit(job, id ? id->text : STR_LIT("null"), values, STR_LIT("null"), true) ||
        !mgi_act_done(job, &before, "signed in as the operator's user") ||
        !mgi_act_script(job, "asksPassword", STR_LIT("[]"), &after))
        return false;
    mgi_jw_member_bool(&job->out, "signed_in", !(after.type == JSON_BOOL && after.boolean));
    return true;
}

static const struct browser_action act_form_actions[] = {
    { "AID.BROWSER.SIGN_IN.v1", "sign_in", "Signs in with the operator's credentials.",
      "browser.act", "browser", "", sign_in },
};
const struct browser_actions mgi_act_form_actions = {
    act_form_actions, sizeof act_form_actions / sizeof act_form_actions[0]
};
