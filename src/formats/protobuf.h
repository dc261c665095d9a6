/* Protocol buffer messages as struct values (M-IO-68), by a compiled descriptor set: what
 * `protoc --include_imports --descriptor_set_out` writes. A leaf: the public mangle.h and base. */
#ifndef MGI_FORMATS_PROTOBUF_H
#define MGI_FORMATS_PROTOBUF_H

#include "base/arena.h"
#include "mangle.h"

#define PROTO_MAX_DEPTH 100 /* messages and groups in each other */

struct proto_set; /* immutable once read */

struct proto_error {
    size_t offset; /* of the byte in the input where it was noticed */
    bool oom;
    char path[160];    /* "a.b[2].c": the field; "" is the message itself; escaped for people */
    char message[200]; /* lower case, without a full stop */
};

/* NULL after filling *error. `bytes` must outlive the set. */
struct proto_set *mgi_proto_set_read(struct str bytes, struct proto_error *error);
void mgi_proto_set_free(struct proto_set *set);

/* The struct of a message of type `name` ("package.Message"), or MANGLE_NONE after filling *error.
 * Only populated fields are in it; in maps, the defaults of keys and values are. Fields that the
 * type does not know are passed over. Linear in bytes.len, but for messages that come in pieces. */
mangle_value mgi_struct_from_proto(const struct proto_set *set, struct str name, mangle_values *t,
                                   struct str bytes, struct proto_error *error);

#endif
