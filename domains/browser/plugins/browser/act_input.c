/* Real input: the mouse and the keys of the browser, not events that a script makes. A page cannot
 * tell them from a person's, and they come where a person's would: through what lies on top. */
#include "act.h"

#define TEXT_MOST 20000 /* bytes typed or filled in at once */
#define KEYS_MOST 500   /* characters typed key by key */

static double coordinate_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return !v                      ? 0
           : v->type == JSON_INT   ? (double)v->integer
           : v->type == JSON_FLOAT ? v->number
                                   : 0;
}

/* ---- the mouse ------------------------------------------------------------------------------- */

bool mgi_act_mouse(struct job *job, const char *type, double x, double y, const char *button,
                   int clicks)
{
    struct json ignored;
    char *params = mgi_arena_printf(job->arena,
                                    "{\"type\":\"%s\",\"x\":%.2f,\"y\":%.2f,\"button\":\"%s\","
                                    "\"buttons\":%d,\"clickCount\":%d}",
                                    type, x, y, button,
                                    str_is(str_of(button), "none")    ? 0
                                    : str_is(str_of(button), "right") ? 2
                                                                      : 1,
                                    clicks);
    return params ? mgi_live_call(job, "Input.dispatchMouseEvent", str_of(params), &ignored)
                  : mgi_job_no_memory(job);
}

static bool press_times(struct job *job, double x, double y, const char *button, int times)
{
    for (int i = 1; i <= times; i++)
        if (!mgi_act_mouse(job, "mousePressed", x, y, button, i) ||
            !mgi_act_mouse(job, "mouseReleased", x, y, button, i))
            return false;
    return true;
}

/* Where the press came. The page may have been left by it: then there is nobody to ask, and it came
 * where it was meant, or it would have been stopped. *again: the element was rendered anew between
 * press and release, and nothing was clicked. */
static bool came_where_meant(struct job *job, bool *again)
{
    struct json after = { 0 };
    size_t before = job->error->len;
    *again = false;
    if (!mgi_act_script(job, "unguard", STR_LIT("[]"), &after)) {
        if (before == 0)
            mgi_buf_clear(job->error);
        return true;
    }
    const struct json *more = mgi_json_get(&after, "again");
    struct str why = mgi_member_string(&after, "why");
    *again = more && more->type == JSON_BOOL && more->boolean;
    return why.len == 0 || mgi_job_fail(job, "%.*s", STR_ARG(mgi_utf8_prefix(why, 400)));
}

static bool press_once(struct job *job, struct str target, struct str mark, enum mouse_press press,
                       const char *button, bool *again)
{
    struct json aim, guarded;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(target), STR_ARG(mark));
    *again = false;
    if (!args || !mgi_act_script(job, "aim", str_of(args), &aim))
        return args ? false : mgi_job_no_memory(job);
    double x = coordinate_of(&aim, "x"), y = coordinate_of(&aim, "y");
    /* What the page does when the mouse comes over it is done before the last look. */
    if (!mgi_act_mouse(job, "mouseMoved", x, y, "none", 0))
        return false;
    if (press == PRESS_NONE)
        return true;
    struct str ref = mgi_member_string(&aim, "ref");
    args = mgi_arena_printf(job->arena, "[{\"ref\":\"%.*s\"},%.*s,%.2f,%.2f]", STR_ARG(ref),
                            STR_ARG(mark), x, y);
    return (args || mgi_job_no_memory(job)) &&
           mgi_act_script(job, "guard", str_of(args), &guarded) &&
           press_times(job, x, y, button, press == PRESS_TWICE ? 2 : 1) &&
           came_where_meant(job, again);
}

#define PRESSES_MOST 4

bool mgi_act_press(struct job *job, struct str target, struct str mark, enum mouse_press press,
                   const char *button)
{
    bool again = true;
    for (int i = 0; again && i < PRESSES_MOST; i++)
        if (!press_once(job, target, mark, press, button, &again))
            return false;
    return !again || mgi_job_fail(job, "the page renders the element anew faster than it can be "
                                       "pressed");
}

/* ---- keys ------------------------------------------------------------------------------------ */

struct key {
    const char *name, *code, *text;
    int number; /* windowsVirtualKeyCode */
};

