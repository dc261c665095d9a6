/* Relations: the tuples of one predicate, and the indexes that plans ask for.
 *
 * Rows are `arity` words each, stored row after row, never moved or deleted; a row is named by its
 * number. A relation may stand on a frozen one (`below`): the rows of that keep their numbers, its
 * own go on from there. So "what is new since" is a range of row numbers, and needs no copy.
 *
 * An atom of a temporal predicate is one row; its intervals stand beside it as entries, chained per
 * row from the newest to the oldest. After mgi_times_coalesce() the entries of a row are one run of
 * sorted, disjoint intervals, and the chain runs through it backwards. If an own entry is added to
 * a row of `below`, the row's intervals are copied first: the own ones then stand for all
 * ("shadow").
 *
 * Invariants: 1. no two rows are equal, also not one of `below` and an own one. 2. a frozen
 * relation is never written again. 3. indexes hold the rows up to `upto`; mgi_rel_sync() brings
 * them up to date. 4. all tables keep their memory at reset and are cleared by what was used of
 * them.
 *
 * Cost: insert one hash probe (two above a base); a search one probe, then its answers. */
#ifndef MGI_MANGLE_REL_H
#define MGI_MANGLE_REL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mangle.h"
#include "mangle/value/interval.h"
#include "mangle/plan/search.h"

#define REL_NONE UINT32_MAX /* no row, no entry, no index */

/* Open addressing, linear probing; `stride` words a slot, the first one 0 if empty. */
struct table {
    uint32_t *slots;
    size_t room;  /* words allocated */
    uint32_t cap; /* slots in use: 0 or a power of two */
    uint32_t used;
    uint32_t stride;
};

#define COPY_MAX_ARITY 4

/* Hulls over the intervals of rows: of each row, of sixteen rows, of sixteen times sixteen. What a
 * hull excludes none of its rows can have, so they are passed over together (rel_zones.c). */
#define ZONE_BITS   4
#define ZONE_LEVELS 8

struct zones {
    struct mangle_interval *hulls; /* level by level, rows first */
    size_t cap;
    size_t from[ZONE_LEVELS]; /* per level: its first hull */
    uint32_t levels;
    uint32_t count;   /* rows; 0: not made */
    uint32_t entries; /* there were so many when they were made */
    uint32_t asked;   /* while they are not: how often they could have helped */
};

struct group { /* the rows of one key in a frozen index: places in it */
    uint32_t start, end;
};

struct group_slot {
    uint32_t tag;
    uint32_t row;      /* one with this key */
    struct group rows; /* none: the slot is empty */
};

struct listed { /* a row, and its value in the one column that is no key */
    uint32_t value, row;
};

/* The rows of each key with that value, where keys have all columns but one (rel_lists.c). */
struct lists {
    struct listed *rows; /* key by key, each from the newest to the oldest */
    struct list_place {
        uint32_t at, filter; /* where its rows and its filter begin */
        uint32_t shift;
    } * of; /* per slot of the heads */
    uint64_t *filters;
    size_t rows_cap, of_cap, filters_cap;
    uint32_t upto;  /* the index's when they were made; 0: not made */
    uint32_t asked; /* while they are not: rows that were looked at for want of them */
};

struct index {
    const struct search *search;
    struct table heads; /* key -> newest row + 1, tag, how many rows */
    uint32_t *next;     /* own row - first -> older row of the same key, or REL_NONE */
    size_t next_cap;
    uint32_t upto; /* own rows below this are in */
    /* Frozen (rel_freeze.c): a key leads to places, a place to a row. */
    bool has_groups;
    uint32_t *starts; /* key - low -> its first place; the next one's is its end; or NULL: */
    uint32_t low, range;
    struct group_slot *groups; /* hashed */
    uint32_t group_cap;
    uint32_t *perm;     /* place -> row, or NULL: mgi_index_row() finds it */
    uint32_t *copies;   /* of short rows, in the order of places: mgi_index_words(); or NULL */
    uint32_t width;     /* words from one copy to the next */
    struct zones zones; /* of the rows in the order of perm */
    struct lists lists; /* of what grows */
};

