/* A store in one SQLite file: what a restart must not forget.
 *
 *   meta     one row: the version of this layout, a generation that every opening raises, and
 *            when the newest nonce that was forgotten had been issued
 *   macro    (principal, id)   a definition, or its marker once keep_until has passed
 *   holder   (principal)       bytes of its definitions, kept by triggers
 *   nonce    (nonce)           spent, until a time, and when it was issued
 *   once     (principal, key)  an invocation: begun in some generation, or ended with its outcome
 *
 * 1. The file is locked exclusively from opening to closing: one process, and no generation but
 * ours runs anything. So a row that was begun in an older one is an orphan.
 * 2. Everything happens under one lock on one connection, in statements prepared at opening; each
 *    operation is one transaction, so nothing is ever half done.
 * 3. Spending and once_* are on the disk before they return (synchronous=FULL): a challenge spent
 * twice or an invocation run twice after a power cut would be worse than the wait. Definitions are
 * not (NORMAL): a lost one is MACRO_NOT_FOUND, and the client evaluates again.
 * 4. The file is bounded (max_page_count). When it is full, what is over goes, then half of the
 * definitions of those who have most (an eighth of all principals), and the operation is tried once
 * more.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "store/store_int.h"

#define LAYOUT_VERSION    3
#define APPLICATION_ID    0x4d434f53 /* "MCOS" in the file's header: it is one of ours */
#define PAGE_BYTES        4096
#define DEFAULT_MAX_BYTES ((size_t)1 << 30)
#define LEAST_PAGES       64 /* an empty store takes about ten */
#define FAULT_BYTES       256
#define LONG_AGO          "-9223372036854775807"

/* One row a statement: its name and its text. Times are INTEGER nanoseconds. */
#define STATEMENTS(X)                                                                              \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(MACRO_PUT, "INSERT INTO macro VALUES(?1,?2,?3,?4,?5,?6,?7)"                                  \
                 " ON CONFLICT(principal,id) DO UPDATE SET definition=?3,not_before=?4,"           \
                 " expires=?5,keep_until=max(keep_until,?6),gone_after=max(gone_after,?7)")        \
    X(HELD, "SELECT bytes FROM holder WHERE principal=?1")                                         \
    X(KEEP_SHARE, "DELETE FROM macro WHERE rowid IN (SELECT rowid FROM macro WHERE principal=?1"   \
                  " AND id<>?2 ORDER BY keep_until"                                                \
                  " LIMIT 1+(SELECT count(*)/8 FROM macro WHERE principal=?1))")                   \
    X(MACRO_GET, "SELECT definition,not_before,expires,keep_until,gone_after FROM macro"           \
                 " WHERE principal=?1 AND id=?2")                                                  \
    X(SPEND, "INSERT INTO nonce SELECT ?1,?3,?4 FROM meta WHERE ?4>forgotten"                      \
             " ON CONFLICT(nonce) DO UPDATE SET until=?3,issued=?4"                                \
             " WHERE until<?2 AND issued<?4")                                                      \
    X(ONCE_GET, "SELECT fingerprint,generation,ended,until,outcome FROM once"                      \
                " WHERE principal=?1 AND key=?2")                                                  \
    X(ONCE_BEGIN, "INSERT OR REPLACE INTO once VALUES(?1,?2,?3,?4,0,0,NULL)")                      \
    X(ONCE_END, "UPDATE once SET ended=1,until=?3,outcome=?4 WHERE principal=?1 AND key=?2")       \
    X(ONCE_LOSE, "UPDATE once SET until=?3 WHERE principal=?1 AND key=?2 AND ended=0")             \
    X(ONCE_FORGET, "DELETE FROM once WHERE principal=?1 AND key=?2")                               \
    X(ONCE_ORPHANS, "UPDATE once SET until=?2 WHERE ended=0 AND generation<?1 AND until=0")        \
    X(SWEEP_MACRO, "DELETE FROM macro WHERE gone_after<?1")                                        \
    X(MARK_NONCE, "UPDATE meta SET forgotten=issued"                                               \
                  " FROM (SELECT max(issued) AS issued FROM nonce WHERE until<?1)"                 \
                  " WHERE issued>forgotten")                                                       \
    X(SWEEP_NONCE, "DELETE FROM nonce WHERE until<?1")                                             \
    X(SWEEP_ONCE, "DELETE FROM once WHERE until<>0 AND until<?1")                                  \
    X(MAKE_ROOM, "DELETE FROM macro WHERE rowid IN (SELECT id FROM (SELECT rowid AS id,"           \
                 " percent_rank() OVER (PARTITION BY principal ORDER BY keep_until) AS place"      \
                 " FROM macro WHERE principal IN (SELECT principal FROM holder ORDER BY bytes"     \
                 " DESC LIMIT 1+(SELECT count(*)/8 FROM holder))) WHERE place<=0.5)")

