/* What of an answer stands on the page: of a list how many of its items, and what the page says
 * there is none of. An answer that came whole and of which nothing is shown was lost on the way, by
 * whatever code; no code need be followed for it. */
#include "facts.h"
#include "source.h"

#define LISTS_TOLD    16
#define LIST_ITEMS    40
#define LIST_DEPTH    3
#define ITEM_MEMBERS  12
#define LIST_BYTES    (200u * 1024)
#define TELLING_LEAST 4
#define TELLING_MOST  80
#define WORDS_LEAST   8
#define NONE_LINES    6
#define LINES_LOOKED  200
/* Of a line that has something put in, as much as stands in the code. */
#define SAID_LEAST    12
#define FRAMES_LOOKED 8
#define NEAR_BYTES    1500
#define NEAR_SLACK    120
/* What is said comes behind the question: a call behind what is said is as far as a multiple. */
#define BEHIND_COSTS 3
#define NONE_BYTES   100
/* The page's text is cut there (live_scripts.c): of what is behind it nothing is known. */
#define TEXT_WHOLE 3900

/* ---- lines that say that there is none ------------------------------------------------------ */

/* In small letters. */
static bool says_none(struct str line)
{
    static const char *const beginnings[] = { "no ",      "nothing ",        "none ",
                                              "not any ", "you do not have", "you don't have",
                                              NULL };
    static const char *const within[] = { ": no ",      "there are no ",    "there is no ",
                                          "have no ",   "has no ",          "there were no ",
                                          "found no ",  "there is nothing", "sorry, no ",
                                          " is empty",  " are empty",       "currently no ",
                                          "moment no ", "present no ",      "today no ",
                                          NULL };
    bool none = false;
    for (size_t i = 0; beginnings[i]; i++)
        none = none || mgi_str_starts(line, str_of(beginnings[i]));
    for (size_t i = 0; within[i]; i++)
        none = none || mgi_str_find(line, str_of(within[i])) != SIZE_MAX;
    return none && line.len <= NONE_BYTES;
}

/* A word of its address, or of what it was asked for by name. */
static struct str word_in_common(const struct request *r, const struct shape *shape,
                                 struct str line)
{
    struct str word = mgi_shared_word(mgi_url_path(r->url), line);
    for (size_t i = 0; word.len == 0 && i < shape->count; i++)
        if (shape->paths[i].types & (1u << JSON_ARRAY))
            word = mgi_shared_word(shape->paths[i].path, line);
    return word;
}

/* ---- by where it is said -------------------------------------------------------------------- */

/* A line that denies anything, in small letters. */
static bool denies(struct str line)
{
    static const char *const words[] = { "no",     "not",   "none",  "nothing",     "nobody",
                                         "cannot", "never", "n't",   "unavailable", "closed",
                                         "unable", "yet",   "later", NULL };
    for (size_t at = 0; line.len <= NONE_BYTES && at < line.len;) {
        size_t end = at;
        while (end < line.len && !strchr(" .,;:!?()", line.ptr[end]))
            end++;
        struct str word = { line.ptr + at, end - at };
        if (mgi_str_is_any(word, words) || mgi_str_ends(word, STR_LIT("n't")))
            return true;
        at = end + 1;
    }
    return false;
}

/* Where a script has the line as a text of its own: whole, or up to where it puts something in. */
static bool find_said(const struct fact_list *list, struct str line, struct place *out)
{
    for (size_t len = line.len; len >= SAID_LEAST; len--) {
        struct str part = { line.ptr, len };
        bool whole = len == line.len;
        if (!whole && line.ptr[len] != ' ' && line.ptr[len - 1] != ' ')
            continue;
        for (size_t i = 0; i < list->code_count; i++) {
            const struct code_text *code = &list->code[i];
            size_t at = code->script ? mgi_str_find(code->text, part) : SIZE_MAX;
            if (at == SIZE_MAX || at == 0 || !strchr("\"'`>", code->text.ptr[at - 1]))
                continue;
            size_t after = at + len;
            if (!whole && (after >= code->text.len || !strchr("\"'`$", code->text.ptr[after])))
                continue;
            *out = (struct place){ code->text, at };
            return true;
        }
    }
    return false;
}

