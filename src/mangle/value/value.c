/* The table of values: making, finding again, forgetting. See value.h for the words and
 * value_int.h for the entries.
 *
 * Interning looks a candidate up by content, in the shared table first, and adds it only if it is
 * nowhere: O(1) for scalars and cells, O(n log n) for a map of n entries. A candidate that refers
 * to an overlay word cannot be in the shared table, and is not looked for there. */
#include "mangle/value/value_int.h"

#include <assert.h>

#include "base/alloc.h"

#define FIRST_SLOTS  256
#define KEEP_ENTRIES ((size_t)1 << 20) /* a reset gives arrays beyond this back */

/* ---- hashing and equality ------------------------------------------------------------------ */

static uint32_t value_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b >> 32) ^ (b << 32)) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

static bool kind_is_text(enum mangle_kind kind)
{
    return kind <= MANGLE_BYTES;
}

static bool kind_is_run(enum mangle_kind kind)
{
    return kind == MANGLE_MAP || kind == MANGLE_STRUCT;
}

static uint64_t run_hash(uint64_t hash, mangle_value key, mangle_value value)
{
    hash = (hash ^ ((uint64_t)key << 32 | value)) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* The M-VAL hash is not used for finding: long lists with the same head all get the same one. */
uint32_t mgi_value_content_hash(const struct value_candidate *c)
{
    const struct value_entry *e = &c->entry;
    enum mangle_kind kind = entry_kind(e);
    if (kind_is_text(kind))
        return value_mix(e->hash, kind);
    if (!kind_is_run(kind))
        return value_mix((uint64_t)e->integer, kind);
    assert(c->words || e->count == 0);
    uint64_t hash = 0;
    for (size_t i = 0; i < e->count; i++)
        hash = run_hash(hash, c->words[2 * i], c->words[2 * i + 1]);
    return value_mix(hash, kind);
}

/* The same for an entry of the table, whose words are in the items behind it. */
static uint32_t entry_hash(const struct value_entry *e)
{
    struct value_candidate c = { .entry = *e };
    enum mangle_kind kind = entry_kind(e);
    if (!kind_is_run(kind))
        return mgi_value_content_hash(&c);
    uint64_t hash = 0;
    for (size_t i = 1; i <= e->count; i++)
        hash = run_hash(hash, e[i].cell.first, e[i].cell.second);
    return value_mix(hash, kind);
}

static bool value_same_run(const struct value_entry *head, const mangle_value *words)
{
    for (uint32_t i = 0; i < head->count; i++)
        if (head[1 + i].cell.first != words[2 * i] || head[1 + i].cell.second != words[2 * i + 1])
            return false;
    return true;
}

static bool value_same_content(const struct value_entry *e, const struct value_candidate *c)
{
    enum mangle_kind kind = entry_kind(e);
    if (kind != entry_kind(&c->entry))
        return false;
    if (kind_is_text(kind))
        return str_eq(entry_text(e), entry_text(&c->entry));
    if (kind_is_run(kind))
        return e->count == c->entry.count && value_same_run(e, c->words);
    return e->integer == c->entry.integer; /* floats and cells too: the bits are compared */
}

static mangle_value values_find(const mangle_values *t, const struct value_candidate *c,
                                uint32_t hash)
{
    if (t->slot_cap == 0)
        return MANGLE_NONE;
    size_t mask = t->slot_cap - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct value_slot s = t->slots[i];
        if (s.value == MANGLE_NONE)
            return MANGLE_NONE;
        if (s.hash == hash && value_same_content(&t->entries[s.value & ~VALUE_OVERLAY], c))
            return s.value;
    }
}

/* ---- adding -------------------------------------------------------------------------------- */

mangle_value mgi_values_fail(mangle_values *t, enum values_fault fault)
{
    if (t->fault == VALUES_OK)
        t->fault = fault;
    return MANGLE_NONE;
}

static void value_slot_put(struct value_slot *slots, size_t cap, struct value_slot s)
{
    size_t i = s.hash & (cap - 1);
    while (slots[i].value != MANGLE_NONE)
        i = (i + 1) & (cap - 1);
    slots[i] = s;
}

static bool values_reserve_slot(mangle_values *t)
{
    if ((t->slot_used + 1) * 2 <= t->slot_cap)
        return true;
    size_t cap = t->slot_cap ? t->slot_cap * 2 : FIRST_SLOTS;
    struct value_slot *slots = mgi_calloc(cap, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < t->slot_cap; i++)
        if (t->slots[i].value != MANGLE_NONE)
            value_slot_put(slots, cap, t->slots[i]);
    mgi_free(t->slots);
    t->slots = slots;
    t->slot_cap = cap;
    return true;
}

