/* Where `manglecp build` puts what it made of a domain, and `serve` looks for it: the user's cache,
 * not the folder itself. A file that came with somebody's folder could say something else than the
 * rules and tools beside it, and nobody who reads those would see it. */
#ifndef MGI_SERVICE_SNAPSHOT_PLACE_H
#define MGI_SERVICE_SNAPSHOT_PLACE_H

#include "base/buf.h"

/* Appends $XDG_CACHE_HOME/manglecp/ID.snapshot (else below $HOME/.cache), where ID is of the
 * folder's absolute path without links. False: neither variable names a folder, `domain` is none,
 * or memory. */
bool mgi_snapshot_place(const char *const *environment, const char *domain, struct buf *out);

#endif
