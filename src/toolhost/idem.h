/* The idempotency cache: what came of a call that carried a key, for 60 s (toolhost.md chapter 6).
 *
 * An entry is found by (tool, key). Invariants: 1. at most IDEM_ENTRIES entries and IDEM_BYTES of
 * output and error text; 2. `first` to `last` runs from the most to the least recently used, and a
 * hit moves to the front without living longer; 3. keys and tokens are kept as digests only.
 * Making room drops what is expired first, then the least recently used. One thread; time is an
 * argument. */
#ifndef TOOLHOST_IDEM_H
#define TOOLHOST_IDEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "toolhost/answer.h"
#include "sys/digest.h"

enum { IDEM_BUCKETS = 2048 };

struct idem_entry {
    struct idem_entry *newer, *older; /* by use */
    struct idem_entry *chain;         /* in its bucket */
    size_t tool;
    uint8_t key[SHA256_BYTES];
    uint8_t input[SHA256_BYTES];
    bool paid; /* with the lease whose token has this digest */
    uint8_t token[SHA256_BYTES];
    int64_t stored_ms;
    struct outcome outcome; /* its texts are the entry's */
    uint8_t changed;        /* slots that the call changed */
};

struct idem_cache {
    struct idem_entry *bucket[IDEM_BUCKETS];
    struct idem_entry *first, *last;
    size_t count, bytes;
    int64_t expires_ms; /* no entry does before: a full cache is not searched for one each time */
    /* Told of every entry that is dropped to make room before its time (T-IDEMP-8); may be NULL. */
    void (*evicted)(void *context, const struct idem_entry *e);
    void *context;
};

/* All zero is an empty cache. */
void mgi_idem_fini(struct idem_cache *c);

/* The entry of (tool, key), now the most recently used, or NULL. Borrowed until the next change.
 * An expired one is dropped. */
struct idem_entry *mgi_idem_find(struct idem_cache *c, size_t tool, const uint8_t key[SHA256_BYTES],
                                 int64_t now_ms);

/* Room for an outcome, taken before the tool runs so that nothing can be missing after it. NULL
 * when memory is short. Until it is stored it belongs to the caller. */
struct idem_entry *mgi_idem_entry_new(size_t tool, const uint8_t key[SHA256_BYTES],
                                      const uint8_t input[SHA256_BYTES]);
void mgi_idem_entry_free(struct idem_entry *e); /* not stored after all */

/* Store it with a copy of `outcome`; the cache owns it now. False when memory is short: the entry
 * is freed, and the outcome is not remembered. */
bool mgi_idem_store_take(struct idem_cache *c, struct idem_entry *e, const struct outcome *outcome,
                         uint8_t changed, int64_t now_ms);

void mgi_idem_check(const struct idem_cache *c); /* asserts the invariants */

#endif
