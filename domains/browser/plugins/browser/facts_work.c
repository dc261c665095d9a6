/* Work that kept the page for long, and objects that pile up: which code. Where the page was looked
 * at meanwhile, the function in which it was found most often; else where the browser says that the
 * script was entered. */
#include "facts.h"
#include "source_int.h"

#define SCRIPTS_TOLD 12
#define HELD_TOLD    6
#define LEAST_NS     (200 * NS_PER_MS)
#define LOOKS_READ   64

/* ---- places ---------------------------------------------------------------------------------- */

static bool same_function(const struct frame *a, const struct frame *b)
{
    return str_eq(a->function, b->function) && str_eq(a->url, b->url) &&
           (a->function.len > 0 || a->line == b->line);
}

/* What was found most often in this time; NULL: nobody looked. */
static const struct code_seen *most_seen(const struct page_more *more, int64_t from_ns,
                                         int64_t to_ns)
{
    const struct code_seen *all[LOOKS_READ], *best = NULL;
    size_t count = 0, most = 0;
    for (size_t i = 0; i < more->looks.count && count < LOOKS_READ; i++) {
        const struct code_seen *s = &more->looks.items[i];
        if (s->frame_count > 0 && s->at_ns > from_ns && s->at_ns < to_ns)
            all[count++] = s;
    }
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < count; j++)
            same += same_function(&all[i]->frames[0], &all[j]->frames[0]);
        if (same > most) {
            most = same;
            best = all[i];
        }
    }
    return best;
}

static const struct code_text *code_of(const struct fact_list *list, struct str url)
{
    for (size_t i = 0; i < list->code_count; i++)
        if (str_eq(list->code[i].url, url))
            return &list->code[i];
    return NULL;
}

/* The byte at which character `units` (UTF-16) stands; SIZE_MAX: the text is shorter. */
static size_t byte_of_unit(struct str text, int64_t units)
{
    size_t at = 0;
    while (at < text.len && units > 0) {
        uint32_t code = mgi_utf8_next(text, &at);
        units -= code > 0xffff && code != UINT32_MAX ? 2 : 1;
    }
    return units > 0 ? SIZE_MAX : at;
}

/* A function's text begins with its name, its parameters or a word. */
static bool may_begin_function(struct str text, size_t at, struct str name)
{
    if (at >= text.len)
        return false;
    if (name.len > 0 && stands_at(text, at, name))
        return true;
    struct str rest = { text.ptr + at, text.len - at };
    return rest.ptr[0] == '(' || mgi_str_starts(rest, STR_LIT("async")) ||
           mgi_str_starts(rest, STR_LIT("function")) ||
           (is_name_char(rest.ptr[0]) &&
            mgi_str_find(mgi_utf8_prefix(rest, 60), STR_LIT("=>")) != SIZE_MAX);
}

/* Of a script within a document the characters are counted from its own beginning: the one script
 * in which a function begins there. */
static size_t place_in_document(struct str html, const struct long_script *s)
{
    size_t found = SIZE_MAX;
    for (size_t at = 0; at < html.len;) {
        struct str rest = { html.ptr + at, html.len - at };
        size_t tag = mgi_str_find(rest, STR_LIT("<script"));
        const char *open = tag == SIZE_MAX ? NULL : memchr(rest.ptr + tag, '>', rest.len - tag);
        if (!open)
            break;
        size_t from = (size_t)(open + 1 - html.ptr);
        struct str body = { html.ptr + from, html.len - from };
        size_t end = mgi_str_find(body, STR_LIT("</script"));
        body.len = end == SIZE_MAX ? body.len : end;
        size_t inside = byte_of_unit(body, s->char_at);
        if (inside != SIZE_MAX && may_begin_function(body, inside, s->function)) {
            if (found != SIZE_MAX)
                return SIZE_MAX;
            found = from + inside;
        }
        at = from + body.len;
    }
    return found;
}

/* Where it was entered; 0: not known. */
static int64_t line_of(const struct fact_list *list, const struct long_script *s)
{
    const struct code_text *code = code_of(list, s->url);
    if (!code || s->char_at < 0)
        return 0;
    size_t at =
        code->script ? byte_of_unit(code->text, s->char_at) : place_in_document(code->text, s);
    return at == SIZE_MAX ? 0 : mgi_place_line(&(struct place){ code->text, at });
}

static void tell_place(struct fact_list *list, struct str id, const struct long_script *s)
{
    const struct code_seen *seen = most_seen(&list->capture->more, s->at_ns, s->end_ns);
    struct frame entered = { s->function, s->url, line_of(list, s), 0 };
    if (seen)
        mgi_fact_stack(list, RANK_HIGH, id, seen->frames, seen->frame_count);
    else if (entered.url.len > 0 && entered.line > 0)
        mgi_fact_stack(list, RANK_HIGH, id, &entered, 1);
}

/* ---- long scripts ---------------------------------------------------------------------------- */

