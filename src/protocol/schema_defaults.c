/* Defaults: members that are missing from an instance get the `default` of their property (D-43).
 *
 * Only what `properties` says counts, at the top and in objects that are there. A default is taken
 * as it is: it was the schema's author's to make it fit. */
#include "protocol/schema_int.h"

static bool fill(struct arena *a, const struct json *schema, struct json *v, uint32_t depth)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    if (v->type != JSON_OBJECT || !properties || properties->type != JSON_OBJECT ||
        depth > SCHEMA_MAX_DEPTH)
        return true;
    size_t room = (size_t)v->count + properties->count;
    struct json_member *members = mgi_arena_calloc(a, room ? room : 1, sizeof *members);
    if (!members)
        return false;
    uint32_t count = v->count;
    if (count > 0)
        memcpy(members, v->members, count * sizeof *members);
    for (uint32_t i = 0; i < properties->count; i++) {
        const struct json_member *p = &properties->members[i];
        const struct json *value = mgi_json_get(&p->value, "default");
        if (value && !mgi_json_get_str(v, p->name))
            members[count++] = (struct json_member){ p->name, *value };
    }
    v->members = members;
    v->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct json *below = mgi_json_get_str(properties, members[i].name);
        if (below && !fill(a, below, &members[i].value, depth + 1))
            return false;
    }
    return true;
}

bool mgi_schema_defaults(struct arena *arena, const struct json *schema,
                         const struct json *instance, struct json *out)
{
    *out = *instance;
    return fill(arena, schema, out, 0);
}
