/* Any JSON array [schema, instance]: it compiles or says why, and the verdict with and without a
 * report is the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "protocol/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void try_schema(struct arena *arena, const struct json *both)
{
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, arena, 0);
    struct schema *s = mgi_schema_compile(&both->items[0], SCHEMA_LENIENT, &issues);
    if (!s && issues.count == 0)
        abort();
    if (s) {
        mgi_schema_issues_init(&issues, arena, 0);
        bool valid = mgi_schema_validate(s, &both->items[1], &issues);
        if (valid != (issues.count == 0) || valid != mgi_schema_validate(s, &both->items[1], NULL))
            abort();
    }
    mgi_schema_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct json both;
    mgi_arena_init(&arena, 0);
    struct str text = { (const char *)bytes, len };
    if (mgi_json_parse(&arena, text, NULL, &both, NULL) == 0 && both.type == JSON_ARRAY &&
        both.count == 2)
        try_schema(&arena, &both);
    mgi_arena_fini(&arena);
    return 0;
}
