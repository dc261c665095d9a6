/* What is heard more than once: the text of a message that came once and is drawn twice, and the
 * lines at which code listens again whenever they run, and never stops. */
#include "facts.h"
#include "source_forms.h"
#include "source_start.h"

#define ANEW_TOLD    12
#define ANEW_LOOKED  200
#define TWINS_LOOKED 20
#define SAID_MOST    24
#define SOON_NS      (250 * NS_PER_MS)
#define EARLIER_NS   (400 * NS_PER_MS)

/* ---- a message that came once ------------------------------------------------------------------
 */

static size_t times_in(struct str text, struct str part)
{
    size_t count = 0;
    for (size_t at = 0; part.len > 0 && at + part.len <= text.len; at++) {
        const char *found = memchr(text.ptr + at, part.ptr[0], text.len - at);
        if (!found)
            break;
        at = (size_t)(found - text.ptr);
        if (at + part.len <= text.len && memcmp(found, part.ptr, part.len) == 0)
            count++;
    }
    return count;
}

/* A text of the message that stands once in it, and in what was drawn. */
static struct str drawn_text(const struct json *value, struct str frame, struct str drawn)
{
    for (size_t i = 0; value->type == JSON_OBJECT && i < value->count && i < SAID_MOST; i++) {
        const struct json *v = &value->members[i].value;
        for (size_t j = 0; v->type == JSON_OBJECT && j < v->count && j < SAID_MOST; j++) {
            const struct json *in = &v->members[j].value;
            if (in->type == JSON_STRING && in->string.len > 2 && times_in(frame, in->string) == 1 &&
                mgi_str_find(drawn, in->string) != SIZE_MAX)
                return in->string;
        }
        if (v->type == JSON_STRING && v->string.len > 2 && times_in(frame, v->string) == 1 &&
            mgi_str_find(drawn, v->string) != SIZE_MAX)
            return v->string;
    }
    return STR_LIT("");
}

static bool came_before(const struct page_more *more, size_t at, struct str text)
{
    for (size_t i = at; i-- > 0;) {
        const struct socket_frame *f = &more->frames.items[i];
        if (f->at_ns + EARLIER_NS < more->frames.items[at].at_ns)
            return false;
        if (f->what == FRAME_RECEIVED && mgi_str_find(f->text, text) != SIZE_MAX)
            return true;
    }
    return false;
}

/* The last message that came before it was drawn. */
static size_t message_before(const struct page_more *more, int64_t at_ns)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < more->frames.count; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        if (f->what == FRAME_RECEIVED && f->at_ns <= at_ns + 10 * NS_PER_MS &&
            at_ns <= f->at_ns + SOON_NS)
            found = i;
    }
    return found;
}

static void tell_drawn(struct fact_list *list, size_t number, const struct page_deed *d)
{
    const struct page_more *more = &list->capture->more;
    size_t at = message_before(more, d->at_ns);
    struct json value;
    if (at == SIZE_MAX || mgi_json_parse(list->job->arena, more->frames.items[at].text, NULL,
                                         &value, NULL) != JSON_OK)
        return;
    const struct socket_frame *f = &more->frames.items[at];
    const struct request *r =
        mgi_told_request(list, mgi_request_by_id(list->capture, f->request_id));
    struct str text = drawn_text(&value, f->text, d->text);
    if (r && text.len > 0 && !came_before(more, at, text))
        mgi_fact(list, RANK_HIGH, "drawn_twice_of", NO_TIME, 0, "ssn",
                 mgi_fact_id(list, "k", number), mgi_fact_id(list, "r", r->number),
                 (int64_t)at + 1);
}

static size_t facts_of_twins(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t looked = 0;
    for (size_t i = 0; i < more->deeds.count && looked < TWINS_LOOKED; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        if (!str_is(d->what, "twin") || d->text.len == 0 || mgi_is_past(list, d->at_ns))
            continue;
        looked++;
        tell_drawn(list, i + 1, d);
    }
    return looked;
}

/* ---- lines that listen again
 * --------------------------------------------------------------------- */

/* The name in quotes that begins at `at`; empty: there is none. */
static struct str quoted_at(struct str s, size_t at)
{
    if (at >= s.len || !strchr("\"'`", s.ptr[at]))
        return STR_LIT("");
    size_t end = at + 1;
    while (end < s.len && s.ptr[end] != s.ptr[at] && s.ptr[end] != '\n' && end - at < 60)
        end++;
    return end < s.len && s.ptr[end] == s.ptr[at] ? (struct str){ s.ptr + at + 1, end - at - 1 }
                                                  : STR_LIT("");
}

