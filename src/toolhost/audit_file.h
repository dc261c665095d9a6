/* The file of audit records: appended to, chained, rotated (toolhost.md 7.8). What is in a record
 * is audit.h's affair.
 *
 * A line is a record whose first two members are the chain: chain_hash is the SHA-256 of chain_prev
 * and the record's text without the two. Several hosts may write to one file: a record is written
 * under a lock of the file, after a look at its last line if it has grown meanwhile, so the chain
 * stays one. An empty file goes on where the newest rotated one ended (T-AUD-3).
 *
 * Rotated files are called <stem>.<epoch ms>.jsonl, the stem being the path without its extension.
 * What is no regular file (a device, a pipe) is written to and never read or rotated.
 *
 * Nothing here waits longer than AUDIT_LOCK_MS, for the lock. The clock is an argument. One thread
 * per object. */
#ifndef TOOLHOST_AUDIT_FILE_H
#define TOOLHOST_AUDIT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"

enum {
    AUDIT_FILE_BYTES = 16777216,   /* a file is rotated before it gets longer */
    AUDIT_FILE_MS = 3600000,       /* or older, counted from its first record */
    AUDIT_FILES = 10,              /* that are kept, the current one included */
    AUDIT_TOTAL_BYTES = 268435456, /* of all of them */
    AUDIT_LOCK_MS = 50,
    AUDIT_HASH_TEXT = 64
};

struct audit_limits {
    int64_t file_bytes, file_ms, total_bytes;
    uint32_t files;
};
extern const struct audit_limits mgi_audit_limits; /* the numbers above */

struct audit_file {
    const char *path; /* borrowed */
    bool flush;       /* to disk, after every record */
    struct audit_limits limits;

    int fd; /* -1: closed */
    bool regular;
    int64_t size;                   /* when we looked last */
    int64_t first_ms;               /* of its first record, since 1970; 0: it has none */
    char prev[AUDIT_HASH_TEXT + 1]; /* chain_hash of its last record */
};

void mgi_audit_file_init(struct audit_file *f, const char *path, bool flush);
void mgi_audit_file_fini(struct audit_file *f);

/* Append a record: `text` is a JSON object without the chain members, one line, "{...}". `now_ms`
 * is since 1970. False: it is not in the file, and nothing of it is, where that can be undone;
 * errno says why. The next one is tried afresh. */
bool mgi_audit_file_append(struct audit_file *f, struct str text, int64_t now_ms);

/* The epoch in the name of a rotated file of `stem`, "<stem>.<digits>.jsonl"; -1: it is none. Both
 * are names without a folder. */
int64_t mgi_audit_rotated_epoch(struct str stem, struct str name);

#endif
