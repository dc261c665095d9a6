/* Which item of a list a user pressed, by what is written there, and which one was asked for then.
 * Told only where it is beyond doubt: the words stand in one item alone, the item that is asked for
 * is another one of the same list, and neither it nor the request knows of the other. */
#include "facts.h"

#define ITEMS_MOST  400
#define LISTS_MOST  12
#define BODY_MOST   (256u * 1024)
#define WORDS_LEAST 3
#define NAME_LEAST  5
#define ID_LEAST    2 /* a shorter one counts at the end of a path alone */
#define PICKED_TOLD 10
#define AFTER_NS    NS_PER_SEC

static struct str id_of(const struct json *item)
{
    static const char *const names[] = { "id", "uuid", "slug", "key", "code", "number" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct json *id = mgi_json_get(item, names[i]);
        if (id && id->type == JSON_STRING)
            return id->string;
        if (id && id->type == JSON_INT)
            return id->text;
    }
    return STR_LIT("");
}

/* "Kittiwake (DK)" begins with the name Kittiwake, and something else follows. */
static bool begins_with_name(struct str words, struct str name)
{
    return name.len >= NAME_LEAST && name.len < words.len && mgi_str_starts(words, name) &&
           strchr(" (,:;|", words.ptr[name.len]);
}

/* Does a member say just that, or a name with which it begins? */
static bool says(const struct json *item, struct str words)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count; i++) {
        const struct json *v = &item->members[i].value;
        struct str text = v->type == JSON_STRING ? mgi_str_trim(v->string, " \t") : STR_LIT("");
        if (str_eq(text, words) || begins_with_name(words, text) ||
            (v->type == JSON_INT && str_eq(v->text, words)))
            return true;
    }
    return false;
}

/* The item that alone says one of the lines that were pressed; NULL: none, or several. */
static const struct json *item_pressed(const struct json *list, struct str text)
{
    const struct json *found = NULL;
    while (text.len > 0) {
        size_t len = 0;
        while (len < text.len && !strchr("\n\t", text.ptr[len]))
            len++;
        struct str words = mgi_str_trim((struct str){ text.ptr, len }, " \r");
        for (uint32_t i = 0; words.len >= WORDS_LEAST && i < list->count; i++)
            if (says(&list->items[i], words)) {
                if (found && found != &list->items[i])
                    return NULL;
                found = &list->items[i];
            }
        text =
            len < text.len ? (struct str){ text.ptr + len + 1, text.len - len - 1 } : STR_LIT("");
    }
    return found;
}

static bool in_address_char(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

/* A segment of the path, or the value of a parameter. */
static bool address_has(struct str url, struct str id)
{
    struct str rest = url, origin = mgi_url_origin(url);
    rest = (struct str){ url.ptr + origin.len, url.len - origin.len };
    for (size_t at = 0; id.len > 0 && at + id.len <= rest.len; at++)
        if (memcmp(rest.ptr + at, id.ptr, id.len) == 0 && at > 0 &&
            strchr("/=", rest.ptr[at - 1]) &&
            (at + id.len == rest.len || !in_address_char(rest.ptr[at + id.len])))
            return true;
    return false;
}

/* /tickets/2. */
static bool path_ends_with(struct str url, struct str id)
{
    struct str path = mgi_url_path(url);
    return id.len > 0 && path.len > id.len && mgi_str_ends(path, id) &&
           path.ptr[path.len - id.len - 1] == '/';
}

static bool is_asked_for(struct str url, struct str id)
{
    return id.len < ID_LEAST ? path_ends_with(url, id) : address_has(url, id);
}

/* But as the id of something within it: the berth of a ship is no ship. */
static bool is_known_to(const struct json *item, struct str id)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count; i++) {
        const struct json *v = &item->members[i].value;
        if (v->type == JSON_OBJECT && str_eq(id_of(v), id))
            continue;
        if (mgi_str_find(v->text, id) != SIZE_MAX)
            return true;
    }
    return item->type != JSON_OBJECT;
}

/* Something that was asked for right after the click is of the item that was pressed. */
static bool is_asked_too(const struct fact_list *list, const struct user_input *in, struct str id)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].start_ns >= in->at_ns &&
            c->requests[i].start_ns <= in->at_ns + 2 * AFTER_NS &&
            address_has(c->requests[i].url, id))
            return true;
    return false;
}

