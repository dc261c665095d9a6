/* One step of a chain: preparing what it is sent, and digesting what it answered. Both take time
 * that grows with what tools return: they are done where they stand if they are surely brief, else
 * on a worker. */
#include "base/time.h"
#include "base/utf8.h"
#include "invoke/chain_int.h"

#define DETAIL_BYTES 200
#define LOGGED_BYTES 1000 /* of what failed */

/* What surely takes well under a millisecond. */
#define BRIEF_BYTES         16384 /* of texts that are looked through or copied */
#define BRIEF_DELTA_BYTES   4096
#define BRIEF_DELTA_ENTRIES 500 /* that a delta is merged with */

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
void mgi_chain_failed(struct invocation *inv, struct str why, struct str own, const char *reason,
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

struct invocation *mgi_chain_of_task(struct task *t)
{
    return (struct invocation *)((char *)t - offsetof(struct invocation, task));
}

/* False: nobody takes it, so it is done here. */
bool mgi_chain_hand_over(struct invocation *inv, enum chain_state state,
                         void (*run)(struct task *t), void (*done)(struct task *t))
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

int64_t mgi_chain_left_ms(const struct invocation *inv)
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
        } else if (mgi_chain_left_ms(inv) < STEP_LEAST_MS) {
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

void mgi_chain_prepare(struct invocation *inv)
{
    inv->fault = NULL;
    inv->prepared = true;
    if (find_next(inv))
        compose(inv, inv->runs[inv->current].step);
}

void mgi_chain_prepare_task(struct task *t)
{
    mgi_chain_prepare(mgi_chain_of_task(t));
}

bool mgi_chain_is_brief(const struct invocation *inv)
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
    digest(mgi_chain_of_task(t));
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
        mgi_chain_failed(inv, str_of(inv->fault), (struct str){ 0 }, "bad_output", false);
    } else {
        run->state = STEP_SUCCESS;
        const struct json *summary = mgi_json_get(&run->output, "summary");
        if (summary && summary->type == JSON_STRING)
            run->detail = one_line(inv, summary->string);
        inv->kept_bytes += run->output.text.len;
        inv->current++;
    }
    mgi_chain_advance(inv);
}

static void digested_task(struct task *t)
{
    digested(mgi_chain_of_task(t));
}

void mgi_chain_step_done(void *context, const struct tool_result *result)
{
    struct invocation *inv = context;
    struct step_run *run = &inv->runs[inv->current];
    inv->state = CHAIN_IDLE;
    run->duration_ms = result->duration_ms;
    inv->indeterminate |= result->indeterminate && run->step->action->tier > 0;
    run->has_output = result->outcome == TOOL_OK || result->outcome == TOOL_ERROR;
    run->output = result->output;
    if (result->outcome == TOOL_OK) {
        inv->state_delta = result->state_delta;
        if (is_brief_to_digest(inv) ||
            !mgi_chain_hand_over(inv, CHAIN_DIGESTING, digest_task, digested_task)) {
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
        mgi_chain_failed(inv, result->error.len ? result->error : STR_LIT("it does not say why"),
                         result->outcome == TOOL_ERROR ? result->error : (struct str){ 0 },
                         outcomes[result->outcome].reason, outcomes[result->outcome].ends);
    mgi_chain_advance(inv);
}
