/* The client's part of OAuth 2.1 as functions over text: what servers say is read, what is said to
 * them is written. No I/O, no clock, no randomness: those come in as arguments.
 *
 *     a server's 401 ──> challenge ──> metadata of the resource (RFC 9728) ──> metadata of the
 *     issuer (RFC 8414) ──> registration (RFC 7591) ──> address for a browser, with PKCE (RFC 7636)
 *     and the resource (RFC 8707) ──> redirect to 127.0.0.1 (RFC 8252, 9207) ──> token
 *
 * What is read is copied into the arena, and ends with a NUL. Readers say false for what they do
 * not take: `why` has a sentence then, or is empty, and the arena or `why` itself ran out of
 * memory. Words of others in a sentence are escaped and cut. Tokens and codes are never in one.
 * [P-AUTH-16] */
#ifndef MGI_CLIENT_OAUTH_H
#define MGI_CLIENT_OAUTH_H

#include "base/arena.h"
#include "base/buf.h"

#define OAUTH_DOCUMENT_BYTES ((size_t)256 * 1024) /* of any answer, at most */
#define OAUTH_TOKEN_MAX      8192                 /* of a token: more than a server of ours takes */
#define OAUTH_TEXT_MAX       2048                 /* of an address, an id or a code */
#define OAUTH_ISSUERS_MAX    16
#define OAUTH_SECRET_CHARS   43 /* 32 bytes as base64url */

/* ---- a server's 401 ------------------------------------------------------------------------- */

struct oauth_challenge {
    bool bearer;          /* is there one of this scheme? The first one counts */
    const char *metadata; /* resource_metadata; NULL: not said */
    const char *scope;    /* NULL: not said */
};

/* The values of WWW-Authenticate (RFC 9110, 11.6.1), several with commas between. */
bool mgi_oauth_challenge_read(struct arena *a, struct str header, struct oauth_challenge *out,
                              struct buf *why);

/* ---- metadata ------------------------------------------------------------------------------- */

struct oauth_resource {
    const char *resource;
    const char *issuer; /* the first one */
};

/* The metadata of what is at `address`: its resource has to cover that. */
bool mgi_oauth_resource_read(struct arena *a, struct str text, const char *address,
                             struct oauth_resource *out, struct buf *why);

#define OAUTH_WELL_KNOWN 3 /* places where an issuer's metadata may be */

/* The nth of them: as of RFC 8414, then as of OpenID Connect, with the issuer's path behind or in
 * front. False: there is none (an issuer without a path has two), and *out is as before. */
bool mgi_oauth_put_well_known(struct buf *out, const char *issuer, unsigned n);

struct oauth_issuer {
    const char *issuer, *authorize, *token;
    const char *registration; /* NULL: clients cannot register themselves */
    bool names_itself;        /* in every redirect (RFC 9207) */
};

/* The metadata of `issuer`, which it has to name; with PKCE by S256. */
bool mgi_oauth_issuer_read(struct arena *a, struct str text, const char *issuer,
                           struct oauth_issuer *out, struct buf *why);

/* ---- registration --------------------------------------------------------------------------- */

void mgi_oauth_put_registration(struct buf *out, const char *redirect, const char *scope);

/* NULL: `why`. A client with a secret is refused: a program on a person's machine keeps none. */
const char *mgi_oauth_registration_read(struct arena *a, int status, struct str text,
                                        struct buf *why);

/* ---- the browser ---------------------------------------------------------------------------- */

/* One attempt to log in: what only the two ends of it know. */
struct oauth_attempt {
    const struct oauth_issuer *issuer;
    const char *client_id, *resource;
    const char *scope;    /* NULL: what the issuer thinks fit */
    const char *redirect; /* "http://127.0.0.1:49152/callback" */
    char verifier[OAUTH_SECRET_CHARS + 1], state[OAUTH_SECRET_CHARS + 1]; /* random */
};

/* The address that a person opens. */
void mgi_oauth_put_authorization(struct buf *out, const struct oauth_attempt *t);

enum oauth_redirect {
    OAUTH_ELSEWHERE, /* not the path of the redirect: a browser asks for icons, too */
    OAUTH_STRANGER,  /* does not know the state: of somebody else, or of another attempt */
    OAUTH_REFUSED,   /* no code came: `why` */
    OAUTH_CODE,
    OAUTH_NOMEM
};

/* What a browser asks for: path and query, as it sent them. */
enum oauth_redirect mgi_oauth_redirect_read(struct arena *a, const struct oauth_attempt *t,
                                            struct str target, const char **code, struct buf *why);

/* ---- tokens --------------------------------------------------------------------------------- */

/* Forms for the token endpoint. */
void mgi_oauth_put_exchange(struct buf *out, const struct oauth_attempt *t, const char *code);
void mgi_oauth_put_refresh(struct buf *out, const char *client_id, const char *resource,
                           const char *refresh);

struct oauth_token {
    const char *access;
    const char *refresh; /* NULL: there is none, or the one before stays */
    int64_t lasts_s;     /* -1: not said */
};

/* The answer of a token endpoint, with its status. */
bool mgi_oauth_token_read(struct arena *a, int status, struct str text, struct oauth_token *out,
                          struct buf *why);

/* When it ends, since 1970, if it came at `now_s`; 0: not known. */
int64_t mgi_oauth_ends_s(const struct oauth_token *token, int64_t now_s);

/* Does the answer say that the grant itself is over (invalid_grant, invalid_client…), so that
 * nothing but another login helps? */
bool mgi_oauth_grant_is_over(int status, struct str text);

#endif
