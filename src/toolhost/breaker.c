/* Breakers and the budget of worker starts: see breaker.h. */
#include "toolhost/breaker.h"

bool mgi_breakers_init(struct breakers *b, struct arena *arena, size_t tools, uint32_t threshold,
                       int64_t window_ms, int64_t cooldown_ms)
{
    *b = (struct breakers){
        .threshold = threshold, .window_ms = window_ms, .cooldown_ms = cooldown_ms, .count = tools
    };
    if (threshold == 0 || tools == 0)
        return true;
    b->items = mgi_arena_calloc(arena, tools, sizeof *b->items);
    int64_t *times = mgi_arena_calloc(arena, tools * threshold, sizeof *times);
    if (!b->items || !times) {
        *b = (struct breakers){ 0 };
        return false;
    }
    for (size_t i = 0; i < tools; i++)
        b->items[i].times = times + i * threshold;
    return true;
}

int64_t mgi_breaker_wait(const struct breakers *b, size_t tool, int64_t now_ms)
{
    if (b->threshold == 0 || !b->items[tool].open || now_ms >= b->items[tool].until_ms)
        return 0;
    return b->items[tool].until_ms - now_ms;
}

static void trip(const struct breakers *b, struct breaker *one, int64_t now_ms)
{
    one->open = true;
    one->until_ms = now_ms + b->cooldown_ms;
}

static enum breaker_news failed(const struct breakers *b, struct breaker *one, int64_t now_ms)
{
    one->times[one->next] = now_ms;
    one->next = (one->next + 1) % b->threshold;
    one->failures++;
    if (one->open) { /* it was half open */
        trip(b, one, now_ms);
        return BREAKER_OPENED;
    }
    /* The next one to be overwritten is the oldest of the last `threshold`. */
    if (one->failures < b->threshold || now_ms - one->times[one->next] > b->window_ms)
        return BREAKER_SAME;
    trip(b, one, now_ms);
    return BREAKER_OPENED;
}

enum breaker_news mgi_breaker_note(struct breakers *b, size_t tool, enum breaker_mark mark,
                                   int64_t now_ms)
{
    if (b->threshold == 0 || mark == BREAKER_UNDECIDED)
        return BREAKER_SAME;
    struct breaker *one = &b->items[tool];
    if (mark == BREAKER_FAILED)
        return failed(b, one, now_ms);
    bool was_open = one->open;
    one->open = false;
    one->failures = 0;
    return was_open ? BREAKER_CLOSED : BREAKER_SAME;
}

size_t mgi_breakers_open(const struct breakers *b)
{
    size_t open = 0;
    for (size_t i = 0; b->items && i < b->count; i++)
        open += b->items[i].open;
    return open;
}

/* ---- worker starts ------------------------------------------------------------------------ */

static bool is_recent(const struct restarts *r, size_t i, int64_t now_ms)
{
    return i < r->counted && now_ms - r->times[i] < RESTART_WINDOW_MS;
}

int64_t mgi_restarts_wait(const struct restarts *r, int64_t now_ms)
{
    int64_t oldest = r->times[r->counted % RESTART_LIMIT];
    if (r->counted < RESTART_LIMIT || now_ms - oldest >= RESTART_WINDOW_MS)
        return 0;
    return oldest + RESTART_WINDOW_MS - now_ms;
}

void mgi_restarts_note(struct restarts *r, bool counts, int64_t now_ms)
{
    r->all++;
    if (counts)
        r->times[r->counted++ % RESTART_LIMIT] = now_ms;
}

unsigned mgi_restarts_in_window(const struct restarts *r, int64_t now_ms)
{
    unsigned count = 0;
    for (size_t i = 0; i < RESTART_LIMIT; i++)
        count += is_recent(r, i, now_ms);
    return count;
}
