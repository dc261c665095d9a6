/* What code has beside an answer: what stands in for it when there is none, and fields that the
 * code makes itself. */
#include "source_follow.h"

/* { ok: false, error: "offline" } says that it failed, and is nothing in its place. */
static bool tells_of_failure(struct str s, size_t colon)
{
    static const char *const words[] = { "err", "message", "reason", "code", "status", NULL };
    size_t end = back_blank(s, colon), from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    for (size_t i = 0; words[i]; i++)
        if (mgi_contains((struct str){ s.ptr + from, end - from }, words[i]))
            return true;
    return false;
}

/* An object's members: is any of them more than an empty one? */
static enum stand_in kind_of_members(struct str s, size_t at, size_t end)
{
    for (; at < end; at++) {
        size_t value = past_blank(s, at + 1);
        bool given = s.ptr[at] == ':' && value < end && !strchr("[{", s.ptr[value]) &&
                     !tells_of_failure(s, at);
        if (given && !stands_at(s, value, STR_LIT("null")) &&
            !stands_at(s, value, STR_LIT("undefined")) && !stands_at(s, value, STR_LIT("false")) &&
            !stands_at(s, value, STR_LIT("0")) &&
            !(strchr("\"'`", s.ptr[value]) && s.ptr[value + 1] == s.ptr[value]))
            return STAND_IN_VALUE;
    }
    return STAND_IN_NOTHING;
}

static enum stand_in kind_of_stand_in(struct str s, size_t at)
{
    static const char *const nothing[] = { "null", "undefined", "false", "0", NULL };
    while (at < s.len && strchr("( \t\n\r", s.ptr[at]))
        at++;
    if (at + 1 >= s.len || strchr(";})", s.ptr[at]))
        return STAND_IN_NOTHING;
    size_t close = strchr("[{", s.ptr[at]) ? mgi_form_close(s, at) : SIZE_MAX;
    if (s.ptr[at] == '{' && close != SIZE_MAX)
        return kind_of_members(s, at + 1, close);
    if (s.ptr[at] == '[') {
        size_t first = past_blank(s, at + 1);
        return first >= s.len || s.ptr[first] == ']' ? STAND_IN_NOTHING : STAND_IN_VALUE;
    }
    if (strchr("\"'`", s.ptr[at]))
        return s.ptr[at + 1] == s.ptr[at] ? STAND_IN_NOTHING : STAND_IN_VALUE;
    return mgi_str_is_any(name_at(s, at), nothing) ? STAND_IN_NOTHING : STAND_IN_VALUE;
}

/* It hides an element or takes it away, and writes nothing in its place. */
static bool takes_place_away(struct str s, size_t from, size_t to)
{
    static const char *const away[] = { ".remove()",        ".hidden = true",     ".hidden=true",
                                        "display = 'none'", "display = \"none\"", NULL };
    static const char *const writes[] = { "textContent", "innerHTML", "innerText", "append", NULL };
    struct str body = { s.ptr + from, (to < s.len ? to : s.len) - from };
    bool found = false;
    for (size_t i = 0; from < to && away[i]; i++)
        found = found || mgi_str_find(body, str_of(away[i])) != SIZE_MAX;
    for (size_t i = 0; found && writes[i]; i++)
        found = mgi_str_find(body, str_of(writes[i])) == SIZE_MAX;
    return found;
}

/* error.status === 404: what is asked of it, and not what is given. */
static bool is_compared(struct str s, size_t at)
{
    while (at < s.len && (is_name_char(s.ptr[at]) || strchr(".?", s.ptr[at])))
        at++;
    at = past_blank(s, at);
    return at + 1 < s.len && (s.ptr[at] == '=' || s.ptr[at] == '!') && s.ptr[at + 1] == '=';
}

/* Is the error itself, or something that is made of it, what is given at `at`? */
static bool is_of_error(struct str s, size_t at, size_t to, struct str error)
{
    for (; error.len > 0 && at < to && at < s.len && !strchr(";}\n", s.ptr[at]); at++)
        if (stands_at(s, at, error) && !is_name_char(s.ptr[at - 1]) && !is_compared(s, at))
            return true;
    return false;
}

/* What a handler of errors gives: it throws again, returns something, sets something, or does
 * neither. What it keeps of the error is nothing in place of the answer. */
