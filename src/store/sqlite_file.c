/* The file of the store in SQLite: its layout, older ones, opening. See sqlite_int.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/sqlite_int.h"

#define LAYOUT_VERSION 4
#define APPLICATION_ID 1296256851 /* "MCOS" in the file's header: it is one of ours */
#define LEAST_PAGES    64         /* an empty store takes about ten */
#define LONG_AGO       "-9223372036854775807"

/* ---- the layout ------------------------------------------------------------------------------ */

/* Of a row: whose it is, and what it takes. */
#define CALLER                                                                                     \
    "caller BLOB GENERATED ALWAYS AS (CASE instr(principal,x'1f') WHEN 0 THEN principal"           \
    " ELSE substr(principal,1,instr(principal,x'1f')-1) END) VIRTUAL"
#define MACRO_BYTES                                                                                \
    "bytes INTEGER GENERATED ALWAYS AS " SQL_PAGED(                                                \
        "(100+length(principal)+length(id)+length(definition))") " VIRTUAL"
#define ONCE_BYTES                                                                                 \
    "bytes INTEGER GENERATED ALWAYS AS " SQL_ONCE_BYTES("principal", "key", "fingerprint",         \
                                                        "outcome") " VIRTUAL"

#define NUMBER_TEXT(number) #number
#define MARK(number)        "PRAGMA application_id=" NUMBER_TEXT(number) ";"

static const char tables[] =
    MARK(APPLICATION_ID) "CREATE TABLE meta(version INTEGER NOT NULL,generation INTEGER NOT NULL,"
                         " forgotten INTEGER NOT NULL,outcomes INTEGER NOT NULL);"
                         "CREATE TABLE macro(principal BLOB NOT NULL,id BLOB NOT NULL,definition "
                         "BLOB NOT NULL,"
                         " not_before INTEGER NOT NULL,expires INTEGER NOT NULL,keep_until INTEGER "
                         "NOT NULL,"
                         " gone_after INTEGER NOT NULL," CALLER "," MACRO_BYTES
                         ",PRIMARY KEY(principal,id));"
                         "CREATE INDEX macro_gone ON macro(gone_after);"
                         "CREATE TABLE nonce(nonce BLOB PRIMARY KEY,until INTEGER NOT NULL,issued "
                         "INTEGER NOT NULL)"
                         " WITHOUT ROWID;"
                         "CREATE TABLE once(principal BLOB NOT NULL,key BLOB NOT NULL,fingerprint "
                         "BLOB NOT NULL,"
                         " generation INTEGER NOT NULL,ended INTEGER NOT NULL,until INTEGER NOT "
                         "NULL,outcome BLOB," CALLER "," ONCE_BYTES ",PRIMARY KEY(principal,key));"
                         "INSERT INTO meta VALUES(4,0," LONG_AGO ",0);";

/* A caller has that much more, and that much less. */
#define MORE(column, bytes)                                                                        \
    "INSERT INTO holder(caller," column ") VALUES(new.caller," bytes                               \
    ") ON CONFLICT(caller) DO UPDATE SET " column "=" column "+excluded." column ";"
#define LESS(column)                                                                               \
    "UPDATE holder SET " column "=" column "-old.bytes WHERE caller=old.caller;"                   \
    "DELETE FROM holder WHERE caller=old.caller AND bytes<=0 AND outcomes<=0;"

/* Who has how much, of what there is and of what will be. */
static const char shares[] =
    "CREATE INDEX macro_caller ON macro(caller,keep_until);"
    "CREATE TABLE holder(caller BLOB PRIMARY KEY,bytes INTEGER NOT NULL DEFAULT 0,"
    " outcomes INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE INDEX holder_bytes ON holder(bytes);"
    "INSERT INTO holder SELECT caller,sum(definition),sum(outcome) FROM"
    " (SELECT caller,bytes AS definition,0 AS outcome FROM macro"
    " UNION ALL SELECT caller,0,bytes FROM once) GROUP BY caller;"
    "UPDATE meta SET outcomes=(SELECT coalesce(sum(bytes),0) FROM once);"
    "CREATE TRIGGER macro_new AFTER INSERT ON macro BEGIN " MORE(
        "bytes",
        "new.bytes") "END;"
                     "CREATE TRIGGER macro_other AFTER UPDATE OF definition ON macro BEGIN " MORE(
                         "bytes",
                         "new.bytes-old.bytes") "END;"
                                                "CREATE TRIGGER macro_less AFTER DELETE ON macro "
                                                "BEGIN " LESS(
                                                    "bytes") "END;"
                                                             "CREATE TRIGGER once_new AFTER INSERT "
                                                             "ON once BEGIN " MORE(
                                                                 "outcomes",
                                                                 "new.bytes") "UPDATE meta SET "
                                                                              "outcomes=outcomes+"
                                                                              "new.bytes;END;"
                                                                              "CREATE TRIGGER "
                                                                              "once_other AFTER "
                                                                              "UPDATE OF outcome "
                                                                              "ON once BEGIN " MORE(
                                                                                  "outcomes",
                                                                                  "new.bytes-old."
                                                                                  "bytes") "UPDATE "
                                                                                           "meta "
                                                                                           "SET "
                                                                                           "outcome"
                                                                                           "s="
                                                                                           "outcome"
                                                                                           "s+new."
                                                                                           "bytes-"
                                                                                           "old."
                                                                                           "bytes;"
                                                                                           "END;"
                                                                                           "CREATE "
                                                                                           "TRIGGER"
                                                                                           " once_"
                                                                                           "less "
                                                                                           "AFTER "
                                                                                           "DELETE "
                                                                                           "ON "
                                                                                           "once "
                                                                                           "BEGIN"
                                                                                           " " LESS(
                                                                                               "out"
                                                                                               "com"
                                                                                               "es") "UPDATE meta SET outcomes=outcomes-old.bytes;END;";

