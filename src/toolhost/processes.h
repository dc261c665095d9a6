/* What is left of a call inside the worker: helpers that the plugin keeps across calls
 * (processes.v1), children that nobody waits for any more, descriptors that leak. */
#ifndef TOOLHOST_PROCESSES_H
#define TOOLHOST_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "toolhost.h"
#include "toolhost/frame.h"

extern const th_processes_v1 mgi_processes_v1;

/* Add the helpers that live to a frame: a number, and that many process ids, each with whether its
 * descendants stay, too. */
void mgi_processes_put(struct buf *out);

/* Before a call: reap what the host ended after the last one, but not the plugin's helpers, whose
 * ends are the plugin's to see. */
void mgi_processes_reap(void);

/* Are fewer than 16 descriptors left below the limit (T-ISO-7)? Up to a limit of 1024 every one is
 * looked at; above, only when the lowest free one says that at least half are in use. */
bool mgi_descriptors_run_out(void);

#endif
