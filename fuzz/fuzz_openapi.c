/* An entry of domain.yaml, a NUL, and an OpenAPI document in JSON or YAML. Whatever it is:
 * findings, or requests that the plugin reads, each with schemas that are some and an address whose
 * host no argument chooses; and never a word of a credential in a finding. */
#include <stdlib.h>

#include "../plugins/http/table.c"
#include "actions/http_int.h"
#include "protocol/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define SECRET "n33dle-of-this-fuzzer"
#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x))                                                                                  \
            abort();                                                                               \
    } while (0)

struct taken {
    struct provider_reader *r;
    struct arena *arena;
};

static void check_schema(struct arena *arena, struct str text)
{
    struct json value;
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, arena, 1);
    MUST(mgi_json_parse(arena, text, NULL, &value, NULL) == JSON_OK);
    struct schema *schema = mgi_schema_compile(&value, 0, &issues);
    MUST(schema);
    mgi_schema_free(schema);
}

static bool take(void *context, const struct http_one *one)
{
    struct taken *t = context;
    struct buf text = { 0 };
    struct json_writer w;
    struct action_place place;
    struct http_table table;
    size_t errors = mgi_findings_errors(t->r->yaml->findings);
    mgi_buf_puts(&text, "{\"requests\":[");
    mgi_json_writer_init(&w, &text, 0);
    MUST(mgi_http_write(t->r, one, &w, &place));
    mgi_buf_puts(&text, "]}");
    if (mgi_findings_errors(t->r->yaml->findings) == errors) {
        MUST(!mgi_http_table_read(t->arena, mgi_buf_view(&text), &table));
        MUST(table.count == 1 && table.items[0].path.count > 0);
        MUST(table.items[0].path.parts[0].kind == HTTP_TEXT);
        MUST(table.items[0].path.parts[0].text.ptr[0] == '/');
        check_schema(t->arena, table.items[0].input_schema);
        if (table.items[0].output_schema.len > 0)
            check_schema(t->arena, table.items[0].output_schema);
    }
    mgi_buf_fini(&text);
    return true;
}

static void check(struct provider_reader *r, struct arena *arena, struct str said, struct str bytes)
{
    const struct json_options options = { .max_depth = 128 };
    struct openapi_text text = { .file = "doc" };
    const struct yaml_node *entry = NULL;
    struct taken t = { r, arena };
    if (said.len > 0)
        entry = mgi_yaml_parse(r->yaml, "domain.yaml", said, 0);
    if (said.len > 0 && (!entry || entry->kind != YAML_MAP))
        return;
    text.json = bytes;
    if (bytes.len == 0 || bytes.ptr[0] != '{' ||
        mgi_json_parse(arena, bytes, &options, &text.root, NULL) != JSON_OK)
        text.yaml = mgi_yaml_parse(r->yaml, "doc", bytes, 0);
    else if (!mgi_openapi_is_one(&text))
        return;
    if (text.yaml || text.root.type == JSON_OBJECT)
        MUST(mgi_openapi_read(r, &text, entry, take, &t));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, '\0', size);
    struct arena arena;
    struct buf told = { 0 };
    struct domain_settings settings = { .id = STR_LIT("d") };
    struct str whole = { (const char *)bytes, size };
    if (!end || mgi_str_find(whole, STR_LIT(SECRET)) != SIZE_MAX)
        return 0; /* it has learned the word */
    setenv("SHOP_TOKEN", SECRET, 1);
    mgi_arena_init(&arena, 0);
    struct findings *findings = mgi_findings_new();
    struct yaml_context yaml = { .arena = &arena, .findings = findings };
    struct provider_reader r = { .yaml = &yaml, .folder = "/nowhere", .settings = &settings };
    check(&r, &arena, (struct str){ (const char *)bytes, (size_t)(end - bytes) },
          (struct str){ (const char *)end + 1, size - (size_t)(end - bytes) - 1 });
    mgi_findings_print(&told, findings);
    MUST(mgi_str_find(mgi_buf_view(&told), STR_LIT(SECRET)) == SIZE_MAX);
    mgi_buf_fini(&told);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return 0;
}
