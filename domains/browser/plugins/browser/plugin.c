/* The plugin's door: registers every action of the lists and runs one at a time.
 *
 * A call is: parse the input, read the capture, run the action, hand over answer and facts. The
 * action sees a job and nothing of the host. */
#include "act.h"
#include "record.h"

#include <stdarg.h>
#include <stdio.h>

/* A parsed capture of the largest files is several hundred megabytes; beyond this the call ends
 * with an error rather than with the process's limit. */
#define JOB_MEMORY_BYTES ((size_t)900 * 1024 * 1024)

/* Where the state delta goes; the server takes it from there after the step. */
#define DELTA_SLOT    0
#define EVIDENCE_SLOT 1

static const th_host *plugin_host;

/* Those of the second half ask a live page for what they need, when they need it: nothing is
 * gathered before. */
static const struct browser_actions *const lists[] = {
    &mgi_capture_actions,   &mgi_console_actions,  &mgi_network_actions,   &mgi_impact_actions,
    &mgi_page_actions,      &mgi_gather_actions,   &mgi_plan_actions,      &mgi_act_actions,
    &mgi_act_page_actions,  &mgi_act_read_actions, &mgi_act_state_actions, &mgi_act_run_actions,
    &mgi_act_table_actions, &mgi_act_form_actions, &mgi_record_actions,
};
#define FIRST_THAT_ASKS 6

static bool asks_itself(const struct browser_action *action)
{
    for (size_t i = FIRST_THAT_ASKS; i < sizeof lists / sizeof lists[0]; i++)
        if (action >= lists[i]->actions && action < lists[i]->actions + lists[i]->count)
            return true;
    return false;
}

static bool put_artifact(struct job *job, unsigned slot, const char *type,
                         const struct buf *content)
{
    th_artifact facts = { .type = { type, strlen(type) },
                          .provenance = { "browser", 7 },
                          .content_json = { content->ptr, content->len } };
    if (content->len == 0 || job->host->state_put(job->call, slot, &facts) == TH_RC_OK)
        return true;
    return mgi_job_fail(job, "the artifact %s was not accepted (%zu bytes)", type, content->len);
}

static th_status finish(struct job *job, const struct buf *answer)
{
    if (!put_artifact(job, DELTA_SLOT, "manglecp.state_delta", &job->delta) ||
        !put_artifact(job, EVIDENCE_SLOT, "manglecp.evidence", &job->evidence))
        return TH_TOOL_ERROR;
    if (job->host->set_output(job->call, answer->ptr, answer->len) != TH_RC_OK) {
        mgi_job_fail(job, "the answer was not accepted (%zu bytes)", answer->len);
        return TH_TOOL_ERROR;
    }
    return TH_OK;
}

static th_status run_job(struct job *job, const struct browser_action *action, th_str input)
{
    struct json root;
    struct json_error fault;
    struct buf answer;
    mgi_buf_init(&answer);
    th_status status = TH_TOOL_ERROR;

    if (mgi_json_parse(job->arena, (struct str){ input.ptr, input.len }, NULL, &root, &fault)) {
        mgi_job_fail(job, "the input is no JSON: %s", fault.message);
        goto out;
    }
    job->input = &root;
    if (!(mgi_is_live(job) && asks_itself(action)) && !mgi_capture_load(job))
        goto out;
    mgi_json_writer_init(&job->out, &answer, 0);
    mgi_jw_begin_object(&job->out);
    if (!action->run(job))
        goto out;
    mgi_jw_end_object(&job->out);
    if (answer.oom || job->delta.oom || job->evidence.oom || job->arena->oom)
        mgi_job_no_memory(job);
    else
        status = finish(job, &answer);
out:
    mgi_buf_fini(&answer);
    return status;
}

static th_status call_action(th_call *call, th_str input, void *user)
{
    struct arena arena;
    struct buf error;
    mgi_arena_init(&arena, JOB_MEMORY_BYTES);
    mgi_buf_init(&error);
    struct job job = { .host = plugin_host, .call = call, .arena = &arena, .error = &error };
    mgi_buf_init(&job.delta);

    th_status status = run_job(&job, user, input);
    if (status != TH_OK) {
        struct str text = arena.oom || error.oom || error.len == 0 ? STR_LIT("out of memory")
                                                                   : mgi_buf_view(&error);
        plugin_host->set_error(call, text.ptr, text.len);
    }
    mgi_buf_fini(&job.delta);
    mgi_buf_fini(&job.evidence);
    mgi_buf_fini(&error);
    mgi_arena_fini(&arena);
    return status;
}

/* The schema of an action's input: where the capture is, and what the action wants beside it. */
static bool print_schema(char *out, size_t room, const struct browser_action *action)
{
    const char *rest = action->input;
    int n =
        snprintf(out, room,
                 "{\"type\":\"object\",\"additionalProperties\":false,"
                 "\"properties\":{\"capture\":{\"type\":\"string\",\"description\":\"A capture: "
                 "a folder with network.har and console.jsonl, or with events.jsonl. "
                 "Not needed where the operator has set a live page\"}%s%s}}",
                 rest[0] ? "," : "", rest);
    return n > 0 && (size_t)n < room;
}

static int register_action(const th_host *host, th_reg *reg, const struct browser_action *action)
{
    const char *const tags[] = { action->tag, NULL };
    const char *const effects[] = { action->side_effect, NULL };
    char schema[4096];
    if (!print_schema(schema, sizeof schema, action))
        return 1;
    th_tool tool = {
        .struct_size = sizeof(th_tool),
        /* What acts can be neither repeated nor undone. */
        .flags = strcmp(action->side_effect, "none") != 0
                     ? 0
                     : TH_TOOL_DETERMINISTIC | TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE,
        .aid = action->aid,
        .name = action->name,
        .description = action->description,
        .tags = tags,
        .side_effects = effects,
        .input_schema = schema,
        .timeout_ms = 0,
        .min_tier = -1,
        .fn = call_action,
        .user = (void *)(uintptr_t)action,
    };
    return host->register_tool(reg, &tool) == TH_RC_OK ? 0 : 1;
}

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* Reading a recording needs files. A live page needs a browser, which is a program that uses the
 * network and writes its profile; what of this is granted is said where the plugin is named. */
uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_FILE_READ | TH_CAP_FILE_WRITE | TH_CAP_SHELL | TH_CAP_NETWORK;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    plugin_host = host;
    if (!mgi_live_configure(host)) {
        host->init_error(reg, "the settings cannot be read", 27);
        return 1;
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            const struct browser_action *action = &lists[i]->actions[j];
            if (register_action(host, reg, action)) {
                char text[160];
                int n = snprintf(text, sizeof text, "the host refused %s", action->aid);
                host->init_error(reg, text, (size_t)n);
                return 1;
            }
        }
    }
    return 0;
}

void toolhost_plugin_fini(void)
{
    mgi_live_fini();
    mgi_act_forget();
    mgi_act_unmock();
}
