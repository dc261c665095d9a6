/* Compressing what is large enough to be worth it (RFC 1952, by zlib). Any thread. */
#ifndef MGI_NET_GZIP_H
#define MGI_NET_GZIP_H

#include "base/buf.h"

/* Append `text` as one gzip member. Same text, same bytes. On failure out->oom is set. Takes about
 * a millisecond for 50 KB, and 270 KB of memory while it runs. */
void mgi_gzip(struct str text, struct buf *out);

#endif