/* Version 1 did not know when a nonce was issued: no later than it is over. */
static const char from_version_1[] =
    "ALTER TABLE meta ADD COLUMN forgotten INTEGER NOT NULL DEFAULT " LONG_AGO ";"
    "ALTER TABLE nonce ADD COLUMN issued INTEGER NOT NULL DEFAULT 0;"
    "UPDATE nonce SET issued=until;UPDATE meta SET version=2;";

/* Version 2 did not count who has how much; version 3 by principal, and no outcomes. */
static const char from_version_2_or_3[] =
    "DROP TRIGGER IF EXISTS macro_new;DROP TRIGGER IF EXISTS macro_other;"
    "DROP TRIGGER IF EXISTS macro_less;DROP TABLE IF EXISTS holder;"
    "DROP INDEX IF EXISTS macro_keep;"
    "ALTER TABLE meta ADD COLUMN outcomes INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE macro ADD COLUMN " CALLER ";ALTER TABLE macro ADD COLUMN " MACRO_BYTES ";"
    "ALTER TABLE once ADD COLUMN " CALLER ";ALTER TABLE once ADD COLUMN " ONCE_BYTES ";"
    "UPDATE meta SET version=4;";

/* ---- opening ----------------------------------------------------------------------------------
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

static int64_t version_of(sqlite3 *db)
{
    return ask(db, "SELECT version FROM meta", -1);
}

/* All of both, or nothing: closing undoes what is not committed. */
static bool change(sqlite3 *db, const char *first, const char *second)
{
    return sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(db, first, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(db, second, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

/* Our file has our mark; an empty file gets it. NULL, or what is wrong. */
static const char *adopt_file(sqlite3 *db)
{
    int64_t id = ask(db, "PRAGMA application_id", -1);
    if (id == 0 && ask(db, "SELECT count(*) FROM sqlite_master", -1) == 0)
        return change(db, tables, shares) ? NULL : sqlite3_errmsg(db);
    if (id != APPLICATION_ID)
        return "it holds something else; give the name of a new file";
    if (version_of(db) == 1 && !change(db, from_version_1, ""))
        return sqlite3_errmsg(db);
    if ((version_of(db) == 2 || version_of(db) == 3) && !change(db, from_version_2_or_3, shares))
        return sqlite3_errmsg(db);
    if (version_of(db) != LAYOUT_VERSION)
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

static const char *open_database(struct sqlite_store *s, const char *path, size_t max_bytes)
{
    char pragmas[256];
    size_t pages = max_bytes / STORE_PAGE_BYTES;
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
             STORE_PAGE_BYTES, pages);
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
    return adopt_file(s->db);
}

#define STATEMENT_TEXT(name, text) [name] = (text),
static const char *const statement_texts[] = { STORE_STATEMENTS(STATEMENT_TEXT) };

static const char *prepare_all(struct sqlite_store *s)
{
    for (int i = 0; i < STORE_STATEMENT_COUNT; i++)
        if (sqlite3_prepare_v3(s->db, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &s->statements[i], NULL) != SQLITE_OK)
            return sqlite3_errmsg(s->db);
    if (sqlite3_exec(s->db, "UPDATE meta SET generation=generation+1", NULL, NULL, NULL) !=
        SQLITE_OK)
        return sqlite3_errmsg(s->db);
    s->generation = ask(s->db, "SELECT generation FROM meta", 0);
    return NULL;
}

const char *mgi_sqlite_file_open(struct sqlite_store *s, const char *path, size_t max_bytes)
{
    const char *fault = make_file(path);
    if (!fault)
        fault = open_database(s, path, max_bytes);
    return fault ? fault : prepare_all(s);
}

void mgi_sqlite_file_close(struct sqlite_store *s)
{
    for (int i = 0; i < STORE_STATEMENT_COUNT; i++)
        sqlite3_finalize(s->statements[i]);
    sqlite3_close(s->db); /* the last connection: the write-ahead log goes into the file */
}
