/* The interface: every call goes to the backend's row. What no backend may be given is refused
 * here. */
#include "store/store.h"

#include <assert.h>

#include "store/store_int.h"

enum store_status mgi_store_macro_put(const struct store *s, struct str principal,
                                      struct str macro_id, const struct macro_entry *entry,
                                      int64_t now_ns, int64_t keep_until_ns)
{
    return s->operations->macro_put(s->self, principal, macro_id, entry, now_ns, keep_until_ns);
}

enum store_status mgi_store_macro_get(const struct store *s, struct str principal,
                                      struct str macro_id, int64_t now_ns, struct arena *arena,
                                      enum macro_found *found, struct macro_entry *out)
{
    *found = MACRO_NOT_FOUND;
    return s->operations->macro_get(s->self, principal, macro_id, now_ns, arena, found, out);
}

enum store_status mgi_store_spend(const struct store *s, struct str nonce, int64_t issued_ns,
                                  int64_t now_ns, int64_t until_ns, bool *first)
{
    *first = false;
    enum store_status status =
        s->operations->spend(s->self, nonce, issued_ns, now_ns, until_ns, first);
    if (status)
        *first = false;
    return status;
}

enum store_status mgi_store_once_begin(const struct store *s, struct str principal, struct str key,
                                       struct str fingerprint, struct str witness, int64_t now_ns,
                                       struct arena *arena, enum once_state *state,
                                       struct str *outcome)
{
    assert(witness.len <= STORE_WITNESS_MAX);
    assert(key.len > 0 && key.len <= STORE_KEY_MAX);
    assert(fingerprint.len > 0 && fingerprint.len <= STORE_FINGERPRINT_MAX);
    *outcome = (struct str){ NULL, 0 };
    return s->operations->once_begin(s->self, principal, key, fingerprint, witness, now_ns, arena,
                                     state, outcome);
}

enum store_status mgi_store_once_find(const struct store *s, struct str principal, struct str key,
                                      struct str fingerprint, int64_t now_ns, struct arena *arena,
                                      enum once_state *state, struct str *outcome)
{
    assert(key.len > 0 && key.len <= STORE_KEY_MAX);
    assert(fingerprint.len > 0 && fingerprint.len <= STORE_FINGERPRINT_MAX);
    *outcome = (struct str){ NULL, 0 };
    return s->operations->once_find(s->self, principal, key, fingerprint, now_ns, arena, state,
                                    outcome);
}

enum store_status mgi_store_once_end(const struct store *s, struct str principal, struct str key,
                                     struct str outcome, int64_t now_ns)
{
    return s->operations->once_end(s->self, principal, key, outcome, now_ns);
}

enum store_status mgi_store_once_forget(const struct store *s, struct str principal, struct str key)
{
    return s->operations->once_forget(s->self, principal, key);
}

size_t mgi_store_bytes(const struct store *s)
{
    return s->operations->bytes(s->self);
}

void mgi_store_fault(const struct store *s, struct buf *out)
{
    s->operations->fault(s->self, out);
}

void mgi_store_close(struct store *s)
{
    if (s->operations)
        s->operations->close(s->self);
    *s = (struct store){ 0 };
}
