/* A run as it was read: words for what became of it, and the JSON that people and programs get. */
#include "journal/read.h"

#include "base/time.h"
#include "journal/journal_int.h"

const char *const mgi_journal_outcomes[] = {
    [JOURNAL_OPEN] = "open",         [JOURNAL_OK] = "ok",
    [JOURNAL_FAILED] = "failed",     [JOURNAL_CANCELLED] = "cancelled",
    [JOURNAL_NOT_SENT] = "not_sent", [JOURNAL_INTERRUPTED] = "interrupted",
};

const char *mgi_journal_outcome_name(enum journal_outcome outcome)
{
    return mgi_journal_outcomes[outcome];
}

bool mgi_journal_record_acted(const struct journal_record *r)
{
    for (size_t i = 0; i < r->step_count; i++)
        if (r->steps[i].tier > 0 && r->steps[i].outcome != JOURNAL_NOT_SENT)
            return true;
    return false;
}

static void write_time(struct json_writer *w, const char *name, int64_t ns)
{
    char text[TIME_TEXT_BYTES];
    mgi_jw_key(w, name);
    if (ns == 0)
        mgi_jw_null(w);
    else
        mgi_jw_string(w, (struct str){ text, mgi_time_format(text, ns) });
}

static void write_digest(struct json_writer *w, const char *name, struct str sha256)
{
    if (sha256.len > 0)
        mgi_jw_member_str(w, name, sha256);
}

static void write_step(struct json_writer *w, const struct journal_step_record *s)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "step", s->name);
    mgi_jw_member_int(w, "index", s->step);
    if (s->item >= 0)
        mgi_jw_member_int(w, "item", s->item);
    if (s->attempt > 0)
        mgi_jw_member_int(w, "attempt", s->attempt);
    if (s->compensation)
        mgi_jw_member_bool(w, "compensation", true);
    mgi_jw_member_str(w, "action", s->action);
    mgi_jw_member_int(w, "tier", s->tier);
    mgi_jw_member_cstr(w, "outcome", mgi_journal_outcome_name(s->outcome));
    mgi_jw_member_bool(w, "indeterminate", s->indeterminate);
    write_time(w, "began", s->began_ns);
    write_time(w, "ended", s->ended_ns);
    write_digest(w, "input_sha256", s->input_sha256);
    if (s->output_sha256.len > 0) {
        mgi_jw_member_str(w, "output_sha256", s->output_sha256);
        mgi_jw_member_int(w, "output_bytes", (int64_t)s->output_bytes);
    }
    if (s->outcome != JOURNAL_OPEN && s->outcome != JOURNAL_INTERRUPTED)
        mgi_jw_member_int(w, "ms", s->duration_ms);
    if (s->patch_sha256.len > 0) {
        mgi_jw_member_str(w, "tx_patch_sha256", s->patch_sha256);
        mgi_jw_member_int(w, "tx_patch_bytes", (int64_t)s->patch_bytes);
    }
    if (s->patch.len > 0)
        mgi_jw_member_str(w, "tx_patch", s->patch);
    mgi_jw_end_object(w);
}

static void write_pick_row(struct json_writer *w, const struct journal_pick_record *p)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "step", p->name);
    mgi_jw_member_int(w, "index", p->step);
    mgi_jw_member_int(w, "turn", p->turn);
    mgi_jw_member_str(w, "kind", p->kind);
    if (p->by.len > 0)
        mgi_jw_member_str(w, "by", p->by);
    if (p->mode.len > 0)
        mgi_jw_member_str(w, "mode", p->mode);
    if (p->sid.len > 0)
        mgi_jw_member_str(w, "sid", p->sid);
    if (p->action.len > 0)
        mgi_jw_member_str(w, "action", p->action);
    mgi_jw_member_str(w, "raw", p->raw);
    if (str_is(p->kind, "END"))
        mgi_jw_member_bool(w, "in_order", p->in_order);
    write_time(w, "at", p->at_ns);
    mgi_jw_end_object(w);
}

static void write_head(struct json_writer *w, const struct journal_record *r)
{
    mgi_jw_member_str(w, "invocation", r->invocation_id);
    mgi_jw_member_str(w, "spec_version", r->spec_version);
    mgi_jw_member_str(w, "profile_id", r->profile_id);
    mgi_jw_member_str(w, "run_id", r->run_id);
    if (r->request_id.len > 0)
        mgi_jw_member_str(w, "request_id", r->request_id);
    mgi_jw_member_str(w, "macro_id", r->macro_id);
    mgi_jw_member_str(w, "tool", r->tool);
    mgi_jw_member_str(w, "caller", r->caller);
    mgi_jw_member_bool(w, "idempotency_key", r->has_key);
    mgi_jw_member_bool(w, "effects", r->has_effects);
    write_time(w, "began", r->began_ns);
    write_time(w, "ended", r->ended_ns);
    mgi_jw_member_cstr(w, "outcome",
                       r->outcome == JOURNAL_OPEN
                           ? (r->live ? "running" : mgi_journal_outcomes[JOURNAL_INTERRUPTED])
                           : mgi_journal_outcome_name(r->outcome));
    mgi_jw_member_int(w, "chain", (int64_t)r->plan_count);
    if (r->unrecorded > 0)
        mgi_jw_member_int(w, "unrecorded", (int64_t)r->unrecorded);
}

void mgi_journal_record_write(struct json_writer *w, const struct journal_record *r, bool steps)
{
    mgi_jw_begin_object(w);
    write_head(w, r);
    if (steps) {
        mgi_jw_key(w, "steps");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < r->step_count; i++)
            write_step(w, &r->steps[i]);
        mgi_jw_end_array(w);
        if (r->pick_count > 0) {
            mgi_jw_key(w, "picks");
            mgi_jw_begin_array(w);
            for (size_t i = 0; i < r->pick_count; i++)
                write_pick_row(w, &r->picks[i]);
            mgi_jw_end_array(w);
        }
        mgi_jw_key(w, "did_not_run");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < r->plan_named; i++)
            if (mgi_journal_record_came_to(r, i) == JOURNAL_DID_NOT_RUN)
                mgi_jw_string(w, r->plan[i]);
        mgi_jw_end_array(w);
    } else {
        mgi_jw_member_int(w, "steps", (int64_t)r->step_count);
    }
    mgi_jw_end_object(w);
}