#define STATEMENT_NAME(name, text) name,
enum statement { STATEMENTS(STATEMENT_NAME) STATEMENT_COUNT };
#define STATEMENT_TEXT(name, text) [name] = (text),
static const char *const statement_texts[] = { STATEMENTS(STATEMENT_TEXT) };

/* What a row takes, roughly. */
#define ROW_BYTES(row)                                                                             \
    "(100+length(" row ".principal)+length(" row ".id)+length(" row ".definition))"
#define HOLDERS                                                                                    \
    "CREATE TABLE holder(principal BLOB PRIMARY KEY,bytes INTEGER NOT NULL) WITHOUT ROWID;"        \
    "CREATE INDEX holder_bytes ON holder(bytes);"                                                  \
    "CREATE TRIGGER macro_new AFTER INSERT ON macro BEGIN INSERT INTO holder"                      \
    " VALUES(new.principal," ROW_BYTES(                                                            \
        "new") ") ON CONFLICT(principal) DO UPDATE"                                                \
               " SET bytes=bytes+" ROW_BYTES(                                                      \
                   "new") ";END;"                                                                  \
                          "CREATE TRIGGER macro_other AFTER UPDATE OF definition ON macro BEGIN "  \
                          "UPDATE holder"                                                          \
                          " SET bytes=bytes+length(new.definition)-length(old.definition)"         \
                          " WHERE principal=new.principal;END;"                                    \
                          "CREATE TRIGGER macro_less AFTER DELETE ON macro BEGIN UPDATE holder"    \
                          " SET bytes=bytes-" ROW_BYTES(                                           \
                              "old") " WHERE principal=old.principal;"                             \
                                     " DELETE FROM holder WHERE principal=old.principal AND "      \
                                     "bytes<=0;END;"

static const char schema[] =
    "CREATE TABLE meta(version INTEGER NOT NULL,generation INTEGER NOT NULL,"
    " forgotten INTEGER NOT NULL);"
    "CREATE TABLE macro(principal BLOB NOT NULL,id BLOB NOT NULL,definition BLOB NOT NULL,"
    " not_before INTEGER NOT NULL,expires INTEGER NOT NULL,keep_until INTEGER NOT NULL,"
    " gone_after INTEGER NOT NULL,PRIMARY KEY(principal,id));"
    "CREATE INDEX macro_gone ON macro(gone_after);"
    "CREATE INDEX macro_keep ON macro(keep_until);"
    "CREATE TABLE nonce(nonce BLOB PRIMARY KEY,until INTEGER NOT NULL,issued INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE once(principal BLOB NOT NULL,key BLOB NOT NULL,fingerprint BLOB NOT NULL,"
    " generation INTEGER NOT NULL,ended INTEGER NOT NULL,until INTEGER NOT NULL,outcome BLOB,"
    " PRIMARY KEY(principal,key));" HOLDERS "INSERT INTO meta VALUES(3,0," LONG_AGO ");";

/* Version 1 did not know when a nonce was issued: no later than it is over. */
static const char from_version_1[] =
    "BEGIN;ALTER TABLE meta ADD COLUMN forgotten INTEGER NOT NULL DEFAULT " LONG_AGO ";"
    "ALTER TABLE nonce ADD COLUMN issued INTEGER NOT NULL DEFAULT 0;"
    "UPDATE nonce SET issued=until;UPDATE meta SET version=2;COMMIT;";

