/* The chain: steps as a graph, each in a toolhost process (toolhost.md chapter 11). chain_int.h
 * says how it is put together.
 *
 *     reserve   the first step is prepared and gets a session, or a refusal: nothing has happened
 *     run       begin what is ready ─> sessions ─> calls ─> … until nothing is under way
 *               └─ then, if it has to be undone: compensations, the last first
 *     over
 *
 * All of it is on the loop, and goes on with every answer: advance() does whatever can be
 * done now, in the order of the list, and returns. */
#include "base/time.h"
#include "invoke/chain_int.h"

/* ---- what is ready ------------------------------------------------------------------------ */

/* Whom it waits for is looked at first: in a list nobody else needs to be. */
static bool is_ready(const struct invocation *inv, struct step_run *run)
{
    for (; run->waits_for < inv->run_count; run->waits_for++)
        if (inv->runs[run->waits_for].state == STEP_PENDING && mgi_run_needs(run, run->waits_for))
            return false;
    return true;
}

static void begin_run(struct invocation *inv, struct step_run *run)
{
    run->begun = true;
    run->began_ns = (int64_t)uv_hrtime();
    run->item_next = 1;
    inv->chain->under_way++;
    mgi_call_compose(&run->calls[0]);
}

/* In the order of the list: what is ready begins, a foreach and a menu go on. What will not run any
 * more is skipped. */
static void begin_steps(struct invocation *inv)
{
    struct chain *c = inv->chain;
    for (size_t i = 0; i < inv->run_count && !c->pausing; i++) {
        struct step_run *run = &inv->runs[i];
        bool cancelled = atomic_load(&inv->cancelled);
        if (run->state != STEP_PENDING)
            continue;
        if (run->begun) {
            if (run->step->has_foreach && run->known)
                mgi_foreach_goes_on(inv, run);
            else if (run->menu && run->calls[0].state == CALL_NEXT && c->running)
                mgi_run_picks(inv, run);
        } else if (cancelled || inv->chain_ended) {
            mgi_run_cut(run, cancelled ? "cancelled" : "an earlier step failed");
        } else if (c->under_way < mgi_chain_limit(c) && is_ready(inv, run)) {
            begin_run(inv, run);
        }
        c->again |= run->state != STEP_PENDING; /* others may be ready now */
    }
}

/* ---- the loop ---------------------------------------------------------------------------- */

static enum run_outcome outcome_of(const struct invocation *inv)
{
    return atomic_load(&inv->cancelled) ? RUN_CANCELLED
           : inv->chain_ended           ? RUN_FAILURE
                                        : RUN_SUCCESS;
}

static void over(struct invocation *inv)
{
    struct chain *c = inv->chain;
    c->over = true;
    mgi_sessions_release_all(inv); /* others may have them while the answer is made */
    if (inv->call.journal)
        inv->call.journal->run_ends(c->journal_run, outcome_of(inv));
    c->journal_run = NULL;
    mgi_chain_report(inv, "finalizing", (struct str){ NULL, 0 });
    if (!inv->inside)
        inv->ran(inv->call.context);
}

static bool has_seat(const struct invocation *inv)
{
    for (size_t i = 0; i < inv->chain->session_cap; i++)
        if (inv->chain->sessions[i].user)
            return true;
    return false;
}

/* Which session a menu will need nobody knows yet. */
static bool has_menu(const struct invocation *inv)
{
    for (size_t i = 0; i < inv->run_count; i++)
        if (inv->runs[i].begun && inv->runs[i].calls[0].state == CALL_NEXT)
            return true;
    return false;
}

/* Under way, but waiting for a person, or for one that waits for a person. */
static void count_resting(struct step_call *call, void *context)
{
    size_t *count = context;
    *count +=
        call->state == CALL_ASKING ||
        (call->inv->chain->pausing && (call->state == CALL_READY || call->state == CALL_NEXT));
}

/* A person is asked: the first in the list that wants to. */
static void rest(struct invocation *inv)
{
    size_t i = 0;
    while (!inv->runs[i].begun || inv->runs[i].calls[0].state != CALL_ASKING)
        i++;
    inv->chain->pausing = true;
    inv->chain->paused_ns = (int64_t)uv_hrtime();
    inv->asking = &inv->runs[i];
    inv->asks++;
    mgi_sessions_forget_wishes(inv);
    mgi_sessions_release_all(inv); /* it may take minutes */
    if (!inv->inside)
        inv->ran(inv->call.context);
}

/* Nothing can be done now. Is somebody to be told? The last thing that is done here. */
static void settle(struct invocation *inv)
{
    struct chain *c = inv->chain;
    size_t resting = 0;
    bool nothing = c->under_way == 0;
    mgi_calls_each(inv, count_resting, &resting);
    if (c->running && !c->over && !inv->asking && resting > 0 && resting == c->under_way) {
        rest(inv);
        return;
    }
    if (c->reserving && atomic_load(&inv->cancelled) && nothing && !inv->inside) {
        mgi_chain_refuse(inv, WIRE_CANCELLED, "", "The request was cancelled.", -1);
    } else if (c->reserving && (nothing || has_seat(inv) || has_menu(inv))) {
        c->reserving = false;
        if (!inv->inside)
            inv->reserved(inv->call.context, NULL);
    } else if (c->running && nothing && !c->over) {
        over(inv);
    }
}

