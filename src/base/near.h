/* "Did you mean": which of the names that exist comes nearest to one that does not. */
#ifndef MGI_BASE_NEAR_H
#define MGI_BASE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Letters to insert, delete, replace or swap with their neighbour; case does not count. SIZE_MAX if
 * that is more than `most`, or a name is longer than 64 bytes. */
size_t mgi_edit_distance(struct str a, struct str b, size_t most);
/* How far a name of this length may be off and still be meant. */
size_t mgi_edit_tolerance(size_t len);

struct near {
    struct str wanted; /* as written */
    struct str best;   /* the nearest candidate so far; empty if none is near */
    size_t rank;       /* of `best`, lower is nearer */
};

struct near mgi_near(struct str wanted);
/* Offer a candidate, in any order: of equally near ones the first by its bytes wins. True if it is
 * the best now. A name whose last part (behind '.' or ':') is what was written is near too. */
bool mgi_near_try(struct near *n, struct str candidate);

#endif
