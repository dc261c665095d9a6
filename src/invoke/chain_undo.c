/* Compensation: what was done is undone, the last first, each once, one after the other.
 *
 * It begins when all steps are over, if a step that says so failed, or if the tool is a transaction
 * whose chain ended early. It has a deadline of its own, as long as an invocation may take, and
 * cancelling does not stop it. What has no compensation, or may have had an effect nobody knows of,
 * is told with the reason; so is a compensation that failed: the others run nevertheless. */
#include "base/time.h"
#include "invoke/chain_int.h"

bool mgi_undo_begins(struct invocation *inv)
{
    struct chain *c = inv->chain;
    if (c->undoing || !(c->wants_undo || (inv->tool->transaction && mgi_was_cut(inv))))
        return false;
    inv->undone = true;
    c->undoing = true;
    c->undo_next = inv->last_done;
    c->undo_deadline_ns =
        (int64_t)uv_hrtime() + inv->snapshot->settings.invocation_timeout_ms * NS_PER_MS;
    return true;
}

static void undo_one(struct invocation *inv, struct item_run *item)
{
    struct chain *c = inv->chain;
    struct step_call *call = &c->undo_call;
    mgi_arena_reset(&call->arena); /* of the one before, nothing is kept */
    call->result = (struct tool_result){ 0 };
    call->run = item->run;
    call->item = (size_t)(item - item->run->items);
    call->undo = true;
    call->unsure = false;
    if (!mgi_item_undo(item)->action) {
        item->undo.reason = "no_compensation";
    } else if (mgi_chain_left_ms(call) < STEP_LEAST_MS) {
        item->undo.reason = "timeout";
    } else {
        c->under_way++;
        mgi_call_compose(call);
    }
}

void mgi_undo_goes_on(struct invocation *inv)
{
    struct chain *c = inv->chain;
    while (c->undoing && c->undo_next && c->undo_call.state == CALL_IDLE) {
        struct item_run *item = c->undo_next;
        c->undo_next = item->done_before;
        undo_one(inv, item);
    }
}

void mgi_undo_ended(struct step_call *call, bool good, struct str detail, const char *reason)
{
    struct item_run *item = &call->run->items[call->item];
    item->undo.state = good ? STEP_SUCCESS : STEP_FAILURE;
    item->undo.detail = mgi_arena_str(call->inv->arena, detail);
    item->undo.duration_ms = call->result.duration_ms;
    item->undo.unsure = call->unsure;
    item->undo.reason = good ? NULL : reason;
    call->inv->indeterminate |= call->unsure && !good;
    if (!good)
        return;
    item->undo.asserts = call->asserts;
    item->undo.retracts = call->retracts;
}

void mgi_undo_was_none(struct step_call *call)
{
    call->run->items[call->item].undo.reason = "no_compensation";
}
