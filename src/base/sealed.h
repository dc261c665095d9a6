/* A file of things that were worked out once: bytes by key, with one checksum over all of it.
 *
 * What the keys mean is its user's; where a key is a digest of all that a thing was worked out
 * from, nothing in such a file can be stale: what is looked up is found as it would come out, or
 * not at all. A file is of one *kind*, made by one version of one program (`maker`), on a machine
 * with one byte order; every other is refused. The checksum finds damage. It does not find malice:
 * whoever may write the file may compute one, so a reader of the bytes checks them as it checks
 * whatever else comes from outside.
 *
 *     magic[8] order:4 count:4 length:8 checksum:8 kind[16] maker[48]
 *     count times: key[32] offset:8 length:8, by ascending key
 *     the bytes, each at a multiple of 8, with zeros between them
 *
 * Numbers are the machine's; offsets count from the start of the file. */
#ifndef MGI_BASE_SEALED_H
#define MGI_BASE_SEALED_H

#include "base/buf.h"

#define SEALED_KEY_BYTES   32
#define SEALED_KIND_BYTES  16 /* of a kind, with its NUL */
#define SEALED_MAKER_BYTES 48

struct sealed_entry {
    uint8_t key[SEALED_KEY_BYTES];
    struct str bytes;
};

/* Appends the file to `out` (its oom tells of memory). `entries` are sorted; of those with one key
 * the first that is found stays. `kind` and `maker` fit, or are cut. */
void mgi_sealed_write(struct buf *out, const char *kind, const char *maker,
                      struct sealed_entry *entries, size_t count);

#define SEALED_HEAD_BYTES 96

/* Before all of a file is read, which has `len` bytes and begins with `start` (SEALED_HEAD_BYTES of
 * them if there are so many): NULL, or why mgi_sealed_open() would refuse it, as far as beginning
 * and length tell. */
const char *mgi_sealed_look(struct str start, uint64_t len);

/* A file that was opened: views into it. */
struct sealed {
    struct str file;
    size_t count;
};

/* Look at all of `file`, which has to be aligned for 8 bytes and is borrowed as long as *out is
 * used. NULL, or why it cannot be used: one line, without the file's name. */
const char *mgi_sealed_open(struct str file, const char *kind, const char *maker,
                            struct sealed *out);

/* What `checksum` is for a file of these bytes, a header at least: tests forge files with it. */
uint64_t mgi_sealed_checksum(struct str file);
#define SEALED_CHECKSUM_AT 24

/* The bytes under `key`, at a multiple of 8; a binary search. False: there are none. */
bool mgi_sealed_find(const struct sealed *s, const uint8_t key[SEALED_KEY_BYTES],
                     struct str *bytes);

#endif
