/* Messages before the schemas of docs/schemas (judge.h). Each schema is compiled by itself, with
 * all the others at hand for its references. */
#include "protocol/judge.h"

#include "base/alloc.h"
#include "protocol/schema_int.h"

#define BASE_URI "https://manglecp.example/2026-02-draft/" /* of each schema's $id */

struct judge {
    size_t count;
    struct judge_row {
        struct str name; /* of the schema, without its suffix: static */
        struct schema *schema;
    } rows[];
};

static struct str name_of(const struct message_schema *m)
{
    return (struct str){ m->path, strlen(m->path) - strlen(".json") };
}

void mgi_judge_free(struct judge *j)
{
    for (size_t i = 0; j && i < j->count; i++)
        mgi_schema_free(j->rows[i].schema);
    mgi_free(j);
}

/* All schemas as documents of `arena`, each under its own URI. NULL: memory. */
static struct schema_other *read_all(struct arena *arena)
{
    size_t count = mgi_message_schemas_count;
    struct schema_other *all = mgi_arena_calloc(arena, count, sizeof *all);
    struct json *documents = mgi_arena_calloc(arena, count, sizeof *documents);
    if (!all || !documents)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const struct message_schema *m = &mgi_message_schemas[i];
        const char *uri = mgi_arena_printf(arena, BASE_URI "%s", m->path);
        struct str text = { m->text, m->len };
        if (!uri || mgi_json_parse(arena, text, NULL, &documents[i], NULL) != JSON_OK)
            return NULL;
        all[i] = (struct schema_other){ str_of(uri), &documents[i] };
    }
    return all;
}

static bool compile_all(struct judge *j, struct arena *arena)
{
    struct schema_other *all = read_all(arena);
    if (!all)
        return false;
    const struct schema_others others = { all, mgi_message_schemas_count };
    for (size_t i = 0; i < others.count; i++) {
        struct schema_issues issues;
        mgi_schema_issues_init(&issues, arena, 1);
        j->rows[i].name = name_of(&mgi_message_schemas[i]);
        j->rows[i].schema = mgi_schema_compile_with(all[i].schema, &others, 0, &issues);
        if (!j->rows[i].schema)
            return false;
        j->count++;
    }
    return true;
}

struct judge *mgi_judge_new(void)
{
    struct arena arena;
    size_t rows = mgi_message_schemas_count * sizeof(struct judge_row);
    struct judge *j = mgi_calloc(1, sizeof *j + rows);
    if (!j)
        return NULL;
    mgi_arena_init(&arena, 0);
    bool good = compile_all(j, &arena);
    mgi_arena_fini(&arena);
    if (good)
        return j;
    mgi_judge_free(j);
    return NULL;
}

bool mgi_judge_value(const struct judge *j, struct str schema, const struct json *value,
                     struct schema_issues *issues)
{
    for (size_t i = 0; i < j->count; i++)
        if (str_eq(j->rows[i].name, schema))
            return mgi_schema_validate(j->rows[i].schema, value, issues);
    mgi_schema_issue(issues, "/type", "enum", "there is no such message");
    return false;
}

bool mgi_judge_message(const struct judge *j, const struct json *message,
                       struct schema_issues *issues)
{
    const struct json *type = mgi_json_get(message, "type");
    if (type && type->type == JSON_STRING)
        return mgi_judge_value(j, type->string, message, issues);
    mgi_schema_issue(issues, "", "type", "no object with a type");
    return false;
}
