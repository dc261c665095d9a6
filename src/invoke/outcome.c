/* The end of an invocation: one of two outcomes, a result or a failure, and what happened either
 * way (D-50, toolhost.md 11.2, 11.3). */
#include "base/time.h"
#include "invoke/invoke_int.h"
#include "protocol/schema.h"

/* ---- the result -------------------------------------------------------------------------- */

/* NULL: it does not fit the tool's output schema; *reason and *what say so. */
static const struct json *check_result(struct invocation *inv, const struct json *result,
                                       const char **reason, const char **what)
{
    struct schema_issues issues;
    if (!inv->tool->output)
        return result;
    mgi_schema_issues_init(&issues, inv->arena, 4);
    if (mgi_schema_validate(inv->tool->output, result, &issues))
        return result;
    /* What is left of a chain that ended early is tried for a result, and seldom is one: what went
     * wrong there is told already. */
    if (issues.count > 0 && !inv->chain_ended)
        mgi_log(inv->call.log, LOG_ERROR, "%.*s: its result breaks its output schema at \"%s\": %s",
                STR_ARG(inv->tool->name), issues.items[0].path,
                mgi_invocation_masked(inv, result, issues.items[0].message));
    *reason = "bad_output";
    *what = "the result does not fit the tool's output schema";
    return NULL;
}

/* Compose the result object; check it, unless rules have yet to add to it. NULL: there is none;
 * *reason and *what say why. */
static const struct json *compose_result(struct invocation *inv, const char **reason,
                                         const char **what)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json *result = mgi_arena_calloc(inv->arena, 1, sizeof *result);
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    struct source_view view = { .inv = inv, .arena = inv->arena };
    *reason = "bad_output";
    *what = "the server ran out of memory";
    mgi_json_writer_init(&w, &text, 0);
    if (!result || mgi_source_write(&view, &w, &inv->tool->result, what) != SOURCE_WRITTEN) {
        mgi_buf_fini(&text);
        return NULL;
    }
    struct str kept = mgi_arena_str(inv->arena, mgi_buf_view(&text));
    bool ok = !text.oom && kept.ptr &&
              mgi_json_parse(inv->arena, kept, &options, result, NULL) == JSON_OK;
    mgi_buf_fini(&text);
    if (!ok)
        return NULL;
    *what = "the result is not an object";
    if (result->type != JSON_OBJECT)
        return NULL;
    return inv->snapshot->rules_answer ? result : check_result(inv, result, reason, what);
}

/* The result with what rules say of it. NULL: memory. */
static const struct json *with_members(struct invocation *inv, const struct json *result,
                                       const struct json *members)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json *both = mgi_arena_calloc(inv->arena, 1, sizeof *both);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < result->count; i++)
        if (!mgi_json_get_str(members, result->members[i].name)) {
            mgi_jw_key_str(&w, result->members[i].name);
            mgi_jw_value(&w, &result->members[i].value);
        }
    for (uint32_t i = 0; i < members->count; i++) {
        mgi_jw_key_str(&w, members->members[i].name);
        mgi_jw_value(&w, &members->members[i].value);
    }
    mgi_jw_end_object(&w);
    if (both && mgi_json_take(inv->arena, &text, both))
        return both;
    mgi_buf_fini(&text);
    return NULL;
}

/* A result may lack what rules were to put into it: then what kept these from it is the cause. */
static const char *without_rules(struct invocation *inv, const struct effects *effects,
                                 const char *what)
{
    if (!effects->partly_told)
        return what;
    struct str why = str_of(effects->incomplete);
    why.len -= mgi_str_ends(why, STR_LIT(".")); /* a sentence within one */
    const char *both =
        mgi_arena_printf(inv->arena, "%s: rules could not complete it (%.*s)", what, STR_ARG(why));
    return both ? both : what;
}

