/* The loop's side of the journal: handles of runs and steps, who waits, and what they are told.
 *
 * A run or a step is freed when its handle was given back and none of its entries is with the
 * writer any more. Who waits stands in a list, the oldest first, so that one look at its head tells
 * whether the disk answers in time. */
#include "journal/journal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/time.h"
#include "journal/journal_int.h"
#include "sys/clock.h"
#include "sys/random.h"

#define DEFAULT_BYTES       ((size_t)256 << 20)
#define DEFAULT_KEEP_NS     (INT64_C(30) * 86400 * NS_PER_SEC)
#define DEFAULT_KEEP_RUNS   100000
#define DEFAULT_WAITING     4096
#define DEFAULT_DEADLINE_MS 5000

static const char too_many[] = "the journal has no room: too many records wait to be written";
static const char fails[] = "the journal cannot be written";
static const char hangs[] = "the journal cannot be written: the disk does not answer";

static int64_t now_of(const struct journal *j)
{
    return j->options.clock(j->options.clock_context);
}

/* ---- what is freed when -------------------------------------------------------------------------
 */

static void run_unref(struct journal_run *run)
{
    if (--run->refs == 0)
        mgi_free(run);
}

static void free_if_over(struct journal_step *step)
{
    struct journal_run *run = step->run;
    if (!step->ended || step->out > 0)
        return;
    run->journal->held -= step->held;
    mgi_journal_step_free(step);
    run_unref(run);
}

/* ---- who waits ----------------------------------------------------------------------------------
 */

static void keep_loop_running(struct journal *j)
{
    bool owes = j->waiting || j->refusals.first;
    if (owes)
        uv_ref((uv_handle_t *)&j->news);
    else
        uv_unref((uv_handle_t *)&j->news);
    if (!j->waiting)
        uv_timer_stop(&j->watch);
}

static void leave_waiting(struct journal *j, struct journal_wait *w)
{
    if (!w->link)
        return;
    *w->link = w->next;
    if (w->next)
        w->next->link = w->link;
    else
        j->waiting_end = w->link;
    w->next = NULL;
    w->link = NULL;
}

static void tell(struct journal *j, struct journal_wait *w, const char *why)
{
    journal_told *told = w->told;
    leave_waiting(j, w);
    w->told = NULL;
    if (told)
        told(w->context, why);
}

static void forget(struct journal *j, struct journal_wait *w)
{
    leave_waiting(j, w);
    w->told = NULL;
}

static void tell_amiss(struct journal *j, const char *why)
{
    if (!j->options.amiss || (!why && !j->told_amiss))
        return;
    j->told_amiss = why != NULL;
    j->options.amiss(j->options.context, why);
}

static void look_at_disk(uv_timer_t *timer)
{
    struct journal *j = timer->data;
    int64_t oldest_ns = mgi_clock_mono_ns() - j->options.deadline_ms * NS_PER_MS;
    while (j->waiting && j->waiting->since_ns <= oldest_ns) {
        if (!j->hung)
            tell_amiss(j, hangs);
        j->hung = true;
        atomic_fetch_add(&j->refused, !j->waiting->goes_on);
        tell(j, j->waiting, hangs);
    }
    keep_loop_running(j);
}

static void wait_for(struct journal *j, struct journal_wait *w)
{
    uint64_t look_ms = (uint64_t)(j->options.deadline_ms / 4 + 1);
    w->since_ns = mgi_clock_mono_ns();
    w->link = j->waiting_end;
    *j->waiting_end = w;
    j->waiting_end = &w->next;
    if (!uv_is_active((uv_handle_t *)&j->watch))
        (void)uv_timer_start(&j->watch, look_at_disk, look_ms, look_ms);
    keep_loop_running(j);
}

/* ---- what comes back ----------------------------------------------------------------------------
 */

static const char *why_of(const struct journal *j, const struct journal_wait *w)
{
    if (w->why && w->why != j->told_why)
        return w->why;
    return j->told_why[0] ? j->told_why : fails; /* it may be in order again by now */
}

static void step_came_back(struct journal *j, struct journal_entry *e)
{
    struct journal_step *step = mgi_journal_step_of(e);
    if (e->kind == ENTRY_STEP_BEGIN && step->wait.told) {
        atomic_fetch_add(&j->refused, e->failed);
        tell(j, &step->wait, e->failed ? why_of(j, &step->wait) : NULL);
    }
    step->out--;
    free_if_over(step);
}

