/* What `mangle compile` notes beside the base in its file: what the program is compiled from again
 * when the file is used, and of what files the facts were. */
#ifndef MGI_CLI_MANGLE_NOTE_H
#define MGI_CLI_MANGLE_NOTE_H

#include "base/arena.h"
#include "base/buf.h"
#include "mangle.h"
#include "sys/digest.h"

struct noted_facts {
    struct str argument;          /* as --facts had it */
    uint8_t digest[SHA256_BYTES]; /* of the file, and of the type of its message */
};

struct compile_note {
    bool allow_dangerous, check_bounds;
    uint32_t standard_count; /* of the sources, the first so many are standard rules */
    struct mangle_source *sources;
    uint32_t source_count;
    struct mangle_host_pred *preds;
    uint32_t pred_count;
    struct noted_facts *facts;
    uint32_t fact_count;
};

/* Is it a regular file, and does it begin as one of `mangle compile` does? */
bool mgi_is_compiled(const char *path);
/* NULL, or why it need not be read: it is longer or shorter than it says, for one. */
const char *mgi_compiled_fault(const char *path);

void mgi_note_write(struct buf *out, const struct compile_note *note);
/* Views into `bytes`, and arrays in `arena`. False: damaged, or memory (arena->oom). */
bool mgi_note_read(struct str bytes, struct arena *arena, struct compile_note *out);

#endif
