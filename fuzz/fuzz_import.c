/* A tool of a server that is nobody's friend: whatever it says of itself, it is studied within
 * bounds, gets a name that a macro-tool can have, and a file that reads back as one tool. The first
 * line is its name, the second its text, the rest its schema. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "domain/yaml.h"
#include "import/write.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct str line(struct str *rest)
{
    const char *end = rest->len ? memchr(rest->ptr, '\n', rest->len) : NULL;
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    struct str text = { rest->ptr, len };
    len += end != NULL;
    *rest = (struct str){ rest->ptr + len, rest->len - len };
    return text;
}

static void check_name(const char *id)
{
    size_t len = strlen(id);
    MUST(len > 0 && len <= IMPORT_ID_BYTES && id[0] >= 'a' && id[0] <= 'z');
    for (size_t i = 0; i < len; i++)
        MUST((id[i] >= 'a' && id[i] <= 'z') || (id[i] >= '0' && id[i] <= '9') || id[i] == '_');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str rest = { (const char *)bytes, size };
    struct arena a;
    struct json schema;
    struct buf file = { 0 }, facts = { 0 };
    mgi_arena_init(&a, 0);
    struct import_tool t = { .server = STR_LIT("s"), .aid = STR_LIT("AID.MCP.S.X.v1") };
    t.hints = (struct import_hints){ -1, size % 2 ? 1 : -1, -1, -1 };
    t.name = line(&rest);
    t.description = line(&rest);
    if (mgi_json_parse(&a, rest, &(struct json_options){ .max_depth = 128 }, &schema, NULL) ==
            JSON_OK &&
        schema.type == JSON_OBJECT)
        t.schema = &schema;
    MUST(mgi_import_study(&a, &t));
    MUST(mgi_import_hear_hints(&a, &t, 1));
    MUST(t.harm != HARM_DESTRUCTIVE || t.harm_why);
    if (!t.left_out) {
        MUST(mgi_import_name_tools(&a, &t, 1));
        check_name(t.id);
        struct findings *findings = mgi_findings_new();
        const struct yaml_context c = { .arena = &a, .findings = findings };
        if (mgi_import_tool_file(&a, &file, &t)) {
            const struct yaml_node *root = mgi_yaml_parse(&c, "f.yaml", mgi_buf_view(&file), 0);
            MUST(root && root->kind == YAML_MAP);
            const struct yaml_node *name = mgi_yaml_get(root, "tool");
            MUST(name && str_is(name->text, t.id));
            const struct yaml_node *steps = mgi_yaml_get(root, "steps");
            MUST(steps && steps->kind == YAML_LIST && steps->count == 1);
        } else {
            MUST(t.left_out);
        }
        mgi_findings_free(findings);
        const struct import_server server = { .name = STR_LIT("s"), .tools = 1 };
        mgi_import_facts_file(&a, &facts, &server, 1, &t, 1);
        mgi_import_line(&facts, &t);
        MUST(!facts.oom);
    }
    mgi_buf_fini(&file);
    mgi_buf_fini(&facts);
    mgi_arena_fini(&a);
    return 0;
}
