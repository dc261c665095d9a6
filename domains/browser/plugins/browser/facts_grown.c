/* Numbers that were put one behind the other, "2" and 1 to "21", where one was a text: as they are
 * sent, against what had been answered or sent before, and as the page shows them, by a line of
 * code that adds to what is always a text: an attribute, a field, what is kept. */
#include "facts.h"
#include "source_forms.h"

#define GROWN_TOLD  6
#define GROWN_PAIRS 4000
#define SUMS_LOOKED 20000
#define LINES_BACK  6
#define LINE_MOST   240
#define KEPT_BYTES  800

/* ---- as it is sent --------------------------------------------------------------------------- */

static bool all_figures(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* What `value` has behind `old`, one or two figures; empty: it does not begin so. */
static struct str tail_of(struct str value, struct str old)
{
    if (!all_figures(old) || !mgi_str_starts(value, old) || value.len > old.len + 2 ||
        value.len == old.len || value.ptr[old.len] == '0')
        return STR_LIT("");
    return (struct str){ value.ptr + old.len, value.len - old.len };
}

static size_t number_of_request(struct str id)
{
    size_t n = 0;
    for (size_t i = 1; i < id.len && id.ptr[i] >= '0' && id.ptr[i] <= '9'; i++)
        n = 10 * n + (size_t)(id.ptr[i] - '0');
    return n;
}

static bool has_pred(const struct fact *f, const char *pred)
{
    return strcmp(f->pred, pred) == 0;
}

/* A user had written it, or pressed on it; or it had come by itself. */
static bool is_known_value(const struct fact_list *list, const struct fact *sent)
{
    struct str value = sent->args[2].text;
    for (size_t i = 0; i < list->items.count; i++) {
        const struct fact *f = &list->items.items[i];
        bool said = (has_pred(f, "filled_in") || has_pred(f, "input")) &&
                    mgi_str_find(f->args[3].text, value) != SIZE_MAX;
        bool came = has_pred(f, "body_value") && str_eq(f->args[2].text, value) &&
                    number_of_request(f->args[0].text) < number_of_request(sent->args[0].text);
        if (said || came)
            return true;
    }
    return false;
}

/* An id is followed by another one by chance. */
static bool counts_something(struct str name)
{
    static const char *const ends[] = { "id",    "Id",   "ID",  "code",    "zip",
                                        "phone", "year", "key", "version", NULL };
    for (size_t i = 0; ends[i]; i++)
        if (mgi_str_ends(name, str_of(ends[i])))
            return false;
    return name.len > 0;
}

/* A plus on the line, or on few before it, with no text in quotes beside it. */
static bool adds_on_line(struct str s, size_t at, size_t *plus)
{
    size_t from = at, to = at, lines = 0;
    while (from > 0 && at - from < LINE_MOST * 2 &&
           (s.ptr[from - 1] != '\n' || lines++ < LINES_BACK))
        from--;
    while (to < s.len && to - at < LINE_MOST && s.ptr[to] != '\n')
        to++;
    for (size_t i = to; i-- > from + 1;) {
        if (s.ptr[i] != '+' || s.ptr[i - 1] == '+' || i + 1 >= to || s.ptr[i + 1] == '+')
            continue;
        size_t before = back_blank(s, i), after = past_blank(s, i + 1 + (s.ptr[i + 1] == '='));
        if (before == 0 || after >= s.len || strchr("\"'`", s.ptr[before - 1]) ||
            strchr("\"'`", s.ptr[after]))
            return false;
        *plus = i;
        return is_name_char(s.ptr[before - 1]) || strchr(")]", s.ptr[before - 1]);
    }
    return false;
}

static bool tell_grown(struct fact_list *list, const struct fact *sent, struct str old,
                       struct str tail)
{
    const struct request *r = mgi_request_at(list->capture, number_of_request(sent->args[0].text));
    for (size_t i = 0; r && i < r->frame_count && i < 8; i++) {
        const struct frame *f = &r->frames[i];
        struct place place;
        size_t plus;
        if (!mgi_source_place(list->capture, f->url, f->line, f->column, &place) ||
            !adds_on_line(place.text, place.at, &plus))
            continue;
        struct place at = { place.text, plus };
        mgi_fact(list, RANK_HIGH, "sent_grown", NO_TIME, 0, "sssssn", sent->args[0].text,
                 sent->args[1].text, old, tail, f->url,
                 f->line + mgi_place_line(&at) - mgi_place_line(&place));
        return true;
    }
    return false;
}

static bool is_value_of(const struct fact *f, struct str name)
{
    return (has_pred(f, "body_value") || has_pred(f, "sent_value")) &&
           str_eq(mgi_path_name(f->args[1].text), name);
}

/* The last request before `number` that has a value by this name; SIZE_MAX: none has. */
static size_t last_with(const struct fact_list *list, struct str name, size_t number, size_t *pairs)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < list->items.count && *pairs < GROWN_PAIRS; i++) {
        const struct fact *f = &list->items.items[i];
        if (!has_pred(f, "body_value") && !has_pred(f, "sent_value"))
            continue;
        size_t at = number_of_request(f->args[0].text);
        (*pairs)++;
        if (at < number && (last == SIZE_MAX || at > last) && is_value_of(f, name))
            last = at;
    }
    return last;
}

