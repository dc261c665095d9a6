/* Regular expressions with a memory: with the flag g or y test() begins where it matched last, so
 * that every second text that matches is said not to. Told where one with a name is asked with
 * test() and nothing else, in a function that may run again. */
#include "facts.h"
#include "source_int.h"

#define REGEXP_TOLD   10
#define LITERAL_BYTES 400
#define NAME_LEAST    3 /* not what a minifier calls things: those stand for many */

/* Past the closing slash; SIZE_MAX: it is none. */
static size_t literal_end(struct str s, size_t at)
{
    bool in_class = false;
    for (size_t i = at + 1; i < s.len && i - at < LITERAL_BYTES && s.ptr[i] != '\n'; i++) {
        if (s.ptr[i] == '\\')
            i++;
        else if (s.ptr[i] == '[' || s.ptr[i] == ']')
            in_class = s.ptr[i] == '[';
        else if (s.ptr[i] == '/' && !in_class)
            return i + 1;
    }
    return SIZE_MAX;
}

/* What stands between is the beginning of a function. */
static bool begins_function(struct str between)
{
    return mgi_str_find(between, STR_LIT("=>")) != SIZE_MAX ||
           mgi_str_find(between, STR_LIT("function")) != SIZE_MAX;
}

/* How the name is used in a text: asked with test() in a function, or in any other way. */
static bool other_use(struct str text, struct str name, size_t declared, size_t *asked)
{
    for (size_t at = 0; at + name.len <= text.len; at++) {
        if (at == declared || !stands_at(text, at, name) ||
            (at > 0 && is_name_char(text.ptr[at - 1])))
            continue;
        size_t next = at + name.len;
        bool test = stands_at(text, next, STR_LIT(".test"));
        size_t from = declared != SIZE_MAX && declared < at ? declared : 0;
        if (!test ||
            (declared != SIZE_MAX && !begins_function((struct str){ text.ptr + from, at - from })))
            return true;
        *asked = at;
    }
    return false;
}

static void facts_of_literal(struct fact_list *list, const struct code_text *code, size_t named,
                             struct str name, struct str flags)
{
    size_t asked = SIZE_MAX;
    struct place place = { code->text, named };
    if (other_use(code->text, name, named, &asked) || asked == SIZE_MAX)
        return;
    mgi_fact(list, RANK_HIGH, "regexp_again", NO_TIME, 0, "sssn", name, flags, code->url,
             mgi_place_line(&place));
}

static size_t facts_of_script(struct fact_list *list, const struct code_text *code)
{
    struct str text = code->text;
    size_t told = list->items.count;
    for (size_t at = 0; at + 2 < text.len; at++) {
        if (text.ptr[at] != '/' || strchr("/*", text.ptr[at + 1]))
            continue;
        size_t before = back_blank(text, at);
        if (before == 0 || !strchr("=:", text.ptr[before - 1]))
            continue;
        size_t end = literal_end(text, at);
        if (end == SIZE_MAX)
            continue;
        struct str flags = name_at(text, end);
        size_t name_end = back_blank(text, before - 1), from = name_end;
        while (from > 0 && is_name_char(text.ptr[from - 1]))
            from--;
        struct str name = { text.ptr + from, name_end - from };
        bool keeps = memchr(flags.ptr, 'g', flags.len) || memchr(flags.ptr, 'y', flags.len);
        if (name.len >= NAME_LEAST && flags.len <= 6 && flags.len > 0 && keeps)
            facts_of_literal(list, code, from, name, flags);
        at = end - 1;
    }
    return list->items.count - told;
}

void mgi_facts_regexps(struct fact_list *list)
{
    for (size_t i = 0, told = 0; i < list->code_count && told < REGEXP_TOLD; i++)
        told += facts_of_script(list, &list->code[i]);
}
