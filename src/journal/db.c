/* The file of the journal: its layout, who may write it, opening. See journal_int.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "journal/journal_int.h"
#include "sys/clock.h"

/* SQLite locks bytes from 1 GiB on. This one is ours. */
#define LOCK_AT     ((off_t)1 << 62)
#define BUSY_MS     2000 /* a reader may be putting the write-ahead log in order */
#define LOCK_MS     1000 /* who writes it may just be ending */
#define LOCK_LOOK   10   /* ms, between looks at that */
#define LEAST_PAGES 64
#define WAL_BYTES   "4194304" /* that stay of the write-ahead log */

#define NUMBER_TEXT(number) #number
#define NUMBER(macro)       NUMBER_TEXT(macro)

/* ---- the layout ------------------------------------------------------------------------------ */

static const char layout[] =
    "PRAGMA application_id=1296255570;"
    "CREATE TABLE meta(version INTEGER NOT NULL,journal TEXT NOT NULL,opening INTEGER NOT NULL,"
    " forgotten INTEGER NOT NULL,probed INTEGER NOT NULL);"
    "CREATE TABLE run(no INTEGER PRIMARY KEY,opening INTEGER NOT NULL,invocation TEXT NOT NULL,"
    " run_id TEXT NOT NULL,spec TEXT NOT NULL,profile TEXT NOT NULL,request TEXT NOT NULL,"
    " macro TEXT NOT NULL,tool TEXT NOT NULL,caller TEXT NOT NULL,key BLOB,fingerprint TEXT,"
    " plan TEXT NOT NULL,plan_count INTEGER NOT NULL,effects INTEGER NOT NULL,"
    " began INTEGER NOT NULL,ended INTEGER NOT NULL DEFAULT 0,outcome INTEGER NOT NULL DEFAULT 0,"
    " unrecorded INTEGER NOT NULL DEFAULT 0,closed INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX run_invocation ON run(invocation);"
    "CREATE INDEX run_key ON run(key) WHERE key IS NOT NULL;"
    "CREATE TABLE step(run INTEGER NOT NULL,seq INTEGER NOT NULL,step INTEGER NOT NULL,"
    " item INTEGER NOT NULL,attempt INTEGER NOT NULL,compensation INTEGER NOT NULL,"
    " name TEXT NOT NULL,action TEXT NOT NULL,tier INTEGER NOT NULL,input TEXT NOT NULL,"
    " began INTEGER NOT NULL,ended INTEGER NOT NULL DEFAULT 0,outcome INTEGER NOT NULL DEFAULT 0,"
    " indeterminate INTEGER NOT NULL DEFAULT 0,output TEXT,output_bytes INTEGER,ms INTEGER,"
    " patch_sha TEXT,patch_bytes INTEGER,patch BLOB,PRIMARY KEY(run,seq)) WITHOUT ROWID;"
    "INSERT INTO meta VALUES(1,'',0,0,0);";

/* From each layout to the next; what begins anew goes the whole way. */
static const char *const next_layouts[] = {
    [1] = "CREATE TABLE pick(run INTEGER NOT NULL,seq INTEGER NOT NULL,step INTEGER NOT NULL,"
          " turn INTEGER NOT NULL,at INTEGER NOT NULL,name TEXT NOT NULL,picker TEXT NOT NULL,"
          " kind TEXT NOT NULL,sid TEXT NOT NULL,action TEXT NOT NULL,raw TEXT NOT NULL,"
          " in_order INTEGER NOT NULL,PRIMARY KEY(run,seq)) WITHOUT ROWID",
    [2] = "ALTER TABLE pick ADD COLUMN mode TEXT NOT NULL DEFAULT ''",
};
_Static_assert(sizeof next_layouts / sizeof *next_layouts == JOURNAL_LAYOUT, "one is missing");

/* What is removed in one go: of this connection alone. */
static const char scratch[] = "CREATE TEMP TABLE gone(no INTEGER PRIMARY KEY)";

