/* Scripts as facts: how they were brought in, when they ran, which of the names that errors are
 * about they define. */
#include "facts.h"
#include "source_forms.h"
#include "source_start.h"
#include "source_int.h"

#define SCRIPTS_TOLD  120
#define SCANNED_BYTES (512u * 1024)
#define GUARDED_MOST  40
#define GUARDS_MOST   20
#define LATE_NS       (300 * NS_PER_SEC / 1000)

/* One script: what asked for it, what ran. */
struct script_seen {
    const struct request *request;
    const struct script *parsed;
    struct str url, how, text;
    int64_t begin_ns, run_ns;
};

static struct str text_of_request(const struct request *r)
{
    bool known, binary = false;
    struct str text = r ? mgi_answer_text(r, &known, &binary) : STR_LIT("");
    return r && !binary ? text : STR_LIT("");
}

/* The attributes of the tag that loads this file, as the document was sent. */
static struct str tag_of(const struct capture *c, struct str url)
{
    struct str file = mgi_url_file(url);
    for (size_t i = 0; i < c->request_count; i++) {
        struct str html = text_of_request(&c->requests[i]);
        if (c->requests[i].resource != RES_DOCUMENT || file.len == 0)
            continue;
        for (size_t at = 0; at + 8 < html.len; at++) {
            struct str rest = { html.ptr + at, html.len - at };
            if (!mgi_str_starts(rest, STR_LIT("<script")))
                continue;
            const char *end = memchr(rest.ptr, '>', rest.len);
            struct str tag = { rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
            if (mgi_str_find(tag, file) != SIZE_MAX)
                return tag;
        }
    }
    return STR_LIT("");
}

static bool is_document(const struct capture *c, struct str url)
{
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].resource == RES_DOCUMENT && str_eq(c->requests[i].url, url))
            return true;
    return str_eq(c->url, url);
}

static struct str how_of(const struct capture *c, const struct script_seen *s)
{
    struct str tag = s->url.len > 0 ? tag_of(c, s->url) : STR_LIT("");
    if ((s->parsed && s->parsed->how.len > 0) || mgi_contains(tag, "module"))
        return STR_LIT("module");
    if (s->url.len == 0)
        return STR_LIT("eval");
    if (!s->request && is_document(c, s->url))
        return STR_LIT("inline");
    if (mgi_contains(tag, " async"))
        return STR_LIT("async");
    if (mgi_contains(tag, " defer"))
        return STR_LIT("defer");
    return tag.len == 0 && s->request &&
                   (s->request->frame_count > 0 || str_is(s->request->asked, "script"))
               ? STR_LIT("injected")
               : STR_LIT("blocking");
}

static const struct script *parsed_of(const struct capture *c, const struct request *r)
{
    for (size_t i = 0; i < c->more.scripts.count; i++) {
        const struct script *s = &c->more.scripts.items[i];
        if (s->run_ns >= r->start_ns && str_eq(s->url, r->url))
            return s;
    }
    return NULL;
}

static bool was_requested(const struct capture *c, const struct script *s)
{
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].resource == RES_SCRIPT && str_eq(c->requests[i].url, s->url))
            return true;
    return false;
}

static bool add_seen(struct fact_list *list, struct script_seen one)
{
    struct script_seen *slot =
        list->scripts.count < SCRIPTS_TOLD ? mgi_list_add(list->job->arena, &list->scripts) : NULL;
    if (!slot)
        return false;
    one.how = how_of(list->capture, &one);
    *slot = one;
    return true;
}

