/* Tool definitions between evaluation and invocation (protocol.md P-CACHE-*, D-42), and spent
 * confirmation nonces (D-46). One interface; memory behind it now, others later.
 *
 * A definition is one block of bytes made by intent/macro.h: the store does not look inside.
 * Key: principal and macro_id. Thread-safe. Times are real (wall) nanoseconds given by the caller.
 */
#ifndef MGI_STORE_MACRO_STORE_H
#define MGI_STORE_MACRO_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct macro_store;

enum macro_found { MACRO_FOUND, MACRO_EXPIRED /* a marker remains */, MACRO_NOT_FOUND };

struct macro_entry {
    struct str definition;
    int64_t not_before_ns, expires_ns; /* the window; INT64_MIN, INT64_MAX: open */
};

/* max_bytes: least recently used definitions go beyond it. NULL when memory is short. */
struct macro_store *mgi_macro_store_memory(size_t max_bytes);
void mgi_macro_store_free(struct macro_store *s);

/* Keep (or refresh) a definition until keep_until_ns; a marker 5 minutes longer (D-42). False when
 * memory is short: the tool will be macro_not_found, never another one. */
bool mgi_macro_store_put(struct macro_store *s, struct str principal, struct str macro_id,
                         const struct macro_entry *entry, int64_t now_ns, int64_t keep_until_ns);

/* *out is copied into `arena`. */
enum macro_found mgi_macro_store_get(struct macro_store *s, struct str principal,
                                     struct str macro_id, int64_t now_ns, struct arena *arena,
                                     struct macro_entry *out);

/* True the first time `nonce` is spent; false ever after, until `until_ns`. */
bool mgi_macro_store_spend(struct macro_store *s, struct str nonce, int64_t now_ns,
                           int64_t until_ns);

size_t mgi_macro_store_bytes(struct macro_store *s);

#endif
