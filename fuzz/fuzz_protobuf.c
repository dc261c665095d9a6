/* Any bytes as a descriptor set and a message: the first two bytes say how long the set is. No
 * crash, no hang; every type of the set is tried by its place in the index. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mangle/value/value.h"
#include "formats/protobuf_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    size_t len = (size_t)bytes[0] << 8 | bytes[1];
    struct str rest = { (const char *)bytes + 2, size - 2 }, set_bytes = rest;
    set_bytes.len = len < rest.len ? len : rest.len;
    struct str message = { rest.ptr + set_bytes.len, rest.len - set_bytes.len };
    struct proto_error error;
    struct proto_set *set = mgi_proto_set_read(set_bytes, &error);
    for (size_t i = 0; set && i < set->count && i < 8; i++) {
        struct str name = set->rows[i]->full_name;
        mangle_values *t = mgi_values_new(NULL, (size_t)64 << 20);
        (void)mgi_struct_from_proto(set, (struct str){ name.ptr + 1, name.len - 1 }, t, message,
                                    &error);
        mgi_values_free(t);
    }
    mgi_proto_set_free(set);
    return 0;
}
