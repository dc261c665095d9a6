/* What the scripts check of a form before they send it, where that is written as a table by the
 * names of its fields: { name: [...], phone: (v) => ... }, required: ['name', 'phone']; or as a
 * condition: !data.get('phone'), !/^\d{5}$/.test(v.zip), isZip(v.zip). Told is where it stands, a
 * name of which the form has no field, and a value that a user filled in and the pattern there
 * refuses. */
#include <regex.h>

#include "facts.h"
#include "source_forms.h"
#include "source_int.h"

#define FORMS_MOST    6
#define NAMES_MOST    60
#define KEYS_MOST     40
#define TABLE_BYTES   3000
#define VALUE_BYTES   400
#define PATTERN_BYTES 80
#define OTHERS_MOST   2 /* keys that are no fields: more, and it is a table of something else */
#define LOOKED_MOST   (4u * 1024 * 1024)
#define TOLD_MOST     8

struct form {
    struct fact_list *list;
    const struct code_text *code;
    struct str target, names[NAMES_MOST];
    bool empty[NAMES_MOST]; /* nothing was in that field */
    size_t count, told, looked;
};

struct key {
    struct str name, value;
    size_t at;
};

static bool has_field(const struct form *f, struct str name)
{
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->names[i], name))
            return true;
    return false;
}

/* Past a text in quotes, or a regular expression, that begins at `at`. */
static size_t past_quoted(struct str s, size_t at)
{
    char mark = s.ptr[at];
    bool in_class = false;
    for (size_t i = at + 1; i < s.len && i - at < TABLE_BYTES; i++) {
        if (s.ptr[i] == '\\')
            i++;
        else if (mark == '/' && (s.ptr[i] == '[' || s.ptr[i] == ']'))
            in_class = s.ptr[i] == '[';
        else if (s.ptr[i] == mark && !in_class)
            return i + 1;
    }
    return at + 1;
}

static bool begins_regexp(struct str s, size_t at)
{
    if (at + 1 >= s.len || s.ptr[at] != '/' || s.ptr[at + 1] == '/' || s.ptr[at + 1] == '*')
        return false;
    size_t before = back_blank(s, at);
    return (before > 0 && strchr("(,=:[!&|?{;>", s.ptr[before - 1])) ||
           mgi_form_word_before(s, at, "return");
}

/* Where the value that begins at `at` ends: before "," or a closing bracket. */
static size_t value_end(struct str s, size_t at)
{
    int depth = 0;
    for (size_t from = at; at < s.len && at - from < TABLE_BYTES;) {
        char c = s.ptr[at];
        if (strchr("\"'`", c) || begins_regexp(s, at)) {
            at = past_quoted(s, at);
            continue;
        }
        if (depth == 0 && (c == ',' || strchr(")]}", c)))
            return at;
        depth += strchr("([{", c) != NULL;
        depth -= strchr(")]}", c) != NULL;
        at++;
    }
    return s.len;
}

/* The key at `at`: name, 'name'. Where it ends, or `at` if there is none. */
static size_t key_at(struct str s, size_t at, struct str *name)
{
    bool quoted = at < s.len && (s.ptr[at] == '"' || s.ptr[at] == '\'');
    *name = name_at(s, at + quoted);
    size_t end = at + quoted + name->len;
    if (name->len == 0 || (quoted && (end >= s.len || s.ptr[end] != s.ptr[at])))
        return at;
    return end + quoted;
}

