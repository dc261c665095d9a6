/* Days that a page shows or sends a month off: months of a date as text count from 1, and those of
 * Date from 0. The slip is read in the scripts, new Date(y, m, d) of what was taken apart or
 * chosen, and texts that are put together with getMonth(); what came of it is looked for in what is
 * shown of an answer's days, and in what was sent. */
#include "facts.h"
#include "source_forms.h"
#include "source_int.h"

#define SLIPS_MOST     6
#define NEAR_BYTES     300
#define ARGS_BYTES     200
#define JOINED_BYTES   90
#define LESSENED_BYTES 8
#define DATES_MOST     12
#define ANSWERS_MOST   20
#define TEXT_MOST      (128u * 1024)
#define TOLD_MOST      3

struct ymd {
    int64_t year;
    int month, day; /* the month as it is written */
};

/* +1: a month that counts from 1 is given to Date; -1: one of Date's is written. */
struct month_slip {
    const struct code_text *code;
    size_t at;
    int by;
};

struct months {
    struct fact_list *list;
    struct month_slip slips[SLIPS_MOST];
    size_t count, told;
};

static struct str part_between(struct str s, size_t from, size_t to)
{
    to = to < s.len ? to : s.len;
    from = from < to ? from : to;
    return (struct str){ s.ptr + from, to - from };
}

static bool has_one_of(struct str s, const char *const *parts)
{
    for (size_t i = 0; parts[i]; i++)
        if (mgi_str_find(s, str_of(parts[i])) != SIZE_MAX)
            return true;
    return false;
}

/* ---- slips -------------------------------------------------------------------------------------
 */

/* The name at the end of "Number(form.month.value)", "+m", "v.get('month')", "parts[1]". */
static struct str name_of_argument(struct str arg)
{
    size_t end = arg.len;
    while (end > 0 && (strchr(")]'\"` ", arg.ptr[end - 1])))
        end--;
    if (end > 6 && memcmp(arg.ptr + end - 6, ".value", 6) == 0)
        end -= 6;
    size_t from = end;
    while (from > 0 && is_name_char(arg.ptr[from - 1]))
        from--;
    return part_between(arg, from, end);
}

/* "form.month.value" of "Number(form.month.value)", "m" of "+m". */
static struct str core_of_argument(struct str arg)
{
    size_t from = arg.len, end;
    while (from > 0 && !strchr("(+ ", arg.ptr[from - 1]))
        from--;
    for (end = from; end < arg.len && !strchr("), ", arg.ptr[end]); end++)
        ;
    return part_between(arg, from, end);
}

/* "m - 1", "month--", "Number(parts[1]) - 1" before it. */
static bool is_lessened(struct str before, struct str core)
{
    static const char *const less[] = { "- 1", "-1", "--", "-= 1", "-=1", NULL };
    for (size_t at = 0; core.len > 0 && at + core.len < before.len; at++)
        if (stands_at(before, at, core) && (at == 0 || !is_name_char(before.ptr[at - 1])) &&
            has_one_of(part_between(before, at + core.len, at + core.len + LESSENED_BYTES), less))
            return true;
    return false;
}

static bool is_month_name(struct str name)
{
    static const char *const names[] = { "m",    "mm",  "mo",    "mon",  "month", "monat",
                                         "mois", "mes", "maand", "mese", "mth",   NULL };
    return mgi_str_same_as_any(name, names);
}

/* Figures n, n+1, n+2: parts[0], parts[1], parts[2] of one list. */
static bool are_parts(struct str year, struct str month, struct str day)
{
    size_t a = mgi_str_find(year, STR_LIT("[")), b = mgi_str_find(month, STR_LIT("["));
    size_t c = mgi_str_find(day, STR_LIT("["));
    if (a == SIZE_MAX || b == SIZE_MAX || c == SIZE_MAX || a + 1 >= year.len ||
        b + 1 >= month.len || c + 1 >= day.len)
        return false;
    char first = year.ptr[a + 1];
    return first >= '0' && first <= '1' && month.ptr[b + 1] == first + 1 &&
           day.ptr[c + 1] == first + 2;
}

static bool is_figures(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return true;
}

/* Some text of the page gives a choice of months values from 1 to 12: value="12">December,
 * new Option(NAMES[i], i + 1). */
static bool months_are_chosen_from_one(const struct fact_list *list)
{
    for (size_t i = 0; i < list->code_count; i++) {
        struct str rest = list->code[i].text;
        while (list->code[i].own && rest.len > 0) {
            struct str line = mgi_next_line(&rest);
            bool option = mgi_contains(line, "option"), month = mgi_contains(line, "month");
            bool named = month || mgi_contains(line, "names") || mgi_contains(line, "dec");
            static const char *const from_one[] = { "+ 1",    "+1",   "=12 ", "=12>",
                                                    "\"12\"", "'12'", NULL };
            if (option && named && has_one_of(line, from_one))
                return true;
        }
    }
    return false;
}

