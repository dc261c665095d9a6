/* What the protobuf files share: the wire format, and the types of a set. */
#ifndef MGI_FORMATS_PROTOBUF_INT_H
#define MGI_FORMATS_PROTOBUF_INT_H

#include "base/strmap.h"
#include "formats/protobuf.h"

/* ---- the wire (protobuf_wire.c) ------------------------------------------------------------ */

enum proto_wire {
    PROTO_VARINT = 0,
    PROTO_I64 = 1,
    PROTO_LEN = 2,
    PROTO_GROUP_BEGIN = 3,
    PROTO_GROUP_END = 4,
    PROTO_I32 = 5
};

struct proto_reader {
    struct str rest;
    size_t offset; /* of rest in the input */
};

struct proto_record {
    uint32_t field;
    enum proto_wire wire;
    uint64_t number;  /* PROTO_VARINT, PROTO_I64, PROTO_I32 */
    struct str bytes; /* PROTO_LEN */
    size_t offset;    /* of the tag */
    size_t content;   /* of bytes */
};

/* The next record; a group of an unknown field is one, too, and passed over as a whole
 * (PROTO_GROUP_BEGIN). NULL; else what is wrong at r->offset, a static text. */
const char *mgi_proto_next(struct proto_reader *r, struct proto_record *out);
const char *mgi_proto_varint(struct proto_reader *r, uint64_t *out);
/* 4 or 8 bytes, little-endian. */
const char *mgi_proto_fixed(struct proto_reader *r, int bytes, uint64_t *out);

/* ---- types (protobuf_set.c) ---------------------------------------------------------------- */

enum proto_type { /* as descriptor.proto numbers them */
                  PROTO_DOUBLE = 1,
                  PROTO_FLOAT = 2,
                  PROTO_INT64 = 3,
                  PROTO_UINT64 = 4,
                  PROTO_INT32 = 5,
                  PROTO_FIXED64 = 6,
                  PROTO_FIXED32 = 7,
                  PROTO_BOOL = 8,
                  PROTO_STRING = 9,
                  PROTO_GROUP = 10,
                  PROTO_MESSAGE = 11,
                  PROTO_BYTES = 12,
                  PROTO_UINT32 = 13,
                  PROTO_ENUM = 14,
                  PROTO_SFIXED32 = 15,
                  PROTO_SFIXED64 = 16,
                  PROTO_SINT32 = 17,
                  PROTO_SINT64 = 18
};

enum proto_label { PROTO_OPTIONAL = 1, PROTO_REQUIRED = 2, PROTO_REPEATED = 3 };

struct proto_field {
    struct str name;
    uint32_t number;
    enum proto_type type;
    enum proto_label label;
    int32_t oneof; /* -1: none */
    bool implicit; /* a zero is not populated (proto3 without `optional`) */
    struct str type_name;
    size_t offset;                     /* of its description */
    const struct proto_type_row *kind; /* of PROTO_MESSAGE, PROTO_ENUM */
};

struct proto_enum_value {
    struct str name;
    int32_t number;
};

struct proto_type_row {   /* a message or an enum */
    struct str full_name; /* ".package.Name" */
    struct str name;
    bool is_enum, map_entry;
    struct proto_field *fields; /* by number */
    size_t field_count, field_cap;
    struct proto_enum_value *values; /* as written */
    size_t value_count, value_cap;
};

struct proto_set {
    struct arena arena;
    struct proto_type_row **rows;
    size_t count, cap;
    struct strmap index; /* full name -> row */
};

const struct proto_type_row *mgi_proto_type(const struct proto_set *set, struct str full_name);
const struct proto_field *mgi_proto_field(const struct proto_type_row *row, uint32_t number);

#endif
