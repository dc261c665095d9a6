/* What code does with time and with what it keeps: how long it waits, the form of what it stores
 * and how it takes what it reads there, notices that nobody can have read, and numbers of answers
 * that its clock is compared with. */
#include "facts.h"
#include "source_int.h"

#define DEEDS_TOLD 80
/* How far a value is followed from where it was read. */
#define CALLERS_ASKED 3
#define BEFORE_BYTES  80
#define AFTER_BYTES   1200
#define CLOCKS_TOLD   20

/* ---- how what is read is taken --------------------------------------------------------------- */

static struct str part_of(struct str text, size_t from, size_t to)
{
    from = from < text.len ? from : text.len;
    to = to < text.len ? to : text.len;
    return (struct str){ text.ptr + from, to > from ? to - from : 0 };
}

static size_t call_end(struct str text, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < text.len && i - at < 400; i++) {
        depth += text.ptr[i] == '(';
        depth -= text.ptr[i] == ')';
        if (depth == 0 && text.ptr[i] == ')')
            return i + 1;
    }
    return SIZE_MAX;
}

/* What stands before it in its statement. */
static struct str statement_before(struct str text, size_t at)
{
    size_t from = at;
    while (from > 0 && at - from < BEFORE_BYTES && !strchr(";{}\n", text.ptr[from - 1]))
        from--;
    return part_of(text, from, at);
}

/* "x" of "const x = " and "x = ". */
static struct str given_to(struct str before)
{
    size_t at = mgi_str_find(before, STR_LIT("="));
    if (at == SIZE_MAX || at + 1 >= before.len || before.ptr[at + 1] == '=' ||
        before.ptr[at + 1] == '>')
        return STR_LIT("");
    size_t end = back_blank(before, at), from = end;
    while (from > 0 && is_name_char(before.ptr[from - 1]))
        from--;
    return from > 0 && before.ptr[from - 1] == '.' ? STR_LIT("") : part_of(before, from, end);
}

static bool calls_with(struct job *job, struct str text, const char *call, struct str name)
{
    char *whole = mgi_arena_printf(job->arena, "%s(%.*s", call, STR_ARG(name));
    size_t at = whole ? mgi_str_find(text, str_of(whole)) : SIZE_MAX;
    return at != SIZE_MAX && stands_at(text, at + strlen(call) + 1, name);
}

/* The text in quotes that it is compared with; empty: with none. */
static struct str compared_with(struct str after)
{
    size_t at = past_blank(after, 0);
    if (at + 2 >= after.len || after.ptr[at + 1] != '=' || !strchr("=!", after.ptr[at]))
        return STR_LIT("");
    while (at < after.len && strchr("=!", after.ptr[at]))
        at++;
    at = past_blank(after, at);
    if (at >= after.len || !strchr("\"'`", after.ptr[at]))
        return STR_LIT("");
    const char *end = memchr(after.ptr + at + 1, after.ptr[at], after.len - at - 1);
    return end ? part_of(after, at + 1, (size_t)(end - after.ptr)) : STR_LIT("");
}

static const char *how_by_call(struct job *job, struct str text, struct str name)
{
    static const char *const calls[][2] = {
        { "JSON.parse", "json" },   { "Number", "number" }, { "parseInt", "number" },
        { "parseFloat", "number" }, { "new Date", "date" }, { "Date.parse", "date" },
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls_with(job, text, calls[i][0], name))
            return calls[i][1];
    return NULL;
}

static const char *how_of_variable(struct job *job, struct str name, struct str after)
{
    const char *how = how_by_call(job, after, name);
    for (size_t at = 0; !how && at < after.len; at++) {
        if (!stands_at(after, at, name) || (at > 0 && is_name_char(after.ptr[at - 1])))
            continue;
        struct str word = compared_with(part_of(after, at + name.len, after.len));
        if (word.len > 0)
            return mgi_arena_printf(job->arena, "word %.*s", STR_ARG(mgi_utf8_prefix(word, 40)));
    }
    return how;
}

