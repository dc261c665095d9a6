/* What the backends share. */
#ifndef MGI_STORE_STORE_INT_H
#define MGI_STORE_STORE_INT_H

#include "store/store.h"

#include "base/time.h"

#define STORE_MARKER_NS       (300 * NS_PER_SEC) /* a definition's marker outlives it (D-42) */
#define STORE_SWEEP_NS        (60 * NS_PER_SEC)
#define STORE_KEY_MAX         128
#define STORE_FINGERPRINT_MAX 64
#define STORE_WITNESS_MAX     128

/* A moment in the future that may be beyond all time. */
static inline int64_t mgi_store_later(int64_t ns, int64_t by)
{
    int64_t sum;
    return __builtin_add_overflow(ns, by, &sum) ? INT64_MAX : sum;
}

/* Is it time to drop what is over? Once a minute after the last time (INT64_MAX: there was none),
 * and when the clock went back: else one jump forward would put it off for as long. */
static inline bool mgi_store_sweep_is_due(int64_t last_ns, int64_t now_ns)
{
    return now_ns >= mgi_store_later(last_ns, STORE_SWEEP_NS) ||
           mgi_store_later(now_ns, STORE_SWEEP_NS) < last_ns;
}

#endif
