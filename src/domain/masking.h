/* What no log may show of what passes through a server: `masking:` of domain.yaml
 * (docs/domain-format.md). Here are the rules as they were read; decision/mask.h applies them. */
#ifndef MGI_DOMAIN_MASKING_H
#define MGI_DOMAIN_MASKING_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum mask_place { MASK_FACTS, MASK_PARAMS, MASK_ARGUMENTS, MASK_RESULTS };
enum mask_action {
    MASK_REPLACE, /* by "***" */
    MASK_HASH,    /* by a keyed digest: equal values stay equal */
    MASK_DROP     /* nothing is left of it */
};

#define MASK_EVERY_ARGUMENT (-1)

struct mask_rule {
    enum mask_place place;
    struct str subject; /* a predicate; a tool; "" of parameters */
    struct str
        written;      /* the argument or path as it stands in the file; "" for all of a predicate */
    int64_t argument; /* MASK_FACTS: counted from 0, or MASK_EVERY_ARGUMENT */
    struct str path;  /* elsewhere: a JSON pointer into the value, in which the token * is any */
    enum mask_action action;
    const char *origin; /* of the finding that it is good for nothing */
    uint32_t line, column;
};

struct masking {
    struct mask_rule *rules; /* sorted by place and subject */
    size_t count;
};

/* Those of one place and subject; *count may be 0. */
const struct mask_rule *mgi_masking_of(const struct masking *m, enum mask_place place,
                                       struct str subject, size_t *count);
/* Those of one place, whatever they are about. */
const struct mask_rule *mgi_masking_at(const struct masking *m, enum mask_place place,
                                       size_t *count);

#endif
