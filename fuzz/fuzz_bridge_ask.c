/* What a model says to a bridge: whatever it is, its arguments are read or all of them are named as
 * wrong, and what becomes of facts is JSON that the client takes or refuses. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/surface.h"
#include "manglecp.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_facts(struct arena *arena, const struct json *facts)
{
    struct buf out = { 0 }, faults = { 0 };
    struct json v;
    if (mgi_facts_from(&out, facts, NULL, 0, &faults)) {
        MUST(mgi_json_parse(arena, mgi_buf_view(&out), &(struct json_options){ .max_depth = 80 },
                            &v, NULL) == JSON_OK);
        MUST(v.type == JSON_ARRAY);
        manglecp_facts *known = manglecp_facts_new();
        MUST(known);
        (void)manglecp_facts_add(known, out.ptr);
        manglecp_facts_free(known);
    } else {
        MUST(faults.len > 0);
    }
    mgi_buf_fini(&out);
    mgi_buf_fini(&faults);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, (struct str){ (const char *)bytes, size }, NULL, &v, NULL) ==
            JSON_OK &&
        v.type == JSON_OBJECT)
        for (int kind = 0; kind < ASK_KINDS; kind++) {
            struct buf faults = { 0 };
            struct ask ask;
            bool good = mgi_ask_read(&arena, (enum ask_kind)kind, &v, &ask, &faults);
            MUST(good == (faults.len == 0));
            MUST(!good || !ask.intent || strlen(ask.intent) > 0);
            if (good && ask.facts)
                try_facts(&arena, ask.facts);
            mgi_buf_fini(&faults);
        }
    mgi_arena_fini(&arena);
    return 0;
}
