/* Words of answers that a script looks up in other letters: roles.includes('admin') where the
 * answer has ADMIN, LABELS[order.status] where the table has in_transit and the answer IN_TRANSIT
 * or STATUS_IN_TRANSIT. Told only where the word is nowhere else in the code and not on the page,
 * no code changes letters, and the code there names the member that has it. */
#include "facts.h"
#include "source_forms.h"
#include "source_int.h"

#define WORD_LEAST   3
#define WORD_MOST    40
#define NAME_LEAST   3
#define PREFIX_MOST  20
#define NEAR_BYTES   140
#define TABLE_BYTES  1500
#define ANSWERS_MOST 30
#define LOOKED_MOST  200
#define TOLD_MOST    4

struct lettered {
    struct fact_list *list;
    size_t index; /* of the request */
    struct str path, name, word;
    struct str other; /* as the code has it */
    struct place place;
    bool prefixed;
};

static bool is_word_char(char c)
{
    return is_name_char(c) || c == '-' || c == ':' || c == '.';
}

/* A word of a program: READ_ONLY, invoice:write; no sentence, no number, no date. */
static bool is_code_word(struct str word)
{
    bool letters = false;
    for (size_t i = 0; i < word.len; i++) {
        if (!is_word_char(word.ptr[i]))
            return false;
        letters = letters || (word.ptr[i] | 0x20) >= 'a';
    }
    return letters && word.len >= WORD_LEAST && word.len <= WORD_MOST &&
           !(word.ptr[0] >= '0' && word.ptr[0] <= '9');
}

/* Code that changes letters, or cuts what stands before a word, compares as it should. */
static bool changes_words(const struct fact_list *list, bool prefixed)
{
    static const char *const letters[] = { "oLowerCase",  "oUpperCase",  "LocaleLower",
                                           "LocaleUpper", "capitalize",  "toCamel",
                                           "/i.test",     "sensitivity", NULL };
    static const char *const cuts[] = { ".split(",   ".slice(",   ".substring(", ".substr(",
                                        ".replace(", "endsWith(", "startsWith(", ".pop()",
                                        ".match(",   NULL };
    for (size_t i = 0; i < list->code_count; i++)
        for (size_t n = 0; list->code[i].own && n < 2; n++) {
            const char *const *words = n == 0 ? letters : cuts;
            for (size_t w = 0; words[w] && (n == 0 || prefixed); w++)
                if (mgi_str_find(list->code[i].text, str_of(words[w])) != SIZE_MAX)
                    return true;
        }
    return false;
}

/* ---- where code looks a word up ----------------------------------------------------------------
 */

/* Does the name of the member, or of one of a list (role of roles), stand in the text as a word? */
static bool names_member(const struct lettered *l, struct str text)
{
    struct str one = l->name;
    if (one.len > NAME_LEAST && one.ptr[one.len - 1] == 's')
        one.len--;
    for (size_t at = 0; at + one.len <= text.len; at++) {
        bool begins = at == 0 || !is_name_char(text.ptr[at - 1]);
        bool stands = memcmp(text.ptr + at, one.ptr, one.len) == 0;
        size_t end = at + one.len;
        end += stands && end < text.len && text.ptr[end] == 's';
        if (begins && stands && (end == text.len || !is_name_char(text.ptr[end])))
            return true;
    }
    return false;
}

static struct str before_of(struct str s, size_t at)
{
    size_t from = at > NEAR_BYTES ? at - NEAR_BYTES : 0;
    return (struct str){ s.ptr + from, at - from };
}

static struct str after_of(struct str s, size_t at, size_t most)
{
    size_t len = s.len - at < most ? s.len - at : most;
    return (struct str){ s.ptr + at, len };
}

static bool ends_as(struct str text, const char *const *ends)
{
    for (size_t i = 0; ends[i]; i++)
        if (mgi_str_ends(text, str_of(ends[i])))
            return true;
    return false;
}

/* roles.includes('w'), can.has('w'), role === 'w', ['v', 'w'].includes(role), and case 'w' of a
 * function that is near. `quote` is where the quote before it is. */
static bool is_held_to(const struct lettered *l, struct str s, size_t quote, size_t end)
{
    static const char *const calls[] = { "includes(", "has(", "indexOf(", "contains(", NULL };
    static const char *const equals[] = { "===", "==", "!==", "!=", "case", NULL };
    static const char *const lists[] = { "].includes(", "]).has(", "].indexOf(", NULL };
    struct str before = before_of(s, back_blank(s, quote));
    if (ends_as(before, calls) || ends_as(before, equals))
        return true;
    struct str after = after_of(s, past_blank(s, end), NEAR_BYTES);
    if (mgi_str_starts(after, STR_LIT("==")) || mgi_str_starts(after, STR_LIT("!=")))
        return true;
    for (size_t i = 0; lists[i]; i++) {
        size_t at = mgi_str_find(after, str_of(lists[i]));
        if (at != SIZE_MAX && names_member(l, after_of(s, (size_t)(after.ptr - s.ptr) + at, 60)) &&
            !memchr(after.ptr, ';', at))
            return true;
    }
    return false;
}

