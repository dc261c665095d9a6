/* Open addressing with linear probing, at most three quarters full. Hashes are kept beside the
 * keys, so growing hashes nothing and most misses compare no key. There is no removal. */
#include "base/strmap.h"

#include <string.h>

#include "base/alloc.h"

struct strmap_slot {
    char *key; /* NULL: free */
    size_t len;
    uint64_t hash;
    uint32_t value;
};

void mgi_strmap_init(struct strmap *m)
{
    /* The address is as random as the loader makes it; no output depends on it. */
    *m = (struct strmap){ .seed = (uint64_t)(uintptr_t)m };
}

void mgi_strmap_fini(struct strmap *m)
{
    for (size_t i = 0; i < m->cap; i++)
        mgi_free(m->slots[i].key);
    mgi_free(m->slots);
    *m = (struct strmap){ 0 };
}

/* The slot that holds `key`, or the free one where it belongs. */
static struct strmap_slot *find_slot(const struct strmap *m, struct str key, uint64_t hash)
{
    size_t at = (size_t)hash & (m->cap - 1);
    for (;; at = (at + 1) & (m->cap - 1)) {
        struct strmap_slot *slot = &m->slots[at];
        if (!slot->key)
            return slot;
        if (slot->hash == hash && str_eq((struct str){ slot->key, slot->len }, key))
            return slot;
    }
}

static bool grow_slots(struct strmap *m)
{
    size_t cap = m->cap ? m->cap * 2 : 16;
    struct strmap_slot *slots = mgi_calloc(cap, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < m->cap; i++) {
        if (!m->slots[i].key)
            continue;
        size_t at = (size_t)m->slots[i].hash & (cap - 1);
        while (slots[at].key)
            at = (at + 1) & (cap - 1);
        slots[at] = m->slots[i];
    }
    mgi_free(m->slots);
    m->slots = slots;
    m->cap = cap;
    return true;
}

bool mgi_strmap_get(const struct strmap *m, struct str key, uint32_t *value)
{
    if (m->count == 0)
        return false;
    const struct strmap_slot *slot = find_slot(m, key, mgi_hash_bytes(key.ptr, key.len, m->seed));
    if (!slot->key)
        return false;
    if (value)
        *value = slot->value;
    return true;
}

bool mgi_strmap_put(struct strmap *m, struct str key, uint32_t value)
{
    uint64_t hash = mgi_hash_bytes(key.ptr, key.len, m->seed);
    if (m->cap) {
        struct strmap_slot *found = find_slot(m, key, hash);
        if (found->key) {
            found->value = value;
            return true;
        }
    }
    char *copy = mgi_alloc(key.len);
    if (!copy)
        return false;
    if ((m->count + 1) * 4 > m->cap * 3 && !grow_slots(m)) {
        mgi_free(copy);
        return false;
    }
    if (key.len)
        memcpy(copy, key.ptr, key.len);
    struct strmap_slot *slot = find_slot(m, key, hash);
    *slot = (struct strmap_slot){ .key = copy, .len = key.len, .hash = hash, .value = value };
    m->count++;
    return true;
}
