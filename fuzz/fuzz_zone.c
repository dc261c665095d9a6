/* Any bytes as a TZif file: a zone whose offsets are in range at every instant, or no zone. */
#include <stdint.h>
#include <stdlib.h>

#include "mangle/value/zone.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mangle_zone *zone = mangle_zone_new(bytes, size);
    if (!zone)
        return 0;
    const int64_t instants[] = {
        INT64_MIN, INT64_MAX, 0, -1, INT64_C(1711846800000000000), INT64_C(4102444800000000000)
    };
    for (size_t i = 0; i < sizeof instants / sizeof *instants; i++) {
        int32_t offset = mgi_zone_offset(zone, instants[i]);
        if (offset < -26 * 3600 || offset > 26 * 3600)
            abort();
    }
    mangle_zone_free(zone);
    return 0;
}
