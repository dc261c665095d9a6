/* The numbered requirements of docs/reference/protocol.md part 3: rows that scripts/requirements
 * makes, with what cannot be seen from outside beside them. */
#ifndef MGI_CONFORMANCE_REQUIREMENTS_H
#define MGI_CONFORMANCE_REQUIREMENTS_H

#include "base/str.h"
#include "conformance/conformance.h"

struct requirement {
    const char *id;
    enum strength strength;
    int level;
};

extern const struct requirement mgi_requirements[];
extern const size_t mgi_requirement_count;
const struct requirement *mgi_requirement(struct str id); /* NULL: there is none */

/* Why no case shows it, where that can be said; NULL. */
const char *mgi_requirement_unseen(const char *id);

#endif