static bool find_scripts(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || !str_is(mgi_request_kind(r), "script"))
            continue;
        const struct script *parsed = parsed_of(c, r);
        if (!add_seen(list, (struct script_seen){ .request = r,
                                                  .parsed = parsed,
                                                  .url = r->url,
                                                  .text = text_of_request(r),
                                                  .begin_ns = r->start_ns,
                                                  .run_ns = parsed ? parsed->run_ns : 0 }))
            return false;
    }
    for (size_t i = 0; i < c->more.scripts.count; i++) {
        const struct script *s = &c->more.scripts.items[i];
        if (mgi_is_past(list, s->run_ns > 0 ? s->run_ns : s->begin_ns))
            continue;
        if (!was_requested(c, s) && !add_seen(list, (struct script_seen){ .parsed = s,
                                                                          .url = s->url,
                                                                          .begin_ns = s->begin_ns,
                                                                          .run_ns = s->run_ns }))
            return false;
    }
    return true;
}

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c == '$';
}

/* ---- the same twice ------------------------------------------------------------------------ */

/* "chart.min.js" and "chart-4.4.1.js" are one library: its name without what says which build. */
static struct str library_of(struct str url, char *room, size_t most)
{
    static const char *const builds[] = { "min",        "slim",        "esm", "umd",    "cjs",
                                          "iife",       "js",          "mjs", "bundle", "prod",
                                          "production", "development", NULL };
    struct str file = mgi_url_file(url);
    size_t len = 0;
    for (size_t at = 0; at < file.len;) {
        size_t end = at;
        bool digit = false, known = false;
        while (end < file.len && is_word_char(file.ptr[end]))
            digit |= file.ptr[end] >= '0' && file.ptr[end] <= '9', end++;
        for (size_t i = 0; builds[i]; i++)
            known |= str_is((struct str){ file.ptr + at, end - at }, builds[i]);
        if (!digit && !known && len + (end - at) < most) {
            memcpy(room + len, file.ptr + at, end - at);
            len += end - at;
        }
        at = end + 1;
    }
    return (struct str){ room, len };
}

static bool is_one_of_many(struct str name)
{
    static const char *const names[] = { "index", "main", "app", "chunk", "runtime", "vendor" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_is(name, names[i]))
            return true;
    return name.len < 3;
}

static bool is_same_library(const struct script_seen *a, const struct script_seen *b)
{
    char one[100], other[100];
    if (str_eq(a->url, b->url))
        return true;
    struct str name = library_of(a->url, one, sizeof one);
    return !is_one_of_many(name) && str_eq(name, library_of(b->url, other, sizeof other));
}

static bool runs_once_only(const struct script_seen *s)
{
    return s->url.len == 0 || s->run_ns == 0 || str_is(s->how, "module") ||
           str_is(s->how, "inline") || str_is(s->how, "eval");
}

static bool is_module(const struct script_seen *s)
{
    return str_is(s->how, "module") && s->run_ns != 0;
}

/* A module under two addresses is two modules, each with a state of its own. */
static bool is_same_module(const struct script_seen *a, const struct script_seen *b)
{
    return is_module(a) && is_module(b) && !str_eq(a->url, b->url) &&
           str_eq(mgi_url_origin(a->url), mgi_url_origin(b->url)) &&
           str_eq(mgi_url_path(a->url), mgi_url_path(b->url));
}

/* The first of them; NULL: there is none before it. */
static const struct script_seen *first_of_module(const struct fact_list *list, size_t index)
{
    const struct script_seen *s = &list->scripts.items[index];
    for (size_t j = 0; j < index; j++)
        if (is_same_module(&list->scripts.items[j], s))
            return &list->scripts.items[j];
    return NULL;
}

static size_t times_parsed(const struct capture *c, struct str url)
{
    size_t count = 0;
    for (size_t i = 0; i < c->more.scripts.count; i++)
        count += str_eq(c->more.scripts.items[i].url, url);
    return count;
}

