/* What could not be kept or was kept before this visit, databases that were opened or not, fields
 * that a user filled in and what became of them, clicks at an inner element, built-ins that a
 * script has changed. What is kept outlives a visit, and so does the evidence of it. */
#include "facts.h"

#include "base/near.h"

#define KEPT_TOLD 60

/* Is it the last that was kept there before this visit? */
static bool is_last_write(const struct fact_list *list, size_t index)
{
    const struct page_more *more = &list->capture->more;
    const struct page_deed *d = &more->deeds.items[index];
    for (size_t i = index + 1; i < more->deeds.count; i++) {
        const struct page_deed *o = &more->deeds.items[i];
        if (str_is(o->what, "write") && mgi_is_past(list, o->at_ns) && str_eq(o->name, d->name) &&
            str_eq(o->target, d->target))
            return false;
    }
    return true;
}

static bool is_read_now(const struct fact_list *list, const struct page_deed *d)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->deeds.count; i++) {
        const struct page_deed *o = &more->deeds.items[i];
        if (str_is(o->what, "read") && !mgi_is_past(list, o->at_ns) && str_eq(o->name, d->name) &&
            str_eq(o->target, d->target))
            return true;
    }
    return false;
}

/* It came of a click, and nothing else did: to keep it was what the click was for. */
static bool is_all_of_a_click(const struct fact_list *list, const struct page_deed *d)
{
    const struct capture *c = list->capture;
    const struct user_input *by = NULL;
    for (size_t i = 0; i < c->more.inputs.count; i++) {
        const struct user_input *in = &c->more.inputs.items[i];
        bool acts = str_is(in->type, "click") || str_is(in->type, "submit");
        if (acts && in->at_ns <= d->at_ns && d->at_ns - in->at_ns <= NS_PER_SEC)
            by = in;
    }
    for (size_t i = 0; by && i < c->request_count; i++) {
        if (c->requests[i].resource == RES_DOCUMENT && c->requests[i].start_ns > d->at_ns)
            break; /* what follows is of the page that was gone to then */
        if (c->requests[i].start_ns >= by->at_ns &&
            c->requests[i].start_ns <= by->at_ns + NS_PER_SEC &&
            c->requests[i].resource != RES_DOCUMENT && !mgi_is_of_others(c, &c->requests[i]))
            return false;
    }
    return by;
}

/* The same was refused at the same place. */
static bool was_told(const struct page_more *more, size_t index)
{
    const struct page_deed *d = &more->deeds.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct page_deed *o = &more->deeds.items[i];
        if (str_eq(o->what, d->what) && str_eq(o->name, d->name) && str_eq(o->text, d->text) &&
            str_eq(o->target, d->target) && o->frame_count > 0 && d->frame_count > 0 &&
            str_eq(o->frames[0].url, d->frames[0].url) && o->frames[0].line == d->frames[0].line &&
            o->frames[0].column == d->frames[0].column)
            return true;
    }
    return false;
}

static void fact_of_patch(struct fact_list *list, const struct page_deed *d)
{
    int64_t line = 0;
    struct str url = mgi_script_with(list, d->text, &line);
    mgi_fact(list, RANK_HIGH, "builtin_changed", NO_TIME, 0, "ssn", d->name, url, line);
}

/* "[data-act=del" of `.list [data-act="del"]`: the last of a selector, without quotes and what
 * closes it. */
static struct str last_of_selector(struct fact_list *list, struct str selector)
{
    size_t at = selector.len, n = 0;
    while (at > 0 && !strchr(" >+~,", selector.ptr[at - 1]))
        at--;
    char *out = mgi_arena_calloc(list->job->arena, selector.len - at + 1, 1);
    for (; out && at < selector.len; at++)
        if (!strchr("\"'])", selector.ptr[at]))
            out[n++] = selector.ptr[at];
    return (struct str){ out ? out : "", n };
}

static bool in_word(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* A word of four letters or more that both have, "data" aside. */
static bool shares_word(struct str a, struct str b)
{
    for (size_t from = 0; from < a.len;) {
        size_t to = from;
        while (to < a.len && in_word(a.ptr[to]))
            to++;
        struct str word = { a.ptr + from, to - from };
        if (word.len >= 4 && !str_is(word, "data") && mgi_str_find(b, word) != SIZE_MAX)
            return true;
        from = to + 1;
    }
    return false;
}

/* Nothing from what was clicked outwards matches; what of it is written nearly so. */
static void fact_of_none(struct fact_list *list, struct str id, const struct page_deed *d)
{
    struct near near = mgi_near(last_of_selector(list, d->name));
    struct str rest = d->text, kin = STR_LIT("");
    int64_t line = 0;
    struct str url = STR_LIT("");
    for (const char *q = "'\"`"; *q && url.len == 0; q++) {
        char *quoted = mgi_arena_printf(list->job->arena, "%c%.*s%c", *q, STR_ARG(d->name), *q);
        url = quoted ? mgi_script_with(list, str_of(quoted), &line) : url;
    }
    mgi_fact(list, RANK_USUAL, "target_unknown", d->at_ns, d->at_ns, "sss", id, d->target, d->name);
    if (url.len > 0)
        mgi_fact(list, RANK_USUAL, "selector_at", NO_TIME, 0, "ssn", id, url, line);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, ' ', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        struct str word = { rest.ptr, len };
        if (len > 1 && near.wanted.len > 0 && word.ptr[0] == near.wanted.ptr[0])
            mgi_near_try(&near, word);
        if (kin.len == 0 && len > 1 && shares_word(near.wanted, word))
            kin = word;
        rest = end ? (struct str){ end + 1, rest.len - len - 1 } : STR_LIT("");
    }
    kin = near.best.len > 0 ? near.best : kin;
    if (kin.len > 0)
        mgi_fact(list, RANK_USUAL, "nearly", NO_TIME, 0, "ss", id, kin);
}

