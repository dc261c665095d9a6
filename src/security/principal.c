/* Principals: one block of memory each, with everything it points to behind it. */
#include "security/principal.h"

#include "base/alloc.h"

const struct principal mgi_principal_local = { .kind = PRINCIPAL_LOCAL,
                                               .identity = { "local", 5 },
                                               .expires_ns = INT64_MAX };
const struct principal mgi_principal_anonymous = { .kind = PRINCIPAL_ANONYMOUS,
                                                   .identity = { "", 0 },
                                                   .expires_ns = INT64_MAX };

static size_t bytes_of(const struct str *list, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += list[i].len;
    return bytes;
}

static struct str put(char **end, struct str s)
{
    struct str copy = { *end, s.len };
    if (s.len > 0)
        memcpy(*end, s.ptr, s.len);
    *end += s.len;
    return copy;
}

static const struct str *put_list(struct str *place, char **end, const struct str *list,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        place[i] = put(end, list[i]);
    return place;
}

struct principal *mgi_principal_new(const struct principal *f)
{
    size_t lists = (f->permission_count + f->auto_confirm_count) * sizeof(struct str);
    size_t bytes = f->identity.len + f->confirm_key.len + f->credential.len +
                   bytes_of(f->permissions, f->permission_count) +
                   bytes_of(f->auto_confirm, f->auto_confirm_count);
    struct principal *p = mgi_alloc(sizeof *p + lists + bytes);
    if (!p)
        return NULL;
    struct str *list = (struct str *)(p + 1);
    char *end = (char *)(p + 1) + lists;
    p->kind = f->kind;
    p->automated = f->automated;
    p->by_certificate = f->by_certificate;
    p->expires_ns = f->expires_ns;
    p->permission_count = f->permission_count;
    p->auto_confirm_count = f->auto_confirm_count;
    p->permissions = put_list(list, &end, f->permissions, f->permission_count);
    p->auto_confirm =
        put_list(list + f->permission_count, &end, f->auto_confirm, f->auto_confirm_count);
    p->identity = put(&end, f->identity);
    p->confirm_key = put(&end, f->confirm_key);
    p->credential = put(&end, f->credential);
    atomic_init(&p->refs, 1);
    return p;
}

/* Counting is the one thing that changes in an otherwise constant object. */
static struct principal *counted(const struct principal *p)
{
    struct principal *mutable = (struct principal *)(uintptr_t)p;
    return p && atomic_load_explicit(&mutable->refs, memory_order_relaxed) > 0 ? mutable : NULL;
}

const struct principal *mgi_principal_ref(const struct principal *p)
{
    struct principal *c = counted(p);
    if (c)
        atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
    return p;
}

void mgi_principal_unref(const struct principal *p)
{
    struct principal *c = counted(p);
    if (c && atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1)
        mgi_free(c);
}

/* An identity never holds control characters (auth.c), so these are nobody's identity. */
struct str mgi_principal_key(const struct principal *p)
{
    switch (p->kind) {
    case PRINCIPAL_KNOWN:
        return p->identity;
    case PRINCIPAL_LOCAL:
        return STR_LIT("\x01local");
    default:
        return STR_LIT("\x01"
                       "anonymous");
    }
}

bool mgi_principal_is(const struct principal *a, const struct principal *b)
{
    return a->kind == b->kind && str_eq(mgi_principal_key(a), mgi_principal_key(b));
}

bool mgi_principal_may(const struct principal *p, const char *permission)
{
    for (size_t i = 0; p && i < p->permission_count; i++)
        if (str_is(p->permissions[i], permission))
            return true;
    return false;
}

bool mgi_principal_expired(const struct principal *p, int64_t now_ns)
{
    return now_ns >= p->expires_ns;
}
