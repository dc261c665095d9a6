/* The plugin of `actions: commands`: each of its tools is a program, started for the call and gone
 * with it. The table of them comes as settings (table.h).
 *
 *     arguments ──expand──> words, input ──run──> output, exit code ──read──> answer
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "expand.h"
#include "fence.h"
#include "read_output.h"
#include "rights.h"
#include "run.h"
#include "table.h"
#include "toolhost.h"

static const th_host *host;
static const th_outcome_v1 *outcome; /* or NULL: an older host */
static struct arena life;            /* of the worker */
static struct command_table table;

/* ---- a call --------------------------------------------------------------------------------- */

struct call {
    th_call *th;
    const struct command *command;
    struct arena arena;
};

static bool must_stop(void *context)
{
    const struct call *call = context;
    return host->cancelled(call->th) != 0;
}

static void pass_progress(void *context, double percent, struct str text)
{
    const struct call *call = context;
    struct str cut = mgi_utf8_prefix(text, 200);
    if (mgi_utf8_valid(cut, NULL))
        host->progress(call->th, percent, cut.ptr, cut.len);
}

static th_status failed(struct call *call, th_status status, const char *text)
{
    host->set_error(call->th, text, strlen(text));
    return status;
}

/* The last line that says something, cut and made visible. "" if there is none. */
static const char *last_words(struct call *call, const struct run_result *result)
{
    struct str text = mgi_str_trim(mgi_buf_view(&result->err), "\r\n\t ");
    struct buf shown = { 0 };
    size_t begin = text.len;
    while (begin > 0 && text.ptr[begin - 1] != '\n')
        begin--;
    text = (struct str){ text.ptr + begin, text.len - begin };
    mgi_utf8_show(&shown, mgi_utf8_prefix(text, 1000));
    struct str kept = mgi_arena_str(&call->arena, mgi_buf_view(&shown));
    mgi_buf_fini(&shown);
    return kept.ptr ? kept.ptr : "";
}

static const char *program_name(const struct call *call)
{
    const char *slash = strrchr(call->command->program, '/');
    return slash ? slash + 1 : call->command->program;
}

static th_status fail_with_words(struct call *call, const struct run_result *result,
                                 const char *how)
{
    const char *words = last_words(call, result);
    const char *text = mgi_arena_printf(&call->arena, "%s %s%s%s", program_name(call), how,
                                        words[0] ? ": " : "", words);
    return failed(call, TH_TOOL_ERROR, text ? text : "out of memory");
}