/* What is taken apart is a text, in which months count from 1; what was chosen may count so. */
static bool counts_from_one(const struct months *m, struct str before, struct str args,
                            struct str month, bool parts)
{
    static const char *const apart[] = { ".split(", ".exec(",  ".match(", ".matchAll(",
                                         ".slice(", ".substr", NULL };
    static const char *const chosen[] = { ".value", "FormData", ".get(", NULL };
    static const char *const less[] = { "- 1", "-1", "--", "-= 1", "-=1", NULL };
    if (has_one_of(args, less) || is_lessened(before, core_of_argument(month)) ||
        mgi_contains(month, "index"))
        return false;
    if (has_one_of(before, apart) || has_one_of(args, apart))
        return parts || is_month_name(name_of_argument(month));
    return (has_one_of(args, chosen) || has_one_of(before, chosen)) &&
           is_month_name(name_of_argument(month)) && months_are_chosen_from_one(m->list);
}

/* new Date(y, m, d) and Date.UTC(y, m, d) at `at`. */
static bool gives_month_from_one(const struct months *m, struct str s, size_t at)
{
    static const char *const calls[] = { "new Date(", "Date.UTC(" };
    size_t open = SIZE_MAX;
    for (size_t i = 0; i < 2; i++)
        if (mgi_str_starts(part_between(s, at, s.len), str_of(calls[i])))
            open = at + strlen(calls[i]) - 1;
    size_t close = open != SIZE_MAX ? mgi_form_close(s, open) : SIZE_MAX;
    if (close == SIZE_MAX || close - open > ARGS_BYTES)
        return false;
    size_t month = mgi_form_item(s, open + 1, 1), day = mgi_form_item(s, open + 1, 2);
    if (month == SIZE_MAX || day == SIZE_MAX || month >= close || day >= close)
        return false;
    size_t rest = mgi_form_item(s, open + 1, 3);
    struct str cut = STR_LIT(" ,\n");
    struct str year = part_between(s, open + 1, month - 1);
    struct str second = mgi_str_trim(part_between(s, month, day), cut.ptr);
    struct str third = mgi_str_trim(
        part_between(s, day, rest != SIZE_MAX && rest < close ? rest : close - 1), cut.ptr);
    bool sums = memchr(second.ptr, '+', second.len) && second.ptr[0] != '+';
    if (second.len == 0 || third.len == 0 || is_figures(second) || is_figures(third) || sums)
        return false;
    struct str before = part_between(s, at > NEAR_BYTES ? at - NEAR_BYTES : 0, at);
    return counts_from_one(m, before, part_between(s, open, close), second,
                           are_parts(year, second, third));
}

/* getMonth() in a text of a day, without + 1: "getDate() + '/' + d.getMonth() + '/' ...". */
static bool writes_month_from_zero(struct str s, size_t at)
{
    static const char call[] = "getMonth()";
    static const char *const day[] = { "getDate()", NULL };
    static const char *const joints[] = { "'-'",   "\"-\"", "'/'", "\"/\"", "'.'",
                                          "\".\"", "}-$",   "}/$", "}.$",   NULL };
    if (!mgi_str_starts(part_between(s, at, s.len), STR_LIT(call)))
        return false;
    size_t end = at + strlen(call), next = past_blank(s, end);
    size_t from = mgi_chain_start(s, at), before = back_blank(s, from);
    bool counted = next + 1 < s.len && s.ptr[next] == '+' && s.ptr[past_blank(s, next + 1)] == '1';
    bool listed = before > 0 && s.ptr[before - 1] == '[';
    size_t first = at, last = end;
    while (first > 0 && at - first < JOINED_BYTES && !strchr(";\n", s.ptr[first - 1]))
        first--;
    while (last < s.len && last - end < JOINED_BYTES && !strchr(";\n", s.ptr[last]))
        last++;
    struct str around = part_between(s, first, last);
    bool compared = mgi_str_find(around, STR_LIT("==")) != SIZE_MAX ||
                    mgi_str_find(around, STR_LIT("new Date(")) != SIZE_MAX;
    return !counted && !listed && !compared && has_one_of(around, day) &&
           has_one_of(around, joints);
}

static void find_slips(struct months *m)
{
    for (size_t i = 0; i < m->list->code_count; i++) {
        const struct code_text *code = &m->list->code[i];
        for (size_t at = 0; code->own && at + 10 < code->text.len && m->count < SLIPS_MOST; at++) {
            char c = code->text.ptr[at];
            int by = 0;
            if ((c == 'n' || c == 'D') && gives_month_from_one(m, code->text, at))
                by = 1;
            else if (c == 'g' && writes_month_from_zero(code->text, at))
                by = -1;
            if (by != 0)
                m->slips[m->count++] = (struct month_slip){ code, at, by };
        }
    }
}

