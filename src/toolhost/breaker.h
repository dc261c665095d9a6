/* What stops a session from crashing on: the breaker of each tool, and the budget of worker starts
 * (toolhost.md 7.5, 7.6).
 *
 *   closed --THRESHOLD failures in a row, all within WINDOW--> open --COOLDOWN--> half open
 *     ^                                                         ^                    |
 *     +------------------- the tool returned -------------------+----- it failed ----+
 *
 * While open nothing of the tool runs. Half open, calls are let through; as a host runs one call at
 * a time, that is one request, whose outcome decides. What neither returned nor failed (cancelled,
 * refused, too large for one answer) decides nothing. Time is an argument. One thread. */
#ifndef TOOLHOST_BREAKER_H
#define TOOLHOST_BREAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { BREAKER_MAX_THRESHOLD = 1000 };

struct breaker {
    uint32_t failures; /* in a row; its times are the latest min(failures, threshold) ones */
    uint32_t next;     /* where in `times` the next one goes */
    bool open;         /* or half open, once `until_ms` has come */
    int64_t until_ms;
    int64_t *times; /* a ring of `threshold` */
};

struct breakers {
    uint32_t threshold; /* 0: there are none */
    int64_t window_ms, cooldown_ms;
    struct breaker *items;
    size_t count;
};

/* Breakers for `tools` tools, all closed, in `arena`. False: memory is short. */
bool mgi_breakers_init(struct breakers *b, struct arena *arena, size_t tools, uint32_t threshold,
                       int64_t window_ms, int64_t cooldown_ms);

/* How long the tool still lets nothing through, in ms; 0: it does. */
int64_t mgi_breaker_wait(const struct breakers *b, size_t tool, int64_t now_ms);

enum breaker_mark { BREAKER_RETURNED, BREAKER_FAILED, BREAKER_UNDECIDED };
enum breaker_news { BREAKER_SAME, BREAKER_OPENED, BREAKER_CLOSED };

/* What became of a call of the tool (T-BRK-1). */
enum breaker_news mgi_breaker_note(struct breakers *b, size_t tool, enum breaker_mark mark,
                                   int64_t now_ms);

size_t mgi_breakers_open(const struct breakers *b); /* open or half open */

/* ---- worker starts (T-ISO-15) ------------------------------------------------------------- */

enum { RESTART_LIMIT = 5, RESTART_WINDOW_MS = 60000 };

/* All zero: none yet. */
struct restarts {
    int64_t times[RESTART_LIMIT]; /* of the latest ones, a ring */
    uint64_t counted;             /* starts that count */
    uint64_t all;                 /* and those that do not */
};

/* How long no worker may be started, in ms; 0: one may. */
int64_t mgi_restarts_wait(const struct restarts *r, int64_t now_ms);

/* One was started. Planned replacements and those after a cancellation do not count. */
void mgi_restarts_note(struct restarts *r, bool counts, int64_t now_ms);

unsigned mgi_restarts_in_window(const struct restarts *r, int64_t now_ms);

#endif
