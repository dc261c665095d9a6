/* The content of a file in an answer: text where it is UTF-8, base64 where it is not, cut to what
 * was asked for and what the answer holds. */
#ifndef PLUGINS_SUPPORT_CONTENT_H
#define PLUGINS_SUPPORT_CONTENT_H

#include "plugins/support/action.h"

enum content_encoding { CONTENT_AUTO, CONTENT_TEXT, CONTENT_BASE64 };

struct content {
    const char *path;              /* for errors */
    int64_t first_line, last_line; /* from 1; 0: not asked by lines */
    int64_t most;                  /* bytes of content in the answer */
    size_t encoding;               /* enum content_encoding */
};

/* The arguments first_line, last_line, encoding and max_bytes. Faults fail the call. */
void mgi_content_arguments(struct action *a, struct content *c);

/* Members encoding, and text or base64. `to_the_end`: the bytes end where the file ends, so that no
 * character is cut there. *taken is how many are shown. False: the call failed. */
bool mgi_content_put(struct action *a, const struct content *c, struct str bytes, bool to_the_end,
                     size_t *taken);

/* The lines that were asked for of a whole file: lines, first_line, the content, last_line,
 * truncated. *behind is where what is shown ends. */
bool mgi_content_put_lines(struct action *a, const struct content *c, struct str all,
                           size_t *behind, bool *truncated);

/* Lines of a text; the last one may have no line break. */
int64_t mgi_count_lines(struct str text);

#endif
