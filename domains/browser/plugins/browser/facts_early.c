/* Events of a bus of the page's own that are told before anybody listens: bus.emit('session', s) in
 * a script that ran before the one with bus.on('session', f). Told only where the line that tells
 * runs once, with its script, and every line that listens comes later. */
#include "facts.h"
#include "source_forms.h"
#include "source_int.h"
#include "source_start.h"

#define TOPIC_MOST    60
#define LINES_MOST    40
#define PUT_OFF_BYTES 400

struct bus_line {
    const struct code_text *code;
    size_t at;
    struct str topic;
    bool listens;
};

struct bus_lines {
    struct fact_list *list;
    struct bus_line items[LINES_MOST];
    size_t count;
};

/* The names of methods that tell, and of those that listen. */
static bool is_telling_call(struct str name)
{
    static const char *const names[] = { "emit",     "publish", "trigger",   "fire",  "dispatch",
                                         "notify",   "send",    "broadcast", "raise", "pub",
                                         "announce", "signal",  NULL };
    return mgi_str_is_any(name, names);
}

static bool is_listening_call(struct str name)
{
    static const char *const names[] = { "on",    "subscribe", "listen", "addListener",
                                         "once",  "bind",      "sub",    "observe",
                                         "watch", "when",      NULL };
    return mgi_str_is_any(name, names);
}

/* The text in quotes, or a name by which one goes, TOPIC or Events.SESSION. */
static struct str topic_at(struct str s, size_t at)
{
    at = past_blank(s, at);
    bool quoted = at < s.len && strchr("'\"`", s.ptr[at]);
    size_t from = at + quoted, end = from;
    while (end < s.len && end - from < TOPIC_MOST &&
           (quoted ? s.ptr[end] != s.ptr[at] && s.ptr[end] != '\n'
                   : is_name_char(s.ptr[end]) || s.ptr[end] == '.'))
        end++;
    bool ends = end < s.len && (quoted ? s.ptr[end] == s.ptr[at]
                                       : strchr(",)", s.ptr[past_blank(s, end)]) != NULL);
    bool capital = from < s.len && s.ptr[from] >= 'A' && s.ptr[from] <= 'Z';
    struct str topic = { s.ptr + from, end - from };
    return ends && topic.len > 1 && (quoted || capital) ? topic : STR_LIT("");
}

static void take_lines(struct bus_lines *b, const struct code_text *code)
{
    struct str s = code->text;
    for (size_t at = 1; at + 4 < s.len && b->count < LINES_MOST; at++) {
        if (s.ptr[at] != '.' || !(is_name_char(s.ptr[at - 1]) || strchr(")?", s.ptr[at - 1])))
            continue;
        struct str name = name_at(s, at + 1);
        size_t open = at + 1 + name.len;
        bool tells = is_telling_call(name), listens = is_listening_call(name);
        if ((!tells && !listens) || open >= s.len || s.ptr[open] != '(')
            continue;
        struct str topic = topic_at(s, open + 1);
        size_t more = mgi_form_item(s, open + 1, 1);
        size_t close = mgi_form_close(s, open);
        bool hears = more != SIZE_MAX && close != SIZE_MAX && more < close;
        if (topic.len > 0 && (tells || hears))
            b->items[b->count++] = (struct bus_line){ code, at + 1, topic, listens };
    }
}

/* ---- which runs first
 * ---------------------------------------------------------------------------- */

/* When the script ran; 0: that is not known. */
static int64_t ran_ns(const struct fact_list *list, const struct code_text *code)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->more.scripts.count; i++) {
        const struct script *s = &c->more.scripts.items[i];
        if (str_eq(s->url, code->url) && !mgi_is_past(list, s->run_ns))
            return s->run_ns;
    }
    return 0;
}

static bool is_module(const struct fact_list *list, const struct code_text *code)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->more.scripts.count; i++)
        if (str_eq(c->more.scripts.items[i].url, code->url) &&
            !mgi_is_past(list, c->more.scripts.items[i].run_ns))
            return c->more.scripts.items[i].how.len > 0;
    return false;
}

