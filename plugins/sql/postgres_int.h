/* What the files about PostgreSQL share. */
#ifndef PLUGINS_SQL_POSTGRES_INT_H
#define PLUGINS_SQL_POSTGRES_INT_H

#include "plugins/sql/pq_late.h"
#include "plugins/sql/sql_plugin.h"

extern struct pq_late mgi_pq; /* filled once, in init */

/* A connection for one call. */
struct postgres_use {
    struct sql_call *c;
    PGconn *connection;
    bool named_columns; /* "columns" is written */
    char changes[32];   /* as the server says */
    char command[64];
};

/* Connect and begin a transaction. False: the call failed; PQfinish(use->connection) in either
 * case. */
bool mgi_postgres_begin(struct postgres_use *use, struct sql_call *c, bool may_write);
/* Send a statement, with the call's parameters or without. */
bool mgi_postgres_send(struct postgres_use *use, const char *sql, bool with_params);
/* The next result, NULL at the end; *ok false: the call has failed. */
PGresult *mgi_postgres_next(struct postgres_use *use, bool *ok);
/* Ask the server to stop, and wait a moment for it to say that it has. */
void mgi_postgres_stop(struct postgres_use *use);
/* Always false: what the server says. */
bool mgi_postgres_fail(struct postgres_use *use, const PGresult *r);

/* postgres_values.c */
void mgi_postgres_columns(struct postgres_use *use, const PGresult *r);
void mgi_postgres_row(struct postgres_use *use, const PGresult *r);

/* postgres_schema.c */
bool mgi_postgres_schema(struct sql_call *c, struct str table, int64_t limit);

#endif
