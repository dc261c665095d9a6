/* The nearest name: edit distance with swaps (optimal string alignment), over bytes without regard
 * to ASCII case. Bounded by NEAR_MAX_LEN on both sides, so a text of an outsider cannot make it
 * slow. */
#include "base/near.h"

#include <stdint.h>

#define NEAR_MAX_LEN 64

static int folded(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t mgi_edit_distance(struct str a, struct str b, size_t most)
{
    size_t apart = a.len > b.len ? a.len - b.len : b.len - a.len;
    if (a.len > NEAR_MAX_LEN || b.len > NEAR_MAX_LEN || apart > most)
        return SIZE_MAX;
    size_t rows[3][NEAR_MAX_LEN + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.len; j++)
        above[j] = before[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            int x = folded(a.ptr[i - 1]), y = folded(b.ptr[j - 1]);
            size_t best = least_of(above[j - 1] + (x != y), least_of(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == folded(b.ptr[j - 2]) && y == folded(a.ptr[i - 2]))
                best = least_of(best, before[j - 2] + 1);
            row[j] = best;
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b.len] <= most ? above[b.len] : SIZE_MAX;
}

size_t mgi_edit_tolerance(size_t len)
{
    return len <= 2 ? 0 : len <= 5 ? 1 : len <= 9 ? 2 : 3;
}

/* ---- choosing ---------------------------------------------------------------------------- */

/* What follows the last '.' or ':': b of a.b and fn:a:b. */
static struct str last_part(struct str name)
{
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != '.' && name.ptr[at - 1] != ':')
        at--;
    return (struct str){ name.ptr + at, name.len - at };
}

static bool comes_first(struct str a, struct str b)
{
    size_t shorter = least_of(a.len, b.len);
    int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;
    return order ? order < 0 : a.len < b.len;
}

struct near mgi_near(struct str wanted)
{
    return (struct near){ .wanted = wanted, .rank = SIZE_MAX };
}

bool mgi_near_try(struct near *n, struct str candidate)
{
    if (candidate.len == 0 || str_eq(n->wanted, candidate))
        return false;
    struct str part = last_part(n->wanted);
    size_t most = mgi_edit_tolerance(part.len);
    if (most == 0 && n->wanted.len > part.len)
        most = 1; /* fn:list:gt */
    size_t rank = mgi_edit_distance(n->wanted, candidate, most);
    if (rank == SIZE_MAX && part.len > 2 && str_eq(part, last_part(candidate)))
        rank = NEAR_MAX_LEN; /* the right word in another place: behind all misspellings */
    if (rank == SIZE_MAX || rank > n->rank)
        return false;
    if (rank == n->rank && !comes_first(candidate, n->best))
        return false;
    n->best = candidate;
    n->rank = rank;
    return true;
}