/* json, number, date, or "word X": it is compared with X. NULL: not known. */
static const char *how_it_is_taken(struct job *job, const struct place *place)
{
    size_t end = call_end(place->text, place->at);
    if (end == SIZE_MAX)
        return NULL;
    size_t start = mgi_chain_start(place->text, place->at);
    struct str before = statement_before(place->text, start);
    struct str after = part_of(place->text, end, end + AFTER_BYTES);
    struct str word = compared_with(after);
    const char *how = how_by_call(job, before, STR_LIT(""));
    if (how)
        return how;
    if (word.len > 0)
        return mgi_arena_printf(job->arena, "word %.*s", STR_ARG(mgi_utf8_prefix(word, 40)));
    struct str name = given_to(before);
    return name.len > 0 ? how_of_variable(job, name, after) : NULL;
}

/* ---- deeds ----------------------------------------------------------------------------------- */

/* What was kept is no content: an object became [object Object], a missing value undefined. */
static bool is_lost(const struct page_deed *d)
{
    return str_is(d->what, "write") &&
           (mgi_str_starts(d->text, STR_LIT("word [object ")) ||
            str_is(d->text, "word undefined") || str_is(d->text, "word NaN") ||
            str_is(d->text, "word Invalid Date"));
}

static void places_of_deed(struct fact_list *list, struct str id, const struct page_deed *d)
{
    enum rank rank = is_lost(d) ? RANK_HIGH : RANK_USUAL;
    mgi_fact_stack(list, rank, id, d->frames, d->frame_count);
}

static void fact_of_reading(struct fact_list *list, struct str id, const struct page_deed *d)
{
    const char *how = NULL;
    mgi_fact(list, RANK_USUAL, "storage_read", d->at_ns, d->at_ns, "ssss", id, d->target, d->name,
             d->text);
    /* Where a function only hands on what it has read, its caller takes it. */
    for (size_t i = 0; i < d->frame_count && i < CALLERS_ASKED && !how; i++) {
        const struct frame *f = &d->frames[i];
        struct place place;
        if (!mgi_source_place(list->capture, f->url, f->line, f->column, &place))
            break;
        how = how_it_is_taken(list->job, &place);
    }
    if (how)
        mgi_fact(list, RANK_USUAL, "read_as", NO_TIME, 0, "sz", id, how);
}

static bool is_of_kept(const struct page_deed *d)
{
    static const char *const own[] = { "timeout", "interval", "limit", "write", "read", "brief" };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (str_is(d->what, own[i]))
            return false;
    return true;
}

static void facts_of_deed(struct fact_list *list, struct str id, const struct page_deed *d)
{
    if (str_is(d->what, "write"))
        mgi_fact(list, is_lost(d) ? RANK_HIGH : RANK_USUAL, "stored", d->at_ns, d->at_ns, "ssss",
                 id, d->target, d->name, d->text);
    else if (str_is(d->what, "read"))
        fact_of_reading(list, id, d);
    else if (str_is(d->what, "brief"))
        mgi_fact(list, RANK_HIGH, "notice_gone", d->at_ns, d->at_ns, "sssn", id, d->target, d->name,
                 d->count);
    else if (d->count < 0)
        mgi_fact(list, RANK_HIGH, "timer_without", d->at_ns, d->at_ns, "sss", id, d->what, d->text);
    else
        mgi_fact(list, RANK_USUAL, "timer_set", d->at_ns, d->at_ns, "ssn", id, d->what, d->count);
    places_of_deed(list, id, d);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static bool is_whole(struct str s, size_t most)
{
    bool whole = s.len > 0 && s.len <= most;
    for (size_t i = 0; i < s.len && whole; i++)
        whole = s.ptr[i] >= '0' && s.ptr[i] <= '9';
    return whole;
}

/* An answer that has a number as small as seconds are at a member of that name. */
static void facts_of_number(struct fact_list *list, struct str name, const char *op, struct str url,
                            int64_t line)
{
    for (size_t i = 0; i < list->capture->request_count; i++) {
        const struct shape *shape = &list->shapes[i];
        for (size_t j = 0; list->looked_at[i] && j < shape->count; j++) {
            const struct shape_path *p = &shape->paths[j];
            struct str value = p->values[0].ptr ? p->values[0] : STR_LIT("");
            bool time = strcmp(op, "plus") != 0; /* since 1970: ten figures */
            if (!str_eq(mgi_path_name(p->path), name) || !is_whole(value, 10) ||
                (time && value.len != 10))
                continue;
            mgi_fact(list, RANK_HIGH, "clock_meets", NO_TIME, 0, "sszsn",
                     mgi_fact_id(list, "r", list->capture->requests[i].number), p->path, op, url,
                     line);
            break;
        }
    }
}

/* What follows is multiplied: the code knows that these are seconds. */
static bool is_scaled(struct str after)
{
    size_t at = past_blank(after, 0);
    at = at < after.len && after.ptr[at] == ')' ? past_blank(after, at + 1) : at;
    return at < after.len && (after.ptr[at] == '*' || after.ptr[at] == '/' || after.ptr[at] == '(');
}

static struct str chain_at(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.len && end - at < 80 &&
           (is_name_char(text.ptr[end]) || strchr(".?", text.ptr[end])))
        end++;
    return part_of(text, at, end);
}

