/* The thread of a decision log: see the header.
 *
 * `mutex` guards what is shared but the sink, which is the thread's alone; nothing slow happens
 * under it. `telling` is held while others are told (the server's log, `changed`), so that nobody
 * is after the end, and by nobody who puts a line. The thread takes all that waits at once, so that
 * who puts a line never meets it while it writes. It lingers between two rounds: many lines then
 * cost one waking and one write. */
#include "decision/log.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/time.h"
#include "decision/backlog.h"
#include "sys/clock.h"

#define QUEUE_BYTES ((size_t)16 << 20)
#define LINGER_MS   20   /* how old a line may get before it is written */
#define RETRY_MS    200  /* between two tries of a line that could not be written */
#define HANG_MS     1000 /* beyond its deadline, that a disk which does not answer is waited for */

#define RUN_BYTES 25 /* with '-' and 20 digits it is the 48 bytes of an id */

struct decision_log {
    pthread_mutex_t mutex, telling;
    pthread_cond_t news, end;
    pthread_t thread;
    struct backlog backlog;
    uint64_t written, bytes;
    bool idle; /* the thread waits for news */
    bool reopen, ending, ended;
    int64_t end_ns; /* monotonic; while ending */
    char why[SINK_WHY_BYTES];

    atomic_uint_fast64_t next_id;
    char run[RUN_BYTES];

    struct decision_sink sink;
    atomic_bool abandoned; /* nobody is told any more */
    struct logger log;
    bool has_log;
    void (*changed)(void *context);
    void *context;
};

/* ---- for any thread ------------------------------------------------------------------------ */

void mgi_decision_log_id(struct decision_log *d, char out[48])
{
    char digits[22], *p = digits + sizeof digits - 1;
    uint64_t n = atomic_fetch_add(&d->next_id, 1) + 1;
    size_t len = strlen(d->run);
    *p = '\0';
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    *--p = '-';
    memcpy(out, d->run, len);
    memcpy(out + len, p, (size_t)(digits + sizeof digits - p));
}

bool mgi_decision_log_put(struct decision_log *d, const struct buf *line)
{
    pthread_mutex_lock(&d->mutex);
    bool kept = !line->oom && !d->ending;
    if (kept)
        kept = mgi_backlog_add(&d->backlog, mgi_buf_view(line));
    else
        mgi_backlog_lose(&d->backlog, 1);
    if (d->idle)
        pthread_cond_signal(&d->news);
    pthread_mutex_unlock(&d->mutex);
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
    *out = (struct decision_log_state){ .written = d->written,
                                        .lost = d->backlog.lost,
                                        .bytes = d->bytes,
                                        .waiting_bytes = d->backlog.waiting };
    memcpy(out->why, d->why, sizeof out->why);
    pthread_mutex_unlock(&d->mutex);
}

/* ---- its thread ---------------------------------------------------------------------------- */

/* Whoever reads the server's log may be slow: only this thread waits for that. */
static void say(struct decision_log *d, enum log_level level, const char *text)
{
    pthread_mutex_lock(&d->telling);
    if (d->has_log && !atomic_load(&d->abandoned))
        mgi_log(&d->log, level, "decision log: %s", text);
    pthread_mutex_unlock(&d->telling);
}

static void tell_of_change(struct decision_log *d)
{
    pthread_mutex_lock(&d->telling);
    if (d->changed && !atomic_load(&d->abandoned))
        d->changed(d->context);
    pthread_mutex_unlock(&d->telling);
}

