/* Input schemas: see inputs.h. */
#include "toolhost/inputs.h"

#include "base/alloc.h"
#include "base/json.h"
#include "protocol/schema.h"

enum { MAX_FAULTS = 8 };

/* False: memory is short. A schema that does not compile is left out, and told. */
static bool compile(struct schema **out, const struct tool *tool, const struct logger *log)
{
    struct arena scratch;
    struct json document;
    struct schema_issues issues;
    if (!tool->input_schema.ptr)
        return true;
    mgi_arena_init(&scratch, 0);
    mgi_schema_issues_init(&issues, &scratch, 1);
    if (mgi_json_parse(&scratch, tool->input_schema, NULL, &document, NULL) == JSON_OK)
        *out = mgi_schema_compile(&document, SCHEMA_LENIENT, &issues);
    bool told = issues.count > 0;
    if (told)
        mgi_log(log, LOG_WARN, "%.*s: its input_schema is not applied: at \"%s\": %s",
                STR_ARG(tool->aid), issues.items[0].path, issues.items[0].message);
    mgi_arena_fini(&scratch);
    return *out || told;
}

bool mgi_input_checks_init(struct input_checks *c, const struct tools *tools,
                           const struct logger *log)
{
    *c = (struct input_checks){ 0 };
    c->items = mgi_calloc(tools->count, sizeof *c->items);
    if (!c->items)
        return false;
    c->count = tools->count;
    for (size_t i = 0; i < tools->count; i++)
        if (!compile(&c->items[i], &tools->items[i], log))
            return false;
    return true;
}

void mgi_input_checks_fini(struct input_checks *c)
{
    for (size_t i = 0; i < c->count; i++)
        mgi_schema_free(c->items[i]);
    mgi_free(c->items);
    *c = (struct input_checks){ 0 };
}

const char *mgi_input_fault(const struct input_checks *c, size_t tool, const struct json *input,
                            struct arena *arena)
{
    struct schema_issues issues;
    struct buf text = { 0 };
    if (tool >= c->count || !c->items[tool])
        return NULL;
    mgi_schema_issues_init(&issues, arena, MAX_FAULTS);
    if (mgi_schema_validate(c->items[tool], input, &issues))
        return NULL;
    for (size_t i = 0; i < issues.count; i++)
        mgi_buf_printf(&text, "%s%s: %s", i ? "; " : "", issues.items[i].path,
                       issues.items[i].keyword);
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&text));
    bool good = !text.oom && kept.ptr && issues.count > 0;
    mgi_buf_fini(&text);
    return good ? kept.ptr : "it does not fit the tool's input_schema";
}
