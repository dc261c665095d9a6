/* JSON text by RFC 8259, strictly: UTF-8 without a byte order mark, no duplicate names, bounded
 * depth, integers kept apart from floats by their spelling (protocol.md D-5, D-6, D-7;
 * T-JSON-1..3).
 *
 * Three tools on one scanner: a DOM in an arena, a pull reader that allocates nothing, a writer.
 * Decoders are given bytes; nobody here does I/O. Not thread-safe per object; no global state. */
#ifndef MGI_BASE_JSON_H
#define MGI_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_INT,   /* no '.', 'e' or 'E', and fits int64; -0 is 0 */
    JSON_FLOAT, /* spelled with '.', 'e' or 'E', finite; underflow goes to the nearest double */
    JSON_HUGE,  /* a number that fits neither: only its text is kept; the caller decides */
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

/* No JSON here is nested deeper, whatever the options say; walks over a DOM rely on it. */
#define JSON_MAX_DEPTH 256

struct json_member;

struct json {
    enum json_type type;
    uint32_t count;  /* elements or members */
    struct str text; /* the value's own bytes in the source, borrowed from it */
    union {
        bool boolean;
        int64_t integer;
        double number;               /* JSON_FLOAT */
        struct str string;           /* unescaped; in the arena, or in the source if no escape */
        struct json *items;          /* JSON_ARRAY, contiguous */
        struct json_member *members; /* JSON_OBJECT, in source order */
    };
};

struct json_member {
    struct str name;
    struct json value;
};

enum json_fault {
    JSON_OK,
    JSON_BAD_SYNTAX,    /* details.reason "json" */
    JSON_BAD_UTF8,      /* "utf8": bad bytes or a lone surrogate escape */
    JSON_BAD_BOM,       /* "bom" */
    JSON_DUPLICATE_KEY, /* "duplicate_key" */
    JSON_TOO_DEEP,      /* "depth" */
    JSON_NOMEM
};

struct json_error {
    enum json_fault fault;
    size_t offset;         /* byte offset into the text */
    uint32_t line, column; /* from 1; the column counts bytes */
    char message[120]; /* lower case, without a full stop: "expected ',' or ']' after an element" */
};

const char *mgi_json_fault_reason(enum json_fault fault); /* the words above, as on the wire */

struct json_options {
    uint32_t max_depth; /* 0 means 64, at most JSON_MAX_DEPTH; the outermost container is level 1 */
};

/* Parse all of `text` (white space around the value is fine) into `arena`. `text` must outlive the
 * DOM. `options` and `error` may be NULL. On failure *out is untouched. Linear in text.len, also in
 * memory: 20 times as much for numbers of one digit. A limit of the arena bounds it (JSON_NOMEM).
 */
enum json_fault mgi_json_parse(struct arena *arena, struct str text,
                               const struct json_options *options, struct json *out,
                               struct json_error *error);

/* What was written into `text`, as one value with its text in `arena`; `text` is freed. False: it
 * or the arena ran out of memory, or that is no value (what a writer writes is one); *out is
 * untouched. */
bool mgi_json_take(struct arena *arena, struct buf *text, struct json *out);

/* The member's value, or NULL (also when `object` is not an object). O(members). */
const struct json *mgi_json_get(const struct json *object, const char *name);
const struct json *mgi_json_get_str(const struct json *object, struct str name);

/* Equal as JSON values: member order is irrelevant. Numbers are equal if they denote the same
 * number, so 1 equals 1.0 (JSON Schema's reading); `typed` makes int and float differ instead. */
bool mgi_json_equal(const struct json *a, const struct json *b, bool typed);

/* RFC 6901: append "/" and the escaped token. */
void mgi_json_pointer_push(struct buf *path, struct str token);
void mgi_json_pointer_index(struct buf *path, size_t index);
const struct json *mgi_json_pointer_get(const struct json *root, struct str pointer);

/* ---- pull reader ------------------------------------------------------------------------- */

enum json_event {
    JSON_EV_ERROR,
    JSON_EV_END, /* after the one value, all of the text has been read */
    JSON_EV_NULL,
    JSON_EV_BOOL,
    JSON_EV_NUMBER,
    JSON_EV_STRING,
    JSON_EV_KEY,
    JSON_EV_ARRAY_BEGIN,
    JSON_EV_ARRAY_END,
    JSON_EV_OBJECT_BEGIN,
    JSON_EV_OBJECT_END
};

struct json_reader {
    struct str text;
    size_t at;
    uint32_t depth, max_depth;
    uint8_t state;
    uint8_t stack[JSON_MAX_DEPTH];
    struct str token; /* the raw bytes of the last scalar or key; strings with their quotes */
    bool escaped;     /* the last string or key holds an escape */
    struct json_error error;
};