static void run_came_back(struct journal *j, struct journal_entry *e)
{
    struct journal_run *run = mgi_journal_run_of(e);
    if (e->kind == ENTRY_RUN_END)
        tell(j, &run->wait, e->failed ? why_of(j, &run->wait) : NULL);
    run_unref(run);
}

static void came_back(struct journal *j, struct journal_entry *e)
{
    if (e->kind == ENTRY_PICK) {
        struct journal_pick_entry *pick = mgi_journal_pick_of(e);
        run_unref(pick->run);
        mgi_free(pick);
    } else if (e->kind == ENTRY_STEP_BEGIN || e->kind == ENTRY_STEP_END)
        step_came_back(j, e);
    else
        run_came_back(j, e);
}

static void tell_who_go_on(struct journal *j)
{
    for (struct journal_wait *w = j->waiting, *next; w; w = next) {
        next = w->next;
        if (w->goes_on)
            tell(j, w, j->told_why);
    }
}

static void all_come_back(struct journal *j, struct entry_list *list)
{
    for (struct journal_entry *e = list->first, *next; e; e = next) {
        next = e->next;
        came_back(j, e);
    }
    *list = (struct entry_list){ 0 };
}

static void news_came(uv_async_t *news)
{
    struct journal *j = news->data;
    struct entry_list over = { 0 }, refusals = j->refusals;
    j->refusals = (struct entry_list){ 0 };
    pthread_mutex_lock(&j->mutex);
    mgi_journal_list_join(&over, &j->over);
    memcpy(j->told_why, j->why, sizeof j->told_why);
    pthread_mutex_unlock(&j->mutex);
    if (over.first)
        j->hung = false;
    if (!j->hung)
        tell_amiss(j, j->told_why[0] ? j->told_why : NULL);
    if (j->told_why[0])
        tell_who_go_on(j);
    all_come_back(j, &over);
    all_come_back(j, &refusals);
    keep_loop_running(j);
}

/* ---- runs ---------------------------------------------------------------------------------------
 */

static bool is_crowded(const struct journal *j)
{
    return mgi_journal_waiting((struct journal *)(uintptr_t)j) >= j->options.max_waiting;
}

const char *mgi_journal_refuses(const struct journal *j)
{
    if (j->hung)
        return hangs;
    if (atomic_load(&j->down))
        return j->told_why[0] ? j->told_why : fails;
    return is_crowded(j) ? too_many : NULL;
}

struct journal_run *mgi_journal_run_begins(struct journal *j, const struct journal_run_begin *b)
{
    struct journal_run *run = mgi_journal_run_new(b);
    if (!run)
        return NULL;
    run->journal = j;
    run->began_ns = now_of(j);
    run->no = (int64_t)atomic_fetch_add(&j->last_no, 1) + 1;
    run->refs = 1;
    run->wait = (struct journal_wait){ .told = b->has_effects ? b->told : NULL,
                                       .context = b->context,
                                       .goes_on = true };
    run->unkept = b->has_effects ? is_crowded(j) : mgi_journal_refuses(j) != NULL;
    j->open_runs++;
    if (!run->unkept) {
        run->refs++;
        mgi_journal_hand_over(j, &run->begin);
    }
    return run;
}

/* To be told at the next opportunity. */
static void give_up(struct journal *j, struct journal_entry *e, struct journal_wait *w,
                    const char *why)
{
    w->why = why;
    e->failed = true;
    mgi_journal_list_add(&j->refusals, e);
    keep_loop_running(j);
    (void)uv_async_send(&j->news);
}

void mgi_journal_run_ends(struct journal_run *run, enum journal_outcome outcome)
{
    if (!run)
        return;
    struct journal *j = run->journal;
    assert(outcome != JOURNAL_OPEN);
    run->outcome = outcome;
    run->ended_ns = now_of(j);
    j->open_runs--;
    if (run->wait.told) {
        run->end.urgent = true;
        run->refs++;
    }
    if (run->unkept && run->wait.told) {
        give_up(j, &run->end, &run->wait, too_many);
    } else if (!run->unkept) {
        if (run->wait.told)
            wait_for(j, &run->wait);
        else
            run->refs++;
        mgi_journal_hand_over(j, &run->end);
        if (atomic_load(&j->down))
            (void)uv_async_send(&j->news);
    }
    run_unref(run);
}