static const struct key keys[] = {
    { "Enter", "Enter", "\\r", 13 },
    { "Tab", "Tab", "", 9 },
    { "Escape", "Escape", "", 27 },
    { "Backspace", "Backspace", "", 8 },
    { "Delete", "Delete", "", 46 },
    { "Insert", "Insert", "", 45 },
    { "ArrowLeft", "ArrowLeft", "", 37 },
    { "ArrowUp", "ArrowUp", "", 38 },
    { "ArrowRight", "ArrowRight", "", 39 },
    { "ArrowDown", "ArrowDown", "", 40 },
    { "Home", "Home", "", 36 },
    { "End", "End", "", 35 },
    { "PageUp", "PageUp", "", 33 },
    { "PageDown", "PageDown", "", 34 },
    { "Space", "Space", " ", 32 },
    { "F1", "F1", "", 112 },
    { "F2", "F2", "", 113 },
    { "F5", "F5", "", 116 },
    { "F10", "F10", "", 121 },
};

static const struct {
    const char *name;
    int bit;
} modifiers[] = { { "Alt+", 1 }, { "Control+", 2 }, { "Meta+", 4 }, { "Shift+", 8 } };

static int take_modifiers(struct str *key)
{
    int bits = 0;
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        struct str name = str_of(modifiers[i].name);
        if (key->len > name.len && mgi_str_starts(*key, name)) {
            bits |= modifiers[i].bit;
            key->ptr += name.len;
            key->len -= name.len;
            i = (size_t)-1; /* they may stand in any order */
        }
    }
    return bits;
}

static bool dispatch_key(struct job *job, const char *type, const struct key *key, struct str name,
                         int bits)
{
    struct act_json j;
    struct json ignored;
    bool types = str_is(str_of(type), "keyDown") && key->text[0] && !(bits & 7);
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_cstr(&j.w, "type",
                       types || !str_is(str_of(type), "keyDown") ? type : "rawKeyDown");
    mgi_jw_member_str(&j.w, "key", str_is(name, "Space") ? STR_LIT(" ") : name);
    mgi_jw_member_cstr(&j.w, "code", key->code);
    mgi_jw_member_int(&j.w, "windowsVirtualKeyCode", key->number);
    mgi_jw_member_int(&j.w, "modifiers", bits);
    if (types && key->text[0] == '\\')
        mgi_jw_member_cstr(&j.w, "text", "\r");
    else if (types)
        mgi_jw_member_cstr(&j.w, "text", key->text);
    if (str_is(name, "a") && bits & 2) { /* what the platform's menu would do */
        mgi_jw_key(&j.w, "commands");
        mgi_jw_begin_array(&j.w);
        mgi_jw_cstring(&j.w, "selectAll");
        mgi_jw_end_array(&j.w);
    }
    mgi_jw_end_object(&j.w);
    return mgi_live_call(job, "Input.dispatchKeyEvent", mgi_act_json_end(&j, job), &ignored);
}

/* A letter, digit or sign; code and number are those of an American keyboard where it has one. */
static struct key key_of_character(struct job *job, struct str character)
{
    unsigned char c = (unsigned char)character.ptr[0];
    const char *text = mgi_arena_printf(job->arena, "%.*s", STR_ARG(character));
    struct key key = { "", "", text ? text : "", 0 };
    bool letter = character.len == 1 && ((c | 32) >= 'a' && (c | 32) <= 'z');
    bool digit = character.len == 1 && c >= '0' && c <= '9';
    if (letter || digit) {
        key.number = letter ? c & ~32 : c;
        const char *code =
            mgi_arena_printf(job->arena, "%s%c", letter ? "Key" : "Digit", key.number);
        key.code = code ? code : "";
    }
    return key;
}

static size_t character_len(struct str text)
{
    unsigned char c = (unsigned char)text.ptr[0];
    size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return len < text.len ? len : text.len;
}

static bool find_key(struct job *job, struct str name, struct key *out)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(name, keys[i].name)) {
            *out = keys[i];
            return true;
        }
    /* A control character would be Enter under another name. */
    if (name.len > 0 && character_len(name) == name.len && (unsigned char)name.ptr[0] >= ' ') {
        *out = key_of_character(job, name);
        return true;
    }
    return mgi_job_fail(job,
                        "there is no key \"%.*s\": a character, Enter, Tab, Escape, Backspace, "
                        "Delete, ArrowDown, PageDown, Home, Space and the like, after "
                        "Control+, Shift+, Alt+ or Meta+",
                        STR_ARG(mgi_utf8_prefix(name, 40)));
}

