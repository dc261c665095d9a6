/* The chain: steps run one after the other, each in a toolhost process (toolhost.md chapter 11).
 *
 *     prepare ──none left──────────────────────────────────────────> over
 *      │  └─inputs─> session ─> call ─> outcome ─> digest ─> prepare …
 *      └─condition false, no time, cancelled: skipped, the next one
 *
 * Preparing (conditions, inputs, their schema) and digesting (output, its schema, the delta) take
 * time that grows with what tools return: both are done where they stand if they are surely brief,
 * else on a worker. Everything else is on the loop.
 *
 * A session belongs to this invocation from its first step to its last (T-MCP-1); a chain whose
 * actions come from several plugins holds one of each. The first is reserved before anything has
 * happened, so that "all hosts are busy" can be said without consequences. */
#include <inttypes.h>

#include "base/time.h"
#include "base/utf8.h"
#include "invoke/invoke_int.h"

#define DETAIL_BYTES    200
#define LOGGED_BYTES    1000 /* of what failed */
#define STEP_RESERVE_MS 100  /* T-MCP-28 */
#define STEP_LEAST_MS   200
#define BUSY_RETRY_MS   1000

/* What surely takes well under a millisecond. */
#define BRIEF_BYTES         16384 /* of texts that are looked through or copied */
#define BRIEF_DELTA_BYTES   4096
#define BRIEF_DELTA_ENTRIES 500 /* that a delta is merged with */

static void advance(struct invocation *inv);

/* ---- progress ---------------------------------------------------------------------------- */

/* May one more be sent now? Then it is counted. */
static bool may_report(struct invocation *inv)
{
    int64_t now = (int64_t)uv_hrtime();
    int64_t *oldest = &inv->reported_ns[inv->reports % REPORTS_A_SECOND];
    if (inv->reports >= REPORTS_A_SECOND && now - *oldest < NS_PER_SEC)
        return false;
    *oldest = now;
    inv->reports++;
    return true;
}

static void report(struct invocation *inv, const char *status, struct str detail)
{
    bool running = strcmp(status, "running") == 0; /* the others are two, and never left out */
    if (!inv->call.progress || !inv->call.wants_progress || (running && !may_report(inv)))
        return;
    double done = (double)inv->current + inv->fraction;
    double percent = inv->run_count ? 100.0 * done / (double)inv->run_count : 0;
    if (percent > 99)
        percent = 99; /* below 100 until the response */
    if (percent < inv->last_percent)
        percent = inv->last_percent;
    inv->last_percent = percent;
    inv->call.progress(inv->call.context, status, detail, percent);
}

/* What the running action says of itself (T-MCP-31): one line, of text from outside. */
static void step_progress(void *context, double percent, struct str detail)
{
    struct invocation *inv = context;
    char line[DETAIL_BYTES];
    if (inv->state != CHAIN_CALLING)
        return;
    if (percent / 100 > inv->fraction)
        inv->fraction = percent / 100;
    detail = mgi_utf8_prefix(detail, sizeof line);
    for (size_t at = 0; at < detail.len;) {
        size_t from = at;
        uint32_t code = mgi_utf8_next(detail, &at);
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == UINT32_MAX;
        for (size_t i = from; i < at; i++)
            line[i] = control ? ' ' : detail.ptr[i];
    }
    report(inv, "running", (struct str){ line, detail.len });
}

/* ---- what becomes of a step ---------------------------------------------------------------- */

/* One line for people, of text from outside (T-MCP-10). */
static struct str one_line(struct invocation *inv, struct str text)
{
    text = mgi_utf8_prefix(text, DETAIL_BYTES);
    char *line = mgi_arena_alloc(inv->arena, text.len + 1);
    for (size_t i = 0; line && i < text.len; i++)
        line[i] = (unsigned char)text.ptr[i] < 0x20 ? ' ' : text.ptr[i];
    return line ? (struct str){ line, text.len } : (struct str){ "", 0 };
}

static void end_chain(struct invocation *inv, const char *reason)
{
    inv->chain_ended = true;
    inv->failed_step = inv->current;
    inv->failure = reason;
}

