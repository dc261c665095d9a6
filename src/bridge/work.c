/* The works, as a list: there are a few dozen, and each call walks it once. */
#include "bridge/work.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "sys/random.h"

#define HANDLE_BYTES 16

struct works {
    struct works_options options;
    struct bridge_work *first; /* used last, first */
    size_t count;
    uint64_t begun; /* ever */
};

struct works *mgi_works_new(const struct works_options *options)
{
    struct works *works = mgi_calloc(1, sizeof *works);
    if (!works)
        return NULL;
    works->options = *options;
    if (!works->options.max)
        works->options.max = WORK_DEFAULT_MAX;
    if (!works->options.idle_ns)
        works->options.idle_ns = WORK_DEFAULT_IDLE;
    return works;
}

static void work_free(struct bridge_work *work)
{
    manglecp_shown_free(work->shown);
    mgi_free(work->intent);
    mgi_free(work->params);
    mgi_free(work->more_facts);
    manglecp_result_free(work->result);
    manglecp_tools_free(work->tools);
    manglecp_facts_free(work->facts);
    mgi_free(work);
}

void mgi_works_free(struct works *works)
{
    if (!works)
        return;
    while (works->first) {
        struct bridge_work *next = works->first->next;
        work_free(works->first);
        works->first = next;
    }
    mgi_free(works);
}

size_t mgi_works_count(const struct works *works)
{
    return works->count;
}

/* ---- handles ------------------------------------------------------------------------------- */

static void spell_base32(const uint8_t bytes[HANDLE_BYTES], char out[WORK_HANDLE_MAX + 1])
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint32_t bits = 0;
    unsigned held = 0;
    size_t n = 0;
    for (size_t i = 0; i < HANDLE_BYTES; i++) {
        bits = (bits << 8 | bytes[i]) & 0xfff;
        for (held += 8; held >= 5; held -= 5)
            out[n++] = digits[bits >> (held - 5) & 31];
    }
    out[n++] = digits[bits << (5 - held) & 31];
    out[n] = '\0';
}

static bool name_work(struct works *works, struct bridge_work *work)
{
    uint8_t bytes[HANDLE_BYTES];
    works->begun++;
    if (works->options.countable) {
        snprintf(work->handle, sizeof work->handle, "w%llu", (unsigned long long)works->begun);
        return true;
    }
    if (!mgi_random(bytes, sizeof bytes))
        return false;
    spell_base32(bytes, work->handle);
    return true;
}

static bool owned(const struct bridge_work *work, const char *owner)
{
    return strncmp(work->owner, owner, WORK_OWNER_MAX) == 0;
}

/* ---- forgetting ---------------------------------------------------------------------------- */

static void forget(struct works *works, struct bridge_work **place)
{
    struct bridge_work *gone = *place;
    *place = gone->next;
    works->count--;
    work_free(gone);
}

static void forget_idle(struct works *works, int64_t now_ns)
{
    for (struct bridge_work **at = &works->first; *at;) {
        if (!(*at)->inside && now_ns - (*at)->used_ns > works->options.idle_ns)
            forget(works, at);
        else
            at = &(*at)->next;
    }
}

static size_t count_of(const struct works *works, const char *owner)
{
    size_t count = 0;
    for (const struct bridge_work *at = works->first; at; at = at->next)
        count += owned(at, owner);
    return count;
}

/* The one of an owner that was used longest ago. False: somebody is inside each. */
static bool forget_oldest(struct works *works, const char *owner)
{
    struct bridge_work **oldest = NULL;
    for (struct bridge_work **at = &works->first; *at; at = &(*at)->next)
        if (owned(*at, owner) && !(*at)->inside &&
            (!oldest || (*at)->used_ns <= (*oldest)->used_ns))
            oldest = at;
    if (oldest)
        forget(works, oldest);
    return oldest != NULL;
}

void mgi_works_drop(struct works *works, struct bridge_work *work)
{
    struct bridge_work **at = &works->first;
    while (*at != work)
        at = &(*at)->next;
    forget(works, at);
}

/* ---- beginning and finding ----------------------------------------------------------------- */

