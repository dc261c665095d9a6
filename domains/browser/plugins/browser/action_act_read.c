/* Looking: what an element means before it is acted upon, which elements there are, tables and
 * lists through all their pages, and whether what is said of the page holds.
 *
 * LOOK and LOOK_FORM answer for recordings, too, from dom.json: what asks for consent to a deed
 * asks for consent to its plan. */
#include "act.h"
#include "guard.h"

#define TEXT_MOST 8000

/* ---- where it leads -------------------------------------------------------------------------- */

static struct str origin_host(struct str url)
{
    struct str origin = mgi_url_origin(url);
    size_t at = mgi_str_find(origin, STR_LIT("://"));
    return at == SIZE_MAX ? origin : (struct str){ origin.ptr + at + 3, origin.len - at - 3 };
}

static struct str without_port(struct str host)
{
    const char *colon = host.len ? memrchr(host.ptr, ':', host.len) : NULL;
    return colon ? (struct str){ host.ptr, (size_t)(colon - host.ptr) } : host;
}

static bool is_allowed(struct str origin)
{
    const struct live_settings *settings = mgi_live_settings();
    struct str rest = settings->allow, host = origin_host(origin);
    if (str_eq(host, origin_host(settings->page)))
        return true;
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, ' ', rest.len);
        struct str one = { rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
        rest.ptr += one.len + (end != NULL);
        rest.len -= one.len + (end != NULL);
        if (one.len > 0 &&
            (str_eq(one, origin) || str_eq(one, host) || str_eq(one, without_port(host))))
            return true;
    }
    return false;
}

/* The origin that it would go to, if that is neither the page's own nor an allowed one. */
static struct str leaves_for(const struct json *meaning)
{
    static const char *const parts[] = { "link", "form" };
    struct str page = mgi_member_string(meaning, "page");
    const struct json *submits = mgi_json_get(meaning, "submits");
    for (int i = 0; i < 2; i++) {
        struct str origin = mgi_member_string(mgi_json_get(meaning, parts[i]), "origin");
        bool counts = i == 0 || (submits && submits->type == JSON_BOOL && submits->boolean);
        if (counts && origin.len > 0 && !str_is(origin, "null") && !str_eq(origin, page) &&
            !is_allowed(origin))
            return origin;
    }
    return (struct str){ "", 0 };
}

/* What is acted upon then; of a live page nothing is said of the recording that is not looked at.
 */
static void put_recording(struct job *job)
{
    if (!mgi_is_live(job))
        mgi_jw_member_cstr(&job->out, "capture", job->capture.dir);
}

static void put_look(struct job *job, const struct json *look)
{
    for (uint32_t i = 0; look->type == JSON_OBJECT && i < look->count; i++) {
        mgi_jw_key_str(&job->out, look->members[i].name);
        mgi_jw_value(&job->out, &look->members[i].value);
    }
    struct str leaves = leaves_for(mgi_json_get(look, "meaning"));
    if (leaves.len == 0)
        leaves = leaves_for(mgi_json_get(look, "drop"));
    mgi_jw_member_str(&job->out, "leaves", leaves);
}

/* ---- an element of a recording --------------------------------------------------------------- */

#define WORDS_MOST 12

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c < 0;
}

/* Words, and two and three of them in a row, as the scripts in a page tell them. */
static size_t put_words(struct job *job, const char *name, struct str text)
{
    struct str words[WORDS_MOST];
    size_t count = 0;
    char *low = mgi_arena_printf(job->arena, "%.*s", STR_ARG(text));
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_array(&job->out);
    for (size_t i = 0; low && low[i] && count < WORDS_MOST;) {
        size_t start = i;
        while (low[i] && is_word_byte(low[i])) {
            if (low[i] >= 'A' && low[i] <= 'Z')
                low[i] = (char)(low[i] | 32);
            i++;
        }
        if (i > start)
            words[count++] = (struct str){ low + start, i - start };
        else
            i++;
    }
    for (size_t i = 0; i < count; i++) {
        mgi_jw_string(&job->out, words[i]);
        if (i + 1 < count)
            mgi_jw_cstring(&job->out, mgi_arena_printf(job->arena, "%.*s %.*s", STR_ARG(words[i]),
                                                       STR_ARG(words[i + 1])));
        if (i + 2 < count)
            mgi_jw_cstring(&job->out,
                           mgi_arena_printf(job->arena, "%.*s %.*s %.*s", STR_ARG(words[i]),
                                            STR_ARG(words[i + 1]), STR_ARG(words[i + 2])));
    }
    mgi_jw_end_array(&job->out);
    return count;
}