/* Room for what `e` needs, or the reason why there is none. */
static enum values_fault values_reserve(mangle_values *t, const struct value_entry *e)
{
    enum mangle_kind kind = entry_kind(e);
    size_t entries = kind_is_run(kind) ? (size_t)e->count + 1 : 1;
    size_t text = kind_is_text(kind) ? (size_t)e->count + 1 : 0;
    if (entries > VALUES_MAX_ENTRIES - t->count)
        return VALUES_LIMIT;
    if (t->limit) {
        size_t used = mgi_values_bytes(t);
        size_t more = entries * sizeof *e + 2 * sizeof(struct value_slot) + text;
        if (used > t->limit || more > t->limit - used)
            return VALUES_LIMIT;
    }
    if (!mgi_grow(&t->entries, &t->cap, t->count + entries, sizeof *t->entries))
        return VALUES_NOMEM;
    return values_reserve_slot(t) ? VALUES_OK : VALUES_NOMEM;
}

static uint32_t deeper_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Nesting: a list is one deeper than its deepest element, however long it is. */
static uint32_t value_content_depth(const mangle_values *t, const struct value_candidate *c)
{
    const struct value_entry *e = &c->entry;
    uint32_t depth = 0;
    switch (entry_kind(e)) {
    case MANGLE_PAIR:
        return 1 + deeper_of(mgi_value_depth(t, e->cell.first), mgi_value_depth(t, e->cell.second));
    case MANGLE_LIST:
        return deeper_of(1 + mgi_value_depth(t, e->cell.first), mgi_value_depth(t, e->cell.second));
    case MANGLE_MAP:
    case MANGLE_STRUCT:
        for (size_t i = 0; i < 2 * (size_t)e->count; i++)
            depth = deeper_of(depth, mgi_value_depth(t, c->words[i]));
        return 1 + depth;
    default:
        return 0;
    }
}

static unsigned hash_code(enum mangle_kind kind)
{
    return 7 + (unsigned)(kind - MANGLE_PAIR); /* pair 7, list 8, map 9, struct 10 */
}

/* The hash of M-VAL-32 of a cell or run. */
static uint64_t stored_hash(const mangle_values *t, const struct value_candidate *c)
{
    const struct value_entry *e = &c->entry;
    unsigned code = hash_code(entry_kind(e));
    if (e->count == 0)
        return 0; /* [], fn:map(), {} */
    if (!kind_is_run(entry_kind(e)))
        return mgi_hash_cell(mgi_value_hash(t, e->cell.first), mgi_value_hash(t, e->cell.second),
                             code);
    assert(c->words);
    uint64_t hash = 0;
    for (size_t i = e->count; i-- > 0;) {
        uint64_t item =
            mgi_hash_cell(mgi_value_hash(t, c->words[2 * i]),
                          mgi_value_hash(t, c->words[2 * i + 1]), hash_code(MANGLE_PAIR));
        hash = mgi_hash_cell(item, hash, code);
    }
    return hash;
}

static void append_items(mangle_values *t, const struct value_candidate *c)
{
    for (uint32_t i = 0; i < c->entry.count; i++)
        t->entries[t->count++] = (struct value_entry){
            .shape = KIND_ITEM,
            .count = c->entry.count - 1 - i,
            .cell = { c->words[2 * i], c->words[2 * i + 1] },
            .hash = c->ranks[i],
        };
}

static mangle_value values_add(mangle_values *t, const struct value_candidate *c, uint32_t hash)
{
    assert(!t->frozen);
    struct value_entry e = c->entry;
    enum mangle_kind kind = entry_kind(&e);
    uint32_t depth = value_content_depth(t, c);
    if (depth > VALUE_MAX_DEPTH)
        return mgi_values_fail(t, VALUES_TOO_DEEP);
    enum values_fault fault = values_reserve(t, &e);
    if (fault)
        return mgi_values_fail(t, fault);
    if (kind_is_text(kind)) {
        e.text = mgi_arena_str(&t->text, entry_text(&e)).ptr;
        if (!e.text)
            return mgi_values_fail(t, VALUES_NOMEM);
    } else if (kind >= MANGLE_PAIR) {
        e.hash = stored_hash(t, c);
    }
    e.shape = (uint32_t)kind | depth << 8;

    mangle_value v = (mangle_value)t->count | (t->overlay ? VALUE_OVERLAY : 0);
    t->entries[t->count++] = e;
    if (kind_is_run(kind))
        append_items(t, c);
    value_slot_put(t->slots, t->slot_cap, (struct value_slot){ hash, v });
    t->slot_used++;
    return v;
}

static bool is_overlay_word(mangle_value v)
{
    return !mgi_value_is_small(v) && (v & VALUE_OVERLAY);
}

