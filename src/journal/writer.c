/* The thread of a journal: it owns the connection, takes all that waits, and writes it in one
 * transaction with one flush, however many wait for it.
 *
 *     round:  wait ─> take ─> write ──written──> over (told on the loop)
 *                       ^       └──failed: steps are refused, ends stay─┐
 *                       └────────────── tried again every RETRY_MS ─────┘
 *
 * `mutex` guards what is shared (journal_int.h); nothing slow happens under it. `telling` is held
 * while the log is told, so that nobody is after the end. Beginnings of steps that could not be
 * written are given up at once, because somebody waits or goes on without; ends and beginnings of
 * runs stay until they can be written. */
#include <inttypes.h>
#include <stdio.h>

#include "base/time.h"
#include "journal/journal_int.h"
#include "sys/clock.h"

#define LINGER_MS   10 /* how old a record that nobody waits for may get before it is written */
#define LINGER_MOST 256
#define RETRY_MS    1000 /* while it cannot be written */
#define SAY_MS      60000
#define SWEEP_MS    60000
#define SWEEP_ENDS  512 /* or so many runs have ended */
#define SWEEP_RUNS  1000
#define HANG_MS     1000 /* beyond its deadline, that a disk which does not answer is waited for */
#define DAY_NS      (INT64_C(86400) * NS_PER_SEC)

/* ---- lists --------------------------------------------------------------------------------------
 */

void mgi_journal_list_add(struct entry_list *list, struct journal_entry *e)
{
    e->next = NULL;
    if (list->last)
        list->last->next = e;
    else
        list->first = e;
    list->last = e;
    list->count++;
}

void mgi_journal_list_join(struct entry_list *list, struct entry_list *more)
{
    if (!more->first)
        return;
    if (list->last)
        list->last->next = more->first;
    else
        list->first = more->first;
    list->last = more->last;
    list->count += more->count;
    *more = (struct entry_list){ 0 };
}

/* ---- for other threads --------------------------------------------------------------------------
 */

void mgi_journal_hand_over(struct journal *j, struct journal_entry *e)
{
    pthread_mutex_lock(&j->mutex);
    mgi_journal_list_add(&j->queue, e);
    j->urgent |= e->urgent;
    bool wake = j->idle && (e->urgent || j->queue.count == 1 || j->queue.count == LINGER_MOST);
    pthread_mutex_unlock(&j->mutex);
    if (wake)
        pthread_cond_signal(&j->wanted);
}

uint32_t mgi_journal_waiting(struct journal *j)
{
    pthread_mutex_lock(&j->mutex);
    uint32_t count = j->stats.waiting + j->queue.count;
    pthread_mutex_unlock(&j->mutex);
    return count;
}

/* ---- the log
 * -------------------------------------------------------------------------------------
 */

static void say(struct journal *j, enum log_level level, const char *text)
{
    pthread_mutex_lock(&j->telling);
    if (j->has_log && !atomic_load(&j->abandoned))
        mgi_log(&j->log, level, "journal %s: %s", j->path, text);
    pthread_mutex_unlock(&j->telling);
}

static void wake_loop(struct journal *j)
{
    pthread_mutex_lock(&j->telling);
    if (!atomic_load(&j->abandoned))
        (void)uv_async_send(&j->news);
    pthread_mutex_unlock(&j->telling);
}

/* What is wrong, and what to do. */
static const struct trouble {
    int code; /* of SQLite; -1: the file has no name any more */
    const char *what, *hint;
} troubles[] = {
    { SQLITE_FULL, "the disk or the journal is full",
      "free some room, or allow it more (journal.max_bytes)" },
    { SQLITE_IOERR, "the disk reports an error", "look at the disk and its limits" },
    { SQLITE_CORRUPT, "the file is damaged", "move it away and start again" },
    { SQLITE_NOTADB, "the file is damaged", "move it away and start again" },
    { SQLITE_READONLY, "the file is read-only", "make it writable" },
    { SQLITE_BUSY, "another program keeps it locked", "end that program" },
    { SQLITE_NOMEM, "memory is short", "give the server more" },
    { -1, "the file was removed", "start again" },
    { 0, "it failed", "look at the file and its disk" },
};

static const struct trouble *trouble_of(int rc)
{
    const struct trouble *t = troubles;
    while (t->code != 0 && t->code != rc)
        t++;
    return t;
}

