/* A hash table from strings to 32-bit numbers, open addressing, keys copied. Not ordered: never
 * iterate it for output. Heap memory; not thread-safe while it changes. */
#ifndef MGI_BASE_STRMAP_H
#define MGI_BASE_STRMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct strmap_slot;
struct strmap {
    struct strmap_slot *slots;
    size_t count;
    size_t cap;    /* 0 or a power of two */
    uint64_t seed; /* differs from run to run, so nobody can prepare keys that collide */
};

void mgi_strmap_init(struct strmap *m);
void mgi_strmap_fini(struct strmap *m);
bool mgi_strmap_get(const struct strmap *m, struct str key, uint32_t *value);

/* Adds or replaces. False when memory is short; nothing has changed then. */
bool mgi_strmap_put(struct strmap *m, struct str key, uint32_t value);

#endif
