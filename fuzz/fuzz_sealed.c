/* Any bytes as a snapshot, with a checksum that is right: what it says of itself is refused or
 * holds, and each part of it, and all of the bytes, are a tree of YAML that comes back as it was,
 * or none. */
#include <stdlib.h>
#include <string.h>

#include "base/sealed.h"
#include "domain/yaml_tree.h"

#define HEAD_BYTES 96

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void try_tree(struct str bytes)
{
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    struct buf once = { 0 }, twice = { 0 };
    mgi_arena_init(&arena, 0);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    struct yaml_node *n = mgi_yaml_tree_read(&c, "fuzz", bytes);
    struct json v;
    if (n) {
        mgi_yaml_tree_write(&once, n);
        n = mgi_yaml_tree_read(&c, "fuzz", mgi_buf_view(&once));
        if (!n)
            abort();
        mgi_yaml_tree_write(&twice, n);
        if (!str_eq(mgi_buf_view(&once), mgi_buf_view(&twice)) || !mgi_yaml_to_json(&arena, n, &v))
            abort();
    }
    mgi_buf_fini(&once);
    mgi_buf_fini(&twice);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct buf made = { 0 };
    struct sealed s;
    struct str found;
    mgi_sealed_write(&made, "domain", "fuzz", NULL, 0); /* a header to begin with */
    mgi_buf_append(&made, bytes, len);
    mgi_buf_append(&made, "\0\0\0\0\0\0\0", (8 - len % 8) % 8);
    uint64_t whole = made.len;
    uint32_t count = len > 0 ? bytes[0] % 8 : 0;
    memcpy(made.ptr + 12, &count, sizeof count);
    memcpy(made.ptr + 16, &whole, sizeof whole);
    uint64_t sum = mgi_sealed_checksum(mgi_buf_view(&made));
    memcpy(made.ptr + SEALED_CHECKSUM_AT, &sum, sizeof sum);
    if (!mgi_sealed_open(mgi_buf_view(&made), "domain", "fuzz", &s))
        for (size_t i = 0; i < s.count; i++) {
            if (!mgi_sealed_find(&s, (const uint8_t *)made.ptr + HEAD_BYTES + i * 48, &found))
                abort();
            try_tree(found);
        }
    try_tree((struct str){ (const char *)bytes, len });
    mgi_buf_fini(&made);
    return 0;
}