/* The name that is given the table around `at`: const NAME = { ... }, new Map([ ... ]). */
static struct str table_around(struct str s, size_t at)
{
    int depth = 0;
    for (size_t i = at; i > 0 && at - i < TABLE_BYTES; i--) {
        char c = s.ptr[i - 1];
        depth += c == '}' || c == ']';
        depth -= c == '{' || c == '[';
        if (c == ';' && depth == 0)
            break;
        if (c != '=' || depth >= 0 || i < 2 || strchr("=!<>", s.ptr[i - 2]) ||
            (i < s.len && strchr("=>", s.ptr[i])))
            continue;
        size_t end = back_blank(s, i - 1), from = end;
        while (from > 0 && is_name_char(s.ptr[from - 1]))
            from--;
        return (struct str){ s.ptr + from, end - from };
    }
    return STR_LIT("");
}

/* Some script looks into the table with the member: NAME[a.role], NAME.get(role). */
static bool table_is_read_by(const struct lettered *l, struct str table)
{
    for (size_t t = 0; table.len > 0 && t < l->list->code_count; t++) {
        struct str s = l->list->code[t].text;
        if (!mgi_may_scan(l->list, s))
            return false;
        for (size_t at = 1; at + table.len + 2 < s.len; at++) {
            size_t end = at + table.len;
            if (is_name_char(s.ptr[at - 1]) || !stands_at(s, at, table))
                continue;
            if (mgi_str_starts(after_of(s, end, 2), STR_LIT("?.")))
                end += 2;
            bool asked = s.ptr[end] == '[' ||
                         mgi_str_starts(after_of(s, end, 5), STR_LIT(".get(")) ||
                         mgi_str_starts(after_of(s, end, 5), STR_LIT(".has("));
            size_t open = end;
            while (open < s.len && asked && s.ptr[open] != '[' && s.ptr[open] != '(')
                open++;
            size_t close = asked ? mgi_form_close(s, open) : SIZE_MAX;
            if (close != SIZE_MAX && close - open < 80 &&
                names_member(l, (struct str){ s.ptr + open, close - open }))
                return true;
        }
    }
    return false;
}

/* A key of a table: "word:" or "'word':" or "['word'," of entries. */
static bool is_key_of_table(const struct lettered *l, struct str s, size_t at, size_t end)
{
    bool quoted = at > 0 && strchr("'\"`", s.ptr[at - 1]);
    size_t from = quoted ? at - 1 : at, next = past_blank(s, end + quoted);
    size_t before = back_blank(s, from);
    if (next >= s.len || before == 0)
        return false;
    bool key = s.ptr[next] == ':' && strchr("{,", s.ptr[before - 1]);
    bool entry = quoted && s.ptr[next] == ',' && s.ptr[before - 1] == '[';
    return (key || entry) && table_is_read_by(l, table_around(s, from));
}

/* ROLE of roles, ORDER_STATUS of status. */
static bool ends_with_member(const struct lettered *l, struct str prefix)
{
    struct str one = l->name;
    if (one.len > NAME_LEAST && one.ptr[one.len - 1] == 's' && prefix.len < one.len)
        one.len--;
    return prefix.len >= one.len &&
           mgi_str_same((struct str){ prefix.ptr + prefix.len - one.len, one.len }, one);
}

/* Whether what is known at `at` is the word: in other letters, or without what stands before it. */
static bool is_the_word(const struct lettered *l, struct str found, bool *prefixed)
{
    *prefixed = false;
    if (found.len == l->word.len)
        return mgi_str_same(found, l->word) && !str_eq(found, l->word);
    if (found.len < WORD_LEAST + 1 || found.len + 2 > l->word.len ||
        l->word.len - found.len > PREFIX_MOST)
        return false;
    size_t at = l->word.len - found.len;
    struct str end = { l->word.ptr + at, found.len }, prefix = { l->word.ptr, at - 1 };
    *prefixed = strchr("_:.-", l->word.ptr[at - 1]) && mgi_str_same(end, found) &&
                ends_with_member(l, prefix);
    return *prefixed;
}

