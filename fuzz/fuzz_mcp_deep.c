/* Texts that are nested too deep: what is left is not, and is JSON if they were. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "mcp/deep.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { MOST = 3 };
    const struct json_options deep = { .max_depth = JSON_MAX_DEPTH };
    struct str text = { (const char *)bytes, size };
    struct buf out = { 0 };
    struct arena a;
    struct json v;
    mgi_arena_init(&a, 0);
    mgi_mcp_cut_deep(&out, text, MOST);
    struct str left = mgi_buf_view(&out);
    if (out.oom || mgi_mcp_depth(left) > MOST)
        abort();
    if (mgi_json_parse(&a, text, &deep, &v, NULL) == JSON_OK &&
        mgi_json_parse(&a, left, &deep, &v, NULL) != JSON_OK)
        abort();
    mgi_buf_fini(&out);
    mgi_arena_fini(&a);
    return 0;
}