/* The members of the object whose bracket is at `open`; 0: it is none, or none of fields. */
static size_t read_table(const struct form *f, size_t open, struct key keys[KEYS_MOST])
{
    struct str s = f->code->text;
    size_t count = 0, fields = 0, at = past_blank(s, open + 1);
    while (count < KEYS_MOST && at < s.len && s.ptr[at] != '}' && at - open < TABLE_BYTES) {
        struct key *k = &keys[count];
        size_t end = key_at(s, at, &k->name), next = past_blank(s, end);
        if (end == at || next >= s.len || (s.ptr[next] != ':' && s.ptr[next] != '('))
            return 0;
        size_t from = past_blank(s, next + (s.ptr[next] == ':'));
        size_t to = value_end(s, from);
        if (s.ptr[next] == '(') /* a method: its body is behind its parameters */
            to = value_end(s, to);
        k->at = at;
        k->value = (struct str){ s.ptr + from, to - from < VALUE_BYTES ? to - from : VALUE_BYTES };
        fields += has_field(f, k->name);
        count++;
        if (count == OTHERS_MOST + 1 && fields == 0)
            return 0;
        at = to < s.len && s.ptr[to] == ',' ? past_blank(s, to + 1) : to;
    }
    bool own = fields > 1 || (fields == 1 && f->count < 4);
    return own && count - fields <= OTHERS_MOST ? count : 0;
}

/* Does it say how a value has to be? */
static bool is_check(struct str value)
{
    static const char *const calls[] = { "requir", "min",   "max",   "pattern", "valid",
                                         "match",  "z.",    "yup.",  "Joi.",    "is",
                                         "not",    "email", "oneOf", "check",   NULL };
    static const char *const members[] = { "required", "pattern",  "min",  "max",   "test",
                                           "check",    "validate", "rule", "match", NULL };
    if (value.len == 0)
        return false;
    if (value.ptr[0] == '/' || mgi_str_find(value, STR_LIT("=>")) != SIZE_MAX ||
        mgi_str_starts(value, STR_LIT("function")) || value.ptr[0] == '(')
        return true;
    struct str word = name_at(value, 0);
    bool called = word.len > 0 && word.len < value.len && strchr("(.", value.ptr[word.len]);
    for (size_t i = 0; called && calls[i]; i++)
        if (mgi_str_starts(value, str_of(calls[i])))
            return true;
    for (size_t i = 0; strchr("[{", value.ptr[0]) && members[i]; i++)
        if (mgi_contains(value, members[i]))
            return true;
    return value.ptr[0] == '[' && (mgi_str_find(value, STR_LIT("/")) != SIZE_MAX ||
                                   mgi_str_find(value, STR_LIT("(")) != SIZE_MAX);
}

/* A pattern of JavaScript as one of POSIX; false: it has what POSIX has not. */
static bool as_posix(struct str pattern, char *out, size_t room)
{
    size_t len = 0;
    static const struct {
        char letter;
        const char *alone, *within; /* of a class */
    } classes[] = { { 'd', "[0-9]", "0-9" },
                    { 'w', "[A-Za-z0-9_]", "A-Za-z0-9_" },
                    { 's', "[ \t]", " \t" } };
    bool in_class = false;
    for (size_t i = 0; i < pattern.len; i++) {
        char c = pattern.ptr[i], next = i + 1 < pattern.len ? pattern.ptr[i + 1] : '\0';
        char one[3] = { c, '\0', '\0' };
        const char *put = one;
        if (c == '\\') {
            put = NULL;
            for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
                if (classes[k].letter == next)
                    put = in_class ? classes[k].within : classes[k].alone;
            if (!put && (next == '\0' || is_name_char(next)))
                return false;
            one[0] = in_class ? next : '\\';
            one[1] = in_class ? '\0' : next;
            put = put ? put : one;
            i++;
        } else if (c == '(' && next == '?') {
            if (i + 2 >= pattern.len || pattern.ptr[i + 2] != ':')
                return false;
            i += 2;
        } else if (strchr("*+?}", c) && (next == '?' || next == '+') && !in_class) {
            return false;
        } else if (c == '{' && !in_class && next > '9') {
            return false;
        }
        in_class = c == '[' ? true : c == ']' ? false : in_class;
        size_t n = strlen(put);
        if (len + n + 1 > room)
            return false;
        memcpy(out + len, put, n);
        len += n;
    }
    out[len] = '\0';
    return true;
}

