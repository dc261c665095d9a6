/* To whom a value is given that is an argument: to a function by its name, to the function that the
 * caller had handed in, to those who listen to an event, to a constructor, to the promise that is
 * resolved with it. */
#include "source_follow.h"

#define PARAMETERS_MOST 8
#define PARAMETERS_BACK 3000
#define LISTENERS_MOST  6

/* A parameter by its name; in a pattern, { url, done }, it is a member of it. */
static bool parameter_named(const struct form_function *fn, struct str name, size_t *number,
                            struct str *member)
{
    struct str s = fn->text;
    for (*number = 0; *number < PARAMETERS_MOST; ++*number) {
        size_t at = mgi_form_item(s, fn->params, *number);
        if (at == SIZE_MAX)
            return false;
        if (str_eq(name_at(s, at), name))
            return true;
        for (size_t i = 0; s.ptr[at] == '{' && i < PARAMETERS_MOST; i++) {
            size_t key = mgi_form_item(s, at + 1, i);
            if (key == SIZE_MAX)
                break;
            *member = name_at(s, key);
            if (str_eq(*member, name))
                return true;
        }
    }
    return false;
}

/* new Promise((resolve) => ...): is it the function that a promise begins with, whose list of
 * parameters opens at `open`? */
static bool begins_promise(struct str s, size_t open)
{
    size_t outside, number;
    return mgi_form_list_around(s, open, &outside, &number) && number == 0 &&
           s.ptr[outside] == '(' && mgi_form_word_before(s, outside, "Promise");
}

/* A parameter of the function that asked, or of one around it: function get(url, done) { ... }. */
static bool own_parameter(const struct follow *f, struct str name, size_t *number,
                          struct str *member, bool *promise)
{
    struct str s = f->text;
    struct form_function fn;
    *member = STR_LIT("");
    for (size_t at = f->asked; s.ptr == f->home && at > 0 && f->asked - at < PARAMETERS_BACK; at--)
        if (s.ptr[at - 1] == '(' && mgi_form_function_at(s, at - 1, &fn) && fn.body < f->asked &&
            f->asked < fn.end) {
            *promise = begins_promise(s, at - 1);
            if (parameter_named(&fn, name, number, member))
                return true;
            *member = STR_LIT("");
        }
    return false;
}

/* done(value), options.done(value): the caller's own function gets it. resolve(value): it is what
 * the function gives its caller. */
static bool calls_back(struct follow *f, const struct path *p, size_t from, struct str name,
                       size_t number)
{
    struct str s = f->text, root = name, inner = STR_LIT("");
    size_t back;
    bool of_member = from > 0 && s.ptr[from - 1] == '.', promise = false;
    if (of_member) {
        size_t end = from - 1, at = end;
        while (at > 0 && is_name_char(s.ptr[at - 1]))
            at--;
        root = (struct str){ s.ptr + at, end - at };
        if (at > 0 && s.ptr[at - 1] == '.')
            return false;
    }
    if (root.len == 0 || f->called || f->returned ||
        !own_parameter(f, root, &back, &inner, &promise) || (of_member && (promise || inner.len)))
        return false;
    if (promise && (back > 0 || number > 0))
        return false;
    f->returned = promise;
    f->called = !promise;
    f->base = *p;
    f->given = *p;
    f->item = number;
    f->back = back;
    f->member = of_member ? name : inner;
    return true;
}

bool mgi_caller_function(const struct follow *f, const struct follow *below, size_t open,
                         struct form_function *fn)
{
    struct str s = f->text;
    size_t at = mgi_form_item(s, open + 1, below->back);
    if (at == SIZE_MAX)
        return false;
    if (below->member.len == 0)
        return mgi_follow_function_at(f, at, fn);
    for (size_t i = 0; s.ptr[at] == '{' && i < 20; i++) {
        size_t key = mgi_form_item(s, at + 1, i);
        if (key == SIZE_MAX)
            return false;
        if (!str_eq(name_at(s, key), below->member))
            continue;
        size_t after = past_blank(s, key + below->member.len);
        if (after < s.len && s.ptr[after] == ':')
            return mgi_follow_function_at(f, past_blank(s, after + 1), fn);
        return after < s.len &&
               (s.ptr[after] == '(' ? mgi_form_function_at(s, after, fn)
                                    : mgi_follow_function_named(f, below->member, fn));
    }
    return false;
}

/* ---- events -----------------------------------------------------------------------------------
 */

static bool tells_event(struct str name)
{
    static const char *const words[] = { "emit",   "publish",  "trigger",   "fire",
                                         "notify", "dispatch", "broadcast", NULL };
    return mgi_str_is_any(name, words);
}

static bool hears_event(struct str s, size_t open)
{
    static const char *const words[] = { "on",     "once",        "subscribe",
                                         "listen", "addListener", "addEventListener",
                                         "bind",   "when",        NULL };
    size_t end = back_blank(s, open), from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    return mgi_str_is_any((struct str){ s.ptr + from, end - from }, words);
}