static void advance(struct invocation *inv)
{
    struct chain *c = inv->chain;
    c->again = true;
    if (c->advancing)
        return;
    c->advancing = true;
    while (c->again && !inv->asking) {
        c->again = false;
        mgi_calls_dequeue(inv);
        begin_steps(inv);
        mgi_undo_goes_on(inv);
        mgi_sessions_seat(inv);
        if (!c->again && c->running && c->under_way == 0)
            c->again = mgi_undo_begins(inv);
    }
    mgi_sessions_let_go(inv);
    c->advancing = false;
    settle(inv);
}

/* ---- from outside ------------------------------------------------------------------------- */

/* From those below, back up. */
static const struct chain_ways ways = { advance, mgi_call_composed, mgi_call_digested,
                                        mgi_call_picked };

bool mgi_invocation_reserve(struct invocation *inv,
                            void (*reserved)(void *context, const struct wire_error *e))
{
    struct chain *c = inv->chain;
    inv->reserved = reserved;
    c->ways = &ways;
    c->reserving = inv->inside = true;
    advance(inv);
    inv->inside = false;
    return !c->reserving;
}

static void begin_journal(struct invocation *inv)
{
    const struct run_journal *journal = inv->call.journal;
    struct str *ids = mgi_arena_calloc(inv->arena, inv->run_count + 1, sizeof *ids);
    struct run_begun begun = { .invocation_id = inv->call.invocation_id,
                               .macro_id = inv->macro_id,
                               .tool = inv->tool->name,
                               .steps = ids };
    for (size_t i = 0; ids && i < inv->run_count; i++) {
        const struct step *step = inv->runs[i].step;
        ids[begun.step_count++] = step->id;
        begun.has_effects |= mgi_step_has_effects(step);
    }
    if (ids)
        inv->chain->journal_run = journal->run_begins(journal->self, &begun);
}

bool mgi_invocation_run(struct invocation *inv, void (*ran)(void *context))
{
    struct chain *c = inv->chain;
    inv->ran = ran;
    mgi_chain_report(inv, "started", inv->tool->name);
    if (inv->call.journal)
        begin_journal(inv);
    c->running = inv->inside = true;
    advance(inv);
    inv->inside = false;
    return c->over || inv->asking;
}

bool mgi_invocation_asks(const struct invocation *inv)
{
    return inv->asking != NULL;
}

const struct menu_step_ask *mgi_chain_ask(const struct invocation *inv)
{
    return mgi_menu_step_ask(inv->asking->menu->step);
}

bool mgi_invocation_go_on(struct invocation *inv, const char *why, void (*ran)(void *context))
{
    struct chain *c = inv->chain;
    struct step_run *run = &inv->runs[inv->asking - inv->runs];
    inv->ran = ran;
    inv->deadline_ns += (int64_t)uv_hrtime() - c->paused_ns;
    inv->asking = NULL;
    c->pausing = false;
    inv->inside = true;
    mgi_run_hears(run, why);
    advance(inv);
    inv->inside = false;
    return c->over || inv->asking;
}

bool mgi_invocation_acted(const struct invocation *inv)
{
    return inv->acted;
}

static void cancel_call(struct step_call *call, void *context)
{
    (void)context;
    if (call->undo)
        return;
    if (call->state == CALL_CALLING)
        mgi_toolsession_cancel(call->session->session);
    mgi_call_wakes(call);
    if ((call->state == CALL_PICKING && !call->run->menu->thinking) || call->state == CALL_ASKING) {
        mgi_menu_stop(call->run, SELECT_END_CANCELLED); /* a policy ends, a question is dropped */
        call->state = CALL_NEXT;
        call->inv->chain->pausing = false;
    }
}

void mgi_invocation_cancel(struct invocation *inv)
{
    struct chain *c = inv->chain;
    if (atomic_load(&inv->cancelled) || !c)
        return;
    atomic_store(&inv->cancelled, true);
    if (inv->asking || (!c->reserving && (!c->running || c->over)))
        return; /* nobody waits for it: what comes next sees it */
    mgi_calls_each(inv, cancel_call, NULL);
    if (!c->undoing)
        mgi_sessions_forget_wishes(inv);
    advance(inv);
}

static bool may_act(const struct step *step)
{
    for (size_t i = 0; i < mgi_step_actions(step); i++)
        if (mgi_step_action(step, i)->tier > 0)
            return true;
    return false;
}

bool mgi_invocation_is_harmless(const struct invocation *inv)
{
    bool done = false;
    for (const struct item_run *item = inv->last_done; item; item = item->done_before)
        done |= mgi_item_action(item)->tier > 0;
    if (inv->chain->undoing || (done && inv->tool->transaction))
        return false;
    for (size_t i = 0; i < inv->run_count; i++)
        if (inv->runs[i].state == STEP_PENDING && may_act(inv->runs[i].step))
            return false;
    return true;
}

static void free_run(struct step_run *run)
{
    for (size_t i = 0; i < run->call_count; i++) {
        mgi_call_wakes(&run->calls[i]);
        mgi_arena_fini(&run->calls[i].arena);
    }
    mgi_menu_free(run);
    for (size_t i = 0; mgi_run_has_items(run) && run->items && i < run->item_count; i++)
        if (run->items[i].state != STEP_PENDING)
            mgi_arena_fini(&run->items[i].arena);
    mgi_arena_fini(&run->arena);
}

void mgi_invocation_free(struct invocation *inv)
{
    if (!inv)
        return;
    mgi_sessions_forget_wishes(inv);
    mgi_sessions_release_all(inv);
    for (size_t i = 0; i < inv->run_count; i++)
        free_run(&inv->runs[i]);
    if (inv->chain) {
        mgi_arena_fini(&inv->chain->undo_call.arena);
        mgi_arena_fini(&inv->chain->facts);
    }
    mangle_overlay_free(inv->overlay);
    inv->overlay = NULL;
}
