/* Gate 8: how often a caller may ask. Windows are found by caller, never by the address of what
 * says so; there is room for RATE_SETS * RATE_WAYS of them. */
#include "base/alloc.h"
#include "base/time.h"
#include "server/server_int.h"

uint64_t mgi_owner_of(const struct server *s, const struct principal *who)
{
    struct str caller = mgi_principal_caller(who);
    return mgi_hash_bytes(caller.ptr, caller.len, s->options.seed + (uint64_t)who->kind + 1) | 1;
}

/* The caller's window, or the one of its set that gives way to it. */
static struct rate_window *window_of(struct server *s, const struct principal *who)
{
    struct rate_window *set = s->windows[(mgi_owner_of(s, who) >> 1) % RATE_SETS],
                       *oldest = &set[0];
    for (int i = 0; i < RATE_WAYS; i++) {
        if (!set[i].who)
            return &set[i];
        if (mgi_principal_is_caller(set[i].who, who))
            return &set[i];
        if (set[i].start_ns < oldest->start_ns)
            oldest = &set[i];
    }
    return oldest;
}

static void begin_window(struct rate_window *w, const struct principal *who, int64_t now_ns)
{
    const struct principal *before = w->who;
    *w = (struct rate_window){ .who = mgi_principal_ref(who), .start_ns = now_ns };
    mgi_principal_unref(before);
}

bool mgi_rate_count(struct server *s, const struct principal *who, int64_t limit, int64_t window_ms,
                    int64_t now_ns, int64_t *retry_ms)
{
    struct rate_window *w = window_of(s, who);
    int64_t window_ns = window_ms * NS_PER_MS;
    if (!w->who || !mgi_principal_is_caller(w->who, who) || now_ns - w->start_ns >= window_ns)
        begin_window(w, who, now_ns);
    if (++w->count <= limit)
        return true;
    *retry_ms = (window_ns - (now_ns - w->start_ns)) / NS_PER_MS + 1;
    return false;
}

uint32_t mgi_rate_windows(const struct server *s)
{
    uint32_t count = 0;
    for (int i = 0; i < RATE_SETS; i++)
        for (int j = 0; j < RATE_WAYS; j++)
            count += s->windows[i][j].who != NULL;
    return count;
}

void mgi_rate_free(struct server *s)
{
    for (int i = 0; s->windows && i < RATE_SETS; i++)
        for (int j = 0; j < RATE_WAYS; j++)
            mgi_principal_unref(s->windows[i][j].who);
    mgi_free(s->windows);
    s->windows = NULL;
}
