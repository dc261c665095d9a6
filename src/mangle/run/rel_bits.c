/* A bitmap of a dense relation of two columns: whether a pair is known is a bit of a map that fits
 * a cache, where the set of rows is a line of memory for each question. Most derivations of a dense
 * closure are known already.
 *
 * Words are ids that are given in order, so those of one column mostly stand in a narrow range: a
 * pair's bit is found by the distance of its words from the lowest of their columns. Whether there
 * is a map is decided again whenever there are a quarter more rows: if it takes no more than
 * BITS_A_ROW bits a row, and with room for words that go on if that does not either. While all rows
 * are in its range it stands for the set of rows, which is left behind; a row out of range ends
 * that, and the set is brought up to date by whoever needs it next. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel.h"

#define ROWS_MIN        512
#define BITS_ALWAYS_MAX 100000 /* words, in a test */
#define BITS_A_ROW      128    /* at most; a slot of the set takes 144 or more */
#define ROWS_A_LOOK     256

void mgi_bits_drop(struct bits *b)
{
    mgi_free(b->map);
    *b = (struct bits){ 0 };
}

size_t mgi_bits_bytes(const struct bits *b)
{
    return b->map ? b->stride * b->count[0] * sizeof *b->map : 0;
}

bool mgi_bits_due(const struct rel *rel)
{
    return rel->arity == 2 && !rel->bits.whole && rel->count >= rel->bits.next &&
           rel->count >= (rel->bits_always ? 1 : ROWS_MIN) && !rel->below && !rel->temporal &&
           !rel->lattice;
}

static void see(struct bits *b, const uint32_t *words, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++, words += 2)
        for (int i = 0; i < 2; i++) {
            b->least[i] = words[i] < b->least[i] ? words[i] : b->least[i];
            b->most[i] = words[i] > b->most[i] ? words[i] : b->most[i];
        }
}

static bool see_rows(const struct rel *rel, struct bits *b, const struct pace *pace)
{
    if (b->seen == 0)
        b->least[0] = b->least[1] = UINT32_MAX;
    while (b->seen < rel->count) {
        uint32_t left = rel->count - b->seen, count = left < ROWS_A_LOOK ? left : ROWS_A_LOOK;
        see(b, rel->rows + (size_t)b->seen * 2, count);
        b->seen += count;
        if (!mgi_pace(pace, count))
            return false;
    }
    return true;
}

/* Words of a map with so much more room above what was seen; more than is allowed: SIZE_MAX. */
static size_t words_for(const struct rel *rel, const struct bits *b, const unsigned *more,
                        uint64_t *spans)
{
    size_t most = (size_t)rel->count * BITS_A_ROW / 64;
    if (rel->bits_always && most < BITS_ALWAYS_MAX)
        most = BITS_ALWAYS_MAX;
    for (int i = 0; i < 2; i++) {
        spans[i] = ((uint64_t)(b->most[i] - b->least[i]) + 1) << more[i];
        if (spans[i] > UINT32_MAX)
            return SIZE_MAX;
    }
    uint64_t stride = (spans[1] + 63) / 64;
    return stride > most / spans[0] ? SIZE_MAX : (size_t)(stride * spans[0]);
}

/* The map's form, the widest that is allowed; 0: not dense. */
static size_t lay_out(const struct rel *rel, struct bits *b)
{
    static const unsigned more[][2] = { { 1, 1 }, { 0, 1 }, { 1, 0 }, { 0, 0 } };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        uint64_t spans[2];
        size_t words = words_for(rel, b, more[i], spans);
        if (words == SIZE_MAX)
            continue;
        for (int c = 0; c < 2; c++) {
            b->low[c] = b->least[c];
            b->count[c] = (uint32_t)spans[c];
        }
        b->stride = (size_t)((spans[1] + 63) / 64);
        return words;
    }
    return 0;
}

static bool fill(const struct rel *rel, struct bits *b, const struct pace *pace)
{
    for (uint32_t row = 0; row < rel->count; row++) {
        mgi_bits_set(b, rel->rows + (size_t)row * 2);
        if (row % ROWS_A_LOOK == ROWS_A_LOOK - 1 && !mgi_pace(pace, ROWS_A_LOOK))
            return false;
    }
    return true;
}

bool mgi_bits_make(struct rel *rel, const uint32_t *words, uint32_t count, const struct pace *pace)
{
    struct bits *b = &rel->bits;
    b->next = rel->count < UINT32_MAX / 2 ? rel->count + rel->count / 4 + 1 : UINT32_MAX;
    mgi_free(b->map);
    b->map = NULL;
    if (!see_rows(rel, b, pace))
        return false;
    if (b->whole)
        return true; /* `pace` had heads go in */
    see(b, words, count);
    size_t size = lay_out(rel, b);
    if (size == 0)
        return true;
    b->map = mgi_calloc(size, sizeof *b->map);
    if (!b->map)
        return true; /* the set answers */
    b->whole = true;
    if (fill(rel, b, pace))
        return true;
    mgi_free(b->map);
    b->map = NULL;
    b->whole = false;
    return false;
}

uint32_t mgi_bits_add(struct rel *rel, const uint32_t *words, uint32_t count)
{
    struct bits *b = &rel->bits;
    uint32_t *to = mgi_rel_extend(rel, count), added = 0, n = 0;
    if (!to)
        return UINT32_MAX;
    for (; n < count; n++, words += 2) {
        size_t word;
        uint64_t bit;
        if (!mgi_bits_at(b, words, &word, &bit))
            break;
        to[(size_t)added * 2] = words[0];
        to[(size_t)added * 2 + 1] = words[1];
        added += !(b->map[word] & bit);
        b->map[word] |= bit;
    }
    mgi_rel_took(rel, added);
    b->whole = n == count;
    return n;
}
