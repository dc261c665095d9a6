/* What configurations of MCP clients say. X-ACT-1, X-ACT-2. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "actions/client_config.h"
#include "support/nomem.h"

struct desk {
    struct arena arena;
    struct yaml_context yaml;
};

static void begin(struct desk *d)
{
    mgi_arena_init(&d->arena, 0);
    d->yaml = (struct yaml_context){ .arena = &d->arena, .findings = mgi_findings_new() };
}

static void end(struct desk *d)
{
    mgi_findings_free(d->yaml.findings);
    mgi_arena_fini(&d->arena);
}

static const char *get(const char *name)
{
    return strcmp(name, "TOKEN") == 0   ? "s3cret"
           : strcmp(name, "EMPTY") == 0 ? ""
           : strcmp(name, "HOME") == 0  ? "/ann"
                                        : NULL;
}
static const struct client_variables variables = { get, "/desk" };

/* The servers of a file, as JSON; or what is found instead. */
static const char *servers_of(struct desk *d, const char *path, const char *text)
{
    const struct yaml_node *n = mgi_client_config_read(&d->yaml, path, str_of(text));
    struct buf out = { 0 };
    struct json_writer w;
    if (!n)
        return mgi_findings_count(d->yaml.findings) ? mgi_findings_get(d->yaml.findings, 0)->message
                                                    : "out of memory";
    mgi_json_writer_init(&w, &out, 0);
    mgi_yaml_write_json(&w, n);
    const char *kept = mgi_arena_printf(&d->arena, "%s", out.ptr ? out.ptr : "");
    mgi_buf_fini(&out);
    return kept;
}

static void test_each_client_s_form_is_read(void **state)
{
    static const struct {
        const char *path, *text, *servers;
    } cases[] = {
        { ".mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}",
          "{\"a\":{\"command\":\"x\"}}" },
        { ".vscode/mcp.json",
          "{ // of this folder\n\t\"inputs\": [], /* none */ \"servers\": {\"a\": {\"url\": "
          "\"https://x/#//y\",},}\n}",
          "{\"a\":{\"url\":\"https://x/#//y\"}}" },
        { "settings.json", "{\"mcp\": {\"servers\": {\"a\": {}}}}", "{\"a\":{}}" },
        { "c.yaml", "mcp_servers:\n  a: {command: x, enabled: false}\n",
          "{\"a\":{\"command\":\"x\",\"enabled\":false}}" },
        { "bom.json", "\xef\xbb\xbf{\"mcpServers\": {}}", "{}" },
        { "none.json", "{}", "{}" },
        { "config.toml", "model = \"o\"\n[mcp_servers.a]\ncommand = 'x'\nargs = [\"y\"]\n",
          "{\"a\":{\"command\":\"x\",\"args\":[\"y\"]}}" },
        { "config.toml", "[mcp_servers.a\n", "\"]\" is expected here" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct desk d;
        begin(&d);
        assert_string_equal(servers_of(&d, cases[i].path, cases[i].text), cases[i].servers);
        end(&d);
    }
}

static void test_an_entry_is_of_one_kind(void **state)
{
    static const struct {
        const char *entry;
        enum client_server kind;
        bool off;
    } cases[] = {
        { "{command: x}", CLIENT_SERVER_STDIO, false },
        { "{command: x, disabled: true}", CLIENT_SERVER_STDIO, true },
        { "{url: 'https://x'}", CLIENT_SERVER_HTTP, false },
        { "{httpUrl: 'https://x', enabled: false}", CLIENT_SERVER_HTTP, true },
        { "{type: sse, url: 'https://x'}", CLIENT_SERVER_SSE, false },
        { "{command: x, url: 'https://x'}", CLIENT_SERVER_BOTH, false },
        { "{disabled: 'no'}", CLIENT_SERVER_NONE, false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct desk d;
        const struct yaml_node *url;
        begin(&d);
        const struct yaml_node *n = mgi_yaml_parse(&d.yaml, "a.yaml", str_of(cases[i].entry), 0);
        assert_non_null(n);
        assert_int_equal(mgi_client_config_kind(n, &url), cases[i].kind);
        assert_int_equal(mgi_client_config_is_off(n), cases[i].off);
        end(&d);
    }
}

static void test_variables_are_replaced_or_told(void **state)
{
    static const struct {
        const char *path, *text, *becomes, *told;
    } cases[] = {
        { ".mcp.json", "Bearer ${TOKEN}!", "Bearer s3cret!", NULL },
        { ".mcp.json", "${env:TOKEN}${TOKEN}", "s3crets3cret", NULL },
        { ".mcp.json", "${NONE:-a:-b} ${EMPTY:-c} ${TOKEN:-d}", "a:-b c s3cret", NULL },
        { ".mcp.json", "${EMPTY}", "", NULL },
        { ".mcp.json", "${workspaceFolder}/a ${userHome}", "/desk/a /ann", NULL },
        { ".mcp.json", "pa$TOKEN $ $$ ${", "pa$TOKEN $ $$ ${", NULL },
        { ".gemini/settings.json", "Bearer $TOKEN-$ $5 ${TOKEN}", "Bearer s3cret-$ $5 s3cret",
          NULL },
        { "a/.gemini/settings.json", "$NONE", NULL, "server s: ${NONE} is not set" },
        { ".mcp.json", "${NONE}", NULL, "server s: ${NONE} is not set" },
        { ".mcp.json", "${}", NULL, "server s: ${} is not set" },
        { ".mcp.json", "${input:key}", NULL,
          "server s: ${input:key} would have to be asked for, and nobody is there" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct desk d;
        begin(&d);
        const struct yaml_node n = {
            .kind = YAML_SCALAR, .origin = cases[i].path, .line = 1, .text = str_of(cases[i].text)
        };
        struct str text = mgi_client_config_expand(&d.yaml, &n, STR_LIT("s"), &variables);
        if (cases[i].becomes)
            assert_string_equal(text.ptr ? text.ptr : "nothing", cases[i].becomes);
        else
            assert_null(text.ptr);
        assert_int_equal(mgi_findings_count(d.yaml.findings), cases[i].told != NULL);
        if (cases[i].told)
            assert_string_equal(mgi_findings_get(d.yaml.findings, 0)->message, cases[i].told);
        end(&d);
    }
}

static void test_memory_that_runs_out_is_no_finding(void **state)
{
    (void)state;
    for (size_t at = 1;; at++) {
        struct desk d;
        begin(&d);
        nomem_fail_at(at);
        const struct yaml_node *n = mgi_client_config_read(
            &d.yaml, ".mcp.json", str_of("{\"mcpServers\": {\"a\": {\"url\": \"${TOKEN}\"}}}"));
        const struct yaml_node *url = n ? mgi_yaml_get(mgi_yaml_get(n, "a"), "url") : NULL;
        struct str text = url ? mgi_client_config_expand(&d.yaml, url, STR_LIT("a"), &variables)
                              : (struct str){ NULL, 0 };
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(text.ptr != NULL, !failed);
        end(&d);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_client_s_form_is_read),
        cmocka_unit_test(test_an_entry_is_of_one_kind),
        cmocka_unit_test(test_variables_are_replaced_or_told),
        cmocka_unit_test(test_memory_that_runs_out_is_no_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
