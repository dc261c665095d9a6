/* Trails: from the expression that failed back to where its value came from, over assignments,
 * destructuring, loops, callbacks, parameters and fields. */
#include "source_int.h"

/* What gave a variable its value stands near it, but a function may be long. */
#define LOOK_BACK_BYTES 20000

/* ---- trails -------------------------------------------------------------------------------- */

static bool put_front(struct trail *t, struct str part)
{
    bool joins = t->len == 0 || t->path[0] == '[' || t->path[0] == '.';
    size_t add = part.len + !joins;
    if (part.len == 0)
        return true;
    if (t->len + add >= sizeof t->path)
        return false;
    memmove(t->path + add, t->path, t->len);
    memcpy(t->path, part.ptr, part.len);
    if (!joins)
        t->path[part.len] = '.';
    t->len += add;
    return true;
}

/* Takes the expression a.b[0].c apart: its root, and its path before the trail's. A call ends what
 * is known: what it returned, nobody says; but .json() is an answer. */
static bool take_chain(struct trail *t, struct str e)
{
    char path[TRAIL_BYTES];
    size_t len = 0;
    struct str root = name_at(e, 0);
    bool answer = false;
    if (root.len == 0)
        return false;
    for (size_t at = root.len; at < e.len;) {
        char c = e.ptr[at];
        if (c == '.' || c == '?' || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            at++;
            continue;
        }
        if (c == '(' || c == '[') {
            size_t end = at;
            int depth = 0;
            for (; end < e.len; end++) {
                depth += e.ptr[end] == '(' || e.ptr[end] == '[';
                depth -= e.ptr[end] == ')' || e.ptr[end] == ']';
                if (depth == 0)
                    break;
            }
            if (c == '(') {
                struct str in = { e.ptr + at, (end < e.len ? end : e.len) - at };
                answer = len >= 4 && memcmp(path + len - 4, "json", 4) == 0;
                answer = answer || (str_is(root, "JSON") && len == 5 && /* .parse( */
                                    (mgi_contains(in, "respon") || mgi_contains(in, "text")));
                root = STR_LIT("");
                len = 0;
            } else if (len + 2 < sizeof path) {
                path[len++] = '[';
                path[len++] = ']';
            }
            at = end + 1;
            continue;
        }
        struct str name = name_at(e, at);
        if (name.len == 0)
            return false;
        if (len + name.len + 1 >= sizeof path)
            return false;
        if (len > 0)
            path[len++] = '.';
        memcpy(path + len, name.ptr, name.len);
        len += name.len;
        at += name.len;
    }
    /* this.users: `this` says nothing, the member is what was assigned somewhere. */
    if (str_is(root, "this") || str_is(root, "self") || str_is(root, "window")) {
        size_t end = 0;
        while (end < len && is_name_char(path[end]))
            end++;
        root = name_at(e, (size_t)(root.len + 1 < e.len ? root.len + 1 : e.len));
        if (root.len == 0 || end == 0)
            return false;
        size_t skip = end < len && path[end] == '.' ? end + 1 : end;
        memmove(path, path + skip, len - skip);
        len -= skip;
    }
    t->root = root;
    t->of_answer = answer;
    return put_front(t, (struct str){ path, len }) && (root.len > 0 || answer);
}

bool mgi_trail_begin(struct trail *t, struct place place, struct str expression)
{
    *t = (struct trail){ .place = place };
    return take_chain(t, expression);
}

/* ---- one step back ------------------------------------------------------------------------- */

static bool word_before(struct str s, size_t at, const char *word)
{
    size_t len = strlen(word), end = back_blank(s, at);
    return end >= len && memcmp(s.ptr + end - len, word, len) == 0 &&
           (end == len || !is_name_char(s.ptr[end - len - 1]));
}

/* The chain that begins at `at`, forward: names, dots, brackets. */
static struct str chain_ahead(struct str s, size_t at)
{
    size_t from = at;
    while (at < s.len && at - from < EXPRESSION_BYTES * 2) {
        char c = s.ptr[at];
        size_t next = past_blank(s, at);
        if (is_name_char(c)) {
            at++;
        } else if (c == '.' || (c == '?' && at + 1 < s.len && s.ptr[at + 1] == '.')) {
            at++;
        } else if (next > at && next < s.len && s.ptr[next] == '.') {
            at = next;
        } else if (c == '(' || c == '[') {
            int depth = 0;
            size_t end = at;
            for (; end < s.len && end - at < 600; end++) {
                depth += s.ptr[end] == '(' || s.ptr[end] == '[' || s.ptr[end] == '{';
                depth -= s.ptr[end] == ')' || s.ptr[end] == ']' || s.ptr[end] == '}';
                if (depth == 0)
                    break;
            }
            if (depth != 0)
                break;
            at = end + 1;
        } else {
            break;
        }
    }
    return (struct str){ s.ptr + from, at - from };
}