/* Reads without allocating. It does not look for duplicate names: that needs memory. */
void mgi_json_reader_init(struct json_reader *r, struct str text, uint32_t max_depth);
enum json_event mgi_json_reader_next(struct json_reader *r);

/* Past the value that comes next, with its key if it is a member. False if there is none: the
 * container (or the text) ended instead, or an error. */
bool mgi_json_reader_skip(struct json_reader *r);

/* The value of the last JSON_EV_NUMBER: JSON_INT sets *integer, JSON_FLOAT *number, JSON_HUGE
 * neither. The value of a JSON_EV_BOOL is token.ptr[0] == 't'. */
enum json_type mgi_json_reader_number(const struct json_reader *r, int64_t *integer,
                                      double *number);

/* The value of the last JSON_EV_STRING or JSON_EV_KEY; in the source if it had no escape, else in
 * `arena`. ptr NULL when memory is short. */
struct str mgi_json_reader_string(struct json_reader *r, struct arena *arena);

/* ---- writer ------------------------------------------------------------------------------ */

/* Writes into a buffer; commas and colons are its business. Compact unless `indent` is set. Text
 * must be UTF-8: an ill-formed byte is written as U+FFFD, so that output is always valid. Control
 * characters are escaped, '/' is not. Misuse (a value without a key in an object) is an assert. */
struct json_writer {
    struct buf *out;
    uint32_t depth;
    uint32_t indent; /* blanks per level; 0 means compact */
    bool need_comma, after_key;
};

void mgi_json_writer_init(struct json_writer *w, struct buf *out, uint32_t indent);
void mgi_jw_begin_object(struct json_writer *w);
void mgi_jw_end_object(struct json_writer *w);
void mgi_jw_begin_array(struct json_writer *w);
void mgi_jw_end_array(struct json_writer *w);
void mgi_jw_key_str(struct json_writer *w, struct str name);
/* One that is known to have nothing to escape. */
void mgi_jw_plain_key(struct json_writer *w, struct str name);

/* Most names are literals, in which nobody puts what has to be escaped: not to look, and to know
 * the length, is most of what a key costs. */
static inline void mgi_jw_key(struct json_writer *w, const char *name)
{
    size_t len = __builtin_strlen(name);
    if (__builtin_constant_p(len))
        mgi_jw_plain_key(w, (struct str){ name, len });
    else
        mgi_jw_key_str(w, (struct str){ name, len });
}

void mgi_jw_string(struct json_writer *w, struct str s);
void mgi_jw_cstring(struct json_writer *w, const char *s); /* NULL writes null */
void mgi_jw_int(struct json_writer *w, int64_t n);
/* The shortest text that reads back, always with '.' or 'e'; not finite: null. */
void mgi_jw_float(struct json_writer *w, double d);
void mgi_jw_bool(struct json_writer *w, bool b);
void mgi_jw_null(struct json_writer *w);
void mgi_jw_raw(struct json_writer *w, struct str json);        /* one value, already JSON text */
void mgi_jw_value(struct json_writer *w, const struct json *v); /* numbers keep their spelling */

/* Key and value in one. */
static inline void mgi_jw_member_str(struct json_writer *w, const char *name, struct str s)
{
    mgi_jw_key(w, name);
    mgi_jw_string(w, s);
}

static inline void mgi_jw_member_cstr(struct json_writer *w, const char *name, const char *s)
{
    mgi_jw_key(w, name);
    mgi_jw_cstring(w, s);
}

static inline void mgi_jw_member_int(struct json_writer *w, const char *name, int64_t n)
{
    mgi_jw_key(w, name);
    mgi_jw_int(w, n);
}

static inline void mgi_jw_member_bool(struct json_writer *w, const char *name, bool b)
{
    mgi_jw_key(w, name);
    mgi_jw_bool(w, b);
}

void mgi_jw_member_strs(struct json_writer *w, const char *name, const struct str *items,
                        size_t count); /* an array of strings */

/* Canonical text (T-INP-6): no white space, members sorted by the bytes of their names, numbers
 * spelled as they were, only '"', '\' and U+0000-U+001F escaped. */
void mgi_json_canonical(struct buf *out, const struct json *v);

/* ---- doubles, whatever the locale -------------------------------------------------------- */

/* The shortest decimal that reads back to the same double, laid out as printf's %.17g would: 100,
 * 0.1, 1e+22, 1.5e-07, -0, inf, nan. Returns the length; a NUL follows. */
size_t mgi_double_print(double d, char out[32]);

/* The double nearest to [+-]digits[.digits][e[+-]digits]; the caller has checked the form. False if
 * that is infinite. */
bool mgi_double_parse(struct str text, double *out);

#endif