/* How far from there, in bytes, the code that asked for it has called, which is nearer before than
 * behind; SIZE_MAX: in no call. */
static size_t asked_away(const struct fact_list *list, const struct request *r,
                         const struct place *said)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < r->frame_count && i < FRAMES_LOOKED; i++) {
        const struct frame *f = &r->frames[i];
        struct place at;
        if (!mgi_source_place(list->capture, f->url, f->line, f->column, &at) ||
            at.text.ptr != said->text.ptr)
            continue;
        size_t away = at.at > said->at ? (at.at - said->at) * BEHIND_COSTS : said->at - at.at;
        least = away < least ? away : least;
    }
    return least;
}

/* As far as a request may have been asked for to be meant by what is said there. */
static size_t far_enough(const struct fact_list *list, const struct place *said)
{
    const struct capture *c = list->capture;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < c->request_count; i++) {
        bool data = list->looked_at[i] && c->requests[i].resource == RES_DATA;
        size_t away = data ? asked_away(list, &c->requests[i], said) : SIZE_MAX;
        least = away < least ? away : least;
    }
    return least > NEAR_BYTES ? 0 : least + NEAR_SLACK;
}

/* `surely`: it says by its words that there is none of something, so that a word of the request is
 * enough; any other that denies something has to be said where the request is asked. */
static void facts_of_line(struct fact_list *list, struct str line, bool surely)
{
    const struct capture *c = list->capture;
    struct place said = { 0 };
    bool known = find_said(list, line, &said);
    size_t most = known ? far_enough(list, &said) : 0;
    for (size_t i = 0; i < c->request_count && (surely || most > 0); i++) {
        const struct request *r = &c->requests[i];
        if (!list->looked_at[i] || r->resource != RES_DATA)
            continue;
        struct str word = surely ? word_in_common(r, &list->shapes[i], line) : STR_LIT("");
        if (word.len > 0 || (most > 0 && asked_away(list, r, &said) <= most))
            mgi_fact(list, RANK_HIGH, "said_none", NO_TIME, 0, "sss",
                     mgi_fact_id(list, "r", r->number), line, word);
    }
}

static void facts_of_none(struct fact_list *list, struct str text)
{
    for (size_t told = 0, looked = 0; text.len > 0 && told < NONE_LINES && looked < LINES_LOOKED;) {
        struct str line = mgi_next_line(&text), small = mgi_fact_small(list, line);
        bool surely = says_none(small);
        looked++;
        if (!surely && !denies(small))
            continue;
        told++;
        if (surely)
            mgi_fact(list, RANK_HIGH, "none_line", NO_TIME, 0, "s", line);
        facts_of_line(list, line, surely);
    }
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* A text by which an item would be known on the page: words, no address and no time. */
static bool is_telling(const struct json *v)
{
    if (v->type != JSON_STRING || v->string.len < TELLING_LEAST || v->string.len > TELLING_MOST)
        return false;
    bool letters = false, figures = false;
    for (size_t i = 0; i < v->string.len; i++) {
        char c = v->string.ptr[i];
        letters = letters || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80);
        figures = figures || (c >= '0' && c <= '9');
    }
    return letters && mgi_str_find(v->string, STR_LIT("/")) == SIZE_MAX &&
           !(figures && mgi_str_find(v->string, STR_LIT(":")) != SIZE_MAX);
}

/* Member `i` of an item, or member `j` of the object that stands there; NULL: there is none. */
static const struct json_member *member_at(const struct json *item, size_t i, size_t j)
{
    if (item->type != JSON_OBJECT || i >= item->count)
        return NULL;
    const struct json *v = &item->members[i].value;
    if (v->type != JSON_OBJECT)
        return j == 0 ? &item->members[i] : NULL;
    return j < v->count ? &v->members[j] : NULL;
}

