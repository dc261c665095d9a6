/* What the files of the journal share, from below; a file calls only what stands above it:
 *
 *     header.c    the header of a run
 *     sum.c       what the calls of a run came to
 *     record.c    a run as it was read: words, JSON
 *     db.c        the SQLite file: its layout, locks, opening
 *     load.c      runs out of it
 *     read.c      a file that somebody else may be writing
 *     entry.c     what waits to be written: into statements
 *     writer.c    the thread: rounds, one transaction each; what it does when they fail
 *     journal.c   the loop's side: handles, who waits, what was told
 *     keys.c      what an idempotency key stands for
 *
 *   meta   one row: the version of this layout, the id of this file, how often it was opened, the
 *          highest number of a run that was removed
 *   run    (no)        numbers ascend, and none is used twice
 *   step   (run, seq)  in the order in which they began
 *   pick   (run, seq)  what selectors answered in menus, numbered with the steps
 *
 * 1. Who writes holds a lock of the file's own (an OFD lock far beyond SQLite's), so there is one
 *    writer, and readers can see whether there is.
 * 2. A record is written by the thread alone, from memory that nobody changes between handing it
 *    over and getting it back. What an entry needs is allocated when its run or step begins.
 * 3. A transaction that failed may be there all the same after a crash. So whoever was refused ends
 *    its step as not sent, and that is written where there is something to end. */
#ifndef MGI_JOURNAL_JOURNAL_INT_H
#define MGI_JOURNAL_JOURNAL_INT_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "journal/journal.h"

#define JOURNAL_LAYOUT      3
#define JOURNAL_APPLICATION 1296255570 /* "MCJR" in the file's header: it is one of ours */
#define JOURNAL_PAGE_BYTES  4096
#define JOURNAL_TEXT_BYTES  200  /* of one text */
#define JOURNAL_PLAN_BYTES  8192 /* of the names of a chain's steps */
#define JOURNAL_HELD_BYTES                                                                         \
    ((size_t)32 << 20) /* of outputs and patches that wait to be digested                          \
                        */
#define JOURNAL_ID_CHARS 32

/* ---- record.c ------------------------------------------------------------------------------- */

extern const char *const mgi_journal_outcomes[];

/* ---- db.c ----------------------------------------------------------------------------------- */

/* One row a statement: its name and its text. */
#define JOURNAL_STATEMENTS(X)                                                                      \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(RUN_BEGIN,                                                                                   \
      "INSERT OR IGNORE INTO run(no,opening,invocation,run_id,spec,profile,request,macro,tool,"    \
      "caller,key,fingerprint,plan,plan_count,effects,began)"                                      \
      " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)")                           \
    X(RUN_END, "UPDATE run SET outcome=?2,ended=?3,unrecorded=?4 WHERE no=?1")                     \
    X(STEP_BEGIN,                                                                                  \
      "INSERT OR IGNORE INTO step(run,seq,step,item,attempt,compensation,name,action,tier,"        \
      "input,began) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)")                                   \
    X(STEP_END, "UPDATE step SET outcome=?3,indeterminate=?4,output=?5,output_bytes=?6,ms=?7,"     \
                "patch_sha=?8,patch_bytes=?9,patch=?10,ended=?11 WHERE run=?1 AND seq=?2")         \
    X(PICK, "INSERT OR IGNORE INTO pick(run,seq,step,turn,at,name,picker,kind,sid,action,raw,"     \
            "in_order,mode) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")                   \
    X(PROBE, "UPDATE meta SET probed=probed+1")                                                    \
    /* Of the oldest: finished runs that are too old, or beyond the newest ?2; interrupted ones of \
     * an earlier opening (?4: or of this one) when they are older than ?3. At most ?5. */         \
    X(OLD_RUNS, "INSERT INTO gone SELECT no FROM"                                                  \
                " (SELECT no,outcome,ended,closed FROM run ORDER BY no LIMIT 20000)"               \
                " WHERE outcome NOT IN (0,5)"                                                      \
                " AND (ended<?1 OR no<=(SELECT max(no) FROM run)-?2)"                              \
                " OR outcome=5 AND ended<?3 AND (closed<(SELECT opening FROM meta) OR ?4)"         \
                " ORDER BY no LIMIT ?5")                                                           \
    X(OLDEST_RUNS, "INSERT INTO gone SELECT no FROM run WHERE outcome NOT IN (0,5)"                \
                   " ORDER BY no LIMIT 1+(SELECT count(*)/4 FROM run)")                            \
    X(GONE_STEPS, "DELETE FROM step WHERE run IN (SELECT no FROM gone)")                           \
    X(GONE_PICKS, "DELETE FROM pick WHERE run IN (SELECT no FROM gone)")                           \
    X(GONE_RUNS, "DELETE FROM run WHERE no IN (SELECT no FROM gone)")                              \
    X(GONE_MARK, "UPDATE meta SET forgotten=max(forgotten,"                                        \
                 "coalesce((SELECT max(no) FROM gone),0))")                                        \
    X(GONE_OVER, "DELETE FROM gone")

