/* Things of one answer that are looked up by an id which another answer has, and are not found: a
 * number there and a text here, other letters, or something before it. Told where a script looks up
 * by that member, no id of the one is an id of the other as it is, and nothing of what is meant
 * stands on the page. */
#include <stdio.h>

#include "facts.h"
#include "source_forms.h"
#include "source_int.h"

#define LISTS_MOST   16
#define ITEMS_MOST   60
#define MEMBERS_MOST 24
#define ANSWERS_MOST 24
#define BODY_MOST    (128u * 1024)
#define ID_BYTES     60
#define TOLD_MOST    3
#define PLACES_MOST  400
#define FRAME_BYTES  4000
#define MOVES_NS     (300 * NS_PER_MS)

struct id_list {
    size_t index; /* of the request */
    const struct json *items;
    char *path;
};

struct lookups {
    struct fact_list *list;
    struct id_list lists[LISTS_MOST];
    size_t count, told;
};

enum id_apart { ID_OTHER, ID_SAME, ID_TYPE, ID_LETTERS, ID_BEFORE };

static struct str id_text(const struct json *v)
{
    bool plain =
        v && ((v->type == JSON_STRING && v->string.len <= ID_BYTES) || v->type == JSON_INT);
    return !plain ? STR_LIT("") : v->type == JSON_STRING ? v->string : v->text;
}

/* "trainer/1" and "1", "sku:301" and "301". */
static bool ends_behind_joint(struct str whole, struct str end)
{
    return whole.len > end.len + 1 && mgi_str_ends(whole, end) &&
           strchr("/:#_-", whole.ptr[whole.len - end.len - 1]);
}

static enum id_apart ids_apart(const struct json *a, const struct json *b)
{
    struct str x = id_text(a), y = id_text(b);
    if (x.len == 0 || y.len == 0)
        return ID_OTHER;
    if (str_eq(x, y))
        return a->type == b->type ? ID_SAME : ID_TYPE;
    if (mgi_str_same(x, y))
        return ID_LETTERS;
    return ends_behind_joint(x, y) || ends_behind_joint(y, x) ? ID_BEFORE : ID_OTHER;
}

static bool is_key_name(struct str name)
{
    static const char *const names[] = { "id",  "_id", "uuid", "key",    "code", "slug",
                                         "sku", "ref", "no",   "number", NULL };
    return mgi_str_is_any(name, names) || mgi_str_ends(name, STR_LIT("Id")) ||
           mgi_str_ends(name, STR_LIT("_id"));
}

/* ---- lists -------------------------------------------------------------------------------------
 */

static void take_list(struct lookups *l, size_t index, const struct json *v, struct str path)
{
    if (l->count == LISTS_MOST || v->type != JSON_ARRAY || v->count == 0 || v->count > ITEMS_MOST ||
        v->items[0].type != JSON_OBJECT)
        return;
    char *kept = mgi_arena_printf(l->list->job->arena, "%.*s[]", STR_ARG(path));
    if (kept)
        l->lists[l->count++] = (struct id_list){ index, v, kept };
}

static void take_lists(struct lookups *l, size_t index)
{
    bool known, binary;
    struct json *body = mgi_arena_calloc(l->list->job->arena, 1, sizeof *body);
    struct str text = mgi_answer_text(&l->list->capture->requests[index], &known, &binary);
    if (!body || binary || text.len < 10 || text.len > BODY_MOST || !strchr("[{", text.ptr[0]) ||
        mgi_json_parse(l->list->job->arena, text, NULL, body, NULL) != JSON_OK)
        return;
    take_list(l, index, body, STR_LIT("$"));
    for (uint32_t i = 0; body->type == JSON_OBJECT && i < body->count && i < MEMBERS_MOST; i++) {
        char *path =
            mgi_arena_printf(l->list->job->arena, "$.%.*s", STR_ARG(body->members[i].name));
        if (path)
            take_list(l, index, &body->members[i].value, str_of(path));
    }
}

/* ---- what is on the page --------------------------------------------------------------------- */

