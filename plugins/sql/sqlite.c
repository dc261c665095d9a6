/* SQLite. Reading opens the file read-only, sets query_only, asks each statement whether it is
 * read-only, and lets an authorizer decide on everything that a statement touches; writing keeps
 * the authorizer. Neither ATTACH nor extensions nor writing pragmas nor the schema's own tables are
 * within reach. A handler that is called every few thousand steps watches the time. */
#include "plugins/sql/sql_plugin.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/sql/sqlite_int.h"

#define STEPS_PER_LOOK 4000

/* ---- what a statement may ------------------------------------------------------------------- */

/* Pragmas that only tell, whatever they are given. */
static const char *const telling_pragmas[] = {
    "table_info",  "table_xinfo",      "table_list",     "index_list",    "index_info",
    "index_xinfo", "foreign_key_list", "collation_list", "function_list", NULL
};

static const char *const refused_functions[] = { "load_extension", "fts3_tokenizer", "edit",
                                                 "readfile",       "writefile",      NULL };

static bool is_schema_change(int action)
{
    switch (action) {
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_VIEW:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VIEW:
    case SQLITE_ALTER_TABLE:
    case SQLITE_REINDEX:
        return true;
    default:
        return false;
    }
}

static bool is_own_table(const char *table)
{
    return table && strncasecmp(table, "sqlite_", 7) == 0;
}

static int authorize(void *context, int action, const char *one, const char *two,
                     const char *database, const char *trigger)
{
    const struct sqlite_use *use = context;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return mgi_sql_is_word(str_of(two), refused_functions) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return mgi_sql_is_word(str_of(one), telling_pragmas) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        if (is_own_table(one) && !use->may_change_schema)
            return SQLITE_DENY;
        return use->may_write ? SQLITE_OK : SQLITE_DENY;
    default:
        return use->may_change_schema && is_schema_change(action) ? SQLITE_OK : SQLITE_DENY;
    }
}

static int look_at_clock(void *context)
{
    return mgi_sql_stops(context);
}

static int wait_for_others(void *context, int tries)
{
    if (tries > 10000 || mgi_sql_stops(context))
        return 0;
    sqlite3_sleep(tries < 10 ? 1 : 10);
    return 1;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Bytes of a file that this process may write. */
static int64_t file_most(void)
{
    struct rlimit limit;
    bool bounded = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)INT64_MAX;
    return bounded ? (int64_t)limit.rlim_cur : INT64_MAX;
}

bool mgi_sqlite_fail(struct sqlite_use *use)
{
    struct action *a = use->c->a;
    if (a->stopped)
        return false;
    int code = use->db ? sqlite3_errcode(use->db) & 0xff : SQLITE_NOMEM;
    const char *text = use->db ? sqlite3_errmsg(use->db) : "";
    if (code == SQLITE_NOMEM)
        return mgi_action_nomem(a);
    if (code == SQLITE_AUTH)
        return mgi_action_fail(a, "not allowed here: %s%s", text,
                               use->may_write ? "" : " (this action only reads)");
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return mgi_action_fail(a, "the database is locked by somebody else");
    if (code == SQLITE_IOERR && sqlite3_system_errno(use->db) == EFBIG)
        return mgi_action_fail(a,
                               "a file of the database would have more than the %lld bytes that "
                               "this process may write; nothing was changed",
                               (long long)file_most());
    if (sqlite3_extended_errcode(use->db) == SQLITE_READONLY_ROLLBACK)
        return mgi_action_fail(a, "the database has a change half done, of a process that was "
                                  "killed; whoever opens it for writing next undoes that");
    return mgi_action_fail(a, "%s", text);
}

static void set_limits(sqlite3 *db)
{
    static const int limits[][2] = {
        { SQLITE_LIMIT_LENGTH, SQL_LENGTH_MOST },
        { SQLITE_LIMIT_SQL_LENGTH, SQL_MOST_BYTES + 100 },
        { SQLITE_LIMIT_ATTACHED, 0 },
        { SQLITE_LIMIT_EXPR_DEPTH, 200 },
        { SQLITE_LIMIT_COMPOUND_SELECT, 100 },
        { SQLITE_LIMIT_VDBE_OP, 1000000 },
        { SQLITE_LIMIT_FUNCTION_ARG, 100 },
        { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
        { SQLITE_LIMIT_VARIABLE_NUMBER, SQL_PARAMS_MOST },
        { SQLITE_LIMIT_TRIGGER_DEPTH, 20 },
        { SQLITE_LIMIT_WORKER_THREADS, 0 },
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i][0], limits[i][1]);
}

