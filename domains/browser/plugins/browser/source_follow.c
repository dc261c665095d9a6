/* From a name that holds a part of the answer to the members that are read of it, and to whom it is
 * given: a name again, a parameter, the caller. Names wait in a list; nothing recurses. */
#include "source_follow.h"

#define FOLLOW_STEPS 12
/* Of one name, and of all names of one answer. */
#define SEEN_MOST  80
#define SCAN_BYTES (1024u * 1024)

bool mgi_is_plain_call(struct str name)
{
    static const char words[] =
        " if while for switch String Number Boolean isArray parseInt parseFloat "
        "isNaN Date encodeURIComponent ";
    size_t at = mgi_str_find(str_of(words), name);
    return name.len == 0 ||
           (at != SIZE_MAX && at > 0 && words[at - 1] == ' ' && words[at + name.len] == ' ');
}

bool mgi_is_given_back(struct str s, size_t start)
{
    size_t before = back_blank(s, start);
    return mgi_form_word_before(s, start, "return") ||
           (before > 1 && s.ptr[before - 1] == '>' && s.ptr[before - 2] == '=');
}

size_t mgi_whole_start(struct str s, size_t start)
{
    int depth = 0;
    for (size_t at = start; at > 0 && start - at < 200; at--) {
        char c = s.ptr[at - 1];
        depth += c == ')' || c == ']' || c == '}';
        depth -= c == '(' || c == '[' || c == '{';
        bool gives = (c == '=' && at > 1 && !strchr("=!<>", s.ptr[at - 2])) ||
                     (c == '>' && at > 1 && s.ptr[at - 2] == '=');
        if (depth < 0 || (depth == 0 && c == ';'))
            return start;
        if (depth == 0 && ((gives && s.ptr[at] != '=') || mgi_form_word_before(s, at, "return")))
            return at;
    }
    return start;
}

/* "return a ? { all: value } : value", "=> value || []": it is one end of what is given back. */
static bool is_end_of_given(struct str s, size_t start)
{
    size_t before = back_blank(s, start);
    if (before == 0 || !strchr(":?|&", s.ptr[before - 1]))
        return false;
    size_t whole = mgi_whole_start(s, before - 1);
    return whole < before - 1 && mgi_is_given_back(s, whole);
}

/* "a ? { value, more } : value": what it is put into stands beside it, for callers who ask for
 * that. */
static bool is_also_given_alone(struct str s, size_t start, size_t end)
{
    size_t open, number, close = SIZE_MAX;
    if (mgi_form_list_around(s, start, &open, &number) && s.ptr[open] == '{')
        close = mgi_form_close(s, open);
    size_t after = close == SIZE_MAX ? s.len : past_blank(s, close);
    if (after >= s.len || s.ptr[after] != ':')
        return false;
    size_t other = past_blank(s, after + 1);
    struct str name = { s.ptr + start, end - start };
    return other < s.len && str_eq(name_at(s, other), name) && is_end_of_given(s, other);
}

/* What it is called in the object that it is put into: { value }, { name: value }. */
static struct str called_in_object(struct str s, size_t start, size_t end)
{
    size_t before = back_blank(s, start), after = past_blank(s, end);
    if (before == 0 || after >= s.len || !strchr(",}", s.ptr[after]))
        return STR_LIT("");
    if (strchr("{,", s.ptr[before - 1]))
        return name_at(s, start).len == end - start ? (struct str){ s.ptr + start, end - start }
                                                    : STR_LIT("");
    size_t stop = s.ptr[before - 1] == ':' ? back_blank(s, before - 1) : 0, from = stop;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    return (struct str){ s.ptr + from, stop - from };
}

/* return { data: value, status }: what the function gives has the answer within. */
static bool is_wrapped_up(const struct follow *f, const struct path *p, size_t start, size_t end,
                          struct path *out)
{
    struct str s = f->text, name = called_in_object(s, start, end);
    size_t open, number;
    if (f->returned || p->len > 0 || name.len == 0 || name.len + 1 >= sizeof out->text ||
        start < f->from || start >= f->to || s.ptr != f->home ||
        !mgi_form_list_around(s, start, &open, &number) || s.ptr[open] != '{')
        return false;
    size_t outside = back_blank(s, open);
    if (outside > 0 && s.ptr[outside - 1] == '(')
        outside--;
    if (!mgi_is_given_back(s, open) &&
        !(outside < back_blank(s, open) && mgi_is_given_back(s, outside)))
        return false;
    out->text[0] = WRAPPED;
    memcpy(out->text + 1, name.ptr, name.len);
    out->len = name.len + 1;
    return true;
}

