/* Slips in the scripts' texts that run without an error and mean something else than was meant. */
#include "facts.h"
#include "source_forms.h"
#include "source_int.h"

#define SLIPS_MOST 8
#define BODY_MOST  600

struct slips {
    struct fact_list *list;
    struct str url, text;
    size_t told;
};

static void tell_slip(struct slips *s, const char *what, size_t at)
{
    struct place place = { s->text, at };
    s->told++;
    mgi_fact(s->list, RANK_USUAL, "code_slip", NO_TIME, 0, "zsn", what, s->url,
             mgi_place_line(&place));
}

static bool begins_with(struct str text, size_t at, const char *word)
{
    size_t len = strlen(word);
    return at + len <= text.len && memcmp(text.ptr + at, word, len) == 0;
}

/* list.forEach((x, i) => { ... list.splice(i, 1) ... }) */
static void look_for_splice(struct slips *s, size_t at)
{
    struct form_function fn;
    size_t open = at + strlen(".forEach(");
    if (!begins_with(s->text, at, ".forEach(") || !mgi_form_function_at(s->text, open, &fn))
        return;
    size_t from = mgi_chain_start(s->text, at);
    struct str name = { s->text.ptr + from, at - from };
    size_t end = fn.end - fn.body < BODY_MOST ? fn.end : fn.body + BODY_MOST;
    char *call = name.len > 0 && name.len < 60
                     ? mgi_arena_printf(s->list->job->arena, "%.*s.splice(", STR_ARG(name))
                     : NULL;
    struct str body = { s->text.ptr + fn.body, end - fn.body };
    size_t found = call ? mgi_str_find(body, str_of(call)) : SIZE_MAX;
    if (found == SIZE_MAX ||
        (found > 0 && (is_name_char(body.ptr[found - 1]) || body.ptr[found - 1] == '.')))
        return;
    struct str rest = { body.ptr + found, body.len - found };
    if (mgi_str_find(rest, STR_LIT("return false")) == SIZE_MAX)
        tell_slip(s, "splice", fn.body + found);
}

/* The expression of an arrow function that begins at `at`, up to its closing bracket. */
static struct str arrow_body(struct str text, size_t at, size_t *from)
{
    size_t stop = at + 60 < text.len ? at + 60 : text.len;
    while (at + 1 < stop && !(text.ptr[at] == '=' && text.ptr[at + 1] == '>'))
        at++;
    if (at + 1 >= stop)
        return STR_LIT("");
    *from = past_blank(text, at + 2);
    size_t end = *from;
    for (int depth = 0; end < text.len && end - *from < 160; end++) {
        depth += text.ptr[end] == '(' || text.ptr[end] == '[';
        depth -= text.ptr[end] == ')' || text.ptr[end] == ']';
        if (depth < 0 || text.ptr[end] == '{' || text.ptr[end] == '\n')
            break;
    }
    return (struct str){ text.ptr + *from, end - *from };
}

/* sort((a, b) => a.x > b.x): true and false, and never that one comes before. */
static void look_for_comparator(struct slips *s, size_t at)
{
    size_t from = 0;
    if (!begins_with(s->text, at, ".sort((") && !begins_with(s->text, at, ".toSorted(("))
        return;
    struct str body = arrow_body(s->text, at, &from);
    bool compares = false;
    for (size_t i = 0; i < body.len; i++) {
        if (strchr("?-|&+{:", body.ptr[i]))
            return;
        bool arrow = i > 0 && body.ptr[i - 1] == '=';
        compares = compares || ((body.ptr[i] == '<' || body.ptr[i] == '>') && !arrow);
    }
    if (compares && mgi_str_find(body, STR_LIT("ompare")) == SIZE_MAX)
        tell_slip(s, "comparator", at);
}

/* filter(x => x.a = b) */
static void look_for_assignment(struct slips *s, size_t at)
{
    size_t from = 0;
    if (!begins_with(s->text, at, ".filter(") && !begins_with(s->text, at, ".find(") &&
        !begins_with(s->text, at, ".some("))
        return;
    struct str body = arrow_body(s->text, at, &from);
    for (size_t i = 1; i + 1 < body.len; i++)
        if (body.ptr[i] == '=') {
            bool alone = !strchr("=!<>+-*/|&?", body.ptr[i - 1]) && !strchr("=>", body.ptr[i + 1]);
            if (alone && body.ptr[0] != '(')
                tell_slip(s, "assigns", at);
            return;
        }
}

