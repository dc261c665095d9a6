/* What scripts do where a form is sent: the listener of its submit event, where that first may
 * leave before it sends anything, and what it says there that the page shows, or that is hidden;
 * and where a button that stays disabled is enabled. */
#include "facts.h"
#include "source_forms.h"
#include "source_int.h"

#define LISTENERS_MOST 6
#define GUARD_BYTES    1500
#define WORDS_LEAST    6
#define WORDS_MOST     40
#define CALLED_MOST    60

struct listener {
    const struct code_text *code;
    struct form_function function;
    size_t at;
};

struct listeners {
    struct listener items[LISTENERS_MOST];
    size_t count;
};

/* The function at `at`, or the one that is named there: submit, this.submit.bind(this), f. */
static bool find_function(struct str s, size_t at, struct form_function *out)
{
    if (mgi_form_function_at(s, at, out))
        return true;
    struct str name = STR_LIT("");
    for (at = past_blank(s, at); at < s.len;) {
        struct str word = name_at(s, at);
        if (word.len == 0 || str_is(word, "bind"))
            break;
        name = word;
        at += word.len;
        at += at < s.len && s.ptr[at] == '.';
    }
    return !str_is(name, "this") && mgi_form_function_named(s, name, out);
}

static void take_listener(struct listeners *all, const struct code_text *code, size_t at)
{
    struct listener *l = &all->items[all->count];
    *l = (struct listener){ .code = code, .at = at };
    all->count += find_function(code->text, at, &l->function);
}

/* addEventListener('submit', f), form.onsubmit = f. */
static void find_listeners(struct listeners *all, const struct code_text *code)
{
    struct str s = code->text;
    for (size_t at = 1; at + 10 < s.len && all->count < LISTENERS_MOST; at++) {
        struct str rest = { s.ptr + at, s.len - at };
        if (s.ptr[at] == 'a' && mgi_str_starts(rest, STR_LIT("addEventListener("))) {
            size_t word = past_blank(s, at + 17) + 1, next = past_blank(s, word + 7);
            if (stands_at(s, word, STR_LIT("submit")) && next < s.len && s.ptr[next] == ',')
                take_listener(all, code, next + 1);
        } else if (s.ptr[at] == '.' && stands_at(s, at + 1, STR_LIT("onsubmit"))) {
            size_t next = past_blank(s, at + 9);
            if (next + 1 < s.len && s.ptr[next] == '=' && s.ptr[next + 1] != '=')
                take_listener(all, code, next + 1);
        }
    }
}

/* The first condition of the function: where it may leave. */
static size_t first_guard(const struct form_function *fn)
{
    size_t stop = fn->end - fn->body < GUARD_BYTES ? fn->end : fn->body + GUARD_BYTES;
    for (size_t at = fn->body; at + 2 < stop; at++)
        if (fn->text.ptr[at] == 'i' && !is_name_char(fn->text.ptr[at - 1]) &&
            stands_at(fn->text, at, STR_LIT("if")))
            return at;
    return SIZE_MAX;
}

static struct str head_of(struct str text)
{
    return mgi_utf8_prefix(mgi_str_trim(text, " \n\t"), WORDS_MOST);
}

/* A listener, or a function of its script that it calls by name, has the text. */
static bool says_in(const struct listener *l, struct str words)
{
    struct str s = l->code->text;
    struct str own = { s.ptr + l->function.body, l->function.end - l->function.body };
    if (words.len < WORDS_LEAST)
        return false;
    if (mgi_str_find(own, words) != SIZE_MAX)
        return true;
    for (size_t at = 1, called = 0; at + 1 < own.len && called < CALLED_MOST; at++) {
        struct str name = name_at(own, at);
        struct form_function fn;
        if (name.len == 0 || is_name_char(own.ptr[at - 1]))
            continue;
        at += name.len;
        if (at >= own.len || own.ptr[at] != '(' || !mgi_form_function_named(s, name, &fn))
            continue;
        called++;
        struct str body = { s.ptr + fn.body, fn.end - fn.body };
        if (mgi_str_find(body, words) != SIZE_MAX)
            return true;
    }
    return false;
}

