/* Leases: see lease.h. */
#include "toolhost/lease.h"

#include <string.h>

#include "base/alloc.h"
#include "toolhost/sizes.h"
#include "sys/digest.h"
#include "base/encode.h"

static const char token_prefix[] = "lease_";

const char *mgi_lease_verdict_text(enum lease_verdict v)
{
    static const char *const text[] = {
        [LEASE_GOOD] = "good",
        [LEASE_NOT_FOUND] = "not found",
        [LEASE_EXPIRED] = "expired",
        [LEASE_ALREADY_CONSUMED] = "already consumed",
        [LEASE_TOOL_MISMATCH] = "tool mismatch",
        [LEASE_TIER_TOO_LOW] = "tier too low",
        [LEASE_INPUT_MISMATCH] = "input mismatch",
    };
    return text[v];
}

/* Tokens are wiped with the table: they are worth something until they expire. */
void mgi_lease_fini(struct lease_table *t)
{
    if (t->items)
        explicit_bzero(t->items, t->cap * sizeof *t->items);
    mgi_free(t->items);
    *t = (struct lease_table){ 0 };
}

static bool lease_is_usable(const struct lease *l, int64_t now_ms)
{
    return !l->consumed && now_ms <= l->expires_ms; /* T-LEASE-12: up to its last millisecond */
}

size_t mgi_lease_sweep(struct lease_table *t, int64_t now_ms)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (lease_is_usable(&t->items[i], now_ms))
            t->items[kept++] = t->items[i];
    t->count = kept;
    return kept;
}

static int64_t clamp_life(int64_t ttl_ms)
{
    return ttl_ms < LEASE_MIN_MS ? LEASE_MIN_MS : ttl_ms > LEASE_MAX_MS ? LEASE_MAX_MS : ttl_ms;
}

