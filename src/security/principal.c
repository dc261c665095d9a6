/* The key of a principal: what separates one caller's tools from another's (D-42). */
#include "security/principal.h"

/* An identity never holds control characters (auth.c), so these are nobody's identity. */
struct str mgi_principal_key(const struct principal *p)
{
    switch (p->kind) {
    case PRINCIPAL_KNOWN:
        return p->identity;
    case PRINCIPAL_LOCAL:
        return STR_LIT("\x01local");
    default:
        return STR_LIT("\x01"
                       "anonymous");
    }
}
