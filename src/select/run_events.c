/* The records of a run: see run_int.h. Members are written in the order of their names. */
#include "select/run_int.h"

#include "base/encode.h"
#include "base/utf8.h"
#include "sys/digest.h"

struct record {
    struct buf text;
    struct json_writer w;
};

/* What nobody listens to is not put together: it digests what went in and out. */
static bool is_heard(const struct select_run *r)
{
    return r->options->event != NULL;
}

static struct json_writer *begin_record(struct record *r)
{
    mgi_buf_init(&r->text);
    mgi_json_writer_init(&r->w, &r->text, 0);
    mgi_jw_begin_object(&r->w);
    return &r->w;
}

static bool tell(const struct select_run *run, const char *name, struct record *r)
{
    mgi_jw_end_object(&r->w);
    bool told = !r->text.oom;
    if (told) {
        struct select_event event = { run->steps, name, mgi_buf_view(&r->text) };
        run->options->event(run->options->context, &event);
    }
    mgi_buf_fini(&r->text);
    return told;
}

bool mgi_event_menu_built(const struct select_run *r)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_int(w, "entries", (int64_t)r->menu->count);
    mgi_jw_member_cstr(w, "menu_digest", r->menu->digest);
    mgi_jw_member_str(w, "state_digest", r->view.state_digest);
    return tell(r, "menu_built", &record);
}

bool mgi_event_selector(const struct select_run *r, bool policy, const struct selection *s,
                        const char *failure)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    struct str raw = s->raw;
    if (raw.len > SELECTION_RAW_BYTES)
        raw = mgi_utf8_prefix(raw, SELECTION_RAW_BYTES);
    if (failure)
        mgi_jw_member_cstr(w, "failure", failure);
    mgi_jw_member_cstr(w, "kind", mgi_selection_kind_name(s->kind));
    mgi_jw_member_str(w, "raw", raw);
    return tell(r, policy ? "selector_policy_raw" : "selector_fallback_raw", &record);
}

bool mgi_event_chosen(const struct select_run *r, const struct selection *s)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    const struct menu_entry *e = s->kind == SELECTION_PICK ? mgi_menu_find(r->menu, s->sid) : NULL;
    char sid[SID_CHARS + 1];
    if (e)
        mgi_jw_member_str(w, "aid", e->aid);
    if (s->fault)
        mgi_jw_member_cstr(w, "fault", s->fault);
    mgi_jw_member_cstr(w, "kind", mgi_selection_kind_name(s->kind));
    if (s->kind == SELECTION_PICK) {
        mgi_sid_print(s->sid, sid);
        mgi_jw_member_cstr(w, "sid", sid);
    }
    return tell(r, "selector_chosen", &record);
}

bool mgi_event_patched(const struct select_run *r, const struct patched *p)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_strs(w, "applied", p->applied, p->applied_count);
    mgi_jw_member_strs(w, "dropped", p->dropped, p->dropped_count);
    mgi_jw_member_int(w, "dropped_count", (int64_t)p->dropped_count);
    return tell(r, "inputs_patched", &record);
}

bool mgi_event_invalid_pick(const struct select_run *r, struct str why)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_int(w, "invalid_picks", r->invalid_picks);
    mgi_jw_member_str(w, "reason", mgi_utf8_prefix(why, RUN_ERROR_BYTES));
    return tell(r, "invalid_pick", &record);
}

/* Lengths and digests instead of what went in and out (T-AUD-6). */
bool mgi_event_outcome(const struct select_run *r, const struct select_outcome *o)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    bool ok = o->status == SELECT_STATUS_OK;
    uint8_t sum[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    mgi_jw_member_str(w, "aid", r->call.aid);
    if (!ok && o->code.len > 0)
        mgi_jw_member_str(w, "code", o->code);
    if (ok && o->state_digest.len > 0)
        mgi_jw_member_str(w, "ds_digest", o->state_digest);
    mgi_jw_member_int(w, "duration_ms", o->duration_ms);
    if (!ok)
        mgi_jw_member_str(w, "err", mgi_utf8_prefix(o->error, RUN_ERROR_BYTES));
    mgi_jw_member_cstr(w, "input_sha256", r->input_digest);
    if (ok) {
        mgi_jw_member_int(w, "output_bytes", (int64_t)o->output.len);
        record.text.oom |= !mgi_sha256(o->output.ptr, o->output.len, sum);
        mgi_hex(sum, sizeof sum, hex);
        mgi_jw_member_cstr(w, "output_sha256", hex);
    }
    mgi_jw_member_cstr(w, "status", mgi_select_status_name(o->status));
    return tell(r, ok ? "tool_ok" : "tool_error", &record);
}

bool mgi_event_ask_sup(const struct select_run *r, struct str question)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_str(w, "question", question);
    mgi_jw_member_int(w, "slot", RUN_QUESTION_SLOT);
    return tell(r, "ask_sup", &record);
}

bool mgi_event_noop(const struct select_run *r)
{
    if (!is_heard(r))
        return true;
    struct record record;
    begin_record(&record);
    return tell(r, "noop", &record);
}

bool mgi_event_goal_done(const struct select_run *r)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_str(w, "goal", r->options->goal.id);
    mgi_jw_key(w, "slots");
    mgi_jw_begin_array(w);
    for (int n = 0; n < 8; n++)
        if (r->options->goal.slots & r->view.slots_used & 1u << n)
            mgi_jw_int(w, n);
    mgi_jw_end_array(w);
    return tell(r, "goal_done", &record);
}

bool mgi_event_loop_guard(const struct select_run *r)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_int(w, "meetings", RUN_MEETINGS);
    mgi_jw_member_cstr(w, "menu_digest", r->menu->digest);
    mgi_jw_member_str(w, "state_digest", r->view.state_digest);
    return tell(r, "loop_guard_triggered", &record);
}

bool mgi_event_breaker(const struct select_run *r, enum select_end why)
{
    if (!is_heard(r))
        return true;
    struct record record;
    struct json_writer *w = begin_record(&record);
    mgi_jw_member_int(w, "invalid_picks", r->invalid_picks);
    mgi_jw_member_cstr(w, "reason", mgi_select_end_name(why));
    mgi_jw_member_int(w, "steps", r->steps);
    return tell(r, "breaker", &record);
}