static bool is_number_shown(struct fact_list *list, const struct json *v)
{
    char text[40];
    double n = v->type == JSON_INT ? (double)v->integer : v->number;
    snprintf(text, sizeof text, "%.2f", n);
    return mgi_is_shown(list, str_of(text)) || (v->text.len > 1 && mgi_is_shown(list, v->text));
}

/* Anything of it but its id. */
static bool is_thing_shown(struct fact_list *list, const struct json *item, struct str id_name)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count && i < MEMBERS_MOST; i++) {
        const struct json *v = &item->members[i].value;
        if (str_eq(item->members[i].name, id_name))
            continue;
        if ((v->type == JSON_STRING && v->string.len > 2 && mgi_is_shown(list, v->string)) ||
            ((v->type == JSON_INT || v->type == JSON_FLOAT) && is_number_shown(list, v)))
            return true;
    }
    return false;
}

/* Has it something by which it would be known? */
static bool is_telling_thing(const struct json *item, struct str id_name)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count && i < MEMBERS_MOST; i++) {
        const struct json *v = &item->members[i].value;
        bool tells = (v->type == JSON_STRING && v->string.len > 3) || v->type == JSON_FLOAT ||
                     (v->type == JSON_INT && v->text.len > 1);
        if (tells && !str_eq(item->members[i].name, id_name))
            return true;
    }
    return false;
}

static bool are_some_shown(const struct lookups *l, const struct id_list *of)
{
    for (uint32_t i = 0; i < of->items->count; i++)
        if (is_thing_shown(l->list, &of->items->items[i], STR_LIT("")))
            return true;
    return false;
}

/* ---- the line that looks up ------------------------------------------------------------------ */

static bool ends_with_any(struct str s, size_t at, const char *const *ends)
{
    struct str before = { s.ptr, at };
    for (size_t i = 0; ends[i]; i++)
        if (mgi_str_ends(before, str_of(ends[i])))
            return true;
    return false;
}

/* map.get(c.trainer), x.id === c.trainer, byId[c.trainer] (which takes numbers for texts). */
static bool looks_up_there(struct str s, size_t at, size_t len, bool typed)
{
    static const char *const calls[] = { ".get(", ".has(", ".includes(", ".indexOf(", NULL };
    static const char *const same[] = { "===", "!==", NULL };
    size_t from = at > 0 && s.ptr[at - 1] == '.' ? mgi_chain_start(s, at + len) : at;
    size_t before = back_blank(s, from), after = past_blank(s, at + len);
    if (after >= s.len || before == 0)
        return false;
    if (ends_with_any(s, before, calls))
        return s.ptr[after] == ')';
    struct str rest = { s.ptr + after, s.len - after };
    size_t other = after + 3 < s.len ? past_blank(s, after + 3) : after;
    size_t left = before > 3 ? back_blank(s, before - 3) : 0;
    bool literal = (other < s.len && strchr("'\"`", s.ptr[other])) ||
                   (left > 0 && strchr("'\"`", s.ptr[left - 1]));
    if (literal) /* held to a word: nothing is looked up */
        return false;
    if (ends_with_any(s, before, same) || mgi_str_starts(rest, STR_LIT("===")) ||
        mgi_str_starts(rest, STR_LIT("!==")))
        return true;
    return !typed && s.ptr[after] == ']' && s.ptr[before - 1] == '[' && before > 1 &&
           (is_name_char(s.ptr[before - 2]) || strchr(")].", s.ptr[before - 2]));
}

static bool find_line(const struct lookups *l, struct str name, bool typed, struct str *url,
                      struct place *out)
{
    for (size_t i = 0; mgi_code_says(l->list, name, false) && i < l->list->code_count; i++) {
        const struct code_text *code = &l->list->code[i];
        struct str s = code->text;
        size_t looked = 0;
        if (!code->own || !mgi_may_scan(l->list, s))
            continue;
        for (size_t at = 1; at + name.len < s.len && looked < PLACES_MOST; at++) {
            if (s.ptr[at] != name.ptr[0] || is_name_char(s.ptr[at - 1]) || !stands_at(s, at, name))
                continue;
            looked++;
            if (!looks_up_there(s, at, name.len, typed))
                continue;
            *url = code->url;
            *out = (struct place){ s, at };
            return true;
        }
    }
    return false;
}