static void put_types(struct job *job, const struct json *fields, const char *name,
                      const char *member)
{
    mgi_jw_key(&job->out, name);
    mgi_jw_begin_array(&job->out);
    for (uint32_t i = 0; fields && fields->type == JSON_ARRAY && i < fields->count; i++) {
        struct str value = mgi_member_string(&fields->items[i], member);
        if (value.len > 0)
            mgi_jw_string(&job->out, value);
    }
    mgi_jw_end_array(&job->out);
}

/* A recording does not know which button submits a form: the first behind its fields, by their
 * refs, is the best guess. */
static void put_form(struct job *job, const struct json *form, struct str submit)
{
    const struct json *fields = mgi_json_get(form, "fields");
    struct str action = mgi_member_string(form, "action");
    mgi_jw_key(&job->out, "form");
    mgi_jw_begin_object(&job->out);
    mgi_jw_member_str(&job->out, "name", mgi_member_string(form, "id"));
    mgi_jw_member_str(&job->out, "method", mgi_member_string(form, "method"));
    mgi_jw_member_str(&job->out, "origin", mgi_url_origin(action));
    mgi_jw_member_str(&job->out, "path", mgi_url_path(action));
    put_types(job, fields, "types", "type");
    put_types(job, fields, "autocomplete", "autocomplete");
    mgi_jw_member_str(&job->out, "submit", submit);
    (void)put_words(job, "submit_words", submit);
    mgi_jw_end_object(&job->out);
}

static void begin_meaning(struct job *job, struct str role, struct str name, bool submits)
{
    mgi_jw_key(&job->out, "meaning");
    mgi_jw_begin_object(&job->out);
    mgi_jw_member_str(&job->out, "role", role);
    mgi_jw_member_str(&job->out, "name", name);
    mgi_jw_member_int(&job->out, "word_count", (int64_t)put_words(job, "words", name));
    mgi_jw_member_str(&job->out, "page", mgi_url_origin(job->capture.url));
    mgi_jw_member_bool(&job->out, "submits", submits);
}

static const struct json *named_item(const struct json *dom, const char *list, const char *member,
                                     struct str wanted)
{
    const struct json *items = mgi_json_get(dom, list);
    for (uint32_t i = 0; items && items->type == JSON_ARRAY && i < items->count; i++)
        if (str_eq(mgi_member_string(&items->items[i], member), wanted))
            return &items->items[i];
    return NULL;
}

static int64_t number_of_ref(struct str ref)
{
    int64_t n = 0;
    for (size_t i = 1; i < ref.len && i < 12 && ref.ptr[i] >= '0' && ref.ptr[i] <= '9'; i++)
        n = n * 10 + (ref.ptr[i] - '0');
    return n;
}

/* Is there a button between these refs? */
static bool button_between(const struct json *dom, int64_t after, int64_t before)
{
    const struct json *elements = mgi_json_get(dom, "elements");
    for (uint32_t i = 0; elements && elements->type == JSON_ARRAY && i < elements->count; i++) {
        int64_t n = number_of_ref(mgi_member_string(&elements->items[i], "ref"));
        if (n > after && n < before &&
            str_is(mgi_member_string(&elements->items[i], "role"), "button"))
            return true;
    }
    return false;
}

