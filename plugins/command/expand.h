/* Values into words. A value is put where its placeholder stands, byte by byte, and never looked at
 * again: braces, quotes, dollars and semicolons in it are what they are. One word stays one word.
 */
#ifndef COMMAND_EXPAND_H
#define COMMAND_EXPAND_H

#include "table.h"

#define EXPAND_MAX_WORDS 4096
#define EXPAND_MAX_WORD  (128u << 10) /* the kernel takes no longer argument */
#define EXPAND_MAX_BYTES (1u << 20)   /* of all words */

/* What a program is started with; all in the arena that was given. */
struct expansion {
    char **argv; /* ends with NULL */
    const char *folder;
    struct str input; /* for its standard input */
};

/* NULL, or what is wrong with the arguments (static, or in `arena`).
 *
 *   arguments  a JSON object; members that the command does not know reach nothing but
 *              `stdin: json`
 *
 * Refused are: an argument that is missing; a list or an object where a text belongs; a NUL; a
 * value that begins a word with '-' before a literal "--", unless its placeholder says that it may
 * be an option; what is longer than a limit above. */
const char *mgi_command_expand(struct arena *arena, const struct command_table *table,
                               const struct command *command, const struct json *arguments,
                               struct expansion *out);

#endif