/* ---- days
 * ---------------------------------------------------------------------------------------- */

static size_t figures_at(struct str s, size_t at, size_t most, int64_t *out)
{
    size_t n = 0;
    *out = 0;
    while (at + n < s.len && n <= most && s.ptr[at + n] >= '0' && s.ptr[at + n] <= '9')
        *out = *out * 10 + (s.ptr[at + n++] - '0');
    return n;
}

/* "2027-03-05", also with figures left out: 2027-3-5; not a part of a longer number. */
static bool day_at(struct str s, size_t at, struct ymd *out, size_t *len)
{
    int64_t month, day;
    size_t y = figures_at(s, at, 4, &out->year);
    if (y != 4 || (at > 0 && (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '-')) ||
        at + 5 >= s.len || s.ptr[at + 4] != '-')
        return false;
    size_t m = figures_at(s, at + 5, 2, &month);
    size_t next = at + 5 + m;
    if (m == 0 || m > 2 || next + 1 >= s.len || s.ptr[next] != '-')
        return false;
    size_t d = figures_at(s, next + 1, 2, &day);
    *len = next + 1 + d - at;
    out->month = (int)month;
    out->day = (int)day;
    bool goes_on = at + *len < s.len && is_name_char(s.ptr[at + *len]) && s.ptr[at + *len] != 'T';
    return d > 0 && d <= 2 && !goes_on && out->year > 1900 && out->year < 2200 && month <= 12 &&
           day >= 1 && day <= 31;
}

static struct ymd shifted(struct ymd d, int by)
{
    d.month += by;
    if (by > 0 && d.month > 12) {
        d.month -= 12;
        d.year++;
    }
    return d;
}

static bool stands_alone(struct str s, size_t at, size_t len)
{
    return (at == 0 || !strchr("0123456789", s.ptr[at - 1])) &&
           (at + len >= s.len || !strchr("0123456789", s.ptr[at + len]));
}

static bool has_alone(struct str text, const char *form)
{
    struct str wanted = str_of(form);
    for (size_t at = 0; at + wanted.len <= text.len; at++)
        if (memcmp(text.ptr + at, wanted.ptr, wanted.len) == 0 &&
            stands_alone(text, at, wanted.len))
            return true;
    return false;
}

/* The ways in which people write a day; NULL behind the last. */
static const char *form_of_day(struct fact_list *list, struct ymd d, size_t way)
{
    static const char *const months[] = { "January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December" };
    static const char *const others[] = { "Januar",    "Februar", "März",     "April",
                                          "Mai",       "Juni",    "Juli",     "August",
                                          "September", "Oktober", "November", "Dezember" };
    struct arena *arena = list->job->arena;
    int y = (int)d.year, m = d.month, day = d.day;
    bool named = m >= 1 && m <= 12;
    const char *name = named ? months[m - 1] : "-", *other = named ? others[m - 1] : "-";
    switch (way) {
    case 0:
        return mgi_arena_printf(arena, "%d %s", day, name);
    case 1:
        return mgi_arena_printf(arena, "%s %d", name, day);
    case 2:
        return mgi_arena_printf(arena, "%d %.3s ", day, name);
    case 3:
        return mgi_arena_printf(arena, "%.3s %d", name, day);
    case 4:
        return mgi_arena_printf(arena, "%d. %s", day, other);
    case 5:
        return mgi_arena_printf(arena, "%d/%d/%d", day, m, y);
    case 6:
        return mgi_arena_printf(arena, "%02d/%02d/%d", day, m, y);
    case 7:
        return mgi_arena_printf(arena, "%d/%d/%d", m, day, y);
    case 8:
        return mgi_arena_printf(arena, "%02d/%02d/%d", m, day, y);
    case 9:
        return mgi_arena_printf(arena, "%d.%d.%d", day, m, y);
    case 10:
        return mgi_arena_printf(arena, "%02d.%02d.%d", day, m, y);
    case 11:
        return mgi_arena_printf(arena, "%d-%02d-%02d", y, m, day);
    case 12:
        return mgi_arena_printf(arena, "%d-%d-%d", y, m, day);
    default:
        return NULL;
    }
}

static const char *shown_form(struct fact_list *list, struct ymd d, struct str page)
{
    const char *form;
    for (size_t way = 0; (form = form_of_day(list, d, way)); way++)
        if (has_alone(page, form))
            return form;
    return NULL;
}

/* ---- what came of it
 * ----------------------------------------------------------------------------- */

static bool tell_month(struct months *m, const struct request *r, struct str day, const char *other,
                       const char *how, const struct month_slip *slip)
{
    struct place place = { slip->code->text, slip->at };
    m->told++;
    mgi_fact(m->list, RANK_HIGH, "month_off", NO_TIME, 0, "sszzsn",
             mgi_fact_id(m->list, "r", r->number), day, other, how, slip->code->url,
             mgi_place_line(&place));
    return true;
}

