/* What the scripts' texts say of order: which modules import which, and listeners of forms that
 * keep the browser from sending the form only after they have waited for something. */
#include "facts.h"
#include "source_forms.h"

#define IMPORTS_TOLD   120
#define LISTENER_LOOK  4000
#define LISTENERS_MOST 200 /* of all scripts */

/* "../core/api.js" as seen from a script; empty: it is no path of a file. */
static struct str address_of(struct fact_list *list, struct str from, struct str spec)
{
    struct str origin = mgi_url_origin(from), path = mgi_url_path(from);
    if (mgi_str_starts(spec, STR_LIT("http")))
        return spec;
    if (spec.len == 0 || (spec.ptr[0] != '.' && spec.ptr[0] != '/'))
        return STR_LIT("");
    size_t end = path.len;
    while (end > 0 && path.ptr[end - 1] != '/')
        end--;
    end = spec.ptr[0] == '/' ? 0 : end;
    while (mgi_str_starts(spec, STR_LIT("./")) || mgi_str_starts(spec, STR_LIT("../"))) {
        bool up = spec.ptr[1] == '.';
        for (end -= up && end > 1; up && end > 0 && path.ptr[end - 1] != '/';)
            end--;
        spec = (struct str){ spec.ptr + 2 + up, spec.len - 2 - up };
    }
    char *whole = mgi_arena_printf(list->job->arena, "%.*s%.*s%.*s", STR_ARG(origin), (int)end,
                                   path.ptr, STR_ARG(spec));
    return whole ? str_of(whole) : STR_LIT("");
}

/* What stands in quotes behind "from" or "import". */
static struct str quoted_at(struct str s, size_t at)
{
    at = past_blank(s, at);
    if (at >= s.len || (s.ptr[at] != '"' && s.ptr[at] != '\''))
        return STR_LIT("");
    const char *end = memchr(s.ptr + at + 1, s.ptr[at], s.len - at - 1);
    return end && end - (s.ptr + at) < 300
               ? (struct str){ s.ptr + at + 1, (size_t)(end - (s.ptr + at)) - 1 }
               : STR_LIT("");
}

static size_t tell_imports(struct fact_list *list, struct str url, struct str text, size_t told)
{
    const struct str words[] = { STR_LIT("from"), STR_LIT("import") };
    for (size_t at = 0; at + 6 < text.len && told < IMPORTS_TOLD; at++)
        for (size_t w = 0; w < 2 && (text.ptr[at] == 'f' || text.ptr[at] == 'i'); w++) {
            bool begins = at == 0 || !is_name_char(text.ptr[at - 1]);
            if (!begins || !stands_at(text, at, words[w]))
                continue;
            struct str other = address_of(list, url, quoted_at(text, at + words[w].len));
            if (other.len == 0)
                continue;
            mgi_fact(list, RANK_LOW, "imports", NO_TIME, 0, "ss", url, other);
            told++;
        }
    return told;
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static int64_t line_at(struct str text, size_t at)
{
    struct place place = { text, at };
    return mgi_place_line(&place);
}

/* addEventListener("submit", async (e) => { await ...; e.preventDefault() }): by then the form is
 * sent. */
static void tell_late_prevention(struct fact_list *list, struct str url, struct str text,
                                 size_t *looked)
{
    for (size_t at = 1; at + 20 < text.len && *looked < LISTENERS_MOST; at++) {
        bool submit = text.ptr[at] == 's' && stands_at(text, at, STR_LIT("submit"));
        if (!submit || !is_quote(text.ptr[at - 1]) || !is_quote(text.ptr[at + 6]))
            continue;
        struct form_function fn;
        size_t comma = past_blank(text, at + 7);
        if (comma >= text.len || text.ptr[comma] != ',')
            continue;
        (*looked)++;
        if (!mgi_form_function_at(text, comma + 1, &fn))
            continue;
        size_t end = fn.end - fn.body < LISTENER_LOOK ? fn.end : fn.body + LISTENER_LOOK;
        struct str body = { text.ptr + fn.body, end - fn.body };
        size_t stop = mgi_str_find(body, STR_LIT("preventDefault")),
               wait = mgi_str_find(body, STR_LIT("await "));
        if (stop != SIZE_MAX && wait < stop)
            mgi_fact(list, RANK_HIGH, "prevents_late", NO_TIME, 0, "sn", url,
                     line_at(text, fn.body + stop));
    }
}

#define GIVEN_TOLD  4
#define GIVEN_LEAST 3

/* Where a script of its own file has the name. */
static bool tell_given(struct fact_list *list, struct str name)
{
    for (size_t i = 0; i < list->code_count; i++) {
        struct str s = list->code[i].text;
        if (!list->code[i].script || !mgi_may_scan(list, s))
            continue;
        for (size_t at = 1; at + name.len <= s.len; at++)
            if (s.ptr[at] == name.ptr[0] && !is_name_char(s.ptr[at - 1]) &&
                stands_at(s, at, name)) {
                mgi_fact(list, RANK_HIGH, "inline_gives", NO_TIME, 0, "ssn", name,
                         list->code[i].url, line_at(s, at));
                return true;
            }
    }
    return false;
}

/* window.NAME = ... within the document, which scripts of their own files ask for. */
static void tell_inline(struct fact_list *list, struct str text)
{
    static const char mark[] = "window.";
    size_t told = 0;
    for (size_t at = 0; at + sizeof mark < text.len && told < GIVEN_TOLD; at++) {
        if (text.ptr[at] != 'w' || memcmp(text.ptr + at, mark, sizeof mark - 1) != 0)
            continue;
        struct str name = name_at(text, at + sizeof mark - 1);
        size_t after = past_blank(text, at + sizeof mark - 1 + name.len);
        bool given = after + 1 < text.len && text.ptr[after] == '=' && text.ptr[after + 1] != '=';
        if (given && name.len >= GIVEN_LEAST)
            told += tell_given(list, name);
    }
}

void mgi_facts_habits(struct fact_list *list)
{
    for (size_t i = 0, told = 0, looked = 0; i < list->code_count; i++) {
        const struct code_text *code = &list->code[i];
        if (code->script)
            told = tell_imports(list, code->url, code->text, told);
        else
            tell_inline(list, code->text);
        tell_late_prevention(list, code->url, code->text, &looked);
    }
}
