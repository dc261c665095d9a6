/* What waits to be written: made where a run or step begins, with all the memory that its end will
 * need, and put into statements by the writer. */
#include <stdio.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/utf8.h"
#include "journal/journal_int.h"
#include "sys/digest.h"

/* ---- texts behind the struct ------------------------------------------------------------------
 */

static struct str cut(struct str text)
{
    return mgi_utf8_prefix(text, JOURNAL_TEXT_BYTES);
}

static struct str put(char **at, struct str text)
{
    struct str copy = { *at, text.len };
    if (text.len > 0)
        memcpy(*at, text.ptr, text.len);
    *at += text.len;
    return copy;
}

static struct str put_cut(char **at, struct str text)
{
    return put(at, cut(text));
}

/* ---- runs -------------------------------------------------------------------------------------
 */

struct journal_run *mgi_journal_run_of(const struct journal_entry *e)
{
    size_t offset = e->kind == ENTRY_RUN_BEGIN ? offsetof(struct journal_run, begin)
                                               : offsetof(struct journal_run, end);
    return (struct journal_run *)((char *)(uintptr_t)e - offset);
}

struct journal_step *mgi_journal_step_of(const struct journal_entry *e)
{
    size_t offset = e->kind == ENTRY_STEP_BEGIN ? offsetof(struct journal_step, begin)
                                                : offsetof(struct journal_step, end);
    return (struct journal_step *)((char *)(uintptr_t)e - offset);
}

/* Names of steps, as many whole ones as there is room for. */
static size_t plan_bytes(const struct journal_run_begin *b, size_t *named)
{
    size_t bytes = 0;
    for (*named = 0; *named < b->step_count; ++*named) {
        size_t more = cut(b->steps[*named]).len + (*named > 0);
        if (bytes + more > JOURNAL_PLAN_BYTES)
            break;
        bytes += more;
    }
    return bytes;
}

static struct str put_plan(char **at, const struct journal_run_begin *b, size_t named)
{
    char *from = *at;
    for (size_t i = 0; i < named; i++) {
        if (i > 0)
            (void)put(at, STR_LIT("\n"));
        (void)put_cut(at, b->steps[i]);
    }
    return (struct str){ from, (size_t)(*at - from) };
}

struct journal_run *mgi_journal_run_new(const struct journal_run_begin *b)
{
    size_t named, bytes = plan_bytes(b, &named);
    const struct str texts[] = { b->invocation_id,
                                 b->header.run_id,
                                 b->header.spec_version,
                                 b->header.profile_id,
                                 b->header.request_id,
                                 b->macro_id,
                                 b->tool,
                                 b->caller,
                                 b->fingerprint };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        bytes += cut(texts[i]).len;
    struct journal_run *run = mgi_calloc(1, sizeof *run + bytes);
    if (!run)
        return NULL;
    char *at = run->text;
    run->begin.kind = ENTRY_RUN_BEGIN;
    run->end.kind = ENTRY_RUN_END;
    run->invocation = put_cut(&at, b->invocation_id);
    run->run_id = put_cut(&at, b->header.run_id);
    run->spec = put_cut(&at, b->header.spec_version);
    run->profile = put_cut(&at, b->header.profile_id);
    run->request = put_cut(&at, b->header.request_id);
    run->macro = put_cut(&at, b->macro_id);
    run->tool = put_cut(&at, b->tool);
    run->caller = put_cut(&at, b->caller);
    run->fingerprint = put_cut(&at, b->fingerprint);
    run->plan = put_plan(&at, b, named);
    run->plan_count = b->step_count;
    run->has_key = b->key != NULL;
    if (b->key)
        memcpy(run->key, b->key, sizeof run->key);
    run->has_effects = b->has_effects;
    return run;
}

/* ---- steps ------------------------------------------------------------------------------------
 */

