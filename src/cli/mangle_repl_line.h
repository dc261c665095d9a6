/* Lines for an interactive session: with editing, history and completion on a terminal, plain ones
 * from anywhere else. */
#ifndef MGI_CLI_MANGLE_REPL_LINE_H
#define MGI_CLI_MANGLE_REPL_LINE_H

#include <stdio.h>

#include "base/buf.h"

enum line_result { LINE_READ, LINE_END, LINE_INTERRUPTED };

struct line_words { /* what a word may become; in no order, duplicates are fine */
    char **items;
    size_t count, cap;
    size_t prefix; /* bytes before the cursor that they replace */
    bool oom;
};

/* The candidates for `line`, which ends at the cursor: add with mgi_line_words_add(), and set
 * `prefix`. */
typedef void line_complete(void *context, struct str line, struct line_words *out);
void mgi_line_words_add(struct line_words *words, const char *text, size_t len);

struct line_reader;

/* `in` is a terminal or not. NULL: memory. Without a usable libedit a terminal has plain lines. */
struct line_reader *mgi_line_reader_new(FILE *in, FILE *out, line_complete *complete,
                                        void *context);
void mgi_line_reader_free(struct line_reader *reader); /* saves the history */

bool mgi_line_reader_terminal(const struct line_reader *reader);
/* One line without its end, borrowed until the next call. The prompt is shown on a terminal only.
 */
enum line_result mgi_line_read(struct line_reader *reader, const char *prompt, struct str *line);

#endif