/* ".a.b" ahead as "a.b"; a method that is called does not belong to it. */
static struct str members_ahead(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && s.ptr[end] == '.') {
        struct str name = name_at(s, end + 1);
        if (name.len == 0 || (end + 1 + name.len < s.len && s.ptr[end + 1 + name.len] == '('))
            break;
        end += 1 + name.len;
    }
    return end > at + 1 ? (struct str){ s.ptr + at + 1, end - at - 1 } : STR_LIT("");
}

/* What stands behind "=": "await f(x)", "(a.b || [])", "a.b". */
static bool take_assigned(struct trail *t, size_t at)
{
    struct str s = t->place.text;
    bool awaited = false;
    at = past_blank(s, at);
    while (at < s.len && (s.ptr[at] == '(' || stands_at(s, at, STR_LIT("await")))) {
        awaited = awaited || s.ptr[at] != '(';
        at = past_blank(s, at + (s.ptr[at] == '(' ? 1 : 5));
    }
    struct str e = chain_ahead(s, at);
    struct trail was = *t;
    t->place.at = at;
    if (e.len == 0)
        return false;
    /* (await fetch(url)).json(), (await answer.json()).list */
    size_t after = past_blank(s, (size_t)(e.ptr - s.ptr) + e.len);
    if (after < s.len && s.ptr[after] == ')') {
        size_t json = past_blank(s, after + 1);
        if (stands_at(s, json, STR_LIT(".json"))) {
            size_t end = past_blank(s, json + strlen(".json()"));
            t->of_answer =
                end >= s.len || s.ptr[end] != ')' || put_front(t, members_ahead(s, end + 1));
            t->root = STR_LIT("");
            return t->of_answer;
        }
        if (!put_front(t, members_ahead(s, after + 1)))
            return false;
    }
    if (take_chain(t, e))
        return true;
    *t = was;
    /* await getJson("/api/users"): the wrapper answers with what came. */
    bool call = e.ptr[e.len - 1] == ')';
    bool response =
        mgi_str_starts(e, STR_LIT("fetch(")) || mgi_str_starts(e, STR_LIT("window.fetch("));
    t->of_answer = awaited && call && !response;
    t->root = STR_LIT("");
    return t->of_answer;
}

/* name.method(X => or name.method((X, ...: what stands before the callback. `at` is where X is. */
static bool take_callback(struct trail *t, size_t at)
{
    static const char *const walks[] = { "map",   "forEach", "filter", "find",      "some",
                                         "every", "flatMap", "sort",   "findIndex", NULL };
    struct str s = t->place.text;
    size_t open = back_blank(s, at);
    if (open > 0 && s.ptr[open - 1] == '(')
        open = back_blank(s, open - 1);
    if (word_before(s, open, "async"))
        open = back_blank(s, back_blank(s, open) - 5);
    if (word_before(s, open, "function"))
        open = back_blank(s, back_blank(s, open) - 8);
    if (open > 0 && s.ptr[open - 1] == '(')
        open--;
    size_t end = back_blank(s, open), from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    struct str method = { s.ptr + from, end - from };
    if (from == 0 || s.ptr[from - 1] != '.')
        return false;
    size_t dot = from - 1;
    if (str_is(method, "then")) {
        size_t near = dot > 80 ? dot - 80 : 0;
        struct str before = { s.ptr + near, dot - near };
        t->of_answer = mgi_str_find(before, STR_LIT("json()")) != SIZE_MAX;
        t->root = STR_LIT("");
        t->place.at = dot;
        return t->of_answer;
    }
    for (size_t i = 0; walks[i]; i++) {
        if (!str_is(method, walks[i]))
            continue;
        if (dot > 0 && s.ptr[dot - 1] == '?')
            dot--;
        size_t start = mgi_chain_start(s, dot);
        t->place.at = start;
        return put_front(t, STR_LIT("[]")) &&
               take_chain(t, mgi_str_trim((struct str){ s.ptr + start, dot - start }, " \t\r\n"));
    }
    return false;
}

