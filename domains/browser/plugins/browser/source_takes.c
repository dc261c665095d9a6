/* Takes: from the call that asked to what is read of its answer. First the answer itself is found
 * (fetch, its json(), what a wrapper returns to its caller), then each name that holds it or a part
 * of it is looked for in the code where it is known. Names wait in a list; nothing recurses. */
#include "source_takes.h"
#include "source_forms.h"

#define HELD_MOST    40
#define SETTLE_STEPS 16
#define FOLLOW_STEPS 12
/* Of one name, and of all names of one answer. */
#define SEEN_MOST  80
#define SCAN_BYTES (1024u * 1024)

/* A name that holds a part of the answer, and where that is so. */
struct held {
    struct str text, name;
    size_t from, to;
    char path[TRAIL_BYTES];
    size_t len;
};

struct path {
    char text[TRAIL_BYTES];
    size_t len;
};

/* An expression whose value is an answer, or the part of it at `base`: the Response of fetch, or
 * what was in it. */
struct value {
    size_t start, end;
    bool response;
    struct path base;
};

enum settled { NOT_FOUND, IS_BOUND, IS_RETURNED };

struct follow {
    const char *home; /* the text that the call is in */
    struct str text;  /* the one that is looked at */
    const struct str *texts;
    size_t text_count;
    struct takes *out;
    struct held held[HELD_MOST];
    size_t count, scanned;
    size_t from, to; /* the rest of the function that asked */
    bool looked;     /* a function that reads the answer looks at it first */
    bool by_type;    /* at its type */
    bool returned;   /* what the function gives its caller is the part of the answer at `base` */
    struct path base;
    size_t asked;      /* the call that is followed */
    bool called;       /* the part at `given` is argument `item` of the caller's own function, */
    size_t item, back; /* which the function that asked has as its parameter `back` */
    struct path given;
};

/* ---- paths, takes --------------------------------------------------------------------------- */

/* An object that a function made around the answer, { data, status }: its path is WRAPPED and the
 * name of the member in which the answer is. Nothing else of it is of the answer. */
#define WRAPPED '\1'

static bool is_wrapped(const struct path *p)
{
    return p->len > 0 && p->text[0] == WRAPPED;
}

static bool path_add(struct path *p, struct str part)
{
    if (is_wrapped(p)) {
        bool same = str_eq((struct str){ p->text + 1, p->len - 1 }, part);
        p->len = same ? 0 : p->len;
        return same;
    }
    bool dot = p->len > 0 && part.len > 0 && part.ptr[0] != '[';
    if (part.len == 0 || p->len + part.len + dot >= sizeof p->text)
        return false;
    if (dot)
        p->text[p->len++] = '.';
    memcpy(p->text + p->len, part.ptr, part.len);
    p->len += part.len;
    return true;
}

static struct take *known_take(struct takes *out, const struct path *p, enum take_how how)
{
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].len == p->len && out->items[i].how == how &&
            memcmp(out->items[i].path, p->text, p->len) == 0)
            return &out->items[i];
    return NULL;
}

/* What is read in several places is told of the first, but of one without a guard if there is one.
 */
static void note_read(struct follow *f, const struct path *p, size_t at, bool guarded)
{
    struct takes *out = f->out;
    if (p->len == 0 || is_wrapped(p))
        return;
    struct take *t = known_take(out, p, TAKE_READ);
    if (t && (guarded || !t->guarded))
        return;
    if (!t && out->count == TAKES_MOST)
        return;
    t = t ? t : &out->items[out->count++];
    *t = (struct take){ .place = { f->text, at }, .guarded = guarded, .len = p->len };
    memcpy(t->path, p->text, p->len);
}

static void note_take(struct follow *f, const struct path *p, size_t at, enum take_how how)
{
    struct takes *out = f->out;
    if (is_wrapped(p) || known_take(out, p, how))
        return;
    if (out->count == TAKES_MOST)
        return;
    struct take *t = &out->items[out->count++];
    *t = (struct take){ .place = { f->text, at }, .how = how };
    memcpy(t->path, p->text, p->len);
    t->len = p->len;
}

/* ---- names ---------------------------------------------------------------------------------- */

static void hold(struct follow *f, struct str name, const struct path *p, size_t from, size_t to)
{
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->held[i].name, name) && f->held[i].from == from &&
            f->held[i].text.ptr == f->text.ptr)
            return;
    if (f->count == HELD_MOST || name.len == 0 || from >= to)
        return;
    struct held *h = &f->held[f->count++];
    *h = (struct held){ .text = f->text, .name = name, .from = from, .to = to, .len = p->len };
    memcpy(h->path, p->text, p->len);
}

