/* What becomes of calls, and so of items and of steps: composed, sent or left out; answered well or
 * not; over. Here the state of a run changes, but for that of a foreach, which all its calls make
 * together (chain_foreach.c). A menu is one call that goes on from pick to pick, and each pick is
 * an item. */
#include "base/time.h"
#include "invoke/chain_int.h"

#define LOGGED_BYTES 1000 /* of what failed */

/* ---- the end of a chain -------------------------------------------------------------------- */

/* Whatever ended first, the first in the list is told: so it does not depend on who was quicker
 * where several fail. */
static void end_chain(struct invocation *inv, const struct step_run *run, const char *reason)
{
    size_t at = mgi_run_place(run, inv);
    if (!inv->chain_ended || at < inv->failed_step) {
        inv->failed_step = at;
        inv->failure = reason;
    }
    inv->chain_ended = true;
    inv->chain->wants_undo |=
        inv->tool->transaction || run->step->on_failure == ON_FAILURE_COMPENSATE;
}

static bool ends_chain(const struct step_run *run)
{
    enum failure_rule rule = run->step->on_failure;
    return rule == ON_FAILURE_STOP || rule == ON_FAILURE_COMPENSATE;
}

/* Who operates the server, or plays a scenario, learns all of it. `aid`: empty, if a menu failed
 * and not what it picked. */
static void log_failure(struct step_call *call, struct str aid, struct str why)
{
    struct invocation *inv = call->inv;
    const char *item = mgi_run_has_items(call->run) && aid.len > 0
                           ? mgi_arena_printf(&call->arena, ", item %zu", call->item)
                           : "";
    mgi_log(inv->call.log, LOG_WARN, "%.*s: %sstep %.*s%s%s%.*s, failed: %s (invocation %.*s)",
            STR_ARG(inv->tool->name), call->undo ? "undoing " : "", STR_ARG(call->run->step->id),
            item ? item : "", aid.len > 0 ? ", action " : "", STR_ARG(aid),
            mgi_invocation_masked(inv, NULL, mgi_show(&call->arena, why, LOGGED_BYTES)),
            STR_ARG(inv->call.invocation_id));
}

/* ---- the end of a run ---------------------------------------------------------------------- */

/* The call has nothing to do any more. */
static void rests(struct step_call *call)
{
    call->state = CALL_IDLE;
    call->inv->chain->under_way--;
    call->inv->chain->again = true; /* its place is free */
}

/* What there may be to undo, in the order in which it was done. */
static void note_done(struct invocation *inv, struct step_run *run, struct item_run *item)
{
    item->run = run;
    if (mgi_item_action(item)->tier == 0 && !mgi_item_undo(item)->action)
        return;
    item->done_before = inv->last_done;
    inv->last_done = item;
}

/* ---- calls --------------------------------------------------------------------------------- */

/* The item is over: it keeps the arena of the call. */
static struct item_run *take_item(struct step_call *call, enum step_state state)
{
    struct item_run *item = &call->run->items[call->item];
    item->state = state;
    item->arena = call->arena;
    mgi_arena_init(&call->arena, 0);
    call->arena.chunk_size = ITEM_CHUNK;
    call->run->item_done++;
    call->run->item_failed += state == STEP_FAILURE;
    return item;
}

static void item_failed(struct step_call *call, struct str detail)
{
    struct step_run *run = call->run;
    bool keeps = call->result.outcome == TOOL_ERROR && !call->fault &&
                 run->step->on_failure == ON_FAILURE_CONTINUE;
    struct item_run *item = take_item(call, STEP_FAILURE);
    item->detail = detail;
    item->unsure = call->unsure;
    item->has_output = keeps;
    if (keeps)
        item->output = call->result.output;
    run->stopped |= ends_chain(run);
}

/* ---- menus --------------------------------------------------------------------------------- */

/* What comes next is asked when the loop comes round. */
static void asks_next(struct step_call *call)
{
    call->state = CALL_NEXT;
    call->inv->chain->again = true;
}

