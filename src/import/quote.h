/* Texts of others as values in files of ours: whatever is in them, what is read back is the same
 * text, and never a key, a rule or a line more. Text that is not UTF-8 is written with U+FFFD for
 * each bad byte. */
#ifndef MGI_IMPORT_QUOTE_H
#define MGI_IMPORT_QUOTE_H

#include "base/json.h"

/* A double-quoted scalar of YAML, in one line. */
void mgi_import_yaml_text(struct buf *out, struct str text);
/* The same as a key, with the colon and a blank. At most IMPORT_KEY_BYTES: YAML looks no further
 * for the colon; but in a flow ({…}), where a longer one is written in another way. */
void mgi_import_yaml_key(struct buf *out, struct str key);
void mgi_import_yaml_flow_key(struct buf *out, struct str key);
#define IMPORT_KEY_BYTES 128
/* A value in one line. Nested at most IMPORT_YAML_DEPTH deep (mgi_import_json_depth()). */
void mgi_import_yaml_value(struct buf *out, const struct json *v);
#define IMPORT_YAML_DEPTH 48
uint32_t mgi_import_json_depth(const struct json *v); /* a scalar is 0 */

/* A string of Mangle, in one line. */
void mgi_import_mangle_text(struct buf *out, struct str text);

/* `text` without what makes lines, cut to at most `max_bytes` at a character; blanks at its ends
 * and runs of them become one. Appended. */
void mgi_import_one_line(struct buf *out, struct str text, size_t max_bytes);

#endif
