/* What a request said that its body is, and what the body is. */
#include "facts.h"

/* "none": it had other headers. Empty: its headers are not known. */
static struct str content_type_sent(const struct request *r)
{
    const struct json *headers = mgi_json_get(mgi_json_get(r->entry, "request"), "headers");
    if (!headers || headers->type != JSON_ARRAY || headers->count == 0)
        return STR_LIT("");
    for (size_t i = 0; i < headers->count; i++) {
        struct str name = mgi_member_string(&headers->items[i], "name");
        if (name.len == strlen("content-type") && mgi_contains(name, "content-type"))
            return mgi_member_string(&headers->items[i], "value");
    }
    return STR_LIT("none");
}

static bool begins_a_part(struct str body)
{
    return mgi_str_starts(body, STR_LIT("--")) && mgi_contains(body, "form-data");
}

#define SENT_MOST (64u * 1024)

/* [object Object], [object FormData]: what a text is made of that was given an object. */
static bool is_text_of_object(struct str body)
{
    return mgi_str_starts(body, STR_LIT("[object ")) && body.ptr[body.len - 1] == ']' &&
           body.len < 60;
}

/* It is whole, and no JSON for all its brackets: {name: 'a'}. (One below the other is another
 * form.) */
static bool is_broken_json(struct fact_list *list, struct str body)
{
    struct json sent;
    char last = body.ptr[body.len - 1];
    return body.len < SENT_MOST && (last == '}' || last == ']') &&
           mgi_str_find(body, STR_LIT("}\n{")) == SIZE_MAX &&
           mgi_json_parse(list->job->arena, body, NULL, &sent, NULL) == JSON_BAD_SYNTAX;
}

static const char *form_of(struct fact_list *list, struct str body)
{
    if (begins_a_part(body))
        return "multipart";
    if (is_text_of_object(body))
        return "object";
    if (str_is(body, "undefined") || str_is(body, "NaN"))
        return "nothing";
    if (body.ptr[0] == '{' || body.ptr[0] == '[')
        return is_broken_json(list, body) ? "broken" : "json";
    if (body.len > 4 && body.ptr[0] == '"' && strchr("{[", body.ptr[1]) &&
        body.ptr[body.len - 1] == '"')
        return "twice";
    return mgi_contains(body, "=") && !mgi_contains(body, " ") && !mgi_contains(body, "<")
               ? "urlencoded"
               : "text";
}

/* Members that are texts and in them the JSON of a list or an object. */
static void facts_of_texts(struct fact_list *list, struct str id, struct str body)
{
    struct json sent;
    if (body.len > SENT_MOST || body.ptr[0] != '{' ||
        mgi_json_parse(list->job->arena, body, NULL, &sent, NULL) != JSON_OK)
        return;
    for (uint32_t i = 0; i < sent.count && i < 40; i++) {
        const struct json *v = &sent.members[i].value;
        if (v->type != JSON_STRING || v->string.len < 2)
            continue;
        char first = v->string.ptr[0], last = v->string.ptr[v->string.len - 1];
        if ((first == '[' && last == ']') || (first == '{' && last == '}'))
            mgi_fact(list, RANK_HIGH, "sent_as_text", NO_TIME, 0, "sss", id, sent.members[i].name,
                     first == '[' ? STR_LIT("array") : STR_LIT("object"));
    }
}

void mgi_facts_sent(struct fact_list *list)
{
    for (size_t i = 0; i < list->capture->request_count; i++) {
        const struct request *r = &list->capture->requests[i];
        if (!list->looked_at[i] || str_is(r->method, "GET"))
            continue;
        struct str body = mgi_str_trim(mgi_sent_text(r), " \t\r\n");
        struct str id = mgi_fact_id(list, "r", r->number), type = content_type_sent(r);
        enum rank rank = r->status >= 400 ? RANK_HIGH : RANK_LOW;
        if (type.len > 0 && (body.len > 0 || !str_is(type, "none")))
            mgi_fact(list, rank, "sent_header", NO_TIME, 0, "szs", id, "content-type", type);
        if (body.len == 0)
            continue;
        mgi_fact(list, rank, "sent_form", NO_TIME, 0, "sz", id, form_of(list, body));
        facts_of_texts(list, id, body);
    }
}