/* How often something may come: nothing that costs much is tried. */
static bool is_cheap(struct str pattern)
{
    size_t braces = 0, stars = 0;
    for (size_t i = 0; i < pattern.len; i++) {
        braces += pattern.ptr[i] == '{';
        stars += pattern.ptr[i] == '*' || pattern.ptr[i] == '+';
        size_t figures = i;
        while (figures < pattern.len && pattern.ptr[figures] >= '0' && pattern.ptr[figures] <= '9')
            figures++;
        if (figures - i > 2)
            return false;
    }
    return braces <= 3 && stars <= 4 && pattern.len < PATTERN_BYTES;
}

static bool refuses(struct str pattern, struct str flags, struct str value)
{
    char posix[PATTERN_BYTES * 8], text[80];
    regex_t re;
    bool whole = pattern.len > 2 && pattern.ptr[0] == '^' && pattern.ptr[pattern.len - 1] == '$';
    if (!whole || !is_cheap(pattern) || !as_posix(pattern, posix, sizeof posix) ||
        value.len >= sizeof text || memchr(value.ptr, '\0', value.len) ||
        regcomp(&re, posix,
                REG_EXTENDED | REG_NOSUB | (memchr(flags.ptr, 'i', flags.len) ? REG_ICASE : 0)) !=
            0)
        return false;
    memcpy(text, value.ptr, value.len);
    text[value.len] = '\0';
    int fits = regexec(&re, text, 0, NULL, 0);
    regfree(&re);
    return fits == REG_NOMATCH;
}

/* What a user had put into the field; ptr NULL: nobody knows what was in it. */
static struct str filled(const struct form *f, struct str name)
{
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->names[i], name) && f->empty[i])
            return STR_LIT("");
    const struct page_more *more = &f->list->capture->more;
    for (size_t i = more->deeds.count; i-- > 0;)
        if (str_is(more->deeds.items[i].what, "field") && str_eq(more->deeds.items[i].name, name))
            return more->deeds.items[i].text;
    return (struct str){ 0 };
}

/* Code that looks first whether there is anything lets an empty field go. */
static bool lets_empty_go(struct str check)
{
    static const char *const forms[] = { "!", "''", "\"\"", "``", "optional", NULL };
    for (size_t i = 0; forms[i]; i++)
        if (mgi_str_find(check, str_of(forms[i])) != SIZE_MAX)
            return true;
    return false;
}

static int64_t line_of(const struct form *f, size_t at)
{
    struct place place = { f->code->text, at };
    return mgi_place_line(&place);
}

static void tell_lacks(struct form *f, struct str name, size_t at)
{
    if (f->told++ < TOLD_MOST)
        mgi_fact(f->list, RANK_HIGH, "form_check_lacks", NO_TIME, 0, "sssn", f->target, name,
                 f->code->url, line_of(f, at));
}

static void tell_refused(struct form *f, const struct key *k)
{
    struct str value = filled(f, k->name);
    if (!value.ptr || (value.len == 0 && lets_empty_go(k->value)))
        return;
    for (size_t at = 0; at < k->value.len; at++) {
        size_t end = k->value.ptr[at] == '/' && (at == 0 || begins_regexp(k->value, at))
                         ? past_quoted(k->value, at)
                         : at + 1;
        if (end <= at + 2)
            continue;
        struct str pattern = { k->value.ptr + at + 1, end - at - 2 };
        if (refuses(pattern, name_at(k->value, end), value) && f->told++ < TOLD_MOST)
            mgi_fact(f->list, RANK_HIGH, "form_check_refuses", NO_TIME, 0, "sssssn", f->target,
                     k->name, value, pattern, f->code->url, line_of(f, k->at));
        at = end - 1;
    }
}

