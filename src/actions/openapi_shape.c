/* What values of a schema may be, as far as that decides how they are sent: see openapi_int.h. */
#include "actions/openapi_int.h"

enum { SHAPE_DEPTH = 8, MOST_ALTERNATIVES = 16 };

static unsigned shape_of_type(struct str type)
{
    if (str_is(type, "array"))
        return OPENAPI_LIST;
    return str_is(type, "object") ? OPENAPI_OBJECT : str_is(type, "null") ? 0 : OPENAPI_SINGLE;
}

static unsigned shape_within(struct openapi *doc, const struct json *schema, int depth)
{
    static const char *const unions[] = { "oneOf", "anyOf", "allOf", NULL };
    const char *why;
    const struct json *s = mgi_openapi_follow(doc, schema, &why);
    const struct json *type = mgi_json_get(s, "type");
    unsigned shape = 0;
    if (type && type->type == JSON_STRING)
        return shape_of_type(type->string);
    for (uint32_t i = 0; type && type->type == JSON_ARRAY && i < type->count; i++)
        shape |=
            shape_of_type(type->items[i].type == JSON_STRING ? type->items[i].string : STR_LIT(""));
    if (shape || !s)
        return shape;
    if (mgi_json_get(s, "properties"))
        return OPENAPI_OBJECT;
    if (mgi_json_get(s, "items"))
        return OPENAPI_LIST;
    for (const char *const *name = unions; *name && depth < SHAPE_DEPTH; name++) {
        const struct json *list = mgi_json_get(s, *name);
        for (uint32_t i = 0;
             list && list->type == JSON_ARRAY && i < list->count && i < MOST_ALTERNATIVES; i++)
            shape |= shape_within(doc, &list->items[i], depth + 1);
    }
    return shape;
}

unsigned mgi_openapi_shape(struct openapi *doc, const struct json *schema)
{
    return shape_within(doc, schema, 0);
}

bool mgi_openapi_is_only(struct openapi *doc, const struct json *schema, const char *keyword)
{
    const char *why;
    if (mgi_openapi_true(schema, keyword))
        return true;
    return mgi_openapi_true(mgi_openapi_follow(doc, schema, &why), keyword);
}
