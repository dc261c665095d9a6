/* Any bytes as a script in which something failed: what the place tells must not crash or hang.
 *
 * Input: two bytes for the place, one for the property's length, the script. */
#include <assert.h>
#include <stdint.h>

#include "../domains/browser/plugins/browser/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len < 4)
        return 0;
    struct str text = { (const char *)bytes + 3, len - 3 };
    size_t at = ((size_t)bytes[0] * 256 + bytes[1]) % (text.len + 1);
    size_t property = bytes[2] % 16;
    struct place place = { text, at };
    struct place callers[2] = { { text, text.len / 2 }, { text, text.len / 3 } };
    struct trail trail;
    struct str name = { text.ptr + at, property < text.len - at ? property : text.len - at };
    struct str expression = mgi_source_expression(&place, name);
    assert(expression.len <= text.len);
    if (expression.len == 0 || !mgi_trail_begin(&trail, place, expression))
        return 0;
    for (int i = 0; i < 8 && mgi_trail_step(&trail, callers, 2); i++)
        assert(trail.len < TRAIL_BYTES);
    mgi_trail_field(&trail, text);
    assert(trail.len < TRAIL_BYTES && mgi_place_line(&trail.place) > 0);
    return 0;
}
