/* Deeds on one element: pressing, typing, choosing. Each looks for the element, makes sure that it
 * can be acted upon and still means what it meant, acts by real input, waits until the page has
 * settled, and says what has changed. */
#include "act.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct deed {
    struct str target, mark;
    struct str value; /* as a reproduction gives it again */
};

typedef bool (*deed_run)(struct job *job, struct deed *deed);

/* The name of the element for the summary; the words that find it again for reproductions. */
static bool know_target(struct job *job, const struct deed *deed, struct json *again)
{
    char *args = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(deed->target));
    return args ? mgi_act_script(job, "again", str_of(args), again) : mgi_job_no_memory(job);
}

static bool perform(struct job *job, const char *name, const char *verb, deed_run run)
{
    struct act_before before;
    struct json again;
    struct deed deed = { .mark = mgi_act_raw(job, "mark") };
    if (!mgi_act_begin(job, &before) || !mgi_act_target(job, &deed.target) ||
        !know_target(job, &deed, &again) || !run(job, &deed))
        return false;
    const struct json *target = mgi_json_get(&again, "target");
    const struct json *secret = mgi_json_get(&again, "secret");
    mgi_act_note(job, name, target ? target->text : STR_LIT("null"), deed.value,
                 secret && secret->type == JSON_BOOL && secret->boolean);
    return mgi_act_done(
        job, &before,
        mgi_arena_printf(job->arena, "%s %.*s", verb, STR_ARG(mgi_member_string(&again, "what"))));
}

static bool want_text(struct job *job, const char *name, struct str *text)
{
    if (!mgi_act_argument(job, name))
        return mgi_job_fail(job, "value is missing: the %s", name);
    return mgi_job_string(job, name, text);
}

/* ---- the mouse ------------------------------------------------------------------------------- */

static bool run_click(struct job *job, struct deed *deed)
{
    struct str button = STR_LIT("left");
    if (!mgi_job_string(job, "button", &button))
        return false;
    if (!str_is(button, "left") && !str_is(button, "right") && !str_is(button, "middle"))
        return mgi_job_fail(job, "button is left, right or middle");
    deed->value = str_is(button, "left") ? (struct str){ 0 } : button;
    const char *name = mgi_arena_printf(job->arena, "%.*s", STR_ARG(button));
    return mgi_act_press(job, deed->target, deed->mark, PRESS_ONCE, name ? name : "left");
}

bool mgi_act_click(struct job *job)
{
    return perform(job, "click", "clicked", run_click);
}

static bool run_double_click(struct job *job, struct deed *deed)
{
    return mgi_act_press(job, deed->target, deed->mark, PRESS_TWICE, "left");
}

static bool double_click(struct job *job)
{
    return perform(job, "double_click", "double-clicked", run_double_click);
}

static bool run_hover(struct job *job, struct deed *deed)
{
    return mgi_act_press(job, deed->target, deed->mark, PRESS_NONE, "none");
}

static bool hover(struct job *job)
{
    return perform(job, "hover", "moved the mouse over", run_hover);
}

/* *ref (if not NULL) is the element's, which stays its own whatever the page calls it meanwhile. */
static bool aim_by(struct job *job, const char *script, struct str target, struct str mark,
                   double at[2], struct str *ref)
{
    struct json aim;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(target), STR_ARG(mark));
    if (!args || !mgi_act_script(job, script, str_of(args), &aim))
        return args ? false : mgi_job_no_memory(job);
    static const char *const names[] = { "x", "y" };
    for (int i = 0; i < 2; i++) {
        const struct json *v = mgi_json_get(&aim, names[i]);
        at[i] = !v ? 0 : v->type == JSON_INT ? (double)v->integer : v->number;
    }
    char *own = ref ? mgi_arena_printf(job->arena, "{\"ref\":\"%.*s\"}",
                                       STR_ARG(mgi_member_string(&aim, "ref")))
                    : NULL;
    if (ref)
        *ref = str_of(own ? own : "null");
    return !ref || own || mgi_job_no_memory(job);
}

/* A few moves in between, as pages begin to drag only once the mouse has gone some way. */
#define DRAG_MOVES 5

/* Is what it would be dropped on still there, and what it was when it was looked at? */
static bool drop_still(struct job *job, struct str to, struct str mark, const double at[2])
{
    struct json still;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s,%.2f,%.2f]", STR_ARG(to), STR_ARG(mark),
                                  at[0], at[1]);
    return args ? mgi_act_script(job, "dropStill", str_of(args), &still) : mgi_job_no_memory(job);
}

