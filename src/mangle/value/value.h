/* Values as 32-bit words (docs/architecture.md, section 3), for the engine's own files. mangle.h
 * has the readers and constructors; this adds what the inner loops use.
 *
 *   1xxxxxxx…  a number of 31 bits, two's complement, held in the word itself
 *   00xxxxxx…  entry of the shared table (program and base)
 *   01xxxxxx…  entry of the overlay's table, whose parent is the shared one
 *
 * Invariants: 1. a number that fits 31 bits is never interned. 2. a value is in the overlay only if
 * the shared table does not have it. Hence equality is one comparison. 3. an entry refers only to
 * entries made before it, so tables are acyclic. 4. lists are cells (head, tail), maps and structs
 * are runs of entries in printed order (M-VAL-33): all hash-consed. 5. once `frozen`, a table
 * is never written again and needs no lock. */
#ifndef MGI_MANGLE_VALUE_H
#define MGI_MANGLE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "mangle.h"

/* Values that every table has, under the same words. */
#define VALUE_NIL          ((mangle_value)1) /* [] */
#define VALUE_EMPTY_MAP    ((mangle_value)2) /* fn:map() */
#define VALUE_EMPTY_STRUCT ((mangle_value)3) /* {} */
#define VALUE_TRUE         ((mangle_value)4) /* /true */
#define VALUE_FALSE        ((mangle_value)5) /* /false */

#define VALUE_SMALL   UINT32_C(0x80000000)
#define VALUE_OVERLAY UINT32_C(0x40000000)

/* An empty table. `parent` NULL for a shared one; else frozen, and outlives this one. Entries and
 * text live in the table's own arena; limit_bytes 0 means none. */
mangle_values *mgi_values_new(const mangle_values *parent, size_t limit_bytes);
void mgi_values_free(mangle_values *t);
void mgi_values_reset(mangle_values *t); /* forget all entries of an overlay table, keep memory */
void mgi_values_freeze(mangle_values *t);
size_t mgi_values_bytes(const mangle_values *t);

/* A copy of a frozen shared table that may grow (base over program). NULL when memory is short.
 * Ids of the original stay valid in the copy. Text is shared: the original outlives the copy. */
mangle_values *mgi_values_clone(const mangle_values *t);

/* Why a constructor answered MANGLE_NONE: the first reason since the table was made, reset, or
 * mgi_values_clear_fault(). VALUES_OK after MANGLE_NONE: the contents were no value (a bad name).
 */
enum values_fault {
    VALUES_OK,
    VALUES_NOMEM,
    VALUES_LIMIT,   /* the memory limit of the table, 2^30 entries, or 2^32 bytes of one text */
    VALUES_TOO_DEEP /* nested deeper than VALUE_MAX_DEPTH (M-LIM-13) */
};
enum values_fault mgi_values_fault(const mangle_values *t);
void mgi_values_clear_fault(mangle_values *t);

/* For files of values (value_saved.c), of a shared table. How many entries it has: the word of the
 * next value. */
size_t mgi_values_count(const mangle_values *t);
bool mgi_value_is_there(const mangle_values *t, mangle_value v); /* whatever the word is */
/* Append the value of entry `at`; the entry behind it. */
size_t mgi_values_put(struct buf *out, const mangle_values *t, size_t at);

static inline bool mgi_value_is_small(mangle_value v)
{
    return (v & VALUE_SMALL) != 0;
}

static inline int32_t mgi_value_small(mangle_value v)
{
    return (int32_t)(v << 1) >> 1;
}

bool mgi_values_string_ok(struct str s); /* a legal name text (M-VAL-1) */

/* List cells. The empty list is a value of its own. */
mangle_value mgi_value_cons(mangle_values *t, mangle_value head, mangle_value tail);
bool mgi_value_uncons(const mangle_values *t, mangle_value list, mangle_value *head,
                      mangle_value *tail); /* false for [] */
mangle_value mgi_value_list_get(const mangle_values *t, mangle_value list,
                                uint64_t index); /* or NONE */
/* The entry's value in a map or struct, or MANGLE_NONE. */
mangle_value mgi_value_entry(const mangle_values *t, mangle_value map, mangle_value key);

uint32_t mgi_value_depth(const mangle_values *t, mangle_value v); /* nesting; scalars 0. M-LIM-13 */
#define VALUE_MAX_DEPTH 10000

/* 64-bit hash of M-VAL-30..33: only for entry order and files. */
uint64_t mgi_value_hash(const mangle_values *t, mangle_value v);
uint64_t mgi_atom_hash(const mangle_values *t, struct str pred, const mangle_value *args,
                       uint32_t count); /* M-VAL-34 */

/* Texts given to callers end here: parts that are shared can make them exponentially long, as in
 * X = [Y, Y] (M-LIM-13). */
#define VALUE_TEXT_MAX ((size_t)1 << 26)

/* For a message: the form of files, which tells 1.0 from 1, or canonical text where there is none.
 */
void mgi_value_show(struct buf *out, const mangle_values *t, mangle_value v);

/* Append the text of `v`. False if the form has none (see mangle_value_print). Iterative. */
bool mgi_value_print(struct buf *out, const mangle_values *t, mangle_value v,
                     enum mangle_text_form form);
void mgi_string_print(struct buf *out, struct str s,
                      enum mangle_text_form form); /* quoted, M-VAL-63 */
void mgi_float_print(struct buf *out, double d);   /* M-VAL-54 */
bool mgi_name_is_lexical(struct str s);            /* can be written as a CONSTANT token */

/* Interval text: "", "@[t]" or "@[s, e]" (M-TEMP-60); always_shown prints @[_, _] too. */
void mgi_interval_print(struct buf *out, struct mangle_interval t, bool always_shown);

/* Order of M-EVAL-30 on facts of one predicate. */
int mgi_fact_compare(const mangle_values *t, const struct mangle_fact *a,
                     const struct mangle_fact *b);

#endif