static enum stand_in kind_of_handler(struct str s, size_t from, size_t to, struct str error)
{
    enum stand_in kind = takes_place_away(s, from, to) ? STAND_IN_PLACE : STAND_IN_NOTHING;
    for (size_t at = from; at < to && at < s.len; at++) {
        bool begins = at == 0 || !is_name_char(s.ptr[at - 1]);
        if (begins && stands_at(s, at, STR_LIT("throw")))
            return STAND_IN_NONE;
        if (begins && stands_at(s, at, STR_LIT("return")))
            kind = is_of_error(s, at + strlen("return"), to, error)
                       ? STAND_IN_NOTHING
                       : kind_of_stand_in(s, at + strlen("return"));
        else if (kind == STAND_IN_NOTHING && s.ptr[at] == '=' && at + 1 < to &&
                 !strchr("=>", s.ptr[at + 1]) && !strchr("=!<>", s.ptr[at - 1]) &&
                 !is_of_error(s, at + 1, to, error))
            kind = kind_of_stand_in(s, at + 1);
    }
    return kind;
}

/* A handler that is written at `at`, or by its name. */
static bool handler_at(struct str s, size_t at, struct form_function *fn)
{
    return at < s.len &&
           (mgi_form_function_at(s, at, fn) ||
            (is_name_char(s.ptr[at]) && mgi_form_function_named(s, name_at(s, at), fn)));
}

/* What handles the error of a promise: .catch(f), .fail(f), .then(g, f). False: what stands at
 * `open`, behind `name`, is none. */
static bool handler_in_call(struct str s, struct str name, size_t open, struct handler *out)
{
    struct form_function fn;
    bool handles = str_is(name, "catch") || str_is(name, "fail");
    size_t at = handles                ? past_blank(s, open + 1)
                : str_is(name, "then") ? mgi_form_item(s, open + 1, 1)
                                       : SIZE_MAX;
    if (at == SIZE_MAX || !handler_at(s, at, &fn))
        return false;
    size_t error = mgi_form_item(s, fn.params, 0);
    *out = (struct handler){ { s.ptr + fn.body, fn.end - fn.body },
                             error == SIZE_MAX ? STR_LIT("") : name_at(s, error) };
    return true;
}

static bool handler_behind(struct str s, size_t end, struct handler *out)
{
    for (int i = 0; i < 6; i++) {
        size_t at = past_blank(s, end);
        struct str name = at + 1 < s.len && s.ptr[at] == '.' ? name_at(s, at + 1) : STR_LIT("");
        size_t open = at + 1 + name.len;
        if (name.len == 0 || open >= s.len || s.ptr[open] != '(')
            return false;
        if (handler_in_call(s, name, open, out))
            return true;
        end = str_is(name, "catch") ? SIZE_MAX : mgi_form_close(s, open);
        if (end == SIZE_MAX)
            return false;
    }
    return false;
}

static bool handler_around(struct str s, size_t at, struct handler *out)
{
    size_t open, number;
    for (int i = 0; i < 5 && mgi_form_list_around(s, at, &open, &number); i++) {
        size_t close = s.ptr[open] == '{' && mgi_form_word_before(s, open, "try")
                           ? mgi_form_close(s, open)
                           : SIZE_MAX;
        size_t word = close == SIZE_MAX ? s.len : past_blank(s, close);
        if (stands_at(s, word, STR_LIT("catch"))) {
            size_t body = word, error = past_blank(s, word + strlen("catch"));
            bool named = error < s.len && s.ptr[error] == '(';
            while (body < s.len && s.ptr[body] != '{')
                body++;
            size_t end = mgi_form_close(s, body);
            if (end == SIZE_MAX)
                return false;
            *out = (struct handler){ { s.ptr + body, end - body },
                                     named ? name_at(s, past_blank(s, error + 1)) : STR_LIT("") };
            return true;
        }
        at = open;
    }
    return false;
}

bool mgi_source_handler(const struct place *call, struct handler *out)
{
    struct value v = { .response = true };
    return mgi_call_at(call, &v) &&
           (handler_behind(call->text, v.end, out) || handler_around(call->text, v.start, out));
}