/* ---- which ids are meant --------------------------------------------------------------------- */

struct missed {
    const struct json *reference, *id; /* the first of them */
    enum id_apart apart;
    size_t count;
    bool shown, found;
};

/* How each thing's `name` meets the ids `key` of the others. */
static void compare_ids(const struct lookups *l, const struct id_list *a, struct str name,
                        const struct id_list *b, struct str key, struct missed *out)
{
    *out = (struct missed){ .apart = ID_OTHER };
    for (uint32_t i = 0; i < a->items->count; i++) {
        const struct json *thing = &a->items->items[i];
        const struct json *v = thing->type == JSON_OBJECT ? mgi_json_get_str(thing, name) : NULL;
        for (uint32_t n = 0; v && n < b->items->count; n++) {
            const struct json *other = &b->items->items[n];
            const struct json *id =
                other->type == JSON_OBJECT ? mgi_json_get_str(other, key) : NULL;
            enum id_apart apart = id ? ids_apart(v, id) : ID_OTHER;
            out->found = out->found || apart == ID_SAME;
            if (apart == ID_SAME || apart == ID_OTHER || !is_telling_thing(other, key))
                continue;
            out->count++;
            out->shown = out->shown || is_thing_shown(l->list, other, key);
            if (!out->reference) {
                out->reference = v;
                out->id = id;
                out->apart = apart;
            }
        }
    }
}

static bool tell_pair(struct lookups *l, const struct id_list *a, struct str name,
                      const struct id_list *b, struct str key, const struct missed *m,
                      struct str url, const struct place *place)
{
    static const char *const hows[] = {
        [ID_TYPE] = "type", [ID_LETTERS] = "letters", [ID_BEFORE] = "before"
    };
    struct fact_list *list = l->list;
    const char *reference =
        mgi_arena_printf(list->job->arena, "%s.%.*s", a->path ? a->path : "$", STR_ARG(name));
    const char *id = mgi_arena_printf(list->job->arena, "%s.%.*s", b->path, STR_ARG(key));
    if (!reference || !id)
        return false;
    struct str of = mgi_fact_id(list, "r", list->capture->requests[a->index].number);
    l->told++;
    mgi_fact(list, RANK_HIGH, "id_missed", NO_TIME, 0, "szszss", of, reference,
             mgi_fact_id(list, "r", list->capture->requests[b->index].number), id,
             m->reference->text, m->id->text);
    mgi_fact(list, RANK_HIGH, "id_missed_at", NO_TIME, 0, "szzsn", of, reference, hows[m->apart],
             url, mgi_place_line(place));
    return true;
}

static bool tell_missed(struct lookups *l, const struct id_list *a, struct str name,
                        const struct id_list *b, struct str key)
{
    struct fact_list *list = l->list;
    struct missed m;
    struct str url;
    struct place place;
    compare_ids(l, a, name, b, key, &m);
    if (m.count == 0 || m.found || m.shown || mgi_is_shown_enough(list) ||
        !find_line(l, name, m.apart == ID_TYPE, &url, &place) || !are_some_shown(l, a))
        return false;
    return tell_pair(l, a, name, b, key, &m, url, &place);
}

static void look_at_pair(struct lookups *l, const struct id_list *a, const struct id_list *b)
{
    const struct json *first = &a->items->items[0], *other = &b->items->items[0];
    for (uint32_t i = 0; i < first->count && i < MEMBERS_MOST; i++)
        for (uint32_t n = 0; n < other->count && n < MEMBERS_MOST && l->told < TOLD_MOST; n++) {
            struct str name = first->members[i].name, key = other->members[n].name;
            if (name.len < 2 || str_is(name, "id") || !is_key_name(key) ||
                id_text(&first->members[i].value).len == 0 ||
                id_text(&other->members[n].value).len == 0)
                continue;
            if (tell_missed(l, a, name, b, key))
                return;
        }
}

