/* The place of a domain's snapshot in the user's cache. */
#include "service/snapshot_place.h"

#include <stdlib.h>

#include "base/encode.h"
#include "service/environment.h"
#include "sys/digest.h"

#define ID_BYTES 16

/* The XDG base directory specification: a relative one is to be ignored. */
static const char *folder_of(const char *const *environment, const char *variable)
{
    const char *value = mgi_environment_get(environment, variable);
    return value && value[0] == '/' ? value : NULL;
}

bool mgi_snapshot_place(const char *const *environment, const char *domain, struct buf *out)
{
    const char *cache = folder_of(environment, "XDG_CACHE_HOME");
    const char *home = folder_of(environment, "HOME");
    char *whole = cache || home ? realpath(domain, NULL) : NULL;
    uint8_t digest[SHA256_BYTES];
    char id[2 * ID_BYTES + 1];
    bool known = whole && mgi_sha256(whole, strlen(whole), digest);
    free(whole);
    if (!known)
        return false;
    mgi_hex(digest, ID_BYTES, id);
    mgi_buf_printf(out, "%s%s/manglecp/%s.snapshot", cache ? cache : home, cache ? "" : "/.cache",
                   id);
    return !out->oom;
}
