/* A macro-tool definition: what an evaluation composed and an invocation runs. Serialised as JSON
 * for the store (docs/architecture.md), so replicas can share it. */
#ifndef MGI_MACRO_MACRO_H
#define MGI_MACRO_MACRO_H

#include "base/arena.h"
#include "base/json.h"
#include "domain/domain.h"
#include "security/signing.h"

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
    struct str text; /* the same as it was read, to be written again; ptr NULL: it is new */
};

/* So many of the newest are kept of a definition. What-ifs have places of their own, so that they
 * take none from what holds. */
#define EVIDENCE_LIVE_MAX    6
#define EVIDENCE_WHAT_IF_MAX 2
#define EVIDENCE_MAX         (EVIDENCE_LIVE_MAX + EVIDENCE_WHAT_IF_MAX)

struct macro {
    struct str macro_id; /* <slug>-<12 or more hex digits> (D-38) */
    struct str digest;   /* SHA-256 of what it is made of, whole, in hex: what tells compositions
                          * apart. No message and no log has it: it would confirm what was bound */
    struct str tool;     /* template name */
    struct str intent;   /* under which it was selected */
    struct str rules_version; /* of the snapshot; another one means "superseded" */
    struct json input_schema; /* as shown: narrowed by param_value, without bound parameters */
    const uint32_t *steps;    /* chain: indexes of the template's steps, in order */
    size_t step_count;
    const struct macro_param *bound;
    size_t bound_count;
    bool requires_confirmation;
    bool
        waived; /* as of now it does not, for what the operator waived for the caller; not stored */
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

/* What one thread remembers of digests: of each tool of a snapshot, the last one with what it was
 * worked out from. About as large as those texts, a mebibyte at most. NULL: memory is short. */
struct digest_memo;
struct digest_memo *mgi_digest_memo_new(const struct snapshot *s);
void mgi_digest_memo_free(struct digest_memo *memo);

/* The digest of a composition: SHA-256 over canonical JSON of name, chain, bound constants,
 * schemas, safety, rules_version; not over time, score or level. With a memo of `s` (NULL: none) it
 * is not worked out again for the same. False: memory is short. */
bool mgi_macro_digest(struct arena *arena, const struct snapshot *s, struct digest_memo *memo,
                      struct macro *m);

/*
 * The id of a composition that has its digest: a slug and digits.
 *
 * All that the digest is made of can be known to who sees the tool, but for the values that rules
 * bound and that are not shown to everybody. So the digits are the digest's own where there is
 * nothing to hide: the same before and after a restart, with any key and without one. Else they are
 * of the digest's signature by the server (`keys`), or who sees the id could try values until one
 * fits. Such an id changes with the first of the keys, which is another one at each start unless it
 * is configured (auth.signing_keys). Nothing depends on it: definitions are found by the id that
 * was given out, and compared by their digests.
 *
 *   keys  NULL: nothing is hidden
 *
 * False: memory is short.  [P-TOOL-2, P-TOOL-3, D-38]
 */
bool mgi_macro_name(struct arena *arena, const struct signing_keys *keys, struct macro *m);

#endif