/* ".on(", ".subscribe(" at a dot: where its arguments begin; 0: it is no such call. */
static size_t listens_at(struct str s, size_t at)
{
    static const char *const words[] = { ".on(",        ".subscribe(", ".addListener(",
                                         ".listen(",    ".watch(",     ".observe(",
                                         ".onMessage(", ".bind(",      ".connect(",
                                         ".hook(",      NULL };
    struct str rest = { s.ptr + at, s.len - at };
    for (size_t i = 0; words[i]; i++)
        if (mgi_str_starts(rest, str_of(words[i])))
            return at + strlen(words[i]);
    return 0;
}

static bool stops_listening(struct str s)
{
    static const char *const words[] = { ".off(",      ".removeListener(", ".unsubscribe(",
                                         ".unlisten(", ".unwatch(",        ".removeAllListeners(",
                                         ".unbind(",   ".disconnect(",     ".unobserve(",
                                         NULL };
    for (size_t i = 0; words[i]; i++)
        if (mgi_str_find(s, str_of(words[i])) != SIZE_MAX)
            return true;
    return false;
}

/* if (x) before a statement that has no braces. */
static bool is_condition(struct str s, size_t end)
{
    int depth = 0;
    for (size_t i = end; i > 0 && end - i < 200; i--) {
        depth += s.ptr[i - 1] == ')';
        depth -= s.ptr[i - 1] == '(';
        if (depth == 0)
            return mgi_form_word_before(s, i - 1, "if");
    }
    return false;
}

/* Nothing is kept of what it gives: it stands alone. */
static bool stands_alone(struct str s, size_t at)
{
    size_t from = mgi_chain_start(s, at), before = back_blank(s, from);
    if (before == 0 || strchr(";{}", s.ptr[before - 1]))
        return true;
    if (s.ptr[before - 1] == ')')
        return is_condition(s, before) || memchr(s.ptr + before, '\n', from - before) != NULL;
    return !strchr("=(,:?&|+", s.ptr[before - 1]) && !mgi_form_word_before(s, from, "return") &&
           memchr(s.ptr + before, '\n', from - before) != NULL;
}

/* bus.on('message', f), store.subscribe(f) in a function that may run again. */
static bool listens_anew_at(struct str s, size_t at, struct str *name)
{
    struct form_function fn;
    size_t open = listens_at(s, at);
    if (open == 0)
        return false;
    open = past_blank(s, open);
    *name = quoted_at(s, open);
    size_t second = name->len > 0 ? mgi_form_item(s, open, 1) : open;
    bool function = second != SIZE_MAX && (mgi_form_function_at(s, second, &fn) ||
                                           (name->len > 0 && is_name_char(s.ptr[second])));
    return function && stands_alone(s, at) && !mgi_source_runs_at_start(s, at, NULL, 0);
}

static void facts_of_listening(struct fact_list *list)
{
    size_t told = 0, looked = 0;
    for (size_t i = 0; i < list->code_count; i++) {
        struct str s = list->code[i].text, name;
        if (!list->code[i].own || stops_listening(s))
            continue;
        for (size_t at = 1; at < s.len && told < ANEW_TOLD && looked < ANEW_LOOKED; at++) {
            if (s.ptr[at] != '.' || listens_at(s, at) == 0)
                continue;
            looked++;
            struct place place = { s, at };
            if (!listens_anew_at(s, at, &name))
                continue;
            told++;
            mgi_fact(list, RANK_USUAL, "listens_anew", NO_TIME, 0, "sns", list->code[i].url,
                     mgi_place_line(&place), name);
        }
    }
}

/* Two requests for the same, one right after the other. */
static bool asks_twice(const struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 1; i < c->request_count; i++)
        if (list->looked_at[i] && list->looked_at[i - 1] &&
            str_eq(c->requests[i].url, c->requests[i - 1].url) &&
            str_eq(c->requests[i].method, c->requests[i - 1].method) &&
            !str_is(c->requests[i].method, "GET"))
            return true;
    return false;
}

void mgi_facts_anew(struct fact_list *list)
{
    if (facts_of_twins(list) > 0 || asks_twice(list))
        facts_of_listening(list);
}
