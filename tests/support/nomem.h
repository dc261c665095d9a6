/* Makes the nth allocation fail. Linked into tests named *_nomem.c, which wrap mgi_alloc and
 * mgi_realloc (mgi_calloc, arenas and buffers go through them).
 *
 *     for (size_t n = 1; ; n++) {
 *         nomem_fail_at(n);
 *         status = thing_new(&thing);
 *         if (!nomem_failed()) { nomem_fail_at(0); thing_free(thing); break; }
 *         assert_int_equal(status, MANGLE_ERR_NOMEM);   // right status, nothing left alive
 *         assert_null(thing);
 *     }
 */
#ifndef TEST_SUPPORT_NOMEM_H
#define TEST_SUPPORT_NOMEM_H

#include <stdbool.h>
#include <stddef.h>

void nomem_fail_at(
    size_t n);           /* the nth allocation from now fails, and all after it succeed; 0: none */
bool nomem_failed(void); /* since the last nomem_fail_at() */

#endif
