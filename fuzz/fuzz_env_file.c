/* Any bytes as a file of variables: each line is one, nothing, or wrong with a reason; names are
 * names, and none is there twice. */
#include <stdlib.h>

#include "../src/actions/mcp_env.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct env_file f;
    struct str text = { (const char *)bytes, len };
    f.count = 0;
    for (uint32_t number = 1; text.len > 0; number++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t line = end ? (size_t)(end - text.ptr) : text.len;
        read_line(&f, (struct str){ text.ptr, line }, number);
        line += end != NULL;
        text = (struct str){ text.ptr + line, text.len - line };
    }
    for (size_t i = 0; i < f.count; i++)
        for (size_t k = 0; k < i; k++)
            if (!is_variable_name(f.lines[i].name) || str_eq(f.lines[i].name, f.lines[k].name))
                abort();
    return 0;
}