/* Do the items beside it have another text there? What all have tells none from another. */
static bool is_its_own(const struct json *all, size_t item, size_t i, size_t j)
{
    const struct json_member *own = member_at(&all->items[item], i, j);
    for (size_t n = 0; n < all->count && n < LIST_ITEMS; n++) {
        const struct json_member *m = n == item ? NULL : member_at(&all->items[n], i, j);
        if (m && str_eq(m->name, own->name) && m->value.type == JSON_STRING &&
            str_eq(m->value.string, own->value.string))
            return false;
    }
    return true;
}

/* Names of things are seldom shown. */
static bool is_id_member(struct str name)
{
    static const char *const names[] = { "id", "_id", "uuid", "key", "slug", "ref", NULL };
    return mgi_str_is_any(name, names) || mgi_str_ends(name, STR_LIT("Id")) ||
           mgi_str_ends(name, STR_LIT("_id"));
}

/* In more words than one, so that it stands nowhere by chance. */
static bool is_shown_in_words(struct fact_list *list, struct str value, struct str text)
{
    return value.len >= WORDS_LEAST && memchr(value.ptr, ' ', value.len) &&
           mgi_str_find(text, mgi_fact_small(list, value)) != SIZE_MAX;
}

/* An item with nothing of its own but an id is not known to be absent where something stands there
 * that it has in common with others. */
enum on_page { UNKNOWN, ABSENT, SHOWN };

static enum on_page item_on_page(struct fact_list *list, const struct json *all, size_t item,
                                 struct str text)
{
    bool id = false, own = false, shared = false;
    for (size_t i = 0; i < ITEM_MEMBERS; i++)
        for (size_t j = 0; j < ITEM_MEMBERS; j++) {
            const struct json_member *m = member_at(&all->items[item], i, j);
            if (!m)
                break;
            if (!is_telling(&m->value))
                continue;
            if (!is_its_own(all, item, i, j)) {
                shared = shared || is_shown_in_words(list, m->value.string, text);
                continue;
            }
            id = id || is_id_member(m->name);
            own = own || !is_id_member(m->name);
            if (mgi_str_find(text, mgi_fact_small(list, m->value.string)) != SIZE_MAX)
                return SHOWN;
        }
    return own || (id && !shared) ? ABSENT : UNKNOWN;
}

/* A list, and what of it is on the page. */
struct seen_list {
    struct str id, path; /* of its request; of it */
    struct json all;
    enum on_page how[LIST_ITEMS];
    size_t shown, known;
};

struct seen_lists {
    struct seen_list items[LISTS_TOLD];
    size_t count;
};

/* Of the items how many are on the page, and which is the first that is not (from 0). */
static void fact_of_list(struct fact_list *list, struct str id, struct str path,
                         const struct json *all, struct str text, struct seen_lists *seen)
{
    size_t shown = 0, known = 0, first = SIZE_MAX;
    enum on_page hows[LIST_ITEMS];
    for (size_t i = 0; i < all->count && i < LIST_ITEMS; i++) {
        enum on_page how = item_on_page(list, all, i, text);
        hows[i] = how;
        known += how != UNKNOWN;
        shown += how == SHOWN;
        first = how == ABSENT && first == SIZE_MAX ? i : first;
    }
    if (known < 2 || known < all->count)
        return;
    mgi_fact(list, RANK_HIGH, "list_shown", NO_TIME, 0, "ssnnn", id, path, (int64_t)shown,
             (int64_t)known, first == SIZE_MAX ? (int64_t)-1 : (int64_t)first);
    if (seen->count == LISTS_TOLD || known != all->count)
        return;
    struct seen_list *own = &seen->items[seen->count++];
    *own =
        (struct seen_list){ .id = id, .path = path, .all = *all, .shown = shown, .known = known };
    memcpy(own->how, hows, known * sizeof *hows);
}

/* ---- lists that are kept by ids they share ----------------------------------------------------
 */

static struct str id_of_item(const struct json *item)
{
    const struct json *id = item->type == JSON_OBJECT ? mgi_json_get(item, "id") : NULL;
    return !id                       ? STR_LIT("")
           : id->type == JSON_STRING ? id->string
           : id->type == JSON_INT    ? id->text
                                     : STR_LIT("");
}

