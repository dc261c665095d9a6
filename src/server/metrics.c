/* Counting. */
#include "server/metrics.h"

/* From what an intent takes at least to what a slow action may. */
const int64_t mgi_metric_bound_us[METRIC_BOUNDS] = { 100,    250,     500,     1000,    2500,
                                                     5000,   10000,   25000,   50000,   100000,
                                                     500000, 1000000, 5000000, 30000000 };

void mgi_histogram_add(struct histogram *h, int64_t ns)
{
    int64_t us = ns / 1000;
    int i = 0;
    while (i < METRIC_BOUNDS && us > mgi_metric_bound_us[i])
        i++;
    h->buckets[i]++;
    h->count++;
    h->sum_us += (uint64_t)us;
}