/* Of the answer's days none is on the page, and each that is there in some form is so a month off.
 */
static bool days_are_off(struct months *m, const struct request *r, struct str text,
                         const struct month_slip *slip)
{
    struct str page = mgi_page_text(m->list), first = STR_LIT("");
    const char *other = NULL;
    size_t days = 0, len;
    for (size_t at = 0; at < text.len && days < DATES_MOST; at++) {
        struct ymd d;
        if (!day_at(text, at, &d, &len))
            continue;
        days++;
        if (shown_form(m->list, d, page))
            return false;
        const char *form = shown_form(m->list, shifted(d, slip->by), page);
        if (form && !other) {
            other = form;
            first = part_between(text, at, at + len);
        }
        at += len;
    }
    return other && tell_month(m, r, first, other, slip->by > 0 ? "later" : "earlier", slip);
}

static bool is_sent_from(const struct request *r, struct str url)
{
    for (size_t i = 0; i < r->frame_count && i < 6; i++)
        if (str_eq(r->frames[i].url, url))
            return true;
    return false;
}

static bool is_same_day(struct ymd a, struct ymd b)
{
    return a.year == b.year && a.month == b.month && a.day == b.day;
}

/* A month before the day on which it was recorded. */
static bool is_of_today(const struct request *r, struct ymd sent)
{
    struct civil now = mgi_civil_of(r->start_ns);
    struct ymd today = { now.year, now.month - 1, now.day };
    return is_same_day(sent, today);
}

static bool has_day(struct str text, struct ymd wanted)
{
    for (size_t at = 0; at < text.len && at < TEXT_MOST; at++) {
        struct ymd d;
        size_t len;
        if (day_at(text, at, &d, &len) && is_same_day(d, wanted))
            return true;
    }
    return false;
}

/* The page has that day: a user filled it in, a document or an answer before has it. */
static bool is_known_day(const struct months *m, const struct request *r, struct ymd d)
{
    const struct capture *c = m->list->capture;
    for (size_t i = 0; i < c->more.deeds.count; i++)
        if (str_is(c->more.deeds.items[i].what, "field") && has_day(c->more.deeds.items[i].text, d))
            return true;
    for (size_t i = 0; i < c->request_count; i++) {
        bool known, binary;
        struct str text = mgi_answer_text(&c->requests[i], &known, &binary);
        if (!binary && c->requests[i].start_ns < r->start_ns && has_day(text, d))
            return true;
    }
    return false;
}

/* That which was meant is known, and what was sent is not. */
static bool is_of_known_day(const struct months *m, const struct request *r, struct ymd sent)
{
    return is_known_day(m, r, shifted(sent, 1)) && !is_known_day(m, r, sent);
}

static bool sent_day_is_off(struct months *m, const struct request *r, struct str text,
                            const struct month_slip *slip)
{
    for (size_t at = 0; at < text.len && at < TEXT_MOST; at++) {
        struct ymd d;
        size_t len;
        if (!day_at(text, at, &d, &len))
            continue;
        bool told = slip->by > 0 || d.month == 0 || is_of_today(r, d) || is_of_known_day(m, r, d);
        if (told && tell_month(m, r, part_between(text, at, at + len), "",
                               slip->by > 0 ? "sent later" : "sent earlier", slip))
            return true;
        at += len;
    }
    return false;
}

static bool look_at_request(struct months *m, const struct request *r)
{
    bool known, binary;
    struct str answer = mgi_answer_text(r, &known, &binary);
    answer = binary ? STR_LIT("") : mgi_utf8_prefix(answer, TEXT_MOST);
    for (size_t i = 0; i < m->count; i++) {
        const struct month_slip *slip = &m->slips[i];
        size_t query = mgi_str_find(r->url, STR_LIT("?"));
        if (is_sent_from(r, slip->code->url) &&
            (sent_day_is_off(m, r, mgi_sent_text(r), slip) ||
             (query != SIZE_MAX &&
              sent_day_is_off(m, r, part_between(r->url, query, r->url.len), slip))))
            return true;
        if (days_are_off(m, r, answer, slip))
            return true;
    }
    return false;
}

void mgi_facts_months(struct fact_list *list)
{
    struct months m = { .list = list };
    const struct capture *c = list->capture;
    find_slips(&m);
    for (size_t i = 0, looked = 0;
         m.count > 0 && i < c->request_count && looked < ANSWERS_MOST && m.told < TOLD_MOST; i++)
        if (list->looked_at[i] && c->requests[i].resource == RES_DATA &&
            c->requests[i].status < 400) {
            looked++;
            look_at_request(&m, &c->requests[i]);
        }
}
