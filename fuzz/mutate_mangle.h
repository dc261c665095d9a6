/* A mutator that knows Mangle's grammar: most of what it makes still parses, so that the fuzzers
 * get past the parser. It works on tokens: exchanges them for others of their class, removes,
 * copies and swaps whole elements and clauses, and writes new ones about the predicates it finds.
 */
#ifndef MGI_FUZZ_MUTATE_MANGLE_H
#define MGI_FUZZ_MUTATE_MANGLE_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator: changes the text in place, at most to `cap` bytes, and returns its
 * new length. The same text and seed give the same result. */
size_t mutate_mangle(uint8_t *bytes, size_t len, size_t cap, unsigned seed);

#endif