/* Who operates the server, or plays a scenario, learns all of it. */
static void log_failure(struct invocation *inv, struct str why)
{
    const struct step *step = inv->runs[inv->current].step;
    mgi_log(inv->call.log, LOG_WARN, "%.*s: step %.*s, action %.*s, failed: %s (invocation %.*s)",
            STR_ARG(inv->tool->name), STR_ARG(step->id), STR_ARG(step->action->aid),
            mgi_invocation_masked(inv, NULL, mgi_show(inv->arena, why, LOGGED_BYTES)),
            STR_ARG(inv->call.invocation_id));
}

/* The step failed: go on or end, as its rule says; some outcomes always end (toolhost.md 11.2).
 * `why` is for the log. A client is told what the template says; `own` are words of the tool, which
 * the template may pass on. */
static void step_failed(struct invocation *inv, struct str why, struct str own, const char *reason,
                        bool ends)
{
    struct step_run *run = &inv->runs[inv->current];
    log_failure(inv, why);
    run->state = STEP_FAILURE;
    run->detail = one_line(inv, run->step->tells_failure ? own : run->step->failure_text);
    if (run->step->on_failure == ON_FAILURE_SKIP)
        run->has_output = false;
    if (ends || run->step->on_failure == ON_FAILURE_STOP)
        end_chain(inv, reason);
    inv->current++;
}

static void skipped(struct invocation *inv, const char *why)
{
    struct step_run *run = &inv->runs[inv->current];
    run->state = STEP_SKIPPED;
    run->detail = str_of(why);
    inv->current++;
}

/* The plugin host leaves the schemas of actions to the server (T-INP-7). NULL: `v` fits. */
static const char *misfit(struct invocation *inv, const struct schema *schema, const struct json *v,
                          const char *what)
{
    struct schema_issues issues;
    if (!schema)
        return NULL;
    mgi_schema_issues_init(&issues, inv->arena, 1);
    if (mgi_schema_validate(schema, v, &issues))
        return NULL;
    const char *text = NULL;
    if (issues.count > 0)
        text = mgi_arena_printf(inv->arena, "%s does not fit its schema at \"%s\": %s", what,
                                issues.items[0].path, issues.items[0].message);
    return text ? text : "it does not fit its schema";
}

/* ---- here or on a worker ------------------------------------------------------------------- */

static struct invocation *of_task(struct task *t)
{
    return (struct invocation *)((char *)t - offsetof(struct invocation, task));
}

/* False: nobody takes it, so it is done here. */
static bool hand_over(struct invocation *inv, enum chain_state state, void (*run)(struct task *t),
                      void (*done)(struct task *t))
{
    const struct task_runner *tasks = &inv->call.tasks;
    inv->task =
        (struct task){ .run = run, .done = done, .owner = inv->call.owner, .promised = true };
    inv->settled = inv->current; /* before: from now on it is the worker's */
    if (!tasks->hand || !tasks->hand(tasks->self, &inv->task))
        return false;
    inv->state = state;
    return true;
}

/* ---- preparing a step ---------------------------------------------------------------------- */

static int64_t time_left_ms(const struct invocation *inv)
{
    return (inv->deadline_ns - (int64_t)uv_hrtime()) / NS_PER_MS;
}

/* Skip what will not be sent. False: nothing is left. */
static bool find_next(struct invocation *inv)
{
    for (; inv->current < inv->run_count;) {
        const struct step *step = inv->runs[inv->current].step;
        if (inv->cancelled) {
            skipped(inv, "cancelled");
        } else if (inv->chain_ended) {
            skipped(inv, "an earlier step failed");
        } else if (step->has_condition && !mgi_source_truth(inv, &step->condition)) {
            skipped(inv, "not needed");
        } else if (time_left_ms(inv) < STEP_LEAST_MS) {
            end_chain(inv, "timeout");
            skipped(inv, "no time was left");
        } else {
            return true;
        }
    }
    return false;
}

