/* What a database of PostgreSQL has: tables and views with columns, keys and indexes. */
#include "plugins/sql/postgres_int.h"

#include <inttypes.h>
#include <stdio.h>

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
    struct str text = { mgi_pq.PQgetvalue(r, 0, 0), (size_t)mgi_pq.PQgetlength(r, 0, 0) };
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
    bool ok = mgi_postgres_send(use, schema_sql, true);
    if (ok)
        mgi_pq.PQsetSingleRowMode(use->connection);
    mgi_jw_key(&c->a->out, "tables");
    mgi_jw_begin_array(&c->a->out);
    for (PGresult *r; ok && (r = mgi_postgres_next(use, &ok)) != NULL;) {
        if (mgi_pq.PQresultStatus(r) == PGRES_SINGLE_TUPLE)
            ok = put_table(use, r, &count, limit);
        else if (mgi_pq.PQresultStatus(r) != PGRES_TUPLES_OK)
            ok = mgi_postgres_fail(use, r);
        mgi_pq.PQclear(r);
    }
    if (!ok)
        mgi_postgres_stop(use);
    mgi_jw_end_array(&c->a->out);
    mgi_jw_member_bool(&c->a->out, "truncated", c->truncated);
    if (ok && c->params[0].kind == SQL_TEXT && count == 0)
        return mgi_action_fail(c->a, "table: there is no \"%.*s\"", STR_ARG(c->params[0].text));
    return ok;
}

bool mgi_postgres_schema(struct sql_call *c, struct str table, int64_t limit)
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
    bool ok = mgi_postgres_begin(&use, c, false) && put_tables(&use, limit);
    mgi_pq.PQfinish(use.connection);
    return ok;
}
