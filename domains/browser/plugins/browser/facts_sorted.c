/* A list of an answer that stands on the page in the order of the texts of its numbers: 10, 2, 33.
 * The places of its items are told by a member that has another text in each. */
#include <stdlib.h>

#include "facts.h"
#include "source_int.h"

#define ITEMS_LEAST  4
#define ITEMS_MOST   60
#define MEMBERS_MOST 24
#define LISTS_MOST   12
#define BODY_MOST    (256u * 1024)

struct placed {
    const struct json *item;
    size_t at;
};

static struct str text_member(const struct json *item, struct str name)
{
    const struct json *v = item->type == JSON_OBJECT ? mgi_json_get_str(item, name) : NULL;
    return v && v->type == JSON_STRING ? v->string : STR_LIT("");
}

/* Where each item's text of this member stands; false: not of all, or not of one alone. */
static bool place_items(const struct json *list, struct str member, struct str page,
                        struct placed *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct str text = text_member(&list->items[i], member);
        size_t at = text.len >= 3 ? mgi_str_find(page, text) : SIZE_MAX;
        if (at == SIZE_MAX)
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (out[j].at == at)
                return false;
        out[i] = (struct placed){ &list->items[i], at };
    }
    return true;
}

static void by_place(struct placed *all, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct placed one = all[i];
        size_t j = i;
        for (; j > 0 && all[j - 1].at > one.at; j--)
            all[j] = all[j - 1];
        all[j] = one;
    }
}

static bool are_moved(const struct json *list, const struct placed *all)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (all[i].item != &list->items[i])
            return true;
    return false;
}

struct number {
    struct str text; /* as it is written */
    double value;
};

static bool number_of_item(const struct json *item, struct str name, struct number *out)
{
    char room[24] = "";
    const struct json *v = item->type == JSON_OBJECT ? mgi_json_get_str(item, name) : NULL;
    if (!v || (v->type != JSON_INT && v->type != JSON_FLOAT && v->type != JSON_STRING))
        return false;
    out->text = v->type == JSON_STRING ? v->string : v->text;
    if (out->text.len == 0 || out->text.len >= sizeof room)
        return false;
    for (size_t i = 0; i < out->text.len; i++)
        if (!strchr("0123456789.", out->text.ptr[i]))
            return false;
    memcpy(room, out->text.ptr, out->text.len);
    out->value = strtod(room, NULL);
    return true;
}

static int order_of_texts(struct str a, struct str b)
{
    size_t least = a.len < b.len ? a.len : b.len;
    int order = memcmp(a.ptr, b.ptr, least);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* In the order of their texts, up or down, and not in that of their values. */
static bool sorted_by_text(const struct placed *all, size_t count, struct str name)
{
    bool up = true, down = true, rises = true, falls = true;
    struct number before = { 0 }, n;
    for (size_t i = 0; i < count; i++, before = n) {
        if (!number_of_item(all[i].item, name, &n))
            return false;
        if (i == 0)
            continue;
        int order = order_of_texts(before.text, n.text);
        up = up && order <= 0;
        down = down && order >= 0;
        rises = rises && before.value <= n.value;
        falls = falls && before.value >= n.value;
    }
    return (up || down) && !rises && !falls;
}

/* The line that sorts: by this member, or else by nothing. */
static struct str place_of_sort(const struct fact_list *list, struct str name, int64_t *line)
{
    struct str found = STR_LIT("");
    for (size_t i = 0; i < list->code_count; i++) {
        struct str s = list->code[i].text;
        for (size_t at = 0; at + 7 < s.len; at++) {
            if (s.ptr[at] != '.' || memcmp(s.ptr + at, ".sort(", 6) != 0)
                continue;
            struct str rest = { s.ptr + at, s.len - at < 160 ? s.len - at : 160 };
            bool by_name = mgi_str_find(rest, name) != SIZE_MAX;
            if (!by_name && found.len > 0)
                continue;
            struct place place = { s, at };
            *line = mgi_place_line(&place);
            found = list->code[i].url;
            if (by_name)
                return found;
        }
    }
    return found;
}

static void tell_sorted(struct fact_list *list, size_t index, struct str path, struct str name)
{
    int64_t line = 0;
    struct str id = mgi_fact_id(list, "r", list->capture->requests[index].number);
    char *whole = mgi_arena_printf(list->job->arena, "%.*s[].%.*s", STR_ARG(path), STR_ARG(name));
    struct str url = place_of_sort(list, name, &line);
    if (whole)
        mgi_fact(list, RANK_HIGH, "sorted_as_text", NO_TIME, 0, "sssn", id, str_of(whole), url,
                 line);
}

static bool look_at_list(struct fact_list *list, size_t index, struct str path,
                         const struct json *items, struct str page)
{
    struct placed all[ITEMS_MOST];
    const struct json *first = &items->items[0];
    if (items->count < ITEMS_LEAST || items->count > ITEMS_MOST || first->type != JSON_OBJECT)
        return false;
    for (uint32_t m = 0; m < first->count && m < MEMBERS_MOST; m++) {
        if (!place_items(items, first->members[m].name, page, all))
            continue;
        by_place(all, items->count);
        for (uint32_t n = 0; are_moved(items, all) && n < first->count && n < MEMBERS_MOST; n++)
            if (sorted_by_text(all, items->count, first->members[n].name)) {
                tell_sorted(list, index, path, first->members[n].name);
                return true;
            }
        return false;
    }
    return false;
}

/* The answer itself is the list, or one of its members is. */
static void look_at_answer(struct fact_list *list, size_t index, struct str page)
{
    bool known, binary;
    struct json body;
    struct str text = mgi_answer_text(&list->capture->requests[index], &known, &binary);
    struct arena_mark mark = mgi_arena_mark(list->job->arena);
    if (binary || text.len < 20 || text.len > BODY_MOST || !strchr("[{", text.ptr[0]) ||
        mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK) {
        mgi_arena_rewind(list->job->arena, mark);
        return;
    }
    if (body.type == JSON_ARRAY && body.count > 0)
        look_at_list(list, index, STR_LIT("$"), &body, page);
    for (uint32_t i = 0; body.type == JSON_OBJECT && i < body.count && i < MEMBERS_MOST; i++) {
        const struct json *v = &body.members[i].value;
        char *path =
            v->type == JSON_ARRAY && v->count > 0
                ? mgi_arena_printf(list->job->arena, "$.%.*s", STR_ARG(body.members[i].name))
                : NULL;
        if (path && look_at_list(list, index, str_of(path), v, page))
            break;
    }
}

void mgi_facts_sorted(struct fact_list *list)
{
    const struct capture *c = list->capture;
    struct str page = mgi_page_text(list);
    for (size_t i = 0, lists = 0; i < c->request_count && lists < LISTS_MOST; i++) {
        const struct request *r = &c->requests[i];
        if (page.len == 0 || !list->looked_at[i] || !str_is(mgi_request_kind(r), "data"))
            continue;
        lists++;
        look_at_answer(list, i, page);
    }
}
