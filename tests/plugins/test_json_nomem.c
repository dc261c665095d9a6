/* json: every allocation of every action fails once; the call ends with an error or the same
 * answer, and nothing is left behind. */
#include "plugins/plugin_host.h"

#include "support/nomem.h"

static const char *const rows[][2] = {
    { "json_query", "{\"document\":{\"a\":[1,{\"b\":\"x\"}]},\"path\":\"$..[?match(@.b,'x|y') || "
                    "count(@.*)>2]\"}" },
    { "json_query", "{\"document_text\":\"[1]\",\"pointer\":\"/0\"}" },
    { "json_transform", "{\"document\":[{\"a\":2},{\"a\":1}],\"steps\":[{\"op\":\"sort_by\",\"by\":"
                        "\"/a\"},{\"op\":\"group_by\","
                        "\"by\":\"/"
                        "a\"},{\"op\":\"merge\",\"patch\":{\"z\":1}},{\"op\":\"patch\","
                        "\"operations\":[{\"op\":\"move\","
                        "\"from\":\"/z\",\"path\":\"/"
                        "y\"}]},{\"op\":\"rename\",\"names\":{\"y\":\"x\"}},{\"op\":\"build\","
                        "\"members\":{\"k\":{\"path\":\"$..a\"}}},{\"op\":\"get\",\"pointer\":\"/"
                        "k\"},{\"op\":\"unique\"},"
                        "{\"op\":\"flatten\"},{\"op\":\"count\"}]}" },
    { "json_diff", "{\"before\":{\"a\":[1,2]},\"after\":{\"a\":[2],\"b\":3}}" },
};

static void test_every_action_survives_every_failed_allocation(void **state)
{
    (void)state;
    plugin_load("{}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t n = 1;; n++) {
            th_call call = { 0 };
            nomem_fail_at(n);
            th_status status = plugin_run(&call, rows[i][0], rows[i][1]);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            if (!failed && status != TH_OK)
                fail_msg("%s: %s", rows[i][0], call.error.ptr);
            call_fini(&call);
            assert_true(n < 1000);
            if (!failed)
                break;
        }
    plugin_unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_action_survives_every_failed_allocation),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
