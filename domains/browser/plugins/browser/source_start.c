/* Code that runs once, when its script does: at its top, in a function that is called there and
 * nowhere else, in what waits for an answer there. Not what a click, a timer or a message calls. */
#include "source_start.h"

#include "source_forms.h"

#define AROUND_MOST  24
#define SCANNED_MOST (256u * 1024)
#define NAMED_MOST   12
#define ALIAS_BYTES  4000

/* The brackets around a place, the outermost first. */
struct around {
    size_t open[AROUND_MOST];
    size_t count;
};

/* Behind a text in quotes or a comment; `at` itself: there is none. */
static size_t past_text(struct str s, size_t at)
{
    char c = s.ptr[at];
    bool comment = c == '/' && at + 1 < s.len;
    if (comment && s.ptr[at + 1] == '/' && (at == 0 || s.ptr[at - 1] != ':')) {
        while (at < s.len && s.ptr[at] != '\n')
            at++;
    } else if (comment && s.ptr[at + 1] == '*') {
        size_t end = mgi_str_find((struct str){ s.ptr + at, s.len - at }, STR_LIT("*/"));
        at = end == SIZE_MAX ? s.len : at + end + 2;
    } else if (c == '"' || c == '\'') {
        for (size_t i = at + 1; i < s.len && s.ptr[i] != '\n'; i++) {
            if (s.ptr[i] == '\\')
                i++;
            else if (s.ptr[i] == c)
                return i + 1;
        }
        at++;
    }
    return at;
}

/* False: it lies too deep or too far behind, or in a text. */
static bool brackets_around(struct str s, size_t at, struct around *out)
{
    out->count = 0;
    if (at > SCANNED_MOST)
        return false;
    for (size_t i = 0; i < at && i < s.len;) {
        size_t next = past_text(s, i);
        if (next > at)
            return false;
        if (next > i) {
            i = next;
            continue;
        }
        if (s.ptr[i] == '(' || s.ptr[i] == '[' || s.ptr[i] == '{') {
            if (out->count == AROUND_MOST)
                return false;
            out->open[out->count++] = i;
        } else if ((s.ptr[i] == ')' || s.ptr[i] == ']' || s.ptr[i] == '}') && out->count > 0) {
            out->count--;
        }
        i++;
    }
    return true;
}

/* The bracket that the one that ends at `end` closes; SIZE_MAX: none near. */
static size_t opens_at(struct str s, size_t end)
{
    int depth = 0;
    for (size_t i = end; i > 0 && end - i < 400; i--) {
        depth += s.ptr[i - 1] == ')';
        depth -= s.ptr[i - 1] == '(';
        if (depth == 0)
            return i - 1;
    }
    return SIZE_MAX;
}

enum sort_of_block { BLOCK_PLAIN, BLOCK_FUNCTION };

/* What the brace at `open` begins; of a function, where that begins. */
static enum sort_of_block block_at(struct str s, size_t open, size_t *start)
{
    static const char *const words[] = { "if", "for", "while", "switch", "catch", "with", NULL };
    size_t before = back_blank(s, open);
    bool arrow = before > 1 && s.ptr[before - 1] == '>' && s.ptr[before - 2] == '=';
    if (arrow)
        before = back_blank(s, before - 2);
    *start = before;
    if (before == 0 || (s.ptr[before - 1] != ')' && !arrow))
        return BLOCK_PLAIN;
    size_t from = s.ptr[before - 1] == ')' ? opens_at(s, before) : SIZE_MAX;
    for (size_t i = 0; from != SIZE_MAX && !arrow && words[i]; i++)
        if (mgi_form_word_before(s, from, words[i]))
            return BLOCK_PLAIN;
    if (from == SIZE_MAX) /* x => { */
        for (from = before; from > 0 && is_name_char(s.ptr[from - 1]);)
            from--;
    *start = from;
    return BLOCK_FUNCTION;
}

