/* What the files of the outline share: outline_scan.c finds occurrences in tokens, outline.c puts
 * them together with what the analysed program knows. */
#ifndef MGI_MANGLE_OUTLINE_INT_H
#define MGI_MANGLE_OUTLINE_INT_H

#include "mangle/program/program.h"

struct mangle_outline {
    mangle_program *program; /* analysed as far as it goes, never planned */
    struct arena arena;
    struct mangle_occurrence *items;
    size_t count, cap;
    struct mangle_outline_clause *clauses;
    size_t clause_count, clause_cap;
    struct str *packages;  /* of each source; empty: none */
    size_t *source_first;  /* source_count + 1: where the occurrences of a source begin */
    const char ***columns; /* per predicate: NULL, or a type per column */
    const char ***vars;    /* per parsed clause: NULL, or a type per variable */
};

/* Occurrences and clauses of one source, appended. False: memory. */
bool mgi_outline_scan(struct mangle_outline *o, uint32_t source);

#endif
