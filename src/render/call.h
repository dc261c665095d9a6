/* How a tool is called, in one short line: for tools that a model is shown as lines. Pure
 * functions. */
#ifndef MGI_RENDER_CALL_H
#define MGI_RENDER_CALL_H

#include "base/json.h"

/* name(path, entities: [{name: str, kind: str}], limit?: int 1..100, ...): what has to be given
 * comes first and is said whole, as far as types can; of what may be given the names and short
 * types, of three. No type means a text. `schema` is a JSON Schema of arguments, or NULL. Appended.
 */
void mgi_call_put(struct buf *out, struct str name, const struct json *schema);

/* Tokens of the line that shows the tool (manglecp_tokens()), with the first words of `about`. 0:
 * memory. */
size_t mgi_call_tokens(struct str call, struct str about);

/* That line: two blanks, the call, and the first words of `about`. Appended. */
void mgi_call_line(struct buf *out, struct str call, struct str about);

#endif