/* { a, X, key: X } = value: the member that X is. `at` is where X is; SIZE_MAX: it is none. */
static bool take_destructured(struct trail *t, size_t at, size_t len)
{
    struct str s = t->place.text;
    size_t end = past_blank(s, at + len), open = at;
    struct str key = { s.ptr + at, len };
    if (end < s.len && s.ptr[end] == '=' && end + 1 < s.len && s.ptr[end + 1] != '=') {
        while (end < s.len && s.ptr[end] != ',' && s.ptr[end] != '}') /* a default */
            end++;
    }
    if (end >= s.len || (s.ptr[end] != ',' && s.ptr[end] != '}'))
        return false;
    size_t before = back_blank(s, at);
    if (before > 0 && s.ptr[before - 1] == ':') {
        size_t stop = back_blank(s, before - 1), from = stop;
        while (from > 0 && is_name_char(s.ptr[from - 1]))
            from--;
        key = (struct str){ s.ptr + from, stop - from };
    }
    while (open > 0 && at - open < 300 && s.ptr[open - 1] != '{') {
        if (strchr(";}()=", s.ptr[open - 1]))
            return false;
        open--;
    }
    while (end < s.len && end - at < 300 && s.ptr[end] != '}')
        end++;
    if (open == 0 || s.ptr[open - 1] != '{' || end >= s.len || s.ptr[end] != '}')
        return false;
    size_t after = past_blank(s, end + 1);
    if (key.len == 0 || !put_front(t, key))
        return false;
    if (after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '>' &&
        s.ptr[after + 1] != '=')
        return take_assigned(t, after + 1);
    return take_callback(t, open - 1);
}

/* The number of the argument in which `at` stands, and where the list opens; false: in none. */
static bool parameter_at(struct str s, size_t at, size_t *number, size_t *open)
{
    *number = 0;
    for (size_t i = at; i-- > 0 && at - i < 300;) {
        if (s.ptr[i] == '(') {
            *open = i;
            return true;
        }
        if (s.ptr[i] == ',')
            (*number)++;
        else if (!is_name_char(s.ptr[i]) && !strchr(" \t\r\n=.'\"{}[]", s.ptr[i]))
            return false;
    }
    return false;
}

static struct str name_before(struct str s, size_t end)
{
    size_t from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    return (struct str){ s.ptr + from, end - from };
}

/* The name of the function whose parameters open at `open`: "function show(", "show(", "show = (",
 * "show: function (", "const show = async (". Empty if it has none. */
static struct str function_name(struct str s, size_t open)
{
    size_t end = back_blank(s, open);
    if (word_before(s, end, "async"))
        end = back_blank(s, end - 5);
    if (word_before(s, end, "function"))
        end = back_blank(s, end - 8);
    if (end > 0 && (s.ptr[end - 1] == '=' || s.ptr[end - 1] == ':'))
        end = back_blank(s, end - 1);
    return name_before(s, end);
}

/* Behind the bracket that closes the one at `open`; SIZE_MAX: there is none near. */
static size_t behind_bracket(struct str s, size_t open)
{
    int depth = 0;
    for (size_t at = open; at < s.len && at - open < 400; at++) {
        depth += s.ptr[at] == '(';
        depth -= s.ptr[at] == ')';
        if (depth == 0)
            return at + 1;
    }
    return SIZE_MAX;
}

/* Where argument `number` of the call at the place begins, if it calls `name`; SIZE_MAX: it does
 * not. The place is at the name, or at the beginning of what leads to it. */
static size_t argument_of_call(const struct place *call, struct str name, size_t number)
{
    struct str s = call->text;
    size_t from = call->at;
    int depth = 0;
    while (from < s.len && (is_name_char(s.ptr[from]) || strchr(".[]", s.ptr[from])))
        from++;
    if (from >= s.len || s.ptr[from] != '(' || !str_eq(name_before(s, from), name))
        return SIZE_MAX;
    for (from++; from < s.len && number > 0 && depth >= 0; from++) {
        depth += s.ptr[from] == '(' || s.ptr[from] == '[' || s.ptr[from] == '{';
        depth -= s.ptr[from] == ')' || s.ptr[from] == ']' || s.ptr[from] == '}';
        number -= depth == 0 && s.ptr[from] == ',';
    }
    return number == 0 && depth >= 0 ? from : SIZE_MAX;
}

