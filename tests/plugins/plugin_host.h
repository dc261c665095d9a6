/* A plugin of the product inside a test: its objects are linked in, and a host of a few functions
 * stands in for the real one. Every input that a test calls good and every output is held against
 * the schemas that the action has registered.
 *
 *     plugin_load("{\"root\":\"/tmp/x\"}");
 *     CHECK_OK("fs_read", "{\"path\":\"a\"}", "\"text\":\"hello\"");
 *     CHECK_FAIL("fs_read", "{\"path\":\"../a\"}", "has \"..\" in it");
 *     plugin_unload();
 */
#ifndef TESTS_PLUGINS_PLUGIN_HOST_H
#define TESTS_PLUGINS_PLUGIN_HOST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "protocol/schema.h"
#include "sys/clock.h"
#include "toolhost.h"

#define TOOLS_MOST 64

struct th_call {
    struct buf output, error;
    int64_t until_ns;        /* deadline; 0: none */
    long looks_left;         /* looks at the cancel flag before it is set; negative: never */
    atomic_int cancelled;    /* set from outside */
    void (*meanwhile)(void); /* called once, when the action first asks whether it is cancelled */
    size_t progress;
};

struct tool_copy {
    char aid[129], name[65];
    char *input_schema, *output_schema, *description;
    char effects[4][32];
    uint32_t flags;
    th_tool_fn fn;
    void *user;
};

struct th_reg {
    struct tool_copy tools[TOOLS_MOST];
    size_t count;
    char error[4096];
};

static th_reg plugin_tools;
static const char *plugin_settings = "{}";

static th_rc fake_register(th_reg *reg, const th_tool *t)
{
    assert_true(reg->count < TOOLS_MOST);
    assert_non_null(t->description);
    assert_non_null(t->input_schema);
    assert_non_null(t->output_schema);
    struct tool_copy *c = &reg->tools[reg->count++];
    memset(c, 0, sizeof *c);
    snprintf(c->aid, sizeof c->aid, "%s", t->aid);
    snprintf(c->name, sizeof c->name, "%s", t->name);
    c->input_schema = strdup(t->input_schema);
    c->output_schema = strdup(t->output_schema);
    c->description = strdup(t->description);
    for (size_t i = 0; i < 4 && t->side_effects[i]; i++)
        snprintf(c->effects[i], sizeof c->effects[i], "%s", t->side_effects[i]);
    c->flags = t->flags;
    c->fn = t->fn;
    c->user = t->user;
    return TH_RC_OK;
}

static void fake_init_error(th_reg *reg, const char *text, size_t len)
{
    snprintf(reg->error, sizeof reg->error, "%.*s", (int)len, text);
}

/* Neither the answer nor the response that has it as a string may be larger (T-ABI-16, T-RSP-7). */
static th_rc fake_output(th_call *call, const char *json, size_t len)
{
    size_t spelled = len + 200;
    for (size_t i = 0; i < len; i++)
        spelled += json[i] == '"' || json[i] == '\\';
    if (spelled > 1048576)
        return TH_RC_LIMIT;
    mgi_buf_clear(&call->output);
    mgi_buf_append(&call->output, json, len);
    return call->output.oom ? TH_RC_NOMEM : TH_RC_OK;
}

static th_rc fake_error(th_call *call, const char *text, size_t len)
{
    mgi_buf_clear(&call->error);
    mgi_buf_append(&call->error, text, len < 4096 ? len : 4096);
    return call->error.oom ? TH_RC_NOMEM : TH_RC_OK;
}

static int64_t fake_remaining(th_call *call)
{
    return call->until_ns ? (call->until_ns - mgi_clock_mono_ns()) / 1000000 : 30000;
}

static int fake_cancelled(th_call *call)
{
    void (*meanwhile)(void) = call->meanwhile;
    call->meanwhile = NULL;
    if (meanwhile)
        meanwhile();
    if (call->looks_left > 0)
        call->looks_left--;
    return call->looks_left == 0 || atomic_load(&call->cancelled);
}

static th_rc fake_progress(th_call *call, double percent, const char *detail, size_t len)
{
    assert_true(percent <= 100 && len <= 200 && (detail || len == 0));
    call->progress++;
    return TH_RC_OK;
}

static th_str fake_settings(void)
{
    return (th_str){ plugin_settings, strlen(plugin_settings) };
}

static const void *fake_extension(const th_host *host, const char *name)
{
    static const th_config_v1 config = { sizeof config, fake_settings };
    (void)host;
    return strcmp(name, "config.v1") == 0 ? &config : NULL;
}

static const th_host fake_host = {
    .struct_size = sizeof(th_host),
    .abi_version = TH_ABI_VERSION,
    .register_tool = fake_register,
    .init_error = fake_init_error,
    .set_output = fake_output,
    .set_error = fake_error,
    .remaining_ms = fake_remaining,
    .cancelled = fake_cancelled,
    .progress = fake_progress,
    .extension = fake_extension,
};

static inline void plugin_unload(void)
{
    for (size_t i = 0; i < plugin_tools.count; i++) {
        free(plugin_tools.tools[i].input_schema);
        free(plugin_tools.tools[i].output_schema);
        free(plugin_tools.tools[i].description);
    }
    memset(&plugin_tools, 0, sizeof plugin_tools);
}

/* What init says: NULL, or why it refuses. */
static inline const char *plugin_try(const char *settings)
{
    plugin_unload();
    plugin_settings = settings;
    return toolhost_plugin_init(&fake_host, &plugin_tools) == 0 ? NULL : plugin_tools.error;
}