/* Compose the inputs; inv->fault says what is wrong with them. */
static void compose(struct invocation *inv, const struct step *step)
{
    struct buf text = { 0 };
    struct json_writer w;
    const char *what = NULL;
    mgi_json_writer_init(&w, &text, 0);
    enum source_found found = mgi_source_write(inv, &w, &step->inputs, &what);
    if (found != SOURCE_WRITTEN || text.oom) {
        const char *why = mgi_arena_printf(inv->arena, "there is no %s", what ? what : "memory");
        inv->fault = why ? why : "there is no memory";
    } else {
        struct str kept = mgi_arena_str(inv->arena, mgi_buf_view(&text));
        if (!kept.ptr || !mgi_tool_inputs(inv->arena, kept, step->action->tier > 0, &inv->inputs))
            inv->fault = "its inputs could not be read";
        else
            inv->fault = misfit(inv, step->action->input_schema, &inv->inputs.value, "its input");
    }
    mgi_buf_fini(&text);
}

static void prepare(struct invocation *inv)
{
    inv->fault = NULL;
    inv->prepared = true;
    if (find_next(inv))
        compose(inv, inv->runs[inv->current].step);
}

static void prepare_task(struct task *t)
{
    prepare(of_task(t));
}

static bool is_brief_to_prepare(const struct invocation *inv)
{
    if (inv->kept_bytes + inv->args.text.len > BRIEF_BYTES)
        return false;
    for (size_t i = inv->current; i < inv->run_count; i++) {
        const struct step *step = inv->runs[i].step;
        size_t bytes = mgi_source_bytes(inv, &step->inputs, BRIEF_BYTES);
        if (bytes > BRIEF_BYTES ||
            (step->action->input_schema && !mgi_schema_is_brief(step->action->input_schema, bytes)))
            return false;
        if (!step->has_condition)
            break; /* the one that comes next at the latest */
    }
    return true;
}

/* ---- digesting an outcome ------------------------------------------------------------------ */

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

/* A good outcome: does it keep what the action promised? inv->fault says if not. */
static void digest(struct invocation *inv)
{
    struct step_run *run = &inv->runs[inv->current];
    const char *why = misfit(inv, run->step->action->output_schema, &run->output, "its output");
    if (!why && inv->state_delta.type == JSON_OBJECT) {
        if (mgi_delta_take(inv, &inv->state_delta, &why))
            why = NULL;
    } else if (!why && inv->state_delta.type != JSON_NULL) {
        why = "its state delta is not an object";
    }
    inv->fault = why;
}

static void digest_task(struct task *t)
{
    digest(of_task(t));
}

static bool is_brief_to_digest(const struct invocation *inv)
{
    const struct step_run *run = &inv->runs[inv->current];
    const struct schema *schema = run->step->action->output_schema;
    size_t delta = inv->state_delta.type == JSON_OBJECT ? inv->state_delta.text.len : 0;
    return (!schema || mgi_schema_is_brief(schema, run->output.text.len)) &&
           delta <= BRIEF_DELTA_BYTES &&
           (delta == 0 || inv->asserts.count + inv->retracts.count <= BRIEF_DELTA_ENTRIES);
}

static void digested(struct invocation *inv)
{
    struct step_run *run = &inv->runs[inv->current];
    inv->state = CHAIN_IDLE;
    if (inv->fault) {
        run->has_output = false;
        inv->indeterminate |= run->step->action->tier > 0; /* it ran; what it says is not usable */
        step_failed(inv, str_of(inv->fault), (struct str){ 0 }, "bad_output", false);
    } else {
        run->state = STEP_SUCCESS;
        const struct json *summary = mgi_json_get(&run->output, "summary");
        if (summary && summary->type == JSON_STRING)
            run->detail = one_line(inv, summary->string);
        inv->kept_bytes += run->output.text.len;
        inv->current++;
    }
    advance(inv);
}

static void digested_task(struct task *t)
{
    digested(of_task(t));
}

static void step_written(struct invocation *inv, enum run_outcome outcome,
                         const struct tool_result *r)
{
    struct step_ended ended = { .outcome = outcome };
    if (r)
        ended = (struct step_ended){ outcome, r->indeterminate, r->output.text, r->duration_ms };
    if (inv->journal_step)
        inv->call.journal->step_ends(inv->journal_step, &ended);
    inv->journal_step = NULL;
}

