/* What a server shows of itself in numbers: the server's counters (server/metrics.h) and what only
 * the whole knows, as Prometheus' text. Names and labels are stable; docs/serving.md lists them. No
 * label comes from outside: a caller cannot make series. */
#ifndef MGI_SERVICE_METRICS_H
#define MGI_SERVICE_METRICS_H

#include "decision/log.h"
#include "journal/journal.h"
#include "server/server.h"

#define METRIC_TRANSPORTS 8

/* Requests by transport and type, counted from access records. */
struct request_counts {
    const char *transports[METRIC_TRANSPORTS]; /* constants of the transports; NULL: free */
    uint64_t requests[METRIC_TRANSPORTS][METRIC_TYPES];
};

/* A transport beyond METRIC_TRANSPORTS counts for the last one. */
void mgi_request_counts_add(struct request_counts *c, const struct access_record *record);

/* What the service adds. Gauges but for the counters that say so. */
struct service_metrics {
    struct server_metrics server;
    const struct request_counts *counts; /* borrowed */
    enum server_status status;
    const char *version;      /* of this program */
    struct str rules_version; /* of what is served; empty while booting */
    int64_t started_real_ns;
    uint32_t listeners, connections;
    uint64_t bytes_held, bytes_limit;
    uint64_t reloads, reload_failures; /* counters */
    int64_t reloaded_real_ns;          /* the last one that succeeded, the first load included */
    uint64_t store_bytes;
    uint64_t log_lines_lost; /* counter */
    struct decision_log_state decisions;
    struct journal_stats journal;
};

void mgi_metrics_print(struct buf *out, const struct service_metrics *m);

#endif