/* X is a parameter of a function: what a caller gave. `at` is where X is declared. */
static bool take_argument(struct trail *t, size_t at, const struct place *callers, size_t count)
{
    struct str s = t->place.text;
    size_t number, open;
    if (!parameter_at(s, at, &number, &open))
        return false;
    size_t close = behind_bracket(s, open);
    size_t body = close == SIZE_MAX ? s.len : past_blank(s, close);
    struct str name = function_name(s, open);
    if (name.len == 0 || body >= s.len || (s.ptr[body] != '{' && s.ptr[body] != '='))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t from =
            callers[i].text.len > 0 ? argument_of_call(&callers[i], name, number) : SIZE_MAX;
        if (from == SIZE_MAX)
            continue;
        t->place = callers[i];
        return take_assigned(t, from);
    }
    return false;
}

/* One occurrence of the root, which may be where it got its value. */
static bool take_occurrence(struct trail *t, size_t at, size_t len, const struct place *callers,
                            size_t count)
{
    struct str s = t->place.text;
    size_t after = past_blank(s, at + len);
    struct trail was = *t;
    if (after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '=' &&
        s.ptr[after + 1] != '>') {
        if (take_assigned(t, after + 1))
            return true;
        *t = was;
        return false;
    }
    if (stands_at(s, after, STR_LIT("of")) &&
        (word_before(s, at, "const") || word_before(s, at, "let") || word_before(s, at, "var"))) {
        if (put_front(t, STR_LIT("[]")) && take_assigned(t, after + 2))
            return true;
        *t = was;
        return false;
    }
    if (take_destructured(t, at, len))
        return true;
    *t = was;
    bool declared = after < s.len && (s.ptr[after] == ')' || s.ptr[after] == ',' ||
                                      (s.ptr[after] == '=' && after + 1 < s.len));
    if (declared && take_callback(t, at))
        return true;
    *t = was;
    if (declared && take_argument(t, at, callers, count))
        return true;
    *t = was;
    return false;
}

bool mgi_trail_step(struct trail *t, const struct place *callers, size_t count)
{
    struct str s = t->place.text, root = t->root;
    if (t->of_answer || root.len == 0)
        return false;
    size_t from = t->place.at < s.len ? t->place.at : s.len;
    for (size_t at = from; at-- > 0 && from - at < LOOK_BACK_BYTES;)
        if (s.ptr[at] == root.ptr[0] && stands_at(s, at, root) &&
            (at == 0 || !is_name_char(s.ptr[at - 1])) && s.ptr + at != root.ptr &&
            take_occurrence(t, at, root.len, callers, count))
            return true;
    return false;
}

/* ---- fields -------------------------------------------------------------------------------- */

/* The path from `at` on, without the name that begins there. */
static void keep_rest(struct trail *t, size_t at)
{
    while (at < t->len && is_name_char(t->path[at]))
        at++;
    if (at < t->len && t->path[at] == '.')
        at++;
    memmove(t->path, t->path + at, t->len - at);
    t->len -= at;
}

/* ".name = value" in the text, where the value is an answer's. */
static bool field_given(struct trail *t, struct str text, struct str name)
{
    for (size_t at = 1; at + name.len + 1 < text.len; at++) {
        const char *found = memchr(text.ptr + at, name.ptr[0], text.len - at);
        if (!found)
            return false;
        at = (size_t)(found - text.ptr);
        if (text.ptr[at - 1] != '.' || !stands_at(text, at, name))
            continue;
        size_t after = past_blank(text, at + name.len);
        if (after + 1 >= text.len || text.ptr[after] != '=' || text.ptr[after + 1] == '=' ||
            text.ptr[after + 1] == '>')
            continue;
        struct trail was = *t;
        t->place = (struct place){ text, after };
        if (take_assigned(t, after + 1) && t->of_answer)
            return true;
        /* rows = await load(); this.rows = rows */
        struct place none = { 0 };
        if (t->root.len > 0 && mgi_trail_step(t, &none, 0) && t->of_answer)
            return true;
        *t = was;
    }
    return false;
}

bool mgi_trail_field(struct trail *t, struct str text)
{
    size_t starts[16], count = 0;
    for (size_t i = 0; i < t->len && count < 16; i++)
        if (is_name_char(t->path[i]) && (i == 0 || !is_name_char(t->path[i - 1])))
            starts[count++] = i;
    while (count-- > 0) {
        struct trail tried = *t;
        struct str name = name_at((struct str){ t->path, t->len }, starts[count]);
        keep_rest(&tried, starts[count]);
        if (name.len > 2 && field_given(&tried, text, name)) {
            *t = tried;
            return true;
        }
    }
    return false;
}

int64_t mgi_place_line(const struct place *place)
{
    int64_t line = 1;
    for (size_t i = 0; i < place->at && i < place->text.len; i++)
        line += place->text.ptr[i] == '\n';
    return line;
}
