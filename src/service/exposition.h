/* Prometheus' text format (version 0.0.4), written for a scraper and read back for `manglecp top`.
 *
 *     # HELP manglecp_requests_total Requests that were answered.
 *     # TYPE manglecp_requests_total counter
 *     manglecp_requests_total{type="intent_request",transport="http"} 12
 *
 * The writer appends to a buffer whose `oom` says in the end whether all of it is there. The reader
 * is given all of the text, allocates nothing and tolerates what it does not know. */
#ifndef MGI_SERVICE_EXPOSITION_H
#define MGI_SERVICE_EXPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Of an answer's Content-Type. */
#define EXPOSITION_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* ---- writing ------------------------------------------------------------------------------- */

enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

/* One label; a row without a name ends a list. `value` may be any text: it is escaped. */
struct metric_label {
    const char *name;
    struct str value;
};

/* The two lines that introduce a metric. Once per name, before its samples. */
void mgi_metric_family(struct buf *out, const char *name, enum metric_kind kind, const char *help);

/* One sample. `labels` NULL: none. Not finite numbers are written as NaN, +Inf, -Inf. */
void mgi_metric_int(struct buf *out, const char *name, const struct metric_label *labels,
                    int64_t value);
void mgi_metric_float(struct buf *out, const char *name, const struct metric_label *labels,
                      double value);

/* A histogram's samples: _bucket (cumulative, with +Inf), _sum and _count.
 *
 *   bounds  upper bounds of the buckets, rising, in the unit of the metric
 *   counts  how many fell into each bucket alone; counts[count] are those above the last bound
 */
void mgi_metric_histogram(struct buf *out, const char *name, const struct metric_label *labels,
                          const double *bounds, const uint64_t *counts, size_t count, double sum);

/* ---- reading ------------------------------------------------------------------------------- */

#define METRIC_LABELS_MAX 8

struct metric_sample { /* texts are borrowed from what was read */
    struct str name;
    struct {
        struct str name, value;
    } labels[METRIC_LABELS_MAX];
    size_t label_count; /* those beyond METRIC_LABELS_MAX are left out */
    double value;
};

/* The next sample of *text, which moves behind it. Comments, blank lines and lines that are no
 * samples are skipped. Label values keep their escapes. False: there is none. */
bool mgi_metric_next(struct str *text, struct metric_sample *out);

/* A number as the format spells it, NaN and +Inf included (of the label `le`, for instance). */
bool mgi_metric_number(struct str word, double *out);

/* The value of label `name`; "" if the sample has none. */
struct str mgi_metric_label_of(const struct metric_sample *s, const char *name);

#endif
