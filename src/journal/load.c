/* Runs out of the file, into an arena. */
#include "base/encode.h"
#include "journal/journal_int.h"

static struct str text_of(sqlite3_stmt *st, int at, struct arena *arena)
{
    const void *bytes = sqlite3_column_blob(st, at);
    return mgi_arena_str(arena, (struct str){ bytes, (size_t)sqlite3_column_bytes(st, at) });
}

static enum journal_outcome outcome_of(sqlite3_stmt *st, int at)
{
    int n = sqlite3_column_int(st, at);
    return n >= JOURNAL_OPEN && n <= JOURNAL_INTERRUPTED ? (enum journal_outcome)n : JOURNAL_OPEN;
}

/* One name a line. */
static void read_plan(struct journal_record *r, struct arena *arena, struct str text)
{
    size_t named = text.len > 0;
    for (size_t i = 0; i < text.len; i++)
        named += text.ptr[i] == '\n';
    struct str *names = mgi_arena_calloc(arena, named + 1, sizeof *names);
    r->plan_named = 0;
    r->plan = names;
    for (size_t i = 0, from = 0; names && text.len > 0 && i <= text.len; i++) {
        if (i < text.len && text.ptr[i] != '\n')
            continue;
        names[r->plan_named++] = (struct str){ text.ptr + from, i - from };
        from = i + 1;
    }
}

static void read_run(sqlite3_stmt *st, struct arena *arena, struct journal_record *r,
                     int64_t *opening)
{
    *r = (struct journal_record){
        .invocation_id = text_of(st, 2, arena),
        .run_id = text_of(st, 3, arena),
        .spec_version = text_of(st, 4, arena),
        .profile_id = text_of(st, 5, arena),
        .request_id = text_of(st, 6, arena),
        .macro_id = text_of(st, 7, arena),
        .tool = text_of(st, 8, arena),
        .caller = text_of(st, 9, arena),
        .has_key = sqlite3_column_int(st, 10) != 0,
        .fingerprint = text_of(st, 11, arena),
        .plan_count = (size_t)sqlite3_column_int64(st, 13),
        .has_effects = sqlite3_column_int(st, 14) != 0,
        .began_ns = sqlite3_column_int64(st, 15),
        .ended_ns = sqlite3_column_int64(st, 16),
        .outcome = outcome_of(st, 17),
        .unrecorded = (uint64_t)sqlite3_column_int64(st, 18),
    };
    *opening = sqlite3_column_int64(st, 1);
    read_plan(r, arena, text_of(st, 12, arena));
    if (r->plan_named > r->plan_count) /* not by our hand */
        r->plan_named = r->plan_count;
}

static const char steps_of_run[] =
    "SELECT step,item,attempt,compensation,name,action,tier,input,began,ended,outcome,"
    "indeterminate,output,output_bytes,ms,patch_sha,patch_bytes,patch,seq FROM step WHERE run=?1"
    " ORDER BY seq";

static void read_step(sqlite3_stmt *st, struct arena *arena, struct journal_step_record *s)
{
    *s = (struct journal_step_record){
        .step = (uint32_t)sqlite3_column_int64(st, 0),
        .item = sqlite3_column_int(st, 1),
        .attempt = (uint32_t)sqlite3_column_int64(st, 2),
        .compensation = sqlite3_column_int(st, 3) != 0,
        .name = text_of(st, 4, arena),
        .action = text_of(st, 5, arena),
        .tier = sqlite3_column_int(st, 6),
        .input_sha256 = text_of(st, 7, arena),
        .began_ns = sqlite3_column_int64(st, 8),
        .ended_ns = sqlite3_column_int64(st, 9),
        .outcome = outcome_of(st, 10),
        .indeterminate = sqlite3_column_int(st, 11) != 0,
        .output_sha256 = text_of(st, 12, arena),
        .output_bytes = (uint64_t)sqlite3_column_int64(st, 13),
        .duration_ms = sqlite3_column_int64(st, 14),
        .patch_sha256 = text_of(st, 15, arena),
        .patch_bytes = (uint64_t)sqlite3_column_int64(st, 16),
        .patch = text_of(st, 17, arena),
        .seq = (uint32_t)sqlite3_column_int64(st, 18),
    };
}

static int load_steps(sqlite3 *db, int64_t no, struct arena *arena, struct journal_record *r,
                      struct journal_step_record **out)
{
    sqlite3_stmt *st = NULL;
    struct journal_step_record *steps = NULL;
    size_t cap = 0;
    int rc = sqlite3_prepare_v2(db, steps_of_run, -1, &st, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(st, 1, no);
    while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        rc = SQLITE_NOMEM;
        if (!mgi_arena_grow(arena, &steps, &cap, r->step_count + 1, sizeof *steps))
            break;
        read_step(st, arena, &steps[r->step_count++]);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(st);
    *out = steps;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Files that nobody has opened since to write may be of an earlier layout: of the second, which has
 * no modes, or of the first, without picks. */
#define PICKS_OF_RUN(mode)                                                                         \
    "SELECT seq,step,turn,at,name,picker,kind,sid,action,raw,in_order," mode                       \
    " FROM pick WHERE run=?1 ORDER BY seq"
static const char *const picks_of_run[] = { PICKS_OF_RUN("mode"), PICKS_OF_RUN("''") };

static void read_pick(sqlite3_stmt *st, struct arena *arena, struct journal_pick_record *p)
{
    *p = (struct journal_pick_record){
        .seq = (uint32_t)sqlite3_column_int64(st, 0),
        .step = (uint32_t)sqlite3_column_int64(st, 1),
        .turn = (uint32_t)sqlite3_column_int64(st, 2),
        .at_ns = sqlite3_column_int64(st, 3),
        .name = text_of(st, 4, arena),
        .by = text_of(st, 5, arena),
        .kind = text_of(st, 6, arena),
        .sid = text_of(st, 7, arena),
        .action = text_of(st, 8, arena),
        .raw = text_of(st, 9, arena),
        .in_order = sqlite3_column_int(st, 10) != 0,
        .mode = text_of(st, 11, arena),
    };
}

static int load_picks(sqlite3 *db, int64_t no, struct arena *arena, struct journal_record *r)
{
    sqlite3_stmt *st = NULL;
    struct journal_pick_record *picks = NULL;
    size_t cap = 0;
    int rc = sqlite3_prepare_v2(db, picks_of_run[0], -1, &st, NULL);
    if (rc == SQLITE_ERROR)
        rc = sqlite3_prepare_v2(db, picks_of_run[1], -1, &st, NULL);
    if (rc == SQLITE_ERROR)
        return SQLITE_OK;
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(st, 1, no);
    while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        rc = SQLITE_NOMEM;
        if (!mgi_arena_grow(arena, &picks, &cap, r->pick_count + 1, sizeof *picks))
            break;
        read_pick(st, arena, &picks[r->pick_count++]);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(st);
    r->picks = picks;
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int mgi_journal_load(sqlite3 *db, sqlite3_stmt *st, struct arena *arena, struct journal_record *out,
                     int64_t *opening)
{
    struct journal_step_record *steps = NULL;
    read_run(st, arena, out, opening);
    int rc = load_steps(db, sqlite3_column_int64(st, 0), arena, out, &steps);
    if (rc == SQLITE_OK)
        rc = load_picks(db, sqlite3_column_int64(st, 0), arena, out);
    if (rc == SQLITE_OK && !mgi_journal_sum_up(arena, steps, out))
        rc = SQLITE_NOMEM;
    return rc == SQLITE_OK && arena->oom ? SQLITE_NOMEM : rc;
}