/* With the button held. False: it is to be taken back, and let go where it was. */
static bool drag_over(struct job *job, struct str to, struct str mark, const double from_at[2],
                      double to_at[2])
{
    /* Both must be in view at once, or the page would be dragged to what is somewhere else by now.
     */
    if (!aim_by(job, "aimDrop", to, mark, to_at, NULL))
        return false;
    for (int i = 1; i <= DRAG_MOVES; i++) {
        double x = from_at[0] + (to_at[0] - from_at[0]) * i / DRAG_MOVES;
        double y = from_at[1] + (to_at[1] - from_at[1]) * i / DRAG_MOVES;
        if (!mgi_act_mouse(job, "mouseMoved", x, y, "left", 0))
            return false;
    }
    return drop_still(job, to, mark, to_at);
}

static bool run_drag(struct job *job, struct deed *deed)
{
    const struct json *to = mgi_act_argument(job, "to");
    struct str drop;
    double from_at[2], to_at[2];
    if (!to || to->type != JSON_OBJECT)
        return mgi_job_fail(job, "to is missing: the target that it is dragged to");
    deed->value = to->text;
    if (!aim_by(job, "aimDrop", to->text, deed->mark, to_at, &drop) ||
        !aim_by(job, "aim", deed->target, deed->mark, from_at, NULL) ||
        !mgi_act_mouse(job, "mouseMoved", from_at[0], from_at[1], "none", 0) ||
        !mgi_act_mouse(job, "mousePressed", from_at[0], from_at[1], "left", 1))
        return false;
    bool there = drag_over(job, drop, deed->mark, from_at, to_at);
    const double *end = there ? to_at : from_at;
    if (!there)
        mgi_act_mouse(job, "mouseMoved", end[0], end[1], "left", 0);
    return mgi_act_mouse(job, "mouseReleased", end[0], end[1], "left", 1) && there;
}

static bool drag(struct job *job)
{
    return perform(job, "drag", "dragged", run_drag);
}

/* ---- typing ---------------------------------------------------------------------------------- */

static bool run_fill(struct job *job, struct deed *deed)
{
    return want_text(job, "text", &deed->value) &&
           mgi_act_fill(job, deed->target, deed->mark, deed->value);
}

static bool fill_element(struct job *job)
{
    return perform(job, "fill", "filled", run_fill);
}

static bool run_clear(struct job *job, struct deed *deed)
{
    return mgi_act_fill(job, deed->target, deed->mark, STR_LIT(""));
}

static bool clear(struct job *job)
{
    return perform(job, "clear", "cleared", run_clear);
}

static bool run_type(struct job *job, struct deed *deed)
{
    struct json how;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s,false]", STR_ARG(deed->target),
                                  STR_ARG(deed->mark));
    if (!args)
        return mgi_job_no_memory(job);
    return want_text(job, "text", &deed->value) &&
           mgi_act_script(job, "focusOn", str_of(args), &how) &&
           mgi_act_text(job, mgi_act_as_typed(job, &how, deed->value), true);
}

static bool type(struct job *job)
{
    return perform(job, "type", "typed into", run_type);
}

static bool focus_target(struct job *job, const struct deed *deed)
{
    struct json done;
    char *args =
        mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(deed->target), STR_ARG(deed->mark));
    return args ? mgi_act_script(job, "focus", str_of(args), &done) : mgi_job_no_memory(job);
}

static bool run_focus(struct job *job, struct deed *deed)
{
    return focus_target(job, deed);
}

static bool focus(struct job *job)
{
    return perform(job, "focus", "focused", run_focus);
}

static bool run_press_key(struct job *job, struct deed *deed)
{
    return want_text(job, "key", &deed->value) &&
           mgi_act_key_at(job, deed->target, deed->mark, deed->value);
}

/* With a target the key goes to it, else to what has the focus. */
static bool press_key(struct job *job)
{
    struct act_before before;
    struct str key = { 0 };
    if (mgi_act_argument(job, "ref") || mgi_act_argument(job, "target"))
        return perform(job, "press", "pressed a key on", run_press_key);
    if (!mgi_act_begin(job, &before) || !want_text(job, "key", &key) || !mgi_act_key(job, key))
        return false;
    mgi_act_note(job, "press", STR_LIT("null"), key, false);
    return mgi_act_done(
        job, &before,
        mgi_arena_printf(job->arena, "pressed %.*s", STR_ARG(mgi_utf8_prefix(key, 40))));
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool run_select(struct job *job, struct deed *deed)
{
    const struct json *options = mgi_act_argument(job, "options");
    struct json done;
    if (!options || options->type != JSON_ARRAY || options->count == 0)
        return mgi_job_fail(job, "value is missing: what to select");
    deed->value = options->text;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s,%.*s]", STR_ARG(deed->target),
                                  STR_ARG(deed->mark), STR_ARG(options->text));
    return args ? mgi_act_script(job, "select", str_of(args), &done) : mgi_job_no_memory(job);
}

