/* Requests whose answers code waits for all together (Promise.all): where one fails, nobody gets
 * those of the others. And of their answers, whether anything of them stands on the page. */
#include "facts.h"
#include "source_follow.h"
#include "source_start.h"
#include "source_takes.h"

#define TOGETHER_MOST   40
#define TOGETHER_FRAMES 8
#define ALL_BYTES       1500
#define VALUES_MOST     40
#define FIGURES_MOST    20

/* ---- where they are waited for -----------------------------------------------------------------
 */

/* Behind "Promise.all(" and the like that begins at `at`; 0: none does. */
static size_t all_at(struct str s, size_t at)
{
    static const char *const words[] = { "Promise.all(", "$.when(",   "axios.all(",
                                         "forkJoin(",    "RSVP.all(", NULL };
    struct str rest = { s.ptr + at, s.len - at };
    for (size_t i = 0; words[i] && (at == 0 || !is_name_char(s.ptr[at - 1])); i++)
        if (mgi_str_starts(rest, str_of(words[i])))
            return at + strlen(words[i]);
    return 0;
}

/* What they are is caught one by one. */
static bool is_guarded(struct str s, size_t from)
{
    size_t end = mgi_form_close(s, from - 1);
    struct str all = { s.ptr + from, (end == SIZE_MAX ? s.len : end) - from };
    return end == SIZE_MAX || mgi_str_find(all, STR_LIT(".catch(")) != SIZE_MAX ||
           mgi_str_find(all, STR_LIT("allSettled")) != SIZE_MAX ||
           mgi_str_find(all, STR_LIT("try {")) != SIZE_MAX;
}

/* Somebody waits for them: await, .then(), or what gives them on. Else they are asked for ahead of
 * time, and of their answers nothing need be shown. */
static bool is_waited_for(struct str s, size_t from)
{
    size_t end = mgi_form_close(s, from - 1), begin = from - 1;
    while (begin > 0 && (is_name_char(s.ptr[begin - 1]) || s.ptr[begin - 1] == '.'))
        begin--;
    size_t before = back_blank(s, begin);
    struct str rest = { s.ptr + past_blank(s, end), s.len - past_blank(s, end) };
    return mgi_str_starts(rest, STR_LIT(".then(")) || mgi_form_word_before(s, begin, "await") ||
           mgi_form_word_before(s, begin, "return") ||
           (before > 0 && strchr("=(>,[", s.ptr[before - 1]));
}

/* The call that asks stands in its brackets. */
static size_t all_around(struct str s, size_t at)
{
    for (size_t i = at; i > 0 && at - i < ALL_BYTES; i--) {
        size_t from = all_at(s, i - 1);
        size_t end = from > 0 && from <= at ? mgi_form_close(s, from - 1) : SIZE_MAX;
        if (end != SIZE_MAX && end > at)
            return from;
    }
    return 0;
}

/* The name that the statement around `at` gives what it asks for: const jobs = urls.map(...),
 * jobs.push(...). Empty: none. */
static struct str given_name(struct str s, size_t at)
{
    size_t from = at;
    while (from > 0 && at - from < 300 && !strchr(";{}", s.ptr[from - 1]))
        from--;
    for (size_t i = from; i < at; i++) {
        struct str name = name_at(s, i);
        size_t after = past_blank(s, i + name.len);
        if (name.len == 0)
            continue;
        bool given = after + 1 < at && s.ptr[after] == '=' && !strchr("=>", s.ptr[after + 1]);
        if (given ||
            mgi_str_starts((struct str){ s.ptr + after, s.len - after }, STR_LIT(".push(")))
            return name;
        i += name.len;
    }
    return STR_LIT("");
}

/* The brackets behind the call have the name that it was given. */
static size_t all_behind(struct str s, size_t at)
{
    struct str name = given_name(s, at);
    for (size_t i = at; name.len > 0 && i < s.len && i - at < ALL_BYTES; i++) {
        size_t from = all_at(s, i);
        size_t end = from > 0 ? mgi_form_close(s, from - 1) : SIZE_MAX;
        for (size_t j = from; end != SIZE_MAX && j < end; j++)
            if (stands_at(s, j, name) && !is_name_char(s.ptr[j - 1]))
                return from;
    }
    return 0;
}

static struct str name_ending(struct str s, size_t end)
{
    size_t from = end;
    while (from > 0 && is_name_char(s.ptr[from - 1]))
        from--;
    return (struct str){ s.ptr + from, end - from };
}

static bool catches(const struct form_function *f)
{
    struct str body = { f->text.ptr + f->params, f->end - f->params };
    return mgi_str_find(body, STR_LIT(".catch(")) != SIZE_MAX ||
           mgi_str_find(body, STR_LIT("catch (")) != SIZE_MAX ||
           mgi_str_find(body, STR_LIT("catch(")) != SIZE_MAX ||
           mgi_str_find(body, STR_LIT("catch {")) != SIZE_MAX;
}