static bool is_said(const struct listeners *all, struct str words)
{
    for (size_t i = 0; i < all->count; i++)
        if (says_in(&all->items[i], words))
            return true;
    return false;
}

/* Of the functions of its script that it calls by name, the first with a condition. */
static size_t guard_behind(const struct listener *l)
{
    struct str s = l->code->text;
    for (size_t at = l->function.body, called = 0; at < l->function.end && called < CALLED_MOST;
         at++) {
        struct str name = name_at(s, at);
        struct form_function fn;
        at += name.len;
        if (name.len == 0 || s.ptr[at] != '(' || !mgi_form_function_named(s, name, &fn))
            continue;
        called++;
        size_t guard = first_guard(&fn);
        if (guard != SIZE_MAX)
            return guard;
    }
    return SIZE_MAX;
}

static void tell_listener(struct fact_list *list, const struct listener *l)
{
    size_t guard = first_guard(&l->function);
    guard = guard == SIZE_MAX ? guard_behind(l) : guard;
    struct place place = { l->code->text, guard == SIZE_MAX ? l->at : guard };
    mgi_fact(list, RANK_HIGH, "submit_listener", NO_TIME, 0, "szn", l->code->url,
             guard == SIZE_MAX ? "all" : "guarded", mgi_place_line(&place));
}

/* The only place that sets .disabled, or toggles that attribute, by a condition. */
static void tell_enabled(struct fact_list *list)
{
    struct place found = { .at = SIZE_MAX };
    for (size_t i = 0; i < list->code_count; i++) {
        struct str s = list->code[i].text;
        for (size_t at = 0; list->code[i].own && at + 10 < s.len; at++) {
            struct str rest = { s.ptr + at, s.len - at };
            size_t next = s.ptr[at] == '.' && stands_at(s, at + 1, STR_LIT("disabled"))
                              ? past_blank(s, at + 9)
                              : 0;
            bool set = next > 0 && next + 1 < s.len && s.ptr[next] == '=' && s.ptr[next + 1] != '=';
            struct str value = set ? name_at(s, past_blank(s, next + 1)) : STR_LIT("");
            if (!mgi_str_starts(rest, STR_LIT("toggleAttribute('disabled'")) &&
                !mgi_str_starts(rest, STR_LIT("toggleAttribute(\"disabled\"")) &&
                (!set || str_is(value, "true") || str_is(value, "false")))
                continue;
            if (found.at != SIZE_MAX)
                return;
            found = (struct place){ s, at };
        }
    }
    if (found.at != SIZE_MAX)
        mgi_fact(list, RANK_HIGH, "button_enabled", NO_TIME, 0, "sn",
                 mgi_code_url(list, found.text), mgi_place_line(&found));
}

void mgi_facts_submits(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    struct listeners all = { .count = 0 };
    bool sent = false, stuck = false;
    for (size_t i = 0; i < more->shown.count; i++)
        stuck = stuck || str_is(more->shown.items[i].kind, "stuck");
    if (stuck)
        tell_enabled(list);
    for (size_t i = 0; i < more->inputs.count; i++)
        sent = sent || str_is(more->inputs.items[i].type, "submit");
    for (size_t i = 0; sent && i < list->code_count; i++)
        if (list->code[i].own)
            find_listeners(&all, &list->code[i]);
    if (all.count == 1)
        tell_listener(list, &all.items[0]);
    for (size_t i = 0; all.count > 0 && i < more->shown.count; i++) {
        struct str kind = more->shown.items[i].kind;
        if ((str_is(kind, "alert") || str_is(kind, "error")) &&
            is_said(&all, head_of(more->shown.items[i].text)))
            mgi_fact(list, RANK_HIGH, "said_by_listener", NO_TIME, 0, "s", kind);
    }
    for (size_t i = 0; all.count > 0 && i < more->veiled.count && i < 8; i++)
        if (is_said(&all, head_of(more->veiled.items[i].parent)))
            mgi_fact(list, RANK_HIGH, "veiled_by_listener", NO_TIME, 0, "s",
                     more->veiled.items[i].target);
}
