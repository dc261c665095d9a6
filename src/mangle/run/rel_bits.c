/* A bitmap of a dense relation of two columns, beside its set of rows: whether a pair is known is
 * then a bit of a map that fits a cache, where the set is a line of memory for each question. Most
 * derivations of a dense closure are known already.
 *
 * Words are ids that are given in order, so those of one column mostly stand in a narrow range: a
 * pair's bit is found by the distance of its words from the lowest of their columns. The map is
 * made anew whenever the set doubles, if it then takes no more than BITS_A_ROW bits a row; it holds
 * each row whose words are in its range. */
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/rel.h"

#define ROWS_MIN        512
#define BITS_ALWAYS_MAX 100000 /* words, in a test */
#define BITS_A_ROW      64     /* at most, when it is made: eight bytes beside a slot of twelve */

static void find_ranges(const struct rel *rel, struct bits *b)
{
    uint32_t low[2] = { UINT32_MAX, UINT32_MAX }, high[2] = { 0, 0 };
    for (uint32_t row = 0; row < rel->count; row++) {
        for (int i = 0; i < 2; i++) {
            uint32_t word = rel->rows[(size_t)row * 2 + (size_t)i];
            low[i] = word < low[i] ? word : low[i];
            high[i] = word > high[i] ? word : high[i];
        }
    }
    for (int i = 0; i < 2; i++) {
        b->low[i] = low[i];
        b->count[i] = high[i] - low[i] + 1;
    }
}

void mgi_bits_drop(struct bits *b)
{
    mgi_free(b->map);
    *b = (struct bits){ 0 };
}

void mgi_bits_make(struct rel *rel)
{
    struct bits *b = &rel->bits;
    if (rel->arity != 2 || rel->below || rel->temporal || rel->lattice ||
        rel->count < (rel->bits_always ? 1 : ROWS_MIN)) {
        mgi_bits_drop(b);
        return;
    }
    struct bits made = { 0 };
    find_ranges(rel, &made);
    made.stride = ((size_t)made.count[1] + 63) / 64;
    size_t words = made.stride * made.count[0];
    if (made.count[0] == 0 || made.count[1] == 0 ||
        (words / rel->count >= BITS_A_ROW / 64 && !(rel->bits_always && words < BITS_ALWAYS_MAX)))
        made.map = NULL;
    else
        made.map = mgi_calloc(words, sizeof *made.map); /* without it, the set answers */
    mgi_bits_drop(b);
    if (!made.map)
        return;
    *b = made;
    b->whole = true;
    for (uint32_t row = 0; row < rel->count; row++)
        mgi_bits_set(b, rel->rows + (size_t)row * 2);
}
