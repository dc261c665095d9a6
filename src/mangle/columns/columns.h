/* The simple column file (section 18.4), from inside: its header. columns.c reads that,
 * columns_read.c the values, columns_write.c writes. */
#ifndef MGI_MANGLE_COLUMNS_H
#define MGI_MANGLE_COLUMNS_H

#include "mangle/program/diag.h"

#define COLUMNS_MAX_PREDS 65536 /* M-IO-47 */
#define COLUMNS_MAX_FACTS ((uint64_t)1 << 32)
#define COLUMNS_MAX_ARITY 1024
#define COLUMNS_MAX_BYTES (UINT32_MAX / 2) /* places in a text are 32 bits */

struct column_pred {
    struct str name; /* in the text */
    uint32_t arity;
    uint64_t facts;
    struct span span; /* its line */
};

struct columns {
    struct source source;
    struct column_pred *preds; /* heap */
    size_t count;
    uint32_t body;   /* where the lines of values begin */
    struct str copy; /* heap: the text with ill-formed bytes replaced (M-LEX-1), or empty */
};

/* Reads the header and counts the lines behind it. `given` is borrowed until mgi_columns_fini(),
 * which is due whatever the result. MANGLE_ERR_PROGRAM after reporting. */
enum mangle_status mgi_columns_open(const struct mangle_source *given, mangle_diags *diags,
                                    struct columns *out);
void mgi_columns_fini(struct columns *c);

/* The line that begins at *at, without its LF; *at moves behind it. False at the end. */
bool mgi_columns_line(struct str text, uint32_t *at, struct span *line);

#endif
