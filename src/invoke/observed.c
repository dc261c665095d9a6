/* What is told of a run: an event per step, in the order of the list, and one per compensation, in
 * the order in which they ran; no more than the domain says, failures first (toolhost.md 11.3). */
#include "base/time.h"
#include "base/utf8.h"
#include "invoke/invoke_int.h"

size_t mgi_count_state(const struct invocation *inv, enum step_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < inv->run_count; i++)
        n += inv->runs[i].state == state;
    return n;
}

bool mgi_was_cut(const struct invocation *inv)
{
    bool cut = inv->chain_ended;
    for (size_t i = 0; i < inv->run_count; i++)
        cut |= inv->runs[i].cut;
    return cut && atomic_load(&inv->cancelled);
}

static void write_event(struct json_writer *w, const struct step_run *run)
{
    static const char *const names[] = { "skipped", "success", "failure", "skipped" };
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "action", mgi_run_name(run));
    mgi_jw_member_cstr(w, "status", names[run->state]);
    if (run->state == STEP_SUCCESS || run->state == STEP_FAILURE)
        mgi_jw_member_int(w, "duration_ms", run->duration_ms);
    if (run->detail.len > 0)
        mgi_jw_member_str(w, "detail", run->detail);
    mgi_jw_end_object(w);
}

static void write_undo_event(struct invocation *inv, struct json_writer *w,
                             const struct item_run *item)
{
    const struct step *step = item->run->step;
    const struct action *undo = mgi_item_undo(item)->action;
    bool good = item->undo.state == STEP_SUCCESS;
    size_t at = (size_t)(item - item->run->items);
    const char *which =
        mgi_run_has_items(item->run) ? mgi_arena_printf(inv->arena, ", item %zu", at) : "";
    const char *detail = mgi_arena_printf(
        inv->arena, "undoes %.*s%s%s%.*s", STR_ARG(step->id), which ? which : "",
        good && item->undo.detail.len ? ": " : "", STR_ARG(good ? item->undo.detail : STR_LIT("")));
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "action", undo->name);
    mgi_jw_member_cstr(w, "status", good ? "success" : "failure");
    mgi_jw_member_int(w, "duration_ms", item->undo.duration_ms);
    if (detail)
        mgi_jw_member_str(w, "detail", mgi_utf8_prefix(str_of(detail), 200));
    mgi_jw_end_object(w);
}

/* Compensations that ran; failures among them. */
static size_t count_undos(const struct invocation *inv, size_t *failures)
{
    size_t count = 0;
    *failures = 0;
    for (const struct item_run *item = inv->last_done; item; item = item->done_before) {
        count += item->undo.state != STEP_PENDING;
        *failures += item->undo.state == STEP_FAILURE;
    }
    return count;
}

/* Which events are kept: failures first, then the others, in order: steps as they stand in the
 * list, then what undid them (D-52). */
static void write_events(struct invocation *inv, struct json_writer *w)
{
    size_t undo_failures, max = inv->snapshot->settings.max_events;
    (void)count_undos(inv, &undo_failures);
    size_t failures = mgi_count_state(inv, STEP_FAILURE) + undo_failures, written = 0;
    size_t others = max > failures ? max - failures : 0;
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->run_count && written < max; i++) {
        bool failure = inv->runs[i].state == STEP_FAILURE;
        bool to_come = inv->asking && inv->runs[i].state == STEP_PENDING;
        if (to_come || (!failure && others == 0))
            continue;
        others -= !failure;
        write_event(w, &inv->runs[i]);
        written++;
    }
    for (const struct item_run *item = inv->last_done; item && written < max;
         item = item->done_before) {
        bool failure = item->undo.state == STEP_FAILURE;
        if (item->undo.state == STEP_PENDING || (!failure && others == 0))
            continue;
        others -= !failure;
        write_undo_event(inv, w, item);
        written++;
    }
    mgi_jw_end_array(w);
}

static void write_summary(struct invocation *inv, struct json_writer *w, struct str own)
{
    struct buf text = { 0 };
    size_t done = mgi_count_state(inv, STEP_SUCCESS), failures = mgi_count_state(inv, STEP_FAILURE);
    if (own.len > 0) {
        mgi_buf_str(&text, own);
    } else {
        mgi_buf_printf(&text, "Ran %zu of %zu action%s of %.*s", done, inv->run_count,
                       inv->run_count == 1 ? "" : "s", STR_ARG(inv->tool->name));
        if (failures > 0)
            mgi_buf_printf(&text, "; %zu failed", failures);
        mgi_buf_putc(&text, '.');
    }
    size_t undo_failures, events = inv->run_count + count_undos(inv, &undo_failures);
    if (events > inv->snapshot->settings.max_events)
        mgi_buf_printf(&text, " %zu events are left out.",
                       events - inv->snapshot->settings.max_events);
    mgi_jw_member_str(w, "summary", mgi_buf_view(&text));
    mgi_buf_fini(&text);
}

static void write_warnings(struct json_writer *w, const char *incomplete)
{
    mgi_jw_key(w, "warnings");
    mgi_jw_begin_array(w);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", "effects_incomplete");
    mgi_jw_member_cstr(w, "message", incomplete);
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
}

void mgi_completed_write(const struct invocation *inv, struct json_writer *w)
{
    mgi_jw_key(w, "completed_steps");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->run_count; i++)
        if (inv->runs[i].state == STEP_SUCCESS)
            mgi_jw_string(w, inv->runs[i].step->id);
    mgi_jw_end_array(w);
}

void mgi_observability_write(struct invocation *inv, struct json_writer *w, struct str summary,
                             const char *incomplete)
{
    mgi_jw_key(w, "observability");
    mgi_jw_begin_object(w);
    write_summary(inv, w, summary);
    mgi_jw_key(w, "events");
    write_events(inv, w);
    mgi_jw_member_int(w, "duration_ms", ((int64_t)uv_hrtime() - inv->begun_ns) / NS_PER_MS);
    if (incomplete)
        write_warnings(w, incomplete);
    mgi_jw_end_object(w);
}