/* The number that the clock at `at` meets: Date.now() + a.b, Date.now() > a.b, a.b < Date.now(). */
static void facts_of_clock(struct fact_list *list, struct str url, struct str text, size_t at,
                           size_t len)
{
    struct place place = { text, at };
    size_t next = past_blank(text, at + len);
    char op = next < text.len ? text.ptr[next] : '\0';
    if (op == '+' || op == '<' || op == '>') {
        next += next + 1 < text.len && text.ptr[next + 1] == '=' ? 2 : 1;
        struct str chain = chain_at(text, past_blank(text, next));
        size_t end = (size_t)(chain.ptr - text.ptr) + chain.len;
        if (chain.len > 0 && !is_scaled(part_of(text, end, end + 20)))
            facts_of_number(list, mgi_path_name(chain), op == '+' ? "plus" : "compare", url,
                            mgi_place_line(&place));
        return;
    }
    size_t before = back_blank(text, at);
    before -= before > 0 && text.ptr[before - 1] == '=';
    if (before == 0 || !strchr("<>", text.ptr[before - 1]))
        return;
    size_t end = back_blank(text, before - 1), from = mgi_chain_start(text, end);
    struct str chain = part_of(text, from, end);
    if (chain.len > 0 && chain.ptr[chain.len - 1] != ')')
        facts_of_number(list, mgi_path_name(chain), "compare", url, mgi_place_line(&place));
}

/* new Date(a.b): seconds there are days after 1970. */
static void facts_of_date(struct fact_list *list, struct str url, struct str text, size_t at)
{
    struct place place = { text, at };
    struct str chain = chain_at(text, at);
    size_t end = at + chain.len;
    if (chain.len > 0 && end < text.len && text.ptr[end] == ')')
        facts_of_number(list, mgi_path_name(chain), "date", url, mgi_place_line(&place));
}

static void clocks_of_script(struct fact_list *list, struct str url, struct str text)
{
    static const char clock[] = "Date.now()", date[] = "new Date(";
    size_t found = 0;
    for (size_t at = 0; at < text.len && found < CLOCKS_TOLD; at++) {
        if (text.ptr[at] != 'D' && text.ptr[at] != 'n')
            continue;
        struct str rest = part_of(text, at, text.len);
        if (mgi_str_starts(rest, STR_LIT(clock)) && ++found)
            facts_of_clock(list, url, text, at, sizeof clock - 1);
        else if (mgi_str_starts(rest, STR_LIT(date)) && ++found)
            facts_of_date(list, url, text, at + sizeof date - 1);
    }
}

void mgi_facts_deeds(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t told = 0;
    for (size_t i = 0; i < more->deeds.count; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        bool placed = d->frame_count > 0 || str_is(d->what, "brief");
        bool elsewhere = str_is(d->what, "header") || str_is(d->what, "send") || is_of_kept(d);
        if ((told >= DEEDS_TOLD && !is_lost(d)) || mgi_is_past(list, d->at_ns) || !placed ||
            elsewhere)
            continue;
        told++;
        facts_of_deed(list, mgi_fact_id(list, "k", i + 1), d);
    }
    for (size_t i = 0; i < list->code_count; i++)
        clocks_of_script(list, list->code[i].url, list->code[i].text);
}
