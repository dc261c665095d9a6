/* The threads of a server, and the one way to them.
 *
 *     loop: hand ──> queue of the quick lane ──> a thread runs it ──> loop: done
 *                    queue of the slow lane  ──┘
 *
 * A task begins in the quick lane. One that has cost more than WORK_QUICK_NS while others wait is
 * counted to the slow lane from then on, and another quick one may begin; its kind is known to be
 * slow, and tasks of such a kind begin in the slow lane. What a task costs is its processor time or
 * a tenth of its time on the clock, whichever is more: on a busy machine everything takes long.
 * Each lane has its own bound, and there is a thread for every place of both: however many slow
 * tasks there are, quick ones find a free place. What is not promised: tasks of a kind that nobody
 * has seen before may hold all quick places until they have cost WORK_QUICK_NS, and, if the slow
 * lane is full, until they end.
 *
 * Who waits takes turns by owner: a task stands behind as many rounds as its owner has tasks
 * waiting in that lane. What has begun goes on first: it had its turn, and until it is over it
 * holds memory. So few are under way, however many wait.
 *
 * hand, take_back and everything else here is called on the loop's thread. */
#ifndef MGI_SERVER_WORK_H
#define MGI_SERVER_WORK_H

#include <uv.h>

#include "base/task.h"
#include "server/metrics.h"

#define WORK_QUICK_NS INT64_C(10000000) /* an intent or an argument check takes a tenth of it */

struct work;

struct work_options {
    uv_loop_t *loop;
    uint32_t quick, slow;        /* places of the lanes, at least 1 each */
    uint32_t max_waiting;        /* tasks that may wait in each lane; of one owner a quarter */
    void (*forget)(void *local); /* gives back what tasks kept in their thread's slot */
};

/* With its threads running. NULL: short of memory, or a thread could not be started. */
struct work *mgi_work_new(const struct work_options *options);

/* Ends the threads; no task may be waiting. What still runs is waited for, and is not delivered any
 * more: its owner knows. `w` itself is freed when the loop has closed its handles. NULL is fine. */
void mgi_work_free(struct work *w);

struct task_runner mgi_work_runner(struct work *w);

/* Every thread forgets what it keeps from task to task, before its next task or at once if idle. */
void mgi_work_refresh(struct work *w);

void mgi_work_metrics(struct work *w, struct lane_metrics *quick, struct lane_metrics *slow);

#endif
