/* An answer has an object where code takes a list or else none: Array.from(state.rows ?? []). By
 * the name alone, for the way from the answer to that line may go through stores and events. */
#include "facts.h"
#include "source_int.h"

#define LISTS_TOLD 6
#define NAME_LEAST 4
#define NAME_MOST  60
#define FROM       "Array.from("
#define IS_LIST    "Array.isArray("

/* "name)", "name ?? [])", "name || [])": nothing of it is read but its items. */
static bool ends_as_list(struct str s, size_t at)
{
    at = past_blank(s, at);
    bool stands_in =
        at + 1 < s.len && (s.ptr[at] == '?' || s.ptr[at] == '|') && s.ptr[at + 1] == s.ptr[at];
    at = stands_in ? past_blank(s, at + 2) : at;
    if (stands_in && at + 1 < s.len && s.ptr[at] == '[' && s.ptr[at + 1] == ']')
        at = past_blank(s, at + 2);
    else if (stands_in)
        return false;
    return at < s.len && s.ptr[at] == ')';
}

/* Array.isArray(name) ? name : []: it asks, and has nothing in its place. */
static bool asks_for_list(struct str s, size_t at, struct str whole)
{
    at = past_blank(s, at);
    if (at >= s.len || s.ptr[at] != ')')
        return false;
    at = past_blank(s, at + 1);
    if (at >= s.len || s.ptr[at] != '?' || !stands_at(s, past_blank(s, at + 1), whole))
        return false;
    at = past_blank(s, past_blank(s, at + 1) + whole.len);
    if (at >= s.len || s.ptr[at] != ':')
        return false;
    at = past_blank(s, at + 1);
    return at + 1 < s.len && s.ptr[at] == '[' && s.ptr[at + 1] == ']';
}

/* Is the name at `at`, with what stands before it, taken for a list there? */
static bool is_taken_as_list(struct str s, size_t at, struct str name)
{
    size_t end = at + name.len, start = mgi_chain_start(s, end);
    struct str whole = { s.ptr + start, end - start };
    static const char *const calls[] = { FROM, IS_LIST };
    for (size_t i = 0; i < 2; i++) {
        size_t len = strlen(calls[i]);
        if (start >= len && memcmp(s.ptr + start - len, calls[i], len) == 0)
            return i == 0 ? ends_as_list(s, end) : asks_for_list(s, end, whole);
    }
    return false;
}

struct list_at {
    struct str url;
    int64_t line;
    bool found, within; /* within: some code reads the list in it */
};

static void look_for_list(struct str s, struct str url, struct str name, struct str inner,
                          struct list_at *out)
{
    for (size_t at = 1; at + name.len < s.len; at++) {
        const char *next = memchr(s.ptr + at, name.ptr[0], s.len - at - name.len);
        if (!next)
            return;
        at = (size_t)(next - s.ptr);
        if (is_name_char(s.ptr[at - 1]) || !stands_at(s, at, name))
            continue;
        size_t dot = at + name.len + (s.ptr[at + name.len] == '?');
        out->within |= dot + 1 < s.len && s.ptr[dot] == '.' && stands_at(s, dot + 1, inner);
        if (!out->found && is_taken_as_list(s, at, name)) {
            struct place place = { s, at };
            *out = (struct list_at){ url, mgi_place_line(&place), true, out->within };
        }
    }
}

/* Does any answer have a list of that name? Then that may be meant. */
static bool is_list_elsewhere(const struct fact_list *list, struct str name)
{
    for (size_t i = 0; i < list->capture->request_count; i++) {
        const struct shape *shape = &list->shapes[i];
        for (size_t p = 0; list->looked_at[i] && shape->kind == BODY_JSON && p < shape->count; p++)
            if (strcmp(mgi_shape_type(shape->paths[p].types), "array") == 0 &&
                mgi_is_respelled(mgi_path_name(shape->paths[p].path), name))
                return true;
    }
    return false;
}

static bool tell_list(struct fact_list *list, const struct request *r,
                      const struct shape_path *object, const struct shape_path *within)
{
    struct list_at at = { 0 };
    struct str name = mgi_path_name(object->path), inner = mgi_path_name(within->path);
    if (name.len < NAME_LEAST || name.len > NAME_MOST || inner.len == 0 ||
        !mgi_code_says(list, name, false))
        return false;
    for (size_t i = 0; i < list->code_count; i++)
        if (list->code[i].script && list->code[i].own && mgi_may_scan(list, list->code[i].text))
            look_for_list(list->code[i].text, list->code[i].url, name, inner, &at);
    if (!at.found || at.within || list->code_lost || is_list_elsewhere(list, name))
        return false;
    mgi_fact(list, RANK_HIGH, "name_as_list", NO_TIME, 0, "sssn", mgi_fact_id(list, "r", r->number),
             object->path, at.url, at.line);
    return true;
}

void mgi_facts_lists(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0, told = 0; i < c->request_count && told < LISTS_TOLD; i++) {
        const struct shape *shape = &list->shapes[i];
        for (size_t p = 0; list->looked_at[i] && shape->kind == BODY_JSON && p < shape->count &&
                           told < LISTS_TOLD;
             p++) {
            const struct shape_path *within = &shape->paths[p];
            const struct shape_path *object =
                within->parent < shape->count ? &shape->paths[within->parent] : NULL;
            if (!object || object->in_array || within->in_array || within->empty ||
                strcmp(mgi_shape_type(within->types), "array") != 0 ||
                strcmp(mgi_shape_type(object->types), "object") != 0 || object->path.len < 3)
                continue;
            told += tell_list(list, &c->requests[i], object, within);
        }
    }
}
