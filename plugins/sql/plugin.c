/* The sql plugin's door: its settings and its actions. */
#include "plugins/sql/sql_plugin.h"

static struct sql_settings sql; /* written by init alone */

static bool is_postgres(const char *database)
{
    return strncmp(database, "postgresql://", 13) == 0 || strncmp(database, "postgres://", 11) == 0;
}

static void choose_driver(struct action *settings)
{
    struct buf why;
    if (!is_postgres(sql.database)) {
        sql.driver = &mgi_sqlite_driver;
        if (sql.database[0] != '/')
            mgi_action_fail(settings, "database: is neither an absolute path nor postgresql://...");
        if (sql.password_env[0])
            mgi_action_fail(settings, "password_env: an SQLite file has no password");
        return;
    }
    sql.driver = &mgi_postgres_driver;
    mgi_buf_init(&why);
    if (!mgi_postgres_load(&why))
        mgi_action_fail(settings, "database: %.*s", STR_ARG(mgi_buf_view(&why)));
    else if (mgi_postgres_address_fault(sql.database))
        mgi_action_fail(settings, "database: %s", mgi_postgres_address_fault(sql.database));
    mgi_buf_fini(&why);
}

/* A text with a NUL behind it. */
static void copy_text(struct action *settings, const char *name, char *out, size_t size)
{
    struct str text;
    if (!mgi_arg_text(settings, name, size - 1, &text))
        return;
    if (memchr(text.ptr, '\0', text.len))
        mgi_action_fail(settings, "%s: has a NUL in it", name);
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
}

static bool configure(struct action *settings, bool *may_write)
{
    static const char *const known[] = { "database",       "password_env", "write", "max_rows",
                                         "schema_changes", "timeout_ms",   NULL };
    sql = (struct sql_settings){ .max_rows = SQL_ROWS_DEFAULT, .timeout_ms = SQL_TIMEOUT_DEFAULT };
    mgi_arg_known(settings, known);
    if (mgi_arg_need(settings, "database"))
        copy_text(settings, "database", sql.database, sizeof sql.database);
    copy_text(settings, "password_env", sql.password_env, sizeof sql.password_env);
    mgi_arg_bool(settings, "write", &sql.may_write);
    mgi_arg_bool(settings, "schema_changes", &sql.may_change_schema);
    mgi_arg_int(settings, "max_rows", 1, SQL_ROWS_MOST, &sql.max_rows);
    mgi_arg_int(settings, "timeout_ms", 1, 86400000, &sql.timeout_ms);
    if (sql.may_change_schema && !sql.may_write)
        mgi_action_fail(settings, "schema_changes: needs \"write\": true");
    if (sql.database[0])
        choose_driver(settings);
    *may_write = sql.may_write;
    return settings->faults == 0;
}

static const struct action_row rows[] = {
    { "query", mgi_sql_query, false },
    { "schema", mgi_sql_schema, false },
    { "explain", mgi_sql_explain, false },
    { "execute", mgi_sql_execute, true },
};

static const struct action_plugin plugin = {
    .rows = rows, .count = sizeof rows / sizeof *rows, .configure = configure, .settings = &sql
};

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* Asked before the settings are known, so it speaks for every database and for `write`. */
uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_FILE_READ | TH_CAP_FILE_WRITE | TH_CAP_NETWORK;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    return mgi_plugin_init(host, reg, &plugin);
}
