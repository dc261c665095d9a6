/* What a server counts: plain numbers that the loop's thread keeps, copied out as one struct. How
 * they are shown (Prometheus text, a terminal) is somebody else's.
 *
 * Counters begin at 0 with the server and never fall; gauges say how it is now. Times are
 * nanoseconds of the monotonic clock unless the name says otherwise. */
#ifndef MGI_SERVER_METRICS_H
#define MGI_SERVER_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/envelope.h"

/* Upper bounds of the histograms' buckets in microseconds, inclusive, ascending; one more bucket
 * behind them is open. */
#define METRIC_BOUNDS 14
extern const int64_t mgi_metric_bound_us[METRIC_BOUNDS];

struct histogram {
    uint64_t buckets[METRIC_BOUNDS + 1]; /* not cumulative */
    uint64_t count;
    uint64_t sum_us;
};

#define METRIC_TYPES (MSG_ERROR + 1) /* by enum message_type; MSG_UNKNOWN: unreadable */
#define METRIC_CODES (WIRE_X_METHOD_NOT_ALLOWED + 1) /* by enum wire_code; WIRE_OK: no error */

/* One of the two kinds of work (server/work.h). */
struct lane_metrics {
    uint32_t limit;             /* gauge: how many run at once at most */
    uint32_t waiting, running;  /* gauges */
    uint64_t jobs;              /* begun */
    uint64_t waited_ns, ran_ns; /* of those that have ended */
    uint64_t refused;           /* there was no place in the queue */
};

struct server_metrics {
    /* requests that have been answered, cancels included */
    uint64_t requests[METRIC_TYPES];
    uint64_t outcomes[METRIC_CODES];
    struct histogram latency[METRIC_TYPES]; /* from the last byte of the request to its answer */
    uint64_t bytes_in, bytes_out;           /* of messages, without framing */
    uint64_t replays;                       /* answered again by their idempotency key */

    uint64_t evaluations, evaluation_ns;          /* of intents, on workers */
    uint64_t effects, effects_ns, effects_failed; /* of effects rules, on workers */

    uint64_t manifests_pushed; /* to sessions, because something changed */

    /* gauges */
    uint32_t peers, sessions; /* connections; those of session transports among them */
    uint32_t open_requests;   /* not answered yet */
    int64_t oldest_open_ns;   /* how long the oldest of them has been open; 0: none is */
    uint32_t invocations;     /* those of them whose chain is running */
    uint32_t rate_windows;
    uint32_t hosts, busy_hosts; /* processes of the tool pool that new requests use */
    uint32_t waiting_for_host;
    uint64_t hosts_started, hosts_failed; /* counters of that pool: starts, starts that failed */
    struct lane_metrics quick, slow;
};

void mgi_histogram_add(struct histogram *h, int64_t ns);

#endif