/* ---- steps --------------------------------------------------------------------------------------
 */

struct journal_step *mgi_journal_step_begins(struct journal_run *run,
                                             const struct journal_step_begin *b, journal_told *told,
                                             void *context)
{
    if (!run)
        return NULL;
    struct journal *j = run->journal;
    const char *why = run->unkept ? too_many : mgi_journal_refuses(j);
    struct journal_step *step = b->tier > 0 || !why ? mgi_journal_step_new(b) : NULL;
    if (!step && b->tier == 0) {
        atomic_fetch_add(&run->unrecorded, 1);
        atomic_fetch_add(&j->unrecorded, 1);
    }
    if (!step)
        return NULL;
    step->run = run;
    step->began_ns = now_of(j);
    step->seq = run->next_seq++;
    run->refs++;
    step->out = 1;
    step->keep_patch = j->options.keep_patches;
    step->begin.urgent = b->tier > 0;
    step->wait = (struct journal_wait){ .told = b->tier > 0 ? told : NULL, .context = context };
    if (why) {
        step->unkept = true;
        give_up(j, &step->begin, &step->wait, why);
        return step;
    }
    if (b->tier > 0)
        wait_for(j, &step->wait);
    mgi_journal_hand_over(j, &step->begin);
    return step;
}

/* Digested by the writer: they may be long. */
static void hold_texts(struct journal_step *step, const struct journal_step_end *end)
{
    size_t room = JOURNAL_HELD_BYTES - step->run->journal->held;
    step->held = mgi_journal_hold(&step->output, end->output, room);
    step->held += mgi_journal_hold(&step->patch, end->patch, room - step->held);
    step->run->journal->held += step->held;
}

void mgi_journal_step_ends(struct journal_step *step, const struct journal_step_end *end)
{
    if (!step)
        return;
    assert(end->outcome != JOURNAL_OPEN && !step->ended);
    forget(step->run->journal, &step->wait);
    step->outcome = end->outcome;
    step->indeterminate = end->indeterminate;
    step->duration_ms = end->duration_ms;
    step->ended_ns = now_of(step->run->journal);
    step->ended = true;
    if (!step->unkept) {
        hold_texts(step, end);
        step->out++;
        mgi_journal_hand_over(step->run->journal, &step->end);
    }
    keep_loop_running(step->run->journal);
    free_if_over(step);
}

/* ---- menus --------------------------------------------------------------------------------------
 */

void mgi_journal_picks(struct journal_run *run, const struct journal_pick *p)
{
    if (!run)
        return;
    struct journal *j = run->journal;
    bool room = !run->unkept && !mgi_journal_refuses(j);
    struct journal_pick_entry *pick = room ? mgi_journal_pick_new(p) : NULL;
    if (!pick) {
        atomic_fetch_add(&run->unrecorded, 1);
        atomic_fetch_add(&j->unrecorded, 1);
        return;
    }
    pick->run = run;
    pick->seq = run->next_seq++;
    pick->at_ns = now_of(j);
    run->refs++;
    mgi_journal_hand_over(j, &pick->entry);
}

/* ---- opening and closing ------------------------------------------------------------------------
 */

static void set_defaults(struct journal_options *o)
{
    o->max_bytes = o->max_bytes ? o->max_bytes : DEFAULT_BYTES;
    o->keep_ns = o->keep_ns ? o->keep_ns : DEFAULT_KEEP_NS;
    o->keep_runs = o->keep_runs ? o->keep_runs : DEFAULT_KEEP_RUNS;
    o->max_waiting = o->max_waiting ? o->max_waiting : DEFAULT_WAITING;
    o->deadline_ms = o->deadline_ms ? o->deadline_ms : DEFAULT_DEADLINE_MS;
}

static void init_locks(struct journal *j)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&j->mutex, NULL);
    pthread_mutex_init(&j->telling, NULL);
    pthread_mutex_init(&j->find_lock, NULL);
    pthread_cond_init(&j->wanted, &attributes);
    pthread_cond_init(&j->end, &attributes);
    pthread_condattr_destroy(&attributes);
}

static struct journal *new_journal(const struct journal_options *o)
{
    struct journal *j = mgi_calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->options = *o;
    set_defaults(&j->options);
    j->has_log = o->log != NULL;
    if (o->log)
        j->log = *o->log;
    j->db.fd = j->reader.fd = -1;
    j->waiting_end = &j->waiting;
    j->opened_ns = mgi_clock_mono_ns();
    init_locks(j);
    struct buf path = { 0 };
    mgi_buf_puts(&path, o->path);
    j->path = mgi_buf_take(&path, NULL);
    return j;
}