struct span_list { /* the entries of one row */
    uint32_t head, count;
};

struct times {
    struct mangle_interval *spans; /* entry -> its interval */
    uint32_t *older;               /* entry -> older entry of the row, or REL_NONE */
    uint32_t *rows;                /* entry -> its row */
    size_t spans_cap, older_cap, rows_cap;
    uint32_t count;
    struct span_list *own; /* own row - first */
    size_t own_cap;
    struct shadow *shadows; /* rows of `below` with entries here */
    size_t shadow_cap;
    uint32_t shadow_count;
    struct table shadow_index; /* row of `below` -> shadow + 1 */
    struct table exact;        /* (row, interval) -> entry + 1 */
};

struct shadow {
    uint32_t row;
    struct span_list list;
};

struct best {           /* of each key, where the least or the greatest value stays (rel_best.c) */
    struct table heads; /* source columns -> entry + 1, and what they are */
    uint32_t *facts;    /* entry -> its fact, as long as the relation's rows */
    uint32_t *rows;     /* entry -> its row, or REL_NONE: it waits to become one */
    uint32_t *waiting;  /* entries */
    size_t facts_cap, rows_cap, waiting_cap;
    uint32_t count, waiting_count;
    uint32_t target; /* the column that is compared */
    bool greatest;   /* is better; else the least */
};

struct lattice {            /* which rows count where facts are merged (rel_lattice.c) */
    const uint32_t *source; /* columns; borrowed */
    uint32_t source_count;
    struct table heads; /* source columns -> key + 1, tag */
    struct lattice_key {
        uint32_t row;  /* any row with these source columns */
        uint32_t head; /* node */
    } * keys;
    struct lattice_node {
        uint32_t row; /* a live one, or REL_NONE */
        uint32_t next;
    } * nodes;
    size_t keys_cap, nodes_cap;
    uint32_t key_count, node_count;
    uint64_t *dead; /* a bit per row that was replaced, also for rows of `below` */
    size_t dead_cap;
    size_t dead_words; /* that may have a bit */
    struct best *best; /* in place of heads, keys and nodes; or NULL */
    bool given_up;     /* a keeper (check/least.h) has all of what it keeps the best of */
};

struct bits {      /* a bit per pair of words in two ranges (rel_bits.c) */
    uint64_t *map; /* or NULL: there is none */
    uint32_t low[2], count[2];
    size_t stride; /* words of a first column's row */
    bool whole;    /* there is a bit for each row */
};

struct packed { /* the rows of a frozen relation as a set (rel_packed.c) */
    uint32_t *slots;
    uint32_t cap;      /* 0: there is none, `known` is */
    uint32_t row_mask; /* of a slot: the row + 1; above it bits of the hash */
};

struct round_mark { /* rows below `end` and above the mark before it were born in `round` */
    uint32_t round, end;
};

struct rel {
    uint32_t arity;
    bool temporal, frozen;
    bool touched; /* has something to reset */
    bool settled; /* temporal: coalesced, and nothing is added any more */
    const struct rel *below;
    uint32_t first; /* number of the first own row: how many `below` has */
    uint32_t count; /* own rows */
    uint32_t *rows;
    size_t rows_cap;
    struct table known;   /* row -> its number + 1 */
    struct packed packed; /* frozen: instead of `known` */
    bool keeps;           /* will be frozen for long: what is slower to make but smaller pays */
    struct bits bits;     /* of the own rows, while they are dense */
    bool hashed_always;   /* a test: keys of frozen indexes are hashed, whatever their range */
    bool bits_always;     /* a test: also of few rows, and whatever they take */
    struct index *indexes;
    uint32_t index_count;
    struct times times;
    struct zones zones;      /* of the own rows */
    bool timed;              /* frozen with zones */
    struct lattice *lattice; /* or NULL */
    uint32_t lo, hi;         /* this round's news: rows, of a temporal relation entries */
    uint32_t before;         /* entries when its stratum began */
    uint32_t made;           /* entries that rules added since */
    uint32_t given;          /* own rows (entries) that were given, not derived */
    struct round_mark *marks;
    size_t mark_cap;
    uint32_t mark_count;
};