static inline void plugin_load(const char *settings)
{
    const char *why = plugin_try(settings);
    if (why)
        fail_msg("settings %s: %s", settings, why);
}

static inline const struct tool_copy *plugin_tool(const char *name)
{
    for (size_t i = 0; i < plugin_tools.count; i++)
        if (strcmp(plugin_tools.tools[i].name, name) == 0)
            return &plugin_tools.tools[i];
    return NULL;
}

static inline th_status plugin_run(th_call *call, const char *name, const char *input)
{
    const struct tool_copy *tool = plugin_tool(name);
    if (!tool)
        fail_msg("no action %s", name);
    mgi_buf_clear(&call->output);
    mgi_buf_clear(&call->error);
    if (call->looks_left == 0)
        call->looks_left = -1;
    return tool->fn(call, (th_str){ input, strlen(input) }, tool->user);
}

static inline void call_fini(th_call *call)
{
    mgi_buf_fini(&call->output);
    mgi_buf_fini(&call->error);
}

/* ---- schemas ------------------------------------------------------------------------------ */

static inline void check_schema(const char *name, const char *what, const char *schema_text,
                                const char *instance_text)
{
    struct arena arena;
    struct json schema, instance;
    struct schema_issues issues;
    mgi_arena_init(&arena, 0);
    mgi_schema_issues_init(&issues, &arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(schema_text), NULL, &schema, NULL), JSON_OK);
    if (mgi_json_parse(&arena, str_of(instance_text), NULL, &instance, NULL) != JSON_OK)
        fail_msg("%s: the %s is no JSON: %.200s", name, what, instance_text);
    struct schema *compiled = mgi_schema_compile(&schema, 0, &issues);
    if (!compiled)
        fail_msg("%s: the schema of its %s: %s: %s", name, what, issues.items[0].path,
                 issues.items[0].message);
    if (!mgi_schema_validate(compiled, &instance, &issues))
        fail_msg("%s: its %s does not fit: %s: %s\n%.400s", name, what, issues.items[0].path,
                 issues.items[0].message, instance_text);
    mgi_schema_free(compiled);
    mgi_arena_fini(&arena);
}

/* Every property of a schema, however deep, has a description. */
static inline void check_described(const char *name, const struct json *schema)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    const struct json *items = mgi_json_get(schema, "items");
    for (uint32_t i = 0; properties && i < properties->count; i++) {
        const struct json_member *m = &properties->members[i];
        if (!mgi_json_get(&m->value, "description"))
            fail_msg("%s: %.*s has no description", name, STR_ARG(m->name));
        check_described(name, &m->value);
    }
    if (items && items->type == JSON_OBJECT)
        check_described(name, items);
}

static inline void check_descriptors(void)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    for (size_t i = 0; i < plugin_tools.count; i++) {
        const struct tool_copy *t = &plugin_tools.tools[i];
        const char *texts[] = { t->input_schema, t->output_schema };
        assert_true(strlen(t->description) > 20);
        for (size_t k = 0; k < 2; k++) {
            struct json schema;
            struct schema_issues issues;
            mgi_schema_issues_init(&issues, &arena, 0);
            assert_int_equal(mgi_json_parse(&arena, str_of(texts[k]), NULL, &schema, NULL),
                             JSON_OK);
            struct schema *compiled = mgi_schema_compile(&schema, 0, &issues);
            if (!compiled)
                fail_msg("%s: %s: %s", t->name, issues.items[0].path, issues.items[0].message);
            mgi_schema_free(compiled);
            check_described(t->name, &schema);
        }
    }
    mgi_arena_fini(&arena);
}

/* ---- expectations ------------------------------------------------------------------------- */

/* The answer of a call that must work; borrowed until the next one. */
static inline const char *plugin_ask(const char *name, const char *input)
{
    static th_call call;
    if (plugin_run(&call, name, input) != TH_OK)
        fail_msg("%s %.300s\nfailed: %s", name, input, call.error.ptr ? call.error.ptr : "");
    check_schema(name, "input", plugin_tool(name)->input_schema, input);
    check_schema(name, "output", plugin_tool(name)->output_schema, call.output.ptr);
    static char answer[1048577];
    memcpy(answer, call.output.ptr, call.output.len + 1);
    call_fini(&call);
    memset(&call, 0, sizeof call);
    return answer;
}

/* `want`: what has to be in the answer; NULL: anything. */
static inline void check_ok(const char *where, int line, const char *name, const char *input,
                            const char *want)
{
    const char *got = plugin_ask(name, input);
    if (want && !strstr(got, want))
        fail_msg("%s:%d: %s %.300s\n got  %.600s\n want %s", where, line, name, input, got, want);
}

static inline void check_fail(const char *where, int line, const char *name, const char *input,
                              const char *want)
{
    th_call call = { 0 };
    th_status status = plugin_run(&call, name, input);
    if (status == TH_OK || !call.error.ptr || !strstr(call.error.ptr, want))
        fail_msg("%s:%d: %s %.300s\n got  %s %.600s\n want %s", where, line, name, input,
                 status == TH_OK ? "success" : "failure",
                 status == TH_OK  ? call.output.ptr
                 : call.error.ptr ? call.error.ptr
                                  : "",
                 want);
    call_fini(&call);
}

#define CHECK_OK(name, input, want)   check_ok(__FILE__, __LINE__, name, input, want)
#define CHECK_FAIL(name, input, want) check_fail(__FILE__, __LINE__, name, input, want)

#endif
