/* Any text as a list of made-up answers, and any address: what is kept must be what is asked for,
 * the answer JSON, and the pattern what one that is written plainly says.
 *
 * Input: the address, a line's end, the list as JSON. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "../domains/browser/plugins/browser/act.h"

#define URL_MOST 200

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* A star is any text, everything else itself: reached[i] is whether the pattern so far may end at
 * i. */
static bool fits_plainly(struct str url, struct str pattern)
{
    bool reached[URL_MOST + 1] = { true };
    for (size_t p = 0; p < pattern.len; p++) {
        bool star = pattern.ptr[p] == '*', any = false;
        for (size_t i = star ? 0 : url.len + 1; star && i <= url.len; i++)
            reached[i] = any |= reached[i];
        for (size_t i = url.len; !star; i--) {
            reached[i] = i > 0 && reached[i - 1] && url.ptr[i - 1] == pattern.ptr[p];
            if (i == 0)
                break;
        }
    }
    return reached[url.len];
}

static bool any_fits(struct str url, const struct json *mocks)
{
    bool any = false;
    for (uint32_t i = 0; i < mocks->count; i++)
        any |= fits_plainly(url, mgi_member_string(&mocks->items[i], "pattern"));
    return any;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    const uint8_t *end = len > 0 ? memchr(bytes, '\n', len) : NULL;
    struct arena arena;
    struct buf error = { 0 }, answer = { 0 };
    struct json mocks, parsed;
    if (!end || end - bytes > URL_MOST)
        return 0;
    struct str url = { (const char *)bytes, (size_t)(end - bytes) };
    struct str list = { (const char *)end + 1, len - url.len - 1 };
    mgi_arena_init(&arena, (size_t)64 * 1024 * 1024);
    struct job job = { .arena = &arena, .error = &error };
    if (mgi_json_parse(&arena, list, NULL, &mocks, NULL) == JSON_OK) {
        bool kept = mgi_act_set_mocks(&job, &mocks);
        assert(kept == (error.len == 0));
        bool found = mgi_act_mocked(url, STR_LIT("id-1"), &answer);
        assert(!found || kept);
        if (kept)
            assert(found == any_fits(url, &mocks));
        if (found) {
            assert(mgi_json_parse(&arena, mgi_buf_view(&answer), NULL, &parsed, NULL) == JSON_OK);
            assert(str_is(mgi_member_string(&parsed, "requestId"), "id-1"));
            assert(mgi_json_get(&parsed, "responseCode")->integer >= 200);
        }
    }
    mgi_act_unmock();
    mgi_buf_fini(&answer);
    mgi_buf_fini(&error);
    mgi_arena_fini(&arena);
    return 0;
}
