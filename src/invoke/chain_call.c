/* One call on its way: written down, sent, answered, and sent again where that makes sense. */
#include "base/alloc.h"
#include "base/time.h"
#include "base/utf8.h"
#include "invoke/chain_int.h"

/* ---- deadlines ----------------------------------------------------------------------------- */

static int64_t timeout_ms(const struct step_call *call)
{
    const struct step *step = call->run->step;
    int64_t ms = mgi_chain_left_ms(call) - STEP_RESERVE_MS;
    int64_t own =
        step->timeout_ms && !call->undo ? step->timeout_ms : mgi_call_action(call)->timeout_ms;
    int64_t usual = call->inv->snapshot->settings.action_timeout_ms;
    if (own > 0 && own < ms)
        ms = own;
    if (own <= 0 && usual > 0 && usual < ms)
        ms = usual;
    return ms > 0 ? ms : 1;
}

/* ---- sending ------------------------------------------------------------------------------- */

static void step_done(void *context, const struct tool_result *result)
{
    struct step_call *call = context;
    struct invocation *inv = call->inv;
    call->result = *result;
    mgi_call_answered(call);
    inv->chain->ways->advance(inv);
}

/* What the running action says of itself (T-MCP-31): one line, of text from outside. It may come
 * ten times a second for hours, so nothing is kept of it. */
static void step_progress(void *context, double percent, struct str detail)
{
    struct step_call *call = context;
    char line[DETAIL_BYTES];
    if (call->state != CALL_CALLING)
        return;
    if (percent / 100 > call->fraction)
        call->fraction = percent / 100;
    detail = mgi_utf8_prefix(detail, sizeof line);
    for (size_t at = 0; at < detail.len;) {
        size_t from = at;
        uint32_t code = mgi_utf8_next(detail, &at);
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == UINT32_MAX;
        for (size_t i = from; i < at; i++)
            line[i] = control ? ' ' : detail.ptr[i];
    }
    mgi_chain_report(call->inv, "running", (struct str){ line, detail.len });
}

/* Which item it is, and that it undoes: attempts of different things have different keys. */
static struct str part_of(struct step_call *call)
{
    const char *text = "";
    if (mgi_run_has_items(call->run))
        text = mgi_arena_printf(&call->arena, "-%zu%s", call->item, call->undo ? "-undo" : "");
    else if (call->undo)
        text = "-undo";
    return str_of(text ? text : "-");
}

static void send_now(struct step_call *call)
{
    struct invocation *inv = call->inv;
    struct held_session *s = call->session;
    const struct action *action = mgi_call_action(call);
    struct tool_request request = {
        .arena = &call->arena,
        .aid = action->aid,
        .inputs = &call->inputs,
        .invocation_id = inv->call.invocation_id,
        .run_id = inv->call.header ? inv->call.header->run_id : (struct str){ "", 0 },
        .step = (uint32_t)mgi_run_place(call->run, inv),
        .part = part_of(call),
        .attempt = call->attempt,
        .timeout_ms = timeout_ms(call),
        .tier = action->tier,
        .issuer = inv->macro.requires_confirmation ? "confirmation" : "policy",
        .state = &call->slots,
        .kept = !call->undo && mgi_session_is_current(s) &&
                (s->last->state == STEP_SUCCESS || s->last == call->run) &&
                mgi_graph_follows(inv, call->run, action->provider, s->last),
        .progress =
            inv->call.progress && inv->call.wants_progress && !call->undo ? step_progress : NULL,
    };
    call->fraction = 0;
    s->last = NULL;
    inv->acted = true;
    call->state = CALL_CALLING;
    call->run->attempts += !call->undo;
    if (!call->undo)
        mgi_chain_report(inv, "running", action->name);
    mgi_toolsession_call(s->session, &request, step_done, call);
}

/* `good`: it keeps what the action promised. One that does not has run, and nobody knows what it
 * did: the journal says so, as the answer does. */
static void write_down(struct step_call *call, bool sent, bool good)
{
    const struct tool_result *r = &call->result;
    if (!call->journal_step)
        return;
    bool broken = r->outcome == TOOL_OK && !good && mgi_call_action(call)->tier > 0;
    struct step_ended ended = { .outcome = !sent                          ? RUN_NOT_SENT
                                           : good                         ? RUN_SUCCESS
                                           : r->outcome == TOOL_CANCELLED ? RUN_CANCELLED
                                                                          : RUN_FAILURE,
                                .indeterminate = sent && (r->indeterminate || broken),
                                .output = r->output.text,
                                .duration_ms = r->duration_ms };
    call->inv->call.journal->step_ends(call->journal_step, &ended);
    call->journal_step = NULL;
}

static void not_sent(struct step_call *call, enum tool_outcome outcome, const char *why)
{
    call->result = (struct tool_result){ .outcome = outcome,
                                         .output = { .type = JSON_OBJECT, .text = { "{}", 2 } } };
    call->result.error = mgi_arena_str(&call->arena, str_of(why));
    mgi_call_answered(call);
}

/* Writing may have taken a while: what may not begin any more is ready again, and whoever gives
 * seats drops it. */
static void told(void *context, const char *why)
{
    struct step_call *call = context;
    struct invocation *inv = call->inv;
    bool late = mgi_chain_left_ms(call) < STEP_LEAST_MS;
    if (why) {
        not_sent(call, TOOL_UNAVAILABLE, why);
    } else if (call->undo && late) {
        not_sent(call, TOOL_TIMEOUT, "no time was left");
    } else if (!call->undo && (late || inv->chain_ended || atomic_load(&inv->cancelled))) {
        call->result = (struct tool_result){ .outcome = TOOL_CANCELLED };
        write_down(call, false, false);
        call->state = CALL_READY;
    } else {
        send_now(call);
        return;
    }
    inv->chain->ways->advance(inv);
}

