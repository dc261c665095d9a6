/* Any bytes as what a selector said, as Base64, as the patch of inputs, and as a policy's command.
 *
 * A selection that is taken writes back to one that says the same; the inputs that a patch makes
 * hold every name that was applied and none that was dropped for being protected. */
#include <stdint.h>
#include <stdlib.h>

#include "base/base64.h"
#include "select/patch.h"
#include "select/policy_settings.h"
#include "select/selection.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void apply(struct arena *arena, const struct json *patch)
{
    struct json inputs;
    struct patched p;
    const struct patch_rules all = { 0 };
    must(mgi_json_parse(arena, STR_LIT("{\"a\":1,\"path\":\"q\",\"_meta\":{}}"), NULL, &inputs,
                        NULL) == JSON_OK);
    must(mgi_inputs_patch(arena, &inputs, patch, &all, &p) == PATCH_OK);
    must(p.applied_count + p.dropped_count == patch->count);
    for (size_t i = 0; i < p.applied_count; i++)
        must(mgi_json_equal(mgi_json_get_str(&p.inputs, p.applied[i]),
                            mgi_json_get_str(patch, p.applied[i]), true));
    const struct json *meta = mgi_json_get(&p.inputs, "_meta");
    must(meta && meta->type == JSON_OBJECT && meta->count == 0);
}

static void write_back(struct arena *arena, const struct selection *s)
{
    struct buf text = { 0 };
    struct selection again;
    mgi_selection_write_pick(&text, s->sid, s->has_patch ? s->patch.text : (struct str){ 0 });
    must(mgi_selection_parse(arena, mgi_buf_view(&text), &again));
    if (text.len <= SELECTION_MAX_BYTES) { /* Base64 is longer */
        must(again.kind == SELECTION_PICK && again.sid == s->sid);
        must(again.has_patch == s->has_patch);
        must(!s->has_patch || str_eq(again.patch.text, s->patch.text));
    }
    mgi_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct selection s;
    struct str text = { (const char *)bytes, len };
    char *const *words;
    size_t count, at;
    const char *why;
    mgi_arena_init(&arena, (size_t)256 * 1024 * 1024);
    must(mgi_selection_parse(&arena, text, &s));
    must((s.kind == SELECTION_INVALID) == (s.fault != NULL));
    if (s.kind == SELECTION_PICK) {
        write_back(&arena, &s);
        if (s.has_patch)
            apply(&arena, &s.patch);
    }
    char *decoded = malloc(len / 4 * 3 + 3);
    if (!mgi_base64_decode(text, decoded, &count, &at))
        must(count > 0 && count <= len / 4 * 3 + 3);
    free(decoded);
    if (mgi_policy_words(&arena, text, &words, &count, &why))
        must(!words[count]);
    mgi_arena_fini(&arena);
    return 0;
}