/* The form whose fields stand before this button, if it is the first behind them. */
static const struct json *form_of_button(const struct json *dom, struct str ref)
{
    const struct json *forms = mgi_json_get(dom, "forms"), *best = NULL;
    int64_t at = number_of_ref(ref), nearest = 0;
    for (uint32_t i = 0; forms && forms->type == JSON_ARRAY && i < forms->count; i++) {
        const struct json *fields = mgi_json_get(&forms->items[i], "fields");
        for (uint32_t k = 0; fields && fields->type == JSON_ARRAY && k < fields->count; k++) {
            int64_t n = number_of_ref(mgi_member_string(&fields->items[k], "ref"));
            if (n < at && n > nearest) {
                nearest = n;
                best = &forms->items[i];
            }
        }
    }
    return best && !button_between(dom, nearest, at) ? best : NULL;
}

static struct str button_after(const struct json *dom, const struct json *form)
{
    const struct json *elements = mgi_json_get(dom, "elements");
    for (uint32_t i = 0; elements && elements->type == JSON_ARRAY && i < elements->count; i++) {
        const struct json *e = &elements->items[i];
        if (str_is(mgi_member_string(e, "role"), "button") &&
            form_of_button(dom, mgi_member_string(e, "ref")) == form)
            return mgi_member_string(e, "name");
    }
    return (struct str){ "", 0 };
}

static bool look_recorded(struct job *job)
{
    struct json dom, target;
    struct str text, ref;
    if (!mgi_act_target(job, &text) || !mgi_capture_json(job, "dom.json", &dom))
        return false;
    const struct json *e = NULL;
    if (mgi_json_parse(job->arena, text, NULL, &target, NULL) == JSON_OK) {
        ref = mgi_member_string(&target, "ref");
        e = ref.len > 0 ? named_item(&dom, "elements", "ref", ref)
                        : named_item(&dom, "elements", "name", mgi_member_string(&target, "name"));
    }
    if (!e)
        return mgi_job_fail(job, "the page has no element \"%.*s\"; inspect_dom lists them",
                            STR_ARG(mgi_utf8_prefix(mgi_member_string(&target, "ref"), 40)));
    struct str role = mgi_member_string(e, "role"), name = mgi_member_string(e, "name");
    ref = mgi_member_string(e, "ref");
    const struct json *form = str_is(role, "button") ? form_of_button(&dom, ref) : NULL;
    const struct json *link = str_is(role, "link") ? named_item(&dom, "links", "ref", ref) : NULL;
    mgi_jw_member_str(&job->out, "ref", ref);
    mgi_jw_member_cstr(&job->out, "mark", "");
    put_recording(job);
    begin_meaning(job, role, name, form != NULL);
    if (form)
        put_form(job, form, name);
    mgi_jw_end_object(&job->out);
    struct str to = link ? mgi_url_origin(mgi_member_string(link, "href")) : (struct str){ "", 0 };
    bool same = to.len == 0 || str_eq(to, mgi_url_origin(job->capture.url));
    mgi_jw_member_str(&job->out, "leaves", same ? (struct str){ "", 0 } : to);
    return true;
}

static bool look_form_recorded(struct job *job)
{
    struct json dom;
    struct str id = { 0 };
    if (!mgi_job_string(job, "form", &id) || !mgi_capture_json(job, "dom.json", &dom))
        return false;
    const struct json *forms = mgi_json_get(&dom, "forms");
    bool only = id.len == 0 && forms && forms->type == JSON_ARRAY && forms->count == 1;
    const struct json *form = only ? &forms->items[0] : named_item(&dom, "forms", "id", id);
    if (!form) /* the step that follows says what is wrong, as ever */
        form = forms && forms->type == JSON_ARRAY && forms->count ? &forms->items[0] : NULL;
    mgi_jw_member_cstr(&job->out, "mark", "");
    put_recording(job);
    begin_meaning(job, STR_LIT("form"), id, true);
    if (form)
        put_form(job, form, button_after(&dom, form));
    mgi_jw_end_object(&job->out);
    mgi_jw_member_cstr(&job->out, "leaves", "");
    return true;
}