static bool has_item(const struct seen_list *l, struct str id)
{
    for (uint32_t i = 0; i < l->all.count; i++)
        if (str_eq(id_of_item(&l->all.items[i]), id))
            return true;
    return false;
}

/* Just those of `a` are not on the page whose ids `b` has. */
static bool lost_to(const struct seen_list *a, const struct seen_list *b)
{
    if (a->known - a->shown < 2 || a->shown == 0 || b->shown < 2 || b->shown < b->known)
        return false;
    for (uint32_t i = 0; i < a->all.count; i++) {
        struct str id = id_of_item(&a->all.items[i]);
        if (id.len == 0 || has_item(b, id) != (a->how[i] == ABSENT))
            return false;
    }
    return true;
}

static bool keeps_by_id(const struct fact_list *list)
{
    static const char *const ways[] = { "new Map", ".id]", "keyBy", "fromEntries",
                                        "ById",    "byId", NULL };
    for (size_t i = 0; i < list->code_count; i++)
        for (size_t k = 0; list->code[i].own && ways[k]; k++)
            if (mgi_str_find(list->code[i].text, str_of(ways[k])) != SIZE_MAX)
                return true;
    return false;
}

static void facts_of_shared_ids(struct fact_list *list, const struct seen_lists *seen)
{
    bool keeps = keeps_by_id(list);
    for (size_t i = 0; keeps && i < seen->count; i++)
        for (size_t j = 0; j < seen->count; j++) {
            const struct seen_list *a = &seen->items[i], *b = &seen->items[j];
            if (i != j && lost_to(a, b))
                mgi_fact(list, RANK_HIGH, "overwritten", NO_TIME, 0, "ssssnn", a->id, a->path,
                         b->id, b->path, (int64_t)(a->known - a->shown), (int64_t)a->known);
        }
}

/* The lists in a value, to a depth; each told once. */
static void facts_of_lists(struct fact_list *list, struct str id, const struct json *top,
                           struct str text, struct seen_lists *seen)
{
    struct at {
        const struct json *value;
        const char *path;
        int depth;
    } stack[32] = { { top, "$", 0 } };
    size_t count = 1;
    while (count > 0) {
        struct at at = stack[--count];
        if (at.value->type == JSON_ARRAY)
            fact_of_list(list, id, str_of(at.path), at.value, text, seen);
        for (uint32_t i = 0; at.value->type == JSON_OBJECT && at.depth < LIST_DEPTH &&
                             i < at.value->count && count < sizeof stack / sizeof *stack;
             i++) {
            const struct json_member *m = &at.value->members[i];
            const char *path =
                mgi_arena_printf(list->job->arena, "%s.%.*s", at.path, STR_ARG(m->name));
            bool inside = m->value.type == JSON_ARRAY || m->value.type == JSON_OBJECT;
            if (path && inside)
                stack[count++] = (struct at){ &m->value, path, at.depth + 1 };
        }
    }
}

void mgi_facts_shown(struct fact_list *list)
{
    const struct capture *c = list->capture;
    struct str text = mgi_page_text(list);
    struct seen_lists *seen = mgi_arena_calloc(list->job->arena, 1, sizeof *seen);
    if (!seen || text.len == 0 || text.len > TEXT_WHOLE)
        return;
    facts_of_none(list, text);
    text = mgi_fact_small(list, text);
    for (size_t i = c->request_count, told = 0; i-- > 0 && told < LISTS_TOLD;) {
        bool known, binary;
        const struct request *r = &c->requests[i];
        struct str body = mgi_answer_text(r, &known, &binary);
        struct json value;
        if (!list->looked_at[i] || r->resource != RES_DATA || r->status >= 300 || binary ||
            r->body_cut || list->shapes[i].kind != BODY_JSON || body.len > LIST_BYTES)
            continue;
        told++;
        if (mgi_json_parse(list->job->arena, body, NULL, &value, NULL) == JSON_OK)
            facts_of_lists(list, mgi_fact_id(list, "r", r->number), &value, text, seen);
    }
    facts_of_shared_ids(list, seen);
}
