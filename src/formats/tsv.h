/* Tab-separated values: a record is a line, fields are what stands between tabs, quotes are text.
 * In a field \t, \n, \r and \\ are a tab, a line feed, a carriage return and a backslash. */
#ifndef MGI_FORMATS_TSV_H
#define MGI_FORMATS_TSV_H

#include "formats/csv.h"

/* As mgi_csv_next(). After CSV_BAD_ESCAPE `rest` is behind the record, and *count says how many
 * fields it has: the next one can be read. */
enum csv_status mgi_tsv_next(struct arena *arena, struct str *rest, struct str **fields,
                             size_t *count, uint32_t *lines);

#endif