/* on("name", function): in one text, all that listen. */
static size_t hold_listeners(struct follow *f, struct str text, struct str event, size_t number,
                             const struct path *p, size_t told)
{
    struct form_function fn;
    struct str here = f->text;
    f->text = text;
    for (size_t at = 1; at + event.len + 1 < text.len && told < LISTENERS_MOST; at++) {
        const char *found = memchr(text.ptr + at, event.ptr[0], text.len - at);
        at = found ? (size_t)(found - text.ptr) : text.len;
        size_t end = at + event.len, open = at > 1 ? back_blank(text, at - 1) : 0;
        if (!stands_at(text, at, event) || !strchr("\"'`", text.ptr[at - 1]) || end >= text.len ||
            text.ptr[end] != text.ptr[at - 1] || open == 0 || text.ptr[open - 1] != '(' ||
            !hears_event(text, open - 1))
            continue;
        size_t item = mgi_form_item(text, open, 1);
        if (item == SIZE_MAX || !mgi_follow_function_at(f, item, &fn))
            continue;
        mgi_hold_parameter(f, &fn, number, p);
        told++;
    }
    f->text = here;
    return told;
}

/* emit("name", value): those who listen to it get the value. */
static bool tells_listeners(struct follow *f, const struct path *p, size_t open, size_t number)
{
    struct str s = f->text;
    size_t at = mgi_form_item(s, open + 1, 0), told = 0;
    if (number == 0 || at == SIZE_MAX || !strchr("\"'`", s.ptr[at]))
        return false;
    size_t end = at + 1;
    while (end < s.len && s.ptr[end] != s.ptr[at] && end - at < 80)
        end++;
    struct str event = { s.ptr + at + 1, end - at - 1 };
    bool own = false;
    for (size_t i = 0; event.len > 0 && i < f->text_count; i++) {
        told = hold_listeners(f, f->texts[i], event, number - 1, p, told);
        own = own || f->texts[i].ptr == s.ptr;
    }
    if (!own && event.len > 0)
        told = hold_listeners(f, s, event, number - 1, p, told);
    return told > 0;
}

/* ---- functions by their names -------------------------------------------------------------------
 */

/* What lists, maps, storages and elements have, too. */
static bool is_builtin_method(struct str name)
{
    static const char *const words[] = {
        "push",   "unshift", "set",     "add",     "get",  "append", "send",  "replace",   "concat",
        "delete", "remove",  "join",    "test",    "exec", "match",  "write", "call",      "apply",
        "bind",   "resolve", "reject",  "prepend", "open", "close",  "then",  "stringify", "parse",
        "assign", "keys",    "entries", "values",  "from", "of",     "all",   "log",       NULL
    };
    return mgi_str_is_any(name, words);
}

/* object.name(value): of functions of that name there is one alone, whatever it is a part of. */
static bool only_function_named(const struct follow *f, struct str name, struct form_function *fn)
{
    struct form_function other;
    size_t count = 0;
    bool own = false;
    for (size_t i = 0; i < f->text_count && count < 2; i++) {
        own = own || f->texts[i].ptr == f->text.ptr;
        if (name.len >= 3 && mgi_form_function_named(f->texts[i], name, &other)) {
            *fn = other;
            count++;
        }
    }
    if (!own && name.len >= 3 && mgi_form_function_named(f->text, name, &other)) {
        *fn = other;
        count++;
    }
    return count == 1 && !is_builtin_method(name);
}

/* new Panel(value): what its class does with it when it is made. */
static bool constructor_of(const struct follow *f, struct str name, struct form_function *fn)
{
    for (size_t i = 0; name.len > 2 && i <= f->text_count; i++) {
        struct str s = i < f->text_count ? f->texts[i] : f->text;
        for (size_t at = 0; at + name.len < s.len; at++) {
            const char *found = memchr(s.ptr + at, name.ptr[0], s.len - at);
            at = found ? (size_t)(found - s.ptr) : s.len;
            if (!stands_at(s, at, name) || !mgi_form_word_before(s, at, "class"))
                continue;
            size_t end = mgi_form_block_end(s, at), word = at;
            while (word < end && !stands_at(s, word, STR_LIT("constructor")))
                word++;
            return word < end &&
                   mgi_form_function_at(s, past_blank(s, word + strlen("constructor")), fn);
        }
    }
    return false;
}

static bool known_function(struct follow *f, size_t from, struct str name, struct form_function *fn)
{
    struct str s = f->text;
    bool of_object = from > 0 && s.ptr[from - 1] == '.';
    if (mgi_form_word_before(s, from, "new"))
        return constructor_of(f, name, fn);
    if (!of_object || mgi_form_word_before(s, from - 1, "this"))
        return mgi_follow_function_named(f, name, fn);
    return only_function_named(f, name, fn);
}

void mgi_give_argument(struct follow *f, const struct path *p, size_t start)
{
    size_t open, number;
    struct form_function fn;
    struct str s = f->text;
    if (!mgi_form_list_around(s, start, &open, &number))
        return;
    size_t end = back_blank(s, open), from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    struct str name = { s.ptr + from, end - from };
    bool thrown = mgi_form_word_before(s, from, "new") &&
                  mgi_form_word_before(s, back_blank(s, from) - strlen("new"), "throw");
    if (thrown ||
        (from > 0 && s.ptr[from - 1] == '.' && mgi_form_word_before(s, from - 1, "console")))
        return;
    if (s.ptr[open] != '(' || mgi_is_plain_call(name)) {
        if (s.ptr[open] != '(')
            mgi_note_take(f, p, start, TAKE_HANDED_ON);
        return;
    }
    if (calls_back(f, p, from, name, number))
        return;
    if (known_function(f, from, name, &fn))
        mgi_hold_parameter(f, &fn, number, p);
    else if (!tells_event(name) || !tells_listeners(f, p, open, number))
        mgi_note_take(f, p, start, TAKE_HANDED_ON);
}
