/* Threads that share one piece of work at a time, and sleep in between. */
#ifndef MGI_SYS_WORKERS_H
#define MGI_SYS_WORKERS_H

#include <stdint.h>

struct workers;

/* For up to `count` tasks at once, the caller's thread included, so at least 1. Threads are started
 * when there is work for the first time; where that fails there are fewer. NULL: memory. */
struct workers *mgi_workers_new(uint32_t count);
void mgi_workers_free(struct workers *w); /* NULL is fine */

/* task(argument, i) for each i < count, on this thread and the others; returns when all have. One
 * call at a time, and none from a task. `workers` is what mgi_workers_new() made. */
void mgi_workers_run(void *workers, void (*task)(void *argument, uint32_t number), void *argument,
                     uint32_t count);

#endif
