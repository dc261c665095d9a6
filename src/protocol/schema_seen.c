/* Which members or items of one object or array have been judged: a bit each. What the keywords of
 * a schema have judged is joined when the schema holds, and thrown away when it does not. */
#include "protocol/schema_int.h"

#include "base/alloc.h"

static size_t words_of(const struct schema_seen *s)
{
    return ((size_t)s->instance->count + 63) / 64;
}

bool mgi_schema_seen_init(struct schema_seen *s, const struct json *instance)
{
    *s = (struct schema_seen){ .instance = instance };
    s->bits = words_of(s) <= 1 ? &s->few : mgi_calloc(words_of(s), sizeof *s->bits);
    return s->bits;
}

void mgi_schema_seen_fini(struct schema_seen *s)
{
    if (s->bits != &s->few)
        mgi_free(s->bits);
}

void mgi_schema_seen_all(struct schema_seen *s, size_t count)
{
    count = count < s->instance->count ? count : s->instance->count;
    size_t i = 0;
    for (; i + 64 <= count; i += 64)
        s->bits[i / 64] = UINT64_MAX;
    for (; i < count; i++)
        schema_seen_one(s, i);
}

void mgi_schema_seen_join(struct schema_seen *s, const struct schema_seen *other)
{
    for (size_t i = 0; i < words_of(s); i++)
        s->bits[i] |= other->bits[i];
    s->unsure |= other->unsure;
}
