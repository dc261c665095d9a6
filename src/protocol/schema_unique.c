/* uniqueItems: items are told apart by 128 bits of hash, so the work is that of sorting. */
#include "protocol/schema_int.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

struct print {
    uint64_t a, b;
};

static struct print mix(struct print p, struct print q)
{
    uint64_t both[2] = { p.a ^ q.b, q.a + p.b };
    return (struct print){ mgi_hash_bytes(both, sizeof both, p.a ^ 0x51),
                           mgi_hash_bytes(both, sizeof both, p.b + 0xa7) };
}

static struct print print_bytes(const void *ptr, size_t len, uint64_t seed)
{
    return (struct print){ mgi_hash_bytes(ptr, len, seed), mgi_hash_bytes(ptr, len, ~seed) };
}

static struct print print_number(const struct json *v)
{
    if (v->type == JSON_HUGE)
        return print_bytes(v->text.ptr, v->text.len, 2);
    int64_t n = v->type == JSON_INT ? v->integer : 0;
    bool whole = v->type == JSON_INT;
    if (!whole && v->number >= -0x1p63 && v->number < 0x1p63 && floor(v->number) == v->number) {
        n = (int64_t)v->number; /* 1 and 1.0 are the same number */
        whole = true;
    }
    return whole ? print_bytes(&n, sizeof n, 3) : print_bytes(&v->number, sizeof v->number, 4);
}

/* Equal values have equal prints, whatever the order of members. Two different values with one
 * print do not occur by chance, and who makes them has only his own request refused. */
static struct print print_of(const struct json *v, size_t *work)
{
    struct print p = { (uint64_t)v->type + 10, v->count };
    *work += 1 + v->text.len / 16;
    switch (v->type) {
    case JSON_NULL:
        return p;
    case JSON_BOOL:
        return print_bytes(&v->boolean, sizeof v->boolean, 5);
    case JSON_STRING:
        return print_bytes(v->string.ptr, v->string.len, 6);
    case JSON_ARRAY:
        for (uint32_t i = 0; i < v->count; i++)
            p = mix(p, print_of(&v->items[i], work));
        return p;
    case JSON_OBJECT:
        for (uint32_t i = 0; i < v->count; i++) {
            struct str name = v->members[i].name;
            struct print m =
                mix(print_bytes(name.ptr, name.len, 7), print_of(&v->members[i].value, work));
            p.a += m.a;
            p.b += m.b;
        }
        return p;
    default:
        return print_number(v);
    }
}

static int compare_prints(const void *x, const void *y)
{
    const struct print *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

enum schema_match mgi_schema_unique(const struct json *array, size_t *work)
{
    if (array->count < 2)
        return MATCH_YES;
    struct print *prints = mgi_calloc(array->count, sizeof *prints);
    if (!prints)
        return MATCH_UNDECIDED;
    for (uint32_t i = 0; i < array->count; i++)
        prints[i] = print_of(&array->items[i], work);
    qsort(prints, array->count, sizeof *prints, compare_prints);
    bool unique = true;
    for (uint32_t i = 1; unique && i < array->count; i++)
        unique = compare_prints(&prints[i - 1], &prints[i]) != 0;
    mgi_free(prints);
    return unique ? MATCH_YES : MATCH_NO;
}
