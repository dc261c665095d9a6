/* The table of a store in memory, the lists in it, and what goes when there is no room. */
#include "store/memory_int.h"

#include "base/alloc.h"

#define FIRST_SLOTS 256
#define ROOM_AT_ONCE                                                                               \
    64 /* a part of the room that is made at a time, so that it is not looked for                  \
          at every put */

static size_t item_bytes(const struct item *i)
{
    return sizeof *i + i->key_len + i->value_len;
}

static bool is_outcome(const struct item *i)
{
    return i->key[0] == 'o';
}

static void count_bytes(struct memory *s, struct item *i, size_t before)
{
    size_t now = item_bytes(i);
    s->bytes = s->bytes - before + now;
    if (i->holder && is_outcome(i)) {
        s->outcome_bytes = s->outcome_bytes - before + now;
        i->holder->outcome_bytes = i->holder->outcome_bytes - before + now;
    } else if (i->holder) {
        i->holder->bytes = i->holder->bytes - before + now;
    }
}

/* ---- callers that have definitions or outcomes ------------------------------------------------
 */

static struct holder **holder_slot(struct memory *s, uint64_t hash)
{
    return &s->holder_slots[hash & (HOLDER_SLOTS - 1)];
}

static struct holder *add_holder(struct memory *s, struct str name, uint64_t hash)
{
    struct holder *h = mgi_calloc(1, sizeof *h + name.len);
    if (!h)
        return NULL;
    h->hash = hash;
    h->name_len = name.len;
    if (name.len > 0)
        memcpy(h->name, name.ptr, name.len);
    h->chain = *holder_slot(s, hash);
    *holder_slot(s, hash) = h;
    h->next = s->holders;
    if (h->next)
        h->next->prev = h;
    s->holders = h;
    s->bytes += sizeof *h + name.len;
    return h;
}

/* All principals of a caller have one share: it makes as many of them as it likes. */
static struct holder *holder_of(struct memory *s, struct str principal)
{
    struct str name = mgi_store_caller(principal);
    uint64_t hash = mgi_hash_bytes(name.ptr, name.len, (uint64_t)(uintptr_t)s);
    struct holder *h = *holder_slot(s, hash);
    while (h && !(h->hash == hash && str_eq((struct str){ h->name, h->name_len }, name)))
        h = h->chain;
    return h ? h : add_holder(s, name, hash);
}

static void drop_holder(struct memory *s, struct holder *h)
{
    struct holder **link = holder_slot(s, h->hash);
    while (*link != h)
        link = &(*link)->chain;
    *link = h->chain;
    if (h->prev)
        h->prev->next = h->next;
    else
        s->holders = h->next;
    if (h->next)
        h->next->prev = h->prev;
    s->bytes -= sizeof *h + h->name_len;
    mgi_free(h);
}

static void list_remove(struct item *i)
{
    struct holder *h = i->holder;
    if (i->newer)
        i->newer->older = i->older;
    else
        h->newest = i->older;
    if (i->older)
        i->older->newer = i->newer;
    else
        h->oldest = i->newer;
    i->newer = i->older = NULL;
}

static void list_add(struct item *i)
{
    struct holder *h = i->holder;
    i->older = h->newest;
    if (h->newest)
        h->newest->newer = i;
    h->newest = i;
    if (!h->oldest)
        h->oldest = i;
}

