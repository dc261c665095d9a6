/* Tool definitions and spent nonces in memory: one hash table under one lock.
 *
 *   definition kept  --keep_until-->  marker ("expired")  --5 minutes-->  gone
 *        `--- room is short, least recently used ------------------------^
 *
 * 1. Every item is in the table; those with a definition are also in the list, newest first.
 * 2. `bytes` is what all items take; only definitions are given up for room, nonces never: a nonce
 *    forgotten early could be used twice.
 * put, get and spend cost O(1); a sweep over all items runs at most once a minute of caller time.
 */
#include "store/macro_store.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/time.h"

#define MARKER_NS   (300 * NS_PER_SEC) /* D-42 */
#define SWEEP_NS    (60 * NS_PER_SEC)
#define FIRST_SLOTS 256

struct item {
    struct item *chain; /* in its slot */
    struct item *newer, *older;
    uint64_t hash;
    char *definition; /* NULL: a marker, or a nonce */
    size_t definition_len;
    int64_t not_before_ns, expires_ns;
    int64_t keep_until_ns;
    int64_t gone_after_ns;
    size_t key_len;
    char key[]; /* 'm', length of the principal, principal, macro_id; or 'n', nonce */
};

struct macro_store {
    pthread_mutex_t lock;
    struct item **slots;
    size_t slot_count, item_count;
    struct item *newest, *oldest;
    size_t bytes, max_bytes;
    int64_t next_sweep_ns;
};

struct macro_store *mgi_macro_store_memory(size_t max_bytes)
{
    struct macro_store *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->slots = mgi_calloc(FIRST_SLOTS, sizeof(struct item *));
    s->slot_count = FIRST_SLOTS;
    s->max_bytes = max_bytes;
    s->next_sweep_ns = INT64_MIN;
    if (!s->slots || pthread_mutex_init(&s->lock, NULL) != 0) {
        mgi_free(s->slots);
        mgi_free(s);
        return NULL;
    }
    return s;
}

static size_t item_bytes(const struct item *i)
{
    return sizeof *i + i->key_len + i->definition_len;
}

static int64_t later(int64_t ns, int64_t by)
{
    int64_t sum;
    return __builtin_add_overflow(ns, by, &sum) ? INT64_MAX : sum;
}

/* ---- the list of definitions ----------------------------------------------------------------- */

static void list_remove(struct macro_store *s, struct item *i)
{
    if (i->newer)
        i->newer->older = i->older;
    else if (s->newest == i)
        s->newest = i->older;
    if (i->older)
        i->older->newer = i->newer;
    else if (s->oldest == i)
        s->oldest = i->newer;
    i->newer = i->older = NULL;
}

static void list_add(struct macro_store *s, struct item *i)
{
    i->older = s->newest;
    if (s->newest)
        s->newest->newer = i;
    s->newest = i;
    if (!s->oldest)
        s->oldest = i;
}

