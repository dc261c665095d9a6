/* Ids in the wrong place, and answers that are of another thing than was asked for. A thing of one
 * kind was asked for with the id of another, /meters/SP-2041 with what an answer before calls the
 * id of a point, beside the meter's own. Told only where no answer knows that id as one of the kind
 * that was asked for. */
#include "facts.h"
#include "source_int.h"

#define ID_LEAST     3 /* what is shorter may be anything: only names that say id count */
#define STEM_LEAST   3
#define ID_BYTES     60
#define ASKED_MOST   80
#define ANSWERS_MOST 30
#define ANSWER_BYTES (256u * 1024)
#define DEPTH_MOST   6
#define ITEMS_MOST   200
#define WITHIN_MOST  2
#define TOLD_MOST    6

/* What was asked for, and what is known of it. */
struct asked_id {
    struct str kind, id;                  /* "meters", "SP-2041" */
    struct str own;                       /* what the answer that is looked at was asked for */
    const struct json *above[DEPTH_MOST]; /* the objects around what is looked at */
    struct str names[DEPTH_MOST];         /* what they are called */
    size_t depth;
    bool loose;              /* what has the id is of no known kind: only names that say id count */
    bool known;              /* an answer has it as one of that kind */
    struct str other, right; /* where it stands instead, and the id of that kind beside it */
    char *right_path;
    struct str meant, meant_as; /* what has the right one is called so, by this name */
};

static struct str scalar_text(const struct json *v)
{
    return v->type == JSON_STRING ? v->string : v->type == JSON_INT ? v->text : STR_LIT("");
}

static bool is_id_name(struct str name)
{
    static const char *const names[] = { "id", "_id", "uuid", "key", "number", "ref", NULL };
    return mgi_str_is_any(name, names);
}

static bool is_id_text(struct str s)
{
    bool figures = false;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_name_char(s.ptr[i]) && s.ptr[i] != '-')
            return false;
        figures = figures || (s.ptr[i] >= '0' && s.ptr[i] <= '9');
    }
    return figures && s.len <= ID_BYTES;
}

static bool is_short(struct str id)
{
    return id.len < ID_LEAST;
}

/* patientId, patient_id. */
static bool ends_as_id(struct str name)
{
    return is_id_name(name) || mgi_str_ends(name, STR_LIT("Id")) ||
           mgi_str_ends(name, STR_LIT("_id"));
}

/* docId of documents. */
static bool is_stem_of(struct str name, struct str kind)
{
    size_t len = name.len;
    len -= mgi_str_ends(name, STR_LIT("_id")) ? 3 : mgi_str_ends(name, STR_LIT("Id")) ? 2 : 0;
    return len >= STEM_LEAST && len < name.len &&
           mgi_str_starts(kind, (struct str){ name.ptr, len });
}

static bool is_kind(const struct asked_id *a, struct str name)
{
    return mgi_shared_word(a->kind, name).len > 0 || is_stem_of(name, a->kind);
}

/* What a thing is called, beside its id. */
static struct str title_of(const struct json *thing, struct str *name)
{
    static const char *const names[] = { "name",    "title", "label",   "displayName",
                                         "subject", "email", "heading", NULL };
    for (size_t i = 0; thing->type == JSON_OBJECT && names[i]; i++) {
        const struct json *v = mgi_json_get(thing, names[i]);
        *name = str_of(names[i]);
        if (v && v->type == JSON_STRING && v->string.len > 0)
            return v->string;
    }
    return STR_LIT("");
}

/* `thing` has the id as its own; NULL: it is not there. */
static bool take_right(struct fact_list *list, struct asked_id *a, const struct json *thing,
                       struct str id, struct str name, struct str within)
{
    a->right = id;
    a->meant = thing ? title_of(thing, &a->meant_as) : STR_LIT("");
    a->right_path = mgi_arena_printf(list->job->arena, "%.*s%s%.*s", STR_ARG(name),
                                     name.len > 0 && within.len > 0 ? "." : "", STR_ARG(within));
    return a->right_path;
}

/* The id of the kind that was asked for, of this object: its own, if it is called so, `meterId`,
 * `meter: 7`, `meter: {id: 7}`; or of what stands in it, to a depth, the first of each list. */