static int64_t number_in(struct str figures)
{
    int64_t n = 0;
    for (size_t i = 0; i < figures.len && i < 9 && all_figures(figures); i++)
        n = 10 * n + (figures.ptr[i] - '0');
    return n;
}

/* What was there by this name before, as it was told last. What is more than another of these by
 * just the tail was added. */
static bool look_for_before(struct fact_list *list, const struct fact *sent, size_t *pairs)
{
    struct str name = mgi_path_name(sent->args[1].text), value = sent->args[2].text;
    size_t last = last_with(list, name, number_of_request(sent->args[0].text), pairs);
    struct str old = STR_LIT(""), tail = STR_LIT("");
    for (int turn = 0; turn < 2 && last != SIZE_MAX; turn++)
        for (size_t i = 0; i < list->items.count; i++) {
            const struct fact *f = &list->items.items[i];
            if (!is_value_of(f, name) || number_of_request(f->args[0].text) != last)
                continue;
            struct str v = f->args[2].text, behind = tail_of(value, v);
            if (turn == 1 && number_in(value) == number_in(v) + number_in(tail))
                return false;
            if (turn == 0 && behind.len > 0) {
                old = v;
                tail = behind;
            }
        }
    return tail.len > 0 && !is_known_value(list, sent) && tell_grown(list, sent, old, tail);
}

static void facts_of_sent_numbers(struct fact_list *list)
{
    size_t told = 0, pairs = 0;
    for (size_t i = 0, count = list->items.count; i < count && told < GROWN_TOLD; i++) {
        const struct fact sent = list->items.items[i];
        if (!has_pred(&sent, "sent_value") || !all_figures(sent.args[2].text) ||
            sent.args[2].text.len < 2 || sent.args[2].text.len > 6 ||
            !counts_something(mgi_path_name(sent.args[1].text)))
            continue;
        told += look_for_before(list, &sent, &pairs);
    }
}

/* ---- as it is shown ---------------------------------------------------------------------------
 */

/* Does what ends at `end` give a text, always? "dataset.n", "getItem('n')", "$('#n').value". */
static bool is_text_source(struct str s, size_t from, size_t end)
{
    static const char *const members[] = { ".textContent", ".innerText", NULL };
    static const char *const calls[] = { ".getItem(", ".getAttribute(", "prompt(",
                                         "searchParams.get(", NULL };
    static const char *const elements[] = { "getElementById(", "querySelector(",      "$(",
                                            "target.value",    "currentTarget.value", NULL };
    struct str chain = { s.ptr + from, end - from };
    size_t data = mgi_str_find(chain, STR_LIT(".dataset."));
    if (data != SIZE_MAX && name_at(chain, data + 9).len == chain.len - data - 9)
        return true;
    for (size_t i = 0; members[i]; i++)
        if (mgi_str_ends(chain, str_of(members[i])))
            return true;
    for (size_t i = 0; calls[i] && chain.len > 0 && chain.ptr[chain.len - 1] == ')'; i++) {
        size_t at = mgi_str_find(chain, str_of(calls[i]));
        if (at != SIZE_MAX && mgi_form_close(chain, at + strlen(calls[i]) - 1) == chain.len)
            return true;
    }
    for (size_t i = 0; elements[i] && mgi_str_ends(chain, STR_LIT(".value")); i++)
        if (mgi_str_find(chain, str_of(elements[i])) != SIZE_MAX)
            return true;
    return false;
}

