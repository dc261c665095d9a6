/* The idempotency cache: see idem.h. */
#include "toolhost/idem.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "toolhost/sizes.h"
#include "sys/digest.h"

/* The key is a SHA-256, so any eight bytes of it are as good as a hash. */
static struct idem_entry **bucket_of(struct idem_cache *c, size_t tool,
                                     const uint8_t key[SHA256_BYTES])
{
    uint64_t h;
    memcpy(&h, key, sizeof h);
    return &c->bucket[(h + tool) % IDEM_BUCKETS];
}

static size_t weight(const struct idem_entry *e)
{
    return e->outcome.output.len + e->outcome.error.len;
}

static bool is_expired(const struct idem_entry *e, int64_t now_ms)
{
    return now_ms - e->stored_ms >= IDEM_LIFE_MS;
}

static void unlink_use(struct idem_cache *c, struct idem_entry *e)
{
    *(e->newer ? &e->newer->older : &c->first) = e->older;
    *(e->older ? &e->older->newer : &c->last) = e->newer;
    e->newer = e->older = NULL;
}

static void push_first(struct idem_cache *c, struct idem_entry *e)
{
    e->newer = NULL;
    e->older = c->first;
    *(c->first ? &c->first->newer : &c->last) = e;
    c->first = e;
}

static void drop(struct idem_cache *c, struct idem_entry *e)
{
    struct idem_entry **at = bucket_of(c, e->tool, e->key);
    while (*at != e)
        at = &(*at)->chain;
    *at = e->chain;
    unlink_use(c, e);
    c->count--;
    c->bytes -= weight(e);
    mgi_idem_entry_free(e);
}

void mgi_idem_fini(struct idem_cache *c)
{
    while (c->first)
        drop(c, c->first);
}

struct idem_entry *mgi_idem_find(struct idem_cache *c, size_t tool, const uint8_t key[SHA256_BYTES],
                                 int64_t now_ms)
{
    struct idem_entry *e = *bucket_of(c, tool, key);
    while (e && (e->tool != tool || memcmp(e->key, key, SHA256_BYTES) != 0))
        e = e->chain;
    if (!e)
        return NULL;
    if (is_expired(e, now_ms)) {
        drop(c, e);
        return NULL;
    }
    unlink_use(c, e);
    push_first(c, e);
    return e;
}

struct idem_entry *mgi_idem_entry_new(size_t tool, const uint8_t key[SHA256_BYTES],
                                      const uint8_t input[SHA256_BYTES])
{
    struct idem_entry *e = mgi_calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->tool = tool;
    memcpy(e->key, key, SHA256_BYTES);
    memcpy(e->input, input, SHA256_BYTES);
    return e;
}

void mgi_idem_entry_free(struct idem_entry *e)
{
    if (!e)
        return;
    mgi_free((char *)e->outcome.output.ptr); /* error follows it in the same block */
    mgi_free(e);
}

static void drop_expired(struct idem_cache *c, int64_t now_ms)
{
    if (now_ms < c->expires_ms)
        return;
    c->expires_ms = now_ms + IDEM_LIFE_MS; /* what is stored from now on */
    for (struct idem_entry *e = c->first; e;) {
        struct idem_entry *next = e->older;
        if (is_expired(e, now_ms))
            drop(c, e);
        else if (e->stored_ms + IDEM_LIFE_MS < c->expires_ms)
            c->expires_ms = e->stored_ms + IDEM_LIFE_MS;
        e = next;
    }
}

static void make_room(struct idem_cache *c, size_t bytes, int64_t now_ms)
{
    if (c->count < IDEM_ENTRIES && c->bytes + bytes <= IDEM_BYTES)
        return;
    drop_expired(c, now_ms);
    while (c->last && (c->count >= IDEM_ENTRIES || c->bytes + bytes > IDEM_BYTES)) {
        if (c->evicted)
            c->evicted(c->context, c->last);
        drop(c, c->last);
    }
}

bool mgi_idem_store_take(struct idem_cache *c, struct idem_entry *e, const struct outcome *outcome,
                         uint8_t changed, int64_t now_ms)
{
    size_t bytes = outcome->output.len + outcome->error.len;
    char *text = mgi_alloc(bytes + 1);
    if (!text) {
        mgi_idem_entry_free(e);
        return false;
    }
    if (outcome->output.len)
        memcpy(text, outcome->output.ptr, outcome->output.len);
    if (outcome->error.len)
        memcpy(text + outcome->output.len, outcome->error.ptr, outcome->error.len);
    e->outcome = *outcome;
    e->outcome.output.ptr = text;
    e->outcome.error.ptr = text + outcome->output.len;
    e->changed = changed;
    e->stored_ms = now_ms;

    make_room(c, bytes, now_ms);
    struct idem_entry **at = bucket_of(c, e->tool, e->key);
    e->chain = *at;
    *at = e;
    push_first(c, e);
    c->count++;
    c->bytes += bytes;
    return true;
}

void mgi_idem_check(const struct idem_cache *c)
{
    size_t count = 0, bytes = 0;
    for (const struct idem_entry *e = c->first; e; e = e->older) {
        assert(e->older ? e->older->newer == e : c->last == e);
        count++;
        bytes += weight(e);
    }
    assert(count == c->count && count <= IDEM_ENTRIES);
    assert(bytes == c->bytes && bytes <= IDEM_BYTES);
    (void)count;
    (void)bytes;
}