#define JOURNAL_STATEMENT_NAME(name, text) SQL_##name,
enum journal_statement { JOURNAL_STATEMENTS(JOURNAL_STATEMENT_NAME) JOURNAL_STATEMENT_COUNT };

struct journal_db {
    sqlite3 *db;
    int fd; /* holds the lock; -1: none */
    sqlite3_stmt *statements[JOURNAL_STATEMENT_COUNT];
    char id[JOURNAL_ID_CHARS + 1];
    int64_t opening, last_no, forgotten;
    int64_t max_pages; /* for what begins; what ends has an eighth more */
    uint64_t interrupted_runs, interrupted_steps; /* that this opening has ended */
    bool durable;                                 /* synchronous is FULL now */
    bool orphaned;                                /* the file was removed */
    char fault[128];
};

/* Open or make the file, lock it, and end what has no end. NULL, or what is wrong: borrowed until
 * the next call. mgi_journal_db_close() is due in both cases. `random` names a new file. */
const char *mgi_journal_db_open(struct journal_db *d, const char *path, size_t max_bytes,
                                int64_t now_ns, const char random[JOURNAL_ID_CHARS + 1]);
/* To read: nothing is locked, nothing changes. */
const char *mgi_journal_db_open_to_read(struct journal_db *d, const char *path);
void mgi_journal_db_close(struct journal_db *d);

/* Has the file still a name? */
bool mgi_journal_db_stands(struct journal_db *d);
/* Does some process write this file? `fd` is open on it. */
bool mgi_journal_db_is_written(int fd);

void mgi_journal_bind(sqlite3_stmt *st, int at, struct str text); /* borrowed until it ran */
int mgi_journal_finish(sqlite3_stmt *st, int rc);
int mgi_journal_run_statement(struct journal_db *d, enum journal_statement which);
/* Flush at the end of the next transactions, or not. */
int mgi_journal_set_durable(struct journal_db *d, bool durable);
/* How large the file may grow. */
int mgi_journal_allow(struct journal_db *d, int64_t pages);
/* One integer of the first row; `missing` if there is none. */
int64_t mgi_journal_ask(sqlite3 *db, const char *text, int64_t missing);

/* ---- load.c --------------------------------------------------------------------------------- */

/* The run that `st` stands on (columns of mgi_journal_run_columns), with its steps. SQLITE_OK;
 * SQLITE_NOMEM; what SQLite says. */
#define JOURNAL_RUN_COLUMNS                                                                        \
    "no,opening,invocation,run_id,spec,profile,request,macro,tool,caller,key IS NOT NULL,"         \
    "fingerprint,plan,plan_count,effects,began,ended,outcome,unrecorded"
int mgi_journal_load(sqlite3 *db, sqlite3_stmt *st, struct arena *arena, struct journal_record *out,
                     int64_t *opening);

/* ---- entry.c -------------------------------------------------------------------------------- */

enum entry_kind { ENTRY_RUN_BEGIN, ENTRY_RUN_END, ENTRY_STEP_BEGIN, ENTRY_STEP_END, ENTRY_PICK };

struct journal_entry {
    struct journal_entry *next;
    enum entry_kind kind;
    bool urgent; /* somebody waits until it is on the disk */
    bool failed; /* it was not written, and will not be */
};

/* Somebody who waits until an entry is on the disk. All of it is the loop's. */
struct journal_wait {
    journal_told *told; /* NULL: nobody waits (any more) */
    void *context;
    const char *why;  /* of a refusal at once; a constant, or the journal's */
    int64_t since_ns; /* monotonic */
    bool goes_on;     /* it is told of the first failure, and goes on being tried */
    struct journal_wait *next, **link; /* among those that wait; link NULL: it does not */
};

struct journal_run {
    struct journal_entry begin, end;
    struct journal *journal;
    struct journal_wait wait; /* for its end */
    int64_t no;
    uint32_t next_seq;
    uint32_t refs; /* loop: the handle, its steps, and its own entries that are not back */
    bool unkept;   /* loop: nothing of it is written: there was no room when it began */
    atomic_uint_fast64_t unrecorded;