/* Where the chain that ends before `end` begins, brackets and all. */
static size_t whole_chain(struct str s, size_t end)
{
    int depth = 0;
    size_t at = end;
    for (; at > 0 && end - at < 200; at--) {
        char c = s.ptr[at - 1];
        depth += c == ')' || c == ']';
        depth -= c == '(' || c == '[';
        if (depth < 0 || (depth == 0 && !is_name_char(c) && !strchr(".?)](['\"", c)))
            break;
    }
    return at;
}

/* A number that ends so stands on the page by itself, and is more than that. */
static struct str shown_with_tail(const struct fact_list *list, struct str tail)
{
    struct str text = mgi_page_text(list);
    for (size_t at = 0; at < text.len; at++) {
        size_t end = at;
        while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
            end++;
        struct str run = { text.ptr + at, end - at };
        bool alone = (at == 0 || !strchr(".,:/-", text.ptr[at - 1])) &&
                     (end + 1 >= text.len || !strchr(".,:/-", text.ptr[end]) ||
                      text.ptr[end + 1] < '0' || text.ptr[end + 1] > '9');
        if (run.len > tail.len && run.len < 7 && alone && mgi_str_ends(run, tail))
            return run;
        at = end;
    }
    return STR_LIT("");
}

/* The name that is given what stands from `from`; empty: it is given to none. */
static struct str holder_of(struct str s, size_t from)
{
    size_t end = back_blank(s, from);
    if (end < 2 || s.ptr[end - 1] != '=' || strchr("=!<>+", s.ptr[end - 2]))
        return STR_LIT("");
    end = back_blank(s, end - 1);
    size_t begin = end;
    while (begin > 0 && is_name_char(s.ptr[begin - 1]))
        begin--;
    return (struct str){ s.ptr + begin, end - begin };
}

