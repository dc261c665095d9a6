/* The queue of a decision log and its thread: see the header.
 *
 * `mutex` guards everything but the sink, which is the thread's alone. The thread takes the whole
 * queue at once, so that who puts a line never meets it while it writes; what it holds still counts
 * as waiting. It lingers between two rounds: many lines then cost one waking. */
#include "decision/log.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/time.h"
#include "sys/clock.h"

#define QUEUE_BYTES ((size_t)16 << 20)
#define LINGER_MS   10   /* how old a line may get before it is written */
#define RETRY_MS    200  /* between two tries of a line that could not be written */
#define HANG_MS     1000 /* beyond its deadline, that a disk which does not answer is waited for */

struct decision_line {
    struct decision_line *next;
    uint64_t lost_before; /* between the line before and this one */
    char *text;
    size_t len;
    size_t held; /* memory: what counts while it waits */
};

struct decision_log {
    pthread_mutex_t mutex;
    pthread_cond_t news, end;
    pthread_t thread;
    struct decision_line *first, **last; /* the queue */
    size_t waiting_bytes, max_bytes;
    uint64_t written, bytes, lost;
    uint64_t untold; /* of the lost: since the last line of the queue */
    uint64_t next_id;
    bool idle; /* the thread waits for news */
    bool reopen, ending, ended;
    int64_t end_ns; /* monotonic; while ending */
    char why[SINK_WHY_BYTES];
    char run[33];

    struct decision_sink sink;
    struct logger log;
    bool has_log;
    void (*changed)(void *context);
    void *context;
};

/* ---- for any thread ------------------------------------------------------------------------ */

static void free_line(struct decision_line *line)
{
    mgi_free(line->text);
    mgi_free(line);
}

void mgi_decision_log_id(struct decision_log *d, char out[48])
{
    pthread_mutex_lock(&d->mutex);
    uint64_t n = ++d->next_id;
    pthread_mutex_unlock(&d->mutex);
    snprintf(out, 48, "%s-%" PRIu64, d->run, n);
}

/* Under the mutex. */
static void lose(struct decision_log *d, uint64_t count)
{
    d->lost += count;
    d->untold += count;
}

static bool enqueue(struct decision_log *d, struct decision_line *line)
{
    bool room = d->waiting_bytes + line->held <= d->max_bytes && !d->ending;
    if (!room) {
        lose(d, 1);
        return false;
    }
    line->lost_before = d->untold;
    d->untold = 0;
    *d->last = line;
    d->last = &line->next;
    d->waiting_bytes += line->held;
    if (d->idle)
        pthread_cond_signal(&d->news);
    return true;
}

bool mgi_decision_log_put(struct decision_log *d, struct buf *text)
{
    struct decision_line *line = text->oom ? NULL : mgi_alloc(sizeof *line);
    bool kept = false;
    if (line)
        *line = (struct decision_line){ .len = text->len, .held = text->cap + sizeof *line };
    if (line)
        line->text = mgi_buf_take(text, NULL);
    mgi_buf_fini(text);
    pthread_mutex_lock(&d->mutex);
    if (line && line->text)
        kept = enqueue(d, line);
    else
        lose(d, 1);
    pthread_mutex_unlock(&d->mutex);
    if (line && !kept)
        free_line(line);
    return kept;
}

void mgi_decision_log_reopen(struct decision_log *d)
{
    pthread_mutex_lock(&d->mutex);
    d->reopen = true;
    pthread_cond_signal(&d->news);
    pthread_mutex_unlock(&d->mutex);
}

void mgi_decision_log_state(struct decision_log *d, struct decision_log_state *out)
{
    pthread_mutex_lock(&d->mutex);
    *out = (struct decision_log_state){
        .written = d->written, .lost = d->lost, .bytes = d->bytes, .waiting_bytes = d->waiting_bytes
    };
    memcpy(out->why, d->why, sizeof out->why);
    pthread_mutex_unlock(&d->mutex);
}

/* ---- its thread ---------------------------------------------------------------------------- */

/* Under the mutex, so that nobody is told after the end. */
static void say(struct decision_log *d, enum log_level level, const char *text)
{
    pthread_mutex_lock(&d->mutex);
    if (d->has_log)
        mgi_log(&d->log, level, "decision log: %s", text);
    pthread_mutex_unlock(&d->mutex);
}

