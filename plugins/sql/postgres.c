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

#include "base/utf8.h"
#include "plugins/sql/pq_late.h"

#define NO_FILE        "/dev/null/none" /* a password comes from the environment, or not at all */
#define WAIT_MS        25               /* between two looks at the cancel flag */
#define CANCEL_WAIT_MS 1000             /* for the server to end what was cancelled */

static struct pq_late pq; /* filled once, in init */

struct postgres_use {
    struct sql_call *c;
    PGconn *connection;
    bool named_columns; /* "columns" is written */
    char changes[32];   /* as the server says */
    char command[64];
};

bool mgi_postgres_load(struct buf *why)
{
    return pq.PQfinish || mgi_pq_late_open(&pq, why);
}

const char *mgi_postgres_address_fault(const char *address)
{
    char *error = NULL;
    const char *fault = NULL;
    PQconninfoOption *options = pq.PQconninfoParse(address, &error);
    if (error)
        pq.PQfreemem(error); /* not told: it could hold a password */
    if (!options)
        return "is no address that libpq understands: postgresql://user@host:port/name";
    for (PQconninfoOption *o = options; o->keyword; o++)
        if (o->val && strcmp(o->keyword, "password") == 0)
            fault = "has a password in it; say the name of an environment variable as password_env";
    pq.PQconninfoFree(options);
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
    struct str text = one_line(use->connection ? pq.PQerrorMessage(use->connection) : "");
    return text.len ? mgi_action_fail(use->c->a, "%.*s", STR_ARG(text))
                    : mgi_action_nomem(use->c->a);
}

/* What the server says, with its code and, if it knows, where. */
static bool fail_result(struct postgres_use *use, const PGresult *r)
{
    if (use->c->a->stopped)
        return false;
    struct str text = one_line(pq.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY));
    const char *code = pq.PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *where = pq.PQresultErrorField(r, PG_DIAG_STATEMENT_POSITION);
    const char *hint = pq.PQresultErrorField(r, PG_DIAG_MESSAGE_HINT);
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
        struct pollfd p = { .fd = pq.PQsocket(use->connection), .events = events };
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
    use->connection = pq.PQconnectStartParams(names, values, 1);
    if (!use->connection || pq.PQstatus(use->connection) == CONNECTION_BAD)
        return fail_connection(use);
    pq.PQsetNoticeProcessor(use->connection, ignore_notice, NULL);
    for (PostgresPollingStatusType next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;
         next = pq.PQconnectPoll(use->connection)) {
        if (next == PGRES_POLLING_FAILED)
            return fail_connection(use);
        if (!wait_socket(use, next == PGRES_POLLING_READING ? POLLIN : POLLOUT))
            return false;
    }
    return pq.PQsetnonblocking(use->connection, 1) == 0 || fail_connection(use);
}

/* Ask the server to stop, and wait a moment for it to say that it has. */
static void stop_server(struct postgres_use *use)
{
    char why[128];
    PGcancel *cancel = pq.PQgetCancel(use->connection);
    if (cancel)
        pq.PQcancel(cancel, why, sizeof why);
    pq.PQfreeCancel(cancel);
    for (int waited = 0; waited < CANCEL_WAIT_MS; waited += WAIT_MS) {
        while (!pq.PQisBusy(use->connection)) {
            PGresult *r = pq.PQgetResult(use->connection);
            if (!r)
                return;
            pq.PQclear(r);
        }
        struct pollfd p = { .fd = pq.PQsocket(use->connection), .events = POLLIN };
        if (poll(&p, 1, WAIT_MS) > 0 && !pq.PQconsumeInput(use->connection))
            return;
    }
}

/* The next result, NULL at the end; *ok false: the call has failed. */
static PGresult *next_result(struct postgres_use *use, bool *ok)
{
    for (int more; (more = pq.PQflush(use->connection)) != 0;) {
        *ok = more > 0 ? wait_socket(use, POLLIN | POLLOUT) : fail_connection(use);
        if (*ok && !pq.PQconsumeInput(use->connection))
            *ok = fail_connection(use);
        if (!*ok)
            return NULL;
    }
    while (pq.PQisBusy(use->connection)) {
        *ok = wait_socket(use, POLLIN);
        if (*ok && !pq.PQconsumeInput(use->connection))
            *ok = fail_connection(use);
        if (!*ok)
            return NULL;
    }
    return pq.PQgetResult(use->connection);
}

/* ---- values --------------------------------------------------------------------------------- */

enum oid {
    OID_BOOL = 16,
    OID_BYTEA = 17,
    OID_INT8 = 20,
    OID_INT2 = 21,
    OID_INT4 = 23,
    OID_OID = 26,
    OID_JSON = 114,
    OID_FLOAT4 = 700,
    OID_FLOAT8 = 701,
    OID_NUMERIC = 1700,
    OID_JSONB = 3802
};

