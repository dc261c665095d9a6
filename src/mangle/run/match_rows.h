/* The base's rows of a predicate in the order of their first column, for hosts that ask an overlay
 * again and again for the facts with some first argument: no plan has asked for such an index, and
 * to look at every row each time costs what the base costs.
 *
 * Made when a predicate has been asked so a few times, and kept for as long as the overlay lives,
 * since the base never changes: four bytes a row. One thread, the overlay's. */
#ifndef MGI_MANGLE_MATCH_ROWS_H
#define MGI_MANGLE_MATCH_ROWS_H

#include "mangle/run/rel.h"

struct match_rows;
struct match_rows *mgi_match_rows_new(uint32_t pred_count); /* NULL: memory is short */
void mgi_match_rows_free(struct match_rows *m);

/* The base's rows of `rel`, which is `pred`'s, whose first column is `value`: those of the result
 * from *begin to *end, in their own order. NULL: it is not known, or not yet: look at all. */
const uint32_t *mgi_match_rows(struct match_rows *m, uint32_t pred, const struct rel *rel,
                               uint32_t value, uint32_t *begin, uint32_t *end);

#endif