/* What becomes of the value between `start` and `end`. */
static void place_value(struct follow *f, const struct path *p, size_t start, size_t end)
{
    struct str s = f->text;
    size_t before = back_blank(s, start), after = past_blank(s, end),
           target = mgi_target_before(s, start);
    mgi_note_uses(f, p, start, end);
    struct path whole;
    if (is_wrapped_up(f, p, start, end, &whole)) {
        f->returned = true;
        f->base = whole;
    } else if (target != SIZE_MAX) {
        mgi_hold_target(f, target, p, end);
    } else if (mgi_form_word_before(s, start, "of")) {
        struct path each = *p;
        size_t name_end = back_blank(s, before - 2), at = name_end;
        while (at > 0 && (is_name_char(s.ptr[at - 1]) || strchr("{}, :", s.ptr[at - 1])) &&
               !mgi_is_declared(s, at))
            at--;
        if (mgi_path_add(&each, STR_LIT("[]"))) {
            mgi_note_take(f, &each, start, TAKE_READ);
            mgi_hold_pattern(f, past_blank(s, at), &each, after + 1,
                             mgi_form_block_end(s, after + 1));
        }
    } else if ((mgi_form_word_before(s, start, "return") || is_end_of_given(s, start)) &&
               !f->returned && f->from <= start && start < f->to && s.ptr == f->home) {
        f->returned = true;
        f->base = *p;
    } else if (mgi_form_word_before(s, start, "return") ||
               (before > 2 && s.ptr[before - 1] == '.')) {
        mgi_note_take(f, p, start, TAKE_HANDED_ON);
    } else if (before > 0 &&
               (s.ptr[before - 1] == '(' || s.ptr[before - 1] == ',' || s.ptr[before - 1] == '[') &&
               after < s.len &&
               (s.ptr[after] == ')' || s.ptr[after] == ',' || s.ptr[after] == ']')) {
        mgi_give_argument(f, p, start);
    } else if (before > 0 &&
               (s.ptr[before - 1] == ':' ||
                (s.ptr[before - 1] == '{' && (before == 1 || s.ptr[before - 2] != '$')))) {
        if (!is_also_given_alone(s, start, end))
            mgi_note_take(f, p, start, TAKE_HANDED_ON);
    }
}

/* A method of a list: whose callback gets the members, and what the whole is. False: it ends here.
 */
static bool follow_call(struct follow *f, struct path *p, struct str method, size_t open,
                        size_t *end)
{
    static const char *const walks[] = { "map",      "forEach", "filter", "find",
                                         "some",     "every",   "sort",   "findIndex",
                                         "findLast", "flatMap", NULL };
    static const char *const keeps[] = { "filter", "sort",     "slice", "reverse",
                                         "concat", "toSorted", NULL };
    static const char *const picks[] = { "find", "at", "findLast", "pop", "shift", NULL };
    struct form_function fn;
    struct path each = *p;
    size_t close = mgi_form_close(f->text, open), argument = past_blank(f->text, open + 1);
    bool walk = mgi_str_is_any(method, walks), reduces = str_is(method, "reduce");
    if (close == SIZE_MAX || !mgi_path_add(&each, STR_LIT("[]")))
        return false;
    if (walk || reduces) {
        mgi_note_take(f, &each, open, TAKE_READ);
        if (mgi_follow_function_at(f, argument, &fn)) {
            mgi_hold_parameter(f, &fn, reduces ? 1 : 0, &each);
            if (str_is(method, "sort"))
                mgi_hold_parameter(f, &fn, 1, &each);
        } else {
            mgi_note_take(f, &each, open, TAKE_HANDED_ON);
        }
    }
    *end = close;
    if (mgi_str_is_any(method, picks))
        *p = each;
    return mgi_str_is_any(method, keeps) || mgi_str_is_any(method, picks);
}

