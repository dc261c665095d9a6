/* A store in one SQLite file: what a restart must not forget. Its operations; see sqlite_int.h. */
#include "base/alloc.h"
#include "store/sqlite_int.h"

#define DEFAULT_MAX_BYTES ((size_t)1 << 30)

/* A copy for the caller. */
static struct str keep(struct sqlite_job *job, struct str text)
{
    struct str copy = mgi_arena_str(job->arena, text);
    if (!copy.ptr)
        job->refused = STORE_NOMEM;
    return copy;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static int ask_held(struct sqlite_store *s, struct str caller, int64_t *bytes)
{
    sqlite3_stmt *st = s->statements[HELD];
    mgi_sqlite_bind_text(st, 1, caller);
    int rc = sqlite3_step(st);
    *bytes = rc == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    return mgi_sqlite_finish(st, rc);
}

/* While it has more than its share, an eighth of what the caller has goes, but not the newest. */
static int keep_share(struct sqlite_store *s, const struct sqlite_job *job)
{
    struct str caller = mgi_store_caller(job->principal);
    sqlite3_stmt *st = s->statements[KEEP_SHARE];
    int64_t bytes;
    int rc = ask_held(s, caller, &bytes);
    while (rc == SQLITE_OK && bytes > s->max_share) {
        mgi_sqlite_bind_text(st, 1, caller);
        mgi_sqlite_bind_text(st, 2, job->principal);
        mgi_sqlite_bind_text(st, 3, job->id);
        rc = mgi_sqlite_run(s, KEEP_SHARE);
        if (rc == SQLITE_OK && sqlite3_changes(s->db) == 0)
            break;
        if (rc == SQLITE_OK)
            rc = ask_held(s, caller, &bytes);
    }
    return rc;
}

static int write_macro(struct sqlite_store *s, struct sqlite_job *job)
{
    sqlite3_stmt *st = s->statements[MACRO_PUT];
    int64_t last = job->until_ns > job->now_ns ? job->until_ns : job->now_ns;
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    mgi_sqlite_bind_text(st, 3, job->entry->definition);
    sqlite3_bind_int64(st, 4, job->entry->not_before_ns);
    sqlite3_bind_int64(st, 5, job->entry->expires_ns);
    sqlite3_bind_int64(st, 6, job->until_ns);
    sqlite3_bind_int64(st, 7, mgi_store_later(last, STORE_MARKER_NS));
    int rc = mgi_sqlite_run(s, MACRO_PUT);
    return rc == SQLITE_OK ? keep_share(s, job) : rc;
}

static int get_macro(struct sqlite_store *s, struct sqlite_job *job)
{
    sqlite3_stmt *st = s->statements[MACRO_GET];
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW && job->now_ns <= sqlite3_column_int64(st, 4)) {
        job->found = MACRO_EXPIRED;
        if (job->now_ns <= sqlite3_column_int64(st, 3)) {
            job->found = MACRO_FOUND;
            *job->macro = (struct macro_entry){ keep(job, mgi_sqlite_column_text(st, 0)),
                                                sqlite3_column_int64(st, 1),
                                                sqlite3_column_int64(st, 2), NULL };
        }
    }
    return mgi_sqlite_finish(st, rc);
}

static int put_macro(struct sqlite_store *s, struct sqlite_job *job)
{
    struct macro_entry older, merged = *job->entry;
    struct sqlite_job look = *job;
    look.found = MACRO_NOT_FOUND;
    look.macro = &older;
    if (!job->entry->merge)
        return write_macro(s, job);
    int rc = get_macro(s, &look);
    job->refused = look.refused;
    if (rc != SQLITE_OK || job->refused)
        return rc;
    if (look.found != MACRO_FOUND)
        return write_macro(s, job);
    if (!job->entry->merge(&older, job->arena, &merged)) {
        job->refused = STORE_NOMEM;
        return SQLITE_OK;
    }
    struct sqlite_job again = *job;
    again.entry = &merged;
    return write_macro(s, &again);
}

static enum store_status sqlite_macro_put(void *self, struct str principal, struct str macro_id,
                                          const struct macro_entry *entry, int64_t now_ns,
                                          int64_t keep_until_ns)
{
    struct arena arena; /* of what was kept */
    mgi_arena_init(&arena, 0);
    struct sqlite_job job = { .principal = principal,
                              .id = macro_id,
                              .entry = entry,
                              .now_ns = now_ns,
                              .until_ns = keep_until_ns,
                              .arena = &arena };
    enum store_status status = mgi_sqlite_transact(self, put_macro, NULL, &job, false);
    mgi_arena_fini(&arena);
    return status;
}

static enum store_status sqlite_macro_get(void *self, struct str principal, struct str macro_id,
                                          int64_t now_ns, struct arena *arena,
                                          enum macro_found *found, struct macro_entry *out)
{
    struct sqlite_job job = { .principal = principal,
                              .id = macro_id,
                              .now_ns = now_ns,
                              .arena = arena,
                              .found = MACRO_NOT_FOUND,
                              .macro = out };
    enum store_status status = mgi_sqlite_transact(self, get_macro, NULL, &job, false);
    *found = status ? MACRO_NOT_FOUND : job.found;
    return status;
}

