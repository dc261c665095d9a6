/* From the call that asked to the value that is its answer: what fetch gives, its json(), what
 * then() is given, what a wrapper returns to its caller. */
#include "source_follow.h"

#define SETTLE_STEPS 16

/* Where "name.json()" stands in a stretch of the text: the last, for errors are dealt with first.
 */
static bool find_json(struct str s, struct str name, size_t from, size_t to, struct value *v)
{
    bool found = false;
    for (size_t at = from; name.len > 0 && at + name.len < to; at++) {
        if (!mgi_is_the_name(s, at, name) || !stands_at(s, at + name.len, STR_LIT(".json")))
            continue;
        size_t close = mgi_form_close(s, at + name.len + strlen(".json"));
        if (close == SIZE_MAX)
            break;
        v->start = at;
        v->end = close;
        v->response = false;
        found = true;
    }
    return found;
}

/* JSON.parse(name) in a stretch of the text. */
static bool find_parsed(struct str s, struct str name, size_t from, size_t to, struct value *v)
{
    for (size_t at = from; name.len > 0 && at + strlen("JSON.parse") + name.len < to; at++) {
        if (!stands_at(s, at, STR_LIT("JSON.parse")))
            continue;
        size_t open = at + strlen("JSON.parse"), close = mgi_form_close(s, open);
        if (close == SIZE_MAX || !mgi_is_the_name(s, past_blank(s, open + 1), name))
            continue;
        v->start = at;
        v->end = close;
        v->response = false;
        return true;
    }
    return false;
}

/* The same where a text is read first: const text = await name.text(), and then JSON.parse(text).
 */
static bool find_text(struct str s, struct str name, size_t from, size_t to, struct value *v)
{
    static const char parse[] = "JSON.parse";
    for (size_t at = from; name.len > 0 && at + name.len < to; at++) {
        if (!mgi_is_the_name(s, at, name) || !stands_at(s, at + name.len, STR_LIT(".text")))
            continue;
        size_t close = mgi_form_close(s, at + name.len + strlen(".text")), start = at;
        if (close == SIZE_MAX)
            return false;
        if (mgi_form_word_before(s, start, "await"))
            start = back_blank(s, start) - strlen("await");
        size_t target = mgi_target_before(s, start), open = back_blank(s, start);
        if (target != SIZE_MAX)
            return find_parsed(s, name_at(s, target), close, to, v);
        if (open < sizeof parse || s.ptr[open - 1] != '(' ||
            !stands_at(s, open - sizeof parse, str_of(parse)))
            return false;
        v->start = open - sizeof parse;
        v->end = mgi_form_close(s, open - 1);
        v->response = false;
        return v->end != SIZE_MAX;
    }
    return false;
}

/* r => r.data, ({ data }) => data: of what it gets, a function gives a part. */
static bool picks_member(const struct form_function *fn, struct path *base)
{
    struct str s = fn->text;
    size_t item = mgi_form_item(s, fn->params, 0), at = fn->body;
    struct str name = at < s.len && s.ptr[at] != '{' ? name_at(s, at) : STR_LIT("");
    struct path p = *base;
    if (item == SIZE_MAX || name.len == 0)
        return false;
    at += name.len;
    for (size_t number = 0; s.ptr[item] == '{'; number++) {
        size_t key = mgi_form_item(s, item + 1, number);
        if (key == SIZE_MAX || number == 20)
            return false;
        size_t after = past_blank(s, key + name.len);
        if (!str_eq(name_at(s, key), name) || after >= s.len || !strchr(",}", s.ptr[after]))
            continue;
        if (!mgi_path_add(&p, name))
            return false;
        break;
    }
    if (s.ptr[item] != '{' && !str_eq(name_at(s, item), name))
        return false;
    while (at + 1 < fn->end && s.ptr[at] == '.') {
        struct str member = name_at(s, at + 1);
        if (!mgi_path_add(&p, member))
            return false;
        at += member.len + 1;
    }
    if (past_blank(s, at) < fn->end)
        return false;
    *base = p;
    return true;
}

/* value.then(callback): of a Response the callback that reads it, of what was in it the one that
 * gets it. */
