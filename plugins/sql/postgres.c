/* PostgreSQL. A connection for each call; reading runs in a READ ONLY transaction, which no
 * statement in it can undo, and the server is told the time limit, too. Statements go by the
 * extended protocol, which takes one at a time and keeps values apart; what no transaction covers
 * (COPY, DO, SET, VACUUM ...) is refused by its first word. Nothing blocks: each wait ends when the
 * call is cancelled or its time is over, and the server is then asked to stop (PQcancel). */
#include "plugins/sql/sql_plugin.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/sql/postgres_int.h"

#define NO_FILE        "/dev/null/none" /* a password comes from the environment, or not at all */
#define WAIT_MS        25               /* between two looks at the cancel flag */
#define CANCEL_WAIT_MS 1000             /* for the server to end what was cancelled */

struct pq_late mgi_pq;

bool mgi_postgres_load(struct buf *why)
{
    return mgi_pq.PQfinish || mgi_pq_late_open(&mgi_pq, why);
}

const char *mgi_postgres_address_fault(const char *address)
{
    char *error = NULL;
    const char *fault = NULL;
    PQconninfoOption *options = mgi_pq.PQconninfoParse(address, &error);
    if (error)
        mgi_pq.PQfreemem(error); /* not told: it could hold a password */
    if (!options)
        return "is no address that libpq understands: postgresql://user@host:port/name";
    for (PQconninfoOption *o = options; o->keyword; o++)
        if (o->val && strcmp(o->keyword, "password") == 0)
            fault = "has a password in it; say the name of an environment variable as password_env";
    mgi_pq.PQconninfoFree(options);
    return fault;
}

/* ---- errors --------------------------------------------------------------------------------- */

static struct str one_line(const char *text)
{
    struct str s = str_of(text ? text : "");
    return mgi_str_trim(s, " \r\n\t");
}

static bool fail_connection(struct postgres_use *use)
{
    if (use->c->a->stopped)
        return false;
    struct str text = one_line(use->connection ? mgi_pq.PQerrorMessage(use->connection) : "");
    return text.len ? mgi_action_fail(use->c->a, "%.*s", STR_ARG(text))
                    : mgi_action_nomem(use->c->a);
}

/* What the server says, with its code and, if it knows, where. */
bool mgi_postgres_fail(struct postgres_use *use, const PGresult *r)
{
    if (use->c->a->stopped)
        return false;
    struct str text = one_line(mgi_pq.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY));
    const char *code = mgi_pq.PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *where = mgi_pq.PQresultErrorField(r, PG_DIAG_STATEMENT_POSITION);
    const char *hint = mgi_pq.PQresultErrorField(r, PG_DIAG_MESSAGE_HINT);
    if (text.len == 0)
        return fail_connection(use);
    if (code && strcmp(code, "57014") == 0 && mgi_sql_stops(use->c))
        return false;
    return mgi_action_fail(use->c->a, "%.*s (%s%s%s)%s%.*s", STR_ARG(text), code ? code : "?",
                           where ? ", character " : "", where ? where : "", hint ? ": " : "",
                           STR_ARG(one_line(hint)));
}

