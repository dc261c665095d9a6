/* The index behind a predicate that is searched: see search.h.
 *
 * It is written into a database in memory, whose bytes are kept. Who asks opens these bytes for
 * reading, or takes a connection that somebody has given back: so several threads ask at once, and
 * none waits for another but to take and give back. */
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>

#include "base/alloc.h"
#include "domain/search.h"
#include "domain/search_question.h"

#define STEPS_BETWEEN_LOOKS 20000 /* of SQLite's machine: some hundred microseconds */

struct searcher {
    sqlite3 *db;
    sqlite3_stmt *find;
    struct searcher *next;
};

struct search_index {
    const struct search_settings *settings;
    mangle_value *keys; /* of the row with the id i + 1 */
    size_t count, cap;
    uint32_t columns;
    unsigned char *image;
    sqlite3_int64 image_bytes;
    pthread_mutex_t lock; /* of idle */
    struct searcher *idle;
};

/* ---- the text of a value ------------------------------------------------------------------- */

/* What words can be found in; of lists and maps, all that they hold, some levels deep. */
static void put_text(struct buf *out, const mangle_values *t, mangle_value v, int depth)
{
    size_t len;
    mangle_value key, item, second;
    enum mangle_kind kind = mangle_kind_of(t, v);
    if (out->len > SEARCH_TEXT_MAX)
        return;
    if (kind == MANGLE_STRING || kind == MANGLE_NAME) {
        const char *text = mangle_text_of(t, v, &len);
        mgi_search_spread(out, (struct str){ text, len });
    } else if (kind == MANGLE_NUMBER) {
        mgi_buf_printf(out, "%lld", (long long)mangle_int_of(t, v));
    } else if (kind == MANGLE_PAIR && depth > 0) {
        mangle_pair_of(t, v, &item, &second);
        put_text(out, t, item, depth - 1);
        put_text(out, t, second, depth - 1);
    } else if (kind > MANGLE_PAIR && depth > 0) {
        while (out->len <= SEARCH_TEXT_MAX && mangle_next(t, &v, &key, &item)) {
            if (key != MANGLE_NONE)
                put_text(out, t, key, depth - 1);
            put_text(out, t, item, depth - 1);
        }
    }
    mgi_buf_putc(out, ' ');
}

/* ---- making it ------------------------------------------------------------------------------ */

static int run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int create_table(sqlite3 *db, uint32_t columns, bool stem)
{
    struct buf sql = { 0 };
    mgi_buf_puts(&sql, "CREATE VIRTUAL TABLE d USING fts5(");
    for (uint32_t i = 0; i < columns; i++)
        mgi_buf_printf(&sql, "c%u,", i);
    mgi_buf_printf(&sql, "content='',tokenize='%sunicode61 remove_diacritics 2')",
                   stem ? "porter " : "");
    int rc = sql.oom ? SQLITE_NOMEM : run(db, sql.ptr);
    mgi_buf_fini(&sql);
    return rc;
}

struct writing {
    struct search_index *index;
    const mangle_values *values;
    sqlite3 *db;
    sqlite3_stmt *insert;
    struct buf texts[SEARCH_COLUMNS]; /* of the row that is being gathered */
    size_t bytes;
    const char *why;
};

static int prepare_insert(struct writing *w)
{
    struct buf sql = { 0 };
    mgi_buf_puts(&sql, "INSERT INTO d(rowid");
    for (uint32_t i = 0; i < w->index->columns; i++)
        mgi_buf_printf(&sql, ",c%u", i);
    mgi_buf_puts(&sql, ") VALUES(?");
    for (uint32_t i = 0; i < w->index->columns; i++)
        mgi_buf_puts(&sql, ",?");
    mgi_buf_putc(&sql, ')');
    int rc = sql.oom ? SQLITE_NOMEM : sqlite3_prepare_v2(w->db, sql.ptr, -1, &w->insert, NULL);
    mgi_buf_fini(&sql);
    return rc;
}