/* What the client gets, once the rules have spoken. */
static const struct json *complete_result(struct invocation *inv, const struct json *result,
                                          const struct effects *effects, const char **reason,
                                          const char **what)
{
    if (!inv->snapshot->rules_answer)
        return result;
    if (effects->members)
        result = with_members(inv, result, effects->members);
    *reason = "bad_output";
    *what = "the server ran out of memory";
    if (!result)
        return NULL;
    result = check_result(inv, result, reason, what);
    if (!result)
        *what = without_rules(inv, effects, *what);
    return result;
}

/* ---- a result ---------------------------------------------------------------------------- */

static void write_next(struct invocation *inv, struct json_writer *w, const struct effects *effects)
{
    mgi_jw_key(w, "next");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "suggested_intents");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < effects->suggestion_count; i++)
        mgi_suggestion_write(inv, w, &effects->suggestions[i]);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "continuation_facts");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < effects->continuation.count; i++) {
        const struct delta_fact *f = &effects->continuation.items[i];
        mgi_fact_write(w, inv->values, f->pred, f->args, f->count, f->has_t ? &f->t : NULL, NULL,
                       NULL);
    }
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void write_result(struct invocation *inv, const struct json *result,
                         const struct effects *effects, struct buf *out)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "result");
    mgi_jw_value(&w, result);
    mgi_jw_key(&w, "state_delta");
    mgi_delta_write(inv, &w);
    if (effects->incomplete)
        mgi_jw_member_bool(&w, "effects_complete", false);
    mgi_observability_write(inv, &w, effects->summary, effects->incomplete);
    write_next(inv, &w, effects);
    mgi_jw_end_object(&w);
}

/* ---- a failure --------------------------------------------------------------------------- */

/* Whose effects are not known: steps that failed so, and were not tried again with success. */
static void write_indeterminate(const struct invocation *inv, struct json_writer *w)
{
    mgi_jw_key(w, "indeterminate_steps");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->run_count; i++)
        if (inv->runs[i].indeterminate)
            mgi_jw_string(w, inv->runs[i].step->id);
    mgi_jw_end_array(w);
}

/* All that was done of it is undone, and nothing is left that nobody knows of. */
static bool is_undone(const struct invocation *inv, const struct step_run *run)
{
    bool any = false;
    for (const struct item_run *item = inv->last_done; item; item = item->done_before) {
        if (item->run != run)
            continue;
        if (item->undo.state != STEP_SUCCESS)
            return false;
        any = true;
    }
    return any && !run->indeterminate;
}

static void write_not_undone(struct json_writer *w, const struct step_run *run, size_t at,
                             const char *reason)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "step", run->step->id);
    if (mgi_run_has_items(run))
        mgi_jw_member_int(w, "item", (int64_t)at);
    if (run->step->menu)
        mgi_jw_member_str(w, "action", run->items[at].option->action->name);
    mgi_jw_member_cstr(w, "reason", reason);
    mgi_jw_end_object(w);
}

static void write_remains(const struct invocation *inv, struct json_writer *w)
{
    mgi_jw_key(w, "not_compensated");
    mgi_jw_begin_array(w);
    for (const struct item_run *item = inv->last_done; item; item = item->done_before)
        if (item->undo.reason)
            write_not_undone(w, item->run, (size_t)(item - item->run->items), item->undo.reason);
    for (size_t i = 0; i < inv->run_count; i++) {
        const struct step_run *run = &inv->runs[i];
        bool each = mgi_run_has_items(run) && run->items;
        if (run->indeterminate && !each)
            write_not_undone(w, run, 0, "indeterminate");
        for (size_t k = 0; each && k < run->item_count; k++)
            if (run->items[k].unsure)
                write_not_undone(w, run, k, "indeterminate");
    }
    mgi_jw_end_array(w);
}

/* Where the chain was undone: what is, the last first, and what is not. */
static void write_undone(const struct invocation *inv, struct json_writer *w)
{
    if (!inv->undone)
        return;
    bool *told = mgi_arena_calloc(inv->arena, inv->run_count + 1, sizeof *told);
    w->out->oom |= !told;
    mgi_jw_key(w, "compensated");
    mgi_jw_begin_array(w);
    for (const struct item_run *item = inv->last_done; told && item; item = item->done_before) {
        size_t at = (size_t)(item->run - inv->runs);
        if (!told[at] && is_undone(inv, item->run))
            mgi_jw_string(w, item->run->step->id);
        told[at] = true; /* by the newest of its items */
    }
    mgi_jw_end_array(w);
    write_remains(inv, w);
}