struct journal_step *mgi_journal_step_new(const struct journal_step_begin *b)
{
    size_t bytes = cut(b->name).len + cut(b->action).len + cut(b->input_sha256).len;
    struct journal_step *step = mgi_calloc(1, sizeof *step + bytes);
    if (!step)
        return NULL;
    char *at = step->text;
    step->begin.kind = ENTRY_STEP_BEGIN;
    step->end.kind = ENTRY_STEP_END;
    step->step = b->step;
    step->item = b->item;
    step->attempt = b->attempt;
    step->compensation = b->compensation;
    step->tier = b->tier;
    step->name = put_cut(&at, b->name);
    step->action = put_cut(&at, b->action);
    step->input = put_cut(&at, b->input_sha256);
    return step;
}

void mgi_journal_step_free(struct journal_step *step)
{
    if (!step)
        return;
    mgi_free(step->output.ptr);
    mgi_free(step->patch.ptr);
    mgi_free(step);
}

size_t mgi_journal_hold(struct held_text *held, struct str text, size_t room)
{
    held->len = text.len;
    held->ptr = text.len > 0 && text.len <= room ? mgi_alloc(text.len) : NULL;
    if (!held->ptr)
        return 0;
    memcpy(held->ptr, text.ptr, text.len);
    return text.len;
}

/* ---- picks ------------------------------------------------------------------------------------
 */

struct journal_pick_entry *mgi_journal_pick_of(const struct journal_entry *e)
{
    return (struct journal_pick_entry *)(uintptr_t)e; /* its first member */
}

struct journal_pick_entry *mgi_journal_pick_new(const struct journal_pick *p)
{
    const struct str texts[] = { p->name, p->by, p->mode, p->kind, p->sid, p->action, p->raw };
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        bytes += cut(texts[i]).len;
    struct journal_pick_entry *pick = mgi_calloc(1, sizeof *pick + bytes);
    if (!pick)
        return NULL;
    char *at = pick->text;
    pick->entry.kind = ENTRY_PICK;
    pick->step = p->step;
    pick->turn = p->turn;
    pick->in_order = p->in_order;
    pick->name = put_cut(&at, p->name);
    pick->by = put_cut(&at, p->by);
    pick->mode = put_cut(&at, p->mode);
    pick->kind = put_cut(&at, p->kind);
    pick->sid = put_cut(&at, p->sid);
    pick->action = put_cut(&at, p->action);
    pick->raw = put_cut(&at, p->raw);
    return pick;
}

/* ---- into statements --------------------------------------------------------------------------
 */

static int write_run_begin(struct journal_db *d, const struct journal_run *run)
{
    sqlite3_stmt *st = d->statements[SQL_RUN_BEGIN];
    sqlite3_bind_int64(st, 1, run->no);
    sqlite3_bind_int64(st, 2, d->opening);
    mgi_journal_bind(st, 3, run->invocation);
    mgi_journal_bind(st, 4, run->run_id);
    mgi_journal_bind(st, 5, run->spec);
    mgi_journal_bind(st, 6, run->profile);
    mgi_journal_bind(st, 7, run->request);
    mgi_journal_bind(st, 8, run->macro);
    mgi_journal_bind(st, 9, run->tool);
    mgi_journal_bind(st, 10, run->caller);
    if (run->has_key)
        sqlite3_bind_blob(st, 11, run->key, sizeof run->key, SQLITE_STATIC);
    mgi_journal_bind(st, 12, run->fingerprint);
    mgi_journal_bind(st, 13, run->plan);
    sqlite3_bind_int64(st, 14, (int64_t)run->plan_count);
    sqlite3_bind_int(st, 15, run->has_effects);
    sqlite3_bind_int64(st, 16, run->began_ns);
    return mgi_journal_run_statement(d, SQL_RUN_BEGIN);
}

static int write_run_end(struct journal_db *d, const struct journal_run *run)
{
    sqlite3_stmt *st = d->statements[SQL_RUN_END];
    sqlite3_bind_int64(st, 1, run->no);
    sqlite3_bind_int(st, 2, (int)run->outcome);
    sqlite3_bind_int64(st, 3, run->ended_ns);
    sqlite3_bind_int64(st, 4, (int64_t)atomic_load(&run->unrecorded));
    return mgi_journal_run_statement(d, SQL_RUN_END);
}