/* A library whose second copy starts anew. */
static void facts_of_copies(struct fact_list *list)
{
    for (size_t i = 0; i < list->scripts.count; i++) {
        const struct script_seen *s = &list->scripts.items[i];
        const struct script_seen *module = first_of_module(list, i);
        bool told = runs_once_only(s);
        if (module)
            mgi_fact(list, RANK_HIGH, "loaded_again", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "s", i + 1), s->url, module->url);
        for (size_t j = 0; j < list->scripts.count && !told; j++) {
            const struct script_seen *first = &list->scripts.items[j];
            if (j == i || runs_once_only(first) || !is_same_library(first, s) ||
                first->run_ns > s->run_ns || (first->run_ns == s->run_ns && j > i))
                continue;
            mgi_fact(list, RANK_HIGH, "loaded_again", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "s", i + 1), s->url, first->url);
            told = true;
        }
        if (!told && times_parsed(list->capture, s->url) > 1)
            mgi_fact(list, RANK_HIGH, "loaded_again", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "s", i + 1), s->url, s->url);
    }
}

/* ---- a place whose script came late ---------------------------------------------------------- */

static bool has_quoted(struct str text, struct str word)
{
    for (size_t at = 1; at + word.len < text.len; at++)
        if (strchr("\"'`", text.ptr[at - 1]) && text.ptr[at - 1] == text.ptr[at + word.len] &&
            memcmp(text.ptr + at, word.ptr, word.len) == 0)
            return true;
    return false;
}

