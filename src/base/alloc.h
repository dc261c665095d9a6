/* The one door to the heap. Every allocation of the project goes through these three functions, so
 * a test can make any one of them fail (tests/support/nomem.h wraps them at link time).
 *
 * No function here touches errno or prints. Sizes are bytes; size 0 is allowed and yields a pointer
 * that may be freed. Thread-safe. */
#ifndef MGI_BASE_ALLOC_H
#define MGI_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Uninitialised memory, or NULL. */
void *mgi_alloc(size_t size);

/* Like realloc: on failure returns NULL and `p` stays valid. */
void *mgi_realloc(void *p, size_t size);

/* Zeroed memory for `count` items of `size` bytes, or NULL (also when the product overflows). */
void *mgi_calloc(size_t count, size_t size);

void mgi_free(void *p); /* NULL is fine */

/* Make room in `*items`, an array of `*cap` elements of `elem` bytes, for at least `need` elements,
 * growing by half as much again. False when memory is short: nothing has changed then. */
bool mgi_grow(void *items, size_t *cap, size_t need, size_t elem);

#endif
