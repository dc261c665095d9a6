/* The plugin "mcp" survives the failure of any one allocation, from its settings to a call's answer
 * and the end of its server: an output, or a reason; never both, and nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/nomem.h"

#include "../../plugins/mcp/mcp.c"

struct th_reg {
    const th_tool *tool;
    th_tool copy;
    char error[512];
};
struct th_call {
    char output[4096], error[4096];
};

static char settings_text[4096];
static struct th_call the_call;

static th_str settings_of(void)
{
    return (th_str){ settings_text, strlen(settings_text) };
}
static const th_config_v1 config = { sizeof config, settings_of };

static th_rc take_tool(th_reg *reg, const th_tool *tool)
{
    reg->copy = *tool;
    reg->tool = &reg->copy;
    return TH_RC_OK;
}
static void take_init_error(th_reg *reg, const char *text, size_t len)
{
    snprintf(reg->error, sizeof reg->error, "%.*s", (int)len, text);
}
static th_rc take_output(th_call *call, const char *text, size_t len)
{
    snprintf(call->output, sizeof call->output, "%.*s", (int)len, text);
    return TH_RC_OK;
}
static th_rc take_error(th_call *call, const char *text, size_t len)
{
    snprintf(call->error, sizeof call->error, "%.*s", (int)len, text);
    return TH_RC_OK;
}
static int64_t much_time(th_call *call)
{
    (void)call;
    return 60000;
}
static int go_on(th_call *call)
{
    (void)call;
    return 0;
}
static th_rc no_progress(th_call *call, double percent, const char *text, size_t len)
{
    (void)call, (void)percent, (void)text, (void)len;
    return TH_RC_OK;
}
static void no_log(th_call *call, int level, const char *text, size_t len)
{
    (void)call, (void)level, (void)text, (void)len;
}
static const void *extension(const th_host *host, const char *name)
{
    (void)host;
    return strcmp(name, "config.v1") == 0 ? &config : NULL;
}
static const th_host host = { .struct_size = sizeof host,
                              .register_tool = take_tool,
                              .init_error = take_init_error,
                              .set_output = take_output,
                              .set_error = take_error,
                              .remaining_ms = much_time,
                              .cancelled = go_on,
                              .progress = no_progress,
                              .log = no_log,
                              .extension = extension };

/* One life of the plugin, with a call if it comes up. True: the call went well. */
static bool live(th_reg *reg)
{
    th_status status = TH_TOOL_ERROR;
    *reg = (th_reg){ 0 };
    the_call = (struct th_call){ 0 };
    if (toolhost_plugin_init(&host, reg) == 0 && reg->tool)
        status = reg->tool->fn(&the_call, (th_str){ "{\"a\":1}", 7 }, reg->tool->user);
    toolhost_plugin_fini();
    memset(&self, 0, sizeof self);
    return status == TH_OK;
}

static void live_often(const char *output)
{
    for (size_t n = 1;; n++) {
        th_reg reg;
        nomem_fail_at(n);
        bool good = live(&reg);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (good && strcmp(the_call.output, output) != 0)
            fail_msg("allocation %zu: %s", n, the_call.output);
        if (!failed && !good)
            fail_msg("%s%s", reg.error, the_call.error);
        if (!good && reg.tool)
            assert_true(the_call.error[0] != '\0');
        if (!failed)
            break;
    }
}

/* A server in a few words of the shell, which answers what the client asks in this order. */
static const char server[] =
    "read l; echo "
    "'{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{\\\"protocolVersion\\\":"
    "\\\"2025-11-25\\\",\\\"capabilities\\\":{\\\"tools\\\":{}},\\\"serverInfo\\\":{\\\"name\\\":"
    "\\\"s\\\",\\\"version\\\":\\\"1\\\"}}}'; read l; read l; echo '{\\\"jsonrpc\\\":\\\"2.0\\\","
    "\\\"id\\\":2,\\\"result\\\":{\\\"tools\\\":[{\\\"name\\\":\\\"get_a\\\",\\\"inputSchema\\\":{}"
    "}"
    "]}}'; read l; echo '{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":3,\\\"result\\\":{\\\"content\\\":"
    "[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"hi\\\"}]}}'; read l";

static void test_a_call_of_a_server(void **state)
{
    struct arena a;
    struct json v;
    char hash[TOOL_HASH_TEXT];
    (void)state;
    mgi_arena_init(&a, 0);
    struct str tool = STR_LIT("{\"name\":\"get_a\",\"inputSchema\":{}}");
    assert_int_equal(mgi_json_parse(&a, tool, NULL, &v, NULL), JSON_OK);
    assert_true(tool_hash(&v, hash));
    mgi_arena_fini(&a);
    snprintf(settings_text, sizeof settings_text,
             "{\"server\":\"s\",\"era\":\"legacy\",\"run\":[\"/bin/sh\",\"-c\",\"%s\"],"
             "\"folder\":\"/\",\"env\":{\"A\":\"b\"},\"only\":[[\"get_a\"]],\"without\":[],"
             "\"tools\":[{\"aid\":\"AID.T.A.v1\",\"name\":\"get_a\",\"tool\":\"get_a\","
             "\"sha256\":\"%s\",\"description\":\"d\",\"side_effects\":[\"none\"],"
             "\"input_schema\":{}}]}",
             server, hash);
    live_often("{\"text\":\"hi\"}");
}

static void test_what_a_server_offers(void **state)
{
    (void)state;
    snprintf(settings_text, sizeof settings_text,
             "{\"server\":\"s\",\"era\":\"legacy\",\"run\":[\"/bin/sh\",\"-c\",\"%s\"],"
             "\"folder\":\"/\",\"start\":\"h\",\"discover\":true}",
             server);
    th_reg reg;
    assert_true(live(&reg));
    char output[4096];
    memcpy(output, the_call.output, sizeof output);
    assert_non_null(strstr(output, "\"name\":\"get_a\",\"sha256\":\""));
    live_often(output);
}

static void test_settings_of_an_address(void **state)
{
    static const struct {
        const char *settings, *why; /* NULL: it comes up, and cannot connect */
    } cases[] = {
        { "{\"server\":\"s\",\"url\":\"http://127.0.0.1:1/\",\"private\":true,\"old\":true,"
          "\"headers\":{\"Authorization\":\"Bearer s3cret-s3cret\"},\"discover\":true}",
          NULL },
        { "{\"server\":\"s\",\"url\":\"http://x\",\"headers\":{\"A\":\"b\\nc\"}}",
          "a header has a line break or another control character" },
        { "{\"server\":\"s\",\"url\":7}", "\"url\" is no text" },
        { "{\"url\":\"http://x\"}", "the settings name no server" },
        { "{\"server\":\"s\",\"url\":\"http://x\"}", "the settings list no tools" },
        { "[]", "the settings name no server" },
        { "{", "the settings are no JSON object" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(settings_text, sizeof settings_text, "%s", cases[i].settings);
        for (size_t n = 1;; n++) {
            th_reg reg;
            nomem_fail_at(n);
            live(&reg);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            if (failed)
                continue;
            if (cases[i].why)
                assert_string_equal(reg.error, cases[i].why);
            else
                assert_non_null(strstr(the_call.error, "could not be connected to"));
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_call_of_a_server),
        cmocka_unit_test(test_what_a_server_offers),
        cmocka_unit_test(test_settings_of_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
