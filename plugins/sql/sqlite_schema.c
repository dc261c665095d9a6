/* What an SQLite file has: tables and views with columns, keys and indexes. Asked through the
 * pragmas that are tables, with names bound, so that no name is ever part of a statement. */
#include "plugins/sql/sqlite_int.h"

#define TAIL_BYTES 20000

static const char *text(sqlite3_stmt *s, int column)
{
    const unsigned char *t = sqlite3_column_text(s, column);
    return t ? (const char *)t : "";
}

static bool run(struct sqlite_use *use, sqlite3_stmt **s, const char *sql, const char *name)
{
    if (sqlite3_prepare_v2(use->db, sql, -1, s, NULL) != SQLITE_OK)
        return mgi_sqlite_fail(use);
    return !name || sqlite3_bind_text(*s, 1, name, -1, SQLITE_TRANSIENT) == SQLITE_OK ||
           mgi_sqlite_fail(use);
}

/* The rows of `sql` about `name`, each written by `put`. */
static bool put_list(struct sqlite_use *use, const char *member, const char *sql, const char *name,
                     bool (*put)(struct sqlite_use *use, sqlite3_stmt *s))
{
    struct json_writer *out = &use->c->a->out;
    sqlite3_stmt *s = NULL;
    int code = SQLITE_ERROR;
    bool ok = run(use, &s, sql, name);
    mgi_jw_key_str(out, str_of(member));
    mgi_jw_begin_array(out);
    while (ok && (code = sqlite3_step(s)) == SQLITE_ROW)
        ok = put(use, s);
    mgi_jw_end_array(out);
    ok = ok && (code == SQLITE_DONE || mgi_sqlite_fail(use));
    sqlite3_finalize(s);
    return ok;
}

static bool put_column(struct sqlite_use *use, sqlite3_stmt *s)
{
    struct json_writer *out = &use->c->a->out;
    mgi_jw_begin_object(out);
    mgi_jw_member_cstr(out, "name", text(s, 0));
    mgi_jw_member_cstr(out, "type", text(s, 1));
    mgi_jw_member_bool(out, "nullable", sqlite3_column_int(s, 2) == 0);
    if (sqlite3_column_type(s, 3) != SQLITE_NULL)
        mgi_jw_member_cstr(out, "default", text(s, 3));
    mgi_jw_end_object(out);
    return true;
}

static bool put_name(struct sqlite_use *use, sqlite3_stmt *s)
{
    mgi_jw_cstring(&use->c->a->out, text(s, 0));
    return true;
}

/* One column of a key: SQLite tells them one by one. */
static bool put_foreign_key(struct sqlite_use *use, sqlite3_stmt *s)
{
    struct json_writer *out = &use->c->a->out;
    mgi_jw_begin_object(out);
    mgi_jw_member_int(out, "key", sqlite3_column_int64(s, 0));
    mgi_jw_member_cstr(out, "column", text(s, 2));
    mgi_jw_member_cstr(out, "table", text(s, 1));
    mgi_jw_member_cstr(out, "references", text(s, 3));
    mgi_jw_end_object(out);
    return true;
}

static bool put_index(struct sqlite_use *use, sqlite3_stmt *s)
{
    struct json_writer *out = &use->c->a->out;
    mgi_jw_begin_object(out);
    mgi_jw_member_cstr(out, "name", text(s, 0));
    mgi_jw_member_bool(out, "unique", sqlite3_column_int(s, 1) != 0);
    bool ok = put_list(use, "columns",
                       "SELECT coalesce(name, '(expression)') FROM pragma_index_info(?1) ORDER BY "
                       "seqno",
                       text(s, 0), put_name);
    mgi_jw_end_object(out);
    return ok;
}

/* Why a view has no columns: it speaks of what is not there any more, or of itself. NULL: it has.
 */
