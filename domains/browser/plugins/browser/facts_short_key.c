/* Answers that the code which asked keeps under a name that has less than the question: under the
 * path, and not the query; under nothing, and it was asked with a parameter. By the text of the
 * function that asked: one of its parameters is in the question and not in the name under which it
 * looks whether it has asked already. Told with an input after which another one was chosen. */
#include "facts.h"
#include "source_forms.h"

#define FUNCTION_BACK 4000u
#define BODY_LOOK     4000u
#define NAMES_MOST    8
#define KEY_MOST      100
#define FRAMES_LOOK   4
#define SHORT_TOLD    8
#define VALUE_LEAST   2
#define DEPTH_MOST    2

/* A function of a script, and what it is called with. */
struct asker {
    struct fact_list *list;
    struct str text, body;
    struct str names[NAMES_MOST]; /* of its parameters */
    size_t count;
    struct str question; /* the arguments of the call that asks */
    size_t at;           /* of the call, in body */
};

static bool is_control(struct str s, size_t paren)
{
    static const char *const words[] = { "if", "for", "while", "switch", "catch", "await" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (mgi_form_word_before(s, paren, words[i]))
            return true;
    return false;
}

/* Where the bracket is that the one at `close` closes; SIZE_MAX: it is not near. */
static size_t open_of(struct str s, size_t close)
{
    int depth = 0;
    for (size_t i = close + 1; i-- > 0 && close - i < 400;) {
        depth += s.ptr[i] == ')';
        depth -= s.ptr[i] == '(';
        if (depth == 0)
            return i;
    }
    return SIZE_MAX;
}

/* The parameters before a body at `at`: "(a, b) {", "(a) =>", "a =>". */
static struct str parameters_before(struct str s, size_t at, bool arrow)
{
    size_t end = back_blank(s, at);
    if (end >= 2 && s.ptr[end - 1] == '>' && s.ptr[end - 2] == '=')
        end = back_blank(s, end - 2);
    else if (arrow)
        return STR_LIT("");
    if (end == 0)
        return STR_LIT("");
    if (s.ptr[end - 1] == ')') {
        size_t open = open_of(s, end - 1);
        return open == SIZE_MAX || is_control(s, open)
                   ? STR_LIT("")
                   : (struct str){ s.ptr + open + 1, end - open - 2 };
    }
    size_t from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    bool is_arrow = end < back_blank(s, at);
    return is_arrow ? (struct str){ s.ptr + from, end - from } : STR_LIT("");
}

/* The names in a list of parameters, also those of a pattern; not what stands in for them. */
static void take_names(struct asker *a, struct str list)
{
    bool value = false;
    for (size_t i = 0; i < list.len && a->count < NAMES_MOST; i++) {
        struct str name = name_at(list, i);
        value = (value || list.ptr[i] == '=') && list.ptr[i] != ',';
        if (name.len > 0 && !value)
            a->names[a->count++] = name;
        i += name.len > 0 ? name.len - 1 : 0;
    }
}

/* The innermost function around `at` that has parameters. */
static bool find_asker(struct fact_list *list, struct str s, size_t at, struct asker *a)
{
    int depth = 0;
    *a = (struct asker){ .list = list, .text = s };
    for (size_t i = at; i-- > 0 && at - i < FUNCTION_BACK;) {
        bool arrow = s.ptr[i] == '>' && i > 0 && s.ptr[i - 1] == '=';
        depth += s.ptr[i] == '}';
        depth -= s.ptr[i] == '{';
        if (!(arrow && depth == 0) && !(s.ptr[i] == '{' && depth < 0))
            continue;
        depth = depth < 0 ? 0 : depth;
        size_t from = arrow ? past_blank(s, i + 1) : i;
        if (from >= s.len || (arrow && s.ptr[from] == '{'))
            continue; /* it was looked at with its bracket, or is over */
        struct str params = parameters_before(s, arrow ? i + 1 : i, arrow);
        size_t end = s.ptr[from] == '{' ? mgi_form_close(s, from) : mgi_form_block_end(s, from);
        if (params.len == 0 || end == SIZE_MAX || end < at)
            continue;
        take_names(a, params);
        a->body = (struct str){ s.ptr + from, end - from < BODY_LOOK ? end - from : BODY_LOOK };
        a->at = at - from;
        return a->count > 0 && a->at < a->body.len;
    }
    return false;
}

/* Does the name stand there for its value: no member of something, no key? */
static bool has_name(struct str s, struct str name)
{
    for (size_t i = 0; i + name.len <= s.len; i++)
        if (s.ptr[i] == name.ptr[0] && stands_at(s, i, name) &&
            (i == 0 ||
             (!is_name_char(s.ptr[i - 1]) && s.ptr[i - 1] != '.' && s.ptr[i - 1] != '#') ||
             (i > 2 && s.ptr[i - 1] == '.' && s.ptr[i - 2] == '.')))
            return true;
    return false;
}

/* Behind the name where the body declares it; SIZE_MAX: it does not. */
static size_t declared_in(struct str s, struct str name)
{
    for (size_t i = 1; i + name.len < s.len; i++)
        if (s.ptr[i] == name.ptr[0] && !is_name_char(s.ptr[i - 1]) && stands_at(s, i, name) &&
            (mgi_form_word_before(s, i, "const") || mgi_form_word_before(s, i, "let") ||
             mgi_form_word_before(s, i, "var")))
            return i + name.len;
    return SIZE_MAX;
}

/* What a name is made of in the body: "const key = ..."; empty: it is no name of the body. */
static struct str made_of(const struct asker *a, struct str name)
{
    struct str s = a->body;
    size_t behind = declared_in(s, name), eq = behind < s.len ? past_blank(s, behind) : s.len;
    if (eq + 1 >= s.len || s.ptr[eq] != '=')
        return STR_LIT("");
    size_t end = eq;
    while (end < s.len && s.ptr[end] != ';' && s.ptr[end] != '\n')
        end++;
    return (struct str){ s.ptr + eq + 1, end - eq - 1 };
}

/* Is the parameter in the expression, or in what its names are made of? */
static bool is_made_with(const struct asker *a, struct str expression, struct str name, int depth)
{
    if (has_name(expression, name))
        return true;
    for (size_t i = 0; i < expression.len && depth < DEPTH_MOST; i++) {
        struct str word = name_at(expression, i);
        if (word.len == 0)
            continue;
        struct str made = made_of(a, word);
        if (made.len > 0 && made.ptr != expression.ptr && is_made_with(a, made, name, depth + 1))
            return true;
        i += word.len;
    }
    return false;
}

/* The arguments of the call at `at`: "getJson(", "api.get(". */
static bool find_question(struct asker *a)
{
    struct str s = a->body;
    size_t open = a->at;
    while (open < s.len && (is_name_char(s.ptr[open]) || strchr(".?#", s.ptr[open])))
        open++;
    if (open >= s.len || s.ptr[open] != '(')
        return false;
    size_t close = mgi_form_close(s, open);
    if (close == SIZE_MAX)
        return false;
    a->question = (struct str){ s.ptr + open + 1, close - open - 2 };
    return true;
}

/* How a request is sent is no part of what it asks for. */
static bool is_of_sending(struct str name)
{
    static const char *const words[] = { "signal",  "options", "opts",    "init",       "config",
                                         "headers", "timeout", "retries", "controller", "abort" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(name, words[i]))
            return true;
    return false;
}

/* The parameter that is in the question and not under the key; empty: there is none. */
static struct str left_out(const struct asker *a, struct str key)
{
    for (size_t i = 0; i < a->count; i++)
        if (!is_of_sending(a->names[i]) && is_made_with(a, a->question, a->names[i], 0) &&
            !is_made_with(a, key, a->names[i], 0))
            return a->names[i];
    return STR_LIT("");
}

static size_t count_text(struct str s, struct str part)
{
    size_t count = 0;
    for (size_t i = 0; part.len > 0 && i + part.len <= s.len; i++)
        count += memcmp(s.ptr + i, part.ptr, part.len) == 0;
    return count;
}

/* Text from one place to another of the body. */
static struct str stretch_of(struct str s, size_t from, size_t end)
{
    return end > from && end - from <= KEY_MOST ? (struct str){ s.ptr + from, end - from }
                                                : STR_LIT("");
}

/* known.set(KEY, ...), where it asks known.has(KEY) or known.get(KEY), too. */
static bool kept_in_map(const struct asker *a, size_t at, struct str *key)
{
    struct str s = a->body;
    if (at + 5 >= s.len || memcmp(s.ptr + at, ".set(", 5) != 0)
        return false;
    size_t end = mgi_form_item(s, at + 5, 1), from = mgi_chain_start(s, at);
    while (end != SIZE_MAX && end > at + 5 && s.ptr[end] != ',')
        end--;
    if (end == SIZE_MAX || from == at)
        return false;
    *key = stretch_of(s, at + 5, end);
    static const char *const looks[] = { "has", "get" };
    for (size_t i = 0; key->len > 0 && i < 2; i++) {
        char *look = mgi_arena_printf(a->list->job->arena, "%.*s.%s(%.*s)", (int)(at - from),
                                      s.ptr + from, looks[i], STR_ARG(*key));
        if (look && mgi_str_find(s, str_of(look)) != SIZE_MAX)
            return true;
    }
    return false;
}

/* "=", "??=", "||=" behind a place; 0: none of them. */
static size_t assigned_at(struct str s, size_t at, bool *unless)
{
    at = past_blank(s, at);
    *unless = at + 2 < s.len && s.ptr[at + 2] == '=' &&
              (memcmp(s.ptr + at, "??", 2) == 0 || memcmp(s.ptr + at, "||", 2) == 0);
    if (*unless)
        return at + 3;
    bool plain = at + 1 < s.len && s.ptr[at] == '=' && s.ptr[at + 1] != '=' && s.ptr[at + 1] != '>';
    return plain ? at + 1 : 0;
}

/* known[KEY] = ..., where it is looked at elsewhere, too; known[KEY] ??= ... */
static bool kept_in_object(const struct asker *a, size_t at, struct str *key)
{
    struct str s = a->body;
    bool unless;
    if (s.ptr[at] != '[' || at == 0 || !is_name_char(s.ptr[at - 1]))
        return false;
    size_t close = mgi_form_close(s, at), from = mgi_chain_start(s, at);
    if (close == SIZE_MAX || assigned_at(s, close, &unless) == 0)
        return false;
    *key = stretch_of(s, at + 1, close - 1);
    return key->len > 0 && (unless || count_text(s, stretch_of(s, from, close)) > 1);
}

/* all ??= ..., if (!all) all = ..., of what is kept outside of the function. */
static bool kept_alone(const struct asker *a, size_t at, struct str *key)
{
    struct str s = a->body;
    bool unless;
    if (!is_name_char(s.ptr[at]) || (at + 1 < s.len && is_name_char(s.ptr[at + 1])))
        return false;
    size_t from = mgi_chain_start(s, at + 1), value = assigned_at(s, at + 1, &unless);
    struct str name = stretch_of(s, from, at + 1);
    if (value == 0 || name.len == 0 || value > a->at)
        return false;
    size_t end = value;
    while (end < s.len && s.ptr[end] != ';' && s.ptr[end] != '\n')
        end++;
    for (size_t i = 0; i < a->count; i++)
        if (str_eq(a->names[i], name))
            return false;
    *key = STR_LIT("");
    if (a->at >= end || declared_in(s, name) != SIZE_MAX)
        return false;
    char *look = mgi_arena_printf(a->list->job->arena, "(!%.*s)", STR_ARG(name));
    return unless || (look && mgi_str_find(s, str_of(look)) != SIZE_MAX);
}

/* Where the function keeps what it asks for under less than it asks with. */
static bool find_short(const struct asker *a, struct str *left, size_t *where)
{
    for (size_t i = 1; i < a->body.len; i++) {
        struct str key = STR_LIT("");
        if (!kept_in_map(a, i, &key) && !kept_in_object(a, i, &key) && !kept_alone(a, i, &key))
            continue;
        *left = left_out(a, key);
        *where = i;
        return left->len > 0;
    }
    return false;
}

/* The one of the functions that asked which keeps the answer so. */
static const struct frame *keeper(struct fact_list *list, const struct request *r, struct str *left,
                                  int64_t *line)
{
    for (size_t i = 0; i < r->frame_count && i < FRAMES_LOOK; i++) {
        const struct frame *f = &r->frames[i];
        struct place place;
        struct asker a;
        size_t where;
        if (!mgi_source_place(list->capture, f->url, f->line, f->column, &place) ||
            !find_asker(list, place.text, place.at, &a) || !find_question(&a) ||
            !find_short(&a, left, &where))
            continue;
        struct place kept = { place.text, (size_t)(a.body.ptr - place.text.ptr) + where };
        *line = f->line + mgi_place_line(&kept) - mgi_place_line(&place);
        return f;
    }
    return NULL;
}

/* A value that it was asked with, written as `words` on the page: the text of another thing that
 * can be chosen. */
static bool asks_for_one_of(struct fact_list *list, const struct request *r, struct str chosen)
{
    struct str query = r->url;
    size_t mark = mgi_str_find(query, STR_LIT("?"));
    struct str small = mgi_fact_small(list, mgi_page_text(list)),
               other = mgi_fact_small(list, chosen);
    for (size_t i = mark; mark != SIZE_MAX && i < query.len; i++) {
        size_t end = i + 1;
        if (query.ptr[i] != '=')
            continue;
        while (end < query.len && query.ptr[end] != '&' && query.ptr[end] != '#')
            end++;
        struct str value = mgi_fact_small(list, (struct str){ query.ptr + i + 1, end - i - 1 });
        if (value.len < VALUE_LEAST || str_eq(value, other))
            continue;
        for (size_t at = 0; at + value.len <= small.len; at++)
            if (stands_at(small, at, value) && (at == 0 || !is_name_char(small.ptr[at - 1])))
                return true;
    }
    return false;
}

void mgi_facts_short_keys(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0, told = 0; i < c->request_count && told < SHORT_TOLD; i++) {
        const struct request *r = &c->requests[i];
        struct str left;
        int64_t line;
        if (!list->looked_at[i] || !str_is(r->method, "GET") || r->frame_count == 0 ||
            list->shapes[i].kind != BODY_JSON)
            continue;
        const struct frame *f = keeper(list, r, &left, &line);
        for (size_t n = 0; f && n < c->more.inputs.count && told < SHORT_TOLD; n++) {
            const struct user_input *in = &c->more.inputs.items[n];
            if (in->at_ns < r->start_ns || !str_is(in->type, "click") ||
                in->text.len < VALUE_LEAST || !asks_for_one_of(list, r, in->text))
                continue;
            mgi_fact(list, RANK_HIGH, "kept_short", NO_TIME, 0, "ssssn",
                     mgi_fact_id(list, "r", r->number), mgi_fact_id(list, "i", n + 1), left, f->url,
                     line);
            told++;
        }
    }
}