/* It cannot be written, or (SQLITE_OK) can: told when that is news, and once a minute. */
static void note(struct journal *j, int rc)
{
    char text[JOURNAL_WHY_BYTES + 256], why[JOURNAL_WHY_BYTES] = "";
    const struct trouble *t = trouble_of(rc);
    int64_t now_ns = mgi_clock_mono_ns();
    if (rc != SQLITE_OK)
        snprintf(why, sizeof why, "the journal cannot be written: %s", t->what);
    pthread_mutex_lock(&j->mutex);
    bool news = strcmp(j->why, why) != 0;
    memcpy(j->why, why, sizeof why);
    uint64_t unrecorded = j->stats.unrecorded;
    pthread_mutex_unlock(&j->mutex);
    atomic_store(&j->down, rc != SQLITE_OK);
    if (news)
        wake_loop(j);
    if (!news && (rc == SQLITE_OK || now_ns - j->said_ns < SAY_MS * NS_PER_MS))
        return;
    j->said_ns = now_ns;
    if (rc == SQLITE_OK)
        snprintf(text, sizeof text,
                 "it can be written again; %" PRIu64 " steps without effects were not recorded",
                 unrecorded);
    else
        snprintf(text, sizeof text,
                 "it cannot be written: %s (%s); what may have effects is refused until it can: %s",
                 t->what, rc == -1 ? "no name leads to it" : sqlite3_errmsg(j->db.db), t->hint);
    say(j, rc == SQLITE_OK ? LOG_WARN : LOG_ERROR, text);
}

/* ---- one transaction ----------------------------------------------------------------------------
 */

static bool is_urgent(const struct entry_list *list)
{
    for (const struct journal_entry *e = list->first; e; e = e->next)
        if (e->urgent)
            return true;
    return false;
}

static void note_time(struct journal *j, const struct journal_entry *e)
{
    if (e->kind == ENTRY_RUN_BEGIN)
        j->now_ns = mgi_journal_run_of(e)->began_ns;
    if (e->kind != ENTRY_RUN_END)
        return;
    j->now_ns = mgi_journal_run_of(e)->ended_ns;
    j->ends_since_sweep++;
}

static void roll_back(struct journal_db *d)
{
    if (!sqlite3_get_autocommit(d->db))
        (void)mgi_journal_run_statement(d, SQL_ROLLBACK); /* the first failure is told */
}

/* Everything that is pending, or a sign that something can be written at all. */
static int write_pending(struct journal *j, bool durable)
{
    struct journal_db *d = &j->db;
    int rc = mgi_journal_db_stands(d) ? mgi_journal_set_durable(d, durable) : -1;
    if (rc == SQLITE_OK)
        rc = mgi_journal_run_statement(d, SQL_BEGIN);
    if (rc != SQLITE_OK)
        return rc;
    if (!j->pending.first)
        rc = mgi_journal_run_statement(d, SQL_PROBE);
    for (struct journal_entry *e = j->pending.first; e && rc == SQLITE_OK; e = e->next)
        rc = mgi_journal_entry_write(d, e);
    if (rc == SQLITE_OK)
        rc = mgi_journal_run_statement(d, SQL_COMMIT);
    if (rc != SQLITE_OK)
        roll_back(d);
    return rc;
}

/* ---- what is too old ----------------------------------------------------------------------------
 */

static int remove_gone(struct journal_db *d, enum journal_statement which)
{
    static const enum journal_statement steps[] = { SQL_GONE_STEPS, SQL_GONE_PICKS, SQL_GONE_RUNS,
                                                    SQL_GONE_MARK, SQL_GONE_OVER };
    int rc = mgi_journal_run_statement(d, SQL_BEGIN);
    if (rc != SQLITE_OK)
        return rc;
    rc = mgi_journal_run_statement(d, which);
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof steps / sizeof *steps; i++)
        rc = mgi_journal_run_statement(d, steps[i]);
    if (rc == SQLITE_OK)
        rc = mgi_journal_run_statement(d, SQL_COMMIT);
    if (rc != SQLITE_OK)
        roll_back(d);
    return rc;
}