/* Does code look for elements with the attribute that stands in brackets: [data-widget=tasks]? */
static bool looks_for(struct str text, struct str target)
{
    char member[64];
    size_t from = mgi_str_find(target, STR_LIT("[data-")), len = 0;
    size_t end = from == SIZE_MAX ? SIZE_MAX : mgi_str_find(target, STR_LIT("="));
    if (end == SIZE_MAX || end < from)
        return false;
    struct str name = { target.ptr + from + 1, end - from - 1 };
    for (size_t i = 5; i < name.len && len + 1 < sizeof member; i++) {
        bool upper = name.ptr[i] == '-' && i + 1 < name.len;
        char c = name.ptr[i += upper];
        member[len++] = (char)(upper && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    char dataset[80] = "dataset.";
    memcpy(dataset + 8, member, len);
    return mgi_str_find(text, name) != SIZE_MAX ||
           mgi_str_find(text, (struct str){ dataset, 8 + len }) != SIZE_MAX;
}

static bool may_come_late(const struct script_seen *s)
{
    return str_is(s->how, "async") || str_is(s->how, "injected");
}

/* It runs when the document is there, and what stands in the document before. */
static bool is_put_off(const struct script_seen *s)
{
    return str_is(s->how, "defer") || str_is(s->how, "module");
}

static bool runs_at_once(const struct script_seen *s)
{
    return str_is(s->how, "inline") || str_is(s->how, "blocking");
}

/* if (!$.fn.slides), if (typeof Chart === ...: the name that is asked for; empty: no such line. */
static struct str name_guarded(struct str s, size_t at)
{
    static const char *const begin[] = { "if (!", "if(!", "typeof " };
    size_t from = SIZE_MAX, to;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (mgi_str_starts((struct str){ s.ptr + at, s.len - at }, str_of(begin[i])))
            from = at + strlen(begin[i]);
    if (from == SIZE_MAX)
        return STR_LIT("");
    for (to = from; to < s.len && (is_name_char(s.ptr[to]) || strchr(".?", s.ptr[to]));)
        to++;
    size_t last = to;
    while (last > from && s.ptr[last - 1] != '.')
        last--;
    bool ends = to < s.len && strchr(") =!", s.ptr[to]);
    return ends ? (struct str){ s.ptr + last, to - last } : STR_LIT("");
}

/* "$.fn.slides =", "function Chart(", "class Chart ". */
static bool defines_it(struct str s, struct str name)
{
    for (size_t at = 1; at + name.len + 2 < s.len; at++) {
        if (!stands_at(s, at, name) || is_name_char(s.ptr[at - 1]) ||
            is_name_char(s.ptr[at + name.len]))
            continue;
        size_t after = past_blank(s, at + name.len);
        bool given = s.ptr[at - 1] == '.' && after + 1 < s.len && s.ptr[after] == '=' &&
                     s.ptr[after + 1] != '=';
        if (given || mgi_form_word_before(s, at, "function") ||
            mgi_form_word_before(s, at, "class"))
            return true;
    }
    return false;
}

/* It does something with what it defines, when it comes: then nobody need ask for it. */
static bool is_started_by_itself(struct str s, struct str name)
{
    for (size_t at = 1; at + name.len < s.len; at++) {
        if (!stands_at(s, at, name) || is_name_char(s.ptr[at - 1]))
            continue;
        size_t after = past_blank(s, at + name.len);
        bool defined =
            mgi_form_word_before(s, at, "function") || mgi_form_word_before(s, at, "class");
        bool made = stands_at(s, after, STR_LIT(".prototype")); /* X.prototype.f = */
        bool used = !made && after < s.len && strchr(".([", s.ptr[after]);
        if (!defined && (used || mgi_form_word_before(s, at, "new")))
            return true;
    }
    return mgi_str_find(s, STR_LIT("dispatchEvent(")) != SIZE_MAX;
}

/* Code that ran asks whether something is there which only a script defines that ran later. */
static void facts_of_guard(struct fact_list *list, const struct script_seen *asks, size_t late,
                           bool in_order)
{
    const struct script_seen *s = &list->scripts.items[late];
    struct str text = mgi_utf8_prefix(asks->text, SCANNED_BYTES);
    struct str other = mgi_utf8_prefix(s->text, SCANNED_BYTES), scripts[CODE_TEXTS_MOST];
    size_t count = mgi_code_scripts(list, scripts);
    for (size_t at = 0, seen = 0; at + 8 < text.len && seen < GUARDS_MOST; at++) {
        struct str name = name_guarded(text, at);
        bool once = false;
        if (name.len < 4) {
            name = mgi_source_name_asked(text, at);
            once = true;
        }
        if (name.len < 2 || (!once && in_order))
            continue;
        seen++;
        if (!defines_it(other, name) || defines_it(text, name) ||
            (once && (is_started_by_itself(other, name) ||
                      !mgi_source_only_at_start(text, name, scripts, count))))
            continue;
        struct place place = { text, at };
        mgi_fact(list, RANK_HIGH, "asked_too_early", NO_TIME, 0, "sssn",
                 mgi_fact_id(list, "s", late + 1), name, asks->url, mgi_place_line(&place));
        return;
    }
}

static void facts_of_guards(struct fact_list *list)
{
    for (size_t i = 0; i < list->scripts.count && i < GUARDED_MOST; i++)
        for (size_t j = 0; j < list->scripts.count && j < GUARDED_MOST; j++) {
            const struct script_seen *late = &list->scripts.items[i],
                                     *asks = &list->scripts.items[j];
            bool in_order = is_put_off(late) && runs_at_once(asks);
            if (i != j && (in_order || may_come_late(late)) && asks->run_ns > 0 &&
                late->run_ns - asks->run_ns > (in_order ? 0 : LATE_NS))
                facts_of_guard(list, asks, i, in_order);
        }
}

static void facts_of_late(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->blank.count; i++) {
        const struct flat_element *e = &more->blank.items[i];
        size_t found = SIZE_MAX, count = 0;
        bool looked = false;
        for (size_t j = 0; j < list->scripts.count; j++)
            if (has_quoted(mgi_utf8_prefix(list->scripts.items[j].text, SCANNED_BYTES), e->why)) {
                found = j;
                count++;
            }
        if (count != 1 || !may_come_late(&list->scripts.items[found]) || e->why.len < 3)
            continue;
        for (size_t j = 0; j < list->scripts.count; j++) {
            const struct script_seen *s = &list->scripts.items[j];
            looked = looked || (j != found && s->run_ns > 0 &&
                                s->run_ns < list->scripts.items[found].run_ns &&
                                looks_for(mgi_utf8_prefix(s->text, SCANNED_BYTES), e->target));
        }
        if (looked)
            mgi_fact(list, RANK_HIGH, "late_for_place", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "s", found + 1), e->target, e->why);
    }
}

