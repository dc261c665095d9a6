/* What the files of the store in SQLite share, from below; a file calls only what stands above it:
 *
 *     sqlite_file.c   the file: its layout, older ones, opening
 *     sqlite_run.c    statements and transactions, under the lock
 *     sqlite.c        the operations
 *
 *   meta     one row: the version of this layout, a generation that every opening raises, when the
 *            newest nonce that was forgotten had been issued, and bytes of all outcomes
 *   macro    (principal, id)   a definition, or its marker once keep_until has passed
 *   once     (principal, key)  an invocation: begun in some generation, or ended with its outcome
 *   holder   (caller)          bytes of its definitions and of its outcomes, kept by triggers
 *   nonce    (nonce)           spent, until a time, and when it was issued
 *
 * 1. The file is locked exclusively from opening to closing: one process, and no generation but
 * ours runs anything. So a row that was begun in an older one is an orphan.
 * 2. Everything happens under one lock on one connection, in statements prepared at opening; each
 *    operation is one transaction, so nothing is ever half done.
 * 3. Spending and once_* are on the disk before they return (synchronous=FULL): a challenge spent
 * twice or an invocation run twice after a power cut would be worse than the wait. Definitions are
 * not (NORMAL): a lost one is MACRO_NOT_FOUND, and the client evaluates again.
 * 4. The file is bounded (max_page_count). When it is full, what is over goes, then half of the
 * definitions of those who have most (an eighth of all callers), and the operation is tried once
 * more. Outcomes are never given up, so they are bounded where they begin: all take half of the
 * room at most, one caller's a share of that. */
#ifndef MGI_STORE_SQLITE_INT_H
#define MGI_STORE_SQLITE_INT_H

#include <pthread.h>
#include <sqlite3.h>

#include "store/store_int.h"

#define STORE_FAULT_BYTES 256
#define STORE_PAGE_BYTES  4096

/* What `bytes` of a row take of the file, about: small rows share a page, a larger one has pages of
 * its own. SQL over SQL. */
#define SQL_PAGED(bytes)                                                                           \
    "(CASE WHEN " bytes ">1354 THEN (" bytes "+4095)/4096*4096 ELSE " bytes "*4/3 END)"
#define SQL_ONCE_BYTES(principal, key, fingerprint, outcome)                                       \
    SQL_PAGED("(150+length(" principal ")+length(" key ")+length(" fingerprint                     \
              ")+coalesce(length(" outcome "),0))")
/* An outcome fits if it takes no more than `more`: with what all have (half of the room: `all`),
 * and with what its caller has (`one`). */
#define SQL_FITS(caller, more, all, one)                                                           \
    "(SELECT outcomes FROM meta)+" more "<=" all                                                   \
    " AND coalesce((SELECT outcomes FROM holder WHERE caller=" caller "),0)+" more "<=" one

/* One row a statement: its name and its text. Times are INTEGER nanoseconds. */
#define STORE_STATEMENTS(X)                                                                        \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(MACRO_PUT, "INSERT INTO macro VALUES(?1,?2,?3,?4,?5,?6,?7)"                                  \
                 " ON CONFLICT(principal,id) DO UPDATE SET definition=?3,not_before=?4,"           \
                 " expires=?5,keep_until=max(keep_until,?6),gone_after=max(gone_after,?7)")        \
    X(HELD, "SELECT bytes FROM holder WHERE caller=?1")                                            \
    X(KEEP_SHARE, "DELETE FROM macro WHERE rowid IN (SELECT rowid FROM macro WHERE caller=?1"      \
                  " AND NOT (principal=?2 AND id=?3) ORDER BY keep_until"                          \
                  " LIMIT 1+(SELECT count(*)/8 FROM macro WHERE caller=?1))")                      \
    X(MACRO_GET, "SELECT definition,not_before,expires,keep_until,gone_after FROM macro"           \
                 " WHERE principal=?1 AND id=?2")                                                  \
    X(SPEND, "INSERT INTO nonce SELECT ?1,?3,?4 FROM meta WHERE ?4>forgotten"                      \
             " ON CONFLICT(nonce) DO UPDATE SET until=?3,issued=?4"                                \
             " WHERE until<?2 AND issued<?4")                                                      \
    X(ONCE_GET, "SELECT fingerprint,generation,ended,until,outcome FROM once"                      \
                " WHERE principal=?1 AND key=?2")                                                  \
    X(ONCE_BEGIN, "INSERT INTO once SELECT ?1,?2,?3,?4,0,0,?8 WHERE " SQL_FITS(                    \
                      "?5", SQL_ONCE_BYTES("?1", "?2", "?3", "?8"), "?6", "?7"))                   \
    X(ONCE_END,                                                                                    \
      "UPDATE once SET ended=1,until=?3,outcome=?4 WHERE principal=?1 AND key=?2"                  \
      " AND " SQL_FITS("once.caller",                                                              \
                       SQL_ONCE_BYTES("principal", "key", "fingerprint", "?4") "-once.bytes",      \
                       "?5", "?6"))                                                                \
    X(ONCE_LOSE, "UPDATE once SET until=?3 WHERE principal=?1 AND key=?2 AND ended=0")             \
    X(ONCE_FORGET, "DELETE FROM once WHERE principal=?1 AND key=?2")                               \
    X(ONCE_RENEW, "UPDATE once SET until=?2 WHERE generation<?1")                                  \
    X(SWEEP_MACRO, "DELETE FROM macro WHERE gone_after<?1")                                        \
    X(MARK_NONCE, "UPDATE meta SET forgotten=issued"                                               \
                  " FROM (SELECT max(issued) AS issued FROM nonce WHERE until<?1)"                 \
                  " WHERE issued>forgotten")                                                       \
    X(SWEEP_NONCE, "DELETE FROM nonce WHERE until<?1")                                             \
    X(SWEEP_ONCE, "DELETE FROM once WHERE until<>0 AND until<?1")                                  \
    X(MAKE_ROOM, "DELETE FROM macro WHERE rowid IN (SELECT id FROM (SELECT rowid AS id,"           \
                 " percent_rank() OVER (PARTITION BY caller ORDER BY keep_until) AS place"         \
                 " FROM macro WHERE caller IN (SELECT caller FROM holder ORDER BY bytes"           \
                 " DESC LIMIT 1+(SELECT count(*)/8 FROM holder))) WHERE place<=0.5)")