enum lease_issue mgi_lease_issue(struct lease_table *t, const struct lease *want,
                                 const uint8_t token[LEASE_TOKEN_BYTES], int64_t now_ms,
                                 char text[LEASE_TOKEN_TEXT + 1], int64_t *ttl_ms)
{
    if (mgi_lease_sweep(t, now_ms) >= LEASE_ENTRIES)
        return LEASE_TABLE_FULL;
    if (!mgi_grow(&t->items, &t->cap, t->count + 1, sizeof *t->items))
        return LEASE_NOMEM;
    struct lease *l = &t->items[t->count++];
    *l = *want;
    *ttl_ms = clamp_life(want->expires_ms);
    l->expires_ms = now_ms + *ttl_ms;
    l->consumed = false;
    memcpy(l->token, token, LEASE_TOKEN_BYTES);
    t->issued++;

    memcpy(text, token_prefix, sizeof token_prefix - 1);
    mgi_hex(token, LEASE_TOKEN_BYTES, text + sizeof token_prefix - 1);
    return LEASE_ISSUED;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool token_parse(struct str text, uint8_t token[LEASE_TOKEN_BYTES])
{
    size_t skip = sizeof token_prefix - 1;
    if (text.len != LEASE_TOKEN_TEXT || memcmp(text.ptr, token_prefix, skip) != 0)
        return false;
    for (size_t i = 0; i < LEASE_TOKEN_BYTES; i++) {
        int high = hex_digit(text.ptr[skip + 2 * i]), low = hex_digit(text.ptr[skip + 2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        token[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

/* Looks at every entry, also after a hit: how long it takes says nothing of the token. */
static struct lease *find(const struct lease_table *t, const uint8_t token[LEASE_TOKEN_BYTES])
{
    struct lease *found = NULL;
    for (size_t i = 0; i < t->count; i++)
        if (mgi_equal_constant_time(t->items[i].token, token, LEASE_TOKEN_BYTES))
            found = &t->items[i];
    return found;
}

static enum lease_verdict judge(const struct lease *l, int tool, int tier, const uint8_t *input,
                                int64_t now_ms)
{
    if (!l->consumed && now_ms > l->expires_ms)
        return LEASE_EXPIRED;
    if (l->consumed)
        return LEASE_ALREADY_CONSUMED;
    if (l->tool != LEASE_ANY_TOOL && l->tool != tool)
        return LEASE_TOOL_MISMATCH;
    if (l->tier < tier)
        return LEASE_TIER_TOO_LOW;
    if (l->bound && input && memcmp(l->input, input, SHA256_BYTES) != 0)
        return LEASE_INPUT_MISMATCH;
    return LEASE_GOOD;
}

static enum lease_verdict look(const struct lease_table *t, struct str token, int tool, int tier,
                               const uint8_t *input, int64_t now_ms, struct lease **found)
{
    uint8_t wanted[LEASE_TOKEN_BYTES];
    *found = token_parse(token, wanted) ? find(t, wanted) : NULL;
    return *found ? judge(*found, tool, tier, input, now_ms) : LEASE_NOT_FOUND;
}

enum lease_verdict mgi_lease_look(const struct lease_table *t, struct str token, int tool, int tier,
                                  const uint8_t *input, int64_t now_ms, const struct lease **found)
{
    struct lease *l;
    enum lease_verdict v = look(t, token, tool, tier, input, now_ms, &l);
    *found = v == LEASE_GOOD ? l : NULL;
    return v;
}

enum lease_verdict mgi_lease_check(struct lease_table *t, struct str token, int tool, int tier,
                                   const uint8_t *input, int64_t now_ms, struct lease **found)
{
    struct lease *l;
    enum lease_verdict v = look(t, token, tool, tier, input, now_ms, &l);
    *found = v == LEASE_GOOD ? l : NULL;
    if (v != LEASE_GOOD)
        t->rejected++;
    if (v == LEASE_EXPIRED)
        *l = t->items[--t->count];
    return v;
}

size_t mgi_lease_usable(const struct lease_table *t, int64_t now_ms)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        count += lease_is_usable(&t->items[i], now_ms);
    return count;
}

void mgi_lease_consume(struct lease_table *t, struct lease *lease)
{
    lease->consumed = true;
    t->consumed++;
}

/* ---- tiers -------------------------------------------------------------------------------- */

struct tier_rule {
    const char *name;
    int tier;
};

/* Parts of an AID that raise the tier. */
static const struct tier_rule aid_rules[] = {
    { "GENESIS", 3 },    { "SHELL", 2 },         { "NET.HTTP", 2 },
    { "FILE.WRITE", 1 }, { "MEMORY.APPEND", 1 }, { "VECDB.UPSERT", 1 },
};

/* Side effects by their whole name. An unqualified category (filesystem, database, browser) counts
 * as a write. */
static const struct tier_rule effect_rules[] = {
    { "none", 0 },
    { "filesystem_read", 0 },
    { "gpu_probe", 0 },
    { "process_introspection", 0 },
    { "database_read", 0 },
    { "browser_read", 0 },
    { "filesystem_write", 1 },
    { "filesystem_delete", 1 },
    { "filesystem", 1 },
    { "database", 1 },
    { "database_write", 1 },
    { "browser", 1 },
    { "process_spawn", 2 },
    { "proc_exec", 2 },
    { "network_io", 2 },
    { "authentication", 2 },
    { "dynamic_library_load", 3 },
    { "payments", 3 },
    { "destructive", 3 },
};

/* Other side effects by what they contain. */
static const struct tier_rule part_rules[] = {
    { "write", 1 }, { "append", 1 },  { "delete", 1 },  { "create", 1 },
    { "exec", 2 },  { "network", 2 }, { "process", 2 },
};

static int higher(int a, int b)
{
    return a > b ? a : b;
}

static int tier_of_effect(struct str effect)
{
    for (size_t i = 0; i < sizeof effect_rules / sizeof *effect_rules; i++)
        if (str_is(effect, effect_rules[i].name))
            return effect_rules[i].tier;
    int tier = -1;
    for (size_t i = 0; i < sizeof part_rules / sizeof *part_rules; i++)
        if (mgi_str_find(effect, str_of(part_rules[i].name)) != SIZE_MAX)
            tier = higher(tier, part_rules[i].tier);
    return tier < 0 ? 2 : tier; /* unknown means not safe */
}

int mgi_tier_of(struct str aid, const struct str *side_effects, size_t count, int min_tier)
{
    int tier = min_tier > 0 ? min_tier : 0;
    for (size_t i = 0; i < sizeof aid_rules / sizeof *aid_rules; i++)
        if (mgi_str_find(aid, str_of(aid_rules[i].name)) != SIZE_MAX)
            tier = higher(tier, aid_rules[i].tier);
    for (size_t i = 0; i < count; i++)
        tier = higher(tier, tier_of_effect(side_effects[i]));
    return tier;
}
