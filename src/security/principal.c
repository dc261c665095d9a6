/* Principals: one block of memory each, with everything it points to behind it. */
#include "security/principal.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/encode.h"
#include "sys/digest.h"

#define KEY_DIGEST_HEX 32 /* characters of the digest in a key: nobody chooses what is in it */

/* An identity never holds control characters (auth.c), so these are nobody's identity. */
#define LOCAL_CALLER "\x01local"
#define ANONYMOUS_CALLER                                                                           \
    "\x01"                                                                                         \
    "anonymous"

const struct principal mgi_principal_local = { .kind = PRINCIPAL_LOCAL,
                                               .identity = { "local", 5 },
                                               .expires_ns = INT64_MAX };
const struct principal mgi_principal_anonymous = { .kind = PRINCIPAL_ANONYMOUS,
                                                   .identity = { "", 0 },
                                                   .expires_ns = INT64_MAX };

/* ---- keys ---------------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return mgi_str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* The texts as a set, each behind its length, so that none runs into the next. */
static void put_set(struct buf *out, const struct str *list, size_t count)
{
    struct str *sorted = mgi_alloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        out->oom = true;
        return;
    }
    if (count > 0)
        memcpy(sorted, list, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_texts);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(sorted[i], sorted[i - 1])) {
            mgi_buf_printf(out, "%zu:", sorted[i].len);
            mgi_buf_str(out, sorted[i]);
        }
    mgi_buf_putc(out, ';');
    mgi_free(sorted);
}

/* What it may do, whatever its name. */
static bool digest_rights(const struct principal *p, char hex[2 * SHA256_BYTES + 1])
{
    struct buf text = { 0 };
    uint8_t digest[SHA256_BYTES];
    put_set(&text, p->permissions, p->permission_count);
    put_set(&text, p->auto_confirm, p->auto_confirm_count);
    put_set(&text, &p->issuer, 1);
    mgi_buf_putc(&text, p->automated ? 'a' : 'p');
    bool ok = !text.oom && mgi_sha256(text.ptr, text.len, digest);
    mgi_buf_fini(&text);
    if (ok)
        mgi_hex(digest, sizeof digest, hex);
    return ok;
}

static struct str caller_of_kind(const struct principal *p)
{
    switch (p->kind) {
    case PRINCIPAL_KNOWN:
        return p->identity;
    case PRINCIPAL_LOCAL:
        return STR_LIT(LOCAL_CALLER);
    default:
        return STR_LIT(ANONYMOUS_CALLER);
    }
}

/* The caller, and what tells it apart from others of its name. */
static size_t put_key(struct buf *out, const struct principal *f)
{
    char hex[2 * SHA256_BYTES + 1];
    mgi_buf_str(out, caller_of_kind(f));
    size_t caller_len = out->len;
    mgi_buf_putc(out, PRINCIPAL_KEY_MARK);
    if (digest_rights(f, hex))
        mgi_buf_append(out, hex, KEY_DIGEST_HEX);
    else
        out->oom = true;
    return caller_len;
}

/* ---- making ---------------------------------------------------------------------------------- */

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

static struct principal *copy_with_key(const struct principal *f, struct str key, size_t caller_len)
{
    size_t lists = (f->permission_count + f->auto_confirm_count) * sizeof(struct str);
    size_t bytes = f->identity.len + f->confirm_key.len + f->credential.len + f->issuer.len +
                   key.len + bytes_of(f->permissions, f->permission_count) +
                   bytes_of(f->auto_confirm, f->auto_confirm_count);
    struct principal *p = mgi_alloc(sizeof *p + lists + bytes);
    if (!p)
        return NULL;
    struct str *list = (struct str *)(p + 1);
    char *end = (char *)(p + 1) + lists;
    p->kind = f->kind;
    p->automated = f->automated;
    p->makes_confirmations = f->makes_confirmations;
    p->by_certificate = f->by_certificate;
    p->not_before_ns = f->not_before_ns;
    p->expires_ns = f->expires_ns;
    p->permission_count = f->permission_count;
    p->auto_confirm_count = f->auto_confirm_count;
    p->caller_len = caller_len;
    p->permissions = put_list(list, &end, f->permissions, f->permission_count);
    p->auto_confirm =
        put_list(list + f->permission_count, &end, f->auto_confirm, f->auto_confirm_count);
    p->identity = put(&end, f->identity);
    p->confirm_key = put(&end, f->confirm_key);
    p->credential = put(&end, f->credential);
    p->issuer = put(&end, f->issuer);
    p->key = put(&end, key);
    atomic_init(&p->refs, 1);
    return p;
}

struct principal *mgi_principal_new(const struct principal *fields)
{
    struct buf key = { 0 };
    size_t caller_len = put_key(&key, fields);
    struct principal *p = key.oom ? NULL : copy_with_key(fields, mgi_buf_view(&key), caller_len);
    mgi_buf_fini(&key);
    return p;
}

struct principal *mgi_principal_stranger(struct str origin, struct str session)
{
    struct buf key = { 0 };
    mgi_buf_puts(&key, ANONYMOUS_CALLER "@");
    mgi_buf_str(&key, origin);
    size_t caller_len = key.len;
    mgi_buf_putc(&key, PRINCIPAL_KEY_MARK);
    mgi_buf_str(&key, session);
    struct principal *p =
        key.oom ? NULL : copy_with_key(&mgi_principal_anonymous, mgi_buf_view(&key), caller_len);
    mgi_buf_fini(&key);
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

/* ---- questions ------------------------------------------------------------------------------- */

/* A constant was not made here, and has no key of its own. */
struct str mgi_principal_key(const struct principal *p)
{
    return p->key.len > 0 ? p->key : caller_of_kind(p);
}

struct str mgi_principal_caller(const struct principal *p)
{
    return p->key.len > 0 ? (struct str){ p->key.ptr, p->caller_len } : caller_of_kind(p);
}

bool mgi_principal_is(const struct principal *a, const struct principal *b)
{
    return a->kind == b->kind && str_eq(mgi_principal_key(a), mgi_principal_key(b));
}

bool mgi_principal_is_caller(const struct principal *a, const struct principal *b)
{
    return a->kind == b->kind && str_eq(mgi_principal_caller(a), mgi_principal_caller(b));
}

bool mgi_principal_may(const struct principal *p, const char *permission)
{
    for (size_t i = 0; p && i < p->permission_count; i++)
        if (str_is(p->permissions[i], permission))
            return true;
    return false;
}

bool mgi_principal_may_ask_why(const struct principal *p)
{
    return p->kind == PRINCIPAL_LOCAL || mgi_principal_may(p, "why_not");
}

bool mgi_principal_expired(const struct principal *p, int64_t now_ns)
{
    return now_ns >= p->expires_ns;
}