#define STORE_STATEMENT_NAME(name, text) name,
enum store_statement { STORE_STATEMENTS(STORE_STATEMENT_NAME) STORE_STATEMENT_COUNT };

struct sqlite_store {
    pthread_mutex_t lock;
    sqlite3 *db;
    sqlite3_stmt *statements[STORE_STATEMENT_COUNT];
    int64_t generation;
    int64_t last_sweep_ns, last_outcome_sweep_ns; /* each of its own clock */
    bool renewed;                                 /* outcomes of older generations have a new end */
    bool durable;                                 /* synchronous is FULL now */
    int64_t max_share;                            /* bytes of one caller's definitions */
    int64_t max_outcomes, max_outcome;            /* bytes of all outcomes, and of one caller's */
    char fault[STORE_FAULT_BYTES];
};

/* ---- sqlite_file.c --------------------------------------------------------------------------- */

/* Open or make the file, take over an older layout, and prepare the statements. NULL, or what is
 * wrong: borrowed until the next call. mgi_sqlite_file_close() is due in both cases. */
const char *mgi_sqlite_file_open(struct sqlite_store *s, const char *path, size_t max_bytes);
void mgi_sqlite_file_close(struct sqlite_store *s);

/* ---- sqlite_run.c ---------------------------------------------------------------------------- */

void mgi_sqlite_bind_text(sqlite3_stmt *st, int at, struct str text); /* borrowed until it ran */
struct str mgi_sqlite_column_text(sqlite3_stmt *st, int at); /* borrowed until the next step */

/* After a step: let go of rows and of what was bound. What the step said, or what came of it. */
int mgi_sqlite_finish(sqlite3_stmt *st, int rc);

/* Run a statement that gives no rows. */
int mgi_sqlite_run(struct sqlite_store *s, enum store_statement which);

/* What an operation is given and gives back. */
struct sqlite_job {
    struct str principal, id, fingerprint, witness, text; /* id: macro_id, nonce or key */
    const struct macro_entry *entry;
    int64_t now_ns, until_ns; /* now_ns INT64_MIN: the caller did not say */
    bool steady;              /* now_ns is of the clock of outcomes */
    int64_t issued_ns;
    struct arena *arena;
    enum macro_found found;
    struct macro_entry *macro;
    bool first;
    enum once_state state;
    struct str outcome;
    enum store_status refused; /* it worked, but this is to be said */
};

typedef int sqlite_job_fn(struct sqlite_store *s, struct sqlite_job *job);

/* Carry `body` out in a transaction of its own. A failure has undone everything. `otherwise` (or
 * NULL) is carried out where that failed, in one of its own, and changes nothing of what is told.
 */
enum store_status mgi_sqlite_transact(struct sqlite_store *s, sqlite_job_fn *body,
                                      sqlite_job_fn *otherwise, struct sqlite_job *job,
                                      bool durable);

#endif