/* ---- what it means --------------------------------------------------------------------------- */

static bool look(struct job *job)
{
    struct json seen;
    struct str target = STR_LIT("{\"focused\":true}");
    if (!mgi_is_live(job))
        return look_recorded(job);
    bool named = mgi_act_argument(job, "ref") || mgi_act_argument(job, "target");
    if (!mgi_act_live(job) || (named && !mgi_act_target(job, &target)))
        return false;
    struct str to = mgi_act_raw(job, "to");
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(target), STR_ARG(to));
    if (!args || !mgi_act_script(job, "look", str_of(args), &seen))
        return args ? false : mgi_job_no_memory(job);
    put_look(job, &seen);
    return true;
}

static bool look_form(struct job *job)
{
    struct json seen;
    if (!mgi_is_live(job))
        return look_form_recorded(job);
    char *args = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(mgi_act_raw(job, "form")));
    if (!args)
        return mgi_job_no_memory(job);
    if (!mgi_act_live(job) || !mgi_act_script(job, "lookForm", str_of(args), &seen))
        return false;
    put_look(job, &seen);
    return true;
}

/* An address that is to be opened: whether it leaves what the operator allows. */
static bool look_address(struct job *job)
{
    struct str url = { 0 };
    if (!mgi_job_string(job, "url", &url))
        return false;
    /* Nobody is asked about what would be refused anyway. */
    const char *refused =
        mgi_is_live(job) ? mgi_guard_refuses(mgi_live_settings()->allow, url) : NULL;
    if (refused)
        return mgi_job_fail(job, "%s", refused);
    struct str origin = mgi_url_origin(url);
    struct str here = mgi_is_live(job) ? mgi_url_origin(mgi_live_settings()->page)
                                       : mgi_url_origin(job->capture.url);
    bool stays = str_eq(origin, here) || (mgi_is_live(job) && is_allowed(origin));
    put_recording(job);
    mgi_jw_member_str(&job->out, "leaves", stays ? (struct str){ "", 0 } : origin);
    return true;
}

/* ---- which there are ------------------------------------------------------------------------- */

/* The arguments that say which, as one object for the scripts. */
static struct str wanted_of(struct job *job)
{
    static const char *const names[] = { "ref", "role", "name", "text", "label", "selector" };
    struct act_json j;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct json *v = mgi_act_argument(job, names[i]);
        if (v && v->type == JSON_STRING && v->string.len > 0)
            mgi_jw_member_str(&j.w, names[i], v->string);
    }
    mgi_jw_end_object(&j.w);
    return mgi_act_json_end(&j, job);
}

static void put_all(struct job *job, const struct json *object)
{
    for (uint32_t i = 0; object->type == JSON_OBJECT && i < object->count; i++) {
        mgi_jw_key_str(&job->out, object->members[i].name);
        mgi_jw_value(&job->out, &object->members[i].value);
    }
}

static bool find(struct job *job)
{
    struct json found, forms, state;
    int64_t limit;
    bool hidden = false;
    if (!mgi_job_limit(job, &limit) || !mgi_job_boolean(job, "hidden", &hidden) ||
        !(mgi_is_live(job) ? mgi_live_open_asked(job) : mgi_act_live(job)))
        return false;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%lld,%s]", STR_ARG(wanted_of(job)),
                                  (long long)limit, hidden ? "true" : "false");
    if (!args || !mgi_act_script(job, "find", str_of(args), &found) ||
        !mgi_act_script(job, "readForms", STR_LIT("[]"), &forms) ||
        !mgi_act_script(job, "whereabouts", STR_LIT("[]"), &state))
        return false;
    mgi_act_tell_elements(job, mgi_act_shown_url(job, mgi_member_string(&state, "url")),
                          mgi_json_get(&found, "elements"), &forms);
    put_all(job, &found);
    const struct json *total = mgi_json_get(&found, "total");
    mgi_jw_member_cstr(
        &job->out, "summary",
        mgi_arena_printf(job->arena, "%lld elements", (long long)(total ? total->integer : 0)));
    return true;
}

