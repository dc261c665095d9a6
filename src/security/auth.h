/* Bearer tokens -> principals. Tokens are kept as SHA-256 only and compared in constant time.
 *
 * A token file has one line per token: `sha256:<64 hex> identity permission,permission…
 * [key=value…]` (keys: expires=<RFC 3339>, trust=automated, auto_confirm=a,b,
 * confirm_key=<base64url>); `#` starts a comment. The token of MANGLECP_TOKEN is identity
 * "operator" with permission "intent:*". */
#ifndef MGI_SECURITY_AUTH_H
#define MGI_SECURITY_AUTH_H

#include "base/arena.h"
#include "base/buf.h"
#include "security/principal.h"

struct auth; /* immutable after loading */

/* `env_token` may be NULL; `file_text` may be empty. NULL: *why (in `arena`) says which line. */
struct auth *mgi_auth_new(const char *env_token, struct str file_text, struct arena *arena,
                          const char **why);
void mgi_auth_free(struct auth *a);
bool mgi_auth_has_tokens(const struct auth *a);

enum auth_result { AUTH_GOOD, AUTH_REJECTED, AUTH_EXPIRED };
/* *out is borrowed from `a`. Constant time over the number of tokens. */
enum auth_result mgi_auth_check(const struct auth *a, struct str token, int64_t now_ns,
                                const struct principal **out);
/* The confirmation key of a principal; len 0: none. */
struct str mgi_auth_confirm_key(const struct auth *a, const struct principal *who);

/* The line for a token file. */
void mgi_auth_print_line(struct buf *out, struct str token, const char *identity,
                         const char *permissions);

#endif
