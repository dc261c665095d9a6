/* Comma-separated values, RFC 4180: fields may be quoted, a doubled quote is a quote, a quoted
 * field may span lines; records end in LF or CR LF. */
#ifndef MGI_FORMATS_CSV_H
#define MGI_FORMATS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum csv_status { CSV_RECORD, CSV_END, CSV_OPEN_QUOTE, CSV_STRAY_QUOTE, CSV_BAD_ESCAPE, CSV_NOMEM };

/* Cut one record off `rest`; its fields in `arena`, and how many lines of text it took. Empty lines
 * are passed over (and counted). A byte order mark at the beginning of a file is the caller's. */
enum csv_status mgi_csv_next(struct arena *arena, struct str *rest, struct str **fields,
                             size_t *count, uint32_t *lines);

/* A static text for messages. */
const char *mgi_csv_fault(enum csv_status status);

/* Append one field, quoted if it has to be. */
void mgi_csv_write(struct buf *out, struct str field);

#endif
