/* Bearer tokens and API keys -> principals. They are kept as SHA-256 only and compared in constant
 * time.
 *
 * A token file has one line per token: `sha256:<64 hex> identity permission,permission…
 * [key=value…]`, per API key: `key-sha256:<64 hex> …`, or per client's certificate:
 * `cert-sha256:<64 hex> …` (keys: expires=<RFC 3339>, not_before=<RFC 3339>, trust=automated,
 * auto_confirm=a,b, confirm_key=<base64url>, confirm_form=client); `#` starts a comment. The token
 * of MANGLECP_TOKEN is identity "operator" with the permissions "intent:*" and "operator"; the
 * latter is for the operations pages (/metrics beyond this machine, /reload); /confirm takes the
 * permission "confirm", which no token has unless the file says so. */
#ifndef MGI_SECURITY_AUTH_H
#define MGI_SECURITY_AUTH_H

#include "base/arena.h"
#include "base/buf.h"
#include "security/principal.h"

struct auth; /* counted, and immutable after loading: any thread may ask */

/* With one reference. `env_token` may be NULL; `file_text` may be empty. NULL: *why (in `arena`)
 * says which lines are wrong. */
struct auth *mgi_auth_new(const char *env_token, struct str file_text, struct arena *arena,
                          const char **why);
struct auth *mgi_auth_ref(struct auth *a); /* NULL is fine for both */
void mgi_auth_unref(struct auth *a);
bool mgi_auth_has_tokens(const struct auth *a); /* of any kind; NULL has none */
bool mgi_auth_has_keys(const struct auth *a);   /* API keys */

/* No token is longer; what is, is rejected without a look at it. */
#define AUTH_TOKEN_MAX ((size_t)8 * 1024)

enum auth_result {
    AUTH_GOOD,
    AUTH_REJECTED,
    AUTH_EXPIRED,
    AUTH_EARLY,      /* not valid yet */
    AUTH_UNSURE,     /* it may be another issuer's: that takes time (server/server.h) */
    AUTH_UNREACHABLE /* and the issuer, or memory for it, could not be had */
};

/* A bearer token, which may be an API key as well. *out is borrowed from `a` (who keeps it takes a
 * reference); NULL unless AUTH_GOOD. Constant time over the number of tokens. `a` NULL rejects
 * every token. */
enum auth_result mgi_auth_check(const struct auth *a, struct str token, int64_t now_ns,
                                const struct principal **out);

/* The same for what came as an API key: a token is none. */
enum auth_result mgi_auth_check_key(const struct auth *a, struct str key, int64_t now_ns,
                                    const struct principal **out);

/* The same for a client's certificate that TLS has judged good: `fingerprint` is its SHA-256 in
 * hexadecimal. A token is never taken for a certificate, nor a certificate for a token. */
enum auth_result mgi_auth_check_certificate(const struct auth *a, struct str fingerprint,
                                            int64_t now_ns, const struct principal **out);

/* What `a` says of the credential that `who` logged in with: borrowed from `a`; NULL if it is not
 * listed. An expired one is found, too. */
const struct principal *mgi_auth_renew(const struct auth *a, const struct principal *who);

/* Everybody it lists, a principal per credential: borrowed from `a`, whose NULL has none. */
size_t mgi_auth_count(const struct auth *a);
const struct principal *mgi_auth_get(const struct auth *a, size_t i);

/* What stands behind the credential in a line of a token file. */
struct auth_words {
    const char *identity;
    const char *permissions; /* separated by commas; "": none */
    const char *confirm_key; /* base64url; or NULL */
    bool is_api_key;
};

/* Why such a line cannot be written, or NULL: a file of tokens separates its words by blanks. */
const char *mgi_auth_line_fault(const struct auth_words *words);

/* Can clients send it: is it printable ASCII without blanks? */
bool mgi_auth_is_token(const char *token);

/* The line for a token file, and that for the certificate with this `fingerprint` (SHA-256 in
 * hexadecimal). */
void mgi_auth_print_line(struct buf *out, struct str token, const struct auth_words *words);
/* The line by which somebody who shows `token` is `who`, for as long as the line stands, and may
 * confirm by `confirm_key` (base64url). */
void mgi_auth_print_as(struct buf *out, struct str token, const struct principal *who,
                       const char *confirm_key);
void mgi_auth_print_certificate_line(struct buf *out, const char *fingerprint,
                                     const struct auth_words *words);

#endif