/* ---- statements ------------------------------------------------------------------------------ */

void mgi_journal_bind(sqlite3_stmt *st, int at, struct str text)
{
    sqlite3_bind_text64(st, at, text.len ? text.ptr : "", text.len, SQLITE_STATIC, SQLITE_UTF8);
}

int mgi_journal_finish(sqlite3_stmt *st, int rc)
{
    int reset = sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? reset : rc;
}

int mgi_journal_run_statement(struct journal_db *d, enum journal_statement which)
{
    sqlite3_stmt *st = d->statements[which];
    return mgi_journal_finish(st, sqlite3_step(st));
}

int mgi_journal_set_durable(struct journal_db *d, bool durable)
{
    if (d->durable == durable)
        return SQLITE_OK;
    int rc = sqlite3_exec(d->db, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        d->durable = durable;
    return rc;
}

int mgi_journal_allow(struct journal_db *d, int64_t pages)
{
    char text[64];
    snprintf(text, sizeof text, "PRAGMA max_page_count=%lld", (long long)pages);
    return sqlite3_exec(d->db, text, NULL, NULL, NULL);
}

int64_t mgi_journal_ask(sqlite3 *db, const char *text, int64_t missing)
{
    sqlite3_stmt *st = NULL;
    int64_t answer = missing;
    if (sqlite3_prepare_v2(db, text, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW)
        answer = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return answer;
}

/* ---- who writes it --------------------------------------------------------------------------- */

static struct flock whole_lock(short type)
{
    return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = LOCK_AT, .l_len = 1 };
}

bool mgi_journal_db_is_written(int fd)
{
    struct flock lock = whole_lock(F_WRLCK);
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* What a killed server had begun to start holds the lock on until it is a program of its own. */
static bool take_lock(int fd)
{
    const struct timespec moment = { .tv_nsec = (long)LOCK_LOOK * 1000000 };
    const int64_t until = mgi_clock_mono_ns() + (int64_t)LOCK_MS * 1000000;
    struct flock lock = whole_lock(F_WRLCK);
    while (fcntl(fd, F_OFD_SETLK, &lock) != 0) {
        if ((errno != EAGAIN && errno != EACCES) || mgi_clock_mono_ns() >= until)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

/* A new file is the owner's alone. It is held open from before SQLite has it until after. */
static const char *hold_file(struct journal_db *d, const char *path)
{
    struct stat st;
    d->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
    if (d->fd < 0)
        return strerror(errno);
    if (fstat(d->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return "it is not a file";
    if (take_lock(d->fd))
        return NULL;
    return errno == EAGAIN || errno == EACCES
               ? "another server writes it; a journal belongs to one process"
               : strerror(errno);
}

bool mgi_journal_db_stands(struct journal_db *d)
{
    struct stat st;
    d->orphaned = d->orphaned || fstat(d->fd, &st) != 0 || st.st_nlink == 0;
    return !d->orphaned;
}

/* ---- opening --------------------------------------------------------------------------------- */

static const char damaged[] = "it is no SQLite file, or a damaged one; move it away, and know that "
                              "keys of runs in it may then run again";

static const char *explain(struct journal_db *d, int rc)
{
    if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
        return "another program keeps it locked";
    if (rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT)
        return damaged;
    return sqlite3_errmsg(d->db);
}

static const char *connect_to(struct journal_db *d, const char *path, int flags)
{
    if (sqlite3_open_v2(path, &d->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                        NULL) != SQLITE_OK)
        return d->db ? sqlite3_errmsg(d->db) : "out of memory";
    sqlite3_extended_result_codes(d->db, 0);
    sqlite3_busy_timeout(d->db, BUSY_MS);
    int rc = sqlite3_exec(d->db, "PRAGMA trusted_schema=OFF;PRAGMA cell_size_check=ON", NULL, NULL,
                          NULL);
    return rc == SQLITE_OK ? NULL : explain(d, rc);
}

static int begin_new(struct journal_db *d, const char random[JOURNAL_ID_CHARS + 1])
{
    char name[64 + JOURNAL_ID_CHARS];
    snprintf(name, sizeof name, "UPDATE meta SET journal='%.*s';COMMIT", JOURNAL_ID_CHARS, random);
    int rc = sqlite3_exec(d->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(d->db, layout, NULL, NULL, NULL);
    return rc == SQLITE_OK ? sqlite3_exec(d->db, name, NULL, NULL, NULL) : rc;
}

/* Is it one of ours, of this layout? */
static const char *recognise(struct journal_db *d)
{
    int64_t version = mgi_journal_ask(d->db, "SELECT version FROM meta", -1);
    if (mgi_journal_ask(d->db, "PRAGMA application_id", -1) != JOURNAL_APPLICATION)
        return sqlite3_errcode(d->db) == SQLITE_NOTADB || sqlite3_errcode(d->db) == SQLITE_CORRUPT
                   ? damaged
                   : "it holds something else; give the name of a new file";
    if (version >= 1 && version <= JOURNAL_LAYOUT)
        return NULL;
    snprintf(d->fault, sizeof d->fault,
             "its layout is version %lld, and this program knows %d; give the name of a new file",
             (long long)version, JOURNAL_LAYOUT);
    return version < 0 ? damaged : d->fault;
}

/* Nothing is changed in a file that is somebody else's. */
static const char *look_at(struct journal_db *d, bool *is_new)
{
    int64_t id = mgi_journal_ask(d->db, "PRAGMA application_id", -1);
    *is_new = id == 0 && mgi_journal_ask(d->db, "SELECT count(*) FROM sqlite_master", -1) == 0;
    return *is_new ? NULL : recognise(d);
}

static const char *make_new(struct journal_db *d, const char random[JOURNAL_ID_CHARS + 1])
{
    int rc = begin_new(d, random);
    return rc == SQLITE_OK ? NULL : explain(d, rc);
}

/* A journal that is damaged must not be believed: that something is not in it says nothing then. */
static const char *check_whole(struct journal_db *d)
{
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(d->db, "PRAGMA quick_check(1)", -1, &st, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(st);
    bool good = rc == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(st, 0), "ok") == 0;
    sqlite3_finalize(st);
    if (good)
        return NULL;
    return rc == SQLITE_ROW ? damaged : explain(d, rc);
}

/* To the layout that this program writes, all of it or nothing. */
static const char *bring_up(struct journal_db *d)
{
    int64_t version = mgi_journal_ask(d->db, "SELECT version FROM meta", JOURNAL_LAYOUT);
    if (version == JOURNAL_LAYOUT)
        return NULL;
    int rc = sqlite3_exec(d->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (; rc == SQLITE_OK && version < JOURNAL_LAYOUT; version++)
        rc = sqlite3_exec(d->db, next_layouts[version], NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(d->db, "UPDATE meta SET version=" NUMBER(JOURNAL_LAYOUT) ";COMMIT", NULL,
                          NULL, NULL);
    return rc == SQLITE_OK ? NULL : explain(d, rc);
}

static const char *set_up(struct journal_db *d, size_t max_bytes)
{
    char pragmas[320];
    size_t pages = max_bytes / JOURNAL_PAGE_BYTES / 9 * 8; /* the rest is for ends */
    if (pages < LEAST_PAGES)
        pages = LEAST_PAGES;
    if (pages > INT32_MAX / 2)
        pages = INT32_MAX / 2;
    d->max_pages = (int64_t)pages;
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA page_size=%d;PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
             "PRAGMA journal_size_limit=" WAL_BYTES ";PRAGMA temp_store=MEMORY;"
             "PRAGMA max_page_count=%zu",
             JOURNAL_PAGE_BYTES, pages);
    int rc = sqlite3_exec(d->db, pragmas, NULL, NULL, NULL);
    d->durable = true;
    return rc == SQLITE_OK ? NULL : explain(d, rc);
}

#define STATEMENT_TEXT(name, text) [SQL_##name] = (text),
static const char *const statement_texts[] = { JOURNAL_STATEMENTS(STATEMENT_TEXT) };

static const char *prepare_all(struct journal_db *d)
{
    int rc = sqlite3_exec(d->db, scratch, NULL, NULL, NULL);
    for (int i = 0; rc == SQLITE_OK && i < JOURNAL_STATEMENT_COUNT; i++)
        rc = sqlite3_prepare_v3(d->db, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                &d->statements[i], NULL);
    return rc == SQLITE_OK ? NULL : explain(d, rc);
}

/* What the last process left without an end gets one: of steps nobody knows what they did. */
static const char *close_open_runs(struct journal_db *d, int64_t now_ns)
{
    char text[512];
    snprintf(text, sizeof text,
             "BEGIN IMMEDIATE;UPDATE meta SET opening=opening+1;"
             "UPDATE step SET outcome=%d,indeterminate=1 WHERE outcome=0 AND"
             " run IN (SELECT no FROM run WHERE outcome=0)",
             JOURNAL_INTERRUPTED);
    int rc = sqlite3_exec(d->db, text, NULL, NULL, NULL);
    d->interrupted_steps = (uint64_t)sqlite3_changes64(d->db);
    snprintf(text, sizeof text,
             "UPDATE run SET outcome=%d,ended=%lld,closed=(SELECT opening FROM meta)"
             " WHERE outcome=0",
             JOURNAL_INTERRUPTED, (long long)now_ns);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(d->db, text, NULL, NULL, NULL);
    d->interrupted_runs = (uint64_t)sqlite3_changes64(d->db);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL);
    return rc == SQLITE_OK ? NULL : explain(d, rc);
}

static const char *read_meta(struct journal_db *d)
{
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(d->db,
                                "SELECT journal,opening,forgotten,"
                                "max(forgotten,coalesce((SELECT max(no) FROM run),0)) FROM meta",
                                -1, &st, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) {
        snprintf(d->id, sizeof d->id, "%s", (const char *)sqlite3_column_text(st, 0));
        d->opening = sqlite3_column_int64(st, 1);
        d->forgotten = sqlite3_column_int64(st, 2);
        d->last_no = sqlite3_column_int64(st, 3);
    }
    sqlite3_finalize(st);
    return rc == SQLITE_ROW ? NULL : explain(d, rc);
}

const char *mgi_journal_db_open(struct journal_db *d, const char *path, size_t max_bytes,
                                int64_t now_ns, const char random[JOURNAL_ID_CHARS + 1])
{
    bool is_new = false;
    *d = (struct journal_db){ .fd = -1 };
    const char *fault = hold_file(d, path);
    if (!fault)
        fault = connect_to(d, path, SQLITE_OPEN_READWRITE);
    if (!fault)
        fault = look_at(d, &is_new);
    if (!fault)
        fault = set_up(d, max_bytes);
    if (!fault)
        fault = is_new ? make_new(d, random) : check_whole(d);
    if (!fault)
        fault = bring_up(d);
    if (!fault)
        fault = close_open_runs(d, now_ns);
    if (!fault)
        fault = read_meta(d);
    return fault ? fault : prepare_all(d);
}

const char *mgi_journal_db_open_to_read(struct journal_db *d, const char *path)
{
    *d = (struct journal_db){ .fd = -1 };
    const char *fault = connect_to(d, path, SQLITE_OPEN_READONLY);
    if (!fault)
        fault = recognise(d);
    return fault ? fault : read_meta(d);
}

void mgi_journal_db_close(struct journal_db *d)
{
    for (int i = 0; i < JOURNAL_STATEMENT_COUNT; i++)
        sqlite3_finalize(d->statements[i]);
    sqlite3_close(d->db); /* the last connection: the write-ahead log goes into the file */
    if (d->fd >= 0)       /* only now: a close lets go of SQLite's own locks */
        close(d->fd);
    *d = (struct journal_db){ .fd = -1 };
}
