/* Rows of PostgreSQL as JSON. Values come as text, by their type: numbers as the server spells
 * them. */
#include "plugins/sql/postgres_int.h"

#include <stdio.h>

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

void mgi_postgres_columns(struct postgres_use *use, const PGresult *r)
{
    struct json_writer *out = &use->c->a->out;
    mgi_jw_key(out, "columns");
    mgi_jw_begin_array(out);
    for (int i = 0; r && i < mgi_pq.PQnfields(r); i++) {
        char other[32];
        Oid oid = mgi_pq.PQftype(r, i);
        snprintf(other, sizeof other, "oid %u", oid);
        const char *name = other;
        for (size_t k = 0; k < sizeof type_names / sizeof *type_names; k++)
            if (type_names[k].oid == oid)
                name = type_names[k].name;
        mgi_sql_put_column(use->c, mgi_pq.PQfname(r, i), name);
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
    struct str text = { mgi_pq.PQgetvalue(r, 0, column), (size_t)mgi_pq.PQgetlength(r, 0, column) };
    if (mgi_pq.PQgetisnull(r, 0, column)) {
        mgi_jw_null(&a->out);
        return;
    }
    switch (mgi_pq.PQftype(r, column)) {
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

void mgi_postgres_row(struct postgres_use *use, const PGresult *r)
{
    struct arena_mark mark = mgi_arena_mark(&use->c->a->arena);
    for (int i = 0; i < mgi_pq.PQnfields(r); i++)
        put_cell(use, r, i);
    mgi_sql_row_end(use->c);
    mgi_arena_rewind(&use->c->a->arena, mark);
}