enum work_fault mgi_works_begin(struct works *works, const char *owner, uint64_t connection,
                                int64_t now_ns, struct bridge_work **out)
{
    *out = NULL;
    forget_idle(works, now_ns);
    if (count_of(works, owner) >= works->options.max && !forget_oldest(works, owner))
        return WORK_FULL;
    if (works->count >= WORK_OWNERS * works->options.max)
        return WORK_FULL;
    struct bridge_work *work = mgi_calloc(1, sizeof *work);
    if (!work)
        return WORK_NOMEM;
    work->facts = manglecp_facts_new();
    work->shown = manglecp_shown_new();
    if (!work->facts || !work->shown) {
        work_free(work);
        return WORK_NOMEM;
    }
    if (!name_work(works, work)) {
        work_free(work);
        return WORK_NO_RANDOM;
    }
    snprintf(work->owner, sizeof work->owner, "%s", owner);
    work->connection = connection;
    work->used_ns = now_ns;
    work->last_waiting = &work->waiting;
    work->next = works->first;
    works->first = work;
    works->count++;
    *out = work;
    return WORK_FINE;
}

/* Without a handle: the one that a connection used last, or the only one of an owner. */
static enum work_fault find_default(struct works *works, const char *owner, uint64_t connection,
                                    struct bridge_work **out)
{
    for (struct bridge_work *at = works->first; at; at = at->next) {
        if (!owned(at, owner) || (connection && at->connection != connection))
            continue;
        if (connection) {
            *out = at;
            return WORK_FINE;
        }
        if (*out) {
            *out = NULL;
            return WORK_AMBIGUOUS;
        }
        *out = at;
    }
    return *out ? WORK_FINE : WORK_NONE;
}

/* Whoever names a work goes on with it: it is what is meant when none is named next. */
static struct bridge_work *bring_forward(struct works *works, struct bridge_work **place)
{
    struct bridge_work *work = *place;
    *place = work->next;
    work->next = works->first;
    works->first = work;
    return work;
}

enum work_fault mgi_works_find(struct works *works, const char *owner, uint64_t connection,
                               struct str handle, int64_t now_ns, struct bridge_work **out)
{
    *out = NULL;
    forget_idle(works, now_ns);
    if (handle.len == 0)
        return find_default(works, owner, connection, out);
    /* One answer for "never there" and "not yours": who guesses learns nothing. */
    for (struct bridge_work **at = &works->first; *at; at = &(*at)->next)
        if (owned(*at, owner) && str_is(handle, (*at)->handle)) {
            *out = bring_forward(works, at);
            return WORK_FINE;
        }
    return WORK_UNKNOWN;
}

const char *mgi_works_name(const struct works *works, const char *owner, size_t i)
{
    for (const struct bridge_work *at = works->first; at; at = at->next)
        if (owned(at, owner) && i-- == 0)
            return at->handle;
    return NULL;
}

/* ---- one call after the other -------------------------------------------------------------- */

enum work_entry mgi_works_enter(struct bridge_work *work, struct work_turn *turn, int64_t now_ns)
{
    turn->next = NULL;
    work->used_ns = now_ns;
    if (!work->inside) {
        work->inside = turn;
        return WORK_ENTERED;
    }
    if (work->waiting_count >= WORK_MAX_WAITING)
        return WORK_CROWDED;
    *work->last_waiting = turn;
    work->last_waiting = &turn->next;
    work->waiting_count++;
    return WORK_WAITS;
}

struct work_turn *mgi_works_leave(struct bridge_work *work, int64_t now_ns)
{
    struct work_turn *next = work->waiting;
    work->used_ns = now_ns;
    work->inside = next;
    if (next) {
        work->waiting = next->next;
        work->waiting_count--;
        if (!work->waiting)
            work->last_waiting = &work->waiting;
    }
    return next;
}

bool mgi_works_withdraw(struct bridge_work *work, struct work_turn *turn)
{
    for (struct work_turn **at = &work->waiting; *at; at = &(*at)->next)
        if (*at == turn) {
            *at = turn->next;
            if (!turn->next)
                work->last_waiting = at;
            work->waiting_count--;
            return true;
        }
    return false;
}

bool mgi_works_reserve(struct bridge_work *work, size_t bytes)
{
    if (work->fact_bytes > WORK_FACT_BYTES || bytes > WORK_FACT_BYTES - work->fact_bytes ||
        manglecp_facts_count(work->facts) > WORK_FACTS)
        return false;
    work->fact_bytes += bytes;
    return true;
}