static bool find_right(struct fact_list *list, struct asked_id *a, const struct json *object,
                       struct str called, int depth)
{
    for (uint32_t i = 0; is_kind(a, called) && i < object->count && i < ITEMS_MOST; i++) {
        struct str own = scalar_text(&object->members[i].value);
        if (is_id_name(object->members[i].name) && is_id_text(own) && !str_eq(own, a->id))
            return take_right(list, a, object, own, called, object->members[i].name);
    }
    for (uint32_t i = 0; i < object->count && i < ITEMS_MOST; i++) {
        const struct json_member *m = &object->members[i];
        const struct json *v = &m->value;
        struct str within = STR_LIT("");
        if (!is_kind(a, m->name))
            continue;
        for (uint32_t j = 0; v->type == JSON_OBJECT && j < v->count && within.len == 0; j++)
            within = is_id_name(v->members[j].name) ? v->members[j].name : within;
        struct str id = scalar_text(within.len > 0 ? mgi_json_get_str(v, within) : v);
        bool says_id = within.len > 0 || ends_as_id(m->name);
        if (!is_id_text(id) || str_eq(id, a->id) ||
            (!says_id && (a->loose || is_short(a->id) || is_short(id))))
            continue;
        return take_right(list, a, within.len > 0 ? v : NULL, id, m->name, within);
    }
    for (uint32_t i = 0; depth > 0 && i < object->count && i < ITEMS_MOST; i++) {
        const struct json *v = &object->members[i].value;
        v = v->type == JSON_ARRAY && v->count > 0 ? &v->items[0] : v;
        if (v->type == JSON_OBJECT && find_right(list, a, v, object->members[i].name, depth - 1))
            return true;
    }
    return false;
}

/* The id stands here, as `name` of the innermost object. */
static void meet(struct fact_list *list, struct asked_id *a, struct str name)
{
    struct str of = is_id_name(name)
                        ? (a->names[a->depth - 1].len > 0 ? a->names[a->depth - 1] : a->own)
                        : name;
    if (is_kind(a, of)) {
        a->known = true;
        return;
    }
    a->loose = of.len == 0;
    if (a->other.len > 0 || (is_short(a->id) && !ends_as_id(name)))
        return;
    for (size_t i = a->depth; i-- > 0 && !a->right_path;) {
        struct str called = a->names[i].len > 0 ? a->names[i] : a->own;
        if (find_right(list, a, a->above[i], called, WITHIN_MOST)) {
            bool nameless = is_id_name(name) && of.len > 0;
            char *path =
                mgi_arena_printf(list->job->arena, "%.*s%s%.*s", nameless ? (int)of.len : 0,
                                 of.ptr ? of.ptr : "", nameless ? "." : "", STR_ARG(name));
            a->other = path ? str_of(path) : STR_LIT("");
        }
    }
}

static void look_into(struct fact_list *list, struct asked_id *a, const struct json *v,
                      struct str name)
{
    if (a->depth == DEPTH_MOST || a->known)
        return;
    if (v->type == JSON_ARRAY)
        for (uint32_t i = 0; i < v->count && i < ITEMS_MOST; i++)
            look_into(list, a, &v->items[i], name);
    if (v->type != JSON_OBJECT)
        return;
    a->above[a->depth] = v;
    a->names[a->depth++] = name;
    for (uint32_t i = 0; i < v->count && i < ITEMS_MOST; i++) {
        const struct json_member *m = &v->members[i];
        if (str_eq(scalar_text(&m->value), a->id))
            meet(list, a, m->name);
        else if (m->value.type == JSON_ARRAY && m->value.count > 0 &&
                 m->value.items[0].type != JSON_OBJECT) {
            for (uint32_t j = 0; j < m->value.count && j < ITEMS_MOST; j++)
                if (str_eq(scalar_text(&m->value.items[j]), a->id))
                    meet(list, a, m->name);
        } else
            look_into(list, a, &m->value, m->name);
    }
    a->depth--;
}

