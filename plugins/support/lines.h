/* Text or a regular expression in the lines of files.
 *
 * Plain text is found by memmem() over the whole file; an expression is held against one line at a
 * time (PCRE2 without just-in-time code, which a confined worker may not make), with a limit on its
 * steps. Lines are searched in their first 64 KiB. */
#ifndef PLUGINS_SUPPORT_LINES_H
#define PLUGINS_SUPPORT_LINES_H

#include "plugins/support/action.h"

struct line_expression; /* PCRE2 */

struct line_search {
    struct str pattern;
    bool regex, ignore_case;
    int64_t limit, context;

    struct line_expression *expression; /* NULL: plain text */

    int64_t matches, files, matched_files, binary, too_large, unreadable, long_lines;
    bool truncated;
};

/* The arguments pattern, regex, ignore_case, context and limit. Faults fail the call. */
void mgi_line_search_arguments(struct action *a, struct line_search *s);

/* Make it ready to search; it ends with the call. False: the call failed. */
bool mgi_line_search_begin(struct action *a, struct line_search *s);

/* Write an element of the open array for each line of the file that matches. `path` is what the
 * element says; `exact`, if not empty, what it says as path_base64. Binary files are counted alone.
 * False: the call failed. */
bool mgi_line_search_file(struct action *a, struct line_search *s, const char *path,
                          struct str exact, struct str all);

/* Members of the answer behind that array: what was counted. */
void mgi_line_search_counts(struct action *a, const struct line_search *s);

#endif