static int write_row(struct writing *w, mangle_value key)
{
    struct search_index *x = w->index;
    if (x->count == SEARCH_ROWS_MAX) {
        w->why = "there are more than 100,000 keys to search";
        return SQLITE_FULL;
    }
    if (!mgi_grow(&x->keys, &x->cap, x->count + 1, sizeof *x->keys))
        return SQLITE_NOMEM;
    x->keys[x->count++] = key;
    sqlite3_bind_int64(w->insert, 1, (sqlite3_int64)x->count);
    for (uint32_t i = 0; i < x->columns; i++) {
        struct str text = mgi_buf_view(&w->texts[i]);
        if (w->texts[i].oom)
            return SQLITE_NOMEM;
        w->bytes += text.len;
        sqlite3_bind_text64(w->insert, (int)i + 2, text.ptr, text.len, SQLITE_STATIC, SQLITE_UTF8);
    }
    if (w->bytes > SEARCH_BYTES_MAX) {
        w->why = "there are more than 64 MiB of text to search";
        return SQLITE_FULL;
    }
    int rc = sqlite3_step(w->insert);
    sqlite3_reset(w->insert);
    for (uint32_t i = 0; i < x->columns; i++)
        mgi_buf_clear(&w->texts[i]);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int write_rows(struct writing *w, const struct mangle_fact *facts, size_t count)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
        for (uint32_t c = 0; c < w->index->columns; c++)
            put_text(&w->texts[c], w->values, facts[i].args[c + 1], 4);
        if (i + 1 == count || facts[i + 1].args[0] != facts[i].args[0])
            rc = write_row(w, facts[i].args[0]);
    }
    return rc;
}

static int write_all(struct writing *w, const struct mangle_fact *facts, size_t count)
{
    int rc = sqlite3_open_v2(":memory:", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK)
        rc = run(w->db, "BEGIN;");
    if (rc == SQLITE_OK)
        rc = create_table(w->db, w->index->columns, w->index->settings->stem);
    if (rc == SQLITE_OK)
        rc = prepare_insert(w);
    if (rc == SQLITE_OK)
        rc = write_rows(w, facts, count);
    if (rc == SQLITE_OK)
        rc = run(w->db, "INSERT INTO d(d) VALUES('optimize'); COMMIT");
    sqlite3_finalize(w->insert);
    if (rc == SQLITE_OK) {
        w->index->image = sqlite3_serialize(w->db, "main", &w->index->image_bytes, 0);
        rc = w->index->image ? SQLITE_OK : SQLITE_NOMEM;
    }
    return rc;
}

struct search_index *mgi_search_index_new(const struct search_settings *settings,
                                          const mangle_values *values,
                                          const struct mangle_fact *facts, size_t count,
                                          uint32_t arity, struct arena *arena, const char **why)
{
    struct search_index *x = mgi_calloc(1, sizeof *x);
    *why = "out of memory";
    if (!x || pthread_mutex_init(&x->lock, NULL) != 0) {
        mgi_free(x);
        return NULL;
    }
    x->settings = settings;
    x->columns = arity - 1 < SEARCH_COLUMNS ? arity - 1 : SEARCH_COLUMNS;
    struct writing w = { .index = x, .values = values };
    int rc = write_all(&w, facts, count);
    if (rc != SQLITE_OK) {
        if (w.why)
            *why = w.why;
        else if (rc != SQLITE_NOMEM)
            *why = mgi_arena_printf(arena, "SQLite cannot make the index: %s",
                                    w.db ? sqlite3_errmsg(w.db) : sqlite3_errstr(rc));
        mgi_search_index_free(x);
        x = NULL;
    }
    sqlite3_close(w.db);
    for (uint32_t i = 0; i < SEARCH_COLUMNS; i++)
        mgi_buf_fini(&w.texts[i]);
    return x;
}

static void close_searcher(struct searcher *s)
{
    sqlite3_finalize(s->find);
    sqlite3_close(s->db);
    mgi_free(s);
}

void mgi_search_index_free(struct search_index *x)
{
    if (!x)
        return;
    while (x->idle) {
        struct searcher *s = x->idle;
        x->idle = s->next;
        close_searcher(s);
    }
    sqlite3_free(x->image);
    pthread_mutex_destroy(&x->lock);
    mgi_free(x->keys);
    mgi_free(x);
}

/* ---- a connection --------------------------------------------------------------------------- */

