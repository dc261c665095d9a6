/* Arrays on the heap: zeroed ones and growing ones. Apart from alloc.c, see there. */
#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

#define FIRST_CAP                                                                                  \
    8 /* elements: small enough to waste, large enough to skip the first doublings                 \
       */

#define LARGEST ((size_t)PTRDIFF_MAX) /* bytes of an object, by the rules of the language */

void *mgi_calloc(size_t count, size_t size)
{
    if (size && count > LARGEST / size)
        return NULL;
    void *p = mgi_alloc(count * size);
    if (p)
        memset(p, 0, count * size);
    return p;
}

bool mgi_grow(void *items, size_t *cap, size_t need, size_t elem)
{
    if (need <= *cap)
        return true;
    size_t more = *cap > LARGEST - *cap / 2 ? LARGEST : *cap + *cap / 2;
    if (more < FIRST_CAP)
        more = FIRST_CAP;
    if (more < need)
        more = need;
    if (elem && more > LARGEST / elem)
        return false;

    /* The caller's pointer has a type we do not know: copied bytewise, it breaks no aliasing rule.
     */
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = mgi_realloc(old, more * elem);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *cap = more;
    return true;
}