static bool find_lookup(struct lettered *l, const struct code_text *code)
{
    struct str s = code->text;
    for (size_t at = 1; at < s.len; at++) {
        if (is_word_char(s.ptr[at - 1]) || !is_name_char(s.ptr[at]))
            continue;
        size_t end = at;
        while (end < s.len && is_word_char(s.ptr[end]) && end - at < WORD_MOST + 1 &&
               !(s.ptr[end] == ':' && !strchr("'\"`", s.ptr[at - 1])))
            end++;
        struct str found = { s.ptr + at, end - at };
        bool prefixed,
            quoted = end < s.len && strchr("'\"`", s.ptr[at - 1]) && s.ptr[end] == s.ptr[at - 1];
        if (found.len >= WORD_LEAST && is_the_word(l, found, &prefixed) &&
            ((quoted && is_held_to(l, s, at - 1, end + 1) &&
              (names_member(l, before_of(s, at)) || names_member(l, after_of(s, end, 60)))) ||
             is_key_of_table(l, s, at, end))) {
            l->other = found;
            l->place = (struct place){ s, at };
            l->prefixed = prefixed;
            return true;
        }
        at = end;
    }
    return false;
}

/* An answer has it as the code does, at a member of that name: there it is meant. */
static bool is_answered_as(const struct lettered *l)
{
    const struct fact_list *list = l->list;
    for (size_t r = 0; r < list->capture->request_count; r++)
        for (size_t i = 0; list->looked_at[r] && i < list->shapes[r].count; i++) {
            const struct shape_path *p = &list->shapes[r].paths[i];
            for (size_t v = 0; v < 3 && p->values[v].ptr; v++)
                if (str_eq(p->values[v], l->other) && str_eq(mgi_path_name(p->path), l->name))
                    return true;
        }
    return false;
}

/* What says no more than that something works. */
static bool says_little(struct str word)
{
    static const char *const words[] = { "ok",   "true", "false", "success", "error", "yes",
                                         "fail", "none", "null",  "up",      "down",  NULL };
    return mgi_str_same_as_any(word, words);
}

/* Names of what a page has of itself, too, without an answer. */
static bool is_of_page_itself(struct str name)
{
    static const char *const names[] = { "lang",   "language", "locale", "country", "currency",
                                         "method", "theme",    "unit",   "units",   "tag",
                                         "tags",   "name",     "title",  "label",   NULL };
    return mgi_str_same_as_any(name, names);
}

/* Another word of the same member is known as it is written: then this one is meant to be unknown,
 * or comes of another list. */
static bool is_member_known(const struct lettered *l, const struct shape_path *p)
{
    for (size_t i = 0; i < 3 && p->values[i].ptr; i++)
        if (is_code_word(p->values[i]) && mgi_code_says(l->list, p->values[i], false))
            return true;
    return false;
}

/* Some script has it in other letters, or what stands behind its prefix. */
static bool may_be_said(const struct lettered *l)
{
    struct str end = l->word;
    for (size_t i = l->word.len; i > 0 && end.len == l->word.len; i--)
        if (strchr("_:.-", l->word.ptr[i - 1]))
            end = (struct str){ l->word.ptr + i, l->word.len - i };
    return mgi_code_says(l->list, l->word, true) || mgi_code_says(l->list, end, true);
}

static bool tell_lettered(struct lettered *l, const struct shape_path *p)
{
    struct fact_list *list = l->list;
    if (mgi_is_shown(list, l->word) || mgi_is_shown_enough(list) || is_member_known(l, p) ||
        !may_be_said(l))
        return false;
    for (size_t t = 0; t < list->code_count; t++) {
        if (!list->code[t].own || !mgi_may_scan(list, list->code[t].text) ||
            !find_lookup(l, &list->code[t]) || changes_words(list, l->prefixed) ||
            is_answered_as(l))
            continue;
        mgi_fact(list, RANK_HIGH, "looked_up_as", NO_TIME, 0, "sssssn",
                 mgi_fact_id(list, "r", list->capture->requests[l->index].number), l->path, l->word,
                 l->other, list->code[t].url, mgi_place_line(&l->place));
        return true;
    }
    return false;
}

void mgi_facts_letters(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t answers = 0, told = 0, looked = 0;
    for (size_t r = 0; list->code_count > 0 && r < c->request_count && answers < ANSWERS_MOST;
         r++) {
        const struct shape *shape = &list->shapes[r];
        if (!list->looked_at[r] || c->requests[r].resource != RES_DATA ||
            c->requests[r].status >= 400 || shape->kind != BODY_JSON)
            continue;
        answers++;
        for (size_t i = 0; i < shape->count && told < TOLD_MOST; i++) {
            const struct shape_path *p = &shape->paths[i];
            struct lettered l = { .list = list, .index = r, .path = p->path };
            l.name = mgi_path_name(p->path);
            for (size_t v = 0; v < 3 && p->values[v].ptr && looked < LOOKED_MOST; v++) {
                l.word = p->values[v];
                if (l.name.len < NAME_LEAST || is_of_page_itself(l.name) || !is_code_word(l.word) ||
                    says_little(l.word) || mgi_code_says(list, l.word, false))
                    continue;
                looked++;
                if (tell_lettered(&l, p)) {
                    told++;
                    break;
                }
            }
        }
    }
}