/* The item is over, and the menu is told. */
static void pick_is_over(struct step_call *call, enum select_status status, struct str error)
{
    struct step_run *run = call->run;
    if (!mgi_menu_told(call, status, error))
        mgi_menu_free(run); /* memory: it cannot go on */
    asks_next(call);
}

static enum select_status status_of(const struct step_call *call)
{
    bool invalid = call->result.outcome == TOOL_INVALID_PICK || call->misfits;
    return invalid                                ? SELECT_STATUS_INVALID_PICK
           : call->result.outcome == TOOL_BREAKER ? SELECT_STATUS_BREAKER_TRIP
                                                  : SELECT_STATUS_TOOL_ERROR;
}

/* A picked call failed for good. The menu says whether that ends it. */
static void pick_failed(struct step_call *call, struct str why, struct str detail,
                        const char *reason, bool ends)
{
    struct step_run *run = call->run;
    enum select_status status = status_of(call);
    bool full = call->inv->chain->kept_memory > CHAIN_MAX_BYTES || mgi_menu_is_full(run);
    bool stops = full || (ends && status != SELECT_STATUS_INVALID_PICK);
    run->menu->reason = reason;
    run->menu->ends |= stops;
    run->menu->version++; /* no session has what was rolled back */
    struct item_run *item = take_item(call, STEP_FAILURE);
    item->detail = detail;
    item->unsure = call->unsure;
    pick_is_over(call, status, why);
    if (stops && run->menu->step)
        mgi_menu_stop(run, SELECT_END_TOOL_ERROR);
}

/* What was picked will not be sent. */
static void pick_dropped(struct step_call *call, enum select_end why)
{
    struct step_run *run = call->run;
    run->item_count--; /* it is as if it had not been picked */
    mgi_menu_stop(run, why);
    asks_next(call);
}

static const char *reason_of(const struct step_run *run, enum select_end end)
{
    if (run->menu->lapsed)
        return run->menu->lapsed;
    switch (end) {
    case SELECT_END_TOOL_ERROR:
        return run->menu->reason ? run->menu->reason : "tool_error";
    case SELECT_END_DEADLINE:
    case SELECT_END_CANCELLED:
        return "timeout";
    default:
        return "unavailable"; /* a budget: BREAKER_TRIP (toolhost.md 11.2) */
    }
}

/* For a client, of a menu that failed: what the last call left to tell; else what ended it. */
static struct str failure_of(const struct step_run *run, enum select_end end, struct str line)
{
    const struct item_run *last = run->item_count ? &run->items[run->item_count - 1] : NULL;
    if (run->menu->lapsed)
        return strcmp(run->menu->lapsed, "timeout") == 0
                   ? STR_LIT("nobody agreed to what it asks")
                   : STR_LIT("nobody can be asked what it asks now");
    return end == SELECT_END_TOOL_ERROR && last && last->detail.len > 0 ? last->detail : line;
}

/* Its output is what was picked and what each call returned, also where that was no success. */
static void close_menu(struct step_call *call)
{
    struct invocation *inv = call->inv;
    struct step_run *run = call->run;
    enum select_end end = mgi_menu_step_end(run->menu->step);
    bool good = mgi_select_end_exit(end) == 0, cancelled = atomic_load(&inv->cancelled);
    bool stopped = end == SELECT_END_CANCELLED && !run->menu->lapsed;
    struct str line = { NULL, 0 };
    bool kept = mgi_menu_conclude(call, &line);
    run->duration_ms = ((int64_t)uv_hrtime() - run->began_ns) / NS_PER_MS;
    if (stopped && run->attempts == 0) {
        mgi_run_cut(run, cancelled ? "cancelled" : "an earlier step failed");
        rests(call);
        return;
    }
    run->cut = stopped;
    run->has_output = kept && (good || run->step->on_failure != ON_FAILURE_SKIP);
    run->state = good && kept ? STEP_SUCCESS : STEP_FAILURE;
    run->detail = run->state == STEP_SUCCESS ? line : failure_of(run, end, line);
    inv->chain->kept_bytes += run->output.text.len;
    if (run->state == STEP_FAILURE) {
        log_failure(call, STR_LIT(""),
                    !kept               ? STR_LIT("the server ran out of memory")
                    : run->menu->lapsed ? run->detail
                                        : line);
        if (end == SELECT_END_DEADLINE || run->menu->lapsed || run->menu->ends ||
            (stopped && cancelled) || (!stopped && ends_chain(run)))
            end_chain(inv, run, kept ? reason_of(run, end) : "tool_error");
    }
    rests(call);
}