enum stand_in mgi_source_stand_in(const struct place *call)
{
    struct handler h;
    struct str s = call->text;
    if (!mgi_source_handler(call, &h))
        return STAND_IN_NONE;
    size_t from = (size_t)(h.body.ptr - s.ptr), to = from + h.body.len;
    if (s.ptr[from] == '{')
        return kind_of_handler(s, from, to, h.error);
    return is_of_error(s, from, to, h.error) ? STAND_IN_NOTHING : kind_of_stand_in(s, from);
}

/* The colon that belongs to the question mark at `at`; code.len: there is none. */
static size_t colon_of(struct str code, size_t at)
{
    size_t nested = 0;
    for (size_t i = at + 1; i < code.len && !strchr(")]};", code.ptr[i]); i++) {
        char c = code.ptr[i];
        if (c == ':' && nested-- == 0)
            return i;
        nested += c == '?' && i + 1 < code.len && !strchr(".?", code.ptr[i + 1]) &&
                  code.ptr[i - 1] != '?';
        if (strchr("([{", c))
            i = mgi_form_close(code, i) < code.len ? mgi_form_close(code, i) : code.len - 1;
    }
    return code.len;
}

enum stand_in mgi_source_if_not_ok(struct str code)
{
    for (size_t at = 1; at + 4 < code.len; at++) {
        if (code.ptr[at] != '.' || !stands_at(code, at + 1, STR_LIT("ok")))
            continue;
        size_t mark = past_blank(code, at + 3), from = mgi_chain_start(code, at);
        if (mark + 1 >= code.len || code.ptr[mark] != '?' || strchr(".?", code.ptr[mark + 1]) ||
            (from > 0 && code.ptr[from - 1] == '!'))
            continue;
        /* What a name stands for is not looked up: it may be an empty list. */
        size_t colon = colon_of(code, mark), given = past_blank(code, colon + 1);
        bool literal = given < code.len && (strchr("[{\"'`(", code.ptr[given]) ||
                                            stands_at(code, given, STR_LIT("null")));
        return literal ? kind_of_stand_in(code, given) : STAND_IN_NONE;
    }
    return STAND_IN_NONE;
}

bool mgi_source_in_for_each(const struct place *call)
{
    struct str s = call->text;
    size_t at = call->at, open, number;
    for (int i = 0; i < 8 && mgi_form_list_around(s, at, &open, &number); i++) {
        size_t argument = past_blank(s, open + 1);
        if (s.ptr[open] == '(' && number == 0 && mgi_form_word_before(s, open, "forEach") &&
            stands_at(s, argument, STR_LIT("async")))
            return true;
        at = open;
    }
    return false;
}

bool mgi_source_call_has(const struct place *call, struct str part)
{
    struct value v = { .response = true };
    return mgi_call_at(call, &v) &&
           mgi_str_find((struct str){ call->text.ptr + v.start, v.end - v.start }, part) !=
               SIZE_MAX;
}

static bool is_made_at(struct str s, size_t at, struct str name)
{
    size_t after = past_blank(s, at + name.len), before = back_blank(s, at);
    bool key =
        after < s.len && s.ptr[after] == ':' && before > 0 && strchr("{,", s.ptr[before - 1]);
    bool given = at > 0 && s.ptr[at - 1] == '.' && after + 1 < s.len && s.ptr[after] == '=' &&
                 !strchr("=>", s.ptr[after + 1]);
    if (!key && !given)
        return false;
    size_t from = past_blank(s, after + 1), end = from;
    while (end < s.len && !strchr(",;}\n", s.ptr[end]))
        end++;
    /* A parameter or a pattern: { name: other }) */
    size_t behind = past_blank(s, end + 1);
    if (key && end < s.len && s.ptr[end] == '}' && behind < s.len &&
        (s.ptr[behind] == '=' || s.ptr[behind] == ')') &&
        name_at(s, from).len == back_blank(s, end) - from)
        return false;
    struct str value = mgi_str_trim((struct str){ s.ptr + from, end - from }, " \t\r");
    return mgi_str_find(value, name) == SIZE_MAX;
}

bool mgi_source_makes(struct str text, struct str name)
{
    for (size_t at = 0; name.len > 0 && at + name.len < text.len; at++) {
        const char *found = memchr(text.ptr + at, name.ptr[0], text.len - at);
        if (!found)
            return false;
        at = (size_t)(found - text.ptr);
        bool begins = at == 0 || !is_name_char(text.ptr[at - 1]);
        if (begins && stands_at(text, at, name) && is_made_at(text, at, name))
            return true;
    }
    return false;
}
