/* Which texts of a configuration are secrets. Names and values are judged as people write them: the
 * cost of one that is none is a variable to set, that of one that was missed is a leak. */
#ifndef MGI_IMPORT_SECRET_H
#define MGI_IMPORT_SECRET_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Does a name say that its value is secret? API_KEY, githubToken, X-Auth, password. */
bool mgi_import_secret_name(struct arena *arena, struct str name);

/* Does a value look like one by itself? ghp_…, sk-…, a JWT, a long text that no person thought of.
 */
bool mgi_import_secret_value(struct str value);

/* Append `text` with "[secret]" in place of each of `secrets`; where several begin, of the longest.
 */
void mgi_import_hide_secrets(struct buf *out, struct str text, const struct str *secrets,
                             size_t count);

/* The same as a text in `arena`; ptr NULL: memory. */
struct str mgi_import_without_secrets(struct arena *arena, struct str text,
                                      const struct str *secrets, size_t count);

/* The secret as it stands in JSON, without its quotes, in `arena`, whose `oom` says if there was no
 * memory. */
struct str mgi_import_secret_in_json(struct arena *arena, struct str secret);

/* Append `text`, of a configuration in any form, with "[secret]" in place of every value that is
 * secret by its name or looks so, in comments, too. Linear. */
void mgi_import_mask(struct buf *out, struct str text);

#endif