static void step_done(void *context, const struct tool_result *result)
{
    struct invocation *inv = context;
    struct step_run *run = &inv->runs[inv->current];
    inv->state = CHAIN_IDLE;
    inv->fraction = 0;
    step_written(inv,
                 result->outcome == TOOL_OK          ? RUN_SUCCESS
                 : result->outcome == TOOL_CANCELLED ? RUN_CANCELLED
                                                     : RUN_FAILURE,
                 result);
    run->duration_ms = result->duration_ms;
    inv->indeterminate |= result->indeterminate && run->step->action->tier > 0;
    run->has_output = result->outcome == TOOL_OK || result->outcome == TOOL_ERROR;
    run->output = result->output;
    if (result->outcome == TOOL_OK) {
        inv->state_delta = result->state_delta;
        if (is_brief_to_digest(inv) ||
            !hand_over(inv, CHAIN_DIGESTING, digest_task, digested_task)) {
            digest(inv);
            digested(inv);
        }
        return;
    }
    if (result->outcome == TOOL_ERROR)
        inv->kept_bytes += run->output.text.len;
    if (result->outcome == TOOL_BREAKER && run->step->on_failure == ON_FAILURE_SKIP)
        skipped(inv, "the action is switched off for now");
    else
        step_failed(inv, result->error.len ? result->error : STR_LIT("it does not say why"),
                    result->outcome == TOOL_ERROR ? result->error : (struct str){ 0 },
                    outcomes[result->outcome].reason, outcomes[result->outcome].ends);
    advance(inv);
}

/* ---- sessions ------------------------------------------------------------------------------ */

static struct plugin_session *find_session(struct invocation *inv,
                                           const struct action_provider *provider)
{
    for (size_t i = 0; i < inv->session_count; i++)
        if (inv->sessions[i].provider == provider)
            return &inv->sessions[i];
    return NULL;
}

static void refuse(struct invocation *inv, enum wire_code code, const char *details,
                   const char *message, int64_t retry_ms)
{
    struct wire_error e = {
        .code = code, .message = message, .details = str_of(details), .retry_after_ms = retry_ms
    };
    inv->reserving = false;
    inv->reserved(inv->call.context, &e);
}

/* Too many invocations are open for the hosts there are, and nothing has happened yet: of the codes
 * of protocol.md part 4 that is rate_limited ("too many open ones"; wait and ask again).
 * server_not_ready speaks of a server that boots or drains, execution_failed of a tool that ran. */
static void refuse_session(struct invocation *inv, enum toolsession_refusal refusal,
                           const char *why)
{
    char details[48];
    if (refusal == SESSION_NEVER) {
        mgi_log(inv->call.log, LOG_WARN, "invocation %.*s: %s", STR_ARG(inv->call.invocation_id),
                why);
        refuse(inv, WIRE_SERVER_NOT_READY, "{\"status\":\"draining\"}",
               "The tool cannot be started any more.", BUSY_RETRY_MS);
        return;
    }
    snprintf(details, sizeof details, "{\"limit\":%" PRIu32 "}", inv->snapshot->settings.hosts);
    refuse(inv, WIRE_RATE_LIMITED, details, "Everything that can run this tool is busy.",
           BUSY_RETRY_MS);
}

static void session_ready(void *context, struct toolsession *session,
                          enum toolsession_refusal refusal, const char *why)
{
    struct invocation *inv = context;
    inv->ticket = NULL;
    inv->state = CHAIN_IDLE;
    if (session) {
        inv->sessions[inv->session_count++] =
            (struct plugin_session){ inv->runs[inv->current].step->action->provider, session,
                                     true };
    } else if (inv->reserving) {
        refuse_session(inv, refusal, why);
        return;
    } else {
        step_failed(inv, str_of(why), (struct str){ 0 }, "unavailable", false);
        inv->prepared = false;
    }
    advance(inv);
}