static void drop_definition(struct macro_store *s, struct item *i)
{
    if (!i->definition)
        return;
    list_remove(s, i);
    s->bytes -= i->definition_len;
    mgi_free(i->definition);
    i->definition = NULL;
    i->definition_len = 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct item **slot_of(const struct macro_store *s, uint64_t hash)
{
    return &s->slots[hash & (s->slot_count - 1)];
}

static void drop_item(struct macro_store *s, struct item *i)
{
    drop_definition(s, i);
    struct item **link = slot_of(s, i->hash);
    while (*link != i)
        link = &(*link)->chain;
    *link = i->chain;
    s->bytes -= item_bytes(i);
    s->item_count--;
    mgi_free(i);
}

static void grow_slots(struct macro_store *s)
{
    struct item **old = s->slots;
    size_t old_count = s->slot_count;
    struct item **slots = mgi_calloc(old_count * 2, sizeof(struct item *));
    if (!slots)
        return; /* longer chains, nothing worse */
    s->slots = slots;
    s->slot_count = old_count * 2;
    for (size_t k = 0; k < old_count; k++)
        while (old[k]) {
            struct item *i = old[k];
            old[k] = i->chain;
            i->chain = *slot_of(s, i->hash);
            *slot_of(s, i->hash) = i;
        }
    mgi_free(old);
}

/* A key in up to three parts, so that looking up copies nothing. */
struct key {
    char kind;
    struct str principal, rest;
    uint64_t hash;
    size_t len;
};

static struct key key_of(const struct macro_store *s, char kind, struct str principal,
                         struct str rest)
{
    struct key k = { kind, principal, rest, (uint64_t)(uintptr_t)s ^ (uint64_t)kind, 0 };
    k.hash = mgi_hash_bytes(principal.ptr, principal.len, k.hash);
    k.hash = mgi_hash_bytes(rest.ptr, rest.len, k.hash + principal.len);
    k.len = 1 + sizeof principal.len + principal.len + rest.len;
    return k;
}

static void key_write(const struct key *k, char *out)
{
    *out++ = k->kind;
    memcpy(out, &k->principal.len, sizeof k->principal.len);
    out += sizeof k->principal.len;
    if (k->principal.len > 0)
        memcpy(out, k->principal.ptr, k->principal.len);
    if (k->rest.len > 0)
        memcpy(out + k->principal.len, k->rest.ptr, k->rest.len);
}

static bool key_equal(const struct key *k, const struct item *i)
{
    const char *p = i->key + 1 + sizeof k->principal.len;
    return i->hash == k->hash && i->key_len == k->len && i->key[0] == k->kind &&
           memcmp(i->key + 1, &k->principal.len, sizeof k->principal.len) == 0 &&
           str_eq((struct str){ p, k->principal.len }, k->principal) &&
           str_eq((struct str){ p + k->principal.len, k->rest.len }, k->rest);
}

static struct item *find(const struct macro_store *s, const struct key *k)
{
    struct item *i = *slot_of(s, k->hash);
    while (i && !key_equal(k, i))
        i = i->chain;
    return i;
}

static struct item *add(struct macro_store *s, const struct key *k)
{
    struct item *i = mgi_calloc(1, sizeof *i + k->len);
    if (!i)
        return NULL;
    if (s->item_count >= s->slot_count)
        grow_slots(s);
    i->hash = k->hash;
    i->key_len = k->len;
    key_write(k, i->key);
    i->chain = *slot_of(s, k->hash);
    *slot_of(s, k->hash) = i;
    s->item_count++;
    s->bytes += item_bytes(i);
    return i;
}

static void sweep(struct macro_store *s, int64_t now_ns)
{
    if (now_ns < s->next_sweep_ns)
        return;
    s->next_sweep_ns = later(now_ns, SWEEP_NS);
    for (size_t k = 0; k < s->slot_count; k++)
        for (struct item *i = s->slots[k], *next; i; i = next) {
            next = i->chain;
            if (now_ns > i->gone_after_ns)
                drop_item(s, i);
            else if (now_ns > i->keep_until_ns)
                drop_definition(s, i);
        }
}

static void make_room(struct macro_store *s, const struct item *but)
{
    while (s->max_bytes > 0 && s->bytes > s->max_bytes && s->oldest && s->oldest != but)
        drop_item(s, s->oldest);
}

/* ---- the interface ------------------------------------------------------------------------- */

static bool put_locked(struct macro_store *s, const struct key *k, const struct macro_entry *entry,
                       int64_t now_ns, int64_t keep_until_ns)
{
    char *definition = mgi_alloc(entry->definition.len + 1);
    if (!definition)
        return false;
    struct item *i = find(s, k);
    if (!i)
        i = add(s, k);
    if (!i) {
        mgi_free(definition);
        return false;
    }
    drop_definition(s, i);
    if (entry->definition.len > 0)
        memcpy(definition, entry->definition.ptr, entry->definition.len);
    i->definition = definition;
    i->definition_len = entry->definition.len;
    i->not_before_ns = entry->not_before_ns;
    i->expires_ns = entry->expires_ns;
    i->keep_until_ns = keep_until_ns;
    i->gone_after_ns = later(keep_until_ns > now_ns ? keep_until_ns : now_ns, MARKER_NS);
    s->bytes += i->definition_len;
    list_add(s, i);
    make_room(s, i);
    return true;
}

bool mgi_macro_store_put(struct macro_store *s, struct str principal, struct str macro_id,
                         const struct macro_entry *entry, int64_t now_ns, int64_t keep_until_ns)
{
    struct key k = key_of(s, 'm', principal, macro_id);
    pthread_mutex_lock(&s->lock);
    sweep(s, now_ns);
    bool kept = put_locked(s, &k, entry, now_ns, keep_until_ns);
    pthread_mutex_unlock(&s->lock);
    return kept;
}

static enum macro_found get_locked(struct macro_store *s, struct item *i, int64_t now_ns,
                                   struct arena *arena, struct macro_entry *out)
{
    if (!i || now_ns > i->gone_after_ns)
        return MACRO_NOT_FOUND;
    if (now_ns > i->keep_until_ns)
        return MACRO_EXPIRED;
    struct str copy = mgi_arena_str(arena, (struct str){ i->definition, i->definition_len });
    if (!copy.ptr)
        return MACRO_NOT_FOUND; /* short of memory: the client evaluates again */
    *out = (struct macro_entry){ copy, i->not_before_ns, i->expires_ns };
    list_remove(s, i);
    list_add(s, i);
    return MACRO_FOUND;
}

enum macro_found mgi_macro_store_get(struct macro_store *s, struct str principal,
                                     struct str macro_id, int64_t now_ns, struct arena *arena,
                                     struct macro_entry *out)
{
    struct key k = key_of(s, 'm', principal, macro_id);
    pthread_mutex_lock(&s->lock);
    enum macro_found found = get_locked(s, find(s, &k), now_ns, arena, out);
    pthread_mutex_unlock(&s->lock);
    return found;
}

bool mgi_macro_store_spend(struct macro_store *s, struct str nonce, int64_t now_ns,
                           int64_t until_ns)
{
    struct key k = key_of(s, 'n', (struct str){ 0 }, nonce);
    pthread_mutex_lock(&s->lock);
    sweep(s, now_ns);
    struct item *i = find(s, &k);
    bool first = !i || now_ns > i->gone_after_ns;
    if (!i)
        i = add(s, &k);
    if (i && first)
        i->keep_until_ns = i->gone_after_ns = until_ns;
    pthread_mutex_unlock(&s->lock);
    return i && first; /* what could not be remembered was not spent */
}

size_t mgi_macro_store_bytes(struct macro_store *s)
{
    pthread_mutex_lock(&s->lock);
    size_t bytes = s->bytes;
    pthread_mutex_unlock(&s->lock);
    return bytes;
}

void mgi_macro_store_free(struct macro_store *s)
{
    if (!s)
        return;
    for (size_t k = 0; k < s->slot_count; k++)
        while (s->slots[k])
            drop_item(s, s->slots[k]);
    pthread_mutex_destroy(&s->lock);
    mgi_free(s->slots);
    mgi_free(s);
}