/* What of the item that was pressed has the id that was asked for. */
static void tell_part(struct fact_list *list, struct str request, const struct json *item,
                      struct str id)
{
    for (uint32_t i = 0; item->type == JSON_OBJECT && i < item->count; i++)
        if (item->members[i].value.type == JSON_OBJECT &&
            str_eq(id_of(&item->members[i].value), id))
            mgi_fact(list, RANK_HIGH, "asked_for_part", NO_TIME, 0, "ss", request,
                     item->members[i].name);
}

/* Without what else a row says. */
static struct str first_line(struct str words)
{
    const char *end = words.len > 0 ? memchr(words.ptr, '\n', words.len) : NULL;
    return mgi_utf8_prefix(end ? (struct str){ words.ptr, (size_t)(end - words.ptr) } : words, 60);
}

static void facts_of_list(struct fact_list *list, const struct json *items, size_t answer,
                          const struct request *r, size_t input)
{
    const struct user_input *in = &list->capture->more.inputs.items[input];
    bool many = items->count >= 2 && items->count <= ITEMS_MOST;
    const struct json *picked = many ? item_pressed(items, in->text) : NULL;
    bool by_row = many && !picked && in->row.len > 0;
    struct str words = by_row ? in->row : in->text;
    picked = by_row ? item_pressed(items, in->row) : picked;
    struct str id = picked ? id_of(picked) : STR_LIT("");
    struct str sent = mgi_sent_text(r);
    if (id.len == 0 || is_asked_too(list, in, id) || mgi_str_find(sent, id) != SIZE_MAX)
        return;
    for (uint32_t i = 0; i < items->count; i++) {
        const struct json *other = &items->items[i];
        struct str other_id = id_of(other);
        if (other == picked || !is_asked_for(r->url, other_id) || is_known_to(picked, other_id) ||
            is_known_to(other, id))
            continue;
        tell_part(list, mgi_fact_id(list, "r", r->number), picked, other_id);
        mgi_fact(list, RANK_HIGH, "asked_for_another", NO_TIME, 0, "ssssss",
                 mgi_fact_id(list, "r", r->number), mgi_fact_id(list, "i", input + 1),
                 mgi_fact_id(list, "r", list->capture->requests[answer].number), first_line(words),
                 id, other_id);
        return;
    }
}

/* The list itself, or a member of the answer that is one. */
static void facts_of_answer(struct fact_list *list, size_t answer, const struct request *r,
                            size_t input)
{
    bool known, binary;
    struct str text = mgi_answer_text(&list->capture->requests[answer], &known, &binary);
    struct json body;
    if (binary || text.len == 0 || text.len > BODY_MOST ||
        mgi_json_parse(list->job->arena, text, NULL, &body, NULL) != JSON_OK)
        return;
    if (body.type == JSON_ARRAY)
        facts_of_list(list, &body, answer, r, input);
    for (uint32_t i = 0; body.type == JSON_OBJECT && i < body.count; i++)
        if (body.members[i].value.type == JSON_ARRAY)
            facts_of_list(list, &body.members[i].value, answer, r, input);
}

static bool is_list_before(const struct fact_list *list, size_t i, const struct user_input *in)
{
    const struct request *r = &list->capture->requests[i];
    return list->looked_at[i] && r->resource == RES_DATA && r->end_ns > 0 && r->end_ns <= in->at_ns;
}

/* The click right before it, if it was one. */
static size_t pressed_before(const struct fact_list *list, const struct request *r)
{
    const struct page_more *more = &list->capture->more;
    for (size_t i = more->inputs.count; i-- > 0;) {
        const struct user_input *in = &more->inputs.items[i];
        if (in->at_ns > r->start_ns || in->invalid)
            continue;
        return str_is(in->type, "click") && in->text.len >= WORDS_LEAST &&
                       r->start_ns - in->at_ns <= AFTER_NS && !mgi_is_past(list, in->at_ns)
                   ? i
                   : SIZE_MAX;
    }
    return SIZE_MAX;
}

void mgi_facts_picked(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0, asked = 0; i < c->request_count && asked < PICKED_TOLD; i++) {
        const struct request *r = &c->requests[i];
        size_t input =
            list->looked_at[i] && r->resource == RES_DATA ? pressed_before(list, r) : SIZE_MAX;
        if (input == SIZE_MAX)
            continue;
        asked++;
        for (size_t j = i, lists = 0; j-- > 0 && lists < LISTS_MOST;)
            if (is_list_before(list, j, &c->more.inputs.items[input])) {
                lists++;
                facts_of_answer(list, j, r, input);
            }
    }
}