static const char *view_fault(struct sqlite_use *use, const char *name)
{
    sqlite3_stmt *s = NULL;
    const char *fault = NULL;
    if (run(use, &s, "SELECT count(*) FROM pragma_table_xinfo(?1)", name) &&
        sqlite3_step(s) != SQLITE_ROW && sqlite3_errcode(use->db) == SQLITE_ERROR)
        fault = mgi_arena_strdup(&use->c->a->arena, sqlite3_errmsg(use->db));
    sqlite3_finalize(s);
    return fault;
}

/* One such view does not keep the rest from being told. */
static bool put_broken_view(struct sqlite_use *use, const char *name, const char *fault)
{
    static const char *const lists[] = { "columns", "primary_key", "foreign_keys", "indexes" };
    struct json_writer *out = &use->c->a->out;
    mgi_jw_begin_object(out);
    mgi_jw_member_cstr(out, "schema", "main");
    mgi_jw_member_cstr(out, "name", name);
    mgi_jw_member_cstr(out, "type", "view");
    mgi_jw_member_cstr(out, "fault", fault);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        mgi_jw_key_str(out, str_of(lists[i]));
        mgi_jw_begin_array(out);
        mgi_jw_end_array(out);
    }
    mgi_jw_end_object(out);
    return true;
}

static bool put_table(struct sqlite_use *use, const char *name, const char *type)
{
    struct json_writer *out = &use->c->a->out;
    const char *fault = strcmp(type, "view") == 0 ? view_fault(use, name) : NULL;
    if (use->c->a->faults > 0 || fault)
        return fault && put_broken_view(use, name, fault);
    mgi_jw_begin_object(out);
    mgi_jw_member_cstr(out, "schema", "main");
    mgi_jw_member_cstr(out, "name", name);
    mgi_jw_member_cstr(out, "type", type);
    bool ok =
        put_list(
            use, "columns",
            "SELECT name, type, \"notnull\", dflt_value FROM pragma_table_xinfo(?1) WHERE hidden "
            "<> 1 ORDER BY cid",
            name, put_column) &&
        put_list(use, "primary_key",
                 "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", name,
                 put_name) &&
        put_list(
            use, "foreign_keys",
            "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, "
            "seq",
            name, put_foreign_key) &&
        put_list(use, "indexes", "SELECT name, \"unique\" FROM pragma_index_list(?1) ORDER BY name",
                 name, put_index);
    mgi_jw_end_object(out);
    return ok;
}

static bool put_tables(struct sqlite_use *use, const char *table, int64_t limit)
{
    struct sql_call *c = use->c;
    sqlite3_stmt *s = NULL;
    int64_t count = 0;
    int code = SQLITE_ERROR;
    bool ok =
        run(use, &s,
            "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND "
            "substr(name, 1, 7) <> 'sqlite_' AND (?1 IS NULL OR name = ?1 COLLATE NOCASE) ORDER "
            "BY name",
            table);
    mgi_jw_key(&c->a->out, "tables");
    mgi_jw_begin_array(&c->a->out);
    while (ok && (code = sqlite3_step(s)) == SQLITE_ROW) {
        if (count >= limit || mgi_action_room(c->a) < TAIL_BYTES) {
            c->truncated = true;
            code = SQLITE_DONE;
            break;
        }
        ok = put_table(use, text(s, 0), text(s, 1)) && !mgi_sql_stops(c);
        count++;
    }
    mgi_jw_end_array(&c->a->out);
    ok = ok && (code == SQLITE_DONE || mgi_sqlite_fail(use));
    sqlite3_finalize(s);
    if (ok && table && count == 0)
        return mgi_action_fail(c->a, "table: there is no \"%s\"", table);
    mgi_jw_member_bool(&c->a->out, "truncated", c->truncated);
    return ok;
}

bool mgi_sqlite_schema(struct sql_call *c, struct str table, int64_t limit)
{
    struct sqlite_use use;
    bool ok = mgi_sqlite_open(&use, c, false) && put_tables(&use, table.ptr, limit);
    mgi_sqlite_close(&use);
    return ok;
}
