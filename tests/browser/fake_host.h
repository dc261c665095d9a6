/* The browser plugin inside a test: its objects are linked (plugin_browser_parts), and a host of a
 * few functions stands in for the real one. It keeps what a call hands over, so that a test can
 * look at it. */
#ifndef TESTS_BROWSER_FAKE_HOST_H
#define TESTS_BROWSER_FAKE_HOST_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../domains/browser/plugins/browser/act.h"
#include "../../domains/browser/plugins/browser/live.h"
#include "../../domains/browser/plugins/browser/talk.h"

#define TOOLS_MOST 100

/* What one call handed over. The texts are copies with a NUL behind them. */
struct th_call {
    struct buf output, error, delta, evidence;
    char delta_type[64];
};

struct th_reg {
    th_tool tools[TOOLS_MOST];
    char effects[TOOLS_MOST][32];
    char *schemas[TOOLS_MOST];
    size_t count;
};

static th_rc fake_register(th_reg *reg, const th_tool *tool)
{
    assert(reg->count < TOOLS_MOST);
    reg->tools[reg->count] = *tool;
    snprintf(reg->effects[reg->count], sizeof reg->effects[0], "%s", tool->side_effects[0]);
    reg->schemas[reg->count] = strdup(tool->input_schema);
    reg->count++;
    return TH_RC_OK;
}

static void fake_init_error(th_reg *reg, const char *text, size_t len)
{
    (void)reg;
    fprintf(stderr, "init: %.*s\n", (int)len, text);
}

static th_rc fake_output(th_call *call, const char *json, size_t len)
{
    if (len > 1048576)
        return TH_RC_LIMIT;
    mgi_buf_clear(&call->output);
    mgi_buf_append(&call->output, json, len);
    return call->output.oom ? TH_RC_NOMEM : TH_RC_OK;
}

static th_rc fake_error(th_call *call, const char *text, size_t len)
{
    mgi_buf_clear(&call->error);
    mgi_buf_append(&call->error, text, len);
    return call->error.oom ? TH_RC_NOMEM : TH_RC_OK;
}

static th_rc fake_state_put(th_call *call, unsigned slot, const th_artifact *a)
{
    if (slot > 7 || a->content_json.len > 1048576)
        return TH_RC_LIMIT;
    if (strncmp(a->type.ptr, "manglecp.evidence", a->type.len) == 0) {
        mgi_buf_clear(&call->evidence);
        mgi_buf_append(&call->evidence, a->content_json.ptr, a->content_json.len);
        return call->evidence.oom ? TH_RC_NOMEM : TH_RC_OK;
    }
    snprintf(call->delta_type, sizeof call->delta_type, "%.*s", (int)a->type.len, a->type.ptr);
    mgi_buf_clear(&call->delta);
    mgi_buf_append(&call->delta, a->content_json.ptr, a->content_json.len);
    return call->delta.oom ? TH_RC_NOMEM : TH_RC_OK;
}

/* What the operator has set (to be said before plugin_load()), and how long a call has: so much at
 * every question, unless a test says when it ends (of mgi_talk_now_ms()). */
static const char *fake_settings = "{}";
static int64_t fake_time_ms = 60000, fake_until_ms;
static int fake_cancel;

static th_str fake_config_settings(void)
{
    return (th_str){ fake_settings, strlen(fake_settings) };
}

static const void *fake_extension(const th_host *host, const char *name)
{
    static const th_config_v1 config = { sizeof config, fake_config_settings };
    (void)host;
    return strcmp(name, "config.v1") == 0 ? &config : NULL;
}

static int64_t fake_remaining_ms(th_call *call)
{
    (void)call;
    return fake_until_ms ? fake_until_ms - mgi_talk_now_ms() : fake_time_ms;
}

static int fake_cancelled(th_call *call)
{
    (void)call;
    return fake_cancel;
}

static const th_host fake_host = {
    .struct_size = sizeof(th_host),
    .abi_version = TH_ABI_VERSION,
    .register_tool = fake_register,
    .init_error = fake_init_error,
    .set_output = fake_output,
    .set_error = fake_error,
    .state_put = fake_state_put,
    .extension = fake_extension,
    .remaining_ms = fake_remaining_ms,
    .cancelled = fake_cancelled,
};

static th_reg plugin_tools;

/* Registers the plugin's tools, once per program. */
static inline void plugin_load(void)
{
    int failed = toolhost_plugin_init(&fake_host, &plugin_tools);
    assert(!failed);
    (void)failed;
}

static inline void plugin_unload(void)
{
    toolhost_plugin_fini();
    for (size_t i = 0; i < plugin_tools.count; i++)
        free(plugin_tools.schemas[i]);
    plugin_tools.count = 0;
}

static inline const th_tool *plugin_tool(const char *name)
{
    for (size_t i = 0; i < plugin_tools.count; i++)
        if (strcmp(plugin_tools.tools[i].name, name) == 0)
            return &plugin_tools.tools[i];
    return NULL;
}

/* Calls a tool by its name. `call` ends with call_fini(). */
static inline th_status plugin_call(th_call *call, const char *name, const char *input)
{
    memset(call, 0, sizeof *call);
    const th_tool *tool = plugin_tool(name);
    assert(tool);
    return tool->fn(call, (th_str){ input, strlen(input) }, tool->user);
}

static inline void call_fini(th_call *call)
{
    mgi_buf_fini(&call->output);
    mgi_buf_fini(&call->error);
    mgi_buf_fini(&call->delta);
    mgi_buf_fini(&call->evidence);
}

#endif
