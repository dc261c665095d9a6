/* Who is calling, as the rest of the server sees it.
 *
 * Immutable and counted: whoever keeps one (a peer, a request, a window of its rate) holds a
 * reference, so the credentials that made it may be exchanged while it is in use. Any thread may
 * read, ref and unref one that it holds.
 *
 * A *caller* is a kind and an identity: its requests are counted and take turns together, with
 * whichever credential they come. A *principal* is a caller with what it may do: what one was shown
 * is not there for another, also where both are the same caller. Of anonymous callers nothing is
 * known but where they come from, which takes the place of the identity. */
#ifndef MGI_SECURITY_PRINCIPAL_H
#define MGI_SECURITY_PRINCIPAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define PRINCIPAL_KEY_MARK '\x1f' /* in a key, between the caller and what is its own */

enum principal_kind {
    PRINCIPAL_ANONYMOUS, /* open demo mode: effects "none" only (D-54) */
    PRINCIPAL_LOCAL,     /* stdio without a token: trusted, unrestricted */
    PRINCIPAL_KNOWN      /* authenticated */
};

struct principal {
    atomic_uint refs; /* 0: not counted, because it lives as long as anybody (a constant) */
    enum principal_kind kind;
    struct str identity;           /* "" for anonymous, "local" for local */
    const struct str *permissions; /* "intent:*", "intent:observe", "operator", … */
    size_t permission_count;
    bool automated;                 /* trust_level "automated" (D-68) */
    const struct str *auto_confirm; /* effects waived for this principal */
    size_t auto_confirm_count;
    int64_t not_before_ns;    /* real time; the credential counts from then on */
    int64_t expires_ns;       /* INT64_MAX: never */
    struct str confirm_key;   /* with it the user's program answers challenges; len 0: none */
    bool makes_confirmations; /* and makes tokens that answer none: the specification's own form */
    struct str credential;    /* kind and digest of what it logged in with; len 0: nothing */
    bool by_certificate;      /* it is a client's certificate, which has an end of its own */
    struct str issuer;        /* who vouches for the identity; len 0: this server's token file */
    struct str key;           /* made by mgi_principal_new(); not looked at in what it is given */
    size_t caller_len;        /* of the key, what names the caller */
};

extern const struct principal mgi_principal_local, mgi_principal_anonymous;

/* A counted copy of `fields` (whose refs, key and caller_len do not matter) and of everything it
 * points to, with one reference. NULL when memory is short. */
struct principal *mgi_principal_new(const struct principal *fields);

/* An anonymous principal of its own: `origin` is where it comes from, an address; `session` tells
 * apart those that have one ("": it has none). Neither has control characters. NULL when memory is
 * short. */
struct principal *mgi_principal_stranger(struct str origin, struct str session);

/* NULL is fine for both. The last unref frees it. */
const struct principal *mgi_principal_ref(const struct principal *p);
void mgi_principal_unref(const struct principal *p);

/* The key under which tool definitions, outcomes and confirmations are kept (D-42): the caller, a
 * byte 0x1f, and a digest of the set of permissions, the trust and the issuer; so another
 * credential of the same caller finds them if it may do exactly the same. Borrowed from `p`. */
struct str mgi_principal_key(const struct principal *p);

/* What names the caller. Borrowed from `p`. */
struct str mgi_principal_caller(const struct principal *p);

/* The same principal? And the same caller? */
bool mgi_principal_is(const struct principal *a, const struct principal *b);
bool mgi_principal_is_caller(const struct principal *a, const struct principal *b);

/* Has it this permission, word by word? NULL has none. What its kind may besides is not asked. */
bool mgi_principal_may(const struct principal *p, const char *permission);

/* May it be told why, in more than what it asked for? A local caller, and by the permission
 * why_not. */
bool mgi_principal_may_ask_why(const struct principal *p);

/* Has the credential behind it run out? The only place that says so. */
bool mgi_principal_expired(const struct principal *p, int64_t now_ns);

#endif
