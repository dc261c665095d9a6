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

/* One evaluation that offered the tool: a reason why it may run, as long as evaluating again, now
 * and for who asks now, would offer it still. */
struct evidence {
    struct str told;                   /* name of what the rules were told (told.h) */
    int64_t made_ns;                   /* the server's clock */
    int64_t not_before_ns, expires_ns; /* its window; INT64_MIN, INT64_MAX: open */
    bool live;                         /* it was as of about then, and no what-if */
};

/* So many of the newest are kept of a definition. What-ifs have places of their own, so that they
 * take none from what holds. */
#define EVIDENCE_LIVE_MAX    6
#define EVIDENCE_WHAT_IF_MAX 2
#define EVIDENCE_MAX         (EVIDENCE_LIVE_MAX + EVIDENCE_WHAT_IF_MAX)

struct macro {
    struct str macro_id; /* <slug>-<12 or more hex digits> (D-38) */
    struct str digest;   /* the SHA-256 that the id is the beginning of, whole, in hex: what tells
                          * compositions apart where somebody looks for two of one id */
    struct str tool;     /* template name */
    struct str intent;   /* under which it was selected */
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
    int64_t not_before_ns, expires_ns; /* of the newest evaluation; INT64_MIN, INT64_MAX: none */
    const struct evidence *evidence;   /* the newest first */
    size_t evidence_count;             /* at most EVIDENCE_MAX */
};

void mgi_macro_write(struct buf *out, const struct macro *m); /* for the store */
/* False if the text is not one of ours, or memory is short, which arena->oom says. Lives in
 * `arena`; `text` must outlive it. */
bool mgi_macro_read(struct arena *arena, struct str text, struct macro *out);

/* A definition replaces an older one of its id: what stood for the tool goes on standing for it.
 * `entry` (store.h) is written anew, in `arena`. An older text that is not ours, or of another
 * digest, is passed over: what stood for that does not stand for this.
 * False: memory is short. */
bool mgi_macro_merge(struct arena *arena, struct str older, struct str *definition);

/* macro_id and digest of a composition: slug and SHA-256 over canonical JSON of name, chain, bound
 * constants, schemas, safety, rules_version; not over time, score or level. False: memory is short.
 */
bool mgi_macro_identify(struct arena *arena, const struct snapshot *s, struct macro *m);

#endif
