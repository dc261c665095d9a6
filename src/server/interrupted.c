/* What the journal knows of an invocation that began under an idempotency key and of which the
 * store has no outcome: the server was killed while it ran, or the outcome could not be kept.
 * Nothing runs twice: if a step with effects may have been sent, the answer says what became of
 * each step; if surely none was, it may run. */
#include "server/server_int.h"

/* ---- the answer ---------------------------------------------------------------------------------
 */

static bool has_ended(const struct journal_record *run)
{
    return run->outcome != JOURNAL_INTERRUPTED && run->outcome != JOURNAL_OPEN;
}

static size_t count_steps(const struct journal_record *run, enum journal_came_to came_to)
{
    size_t count = 0;
    for (size_t i = 0; i < run->plan_named; i++)
        count += mgi_journal_record_came_to(run, i) == came_to;
    return count;
}

static void write_steps(struct json_writer *w, const char *name, const struct journal_record *run,
                        enum journal_came_to came_to)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < run->plan_named; i++)
        if (mgi_journal_record_came_to(run, i) == came_to)
            mgi_jw_string(w, run->plan[i]);
    mgi_jw_end_array(w);
}

static bool is_undone(const struct journal_step_record *undo)
{
    return undo && undo->outcome == JOURNAL_OK && !undo->indeterminate;
}

static void write_compensated(struct json_writer *w, const struct journal_record *run)
{
    mgi_jw_key(w, "compensated");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < run->plan_named; i++)
        if (mgi_journal_record_is_undone(run, i))
            mgi_jw_string(w, run->plan[i]);
    mgi_jw_end_array(w);
}

static void write_not_undone(struct json_writer *w, const struct journal_step_record *s,
                             const char *reason)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "step", s->name);
    if (s->item >= 0)
        mgi_jw_member_int(w, "item", s->item);
    mgi_jw_member_cstr(w, "reason", reason);
    mgi_jw_end_object(w);
}

/* Undoing had begun, and was not through with these. */
static void write_not_compensated(struct json_writer *w, const struct journal_record *run)
{
    mgi_jw_key(w, "not_compensated");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < run->step_count; i++) {
        const struct journal_step_record *s = &run->steps[i];
        if (s->tier == 0 || !s->is_last)
            continue;
        if (s->indeterminate || s->outcome == JOURNAL_OPEN)
            write_not_undone(w, s, "indeterminate");
        if (s->indeterminate || s->outcome != JOURNAL_OK)
            continue;
        const struct journal_step_record *undo = s->undo;
        if (!is_undone(undo))
            write_not_undone(w, s,
                             !undo ? "not_begun"
                             : undo->indeterminate || undo->outcome == JOURNAL_OPEN
                                 ? "indeterminate"
                                 : "failed");
    }
    mgi_jw_end_array(w);
}

static bool is_indeterminate(const struct journal_record *run)
{
    for (size_t i = 0; i < run->step_count; i++)
        if (run->steps[i].tier > 0 &&
            (run->steps[i].indeterminate || run->steps[i].outcome == JOURNAL_OPEN))
            return true;
    return false;
}

static bool has_compensation(const struct journal_record *run)
{
    for (size_t i = 0; i < run->step_count; i++)
        if (run->steps[i].compensation)
            return true;
    return false;
}

/* What was picked of a menu, call by call: its place alone would not say how far it was. */
static void write_picked(struct json_writer *w, const struct request *r,
                         const struct journal_record *run)
{
    bool any = false;
    for (size_t i = 0; i < run->step_count; i++) {
        const struct journal_step_record *s = &run->steps[i];
        const struct action *action = mgi_snapshot_action(r->served->snapshot, s->action);
        if (s->compensation || s->outcome == JOURNAL_NOT_SENT ||
            !mgi_journal_record_is_menu(run, s->step))
            continue;
        if (!any) {
            mgi_jw_key(w, "picked");
            mgi_jw_begin_array(w);
        }
        any = true;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "step", s->name);
        mgi_jw_member_int(w, "item", s->item);
        mgi_jw_member_str(w, "action", action ? action->name : s->action);
        mgi_jw_member_cstr(w, "came_to",
                           s->indeterminate || s->outcome == JOURNAL_OPEN ? "indeterminate"
                           : s->outcome == JOURNAL_OK                     ? "completed"
                                                                          : "failed");
        mgi_jw_end_object(w);
    }
    if (any)
        mgi_jw_end_array(w);
}

