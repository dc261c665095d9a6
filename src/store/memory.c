/* A store in memory: one hash table under one lock (memory_int.h).
 *
 *   definition kept  --keep_until-->  marker ("expired")  --5 minutes-->  gone
 *        `--- room is short, least recently used ------------------------^
 *   nonce spent      --until----------------------------------------------> gone
 *   outcome begun    --ended-->  kept  --10 minutes-----------------------> gone
 */
#include "base/alloc.h"
#include "base/time.h"
#include "store/memory_int.h"

/* ---- definitions --------------------------------------------------------------------------- */

static enum store_status put_item(struct memory *s, const struct key *k, struct item *i,
                                  const struct macro_entry *entry, int64_t now_ns,
                                  int64_t keep_until_ns)
{
    bool fresh = !i;
    if (fresh)
        i = mgi_memory_add(s, k);
    if (!i)
        return STORE_NOMEM;
    if (!mgi_memory_set(s, i, entry->definition)) {
        if (fresh)
            mgi_memory_drop(s, i);
        return STORE_NOMEM;
    }
    i->not_before_ns = entry->not_before_ns;
    i->expires_ns = entry->expires_ns;
    if (fresh || keep_until_ns > i->keep_until_ns)
        i->keep_until_ns = keep_until_ns;
    i->gone_after_ns =
        mgi_store_later(i->keep_until_ns > now_ns ? i->keep_until_ns : now_ns, STORE_MARKER_NS);
    mgi_memory_keep_share(s, i); /* the newest stays, even alone beyond the bound */
    mgi_memory_make_room(s, 0, i);
    return STORE_OK;
}

