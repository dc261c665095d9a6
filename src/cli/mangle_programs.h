/* What a program is made of, on the command lines of mangle: files; folders, of which all .mg files
 * below are read; and domain folders (a folder with domain.yaml), whose program is the standard
 * rules, the files below rules/ and facts/, and the tables below facts/. Tests of rules (*_test.mg)
 * are no part of a program unless they are named.
 *
 * A standard rule has the name "<standard>/PATH" among the files, in lists and in findings; the
 * bytes are in the program (domain/standard_rules.h). */
#ifndef MGI_CLI_MANGLE_PROGRAMS_H
#define MGI_CLI_MANGLE_PROGRAMS_H

#include "cli/cli_options.h"

/* Arguments to files, standard rules first. `tables` (may be NULL: they are of no interest) gets
 * the tables of domain folders. EXIT_ANSWERED, or EXIT_USAGE after saying what cannot be read. */
int mgi_program_files(const struct cli_list *arguments, struct cli_list *files,
                      struct cli_list *tables);

bool mgi_is_standard_file(const char *path);
/* How many of the files are standard rules: the first so many. */
size_t mgi_program_standard_count(const struct cli_list *files);

/* As mgi_cli_read_file(), of standard rules too. */
bool mgi_program_read(const char *path, size_t max_bytes, struct buf *out, const char **why);

#endif
