/* Numbers that an answer has as texts, and that the page shows one behind the other: 0 + "12" +
 * "40" is "01240". No code need be followed for it. */
#include "facts.h"

#define JOINED_PATHS 40
#define JOINED_TOLD  8
#define JOINED_BYTES 60

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 12, 12.50: how code would read it, too. */
static bool is_plain_number(struct str s, bool *point)
{
    *point = false;
    if (s.len == 0 || s.len > 12 || !is_digit(s.ptr[0]) || !is_digit(s.ptr[s.len - 1]))
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (is_digit(s.ptr[i]))
            continue;
        if (s.ptr[i] != '.' || *point)
            return false;
        *point = true;
    }
    return true;
}

static bool in_number(char c)
{
    return is_digit(c) || c == '.' || c == ',' || c == ':' || c == '-' || c == '/';
}

/* Where the page shows a number that begins so; `whole`: and ends there. Empty: nowhere. */
static struct str shown_number(const struct fact_list *list, struct str wanted, bool whole)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->shown.count; i++) {
        struct str text = more->shown.items[i].text;
        for (size_t from = 0; from + wanted.len <= text.len;) {
            struct str rest = { text.ptr + from, text.len - from };
            size_t at = mgi_str_find(rest, wanted);
            if (at == SIZE_MAX)
                break;
            size_t begin = from + at, end = begin + wanted.len;
            while (end < text.len &&
                   (is_digit(text.ptr[end]) ||
                    (text.ptr[end] == '.' && end + 1 < text.len && is_digit(text.ptr[end + 1]))))
                end++;
            if ((begin == 0 || !in_number(text.ptr[begin - 1])) &&
                (!whole || end == begin + wanted.len))
                return (struct str){ text.ptr + begin, end - begin };
            from = begin + 1;
        }
    }
    return STR_LIT("");
}

static struct str joined(struct fact_list *list, const char *first, struct str a, struct str b,
                         struct str c)
{
    const char *text = mgi_arena_printf(list->job->arena, "%s%.*s%.*s%.*s", first, STR_ARG(a),
                                        STR_ARG(b), STR_ARG(c));
    return text ? str_of(text) : STR_LIT("");
}

/* The members of a list, from 0 or from the first of them. */
static struct str joined_in_list(struct fact_list *list, const struct shape_path *p)
{
    bool point = false, all = true;
    size_t count = 0;
    for (; count < 3 && p->values[count].ptr; count++) {
        bool one;
        if (!is_plain_number(p->values[count], &one))
            return STR_LIT("");
        point = point || one;
        all = all && one;
    }
    if (count == 0 || (count == 1 && !point))
        return STR_LIT("");
    struct str b = count > 1 ? p->values[1] : STR_LIT(""),
               c = count > 2 ? p->values[2] : STR_LIT("");
    struct str found = shown_number(list, joined(list, "0", p->values[0], b, c), p->seen == count);
    if (found.len == 0 && all && count > 1)
        found = shown_number(list, joined(list, "", p->values[0], b, c), p->seen == count);
    return found;
}

/* Two members of one object, each with a point: 12.50 and 4.95. */
static struct str joined_in_object(struct fact_list *list, const struct shape *shape, size_t i)
{
    const struct shape_path *p = &shape->paths[i];
    bool point;
    if (!is_plain_number(p->values[0], &point) || !point)
        return STR_LIT("");
    for (size_t j = 0; j < shape->count && j < JOINED_PATHS; j++) {
        const struct shape_path *q = &shape->paths[j];
        if (j == i || q->parent != p->parent || q->values[0].ptr == NULL ||
            !is_plain_number(q->values[0], &point) || !point)
            continue;
        struct str found =
            shown_number(list, joined(list, "", p->values[0], q->values[0], STR_LIT("")), true);
        if (found.len > 0)
            return found;
    }
    return STR_LIT("");
}

void mgi_facts_joined(struct fact_list *list)
{
    size_t told = 0;
    for (size_t r = 0; r < list->capture->request_count && told < JOINED_TOLD; r++) {
        const struct request *request = &list->capture->requests[r];
        const struct shape *shape = &list->shapes[r];
        if (!list->looked_at[r] || request->resource != RES_DATA || shape->kind != BODY_JSON)
            continue;
        for (size_t i = 0; i < shape->count && i < JOINED_PATHS && told < JOINED_TOLD; i++) {
            const struct shape_path *p = &shape->paths[i];
            if (!(p->types & (1u << JSON_STRING)) || !p->values[0].ptr)
                continue;
            struct str found =
                p->in_array ? joined_in_list(list, p) : joined_in_object(list, shape, i);
            if (found.len == 0)
                continue;
            told++;
            mgi_fact(list, RANK_HIGH, "shown_joined", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "r", request->number), p->path,
                     mgi_utf8_prefix(found, JOINED_BYTES));
        }
    }
}
