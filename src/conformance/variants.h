/* The suite's server started otherwise: where the target's command has the word "{}", it stands for
 * the domain folder, which the suite then writes itself, and for a case's own as well, with a few
 * edits. Folders are temporary, and gone when the run is over. */
#ifndef MGI_CONFORMANCE_VARIANTS_H
#define MGI_CONFORMANCE_VARIANTS_H

#include "conformance/conformance.h"

#define VARIANT_WORD "{}"

struct edit {
    const char *path; /* below the folder; it need not be there; NULL: no more edits */
    const char *find; /* the text that is exchanged, or all of the file: NULL, or "" for its end */
    const char *text;
    unsigned rows; /* `text` so often, with the number of the row for its %u; 0: once, as it is */
};

#define VARIANT_EDITS 4
struct variant {
    struct edit edits[VARIANT_EDITS + 1];
};

bool mgi_variant_possible(const char *const *command); /* it has the word */

/* A new folder of the suite's domain with these edits (NULL: none); its path is in `arena`. NULL:
 * `why` says so, or an edit did not find its text. */
const char *mgi_variant_write(struct arena *arena, const struct variant *variant, struct buf *why);
void mgi_variant_remove(const char *folder);

/* The command with that folder in place of the word, in `arena`. NULL: memory. */
const char *const *mgi_variant_command(struct arena *arena, const char *const *command,
                                       const char *folder);

#endif
