/* A macro-tool definition: what an evaluation composed and an invocation runs. Serialised as JSON
 * for the store (docs/architecture.md), so replicas can share it. */
#ifndef MGI_MACRO_MACRO_H
#define MGI_MACRO_MACRO_H

#include "base/arena.h"
#include "base/json.h"
#include "domain/domain.h"

struct macro_param { /* param_bound: filled by a rule, hidden from the schema */
    struct str name;
    struct json value;
};

struct macro {
    struct str macro_id;      /* <slug>-<12 or more hex digits> (D-38) */
    struct str tool;          /* template name */
    struct str intent;        /* under which it was selected */
    struct str rules_version; /* of the snapshot; another one means "superseded" */
    struct json input_schema; /* as shown: narrowed by param_value, without bound parameters */
    const uint32_t *steps;    /* chain: indexes of the template's steps, in order */
    size_t step_count;
    const struct macro_param *bound;
    size_t bound_count;
    bool requires_confirmation;
    const struct str *effects; /* sorted; "none" alone */
    size_t effect_count;
    bool reversible, idempotent;
    int64_t not_before_ns, expires_ns; /* INT64_MIN, INT64_MAX: no window */
};

void mgi_macro_write(struct buf *out, const struct macro *m); /* for the store */
/* False if the text is not one of ours, or memory is short, which arena->oom says. Lives in
 * `arena`; `text` must outlive it. */
bool mgi_macro_read(struct arena *arena, struct str text, struct macro *out);

/* The id of a composition: slug and SHA-256 over canonical JSON of name, chain, bound constants,
 * schemas, safety, rules_version; not over time, score or level. */
struct str mgi_macro_id(struct arena *arena, const struct snapshot *s, const struct macro *m);

#endif