static size_t look_at_table(struct form *f, size_t open)
{
    struct key keys[KEYS_MOST];
    size_t count = read_table(f, open, keys), checks = 0;
    for (size_t i = 0; i < count; i++)
        checks += is_check(keys[i].value);
    if (checks == 0 || checks * 2 < count)
        return 0;
    if (f->told++ < TOLD_MOST)
        mgi_fact(f->list, RANK_HIGH, "form_checked", NO_TIME, 0, "ssn", f->target, f->code->url,
                 line_of(f, open));
    for (size_t i = 0; i < count; i++) {
        bool optional = mgi_contains(keys[i].value, "optional") ||
                        mgi_contains(keys[i].value, "required: false");
        if (!has_field(f, keys[i].name) && is_check(keys[i].value) && !optional)
            tell_lacks(f, keys[i].name, keys[i].at);
        else
            tell_refused(f, &keys[i]);
    }
    return count;
}

/* ['name', 'phone'], of which it is said that they must be there. */
static void look_at_list(struct form *f, size_t open)
{
    struct str s = f->code->text, others[OTHERS_MOST];
    size_t at = past_blank(s, open + 1), fields = 0, count = 0, from = open > 60 ? open - 60 : 0;
    while (at < s.len && s.ptr[at] != ']' && at - open < TABLE_BYTES) {
        struct str name;
        size_t end = strchr("\"'", s.ptr[at]) ? key_at(s, at, &name) : at;
        if (end == at)
            return;
        bool field = has_field(f, name);
        if (!field && count == OTHERS_MOST)
            return;
        fields += field;
        if (!field)
            others[count++] = name;
        at = past_blank(s, end);
        at = at < s.len && s.ptr[at] == ',' ? past_blank(s, at + 1) : at;
    }
    struct str before = { s.ptr + from, open - from };
    struct str after = { s.ptr + at, s.len - at < 12 ? s.len - at : 12 };
    bool must = mgi_contains(before, "requir") || mgi_contains(before, "mandatory") ||
                mgi_contains(before, "needed") || mgi_str_starts(after, STR_LIT("].every(")) ||
                mgi_str_starts(after, STR_LIT("].some("));
    for (size_t i = 0; must && fields > 1 && i < count; i++)
        tell_lacks(f, others[i], open);
}

/* ---- conditions --------------------------------------------------------------------------- */

#define NEAR_BYTES 2500 /* within these another field is read of the same thing */
#define BODY_BYTES 400

/* What `value` is tried by begins at `at` of `code`: the pattern, if it refuses it. */
static bool tell_if_refused(struct form *f, const struct code_text *code, size_t at,
                            struct str name, struct str value)
{
    struct str s = code->text;
    size_t end = begins_regexp(s, at) ? past_quoted(s, at) : at + 1;
    struct str pattern = { s.ptr + at + 1, end > at + 2 ? end - at - 2 : 0 };
    struct place place = { s, at };
    if (pattern.len == 0 || !refuses(pattern, name_at(s, end), value))
        return false;
    if (f->told++ < TOLD_MOST)
        mgi_fact(f->list, RANK_HIGH, "form_check_refuses", NO_TIME, 0, "sssssn", f->target, name,
                 value, pattern, code->url, mgi_place_line(&place));
    return true;
}

/* The first regular expression of a function or a variable that some script calls `called`. */
static bool look_into_function(struct form *f, struct str called, struct str name, struct str value)
{
    for (size_t i = 0; called.len > 1 && i < f->list->code_count; i++) {
        const struct code_text *code = &f->list->code[i];
        struct form_function fn;
        size_t at = 0, end = 0;
        if (!code->own)
            continue;
        if (mgi_form_function_named(code->text, called, &fn)) {
            at = fn.body;
            end = fn.end - fn.body < BODY_BYTES ? fn.end : fn.body + BODY_BYTES;
        }
        bool block = end > 0 && code->text.ptr[at] == '{';
        for (; at < end && (block || code->text.ptr[at] != '\n'); at++)
            if (begins_regexp(code->text, at))
                return tell_if_refused(f, code, at, name, value);
    }
    return false;
}

