/* Numbers that JSON.parse cannot hold: an integer beyond 2^53 is read as the nearest that a double
 * has, and as an id it is then another thing's. Only where such a number is asked for are the
 * answers before looked through. */
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"

#define DIGITS_LEAST 16 /* 2^53 has as many */
#define DIGITS_MOST  21 /* from here on code writes 1e+21 */
#define TEXT_MOST    (256u * 1024)
#define BEFORE_MOST  20

static size_t digits_at(struct str s, size_t at)
{
    size_t n = 0;
    while (at + n < s.len && s.ptr[at + n] >= '0' && s.ptr[at + n] <= '9')
        n++;
    return n;
}

/* As code writes the number that it read: the fewest digits that name that double, then zeros. */
static struct str as_code_writes(struct str digits, char out[DIGITS_MOST + 8])
{
    char text[DIGITS_MOST + 1], shortest[40];
    memcpy(text, digits.ptr, digits.len);
    text[digits.len] = '\0';
    double value = strtod(text, NULL);
    for (int precision = 0; precision <= 16; precision++) {
        snprintf(shortest, sizeof shortest, "%.*e", precision, value);
        if (strtod(shortest, NULL) == value)
            break;
    }
    size_t len = 0, power = strtoul(strchr(shortest, 'e') + 1, NULL, 10);
    for (const char *c = shortest; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            out[len++] = *c;
    while (len < power + 1 && len < DIGITS_MOST)
        out[len++] = '0';
    return (struct str){ out, len };
}

/* A number of the answer, not within a text, that is read as `read`. */
static struct str written_as(struct str answer, struct str read)
{
    char out[DIGITS_MOST + 8];
    bool quoted = false;
    for (size_t at = 0; at < answer.len && at < TEXT_MOST;) {
        char c = answer.ptr[at];
        size_t digits = quoted ? 0 : digits_at(answer, at);
        struct str number = { answer.ptr + at, digits };
        if (digits >= DIGITS_LEAST && digits <= DIGITS_MOST && !str_eq(number, read) &&
            str_eq(as_code_writes(number, out), read))
            return number;
        quoted ^= c == '"';
        at += digits > 0 ? digits : quoted && c == '\\' ? 2 : 1;
    }
    return (struct str){ 0 };
}

static void look_back(struct fact_list *list, size_t index, struct str read)
{
    const struct capture *c = list->capture;
    size_t seen = 0;
    for (size_t i = index; i-- > 0 && seen < BEFORE_MOST;) {
        bool known, binary;
        struct str text = mgi_answer_text(&c->requests[i], &known, &binary);
        if (!list->looked_at[i] || c->requests[i].resource != RES_DATA || binary || text.len == 0)
            continue;
        seen++;
        struct str written = written_as(text, read);
        if (written.len == 0)
            continue;
        mgi_fact(list, RANK_HIGH, "asked_rounded", NO_TIME, 0, "ssss",
                 mgi_fact_id(list, "r", c->requests[index].number),
                 mgi_fact_id(list, "r", c->requests[i].number), written, read);
        return;
    }
}

void mgi_facts_rounded(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count; i++) {
        struct str url = c->requests[i].url;
        if (!list->looked_at[i] || c->requests[i].resource != RES_DATA)
            continue;
        for (size_t at = mgi_url_origin(url).len; at < url.len;) {
            size_t digits = digits_at(url, at);
            if (digits >= DIGITS_LEAST && digits <= DIGITS_MOST)
                look_back(list, i, (struct str){ url.ptr + at, digits });
            at += digits > 0 ? digits : 1;
        }
    }
}