/* What is wrong now ("": nothing), told once. */
static void note_trouble(struct decision_log *d, const char *why)
{
    pthread_mutex_lock(&d->mutex);
    bool news = strcmp(d->why, why) != 0;
    uint64_t lost = d->backlog.lost;
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
    tell_of_change(d);
    say(d, why[0] ? LOG_ERROR : LOG_WARN, text);
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

/* ---- what is written ----------------------------------------------------------------------- */

static uint64_t count_lines(struct str text)
{
    uint64_t lines = 0;
    for (const char *at = text.ptr, *end = at + text.len;
         at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        lines++;
    return lines;
}

/* The next `bytes` of a piece are where they belong. */
static void count_written(struct decision_log *d, struct backlog_piece *piece, struct str done)
{
    uint64_t lines = count_lines(done), lost = lines > 0 ? piece->lost : 0;
    char text[96];
    if (lost > 0) {
        snprintf(text, sizeof text,
                 "%" PRIu64 " records were lost: more came than could be written", lost);
        say(d, LOG_WARN, text);
        piece->lost = 0;
        lines--;
    }
    pthread_mutex_lock(&d->mutex);
    d->written += lines;
    d->bytes += done.len;
    pthread_mutex_unlock(&d->mutex);
}

/* Until it is written. False: the time is over, and *done bytes are there. */
static bool write_piece(struct decision_log *d, struct backlog_piece *piece, size_t *done)
{
    char why[SINK_WHY_BYTES];
    for (*done = 0;;) {
        size_t taken = 0;
        reopen_if_asked(d);
        enum sink_result result = d->sink.operations->write(
            d->sink.self, (struct str){ piece->text + *done, piece->len - *done }, &taken, why);
        count_written(d, piece, (struct str){ piece->text + *done, taken });
        *done += taken;
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

static void free_piece(struct decision_log *d, struct backlog_piece *piece)
{
    pthread_mutex_lock(&d->mutex);
    mgi_backlog_free_piece(&d->backlog, piece);
    pthread_mutex_unlock(&d->mutex);
}

/* Nobody will write these any more, but for the first bytes of the first. */
static void give_up(struct decision_log *d, struct backlog_piece *pieces, size_t done)
{
    uint64_t count = 0;
    char text[64];
    for (struct backlog_piece *next; pieces; pieces = next, done = 0) {
        struct str rest = { pieces->text + done, pieces->len - done };
        next = pieces->next;
        count += count_lines(rest) - (pieces->lost > 0);
        free_piece(d, pieces);
    }
    pthread_mutex_lock(&d->mutex);
    mgi_backlog_lose(&d->backlog, count);
    pthread_mutex_unlock(&d->mutex);
    snprintf(text, sizeof text, "%" PRIu64 " records were lost at the end", count);
    if (count > 0)
        say(d, LOG_ERROR, text);
}

/* False: the time is over. */
static bool write_round(struct decision_log *d, struct backlog_piece *pieces)
{
    size_t done;
    reopen_if_asked(d);
    for (struct backlog_piece *next; pieces; pieces = next) {
        if (!write_piece(d, pieces, &done)) {
            give_up(d, pieces, done);
            return false;
        }
        next = pieces->next;
        free_piece(d, pieces);
    }
    return true;
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* What waits; *last: nothing comes after it. */
static struct backlog_piece *next_round(struct decision_log *d, bool *last)
{
    pthread_mutex_lock(&d->mutex);
    while (!d->backlog.first && !d->ending && !d->reopen && d->backlog.untold == 0) {
        d->idle = true;
        pthread_cond_wait(&d->news, &d->mutex);
        d->idle = false;
    }
    struct backlog_piece *pieces = mgi_backlog_take(&d->backlog);
    *last = !pieces && d->ending;
    pthread_mutex_unlock(&d->mutex);
    return pieces;
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
    for (bool last = false; !last;) {
        struct backlog_piece *pieces = next_round(d, &last);
        if (!write_round(d, pieces))
            break;
        linger(d);
    }
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
    pthread_mutex_init(&d->telling, NULL);
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
    mgi_backlog_init(&d->backlog, o->max_bytes ? o->max_bytes : QUEUE_BYTES);
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

/* Nobody is told any more, also if the thread hangs in telling somebody. */
static void abandon(struct decision_log *d)
{
    struct timespec until = moment(mgi_clock_mono_ns() + HANG_MS * NS_PER_MS);
    bool ours = pthread_mutex_clocklock(&d->telling, CLOCK_MONOTONIC, &until) == 0;
    if (ours && d->has_log)
        mgi_log(&d->log, LOG_ERROR, "decision log: the disk does not answer; what waited is lost");
    atomic_store(&d->abandoned, true);
    if (ours)
        pthread_mutex_unlock(&d->telling);
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
    pthread_mutex_unlock(&d->mutex);
    return ended;
}

void mgi_decision_log_free(struct decision_log *d, int64_t deadline_ms)
{
    if (!d)
        return;
    if (!await_end(d, deadline_ms)) {
        abandon(d);
        pthread_detach(d->thread); /* what it holds stays its own */
        return;
    }
    pthread_join(d->thread, NULL);
    give_up(d, mgi_backlog_take(&d->backlog), 0); /* its time was over before it had looked */
    mgi_backlog_fini(&d->backlog);
    d->sink.operations->close(d->sink.self);
    pthread_cond_destroy(&d->news);
    pthread_cond_destroy(&d->end);
    pthread_mutex_destroy(&d->mutex);
    pthread_mutex_destroy(&d->telling);
    mgi_free(d);
}
