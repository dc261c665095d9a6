/* What a decision log says of an invocation: which tool it was, and what each step came to. Values
 * are not here: arguments and results go through the mask of whoever writes the record. */
#include "decision/mask.h"
#include "invoke/invoke_int.h"

const struct tool *mgi_invocation_tool(const struct invocation *inv)
{
    return inv->tool;
}

/* What a menu led to, in order. */
static void write_picks(struct json_writer *w, const struct step_run *run)
{
    mgi_jw_key(w, "picked");
    mgi_jw_begin_array(w);
    for (size_t i = 0; run->items && i < run->item_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "action", run->items[i].option->action->aid);
        mgi_jw_member_cstr(w, "status", mgi_select_status_name(run->items[i].status));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_step(struct json_writer *w, const struct step_run *run)
{
    static const char *const names[] = { "skipped", "success", "failure", "skipped" };
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "step", run->step->id);
    if (run->step->action)
        mgi_jw_member_str(w, "action", run->step->action->aid);
    mgi_jw_member_cstr(w, "status", names[run->state]);
    if (run->state == STEP_SUCCESS || run->state == STEP_FAILURE)
        mgi_jw_member_int(w, "ms", run->duration_ms);
    if (run->step->has_foreach && run->known)
        mgi_jw_member_int(w, "items", (int64_t)run->item_count);
    if (run->step->menu)
        write_picks(w, run);
    else if (run->attempts > (run->step->has_foreach ? run->item_count : 1))
        mgi_jw_member_int(w, "calls", run->attempts);
    if (run->indeterminate)
        mgi_jw_member_bool(w, "indeterminate", true);
    mgi_jw_end_object(w);
}

/* What was undone, the last first: as steps that undo others. */
static void record_undone(const struct invocation *inv, struct json_writer *w)
{
    static const char *const names[] = { "skipped", "success", "failure", "skipped" };
    for (const struct item_run *item = inv->last_done; inv->undone && item;
         item = item->done_before) {
        const struct step *step = item->run->step;
        const struct action *undo = mgi_item_undo(item)->action;
        if (!undo)
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "undoes", step->id);
        mgi_jw_member_str(w, "action", undo->aid);
        mgi_jw_member_cstr(w, "status", names[item->undo.state]);
        if (item->undo.state != STEP_PENDING)
            mgi_jw_member_int(w, "ms", item->undo.duration_ms);
        mgi_jw_end_object(w);
    }
}

/* Whose the approval was is a person's name, like that of who asks. The challenge is named by the
 * invocation that asked. */
static void write_consent(const struct invocation *inv, struct json_writer *w, struct mask *m)
{
    static const char *const names[] = { [CONSENT_WAIVED] = "automated",
                                         [CONSENT_SIGNED] = "signed",
                                         [CONSENT_APPROVED] = "approved",
                                         [CONSENT_CLIENT_MADE] = "client_made" };
    if (inv->consent == CONSENT_NONE)
        return;
    mgi_jw_key(w, "consent");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "how", names[inv->consent]);
    if (inv->consent == CONSENT_APPROVED) {
        mgi_jw_key(w, "by");
        mgi_mask_argument_text(m, w, "client_identity", 0, inv->approver);
    }
    if (inv->nonce.ptr)
        mgi_jw_member_str(w, "challenge", inv->nonce);
    mgi_jw_end_object(w);
}

void mgi_invocation_record(const struct invocation *inv, struct json_writer *w, struct mask *m)
{
    mgi_jw_member_str(w, "invocation", inv->call.invocation_id);
    if (inv->call.header) {
        mgi_jw_key(w, "run");
        mgi_jw_begin_object(w);
        mgi_run_header_write(w, inv->call.header);
        mgi_jw_end_object(w);
    }
    if (!inv->tool)
        return;
    mgi_jw_member_str(w, "tool", inv->tool->name);
    mgi_jw_member_str(w, "intent", inv->macro.intent);
    mgi_jw_member_str(w, "macro_rules", inv->macro.rules_version);
    write_consent(inv, w, m);
    mgi_jw_key(w, "steps");
    mgi_jw_begin_array(w);
    for (size_t i = 0; inv->runs && i < inv->run_count; i++)
        if (inv->runs[i].step)
            write_step(w, &inv->runs[i]);
    mgi_jw_end_array(w);
    if (inv->undone) {
        mgi_jw_key(w, "undone");
        mgi_jw_begin_array(w);
        record_undone(inv, w);
        mgi_jw_end_array(w);
    }
}

/* What is masked of what the tool said, rules may have put elsewhere. */
static void hide_said(const struct invocation *inv, struct mask *m)
{
    struct buf scratch = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &scratch, 0);
    mgi_mask_result(m, &w, inv->tool, inv->said);
    mgi_buf_fini(&scratch);
}

/* What facts have narrowed a parameter to, or bound, may be masked where it came from. */
void mgi_invocation_hide(const struct invocation *inv, struct mask *m)
{
    if (inv->said)
        hide_said(inv, m);
    const struct json *properties = mgi_json_get(&inv->macro.input_schema, "properties");
    bool narrowed = inv->tool && !str_eq(inv->macro.input_schema.text, inv->tool->input_text);
    for (size_t i = 0; i < inv->macro.bound_count; i++)
        mgi_mask_remember(m, &inv->macro.bound[i].value);
    for (uint32_t i = 0;
         narrowed && properties && properties->type == JSON_OBJECT && i < properties->count; i++) {
        const struct json *values = mgi_json_get(&properties->members[i].value, "enum");
        const struct json *value = mgi_json_get(&properties->members[i].value, "const");
        if (values)
            mgi_mask_remember(m, values);
        if (value)
            mgi_mask_remember(m, value);
    }
}

const char *mgi_invocation_masked(struct invocation *inv, const struct json *result,
                                  const char *text)
{
    struct mask m;
    struct buf scratch = { 0 };
    struct json_writer w;
    const struct str no_key = { "", 0 };
    if (inv->snapshot->masking.count == 0)
        return text;
    mgi_mask_init(&m, inv->snapshot, inv->arena, no_key);
    mgi_json_writer_init(&w, &scratch, 0);
    mgi_jw_begin_array(&w);
    mgi_invocation_hide(inv, &m);
    mgi_mask_args(&m, &w, inv->tool, inv->sent_args); /* what it hides, it remembers */
    if (result)
        mgi_mask_result(&m, &w, inv->tool, result);
    mgi_buf_clear(&scratch);
    mgi_mask_plain(&m, &scratch, str_of(text));
    const char *clean =
        scratch.oom ? NULL : mgi_arena_strdup(inv->arena, scratch.ptr ? scratch.ptr : "");
    mgi_buf_fini(&scratch);
    mgi_mask_fini(&m);
    return clean ? clean : "something failed";
}