bool mgi_act_key(struct job *job, struct str name)
{
    struct key key;
    int bits = take_modifiers(&name);
    if (name.len == 1 && bits & 7 && name.ptr[0] >= 'A' && name.ptr[0] <= 'Z') {
        char *small = mgi_arena_printf(job->arena, "%c", name.ptr[0] | 32);
        name = str_of(small ? small : "");
    }
    return find_key(job, name, &key) && dispatch_key(job, "keyDown", &key, name, bits) &&
           dispatch_key(job, "keyUp", &key, name, bits);
}

bool mgi_act_key_at(struct job *job, struct str target, struct str mark, struct str name)
{
    struct json focused, guarded;
    bool again;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s]", STR_ARG(target), STR_ARG(mark));
    if (!args || !mgi_act_script(job, "focusForKey", str_of(args), &focused))
        return args ? false : mgi_job_no_memory(job);
    args = mgi_arena_printf(job->arena, "[{\"ref\":\"%.*s\"},%.*s]",
                            STR_ARG(mgi_member_string(&focused, "ref")), STR_ARG(mark));
    return (args || mgi_job_no_memory(job)) &&
           mgi_act_script(job, "guard", str_of(args), &guarded) && mgi_act_key(job, name) &&
           came_where_meant(job, &again);
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool insert_text(struct job *job, struct str text)
{
    struct act_json j;
    struct json ignored;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_str(&j.w, "text", text);
    mgi_jw_end_object(&j.w);
    return mgi_live_call(job, "Input.insertText", mgi_act_json_end(&j, job), &ignored);
}

bool mgi_act_text(struct job *job, struct str text, bool by_keys)
{
    if (text.len > TEXT_MOST)
        return mgi_job_fail(job, "the text has %zu bytes, at most %d can be typed", text.len,
                            TEXT_MOST);
    if (!by_keys || text.len > KEYS_MOST)
        return text.len == 0 || insert_text(job, text);
    while (text.len > 0) {
        struct str one = { text.ptr, character_len(text) };
        /* Enter is a deed of its own, which rules look at. */
        bool control = (unsigned char)one.ptr[0] < ' ';
        if (control ? !insert_text(job, one) : !mgi_act_key(job, one))
            return false;
        text.ptr += one.len;
        text.len -= one.len;
    }
    return true;
}

/* In a field of one line the end of a line would send its form, and that nobody was asked about. */
struct str mgi_act_as_typed(struct job *job, const struct json *how, struct str text)
{
    char *copy = mgi_arena_printf(job->arena, "%.*s", STR_ARG(text));
    bool line = how->type == JSON_STRING && str_is(how->string, "line");
    for (char *at = copy; line && at && *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return line && copy ? str_of(copy) : text;
}

static struct str with_value(struct job *job, struct str target, struct str value)
{
    struct act_json j;
    mgi_act_json_begin(&j);
    mgi_jw_begin_array(&j.w);
    mgi_jw_raw(&j.w, target);
    mgi_jw_string(&j.w, value);
    mgi_jw_end_array(&j.w);
    return mgi_act_json_end(&j, job);
}

/* A field that formats what is typed may show it otherwise; that something else stands there than
 * was said has to be known, but not what stands in a field for a password. */
bool mgi_act_fill(struct job *job, struct str target, struct str mark, struct str value)
{
    struct json how, ignored;
    char *args = mgi_arena_printf(job->arena, "[%.*s,%.*s,true]", STR_ARG(target), STR_ARG(mark));
    char *only = mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(target));
    if (!args || !only || !mgi_act_script(job, "focusOn", str_of(args), &how))
        return args && only ? false : mgi_job_no_memory(job);
    if (how.type == JSON_STRING && str_is(how.string, "set"))
        return mgi_act_script(job, "setValue", with_value(job, target, value), &ignored);
    value = mgi_act_as_typed(job, &how, value);
    bool done =
        value.len > 0 ? mgi_act_text(job, value, false) : mgi_act_key(job, STR_LIT("Delete"));
    return done && mgi_act_script(job, "changed", str_of(only), &ignored);
}