static bool settle_then(struct follow *f, struct value *v, size_t open, enum settled *how)
{
    struct form_function fn;
    struct str s = f->text;
    size_t close = mgi_form_close(s, open);
    if (close == SIZE_MAX)
        return false;
    if (!mgi_follow_function_at(f, past_blank(s, open + 1), &fn)) {
        v->end = v->response ? close : v->end; /* a check that hands the Response on */
        return v->response;
    }
    if (!v->response && picks_member(&fn, &v->base)) {
        v->end = close;
        return true;
    }
    if (!v->response) {
        mgi_hold_parameter(f, &fn, 0, &v->base);
        *how = IS_BOUND;
        return false;
    }
    struct value json = *v;
    size_t at = mgi_form_item(s, fn.params, 0);
    struct str name = at == SIZE_MAX ? STR_LIT("") : name_at(s, at);
    v->end = close;
    if (!find_json(s, name, fn.body, fn.end, &json))
        return true; /* it hands the Response on, if it does */
    size_t start = json.start;
    if (mgi_form_word_before(s, start, "await"))
        start = back_blank(s, start) - strlen("await");
    bool given = s.ptr[fn.body] != '{' || mgi_form_word_before(s, start, "return");
    if (!given || mgi_target_before(s, start) != SIZE_MAX)
        *v = json;
    v->response = false;
    /* return r.json().then((data) => done(data)): it is taken there, and nothing comes behind. */
    size_t behind = past_blank(s, json.end), next = past_blank(s, close);
    if (given && behind < s.len && stands_at(s, behind, STR_LIT(".then")) &&
        !stands_at(s, next, STR_LIT(".then")) &&
        mgi_follow_function_at(f, past_blank(s, behind + strlen(".then(")), &fn) &&
        s.ptr[fn.body] == '{') {
        mgi_hold_parameter(f, &fn, 0, &v->base);
        *how = IS_BOUND;
        return false;
    }
    return true;
}

static bool settle_behind(struct follow *f, struct value *v, enum settled *how)
{
    struct str s = f->text;
    size_t at = past_blank(s, v->end);
    struct str name = at + 1 < s.len && s.ptr[at] == '.' ? name_at(s, at + 1) : STR_LIT("");
    size_t open = at + 1 + name.len;
    bool call = name.len > 0 && open < s.len && s.ptr[open] == '(';
    if (call && str_is(name, "then"))
        return settle_then(f, v, open, how);
    if (call && (str_is(name, "catch") || str_is(name, "finally"))) {
        v->end = mgi_form_close(s, open);
        return v->end != SIZE_MAX;
    }
    if (call && v->response && str_is(name, "json")) {
        v->end = mgi_form_close(s, open);
        v->response = false;
        return v->end != SIZE_MAX;
    }
    return false;
}

static bool settle_choice(struct str s, struct value *v)
{
    size_t before = back_blank(s, v->start);
    if (before == 0 || !strchr(":?|&", s.ptr[before - 1]))
        return false;
    size_t start = mgi_whole_start(s, before - 1);
    bool found = start < before - 1;
    v->start = found ? start : v->start;
    return found;
}

/* "await value" and "(value)" are the value. */
static bool settle_around(struct str s, struct value *v)
{
    size_t before = back_blank(s, v->start), after = past_blank(s, v->end);
    if (mgi_form_word_before(s, v->start, "await")) {
        v->start = before - strlen("await");
        return true;
    }
    if (before == 0 || s.ptr[before - 1] != '(' || after >= s.len || s.ptr[after] != ')')
        return false;
    size_t outside = back_blank(s, before - 1);
    bool word =
        mgi_form_word_before(s, outside, "await") || mgi_form_word_before(s, outside, "return");
    if (outside > 0 && is_name_char(s.ptr[outside - 1]) && !word)
        return false;
    v->start = before - 1;
    v->end = after + 1;
    return true;
}

/* results[1]: where a name that holds them all is asked for one of them. */
static bool follow_numbered(struct follow *f, const struct path *p, struct str name, size_t number,
                            size_t from, size_t to)
{
    struct str s = f->text;
    bool found = false;
    for (size_t at = from; name.len > 0 && at + name.len + 2 < to && at + name.len + 2 < s.len;
         at++) {
        size_t digit = at + name.len + 1;
        if (!mgi_is_the_name(s, at, name) || s.ptr[at + name.len] != '[' ||
            s.ptr[digit] != (char)('0' + number) || s.ptr[digit + 1] != ']')
            continue;
        mgi_follow_value(f, *p, at, digit + 2);
        found = true;
    }
    return found;
}

/* Promise.all([a, value]): the name of the same place in "[x, y] = await". */
static bool settle_together(struct follow *f, const struct value *v)
{
    struct str s = f->text;
    struct form_function fn;
    size_t open, number, close;
    if (!mgi_form_list_around(s, v->start, &open, &number) || s.ptr[open] != '[' || open == 0)
        return false;
    size_t call = back_blank(s, open);
    if (call == 0 || s.ptr[call - 1] != '(' || (close = mgi_form_close(s, call - 1)) == SIZE_MAX)
        return false;
    if (mgi_form_word_before(s, call - 1, "allSettled")) { /* of that comes { status, value } */
        mgi_note_take(f, &v->base, v->start, TAKE_HANDED_ON);
        return true;
    }
    size_t start = mgi_chain_start(s, call - 1), target, item;
    if (mgi_form_word_before(s, start, "await"))
        start = back_blank(s, start) - strlen("await");
    target = mgi_target_before(s, start);
    if (target != SIZE_MAX && mgi_is_declared(s, target) && name_at(s, target).len > 0 &&
        number < 10)
        return follow_numbered(f, &v->base, name_at(s, target), number, close,
                               mgi_form_block_end(s, close));
    if (target != SIZE_MAX && s.ptr[target] == '[') {
        item = mgi_form_item(s, target + 1, number);
        if (item != SIZE_MAX)
            mgi_hold_pattern(f, item, &v->base, close, mgi_form_block_end(s, close));
        return item != SIZE_MAX;
    }
    size_t behind = past_blank(s, close);
    if (!stands_at(s, behind, STR_LIT(".then")) ||
        !mgi_follow_function_at(f, past_blank(s, behind + strlen(".then(")), &fn))
        return false;
    item = mgi_form_item(s, fn.params, 0);
    if (item != SIZE_MAX && s.ptr[item] != '[' && number < 10 && fn.text.ptr == s.ptr)
        return follow_numbered(f, &v->base, name_at(s, item), number, fn.body, fn.end);
    if (item == SIZE_MAX || s.ptr[item] != '[' ||
        (item = mgi_form_item(s, item + 1, number)) == SIZE_MAX)
        return false;
    mgi_hold_pattern(f, item, &v->base, fn.body, fn.end);
    return true;
}

