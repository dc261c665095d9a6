/* A file that somebody else may be writing: opened to read, walked from the newest run. */
#include "journal/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "journal/journal_int.h"

struct journal_file {
    struct journal_db db;
    int fd; /* to see whether somebody writes it; open as long as SQLite has it */
};

struct journal_file *mgi_journal_file_open(const char *path, struct buf *why)
{
    struct journal_file *f = mgi_calloc(1, sizeof *f);
    const char *fault = "out of memory";
    if (f) {
        f->db.fd = -1;
        f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        fault = f->fd < 0 ? strerror(errno) : mgi_journal_db_open_to_read(&f->db, path);
    }
    if (!fault)
        return f;
    mgi_buf_printf(why, "the journal %s cannot be read: %s", path, fault);
    mgi_journal_file_close(f);
    return NULL;
}

void mgi_journal_file_close(struct journal_file *f)
{
    if (!f)
        return;
    mgi_journal_db_close(&f->db);
    if (f->fd >= 0)
        close(f->fd);
    mgi_free(f);
}

static const char query[] =
    "SELECT " JOURNAL_RUN_COLUMNS " FROM run WHERE (?1='' OR substr(invocation,1,length(?1))=?1"
    " OR substr(run_id,1,length(?1))=?1) AND (NOT ?2 OR outcome=5 OR outcome=0 AND"
    " (NOT ?4 OR opening<?5)) ORDER BY no DESC LIMIT ?3";

bool mgi_journal_file_walk(struct journal_file *f, const struct journal_filter *filter,
                           struct arena *arena,
                           bool (*each)(void *context, const struct journal_record *r),
                           void *context, struct buf *why)
{
    sqlite3_stmt *st = NULL;
    /* First: who begins to write meanwhile makes what is open seem interrupted, never the reverse.
     */
    bool written = mgi_journal_db_is_written(f->fd);
    int64_t last_opening = mgi_journal_ask(f->db.db, "SELECT opening FROM meta", 0);
    int rc = sqlite3_prepare_v2(f->db.db, query, -1, &st, NULL);
    if (rc == SQLITE_OK) {
        mgi_journal_bind(st, 1, filter->id);
        sqlite3_bind_int(st, 2, filter->interrupted);
        sqlite3_bind_int64(st, 3, filter->max_runs ? (int64_t)filter->max_runs : -1);
        sqlite3_bind_int(st, 4, written);
        sqlite3_bind_int64(st, 5, last_opening);
    }
    while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct journal_record r;
        int64_t opening;
        mgi_arena_reset(arena);
        rc = mgi_journal_load(f->db.db, st, arena, &r, &opening);
        r.live = r.outcome == JOURNAL_OPEN && written && opening == last_opening;
        if (rc == SQLITE_OK && !each(context, &r))
            rc = SQLITE_DONE;
    }
    sqlite3_finalize(st);
    if (rc == SQLITE_DONE)
        return true;
    mgi_buf_printf(why, "the journal cannot be read to its end: %s",
                   rc == SQLITE_NOMEM ? "out of memory" : sqlite3_errstr(rc));
    return false;
}
