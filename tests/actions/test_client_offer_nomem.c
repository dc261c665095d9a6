/* How a server of a client's configuration is started, outside of a domain: what a tool host is
 * told. X-ACT-1, X-ACT-2. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "actions/client_offer.h"
#include "support/nomem.h"

static const char *get(const char *name)
{
    return strcmp(name, "TOKEN") == 0 ? "s3cret" : NULL;
}
static const struct client_variables variables = { get, "/desk" };

#define HEAD                                                                                       \
    "{\"name\":\"a\",\"confine\":\"on\",\"limits\":{\"address_space_mb\":16384,\"descriptors\":"   \
    "1024},\"settings\":{\"server\":\"a\","
#define TAIL ",\"start\":\"\",\"discover\":true,\"verbatim\":true}}"

/* The document, or what is found instead; "out of memory". In `arena`. */
static const char *document_of(struct arena *arena, const char *path, const char *text)
{
    const struct yaml_context c = { .arena = arena, .findings = mgi_findings_new() };
    const char *result = "out of memory";
    const struct yaml_node *servers =
        c.findings ? mgi_client_config_read(&c, path, str_of(text)) : NULL;
    if (servers) {
        const struct client_server_place place = { .entry = servers->entries[0].value,
                                                   .name = servers->entries[0].key,
                                                   .program = "/bin/x",
                                                   .folder = "/here",
                                                   .variables = &variables };
        struct str document = mgi_client_server_document(&c, &place);
        if (document.ptr)
            result = document.ptr;
        else if (!arena->oom && mgi_findings_count(c.findings) > 0)
            result = mgi_arena_strdup(arena, mgi_findings_get(c.findings, 0)->message);
    }
    if (!result || (c.findings && mgi_findings_nomem(c.findings)))
        result = "out of memory";
    mgi_findings_free(c.findings);
    return result;
}

static const struct {
    const char *path, *text, *expected;
} cases[] = {
    { ".mcp.json",
      "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"-k\", \"${TOKEN}\"], \"cwd\": "
      "\"sub\", \"env\": {\"A\": \"${env:TOKEN}\", \"B\": \"${NO:-b}\"}}}}",
      HEAD "\"run\":[\"/bin/x\",\"-k\",\"s3cret\"],\"folder\":\"/here/sub\",\"env\":{\"A\":"
           "\"s3cret\",\"B\":\"b\"}" TAIL },
    { "config.toml",
      "[mcp_servers.a]\ncommand = 'x'\nenv_vars = ['TOKEN']\n[mcp_servers.a.env]\nA = '1'\n",
      HEAD
      "\"run\":[\"/bin/x\"],\"folder\":\"/here\",\"env\":{\"A\":\"1\",\"TOKEN\":\"s3cret\"}" TAIL },
    { "config.toml",
      "[mcp_servers.a]\nurl = 'https://h/m'\nbearer_token_env_var = 'TOKEN'\n"
      "http_headers = {X = 'y'}\nenv_http_headers = {Z = 'TOKEN'}\n",
      HEAD "\"url\":\"https://h/m\",\"private\":true,\"headers\":{\"X\":\"y\",\"Z\":\"s3cret\","
           "\"Authorization\":\"Bearer s3cret\"}" TAIL },
    { ".mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"${NO}\"]}}}",
      "server a: ${NO} is not set" },
    { "config.toml", "[mcp_servers.a]\nurl = 'https://h'\nbearer_token_env_var = 'NO'\n",
      "server a: ${NO} is not set" },
    { ".mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": \"y\"}}}",
      "server a: \"args\" is a list of texts" },
    { ".mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [[1]]}}}",
      "server a: a text is expected here" },
    { ".mcp.json", "{\"mcpServers\": {\"a\": {\"url\": \"ftp://x\"}}}",
      "server a: \"url\" must be an http or https address" },
};

static void test_a_host_is_told_what_the_client_would_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        mgi_arena_init(&arena, 0);
        assert_string_equal(document_of(&arena, cases[i].path, cases[i].text), cases[i].expected);
        mgi_arena_fini(&arena);
    }
}

static void test_memory_that_runs_out_gives_no_document(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t n = 1;; n++) {
            struct arena arena;
            mgi_arena_init(&arena, 0);
            nomem_fail_at(n);
            const char *got = document_of(&arena, cases[i].path, cases[i].text);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            /* What is found may be told all the same, without its quotation. */
            if (failed && strcmp(got, cases[i].expected) != 0)
                assert_string_equal(got, "out of memory");
            else if (failed)
                assert_true(got[0] != '{');
            else
                assert_string_equal(got, cases[i].expected);
            mgi_arena_fini(&arena);
            if (!failed)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_host_is_told_what_the_client_would_do),
        cmocka_unit_test(test_memory_that_runs_out_gives_no_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