    struct str invocation, run_id, spec, profile, request, macro, tool, caller, fingerprint, plan;
    uint8_t key[JOURNAL_KEY_BYTES];
    bool has_key, has_effects;
    size_t plan_count;
    int64_t began_ns, ended_ns;
    enum journal_outcome outcome;
    char text[];
};

/* A copy until it is digested. ptr NULL: there is none, or no room for it. */
struct held_text {
    char *ptr;
    size_t len;
};

struct journal_step {
    struct journal_entry begin, end;
    struct journal_run *run;
    struct journal_wait wait; /* for its beginning */
    uint32_t seq;
    unsigned out; /* loop: entries that are not back */
    bool ended;   /* loop: the handle is given back */
    bool unkept;  /* loop: it was never handed over */

    uint32_t step, attempt;
    int32_t item;
    bool compensation;
    int tier;
    int64_t began_ns, ended_ns;
    struct str name, action, input;
    enum journal_outcome outcome;
    bool indeterminate;
    int64_t duration_ms;
    struct held_text output, patch;
    size_t held; /* of the journal's */
    bool keep_patch;
    char text[];
};

struct journal_pick_entry {
    struct journal_entry entry;
    struct journal_run *run;
    uint32_t seq, step, turn;
    int64_t at_ns;
    bool in_order;
    struct str name, by, mode, kind, sid, action, raw;
    char text[];
};

struct journal_pick_entry *mgi_journal_pick_new(const struct journal_pick *p);
struct journal_pick_entry *mgi_journal_pick_of(const struct journal_entry *e);
struct journal_run *mgi_journal_run_new(const struct journal_run_begin *b);
struct journal_step *mgi_journal_step_new(const struct journal_step_begin *b);
void mgi_journal_step_free(struct journal_step *step);
/* Copy `text` if it is not longer than `room`; how many bytes that took. */
size_t mgi_journal_hold(struct held_text *held, struct str text, size_t room);
struct journal_run *mgi_journal_run_of(const struct journal_entry *e);
struct journal_step *mgi_journal_step_of(const struct journal_entry *e);

/* Put it into statements, inside a transaction. */
int mgi_journal_entry_write(struct journal_db *d, const struct journal_entry *e);

/* ---- writer.c ------------------------------------------------------------------------------- */

struct entry_list {
    struct journal_entry *first, *last;
    uint32_t count;
};

void mgi_journal_list_add(struct entry_list *list, struct journal_entry *e);
void mgi_journal_list_join(struct entry_list *list, struct entry_list *more); /* empties `more` */

struct journal {
    struct journal_options options;
    char *path;
    struct logger log;
    bool has_log;

    /* the thread's, from its start to its end */
    struct journal_db db;
    struct entry_list pending; /* taken, and not written yet */
    int64_t said_ns, swept_ns, now_ns;
    uint32_t ends_since_sweep;

    /* shared, under the mutex */
    pthread_mutex_t mutex, telling;
    pthread_cond_t wanted, end;
    pthread_t thread;
    struct entry_list queue, over;
    bool urgent, idle, ending, ended;
    int64_t end_ns;
    char why[JOURNAL_WHY_BYTES]; /* "": it can be written */
    struct journal_stats stats;
    atomic_bool down; /* why is not empty */
    atomic_bool abandoned;

    /* the loop's */
    uv_async_t news;
    uv_timer_t watch;
    unsigned handles; /* not closed yet */
    struct journal_wait *waiting, **waiting_end;
    struct entry_list refusals; /* that are to be told */
    bool hung;                  /* the disk did not answer in time, and has not since */
    bool told_amiss;
    char told_why[JOURNAL_WHY_BYTES];
    uint32_t open_runs;
    size_t held; /* bytes of outputs and patches */
    atomic_uint_fast64_t unrecorded, refused;
    atomic_int_fast64_t last_no;

    /* keys.c */
    pthread_mutex_t find_lock;
    struct journal_db reader;
    uint64_t *keys; /* sorted: of runs of earlier openings */
    size_t key_count;
    int64_t opened_ns; /* monotonic */
};

/* Start, after the database is open. False: no thread. */
bool mgi_journal_writer_start(struct journal *j);
/* False: it hangs in the disk, and is left alone. */
bool mgi_journal_writer_end(struct journal *j, int64_t deadline_ms);
/* Any thread but the writer's. */
void mgi_journal_hand_over(struct journal *j, struct journal_entry *e);
uint32_t mgi_journal_waiting(struct journal *j);

/* ---- keys.c --------------------------------------------------------------------------------- */

/* What a lookup needs. NULL, or what is wrong. */
const char *mgi_journal_keys_load(struct journal *j);
void mgi_journal_keys_free(struct journal *j);

#endif
