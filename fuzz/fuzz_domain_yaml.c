/* Any bytes as a YAML file of a domain: a tree or findings, and a tree becomes JSON that reads
 * back. */
#include <stdlib.h>

#include "domain/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    struct yaml_node *n = mgi_yaml_parse(&c, "fuzz", (struct str){ (const char *)bytes, len }, 0);
    struct json v;
    if (n && !mgi_yaml_to_json(&arena, n, &v) && mgi_findings_errors(findings) == 0)
        abort();
    if (!n && mgi_findings_errors(findings) == 0)
        abort(); /* refused without a word */
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return 0;
}