/* Version 2 did not count who has how much. */
static const char from_version_2[] =
    "BEGIN;" HOLDERS "INSERT INTO holder SELECT principal,sum" ROW_BYTES(
        "macro") " FROM macro"
                 " GROUP BY principal;UPDATE meta SET version=3;COMMIT;";

struct sqlite_store {
    pthread_mutex_t lock;
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    int64_t generation;
    int64_t last_sweep_ns;
    bool orphans_dated; /* those of older generations have an end */
    bool durable;       /* synchronous is FULL now */
    int64_t max_share;  /* bytes of one principal's definitions */
    char fault[FAULT_BYTES];
};

/* ---- statements ------------------------------------------------------------------------------ */

static enum store_status status_of(struct sqlite_store *s, int rc)
{
    s->fault[0] = '\0';
    if (rc == SQLITE_OK || rc == SQLITE_DONE || rc == SQLITE_ROW)
        return STORE_OK;
    if (rc == SQLITE_NOMEM)
        return STORE_NOMEM;
    snprintf(s->fault, sizeof s->fault, "the store failed: %s", sqlite3_errmsg(s->db));
    return STORE_DOWN;
}

/* An empty text is an empty blob, not NULL. */
static void bind_text(sqlite3_stmt *st, int at, struct str text)
{
    sqlite3_bind_blob64(st, at, text.len ? text.ptr : "", text.len, SQLITE_STATIC);
}

static struct str column_text(sqlite3_stmt *st, int at)
{
    const void *bytes = sqlite3_column_blob(st, at);
    return (struct str){ bytes, (size_t)sqlite3_column_bytes(st, at) };
}

/* Run a statement that gives no rows. What was bound is let go. */
static int run(struct sqlite_store *s, enum statement which)
{
    sqlite3_stmt *st = s->statements[which];
    int rc = sqlite3_step(st);
    int reset = sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? reset : rc;
}

static int run_at(struct sqlite_store *s, enum statement which, int64_t now_ns)
{
    sqlite3_bind_int64(s->statements[which], 1, now_ns);
    return run(s, which);
}