/* What is equally good comes in the order of the facts. */
static int prepare_find(const struct search_index *x, struct searcher *s)
{
    struct buf sql = { 0 };
    const struct search_settings *settings = x->settings;
    mgi_buf_puts(&sql, "SELECT rowid,bm25(d");
    for (uint32_t i = 0; i < x->columns; i++)
        mgi_buf_printf(&sql, ",%lld",
                       i < settings->weight_count ? (long long)settings->weights[i] : 1LL);
    mgi_buf_puts(&sql, ") AS worth FROM d WHERE d MATCH ?1 ORDER BY worth,rowid LIMIT ?2");
    int rc =
        sql.oom ? SQLITE_NOMEM
                : sqlite3_prepare_v3(s->db, sql.ptr, -1, SQLITE_PREPARE_PERSISTENT, &s->find, NULL);
    mgi_buf_fini(&sql);
    return rc;
}

static struct searcher *open_searcher(const struct search_index *x)
{
    struct searcher *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    int rc = sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK) /* the bytes stay ours */
        rc = sqlite3_deserialize(s->db, "main", x->image, x->image_bytes, x->image_bytes,
                                 SQLITE_DESERIALIZE_READONLY);
    if (rc == SQLITE_OK)
        rc = prepare_find(x, s);
    if (rc == SQLITE_OK)
        return s;
    close_searcher(s);
    return NULL;
}

static struct searcher *take_searcher(struct search_index *x)
{
    pthread_mutex_lock(&x->lock);
    struct searcher *s = x->idle;
    if (s)
        x->idle = s->next;
    pthread_mutex_unlock(&x->lock);
    return s ? s : open_searcher(x);
}

static void give_back(struct search_index *x, struct searcher *s)
{
    pthread_mutex_lock(&x->lock);
    s->next = x->idle;
    x->idle = s;
    pthread_mutex_unlock(&x->lock);
}

/* ---- asking --------------------------------------------------------------------------------- */

static int nobody_asks_any_more(void *query)
{
    int64_t left_ns;
    return !mangle_query_goes_on(query, &left_ns);
}

static bool emit_row(struct search_index *x, struct searcher *s, struct mangle_query *query,
                     size_t request, int64_t rank)
{
    sqlite3_int64 row = sqlite3_column_int64(s->find, 0);
    double worth = sqlite3_column_double(s->find, 1); /* below 0, the better the further */
    if (row < 1 || (size_t)row > x->count)
        return false;
    mangle_value outputs[3] = { x->keys[row - 1], mangle_number(query->values, rank),
                                mangle_number(query->values, (int64_t)llround(-100 * worth)) };
    return mangle_query_emit(query, request, outputs);
}

/* A text without words matches nothing. */
static bool answer_one(struct search_index *x, struct searcher *s, struct mangle_query *query,
                       size_t request)
{
    struct buf text = { 0 }, question = { 0 };
    int rc = SQLITE_DONE;
    bool goes_on = true;
    put_text(&text, query->values, query->requests[request].inputs[0], 8);
    bool words = mgi_search_question(&question, mgi_buf_view(&text), x->settings->ignored,
                                     x->settings->ignored_count);
    if (text.oom || question.oom)
        rc = SQLITE_NOMEM;
    else if (words) {
        sqlite3_bind_text64(s->find, 1, question.ptr, question.len, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_int64(s->find, 2, x->settings->limit);
        int64_t rank = 0;
        while (goes_on && (rc = sqlite3_step(s->find)) == SQLITE_ROW)
            goes_on = emit_row(x, s, query, request, ++rank);
    }
    sqlite3_reset(s->find);
    sqlite3_clear_bindings(s->find);
    mgi_buf_fini(&text);
    mgi_buf_fini(&question);
    if (goes_on && rc != SQLITE_DONE)
        snprintf(query->error, sizeof query->error, "%s", sqlite3_errstr(rc));
    return goes_on && rc == SQLITE_DONE;
}

bool mgi_search_answer(struct search_index *x, struct mangle_query *query)
{
    struct searcher *s = take_searcher(x);
    if (!s) {
        snprintf(query->error, sizeof query->error, "out of memory");
        return false;
    }
    bool good = true;
    sqlite3_progress_handler(s->db, STEPS_BETWEEN_LOOKS, nobody_asks_any_more, query);
    for (size_t i = 0; good && i < query->count; i++)
        good = answer_one(x, s, query, i);
    sqlite3_progress_handler(s->db, 0, NULL, NULL);
    give_back(x, s);
    return good;
}