/* All zero is not a relation: init first. `searches` and `below` are borrowed. */
bool mgi_rel_init(struct rel *rel, uint32_t arity, bool temporal, const struct search *searches,
                  uint32_t search_count, const struct rel *below);
/* The same relation with more searches: the first ones are those that it has. Not once it is
 * frozen. False: memory. */
bool mgi_rel_add_searches(struct rel *rel, const struct search *searches, uint32_t search_count);
void mgi_rel_fini(struct rel *rel);
void mgi_rel_reset(struct rel *rel); /* forget the own rows and entries */

static inline uint32_t mgi_rel_end(const struct rel *rel)
{
    return rel->first + rel->count;
}

static inline const uint32_t *mgi_rel_row(const struct rel *rel, uint32_t row)
{
    if (row < rel->first) {
        const struct rel *b = rel->below;
        return b->rows + (size_t)row * b->arity;
    }
    return rel->rows + (size_t)(row - rel->first) * rel->arity;
}

uint32_t mgi_rel_find(const struct rel *rel, const uint32_t *words); /* a live one, or REL_NONE */
/* A new row, though there may be an equal one that is dead: `words` finds the new one from now on.
 * False: memory. */
bool mgi_rel_append(struct rel *rel, const uint32_t *words, uint32_t *row);
/* *row is the row of `words`, *added if it is new. False when memory is short. */
bool mgi_rel_insert(struct rel *rel, const uint32_t *words, uint32_t *row, bool *added);
/* The same for many: `hash` is mgi_words_hash() of the words, and where it leads is fetched before
 * it is needed. */
bool mgi_rel_insert_hashed(struct rel *rel, const uint32_t *words, uint64_t hash, uint32_t *row,
                           bool *added);
/* Is there such a row, live or not? Changes nothing, so several threads may ask. */
bool mgi_rel_knows(const struct rel *rel, const uint32_t *words, uint64_t hash);
void mgi_rel_prefetch(const struct rel *rel, uint64_t hash);
/* About `more` rows are to come: room for them is made at once. False: memory. */
bool mgi_rel_expect(struct rel *rel, size_t more);
bool mgi_rel_sync(struct rel *rel, uint32_t index); /* false: memory */
bool mgi_rel_freeze(struct rel *rel);               /* false: memory */

/* Rows whose key columns equal `key` (in the order of the search's columns). A frozen index answers
 * with places, whose rows ascend; the own one with the head of a chain, descending. */
struct group mgi_index_hashed(const struct rel *frozen, uint32_t index, const uint32_t *key);
static inline struct group mgi_index_group(const struct rel *frozen, uint32_t index,
                                           const uint32_t *key)
{
    const struct index *ix = &frozen->indexes[index];
    if (!ix->starts)
        return mgi_index_hashed(frozen, index, key);
    uint32_t at = key[0] - ix->low;
    if (at >= ix->range)
        return (struct group){ 0 };
    return (struct group){ ix->starts[at], ix->starts[at + 1] };
}
/* Where that begins to look, and the words at a place, are fetched. */
void mgi_index_prefetch(const struct rel *frozen, uint32_t index, const uint32_t *key);
static inline void mgi_index_prefetch_at(const struct rel *frozen, uint32_t index, uint32_t at)
{
    const struct index *ix = &frozen->indexes[index];
    if (ix->copies)
        __builtin_prefetch(ix->copies + (size_t)at * ix->width);
    else
        __builtin_prefetch(ix->perm + at);
}
/* The row at a place of that key. Not for the inner loop: it may have to be looked up. */
uint32_t mgi_index_row(const struct rel *frozen, uint32_t index, uint32_t at, const uint32_t *key);
/* The words of that row; those of the key's columns perhaps not. */
static inline const uint32_t *mgi_index_words(const struct rel *frozen, const struct index *ix,
                                              uint32_t at)
{
    return ix->copies ? ix->copies + (size_t)at * ix->width
                      : frozen->rows + (size_t)ix->perm[at] * frozen->arity;
}
uint32_t mgi_index_head(const struct rel *rel, uint32_t index, const uint32_t *key);
uint32_t mgi_index_count(const struct rel *rel, uint32_t index, const uint32_t *key); /* of both */

