/* What each code of an error or a warning means: one page a code, docs/errors/CODE.md in the source
 * tree, as bytes in both programs (cmake/embed_files.cmake). A code is what findings of programs
 * and domain folders are marked with, an error code of the wire, or a status of the C libraries.
 *
 * A page begins with `# CODE`, an empty line, and one paragraph that says what the code means.
 * Every code that the program can emit has a page, and every page a code: tests/docs/errors.py. */
#ifndef MGI_CLI_ERRORS_H
#define MGI_CLI_ERRORS_H

#include "base/json.h"
#include "base/str.h"
#include "cli/cli_options.h"

struct error_page {
    const char *path; /* "VAR_UNBOUND.md" */
    const char *text; /* Markdown, UTF-8, `len` bytes, a NUL behind them */
    size_t len;
};

/* Sorted by path; a last entry of NULLs that the count does not count. */
extern const struct error_page mgi_error_pages[];
extern const size_t mgi_error_pages_count;

/* The page of a code, in whatever case it is written, or NULL. */
const struct error_page *mgi_error_page(const char *code);
struct str mgi_error_code(const struct error_page *page);
/* Its first paragraph. */
struct str mgi_error_meaning(const struct error_page *page);

/* The member `meaning` of a finding in JSON; none of a code without a page. */
void mgi_error_json(struct json_writer *w, const char *code);

/* The subcommand `explain-error` of both programs. */
int mgi_explain_error(const struct cli_command *command, int argc, char **argv);

/* clang-format off */
#define EXPLAIN_ERROR_COMMAND(program, function)                                                   \
    { .name = program " explain-error",                                                            \
      .usage = "[CODE]",                                                                           \
      .help = "What the code of an error or a warning means, and the repair.",                     \
      .run = (function),                                                                             \
      .more = "Without CODE it lists all codes. CODE is what stands in brackets behind a finding\n"   \
              "of check, `code` in an error of the protocol, or a status of the C libraries.\n"    \
              "\n"                                                                                 \
              "Exit status: 0 it is told, 2 there is no such code.\n" }
/* clang-format on */

#endif
