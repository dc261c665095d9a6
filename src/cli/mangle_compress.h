/* Files that are compressed as their names say: .gz, .zst, .zstd. */
#ifndef MGI_CLI_MANGLE_COMPRESS_H
#define MGI_CLI_MANGLE_COMPRESS_H

#include "base/buf.h"

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

/* By the end of a name; *stem (may be NULL) is the name without it. */
enum compression mgi_compression_named(struct str path, struct str *stem);
const char *mgi_compression_name(enum compression c); /* "none", "gzip", "zstd" */

/* Append what `packed` holds to `out`, which may become max_bytes long. False: the reason is in
 * `why`, and what was appended is of no use. Concatenated members and frames are one content, as
 * for gzip and zstd themselves. */
bool mgi_decompress(enum compression c, struct str packed, size_t max_bytes, struct buf *out,
                    char why[80]);

/* Append `text`, compressed, to `out`: the same bytes give the same bytes. False: memory. */
bool mgi_compress(enum compression c, struct str text, struct buf *out);

#endif
