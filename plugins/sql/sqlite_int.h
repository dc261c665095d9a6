/* What the files about SQLite share. */
#ifndef PLUGINS_SQL_SQLITE_INT_H
#define PLUGINS_SQL_SQLITE_INT_H

#include <sqlite3.h>

#include "plugins/sql/sql_plugin.h"

/* A connection for one call. */
struct sqlite_use {
    struct sql_call *c;
    sqlite3 *db;
    sqlite3_stmt *statement;
    bool may_write, may_change_schema;
};

/* False: the call failed. mgi_sqlite_close() in either case. */
bool mgi_sqlite_open(struct sqlite_use *use, struct sql_call *c, bool may_write);
void mgi_sqlite_close(struct sqlite_use *use);
/* use->statement, of one statement, under the authorizer. */
bool mgi_sqlite_prepare(struct sqlite_use *use, const char *sql);
bool mgi_sqlite_bind(struct sqlite_use *use);
/* Always false: what SQLite says. */
bool mgi_sqlite_fail(struct sqlite_use *use);

bool mgi_sqlite_schema(struct sql_call *c, struct str table, int64_t limit);

#endif