/* Its name: "function name(", "name = (", "name = async (", "name(" of a method; empty: none. */
static struct str name_of(struct str s, size_t start)
{
    size_t end = back_blank(s, start);
    if (mgi_form_word_before(s, end, "async"))
        end = back_blank(s, end - strlen("async"));
    if (mgi_form_word_before(s, end, "function"))
        end = back_blank(s, end - strlen("function"));
    if (mgi_form_word_before(s, end, "async"))
        end = back_blank(s, end - strlen("async"));
    if (end > 0 && s.ptr[end - 1] == '=')
        end = back_blank(s, end - 1);
    size_t from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    return (struct str){ s.ptr + from, end - from };
}

/* In the expression of an arrow function, () => name(a), which is called whenever it is. */
static bool is_of_arrow(struct str s, size_t at)
{
    for (size_t i = at; i > 1 && at - i < 200 && !strchr(";\n{}", s.ptr[i - 1]); i--)
        if (s.ptr[i - 1] == '>' && s.ptr[i - 2] == '=')
            return true;
    return false;
}

/* How often the text has the name, up to 3, and how often it calls it at its top. */
static size_t count_named(struct str s, struct str name, size_t *at_top)
{
    size_t named = 0;
    *at_top = 0;
    for (size_t at = 0; name.len > 1 && named < 3 && at + name.len < s.len; at++) {
        struct around around;
        if (!stands_at(s, at, name) ||
            (at > 0 && (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.')) ||
            !brackets_around(s, at, &around))
            continue;
        size_t after = past_blank(s, at + name.len);
        named++;
        *at_top += around.count == 0 && after < s.len && s.ptr[after] == '(' &&
                   !mgi_form_word_before(s, at, "function") && !is_of_arrow(s, at);
        at += name.len;
    }
    return named;
}

/* Called at the top, and nothing else is done with its name: there, or in the one other script that
 * imports it. */
static bool is_called_at_top(struct str s, struct str name, const struct str *others, size_t count)
{
    size_t called, sum = 0, knowing = 0;
    size_t named = count_named(s, name, &called);
    if (called == 1 && named == 2)
        return true;
    for (size_t i = 0; named == 1 && i < count; i++) {
        size_t there = others[i].ptr == s.ptr ? 0 : count_named(others[i], name, &called);
        knowing += there > 0;
        sum += there == 2 && called == 1;
    }
    return knowing == 1 && sum == 1;
}

/* (function () { ... })(), (() => { ... })(). */
static bool is_called_at_once(struct str s, size_t open)
{
    size_t end = mgi_form_close(s, open);
    if (end == SIZE_MAX)
        return false;
    end = past_blank(s, end);
    if (end < s.len && s.ptr[end] == ')')
        end = past_blank(s, end + 1);
    return end < s.len && s.ptr[end] == '(';
}

/* .then(f), list.forEach(f), addEventListener('DOMContentLoaded', f). */
static bool is_called_by(struct str s, size_t call)
{
    static const char *const words[] = { "then", "finally", "forEach", "map", "ready", NULL };
    for (size_t i = 0; words[i]; i++)
        if (mgi_form_word_before(s, call, words[i]))
            return true;
    struct str argument = mgi_utf8_prefix((struct str){ s.ptr + call, s.len - call }, 22);
    return mgi_str_find(argument, STR_LIT("DOMContentLoaded")) != SIZE_MAX;
}

bool mgi_source_runs_at_start(struct str s, size_t at, const struct str *others, size_t count)
{
    struct around around;
    if (!brackets_around(s, at, &around))
        return false;
    for (size_t i = around.count; i-- > 0;) {
        size_t open = around.open[i], start;
        if (s.ptr[open] != '{' || block_at(s, open, &start) == BLOCK_PLAIN ||
            is_called_at_once(s, open))
            continue;
        if (i > 0 && s.ptr[around.open[i - 1]] == '(' && is_called_by(s, around.open[i - 1]))
            continue;
        return is_called_at_top(s, name_of(s, start), others, count);
    }
    return true;
}

/* Behind "if (...) { ... }" that the place stands in the condition of: is there an else? */
static bool has_other_way(struct str s, size_t open)
{
    size_t end = mgi_form_close(s, open);
    if (end == SIZE_MAX)
        return true;
    end = past_blank(s, end);
    if (end < s.len && s.ptr[end] == '{')
        end = mgi_form_close(s, end);
    else
        while (end < s.len && s.ptr[end] != ';' && s.ptr[end] != '\n')
            end++;
    if (end == SIZE_MAX)
        return true;
    end = past_blank(s, end < s.len && s.ptr[end] == ';' ? end + 1 : end);
    return stands_at(s, end, STR_LIT("else"));
}

/* "if (!alias)", "!alias ?", "alias ?", which ask for no more than whether it is there. */
static bool is_looked_at(struct str s, size_t at, size_t behind)
{
    bool denied = s.ptr[at - 1] == '!' && at > 1 && s.ptr[at - 2] != '!';
    bool chosen = behind + 1 < s.len && s.ptr[behind] == '?' && !strchr(".?", s.ptr[behind + 1]);
    return chosen ||
           (denied && at > 2 && s.ptr[at - 2] == '(' && mgi_form_word_before(s, at - 2, "if"));
}

static bool has_asked(struct str s, struct str alias)
{
    for (size_t at = 1; alias.len > 0 && at + alias.len + 2 < s.len; at++) {
        if (!stands_at(s, at, alias) || is_name_char(s.ptr[at - 1]))
            continue;
        size_t after = at + alias.len, behind = past_blank(s, after);
        bool chained = s.ptr[after] == '?' && s.ptr[after + 1] == '.';
        bool joined = behind + 1 < s.len && s.ptr[behind] == '&' && s.ptr[behind + 1] == '&';
        if (chained || joined || is_looked_at(s, at, behind) ||
            (s.ptr[at - 1] == '(' && s.ptr[after] == ')' && mgi_form_word_before(s, at - 1, "if")))
            return true;
    }
    return false;
}

/* const rich = window.Rich; and then rich?.f(). */
static bool is_asked_by_alias(struct str s, size_t at, size_t after)
{
    size_t end = back_blank(s, at);
    if (end < 2 || s.ptr[end - 1] != '=' || !strchr(";,\n", s.ptr[after]))
        return false;
    end = back_blank(s, end - 1);
    size_t from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    size_t room = s.len - after < ALIAS_BYTES ? s.len - after : ALIAS_BYTES;
    return has_asked((struct str){ s.ptr + after, room }, (struct str){ s.ptr + from, end - from });
}

struct str mgi_source_name_asked(struct str s, size_t at)
{
    static const char *const globals[] = { "window.", "globalThis.", "self." };
    size_t from = SIZE_MAX;
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
        if (mgi_str_starts((struct str){ s.ptr + at, s.len - at }, str_of(globals[i])))
            from = at + strlen(globals[i]);
    if (from == SIZE_MAX || (at > 0 && (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.')))
        return STR_LIT("");
    struct str name = name_at(s, from);
    size_t end = from + name.len, after = past_blank(s, end), before = back_blank(s, at);
    bool condition =
        before > 1 && s.ptr[before - 1] == '(' && mgi_form_word_before(s, before - 1, "if");
    if (name.len < 2 || after + 1 >= s.len || (condition && has_other_way(s, before - 1)))
        return STR_LIT("");
    bool chained = s.ptr[after] == '?' && s.ptr[after + 1] == '.';
    bool joined = s.ptr[after] == '&' && s.ptr[after + 1] == '&';
    return chained || joined || (condition && s.ptr[after] == ')') || is_asked_by_alias(s, at, end)
               ? name
               : STR_LIT("");
}

bool mgi_source_only_at_start(struct str s, struct str name, const struct str *others, size_t count)
{
    size_t named = 0;
    for (size_t at = 1; at + name.len < s.len && named <= NAMED_MOST; at++) {
        if (!stands_at(s, at, name) || is_name_char(s.ptr[at - 1]))
            continue;
        named++;
        if (!mgi_source_runs_at_start(s, at, others, count))
            return false;
    }
    return named <= NAMED_MOST;
}