static bool take_session(struct invocation *inv, const struct action_provider *provider)
{
    int64_t wait_ms = inv->snapshot->settings.host_wait_ms, left_ms = time_left_ms(inv);
    struct toolwish wish = { .provider = provider,
                             .owner = inv->call.owner,
                             .wait_ms = left_ms < wait_ms ? left_ms : wait_ms,
                             .ready = session_ready,
                             .context = inv };
    inv->ticket = mgi_toolsession_take(inv->call.pool, &wish);
    if (inv->ticket)
        inv->state = CHAIN_TAKING;
    return inv->ticket != NULL;
}

/* ---- sending a step ---------------------------------------------------------------------- */

static int64_t step_timeout_ms(const struct invocation *inv, const struct step *step)
{
    int64_t ms = time_left_ms(inv) - STEP_RESERVE_MS;
    int64_t own = step->timeout_ms ? step->timeout_ms : step->action->timeout_ms;
    int64_t usual = inv->snapshot->settings.action_timeout_ms;
    if (own > 0 && own < ms)
        ms = own;
    if (own <= 0 && usual > 0 && usual < ms)
        ms = usual;
    return ms;
}

static void send_now(struct invocation *inv, struct plugin_session *session)
{
    const struct step *step = inv->runs[inv->current].step;
    struct tool_request request = {
        .arena = inv->arena,
        .aid = step->action->aid,
        .inputs = &inv->inputs,
        .invocation_id = inv->call.invocation_id,
        .step = (uint32_t)inv->current,
        .timeout_ms = step_timeout_ms(inv, step),
        .tier = step->action->tier,
        .issuer = inv->macro.requires_confirmation ? "confirmation" : "policy",
        .first = session->fresh,
        .progress = inv->call.progress && inv->call.wants_progress ? step_progress : NULL,
    };
    inv->fraction = 0;
    session->fresh = false;
    inv->prepared = false;
    inv->acted = true;
    inv->state = CHAIN_CALLING;
    report(inv, "running", step->action->name);
    mgi_toolsession_call(session->session, &request, step_done, inv);
}

static void told(void *context, const char *why)
{
    struct invocation *inv = context;
    inv->state = CHAIN_IDLE;
    if (!why && !inv->cancelled) {
        send_now(inv, inv->chosen);
        return;
    }
    step_written(inv, RUN_NOT_SENT, NULL);
    inv->prepared = false;
    if (why)
        step_failed(inv, mgi_arena_str(inv->arena, str_of(why)), (struct str){ 0 }, "unavailable",
                    true);
    advance(inv);
}

static void send_step(struct invocation *inv, struct plugin_session *session)
{
    const struct step *step = inv->runs[inv->current].step;
    const struct run_journal *journal = inv->call.journal;
    const struct step_begun begun = { .step = (uint32_t)inv->current,
                                      .item = -1,
                                      .name = step->id,
                                      .action = step->action->aid,
                                      .tier = step->action->tier,
                                      .input_sha256 = str_of(inv->inputs.digest) };
    inv->chosen = session;
    inv->state = CHAIN_RECORDING;
    inv->journal_step = journal && inv->journal_run
                            ? journal->step_begins(inv->journal_run, &begun, told, inv)
                            : NULL;
    if (!journal || step->action->tier == 0)
        send_now(inv, session);
    else if (!inv->journal_step)
        told(inv, "what it does could not be written down");
}

/* ---- the loop ---------------------------------------------------------------------------- */

static void release_sessions(struct invocation *inv)
{
    for (size_t i = 0; i < inv->session_count; i++)
        mgi_toolsession_release(inv->sessions[i].session);
    inv->session_count = 0;
}

static void over(struct invocation *inv)
{
    inv->state = CHAIN_OVER;
    release_sessions(inv); /* others may have them while the answer is made */
    if (inv->call.journal)
        inv->call.journal->run_ends(inv->journal_run, inv->cancelled     ? RUN_CANCELLED
                                                      : inv->chain_ended ? RUN_FAILURE
                                                                         : RUN_SUCCESS);
    inv->journal_run = NULL;
    report(inv, "finalizing", (struct str){ NULL, 0 });
    if (!inv->inside)
        inv->ran(inv->call.context);
}