/* Events that came before their listener, what was drawn twice, clicks that code looks for in vain.
 */
static bool facts_of_seen(struct fact_list *list, struct str id, const struct page_deed *d)
{
    if (str_is(d->what, "late"))
        mgi_fact(list, RANK_HIGH, "event_late", d->at_ns, d->at_ns, "ss", id, d->name);
    else if (str_is(d->what, "came"))
        mgi_fact(list, RANK_HIGH, "event_came", d->at_ns, d->at_ns, "ss", id, d->name);
    else if (str_is(d->what, "twin"))
        mgi_fact(list, RANK_HIGH, "drawn_twice", d->at_ns, d->at_ns, "sssn", id, d->target, d->text,
                 d->count);
    else if (str_is(d->what, "observed"))
        mgi_fact(list, RANK_HIGH, "observes_itself", d->at_ns, d->at_ns, "ssn", id, d->target,
                 d->count);
    else if (str_is(d->what, "none around"))
        fact_of_none(list, id, d);
    else
        return false;
    return true;
}

/* Of this visit alone. */
static bool facts_of_now(struct fact_list *list, struct str id, const struct page_deed *d)
{
    if (str_is(d->what, "field"))
        mgi_fact(list, RANK_USUAL, "filled_in", d->at_ns, d->at_ns, "ssss", id, d->target, d->name,
                 d->text);
    else if (str_is(d->what, "left out"))
        mgi_fact(list, RANK_HIGH, "field_left_out", d->at_ns, d->at_ns, "ssss", id, d->target,
                 d->name, d->text);
    else if (str_is(d->what, "unmatched"))
        mgi_fact(list, RANK_HIGH, "target_unmatched", d->at_ns, d->at_ns, "sss", id, d->target,
                 d->name);
    else if (str_is(d->what, "patched"))
        fact_of_patch(list, d);
    else
        return facts_of_seen(list, id, d);
    return true;
}

/* What outlives the visit. */
static void facts_of_refusal(struct fact_list *list, struct str id, const struct page_deed *d)
{
    mgi_fact(list, RANK_CORE, "store_refused", d->at_ns, d->at_ns, "ssss", id, d->target, d->name,
             d->text);
    if (is_all_of_a_click(list, d))
        mgi_fact(list, RANK_CORE, "click_was_to_keep", NO_TIME, 0, "s", id);
}

static bool facts_of_ever(struct fact_list *list, struct str id, const struct page_deed *d,
                          size_t index)
{
    bool past = mgi_is_past(list, d->at_ns);
    if (str_is(d->what, "refused"))
        facts_of_refusal(list, id, d);
    else if (str_is(d->what, "filled"))
        mgi_fact(list, RANK_HIGH, "store_filled", NO_TIME, 0, "sssn", id, d->target, d->name,
                 d->count);
    else if (str_is(d->what, "base refused") && was_told(&list->capture->more, index))
        return false;
    else if (str_is(d->what, "base opened"))
        mgi_fact(list, RANK_USUAL, "database_opened", d->at_ns, d->at_ns, "ssn", id, d->name,
                 d->count);
    else if (str_is(d->what, "base refused"))
        mgi_fact(list, RANK_CORE, "database_refused", d->at_ns, d->at_ns, "ssnss", id, d->name,
                 d->count, d->target, d->text);
    else if (past && str_is(d->what, "write") && is_read_now(list, d) && is_last_write(list, index))
        mgi_fact(list, RANK_HIGH, "stored_before", d->at_ns, d->at_ns, "ssss", id, d->target,
                 d->name, d->text);
    else
        return false;
    return true;
}

void mgi_facts_kept(struct fact_list *list)
{
    const struct page_more *more = &list->capture->more;
    size_t told = 0;
    for (size_t i = 0; i < more->deeds.count && told < KEPT_TOLD; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        struct str id = mgi_fact_id(list, "k", i + 1);
        if (!facts_of_ever(list, id, d, i) &&
            (mgi_is_past(list, d->at_ns) || !facts_of_now(list, id, d)))
            continue;
        told++;
        mgi_fact_stack(list, RANK_HIGH, id, d->frames, d->frame_count);
    }
}