/* "name + 1", "name += 1" within what follows: where the number stands. */
static size_t added_later(struct str s, size_t at, struct str name)
{
    size_t to = at + KEPT_BYTES < s.len ? at + KEPT_BYTES : s.len;
    for (; name.len > 0 && at + name.len + 2 < to; at++) {
        if (!stands_at(s, at, name) || is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.')
            continue;
        size_t after = past_blank(s, at + name.len), before = back_blank(s, at);
        if (after + 1 < to && s.ptr[after] == '=' && s.ptr[after + 1] != '=')
            return SIZE_MAX;
        if (after + 1 >= to || s.ptr[after] != '+' || s.ptr[after + 1] == '+' ||
            (before > 0 && strchr("+-*/'\"`", s.ptr[before - 1])))
            continue;
        size_t number = past_blank(s, after + 1 + (s.ptr[after + 1] == '='));
        if (number < to && s.ptr[number] >= '0' && s.ptr[number] <= '9')
            return number;
    }
    return SIZE_MAX;
}

/* Where a number is added to the text that ends at `end`; SIZE_MAX: none is. */
static size_t added_to(struct str s, size_t from, size_t end)
{
    size_t after = past_blank(s, end), before = back_blank(s, from);
    if (after + 1 >= s.len || (before > 0 && strchr("+-*/", s.ptr[before - 1])))
        return SIZE_MAX;
    if (s.ptr[after] == '+' && s.ptr[after + 1] != '+' && s.ptr[after + 1] != '=') {
        size_t number = past_blank(s, after + 1);
        return number < s.len && s.ptr[number] >= '0' && s.ptr[number] <= '9' ? number : SIZE_MAX;
    }
    return strchr(";,\n|?", s.ptr[after]) ? added_later(s, after + 1, holder_of(s, from))
                                          : SIZE_MAX;
}

static bool tell_sum(struct fact_list *list, struct str url, struct str s, size_t number)
{
    size_t end = number;
    while (end < s.len && s.ptr[end] >= '0' && s.ptr[end] <= '9')
        end++;
    struct str tail = { s.ptr + number, end - number };
    struct str shown = tail.len < 3 ? shown_with_tail(list, tail) : STR_LIT("");
    struct place place = { s, number };
    if (shown.len == 0 || end >= s.len || s.ptr[end] == '.' || is_name_char(s.ptr[end]))
        return false;
    mgi_fact(list, RANK_HIGH, "added_to_text", NO_TIME, 0, "snss", url, mgi_place_line(&place),
             tail, shown);
    return true;
}

/* ---- two fields
 * ---------------------------------------------------------------------------------- */

/* "a.value + b.value" with no text beside it, where `at` is its first ".value". */
static bool adds_two_fields(struct str s, size_t at)
{
    size_t end = at + strlen(".value"), plus = past_blank(s, end);
    if (plus + 1 >= s.len || is_name_char(s.ptr[end]) || s.ptr[plus] != '+' ||
        strchr("+=", s.ptr[plus + 1]))
        return false;
    for (end = past_blank(s, plus + 1); end < s.len && end - plus < 100; end++)
        if (!is_name_char(s.ptr[end]) && !strchr(".?()[]'\"#$", s.ptr[end]))
            break;
    while (end > plus && s.ptr[end - 1] == ')')
        end--;
    struct str second = { s.ptr + plus, end - plus };
    return mgi_str_ends(second, STR_LIT(".value"));
}

/* Does a number stand on the page that is these two, one behind the other? */
static bool shows_number(const struct fact_list *list, struct str number)
{
    struct str text = mgi_page_text(list);
    for (size_t at = 0; at < text.len; at++) {
        size_t end = at;
        while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
            end++;
        if (str_eq((struct str){ text.ptr + at, end - at }, number))
            return true;
        at = end;
    }
    return false;
}

/* What a user had put into two fields stands on the page, one behind the other. */
static struct str joined_fields(struct fact_list *list)
{
    for (size_t i = 0; i < list->items.count; i++)
        for (size_t j = 0; j < list->items.count && has_pred(&list->items.items[i], "filled_in");
             j++) {
            const struct fact *a = &list->items.items[i], *b = &list->items.items[j];
            struct str x = a->args[3].text, y = has_pred(b, "filled_in") ? b->args[3].text : x;
            if (str_eq(a->args[1].text, b->args[1].text) || !has_pred(b, "filled_in") ||
                !all_figures(x) || !all_figures(y) || x.len > 5 || y.len > 5 || x.ptr[0] == '0' ||
                y.ptr[0] == '0' || x.len + y.len < 3)
                continue;
            char *both = mgi_arena_printf(list->job->arena, "%.*s%.*s", STR_ARG(x), STR_ARG(y));
            if (both && shows_number(list, str_of(both)))
                return str_of(both);
        }
    return STR_LIT("");
}

static void facts_of_fields(struct fact_list *list)
{
    struct str shown = joined_fields(list);
    for (size_t i = 0; shown.len > 0 && i < list->code_count; i++) {
        struct str s = list->code[i].text;
        for (size_t at = 1; list->code[i].own && at + 10 < s.len; at++) {
            if (!mgi_str_starts((struct str){ s.ptr + at, s.len - at }, STR_LIT(".value")) ||
                !adds_two_fields(s, at))
                continue;
            struct place place = { s, at };
            mgi_fact(list, RANK_HIGH, "added_to_text", NO_TIME, 0, "snss", list->code[i].url,
                     mgi_place_line(&place), STR_LIT("the value of a field"), shown);
            return;
        }
    }
}

static void facts_of_sums(struct fact_list *list)
{
    size_t told = 0, looked = 0;
    for (size_t i = 0; i < list->code_count; i++) {
        struct str s = list->code[i].text;
        for (size_t end = 1;
             list->code[i].own && end + 1 < s.len && told < GROWN_TOLD && looked < SUMS_LOOKED;
             end++) {
            bool ends = (is_name_char(s.ptr[end - 1]) && !is_name_char(s.ptr[end])) ||
                        s.ptr[end - 1] == ')';
            if (!ends || !strchr(" +;,\n|?", s.ptr[end]))
                continue;
            looked++;
            size_t from = whole_chain(s, end);
            if (end - from < 8 || !is_text_source(s, from, end))
                continue;
            size_t number = added_to(s, from, end);
            told += number != SIZE_MAX && tell_sum(list, list->code[i].url, s, number);
        }
    }
}

void mgi_facts_grown(struct fact_list *list)
{
    facts_of_sent_numbers(list);
    facts_of_sums(list);
    facts_of_fields(list);
}
