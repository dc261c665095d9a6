/* What a store in memory keeps, and how: one hash table of items, and lists of definitions; see
 * memory.c. All of it under the caller's lock.
 *
 * 1. Every item is in the table. Definitions (and their markers) are also in the list of their
 *    caller, newest first, and counted there, as outcomes are; who has neither has no list.
 * 2. `bytes` is what all items take; only definitions are given up for room. A nonce forgotten
 *    early could be spent twice, an outcome forgotten early would run twice. So outcomes are
 *    bounded where they begin: all take half of the room at most, one caller's a share of that.
 * 3. What was begun and has not ended never goes: somebody is still to end it.
 * 4. A nonce that is not in the table, and was issued up to `forgotten_ns`, may have been spent.
 * Every operation costs O(1); a sweep over all items runs at most once a minute of caller time, and
 * a few looks at all principals once for each ROOM_AT_ONCE-th of the room that fills. */
#ifndef MGI_STORE_MEMORY_INT_H
#define MGI_STORE_MEMORY_INT_H

#include <pthread.h>

#include "store/store_int.h"

enum item_state {
    ITEM_KEPT,  /* a definition, a nonce, an outcome that has ended */
    ITEM_BEGUN, /* an outcome that is awaited: gone_after_ns does not count */
    ITEM_LOST   /* an outcome that could not be kept */
};

struct item;

struct holder {           /* a caller that has definitions or outcomes */
    struct holder *chain; /* in its slot */
    struct holder *next, *prev;
    uint64_t hash;
    struct item *newest, *oldest;
    size_t bytes; /* of its definitions and markers */
    size_t outcome_bytes, outcome_count;
    size_t name_len;
    char name[];
};

struct item {
    struct item *chain; /* in its slot */
    struct item *newer, *older;
    struct holder *holder; /* of a definition or an outcome */
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

#define HOLDER_SLOTS 1024

struct memory {
    pthread_mutex_t lock;
    struct item **slots;
    size_t slot_count, item_count;
    struct holder *holder_slots[HOLDER_SLOTS];
    struct holder *holders;
    size_t bytes, max_bytes, max_share; /* max 0: no bound */
    size_t outcome_bytes;
    int64_t last_sweep_ns, last_outcome_sweep_ns; /* each of its own clock */
    int64_t forgotten_ns; /* the newest nonce that was dropped was issued then */
};

/* A key in up to three parts, so that looking up copies nothing. */
struct key {
    char kind;
    struct str principal, rest;
    uint64_t hash;
    size_t len;
};

bool mgi_memory_init(struct memory *s); /* the table; false when memory is short */
void mgi_memory_fini(struct memory *s);

struct key mgi_memory_key(const struct memory *s, char kind, struct str principal, struct str rest);
struct item *mgi_memory_find(const struct memory *s, const struct key *k);
struct item *mgi_memory_add(struct memory *s, const struct key *k); /* NULL when memory is short */
void mgi_memory_drop(struct memory *s, struct item *i);

bool mgi_memory_is_over(const struct item *i, int64_t now_ns);
/* It is over. Of nonces it stays known how old they were: the clock may go back. */
void mgi_memory_drop_over(struct memory *s, struct item *i);
/* If it is time: definitions and nonces that are over go; outcomes, by the clock of theirs. */
void mgi_memory_sweep(struct memory *s, int64_t now_ns);
void mgi_memory_sweep_outcomes(struct memory *s, int64_t steady_ns);

/* The value of `i` becomes a copy of `text`. False when memory is short; the old one stays then. */
bool mgi_memory_set(struct memory *s, struct item *i, struct str text);
/* A definition was used: it is the newest of its principal. */
void mgi_memory_touch(struct item *i);

/* Give up definitions for `more` bytes, but not `but`. False: what may not be given up takes too
 * much. */
bool mgi_memory_make_room(struct memory *s, size_t more, const struct item *but);
/* May `i`, an outcome, become larger by `more`? */
bool mgi_memory_outcome_fits(const struct memory *s, const struct item *i, size_t more);
/* Give up definitions of the caller of `but`, as long as they take more than its share. */
void mgi_memory_keep_share(struct memory *s, const struct item *but);

#endif