/* { a, b: c, d = 1 } at `at`: a member of the answer each. */
static void hold_members(struct follow *f, size_t at, const struct path *p, size_t from, size_t to)
{
    struct str s = f->text;
    for (size_t number = 0; number < 20; number++) {
        size_t item = mgi_form_item(s, at + 1, number);
        struct str key = item == SIZE_MAX ? STR_LIT("") : name_at(s, item);
        if (item == SIZE_MAX)
            return;
        if (key.len == 0)
            continue;
        struct path member = *p;
        size_t after = past_blank(s, item + key.len);
        if (!path_add(&member, key))
            continue;
        note_read(f, &member, item, after < s.len && s.ptr[after] == '=');
        struct str name =
            after < s.len && s.ptr[after] == ':' ? name_at(s, past_blank(s, after + 1)) : key;
        hold(f, name, &member, from, to);
    }
}

/* A name or a pattern at `at`, that holds the path in the code from `from` to `to`. */
static void hold_pattern(struct follow *f, size_t at, const struct path *p, size_t from, size_t to)
{
    struct str s = f->text;
    if (at >= s.len)
        return;
    if (s.ptr[at] == '{')
        hold_members(f, at, p, from, to);
    else if (s.ptr[at] != '[')
        hold(f, name_at(s, at), p, from, to);
}

static void hold_parameter(struct follow *f, const struct form_function *fn, size_t number,
                           const struct path *p)
{
    struct str here = f->text;
    size_t at = mgi_form_item(fn->text, fn->params, number);
    f->text = fn->text;
    if (at != SIZE_MAX)
        hold_pattern(f, at, p, fn->body, fn->end);
    f->text = here;
}

/* In the script itself, else in the first of the others that has one of that name. */
static bool function_named(const struct follow *f, struct str name, struct form_function *fn)
{
    if (name.len < 3 || mgi_form_function_named(f->text, name, fn))
        return name.len >= 3;
    for (size_t i = 0; i < f->text_count; i++)
        if (mgi_form_function_named(f->texts[i], name, fn))
            return true;
    return false;
}

/* The function at an argument: written there, or by its name. */
static bool function_of(const struct follow *f, size_t at, struct form_function *fn)
{
    struct str s = f->text, name = at < s.len ? name_at(s, at) : STR_LIT("");
    size_t after = past_blank(s, at + name.len);
    if (mgi_form_function_at(s, at, fn))
        return true;
    return after < s.len && (s.ptr[after] == ')' || s.ptr[after] == ',') &&
           function_named(f, name, fn);
}

/* ---- what stands around a value -------------------------------------------------------------- */

/* Where what stands before "= value" begins: a name with its members, or a pattern. SIZE_MAX:
 * nothing does. */
