/* Statements and transactions of the store in SQLite; see sqlite_int.h. */
#include <stdio.h>

#include "store/sqlite_int.h"

/* ---- statements ------------------------------------------------------------------------------ */

/* An empty text is an empty blob, not NULL. */
void mgi_sqlite_bind_text(sqlite3_stmt *st, int at, struct str text)
{
    sqlite3_bind_blob64(st, at, text.len ? text.ptr : "", text.len, SQLITE_STATIC);
}

struct str mgi_sqlite_column_text(sqlite3_stmt *st, int at)
{
    const void *bytes = sqlite3_column_blob(st, at);
    return (struct str){ bytes, (size_t)sqlite3_column_bytes(st, at) };
}

int mgi_sqlite_finish(sqlite3_stmt *st, int rc)
{
    int reset = sqlite3_reset(st);
    sqlite3_clear_bindings(st);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? reset : rc;
}

int mgi_sqlite_run(struct sqlite_store *s, enum store_statement which)
{
    sqlite3_stmt *st = s->statements[which];
    return mgi_sqlite_finish(st, sqlite3_step(st));
}

static int run_at(struct sqlite_store *s, enum store_statement which, int64_t now_ns)
{
    sqlite3_bind_int64(s->statements[which], 1, now_ns);
    return mgi_sqlite_run(s, which);
}

/* ---- what is over ---------------------------------------------------------------------------- */

/* By the job's clock: outcomes, or everything else. */
static int sweep(struct sqlite_store *s, const struct sqlite_job *job)
{
    if (job->steady)
        return run_at(s, SWEEP_ONCE, job->now_ns);
    static const enum store_statement sweeps[] = { SWEEP_MACRO, MARK_NONCE, SWEEP_NONCE };
    int rc = SQLITE_OK;
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof sweeps / sizeof *sweeps; i++)
        rc = run_at(s, sweeps[i], job->now_ns);
    return rc;
}

/* What older generations left is dated anew when this process first looks: an orphan is one from
 * then on, and an outcome is kept as long again, whatever the clock did in between. */
static int renew(struct sqlite_store *s, const struct sqlite_job *job)
{
    if (s->renewed || !job->steady)
        return SQLITE_OK;
    sqlite3_bind_int64(s->statements[ONCE_RENEW], 1, s->generation);
    sqlite3_bind_int64(s->statements[ONCE_RENEW], 2, mgi_store_later(job->now_ns, STORE_ONCE_NS));
    return mgi_sqlite_run(s, ONCE_RENEW);
}

/* ---- transactions ---------------------------------------------------------------------------- */

static int set_durable(struct sqlite_store *s, bool durable)
{
    if (s->durable == durable)
        return SQLITE_OK;
    int rc = sqlite3_exec(s->db, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        s->durable = durable;
    return rc;
}

static int attempt(struct sqlite_store *s, sqlite_job_fn *body, struct sqlite_job *job, bool full)
{
    int rc = mgi_sqlite_run(s, BEGIN);
    if (rc != SQLITE_OK)
        return rc;
    int64_t *last_ns = job->steady ? &s->last_outcome_sweep_ns : &s->last_sweep_ns;
    bool told = job->now_ns != INT64_MIN;
    bool sweeping = told && (full || mgi_store_sweep_is_due(*last_ns, job->now_ns));
    rc = renew(s, job);
    if (rc == SQLITE_OK && sweeping)
        rc = sweep(s, job);
    if (rc == SQLITE_OK && full)
        rc = mgi_sqlite_run(s, MAKE_ROOM);
    if (rc == SQLITE_OK)
        rc = body(s, job);
    if (rc == SQLITE_OK)
        rc = mgi_sqlite_run(s, COMMIT);
    if (rc == SQLITE_OK && sweeping)
        *last_ns = job->now_ns;
    if (rc == SQLITE_OK && job->steady)
        s->renewed = true;
    if (rc != SQLITE_OK && !sqlite3_get_autocommit(s->db))
        (void)mgi_sqlite_run(s, ROLLBACK); /* the first failure is the one that is told */
    return rc;
}

static enum store_status status_of(struct sqlite_store *s, int rc)
{
    s->fault[0] = '\0';
    if (rc == SQLITE_OK || rc == SQLITE_DONE || rc == SQLITE_ROW)
        return STORE_OK;
    if (rc == SQLITE_NOMEM)
        return STORE_NOMEM;
    snprintf(s->fault, sizeof s->fault, "the store failed: %s", sqlite3_errmsg(s->db));
    return STORE_DOWN;
}

static int carry_out(struct sqlite_store *s, sqlite_job_fn *body, struct sqlite_job *job)
{
    int rc = attempt(s, body, job, false);
    return rc == SQLITE_FULL ? attempt(s, body, job, true) : rc;
}

enum store_status mgi_sqlite_transact(struct sqlite_store *s, sqlite_job_fn *body,
                                      sqlite_job_fn *otherwise, struct sqlite_job *job,
                                      bool durable)
{
    pthread_mutex_lock(&s->lock);
    int rc = set_durable(s, durable);
    if (rc == SQLITE_OK)
        rc = carry_out(s, body, job);
    enum store_status status = status_of(s, rc);
    if (status && otherwise) /* the first failure is the one that is told */
        (void)carry_out(s, otherwise, job);
    pthread_mutex_unlock(&s->lock);
    return status ? status : job->refused;
}