static void log_errors(struct call *call, const struct run_result *result, int level)
{
    struct str rest = mgi_buf_view(&result->err);
    for (int i = 0; rest.len > 0 && i < 200; i++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        struct buf shown = { 0 };
        mgi_utf8_show(&shown, mgi_utf8_prefix((struct str){ rest.ptr, len }, 2000));
        if (!shown.oom && shown.len > 0)
            host->log(call->th, level, shown.ptr, shown.len);
        mgi_buf_fini(&shown);
        len += end != NULL;
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
}

/* Nobody knows what it did, so it is no failure like one that it reports itself. */
static th_status lost(struct call *call, uint32_t how_lost, const struct run_result *result,
                      const char *how)
{
    if (outcome)
        outcome->lost(call->th, how_lost);
    return fail_with_words(call, result, how ? how : "failed");
}

/* What its author said of the exit code; NULL: nothing. */
static const struct ending *ending_of(const struct command *c, int code)
{
    const struct ending *other = NULL;
    for (size_t i = 0; i < c->ending_count; i++) {
        const struct ending *e = &c->endings[i];
        if (e->other && code != 0)
            other = e;
        else if (!e->other && code >= e->from && code <= e->to)
            return e;
    }
    return other;
}

static th_status told_failure(struct call *call, const struct ending *e,
                              const struct run_result *result)
{
    const char *how = mgi_arena_printf(&call->arena, "ended with exit code %d", result->code);
    th_status status = str_is(e->status, "invalid_pick") ? TH_INVALID_PICK
                       : str_is(e->status, "breaker")    ? TH_BREAKER_TRIP
                                                         : TH_TOOL_ERROR;
    if (e->error.len > 0)
        return failed(call, status, e->error.ptr);
    fail_with_words(call, result, how ? how : "failed");
    return status;
}

static th_status answer(struct call *call, const struct ending *e, const struct run_result *result)
{
    struct buf json = { 0 };
    if (e && e->output.len > 0) {
        host->set_output(call->th, e->output.ptr, e->output.len);
        return TH_OK;
    }
    const char *why = mgi_output_read(&call->arena, call->command, mgi_buf_view(&result->out),
                                      must_stop, call, &json);
    th_rc rc = why ? TH_RC_OK : host->set_output(call->th, json.ptr, json.len);
    mgi_buf_fini(&json);
    if (rc == TH_RC_LIMIT)
        why = "its output is too large for an answer";
    else if (rc != TH_RC_OK)
        why = "out of memory";
    if (why == mgi_output_no_match)
        return fail_with_words(call, result, why);
    return why ? lost(call, TH_LOST_BAD_OUTPUT, result, why) : TH_OK;
}

static th_status judge(struct call *call, const struct run_result *result)
{
    const struct ending *e = NULL;
    const char *how;
    switch (result->end) {
    case RUN_EXITED:
        e = ending_of(call->command, result->code);
        if (e ? e->ok : result->code == 0)
            return answer(call, e, result);
        if (e)
            return told_failure(call, e, result);
        how = mgi_arena_printf(&call->arena, "ended with exit code %d", result->code);
        break;
    case RUN_SIGNALLED:
        how = mgi_arena_printf(&call->arena, "was ended by signal %d (SIG%s)", result->code,
                               sigabbrev_np(result->code) ? sigabbrev_np(result->code) : "?");
        return lost(call, TH_LOST_CRASH, result, how);
    case RUN_FLOODED:
        how = mgi_arena_printf(&call->arena, "printed more than %zu bytes",
                               call->command->max_output);
        return lost(call, TH_LOST_TOO_LARGE, result, how);
    case RUN_STOPPED:
        return lost(call, TH_LOST_CRASH, result, "was stopped");
    case RUN_NOT_STARTED:
        how = mgi_arena_printf(&call->arena, "%s: %s", result->what,
                               result->code == ENOEXEC ? "it is no program and has no #! line"
                                                       : strerrordesc_np(result->code));
        break;
    default:
        return lost(call, TH_LOST_CRASH, result, "could not be ended");
    }
    return fail_with_words(call, result, how ? how : "failed");
}

static th_status run_command(struct call *call, th_str input_json)
{
    struct json arguments;
    struct expansion words;
    struct run_result result;
    struct str text = { input_json.ptr, input_json.len };
    if (mgi_json_parse(&call->arena, text, NULL, &arguments, NULL) != JSON_OK)
        return failed(call, TH_TOOL_ERROR, "its input could not be read");
    const char *why = mgi_command_expand(&call->arena, &table, call->command, &arguments, &words);
    if (why)
        return failed(call, TH_TOOL_ERROR, why);
    struct run_order order = { .program = call->command->program,
                               .folder = words.folder,
                               .argv = words.argv,
                               .env = call->command->env,
                               .input = words.input,
                               .plan = call->command->plan,
                               .max_output = call->command->max_output,
                               .stop = must_stop,
                               .progress = call->command->progress ? pass_progress : NULL,
                               .context = call };
    mgi_run(&order, &result);
    th_status status = judge(call, &result);
    log_errors(call, &result, status == TH_OK ? 3 : 2); /* the last line is in the failure */
    mgi_run_result_fini(&result);
    return status;
}

static th_status run_tool(th_call *th, th_str input_json, void *user)
{
    struct call call = { .th = th, .command = user };
    mgi_arena_init(&call.arena, 64u << 20);
    th_status status = run_command(&call, input_json);
    mgi_arena_fini(&call.arena);
    return status;
}

/* ---- registration --------------------------------------------------------------------------- */

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* What the programs may, the worker that starts them must be able to grant: how much of it that is,
 * the provider document says. */
uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_SHELL | TH_CAP_FILE_READ | TH_CAP_FILE_WRITE | TH_CAP_NETWORK;
}

static const char *or_none(struct str s)
{
    return s.len > 0 ? s.ptr : NULL;
}

static bool register_command(th_reg *reg, struct command *c)
{
    const th_tool tool = { .struct_size = sizeof tool,
                           .flags = c->flags,
                           .aid = c->aid.ptr,
                           .name = c->name.ptr,
                           .description = c->description.ptr,
                           .tags = c->tags,
                           .side_effects = c->side_effects,
                           .input_schema = or_none(c->input_schema),
                           .output_schema = or_none(c->output_schema),
                           .timeout_ms = c->timeout_ms,
                           .min_tier = -1,
                           .fn = run_tool,
                           .user = c };
    return host->register_tool(reg, &tool) == TH_RC_OK;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    const th_config_v1 *config = h->extension(h, "config.v1");
    const char *temporary = getenv("TMPDIR"), *why = "this host has no settings for plugins";
    host = h;
    outcome = h->extension(h, "outcome.v1");
    mgi_arena_init(&life, 0);
    if (config) {
        th_str settings = config->settings();
        why = mgi_command_table_read(&life, (struct str){ settings.ptr, settings.len }, temporary,
                                     &table);
    }
    if (!why)
        why = mgi_output_prepare(&life, &table);
    if (!why)
        why = mgi_rights_prepare(&life, &table, temporary);
    if (!why && !mgi_fence_raise())
        why = "programs cannot be kept in their group";
    if (why) {
        h->init_error(reg, why, strlen(why));
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a program need not read what it is given */
    /* What loses its parent comes to us, so that we can wait for it. Without it, it goes to the
     * host, which does. */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (size_t i = 0; i < table.count; i++)
        if (!register_command(reg, &table.items[i]))
            return 1;
    return 0;
}
