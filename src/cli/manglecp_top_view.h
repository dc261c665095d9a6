/* What `manglecp top` shows: two readings of a server's metrics made into a page of text. Pure: the
 * readings come in as text, the page goes out as text. */
#ifndef MGI_CLI_MANGLECP_TOP_VIEW_H
#define MGI_CLI_MANGLECP_TOP_VIEW_H

#include "base/buf.h"
#include "cli/cli_options.h"

struct top_reading {
    struct str text; /* of /metrics */
    int64_t mono_ns; /* when it was read */
    int64_t real_ns;
};

/* The page. `before` NULL: there is no earlier reading, and rates are those since the server's
 * start. */
void mgi_top_view(struct buf *out, const char *target, const struct top_reading *now,
                  const struct top_reading *before, const struct cli_style *style);

#endif