bool mgi_looks_first(struct str s, size_t from, size_t to)
{
    static const char *const words[] = { "204",    "ontent-", "ontentType", "redirected",
                                         ".catch", ".text()", NULL };
    struct str between = { s.ptr + from, (to < s.len ? to : s.len) - from };
    for (size_t i = 0; from < to && words[i]; i++)
        if (mgi_str_find(between, str_of(words[i])) != SIZE_MAX)
            return true;
    return false;
}

bool mgi_looks_at_type(struct str s, size_t from, size_t to)
{
    struct str between = { s.ptr + from, (to < s.len ? to : s.len) - from };
    return from < to &&
           (mgi_contains(between, "content-type") || mgi_contains(between, "contenttype"));
}

/* A function of the page's that is given the Response at `at`, and reads its json(): what it gives
 * is the value. */
static bool reads_for_it(struct follow *f, size_t at, struct value *v)
{
    size_t open, number;
    struct form_function fn;
    struct str s = f->text;
    if (!mgi_form_list_around(s, at, &open, &number) || s.ptr[open] != '(')
        return false;
    size_t end = back_blank(s, open), from = end, close = mgi_form_close(s, open);
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    struct str name = { s.ptr + from, end - from };
    if (close == SIZE_MAX || mgi_is_plain_call(name) || mgi_form_word_before(s, from, "new") ||
        !mgi_follow_function_named(f, name, &fn))
        return false;
    size_t parameter = mgi_form_item(fn.text, fn.params, number);
    struct value json = *v;
    if (parameter == SIZE_MAX ||
        !find_json(fn.text, name_at(fn.text, parameter), fn.body, fn.end, &json))
        return false;
    f->looked = mgi_looks_first(fn.text, fn.body, fn.end);
    f->by_type = mgi_looks_at_type(fn.text, fn.body, fn.end);
    v->start = mgi_chain_start(s, from);
    v->end = close;
    v->response = false;
    return true;
}

/* A Response under a name: where its json() is read, that is the value. Or it is given at once to a
 * function that reads it: read(await fetch(...)). */
static bool settle_response(struct follow *f, struct value *v)
{
    struct str s = f->text;
    if (reads_for_it(f, v->start, v))
        return true;
    size_t target = mgi_target_before(s, v->start);
    if (target == SIZE_MAX || s.ptr[target] == '{' || s.ptr[target] == '[')
        return false;
    struct str name = name_at(s, target);
    size_t to = mgi_form_block_end(s, v->end);
    if (find_json(s, name, v->end, to, v) || find_text(s, name, v->end, to, v))
        return true;
    for (size_t at = v->end; name.len > 0 && at + name.len < to; at++)
        if (mgi_is_the_name(s, at, name) && reads_for_it(f, at, v))
            return true;
    return false;
}

/* "value.a": a member of it is what is meant. */
static bool goes_on(struct str s, size_t end)
{
    size_t at = past_blank(s, end);
    if (at + 1 < s.len && s.ptr[at] == '?' && s.ptr[at + 1] == '.')
        return true;
    return at < s.len && (s.ptr[at] == '.' || (s.ptr[at] == '[' && at == end));
}

enum settled mgi_settle(struct follow *f, struct value *v)
{
    enum settled how = NOT_FOUND;
    for (int i = 0; i < SETTLE_STEPS; i++) {
        if (settle_behind(f, v, &how) || settle_around(f->text, v) || settle_choice(f->text, v))
            continue;
        if (how != NOT_FOUND || v->end == SIZE_MAX)
            return how;
        if (mgi_is_given_back(f->text, v->start) && (v->response || !goes_on(f->text, v->end)))
            return IS_RETURNED;
        if (!v->response)
            break;
        if (!settle_response(f, v))
            return NOT_FOUND;
    }
    if (v->response)
        return NOT_FOUND;
    f->from = v->start < f->from ? v->start : f->from; /* what stands around it is a part of it */
    if (!settle_together(f, v))
        mgi_follow_value(f, v->base, v->start, v->end);
    return IS_BOUND;
}