/* Remember that the rows up to now were born in `round` (for proofs). */
bool mgi_rel_mark(struct rel *rel, uint32_t round);
uint32_t mgi_rel_born(const struct rel *rel, uint32_t row);

/* ---- many rows at once, on several threads (rel_bulk.c) ------------------------------------- */

#define BULK_KNOWN  UINT32_MAX       /* there is such a row, or its slot is claimed */
#define BULK_BEYOND (UINT32_MAX - 1) /* the look would go on beyond the share */
#define BULK_WHOLE  UINT64_MAX       /* the share is all there is */

bool mgi_bulk_takes(const struct rel *rel); /* one or two columns, and nothing special */
/* Make room in the set for so many rows more, which mgi_bulk_fits() then has. False: memory. */
bool mgi_rel_room(struct rel *rel, uint64_t count);
bool mgi_bulk_fits(const struct rel *rel, uint64_t count);
/* The share in which the look for this hash begins, and the slot at which a share ends. */
static inline uint32_t mgi_bulk_share(const struct rel *rel, uint64_t hash, uint32_t shares)
{
    uint64_t at = (uint32_t)(hash >> 32) & (rel->known.cap - 1);
    return (uint32_t)(at * shares / rel->known.cap);
}
static inline uint64_t mgi_bulk_end_of(const struct rel *rel, uint32_t share, uint32_t shares)
{
    return ((uint64_t)(share + 1) * rel->known.cap + shares - 1) / shares;
}
/* A slot for `words`, which is now claimed, or one of BULK_KNOWN and _BEYOND. Only what begins in
 * the share that ends at slot `end`; other shares may be in other threads' hands. */
uint32_t mgi_bulk_claim(struct rel *rel, const uint32_t *words, uint64_t hash, uint64_t end);
/* Room for so many rows; they are written, in any order, on any threads; they are there. */
bool mgi_bulk_begin(struct rel *rel, uint32_t count); /* false: memory */
void mgi_bulk_write(struct rel *rel, uint32_t row, uint32_t slot);
void mgi_bulk_end(struct rel *rel, uint32_t count);

/* ---- relations whose facts are merged (rel_lattice.c) -------------------------------------- */

/* Rows stay where they are; one that is replaced is dead, and readers pass it over. Per value of
 * the source columns there is a list of the live rows, in general one. An overlay's list, once it
 * is there, stands for that of the base as well. */
bool mgi_rel_make_lattice(struct rel *rel, const uint32_t *source, uint32_t count);
void mgi_lattice_reset(struct lattice *l);
void mgi_lattice_free(struct lattice *l);
/* The key of `words`, made if it is new (its list is empty then); false: memory. */
bool mgi_lattice_open(struct rel *rel, const uint32_t *words, uint32_t *key);
bool mgi_lattice_kill(struct rel *rel, uint32_t row); /* false: memory */
/* Put a live row into the list of a key; false: memory. */
bool mgi_lattice_put(struct rel *rel, uint32_t key, uint32_t row);
/* rel_best.c: the relation, which has no rows yet but given ones, keeps the best value of `target`.
 * What an overlay has of a key stands for what the base has. False: memory. */
bool mgi_rel_make_best(struct rel *rel, uint32_t target, bool greatest);
void mgi_best_reset(struct best *b);
void mgi_best_free(struct best *b);
static inline uint32_t *mgi_best_fact(const struct rel *rel, uint32_t entry)
{
    return rel->lattice->best->facts + (size_t)entry * rel->arity;
}
uint32_t mgi_best_find(const struct rel *rel, const uint32_t *words); /* own entry, or REL_NONE */
/* A new entry for the key of `words`, with that fact and no row; false: memory. */
bool mgi_best_open(struct rel *rel, const uint32_t *words, uint32_t *entry);
bool mgi_best_wait(struct rel *rel, uint32_t entry); /* it has no row any more; false: memory */
/* Which of those that wait are released: the first *chosen of best.waiting, at least one if there
 * is any. `pace` may be NULL. False: it said stop, nobody is chosen. */
