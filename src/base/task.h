/* Handing computation to somebody who has threads, without knowing who that is.
 *
 * A task is a member of whatever it works on, so handing it over allocates nothing and cannot fail
 * for want of memory. Between `hand` and `done` (or a successful `take_back`) the work belongs to
 * the task: nobody else may touch what `run` reads or writes, but for atomics. */
#ifndef MGI_BASE_TASK_H
#define MGI_BASE_TASK_H

#include <stdbool.h>
#include <stdint.h>

enum task_lane { TASK_QUICK, TASK_SLOW }; /* see server/work.h */

struct task {
    /* Set by whoever hands it over. */
    void (*run)(struct task *t);  /* on some thread */
    void (*done)(struct task *t); /* afterwards, on the loop's thread, never from inside `hand` */
    uint64_t owner;               /* on whose behalf: those who wait take turns */
    uint64_t kind; /* tasks of one kind take about as long; 0: nothing is known of it */
    bool begun;    /* a thread had other work of the same thing before: it goes on first */
    bool promised; /* never refused: it belongs to what has begun, and is bounded there */

    /* Set for `run`: a slot of the thread's own, kept from task to task, NULL at first. */
    void **local;

    /* Readable in `done`, in monotonic nanoseconds. */
    int64_t waited_ns, ran_ns;
    int64_t cost_ns; /* what its kind is judged by */

    /* The runner's. */
    struct task *next;
    int64_t handed_ns, since_ns; /* handed over; taken by a thread */
    uint64_t turn;
    enum task_lane lane;
    bool waiting;
};

struct task_runner { /* a value: two functions and whom they are about */
    /* False: there is no room for another one; neither function of `t` will be called. */
    bool (*hand)(void *self, struct task *t);
    /* True: `t` had not begun, and neither of its functions will be called. */
    bool (*take_back)(void *self, struct task *t);
    void *self;
};

#endif
