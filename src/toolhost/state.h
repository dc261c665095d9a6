/* DSState: the working state of a run, eight slots that each hold one artifact or nothing
 * (toolhost.md chapter 4).
 *
 * An artifact is immutable and counted, so copying a state is eight counters, committing a tool's
 * changes is a swap, and two states that share an artifact are equal there without a look at its
 * bytes. Only content that is a JSON text, and tags that keep the digest decodable, get in: there
 * is no way to make an artifact but mgi_ds_artifact(). One thread. */
#ifndef TOOLHOST_STATE_H
#define TOOLHOST_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "toolhost/sizes.h"

struct ds_artifact;

struct ds_state {
    struct ds_artifact *slot[DS_SLOTS]; /* NULL: empty */
};

enum ds_result {
    DS_OK,
    DS_INVALID, /* a rule of 4.1 is broken */
    DS_LIMIT,   /* a length is over its limit */
    DS_NOMEM
};

/* What a request says of the state: the full form replaces it, the delta form changes it. */
struct ds_patch {
    bool delta;
    uint8_t removed; /* bit n: slot n */
    struct ds_state set;
    bool has_base;
    struct str base; /* the digest of the state it was made against; borrowed from the request */
};

/* All zero is an empty state. */
void mgi_ds_fini(struct ds_state *s);                               /* leaves it empty */
void mgi_ds_copy(struct ds_state *to, const struct ds_state *from); /* `to` gives up what it had */

/* The tags and the content of slot `n`, borrowed until the slot changes. False if it is empty. */
bool mgi_ds_get(const struct ds_state *s, unsigned n, struct str *type, struct str *provenance,
                struct str *content);

/* Check and copy an artifact into slot `n` (below DS_SLOTS). `scratch` is used to parse the content
 * and comes back as it was. On failure the slot keeps what it had and *why (may be NULL) is a
 * static text for the message: "type is longer than 128 bytes". */
enum ds_result mgi_ds_put(struct ds_state *s, unsigned n, struct str type, struct str provenance,
                          struct str content, struct arena *scratch, const char **why);
void mgi_ds_del(struct ds_state *s, unsigned n);

/* Take slot `n` of `from` if it has the same bytes: the artifact is shared then. */
bool mgi_ds_share(struct ds_state *s, unsigned n, const struct ds_state *from, struct str type,
                  struct str provenance, struct str content);

/* Bit n: slot n is used; differs between the two (T-TX-4). */
uint8_t mgi_ds_used(const struct ds_state *s);
uint8_t mgi_ds_changed(const struct ds_state *before, const struct ds_state *after);

/* Read the `ds_state` of a request (T-STATE-1 to T-STATE-10). On DS_INVALID *why, in `arena`, says
 * what is wrong, without the words "invalid ds_state: ". The patch is the caller's to finish. */
enum ds_result mgi_ds_patch_read(struct arena *arena, const struct json *value,
                                 struct ds_patch *patch, struct str *why);
void mgi_ds_patch_apply(struct ds_state *s, const struct ds_patch *patch); /* cannot fail */
void mgi_ds_patch_fini(struct ds_patch *patch);

/* T-STATE-15; 64 lower-case hexadecimal digits and a NUL. False when OpenSSL is out of memory. */
bool mgi_ds_digest(const struct ds_state *s, char out[65]);

/* T-STATE-16: 16 lower-case hexadecimal digits and a NUL. Anybody can make two states that share
 * it: good for finding loops in logs, and for nothing else. False as above. */
bool mgi_ds_digest_fast(const struct ds_state *s, char out[17]);

/* The full form, and a delta that gives the present content, or the absence, of the slots in
 * `mask` (T-STATE-5). */
void mgi_ds_write_full(struct json_writer *w, const struct ds_state *s);
void mgi_ds_write_delta(struct json_writer *w, const struct ds_state *s, uint8_t mask);

#endif
