/* What a rush of requests leaves behind goes back when it is over.
 *
 * Spare requests keep warm arenas, threads keep what they evaluated with, and blocks that were in
 * use at once lie scattered over the heap, which gives back by itself only what is at its end. That
 * is right as long as more of the same comes. So: requests that end say how much was in use at that
 * moment; from RUSH_BYTES on a timer looks each second; and when for a whole second at most a
 * quarter of the most was in use, all of that is given back, by a thread. A server that goes on as
 * it was gives nothing back, and one that rests has no timer. */
#include "server/server_int.h"

#define RUSH_BYTES ((size_t)1024 * 1024)
#define LOOK_MS    1000
#define OVER_PART  4

static struct server *server_of(struct task *t)
{
    return (struct server *)((char *)t - offsetof(struct server, rest.task));
}

static void trim(struct task *t)
{
    server_of(t)->options.trim();
}

static void trimmed(struct task *t)
{
    server_of(t)->rest.is_out = false;
}

static void give_back(struct server *s)
{
    struct task_runner tasks = mgi_work_runner(s->work);
    mgi_requests_drop_spare(s);
    mgi_work_refresh(s->work);
    if (!s->options.trim)
        return;
    /* Behind it, threads have forgotten what they kept, but for those that are busy. */
    s->rest.task = (struct task){ .run = trim, .done = trimmed };
    s->rest.is_out = tasks.hand(tasks.self, &s->rest.task);
}

static void look_whether_over(uv_timer_t *timer)
{
    struct server *s = timer->data;
    struct rest *rest = &s->rest;
    bool over = rest->recent <= rest->most / OVER_PART;
    rest->recent = s->open_bytes;
    if (!over || rest->is_out)
        return;
    uv_timer_stop(timer);
    rest->looks = false;
    rest->most = rest->recent;
    give_back(s);
}

void mgi_rest_note(struct server *s, size_t bytes)
{
    struct rest *rest = &s->rest;
    if (bytes > rest->recent)
        rest->recent = bytes;
    if (rest->recent > rest->most)
        rest->most = rest->recent;
    if (rest->looks || bytes < RUSH_BYTES)
        return;
    rest->looks = true;
    uv_timer_start(&rest->timer, look_whether_over, LOOK_MS, LOOK_MS);
}

void mgi_rest_end(struct server *s)
{
    struct task_runner tasks = mgi_work_runner(s->work);
    if (s->rest.is_out)
        (void)tasks.take_back(tasks.self, &s->rest.task); /* else its end is waited for */
}