/* What is wrong now ("": nothing), told once. */
static void note_trouble(struct decision_log *d, const char *why)
{
    pthread_mutex_lock(&d->mutex);
    bool news = strcmp(d->why, why) != 0;
    uint64_t lost = d->lost;
    if (news)
        snprintf(d->why, sizeof d->why, "%s", why);
    pthread_mutex_unlock(&d->mutex);
    if (!news)
        return;
    char text[SINK_WHY_BYTES + 64];
    if (why[0])
        snprintf(text, sizeof text, "%s; records wait for it", why);
    else
        snprintf(text, sizeof text, "it is in order again; %" PRIu64 " records were lost so far",
                 lost);
    say(d, why[0] ? LOG_ERROR : LOG_WARN, text);
    pthread_mutex_lock(&d->mutex);
    if (d->changed)
        d->changed(d->context);
    pthread_mutex_unlock(&d->mutex);
}

static struct timespec moment(int64_t ns)
{
    return (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_SEC),
                              .tv_nsec = (long)(ns % NS_PER_SEC) };
}

/* Under the mutex: wait for news, no longer than until `until_ns`. */
static void wait_until(struct decision_log *d, int64_t until_ns)
{
    struct timespec until = moment(until_ns);
    (void)pthread_cond_timedwait(&d->news, &d->mutex, &until);
}

/* Let `ms` pass, or less if the log is to end. False: it is to end, and its time is over. */
static bool pause_for(struct decision_log *d, int64_t ms)
{
    int64_t now_ns = mgi_clock_mono_ns(), until_ns = now_ns + ms * NS_PER_MS;
    pthread_mutex_lock(&d->mutex);
    while (now_ns < until_ns && !(d->ending && now_ns >= d->end_ns)) {
        int64_t next_ns = d->ending && d->end_ns < until_ns ? d->end_ns : until_ns;
        wait_until(d, next_ns);
        now_ns = mgi_clock_mono_ns();
    }
    bool time_left = !d->ending || now_ns < d->end_ns;
    pthread_mutex_unlock(&d->mutex);
    return time_left;
}

static void reopen_if_asked(struct decision_log *d)
{
    char why[SINK_WHY_BYTES];
    pthread_mutex_lock(&d->mutex);
    bool asked = d->reopen;
    d->reopen = false;
    pthread_mutex_unlock(&d->mutex);
    if (asked && !d->sink.operations->reopen(d->sink.self, why)) {
        char text[SINK_WHY_BYTES + 64];
        snprintf(text, sizeof text, "%s; the old file is written on", why);
        say(d, LOG_ERROR, text);
    }
}

/* Until it is written. False: the time is over. */
static bool write_line(struct decision_log *d, struct str line)
{
    char why[SINK_WHY_BYTES];
    for (;;) {
        reopen_if_asked(d);
        enum sink_result result = d->sink.operations->write(d->sink.self, line, why);
        if (result == SINK_WRITTEN) {
            if (why[0])
                say(d, LOG_ERROR, why);
            note_trouble(d, "");
            return true;
        }
        note_trouble(d, result == SINK_WAITS ? "nobody reads it" : why);
        if (!pause_for(d, result == SINK_WAITS ? LINGER_MS : RETRY_MS))
            return false;
    }
}

/* So many are missing before the next line: it is said where they would have stood. */
static bool tell_losses(struct decision_log *d, uint64_t count)
{
    char line[96];
    if (count == 0)
        return true;
    int len = snprintf(line, sizeof line,
                       "{\"decision\":1,\"kind\":\"lost\",\"records\":%" PRIu64 "}\n", count);
    if (!write_line(d, (struct str){ line, (size_t)len }))
        return false;
    snprintf(line, sizeof line, "%" PRIu64 " records were lost: more came than could be written",
             count);
    say(d, LOG_WARN, line);
    return true;
}

static void count_written(struct decision_log *d, const struct decision_line *line)
{
    pthread_mutex_lock(&d->mutex);
    d->written++;
    d->bytes += line->len;
    d->waiting_bytes -= line->held;
    pthread_mutex_unlock(&d->mutex);
}

struct round {
    struct decision_line *lines; /* the whole queue */
    uint64_t lost;               /* behind its end, if it is empty */
    bool last;
};

static struct round next_round(struct decision_log *d)
{
    pthread_mutex_lock(&d->mutex);
    while (!d->first && !d->ending && !d->reopen && d->untold == 0) {
        d->idle = true;
        pthread_cond_wait(&d->news, &d->mutex);
        d->idle = false;
    }
    struct round r = { d->first, 0, !d->first && d->ending };
    if (!r.lines) {
        r.lost = d->untold;
        d->untold = 0;
    }
    d->first = NULL;
    d->last = &d->first;
    pthread_mutex_unlock(&d->mutex);
    return r;
}