static bool select_options(struct job *job)
{
    return perform(job, "select", "selected in", run_select);
}

static bool is_checked(struct job *job, const struct deed *deed, bool *checked)
{
    struct json is;
    char *args = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(deed->target));
    if (!args || !mgi_act_script(job, "checked", str_of(args), &is))
        return args ? false : mgi_job_no_memory(job);
    *checked = is.type == JSON_BOOL && is.boolean;
    return true;
}

static bool run_check(struct job *job, struct deed *deed)
{
    bool wanted = true, is = false;
    if (!mgi_job_boolean(job, "checked", &wanted) || !is_checked(job, deed, &is))
        return false;
    deed->value = wanted ? STR_LIT("true") : STR_LIT("false");
    if (is == wanted)
        return true;
    if (!mgi_act_press(job, deed->target, deed->mark, PRESS_ONCE, "left") ||
        !is_checked(job, deed, &is))
        return false;
    return is == wanted || mgi_job_fail(job, "it was pressed, and is %s all the same",
                                        is ? "checked" : "unchecked");
}

static bool check(struct job *job)
{
    return perform(job, "check", "set", run_check);
}

/* ---- files ----------------------------------------------------------------------------------- */

#define FILES_MOST 10

/* The file below the operator's folder, links resolved: nothing outside of it goes to a page. */
static bool upload_path(struct job *job, struct str name, struct json_writer *w)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct str root = mgi_act_setting(job, "uploads");
    if (root.len == 0)
        return mgi_job_fail(job, "no files may be given to pages: the setting `uploads` names the "
                                 "folder of those that may");
    char *joined = mgi_arena_printf(job->arena, "%.*s/%.*s", STR_ARG(root), STR_ARG(name));
    char *base = mgi_arena_printf(job->arena, "%.*s", STR_ARG(root));
    if (!joined || !base)
        return mgi_job_no_memory(job);
    size_t len = realpath(base, folder) ? strlen(folder) : 0;
    if (len == 0 || !realpath(joined, path) || strncmp(path, folder, len) != 0 ||
        path[len] != '/' || access(path, R_OK) != 0)
        return mgi_job_fail(job, "there is no file \"%.*s\" in the folder for uploads",
                            STR_ARG(mgi_utf8_prefix(name, 100)));
    mgi_jw_cstring(w, path);
    return true;
}

static bool list_uploads(struct job *job, const struct json *files, struct str *list)
{
    struct act_json j;
    bool good =
        files && files->type == JSON_ARRAY && files->count > 0 && files->count <= FILES_MOST;
    if (!good)
        return mgi_job_fail(job, "files is missing: a list of 1 to %d names", FILES_MOST);
    mgi_act_json_begin(&j);
    mgi_jw_begin_array(&j.w);
    for (uint32_t i = 0; good && i < files->count; i++)
        good = files->items[i].type == JSON_STRING ? upload_path(job, files->items[i].string, &j.w)
                                                   : mgi_job_fail(job, "files is a list of names");
    mgi_jw_end_array(&j.w);
    *list = mgi_act_json_end(&j, job);
    return good;
}

/* The scripts' world cannot hand over a node, so it marks the field, and the browser looks for the
 * mark: through frames, too. */
static bool find_marked(struct job *job, struct str token, int64_t *node)
{
    struct json found, nodes, document;
    char *query = mgi_arena_printf(job->arena, "{\"query\":\"//*[@data-machina-file='%.*s']\"}",
                                   STR_ARG(token));
    if (!query || !mgi_live_call(job, "DOM.getDocument", STR_LIT("{\"depth\":0}"), &document) ||
        !mgi_live_call(job, "DOM.performSearch", str_of(query), &found))
        return false;
    const struct json *count = mgi_json_get(&found, "resultCount");
    if (!count || count->type != JSON_INT || count->integer != 1)
        return mgi_job_fail(job, "the field for the file is gone");
    char *params =
        mgi_arena_printf(job->arena, "{\"searchId\":\"%.*s\",\"fromIndex\":0,\"toIndex\":1}",
                         STR_ARG(mgi_member_string(&found, "searchId")));
    if (!params || !mgi_live_call(job, "DOM.getSearchResults", str_of(params), &nodes))
        return false;
    const struct json *ids = mgi_json_get(&nodes, "nodeIds");
    if (!ids || ids->type != JSON_ARRAY || ids->count != 1 || ids->items[0].type != JSON_INT)
        return mgi_job_fail(job, "the field for the file is gone");
    *node = ids->items[0].integer;
    return true;
}

