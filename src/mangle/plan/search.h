/* What plans ask of relations: searches by some of the columns. A plan says which, a relation keeps
 * an index for each. */
#ifndef MGI_MANGLE_SEARCH_H
#define MGI_MANGLE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#define NO_INDEX UINT32_MAX /* every row is looked at */

/* A set of columns, ascending, that some plan knows when it looks for rows. */
struct search {
    uint32_t *columns;
    uint32_t count;
    bool frozen; /* asked for while an overlay is evaluated: built when the base is closed */
    bool timed;  /* rows are asked for by their intervals as well: with hulls over these */
};

#endif