/* Failures do not matter: the next one tells. */
static void sweep_if_due(struct journal *j)
{
    int64_t now_ns = mgi_clock_mono_ns(), keep_ns = j->options.keep_ns;
    bool due = j->ends_since_sweep >= SWEEP_ENDS || now_ns - j->swept_ns >= SWEEP_MS * NS_PER_MS;
    if (!due || j->now_ns == 0)
        return;
    sqlite3_stmt *st = j->db.statements[SQL_OLD_RUNS];
    sqlite3_bind_int64(st, 1, j->now_ns - keep_ns);
    sqlite3_bind_int64(st, 2, j->options.keep_runs);
    sqlite3_bind_int64(st, 3, j->now_ns - (keep_ns > DAY_NS ? keep_ns : DAY_NS));
    sqlite3_bind_int(st, 4, now_ns - j->opened_ns > DAY_NS);
    sqlite3_bind_int64(st, 5, SWEEP_RUNS);
    (void)mgi_journal_set_durable(&j->db, false);
    (void)remove_gone(&j->db, SQL_OLD_RUNS);
    j->swept_ns = now_ns;
    j->ends_since_sweep = 0;
    int64_t pages = mgi_journal_ask(j->db.db, "PRAGMA page_count", 0);
    pthread_mutex_lock(&j->mutex);
    j->stats.bytes = (uint64_t)pages * JOURNAL_PAGE_BYTES;
    pthread_mutex_unlock(&j->mutex);
}

/* ---- a round ------------------------------------------------------------------------------------
 */

static void give_back(struct journal *j, struct entry_list *done)
{
    pthread_mutex_lock(&j->mutex);
    bool wake = done->first && !j->over.first;
    mgi_journal_list_join(&j->over, done);
    j->stats.waiting = j->pending.count;
    pthread_mutex_unlock(&j->mutex);
    if (wake)
        wake_loop(j);
}

static void all_written(struct journal *j, bool durable)
{
    for (const struct journal_entry *e = j->pending.first; e; e = e->next)
        note_time(j, e);
    pthread_mutex_lock(&j->mutex);
    j->stats.records += j->pending.count;
    j->stats.commits++;
    j->stats.flushes += durable;
    pthread_mutex_unlock(&j->mutex);
    struct entry_list done = j->pending;
    j->pending = (struct entry_list){ 0 };
    give_back(j, &done);
}

/* Who waits is told; what may come later stays. */
static void none_written(struct journal *j)
{
    struct entry_list done = { 0 }, rest = { 0 };
    uint64_t unrecorded = 0;
    for (struct journal_entry *e = j->pending.first, *next; e; e = next) {
        next = e->next;
        if (e->kind != ENTRY_STEP_BEGIN) {
            mgi_journal_list_add(&rest, e);
            continue;
        }
        e->failed = true;
        if (!e->urgent) {
            atomic_fetch_add(&mgi_journal_step_of(e)->run->unrecorded, 1);
            unrecorded++;
        }
        mgi_journal_list_add(&done, e);
    }
    j->pending = rest;
    pthread_mutex_lock(&j->mutex);
    j->stats.unrecorded += unrecorded;
    pthread_mutex_unlock(&j->mutex);
    give_back(j, &done);
}

/* Ends, when nothing may begin for want of room: what has ended can be removed, so they have room
 * of their own. */
static int write_ends(struct journal *j)
{
    int rc = mgi_journal_allow(&j->db, j->db.max_pages + j->db.max_pages / 8);
    if (rc == SQLITE_OK)
        rc = write_pending(j, true);
    if (rc == SQLITE_OK)
        all_written(j, true);
    (void)mgi_journal_allow(&j->db, j->db.max_pages);
    return rc;
}

static void write_round(struct journal *j)
{
    bool durable = is_urgent(&j->pending) || atomic_load(&j->down);
    int rc = write_pending(j, durable);
    if (rc == SQLITE_FULL && remove_gone(&j->db, SQL_OLDEST_RUNS) == SQLITE_OK)
        rc = write_pending(j, durable);
    note(j, rc); /* before anybody is told, who may ask why */
    if (rc == SQLITE_OK)
        all_written(j, durable);
    else
        none_written(j);
    if (rc == SQLITE_FULL && j->pending.first)
        (void)write_ends(j);
    if (rc == SQLITE_OK)
        sweep_if_due(j);
}

/* ---- rounds -------------------------------------------------------------------------------------
 */

