/* Two texts of a definition, a line each: what is kept of a newer one that can be read can be read,
 * and holds its evidence first. */
#include <stdlib.h>

#include "base/buf.h"
#include "macro/macro.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void judge(struct arena *arena, struct str older, struct str newer)
{
    struct macro m, kept;
    struct str definition = newer;
    bool readable = mgi_macro_read(arena, newer, &m);
    if (!mgi_macro_merge(arena, older, &definition) || !readable)
        return;
    if (!mgi_macro_read(arena, definition, &kept) || !str_eq(kept.digest, m.digest) ||
        kept.evidence_count > EVIDENCE_MAX || kept.expires_ns != m.expires_ns)
        abort();
    if (m.evidence_count > 0 &&
        (kept.evidence_count == 0 || !str_eq(kept.evidence[0].told, m.evidence[0].told)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    const char *text = (const char *)bytes, *end = len > 0 ? memchr(text, '\n', len) : NULL;
    if (!end)
        return 0;
    mgi_arena_init(&arena, 0);
    judge(&arena, (struct str){ text, (size_t)(end - text) },
          (struct str){ end + 1, len - (size_t)(end - text) - 1 });
    mgi_arena_fini(&arena);
    return 0;
}