/* What is left when no thread has it any more. */
static void free_journal(struct journal *j)
{
    mgi_journal_keys_free(j);
    mgi_journal_db_close(&j->db);
    pthread_cond_destroy(&j->wanted);
    pthread_cond_destroy(&j->end);
    pthread_mutex_destroy(&j->mutex);
    pthread_mutex_destroy(&j->telling);
    pthread_mutex_destroy(&j->find_lock);
    mgi_free(j->path);
    mgi_free(j);
}

static void tell_of_interrupted(struct journal *j)
{
    if (j->db.interrupted_runs > 0 && j->has_log)
        mgi_log(&j->log, LOG_WARN,
                "journal %s: %" PRIu64 " runs were interrupted when the last server ended; "
                "of %" PRIu64 " steps it is not known what they did (manglecp journal %s --open)",
                j->path, j->db.interrupted_runs, j->db.interrupted_steps, j->path);
}

static const char *open_all(struct journal *j)
{
    uint8_t random[JOURNAL_ID_CHARS / 2];
    char id[JOURNAL_ID_CHARS + 1];
    const struct journal_options *o = &j->options;
    if (!j->path || !mgi_random(random, sizeof random))
        return "out of memory, or of randomness";
    mgi_hex(random, sizeof random, id);
    const char *fault = mgi_journal_db_open(&j->db, j->path, o->max_bytes, now_of(j), id);
    if (!fault)
        fault = mgi_journal_keys_load(j);
    if (fault)
        return fault;
    j->now_ns = now_of(j);
    atomic_store(&j->last_no, j->db.last_no);
    return NULL;
}

static void closed(uv_handle_t *handle)
{
    struct journal *j = handle->data;
    if (--j->handles == 0 && !atomic_load(&j->abandoned))
        free_journal(j);
}

static void close_handles(struct journal *j)
{
    uv_close((uv_handle_t *)&j->news, closed);
    uv_close((uv_handle_t *)&j->watch, closed);
}

static bool open_handles(struct journal *j, uv_loop_t *loop)
{
    if (uv_async_init(loop, &j->news, news_came) != 0)
        return false;
    (void)uv_timer_init(loop, &j->watch);
    j->handles = 2;
    j->news.data = j->watch.data = j;
    uv_unref((uv_handle_t *)&j->news);
    return true;
}

struct journal *mgi_journal_open(const struct journal_options *options, struct buf *why)
{
    struct journal *j = new_journal(options);
    const char *fault = j ? open_all(j) : "out of memory";
    if (!fault && !open_handles(j, options->loop))
        fault = "out of memory";
    if (!fault && !mgi_journal_writer_start(j))
        fault = "no thread can be started";
    if (!fault) {
        tell_of_interrupted(j);
        return j;
    }
    mgi_buf_printf(why, "the journal %s cannot be opened: %s", options->path, fault);
    if (j && j->handles > 0)
        close_handles(j);
    else if (j)
        free_journal(j);
    return NULL;
}

void mgi_journal_close(struct journal *j, int64_t deadline_ms)
{
    if (!j)
        return;
    assert(j->open_runs == 0);
    j->options.amiss = NULL;
    if (mgi_journal_writer_end(j, deadline_ms)) {
        struct entry_list rest = j->pending;
        j->pending = (struct entry_list){ 0 };
        mgi_journal_list_join(&rest, &j->queue);
        if (rest.count > 0 && j->has_log)
            mgi_log(&j->log, LOG_ERROR, "journal %s: %" PRIu32 " records were lost at the end",
                    j->path, rest.count);
        mgi_journal_list_join(&rest, &j->over);
        mgi_journal_list_join(&rest, &j->refusals);
        all_come_back(j, &rest);
    }
    close_handles(j);
}

void mgi_journal_stats(struct journal *j, struct journal_stats *out)
{
    pthread_mutex_lock(&j->mutex);
    *out = j->stats;
    out->waiting += j->queue.count;
    pthread_mutex_unlock(&j->mutex);
    out->unrecorded += atomic_load(&j->unrecorded);
    out->refused += atomic_load(&j->refused);
}
