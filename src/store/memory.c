/* A store in memory: one hash table under one lock.
 *
 *   definition kept  --keep_until-->  marker ("expired")  --5 minutes-->  gone
 *        `--- room is short, least recently used ------------------------^
 *   nonce spent      --until----------------------------------------------> gone
 *   outcome begun    --ended-->  kept  --10 minutes-----------------------> gone
 *
 * 1. Every item is in the table; definitions are also in the list, newest first.
 * 2. `bytes` is what all items take; only definitions are given up for room. A nonce forgotten
 * early could be spent twice, an outcome forgotten early would run twice.
 * 3. What was begun and has not ended never goes: somebody is still to end it.
 * 4. A nonce that is not in the table, and was issued up to `forgotten_ns`, may have been spent.
 * Every operation costs O(1); a sweep over all items runs at most once a minute of caller time.
 */
#include "store/store_int.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/time.h"

#define FIRST_SLOTS 256

enum item_state {
    ITEM_KEPT,  /* a definition, a nonce, an outcome that has ended */
    ITEM_BEGUN, /* an outcome that is awaited: gone_after_ns does not count */
    ITEM_LOST   /* an outcome that could not be kept */
};

struct item {
    struct item *chain; /* in its slot */
    struct item *newer, *older;
    uint64_t hash;
    enum item_state state;
    char *value; /* a definition (NULL: a marker) or an outcome */
    size_t value_len;
    int64_t not_before_ns, expires_ns;
    int64_t keep_until_ns;
    int64_t gone_after_ns;
    int64_t issued_ns; /* of a nonce */
    uint8_t fingerprint[STORE_FINGERPRINT_MAX], fingerprint_len;
    size_t key_len;
    char key[]; /* 'm' or 'o', length of the principal, principal, macro_id or key; or 'n', nonce */
};

struct memory {
    pthread_mutex_t lock;
    struct item **slots;
    size_t slot_count, item_count;
    struct item *newest, *oldest; /* definitions */
    size_t bytes, max_bytes;
    int64_t last_sweep_ns;
    int64_t forgotten_ns; /* the newest nonce that was dropped was issued then */
};

static size_t item_bytes(const struct item *i)
{
    return sizeof *i + i->key_len + i->value_len;
}

/* ---- the list of definitions ----------------------------------------------------------------- */

static void list_remove(struct memory *s, struct item *i)
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

static void list_add(struct memory *s, struct item *i)
{
    i->older = s->newest;
    if (s->newest)
        s->newest->newer = i;
    s->newest = i;
    if (!s->oldest)
        s->oldest = i;
}

static bool is_definition(const struct item *i)
{
    return i->key[0] == 'm' && i->value;
}

