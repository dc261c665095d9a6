/* Who is calling, as the rest of the server sees it. Immutable once made; lives in the arena of the
 * connection or request that made it. */
#ifndef MGI_SECURITY_PRINCIPAL_H
#define MGI_SECURITY_PRINCIPAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum principal_kind {
    PRINCIPAL_ANONYMOUS, /* open demo mode: effects "none" only (D-54) */
    PRINCIPAL_LOCAL,     /* stdio without a token: trusted, unrestricted */
    PRINCIPAL_KNOWN      /* authenticated */
};

struct principal {
    enum principal_kind kind;
    struct str identity;           /* "" for anonymous, "local" for local */
    const struct str *permissions; /* "intent:*", "intent:observe", "operator", … */
    size_t permission_count;
    bool automated;                 /* trust_level "automated" (D-68) */
    const struct str *auto_confirm; /* effects waived for this principal */
    size_t auto_confirm_count;
    int64_t expires_ns; /* real time; INT64_MAX: never */
};

/* The key under which tool definitions and confirmations are kept: kind and identity (D-42). */
struct str mgi_principal_key(const struct principal *p);

#endif