/* const ZIP = /^\d{5}$/; */
static bool look_at_constant(struct form *f, struct str called, struct str name, struct str value)
{
    for (size_t i = 0; called.len > 1 && i < f->list->code_count; i++) {
        const struct code_text *code = &f->list->code[i];
        struct str s = code->text;
        for (size_t at = 1; code->own && at + called.len + 3 < s.len; at++) {
            if (s.ptr[at] != called.ptr[0] || is_name_char(s.ptr[at - 1]) ||
                !stands_at(s, at, called))
                continue;
            size_t next = past_blank(s, at + called.len);
            if (next < s.len && strchr("=:", s.ptr[next]) &&
                begins_regexp(s, past_blank(s, next + 1)))
                return tell_if_refused(f, code, past_blank(s, next + 1), name, value);
        }
    }
    return false;
}

/* The regular expression that ends before `end`, /.../i. */
static size_t regexp_before(struct str s, size_t end)
{
    while (end > 0 && is_name_char(s.ptr[end - 1]))
        end--;
    for (size_t at = end > 0 ? end - 1 : 0; at > 0 && end - at < PATTERN_BYTES && s.ptr[at] != '\n';
         at--)
        if (begins_regexp(s, at - 1) && past_quoted(s, at - 1) == end)
            return at - 1;
    return SIZE_MAX;
}

/* if (/^x$/.test(v)) leaves what fits: what is refused by it is let go. */
static bool is_asked_plainly(struct str s, size_t at)
{
    if (at > 0 && s.ptr[at - 1] == '!')
        return false;
    size_t from = at;
    while (from > 0 && at - from < PATTERN_BYTES && !strchr(";{}\n", s.ptr[from - 1]))
        from--;
    return mgi_str_find((struct str){ s.ptr + from, at - from }, STR_LIT("if (")) != SIZE_MAX;
}

/* What a user filled in there is tried: /.../.test(v.zip), ZIP.test(v.zip), isZip(v.zip). */
static void look_at_trial(struct form *f, struct str name, size_t from)
{
    struct str s = f->code->text, value = filled(f, name), test = STR_LIT(".test");
    size_t open = back_blank(s, from);
    if (value.len == 0 || open == 0 || s.ptr[open - 1] != '(')
        return;
    size_t end = open - 1, begin = end;
    while (begin > 0 && is_name_char(s.ptr[begin - 1]))
        begin--;
    bool tests = end >= test.len && memcmp(s.ptr + end - test.len, test.ptr, test.len) == 0;
    if (!tests && !is_asked_plainly(s, begin))
        look_into_function(f, (struct str){ s.ptr + begin, end - begin }, name, value);
    if (!tests)
        return;
    end -= test.len;
    size_t literal = regexp_before(s, end);
    for (begin = end; begin > 0 && is_name_char(s.ptr[begin - 1]);)
        begin--;
    if (is_asked_plainly(s, literal != SIZE_MAX ? literal : begin))
        return;
    if (literal != SIZE_MAX)
        tell_if_refused(f, f->code, literal, name, value);
    else
        look_at_constant(f, (struct str){ s.ptr + begin, end - begin }, name, value);
}

/* data.get('zip'), v.zip: where it begins, and what it is read of; false: no such thing. */
static bool read_access(struct str s, size_t dot, struct str *name, struct str *of, size_t *from)
{
    bool get = mgi_str_starts((struct str){ s.ptr + dot, s.len - dot }, STR_LIT(".get("));
    size_t end = get ? key_at(s, dot + 5, name) : dot + 1;
    if (!get)
        *name = name_at(s, end);
    end += get ? 0 : name->len;
    if (name->len == 0 || end >= s.len || (get ? s.ptr[end] != ')' : s.ptr[end] == '('))
        return false;
    *from = mgi_chain_start(s, dot);
    *of = (struct str){ s.ptr + *from, dot - *from };
    return of->len > 0;
}

