/* The chain: steps run one after the other, each in a toolhost process (toolhost.md chapter 11).
 *
 *     next ─condition false, no time──> skipped ─┐
 *      │                                         ├─> next … ─> over ─> mgi_invocation_finish
 *      └─inputs─> session ─> call ─> outcome ────┘
 *
 * A session belongs to this invocation from its first step to its last (T-MCP-1); a chain whose
 * actions come from several plugins holds one of each. The pool never calls back from inside a
 * call, so the stack grows only with steps that fail before they are sent: at most one frame a
 * step. */
#include <inttypes.h>

#include "base/time.h"
#include "base/utf8.h"
#include "invoke/invoke_int.h"

#define DETAIL_BYTES    200
#define STEP_RESERVE_MS 100 /* T-MCP-28 */
#define STEP_LEAST_MS   200
#define SESSION_WAIT_MS 5000
#define PROGRESS_GAP_NS (100 * NS_PER_MS) /* at most ten a second (T-MCP-30) */

static void next(struct invocation *inv);

/* ---- progress ---------------------------------------------------------------------------- */

static void report(struct invocation *inv, const char *status, struct str detail)
{
    int64_t now = (int64_t)uv_hrtime();
    bool running = strcmp(status, "running") == 0;
    if (!inv->call.progress || !inv->call.wants_progress ||
        (running && now - inv->last_progress_ns < PROGRESS_GAP_NS))
        return;
    double percent = inv->run_count ? 100.0 * (double)inv->current / (double)inv->run_count : 0;
    if (percent > 99)
        percent = 99; /* below 100 until the response */
    if (percent < inv->last_percent)
        percent = inv->last_percent;
    inv->last_percent = percent;
    if (running) /* "started" must not swallow the first step's */
        inv->last_progress_ns = now;
    inv->call.progress(inv->call.context, status, detail, percent);
}

/* ---- outcomes ---------------------------------------------------------------------------- */

/* One line for people, of text from outside (T-MCP-10). */
static struct str one_line(struct invocation *inv, struct str text)
{
    struct buf shown = { 0 };
    text = mgi_utf8_prefix(text, DETAIL_BYTES);
    for (size_t i = 0; i < text.len; i++)
        mgi_buf_putc(&shown, (unsigned char)text.ptr[i] < 0x20 ? ' ' : text.ptr[i]);
    struct str out = mgi_arena_str(&inv->arena, mgi_buf_view(&shown));
    mgi_buf_fini(&shown);
    return out;
}

static void end_chain(struct invocation *inv, const char *reason)
{
    inv->chain_ended = true;
    inv->failed_step = inv->current;
    inv->failure = reason;
}

/* The step failed: go on or end, as its rule says; some outcomes always end (toolhost.md 11.2). */
static void failed(struct invocation *inv, struct str detail, const char *reason, bool ends)
{
    struct step_run *run = &inv->runs[inv->current];
    run->state = STEP_FAILURE;
    run->detail = one_line(inv, detail);
    if (run->step->on_failure == ON_FAILURE_SKIP)
        run->has_output = false;
    if (ends || run->step->on_failure == ON_FAILURE_STOP)
        end_chain(inv, reason);
    inv->current++;
    next(inv);
}

static void skipped(struct invocation *inv, const char *why)
{
    struct step_run *run = &inv->runs[inv->current];
    run->state = STEP_SKIPPED;
    run->detail = str_of(why);
    inv->current++;
}

/* Copy a tool's output into the invocation. */
static bool keep_output(struct invocation *inv, struct step_run *run, const struct json *output)
{
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    struct str text = mgi_arena_str(&inv->arena, output->text);
    if (!text.ptr || mgi_json_parse(&inv->arena, text, &options, &run->output, NULL) != JSON_OK)
        return false;
    run->has_output = true;
    return true;
}

