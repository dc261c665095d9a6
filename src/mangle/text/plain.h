/* Plain facts: a name, and in parentheses numbers, names and strings without escapes. They are
 * most of what files of facts hold, and are read without tokens and terms. Whatever is more than
 * that is left to the parser, which then says what there is to say. */
#ifndef MGI_MANGLE_PLAIN_H
#define MGI_MANGLE_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "mangle.h"

#define PLAIN_MAX_ARGS 16

struct plain_arg {
    enum mangle_kind kind; /* MANGLE_NUMBER, MANGLE_NAME, MANGLE_STRING */
    int64_t number;
    struct str text; /* of a string without its quotes */
};

struct plain_fact {
    struct str name;
    uint32_t count; /* at least one */
    struct plain_arg args[PLAIN_MAX_ARGS];
};

/* The fact at *at, behind blanks, and *at behind its dot. False, and *at stays: what stands there
 * is none, or may go on behind the end of `text`. `text` is well-formed UTF-8. */
bool mgi_plain_fact(struct str text, uint32_t *at, struct plain_fact *out);

/* All of `line` is one such argument. */
bool mgi_plain_value(struct str line, struct plain_arg *out);

#endif