static void write_failure(struct invocation *inv, struct json_writer *w, const char *reason)
{
    mgi_jw_begin_object(w);
    if (reason)
        mgi_jw_member_cstr(w, "reason", reason);
    mgi_jw_member_str(w, "invocation_id", inv->call.invocation_id);
    if (inv->chain_ended)
        mgi_jw_member_int(w, "failed_step", (int64_t)inv->failed_step);
    mgi_completed_write(inv, w);
    mgi_jw_member_bool(w, "indeterminate", inv->indeterminate);
    write_indeterminate(inv, w);
    write_undone(inv, w);
    mgi_observability_write(inv, w, (struct str){ NULL, 0 }, NULL);
    mgi_jw_key(w, "state_delta"); /* of the steps that completed */
    mgi_delta_write(inv, w);
    mgi_jw_end_object(w);
}

static void tell_failure(struct invocation *inv, enum wire_code code, const char *reason,
                         const char *message, struct wire_error *e)
{
    struct buf details = { 0 };
    struct json_writer w;
    mgi_delta_finish(inv);
    mgi_json_writer_init(&w, &details, 0);
    write_failure(inv, &w, reason);
    mgi_wire_error(e, inv->arena, code, "%s", message);
    mgi_wire_details(e, inv->arena, &details);
    if (inv->acted && e->details.len == 0) /* no memory for what happened: it cannot be known */
        mgi_invocation_unknown(inv->arena, e);
    mgi_buf_fini(&details);
}

/* What a client is told of a step whose template says nothing: the kind of failure. */
static const char *kind_of_failure(const char *reason)
{
    static const struct {
        const char *reason, *text;
    } kinds[] = { { "timeout", "took too long" },
                  { "unavailable", "is not available" },
                  { "bad_output", "answered what it must not answer" } };
    for (size_t i = 0; reason && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].reason, reason) == 0)
            return kinds[i].text;
    return "failed";
}

static const char *undone_text(const struct invocation *inv)
{
    bool all = !inv->indeterminate, any = false;
    for (const struct item_run *item = inv->last_done; item; item = item->done_before) {
        all &= !item->undo.reason;
        any |= item->undo.state == STEP_SUCCESS;
    }
    if (any)
        return all ? "What had been done is undone."
                   : "Not all that had been done could be undone.";
    return all ? "Nothing had been done that is to be undone."
               : "What had been done is not undone.";
}

static const char *failure_message(struct invocation *inv, const char *what)
{
    const char *text = NULL;
    if (inv->chain_ended && inv->failed_step < inv->run_count) {
        const struct step_run *run = &inv->runs[inv->failed_step];
        text = mgi_arena_printf(inv->arena, "The %s %.*s %s%s%.*s",
                                run->step->menu ? "step" : "action", STR_ARG(mgi_run_name(run)),
                                kind_of_failure(inv->failure), run->detail.len ? ": " : ".",
                                STR_ARG(run->detail));
    } else {
        text = mgi_arena_printf(inv->arena, "The tool has no valid result: %s.", what);
    }
    if (text && inv->undone) {
        struct str said = str_of(text);
        bool ends = mgi_str_ends(said, STR_LIT(".")) || mgi_str_ends(said, STR_LIT("…"));
        text = mgi_arena_printf(inv->arena, "%s%s%s", text, ends ? " " : ". ", undone_text(inv));
    }
    return text ? text : "The tool has no valid result.";
}

static void note_effects(struct invocation *inv, const struct effects *effects, int64_t began_ns)
{
    struct invoke_notes *notes = inv->call.notes;
    if (!notes)
        return;
    notes->concluded = true;
    notes->effects_failed = effects->incomplete != NULL;
    notes->effects_ns = (int64_t)uv_hrtime() - began_ns;
}