/* It cannot go on: memory, or rules that failed. */
static void lose_menu(struct step_call *call)
{
    const char *fault = call->run->menu->fault; /* which goes with the menu */
    fault = fault ? mgi_arena_strdup(&call->run->arena, fault) : NULL;
    mgi_menu_free(call->run);
    call->fault = fault ? fault : "the server ran out of memory";
    call->result = (struct tool_result){ .outcome = TOOL_REFUSED };
    mgi_call_failed(call, str_of(call->fault), (struct str){ 0 }, "tool_error", false);
}

void mgi_run_picks(struct invocation *inv, struct step_run *run)
{
    struct step_call *call = &run->calls[0];
    if (!run->menu->step) {
        lose_menu(call);
        return;
    }
    if (inv->chain_ended || atomic_load(&inv->cancelled))
        mgi_menu_stop(run, SELECT_END_CANCELLED);
    else if (mgi_chain_left_ms(call) < STEP_LEAST_MS)
        mgi_menu_stop(run, SELECT_END_DEADLINE);
    switch (mgi_menu_next(call)) {
    case MENU_STEP_CALL:
        mgi_call_compose(call);
        break;
    case MENU_STEP_WAIT:
        call->state = CALL_PICKING;
        if (!run->menu->thinking)
            mgi_call_limits_thinking(call, mgi_chain_left_ms(call) - STEP_LEAST_MS + 1);
        break;
    case MENU_STEP_ASK:
        call->state = CALL_ASKING;
        inv->chain->pausing = true;
        break;
    case MENU_STEP_OVER:
        close_menu(call);
        break;
    case MENU_STEP_NOMEM:
        lose_menu(call);
        break;
    }
}

void mgi_call_picked(struct step_call *call)
{
    mgi_call_wakes(call); /* its timer is not wanted any more */
    asks_next(call);
}

void mgi_run_hears(struct step_run *run, const char *why)
{
    struct step_call *call = &run->calls[0];
    if (!why) {
        mgi_menu_step_agreed(run->menu->step);
        asks_next(call);
        return;
    }
    run->menu->lapsed = why;
    mgi_menu_stop(run, SELECT_END_CANCELLED);
    asks_next(call);
}

static void step_failed(struct step_call *call, struct str detail)
{
    struct step_run *run = call->run;
    run->state = STEP_FAILURE;
    run->detail = detail;
    run->duration_ms = call->result.duration_ms;
    run->has_output = call->result.outcome == TOOL_ERROR && !call->fault &&
                      run->step->on_failure != ON_FAILURE_SKIP;
    run->output = call->result.output;
    if (run->has_output)
        call->inv->chain->kept_bytes += run->output.text.len;
}

void mgi_call_failed(struct step_call *call, struct str why, struct str own, const char *reason,
                     bool ends)
{
    struct step_run *run = call->run;
    bool action = call->undo || !run->step->menu || mgi_call_is_picked(call);
    log_failure(call, action ? mgi_call_action(call)->aid : STR_LIT(""), why);
    if (call->undo) {
        mgi_undo_ended(call, false, (struct str){ 0 }, reason);
        rests(call);
        return;
    }
    struct str detail =
        mgi_one_line(&call->arena, run->step->tells_failure ? own : run->step->failure_text);
    if (call->unsure && detail.len == 0)
        detail = STR_LIT("it is not known whether it had an effect");
    run->indeterminate |= call->unsure;
    call->inv->indeterminate |= call->unsure;
    if (mgi_call_is_picked(call)) {
        pick_failed(call, why, detail, reason, ends);
        return;
    }
    if (run->verdict == VERDICT_RUN && run->step->has_foreach)
        item_failed(call, detail);
    else
        step_failed(call, detail);
    if (ends || ends_chain(run))
        end_chain(call->inv, run, reason);
    run->stopped |= ends;
    rests(call);
}