/* The plugin host leaves the schemas of actions to the server (T-INP-7). NULL: `v` fits. */
static const char *misfit(struct invocation *inv, const struct schema *schema, const struct json *v,
                          const char *what)
{
    struct schema_issues issues;
    if (!schema)
        return NULL;
    mgi_schema_issues_init(&issues, &inv->arena, 1);
    if (mgi_schema_validate(schema, v, &issues))
        return NULL;
    const char *text = NULL;
    if (issues.count > 0)
        text = mgi_arena_printf(&inv->arena, "%s does not fit its schema at \"%s\": %s", what,
                                issues.items[0].path, issues.items[0].message);
    return text ? text : "it does not fit its schema";
}

static void succeeded(struct invocation *inv, const struct tool_result *result)
{
    struct step_run *run = &inv->runs[inv->current];
    const char *why = NULL;
    why = misfit(inv, run->step->action->output_schema, &run->output, "its output");
    if (!why && result->state_delta.type == JSON_OBJECT) {
        if (mgi_delta_take(inv, &result->state_delta, &why))
            why = NULL;
    } else if (!why && result->state_delta.type != JSON_NULL) {
        why = "its state delta is not an object";
    }
    if (why) {
        run->has_output = false;
        failed(inv, str_of(why), "bad_output", false);
        return;
    }
    run->state = STEP_SUCCESS;
    const struct json *summary = run->has_output ? mgi_json_get(&run->output, "summary") : NULL;
    if (summary && summary->type == JSON_STRING)
        run->detail = one_line(inv, summary->string);
    inv->current++;
    next(inv);
}

static const struct {
    const char *reason;
    bool ends;
} outcomes[] = {
    [TOOL_OK] = { NULL, false },
    [TOOL_ERROR] = { "tool_error", false },
    [TOOL_INVALID_PICK] = { "invalid_pick", true },
    [TOOL_BREAKER] = { "unavailable", false },
    [TOOL_TIMEOUT] = { "timeout", false },
    [TOOL_CANCELLED] = { "timeout", true },
    [TOOL_CRASH] = { "crash", false },
    [TOOL_BAD_OUTPUT] = { "bad_output", false },
    [TOOL_TOO_LARGE] = { "too_large", false },
    [TOOL_UNAVAILABLE] = { "unavailable", false },
    [TOOL_LEASE] = { "lease", true },
    [TOOL_REFUSED] = { "refused", true },
};

static void step_done(void *context, const struct tool_result *result)
{
    struct invocation *inv = context;
    struct step_run *run = &inv->runs[inv->current];
    inv->running = false;
    run->duration_ms = result->duration_ms;
    inv->indeterminate |= result->indeterminate && run->step->action->tier > 0;
    if ((result->outcome == TOOL_OK || result->outcome == TOOL_ERROR) &&
        result->output.type == JSON_OBJECT && !keep_output(inv, run, &result->output)) {
        failed(inv, STR_LIT("the server ran out of memory"), "unavailable", true);
        return;
    }
    if (result->outcome == TOOL_OK) {
        succeeded(inv, result);
        return;
    }
    if (result->outcome == TOOL_BREAKER && run->step->on_failure == ON_FAILURE_SKIP) {
        skipped(inv, "the action is switched off for now");
        next(inv);
        return;
    }
    failed(inv, result->error.len ? result->error : STR_LIT("failed"),
           outcomes[result->outcome].reason, outcomes[result->outcome].ends);
}

/* ---- sending a step ---------------------------------------------------------------------- */

static struct plugin_session *find_session(struct invocation *inv, struct str plugin)
{
    for (size_t i = 0; i < inv->session_count; i++)
        if (str_eq(inv->sessions[i].plugin, plugin))
            return &inv->sessions[i];
    return NULL;
}

static int64_t time_left_ms(const struct invocation *inv)
{
    return (inv->deadline_ns - (int64_t)uv_hrtime()) / NS_PER_MS;
}

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

