/* Workers without threads: stands in for src/server/work.c in the program that includes this. What
 * is handed over is run when a test says so, and delivered when it says so: what can happen between
 * the two to a request that a thread has can be tried in every order. */
#ifndef TESTS_SERVER_FAKE_WORK_H
#define TESTS_SERVER_FAKE_WORK_H

#include <assert.h>

#include "base/alloc.h"
#include "server/work.h"

struct work {
    struct work_options options;
    struct task *waiting, *over; /* in order */
    uint32_t count;              /* waiting */
    void *local;
};

static bool fake_work_hand(void *self, struct task *t)
{
    struct work *w = self;
    struct task **last = &w->waiting;
    if (!t->promised && w->count >= w->options.max_waiting)
        return false;
    while (*last)
        last = &(*last)->next;
    t->next = NULL;
    *last = t;
    w->count++;
    return true;
}

static bool fake_work_take_back(void *self, struct task *t)
{
    struct work *w = self;
    struct task **link = &w->waiting;
    while (*link && *link != t)
        link = &(*link)->next;
    if (!*link)
        return false;
    *link = t->next;
    w->count--;
    return true;
}

/* Run the first that waits. False: none does. */
static bool fake_work_run(struct work *w)
{
    struct task *t = w->waiting, **last = &w->over;
    if (!t)
        return false;
    w->waiting = t->next;
    w->count--;
    t->local = &w->local;
    t->run(t);
    t->next = NULL;
    while (*last)
        last = &(*last)->next;
    *last = t;
    return true;
}

/* Deliver the first that has run. */
static bool fake_work_deliver(struct work *w)
{
    struct task *t = w->over;
    if (!t)
        return false;
    w->over = t->next;
    t->done(t);
    return true;
}

struct work *mgi_work_new(const struct work_options *options)
{
    struct work *w = mgi_calloc(1, sizeof *w);
    if (w)
        w->options = *options;
    return w;
}

void mgi_work_refresh(struct work *w)
{
    if (w->local)
        w->options.forget(w->local);
    w->local = NULL;
}

void mgi_work_free(struct work *w)
{
    if (!w)
        return;
    assert(!w->waiting); /* what has run is not delivered any more */
    mgi_work_refresh(w);
    mgi_free(w);
}

struct task_runner mgi_work_runner(struct work *w)
{
    return (struct task_runner){ fake_work_hand, fake_work_take_back, w };
}

void mgi_work_metrics(struct work *w, struct lane_metrics *quick, struct lane_metrics *slow)
{
    *quick = *slow = (struct lane_metrics){ .limit = 1, .waiting = w->count };
}

#endif
