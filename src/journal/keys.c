/* What an idempotency key stands for after a restart: runs of earlier openings, by their keys or by
 * what somebody else kept of their beginning. Of most keys nothing is known, and that is known from
 * a table of the first bytes of those that are there, made at opening, which never changes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"
#include "journal/journal_int.h"
#include "sys/clock.h"
#include "sys/digest.h"

bool mgi_journal_key(struct str caller, struct str key, uint8_t out[JOURNAL_KEY_BYTES])
{
    struct buf text = { 0 };
    mgi_buf_printf(&text, "%zu\n", caller.len); /* where one ends and the other begins */
    mgi_buf_str(&text, caller);
    mgi_buf_str(&text, key);
    bool ok = !text.oom && mgi_sha256(text.ptr, text.len, out);
    mgi_buf_wipe(&text);
    return ok;
}

/* ---- which are there ----------------------------------------------------------------------------
 */

static uint64_t prefix_of(const void *key)
{
    uint64_t prefix;
    memcpy(&prefix, key, sizeof prefix);
    return prefix;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int read_keys(struct journal *j, sqlite3_stmt *st)
{
    size_t cap = 0;
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        if (sqlite3_column_bytes(st, 0) != JOURNAL_KEY_BYTES)
            continue;
        if (!mgi_grow(&j->keys, &cap, j->key_count + 1, sizeof *j->keys))
            return SQLITE_NOMEM;
        j->keys[j->key_count++] = prefix_of(sqlite3_column_blob(st, 0));
    }
    return rc;
}

const char *mgi_journal_keys_load(struct journal *j)
{
    sqlite3_stmt *st = NULL;
    const char *fault = mgi_journal_db_open_to_read(&j->reader, j->path);
    if (fault)
        return fault;
    int rc = sqlite3_prepare_v2(j->reader.db, "SELECT key FROM run WHERE key IS NOT NULL", -1, &st,
                                NULL);
    if (rc == SQLITE_OK)
        rc = read_keys(j, st);
    sqlite3_finalize(st);
    if (j->key_count > 0)
        qsort(j->keys, j->key_count, sizeof *j->keys, compare);
    if (rc == SQLITE_DONE)
        return NULL;
    return rc == SQLITE_NOMEM ? "out of memory" : sqlite3_errmsg(j->reader.db);
}

void mgi_journal_keys_free(struct journal *j)
{
    mgi_journal_db_close(&j->reader);
    mgi_free(j->keys);
    j->keys = NULL;
}

/* ---- lookups ------------------------------------------------------------------------------------
 */

/* The run that the query, which is `st` with what it is about bound, finds. Under the lock. */
static enum journal_find find(struct journal *j, sqlite3_stmt *st, struct arena *arena,
                              struct journal_record *out)
{
    int64_t opening;
    int rc = sqlite3_step(st);
    enum journal_find found = rc == SQLITE_DONE ? JOURNAL_NONE : JOURNAL_UNKNOWN;
    if (rc == SQLITE_ROW && mgi_journal_load(j->reader.db, st, arena, out, &opening) == SQLITE_OK) {
        out->live = out->outcome == JOURNAL_OPEN;
        found = JOURNAL_FOUND;
    }
    sqlite3_finalize(st);
    return found;
}

enum journal_find mgi_journal_find_key(struct journal *j, const uint8_t key[JOURNAL_KEY_BYTES],
                                       int64_t ended_ns, struct arena *arena,
                                       struct journal_record *out)
{
    static const char query[] = "SELECT " JOURNAL_RUN_COLUMNS
                                " FROM run WHERE key=?1 AND opening<?2 ORDER BY no DESC LIMIT 1";
    uint64_t prefix = prefix_of(key);
    sqlite3_stmt *st = NULL;
    if (!j->keys || !bsearch(&prefix, j->keys, j->key_count, sizeof prefix, compare))
        return JOURNAL_NONE;
    enum journal_find found = JOURNAL_UNKNOWN;
    pthread_mutex_lock(&j->find_lock);
    if (sqlite3_prepare_v2(j->reader.db, query, -1, &st, NULL) == SQLITE_OK) {
        sqlite3_bind_blob(st, 1, key, JOURNAL_KEY_BYTES, SQLITE_STATIC);
        sqlite3_bind_int64(st, 2, j->reader.opening);
        found = find(j, st, arena, out);
    }
    pthread_mutex_unlock(&j->find_lock);
    bool over = found == JOURNAL_FOUND && out->outcome != JOURNAL_INTERRUPTED &&
                mgi_clock_mono_ns() - j->opened_ns > ended_ns;
    return over ? JOURNAL_NONE : found;
}

/* ---- witnesses ----------------------------------------------------------------------------------
 */

void mgi_journal_witness(const struct journal *j, struct str invocation_id,
                         char out[JOURNAL_WITNESS_BYTES])
{
    snprintf(out, JOURNAL_WITNESS_BYTES, "%s %lld %.*s", j->reader.id,
             (long long)atomic_load(&j->last_no),
             (int)(invocation_id.len < 32 ? invocation_id.len : 32), invocation_id.ptr);
}

/* "<journal> <number> <invocation>" of this file, or not. */
static bool read_witness(const struct journal *j, struct str witness, int64_t *number,
                         struct str *invocation)
{
    size_t id = strlen(j->reader.id), at = id + 1;
    if (witness.len <= at || memcmp(witness.ptr, j->reader.id, id) != 0 || witness.ptr[id] != ' ')
        return false;
    for (*number = 0; at < witness.len && witness.ptr[at] != ' '; at++) {
        if (witness.ptr[at] < '0' || witness.ptr[at] > '9' || *number > INT64_MAX / 16)
            return false;
        *number = *number * 10 + (witness.ptr[at] - '0');
    }
    *invocation = (struct str){ witness.ptr + at + 1, witness.len - at - (at < witness.len) };
    return at < witness.len && invocation->len > 0;
}

enum journal_find mgi_journal_find_witness(struct journal *j, struct str witness,
                                           struct arena *arena, struct journal_record *out)
{
    static const char query[] = "SELECT " JOURNAL_RUN_COLUMNS " FROM run WHERE invocation=?1";
    enum journal_find found = JOURNAL_UNKNOWN;
    struct str invocation;
    sqlite3_stmt *st = NULL;
    int64_t number;
    if (!read_witness(j, witness, &number, &invocation))
        return JOURNAL_UNKNOWN;
    pthread_mutex_lock(&j->find_lock);
    if (sqlite3_prepare_v2(j->reader.db, query, -1, &st, NULL) == SQLITE_OK) {
        mgi_journal_bind(st, 1, invocation);
        found = find(j, st, arena, out);
    }
    /* Its run has a higher number than any that was there. */
    if (found == JOURNAL_NONE &&
        mgi_journal_ask(j->reader.db, "SELECT forgotten FROM meta", INT64_MAX) > number)
        found = JOURNAL_UNKNOWN;
    pthread_mutex_unlock(&j->find_lock);
    return found;
}