static int write_step_begin(struct journal_db *d, const struct journal_step *step)
{
    sqlite3_stmt *st = d->statements[SQL_STEP_BEGIN];
    sqlite3_bind_int64(st, 1, step->run->no);
    sqlite3_bind_int64(st, 2, step->seq);
    sqlite3_bind_int64(st, 3, step->step);
    sqlite3_bind_int(st, 4, step->item);
    sqlite3_bind_int64(st, 5, step->attempt);
    sqlite3_bind_int(st, 6, step->compensation);
    mgi_journal_bind(st, 7, step->name);
    mgi_journal_bind(st, 8, step->action);
    sqlite3_bind_int(st, 9, step->tier);
    mgi_journal_bind(st, 10, step->input);
    sqlite3_bind_int64(st, 11, step->began_ns);
    return mgi_journal_run_statement(d, SQL_STEP_BEGIN);
}

/* The digest of what was held, and how long it was: at `at` and behind it. */
static void bind_digest(sqlite3_stmt *st, int at, const struct held_text *held,
                        char sha256[2 * SHA256_BYTES + 1])
{
    uint8_t digest[SHA256_BYTES];
    if (held->len > 0)
        sqlite3_bind_int64(st, at + 1, (int64_t)held->len);
    if (!held->ptr || !mgi_sha256(held->ptr, held->len, digest))
        return;
    mgi_hex(digest, sizeof digest, sha256);
    mgi_journal_bind(st, at, str_of(sha256));
}

/* A digest says what came out and what changed, without being a second store of it (T-AUD-6,
 * T-TX-9). */
static int write_step_end(struct journal_db *d, const struct journal_step *step)
{
    char output[2 * SHA256_BYTES + 1], patch[2 * SHA256_BYTES + 1];
    sqlite3_stmt *st = d->statements[SQL_STEP_END];
    sqlite3_bind_int64(st, 1, step->run->no);
    sqlite3_bind_int64(st, 2, step->seq);
    sqlite3_bind_int(st, 3, (int)step->outcome);
    sqlite3_bind_int(st, 4, step->indeterminate);
    bind_digest(st, 5, &step->output, output);
    sqlite3_bind_int64(st, 7, step->duration_ms);
    bind_digest(st, 8, &step->patch, patch);
    if (step->patch.ptr && step->keep_patch)
        sqlite3_bind_blob64(st, 10, step->patch.ptr, step->patch.len, SQLITE_STATIC);
    sqlite3_bind_int64(st, 11, step->ended_ns);
    return mgi_journal_run_statement(d, SQL_STEP_END);
}

static int write_pick(struct journal_db *d, const struct journal_pick_entry *pick)
{
    sqlite3_stmt *st = d->statements[SQL_PICK];
    sqlite3_bind_int64(st, 1, pick->run->no);
    sqlite3_bind_int64(st, 2, pick->seq);
    sqlite3_bind_int64(st, 3, pick->step);
    sqlite3_bind_int64(st, 4, pick->turn);
    sqlite3_bind_int64(st, 5, pick->at_ns);
    mgi_journal_bind(st, 6, pick->name);
    mgi_journal_bind(st, 7, pick->by);
    mgi_journal_bind(st, 8, pick->kind);
    mgi_journal_bind(st, 9, pick->sid);
    mgi_journal_bind(st, 10, pick->action);
    mgi_journal_bind(st, 11, pick->raw);
    sqlite3_bind_int(st, 12, pick->in_order);
    mgi_journal_bind(st, 13, pick->mode);
    return mgi_journal_run_statement(d, SQL_PICK);
}

int mgi_journal_entry_write(struct journal_db *d, const struct journal_entry *e)
{
    switch (e->kind) {
    case ENTRY_RUN_BEGIN:
        return write_run_begin(d, mgi_journal_run_of(e));
    case ENTRY_RUN_END:
        return write_run_end(d, mgi_journal_run_of(e));
    case ENTRY_STEP_BEGIN:
        return write_step_begin(d, mgi_journal_step_of(e));
    case ENTRY_STEP_END:
        return write_step_end(d, mgi_journal_step_of(e));
    case ENTRY_PICK:
        return write_pick(d, mgi_journal_pick_of(e));
    }
    return SQLITE_MISUSE;
}
