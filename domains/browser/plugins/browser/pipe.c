/* Talking to a browser: see pipe.h. */
#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#define CHUNK          65536
#define CANCEL_LOOK_MS 40 /* how often a waiter looks whether it is still wanted */
#define ARENA_KEPT     (1u << 20)

struct browser_pipe {
    struct pipe_program *program;
    pipe_hear *hear;
    void (*ended)(void *context);
    void *context;
    pthread_t thread;
    int wake;                  /* eventfd: there is something to write, or it is over */
    struct pipe_frames frames; /* the reader's */
    struct arena arena;        /* likewise: of one message */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct pipe_question *questions; /* that are waited for */
    struct buf queue;                /* what the descriptor has not taken yet */
    size_t queue_at;
    int64_t last_id;
    bool closed; /* the browser has gone */
    bool stop;   /* the reader is to end */
};

int64_t mgi_pipe_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void mgi_pipe_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t about;
    pthread_condattr_init(&about);
    pthread_condattr_setclock(&about, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &about);
    pthread_condattr_destroy(&about);
}

void mgi_pipe_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until_ms)
{
    const struct timespec until = { until_ms / 1000, until_ms % 1000 * 1000000 };
    pthread_cond_timedwait(cond, lock, &until);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void wake_reader(struct browser_pipe *p)
{
    const uint64_t one = 1;
    (void)!write(p->wake, &one, sizeof one);
}

/* With the lock held. */
static void write_queue(struct browser_pipe *p)
{
    while (p->queue_at < p->queue.len && !p->closed) {
        ssize_t n = send(p->program->to, p->queue.ptr + p->queue_at, p->queue.len - p->queue_at,
                         MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break; /* full, or gone, which the reader will see */
        p->queue_at += (size_t)n;
    }
    if (p->queue_at < p->queue.len)
        return;
    p->queue_at = 0;
    if (p->queue.cap > CHUNK)
        mgi_buf_fini(&p->queue);
    else
        mgi_buf_clear(&p->queue);
}

/* With the lock held. The number of the command, or 0. */
static int64_t put_command(struct browser_pipe *p, struct str session, const char *method,
                           struct str params)
{
    size_t before = p->queue.len;
    if (p->closed || p->queue.len - p->queue_at + params.len > PIPE_QUEUE_MOST)
        return 0;
    mgi_buf_printf(&p->queue, "{\"id\":%lld,\"method\":\"%s\"", (long long)p->last_id + 1, method);
    if (session.len > 0)
        mgi_buf_printf(&p->queue, ",\"sessionId\":\"%.*s\"", STR_ARG(session));
    if (params.len > 0) {
        mgi_buf_puts(&p->queue, ",\"params\":");
        mgi_buf_str(&p->queue, params);
    }
    mgi_buf_append(&p->queue, "}", 2); /* with the NUL */
    if (p->queue.oom) {
        p->queue.len = before; /* what stood there before is whole */
        p->queue.oom = false;
        return 0;
    }
    write_queue(p);
    if (p->queue.len > 0)
        wake_reader(p);
    return ++p->last_id;
}

bool mgi_pipe_tell(struct browser_pipe *p, struct str session, const char *method,
                   struct str params)
{
    pthread_mutex_lock(&p->lock);
    bool sent = put_command(p, session, method, params) != 0;
    pthread_mutex_unlock(&p->lock);
    return sent;
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* With the lock held. */
static enum pipe_answer await(struct browser_pipe *p, const struct pipe_question *q,
                              const struct pipe_patience *patience)
{
    while (!q->done) {
        int64_t now = mgi_pipe_now_ms(), look = now + CANCEL_LOOK_MS;
        if (p->closed)
            return PIPE_ENDED;
        if (q->id == 0)
            return PIPE_NOMEM;
        if (patience->cancelled && patience->cancelled(patience->context))
            return PIPE_CANCELLED;
        if (now >= patience->until_ms)
            return PIPE_LATE;
        mgi_pipe_cond_wait(&p->changed, &p->lock,
                           look < patience->until_ms ? look : patience->until_ms);
    }
    return q->answer;
}

void mgi_pipe_send(struct browser_pipe *p, struct str session, const char *method,
                   struct str params, struct buf *reply, struct pipe_question *q)
{
    *q = (struct pipe_question){ .reply = reply };
    pthread_mutex_lock(&p->lock);
    q->id = put_command(p, session, method, params);
    if (q->id != 0) {
        q->next = p->questions;
        p->questions = q;
    }
    pthread_mutex_unlock(&p->lock);
}

enum pipe_answer mgi_pipe_await(struct browser_pipe *p, struct pipe_question *q,
                                const struct pipe_patience *patience)
{
    pthread_mutex_lock(&p->lock);
    enum pipe_answer answer = await(p, q, patience);
    pthread_mutex_unlock(&p->lock);
    return answer;
}

void mgi_pipe_forget(struct browser_pipe *p, const struct pipe_question *q)
{
    pthread_mutex_lock(&p->lock);
    for (struct pipe_question **at = &p->questions; *at; at = &(*at)->next)
        if (*at == q) {
            *at = q->next;
            break;
        }
    pthread_mutex_unlock(&p->lock);
}

enum pipe_answer mgi_pipe_ask(struct browser_pipe *p, struct str session, const char *method,
                              struct str params, const struct pipe_patience *patience,
                              struct buf *reply)
{
    struct pipe_question q;
    mgi_pipe_send(p, session, method, params, reply, &q);
    enum pipe_answer answer = mgi_pipe_await(p, &q, patience);
    mgi_pipe_forget(p, &q);
    return answer;
}

bool mgi_pipe_has_ended(struct browser_pipe *p)
{
    pthread_mutex_lock(&p->lock);
    bool closed = p->closed;
    pthread_mutex_unlock(&p->lock);
    return closed;
}

/* ---- the reader's thread -------------------------------------------------------------------- */

static void answer_waiter(struct browser_pipe *p, int64_t id, struct str text, bool lost)
{
    pthread_mutex_lock(&p->lock);
    for (struct pipe_question *w = p->questions; w; w = w->next) {
        if (w->id != id || w->done)
            continue;
        if (!lost)
            mgi_buf_str(w->reply, text);
        w->answer = lost ? PIPE_TOO_LONG : w->reply->oom ? PIPE_NOMEM : PIPE_ANSWERED;
        w->done = true;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
}

static void lost_message(void *context, struct str beginning)
{
    int64_t id = mgi_pipe_reply_id(beginning);
    if (id > 0)
        answer_waiter(context, id, STR_LIT(""), true);
}

static struct str string_member(const struct json *v, const char *name)
{
    const struct json *s = mgi_json_get(v, name);
    return s && s->type == JSON_STRING ? s->string : STR_LIT("");
}

/* What is no JSON, or JSON that says nothing, is passed over: a browser that talks nonsense answers
 * no command either, and then the command fails. */
static void take_message(void *context, struct str text)
{
    struct browser_pipe *p = context;
    struct json v;
    int64_t id = mgi_pipe_reply_id(text);
    if (id > 0) {
        answer_waiter(p, id, text, false);
        return;
    }
    if (text.len > PIPE_EVENT_MOST) {
        p->frames.dropped++;
        return;
    }
    const struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    if (mgi_json_parse(&p->arena, text, &options, &v, NULL) == JSON_OK && v.type == JSON_OBJECT) {
        static const struct json nothing = { .type = JSON_OBJECT };
        const struct json *params = mgi_json_get(&v, "params"), *number = mgi_json_get(&v, "id");
        struct str method = string_member(&v, "method");
        if (number && number->type == JSON_INT)
            answer_waiter(p, number->integer, text, false);
        else if (method.len > 0)
            p->hear(p->context, string_member(&v, "sessionId"), method,
                    params && params->type == JSON_OBJECT ? params : &nothing);
    }
    if (p->arena.used > ARENA_KEPT || p->arena.oom) {
        mgi_arena_fini(&p->arena);
        mgi_arena_init(&p->arena, 0);
    } else {
        mgi_arena_reset(&p->arena);
    }
}

/* False: there will be no more. */
static bool read_some(struct browser_pipe *p, char *chunk)
{
    for (;;) {
        ssize_t n = read(p->program->from, chunk, CHUNK);
        if (n > 0)
            mgi_pipe_frames_take(&p->frames, (struct str){ chunk, (size_t)n }, take_message,
                                 lost_message, p);
        else if (n == 0)
            return false;
        else if (errno == EAGAIN)
            return true;
        else if (errno != EINTR)
            return false;
        if (n > 0 && n < CHUNK)
            return true;
    }
}

/* False: it is to end. *events is what to wait for on the writing side. */
static bool look_at_queue(struct browser_pipe *p, short *events)
{
    pthread_mutex_lock(&p->lock);
    write_queue(p);
    bool go_on = !p->stop;
    *events = p->queue.len > 0 ? POLLOUT : 0;
    pthread_mutex_unlock(&p->lock);
    return go_on;
}

static void mark_closed(struct browser_pipe *p)
{
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    if (p->ended)
        p->ended(p->context);
}

static void *run_reader(void *context)
{
    struct browser_pipe *p = context;
    char *chunk = mgi_alloc(CHUNK);
    short writing;
    while (chunk && look_at_queue(p, &writing)) {
        struct pollfd all[3] = { { .fd = p->program->from, .events = POLLIN },
                                 { .fd = p->wake, .events = POLLIN },
                                 { .fd = writing ? p->program->to : -1, .events = writing } };
        uint64_t count;
        if (poll(all, 3, -1) < 0 && errno != EINTR)
            break;
        if (all[1].revents & POLLIN)
            (void)!read(p->wake, &count, sizeof count);
        if (all[0].revents && !read_some(p, chunk))
            break;
    }
    mark_closed(p);
    mgi_free(chunk);
    return NULL;
}

/* Signals are the worker's own thread's business. */
static bool start_reader(struct browser_pipe *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&p->thread, NULL, run_reader, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct browser_pipe *mgi_pipe_new(struct pipe_program *program, pipe_hear *hear,
                                  void (*ended)(void *context), void *context)
{
    struct browser_pipe *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->program = program;
    p->hear = hear;
    p->ended = ended;
    p->context = context;
    p->frames.most = PIPE_MESSAGE_MOST;
    p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    mgi_arena_init(&p->arena, 0);
    pthread_mutex_init(&p->lock, NULL);
    mgi_pipe_cond_init(&p->changed);
    if (p->wake >= 0 && start_reader(p))
        return p;
    if (p->wake >= 0)
        close(p->wake);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    mgi_free(p);
    return NULL;
}

void mgi_pipe_free(struct browser_pipe *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_mutex_unlock(&p->lock);
    wake_reader(p);
    pthread_join(p->thread, NULL);
    close(p->wake);
    mgi_pipe_frames_fini(&p->frames);
    mgi_arena_fini(&p->arena);
    mgi_buf_fini(&p->queue);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    mgi_free(p);
}
