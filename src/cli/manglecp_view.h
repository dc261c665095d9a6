/* What the printed answers of a server are made of: wrapped text, facts, tables. All text from
 * outside is escaped before it reaches the terminal. Lines are laid out for 100 columns. */
#ifndef MGI_CLI_MANGLECP_VIEW_H
#define MGI_CLI_MANGLECP_VIEW_H

#include "base/json.h"
#include "cli/cli_options.h"

#define VIEW_COLUMNS 100

struct view {
    struct arena arena; /* of one printed answer */
    FILE *to;
    const struct cli_style *style;
};

void mgi_view_open(struct view *v, FILE *to);
void mgi_view_close(struct view *v);

/* Readers of what may be absent or of another type: "", 0, `otherwise`, false then. */
const char *mgi_view_text(struct view *v, const struct json *object, const char *name);
uint32_t mgi_view_count(const struct json *list);     /* elements of an array */
uint32_t mgi_view_members(const struct json *object); /* of an object */
int64_t mgi_view_number(const struct json *object, const char *name, int64_t otherwise);
bool mgi_view_true(const struct json *object, const char *name);

/* The name of a member, escaped. */
const char *mgi_view_name(struct view *v, struct str name);

/* "a, b, c" of an array of strings. */
const char *mgi_view_joined(struct view *v, const struct json *array);

/* One line: a string as its text, anything else as JSON. */
const char *mgi_view_value(struct view *v, const struct json *value);

/* At most `columns` code points of `text`, the last one "…" if it was longer. */
const char *mgi_view_cut(struct view *v, const char *text, size_t columns);

/* `text` at column `indent` and below itself, broken at blanks; `used` columns of the first line
 * are taken already (0: the indent is printed, too). Ends with a newline. */
void mgi_view_wrap(struct view *v, int indent, size_t used, const char *text);

/* pred(a, b) at t, "_" for what matches anything; arguments of at most `columns` columns. */
const char *mgi_view_fact(struct view *v, const struct json *fact, size_t columns);

/* A line for each of [{name, value}]: what rules filled in. */
void mgi_view_bound(struct view *v, const struct json *bound);

/* A value over several lines: members below each other, lists of objects as tables. */
void mgi_view_tree(struct view *v, int indent, const struct json *value);

#endif
