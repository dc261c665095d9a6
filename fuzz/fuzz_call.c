/* Any JSON as the schema of a tool's arguments: the call that it makes is bounded, and its line is
 * one line of text that is seen. */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "render/call.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    struct json schema;
    struct buf call = { 0 }, line = { 0 };
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, (struct str){ (const char *)bytes, size }, NULL, &schema, NULL) ==
        JSON_OK) {
        mgi_call_put(&call, STR_LIT("tool"), &schema);
        MUST(call.len >= 6 && call.len < 40000 && call.ptr[call.len - 1] == ')');
        mgi_call_line(&line, mgi_buf_view(&call), STR_LIT("What it does."));
        MUST(mgi_utf8_valid(mgi_buf_view(&line), NULL));
        for (size_t i = 0; i + 1 < line.len; i++)
            MUST((unsigned char)line.ptr[i] >= ' ' && line.ptr[i] != 0x7f);
        MUST(mgi_call_tokens(mgi_buf_view(&call), STR_LIT("")) > 0);
    }
    mgi_buf_fini(&call);
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
    return 0;
}