void mgi_call_dropped(struct step_call *call)
{
    struct step_run *run = call->run;
    bool cancelled = atomic_load(&call->inv->cancelled);
    if (mgi_call_is_picked(call)) {
        pick_dropped(call, SELECT_END_CANCELLED);
        return;
    }
    if (call->attempt > 0) { /* it did fail, and would have been tried again */
        call->fault = "it is not tried any more";
        mgi_call_failed(call, str_of(call->fault), (struct str){ 0 },
                        cancelled ? "timeout" : "unavailable", false);
        return;
    }
    run->stopped = true;
    if (!run->step->has_foreach)
        mgi_run_cut(run, cancelled ? "cancelled" : "an earlier step failed");
    rests(call);
}

bool mgi_call_is_too_late(struct step_call *call)
{
    struct step_run *run = call->run;
    if (call->undo || mgi_chain_left_ms(call) >= STEP_LEAST_MS)
        return false;
    if (call->session)
        call->session->user = NULL;
    call->session = NULL;
    if (call->attempt > 0) {
        call->fault = "no time was left to try again";
        mgi_call_failed(call, str_of(call->fault), (struct str){ 0 }, "timeout", true);
        return true;
    }
    if (mgi_call_is_picked(call)) {
        pick_dropped(call, SELECT_END_DEADLINE);
        return true;
    }
    end_chain(call->inv, run, "timeout"); /* T-MCP-28 */
    run->stopped = true;
    if (!run->step->has_foreach)
        mgi_run_cut(run, "no time was left");
    rests(call);
    return true;
}

/* The step's inputs are there: now it is asked what comes first. */
static void begin_menu(struct step_call *call)
{
    if (mgi_menu_begin(call))
        asks_next(call);
    else
        mgi_call_failed(call, STR_LIT("the server ran out of memory"), (struct str){ 0 },
                        "tool_error", false);
}

void mgi_call_composed(struct step_call *call)
{
    struct invocation *inv = call->inv;
    struct step_run *run = call->run;
    call->state = CALL_READY;
    run->known = true;
    if (!call->undo && (inv->chain_ended || atomic_load(&inv->cancelled))) {
        mgi_call_dropped(call);
    } else if (!call->undo && run->verdict == VERDICT_NOT_NEEDED) {
        mgi_run_skipped(run, "not needed");
        rests(call);
    } else if (!call->undo && run->verdict == VERDICT_RUN && run->step->menu && !call->fault &&
               !mgi_call_is_picked(call)) {
        begin_menu(call);
    } else if (!call->undo && run->verdict == VERDICT_RUN && !run->step->menu &&
               run->item_count == 0) {
        rests(call);
        mgi_foreach_close(inv, run);
    } else if (call->fault) {
        call->result = (struct tool_result){ .outcome = TOOL_REFUSED };
        mgi_call_failed(call, str_of(call->fault), (struct str){ 0 }, "tool_error", false);
    } else {
        (void)mgi_call_is_too_late(call);
    }
}

static const struct {
    const char *reason; /* a word of protocol.md §2.18 */
    bool ends;
} outcomes[] = {
    [TOOL_OK] = { NULL, false },
    [TOOL_ERROR] = { "tool_error", false },
    [TOOL_INVALID_PICK] = { "unavailable", true },
    [TOOL_BREAKER] = { "unavailable", false },
    [TOOL_TIMEOUT] = { "timeout", false },
    [TOOL_CANCELLED] = { "timeout", true },
    [TOOL_CRASH] = { "tool_error", false },
    [TOOL_BAD_OUTPUT] = { "bad_output", false },
    [TOOL_TOO_LARGE] = { "bad_output", false },
    [TOOL_UNAVAILABLE] = { "unavailable", false },
    [TOOL_LEASE] = { "unavailable", true },
    [TOOL_REFUSED] = { "unavailable", true },
};

