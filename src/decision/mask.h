/* Values on their way into a log, without those that `masking` of the domain hides.
 *
 * One mask serves one record: what it hides where facts, parameters, arguments and results are
 * written, it remembers, and takes out of the free texts (messages, reasons, details of errors)
 * that are written after them:
 *
 * 1. A text that repeats a hidden value, or at least its first 8 bytes, shows *** in its place; one
 *    of less than 4 bytes, where it stands as a word. The same in every text of a result and of
 * what came of it, where a number is hidden that repeats a hidden one.
 * 2. Beyond MASK_SECRETS hidden values no free text is shown at all, and no such number.
 * 3. What cannot be told apart is hidden as soon as the domain masks anything: facts of an unknown
 *    predicate or shape, members that no message has with their names, a value of another shape in
 *    whose place something is masked, and arguments of a tool that is not known (by the rules of
 *    all tools).
 * 4. Without rules everything passes as it is, and costs no more than to write it.
 *
 * A mask belongs to one thread. */
#ifndef MGI_DECISION_MASK_H
#define MGI_DECISION_MASK_H

#include "base/buf.h"
#include "base/json.h"
#include "domain/domain.h"
#include "security/principal.h"

#define MASK_SECRETS 512

struct mask {
    const struct snapshot *s;
    struct arena *arena;
    struct str key; /* of MASK_HASH */
    struct buf path;
    struct str *secrets;
    size_t secret_count, secret_cap;
    bool starts[256]; /* some secret begins with this byte */
    bool too_many;    /* no free text is shown */
    size_t masked;    /* values that were hidden */
};

/* Nothing is allocated yet; `arena` and `key` are borrowed, `s` as well. */
void mgi_mask_init(struct mask *m, const struct snapshot *s, struct arena *arena, struct str key);
void mgi_mask_fini(struct mask *m);

/* Does the domain mask anything at all? */
bool mgi_masks_anything(const struct mask *m);

/* Each writes one value. */
void mgi_mask_facts(struct mask *m, struct json_writer *w, const struct json *facts);
void mgi_mask_params(struct mask *m, struct json_writer *w, const struct json *params);
void mgi_mask_args(struct mask *m, struct json_writer *w, const struct tool *tool,
                   const struct json *args); /* tool NULL: not known */
void mgi_mask_result(struct mask *m, struct json_writer *w, const struct tool *tool,
                     const struct json *result);
/* Nothing is written, but free texts will not show it. */
void mgi_mask_remember(struct mask *m, const struct json *v);
/* What a log line may call a caller: the identity, or *** if it is masked. */
struct str mgi_mask_identity(const struct snapshot *s, const struct principal *who);
/* What is no part of a well-formed request: hidden as soon as the domain masks anything. */
void mgi_mask_unknown(struct mask *m, struct json_writer *w, const struct json *v);
/* The same with its name, as the member number `at` of its object. */
void mgi_mask_unknown_member(struct mask *m, struct json_writer *w,
                             const struct json_member *member, uint32_t at);
/* A member whose text is the keyed digest of a content in which something may be masked: who does
 * not have the key cannot try values. Without a key nothing is written. */
void mgi_mask_digest(const struct mask *m, struct json_writer *w, const char *name,
                     struct str content);
/* An argument of a fact that the rules derived, or that the server tells of a caller. */
void mgi_mask_argument_text(struct mask *m, struct json_writer *w, const char *pred,
                            int64_t argument, struct str text);

/* Free text, and JSON that holds free text: in it objects that look like facts are masked by their
 * predicate, and a member "args" as the arguments of `tool` (or NULL). A consent's challenge is
 * never shown. */
void mgi_mask_text(struct mask *m, struct json_writer *w, struct str text);
/* The same as plain text. */
void mgi_mask_plain(struct mask *m, struct buf *out, struct str text);
void mgi_mask_details(struct mask *m, struct json_writer *w, const struct tool *tool,
                      const struct json *details);

#endif
