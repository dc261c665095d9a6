/* The form of a saved base: what base_save.c writes and base_open.c reads.
 *
 * A sealed file (base/sealed.h) of two entries, the caller's note and the base. In the base stand
 * no addresses, no indexes and no tables, so it does not depend on how relations are kept: words,
 * each of four bytes, in the byte order of the machine (n:8 is two of them).
 *
 *     fingerprint[8 words]                      of the program
 *     given:8 derived:8 firings:8 rounds:8 birth
 *     values of the program, values of the base
 *     per value that the program does not have: kind, count, then by its kind
 *         text: its bytes, filled up to words     number, time, duration, float: 8 bytes
 *         pair, list: two values                  map, struct: count times key and value
 *     rules, and per rule how often it fired:8
 *     predicates, and per predicate
 *         rows, rows that were given, marks; per mark: round, end
 *         the rows; of a temporal one, per row: intervals, and per interval start:8 end:8
 *
 * Whoever reads it makes every value and every row anew, as if they came from a text: what is no
 * value, no row, or there twice is damage. */
#ifndef MGI_MANGLE_BASE_SAVED_H
#define MGI_MANGLE_BASE_SAVED_H

#include "base/content_hash.h"
#include "base/sealed.h"
#include "mangle/run/base.h"

#define SAVED_KIND  "mangle-base"
#define SAVED_MAKER "mangle " MANGLE_VERSION " form 1"

/* Keys, NUL to the end. */
#define SAVED_NOTE ((const uint8_t[SEALED_KEY_BYTES]){ "note" })
#define SAVED_BASE ((const uint8_t[SEALED_KEY_BYTES]){ "base" })

/* What the program is: its sources, and what the host said of its predicates. False: memory. */
bool mgi_saved_fingerprint(const mangle_program *p, uint8_t out[CONTENT_HASH_BYTES]);

/* How many rules have a count. */
static inline uint32_t mgi_saved_rules(const mangle_program *p)
{
    return p->plan->rule_count + p->plan->asking_count;
}

#endif