/* Where the text imports the file; SIZE_MAX: nowhere. */
static size_t import_of(struct str s, struct str url)
{
    struct str file = mgi_url_file(url);
    for (size_t at = 0; file.len > 3 && at + file.len < s.len; at++)
        if (memcmp(s.ptr + at, file.ptr, file.len) == 0 && at > 0 && strchr("/'\"", s.ptr[at - 1]))
            return at;
    return SIZE_MAX;
}

/* Modules run in the order in which one imports them, all before it. */
static bool is_imported_before(const struct fact_list *list, const struct code_text *first,
                               const struct code_text *second)
{
    for (size_t i = 0; i < list->code_count; i++) {
        size_t a = import_of(list->code[i].text, first->url);
        size_t b = import_of(list->code[i].text, second->url);
        if (&list->code[i] == second && a != SIZE_MAX)
            return true;
        if (list->code[i].script && a != SIZE_MAX && b != SIZE_MAX)
            return a < b && import_of(first->text, second->url) == SIZE_MAX;
    }
    return false;
}

static bool runs_before(const struct fact_list *list, const struct bus_line *a,
                        const struct bus_line *b)
{
    if (a->code == b->code)
        return a->at < b->at;
    if (is_module(list, a->code) && is_module(list, b->code))
        return is_imported_before(list, a->code, b->code);
    int64_t first = ran_ns(list, a->code), second = ran_ns(list, b->code);
    return first > 0 && second > 0 && first < second;
}

/* ---- all of it
 * ----------------------------------------------------------------------------------- */

/* Behind a wait, or in the expression of a function that something calls later. */
static bool is_put_off(struct str s, size_t at)
{
    static const char *const later[] = { ".then(",
                                         "await ",
                                         "DOMContentLoaded",
                                         "addEventListener",
                                         "setTimeout",
                                         ".ready(",
                                         "onload",
                                         ".finally(",
                                         "requestAnimationFrame",
                                         "queueMicrotask",
                                         "setInterval",
                                         ".on(",
                                         NULL };
    size_t from = at > PUT_OFF_BYTES ? at - PUT_OFF_BYTES : 0;
    struct str before = { s.ptr + from, at - from };
    for (size_t i = 0; later[i]; i++)
        if (mgi_str_find(before, str_of(later[i])) != SIZE_MAX)
            return true;
    for (size_t i = at; i > 1 && !strchr(";\n{}", s.ptr[i - 1]); i--)
        if (s.ptr[i - 1] == '>' && s.ptr[i - 2] == '=')
            return true;
    return false;
}

static bool runs_with_its_script(const struct fact_list *list, const struct bus_line *l)
{
    struct str scripts[CODE_TEXTS_MOST];
    size_t count = mgi_code_scripts(list, scripts);
    return !is_put_off(l->code->text, l->at) &&
           mgi_source_runs_at_start(l->code->text, l->at, scripts, count);
}

static void look_at_topic(struct bus_lines *b, const struct bus_line *told)
{
    const struct bus_line *heard = NULL;
    for (size_t i = 0; i < b->count; i++) {
        const struct bus_line *l = &b->items[i];
        if (!str_eq(l->topic, told->topic) || l == told)
            continue;
        if (!l->listens || !runs_before(b->list, told, l))
            return; /* told elsewhere as well, or somebody was there */
        heard = heard ? heard : l;
    }
    if (!heard || !runs_with_its_script(b->list, told))
        return;
    struct place place = { told->code->text, told->at }, there = { heard->code->text, heard->at };
    struct str id = mgi_fact_id(b->list, "told", (size_t)(told - b->items) + 1);
    mgi_fact(b->list, RANK_HIGH, "told_early", NO_TIME, 0, "sssn", id, told->topic, told->code->url,
             mgi_place_line(&place));
    mgi_fact(b->list, RANK_HIGH, "heard_late", NO_TIME, 0, "ssn", id, heard->code->url,
             mgi_place_line(&there));
}

void mgi_facts_early(struct fact_list *list)
{
    struct bus_lines b = { .list = list };
    for (size_t i = 0; i < list->code_count; i++)
        if (list->code[i].own)
            take_lines(&b, &list->code[i]);
    for (size_t i = 0; i < b.count && !list->code_lost && b.count < LINES_MOST; i++)
        if (!b.items[i].listens)
            look_at_topic(&b, &b.items[i]);
}