/* Do the inputs as composed fit what the action wants? NULL: yes. */
static const char *inputs_fault(struct invocation *inv, const struct step *step, struct str text)
{
    struct json inputs;
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    if (!step->action->input_schema)
        return NULL;
    struct str kept = mgi_arena_str(&inv->arena, text);
    if (!kept.ptr || mgi_json_parse(&inv->arena, kept, &options, &inputs, NULL) != JSON_OK)
        return "its inputs could not be read";
    return misfit(inv, step->action->input_schema, &inputs, "its input");
}

static void send_step(struct invocation *inv, struct plugin_session *session)
{
    const struct step *step = inv->runs[inv->current].step;
    struct buf inputs = { 0 };
    struct json_writer w;
    const char *what = NULL;
    mgi_json_writer_init(&w, &inputs, 0);
    if (mgi_source_write(inv, &w, &step->inputs, &what) != SOURCE_WRITTEN || inputs.oom) {
        struct buf why = { 0 };
        mgi_buf_printf(&why, "there is no %s", what ? what : "memory");
        failed(inv, mgi_buf_view(&why), "tool_error", false);
        mgi_buf_fini(&why);
        mgi_buf_fini(&inputs);
        return;
    }
    what = inputs_fault(inv, step, mgi_buf_view(&inputs));
    if (what) {
        mgi_buf_fini(&inputs);
        failed(inv, str_of(what), "tool_error", false);
        return;
    }
    struct tool_request request = {
        .aid = step->action->aid,
        .inputs = mgi_buf_view(&inputs),
        .invocation_id = inv->call.invocation_id,
        .step = (uint32_t)inv->current,
        .timeout_ms = step_timeout_ms(inv, step),
        .tier = step->action->tier,
        .issuer = inv->macro.requires_confirmation ? "confirmation" : "policy",
        .first = session->fresh,
    };
    session->fresh = false;
    inv->running = true;
    report(inv, "running", step->action->name);
    mgi_toolsession_call(session->session, &request, step_done, inv);
    mgi_buf_fini(&inputs);
}

static void session_ready(void *context, struct toolsession *session, const char *why)
{
    struct invocation *inv = context;
    inv->ticket = NULL;
    if (!session) {
        failed(inv, str_of(why ? why : "no plugin host is available"), "unavailable", false);
        return;
    }
    struct plugin_session *kept = &inv->sessions[inv->session_count++];
    *kept = (struct plugin_session){ inv->runs[inv->current].step->action->plugin, session, true };
    send_step(inv, kept);
}

/* ---- the loop ---------------------------------------------------------------------------- */

static void over(struct invocation *inv)
{
    report(inv, "finalizing", (struct str){ NULL, 0 });
    mgi_invocation_finish(inv);
}

/* Skip what needs no process, then send the next step; or finish. */
static void next(struct invocation *inv)
{
    while (inv->current < inv->run_count) {
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
            struct plugin_session *session = find_session(inv, step->action->plugin);
            if (session) {
                send_step(inv, session);
                return;
            }
            int64_t wait =
                time_left_ms(inv) < SESSION_WAIT_MS ? time_left_ms(inv) : SESSION_WAIT_MS;
            inv->ticket = mgi_toolsession_take(inv->call.pool, step->action->plugin, wait,
                                               session_ready, inv);
            if (inv->ticket)
                return;
            failed(inv, STR_LIT("the server ran out of memory"), "unavailable", true);
            return;
        }
    }
    over(inv);
}

void mgi_chain_begin(struct invocation *inv)
{
    report(inv, "started", inv->tool->name);
    next(inv);
}

void mgi_chain_cancel(struct invocation *inv)
{
    if (inv->cancelled)
        return;
    inv->cancelled = true;
    if (inv->running) {
        mgi_toolsession_cancel(
            find_session(inv, inv->runs[inv->current].step->action->plugin)->session);
    } else if (inv->ticket) {
        mgi_toolsession_forget(inv->ticket);
        inv->ticket = NULL;
        next(inv);
    }
}

void mgi_chain_release(struct invocation *inv)
{
    for (size_t i = 0; i < inv->session_count; i++)
        mgi_toolsession_release(inv->sessions[i].session);
    inv->session_count = 0;
}
