/* The heap, wrapped. The helpers built on these functions live in alloc_array.c: the linker's
 * --wrap replaces only calls that cross from one object file to another, and a test must be able
 * to fail those calls too. */
#include "base/alloc.h"

#include <stdlib.h>

/* Size 0 becomes 1, so that NULL always means "no memory". */
static size_t at_least_one(size_t size)
{
    return size ? size : 1;
}

void *mgi_alloc(size_t size)
{
    return malloc(at_least_one(size));
}

void *mgi_realloc(void *p, size_t size)
{
    return realloc(p, at_least_one(size));
}

void mgi_free(void *p)
{
    free(p);
}