/* ---- messages
 * ------------------------------------------------------------------------------------ */

/* Something in the document changed right after it, or that is not known. */
static bool page_moves_after(const struct fact_list *list, int64_t at_ns)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = 0; i < more->changes.count; i++)
        if (more->changes.items[i].at_ns >= at_ns && more->changes.items[i].count > 0 &&
            more->changes.items[i].at_ns <= at_ns + MOVES_NS)
            return true;
    return !more->watches_changes || at_ns + MOVES_NS > more->last_ns;
}

/* Messages of one connection as the things of a list: their members, and those of an object in
 * them. False: something changed after one of them. */
static bool messages_of(const struct lookups *l, struct str request_id, struct json *out)
{
    const struct page_more *more = &l->list->capture->more;
    *out = (struct json){ .type = JSON_ARRAY };
    out->items = mgi_arena_calloc(l->list->job->arena, ITEMS_MOST, sizeof *out->items);
    for (size_t i = 0; out->items && i < more->frames.count && out->count < ITEMS_MOST; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        struct json *v = &out->items[out->count];
        if (f->what != FRAME_RECEIVED || !str_eq(f->request_id, request_id) ||
            mgi_is_past(l->list, f->at_ns) || f->text.len > FRAME_BYTES || f->text.len == 0 ||
            f->text.ptr[0] != '{' ||
            mgi_json_parse(l->list->job->arena, f->text, NULL, v, NULL) != JSON_OK)
            continue;
        if (page_moves_after(l->list, f->at_ns))
            return false;
        for (uint32_t m = 0; m < v->count; m++)
            if (v->members[m].value.type == JSON_OBJECT) {
                *v = v->members[m].value; /* what it is about */
                break;
            }
        out->count++;
    }
    return out->items && out->count > 0;
}

static void look_at_messages(struct lookups *l, size_t index)
{
    struct json messages;
    const struct request *r = &l->list->capture->requests[index];
    if (!messages_of(l, r->id, &messages) || messages.items[0].type != JSON_OBJECT)
        return;
    struct id_list frames = { index, &messages, NULL };
    const struct json *first = &messages.items[0];
    for (size_t b = 0; b < l->count; b++) {
        const struct json *other = &l->lists[b].items->items[0];
        for (uint32_t i = 0; i < first->count && i < MEMBERS_MOST; i++)
            for (uint32_t n = 0; n < other->count && n < MEMBERS_MOST; n++) {
                struct missed m;
                struct str url, name = first->members[i].name, key = other->members[n].name;
                struct place place;
                if (l->told == TOLD_MOST || name.len < 2 || !is_key_name(key) ||
                    id_text(&first->members[i].value).len == 0)
                    continue;
                compare_ids(l, &frames, name, &l->lists[b], key, &m);
                if (m.count > 0 && !m.found && find_line(l, name, m.apart == ID_TYPE, &url, &place))
                    tell_pair(l, &frames, name, &l->lists[b], key, &m, url, &place);
            }
    }
}

void mgi_facts_lookups(struct fact_list *list)
{
    struct lookups l = { .list = list };
    const struct capture *c = list->capture;
    for (size_t i = 0, looked = 0; i < c->request_count && looked < ANSWERS_MOST; i++)
        if (list->looked_at[i] && c->requests[i].resource == RES_DATA &&
            c->requests[i].status < 400 && str_is(c->requests[i].method, "GET")) {
            looked++;
            take_lists(&l, i);
        }
    for (size_t a = 0; a < l.count; a++)
        for (size_t b = 0; b < l.count && l.told < TOLD_MOST; b++)
            if (a != b && l.lists[a].index != l.lists[b].index)
                look_at_pair(&l, &l.lists[a], &l.lists[b]);
    for (size_t i = 0; l.count > 0 && i < c->request_count; i++)
        if (list->looked_at[i] && (str_is(mgi_request_kind(&c->requests[i]), "socket") ||
                                   str_is(mgi_request_kind(&c->requests[i]), "stream")))
            look_at_messages(&l, i);
}
