/* Any bytes as the file of an MCP client: servers or findings, and each text of an entry is
 * expanded or told. The first byte says which client's file it is. */
#include <stdlib.h>

#include "actions/client_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char *get(const char *name)
{
    return name[0] == 'A' ? "value" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const char *const paths[] = { ".mcp.json", ".gemini/settings.json", "a.yaml", "a.toml" };
    const struct client_variables variables = { get, "/desk" };
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    if (len > 0) {
        const struct str text = { (const char *)bytes + 1, len - 1 };
        const struct yaml_node *n = mgi_client_config_read(&c, paths[bytes[0] & 3], text);
        if (!n && mgi_findings_errors(findings) == 0)
            abort(); /* refused without a word */
        for (size_t i = 0; n && n->kind == YAML_MAP && i < n->count; i++) {
            const struct yaml_node *entry = n->entries[i].value, *url;
            if (entry->kind != YAML_MAP)
                continue;
            mgi_client_config_is_off(entry);
            mgi_client_config_kind(entry, &url);
            size_t before = mgi_findings_count(findings);
            if (url && url->kind == YAML_SCALAR &&
                !mgi_client_config_expand(&c, url, n->entries[i].key, &variables).ptr &&
                mgi_findings_count(findings) == before)
                abort();
        }
    }
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return 0;
}