static const char *cancelled_text(struct invocation *inv)
{
    static const char text[] = "The invocation was cancelled.";
    const char *more =
        inv->undone ? mgi_arena_printf(inv->arena, "%s %s", text, undone_text(inv)) : text;
    return more ? more : text;
}

/* What steps have changed, so that what rules add can be taken back. False: memory. */
static bool copy_changes(struct invocation *inv, const struct fact_vec *from, struct fact_vec *to)
{
    *to = (struct fact_vec){ mgi_arena_calloc(inv->arena, from->count + 1, sizeof *to->items),
                             from->count, from->count + 1 };
    if (to->items && from->count)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    return to->items != NULL;
}

static void tell_no_memory(struct invocation *inv, struct wire_error *e)
{
    if (inv->acted)
        mgi_invocation_unknown(inv->arena, e);
    else
        (void)mgi_invocation_nomem(inv, e);
}

static void conclude_result(struct invocation *inv, const struct json *result, struct buf *out,
                            struct wire_error *e)
{
    struct effects effects;
    const char *reason = NULL, *what = NULL;
    int64_t began_ns = (int64_t)uv_hrtime();
    size_t before = out->len;
    struct fact_vec asserts = inv->asserts, retracts = inv->retracts;
    inv->said = inv->snapshot->rules_answer ? result : NULL;
    if (inv->said && !(copy_changes(inv, &inv->asserts, &asserts) &&
                       copy_changes(inv, &inv->retracts, &retracts))) {
        tell_no_memory(inv, e);
        return;
    }
    mgi_effects(inv, result, &effects);
    note_effects(inv, &effects, began_ns);
    if (effects.cancelled) { /* D-24: what had already happened is told */
        tell_failure(inv, WIRE_CANCELLED, NULL, cancelled_text(inv), e);
        return;
    }
    result = complete_result(inv, result, &effects, &reason, &what);
    if (!result) { /* of the steps that completed is told what they changed, and no more */
        inv->asserts = asserts;
        inv->retracts = retracts;
        tell_failure(inv, WIRE_EXECUTION_FAILED, inv->failure ? inv->failure : reason,
                     failure_message(inv, what), e);
        return;
    }
    mgi_delta_finish(inv);
    if (inv->overflow && !effects.incomplete)
        effects.incomplete = "More changed than can be told.";
    if (inv->nomem && !effects.incomplete)
        effects.incomplete = "The server ran out of memory while it put together what changed.";
    write_result(inv, result, &effects, out);
    if (!out->oom)
        return;
    out->len = before;
    out->oom = false;
    tell_no_memory(inv, e);
}

static void conclude(struct invocation *inv, struct buf *out, struct wire_error *e)
{
    const char *reason = NULL, *what = NULL;
    if (inv->asking) { /* it is not over */
        mgi_confirm_ask_within(inv, e);
        return;
    }
    (void)mgi_delta_merge_steps(inv);
    if (mgi_was_cut(inv)) {
        tell_failure(inv, WIRE_CANCELLED, NULL, cancelled_text(inv), e);
        return;
    }
    /* A chain that ended early still has a result if its schema says so (T-MCP-8); without a schema
     * nothing could tell a result from a remainder. */
    const struct json *result = inv->undone || (inv->chain_ended && !inv->tool->output)
                                    ? NULL
                                    : compose_result(inv, &reason, &what);
    if (result)
        conclude_result(inv, result, out, e);
    else
        tell_failure(inv, WIRE_EXECUTION_FAILED, inv->failure ? inv->failure : reason,
                     failure_message(inv, what ? what : "a step failed"), e);
}

void mgi_invocation_conclude(struct invocation *inv, mangle_overlay *spare, struct buf *out,
                             struct wire_error *e)
{
    bool lent = !inv->overlay && spare && !inv->asking;
    if (lent) {
        inv->overlay = spare;
        inv->values = mangle_overlay_values(spare);
    }
    conclude(inv, out, e);
    if (!lent)
        return;
    mangle_overlay_reset(spare);
    inv->overlay = NULL;
    inv->values = NULL;
}
