/* Forms of code that are found by their brackets: blocks, calls, functions and their parameters. */
#include "source_forms.h"

/* Functions and blocks are looked through no further than this. */
#define FORM_BYTES 20000u

bool mgi_form_word_before(struct str s, size_t at, const char *word)
{
    size_t len = strlen(word), end = back_blank(s, at);
    return end >= len && memcmp(s.ptr + end - len, word, len) == 0 &&
           (end == len || !is_name_char(s.ptr[end - len - 1]));
}

/* Behind the text in quotes, or the comment to the end of the line, that begins at `at`. */
static size_t behind_words(struct str s, size_t at)
{
    char c = s.ptr[at];
    if (c == '/' && at + 1 < s.len && s.ptr[at + 1] == '/' && (at == 0 || s.ptr[at - 1] != ':')) {
        while (at < s.len && s.ptr[at] != '\n')
            at++;
        return at;
    }
    if (c != '"' && c != '\'')
        return at;
    for (size_t i = at + 1; i < s.len && s.ptr[i] != '\n'; i++) {
        if (s.ptr[i] == '\\')
            i++;
        else if (s.ptr[i] == c)
            return i + 1;
    }
    return at + 1;
}

static size_t find_end(struct str s, size_t at, int depth)
{
    for (size_t from = at; at < s.len && at - from < FORM_BYTES;) {
        size_t next = behind_words(s, at);
        if (next > at) {
            at = next;
            continue;
        }
        depth += s.ptr[at] == '(' || s.ptr[at] == '[' || s.ptr[at] == '{';
        depth -= s.ptr[at] == ')' || s.ptr[at] == ']' || s.ptr[at] == '}';
        if (depth == 0)
            return at;
        at++;
    }
    return SIZE_MAX;
}

size_t mgi_form_close(struct str s, size_t open)
{
    size_t end = open < s.len ? find_end(s, open + 1, 1) : SIZE_MAX;
    return end == SIZE_MAX ? end : end + 1;
}

size_t mgi_form_block_end(struct str s, size_t at)
{
    size_t end = find_end(s, at, 1);
    if (end != SIZE_MAX)
        return end;
    return s.len - at < FORM_BYTES ? s.len : at + FORM_BYTES;
}

/* What stands behind the parameters: "=> x", "=> {", "{". */
static bool body_behind(struct str s, size_t at, struct form_function *out)
{
    at = past_blank(s, at);
    bool arrow = at + 1 < s.len && s.ptr[at] == '=' && s.ptr[at + 1] == '>';
    out->body = past_blank(s, arrow ? at + 2 : at);
    if (out->body >= s.len || (!arrow && s.ptr[out->body] != '{'))
        return false;
    out->end =
        s.ptr[out->body] == '{' ? mgi_form_close(s, out->body) : mgi_form_block_end(s, out->body);
    return out->end != SIZE_MAX;
}

bool mgi_form_function_at(struct str s, size_t at, struct form_function *out)
{
    out->text = s;
    at = past_blank(s, at);
    if (stands_at(s, at, STR_LIT("async")))
        at = past_blank(s, at + strlen("async"));
    if (stands_at(s, at, STR_LIT("function"))) {
        at = past_blank(s, at + strlen("function"));
        at = past_blank(s, at + name_at(s, at).len);
    }
    if (at >= s.len)
        return false;
    if (s.ptr[at] == '(') {
        size_t close = mgi_form_close(s, at);
        out->params = at + 1;
        return close != SIZE_MAX && body_behind(s, close, out);
    }
    size_t len = name_at(s, at).len, arrow = past_blank(s, at + len);
    out->params = at;
    return len > 0 && arrow + 1 < s.len && s.ptr[arrow] == '=' && s.ptr[arrow + 1] == '>' &&
           body_behind(s, arrow, out);
}

/* "function name(", "name = (", "name: function (", "name(a) {". */
static bool function_here(struct str s, size_t at, size_t len, struct form_function *out)
{
    size_t after = past_blank(s, at + len);
    if (after >= s.len)
        return false;
    if ((s.ptr[after] == '=' && after + 1 < s.len && s.ptr[after + 1] != '=') ||
        s.ptr[after] == ':')
        return mgi_form_function_at(s, after + 1, out);
    return s.ptr[after] == '(' && mgi_form_function_at(s, after, out) && s.ptr[out->body] == '{';
}

bool mgi_form_function_named(struct str s, struct str name, struct form_function *out)
{
    for (size_t at = 0; name.len > 0 && at + name.len < s.len; at++) {
        const char *found = memchr(s.ptr + at, name.ptr[0], s.len - at);
        if (!found)
            return false;
        at = (size_t)(found - s.ptr);
        bool begins = at == 0 || !is_name_char(s.ptr[at - 1]);
        if (begins && stands_at(s, at, name) && function_here(s, at, name.len, out))
            return true;
    }
    return false;
}

size_t mgi_form_item(struct str s, size_t from, size_t number)
{
    size_t at = from;
    int depth = 0;
    for (; at < s.len && at - from < FORM_BYTES && number > 0; at++) {
        depth += s.ptr[at] == '(' || s.ptr[at] == '[' || s.ptr[at] == '{';
        depth -= s.ptr[at] == ')' || s.ptr[at] == ']' || s.ptr[at] == '}';
        if (depth < 0)
            return SIZE_MAX;
        number -= depth == 0 && s.ptr[at] == ',';
    }
    at = past_blank(s, at);
    return number == 0 && at < s.len && !strchr(")]}", s.ptr[at]) ? at : SIZE_MAX;
}

bool mgi_form_list_around(struct str s, size_t at, size_t *open, size_t *number)
{
    int depth = 0;
    *number = 0;
    for (size_t i = at; i-- > 0 && at - i < 2000;) {
        char c = s.ptr[i];
        depth += c == ')' || c == ']' || c == '}';
        if (c == '(' || c == '[' || c == '{') {
            *open = i;
            if (depth-- == 0)
                return true;
        }
        *number += depth == 0 && c == ',';
        if (depth == 0 && c == ';')
            return false;
    }
    return false;
}