/* () => debounce(save, 300)() and debounce(...)(event): made anew at each call. */
static void look_for_debounce(struct slips *s, size_t at)
{
    static const char *const words[] = { "debounce(", "throttle(" };
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t open = at + strlen(words[w]) - 1;
        if (!begins_with(s->text, at, words[w]) || (at > 0 && is_name_char(s->text.ptr[at - 1])))
            continue;
        size_t close = mgi_form_close(s->text, open);
        struct str before = { s->text.ptr + (at > 12 ? at - 12 : 0), at > 12 ? 12 : at };
        bool defined = mgi_str_find(before, STR_LIT("function")) != SIZE_MAX;
        if (close != SIZE_MAX && !defined && past_blank(s->text, close) < s->text.len &&
            s->text.ptr[past_blank(s->text, close)] == '(')
            tell_slip(s, "debounce", at);
    }
}

/* observedAttributes = ['itemId']: attributes of HTML are of small letters. */
static void look_for_attributes(struct slips *s, size_t at)
{
    if (!begins_with(s->text, at, "observedAttributes"))
        return;
    size_t open = at, stop = at + 80 < s->text.len ? at + 80 : s->text.len;
    while (open < stop && s->text.ptr[open] != '[')
        open++;
    for (size_t i = open; i > at && i < stop && s->text.ptr[i] != ']'; i++)
        if (s->text.ptr[i] >= 'A' && s->text.ptr[i] <= 'Z' && open < stop) {
            tell_slip(s, "attributes", at);
            return;
        }
}

/* .get( and .has( before it, or === on one of its sides. */
static bool is_looked_up(struct str text, size_t from, size_t end)
{
    size_t before = back_blank(text, from), next = past_blank(text, end);
    bool call = before > 5 &&
                (begins_with(text, before - 5, ".get(") || begins_with(text, before - 5, ".has("));
    if (call)
        return next < text.len && text.ptr[next] == ')';
    bool compared =
        before > 3 && begins_with(text, before - 2, "==") && strchr("=!", text.ptr[before - 3]);
    return compared || begins_with(text, next, "===") || begins_with(text, next, "!==");
}

/* const id = row.dataset.id; ... map.get(id) */
static void look_for_named_key(struct slips *s, struct str name, size_t at)
{
    size_t stop = at + BODY_MOST < s->text.len ? at + BODY_MOST : s->text.len;
    for (; name.len > 0 && at < stop; at++) {
        if (s->text.ptr[at] != name.ptr[0] || is_name_char(s->text.ptr[at - 1]) ||
            s->text.ptr[at - 1] == '.' || !stands_at(s->text, at, name))
            continue;
        if (begins_with(s->text, at + name.len, " = "))
            return;
        if (is_looked_up(s->text, at, at + name.len)) {
            tell_slip(s, "text_key", at);
            return;
        }
    }
}

/* map.get(row.dataset.id): what an element has as data is a text, never a number. */
static void look_for_text_key(struct slips *s, size_t at)
{
    if (!begins_with(s->text, at, ".dataset"))
        return;
    size_t end = at + strlen(".dataset");
    bool member = s->text.ptr[end] == '.';
    end += member ? 1 + name_at(s->text, end + 1).len : 0;
    size_t from = mgi_chain_start(s->text, end), before = back_blank(s->text, from);
    if (member && is_looked_up(s->text, from, end)) {
        tell_slip(s, "text_key", at);
        return;
    }
    if (before < 2 || s->text.ptr[before - 1] != '=' || strchr("=!<>", s->text.ptr[before - 2]))
        return;
    size_t last = back_blank(s->text, before - 1);
    if (!member && last > 0 && s->text.ptr[last - 1] == '}') /* const { id } = row.dataset */
        last = back_blank(s->text, last - 1);
    else if (!member)
        return;
    size_t first = last;
    while (first > 0 && is_name_char(s->text.ptr[first - 1]))
        first--;
    look_for_named_key(s, (struct str){ s->text.ptr + first, last - first }, end);
}

static void look_for_slips(struct slips *s)
{
    for (size_t at = 1; at + 8 < s->text.len && s->told < SLIPS_MOST; at++) {
        char c = s->text.ptr[at];
        if (c == '.') {
            look_for_splice(s, at);
            look_for_comparator(s, at);
            look_for_assignment(s, at);
            look_for_text_key(s, at);
            if (begins_with(s->text, at, ".map(parseInt)"))
                tell_slip(s, "parseInt", at);
        } else if (c == 'o') {
            look_for_attributes(s, at);
        } else if (c == 'd' || c == 't') {
            look_for_debounce(s, at);
        }
    }
}

void mgi_facts_slips(struct fact_list *list)
{
    struct slips s = { .list = list };
    for (size_t i = 0; i < list->code_count; i++) {
        s.url = list->code[i].url;
        s.text = list->code[i].text;
        if (list->code[i].own)
            look_for_slips(&s);
    }
}
