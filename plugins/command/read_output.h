/* What a program printed, as the JSON that its action answers.
 *
 *   text   {"text": "…"}        without the last line feed
 *   lines  {"lines": ["…", …]}
 *   json   the object that was printed, or {"value": …} of another value
 *   jsonl  {"items": […]}       one value per line; empty lines are passed over
 *   csv    {"rows": [{"column": "…"}, …]}   RFC 4180; the first record names the columns
 *   regex  {"name": "…", …}     the named groups of the first match; of all: {"matches": […]}
 *   none   {}
 *
 * Strict: what is not as it should be is an error that says where, and nothing is guessed. */
#ifndef COMMAND_READ_OUTPUT_H
#define COMMAND_READ_OUTPUT_H

#include "table.h"

/* Compile the regular expressions of a table. NULL, or what is wrong (in `arena`). */
const char *mgi_output_prepare(struct arena *arena, struct command_table *table);

/* Into `out`, compact. NULL, or what is wrong (static, or in `arena`). `stop` as in run.h: asked
 * where it may take long. */
const char *mgi_output_read(struct arena *arena, const struct command *command, struct str text,
                            bool (*stop)(void *context), void *context, struct buf *out);
/* What it says where a regular expression did not match: the program's own way to say no. */
extern const char mgi_output_no_match[];

#endif
