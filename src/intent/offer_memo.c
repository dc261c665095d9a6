/* See offer_memo.h. A ring, looked through by hashes that stand side by side. */
#include "intent/offer_memo.h"

#include "base/alloc.h"

/* Longer texts, and more tools, are remembered by nobody. */
#define TEXT_MAX   ((size_t)4096)
#define OFFERS_MAX ((size_t)64)
#define DIGEST_MAX 64

struct kept_offer {
    int64_t until_ns;
    char digest[DIGEST_MAX];
};

struct kept { /* an evaluation: one piece of memory, with told and who behind the offers */
    int64_t from_ns;
    size_t told_len, who_len, count;
    struct kept_offer offers[];
};

struct offer_memo {
    uint64_t hashes[OFFERS_KEPT]; /* of told */
    struct kept *kept[OFFERS_KEPT];
    size_t next; /* the oldest */
};

static const char *texts_of(const struct kept *k)
{
    return (const char *)&k->offers[k->count];
}

struct offer_memo *mgi_offer_memo_new(void)
{
    return mgi_calloc(1, sizeof(struct offer_memo));
}

void mgi_offer_memo_free(struct offer_memo *memo)
{
    for (size_t i = 0; memo && i < OFFERS_KEPT; i++)
        mgi_free(memo->kept[i]);
    mgi_free(memo);
}

static uint64_t hash_of(struct str told)
{
    return mgi_hash_bytes(told.ptr, told.len, 0);
}

static bool is_of(const struct kept *k, struct str told, struct str who)
{
    const char *texts = texts_of(k);
    return str_eq((struct str){ texts, k->told_len }, told) &&
           str_eq((struct str){ texts + k->told_len, k->who_len }, who);
}

static bool offers_it(const struct kept *k, struct str digest, int64_t at_ns)
{
    for (size_t i = 0; i < k->count; i++)
        if (memcmp(k->offers[i].digest, digest.ptr, DIGEST_MAX) == 0)
            return at_ns < k->offers[i].until_ns;
    return false;
}

void mgi_offer_memo_add(struct offer_memo *memo, struct str told, struct str who, int64_t from_ns,
                        const struct offer *offers, size_t count)
{
    if (count > OFFERS_MAX || told.len + who.len > TEXT_MAX)
        return;
    for (size_t i = 0; i < count; i++)
        if (offers[i].digest.len != DIGEST_MAX)
            return;
    struct kept *k = mgi_alloc(sizeof *k + count * sizeof(struct kept_offer) + told.len + who.len);
    if (!k)
        return;
    *k = (struct kept){ from_ns, told.len, who.len, count };
    for (size_t i = 0; i < count; i++) {
        k->offers[i].until_ns = offers[i].until_ns;
        memcpy(k->offers[i].digest, offers[i].digest.ptr, DIGEST_MAX);
    }
    char *texts = (char *)&k->offers[count];
    memcpy(texts, told.ptr, told.len);
    memcpy(texts + told.len, who.ptr, who.len);
    mgi_free(memo->kept[memo->next]);
    memo->kept[memo->next] = k;
    memo->hashes[memo->next] = hash_of(told);
    memo->next = (memo->next + 1) % OFFERS_KEPT;
}

bool mgi_offer_memo_holds(const struct offer_memo *memo, struct str told, struct str who,
                          struct str digest, int64_t at_ns)
{
    uint64_t hash = hash_of(told);
    if (digest.len != DIGEST_MAX)
        return false;
    for (size_t i = 0; i < OFFERS_KEPT; i++) {
        const struct kept *k = memo->kept[i];
        if (k && memo->hashes[i] == hash && at_ns >= k->from_ns && is_of(k, told, who) &&
            offers_it(k, digest, at_ns))
            return true;
    }
    return false;
}