/* The call stands in the brackets of a function of the page's own that catches what fails:
 * optional(get("/x")). `from` is behind the bracket of all. */
static bool is_wrapped(struct fact_list *list, const struct place *call, size_t from)
{
    struct str texts[CODE_TEXTS_MOST], s = call->text;
    struct form_function f;
    struct value v = { 0 };
    size_t open = mgi_call_at(call, &v) ? back_blank(s, v.start) : 0;
    if (open == 0 || open == from || s.ptr[open - 1] != '(')
        return false;
    struct str name = name_ending(s, open - 1);
    size_t count = name.len > 0 ? mgi_code_scripts(list, texts) : 0;
    for (size_t i = 0; i < count; i++)
        if (mgi_may_scan(list, texts[i]) && mgi_form_function_named(texts[i], name, &f) &&
            catches(&f))
            return true;
    return false;
}

/* Where all of what R is among are waited for. False: R is waited for by itself, or its failure is
 * caught before. */
static bool together_at(struct fact_list *list, const struct request *r, struct str *url,
                        int64_t *line)
{
    for (size_t i = 0; i < r->frame_count && i < TOGETHER_FRAMES; i++) {
        struct place place;
        const struct frame *f = &r->frames[i];
        if (!mgi_source_place(list->capture, f->url, f->line, f->column, &place))
            continue;
        size_t from = all_around(place.text, place.at);
        if (from == 0)
            from = all_behind(place.text, place.at);
        if (from > 0 && (is_guarded(place.text, from) || !is_waited_for(place.text, from) ||
                         is_wrapped(list, &place, from)))
            return false;
        if (from > 0) {
            struct place all = { place.text, from };
            *url = f->url;
            *line = f->line + mgi_place_line(&all) - mgi_place_line(&place);
            return true;
        }
        if (mgi_source_stand_in(&place) != STAND_IN_NONE)
            return false;
    }
    return false;
}

/* ---- what is shown of them
 * ----------------------------------------------------------------------- */

/* The figures of a number, without what stands between them. */
static size_t figures_of(struct str s, char *room)
{
    size_t len = 0;
    for (size_t i = 0; i < s.len && len < FIGURES_MOST; i++)
        if (s.ptr[i] >= '0' && s.ptr[i] <= '9')
            room[len++] = s.ptr[i];
    return len;
}

static bool is_number_text(struct str s)
{
    size_t figures = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!strchr("0123456789.-", s.ptr[i]))
            return false;
        figures += s.ptr[i] >= '0' && s.ptr[i] <= '9';
    }
    return figures > 1;
}

/* 2889 of 2,889.00: a number of the text whose figures begin so. */
static bool has_figures(struct str text, struct str number)
{
    char wanted[FIGURES_MOST], found[FIGURES_MOST];
    size_t count = figures_of(number, wanted);
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && strchr("0123456789.,'", text.ptr[end]))
            end++;
        struct str run = { text.ptr + at, end - at };
        size_t got = figures_of(run, found);
        if (got >= count && memcmp(found, wanted, count) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

static void tell_values(struct fact_list *list, struct str id, const struct shape *shape)
{
    struct str page = mgi_fact_small(list, mgi_page_text(list));
    int64_t looked = 0, shown = 0;
    for (size_t i = 0; i < shape->count && looked < VALUES_MOST; i++)
        for (size_t n = 0; n < 3 && shape->paths[i].values[n].ptr; n++) {
            struct str v = shape->paths[i].values[n];
            bool number = is_number_text(v);
            if (!number && (v.len < 3 || (v.ptr[0] | 0x20) < 'a'))
                continue;
            looked++;
            shown += number ? has_figures(page, v)
                            : mgi_str_find(page, mgi_fact_small(list, v)) != SIZE_MAX;
        }
    if (looked > 0)
        mgi_fact(list, RANK_HIGH, "values_shown", NO_TIME, 0, "snn", id, shown, looked);
}

void mgi_facts_together(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t told = 0;
    bool failed = false;
    for (size_t i = 0; i < c->request_count; i++)
        failed = failed || (list->looked_at[i] && c->requests[i].resource == RES_DATA &&
                            (c->requests[i].status >= 400 || c->requests[i].fault != FAULT_NONE));
    for (size_t i = 0; failed && i < c->request_count && told < TOGETHER_MOST; i++) {
        const struct request *r = &c->requests[i];
        struct str url, id = mgi_fact_id(list, "r", r->number);
        int64_t line;
        if (!list->looked_at[i] || r->resource != RES_DATA || !together_at(list, r, &url, &line))
            continue;
        told++;
        mgi_fact(list, RANK_HIGH, "asked_together", NO_TIME, 0, "ssn", id, url, line);
        if (r->status < 400 && list->shapes[i].kind == BODY_JSON)
            tell_values(list, id, &list->shapes[i]);
    }
}
