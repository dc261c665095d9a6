/* What a value is used as, by the form of what stands around it: compared with a text or a number,
 * added to something, made a date or a number. */
#include "source_follow.h"

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
        mgi_note_take(f, p, start, kind_of_operand(s, other, start));
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
        mgi_note_take(f, p, start, TAKE_ADDED);
}

static bool is_empty_list(struct str s, size_t at)
{
    size_t end = at < s.len && s.ptr[at] == '[' ? past_blank(s, at + 1) : s.len;
    return end < s.len && s.ptr[end] == ']';
}

/* Behind "Array.isArray(value": ") ? value : []", which knows of nothing else than a list. */
static bool else_nothing(struct str s, size_t at)
{
    at = at < s.len && s.ptr[at] == ')' ? past_blank(s, at + 1) : s.len;
    if (at >= s.len || s.ptr[at] != '?')
        return false;
    size_t colon = at;
    while (colon < s.len && colon - at < 80 && !strchr(":;\n", s.ptr[colon]))
        colon++;
    size_t other = colon < s.len && s.ptr[colon] == ':' ? past_blank(s, colon + 1) : s.len;
    return stands_at(s, other, STR_LIT("null")) || stands_at(s, other, STR_LIT("undefined")) ||
           is_empty_list(s, other);
}

/* "value || []", "value ?? []". */
static bool or_empty_list(struct str s, size_t at)
{
    bool either =
        at + 1 < s.len && (s.ptr[at] == '|' || s.ptr[at] == '?') && s.ptr[at + 1] == s.ptr[at];
    size_t other = either ? past_blank(s, at + 2) : s.len;
    return is_empty_list(s, other);
}

/* new Date(value), value * 2: what it has to be. */
static void note_use(struct follow *f, const struct path *p, size_t start, size_t end)
{
    struct str s = f->text;
    size_t before = back_blank(s, start), after = past_blank(s, end);
    char ahead = after < s.len ? s.ptr[after] : ' ', back = before > 0 ? s.ptr[before - 1] : ' ';
    size_t word = back == '(' ? before - 1 : 0;
    if (word > 0 && mgi_form_word_before(s, word, "Date"))
        mgi_note_take(f, p, start, TAKE_AS_DATE);
    if (or_empty_list(s, after) ||
        (word > 0 && mgi_form_word_before(s, word, "isArray") && else_nothing(s, after)))
        mgi_note_take(f, p, start, TAKE_AS_LIST);
    if ((word > 0 &&
         (mgi_form_word_before(s, word, "Number") || mgi_form_word_before(s, word, "parseFloat") ||
          mgi_form_word_before(s, word, "parseInt"))) ||
        (strchr("*/", ahead) && (after + 1 >= s.len || !strchr("/*", s.ptr[after + 1]))) ||
        (strchr("*/", back) && back != ' '))
        mgi_note_take(f, p, start, TAKE_AS_NUMBER);
}

void mgi_note_uses(struct follow *f, const struct path *p, size_t start, size_t end)
{
    note_use(f, p, start, end);
    note_comparison(f, p, start, end);
    note_sum(f, p, start, end);
}
