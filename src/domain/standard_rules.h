/* The standard pipeline, written in Mangle (rules/ in the source tree), as bytes in the library.
 * Generated at build time by cmake/embed_files.cmake. Immutable. */
#ifndef MGI_DOMAIN_STANDARD_RULES_H
#define MGI_DOMAIN_STANDARD_RULES_H

#include <stddef.h>

struct standard_rule {
    const char *path; /* relative to rules/, for diagnostics: "pipeline/10_candidates.mg" */
    const char *text; /* UTF-8, `len` bytes, a NUL behind them */
    size_t len;
};

/* Sorted by path; a last entry of NULLs that `mgi_standard_rules_count` does not count. */
extern const struct standard_rule mgi_standard_rules[];
extern const size_t mgi_standard_rules_count;

#endif