static bool run_upload(struct job *job, struct deed *deed)
{
    struct json token, done, ignored;
    struct str list;
    int64_t node = 0;
    const struct json *files = mgi_act_argument(job, "files");
    char *args =
        mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(deed->target), STR_ARG(deed->mark));
    char *only = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(deed->target));
    if (!args || !only)
        return mgi_job_no_memory(job);
    if (!list_uploads(job, files, &list) || !mgi_act_script(job, "fileField", str_of(args), &token))
        return false;
    deed->value = files->text;
    bool given = token.type == JSON_STRING && find_marked(job, token.string, &node);
    char *params = mgi_arena_printf(job->arena, "{\"nodeId\":%lld,\"files\":%.*s}", (long long)node,
                                    STR_ARG(list));
    given =
        given && params && mgi_live_call(job, "DOM.setFileInputFiles", str_of(params), &ignored);
    return mgi_act_script(job, "fileDone", str_of(only), &done) && given;
}

static bool upload(struct job *job)
{
    return perform(job, "upload", "gave files to", run_upload);
}

/* ---- scrolling ------------------------------------------------------------------------------- */

static bool scroll(struct job *job)
{
    struct act_before before;
    struct json at;
    int64_t x = 0, y = 0;
    struct str target = STR_LIT("{}");
    bool aimed = mgi_act_argument(job, "ref") || mgi_act_argument(job, "target");
    if (!mgi_act_begin(job, &before) || !mgi_job_integer(job, "x", -100000, 100000, &x) ||
        !mgi_job_integer(job, "y", -100000, 100000, &y) || (aimed && !mgi_act_target(job, &target)))
        return false;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%lld,%lld]", STR_ARG(target), (long long)x,
                                  (long long)y);
    if (!args || !mgi_act_script(job, "scroll", str_of(args), &at))
        return args ? false : mgi_job_no_memory(job);
    mgi_jw_key(&job->out, "at");
    mgi_jw_value(&job->out, &at);
    return mgi_act_done(job, &before, "scrolled");
}

/* One set of arguments for all, so that a menu can choose among them. */
static const struct browser_action act_actions[] = {
    { "AID.BROWSER.DOUBLE_CLICK.v1", "double_click", "Double-clicks an element.", "browser.act",
      "browser", INPUT_ACT, double_click },
    { "AID.BROWSER.HOVER.v1", "hover", "Moves the mouse over an element.", "browser.act", "browser",
      INPUT_ACT, hover },
    { "AID.BROWSER.TYPE.v1", "type", "Types text into an element, key by key.", "browser.act",
      "browser", INPUT_ACT, type },
    { "AID.BROWSER.FILL.v1", "fill", "Replaces what stands in a field.", "browser.act", "browser",
      INPUT_ACT, fill_element },
    { "AID.BROWSER.CLEAR.v1", "clear", "Empties a field.", "browser.act", "browser", INPUT_ACT,
      clear },
    { "AID.BROWSER.SELECT.v1", "select", "Selects options of a list.", "browser.act", "browser",
      INPUT_ACT, select_options },
    { "AID.BROWSER.CHECK.v1", "check", "Checks or unchecks a box or switch.", "browser.act",
      "browser", INPUT_ACT, check },
    { "AID.BROWSER.PRESS.v1", "press", "Presses a key, on an element or where the focus is.",
      "browser.act", "browser", INPUT_ACT, press_key },
    { "AID.BROWSER.FOCUS.v1", "focus", "Gives an element the focus.", "browser.act", "browser",
      INPUT_ACT, focus },
    { "AID.BROWSER.SCROLL.v1", "scroll", "Scrolls to an element, or by so many pixels.",
      "browser.act", "browser", INPUT_ACT, scroll },
    { "AID.BROWSER.DRAG.v1", "drag", "Drags an element to another.", "browser.act", "browser",
      INPUT_ACT, drag },
    { "AID.BROWSER.UPLOAD.v1", "upload", "Gives files of the operator's folder to a field.",
      "browser.act", "browser", INPUT_ACT, upload },
};
const struct browser_actions mgi_act_actions = { act_actions,
                                                 sizeof act_actions / sizeof act_actions[0] };
