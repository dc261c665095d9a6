/* What the files about tokens of another issuer share, from below; a file calls only what stands
 * above it here. All of it is the loop's, but for what a task reads and writes.
 *
 *     login_known.c   tokens that were good, by their digests
 *     login_keys.c    the issuer's keys: fetched, used, fetched again
 *     login.c         one login after the other
 */
#ifndef MGI_SERVER_LOGIN_INT_H
#define MGI_SERVER_LOGIN_INT_H

#include "server/server_int.h"
#include "sys/digest.h"

/* ---- login_known.c --------------------------------------------------------------------------- */

/* A reference of the caller's, and until when it may be believed; NULL: it is not known, or not any
 * more. */
const struct principal *mgi_login_known(const struct server *s, const uint8_t digest[SHA256_BYTES],
                                        int64_t *until_ns);
/* In place of what is over soonest. */
void mgi_login_remember(struct server *s, const uint8_t digest[SHA256_BYTES],
                        const struct principal *who, int64_t until_ns);
void mgi_login_forget_all(struct server *s);

/* ---- login_keys.c ---------------------------------------------------------------------------- */

/* Is there a fetch that may be waited for? Begins one, if it is time. When it is over,
 * logins.resume is called. */
bool mgi_login_fetch_keys(struct server *s);
/* Fetch them, or use those that are given; and again whenever they are stale. */
void mgi_login_keys_begin(struct server *s);
void mgi_login_keys_stop(struct server *s);
void mgi_login_keys_free(struct server *s);

#endif
