/* Randomness from the kernel: getrandom(2) blocks only until the pool is seeded at boot. */
#include "sys/random.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

bool mgi_random(void *out, size_t len)
{
    unsigned char *p = out;
    while (len) {
        ssize_t got = getrandom(p, len, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        len -= (size_t)got;
    }
    return true;
}
