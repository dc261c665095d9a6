/* The sql plugin: one database, asked with statements that have parameters.
 *
 * A statement is one statement, and values never stand in it: they are bound. That nothing is
 * changed where only reading is allowed is enforced by the database itself, not by looking at the
 * text: SQLite is opened read-only, says so of each statement, and asks an authorizer for every
 * table, function and pragma; PostgreSQL runs everything in a READ ONLY transaction. A connection
 * lasts for one call, so no setting and no temporary table reaches the next one. */
#ifndef PLUGINS_SQL_SQL_PLUGIN_H
#define PLUGINS_SQL_SQL_PLUGIN_H

#include "plugins/support/action.h"

#define SQL_MOST_BYTES      100000
#define SQL_PARAMS_MOST     1000
#define SQL_ROWS_DEFAULT    1000
#define SQL_ROWS_MOST       100000
#define SQL_VALUE_DEFAULT   10000 /* bytes of one value in an answer */
#define SQL_VALUE_MOST      700000
#define SQL_LENGTH_MOST     (16 * 1024 * 1024) /* bytes of one value in the database's hands */
#define SQL_TIMEOUT_DEFAULT 10000

struct sql_driver;
struct pq_late;

struct sql_settings {
    char database[4096]; /* absolute path, or postgresql://... */
    char password_env[128];
    bool may_write;
    bool may_change_schema; /* with may_write: CREATE, ALTER, DROP, too */
    int64_t max_rows, timeout_ms;
    const struct sql_driver *driver;
};

static inline const struct sql_settings *mgi_sql_settings(const struct action *a)
{
    return a->settings;
}

/* A value to bind. Bytes are the arena's, with a NUL behind them. */
enum sql_kind { SQL_NULL, SQL_BOOL, SQL_INT, SQL_FLOAT, SQL_TEXT, SQL_BLOB };

struct sql_param {
    struct str name; /* empty: by place */
    enum sql_kind kind;
    bool boolean;
    int64_t integer;
    double number;
    struct str text; /* of text and blobs; of numbers their spelling */
};

/* One call. */
struct sql_call {
    struct action *a;
    struct str sql; /* a NUL follows */
    struct sql_param *params;
    size_t param_count;
    bool named;
    int64_t max_rows, max_value_bytes;
    int64_t max_changes; /* execute: more, and nothing is kept; negative: any */
    bool dry_run;
    int64_t until_ns;

    /* what was answered so far */
    int64_t rows, cut;
    bool truncated;
};

struct sql_driver {
    /* All write members of the answer, or fail the call. */
    bool (*query)(struct sql_call *c);
    bool (*execute)(struct sql_call *c);
    bool (*explain)(struct sql_call *c);
    bool (*schema)(struct sql_call *c, struct str table, int64_t limit);
};

extern const struct sql_driver mgi_sqlite_driver, mgi_postgres_driver;

/* Load libpq, once, in init: later a worker may not map code any more. False: `why`. */
bool mgi_postgres_load(struct buf *why);
/* What is wrong with an address; NULL: nothing. */
const char *mgi_postgres_address_fault(const char *address);

/* ---- statement.c ---------------------------------------------------------------------------- */

/* The first word of a statement, behind white space and comments; empty: there is none. */
struct str mgi_sql_first_word(struct str sql);
bool mgi_sql_is_word(struct str word, const char *const *words); /* any case; ends with NULL */

/* ---- call.c: arguments, time, rows ---------------------------------------------------------- */

/* True, and the call has failed, if it has to stop, or its timeout is over. */
bool mgi_sql_stops(struct sql_call *c);
int64_t mgi_sql_left_ms(const struct sql_call *c);

/* Rows are written between these two; `room` is kept for what follows. */
void mgi_sql_rows_begin(struct sql_call *c);
void mgi_sql_rows_end(struct sql_call *c);
/* False: no row more is shown, and the answer says so. */
bool mgi_sql_row_begin(struct sql_call *c);
void mgi_sql_row_end(struct sql_call *c);
/* Cut to max_value_bytes, which is counted. */
void mgi_sql_put_text(struct sql_call *c, struct str text);
void mgi_sql_put_blob(struct sql_call *c, struct str bytes);
void mgi_sql_put_float(struct sql_call *c, double d);
void mgi_sql_put_column(struct sql_call *c, const char *name, const char *type);

/* ---- the actions ---------------------------------------------------------------------------- */

bool mgi_sql_query(struct action *a);
bool mgi_sql_execute(struct action *a);
bool mgi_sql_explain(struct action *a);
bool mgi_sql_schema(struct action *a);

#endif