/* Nobody will write these any more. */
static void give_up(struct decision_log *d, struct decision_line *lines)
{
    uint64_t count = 0;
    char text[64];
    for (struct decision_line *next; lines; lines = next, count++) {
        next = lines->next;
        free_line(lines);
    }
    pthread_mutex_lock(&d->mutex);
    lose(d, count);
    pthread_mutex_unlock(&d->mutex);
    snprintf(text, sizeof text, "%" PRIu64 " records were lost at the end", count);
    if (count > 0)
        say(d, LOG_ERROR, text);
}

/* False: the time is over. */
static bool write_round(struct decision_log *d, struct round r)
{
    reopen_if_asked(d);
    for (struct decision_line *line; (line = r.lines) != NULL;) {
        if (!tell_losses(d, line->lost_before) ||
            !write_line(d, (struct str){ line->text, line->len })) {
            give_up(d, line);
            return false;
        }
        count_written(d, line);
        r.lines = line->next;
        free_line(line);
    }
    return tell_losses(d, r.lost);
}

/* Others come meanwhile, and are written in one go. */
static void linger(struct decision_log *d)
{
    pthread_mutex_lock(&d->mutex);
    if (!d->ending)
        wait_until(d, mgi_clock_mono_ns() + LINGER_MS * NS_PER_MS);
    pthread_mutex_unlock(&d->mutex);
}

static void *write_decisions(void *context)
{
    struct decision_log *d = context;
    struct round r;
    do {
        r = next_round(d);
        if (!write_round(d, r))
            break;
        linger(d);
    } while (!r.last);
    pthread_mutex_lock(&d->mutex);
    d->ended = true;
    pthread_cond_signal(&d->end);
    pthread_mutex_unlock(&d->mutex);
    return NULL;
}

/* ---- beginning and end --------------------------------------------------------------------- */

static bool start_writing(struct decision_log *d)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->news, &attributes);
    pthread_cond_init(&d->end, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&d->thread, NULL, write_decisions, d) == 0;
}

struct decision_log *mgi_decision_log_new(const struct decision_log_options *o)
{
    struct decision_log *d = mgi_calloc(1, sizeof *d);
    if (!d) {
        o->sink.operations->close(o->sink.self);
        return NULL;
    }
    d->sink = o->sink;
    d->last = &d->first;
    d->max_bytes = o->max_bytes ? o->max_bytes : QUEUE_BYTES;
    snprintf(d->run, sizeof d->run, "%s", o->run ? o->run : "");
    d->has_log = o->log != NULL;
    if (o->log)
        d->log = *o->log;
    d->changed = o->changed;
    d->context = o->context;
    if (start_writing(d))
        return d;
    d->sink.operations->close(d->sink.self);
    mgi_free(d);
    return NULL;
}

/* False: it hangs in the disk. */
static bool await_end(struct decision_log *d, int64_t deadline_ms)
{
    pthread_mutex_lock(&d->mutex);
    d->ending = true;
    d->end_ns = mgi_clock_mono_ns() + deadline_ms * NS_PER_MS;
    pthread_cond_signal(&d->news);
    int64_t hang_ns = d->end_ns + HANG_MS * NS_PER_MS;
    struct timespec until = moment(hang_ns);
    while (!d->ended && mgi_clock_mono_ns() < hang_ns)
        (void)pthread_cond_timedwait(&d->end, &d->mutex, &until);
    bool ended = d->ended;
    if (!ended) {
        if (d->has_log)
            mgi_log(&d->log, LOG_ERROR,
                    "decision log: the disk does not answer; what waited is lost");
        d->has_log = false;
        d->changed = NULL;
    }
    pthread_mutex_unlock(&d->mutex);
    return ended;
}

void mgi_decision_log_free(struct decision_log *d, int64_t deadline_ms)
{
    if (!d)
        return;
    if (!await_end(d, deadline_ms)) {
        pthread_detach(d->thread); /* what it holds stays its own */
        return;
    }
    pthread_join(d->thread, NULL);
    give_up(d, d->first); /* its time was over before it had looked */
    d->sink.operations->close(d->sink.self);
    pthread_cond_destroy(&d->news);
    pthread_cond_destroy(&d->end);
    pthread_mutex_destroy(&d->mutex);
    mgi_free(d);
}