static enum store_status put_locked(struct memory *s, const struct key *k,
                                    const struct macro_entry *entry, int64_t now_ns,
                                    int64_t keep_until_ns)
{
    struct item *i = mgi_memory_find(s, k);
    struct macro_entry merged = *entry;
    struct arena arena;
    if (!entry->merge || !i || !i->value || now_ns > i->keep_until_ns)
        return put_item(s, k, i, entry, now_ns, keep_until_ns);
    struct macro_entry older = {
        { i->value, i->value_len }, i->not_before_ns, i->expires_ns, NULL
    };
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
    struct key k = mgi_memory_key(s, 'm', principal, macro_id);
    pthread_mutex_lock(&s->lock);
    mgi_memory_sweep(s, now_ns);
    enum store_status status = put_locked(s, &k, entry, now_ns, keep_until_ns);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static enum store_status get_locked(struct item *i, int64_t now_ns, struct arena *arena,
                                    enum macro_found *found, struct macro_entry *out)
{
    *found = MACRO_NOT_FOUND;
    if (!i || mgi_memory_is_over(i, now_ns))
        return STORE_OK;
    *found = MACRO_EXPIRED;
    if (now_ns > i->keep_until_ns || !i->value)
        return STORE_OK;
    struct str copy = mgi_arena_str(arena, (struct str){ i->value, i->value_len });
    if (!copy.ptr)
        return STORE_NOMEM;
    *out = (struct macro_entry){ copy, i->not_before_ns, i->expires_ns, NULL };
    *found = MACRO_FOUND;
    mgi_memory_touch(i);
    return STORE_OK;
}

static enum store_status memory_macro_get(void *self, struct str principal, struct str macro_id,
                                          int64_t now_ns, struct arena *arena,
                                          enum macro_found *found, struct macro_entry *out)
{
    struct memory *s = self;
    struct key k = mgi_memory_key(s, 'm', principal, macro_id);
    pthread_mutex_lock(&s->lock);
    enum store_status status = get_locked(mgi_memory_find(s, &k), now_ns, arena, found, out);
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- nonces -------------------------------------------------------------------------------- */

static enum store_status memory_spend(void *self, struct str nonce, int64_t issued_ns,
                                      int64_t now_ns, int64_t until_ns, bool *first)
{
    struct memory *s = self;
    struct key k = mgi_memory_key(s, 'n', (struct str){ 0 }, nonce);
    enum store_status status = STORE_OK;
    pthread_mutex_lock(&s->lock);
    mgi_memory_sweep(s, now_ns);
    struct item *i = mgi_memory_find(s, &k);
    if (i && mgi_memory_is_over(i, now_ns)) {
        mgi_memory_drop_over(s, i);
        i = NULL;
    }
    if (!i && issued_ns > s->forgotten_ns) {
        i = mgi_memory_make_room(s, sizeof *i + k.len, NULL) ? mgi_memory_add(s, &k) : NULL;
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

static enum store_status tell(const struct item *i, struct str fingerprint, struct arena *arena,
                              enum once_state *state, struct str *outcome)
{
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

static enum store_status begin_locked(struct memory *s, const struct key *k, struct str fingerprint,
                                      int64_t now_ns, struct arena *arena, enum once_state *state,
                                      struct str *outcome)
{
    struct item *i = mgi_memory_find(s, k);
    if (i && mgi_memory_is_over(i, now_ns)) {
        mgi_memory_drop(s, i);
        i = NULL;
    }
    if (!i) {
        i = mgi_memory_make_room(s, sizeof *i + k->len, NULL) ? mgi_memory_add(s, k) : NULL;
        if (!i)
            return STORE_NOMEM;
        if (!mgi_memory_outcome_fits(s, i, 0)) {
            mgi_memory_drop(s, i);
            return STORE_FULL;
        }
        i->state = ITEM_BEGUN;
        i->fingerprint_len = (uint8_t)fingerprint.len;
        memcpy(i->fingerprint, fingerprint.ptr, fingerprint.len);
        *state = ONCE_FRESH;
        return STORE_OK;
    }
    return tell(i, fingerprint, arena, state, outcome);
}

static enum store_status memory_once_begin(void *self, struct str principal, struct str key,
                                           struct str fingerprint, struct str witness,
                                           int64_t now_ns, struct arena *arena,
                                           enum once_state *state, struct str *outcome)
{
    struct memory *s = self;
    (void)witness; /* of what it forgets with the process nobody asks */
    struct key k = mgi_memory_key(s, 'o', principal, key);
    pthread_mutex_lock(&s->lock);
    mgi_memory_sweep_outcomes(s, now_ns);
    enum store_status status = begin_locked(s, &k, fingerprint, now_ns, arena, state, outcome);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static enum store_status memory_once_find(void *self, struct str principal, struct str key,
                                          struct str fingerprint, int64_t now_ns,
                                          struct arena *arena, enum once_state *state,
                                          struct str *outcome)
{
    struct memory *s = self;
    struct key k = mgi_memory_key(s, 'o', principal, key);
    enum store_status status = STORE_OK;
    *state = ONCE_FRESH;
    pthread_mutex_lock(&s->lock);
    const struct item *i = mgi_memory_find(s, &k);
    if (i && !mgi_memory_is_over(i, now_ns))
        status = tell(i, fingerprint, arena, state, outcome);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static enum store_status memory_once_end(void *self, struct str principal, struct str key,
                                         struct str outcome, int64_t now_ns)
{
    struct memory *s = self;
    struct key k = mgi_memory_key(s, 'o', principal, key);
    enum store_status status = STORE_OK;
    pthread_mutex_lock(&s->lock);
    struct item *i = mgi_memory_find(s, &k);
    if (i) {
        bool kept = mgi_memory_outcome_fits(s, i, outcome.len) &&
                    mgi_memory_make_room(s, outcome.len, NULL) && mgi_memory_set(s, i, outcome);
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
    struct key k = mgi_memory_key(s, 'o', principal, key);
    pthread_mutex_lock(&s->lock);
    struct item *i = mgi_memory_find(s, &k);
    if (i)
        mgi_memory_drop(s, i);
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
    mgi_memory_fini(s);
    pthread_mutex_destroy(&s->lock);
    mgi_free(s);
}

static const struct store_operations memory_operations = {
    .name = "memory",
    .macro_put = memory_macro_put,
    .macro_get = memory_macro_get,
    .spend = memory_spend,
    .once_begin = memory_once_begin,
    .once_find = memory_once_find,
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
    s->max_bytes = max_bytes;
    s->max_share = max_bytes / STORE_SHARE;
    if (!mgi_memory_init(s) || pthread_mutex_init(&s->lock, NULL) != 0) {
        mgi_memory_fini(s);
        mgi_free(s);
        return false;
    }
    *out = (struct store){ &memory_operations, s };
    return true;
}
