/* The plugin of `actions: http`: each of its tools is an operation of an HTTP API. The table of
 * them comes as settings (table.h).
 *
 *     arguments ──expand──> address, headers, body ──transfer──> status, body ──answer──> output
 *
 * Credentials come with the settings, and leave in requests alone: whatever is told of a call has
 * been through redact.h. */
#include <string.h>

#include "answer.h"
#include "toolhost.h"

#define MOST_OUTPUT (1u << 20) /* of a tool, as toolhost.h has it */

static const th_host *host;
static const th_outcome_v1 *outcome; /* or NULL: an older host */
static struct arena life;            /* of the worker */
static struct http_table table;
static struct transfer_pool pool;

/* ---- a call --------------------------------------------------------------------------------- */

struct call {
    th_call *th;
    const struct http_request *request;
    struct arena arena;
};

static int64_t left_ms(void *context)
{
    const struct call *call = context;
    return host->cancelled(call->th) ? 0 : host->remaining_ms(call->th);
}

static th_status failed(struct call *call, const char *text)
{
    const char *clean = mgi_http_clean(&call->arena, call->request, text);
    host->set_error(call->th, clean, strlen(clean));
    return TH_TOOL_ERROR;
}

static th_status answer(struct call *call, const struct transfer_result *result)
{
    struct buf json = { 0 };
    const char *why = result->why;
    uint32_t lost = result->lost;
    if (!why) {
        why = mgi_http_answer(&call->arena, call->request, result, &json);
        lost = mgi_http_lost(call->request, result);
    }
    if (!why && json.len > MOST_OUTPUT) {
        why = "the answer is too large for an output: select a part of it";
        lost = lost ? TH_LOST_TOO_LARGE : 0;
    }
    if (!why && host->set_output(call->th, json.ptr, json.len) != TH_RC_OK)
        why = "out of memory";
    mgi_buf_fini(&json);
    if (why && lost && outcome)
        outcome->lost(call->th, lost);
    return why ? failed(call, why) : TH_OK;
}

static th_status ask(struct call *call, th_str input_json)
{
    struct json arguments;
    struct http_expansion what;
    struct transfer_result result;
    struct str text = { input_json.ptr, input_json.len };
    if (mgi_json_parse(&call->arena, text, NULL, &arguments, NULL) != JSON_OK)
        return failed(call, "its input could not be read");
    const char *why = mgi_http_expand(&call->arena, call->request, &arguments, &what);
    if (why)
        return failed(call, why);
    mgi_transfer(&pool, &call->arena, call->request, &what, left_ms, call, &result);
    th_status status = answer(call, &result);
    mgi_transfer_result_fini(&result);
    return status;
}

static th_status run_tool(th_call *th, th_str input_json, void *user)
{
    struct call call = { .th = th, .request = user };
    mgi_arena_init(&call.arena, 256u << 20);
    th_status status = ask(&call, input_json);
    mgi_arena_fini(&call.arena);
    return status;
}

/* ---- registration --------------------------------------------------------------------------- */

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* A list of certificates of one's own (`ca`) is a path that the provider document grants. */
uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_NETWORK;
}

static const char *or_none(struct str s)
{
    return s.len > 0 ? s.ptr : NULL;
}

static bool register_request(th_reg *reg, struct http_request *r)
{
    const th_tool tool = { .struct_size = sizeof tool,
                           .flags = r->flags,
                           .aid = r->aid.ptr,
                           .name = r->name.ptr,
                           .description = r->description.ptr,
                           .tags = r->tags,
                           .side_effects = r->side_effects,
                           .input_schema = or_none(r->input_schema),
                           .output_schema = or_none(r->output_schema),
                           .timeout_ms = r->timeout_ms,
                           .min_tier = -1,
                           .fn = run_tool,
                           .user = r };
    return host->register_tool(reg, &tool) == TH_RC_OK;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    const th_config_v1 *config = h->extension(h, "config.v1");
    const char *why = "this host has no settings for plugins";
    struct buf text = { 0 };
    host = h;
    outcome = h->extension(h, "outcome.v1");
    mgi_arena_init(&life, 0);
    if (config) {
        th_str settings = config->settings();
        why = mgi_http_table_read(&life, (struct str){ settings.ptr, settings.len }, &table);
    }
    /* Here, and not with the first call: afterwards no memory becomes executable. */
    if (!why && !mgi_transfer_pool_open(&pool, &table, &text))
        why = text.ptr ? text.ptr : "out of memory";
    if (why)
        h->init_error(reg, why, strlen(why));
    mgi_buf_fini(&text);
    for (size_t i = 0; !why && i < table.count; i++)
        if (!register_request(reg, &table.items[i]))
            return 1;
    return why ? 1 : 0;
}
