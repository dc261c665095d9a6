/* A whole JSON document as a struct value (M-IO-60 to 67). Not the encoding of facts: numbers are
 * floats here, and objects structs. A leaf: the public mangle.h and base. */
#ifndef MGI_FORMATS_JSON_STRUCT_H
#define MGI_FORMATS_JSON_STRUCT_H

#include "base/json.h"
#include "mangle.h"

struct json_struct_error {
    uint32_t line, column; /* from 1; the column counts bytes */
    bool oom;
    char path[160];    /* JSON pointer of what is wrong, escaped for people; "" is the document */
    char message[160]; /* lower case, without a full stop */
};

/* The struct, or MANGLE_NONE after filling *error. Linear in text.len; nesting up to
 * JSON_MAX_DEPTH. */
mangle_value mgi_struct_from_json(mangle_values *t, struct str text,
                                  struct json_struct_error *error);

#endif