static void ignore_notice(void *unused, const char *text)
{
    (void)unused;
    (void)text;
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* True: something happened on the socket. False: the call has failed. */
static bool wait_socket(struct postgres_use *use, short events)
{
    for (;;) {
        struct pollfd p = { .fd = mgi_pq.PQsocket(use->connection), .events = events };
        int found = poll(&p, 1, WAIT_MS);
        if (found > 0)
            return true;
        if (found < 0 && errno != EINTR)
            return mgi_action_fail(use->c->a, "poll: %s", strerror(errno));
        if (mgi_sql_stops(use->c))
            return false;
    }
}

static bool connect_to(struct postgres_use *use)
{
    const struct sql_settings *s = mgi_sql_settings(use->c->a);
    const char *password = s->password_env[0] ? getenv(s->password_env) : NULL;
    /* What stands before the address is overridden by it; what stands behind it overrides it. */
    const char *names[] = { "passfile",        "application_name", "dbname",
                            "client_encoding", "password",         NULL };
    const char *values[] = { NO_FILE, "manglecp", s->database, "UTF8", password, NULL };
    if (s->password_env[0] && !password)
        return mgi_action_fail(use->c->a, "the environment has no %s (password_env)",
                               s->password_env);
    use->connection = mgi_pq.PQconnectStartParams(names, values, 1);
    if (!use->connection || mgi_pq.PQstatus(use->connection) == CONNECTION_BAD)
        return fail_connection(use);
    mgi_pq.PQsetNoticeProcessor(use->connection, ignore_notice, NULL);
    for (PostgresPollingStatusType next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;
         next = mgi_pq.PQconnectPoll(use->connection)) {
        if (next == PGRES_POLLING_FAILED)
            return fail_connection(use);
        if (!wait_socket(use, next == PGRES_POLLING_READING ? POLLIN : POLLOUT))
            return false;
    }
    return mgi_pq.PQsetnonblocking(use->connection, 1) == 0 || fail_connection(use);
}

/* Ask the server to stop, and wait a moment for it to say that it has. */
void mgi_postgres_stop(struct postgres_use *use)
{
    char why[128];
    PGcancel *cancel = mgi_pq.PQgetCancel(use->connection);
    if (cancel)
        mgi_pq.PQcancel(cancel, why, sizeof why);
    mgi_pq.PQfreeCancel(cancel);
    for (int waited = 0; waited < CANCEL_WAIT_MS; waited += WAIT_MS) {
        while (!mgi_pq.PQisBusy(use->connection)) {
            PGresult *r = mgi_pq.PQgetResult(use->connection);
            if (!r)
                return;
            mgi_pq.PQclear(r);
        }
        struct pollfd p = { .fd = mgi_pq.PQsocket(use->connection), .events = POLLIN };
        if (poll(&p, 1, WAIT_MS) > 0 && !mgi_pq.PQconsumeInput(use->connection))
            return;
    }
}

/* The next result, NULL at the end; *ok false: the call has failed. */
PGresult *mgi_postgres_next(struct postgres_use *use, bool *ok)
{
    for (int more; (more = mgi_pq.PQflush(use->connection)) != 0;) {
        *ok = more > 0 ? wait_socket(use, POLLIN | POLLOUT) : fail_connection(use);
        if (*ok && !mgi_pq.PQconsumeInput(use->connection))
            *ok = fail_connection(use);
        if (!*ok)
            return NULL;
    }
    while (mgi_pq.PQisBusy(use->connection)) {
        *ok = wait_socket(use, POLLIN);
        if (*ok && !mgi_pq.PQconsumeInput(use->connection))
            *ok = fail_connection(use);
        if (!*ok)
            return NULL;
    }
    return mgi_pq.PQgetResult(use->connection);
}

/* ---- statements ----------------------------------------------------------------------------- */

static const char *param_text(struct action *a, const struct sql_param *p)
{
    switch (p->kind) {
    case SQL_NULL:
        return NULL;
    case SQL_BOOL:
        return p->boolean ? "true" : "false";
    default:
        return mgi_arena_str(&a->arena, p->text).ptr;
    }
}

/* Values go as text, whose type the server works out; bytes go as they are. */
bool mgi_postgres_send(struct postgres_use *use, const char *sql, bool with_params)
{
    struct sql_call *c = use->c;
    size_t count = with_params ? c->param_count : 0;
    struct arena *arena = &c->a->arena;
    const char **values = mgi_arena_calloc(arena, count + 1, sizeof *values);
    int *lengths = mgi_arena_calloc(arena, count + 1, sizeof *lengths);
    int *formats = mgi_arena_calloc(arena, count + 1, sizeof *formats);
    if (!values || !lengths || !formats)
        return mgi_action_nomem(c->a);
    for (size_t i = 0; i < count; i++) {
        const struct sql_param *p = &c->params[i];
        values[i] = param_text(c->a, p);
        if (p->kind == SQL_TEXT && memchr(p->text.ptr, '\0', p->text.len))
            mgi_action_fail(c->a, "params: %zu has a NUL in it, which PostgreSQL has in no text",
                            i + 1);
        lengths[i] = (int)p->text.len;
        formats[i] = p->kind == SQL_BLOB;
    }
    if (c->a->faults > 0 || arena->oom)
        return c->a->faults > 0 ? false : mgi_action_nomem(c->a);
    return mgi_pq.PQsendQueryParams(use->connection, sql, (int)count, NULL, values, lengths,
                                    formats, 0) == 1 ||
           fail_connection(use);
}

static void remember(struct postgres_use *use, PGresult *r)
{
    snprintf(use->changes, sizeof use->changes, "%s", mgi_pq.PQcmdTuples(r));
    snprintf(use->command, sizeof use->command, "%s", mgi_pq.PQcmdStatus(r));
}

/* One result. False: the call has failed, or no row more is wanted (*enough). */
static bool take_result(struct postgres_use *use, PGresult *r, bool rows, bool to_the_end,
                        bool *enough)
{
    switch (mgi_pq.PQresultStatus(r)) {
    case PGRES_SINGLE_TUPLE:
        if (!rows)
            return true;
        if (!use->named_columns)
            mgi_postgres_columns(use, r);
        if (mgi_sql_row_begin(use->c))
            mgi_postgres_row(use, r);
        else
            *enough = !to_the_end;
        return !*enough;
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        if (rows && !use->named_columns)
            mgi_postgres_columns(use, r);
        remember(use, r);
        return true;
    default:
        return mgi_postgres_fail(use, r);
    }
}

/* Run it, and write its rows if they are wanted. `to_the_end`: what changes something is not
 * stopped for having too many rows to show. */
static bool run(struct postgres_use *use, const char *sql, bool with_params, bool rows,
                bool to_the_end)
{
    bool ok = mgi_postgres_send(use, sql, with_params), enough = false;
    if (!ok)
        return false;
    mgi_pq.PQsetSingleRowMode(use->connection);
    for (PGresult *r; ok && (r = mgi_postgres_next(use, &ok)) != NULL;) {
        ok = take_result(use, r, rows, to_the_end, &enough) && !mgi_sql_stops(use->c);
        mgi_pq.PQclear(r);
    }
    if (!ok)
        mgi_postgres_stop(use);
    if (rows && use->named_columns && (ok || enough))
        mgi_sql_rows_end(use->c);
    return ok || (enough && use->c->a->faults == 0);
}

bool mgi_postgres_begin(struct postgres_use *use, struct sql_call *c, bool may_write)
{
    char timeout[64];
    *use = (struct postgres_use){ .c = c };
    if (c->named)
        return mgi_action_fail(c->a, "params: PostgreSQL takes a list, for $1, $2 and so on");
    if (!connect_to(use))
        return false;
    int64_t left = mgi_sql_left_ms(c);
    snprintf(timeout, sizeof timeout, "SET LOCAL statement_timeout = %" PRId64,
             left > 0 ? left + 1 : 1);
    return run(use, may_write ? "BEGIN" : "BEGIN READ ONLY", false, false, true) &&
           run(use, timeout, false, false, true);
}

static bool check_word(struct sql_call *c, const char *const *words, const char *instead)
{
    struct str word = mgi_sql_first_word(c->sql);
    return mgi_sql_is_word(word, words) ||
           mgi_action_fail(c->a, "sql: %.*s is not run by this action; %s", STR_ARG(word), instead);
}

static const char *const reading[] = { "SELECT", "WITH", "VALUES", "TABLE", "SHOW", NULL };
static const char *const changing[] = { "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", NULL };
static const char *const defining[] = { "INSERT", "UPDATE", "DELETE",  "MERGE",    "WITH", "CREATE",
                                        "ALTER",  "DROP",   "COMMENT", "TRUNCATE", NULL };

static bool postgres_query(struct sql_call *c)
{
    struct postgres_use use;
    if (!check_word(c, reading, "it begins with SELECT, WITH, VALUES, TABLE or SHOW"))
        return false;
    bool ok = mgi_postgres_begin(&use, c, false) && run(&use, c->sql.ptr, true, true, false);
    mgi_pq.PQfinish(use.connection); /* what was begun ends with it */
    return ok;
}

/* The answer is written before the commit: what is done is not to be lost for want of memory. */
static bool finish_changes(struct postgres_use *use)
{
    struct sql_call *c = use->c;
    char *end;
    long long changes = strtoll(use->changes, &end, 10);
    if (c->max_changes >= 0 && changes > c->max_changes)
        return mgi_action_fail(c->a,
                               "%lld rows would change, more than max_changes %lld; nothing was "
                               "changed",
                               changes, (long long)c->max_changes);
    if (strncmp(use->command, "SELECT", 6) == 0)
        return mgi_action_fail(c->a, "sql: changes nothing; there is an action that reads");
    if (mgi_sql_stops(c))
        return false;
    mgi_jw_member_int(&c->a->out, "changes", changes);
    mgi_jw_member_bool(&c->a->out, "committed", !c->dry_run);
    if (!mgi_buf_reserve(&c->a->answer, 16))
        return mgi_action_nomem(c->a);
    if (!run(use, c->dry_run ? "ROLLBACK" : "COMMIT", false, false, true))
        return mgi_action_fail(c->a, "whether it was committed is not known");
    return c->dry_run || strcmp(use->command, "COMMIT") == 0 ||
           mgi_action_fail(c->a, "the server did not commit: %s", use->command);
}

static bool postgres_execute(struct sql_call *c)
{
    struct postgres_use use;
    bool all = mgi_sql_settings(c->a)->may_change_schema;
    if (!check_word(
            c, all ? defining : changing,
            all ? "it begins with INSERT, UPDATE, DELETE, MERGE, WITH, CREATE, ALTER, DROP, "
                  "COMMENT or TRUNCATE"
                : "it begins with INSERT, UPDATE, DELETE, MERGE or WITH"))
        return false;
    bool ok = mgi_postgres_begin(&use, c, true) && run(&use, c->sql.ptr, true, true, true) &&
              finish_changes(&use);
    mgi_pq.PQfinish(use.connection);
    return ok;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static bool postgres_explain(struct sql_call *c)
{
    static const char *const known[] = { "SELECT", "WITH",   "VALUES", "TABLE", "INSERT",
                                         "UPDATE", "DELETE", "MERGE",  NULL };
    struct postgres_use use;
    if (!check_word(c, known, "only what reads or changes rows has a plan"))
        return false;
    char *sql = mgi_arena_printf(&c->a->arena, "EXPLAIN (FORMAT JSON) %s", c->sql.ptr);
    if (!sql)
        return mgi_action_nomem(c->a);
    bool ok = mgi_postgres_begin(&use, c, false) && mgi_postgres_send(&use, sql, true);
    for (PGresult *r; ok && (r = mgi_postgres_next(&use, &ok)) != NULL;) {
        if (mgi_pq.PQresultStatus(r) == PGRES_TUPLES_OK) {
            struct str text = { mgi_pq.PQgetvalue(r, 0, 0), (size_t)mgi_pq.PQgetlength(r, 0, 0) };
            struct json plan;
            ok = mgi_json_parse(&c->a->arena, text, NULL, &plan, NULL) == JSON_OK ||
                 mgi_action_fail(c->a, "the plan cannot be read");
            if (ok) {
                mgi_jw_key(&c->a->out, "plan");
                mgi_jw_value(&c->a->out, &plan);
            }
        } else {
            ok = mgi_postgres_fail(&use, r);
        }
        mgi_pq.PQclear(r);
    }
    if (!ok && use.connection)
        mgi_postgres_stop(&use);
    mgi_pq.PQfinish(use.connection);
    return ok;
}

const struct sql_driver mgi_postgres_driver = {
    .query = postgres_query,
    .execute = postgres_execute,
    .explain = postgres_explain,
    .schema = mgi_postgres_schema,
};