/* Does the code ask whether the value from `start` to `end` is there? */
static bool is_guarded(struct str s, size_t start, size_t end)
{
    static const char *const behind[] = { "?", "||", "&&", "==", "!=", NULL };
    size_t after = past_blank(s, end), before = back_blank(s, start);
    struct str rest = after < s.len ? (struct str){ s.ptr + after, s.len - after } : STR_LIT("");
    for (size_t i = 0; behind[i]; i++)
        if (mgi_str_starts(rest, str_of(behind[i])))
            return true;
    if (before == 0)
        return false;
    bool asked = s.ptr[before - 1] == '(' && mgi_form_word_before(s, before - 1, "if");
    return asked || s.ptr[before - 1] == '!' || mgi_form_word_before(s, start, "typeof");
}

/* One ".name", "[...]" or call behind a value. False: nothing more belongs to it. */
static bool follow_member(struct follow *f, struct path *p, size_t start, size_t *end, bool *ends)
{
    struct str s = f->text;
    size_t at = past_blank(s, *end);
    if (at + 1 < s.len && s.ptr[at] == '?' && s.ptr[at + 1] == '.')
        at++;
    if (at < s.len && at == *end && s.ptr[at] == '[') {
        size_t close = mgi_form_close(s, at);
        *end = close;
        return close != SIZE_MAX && mgi_path_add(p, STR_LIT("[]"));
    }
    struct str name = at + 1 < s.len && s.ptr[at] == '.' ? name_at(s, at + 1) : STR_LIT("");
    size_t after = at + 1 + name.len;
    if (name.len == 0)
        return false;
    if (after < s.len && s.ptr[after] == '(') {
        bool on = follow_call(f, p, name, after, end);
        *ends = !on;
        return on;
    }
    *ends = str_is(name, "length");
    if (*ends || !mgi_path_add(p, name))
        return false;
    mgi_note_read(f, p, at + 1, is_guarded(s, start, after));
    *end = after;
    return true;
}

void mgi_follow_value(struct follow *f, struct path p, size_t start, size_t end)
{
    bool ends = false;
    for (int i = 0; i < FOLLOW_STEPS && !ends; i++)
        if (!follow_member(f, &p, start, &end, &ends))
            break;
    if (!ends && end != SIZE_MAX)
        place_value(f, &p, start, end);
}

bool mgi_is_the_name(struct str s, size_t at, struct str name)
{
    if (!stands_at(s, at, name) || (at > 0 && is_name_char(s.ptr[at - 1])))
        return false;
    bool spread = at > 2 && s.ptr[at - 1] == '.' && s.ptr[at - 2] == '.';
    size_t after = past_blank(s, at + name.len), before = back_blank(s, at);
    bool key =
        after < s.len && s.ptr[after] == ':' && before > 0 && strchr("{,", s.ptr[before - 1]);
    bool given = after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '=';
    bool quoted = at > 0 && strchr("\"'`", s.ptr[at - 1]); /* "roster.publish" */
    return !key && !given && !quoted && (at == 0 || s.ptr[at - 1] != '.' || spread);
}

static void follow_held(struct follow *f, const struct held *h)
{
    struct str s = f->text;
    struct path p = { .len = h->len };
    memcpy(p.text, h->path, h->len);
    size_t to = h->to < s.len ? h->to : s.len;
    for (size_t at = h->from, seen = 0; at < to && seen < SEEN_MOST && f->scanned < SCAN_BYTES;
         at++) {
        const char *found = memchr(s.ptr + at, h->name.ptr[0], to - at);
        size_t next = found ? (size_t)(found - s.ptr) : to;
        f->scanned += next - at + 1;
        at = next;
        if (at >= to || !mgi_is_the_name(s, at, h->name))
            continue;
        seen++;
        mgi_follow_value(f, p, at, at + h->name.len);
    }
}

void mgi_follow_all(struct follow *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct held h = f->held[i];
        f->text = h.text;
        follow_held(f, &h);
    }
}

bool mgi_call_at(const struct place *place, struct value *v)
{
    struct str s = place->text, name = place->at < s.len ? name_at(s, place->at) : STR_LIT("");
    bool made = str_is(name, "new"); /* new Promise((resolve) => { ... }) */
    size_t from = made ? past_blank(s, place->at + name.len) : place->at;
    name = made && from < s.len ? name_at(s, from) : name;
    size_t open = past_blank(s, from + name.len);
    if (name.len == 0 || open >= s.len || s.ptr[open] != '(')
        return false;
    v->start = made ? place->at : mgi_chain_start(s, place->at);
    v->end = mgi_form_close(s, open);
    return v->end != SIZE_MAX;
}