static const struct {
    Oid oid;
    const char *name;
} type_names[] = {
    { OID_BOOL, "boolean" },
    { OID_BYTEA, "bytea" },
    { 18, "\"char\"" },
    { 19, "name" },
    { OID_INT8, "bigint" },
    { OID_INT2, "smallint" },
    { OID_INT4, "integer" },
    { 25, "text" },
    { OID_OID, "oid" },
    { OID_JSON, "json" },
    { 142, "xml" },
    { OID_FLOAT4, "real" },
    { OID_FLOAT8, "double precision" },
    { 705, "unknown" },
    { 790, "money" },
    { 869, "inet" },
    { 1000, "boolean[]" },
    { 1005, "smallint[]" },
    { 1007, "integer[]" },
    { 1009, "text[]" },
    { 1015, "character varying[]" },
    { 1016, "bigint[]" },
    { 1022, "double precision[]" },
    { 1042, "character" },
    { 1043, "character varying" },
    { 1082, "date" },
    { 1083, "time without time zone" },
    { 1114, "timestamp without time zone" },
    { 1184, "timestamp with time zone" },
    { 1186, "interval" },
    { 1231, "numeric[]" },
    { 1266, "time with time zone" },
    { OID_NUMERIC, "numeric" },
    { 2205, "regclass" },
    { 2950, "uuid" },
    { OID_JSONB, "jsonb" },
    { 3807, "jsonb[]" },
};

static void put_columns(struct postgres_use *use, const PGresult *r)
{
    struct json_writer *out = &use->c->a->out;
    mgi_jw_key(out, "columns");
    mgi_jw_begin_array(out);
    for (int i = 0; r && i < pq.PQnfields(r); i++) {
        char other[32];
        Oid oid = pq.PQftype(r, i);
        snprintf(other, sizeof other, "oid %u", oid);
        const char *name = other;
        for (size_t k = 0; k < sizeof type_names / sizeof *type_names; k++)
            if (type_names[k].oid == oid)
                name = type_names[k].name;
        mgi_sql_put_column(use->c, pq.PQfname(r, i), name);
    }
    mgi_jw_end_array(out);
    mgi_sql_rows_begin(use->c);
    use->named_columns = true;
}