static void tell_reserved(struct invocation *inv)
{
    inv->reserving = false;
    if (!inv->inside)
        inv->reserved(inv->call.context, NULL);
}

static void prepared_task(struct task *t)
{
    struct invocation *inv = of_task(t);
    inv->state = CHAIN_IDLE;
    if (inv->cancelled && inv->reserving) {
        refuse(inv, WIRE_CANCELLED, "", "The request was cancelled.", -1);
        return;
    }
    if (inv->cancelled && inv->current < inv->run_count)
        inv->prepared = false; /* too late for the worker to see: look again, and skip the rest */
    advance(inv);
}

/* Go on until something has to be waited for. */
static void advance(struct invocation *inv)
{
    for (;;) {
        if (!inv->prepared && !is_brief_to_prepare(inv) &&
            hand_over(inv, CHAIN_COMPOSING, prepare_task, prepared_task))
            return;
        if (!inv->prepared)
            prepare(inv);
        bool left = inv->current < inv->run_count;
        struct plugin_session *session = NULL;
        if (left && !inv->fault) {
            const struct action_provider *provider = inv->runs[inv->current].step->action->provider;
            session = find_session(inv, provider);
            if (!session && take_session(inv, provider))
                return;
            if (!session)
                inv->fault = "the server ran out of memory";
        }
        if (session && !inv->reserving) {
            send_step(inv, session);
            return;
        }
        if (session || (!left && inv->reserving)) {
            tell_reserved(inv);
            return;
        }
        if (!left) {
            over(inv);
            return;
        }
        step_failed(inv, str_of(inv->fault), (struct str){ 0 }, "tool_error", false);
        inv->prepared = false;
    }
}

bool mgi_invocation_reserve(struct invocation *inv,
                            void (*reserved)(void *context, const struct wire_error *e))
{
    inv->reserved = reserved;
    inv->reserving = inv->inside = true;
    advance(inv);
    inv->inside = false;
    return !inv->reserving;
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
        ids[begun.step_count++] = inv->runs[i].step->id;
        begun.has_effects |= inv->runs[i].step->action->tier > 0;
    }
    if (ids)
        inv->journal_run = journal->run_begins(journal->self, &begun);
}

bool mgi_invocation_run(struct invocation *inv, void (*ran)(void *context))
{
    inv->ran = ran;
    report(inv, "started", inv->tool->name);
    if (inv->call.journal)
        begin_journal(inv);
    inv->inside = true;
    advance(inv);
    inv->inside = false;
    return inv->state == CHAIN_OVER;
}

bool mgi_invocation_acted(const struct invocation *inv)
{
    return inv->acted;
}

void mgi_invocation_cancel(struct invocation *inv)
{
    if (inv->cancelled)
        return;
    inv->cancelled = true;
    switch (inv->state) {
    case CHAIN_TAKING:
        mgi_toolsession_forget(inv->ticket);
        inv->ticket = NULL;
        inv->state = CHAIN_IDLE;
        inv->prepared = false;
        if (inv->reserving)
            refuse(inv, WIRE_CANCELLED, "", "The request was cancelled.", -1);
        else
            advance(inv);
        return;
    case CHAIN_CALLING:
        mgi_toolsession_cancel(
            find_session(inv, inv->runs[inv->current].step->action->provider)->session);
        return;
    case CHAIN_IDLE:
    case CHAIN_COMPOSING: /* it is looked at again when the worker is through */
    case CHAIN_RECORDING: /* or the journal */
    case CHAIN_DIGESTING:
    case CHAIN_OVER:
        return;
    }
}

bool mgi_invocation_is_harmless(const struct invocation *inv)
{
    size_t first = inv->state == CHAIN_COMPOSING ? inv->settled : inv->current;
    for (size_t i = first; i < inv->run_count; i++)
        if (inv->runs[i].step->action->tier > 0)
            return false;
    return true;
}

void mgi_invocation_free(struct invocation *inv)
{
    if (!inv)
        return;
    release_sessions(inv);
    mangle_overlay_free(inv->overlay);
    inv->overlay = NULL;
}