void mgi_memory_touch(struct item *i)
{
    list_remove(i);
    list_add(i);
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct item **slot_of(const struct memory *s, uint64_t hash)
{
    return &s->slots[hash & (s->slot_count - 1)];
}

static void drop_value(struct memory *s, struct item *i)
{
    size_t before = item_bytes(i);
    mgi_free(i->value);
    i->value = NULL;
    i->value_len = 0;
    count_bytes(s, i, before);
}

void mgi_memory_drop(struct memory *s, struct item *i)
{
    struct holder *h = i->holder;
    struct item **link = slot_of(s, i->hash);
    size_t bytes = item_bytes(i);
    while (*link != i)
        link = &(*link)->chain;
    *link = i->chain;
    s->bytes -= bytes;
    s->item_count--;
    if (h && is_outcome(i)) {
        s->outcome_bytes -= bytes;
        h->outcome_bytes -= bytes;
        h->outcome_count--;
    } else if (h) {
        h->bytes -= bytes;
        list_remove(i);
    }
    if (h && !h->newest && h->outcome_count == 0)
        drop_holder(s, h);
    mgi_free(i->value);
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

struct key mgi_memory_key(const struct memory *s, char kind, struct str principal, struct str rest)
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

struct item *mgi_memory_find(const struct memory *s, const struct key *k)
{
    struct item *i = *slot_of(s, k->hash);
    while (i && !key_equal(k, i))
        i = i->chain;
    return i;
}

struct item *mgi_memory_add(struct memory *s, const struct key *k)
{
    struct item *i = mgi_calloc(1, sizeof *i + k->len);
    if (!i)
        return NULL;
    if (k->kind != 'n' && !(i->holder = holder_of(s, k->principal))) {
        mgi_free(i);
        return NULL;
    }
    if (s->item_count >= s->slot_count)
        grow_slots(s);
    i->hash = k->hash;
    i->key_len = k->len;
    key_write(k, i->key);
    i->chain = *slot_of(s, k->hash);
    *slot_of(s, k->hash) = i;
    s->item_count++;
    count_bytes(s, i, 0);
    if (i->holder && is_outcome(i))
        i->holder->outcome_count++;
    else if (i->holder)
        list_add(i);
    return i;
}

bool mgi_memory_set(struct memory *s, struct item *i, struct str text)
{
    char *copy = mgi_alloc(text.len + 1);
    size_t before = item_bytes(i);
    if (!copy)
        return false;
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    mgi_free(i->value);
    i->value = copy;
    i->value_len = text.len;
    count_bytes(s, i, before);
    if (i->holder && !is_outcome(i))
        mgi_memory_touch(i);
    return true;
}

bool mgi_memory_outcome_fits(const struct memory *s, const struct item *i, size_t more)
{
    size_t all = s->max_bytes / STORE_OUTCOMES, one = all / STORE_SHARE;
    return s->max_bytes == 0 ||
           (s->outcome_bytes + more <= all && i->holder->outcome_bytes + more <= one);
}

/* ---- what goes ---------------------------------------------------------------------------------
 */

bool mgi_memory_is_over(const struct item *i, int64_t now_ns)
{
    return i->state != ITEM_BEGUN && now_ns > i->gone_after_ns;
}

void mgi_memory_drop_over(struct memory *s, struct item *i)
{
    if (i->key[0] == 'n' && i->issued_ns > s->forgotten_ns)
        s->forgotten_ns = i->issued_ns;
    mgi_memory_drop(s, i);
}

static void sweep_kind(struct memory *s, bool outcomes, int64_t *last_ns, int64_t now_ns)
{
    if (!mgi_store_sweep_is_due(*last_ns, now_ns))
        return;
    *last_ns = now_ns;
    for (size_t k = 0; k < s->slot_count; k++)
        for (struct item *i = s->slots[k], *next; i; i = next) {
            next = i->chain;
            if ((i->key[0] == 'o') != outcomes)
                continue;
            if (mgi_memory_is_over(i, now_ns))
                mgi_memory_drop_over(s, i);
            else if (i->key[0] == 'm' && now_ns > i->keep_until_ns)
                drop_value(s, i);
        }
}

void mgi_memory_sweep(struct memory *s, int64_t now_ns)
{
    sweep_kind(s, false, &s->last_sweep_ns, now_ns);
}

void mgi_memory_sweep_outcomes(struct memory *s, int64_t steady_ns)
{
    sweep_kind(s, true, &s->last_outcome_sweep_ns, steady_ns);
}

/* The least recently used definition of `h` goes. False: there is none but `but`; `h` may be gone
 * with its last one. */
static bool drop_oldest(struct memory *s, const struct holder *h, const struct item *but)
{
    struct item *i = h->oldest == but ? but->newer : h->oldest;
    if (i)
        mgi_memory_drop(s, i);
    return i != NULL;
}

void mgi_memory_keep_share(struct memory *s, const struct item *but)
{
    const struct holder *h = but->holder;
    while (s->max_bytes > 0 && h->bytes > s->max_share && drop_oldest(s, h, but))
        ;
}

/* Give up definitions of all who have more than `bytes`, until what is kept fits into `wanted`. */
static void level(struct memory *s, size_t bytes, size_t wanted, const struct item *but)
{
    for (struct holder *h = s->holders, *next; h && s->bytes > wanted; h = next) {
        next = h->next;
        bool last = false; /* `h` goes with it */
        while (!last && h->bytes > bytes && s->bytes > wanted) {
            last = h->newest == h->oldest;
            if (!drop_oldest(s, h, but))
                break;
        }
    }
}

bool mgi_memory_make_room(struct memory *s, size_t more, const struct item *but)
{
    size_t most = 0, wanted = s->max_bytes - s->max_bytes / ROOM_AT_ONCE;
    if (s->max_bytes == 0 || s->bytes + more <= s->max_bytes)
        return true;
    wanted = wanted > more ? wanted - more : 0;
    for (const struct holder *h = s->holders; h; h = h->next)
        most = h->bytes > most ? h->bytes : most;
    for (; most > 0 && s->bytes > wanted; most /= 2)
        level(s, most / 2, wanted, but);
    return s->bytes + more <= s->max_bytes;
}

/* ---- beginning and end -------------------------------------------------------------------------
 */

bool mgi_memory_init(struct memory *s)
{
    s->slots = mgi_calloc(FIRST_SLOTS, sizeof(struct item *));
    s->slot_count = FIRST_SLOTS;
    s->last_sweep_ns = s->last_outcome_sweep_ns = INT64_MAX;
    s->forgotten_ns = INT64_MIN;
    return s->slots != NULL;
}

void mgi_memory_fini(struct memory *s)
{
    for (size_t k = 0; s->slots && k < s->slot_count; k++)
        while (s->slots[k])
            mgi_memory_drop(s, s->slots[k]);
    mgi_free(s->slots);
}