/* The word before the first id of its path: "trips" of /api/trips/current, not which of them. */
static struct str own_kind(struct str url)
{
    static const char *const which[] = { "current", "mine",  "latest", "active", "first",
                                         "last",    "today", "recent", "next",   NULL };
    struct str path = mgi_url_path(url), kind = STR_LIT("");
    for (size_t at = 0; at < path.len;) {
        size_t end = at + 1;
        while (end < path.len && path.ptr[end] != '/')
            end++;
        struct str part = { path.ptr + at + 1, end - at - 1 };
        if (mgi_shared_word(part, part).len > 0 && !mgi_str_is_any(part, which))
            kind = part;
        at = end;
    }
    return kind;
}

/* It was answered with a thing that is called otherwise than the one that has the right id. */
static void fact_of_other(struct fact_list *list, const struct request *r, const struct asked_id *a)
{
    bool known, binary;
    struct str text = mgi_answer_text(r, &known, &binary);
    struct json body;
    if (a->meant.len == 0 || r->status >= 300 || binary || text.len > ANSWER_BYTES ||
        mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK)
        return;
    const struct json *data = body.type == JSON_OBJECT ? mgi_json_get(&body, "data") : NULL;
    const struct json *thing = data && data->type == JSON_OBJECT ? data : &body;
    const struct json *v = thing->type == JSON_OBJECT ? mgi_json_get_str(thing, a->meant_as) : NULL;
    if (v && v->type == JSON_STRING && !mgi_str_same(v->string, a->meant))
        mgi_fact(list, RANK_HIGH, "answered_other", NO_TIME, 0, "sss",
                 mgi_fact_id(list, "r", r->number), a->meant, v->string);
}

static void look_for_id(struct fact_list *list, size_t index, struct asked_id *a)
{
    const struct capture *c = list->capture;
    const struct request *r = &c->requests[index];
    size_t of = SIZE_MAX;
    for (size_t i = index, looked = 0; i-- > 0 && looked < ANSWERS_MOST && !a->known;) {
        const struct request *o = &c->requests[i];
        bool known, binary;
        struct str text = mgi_answer_text(o, &known, &binary);
        struct json body;
        if (!list->looked_at[i] || list->shapes[i].kind != BODY_JSON || o->status >= 400 ||
            o->end_ns > r->start_ns || binary || text.len > ANSWER_BYTES ||
            mgi_str_find(text, a->id) == SIZE_MAX)
            continue;
        looked++;
        a->own = own_kind(o->url);
        if (mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK)
            continue;
        look_into(list, a, &body, STR_LIT(""));
        of = of == SIZE_MAX && a->other.len > 0 ? i : of;
    }
    if (a->known || of == SIZE_MAX)
        return;
    struct str id = mgi_fact_id(list, "r", r->number);
    mgi_fact(list, RANK_HIGH, "asked_with_id_of", NO_TIME, 0, "sssss", id, a->kind, a->id,
             mgi_fact_id(list, "r", c->requests[of].number), a->other);
    mgi_fact(list, RANK_HIGH, "id_was_there", NO_TIME, 0, "szs", id, a->right_path, a->right);
    fact_of_other(list, r, a);
}

/* { fileId: 'F-7' }, { file: 'F-7' }. */
static void look_at_sent(struct fact_list *list, size_t index, size_t *told)
{
    struct str text = mgi_sent_text(&list->capture->requests[index]);
    struct json body;
    if (text.len == 0 || text.len > ANSWER_BYTES || text.ptr[0] != '{' ||
        mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK)
        return;
    for (uint32_t i = 0; i < body.count && i < ITEMS_MOST && *told < TOLD_MOST; i++) {
        struct str id = scalar_text(&body.members[i].value), name = body.members[i].name;
        size_t facts = list->items.count;
        struct asked_id a = { .kind = name, .id = id };
        if (!is_id_text(id) || is_id_name(name) || (is_short(id) && !ends_as_id(name)))
            continue;
        look_for_id(list, index, &a);
        *told += list->items.count > facts;
    }
}