bool mgi_best_choose(struct rel *rel, const mangle_values *values, const struct pace *pace,
                     uint32_t *chosen);
void mgi_best_released(struct rel *rel, uint32_t chosen); /* so many do not wait any more */

static inline bool mgi_dead_bit(const struct lattice *l, uint32_t row)
{
    return row / 64 < l->dead_words && (l->dead[row / 64] >> (row % 64) & 1);
}
static inline bool mgi_rel_live(const struct rel *rel, uint32_t row)
{
    if (!rel->lattice)
        return true;
    return !mgi_dead_bit(rel->lattice, row) &&
           !(row < rel->first && mgi_dead_bit(rel->below->lattice, row));
}

/* ---- the rows of what is frozen, as a set (rel_packed.c) ------------------------------------- */

bool mgi_packed_make(struct rel *rel); /* from `known`, which is empty then; false: memory */
uint32_t mgi_packed_find(const struct rel *rel, const uint32_t *words, uint64_t hash);
static inline uint32_t mgi_packed_home(const struct packed *p, uint64_t hash)
{
    return (uint32_t)((hash >> 32) * p->cap >> 32);
}

/* ---- dense pairs (rel_bits.c) ---------------------------------------------------------------- */

void mgi_bits_make(struct rel *rel); /* anew, for the rows that are there, or none */
void mgi_bits_drop(struct bits *b);

/* The bit's place, or false: out of range. */
static inline bool mgi_bits_at(const struct bits *b, const uint32_t *words, size_t *word,
                               uint64_t *bit)
{
    uint32_t first = words[0] - b->low[0], second = words[1] - b->low[1];
    if (first >= b->count[0] || second >= b->count[1])
        return false;
    *word = first * b->stride + second / 64;
    *bit = UINT64_C(1) << (second % 64);
    return true;
}
static inline void mgi_bits_set(struct bits *b, const uint32_t *words)
{
    size_t word;
    uint64_t bit;
    if (!b->map)
        return;
    if (mgi_bits_at(b, words, &word, &bit))
        b->map[word] |= bit;
    else
        b->whole = false;
}
/* True: there is no such row. False: nobody knows. */
static inline bool mgi_bits_lack(const struct bits *b, const uint32_t *words)
{
    size_t word;
    uint64_t bit;
    return b->map && mgi_bits_at(b, words, &word, &bit) && !(b->map[word] & bit);
}
/* True: there is such a row. False: nobody knows, unless the bits are whole. */
static inline bool mgi_bits_has(const struct bits *b, const uint32_t *words)
{
    size_t word;
    uint64_t bit;
    return b->map && mgi_bits_at(b, words, &word, &bit) && (b->map[word] & bit);
}

/* ---- intervals beside rows (rel_times.c) -------------------------------------------------- */

/* Add `t` to `row`; *added is false if exactly this interval is there. False: memory. */
bool mgi_times_add(struct rel *rel, uint32_t row, struct mangle_interval t, bool *added);

/* Sort and merge the intervals of every row that has own entries (M-TEMP-72). fresh: how many of
 * the results were not there among the first `old` entries or in `below`. worst: the most intervals
 * of one row, and which (worst_row). `pace` may be NULL. If it said stop, `stopped` is true and the
 * relation is good only for mgi_rel_reset() and _fini(). False: memory. */
struct coalesced {
    uint32_t fresh, worst, worst_row;
    bool stopped;
};
bool mgi_times_coalesce(struct rel *rel, uint32_t old, const struct pace *pace,
                        struct coalesced *out);

/* The intervals of a row, newest entry first:
 *     for (struct span_walk w = mgi_times_walk(rel, row); w.entry != REL_NONE; mgi_times_older(&w))
 * Entries of `below` are all older than own ones; they count as entry 0 in comparisons of age. */
struct span_walk {
    const struct times *times;
    uint32_t entry; /* or REL_NONE */
    bool own;       /* `entry` is an own one */
};
struct span_walk mgi_times_walk(const struct rel *rel, uint32_t row);
static inline void mgi_times_older(struct span_walk *w)
{
    w->entry = w->times->older[w->entry];
}
static inline struct mangle_interval mgi_times_at(const struct span_walk *w)
{
    return w->times->spans[w->entry];
}

