/* The client survives the failure of any allocation: it breaks or says so, and never hangs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "mcp/client.h"
#include "support/nomem.h"

static void answer(struct mcp_client *c, const char *members)
{
    char line[512];
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%lld,%s}", (long long)c->last_id,
             members);
    mgi_mcp_client_take(c, str_of(line), 1);
}

/* A whole conversation; true: all of it went well. */
static bool converse(struct mcp_client *c)
{
    mgi_mcp_client_open(c, MCP_ERA_UNKNOWN, 1);
    answer(c, "\"error\":{\"code\":-32601,\"message\":\"no\"}");
    answer(c, "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
              "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"},\"instructions\":\"be kind\"}");
    if (c->state != MCP_READY)
        return false;
    mgi_mcp_client_list(c);
    answer(c, "\"result\":{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"x\"}");
    answer(c, "\"result\":{\"tools\":[{\"name\":\"b\"}]}");
    if (c->end != MCP_DONE || c->tool_count != 2 || c->state != MCP_READY)
        return false;
    mgi_mcp_client_call(c, STR_LIT("t"), STR_LIT("{\"a\":1}"));
    mgi_mcp_client_take(c, STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), 1);
    answer(c, "\"result\":{\"content\":[]}");
    if (c->end != MCP_DONE || c->state != MCP_READY)
        return false;
    mgi_mcp_client_call(c, STR_LIT("t"), STR_LIT("{}"));
    answer(c, "\"error\":{\"code\":-1,\"message\":\"no\"}");
    return c->end == MCP_REFUSED && str_is(str_of(c->why), "no");
}

static void test_a_conversation_goes_well_or_says_why(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        struct mcp_client c;
        mgi_mcp_client_init(&c, NULL);
        nomem_fail_at(n);
        bool good = converse(&c);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed)
            assert_true(good);
        else if (!good)
            assert_non_null(c.why);
        mgi_mcp_client_fini(&c);
        if (!failed)
            break;
    }
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_conversation_goes_well_or_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