static void write_details(struct json_writer *w, const struct request *r,
                          const struct journal_record *run)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "reason", "unavailable");
    mgi_jw_member_str(w, "invocation_id", run->invocation_id);
    mgi_jw_member_bool(w, "interrupted", !has_ended(run));
    write_steps(w, "completed_steps", run, JOURNAL_RAN);
    write_steps(w, "failed_steps", run, JOURNAL_RAN_AND_FAILED);
    write_steps(w, "indeterminate_steps", run, JOURNAL_MAY_HAVE_RUN);
    write_steps(w, "skipped_steps", run, JOURNAL_DID_NOT_RUN);
    if (count_steps(run, JOURNAL_UNFINISHED) > 0)
        write_steps(w, "unfinished_steps", run, JOURNAL_UNFINISHED);
    write_picked(w, r, run);
    if (has_compensation(run)) {
        write_compensated(w, run);
        write_not_compensated(w, run);
    }
    mgi_jw_member_bool(w, "indeterminate", is_indeterminate(run));
    mgi_jw_end_object(w);
}

static void tell(struct request *r, const struct journal_record *run)
{
    struct buf details = { 0 };
    struct json_writer w;
    size_t unsure = count_steps(run, JOURNAL_MAY_HAVE_RUN);
    mgi_json_writer_init(&w, &details, 0);
    write_details(&w, r, run);
    mgi_wire_error(&r->error, &r->arena, WIRE_EXECUTION_FAILED,
                   has_ended(run) ? "It ran before, but what came of it is lost. Nothing was run "
                                    "again: %zu of its %zu steps completed, %zu may have run."
                                  : "The server was stopped while this ran. Nothing was run again: "
                                    "%zu of its %zu steps completed, %zu may have run.",
                   count_steps(run, JOURNAL_RAN), run->plan_count, unsure);
    mgi_wire_details(&r->error, &r->arena, &details);
    if (r->error.details.len == 0) /* no memory for what happened: it cannot be known */
        mgi_invocation_unknown(&r->arena, &r->error);
    mgi_buf_fini(&details);
}

/* ---- the question -------------------------------------------------------------------------------
 */

static enum interrupted judge(struct request *r, enum journal_find found,
                              const struct journal_record *run)
{
    if (found == JOURNAL_UNKNOWN)
        return INTERRUPTED_UNKNOWN;
    if (found == JOURNAL_NONE)
        return INTERRUPTED_MAY_RUN;
    if (!str_is(run->fingerprint, r->once.fingerprint))
        return INTERRUPTED_OTHER;
    if (!mgi_journal_record_acted(run))
        return INTERRUPTED_MAY_RUN;
    tell(r, run);
    return INTERRUPTED_TOLD;
}

enum interrupted mgi_interrupted_witness(struct request *r, struct str witness)
{
    struct journal *journal = r->server->options.journal;
    struct journal_record run;
    if (!journal)
        return INTERRUPTED_UNKNOWN;
    return judge(r, mgi_journal_find_witness(journal, witness, &r->arena, &run), &run);
}

enum interrupted mgi_interrupted_key(struct request *r)
{
    struct journal *journal = r->server->options.journal;
    struct journal_record run;
    uint8_t key[JOURNAL_KEY_BYTES];
    if (!journal)
        return INTERRUPTED_MAY_RUN;
    if (!mgi_journal_key(mgi_principal_caller(r->who), r->once.key, key))
        return INTERRUPTED_UNKNOWN;
    return judge(r, mgi_journal_find_key(journal, key, STORE_ONCE_NS, &r->arena, &run), &run);
}