void mgi_facts_scripts(struct fact_list *list)
{
    bool traced = list->capture->more.last_ns > 0;
    find_scripts(list);
    for (size_t i = 0; i < list->scripts.count; i++) {
        const struct script_seen *s = &list->scripts.items[i];
        struct str id = mgi_fact_id(list, "s", i + 1);
        enum rank rank =
            s->request && mgi_request_rank(s->request) == RANK_CORE ? RANK_CORE : RANK_LOW;
        /* A HAR does not tell whether it ran: it is taken to have run when it was there. */
        int64_t run = traced || !s->request || s->request->fault != FAULT_NONE ? s->run_ns
                                                                               : s->request->end_ns;
        mgi_fact(list, rank, "script", s->begin_ns, run, "sss", id, s->url, s->how);
        if (s->request)
            mgi_fact(list, rank, "script_request", NO_TIME, 0, "ss", id,
                     mgi_fact_id(list, "r", s->request->number));
    }
    if (traced) {
        facts_of_copies(list);
        facts_of_late(list);
        facts_of_guards(list);
    }
}

/* ---- definitions --------------------------------------------------------------------------- */

/* Is the text before `at` one of these words, with a blank or nothing between? */
static bool follows(struct str s, size_t at, const char *const *words)
{
    size_t end = at;
    while (end > 0 && (s.ptr[end - 1] == ' ' || s.ptr[end - 1] == '\t'))
        end--;
    for (; *words; words++) {
        size_t len = strlen(*words);
        if (end >= len && memcmp(s.ptr + end - len, *words, len) == 0 &&
            (end == len || !is_word_char(s.ptr[end - len - 1])))
            return true;
    }
    return false;
}

/* At the top of a script, as far as its braces tell: strings are not looked into. */
static bool at_top(struct str s, size_t at)
{
    int depth = 0;
    for (size_t i = 0; i < at; i++) {
        depth += s.ptr[i] == '{';
        depth -= s.ptr[i] == '}';
    }
    return depth <= 0;
}

static bool assigned(struct str s, size_t at)
{
    while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\t'))
        at++;
    return at + 1 < s.len && s.ptr[at] == '=' && s.ptr[at + 1] != '=';
}

static bool defines_name(struct str s, struct str name, bool module)
{
    static const char *const declares[] = { "function", "var", "let", "const", "class", NULL };
    static const char *const globals[] = { "window.", "globalThis.", "self.",
                                           "root.",   "global.",     NULL };
    s = mgi_utf8_prefix(s, SCANNED_BYTES);
    for (size_t at = 0; name.len > 0 && at + name.len <= s.len; at++) {
        const char *found = memchr(s.ptr + at, name.ptr[0], s.len - at);
        if (!found)
            return false;
        at = (size_t)(found - s.ptr);
        if (at + name.len > s.len || memcmp(found, name.ptr, name.len) != 0 ||
            (at + name.len < s.len && is_word_char(s.ptr[at + name.len])) ||
            (at > 0 && is_word_char(s.ptr[at - 1])))
            continue;
        if (follows(s, at, globals) && assigned(s, at + name.len))
            return true;
        if (!module && follows(s, at, declares) && at_top(s, at))
            return true;
    }
    return false;
}

void mgi_facts_defines(struct fact_list *list, struct str name)
{
    for (size_t i = 0; i < list->scripts.count; i++) {
        const struct script_seen *s = &list->scripts.items[i];
        if (s->text.len > 0 && defines_name(s->text, name, str_is(s->how, "module")))
            mgi_fact(list, RANK_CORE, "defines", NO_TIME, 0, "ss", mgi_fact_id(list, "s", i + 1),
                     name);
    }
}