static bool refers_to_overlay(const struct value_candidate *c)
{
    const struct value_entry *e = &c->entry;
    enum mangle_kind kind = entry_kind(e);
    if (kind_is_run(kind)) {
        for (size_t i = 0; i < 2 * (size_t)e->count; i++)
            if (is_overlay_word(c->words[i]))
                return true;
        return false;
    }
    return kind >= MANGLE_PAIR &&
           (is_overlay_word(e->cell.first) || is_overlay_word(e->cell.second));
}

mangle_value mgi_values_intern_hashed(mangle_values *t, const struct value_candidate *c,
                                      uint32_t hash)
{
    mangle_value v = MANGLE_NONE;
    if (t->overlay && !refers_to_overlay(c))
        v = values_find(t->shared, c, hash);
    if (v == MANGLE_NONE)
        v = values_find(t, c, hash);
    return v != MANGLE_NONE ? v : values_add(t, c, hash);
}

mangle_value mgi_values_intern(mangle_values *t, const struct value_candidate *c)
{
    return mgi_values_intern_hashed(t, c, mgi_value_content_hash(c));
}

/* ---- tables -------------------------------------------------------------------------------- */

/* ---- tables -------------------------------------------------------------------------------- */

static mangle_value intern_empty(mangle_values *t, enum mangle_kind kind)
{
    return mgi_values_intern(t, &(struct value_candidate){ .entry.shape = kind });
}

/* The values of fixed words. */
static bool values_seed(mangle_values *t)
{
    if (!mgi_grow(&t->entries, &t->cap, 64, sizeof *t->entries))
        return false;
    t->entries[0] = (struct value_entry){ .shape = MANGLE_NUMBER };
    return intern_empty(t, MANGLE_LIST) == VALUE_NIL &&
           intern_empty(t, MANGLE_MAP) == VALUE_EMPTY_MAP &&
           intern_empty(t, MANGLE_STRUCT) == VALUE_EMPTY_STRUCT &&
           mangle_name(t, "/true", 5) == VALUE_TRUE && mangle_name(t, "/false", 6) == VALUE_FALSE;
}

mangle_values *mgi_values_new(const mangle_values *parent, size_t limit_bytes)
{
    assert(!parent || (parent->frozen && !parent->overlay));
    mangle_values *t = mgi_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    mgi_arena_init(&t->text, 0);
    t->shared = parent ? parent : t;
    t->overlay = parent != NULL;
    t->count = 1;
    if (!parent && !values_seed(t)) {
        mgi_values_free(t);
        return NULL;
    }
    t->limit = limit_bytes;
    return t;
}

void mgi_values_free(mangle_values *t)
{
    if (!t)
        return;
    mgi_arena_fini(&t->text);
    mgi_free(t->entries);
    mgi_free(t->slots);
    mgi_free(t);
}

static void values_drop_arrays(mangle_values *t)
{
    mgi_free(t->entries);
    mgi_free(t->slots);
    t->entries = NULL;
    t->slots = NULL;
    t->cap = t->slot_cap = 0;
}

static void values_clear_slot(mangle_values *t, size_t index)
{
    mangle_value v = (mangle_value)index | VALUE_OVERLAY;
    size_t i = entry_hash(&t->entries[index]) & (t->slot_cap - 1);
    while (t->slots[i].value != v) /* it is there: empty slots on the way were cleared before */
        i = (i + 1) & (t->slot_cap - 1);
    t->slots[i].value = MANGLE_NONE;
}

/* Costs what was interned, not what there is room for: a request of ten values after one of a
 * million must not pay for the million. */
static void values_clear_slots(mangle_values *t)
{
    if (t->slot_used > t->slot_cap / 8) {
        memset(t->slots, 0, t->slot_cap * sizeof *t->slots);
        return;
    }
    for (size_t i = 1; i < t->count; i++)
        if ((t->entries[i].shape & 0xff) != KIND_ITEM)
            values_clear_slot(t, i);
}

void mgi_values_reset(mangle_values *t)
{
    assert(t->overlay);
    if (t->cap > KEEP_ENTRIES)
        values_drop_arrays(t);
    else
        values_clear_slots(t);
    t->count = 1;
    t->slot_used = 0;
    t->fault = VALUES_OK;
    mgi_arena_reset(&t->text);
}

void mgi_values_freeze(mangle_values *t)
{
    t->frozen = true;
}

size_t mgi_values_bytes(const mangle_values *t)
{
    return t->text.used + t->count * sizeof *t->entries + t->slot_used * 2 * sizeof *t->slots;
}

enum values_fault mgi_values_fault(const mangle_values *t)
{
    return t->fault;
}