static void drop_value(struct memory *s, struct item *i)
{
    if (!i->value)
        return;
    if (is_definition(i))
        list_remove(s, i);
    s->bytes -= i->value_len;
    mgi_free(i->value);
    i->value = NULL;
    i->value_len = 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct item **slot_of(const struct memory *s, uint64_t hash)
{
    return &s->slots[hash & (s->slot_count - 1)];
}

static void drop_item(struct memory *s, struct item *i)
{
    drop_value(s, i);
    struct item **link = slot_of(s, i->hash);
    while (*link != i)
        link = &(*link)->chain;
    *link = i->chain;
    s->bytes -= item_bytes(i);
    s->item_count--;
    mgi_free(i);
}

static void grow_slots(struct memory *s)
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

static struct key key_of(const struct memory *s, char kind, struct str principal, struct str rest)
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

static struct item *find(const struct memory *s, const struct key *k)
{
    struct item *i = *slot_of(s, k->hash);
    while (i && !key_equal(k, i))
        i = i->chain;
    return i;
}

static struct item *add(struct memory *s, const struct key *k)
{
    struct item *i = mgi_calloc(1, sizeof *i + k->len);
    if (!i)
        return NULL;
    if (s->item_count >= s->slot_count)
        grow_slots(s);
    i->hash = k->hash;
    i->gone_after_ns = INT64_MAX;
    i->key_len = k->len;
    key_write(k, i->key);
    i->chain = *slot_of(s, k->hash);
    *slot_of(s, k->hash) = i;
    s->item_count++;
    s->bytes += item_bytes(i);
    return i;
}

static bool is_over(const struct item *i, int64_t now_ns)
{
    return i->state != ITEM_BEGUN && now_ns > i->gone_after_ns;
}

/* What is over goes. Of nonces it stays known how old they were: the clock may go back. */
static void drop_over(struct memory *s, struct item *i)
{
    if (i->key[0] == 'n' && i->issued_ns > s->forgotten_ns)
        s->forgotten_ns = i->issued_ns;
    drop_item(s, i);
}

static void sweep(struct memory *s, int64_t now_ns)
{
    if (!mgi_store_sweep_is_due(s->last_sweep_ns, now_ns))
        return;
    s->last_sweep_ns = now_ns;
    for (size_t k = 0; k < s->slot_count; k++)
        for (struct item *i = s->slots[k], *next; i; i = next) {
            next = i->chain;
            if (is_over(i, now_ns))
                drop_over(s, i);
            else if (i->key[0] == 'm' && now_ns > i->keep_until_ns)
                drop_value(s, i);
        }
}

/* Give up definitions for `more` bytes. False: what may not be given up takes too much. */
static bool make_room(struct memory *s, size_t more, const struct item *but)
{
    if (s->max_bytes == 0)
        return true;
    while (s->bytes + more > s->max_bytes && s->oldest && s->oldest != but)
        drop_item(s, s->oldest);
    return s->bytes + more <= s->max_bytes;
}

/* The value of `i` becomes a copy of `text`. False when memory is short; the old one stays then. */
static bool set_value(struct memory *s, struct item *i, struct str text)
{
    char *copy = mgi_alloc(text.len + 1);
    if (!copy)
        return false;
    drop_value(s, i);
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    i->value = copy;
    i->value_len = text.len;
    s->bytes += text.len;
    if (is_definition(i))
        list_add(s, i);
    return true;
}

/* ---- definitions --------------------------------------------------------------------------- */

static enum store_status put_item(struct memory *s, const struct key *k, struct item *i,
                                  const struct macro_entry *entry, int64_t now_ns,
                                  int64_t keep_until_ns)
{
    bool fresh = !i;
    if (fresh)
        i = add(s, k);
    if (!i)
        return STORE_NOMEM;
    if (!set_value(s, i, entry->definition)) {
        if (fresh)
            drop_item(s, i);
        return STORE_NOMEM;
    }
    i->not_before_ns = entry->not_before_ns;
    i->expires_ns = entry->expires_ns;
    i->keep_until_ns = keep_until_ns;
    i->gone_after_ns =
        mgi_store_later(keep_until_ns > now_ns ? keep_until_ns : now_ns, STORE_MARKER_NS);
    make_room(s, 0, i); /* the newest stays, even alone beyond the bound */
    return STORE_OK;
}

static enum store_status put_locked(struct memory *s, const struct key *k,
                                    const struct macro_entry *entry, int64_t now_ns,
                                    int64_t keep_until_ns)
{
    struct item *i = find(s, k);
    struct macro_entry merged = *entry;
    struct arena arena;
    if (!entry->merge || !i || !i->value || now_ns > i->keep_until_ns)
        return put_item(s, k, i, entry, now_ns, keep_until_ns);
    struct macro_entry older = {
        { i->value, i->value_len }, i->not_before_ns, i->expires_ns, NULL
    };
    if (keep_until_ns < i->keep_until_ns)
        keep_until_ns = i->keep_until_ns;
    mgi_arena_init(&arena, 0);
    enum store_status status = entry->merge(&older, &arena, &merged)
                                   ? put_item(s, k, i, &merged, now_ns, keep_until_ns)
                                   : STORE_NOMEM;
    mgi_arena_fini(&arena);
    return status;
}

static enum store_status memory_macro_put(void *self, struct str principal, struct str macro_id,
                                          const struct macro_entry *entry, int64_t now_ns,
                                          int64_t keep_until_ns)
{
    struct memory *s = self;
    struct key k = key_of(s, 'm', principal, macro_id);
    pthread_mutex_lock(&s->lock);
    sweep(s, now_ns);
    enum store_status status = put_locked(s, &k, entry, now_ns, keep_until_ns);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static enum store_status get_locked(struct memory *s, struct item *i, int64_t now_ns,
                                    struct arena *arena, enum macro_found *found,
                                    struct macro_entry *out)
{
    *found = MACRO_NOT_FOUND;
    if (!i || is_over(i, now_ns))
        return STORE_OK;
    *found = MACRO_EXPIRED;
    if (now_ns > i->keep_until_ns || !i->value)
        return STORE_OK;
    struct str copy = mgi_arena_str(arena, (struct str){ i->value, i->value_len });
    if (!copy.ptr)
        return STORE_NOMEM;
    *out = (struct macro_entry){ copy, i->not_before_ns, i->expires_ns, NULL };
    *found = MACRO_FOUND;
    list_remove(s, i);
    list_add(s, i);
    return STORE_OK;
}

static enum store_status memory_macro_get(void *self, struct str principal, struct str macro_id,
                                          int64_t now_ns, struct arena *arena,
                                          enum macro_found *found, struct macro_entry *out)
{
    struct memory *s = self;
    struct key k = key_of(s, 'm', principal, macro_id);
    pthread_mutex_lock(&s->lock);
    enum store_status status = get_locked(s, find(s, &k), now_ns, arena, found, out);
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- nonces -------------------------------------------------------------------------------- */

static enum store_status memory_spend(void *self, struct str nonce, int64_t issued_ns,
                                      int64_t now_ns, int64_t until_ns, bool *first)
{
    struct memory *s = self;
    struct key k = key_of(s, 'n', (struct str){ 0 }, nonce);
    enum store_status status = STORE_OK;
    pthread_mutex_lock(&s->lock);
    sweep(s, now_ns);
    struct item *i = find(s, &k);
    if (i && is_over(i, now_ns)) {
        drop_over(s, i);
        i = NULL;
    }
    if (!i && issued_ns > s->forgotten_ns) {
        i = make_room(s, sizeof *i + k.len, NULL) ? add(s, &k) : NULL;
        status = i ? STORE_OK : STORE_NOMEM; /* what could not be remembered was not spent */
        *first = i != NULL;
        if (i) {
            i->issued_ns = issued_ns;
            i->keep_until_ns = i->gone_after_ns = until_ns;
        }
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- outcomes ------------------------------------------------------------------------------ */

static bool same_request(const struct item *i, struct str fingerprint)
{
    return i->fingerprint_len == fingerprint.len &&
           memcmp(i->fingerprint, fingerprint.ptr, fingerprint.len) == 0;
}

static enum store_status begin_locked(struct memory *s, const struct key *k, struct str fingerprint,
                                      int64_t now_ns, struct arena *arena, enum once_state *state,
                                      struct str *outcome)
{
    struct item *i = find(s, k);
    if (i && is_over(i, now_ns)) {
        drop_item(s, i);
        i = NULL;
    }
    if (!i) {
        i = make_room(s, sizeof *i + k->len, NULL) ? add(s, k) : NULL;
        if (!i)
            return STORE_NOMEM;
        i->state = ITEM_BEGUN;
        i->fingerprint_len = (uint8_t)fingerprint.len;
        memcpy(i->fingerprint, fingerprint.ptr, fingerprint.len);
        *state = ONCE_FRESH;
        return STORE_OK;
    }
    if (!same_request(i, fingerprint)) {
        *state = ONCE_OTHER;
        return STORE_OK;
    }
    *state = i->state == ITEM_BEGUN  ? ONCE_RUNNING
             : i->state == ITEM_LOST ? ONCE_ORPHANED
                                     : ONCE_ENDED;
    if (*state == ONCE_ENDED)
        *outcome = mgi_arena_str(arena, (struct str){ i->value, i->value_len });
    return *state == ONCE_ENDED && !outcome->ptr ? STORE_NOMEM : STORE_OK;
}

static enum store_status memory_once_begin(void *self, struct str principal, struct str key,
                                           struct str fingerprint, int64_t now_ns,
                                           struct arena *arena, enum once_state *state,
                                           struct str *outcome)
{
    struct memory *s = self;
    struct key k = key_of(s, 'o', principal, key);
    pthread_mutex_lock(&s->lock);
    sweep(s, now_ns);
    enum store_status status = begin_locked(s, &k, fingerprint, now_ns, arena, state, outcome);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static enum store_status memory_once_end(void *self, struct str principal, struct str key,
                                         struct str outcome, int64_t now_ns)
{
    struct memory *s = self;
    struct key k = key_of(s, 'o', principal, key);
    enum store_status status = STORE_OK;
    pthread_mutex_lock(&s->lock);
    struct item *i = find(s, &k);
    if (i) {
        bool kept = make_room(s, outcome.len, NULL) && set_value(s, i, outcome);
        i->state = kept ? ITEM_KEPT : ITEM_LOST;
        i->keep_until_ns = i->gone_after_ns = mgi_store_later(now_ns, STORE_ONCE_NS);
        status = kept ? STORE_OK : STORE_NOMEM;
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

static enum store_status memory_once_forget(void *self, struct str principal, struct str key)
{
    struct memory *s = self;
    struct key k = key_of(s, 'o', principal, key);
    pthread_mutex_lock(&s->lock);
    struct item *i = find(s, &k);
    if (i)
        drop_item(s, i);
    pthread_mutex_unlock(&s->lock);
    return STORE_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static size_t memory_bytes(void *self)
{
    struct memory *s = self;
    pthread_mutex_lock(&s->lock);
    size_t bytes = s->bytes;
    pthread_mutex_unlock(&s->lock);
    return bytes;
}

static void memory_fault(void *self, struct buf *out)
{
    (void)self, (void)out; /* it is never STORE_DOWN */
}

static void memory_close(void *self)
{
    struct memory *s = self;
    for (size_t k = 0; k < s->slot_count; k++)
        while (s->slots[k])
            drop_item(s, s->slots[k]);
    pthread_mutex_destroy(&s->lock);
    mgi_free(s->slots);
    mgi_free(s);
}

static const struct store_operations memory_operations = {
    .name = "memory",
    .macro_put = memory_macro_put,
    .macro_get = memory_macro_get,
    .spend = memory_spend,
    .once_begin = memory_once_begin,
    .once_end = memory_once_end,
    .once_forget = memory_once_forget,
    .bytes = memory_bytes,
    .fault = memory_fault,
    .close = memory_close,
};

bool mgi_store_memory(size_t max_bytes, struct store *out)
{
    *out = (struct store){ 0 };
    struct memory *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return false;
    s->slots = mgi_calloc(FIRST_SLOTS, sizeof(struct item *));
    s->slot_count = FIRST_SLOTS;
    s->max_bytes = max_bytes;
    s->last_sweep_ns = INT64_MAX;
    s->forgotten_ns = INT64_MIN;
    if (!s->slots || pthread_mutex_init(&s->lock, NULL) != 0) {
        mgi_free(s->slots);
        mgi_free(s);
        return false;
    }
    *out = (struct store){ &memory_operations, s };
    return true;
}