static bool is_told(const struct fact_list *list, const struct long_script *s)
{
    return (s->end_ns - s->at_ns >= LEAST_NS || s->laid_ms * NS_PER_MS >= LEAST_NS) &&
           !mgi_is_past(list, s->at_ns);
}

/* So many are longer, or as long and came before. */
static size_t longer_ones(const struct fact_list *list, size_t index)
{
    const struct page_more *more = &list->capture->more;
    const struct long_script *s = &more->long_scripts.items[index];
    int64_t own = s->end_ns - s->at_ns + s->laid_ms * NS_PER_MS;
    size_t count = 0;
    for (size_t i = 0; i < more->long_scripts.count; i++) {
        const struct long_script *o = &more->long_scripts.items[i];
        int64_t other = o->end_ns - o->at_ns + o->laid_ms * NS_PER_MS;
        count += is_told(list, o) && (other > own || (other == own && i < index));
    }
    return count;
}

static void tell_script(struct fact_list *list, size_t index, const struct long_script *s)
{
    struct str id = mgi_fact_id(list, "b", index + 1);
    mgi_fact(list, RANK_HIGH, "long_script", s->at_ns, s->end_ns, "sssnn", id, s->by, s->type,
             (s->end_ns - s->at_ns) / NS_PER_MS, s->layout_ms);
    if (s->paused_ms > 0)
        mgi_fact(list, RANK_HIGH, "script_waited", NO_TIME, 0, "sn", id, s->paused_ms);
    if (s->laid_ms >= LEAST_NS / NS_PER_MS)
        mgi_fact(list, RANK_HIGH, "laid_out", NO_TIME, 0, "sn", id, s->laid_ms);
    tell_place(list, id, s);
}

/* ---- long tasks that no frame tells of ------------------------------------------------------- */

static bool is_of_script(const struct page_more *more, const struct sample *task)
{
    int64_t end_ns = task->at_ns + task->count * NS_PER_MS;
    for (size_t i = 0; i < more->long_scripts.count; i++)
        if (more->long_scripts.items[i].at_ns < end_ns &&
            more->long_scripts.items[i].end_ns > task->at_ns)
            return true;
    return false;
}

/* Of the time between the first look and the last, as a part of the task; -1: not known. */
static int64_t layout_of(const struct page_more *more, const struct sample *task, int64_t *layouts)
{
    const struct time_spent *first = NULL, *last = NULL;
    int64_t end_ns = task->at_ns + task->count * NS_PER_MS;
    for (size_t i = 0; i < more->spent.count; i++) {
        const struct time_spent *s = &more->spent.items[i];
        if (s->at_ns <= task->at_ns || s->at_ns >= end_ns)
            continue;
        first = first ? first : s;
        last = s;
    }
    int64_t span = first ? last->clock_ms - first->clock_ms : 0;
    if (span <= 0 || last->layout_ms < first->layout_ms)
        return -1;
    *layouts = last->layouts - first->layouts;
    int64_t layout = last->layout_ms - first->layout_ms;
    return (layout < span ? layout : span) * task->count / span;
}

static void tell_tasks(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0, told = 0; i < more->tasks.count && told < SCRIPTS_TOLD; i++) {
        const struct sample *task = &more->tasks.items[i];
        int64_t end_ns = task->at_ns + task->count * NS_PER_MS;
        const struct code_seen *seen = most_seen(more, task->at_ns, end_ns);
        if (!seen || is_of_script(more, task) || mgi_is_past(list, task->at_ns))
            continue;
        struct str id = mgi_fact_id(list, "b", more->long_scripts.count + i + 1);
        int64_t layouts = 0, layout = layout_of(more, task, &layouts);
        mgi_fact(list, RANK_HIGH, "long_script", task->at_ns, end_ns, "szznn", id, "", "",
                 task->count, layout);
        if (layout >= 0)
            mgi_fact(list, RANK_HIGH, "layouts_within", NO_TIME, 0, "sn", id, layouts);
        mgi_fact_stack(list, RANK_HIGH, id, seen->frames, seen->frame_count);
        told++;
    }
}

/* ---- what stays ------------------------------------------------------------------------------ */

/* The last time that it was asked what stays says all; most bytes first. */
static void tell_held(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t told = 0;
    for (size_t i = 0; i < more->held.count && told < HELD_TOLD; i++) {
        const struct code_seen *s = &more->held.items[i];
        if (s->at_ns != more->held.items[more->held.count - 1].at_ns || mgi_is_past(list, s->at_ns))
            continue;
        struct str id = mgi_fact_id(list, "h", ++told);
        mgi_fact(list, RANK_HIGH, "kept_alive", s->at_ns, s->at_ns, "sn", id, s->bytes);
        mgi_fact_stack(list, RANK_HIGH, id, s->frames, s->frame_count);
    }
}

void mgi_facts_work(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->long_scripts.count; i++)
        if (is_told(list, &more->long_scripts.items[i]) && longer_ones(list, i) < SCRIPTS_TOLD)
            tell_script(list, i, &more->long_scripts.items[i]);
    tell_tasks(list);
    tell_held(list);
}