static bool read_part(struct job *job)
{
    struct json text;
    int64_t most = TEXT_MOST;
    if (!mgi_job_integer(job, "most", 1, 20000, &most) || !mgi_act_live(job))
        return false;
    char *args =
        mgi_arena_printf(job->arena, "[%.*s,%lld]", STR_ARG(wanted_of(job)), (long long)most);
    if (!args || !mgi_act_script(job, "text", str_of(args), &text))
        return args ? false : mgi_job_no_memory(job);
    put_all(job, &text);
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

#define CHECKS_MOST 20

bool mgi_act_holds(struct job *job, const struct json *checks, struct json *results, bool *all)
{
    if (!checks || checks->type != JSON_ARRAY || checks->count == 0 || checks->count > CHECKS_MOST)
        return mgi_job_fail(job, "checks is a list of 1 to %d checks", CHECKS_MOST);
    char *args = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(checks->text));
    if (!args || !mgi_act_script(job, "holds", str_of(args), results))
        return args ? false : mgi_job_no_memory(job);
    *all = results->type == JSON_ARRAY;
    for (uint32_t i = 0; *all && i < results->count; i++) {
        const struct json *ok = mgi_json_get(&results->items[i], "ok");
        *all = ok && ok->type == JSON_BOOL && ok->boolean;
    }
    return true;
}

static bool assert_page(struct job *job)
{
    struct json results;
    bool all = false;
    if (!mgi_act_live(job) || !mgi_act_holds(job, mgi_act_argument(job, "checks"), &results, &all))
        return false;
    mgi_jw_member_bool(&job->out, "holds", all);
    mgi_jw_key(&job->out, "failed");
    mgi_jw_begin_array(&job->out);
    for (uint32_t i = 0; i < results.count; i++) {
        struct str why = mgi_member_string(&results.items[i], "why");
        if (why.len > 0)
            mgi_jw_string(&job->out, why);
    }
    mgi_jw_end_array(&job->out);
    return true;
}

#define INPUT_WANTED                                                                               \
    "\"ref\":{\"type\":\"string\"},\"role\":{\"type\":\"string\"},\"name\":{\"type\":\"string\"}," \
    "\"text\":{\"type\":\"string\"},\"label\":{\"type\":\"string\"},\"selector\":{\"type\":"       \
    "\"string\"}"

static const struct browser_action act_read_actions[] = {
    { "AID.BROWSER.LOOK.v1", "look", "What an element is and means, before it is acted upon.",
      "browser.dom", "none", INPUT_TARGET ",\"to\":{\"type\":\"object\"}", look },
    { "AID.BROWSER.LOOK_FORM.v1", "look_form", "What a form is and means, before it is filled in.",
      "browser.dom", "none", "\"form\":{\"type\":\"string\"}", look_form },
    { "AID.BROWSER.LOOK_ADDRESS.v1", "look_address", "Whether an address leaves what is allowed.",
      "browser.dom", "none", "\"url\":{\"type\":\"string\"}", look_address },
    { "AID.BROWSER.FIND.v1", "find", "Elements by role, name, text, label or selector, with refs.",
      "browser.dom", "none",
      INPUT_WANTED ",\"open\":{\"type\":\"string\"},\"hidden\":{\"type\":\"boolean\"}," INPUT_LIMIT,
      find },
    { "AID.BROWSER.READ_PART.v1", "read_part", "The text of the page or of an element.",
      "browser.dom", "none", INPUT_WANTED ",\"most\":{\"type\":\"integer\"}", read_part },
    { "AID.BROWSER.ASSERT.v1", "assert", "Whether checks of the page hold.", "browser.dom", "none",
      "\"checks\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}", assert_page },
};
const struct browser_actions mgi_act_read_actions = {
    act_read_actions, sizeof act_read_actions / sizeof act_read_actions[0]
};

const struct browser_action *mgi_act_looks(bool address)
{
    return &act_read_actions[address ? 2 : 0];
}
