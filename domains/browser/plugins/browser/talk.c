/* Talking to a browser: see talk.h. */
#include "talk.h"

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
#define CHUNKS_A_TURN  16
#define CANCEL_LOOK_MS 40 /* how often a waiter looks whether it is still wanted */
#define ARENA_KEPT     (1u << 20)

struct browser_talk {
    struct wire *wire;
    talk_hear *hear;
    void (*ended)(void *context);
    void *context;
    pthread_t thread;
    int wake;           /* eventfd: there is something to write, or it is over */
    struct arena arena; /* the reader's: of one message */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct talk_question *questions; /* that are waited for */
    struct buf command;              /* being made */
    struct buf queue;                /* what the descriptor has not taken yet */
    size_t queue_at;
    int64_t last_id;
    const char *why; /* there will be no more (static) */
    bool closed;     /* the browser has gone */
    bool stop;       /* the reader is to end */
    void (*remind)(void *context);
    int every_ms;
    int64_t remind_ms; /* when it is the next time */
};

int64_t mgi_talk_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void mgi_talk_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t about;
    pthread_condattr_init(&about);
    pthread_condattr_setclock(&about, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &about);
    pthread_condattr_destroy(&about);
}

void mgi_talk_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until_ms)
{
    const struct timespec until = { until_ms / 1000, until_ms % 1000 * 1000000 };
    pthread_cond_timedwait(cond, lock, &until);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void wake_reader(struct browser_talk *p)
{
    const uint64_t one = 1;
    (void)!write(p->wake, &one, sizeof one);
}

static void forget_much(struct buf *b)
{
    if (b->cap > CHUNK)
        mgi_buf_fini(b);
    else
        mgi_buf_clear(b);
}

/* With the lock held. */
static void write_queue(struct browser_talk *p)
{
    while (p->queue_at < p->queue.len && !p->closed) {
        ssize_t n =
            send(p->wire->to, p->queue.ptr + p->queue_at, p->queue.len - p->queue_at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break; /* full, or gone, which the reader will see */
        p->queue_at += (size_t)n;
    }
    if (p->queue_at < p->queue.len)
        return;
    p->queue_at = 0;
    forget_much(&p->queue);
}

static void print_command(struct buf *out, int64_t id, struct str session, const char *method,
                          struct str params)
{
    mgi_buf_printf(out, "{\"id\":%lld,\"method\":\"%s\"", (long long)id, method);
    if (session.len > 0)
        mgi_buf_printf(out, ",\"sessionId\":\"%.*s\"", STR_ARG(session));
    if (params.len > 0) {
        mgi_buf_puts(out, ",\"params\":");
        mgi_buf_str(out, params);
    }
    mgi_buf_putc(out, '}');
}

/* With the lock held. False: there is no memory, and what stood in the queue before is whole. */
static bool put_message(struct browser_talk *p, struct str text)
{
    size_t before = p->queue.len;
    p->wire->kind->put(p->wire, &p->queue, text);
    if (!p->queue.oom)
        return true;
    p->queue.len = before;
    p->queue.oom = false;
    return false;
}

/* With the lock held. The number of the command, or 0. */
static int64_t put_command(struct browser_talk *p, struct str session, const char *method,
                           struct str params)
{
    if (p->closed || p->queue.len - p->queue_at + params.len > TALK_QUEUE_MOST)
        return 0;
    print_command(&p->command, p->last_id + 1, session, method, params);
    bool put = !p->command.oom && put_message(p, mgi_buf_view(&p->command));
    forget_much(&p->command);
    if (!put)
        return 0;
    write_queue(p);
    if (p->queue.len > 0)
        wake_reader(p);
    return ++p->last_id;
}

bool mgi_talk_tell(struct browser_talk *p, struct str session, const char *method,
                   struct str params)
{
    pthread_mutex_lock(&p->lock);
    bool sent = put_command(p, session, method, params) != 0;
    pthread_mutex_unlock(&p->lock);
    return sent;
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* With the lock held. */
static enum talk_answer await(struct browser_talk *p, const struct talk_question *q,
                              const struct talk_patience *patience)
{
    while (!q->done) {
        int64_t now = mgi_talk_now_ms(), look = now + CANCEL_LOOK_MS;
        if (p->closed)
            return TALK_ENDED;
        if (q->id == 0)
            return TALK_NOMEM;
        if (patience->cancelled && patience->cancelled(patience->context))
            return TALK_CANCELLED;
        if (now >= patience->until_ms)
            return TALK_LATE;
        mgi_talk_cond_wait(&p->changed, &p->lock,
                           look < patience->until_ms ? look : patience->until_ms);
    }
    return q->answer;
}

void mgi_talk_send(struct browser_talk *p, struct str session, const char *method,
                   struct str params, struct buf *reply, struct talk_question *q)
{
    *q = (struct talk_question){ .reply = reply };
    pthread_mutex_lock(&p->lock);
    q->id = put_command(p, session, method, params);
    if (q->id != 0) {
        q->next = p->questions;
        p->questions = q;
    }
    pthread_mutex_unlock(&p->lock);
}

enum talk_answer mgi_talk_await(struct browser_talk *p, struct talk_question *q,
                                const struct talk_patience *patience)
{
    pthread_mutex_lock(&p->lock);
    enum talk_answer answer = await(p, q, patience);
    pthread_mutex_unlock(&p->lock);
    return answer;
}

void mgi_talk_forget(struct browser_talk *p, const struct talk_question *q)
{
    pthread_mutex_lock(&p->lock);
    for (struct talk_question **at = &p->questions; *at; at = &(*at)->next)
        if (*at == q) {
            *at = q->next;
            break;
        }
    pthread_mutex_unlock(&p->lock);
}

enum talk_answer mgi_talk_ask(struct browser_talk *p, struct str session, const char *method,
                              struct str params, const struct talk_patience *patience,
                              struct buf *reply)
{
    struct talk_question q;
    mgi_talk_send(p, session, method, params, reply, &q);
    enum talk_answer answer = mgi_talk_await(p, &q, patience);
    mgi_talk_forget(p, &q);
    return answer;
}

bool mgi_talk_has_ended(struct browser_talk *p)
{
    pthread_mutex_lock(&p->lock);
    bool closed = p->closed;
    pthread_mutex_unlock(&p->lock);
    return closed;
}

const char *mgi_talk_why_ended(struct browser_talk *p)
{
    pthread_mutex_lock(&p->lock);
    const char *why = p->why ? p->why : "it broke";
    pthread_mutex_unlock(&p->lock);
    return why;
}

/* ---- whose reply it is ---------------------------------------------------------------------- */

static size_t skip_blank(struct str s, size_t at)
{
    while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\n' || s.ptr[at] == '\t'))
        at++;
    return at;
}

int64_t mgi_talk_reply_id(struct str s)
{
    size_t at = skip_blank(s, 0);
    if (at >= s.len || s.ptr[at] != '{')
        return 0;
    at = skip_blank(s, at + 1);
    if (s.len - at < 5 || memcmp(s.ptr + at, "\"id\"", 4) != 0)
        return 0;
    at = skip_blank(s, at + 4);
    if (at >= s.len || s.ptr[at] != ':')
        return 0;
    at = skip_blank(s, at + 1);
    int64_t id = 0;
    for (size_t digits = 0; at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9'; at++, digits++) {
        if (digits > 17)
            return 0;
        id = id * 10 + (s.ptr[at] - '0');
    }
    return id;
}

/* ---- the reader's thread -------------------------------------------------------------------- */

#define ANYBODY 0 /* in place of an id */

static void answer_waiter(struct browser_talk *p, int64_t id, struct str text, bool lost)
{
    pthread_mutex_lock(&p->lock);
    for (struct talk_question *w = p->questions; w; w = w->next) {
        if ((w->id != id && id != ANYBODY) || w->done)
            continue;
        if (!lost)
            mgi_buf_str(w->reply, text);
        w->answer = lost ? TALK_TOO_LONG : w->reply->oom ? TALK_NOMEM : TALK_ANSWERED;
        w->done = true;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
}

static void lost_message(void *context, struct str beginning)
{
    int64_t id = mgi_talk_reply_id(beginning);
    if (id > 0 || beginning.len == 0)
        answer_waiter(context, id > 0 ? id : ANYBODY, STR_LIT(""), true);
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
    struct browser_talk *p = context;
    struct json v;
    int64_t id = mgi_talk_reply_id(text);
    if (id > 0) {
        answer_waiter(p, id, text, false);
        return;
    }
    if (text.len > TALK_EVENT_MOST)
        return;
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

/* What there is no room for is not answered: who asks so much and reads nothing need not know. */
static void queue_answer(struct browser_talk *p, struct str bytes)
{
    pthread_mutex_lock(&p->lock);
    if (p->queue.len - p->queue_at + bytes.len <= TALK_QUEUE_MOST &&
        mgi_buf_reserve(&p->queue, bytes.len))
        mgi_buf_str(&p->queue, bytes);
    p->queue.oom = false;
    write_queue(p);
    pthread_mutex_unlock(&p->lock);
}

/* Always false: there will be no more. */
static bool end_because(struct browser_talk *p, const char *why)
{
    pthread_mutex_lock(&p->lock);
    p->why = why;
    pthread_mutex_unlock(&p->lock);
    return false;
}

/* What came, as messages; what it wants answered goes into the queue. False: there will be no more.
 */
static bool take_bytes(struct browser_talk *p, struct str bytes)
{
    const struct wire_ear ear = { take_message, lost_message, p };
    struct buf answer;
    mgi_buf_init(&answer);
    const char *why = p->wire->kind->take(p->wire, bytes, &ear, &answer);
    if (answer.len > 0)
        queue_answer(p, mgi_buf_view(&answer));
    mgi_buf_fini(&answer);
    return !why || end_because(p, why);
}

/* At most CHUNKS_A_TURN of them: a browser that never stops would keep the reader from what it has
 * to write, and from its end. False: there will be no more. */
static bool read_some(struct browser_talk *p, char *chunk)
{
    for (int turn = 0; turn < CHUNKS_A_TURN; turn++) {
        ssize_t n = read(p->wire->from, chunk, CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN || end_because(p, "it broke");
        if (n == 0)
            return end_because(p, "the browser hung up");
        if (!take_bytes(p, (struct str){ chunk, (size_t)n }))
            return false;
        if (n < CHUNK)
            return true;
    }
    return true;
}

void mgi_talk_remind(struct browser_talk *p, void (*what)(void *context), int every_ms)
{
    pthread_mutex_lock(&p->lock);
    bool begins = what && !p->remind;
    if (begins)
        p->remind_ms = mgi_talk_now_ms() + every_ms;
    p->remind = what;
    p->every_ms = every_ms;
    pthread_mutex_unlock(&p->lock);
    if (begins)
        wake_reader(p);
}

/* Reminds who is to be reminded now. How long to wait until the next time; -1: nobody waits. */
static int remind(struct browser_talk *p)
{
    pthread_mutex_lock(&p->lock);
    int64_t now = mgi_talk_now_ms();
    void (*what)(void *context) = p->remind;
    int64_t left = p->remind_ms - now;
    if (what && left <= 0)
        p->remind_ms = now + p->every_ms;
    pthread_mutex_unlock(&p->lock);
    if (what && left <= 0)
        what(p->context);
    return !what ? -1 : left > 0 ? (int)left : 0;
}

/* False: it is to end. *events is what to wait for on the writing side. */
static bool look_at_queue(struct browser_talk *p, short *events)
{
    pthread_mutex_lock(&p->lock);
    write_queue(p);
    bool go_on = !p->stop;
    *events = p->queue.len > 0 ? POLLOUT : 0;
    pthread_mutex_unlock(&p->lock);
    return go_on;
}

static void mark_closed(struct browser_talk *p)
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
    struct browser_talk *p = context;
    char *chunk = mgi_alloc(CHUNK);
    short writing;
    while (chunk && look_at_queue(p, &writing)) {
        struct pollfd all[3] = { { .fd = p->wire->from, .events = POLLIN },
                                 { .fd = p->wake, .events = POLLIN },
                                 { .fd = writing ? p->wire->to : -1, .events = writing } };
        uint64_t count;
        if (poll(all, 3, remind(p)) < 0 && errno != EINTR)
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
static bool start_reader(struct browser_talk *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&p->thread, NULL, run_reader, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct browser_talk *mgi_talk_new(struct wire *wire, talk_hear *hear, void (*ended)(void *context),
                                  void *context)
{
    struct browser_talk *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->wire = wire;
    p->hear = hear;
    p->ended = ended;
    p->context = context;
    p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    mgi_arena_init(&p->arena, 0);
    pthread_mutex_init(&p->lock, NULL);
    mgi_talk_cond_init(&p->changed);
    if (p->wake >= 0 && start_reader(p))
        return p;
    if (p->wake >= 0)
        close(p->wake);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    mgi_free(p);
    return NULL;
}

void mgi_talk_free(struct browser_talk *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_mutex_unlock(&p->lock);
    wake_reader(p);
    pthread_join(p->thread, NULL);
    close(p->wake);
    mgi_arena_fini(&p->arena);
    mgi_buf_fini(&p->command);
    mgi_buf_fini(&p->queue);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    mgi_free(p);
}