static void call_succeeded(struct step_call *call)
{
    struct step_run *run = call->run;
    struct tool_result *r = &call->result;
    const struct json *summary = mgi_json_get(&r->output, "summary");
    struct str detail = { NULL, 0 };
    if (summary && summary->type == JSON_STRING)
        detail = mgi_one_line(&call->arena, summary->string);
    if (call->undo) {
        const struct json *performed = mgi_json_get(&r->output, "performed");
        if (performed && performed->type == JSON_BOOL && !performed->boolean)
            mgi_undo_was_none(call);
        else
            mgi_undo_ended(call, true, detail, NULL);
        rests(call);
        return;
    }
    call->inv->chain->kept_bytes += r->output.text.len;
    note_done(call->inv, run, &run->items[call->item]);
    if (mgi_run_has_items(run)) {
        struct item_run *item = take_item(call, STEP_SUCCESS);
        item->has_output = true;
        item->output = r->output;
        item->changes = r->changes;
        item->asserts = call->asserts;
        item->retracts = call->retracts;
        item->evidence = call->evidence;
        item->detail = detail;
        if (run->step->menu) {
            pick_is_over(call, SELECT_STATUS_OK, (struct str){ 0 });
            return;
        }
    } else {
        run->state = STEP_SUCCESS;
        run->has_output = true;
        run->output = r->output;
        run->detail = detail;
        run->duration_ms = r->duration_ms;
        run->changes = r->changes;
        run->asserts = call->asserts;
        run->retracts = call->retracts;
        run->evidence = call->evidence;
    }
    rests(call);
}

/* Its outputs are kept together: so much, and no more. */
static bool is_too_much(struct step_call *call)
{
    struct step_run *run = call->run;
    if (call->undo || !mgi_run_has_items(run))
        return false;
    run->output_bytes += call->result.output.text.len;
    return run->output_bytes > FOREACH_MAX_BYTES;
}

/* Whatever it is, it stays until the chain is over. A small text can be many values, so memory is
 * what counts. */
static bool fills_chain(struct step_call *call)
{
    struct chain *c = call->inv->chain;
    if (call->undo) /* its arena is used again */
        return false;
    c->kept_memory += call->arena.used;
    return c->kept_memory > CHAIN_MAX_BYTES;
}

void mgi_call_digested(struct step_call *call)
{
    const struct tool_result *r = &call->result;
    struct str none = { 0 };
    if (r->outcome != TOOL_OK && mgi_call_tries_again(call, r->outcome))
        return;
    bool full = fills_chain(call);
    if (r->outcome == TOOL_OK) {
        if (!call->fault && full)
            call->fault = "what the steps return is too large together";
        if (!call->fault && is_too_much(call))
            call->fault = "what it returns is too large together with what was returned before";
        call->unsure |= call->fault && mgi_call_action(call)->tier > 0; /* it ran */
        mgi_call_ended(call, !call->fault);
        if (call->fault)
            mgi_call_failed(call, str_of(call->fault), none, "bad_output", full);
        else
            call_succeeded(call);
        return;
    }
    call->fault = NULL;
    if (r->outcome == TOOL_BREAKER && !call->undo && !mgi_run_has_items(call->run) &&
        call->run->step->on_failure == ON_FAILURE_SKIP) {
        mgi_run_skipped(call->run, "the action is switched off for now");
        rests(call);
        return;
    }
    mgi_call_failed(call, r->error.len ? r->error : STR_LIT("it does not say why"),
                    r->outcome == TOOL_ERROR ? r->error : none, outcomes[r->outcome].reason,
                    outcomes[r->outcome].ends || full);
}