/* Is a field of the form read of the same thing, in the same way, near there; and is the name not
 * put there by code? */
static bool reads_fields(const struct form *f, struct str of, struct str name, size_t at)
{
    struct str s = f->code->text;
    size_t stop = at + NEAR_BYTES < s.len ? at + NEAR_BYTES : s.len;
    bool found = false;
    for (size_t i = at > NEAR_BYTES ? at - NEAR_BYTES : 0; i + of.len < stop; i++) {
        struct str other, otherwise;
        size_t from;
        if (s.ptr[i] != of.ptr[0] || !stands_at(s, i, of) || s.ptr[i + of.len] != '.' ||
            (i > 0 && is_name_char(s.ptr[i - 1])) ||
            !read_access(s, i + of.len, &other, &otherwise, &from))
            continue;
        size_t next = past_blank(s, i + of.len + 1 + other.len);
        if (str_eq(other, name) && next + 1 < s.len && s.ptr[next] == '=' && s.ptr[next + 1] != '=')
            return false;
        found = found || has_field(f, other);
    }
    return found;
}

/* Members of forms and their likes, not fields. */
static bool is_of_forms(struct str name)
{
    static const char *const names[] = { "length", "value",   "checked", "elements", "target",
                                         "id",     "dataset", "ok",      "size",     "valid",
                                         "files",  "error",   "errors",  "disabled", "validity",
                                         "hidden", "open",    "default", NULL };
    return mgi_str_is_any(name, names);
}

static void look_at_access(struct form *f, size_t dot)
{
    struct str s = f->code->text, name, of, rest = { s.ptr + dot, s.len - dot };
    size_t from;
    if (mgi_str_starts(rest, STR_LIT(".test("))) { /* of a variable that is called as the field */
        from = past_blank(s, dot + 6);
        name = name_at(s, from);
        size_t end = from + name.len;
        if (end < s.len && strchr(").", s.ptr[end]) && has_field(f, name))
            look_at_trial(f, name, from);
        return;
    }
    if (!read_access(s, dot, &name, &of, &from))
        return;
    if (has_field(f, name))
        look_at_trial(f, name, from);
    else if (from > 1 && s.ptr[from - 1] == '!' && s.ptr[from - 2] != '!' && !is_of_forms(name) &&
             reads_fields(f, of, name, dot))
        tell_lacks(f, name, dot);
}

static void look_at_code(struct form *f)
{
    struct str s = f->code->text;
    for (size_t at = 0; at < s.len && f->told < TOLD_MOST && f->looked < LOOKED_MOST; at++) {
        f->looked++;
        if (s.ptr[at] == '{')
            look_at_table(f, at);
        else if (s.ptr[at] == '[')
            look_at_list(f, at);
        else if (s.ptr[at] == '.')
            look_at_access(f, at);
    }
}

static void facts_of_form(struct fact_list *list, const struct page_deed *d)
{
    struct form f = { .list = list, .target = d->target };
    for (size_t at = 0; at < d->text.len && f.count < NAMES_MOST;) {
        size_t end = at;
        while (end < d->text.len && (end == at || d->text.ptr[end] != ' '))
            end++;
        f.empty[f.count] = d->text.ptr[end - 1] == '=';
        f.names[f.count] = (struct str){ d->text.ptr + at, end - at - f.empty[f.count] };
        f.count++;
        at = end + 1;
    }
    for (size_t i = 0; f.count > 1 && i < list->code_count; i++) {
        f.code = &list->code[i];
        if (f.code->own)
            look_at_code(&f);
    }
}

void mgi_facts_checks(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0, forms = 0; i < more->deeds.count && forms < FORMS_MOST; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        if (!str_is(d->what, "form") || mgi_is_past(list, d->at_ns))
            continue;
        forms++;
        facts_of_form(list, d);
    }
}
