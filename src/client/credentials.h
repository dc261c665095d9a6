/* Logins that outlive the program: what an issuer gave for a server, in one file.
 *
 *     {"version": 1, "logins": [{"target": …, "resource": …, "issuer": …, "access_token": …, …}]}
 *
 * One entry a resource and issuer; the newest comes first. The file is a regular one of this user's
 * that nobody else can read, or it is not used at all. It is replaced in one step, by who holds its
 * lock (FILE.lock): a reader needs none, and sees what was before or what is after. */
#ifndef MGI_CLIENT_CREDENTIALS_H
#define MGI_CLIENT_CREDENTIALS_H

#include "base/arena.h"
#include "base/buf.h"
#include "manglecp.h"

#define CREDENTIALS_MOST  256 /* entries: beyond it the oldest go */
#define CREDENTIALS_BYTES ((size_t)1024 * 1024 * 8)

struct credential {
    const char *target;   /* the address that was logged in to, as client/origin.h spells it */
    const char *resource; /* what the token is for: everything below this address */
    const char *issuer, *token_endpoint, *client_id;
    const char *access;
    const char *refresh; /* NULL: there is none */
    int64_t ends_s;      /* of the access token, since 1970; 0: not known */
};

/* Text points to the arena that it was read into, or to whoever put it in. */
struct credentials {
    struct credential items[CREDENTIALS_MOST];
    size_t count;
};

/* ---- as text -------------------------------------------------------------------------------- */

/* False: `why`, or memory (a->oom). */
bool mgi_credentials_read(struct arena *a, struct str text, struct credentials *out,
                          struct buf *why);
void mgi_credentials_write(struct buf *out, const struct credentials *c);

/* The login for the server at `address`: it was logged in to, or lies within a resource; of several
 * the one with the longest resource, then the newest. NULL: there is none. */
const struct credential *mgi_credentials_find(const struct credentials *c, const char *address);

/* In front; in place of what has the same target, or the same resource and issuer. */
void mgi_credentials_put(struct credentials *c, const struct credential *entry);
/* That of this resource and issuer. */
void mgi_credentials_drop(struct credentials *c, const char *resource, const char *issuer);
/* All for the server at `address`: how many. */
size_t mgi_credentials_remove(struct credentials *c, const char *address);

/* ---- as a file ------------------------------------------------------------------------------ */

/* No file is an empty one. MANGLECP_ERR_CREDENTIALS: it cannot be used, and `why` says why;
 * MANGLECP_ERR_NOMEM. */
enum manglecp_status mgi_credentials_load(const char *path, struct arena *a,
                                          struct credentials *out, struct buf *why);

/* Keep others (threads, too) from replacing it; makes its folder, and waits until `deadline_ns` of
 * the monotonic clock. *lock is for mgi_credentials_unlock(); -1 on every error.
 * MANGLECP_ERR_CREDENTIALS, MANGLECP_ERR_TIMEOUT, MANGLECP_ERR_NOMEM. */
enum manglecp_status mgi_credentials_lock(const char *path, int64_t deadline_ns, int *lock,
                                          struct buf *why);
void mgi_credentials_unlock(int lock);

/* Replace it, mode 0600. On every error it is as it was. */
enum manglecp_status mgi_credentials_store(const char *path, const struct credentials *c,
                                           struct buf *why);

#endif