static size_t target_before(struct str s, size_t start)
{
    size_t eq = back_blank(s, start);
    if (eq == 0 || s.ptr[eq - 1] != '=' || (eq > 1 && strchr("=!<>+-*", s.ptr[eq - 2])))
        return SIZE_MAX;
    size_t end = back_blank(s, eq - 1), at = end;
    if (end > 0 && (s.ptr[end - 1] == '}' || s.ptr[end - 1] == ']')) {
        size_t open, number;
        return mgi_form_list_around(s, end - 1, &open, &number) ? open : SIZE_MAX;
    }
    while (at > 0 && (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.'))
        at--;
    return at < end ? at : SIZE_MAX;
}

static bool is_declared(struct str s, size_t at)
{
    return mgi_form_word_before(s, at, "const") || mgi_form_word_before(s, at, "let") ||
           mgi_form_word_before(s, at, "var");
}

/* The value behind "target =": a declared name is known in its block, another one wherever the
 * script goes. */
static void hold_target(struct follow *f, size_t target, const struct path *p, size_t end)
{
    struct str s = f->text;
    size_t stop = target;
    if (s.ptr[target] == '{' || s.ptr[target] == '[' || is_declared(s, target)) {
        hold_pattern(f, target, p, end, mgi_form_block_end(s, end));
        return;
    }
    while (stop < s.len && (is_name_char(s.ptr[stop]) || s.ptr[stop] == '.'))
        stop++;
    hold(f, (struct str){ s.ptr + target, stop - target }, p, 0, s.len);
}

static bool is_plain_call(struct str name)
{
    static const char words[] =
        " if while for switch String Number Boolean isArray parseInt parseFloat "
        "isNaN Date encodeURIComponent ";
    size_t at = mgi_str_find(str_of(words), name);
    return name.len == 0 ||
           (at != SIZE_MAX && at > 0 && words[at - 1] == ' ' && words[at + name.len] == ' ');
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static bool has_any(struct str s, const char *const *words)
{
    for (; *words; words++)
        if (mgi_str_find(s, str_of(*words)) != SIZE_MAX)
            return true;
    return false;
}

/* What an expression gives by its form; TAKE_SAME: nobody knows. */
static enum take_how kind_of_expression(struct str e)
{
    static const char *const texts[] = { ".value",    "dataset.",      "getItem(",  "arams.get(",
                                         "location.", "getAttribute(", ".slice(1)", NULL };
    static const char *const numbers[] = { "Number(", "parseInt(", "parseFloat(", ".length", NULL };
    e = mgi_str_trim(e, " \t\r\n");
    if (e.len == 0 || has_any(e, numbers))
        return e.len > 0 && e.ptr[e.len - 1] == ')' ? TAKE_SAME_NUMBER : TAKE_SAME;
    if (strchr("\"'`", e.ptr[0]) || mgi_str_starts(e, STR_LIT("String(")))
        return TAKE_SAME_TEXT;
    if (e.ptr[0] >= '0' && e.ptr[0] <= '9')
        return TAKE_SAME_NUMBER;
    return has_any(e, texts) && mgi_str_find(e, STR_LIT("+")) == SIZE_MAX ? TAKE_SAME_TEXT
                                                                          : TAKE_SAME;
}

/* From `at` to where an operand ends, forward or back. */
static struct str operand(struct str s, size_t at, bool ahead)
{
    int depth = 0;
    size_t from = at;
    while (ahead ? at < s.len && at - from < 120 : at > 0 && from - at < 120) {
        char c = s.ptr[ahead ? at : at - 1];
        bool opens = strchr("([{", c), closes = strchr(")]}", c);
        if (depth == 0 && ((ahead ? closes : opens) || strchr(";,?:&|\n=>", c)))
            break;
        depth += (ahead ? opens : closes) - (ahead ? closes : opens);
        at = ahead ? at + 1 : at - 1;
    }
    return ahead ? (struct str){ s.ptr + from, at - from } : (struct str){ s.ptr + at, from - at };
}

/* Of a name what it was given last before `at`. */
static enum take_how kind_of_operand(struct str s, struct str e, size_t before)
{
    e = mgi_str_trim(e, " \t\r\n");
    enum take_how kind = kind_of_expression(e);
    if (kind != TAKE_SAME || e.len == 0 || name_at(e, 0).len != e.len)
        return kind;
    for (size_t at = before; at-- > 0 && before - at < 3000;) {
        size_t after = at + e.len;
        if (s.ptr[at] != e.ptr[0] || !stands_at(s, at, e) ||
            (at > 0 && (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.')))
            continue;
        after = past_blank(s, after);
        if (after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '=' &&
            s.ptr[after + 1] != '>')
            return kind_of_expression(operand(s, past_blank(s, after + 1), true));
    }
    return TAKE_SAME;
}

static void note_comparison(struct follow *f, const struct path *p, size_t start, size_t end)
{
    struct str s = f->text, other;
    size_t before = back_blank(s, start), after = past_blank(s, end);
    if (stands_at(s, after, STR_LIT("===")) || stands_at(s, after, STR_LIT("!==")))
        other = operand(s, past_blank(s, after + 3), true);
    else if (before > 3 && memcmp(s.ptr + before - 2, "==", 2) == 0 &&
             strchr("=!", s.ptr[before - 3]))
        other = operand(s, before - 3, false);
    else
        return;
    bool word = stands_at(other, 0, STR_LIT("null")) || stands_at(other, 0, STR_LIT("undefined"));
    if (!word && !mgi_form_word_before(s, start, "typeof") &&
        mgi_str_find(other, STR_LIT("typeof")) == SIZE_MAX)
        note_take(f, p, start, kind_of_operand(s, other, start));
}

/* sum + value, sum += value, value + other. */
static void note_sum(struct follow *f, const struct path *p, size_t start, size_t end)
{
    struct str s = f->text, other = STR_LIT("");
    size_t before = back_blank(s, start), after = past_blank(s, end);
    bool adds = before > 1 && s.ptr[before - 1] == '=' && s.ptr[before - 2] == '+';
    if (after + 1 < s.len && s.ptr[after] == '+' && s.ptr[after + 1] != '+')
        other = operand(s, past_blank(s, after + 1), true);
    else if (before > 1 && s.ptr[before - 1] == '+' && s.ptr[before - 2] != '+')
        other = operand(s, before - 1, false);
    else if (!adds)
        return;
    static const char *const quotes[] = { "\"", "'", "`", NULL };
    if (!has_any(other, quotes))
        note_take(f, p, start, TAKE_ADDED);
}

/* new Date(value), value * 2: what it has to be. */
static void note_use(struct follow *f, const struct path *p, size_t start, size_t end)
{
    struct str s = f->text;
    size_t before = back_blank(s, start), after = past_blank(s, end);
    char ahead = after < s.len ? s.ptr[after] : ' ', back = before > 0 ? s.ptr[before - 1] : ' ';
    size_t word = back == '(' ? before - 1 : 0;
    if (word > 0 && mgi_form_word_before(s, word, "Date"))
        note_take(f, p, start, TAKE_AS_DATE);
    if ((word > 0 &&
         (mgi_form_word_before(s, word, "Number") || mgi_form_word_before(s, word, "parseFloat") ||
          mgi_form_word_before(s, word, "parseInt"))) ||
        (strchr("*/", ahead) && (after + 1 >= s.len || !strchr("/*", s.ptr[after + 1]))) ||
        (strchr("*/", back) && back != ' '))
        note_take(f, p, start, TAKE_AS_NUMBER);
}

static size_t parameter_named(const struct form_function *fn, struct str name)
{
    for (size_t i = 0; i < 8; i++) {
        size_t at = mgi_form_item(fn->text, fn->params, i);
        if (at == SIZE_MAX)
            break;
        if (str_eq(name_at(fn->text, at), name))
            return i;
    }
    return SIZE_MAX;
}

/* A parameter of the function that asked, or of one around it: function get(url, done) { ... }. */
#define PARAMETERS_BACK 3000
static size_t own_parameter(const struct follow *f, struct str name)
{
    struct str s = f->text;
    struct form_function fn;
    for (size_t at = f->asked; s.ptr == f->home && at > 0 && f->asked - at < PARAMETERS_BACK; at--)
        if (s.ptr[at - 1] == '(' && mgi_form_function_at(s, at - 1, &fn) && fn.body < f->asked &&
            f->asked < fn.end) {
            size_t number = parameter_named(&fn, name);
            if (number != SIZE_MAX)
                return number;
        }
    return SIZE_MAX;
}

/* done(value): the caller's own function gets it. */
static bool calls_back(struct follow *f, const struct path *p, struct str name, size_t number)
{
    size_t back = own_parameter(f, name);
    if (back == SIZE_MAX || name.len == 0)
        return false;
    f->called = true;
    f->item = number;
    f->back = back;
    f->given = *p;
    return true;
}

/* The value is an argument: of a function of this script, or of one that is not known. */
static void give_argument(struct follow *f, const struct path *p, size_t start)
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
    if (s.ptr[open] != '(' || is_plain_call(name)) {
        if (s.ptr[open] != '(')
            note_take(f, p, start, TAKE_HANDED_ON);
    } else if ((from == 0 || s.ptr[from - 1] != '.') && !f->called &&
               calls_back(f, p, name, number)) {
        return;
    } else if ((from == 0 || s.ptr[from - 1] != '.' || mgi_form_word_before(s, from - 1, "this")) &&
               function_named(f, name, &fn)) {
        hold_parameter(f, &fn, number, p);
    } else {
        note_take(f, p, start, TAKE_HANDED_ON);
    }
}

/* "return value", "=> value". */
static bool is_given_back(struct str s, size_t start)
{
    size_t before = back_blank(s, start);
    return mgi_form_word_before(s, start, "return") ||
           (before > 1 && s.ptr[before - 1] == '>' && s.ptr[before - 2] == '=');
}

/* Where the whole begins that the value is one end of: "a ? null : value", "value || []" behind
 * another. */
static size_t whole_start(struct str s, size_t start)
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
    size_t whole = whole_start(s, before - 1);
    return whole < before - 1 && is_given_back(s, whole);
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
    if (!is_given_back(s, open) && !(outside < back_blank(s, open) && is_given_back(s, outside)))
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
           target = target_before(s, start);
    note_use(f, p, start, end);
    note_comparison(f, p, start, end);
    note_sum(f, p, start, end);
    struct path whole;
    if (is_wrapped_up(f, p, start, end, &whole)) {
        f->returned = true;
        f->base = whole;
    } else if (target != SIZE_MAX) {
        hold_target(f, target, p, end);
    } else if (mgi_form_word_before(s, start, "of")) {
        struct path each = *p;
        size_t name_end = back_blank(s, before - 2), at = name_end;
        while (at > 0 && (is_name_char(s.ptr[at - 1]) || strchr("{}, :", s.ptr[at - 1])) &&
               !is_declared(s, at))
            at--;
        if (path_add(&each, STR_LIT("[]"))) {
            note_take(f, &each, start, TAKE_READ);
            hold_pattern(f, past_blank(s, at), &each, after + 1, mgi_form_block_end(s, after + 1));
        }
    } else if ((mgi_form_word_before(s, start, "return") || is_end_of_given(s, start)) &&
               !f->returned && f->from <= start && start < f->to && s.ptr == f->home) {
        f->returned = true;
        f->base = *p;
    } else if (mgi_form_word_before(s, start, "return") ||
               (before > 2 && s.ptr[before - 1] == '.')) {
        note_take(f, p, start, TAKE_HANDED_ON);
    } else if (before > 0 &&
               (s.ptr[before - 1] == '(' || s.ptr[before - 1] == ',' || s.ptr[before - 1] == '[') &&
               after < s.len &&
               (s.ptr[after] == ')' || s.ptr[after] == ',' || s.ptr[after] == ']')) {
        give_argument(f, p, start);
    } else if (before > 0 &&
               (s.ptr[before - 1] == ':' ||
                (s.ptr[before - 1] == '{' && (before == 1 || s.ptr[before - 2] != '$')))) {
        if (!is_also_given_alone(s, start, end))
            note_take(f, p, start, TAKE_HANDED_ON);
    }
}

/* ---- members of a value ------------------------------------------------------------------------
 */

static bool is_one_of(struct str name, const char *const *words)
{
    for (; *words; words++)
        if (str_is(name, *words))
            return true;
    return false;
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
    bool walk = is_one_of(method, walks), reduces = str_is(method, "reduce");
    if (close == SIZE_MAX || !path_add(&each, STR_LIT("[]")))
        return false;
    if (walk || reduces) {
        note_take(f, &each, open, TAKE_READ);
        if (function_of(f, argument, &fn)) {
            hold_parameter(f, &fn, reduces ? 1 : 0, &each);
            if (str_is(method, "sort"))
                hold_parameter(f, &fn, 1, &each);
        } else {
            note_take(f, &each, open, TAKE_HANDED_ON);
        }
    }
    *end = close;
    if (is_one_of(method, picks))
        *p = each;
    return is_one_of(method, keeps) || is_one_of(method, picks);
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
        return close != SIZE_MAX && path_add(p, STR_LIT("[]"));
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
    if (*ends || !path_add(p, name))
        return false;
    note_read(f, p, at + 1, is_guarded(s, start, after));
    *end = after;
    return true;
}

/* The value from `start` to `end` stands at the path: its members, then what it is used for. */
static void follow_value(struct follow *f, struct path p, size_t start, size_t end)
{
    bool ends = false;
    for (int i = 0; i < FOLLOW_STEPS && !ends; i++)
        if (!follow_member(f, &p, start, &end, &ends))
            break;
    if (!ends && end != SIZE_MAX)
        place_value(f, &p, start, end);
}

static bool is_the_name(struct str s, size_t at, struct str name)
{
    if (!stands_at(s, at, name) || (at > 0 && is_name_char(s.ptr[at - 1])))
        return false;
    bool spread = at > 2 && s.ptr[at - 1] == '.' && s.ptr[at - 2] == '.';
    size_t after = past_blank(s, at + name.len), before = back_blank(s, at);
    bool key =
        after < s.len && s.ptr[after] == ':' && before > 0 && strchr("{,", s.ptr[before - 1]);
    bool given = after + 1 < s.len && s.ptr[after] == '=' && s.ptr[after + 1] != '=';
    return !key && !given && (at == 0 || s.ptr[at - 1] != '.' || spread);
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
        if (at >= to || !is_the_name(s, at, h->name))
            continue;
        seen++;
        follow_value(f, p, at, at + h->name.len);
    }
}

static void follow_all(struct follow *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct held h = f->held[i];
        f->text = h.text;
        follow_held(f, &h);
    }
}

/* ---- the answer
 * ---------------------------------------------------------------------------------- */

/* Where "name.json()" stands in a stretch of the text: the last, for errors are dealt with first.
 */
static bool find_json(struct str s, struct str name, size_t from, size_t to, struct value *v)
{
    bool found = false;
    for (size_t at = from; name.len > 0 && at + name.len < to; at++) {
        if (!is_the_name(s, at, name) || !stands_at(s, at + name.len, STR_LIT(".json")))
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
        if (close == SIZE_MAX || !is_the_name(s, past_blank(s, open + 1), name))
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
        if (!is_the_name(s, at, name) || !stands_at(s, at + name.len, STR_LIT(".text")))
            continue;
        size_t close = mgi_form_close(s, at + name.len + strlen(".text")), start = at;
        if (close == SIZE_MAX)
            return false;
        if (mgi_form_word_before(s, start, "await"))
            start = back_blank(s, start) - strlen("await");
        size_t target = target_before(s, start), open = back_blank(s, start);
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
        if (!path_add(&p, name))
            return false;
        break;
    }
    if (s.ptr[item] != '{' && !str_eq(name_at(s, item), name))
        return false;
    while (at + 1 < fn->end && s.ptr[at] == '.') {
        struct str member = name_at(s, at + 1);
        if (!path_add(&p, member))
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
    if (!function_of(f, past_blank(s, open + 1), &fn)) {
        v->end = v->response ? close : v->end; /* a check that hands the Response on */
        return v->response;
    }
    if (!v->response && picks_member(&fn, &v->base)) {
        v->end = close;
        return true;
    }
    if (!v->response) {
        hold_parameter(f, &fn, 0, &v->base);
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
    if (!given || target_before(s, start) != SIZE_MAX)
        *v = json;
    v->response = false;
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
    size_t start = whole_start(s, before - 1);
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
        note_take(f, &v->base, v->start, TAKE_HANDED_ON);
        return true;
    }
    size_t start = mgi_chain_start(s, call - 1), target, item;
    if (mgi_form_word_before(s, start, "await"))
        start = back_blank(s, start) - strlen("await");
    target = target_before(s, start);
    if (target != SIZE_MAX && s.ptr[target] == '[') {
        item = mgi_form_item(s, target + 1, number);
        if (item != SIZE_MAX)
            hold_pattern(f, item, &v->base, close, mgi_form_block_end(s, close));
        return item != SIZE_MAX;
    }
    if (!stands_at(s, close, STR_LIT(".then")) ||
        !function_of(f, past_blank(s, close + strlen(".then(")), &fn))
        return false;
    item = mgi_form_item(s, fn.params, 0);
    if (item == SIZE_MAX || s.ptr[item] != '[' ||
        (item = mgi_form_item(s, item + 1, number)) == SIZE_MAX)
        return false;
    hold_pattern(f, item, &v->base, fn.body, fn.end);
    return true;
}

/* Is what is between the question and the reading of its answer a look at whether there is JSON? */
static bool looks_first(struct str s, size_t from, size_t to)
{
    static const char *const words[] = { "204",    "ontent-", "ontentType", "redirected",
                                         ".catch", ".text()", NULL };
    struct str between = { s.ptr + from, (to < s.len ? to : s.len) - from };
    for (size_t i = 0; from < to && words[i]; i++)
        if (mgi_str_find(between, str_of(words[i])) != SIZE_MAX)
            return true;
    return false;
}

static bool looks_at_type(struct str s, size_t from, size_t to)
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
    if (close == SIZE_MAX || is_plain_call(name) || mgi_form_word_before(s, from, "new") ||
        !function_named(f, name, &fn))
        return false;
    size_t parameter = mgi_form_item(fn.text, fn.params, number);
    struct value json = *v;
    if (parameter == SIZE_MAX ||
        !find_json(fn.text, name_at(fn.text, parameter), fn.body, fn.end, &json))
        return false;
    f->looked = looks_first(fn.text, fn.body, fn.end);
    f->by_type = looks_at_type(fn.text, fn.body, fn.end);
    v->start = mgi_chain_start(s, from);
    v->end = close;
    v->response = false;
    return true;
}

/* A Response under a name: where its json() is read, that is the value. */
static bool settle_response(struct follow *f, struct value *v)
{
    struct str s = f->text;
    size_t target = target_before(s, v->start);
    if (target == SIZE_MAX || s.ptr[target] == '{' || s.ptr[target] == '[')
        return false;
    struct str name = name_at(s, target);
    size_t to = mgi_form_block_end(s, v->end);
    if (find_json(s, name, v->end, to, v) || find_text(s, name, v->end, to, v))
        return true;
    for (size_t at = v->end; name.len > 0 && at + name.len < to; at++)
        if (is_the_name(s, at, name) && reads_for_it(f, at, v))
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

static enum settled settle(struct follow *f, struct value *v)
{
    enum settled how = NOT_FOUND;
    for (int i = 0; i < SETTLE_STEPS; i++) {
        if (settle_behind(f, v, &how) || settle_around(f->text, v) || settle_choice(f->text, v))
            continue;
        if (how != NOT_FOUND || v->end == SIZE_MAX)
            return how;
        if (is_given_back(f->text, v->start) && (v->response || !goes_on(f->text, v->end)))
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
        follow_value(f, v->base, v->start, v->end);
    return IS_BOUND;
}

/* The call at a place, from the beginning of its chain to behind its arguments. */
static bool call_at(const struct place *place, struct value *v)
{
    struct str s = place->text, name = place->at < s.len ? name_at(s, place->at) : STR_LIT("");
    size_t open = past_blank(s, place->at + name.len);
    if (name.len == 0 || open >= s.len || s.ptr[open] != '(')
        return false;
    v->start = mgi_chain_start(s, place->at);
    v->end = mgi_form_close(s, open);
    return v->end != SIZE_MAX;
}

/* JSON.parse(request.responseText), near the line that sends. */
static bool parsed_near(const struct place *place, struct value *v)
{
    struct str s = place->text;
    size_t from = place->at > 2000 ? place->at - 2000 : 0,
           to = place->at + 2000 < s.len ? place->at + 2000 : s.len;
    for (size_t at = from; at + 20 < to; at++) {
        if (!stands_at(s, at, STR_LIT("JSON.parse")))
            continue;
        size_t open = at + strlen("JSON.parse"), close = mgi_form_close(s, open);
        struct str in = { s.ptr + open, (close < to ? close : to) - open };
        v->start = at;
        v->end = close;
        v->response = false;
        return close != SIZE_MAX && mgi_contains(in, "respon");
    }
    return false;
}

static enum settled settle_call(struct follow *f, const struct call_site *call, bool sends,
                                struct value *v)
{
    bool response = v->response;
    if (sends ? !parsed_near(&call->place, v) : !call_at(&call->place, v))
        return NOT_FOUND;
    size_t asked = v->end;
    f->asked = call->place.at;
    f->from = v->start;
    f->to = mgi_form_block_end(f->text, v->end);
    enum settled how = settle(f, v);
    if (response && !v->response) {
        size_t to = v->end == SIZE_MAX ? f->to : v->end + 8;
        f->out->json = true;
        f->out->json_guarded = sends || f->looked || looks_first(f->text, asked, to);
        f->out->json_by_type = f->by_type || looks_at_type(f->text, asked, to);
    }
    follow_all(f);
    if (!f->returned)
        return how;
    v->base = f->base;
    return IS_RETURNED;
}

/* get(url, function (data) {...}): the function gets what the one below handed to its parameter. */
static void take_called_back(struct follow *f, const struct call_site *call,
                             const struct follow *below)
{
    struct value v = { .response = false };
    struct form_function fn;
    if (!call_at(&call->place, &v))
        return;
    struct str s = f->text;
    size_t open = past_blank(s, call->place.at + name_at(s, call->place.at).len);
    size_t at = mgi_form_item(s, open + 1, below->back);
    if (at == SIZE_MAX || !function_of(f, at, &fn))
        return;
    f->asked = call->place.at;
    f->from = v.start;
    f->to = mgi_form_block_end(s, v.end);
    hold_parameter(f, &fn, below->item, &below->given);
    follow_all(f);
}

void mgi_source_takes(const struct call_site *calls, size_t count, const struct str *texts,
                      size_t text_count, struct takes *out)
{
    struct value v = { .response = true };
    *out = (struct takes){ .count = 0 };
    bool sends = count > 0 && !stands_at(calls[0].place.text, calls[0].place.at, STR_LIT("fetch"));
    for (size_t i = 0; i < count; i++) {
        struct follow f = { .home = calls[i].place.text.ptr,
                            .text = calls[i].place.text,
                            .texts = texts,
                            .text_count = text_count,
                            .out = out };
        if (i > 0 && calls[i].same)
            continue;
        if (settle_call(&f, &calls[i], sends && i == 0, &v) == IS_RETURNED)
            continue;
        for (i++; f.called && i < count; i++) {
            struct follow next = { .home = calls[i].place.text.ptr,
                                   .text = calls[i].place.text,
                                   .texts = texts,
                                   .text_count = text_count,
                                   .out = out };
            if (calls[i].same)
                continue;
            take_called_back(&next, &calls[i], &f);
            f = next;
        }
        return;
    }
}

/* ---- what stands in for an answer
 * ------------------------------------------------------------------ */

/* An object's members: is any of them more than an empty one? */
static enum stand_in kind_of_members(struct str s, size_t at, size_t end)
{
    for (; at < end; at++) {
        size_t value = past_blank(s, at + 1);
        bool given = s.ptr[at] == ':' && value < end && !strchr("[{", s.ptr[value]);
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
    return is_one_of(name_at(s, at), nothing) ? STAND_IN_NOTHING : STAND_IN_VALUE;
}

/* What a handler of errors gives: it throws again, returns something, sets something, or does
 * neither. */
static enum stand_in kind_of_handler(struct str s, size_t from, size_t to)
{
    enum stand_in kind = STAND_IN_NOTHING;
    for (size_t at = from; at < to && at < s.len; at++) {
        bool begins = at == 0 || !is_name_char(s.ptr[at - 1]);
        if (begins && stands_at(s, at, STR_LIT("throw")))
            return STAND_IN_NONE;
        if (begins && stands_at(s, at, STR_LIT("return")))
            kind = kind_of_stand_in(s, at + strlen("return"));
        else if (kind == STAND_IN_NOTHING && s.ptr[at] == '=' && at + 1 < to &&
                 !strchr("=>", s.ptr[at + 1]) && !strchr("=!<>", s.ptr[at - 1]))
            kind = kind_of_stand_in(s, at + 1);
    }
    return kind;
}

static bool caught_behind(struct str s, size_t end, enum stand_in *kind)
{
    struct form_function fn;
    for (int i = 0; i < 6; i++) {
        size_t at = past_blank(s, end);
        struct str name = at + 1 < s.len && s.ptr[at] == '.' ? name_at(s, at + 1) : STR_LIT("");
        size_t open = at + 1 + name.len;
        if (name.len == 0 || open >= s.len || s.ptr[open] != '(')
            return false;
        if (str_is(name, "catch")) {
            if (!mgi_form_function_at(s, past_blank(s, open + 1), &fn))
                return false;
            *kind = s.ptr[fn.body] == '{' ? kind_of_handler(s, fn.body, fn.end)
                                          : kind_of_stand_in(s, fn.body);
            return true;
        }
        end = mgi_form_close(s, open);
        if (end == SIZE_MAX)
            return false;
    }
    return false;
}

static enum stand_in caught_around(struct str s, size_t at)
{
    size_t open, number;
    for (int i = 0; i < 5 && mgi_form_list_around(s, at, &open, &number); i++) {
        size_t close = s.ptr[open] == '{' && mgi_form_word_before(s, open, "try")
                           ? mgi_form_close(s, open)
                           : SIZE_MAX;
        size_t word = close == SIZE_MAX ? s.len : past_blank(s, close);
        if (stands_at(s, word, STR_LIT("catch"))) {
            size_t body = word;
            while (body < s.len && s.ptr[body] != '{')
                body++;
            size_t end = mgi_form_close(s, body);
            return end == SIZE_MAX ? STAND_IN_NONE : kind_of_handler(s, body, end);
        }
        at = open;
    }
    return STAND_IN_NONE;
}

enum stand_in mgi_source_stand_in(const struct place *call)
{
    struct value v = { .response = true };
    enum stand_in kind = STAND_IN_NONE;
    if (!call_at(call, &v))
        return STAND_IN_NONE;
    return caught_behind(call->text, v.end, &kind) ? kind : caught_around(call->text, v.start);
}

bool mgi_source_call_has(const struct place *call, struct str part)
{
    struct value v = { .response = true };
    return call_at(call, &v) &&
           mgi_str_find((struct str){ call->text.ptr + v.start, v.end - v.start }, part) !=
               SIZE_MAX;
}

/* ---- fields that code makes itself
 * --------------------------------------------------------------- */

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