/* ---- nonces ---------------------------------------------------------------------------------- */

static int spend_nonce(struct sqlite_store *s, struct sqlite_job *job)
{
    sqlite3_stmt *st = s->statements[SPEND];
    mgi_sqlite_bind_text(st, 1, job->id);
    sqlite3_bind_int64(st, 2, job->now_ns);
    sqlite3_bind_int64(st, 3, job->until_ns);
    sqlite3_bind_int64(st, 4, job->issued_ns);
    int rc = mgi_sqlite_run(s, SPEND);
    job->first = rc == SQLITE_OK && sqlite3_changes(s->db) == 1;
    return rc;
}

static enum store_status sqlite_spend(void *self, struct str nonce, int64_t issued_ns,
                                      int64_t now_ns, int64_t until_ns, bool *first)
{
    struct sqlite_job job = {
        .id = nonce, .now_ns = now_ns, .until_ns = until_ns, .issued_ns = issued_ns
    };
    enum store_status status = mgi_sqlite_transact(self, spend_nonce, NULL, &job, true);
    *first = !status && job.first;
    return status;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static int forget_once(struct sqlite_store *s, struct sqlite_job *job)
{
    sqlite3_stmt *st = s->statements[ONCE_FORGET];
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    return mgi_sqlite_run(s, ONCE_FORGET);
}

/* True if a record stands; its state is in the job then. */
static int look_up_once(struct sqlite_store *s, struct sqlite_job *job, bool *stands)
{
    sqlite3_stmt *st = s->statements[ONCE_GET];
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    int rc = sqlite3_step(st);
    *stands = false;
    if (rc == SQLITE_ROW) {
        int64_t generation = sqlite3_column_int64(st, 1), until = sqlite3_column_int64(st, 3);
        bool ended = sqlite3_column_int(st, 2) != 0;
        *stands = until == 0 || job->now_ns <= until;
        if (*stands && !str_eq(mgi_sqlite_column_text(st, 0), job->fingerprint)) {
            job->state = ONCE_OTHER;
        } else if (*stands) {
            bool ours = generation == s->generation && until == 0;
            job->state = ended ? ONCE_ENDED : ours ? ONCE_RUNNING : ONCE_ORPHANED;
            job->outcome = keep(job, mgi_sqlite_column_text(st, 4)); /* or the witness */
        }
    }
    return mgi_sqlite_finish(st, rc);
}

static int begin_once(struct sqlite_store *s, struct sqlite_job *job)
{
    bool stands;
    int rc = look_up_once(s, job, &stands);
    if (rc != SQLITE_OK || stands)
        return rc;
    if (forget_once(s, job) != SQLITE_OK) /* one that is over takes no room */
        return sqlite3_errcode(s->db);
    sqlite3_stmt *st = s->statements[ONCE_BEGIN];
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    mgi_sqlite_bind_text(st, 3, job->fingerprint);
    sqlite3_bind_int64(st, 4, s->generation);
    mgi_sqlite_bind_text(st, 5, mgi_store_caller(job->principal));
    sqlite3_bind_int64(st, 6, s->max_outcomes);
    sqlite3_bind_int64(st, 7, s->max_outcome);
    mgi_sqlite_bind_text(st, 8, job->witness);
    rc = mgi_sqlite_run(s, ONCE_BEGIN);
    job->state = ONCE_FRESH;
    job->refused = rc == SQLITE_OK && sqlite3_changes(s->db) == 0 ? STORE_FULL : STORE_OK;
    return rc;
}

static int find_once(struct sqlite_store *s, struct sqlite_job *job)
{
    bool stands;
    job->state = ONCE_FRESH;
    return look_up_once(s, job, &stands);
}

static enum store_status ask_once(struct sqlite_store *s, sqlite_job_fn *ask, struct str principal,
                                  struct str key, struct str fingerprint, struct str witness,
                                  int64_t now_ns, struct arena *arena, enum once_state *state,
                                  struct str *outcome)
{
    struct sqlite_job job = { .principal = principal,
                              .id = key,
                              .fingerprint = fingerprint,
                              .witness = witness,
                              .now_ns = now_ns,
                              .steady = true,
                              .arena = arena };
    enum store_status status = mgi_sqlite_transact(s, ask, NULL, &job, true);
    *state = job.state;
    *outcome = job.outcome;
    return status;
}

static enum store_status sqlite_once_begin(void *self, struct str principal, struct str key,
                                           struct str fingerprint, struct str witness,
                                           int64_t now_ns, struct arena *arena,
                                           enum once_state *state, struct str *outcome)
{
    return ask_once(self, begin_once, principal, key, fingerprint, witness, now_ns, arena, state,
                    outcome);
}

static enum store_status sqlite_once_find(void *self, struct str principal, struct str key,
                                          struct str fingerprint, int64_t now_ns,
                                          struct arena *arena, enum once_state *state,
                                          struct str *outcome)
{
    const struct str none = { "", 0 };
    return ask_once(self, find_once, principal, key, fingerprint, none, now_ns, arena, state,
                    outcome);
}

/* The outcome could not be kept: the row stays begun, but gets an end, which makes it an orphan. */
static int lose_once(struct sqlite_store *s, struct sqlite_job *job)
{
    sqlite3_stmt *st = s->statements[ONCE_LOSE];
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    sqlite3_bind_int64(st, 3, mgi_store_later(job->now_ns, STORE_ONCE_NS));
    return mgi_sqlite_run(s, ONCE_LOSE);
}

static int end_once(struct sqlite_store *s, struct sqlite_job *job)
{
    sqlite3_stmt *st = s->statements[ONCE_END];
    mgi_sqlite_bind_text(st, 1, job->principal);
    mgi_sqlite_bind_text(st, 2, job->id);
    sqlite3_bind_int64(st, 3, mgi_store_later(job->now_ns, STORE_ONCE_NS));
    mgi_sqlite_bind_text(st, 4, job->text);
    sqlite3_bind_int64(st, 5, s->max_outcomes);
    sqlite3_bind_int64(st, 6, s->max_outcome);
    int rc = mgi_sqlite_run(s, ONCE_END);
    if (rc != SQLITE_OK || sqlite3_changes(s->db) > 0)
        return rc;
    rc = lose_once(s, job);
    job->refused = rc == SQLITE_OK && sqlite3_changes(s->db) > 0 ? STORE_NOMEM : STORE_OK;
    return rc;
}

static enum store_status sqlite_once_end(void *self, struct str principal, struct str key,
                                         struct str outcome, int64_t now_ns)
{
    struct sqlite_job job = {
        .principal = principal, .id = key, .text = outcome, .now_ns = now_ns, .steady = true
    };
    return mgi_sqlite_transact(self, end_once, lose_once, &job, true);
}

static enum store_status sqlite_once_forget(void *self, struct str principal, struct str key)
{
    struct sqlite_job job = { .principal = principal, .id = key, .now_ns = INT64_MIN };
    return mgi_sqlite_transact(self, forget_once, NULL, &job, true);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static size_t sqlite_bytes(void *self)
{
    struct sqlite_store *s = self;
    sqlite3_int64 pages = 0;
    sqlite3_stmt *st = NULL;
    pthread_mutex_lock(&s->lock);
    if (sqlite3_prepare_v2(s->db, "PRAGMA page_count", -1, &st, NULL) == SQLITE_OK &&
        sqlite3_step(st) == SQLITE_ROW)
        pages = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    pthread_mutex_unlock(&s->lock);
    return (size_t)pages * STORE_PAGE_BYTES;
}

static void sqlite_fault(void *self, struct buf *out)
{
    struct sqlite_store *s = self;
    pthread_mutex_lock(&s->lock);
    mgi_buf_puts(out, s->fault);
    pthread_mutex_unlock(&s->lock);
}

static void sqlite_close(void *self)
{
    struct sqlite_store *s = self;
    mgi_sqlite_file_close(s);
    pthread_mutex_destroy(&s->lock);
    mgi_free(s);
}

static const struct store_operations sqlite_operations = {
    .name = "sqlite",
    .macro_put = sqlite_macro_put,
    .macro_get = sqlite_macro_get,
    .spend = sqlite_spend,
    .once_begin = sqlite_once_begin,
    .once_find = sqlite_once_find,
    .once_end = sqlite_once_end,
    .once_forget = sqlite_once_forget,
    .bytes = sqlite_bytes,
    .fault = sqlite_fault,
    .close = sqlite_close,
};

bool mgi_store_sqlite(const char *path, size_t max_bytes, struct store *out, struct buf *why)
{
    *out = (struct store){ 0 };
    struct sqlite_store *s = mgi_calloc(1, sizeof *s);
    if (!s || pthread_mutex_init(&s->lock, NULL) != 0) {
        mgi_free(s);
        mgi_buf_puts(why, "the store cannot be opened: out of memory");
        return false;
    }
    if (max_bytes == 0)
        max_bytes = DEFAULT_MAX_BYTES;
    s->last_sweep_ns = s->last_outcome_sweep_ns = INT64_MAX;
    s->max_share = (int64_t)(max_bytes / STORE_SHARE);
    s->max_outcomes = (int64_t)(max_bytes / STORE_OUTCOMES);
    s->max_outcome = s->max_outcomes / STORE_SHARE;
    const char *fault = mgi_sqlite_file_open(s, path, max_bytes);
    if (fault) {
        mgi_buf_printf(why, "the store %s cannot be opened: %s", path, fault);
        sqlite_close(s);
        return false;
    }
    *out = (struct store){ &sqlite_operations, s };
    return true;
}
