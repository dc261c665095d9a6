/* tx_patch: what a committed step changed in the working state, for logs and replay (toolhost.md
 * 4.6): an array of {"op","path","value"} in ascending order of slots, one entry a slot at most. */
#ifndef TOOLHOST_TX_PATCH_H
#define TOOLHOST_TX_PATCH_H

#include "toolhost/state.h"

/* The patch that leads from `before` to `after` (T-TX-5, T-TX-6). Reduced, for the audit log: per
 * entry size_bytes and content_sha256 in place of the value, members sorted by name (T-TX-9).
 * False: OpenSSL is out of memory. */
bool mgi_tx_patch_write(struct json_writer *w, const struct ds_state *before,
                        const struct ds_state *after, bool reduced);

/* Read a patch, checking all of it before anything can be applied (T-TX-7). On DS_OK *patch is a
 * delta for mgi_ds_patch_apply(), which cannot fail, and the caller's to finish: `add` to a used
 * slot and `replace` of an empty one set it, `remove` of an empty one does nothing (T-TX-8). Else
 * it is empty and *why, in `arena`, says what is wrong. */
enum ds_result mgi_tx_patch_read(struct arena *arena, const struct json *value,
                                 struct ds_patch *patch, struct str *why);

#endif
