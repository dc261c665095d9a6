/* Requests to an MCP server behind an address, and where it may send us; and that a request
 * survives the failure of any one allocation. Nothing is sent. X-HTTP-8, X-HTTP-26, X-HTTP-38,
 * X-HTTP-43. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/nomem.h"

#include "../../plugins/http/address.c"
#include "../../plugins/mcp/web_address.c"

#include "../../plugins/mcp/web_exchange.c"

static void test_only_addresses_of_the_same_origin_are_taken(void **state)
{
    static const struct {
        const char *base, *said, *becomes; /* NULL: refused */
    } cases[] = {
        { "https://a.example/x/mcp", "/messages?s=1", "https://a.example/messages?s=1" },
        { "https://a.example/x/mcp", "mcp/", "https://a.example/x/mcp/" },
        { "https://a.example/x/mcp", "?s=1", "https://a.example/x/mcp?s=1" },
        { "https://a.example/mcp", "https://A.example:443/y", "https://A.example:443/y" },
        { "http://127.0.0.1:80/mcp", "http://127.0.0.1/y", "http://127.0.0.1/y" },
        { "https://a.example/mcp", "http://a.example/y", NULL },
        { "https://a.example/mcp", "https://a.example:444/y", NULL },
        { "https://a.example/mcp", "https://b.example/y", NULL },
        { "https://a.example/mcp", "//b.example/y", NULL },
        { "https://a.example/mcp", "https://a.example@b.example/", NULL },
        { "https://a.example/mcp", "https://u@a.example/", NULL },
        { "https://a.example/mcp", "\\\\b.example/y", NULL },
        { "https://a.example/mcp", "/a b", NULL },
        { "https://a.example/mcp", "file:///etc/passwd", NULL },
        { "https://a.example/mcp", "", NULL },
    };
    struct buf why = { 0 };
    struct curl_late api;
    (void)state;
    assert_true(mgi_curl_late_open(&api, &why));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[WEB_ADDRESS_BYTES];
        bool good = web_address(&api, cases[i].base, str_of(cases[i].said), out);
        assert_int_equal(good, cases[i].becomes != NULL);
        if (good)
            assert_string_equal(out, cases[i].becomes);
    }
    static char longer[WEB_ADDRESS_BYTES + 8] = "/";
    char out[WEB_ADDRESS_BYTES];
    memset(longer + 1, 'x', sizeof longer - 2);
    assert_false(web_address(&api, "https://a.example/mcp", str_of(longer), out));
    mgi_buf_fini(&why);
}

static bool has(const struct curl_slist *list, const char *line)
{
    for (; list; list = list->next)
        if (strcmp(list->data, line) == 0)
            return true;
    return false;
}

static const char call[] =
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"t\","
    "\"arguments\":{\"a\":\"\",\"b\":\"\\u00e9\",\"c\":4,\"d\":null}}}";
static const char schema[] =
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
    "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"B\"},\"c\":{\"type\":\"integer\","
    "\"x-mcp-header\":\"C\"},\"d\":{\"type\":\"string\",\"x-mcp-header\":\"D\"}}}";

static void test_a_request_has_its_headers_or_memory_is_short(void **state)
{
    static const char *own[] = { "Authorization: Bearer s3cret" };
    struct mcp_client client;
    struct mcp_web web = {
        .url = "https://a.example/mcp", .headers = own, .header_count = 1, .client = &client
    };
    struct header_rules rules;
    struct arena a;
    struct buf why = { 0 };
    struct json v;
    (void)state;
    mgi_arena_init(&a, 0);
    mgi_mcp_client_init(&client, NULL);
    mgi_mcp_client_open(&client, MCP_ERA_MODERN, 1);
    assert_int_equal(mgi_json_parse(&a, str_of(schema), NULL, &v, NULL), JSON_OK);
    assert_true(mgi_mcp_header_rules(&a, &v, &rules, &why));
    assert_true(mgi_curl_late_open(&web.api, &why));
    web.client = &client;
    web.params = &rules;
    web.multi = web.api.multi_init();
    for (size_t n = 1;; n++) {
        struct web_exchange x = { 0 };
        nomem_fail_at(n);
        bool good = web_exchange_post(&x, &web, str_of(call));
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(good, !failed);
        if (good) {
            assert_true(x.is_request && x.id == 7 && str_is(x.method, "tools/call"));
            assert_true(has(x.headers, own[0]));
            assert_true(has(x.headers, "MCP-Protocol-Version: 2026-07-28"));
            assert_true(has(x.headers, "Mcp-Method: tools/call"));
            assert_true(has(x.headers, "Mcp-Name: t"));
            assert_true(has(x.headers, "Mcp-Param-A;"));
            assert_true(has(x.headers, "Mcp-Param-B: =?base64?w6k=?="));
            assert_true(has(x.headers, "Mcp-Param-C: 4"));
            assert_false(has(x.headers, "Mcp-Param-D;"));
        }
        web_exchange_end(&x);
        if (!failed)
            break;
    }
    web.api.multi_cleanup(web.multi);
    mgi_mcp_client_fini(&client);
    mgi_arena_fini(&a);
    mgi_buf_fini(&why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_addresses_of_the_same_origin_are_taken),
        cmocka_unit_test(test_a_request_has_its_headers_or_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
