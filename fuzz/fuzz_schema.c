/* Any JSON array [schema, instance], or [schema, instance, {URI: another schema, ...}]: it compiles
 * or says why, and the verdict with and without a report is the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "protocol/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static struct schema_others table_of(struct arena *arena, const struct json *all)
{
    struct schema_others table = { 0 };
    const struct json *listed = all->count == 3 ? &all->items[2] : NULL;
    if (!listed || listed->type != JSON_OBJECT || listed->count == 0)
        return table;
    struct schema_other *items = mgi_arena_calloc(arena, listed->count, sizeof *items);
    if (!items)
        return table;
    for (uint32_t i = 0; i < listed->count; i++)
        items[i] = (struct schema_other){ listed->members[i].name, &listed->members[i].value };
    return (struct schema_others){ items, listed->count };
}

static void try_schema(struct arena *arena, const struct json *all)
{
    struct schema_issues issues;
    struct schema_others table = table_of(arena, all);
    mgi_schema_issues_init(&issues, arena, 0);
    struct schema *s = mgi_schema_compile_with(&all->items[0], &table, SCHEMA_LENIENT, &issues);
    if (!s && issues.count == 0)
        abort();
    if (s) {
        mgi_schema_issues_init(&issues, arena, 0);
        bool valid = mgi_schema_validate(s, &all->items[1], &issues);
        if (valid != (issues.count == 0) || valid != mgi_schema_validate(s, &all->items[1], NULL))
            abort();
    }
    mgi_schema_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct json all;
    mgi_arena_init(&arena, 0);
    struct str text = { (const char *)bytes, len };
    if (mgi_json_parse(&arena, text, NULL, &all, NULL) == 0 && all.type == JSON_ARRAY &&
        (all.count == 2 || all.count == 3))
        try_schema(&arena, &all);
    mgi_arena_fini(&arena);
    return 0;
}