static bool is_json(struct action *a, struct str text, bool number)
{
    struct json v;
    struct arena_mark mark = mgi_arena_mark(&a->arena);
    bool ok = mgi_json_parse(&a->arena, text, NULL, &v, NULL) == JSON_OK;
    bool is_number = ok && (v.type == JSON_INT || v.type == JSON_FLOAT || v.type == JSON_HUGE);
    mgi_arena_rewind(&a->arena, mark);
    return ok && (!number || is_number);
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "\x0aff", which is how bytes come as text. */
static void put_bytes(struct postgres_use *use, struct str text)
{
    char *bytes = mgi_arena_alloc(&use->c->a->arena, text.len / 2 + 1);
    size_t len = 0;
    for (size_t i = 2; bytes && i + 1 < text.len; i += 2)
        bytes[len++] = (char)(hex_value(text.ptr[i]) << 4 | hex_value(text.ptr[i + 1]));
    if (bytes)
        mgi_sql_put_blob(use->c, (struct str){ bytes, len });
    else
        mgi_jw_null(&use->c->a->out);
}

static void put_cell(struct postgres_use *use, const PGresult *r, int column)
{
    struct action *a = use->c->a;
    struct str text = { pq.PQgetvalue(r, 0, column), (size_t)pq.PQgetlength(r, 0, column) };
    if (pq.PQgetisnull(r, 0, column)) {
        mgi_jw_null(&a->out);
        return;
    }
    switch (pq.PQftype(r, column)) {
    case OID_BOOL:
        mgi_jw_bool(&a->out, text.ptr[0] == 't');
        return;
    case OID_INT2:
    case OID_INT4:
    case OID_INT8:
    case OID_OID:
    case OID_FLOAT4:
    case OID_FLOAT8:
    case OID_NUMERIC: /* as the server spells it: nothing is rounded */
        if (text.len <= (size_t)use->c->max_value_bytes && is_json(a, text, true))
            mgi_jw_raw(&a->out, text);
        else
            mgi_sql_put_text(use->c, text);
        return;
    case OID_JSON:
    case OID_JSONB:
        if (text.len <= (size_t)use->c->max_value_bytes && text.len < mgi_action_room(a) / 2 &&
            !memchr(text.ptr, '\n', text.len) && is_json(a, text, false))
            mgi_jw_raw(&a->out, text);
        else
            mgi_sql_put_text(use->c, text);
        return;
    case OID_BYTEA:
        put_bytes(use, text);
        return;
    default:
        mgi_sql_put_text(use->c, text);
    }
}

static void put_row(struct postgres_use *use, const PGresult *r)
{
    struct arena_mark mark = mgi_arena_mark(&use->c->a->arena);
    for (int i = 0; i < pq.PQnfields(r); i++)
        put_cell(use, r, i);
    mgi_sql_row_end(use->c);
    mgi_arena_rewind(&use->c->a->arena, mark);
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
static bool send(struct postgres_use *use, const char *sql, bool with_params)
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
    return pq.PQsendQueryParams(use->connection, sql, (int)count, NULL, values, lengths, formats,
                                0) == 1 ||
           fail_connection(use);
}

static void remember(struct postgres_use *use, PGresult *r)
{
    snprintf(use->changes, sizeof use->changes, "%s", pq.PQcmdTuples(r));
    snprintf(use->command, sizeof use->command, "%s", pq.PQcmdStatus(r));
}

/* One result. False: the call has failed, or no row more is wanted (*enough). */
static bool take_result(struct postgres_use *use, PGresult *r, bool rows, bool to_the_end,
                        bool *enough)
{
    switch (pq.PQresultStatus(r)) {
    case PGRES_SINGLE_TUPLE:
        if (!rows)
            return true;
        if (!use->named_columns)
            put_columns(use, r);
        if (mgi_sql_row_begin(use->c))
            put_row(use, r);
        else
            *enough = !to_the_end;
        return !*enough;
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        if (rows && !use->named_columns)
            put_columns(use, r);
        remember(use, r);
        return true;
    default:
        return fail_result(use, r);
    }
}

/* Run it, and write its rows if they are wanted. `to_the_end`: what changes something is not
 * stopped for having too many rows to show. */
static bool run(struct postgres_use *use, const char *sql, bool with_params, bool rows,
                bool to_the_end)
{
    bool ok = send(use, sql, with_params), enough = false;
    if (!ok)
        return false;
    pq.PQsetSingleRowMode(use->connection);
    for (PGresult *r; ok && (r = next_result(use, &ok)) != NULL;) {
        ok = take_result(use, r, rows, to_the_end, &enough) && !mgi_sql_stops(use->c);
        pq.PQclear(r);
    }
    if (!ok)
        stop_server(use);
    if (rows && use->named_columns && (ok || enough))
        mgi_sql_rows_end(use->c);
    return ok || (enough && use->c->a->faults == 0);
}

static bool begin(struct postgres_use *use, struct sql_call *c, bool may_write)
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
    bool ok = begin(&use, c, false) && run(&use, c->sql.ptr, true, true, false);
    pq.PQfinish(use.connection); /* what was begun ends with it */
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
    bool ok =
        begin(&use, c, true) && run(&use, c->sql.ptr, true, true, true) && finish_changes(&use);
    pq.PQfinish(use.connection);
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
    bool ok = begin(&use, c, false) && send(&use, sql, true);
    for (PGresult *r; ok && (r = next_result(&use, &ok)) != NULL;) {
        if (pq.PQresultStatus(r) == PGRES_TUPLES_OK) {
            struct str text = { pq.PQgetvalue(r, 0, 0), (size_t)pq.PQgetlength(r, 0, 0) };
            struct json plan;
            ok = mgi_json_parse(&c->a->arena, text, NULL, &plan, NULL) == JSON_OK ||
                 mgi_action_fail(c->a, "the plan cannot be read");
            if (ok) {
                mgi_jw_key(&c->a->out, "plan");
                mgi_jw_value(&c->a->out, &plan);
            }
        } else {
            ok = fail_result(&use, r);
        }
        pq.PQclear(r);
    }
    if (!ok && use.connection)
        stop_server(&use);
    pq.PQfinish(use.connection);
    return ok;
}

/* ---- schema --------------------------------------------------------------------------------- */

