/* Access tokens of another issuer -> principals: JSON Web Tokens (RFC 7519, 9068), judged here with
 * the issuer's keys, and what an issuer says of an opaque token (RFC 7662).
 *
 * A token is judged by what is configured, never by what it says of itself: the algorithm is the
 * key's, and a header that brings or names its own key (jwk, jku, x5c, x5u) or demands what is not
 * known here (crit) is refused. Pure functions: any thread may call them. */
#ifndef MGI_SECURITY_JWT_H
#define MGI_SECURITY_JWT_H

#include "security/jwks.h"
#include "security/principal.h"

#define JWT_MAX_BYTES           ((size_t)8 * 1024)
#define JWT_KEYS_TRIED          16 /* of its algorithm, for a token that names no key */
#define INTROSPECTION_MAX_BYTES ((size_t)64 * 1024)

/* What tokens have to say, and how their claims are read; borrowed. */
struct jwt_rules {
    const char *issuer;   /* `iss`, exactly */
    const char *audience; /* `aud` is, or has, exactly this */
    int64_t skew_ns;      /* by which clocks may differ: for `exp` and `nbf` */
    /* Claims: NULL means the default. */
    const char *identity; /* who it stands for: "sub" */
    /* What an identity begins with, so that nobody an issuer names is taken for somebody this
     * server knows by other means; NULL: the issuer and '#'. */
    const char *identity_prefix;
    const char *permissions; /* words separated by blanks, or a list: "scope" */
    const char *prefix;      /* only those that begin so count, and lose it; NULL: all count */
    const char *trust; /* a claim that is "automated" for programs by themselves; NULL: none */
};

enum jwt_verdict {
    JWT_GOOD,
    JWT_MALFORMED, /* it is no token of this kind */
    JWT_REFUSED,   /* its header asks for what is not done here: an algorithm, a key of its own */
    JWT_NO_KEY,    /* no key has its id: there may be a newer set */
    JWT_FORGED,    /* the signature does not fit */
    JWT_FOREIGN,   /* another issuer's, or for another audience */
    JWT_BOUND,     /* to a key or a certificate, of which nothing proves possession here */
    JWT_EXPIRED,
    JWT_EARLY,
    JWT_NAMELESS, /* it does not say who it stands for */
    JWT_INACTIVE, /* the issuer does not stand for it (any more) */
    JWT_NOMEM
};

/* The issuer whose tokens a server takes, beside its own. Borrowed, all of it. */
struct issuer {
    struct jwt_rules rules;
    const char *keys_url;      /* where its key set is fetched; NULL: nowhere */
    bool keys_given;           /* they come from a file */
    const char *introspection; /* where it is asked about opaque tokens; NULL: nowhere */
    const char *basic;         /* "id:secret", who asks; or NULL */
    const char *ca_file;       /* PEM: for both; NULL: the system's authorities */
    int64_t timeout_ms;        /* that it may take to answer */
    int64_t remembered_ms;     /* an answer about an opaque token */
    const char *resource;      /* the URI by which it knows this server */
    const char *token_url;     /* where clients get tokens */
};

/* Has it the look of a JWT: three parts, no longer than JWT_MAX_BYTES? */
bool mgi_jwt_looks_like_one(struct str token);

/* *out: a principal with one reference, which expires with the token (and the skew); NULL unless
 * JWT_GOOD. `keys` NULL has none. Constant memory but for the token's own. */
enum jwt_verdict mgi_jwt_judge(const struct jwt_rules *rules, const struct jwks *keys,
                               struct str token, int64_t now_ns, struct principal **out);

/* The same by the issuer's answer about a token, whose audience and end it need not name. */
enum jwt_verdict mgi_introspection_judge(const struct jwt_rules *rules, struct str answer,
                                         int64_t now_ns, struct principal **out);

#endif
