/* The folders that `manglecp new` makes: templates/NAME/ of the source tree, as bytes in the
 * program (cmake/embed_files.cmake). In their texts @NAME@ stands for the name of the new domain.
 * Immutable. */
#ifndef MGI_CLI_MANGLECP_TEMPLATES_H
#define MGI_CLI_MANGLECP_TEMPLATES_H

#include "base/buf.h"

struct template_file {
    const char *path; /* "minimal/rules/schema/facts.mg" */
    const char *text; /* UTF-8, `len` bytes, a NUL behind them */
    size_t len;
};

/* Sorted by path; a last entry of NULLs that the count does not count. */
extern const struct template_file mgi_templates[];
extern const size_t mgi_templates_count;

/* Append its text with the name put in. */
void mgi_template_fill(struct buf *out, const struct template_file *file, const char *name);

#endif
