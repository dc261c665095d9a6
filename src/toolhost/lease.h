/* Leases: single-use, short-lived permissions to run one tool above tier 0 (toolhost.md chapter 5).
 *
 * The table lives in the host's memory and nowhere else. Time and randomness come in as arguments.
 * Before every issue it is swept of what is expired or used, so at most LEASE_ENTRIES are in it,
 * and looking through all of them, in constant time per entry, is cheap enough. One thread. */
#ifndef TOOLHOST_LEASE_H
#define TOOLHOST_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "sys/digest.h"

enum { LEASE_TOKEN_BYTES = 16, LEASE_TOKEN_TEXT = 6 + 2 * LEASE_TOKEN_BYTES };
enum { LEASE_ANY_TOOL = -1 };

struct lease {
    uint8_t token[LEASE_TOKEN_BYTES];
    int tool; /* index in the plugin's tools, or LEASE_ANY_TOOL */
    int tier;
    int64_t expires_ms; /* the last millisecond at which it is good */
    bool bound;         /* to the input with this digest */
    uint8_t input[SHA256_BYTES];
    bool consumed;
};

struct lease_table {
    struct lease *items;
    size_t count, cap;
    uint64_t issued, consumed, rejected; /* since start */
};

enum lease_verdict {
    LEASE_GOOD,
    LEASE_NOT_FOUND,
    LEASE_EXPIRED,
    LEASE_ALREADY_CONSUMED,
    LEASE_TOOL_MISMATCH,
    LEASE_TIER_TOO_LOW,
    LEASE_INPUT_MISMATCH
};
const char *mgi_lease_verdict_text(enum lease_verdict v); /* as on the wire (T-LEASE-10) */

enum lease_issue { LEASE_ISSUED, LEASE_TABLE_FULL, LEASE_NOMEM };

void mgi_lease_fini(struct lease_table *t);

/* Add `want` (its `expires_ms` holds the lifetime, which is clamped to LEASE_MIN_MS and
 * LEASE_MAX_MS; its token comes from the system's generator). `text` receives "lease_" and 32
 * digits, *ttl_ms the clamped lifetime. */
enum lease_issue mgi_lease_issue(struct lease_table *t, const struct lease *want,
                                 const uint8_t token[LEASE_TOKEN_BYTES], int64_t now_ms,
                                 char text[LEASE_TOKEN_TEXT + 1], int64_t *ttl_ms);

/* Would `token` open `tool` of `tier` for the input with digest `input` now (T-LEASE-9)? A good one
 * is *found (borrowed until the next issue or sweep); nothing is consumed. Anything else counts as
 * a rejection, and an expired lease is removed. `input` NULL: what it is bound to does not matter.
 */
enum lease_verdict mgi_lease_check(struct lease_table *t, struct str token, int tool, int tier,
                                   const uint8_t *input, int64_t now_ms, struct lease **found);
/* The same for who only asks: nothing is counted, consumed or removed (T-LEASE-7). */
enum lease_verdict mgi_lease_look(const struct lease_table *t, struct str token, int tool, int tier,
                                  const uint8_t *input, int64_t now_ms, const struct lease **found);
void mgi_lease_consume(struct lease_table *t, struct lease *lease);

size_t mgi_lease_usable(const struct lease_table *t, int64_t now_ms); /* how many are */

/* Remove what is expired or consumed; the number left. */
size_t mgi_lease_sweep(struct lease_table *t, int64_t now_ms);

/* The tier of a tool: the highest of what its AID and its side effects say, and `min_tier`
 * (T-LEASE-1). */
int mgi_tier_of(struct str aid, const struct str *side_effects, size_t count, int min_tier);

#endif