/* /meters/SP-2041, and ?meter=SP-2041. A short one counts in a path alone. */
static void look_at_address(struct fact_list *list, size_t index, size_t *told)
{
    struct str url = list->capture->requests[index].url, origin = mgi_url_origin(url);
    struct str rest = { url.ptr + origin.len, url.len - origin.len }, before = STR_LIT("");
    for (size_t at = 0; at < rest.len && *told < TOLD_MOST; at++) {
        size_t end = at + 1;
        while (end < rest.len && !strchr("/?&=#", rest.ptr[end]))
            end++;
        struct str part = { rest.ptr + at + 1, end - at - 1 };
        bool value = rest.ptr[at] == '/' || rest.ptr[at] == '=';
        bool counts = !is_short(part) || rest.ptr[at] == '/' || ends_as_id(before);
        if (value && counts && before.len > 0 && is_id_text(part)) {
            size_t facts = list->items.count;
            struct asked_id a = { .kind = before, .id = part };
            look_for_id(list, index, &a);
            *told += list->items.count > facts;
        }
        before = part;
        at = end - 1;
    }
}

/* ---- answers that are of another thing ---------------------------------------------------------
 */

/* EX-2041 and EX-2014, 17 and 18: what is spelled otherwise altogether may name the same thing. */
static bool same_form(struct str a, struct str b)
{
    bool differ = false;
    for (size_t i = 0; a.len == b.len && i < a.len; i++) {
        char x = a.ptr[i], y = b.ptr[i];
        bool figures = x >= '0' && x <= '9' && y >= '0' && y <= '9';
        if (!figures && (x | 0x20) != (y | 0x20))
            return false;
        differ = differ || (figures && x != y);
    }
    return a.len == b.len && differ;
}

/* /orders/17/next answers another one because it was asked to. */
static bool asks_for_another(struct str rest)
{
    static const char *const words[] = { "next",      "prev",    "parent",  "related",
                                         "copy",      "clone",   "latest",  "similar",
                                         "duplicate", "replace", "success", NULL };
    for (size_t i = 0; words[i]; i++)
        if (mgi_str_find(rest, str_of(words[i])) != SIZE_MAX)
            return true;
    return false;
}

/* /shipments/EX-2041/papers answers {shipmentId: "EX-2014"}, or /users/17 {id: 18}. */
static void tell_another(struct fact_list *list, size_t index, struct str kind, struct str id,
                         struct str rest)
{
    const struct shape *shape = &list->shapes[index];
    for (size_t i = 1; i < shape->count; i++) {
        const struct shape_path *at = &shape->paths[i];
        struct str name = mgi_path_name(at->path);
        bool own = str_is(name, "id") && rest.len == 0;
        if (at->parent != 0 || !at->values[0].ptr || !(own || is_stem_of(name, kind)) ||
            !same_form(id, at->values[0]))
            continue;
        mgi_fact(list, RANK_HIGH, "answered_another", NO_TIME, 0, "sss",
                 mgi_fact_id(list, "r", list->capture->requests[index].number), id, at->values[0]);
        return;
    }
}

static void look_at_answer(struct fact_list *list, size_t index)
{
    const struct request *r = &list->capture->requests[index];
    struct str path = mgi_url_path(r->url), kind = STR_LIT("");
    if (!str_is(r->method, "GET") || r->status < 200 || r->status >= 300 || r->hop_count > 0 ||
        list->shapes[index].kind != BODY_JSON)
        return;
    for (size_t at = 0; at < path.len;) {
        size_t end = at + 1;
        while (end < path.len && path.ptr[end] != '/')
            end++;
        struct str part = { path.ptr + at + 1, end - at - 1 },
                   rest = { path.ptr + end, path.len - end };
        if (kind.len >= STEM_LEAST && is_id_text(part) && !asks_for_another(rest))
            tell_another(list, index, kind, part, rest);
        kind = part;
        at = end;
    }
}

void mgi_facts_ids(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t told = 0;
    for (size_t i = 0, asked = 0; i < c->request_count && asked < ASKED_MOST && told < TOLD_MOST;
         i++) {
        if (!list->looked_at[i] || c->requests[i].resource != RES_DATA)
            continue;
        asked++;
        look_at_address(list, i, &told);
        look_at_sent(list, i, &told);
        look_at_answer(list, i);
    }
}