/* The server makes the answer: one JSON text, cut by the number of tables. */
static const char schema_sql[] =
    "WITH t AS (SELECT c.oid, n.nspname, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n "
    "ON "
    "n.oid = c.relnamespace WHERE c.relkind IN ('r','p','v','m','f') AND n.nspname NOT IN "
    "('pg_catalog','information_schema') AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT "
    "LIKE "
    "'pg\\_temp%' AND ($1::text IS NULL OR c.relname = $1 OR n.nspname || '.' || c.relname = $1) "
    "ORDER BY n.nspname, c.relname LIMIT $2::bigint) "
    "SELECT json_build_object('schema', nspname, 'name', relname, 'type', CASE relkind WHEN 'v' "
    "THEN "
    "'view' WHEN 'm' THEN 'view' ELSE 'table' END, 'columns', (SELECT "
    "coalesce(json_agg(json_strip_nulls(json_build_object('name', a.attname, 'type', "
    "format_type(a.atttypid, a.atttypmod), 'nullable', NOT a.attnotnull, 'default', "
    "pg_get_expr(d.adbin, d.adrelid))) ORDER BY a.attnum), '[]') FROM pg_attribute a LEFT JOIN "
    "pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = t.oid AND "
    "a.attnum > 0 AND NOT a.attisdropped), 'primary_key', (SELECT coalesce(json_agg(a.attname "
    "ORDER BY "
    "k.n), '[]') FROM pg_constraint p, unnest(p.conkey) WITH ORDINALITY k(num, n), pg_attribute a "
    "WHERE "
    "p.conrelid = t.oid AND p.contype = 'p' AND a.attrelid = t.oid AND a.attnum = k.num), "
    "'foreign_keys', (SELECT coalesce(json_agg(json_build_object('key', p.conname, 'column', "
    "a.attname, "
    "'table', p.confrelid::regclass::text, 'references', b.attname) ORDER BY p.conname, k.n), "
    "'[]') FROM "
    "pg_constraint p, unnest(p.conkey, p.confkey) WITH ORDINALITY k(num, other, n), pg_attribute "
    "a, "
    "pg_attribute b WHERE p.conrelid = t.oid AND p.contype = 'f' AND a.attrelid = t.oid AND "
    "a.attnum = "
    "k.num AND b.attrelid = p.confrelid AND b.attnum = k.other), 'indexes', (SELECT "
    "coalesce(json_agg(json_build_object('name', i.relname, 'unique', x.indisunique, 'columns', "
    "(SELECT "
    "json_agg(pg_get_indexdef(x.indexrelid, g, true) ORDER BY g) FROM generate_series(1, "
    "x.indnkeyatts) "
    "g)) ORDER BY i.relname), '[]') FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE "
    "x.indrelid = t.oid)) FROM t";

static bool put_table(struct postgres_use *use, const PGresult *r, int64_t *count, int64_t limit)
{
    struct sql_call *c = use->c;
    struct str text = { pq.PQgetvalue(r, 0, 0), (size_t)pq.PQgetlength(r, 0, 0) };
    struct json table;
    if (*count >= limit || mgi_action_room(c->a) < text.len + 20000) {
        c->truncated = true;
        return true;
    }
    if (mgi_json_parse(&c->a->arena, text, NULL, &table, NULL) != JSON_OK)
        return mgi_action_fail(c->a, "the schema cannot be read");
    ++*count;
    mgi_jw_value(&c->a->out, &table);
    return true;
}

static bool put_tables(struct postgres_use *use, int64_t limit)
{
    struct sql_call *c = use->c;
    int64_t count = 0;
    bool ok = send(use, schema_sql, true);
    if (ok)
        pq.PQsetSingleRowMode(use->connection);
    mgi_jw_key(&c->a->out, "tables");
    mgi_jw_begin_array(&c->a->out);
    for (PGresult *r; ok && (r = next_result(use, &ok)) != NULL;) {
        if (pq.PQresultStatus(r) == PGRES_SINGLE_TUPLE)
            ok = put_table(use, r, &count, limit);
        else if (pq.PQresultStatus(r) != PGRES_TUPLES_OK)
            ok = fail_result(use, r);
        pq.PQclear(r);
    }
    if (!ok)
        stop_server(use);
    mgi_jw_end_array(&c->a->out);
    mgi_jw_member_bool(&c->a->out, "truncated", c->truncated);
    if (ok && c->params[0].kind == SQL_TEXT && count == 0)
        return mgi_action_fail(c->a, "table: there is no \"%.*s\"", STR_ARG(c->params[0].text));
    return ok;
}

static bool postgres_schema(struct sql_call *c, struct str table, int64_t limit)
{
    struct postgres_use use;
    struct sql_param params[2] = { { .kind = SQL_NULL, .text = { "", 0 } }, { .kind = SQL_INT } };
    char most[24];
    snprintf(most, sizeof most, "%" PRId64, limit + 1);
    if (table.ptr)
        params[0] = (struct sql_param){ .kind = SQL_TEXT, .text = table };
    params[1].text = str_of(most);
    c->params = params;
    c->param_count = 2;
    bool ok = begin(&use, c, false) && put_tables(&use, limit);
    pq.PQfinish(use.connection);
    return ok;
}

const struct sql_driver mgi_postgres_driver = {
    .query = postgres_query,
    .execute = postgres_execute,
    .explain = postgres_explain,
    .schema = postgres_schema,
};
