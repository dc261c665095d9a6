/* Unified differences, as text. */
#ifndef PLUGINS_SUPPORT_DIFF_H
#define PLUGINS_SUPPORT_DIFF_H

#include "plugins/support/action.h"

struct diff_hunk {
    size_t old_line, old_count, new_line, new_count; /* lines from 1 */
    struct str body;                                 /* its lines, each with its mark */
    size_t at;                                       /* line of its head in the diff */
};

struct diff_file {
    struct str old_name, new_name; /* without a/ and b/ */
    bool creates, deletes;         /* /dev/null on the other side */
    struct diff_hunk *hunks;
    size_t count, cap;
    size_t at; /* line of "---" */
};

struct diff {
    struct diff_file *files;
    size_t count, cap;
};

#define DIFF_MOST_FILES 200
#define DIFF_MOST_HUNKS 10000

/* False: it is no unified diff that can be applied here; `why` (of one line) says where and why. */
bool mgi_diff_parse(struct arena *arena, struct str text, struct diff *out, struct buf *why);

/* The file after the diff, in `out`. Strict: every line that is kept or removed must stand exactly
 * where the diff says. False with `why`, all hunks that do not fit, and where else they would. */
bool mgi_diff_apply(const struct diff_file *file, struct str old, struct buf *out, struct buf *why);

#endif
