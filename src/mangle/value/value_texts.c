/* Many texts made values together. To find one is to read a slot, then its entry, then its text,
 * and each is a line of memory that is in no cache when there are many; so the lines of those to
 * come are fetched, a step further for each of three groups ahead. */
#include "mangle/value/value_int.h"

#define GROUP ((size_t)8) /* texts from one step to the next */
#define RING  (4 * GROUP) /* that are under way */

struct text_ring {
    struct value_candidate candidates[RING];
    uint32_t hashes[RING];
};

/* The slot where looking begins; in the shared table if there are two, which has most. */
static const struct value_slot *first_slot(const mangle_values *t, uint32_t hash)
{
    const mangle_values *shared = t->shared;
    return shared->slot_cap ? &shared->slots[hash & (shared->slot_cap - 1)] : NULL;
}

static const struct value_entry *first_entry(const mangle_values *t, uint32_t hash)
{
    const struct value_slot *s = first_slot(t, hash);
    return s && s->value != MANGLE_NONE && s->hash == hash ? &t->shared->entries[s->value] : NULL;
}

static void begin_text(const mangle_values *t, struct text_ring *ring, size_t i,
                       const struct mangle_text *text)
{
    struct value_candidate *c = &ring->candidates[i % RING];
    *c = (struct value_candidate){ .entry = { .shape = text->kind,
                                              .count = (uint32_t)text->len,
                                              .text = text->text,
                                              .hash = mgi_hash_bytes(text->text, text->len, 0) } };
    ring->hashes[i % RING] = mgi_value_content_hash(c);
    const struct value_slot *slot = first_slot(t, ring->hashes[i % RING]);
    if (slot)
        __builtin_prefetch(slot);
}

static void fetch_entry(const mangle_values *t, const struct text_ring *ring, size_t i)
{
    const struct value_entry *e = first_entry(t, ring->hashes[i % RING]);
    if (e)
        __builtin_prefetch(e);
}

static void fetch_text(const mangle_values *t, const struct text_ring *ring, size_t i)
{
    const struct value_entry *e = first_entry(t, ring->hashes[i % RING]);
    if (e && entry_kind(e) <= MANGLE_BYTES)
        __builtin_prefetch(e->text);
}

static mangle_value end_text(mangle_values *t, const struct text_ring *ring, size_t i,
                             const struct mangle_text *text)
{
    if (text->kind == MANGLE_NAME && !mgi_values_string_ok((struct str){ text->text, text->len }))
        return MANGLE_NONE;
    if (text->len >= UINT32_MAX)
        return mgi_values_fail(t, VALUES_LIMIT);
    return mgi_values_intern_hashed(t, &ring->candidates[i % RING], ring->hashes[i % RING]);
}

void mangle_texts(mangle_values *t, const struct mangle_text *texts, size_t count)
{
    struct text_ring ring;
    for (size_t i = 0; i < count + 3 * GROUP; i++) {
        if (i < count)
            begin_text(t, &ring, i, &texts[i]);
        if (i >= GROUP && i - GROUP < count)
            fetch_entry(t, &ring, i - GROUP);
        if (i >= 2 * GROUP && i - 2 * GROUP < count)
            fetch_text(t, &ring, i - 2 * GROUP);
        if (i >= 3 * GROUP)
            *texts[i - 3 * GROUP].out = end_text(t, &ring, i - 3 * GROUP, &texts[i - 3 * GROUP]);
    }
}