static int set_durable(struct sqlite_store *s, bool durable)
{
    if (s->durable == durable)
        return SQLITE_OK;
    int rc = sqlite3_exec(s->db, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        s->durable = durable;
    return rc;
}

static int sweep_everything(struct sqlite_store *s, int64_t now_ns)
{
    int rc = run_at(s, SWEEP_MACRO, now_ns);
    if (rc == SQLITE_OK)
        rc = run_at(s, MARK_NONCE, now_ns);
    if (rc == SQLITE_OK)
        rc = run_at(s, SWEEP_NONCE, now_ns);
    if (rc == SQLITE_OK)
        rc = run_at(s, SWEEP_ONCE, now_ns);
    return rc;
}

/* An orphan is one from the moment this process first looks; it is kept as long as an outcome. */
static int date_orphans(struct sqlite_store *s, int64_t now_ns)
{
    if (s->orphans_dated)
        return SQLITE_OK;
    sqlite3_bind_int64(s->statements[ONCE_ORPHANS], 1, s->generation);
    sqlite3_bind_int64(s->statements[ONCE_ORPHANS], 2, mgi_store_later(now_ns, STORE_ONCE_NS));
    int rc = run(s, ONCE_ORPHANS);
    s->orphans_dated = rc == SQLITE_OK;
    return rc;
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* What an operation is given and gives back. */
struct job {
    struct str principal, id, fingerprint, text; /* id: macro_id, nonce or key */
    const struct macro_entry *entry;
    int64_t now_ns, until_ns; /* now_ns INT64_MIN: the caller did not say */
    int64_t issued_ns;
    struct arena *arena;
    enum macro_found found;
    struct macro_entry *macro;
    bool first;
    enum once_state state;
    struct str outcome;
    bool oom;
};

typedef int job_fn(struct sqlite_store *s, struct job *job);

static int attempt(struct sqlite_store *s, job_fn *body, struct job *job, bool full)
{
    int rc = run(s, BEGIN);
    if (rc != SQLITE_OK)
        return rc;
    bool due = job->now_ns != INT64_MIN && mgi_store_sweep_is_due(s->last_sweep_ns, job->now_ns);
    bool sweeping = full || due;
    rc = date_orphans(s, job->now_ns);
    if (rc == SQLITE_OK && sweeping)
        rc = sweep_everything(s, job->now_ns);
    if (rc == SQLITE_OK && full)
        rc = run(s, MAKE_ROOM);
    if (rc == SQLITE_OK)
        rc = body(s, job);
    if (rc == SQLITE_OK)
        rc = run(s, COMMIT);
    if (rc == SQLITE_OK && sweeping)
        s->last_sweep_ns = job->now_ns;
    if (rc != SQLITE_OK && !sqlite3_get_autocommit(s->db))
        (void)run(s, ROLLBACK); /* the first failure is the one that is told */
    return rc;
}

static enum store_status transact(void *self, job_fn *body, struct job *job, bool durable)
{
    struct sqlite_store *s = self;
    pthread_mutex_lock(&s->lock);
    int rc = set_durable(s, durable);
    if (rc == SQLITE_OK)
        rc = attempt(s, body, job, false);
    if (rc == SQLITE_FULL)
        rc = attempt(s, body, job, true);
    enum store_status status = status_of(s, rc);
    pthread_mutex_unlock(&s->lock);
    return status ? status : job->oom ? STORE_NOMEM : STORE_OK;
}

/* A copy for the caller. */
static struct str keep(struct job *job, struct str text)
{
    struct str copy = mgi_arena_str(job->arena, text);
    if (!copy.ptr)
        job->oom = true;
    return copy;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static int ask_held(struct sqlite_store *s, struct str principal, int64_t *bytes)
{
    sqlite3_stmt *st = s->statements[HELD];
    bind_text(st, 1, principal);
    int rc = sqlite3_step(st);
    *bytes = rc == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    int reset = sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? reset : rc;
}

/* While it has more than its share, an eighth of what the principal has goes, but not the newest.
 */
static int keep_share(struct sqlite_store *s, const struct job *job)
{
    int64_t bytes;
    int rc = ask_held(s, job->principal, &bytes);
    while (rc == SQLITE_OK && bytes > s->max_share) {
        bind_text(s->statements[KEEP_SHARE], 1, job->principal);
        bind_text(s->statements[KEEP_SHARE], 2, job->id);
        rc = run(s, KEEP_SHARE);
        if (rc == SQLITE_OK && sqlite3_changes(s->db) == 0)
            break;
        if (rc == SQLITE_OK)
            rc = ask_held(s, job->principal, &bytes);
    }
    return rc;
}

static int write_macro(struct sqlite_store *s, struct job *job)
{
    sqlite3_stmt *st = s->statements[MACRO_PUT];
    int64_t last = job->until_ns > job->now_ns ? job->until_ns : job->now_ns;
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    bind_text(st, 3, job->entry->definition);
    sqlite3_bind_int64(st, 4, job->entry->not_before_ns);
    sqlite3_bind_int64(st, 5, job->entry->expires_ns);
    sqlite3_bind_int64(st, 6, job->until_ns);
    sqlite3_bind_int64(st, 7, mgi_store_later(last, STORE_MARKER_NS));
    int rc = run(s, MACRO_PUT);
    return rc == SQLITE_OK ? keep_share(s, job) : rc;
}

static int get_macro(struct sqlite_store *s, struct job *job)
{
    sqlite3_stmt *st = s->statements[MACRO_GET];
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW && job->now_ns <= sqlite3_column_int64(st, 4)) {
        job->found = MACRO_EXPIRED;
        if (job->now_ns <= sqlite3_column_int64(st, 3)) {
            job->found = MACRO_FOUND;
            *job->macro =
                (struct macro_entry){ keep(job, column_text(st, 0)), sqlite3_column_int64(st, 1),
                                      sqlite3_column_int64(st, 2), NULL };
        }
    }
    int reset = sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? reset : rc;
}

static int put_macro(struct sqlite_store *s, struct job *job)
{
    struct macro_entry older, merged = *job->entry;
    struct job look = *job;
    look.found = MACRO_NOT_FOUND;
    look.macro = &older;
    if (!job->entry->merge)
        return write_macro(s, job);
    int rc = get_macro(s, &look);
    if (rc != SQLITE_OK || look.oom || look.found != MACRO_FOUND) {
        job->oom = look.oom;
        return rc == SQLITE_OK && !look.oom ? write_macro(s, job) : rc;
    }
    job->oom = !job->entry->merge(&older, job->arena, &merged);
    if (job->oom)
        return SQLITE_OK;
    struct job again = *job;
    again.entry = &merged;
    return write_macro(s, &again);
}

static enum store_status sqlite_macro_put(void *self, struct str principal, struct str macro_id,
                                          const struct macro_entry *entry, int64_t now_ns,
                                          int64_t keep_until_ns)
{
    struct arena arena; /* of what was kept */
    mgi_arena_init(&arena, 0);
    struct job job = { .principal = principal,
                       .id = macro_id,
                       .entry = entry,
                       .now_ns = now_ns,
                       .until_ns = keep_until_ns,
                       .arena = &arena };
    enum store_status status = transact(self, put_macro, &job, false);
    mgi_arena_fini(&arena);
    return status;
}

static enum store_status sqlite_macro_get(void *self, struct str principal, struct str macro_id,
                                          int64_t now_ns, struct arena *arena,
                                          enum macro_found *found, struct macro_entry *out)
{
    struct job job = { .principal = principal,
                       .id = macro_id,
                       .now_ns = now_ns,
                       .arena = arena,
                       .found = MACRO_NOT_FOUND,
                       .macro = out };
    enum store_status status = transact(self, get_macro, &job, false);
    *found = status ? MACRO_NOT_FOUND : job.found;
    return status;
}

/* ---- nonces ---------------------------------------------------------------------------------- */

static int spend_nonce(struct sqlite_store *s, struct job *job)
{
    sqlite3_stmt *st = s->statements[SPEND];
    bind_text(st, 1, job->id);
    sqlite3_bind_int64(st, 2, job->now_ns);
    sqlite3_bind_int64(st, 3, job->until_ns);
    sqlite3_bind_int64(st, 4, job->issued_ns);
    int rc = run(s, SPEND);
    job->first = rc == SQLITE_OK && sqlite3_changes(s->db) == 1;
    return rc;
}

static enum store_status sqlite_spend(void *self, struct str nonce, int64_t issued_ns,
                                      int64_t now_ns, int64_t until_ns, bool *first)
{
    struct job job = {
        .id = nonce, .now_ns = now_ns, .until_ns = until_ns, .issued_ns = issued_ns
    };
    enum store_status status = transact(self, spend_nonce, &job, true);
    *first = !status && job.first;
    return status;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

/* True if a record stands; its state is in the job then. */
static int look_up_once(struct sqlite_store *s, struct job *job, bool *stands)
{
    sqlite3_stmt *st = s->statements[ONCE_GET];
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    int rc = sqlite3_step(st);
    *stands = false;
    if (rc == SQLITE_ROW) {
        int64_t generation = sqlite3_column_int64(st, 1), until = sqlite3_column_int64(st, 3);
        bool ended = sqlite3_column_int(st, 2) != 0;
        *stands = until == 0 || job->now_ns <= until;
        if (*stands && !str_eq(column_text(st, 0), job->fingerprint)) {
            job->state = ONCE_OTHER;
        } else if (*stands && !ended) {
            job->state = generation == s->generation && until == 0 ? ONCE_RUNNING : ONCE_ORPHANED;
        } else if (*stands) {
            job->state = ONCE_ENDED;
            job->outcome = keep(job, column_text(st, 4));
        }
    }
    int reset = sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? reset : rc;
}

static int begin_once(struct sqlite_store *s, struct job *job)
{
    bool stands;
    int rc = look_up_once(s, job, &stands);
    if (rc != SQLITE_OK || stands)
        return rc;
    sqlite3_stmt *st = s->statements[ONCE_BEGIN];
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    bind_text(st, 3, job->fingerprint);
    sqlite3_bind_int64(st, 4, s->generation);
    job->state = ONCE_FRESH;
    return run(s, ONCE_BEGIN);
}

static enum store_status sqlite_once_begin(void *self, struct str principal, struct str key,
                                           struct str fingerprint, int64_t now_ns,
                                           struct arena *arena, enum once_state *state,
                                           struct str *outcome)
{
    struct job job = { .principal = principal,
                       .id = key,
                       .fingerprint = fingerprint,
                       .now_ns = now_ns,
                       .arena = arena };
    enum store_status status = transact(self, begin_once, &job, true);
    *state = job.state;
    *outcome = job.outcome;
    return status;
}

static int end_once(struct sqlite_store *s, struct job *job)
{
    sqlite3_stmt *st = s->statements[ONCE_END];
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    sqlite3_bind_int64(st, 3, mgi_store_later(job->now_ns, STORE_ONCE_NS));
    bind_text(st, 4, job->text);
    return run(s, ONCE_END);
}

/* The outcome could not be kept: the row stays begun, but gets an end, which makes it an orphan. */
static int lose_once(struct sqlite_store *s, struct job *job)
{
    sqlite3_stmt *st = s->statements[ONCE_LOSE];
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    sqlite3_bind_int64(st, 3, mgi_store_later(job->now_ns, STORE_ONCE_NS));
    return run(s, ONCE_LOSE);
}

static enum store_status sqlite_once_end(void *self, struct str principal, struct str key,
                                         struct str outcome, int64_t now_ns)
{
    struct job job = { .principal = principal, .id = key, .text = outcome, .now_ns = now_ns };
    enum store_status status = transact(self, end_once, &job, true);
    if (status) { /* the first failure is the one that is told */
        char fault[FAULT_BYTES];
        struct sqlite_store *s = self;
        memcpy(fault, s->fault, sizeof fault);
        (void)transact(self, lose_once, &job, true);
        memcpy(s->fault, fault, sizeof fault);
    }
    return status;
}

static int forget_once(struct sqlite_store *s, struct job *job)
{
    sqlite3_stmt *st = s->statements[ONCE_FORGET];
    bind_text(st, 1, job->principal);
    bind_text(st, 2, job->id);
    return run(s, ONCE_FORGET);
}

static enum store_status sqlite_once_forget(void *self, struct str principal, struct str key)
{
    struct job job = { .principal = principal, .id = key, .now_ns = INT64_MIN };
    return transact(self, forget_once, &job, true);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static size_t sqlite_bytes(void *self)
{
    struct sqlite_store *s = self;
    sqlite3_int64 pages = 0;
    sqlite3_stmt *st = NULL;
    pthread_mutex_lock(&s->lock);
    if (sqlite3_prepare_v2(s->db, "PRAGMA page_count", -1, &st, NULL) == SQLITE_OK &&
        sqlite3_step(st) == SQLITE_ROW)
        pages = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    pthread_mutex_unlock(&s->lock);
    return (size_t)pages * PAGE_BYTES;
}

static void sqlite_fault(void *self, struct buf *out)
{
    struct sqlite_store *s = self;
    pthread_mutex_lock(&s->lock);
    mgi_buf_puts(out, s->fault);
    pthread_mutex_unlock(&s->lock);
}

static void sqlite_close(void *self)
{
    struct sqlite_store *s = self;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(s->statements[i]);
    sqlite3_close(s->db); /* the last connection: the write-ahead log goes into the file */
    pthread_mutex_destroy(&s->lock);
    mgi_free(s);
}

static const struct store_operations sqlite_operations = {
    .name = "sqlite",
    .macro_put = sqlite_macro_put,
    .macro_get = sqlite_macro_get,
    .spend = sqlite_spend,
    .once_begin = sqlite_once_begin,
    .once_end = sqlite_once_end,
    .once_forget = sqlite_once_forget,
    .bytes = sqlite_bytes,
    .fault = sqlite_fault,
    .close = sqlite_close,
};

/* ---- opening -----------------------------------------------------------------------------------
 */

/* One integer of the first row; `missing` if there is none. */
static int64_t ask(sqlite3 *db, const char *text, int64_t missing)
{
    sqlite3_stmt *st = NULL;
    int64_t answer = missing;
    if (sqlite3_prepare_v2(db, text, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW)
        answer = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return answer;
}

/* Our file has our mark; an empty file gets it. NULL, or what is wrong. */
static const char *adopt_file(struct sqlite_store *s)
{
    int64_t id = ask(s->db, "PRAGMA application_id", -1);
    if (id == 0 && ask(s->db, "SELECT count(*) FROM sqlite_master", -1) == 0) {
        char text[sizeof schema + 96];
        snprintf(text, sizeof text, "BEGIN;PRAGMA application_id=%d;%sCOMMIT;", APPLICATION_ID,
                 schema);
        return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK ? NULL
                                                                        : sqlite3_errmsg(s->db);
    }
    if (id != APPLICATION_ID)
        return "it holds something else; give the name of a new file";
    if (ask(s->db, "SELECT version FROM meta", -1) == 1 &&
        sqlite3_exec(s->db, from_version_1, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite3_errmsg(s->db);
    if (ask(s->db, "SELECT version FROM meta", -1) == 2 &&
        sqlite3_exec(s->db, from_version_2, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite3_errmsg(s->db);
    if (ask(s->db, "SELECT version FROM meta", -1) != LAYOUT_VERSION)
        return "it was written by another version; give the name of a new file";
    return NULL;
}

/* A new file is the owner's alone: definitions name what principals may do. */
static const char *make_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    struct stat st;
    if (fd < 0)
        return strerror(errno);
    bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    close(fd);
    return regular ? NULL : "it is not a file";
}

static const char *open_file(struct sqlite_store *s, const char *path, size_t max_bytes)
{
    char pragmas[256];
    size_t pages = max_bytes / PAGE_BYTES;
    if (pages < LEAST_PAGES)
        pages = LEAST_PAGES;
    if (pages > INT32_MAX)
        pages = INT32_MAX;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
        return s->db ? sqlite3_errmsg(s->db) : "out of memory";
    sqlite3_extended_result_codes(s->db, 0);
    /* Exclusive, then a write: from here on no other process can open it. */
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA page_size=%d;PRAGMA locking_mode=EXCLUSIVE;PRAGMA journal_mode=WAL;"
             "PRAGMA synchronous=FULL;PRAGMA trusted_schema=OFF;PRAGMA max_page_count=%zu;",
             PAGE_BYTES, pages);
    int rc = sqlite3_exec(s->db, pragmas, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(s->db, "BEGIN EXCLUSIVE;COMMIT;", NULL, NULL, NULL);
    if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
        return "another server uses it; a store belongs to one process";
    if (rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT)
        return "it is no SQLite file, or a damaged one; give the name of a new file";
    if (rc != SQLITE_OK)
        return sqlite3_errmsg(s->db);
    s->durable = true;
    return adopt_file(s);
}

static const char *prepare_all(struct sqlite_store *s)
{
    for (int i = 0; i < STATEMENT_COUNT; i++)
        if (sqlite3_prepare_v3(s->db, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &s->statements[i], NULL) != SQLITE_OK)
            return sqlite3_errmsg(s->db);
    if (sqlite3_exec(s->db, "UPDATE meta SET generation=generation+1", NULL, NULL, NULL) !=
        SQLITE_OK)
        return sqlite3_errmsg(s->db);
    s->generation = ask(s->db, "SELECT generation FROM meta", 0);
    return NULL;
}

bool mgi_store_sqlite(const char *path, size_t max_bytes, struct store *out, struct buf *why)
{
    *out = (struct store){ 0 };
    struct sqlite_store *s = mgi_calloc(1, sizeof *s);
    if (!s || pthread_mutex_init(&s->lock, NULL) != 0) {
        mgi_free(s);
        mgi_buf_puts(why, "the store cannot be opened: out of memory");
        return false;
    }
    s->last_sweep_ns = INT64_MAX;
    s->max_share = (int64_t)((max_bytes ? max_bytes : DEFAULT_MAX_BYTES) / STORE_SHARE);
    const char *fault = make_file(path);
    if (!fault)
        fault = open_file(s, path, max_bytes ? max_bytes : DEFAULT_MAX_BYTES);
    if (!fault)
        fault = prepare_all(s);
    if (fault) {
        mgi_buf_printf(why, "the store %s cannot be opened: %s", path, fault);
        sqlite_close(s);
        return false;
    }
    *out = (struct store){ &sqlite_operations, s };
    return true;
}
