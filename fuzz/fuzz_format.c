/* Any bytes as a source to lay out: what has no errors keeps its tokens and comments, has no errors
 * afterwards, and is not changed by laying it out again. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "mangle/edit/format_int.h"
#include "mangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct mangle_source source = { "fuzz", (const char *)bytes, len };
    char *once, *twice;
    size_t once_len, twice_len;
    if (mangle_format(&source, &once, &once_len, NULL) != MANGLE_OK)
        return 0;
    struct str first = { once, once_len };
    struct mangle_source again = { "once", once, once_len };
    if (!mgi_format_check((struct str){ source.text, source.len }, first))
        abort();
    if (mangle_format(&again, &twice, &twice_len, NULL) != MANGLE_OK)
        abort();
    if (!str_eq(first, (struct str){ twice, twice_len }))
        abort();
    mangle_free(once);
    mangle_free(twice);
    return 0;
}