void mgi_call_send(struct step_call *call)
{
    struct invocation *inv = call->inv;
    const struct run_journal *journal = inv->call.journal;
    const struct action *action = mgi_call_action(call);
    const struct step_begun begun = {
        .step = (uint32_t)mgi_run_place(call->run, inv),
        .item = mgi_run_has_items(call->run) ? (int32_t)call->item : -1,
        .attempt = call->attempt,
        .compensation = call->undo,
        .name = call->run->step->id,
        .action = action->aid,
        .tier = action->tier,
        .input_sha256 = str_of(call->inputs.digest),
    };
    if (!journal) {
        send_now(call);
        return;
    }
    call->state = CALL_RECORDING;
    if (inv->chain->journal_run)
        call->journal_step = journal->step_begins(inv->chain->journal_run, &begun, told, call);
    if (action->tier == 0)
        send_now(call);
    else if (!call->journal_step)
        told(call, "what it does could not be written down");
}

/* ---- answers ------------------------------------------------------------------------------- */

void mgi_call_ended(struct step_call *call, bool good)
{
    write_down(call, true, good);
}

void mgi_call_answered(struct step_call *call)
{
    struct held_session *s = call->session;
    const struct tool_result *r = &call->result;
    bool sent = call->state == CALL_CALLING;
    call->fraction = 0;
    if (r->outcome != TOOL_OK)
        write_down(call, sent, false);
    call->session = NULL;
    s->user = NULL;
    /* Its state is that of before with what was changed. Whether that counts, digesting says. */
    bool plain = !call->undo && !call->run->step->has_foreach;
    if (sent && r->outcome == TOOL_OK && plain)
        s->last = call->run;
    if (call->run->menu && s->last)
        s->version = ++call->run->menu->version;
    call->unsure |= r->indeterminate && mgi_call_action(call)->tier > 0;
    if (r->outcome == TOOL_OK)
        mgi_call_digest(call);
    else
        call->inv->chain->ways->digested(call);
}

/* ---- again --------------------------------------------------------------------------------- */

struct call_timer {
    uv_timer_t timer;
    struct step_call *call; /* NULL: nobody waits any more */
    bool thinking;          /* a selector is not to think longer */
};

static void timer_freed(uv_handle_t *handle)
{
    mgi_free(handle->data);
}

static void forget_timer(struct step_call *call)
{
    struct call_timer *t = call->timer;
    call->timer = NULL;
    if (!t)
        return;
    t->call = NULL;
    uv_close((uv_handle_t *)&t->timer, timer_freed);
}

static void waited(uv_timer_t *timer)
{
    struct call_timer *t = timer->data;
    struct step_call *call = t->call;
    struct invocation *inv = call->inv;
    bool thinking = t->thinking;
    forget_timer(call);
    if (thinking)
        inv->chain->ways->picked(call);
    else
        call->state = CALL_READY;
    inv->chain->ways->advance(inv);
}

/* False: memory. */
static bool start_timer(struct step_call *call, int64_t ms, bool thinking)
{
    struct call_timer *t = mgi_calloc(1, sizeof *t);
    if (!t)
        return false;
    t->call = call;
    t->thinking = thinking;
    t->timer.data = t;
    uv_timer_init(call->inv->call.loop, &t->timer);
    uv_timer_start(&t->timer, waited, (uint64_t)ms, 0);
    call->timer = t;
    return true;
}

/* Without memory for it the selector has its own limits alone. */
void mgi_call_limits_thinking(struct step_call *call, int64_t ms)
{
    if (call->inv->call.loop && !call->timer)
        (void)start_timer(call, ms > 0 ? ms : 1, true);
}

void mgi_call_wakes(struct step_call *call)
{
    forget_timer(call);
    if (call->state == CALL_WAITING)
        call->state = CALL_READY; /* which sees that it was cancelled */
}

static bool makes_sense(enum tool_outcome outcome)
{
    return outcome == TOOL_TIMEOUT || outcome == TOOL_CRASH || outcome == TOOL_UNAVAILABLE;
}

/* Twice as long each time, up to a limit; then between half and all of it. Where many invocations
 * fail at once they come back at different times, and one of them always at the same. */
static int64_t back_off_ms(const struct step_call *call)
{
    const struct step *step = call->run->step;
    int64_t ms = step->retry.wait_ms ? step->retry.wait_ms : 1;
    for (uint32_t i = 0; i < call->attempt && ms < step->retry.max_wait_ms; i++)
        ms *= 2;
    if (ms > step->retry.max_wait_ms)
        ms = step->retry.max_wait_ms;
    struct str id = call->inv->call.invocation_id;
    uint64_t place[3] = { mgi_run_place(call->run, call->inv), call->item, call->attempt };
    uint64_t h = mgi_hash_bytes(place, sizeof place, mgi_hash_bytes(id.ptr, id.len, 0));
    return ms - (int64_t)(h % (uint64_t)(ms / 2 + 1));
}

bool mgi_call_tries_again(struct step_call *call, enum tool_outcome outcome)
{
    struct invocation *inv = call->inv;
    const struct step *step = call->run->step;
    if (call->undo || call->attempt >= step->retry.times || !step->action->idempotent ||
        !makes_sense(outcome) || atomic_load(&inv->cancelled) || inv->chain_ended)
        return false;
    int64_t ms = back_off_ms(call);
    if (mgi_chain_left_ms(call) < ms + STEP_LEAST_MS)
        return false;
    if (inv->call.loop && !start_timer(call, ms, false))
        return false;
    call->attempt++;
    call->state = call->timer ? CALL_WAITING : CALL_READY; /* nobody is there to wait for */
    return true;
}