void mgi_values_clear_fault(mangle_values *t)
{
    t->fault = VALUES_OK;
}

mangle_values *mgi_values_clone(const mangle_values *t)
{
    assert(t->frozen && !t->overlay);
    mangle_values *copy = mgi_calloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    mgi_arena_init(&copy->text, 0);
    copy->shared = copy;
    copy->limit = t->limit;
    if (!mgi_grow(&copy->entries, &copy->cap, t->count, sizeof *t->entries) ||
        !(copy->slots = mgi_calloc(t->slot_cap, sizeof *t->slots))) {
        mgi_values_free(copy);
        return NULL;
    }
    memcpy(copy->entries, t->entries, t->count * sizeof *t->entries);
    memcpy(copy->slots, t->slots, t->slot_cap * sizeof *t->slots);
    copy->count = t->count;
    copy->slot_cap = t->slot_cap;
    copy->slot_used = t->slot_used;
    return copy;
}

/* ---- constructors: scalars and cells ------------------------------------------------------- */

static mangle_value intern_text(mangle_values *t, enum mangle_kind kind, const void *text,
                                size_t len)
{
    if (len >= UINT32_MAX)
        return mgi_values_fail(t, VALUES_LIMIT);
    return mgi_values_intern(
        t, &(struct value_candidate){ .entry = { .shape = kind,
                                                 .count = (uint32_t)len,
                                                 .text = text,
                                                 .hash = mgi_hash_bytes(text, len, 0) } });
}

bool mgi_values_string_ok(struct str s)
{
    if (s.len < 2 || s.ptr[0] != '/' || s.ptr[s.len - 1] == '/')
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == '"' || (s.ptr[i] == '/' && s.ptr[i + 1] == '/'))
            return false;
    return true;
}

mangle_value mangle_name(mangle_values *t, const char *text, size_t len)
{
    if (!mgi_values_string_ok((struct str){ text, len }))
        return MANGLE_NONE;
    return intern_text(t, MANGLE_NAME, text, len);
}

mangle_value mangle_string(mangle_values *t, const char *text, size_t len)
{
    return intern_text(t, MANGLE_STRING, text, len);
}

mangle_value mangle_bytes(mangle_values *t, const void *bytes, size_t len)
{
    return intern_text(t, MANGLE_BYTES, bytes, len);
}

static mangle_value intern_integer(mangle_values *t, enum mangle_kind kind, int64_t n)
{
    return mgi_values_intern(t,
                             &(struct value_candidate){ .entry = { .shape = kind, .integer = n } });
}

mangle_value mangle_number(mangle_values *t, int64_t n)
{
    if (n >= VALUE_SMALL_MIN && n <= VALUE_SMALL_MAX)
        return VALUE_SMALL | ((mangle_value)n & ~VALUE_SMALL);
    return intern_integer(t, MANGLE_NUMBER, n);
}

mangle_value mangle_float(mangle_values *t, double d)
{
    return mgi_values_intern(
        t, &(struct value_candidate){ .entry = { .shape = MANGLE_FLOAT, .real = d } });
}

mangle_value mangle_time(mangle_values *t, int64_t ns)
{
    return intern_integer(t, MANGLE_TIME, ns);
}

mangle_value mangle_duration(mangle_values *t, int64_t ns)
{
    return intern_integer(t, MANGLE_DURATION, ns);
}

mangle_value mangle_bool(mangle_values *t, bool b)
{
    (void)t;
    return b ? VALUE_TRUE : VALUE_FALSE;
}

mangle_value mangle_pair(mangle_values *t, mangle_value first, mangle_value second)
{
    if (first == MANGLE_NONE || second == MANGLE_NONE)
        return MANGLE_NONE;
    return mgi_values_intern(
        t, &(struct value_candidate){
               .entry = { .shape = MANGLE_PAIR, .count = 2, .cell = { first, second } } });
}

mangle_value mgi_value_cons(mangle_values *t, mangle_value head, mangle_value tail)
{
    if (head == MANGLE_NONE || tail == MANGLE_NONE)
        return MANGLE_NONE;
    assert(mangle_kind_of(t, tail) == MANGLE_LIST);
    uint32_t count = entry_of(t, tail)->count + 1;
    return mgi_values_intern(
        t, &(struct value_candidate){
               .entry = { .shape = MANGLE_LIST, .count = count, .cell = { head, tail } } });
}

mangle_value mangle_list(mangle_values *t, const mangle_value *items, size_t count)
{
    mangle_value list = VALUE_NIL;
    for (size_t i = count; i-- > 0 && list != MANGLE_NONE;)
        list = mgi_value_cons(t, items[i], list);
    return list;
}