/* The coalesced run of a row, ascending. Only where no entry was added since it was coalesced. */
const struct mangle_interval *mgi_times_run(const struct rel *rel, uint32_t row, uint32_t *count);
uint32_t mgi_times_count(const struct rel *rel, uint32_t row); /* entries, own or of `below` */
/* False: no interval of the row starts by max_start and ends not before min_end. */
bool mgi_times_may_count(const struct rel *rel, uint32_t row, int64_t max_start, int64_t min_end);
void mgi_times_reset(struct times *times);
void mgi_times_fini(struct times *times);

/* ---- hulls over intervals (rel_zones.c) ----------------------------------------------------- */

/* For own rows, in the order of `perm` (NULL: of their numbers); nothing may be added to them any
 * more. `pace` may be NULL; if it says stop, none are made. False: memory. */
bool mgi_zones_make(struct zones *z, const struct rel *rel, const uint32_t *perm,
                    const struct pace *pace);
/* Are the hulls of own rows there, and nothing was added since? */
static inline bool mgi_zones_hold(const struct rel *rel)
{
    return rel->zones.count && rel->zones.count == rel->count &&
           rel->zones.entries == rel->times.count;
}

static inline bool mgi_zone_may_count(const struct zones *z, uint32_t level, uint32_t at,
                                      int64_t max_start, int64_t min_end)
{
    const struct mangle_interval *t = &z->hulls[z->from[level] + (at >> (level * ZONE_BITS))];
    return t->start_ns <= max_start && t->end_ns >= min_end;
}

/* ---- lists with filters (rel_lists.c) -------------------------------------------------------- */

struct list { /* the rows of one key */
    const struct listed *rows;
    uint32_t count;
    const uint64_t *filter; /* of their values; none if count is 0 */
    uint32_t shift;
};

/* For an index of own rows, over all columns but one, as it is now. `pace` may be NULL; if it says
 * stop, none are made. False: memory. */
bool mgi_lists_make(struct rel *rel, uint32_t index, const struct pace *pace);
/* Are they those of the index? */
static inline bool mgi_lists_hold(const struct index *ix)
{
    return ix->lists.upto && ix->lists.upto == ix->upto;
}
struct list mgi_list_of(const struct rel *rel, uint32_t index, const uint32_t *key); /* they hold */
void mgi_lists_drop(struct lists *l);

static inline uint32_t mgi_filter_bit(uint32_t value, uint32_t shift)
{
    return value * UINT32_C(0x9e3779b1) >> shift;
}
/* False: the list does not have it. True: nobody knows. */
static inline bool mgi_list_may_have(const struct list *l, uint32_t value)
{
    uint32_t bit = mgi_filter_bit(value, l->shift);
    return l->filter[bit / 64] >> (bit % 64) & 1;
}

/* ---- tables, shared by the files above ------------------------------------------------------ */

#define TABLE_MIN 16 /* slots */

/* An empty table of at least twice the slots; the caller puts everything in again. */
bool mgi_table_grow(struct table *t, uint32_t need);
/* Twice the slots, or the first ones, with everything in them that was there: it moves in the order
 * of the slots, so memory is read and written from front to back. A slot's home is the upper half
 * of its hash: after the first word stands that itself, or the one or two words that were hashed.
 */
enum slot_form { SLOT_TAG, SLOT_WORD, SLOT_PAIR };
bool mgi_table_double(struct table *t, enum slot_form form);
static inline bool mgi_table_full(const struct table *t)
{
    return (uint64_t)(t->used + 1) * 3 > (uint64_t)t->cap * 2;
}

static inline uint64_t mgi_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

static inline uint64_t mgi_words_hash(const uint32_t *words, uint32_t count)
{
    if (count == 2)
        return mgi_mix((uint64_t)words[0] << 32 | words[1]);
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++)
        h = mgi_mix(h ^ words[i]) + UINT64_C(0x9e3779b97f4a7c15);
    return count == 0 ? 0 : h;
}

#endif
