/* The token of a login that is stored (credentials.h), renewed when its time is over.
 *
 * Of all programs that find it over at the same time one asks the issuer, and the others take what
 * it got: an issuer may give each refresh token one use, and end the login at a second one. */
#ifndef MGI_CLIENT_STORED_LOGIN_H
#define MGI_CLIENT_STORED_LOGIN_H

#include "base/buf.h"
#include "manglecp.h"

struct stored_login {
    const char *path;    /* of the file */
    const char *target;  /* an address, as a user gives it */
    const char *ca_file; /* who vouches for the issuer; NULL: the system's list */
};

/* The token for the server at login->target goes to *token, which it replaces; that is empty if
 * there is no login, and as it was on every error. `refused` (or NULL) is one that the server did
 * not take: it is renewed whatever its time, unless somebody else has done so.
 *
 * MANGLECP_ERR_CREDENTIALS: the login has ended, or the file cannot be used; what has ended is
 * taken from the file. MANGLECP_ERR_USAGE, _TRANSPORT, _TIMEOUT, _PROTOCOL, _NOMEM: it may work
 * next time. Waits 40 seconds at most. */
enum manglecp_status mgi_stored_token(const struct stored_login *login, const char *refused,
                                      struct buf *token, struct buf *why);

#endif