static void wait_ms(struct journal *j, int64_t ms)
{
    int64_t until_ns = mgi_clock_mono_ns() + ms * NS_PER_MS;
    struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_SEC),
                              .tv_nsec = (long)(until_ns % NS_PER_SEC) };
    j->idle = true;
    (void)pthread_cond_timedwait(&j->wanted, &j->mutex, &until);
    j->idle = false;
}

/* Under the mutex: until there is something to write, and others had time to come along. */
static void wait_for_work(struct journal *j)
{
    while (!j->queue.first && !j->ending) {
        j->idle = true;
        pthread_cond_wait(&j->wanted, &j->mutex);
        j->idle = false;
    }
    int64_t until_ns = mgi_clock_mono_ns() + LINGER_MS * NS_PER_MS;
    while (!j->urgent && !j->ending && j->queue.count < LINGER_MOST) {
        int64_t left_ns = until_ns - mgi_clock_mono_ns();
        if (left_ns <= 0)
            return;
        wait_ms(j, left_ns / NS_PER_MS + 1);
    }
}

/* Under the mutex: time for the next try. */
static void wait_for_retry(struct journal *j)
{
    int64_t until_ns = mgi_clock_mono_ns() + RETRY_MS * NS_PER_MS, now_ns;
    while ((now_ns = mgi_clock_mono_ns()) < until_ns && !(j->ending && now_ns >= j->end_ns))
        wait_ms(j, (until_ns - now_ns) / NS_PER_MS / (j->ending ? 10 : 1) + 1);
}

/* False: it is to end, and nothing is left to write, or no time. */
static bool next_round(struct journal *j)
{
    pthread_mutex_lock(&j->mutex);
    if (atomic_load(&j->down))
        wait_for_retry(j);
    else
        wait_for_work(j);
    mgi_journal_list_join(&j->pending, &j->queue);
    j->urgent = false;
    j->stats.waiting = j->pending.count;
    bool time_left = !j->ending || mgi_clock_mono_ns() < j->end_ns;
    bool more = j->pending.first ? time_left : !j->ending;
    pthread_mutex_unlock(&j->mutex);
    return more;
}

static void *write_journal(void *context)
{
    struct journal *j = context;
    while (next_round(j))
        write_round(j);
    pthread_mutex_lock(&j->mutex);
    j->ended = true;
    pthread_cond_signal(&j->end);
    pthread_mutex_unlock(&j->mutex);
    return NULL;
}

/* ---- beginning and end --------------------------------------------------------------------------
 */

bool mgi_journal_writer_start(struct journal *j)
{
    j->swept_ns = mgi_clock_mono_ns();
    return pthread_create(&j->thread, NULL, write_journal, j) == 0;
}

/* Nobody is told any more, also if the thread hangs in telling somebody. */
static void abandon(struct journal *j)
{
    int64_t until_ns = mgi_clock_mono_ns() + HANG_MS * NS_PER_MS;
    struct timespec until = { .tv_sec = (time_t)(until_ns / NS_PER_SEC),
                              .tv_nsec = (long)(until_ns % NS_PER_SEC) };
    bool ours = pthread_mutex_clocklock(&j->telling, CLOCK_MONOTONIC, &until) == 0;
    if (ours && j->has_log)
        mgi_log(&j->log, LOG_ERROR, "journal %s: the disk does not answer; what waited is lost",
                j->path);
    atomic_store(&j->abandoned, true);
    if (ours)
        pthread_mutex_unlock(&j->telling);
}

bool mgi_journal_writer_end(struct journal *j, int64_t deadline_ms)
{
    pthread_mutex_lock(&j->mutex);
    j->ending = true;
    j->end_ns = mgi_clock_mono_ns() + deadline_ms * NS_PER_MS;
    int64_t hang_ns = j->end_ns + HANG_MS * NS_PER_MS;
    pthread_cond_signal(&j->wanted);
    struct timespec until = { .tv_sec = (time_t)(hang_ns / NS_PER_SEC),
                              .tv_nsec = (long)(hang_ns % NS_PER_SEC) };
    while (!j->ended && mgi_clock_mono_ns() < hang_ns)
        (void)pthread_cond_timedwait(&j->end, &j->mutex, &until);
    bool ended = j->ended;
    pthread_mutex_unlock(&j->mutex);
    if (ended) {
        pthread_join(j->thread, NULL);
        return true;
    }
    abandon(j);
    pthread_detach(j->thread); /* what it holds stays its own */
    return false;
}
