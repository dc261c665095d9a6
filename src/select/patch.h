/* What a pick changes in the inputs (toolhost.md 10.4): merged one level deep, and what it may not
 * touch is dropped and named. Pure function; memory is the caller's arena. */
#ifndef MGI_SELECT_PATCH_H
#define MGI_SELECT_PATCH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"

#define INPUTS_MAX_BYTES 1048576 /* of merged inputs, as text */

/* What a patch may touch. All zero: everything but the protected names. */
struct patch_rules {
    const struct str *allowed; /* names that pass, if `restricted` */
    size_t allowed_count;
    bool restricted;
};

struct patched {
    struct json inputs;                  /* an object with a text of its own */
    const struct str *applied, *dropped; /* names, in the patch's order */
    size_t applied_count, dropped_count;
};

enum patch_status { PATCH_OK, PATCH_TOO_LARGE, PATCH_NOMEM };

/*
 * Merge `patch` into `inputs` (T-SEL-7): its members replace those of the same name, the others
 * stay as they are and where they are, new ones follow. Dropped are members whose names begin with
 * _system, _queue or _meta, and those that `rules` do not let pass.
 *
 *   into    *out lives there; nothing of it points into the other arguments
 *   inputs  anything but an object counts as {}
 *   patch   anything but an object changes nothing (T-SEL-8)
 *   out     untouched on failure
 *
 * PATCH_TOO_LARGE: the result would have more than INPUTS_MAX_BYTES. Cost follows the members of
 * both, not their product.
 */
enum patch_status mgi_inputs_patch(struct arena *into, const struct json *inputs,
                                   const struct json *patch, const struct patch_rules *rules,
                                   struct patched *out);

#endif