static bool set_up(struct sqlite_use *use)
{
    sqlite3_db_config(use->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(use->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(use->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(use->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is a name, never a text */
    sqlite3_db_config(use->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    set_limits(use->db);
    sqlite3_busy_handler(use->db, wait_for_others, use->c);
    sqlite3_progress_handler(use->db, STEPS_PER_LOOK, look_at_clock, use->c);
    const char *first = use->may_write ? "PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON"
                                       : "PRAGMA query_only=ON; PRAGMA cell_size_check=ON";
    return sqlite3_exec(use->db, first, NULL, NULL, NULL) == SQLITE_OK || mgi_sqlite_fail(use);
}

/* A file that is too large could be changed at its beginning and not where it ends, and then
 * nothing here could undo that. */
static bool check_file(struct sqlite_use *use)
{
    struct action *a = use->c->a;
    struct stat st;
    if (stat(mgi_sql_settings(a)->database, &st) != 0)
        return true;          /* SQLite tells it */
    if (!S_ISREG(st.st_mode)) /* to open a pipe would wait for somebody */
        return mgi_action_fail(a, "the database is no file");
    return !use->may_write || st.st_size <= file_most() ||
           mgi_action_fail(a,
                           "the database has %lld bytes, more than the %lld that this process may "
                           "write",
                           (long long)st.st_size, (long long)file_most());
}

/* Who writes and is killed, or meets an error of the disk, leaves a journal that only somebody who
 * writes can undo: done for those who only read, where writing is allowed at all. Not stopped, and
 * without waiting: whoever has a lock does it, too. */
static void undo_half_done(const struct sql_settings *s)
{
    char journal[sizeof s->database + 16];
    sqlite3 *db = NULL;
    snprintf(journal, sizeof journal, "%s-journal", s->database);
    if (!s->may_write || access(journal, F_OK) != 0)
        return;
    if (sqlite3_open_v2(s->database, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
        SQLITE_OK)
        sqlite3_exec(db, "PRAGMA schema_version", NULL, NULL, NULL);
    sqlite3_close(db);
}

bool mgi_sqlite_open(struct sqlite_use *use, struct sql_call *c, bool may_write)
{
    const struct sql_settings *s = mgi_sql_settings(c->a);
    int flags = (may_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX |
                SQLITE_OPEN_PRIVATECACHE;
    *use = (struct sqlite_use){ .c = c,
                                .may_write = may_write,
                                .may_change_schema = may_write && s->may_change_schema };
    if (!check_file(use))
        return false;
    if (!may_write)
        undo_half_done(s);
    if (sqlite3_open_v2(s->database, &use->db, flags, NULL) != SQLITE_OK)
        return mgi_sqlite_fail(use);
    return set_up(use);
}

void mgi_sqlite_close(struct sqlite_use *use)
{
    sqlite3_finalize(use->statement);
    sqlite3_close(use->db);
}

/* ---- one statement -------------------------------------------------------------------------- */

/* Nothing but white space, comments and semicolons may follow. */
static bool is_alone(struct sqlite_use *use, const char *tail)
{
    sqlite3_stmt *second = NULL;
    while (*tail) {
        const char *next = tail;
        if (sqlite3_prepare_v2(use->db, tail, -1, &second, &next) != SQLITE_OK || second) {
            sqlite3_finalize(second);
            return mgi_action_fail(use->c->a, "sql: more than one statement");
        }
        if (next == tail)
            break;
        tail = next;
    }
    return true;
}

bool mgi_sqlite_prepare(struct sqlite_use *use, const char *sql)
{
    const char *tail = "";
    sqlite3_set_authorizer(use->db, authorize, use);
    bool ok = sqlite3_prepare_v2(use->db, sql, -1, &use->statement, &tail) == SQLITE_OK ||
              mgi_sqlite_fail(use);
    ok = ok && (use->statement || mgi_action_fail(use->c->a, "sql: has no statement in it"));
    return ok && is_alone(use, tail);
}

static int bind_value(sqlite3_stmt *s, int at, const struct sql_param *p)
{
    switch (p->kind) {
    case SQL_NULL:
        return sqlite3_bind_null(s, at);
    case SQL_BOOL:
        return sqlite3_bind_int(s, at, p->boolean);
    case SQL_INT:
        return sqlite3_bind_int64(s, at, p->integer);
    case SQL_FLOAT:
        return sqlite3_bind_double(s, at, p->number);
    case SQL_TEXT:
        return sqlite3_bind_text64(s, at, p->text.ptr, p->text.len, SQLITE_STATIC, SQLITE_UTF8);
    default:
        return sqlite3_bind_blob64(s, at, p->text.ptr, p->text.len, SQLITE_STATIC);
    }
}

static const struct sql_param *find_param(const struct sql_call *c, const char *name)
{
    for (size_t i = 0; i < c->param_count; i++)
        if (str_is(c->params[i].name, name))
            return &c->params[i];
    return NULL;
}

static bool bind_named(struct sqlite_use *use, int count)
{
    struct sql_call *c = use->c;
    size_t used = 0;
    for (int i = 1; i <= count; i++) {
        const char *name = sqlite3_bind_parameter_name(use->statement, i);
        const struct sql_param *p = name ? find_param(c, name + 1) : NULL;
        if (!p)
            mgi_action_fail(c->a, "params: \"%s\" is missing", name ? name + 1 : "?");
        else if (bind_value(use->statement, i, p) != SQLITE_OK)
            return mgi_sqlite_fail(use);
        used += p != NULL;
    }
    if (used < c->param_count)
        mgi_action_fail(c->a, "params: %zu are given, and the statement has %zu of them",
                        c->param_count, used);
    return c->a->faults == 0;
}

bool mgi_sqlite_bind(struct sqlite_use *use)
{
    struct sql_call *c = use->c;
    int count = sqlite3_bind_parameter_count(use->statement);
    if (c->named)
        return bind_named(use, count);
    if ((size_t)count != c->param_count)
        return mgi_action_fail(c->a, "params: %zu are given, and the statement has %d",
                               c->param_count, count);
    for (int i = 0; i < count; i++)
        if (bind_value(use->statement, i + 1, &c->params[i]) != SQLITE_OK)
            return mgi_sqlite_fail(use);
    return true;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void put_columns(struct sqlite_use *use)
{
    struct json_writer *out = &use->c->a->out;
    mgi_jw_key(out, "columns");
    mgi_jw_begin_array(out);
    for (int i = 0; i < sqlite3_column_count(use->statement); i++) {
        const char *type = sqlite3_column_decltype(use->statement, i);
        mgi_sql_put_column(use->c, sqlite3_column_name(use->statement, i), type ? type : "");
    }
    mgi_jw_end_array(out);
}

static void put_cell(struct sqlite_use *use, int i)
{
    struct json_writer *out = &use->c->a->out;
    sqlite3_stmt *s = use->statement;
    const void *bytes;
    switch (sqlite3_column_type(s, i)) {
    case SQLITE_NULL:
        mgi_jw_null(out);
        break;
    case SQLITE_INTEGER:
        mgi_jw_int(out, sqlite3_column_int64(s, i));
        break;
    case SQLITE_FLOAT:
        mgi_sql_put_float(use->c, sqlite3_column_double(s, i));
        break;
    case SQLITE_TEXT:
        bytes = sqlite3_column_text(s, i);
        mgi_sql_put_text(use->c, (struct str){ bytes, (size_t)sqlite3_column_bytes(s, i) });
        break;
    default:
        bytes = sqlite3_column_blob(s, i);
        mgi_sql_put_blob(use->c, (struct str){ bytes, (size_t)sqlite3_column_bytes(s, i) });
    }
}

/* All rows of the statement: those beyond the limit are stepped over only if it changes something,
 * for then it must run to its end. */
static bool put_rows(struct sqlite_use *use)
{
    int code;
    put_columns(use);
    mgi_sql_rows_begin(use->c);
    while ((code = sqlite3_step(use->statement)) == SQLITE_ROW) {
        if (mgi_sql_row_begin(use->c)) {
            for (int i = 0; i < sqlite3_column_count(use->statement); i++)
                put_cell(use, i);
            mgi_sql_row_end(use->c);
        } else if (!use->may_write) {
            code = SQLITE_DONE;
            break;
        }
    }
    mgi_sql_rows_end(use->c);
    return code == SQLITE_DONE || mgi_sqlite_fail(use);
}

/* ---- the actions ---------------------------------------------------------------------------- */

static bool run_query(struct sqlite_use *use)
{
    if (!mgi_sqlite_prepare(use, use->c->sql.ptr) || !mgi_sqlite_bind(use))
        return false;
    if (!sqlite3_stmt_readonly(use->statement))
        return mgi_action_fail(use->c->a, "sql: changes something, and this action only reads");
    return put_rows(use);
}

static bool sqlite_query(struct sql_call *c)
{
    struct sqlite_use use;
    bool ok = mgi_sqlite_open(&use, c, false) && run_query(&use);
    mgi_sqlite_close(&use);
    return ok;
}

static bool transaction(struct sqlite_use *use, const char *what)
{
    sqlite3_set_authorizer(use->db, NULL, NULL);
    return sqlite3_exec(use->db, what, NULL, NULL, NULL) == SQLITE_OK || mgi_sqlite_fail(use);
}

static bool run_changes(struct sqlite_use *use, int64_t *changes)
{
    struct sql_call *c = use->c;
    if (!mgi_sqlite_prepare(use, c->sql.ptr) || !mgi_sqlite_bind(use))
        return false;
    if (sqlite3_stmt_readonly(use->statement))
        return mgi_action_fail(c->a, "sql: changes nothing; there is an action that reads");
    int64_t before = sqlite3_total_changes64(use->db);
    if (!put_rows(use))
        return false;
    *changes = sqlite3_total_changes64(use->db) - before; /* those of triggers count */
    sqlite3_finalize(use->statement);
    use->statement = NULL;
    if (c->max_changes >= 0 && *changes > c->max_changes)
        return mgi_action_fail(c->a,
                               "%lld rows would change, more than max_changes %lld; nothing was "
                               "changed",
                               (long long)*changes, (long long)c->max_changes);
    return !mgi_sql_stops(c);
}

/* The answer is written before the commit: what is done is not to be lost for want of memory. */
static bool finish_changes(struct sqlite_use *use, int64_t changes)
{
    struct action *a = use->c->a;
    mgi_jw_member_int(&a->out, "changes", changes);
    mgi_jw_member_bool(&a->out, "committed", !use->c->dry_run);
    if (!mgi_buf_reserve(&a->answer, 16))
        return mgi_action_nomem(a);
    return use->c->dry_run || transaction(use, "COMMIT");
}

static bool run_transaction(struct sqlite_use *use)
{
    int64_t changes = 0;
    if (!transaction(use, "BEGIN IMMEDIATE"))
        return false;
    bool ok = run_changes(use, &changes);
    sqlite3_finalize(use->statement);
    use->statement = NULL;
    ok = ok && finish_changes(use, changes);
    if (!ok || use->c->dry_run) {
        sqlite3_progress_handler(use->db, 0, NULL, NULL); /* undoing is not to be stopped */
        sqlite3_set_authorizer(use->db, NULL, NULL);
        sqlite3_exec(use->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return ok;
}

static bool sqlite_execute(struct sql_call *c)
{
    struct sqlite_use use;
    bool ok = mgi_sqlite_open(&use, c, true) && run_transaction(&use);
    mgi_sqlite_close(&use);
    if (!ok)
        undo_half_done(mgi_sql_settings(c->a));
    return ok;
}

/* A plan is asked for as if writing were allowed where it is: nothing runs. */
static bool run_explain(struct sqlite_use *use)
{
    static const char prefix[] = "EXPLAIN QUERY PLAN ";
    static const char *const plain[] = { "explain", NULL };
    struct sql_call *c = use->c;
    if (mgi_sql_is_word(mgi_sql_first_word(c->sql), plain))
        return mgi_action_fail(c->a, "sql: begins with EXPLAIN already; give the statement alone");
    char *sql = mgi_arena_printf(&c->a->arena, "%s%s", prefix, c->sql.ptr);
    if (!sql)
        return mgi_action_nomem(c->a);
    if (!mgi_sqlite_prepare(use, sql))
        return false;
    if (c->param_count && !mgi_sqlite_bind(use))
        return false;
    struct json_writer *out = &c->a->out;
    mgi_jw_key(out, "plan");
    mgi_jw_begin_array(out);
    int code;
    while ((code = sqlite3_step(use->statement)) == SQLITE_ROW && mgi_action_room(c->a) > 10000) {
        mgi_jw_begin_object(out);
        mgi_jw_member_int(out, "id", sqlite3_column_int64(use->statement, 0));
        mgi_jw_member_int(out, "parent", sqlite3_column_int64(use->statement, 1));
        mgi_jw_member_cstr(out, "detail", (const char *)sqlite3_column_text(use->statement, 3));
        mgi_jw_end_object(out);
    }
    mgi_jw_end_array(out);
    return code == SQLITE_DONE || code == SQLITE_ROW || mgi_sqlite_fail(use);
}

static bool sqlite_explain(struct sql_call *c)
{
    struct sqlite_use use;
    bool ok = mgi_sqlite_open(&use, c, false);
    use.may_write =
        mgi_sql_settings(c->a)->may_write; /* for the authorizer: the file is read-only */
    ok = ok && run_explain(&use);
    mgi_sqlite_close(&use);
    return ok;
}

const struct sql_driver mgi_sqlite_driver = {
    .query = sqlite_query,
    .execute = sqlite_execute,
    .explain = sqlite_explain,
    .schema = mgi_sqlite_schema,
};
